"""Readers of pictures and sentences for networks that judge statements."""

from dataclasses import replace
from typing import Any

import torch
from jaxtyping import Float
from torch import Tensor, nn

from routescope.nn.circuit_config import ConditionalCircuitConfig
from routescope.nn.encoders.frozen import FrozenImageEncoder, frozen_image_encoder
from routescope.nn.encoders.sets import SET_TOKENIZERS
from routescope.nn.inputs.statements import Statements

#: Labels of a head that judges statements.
TRUTH = ("false", "true")
#: What the places in two pictures are named after; of another number they are numbered.
SIDES = ("left", "right")


class PictureTokens(nn.Module):
    """The tokens of all pictures of a sample as one set: each picture's own, beside learned channels of its place.

    Attributes:
        features: of a token.
        grid: rows and columns of one picture.
    """

    def __init__(self, config: ConditionalCircuitConfig) -> None:
        super().__init__()
        self.encoder: Any
        if config.image_encoder is None:
            self.encoder = SET_TOKENIZERS[str(config.tokenizer)](config)
            self.features, self.grid = int(self.encoder.features), config.grid
        else:
            self.encoder = frozen_image_encoder(config)
            self.features, self.grid = int(self.encoder.features), self.encoder.grid
        self.picture = nn.Parameter(0.1 * torch.randn(config.pictures, self.features))

    def forward(
        self, images: Float[Tensor, "B P c h w"], features: Float[Tensor, "B P T d"] | None = None
    ) -> Float[Tensor, "B V C_in"]:
        """Tokens picture by picture, each row by row.

        Args:
            features: what the frozen encoder makes of these pictures, where that was computed before.

        Raises:
            ValueError: features of another shape than the encoder's, or for an encoder that is trained along.
        """
        if features is None:
            output = self.encoder(images.flatten(0, 1))
            x = (output[0] if isinstance(output, tuple) else output).unflatten(0, images.shape[:2])
        else:
            self._check(features)
            x = features
        return (x + self.picture[:, None].to(x.dtype)).flatten(1, 2)

    def _check(self, features: Float[Tensor, "B P T d"]) -> None:
        if not isinstance(self.encoder, FrozenImageEncoder):
            raise ValueError("this network's pictures are read by an encoder that is trained along: give the pictures")
        wanted = (self.grid[0] * self.grid[1], self.features)
        if tuple(features.shape[2:]) != wanted:
            raise ValueError(f"features of a picture have the shape {wanted}, not {tuple(features.shape[2:])}")


def blanked(inputs: Statements, config: ConditionalCircuitConfig) -> Statements:
    """Inputs with blank sentences or black pictures, for a network that sees only pictures or only sentences.

    Raises:
        ValueError: features of pictures where all pictures are black.
    """
    if config.sees == "pictures":
        return replace(inputs, sentences=("",) * len(inputs))
    if config.sees == "sentence":
        if inputs.features is not None:
            raise ValueError("to a network that sees only sentences every picture is black: give no features of others")
        return Statements(torch.zeros_like(inputs.images), inputs.sentences)
    return inputs


def checked(inputs: Statements, config: ConditionalCircuitConfig) -> Statements:
    """Return the inputs; raises ValueError for no statements, or for another number of pictures."""
    if not isinstance(inputs, Statements):
        raise ValueError(f"this network reads Statements (pictures and sentences), not {type(inputs).__name__}")
    if inputs.images.dim() != 5 or inputs.images.shape[1] != config.pictures:
        raise ValueError(f"{config.pictures} pictures a sample are read, not {tuple(inputs.images.shape[1:2])}")
    return inputs


def token_names(config: ConditionalCircuitConfig, grid: tuple[int, int]) -> tuple[str, ...]:
    """Names of the tokens of all pictures: "left:r,c" and "right:r,c" of two, else "p1:r,c" and so on."""
    names = SIDES if config.pictures == len(SIDES) else tuple(f"p{p + 1}" for p in range(config.pictures))
    rows, columns = grid
    return tuple(f"{name}:{r},{c}" for name in names for r in range(rows) for c in range(columns))


def example(config: ConditionalCircuitConfig, batch: int, device: torch.device) -> Statements:
    """Black pictures with the first reference sentence: to count operations with."""
    side, channels = config.image_size, config.image_channels
    images = torch.zeros(batch, config.pictures, channels, side, side, device=device)
    return Statements(images, (config.reference[0],) * batch)
