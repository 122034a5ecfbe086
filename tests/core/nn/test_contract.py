"""The contract of ``routescope.nn.network``, over every registered network: a new one is tested by being registered."""

import copy
import json
import re
from collections.abc import Callable
from dataclasses import FrozenInstanceError, fields, is_dataclass
from functools import partial
from pathlib import Path
from typing import Any

import pytest
import torch
from torch import nn

import routescope.nn
from routescope.data.kinds.kind import kind_of
from routescope.nn.config import Config
from routescope.nn.inputs.kind import Inputs, OneTensor
from routescope.nn.inputs.statements import Statements
from routescope.nn.inputs.text import Text
from routescope.nn.mixture.routed import RoutedNetwork
from routescope.nn.network import (
    AdaptableNetwork,
    BalancedNetwork,
    Changes,
    DesignedNetwork,
    ExtensibleNetwork,
    LinkedNetwork,
    Network,
    RedrawableNetwork,
    ReroutableNetwork,
    SliceableNetwork,
)
from routescope.nn.probe import probes_of
from routescope.nn.registry import ARCHITECTURES, architecture_of
from routescope.routing import Intervention, record
from routescope.zoo import checkpoint
from tests.core.routing.small import CIRCUITS, UNITLESS, blocks, reads_blocks

NAMES = sorted(ARCHITECTURES)
#: Default sizes that are too large for a test; a new architecture has its own.
CIRCUIT = {"features": 24, "code_features": 24, "modules": 10, "readouts": 4, "layers": 3, "ffn_hidden": 32}
CONDITIONAL = {**CIRCUIT, "generator_features": 24, "generator_hidden": 20, "image_size": 16, "words": ("a", "star")}
#: Axes along which places are left empty where a level has fewer blocks than the largest.
BLOCKS = ("source", "block")
SMALLER: dict[str, dict[str, Any]] = {
    "neural_attentive_circuit": CIRCUIT,
    "perceiver_io": CIRCUIT,
    "conditional_nac": CONDITIONAL,
    "statement_perceiver_io": CONDITIONAL,
    "matrix_interpreter": {"features": 24, "code_features": 24, "iterations": 2, "functions": 3, "image_size": 16},
    "matrix_transformer": {"features": 24, "layers": 2, "ffn_hidden": 20, "image_size": 16},
    "neural_interpreter": {"features": 24, "code_features": 24, "iterations": 2, "functions": 3, "image_size": 16},
    "vision_transformer": {"features": 24, "layers": 2, "ffn_hidden": 20, "image_size": 16},
    "mixture": {"features": 24, "layers": 2, "hidden": 12, "context": 40},
    "wren": {"features": 24, "hidden": 20, "relation_features": 16, "image_size": 16},
}


#: Architecture -> the beginning of the names of parameters on which no answer depends.
UNREACHED: dict[str, tuple[str, ...]] = {
    **dict.fromkeys(CIRCUITS, ("confidence.bias",)),
    "vision_transformer": ("layers.1.position",),
}


def test_every_network_below_the_package_is_found() -> None:
    """Wherever its module lies: nobody keeps a list of folders."""
    sources = [path.read_text() for path in Path(routescope.nn.__path__[0]).rglob("*.py")]
    registered = {name for source in sources for name in re.findall(r'^@register\("(\w+)"', source, re.MULTILINE)}
    assert len(registered) >= len(SMALLER)
    assert registered <= set(NAMES)


@pytest.fixture(scope="module", params=NAMES)
def name(request: pytest.FixtureRequest) -> str:
    return request.param


@pytest.fixture(scope="module")
def model(name: str) -> Any:
    """The architecture with its default config, or smaller, in evaluation mode."""
    config_class, model_class, _ = ARCHITECTURES[name]
    torch.manual_seed(0)
    return model_class(config_class(**SMALLER.get(name, {}))).eval()


