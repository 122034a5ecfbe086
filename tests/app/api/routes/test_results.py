"""GET /results: every experiment with its verdict, in the numbers of the command line; new records count at once."""

from pathlib import Path

import pytest

from routescope import assets
from routescope.experiments.results import RULE, as_json, in_words, results
from routescope_app.api.schemas.experiments import ExperimentResults
from tests.app.serving import serving, settings


async def test_results_are_those_of_the_command_line(tmp_path: Path) -> None:
    table, unreadable = results()
    plain = as_json(table, unreadable)["results"]
    async with serving(settings(tmp_path)) as client:
        answer = (await client.get("/api/v1/results")).json()
    assert ExperimentResults.model_validate(answer) and answer["rule"] == list(RULE)
    assert [item["id"] for item in answer["items"]] == [row["id"] for row in plain]
    for item, row, result in zip(answer["items"], plain, table, strict=True):
        assert {name: item[name] for name in ("verdict", "why", "command", "hours", "trainings")} == {
            name: row[name] for name in ("verdict", "why", "command", "hours", "trainings")
        }
        assert [run["file"] for run in item["runs"]] == [run["file"] for run in row["runs"]]
        for claim, judged in zip(item["claims"], result.claims, strict=True):
            assert (claim["outcome"], claim["value"], claim["printed"]) == (
                judged.outcome,
                judged.value,
                judged.claim.printed,
            )
            printed, ours = in_words(judged)
            assert claim["printed_words"] in printed and claim["words"] in ours
            assert claim["trainings_words"] in ours and claim["samples_words"] in ours


async def test_a_new_record_is_read_at_the_next_request(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "assets" / "results").mkdir(parents=True)
    (bundled,) = (assets.ASSETS / "results").glob("nac-points-*")
    async with serving(settings(tmp_path)) as client:
        monkeypatch.setattr(assets, "ASSETS", tmp_path / "assets")
        none = (await client.get("/api/v1/results")).json()
        assert {item["trainings"] for item in none["items"]} == {"none"}
        (tmp_path / "assets" / "results" / bundled.name).write_bytes(bundled.read_bytes())
        one = (await client.get("/api/v1/results")).json()
    assert {item["id"] for item in one["items"] if item["runs"]} == {"nac-points"}
