"""The Neural Interpreter against its literal oracle, and the checks of its specification."""

from dataclasses import replace

import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st
from torch import Tensor

from routescope.nn.interpreter.network import NeuralInterpreter, NeuralInterpreterConfig
from tests.core.nn.networks import RESIDUALS, config, configs, images, network, tokens
from tests.oracles import neural_interpreter as oracle
from tests.oracles.mapping import ask_oracle, listening

# beartype picks the items that it looks at by chance, also while hypothesis draws a config
pytestmark = pytest.mark.filterwarnings("ignore:Do not use the `random` module inside strategies")
CLOSE = {"rtol": 1e-9, "atol": 1e-9}
few = settings(deadline=None, max_examples=25)
seeds = st.integers(0, 2**16)


def by_step(trace: list[list[oracle.Step]], field: str) -> Tensor:
    return torch.stack([getattr(step, field) for script in trace for step in script])


# ------------------------------------------------------------------------------------------ against the oracle


@pytest.mark.slow
@few
@given(configs(), seeds)
def test_every_architecture_equals_the_oracle(settings_: NeuralInterpreterConfig, seed: int) -> None:
    model = network(settings_, seed)
    x = tokens(model, seed=seed)
    with torch.no_grad():
        theirs, trace = ask_oracle(model, x)
        with listening(model, "compatibility", "types", "states", "attention") as heard:
            ours = model.interpret(x)
    torch.testing.assert_close(ours, theirs, **CLOSE)
    steps = len(model.steps)
    assert all(sorted(heard[name]) == list(range(steps)) for name in heard)
    if steps:
        hear = {name: torch.stack([values[i] for i in range(steps)]) for name, values in heard.items()}
        torch.testing.assert_close(hear["compatibility"].transpose(1, 2), by_step(trace, "compatibility"), **CLOSE)
        torch.testing.assert_close(hear["types"], by_step(trace, "types"), **CLOSE)
        torch.testing.assert_close(hear["states"], by_step(trace, "output"), **CLOSE)
        attention = torch.stack([torch.stack(step.attention) for script in trace for step in script])
        # (step, loc, unit, sample, ...) in the network, (step, loc, sample, unit, ...) in the oracle
        torch.testing.assert_close(hear["attention"].transpose(2, 3), attention, **CLOSE)


@pytest.mark.parametrize("position", [None, "shared", "modlin"])
@pytest.mark.parametrize("residual", RESIDUALS)
def test_single_precision_is_within_one_in_ten_thousand(residual: str, position: str | None) -> None:
    model = network(config(residual=residual, relative_position=position))
    x = tokens(model, batch=3)
    with torch.no_grad():
        theirs, _ = ask_oracle(model, x)
        ours = model.float().interpret(x.float())
    error = (ours.double() - theirs).abs().max() / theirs.abs().max()
    print(f"{residual}, {position}: relative error {error:.1e}")
    assert error < 1e-4


@pytest.mark.parametrize("position", [None, "shared", "modlin"])
@pytest.mark.parametrize("residual", RESIDUALS)
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
        before = model.interpret(x)
        torch.testing.assert_close(view.interpret(x), ask_oracle(model, x, drop=dropped, mute=muted)[0], **CLOSE)
        assert torch.equal(model.interpret(x), before), "the view changed the model"


@pytest.mark.slow
@few
@given(configs(), st.integers(0, 6), seeds)
def test_any_number_of_iterations_runs(settings_: NeuralInterpreterConfig, iterations: int, seed: int) -> None:
    model = network(settings_, seed)
    x = tokens(model, seed=seed)
    with torch.no_grad():
        ours = model.interpret(x, iterations)
        torch.testing.assert_close(ours, ask_oracle(model, x, iterations)[0], **CLOSE)
        assert model(images(model), iterations).shape == (2, len(settings_.domains), settings_.classes)
    if iterations == 0:
        assert torch.equal(ours, x)


@pytest.mark.parametrize("iterations", [-1, -7])
def test_a_negative_number_of_iterations_is_refused(iterations: int) -> None:
    model = network(config())
    with pytest.raises(ValueError, match="0 or more"):
        model.interpret(tokens(model), iterations)


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


