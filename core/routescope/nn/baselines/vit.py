"""The Vision Transformer, to which Neural Interpreters are compared on the digits.

*Dynamic Inference with Neural Interpreters* (Rahaman et al., NeurIPS 2021), section 4.2 and Table 5: tokens, CLS tokens
and heads are those of the Neural Interpreter, of which a Vision Transformer (Dosovitskiy et al., 2021) is a special
case: each layer is a script of its own with one function, which every token takes whole. So its units are its
**layers**: nothing is routed, and what can be left out is what a layer adds to its tokens. Dropped and muted ones
differ in their names alone, as nobody has a share that others could take. (Attention heads could be left out too; MLPs,
a third of the weights, would then always stay, and no share of the compute would compare with a function's.)

What the paper leaves open, chosen here: LayerNorms come before attention and MLP; queries, keys and values have biases;
positions are Equations 20 and 21 without functions, a learned number for each layer, head and difference of rows and of
columns, among patches alone. The count at the printed sizes, 1.80M, leaves no room for learned embeddings of positions
beside these biases.

Symbols: B samples, V tokens, C features, H heads of d features.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, ClassVar, Literal, Self, cast

import torch
import torch.nn.functional as F
from jaxtyping import Float
from torch import Tensor, nn

from routescope.nn.config import Config
from routescope.nn.encoders.pictures import TOKENIZERS
from routescope.nn.inputs.pictures import Pictures
from routescope.nn.network import AdaptableNetwork, Named, Network
from routescope.nn.probe import Probe, SetProbe
from routescope.nn.registry import register


@dataclass(frozen=True)
class VisionTransformerConfig(Config):
    """Every size of a Vision Transformer; the defaults are those of Table 5. ``head_features`` is per head."""

    features: int = 192
    layers: int = 8
    heads: int = 3
    head_features: int = 64
    ffn_hidden: int = 192
    tokenizer: Literal["linear", "convolutional"] = "linear"
    image_size: int = 32
    image_channels: int = 3
    patch_size: int = 4
    domains: tuple[str, ...] = ("mnist", "mnist-m", "street-digits")
    classes: int = 10

    def __post_init__(self) -> None:
        if self.tokenizer not in TOKENIZERS:
            raise ValueError(f"tokenizer must be one of {sorted(TOKENIZERS)}, not {self.tokenizer!r}")
        if self.image_size % self.patch_size:
            raise ValueError(f"image_size {self.image_size} must be a multiple of patch_size {self.patch_size}")

    @property
    def iterations(self) -> int:
        """Every layer runs once."""
        return self.layers

    @property
    def grid(self) -> tuple[int, int]:
        side = self.image_size // self.patch_size
        return side, side

    @property
    def picture_side(self) -> int:
        return self.image_size


class RelativeBias(nn.Module):
    """Equations 20 and 21: a number for each head and difference of rows, and of columns; none at CLS tokens.

    The paper's w^h . e[delta] can be any numbers, one for each head and difference; these are learned as they are.

    Args:
        rows, columns: size of the patch grid; patches are ordered row by row.
        prefix: number of tokens before the patches.
    """

    def __init__(self, rows: int, columns: int, prefix: int, heads: int) -> None:
        super().__init__()
        self.prefix = prefix
        self.row = nn.Parameter(0.02 * torch.randn(heads, 2 * rows - 1))
        self.column = nn.Parameter(0.02 * torch.randn(heads, 2 * columns - 1))

    @staticmethod
    def _along(e: Float[Tensor, "H differences"]) -> Float[Tensor, "H size size"]:
        """e[i_2 - i_1] from the first index to the second."""
        size = (e.shape[1] + 1) // 2
        index = torch.arange(size, device=e.device)
        return e[:, index[None, :] - index[:, None] + size - 1]

    def forward(self) -> Float[Tensor, "H V V"]:
        """The bias between every two tokens."""
        row, column = self._along(self.row), self._along(self.column)
        patches = row.shape[-1] * column.shape[-1]
        b = row[:, :, None, :, None] + column[:, None, :, None, :]  # (H, i_1, j_1, i_2, j_2)
        return F.pad(b.reshape(-1, patches, patches), (self.prefix, 0, self.prefix, 0))


class TransformerLayer(nn.Module):
    """x + o with o = a + MLP(LayerNorm(x + a)), a = Attention(LayerNorm(x)); it gives o, what it adds."""

    def __init__(self, config: VisionTransformerConfig) -> None:
        super().__init__()
        C, width = config.features, config.heads * config.head_features
        self.heads = config.heads
        self.norm_attention = nn.LayerNorm(C)
        self.qkv = nn.Linear(C, 3 * width)
        self.out = nn.Linear(width, C)
        self.position: RelativeBias | None = None
        if all(config.grid):
            self.position = RelativeBias(*config.grid, prefix=len(config.domains), heads=config.heads)
        self.norm_mlp = nn.LayerNorm(C)
        self.mlp = nn.Sequential(nn.Linear(C, config.ffn_hidden), nn.GELU(), nn.Linear(config.ffn_hidden, C))

    def weights_and_values(
        self, x: Float[Tensor, "B V C"]
    ) -> tuple[Float[Tensor, "B H V V"], Float[Tensor, "B H V d"]]:
        """softmax(q k^T / sqrt(d) + b) and v."""
        q, k, v = self.qkv(self.norm_attention(x)).unflatten(-1, (3, self.heads, -1)).permute(2, 0, 3, 1, 4)
        scores = (q * q.shape[-1] ** -0.5) @ k.transpose(-1, -2)
        if self.position is not None:
            scores = scores + self.position()
        return scores.softmax(dim=-1), v

    def forward(self, x: Float[Tensor, "B V C"], attention: Probe | SetProbe, step: int) -> Float[Tensor, "B V C"]:
        """The sum that the layer adds to its tokens; ``attention`` gets the attention weights."""
        weights, v = self.weights_and_values(x)
        weights = attention(weights, step=step)
        a = self.out((weights.to(v.dtype) @ v).transpose(1, 2).flatten(2))
        added: Tensor = a + self.mlp(self.norm_mlp(x + a))
        return added


class VisionTransformerProbes(nn.Module):
    """The places of a Vision Transformer to which hooks can listen; their names are public.

    ``states`` are those of units wherever these carry a network's; here tokens do.
    """

    def __init__(self) -> None:
        super().__init__()
        self.attention = Probe("attention", ("sample", "head", "query", "key"))
        self.token_states = Probe("token_states", ("sample", "token", "feature"))
        self.contributions = Probe("contributions", ("unit", "sample", "token", "feature"))


class TransformerStack(Network):
    """Layers on sets of tokens that have one CLS token and head per domain; each layer is a unit.

    A subclass may replace ``tokenizer`` and ``heads``.

    Args:
        config: every size; see ``VisionTransformerConfig``.
    """

    probes_class: ClassVar[type[VisionTransformerProbes]] = VisionTransformerProbes
    config: VisionTransformerConfig
    probes: VisionTransformerProbes
    tokenizer: Any

    def __init__(self, config: VisionTransformerConfig) -> None:
        super().__init__()
        self.config = config
        C = config.features
        self.tokenizer = TOKENIZERS[config.tokenizer](config.image_channels, config.patch_size, C)
        self.cls = nn.Parameter(torch.randn(len(config.domains), C))
        self.layers = nn.ModuleList(TransformerLayer(config) for _ in range(config.layers))
        self.heads = nn.ModuleList(nn.Sequential(nn.LayerNorm(C), nn.Linear(C, config.classes)) for _ in config.domains)
        self.probes = self.probes_class()
        self.keep_all()

    # -- names ---------------------------------------------------------------------------------------------

    @property
    def all_units(self) -> tuple[str, ...]:
        return tuple(f"l{layer + 1}" for layer in range(self.config.layers))

    @property
    def most_iterations(self) -> int:
        """As many as there are layers: of fewer, the first ones run."""
        return self.config.layers

    def step_names(self, iterations: int) -> tuple[str, ...]:
        """Names of the first layers: each is a step."""
        return self.all_units[:iterations]

    def computing(self, step: int, steps: int) -> tuple[int, ...]:
        """The place of the step's own layer, where it takes part and is not muted."""
        return (step,) if step in self.kept and step not in self.silent else ()

    def coordinates(self) -> dict[str, tuple[str, ...]]:
        return super().coordinates() | {"query": self.tokens, "key": self.tokens}

    # -- computing -----------------------------------------------------------------------------------------

    def encode(self, x: Float[Tensor, "B V C"], iterations: int | None = None) -> Float[Tensor, "B V C"]:
        """Apply the first ``iterations`` layers that take part to a set of tokens; raises ValueError for too many."""
        layers = self.config.layers if iterations is None else iterations
        if not 0 <= layers <= self.config.layers:
            raise ValueError(f"iterations must be from 0 to {self.config.layers} layers, not {iterations}")
        probes = self.probes
        for step in range(layers):
            if self.computing(step, layers):
                added = cast(TransformerLayer, self.layers[step])(x, probes.attention, step)
                x = x + probes.contributions(added[None], step=step)[0]
            else:
                probes.contributions(x.new_zeros(0, *x.shape), step=step)
                if probes.attention.listening:
                    probes.attention(x.new_zeros(len(x), self.config.heads, x.shape[1], x.shape[1]), step=step)
            x = probes.token_states(x, step=step)
        return x


