"""The bundled records: what they must say, and that the sweep's tables follow from its trials."""

import json
import re
from collections import defaultdict
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from scipy import stats

from routescope.experiments import ni_sweep
from routescope.experiments.ni_sweep import FROZEN, MEAN, SYMBOLS
from routescope.experiments.shared.catalogue import find
from routescope.experiments.shared.schema import LARGEST_PLAIN, LAYOUT, read_record, record_files, text_of
from routescope.training.sweeps.found import columns
from scripts.write_tables import ROOT, TABLES, document, newest, percent, scored
from scripts.write_tables import figure as figure_of

RECORDS = record_files()
#: A folder of a machine, at the start of a word.
MACHINE_PATH = re.compile(r"(?:^|[\s=:'\"(])(?:/(?:home|root|tmp|work|mnt|opt|usr|var|Users)\b|[A-Za-z]:\\)")


def read(path: Path) -> dict[str, Any]:
    record: dict[str, Any] = json.loads(text_of(path))
    return record


def test_large_records_lie_packed() -> None:
    assert RECORDS and {path.suffix for path in RECORDS} == {".json", ".gz"}
    assert all((len(text_of(path).encode()) > LARGEST_PLAIN) == (path.suffix == ".gz") for path in RECORDS)


@pytest.mark.parametrize("path", RECORDS, ids=lambda path: path.name)
def test_a_record_says_what_it_is_of_and_names_no_folder_of_a_machine(path: Path) -> None:
    record = read(path)
    assert MACHINE_PATH.search(text_of(path)) is None
    assert path.stem.startswith(f"{record['id']}-") and record["layout"] in (1, LAYOUT)
    assert read_record(path).model_dump(mode="json", exclude={"layout", "machine", "notes", "date"}) == {
        name: value for name, value in record.items() if name not in ("layout", "machine", "notes", "date")
    }
    experiment = find(record["id"])
    assert record["title"] == experiment.title and record["paper"] == experiment.paper_reference
    assert record["command"].startswith(f"routescope reproduce {record['id']}")
    assert record["seconds"] > 0 and record["measurements"]["all"] > 0 and record["data"]
    assert record["figures"]
    for figure in record["figures"]:
        if figure["low"] is not None and figure["high"] is not None:
            assert figure["low"] <= figure["high"], figure["name"]


def test_patterns_of_the_sweep_follow_from_its_trials() -> None:
    (path,) = (path for path in RECORDS if path.name.startswith("ni-sweep-"))
    record = read(path)
    trials, domains = record["tables"]["trials"], record["settings"]["network"]["domains"]
    assert len(trials) == record["settings"]["trials"] == 64
    assert record["seconds"] == pytest.approx(sum(row["seconds"] for row in trials), abs=0.1)
    runs = columns(trials, ("trial", *SYMBOLS, *FROZEN, *domains, MEAN))
    again = ni_sweep.patterns_of(runs, domains)
    assert [row["here"] for row in again] == [row["here"] for row in record["tables"]["patterns"]]
    for now, then in zip(again, record["tables"]["patterns"], strict=True):
        assert now == {**then, **{name: pytest.approx(then[name]) for name in ("value", "low", "high")}}


MODELS = (Path(__file__).resolve().parents[3] / "docs" / "models.md").read_text()


def record_of(name: str) -> dict[str, Any]:
    (path,) = (path for path in RECORDS if path.name.startswith(name))
    return read(path)


@pytest.mark.parametrize("name", ["nac-points-", "nac-listops-", "nac-bytes-9"])
def test_documented_intervals_over_seeds_follow_from_the_trainings(name: str) -> None:
    accuracies: dict[int, dict[bool, float]] = defaultdict(dict)
    for row in record_of(name)["tables"]["trainings"]:
        accuracies[row["seed"]][row["model"].startswith("nac")] = row["accuracy"]
    ahead = [100 * (pair[True] - pair[False]) for pair in accuracies.values()]
    mean, spread = np.mean(ahead), stats.t.ppf(0.975, len(ahead) - 1) * stats.sem(ahead)
    low, high = mean - spread, mean + spread
    assert re.search(rf"\| {mean:.1f};[^|\n]*over seeds {low:.1f} to {high:.1f} \|", MODELS), (mean, low, high)


