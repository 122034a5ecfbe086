"""Circuits of linked modules through the same addresses as every model: evaluations, traces, jobs."""

import csv
import io
from pathlib import Path
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
from tests.app.api.follow import ended, start
from tests.app.serving import CIRCUIT, LAYERS, MODEL, MODULES, is_problem, make_circuit, serving, settings

SAMPLE = "mnist.validation.4"
MANY = MOST_UNITS_PAIRS + 4
MEASURED = {"model": CIRCUIT, "data": ["mnist"], "samples": 40}


async def evaluation(client: httpx.AsyncClient, **request: Any) -> dict[str, Any]:
    response = await client.post("/api/v1/evaluations", json={**MEASURED, "controls": 0, **request})
    assert response.status_code == 200, response.text
    return response.json()


async def test_the_model_says_what_it_is(client: httpx.AsyncClient) -> None:
    body = (await client.get(f"/api/v1/models/{CIRCUIT}")).json()
    assert body["iterations"] == body["most_iterations"] == LAYERS and body["held_out"] == ["mnist-m"]
    assert {"link_probability", "signatures", "codes"} <= set(body["constants"])
    assert {"messages", "read_in", "read_out"} <= set(body["fields"])
    other = (await client.get(f"/api/v1/models/{MODEL}")).json()
    assert (other["iterations"], other["most_iterations"], other["held_out"]) == (3, None, [])


@pytest.mark.parametrize("keep_edges", [0.0, 0.25, 1])
async def test_links_that_are_cut_change_what_they_change(client: httpx.AsyncClient, keep_edges: float) -> None:
    change = {"drop": ["m2", "m7"], "keep_edges": keep_edges}
    result = await evaluation(client, intervention=change)
    model = zoo.load(CIRCUIT)
    expected = score(model, load("mnist"), Intervention(drop=("m2", "m7"), keep_edges=keep_edges), 40)
    assert result["accuracy"]["value"] == expected.accuracy
    assert result["loss"]["value"] == pytest.approx(expected.mean_loss)
    assert result["intervention"]["keep_edges"] == keep_edges
    # links are zeros of a dense matrix: cutting them saves nothing, dropping modules does
    dropped = flops_per_sample(model, Intervention(drop=("m2", "m7")))
    assert result["flops"] == dropped < result["baseline"]["flops"] == flops_per_sample(model)
    assert result["flops_share"] == pytest.approx(dropped / flops_per_sample(model))
    assert result["samples_per_second"] > 0


async def test_all_links_are_no_intervention(client: httpx.AsyncClient) -> None:
    await evaluation(client)
    again = await evaluation(client, intervention={"keep_edges": 1.0})
    assert again["cached"] and again["change"]["loss"] == {"value": 0, "low": 0, "high": 0}


async def test_the_control_drops_as_many_modules_and_cuts_the_same_share(client: httpx.AsyncClient) -> None:
    change = {"drop": ["m2", "m7", "m9"], "keep_edges": 0.4}
    result = await evaluation(client, intervention=change, controls=3)
    control, model = result["control"], zoo.load(CIRCUIT)
    assert (control["size"], control["draws"], control["exact"]) == (3, 3, False)
    for dataset in control["sets"]:
        expected = score(model, load("mnist"), Intervention(drop=tuple(dataset["units"]), keep_edges=0.4), 40)
        assert dataset["accuracy"] == expected.accuracy
    assert (await evaluation(client, intervention={"keep_edges": 0.4}, controls=3))["control"] is None


async def test_words_are_those_of_modules(client: httpx.AsyncClient) -> None:
    change = {"drop": ["m1"], "mute": ["m2"], "mean": ["m3"], "resample": ["m4"]}
    kinds = (await evaluation(client, intervention=change))["kinds"]
    assert [kind["units"] for kind in kinds] == [["m1"], ["m2"], ["m3"], ["m4"]]
    assert "links" in kinds[0]["words"] and not any("compatibilities" in kind["words"] for kind in kinds)


async def test_held_out_sets_are_marked(client: httpx.AsyncClient) -> None:
    result = await evaluation(client, data=[])
    assert {entry["name"]: entry["held_out"] for entry in result["data"]} == {
        "mnist": False, "mnist-m": True, "street-digits": False,
    }  # fmt: skip


async def test_a_stream_takes_links_and_the_names_of_a_thousand_modules(client: httpx.AsyncClient) -> None:
    query = {**MEASURED, "data": "mnist", "controls": 0, "keep_edges": 0.3, "drop": "m1,m2"}
    answer = await client.get("/api/v1/evaluations/stream", params=query)
    assert answer.status_code == 200 and "event: problem" not in answer.text
    assert '"keep_edges":0.3' in answer.text.split("\n\n")[-2]
    many = {**query, "drop": ",".join(f"m{u + 1}" for u in range(1024))}
    answer = await client.get("/api/v1/evaluations/stream", params=many)
    assert answer.status_code == 200  # the address is short enough; this model has only twelve of them
    assert "unknown units: m100" in answer.text and len(answer.text) < 1_000
    for wrong in ({"keep_edges": 1.1}, {"keep_edges": "x"}, {"keep_edges": "nan"}, {"drop": "m" * 9_000}):
        is_problem(await client.get("/api/v1/evaluations/stream", params={**query, **wrong}), 422)


