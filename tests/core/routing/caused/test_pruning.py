"""Who goes and who stays, against literal accounts of it: numbers by layer, orders, curves and the keep-list's file."""

import math
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from routescope.nn.measures import BITS_A_BYTE
from routescope.nn.mixture.config import MixtureConfig
from routescope.nn.mixture.network import MixtureNetwork
from routescope.routing import Intervention, Scores, record, score
from routescope.routing.caused import pruning
from routescope.routing.caused.pruning import KeepList, KeptLayer, PruningError, by_chance, kept_of
from tests.core.routing.small import noise, small

CONFIG = MixtureConfig(
    domains=("here", "there"), context=11, layers=3, features=24, heads=2, experts=5, top_k=2, hidden=7
)
quick = settings(max_examples=25, deadline=None)


@pytest.fixture(scope="module")
def model() -> MixtureNetwork:
    torch.manual_seed(3)
    made = MixtureNetwork(CONFIG).eval().requires_grad_(False)
    for parameter in made.parameters():
        wide, drawn = parameter.dim() > 1, torch.randn_like(parameter)
        parameter.copy_(1.5 * drawn * parameter[0].numel() ** -0.5 if wide else parameter + 0.3 * drawn)
    return made


def costing(cost: dict[str, float]) -> Callable[[frozenset[str]], Scores]:
    """Scores in which every unit that is gone costs its own, and neighbours of a layer that are both gone twice it."""

    def value(kept: frozenset[str]) -> Scores:
        gone = [unit for unit in cost if unit not in kept]
        bits = sum(cost[unit] for unit in gone)
        bits += sum(cost[a] for a, b in zip(gone, gone[1:], strict=False) if a[:2] == b[:2])
        single = np.array([bits], np.float32)
        return Scores(single, single, np.array([-1], np.int16), 0.0, np.ones(1, np.float32), BITS_A_BYTE)

    return value


@quick
@given(st.integers(0, 2**32), st.sampled_from([0.0, 0.1, 0.3, 0.4, 0.55, 0.6, 0.8, 0.99, 1.0]))
def test_of_every_layer_the_first_of_an_order_go(seed: int, keep: float) -> None:
    network = MixtureNetwork(CONFIG)
    order = by_chance(network, seed)
    result = kept_of(network, order, keep)
    stay = {0.0: 2, 0.1: 2, 0.3: 2, 0.4: 2, 0.55: 3, 0.6: 3, 0.8: 4, 0.99: 5, 1.0: 5}[keep]
    for layer, part in zip(network.routed_layers, result.layers, strict=True):
        going = [unit for unit in order if unit in layer.units][: 5 - stay]
        assert set(part.dropped) == set(going)
        assert (part.units, len(part.kept)) == (tuple(u for u in layer.units if u not in going), stay)
        assert part.kept == tuple(sorted(part.kept))
    assert result.share == 3 * stay / 15


@quick
@given(st.integers(0, 2**32), st.sampled_from([0.0, 0.2, 0.5, 0.7, 0.9, 1.0]))
def test_of_all_layers_together_a_layer_keeps_what_a_token_takes(seed: int, keep: float) -> None:
    network = MixtureNetwork(CONFIG)
    order = by_chance(network, seed)
    going, left = list[str](), {"l1": 5, "l2": 5, "l3": 5}
    for unit in order:
        if len(going) < 15 - math.ceil(round(15 * keep, 6)) and left[unit[:2]] > 2:
            going.append(unit)
            left[unit[:2]] -= 1
    result = kept_of(network, order, keep, "all")
    assert set(result.dropped) == set(going)
    assert {layer.name: len(layer.kept) for layer in result.layers} == left
    assert network.refusal(Intervention(drop=result.dropped).changes, 3) is None


def test_use_and_weight_are_counted_token_by_token(model: MixtureNetwork) -> None:
    data = noise(model, 7, "there")
    usage = pruning.expert_usage(model, [data], limit=5)
    use, weight = dict.fromkeys(model.units, 0.0), dict.fromkeys(model.units, 0.0)
    trace = record(model, data.inputs(slice(0, 5)))
    for sample in range(5):
        for layer in range(3):
            experts, weights = (trace[name].values[sample, layer] for name in ("top_experts", "top_weights"))
            for part, of in zip(experts, weights, strict=True):
                for expert, share in zip(part, of, strict=True):
                    if expert >= 0:
                        use[f"l{layer + 1}.e{expert + 1}"] += 1
                        weight[f"l{layer + 1}.e{expert + 1}"] += share / of.sum()
    assert usage.tokens == use and sum(use.values()) == 5 * 12 * 3 * 2
    assert usage.weight == pytest.approx(weight, abs=1e-4)
    order = pruning.by_least(model, usage.tokens)
    assert [use[unit] for unit in order] == sorted(use.values()) and set(order) == set(model.units)


