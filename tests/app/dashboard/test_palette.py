"""Colours of units can be told apart, also by colour-blind people."""

from itertools import combinations

import numpy as np
import pytest

from routescope_app.dashboard.palette import UNIT_COLOURS

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


def test_no_two_colours_are_the_same() -> None:
    assert len(set(UNIT_COLOURS)) == len(UNIT_COLOURS) >= 256
