"""Mixtures beside a literal computation: record, score, drop, mute, mean, top-k, Shapley values, load, co-use."""

import copy
import math
from dataclasses import dataclass
from typing import Any

import numpy as np
import pytest

from routescope import zoo
from routescope.data.text.sets import TextSet, own_texts
from routescope.nn.adapters.transformers import from_transformers
from routescope.nn.inputs.text import Text
from routescope.nn.mixture.routed import RoutedNetwork
from routescope.routing import Intervention, record, score
from routescope.routing.caused.importance import importance
from routescope.routing.caused.scoring import KeptUnits
from routescope.routing.caused.shapley import shapley_sampled
from routescope.routing.observed.load import LoadObserver
from tests.core.nn.adapters.families import model_of
from tests.oracles import mixture
from tests.oracles.mixture import Change, Expert, Sizes, Weights

#: Of different lengths, with a character of several bytes.
TEXTS = ("if x:", "2 + 2 = 4\n", "é!")
#: The same for Shapley values, which need every subset.
FEW = ("é!", "x:")
CLOSE = 1e-6


@dataclass(frozen=True, eq=False)
class Case:
    """A network of the project in double precision, and what the oracle computes with in its place."""

    network: RoutedNetwork
    weights: Weights
    sizes: Sizes
    #: The layer whose experts are the players of Shapley values, and these.
    players: tuple[Expert, ...]

    def bits(self, texts: tuple[str, ...] = TEXTS, **change: Any) -> float:
        """Bits a byte by the oracle."""
        return mixture.bits_a_byte(self.weights, self.sizes, texts, Change(**change))


def bundled() -> Case:
    network = copy.deepcopy(zoo.load("moe-bytes")).double()
    assert isinstance(network, RoutedNetwork)
    sizes = Sizes(layers=4, heads=4, top_k=2, theta=10_000.0, eps=1e-5, normalise=True, norm="all")
    path = zoo.path_of("moe-bytes")
    return Case(network, mixture.moe_bytes(path, sizes.layers), sizes, tuple((3, e) for e in range(8)))


def adapted(family: str, sizes: Sizes) -> Case:
    model = model_of(family).double()
    for name, parameter in model.named_parameters():  # its norms are in single precision: errors are not to grow
        parameter.mul_(0.1 if "gate.weight" in name else 0.4 if parameter.dim() > 1 else 1)
    model.set_experts_implementation("eager")  # others compute in single precision alone
    weights = {name: tensor.double() for name, tensor in model.state_dict().items()}
    return Case(from_transformers(model), weights, sizes, tuple((1, e) for e in range(6)))


CASES = {
    "moe-bytes": bundled,
    "olmoe": lambda: adapted("olmoe", Sizes(2, 2, 2, 10_000.0, 1e-5, normalise=False, norm="all")),
    "mixtral": lambda: adapted("mixtral", Sizes(2, 2, 2, 1_000_000.0, 1e-5, normalise=True, norm="")),
    "qwen3_moe": lambda: adapted("qwen3_moe", Sizes(2, 2, 2, 10_000.0, 1e-6, normalise=False, norm="head")),
}


@pytest.fixture(scope="module", params=CASES)
def case(request: pytest.FixtureRequest) -> Case:
    made: Case = CASES[request.param]()  # type: ignore[no-untyped-call]
    return made


@pytest.fixture(scope="module")
def data() -> TextSet:
    return own_texts(TEXTS, "python")


def unit(expert: Expert) -> str:
    return f"l{expert[0] + 1}.e{expert[1] + 1}"


def close(value: Any, expected: Any) -> None:
    np.testing.assert_allclose(value, expected, atol=CLOSE, rtol=0)


def test_what_is_recorded_is_what_the_router_decided(case: Case) -> None:
    fields = ("router_logits", "top_experts", "top_weights", "compatibility", "margin")
    trace = record(case.network, Text(TEXTS), fields).dataset
    for row, text in enumerate(TEXTS):
        _, routed = mixture.run(case.weights, case.sizes, (256, *text.encode()))
        for step, tokens in enumerate(routed):
            part = trace.isel(sample=row, step=step)
            for token, expected in enumerate(tokens):
                result = part.isel(token=token)
                logits = [expected.logits[e] for e in range(len(expected.logits))]
                close(result["router_logits"].values, logits)
                assert result["top_experts"].values.tolist() == expected.experts
                close(result["top_weights"].values, expected.weights)
                shares = np.zeros(len(logits))
                shares[expected.experts] = np.array(expected.weights) / sum(expected.weights)
                close(result["compatibility"].values, shares)
                best = sorted(logits, reverse=True)
                close(float(result["margin"]), best[case.sizes.top_k - 1] - best[case.sizes.top_k])


