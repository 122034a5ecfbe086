"""Claims, the rule of verdicts and the table of results."""

import importlib
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from scipy import stats

from routescope import zoo
from routescope.experiments.results import RULE, as_json, as_markdown, results
from routescope.experiments.results.claims import NI, Claim, Difference, PaperClaims, Repeats, Sampled
from routescope.experiments.results.rule import Judged, differences, judge, student, verdict, welch
from routescope.experiments.results.table import CLAIMS, interval, number, read_records, result_of
from routescope.experiments.shared.catalogue import experiments
from routescope.experiments.shared.schema import Record, parse
from tests.core.experiments.shared.test_schema import RECORD

ACCURACY = Repeats("trainings", "accuracy", {"model": "a"})
CLAIM = Claim("accuracy", "Table 1", 0.8, "MNIST", ("mnist",), repeats=ACCURACY)
AHEAD = replace(CLAIM, test="above 0", repeats=replace(ACCURACY, minus={"model": "b"}), any_size=True)
BOUND = replace(CLAIM, test="at least", any_size=True)
EXPERIMENT = PaperClaims("nac-points", "Clouds", NI, "Table 1", (CLAIM,))
SMALLER = replace(EXPERIMENT, differences=(Difference("modules", "2", "20", {"printed": True}),))


def record(
    ours: Sequence[float] = (0.8, 0.81, 0.79), others: Sequence[float] = (), stand_in: bool = False, **fields: Any
) -> Record:
    rows = [
        {"model": model, "seed": seed, "accuracy": value}
        for model, values in (("a", ours), ("b", others))
        for seed, value in enumerate(values)
    ]
    data = RECORD["data"][0] | {"name": "mnist", "stand_in": stand_in, "stand_in_for": "MNIST" if stand_in else None}
    return parse(RECORD | {"tables": {"trainings": rows}, "data": [data], "figures": []} | fields)


@pytest.mark.parametrize(
    ("claim", "made", "outcome", "why"),
    [
        (CLAIM, record(), "holds", "contains the printed number"),
        (CLAIM, record((0.7, 0.71, 0.69)), "fails", "does not contain"),
        (CLAIM, record((0.6, 0.95, 0.8)), "cannot tell", "too wide"),
        (CLAIM, record((0.8004, 0.8004)), "holds", ""),  # rounds to the printed 0.800
        (CLAIM, record((0.8006, 0.8006)), "fails", ""),
        (CLAIM, record((0.8,)), "not tested", "One training"),
        (CLAIM, record(stand_in=True), "not tested", "Ours used a stand-in for MNIST."),
        (CLAIM, record(data=[RECORD["data"][0]]), "not tested", "Ours used other data than MNIST."),
        (replace(CLAIM, data=()), record(), "not tested", "other data"),
        (replace(CLAIM, test=None), record(), "not tested", "prints no number"),
        (CLAIM, record(tables={}), "not tested", "No run measured this."),
        (CLAIM, record(quick=True), "not tested", "There are only quick runs."),
        (AHEAD, record((0.9, 0.8, 0.7), (0.8, 0.71, 0.59)), "holds", "printed side"),  # paired: spread over seeds goes
        (AHEAD, record((0.8, 0.71, 0.59), (0.9, 0.8, 0.7)), "fails", "other side"),
        (AHEAD, record((0.9, 0.8), (0.85, 0.84)), "cannot tell", "both sides"),
        (AHEAD, record((0.9, 0.9), (0.9, 0.9)), "fails", ""),
        (AHEAD, record((0.9, 0.8)), "not tested", "No run measured this."),
        (BOUND, record((0.9, 0.91)), "holds", ""),
        (BOUND, record((0.8, 0.8)), "holds", ""),
        (BOUND, record((0.6, 0.61)), "fails", ""),
        (BOUND, record((0.5, 1.0)), "cannot tell", ""),
    ],
)
def test_the_outcome_of_a_claim(claim: Claim, made: Record, outcome: str, why: str) -> None:
    judged = judge(claim, EXPERIMENT, {"r.json": made})
    assert (judged.outcome, why in judged.why) == (outcome, True), judged


def test_a_number_needs_the_printed_size_and_a_comparison_does_not() -> None:
    made = {"r.json": record((0.8, 0.81, 0.79), (0.1, 0.1, 0.1))}
    assert judge(CLAIM, SMALLER, made).why == "Networks, data or grids are smaller than printed."
    assert judge(AHEAD, SMALLER, made).outcome == "holds"
    assert judge(CLAIM, SMALLER, {"r.json": record(settings={"printed": True})}).outcome == "holds"


def test_no_run_is_not_tested() -> None:
    judged = judge(CLAIM, EXPERIMENT, {})
    assert (judged.outcome, judged.why, judged.value) == ("not tested", "There is no run.", None)


OUTCOMES = st.lists(st.sampled_from(["holds", "fails", "cannot tell", "not tested"]), min_size=1)


