"""Runs of networks of blocks: what they say is what the network did, as it is and steered, once for everybody."""

import asyncio
import json
from pathlib import Path
from typing import Any

import httpx
import numpy as np
import pytest

from routescope import assets, zoo
from routescope.data.blocks.tasks import BPMNIST, TASKS
from routescope.nn.blocks.network import BlockNetwork
from routescope.routing import Intervention, record
from routescope_app.services.blocks import runs as block_runs
from routescope_app.services.blocks.tasks import MAX_OTHERS
from routescope_app.settings import MEMORY_SHARES
from tests.app.api.follow import unpacked
from tests.app.serving import (
    BLOCKS,
    BLOCKS_FNN,
    BLOCKS_ONCE,
    BLOCKS_PICTURES,
    BLOCKS_TRANSFORMER,
    HIDDEN,
    drawing,
    is_problem,
    make_blocks,
    serving,
    settings,
    upload,
)

pytestmark = pytest.mark.asyncio(loop_scope="module")

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
        blended = g * expected["computed"] + (1 - g) * expected["routed"]
        np.testing.assert_allclose(expected["outputs"], blended, atol=1e-5)
        if last is not None:  # the task's block comes anew in every iteration
            np.testing.assert_array_equal(expected["inputs"][: len(last)], last)
        last = expected["outputs"]
        if mfnnr == len(result["levels"]) - 1:
            logits = network.config.logit_scale * last[:, :10].astype(np.float64)
            chances = np.exp(logits) / np.exp(logits).sum(-1, keepdims=True)
            answer = result["answers"][step["iteration"] - 1]
            np.testing.assert_allclose(unpacked(answer["probabilities"]), chances, atol=1e-5)
            assert answer["digits"] == chances.argmax(-1).tolist()
    assert result["baseline"] is None
    assert len(result["answers"]) == result["iterations"] == TASKS[result["task"]].iterations


async def test_steered(client: httpx.AsyncClient) -> None:
    change = {"mute_routes": ["A>1.1", "1.2>E"], "copy_routes": ["B>1.2"], "gates": {"1.3": 0.25, "C": 1}, "drop": []}
    result, plain = await run(client, intervention=change), await run(client)
    for step in result["steps"]:
        expected = arrays(step)
        source, block = step["sources"].index, step["blocks"].index
        if step["mfnnr"] == 1:
            assert expected["weights"][source("A"), block("1.1")] == 0
            assert expected["weights"][source("B"), block("1.2")] == 1 and expected["gates"][block("1.2")] == 0
            assert expected["gates"][block("1.3")] == 0.25
        else:
            assert expected["weights"][source("1.2"), block("E")] == 0 and expected["gates"][block("C")] == 1
    assert result["baseline"] == plain["answers"] and result["answers"] != plain["answers"]
    told = result["intervention"]
    assert told["mute_routes"] == ["1.2>E", "A>1.1"] and told["gates"] == {"1.3": 0.25, "C": 1}
    assert json.loads(Intervention.from_json(json.dumps(told)).to_json())["copy_routes"] == ["B>1.2"]
    del told["mean"], told["resample"]  # which runs do not take
    assert (await run(client, intervention=told))["cached"], "what comes back can be sent again"


async def test_dropped_blocks_are_not_there(client: httpx.AsyncClient) -> None:
    result = await run(client, intervention={"drop": ["1.2"]})
    assert result["kept"] == ["1.1", "1.3"]
    for step in result["steps"]:
        expected = arrays(step)
        rows, columns = (np.array([name == "1.2" for name in step[key]]) for key in ("sources", "blocks"))
        np.testing.assert_array_equal(np.isnan(expected["weights"]), rows[:, None] | columns[None])
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


async def test_two_that_steer_at_once_never_meet(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Interleaved and without a memory, everybody gets what they would get alone."""
    changes: list[dict[str, Any]] = [{}, {"drop": ["1.1"]}, {"mute_routes": ["B>1.2"]}, {"gates": {"E": 0}}]
    monkeypatch.setitem(MEMORY_SHARES, "block-runs", 0)
    monkeypatch.setattr("routescope_app.services.engine.inference.MAX_COST", 1_000)
    async with serving(settings(tmp_path, inference_workers=3)) as client:
        alone = [await run(client, intervention=change) for change in changes]
        many = await asyncio.gather(*(run(client, intervention=changes[at % 4]) for at in range(16)))
        for at, result in enumerate(many):
            for key in ("steps", "answers", "baseline"):
                assert result[key] == alone[at % 4][key], at


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


async def test_indicators_are_the_history_of_the_card(client: httpx.AsyncClient) -> None:
    history = [{"step": 100 * at, "sharpness": {"l1": at / 2}, "loss": None} for at in range(3)]
    path = assets.data_dir() / "checkpoints" / BLOCKS / "card.json"
    path.write_text(json.dumps({"history": history}))
    try:
        body = (await client.get(f"/api/v1/models/{BLOCKS}/indicators")).json()
    finally:
        path.unlink()
    assert body["steps"] == [0, 100, 200] and body["series"] == [{"name": "sharpness.l1", "values": [0, 0.5, 1]}]


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
