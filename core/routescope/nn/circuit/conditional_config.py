"""Every size of a conditional Neural Attentive Circuit, as data."""

from dataclasses import dataclass
from typing import Literal, get_args

from routescope.nn.circuit.config import IMAGE_TOKENIZERS, NeuralAttentiveCircuitConfig, SetTokenizer

Text = Literal["words", "clip", "minilm"]
Sees = Literal["both", "pictures", "sentence"]


@dataclass(frozen=True)
class ConditionalCircuitConfig(NeuralAttentiveCircuitConfig):
    """Sizes of a circuit that a sentence designs and pictures run through; defaults are those of Appendix G.

    Attributes:
        pictures: how many pictures a sample has.
        image_encoder: None: the tokenizer is trained along; "clip": frozen patch features of CLIP take its place
            (then tokenizer is None, and image_size and patch_size are CLIP's).
        text: the text encoder: words trained along, or frozen features of CLIP or MiniLM.
        text_features, text_layers, text_heads: of the words' encoder; frozen ones have their own.
        words: what the words' encoder knows; it spells others.
        most_pieces: pieces of a sentence that are read, the start included.
        generator_features: d of the queries, one a module.
        generator_heads, generator_hidden: of the generator's attention and feed-forward networks.
        sees: "pictures" blanks every sentence and "sentence" every picture: controls that show what each tells alone.
        reference: sentences over which figures that no one sentence decides are averaged, such as connectivity.
        frozen: fingerprint of the frozen weights that training used; "" where everything is trained along.
    """

    pictures: int = 2
    image_encoder: Literal["clip"] | None = None
    text: Text = "words"
    text_features: int = 64
    text_layers: int = 1
    text_heads: int = 4
    words: tuple[str, ...] = ()
    most_pieces: int = 40
    generator_features: int = 384
    generator_heads: int = 6
    generator_hidden: int = 1536
    sees: Sees = "both"
    reference: tuple[str, ...] = ("There is a red circle.",)
    frozen: str = ""
    tokenizer: SetTokenizer | None = "convnext"
    domains: tuple[str, ...] = ("scenes",)
    classes: int = 2

    def __post_init__(self) -> None:
        super().__post_init__()
        for name, accepted in (("text", get_args(Text)), ("sees", get_args(Sees))):
            if getattr(self, name) not in accepted:
                raise ValueError(f"{name} must be one of {accepted}, not {getattr(self, name)!r}")
        if self.image_encoder is None and self.tokenizer not in IMAGE_TOKENIZERS:
            raise ValueError(f"pictures are read by one of the tokenizers {IMAGE_TOKENIZERS}, not {self.tokenizer!r}")
        if self.image_encoder not in (None, "clip"):
            raise ValueError(f"image_encoder must be None or 'clip', not {self.image_encoder!r}")
        if self.image_encoder is not None and self.tokenizer is not None:
            raise ValueError(
                f"an image_encoder takes the tokenizer's place: set tokenizer to None, not {self.tokenizer!r}"
            )
        if self.image_size % self.patch_size:
            raise ValueError(f"image_size {self.image_size} must be a multiple of patch_size {self.patch_size}")
        for features, heads in (("text_features", "text_heads"), ("generator_features", "generator_heads")):
            if getattr(self, heads) < 1 or getattr(self, features) % getattr(self, heads):
                raise ValueError(
                    f"{features} {getattr(self, features)} must be a multiple of {heads} {getattr(self, heads)}"
                )
        if self.most_pieces < 1:
            raise ValueError(f"most_pieces must be at least 1, the start, not {self.most_pieces}")
        if self.links == "frozen":
            raise ValueError("signatures are designed by sentences, not frozen: links is 'learned' or 'complete'")
        if self.pictures < 1 or not self.reference:
            raise ValueError("there are at least one picture a sample and one sentence in reference")
        if self.prior is not None:
            raise ValueError("a circuit that a sentence designs has no prior (Section 4.4)")

    @property
    def grid(self) -> tuple[int, int]:
        """Rows and columns of the patches of one picture."""
        side = self.image_size // self.patch_size
        return side, side
