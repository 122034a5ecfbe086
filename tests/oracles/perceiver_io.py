"""Perceiver IO, literally: latents that read inputs, read each other, and are read by output queries.

Jaegle et al., "Perceiver IO: A General Architecture for Structured Inputs & Outputs" (2021), Section 3: encode,
process, decode, each an attention module (Appendix E) with pre-LayerNorm and a GEGLU MLP; decoding has no residual
onto its queries. Every processing layer has its own weights. This file shares no code with `core`.

Weights, linear ones (out, in): latents (N, D), queries (O, D), and for each BLOCK of encode, process.L and decode
BLOCK.{norm_q,norm_kv,norm_mlp}.{weight,bias} (process.L has no norm_kv), BLOCK.{q,k,v}.weight, BLOCK.out.{weight,bias},
BLOCK.mlp.{0,1}.{weight,bias}.
"""

from __future__ import annotations

import math
from collections.abc import Mapping

import torch
import torch.nn.functional as F
from torch import Tensor

from tests.oracles.neural_attentive_circuit import norm

Weights = Mapping[str, Tensor]


def attend(w: Weights, block: str, q_in: Tensor, kv_in: Tensor, heads: int) -> Tensor:
    """Multi-head scaled dot-product attention, one sample and one head after the other."""
    outputs = []
    for queries, inputs in zip(q_in, kv_in, strict=True):
        q, k, v = (
            queries @ w[f"{block}.q.weight"].T,
            inputs @ w[f"{block}.k.weight"].T,
            inputs @ w[f"{block}.v.weight"].T,
        )
        width = q.shape[1] // heads
        parts = []
        for h in range(heads):
            part = slice(h * width, (h + 1) * width)
            scores = q[:, part] @ k[:, part].T / math.sqrt(width)
            parts.append(torch.softmax(scores, dim=-1) @ v[:, part])
        outputs.append(torch.cat(parts, dim=-1) @ w[f"{block}.out.weight"].T + w[f"{block}.out.bias"])
    return torch.stack(outputs)


def mlp(w: Weights, block: str, x: Tensor) -> Tensor:
    """x + MLP(LayerNorm(x)), with a GEGLU."""
    hidden = norm(w, f"{block}.norm_mlp", x) @ w[f"{block}.mlp.0.weight"].T + w[f"{block}.mlp.0.bias"]
    value, gate = hidden.chunk(2, dim=-1)
    return x + (value * F.gelu(gate)) @ w[f"{block}.mlp.1.weight"].T + w[f"{block}.mlp.1.bias"]


def perceiver_io(w: Weights, inputs: Tensor, layers: int, heads: tuple[int, int, int]) -> tuple[Tensor, Tensor]:
    """Latents (B, N, D) and what the output queries decode from them (B, O, D); heads to encode, process, decode."""
    latents = w["latents"].expand(len(inputs), -1, -1)
    queries = w["queries"].expand(len(inputs), -1, -1)
    read = attend(w, "encode", norm(w, "encode.norm_q", latents), norm(w, "encode.norm_kv", inputs), heads[0])
    latents = mlp(w, "encode", latents + read)
    for n in range(layers):
        normed = norm(w, f"process.{n}.norm_q", latents)
        latents = mlp(w, f"process.{n}", latents + attend(w, f"process.{n}", normed, normed, heads[1]))
    decoded = attend(w, "decode", norm(w, "decode.norm_q", queries), norm(w, "decode.norm_kv", latents), heads[2])
    return latents, mlp(w, "decode", decoded)
