"""Runs of networks of blocks: what they say is what the network did, as it is and steered, once for everybody."""

import asyncio
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import numpy as np
import pytest
import torch

from routescope import assets, zoo
from routescope.data.blocks.tasks import ALGO, BPMNIST, TASKS
from routescope.nn.blocks.network import BlockNetwork
from routescope.routing import Intervention, record
from routescope_app.services.blocks import runs as block_runs
from routescope_app.services.blocks.tasks import MAX_OTHERS
from routescope_app.settings import MEMORY_SHARES
from tests.app.api.routes.test_answers import unpacked
from tests.app.serving import (
    BLOCKS,
    BLOCKS_FNN,
    BLOCKS_ONCE,
    BLOCKS_PICTURES,
    BLOCKS_TRANSFORMER,
    CIRCUIT,
    HIDDEN,
    MODEL,
    STATEMENTS,
    drawing,
    is_problem,
    make_blocks,
    serving,
    settings,
    upload,
)

DIGITS = {"digits": [3, 1, 4, 1, 5], "program": [0, 3]}
PICTURE = {"sample": "mnist.validation.3", "permutation": 4}
GIVEN: dict[str, dict[str, Any]] = {
    BLOCKS: DIGITS,
    BLOCKS_ONCE: {"digits": [3, 4], "program": [1]},
    BLOCKS_PICTURES: PICTURE,
}


def position(model: str) -> str:
    return f"/api/v1/models/{model}/block-runs"


async def run(client: httpx.AsyncClient, model: str = BLOCKS, **request: Any) -> dict[str, Any]:
    answer = await client.post(position(model), json={"input": GIVEN.get(model, DIGITS), **request})
    assert answer.status_code == 200, answer.text
    body: dict[str, Any] = answer.json()
    return body


def arrays(step: dict[str, Any]) -> dict[str, np.ndarray]:
    return {name: unpacked(value) for name, value in step.items() if isinstance(value, dict)}


@pytest.mark.parametrize("model", GIVEN)
async def test_steps_are_made_of_each_other(client: httpx.AsyncClient, model: str) -> None:
    result, network = await run(client, model), zoo.load(model)
    assert result["levels"] == [list(level) for level in network.levels]
    assert [step["name"] for step in result["steps"]] == list(network.steps)
    last: np.ndarray | None = None
    for step in result["steps"]:
        expected, mfnnr = arrays(step), step["mfnnr"]
        assert (step["sources"], step["blocks"]) == (result["levels"][mfnnr - 1], result["levels"][mfnnr])
        assert expected["weights"].shape == (len(step["sources"]), len(step["blocks"]))
        np.testing.assert_allclose(expected["weights"].sum(0), 1, atol=1e-5)
        np.testing.assert_allclose(expected["routed"], expected["weights"].T @ expected["inputs"], atol=1e-5)
        g = expected["gates"][:, None]
        np.testing.assert_allclose(
            expected["outputs"], g * expected["computed"] + (1 - g) * expected["routed"], atol=1e-5
        )
        if last is not None:  # the task's block comes anew in every iteration
            np.testing.assert_array_equal(expected["inputs"][: len(last)], last)
        last = expected["outputs"]
        if mfnnr == len(result["levels"]) - 1:
            logits = network.config.logit_scale * last[:, :10].astype(np.float64)
            chances = np.exp(logits) / np.exp(logits).sum(-1, keepdims=True)
            answer = result["answers"][step["iteration"] - 1]
            np.testing.assert_allclose(unpacked(answer["probabilities"]), chances, atol=1e-5)
            assert answer["digits"] == chances.argmax(-1).tolist()
    assert (
        result["baseline"] is None
        and len(result["answers"]) == result["iterations"] == TASKS[result["task"]].iterations
    )