def test_the_score_is_bits_over_bytes(case: Case, data: TextSet) -> None:
    scores = score(case.network, data)
    close(scores.figure, case.bits())
    for row, text in enumerate(TEXTS):
        nats, _ = mixture.run(case.weights, case.sizes, (256, *text.encode()))
        close(scores.value[row], sum(nats) / len(text.encode()) / math.log(2))


#: Changes that the project and the oracle make alike; experts whose mean is added are told apart below.
CHANGES: list[dict[str, Any]] = [
    {"drop": {(0, 1)}},
    {"drop": {(0, 0), (1, 2), (1, 3)}},
    {"mute": {(0, 1)}},
    {"mute": {(0, 0), (1, 2), (1, 3)}},
    {"top_k": 1},
    {"top_k": 3, "mute": {(1, 0)}},
]


def test_changed_mixtures_are_scored_as_by_the_oracle(case: Case, data: TextSet) -> None:
    for change in CHANGES:
        units = {kind: tuple(map(unit, change[kind])) for kind in ("drop", "mute") if kind in change}
        expected = {kind: frozenset(change[kind]) for kind in units} | {"top_k": change.get("top_k")}
        result = score(case.network, data, Intervention(**units, top_k=change.get("top_k"))).figure
        close(result, case.bits(**{name: value for name, value in expected.items() if value is not None}))
    for experts in (((0, 1),), ((0, 2), (1, 0))):
        means = mixture.mean_additions(case.weights, case.sizes, TEXTS, experts)
        result = score(case.network, data, Intervention(mean=tuple(map(unit, experts)))).figure
        close(result, case.bits(means=means))


@pytest.mark.parametrize("top_k", [None, 1])
def test_shapley_values_and_drop_effects(top_k: int | None) -> None:
    case = CASES["qwen3_moe"]()  # type: ignore[no-untyped-call]
    data, layer, every = own_texts(FEW, "python"), case.players[0][0], frozenset(case.players)
    change = {} if top_k is None else {"top_k": top_k}
    expected = mixture.shapley(case.players, lambda there: -case.bits(FEW, mute=every - there, **change))
    result = importance(case.network, [data], kind="mute", layer=f"l{layer + 1}", draws=1, base=Intervention(**change))
    assert result.exact and result.units == tuple(map(unit, case.players)) and result.attrs["layer"] == f"l{layer + 1}"
    whole, none = (case.bits(FEW, mute=gone, **change) for gone in (frozenset(), every))
    close(result.shapley["value"], list(expected.values()))
    close([result.total, sum(expected.values())], none - whole)
    effects = [case.bits(FEW, mute=frozenset({player}), **change) - whole for player in case.players]
    close(result.single["change"], effects)
    assert set(result.retention["dropped"]) == set(range(7)) and result.interactions.sizes["unit"] == 6
    if top_k is None:
        sampled = shapley_sampled(result.units, KeptUnits.of(case.network, [data], kind="mute", units=result.units), 4)
        close(sampled.table["value"].sum(), sum(expected.values()))


def test_load_and_co_use(case: Case, data: TextSet) -> None:
    observer = LoadObserver(case.network, [data], shuffles=1, pairs=True)
    for _ in observer:
        pass
    result = observer.result()
    load, together = mixture.counts(case.weights, case.sizes, TEXTS)
    chosen = result.chosen.sum(axis=2)
    assert result.together is not None
    for layer in range(case.sizes.layers):
        experts = range(chosen.shape[1])
        assert chosen[layer].tolist() == [load.get((layer, e), 0) for e in experts]
        pairs = [[together.get((layer, first, other), 0) for other in experts] for first in experts]
        assert result.together[layer].tolist() == pairs
        close(result.load[layer], np.array([load.get((layer, e), 0) for e in experts]) / chosen[layer].sum())
    assert chosen.sum() == case.sizes.layers * case.sizes.top_k * sum(1 + len(text.encode()) for text in TEXTS)
