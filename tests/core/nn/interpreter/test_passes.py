"""The gradients that are written out, against differences of the function itself."""

import pytest
import torch
from torch import Tensor

from core.nn.interpreter.passes import Attention, AttentionWeights, Residual, attention, residual


def numbers(*shape: int) -> Tensor:
    return torch.randn(*shape, dtype=torch.float64).requires_grad_()


@pytest.mark.parametrize("keys", [False, True], ids=["keys folded", "keys"])
@pytest.mark.parametrize("position", [False, True], ids=["", "position"])
@pytest.mark.parametrize(("streams", "Q"), [(1, 3), (2, 3), (1, 2), (2, 2)])
def test_the_gradients_of_attention_are_those_of_its_numbers(keys: bool, position: bool, streams: int, Q: int) -> None:
    torch.manual_seed(0)
    U, B, V, H, C, c1 = 2, 2, 3, 2, 4, 4
    value, one = torch.randn(U, C, H, c1, dtype=torch.float64), torch.randn(U, 1, H, c1, dtype=torch.float64)
    value[..., C // H :], one[..., C // H :] = 0, 1
    weights = AttentionWeights(
        query=numbers(H, U, C, 5 if keys else C),
        key=numbers(H, U, C, 5) if keys else None,
        value=value.flatten(2).requires_grad_(),
        b_value=one.flatten(2).requires_grad_(),
        position=numbers(H, U, 1, V, V) if position else None,
    )
    x, compatibility = numbers(streams, B, V, C), torch.rand(U, B, V, dtype=torch.float64).requires_grad_()
    y = Attention.apply(x, compatibility, 1e-2, Q, *weights)
    with torch.no_grad():
        assert torch.equal(y, attention(x, compatibility, weights, 1e-2, Q)[0])
    assert torch.autograd.gradcheck(
        lambda x, C, *w: Attention.apply(x, C, 1e-2, Q, *w), (x, compatibility, *weights), atol=1e-6
    )
    with pytest.raises(RuntimeError, match="require grad|once_differentiable"):
        (slope,) = torch.autograd.grad(y.sum(), x, create_graph=True)
        slope.sum().backward()


@pytest.mark.parametrize("streams", [1, 3])
def test_the_gradients_of_a_residual_are_those_of_its_numbers(streams: int) -> None:
    torch.manual_seed(0)
    U, B, Q, C = 3, 2, 4, 5
    x, compatibility, y = numbers(streams, B, Q, C), numbers(U, B, Q), numbers(U, B * Q, C)
    W_T, b = numbers(U, C, C), numbers(U, 1, C)
    with torch.no_grad():
        added = (y @ W_T + b).view(U, B, Q, C)
        torch.testing.assert_close(residual(x, compatibility, y, W_T, b), x + compatibility[..., None] * added)
    assert torch.autograd.gradcheck(Residual.apply, (x, compatibility, y, W_T, b))
