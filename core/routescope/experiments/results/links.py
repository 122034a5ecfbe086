"""From a row of a record to the page with its model, data and intervention, and what the page cannot show of it."""

import json
from collections.abc import Mapping, Sequence
from functools import lru_cache
from pathlib import Path
from typing import Any

import numpy as np

from routescope import zoo
from routescope.experiments.results.circuits import RUNGS
from routescope.experiments.results.claims import Link, PaperClaims
from routescope.experiments.results.interpreters import MATRICES
from routescope.experiments.shared.schema import Record, RecordedFigure
from routescope.experiments.shared.tables import BPMNIST_TITLES
from routescope.nn.network import LinkedNetwork

#: A row of a table of a record, or a figure by ``row_of``.
Row = Mapping[str, Any]
#: The table of a record's figures, and the longest cell in characters.
NUMBERS, LONGEST = "numbers", 60
#: Title of a network in records -> the models that it may name.
TITLES: dict[str, tuple[str, ...]] = {
    **{title: (model,) for model, title in (RUNGS | MATRICES | BPMNIST_TITLES).items()},
    "Vision Transformer": ("vit-pgm", "vit-digits"),
    "Perceiver IO": ("perceiver-io", "pio-scenes"),
    "Conditional NAC": ("nac-scenes",),
    "Conditional NAC, words only": ("nac-scenes-words-only",),
    "Conditional NAC, pictures only": ("nac-scenes-pictures-only",),
}
#: Experiment -> what no page shows of its rows.
ADAPTED = {
    "ni-boolean": "the adaptation to a function",
    "ni-adapt": "the adaptation to few samples",
    "ni-extend": "the added functions and their adaptation",
    "nac-fewshot": "the adaptation to few samples of new classes",
}
#: Column that no page shows -> words for its cell.
UNSAID = {
    "kind": "{} statements alone",
    "combinations": "combinations {}",
    "permutation": "samples of one permutation alone",
}
#: Page -> the name in its address of the number of samples; other pages measure nothing on data sets.
SAMPLES = {"drop": "samples", "graphs": "samples", "types": "samples", "circuits": "measured", "blocks": "measured"}
#: Half of the permutations of smfr-inspect -> the split that has it.
HALVES = {"the first four": "validation", "the last four": "test"}
#: What a record's network was after its last step, and the order of modules that pages drop by their number.
LAST, LEAST_CONNECTED = "the network as it is", "least connected first"
#: Words of the names of figures: a difference of two networks, and the largest share without much loss.
MORE, LARGEST, AT_LARGEST = "more than ", "largest share ", "at that share"


def row_of(figure: RecordedFigure) -> dict[str, Any]:
    """Return a figure as a row."""
    ends = {"low": figure.low, "high": figure.high, "unit": figure.unit, "count": figure.count, "data": figure.data}
    return {"number": figure.name, **figure.where, "value": figure.value, **ends}


def tables_of(record: Record) -> dict[str, Sequence[Row]]:
    """Return all rows of a record: its figures as the table ``NUMBERS``, then its tables."""
    return {NUMBERS: [row_of(figure) for figure in record.figures], **record.tables}


def cell_in_words(cell: Any) -> str:
    """Return a cell of a row for people: up to four digits of a number, and 60 characters of anything else."""
    if isinstance(cell, list):
        text = ", ".join(map(str, cell)) or "none"
    elif isinstance(cell, float):
        text = f"{cell:.4g}"
    else:
        text = "" if cell is None else str(cell)
    return text if len(text) <= LONGEST else f"{text[: LONGEST - 3]}..."


