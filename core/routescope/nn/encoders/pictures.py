"""Image tokenizers: from a picture to a set of patch embeddings, row by row."""

import math

import torch.nn.functional as F
from jaxtyping import Float
from torch import Tensor, nn


class LinearTokenizer(nn.Module):
    """Linear embeddings of non-overlapping patches, the printed setting of the Neural Interpreter."""

    def __init__(self, channels: int, patch_size: int, features: int) -> None:
        super().__init__()
        self.patch_size = patch_size
        self.embed = nn.Linear(channels * patch_size**2, features)

    def forward(self, images: Float[Tensor, "B c h w"]) -> Float[Tensor, "B P C"]:
        """Cut, flatten (channel, row, column within the patch) and embed."""
        patches: Tensor = F.unfold(images, self.patch_size, stride=self.patch_size)
        embedded: Tensor = self.embed(patches.transpose(1, 2))
        return embedded


class ConvolutionalTokenizer(nn.Module):
    """Stride-2 convolutions with GroupNorm and GELU; a patch of size 2^n is the grid cell after n of them.

    Patches see beyond their borders. It learns much faster than the linear tokenizer on small budgets.
    """

    def __init__(self, channels: int, patch_size: int, features: int) -> None:
        super().__init__()
        stages = int(math.log2(patch_size))
        if 2**stages != patch_size or stages < 1:
            raise ValueError(f"patch_size must be a power of two of at least 2, not {patch_size}")
        widths = [channels, *(max(16, features // 2 ** (stages - 1 - s)) for s in range(stages - 1)), features]
        self.stages = nn.Sequential(
            *(
                nn.Sequential(
                    nn.Conv2d(d_in, d_out, kernel_size=3, stride=2, padding=1),
                    nn.GroupNorm(math.gcd(8, d_out), d_out),
                    nn.GELU(),
                )
                for d_in, d_out in zip(widths[:-1], widths[1:], strict=True)
            )
        )
        self.embed = nn.Linear(features, features)

    def forward(self, images: Float[Tensor, "B c h w"]) -> Float[Tensor, "B P C"]:
        """Convolve, flatten the grid row by row and embed."""
        embedded: Tensor = self.embed(self.stages(images).flatten(2).transpose(1, 2))
        return embedded


TOKENIZERS = {"linear": LinearTokenizer, "convolutional": ConvolutionalTokenizer}