def test_units_and_steps_are_named_by_script_only_when_there_are_several() -> None:
    one = NeuralInterpreter(config(scripts=1, functions=3, iterations=2))
    assert one.units == one.all_units == ("f1", "f2", "f3")
    assert one.steps == ("i1", "i2")
    two = NeuralInterpreter(config(scripts=2, functions=2, iterations=2))
    assert two.units == ("s1.f1", "s1.f2", "s2.f1", "s2.f2")
    assert two.steps == ("s1.i1", "s1.i2", "s2.i1", "s2.i2")


def test_tokens_are_named_in_their_order() -> None:
    model = NeuralInterpreter(config(image_size=4, patch_size=2))
    assert model.tokens == ("cls:here", "cls:there", "patch:0,0", "patch:0,1", "patch:1,0", "patch:1,1")


def test_the_convolutional_tokenizer_keeps_rows_and_columns() -> None:
    """A lit patch moves the embedding of its own token most."""
    model = network(config(tokenizer="convolutional", image_size=16, patch_size=4, features=12))
    dark = torch.zeros(1, 3, 16, 16, dtype=torch.float64)
    rows, columns = model.config.grid
    assert (rows, columns) == (4, 4)
    with torch.no_grad():
        base = model.tokenize(dark)[:, len(model.config.domains) :]
        for r in range(rows):
            for c in range(columns):
                lit = dark.clone()
                # the last pixels of a patch: a stride-2 kernel looks back, not ahead
                lit[:, :, 4 * r + 1 : 4 * r + 4, 4 * c + 1 : 4 * c + 4] = 1.0
                moved = (model.tokenize(lit)[:, len(model.config.domains) :] - base).abs()
                assert model.tokens[2 + r * columns + c] == f"patch:{r},{c}"
                assert moved[0, r * columns + c].max() > 0


# --------------------------------------------------------------------------------------- what the paper promises


@pytest.mark.parametrize("position", [None, "shared", "modlin"])
@pytest.mark.parametrize("residual", ["printed", "passthrough"])
def test_with_no_compatibility_at_all_the_output_is_the_input(residual: str, position: str | None) -> None:
    model = network(config(residual=residual, relative_position=position, tau=-1.0))
    x = tokens(model)
    with torch.no_grad(), listening(model, "compatibility") as heard:
        y = model.interpret(x)
    assert all((c == 0).all() for c in heard["compatibility"].values())
    assert torch.equal(y, x)
    assert torch.equal(model.interpret(x), x), "with gradients on"


def test_without_the_outer_residual_unmatched_elements_become_zero() -> None:
    """What sets the authors' preset ("none") apart from the text."""
    model = network(config(residual="none", tau=-1.0))
    with torch.no_grad():
        assert (model.interpret(tokens(model)) == 0).all()


@pytest.mark.parametrize("residual", ["printed", "passthrough"])
def test_only_the_unmatched_elements_pass_unchanged(residual: str) -> None:
    model = network(config(residual=residual, scripts=1, iterations=1, tau=0.6))
    x = tokens(model, batch=8)
    with torch.no_grad(), listening(model, "compatibility") as heard:
        y = model.interpret(x)
    unmatched = (heard["compatibility"][0] == 0).all(dim=0)
    assert 0 < unmatched.sum() < unmatched.numel(), "the test needs both kinds of element"
    assert torch.equal(y[unmatched], x[unmatched])
    assert (y[~unmatched] != x[~unmatched]).any(dim=-1).all()


@pytest.mark.parametrize("residual", RESIDUALS)
def test_an_all_muted_network_passes_its_input(residual: str) -> None:
    model = network(config(residual=residual))
    x = tokens(model)
    expected = torch.zeros_like(x) if residual == "none" else x
    with torch.no_grad():
        for view in (model.mute(model.units), model.keep(())):
            assert torch.equal(view.interpret(x), expected)


def test_passthrough_is_the_preset_where_compatibilities_sum_to_one() -> None:
    """x + sum_u C_u (LOC(x) - x) = sum_u C_u LOC(x) when sum_u C_u = 1, up to eps."""
    weights = network(config()).state_dict()
    found = []
    for residual in ("passthrough", "none"):
        model = NeuralInterpreter(config(residual=residual, tau=2.1, eps=1e-12, iterations=1)).double().eval()
        model.load_state_dict(weights)
        with torch.no_grad():
            found.append(model.interpret(tokens(model)))
    torch.testing.assert_close(*found, rtol=1e-7, atol=1e-7)


