"""The matching of modules with nodes of a prior, and the Graph Structure Regularizer (Appendix A.1 of the paper).

An *order* sigma says it: module i plays node ``order[i]`` of the prior, so that ``P0[order][:, order]`` stands beside P
entry by entry, and ``np.argsort(order)`` lists the modules in the order of the prior.

What is printed is one call of the Hungarian method on C_vw = sum_i (P_vi - P0_wi)^2 (Equation 9). That cost compares
column i of P with column i of P0, and so knows an order of columns already: for a P that is P0 relabelled it does not
find the labels. Here Equation 6 itself is made small:

1. *Starts.* Equation 9 as printed; the order of the last call, where one is given; and orders that do not depend on how
   columns are named: Equation 9 with the entries of each row sorted (of P, and of P^2 and P^4, which see farther), by
   the Hungarian method; and, with that cost, growing the order from a first pair outwards, always to the module with
   the strongest links to those placed, which gets the node whose links to the nodes placed are most alike.
2. *Equation 9 again and again* on the best starts, with the columns of P0 in the order found last (as in Frank-Wolfe's
   method for the quadratic assignment problem), until Equation 6 falls no more.
3. *Swaps* of two modules, the best one first, until none makes Equation 6 smaller.

So the value of Equation 6 is never above that of the printed method, nor above that of the order it starts from; a P
that is P0 relabelled is found to be one (tests cover each prior); for any other P the order is a good one, not
proven best, as the problem is NP-hard.
"""

from collections.abc import Iterator
from typing import Literal

import numpy as np
import torch
from jaxtyping import Float, Int
from torch import Tensor

from routescope.assets import require
from routescope.routing.graphs.priors import Probability

Order = Int[np.ndarray, " module"]
Links = np.ndarray | Tensor

#: Weight of the regulariser in the loss, as in the authors' presets.
WEIGHT = 0.1
#: Relative to the sum of squares of both matrices; smaller values of Equation 6 are nought.
NOUGHT = 1e-12
MOST_ROUNDS = 30
WARM_ROUNDS = 1
WARM_SWAPS = 32
#: Rows of P, P^2, P^4, ... are compared: what is twice as far away in the graph each time.
SQUARINGS = 2
#: Weight of each power beside the one before: enough to tell nodes apart whose own links are alike.
FARTHER = 0.01
#: First pairs tried when nothing is known of the order.
MOST_ANCHORS = 8
#: The best of the starts, which are improved.
MOST_TRIED = 3


def match(p: Links, p0: Links, start: Order | None = None, swaps: int | None = None) -> Order:
    """Return the order of modules under which the prior is nearest to P, as far as found; see the head of this file.

    Args:
        p: link probabilities (U, U), symmetric; a tensor is detached.
        p0: a prior's (U, U), symmetric.
        start: an order to start from, such as that of the training step before. Then it or the printed method's, the
            better of the two, is improved by one round and a few swaps, which is much faster; the rest can wait for the
            next step.
        swaps: most swaps; None: 32 from a start, and U without one.

    Returns:
        (U,) a permutation of 0..U-1: module i plays node order[i].

    Raises:
        ValueError: matrices that are not square and of one size, or hold numbers that are not finite, or a start that
            is no permutation.
    """
    a, b = _links(p, "P"), _links(p0, "the prior")
    nodes = len(a)
    if len(b) != nodes:
        raise ValueError(f"P is about {nodes} modules, the prior about {len(b)}")
    if swaps is None:
        swaps = nodes if start is None else WARM_SWAPS
    rounds = MOST_ROUNDS if start is None else WARM_ROUNDS
    nought = NOUGHT * (float((a**2).sum() + (b**2).sum()) or 1.0)
    if start is None:
        starts = list(_starts(a, b, nought))
    else:
        starts = [_permutation(start, nodes), _assign(_difference(a, b))]
    starts.sort(key=lambda order: _value(a, b, order))
    best, lowest = np.arange(nodes), np.inf
    for order in starts[: MOST_TRIED if start is None else 1]:
        order = _iterated(a, b, order, rounds)
        value = _value(a, b, order)
        if value < lowest:
            best, lowest = order, value
        if lowest <= nought:
            return best
    return _swapped(a, b, best, swaps)