@given(OUTCOMES, st.booleans())
def test_the_verdict_follows_from_the_outcomes(outcomes: list[Any], printed: bool) -> None:
    of = verdict([Judged(CLAIM, outcome, "") for outcome in outcomes], printed)
    decided = {outcome for outcome in outcomes if outcome in ("holds", "fails")}
    assert (of == "not tested") == (not decided)
    assert (of == "contradicted") == (decided == {"fails"})
    assert (of == "reproduced") == (set(outcomes) == {"holds"} and printed)
    assert of == verdict([Judged(CLAIM, outcome, "") for outcome in reversed(outcomes)], printed)


VALUES = st.lists(st.floats(0, 1), min_size=2, max_size=8)


@settings(max_examples=50)
@given(VALUES, VALUES)
def test_intervals_are_those_of_scipy(ours: list[float], others: list[float]) -> None:
    assume(np.std(ours) > 1e-6 and np.std(others) > 1e-6)
    one, two = student(ours), welch(ours, others)
    assert (one.low, one.high) == pytest.approx(
        stats.t.interval(0.95, len(ours) - 1, np.mean(ours), stats.sem(ours)), abs=1e-9
    )
    ends = stats.ttest_ind(ours, others, equal_var=False).confidence_interval()
    assert (two.low, two.high) == pytest.approx((ends.low, ends.high), abs=1e-9)


@settings(max_examples=50)
@given(VALUES, st.floats(-0.2, 0.2))
def test_turning_a_comparison_round_turns_its_outcome(ours: list[float], shift: float) -> None:
    there = judge(AHEAD, EXPERIMENT, {"r": record(ours, [value + shift for value in ours])})
    back = judge(AHEAD, EXPERIMENT, {"r": record([value + shift for value in ours], ours)})
    assume("fails" not in (there.outcome, back.outcome) or there.value != 0)
    assert {there.outcome, back.outcome} in ({"holds", "fails"}, {"cannot tell"}, {"fails"})


def test_the_share_of_runs_that_reach_a_value_has_wilsons_interval() -> None:
    claim = replace(CLAIM, printed=0.5, repeats=replace(ACCURACY, by=(), reaches=1.0))
    judged = judge(claim, EXPERIMENT, {"r": record([1.0, 1.0, 0.9, 0.2])})
    assert judged.value == 0.5 and judged.count == 4 and judged.trainings == pytest.approx((0.15, 0.85), abs=0.01)


def test_the_best_repeats_are_chosen_by_their_column() -> None:
    claim = replace(CLAIM, repeats=replace(ACCURACY, by=(), best=("seed", 2)))
    assert judge(claim, EXPERIMENT, {"r": record([0.1, 0.8, 0.8])}).value == pytest.approx(0.8)


def test_rows_without_a_number_are_left_out() -> None:
    rows = [{"model": "a", "seed": at, "accuracy": value} for at, value in enumerate((0.8, None, True, 0.8))]
    assert judge(CLAIM, EXPERIMENT, {"r": record(tables={"trainings": rows})}).count == 2


def test_the_record_is_chosen_without_looking_at_its_number() -> None:
    """By the paper's data, printed sizes, trainings and date, in this order; the number changes nothing."""
    small, large = {"printed": False}, {"printed": True}
    ranked = [
        record((0.5, 0.6, 0.7), stand_in=True, settings=large, date="2026-12-31T00:00:00+00:00"),
        record((0.5, 0.6, 0.7), settings=small, date="2026-12-30T00:00:00+00:00"),
        record((0.5, 0.6), settings=large, date="2026-12-29T00:00:00+00:00"),
        record((0.5, 0.6, 0.7), settings=large, date="2026-01-01T00:00:00+00:00"),
        record((0.8, 0.8, 0.8), settings=large, date="2026-01-02T00:00:00+00:00"),
        record((0.1, 0.1, 0.1), settings=large, date="2026-01-03T00:00:00+00:00"),
    ]
    for most in range(1, len(ranked) + 1):
        files = {f"{at}.json": entry for at, entry in enumerate(ranked[:most])}
        assert judge(CLAIM, SMALLER, files).file == f"{most - 1}.json"
        assert judge(CLAIM, SMALLER, dict(reversed(files.items()))).file == f"{most - 1}.json"


def test_the_interval_over_samples_stands_beside_that_over_trainings() -> None:
    claim = replace(CLAIM, sampled=Sampled("accuracy", {"model": "NAC"}))
    judged = judge(claim, EXPERIMENT, {"r": record(figures=RECORD["figures"])})
    assert judged.samples == (0.8, 0.95) and judged.trainings is not None and judged.value == pytest.approx(0.8)


# -- the claims ----------------------------------------------------------------------------------------------


def test_every_experiment_has_its_claims() -> None:
    known = experiments()
    assert set(CLAIMS) == set(known)
    for name, claimed in CLAIMS.items():
        assert (
            claimed.claims
            and claimed.source
            and known[name].paper_reference.startswith(claimed.paper.title.partition(" (")[0])
        )


