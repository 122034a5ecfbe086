"""``routescope results``: for people, as Markdown and JSON, with folders of the user."""

from pathlib import Path

import pytest

from routescope.experiments.results import RULE, as_markdown, results
from tests.core.cli.program import refused, run, run_json, words_of
from tests.core.experiments.results.test_results import record


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "nac-points-mine.json").write_text(record((0.83, 0.831, 0.829)).model_dump_json())
    (tmp_path / "nac-points-broken.json").write_text('{"layout": 2}')
    return tmp_path


def test_every_experiment_has_a_line_and_the_rule_follows() -> None:
    words = words_of("results")
    assert all(row.id in words for row in results()[0])
    assert all(sentence in words for sentence in RULE)
    assert "nac-points not tested Clouds of points" in words


def test_an_experiment_shows_each_claim_with_its_reason_and_its_records() -> None:
    words = words_of("results", "nac-points")
    assert "NAC minus Perceiver IO on ModelNet40: print +5.6 points, ours +9.4 points" in words
    assert "not tested: Ours used a stand-in for ModelNet40." in words
    assert "points of a cloud: 256; printed 1,024." in words and "nac-points-facd022f18f9.json" in words
    assert "nac-listops" not in words


def test_markdown_is_the_table_of_the_documents() -> None:
    result = run("results", "--markdown")
    assert result.exit_code == 0 and result.stdout == as_markdown(results()[0]) + "\n"


def test_a_folder_of_records_counts_and_a_broken_file_is_named(folder: Path) -> None:
    result = run("results", "nac-points", "--records", folder, "--json")
    assert result.exit_code == 0 and result.stderr.startswith("Left out: nac-points-broken.json: ")
    plain = run_json("results", "nac-points", "--records", folder)
    (row,) = plain["results"]
    assert "own/nac-points-mine.json" in {made["file"] for made in row["runs"]}
    assert [entry["file"] for entry in plain["unreadable"]] == ["nac-points-broken.json"]
    assert plain["rule"] == list(RULE)


def test_two_records_stand_side_by_side() -> None:
    words = words_of("results", "nac-bytes", "--compare", "nac-bytes-0", "nac-bytes-9")
    assert "A: nac-bytes-0d82cf695f4c.json B: nac-bytes-9afbafd6a2a0.json" in words
    assert "NAC minus Perceiver IO on IMDB: A -3.46 points (-4.20 to -2.71 over samples), B -1.80 points" in words
    assert "setting seeds: A 1, B 3" in words
    assert (
        run_json("results", "nac-bytes", "--compare", "nac-bytes-0", "nac-bytes-9")["facts"][0]["what"]
        == "setting seeds"
    )


def test_mistakes_are_one_line(tmp_path: Path) -> None:
    assert "unknown experiment 'ni-x'; there are ni-boolean, " in refused("results", "ni-x")
    assert "not both" in refused("results", "--json", "--markdown")
    assert "needs the id of an experiment" in refused("results", "--compare", "a", "b")
    assert "no record with the name 'x'" in refused("results", "nac-bytes", "--compare", "x", "nac-bytes-9")
    assert "give a folder of records that does" in refused("results", "--records", tmp_path / "none")
