"""Known answers about recording and intervening, decided bit by bit.

A dead unit has no drop effect; dropping nothing and restoring are no change; recording changes no number and leaves
no hook behind, whatever happens; and a trace is never silently shorter than the model's own count of steps.
"""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from unittest import mock

import numpy as np
import pytest
import torch
import xarray as xr
from hypothesis import given, settings
from hypothesis import strategies as st
from torch import Tensor, nn

from routescope.nn.interpreter.network import NeuralInterpreter, NeuralInterpreterConfig
from routescope.nn.probe import listening, probes_of
from routescope.routing import IncompleteTrace, Intervention, record
from tests.core.nn.networks import config, configs, images, network
from tests.core.routing.hooks import hooks_on

# beartype picks the items that it looks at by chance, also while hypothesis draws a config
pytestmark = pytest.mark.filterwarnings("ignore:Do not use the `random` module inside strategies")
FIELDS = ("compatibility", "types", "attention", "states", "contributions")
few = settings(deadline=None, max_examples=20)


def plain(model: NeuralInterpreter, batch: Tensor, iterations: int | None = None) -> Tensor:
    with torch.no_grad():
        return model(batch, iterations)


@pytest.fixture
def views(monkeypatch: pytest.MonkeyPatch) -> list[NeuralInterpreter]:
    """Every view that an intervention makes while the test runs."""
    made: list[NeuralInterpreter] = []
    apply = Intervention.apply

    def keep_it(self: Intervention, model: NeuralInterpreter) -> NeuralInterpreter:
        made.append(apply(self, model))
        return made[-1]

    monkeypatch.setattr(Intervention, "apply", keep_it)
    return made


# ------------------------------------------------------------------------------------------------- 4. a dead unit


def with_dead_unit(dead: int, settings_: NeuralInterpreterConfig, dtype: torch.dtype) -> NeuralInterpreter:
    """A network whose types all have a positive first component, and a unit whose signature points the other way."""
    model = network(settings_, dtype=dtype)
    with torch.no_grad():
        for script in model.scripts:
            last = script.type_inference.linears[-1]
            last.weight[0] = 0
            last.bias[0] = 1.0
            script.signatures[:, 0] = script.signatures[:, 0].abs() + 0.5
            script.signatures[dead] = 0
            script.signatures[dead, 0] = -1.0
    return model


