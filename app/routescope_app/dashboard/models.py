"""What the page's modules know of every model: what pages are decided by, and what the picker says."""

import math
from collections.abc import Mapping, Sequence
from typing import Any

from routescope_app.api.schemas.catalogue import Accuracy, DataSet, Kind, ModelInfo
from routescope_app.dashboard.reading import refused

#: What the pages go by: never the name of a model or of its family.
DECLARED = {
    "id", "family", "domains", "fields", "constants", "iterations", "least_iterations", "most_iterations", "inputs",
    "pictures", "samples", "labels", "mute_refusal", "unverified_routing",
}  # fmt: skip
#: What models of the bundled kinds of input read, where their own words would not do.
READ = {
    "blocks": "blocks of numbers",
    "text": "texts",
    "numbers": "points of numbers",
    "points": "clouds of points",
    "matrices": "matrices of panels",
}
#: Data sets that the line of the picker names one by one; of more it says how many.
MOST_NAMED = 6
THOUSAND = 1_000
#: From here on three decimals show a digit of a figure.
SMALLEST = 5e-4
#: The measure that is a share of samples.
ACCURACY = "accuracy"


def declared(model: ModelInfo, sets: Sequence[DataSet], kinds: Mapping[str, Kind]) -> dict[str, Any]:
    """What is declared of a model, whether no data set that it reads is installed, and in words its task, what it reads
    and the line of the picker."""
    read = reads(model, kinds)
    names = {each.name for each in sets}
    line = [f"reads {read}", *accuracies(model.accuracies), size(model.parameters)]
    return model.model_dump(mode="json", include=DECLARED) | {
        "task": task(model.domains, sets),
        "reads": read,
        "line": "; ".join(line),
        "unit_count": len(model.units),
        "refused": refused(model),
        "without_data": not any(name in names for name in model.domains),
    }


def reads(model: ModelInfo, kinds: Mapping[str, Kind]) -> str:
    """What a model takes, in words."""
    if model.inputs == "images":
        return "pictures" if model.samples else "pictures or sequences of another kind"
    if model.inputs == "statements":
        return "sentences about pictures" if model.pictures is None else f"sentences about {model.pictures} pictures"
    if model.inputs in READ:
        return READ[model.inputs]
    kind = kinds.get(model.inputs)
    return model.inputs if kind is None else f"samples that are each {kind.words}"


def task(domains: Sequence[str], sets: Sequence[DataSet]) -> str:
    """The data sets that a model is for by the beginnings of their titles, by their names where there is none."""
    titles = {each.name: each.title.partition(" (")[0] for each in sets}
    return ", ".join(runs([titles.get(name, name) for name in domains]))


def runs(titles: Sequence[str]) -> list[str]:
    """Titles in turn, those that count on from one to the next as one: "Function 1 to 20"."""
    found: list[tuple[str, int, int] | str] = []
    for title in titles:
        stem, _, number = title.rpartition(" ")
        last = found[-1] if found else None
        if not (stem and number.isdecimal()):
            found.append(title)
        elif isinstance(last, tuple) and (last[0], last[2] + 1) == (stem, int(number)):
            found[-1] = (stem, last[1], int(number))
        else:
            found.append((stem, int(number), int(number)))
    return [_run(each) for each in found]


def _run(found: tuple[str, int, int] | str) -> str:
    if isinstance(found, str):
        return found
    stem, first, last = found
    return f"{stem} {first}" if first == last else f"{stem} {first} to {last}"


def accuracies(found: Sequence[Accuracy]) -> list[str]:
    """The first accuracy of each data set with that set and its split; a stand-in says so. Empty without any.

    Of more than ``MOST_NAMED`` data sets the mean, the least and the most are told.
    """
    first: dict[str, Accuracy] = {}
    for each in found:
        first.setdefault(each.domain, each)
    if not first:
        return []
    splits = {each.data.rpartition(", ")[2] for each in first.values()}
    (measure,) = {each.measure for each in first.values()}
    on = f"{splits.pop()} {measure}" if len(splits) == 1 else measure
    if len(first) > MOST_NAMED:
        values = sorted(first.values(), key=lambda each: each.accuracy)
        mean = values[0].model_copy(update={"accuracy": sum(each.accuracy for each in values) / len(values)})
        span = f"{figure(values[0])} to {figure(values[-1])}"
        return [f"{on} {figure(mean)} on average over {len(values)} data sets ({span})"]
    shares = [f"{figure(each)} {name}{' (stand-in)' if each.stand_in else ''}" for name, each in first.items()]
    return [f"{on} {', '.join(shares)}"]


def figure(each: Accuracy) -> str:
    """A figure of a card: a share in percent; one of another measure as it is, whose name stands beside it."""
    return f"{each.accuracy:.1%}".replace("%", " %") if each.measure == ACCURACY else rounded(each.accuracy)


def rounded(value: float) -> str:
    """A figure that is no share: the rule of ``figure`` in ``assets/web/lib/format.js``.

    Three significant digits, at most three decimals, zeros kept; a smaller value keeps one significant digit.
    """
    value = float(f"{value:.2e}")
    if not value:
        return "0"
    if abs(value) < SMALLEST:
        return f"{value:.0e}" if abs(value) < 1e-6 else f"{value:.1g}"
    return f"{value:.{min(3, max(0, 2 - math.floor(math.log10(abs(value)))))}f}"


def size(parameters: int) -> str:
    """How large a model is."""
    if parameters < THOUSAND:
        return f"{parameters} parameters"
    if parameters < 1_000 * THOUSAND:
        return f"{parameters / THOUSAND:.0f} k parameters"
    return f"{parameters / THOUSAND**2:.1f} M parameters"
