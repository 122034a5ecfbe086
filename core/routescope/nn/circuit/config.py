"""Every size of a Neural Attentive Circuit, as data."""

from dataclasses import dataclass
from typing import Literal, get_args

from routescope.nn.config import Config

InitialState = Literal["mlp", "code"]
Modulation = Literal["codes", "none"]
Links = Literal["learned", "frozen", "complete"]
Prior = Literal["scale-free", "planted-partition", "ring-of-cliques", "erdos-renyi"]
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
        heads, head_features: of the propagators; ``readin_*`` and ``readout_*`` likewise.
        ffn_hidden: hidden units of a ModFFN, after the GEGLU has halved them.
        bandwidth: epsilon of Equation 2.
        temperature: of the relaxed Bernoulli distribution that links are sampled from in training.
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
    heads: int = 6
    head_features: int = 64
    ffn_hidden: int = 1536
    readin_heads: int = 1
    readin_head_features: int = 64
    readout_heads: int = 1
    readout_head_features: int = 64
    bandwidth: float = 1.0
    temperature: float = 0.5
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
            ("prior", (None, *get_args(Prior))),
            ("tokenizer", (None, *get_args(SetTokenizer))),
        ):
            if getattr(self, name) not in accepted:
                raise ValueError(f"{name} must be one of {accepted}, not {getattr(self, name)!r}")
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
        """How many propagator layers run unless told otherwise."""
        return self.layers

    @property
    def grid(self) -> tuple[int, int]:
        """Rows and columns of patches; (0, 0) where tokens are no patches."""
        if self.tokenizer not in IMAGE_TOKENIZERS:
            return 0, 0
        side = self.image_size // self.patch_size
        return side, side

    @property
    def picture_side(self) -> int:
        """Side of the pictures that are read, in pixels."""
        return self.image_size
