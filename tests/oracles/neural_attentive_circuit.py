"""The Neural Attentive Circuit, literally: one function per equation of the paper, plain loops, no shortcut.

Rahaman, Weiss et al., "Neural Attentive Circuits" (NeurIPS 2022), Eq. 1-5. Where the paper is ambiguous or
contradicts itself the reading is named in the docstring. This file is the oracle of the tests: it is written from the
paper and shares no code with `core`. Keys and values of the read-in are formed for every module and token,
LayerNorm(W_c c) is computed wherever Eq. 1 has it, K^ is normalised as Eq. 3 has it, nothing is kept.

Weights are a flat dictionary of tensors; linear weights are (out, in). U processor and R read-out modules, C features:

    processor.{signatures,codes} (U, d_sig), (U, d_code)       readout.{signatures,codes} (R, d_sig), (R, d_code)
    initial.{0,2}.{weight,bias}                                where initial states are an MLP of the code
    BLOCK.attention.{query,key,value}.{W,W_c,alpha}            BLOCK.attention.out.{W,W_c,alpha,b}
    BLOCK.attention.{norm_receiver,norm_sender}.{weight,bias}  (propagators have no norm_sender)
    BLOCK.ffn.norm.{weight,bias}                               BLOCK.ffn.{in,out}.{W,W_c,alpha,b}
    confidence.{weight,bias} (1, C), (1)                       logits.{weight,bias} (classes, C), (classes)

for each BLOCK of read_in, layer.L and read_out. Where there is no W_c, codes program nothing (alpha = 0); where there
are no signatures, every module is linked to every other (P = 1).
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import torch
from torch import Tensor

Weights = Mapping[str, Tensor]

LAYER_NORM_EPS = 1e-5
"""The constant inside every LayerNorm; the conformance vectors decide it (1e-6 misses them by far)."""


@dataclass(frozen=True)
class Settings:
    """What the weights alone do not say."""

    layers: int
    heads: int
    readin_heads: int = 1
    readout_heads: int = 1
    bandwidth: float = 1.0
    delta: float = 0.0


@dataclass
class Trace:
    """What a run computed.

    P (U, U) and (R, U); read-in weights (B, U, H, V); states after the read-in and after each layer (B, U, C);
    attention per layer (B, H, U, U) and of the read-out (B, H, R, U); confidences (B, R) that add to 1.
    """

    link_probability: Tensor
    readout_link_probability: Tensor
    read_in: Tensor
    states: list[Tensor] = field(default_factory=list)
    attention: list[Tensor] = field(default_factory=list)
    read_out: Tensor = field(default_factory=lambda: torch.empty(0))
    confidence: Tensor = field(default_factory=lambda: torch.empty(0))


# ---------------------------------------------------------------------------------------------- plain parts


def layer_norm(x: Tensor, weight: Tensor | None = None, bias: Tensor | None = None) -> Tensor:
    """LayerNorm over the last axis, biased variance; with weight and bias where they are given."""
    mean = x.mean(dim=-1, keepdim=True)
    variance = ((x - mean) ** 2).mean(dim=-1, keepdim=True)
    y = (x - mean) / torch.sqrt(variance + LAYER_NORM_EPS)
    return y if weight is None or bias is None else y * weight + bias


def norm(w: Weights, name: str, x: Tensor) -> Tensor:
    """A LayerNorm with parameters."""
    return layer_norm(x, w[f"{name}.weight"], w[f"{name}.bias"])


def gelu(x: Tensor) -> Tensor:
    """The exact GELU, x * Phi(x)."""
    return x * 0.5 * (1.0 + torch.erf(x / math.sqrt(2.0)))


def softmax(scores: Tensor) -> Tensor:
    """Over the last axis; zeros where there is nothing to choose from."""
    if not scores.shape[-1]:
        return scores
    largest = scores.max(dim=-1, keepdim=True).values
    largest = torch.where(largest == -torch.inf, torch.zeros_like(largest), largest)
    weights = torch.exp(scores - largest)
    total = weights.sum(dim=-1, keepdim=True)
    return weights / torch.where(total == 0, torch.ones_like(total), total)


def split(x: Tensor, heads: int) -> list[Tensor]:
    """The parts of the last axis that belong to each head."""
    return list(x.chunk(heads, dim=-1))


# ------------------------------------------------------------------------------------------- Eq. 1: ModFC and ModFFN


def mod_fc(w: Weights, layer: str, x: Tensor, c: Tensor) -> Tensor:
    """Eq. 1: W (x * (1 + alpha LayerNorm(W_c c))) + b. That LayerNorm has no weight and bias."""
    if f"{layer}.W_c" in w:
        x = x * (1.0 + w[f"{layer}.alpha"] * layer_norm(c @ w[f"{layer}.W_c"].T))
    y = x @ w[f"{layer}.W"].T
    return y + w[f"{layer}.b"] if f"{layer}.b" in w else y


def mod_ffn(w: Weights, ffn: str, x: Tensor, c: Tensor) -> Tensor:
    """A pre-LayerNorm, ModFC, GEGLU (value * GELU(gate)), ModFC, residual."""
    value, gate = mod_fc(w, f"{ffn}.in", norm(w, f"{ffn}.norm", x), c).chunk(2, dim=-1)
    return x + mod_fc(w, f"{ffn}.out", value * gelu(gate), c)


# ------------------------------------------------------------------------------------------- Eq. 2 and 3: SKMDPA


def link_probability(s_receivers: Tensor, s_senders: Tensor, bandwidth: float) -> Tensor:
    """Eq. 2, right: P_ij = exp(-d(s_i, s_j) / epsilon) with d = 1 - cosine similarity."""
    a = s_receivers / torch.sqrt((s_receivers**2).sum(dim=-1, keepdim=True))
    b = s_senders / torch.sqrt((s_senders**2).sum(dim=-1, keepdim=True))
    return torch.exp(-(1.0 - a @ b.T) / bandwidth)


def truncated(P: Tensor, bandwidth: float, truncation: float) -> Tensor:
    """P with 0 where the cosine distance -epsilon log P exceeds the truncation; the gradient is that of P."""
    kept = torch.where(-bandwidth * torch.log(P) > truncation, torch.zeros_like(P), P)
    return P + (kept - P).detach()


def concrete(P: Tensor, temperature: float, uniform: Tensor) -> Tensor:
    """Eq. 2, left: a sample of the relaxed Bernoulli distribution from numbers that are uniform in (0, 1)."""
    return torch.sigmoid((torch.log(P / (1.0 - P)) + torch.log(uniform / (1.0 - uniform))) / temperature)


def skmdpa(
    w: Weights, block: str, q: Tensor, k: Tensor, v: Tensor, K: Tensor, settings: Settings, muted: Sequence[int]
) -> tuple[Tensor, Tensor]:
    """Eq. 3 for all heads: W = softmax_j(q_i.k_j / sqrt(d) + log K^_ij), y_i = sum_j W_ij v_j.

    log K^ = log K - log(delta + sum_j K), which the softmax does not see. Messages of muted modules are zeros: W keeps
    its normalisation and loses their columns.
    """
    heads = settings.readout_heads if block == "read_out" else settings.heads
    log_K = torch.log(K) - torch.log(settings.delta + K.sum(dim=-1, keepdim=True))
    log_K = torch.where(K == 0, torch.full_like(log_K, -torch.inf), log_K)
    outputs, weights = [], []
    for q_h, k_h, v_h in zip(split(q, heads), split(k, heads), split(v, heads), strict=True):
        W = softmax(q_h @ k_h.transpose(-1, -2) / math.sqrt(q_h.shape[-1]) + log_K)
        hears = torch.ones(W.shape[-1], dtype=W.dtype)
        hears[list(muted)] = 0.0
        W = W * hears
        outputs.append(W @ v_h)
        weights.append(W)
    return torch.cat(outputs, dim=-1), torch.stack(weights, dim=1)


# ------------------------------------------------------------------------------------------- Section 2.1: executor


def initial_states(w: Weights, c: Tensor) -> Tensor:
    """A two-layer MLP of the code (Section 2.2), or the code itself where there is no MLP."""
    if "initial.0.weight" not in w:
        return c
    hidden = gelu(c @ w["initial.0.weight"].T + w["initial.0.bias"])
    return hidden @ w["initial.2.weight"].T + w["initial.2.bias"]


def read_in(
    w: Weights, settings: Settings, theta: Tensor, x: Tensor, there: Tensor, c: Tensor
) -> tuple[Tensor, Tensor]:
    """Eq. 4 and 5, with the softmax that print lacks and a residual onto the initial state.

    Each module has its own keys and values (B, U, V, H d). Returns states (B, U, C) and weights (B, U, H, V).
    """
    a = "read_in.attention"
    q = mod_fc(w, f"{a}.query", norm(w, f"{a}.norm_receiver", theta), c)  # (U, H d)
    member = norm(w, f"{a}.norm_sender", x)[:, None].expand(-1, len(c), -1, -1)  # (B, U, V, C_in)
    k = mod_fc(w, f"{a}.key", member, c[:, None])
    v = mod_fc(w, f"{a}.value", member, c[:, None])
    outputs, weights = [], []
    for q_h, k_h, v_h in zip(*(split(t, settings.readin_heads) for t in (q, k, v)), strict=True):
        scores = torch.einsum("ud,buvd->buv", q_h, k_h) / math.sqrt(q_h.shape[-1])
        W = softmax(torch.where(there[:, None], scores, torch.full_like(scores, -torch.inf)))
        outputs.append(torch.einsum("buv,buvd->bud", W, v_h))
        weights.append(W)
    y = theta + mod_fc(w, f"{a}.out", torch.cat(outputs, dim=-1), c)
    return mod_ffn(w, "read_in.ffn", y, c), torch.stack(weights, dim=2)


def propagator(
    w: Weights, settings: Settings, block: str, theta: Tensor, sent: Tensor, c: Tensor, K: Tensor, muted: Sequence[int]
) -> tuple[Tensor, Tensor]:
    """SKMDPA among processor modules with one LayerNorm for receivers and senders, a residual, and a ModFFN."""
    a = f"{block}.attention"
    receivers, senders = norm(w, f"{a}.norm_receiver", theta), norm(w, f"{a}.norm_receiver", sent)
    q = mod_fc(w, f"{a}.query", receivers, c)
    k, v = mod_fc(w, f"{a}.key", senders, c), mod_fc(w, f"{a}.value", senders, c)
    y, W = skmdpa(w, block, q, k, v, K, settings, muted)
    return mod_ffn(w, f"{block}.ffn", theta + mod_fc(w, f"{a}.out", y, c), c), W


def read_out(
    w: Weights, settings: Settings, theta: Tensor, c: Tensor, K: Tensor, muted: Sequence[int]
) -> tuple[Tensor, Tensor]:
    """SKMDPA from read-out to processor modules without a residual, then a ModFFN with the read-out modules' codes."""
    a, c_out = "read_out.attention", w["readout.codes"]
    q = mod_fc(w, f"{a}.query", norm(w, f"{a}.norm_receiver", initial_states(w, c_out)), c_out)
    senders = norm(w, f"{a}.norm_sender", theta)
    k, v = mod_fc(w, f"{a}.key", senders, c), mod_fc(w, f"{a}.value", senders, c)
    y, W = skmdpa(w, "read_out", q.expand(len(theta), -1, -1), k, v, K, settings, muted)
    return mod_ffn(w, "read_out.ffn", mod_fc(w, f"{a}.out", y, c_out), c_out), W