def matched(p0: Probability, order: Order) -> Probability:
    """Return the prior in the modules' own order: entry (i, j) is P0 of the nodes that modules i and j play."""
    return p0[np.ix_(order, order)]


def structure_loss(
    p: Float[Tensor, "module module"],
    p0: Links,
    order: Order | None = None,
    reduction: Literal["mean", "sum"] = "mean",
) -> Float[Tensor, ""]:
    """Return the Graph Structure Regularizer (Equation 6): mean over i != j of (P_ij - P0_sigma(i)sigma(j))^2, weight
    0.1.

    Equation 6 is printed as a sum, but called a mean squared error, which the authors used; the weight of 0.1 belongs
    to the mean. Only P carries a gradient. P is that of the processor modules; readout modules have no part in it.

    Args:
        p: link probabilities of the modules.
        p0: a prior's, of the same size.
        order: from :func:`match`; None: found here, on a detached P.
        reduction: the mean over i != j of the authors' code, or the sum that Equation 6 prints.

    Returns:
        A scalar of P's type; 0 for a P that is P0 with its nodes relabelled.
    """
    sigma = match(p, p0) if order is None else order
    target = torch.as_tensor(p0, dtype=p.dtype, device=p.device)
    index = torch.as_tensor(sigma, device=p.device)
    difference = (p - target[index][:, index]) ** 2
    nodes = len(p)
    total = difference.sum() - difference.diagonal().sum()
    return total if reduction == "sum" else total / max(nodes * (nodes - 1), 1)


def distance_to_prior(p: Probability, p0: Probability, order: Order) -> float:
    """Return the root of the mean square difference of P and the matched prior over i != j."""
    nodes = len(p)
    return float(np.sqrt(_value(_links(p, "P"), _links(p0, "the prior"), order) / max(nodes * (nodes - 1), 1)))


def _links(matrix: Links, name: str) -> np.ndarray:
    """Return float64 with a diagonal of zeros, which drops i = j from Equation 6."""
    values = matrix.detach().cpu().numpy() if isinstance(matrix, Tensor) else np.asarray(matrix)
    if values.ndim != 2 or values.shape[0] != values.shape[1]:
        raise ValueError(f"{name} must be a square matrix of link probabilities, not of shape {values.shape}")
    links = values.astype(np.float64)
    if not np.isfinite(links).all():
        raise ValueError(f"{name} holds numbers that are not finite")
    np.fill_diagonal(links, 0)
    return links


def _permutation(order: Order, nodes: int) -> Order:
    given = np.asarray(order)
    if given.shape != (nodes,) or not np.array_equal(np.sort(given), np.arange(nodes)):
        raise ValueError(f"an order of {nodes} modules names each of 0..{nodes - 1} once")
    return given


def _value(a: np.ndarray, b: np.ndarray, order: Order) -> float:
    """Equation 6."""
    return float(((a - b[np.ix_(order, order)]) ** 2).sum())


def _assign(cost: np.ndarray) -> Order:
    """Run the Hungarian method. Subtracting a row's or column's mean changes no order and saves most of the time."""
    require("scipy")
    from scipy.optimize import linear_sum_assignment

    centred = cost - cost.mean(axis=0)
    order: Order = linear_sum_assignment(centred - centred.mean(axis=1)[:, None])[1]
    return order


def _difference(rows: np.ndarray, others: np.ndarray) -> np.ndarray:
    """Return sum_i (rows_vi - others_wi)^2 for every v and w: Equation 9."""
    squares = (rows**2).sum(axis=1)[:, None] + (others**2).sum(axis=1)
    return squares - 2 * rows @ others.T