@pytest.mark.parametrize("path", TABLES)
def test_generated_tables_are_those_of_records_and_cards(path: str) -> None:
    """``make tables`` writes them anew."""
    assert (ROOT / path).read_text() == document(path)


def of_card(model: str, domain: str, split: str, words: str = "{:.1f} %") -> str:
    entry = scored(model, domain, split)
    return words.format(*(100 * entry[name] for name in ("accuracy", "low", "high")))


def of_seeds(experiment: str, model: str) -> str:
    entry = figure_of(newest(experiment)[1], "accuracy", model=model)
    return percent(entry.value, entry.low, entry.high)


def of_boolean(parameters: str, words: str) -> str:
    record = newest("ni-boolean")[1]
    names = ("R2, mean", "R2, standard deviation over functions")
    return words.format(*(figure_of(record, name, parameters=parameters).value for name in names))


def of_halves() -> str:
    record = newest("ni-anytime")[1]
    name = "share of the full accuracy at half the iterations"
    shares = [f"{100 * entry.value:.1f}" for entry in record.figures if entry.name == name]
    return "{} % of the accuracy on MNIST, {} on MNIST-M's stand-in, {} on street digits".format(*shares)


NAC, PIO = "NAC, scale-free prior", "Perceiver IO"
#: Text of docs/models.md up to the numbers -> the numbers of a record or a card that follow it at once.
NUMBERS: dict[str, Callable[[], str]] = {
    "| a circuit designed by the sentence | ": lambda: of_card(
        "nac-scenes", "scenes", "test", "{:.1f} % | {:.1f} to {:.1f} |"
    ),
    "reads pictures and words as one set | ": lambda: of_card(
        "pio-scenes", "scenes", "test", "{:.1f} % | {:.1f} to {:.1f} |"
    ),
    "| double addition, second pairs never shown | **": lambda: of_card("smfr-double", "double", "test", "{:.0f} %"),
    "| ALGO after 9 iterations, never shown | ": lambda: of_card("smfr-algo", "algo", "test, 9 iterations"),
    "| block-permuted MNIST, 25,000 steps | ": lambda: of_card("smfr-bpmnist", "bpmnist", "test"),
    "(87.7 to 91.2); bundled, in integers ": lambda: of_card("nac-points", "clouds", "test"),
    "| as bundled, in integers | ": lambda: of_card("ni-pgm", "pgm-small-neutral", "test"),
    "| generated reviews, a stand-in for IMDB, 1,500 steps | ": lambda: of_card(
        "nac-bytes", "reviews", "test", "{:.1f} % ({:.1f} to {:.1f})"
    ),
    "| stand-in, three seeds, 1,200 clouds | ": lambda: " | ".join(
        of_seeds("nac-points", model) for model in (NAC, PIO)
    ),
    "8,000 steps | 65.7 % (63.6 to 67.7) | 66.0 % (63.8 to 68.0) | | 41.40 and 39.70 %, 500 to 2,000 symbols |\n"
    "| the same, three seeds | ": lambda: " | ".join(of_seeds("nac-listops", model) for model in (NAC, PIO)),
    "| 68.18 and 66.50 %, IMDB |\n| the same, three seeds | ": lambda: " | ".join(
        of_seeds("nac-bytes", model) for model in (NAC, PIO)
    ),
    "20 functions (pre-training) | ": lambda: of_boolean("pre-training", "{:.4f} +- {:.4f}"),
    "| What is left after half of the iterations? | ": of_halves,
}


@pytest.mark.parametrize("text", NUMBERS)
def test_documented_numbers_are_those_of_records_and_cards(text: str) -> None:
    assert MODELS.count(text) == 1, "the text before the number is not there, or twice"
    numbers = NUMBERS[text]()
    assert MODELS.partition(text)[2].startswith(numbers), numbers


def test_the_readme_states_no_accuracy() -> None:
    """Numbers drift: those of models stand in docs/models.md, which records and cards are compared with."""
    assert not re.findall(r"\d ?%", (ROOT / "README.md").read_text().replace("95 % intervals", ""))


# -- docs/experiments.md -------------------------------------------------------------------------------------

EXPERIMENTS = (Path(__file__).resolve().parents[3] / "docs" / "experiments.md").read_text()
#: In the order of the document's columns.
DOMAINS = ("mnist", "mnist-m", "street-digits")