def neural_attentive_circuit(
    w: Weights,
    settings: Settings,
    x: Tensor,
    there: Tensor | None = None,
    *,
    layers: int | None = None,
    kernels: Sequence[Tensor] | None = None,
    muted: Sequence[int] = (),
    sent: Mapping[int, Tensor] | None = None,
) -> tuple[Tensor, Trace]:
    """The circuit executor on tokens x (B, V, C_in): logits (B, classes), and what led to them.

    Args:
        there: which tokens are no padding (B, V).
        layers: how many propagators run before the read-out.
        kernels: K for each layer and then for the read-out; P when None.
        muted: positions of processor modules whose messages are zeros.
        sent: by step (0 for the read-in), states (B, U, C) that others read in the place of the modules' own.
    """
    c, c_out = w["processor.codes"], w["readout.codes"]
    if "processor.signatures" in w:
        P = link_probability(w["processor.signatures"], w["processor.signatures"], settings.bandwidth)
        P_out = link_probability(w["readout.signatures"], w["processor.signatures"], settings.bandwidth)
    else:
        P, P_out = x.new_ones(len(c), len(c)), x.new_ones(len(c_out), len(c))
    K = list(kernels) if kernels is not None else [P] * settings.layers + [P_out]
    there = torch.ones(x.shape[:2], dtype=torch.bool) if there is None else there
    theta, read = read_in(w, settings, initial_states(w, c), x, there, c)
    trace = Trace(P, P_out, read, [theta])
    sent = sent or {}
    count = settings.layers if layers is None else layers
    for n in range(count):
        theta, W = propagator(w, settings, f"layer.{n}", theta, sent.get(n, theta), c, K[n], muted)
        trace.states.append(theta)
        trace.attention.append(W)
    outputs, trace.read_out = read_out(w, settings, sent.get(count, theta), c, K[-1], muted)
    confidence = outputs @ w["confidence.weight"].T + w["confidence.bias"]
    trace.confidence = softmax(confidence[..., 0])
    mixed = (trace.confidence[..., None] * outputs).sum(dim=1)
    return mixed @ w["logits.weight"].T + w["logits.bias"], trace


def drop_modules(w: Weights, modules: Sequence[int]) -> dict[str, Tensor]:
    """The same weights without some processor modules."""
    kept = [u for u in range(len(w["processor.codes"])) if u not in set(modules)]
    gone = ("processor.codes", "processor.signatures")
    return {name: tensor[kept] if name in gone else tensor for name, tensor in w.items()}
