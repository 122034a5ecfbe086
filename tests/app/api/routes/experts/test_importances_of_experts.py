"""Importance of experts over the API: each alone, all subsets of a layer's, with as many of them as a token takes."""

import asyncio
from pathlib import Path
from typing import Any

import httpx
import numpy as np
import pytest

from routescope import zoo
from routescope.data import load
from routescope.routing import Intervention
from routescope.routing.caused.importance import importance
from tests.app import serving
from tests.app.api.follow import ended, start
from tests.app.serving import EXPERTS, MODEL, is_problem

#: A mixture with few experts in a layer, of which every subset is scored.
FEW = "five-experts"
REQUEST = {"model": EXPERTS, "data": ["sums", "python"], "samples": 2}


@pytest.fixture(scope="module", autouse=True)
def _experts(_own_data_folder: Path) -> None:
    serving.make_experts()
    serving.make_experts(FEW, experts=5)


def sets() -> list[Any]:
    """In the order in which the gallery has them."""
    return [load(name, "validation") for name in zoo.info(EXPERTS).domains if name in REQUEST["data"]]


async def measured(client: httpx.AsyncClient, **request: Any) -> dict[str, Any]:
    job = await ended(client, await start(client, "importances", {**REQUEST, **request}))
    assert job["state"] == "done", job
    return (await client.get(job["result"])).json()


@pytest.mark.parametrize("top_k", [None, 3])
async def test_every_expert_alone(client: httpx.AsyncClient, top_k: int | None) -> None:
    found = await measured(client, top_k=top_k)
    expected = importance(zoo.load(EXPERTS), sets(), limit=1, base=Intervention(top_k=top_k))
    assert [each["unit"] for each in found["single"]] == expected.single["unit"].tolist() == found["units"]
    np.testing.assert_allclose([each["change"] for each in found["single"]], expected.single["change"], atol=1e-6)
    assert found["baseline"] == pytest.approx(expected.baseline.figure)
    assert (found["total"], found["layer"], found["top_k"], found["exact"]) == (None, None, top_k, False)
    assert found["shapley"] == found["retention"] == found["interactions"] == []
    assert {each["unit"] for each in found["usage"]} == set(found["units"])


@pytest.mark.slow
async def test_within_a_layer_every_subset_of_its_experts(client: httpx.AsyncClient) -> None:
    found = await measured(client, model=FEW, layer="l3", kind="mute", top_k=1)
    expected = importance(zoo.load(FEW), sets(), limit=1, kind="mute", layer="l3", base=Intervention(top_k=1))
    assert found["units"] == [f"l3.e{e}" for e in range(1, 6)] and found["exact"] and found["layer"] == "l3"
    values = [each["value"] for each in found["shapley"]]
    np.testing.assert_allclose(values, expected.shapley["value"], atol=1e-6)
    assert sum(values) == pytest.approx(found["total"], abs=1e-9)
    assert len(found["interactions"]) == 10 and len(found["retention"]) == 30
    assert {each["step"] for each in found["usage"]} == {"l3"}
    assert sum(each["share"] for each in found["usage"]) == pytest.approx(1)


async def test_what_cannot_be_is_refused_in_words(client: httpx.AsyncClient) -> None:
    for asked, words in (
        ({"layer": "l2"}, "mute them, or replace"),
        ({"layer": "l9", "kind": "mute"}, "there are l1, l2, l3, l4"),
        ({"top_k": 8}, "needs 8 experts"),
        ({"top_k": 9, "kind": "mute"}, "1 to 8 experts"),
        ({"model": MODEL, "data": ["mnist"], "layer": "l1"}, "leave the layer out"),
        ({"model": MODEL, "data": ["mnist"], "top_k": 2}, "leave top_k out"),
    ):
        refused = is_problem(await client.post("/api/v1/importances", json={**REQUEST, **asked}), 422)
        assert words in refused["detail"], asked
    is_problem(await client.post("/api/v1/importances", json={**REQUEST, "layer": "l1; x"}), 422)


@pytest.mark.slow
async def test_it_says_how_far_it_is_and_can_be_cancelled(client: httpx.AsyncClient) -> None:
    job = await start(client, "importances", {**REQUEST, "samples": 200})
    while (now := (await client.get(f"/api/v1/jobs/{job['id']}")).json())["done"] < 2:
        assert now["state"] in ("queued", "running"), now
        await asyncio.sleep(0.02)
    assert now["total"] == 33 and now["what"] == "dropping units"
    await client.delete(f"/api/v1/jobs/{job['id']}")
    assert (await ended(client, job))["state"] == "cancelled"
