"""Write the tables of the documents whose numbers come from bundled records and cards: ``make tables``.

A table stands between ``<!-- NAME -->`` and ``<!-- end of NAME -->``. A test compares each with its records.
"""

import json
import re
from collections.abc import Callable, Iterator, Sequence
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

from routescope import assets
from routescope.experiments.printed.figures import as_markdown as as_walk
from routescope.experiments.results import as_markdown, results
from routescope.experiments.results.circuits import PIO, RUNGS
from routescope.experiments.results.claims import Repeats, Rows
from routescope.experiments.results.rule import Judged, estimate
from routescope.experiments.results.table import in_words
from routescope.experiments.shared.schema import Record, RecordedFigure, read_record, record_files
from routescope.experiments.shared.tables import BLOCKS_TABLE_1
from routescope.nn.network import LinkedNetwork
from routescope.routing.graphs import matched
from routescope.routing.graphs import prior as prior_of
from routescope.zoo.catalogue import load

ROOT = Path(__file__).resolve().parents[1]
#: Model of the ladder of circuits -> what it adds to the one before.
LADDER = {
    "perceiver-io": "all to all, no codes",
    "pio-modfc": "codes",
    "nac-frozen": "a frozen sparse graph",
    "nac-scale-free": "learned links, scale-free prior",
    "nac-planted-partition": "learned links, planted partition",
    "nac-ring-of-cliques": "learned links, ring of cliques",
    "nac-erdos-renyi": "learned links, Erdos-Renyi",
}
PRIORS = {
    "scale-free": RUNGS["nac-scale-free"],
    "planted partition": RUNGS["nac-planted-partition"],
    "ring of cliques": RUNGS["nac-ring-of-cliques"],
    "Erdos-Renyi": RUNGS["nac-erdos-renyi"],
}
Lines = Iterator[str]


# -- records and cards ----------------------------------------------------------------------------------------


@cache
def bundled() -> dict[str, Record]:
    """Return all bundled records by file name."""
    return {path.name: read_record(path) for path in record_files()}


def newest(experiment: str, **sources: str) -> tuple[str, Record]:
    """Return the name and the latest of the full records of an experiment.

    Args:
        sources: data sets that were given with ``--data``; none: a run on bundled data alone.

    Raises:
        LookupError: there is none.
    """
    fitting = [
        (name.removesuffix(".gz"), record)
        for name, record in bundled().items()
        if record.id == experiment
        and not record.quick
        and ("--data" in record.command) == bool(sources)
        and all(f"--data {data}=" in record.command for data in sources)
    ]
    if not fitting:
        raise LookupError(f"no record of {experiment} {sources}")
    return max(fitting, key=lambda entry: entry[1].date)


def figure(record: Record, name: str, **where: str | int) -> RecordedFigure:
    """Return the figure of a record with this name and these coordinates; raises LookupError."""
    for entry in record.figures:
        if entry.name == name and all(entry.where.get(key) == value for key, value in where.items()):
            return entry
    raise LookupError(f"{record.id} has no figure {name!r} with {where}")


def card(model: str) -> dict[str, Any]:
    """Return the card of a bundled model."""
    content: dict[str, Any] = json.loads((assets.ASSETS / "checkpoints" / model / "card.json").read_text())
    return content


def scored(model: str, domain: str, split: str = "test") -> dict[str, Any]:
    """Return the accuracy of a card on a data set; raises LookupError."""
    for entry in card(model)["accuracies"]:
        if entry["domain"] == domain and entry["data"].endswith(f", {split}"):
            return dict(entry)
    raise LookupError(f"the card of {model} has no accuracy on {domain}, {split}")


# -- words ----------------------------------------------------------------------------------------------------


def percent(value: float, low: float | None = None, high: float | None = None, digits: int = 1) -> str:
    """Return a share in percent, with its interval."""
    interval = f" ({100 * low:.{digits}f} to {100 * high:.{digits}f})" if low is not None and high is not None else ""
    return re.sub(r"-(0\.0+)(?!\d)", r"\1", f"{100 * value:.{digits}f} %{interval}")


