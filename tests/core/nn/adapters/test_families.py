"""Every mixture family that the installed transformers can build opens exactly, or is refused in words."""

import copy
import re
import threading
from pathlib import Path
from typing import Any

import pytest
import torch
from torch import Tensor, nn
from transformers import PreTrainedModel

from routescope.data import load
from routescope.nn.adapters.exploring import NotAdaptable
from routescope.nn.adapters.folder import open_folder
from routescope.nn.adapters.transformers import TransformersNetwork, from_transformers
from routescope.nn.experts import NO_EXPERT
from routescope.nn.inputs.text import Text
from routescope.nn.network import Changes
from routescope.routing import Intervention, InterventionError, record
from tests.core.nn.adapters.families import (
    DOCUMENT,
    LIMITS,
    REFUSED,
    documented,
    families,
    model_of,
    sliced,
    without_default,
)

TEXTS = Text(("a text of some bytes", "another one, 17!", "two + two = four"))
IDS = torch.tensor([[256, *text.encode()[:16]] for text in TEXTS.texts])
OPENED = [name for name in documented() if name not in REFUSED]
#: Families whose ways of routing differ most, for what does not depend on a family.
KINDS = ("olmoe", "jetmoe", "longcat_flash")


@pytest.fixture(scope="module", params=OPENED)
def family(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.fixture(scope="module")
def model(family: str) -> PreTrainedModel:
    return model_of(family, bias=0.5)


@pytest.fixture(scope="module")
def network(model: PreTrainedModel) -> TransformersNetwork:
    return from_transformers(model)


def logits(model: nn.Module) -> Tensor:
    with torch.no_grad():
        found: Tensor = model(input_ids=IDS, use_cache=False).logits
    return found


def check_close(found: Tensor, expected: Tensor) -> None:
    """Compare logits to 1e-5, or to two millionths of the largest where that is more."""
    torch.testing.assert_close(found, expected, rtol=0, atol=max(1e-5, 2e-6 * float(expected.abs().max())))


def dropping(family: str, network: TransformersNetwork) -> tuple[tuple[str, ...], dict[int, list[int]]]:
    """Two experts of every layer that can lose some, and by the layer's number those that are left."""
    gone, kept = [], dict[int, list[int]]()
    for layer in network.routed_layers:
        out = {layer.index % 3, layer.index % 3 + 3}
        if family == "longcat_flash":  # as many identities in every layer
            out = {layer.index % 3, 4}
        if network.refusal(Changes(drop=layer.units[:1]), network.config.layers):
            out = set()
        gone += [layer.units[e] for e in sorted(out)]
        kept[layer.index] = [e for e in range(layer.experts) if e not in out]
    return tuple(gone), kept


def called(module: nn.Module, network: TransformersNetwork) -> dict[str, list[Any]]:
    """By router, what the experts of a module are called with in its next passes, or else what its router returns."""
    seen: dict[str, list[Any]] = {}
    for site in network.sites:

        def hook(_: nn.Module, args: Any, kwargs: Any, out: Any, at: Any = site) -> None:
            seen[at.router] = list(out) if at.experts is None else [*args, *kwargs.values()]

        module.get_submodule(site.experts or site.router).register_forward_hook(hook, with_kwargs=True)
    return seen


def reached(values: list[Any], experts: int) -> list[set[int]]:
    """Experts that each token reaches with a weight: by places and weights (T, K), by tokens of every expert in turn
    (E * T, C), or by the tokens that a router of JetMoE sorts by expert."""
    if len(values) == 1:
        return [set(row.nonzero().flatten().tolist()) for row in values[0].view(experts, IDS.numel(), -1).any(dim=-1).T]
    if isinstance(sizes := values[-2] if len(values) > 3 else None, list):
        owners = torch.arange(experts).repeat_interleave(torch.tensor(sizes)).tolist()
        pairs = set(zip(values[1].tolist(), owners, strict=True))
        return [{expert for token, expert in pairs if token == at} for at in range(IDS.numel())]
    places, weights = next(
        (places, weights)
        for places in values
        for weights in values
        if places.dtype == torch.int64 and weights.is_floating_point() and places.shape == weights.shape
    )
    return [
        {e for e, share in zip(row, shares, strict=True) if share}
        for row, shares in zip(places.tolist(), weights.tolist(), strict=True)
    ]


def in_words() -> str:
    """The table of families in the documents."""
    exact = ", ".join(f"`{name}`" for name in OPENED if name not in LIMITS)
    rows = ["| model type | opens |", "| --- | --- |", f"| {exact} | yes |"]
    kinds = {
        "top_k": "another top-k",
        "mean": "mean, resample",
        "drop": "drop",
        "slice": "a smaller model",
        "verified": "verified routing",
    }
    for name, limits in LIMITS.items():
        without = "; ".join(f"{kinds[kind]}: *{sentence}*" for kind, sentence in limits.items())
        rows.append(f"| `{name}` | yes, without {without} |")
    rows += [f"| `{name}` | no: *{sentence}* |" for name, sentence in REFUSED.items()]
    return "\n".join(rows)


def test_the_documents_list_every_family() -> None:
    """A family that a newer transformers brings is added to the table, and to ``REFUSED`` where it is refused."""
    assert set(documented()) == set(families()) and in_words() in DOCUMENT.read_text(encoding="utf-8")
    assert without_default() == {"gemma4_assistant"}, "it drafts tokens for another model"


@pytest.mark.parametrize("family", REFUSED)
def test_a_family_that_cannot_be_opened_is_refused_in_words(family: str) -> None:
    with pytest.raises(NotAdaptable) as error:
        from_transformers(model_of(family))
    assert str(error.value) == REFUSED[family]


def test_recorded_is_plain_bitwise_and_experts_are_those_that_each_token_reaches(
    family: str, model: PreTrainedModel, network: TransformersNetwork
) -> None:
    """Beside hooks on a copy of the model, which stays as it is."""
    kinds, copied = [type(module) for module in model.modules()], copy.deepcopy(model)
    seen = called(copied, network)
    plain, view, fields = logits(copied), network.view(Changes()), tuple(network.fields)
    with view.capture(fields) as captured:
        assert torch.equal(view.logits(IDS), plain) and torch.equal(network.logits(IDS), plain)
    assert {name: len(found) for name, found in captured.items()} == dict.fromkeys(fields, network.config.layers)
    assert [type(module) for module in model.modules()] == kinds and not any(m._forward_hooks for m in model.modules())
    assert {id(p) for p in view.parameters()} == {id(p) for p in model.parameters()}
    unverified = LIMITS.get(family, {}).get("verified")
    assert network.mute_refusal is None and set(network.unverified.values()) == ({unverified} if unverified else set())
    for step, site in enumerate(network.sites):
        recorded = captured["top_experts"][step][1].flatten(0, 1).tolist()
        assert [set(row) - {NO_EXPERT} for row in recorded] == reached(seen[site.router], site.layer.experts)
        scores = captured["router_logits"][step][1]
        assert scores.shape == (site.layer.experts, *IDS.shape) and scores.isfinite().all()


def test_dropping_is_a_model_without_these_experts_which_is_saved_and_opened(
    family: str, model: PreTrainedModel, network: TransformersNetwork, tmp_path: Path
) -> None:
    gone, kept = dropping(family, network)
    view, limits = network.view(Changes(drop=gone)), LIMITS.get(family, {})
    seen = called(view.module, network)
    found = view.logits(IDS)
    for site in network.sites:
        for token in reached(seen[site.router], site.layer.experts):
            assert token <= set(kept[site.layer.index])
    assert found.isfinite().all() and not torch.allclose(found, logits(model), atol=1e-3)
    if "drop" in limits:
        assert network.refusal(Changes(drop=network.units[:1]), network.config.layers) == limits["drop"]
    layer = network.routed_layers[-1]
    refused = network.refusal(Changes(drop=layer.units[layer.top_k - 1 :]), network.config.layers)
    assert refused is not None and refused.startswith(f"layer {layer.name[1:]} needs")
    assert network.refusal(Changes(drop=layer.units[:1]), network.config.layers) is None
    if sentence := limits.get("slice"):
        with pytest.raises(ValueError) as error:
            view.sliced()
        assert str(error.value) == sentence
        model.save_pretrained(tmp_path / family)
        check_close(open_folder(tmp_path / family).logits(IDS), logits(model))
        return
    check_close(found, logits(sliced(model, family, kept)))
    own = view.sliced()
    assert own.units == own.all_units and len(own.units) == len(view.units)
    check_close(own.logits(IDS), found)
    check_close(open_folder(own.save(tmp_path / family)).logits(IDS), found)


def test_muting_leaves_out_what_experts_add(family: str, model: PreTrainedModel, network: TransformersNetwork) -> None:
    """Beside a model in which the last matrix of these experts is 0; an identity has none."""
    gone = [layer.units[e] for layer in network.routed_layers for e in (layer.index % 3, 3)]
    silent = copy.deepcopy(model)
    for site in network.sites:
        beside = silent.get_submodule(site.router.rpartition(".")[0])
        for name, parameter in beside.named_parameters():
            last = "down_proj" in name or "output_linear" in name
            stacked = last and (parameter.dim() > 2 or name.endswith("down_proj_bias"))
            if (stacked and "shared" not in name) or name.endswith("mlp.w2"):  # Dbrx puts matrices below each other
                rows = parameter if stacked else parameter.unflatten(0, (6, -1))
                for e, unit in enumerate(site.layer.units):
                    if unit in gone and e < len(rows):
                        rows[e] = 0
    view = network.view(Changes(mute=tuple(gone)))
    with view.capture(("top_experts",)) as captured:
        found = view.logits(IDS)
    check_close(found, logits(silent))
    assert not torch.allclose(found, logits(model), atol=1e-3)
    with network.capture(("top_experts",)) as before:
        network.logits(IDS)
    assert torch.equal(before["top_experts"][0][1], captured["top_experts"][0][1]), "they are chosen as before"


def test_means_and_another_number_of_experts_are_literal_or_refused(
    family: str, model: PreTrainedModel, network: TransformersNetwork
) -> None:
    """A mean takes the place of what an expert adds; another top-k is that of the config."""
    limits = LIMITS.get(family, {})
    assert network.replaceable == ("mean" not in limits)
    if network.replaceable:
        last = network.config.layers - 1
        unit, view = network.routed_layers[last].units[2], network.view(Changes())
        with view.replacing({(last, unit): torch.zeros(16)}, network.config.layers):
            found = view.logits(IDS)
        check_close(found, network.view(Changes(mute=(unit,))).logits(IDS))
        with view.replacing({(last, unit): torch.arange(16) / 16}, network.config.layers):
            assert not torch.allclose(view.logits(IDS), found, atol=1e-3)
    else:
        change = Intervention(mean=network.units[:1])
        with pytest.raises(InterventionError, match=re.escape(limits["mean"])):
            record(network, TEXTS, intervention=change, reference=load("sums", "validation", limit=2))
    if sentence := limits.get("top_k"):
        with pytest.raises(InterventionError, match=sentence):
            Intervention(top_k=3).validate(network)
        return
    if family == "zaya":  # its config refuses more than one
        other = copy.deepcopy(model)
        for site in network.sites:
            vars(other.get_submodule(site.router))["top_k"] = 3
    else:
        other = model_of(family, top_k=3)
        other.load_state_dict(model.state_dict())
    usual = network.routed_layers[0].top_k
    torch.testing.assert_close(network.view(Changes(top_k=3)).logits(IDS), logits(other), atol=1e-6, rtol=1e-6)
    assert network.view(Changes(top_k=3)).view(Changes(top_k=usual)).logits(IDS).equal(logits(model))


@pytest.mark.parametrize("family", KINDS)
def test_views_at_once_give_what_they_give_one_after_the_other(family: str) -> None:
    network = from_transformers(model_of(family))
    gone, _ = dropping(family, network)
    views = [network.view(Changes(drop=gone)), network.view(Changes(mute=gone)), network.view(Changes())]
    alone = [view.logits(IDS) for view in views]
    found: dict[int, list[Tensor]] = {}

    def ask(number: int) -> None:
        found[number] = [views[number].logits(IDS) for _ in range(3)]

    threads = [threading.Thread(target=ask, args=(number,)) for number in range(3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    for number, expected in enumerate(alone):
        assert all(torch.equal(each, expected) for each in found[number])


def test_only_equal_layers_without_muted_experts_can_be_a_model_of_its_own(tmp_path: Path) -> None:
    network = from_transformers(model_of("olmoe"))
    view = network.view(Changes(drop=("l1.e1",)))
    with pytest.raises(ValueError, match="one number of experts for all layers: leave 5 in each, or 6"):
        view.sliced()
    with pytest.raises(ValueError, match="muted experts have weights"):
        network.view(Changes(mute=("l1.e1",))).sliced()
    with pytest.raises(ValueError, match="save what sliced"):
        view.save(tmp_path)


@pytest.mark.parametrize("family", ["deepseek_v2", "deepseek_v3"])
def test_groups_that_a_token_could_not_choose_from_are_refused(family: str) -> None:
    """DeepSeek-V3 never takes a group with one expert; DeepSeek-V2 would, and find no second one."""
    network = from_transformers(model_of(family))
    layer, (first, *_) = network.routed_layers[0], network.steps
    two, other = layer.units[:2], layer.units[3:5]
    refused = network.refusal(Changes(drop=two), network.config.layers)
    if family == "deepseek_v2":
        assert refused == f"layer {first[1:]} needs 2 experts left in whichever 1 of its 2 groups a token takes"
        return
    assert refused is None
    refused = network.refusal(Changes(drop=(*two, *other)), network.config.layers)
    assert refused == f"layer {first[1:]} needs 1 of its 2 groups with 2 or more experts left in each"
    view = network.view(Changes(drop=two))
    with view.capture(("top_experts",)) as captured:
        view.logits(IDS)
    assert set(captured["top_experts"][0][1].flatten().tolist()) <= {3, 4, 5}


@pytest.mark.parametrize(
    ("family", "names", "note"),
    [
        ("olmoe", ("l1", "l2"), None),
        ("jetmoe", ("l1a", "l1b", "l2a", "l2b"), None),
        ("jamba", ("l2", "l4"), None),
        ("deepseek_v3", ("l2", "l3"), None),
        ("deepseek_v4", ("l1", "l2"), "l1: its router assigns experts by token id, so that experts are fixed and"),
        ("longcat_flash", ("l1", "l2"), "l1.e5, l1.e6 have no weights (identities): dropping them saves nothing"),
        ("zaya", ("l1", "l2"), "l1: a token can skip all experts, which is shown as no expert"),
    ],
)
def test_layers_have_the_models_numbers_and_a_note_where_experts_are_fixed_empty_or_skipped(
    family: str, names: tuple[str, ...], note: str | None
) -> None:
    network = from_transformers(model_of(family))
    assert network.steps == names and (note or "") in network.attributes().get("routing_notes", "")
    assert (note is None) == ("routing_notes" not in network.attributes())


def test_fixed_experts_are_those_of_the_token_id() -> None:
    model = model_of("deepseek_v4")
    network = from_transformers(model)
    with network.capture(("top_experts",)) as captured:
        network.logits(IDS)
    table = model.get_submodule(network.sites[0].router).tid2eid
    assert torch.equal(captured["top_experts"][0][1].sort(dim=-1).values, table[IDS].sort(dim=-1).values)


@pytest.mark.parametrize(("experts", "width"), [(6, 6), (8, 8), (16, 8), (6, 7)])
def test_logits_are_the_last_product_before_the_choice(experts: int, width: int) -> None:
    """Zaya projects tokens to a few features before it scores experts and a skip: no such width is taken for logits."""
    model = model_of("zaya", experts=experts, router_hidden_size=width)
    for name, tensor in (*model.named_parameters(), *model.named_buffers()):
        tensor.mul_(0.1 if name.endswith("balancing_biases") else 4 if name.endswith("out_proj.weight") else 1)
        if name.endswith("balancing_biases"):
            tensor[-1] = 0.3
    network = from_transformers(model)
    assert [layer.experts for layer in network.routed_layers] == [experts] * 2
    router = model.get_submodule(network.sites[1].router)
    seen: list[Tensor] = []
    router.router_mlp.register_forward_hook(lambda _, __, out: seen.append(out))
    logits(model)
    with network.capture(("router_logits", "top_experts")) as captured:
        network.logits(IDS)
    recorded = captured["router_logits"][1][1].permute(1, 2, 0)
    assert torch.equal(recorded, seen[0][..., :experts])
    chosen = (seen[0].softmax(dim=-1) + router.balancing_biases).argmax(dim=-1)
    expected = chosen.masked_fill(chosen == experts, NO_EXPERT)
    assert torch.equal(captured["top_experts"][1][1].squeeze(-1), expected)
    skips = expected == NO_EXPERT
    assert skips.any() and not skips.all(), "some tokens skip the layer"
