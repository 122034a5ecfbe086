"""Sizes of fields are told before they are recorded, and are those of what is recorded."""

import pytest

from routescope import zoo
from routescope.data import load
from routescope.nn.probe import probes_of
from routescope.routing import Intervention, record
from routescope_app.services.traces.traces import bytes_of, constant_bytes
from tests.app.serving import CIRCUIT, MODEL


@pytest.mark.parametrize("model_id", [MODEL, CIRCUIT])
@pytest.mark.parametrize("iterations", [1, 2])
@pytest.mark.parametrize("drop", [0, 2])
def test_sizes_are_those_of_what_is_recorded(model_id: str, iterations: int, drop: int) -> None:
    model = zoo.load(model_id)
    images, change = load("mnist").images[:1].float() / 255, Intervention(model.units[:drop], iterations=iterations)
    for name in probes_of(model):
        recorded = record(model, images, (name,), change)[name]
        assert bytes_of(model, [name], iterations) == recorded.astype("float32").nbytes, name
    everything = sorted(probes_of(model))
    assert bytes_of(model, everything, iterations) == sum(bytes_of(model, [name], iterations) for name in everything)


@pytest.mark.parametrize("model_id", [MODEL, CIRCUIT])
def test_what_every_trace_holds_is_told(model_id: str) -> None:
    """All but the logits, which are few."""
    model = zoo.load(model_id)
    trace = record(model, load("mnist").images[:1].float() / 255, ()).dataset
    assert constant_bytes(model) == sum(array.nbytes for name, array in trace.items() if name != "logits")
    assert constant_bytes(model) > 0