def points(entry: RecordedFigure) -> str:
    """Return a difference in percentage points, with its interval."""
    return percent(entry.value, entry.low, entry.high).replace(" %", "")


def table(heads: Sequence[str], rows: Sequence[Sequence[str]]) -> Lines:
    """Yield the lines of a table in Markdown."""
    yield f"| {' | '.join(heads)} |"
    yield f"| {' | '.join('---' for _ in heads)} |"
    for row in rows:
        yield re.sub(r"\|  (?=\|)", "| ", f"| {' | '.join(row)} |")


# -- the tables -----------------------------------------------------------------------------------------------


def ladder() -> Lines:
    """Accuracies of the seven circuits, of the run on bundled data."""
    name, record = newest("nac-images")
    counts = {at: figure(record, "accuracy", distribution=at).count for at in ("IID", "OOD")}
    heads = ("model", "what it adds", f"in distribution, {counts['IID']:,} samples", f"held out, {counts['OOD']:,}")
    rows = []
    for model, adds in LADDER.items():
        pair = (figure(record, "accuracy", model=RUNGS[model], distribution=at) for at in ("IID", "OOD"))
        rows.append((f"`{model}`", adds, *(percent(entry.value, entry.low, entry.high) for entry in pair)))
    yield from table(heads, rows)
    yield from ("", f"Held out: MNIST-M's stand-in. Record: `{name}`.")


def ladder_apart() -> Lines:
    """Differences from Perceiver IO on the real MNIST and MNIST-M."""
    name, record = newest("nac-images", mnist="", **{"mnist-m": ""})
    first = [figure(record, "accuracy", distribution=at).count for at in ("IID", "OOD")]
    heads = (
        "minus `perceiver-io`, points",
        f"in distribution, {first[0]:,} samples",
        f"MNIST-M, held out, {first[1]:,}",
    )
    rows = []
    for model in [model for model in LADDER if model != "perceiver-io"]:
        pair = (figure(record, "more than Perceiver IO", model=RUNGS[model], distribution=at) for at in ("IID", "OOD"))
        rows.append((f"`{model}`", *(points(entry) for entry in pair)))
    yield from table(heads, rows)
    yield from ("", f"Record: `{name}`.")


def over_trainings(record: Record, repeats: Repeats, form: Callable[..., str]) -> str:
    """Return the mean over the trainings of a record, or of a paired difference, with its interval over them."""
    found = estimate(record, repeats)
    if found is None:
        raise LookupError(f"{record.id} has no trainings with {repeats.rows}")
    return form(found.value, found.low, found.high)


def change(value: float, low: float | None, high: float | None) -> str:
    """Return a difference of shares in percentage points, with its interval."""
    return percent(value, low, high).replace(" %", "")


def ladder_on_cifar() -> Lines:
    """Accuracies of three trainings of every circuit on CIFAR-10, in and out of distribution."""
    name, record = newest("nac-images", images="")
    rows = []
    for model in LADDER:
        within, outside = ({"model": model, "set": data} for data in ("images", "images-ood"))
        minus = Repeats("accuracies", "accuracy", within, minus={**within, "model": PIO})
        rows.append(
            (
                f"`{model}`",
                over_trainings(record, Repeats("accuracies", "accuracy", within), percent),
                over_trainings(record, minus, change) if model != PIO else "",
                over_trainings(record, Repeats("accuracies", "top-5 accuracy", within), percent),
                over_trainings(record, Repeats("accuracies", "accuracy", outside), percent),
            )
        )
    heads = ("model", "test, Acc@1", "minus `perceiver-io`, points", "Acc@5", "corrupted test, Acc@1")
    yield from table(heads, rows)
    count = figure(record, "accuracy", distribution="IID").count
    seeds = record.settings["seeds"]
    yield from ("", f"{count:,} pictures, {seeds} trainings; 95 % over trainings. Record: `{name}`.")


