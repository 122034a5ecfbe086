"""Sizes of a Neural Attentive Circuit and of a conditional one, as data."""

from dataclasses import dataclass
from typing import Literal, get_args

from routescope.nn.config import Config

InitialState = Literal["mlp", "code"]
Modulation = Literal["codes", "none"]
Links = Literal["learned", "frozen", "complete"]
Prior = Literal["scale-free", "planted-partition", "ring-of-cliques", "erdos-renyi"]
Sampling = Literal["batch", "sample"]
ReadInAttention = Literal["modulated", "plain"]
SetTokenizer = Literal["convnext", "convolutions", "patches", "points", "symbols", "bytes", "listops"]

#: Tokenizers that read images of ``image_size``; the others read sequences of up to ``max_length``.
IMAGE_TOKENIZERS: tuple[SetTokenizer, ...] = ("convnext", "convolutions", "patches")


@dataclass(frozen=True)
class NeuralAttentiveCircuitConfig(Config):
    """Every size of a Neural Attentive Circuit; the defaults are those of Table 4 (Tiny-ImageNet).

    Attributes:
        features, code_features, signature_features: d_model, d_code, d_sig.
        modules, readouts: U_p processor modules and U_o read-out modules.
        layers: L propagator layers.
        distinct_layers: how many of them have weights of their own; they take turns. None: all. The Perceiver IO for
            ImageNet has 6 of 48 (Table 5).
        heads, head_features: of the propagators; ``readin_*`` and ``readout_*`` likewise.
        ffn_hidden: hidden units of a ModFFN, after the GEGLU has halved them.
        readin_attention: the code of the reading module modulates keys and values ("modulated", Equation 4), or all
            modules share them ("plain"): the cheaper cross-attention of Perceiver IO (end of Appendix F).
        bandwidth: epsilon of Equation 2.
        truncation: P is 0 where the cosine distance of two signatures exceeds it; None: never.
        temperature: of the relaxed Bernoulli distribution that links are sampled from in training.
        sampling: training draws one K a layer for the whole batch, or one for each sample.
        alpha: of Equation 1, at initialisation.
        initial_state: a two-layer MLP of the code (paper), or the code itself.
        modulation: "none" leaves codes out of every layer, which is alpha = 0 for good.
        links: "complete" links everything to everything (P = 1); "frozen" keeps signatures as they are.
        prior: name of the random graph that the links were regularised towards, or fitted to.
        tokenizer: None reads sets of tokens (B, V, input_features).
        position_features: learned positional channels that are concatenated to every token.
        vocabulary: of symbols; there are 256 bytes, and as many symbols of ListOps as that has.
        max_length: the most symbols or bytes of a sample; of points a network reads the first so many of every cloud.
        domains: data sets it can be scored on, all with the same head.
        held_out: those of them that training never saw.
        class_names: of the labels in their order, for pictures whose classes their user chose; else none.
    """

    features: int = 384
    code_features: int = 384
    signature_features: int = 64
    modules: int = 320
    readouts: int = 64
    layers: int = 8
    distinct_layers: int | None = None
    heads: int = 6
    head_features: int = 64
    ffn_hidden: int = 1536
    readin_heads: int = 1
    readin_head_features: int = 64
    readin_attention: ReadInAttention = "modulated"
    readout_heads: int = 1
    readout_head_features: int = 64
    bandwidth: float = 1.0
    truncation: float | None = None
    temperature: float = 0.5
    sampling: Sampling = "sample"
    alpha: float = 0.1
    initial_state: InitialState = "mlp"
    modulation: Modulation = "codes"
    links: Links = "learned"
    prior: Prior | None = None
    tokenizer: SetTokenizer | None = "convnext"
    input_features: int = 384
    image_size: int = 64
    image_channels: int = 3
    patch_size: int = 8
    position_features: int = 64
    vocabulary: int = 256
    max_length: int = 2000
    domains: tuple[str, ...] = ("mnist", "mnist-m", "street-digits")
    held_out: tuple[str, ...] = ()
    classes: int = 10
    class_names: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        for name, accepted in (
            ("initial_state", get_args(InitialState)),
            ("modulation", get_args(Modulation)),
            ("links", get_args(Links)),
            ("sampling", get_args(Sampling)),
            ("readin_attention", get_args(ReadInAttention)),
            ("prior", (None, *get_args(Prior))),
            ("tokenizer", (None, *get_args(SetTokenizer))),
        ):
            if getattr(self, name) not in accepted:
                raise ValueError(f"{name} must be one of {accepted}, not {getattr(self, name)!r}")
        if self.distinct_layers is not None and not 1 <= self.distinct_layers <= self.layers:
            raise ValueError(f"distinct_layers must be from 1 to {self.layers} layers, not {self.distinct_layers}")
        if self.truncation is not None and not 0 < self.truncation <= 2:
            raise ValueError(f"truncation must be a cosine distance above 0 and at most 2, not {self.truncation}")
        if self.initial_state == "code" and self.code_features != self.features:
            raise ValueError("initial_state 'code' needs as many code_features as features")
        if self.tokenizer in IMAGE_TOKENIZERS and self.image_size % self.patch_size:
            raise ValueError(f"image_size {self.image_size} must be a multiple of patch_size {self.patch_size}")
        if self.tokenizer == "convnext" and self.patch_size != 8:
            raise ValueError("the convnext tokenizer makes patches of 8 x 8 pixels: set patch_size to 8")
        if set(self.held_out) - set(self.domains):
            raise ValueError(f"held_out {self.held_out} must be among the domains {self.domains}")
        if self.class_names and len(self.class_names) != self.classes:
            raise ValueError(f"there are {len(self.class_names)} class_names for {self.classes} classes")

    @property
    def iterations(self) -> int:
        """Number of propagator layers that run by default."""
        return self.layers

    @property
    def grid(self) -> tuple[int, int]:
        if self.tokenizer not in IMAGE_TOKENIZERS:
            return 0, 0
        side = self.image_size // self.patch_size
        return side, side

    @property
    def picture_side(self) -> int:
        return self.image_size


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
        if self.sampling != "sample":
            raise ValueError("every sentence has links of its own: sampling is 'sample'")
        if self.pictures < 1 or not self.reference:
            raise ValueError("there are at least one picture a sample and one sentence in reference")
        if self.prior is not None:
            raise ValueError("a circuit that a sentence designs has no prior (Section 4.4)")

    @property
    def grid(self) -> tuple[int, int]:
        """Rows and columns of the patches of one picture."""
        side = self.image_size // self.patch_size
        return side, side
