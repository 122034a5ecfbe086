"""Jobs that observe routing over data, batch by batch; nothing of it is caused."""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from routescope.nn.network import Network
from routescope.routing import Intervention
from routescope.routing.observed.observer import observe
from routescope.routing.observed.result import NAMES, Observation
from routescope.zoo.catalogue import ModelInfo
from routescope_app.services.errors import NotAccepted
from routescope_app.services.measuring.by_batches import BatchedWork
from routescope_app.services.measuring.scope import Measured
from routescope_app.services.measuring.snapshots import finite
from routescope_app.services.reading import check_reads_samples, reads_own_sets


class ObservationWork(BatchedWork):
    """See ``jobs.Work``."""

    name = "observation"

    def accept(self, info: ModelInfo) -> None:
        """Models that read stored samples or those of data sets of their own kind, and whose tokens choose units."""
        if not reads_own_sets(info):
            check_reads_samples(info)
        if info.layers:
            raise NotAccepted(
                "The tokens of this model are routed to experts, layer by layer; ask POST /api/v1/expert-loads."
            )
        if "compatibility" not in info.fields:
            raise NotAccepted(
                "Routing is observed in the compatibilities of tokens and units; this model records "
                f"{', '.join(info.fields)}."
            )

    def once(self, info: ModelInfo) -> bool:
        """Labels alone are right or not here."""
        return not info.labels

    def accept_change(self, info: ModelInfo, intervention: Intervention) -> None:
        """At least one iteration runs."""
        if (info.iterations if intervention.iterations is None else intervention.iterations) < 1:
            raise NotAccepted("Routing is observed at every step; at least one iteration is needed.")

    def observe(
        self, folder: Path, model: Network, measured: Measured, facts: Mapping[str, Any], options: Mapping[str, Any]
    ) -> None:
        """Write the observation as a file, and as the API says it."""
        _write(folder, observe(model, measured.datasets, **options), measured, facts)


def _write(folder: Path, observation: Observation, measured: Measured, facts: Mapping[str, Any]) -> None:
    """The observation as a file, and as the API says it."""
    dataset = observation.dataset
    names = {name: [str(value) for value in dataset[name].values] for name in ("step", "unit", "label", "token")}
    described = {
        **facts,
        "count": int(dataset.attrs["count"]),
        "units": names["unit"],
        "steps": names["step"],
        "labels": names["label"],
        "tokens": names["token"],
        "tables": list(NAMES),
        "variables": {
            str(name): {"dims": [str(dim) for dim in array.dims], "values": finite(array.values.tolist())}
            for name, array in dataset.data_vars.items()
        },
        "exemplars": _exemplars(observation, measured, names),
    }
    (folder / "observation.json").write_text(json.dumps(described, allow_nan=False))
    observation.save(folder / "observation.nc")


def _exemplars(observation: Observation, measured: Measured, names: dict[str, list[str]]) -> list[dict[str, Any]]:
    """Samples and tokens that route to each unit most, by name."""
    at = {
        name: observation[f"exemplar_{name}"].transpose("unit", "rank").values
        for name in ("set", "sample", "token", "step", "weight")
    }
    found = []
    for u, unit in enumerate(names["unit"]):
        for rank in range(at["sample"].shape[1]):
            if at["sample"][u, rank] < 0:
                continue
            dataset = measured.parts[int(at["set"][u, rank])].dataset
            found.append(
                {
                    "unit": unit,
                    "rank": rank + 1,
                    "sample": f"{dataset.name}.{dataset.split}.{int(at['sample'][u, rank])}",
                    "token": names["token"][int(at["token"][u, rank])],
                    "step": names["step"][int(at["step"][u, rank])],
                    "weight": float(at["weight"][u, rank]),
                }
            )
    return found


def table(folder: Path, name: str) -> str:
    """One table, below lines that say where it comes from."""
    observation = Observation.load(folder / "observation.nc")
    named = ("model", "revision", "intervention", "data", "count", "seed")
    head = "".join(f"# {fact}: {observation.dataset.attrs[fact]}\n" for fact in named)
    return head + str(observation.table(name).to_csv(index=False, lineterminator="\n"))