def test_orders_by_effect_and_greedily_are_those_of_a_literal_search() -> None:
    network = MixtureNetwork(CONFIG)
    rng = np.random.default_rng(5)
    cost = {unit: float(part) for unit, part in zip(network.units, rng.permutation(15) + 1, strict=True)}
    value = costing(cost)
    assert pruning.by_effect(network, value) == tuple(sorted(network.units, key=cost.__getitem__))

    kept, left, going = frozenset(network.units), {"l1": 5, "l2": 5, "l3": 5}, []
    for _ in range(6):  # six of fifteen go, and three of a layer stay
        may = [unit for unit in network.units if unit in kept and left[unit[:2]] > 3]
        worst = min(may, key=lambda unit: float(value(kept - {unit}).value[0]))
        kept, left[worst[:2]], going = kept - {worst}, left[worst[:2]] - 1, [*going, worst]
    assert pruning.greedily(network, value, 0.6) == tuple(going)
    assert set(kept_of(network, going, 0.6).dropped) == set(going)
    assert len(pruning.greedily(network, value, 0.6, at_once=4)) == 6
    view = network.keep([unit for unit in network.units if unit not in ("l1.e1", "l1.e2", "l1.e3")])
    assert set(pruning.by_effect(view, value)[-2:]) == {"l1.e4", "l1.e5"}, "what cannot be dropped goes last"


def test_curves_are_scores_of_views_paired_and_random_sets_a_band(model: MixtureNetwork) -> None:
    data = [noise(model, 6, "here"), noise(model, 5, "there", seed=1)]
    order = by_chance(model, 8)
    steps: list[tuple[int, int]] = []
    table = pruning.retained(
        model, data, {"mine": order}, [0.8, 0.4], draws=3, seed=2, progress=lambda *step: steps.append(step[:2])
    )
    assert steps[-1] == (8, 8) and table.attrs["metric"] == "bits a byte"
    assert len(table) == 2 * 2 * 3 and set(table["domain"]) == {"here", "there", "all"}
    for keep in (0.8, 0.4):
        change = Intervention(drop=kept_of(model, order, keep).dropped)
        row = table[(table["order"] == "mine") & (table["domain"] == "there") & (table["keep"] == keep)].iloc[0]
        before, after = score(model, data[1]), score(model, data[1], change)
        assert row.figure == pytest.approx(after.figure) and (row.low, row.high) == pytest.approx(after.interval)
        assert row.change == pytest.approx(after.figure - before.figure, abs=1e-6)
        assert row.change_low <= row.change <= row.change_high
        every = [
            score(model, data[1], Intervention(drop=kept_of(model, by_chance(model, 2 + draw), keep).dropped)).figure
            for draw in range(3)
        ]
        band = table[(table["order"] == "random") & (table["domain"] == "there") & (table["keep"] == keep)].iloc[0]
        assert (band.figure, band.low, band.high) == pytest.approx((np.mean(every), min(every), max(every)))
        assert (band.draws, band.share) == (3, keep)
    whole = pruning.retained(model, data[:1], {"mine": order}, [1.0], draws=0)
    assert whole["domain"].tolist() == ["here"]
    assert whole[["change", "change_low", "change_high"]].values.tolist() == [[0.0, 0.0, 0.0]]


def test_a_keep_list_is_a_file(model: MixtureNetwork) -> None:
    made = kept_of(model, by_chance(model, 1), 0.6, made={"order": "chance", "seed": 1})
    again = KeepList.from_json(made.to_json())
    assert again == made and again.made["order"] == "chance"
    first = made.to_dict()["layers"][0]
    assert [f"l1.e{index + 1}" for index in first["indices"]] == first["kept"] and first["index"] == 0
    assert made.view(model).units == tuple(unit for layer in made.layers for unit in layer.units)
    assert made.view(made.view(model)).units == made.view(model).units