def link_of(experiment: PaperClaims, record: Record, row: Row) -> Link | None:
    """Return the page that shows what a row was measured on; None for an experiment whose models no page shows.

    ``lacks`` of the link names what the page does not show; empty: the page measures what the row measured.
    """
    if not experiment.links:
        return None
    own = experiment.links[0]
    model, other = _networks(record, row)
    why = _changed(record, model)
    model = model if model and not why else _sibling(experiment, row)
    if experiment.id in ADAPTED:
        page = own.page if model == own.model else "drop"
        return Link(f"{page.capitalize()}: {model}", page, model, {}, (*why, ADAPTED[experiment.id]))
    page = _page(own, model, row)
    lacks = [*why]
    if not why and page != "circuits":
        lacks += [words.format(row[name]) for name, words in UNSAID.items() if name in row]
    address = dict[str, str]()
    for said, unsaid in (_data(record, page, row), _intervention(record, model, row)):
        address |= said
        lacks += unsaid
    if other is not None and page == "drop":
        address["pin"] = f"{other}:"
    elif MORE in str(row.get("number")):
        lacks.append("the difference of two networks")
    return Link(f"{page.capitalize()}: {model}", page, model, address, tuple(dict.fromkeys(lacks)))


# -- the model and the page ------------------------------------------------------------------------------------


def _named(row: Row) -> tuple[str, ...]:
    """Return the models that a row may name."""
    names = [str(row[name]) for name in ("model", "recipe", "network") if name in row]
    return tuple(model for name in names for model in (name, *TITLES.get(name, ())))


def _networks(record: Record, row: Row) -> tuple[str | None, str | None]:
    """Return the row's model among those of the record, and the one that it is compared with."""
    used = [model.id for model in record.models]
    named = _named(row)
    model = next((name for name in named if name in used), used[0] if len(used) == 1 and not named else None)
    title, more, other = str(row.get("number", "")).partition(MORE)
    if not more:
        return model, None
    if other == "this model":  # the title names the network, and the column the one it is compared with
        return next((name for name in TITLES.get(title.rstrip(": "), ()) if name in used), None), model
    return model, next((name for name in (other, *TITLES.get(other, ())) if name in used), None)


def _sibling(experiment: PaperClaims, row: Row) -> str:
    """Return the model here that is nearest to a row whose network is not kept: of its name, else the experiment's."""
    models = zoo.ids()
    return next((name for name in _named(row) if name in models), experiment.links[0].model)


def _page(own: Link, model: str, row: Row) -> str:
    """Return the page for a row: that of the experiment, or Drop, which measures every network with units."""
    number = str(row.get("number", ""))
    match own.page:
        case "blocks":
            return "blocks" if model.startswith("smfr-") else "samples"
        case "circuits" if model == own.model and MORE not in number:
            return "circuits"
        case "graphs" if "removed" in row or number.startswith(f"{LARGEST}removed"):
            return "graphs"
        case "types":
            return "types"
    return "drop"


def _changed(record: Record, model: str | None) -> tuple[str, ...]:
    """Return why a row's network cannot be shown; empty: it can."""
    if model is None:
        return ("the row's network" if record.models else "the network that the run trained",)
    revision = next(used.revision for used in record.models if used.id == model)
    if not (card := card_of(model)):
        return (f"{model}, which is not here",)
    return () if card.get("revision") == revision else (f"{model} before it was trained anew",)


def card_of(model: str) -> Mapping[str, Any]:
    """Return the card of a model; empty without one."""
    try:
        path = zoo.path_of(model).with_name("card.json")
        return _card(path, path.stat().st_mtime)
    except (zoo.UnknownModel, OSError):
        return {}


@lru_cache(maxsize=64)
def _card(path: Path, _changed: float) -> Mapping[str, Any]:
    return {name: entry for name, entry in json.loads(path.read_text()).items() if name in ("revision", "parameters")}


# -- the data --------------------------------------------------------------------------------------------------


def _data(record: Record, page: str, row: Row) -> tuple[dict[str, str], list[str]]:
    """Return what a page's address says of a row's data, and what it cannot say: other splits, sets from a source."""
    if not record.models:
        return {}, []
    split = row.get("split", HALVES.get(str(row.get("permutations")), "validation"))
    used = [entry for entry in record.data if entry.split in (split, "all")]
    named = next((str(row[name]) for name in ("set", "domain", "data") if name in row), None)
    if named is not None:
        used = [entry for entry in used if entry.name == named or entry.title in named.split(" and ")] or used
    lacks = [
        f"{entry.count:,} samples of {entry.title}, {entry.split}"
        for entry in used
        if entry.split == "test" or entry.source is not None
    ]
    if used and used[0].split == "all":
        return {"set": used[0].name}, ["circuits before training"] if "before" in str(row.get("of")) else []
    if page not in SAMPLES or lacks:
        return {}, lacks
    address = {SAMPLES[page]: str(sum(entry.count for entry in used))}
    return ({} if SAMPLES[page] == "measured" else {"data": ",".join(entry.name for entry in used)}) | address, []


