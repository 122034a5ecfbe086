"""A script of the Neural Interpreter: functions, type inference, type matching and an interpreter.

*Dynamic Inference with Neural Interpreters* (NeurIPS 2021), Equations 2, 3 and 9 to 13. Symbols: B samples,
V tokens, U functions, C channels; the state between lines of code is (U, B, V, C).
"""

import copy
import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import cast

import torch
import torch.nn.functional as F
from jaxtyping import Float
from torch import Tensor, nn

from routescope.nn.interpreter.config import NeuralInterpreterConfig
from routescope.nn.interpreter.modulated import FoldedLinear, ModAttn, ModMLP, PreparedAttention
from routescope.nn.interpreter.positions import RelativePosition
from routescope.nn.probe import Probe, SetProbe

#: Tokens are left out of the last step in whole blocks. Matrices of fewer rows lie in memory in a way that depends
#: on how many functions there are, and the last bit of their products would follow.
QUERY_BLOCK = 16


def sum_over_functions(terms: Float[Tensor, "U *rest"]) -> Float[Tensor, "*rest"]:
    """sum_u, one function after the other, so that terms of zero change no bit: a dead function has no effect."""
    total = terms.new_zeros(terms.shape[1:])
    for term in terms:
        total = total + term
    return total


def rows_at(rows: Float[Tensor, "U C"], places: Sequence[int]) -> Float[Tensor, "kept C"]:
    """The rows of some functions; those of all, in order, as they are, so that a CUDA graph can be made of a step."""
    if tuple(places) == tuple(range(len(rows))):
        return rows
    return rows[torch.tensor(places, dtype=torch.long, device=rows.device)]


class TypeInference(nn.Module):
    """Equation 2, left: t_i = TypeInference(x_i), a LayerNorm, an MLP with GELU and an L2 normalisation."""

    def __init__(self, config: NeuralInterpreterConfig) -> None:
        super().__init__()
        widths = [config.features] + [config.type_inference_width] * (config.type_inference_depth - 1)
        self.norm = nn.LayerNorm(config.features)
        self.linears = nn.ModuleList(
            nn.Linear(d_in, d_out) for d_in, d_out in zip(widths, [*widths[1:], config.type_features], strict=True)
        )

    def forward(self, x: Float[Tensor, "B V C"]) -> Float[Tensor, "B V d_type"]:
        """Types on the unit sphere."""
        x = self.norm(x)
        for i, linear in enumerate(self.linears):
            x = linear(F.gelu(x) if i else x)
        return F.normalize(x, dim=-1)


@dataclass(frozen=True)
class PreparedLOC:
    """The quantities of a line of code that depend on parameters and codes alone."""

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
        x: Float[Tensor, "streams B V C"],
        compatibility: Float[Tensor, "U B V"],
        prepared: PreparedLOC,
        queries: int | None = None,
    ) -> Float[Tensor, "U B Q C"]:
        """a = x + C ModAttn(LayerNorm(x)); y = a + C ModMLP(LayerNorm(a)).

        ``x`` has one stream per function, or one for all of them: x_ui = x_i.
        """
        C_u, normed = compatibility[:, :, :queries, None], self._normed(x, compatibility)
        a = x[:, :, :queries] + C_u * self.attention.step(normed, compatibility, prepared.attention, queries)
        U, B, Q, C = a.shape
        b = ModMLP.step(self.norm_mlp(a).view(U, B * Q, C), prepared.mlp).view(U, B, Q, C)
        return a + C_u * b

    def weights(
        self, x: Float[Tensor, "streams B V C"], compatibility: Float[Tensor, "U B V"], prepared: PreparedLOC
    ) -> Float[Tensor, "U B H V V"]:
        """Equation 7: the attention weights of this line of code."""
        return self.attention.weights(self._normed(x, compatibility), compatibility, prepared.attention)

    def _normed(
        self, x: Float[Tensor, "streams B V C"], compatibility: Float[Tensor, "U B V"]
    ) -> Float[Tensor, "U B V C"]:
        normed: Tensor = self.norm_attention(x)
        return normed.expand(len(compatibility), -1, -1, -1)


