"""Links between modules: probabilities from signatures, edges cut, and kernels sampled from them."""

import torch
import torch.nn.functional as F
from jaxtyping import Float
from torch import Tensor

#: log P is kept so far below 0 where its odds are needed: the link of a module to itself has P = 1.
NEARLY_ONE = -1e-6


def log_link_probability(
    receivers: Float[Tensor, "*S R d_sig"],
    senders: Float[Tensor, "*S U d_sig"],
    bandwidth: float,
    truncation: float | None = None,
) -> Float[Tensor, "*S R U"]:
    """Equation 2: log P_ij = -(1 - cosine(s_i, s_j)) / epsilon, in the signatures' own precision under autocast too.

    Args:
        truncation: the largest cosine distance of a link; P is 0 beyond it, and messages give such a link no gradient.
    """
    with torch.autocast(receivers.device.type, enabled=False):
        cosine = F.normalize(receivers, dim=-1) @ F.normalize(senders, dim=-1).mT
    log_P = (cosine.clamp(max=1.0) - 1.0) / bandwidth
    return log_P if truncation is None else log_P.masked_fill(1.0 - cosine > truncation, -torch.inf)


def straight_through(log_P: Float[Tensor, "*S R U"], untruncated: Float[Tensor, "*S R U"]) -> Float[Tensor, "*S R U"]:
    """Return P with the gradient of the untruncated P, so that the regulariser can restore a truncated link."""
    P = untruncated.exp()
    return P + (log_P.exp() - P).detach()


def concrete_log_kernel(
    log_P: Float[Tensor, "*S R U"], temperature: float, uniform: Float[Tensor, "R U"] | None = None
) -> Float[Tensor, "*S R U"]:
    """Return log K, K ~ Concrete(P, temperature) of ``uniform`` or drawn numbers, reparameterised (Equation 2)."""
    bounded = log_P.float().clamp(max=NEARLY_ONE)
    log_odds = bounded - torch.log(-torch.expm1(bounded))
    uniform = torch.rand_like(bounded) if uniform is None else uniform
    noise = torch.logit(uniform, eps=1e-7)
    return F.logsigmoid((log_odds + noise) / temperature).to(log_P.dtype)


def threshold_log_kernel(log_P: Float[Tensor, "*S R U"], least: float = 0.5) -> Float[Tensor, "*S R U"]:
    """log K with K = 1 where P > ``least`` and 0 elsewhere."""
    return torch.zeros_like(log_P).masked_fill(log_P.exp() <= least, -torch.inf)


def cut_smallest(log_P: Float[Tensor, "*S U U"], keep_edges: float) -> Float[Tensor, "*S U U"]:
    """Set the smallest off-diagonal P_ij to 0 (Appendix F), in every graph its own.

    Links are cut in pairs, P being symmetric; equal ones in the order of their modules.

    Args:
        keep_edges: share of the links, pairs with P_ij above 0, that stay: from 0 to 1, rounded to whole links.
    """
    U = log_P.shape[-1]
    i, j = torch.tril_indices(U, U, offset=-1, device=log_P.device)
    links = log_P[..., i, j]
    absent = (links == -torch.inf).sum(dim=-1, keepdim=True)
    cut = absent + ((1.0 - keep_edges) * (len(i) - absent).double()).round()
    rank = links.argsort(dim=-1, stable=True).argsort(dim=-1)
    gone = torch.zeros_like(log_P, dtype=torch.bool)
    gone[..., i, j] = rank < cut
    return log_P.masked_fill(gone | gone.mT, -torch.inf)
