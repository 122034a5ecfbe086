"""Tokenizers of Neural Attentive Circuits: from an input to a set of vectors with learned positional channels."""

from typing import Any

import torch
import torch.nn.functional as F
from jaxtyping import Bool, Float, Int64
from torch import Tensor, nn

from routescope.nn.circuit_config import NeuralAttentiveCircuitConfig
from routescope.nn.encoders.pictures import ConvolutionalTokenizer
from routescope.nn.inputs.sequences import SYMBOLS

#: Symbols of those tokenizers for which no config says how many there are.
VOCABULARIES = {"bytes": 256, "listops": len(SYMBOLS)}


def _normal(*shape: int) -> nn.Parameter:
    return nn.Parameter(0.02 * torch.randn(*shape))


class _ChannelsLast(nn.Module):
    """LayerNorm over the channels of a feature map."""

    def __init__(self, features: int) -> None:
        super().__init__()
        self.norm = nn.LayerNorm(features)

    def forward(self, x: Float[Tensor, "B C h w"]) -> Float[Tensor, "B C h w"]:
        normed: Tensor = self.norm(x.permute(0, 2, 3, 1))
        return normed.permute(0, 3, 1, 2)


class ConvNeXtBlock(nn.Module):
    """A depthwise 7 x 7 convolution and two point-wise linear layers, a LayerNorm before each, GELU after the first."""

    def __init__(self, features: int, expansion: int = 4) -> None:
        super().__init__()
        self.depthwise = nn.Conv2d(features, features, kernel_size=7, padding=3, groups=features)
        self.pointwise = nn.Sequential(
            nn.LayerNorm(features),
            nn.Linear(features, expansion * features),
            nn.GELU(),
            nn.LayerNorm(expansion * features),
            nn.Linear(expansion * features, features),
        )

    def forward(self, x: Float[Tensor, "B C h w"]) -> Float[Tensor, "B C h w"]:
        """The input plus what the block makes of it."""
        y: Tensor = self.pointwise(self.depthwise(x).permute(0, 2, 3, 1))
        return x + y.permute(0, 3, 1, 2)


class ConvNeXtTokenizer(nn.Module):
    """Appendix C: convolution 4 x 4 / 4, ConvNeXt block, convolution 2 x 2 / 2; 64 x 64 pixels become 8 x 8 tokens."""

    def __init__(self, config: NeuralAttentiveCircuitConfig) -> None:
        super().__init__()
        width = config.features // 2
        rows, columns = config.grid
        self.stem = nn.Sequential(
            nn.Conv2d(config.image_channels, width, kernel_size=4, stride=4), _ChannelsLast(width)
        )
        self.block = ConvNeXtBlock(width)
        self.down = nn.Sequential(
            nn.Conv2d(width, config.features, kernel_size=2, stride=2), _ChannelsLast(config.features)
        )
        self.positions = _normal(rows * columns, config.position_features)
        self.features = config.features + config.position_features

    def forward(self, inputs: Float[Tensor, "B c h w"]) -> tuple[Float[Tensor, "B V C_in"], None]:
        """Tokens row by row; no token is padding."""
        x = self.down(self.block(self.stem(inputs))).flatten(2).transpose(1, 2)
        return _beside(x, self.positions), None


class ConvolutionTokenizer(nn.Module):
    """Stride-2 convolutions as in the Neural Interpreters' small models: shapes are learned in fewer steps."""

    def __init__(self, config: NeuralAttentiveCircuitConfig) -> None:
        super().__init__()
        rows, columns = config.grid
        self.convolutions = ConvolutionalTokenizer(config.image_channels, config.patch_size, config.features)
        self.positions = _normal(rows * columns, config.position_features)
        self.features = config.features + config.position_features

    def forward(self, inputs: Float[Tensor, "B c h w"]) -> tuple[Float[Tensor, "B V C_in"], None]:
        """Tokens row by row; no token is padding."""
        return _beside(self.convolutions(inputs), self.positions), None