@pytest.mark.parametrize("keep_edges", [-0.1, 1.1, True, "0.5", [0.5]])
async def test_shares_of_the_wrong_form(client: httpx.AsyncClient, keep_edges: object) -> None:
    for position, body in (
        ("evaluations", MEASURED),
        ("traces", {"model": CIRCUIT, "sample": SAMPLE, "fields": ["messages"]}),
    ):
        answer = await client.post(f"/api/v1/{position}", json={**body, "intervention": {"keep_edges": keep_edges}})
        is_problem(answer, 422)
    is_problem(await client.post("/api/v1/importances", json={**MEASURED, "keep_edges": keep_edges}), 422)


async def test_who_has_no_links_cuts_none(client: httpx.AsyncClient) -> None:
    make_circuit("complete", links="complete", prior=None)
    for model, domain_sample in ((MODEL, SAMPLE), ("complete", SAMPLE)):
        change = {"keep_edges": 0.5}
        refused = await client.post("/api/v1/evaluations", json={"model": model, "samples": 9, "intervention": change})
        assert "links" in is_problem(refused, 422)["detail"]
        body = {"model": model, "sample": domain_sample, "fields": [], "intervention": change}
        assert "links" in is_problem(await client.post("/api/v1/traces", json=body), 422)["detail"]
    assert (await client.get("/api/v1/models/complete/graph")).status_code == 404


async def test_layers_are_bounded(client: httpx.AsyncClient) -> None:
    for position, body in (("evaluations", MEASURED), ("traces", {"model": CIRCUIT, "sample": SAMPLE, "fields": []})):
        answer = await client.post(f"/api/v1/{position}", json={**body, "intervention": {"iterations": LAYERS + 1}})
        assert str(LAYERS) in is_problem(answer, 422)["detail"]


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
    answer = await client.get(f"/api/v1/traces/{info['id']}/file", params={"format": "csv"})
    rows = list(csv.DictReader(io.StringIO("\n".join(li for li in answer.text.splitlines() if not li.startswith("#")))))
    assert {row["next_step"] for row in rows} == {"read-in", "l1", "l2", "read-out"}
    assert {row["from_unit"] for row in rows if row["next_step"] == "l1"} <= set(MODULES)


