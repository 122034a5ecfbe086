"""Two routings compared: against sets of Python, by hand, and on the bundled mixture of experts."""

from dataclasses import replace
from typing import Any

import numpy as np
import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from routescope import zoo
from routescope.data import load
from routescope.nn.mixture.config import MixtureConfig
from routescope.nn.mixture.network import MixtureNetwork
from routescope.routing import Intervention, record
from routescope.routing.compare import compare, decisions, record_log
from routescope.routing.logs import LogError, RoutingLog, Source, from_trace

EXPERTS = 4


def log_of(
    experts: Any, lengths: list[int] | None = None, layers: tuple[int, ...] = (), count: int = EXPERTS, **facts: Any
) -> RoutingLog:
    experts = np.asarray(experts)
    lengths = lengths or [len(experts)]
    indices = layers or tuple(range(experts.shape[1]))
    names = facts.pop("names", [str(at) for at in range(len(lengths))])
    return RoutingLog(
        source=Source("test", "1", "log"),
        layers=tuple(f"l{index + 1}" for index in indices),
        indices=indices,
        num_experts=count,
        experts=experts.astype(np.int16),
        sequence=np.repeat(np.arange(len(lengths), dtype=np.int32), lengths),
        sequences=tuple(names),
        **facts,
    )


@st.composite
def routings(draw: st.DrawFn) -> tuple[np.ndarray, np.ndarray]:
    """Two, (token, layer, slot) each, with slots that are empty."""
    shape = (draw(st.integers(1, 5)), draw(st.integers(1, 3)))
    choice = st.permutations(range(EXPERTS)).map(lambda order: order[:2])
    cell = st.one_of(choice, choice, st.integers(0, EXPERTS - 1).map(lambda e: [e, -1]), st.just([-1, -1]))
    both = [draw(st.lists(cell, min_size=shape[0] * shape[1], max_size=shape[0] * shape[1])) for _ in range(2)]
    first, second = (np.array(cells).reshape(*shape, 2) for cells in both)
    return first, second


@settings(max_examples=50, deadline=None)
@given(routings())
def test_agreement_is_of_sets(pair: tuple[np.ndarray, np.ndarray]) -> None:
    a, b = pair
    cells = [[(set(a[t, layer]) - {-1}, set(b[t, layer]) - {-1}) for layer in range(a.shape[1])] for t in range(len(a))]
    if not any(part and other for row in cells for part, other in row):
        with pytest.raises(LogError, match="no token has experts in both"):
            compare(log_of(a), log_of(b))
        return
    comparison = compare(log_of(a), log_of(b))
    for token, row in enumerate(cells):
        first, same = -1, []
        for layer, (share, other) in enumerate(row):
            assert comparison.there[token, layer] == (bool(share) and bool(other))
            if not (share and other):
                continue
            same.append(share == other)
            assert comparison.same[token, layer] == (share == other)
            assert comparison.overlap[token, layer] == pytest.approx(len(share & other) / max(len(share), len(other)))
            if share != other and first == -1:
                first = layer
        assert comparison.first()[token] == first
        if same:
            assert comparison.agreement()[token] == pytest.approx(sum(same) / len(same))
        else:
            assert np.isnan(comparison.agreement()[token])


def test_layers_count_what_began_there() -> None:
    a = log_of([[[0, 1], [0, 1]], [[0, 1], [0, 1]], [[0, 1], [0, 1]], [[0, 1], [0, 1]]])
    b = log_of([[[1, 0], [0, 1]], [[0, 2], [2, 3]], [[0, 1], [0, 2]], [[0, 1], [1, 0]]])
    first, second = compare(a, b).by_layer()
    assert (first.count, first.same, first.began, first.agreed) == (4, 0.75, 0.25, 4)
    assert (second.same, second.overlap) == (0.5, pytest.approx((1 + 0 + 0.5 + 1) / 4))
    assert (second.agreed, second.began) == (3, pytest.approx(1 / 3))
    assert second.same_interval[0] < 0.5 < second.same_interval[1]


