"""The Vision Transformer, literally: one sample, one head and one token after the other.

Dosovitskiy et al., "An Image is Worth 16x16 Words" (2021), Equations 1 to 4, with the tokens, positions and heads of
*Dynamic Inference with Neural Interpreters* (2021), section 4.2 and Equations 20 and 21 without functions. This file
shares no code with `core`.

Weights, linear ones (out, in): cls (D, C), tokenizer.embed.{weight,bias}; for each layer layers.L.
{norm_attention,norm_mlp,qkv,out,mlp.0,mlp.2}.{weight,bias} and position.{row,column} (H, differences); for each domain
heads.D.{0,1}.{weight,bias}, a LayerNorm and a linear layer. qkv holds all heads' queries, then keys, then values.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

import torch
import torch.nn.functional as F
from torch import Tensor

Weights = Mapping[str, Tensor]


def linear(w: Weights, name: str, x: Tensor) -> Tensor:
    """W x + b."""
    return w[f"{name}.weight"] @ x + w[f"{name}.bias"]


def norm(w: Weights, name: str, x: Tensor) -> Tensor:
    """LayerNorm of one token."""
    centred = x - x.mean()
    return centred / torch.sqrt((centred**2).mean() + 1e-5) * w[f"{name}.weight"] + w[f"{name}.bias"]


def patches(w: Weights, image: Tensor, size: int) -> list[Tensor]:
    """Linear embeddings of the patches of one picture (c, h, w), row by row."""
    rows, columns = image.shape[1] // size, image.shape[2] // size
    cut = [image[:, r * size : (r + 1) * size, c * size : (c + 1) * size] for r in range(rows) for c in range(columns)]
    return [linear(w, "tokenizer.embed", patch.reshape(-1)) for patch in cut]


def bias(w: Weights, layer: str, head: int, i: int, j: int, prefix: int, side: int) -> Tensor:
    """e_row[i2 - i1] + e_col[j2 - j1] from token i to token j; 0 where one of them is a CLS token."""
    if i < prefix or j < prefix:
        return torch.zeros((), dtype=w["cls"].dtype)
    (i1, j1), (i2, j2) = divmod(i - prefix, side), divmod(j - prefix, side)
    row, column = w[f"{layer}.position.row"], w[f"{layer}.position.column"]
    return row[head, i2 - i1 + side - 1] + column[head, j2 - j1 + side - 1]


def attend(w: Weights, layer: str, tokens: Sequence[Tensor], heads: int, prefix: int) -> tuple[list[Tensor], Tensor]:
    """What attention adds to each token, and the weights (H, V, V)."""
    side = math.isqrt(len(tokens) - prefix)
    qkv = [linear(w, f"{layer}.qkv", norm(w, f"{layer}.norm_attention", x)) for x in tokens]
    q, k, v = zip(*(member.chunk(3) for member in qkv), strict=True)
    d = len(q[0]) // heads
    weights, read = torch.zeros(heads, len(tokens), len(tokens), dtype=w["cls"].dtype), []
    for i in range(len(tokens)):
        parts = []
        for h in range(heads):
            part = slice(h * d, (h + 1) * d)
            scores = [
                q[i][part] @ k[j][part] / math.sqrt(d) + bias(w, layer, h, i, j, prefix, side)
                for j in range(len(tokens))
            ]
            weights[h, i] = torch.softmax(torch.stack(scores), dim=0)
            parts.append(sum(weights[h, i, j] * v[j][part] for j in range(len(tokens))))
        read.append(linear(w, f"{layer}.out", torch.cat(parts)))
    return read, weights


def vision_transformer(
    w: Weights, images: Tensor, patch: int, layers: Sequence[int], heads: int
) -> tuple[Tensor, list[list[Tensor]]]:
    """Logits (B, D, classes), and of each sample the attention of each of the ``layers`` that run."""
    logits, attention, D = [], [], len(w["cls"])
    for image in images:
        tokens, seen = [*w["cls"], *patches(w, image, patch)], []
        for number in layers:
            layer = f"layers.{number}"
            read, weights = attend(w, layer, tokens, heads, D)
            seen.append(weights)
            tokens = [x + a for x, a in zip(tokens, read, strict=True)]
            hidden = [F.gelu(linear(w, f"{layer}.mlp.0", norm(w, f"{layer}.norm_mlp", x))) for x in tokens]
            tokens = [x + linear(w, f"{layer}.mlp.2", h) for x, h in zip(tokens, hidden, strict=True)]
        logits.append(torch.stack([linear(w, f"heads.{d}.1", norm(w, f"heads.{d}.0", tokens[d])) for d in range(D)]))
        attention.append(seen)
    return torch.stack(logits), attention
