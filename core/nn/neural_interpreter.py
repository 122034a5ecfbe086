"""The Neural Interpreter: tokens are typed and routed through functions.

*Dynamic Inference with Neural Interpreters* (Rahaman, Gondal, Joshi, Gehler, Bengio, Locatello,
Schölkopf, NeurIPS 2021), Equations 1 to 14. Where the paper is ambiguous:

* Equation 3 keeps an element where the distance d <= tau (the printed sign is a slip).
* Equation 7 divides by the sum over j; eps stands in Equations 3 and 7 only, LayerNorms keep 1e-5.
* Equation 11 has three readings, ``residual``: ``"printed"``, y = x + sum_u C_u LOC(x);
  ``"none"``, y = sum_u C_u LOC(x); ``"passthrough"``, y = x + sum_u C_u (LOC(x) - x), which equals
  ``"none"`` where C sums to 1 and leaves unmatched elements as they are.

Not verified here: the paper's accuracies at its full settings. Verified against the authors' own
implementation on random weights: the bare interpreter without relative positions.

Symbols: B samples, V tokens, U functions, C channels. The state inside a script is (U, B, V, C).
"""

import copy
import json
from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace
from typing import Literal, Self

import torch
import torch.nn.functional as F
from jaxtyping import Float
from torch import Tensor, nn

from core.nn.modulated import FoldedLinear, ModAttn, ModMLP, PreparedAttention
from core.nn.positions import RelativePosition, RelativePositionForm
from core.nn.probe import Probe
from core.nn.tokenizers import TOKENIZERS


