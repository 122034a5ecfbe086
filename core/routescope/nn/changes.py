"""Changes to the routing of a network as plain data; this module loads no library."""

from dataclasses import dataclass

#: Separates the source from the block in the name of a route: ``"A>1.3"``.
TO = ">"


@dataclass(frozen=True)
class Changes:
    """The changes of a view of a network: the part of ``routescope.routing.Intervention`` that needs no samples.

    Attributes:
        drop: units that are removed; weights are renormalised over the others, and the units' compute is saved.
        mute: units whose output is zero; no other unit takes over their share.
        keep_edges: share of links that stay, the most probable links first; None: all.
        mute_routes, copy_routes, gates: of blocks.
        top_k: experts for each token at every layer; None: as trained.
    """

    drop: tuple[str, ...] = ()
    mute: tuple[str, ...] = ()
    keep_edges: float | None = None
    mute_routes: tuple[str, ...] = ()
    copy_routes: tuple[str, ...] = ()
    gates: tuple[tuple[str, float], ...] = ()
    top_k: int | None = None
