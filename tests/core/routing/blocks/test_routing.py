"""Interventions on routes, gates and hidden blocks of SMFRs, seen through recordings and scores."""

import json
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st
from torch import nn

from routescope.data import DatasetInfo
from routescope.nn.blocks.config import SMFRConfig
from routescope.nn.blocks.network import BlockNetwork
from routescope.nn.blocks.routes import route_of
from routescope.nn.probe import probes_of
from routescope.routing import Intervention, record, score
from routescope.routing.blocks.making import making
from routescope.routing.caused.importance import importance
from routescope.routing.compute import flops_per_sample
from routescope.routing.intervention import sources_of
from routescope.routing.options import ends
from tests.core.routing.small import BlockNoise, blocks, noise, small

MODEL: Any = small("smfr", depth=2, width=3)
SOURCES = sources_of(MODEL.levels)
FIELDS = tuple(probes_of(MODEL))
LEVELS = MODEL.levels
few = settings(deadline=None, max_examples=8)


def level_of(block: str) -> int:
    return next(at for at, names in enumerate(LEVELS) if at and block in names)


def place_of(block: str) -> int:
    return LEVELS[level_of(block)].index(block)


def at_first(trace: Any, block: str) -> Any:
    """What a trace has of a block at the first step that makes it."""
    return trace.dataset.sel(step=f"i1.l{level_of(block)}").isel(block=place_of(block))


def traced(change: Intervention | None = None) -> Any:
    return record(MODEL, blocks(MODEL, 4), only=FIELDS, intervention=change)


def test_a_trace_names_its_levels_and_pads_them() -> None:
    trace = traced(Intervention(drop=("1.2",)))
    assert [tuple(level) for level in json.loads(trace.dataset.attrs["levels"])] == list(LEVELS)
    assert tuple(trace["step"].values) == ("i1.l1", "i1.l2", "i1.l3", "i2.l1", "i2.l2", "i2.l3")
    gates, weights = trace["gates"].sel(step="i1.l1"), trace["multiplexer_weights"]
    assert gates.isel(block=1).isnull().all() and gates.isel(block=[0, 2]).notnull().all()
    assert weights.sel(step="i2.l2").isel(source=1).isnull().all(), "nobody reads it"
    assert weights.sel(step="i2.l2").isel(source=[0, 2], block=[0, 1, 2]).notnull().all()
    np.testing.assert_allclose(weights.sum("source").sel(step="i1.l3").isel(block=[0, 1, 2]), 1, rtol=1e-5)
    assert not trace["kept"].sel(unit="1.2") and trace["kept"].sum() == len(MODEL.units) - 1


def test_what_a_trace_holds_makes_its_blocks() -> None:
    """out = g * computed + (1 - g) * routed, and routed = the weighted mean of what was read."""
    trace = traced()
    for step in trace["step"].values:
        at = {name: trace[name].sel(step=step).fillna(0) for name in FIELDS}
        mixed = at["gates"] * at["computed"] + (1 - at["gates"]) * at["routed"]
        np.testing.assert_allclose(mixed.transpose(*at["blocks"].dims), at["blocks"], atol=1e-6)
        routed = (at["multiplexer_weights"] * at["inputs"]).sum("source").transpose(*at["routed"].dims)
        np.testing.assert_allclose(routed, at["routed"], atol=1e-5)


@few
@given(st.data(), st.floats(0, 1))
def test_routes_of_a_block_are_muted_copied_and_gated(data: st.DataObject, gate: float) -> None:
    """At the first step that reads a block's sources; what is read there is not changed by it."""
    block = data.draw(st.sampled_from(sorted(SOURCES)))
    sources, plain, level = SOURCES[block], traced(), level_of(block)
    muted = data.draw(st.sets(st.sampled_from(sources), min_size=1, max_size=len(sources) - 1))
    trace = traced(Intervention(mute_routes=tuple(route_of(source, block) for source in muted)))
    before, after = (at_first(item, block)["multiplexer_weights"].values[:, : len(sources)] for item in (plain, trace))
    wanted = before * [source not in muted for source in sources]
    np.testing.assert_allclose(after, wanted / wanted.sum(axis=1, keepdims=True), rtol=1e-4, atol=1e-6)
    for other in set(LEVELS[level]) - {block}:
        for name in ("multiplexer_weights", "routed"):
            np.testing.assert_array_equal(*(at_first(item, other)[name] for item in (trace, plain)))

    source = data.draw(st.sampled_from(sources))
    trace = traced(Intervention(copy_routes=(route_of(source, block),)))
    for iteration in (1, 2):
        here = trace.dataset.sel(step=f"i{iteration}.l{level}").isel(block=place_of(block))
        read = here["inputs"].isel(source=LEVELS[level - 1].index(source))
        assert np.array_equal(here["blocks"], read), "a forced copy is its source, bit by bit"
        assert (here["gates"] == 0).all()

    for value, name in ((0.0, "routed"), (1.0, "computed")):
        here = at_first(traced(Intervention(gates={block: value})), block)
        assert np.array_equal(here["blocks"], here[name])
    here = at_first(traced(Intervention(gates={block: gate})), block)
    np.testing.assert_allclose(here["gates"], gate, rtol=1e-6, atol=1e-30)
    np.testing.assert_allclose(here["blocks"], gate * here["computed"] + (1 - gate) * here["routed"], atol=1e-6)