@pytest.mark.slow
@few
@given(configs(relative_position=None, iterations=2), seeds, st.randoms(use_true_random=False))
def test_permuting_elements_permutes_outputs(settings_: NeuralInterpreterConfig, seed: int, random) -> None:
    model = network(settings_, seed)
    x = tokens(model, seed=seed)
    order = list(range(x.shape[1]))
    random.shuffle(order)
    with torch.no_grad():
        torch.testing.assert_close(model.interpret(x[:, order]), model.interpret(x)[:, order], **CLOSE)


def test_positions_do_break_that_symmetry() -> None:
    for form in ("shared", "modlin"):
        model = network(config(relative_position=form))
        x = tokens(model)
        order = [*range(len(model.config.domains)), *reversed(range(len(model.config.domains), x.shape[1]))]
        with torch.no_grad():
            assert not torch.allclose(model.interpret(x[:, order]), model.interpret(x)[:, order], atol=1e-4)


@pytest.mark.slow
@few
@given(configs(iterations=2), seeds, st.randoms(use_true_random=False))
def test_permuting_functions_changes_nothing(settings_: NeuralInterpreterConfig, seed: int, random) -> None:
    model = network(settings_, seed)
    x = tokens(model, seed=seed)
    with torch.no_grad():
        before = model.interpret(x)
        for script in model.scripts:
            order = list(range(settings_.functions))
            random.shuffle(order)
            script.signatures.copy_(script.signatures[order].clone())
            script.codes.copy_(script.codes[order].clone())
        torch.testing.assert_close(model.interpret(x), before, **CLOSE)


@pytest.mark.slow
@few
@given(configs(iterations=2), seeds, st.integers(1, 3))
def test_adding_then_dropping_functions_is_the_identity(
    settings_: NeuralInterpreterConfig, seed: int, count: int
) -> None:
    model = network(settings_, seed)
    x, batch = tokens(model, seed=seed), images(model, seed=seed)
    wider = model.add_functions(count)
    assert wider.config.functions == settings_.functions + count
    assert len(wider.units) == len(model.units) + count * settings_.scripts
    assert set(model.units) < set(wider.units)
    with torch.no_grad():
        back = wider.keep(model.units)
        assert torch.equal(back.interpret(x), model.interpret(x))
        assert torch.equal(back(batch), model(batch))
        torch.testing.assert_close(wider.interpret(x), ask_oracle(wider, x)[0], **CLOSE)
    assert model.config == settings_


def test_given_functions_are_appended_and_everything_else_is_shared() -> None:
    model = network(config(frozen_signatures=False))
    new = [(torch.randn(2, 5, dtype=torch.float64), torch.randn(2, 7, dtype=torch.float64)) for _ in model.scripts]
    wider = model.add_functions(new)
    for script, old, (signatures, codes) in zip(wider.scripts, model.scripts, new, strict=True):
        assert torch.equal(script.signatures, torch.cat([old.signatures, signatures]))
        assert torch.equal(script.codes, torch.cat([old.codes, codes]))
    own = {name for name, p in wider.named_parameters() if all(p is not q for q in model.parameters())}
    assert own == {f"scripts.{s}.{name}" for s in range(2) for name in ("signatures", "codes")}


@pytest.mark.parametrize("new", [[], [(torch.zeros(1, 5), torch.zeros(1, 7))], -1])
def test_functions_that_do_not_fit_are_refused(new: object) -> None:
    """One pair a script: too few, or a negative count, must not give a network that is silently wrong."""
    model = network(config())
    with pytest.raises((ValueError, IndexError, RuntimeError, TypeError)):
        model.add_functions(new)


def test_table_4_has_about_as_many_parameters_as_printed() -> None:
    def count(**changes: str) -> int:
        return sum(p.numel() for p in NeuralInterpreter(NeuralInterpreterConfig(**changes)).parameters())

    shared, modlin = count(), count(relative_position="modlin")
    print(f"Table 4: 643,000 printed, {shared:,} with shared and {modlin:,} with ModLin positions")
    assert abs(shared / 6.43e5 - 1) < 0.03
    assert abs((modlin - shared) / 5e4 - 1) < 0.05
