"""Clouds of points in space, which networks that read a solid by points of its surface take."""

import math
from dataclasses import dataclass
from typing import ClassVar

import torch
from jaxtyping import Float
from torch import Tensor

from routescope.nn.inputs.kind import OneTensor


@dataclass(frozen=True, eq=False)
class Points(OneTensor):
    """A batch of clouds: x, y and z of V points each, in the unit ball; smaller clouds end with NaN."""

    kind: ClassVar[str] = "points"
    words: ClassVar[str] = "a cloud of points"

    values: Float[Tensor, "B V 3"]


def as_many(points: Float[Tensor, "B V 3"], count: int) -> Float[Tensor, "B count 3"]:
    """Return the first ``count`` points of each cloud; NaN in place of missing points."""
    if points.shape[1] >= count:
        return points[:, :count]
    missing = points.new_full((len(points), count - points.shape[1], 3), math.nan)
    return torch.cat((points, missing), dim=1)
