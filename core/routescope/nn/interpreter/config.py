"""Every size of a Neural Interpreter, as data."""

from dataclasses import dataclass
from typing import Literal

from routescope.nn.config import Config
from routescope.nn.encoders.pictures import TOKENIZERS
from routescope.nn.interpreter.positions import RelativePositionForm


@dataclass(frozen=True)
class NeuralInterpreterConfig(Config):
    """Every size of a Neural Interpreter; the defaults are those of Table 4.

    ``tokenizer=None`` reads sets of tokens (B, V, C) instead of images, and ``"numbers"`` reads the values of
    ``numbers`` variables; ``key_features`` is per head. With ``shared_head`` all CLS tokens have one head.
    ``target_means`` makes every head answer with a number: the mean of its target in training, by domain.
    ``frozen_patch_embeddings`` leaves the tokenizer as it was drawn, ``frozen_type_inference`` type inference and
    sigma: with ``frozen_signatures`` the routing is then fixed at initialisation (Figure 18).
    """

    features: int = 192
    code_features: int = 192
    type_features: int = 24
    scripts: int = 1
    iterations: int = 8
    locs: int = 1
    functions: int = 5
    heads: int = 4
    key_features: int = 128
    type_inference_width: int = 192
    type_inference_depth: int = 2
    tau: float = 1.4
    eps: float = 1e-6
    residual: Literal["passthrough", "printed", "none"] = "passthrough"
    relative_position: RelativePositionForm | None = "shared"
    position_features: int = 128
    frozen_signatures: bool = True
    frozen_codes: bool = False
    frozen_patch_embeddings: bool = False
    frozen_type_inference: bool = False
    tokenizer: Literal["linear", "convolutional", "numbers"] | None = "linear"
    image_size: int = 32
    image_channels: int = 3
    patch_size: int = 4
    domains: tuple[str, ...] = ("mnist", "mnist-m", "street-digits")
    classes: int = 10
    numbers: int = 5
    shared_head: bool = False
    target_means: tuple[float, ...] = ()

    def __post_init__(self) -> None:
        if self.residual not in ("passthrough", "printed", "none"):
            raise ValueError(f"residual must be 'passthrough', 'printed' or 'none', not {self.residual!r}")
        tokenizers = sorted([*TOKENIZERS, "numbers"])
        if self.tokenizer is not None and self.tokenizer not in tokenizers:
            raise ValueError(f"tokenizer must be one of {tokenizers} or None, not {self.tokenizer!r}")
        if not self.reads_pictures and self.relative_position is not None:
            raise ValueError("relative_position needs a tokenizer of pictures, which makes the grid; set it to None")
        if self.tokenizer is None and self.frozen_patch_embeddings:
            raise ValueError("frozen_patch_embeddings needs a tokenizer, which makes them")
        if self.target_means and len(self.target_means) != len(self.domains):
            raise ValueError(f"there are {len(self.target_means)} target_means for {len(self.domains)} domains")
        if self.target_means and self.classes != 1:
            raise ValueError(f"a head that answers with a number has classes=1, not {self.classes}")
        if self.reads_pictures and self.image_size % self.patch_size:
            raise ValueError(f"image_size {self.image_size} must be a multiple of patch_size {self.patch_size}")

    @property
    def reads_pictures(self) -> bool:
        """Whether a tokenizer cuts pictures into patches."""
        return self.tokenizer in TOKENIZERS

    @property
    def grid(self) -> tuple[int, int]:
        """Rows and columns of patches; numbers are in one row."""
        if self.tokenizer == "numbers":
            return 1, self.numbers
        side = self.image_size // self.patch_size
        return side, side

    @property
    def picture_side(self) -> int:
        return self.image_size
