"""Evaluations, importances and lists of networks of blocks: what the core says, on sets of their tasks."""

from typing import Any

import httpx
import numpy as np
import pytest

from routescope import zoo
from routescope.data import load
from routescope.data.blocks.tasks import TASKS
from routescope.routing import Intervention
from routescope.routing.caused.scores import score
from routescope.routing.observed.usage import BlockUsage
from tests.app.api.follow import result_of
from tests.app.serving import BLOCKS, BLOCKS_FNN, BLOCKS_ONCE, BLOCKS_PICTURES, HIDDEN

pytestmark = pytest.mark.asyncio(loop_scope="module")

COUNT = 60


@pytest.mark.slow
@pytest.mark.parametrize(
    ("model", "change"),
    [
        (BLOCKS, {"iterations": 5, "drop": ["1.2"]}),
        (BLOCKS, {"mute_routes": ["task>1.1"], "copy_routes": ["A>1.2"], "gates": {"E": 0.0}}),
        (BLOCKS_ONCE, {"mute": ["2.1"]}),
        (BLOCKS_PICTURES, {"gates": {"digit": 0.0}}),
    ],
)
async def test_the_figures_are_those_of_the_core(client: httpx.AsyncClient, model: str, change: dict[str, Any]) -> None:
    network, body = zoo.load(model), {"model": model, "samples": COUNT, "controls": 0, "intervention": change}
    answer = await client.post("/api/v1/evaluations", json=body)
    assert answer.status_code == 200, answer.text
    result = answer.json()
    dataset = load(network.config.task, "validation", limit=COUNT)
    expected, whole = score(network, dataset, Intervention(**change)), score(network, dataset)
    assert result["accuracy"]["value"] == expected.accuracy
    assert result["baseline"]["accuracy"]["value"] == whole.accuracy
    assert result["loss"]["value"] == pytest.approx(expected.mean_loss, abs=1e-6)
    labels = np.asarray(dataset.labels_at(change.get("iterations")))
    for row in result["by_label"]:
        assert row["accuracy"] == pytest.approx(expected.correct[labels == int(row["name"])].mean())
    several = len(dataset.task.outputs) > 1
    names, numbers = (dataset.task.outputs, dataset.asked) if several else (dataset.subtasks, dataset.subtask)
    kind = np.array(names)[numbers.numpy()]
    assert {row["name"]: row["count"] for row in result["by_kind"]} == {
        str(name): int((kind == name).sum()) for name in set(kind)
    }
    for row in result["by_kind"]:
        assert row["accuracy"] == pytest.approx(expected.correct[kind == row["name"]].mean())


async def test_importance_of_hidden_blocks(client: httpx.AsyncClient) -> None:
    _, body = await result_of(client, "importances", {"model": BLOCKS, "samples": 30})
    assert body["exact"] and body["units"] == list(HIDDEN) == [row["unit"] for row in body["shapley"]]
    assert "neither made nor read" in body["words"]
    network, dataset = zoo.load(BLOCKS), load("algo", "validation", limit=30)
    usage = BlockUsage(network, [dataset])
    list(usage)
    assert body["usage"] == [{**row, "share": pytest.approx(row["share"], abs=1e-6)} for row in usage.table()]
    assert [row["iterations"] for row in body["anytime"]] == [0, 1, 2]
    for row in body["anytime"]:
        assert row["accuracy"] == score(network, dataset, Intervention(iterations=row["iterations"])).accuracy
    _, once = await result_of(client, "importances", {"model": BLOCKS_ONCE, "samples": 20, "kind": "mute"})
    assert [row["iterations"] for row in once["anytime"]] == [1]
    assert {row["unit"] for row in once["usage"] if row["step"] == "l3"} == {"2.1", "2.2", "2.3"}


async def test_lists(client: httpx.AsyncClient) -> None:
    items = (await client.get("/api/v1/data", params={"inputs": "blocks"})).json()["items"]
    assert [item["name"] for item in items] == list(TASKS)
    assert all(item["inputs"] == "blocks" and item["licence"] and item["splits"]["validation"] for item in items)
    models = {model["id"]: model for model in (await client.get("/api/v1/models")).json()["items"]}
    assert models[BLOCKS]["inputs"] == models[BLOCKS_FNN]["inputs"] == "blocks"
    assert models[BLOCKS]["units"] == list(HIDDEN) and models[BLOCKS]["most_iterations"] is None
    assert models[BLOCKS_ONCE]["most_iterations"] == 1 and models[BLOCKS_FNN]["units"] == []
    sample = (await client.get("/api/v1/samples/mnist.validation.3", params={"model": BLOCKS})).json()
    assert sample["prediction"] is None
    assert (await client.get("/api/v1/samples", params={"model": BLOCKS, "wrong": True})).json()["total"] == 0
