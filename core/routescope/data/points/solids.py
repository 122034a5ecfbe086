"""A family of parametric solids: clouds of points on their surfaces, each of its own proportions.

Points are uniform by area: a surface is cut into pieces that are drawn by their areas; a curved piece whose element of
area is not constant is drawn by rejection. Sizes do not matter, as clouds are brought to the unit ball.
"""

import math
from collections.abc import Callable, Mapping
from typing import NamedTuple

import numpy as np
from jaxtyping import Float

from routescope.data.points.meshes import on_triangles

Points = Float[np.ndarray, "count 3"]
Rows = Float[np.ndarray, "row value"]
#: Lengths that make one solid of its class, by name.
Lengths = Mapping[str, float]


class Solid(NamedTuple):
    """A class of solids: how the lengths of one are drawn, and points from the surface of such a one."""

    lengths: Callable[[np.random.Generator], dict[str, float]]
    points: Callable[[Lengths, int, np.random.Generator], Points]


def on_sphere(count: int, random: np.random.Generator) -> Points:
    """Points of the unit sphere."""
    normal = random.standard_normal((count, 3))
    points: np.ndarray = normal / np.linalg.norm(normal, axis=1, keepdims=True)
    return points


def rejected(
    count: int,
    random: np.random.Generator,
    propose: Callable[[int], Rows],
    share: Callable[[Rows], Float[np.ndarray, " row"]],
) -> Rows:
    """``count`` rows of what ``propose`` gives, each kept with the probability that ``share`` gives it."""
    kept: list[np.ndarray] = []
    have = 0
    while have < count:
        rows = propose(2 * (count - have) + 16)
        rows = rows[random.random(len(rows)) < share(rows)]
        kept.append(rows)
        have += len(rows)
    return np.concatenate(kept)[:count]


def _angles(*highest: float, random: np.random.Generator) -> Callable[[int], np.ndarray]:
    return lambda count: random.random((count, len(highest))) * np.array(highest)


def _disc(radius: float, height: float, count: int, random: np.random.Generator) -> Points:
    """Points of a disc around the z axis."""
    r, angle = radius * np.sqrt(random.random(count)), 2 * math.pi * random.random(count)
    return np.stack((r * np.cos(angle), r * np.sin(angle), np.full(count, height)), axis=1)


def _parts(areas: list[float], count: int, random: np.random.Generator) -> list[int]:
    """Draw how many of the points fall on each piece."""
    numbers: list[int] = random.multinomial(count, np.array(areas) / sum(areas)).tolist()
    return numbers


def sphere(lengths: Lengths, count: int, random: np.random.Generator) -> Points:
    """x^2 + y^2 + z^2 = r^2."""
    return lengths["radius"] * on_sphere(count, random)


def ellipsoid(lengths: Lengths, count: int, random: np.random.Generator) -> Points:
    """(x/a)^2 + (y/b)^2 + (z/c)^2 = 1: points of the sphere, stretched, kept by how much area stretching gives them."""
    axes = np.array((lengths["a"], lengths["b"], lengths["c"]))
    weights = axes.prod() / axes  # the area element of a stretched sphere at the normal n is |n * weights|
    on_unit = rejected(
        count,
        random,
        lambda more: on_sphere(more, random),
        lambda n: np.linalg.norm(n * weights, axis=1) / weights.max(),
    )
    points: np.ndarray = on_unit * axes
    return points


def cylinder(lengths: Lengths, count: int, random: np.random.Generator) -> Points:
    """A side x^2 + y^2 = r^2 with |z| <= h/2, and two discs."""
    r, h = lengths["radius"], lengths["height"]
    side, top, bottom = _parts([2 * math.pi * r * h, math.pi * r**2, math.pi * r**2], count, random)
    angle, z = 2 * math.pi * random.random(side), h * (random.random(side) - 0.5)
    wall = np.stack((r * np.cos(angle), r * np.sin(angle), z), axis=1)
    return np.concatenate((wall, _disc(r, h / 2, top, random), _disc(r, -h / 2, bottom, random)))


def cone(lengths: Lengths, count: int, random: np.random.Generator) -> Points:
    """A side from the apex at z = h down to the circle of radius r at z = 0, and the disc there."""
    r, h = lengths["radius"], lengths["height"]
    side, base = _parts([math.pi * r * math.hypot(r, h), math.pi * r**2], count, random)
    down, angle = np.sqrt(random.random(side)), 2 * math.pi * random.random(side)
    wall = np.stack((r * down * np.cos(angle), r * down * np.sin(angle), h * (1 - down)), axis=1)
    return np.concatenate((wall, _disc(r, 0.0, base, random)))


