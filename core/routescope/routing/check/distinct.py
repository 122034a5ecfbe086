"""Units that add nothing, and pairs of units that add the same: by weights, and by outputs on the samples.

Symbols: U units of a group, N tokens that were looked at.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import torch
from jaxtyping import Float
from torch import Tensor, nn

from routescope.nn.mixture.routed import RoutedNetwork
from routescope.nn.network import Changes, Network, units_first
from routescope.nn.probe import Captured, probes_of
from routescope.routing.check.finding import InvariantResult, failed, held, not_applicable
from routescope.routing.check.subject import Subject, answer
from routescope.routing.intervention import listed_few

#: A unit adds nothing where its output, or one of its matrices, is so small beside the median of its group.
LEAST = 1e-3
#: Two units are the same where they differ by so little, relative to their size.
NEAREST = 1e-2
#: Numbers of each weight that are compared before a suspicion is confirmed on all of them.
SAMPLED = 2**14


@dataclass(frozen=True, eq=False)
class Sizes:
    """Sizes of the units of a group, and distances between them.

    Attributes:
        units: their names.
        size: relative to the median of the group; NaN where it is unknown.
        distance: relative to the size of the two; infinite where it is unknown, and on the diagonal.
    """

    units: Sequence[str]
    size: Float[Tensor, " U"]
    distance: Float[Tensor, "U U"]


def distinct(subject: Subject) -> InvariantResult:
    """No unit adds nothing, and no two units of a group add the same, by their weights or by their outputs."""
    groups = [*_by_weights(subject.model), *_by_outputs(subject)]
    if not groups:
        return not_applicable("units of this network report neither weights nor outputs of their own")
    zero, twins = dict[str, None](), dict[str, None]()
    least, nearest = ("", float("inf")), ("", float("inf"))
    for group in groups:
        for position, size in enumerate(group.size.tolist()):
            if size < LEAST:
                zero[group.units[position]] = None
            if size < least[1]:
                least = (group.units[position], size)
        for row, column in (group.distance < NEAREST).triu(1).nonzero().tolist():
            twins[f"{group.units[row]} and {group.units[column]}"] = None
        if group.distance.numel() and float(group.distance.min()) < nearest[1]:
            row, column = divmod(int(group.distance.argmin()), len(group.units))
            nearest = (f"{group.units[row]} and {group.units[column]}", float(group.distance.min()))
    figures, limits = {"least": least[1], "nearest": nearest[1]}, {"least": LEAST, "nearest": NEAREST}
    if zero:
        return failed(
            f"{listed_few(zero)} add{'s' * (len(zero) == 1)} {least[1]:.2g} of what the median unit of the group adds"
            f" (limit {LEAST:g}): look for weights that were never loaded, or never trained",
            limits,
            **figures,
        )
    if twins:
        return failed(
            f"{listed_few(twins)} differ by {nearest[1]:.2g} of their size (limit {NEAREST:g}): look for experts that"
            " were copied from one another and not trained since",
            limits,
            **figures,
        )
    parts = [f"{least[0]} adds least, {least[1]:.2g} of the median of its group (limit {LEAST:g})"] * bool(least[0])
    parts += [f"{nearest[0]} differ least, by {nearest[1]:.2g} of their size (limit {NEAREST:g})"] * bool(nearest[0])
    if not parts:
        return not_applicable("no unit of this network computes beside others")
    return held("; ".join(parts), limits, **figures)


# -- by weights ------------------------------------------------------------------------------------------------


def _by_weights(model: Network) -> Iterator[Sizes]:
    if not isinstance(model, RoutedNetwork):
        return
    weights, taking = model.expert_weights(), set(model.units) - set(model.muted)
    for units in model.groups.values():
        members = [unit for unit in units if unit in taking and weights.get(unit)]
        if len(members) > 1:
            yield _compared(members, [list(weights[unit].values()) for unit in members])


def _compared(units: Sequence[str], weights: Sequence[Sequence[Tensor]]) -> Sizes:
    """Compare experts by some numbers of every weight; the nearest ones by all numbers."""
    sizes, squares = list[Tensor](), torch.zeros(len(units), len(units), dtype=torch.float64)
    norms = torch.zeros(len(units), dtype=torch.float64)
    for parts in zip(*weights, strict=True):
        rows = torch.stack([_some(part) for part in parts])
        if parts[0].dim() > 1:
            norm = torch.stack([part.detach().float().norm() for part in parts]).double().cpu()
            sizes.append(_relative(norm))
        norms += rows.square().sum(dim=1)
        squares += torch.cdist(rows, rows).square()
    distance = _off_diagonal(squares, norms[:, None] + norms)
    for row, column in (distance < NEAREST).triu(1).nonzero().tolist():
        pairs = zip(weights[row], weights[column], strict=True)
        apart = sum(float((first.detach().double() - two.detach().double()).square().sum()) for first, two in pairs)
        whole = sum(float(part.detach().double().square().sum()) for part in (*weights[row], *weights[column]))
        distance[row, column] = distance[column, row] = (2 * apart / whole) ** 0.5 if whole else torch.inf
    unknown = torch.full((len(units),), torch.nan, dtype=torch.float64)
    return Sizes(units, torch.stack(sizes).amin(dim=0) if sizes else unknown, distance)


def _some(weight: Tensor) -> Float[Tensor, " some"]:
    flat = weight.detach().reshape(-1)
    return flat[:: max(1, flat.numel() // SAMPLED)].double().cpu()


def _relative(size: Float[Tensor, " U"]) -> Float[Tensor, " U"]:
    """Divide by the median of the sizes that are known; 0 where all of them are 0."""
    median = size.nanmedian()
    return size / median if median > 0 else torch.where(size > 0, torch.nan, size)


def _off_diagonal(squares: Float[Tensor, "U U"], whole: Float[Tensor, "U U"]) -> Float[Tensor, "U U"]:
    """Return distances relative to the mean size of each pair; infinite where both are 0."""
    relative = (2 * squares.clamp(min=0) / whole).sqrt().nan_to_num(nan=torch.inf)
    return relative.fill_diagonal_(torch.inf)


# -- by outputs ------------------------------------------------------------------------------------------------


class _Outputs:
    """Sums over tokens of the outputs of the units of a group, before their weights are applied.

    Attributes:
        squares: of outputs, at the tokens that take the first unit of a pair and the second.
        products: of the outputs of two units.
        shared: numbers of tokens that take both units of a pair.
    """

    def __init__(self, units: Sequence[str]) -> None:
        self.units = units
        self.squares, self.products, self.shared = (
            torch.zeros(len(units), len(units), dtype=torch.float64) for _ in range(3)
        )

    def add(self, made: Float[Tensor, "U N C"], weights: Float[Tensor, "U N"] | None) -> None:
        """Add the contributions to some tokens; units are taken by the tokens where their weight is above 0."""
        made = made.float().cpu()
        taken = torch.ones(made.shape[:2]) if weights is None else (weights.cpu() > 0).float()
        if weights is not None:
            made = made * torch.where(taken > 0, 1 / weights.float().cpu(), 0.0)[..., None]
        squares, flat = made.square().sum(dim=2), made.flatten(1)
        self.squares += (squares @ taken.T).double()
        self.products += (flat @ flat.T).double()
        self.shared += (taken @ taken.T).double()

    def sizes(self) -> Sizes:
        """Compare the units that some token took."""
        size = (self.squares.diagonal() / self.shared.diagonal()).sqrt()  # NaN where no token took a unit
        distance = _off_diagonal(
            self.squares + self.squares.T - 2 * self.products, self.squares + self.squares.T
        ).masked_fill(self.shared == 0, torch.inf)
        return Sizes(self.units, _relative(size), distance)


def _by_outputs(subject: Subject) -> Iterator[Sizes]:
    """Run the few samples, with one sample a pass so that the outputs of all units fit in memory."""
    model = subject.model
    if "contributions" not in model.fields:
        return
    view, steps = model.view(Changes()), len(subject.steps)
    groups = dict[tuple[str, tuple[str, ...]], _Outputs]()
    fields = ("compatibility",) * ("compatibility" in model.fields)
    probe: nn.Module = probes_of(view)["contributions"]
    for row in range(len(subject.few)):
        with view.capture(fields) as captured:
            handle = probe.register_forward_hook(_adding(view, groups, captured, steps), with_kwargs=True)
            try:
                answer(view, subject.few[[row]])
            finally:
                handle.remove()
    idle = set(model.idle_units) if isinstance(model, RoutedNetwork) else set()
    for outputs in groups.values():
        if len(outputs.units) > 1:
            sizes = outputs.sizes()
            alike = torch.tensor([unit in idle for unit in sizes.units])
            sizes.distance[alike[:, None] & alike] = torch.inf  # experts without weights all add the same
            yield sizes


def _adding(
    view: Network, groups: dict[tuple[str, tuple[str, ...]], _Outputs], captured: Captured, steps: int
) -> Callable[..., None]:
    dims = view.fields["contributions"].dims

    def hook(_: Any, __: Any, kwargs: Mapping[str, Any], contributions: Tensor) -> None:
        step = kwargs["step"]
        units, made = view.units_at(step, steps), units_first(contributions.detach(), dims)
        if not made.numel():
            return
        weights, reported = None, captured.get("compatibility")
        if reported and reported[-1][0] == step:
            weights = units_first(reported[-1][1], view.fields["compatibility"].dims)
            if weights.dim() + 1 == made.dim():  # the last step may compute the first tokens only
                weights = weights[:, :, : made.shape[2]].flatten(1)
            else:  # states that all tokens read alike
                weights = (weights.flatten(2).amax(dim=2) > 0).to(made.dtype)
                weights = weights.reshape(*weights.shape, *[1] * (made.dim() - 3)).expand(made.shape[:-1]).flatten(1)
        groups.setdefault((view.group_at(step, steps), units), _Outputs(units)).add(
            made.reshape(len(units), -1, made.shape[-1]), weights
        )

    return hook