def samples(model: Network, count: int) -> Inputs:
    """Random inputs of the model's kind, no two alike; the examples of a kind that another package brings."""
    if reads_blocks(model):
        return blocks(model, count, seed=1)
    example, generator = model.example(count), torch.Generator().manual_seed(1)
    if isinstance(example, Text):
        return Text(tuple("a text of other bytes"[row:] for row in range(count)))
    if isinstance(example, Statements):
        sentences = ("A star.", "A starfish and a star.", "Star", "A. A. A. A.", "", "no star is there")
        return Statements(torch.rand(example.images.shape, generator=generator), sentences[:count])
    if not isinstance(example, OneTensor):  # of another package
        return example
    return type(example)(torch.rand(example.values.shape, generator=generator))


@pytest.fixture(scope="module")
def batch(model: Network) -> Inputs:
    """Two samples of as many tokens."""
    return model.example(2) if isinstance(model, RoutedNetwork) else samples(model, 2)


def test_each_names_itself_its_units_and_its_steps(name: str, model: Any) -> None:
    assert name.isidentifier() and isinstance(model, Network)
    assert (model.architecture, model.identity.architecture, bool(model.family)) == (name, name, True)
    assert architecture_of(model) == name
    with pytest.raises(KeyError, match=name):
        architecture_of(nn.Linear(1, 1))
    for names in (model.units, model.all_units, model.steps, model.tokens, tuple(probes_of(model))):
        assert names or (names is model.units and name in UNITLESS)
        assert isinstance(names, tuple) and len(set(names)) == len(names)
        assert all(isinstance(each, str) and each.strip() == each and each for each in names)
    assert model.units == model.all_units
    text = repr(model)
    assert len(text) <= 500 and f"parameters={sum(each.numel() for each in model.parameters())}" in text


def test_the_config_is_frozen_plain_data_and_survives_json(name: str, model: Any) -> None:
    config = model.config
    assert is_dataclass(config)
    assert isinstance(config, Config)
    with pytest.raises(FrozenInstanceError):
        setattr(config, fields(config)[0].name, None)
    text = config.to_json()
    again = type(config).from_json(text)
    assert again == config
    assert again.to_json() == text
    assert set(json.loads(text)) == {field.name for field in fields(config)}
    assert type(config).from_json("{}") == type(config)(), "missing fields are defaults"
    with pytest.raises((TypeError, ValueError)):
        type(config).from_json('{"no such field": 1}')


def test_a_kept_view_is_sliced_and_shares_its_parameters(model: Any, batch: Any) -> None:
    kept = model.units[::2]
    view = model.keep(kept)
    assert (view.units, view.all_units, model.units) == (kept, model.units, model.all_units)
    assert {id(p) for p in view.parameters()} == {id(p) for p in model.parameters()}
    assert set(probes_of(view)) == set(probes_of(model))
    assert not set(map(id, probes_of(view).values())) & set(map(id, probes_of(model).values()))
    with torch.no_grad():
        before = model(batch)
        assert torch.equal(view(batch), before) == (kept == model.units)
        assert torch.equal(model.keep(model.units)(batch), before) and torch.equal(model(batch), before)


def test_views_of_views_compose_and_unknown_units_are_refused_with_the_names_there_are(
    model: Network, batch: Inputs
) -> None:
    for verb in (model.keep, model.mute):
        with pytest.raises(ValueError, match="no such.*this model has"):
            verb(["no such"])
    if len(model.units) < 3:
        return
    first, second, *_ = model.units
    view = model.keep(model.units[::-1]).mute([first, second]).keep(model.units[1:])
    assert (view.units, view.muted) == (model.units[1:], (second,))
    assert view.mute([model.units[2]]).muted == model.units[1:3]
    with torch.no_grad():
        assert torch.equal(view(batch), model.view(Changes(drop=(first,), mute=(second,)))(batch))
    for verb in (view.keep, view.mute):
        with pytest.raises(ValueError, match=f"{first}; this model has {second}"):
            verb([first])


