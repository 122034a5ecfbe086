"""A mixture of experts, literally: token by token, head by head, expert by expert, in double precision.

A Transformer with rotary positions whose feed-forward layers are experts: *OLMoE* (Muennighoff et al., 2024,
equation 1), *Mixtral* (Jiang et al., 2024) and *Qwen3-MoE*, which differ in ``Sizes`` alone. Changes of experts, counts
and Shapley values are written out too. This file shares no code with `core`.

Weights are named as transformers names them: model.embed_tokens.weight, lm_head.weight, model.norm.weight, and for each
layer L model.layers.L.{input_layernorm,post_attention_layernorm}.weight, .self_attn.{q,k,v,o}_proj.weight,
.self_attn.{q,k}_norm.weight where there are any, .mlp.gate.weight, .mlp.experts.{gate_up_proj,down_proj}.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import permutations
from pathlib import Path

import torch
from safetensors.torch import load_file
from torch import Tensor

Weights = Mapping[str, Tensor]
#: A layer and an expert of it, counted from 0.
Expert = tuple[int, int]


@dataclass(frozen=True)
class Sizes:
    """Sizes of a mixture; ``norm`` says what of queries and keys is normalised: "all" features, each "head", or ""."""

    layers: int
    heads: int
    top_k: int
    theta: float
    eps: float
    normalise: bool
    norm: str


@dataclass(frozen=True)
class Change:
    """What is done to experts; ``means`` are put in place of what an expert adds to each token."""

    drop: frozenset[Expert] = frozenset()
    mute: frozenset[Expert] = frozenset()
    top_k: int | None = None
    means: Mapping[Expert, Tensor] = field(default_factory=dict)


@dataclass
class Routed:
    """What a layer decides of a token: logits of the experts that are left, the chosen ones and their weights."""

    logits: dict[int, float]
    experts: list[int]
    weights: list[float]
    adds: dict[int, Tensor]


NOTHING = Change()
#: Names of moe-bytes's tensors by those of transformers.
OWN = {
    "model.embed_tokens.weight": "embedding.weight",
    "lm_head.weight": "head.weight",
    "model.norm.weight": "norm.weight",
    "input_layernorm.weight": "attention_norm.weight",
    "post_attention_layernorm.weight": "experts_norm.weight",
    "self_attn.q_proj.weight": "attention.query.weight",
    "self_attn.k_proj.weight": "attention.key.weight",
    "self_attn.v_proj.weight": "attention.value.weight",
    "self_attn.o_proj.weight": "attention.out.weight",
    "self_attn.q_norm.weight": "attention.query_norm.weight",
    "self_attn.k_norm.weight": "attention.key_norm.weight",
    "mlp.gate.weight": "experts.router.weight",
    "mlp.experts.gate_up_proj": "experts.gate_up",
    "mlp.experts.down_proj": "experts.down",
}


def moe_bytes(path: Path, layers: int) -> Weights:
    """The tensors of moe-bytes's file under the names of transformers; integers times the scale of their row."""
    stored, outcome = load_file(path), dict[str, Tensor]()
    for theirs, own in OWN.items():
        for layer in range(layers):
            inside = not theirs.startswith(("model.", "lm_head"))
            name = f"layers.{layer}.{own}" if inside else own
            tensor = stored[name].double()
            if stored[name].dtype == torch.int8:
                scale = stored[f"{name}.scale"].double()
                tensor = torch.stack([scale[row] * tensor[row] for row in range(len(tensor))])
                tensor = tensor.float().double()  # single precision, as integers are read
            outcome[f"model.layers.{layer}.{theirs}" if inside else theirs] = tensor
    return outcome


def rms(x: Tensor, weight: Tensor, sizes: Sizes) -> Tensor:
    """A vector over the root of its mean square."""
    return x / torch.sqrt((x * x).sum() / len(x) + sizes.eps) * weight


def turned(x: Tensor, spot: int, theta: float) -> Tensor:
    """A head's features, of which the i-th and the one half of them behind are turned by an angle."""
    half = len(x) // 2
    angles = torch.tensor([spot * theta ** (-i / half) for i in range(half)], dtype=torch.float64)
    first, second = x[:half], x[half:]
    return torch.cat((first * angles.cos() - second * angles.sin(), second * angles.cos() + first * angles.sin()))


def attend(w: Weights, layer: str, sizes: Sizes, tokens: Sequence[Tensor]) -> list[Tensor]:
    """Causal attention: each token reads those before it and itself, head by head."""
    width = len(w[f"{layer}.q_proj.weight"]) // sizes.heads
    groups = sizes.heads // (len(w[f"{layer}.k_proj.weight"]) // width)

    def heads_of(name: str, x: Tensor, spot: int) -> list[Tensor]:
        made = w[f"{layer}.{name}_proj.weight"] @ x
        if sizes.norm == "all" and name != "v":
            made = rms(made, w[f"{layer}.{name}_norm.weight"], sizes)
        parts = [made[start : start + width] for start in range(0, len(made), width)]
        if sizes.norm == "head" and name != "v":
            parts = [rms(part, w[f"{layer}.{name}_norm.weight"], sizes) for part in parts]
        return parts if name == "v" else [turned(part, spot, sizes.theta) for part in parts]

    q, k, v = ([heads_of(name, x, index) for index, x in enumerate(tokens)] for name in "qkv")
    read = []
    for index in range(len(tokens)):
        heads = []
        for head in range(sizes.heads):
            of = head // groups
            scores = [float(q[index][head] @ k[before][of]) / math.sqrt(width) for before in range(index + 1)]
            most = max(scores)
            powers = [math.exp(score - most) for score in scores]
            total = sum(powers)
            heads.append(
                sum((power / total * v[at][of] for at, power in enumerate(powers)), torch.zeros(width).double())
            )
        read.append(w[f"{layer}.o_proj.weight"] @ torch.cat(heads))
    return read


