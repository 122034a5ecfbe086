"""Importances: what the core gives, through the API; exact and sampled, resumed, as tables."""

import csv
import io
import math
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import httpx
import numpy as np
import pytest

from routescope import assets, zoo
from routescope.data import load
from routescope.nn.interpreter.network import NeuralInterpreter, NeuralInterpreterConfig
from routescope.routing import Intervention, score
from routescope.routing.caused.scoring import KeptUnits, all_subsets
from routescope.routing.caused.shapley import shapley_exact
from routescope.routing.observed.usage import Usage
from routescope.zoo import checkpoint
from routescope_app.services.measuring import scope
from tests.app.api.follow import ended, start
from tests.app.serving import MODEL, UNITS, is_problem, serving, settings

REQUEST = {"model": MODEL, "data": ["mnist"], "samples": 12}


async def importance(client: httpx.AsyncClient, **request: Any) -> dict[str, Any]:
    job = await ended(client, await start(client, "importances", {**REQUEST, **request}))
    assert job["state"] == "done", job
    return (await client.get(job["result"])).json()


def hold_out(monkeypatch: pytest.MonkeyPatch, domain: str) -> None:
    """The model counts as never trained on a domain."""
    measured = scope.Measuring.measured

    def held_out(*given: Any) -> scope.Measured:
        result = measured(*given)
        return replace(result, info=replace(result.info, held_out=(domain,), trained_on=result.info.domains))

    monkeypatch.setattr(scope.Measuring, "measured", held_out)


