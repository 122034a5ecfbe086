"""GET /results: every experiment with its verdict, in the numbers of the command line; new records count at once."""

import asyncio
from datetime import timedelta
from pathlib import Path
from subprocess import run
from xml.sax.saxutils import escape

import pytest

from routescope import assets
from routescope.experiments.printed.figures import FIGURES, write
from routescope.experiments.results import RULE, as_json, duration, in_words, results
from routescope.experiments.results.compare import compare_records, difference_in_words
from routescope.experiments.results.quick import LONGEST, SECONDS
from routescope.experiments.shared.schema import OWN_RECORDS, read_record
from routescope.plots.printed import FORMATS
from routescope_app.api.schemas.experiments import ExperimentResults
from tests.app.api.follow import ended, start
from tests.app.serving import serving, settings

#: Answers with an ETag: a figure as two files, and the list of an experiment's figures.
WITH_TAG = (
    "/api/v1/figures/ni-fig-8",
    "/api/v1/figures/ni-fig-8?format=png",
    "/api/v1/results/ni-anytime/figures",
)


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


async def test_figures_of_an_experiment_are_those_of_the_command_with_its_own_records(tmp_path: Path) -> None:
    mine = [entry for entry in FIGURES if entry.experiment == "ni-anytime" and entry.draw is not None]
    own = settings(tmp_path).data_dir / OWN_RECORDS
    async with serving(settings(tmp_path)) as client:
        (item,) = (await client.get("/api/v1/results/ni-anytime/figures")).json()["items"]
        assert [item["id"]] == [entry.id for entry in mine] and "tand-ins replace" in item["differs"]
        answers = {form: await client.get(f"/api/v1/figures/{item['id']}?format={form}") for form in FORMATS}
        for form, begin in {"svg": b"<?xml", "pdf": b"%PDF-", "png": b"\x89PNG"}.items():
            assert answers[form].content.startswith(begin)
        write(item["id"], tmp_path / "command.svg")
        assert answers["svg"].content == (tmp_path / "command.svg").read_bytes()
        assert "style-src 'unsafe-inline'" in answers["svg"].headers["content-security-policy"]
        (bundled,) = (assets.ASSETS / "results").glob("ni-anytime-*")
        record = read_record(bundled)
        lower = tuple(row.model_copy(update={"value": 0.2, "low": 0.2, "high": 0.2}) for row in record.figures)
        later = record.model_copy(update={"figures": lower, "date": record.date + timedelta(days=1)})
        own.mkdir()
        tags = {path: (await client.get(path)).headers["etag"] for path in WITH_TAG}
        (own / "ni-anytime-mine.json").write_text(later.model_dump_json())
        after = await client.get(f"/api/v1/figures/{item['id']}")
        assert after.status_code == 200 and after.content != answers["svg"].content, "a new record is drawn at once"
        for path, tag in tags.items():
            fresh = await client.get(path, headers={"If-None-Match": tag})
            same = path == WITH_TAG[-1]  # the list of figures says nothing of the numbers
            assert fresh.status_code == (304 if same else 200) and (fresh.headers["etag"] == tag) == same
            again = await client.get(path, headers={"If-None-Match": fresh.headers["etag"]})
            assert again.status_code == 304 and not again.content and again.headers["etag"] == fresh.headers["etag"]
        (own / "ni-anytime-mine.json").write_text(later.model_copy(update={"figures": ()}).model_dump_json())
        listed = (await client.get(WITH_TAG[-1])).json()
        refused = await client.get(WITH_TAG[0])
        assert [entry["id"] for entry in listed["missing"]] == ["ni-fig-8"] and refused.status_code == 404
        assert listed["missing"][0]["why"] == refused.json()["detail"]
        assert "own/ni-anytime-mine.json lacks rows that it needs" in refused.json()["detail"]
        for path, words in {
            "figures/ni-fig-99": "Unknown figure 'ni-fig-99'; there are ni-fig-3, ",
            "figures/ni-fig-1": "Ni-fig-1 is not drawn: it is a diagram and shows no measurement.",
            "results/no-such/figures": "There is no experiment 'no-such'; ",
        }.items():
            answer = await client.get(f"/api/v1/{path}")
            assert answer.status_code == 404 and answer.json()["detail"].startswith(words)
        assert (await client.get("/api/v1/figures/ni-fig-8?format=gif")).status_code == 422