async def test_large_fields_are_refused_with_what_is_accepted(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    size = 4 * LAYERS * 2 * len(MODULES) ** 2  # attention: layers, heads, pairs
    body = {"model": CIRCUIT, "sample": SAMPLE, "fields": ["attention"]}
    monkeypatch.setattr("routescope_app.services.traces.traces.MAX_BYTES", size)
    async with serving(settings(tmp_path)) as client:
        assert "fewer fields" in is_problem(await client.post("/api/v1/traces", json=body), 422)["detail"]
    size += constant_bytes(zoo.load(CIRCUIT))  # codes, links, the prior
    monkeypatch.setattr("routescope_app.services.traces.traces.MAX_BYTES", size)
    async with serving(settings(tmp_path)) as client:
        assert (await client.post("/api/v1/traces", json=body)).status_code == 201
        more = await client.post("/api/v1/traces", json={**body, "fields": ["attention", "confidence"]})
        assert "fewer fields" in is_problem(more, 422)["detail"]
        fewer = {**body, "fields": ["attention", "confidence"], "intervention": {"iterations": 1}}
        assert (await client.post("/api/v1/traces", json=fewer)).status_code == 201
    monkeypatch.setattr("routescope_app.api.routes.traces.MAX_TEXT_VALUES", 300)
    async with serving(settings(tmp_path)) as client:
        info = (await client.post("/api/v1/traces", json={**body, "fields": ["messages"]})).json()
        field = f"/api/v1/traces/{info['id']}/fields/messages"
        assert (await client.get(field)).status_code == 200  # 288 numbers
        long = (await client.post("/api/v1/traces", json=body)).json()
        field = f"/api/v1/traces/{long['id']}/fields/attention"
        assert "format=binary" in is_problem(await client.get(field), 422)["detail"]
        assert (await client.get(field, params={"format": "binary"})).status_code == 200
        both = (await client.post("/api/v1/traces", json={**body, "fields": ["messages", "read_in"]})).json()
        table = f"/api/v1/traces/{both['id']}/file?format=csv"
        assert "300 segments" in is_problem(await client.get(table), 422)["detail"]


async def test_large_fields_cost_more(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    costs: list[float] = []
    async with serving(settings(tmp_path)) as client:
        app = client._transport.app  # type: ignore[attr-defined]
        run = app.state.services.inference.run

        async def counted(work: Any, cost: float = 0.0, **rest: Any) -> Any:
            costs.append(cost)
            return await run(work, cost, **rest)

        monkeypatch.setattr(app.state.services.inference, "run", counted)
        for fields in (["confidence"], ["attention"]):
            body = {"model": CIRCUIT, "sample": SAMPLE, "fields": fields}
            assert (await client.post("/api/v1/traces", json=body)).status_code == 201
    size, whatever = 4 * LAYERS * 2 * len(MODULES) ** 2, constant_bytes(zoo.load(CIRCUIT))
    assert costs == pytest.approx([1 + (4 * 3 + whatever) / PASS_BYTES, 3 + (size + whatever) / PASS_BYTES])


async def importance(client: httpx.AsyncClient, **request: Any) -> dict[str, Any]:
    job = await ended(client, await start(client, "importances", {**MEASURED, "samples": 8, **request}))
    assert job["state"] == "done", job
    return (await client.get(job["result"])).json()


@pytest.mark.slow
async def test_importances_have_orders_by_links(client: httpx.AsyncClient) -> None:
    result = await importance(client, permutations=4)
    model = zoo.load(CIRCUIT)
    assert len(result["shapley"]) == 12 and len(result["interactions"]) == 66
    points = [point for point in result["retention"] if point["order"] == "least connected first"]
    order = by_connectivity(model)
    for point in points:
        assert point["units"] == [unit for unit in MODULES if unit in order[point["dropped"] :]]
        gone = tuple(unit for unit in MODULES if unit not in point["units"])
        assert point["flops"] == flops_per_sample(model, Intervention(drop=gone))
        assert point["accuracy"] == score(model, load("mnist"), Intervention(drop=gone), 8).accuracy
    assert {point["order"] for point in result["retention"]} == {
        "best first", "worst first", "least connected first", "most connected first", "random",
    }  # fmt: skip
    assert all(point["flops"] > 0 for point in result["retention"])
    for layer in ("l1", "l2"):
        assert sum(row["share"] for row in result["usage"] if row["step"] == layer) == pytest.approx(1)
    assert [point["iterations"] for point in result["anytime"]] == [0, 1, 2]


@pytest.mark.slow
async def test_shapley_values_and_pairs_can_be_left_out(client: httpx.AsyncClient) -> None:
    result = await importance(client, permutations=0, pairs=False, keep_edges=0.5)
    assert (result["shapley"], result["convergence"], result["interactions"]) == ([], [], []) and not result["exact"]
    assert len(result["single"]) == 12 and result["keep_edges"] == 0.5
    model = zoo.load(CIRCUIT)
    whole = score(model, load("mnist"), Intervention(keep_edges=0.5), 8)
    assert result["baseline"] == whole.accuracy
    without = score(model, load("mnist"), Intervention(drop=("m3",), keep_edges=0.5), 8)
    assert result["single"][2]["loss_change"] == pytest.approx(without.mean_loss - whole.mean_loss, abs=1e-6)


@pytest.mark.slow
async def test_many_modules_are_affordable_by_default(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Of more than twenty single effects and retention alone; all of it is refused with what would be accepted."""
    make_circuit("many", modules=MANY)
    request = {"model": "many", "data": ["mnist"], "samples": 4}
    single_and_retention = 2 + MANY + 19 * (8 + 4)
    monkeypatch.setattr("routescope_app.services.measuring.importances.MAX_SCORES", single_and_retention * 4)
    async with serving(settings(tmp_path)) as client:
        result = await importance(client, **request)
        assert (result["shapley"], result["interactions"]) == ([], []) and len(result["single"]) == MANY
        assert {point["dropped"] for point in result["retention"]} == set(thinned_sizes(MANY))
        for more in ({"permutations": 4}, {"pairs": True}):
            refused = is_problem(await client.post("/api/v1/importances", json={**request, **more}), 422)
            assert "without pairs, up to 4." in refused["detail"]


async def test_maps_are_of_states_of_modules(client: httpx.AsyncClient) -> None:
    request = {**MEASURED, "samples": 10, "method": "pca", "intervention": {"drop": ["m1"]}}
    job = await ended(client, await start(client, "embeddings", request))
    assert job["state"] == "done", job
    body = (await client.get(job["result"])).json()
    assert body["elements"] == "units" and body["count"] == 10 * 3 * 11
    assert body["tokens"] == body["units"] == list(MODULES)
    shapes = {array["name"]: array["shape"] for array in body["arrays"]}
    assert shapes["xy"] == [330, 2] and shapes["signatures"] == [0, 2]
    again = await client.post("/api/v1/embeddings", json={**request, "tokens": "all"})
    assert again.json()["id"] == job["id"]  # which tokens does not matter where units are the points
    initial = await client.post("/api/v1/embeddings", json={**request, "routing": "initial"})
    assert "trained" in is_problem(initial, 422)["detail"]


async def test_there_is_nothing_to_observe_without_compatibilities(client: httpx.AsyncClient) -> None:
    answer = await client.post("/api/v1/observations", json={**MEASURED, "samples": 10})
    assert "compatibilities" in is_problem(answer, 422)["detail"]