def test_samples_do_not_influence_each_other_in_any_chunk(model: Network, monkeypatch: pytest.MonkeyPatch) -> None:
    inputs = samples(model, 5)
    with torch.no_grad():
        monkeypatch.setattr(type(model), "chunk_tokens", 10**6)
        whole = model(inputs)
        for chunk in (1, 2 * len(model.tokens), 3 * len(model.tokens) - 1):
            monkeypatch.setattr(type(model), "chunk_tokens", chunk)
            torch.testing.assert_close(model(inputs), whole, rtol=1e-4, atol=1e-5)
        for row in range(5):
            alone = model(inputs[[row]])[0]
            torch.testing.assert_close(alone, whole[row, ..., : alone.shape[-1]], rtol=1e-4, atol=1e-5)
        if type(model).__module__.startswith("routescope."):
            assert not torch.allclose(whole[:4], whole[1:], rtol=1e-4, atol=1e-5), "samples matter"
        if not isinstance(model, RoutedNetwork):
            assert model(inputs[[]]).shape == (0, *whole.shape[1:])


def test_no_mode_leaves_anything_behind(model: Network, batch: Inputs) -> None:
    """A run without gradients, in bfloat16 or in double precision changes no bit of the next plain run."""
    fresh, reduced = copy.deepcopy(model), partial(torch.autocast, "cpu", dtype=torch.bfloat16)
    with torch.no_grad():
        plain = model(batch)
        with reduced():
            low = model(batch)
            assert torch.equal(model(batch), low) and torch.equal(fresh(batch), low), "depends on what ran before"
        assert torch.equal(model(batch), plain)
        if isinstance(batch, OneTensor) and not isinstance(model, RoutedNetwork):
            double = fresh.double()(type(batch)(batch.values.double()))
            assert double.dtype == torch.float64
            torch.testing.assert_close(double.float(), plain, rtol=1e-3, atol=1e-4)
            assert torch.equal(fresh.float()(batch), plain)
    with torch.inference_mode():
        inside = copy.deepcopy(model)
        outputs = [model(batch), inside(batch), inside(batch)]
    outputs.append(model(batch))
    assert outputs[-1].requires_grad
    for output in outputs:  # PyTorch's own attention rounds otherwise where nothing learns
        torch.testing.assert_close(output, plain, rtol=1e-4, atol=1e-5)


def in_place(model: Network) -> None:
    with torch.no_grad():
        for parameter in model.parameters():
            parameter.mul_(0.5).add_(0.01)


def load(model: Network) -> None:
    state = {name: 1.5 * value for name, value in model.state_dict().items() if value.is_floating_point()}
    model.load_state_dict(state, strict=False)


def data(model: Network) -> None:
    for parameter in model.parameters():
        parameter.data = parameter.data * 2


def replaced(model: Network) -> None:
    for module in model.modules():
        for name, parameter in list(module.named_parameters(recurse=False)):
            setattr(module, name, nn.Parameter(1.5 * parameter.detach() + 0.01))


@pytest.mark.parametrize("change", [in_place, load, data, replaced])
def test_answers_follow_every_change_of_parameters(
    model: Network, batch: Inputs, change: Callable[[Network], None]
) -> None:
    """What was prepared, and converted for autocast, before the change is not used after it; nor by a view."""
    changed = copy.deepcopy(model).requires_grad_(True)
    view = changed.keep(changed.units[1:])

    def answers(network: Network, of_view: Network) -> list[torch.Tensor]:
        outputs = []
        with torch.no_grad():
            for low in (False, True):
                with torch.autocast("cpu", dtype=torch.bfloat16, enabled=low):
                    outputs += [network(batch), *([of_view(batch)] if change is not replaced else [])]
        return outputs

    before = answers(changed, view)
    change(changed)
    fresh = copy.deepcopy(model)
    fresh.load_state_dict(changed.state_dict())
    for old, new, wanted in zip(before, answers(changed, view), answers(fresh, fresh.keep(view.units)), strict=True):
        assert torch.equal(new, wanted) and not torch.equal(new, old)


def test_a_change_of_any_one_parameter_is_followed(name: str, model: Network, batch: Inputs) -> None:
    changed = copy.deepcopy(model)
    with torch.no_grad():
        before = changed(batch)
        for parameter_name, parameter in changed.named_parameters():
            parameter.mul_(0.5).add_(0.01)
            after = changed(batch)
            assert not torch.equal(after, before) or parameter_name.startswith(UNREACHED.get(name, ("none",)))
            before = after