async def test_what_training_left_out_is_never_pooled_with_the_rest(
    client: httpx.AsyncClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Of data that hold both it is of what training showed, or of the rest where that is asked for: never of both."""
    hold_out(monkeypatch, "mnist-m")
    both = {"model": MODEL, "samples": 30}
    for asked, sets, name in ((None, ["mnist", "street-digits"], "in"), ("out", ["mnist-m"], "out")):
        result = await importance(client, **{**both, "data": [], "distribution": asked})
        subsets = all_subsets(KeptUnits.of(zoo.load(MODEL), [load(item) for item in sets], 10))
        assert result["distribution"] == name and result["count"] == 10 * len(sets)
        assert [(item["name"], item["count"]) for item in result["data"]] == [(item, 10) for item in sets]
        assert result["baseline"] == subsets.value(frozenset(UNITS)).accuracy
        expected = shapley_exact(subsets)
        np.testing.assert_allclose([entry["value"] for entry in result["shapley"]], expected["value"], atol=1e-12)
        alone = await client.post("/api/v1/importances", json={**both, "data": sets, "samples": 10 * len(sets)})
        assert alone.status_code == 200 and alone.json()["id"] == result["id"]  # the same as of these sets alone
    refused = await client.post("/api/v1/importances", json={**REQUEST, "distribution": "out"})
    assert "No sample of these data sets is out of distribution" in is_problem(refused, 422)["detail"]


async def test_one_data_set_can_hold_both(client: httpx.AsyncClient, monkeypatch: pytest.MonkeyPatch) -> None:
    """Scores of a whole set serve both; all figures are of the samples of one, here of every third."""
    plain = await importance(client)

    def every_third(dataset: Any, trained_on: Any, held_out: Any, limit: int) -> np.ndarray:
        return np.where(np.arange(limit) % 3 == 0, "out", "in")

    monkeypatch.setattr(scope, "distribution_of", every_third)
    subsets = all_subsets(KeptUnits.of(zoo.load(MODEL), [load("mnist")], 12))
    units = frozenset(UNITS)
    for asked, rows in (("in", [at for at in range(12) if at % 3]), ("out", [0, 3, 6, 9])):
        result = await importance(client, distribution=asked)
        assert result["distribution"] == asked and result["id"] != plain["id"]
        assert result["count"] == len(rows) == result["data"][0]["count"]

        def accuracy(kept: frozenset[str], rows: list[int] = rows) -> float:
            right = subsets.value(kept).correct
            return sum(bool(right[at]) for at in rows) / len(rows)

        assert result["baseline"] == pytest.approx(accuracy(units))
        for row in result["single"]:
            assert row["change"] == pytest.approx(accuracy(units - {row["unit"]}) - accuracy(units))
        for row in result["retention"]:
            if row["order"] != "random":
                assert row["accuracy"] == pytest.approx(accuracy(frozenset(row["units"])))
        usage = Usage(zoo.load(MODEL), [load("mnist").take(rows)])
        list(usage)
        assert result["usage"] == [{**row, "share": pytest.approx(row["share"], abs=1e-6)} for row in usage.table()]
        for row in result["anytime"]:
            right = score(zoo.load(MODEL), load("mnist"), Intervention(iterations=row["iterations"]), 12).correct
            assert row["accuracy"] == pytest.approx(float(right[rows].mean()))
    monkeypatch.undo()
    assert plain["distribution"] == "unknown"  # of a model without a card
    assert await importance(client, distribution="unknown") == plain  # of one distribution nothing is told apart


async def test_it_fills_the_cache_of_evaluations(client: httpx.AsyncClient) -> None:
    await importance(client, kind="mute")
    body = {**REQUEST, "intervention": {"mute": ["f2", "f3"]}, "controls": 6}
    result = (await client.post("/api/v1/evaluations", json=body)).json()
    assert result["cached"] and result["control"]["exact"] and result["control"]["draws"] == 6


@pytest.mark.parametrize("kind", ["mean", "resample"])
async def test_kinds_that_save_nothing(client: httpx.AsyncClient, kind: str) -> None:
    result = await importance(client, kind=kind, iterations=1, samples=5)
    assert result["kind"] == kind and result["iterations"] == 1
    assert len({point["flops"] for point in result["retention"]}) == 1


async def test_the_same_request_is_done_already(client: httpx.AsyncClient) -> None:
    job = await ended(client, await start(client, "importances", REQUEST))
    again = await client.post("/api/v1/importances", json={**REQUEST, "permutations": 8})  # nothing is sampled here
    assert again.status_code == 200 and again.json()["id"] == job["id"] and again.json()["state"] == "done"
    other = await client.post("/api/v1/importances", json={**REQUEST, "samples": 13})
    assert other.status_code == 202 and other.json()["id"] != job["id"]


async def test_tables(client: httpx.AsyncClient) -> None:
    job = await ended(client, await start(client, "importances", REQUEST))
    for name, count in {"shapley": 4, "single": 4, "interactions": 6, "retention": 25, "anytime": 4, "convergence": 0,
                        "usage": 12, "subsets": 16}.items():  # fmt: skip
        answer = await client.get(job["result"], params={"format": "csv", "table": name})
        assert answer.headers["content-type"].startswith("text/csv")
        head = [line for line in answer.text.splitlines() if line.startswith("#")]
        body = [line for line in answer.text.splitlines() if not line.startswith("#")]
        assert any("revision" in line for line in head) and any("seed" in line for line in head)
        assert len(list(csv.DictReader(io.StringIO("\n".join(body))))) == count, name


@pytest.fixture
def eleven() -> Iterator[str]:
    """A model of eleven units."""
    config = NeuralInterpreterConfig(
        features=8, code_features=8, type_features=4, type_inference_width=8, iterations=1, functions=11, heads=2,
        key_features=4, position_features=4, patch_size=16,
    )  # fmt: skip
    path = assets.data_dir() / "checkpoints" / "eleven" / "model.safetensors"
    checkpoint.save(NeuralInterpreter(config), path)
    yield "eleven"
    path.unlink()


@pytest.mark.slow
async def test_above_ten_units_orders_are_sampled(client: httpx.AsyncClient, eleven: str) -> None:
    result = await importance(client, model=eleven, samples=6, permutations=4)
    assert not result["exact"] and len(result["shapley"]) == 11 and len(result["interactions"]) == 55
    assert sum(entry["value"] for entry in result["shapley"]) == pytest.approx(result["total"])
    assert all(entry["standard_error"] is not None and entry["low"] is None for entry in result["shapley"])
    assert {point["permutations"] for point in result["convergence"]} == {2, 4}
    assert math.isclose(sum(point["share"] for point in result["usage"]), 1)
    is_problem(await client.post("/api/v1/importances", json={**REQUEST, "model": eleven, "permutations": 5}), 422)


async def test_sampled_scores_are_bounded(tmp_path: Path, eleven: str, monkeypatch: pytest.MonkeyPatch) -> None:
    subsets = 2 + 11 + 55 + 10 * (4 + 8 + 4)  # with four orders: none, all, all but one and two, orders and retention
    request = {**REQUEST, "model": eleven, "permutations": 4}
    monkeypatch.setattr("routescope_app.services.measuring.importances.MAX_SCORES", subsets * 6)
    async with serving(settings(tmp_path)) as client:
        refused = is_problem(await client.post("/api/v1/importances", json={**request, "samples": 7}), 422)
        assert "up to 6 samples" in refused["detail"]
        job = await start(client, "importances", {**request, "samples": 6})
        await client.delete(f"/api/v1/jobs/{job['id']}")
        other = await client.post("/api/v1/importances", json={**request, "samples": 6, "permutations": 6})
        bare = (2 + 11 + 55 + 10 * (4 + 8 + 4)) * 6 // (2 + 11 + 10 * (8 + 4))
        assert f"without pairs, up to {bare}." in is_problem(other, 422)["detail"]
        assert (await client.post("/api/v1/importances", json={**REQUEST, "samples": 900})).status_code == 202


async def test_what_is_refused(client: httpx.AsyncClient) -> None:
    for change, status in (
        ({"model": "nothing"}, 404), ({"data": ["imagenet"]}, 422), ({"kind": "delete"}, 422), ({"samples": 0}, 422),
        ({"samples": 9_999}, 422),
        ({"permutations": 4_000}, 422), ({"permutations": 2}, 422), ({"permutations": False}, 422), ({"pairs": 1}, 422),
        ({"keep_edges": 0.5}, 422), ({"iterations": 65}, 422), ({"intervention": {}}, 422),
    ):  # fmt: skip
        is_problem(await client.post("/api/v1/importances", json={**REQUEST, **change}), status)
    is_problem(await client.get(f"/api/v1/importances/{'0' * 40}"), 404)
    is_problem(await client.get("/api/v1/importances/nothing"), 422)
