"""Points of solids satisfy the equation of the surface, and are spread uniformly by its area."""

import math
from typing import Any

import numpy as np
import pytest

from routescope.data.points import solids

COUNT = 4000


def points_of(name: str, seed: int = 5, count: int = COUNT) -> tuple[dict[str, float], np.ndarray]:
    random = np.random.default_rng(seed)
    lengths = solids.SOLIDS[name].lengths(random)
    return lengths, solids.SOLIDS[name].points(lengths, count, random)


def of_planes(points: np.ndarray, planes: list[tuple[tuple[float, ...], float]]) -> np.ndarray:
    """How far a point is from the surface of the convex solid n.x <= d: 0 on it, above 0 outside and inside."""
    normal = np.array([n for n, _ in planes], dtype=float)
    offset = np.array([d for _, d in planes], dtype=float) / np.linalg.norm(normal, axis=1)
    normal /= np.linalg.norm(normal, axis=1, keepdims=True)
    return np.abs((points @ normal.T - offset).max(axis=1))


def residual(name: str, length: dict[str, float], p: np.ndarray) -> np.ndarray:
    """What is 0 on the surface alone, written down from the geometry of each class."""
    x, y, z = p.T
    round_z = np.hypot(x, y)
    match name:
        case "sphere":
            return np.linalg.norm(p, axis=1) - length["radius"]
        case "ellipsoid":
            return (x / length["a"]) ** 2 + (y / length["b"]) ** 2 + (z / length["c"]) ** 2 - 1
        case "box":
            return np.max(np.abs(p) / (np.array([length["a"], length["b"], length["c"]]) / 2), axis=1) - 1
        case "cylinder":
            return np.maximum(round_z / length["radius"], np.abs(z) / (length["height"] / 2)) - 1
        case "cone":
            wall = round_z / length["radius"] + z / length["height"] - 1
            return np.where(np.abs(z) < 1e-9, np.maximum(wall, 0), wall)
        case "capsule":
            along = np.clip(z, -length["height"] / 2, length["height"] / 2)
            return np.sqrt(x**2 + y**2 + (z - along) ** 2) - length["radius"]
        case "torus":
            return np.hypot(round_z - length["ring"], z) - length["tube"]
        case "helix":
            t = np.linspace(0, 2 * math.pi * length["turns"], 20_001)
            R = length["radius"]
            centre = np.stack((R * np.cos(t), R * np.sin(t), length["pitch"] * t), axis=1)
            inside = p[(z > 2 * length["tube"]) & (z < centre[-1, 2] - 2 * length["tube"])][:300]
            nearest = np.sqrt(((inside[:, None] - centre[None, ::4]) ** 2).sum(axis=2).min(axis=1))
            return nearest - length["tube"]
        case "moebius band":
            u = np.arctan2(y, x)
            # on the strip z / (rho - R) is tan(u / 2): z cos(u/2) = (rho - R) sin(u/2)
            return z * np.cos(u / 2) - (round_z - length["radius"]) * np.sin(u / 2)
        case "pyramid":
            r, h = length["radius"], length["height"]
            walls = [((a * h, b * h, r), r * h) for a in (1.0, -1.0) for b in (1.0, -1.0)]
            return of_planes(p, [*walls, ((0.0, 0.0, -1.0), 0.0)])
        case "prism":
            sides = [((math.cos(a), math.sin(a), 0.0), length["radius"] / 2) for a in np.deg2rad([60, 180, 300])]
            ends = [((0.0, 0.0, sign), length["height"] / 2) for sign in (1.0, -1.0)]
            return of_planes(p, [*sides, *ends])
        case "tetrahedron":
            q = p / np.array([length["a"], length["b"], length["c"]])
            return of_planes(q, [((-1, -1, -1), 1.0), ((-1, 1, 1), 1.0), ((1, -1, 1), 1.0), ((1, 1, -1), 1.0)])
    raise AssertionError(f"no equation of {name}")


@pytest.mark.parametrize("name", solids.CLASSES)
def test_points_are_on_the_surface(name: str) -> None:
    for seed in range(3):
        length, points = points_of(name, seed)
        assert points.shape == (COUNT, 3)
        found = residual(name, length, points)
        assert len(found) > 200
        assert np.abs(found).max() < (1e-4 if name == "helix" else 1e-9)


def binned(values: np.ndarray, edges: np.ndarray, shares: np.ndarray) -> float:
    """Pearson's chi-squared per degree of freedom: near 1 where the shares are those that the values have."""
    counts = np.histogram(values, edges)[0]
    assert counts.sum() == len(values)
    due = len(values) * shares / shares.sum()
    return float(((counts - due) ** 2 / due).sum() / (len(edges) - 2))


#: Chance goes above 2.5 about once in a thousand times with a dozen bins; the seed is fixed.
MOST = 2.5
MANY = 40_000


def slices(name: str) -> np.ndarray:
    """Return the areas of twelve slices: by height of a sphere, angle of a torus, x of an ellipsoid."""
    edges = np.linspace(-1, 1, 13)
    if name == "sphere":
        return np.diff(edges)  # Archimedes: equal heights have equal areas
    if name == "torus":
        return 1.0 * np.diff(math.pi * edges) + 0.4 * np.diff(np.sin(math.pi * edges))
    fine = np.linspace(-1, 1, 12 * 400 + 1)
    middle = (fine[1:] + fine[:-1]) / 2  # 2 pi y(x) sqrt(1 + y'(x)^2) of a body of revolution
    return np.sqrt(0.16 * (1 - middle**2) + 0.16**2 * middle**2).reshape(12, 400).sum(axis=1)


