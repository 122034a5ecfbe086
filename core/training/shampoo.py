"""Shampoo: gradients of matrices, preconditioned from both sides."""

from collections.abc import Callable, Iterable
from typing import Any

import torch
from jaxtyping import Float
from torch import Tensor, nn


class Shampoo(torch.optim.Optimizer):
    """*Shampoo: Preconditioned Stochastic Tensor Optimization* (Gupta, Koren, Singer, ICML 2018), Algorithm 1.

    L_t = L_{t-1} + G G^T and R_t = R_{t-1} + G^T G, from epsilon I; W_{t+1} = W_t - lr L_t^{-1/4} G R_t^{-1/4}. It is
    for matrices of few hundred rows and columns, such as signatures and codes: roots are taken anew at every step.

    Args:
        lr: the learning rate.
        epsilon: of the identity that both sides start from.

    Raises:
        ValueError: a parameter that is no matrix.
    """

    def __init__(self, params: Iterable[nn.Parameter], lr: float, epsilon: float = 1e-4) -> None:
        super().__init__(params, {"lr": lr, "epsilon": epsilon})
        for group in self.param_groups:
            for parameter in group["params"]:
                if parameter.dim() != 2:
                    raise ValueError(
                        f"Shampoo is for matrices here, not for parameters of {parameter.dim()} dimensions"
                    )

    @torch.no_grad()
    def step(self, closure: Callable[[], Any] | None = None) -> Any:
        """One step; ``closure`` may compute the loss anew, as of every optimiser."""
        loss = None
        if closure is not None:
            with torch.enable_grad():
                loss = closure()
        for group in self.param_groups:
            for parameter in group["params"]:
                if parameter.grad is None:
                    continue
                G, sides = parameter.grad, self.state[parameter]
                if not sides:
                    rows, columns = G.shape
                    sides["left"] = group["epsilon"] * torch.eye(rows, dtype=G.dtype, device=G.device)
                    sides["right"] = group["epsilon"] * torch.eye(columns, dtype=G.dtype, device=G.device)
                sides["left"] += G @ G.T
                sides["right"] += G.T @ G
                way = inverse_fourth_root(sides["left"]) @ G @ inverse_fourth_root(sides["right"])
                parameter.sub_(way, alpha=group["lr"])
        return loss


def inverse_fourth_root(matrix: Float[Tensor, "n n"]) -> Float[Tensor, "n n"]:
    """A^{-1/4} of a symmetric positive definite matrix."""
    values, vectors = torch.linalg.eigh(matrix.double())
    scaled = vectors * values.clamp_min(1e-12).pow(-0.25)
    return (scaled @ vectors.T).to(matrix)
