"""A unit keeps its colour, and colours can be told apart, also by colour-blind people."""

from itertools import combinations

import numpy as np
import pytest

from routescope_app.dashboard.figures.palette import UNIT_COLOURS, colour_places, unit_colours

#: Linear RGB as seen without one kind of cone (Vienot, Brettel and Mollon, 1999).
SEEN = {
    "protanopia": [[0.11238, 0.88762, 0.0], [0.11238, 0.88762, 0.0], [0.00401, -0.00401, 1.0]],
    "deuteranopia": [[0.29275, 0.70725, 0.0], [0.29275, 0.70725, 0.0], [-0.02234, 0.02234, 1.0]],
    "everybody": [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]],
}
TO_XYZ = np.array([[0.4124, 0.3576, 0.1805], [0.2126, 0.7152, 0.0722], [0.0193, 0.1192, 0.9505]])
WHITE = TO_XYZ @ np.ones(3)


def lab(colour: str, seen: list[list[float]]) -> np.ndarray:
    """CIE L*a*b* of a colour."""
    rgb = np.array([int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5)])
    linear = np.where(rgb <= 0.04045, rgb / 12.92, ((rgb + 0.055) / 1.055) ** 2.4)
    x, y, z = np.cbrt(TO_XYZ @ np.clip(np.array(seen) @ linear, 0, 1) / WHITE)
    return np.array([116 * y - 16, 500 * (x - y), 200 * (y - z)])


@pytest.mark.parametrize(("kind", "first"), [("protanopia", 7), ("deuteranopia", 7), ("everybody", 20)])
def test_the_first_colours_differ_by_more_than_an_eye_needs(kind: str, first: int) -> None:
    for a, b in combinations(UNIT_COLOURS[:first], 2):
        assert np.linalg.norm(lab(a, SEEN[kind]) - lab(b, SEEN[kind])) > 10, (a, b)


def test_a_units_colour_does_not_depend_on_the_others() -> None:
    few, many = unit_colours(["f1", "f2"]), unit_colours([f"f{n}" for n in range(1, 30)])
    assert all(many[unit] == colour for unit, colour in few.items())
    assert len(set(UNIT_COLOURS)) == len(UNIT_COLOURS)


@pytest.mark.parametrize("count", [2, 12, 13, 16, 20, 80, 256])
def test_no_two_units_without_layers_share_a_colour(count: int) -> None:
    assert len(set(unit_colours([f"m{n}" for n in range(1, count + 1)]).values())) == count


@pytest.mark.parametrize(("layers", "experts"), [(1, 16), (2, 6), (4, 5), (4, 8), (3, 64), (27, 256)])
def test_no_two_experts_of_a_layer_share_a_colour(layers: int, experts: int) -> None:
    by_layer = [[f"l{layer}.e{expert}" for expert in range(1, experts + 1)] for layer in range(1, layers + 1)]
    units = [unit for own in by_layer for unit in own]
    colours, places = unit_colours(units), colour_places(units)
    if len(units) <= 20:
        assert len(set(colours.values())) == len(units)
    for own in by_layer:
        assert len({colours[unit] for unit in own}) == experts
        assert len(units) <= 20 or [places[unit] for unit in own] == list(range(experts))
