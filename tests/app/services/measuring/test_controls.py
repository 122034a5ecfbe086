"""Random sets to compare with: as many units under the same kinds, everything else as it was asked for."""

from dataclasses import replace

from hypothesis import given
from hypothesis import strategies as st

from routescope.routing import KINDS, Intervention
from routescope_app.services.measuring.evaluations import SEED, like, size_of
from tests.app.serving import MODULES

UNITS = st.lists(st.sampled_from(MODULES), unique=True)


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