@pytest.mark.parametrize(
    "text",
    [
        "[]",
        "{}",
        "no json",
        '{"format": "another", "layers": []}',
        '{"format": "routescope keep-list 1", "layers": [{"layer": "l1", "index": 0, "experts": 4}]}',
        '{"format": "routescope keep-list 1", "layers": [{"layer": "l1", "index": 0, "experts": 4, "indices": [4]}]}',
        '{"format": "routescope keep-list 1", "layers": [{"layer": "l1", "index":0, "experts": 2, "indices": [1, 0]}]}',
    ],
)
def test_what_is_no_keep_list_is_refused(text: str) -> None:
    with pytest.raises(PruningError, match="a keep-list is JSON"):
        KeepList.from_json(text)


def test_what_cannot_be_pruned_is_refused_in_words(model: MixtureNetwork) -> None:
    interpreter: Any = small("neural_interpreter")
    with pytest.raises(PruningError, match="this one has none"):
        kept_of(interpreter, interpreter.units, 0.5)
    with pytest.raises(PruningError, match="from 0 to 1, not 1.5"):
        kept_of(model, model.units, 1.5)
    with pytest.raises(PruningError, match="layer or all"):
        kept_of(model, model.units, 0.5, "some")  # type: ignore[arg-type]
    with pytest.raises(PruningError, match="other layers"):
        KeepList((KeptLayer("l1", 0, 5, (0, 1)),), {}).view(model)
    few = KeepList(tuple(KeptLayer(f"l{n + 1}", n, 5, (0,)) for n in range(3)), {})
    with pytest.raises(PruningError, match="layer 1 needs 2 experts"):
        few.view(model)
    with pytest.raises(PruningError, match="no order named 'random'"):
        pruning.retained(model, [noise(model)], {"random": model.units}, [0.5])
    with pytest.raises(PruningError, match="one unit or more"):
        pruning.greedily(model, costing({}), 0.5, at_once=0)
    numbers = {(5, 1, 5): "layer 2 cannot keep 1 of 5", (5, 5, 6): "2 to 5 can be kept", (5, 5): "of 3"}
    for counts, words in numbers.items():
        with pytest.raises(PruningError, match=words):
            pruning.kept_with(model, (), counts)


@quick
@given(st.integers(0, 2**32), st.lists(st.integers(2, 5), min_size=3, max_size=3))
def test_layers_keep_numbers_of_their_own(seed: int, counts: list[int]) -> None:
    network = MixtureNetwork(CONFIG)
    order = by_chance(network, seed)[: seed % 16]
    result = pruning.kept_with(network, order, counts, {"order": "chance"})
    for layer, part, count in zip(network.routed_layers, result.layers, counts, strict=True):
        named = [unit for unit in order if unit in layer.units]
        others = [unit for unit in layer.units if unit not in named]
        assert part.dropped == tuple(unit for unit in layer.units if unit in [*named, *others][: 5 - count])
    assert result.made["order"] == "chance"


def test_curves_go_from_one_fewer_to_what_tokens_need(model: MixtureNetwork) -> None:
    assert pruning.shares_of(model) == (4 / 5, 3 / 5, 2 / 5)
    assert pruning.shares_of(model, most=2) == (4 / 5, 2 / 5)
    assert pruning.shares_of(model, "all") == tuple(n / 15 for n in (14, 13, 12, 11, 9, 8, 7, 6))
    assert [round(15 * share) for share in pruning.shares_of(model, "all", 20)] == [*range(14, 5, -1)]
    assert all(kept_of(model, model.units, share, "all").share == share for share in pruning.shares_of(model, "all"))


@pytest.mark.parametrize(("order", "at_once"), [("tokens", 1), ("effect", 1), ("greedy", 1), ("greedy", 4)])
def test_no_order_scores_more_sets_than_it_says(model: MixtureNetwork, order: str, at_once: int) -> None:
    asked, value = list[frozenset[str]](), costing(dict.fromkeys(model.units, 1.0))

    def counting(kept: frozenset[str]) -> Scores:
        asked.append(kept)
        return value(kept)

    if order == "effect":
        pruning.by_effect(model, counting)
    if order == "greedy":
        assert len(pruning.greedily(model, counting, 0.0, "all", at_once)) == 9
    messages = pruning.scores_of_order(model, order, at_once)  # type: ignore[arg-type]
    assert messages >= len(asked) and (order == "tokens") == (messages == 0)
    if order == "greedy":
        assert messages == sum(15 - gone + 1 for gone in range(0, 9, at_once))
