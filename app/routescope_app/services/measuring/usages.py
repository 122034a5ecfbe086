"""Use of the units of models, observed once per revision on a few samples of each data set."""

import threading
from dataclasses import dataclass
from functools import partial

from routescope.data import LabelledSamples
from routescope.routing.observed.usage import SAMPLES_OF_RULES, Usage, usage_field
from routescope.routing.progress import in_turns
from routescope.zoo.catalogue import ModelInfo
from routescope_app.services.engine.inference import Inference
from routescope_app.services.engine.recent import Recent
from routescope_app.services.engine.threads import Priority
from routescope_app.services.errors import NotAccepted, NotFound
from routescope_app.services.reading import check_reads_set
from routescope_app.services.samples.gallery import Gallery

#: Models whose usage is cached.
REMEMBERED = 64


@dataclass(frozen=True)
class UnitUsage:
    """Observed use of units.

    Attributes:
        shares: mean share of the routing of each unit, over the steps at which it can be used.
        data: names of the observed data sets.
        count: number of observed samples.
    """

    shares: dict[str, float]
    data: tuple[str, ...]
    count: int


class Usages:
    """Observes the use of units on demand; blocking."""

    def __init__(self, inference: Inference, gallery: Gallery) -> None:
        self._inference = inference
        self._gallery = gallery
        self._kept = Recent[tuple[str, str], UnitUsage](REMEMBERED)
        self._observing = threading.Lock()

    def of(self, info: ModelInfo) -> UnitUsage:
        """Return the use of the units of a model, with all units on.

        Raises:
            NotFound: there is no data set for its domains.
            NotAccepted: it records no use of units, or does not read these data sets.
        """
        key = info.id, info.revision
        with self._observing:  # concurrent requests wait for the same result
            if (usage := self._kept.get(key)) is None:
                usage = self._observed(info)
                self._kept.put(key, usage, 1)
        return usage

    def _observed(self, info: ModelInfo) -> UnitUsage:
        model = self._inference.model(info)
        try:
            usage_field(model)
        except ValueError as error:
            raise NotAccepted(f"How much units are used is not observed of this model: {error}.") from error
        sets = self._sets(info)
        usage = Usage(model, sets)
        for _ in in_turns(usage, partial(self._inference.wait, priority=Priority.STREAM)):
            pass
        return UnitUsage(usage.by_unit(), tuple(dataset.name for dataset in sets), sum(map(len, sets)))

    def _sets(self, info: ModelInfo) -> list[LabelledSamples]:
        sets = list[LabelledSamples]()
        for name in self._gallery.sets():
            if name not in info.domains:
                continue
            dataset = self._gallery.dataset(name)
            check_reads_set(info, dataset)
            sets.append(dataset.take(slice(min(len(dataset), SAMPLES_OF_RULES))))
        if not sets:
            raise NotFound("There is no data set for the domains of this model, on which use could be observed.")
        return sets
