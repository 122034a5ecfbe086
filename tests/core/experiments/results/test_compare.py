"""Two records compared: differences with Welch's interval, and only what differs between the runs."""

from pathlib import Path

import pytest
from scipy import stats

from routescope.experiments.results.compare import UnknownRecord, compare_records, difference_in_words
from tests.core.experiments.results.test_results import record


def trainings(values: tuple[float, ...], other: tuple[float, ...]) -> list[dict[str, object]]:
    return [
        {"model": model, "seed": seed, "accuracy": value}
        for model, of in (("nac-points", values), ("pio-points", other))
        for seed, value in enumerate(of)
    ]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    a, b = ((0.8, 0.82, 0.84), (0.7, 0.73, 0.71)), ((0.9, 0.94, 0.95), (0.75, 0.78, 0.8))
    one = record(tables={"trainings": trainings(*a)}, settings={"steps": 10, "tuning": {"rate": 0.1}})
    changed = {"settings": {"steps": 20, "tuning": {"rate": 0.1}}, "seeds": {"training": 7}, "quick": True}
    other = record(tables={"trainings": trainings(*b)}, **changed)
    for name, made in (("one", one), ("other", other)):
        (tmp_path / f"nac-points-{name}.json").write_text(made.model_dump_json())
    return tmp_path


def test_differences_are_welchs_over_trainings_and_only_what_differs_is_listed(folder: Path) -> None:
    compared = compare_records("nac-points", "own/nac-points-one", "own/nac-points-other.json", [folder])
    assert (compared.a, compared.b) == ("own/nac-points-one.json", "own/nac-points-other.json")
    accuracy, _, ahead = compared.claims
    for claim, first, second in (
        (accuracy, (0.8, 0.82, 0.84), (0.9, 0.94, 0.95)),
        (ahead, (0.1, 0.09, 0.13), (0.15, 0.16, 0.15)),  # paired by seed within each record
    ):
        welch = stats.ttest_ind(second, first, equal_var=False)
        assert claim.difference == pytest.approx(sum(second) / 3 - sum(first) / 3)
        assert claim.ends == pytest.approx(tuple(welch.confidence_interval(0.95)))
    assert difference_in_words(accuracy).startswith("+11.0 points (") and accuracy.b.why == "A quick run."
    facts = {fact.what: (fact.a, fact.b) for fact in compared.facts}
    assert facts["setting steps"] == ("10", "20") and "setting tuning.rate" not in facts
    assert facts["seed training"][1] == "7" and not [what for what in facts if what.startswith("data ")]


def test_a_number_that_one_record_lacks_has_no_difference(folder: Path) -> None:
    (folder / "nac-points-none.json").write_text(record(tables={}).model_dump_json())
    compared = compare_records("nac-points", "own/nac-points-none", "own/nac-points-one", [folder])
    assert {(claim.a.value, claim.difference, claim.ends) for claim in compared.claims} == {(None, None, None)}
    assert difference_in_words(compared.claims[0]) == ""


@pytest.mark.parametrize(
    ("experiment", "a", "words"),
    [
        ("no-such", "own/nac-points-one", "unknown experiment 'no-such'"),
        ("nac-points", "own/nac-points-o", "several records with the name 'own/nac-points-o'"),
        ("nac-points", "../nac-points-one", "no record with the name"),
        ("nac-points", "ni-drop-", "is a record of ni-drop, not of nac-points"),
    ],
)
def test_mistakes_are_named(folder: Path, experiment: str, a: str, words: str) -> None:
    with pytest.raises(UnknownRecord, match=words):
        compare_records(experiment, a, "own/nac-points-other", [folder])
