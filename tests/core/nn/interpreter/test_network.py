"""The Neural Interpreter against its literal oracle; its names, gradients, initial parameters and cost."""

from dataclasses import replace

import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st
from torch import Tensor
from torch.utils.flop_counter import FlopCounterMode

from routescope.nn.interpreter.network import NeuralInterpreter, NeuralInterpreterConfig
from tests.core.nn.networks import RESIDUALS, config, configs, images, network, tokens
from tests.oracles import neural_interpreter as oracle
from tests.oracles.mapping import ask_oracle, listening

# beartype picks the items that it looks at by chance, also while hypothesis draws a config
pytestmark = pytest.mark.filterwarnings("ignore:Do not use the `random` module inside strategies")
CLOSE = {"rtol": 1e-9, "atol": 1e-9}
few = settings(deadline=None, max_examples=15)
seeds = st.integers(0, 2**16)


def by_step(trace: list[list[oracle.Step]], field: str) -> Tensor:
    return torch.stack([getattr(step, field) for script in trace for step in script])


@pytest.mark.slow
@few
@given(configs(), seeds, st.none() | st.integers(0, 5))
@torch.no_grad()
def test_every_architecture_equals_the_oracle(
    settings_: NeuralInterpreterConfig, seed: int, iterations: int | None
) -> None:
    model = network(settings_, seed)
    x = tokens(model, seed=seed)
    theirs, trace = ask_oracle(model, x, iterations)
    with listening(model, "compatibility", "types", "states", "attention") as heard:
        ours = model.interpret(x, iterations)
    torch.testing.assert_close(ours, theirs, **CLOSE)
    steps = len(trace) * len(trace[0])
    assert all(sorted(heard[name]) == list(range(steps)) for name in heard)
    if steps:
        hear = {name: torch.stack([values[i] for i in range(steps)]) for name, values in heard.items()}
        torch.testing.assert_close(hear["compatibility"].transpose(1, 2), by_step(trace, "compatibility"), **CLOSE)
        torch.testing.assert_close(hear["types"], by_step(trace, "types"), **CLOSE)
        torch.testing.assert_close(hear["states"], by_step(trace, "output"), **CLOSE)
        attention = torch.stack([torch.stack(step.attention) for script in trace for step in script])
        # (step, loc, unit, sample, ...) in the network, (step, loc, sample, unit, ...) in the oracle
        torch.testing.assert_close(hear["attention"].transpose(2, 3), attention, **CLOSE)


@pytest.mark.parametrize(("residual", "position"), list(zip(RESIDUALS, ("shared", None, "modlin"), strict=True)))
def test_gradients_equal_those_of_the_oracle(residual: str, position: str | None) -> None:
    settings_ = config(residual=residual, relative_position=position, frozen_signatures=False, functions=3)
    model = network(settings_).train()
    x = tokens(model).requires_grad_()
    wanted = {name: parameter for name, parameter in model.named_parameters() if name.startswith("scripts.")}
    direction = torch.randn(x.shape, generator=torch.Generator().manual_seed(5), dtype=x.dtype)
    inputs = [x, *wanted.values()]
    ours = torch.autograd.grad((model.interpret(x) * direction).sum(), inputs)
    theirs = torch.autograd.grad((ask_oracle(model, x)[0] * direction).sum(), inputs)
    for name, one, other in zip(["x", *wanted], ours, theirs, strict=True):
        assert other.abs().max() > 0, f"nothing depends on {name}"
        scale = other.abs().max().item()
        torch.testing.assert_close(one, other, rtol=1e-8, atol=1e-9 * scale, msg=lambda m, n=name: f"{n}: {m}")


