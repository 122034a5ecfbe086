"""Usage of hidden blocks: what Multiplexers give to them, as recorded, and nothing to those that are dropped."""

from typing import Any

import numpy as np
import pytest
import torch

from routescope.data import load
from routescope.nn.baselines.fnn import BlockFNN
from routescope.nn.blocks.config import BlockFNNConfig, SMFRConfig
from routescope.nn.blocks.network import BlockNetwork
from routescope.routing import Intervention, record
from routescope.routing.observed.usage import WEIGHTS, BlockUsage


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