def test_every_field_can_be_recorded_at_every_step(model: Any, batch: Any) -> None:
    names = tuple(probes_of(model))
    trace = record(model, batch, only=names, intervention=Intervention(drop=model.units[:1]))
    for field in names:
        assert trace[field].sizes["sample"] == len(batch)
        along = probes_of(model)[field].along
        if along is None:
            assert not {"step", "layer"} & set(trace[field].dims)
        else:
            names_along = model.steps if along == "step" else model.along(along, model.config.iterations)
            assert tuple(trace[field][along].values) == tuple(names_along)
        known = trace[field].notnull()
        if field == "contributions" and "token" in trace[field].dims:  # of the last step only those that are read
            known = known.isel(step=slice(-1))
            assert trace[field].isel(step=-1, token=slice(len(model.config.domains))).notnull().all()
        if set(BLOCKS) & set(known.dims):  # levels are of different sizes, and blocks are dropped
            assert not known.all() or not model.units
            known = known.any([axis for axis in (*BLOCKS, "feature") if axis in known.dims])
        assert known.all()
    with torch.no_grad():
        logits = model.keep(model.units[1:])(batch)
    assert torch.equal(torch.from_numpy(trace[model.answer_name].values), logits)


def test_weights_survive_safetensors(name: str, model: Any, batch: Any, tmp_path: Path) -> None:
    path = checkpoint.save(model, tmp_path / "folder" / "model.safetensors", {"note": {"seeds": [0]}})
    again = checkpoint.load(path)
    assert type(again) is type(model)
    assert again.config == model.config
    assert not again.training
    assert not any(p.requires_grad for p in again.parameters())
    ours, theirs = model.state_dict(), again.state_dict()
    assert ours.keys() == theirs.keys()
    assert all(torch.equal(ours[key], theirs[key]) and ours[key].dtype == theirs[key].dtype for key in ours)
    fixed = copy.deepcopy(model).requires_grad_(False)  # PyTorch's own attention rounds otherwise where nothing learns
    with torch.no_grad():
        assert torch.equal(again(batch), fixed(batch))
    assert [file.name for file in path.parent.iterdir()] == [path.name], "nothing else is left in the folder"
    other = copy.deepcopy(model)
    with torch.no_grad():
        next(other.parameters()).add_(1)
    assert checkpoint.load(checkpoint.save(other, tmp_path / "other.safetensors")).revision != again.revision
    assert checkpoint.load(path).revision == again.revision


def test_examples_are_of_its_kind_and_views_of_nothing_change_nothing(model: Network) -> None:
    assert model.inputs in model.kinds and model.inputs.kind and model.inputs.words
    example, bounds = model.example(3), model.bounds
    assert isinstance(example, model.inputs) and len(example) == 3
    assert len(example[[2, 0]]) == 2 and len(example[1:]) == 2
    assert [len(part) for part in example.split(2)] == [2, 1] and type(example.to("cpu")) is type(example)
    table = kind_of(example).table(example)
    assert table.rows and all(len(row) == len(table.columns) for row in table.rows)
    tokens = model.tokens_of(example)
    assert set(tokens.names) <= set(model.tokens)
    assert tokens.mask is None or tokens.mask.shape == (3, len(tokens.names))
    assert bounds.least <= bounds.default and (bounds.most is None or bounds.default <= bounds.most)
    with torch.no_grad():
        plain = model(example)
        assert torch.equal(model.view(Changes())(example), plain)
        assert torch.equal(model(example, iterations=bounds.default), plain)
    assert model.refusal(Changes(), bounds.default) is None


def test_answers_have_an_axis_of_heads_that_are_named_and_measured(model: Network) -> None:
    with torch.no_grad():
        out = model(model.example(2))
    heads = model.all_heads
    assert len(model.answer_axes) == out.dim() and model.answer_axes[:2] == ("sample", "domain")
    assert out.shape[:2] == (2, len(heads)) and out.isfinite().all()
    assert tuple(head.domain for head in heads) == model.config.domains
    for place, head in enumerate(heads):
        assert model.head_of(head.domain) == place
        assert head.measure.name and isinstance(head.measure.higher_is_better, bool)
        assert model.answer_axes[-1] != "label" or len(head.labels) <= out.shape[-1]
    with pytest.raises(ValueError, match="no head for 'elsewhere'"):
        model.head_of("elsewhere")


