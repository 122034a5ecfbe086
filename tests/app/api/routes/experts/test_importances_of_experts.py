"""Importance of experts over the API: each alone, all subsets of a layer's, with as many of them as a token takes."""

import asyncio
from pathlib import Path

import httpx
import pytest

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