def test_margins_are_binned_with_as_many_each() -> None:
    draws = np.random.default_rng(0)
    margin = draws.permutation(400).reshape(200, 2).astype(np.float32)
    a = np.broadcast_to([0, 1], (200, 2, 2)).copy()
    b = a.copy()
    b[margin < 40] = [2, 3]
    comparison = compare(log_of(a, margin=margin), log_of(b)).by_margin(10)
    assert [item.count for item in comparison] == [40] * 10
    assert [entry.differ for entry in comparison] == [1.0, *[0.0] * 9]
    assert all(element.interval[0] <= element.differ <= element.interval[1] for element in comparison)
    assert compare(log_of(a), log_of(b)).by_margin() == ()
    (alike,) = compare(log_of(a, margin=np.full((200, 2), 0.5, np.float32)), log_of(a)).by_margin()
    assert (alike.low, alike.high, alike.count, alike.differ) == (0.5, 0.5, 400, 0)


def test_sequences_layers_and_tokens_are_paired() -> None:
    """By name, else by order; tokens up to the first that differs."""
    a = np.arange(6).reshape(6, 1, 1) % EXPERTS
    other = log_of(np.concatenate((a[2:], a[:2])), [4, 2], names=["y", "x"])
    comparison = compare(log_of(a, [2, 4], names=["x", "y"]), other)
    assert comparison.same.all() and len(comparison) == 6
    assert not any("order" in note for note in comparison.notes)
    ids = {name: np.array(values) for name, values in (("first", [1, 2, 3, 4, 5]), ("other", [1, 2, 9, 4]))}
    zeros = np.zeros((5, 1, 1))
    comparison = compare(log_of(zeros, token_ids=ids["first"]), log_of(zeros[:4], token_ids=ids["other"], names=["z"]))
    assert comparison.places[0].tolist() == [0, 1]
    assert any(note.startswith("3 tokens") for note in comparison.notes)
    assert any("in their order" in note for note in comparison.notes)
    layered = np.stack((np.zeros((3, 1)), np.ones((3, 1))), axis=1)
    assert compare(log_of(layered, layers=(2, 5)), log_of(layered[:, 1:], layers=(5,))).same.all()
    comparison = compare(log_of(layered, layers=(2, 5)), log_of(layered, layers=(0, 1)))
    assert comparison.same.all() and any("Layers are paired in their order" in note for note in comparison.notes)


def test_what_cannot_be_compared_is_refused() -> None:
    a = np.zeros((4, 1, 1))
    for other, messages in (
        (log_of(a, count=8), "4 experts a layer and B 8"),
        (log_of(np.zeros((4, 2, 1)), layers=(7, 8)), "no layer in common"),
        (log_of(a, [2, 2], names=["p", "q"]), "1 sequences and B 2"),
        (log_of(a, token_ids=np.full(4, 9)), "no token in common"),
    ):
        with pytest.raises(LogError, match=messages):
            compare(log_of(a, token_ids=np.arange(1, 5)), other)


# -- networks ----------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def network() -> MixtureNetwork:
    torch.manual_seed(0)
    return MixtureNetwork(MixtureConfig(context=32, layers=2, features=16, heads=2, experts=4, hidden=8)).eval()


def test_what_is_recorded_is_what_a_trace_holds(network: MixtureNetwork) -> None:
    sets_ = [load("sums", "validation", limit=3), load("listops", "validation", limit=2)]
    result = record_log(network, sets_)
    number = 0
    for texts in sets_:
        ids = [f"{texts.name}.validation.{row}" for row in range(len(texts))]
        trace = record(network, texts.inputs(slice(None)), sample_ids=ids)
        wanted = from_trace(trace)
        for row, text in enumerate(texts.texts):
            rows, part = result.log.sequence == number, wanted.sequence == row
            assert rows.sum() == 1 + len(text.encode()), "tokens beyond the context are logged too, in windows"
            places = np.flatnonzero(rows)[: part.sum()]
            np.testing.assert_array_equal(result.log.experts[places], wanted.experts[part])
            assert wanted.token_texts is not None and result.log.token_texts is not None
            written = "".join(np.array(result.log.token_texts)[rows])
            assert written == "<start>" + text
            present = (trace["top_experts"].values[row] >= 0).any(axis=(0, 2))
            np.testing.assert_allclose(result.nats[places], trace["nats"].values[row, 0][present], atol=1e-5)
            number += 1
    assert number == 1 + result.log.sequence.max()
    assert compare(result.log, result.log).same.all()


