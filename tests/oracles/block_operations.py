"""Block-operations, literally: one sample, one block and one source after the other.

*Block-Operations: Using Modular Routing to Improve Compositional Generalization* (2024), Section 4, A.2 and A.3.
Written from the paper's words; it shares no code with `core`. Blocks are vectors of s numbers, a sample is a list of
M of them.

Weights are a flat dictionary; linear weights are (out, in), and L, the number of hidden layers, is read from the names:

    mfnnr.D.multiplexer.fnn.linear.L.{weight,bias}   reads M * s numbers; gives M * N logits, source by source
    mfnnr.D.multiplexer.log_temperature              where a discrete pick is made
    mfnnr.D.fnnr.fnn.linear.L.{weight,bias}          reads N * s (and M * s) numbers; gives N * s new ones, then N gates
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import torch
from torch import Tensor

Weights = Mapping[str, Tensor]
Sample = list[Tensor]


@dataclass
class Changes:
    """What is changed about one MFNNR; sources and blocks are counted from 0."""

    muted: set[tuple[int, int]] = field(default_factory=set)
    copies: dict[int, int] = field(default_factory=dict)  # block: source
    gates: dict[int, float] = field(default_factory=dict)
    dropped_sources: set[int] = field(default_factory=set)
    dropped_blocks: set[int] = field(default_factory=set)
    silent: set[int] = field(default_factory=set)


@dataclass
class Seen:
    """What one MFNNR did with one sample: weights[m][n] and so on."""

    weight_logits: list[list[Tensor]]
    weights: list[list[Tensor]]
    gate_logits: list[Tensor]
    gates: list[Tensor]
    routed: Sample
    computed: Sample
    blocks: Sample


def fnn(w: Weights, name: str, x: list[Tensor]) -> list[Tensor]:
    """A feed-forward network on a list of numbers: one unit after the other, LeakyReLU with a slope of 0.01 (A.2)."""
    last = max(int(key[len(name) :].split(".")[2]) for key in w if key.startswith(f"{name}.linear."))
    for layer in range(last + 1):
        weight, bias = w[f"{name}.linear.{layer}.weight"], w[f"{name}.linear.{layer}.bias"]
        given = torch.stack(x) if x else weight.new_zeros(0)
        x = [(row * given).sum() + bias[unit] for unit, row in enumerate(weight)]
        if layer < last:
            x = [unit * (1.0 if unit > 0 else 0.01) for unit in x]
    return x


def numbers(blocks: Sample) -> list[Tensor]:
    """All numbers of some blocks, one block after the other."""
    return [number for block in blocks for number in block]


def multiplexer(
    w: Weights, name: str, x: Sample, N: int, changes: Changes, noise: Tensor | None = None
) -> tuple[Sample, list[list[Tensor]], list[list[Tensor]]]:
    """N blocks, each a weighted average of the M of x; the weights are a softmax over the M.

    ``noise`` (M, N): added to the logits of a discrete pick in training.
    """
    M, s = len(x), len(x[0])
    flat = fnn(w, f"{name}.fnn", numbers(x))
    logits = [[flat[m * N + n] for n in range(N)] for m in range(M)]
    weights = [[torch.zeros_like(flat[0]) for _ in range(N)] for _ in range(M)]
    routed = []
    for n in range(N):
        readable = [m for m in range(M) if (m, n) not in changes.muted and m not in changes.dropped_sources]
        if f"{name}.log_temperature" in w:
            noisy = {m: logits[m][n] + (0 if noise is None else noise[m, n]) for m in readable}
            best = max(readable, key=lambda m: noisy[m].item(), default=None)
            column = {m: torch.ones_like(flat[0]) if m == best else torch.zeros_like(flat[0]) for m in readable}
        else:
            largest = max((logits[m][n].item() for m in readable), default=0.0)
            total = sum(((logits[m][n] - largest).exp() for m in readable), torch.zeros_like(flat[0]))
            column = {m: (logits[m][n] - largest).exp() / total for m in readable}
        if n in changes.copies and changes.copies[n] not in changes.dropped_sources:
            column = {changes.copies[n]: torch.ones_like(flat[0])}
        block = x[0].new_zeros(s)
        for m, weight in column.items():
            weights[m][n] = weight
            block = block + weight * x[m]
        routed.append(block)
    return routed, weights, logits


def fnnr(w: Weights, name: str, x: Sample, extra: Sample) -> tuple[Sample, list[Tensor]]:
    """N new blocks and N logits of gates, both computed of the N blocks and the extra ones."""
    N, s = len(x), len(x[0])
    flat = fnn(w, f"{name}.fnn", numbers([*x, *extra]))
    return [torch.stack(flat[n * s : (n + 1) * s]) for n in range(N)], flat[N * s :]


def mfnnr(
    w: Weights, name: str, x: Sample, N: int, context: bool, changes: Changes, noise: Tensor | None = None
) -> Seen:
    """Multiplexer, then an FNNR whose extra input is the Multiplexer's. Blocks that are dropped are zeros."""
    routed, weights, logits = multiplexer(w, f"{name}.multiplexer", x, N, changes, noise)
    routed = [block * 0 if n in changes.dropped_blocks else block for n, block in enumerate(routed)]
    computed, gate_logits = fnnr(w, f"{name}.fnnr", routed, x if context else [])
    gates, blocks = [], []
    for n in range(N):
        gate = 1 / (1 + (-gate_logits[n]).exp())
        if n in changes.copies and changes.copies[n] not in changes.dropped_sources:
            gate = torch.zeros_like(gate)
        if n in changes.gates:
            gate = torch.full_like(gate, changes.gates[n])
        gates.append(gate)
        block = gate * computed[n] + (1 - gate) * routed[n]
        blocks.append(block * 0 if n in changes.silent | changes.dropped_blocks else block)
    return Seen(logits, weights, gate_logits, gates, routed, computed, blocks)