def test_what_differs_from_print_is_read_from_the_record() -> None:
    records = {record.id: record for record in read_records()[0].values()}
    here = {
        (name, difference.what): difference.here
        for name, record in records.items()
        for difference in differences(CLAIMS[name], record)
    }
    assert here["smfr-algo", "networks of the grid"] == "3 FNN; 7 SMFR; 3 SMFR, noisy; 1 Transformer"
    assert ("smfr-addmul", "networks of the grid") not in here, "the whole printed grid was trained"
    assert (
        here["ni-adapt", "samples, at most"] == "4,096" and here["ni-pgm", "training matrices of a regime"] == "20,000"
    )
    parameters = zoo.info("ni-digits").parameters
    assert here["ni-drop", "parameters of the Neural Interpreter"] == f"{parameters:,}"
    alike = replace(CLAIMS["ni-sweep"], differences=(Difference("trials", "", "64", of="settings.trials"),))
    assert not differences(alike, records["ni-sweep"]), "what equals print does not differ"
    assert "not recorded" not in here.values()


def test_printed_numbers_are_those_of_the_experiments() -> None:
    """Claimed numbers are those of the experiment's module, or a difference of two of them."""
    for name, experiment in experiments().items():
        printed = {round(figure.value, 4) for figure in experiment.paper_figures if figure.value is not None}
        claimed = {round(claim.printed, 4) for claim in CLAIMS[name].claims if claim.printed is not None}
        own = {round(value, 4) for value in constants(name)}
        assert claimed - {0.7, 0.104} <= printed | own | differences_of(own | printed), name


def constants(name: str) -> set[float]:
    """Return every number in the upper-case tables of an experiment's module."""
    module = importlib.import_module(f"routescope.experiments.{name.replace('-', '_')}")
    values: set[float] = set()

    def walk(value: Any) -> None:
        if isinstance(value, dict):
            for inner in value.values():
                walk(inner)
        elif isinstance(value, tuple | list | frozenset):
            for inner in value:
                walk(inner)
        elif isinstance(value, int | float) and not isinstance(value, bool):
            values.update((float(value), float(value) / 100))

    for constant, value in vars(module).items():
        if constant.isupper():
            walk(value)
    return values


def differences_of(values: set[float]) -> set[float]:
    return {round(one - other, 4) for one in values for other in values}


def test_links_lead_to_bundled_models() -> None:
    bundled = {model.id for model in zoo.models()}
    links = [link for experiment in CLAIMS.values() for link in experiment.links]
    assert len(links) > 20 and {link.model for link in links} <= bundled


# -- the table -----------------------------------------------------------------------------------------------


def test_the_table_has_every_experiment_and_reads_folders_of_the_user(tmp_path: Path) -> None:
    bundled, unreadable = results()
    assert [result.id for result in bundled] == list(CLAIMS) and not unreadable
    (tmp_path / "nac-points-mine.json").write_text(
        record((0.83, 0.831, 0.829), id="nac-points").model_copy(update={"layout": 2}).model_dump_json()
    )
    (tmp_path / "broken.json").write_text("{")
    mine, unreadable = results([tmp_path])
    assert [entry.file for entry in unreadable] == ["broken.json"] and "not JSON" in unreadable[0].why
    (points,) = (result for result in mine if result.id == "nac-points")
    assert "own/nac-points-mine.json" in {run.file for run in points.runs}


def test_an_experiment_without_records_is_in_the_table() -> None:
    result = result_of(CLAIMS["nac-points"], {})
    assert (result.verdict, result.trainings, result.data, result.runs) == ("not tested", "none", None, ())
    assert result.command == "routescope reproduce nac-points" and "| no run |" in as_markdown([result])


def test_json_and_markdown_say_the_same_verdicts() -> None:
    table, unreadable = results()
    plain = as_json(table, unreadable)
    text = as_markdown(table)
    assert [entry["verdict"] for entry in plain["results"]] == [result.verdict for result in table]
    for result in table:
        (line,) = (line for line in text.splitlines() if line.startswith(f"| `{result.id}` |"))
        assert f"| {result.verdict}. " in line and line.count("|") == 10
    assert all(sentence in text for sentence in RULE) and plain["rule"] == list(RULE)


def test_bundled_verdicts_are_never_reproduced_on_stand_ins_or_smaller_networks() -> None:
    for result in results()[0]:
        for judged in result.claims:
            if judged.outcome != "not tested":
                assert judged.data == "the paper's" and judged.count >= 2 and judged.trainings is not None
        assert result.verdict != "reproduced" or result.printed_sizes


def test_numbers_have_the_decimals_of_print() -> None:
    assert number(0.8, CLAIM) == "80.0 %" and number(0.0844, AHEAD) == "+8.4 points"
    assert interval((0.75, 0.812), CLAIM) == "75.0 to 81.2"
    assert number(5.04, replace(CLAIM, unit="times", digits=0)) == "5.0 times" and number(None, CLAIM) == ""


def test_records_of_a_later_folder_replace_those_of_the_same_name(tmp_path: Path) -> None:
    for folder, value in (("a", 0.1), ("b", 0.2)):
        (tmp_path / folder).mkdir()
        (tmp_path / folder / "x.json").write_text(record((value, value)).model_dump_json())
    records, _ = read_records([tmp_path / "a", tmp_path / "b"])
    assert judge(CLAIM, EXPERIMENT, records).value == pytest.approx(0.2)
