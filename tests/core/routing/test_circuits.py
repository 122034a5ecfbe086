"""Networks whose units read each other: views, ablations and links, on random circuits and on one that is known."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any
from unittest import mock

import numpy as np
import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st
from torch import Tensor

from routescope.nn.circuit.network import Circuit
from routescope.nn.probe import listening
from routescope.routing import Intervention, InterventionError, record, score
from routescope.routing.ablation import donors
from routescope.routing.caused.connectivity import by_connectivity, least_connected
from routescope.routing.caused.retention import retention
from routescope.routing.caused.scoring import KeptUnits
from routescope.routing.compute import flops_per_sample
from routescope.routing.graphs.matching import distance_to_prior, match, matched
from routescope.routing.graphs.priors import prior
from routescope.routing.trace import constant_sizes, constants_of
from tests.core.routing.hooks import hooks_on
from tests.core.routing.small import CIRCUITS, inputs, noise, small
from tests.core.routing.toy_circuit import ToyCircuit, star
from tests.core.routing.toys import balanced, labelled

quick = settings(max_examples=25, deadline=None)


@pytest.fixture(scope="module", params=CIRCUITS)
def circuit(request: pytest.FixtureRequest) -> Any:
    """Without and with learned links."""
    return small(request.param)


@pytest.fixture(scope="module")
def linked() -> Any:
    """A circuit with learned links."""
    return small("neural_attentive_circuit")


# ----------------------------------------------------------------------------------------------------- known answers


@pytest.fixture(scope="module")
def toy() -> ToyCircuit:
    return star()


def accuracy(model: Any, label: int, change: Intervention) -> float:
    return score(model, labelled([label] * 5), change).accuracy


@quick
@given(st.sets(st.integers(0, 4)), st.sets(st.integers(0, 4)), st.integers(0, 2))
def test_a_label_is_right_where_its_reader_reaches_the_speaker(gone: set[int], muted: set[int], layers: int) -> None:
    model = star()
    change = Intervention(
        tuple(model.units[u] for u in gone), tuple(model.units[u] for u in muted), layers, keep_edges=1.0
    )
    silent = gone | muted
    for label in range(4):
        right = layers > 0 and not {label, 4} & silent
        assert accuracy(model, label, change) == right, (label, change)
    assert hooks_on(model) == []


def test_the_weakest_links_are_cut_first(toy: ToyCircuit) -> None:
    """Of ten links the four to the speaker are the strongest, that of m1 first: labels are lost one at a time.

    Links are counted among the modules that stay: without m2 there are six, three of them to the speaker.
    """
    data = balanced(3)
    for kept in range(11):
        scores = score(toy, data, Intervention(keep_edges=kept / 10))
        assert scores.correct.tolist() == (data.labels.numpy() < kept).tolist()
    change = Intervention(drop=("m2",), keep_edges=2 / 6)
    assert [accuracy(toy, label, change) for label in range(4)] == [1, 0, 1, 0]


def test_a_donor_s_state_is_what_others_read(toy: ToyCircuit) -> None:
    """The speaker says at every step what it says for another sample: its label is found."""
    data = balanced(5)
    scores = score(toy, data, Intervention(resample=("m5",)), seed=3)
    partner = data.labels.numpy()[donors(len(data), 3)]
    assert scores.predicted.tolist() == partner.tolist()
    assert 0 < scores.accuracy < 1


def test_the_least_connected_go_first(toy: ToyCircuit) -> None:
    assert by_connectivity(toy) == ("m4", "m3", "m2", "m1", "m5")
    assert least_connected(toy, 2) == ("m4", "m3")
    view = toy.keep(("m5", "m1", "m3"))
    assert by_connectivity(view) == ("m3", "m1", "m5")
    for count in (-1, 6):
        with pytest.raises(InterventionError, match="5 units"):
            least_connected(toy, count)
    with pytest.raises(InterventionError, match="no links"):
        by_connectivity(small("perceiver_io"))
    equal = star(spoken=[0.5] * 4)
    assert by_connectivity(equal)[:4] == ("m1", "m2", "m3", "m4"), "equal ones in their own order"
    least = by_connectivity(toy)
    curve = retention(
        toy.units,
        KeptUnits.of(toy, [balanced(2)]),
        ranked=False,
        orders={"least connected first": least, "most connected first": least[::-1]},
        draws=1,
    ).set_index(["order", "dropped"])["accuracy"]
    assert [curve["least connected first", gone] for gone in range(6)] == [1, 0.75, 0.5, 0.25, 0, 0]
    assert [curve["most connected first", gone] for gone in range(6)] == [1, 0, 0, 0, 0, 0]


# --------------------------------------------------------------------------------------------------- dropping, muting


def test_a_pruned_circuit_is_the_whole_with_those_modules_masked(circuit: Any) -> None:
    """Nobody reads them: their columns are cut, in the layers and in the read-out."""
    batch = inputs(circuit, 4)
    for gone in ((0,), (1, 3, 6), (0, 1, 2, 4, 5, 6)):
        masked = circuit.keep(circuit.units)
        columns = torch.zeros(7, dtype=torch.bool).index_fill(0, torch.tensor(gone), True)

        def kernels(self: Any, log_P: Tensor, log_P_out: Tensor, columns: Tensor = columns) -> tuple[Tensor, ...]:
            return tuple(item.masked_fill(columns, -torch.inf) for item in (*[log_P] * 3, log_P_out))

        def complete(self: Any, _samples: int, kernels: Any = kernels) -> tuple[Tensor, ...]:
            return kernels(self, self.link_log_probability(), self.readout_link_log_probability())

        # with gradients, nothing that was prepared before is found again
        whole = ("_kernels", kernels) if circuit.has_links else ("_log_kernels", complete)
        with mock.patch.object(Circuit, *whole):
            wanted = masked(batch)
        pruned = circuit.keep([unit for u, unit in enumerate(circuit.units) if u not in gone])
        torch.testing.assert_close(pruned(batch), wanted, rtol=1e-4, atol=1e-4)
        assert not torch.allclose(pruned(batch), circuit(batch), rtol=1e-3, atol=1e-3)


def test_a_muted_module_is_read_by_nobody_and_nothing_is_renormalised(circuit: Any) -> None:
    batch, muted = inputs(circuit), ("m2", "m5")
    plain = record(circuit, batch, only=("messages", "read_out", "attention"))
    result = record(circuit, batch, only=("messages", "read_out", "attention"), intervention=Intervention(mute=muted))
    for name in ("messages", "attention"):
        assert (result[name].sel(sender=list(muted)) == 0).all()
        others = [unit for unit in circuit.units if unit not in muted]
        first = (item[name].isel(layer=0).sel(sender=others).values for item in (result, plain))
        np.testing.assert_array_equal(*first), "the first layer's senders are as they were"
    assert (result["messages"].sum("sender") < 1 - 1e-4).all()
    np.testing.assert_allclose(plain["messages"].sum("sender"), 1, rtol=1e-5)
    assert (result["read_out"].sel(unit=list(muted)) == 0).all()
    np.testing.assert_allclose(result["messages"].values, result["attention"].mean("head").values, atol=1e-6)


# -------------------------------------------------------------------------------------------------- mean and resample


@contextmanager
def sending(replace: dict[tuple[int, int], Tensor]) -> Iterator[None]:
    """Others read something else of some (step, module) for as long as this lasts."""
    sent = Circuit._sent

    def _sent(self: Any, theta: Tensor, step: int) -> Tensor:
        part = sent(self, theta, step)
        return torch.stack([replace.get((step, u), part[:, u]) for u in range(part.shape[1])], dim=1)

    with mock.patch.object(Circuit, "_sent", _sent):
        yield


@pytest.mark.parametrize("kind", ["mean", "resample"])
@pytest.mark.parametrize("base", [Intervention(), Intervention(drop=("m2",), iterations=2)])
def test_what_others_read_is_replaced_as_by_hand(circuit: Any, kind: str, base: Intervention) -> None:
    data, chosen = noise(circuit, 17), ("m4", "m6")
    batch = data.inputs(slice(None))
    view = base.apply(circuit)
    with torch.no_grad(), listening(view, ("contributions",)) as captured:
        view(batch, base.iterations)
    replace = {}
    for step, states in captured["contributions"]:
        for unit in chosen:
            position = view.units.index(unit)
            part = states[position]
            by_hand = part.double().mean(dim=0).float().expand(len(part), -1)
            replace[step, position] = by_hand if kind == "mean" else part[torch.from_numpy(donors(len(data), 5))]
    with sending(replace), torch.no_grad():
        wanted = base.apply(circuit)(batch, base.iterations)[:, 1]
    change = Intervention(**{kind: chosen}, drop=base.drop, iterations=base.iterations)
    scores = score(circuit, data, change, seed=5, first_batch=4, batch_size=9)
    losses = torch.nn.functional.cross_entropy(wanted, data.labels, reduction="none").numpy()
    np.testing.assert_allclose(scores.loss, losses, rtol=1e-3, atol=1e-4)
    assert not np.allclose(scores.loss, score(circuit, data, base).loss, rtol=1e-2), "the replacement matters here"


def test_a_replaced_module_keeps_its_own_state(circuit: Any) -> None:
    """What others read of it is replaced; what it carries on itself is its own, and can be recorded."""
    data = noise(circuit, 9)
    batch = data.inputs(slice(None))
    only = ("states", "contributions")
    plain = record(circuit, batch, only=only)
    result = record(circuit, batch, only=only, intervention=Intervention(mean=("m3",)), reference=data)
    left = {"unit": "m3"}
    np.testing.assert_array_equal(result["states"].isel(step=0).values, plain["states"].isel(step=0).values)
    mean = plain["contributions"].isel(step=0).sel(left).mean("sample")
    np.testing.assert_allclose(result["contributions"].isel(step=0).sel(left).values, [mean.values] * 9, atol=1e-5)
    assert float(result["states"].isel(step=1).sel(left).std("sample").max()) > 1e-3, "its own state still varies"


# --------------------------------------------------------------------------------------------------------------- links


@quick
@given(st.lists(st.floats(0, 1), min_size=2, max_size=6), st.sets(st.integers(0, 6), max_size=5))
def test_fewer_links_are_some_of_more_links(shares: list[float], gone: set[int]) -> None:
    model = small("neural_attentive_circuit")
    stays = [u for u in range(7) if u not in gone]
    pairs = len(stays) * (len(stays) - 1) // 2
    drop = tuple(model.units[u] for u in gone)
    whole = Intervention(drop=drop).apply(model).link_probability().detach()
    before: Tensor | None = None
    for share in sorted(shares):
        view = Intervention(drop=drop, keep_edges=share).apply(model)
        P = view.link_probability().detach()
        present = P > 0
        assert torch.equal(P[present], whole[present])
        assert torch.equal(present, present.T)
        assert present.diagonal().all()
        assert int(present.triu(1).sum()) == pairs - round((1 - share) * pairs)
        if not present.all():
            assert whole[~present].max() <= whole[present].min() + 1e-6, "the smallest go first"
        assert before is None or (present | ~before).all(), "what fewer links keep, more links keep"
        before = present


def test_all_links_are_the_baseline_bitwise_and_none_leave_modules_alone(linked: Any) -> None:
    data = noise(linked)
    plain = score(linked, data)
    assert score(linked, data, Intervention(keep_edges=1)).loss.tobytes() == plain.loss.tobytes()
    alone = record(linked, inputs(linked), intervention=Intervention(keep_edges=0))
    part = np.eye(7, dtype=bool)
    assert (alone["messages"].values[..., ~part] == 0).all()
    np.testing.assert_allclose(alone["messages"].values[..., part], 1, rtol=1e-6)
    assert (alone["link_probability"].values[~part] == 0).all()
    assert (alone["readout_link_probability"].values > 0).all(), "links to the read-out are not among those"
    assert score(linked, data).loss.tobytes() == plain.loss.tobytes()


def test_links_that_are_cut_cost_what_others_cost(linked: Any) -> None:
    """So that any number of shares is counted once."""
    gone = Intervention(drop=linked.units[:2])
    result = flops_per_sample(linked, gone)
    cut = Intervention(drop=linked.units[:2], keep_edges=0.3)
    assert flops_per_sample(cut.apply(linked)) == result, "counted with the links cut"
    with mock.patch("routescope.routing.compute._count", side_effect=AssertionError):
        assert flops_per_sample(linked, cut) == result


def test_sizes_of_constants_are_told_without_a_search(circuit: Any) -> None:
    for model in (circuit, small("neural_attentive_circuit", prior="ring-of-cliques")):
        with mock.patch("routescope.routing.graphs.order._searched", side_effect=AssertionError):
            sizes = constant_sizes(model)
        assert sizes == {key: tensor.nbytes for key, (_, tensor) in constants_of(model).items()}


def test_a_trace_has_the_prior_in_the_order_of_the_modules() -> None:
    """Also of modules that a view leaves out, as the search finds it; and only where there is a prior."""
    model = small("neural_attentive_circuit", prior="ring-of-cliques", modules=23)
    model.prior_order.copy_(torch.randperm(23, generator=torch.Generator().manual_seed(2)))
    with torch.no_grad():
        P = model.link_probability().double().numpy()
    P0 = prior("ring-of-cliques", 23)
    trace = record(model, inputs(model), only=(), intervention=Intervention(drop=("m3",), keep_edges=0.2))
    result, order = trace["prior_link_probability"], trace["prior_order"].values
    assert result.dims == ("unit", "sender") and sorted(order) == list(range(23))
    np.testing.assert_allclose(result.values, matched(P0, order), atol=1e-6)
    searched = match(P, P0), match(P, P0, start=model.prior_order.numpy())
    best = min(distance_to_prior(P, P0, item) for item in searched)
    assert distance_to_prior(P, P0, order) == pytest.approx(best, abs=1e-9)
    assert best < distance_to_prior(P, P0, model.prior_order.numpy())
    assert (trace["link_probability"].sel(unit="m3") == 0).all()
    with mock.patch("routescope.routing.graphs.order._searched", side_effect=AssertionError):
        again = record(model, inputs(model), only=(), intervention=Intervention(mute=("m4",)))["prior_order"].values
    assert again.tolist() == order.tolist(), "searched for once"
    with torch.no_grad():
        model.processor.signatures.copy_(model.processor.signatures.flip(0))
    assert record(model, inputs(model), only=())["prior_order"].values.tolist() != order.tolist()
    for other in map(small, CIRCUITS):
        assert not {"prior_link_probability", "prior_order"} & set(record(other, inputs(other)).dataset)