def swiglu(w: Weights, layer: str, expert: int, x: Tensor) -> Tensor:
    """What one expert makes of one token."""
    made = w[f"{layer}.experts.gate_up_proj"][expert] @ x
    gate, up = made[: len(made) // 2], made[len(made) // 2 :]
    return w[f"{layer}.experts.down_proj"][expert] @ (gate / (1 + torch.exp(-gate)) * up)


def route(w: Weights, layer: int, sizes: Sizes, x: Tensor, change: Change) -> Routed:
    """A softmax over the experts that are left, of which the K largest are taken."""
    spot = f"model.layers.{layer}.mlp"
    scores = w[f"{spot}.gate.weight"] @ x
    logits = {e: float(scores[e]) for e in range(len(scores)) if (layer, e) not in change.drop}
    most = max(logits.values())
    powers = {e: math.exp(score - most) for e, score in logits.items()}
    total = sum(powers.values())
    taken = sorted(powers, key=lambda e: -powers[e])[: change.top_k or sizes.top_k]
    weights = [powers[e] / total for e in taken]
    if sizes.normalise:
        weights = [weight / sum(weights) for weight in weights]
    weights = [0.0 if (layer, e) in change.mute else weight for e, weight in zip(taken, weights, strict=True)]
    adds = {e: weight * swiglu(w, spot, e, x) for e, weight in zip(taken, weights, strict=True)}
    for (of, e), mean in change.means.items():
        if of == layer:
            adds[e] = mean
    return Routed(logits, taken, weights, adds)


def run(
    w: Weights, sizes: Sizes, ids: Sequence[int], change: Change = NOTHING
) -> tuple[list[float], list[list[Routed]]]:
    """Nats of every token after the first, given those before it; and what each layer decides of each token."""
    x = [w["model.embed_tokens.weight"][number] for number in ids]
    routed = []
    for layer in range(sizes.layers):
        spot = f"model.layers.{layer}"
        normed = [rms(member, w[f"{spot}.input_layernorm.weight"], sizes) for member in x]
        x = [a + b for a, b in zip(x, attend(w, f"{spot}.self_attn", sizes, normed), strict=True)]
        decided = []
        for at, member in enumerate(x):
            own = route(w, layer, sizes, rms(member, w[f"{spot}.post_attention_layernorm.weight"], sizes), change)
            x[at] = member + sum(own.adds.values(), torch.zeros_like(member))
            decided.append(own)
        routed.append(decided)
    nats = []
    for at, following in enumerate(ids[1:]):
        scores = w["lm_head.weight"] @ rms(x[at], w["model.norm.weight"], sizes)
        most = float(scores.max())
        nats.append(most + math.log(sum(math.exp(float(score) - most) for score in scores)) - float(scores[following]))
    return nats, routed


def bits_a_byte(w: Weights, sizes: Sizes, texts: Iterable[str], change: Change = NOTHING) -> float:
    """Bits of all tokens of all texts, each after the token 256, over all bytes."""
    nats, count = 0.0, 0
    for text in texts:
        outcome, _ = run(w, sizes, (256, *text.encode()), change)
        nats += sum(outcome)
        count += len(text.encode())
    return nats / count / math.log(2)


def mean_additions(w: Weights, sizes: Sizes, texts: Iterable[str], experts: Iterable[Expert]) -> dict[Expert, Tensor]:
    """What experts add to a token on average, over all tokens of all texts; 0 to a token that does not take them."""
    experts = list(experts)
    sums = {expert: torch.zeros(len(w["model.norm.weight"])).double() for expert in experts}
    count = 0
    for text in texts:
        _, routed = run(w, sizes, (256, *text.encode()))
        count += len(routed[0])
        for layer, expert in experts:
            for token in routed[layer]:
                if expert in token.adds:
                    sums[layer, expert] += token.adds[expert]
    return {expert: total / count for expert, total in sums.items()}


def shapley(players: Sequence[Expert], worth: Callable[[frozenset[Expert]], float]) -> dict[Expert, float]:
    """What each player adds to those before it, averaged over all orders; ``worth`` is of those that are there."""
    known: dict[frozenset[Expert], float] = {}
    total = dict.fromkeys(players, 0.0)
    orders = list(permutations(players))
    for order in orders:
        there: frozenset[Expert] = frozenset()
        for player in order:
            for group in (there, there | {player}):
                if group not in known:
                    known[group] = worth(group)
            total[player] += known[there | {player}] - known[there]
            there |= {player}
    return {player: value / len(orders) for player, value in total.items()}


def counts(w: Weights, sizes: Sizes, texts: Iterable[str]) -> tuple[dict[Expert, int], dict[tuple[int, int, int], int]]:
    """Tokens that take each expert; and tokens that take both of two experts of a layer, which may be the same one."""
    load: dict[Expert, int] = {}
    together: dict[tuple[int, int, int], int] = {}
    for text in texts:
        _, routed = run(w, sizes, (256, *text.encode()))
        for layer, tokens in enumerate(routed):
            for token in tokens:
                for expert in token.experts:
                    load[layer, expert] = load.get((layer, expert), 0) + 1
                    for other in token.experts:
                        together[layer, expert, other] = together.get((layer, expert, other), 0) + 1
    return load, together