async def test_the_answers_are_the_core_s(client: httpx.AsyncClient) -> None:
    network = zoo.load(BLOCKS)
    blocks = ALGO.encode(torch.tensor([DIGITS["digits"]]), torch.tensor([DIGITS["program"]]))
    for iterations in (1, 2, 5):
        result = await run(client, iterations=iterations)
        assert result["iterations"] == len(result["answers"]) == iterations
        with torch.no_grad():
            made = network.run(blocks, iterations)
        assert result["answers"][-1]["digits"] == made[0, :, :10].argmax(-1).tolist()
        program = [[0, 3][at % 2] for at in range(iterations)]
        true = ALGO.answer(torch.tensor([DIGITS["digits"]]), torch.tensor([program]))[0].tolist()
        assert result["answers"][-1]["true"] == true


async def test_steered(client: httpx.AsyncClient) -> None:
    change = {
        "mute_routes": ["A>1.1", "1.2>E"],
        "copy_routes": ["B>1.2"],
        "gates": {"1.3": 0.25, "C": 1},
        "drop": [],
    }
    result, plain = await run(client, intervention=change), await run(client)
    for step in result["steps"]:
        expected = arrays(step)
        source, block = step["sources"].index, step["blocks"].index
        np.testing.assert_allclose(expected["weights"].sum(0), 1, atol=1e-5)
        if step["mfnnr"] == 1:
            assert expected["weights"][source("A"), block("1.1")] == 0
            assert expected["weights"][source("B"), block("1.2")] == 1 and expected["gates"][block("1.2")] == 0
            np.testing.assert_array_equal(expected["outputs"][block("1.2")], expected["inputs"][source("B")])
            assert expected["gates"][block("1.3")] == 0.25
        else:
            assert expected["weights"][source("1.2"), block("E")] == 0 and expected["gates"][block("C")] == 1
    assert result["baseline"] == plain["answers"] and result["answers"] != plain["answers"]
    assert result["intervention"]["mute_routes"] == ["1.2>E", "A>1.1"]
    assert result["intervention"]["gates"] == {"1.3": 0.25, "C": 1}


async def test_dropped_blocks_are_not_there(client: httpx.AsyncClient) -> None:
    result = await run(client, intervention={"drop": ["1.2"]})
    assert result["kept"] == ["1.1", "1.3"]
    for step in result["steps"]:
        expected = arrays(step)
        rows = np.array([name == "1.2" for name in step["sources"]])
        columns = np.array([name == "1.2" for name in step["blocks"]])
        gone = np.isnan(expected["weights"])
        np.testing.assert_array_equal(gone, rows[:, None] | columns[None])
        np.testing.assert_array_equal(np.isnan(expected["outputs"]).all(1), columns)
        np.testing.assert_allclose(np.nansum(expected["weights"], 0)[~columns], 1, atol=1e-5)
    every = await run(client, intervention={"drop": list(HIDDEN)})
    assert every["kept"] == [] and all(0 <= digit <= 9 for digit in every["answers"][-1]["digits"])


def models_of(task: str, routing: bool) -> list[str]:
    """Models of a task there are, bundled ones included: those that route blocks, or the others."""
    there = [info for info in zoo.models() if info.inputs == "blocks" and info.config["task"] == task]
    return sorted(info.id for info in there if ("multiplexer_weights" in info.fields) == routing)


async def test_what_is_beside_it(client: httpx.AsyncClient) -> None:
    result = await run(client, intervention={"drop": ["1.2"]}, iterations=3)
    assert [item["model"] for item in result["others"]] == models_of("algo", routing=False)[:MAX_OTHERS]
    assert {BLOCKS_FNN, BLOCKS_TRANSFORMER} <= set(models_of("algo", routing=False))
    for item in result["others"]:
        expected = await run(client, item["model"], iterations=3)
        assert expected["answers"] == item["answers"] and len(expected["answers"]) == 3
        assert expected["levels"] == [] and expected["steps"] == [] and expected["kept"] == []
        assert item["model"] not in [other["model"] for other in expected["others"]]
    once = await run(client, BLOCKS_ONCE)
    assert [item["model"] for item in once["others"]] == models_of(once["task"], routing=False)[:MAX_OTHERS]