def test_groups_joined_are_all_units_and_steps_say_who_computes(model: Network) -> None:
    assert tuple(unit for units in model.groups.values() for unit in units) == model.all_units
    for view in (model, model.view(Changes(drop=model.units[:1]))):
        steps = view.steps_of(model.config.iterations)
        assert tuple(step.name for step in steps) == model.steps
        assert all(set(step.computing) <= set(model.groups[step.group]) & set(view.units) for step in steps)
    computed = {unit for step in model.steps_of(model.config.iterations) for unit in step.computing}
    assert computed == set(model.units)


def test_gradients_reach_every_parameter_that_learns(name: str, model: Network) -> None:
    learning = copy.deepcopy(model).train()
    learning(samples(model, 4)).square().sum().backward()
    for parameter_name, parameter in learning.named_parameters():
        assert (parameter.grad is not None) == parameter.requires_grad, parameter_name
        if parameter.grad is not None and not parameter_name.startswith(UNREACHED.get(name, ("none",))):
            assert parameter.grad.isfinite().all() and parameter.grad.any(), parameter_name


def test_a_facet_is_there_or_none_and_its_views_share_parameters(model: Network) -> None:
    parameters = {id(p) for p in model.parameters()}
    if isinstance(model, LinkedNetwork) and model.has_links:
        view: Network = model.cut(0.5)
        assert {id(p) for p in view.parameters()} == parameters
        assert model.connectivity().shape == (len(model.all_units),)
    else:
        with pytest.raises(ValueError, match="link"):
            model.view(Changes(keep_edges=0.5))
    if isinstance(model, ReroutableNetwork):
        source, block = model.levels[0][0], model.levels[1][0]
        view = model.reroute((f"{source}>{block}",), (), ())
        assert {id(p) for p in view.parameters()} == parameters
    else:
        with pytest.raises(ValueError, match="routes no blocks"):
            model.view(Changes(mute_routes=("A>1.1",)))
    if isinstance(model, RedrawableNetwork):
        drawn = model.with_initial_routing(1)
        assert not {id(p) for p in drawn.parameters()} & parameters
    if isinstance(model, DesignedNetwork):
        design = model.design(["A star."])
        assert len(model.link_probability(design)) == 1


def test_other_domains_get_heads_and_all_else_stays_as_it_was_learned(model: Network) -> None:
    if not isinstance(model, AdaptableNetwork):
        return
    torch.manual_seed(7)
    own = model.with_heads(("elsewhere", "nowhere"), 3)
    assert type(own) is type(model) and own.config.domains == ("elsewhere", "nowhere") and own.config.classes == 3
    assert [len(head.labels) for head in own.all_heads] == [3, 3] and own.revision == ""
    assert not {id(p) for p in own.parameters()} & {id(p) for p in model.parameters()}
    assert own.training == model.training and any(p.requires_grad for p in own.parameters())
    with torch.no_grad():
        assert own(own.example(2)).shape[:2] == (2, 2)
    ours, theirs = own.parts(), model.parts()
    assert ours.keys() == theirs.keys() and "heads" in ours
    every = [id(p) for parameters in ours.values() for p in parameters]
    assert sorted(every) == sorted(id(p) for p in own.parameters()), "each in one part"
    for part in set(ours) - {"cls", "heads"}:
        assert all(torch.equal(a, b) for a, b in zip(ours[part], theirs[part], strict=True)), part
    assert not any(torch.equal(a, b) for a, b in zip(ours.get("cls", ()), theirs.get("cls", ()), strict=True))
    torch.manual_seed(7)
    again = model.with_heads(("elsewhere", "nowhere"), 3).state_dict()
    assert all(torch.equal(value, again[name]) for name, value in own.state_dict().items()), "drawn from the generator"
    view = model.keep(model.units[1:])
    if view.units != model.units:
        assert view.with_heads(("elsewhere",), 3).units == view.units


