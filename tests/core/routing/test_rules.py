"""Rules in place of names: what they stand for, by a literal count, and what they refuse."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from routescope.data.text.sets import own_texts
from routescope.nn.mixture.config import MixtureConfig
from routescope.nn.mixture.network import MixtureNetwork
from routescope.routing import Intervention, InterventionError
from routescope.routing.caused.pruning import by_least, expert_usage
from routescope.routing.observed.usage import Usage
from routescope.routing.rules import RuleError, units_of

MODEL = MixtureNetwork(MixtureConfig(context=8, layers=2, features=16, heads=2, experts=4, hidden=4))
UNITS = MODEL.all_units  # l1.e1 to l2.e4
USE = dict(zip(UNITS, (0.1, 0.2, 0.3, 0.4, 0.05, 0.06, 0.07, 0.82), strict=True))


def test_a_layer_by_its_name_and_the_least_used_by_their_use() -> None:
    assert units_of(MODEL, ["l2.*"]) == ("l2.e1", "l2.e2", "l2.e3", "l2.e4")
    assert units_of(MODEL, ["l1.e4", "l2.e3", "l1.e4"]) == ("l1.e4", "l2.e3")
    # of layer 2 only two can go, whatever is used less than the first of layer 1
    assert units_of(MODEL, ["least:3"], lambda: USE) == ("l2.e1", "l2.e2", "l1.e1")
    assert units_of(MODEL, ["least:3"], lambda: USE, dropping=False) == ("l2.e1", "l2.e2", "l2.e3")
    assert units_of(MODEL, ["l1.least:1", "l2.e4"], lambda: USE) == ("l1.e1", "l2.e4")
    assert units_of(MODEL, ["share:0.3"], lambda: USE) == ("l1.e1", "l2.e1")  # 1.2 of 4, rounded down
    assert units_of(MODEL, ["l1.least:3"], lambda: USE, top_k=1) == ("l1.e1", "l1.e2", "l1.e3")


@given(st.integers(0, 4), st.lists(st.floats(0, 1), min_size=8, max_size=8))
@settings(max_examples=30, deadline=None)
def test_the_least_used_leave_as_many_of_a_layer_as_a_token_takes(count: int, shares: list[float]) -> None:
    use = dict(zip(UNITS, shares, strict=True))
    gone = units_of(MODEL, [f"least:{count}"], lambda: use)
    assert len(gone) == len(set(gone)) == count
    for layer in ("l1", "l2"):
        part = [unit for unit in UNITS if unit.startswith(layer)]
        left = [unit for unit in part if unit not in gone]
        assert len(left) >= 2
        out = [use[unit] for unit in part if unit in gone]
        assert not out or max(out) <= min(use[unit] for unit in left)
    Intervention(drop=gone).validate(MODEL)


@pytest.mark.parametrize(
    ("rule", "says"),
    [
        ("l9.*", "names no unit; units are l1.e1 to l2.e4"),
        ("least:5", "up to 4 of 8 units"),
        ("l1.least:3", "up to 2 of 4 units"),
        ("l7.least:1", "there is no layer l7; there are l1, l2"),
        ("share:0.9", "2 experts of a layer stay"),
        ("share:2", "is no rule; a rule is"),
        ("most:4", "is no rule; a rule is"),
    ],
)
def test_what_cannot_be_is_refused_with_what_can(rule: str, says: str) -> None:
    with pytest.raises(RuleError, match=says.replace("*", r"\*")):
        units_of(MODEL, [rule], lambda: USE)


def test_an_intervention_says_rules_by_units_and_asks_for_use_only_where_one_does() -> None:
    def never() -> dict[str, float]:
        raise AssertionError("nobody asked")

    result = Intervention(drop=("l1.e1",), mute=("l2.*",)).resolved(MODEL, never)
    assert result == Intervention(drop=("l1.e1",), mute=("l2.e1", "l2.e2", "l2.e3", "l2.e4"))
    with pytest.raises(InterventionError, match="needs 2 experts"):
        Intervention(drop=("l2.*",)).resolved(MODEL).validate(MODEL)
    with pytest.raises(InterventionError, match="not known here"):
        Intervention(drop=("least:1",)).resolved(MODEL)


def test_a_kept_set_is_what_is_in_it_and_an_unknown_one_is_said() -> None:
    kept = {"0123456789abcdef": ("l1.e4", "l2.e2")}
    result = Intervention(drop=("set:0123456789abcdef", "l1.e1"), mute=("l2.e1",)).resolved(MODEL, kept=kept.get)
    assert result == Intervention(drop=("l1.e1", "l1.e4", "l2.e2"), mute=("l2.e1",))
    with pytest.raises(InterventionError, match="there is no set set:0000000000000000"):
        Intervention(drop=("set:0000000000000000",)).resolved(MODEL, kept=kept.get)
    with pytest.raises(InterventionError, match="not known here: name the units"):
        Intervention(drop=("set:0123456789abcdef",)).resolved(MODEL)
    with pytest.raises(InterventionError, match="is no rule"):
        Intervention(drop=("set:mine",)).resolved(MODEL, kept=kept.get)
    with pytest.raises(InterventionError, match="needs 2 experts"):
        whole = {"0" * 16: tuple(f"l1.e{e}" for e in range(1, 4))}
        Intervention(drop=("set:" + "0" * 16,)).resolved(MODEL, kept=whole.get).validate(MODEL)


def test_rules_and_the_order_by_weight_name_the_same_experts() -> None:
    """Both go by the share of routing weight on the same samples; the order by tokens may name others."""
    data = own_texts(("a text of some bytes", "17 + 4 = 21\n"), "python")
    usage, seen = Usage(MODEL.eval(), [data]), expert_usage(MODEL, [data])
    list(usage)
    for count in range(5):
        rule = units_of(MODEL, [f"least:{count}"], usage.by_unit, dropping=False)
        assert set(rule) == set(by_least(MODEL, seen.weight)[:count])
    tokens = sum(1 + min(MODEL.config.context, len(text)) for text in data.texts)
    assert sum(seen.tokens.values()) == 2 * 2 * tokens, "two experts of two layers a token"
