"""Random sets to compare with: as many units under the same kinds; sets of experts can really be dropped."""

from collections import Counter
from dataclasses import replace

from hypothesis import given, settings
from hypothesis import strategies as st

from routescope.nn.experts import RoutedLayer
from routescope.routing import KINDS, Intervention
from routescope_app.services.measuring.evaluations import SEED, like, size_of, within_layers
from tests.app.serving import MODULES

UNITS = st.lists(st.sampled_from(MODULES), unique=True)
LAYERS = (RoutedLayer("l1", 0, 4, 2), RoutedLayer("l3", 2, 5, 2))


@given(UNITS, UNITS, UNITS, st.none() | st.floats(0, 1), st.none() | st.integers(0, 2), st.permutations(MODULES))
def test_a_control_is_the_same_but_for_its_units(
    drop: list[str],
    mute: list[str],
    mean: list[str],
    keep_edges: float | None,
    iterations: int | None,
    order: list[str],
) -> None:
    asked = Intervention(tuple(drop), tuple(mute), iterations, mean=tuple(mean), keep_edges=keep_edges)
    drawn = order[: size_of(asked)]
    control = like(asked, drawn)
    assert control.units == set(drawn)
    assert [len(getattr(control, kind)) for kind in KINDS] == [len(getattr(asked, kind)) for kind in KINDS]
    nothing = dict.fromkeys(KINDS, ())
    assert replace(control, **nothing) == replace(asked, **nothing)
    assert like(asked, drawn) == control and SEED == 0


@given(st.integers(1, 5), st.integers(1, 12))
@settings(max_examples=40, deadline=None)
def test_every_layer_keeps_as_many_as_a_token_takes(size: int, draws: int) -> None:
    result = within_layers(LAYERS, size, draws)
    assert result and len(result) == len(set(result)) and len(result) <= max(draws, 9)
    for drawn in result:
        assert len(set(drawn)) == size
        gone = Counter(unit.split(".")[0] for unit in drawn)
        assert gone["l1"] <= 2 and gone["l3"] <= 3
    assert result == within_layers(LAYERS, size, draws)


def test_all_single_experts_where_there_are_no_more_than_draws_and_none_of_a_layer_that_spares_none() -> None:
    tight = (RoutedLayer("l1", 0, 2, 2), LAYERS[1])
    assert within_layers(tight, 1, 10) == [(f"l3.e{e}",) for e in range(1, 6)]
    assert len(within_layers(LAYERS, 1, 4)) == 4
    assert within_layers(LAYERS, 1, 9, top_k=4) == [("l3.e1",), ("l3.e2",), ("l3.e3",), ("l3.e4",), ("l3.e5",)]
