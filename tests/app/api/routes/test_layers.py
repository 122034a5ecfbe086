"""A model whose units are layers, and which routes nothing: what is asked of every model, and said in its own words."""

import shutil
from collections.abc import Iterator
from typing import Any

import httpx
import pytest
import torch

from routescope import assets, zoo
from routescope.data import load
from routescope.nn.baselines.vit import VisionTransformer, VisionTransformerConfig
from routescope.routing import Intervention, record, score
from routescope.zoo import checkpoint
from tests.app.api.follow import ended, start
from tests.app.serving import is_problem

LAYERS = "tiny-layers"


@pytest.fixture(autouse=True)
def model() -> Iterator[VisionTransformer]:
    """An untrained one in the tests' data folder, for one test."""
    torch.manual_seed(0)
    made = VisionTransformer(
        VisionTransformerConfig(features=16, layers=3, heads=2, head_features=8, ffn_hidden=16, patch_size=8)
    )
    folder = assets.data_dir() / "checkpoints" / LAYERS
    checkpoint.save(made, folder / "model.safetensors")
    yield made.eval()
    shutil.rmtree(folder)


@pytest.mark.parametrize("kind", ["drop", "mute", "mean", "resample"])
async def test_layers_are_ablated_and_words_are_of_layers(client: httpx.AsyncClient, kind: str) -> None:
    body: dict[str, Any] = {"model": LAYERS, "data": ["mnist"], "samples": 10, "controls": 0}
    found = (await client.post("/api/v1/evaluations", json={**body, "intervention": {kind: ["l2"]}})).json()
    own = score(zoo.load(LAYERS), load("mnist"), Intervention().ablating(kind, ["l2"]), 10)
    assert found["accuracy"]["value"] == own.accuracy and found["loss"]["value"] == pytest.approx(own.mean_loss)
    words = found["kinds"][0]["words"]
    assert "compatibilities" not in words and "links" not in words and len(words) > 20


async def test_importance_of_layers_and_accuracy_after_each(client: httpx.AsyncClient) -> None:
    asked = {"model": LAYERS, "data": ["mnist"], "samples": 6}
    job = await ended(client, await start(client, "importances", asked))
    assert job["state"] == "done", job
    found = (await client.get(job["result"])).json()
    assert [entry["unit"] for entry in found["shapley"]] == ["l1", "l2", "l3"]
    assert [point["iterations"] for point in found["anytime"]] == [0, 1, 2, 3]


async def test_a_trace_has_what_is_asked_for_and_no_paths(client: httpx.AsyncClient, model: VisionTransformer) -> None:
    asked = {"model": LAYERS, "sample": "mnist.validation.4", "fields": ["attention", "token_states"]}
    answer = await client.post("/api/v1/traces", json=asked)
    assert answer.status_code == 201, answer.text
    info = answer.json()
    own = record(model, load("mnist").inputs([4]), only=("attention", "token_states"))
    for name in ("attention", "token_states", "logits", "row_bias"):
        values = (await client.get(f"/api/v1/traces/{info['id']}/fields/{name}")).json()["values"]
        torch.testing.assert_close(torch.tensor(values), torch.from_numpy(own[name].values), rtol=1e-4, atol=1e-5)
    is_problem(await client.get(f"/api/v1/traces/{info['id']}/file?format=csv"), 422)


async def test_routing_is_observed_of_no_network_without_any(client: httpx.AsyncClient) -> None:
    asked = {"model": LAYERS, "data": ["mnist"], "samples": 5}
    is_problem(await client.post("/api/v1/observations", json=asked), 422)
