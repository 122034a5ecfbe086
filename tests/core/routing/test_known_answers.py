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
from torch import Tensor

from routescope.nn.interpreter.network import NeuralInterpreter, NeuralInterpreterConfig
from routescope.nn.probe import listening, probes_of
from routescope.routing import IncompleteTrace, Intervention, record
from tests.core.nn.networks import config, configs, images, network
from tests.core.routing.hooks import hooks_on

# beartype picks the items that it looks at by chance, also while hypothesis draws a config
pytestmark = pytest.mark.filterwarnings("ignore:Do not use the `random` module inside strategies")
FIELDS = ("compatibility", "types", "attention", "states", "contributions")


def plain(model: NeuralInterpreter, batch: Tensor, iterations: int | None = None) -> Tensor:
    with torch.no_grad():
        return model(batch, iterations)


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
#: Name -> config, number of functions, dead function, dtype.
DEAD: dict[str, tuple[NeuralInterpreterConfig, int, int, torch.dtype]] = {
    "the first of two": (SMALL, 2, 0, torch.float32),
    "the middle of three": (SMALL, 3, 1, torch.float64),
    "the last of four": (SMALL, 4, 3, torch.float32),
    "one of eight": (SMALL, 8, 4, torch.float32),
    "one of eight in double precision": (SMALL, 8, 0, torch.float64),
    "printed residual": (replace(SMALL, residual="printed"), 5, 1, torch.float32),
    "no residual": (replace(SMALL, residual="none"), 5, 3, torch.float64),
    "modlin": (replace(SHARED, relative_position="modlin", locs=2), 5, 2, torch.float32),
    "as bundled": (SHARED, 5, 4, torch.float32),
    "as bundled on two threads": (SHARED, 5, 1, torch.float32),
    "table 4": (NeuralInterpreterConfig(iterations=2), 5, 3, torch.float32),
}


@pytest.mark.slow
@pytest.mark.parametrize("name", DEAD)
def test_dropping_a_dead_unit_changes_no_bit(name: str) -> None:
    settings_, functions, dead, dtype = DEAD[name]
    torch.set_num_threads(2 if "threads" in name else 1)
    model = with_dead_unit(dead, replace(settings_, functions=functions, tau=0.999), dtype)
    unit = f"f{dead + 1}"
    for batch in (images(model, batch=n, seed=n) for n in (1, 5)):
        taken = (record(model, batch)["compatibility"] != 0).any(["sample", "step", "token"])
        alive = [other for other in taken["unit"].values if taken.sel(unit=other)]
        assert alive and unit not in alive
        whole = plain(model, batch)
        assert torch.equal(plain(Intervention(drop=(unit,)).apply(model), batch), whole)
        assert torch.equal(plain(Intervention(mute=(unit,)).apply(model), batch), whole)
        for other in alive[:2]:
            assert not torch.equal(plain(Intervention(drop=(other,)).apply(model), batch), whole), "living units matter"


# ------------------------------------------------- 5. to 7. over all configs: restored, recorded silently, complete


@pytest.mark.slow
@settings(deadline=None, max_examples=20)
@given(configs(), st.integers(0, 1000), st.integers(0, 6), st.data())
def test_recording_is_silent_and_complete_and_nothing_is_left(
    settings_: NeuralInterpreterConfig, seed: int, iterations: int, data: st.DataObject
) -> None:
    model = network(settings_, seed, torch.float32)
    batch = images(model, batch=3, seed=seed)
    baseline = plain(model, batch)
    weights = {name: tensor.clone() for name, tensor in model.state_dict().items()}
    drop, mute = (tuple(data.draw(st.sets(st.sampled_from(model.units)))) for _ in range(2))
    steps = model.step_names(iterations)
    assert len(steps) == settings_.scripts * iterations
    for change in (Intervention(drop=drop, iterations=iterations), Intervention(drop=drop, mute=mute)):
        trace = record(model, batch, only=FIELDS, intervention=change)
        wanted = plain(change.apply(model), batch, change.iterations)
        assert np.array_equal(trace["logits"].values, wanted.numpy())
        if change.iterations == 0:
            assert "compatibility" not in trace.dataset
        elif change.iterations is not None:
            assert tuple(trace.dataset["step"].values) == steps
            assert all(trace[name].sizes["step"] == len(steps) for name in FIELDS)
            assert trace["compatibility"].dims == ("sample", "step", "unit", "token")
            assert trace["types"].dims == ("sample", "step", "token", "type_feature")
            assert trace["attention"].dims == ("sample", "step", "loc", "unit", "head", "query", "key")
            assert trace["states"].dims == ("sample", "step", "token", "feature")
    for again in (model, Intervention().apply(model)):
        assert torch.equal(plain(again, batch), baseline)
    assert np.array_equal(record(model, batch)["logits"].values, baseline.numpy())
    assert model.units == model.all_units and hooks_on(model) == []
    assert all(torch.equal(weights[name], tensor) for name, tensor in model.state_dict().items())


