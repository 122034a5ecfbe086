"""Large matrices as 8-bit integers with a scale for each row: how checkpoints keep them on disk, and nowhere else.

A row of numbers ``w`` becomes ``q = round(w / s)`` with ``s = max |w| / 127``, and is read back as ``s q``: off by at
most ``s / 2``. A row is what has one index of the first dimension, in a weight all that leads to one output. Beside a
tensor ``x`` of integers its scales are called ``x.scale``, a name that no other tensor of a network can have: a module
has under one name a parameter or another module, never both.
"""

from collections.abc import Mapping

import torch
from jaxtyping import Float, Int8, Shaped
from torch import Tensor

#: Integers go from -127 to 127.
LARGEST = 127
#: Numbers that a tensor must have for its scales to be worth their place.
LEAST_NUMBERS = 4096
#: The norm of all rounding errors of a tensor, as a share of its own norm, beyond which it stays as it is.
LARGEST_ERROR = 0.03
#: The largest relative error of an integer times its scale that is an error of float32 alone.
EXACT = 1e-6
#: What follows the name of a tensor in that of its scales.
SCALE = ".scale"


class QuantisationError(ValueError):
    """Integers without their scales, scales that are none, or scales of nothing; the message says which."""


def quantise(weights: Float[Tensor, "rows *rest"]) -> tuple[Int8[Tensor, "rows *rest"], Float[Tensor, " rows"]]:
    """A tensor of finite numbers as integers, and the scale of each row in single precision, above 0."""
    rows = weights.detach().float().flatten(1)
    scales = (rows.abs().amax(1) / LARGEST).clamp_min(torch.finfo(torch.float32).tiny)
    integers = (rows / scales[:, None]).round().clamp(-LARGEST, LARGEST).to(torch.int8)
    return integers.view(weights.shape), scales


def dequantise(integers: Int8[Tensor, "rows *rest"], scales: Float[Tensor, " rows"]) -> Float[Tensor, "rows *rest"]:
    """The numbers that integers and scales stand for, in single precision."""
    return integers.float().mul_(scales.view(-1, *[1] * (integers.ndim - 1)))


def packed(state: Mapping[str, Shaped[Tensor, "..."]]) -> dict[str, Shaped[Tensor, "..."]]:
    """A network's tensors with the large matrices as integers and scales; those that lose too much stay as they are."""
    packed: dict[str, Tensor] = {}
    for name, tensor in state.items():
        packed[name] = tensor
        if tensor.is_floating_point() and tensor.ndim > 1 and tensor.numel() >= LEAST_NUMBERS:
            integers, scales = quantise(tensor)
            error = (dequantise(integers, scales) - tensor).norm() / tensor.float().norm()
            if error <= LARGEST_ERROR:  # not of a tensor that is all 0, or not finite
                packed[name], packed[name + SCALE] = integers, scales
    return packed


def is_exact(state: Mapping[str, Shaped[Tensor, "..."]]) -> bool:
    """Whether a network's tensors are integers times scales already, as those of a packed checkpoint are."""
    again = packed(state)
    integers = [name for name, tensor in again.items() if tensor.dtype == torch.int8 and name in state]
    return bool(integers) and all(
        torch.allclose(dequantise(again[name], again[name + SCALE]), state[name].float(), rtol=EXACT, atol=0)
        for name in integers
    )


def unpacked(state: Mapping[str, Shaped[Tensor, "..."]]) -> dict[str, Shaped[Tensor, "..."]]:
    """The tensors that ``packed`` was given, the integers among them as numbers again.

    Raises:
        QuantisationError: integers without scales, or scales that are not a number above 0 for each row of integers.
    """
    tensors = dict(state)
    for name in [name for name, tensor in state.items() if tensor.dtype == torch.int8]:
        scales = tensors.pop(name + SCALE, None)
        if scales is None:
            raise QuantisationError(f"{name} holds 8-bit integers without scales")
        if scales.dtype != torch.float32 or scales.ndim != 1 or scales.shape != tensors[name].shape[:1]:
            raise QuantisationError(f"{name}{SCALE} holds no number in single precision for each row of {name}")
        if not (scales.isfinite() & (scales > 0)).all():
            raise QuantisationError(f"{name}{SCALE} holds scales that are not finite and above 0")
        tensors[name] = dequantise(tensors[name], scales)
    alone = [name for name in tensors if name.endswith(SCALE) and name.removesuffix(SCALE) in tensors]
    if alone:
        raise QuantisationError(f"{alone[0]} holds scales, but {alone[0].removesuffix(SCALE)} no 8-bit integers")
    return tensors