class PatchTokenizer(nn.Module):
    """Linear embeddings of non-overlapping patches."""

    def __init__(self, config: NeuralAttentiveCircuitConfig) -> None:
        super().__init__()
        rows, columns = config.grid
        self.patch_size = config.patch_size
        self.embed = nn.Linear(config.image_channels * config.patch_size**2, config.features)
        self.positions = _normal(rows * columns, config.position_features)
        self.features = config.features + config.position_features

    def forward(self, inputs: Float[Tensor, "B c h w"]) -> tuple[Float[Tensor, "B V C_in"], None]:
        """Tokens row by row; no token is padding."""
        patches = F.unfold(inputs, self.patch_size, stride=self.patch_size).transpose(1, 2)
        return _beside(self.embed(patches), self.positions), None


class PointTokenizer(nn.Module):
    """Points in space: coordinates and their sines and cosines at ``position_features`` frequencies, embedded.

    A set of points has no order, so that there are no learned positions.
    """

    frequencies: Tensor

    def __init__(self, config: NeuralAttentiveCircuitConfig) -> None:
        super().__init__()
        per_axis = max(1, config.position_features // 6)
        self.register_buffer("frequencies", torch.pi * 2.0 ** torch.linspace(0, 6, per_axis))
        self.embed = nn.Linear(3 + 6 * per_axis, config.features)
        self.features = config.features

    def forward(self, inputs: Float[Tensor, "B V 3"]) -> tuple[Float[Tensor, "B V C_in"], Bool[Tensor, "B V"]]:
        """Tokens, and a mask of real tokens: points with a coordinate that is not a number are padding."""
        is_point = inputs.isfinite().all(dim=-1)
        xyz = inputs.nan_to_num(0.0, 0.0, 0.0)
        angles = (xyz[..., None] * self.frequencies).flatten(2)
        return self.embed(torch.cat((xyz, angles.sin(), angles.cos()), dim=-1)), is_point


class SymbolTokenizer(nn.Module):
    """Learned embeddings of symbols, raw bytes or the symbols of ListOps, beside learned positions."""

    def __init__(self, config: NeuralAttentiveCircuitConfig) -> None:
        super().__init__()
        vocabulary = VOCABULARIES.get(config.tokenizer or "", config.vocabulary)
        self.embed = nn.Embedding(vocabulary, config.features)
        self.positions = _normal(config.max_length, config.position_features)
        self.features = config.features + config.position_features

    def forward(self, inputs: Int64[Tensor, "B V"]) -> tuple[Float[Tensor, "B V C_in"], Bool[Tensor, "B V"]]:
        """Return tokens and their mask, negative symbols as padding; raises ValueError for too many or unknown ones."""
        if inputs.shape[1] > len(self.positions):
            raise ValueError(f"up to {len(self.positions)} symbols are read, not {inputs.shape[1]}")
        if inputs.numel() and int(inputs.max()) >= self.embed.num_embeddings:
            raise ValueError(f"symbols are below {self.embed.num_embeddings}, not {int(inputs.max())}")
        return _beside(self.embed(inputs.clamp(min=0)), self.positions[: inputs.shape[1]]), inputs >= 0


def _beside(x: Float[Tensor, "B V C"], positions: Float[Tensor, "V P"]) -> Float[Tensor, "B V C_in"]:
    return torch.cat((x, positions.to(x.dtype).expand(len(x), -1, -1)), dim=-1)


SET_TOKENIZERS: dict[str, type[Any]] = {
    "convnext": ConvNeXtTokenizer,
    "convolutions": ConvolutionTokenizer,
    "patches": PatchTokenizer,
    "points": PointTokenizer,
    "symbols": SymbolTokenizer,
    "bytes": SymbolTokenizer,
    "listops": SymbolTokenizer,
}
