"""RandAugment: a few operations, drawn anew for every picture, at one magnitude (Cubuk et al., 2020)."""

from typing import Any

import torch
from jaxtyping import Float
from torch import Tensor

from routescope.assets import require

#: Operations a picture gets, and their magnitude of 30. The digits' paper prints neither (it names the implementation
#: of timm); these are what Cubuk et al. took on ImageNet.
OPERATIONS, MAGNITUDE = 2, 9


class RandAugment:
    """Kornia's fifteen operations, at its ranges. Kornia draws operations once a batch; here each picture has its own,
    without repeats and in the order drawn. Labels stay: pictures are not mirrored, but some are inverted in brightness.

    All draws are of torch's global generator, which a training state keeps.

    Args:
        operations: how many a picture gets, 1 to 15.
        magnitude: of all operations, above 0 and below 30.

    Raises:
        ValueError: a number out of these ranges. MissingLibrary: kornia is not installed.
    """

    def __init__(self, operations: int = OPERATIONS, magnitude: int = MAGNITUDE) -> None:
        require("kornia")
        from kornia.augmentation.auto import RandAugment as OfOne
        from kornia.augmentation.auto.rand_augment.rand_augment import default_policy

        if not 1 <= operations <= len(default_policy):
            raise ValueError(f"RandAugment has 1 to {len(default_policy)} operations a picture, not {operations}")
        self.operations = operations
        self.names = tuple(str(name) for ((name, *_),) in default_policy)
        self._each: list[Any] = [
            OfOne(n=1, m=magnitude, policy=[only], transformation_matrix_mode="skip") for only in default_policy
        ]

    def __call__(self, images: Float[Tensor, "B 3 h w"]) -> Float[Tensor, "B 3 h w"]:
        """Pictures with values in [0, 1] from pictures with values in [0, 1], in full precision."""
        order = torch.rand(len(images), len(self._each)).argsort(dim=1)[:, : self.operations]
        with torch.autocast(images.device.type, enabled=False):
            for drawn in order.T:
                for place, operation in enumerate(self._each):
                    rows = (drawn == place).nonzero()[:, 0].to(images.device)
                    if len(rows):
                        images = images.index_copy(0, rows, operation(images[rows]).to(images.dtype))
        return images.clamp(0, 1)
