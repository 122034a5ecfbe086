"""The conditional Neural Attentive Circuit, literally: one sample, one module and one head after the other.

Rahaman, Weiss et al., "Neural Attentive Circuits" (NeurIPS 2022), Section 4.4 and Appendix G; the executor is the
oracle of Eq. 1-5 with each sample's own signatures and codes. Written from the paper; it shares no code with `core`.
Where the paper is silent: every layer is pre-LayerNorm with a residual, and read-out modules are designed as well.

Weights are a flat dictionary; linear weights are (out, in). Beside those of the executor, U_p + U_o modules:

    generator.queries (U, d)                                generator.{cross,among}.{norm,norm_set}.{weight,bias}
    generator.{cross,among}.{query,key_value}.weight        generator.{cross,among}.out.{weight,bias}
    generator.{ffn,signatures,codes}.{0,1,3}.{weight,bias}  LayerNorm, Linear, GELU, Linear
    pictures.picture (P, C_in)                              what is added to every token of a picture
    text.embed.weight, text.positions                       where words are trained along, with
    text.layers.layers.N.{self_attn.{in_proj_weight,in_proj_bias,out_proj.*},linear1.*,linear2.*,norm1.*,norm2.*}
    text.layers.norm.{weight,bias}
"""

from __future__ import annotations

import math
import string
import unicodedata
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import torch
from torch import Tensor

from tests.oracles import neural_attentive_circuit as nac

Weights = Mapping[str, Tensor]
SPELLING = "abcdefghijklmnopqrstuvwxyz0123456789.,;:!?'\"()-/&%"


@dataclass
class Design:
    """One sentence's circuit: (U_p, d_sig), (U_p, d_code), (U_o, d_sig), (U_o, d_code), and (U_p, T) read from text."""

    signatures: Tensor
    codes: Tensor
    readout_signatures: Tensor
    readout_codes: Tensor
    text_attention: Tensor


# ------------------------------------------------------------------------------------------------------ words


def split_words(sentence: str) -> list[str]:
    """In lower case, at white space, and around every punctuation mark, which is a word of its own."""
    outcome = [""]
    for character in unicodedata.normalize("NFKC", sentence).lower():
        if character.isspace():
            outcome.append("")
        elif character in string.punctuation or unicodedata.category(character).startswith("P"):
            outcome += [character, ""]
        else:
            outcome[-1] += character
    return [word for word in outcome if word]


def pieces(words: Sequence[str], sentence: str) -> list[str]:
    """Known words whole; of others the longest known beginning and then characters; what has no spelling is unknown."""
    outcome = []
    for word in split_words(sentence):
        beginnings = [word[:n] for n in range(len(word), 0, -1) if word[:n] in words or word[:n] in list(SPELLING)]
        rest = word[len(beginnings[0]) :] if beginnings else ""
        if not beginnings or any(c not in SPELLING for c in rest):
            outcome.append("[UNK]")
        else:
            outcome += [beginnings[0], *(f"##{c}" for c in rest)]
    return outcome


def ids(words: Sequence[str], sentence: str, most: int) -> list[int]:
    """A start, then the pieces, of which no more than ``most`` - 1 are read."""
    listed = ["[PAD]", "[START]", "[UNK]", *words, *SPELLING, *(f"##{c}" for c in SPELLING)]
    table: dict[str, int] = {}
    for piece in listed:
        table.setdefault(piece, len(table))
    return [table[piece] for piece in ["[START]", *pieces(words, sentence)]][:most]


def linear(w: Weights, name: str, x: Tensor) -> Tensor:
    """W x + b, without b where there is none."""
    y = x @ w[f"{name}.weight"].T
    return y + w[f"{name}.bias"] if f"{name}.bias" in w else y


def attend(q: Tensor, k: Tensor, v: Tensor, heads: int) -> tuple[Tensor, Tensor]:
    """What each query (U, d) reads from (T, d), one query and one head after the other; weights (H, U, T)."""
    width = q.shape[1] // heads
    read, weights = torch.zeros(len(q), q.shape[1], dtype=q.dtype), torch.zeros(heads, len(q), len(k), dtype=q.dtype)
    for h in range(heads):
        part = slice(h * width, (h + 1) * width)
        for u in range(len(q)):
            scores = torch.stack([q[u, part] @ k[t, part] / math.sqrt(width) for t in range(len(k))])
            weights[h, u] = nac.softmax(scores)
            for t in range(len(k)):
                read[u, part] = read[u, part] + weights[h, u, t] * v[t, part]
    return read, weights


