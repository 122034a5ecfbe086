"""Matching of a circuit's units to the nodes of its prior graph: the best found, searched for once."""

import hashlib
import threading

import numpy as np
import torch
from cachetools import LRUCache, cached

from routescope.nn.network import LinkedNetwork
from routescope.routing.graphs.matching import Order, distance_to_prior, match
from routescope.routing.graphs.priors import Probability, prior

#: With more units than this the search starts from the order of the training alone.
MANY_UNITS = 400
#: Orders that are kept; the least recently used goes first.
MOST_KEPT = 64


def prior_order(model: LinkedNetwork) -> Order:
    """Return the node (U,) of the prior that each unit of the full network plays, whatever the view leaves out.

    The better of a new search and one from the order that training found last; the second alone above ``MANY_UNITS``.
    Searched for once for each set of link probabilities.

    Raises:
        ValueError: links that were trained without a prior.
    """
    if model.prior_graph is None:
        raise ValueError("the links of this network were trained without a prior, so its units have no nodes")
    with torch.no_grad():
        links: Probability = model.link_probability_of_all().double().cpu().numpy()
    links = (links + links.T) / 2  # products in float32 differ in their last bits
    trained: Order = model.prior_graph.order.cpu().numpy()
    return _order(links, trained, model.prior_graph.name)


def _digest(links: Probability, trained: Order, name: str) -> bytes:
    return hashlib.blake2b(links.tobytes() + trained.tobytes() + name.encode()).digest()


@cached(LRUCache(MOST_KEPT), key=_digest, lock=threading.Lock())
def _order(links: Probability, trained: Order, name: str) -> Order:
    order = _searched(links, prior(name, len(links)), trained)
    order.setflags(write=False)
    return order


def _searched(links: Probability, P0: Probability, trained: Order) -> Order:
    orders = [match(links, P0, start=trained)]
    if len(links) <= MANY_UNITS:
        orders.append(match(links, P0))
    best: Order = np.array(min(orders, key=lambda order: distance_to_prior(links, P0, order)))
    return best
