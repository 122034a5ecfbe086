"""Routes between blocks by name, and the changes to them that an intervention can ask for.

A route is named by what is read and what is made of it, ``"A>1.3"``: block A is a source of block 1.3. The name of what
is made says which Multiplexer it is: ``"1.3"`` is of level 1, and ``"E"`` is an output block.
"""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from core.nn.blocks.routes import TO

#: An error lists so many names at most.
MOST_LISTED = 20


class InterventionError(ValueError):
    """An intervention that the model cannot take; the message says what it would accept."""


def ends(route: str) -> tuple[str, str]:
    """Source and block of a route; raises InterventionError for what is no name of one."""
    source, arrow, block = route.partition(TO)
    if not source or not arrow or not block or TO in block:
        raise InterventionError(
            f"{route[:40]!r} is no route: it is named by its source and its block, such as 'A{TO}1.3'"
        )
    return source, block


def sources_of(model: Any) -> dict[str, tuple[str, ...]]:
    """Every block that a Multiplexer makes -> the blocks that it reads, all of them, whatever a view leaves out."""
    levels: Sequence[tuple[str, ...]] = model.levels
    return {block: tuple(below) for below, level in zip(levels, levels[1:], strict=False) for block in level}


def canonical_routes(field: str, routes: Any) -> tuple[str, ...]:
    """Names of routes in order, each once; raises InterventionError for anything else."""
    if not isinstance(routes, (tuple, list, set, frozenset)) or not all(isinstance(route, str) for route in routes):
        raise InterventionError(f"{field} must be a list of routes such as ['A{TO}1.3', '1.3{TO}2.1']")
    for route in routes:
        ends(route)
    return tuple(sorted(set(routes)))


def canonical_gates(gates: Any) -> tuple[tuple[str, float], ...]:
    """(block, gate) in the order of names, each once; raises InterventionError for anything else."""
    pairs = list(gates.items()) if isinstance(gates, Mapping) else gates
    shaped = isinstance(pairs, (tuple, list)) and all(
        isinstance(pair, (tuple, list)) and len(pair) == 2 and isinstance(pair[0], str) for pair in pairs
    )
    if not shaped:
        raise InterventionError("gates must name blocks with a number from 0 to 1 each, such as {'1.3': 0, 'E': 1}")
    found: dict[str, float] = {}
    for block, gate in pairs:
        number = isinstance(gate, (int, float)) and not isinstance(gate, bool)
        if not number or not 0 <= gate <= 1:
            raise InterventionError(f"the gate of {block[:40]!r} must be a number from 0 (copied) to 1 (computed)")
        if found.setdefault(block, abs(float(gate))) != gate:  # -0 is 0: one form of each gate
            raise InterventionError(f"the gate of {block[:40]!r} is one number, not two")
    return tuple(sorted(found.items()))


def without(
    mute_routes: tuple[str, ...],
    copy_routes: tuple[str, ...],
    gates: tuple[tuple[str, float], ...],
    dropped: Iterable[str],
) -> tuple[tuple[str, ...], tuple[str, ...], tuple[tuple[str, float], ...]]:
    """What is left to change: nothing of a block that is dropped; of one that is made a copy no other route, and the
    gate only where it is not 0.

    Raises:
        InterventionError: a block that is to be a copy of two sources, or of one that is dropped.
    """
    gone, copied = set(dropped), dict[str, str]()
    for route in copy_routes:
        source, block = ends(route)
        if block in gone:
            continue
        if source in gone:
            raise InterventionError(f"{block[:40]} cannot be a copy of {source[:40]}, which is dropped")
        if block in copied:
            raise InterventionError(
                f"{block[:40]} can be a copy of one block only, not of {copied[block][:40]} and of {source[:40]}"
            )
        copied[block] = source
    muted = (route for route in mute_routes if not set(ends(route)) & gone and ends(route)[1] not in copied)
    copies = (route for route in copy_routes if ends(route)[1] in copied)
    fixed = ((block, gate) for block, gate in gates if block not in gone and (gate or block not in copied))
    return tuple(muted), tuple(copies), tuple(fixed)


def validate_routes(
    model: Any,
    mute_routes: tuple[str, ...],
    copy_routes: tuple[str, ...],
    gates: tuple[tuple[str, float], ...],
    dropped: Iterable[str],
) -> None:
    """Raise InterventionError for routes and gates that the model has not, and for a block with all sources muted."""
    if not (mute_routes or copy_routes or gates):
        return
    if getattr(model, "routes", None) is None:
        raise InterventionError(
            "this model routes no blocks: leave mute_routes, copy_routes and gates out; they are for SMFRs"
        )
    sources, gone = sources_of(model), set(dropped)
    if unknown := [block for block, _ in gates if block not in sources]:
        raise InterventionError(f"no gate of {listed_few(unknown)}; this model has gates of {listed_few(sources)}")
    left = {block: set(below) - gone for block, below in sources.items()}
    for route in (*mute_routes, *copy_routes):
        source, block = ends(route)
        if block not in sources:
            raise InterventionError(f"no route to {block[:40]}; this model has routes to {listed_few(sources)}")
        if source not in sources[block]:
            raise InterventionError(
                f"no route from {source[:40]} to {block}, which is made of {listed_few(sources[block])}"
            )
    for route in mute_routes:
        source, block = ends(route)
        left[block].discard(source)
        if not left[block]:
            raise InterventionError(f"all routes to {block} are muted; leave one of {listed_few(sources[block])}")


def listed_few(names: Iterable[str]) -> str:
    """Some names; of many the first and how many there are."""
    every = [name[:40] for name in names]
    if len(every) <= MOST_LISTED:
        return ", ".join(every)
    return f"{', '.join(every[:MOST_LISTED])} and {len(every) - MOST_LISTED} more"