def test_logs_of_networks_say_what_is_unverified_cut_or_taken_by_nobody(network: MixtureNetwork) -> None:
    texts = load("sums", "validation", limit=2)
    trace = record(network, texts.inputs(slice(None)), sample_ids=["a", "b"])
    trace.dataset.attrs["unverified_routing"] = "l2: capacity"
    trace.dataset.coords["tokens_left_out"] = ("sample", np.array([3, 0]))
    trace.dataset["top_experts"].transpose("sample", "token", "step", "slot").values[0, 1] = -1  # over the capacity
    log = from_trace(trace, "trace.nc")
    assert any("Unverified routing: l2: capacity" in note for note in log.notes)
    assert any("left out 3 tokens" in note for note in log.notes)
    assert len(log) == (trace["token_text"].values != "").sum() and (log.experts[1] == -1).all()

    class Unverified(MixtureNetwork):
        @property
        def unverified(self) -> dict[str, str]:
            return {"l1": "the router is not called"}

    other = Unverified(network.config)
    assert "l1: the router is not called" in record_log(other, [texts]).log.notes[0]
    assert not record_log(network, [texts]).log.notes


def test_dropped_experts_are_taken_by_nobody_and_tokens_without_them_agree(network: MixtureNetwork) -> None:
    texts = [load("sums", "validation", limit=4)]
    whole, without = (record_log(network, texts, item).log for item in (None, Intervention(drop=("l1.e2",))))
    assert not (without.experts[:, 0] == 1).any()
    comparison = compare(whole, without)
    took = (whole.experts[:, 0] == 1).any(axis=1)
    np.testing.assert_array_equal(comparison.same[:, 0], ~took)


def test_a_precision_is_of_a_copy(network: MixtureNetwork) -> None:
    texts = [load("sums", "validation", limit=2)]
    before = next(network.parameters())
    low = record_log(network, texts, precision="bfloat16")
    assert next(network.parameters()) is before and before.dtype == torch.float32
    part, wide = (record_log(network, texts, precision=item) for item in (None, "float64"))
    assert compare(part.log, wide.log).same.mean() > compare(part.log, low.log).same.mean() - 1e-9
    with pytest.raises(LogError, match="not routed to experts"):
        record_log(zoo.load("ni-digits"), [])
    with pytest.raises(LogError, match="there are float64"):
        record_log(network, texts, precision="int3")


def test_a_decision_is_what_a_token_took_in_both() -> None:
    first = log_of([[[0, 1], [2, 3]], [[1, 2], [0, -1]]], margin=np.array([[0.5, 0.25], [np.nan, 2]], np.float32))
    other = log_of([[[1, 0], [2, 3]], [[1, 3], [-1, -1]]], layers=(4, 5))
    weighted = replace(other, weights=np.array([[[3, 1], [1, 1]], [[1, 7], [0, 0]]], np.float16))
    comparison = compare(first, weighted)
    zero, single = (decisions(first, weighted, comparison, token) for token in (0, 1))
    assert [entry.same for entry in zero] == [True, True] and [entry.same for entry in single] == [False, None]
    assert [(element.unit, element.index, element.share) for element in zero[0].a.taken] == [
        ("l1.e1", 0, 0.5),
        ("l1.e2", 1, 0.5),
    ]
    assert [(expert.unit, expert.share) for expert in zero[0].b.taken] == [("l5.e2", 0.75), ("l5.e1", 0.25)]
    assert [(expert.unit, expert.share) for expert in single[0].b.taken] == [("l5.e4", 0.875), ("l5.e2", 0.125)]
    assert [(expert.unit, expert.share) for expert in single[1].a.taken] == [("l2.e1", 1.0)] and single[1].b.taken == ()
    assert (zero[1].a.margin, single[0].a.margin, zero[0].b.margin) == (0.25, None, None)
    with pytest.raises(LogError, match="token 2 of A was not compared"):
        decisions(first, weighted, comparison, 2)
