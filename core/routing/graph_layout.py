"""Places for modules in the plane, so that they are as far from each other as their signatures."""

import numpy as np
from jaxtyping import Float
from torch import Tensor

#: Nearer signatures count as this near: else pairs of equal ones would outweigh all others.
NEAREST = 0.1
ROUNDS = 120
#: Rounds end when the stress falls by less than this share.
SETTLED = 1e-4


def layout(
    signatures: Float[np.ndarray, "module d_sig"] | Float[Tensor, "module d_sig"], seed: int = 0
) -> Float[np.ndarray, "module 2"]:
    """Force-directed places from signature distances: every pair is a spring as long as its cosine distance.

    The energy of springs of stiffness 1/d^2 (Kamada and Kawai 1989), sum_i<j (|x_i - x_j| - d_ij)^2 / d_ij^2, is made
    small by stress majorisation (Gansner, Koren and North 2004), which never makes it larger, from classical scaling.
    Always the same for the same signatures and seed.

    Args:
        signatures: (U, d_sig), of any length each.
        seed: of the small displacements that part modules with equal signatures.

    Returns:
        (U, 2) float64, centred, the farthest module at distance 1 from the centre.

    Raises:
        ValueError: for signatures that are not finite.
    """
    vectors = signatures.detach().cpu().numpy() if isinstance(signatures, Tensor) else signatures
    vectors = vectors.astype(np.float64)
    if not np.isfinite(vectors).all():
        raise ValueError("signatures hold numbers that are not finite")
    nodes = len(vectors)
    if nodes < 2:
        return np.zeros((nodes, 2))
    unit = vectors / np.maximum(np.linalg.norm(vectors, axis=1, keepdims=True), 1e-12)
    wanted = np.clip(1 - unit @ unit.T, NEAREST, 2)
    np.fill_diagonal(wanted, 0)
    places = _classical(wanted) + 0.01 * np.random.default_rng(seed).standard_normal((nodes, 2))
    places = _majorised(wanted, places)
    places = places - places.mean(axis=0)
    return places / max(float(np.linalg.norm(places, axis=1).max()), 1e-12)


def stress(places: Float[np.ndarray, "module 2"], wanted: Float[np.ndarray, "module module"]) -> float:
    """Energy of the springs, a mean over pairs: sum_i<j (|x_i - x_j| - d_ij)^2 / d_ij^2 over the number of pairs."""
    i, j = np.triu_indices(len(places), 1)
    return float(((np.linalg.norm(places[i] - places[j], axis=1) / wanted[i, j] - 1) ** 2).mean())


def _classical(wanted: np.ndarray) -> np.ndarray:
    """Classical scaling (Torgerson 1952); each axis is turned so that its largest entry is positive."""
    from scipy.linalg import eigh

    squares = wanted**2
    centred = -0.5 * (squares - squares.mean(axis=0) - squares.mean(axis=1)[:, None] + squares.mean())
    last = len(wanted) - 1
    values, axes = eigh(centred, subset_by_index=(last - 1, last))
    axes = axes * np.sign(axes[np.abs(axes).argmax(axis=0), [0, 1]])
    return (axes * np.sqrt(np.maximum(values, 0)))[:, ::-1]


def _majorised(wanted: np.ndarray, places: np.ndarray) -> np.ndarray:
    """Rounds x <- V^+ B(x) x, where V holds the stiffnesses and B those scaled by wanted over actual distance."""
    nodes = len(wanted)
    off = ~np.eye(nodes, dtype=bool)
    stiffness = np.where(off, 1 / np.where(off, wanted, 1) ** 2, 0)
    V = np.diag(stiffness.sum(axis=1)) - stiffness
    inverse = np.linalg.inv(V + 1 / nodes) - 1 / nodes
    pull = (stiffness * wanted).astype(np.float32)
    before = np.inf
    for _ in range(ROUNDS):
        x, y = places.astype(np.float32).T
        actual = np.sqrt((x[:, None] - x) ** 2 + (y[:, None] - y) ** 2)
        ratio = pull / np.maximum(actual, 1e-6)
        B = ratio.sum(axis=1)[:, None] * places - ratio @ places.astype(np.float32)
        energy = float((stiffness * (actual - wanted) ** 2).sum())
        if before - energy < SETTLED * energy:
            break
        before = energy
        places = inverse @ B
    return places