# -- the intervention ------------------------------------------------------------------------------------------


def _intervention(record: Record, model: str, row: Row) -> tuple[dict[str, str], list[str]]:
    """Return what an address says of a row's intervention, and what no address says."""
    number = str(row.get("number", ""))
    if number.startswith(LARGEST):
        row = {**row, number.removeprefix(LARGEST).split()[0]: row["value"]}
    elif AT_LARGEST in number:
        where = {name: row[name] for name in ("model", "distribution", "order")}
        row = {**row, "dropped": _largest(record, where)}
    if (at := row.get("at", LAST)) != LAST:
        return {}, [f"the network after {at} of training"]
    if "removed" in row:
        kept = round(1 - _share(row["removed"]), 6)
        return ({"edges": f"{kept:g}"} if kept < 1 else {}), []
    if "iterations" in row:
        count = int(str(row["iterations"]).split()[0])
        return ({"iterations": str(count)}, []) if count else ({}, ["no iteration at all"])
    if isinstance(row.get("dropped"), list):
        return ({"units": ",".join(row["dropped"])} if row["dropped"] else {}), []
    if "subsets" in row:
        return _of_subsets(record, row)
    return _of_share(record, model, row) if "dropped" in row else ({}, [])


def _share(cell: Any) -> float:
    """Return a share, from 0.3 or "30%"."""
    return float(cell.rstrip("%")) / 100 if isinstance(cell, str) else float(cell)


def _largest(record: Record, where: Row) -> float:
    """Return the largest share dropped without much loss, of the rows with these cells."""
    return next(
        figure.value
        for figure in record.figures
        if figure.name.startswith(f"{LARGEST}dropped") and where.items() <= figure.where.items()
    )


def _of_subsets(record: Record, row: Row) -> tuple[dict[str, str], list[str]]:
    """Return the functions of a row on all subsets of a size: of the least or most accuracy, or the only subset."""
    same = [
        subset
        for subset in record.tables["subsets"]
        if len(subset["dropped"]) == row["dropped"]
        and all(subset.get(name, row[name]) == row[name] for name in ("domain", "network") if name in row)
    ]
    by_accuracy = {"least": min, "most": max}.get(str(row["number"]).split()[0])
    if row["subsets"] > 1 and by_accuracy is None:
        return {}, [f"the mean over {row['subsets']} subsets"]
    chosen = by_accuracy(same, key=lambda subset: subset["accuracy"]) if by_accuracy else same[0]
    return _intervention(record, "", {"dropped": chosen["dropped"]})


def _of_share(record: Record, model: str, row: Row) -> tuple[dict[str, str], list[str]]:
    """Return the modules of a row that drops a share of them in some order."""
    total = max(cost["modules"] for cost in record.tables["costs"] if cost["model"] == model)
    count = min(round(_share(row["dropped"]) * total), total - 1)
    if not count:
        return {}, []
    order = row.get("order") or next(other["order"] for other in record.tables["accuracies"] if other["model"] == model)
    if order == LEAST_CONNECTED:
        return {"least": str(count)}, []
    if order == "random":
        return {}, ["the mean over several random sets"]
    return {"units": ",".join(_ordered(model, str(order), record.settings["seed"])[:count])}, []


@lru_cache(maxsize=32)
def _ordered(model: str, order: str, seed: int) -> tuple[str, ...]:
    """Return the modules of a model in an order of nac-drop: "strongest first", or "random 1", "random 2", ..."""
    network = zoo.load(model)
    units = network.all_units
    if order.startswith("random "):
        places = np.random.default_rng((seed, int(order.split()[1]) - 1)).permutation(len(units))
    else:
        assert isinstance(network, LinkedNetwork)
        places = np.argsort(network.connectivity().cpu().numpy(), kind="stable")[::-1]
    return tuple(units[at] for at in places)
