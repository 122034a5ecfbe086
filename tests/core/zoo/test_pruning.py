"""A pruned model as files: it is opened again, has fewer weights, and answers as the view does that drops experts."""

import json
from pathlib import Path

import pytest
import torch
from transformers import AutoModelForCausalLM

from routescope import assets, zoo
from routescope.nn.adapters.transformers import from_transformers
from routescope.nn.inputs.text import Text
from routescope.nn.mixture.config import MixtureConfig
from routescope.nn.mixture.network import MixtureNetwork
from routescope.routing.caused.pruning import KeepList, KeptLayer, PruningError, by_chance, kept_of
from routescope.zoo import checkpoint
from routescope.zoo.pruning import KEEP_LIST, export
from tests.core.nn.adapters.families import model_of, sliced
from tests.core.routing.small import small

CONFIG = MixtureConfig(domains=("sums",), context=24, layers=3, features=24, heads=2, experts=5, top_k=2, hidden=7)
TEXTS = Text(("def f(x): return x", "1 + 2 = 3", ""))
CLOSE = {"atol": 1e-5, "rtol": 1e-5}


@pytest.fixture(scope="module")
def model() -> MixtureNetwork:
    torch.manual_seed(3)
    made = MixtureNetwork(CONFIG).eval().requires_grad_(False)
    for layer in made.layers:
        layer.experts.router.weight.mul_(20)
        layer.experts.down.mul_(20)
    made.id, made.revision = "mine", "0" * 16
    return made


def test_a_pruned_mixture_is_a_model_of_its_own(model: MixtureNetwork) -> None:
    keep = kept_of(model, by_chance(model, 4), 0.6, "all")
    counts = [len(layer.kept) for layer in keep.layers]
    assert len(set(counts)) > 1, "layers keep different numbers"
    folder = export(model, keep, assets.data_dir() / "checkpoints" / "pruned-mixture")
    opened = checkpoint.load(folder / "model.safetensors")
    expected = keep.view(model)(TEXTS)
    torch.testing.assert_close(opened(TEXTS), expected, **CLOSE)
    assert not torch.allclose(model(TEXTS), expected, atol=1e-3)
    gone = sum(parameter.numel() for parameter in model.parameters()) - sum(p.numel() for p in opened.parameters())
    assert gone == (15 - sum(counts)) * (24 + 3 * 7 * 24), "a row of the router and three matrices an expert"
    assert [layer.experts for layer in zoo.load("pruned-mixture").routed_layers] == counts
    assert zoo.info("pruned-mixture").units == opened.all_units
    assert KeepList.from_json((folder / KEEP_LIST).read_text()) == keep
    with pytest.raises(PruningError, match="is not empty"):
        export(model, keep, folder)


def test_views_are_sliced_with_what_they_change(model: MixtureNetwork) -> None:
    view = model.keep([unit for unit in model.units if unit not in ("l1.e2", "l3.e5")]).mute(["l2.e3"]).choosing(1)
    made = view.sliced()
    torch.testing.assert_close(made(TEXTS), view(TEXTS), **CLOSE)
    assert made.config.top_k == 1 and made.config.experts_left == (4, 5, 4)
    assert model.sliced().config == model.config
    with pytest.raises(ValueError, match="layer 1 keeps 2 to 5 experts, not 1"):
        model.keep(["l1.e1", *model.units[5:]]).sliced()
    with pytest.raises(ValueError, match="in each of 3 layers, not in 2"):
        MixtureConfig(layers=3, experts_left=(4, 4))
    again = MixtureConfig.from_json(made.config.to_json())
    assert again == made.config


@pytest.mark.parametrize("family", ["olmoe", "mixtral", "qwen3_moe"])
def test_a_pruned_model_of_transformers_is_opened_by_transformers(family: str, tmp_path: Path) -> None:
    theirs = model_of(family)
    network = from_transformers(theirs)
    keep = kept_of(network, by_chance(network, 2), 0.7)
    folder = export(network, keep, tmp_path / "pruned")
    opened = AutoModelForCausalLM.from_pretrained(folder, local_files_only=True)
    expected = keep.view(network)
    with torch.no_grad():
        torch.testing.assert_close(from_transformers(opened)(TEXTS), expected(TEXTS), **CLOSE)
        ids = torch.arange(40, 52)[None]
        literal = sliced(theirs, family, {layer.index: list(layer.kept) for layer in keep.layers})
        assert torch.equal(opened(input_ids=ids).logits, literal(input_ids=ids).logits)
    assert json.loads((folder / KEEP_LIST).read_text())["layers"][1]["indices"] == list(keep.layers[1].kept)
    assert sum(p.numel() for p in opened.parameters()) < sum(p.numel() for p in theirs.parameters())


def test_what_cannot_be_written_is_refused_in_words(tmp_path: Path) -> None:
    network = from_transformers(model_of("olmoe"))
    uneven = KeepList((KeptLayer("l1", 0, 6, (0, 1, 2)), KeptLayer("l2", 1, 6, (0, 1, 2, 5))), {})
    with pytest.raises(PruningError, match="leave 3 in each, or 4"):
        export(network, uneven, tmp_path / "pruned")
    assert not (tmp_path / "pruned").exists()
    interpreter = small("neural_interpreter")
    with pytest.raises(PruningError, match="no smaller network can be made of this one"):
        export(interpreter, uneven, tmp_path / "pruned")


def test_a_pruned_checkpoint_of_integers_is_one_of_integers(tmp_path: Path) -> None:
    """It answers as the view does, and takes no more bytes than a share of the whole file."""
    model = zoo.load("moe-bytes")
    keep = kept_of(model, by_chance(model, 1), 0.5)
    folder = export(model, keep, tmp_path / "half")
    whole, half = zoo.path_of("moe-bytes").stat().st_size, (folder / "model.safetensors").stat().st_size
    assert half < 0.7 * whole
    opened = checkpoint.load(folder / "model.safetensors")
    torch.testing.assert_close(opened(TEXTS), keep.view(model)(TEXTS), **CLOSE)
    name = zoo.bring(folder)
    assert zoo.load(name).id == name == "half" and zoo.info(name).units == opened.all_units
