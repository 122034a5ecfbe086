"""Each family of transformers that is said to work: the same answers, and each change beside a model really changed."""

import copy
import threading
from pathlib import Path
from typing import Any

import pytest
import torch
from torch import Tensor, nn
from transformers import AutoModelForCausalLM, PreTrainedModel

from core.data import load
from core.nn.adapters.transformers import TransformersNetwork, from_transformers
from core.nn.inputs.text import Text
from core.nn.network import Changes
from core.routing import Intervention, InterventionError, record
from tests.core.nn.adapters.families import FAMILIES, FIXED, JOINED, config_of, model_of, sliced

TEXTS = Text(("a text of some bytes", "another one, 17!", "two + two = four"))
IDS = torch.tensor([[256, *text.encode()[:16]] for text in TEXTS.texts])
CLOSE = {"atol": 1e-5, "rtol": 1e-5}


@pytest.fixture(scope="module", params=FAMILIES)
def family(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.fixture(scope="module")
def model(family: str) -> PreTrainedModel:
    return model_of(family)


@pytest.fixture(scope="module")
def network(model: PreTrainedModel) -> TransformersNetwork:
    return from_transformers(model)


def logits(model: nn.Module) -> Tensor:
    with torch.no_grad():
        found: Tensor = model(input_ids=IDS, use_cache=False).logits
    return found


def dropping(network: TransformersNetwork) -> tuple[tuple[str, ...], dict[int, list[int]]]:
    """Two other experts of every layer, and by the layer's number those that are left."""
    gone, kept = [], dict[int, list[int]]()
    for layer in network.routed_layers:
        out = {layer.index % layer.experts, (layer.index + 3) % layer.experts}
        gone += [layer.units[e] for e in out]
        kept[layer.index] = [e for e in range(layer.experts) if e not in out]
    return tuple(gone), kept


def test_recorded_is_plain_bitwise_and_the_model_stays_as_it_is(
    family: str, model: PreTrainedModel, network: TransformersNetwork
) -> None:
    kinds = [type(module) for module in model.modules()]
    plain = logits(model)
    assert torch.equal(network.logits(IDS), plain)
    view = network.view(Changes())
    assert torch.equal(view.logits(IDS), plain)
    fields = tuple(network.fields)
    with view.capture(fields) as captured:
        assert torch.equal(view.logits(IDS), plain)
    assert {name: len(found) for name, found in captured.items()} == dict.fromkeys(fields, network.config.layers)
    assert [type(module) for module in model.modules()] == kinds and not any(m._forward_hooks for m in model.modules())
    assert {id(p) for p in view.parameters()} == {id(p) for p in model.parameters()}


def test_what_is_recorded_is_what_the_router_decided(model: PreTrainedModel, network: TransformersNetwork) -> None:
    """Beside hooks on the model's own routers and experts, token by token."""
    seen: dict[str, Any] = {}
    hooks = []
    for site in network.sites:
        router = model.get_submodule(site.router)
        hooks.append(router.register_forward_hook(lambda _, args, out, at=site.router: seen.update({at: (args, out)})))
    logits(model)
    for hook in hooks:
        hook.remove()
    trace = record(network, Text(TEXTS.texts, tuple(map(tuple, IDS.tolist()))), only=tuple(network.fields))
    for step, site in enumerate(network.sites):
        _, out = seen[site.router]
        choice = site.layout.read(out)
        for row in range(3):
            for token in range(IDS.shape[1]):
                at = row * IDS.shape[1] + token
                expected = dict(zip(choice.experts[at].tolist(), choice.weights[at].tolist(), strict=True))
                found = dict(
                    zip(
                        trace["top_experts"].values[row, step, token].tolist(),
                        trace["top_weights"].values[row, step, token].tolist(),
                        strict=True,
                    )
                )
                assert found == pytest.approx(expected)
        shown = torch.from_numpy(trace["router_logits"].values[:, step, : site.layer.experts, : IDS.shape[1]])
        slots = [each for each in out if isinstance(each, Tensor) and each.shape[-1] == site.layer.experts]
        assert any(torch.equal(shown.permute(0, 2, 1).flatten(0, 1), each.flatten(0, -2).float()) for each in slots)


def reached(called: tuple[Any, ...], experts: int) -> set[int]:
    """Experts that got a token, by what they were called with, or by what their router gave: places (T, K), tokens of
    each expert in turn (E * T, C), or how many each gets."""
    if isinstance(called[-1], tuple):
        return {e for e, count in enumerate(called[-1][3]) if count}
    if len(called) == 2:
        return set(called[0].view(experts, -1).any(dim=1).nonzero().flatten().tolist())
    return set(called[1].flatten().tolist())


def test_dropping_is_a_model_without_these_experts(
    family: str, model: PreTrainedModel, network: TransformersNetwork
) -> None:
    gone, kept = dropping(network)
    view = network.view(Changes(drop=gone))
    called: dict[str, tuple[Any, ...]] = {}
    for site in network.sites:
        told = view.module.get_submodule(site.experts or site.router)
        told.register_forward_hook(lambda _, args, out, at=site.router: called.update({at: (*args, out)}))
    found = view.logits(IDS)
    for site in network.sites:
        assert reached(called[site.router], site.layer.experts) <= set(kept[site.layer.index])
    torch.testing.assert_close(found, logits(sliced(model, family, kept)), **CLOSE)
    assert not torch.allclose(found, logits(model), atol=1e-3)


def test_what_is_left_can_be_a_model_of_its_own(family: str, network: TransformersNetwork, tmp_path: Path) -> None:
    """That transformers opens, and that answers as the view does."""
    gone, kept = dropping(network)
    view = network.view(Changes(drop=gone))
    own = view.sliced()
    assert own.units == own.all_units and len(own.units) == len(view.units)
    torch.testing.assert_close(own.logits(IDS), view.logits(IDS), **CLOSE)
    again = AutoModelForCausalLM.from_pretrained(own.save(tmp_path / family), local_files_only=True)
    torch.testing.assert_close(logits(again), view.logits(IDS), **CLOSE)
    with pytest.raises(ValueError, match="one number of experts for all layers: leave 5 in each, or 6"):
        network.view(Changes(drop=gone[:1])).sliced()
    with pytest.raises(ValueError, match="muted experts have weights"):
        network.view(Changes(mute=gone)).sliced()
    with pytest.raises(ValueError, match="save what sliced"):
        view.save(tmp_path)


def test_muting_leaves_out_what_experts_add(family: str, model: PreTrainedModel, network: TransformersNetwork) -> None:
    """Beside a model in which the last matrix of these experts is 0."""
    gone, _ = dropping(network)
    silent = copy.deepcopy(model)
    for site in network.sites:
        beside = silent.get_submodule(site.router.rpartition(".")[0])
        for name, parameter in beside.named_parameters():
            if any(word in name for word in ("down_proj", "output_linear")) and "shared" not in name:
                for e, unit in enumerate(site.layer.units):
                    if unit in gone:
                        parameter[e] = 0
    view = network.view(Changes(mute=gone))
    with view.capture(("top_experts",)) as captured:
        found = view.logits(IDS)
    torch.testing.assert_close(found, logits(silent), **CLOSE)
    with network.capture(("top_experts",)) as before:
        network.logits(IDS)
    assert torch.equal(before["top_experts"][0][1], captured["top_experts"][0][1]), "they are chosen as before"


def test_means_are_put_in_the_place_of_what_an_expert_adds(family: str, network: TransformersNetwork) -> None:
    assert network.replaceable == (family not in JOINED)
    if family in JOINED:
        with pytest.raises(InterventionError, match="drop or mute here"):
            record(
                network,
                TEXTS,
                intervention=Intervention(mean=("l1a.e1",)),
                reference=load("sums", "validation", limit=2),
            )
        return
    unit, features = network.routed_layers[1].units[2], network.module.config.get_text_config().hidden_size
    view = network.view(Changes())
    with view.replacing({(1, unit): torch.zeros(features)}, network.config.layers):
        found = view.logits(IDS)
    torch.testing.assert_close(found, network.view(Changes(mute=(unit,))).logits(IDS), **CLOSE)
    with view.replacing({(1, unit): torch.arange(features) / features}, network.config.layers):
        assert not torch.allclose(view.logits(IDS), found, atol=1e-3)


def test_another_number_of_experts_is_that_of_the_config(
    family: str, model: PreTrainedModel, network: TransformersNetwork
) -> None:
    if family in FIXED:
        with pytest.raises(InterventionError, match="takes 2 experts at layer 1 of this model, always"):
            Intervention(top_k=3).validate(network)
        return
    other = model_of(family, num_experts_per_tok=3)
    other.load_state_dict(model.state_dict())
    torch.testing.assert_close(network.view(Changes(top_k=3)).logits(IDS), logits(other), atol=1e-6, rtol=1e-6)
    assert network.view(Changes(top_k=3)).view(Changes(top_k=2)).logits(IDS).equal(logits(model))


def test_views_at_once_give_what_they_give_one_after_the_other(network: TransformersNetwork) -> None:
    gone, _ = dropping(network)
    views = [network.view(Changes(drop=gone)), network.view(Changes(mute=gone)), network.view(Changes())]
    alone = [view.logits(IDS) for view in views]
    found: dict[int, list[Tensor]] = {}

    def ask(number: int) -> None:
        found[number] = [views[number].logits(IDS) for _ in range(4)]

    threads = [threading.Thread(target=ask, args=(number,)) for number in range(3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    for number, expected in enumerate(alone):
        assert all(torch.equal(each, expected) for each in found[number])


def test_a_layer_keeps_as_many_experts_as_a_token_takes(network: TransformersNetwork) -> None:
    layer = network.routed_layers[0]
    gone = layer.units[layer.top_k - 1 :]
    refused = network.refusal(Changes(drop=gone), network.config.layers)
    assert refused is not None and refused.startswith(f"layer {layer.name[1:]} needs")
    assert network.refusal(Changes(drop=layer.units[:1]), network.config.layers) is None
    assert Intervention(drop=layer.units[:1]).apply(network).units[0] == layer.units[1]


def test_each_config_is_the_family_that_it_says(family: str) -> None:
    assert config_of(family).model_type == family


def test_groups_that_a_token_could_not_choose_from_are_refused(network: TransformersNetwork, family: str) -> None:
    """DeepSeek's tokens take one of two groups of three experts, and two experts of it."""
    layer = network.routed_layers[-1]
    one, two = layer.units[:1], layer.units[:2]
    assert network.refusal(Changes(drop=one), network.config.layers) is None
    refused = network.refusal(Changes(drop=two), network.config.layers)
    if not family.startswith("deepseek"):
        assert refused is None
        return
    # DeepSeek-V3 never takes a group with one expert; DeepSeek-V2 would, and find no second one.
    other = layer.units[3:5]
    number = layer.name[1:]
    if family == "deepseek_v3":
        assert refused is None
        refused = network.refusal(Changes(drop=(*two, *other)), network.config.layers)
        assert refused == f"layer {number} needs 1 of its 2 groups with 2 or more experts left in each"
        assert reached_by(network.view(Changes(drop=two)), -1) <= {3, 4, 5}
    else:
        assert refused == f"layer {number} needs 2 experts left in whichever 1 of its 2 groups a token takes"


def reached_by(view: TransformersNetwork, step: int) -> set[int]:
    with view.capture(("top_experts",)) as captured:
        view.logits(IDS)
    return set(captured["top_experts"][step][1].flatten().tolist())


def test_layers_are_named_as_the_model_numbers_them(network: TransformersNetwork, family: str) -> None:
    known = {"jetmoe": ("l1a", "l1b", "l2a", "l2b"), "jamba": ("l2", "l4"), "deepseek_v3": ("l2", "l3")}
    assert network.steps == known.get(family, known["deepseek_v3"] if family == "deepseek_v2" else ("l1", "l2"))
