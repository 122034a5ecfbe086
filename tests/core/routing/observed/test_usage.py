"""Usage against a literal account of the traces, and where it is known; also of hidden blocks."""

from typing import Any

import numpy as np
import pytest
import torch

from routescope.data import load
from routescope.nn.baselines.fnn import BlockFNN
from routescope.nn.blocks.config import BlockFNNConfig, SMFRConfig
from routescope.nn.blocks.network import BlockNetwork
from routescope.nn.network import Network
from routescope.nn.probe import Probe
from routescope.routing import Intervention, record
from routescope.routing.observed.usage import WEIGHTS, BlockUsage, Usage, usage_field
from tests.core.routing.hooks import hooks_on
from tests.core.routing.small import CODED, joined, noise, small
from tests.core.routing.toy_circuit import star
from tests.core.routing.toys import balanced, labelled, one_hot, uniform, with_dead


def used(model: Any, *datasets: Any, **change: Any) -> dict[tuple[str, str], float]:
    usage = Usage(model, datasets, Intervention(**change))
    done = list(usage)
    assert done == sorted(done) and done[-1] == sum(map(len, datasets))
    assert hooks_on(model) == []
    return {(row["step"], row["unit"]): row["share"] for row in usage.table()}


@pytest.mark.parametrize("architecture", CODED)
@pytest.mark.parametrize("change", [{}, {"iterations": 2, "drop": 1}, {"mute": 2}])
def test_shares_are_those_of_the_traces(architecture: str, change: dict) -> None:
    model = small(architecture)
    change = {name: model.units[:value] if name in ("drop", "mute") else value for name, value in change.items()}
    sets = [noise(model, 7), noise(model, 5, "here", seed=1)]
    result = used(model, *sets, **change)
    batch = joined([item.inputs(slice(None)) for item in sets])
    field = record(model, batch, intervention=Intervention(**change))[usage_field(model)]
    along, unit = ("layer", "sender") if "layer" in field.dims else ("step", "unit")
    weights = field.sum([axis for axis in field.dims if axis not in (along, unit)])
    shares = weights / weights.sum(unit)
    wanted = {}
    for step in field[along].values:
        script = str(step).rpartition(".")[0]
        for name in field[unit].values:
            full = f"{script}.{name}" if script else str(name)
            wanted[str(step), full] = float(shares.sel({along: step, unit: name}))
    assert result == pytest.approx(wanted, abs=1e-6)
    assert {name for _, name in result} == set(model.units)
    for gone in (*change.get("drop", ()), *change.get("mute", ())):
        assert {share for (_, name), share in result.items() if name == gone} == {0.0}


def test_usage_is_known_of_toys() -> None:
    equal = {(f"i{i}", f"f{u}"): 0.25 for i in (1, 2, 3) for u in range(1, 5)}
    assert used(uniform(), balanced()) == pytest.approx(equal)
    counts = used(one_hot(), labelled([0, 0, 0, 1]))
    assert [counts["i2", f"f{u}"] for u in range(1, 5)] == pytest.approx([0.75, 0.25, 0, 0])
    assert used(with_dead(), balanced())["i1", "f2"] == 0
    toy = star()
    W = toy.P / toy.P.sum(dim=1, keepdim=True)
    shares = W.mean(dim=0).tolist()
    result = used(toy, balanced())
    assert result == pytest.approx({(s, u): shares[k] for s in ("l1", "l2") for k, u in enumerate(toy.units)})
    assert max(result, key=lambda key: result[key])[1] == "m5", "the hub is read most"


def test_nothing_is_used_where_nobody_takes_part() -> None:
    model = small("neural_attentive_circuit")
    assert set(used(model, noise(model), drop=model.units).values()) == {0.0}
    assert used(model, noise(model), iterations=0) == {}


def test_a_network_that_says_nothing_of_it_is_refused() -> None:
    class Silent(Network):
        def __init__(self) -> None:
            super().__init__()
            self.probe = Probe("states", ("sample", "feature"))

    with pytest.raises(ValueError, match=r"compatibility or messages.*states"):
        Usage(Silent(), [])


@pytest.fixture(scope="module")
def model() -> BlockNetwork:
    torch.manual_seed(0)
    return BlockNetwork(SMFRConfig(depth=2, width=4, hidden=8)).eval()


def shares_of(model: Any, change: Intervention, count: int = 700) -> dict[tuple[str, str], float]:
    """More samples than one batch has."""
    usage = BlockUsage(model, [load("algo", "validation", limit=count)], change)
    done = list(usage)
    assert done[-1] == count and len(done) > 1
    return {(row["step"], row["unit"]): row["share"] for row in usage.table()}


@pytest.mark.parametrize("change", [Intervention(), Intervention(iterations=3), Intervention(drop=("1.2", "2.4"))])
def test_shares_are_those_of_a_recording(model: BlockNetwork, change: Intervention) -> None:
    shares = shares_of(model, change)
    inputs = load("algo", "validation", limit=700).inputs(slice(700))
    weights = record(model, inputs, only=(WEIGHTS,), intervention=change)[WEIGHTS]
    steps = [str(step) for step in weights["step"].values]
    assert {step for step, _ in shares} == {step for step in steps if not step.endswith("l1")}
    for step in {step for step, _ in shares}:
        units = [unit for at, unit in shares if at == step]
        part = np.nanmean(weights.sel(step=step).transpose("sample", "source", "block").values, axis=(0, 2))
        result = np.array([shares[step, unit] for unit in units])
        np.testing.assert_allclose(result, np.nan_to_num(part[: len(units)]), atol=1e-5)
        assert result.sum() == pytest.approx(1, abs=1e-5)
        assert all((shares[step, unit] == 0) == (unit in change.drop) for unit in units)


def test_what_routes_nothing_has_no_usage_of_blocks() -> None:
    with pytest.raises(ValueError, match="routes"):
        BlockUsage(BlockFNN(BlockFNNConfig(hidden=4, layers=1)), [])