@few
@given(st.data())
def test_changes_do_not_depend_on_how_they_are_told(data: st.DataObject) -> None:
    routes = data.draw(st.lists(st.sampled_from(MODEL.route_names), max_size=5, unique_by=lambda route: ends(route)[1]))
    gates = data.draw(st.dictionaries(st.sampled_from(sorted(SOURCES)), st.floats(0, 1), max_size=3))
    left = Intervention(drop=("2.2",), mute=("1.1",), mute_routes=tuple(routes), gates=gates)
    other = Intervention(mute=["1.1"], gates=list(gates.items())[::-1], mute_routes=routes[::-1] * 2, drop=("2.2",))
    batch = blocks(MODEL, 3)
    with torch.no_grad():
        assert torch.equal(left.apply(MODEL)(batch), other.apply(MODEL)(batch))
        later = MODEL.mute(["1.1"]).reroute((), (), left.gates).keep([u for u in MODEL.units if u != "2.2"])
        assert torch.equal(later.reroute(left.mute_routes)(batch), left.apply(MODEL)(batch))


def test_labels_are_those_after_the_iterations_that_ran() -> None:
    class Moving(BlockNoise):
        def targets(self, rows: slice, iterations: int | None = None) -> torch.Tensor:
            return (self.labels[rows] + iterations) % 5

    part = noise(MODEL)
    data = Moving(**vars(part))
    for change in (Intervention(), Intervention(iterations=1), Intervention(iterations=5)):
        scores = score(MODEL, data, change)
        right = (part.labels + (change.iterations or 2)) % 5
        assert np.array_equal(scores.correct, scores.predicted == right.numpy())


# ------------------------------------------------------------------------------------------------ what it costs


def mfnnr_flops(M: int, N: int, s: int, hidden: int) -> int:
    """Of both FNNs, of one hidden layer each, and of routing."""
    return 2 * (M * s * hidden + hidden * M * N + M * N * s + (N + M) * s * hidden + hidden * (N * s + N))


@few
@given(st.sets(st.sampled_from(MODEL.units)))
def test_operations_are_those_of_the_blocks_that_are_left(gone: set[str]) -> None:
    config = MODEL.config
    sizes = [len([name for name in level if name not in gone]) for level in LEVELS]
    pairs = zip(sizes, sizes[1:], strict=False)
    wanted = config.iterations * sum(mfnnr_flops(M, N, config.block_size, config.hidden) for M, N in pairs)
    assert flops_per_sample(MODEL, Intervention(drop=tuple(gone))) == wanted
    steered = Intervention(drop=tuple(gone), gates={"A": 0}, mute_routes=("A>1.1",))
    assert flops_per_sample(MODEL, steered) == wanted
    once = flops_per_sample(MODEL, Intervention(drop=tuple(gone), iterations=1))
    assert once * config.iterations == wanted and flops_per_sample(MODEL, Intervention(iterations=0)) == 0


# --------------------------------------------------------------------------------------------- known answers 3, 4


def _bias(module: Any) -> torch.Tensor:
    result: nn.Parameter = module.fnn.linear[-1].bias
    return result


