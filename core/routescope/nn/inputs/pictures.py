"""Pictures, which networks cut into patches."""

from dataclasses import dataclass
from typing import ClassVar

from jaxtyping import Float
from torch import Tensor

from routescope.nn.inputs.kind import OneTensor


@dataclass(frozen=True, eq=False)
class Pictures(OneTensor):
    """A batch of pictures with values in [0, 1]."""

    kind: ClassVar[str] = "images"
    words: ClassVar[str] = "a picture"

    values: Float[Tensor, "B c h w"]
