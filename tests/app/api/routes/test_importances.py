"""Importances: what the core gives, through the API; exact and sampled, resumed, as tables."""

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import httpx
import numpy as np
import pytest

from routescope import assets, zoo
from routescope.data import load
from routescope.nn.interpreter.network import NeuralInterpreter, NeuralInterpreterConfig
from routescope.routing import Intervention, Scores, score
from routescope.routing.caused import importance as core
from routescope.routing.caused.scoring import KeptUnits, all_subsets
from routescope.routing.observed.usage import Usage
from routescope.zoo import checkpoint
from routescope_app.services.measuring import scope
from tests.app.api.follow import compare, result_of, rows_of, start
from tests.app.serving import MODEL, UNITS, is_problem

pytestmark = pytest.mark.asyncio(loop_scope="module")

REQUEST = {"model": MODEL, "data": ["mnist"], "samples": 12}


async def importance(client: httpx.AsyncClient, **request: Any) -> dict[str, Any]:
    return (await result_of(client, "importances", {**REQUEST, **request}))[1]


async def test_what_training_left_out_is_never_pooled_with_the_rest(
    client: httpx.AsyncClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Of data that hold both it is of what training showed, or of the rest where that is asked for: never of both."""
    measured = scope.Measuring.measured

    def held_out(*given: Any) -> scope.Measured:
        result = measured(*given)
        return replace(result, info=replace(result.info, held_out=("mnist-m",), trained_on=result.info.domains))

    monkeypatch.setattr(scope.Measuring, "measured", held_out)
    for asked, sets, name in ((None, ["mnist", "street-digits"], "in"), ("out", ["mnist-m"], "out")):
        result = await importance(client, data=[], samples=30, distribution=asked)
        whole = Scores.join(score(zoo.load(MODEL), load(item), None, 10) for item in sets)
        assert (result["distribution"], result["count"], result["baseline"]) == (name, 10 * len(sets), whole.accuracy)
        assert [(item["name"], item["count"]) for item in result["data"]] == [(item, 10) for item in sets]
        alone = await client.post("/api/v1/importances", json=REQUEST | {"data": sets, "samples": 10 * len(sets)})
        assert alone.status_code == 200 and alone.json()["id"] == result["id"]  # the same as of these sets alone


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


async def test_tables_and_the_cache_of_evaluations(client: httpx.AsyncClient) -> None:
    url, result = await result_of(client, "importances", REQUEST | {"kind": "mute"})
    for name, count in {"shapley": 4, "single": 4, "interactions": 6, "retention": 25, "anytime": 4, "convergence": 0,
                        "usage": 12, "subsets": 16}.items():  # fmt: skip
        head, rows = rows_of(await client.get(url, params={"format": "csv", "table": name}))
        assert any("revision" in line for line in head) and any("seed" in line for line in head)
        assert len(rows) == count, name
    body = {**REQUEST, "intervention": {"mute": ["f2", "f3"]}, "controls": 6}
    scored = (await client.post("/api/v1/evaluations", json=body)).json()
    assert scored["cached"] and scored["control"]["exact"] and scored["control"]["draws"] == 6
    again = REQUEST | {"kind": "mute", "permutations": 8}  # no orders are sampled of four units
    assert (await start(client, "importances", again))["id"] == result["id"]
    other = await importance(client, kind="mean", iterations=1, samples=5)
    assert (other["kind"], other["iterations"]) == ("mean", 1) and other["id"] != result["id"]
    assert len({point["flops"] for point in other["retention"]}) == 1, "nothing is saved"


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
async def test_above_ten_units_orders_are_sampled_within_bounds(
    client: httpx.AsyncClient, eleven: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    request = {**REQUEST, "model": eleven, "permutations": 4}
    bare = 2 + 11 + 10 * (8 + 4)  # none, all, all but one, and retention
    subsets = bare + 55 + 10 * 4  # with pairs and four orders
    monkeypatch.setattr("routescope_app.services.measuring.importances.MAX_SCORES", subsets * 6)
    for change, words in (
        ({"samples": 7}, "up to 6 samples"),
        ({"samples": 6, "permutations": 6}, f"without pairs, up to {subsets * 6 // bare}."),
        ({"samples": 6, "permutations": 5}, ""),
    ):
        refused = await client.post("/api/v1/importances", json=request | change)
        assert words in is_problem(refused, 422)["detail"]
    result = await importance(client, model=eleven, samples=6, permutations=4)
    assert not result["exact"] and len(result["shapley"]) == 11 and len(result["interactions"]) == 55
    tables = core.importance(zoo.load(eleven), [load("mnist").take(slice(6))], permutations=4).tables()
    compare(result, {name: tables[name] for name in ("shapley", "single", "interactions")})
    assert all(entry["standard_error"] is not None and entry["low"] is None for entry in result["shapley"])
    assert {point["permutations"] for point in result["convergence"]} == {2, 4}
