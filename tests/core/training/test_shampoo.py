"""Shampoo against Algorithm 1 written out with other means, and on a problem of matrices."""

import numpy as np
import pytest
import torch
from torch import nn

from core.training.shampoo import Shampoo, inverse_fourth_root


def literal(start: np.ndarray, gradients: list[np.ndarray], rate: float, epsilon: float) -> np.ndarray:
    """Algorithm 1 of Gupta et al. 2018 in numpy, with roots through singular values."""

    def root(matrix: np.ndarray) -> np.ndarray:
        left, values, right = np.linalg.svd(matrix)
        return left @ np.diag(values**-0.25) @ right

    W, L, R = start.copy(), epsilon * np.eye(len(start)), epsilon * np.eye(start.shape[1])
    for G in gradients:
        L, R = L + G @ G.T, R + G.T @ G
        W = W - rate * root(L) @ G @ root(R)
    return W


def test_steps_are_those_of_the_algorithm() -> None:
    random = np.random.default_rng(0)
    start, gradients = random.normal(size=(3, 5)), [random.normal(size=(3, 5)) for _ in range(4)]
    W = nn.Parameter(torch.from_numpy(start.copy()))
    optimizer = Shampoo([W], lr=0.3, epsilon=1e-2)
    for G in gradients:
        W.grad = torch.from_numpy(G)
        optimizer.step()
    np.testing.assert_allclose(W.detach().numpy(), literal(start, gradients, 0.3, 1e-2), rtol=1e-6)


def test_the_fourth_power_of_the_root_is_the_inverse() -> None:
    A = torch.randn(6, 6, dtype=torch.float64, generator=torch.Generator().manual_seed(1))
    A = A @ A.T + 0.1 * torch.eye(6, dtype=torch.float64)
    root = inverse_fourth_root(A)
    torch.testing.assert_close(torch.linalg.matrix_power(root, 4) @ A, torch.eye(6, dtype=torch.float64))


def test_it_solves_a_badly_scaled_problem_and_leaves_what_has_no_gradient() -> None:
    torch.manual_seed(0)
    scale = torch.logspace(-2, 0, 4)
    aim, W, still = torch.randn(5, 4), nn.Parameter(torch.zeros(5, 4)), nn.Parameter(torch.ones(2, 2))
    optimizer = Shampoo([W, still], lr=0.5)
    losses = []
    for _ in range(60):
        loss = (((W - aim) * scale) ** 2).sum()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        losses.append(loss.item())
    assert losses[-1] < 0.02 * losses[0]
    assert still.equal(torch.ones(2, 2))


def test_vectors_are_refused() -> None:
    with pytest.raises(ValueError, match="parameters of 1 dimensions"):
        Shampoo([nn.Parameter(torch.zeros(3))], lr=0.1)