def capsule(lengths: Lengths, count: int, random: np.random.Generator) -> Points:
    """Points at the distance r from a segment of the length h: a cylinder's side with two halves of a sphere."""
    r, h = lengths["radius"], lengths["height"]
    side, caps = _parts([2 * math.pi * r * h, 4 * math.pi * r**2], count, random)
    angle, z = 2 * math.pi * random.random(side), h * (random.random(side) - 0.5)
    wall = np.stack((r * np.cos(angle), r * np.sin(angle), z), axis=1)
    ends = r * on_sphere(caps, random)
    ends[:, 2] += np.sign(ends[:, 2]) * h / 2
    return np.concatenate((wall, ends))


def torus(lengths: Lengths, count: int, random: np.random.Generator) -> Points:
    """(sqrt(x^2 + y^2) - R)^2 + z^2 = r^2; its area element is r (R + r cos v)."""
    R, r = lengths["ring"], lengths["tube"]
    whole = _angles(2 * math.pi, 2 * math.pi, random=random)
    u, v = rejected(count, random, whole, lambda uv: (R + r * np.cos(uv[:, 1])) / (R + r)).T
    out = R + r * np.cos(v)
    return np.stack((out * np.cos(u), out * np.sin(u), r * np.sin(v)), axis=1)


def helix(lengths: Lengths, count: int, random: np.random.Generator) -> Points:
    """A tube of radius r, open at its ends, around the helix (R cos t, R sin t, p t).

    With speed w = sqrt(R^2 + p^2) and curvature k = R / w^2 its area element is r w (1 - k r cos v), v counted from the
    direction towards the axis.
    """
    R, r, p, turns = lengths["radius"], lengths["tube"], lengths["pitch"], lengths["turns"]
    w = math.hypot(R, p)
    bend = R * r / w**2
    whole = _angles(2 * math.pi * turns, 2 * math.pi, random=random)
    t, v = rejected(count, random, whole, lambda tv: (1 - bend * np.cos(tv[:, 1])) / (1 + bend)).T
    inwards = np.stack((-np.cos(t), -np.sin(t), np.zeros(count)), axis=1)
    beside = np.stack((p * np.sin(t), -p * np.cos(t), np.full(count, R)), axis=1) / w
    centre = np.stack((R * np.cos(t), R * np.sin(t), p * t), axis=1)
    points: np.ndarray = centre + r * (np.cos(v)[:, None] * inwards + np.sin(v)[:, None] * beside)
    return points


def moebius(lengths: Lengths, count: int, random: np.random.Generator) -> Points:
    """A strip of width w around the circle of radius R, turned by half a turn on its way.

    At s across the strip its area element is sqrt(s^2 / 4 + (R + s cos(u/2))^2).
    """
    R, w = lengths["radius"], lengths["width"]

    def propose(more: int) -> np.ndarray:
        return np.stack((2 * math.pi * random.random(more), w * (random.random(more) - 0.5)), axis=1)

    def element(us: np.ndarray) -> np.ndarray:
        u, s = us.T
        found: np.ndarray = np.sqrt(s**2 / 4 + (R + s * np.cos(u / 2)) ** 2)
        return found

    most = math.hypot(w / 4, R + w / 2)
    u, s = rejected(count, random, propose, lambda us: element(us) / most).T
    out = R + s * np.cos(u / 2)
    return np.stack((out * np.cos(u), out * np.sin(u), s * np.sin(u / 2)), axis=1)


def _fan(ring: np.ndarray) -> list[np.ndarray]:
    """Triangles of a flat convex face."""
    return [np.stack((ring[0], ring[k], ring[k + 1])) for k in range(1, len(ring) - 1)]


def box(lengths: Lengths, count: int, random: np.random.Generator) -> Points:
    """The six rectangles of a box of the edges a, b and c around the origin."""
    edges = np.array((lengths["a"], lengths["b"], lengths["c"]))
    faces = []
    for axis in range(3):
        for sign in (-0.5, 0.5):
            ring = np.full((4, 3), sign)
            ring[:, [(axis + 1) % 3, (axis + 2) % 3]] = ((-0.5, -0.5), (0.5, -0.5), (0.5, 0.5), (-0.5, 0.5))
            faces += _fan(ring * edges)
    return on_triangles(np.stack(faces), count, random)