# Sizes that people train. With fewer than a dozen channels a head, and in double precision with a single function
# left, processor libraries pick kernels by how a matrix lies in memory, and the last bit of a product may follow.
SMALL = config(scripts=1, features=64, code_features=64, heads=2, key_features=32, image_size=32, patch_size=8)
SHARED = replace(SMALL, relative_position="shared", domains=("a", "b", "c"), tokenizer="convolutional", iterations=6)
TABLE_4 = NeuralInterpreterConfig(iterations=2)
DEAD = [("small", SMALL, u, d) for u in (2, 3, 4, 5, 8) for d in sorted({0, u // 2, u - 1})] + [
    ("printed", replace(SMALL, residual="printed"), 5, 1),
    ("none", replace(SMALL, residual="none"), 5, 3),
    ("modlin", replace(SHARED, relative_position="modlin", locs=2), 5, 2),
    *(("bundled", SHARED, 5, d) for d in range(5)),
    ("table-4", TABLE_4, 5, 0),
    ("table-4", TABLE_4, 5, 3),
]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("settings_", "functions", "dead", "dtype"),
    [
        pytest.param(settings_, functions, dead, dtype, id=f"{name}-f{dead + 1}of{functions}-{dtype}")
        for name, settings_, functions, dead in DEAD
        for dtype in ((torch.float32, torch.float64) if functions > 2 else (torch.float32,))
    ],
)
def test_dropping_a_dead_unit_changes_no_bit(
    settings_: NeuralInterpreterConfig, functions: int, dead: int, dtype: torch.dtype
) -> None:
    torch.set_num_threads(2 if settings_ is SHARED and dead == 1 else 1)
    model = with_dead_unit(dead, replace(settings_, functions=functions, tau=0.999), dtype)
    name = f"f{dead + 1}"
    for batch in (images(model, batch=n, seed=n) for n in (1, 5)):
        C = record(model, batch)["compatibility"]
        assert (C.sel(unit=name) == 0).all()
        assert (C != 0).any()
        whole = plain(model, batch)
        assert torch.equal(plain(Intervention(drop=(name,)).apply(model), batch), whole)
        assert torch.equal(plain(Intervention(mute=(name,)).apply(model), batch), whole)


@pytest.mark.parametrize("functions", [3, 5])
def test_dropping_a_living_unit_does_change_something(functions: int) -> None:
    """So that the test above could fail."""
    model = with_dead_unit(0, replace(SMALL, functions=functions, tau=0.999), torch.float32)
    batch = images(model, batch=7)
    C, alive = record(model, batch)["compatibility"], 0
    for unit in model.units[1:]:
        if (C.sel(unit=unit) != 0).any():
            alive += 1
            assert not torch.equal(plain(model.keep([u for u in model.units if u != unit]), batch), plain(model, batch))
    assert alive


# ---------------------------------------------------------------------------------- 5. nothing dropped, all restored


@pytest.mark.slow
@few
@given(configs(), st.integers(0, 1000), st.data())
def test_dropping_nothing_and_restoring_change_no_bit(
    settings_: NeuralInterpreterConfig, seed: int, data: st.DataObject
) -> None:
    model = network(settings_, seed, torch.float32)
    batch = images(model, batch=5, seed=seed)
    baseline = plain(model, batch)
    weights = {name: tensor.clone() for name, tensor in model.state_dict().items()}
    assert torch.equal(plain(Intervention().apply(model), batch), baseline)
    some = data.draw(st.sets(st.sampled_from(model.units)))
    others = data.draw(st.sets(st.sampled_from(model.units)))
    for change in (Intervention(drop=tuple(some)), Intervention(mute=tuple(some)), Intervention(drop=tuple(others))):
        plain(change.apply(model), batch)
        record(model, batch, intervention=change)
    assert torch.equal(plain(model, batch), baseline)
    assert torch.equal(plain(Intervention().apply(model), batch), baseline)
    assert np.array_equal(record(model, batch)["logits"].values, baseline.numpy())
    assert model.units == model.all_units
    assert all(torch.equal(weights[name], tensor) for name, tensor in model.state_dict().items())


# ------------------------------------------------------------------------------------------- 6. recording is silent


Case = tuple[Tensor, Intervention, Tensor]


@pytest.fixture(scope="module")
def plain_forwards() -> tuple[NeuralInterpreter, list[Case]]:
    """A network, and batches with interventions and what the plain forward gives of them."""
    model = network(config(relative_position="shared"), dtype=torch.float32)
    cases = [
        (batch, change, plain(change.apply(model), batch, change.iterations))
        for batch in (images(model, batch=1), images(model, batch=33, seed=1))
        for change in (
            Intervention(),
            Intervention(drop=("s1.f2", "s2.f1")),
            Intervention(mute=("s1.f1",), iterations=5),
            Intervention(drop=model.units),
            Intervention(iterations=0),
        )
    ]
    return model, cases


@pytest.mark.slow
@pytest.mark.parametrize("only", [(), *((name,) for name in FIELDS), FIELDS], ids="+".join)
def test_a_recorded_forward_is_the_plain_forward(
    only: tuple[str, ...], plain_forwards: tuple[NeuralInterpreter, list[Case]]
) -> None:
    model, cases = plain_forwards
    for batch, change, wanted in cases:
        trace = record(model, batch, only=only, intervention=change)
        assert np.array_equal(trace["logits"].values, wanted.numpy())
    assert hooks_on(model) == []


def test_a_large_batch_is_recorded_whole_though_it_runs_in_chunks() -> None:
    model = network(config(), dtype=torch.float32)
    model.chunk_tokens = 4 * len(model.tokens)
    batch = images(model, batch=10)
    trace = record(model, batch, only=FIELDS)
    assert np.array_equal(trace["logits"].values, plain(model, batch).numpy())
    for i in range(0, 10, 4):  # as it was cut
        part = record(model, batch[i : i + 4], only=FIELDS)
        for name in FIELDS:
            assert np.array_equal(part[name].values, trace[name].values[i : i + 4], equal_nan=True), name


class Cancelled(Exception):
    """What a caller raises to stop."""


def stop_at(place: nn.Module, call: int, error: type[BaseException]) -> "mock._patch[Callable[..., Tensor]]":
    """Make the n-th call of a module raise."""
    forward, calls = place.forward, []

    def fail(*args: object, **kwargs: object) -> Tensor:
        calls.append(1)
        if len(calls) == call:
            raise error("stopped by the test")
        return forward(*args, **kwargs)

    return mock.patch.object(place, "forward", fail)


@pytest.mark.parametrize("error", [Cancelled, KeyboardInterrupt, GeneratorExit])
@pytest.mark.parametrize(
    ("where", "call"),
    [("tokenizer", 1), ("scripts.0.type_inference", 2), ("scripts.1.type_inference", 3), ("heads.1", 1)],
)
def test_no_hook_is_left_behind_when_the_forward_is_stopped(
    views: list[NeuralInterpreter], where: str, call: int, error: type[BaseException]
) -> None:
    model = network(config(), dtype=torch.float32)
    batch = images(model)
    baseline = plain(model, batch)
    with stop_at(model.get_submodule(where), call, error), pytest.raises(error, match="stopped by the test"):
        record(model, batch, only=FIELDS, intervention=Intervention(drop=("s1.f1",)))
    assert len(views) == 1
    assert hooks_on(model, *views) == []
    assert torch.equal(plain(model, batch), baseline)
    assert not any(probe.listening for probe in probes_of(views[0]).values())
    assert np.array_equal(record(model, batch)["logits"].values, baseline.numpy())


def test_no_hook_is_left_behind_when_it_goes_well_or_is_refused(views: list[NeuralInterpreter]) -> None:
    model = network(config(), dtype=torch.float32)
    record(model, images(model), only=FIELDS)
    with pytest.raises(ValueError, match="compatibility.*types"):
        record(model, images(model), only=("compatibility", "moods"))
    with pytest.raises(RuntimeError):
        record(model, images(model)[:, :1], only=FIELDS)
    assert len(views) == 3
    assert hooks_on(model, *views) == []


def test_no_hook_is_left_behind_when_registering_is_interrupted() -> None:
    model = network(config(), dtype=torch.float32)
    probe = probes_of(model)["types"]
    with (
        mock.patch.object(probe, "register_forward_hook", side_effect=KeyboardInterrupt),
        pytest.raises(KeyboardInterrupt),
        listening(model, ("compatibility", "types")),
    ):
        pytest.fail("the body must not run")
    assert hooks_on(model) == []


def test_the_model_itself_never_gets_a_hook() -> None:
    """Others may compute on it in the meantime; only a view is listened to."""
    model = network(config(), dtype=torch.float32)
    seen = []
    handle = model.heads[0].register_forward_pre_hook(lambda *_: seen.append(hooks_on(model.probes)))
    try:
        record(model, images(model), only=FIELDS)
    finally:
        handle.remove()
    assert seen == [[]]


# ------------------------------------------------------------------------------------------------- 7. completeness


class SkipsAStep(NeuralInterpreter):
    """Runs one iteration fewer than it says."""

    def interpret(self, x: Tensor, iterations: int | None = None, outputs: int | None = None) -> Tensor:
        return super().interpret(x, (self.config.iterations if iterations is None else iterations) - 1, outputs)


class RunsAStepTooMany(NeuralInterpreter):
    """Runs one iteration more than it says."""

    def interpret(self, x: Tensor, iterations: int | None = None, outputs: int | None = None) -> Tensor:
        return super().interpret(x, (self.config.iterations if iterations is None else iterations) + 1, outputs)


class RunsTwice(NeuralInterpreter):
    """Reports every step twice."""

    def interpret(self, x: Tensor, iterations: int | None = None, outputs: int | None = None) -> Tensor:
        super().interpret(x, iterations, outputs)
        return super().interpret(x, iterations, outputs)


class RunsNothing(NeuralInterpreter):
    """Never reaches its probes."""

    def interpret(self, x: Tensor, iterations: int | None = None, outputs: int | None = None) -> Tensor:
        return x[:, :outputs]


class LosesSamples(NeuralInterpreter):
    """Interprets only half of the samples."""

    def interpret(self, x: Tensor, iterations: int | None = None, outputs: int | None = None) -> Tensor:
        half = super().interpret(x[: len(x) // 2], iterations, outputs)
        return torch.cat([half, half])


@pytest.mark.parametrize("broken", [SkipsAStep, RunsAStepTooMany, RunsTwice, RunsNothing, LosesSamples])
@pytest.mark.parametrize("only", [(name,) for name in FIELDS] + [FIELDS], ids="+".join)
@pytest.mark.parametrize("scripts", [1, 2])
def test_a_trace_with_gaps_or_surplus_is_an_error(
    broken: type[NeuralInterpreter], only: tuple[str, ...], scripts: int, views: list[NeuralInterpreter]
) -> None:
    model = broken(config(scripts=scripts)).eval()
    with pytest.raises(IncompleteTrace, match="samples at|reported a step"):
        record(model, images(model, batch=4), only=only)
    assert hooks_on(model, *views) == []


def test_a_probe_that_misses_one_step_is_named_with_the_step() -> None:
    model = network(config(), dtype=torch.float32)
    script = model.scripts[1]

    heard = []
    step = type(script).step

    def deaf_once(self: nn.Module, x: Tensor, prepared: object, probes: nn.Module, index: int, *rest: object) -> Tensor:
        heard.append(index)
        if index == 4:
            probes = type(probes)()  # the step reports to probes that nobody listens to
        return step(self, x, prepared, probes, index, *rest)

    with mock.patch.object(type(script), "step", deaf_once), pytest.raises(IncompleteTrace, match=r"s2\.i2"):
        record(model, images(model))
    assert heard == list(range(6))


@pytest.mark.slow
@few
@given(configs(), st.integers(0, 6), st.data())
def test_the_captured_count_is_the_models_own(
    settings_: NeuralInterpreterConfig, iterations: int, data: st.DataObject
) -> None:
    model = network(settings_, dtype=torch.float32)
    drop = data.draw(st.sets(st.sampled_from(model.units)))
    change = Intervention(drop=tuple(drop), iterations=iterations)
    trace = record(model, images(model, batch=3), only=FIELDS, intervention=change)
    if iterations == 0:
        assert "compatibility" not in trace.dataset
        return
    steps = model.step_names(iterations)
    assert len(steps) == settings_.scripts * iterations
    for name in FIELDS:
        assert trace[name].sizes["step"] == len(steps)
        assert tuple(trace[name]["step"].values) == steps
        assert trace[name].sizes["sample"] == 3
    assert trace["compatibility"].dims == ("sample", "step", "unit", "token")
    assert trace["types"].dims == ("sample", "step", "token", "type_feature")
    assert trace["attention"].dims == ("sample", "step", "loc", "unit", "head", "query", "key")
    assert trace["states"].dims == ("sample", "step", "token", "feature")


# ----------------------------------------------------------------------------------- two people, one model, threads


@pytest.mark.slow
def test_interleaved_views_in_threads_give_the_serial_answers() -> None:
    """And a plain run beside recordings is neither disturbed nor recorded."""
    model = network(config(relative_position="shared"), dtype=torch.float32)
    units = model.units
    changes = [
        Intervention(),
        Intervention(drop=(units[0],)),
        Intervention(drop=units[1:3], iterations=5),
        Intervention(mute=(units[2], units[5])),
        Intervention(drop=(units[7],), mute=(units[0],)),
        Intervention(drop=units),
    ]
    batch = images(model, batch=6)

    def ask(change: Intervention) -> xr.Dataset:
        return record(model, batch, only=FIELDS, intervention=change).dataset

    serial = [ask(change) for change in changes]
    rounds = 4
    baseline = plain(model, batch)
    with ThreadPoolExecutor(max_workers=len(changes)) as pool:
        undisturbed = [pool.submit(plain, model, batch) for _ in range(rounds)]
        threaded = list(pool.map(ask, changes * rounds))
    for i, dataset in enumerate(threaded):
        xr.testing.assert_identical(dataset, serial[i % len(changes)])
    assert all(torch.equal(done.result(), baseline) for done in undisturbed)
    assert hooks_on(model) == []
