"""A network, a kind of input and a data set that are registered from outside: everything runs on them.

What every drop costs is known (see ``tests.outside.symbols``): the bits of exactly the symbols that an expert knows.
"""

import math
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from routescope import assets, zoo
from routescope.api.data import inputs_of
from routescope.data import DataError, dataset, load
from routescope.data.kinds.kind import kinds
from routescope.nn.registry import ARCHITECTURES, kinds_of_input, register
from routescope.routing import Intervention, record, score
from routescope.routing.caused.effects import drop_effect
from routescope.routing.caused.importance import importance
from routescope.routing.observed.usage import Usage
from routescope.zoo import checkpoint
from tests.core.nn import test_contract as contract
from tests.outside.symbols import EXPERTS, INFO, LONGEST, SURE, SYMBOLS, Symbols, SymbolsConfig, SymbolsNetwork, circle

#: Bits of a symbol whose expert is there, and of one whose expert is not.
KNOWN = math.log2(math.exp(SURE) + SYMBOLS - 1) - SURE / math.log(2)
UNKNOWN = math.log2(SYMBOLS)
CONTRACT = [
    test
    for name, test in vars(contract).items()
    if name.startswith("test_") and set(test.__code__.co_varnames[: test.__code__.co_argcount]) == {"model"}
]


@pytest.fixture(scope="module")
def model() -> SymbolsNetwork:
    return SymbolsNetwork(SymbolsConfig()).eval().requires_grad_(False)


@pytest.fixture(scope="module")
def data() -> Any:
    return load("circle")


def bits(data: Any, gone: Callable[[int], bool]) -> float:
    """Mean bits a symbol where the experts of some symbols are gone, symbol by symbol."""
    costs = []
    for first, length in zip(data.first.tolist(), data.lengths.tolist(), strict=True):
        costs += [UNKNOWN if gone((first + v) % SYMBOLS) else KNOWN for v in range(length)]
    return sum(costs) / len(costs)


def test_it_is_found_by_name_with_its_kind_of_input() -> None:
    assert ARCHITECTURES["outside_symbols"].network is SymbolsNetwork
    assert kinds_of_input()["symbols"] is kinds()["symbols"].batch is Symbols
    with pytest.raises(ValueError, match="there is a network 'outside_symbols' already"):
        register("outside_symbols", family="another", config=SymbolsConfig)(type("Other", (SymbolsNetwork,), {}))
    with pytest.raises(ValueError, match="there is a data set 'circle' already"):
        dataset(INFO)(lambda request: circle(request))
    with pytest.raises(DataError, match="read from nowhere"):
        load("circle", source="somewhere")


def test_the_contract_of_every_network_holds_for_it() -> None:
    fresh = SymbolsNetwork(SymbolsConfig()).eval()
    assert len(CONTRACT) >= 5
    for test in CONTRACT:
        test(fresh)


def test_a_trace_has_its_tokens_and_none_where_there_are_none(model: SymbolsNetwork, data: Any) -> None:
    chosen = data.take([0, 20, 39])
    trace = record(model, chosen.inputs(slice(None)), intervention=Intervention(drop=("e2",)))
    C = trace["compatibility"]
    assert C.sizes["token"] == LONGEST and C.sizes["unit"] == EXPERTS
    there = np.arange(LONGEST) < chosen.lengths.numpy()[:, None]
    sums = C.sum("unit").isel(step=0).values
    np.testing.assert_allclose(sums[there], 1.0, atol=1e-6)
    assert np.all(sums[~there] == 0)
    assert np.all(C.sel(unit="e2") == 0)
    dominant = C.isel(step=0).values.argmax(axis=1)
    symbols = chosen.inputs(slice(None)).values.numpy()
    known = there & (symbols % EXPERTS != 1)
    assert np.array_equal(dominant[known], (symbols % EXPERTS)[known])


def test_it_is_scored_in_bits_a_symbol_and_drops_cost_what_they_must(model: SymbolsNetwork, data: Any) -> None:
    whole = score(model, data)
    assert whole.measure.name == "bits a symbol" and not whole.measure.higher_is_better
    assert whole.figure == pytest.approx(bits(data, lambda s: False), rel=1e-5)
    low, high = whole.interval
    assert low <= whole.figure <= high
    with pytest.raises(ValueError, match="right or wrong"):
        _ = whole.accuracy
    for u in range(EXPERTS):
        dropped = score(model, data, Intervention(drop=(f"e{u + 1}",)))
        assert dropped.figure == pytest.approx(bits(data, lambda s, u=u: s % EXPERTS == u), rel=1e-4)
        effect = drop_effect(whole, dropped).figure
        assert effect.value == pytest.approx(dropped.figure - whole.figure, rel=1e-4)
        assert effect.low <= effect.value <= effect.high
    nothing = score(model, data, Intervention(drop=model.units))
    assert nothing.figure == pytest.approx(UNKNOWN, rel=1e-5)
    outcome = importance(model, [data])
    assert float(outcome.shapley["value"].values.sum()) == pytest.approx(outcome.total, rel=1e-5)
    assert abs(outcome.total) == pytest.approx(UNKNOWN - whole.figure, rel=1e-4)


def test_padding_is_no_token_of_any_mean(model: SymbolsNetwork, data: Any) -> None:
    """Usage is that of the symbols that are there, counted one by one."""
    usage = Usage(model, [data])
    for _ in usage:
        pass
    counts = np.zeros(EXPERTS)
    for first, length in zip(data.first.tolist(), data.lengths.tolist(), strict=True):
        for v in range(length):
            counts[(first + v) % SYMBOLS % EXPERTS] += 1
    np.testing.assert_allclose(usage.shares[0], counts / counts.sum(), atol=1e-6)


def test_the_zoo_loads_it(model: SymbolsNetwork) -> None:
    path = checkpoint.save(model, assets.data_dir() / "checkpoints" / "outside" / "model.safetensors")
    loaded, info = zoo.load("outside"), zoo.info("outside")
    path.unlink()
    assert isinstance(loaded, SymbolsNetwork)
    assert (info.inputs, info.family, info.units) == ("symbols", "Experts on symbols", ("e1", "e2", "e3", "e4"))
    assert (info.grid, info.labels, info.most_iterations) == ((0, 0), (), 1)


def test_notebooks_take_its_texts_and_files(model: SymbolsNetwork, tmp_path: Path) -> None:
    (tmp_path / "a.digits").write_text("3\n4\n5\n")
    for given in ("345", tmp_path / "a.digits"):
        inputs, dataset = inputs_of(model, given)
        assert isinstance(inputs, Symbols) and inputs.first() == [3, 4, 5] and dataset is None
    with pytest.raises(DataError, match="'9' is no sequence of 1 to 6 digits"):
        inputs_of(model, "9")
    (tmp_path / "a.png").write_bytes(b"")
    with pytest.raises(DataError, match="does not read a.png: give a digit a line"):
        inputs_of(model, tmp_path / "a.png")