def test_functions_are_added_and_drawn_anew(model: Network) -> None:
    if not isinstance(model, ExtensibleNetwork):
        return
    wider = model.add_functions(2)
    assert len(wider.all_units) > len(model.all_units) and wider.all_units[: len(model.units)] != ()
    drawn = model.with_initial_functions(1)
    assert not {id(p) for p in drawn.parameters()} & {id(p) for p in model.parameters()}
    state, own = drawn.state_dict(), model.state_dict()
    moved = {name.rsplit(".", 1)[-1] for name, value in state.items() if not torch.equal(value, own[name])}
    assert moved == {"signatures", "codes"}
    assert torch.equal(drawn(model.example(1)), model.with_initial_functions(1)(model.example(1)))


def test_an_auxiliary_loss_is_a_number_that_reaches_every_router(model: Network) -> None:
    if not isinstance(model, BalancedNetwork):
        return
    learning = copy.deepcopy(model).requires_grad_(True)
    example = learning.example(2)
    loss, routers = learning.auxiliary_loss(example), learning.routers()
    assert loss.shape == () and loss.isfinite() and float(loss.detach()) > 0
    assert torch.equal(learning.auxiliary_loss(example), loss)
    assert routers and set(routers) <= set(learning.steps)
    own = {id(parameter) for parameter in learning.parameters()}
    assert {id(parameter) for parameters in routers.values() for parameter in parameters} <= own
    loss.backward()
    for step, parameters in routers.items():
        gradients = [parameter.grad for parameter in parameters]
        assert all(gradient is None or gradient.isfinite().all() for gradient in gradients), step
        assert any(gradient is not None and gradient.any() for gradient in gradients), step


def test_a_sliced_network_answers_as_the_view_whose_units_it_has(model: Network) -> None:
    if not isinstance(model, SliceableNetwork):
        return
    gone = tuple(units[0] for units in model.groups.values())
    view = model.view(Changes(drop=gone))
    assert isinstance(view, SliceableNetwork)
    sliced, example = view.sliced(), model.example(2)
    assert type(sliced) is type(model)
    assert len(sliced.all_units) == len(model.all_units) - len(gone)
    assert [len(units) + 1 for units in sliced.groups.values()] == [len(units) for units in model.groups.values()]
    sizes = [sum(parameter.numel() for parameter in each.parameters()) for each in (sliced, model)]
    assert sizes[0] < sizes[1], "the weights of the others are left out"
    with torch.no_grad():
        torch.testing.assert_close(sliced(example), view(example), rtol=1e-5, atol=1e-6)
        assert not torch.allclose(sliced(example), model(example), rtol=1e-5, atol=1e-6), "the units mattered"
    assert model.units == model.all_units, "the model itself is untouched"


#: Architecture -> what its units are, and its abilities.
UNITS = {
    "neural_interpreter": "function", "matrix_interpreter": "function", "mixture": "expert", "transformers": "expert",
    "neural_attentive_circuit": "module", "perceiver_io": "module", "conditional_nac": "module",
    "statement_perceiver_io": "module", "smfr": "block", "block_fnn": "block", "block_transformer": "block",
    "vision_transformer": "layer", "matrix_transformer": "layer", "wren": "layer",
}  # fmt: skip
ABILITIES = {
    LinkedNetwork: {"neural_attentive_circuit", "conditional_nac"},
    DesignedNetwork: {"conditional_nac"},
    ReroutableNetwork: {"smfr"},
    BalancedNetwork: {"mixture"},
    SliceableNetwork: {"mixture", "transformers"},
    RedrawableNetwork: {"neural_interpreter", "matrix_interpreter"},
    ExtensibleNetwork: {"neural_interpreter", "matrix_interpreter"},
    AdaptableNetwork: {"neural_interpreter", "vision_transformer", "neural_attentive_circuit", "perceiver_io"},
    RoutedNetwork: {"mixture", "transformers"},
}


def test_a_network_says_what_its_units_are_and_what_it_can_do(name: str, model: Network) -> None:
    """So that none is told what happens to another family, and no test above is about nothing."""
    assert name not in UNITS or model.unit_kind == UNITS[name]
    for ability, names in ABILITIES.items():
        has_it = isinstance(model, ability) and not (ability is LinkedNetwork and not model.has_links)  # type: ignore[attr-defined]
        assert has_it == (name in names), ability
