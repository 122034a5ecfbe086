"""An experiment on a Ray cluster of two nodes: its record is that of this machine, also when a node is killed."""

import json
import shutil
import threading
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
import torch
from typer.testing import CliRunner

from routescope.cli import build
from routescope.experiments import reproduce
from routescope.experiments.shared import elsewhere
from routescope.experiments.shared.frame import Extent
from routescope.experiments.shared.runner import FileOfRun, Runner, RunRequest, put
from routescope.training.cluster import VARIABLE, ClusterError
from tests.clusters import joined_cluster

#: Three data sets, 32 subsets of functions each.
ID, ALL = "ni-drop", 96


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("elsewhere")


@pytest.fixture(scope="module")
def cluster(place: Path) -> Iterator[Any]:
    """A head that computes nothing and two nodes with a processor each, whose data folder is their own."""
    with joined_cluster(head_processors=0, nodes=2, ROUTESCOPE_DATA_DIR=str(place / "nodes")) as made:
        yield made


@pytest.fixture(autouse=True)
def _small(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("ROUTESCOPE_DATA_DIR", str(tmp_path / "here"))
    monkeypatch.delenv(VARIABLE, raising=False)


@pytest.mark.slow
def test_a_cluster_that_is_not_there(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """First, while this process is on none."""
    monkeypatch.setenv(VARIABLE, "127.0.0.1:1")
    with pytest.raises(ClusterError, match="there is no Ray cluster at '127.0.0.1:1'"):
        reproduce(ID, Extent(quick=True), folder=tmp_path)


def told(record: dict[str, Any]) -> dict[str, Any]:
    """All but what says time and machine."""
    return {name: value for name, value in record.items() if name not in {"seconds", "date"}}


def node_of_the_actor(cluster: Any) -> Any:
    """The node on which the one living actor is."""
    from ray._private.state import actors

    (alive,) = [each for each in actors().values() if each["State"] == "ALIVE"]
    return next(node for node in cluster.worker_nodes if node.node_id == alive["Address"]["NodeID"])


@pytest.mark.slow
def test_a_node_is_killed_and_the_record_is_the_same(
    cluster: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """An interruption, then a killed node: neither loses a measurement, and each is told as it is here."""
    threads = torch.get_num_threads()
    torch.set_num_threads(1)  # as many as a node has processors
    try:
        expected, file = reproduce(ID, Extent(quick=True), folder=tmp_path / "local")
        monkeypatch.setenv(VARIABLE, cluster.address)
        runs = tmp_path / "here" / "runs" / ID
        seen: list[tuple[int, int]] = []

        def until_interrupted(done: int, total: int, words: str) -> None:
            if done >= 10:
                raise KeyboardInterrupt

        with pytest.raises(KeyboardInterrupt):
            reproduce(ID, Extent(quick=True), folder=tmp_path / "there", progress=until_interrupted)
        (journal,) = runs.glob("*.jsonl")
        kept = len(journal.read_text().splitlines()) - 1
        assert 10 <= kept < ALL
        killed: list[Any] = []

        def kill(done: int, total: int, words: str) -> None:
            seen.append((done, total))
            if done >= 40 and not killed:
                killed.append(node_of_the_actor(cluster))
                cluster.remove_node(killed[0], allow_graceful=False)

        record, there = reproduce(ID, Extent(quick=True), folder=tmp_path / "there", progress=kill)
        assert killed and seen[-1] == (ALL, ALL) and max(done for done, _ in seen) == ALL
        assert record["measurements"] == {"all": ALL, "from_an_interrupted_run": kept}
        record["measurements"] = expected["measurements"]
        assert told(record) == told(expected) and there.name == file.name
        assert told(json.loads(there.read_text()))["tables"] == expected["tables"]
        assert not list(runs.glob("*")) and not list(tmp_path.rglob("*.arriving"))
    finally:
        torch.set_num_threads(threads)


@pytest.mark.slow
def test_what_it_trains_comes_back(cluster: Any, place: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Files of the run are on this machine, and where the folder is common they are not copied."""
    asked = RunRequest(ID, Extent(quick=True))
    with elsewhere.Elsewhere(cluster.address, asked) as there:
        there._actor = actor = there._new_actor(asked)
        there._ray.get(actor.start.remote())
        events: list[dict[str, Any]] = []
        while not events:  # first there is news of how much there is to measure
            events = there._ray.get(actor.events.remote(0, 60.0))["events"]
        (opened,) = events
        assert opened["what"] == "opened"
        digest = elsewhere.digest_of(opened["identity"])
        own, theirs = (each / "runs" / ID for each in (tmp_path / "here", place / "nodes"))
        (own / digest).mkdir(parents=True)
        (own / digest / "state.safetensors").write_bytes(b"from before")
        there._open(actor, opened["identity"])
        assert not there._common and (theirs / digest / "state.safetensors").read_bytes() == b"from before"
        networks = theirs / f"{digest}.networks" / "ni-0"
        networks.mkdir(parents=True)
        monkeypatch.setattr(elsewhere, "PIECE", 1000)
        (networks / "model.safetensors").write_bytes(bytes(range(256)) * 10)
        (networks / "empty").touch()
        there._fetch(actor)
        for name in ("model.safetensors", "empty"):
            copy = own / f"{digest}.networks" / "ni-0" / name
            assert copy.read_bytes() == (networks / name).read_bytes()
        with pytest.MonkeyPatch.context() as patch:
            patch.setenv("ROUTESCOPE_DATA_DIR", str(place / "nodes"))
            there._journal = elsewhere.Journal(theirs / f"{digest}.jsonl", opened["identity"])
            assert there._has_our_folder(actor)
        shutil.rmtree(networks.parent)


@pytest.mark.slow
def test_the_command_says_what_is_wrong(cluster: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(VARIABLE, cluster.address)
    runner = CliRunner()
    folder = ["--output", str(tmp_path / "results")]
    missing = runner.invoke(build(), ["reproduce", ID, "--quick", "--data", "mnist=/nowhere", *folder])
    assert missing.exit_code == 2 and "on a node of the cluster that ROUTESCOPE_RAY_ADDRESS names" in missing.output
    monkeypatch.setattr(elsewhere, "__version__", "of tomorrow")
    other = runner.invoke(build(), ["reproduce", ID, "--quick", *folder])
    assert other.exit_code == 2 and "this machine of tomorrow" in " ".join(other.output.split())
    monkeypatch.setattr(elsewhere, "START_SECONDS", 2.0)
    torch_threads = torch.get_num_threads
    monkeypatch.setattr(torch, "get_num_threads", lambda: 64)
    with pytest.raises(ClusterError, match="no node of the Ray cluster had 64 processors free"):
        reproduce(ID, Extent(quick=True), folder=tmp_path / "results")
    assert torch_threads() < 64


# -- without Ray -----------------------------------------------------------------------------------------------


def test_the_end_is_progress_too_where_it_comes_with_the_last_measurement(monkeypatch: pytest.MonkeyPatch) -> None:
    def called(answer: Any) -> SimpleNamespace:
        return SimpleNamespace(remote=lambda *_: answer)

    news = {"events": [{"what": "ended", "record": {"id": ID}}], "progress": [ALL, ALL, "the last"]}
    actor = SimpleNamespace(start=called(None), events=called(news))
    heard: list[tuple[Any, ...]] = []
    there = elsewhere.Elsewhere("auto", RunRequest(ID), lambda *progress: heard.append(progress))
    monkeypatch.setattr(there, "_ray", SimpleNamespace(get=lambda answer: answer))
    monkeypatch.setattr(there, "_new_actor", lambda asked: actor)
    monkeypatch.setattr(there, "_ended", lambda actor, event, earlier: event["record"])
    assert there._ran(RunRequest(ID)) == {"id": ID} and heard == [(ALL, ALL, "the last")]


def test_a_runner_tells_plain_data_and_goes_on_from_a_journal(tmp_path: Path) -> None:
    def run(journal: str) -> tuple[list[dict[str, Any]], str]:
        runner = Runner(RunRequest("nac-points", Extent(quick=True)).as_json())
        runner._ran = lambda: runs(runner, journal)  # type: ignore[method-assign]
        runner.start()
        events: list[dict[str, Any]] = []
        while not events or events[-1]["what"] not in {"ended", "failed"}:
            events += runner.events(len(events), 5.0)["events"]
            if events and events[-1]["what"] == "opened":
                runner.take(journal)
        return json.loads(json.dumps(events)), runner._text  # type: ignore[attr-defined]

    def runs(runner: Any, journal: str) -> dict[str, Any]:
        held = runner._journal(tmp_path / "none.jsonl", {"experiment": "x"})
        for key in ("one", "two"):
            if held.get(key) is None:
                held.add(key, {"value": len(key)}, 0.5)
        runner._text = held.text()
        held.clear()
        assert len(held.entries) == 2, "they were sent"
        if journal == "":
            return {"record": {}, "identity": {}}
        raise ValueError("no more")

    events, text = run("")
    assert [each["what"] for each in events] == ["opened", "measured", "measured", "ended"]
    lines = text.splitlines(keepends=True)
    events, _ = run("".join(lines[:2]))
    assert [each["what"] for each in events] == ["opened", "measured", "failed"]
    assert events[1]["key"] == "two" and events[2]["error"] == "ValueError" and "no more" in events[2]["traceback"]
    assert not list(tmp_path.iterdir())


def test_a_file_stays_in_its_folder_and_is_in_place_when_it_is_whole(tmp_path: Path) -> None:
    file = FileOfRun("run", "a/b.bin", 6, 1_700_000_000_000_000_000)
    put(tmp_path / "run", file, 0, b"abc")
    assert not (tmp_path / "run" / "a" / "b.bin").exists()
    put(tmp_path / "run", file, 3, b"def")
    made = tmp_path / "run" / "a" / "b.bin"
    assert made.read_bytes() == b"abcdef" and made.stat().st_mtime_ns == file.changed
    assert [*made.parent.iterdir()] == [made]
    for name in ("../c", "/etc/c", "a/../../c"):
        with pytest.raises(ValueError, match="leads out"):
            put(tmp_path / "run", FileOfRun("run", name, 1, 1), 0, b"x")


def test_news_are_waited_for() -> None:
    runner = Runner(RunRequest(ID).as_json())
    assert runner.events(0, 0.01) == {"events": [], "progress": [0, 0, ""]}
    threading.Timer(0.05, runner._advance, (1, 2, "x")).start()
    assert runner.events(0, 30.0)["progress"] == [1, 2, "x"]
