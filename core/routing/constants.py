"""What a trace holds that depends on no sample: what a network gives, and the prior that its links were drawn to."""

from typing import Any

import torch
from torch import Tensor

Constants = dict[str, tuple[tuple[str, ...], Tensor]]


def constants_of(view: Any) -> Constants:
    """Name -> names of axes, and numbers: the network's own, with ``prior_link_probability`` and ``prior_order``.

    The last two are there where a network's config names a prior and the network keeps which of its nodes each unit
    plays; the prior is in the order of the network's own units, all of them, whatever a view leaves out.
    """
    found: Constants = dict(view.constants())
    name, order = getattr(view.config, "prior", None), getattr(view, "prior_order", None)
    if name is None or order is None:
        return found
    from core.routing.graph_matching import matched
    from core.routing.graph_priors import prior

    nodes = order.cpu().numpy()
    links = torch.from_numpy(matched(prior(name, len(nodes)), nodes)).float()
    return found | {"prior_link_probability": (("unit", "sender"), links), "prior_order": (("unit",), order)}