@pytest.mark.slow
@few
@given(configs(iterations=2), seeds, st.data())
def test_drop_and_mute_equal_the_masked_oracle(
    settings_: NeuralInterpreterConfig, seed: int, data: st.DataObject
) -> None:
    """Dropping removes signature and code, so C is renormalised; muting sets C to 0 afterwards."""
    model = network(settings_, seed)
    x = tokens(model, seed=seed)
    places = [(s, u) for s in range(settings_.scripts) for u in range(settings_.functions)]
    names = dict(zip(places, model.all_units, strict=True))
    drop = data.draw(st.sets(st.sampled_from(places)), label="drop")
    mute = data.draw(st.sets(st.sampled_from(places)), label="mute") - drop
    view = model.keep([names[p] for p in places if p not in drop]).mute([names[p] for p in mute])
    assert view.units == tuple(names[p] for p in places if p not in drop)
    assert view.all_units == model.all_units
    dropped = {s: tuple(u for t, u in drop if t == s) for s in range(settings_.scripts)}
    stay = {s: [u for u in range(settings_.functions) if u not in dropped[s]] for s in range(settings_.scripts)}
    muted = {s: tuple(stay[s].index(u) for t, u in mute if t == s) for s in range(settings_.scripts)}
    with torch.no_grad():
        torch.testing.assert_close(view.interpret(x), ask_oracle(model, x, drop=dropped, mute=muted)[0], **CLOSE)


@pytest.mark.slow
@few
@given(configs(), seeds)
def test_only_the_leading_tokens_gives_what_all_give(settings_: NeuralInterpreterConfig, seed: int) -> None:
    """The shortcut of the last step, where only the CLS tokens are needed, is exact."""
    model = network(replace(settings_, image_size=10), seed)  # 25 patches
    x = tokens(model, seed=seed)
    with torch.no_grad():
        everything = model.interpret(x)
        for outputs in (1, 2, 5, 15, 16, 17, x.shape[1]):
            torch.testing.assert_close(model.interpret(x, outputs=outputs), everything[:, :outputs], **CLOSE)


@pytest.mark.slow
@few
@given(configs(tokenizer="linear"), seeds)
def test_images_are_cut_row_by_row_and_each_head_reads_its_own_cls_token(
    settings_: NeuralInterpreterConfig, seed: int
) -> None:
    model = network(settings_, seed)
    batch = images(model, batch=3, seed=seed)
    size, (rows, columns) = settings_.patch_size, settings_.grid
    patches = [
        batch[:, :, r * size : (r + 1) * size, c * size : (c + 1) * size].flatten(1)
        for r in range(rows)
        for c in range(columns)
    ]
    assert model.tokenizer is not None
    with torch.no_grad():
        embedded = model.tokenizer.embed(torch.stack(patches, dim=1))
        x = torch.cat([model.cls.expand(3, -1, -1), embedded], dim=1)
        assert x.shape[1] == len(model.tokens)
        y, _ = ask_oracle(model, x)
        theirs = torch.stack([head(y[:, d]) for d, head in enumerate(model.heads)], dim=1)
        torch.testing.assert_close(model(batch), theirs, **CLOSE)


@pytest.mark.slow
@few
@given(configs(iterations=2), seeds, st.integers(1, 3), st.booleans())
def test_functions_are_added_to_every_script(
    settings_: NeuralInterpreterConfig, seed: int, count: int, drawn: bool
) -> None:
    model = network(settings_, seed)
    x, type_, code = tokens(model, seed=seed), settings_.type_features, settings_.code_features
    new = [(torch.randn(count, type_).double(), torch.randn(count, code).double()) for _ in model.scripts]
    wider = model.add_functions(count if drawn else new)
    assert len(wider.units) == len(model.units) + count * settings_.scripts and set(model.units) < set(wider.units)
    own = {name for name, p in wider.named_parameters() if all(p is not q for q in model.parameters())}
    assert own == {f"scripts.{s}.{name}" for s in range(settings_.scripts) for name in ("signatures", "codes")}
    for script, old, (signatures, codes) in zip(wider.scripts, model.scripts, new, strict=True):
        assert drawn or torch.equal(script.signatures, torch.cat([old.signatures, signatures]))
        assert drawn or torch.equal(script.codes, torch.cat([old.codes, codes]))
    with torch.no_grad():
        assert torch.equal(wider.keep(model.units).interpret(x), model.interpret(x))
        torch.testing.assert_close(wider.interpret(x), ask_oracle(wider, x)[0], **CLOSE)


@torch.no_grad()
def test_the_convolutional_tokenizer_keeps_rows_and_columns() -> None:
    """A lit patch moves the embedding of its own token."""
    model = network(config(tokenizer="convolutional", image_size=16, patch_size=4, features=12))
    assert model.config.grid == (4, 4)
    dark = torch.zeros(1, 3, 16, 16, dtype=torch.float64)
    base = model.tokenize(dark)[0, 2:]
    for place in range(16):
        r, c = divmod(place, 4)
        lit = dark.clone()
        lit[:, :, 4 * r + 1 : 4 * r + 4, 4 * c + 1 : 4 * c + 4] = 1.0  # a stride-2 kernel looks back, not ahead
        assert (model.tokenize(lit)[0, 2:] - base)[place].any() and model.tokens[2 + place] == f"patch:{r},{c}"