async def test_rows_of_a_record_are_found_with_their_links(tmp_path: Path) -> None:
    place = "/api/v1/results/ni-drop/rows"
    async with serving(settings(tmp_path)) as client:
        answer = (await client.get(place, params={"record": "ni-drop-", "table": "subsets", "find": "f2, f5"})).json()
        assert answer["tables"][0] == "numbers" and answer["total"] == 6
        assert answer["columns"][:2] == ["domain", "dropped"]
        assert answer["items"][0]["cells"][:2] == ["mnist", "f2, f5"]
        assert answer["items"][0]["link"] == {
            "label": "Drop: ni-digits",
            "page": "drop",
            "model": "ni-digits",
            "lacks": [],
            "address": {"data": "mnist", "samples": "1000", "units": "f2,f5"},
        }
        part = (await client.get(place, params={"record": "ni-drop-", "limit": 2, "offset": 71})).json()
        assert (len(part["items"]), part["total"]) == (1, 72)
        for wrong in ({"record": "ni-drop-", "table": "none"}, {"record": "nac-drop-"}, {"record": "own/ni-drop"}):
            assert (await client.get(place, params=wrong)).status_code == 404


@pytest.mark.slow
async def test_every_listed_figure_is_an_svg_with_its_title(tmp_path: Path) -> None:
    listed = []
    async with serving(settings(tmp_path)) as client:
        for experiment in {entry.experiment for entry in FIGURES}:
            path = f"results/{experiment}/figures" if experiment else "figures"
            for item in (await client.get(f"/api/v1/{path}")).json()["items"]:
                svg = await client.get(f"/api/v1/figures/{item['id']}")
                assert svg.headers["content-type"] == "image/svg+xml"
                assert escape(f"{item['number']}: {item['title']}") in svg.text
                assert f'width="{item["width"]:g}pt" height="{item["height"]:g}pt"' in svg.text
                listed.append(item["id"])
    assert sorted(listed) == sorted(entry.id for entry in FIGURES if entry.draw is not None)


@pytest.mark.slow
async def test_a_quick_run_is_a_job_whose_record_is_the_users_own(tmp_path: Path) -> None:
    own = settings(tmp_path).data_dir / OWN_RECORDS
    async with serving(settings(tmp_path)) as client:
        job = await ended(client, await start(client, "reproductions", {"experiment": "smfr-inspect"}))
        assert job["kind"] == "reproduction" and job["result"] == f"/api/v1/reproductions/{job['id']}"
        name = (await client.get(job["result"])).json()["file"]
        (item,) = (row for row in (await client.get("/api/v1/results")).json()["items"] if row["id"] == "smfr-inspect")
        (made,) = (run for run in item["runs"] if run["file"] == name)
        assert made["quick"] and not made["used"] and made["command"] == "routescope reproduce smfr-inspect --quick"
        (file,) = own.iterdir()
        assert f"own/{file.name}" == name and read_record(file).quick
        file.unlink()
        again = await client.post("/api/v1/reproductions", json={"experiment": "smfr-inspect"})
        assert again.status_code == 200 and file.exists(), "the same request is the same run, and its record is there"


async def test_a_quick_run_that_takes_long_is_refused_with_the_command(tmp_path: Path) -> None:
    async with serving(settings(tmp_path)) as client:
        items = (await client.get("/api/v1/results")).json()["items"]
        refused = {item["id"]: item["quick_refused"] for item in items if item["quick_refused"]}
        assert {name for name, seconds in SECONDS.items() if seconds > LONGEST} == set(
            refused
        ) and "ni-sweep" in refused
        for name, words in {**refused, "no-such": "There is no experiment"}.items():
            answer = await client.post("/api/v1/reproductions", json={"experiment": name})
            assert answer.status_code == 422 and answer.json()["detail"].startswith(words)


@pytest.mark.slow
async def test_a_cancelled_quick_run_leaves_no_process_and_no_record(tmp_path: Path) -> None:
    async with serving(settings(tmp_path)) as client:
        job = await start(client, "reproductions", {"experiment": "ni-drop"})
        while job["state"] == "queued" or (job["state"] == "running" and not job["total"]):
            job = (await client.get(f"/api/v1/jobs/{job['id']}")).json()
            await asyncio.sleep(0.1)
        assert (await client.delete(f"/api/v1/jobs/{job['id']}")).json()["state"] == "cancelled"
    assert not (settings(tmp_path).data_dir / OWN_RECORDS).exists()
    assert str(tmp_path) not in run(["ps", "-eo", "args"], capture_output=True, text=True).stdout
