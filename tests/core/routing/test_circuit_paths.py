"""Paths between units that read each other: what segments say, on random circuits and on one that is known."""

from itertools import combinations
from typing import Any

import pytest

from routescope.routing import Intervention, record
from tests.core.routing.small import CIRCUITS, inputs, small
from tests.core.routing.toy_circuit import ToyCircuit, star
from tests.core.routing.toys import balanced


@pytest.fixture(scope="module", params=CIRCUITS)
def circuit(request: pytest.FixtureRequest) -> Any:
    """Without and with learned links."""
    return small(request.param)


@pytest.fixture(scope="module")
def toy() -> ToyCircuit:
    return star()


def test_segments_are_what_is_read(circuit: Any) -> None:
    """Tokens by modules, modules by modules at the step before, modules by the output; strongest first."""
    change = Intervention(drop=("m3",), iterations=2)
    trace = record(circuit, inputs(circuit, 2), intervention=change, sample_ids=["a", "b"])
    paths = trace.paths()
    wanted = {}
    for sample in ("a", "b"):
        at = trace.dataset.sel(sample=sample)
        for unit in circuit.units:
            for token in circuit.tokens:
                wanted[sample, token, "", "read-in", "", unit] = float(at["read_in"].sel(unit=unit, token=token))
            out = float((at["read_out"].sel(unit=unit) * at["confidence"]).sum("readout"))
            wanted[sample, "", "l2", "read-out", unit, ""] = out
        for (before, layer), (sender, receiver) in (
            (steps, pair)
            for steps in (("read-in", "l1"), ("l1", "l2"))
            for pair in ((s, r) for s in circuit.units for r in circuit.units)
        ):
            weight = float(at["messages"].sel(layer=layer, unit=receiver, sender=sender))
            wanted[sample, "", before, layer, sender, receiver] = weight
    names = ["sample", "token", "step", "next_step", "from_unit", "to_unit"]
    result = {tuple(row[:6]): row[6] for row in paths.segments[[*names, "weight"]].itertuples(index=False)}
    assert len(result) == len(paths.segments)
    assert result.keys() <= wanted.keys()
    for key, weight in wanted.items():
        assert result.get(key, 0.0) == pytest.approx(weight, abs=1.01e-3 if key not in result else 1e-6), key
    weights = paths.segments["weight"].to_numpy()
    assert (weights[:-1] >= weights[1:]).all()
    assert not ((paths.segments == "m3").any(axis=None))
    for (sample, step), rows in paths.segments.groupby(["sample", "next_step"]):
        assert rows["weight"].sum() == pytest.approx(1 if step == "read-out" else 6, rel=0.02), (sample, step)
    for row in paths.dominant.itertuples():
        assert row.step == "read-in"
        read = trace["read_in"].sel(sample=row.sample, token=row.token)
        assert row.unit == (str(read.idxmax("unit").values) if read.any() else ""), "nobody reads what is no token"
    assert len(paths.dominant) == 2 * len(circuit.tokens)
    assert (paths.units, paths.steps) == (circuit.all_units, ("read-in", "l1", "l2"))


def test_paths_take_what_a_trace_has(circuit: Any) -> None:
    messages = record(circuit, inputs(circuit), only=("messages",)).paths()
    assert set(messages.segments["next_step"]) == {"l1", "l2", "l3"}
    assert len(messages.dominant) == 0
    unread = record(circuit, inputs(circuit), intervention=Intervention(iterations=0)).paths()
    assert set(unread.segments["next_step"]) == {"read-in", "read-out"}
    nobody = record(circuit, inputs(circuit), intervention=Intervention(drop=circuit.units)).paths()
    assert len(nobody.segments) == 0
    with pytest.raises(ValueError, match="states"):
        record(circuit, inputs(circuit), only=("states",)).paths()


def test_paths_between_modules_are_drawn(circuit: Any) -> None:
    import matplotlib

    matplotlib.use("Agg")
    import matplotlib.pyplot as plt

    paths = record(circuit, inputs(circuit)).paths()
    axes = paths.plot()
    part = paths.segments[(paths.segments["sample"] == str(paths.segments["sample"].iloc[0]))]
    (lines,) = axes.collections
    assert len(lines.get_segments()) == len(part[(part["from_unit"] != "") & (part["to_unit"] != "")]) > 0
    plt.close("all")


def test_units_of_a_star_are_read_as_they_are_linked(toy: ToyCircuit) -> None:
    trace = record(toy, balanced(1).images.float() / 255)
    rows = trace.paths().segments.query("sample == '0' and next_step == 'l1' and to_unit == 'm5'")
    P = toy.P[-1] / toy.P[-1].sum()
    assert dict(zip(rows["from_unit"], rows["weight"], strict=True)) == pytest.approx(
        dict(zip(toy.units, P.tolist(), strict=True))
    )
    for pair in combinations(toy.units, 2):
        assert float(trace["messages"].sel(unit=pair[0], sender=pair[1]).min()) > 0
