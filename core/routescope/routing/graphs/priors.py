"""Prior graphs over modules as matrices of link probabilities (Appendix A of the paper), and graphs drawn from them.

P0_ij is the probability that modules i and j are linked, in the prior's own order of nodes. Every matrix of this file
is symmetric, and 1 on its diagonal: a module is always linked to itself.
"""

from collections.abc import Callable

import numpy as np
import torch
import torch.nn.functional as F
from jaxtyping import Bool, Float
from torch import Tensor

Probability = Float[np.ndarray, "node node"]
Graph = Bool[np.ndarray, "node node"]

BLOCKS = 10
P_IN = 0.9
P_OUT = 0.05
#: Modules are linked when their signatures are nearer than this cosine distance; P = exp(-0.8) = 0.45 there.
LINKED_BELOW = 0.8
#: Distance past ``LINKED_BELOW`` that a fit aims at.
MARGIN = 0.2
FIT_RATE = 0.05


def _blocks(nodes: int) -> np.ndarray:
    """Return the block of every node: ten (or as many as there are nodes) equal runs, the larger ones first."""
    count = min(BLOCKS, nodes)
    return np.concatenate([np.full(len(run), k) for k, run in enumerate(np.array_split(np.arange(nodes), count))])


def scale_free(nodes: int) -> Probability:
    """Equation 8, read with the index in place of r: sqrt(U)/16 (i+1)^-0.5 (j+1)^-0.5, clipped to [0, 1].

    As printed, with r in [0, 1], no node would have more than sqrt(2) times the links of another: no hubs.
    """
    rank = np.arange(1, nodes + 1, dtype=np.float64)
    p = np.minimum(np.sqrt(nodes) / 16 / np.sqrt(np.outer(rank, rank)), 1)
    np.fill_diagonal(p, 1)
    return p


def planted_partition(nodes: int) -> Probability:
    """Ten blocks: nodes of one block are linked with probability 0.9, others with 0.05."""
    block = _blocks(nodes)
    p = np.where(block[:, None] == block, P_IN, P_OUT)
    np.fill_diagonal(p, 1)
    return p


def ring_of_cliques(nodes: int) -> Probability:
    """A planted partition in which the first node of each block is linked for certain to its own and the next block."""
    block = _blocks(nodes)
    p = planted_partition(nodes)
    count = int(block[-1]) + 1
    for k in range(count):
        gateway = int(np.flatnonzero(block == k)[0])
        served = (block == k) | (block == (k + 1) % count)
        p[gateway, served] = p[served, gateway] = 1
    return p


def erdos_renyi(nodes: int) -> Probability:
    """Return one probability for all pairs, with as many expected links as the scale-free prior."""
    pairs = max(nodes * (nodes - 1) / 2, 1)
    p = np.full((nodes, nodes), expected_edges(scale_free(nodes)) / pairs)
    np.fill_diagonal(p, 1)
    return p


PRIORS: dict[str, Callable[[int], Probability]] = {
    "scale-free": scale_free,
    "planted-partition": planted_partition,
    "ring-of-cliques": ring_of_cliques,
    "erdos-renyi": erdos_renyi,
}


def prior(name: str, nodes: int) -> Probability:
    """Return a prior's link probabilities P0 (U, U), U = ``nodes``, diagonal 1; raises ValueError for unknown names."""
    if name not in PRIORS:
        raise ValueError(f"{name!r} is no prior; there are {', '.join(PRIORS)}")
    if nodes < 1:
        raise ValueError(f"a prior needs at least one module, not {nodes}")
    return PRIORS[name](nodes)


def expected_edges(p: Probability) -> float:
    """Return the expected number of links between different modules: the sum of P_ij over i < j."""
    return float((p.sum() - np.trace(p)) / 2)


def sample_graph(p: Probability, seed: int) -> Graph:
    """Draw a graph that links i and j != i with probability P_ij, each pair by itself; the diagonal is True."""
    draws = np.random.default_rng(seed).random(p.shape)
    upper = np.triu(draws < p, 1)
    graph: Graph = upper | upper.T | np.eye(len(p), dtype=bool)
    return graph


def fit_signatures(graph: Graph, features: int, seed: int = 0, steps: int = 300) -> Float[Tensor, "node features"]:
    """Signatures whose cosine distances tell the links of ``graph``: below 0.8 where there is one, above where none.

    Standard normal at first, then Adam on the mean squared hinge of the two sides (links, and pairs without one, weigh
    alike), which wants distances at least 0.2 past 0.8. Too few features can leave pairs on the wrong side.

    Args:
        graph: symmetric (U, U); its diagonal is not looked at.
        features: length of a signature.

    Returns:
        (U, features), float32, not normalised; a tensor without gradient.
    """
    nodes = len(graph)
    start = torch.randn(nodes, features, generator=torch.Generator().manual_seed(seed))
    signatures = start.requires_grad_()
    linked = torch.from_numpy(graph.astype(np.float32))
    others = 1 - torch.eye(nodes)
    weight = linked * others / (linked * others).sum().clamp(min=1)
    weight = weight + (1 - linked) * others / ((1 - linked) * others).sum().clamp(min=1)
    side = 2 * linked - 1  # a link wants a distance below, a pair without one a distance above
    optimizer = torch.optim.Adam([signatures], lr=FIT_RATE)
    with torch.enable_grad():
        for _ in range(steps):
            unit = F.normalize(signatures, dim=1)
            distance = 1 - unit @ unit.T
            loss = (weight * F.relu(side * (distance - LINKED_BELOW) + MARGIN) ** 2).sum()
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
    return signatures.detach()
