"""The toy networks keep the contract of every network and are routed as they say."""

import numpy as np
import pytest

from routescope.routing import Intervention, record, score
from tests.core.routing.hooks import hooks_on
from tests.core.routing.toys import ENOUGH, Toy, balanced, duplicated, one_hot, uniform, with_dead

FIELDS = ("compatibility", "types", "states", "contributions")


@pytest.mark.parametrize("make", [uniform, one_hot, duplicated, with_dead])
def test_a_toy_is_a_network(make) -> None:
    model: Toy = make()
    data = balanced()
    assert score(model, data).accuracy == 1
    assert score(model, data, Intervention(drop=model.units)).accuracy == 0
    assert score(model, data, Intervention(iterations=ENOUGH - 1)).accuracy == 0
    batch = data.images.float() / 255
    trace = record(model, batch, only=FIELDS)
    assert tuple(trace.dataset["step"].values) == model.steps
    np.testing.assert_allclose(trace["compatibility"].sum("unit"), 1, rtol=1e-6)
    wanted = (model.kernel / model.kernel.sum(1, keepdim=True)).numpy()[data.labels.numpy()]
    np.testing.assert_allclose(trace["compatibility"].isel(step=0, token=0).values, wanted, rtol=1e-6)
    assert np.array_equal(trace["logits"].values, model(batch).numpy())
    view = Intervention(drop=("f1",), mute=("f2",)).apply(model)
    assert (view.units, view.muted, view.all_units) == (model.units[1:], ("f2",), model.all_units)
    ablated = record(model, batch, intervention=Intervention(drop=("f1",), mute=("f2",)))["compatibility"]
    assert (ablated.sel(unit=["f1", "f2"]) == 0).all()
    assert hooks_on(model) == []


def test_several_heads() -> None:
    model = one_hot(domains=("one", "two"))
    assert score(model, balanced(domain="two")).accuracy == 1