def test_the_documented_types_are_the_records() -> None:
    name, record = named("ni-types-")
    rows = {(row["routing"], row["step"], row["by"]): row for row in record["tables"]["clustering"]}
    assert f"`{name.removesuffix('.gz')}`" in EXPERIMENTS
    for step, words in {"s1.i1": "1, iteration 1", "s1.i2": "1, iteration 2", "s2.i1": "2, iteration 1"}.items() | {
        ("s2.i2", "2, iteration 2")
    }:
        cells = []
        for routing in ("learned", "fixed at initialisation"):
            row = rows[routing, step, "unit"]
            null = f"{row['null_mean']:.2f} ({row['null_low']:.2f} to {row['null_high']:.2f})"
            cells += [f"{row['score']:.2f}".replace("-0.00", "0.00"), null, f"{row['functions_in_use']:.1f}"]
        line = f"| script {words} | {' | '.join(cells)} |"
        assert line in EXPERIMENTS, line
    for number in (rows["learned", "s2.i2", "label"], rows["fixed at initialisation", "s2.i2", "label"]):
        assert f"{number['score']:.2f}" in EXPERIMENTS
    accuracies = {(row["routing"], row["domain"]): row["accuracy"] for row in record["tables"]["accuracies"]}
    for domain, words in zip(DOMAINS, ("{} % learned and {} %", "{} and {} %", "{} and {} %"), strict=True):
        pair = [f"{100 * accuracies[routing, domain]:.1f}" for routing in ("learned", "fixed at initialisation")]
        assert words.format(*pair) in EXPERIMENTS, (domain, pair)


def test_the_documented_sweep_is_the_record() -> None:
    name, record = named("ni-sweep-")
    trials, figures = record["tables"]["trials"], record["figures"]
    assert f"`{name.removesuffix('.gz')}`" in EXPERIMENTS and f"{len(trials)} trials (" in EXPERIMENTS
    for words, figure in (
        ("best trial", "accuracy of the best run"),
        ("median", "median accuracy of all runs"),
    ):
        values = {row["where"]["domain"]: row["value"] for row in figures if row["name"] == figure}
        line = f"| {words} | {' | '.join(f'{100 * values[domain]:.1f} %' for domain in DOMAINS)} |"
        assert line in EXPERIMENTS, line
    patterns = {(row["number"], row["domain"]): row for row in record["tables"]["patterns"]}
    failing = [patterns["share of runs with one function that fail", domain] for domain in DOMAINS]
    counts = [round(row["value"] * row["runs"]) for row in failing]
    assert "{}, {} and {} of 15 fail |".format(*counts) in EXPERIMENTS
    correlations = {
        row["where"]["domain"]: row for row in figures if row["name"] == "rank correlation of n_f and accuracy"
    }
    mean = correlations["mean"]
    assert f"| {mean['value']:.2f} ({mean['low']:.2f} to {mean['high']:.2f}) |" in EXPERIMENTS


#: Beginning of a cell of *What experiments cost*, with its hours or minutes -> beginnings of the records it sums up.
COSTS = {
    "`ni-digits` | nine trainings of 1,500 steps, {:.0f} minutes": ["ni-digits-"],
    "`nac-points` | six trainings, {:.0f} minutes": ["nac-points-"],
    "`nac-bytes` | six trainings, {:.0f} minutes": ["nac-bytes-9"],
    "five measurements, {:.0f} minutes": ["ni-boolean-"],
    "on IMDB, one seed, {:.0f} minutes": ["nac-bytes-0"],
    "three networks: {:.0f} minutes on K-MNIST": ["ni-adapt-1"],
    ", {:.0f} on CIFAR-10": ["ni-adapt-5"],
    ", {:.0f} on rendered letters": ["ni-adapt-2"],
}


@pytest.mark.parametrize(("words", "names"), COSTS.items(), ids=lambda value: value if isinstance(value, str) else "")
def test_documented_minutes_are_the_records(words: str, names: list[str]) -> None:
    minutes = sum(named(name)[1]["seconds"] for name in names) / 60
    near = {words.format(minutes + change) for change in (-1, 0, 1)}  # rounded, and beside other work
    assert any(line in EXPERIMENTS for line in near), words.format(minutes)


def named(beginning: str) -> tuple[str, dict[str, Any]]:
    (path,) = (path for path in RECORDS if path.name.startswith(beginning))
    return path.name, read(path)