def _polygon(sides: int, radius: float, z: float) -> np.ndarray:
    angle = 2 * math.pi * np.arange(sides) / sides
    return np.stack((radius * np.cos(angle), radius * np.sin(angle), np.full(sides, z)), axis=1)


def pyramid(lengths: Lengths, count: int, random: np.random.Generator) -> Points:
    """A square whose corners are at the distance r from its middle, and four triangles that meet at the height h."""
    base = _polygon(4, lengths["radius"], 0.0)
    apex = np.array((0.0, 0.0, lengths["height"]))
    sides = [np.stack((base[k], base[(k + 1) % 4], apex)) for k in range(4)]
    return on_triangles(np.stack([*sides, *_fan(base)]), count, random)


def prism(lengths: Lengths, count: int, random: np.random.Generator) -> Points:
    """Two equilateral triangles, whose corners are at the distance r from their middle, and three rectangles."""
    low, high = (_polygon(3, lengths["radius"], sign * lengths["height"] / 2) for sign in (-1, 1))
    walls = [_fan(np.stack((low[k], low[(k + 1) % 3], high[(k + 1) % 3], high[k]))) for k in range(3)]
    return on_triangles(np.stack([*(t for wall in walls for t in wall), *_fan(low), *_fan(high)]), count, random)


def tetrahedron(lengths: Lengths, count: int, random: np.random.Generator) -> Points:
    """Four triangles between (1, 1, 1), (1, -1, -1), (-1, 1, -1) and (-1, -1, 1), each axis of its own length."""
    corners = np.array(((1, 1, 1), (1, -1, -1), (-1, 1, -1), (-1, -1, 1)), dtype=float)
    corners *= np.array((lengths["a"], lengths["b"], lengths["c"]))
    faces = corners[[[0, 1, 2], [0, 1, 3], [0, 2, 3], [1, 2, 3]]]
    return on_triangles(faces, count, random)


def _between(**ranges: tuple[float, float]) -> Callable[[np.random.Generator], dict[str, float]]:
    return lambda random: {name: float(random.uniform(*range_)) for name, range_ in ranges.items()}


#: Class -> its solids. The longest axis of an ellipsoid is at least 1.4 times each other one.
SOLIDS: dict[str, Solid] = {
    "sphere": Solid(_between(radius=(1.0, 1.0)), sphere),
    "ellipsoid": Solid(_between(a=(1.0, 1.0), b=(0.35, 0.7), c=(0.35, 0.7)), ellipsoid),
    "box": Solid(_between(a=(0.5, 1.5), b=(0.5, 1.5), c=(0.5, 1.5)), box),
    "cylinder": Solid(_between(radius=(0.4, 0.8), height=(0.8, 2.4)), cylinder),
    "cone": Solid(_between(radius=(0.5, 1.0), height=(0.8, 2.2)), cone),
    "torus": Solid(_between(ring=(1.0, 1.0), tube=(0.15, 0.5)), torus),
    "pyramid": Solid(_between(radius=(0.6, 1.2), height=(0.8, 2.0)), pyramid),
    "prism": Solid(_between(radius=(0.6, 1.0), height=(0.6, 2.2)), prism),
    "capsule": Solid(_between(radius=(0.4, 0.7), height=(0.8, 2.4)), capsule),
    "helix": Solid(_between(radius=(0.8, 1.0), tube=(0.1, 0.22), pitch=(0.11, 0.2), turns=(1.5, 3.0)), helix),
    "moebius band": Solid(_between(radius=(1.0, 1.0), width=(0.4, 1.0)), moebius),
    "tetrahedron": Solid(_between(a=(0.8, 1.2), b=(0.8, 1.2), c=(0.8, 1.2)), tetrahedron),
}
CLASSES = tuple(SOLIDS)


def rotation(random: np.random.Generator) -> Float[np.ndarray, "3 3"]:
    """A rotation drawn uniformly, from a quaternion of normal numbers."""
    w, x, y, z = (q := random.standard_normal(4)) / np.linalg.norm(q)
    return np.array(
        (
            (1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)),
            (2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)),
            (2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)),
        )
    )
