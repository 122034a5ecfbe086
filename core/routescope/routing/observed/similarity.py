"""Similarity of what units output: debiased linear CKA and cosine.

An observation measures it of *contributions*, outputs weighted by compatibility, so that routing enters; each row is a
token of a sample.
"""

import numpy as np
from jaxtyping import Float


def centred_parts(
    x: Float[np.ndarray, "n d"],
) -> tuple[Float[np.ndarray, "n d"], Float[np.ndarray, " n"], Float[np.ndarray, " n"]]:
    """x without its mean, the diagonal of K = x x^T, and the row sums of K with its diagonal set to zero."""
    x = x.astype(np.float64)
    x = x - x.mean(axis=0)  # changes no HSIC_1, and keeps the numbers small
    diagonal = (x**2).sum(axis=1)
    return x, diagonal, x @ x.sum(axis=0) - diagonal


Parts = tuple[np.ndarray, np.ndarray, np.ndarray]


def hsic(a: Parts, b: Parts) -> float:
    """Unbiased estimator HSIC_1 of Song et al. 2012 (Equation 5) for linear kernels, without any n x n matrix.

    HSIC_1 = [tr(K~ L~) + 1'K~1 1'L~1 / ((n-1)(n-2)) - 2 / (n-2) 1'K~L~1] / (n (n-3)), K~ and L~ with zero diagonals.
    """
    (x, x_diagonal, x_sums), (y, y_diagonal, y_sums) = a, b
    n = len(x)
    trace = ((x.T @ y) ** 2).sum() - x_diagonal @ y_diagonal
    both = x_sums.sum() * y_sums.sum() / ((n - 1) * (n - 2))
    return float((trace + both - 2 / (n - 2) * (x_sums @ y_sums)) / (n * (n - 3)))


def cka_matrix(parts: list[Parts]) -> Float[np.ndarray, "k k"]:
    """Debiased linear CKA of every pair: HSIC_1(K, L) / sqrt(HSIC_1(K, K) HSIC_1(L, L)).

    1 for equal outputs up to rotation and scale, about 0 for independent ones, where it may be below 0. NaN with fewer
    than four rows, and for outputs that do not vary.
    """
    k = len(parts)
    found = np.full((k, k), np.nan)
    if not k or len(parts[0][0]) < 4:
        return found
    own = [hsic(part, part) for part in parts]
    scale = [(part[1].mean() or 1.0) ** 2 for part in parts]
    varies = [value > 1e-12 * size and part[1].any() for value, size, part in zip(own, scale, parts, strict=True)]
    for i in range(k):
        for j in range(i, k):
            if varies[i] and varies[j]:
                value = 1.0 if i == j else hsic(parts[i], parts[j]) / np.sqrt(own[i] * own[j])
                found[i, j] = found[j, i] = value
    return found


def cka(outputs: Float[np.ndarray, "k n d"]) -> Float[np.ndarray, "k k"]:
    """Debiased linear CKA between outputs for the same n inputs; see :func:`cka_matrix`."""
    return cka_matrix([centred_parts(x) for x in outputs])


def cosine(outputs: Float[np.ndarray, "k n d"]) -> Float[np.ndarray, "k k"]:
    """Mean over inputs of the cosine between two outputs; inputs for which either is zero are left out.

    NaN where no input is left.
    """
    x = outputs.astype(np.float64)
    norms = np.linalg.norm(x, axis=-1, keepdims=True)
    x = np.divide(x, norms, out=np.zeros_like(x), where=norms > 0)
    alive = (norms[..., 0] > 0).astype(np.float64)
    sums, counts = np.einsum("ind,jnd->ij", x, x, optimize=True), alive @ alive.T
    return np.divide(sums, counts, out=np.full_like(sums, np.nan), where=counts > 0)
