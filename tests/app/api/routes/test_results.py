"""GET /results: every experiment with its verdict, in the numbers of the command line; new records count at once."""

from pathlib import Path

from routescope import assets
from routescope.experiments.results import RULE, as_json, duration, in_words, results
from routescope.experiments.results.compare import compare_records, difference_in_words
from routescope.experiments.shared.schema import OWN_RECORDS
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
        assert {name: item[name] for name in ("verdict", "why", "command", "trainings")} == {
            name: row[name] for name in ("verdict", "why", "command", "trainings")
        }
        assert item["time"] == duration(result.seconds)
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


async def test_own_records_count_at_the_next_request_and_other_files_are_named(tmp_path: Path) -> None:
    (bundled,) = (assets.ASSETS / "results").glob("nac-points-*")
    own = settings(tmp_path).data_dir / OWN_RECORDS
    async with serving(settings(tmp_path)) as client:
        before = (await client.get("/api/v1/results")).json()
        assert not [run for item in before["items"] for run in item["runs"] if run["file"].startswith("own/")]
        own.mkdir()
        (own / bundled.name).write_bytes(bundled.read_bytes())
        (own / "torn.json").write_text('{"layout": 2')
        (own / "folder.json").mkdir()
        (own / "gone.json").symlink_to(tmp_path / "nowhere")
        after = (await client.get("/api/v1/results")).json()
    (item,) = (item for item in after["items"] if item["id"] == "nac-points")
    assert [run["file"] for run in item["runs"]] == [f"own/{bundled.name}", bundled.name]
    assert {claim["file"] for claim in item["claims"]} == {f"own/{bundled.name}"}  # as good, and read later
    assert {entry["file"]: entry["why"].partition(": ")[0] for entry in after["unreadable"]} == {
        name: name for name in ("folder.json", "gone.json", "torn.json")
    }


async def test_two_records_are_compared_as_the_command_line_does(tmp_path: Path) -> None:
    names = {"a": "nac-bytes-0d82cf695f4c.json", "b": "nac-bytes-9"}
    compared = compare_records("nac-bytes", *names.values())
    async with serving(settings(tmp_path)) as client:
        answer = (await client.get("/api/v1/results/nac-bytes/comparison", params=names)).json()
        unknown = await client.get("/api/v1/results/nac-bytes/comparison", params=names | {"b": "own/nac-bytes"})
        hostile = await client.get("/api/v1/results/nac-bytes/comparison", params=names | {"b": "../../secret.json"})
    assert (answer["a"], answer["b"]) == (compared.a, compared.b)
    assert [entry["difference"] for entry in answer["claims"]] == [entry.difference for entry in compared.claims]
    assert [entry["words"] for entry in answer["claims"]] == [difference_in_words(entry) for entry in compared.claims]
    assert answer["facts"] == [vars(fact) for fact in compared.facts]
    assert (unknown.status_code, hostile.status_code) == (404, 422)
    assert "no record with the name 'own/nac-bytes'" in unknown.json()["detail"].lower()