def links_on_cifar() -> Lines:
    """What circuits trained on CIFAR-10 lose as their links are cut, weakest first."""
    name, record = newest("nac-edges", images="")
    rows = []
    for prior, title in PRIORS.items():
        model = next(model for model, own in RUNGS.items() if own == title)
        whole: Rows = {"model": model, "removed": 0.0}
        lost = (
            over_trainings(record, Repeats("shares", "accuracy", {**whole, "removed": cut}, minus=whole), change)
            for cut in (0.8, 0.95, 1.0)
        )
        rows.append((prior, over_trainings(record, Repeats("shares", "accuracy", whole), percent), *lost))
    yield from table(("prior", "all links", "80 % cut, points", "95 % cut", "all cut"), rows)
    count = figure(record, "accuracy", distribution="IID").count
    seeds = record.settings["seeds"]
    yield from ("", f"{count:,} test pictures, {seeds} trainings; 95 % over trainings. Record: `{name}`.")


def modules_on_cifar() -> Lines:
    """What circuits trained on CIFAR-10 lose as modules are dropped."""
    name, record = newest("nac-drop", images="")
    rows = []
    for prior, model in (PRIORS | {"Perceiver IO, latents": RUNGS[PIO]}).items():
        cells = [
            points(figure(record, "change of accuracy", model=model, distribution="IID", order=order, dropped=dropped))
            if model != RUNGS[PIO] or order == "random"
            else ""
            for order in ("least connected first", "random")
            for dropped in ("50%", "80%")
        ]
        rows.append((prior, *cells))
    heads = ("50 % dropped, least connected first", "80 %", "50 % dropped, random", "80 %")
    yield from table(("prior", *heads), rows)
    seeds = record.settings["seeds"]
    yield from ("", f"Means of {seeds} trainings; 95 % over test pictures. Record: `{name}`.")


def removed() -> Lines:
    """Largest shares of modules and links whose removal costs less than 3 points."""
    (drop_name, drop), (edges_name, edges) = newest("nac-drop"), newest("nac-edges")
    dropped, cut = (
        "largest share dropped at less than 3 points lost",
        "largest share removed at less than 3 points lost",
    )
    rows = []
    for prior, model in PRIORS.items():
        orders = [figure(drop, dropped, model=model, order=order) for order in ("least connected first", "random")]
        rows.append(
            (prior, *(f"{entry.value:.0%}".replace("%", " %") for entry in (*orders, figure(edges, cut, model=model))))
        )
    latents = figure(drop, dropped, model="Perceiver IO", order="random")
    rows.append(("Perceiver IO, latents", "", f"{latents.value:.0%}".replace("%", " %"), ""))
    yield from table(
        ("prior", "modules, least connected first", "modules, random", "links, least probable first"), rows
    )
    yield from ("", f"Records: `{drop_name}`, `{edges_name}`.")


def saved() -> Lines:
    """What dropping modules saves, and how links' removal ends, by prior."""
    (_, drop), (_, edges) = newest("nac-drop"), newest("nac-edges")
    rows = []
    for prior, model in PRIORS.items():
        first = {"model": model, "order": "least connected first"}
        clock = figure(drop, "speed-up at that share, by the clock", **first)
        ends = [
            figure(edges, "accuracy at the critical point", model=model, **{"critical point": at})
            for at in ("before", "after")
        ]
        rows.append(
            (
                prior,
                f"{figure(drop, 'fewer operations at that share', **first).value:.1f} times",
                f"{clock.value:.1f} times ({clock.low:.1f} to {clock.high:.1f})",
                *(
                    f"{percent(entry.value)} at {entry.where['removed']}".replace("%", " %").replace("  ", " ")
                    for entry in ends
                ),
            )
        )
    heads = ("prior", "operations saved at that share of modules", "faster by the clock")
    yield from table((*heads, "accuracy before links' critical point", "after it"), rows)