async def test_any_stored_picture(client: httpx.AsyncClient) -> None:
    drawn = (await upload(client, drawing(), origin="drawing")).json()["id"]
    result = await run(client, BLOCKS_PICTURES, input={"sample": drawn, "permutation": 0})
    assert result["label"] is None and result["answers"][0]["true"] == [None] and result["first_wrong"] is None
    whole = unpacked(result["picture"])
    assert whole.shape == (28, 28) and whole.min() == 0 and whole.max() <= 1
    order = (await client.get("/api/v1/block-tasks")).json()["items"][-1]["permutations"][6]
    permuted = unpacked((await run(client, BLOCKS_PICTURES, input={"sample": drawn, "permutation": 6}))["picture"])
    np.testing.assert_array_equal(permuted.reshape(4, 7, 28), whole.reshape(4, 7, 28)[order])
    for label, stored in ((3, 3), (12, None), (None, None)):
        await client.patch(f"/api/v1/samples/{drawn}", json={"label": label})
        result = await run(client, BLOCKS_PICTURES, input={"sample": drawn, "permutation": 0})
        assert result["label"] == stored and result["answers"][0]["true"] == [stored]
    await client.delete(f"/api/v1/samples/{drawn}")
    gone = await client.post(position(BLOCKS_PICTURES), json={"input": {"sample": drawn, "permutation": 0}})
    is_problem(gone, 404)
    labelled = await run(client, BLOCKS_PICTURES)
    assert labelled["label"] is not None and labelled["answers"][0]["true"] == [labelled["label"]]


async def test_equal_runs_are_computed_once(client: httpx.AsyncClient, monkeypatch: pytest.MonkeyPatch) -> None:
    calls = []

    def counting(*args: Any, **kwargs: Any) -> Any:
        calls.append(args)
        return record(*args, **kwargs)

    monkeypatch.setattr(block_runs, "record", counting)
    change = {"gates": {"1.1": 0.125}}
    result = await asyncio.gather(*(run(client, intervention=change, iterations=7) for _ in range(12)))
    runs = 2 + len(models_of("algo", routing=False)[:MAX_OTHERS])  # with the change, without, and those beside it
    assert len(calls) == runs
    assert len({json.dumps({**item, "cached": None}, sort_keys=True) for item in result}) == 1
    again = await run(client, intervention=change, iterations=7)
    assert again["cached"] and len(calls) == runs
    assert not (await run(client, intervention=change, iterations=6))["cached"]