def test_units_steps_and_tokens_are_named() -> None:
    one = NeuralInterpreter(config(scripts=1, functions=3, iterations=2, image_size=4))
    assert (one.units, one.steps) == (("f1", "f2", "f3"), ("i1", "i2"))
    assert one.tokens == ("cls:here", "cls:there", "patch:0,0", "patch:0,1", "patch:1,0", "patch:1,1")
    two = NeuralInterpreter(config(scripts=2, functions=2, iterations=2))
    assert two.units == ("s1.f1", "s1.f2", "s2.f1", "s2.f2") and two.steps == ("s1.i1", "s1.i2", "s2.i1", "s2.i2")
    with pytest.raises(ValueError, match="0 or more"):
        two.interpret(torch.zeros(1, 2, 12), -1)


def test_table_4_has_about_as_many_parameters_as_printed() -> None:
    shared, modlin = (
        sum(p.numel() for p in NeuralInterpreter(NeuralInterpreterConfig(relative_position=position)).parameters())
        for position in ("shared", "modlin")
    )
    assert abs(shared / 6.43e5 - 1) < 0.03 and abs((modlin - shared) / 5e4 - 1) < 0.05


#: What each field freezes, as parts of parameters' names.
FROZEN = {
    "frozen_signatures": (".signatures",),
    "frozen_codes": (".codes",),
    "frozen_patch_embeddings": ("tokenizer.",),
    "frozen_type_inference": (".type_inference.", ".sigma"),
}


@pytest.mark.parametrize("frozen", [(), *([field] for field in FROZEN), tuple(FROZEN)], ids="+".join)
def test_gradients_reach_everything_but_what_is_frozen(frozen: tuple[str, ...]) -> None:
    settings_ = config(**{field: field in frozen for field in FROZEN}, relative_position="shared")
    model = network(settings_).train()
    model(images(model)).square().sum().backward()
    for name, parameter in model.named_parameters():
        if any(part in name for field in frozen for part in FROZEN[field]):
            assert parameter.grad is None, name
        else:
            assert parameter.grad is not None, name
            assert parameter.grad.abs().max() > 0, name


def test_signatures_start_as_standard_normals_and_sigma_as_one() -> None:
    torch.manual_seed(0)
    for script in NeuralInterpreter(config(functions=400, type_features=50)).scripts:
        assert abs(script.signatures.mean().item()) < 0.05 and abs(script.signatures.std().item() - 1) < 0.05
        assert script.sigma.shape == () and script.sigma.item() == 1.0


@pytest.mark.parametrize("tau", [0.7, 2.1])
def test_no_gradient_is_lost_or_infinite_where_nothing_matches(tau: float) -> None:
    model = network(config(tau=tau, frozen_signatures=False)).train()
    x = tokens(model, batch=6).requires_grad_()
    model.interpret(x).sum().backward()
    for name, parameter in [("x", x), *model.named_parameters()]:
        if parameter.grad is not None:
            assert parameter.grad.isfinite().all(), name


def flops(model: NeuralInterpreter, x: Tensor, outputs: int | None = None) -> int:
    with torch.no_grad():
        model.prepare()
        with FlopCounterMode(display=False) as counter:
            model.interpret(x, outputs=outputs)
    return counter.get_total_flops()


def test_dropped_and_muted_functions_and_unread_tokens_cost_nothing() -> None:
    model = network(config(scripts=1, functions=5, image_size=12))
    x = tokens(model)
    counts = [flops(model.keep(model.units[:n]), x) for n in range(6)]
    assert len({b - a for a, b in zip(counts[:-1], counts[1:], strict=True)}) == 1, "every function costs the same"
    assert counts[5] - counts[0] > 0.8 * counts[5] and counts[5] == flops(model, x)
    assert flops(model.mute(model.units[:4]), x) < counts[2], "muted functions do not compute either"
    last = network(config(scripts=1, iterations=1, locs=1, image_size=12))
    assert flops(last, x, 2) < 0.8 * flops(last, x)
