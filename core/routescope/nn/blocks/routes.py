"""Routes by name, and changes of them, as plain data."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from routescope.nn.blocks.operations import Steering
from routescope.nn.changes import TO

Levels = Sequence[Sequence[str]]


def route_of(source: str, block: str) -> str:
    """The name of a route."""
    return f"{source}{TO}{block}"


@dataclass(frozen=True)
class RouteChanges:
    """Changes of an SMFR, by the names of its routes and blocks; see ``BlockNetwork.reroute``."""

    muted: frozenset[str] = frozenset()
    copies: tuple[str, ...] = ()
    gates: tuple[tuple[str, float], ...] = ()

    def with_routes(
        self, levels: Levels, muted: Iterable[str], copies: Iterable[str], gates: Iterable[tuple[str, float]]
    ) -> "RouteChanges":
        """These changes with further routes and gates.

        Raises:
            ValueError: for names that ``levels`` do not have, values outside 0 to 1, two copies or gates of a block.
        """
        muted, copies, gates = frozenset(muted), tuple(sorted(set(copies))), tuple(sorted(set(gates)))
        for route in (*sorted(muted), *copies):
            place_of(route, levels)
        made = [name for level in levels[1:] for name in level]
        for block, value in gates:
            if block not in made:
                raise ValueError(f"unknown block {block!r}; gates are those of {', '.join(made)}")
            if not 0 <= value <= 1:
                raise ValueError(f"a gate is fixed at a number from 0 to 1, not {value}")
        copies, gates = (*self.copies, *copies), (*self.gates, *gates)
        for what, names in (
            ("copies", [route.split(TO)[1] for route in copies]),
            ("gates", [name for name, _ in gates]),
        ):
            if len(set(names)) < len(names):
                raise ValueError(f"there are two {what} for one block")
        return replace(self, muted=self.muted | muted, copies=copies, gates=gates)

    def steering(self, levels: Levels, kept: Sequence[Sequence[int]], silent: Sequence[str]) -> list[Steering]:
        """Return the changes of every MFNNR.

        Args:
            levels: names of the blocks of every level.
            kept: places of the blocks of every level that take part.
            silent: names of hidden blocks that are muted.
        """
        muted = [place_of(route, levels) for route in self.muted]
        copies = [place_of(route, levels) for route in self.copies]
        return [
            Steering(
                sources=tuple(kept[mfnnr]),
                blocks=tuple(kept[mfnnr + 1]),
                muted=frozenset((source, block) for level, source, block in muted if level == mfnnr),
                copies=tuple((source, block) for level, source, block in copies if level == mfnnr),
                gates=tuple((names.index(name), value) for name, value in self.gates if name in names),
                silent=frozenset(names.index(name) for name in silent if name in names),
            )
            for mfnnr, names in enumerate(levels[1:])
        ]


def place_of(route: str, levels: Levels) -> tuple[int, int, int]:
    """The MFNNR of a route, counted from 0, and the places of its source and block; raises ValueError."""
    source, _, block = route.partition(TO)
    for at, (read, made) in enumerate(zip(levels, levels[1:], strict=False)):
        if source in read and block in made:
            return at, read.index(source), made.index(block)
    example = route_of(levels[0][0], levels[1][0])
    raise ValueError(
        f"unknown route {route[:40]!r}; a route is named by two blocks of neighbouring levels: {example!r}"
    )
