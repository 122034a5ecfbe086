"""Jobs that observe routing over data."""

import json
from collections.abc import Mapping, Sequence
from functools import partial
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
from routescope_app.services.packed import nested_list
from routescope_app.services.reading import check_reads_samples, reads_own_sets

#: Files of a result, for the API and as core reads it; and what is counted while the job runs, for the API.
FACTS, FILE, COUNTS = "observation.json", "observation.nc", "counts.json"


class ObservationWork(BatchedWork):
    """Jobs that observe routing; see ``jobs.work.Work``."""

    name = "observation"

    def check_model(self, info: ModelInfo) -> None:
        """Raise NotAccepted unless the model reads stored samples or its own data sets, and its tokens choose units."""
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

    def ignores_labels(self, info: ModelInfo) -> bool:
        return not info.labels

    def check_change(self, info: ModelInfo, intervention: Intervention) -> None:
        """Raise NotAccepted unless at least one iteration runs."""
        if (info.iterations if intervention.iterations is None else intervention.iterations) < 1:
            raise NotAccepted("Routing is observed at every step; at least one iteration is needed.")

    def observe(
        self, folder: Path, model: Network, measured: Measured, facts: Mapping[str, Any], options: Mapping[str, Any]
    ) -> None:
        def write(name: str, observation: Observation, tables: Sequence[str] = ()) -> None:
            described = {**facts, **_described(observation, measured), "tables": list(tables)}
            part = folder / f"{name}.part"
            part.write_text(json.dumps(described, allow_nan=False))
            part.replace(folder / name)  # so that others read all of it or nothing

        observation = observe(model, measured.datasets, counted=partial(write, COUNTS), **options)
        write(FACTS, observation, NAMES)
        observation.save(folder / FILE)
        (folder / COUNTS).unlink(missing_ok=True)


def _described(observation: Observation, measured: Measured) -> dict[str, Any]:
    """Return the fields of the API's ``Observation`` that are observed."""
    dataset = observation.dataset
    names = {name: [str(value) for value in dataset[name].values] for name in ("step", "unit", "label", "token")}
    return {
        "count": int(dataset.attrs["count"]),
        **{f"{name}s": values for name, values in names.items()},
        "variables": {
            str(name): {"dims": [str(dim) for dim in array.dims], "values": nested_list(array.values)}
            for name, array in dataset.data_vars.items()
        },
        "exemplars": _exemplars(observation, measured, names),
    }


def _exemplars(observation: Observation, measured: Measured, names: dict[str, list[str]]) -> list[dict[str, Any]]:
    """Return the samples and tokens with the largest weights for each unit."""
    arrays = {
        name: observation[f"exemplar_{name}"].transpose("unit", "rank").values
        for name in ("set", "sample", "token", "step", "weight")
    }
    exemplars = []
    for u, unit in enumerate(names["unit"]):
        for rank in range(arrays["sample"].shape[1]):
            values = {name: array[u, rank].item() for name, array in arrays.items()}
            if values["sample"] < 0:
                continue
            exemplars.append(
                {
                    "unit": unit,
                    "rank": rank + 1,
                    "sample": measured.parts[int(values["set"])].sample_id(int(values["sample"])),
                    "token": names["token"][int(values["token"])],
                    "step": names["step"][int(values["step"])],
                    "weight": float(values["weight"]),
                }
            )
    return exemplars


def table(folder: Path, name: str) -> str:
    """Return one table as csv, below comment lines about the request."""
    observation = Observation.load(folder / FILE)
    facts = ("model", "revision", "intervention", "data", "count", "seed")
    head = "".join(f"# {fact}: {observation.dataset.attrs[fact]}\n" for fact in facts)
    return head + str(observation.table(name).to_csv(index=False, lineterminator="\n"))