@pytest.mark.slow
async def test_memory_has_a_bound(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(MEMORY_SHARES, "block-runs", 40_000)
    async with serving(settings(tmp_path)) as client:
        for digit in range(10):
            await run(client, input={**DIGITS, "digits": [digit] * 5})
        memory = client._transport.app.state.services.block_runs._memory.kept  # type: ignore[attr-defined]
        assert 0 < memory.nbytes <= 40_000
        assert (await run(client, input={**DIGITS, "digits": [9] * 5}))["cached"]
        assert not (await run(client, input={**DIGITS, "digits": [0] * 5}))["cached"]


@pytest.mark.slow
async def test_two_that_steer_at_once_never_meet(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Interleaved and without a memory, everybody gets what they would get alone."""
    changes: list[dict[str, Any]] = [
        {},
        {"drop": ["1.1"]},
        {"mute_routes": ["B>1.2"]},
        {"copy_routes": ["D>1.3"]},
        {"gates": {"E": 0}},
    ]
    monkeypatch.setitem(MEMORY_SHARES, "block-runs", 0)
    monkeypatch.setattr("routescope_app.services.engine.inference.MAX_COST", 1_000)
    async with serving(settings(tmp_path, inference_workers=3)) as client:
        alone = [await run(client, intervention=change) for change in changes]
        many = await asyncio.gather(*(run(client, intervention=changes[at % 5]) for at in range(60)))
        for at, result in enumerate(many):
            expected = alone[at % 5]
            assert [result[key] for key in ("steps", "answers", "baseline")] == [
                expected[key] for key in ("steps", "answers", "baseline")
            ], at
            for item, other in zip(result["others"], expected["others"], strict=True):
                for mine, theirs in zip(item["answers"], other["answers"], strict=True):  # but for the last bits
                    np.testing.assert_allclose(
                        unpacked(mine["probabilities"]), unpacked(theirs["probabilities"]), atol=1e-5
                    )


REFUSED: dict[str, tuple[str, dict[str, Any], str]] = {
    "an unknown source": (BLOCKS, {"intervention": {"mute_routes": ["Z>1.1"]}}, "A, B, C, D, E, task"),
    "an unknown block": (BLOCKS, {"intervention": {"mute_routes": ["A>9.1"]}}, "1.1, 1.2, 1.3, A"),
    "levels that do not touch": (BLOCKS, {"intervention": {"copy_routes": ["A>E"]}}, "1.1, 1.2, 1.3"),
    "two copies": (BLOCKS, {"intervention": {"copy_routes": ["A>1.1", "B>1.1"]}}, "one block only"),
    "no source left": (BLOCKS, {"intervention": {"mute_routes": [f"{s}>E" for s in HIDDEN]}}, "leave one"),
    "an unknown gate": (BLOCKS, {"intervention": {"gates": {"task": 0.5}}}, "1.1"),
    "an unknown unit": (BLOCKS, {"intervention": {"drop": ["f1"]}}, "1.1, 1.2, 1.3"),
    "links": (BLOCKS, {"intervention": {"keep_edges": 0.5}}, "links"),
    "routes of what routes nothing": (BLOCKS_FNN, {"intervention": {"mute_routes": ["A>1.1"]}}, "routes no blocks"),
    "too many iterations": (BLOCKS, {"iterations": 21}, "1 to 20"),
    "iterations of one": (BLOCKS_ONCE, {"iterations": 2}, "1 iteration"),
    "no iteration": (BLOCKS, {"intervention": {"iterations": 0}}, "1 to 20"),
    "two numbers of iterations": (BLOCKS, {"iterations": 2, "intervention": {"iterations": 3}}, "one of them"),
    "too few digits": (BLOCKS, {"input": {"digits": [1], "program": [0]}}, "A, B, C, D, E"),
    "an unknown subtask": (BLOCKS, {"input": {**DIGITS, "program": [5]}}, "assign A"),
    "a long program": (BLOCKS, {"input": {**DIGITS, "program": [0] * 21}}, "20"),
    "a program of one": (BLOCKS_ONCE, {"input": {"digits": [1, 2], "program": [0, 1]}}, "1 subtask"),
    "a picture for digits": (BLOCKS, {"input": PICTURE}, "program"),
    "digits for a picture": (BLOCKS_PICTURES, {"input": DIGITS}, "sample"),
    "an unknown permutation": (BLOCKS_PICTURES, {"input": {**PICTURE, "permutation": 8}}, "0 to 7"),
    "a model of pictures": (MODEL, {}, "blocks"),
    "a model of statements": (STATEMENTS, {}, "blocks"),
}


@pytest.mark.asyncio(loop_scope="module")
@pytest.mark.parametrize("case", REFUSED)
async def test_refused_with_what_would_be_accepted(shared: httpx.AsyncClient, case: str) -> None:
    model, change, words = REFUSED[case]
    answer = await shared.post(position(model), json={"input": GIVEN.get(model, DIGITS), **change})
    assert words in is_problem(answer, 422)["detail"]


@pytest.mark.slow
async def test_images_are_not_what_it_reads(client: httpx.AsyncClient) -> None:
    sample = PICTURE["sample"]
    trace = await client.post("/api/v1/traces", json={"model": BLOCKS, "sample": sample, "fields": ["gates"]})
    assert "block-runs" in is_problem(trace, 422)["detail"]
    for job in ("embeddings", "observations"):
        answer = await client.post(f"/api/v1/{job}", json={"model": BLOCKS, "samples": 9})
        assert "block-runs" in is_problem(answer, 422)["detail"]
    is_problem(await client.get(f"/api/v1/models/{BLOCKS}/graph"), 404)
    assert (await client.get(f"/api/v1/samples/{sample}", params={"model": BLOCKS})).json()["prediction"] is None
    page = (await client.get("/api/v1/samples", params={"model": BLOCKS, "wrong": True})).json()
    assert page["total"] == 0


async def test_tasks(client: httpx.AsyncClient) -> None:
    items = {item["name"]: item for item in (await client.get("/api/v1/block-tasks")).json()["items"]}
    assert list(items) == list(TASKS)
    for name in TASKS:
        assert items[name]["models"] == models_of(name, routing=True) + models_of(name, routing=False)
    assert BLOCKS in items["algo"]["models"] and items["algo"]["most_iterations"] == 20
    assert items["bpmnist"]["inputs"] == "picture" and len(items["bpmnist"]["permutations"]) == len(BPMNIST.subtasks)
    for name, item in items.items():
        for model in item["models"]:
            result = await run(client, model, input=item["example"])
            assert result["task"] == name and result["input"] == item["example"]


@pytest.fixture
def measured() -> Iterator[list[dict[str, Any]]]:
    history = [{"step": 100 * at, "sharpness": {"l1": at / 2}, "loss": None} for at in range(3)]
    path = assets.data_dir() / "checkpoints" / BLOCKS / "card.json"
    path.write_text(json.dumps({"history": history}))
    yield history
    path.unlink()


async def test_indicators(client: httpx.AsyncClient, measured: list[dict[str, Any]]) -> None:
    body = (await client.get(f"/api/v1/models/{BLOCKS}/indicators")).json()
    assert body["steps"] == [entry["step"] for entry in measured]
    assert body["series"] == [{"name": "sharpness.l1", "values": [0, 0.5, 1]}]
    for other in (BLOCKS_ONCE, CIRCUIT, "nowhere"):
        is_problem(await client.get(f"/api/v1/models/{other}/indicators"), 404)


async def test_a_network_of_other_blocks(client: httpx.AsyncClient) -> None:
    """It is a model like any other, and neither run nor scored on what it does not take."""
    path = make_blocks("tiny-blocks-own", task="algo", values=("x", "y", "z", "u", "v"))
    try:
        assert isinstance(zoo.load("tiny-blocks-own"), BlockNetwork)
        is_problem(await client.post(position("tiny-blocks-own"), json={"input": DIGITS}), 422)
        assert "tiny-blocks-own" not in (await client.get("/api/v1/block-tasks")).text
        is_problem(await client.post("/api/v1/evaluations", json={"model": "tiny-blocks-own", "samples": 9}), 422)
    finally:
        path.unlink()


async def test_an_intervention_of_everything_is_one(client: httpx.AsyncClient) -> None:
    """What comes back can be sent again and is the core's own form."""
    sent = {"drop": ["1.1"], "mute": ["1.2"], "mute_routes": ["B>1.3", "A>1.3"], "gates": {"E": 1, "A": 0}}
    result = (await run(client, intervention=sent))["intervention"]
    assert json.loads(Intervention.from_json(json.dumps(result)).to_json()) == {
        **sent, "mute_routes": sorted(sent["mute_routes"]), "gates": {"A": 0.0, "E": 1.0}, "iterations": 2,
    }  # fmt: skip
    del result["mean"], result["resample"]  # which runs do not take
    assert (await run(client, intervention=result))["cached"]