# ------------------------------------------------------------------------------------------- 6. recording is silent


def test_no_hook_is_left_behind_when_recording_is_refused_or_registering_is_interrupted() -> None:
    model, views = network(config(), dtype=torch.float32), list[NeuralInterpreter]()
    apply = Intervention.apply
    with mock.patch.object(Intervention, "apply", lambda *given: views.append(apply(*given)) or views[-1]):
        with pytest.raises(ValueError, match="compatibility.*types"):
            record(model, images(model), only=("compatibility", "moods"))
        with pytest.raises(RuntimeError):
            record(model, images(model)[:, :1], only=FIELDS)
    assert len(views) == 2
    with (
        mock.patch.object(probes_of(model)["types"], "register_forward_hook", side_effect=KeyboardInterrupt),
        pytest.raises(KeyboardInterrupt),
        listening(model, ("compatibility", "types")),
    ):
        pytest.fail("the body must not run")
    assert hooks_on(model, *views) == []


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

Run = Callable[[Tensor, int, int | None], Tensor]
#: Ways to compute that report too few or too many steps: (run, states, iterations, outputs) -> states.
BROKEN: dict[str, Callable[[Run, Tensor, int, int | None], Tensor]] = {
    "one iteration fewer": lambda run, x, iterations, outputs: run(x, iterations - 1, outputs),
    "one iteration more": lambda run, x, iterations, outputs: run(x, iterations + 1, outputs),
    "every step twice": lambda run, x, *rest: (run(x, *rest), run(x, *rest))[1],
    "no step": lambda run, x, iterations, outputs: x[:, :outputs],
    "half of the samples": lambda run, x, *rest: torch.cat([run(x[: len(x) // 2], *rest)] * 2),
}


@pytest.mark.parametrize("name", BROKEN)
def test_a_trace_with_gaps_or_surplus_is_an_error(name: str) -> None:
    class Broken(NeuralInterpreter):
        def interpret(self, x: Tensor, iterations: int | None = None, outputs: int | None = None) -> Tensor:
            return BROKEN[name](super().interpret, x, self.config.iterations, outputs)

    for scripts in (1, 2):
        model = Broken(config(scripts=scripts)).eval()
        for only in (*((field,) for field in FIELDS), FIELDS):
            with pytest.raises(IncompleteTrace, match="samples at|reported a step"):
                record(model, images(model, batch=4), only=only)


# ----------------------------------------------------------------------------------- two people, one model, threads


def test_interleaved_views_in_threads_give_the_serial_answers() -> None:
    """And a plain run beside recordings is neither disturbed nor recorded."""
    model = network(config(relative_position="shared"), dtype=torch.float32)
    units = model.units
    changes = [
        Intervention(),
        Intervention(drop=units[1:3], iterations=5),
        Intervention(drop=(units[7],), mute=(units[0],)),
        Intervention(drop=units),
    ]
    batch = images(model, batch=6)

    def ask(change: Intervention) -> xr.Dataset:
        return record(model, batch, only=FIELDS, intervention=change).dataset

    serial = [ask(change) for change in changes]
    rounds = 3
    baseline = plain(model, batch)
    with ThreadPoolExecutor(max_workers=len(changes)) as pool:
        undisturbed = [pool.submit(plain, model, batch) for _ in range(rounds)]
        threaded = list(pool.map(ask, changes * rounds))
    for i, dataset in enumerate(threaded):
        xr.testing.assert_identical(dataset, serial[i % len(changes)])
    assert all(torch.equal(done.result(), baseline) for done in undisturbed)
    assert hooks_on(model) == []