@dataclass(frozen=True)
class PreparedScript:
    """The quantities of a script that depend on parameters alone. ``sounding``: indices of functions without mute."""

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
        self.sigma = nn.Parameter(torch.tensor(1.0), requires_grad=not config.frozen_type_inference)
        self.type_inference.requires_grad_(not config.frozen_type_inference)
        self.locs = nn.ModuleList(LOC(config) for _ in range(config.locs))
        self.kept: tuple[int, ...] = tuple(range(config.functions))
        self.muted: frozenset[int] = frozenset()

    def view(self, kept: Sequence[int], muted: frozenset[int]) -> "Script":
        """A shallow copy that shares every parameter and lets only some functions take part."""
        view = copy.copy(self)
        view.kept, view.muted = tuple(kept), muted
        return view

    @property
    def lines(self) -> tuple[LOC, ...]:
        """The lines of code, first to last."""
        return tuple(cast(LOC, loc) for loc in self.locs)

    @property
    def sounding(self) -> tuple[int, ...]:
        """Positions of the functions that compute: kept and not muted."""
        return tuple(u for u in self.kept if u not in self.muted)

    def prepare(self) -> PreparedScript:
        """Everything that depends on parameters alone, for the functions that take part."""
        c = rows_at(self.codes, self.sounding)
        return PreparedScript(
            signatures=F.normalize(rows_at(self.signatures, self.kept), dim=-1),
            sigma=self.sigma,
            sounding=[i for i, u in enumerate(self.kept) if u not in self.muted],
            locs=tuple(loc.prepare(c) for loc in self.lines),
        )

    def match(self, types: Float[Tensor, "B V d_type"], prepared: PreparedScript) -> Float[Tensor, "U B V"]:
        """Equations 2 and 3: C_ui = C~_ui / (eps + sum_u C~_ui), C~ = exp(-d / sigma) where d <= tau, else 0."""
        d = 1 - (prepared.signatures[:, None, None] * types).sum(dim=-1)
        kernel = torch.exp(-d / prepared.sigma).masked_fill(d > self.config.tau, 0.0)
        C = kernel / (self.config.eps + sum_over_functions(kernel))
        return C if len(prepared.sounding) == len(C) else C[prepared.sounding]

    def step(
        self,
        x: Float[Tensor, "B V C"],
        prepared: PreparedScript,
        probes: "InterpreterProbes",
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
        o = probes.contributions(self._contributions(x, C, prepared, outputs), step=index)
        y = self._joined(x, o)
        if probes.attention.listening:
            probes.attention(self._attention(x, C, prepared), step=index)
        if probes.states.listening:
            whole = y if outputs is None else self._joined(x, self._contributions(x, C, prepared, None))
            probes.states(whole, step=index)
        return y

    def _contributions(
        self, x: Float[Tensor, "B V C"], C: Float[Tensor, "U B V"], prepared: PreparedScript, outputs: int | None
    ) -> Float[Tensor, "U B Q C"]:
        """What each function adds in Equation 11: o_u = C_u (LOC_u(x) - x), or C_u LOC_u(x) but for "passthrough"."""
        stream = x.unsqueeze(0)
        queries = None if outputs is None else min(x.shape[1], math.ceil(outputs / QUERY_BLOCK) * QUERY_BLOCK)
        for i, (loc, ready) in enumerate(zip(self.lines, prepared.locs, strict=True)):
            stream = loc.step(stream, C, ready, queries if i == len(self.locs) - 1 else None)
        x, C_u, stream = x[:, :outputs], C[:, :, :outputs, None], stream[:, :, :outputs]
        return C_u * (stream - x) if self.config.residual == "passthrough" else C_u * stream

    def _joined(self, x: Float[Tensor, "B V C"], o: Float[Tensor, "U B Q C"]) -> Float[Tensor, "B Q C"]:
        """Equation 11 in the reading that ``config.residual`` names, for the leading tokens that ``o`` has."""
        aggregate = sum_over_functions(o)
        return aggregate if self.config.residual == "none" else x[:, : o.shape[2]] + aggregate

    def _attention(
        self, x: Float[Tensor, "B V C"], C: Float[Tensor, "U B V"], prepared: PreparedScript
    ) -> Float[Tensor, "L U B H V V"]:
        """Equation 7 of every line of code."""
        stream, weights = x.unsqueeze(0), []
        for loc, ready in zip(self.lines, prepared.locs, strict=True):
            weights.append(loc.weights(stream, C, ready))
            stream = loc.step(stream, C, ready)
        return torch.stack(weights)


class InterpreterProbes(nn.Module):
    """The places of a Neural Interpreter to which hooks can listen; their names are public."""

    compatibility: Probe | SetProbe
    types: Probe | SetProbe
    attention: Probe | SetProbe
    states: Probe | SetProbe
    contributions: Probe | SetProbe

    def __init__(self) -> None:
        super().__init__()
        self.compatibility = Probe("compatibility", ("unit", "sample", "token"))
        self.types = Probe("types", ("sample", "token", "type_feature"))
        self.attention = Probe("attention", ("loc", "unit", "sample", "head", "query", "key"))
        self.states = Probe("states", ("sample", "token", "feature"))
        self.contributions = Probe("contributions", ("unit", "sample", "token", "feature"))