def smfr(
    w: Weights,
    x: Sample,
    sizes: Sequence[int],
    context: bool = True,
    changes: Sequence[Changes] | None = None,
    noise: Sequence[Tensor] | None = None,
) -> list[Seen]:
    """A stack of MFNNRs; ``sizes`` are M, w, ..., w, N."""
    seen = []
    for at, N in enumerate(sizes[1:]):
        own = Changes() if changes is None else changes[at]
        seen.append(mfnnr(w, f"mfnnr.{at}", x, N, context, own, None if noise is None else noise[at]))
        x = seen[-1].blocks
    return seen


def run(
    w: Weights,
    values: Sample,
    tasks: Sample,
    sizes: Sequence[int],
    iterations: int,
    context: bool = True,
    shuffle: Sequence[int] | None = None,
    changes: Sequence[Changes] | None = None,
) -> list[list[Seen]]:
    """Section 5.3: what comes out of an iteration goes into the next one, beside the block that names its subtask.

    ``shuffle``: number i of the values of an iteration is number shuffle[i] of what they were (the noisy variant).
    """
    outcome = []
    for iteration in range(iterations):
        if shuffle is not None:
            flat, s = numbers(values), len(values[0])
            mixed = [flat[spot] for spot in shuffle]
            values = [torch.stack(mixed[k * s : (k + 1) * s]) for k in range(len(values))]
        outcome.append(smfr(w, [*values, tasks[iteration % len(tasks)]], sizes, context, changes))
        values = outcome[-1][-1].blocks
    return outcome


def regularisation(samples: Sequence[Sequence[Seen]], threshold: float = 20.0) -> float:
    """A.3: for the weights and for the gates of every MFNNR, the mean squared distance to the clamped logit."""
    total = 0.0
    for at in range(len(samples[0])):
        for kind in ("weight_logits", "gate_logits"):
            distances = []
            for sample in samples:
                logits = getattr(sample[at], kind)
                for logit in [one for row in logits for one in row] if kind == "weight_logits" else logits:
                    excess = max(0.0, abs(logit.item()) - threshold)
                    distances.append(excess**2)
            total += math.fsum(distances) / len(distances)
    return total
