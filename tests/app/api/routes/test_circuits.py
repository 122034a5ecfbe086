"""Circuits of linked modules through the same addresses as every model: evaluations, traces, jobs."""

from typing import Any

import httpx
import numpy as np
import pytest

from routescope import zoo
from routescope.data import load
from routescope.routing import Intervention, record, score
from routescope.routing.caused.connectivity import by_connectivity
from routescope.routing.caused.retention import thinned_sizes
from routescope.routing.caused.subsets import MOST_UNITS_PAIRS
from routescope.routing.compute import flops_per_sample
from routescope_app.services.traces.traces import PASS_BYTES, constant_bytes
from tests.app.api.follow import app_of, events_of, result_of, rows_of
from tests.app.serving import CIRCUIT, LAYERS, MODEL, MODULES, is_problem, make_circuit

pytestmark = pytest.mark.asyncio(loop_scope="module")

TRACES = "routescope_app.services.traces.traces"
SAMPLE = "mnist.validation.4"
MANY = MOST_UNITS_PAIRS + 4
MEASURED = {"model": CIRCUIT, "data": ["mnist"], "samples": 40}


async def test_the_model_says_what_it_is(client: httpx.AsyncClient) -> None:
    body = (await client.get(f"/api/v1/models/{CIRCUIT}")).json()
    assert body["iterations"] == body["most_iterations"] == LAYERS and body["held_out"] == ["mnist-m"]
    assert {"link_probability", "signatures", "codes"} <= set(body["constants"])
    assert {"messages", "read_in", "read_out"} <= set(body["fields"])
    other = (await client.get(f"/api/v1/models/{MODEL}")).json()
    assert (other["iterations"], other["most_iterations"], other["held_out"]) == (3, None, [])


@pytest.mark.parametrize("keep_edges", [0.25, 1])
async def test_links_that_are_cut_change_what_they_change(client: httpx.AsyncClient, keep_edges: float) -> None:
    change = {"drop": ["m2", "m7"], "keep_edges": keep_edges}
    answer = await client.post("/api/v1/evaluations", json=MEASURED | {"intervention": change, "controls": 3})
    result, model, data = answer.json(), zoo.load(CIRCUIT), load("mnist")
    expected = score(model, data, Intervention(drop=("m2", "m7"), keep_edges=keep_edges), 40)
    assert result["accuracy"]["value"] == expected.accuracy
    assert result["loss"]["value"] == pytest.approx(expected.mean_loss)
    assert result["intervention"]["keep_edges"] == keep_edges
    # links are zeros of a dense matrix: cutting them saves nothing, dropping modules does
    dropped = flops_per_sample(model, Intervention(drop=("m2", "m7")))
    assert result["flops"] == dropped < result["baseline"]["flops"] == flops_per_sample(model)
    control = result["control"]
    assert (control["size"], control["draws"], control["exact"]) == (2, 3, False)
    for drawn in control["sets"]:
        other = Intervention(drop=tuple(drawn["units"]), keep_edges=keep_edges)
        assert drawn["accuracy"] == score(model, data, other, 40).accuracy, "the same share of links is cut"


async def test_evaluations_speak_of_links_and_of_what_training_left_out(client: httpx.AsyncClient) -> None:
    change = {"drop": ["m1"], "mute": ["m2"], "mean": ["m3"], "resample": ["m4"]}
    body = {**MEASURED, "data": [], "controls": 0}
    result = (await client.post("/api/v1/evaluations", json=body | {"intervention": change})).json()
    assert [kind["units"] for kind in result["kinds"]] == [["m1"], ["m2"], ["m3"], ["m4"]]
    words = [kind["words"] for kind in result["kinds"]]
    assert "links" in words[0] and not any("compatibilities" in text for text in words)
    held_out = {entry["name"]: entry["held_out"] for entry in result["data"]}
    assert held_out == {"mnist": False, "mnist-m": True, "street-digits": False}
    again = (await client.post("/api/v1/evaluations", json=body | {"intervention": {"keep_edges": 1.0}})).json()
    assert again["cached"] and again["change"]["loss"] == {"value": 0, "low": 0, "high": 0}
    query = {**MEASURED, "data": "mnist", "controls": 0, "keep_edges": 0.3, "drop": "m1,m2"}
    events = events_of((await client.get("/api/v1/evaluations/stream", params=query)).text)
    assert events[-1][1]["intervention"]["keep_edges"] == 0.3 and events[-1][1]["state"] == "done"


