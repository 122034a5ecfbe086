"""Block-operations: modules that route blocks whole, and change them only where a gate says so.

*Block-Operations: Using Modular Routing to Improve Compositional Generalization* (2024), Section 4. Every activation is
split into blocks of s numbers. A Multiplexer makes each of its N blocks a weighted mean of the M blocks it is given; an
FNNR computes N new ones, and a gate for each that says how much of it is taken; an MFNNR is one after the other; an
SMFR is a stack of MFNNRs. The paper prints no equations; the parameter counts of its Table 6 settle the sizes, and hold
here:

* A Multiplexer's FNN reads its M blocks and gives M * N logits, normalised over the M.
* An FNNR's FNN reads its N blocks and the context, here the M blocks before the Multiplexer; new blocks and gates come
  from the same last layer. A gate of 1 takes the new block, a gate of 0 leaves the routed one.
* An SMFR of depth D and width w has D + 1 MFNNRs: M -> w -> ... -> w -> N.

Not verified here: that initial values are the authors' (PyTorch's own are taken).

Symbols: M and N blocks in and out, s numbers in a block, "..." any axes of samples.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, NamedTuple, cast

import torch
from jaxtyping import Bool, Float, Int64
from torch import Tensor, nn
from torch.nn import functional as F

Attention = Literal["softmax", "gumbel"]
#: Logits of weights and gates are pushed back to this size (A.3).
LARGEST_LOGIT = 20.0
NEGATIVE_SLOPE = 0.01
#: Which inputs of an FNN are given, and which outputs are wanted.
Some = tuple[Tensor | None, Tensor | None]
ALL: Some = (None, None)


class FNN(nn.Module):
    """A feed-forward network of ``layers`` hidden layers, each of ``hidden`` units with LeakyReLU(0.01)."""

    def __init__(self, inputs: int, outputs: int, hidden: int = 100, layers: int = 1) -> None:
        super().__init__()
        sizes = (inputs, *([hidden] * layers), outputs)
        self.linear = nn.ModuleList(nn.Linear(m, n) for m, n in zip(sizes, sizes[1:], strict=False))

    def forward(self, x: Float[Tensor, "... n_in"], some: Some = ALL) -> Float[Tensor, "... n_out"]:
        """``some``: which of the inputs are given and which of the outputs are wanted, of all that there are."""
        last = len(self.linear) - 1
        for at, layer in enumerate(self.linear):
            weight, bias = cast(Tensor, layer.weight), cast(Tensor, layer.bias)
            if at == 0 and some[0] is not None:
                weight = weight[:, some[0]]
            if at == last and some[1] is not None:
                weight, bias = weight[some[1]], bias[some[1]]
            x = F.linear(x, weight, bias)
            if at < last:
                x = F.leaky_relu(x, NEGATIVE_SLOPE)
        return x


@dataclass(frozen=True, eq=False)
class Steering:
    """The changes to one MFNNR; None or empty: no change. Positions are those of the full MFNNR.

    Attributes:
        sources, blocks: which blocks are read and made at all; all when None.
        muted: routes whose weight is zero; the others of a block are renormalised.
        copies: the source that a block is forced to copy, its gate being 0.
        gates: gates that are fixed, from 0 to 1; they win over the gate of a copy.
        silent: blocks that are zeros.
    """

    sources: tuple[int, ...] | None = None
    blocks: tuple[int, ...] | None = None
    muted: frozenset[tuple[int, int]] = frozenset()
    copies: tuple[tuple[int, int], ...] = ()
    gates: tuple[tuple[int, float], ...] = ()
    silent: frozenset[int] = frozenset()


class Present(NamedTuple):
    """Masks of existing blocks, for MFNNRs of different sizes that run together as one size."""

    sources: Bool[Tensor, " M"] | None = None
    blocks: Bool[Tensor, " N"] | None = None


class Passed(NamedTuple):
    """The result of an MFNNR: its blocks, with their weights and gates.

    ``blocks`` = gates * ``computed`` + (1 - gates) * ``routed``. The logits are those of weights and gates before
    anything is steered.
    """

    blocks: Float[Tensor, "... N s"]
    routed: Float[Tensor, "... N s"]
    computed: Float[Tensor, "... N s"]
    weights: Float[Tensor, "... M N"]
    gates: Float[Tensor, "... N"]
    weight_logits: Float[Tensor, "... M N"]
    gate_logits: Float[Tensor, "... N"]
    present: Present


class Multiplexer(nn.Module):
    """Copies or interpolates blocks: softmax over the M inputs for each of the N outputs.

    Args:
        attention: ``softmax``, or ``gumbel``: straight-through Gumbel-softmax, a discrete pick whose gradient is the
            softmax's, with one learnable temperature (its logarithm is learned). Evaluation picks without noise.
    """

    def __init__(self, M: int, N: int, s: int, hidden: int, layers: int, attention: Attention) -> None:
        super().__init__()
        self.M, self.N, self.s = M, N, s
        self.fnn = FNN(M * s, M * N, hidden, layers)
        self.log_temperature = nn.Parameter(torch.zeros(())) if attention == "gumbel" else None

    def forward(
        self,
        x: Float[Tensor, "... M s"],
        bias: Float[Tensor, "... M N"] | None = None,
        steering: Steering | None = None,
        present: Present = Present(),  # noqa: B008 (a tuple is not changed)
    ) -> tuple[Float[Tensor, "... N s"], Float[Tensor, "... M N"], Float[Tensor, "... M N"]]:
        """Routed blocks, the weights they were made with, and their logits; ``bias`` is added to the logits."""
        M, N, some = self.M, self.N, ALL
        if steering is not None:
            sources, blocks = _places(steering.sources, M, x), _places(steering.blocks, N, x)
            M, N = len(sources), len(blocks)
            some = (_numbers(sources, self.s), (sources[:, None] * self.N + blocks).flatten())
        logits = self.fnn(x.flatten(-2), some).unflatten(-1, (M, N))
        masks = [] if present.sources is None else [~present.sources[..., :, None]]
        if steering is not None and steering.muted:
            masks.append(_muted(steering, self.M, self.N, x)[sources][:, blocks])
        weights = self._normalised(logits if bias is None else logits + bias, masks)
        if steering is not None:
            weights = _copied(torch.nan_to_num(weights), steering, sources.tolist(), blocks.tolist())
        return weights.transpose(-1, -2) @ x, weights, logits

    def _normalised(
        self, logits: Float[Tensor, "... M N"], masks: Sequence[Bool[Tensor, "..."]]
    ) -> Float[Tensor, "... M N"]:
        """Softmax over the sources; those under a mask have no weight, and the temperature no gradient of them."""
        if self.log_temperature is not None:
            noise = _gumbel_noise(logits) if self.training else 0
            logits = (logits + noise) / self.log_temperature.exp()
        for mask in masks:
            logits = logits.masked_fill(mask, -torch.inf)
        soft = logits.softmax(dim=-2)
        if self.log_temperature is None:
            return soft
        if not logits.shape[-2]:
            return soft
        source = torch.arange(logits.shape[-2], device=logits.device)[:, None]
        picked = (source == soft.argmax(dim=-2, keepdim=True)) & (soft > 0)  # none where every source is masked
        hard = picked.to(soft.dtype)
        return hard + soft - soft.detach() if self.training else hard


def _gumbel_noise(logits: Tensor) -> Tensor:
    """-log(-log u) for uniform u."""
    least = torch.finfo(logits.dtype).tiny
    waiting = -torch.rand_like(logits).clamp_min(least).log()
    return -waiting.clamp_min(least).log()


class FNNR(nn.Module):
    """A feed-forward network with gated residuals: g * new + (1 - g) * x for every block."""

    def __init__(self, N: int, extra: int, s: int, hidden: int, layers: int) -> None:
        super().__init__()
        self.N, self.extra, self.s = N, extra, s
        self.fnn = FNN((N + extra) * s, N * s + N, hidden, layers)

    def forward(
        self,
        x: Float[Tensor, "... N s"],
        context: Float[Tensor, "... K s"] | None = None,
        steering: Steering | None = None,
    ) -> tuple[Float[Tensor, "... N s"], Float[Tensor, "... N"]]:
        """New blocks, and the logits of their gates."""
        N, some = self.N, ALL
        if steering is not None:
            blocks = _places(steering.blocks, N, x)
            sources = self.N + _places(steering.sources, self.extra, x) if self.extra else blocks[:0]
            N = len(blocks)
            read = _numbers(torch.cat((blocks, sources)), self.s)
            some = (read, torch.cat((_numbers(blocks, self.s), self.N * self.s + blocks)))
        together = x if context is None else torch.cat((x, context), dim=-2)
        made = self.fnn(together.flatten(-2), some)
        return made[..., : N * self.s].unflatten(-1, (N, self.s)), made[..., N * self.s :]


class MFNNR(nn.Module):
    """A Multiplexer, then an FNNR that also reads what the Multiplexer read.

    Args:
        context: whether the FNNR reads it; without is the paper's *no_context*.
    """

    def __init__(
        self,
        M: int,
        N: int,
        s: int,
        hidden: int = 100,
        layers: int = 1,
        attention: Attention = "softmax",
        context: bool = True,
    ) -> None:
        super().__init__()
        self.M, self.N, self.s, self.context = M, N, s, context
        self.multiplexer = Multiplexer(M, N, s, hidden, layers, attention)
        self.fnnr = FNNR(N, M if context else 0, s, hidden, layers)

    def forward(
        self,
        x: Float[Tensor, "... M s"],
        bias: Float[Tensor, "... M N"] | None = None,
        steering: Steering | None = None,
        present: Present = Present(),  # noqa: B008 (a tuple is not changed)
    ) -> Passed:
        """N blocks of M.

        Args:
            bias: added to the Multiplexer's logits.
            steering: what is changed; with fewer ``sources``, x has only these.
            present: which blocks exist; x has zeros for sources that do not, and so have the results for blocks.
        """
        routed, weights, weight_logits = self.multiplexer(x, bias, steering, present)
        if present.blocks is not None:
            routed = routed * present.blocks[..., :, None]
        computed, gate_logits = self.fnnr(routed, x if self.context else None, steering)
        gates = gate_logits.sigmoid()
        if steering is not None:
            gates = _fixed(gates, steering, _places(steering.blocks, self.N, x).tolist())
        g = gates[..., None]
        blocks = g * computed + (1 - g) * routed
        if present.blocks is not None:
            blocks = blocks * present.blocks[..., :, None]
        if steering is not None and steering.silent:
            heard = [float(n not in steering.silent) for n in _places(steering.blocks, self.N, x).tolist()]
            blocks = blocks * blocks.new_tensor(heard)[:, None]
        return Passed(blocks, routed, computed, weights, gates, weight_logits, gate_logits, present)


class SMFR(nn.Module):
    """A stack of D + 1 MFNNRs: M -> w -> ... -> w -> N blocks.

    Args:
        M, N: blocks in and out.
        s: numbers in a block.
        depth, width: D hidden levels of w blocks each; depth 0 is one MFNNR.
        hidden, layers: of every contained FNN: ``layers`` hidden layers of ``hidden`` units.
        attention, context: see Multiplexer and MFNNR.
    """

    def __init__(
        self,
        M: int,
        N: int,
        s: int,
        depth: int,
        width: int,
        hidden: int = 100,
        layers: int = 1,
        attention: Attention = "softmax",
        context: bool = True,
    ) -> None:
        super().__init__()
        sizes = (M, *([width] * depth), N)
        self.sizes = sizes
        self.mfnnr = nn.ModuleList(
            MFNNR(m, n, s, hidden, layers, attention, context) for m, n in zip(sizes, sizes[1:], strict=False)
        )

    def forward(
        self,
        x: Float[Tensor, "... M s"],
        bias: Float[Tensor, "... M w"] | None = None,
        steering: Sequence[Steering | None] | None = None,
        present: Bool[Tensor, " w"] | None = None,
    ) -> tuple[Float[Tensor, "... N s"], list[Passed]]:
        """The output blocks, and what every MFNNR did.

        Args:
            bias: added to the first Multiplexer's logits.
            steering: what is changed, for each MFNNR.
            present: which of the w blocks of every hidden level exist.
        """
        passed: list[Passed] = []
        last = len(self.mfnnr) - 1
        for at, mfnnr in enumerate(self.mfnnr):
            exists = Present(present if at else None, present if at < last else None)
            changes = None if steering is None else steering[at]
            passed.append(mfnnr(x, bias if at == 0 else None, changes, exists))
            x = passed[-1].blocks
        return x, passed


def regularisation(passed: Sequence[Passed], largest: float = LARGEST_LOGIT) -> Float[Tensor, ""]:
    """A.3: the mean squared distance of each softmax and sigmoid logit to itself clamped to +-``largest``.

    One mean for the weights and one for the gates of every MFNNR, added up; logits of blocks that do not exist are
    left out of the means.
    """
    total = passed[0].blocks.new_zeros(())
    for mfnnr in passed:
        sources, blocks = mfnnr.present
        total = total + _excess(mfnnr.gate_logits, blocks, largest)
        M, N = mfnnr.weight_logits.shape[-2:]
        if sources is None and blocks is None:
            total = total + _excess(mfnnr.weight_logits, None, largest)
            continue
        rows = mfnnr.gates.new_ones(M, dtype=torch.bool) if sources is None else sources
        columns = mfnnr.gates.new_ones(N, dtype=torch.bool) if blocks is None else blocks
        total = total + _excess(mfnnr.weight_logits, rows[..., :, None] & columns[..., None, :], largest)
    return total


def _excess(logits: Tensor, there: Tensor | None, largest: float) -> Tensor:
    squared = (logits - logits.clamp(-largest, largest).detach()).square()
    if there is None:
        return squared.mean()
    share = there.to(squared.dtype).expand_as(squared)
    return (squared * share).sum() / share.sum()


def _places(kept: tuple[int, ...] | None, count: int, x: Tensor) -> Int64[Tensor, " kept"]:
    return torch.tensor(range(count) if kept is None else kept, dtype=torch.long, device=x.device)


def _numbers(blocks: Int64[Tensor, " n"], s: int) -> Int64[Tensor, " n_s"]:
    """Places of the numbers of some blocks, where blocks lie one after the other."""
    return (blocks[:, None] * s + torch.arange(s, device=blocks.device)).flatten()


def _muted(steering: Steering, M: int, N: int, x: Tensor) -> Bool[Tensor, "M N"]:
    mask = torch.zeros(M, N, dtype=torch.bool, device=x.device)
    for source, block in steering.muted:
        mask[source, block] = True
    return mask


def _copied(
    weights: Float[Tensor, "... M N"], steering: Steering, sources: list[int], blocks: list[int]
) -> Float[Tensor, "... M N"]:
    """Weights in which forced copies are certain; a copy of a source that is left out is none."""
    for source, block in steering.copies:
        if source in sources and block in blocks:
            weights = weights.clone()
            weights[..., :, blocks.index(block)] = 0
            weights[..., sources.index(source), blocks.index(block)] = 1
    return weights


def _fixed(gates: Float[Tensor, "... N"], steering: Steering, blocks: list[int]) -> Float[Tensor, "... N"]:
    """Gates with those of forced copies at 0 and those that are fixed at their values."""
    sources = steering.sources
    copies = [(block, 0.0) for source, block in steering.copies if sources is None or source in sources]
    for block, value in (*copies, *steering.gates):
        if block in blocks:
            gates = gates.clone()
            gates[..., blocks.index(block)] = value
    return gates