def words_features(w: Weights, numbers: Sequence[int], heads: int) -> Tensor:
    """Features (T, d) of one sentence: embeddings and positions through pre-LayerNorm layers of a Transformer."""
    x = torch.stack([w["text.embed.weight"][number] + w["text.positions"][at] for at, number in enumerate(numbers)])
    n = 0
    while f"text.layers.layers.{n}.norm1.weight" in w:
        layer = f"text.layers.layers.{n}"
        qkv = nac.norm(w, f"{layer}.norm1", x) @ w[f"{layer}.self_attn.in_proj_weight"].T
        q, k, v = (qkv + w[f"{layer}.self_attn.in_proj_bias"]).chunk(3, dim=-1)
        x = x + linear(w, f"{layer}.self_attn.out_proj", attend(q, k, v, heads)[0])
        hidden = nac.gelu(linear(w, f"{layer}.linear1", nac.norm(w, f"{layer}.norm2", x)))
        x = x + linear(w, f"{layer}.linear2", hidden)
        n += 1
    return nac.norm(w, "text.layers.norm", x)


# -------------------------------------------------------------------------------------------------- generator


def feed_forward(w: Weights, name: str, x: Tensor) -> Tensor:
    """LayerNorm, linear, GELU, linear."""
    return linear(w, f"{name}.3", nac.gelu(linear(w, f"{name}.1", nac.norm(w, f"{name}.0", x))))


def attention(w: Weights, name: str, x: Tensor, read: Tensor, heads: int) -> tuple[Tensor, Tensor]:
    """Pre-LayerNorm attention from (U, d) to (T, d_set), without its residual."""
    q = linear(w, f"{name}.query", nac.norm(w, f"{name}.norm", x))
    k, v = linear(w, f"{name}.key_value", nac.norm(w, f"{name}.norm_set", read)).chunk(2, dim=-1)
    y, weights = attend(q, k, v, heads)
    return linear(w, f"{name}.out", y), weights


def generator(w: Weights, text: Tensor, heads: int, processors: int) -> Design:
    """Appendix G, of one sentence's features (T, d_text)."""
    x = w["generator.queries"]
    read, weights = attention(w, "generator.cross", x, text, heads)
    x = x + read
    x = x + feed_forward(w, "generator.ffn", x)
    x = x + attention(w, "generator.among", x, x, heads)[0]
    s, c = feed_forward(w, "generator.signatures", x), feed_forward(w, "generator.codes", x)
    shown = weights[:, :processors].mean(dim=0)
    return Design(s[:processors], c[:processors], s[processors:], c[processors:], shown)


def of_design(w: Weights, design: Design, drop: Sequence[int] = ()) -> dict[str, Tensor]:
    """The weights of an unconditional circuit whose modules are those of a design, without some of them."""
    own = {
        "processor.signatures": design.signatures,
        "processor.codes": design.codes,
        "readout.signatures": design.readout_signatures,
        "readout.codes": design.readout_codes,
    }
    return nac.drop_modules({**w, **own}, drop)


def cut(P: Tensor, keep_edges: float) -> Tensor:
    """P (U, U) without its smallest links between different modules, pair by pair."""
    P = P.clone()
    pairs = [(i, j) for i in range(len(P)) for j in range(i)]
    pairs.sort(key=lambda pair: P[pair].item())
    for i, j in pairs[: round((1 - keep_edges) * len(pairs))]:
        P[i, j] = P[j, i] = 0.0
    return P


# --------------------------------------------------------------------------------------------------- together


def conditional_circuit(
    w: Weights,
    settings: nac.Settings,
    pictures: Tensor,
    texts: Sequence[Tensor],
    generator_heads: int,
    processors: int,
    *,
    drop: Sequence[int] = (),
    muted: Sequence[int] = (),
    keep_edges: float | None = None,
    layers: int | None = None,
    kernels: Sequence[Sequence[Tensor]] | None = None,
) -> tuple[Tensor, list[nac.Trace], list[Design]]:
    """Logits (B, classes), and of every sample what led to them.

    Args:
        pictures: each picture's own tokens (B, P, V, C_in).
        texts: features (T, d_text) of every sample's sentence.
        drop, muted: positions of processor modules; ``muted`` among those that stay.
        keep_edges: the share of each sample's own pairs that keep their links.
        kernels: for each sample K for each layer and then for the read-out; P when None.
    """
    logits, traces, designs = [], [], []
    for b in range(len(pictures)):
        design = generator(w, texts[b], generator_heads, processors)
        weights = of_design(w, design, drop)
        x = torch.cat([pictures[b, p] + w["pictures.picture"][p] for p in range(pictures.shape[1])])
        K = None if kernels is None else kernels[b]
        if keep_edges is not None:
            s = weights["processor.signatures"]
            P = cut(nac.link_probability(s, s, settings.bandwidth), keep_edges)
            K = [P] * settings.layers + [nac.link_probability(design.readout_signatures, s, settings.bandwidth)]
        outcome, trace = nac.neural_attentive_circuit(weights, settings, x[None], layers=layers, kernels=K, muted=muted)
        logits.append(outcome[0])
        traces.append(trace)
        designs.append(design)
    return torch.stack(logits), traces, designs