async def test_traces_have_axes_of_their_own(client: httpx.AsyncClient) -> None:
    change = {"drop": ["m1"], "mute": ["m4"], "keep_edges": 0.5}
    fields = ["messages", "read_in", "states", "confidence"]
    body = {"model": CIRCUIT, "sample": SAMPLE, "fields": fields, "intervention": change}
    info = (await client.post("/api/v1/traces", json=body)).json()
    assert {f["name"]: f["dims"] for f in info["fields"]}.items() >= {
        "messages": ["sample", "layer", "unit", "sender"], "read_in": ["sample", "unit", "token"],
        "states": ["sample", "step", "unit", "feature"], "confidence": ["sample", "readout"],
        "link_probability": ["unit", "sender"],
    }.items()  # fmt: skip
    assert info["steps"] == ["read-in", "l1", "l2"] and info["intervention"]["keep_edges"] == 0.5
    assert info["kept"] == list(MODULES[1:]) and info["grid"] == {"rows": 4, "columns": 4}
    expected = record(
        zoo.load(CIRCUIT), load("mnist").images[4:5].float() / 255, ("messages",),
        Intervention(drop=("m1",), mute=("m4",), keep_edges=0.5),
    )  # fmt: skip
    result = (await client.get(f"/api/v1/traces/{info['id']}/fields/messages")).json()
    assert result["coordinates"]["sender"] == list(MODULES) and result["coordinates"]["layer"] == ["l1", "l2"]
    np.testing.assert_allclose(result["values"], expected["messages"].values, atol=1e-6)
    whole = (await client.post("/api/v1/traces", json={**body, "intervention": {**change, "keep_edges": None}})).json()
    assert whole["id"] != info["id"]


async def test_messages_are_paths(client: httpx.AsyncClient) -> None:
    body = {"model": CIRCUIT, "sample": SAMPLE, "fields": ["messages", "read_in", "read_out", "confidence"]}
    info = (await client.post("/api/v1/traces", json=body)).json()
    _, rows = rows_of(await client.get(f"/api/v1/traces/{info['id']}/file", params={"format": "csv"}))
    assert {row["next_step"] for row in rows} == {"read-in", "l1", "l2", "read-out"}
    assert {row["from_unit"] for row in rows if row["next_step"] == "l1"} <= set(MODULES)


