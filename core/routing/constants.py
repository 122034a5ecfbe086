"""What a trace holds that depends on no sample: what a network gives, and the prior that its links were drawn to."""

from typing import Any

import torch
from torch import Tensor

from core.routing.graphs.matching import matched
from core.routing.graphs.order import has_prior, prior_order
from core.routing.graphs.priors import prior

Constants = dict[str, tuple[tuple[str, ...], Tensor]]


def constants_of(view: Any) -> Constants:
    """Name -> names of axes, and numbers: the network's own, with ``prior_link_probability`` and ``prior_order``.

    The last two are there where a network's config names a prior and the network keeps which of its nodes each unit
    plays; the prior is in the order of the network's own units, all of them, whatever a view leaves out, as
    ``core.routing.graphs.order`` matches it.
    """
    found: Constants = dict(view.constants())
    if not has_prior(view):
        return found
    order = prior_order(view)
    links = torch.from_numpy(matched(prior(view.config.prior, len(order)), order)).float()
    return found | {
        "prior_link_probability": (("unit", "sender"), links),
        "prior_order": (("unit",), torch.from_numpy(order.copy())),
    }


def constant_sizes(view: Any) -> dict[str, int]:
    """Name -> bytes of what ``constants_of`` gives, without any search."""
    found = {name: tensor.nbytes for name, (_, tensor) in view.constants().items()}
    if has_prior(view):
        units = len(view.prior_order)
        found |= {"prior_link_probability": units**2 * torch.float32.itemsize, "prior_order": view.prior_order.nbytes}
    return found
