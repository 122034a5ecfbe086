"""Interventions as the functions of ``routescope`` take them: options by name, rules for units, and files of units."""

import logging
from collections.abc import Callable, Iterable
from dataclasses import replace
from pathlib import Path
from typing import Any

from routescope.api import names
from routescope.api.data import dataset
from routescope.data.samples import DataError
from routescope.nn.network import Network
from routescope.routing.intervention import Intervention
from routescope.routing.logs.keep_lists import FILE, dropped_by
from routescope.routing.observed.usage import SAMPLES_OF_RULES, Usage
from routescope.routing.options import KINDS, InterventionOptions

log = logging.getLogger(__name__)


def intervention_of(
    network: Network,
    intervention: Intervention | None,
    options: InterventionOptions,
    split: str = "validation",
    say: Callable[[str], object] = log.warning,
) -> Intervention:
    """Return the intervention of some options, with units in place of rules and files, checked on the network.

    Args:
        intervention: None: ``options`` name the changes.
        split: of the network's data sets, on which rules such as ``least:4`` observe the use of units.
        say: called with sentences about assumptions in reading a file of units.

    Raises:
        InterventionError: units, rules or options that the network does not have.
        DataError: both an intervention and options, or a file of units that does not exist.
    """
    if intervention is not None and options:
        raise DataError(f"give intervention=..., or {', '.join(options)}, and not both")
    if intervention is None:
        values: dict[str, Any] = {**options}
        values |= {name: names(value) for name, value in values.items() if isinstance(value, str)}
        intervention = Intervention(**values)
    made = resolved(intervention, network, split, say)
    made.validate(network)
    return made


def resolved(
    intervention: Intervention, network: Network, split: str, say: Callable[[str], object] = log.warning
) -> Intervention:
    """Return the intervention with units in place of rules and files; some rules observe the use of units.

    Raises:
        KeepListError: a file without experts, or with experts that the network does not have.
        InterventionError: an unknown rule, or a rule without units. DataError: no such file.
    """

    def use() -> dict[str, float]:
        domains = network.config.domains
        usage = Usage(network, [dataset(domain, split, SAMPLES_OF_RULES, model=network) for domain in domains])
        for _ in usage:
            pass
        return usage.by_unit()

    def units_of(units: Iterable[str]) -> tuple[str, ...]:
        read: dict[str, None] = {}
        for unit in units:
            path = Path(unit.removeprefix(FILE))
            if unit.startswith(FILE) and not path.exists():
                raise DataError(f"{path} does not exist; give a keep-list or a file of units that does")
            read |= dict.fromkeys(dropped_by(path, network, say) if unit.startswith(FILE) else (unit,))
        return tuple(read)

    units: dict[str, Any] = {kind: units_of(getattr(intervention, kind)) for kind in KINDS}
    return replace(intervention, **units).resolved(network, use)