async def test_large_fields_are_refused_with_what_is_accepted(
    client: httpx.AsyncClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    size = 4 * LAYERS * 2 * len(MODULES) ** 2  # attention: layers, heads, pairs
    body = {"model": CIRCUIT, "sample": "mnist.validation.9", "fields": ["attention"]}
    both = {**body, "fields": ["attention", "confidence"]}
    for limit, asked, status in (
        (size, body, 422),
        (size + constant_bytes(zoo.load(CIRCUIT)), body, 201),  # codes, links, the prior
        (size + constant_bytes(zoo.load(CIRCUIT)), both, 422),
        (size + constant_bytes(zoo.load(CIRCUIT)), both | {"intervention": {"iterations": 1}}, 201),
    ):
        monkeypatch.setattr(f"{TRACES}.MAX_BYTES", limit)
        answer = await client.post("/api/v1/traces", json=asked)
        assert answer.status_code == status and ("fewer fields" in answer.text) == (status == 422)
    monkeypatch.undo()
    monkeypatch.setattr("routescope_app.api.routes.traces.MAX_TEXT_VALUES", 300)
    info = (await client.post("/api/v1/traces", json={**body, "fields": ["attention", "messages", "read_in"]})).json()
    url = f"/api/v1/traces/{info['id']}"
    assert (await client.get(f"{url}/fields/messages")).status_code == 200  # 288 numbers
    assert "format=binary" in is_problem(await client.get(f"{url}/fields/attention"), 422)["detail"]
    assert (await client.get(f"{url}/fields/attention", params={"format": "binary"})).status_code == 200
    assert "300 segments" in is_problem(await client.get(f"{url}/file?format=csv"), 422)["detail"]


async def test_large_fields_cost_more(client: httpx.AsyncClient, monkeypatch: pytest.MonkeyPatch) -> None:
    costs: list[float] = []
    inference = app_of(client).services.inference
    run = inference.run

    async def counted(work: Any, cost: float = 0.0, **rest: Any) -> Any:
        costs.append(cost)
        return await run(work, cost, **rest)

    monkeypatch.setattr(inference, "run", counted)
    for field in ("confidence", "attention"):
        body = {"model": CIRCUIT, "sample": "mnist.validation.8", "fields": [field]}
        assert (await client.post("/api/v1/traces", json=body)).status_code == 201
    size, constants = 4 * LAYERS * 2 * len(MODULES) ** 2, constant_bytes(zoo.load(CIRCUIT))
    assert costs == pytest.approx([1 + (4 * 3 + constants) / PASS_BYTES, 3 + (size + constants) / PASS_BYTES])


@pytest.mark.slow
async def test_importances_have_orders_by_links_and_what_can_be_left_out(client: httpx.AsyncClient) -> None:
    asked = {**MEASURED, "samples": 4, "permutations": 0, "pairs": False, "keep_edges": 0.5}
    _, result = await result_of(client, "importances", asked)
    model = zoo.load(CIRCUIT)
    assert (result["shapley"], result["convergence"], result["interactions"]) == ([], [], []) and not result["exact"]
    assert len(result["single"]) == 12 and result["keep_edges"] == 0.5
    whole = score(model, load("mnist"), Intervention(keep_edges=0.5), 4)
    without = score(model, load("mnist"), Intervention(drop=("m3",), keep_edges=0.5), 4)
    assert result["baseline"] == whole.accuracy
    assert result["single"][2]["loss_change"] == pytest.approx(without.mean_loss - whole.mean_loss, abs=1e-6)
    order = by_connectivity(model)
    for point in result["retention"]:
        assert point["flops"] > 0
        if point["order"] == "least connected first":
            assert point["units"] == [unit for unit in MODULES if unit in order[point["dropped"] :]]
            gone = tuple(unit for unit in MODULES if unit not in point["units"])
            assert point["flops"] == flops_per_sample(model, Intervention(drop=gone))
    assert {point["order"] for point in result["retention"]} == {
        "best first", "worst first", "least connected first", "most connected first", "random",
    }  # fmt: skip


@pytest.mark.slow
async def test_many_modules_are_affordable_by_default(
    client: httpx.AsyncClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Of more than twenty single effects and retention alone; all of it is refused with what would be accepted."""
    make_circuit("many", modules=MANY)
    request = {"model": "many", "data": ["mnist"], "samples": 2}
    single_and_retention = 2 + MANY + 19 * (8 + 4)
    monkeypatch.setattr("routescope_app.services.measuring.importances.MAX_SCORES", single_and_retention * 2)
    _, result = await result_of(client, "importances", request)
    assert (result["shapley"], result["interactions"]) == ([], []) and len(result["single"]) == MANY
    assert {point["dropped"] for point in result["retention"]} == set(thinned_sizes(MANY))
    for more in ({"permutations": 4}, {"pairs": True}):
        refused = is_problem(await client.post("/api/v1/importances", json={**request, **more}), 422)
        assert "without pairs, up to 2." in refused["detail"]


async def test_maps_are_of_states_of_modules(client: httpx.AsyncClient) -> None:
    request = {**MEASURED, "samples": 10, "method": "pca", "intervention": {"drop": ["m1"]}}
    _, body = await result_of(client, "embeddings", request)
    assert body["elements"] == "units" and body["count"] == 10 * 3 * 11
    assert body["tokens"] == body["units"] == list(MODULES)
    shapes = {array["name"]: array["shape"] for array in body["arrays"]}
    assert shapes["xy"] == [330, 2] and shapes["signatures"] == [0, 2]
    again = await client.post("/api/v1/embeddings", json={**request, "tokens": "all"})
    assert again.json()["id"] == body["id"]  # which tokens does not matter where units are the points