@dataclass(frozen=True)
class NeuralInterpreterConfig:
    """Every size of a Neural Interpreter; the defaults are those of Table 4.

    ``tokenizer=None`` reads sets of tokens (B, V, C) instead of images; ``key_features`` is per head.
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
    tokenizer: Literal["linear", "convolutional"] | None = "linear"
    image_size: int = 32
    image_channels: int = 3
    patch_size: int = 4
    domains: tuple[str, ...] = ("mnist", "mnist-m", "street-digits")
    classes: int = 10

    def __post_init__(self) -> None:
        if self.residual not in ("passthrough", "printed", "none"):
            raise ValueError(f"residual must be 'passthrough', 'printed' or 'none', not {self.residual!r}")
        if self.tokenizer is not None and self.tokenizer not in TOKENIZERS:
            raise ValueError(f"tokenizer must be one of {sorted(TOKENIZERS)} or None, not {self.tokenizer!r}")
        if self.tokenizer is None and self.relative_position is not None:
            raise ValueError("relative_position needs a tokenizer, which makes the grid; set it to None")
        if self.tokenizer is not None and self.image_size % self.patch_size:
            raise ValueError(f"image_size {self.image_size} must be a multiple of patch_size {self.patch_size}")

    @property
    def grid(self) -> tuple[int, int]:
        """Rows and columns of patches."""
        side = self.image_size // self.patch_size
        return side, side

    def to_json(self) -> str:
        """Canonical JSON of all fields."""
        return json.dumps(asdict(self), sort_keys=True)

    @classmethod
    def from_json(cls, text: str) -> Self:
        """Read what ``to_json`` wrote; unknown fields raise TypeError."""
        fields = json.loads(text)
        if "domains" in fields:
            fields["domains"] = tuple(fields["domains"])
        return cls(**fields)


class TypeInference(nn.Module):
    """Equation 2, left: t_i = TypeInference(x_i), a LayerNorm, an MLP with GELU and an L2 normalisation."""

    def __init__(self, config: NeuralInterpreterConfig) -> None:
        super().__init__()
        widths = [config.features] + [config.type_inference_width] * (config.type_inference_depth - 1)
        self.norm = nn.LayerNorm(config.features)
        self.linears = nn.ModuleList(
            nn.Linear(d_in, d_out)
            for d_in, d_out in zip(widths, [*widths[1:], config.type_features], strict=True)
        )

    def forward(self, x: Float[Tensor, "B V C"]) -> Float[Tensor, "B V d_type"]:
        """Types on the unit sphere."""
        x = self.norm(x)
        for i, linear in enumerate(self.linears):
            x = linear(F.gelu(x) if i else x)
        return F.normalize(x, dim=-1)


@dataclass(frozen=True)
class PreparedLOC:
    """What a line of code needs, from parameters and codes alone."""

    attention: PreparedAttention
    mlp: tuple[FoldedLinear, FoldedLinear]


class LOC(nn.Module):
    """A line of code, Equations 9 and 10: ModAttn, then ModMLP, each with a residual weighted by C."""

    def __init__(self, config: NeuralInterpreterConfig) -> None:
        super().__init__()
        C, c, eps = config.features, config.code_features, config.eps
        self.norm_attention = nn.LayerNorm(C)
        self.attention = ModAttn(C, c, config.heads, config.key_features, eps=eps)
        self.norm_mlp = nn.LayerNorm(C)
        self.mlp = ModMLP(C, c)
        self.position: RelativePosition | None = None
        if config.relative_position is not None:
            self.position = RelativePosition(
                *config.grid,
                prefix=len(config.domains),
                heads=config.heads,
                features=config.position_features,
                code_features=c,
                form=config.relative_position,
            )

    def prepare(self, c: Float[Tensor, "U d_cond"]) -> PreparedLOC:
        """Fold the codes into every layer, and lay out the positional bias."""
        position = None if self.position is None else self.position(c)
        return PreparedLOC(self.attention.prepare(c, position), self.mlp.prepare(c))

    def step(
        self,
        x: Float[Tensor, "U B V C"],
        compatibility: Float[Tensor, "U B V"],
        prepared: PreparedLOC,
        queries: int | None = None,
    ) -> Float[Tensor, "U B Q C"]:
        """a = x + C ModAttn(LayerNorm(x)); y = a + C ModMLP(LayerNorm(a))."""
        C_u = compatibility[:, :, :queries, None]
        a = x[:, :, :queries] + C_u * self.attention.step(
            self.norm_attention(x), compatibility, prepared.attention, queries
        )
        U, B, Q, C = a.shape
        b = ModMLP.step(self.norm_mlp(a).view(U, B * Q, C), prepared.mlp).view(U, B, Q, C)
        return a + C_u * b


@dataclass(frozen=True)
class PreparedScript:
    """What a script needs, from parameters alone. ``sounding`` indexes the functions that are not muted."""

    signatures: Float[Tensor, "U d_type"]
    sigma: Float[Tensor, ""]
    sounding: list[int]
    locs: tuple[PreparedLOC, ...]


class Script(nn.Module):
    """Functions f_u = (s_u, c_u), type inference, type matching and an interpreter (Section 2).

    ``kept`` and ``muted`` are positions of functions; they make a *view* of the script and are no
    parameters. A muted function takes part in the normalisation of C and then does nothing.
    """

    def __init__(self, config: NeuralInterpreterConfig) -> None:
        super().__init__()
        self.config = config
        self.type_inference = TypeInference(config)
        signatures = torch.randn(config.functions, config.type_features)
        codes = torch.randn(config.functions, config.code_features)
        self.signatures = nn.Parameter(signatures, requires_grad=not config.frozen_signatures)
        self.codes = nn.Parameter(codes, requires_grad=not config.frozen_codes)
        self.sigma = nn.Parameter(torch.tensor(1.0))
        self.locs = nn.ModuleList(LOC(config) for _ in range(config.locs))
        self.kept: tuple[int, ...] = tuple(range(config.functions))
        self.muted: frozenset[int] = frozenset()

    def view(self, kept: Sequence[int], muted: frozenset[int]) -> "Script":
        """A shallow copy that shares every parameter and lets only some functions take part."""
        view = copy.copy(self)
        view.kept, view.muted = tuple(kept), muted
        return view

    @property
    def sounding(self) -> tuple[int, ...]:
        """Positions of the functions that compute: kept and not muted."""
        return tuple(u for u in self.kept if u not in self.muted)

    def prepare(self) -> PreparedScript:
        """Everything that depends on parameters alone, for the functions that take part."""
        kept = torch.tensor(self.kept, dtype=torch.long, device=self.codes.device)
        c = self.codes[kept[[u not in self.muted for u in self.kept]]]
        return PreparedScript(
            signatures=F.normalize(self.signatures[kept], dim=-1),
            sigma=self.sigma,
            sounding=[i for i, u in enumerate(self.kept) if u not in self.muted],
            locs=tuple(loc.prepare(c) for loc in self.locs),  # type: ignore[operator]
        )

    def match(
        self, types: Float[Tensor, "B V d_type"], prepared: PreparedScript
    ) -> Float[Tensor, "U B V"]:
        """Equations 2 and 3: C_ui = C~_ui / (eps + sum_u C~_ui), C~ = exp(-d / sigma) where d <= tau, else 0."""
        d = (1 - types @ prepared.signatures.T).permute(2, 0, 1)
        kernel = torch.exp(-d / prepared.sigma).masked_fill(d > self.config.tau, 0.0)
        C = kernel / (self.config.eps + kernel.sum(dim=0))
        return C if len(prepared.sounding) == len(C) else C[prepared.sounding]

    def step(
        self,
        x: Float[Tensor, "B V C"],
        prepared: PreparedScript,
        probes: "Probes",
        index: int,
        outputs: int | None = None,
    ) -> Float[Tensor, "B Q C"]:
        """One function iteration, Equations 11 to 13: type matching, then the interpreter.

        Args:
            index: the step's position in the whole network, for the probes.
            outputs: how many leading tokens the caller needs; all when None.
        """
        types = probes.types(self.type_inference(x), step=index)
        C = probes.compatibility(self.match(types, prepared), step=index)
        y = self._interpret(x, C, prepared, outputs)
        if probes.attention.listening:
            probes.attention(self._attention(x, C, prepared), step=index)
        if probes.states.listening:
            probes.states(y if outputs is None else self._interpret(x, C, prepared, None), step=index)
        return y

    def _interpret(
        self, x: Float[Tensor, "B V C"], C: Float[Tensor, "U B V"], prepared: PreparedScript, outputs: int | None
    ) -> Float[Tensor, "B Q C"]:
        """Equation 11 in the reading that ``config.residual`` names."""
        stream = x.expand(len(C), *x.shape)
        for i, (loc, ready) in enumerate(zip(self.locs, prepared.locs, strict=True)):
            stream = loc.step(stream, C, ready, outputs if i == len(self.locs) - 1 else None)  # type: ignore[operator]
        x, C_u = x[:, :outputs], C[:, :, :outputs, None]
        if self.config.residual == "passthrough":
            return x + (C_u * (stream - x)).sum(dim=0)
        aggregate = (C_u * stream).sum(dim=0)
        return x + aggregate if self.config.residual == "printed" else aggregate

    def _attention(
        self, x: Float[Tensor, "B V C"], C: Float[Tensor, "U B V"], prepared: PreparedScript
    ) -> Float[Tensor, "L U B H V V"]:
        """Equation 7 of every line of code."""
        stream, weights = x.expand(len(C), *x.shape), []
        for loc, ready in zip(self.locs, prepared.locs, strict=True):
            weights.append(loc.attention.weights(loc.norm_attention(stream), C, ready.attention))  # type: ignore
            stream = loc.step(stream, C, ready)  # type: ignore[operator]
        return torch.stack(weights)


class Probes(nn.Module):
    """The places of a Neural Interpreter to which hooks can listen; their names are public."""

    def __init__(self) -> None:
        super().__init__()
        self.compatibility = Probe("compatibility", ("unit", "sample", "token"))
        self.types = Probe("types", ("sample", "token", "type_feature"))
        self.attention = Probe("attention", ("loc", "unit", "sample", "head", "query", "key"))
        self.states = Probe("states", ("sample", "token", "feature"))


class NeuralInterpreter(nn.Module):
    """A stack of scripts (Equation 1) between a tokenizer and one CLS token and head per domain.

    Args:
        config: every size; see ``NeuralInterpreterConfig``.
    """

    Config = NeuralInterpreterConfig
    #: Tokens (samples x tokens) that one pass holds at once in evaluation; more are cut into chunks.
    chunk_tokens = 2048

    def __init__(self, config: NeuralInterpreterConfig) -> None:
        super().__init__()
        self.config = config
        C = config.features
        self.tokenizer = (
            None
            if config.tokenizer is None
            else TOKENIZERS[config.tokenizer](config.image_channels, config.patch_size, C)
        )
        self.cls = nn.Parameter(torch.randn(len(config.domains), C))
        self.scripts = nn.ModuleList(Script(config) for _ in range(config.scripts))
        self.heads = nn.ModuleList(
            nn.Sequential(nn.LayerNorm(C), nn.Linear(C, config.classes)) for _ in config.domains
        )
        self.probes = Probes()
        self._prepared: tuple[tuple[object, ...], tuple[PreparedScript, ...]] | None = None

    # -- names ---------------------------------------------------------------------------------------------

    def _unit(self, script: int, function: int) -> str:
        return f"f{function + 1}" if self.config.scripts == 1 else f"s{script + 1}.f{function + 1}"

    @property
    def all_units(self) -> tuple[str, ...]:
        """Names of the functions of the full model, dropped or not."""
        return tuple(self._unit(s, u) for s in range(self.config.scripts) for u in range(self.config.functions))

    @property
    def units(self) -> tuple[str, ...]:
        """Names of the functions that take part in type matching (muted ones do)."""
        return tuple(self._unit(s, u) for s, script in enumerate(self.scripts) for u in script.kept)  # type: ignore

    @property
    def muted(self) -> tuple[str, ...]:
        """Names of the functions whose compatibility is set to zero after the matching."""
        return tuple(self._unit(s, u) for s, script in enumerate(self.scripts) for u in sorted(script.muted))  # type: ignore

    @property
    def steps(self) -> tuple[str, ...]:
        """Names of the steps (script x iteration) of a run with the configured iterations."""
        return self.step_names(self.config.iterations)

    def step_names(self, iterations: int) -> tuple[str, ...]:
        """Names of the steps of a run with so many function iterations per script."""
        prefixes = [""] if self.config.scripts == 1 else [f"s{s + 1}." for s in range(self.config.scripts)]
        return tuple(f"{prefix}i{i + 1}" for prefix in prefixes for i in range(iterations))

    @property
    def tokens(self) -> tuple[str, ...]:
        """Names of the tokens: CLS tokens first, then patches row by row."""
        rows, columns = self.config.grid
        return tuple(f"cls:{d}" for d in self.config.domains) + tuple(
            f"patch:{r},{c}" for r in range(rows) for c in range(columns)
        )

    # -- views ---------------------------------------------------------------------------------------------

    def _view(self, scripts: list[Script]) -> Self:
        """A shallow copy with other scripts, its own probes and its own prepared weights."""
        view = copy.copy(self)
        view._modules = dict(self._modules)
        view.scripts = nn.ModuleList(scripts)
        view.probes = Probes()
        view._prepared = None
        return view

    def _positions(self, units: Sequence[str]) -> list[frozenset[int]]:
        """Positions of the named functions in every script; unknown names raise ValueError."""
        unknown = sorted(set(units) - set(self.units))
        if unknown:
            raise ValueError(f"unknown units {', '.join(unknown)}; this model has {', '.join(self.units)}")
        return [
            frozenset(u for u in script.kept if self._unit(s, u) in units)  # type: ignore[union-attr, operator]
            for s, script in enumerate(self.scripts)
        ]

    def keep(self, units: Sequence[str]) -> Self:
        """A sliced view that shares parameters: other functions are removed and C is renormalised.

        Their compute is saved. The order of ``units`` does not matter. The view has its own probes.
        """
        return self._view(
            [
                script.view(sorted(kept), script.muted & kept)  # type: ignore[operator, misc]
                for script, kept in zip(self.scripts, self._positions(units), strict=True)
            ]
        )

    def mute(self, units: Sequence[str]) -> Self:
        """A view in which the compatibility of these functions is set to 0 after its normalisation."""
        return self._view(
            [
                script.view(script.kept, script.muted | muted)  # type: ignore[operator, arg-type]
                for script, muted in zip(self.scripts, self._positions(units), strict=True)
            ]
        )

    def add_functions(
        self, new: int | Sequence[tuple[Float[Tensor, "n d_type"], Float[Tensor, "n d_cond"]]]
    ) -> Self:
        """A model with more functions in every script; signatures and codes are its own, all else is shared.

        Args:
            new: how many to draw from a standard normal, or one (signatures, codes) pair a script.
        """
        scripts, count = [], 0
        for s, script in enumerate(self.scripts):
            assert isinstance(script, Script)
            if isinstance(new, int):
                signatures = torch.randn(new, self.config.type_features).to(script.signatures)
                codes = torch.randn(new, self.config.code_features).to(script.codes)
            else:
                signatures, codes = new[s]
            count, U = len(codes), len(script.codes)
            wider = script.view((*script.kept, *range(U, U + count)), script.muted)
            wider._parameters = dict(script._parameters)
            for name, old, rows in (("signatures", script.signatures, signatures), ("codes", script.codes, codes)):
                both = torch.cat((old.detach(), rows.to(old)))
                wider._parameters[name] = nn.Parameter(both, requires_grad=old.requires_grad)
            scripts.append(wider)
        wider_model = self._view(scripts)
        wider_model.config = replace(self.config, functions=self.config.functions + count)
        for script in scripts:
            script.config = wider_model.config
        return wider_model

    # -- computing -----------------------------------------------------------------------------------------

    def prepare(self) -> tuple[PreparedScript, ...]:
        """Everything that depends on parameters alone. Kept in evaluation until a parameter changes."""
        if self.training or torch.is_grad_enabled():
            return tuple(script.prepare() for script in self.scripts)  # type: ignore[operator]
        key = tuple((p.data_ptr(), p._version, p.dtype, p.device) for p in self.scripts.parameters())
        if self._prepared is None or self._prepared[0] != key:
            self._prepared = (key, tuple(script.prepare() for script in self.scripts))  # type: ignore[operator]
        return self._prepared[1]

    def interpret(
        self, x: Float[Tensor, "B V C"], iterations: int | None = None, outputs: int | None = None
    ) -> Float[Tensor, "B Q C"]:
        """Equations 1 and 14: every script, each iterated, on a set of tokens.

        Args:
            iterations: function iterations per script; the configured number when None, 0 or more.
            outputs: how many leading tokens are needed; the last step saves the work of the others.
        """
        iterations = self.config.iterations if iterations is None else iterations
        if iterations < 0:
            raise ValueError(f"iterations must be 0 or more, not {iterations}")
        prepared, last = self.prepare(), len(self.scripts) * iterations - 1
        for s, (script, ready) in enumerate(zip(self.scripts, prepared, strict=True)):
            for i in range(iterations):
                index = s * iterations + i
                x = script.step(x, ready, self.probes, index, outputs if index == last else None)  # type: ignore
        return x[:, :outputs]

    def tokenize(self, images: Float[Tensor, "B c h w"]) -> Float[Tensor, "B V C"]:
        """CLS tokens, one per domain, followed by patch embeddings."""
        if self.tokenizer is None:
            raise ValueError("this model reads sets of tokens: use interpret()")
        patches = self.tokenizer(images)
        return torch.cat((self.cls.to(patches.dtype).expand(len(images), -1, -1), patches), dim=1)

    def forward(
        self, images: Float[Tensor, "B c h w"], iterations: int | None = None
    ) -> Float[Tensor, "B D classes"]:
        """Logits of every domain's head, read from its own CLS token. Images are in [0, 1]."""
        chunk = len(images) if self.training else max(1, self.chunk_tokens // len(self.tokens))
        if len(images) <= chunk:
            return self._classify(images, iterations)
        return torch.cat([self._classify(part, iterations) for part in images.split(chunk)])

    def _classify(
        self, images: Float[Tensor, "B c h w"], iterations: int | None
    ) -> Float[Tensor, "B D classes"]:
        x = self.interpret(self.tokenize(images), iterations, outputs=len(self.config.domains))
        return torch.stack([head(x[:, d]) for d, head in enumerate(self.heads)], dim=1)