def angle(p: np.ndarray) -> np.ndarray:
    return np.arctan2(p[:, 2], np.hypot(p[:, 0], p[:, 1]) - 1.0) / math.pi


@pytest.mark.parametrize(
    ("name", "length", "place"),
    [
        ("sphere", {"radius": 1.0}, lambda p: p[:, 0]),
        ("sphere", {"radius": 1.0}, lambda p: p[:, 2]),
        ("torus", {"ring": 1.0, "tube": 0.4}, angle),
        ("ellipsoid", {"a": 1.0, "b": 0.4, "c": 0.4}, lambda p: p[:, 0]),
    ],
)
def test_slices_have_points_by_their_area(name: str, length: dict[str, float], place: Any) -> None:
    values = place(solids.SOLIDS[name].points(length, MANY, np.random.default_rng(1)))
    edges = np.linspace(-1, 1, 13)
    assert binned(values, edges, slices(name)) < MOST
    if name != "sphere":
        assert binned(values, edges, np.diff(edges)) > 3 * MOST, "equal slices have unequal areas"


def test_a_helix_is_uniform() -> None:
    length = {"radius": 0.8, "tube": 0.22, "pitch": 0.11, "turns": 2.0}
    points = solids.helix(length, MANY, np.random.default_rng(1))
    # inside of the winding there is less surface than outside: by (1 - kr 2/pi) / (1 + kr 2/pi)
    w2 = 0.8**2 + 0.11**2
    bend = 0.8 * 0.22 / w2
    t = np.linspace(0, 4 * math.pi, 1001)
    centre = np.stack((0.8 * np.cos(t), 0.8 * np.sin(t), 0.11 * t), axis=1)
    some = points[:2000]
    nearest = ((some[:, None] - centre[None]) ** 2).sum(axis=2).argmin(axis=1)
    inwards = ((some - centre[nearest]) * -np.stack((np.cos(t), np.sin(t), 0 * t), axis=1)[nearest]).sum(axis=1) > 0
    assert inwards.mean() == pytest.approx(0.5 - bend / math.pi, abs=0.025)


def test_a_moebius_band_is_uniform() -> None:
    length = {"radius": 1.0, "width": 1.0}
    x, y, _ = (points := solids.moebius(length, MANY, np.random.default_rng(1))).T
    u = np.arctan2(y, x) % (2 * math.pi)
    s = np.where(np.abs(np.cos(u / 2)) > 0.5, (np.hypot(x, y) - 1) / np.cos(u / 2), points[:, 2] / np.sin(u / 2))
    wide = np.linspace(-0.5, 0.5, 201)
    angles = np.linspace(0, 2 * math.pi, 2401)
    U, S = np.meshgrid((angles[1:] + angles[:-1]) / 2, (wide[1:] + wide[:-1]) / 2)
    element = np.sqrt(S**2 / 4 + (1 + S * np.cos(U / 2)) ** 2)
    half = (math.pi / 3 > U) & (S > 0)
    assert ((u < math.pi / 3) & (s > 0)).mean() == pytest.approx(element[half].sum() / element.sum(), abs=0.006)


@pytest.mark.parametrize(
    ("name", "length", "piece", "share"),
    [
        ("cylinder", {"radius": 1.0, "height": 2.0}, lambda p: np.abs(p[:, 2]) > 1 - 1e-9, 2 / (2 + 4)),
        ("cone", {"radius": 3.0, "height": 4.0}, lambda p: np.abs(p[:, 2]) < 1e-9, 9 / (9 + 15)),
        ("cone", {"radius": 3.0, "height": 4.0}, lambda p: p[:, 2] > 2, 15 / 4 / (9 + 15)),
        ("capsule", {"radius": 1.0, "height": 2.0}, lambda p: np.abs(p[:, 2]) > 1, 4 / (4 + 4)),
        ("box", {"a": 1.0, "b": 2.0, "c": 3.0}, lambda p: np.abs(p[:, 0]) > 0.5 - 1e-9, 6 / (6 + 3 + 2)),
        ("pyramid", {"radius": math.sqrt(2), "height": math.sqrt(8)}, lambda p: np.abs(p[:, 2]) < 1e-9, 4 / (4 + 12)),
        ("prism", {"radius": 2 / math.sqrt(3), "height": 1.0}, lambda p: np.abs(p[:, 2]) > 0.5 - 1e-9, 0.366025),
        ("tetrahedron", {"a": 1.0, "b": 1.0, "c": 1.0}, lambda p: np.abs(p.sum(axis=1) + 1) < 1e-9, 0.25),
    ],
)
def test_pieces_have_points_by_their_area(name, length, piece, share) -> None:
    points = solids.SOLIDS[name].points(length, MANY, np.random.default_rng(2))
    assert piece(points).mean() == pytest.approx(share, abs=0.01)


def test_rotations_turn_and_nothing_else() -> None:
    random = np.random.default_rng(0)
    turned = np.stack([solids.rotation(random) for _ in range(2000)])
    assert np.allclose(turned @ turned.transpose(0, 2, 1), np.eye(3))
    assert np.allclose(np.linalg.det(turned), 1)
    # the mean trace of a uniform rotation is 0 (of an angle uniform in 0..pi it would be 1)
    assert abs(np.trace(turned, axis1=1, axis2=2).mean()) < 0.08
