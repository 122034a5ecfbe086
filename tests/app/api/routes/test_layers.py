"""A model whose units are layers, and which routes nothing: what is asked of every model, and said in its own words."""

from typing import Any

import httpx
import pytest
import torch

from routescope import assets, zoo
from routescope.data import load
from routescope.nn.baselines.vit import VisionTransformer, VisionTransformerConfig
from routescope.routing import Intervention, record, score
from routescope.zoo import checkpoint
from tests.app.api.follow import result_of
from tests.app.serving import is_problem

pytestmark = pytest.mark.asyncio(loop_scope="module")

LAYERS = "tiny-layers"


@pytest.fixture
def _model(_own_data_folder: Any) -> Any:
    """An untrained one in the tests' data folder."""
    torch.manual_seed(0)
    config = VisionTransformerConfig(features=16, layers=3, heads=2, head_features=8, ffn_hidden=16, patch_size=8)
    path = checkpoint.save(VisionTransformer(config), assets.data_dir() / "checkpoints" / LAYERS / "model.safetensors")
    yield
    path.unlink()


@pytest.mark.usefixtures("_model")
async def test_layers_are_ablated_and_traced(client: httpx.AsyncClient) -> None:
    body: dict[str, Any] = {"model": LAYERS, "data": ["mnist"], "samples": 10, "controls": 0}
    model = zoo.load(LAYERS)
    for kind in ("drop", "mean"):
        found = (await client.post("/api/v1/evaluations", json={**body, "intervention": {kind: ["l2"]}})).json()
        own = score(model, load("mnist"), Intervention().ablating(kind, ["l2"]), 10)
        assert found["accuracy"]["value"] == own.accuracy and found["loss"]["value"] == pytest.approx(own.mean_loss)
        words = found["kinds"][0]["words"]
        assert "compatibilities" not in words and "links" not in words and len(words) > 20
    _, found = await result_of(client, "importances", {"model": LAYERS, "data": ["mnist"], "samples": 6})
    assert [entry["unit"] for entry in found["shapley"]] == ["l1", "l2", "l3"]
    assert [point["iterations"] for point in found["anytime"]] == [0, 1, 2, 3]
    asked = {"model": LAYERS, "sample": "mnist.validation.4", "fields": ["attention", "token_states"]}
    info = (await client.post("/api/v1/traces", json=asked)).json()
    recorded = record(model, load("mnist").inputs([4]), only=("attention", "token_states"))
    for name in ("attention", "token_states", "logits", "row_bias"):
        values = (await client.get(f"/api/v1/traces/{info['id']}/fields/{name}")).json()["values"]
        torch.testing.assert_close(torch.tensor(values), torch.from_numpy(recorded[name].values), rtol=1e-4, atol=1e-5)
    is_problem(await client.get(f"/api/v1/traces/{info['id']}/file?format=csv"), 422)