def priors() -> Lines:
    """How far the graphs of the bundled circuits are from their priors, and what they lose with their links."""
    _, edges = newest("nac-edges")
    rows = []
    for prior, model in PRIORS.items():
        network = load(next(name for name, title in RUNGS.items() if title == model))
        assert isinstance(network, LinkedNetwork) and network.prior_graph is not None
        P = network.link_probability().detach().double().numpy()
        P0 = matched(prior_of(network.prior_graph.name, len(P)), network.prior_graph.order.numpy())
        pairs = np.tril_indices(len(P), -1)
        lost = figure(edges, "change of accuracy", model=model, distribution="IID", removed="99%")
        rows.append(
            (
                prior,
                percent(float((P[pairs] > 0).mean())),
                f"{P[pairs].mean():.3f}, prior {P0[pairs].mean():.3f}",
                f"{np.sqrt(np.square(P - P0)[pairs].mean()):.3f}",
                points(lost),
            )
        )
    heads = (
        "pairs with a link",
        "mean probability",
        "distance to the matched prior",
        "with 99 % of the links cut, points",
    )
    yield from table(("prior", *heads), rows)


def few_shots() -> Lines:
    """Accuracies of few-shot episodes with eight classes."""
    name, record = newest("nac-fewshot")
    rows = []
    shots = sorted({entry.where["shots"] for entry in record.figures if entry.where.get("ways") == 8})
    for shot in shots:
        where: dict[str, Any] = {"ways": 8, "shots": shot}
        pair = (figure(record, "accuracy", model=model, **where) for model in (RUNGS["nac-scale-free"], "Perceiver IO"))
        rows.append(
            (
                str(shot),
                *(percent(entry.value) for entry in pair),
                points(figure(record, "more than Perceiver IO", **where)),
            )
        )
    episodes = figure(record, "accuracy", ways=8).where["episodes"]
    yield from table(("samples a class, eight classes", "circuit", "Perceiver IO", "circuit ahead, points"), rows)
    yield from ("", f"{episodes} episodes each; 12.5 % is chance. Record: `{name}`.")


def digits() -> Lines:
    """Test accuracies of the Neural Interpreter and the Vision Transformer, of their cards."""
    sets = (("mnist", "test"), ("mnist-m", "test"), ("street-digits", "validation"))
    entries = {model: [scored(model, *entry) for entry in sets] for model in ("ni-digits", "vit-digits")}
    count = entries["ni-digits"][1]["count"]
    heads = ("model", "MNIST, test", f"MNIST-M, {count:,} test images", "street digits, rendered: a stand-in")
    rows = [
        (f"`{model}`", *(percent(entry["accuracy"], entry["low"], entry["high"]) for entry in row))
        for model, row in entries.items()
    ]
    yield from table(heads, [*rows, ("paper, Neural Interpreter, 100 epochs", "99.4 %", "98.4 %", "96.2 % (SVHN)")])


def adaptation() -> Lines:
    """Accuracy of ni-digits minus that of vit-digits by number of samples, on three writing systems."""
    runs = [newest("ni-adapt", kmnist=""), newest("ni-adapt"), newest("ni-adapt", letters="")]
    records = [record for _, record in runs]
    sizes = [entry.where["samples"] for entry in records[0].figures if entry.name == "more than vit-digits"]
    rows = [
        (f"{size:,}", *(points(figure(record, "more than vit-digits", samples=size)) for record in records))
        for size in sizes
    ]
    most = sizes[-1]
    reached = (figure(record, "accuracy", model="ni-digits", samples=most) for record in records)
    rows.append((f"`ni-digits` with {most:,}", *(percent(entry.value) for entry in reached)))
    rows.append(("record", *(f"`{name}`" for name, _ in runs)))
    yield from table(("samples", "K-MNIST", "Georgian letters, a stand-in", "CIFAR-10"), rows)


#: Regime -> the printed test accuracies of the three networks.
REGIMES = {
    "neutral": "77.0, 72.7, 62.6",
    "interpolation": "70.5, 67.7, 64.4",
    "held-out pairs of attributes": "36.6, 34.1, 27.2",
    "held-out pairs of triples": "45.2, 44.1, 41.9",
    "held-out triples": "20.0, 15.9, 19.0",
    "extrapolation": "19.4, 16.4, 17.2",
}


