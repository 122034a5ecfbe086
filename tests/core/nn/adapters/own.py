"""Mixtures of experts as people write them: a router that gives logits, and a block that chooses and calls experts."""

import torch
from jaxtyping import Float, Int64
from torch import Tensor, nn


def two_best(logits: Float[Tensor, "T E"]) -> tuple[Float[Tensor, "T K"], Int64[Tensor, "T K"]]:
    """Weights and places of the two experts with the largest probabilities, which sum to one."""
    weights, experts = logits.softmax(dim=-1).topk(2, dim=-1)
    return weights / weights.sum(dim=-1, keepdim=True), experts


class Block(nn.Module):
    """Each token takes two of five experts."""

    def __init__(self, features: int) -> None:
        super().__init__()
        self.gate = nn.Linear(features, 5)
        self.experts = nn.ModuleList(
            nn.Sequential(nn.Linear(features, 12), nn.GELU(), nn.Linear(12, features)) for _ in range(5)
        )

    def forward(self, x: Float[Tensor, "B V C"]) -> Float[Tensor, "B V C"]:
        flat = x.flatten(0, 1)
        weights, places = two_best(self.gate(flat))
        total = torch.zeros_like(flat)
        for place, expert in enumerate(self.experts):
            tokens, slot = (places == place).nonzero(as_tuple=True)
            total = total.index_add(0, tokens, expert(flat[tokens]) * weights[tokens, slot, None])
        return x + total.view_as(x)


class Mine(nn.Module):
    """Bytes, three blocks, and a running mean in between, by which tokens read those before them."""

    def __init__(self, features: int = 16) -> None:
        super().__init__()
        self.embedding = nn.Embedding(257, features)
        self.layers = nn.ModuleList(Block(features) for _ in range(3))
        self.head = nn.Linear(features, 257)

    def forward(self, ids: Int64[Tensor, "B V"]) -> Float[Tensor, "B V symbols"]:
        x = self.embedding(ids)
        for layer in self.layers:
            count = torch.arange(1, ids.shape[1] + 1)[:, None]
            x = layer(x) + x.cumsum(dim=1) / count
        return self.head(x)