@register("vision_transformer", family="Vision Transformer", config=VisionTransformerConfig)
class VisionTransformer(AdaptableNetwork, TransformerStack):
    """Layers between a tokenizer of pictures and one CLS token and head per domain; each layer is a unit."""

    Config = VisionTransformerConfig
    kinds = (Pictures,)

    def with_heads(self, domains: Sequence[str], classes: int) -> Self:
        adapted = type(self)(replace(self.config, domains=tuple(domains), classes=classes)).to(self.cls)
        drawn = ("cls", "heads.")
        learned = {name: value for name, value in self.state_dict().items() if not name.startswith(drawn)}
        adapted.load_state_dict(learned, strict=False)
        return adapted.with_changes(kept=self.kept, silent=self.silent).train(self.training)

    def parts(self) -> dict[str, tuple[nn.Parameter, ...]]:
        """CLS tokens, heads, what makes tokens, and the layers, each with its parameters."""
        return {
            "cls": (self.cls,),
            "heads": tuple(self.heads.parameters()),
            "tokens": tuple(self.tokenizer.parameters()),
            "layers": tuple(self.layers.parameters()),
        }

    @property
    def tokens(self) -> tuple[str, ...]:
        """Names of the tokens: CLS tokens first, then patches row by row."""
        rows, columns = self.config.grid
        patches = tuple(f"patch:{r},{c}" for r in range(rows) for c in range(columns))
        return tuple(f"cls:{domain}" for domain in self.config.domains) + patches

    def constants(self) -> Named:
        """Return masks of active and muted layers, and what each head of each layer adds to a score by position."""
        positions = [cast(RelativeBias, cast(TransformerLayer, layer).position) for layer in self.layers]
        return {
            **super().constants(),
            "row_bias": (("layer", "head", "row_difference"), torch.stack([position.row for position in positions])),
            "column_bias": (
                ("layer", "head", "column_difference"),
                torch.stack([position.column for position in positions]),
            ),
        }

    def tokenize(self, images: Float[Tensor, "B c h w"]) -> Float[Tensor, "B V C"]:
        """CLS tokens, one per domain, followed by patch embeddings."""
        patches = self.tokenizer(images)
        return torch.cat((self.cls.to(patches.dtype).expand(len(images), -1, -1), patches), dim=1)

    def forward(
        self, images: Float[Tensor, "B c h w"] | Pictures, iterations: int | None = None
    ) -> Float[Tensor, "B D classes"]:
        """Logits of every domain's head, read from its own CLS token. Images are in [0, 1]."""
        values = images.values if isinstance(images, Pictures) else images
        chunk = len(values) if self.training else self.rows_at_once()
        return torch.cat([self._classify(part, iterations) for part in values.split(max(1, chunk))])

    def _classify(self, images: Float[Tensor, "B c h w"], iterations: int | None) -> Float[Tensor, "B D classes"]:
        x = self.encode(self.tokenize(images), iterations)
        return torch.stack([head(x[:, d]) for d, head in enumerate(self.heads)], dim=1)

    def example(self, batch: int) -> Pictures:
        """Black pictures: to count operations with."""
        side, channels = self.config.image_size, self.config.image_channels
        return Pictures(torch.zeros(batch, channels, side, side, device=self.device))