def matrices() -> Lines:
    """Accuracies of one seed on the six regimes of matrices."""
    networks = ("Neural Interpreter", "Vision Transformer", "WReN")
    figures = [entry for record in bundled().values() if record.id == "ni-pgm" for entry in record.figures]
    of = {
        (entry.where["regime"], entry.where["split"], entry.where["model"]): points(entry)
        for entry in figures
        if entry.name == "accuracy" and entry.where["seeds"] == 1
    }
    rows = [
        (
            regime if split == "validation" else "",
            split,
            *(of[regime, split, network] for network in networks),
            printed if split == "test" else "",
        )
        for regime, printed in REGIMES.items()
        for split in ("validation", "test")
    ]
    yield from table(("regime", "split", *networks, "print, test"), rows)


def judged(*experiments: str) -> Iterator[Judged]:
    """Yield the claims on some experiments, with ours."""
    for result in results()[0]:
        if result.id in experiments:
            yield from result.claims


def interference() -> Lines:
    """Additions that networks of blocks keep, by threshold and kind."""
    kept = {entry.claim.what: entry for entry in judged("smfr-addmul")}
    rows = []
    for threshold, kinds in BLOCKS_TABLE_1.items():
        cells = (kept[f"accuracy on the preparation data, {kind}, threshold {threshold:g}"] for kind in kinds)
        rows.append(
            (
                f"{threshold:g}",
                *(f"{percent(one.value, *one.trainings)}; {percent(one.claim.printed)}" for one in cells),
            )
        )
    yield from table(("threshold", *(f"{kind}; print" for kind in kinds)), rows)
    yield from ("", f"95 % over networks. Record: `{entry_file('smfr-addmul')}`.")


def entry_file(experiment: str) -> str:
    """Return the record that the claims on an experiment use most, without the ending of a compressed file."""
    files = [entry.file for entry in judged(experiment) if entry.file]
    return max(files, key=files.count).removesuffix(".gz")


def grids() -> Lines:
    """Claims on double addition and on conditional assignments beside ours."""
    rows = []
    for task, experiment in (("double addition", "smfr-double"), ("conditional assignments", "smfr-algo")):
        for entry in judged(experiment):
            printed, ours = in_words(entry)
            rows.append((f"{task}: {entry.claim.what}", printed, ours, str(entry.count or ""), entry.outcome))
    yield from table(("claim", "print", "ours", "networks", "outcome"), rows)


def results_table() -> Lines:
    """Every experiment beside print."""
    yield as_markdown(results()[0])


def walk() -> Lines:
    """The papers, figure by figure."""
    yield as_walk().rstrip("\n")


#: Document -> its tables by name.
TABLES: dict[str, dict[str, Callable[[], Lines]]] = {
    "docs/experiments.md": {"results": results_table},
    "docs/papers.md": {"figures": walk},
    "docs/models.md": {
        "accuracies of ni-digits": digits,
        "accuracies of circuits": ladder,
        "circuits beside perceiver-io": ladder_apart,
        "circuits on CIFAR-10": ladder_on_cifar,
        "links on CIFAR-10": links_on_cifar,
        "modules on CIFAR-10": modules_on_cifar,
        "circuits and their priors": priors,
        "removed modules and links": removed,
        "what removal saves": saved,
        "few shots": few_shots,
        "interference": interference,
        "grids of blocks": grids,
        "adaptation": adaptation,
        "matrices": matrices,
    },
}


def written(text: str, name: str, lines: Lines) -> str:
    """Return a document with one table written anew; raises ValueError for a document without its marks."""
    begin, end = f"<!-- {name} -->\n", f"<!-- end of {name} -->"
    if text.count(begin) != 1 or text.count(end) != 1:
        raise ValueError(f"mark the table with {begin.strip()} and {end}, once each")
    before, _, rest = text.partition(begin)
    return before + begin + "\n".join(lines) + "\n" + end + rest.partition(end)[2]


def document(path: str) -> str:
    """Return a document with all its tables written anew."""
    text = (ROOT / path).read_text()
    for name, make in TABLES[path].items():
        text = written(text, name, make())
    return text


if __name__ == "__main__":
    for path in TABLES:
        (ROOT / path).write_text(document(path))