def copying(hidden: tuple[str, ...], weights: tuple[float, ...]) -> BlockNetwork:
    """Hidden blocks that are copies of their sources; the answer is their mean by ``weights``, computed nowhere."""
    config = SMFRConfig(
        task="there", values=("A", "B"), outputs=("answer",), block_size=5, classes=5, iterations=1, repeats=False,
        depth=1, width=len(hidden), hidden=4, layers=1,
    )  # fmt: skip
    model = BlockNetwork(config).eval()
    with torch.no_grad():
        for parameter in model.parameters():
            parameter.zero_()
        first, last = model.smfr.mfnnr
        logits = torch.full((3, len(hidden)), -200.0)
        for position, source in enumerate(hidden):
            logits[config.inputs.index(source), position] = 200.0
        _bias(first.multiplexer).copy_(logits.flatten())
        _bias(last.multiplexer).copy_(torch.tensor(weights).log().clamp_min(-200.0))
        for mfnnr in (first, last):
            _bias(mfnnr.fnnr)[-mfnnr.N :] = -200.0
    return model


def one_hot(count: int = 24) -> BlockNoise:
    """The answer is A; B is the next digit."""
    digits = torch.arange(count) % 5
    part = replace(blocks(small("block_fnn", values=("A", "B"), outputs=("answer", "other")), count))
    values = torch.nn.functional.one_hot(torch.stack((digits, (digits + 1) % 5), dim=1), 5).float()
    tasks = torch.zeros(count, 1, 5)
    return BlockNoise(
        info=DatasetInfo("there", "Noise", classes=tuple("01234")),
        split="validation",
        blocks=type(part)(values, tasks, torch.zeros(count, dtype=torch.int64)),
        labels=digits,
        hashes=tuple(map(str, range(count))),
    )


def test_known_answer_3_one_copy_can_go_and_both_cannot() -> None:
    model, data = copying(("A", "A", "B"), (0.4, 0.4, 0.2)), one_hot()
    result = importance(model, [data])
    assert result.baseline.accuracy == 1
    assert (result.single["change"] == 0).all(), "either copy is enough"
    pairs = result.interactions["value"]
    assert float(pairs.sel(unit="1.1", other="1.2")) == -1, "together they are not"
    assert float(pairs.sel(unit="1.1", other="1.3")) == 0
    shares = dict(zip(result.shapley["unit"], result.shapley["value"], strict=True))
    assert shares["1.1"] == pytest.approx(shares["1.2"]) and shares["1.1"] > 0
    assert sum(shares.values()) == pytest.approx(result.shapley.attrs["total"])


def test_known_answer_4_a_dead_block_has_no_effect_bitwise() -> None:
    """It holds zeros and nobody reads it; where it alone is left, the answer is zeros as with none."""
    model, data = copying(("A", "B", "task"), (0.75, 0.25, 0.0)), one_hot()
    trace = record(model, data.inputs(slice(4)))
    assert (trace["multiplexer_weights"].sel(step="l2").isel(source=2, block=0) == 0).all()
    plain = score(model, data)
    for change in (Intervention(drop=("1.3",)), Intervention(mute=("1.3",)), Intervention(mute_routes=("1.3>answer",))):
        assert score(model, data, change).loss.tobytes() == plain.loss.tobytes()
    assert score(model, data, Intervention(drop=("1.1",))).accuracy == 0
    result = importance(model, [data])
    assert dict(zip(result.shapley["unit"], result.shapley["value"], strict=True))["1.3"] == 0


def test_a_table_of_what_blocks_are_made_of_is_the_trace() -> None:
    trace = traced(Intervention(drop=("1.2",)))
    table = making(trace)
    sources = trace["multiplexer_weights"].notnull().sum().item()
    assert len(table) == sources and set(table.block) | {"1.2"} == set(SOURCES)
    assert "1.2" not in set(table.source)
    by_block = table.groupby(["sample", "step", "block"], sort=False)
    np.testing.assert_allclose(by_block["weight"].sum(), 1, rtol=1e-5)
    assert (by_block["weight"].diff().fillna(0) <= 0).all(), "the largest first"
    assert list(dict.fromkeys(table["step"])) == list(MODEL.steps)
    assert list(dict.fromkeys(table["sample"])) == ["0", "1", "2", "3"]
    for row in table.sample(20, random_state=0).itertuples():
        at = level_of(row.block)
        here = trace.dataset.sel(sample=row.sample, step=row.step).isel(block=LEVELS[at].index(row.block))
        assert row.gate == here["gates"]
        assert row.weight == here["multiplexer_weights"].isel(source=LEVELS[at - 1].index(row.source))
    with pytest.raises(ValueError, match="multiplexer_weights and gates; this trace has"):
        making(record(MODEL, blocks(MODEL), only=("gates",)))
