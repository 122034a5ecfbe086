"""Orders in which to drop units by their links, for networks whose units have links."""

from routescope.nn.network import LinkedNetwork, Network
from routescope.routing.options import InterventionError


def by_connectivity(model: Network) -> tuple[str, ...]:
    """Return the units that take part, the least connected first; equal ones in their own order.

    The connectivity of a unit is q_i = sum_j P_ij (Equation 10 of Neural Attentive Circuits).

    Raises:
        InterventionError: a network without links.
    """
    if not (isinstance(model, LinkedNetwork) and model.has_links):
        raise InterventionError("this model has no links between its units, so that none is connected less than others")
    q, taking_part = model.connectivity().tolist(), set(model.units)
    ordered = sorted(range(len(q)), key=q.__getitem__)
    return tuple(model.all_units[u] for u in ordered if model.all_units[u] in taking_part)


def least_connected(model: Network, count: int) -> tuple[str, ...]:
    """Return ``count`` least connected units; raises InterventionError without links, or for too many units."""
    ordered = by_connectivity(model)
    if not 0 <= count <= len(ordered):
        raise InterventionError(f"this model has {len(ordered)} units: give a number of the least connected up to that")
    return ordered[:count]
