"""Sizes of fields are told before they are recorded, and are those of what is recorded."""

import pytest

from routescope import zoo
from routescope.data import load
from routescope.nn.probe import probes_of
from routescope.routing import Intervention, record
from routescope_app.services.traces.traces import bytes_of, constant_bytes
from tests.app.serving import CIRCUIT, MODEL


@pytest.mark.parametrize("model_id", [MODEL, CIRCUIT])
@pytest.mark.parametrize(("iterations", "drop"), [(1, 2), (2, 0)])
def test_sizes_are_those_of_what_is_recorded(model_id: str, iterations: int, drop: int) -> None:
    """And all that every trace holds but the logits, which are few."""
    model = zoo.load(model_id)
    images, change = load("mnist").images[:1].float() / 255, Intervention(model.units[:drop], iterations=iterations)
    sizes = {name: bytes_of(model, [name], iterations) for name in probes_of(model)}
    for name, size in sizes.items():
        assert record(model, images, (name,), change)[name].astype("float32").nbytes == size, name
    assert bytes_of(model, sorted(sizes), iterations) == sum(sizes.values())
    trace = record(model, images, ()).dataset
    assert constant_bytes(model) == sum(array.nbytes for name, array in trace.items() if name != "logits") > 0
