"""Positions of modules in the plane: force-directed, from the distances of their signatures."""

import numpy as np
from jaxtyping import Float
from torch import Tensor

from routescope.assets import require

#: Every pair attracts at least this share of the mean: what is like nothing else stays in the picture.
GRAVITY = 0.02
ROUNDS = 200
#: Longest move of the first round, as a share of the picture; falls to nought by the last.
FIRST_MOVE = 0.1
#: Space for a module, over the root of their number: discs of that diameter cover a quarter of the picture at most.
ROOM = 0.9


def layout(
    signatures: Float[np.ndarray, "module d_sig"] | Float[Tensor, "module d_sig"], seed: int = 0
) -> Float[np.ndarray, "module 2"]:
    """Return force-directed positions: modules with similar signatures attract each other, and all push each other
    away.

    The forces along the line between two modules at distance r are 1 / (U r) apart and w_ij r^0.5 together, with w_ij =
    max(0, cos(s_i, s_j))^2 scaled to a mean sum of 1 for a module: pairs of random signatures hardly attract. An energy
    model between those of Fruchterman and Reingold (1991), where attraction grows with r^2, and LinLog (Noack 2007),
    where it does not: clusters stand apart and show their members, where true distances, all near 1 in many dimensions,
    show a ball. Starts from classical scaling of the cosine distances; 200 rounds of ever shorter moves. The same
    signatures and seed give the same positions.

    Args:
        signatures: (U, d_sig), of any length each.
        seed: of the small displacements that part modules with equal signatures.

    Returns:
        (U, 2) float64, centred, the farthest module at distance 1 from the centre.

    Raises:
        ValueError: signatures that are not finite.
    """
    vectors = signatures.detach().cpu().numpy() if isinstance(signatures, Tensor) else signatures
    vectors = vectors.astype(np.float64)
    if not np.isfinite(vectors).all():
        raise ValueError("signatures hold numbers that are not finite")
    nodes = len(vectors)
    if nodes < 2:
        return np.zeros((nodes, 2))
    unit = vectors / np.maximum(np.linalg.norm(vectors, axis=1, keepdims=True), 1e-12)
    cosine = np.clip(unit @ unit.T, -1, 1)
    places = _classical(1 - cosine)
    places = _scaled(places) + 0.01 * np.random.default_rng(seed).standard_normal((nodes, 2))
    return _scaled(_forced(_attraction(cosine), places))


def parted(places: Float[np.ndarray, "module 2"], seed: int = 0) -> Float[np.ndarray, "module 2"]:
    """Return the positions with very near ones pushed apart, so that every module can be seen.

    Modules nearer than ROOM / sqrt(U), in a picture of radius 1, move half of the missing way, in small steps, until
    none is, or for 200 rounds. Other modules stay.
    """
    nodes = len(places)
    least = ROOM / max(nodes, 1) ** 0.5
    places = places + 1e-6 * np.random.default_rng(seed).standard_normal(places.shape)
    for _ in range(ROUNDS):
        apart = places[:, None] - places
        distance = np.linalg.norm(apart, axis=-1)
        np.fill_diagonal(distance, np.inf)
        missing = np.maximum(least - distance, 0)
        if not missing.any():
            break
        move = 0.5 * (apart / distance[..., None] * missing[..., None]).sum(axis=1)
        length = np.maximum(np.linalg.norm(move, axis=1, keepdims=True), 1e-12)
        places = places + move / length * np.minimum(length, 0.1 * least)
    return _scaled(places)


def _scaled(places: np.ndarray) -> np.ndarray:
    places = places - places.mean(axis=0)
    return places / max(float(np.linalg.norm(places, axis=1).max()), 1e-12)


def _classical(distance: np.ndarray) -> np.ndarray:
    """Classical scaling (Torgerson 1952); each axis is turned so that its largest entry is positive."""
    require("scipy")
    from scipy.linalg import eigh

    squares = distance**2
    centred = -0.5 * (squares - squares.mean(axis=0) - squares.mean(axis=1)[:, None] + squares.mean())
    last = len(distance) - 1
    values, axes = eigh(centred, subset_by_index=(last - 1, last))
    axes = axes * np.sign(axes[np.abs(axes).argmax(axis=0), [0, 1]])
    return (axes * np.sqrt(np.maximum(values, 0)))[:, ::-1]


def _attraction(cosine: np.ndarray) -> np.ndarray:
    nodes = len(cosine)
    weights = np.maximum(cosine, 0) ** 2
    np.fill_diagonal(weights, 0)
    weights = weights / max(float(weights.sum()), 1e-12) * nodes + GRAVITY / nodes
    np.fill_diagonal(weights, 0)
    return weights


def _forced(weights: np.ndarray, places: np.ndarray) -> np.ndarray:
    """float32 for speed; sums over pairs are the cost."""
    weights = weights.astype(np.float32)
    apart = np.float32(1 / len(weights))
    for round_ in range(ROUNDS):
        x, y = places.astype(np.float32).T
        dx, dy = x[:, None] - x, y[:, None] - y
        squares = np.maximum(dx * dx + dy * dy, np.float32(1e-8))
        force = apart / squares  # over the distance once more, as dx and dy carry it
        force -= weights / np.sqrt(np.sqrt(squares))
        total = np.stack([np.einsum("ij,ij->i", force, d) for d in (dx, dy)], axis=1).astype(np.float64)
        length = np.maximum(np.linalg.norm(total, axis=1, keepdims=True), 1e-12)
        longest = FIRST_MOVE * (1 - round_ / ROUNDS) * float(np.abs(places).max())
        places = places + total / length * np.minimum(length, longest)
    return places
