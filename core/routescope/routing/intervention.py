"""Interventions on routing: units to ablate, links and routes to change, iterations to run.

The options are declared in ``routescope.routing.options``; here they are checked on a network and applied to it.
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import fields, replace
from typing import Any, Self

from routescope.nn.changes import Changes
from routescope.nn.mixture.routed import RoutedNetwork
from routescope.nn.network import LinkedNetwork, Network, ReroutableNetwork
from routescope.nn.shown import listed
from routescope.routing.options import KINDS, InterventionData, InterventionError, ends
from routescope.routing.options import Kind as Kind
from routescope.routing.rules import KeptSets, RuleError, Use, units_of

#: Messages list the names of up to this many blocks.
MOST_LISTED = 20


class Intervention(InterventionData):
    __doc__ = InterventionData.__doc__

    @property
    def changes(self) -> Changes:
        """The part that a view of the network carries out, in the network's own terms."""
        return Changes(**{part.name: getattr(self, part.name) for part in fields(Changes)})

    def resolved(self, model: Network, use: Callable[[], Use] | None = None, kept: KeptSets | None = None) -> Self:
        """Return the intervention with units in place of rules such as ``l3.*`` and ``least:4``.

        Args:
            use: gives how much each unit is used; called only if a rule needs it (``routescope.routing.rules``).
            kept: finds a stored set of units by its id; None: no set is known.

        Raises:
            InterventionError: an unknown rule, a rule without a unit, or more units than can be dropped.
        """
        try:
            named: dict[str, Any] = {
                kind: units_of(model, getattr(self, kind), use, kept=kept, dropping=kind == "drop", top_k=self.top_k)
                for kind in KINDS
            }
        except RuleError as error:
            raise InterventionError(str(error)) from error
        return replace(self, **named)

    def iterations_on(self, model: Network) -> int:
        """Return the number of iterations that a model runs under this intervention."""
        return model.bounds.default if self.iterations is None else self.iterations

    def validate(self, model: Network) -> None:
        """Check that a model can take the intervention; raises InterventionError with the reason."""
        unknown = sorted(self.units - set(model.units))
        if unknown:
            shown = ", ".join(unit[:40] for unit in unknown[:5])
            raise InterventionError(f"unknown units: {shown}; this model has {listed(model.units) or 'no units'}")
        least, most = model.bounds.least, model.bounds.most
        if self.iterations is not None and least == most != self.iterations:
            raise InterventionError(f"this model runs {least} iteration{'' if least == 1 else 's'} and no other number")
        if self.iterations is not None and most is not None and self.iterations > most:
            raise InterventionError(f"this model runs up to {most} iterations, one for each of its layers")
        if self.keep_edges is not None and not (isinstance(model, LinkedNetwork) and model.has_links):
            raise InterventionError("this model has no links between its units to cut: leave keep_edges out")
        if self.top_k is not None and not isinstance(model, RoutedNetwork):
            raise InterventionError("this model is no mixture of experts: leave top_k out")
        if self.mute and model.mute_refusal is not None:
            raise InterventionError(model.mute_refusal)
        if self.mute_routes or self.copy_routes or self.gates:
            self._validate_routes(model)
        refusal = model.refusal(self.changes, self.iterations_on(model))
        if refusal is not None:
            raise InterventionError(refusal)

    def _validate_routes(self, model: Network) -> None:
        """Raise InterventionError for unknown routes and gates, and for a block without any source left."""
        if not isinstance(model, ReroutableNetwork):
            raise InterventionError(
                "this model routes no blocks: leave mute_routes, copy_routes and gates out; they are for SMFRs"
            )
        sources = sources_of(model.levels)
        if unknown := [block for block, _ in self.gates if block not in sources]:
            raise InterventionError(f"no gate of {listed_few(unknown)}; this model has gates of {listed_few(sources)}")
        left = {block: set(below) - set(self.drop) for block, below in sources.items()}
        for route in (*self.mute_routes, *self.copy_routes):
            source, block = ends(route)
            if block not in sources:
                raise InterventionError(f"no route to {block[:40]}; this model has routes to {listed_few(sources)}")
            if source not in sources[block]:
                raise InterventionError(
                    f"no route from {source[:40]} to {block}, which is made of {listed_few(sources[block])}"
                )
        for route in self.mute_routes:
            source, block = ends(route)
            left[block].discard(source)
            if not left[block]:
                raise InterventionError(f"all routes to {block} are muted; leave one of {listed_few(sources[block])}")

    def apply(self, model: Network) -> Network:
        """Return a view of the model, with its own probes, that carries out the changes and shares the parameters.

        A view has no number of iterations: pass ``iterations`` to the call.

        Raises:
            InterventionError: the model cannot take the intervention, or it has ``mean`` or ``resample``, which need
                samples: see ``routescope.routing.ablation``, ``score`` and ``record(reference=...)``.
        """
        self.validate(model)
        if self.mean or self.resample:
            raise InterventionError("mean and resample need reference samples; a view only drops and mutes")
        return model.view(self.changes)


def sources_of(levels: Sequence[tuple[str, ...]]) -> dict[str, tuple[str, ...]]:
    """Return, for each block that a Multiplexer makes, all blocks of the level before, which it can read."""
    return {block: tuple(below) for below, level in zip(levels, levels[1:], strict=False) for block in level}


def listed_few(names: Iterable[str]) -> str:
    """Return names with commas between them; of many the first ``MOST_LISTED`` and the number of the others."""
    shortened = [name[:40] for name in names]
    if len(shortened) <= MOST_LISTED:
        return ", ".join(shortened)
    return f"{', '.join(shortened[:MOST_LISTED])} and {len(shortened) - MOST_LISTED} more"