def _row_cost(a: np.ndarray, b: np.ndarray) -> np.ndarray:
    """Return Equation 9 with sorted rows, of P and, with less weight, of its powers: nothing in it names a column."""
    cost = _difference(np.sort(a), np.sort(b))
    size = float((b**2).sum())
    for _ in range(SQUARINGS):
        size *= FARTHER
        a, b = a @ a, b @ b
        scale = np.sqrt(size / max(float((b**2).sum()), 1e-300))
        a, b = a * scale, b * scale
        cost += _difference(np.sort(a), np.sort(b))
    return cost


def _starts(a: np.ndarray, b: np.ndarray, nought: float) -> Iterator[Order]:
    """Yield orders to improve; none comes after one that is exact."""
    yield _assign(_difference(a, b))
    rows = _row_cost(a, b)
    yield _assign(rows)
    alike = (rows <= rows.min(axis=1)[:, None] + 1e-9 * max(float(np.abs(rows).max()), 1e-300)).sum(axis=1)
    anchor = int(np.lexsort((-a.sum(axis=1), alike))[0])  # the fewest nodes that it could be; of those, most links
    for node in np.argsort(rows[anchor], kind="stable")[:MOST_ANCHORS]:
        grown = _grown(a, b, rows, anchor, int(node))
        yield grown
        if _value(a, b, grown) <= nought:
            return


def _grown(a: np.ndarray, b: np.ndarray, rows: np.ndarray, anchor: int, node: int) -> Order:
    """Grow an order from one pair outwards along the strongest links."""
    nodes = len(a)
    order = np.empty(nodes, dtype=np.int64)
    placed = np.empty(nodes, dtype=np.int64)  # modules, in the order in which they were placed
    columns = np.empty((nodes, nodes))  # row k: links of every node to the one that placed[k] plays
    squares = np.zeros(nodes)
    reach = np.zeros(nodes)  # links of every module to those placed
    taken = np.zeros(nodes)
    module = anchor
    for k in range(nodes):
        if k:
            module = int(reach.argmax())
            cost = rows[module] + squares - 2 * (a[module, placed[:k]] @ columns[:k]) + taken
            node = int(cost.argmin())
        order[module], placed[k], columns[k] = node, module, b[node]
        squares += b[node] ** 2
        reach += a[module]
        reach[module] = -np.inf
        taken[node] = np.inf
    return order


def _iterated(a: np.ndarray, b: np.ndarray, order: Order, rounds: int) -> Order:
    """Repeat Equation 9 with the columns of P0 in the order found last, as long as Equation 6 falls."""
    value = _value(a, b, order)
    for _ in range(rounds):
        improved = _assign(-(a @ b[order]))  # the squares of Equation 9 add the same to every assignment
        lower = _value(a, b, improved)
        if lower >= value:
            break
        order, value = improved, lower
    return order


def _swapped(a: np.ndarray, b: np.ndarray, order: Order, most: int) -> Order:
    """Swap two modules at a time, each the pair that makes Equation 6 smallest.

    With B the prior in the current order, Equation 6 is a constant less 2 sum_ij A_ij B_ij. Swapping r and s adds -2
    (M_rr + M_ss - M_rs - M_sr) + 4 A_rs B_rs to that sum, where M = B A.
    """
    order = order.copy()
    b = b[np.ix_(order, order)]
    m = b @ a
    least = 1e-12 * max(float(np.abs(m.diagonal()).sum()), 1e-300)
    for _ in range(most):
        diagonal = m.diagonal()
        gain = 4 * a * b + 2 * (m + m.T) - 2 * (diagonal[:, None] + diagonal)
        r, s = (int(i) for i in np.unravel_index(gain.argmax(), gain.shape))
        if gain[r, s] <= least:
            break
        # B less u v' and v u', plus u'v u u', with u = e_r - e_s and v = B u: rows and columns r and s change places
        v, w = b[:, r] - b[:, s], a[r] - a[s]
        change = v[r] - v[s]
        va = v @ a
        m -= np.outer(v, w)
        m[r] += change * w - va
        m[s] -= change * w - va
        b[[r, s]] = b[[s, r]]
        b[:, [r, s]] = b[:, [s, r]]
        order[[r, s]] = order[[s, r]]
    return order
