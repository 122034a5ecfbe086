"""Rules that stand for units: a common start of names, least weight, a share of a layer, a stored set.

``l3.*`` is every unit whose name begins with ``l3.``; ``least:4`` the four of least routing weight; ``l3.least:4``
those of a group, such as a layer; ``share:0.25`` the quarter of every group with the least, rounded down. The weight of
a unit is observed with all units on (``routescope.routing.observed.usage``); equal units go in their own order. A rule
never drops more units than tokens allow: a layer keeps as many experts as a token takes. ``set:`` and 16 hexadecimal
digits are the units of a set that a server stores under that id.
"""

import re
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from routescope.nn.mixture.routed import RoutedNetwork
from routescope.nn.network import Network

#: Unit -> its mean share of the routing weight, observed with all units on.
Use = Mapping[str, float]
#: Gives the units of a set that a server keeps, by its id; None: there is none of that id.
KeptSets = Callable[[str], Sequence[str] | None]

_LEAST = re.compile(r"(?:(?P<group>[^:]+)\.)?least:(?P<count>[0-9]{1,9})")
_SHARE = re.compile(r"share:(?P<share>0(\.[0-9]{1,9})?|1(\.0{1,9})?)")
#: Prefix of the id of a stored set.
KEPT = "set:"
_KEPT = re.compile(r"set:(?P<id>[0-9a-f]{16})")
#: Accepted rules, for people.
ACCEPTED = (
    "a rule is l3.* (all of a layer), least:4 (the 4 of least routing weight), l3.least:4, share:0.25 (of every layer) "
    "or set: and the id of a set that is kept"
)


class RuleError(ValueError):
    """A rule that names nothing, or drops too many units; the message says what would be accepted."""


def is_rule(name: str) -> bool:
    """Whether a name is a rule; names of units have no colon and no star."""
    return ":" in name or name.endswith("*")


def needs_use(names: Sequence[str]) -> bool:
    """Whether any of the names is a rule about the use of units."""
    return any(is_rule(name) and not name.endswith("*") and not name.startswith(KEPT) for name in names)


@dataclass(frozen=True)
class _Groups:
    """Groups of units, and how many units of each can be dropped.

    Attributes:
        of: group -> its units.
        stay: number of units of each group that stay.
        use: of every unit.
    """

    of: Mapping[str, tuple[str, ...]]
    stay: Mapping[str, int]
    use: Use

    def ordered(self, units: Sequence[str]) -> list[str]:
        """Return the units from the least used on; equally used ones in the given order."""
        return sorted(units, key=lambda unit: self.use.get(unit, 0.0))

    def least(self, rule: str, groups: Sequence[str], count: int) -> list[str]:
        """Return the ``count`` least used units of some groups; each group keeps those that must stay."""
        group_of = {unit: name for name in groups for unit in self.of[name]}
        spare = {name: max(0, len(self.of[name]) - self.stay[name]) for name in groups}
        if count > sum(spare.values()):
            kept = max(self.stay[name] for name in groups)
            stay = "1 expert of a layer stays" if kept == 1 else f"{kept} experts of a layer stay"
            why = f", as {stay}: as many as a token takes" if kept else ""
            raise RuleError(
                f"{rule} is more than can go: up to {sum(spare.values())} of {len(group_of)} units here{why}"
            )
        taken: list[str] = []
        gone = Counter[str]()
        for unit in self.ordered(list(group_of)):
            name = group_of[unit]
            if len(taken) < count and gone[name] < spare[name]:
                taken.append(unit)
                gone[name] += 1
        return taken


def units_of(
    model: Network,
    names: Sequence[str],
    use: Callable[[], Use] | None = None,
    *,
    kept: KeptSets | None = None,
    dropping: bool = True,
    top_k: int | None = None,
) -> tuple[str, ...]:
    """Return names of units, with rules replaced by their units.

    Args:
        names: of units, or rules (see the module).
        use: returns the use of every unit; called once, and only where a rule asks for it.
        kept: finds stored sets; None: there are none here.
        dropping: whether the units are dropped, so that some of a group have to stay.
        top_k: experts that a token takes, where that is changed; None: as the network was trained.

    Raises:
        RuleError: no such rule, a rule that names nothing, or one that drops too many units.
    """
    groups: _Groups | None = None
    matching: dict[str, None] = {}
    for name in names:
        if not is_rule(name):
            matching[name] = None
            continue
        if name.endswith("*"):
            matching |= dict.fromkeys(_beginning(model, name))
            continue
        if name.startswith(KEPT):
            matching |= dict.fromkeys(_of_set(name, kept))
            continue
        if groups is None:
            if use is None:
                raise RuleError(f"{name} asks how much units are used, which is not known here: name the units")
            groups = _Groups(
                model.groups, _staying(model, top_k) if dropping else dict.fromkeys(model.groups, 0), use()
            )
        matching |= dict.fromkeys(_used(groups, name))
    return tuple(matching)


def _staying(model: Network, top_k: int | None) -> dict[str, int]:
    """Return the number of units of each group that stay when units are dropped: the experts that a token takes."""
    routed = model.routed_layers if isinstance(model, RoutedNetwork) else ()
    return dict.fromkeys(model.groups, 0) | {layer.name: top_k or layer.top_k for layer in routed}


def _beginning(model: Network, rule: str) -> list[str]:
    matching = [unit for unit in model.units if unit.startswith(rule[:-1])]
    if not matching:
        raise RuleError(f"{rule[:40]} names no unit; units are {model.units[0]} to {model.units[-1]}")
    return matching


def _of_set(rule: str, kept: KeptSets | None) -> Sequence[str]:
    match = _KEPT.fullmatch(rule)
    if match is None:
        raise RuleError(f"{rule[:40]} is no rule; {ACCEPTED}")
    if kept is None:
        raise RuleError(f"{rule} is a set of units that a server keeps, which is not known here: name the units")
    units = kept(match["id"])
    if units is None:
        raise RuleError(f"there is no set {rule}: it was never kept here, or longer ago than sets are kept")
    return units


def _used(groups: _Groups, rule: str) -> list[str]:
    if match := _LEAST.fullmatch(rule):
        asked = match["group"]
        if asked is not None and asked not in groups.of:
            raise RuleError(f"there is no layer {asked[:40]}; there are {', '.join(list(groups.of)[:8])}")
        return groups.least(rule, [asked] if asked is not None else list(groups.of), int(match["count"]))
    if match := _SHARE.fullmatch(rule):
        share = float(match["share"])
        return [
            unit for name, units in groups.of.items() for unit in groups.least(rule, [name], int(share * len(units)))
        ]
    raise RuleError(f"{rule[:40]} is no rule; {ACCEPTED}")
