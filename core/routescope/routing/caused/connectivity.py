"""How well a unit is linked to the others, for networks whose units have links: an order in which to drop them."""

from routescope.nn.network import LinkedNetwork, Network
from routescope.routing.intervention import InterventionError


def by_connectivity(model: Network) -> tuple[str, ...]:
    """The units that take part, the least connected first: by q_i = sum_j P_ij (Equation 10 of Neural Attentive
    Circuits), equal ones in their own order.

    Raises:
        InterventionError: for networks without links.
    """
    if not (isinstance(model, LinkedNetwork) and model.has_links):
        raise InterventionError("this model has no links between its units, so that none is connected less than others")
    q, taking_part = model.connectivity().tolist(), set(model.units)
    ordered = sorted(range(len(q)), key=q.__getitem__)
    return tuple(model.all_units[u] for u in ordered if model.all_units[u] in taking_part)


def least_connected(model: Network, count: int) -> tuple[str, ...]:
    """So many units, the least connected first: see ``by_connectivity``.

    Raises:
        InterventionError: for networks without links, and for more units than there are.
    """
    ordered = by_connectivity(model)
    if not 0 <= count <= len(ordered):
        raise InterventionError(f"this model has {len(ordered)} units: give a number of the least connected up to that")
    return ordered[:count]
