"""An experiment on a Ray cluster: its record is that of this machine, also if it is interrupted and a node is lost."""

import json
import threading
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
import torch

from routescope.experiments import reproduce
from routescope.experiments.shared import cluster_run
from routescope.experiments.shared.frame import Extent, digest_of
from routescope.experiments.shared.journal import Journal
from routescope.experiments.shared.runner import RunFile, Runner, RunRequest, write_piece
from routescope.training.cluster import VARIABLE, ClusterError
from tests.clusters import joined_cluster

#: An experiment of 39 measurements: 13 numbers of iterations on three data sets.
ID, ALL, QUICK = "ni-anytime", 39, Extent(quick=True)


@pytest.fixture(autouse=True)
def _own_folder(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("ROUTESCOPE_DATA_DIR", str(tmp_path / "here"))
    monkeypatch.delenv(VARIABLE, raising=False)


def timeless(record: dict[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in record.items() if name not in {"seconds", "date"}}


def node_of_the_actor(cluster: Any) -> Any:
    from ray._private.state import actors

    (alive,) = [actor for actor in actors().values() if actor["State"] == "ALIVE"]
    return next(node for node in cluster.worker_nodes if node.node_id == alive["Address"]["NodeID"])


@pytest.mark.slow
def test_an_interrupted_run_whose_node_is_lost_has_the_same_record(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Neither the interruption nor the loss costs a measurement. The nodes have a data folder of their own."""
    threads = torch.get_num_threads()
    torch.set_num_threads(1)  # the processors of a node
    try:
        expected, file = reproduce(ID, QUICK, folder=tmp_path / "local")
        with joined_cluster(0, nodes=2, ROUTESCOPE_DATA_DIR=str(tmp_path / "nodes")) as cluster:
            monkeypatch.setenv(VARIABLE, cluster.address)
            monkeypatch.setenv("ROUTESCOPE_DATA_DIR", str(tmp_path / "here"))
            lost: list[Any] = []

            def interrupt(done: int, total: int, words: str) -> None:
                if done >= 5:
                    raise KeyboardInterrupt

            def lose_node(done: int, total: int, words: str) -> None:
                if done >= 12 and not lost:
                    lost.append(node_of_the_actor(cluster))
                    cluster.remove_node(lost[0], allow_graceful=False)

            with pytest.raises(KeyboardInterrupt):
                reproduce(ID, QUICK, folder=tmp_path / "cluster", progress=interrupt)
            runs = tmp_path / "here" / "runs" / ID
            (journal,) = runs.glob("*.jsonl")
            kept = len(journal.read_text().splitlines()) - 1
            assert 5 <= kept < ALL
            record, path = reproduce(ID, QUICK, folder=tmp_path / "cluster", progress=lose_node)
            monkeypatch.setattr(cluster_run, "START_SECONDS", 1.0)
            monkeypatch.setattr(torch, "get_num_threads", lambda: 64)
            with pytest.raises(ClusterError, match="no node of the Ray cluster had 64 processors free in 1 s: OMP_NUM"):
                reproduce(ID, QUICK, folder=tmp_path / "cluster")
        assert lost and record["measurements"] == {"all": ALL, "from_an_interrupted_run": kept}
        record["measurements"] = expected["measurements"]
        assert timeless(record) == timeless(expected) and path.name == file.name
        assert json.loads(path.read_text()) == record | {"measurements": json.loads(path.read_text())["measurements"]}
        assert not list(runs.glob("*")) and not list(tmp_path.rglob("*.arriving"))
    finally:
        torch.set_num_threads(threads)


def test_a_cluster_that_is_not_there_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(VARIABLE, "127.0.0.1:1")
    with pytest.raises(ClusterError, match="there is no Ray cluster at '127.0.0.1:1'"):
        reproduce(ID, QUICK, folder=tmp_path)


# -- without Ray -----------------------------------------------------------------------------------------------


def run_in(actor: Any, monkeypatch: pytest.MonkeyPatch, progress: Any = None) -> dict[str, Any]:
    run = cluster_run.ClusterRun("auto", RunRequest(ID), progress)
    monkeypatch.setattr(run, "_start_actor", lambda request: actor)
    monkeypatch.setattr(run, "_finished", lambda actor, event, earlier: event["record"])
    return run._run_in_actor(RunRequest(ID))


def test_the_last_event_reports_progress_too(monkeypatch: pytest.MonkeyPatch) -> None:
    news = {"events": [{"what": "ended", "record": {"id": ID}}], "progress": [ALL, ALL, "the last"]}
    actor = SimpleNamespace(ask=lambda method, *_: news if method == "events" else None)
    heard: list[tuple[Any, ...]] = []
    assert run_in(actor, monkeypatch, lambda *progress: heard.append(progress)) == {"id": ID}
    assert heard == [(ALL, ALL, "the last")]


@pytest.mark.parametrize(
    ("error", "message"),
    [
        ("DataError", f"on a node of the cluster that {VARIABLE} names: no data"),
        ("KeyError", "the experiment failed on a node of the cluster:\nTraceback"),
    ],
)
def test_an_error_on_a_node_is_explained(error: str, message: str, monkeypatch: pytest.MonkeyPatch) -> None:
    event = {"what": "failed", "error": error, "text": "no data", "traceback": "Traceback"}
    actor = SimpleNamespace(ask=lambda *_: {"events": [event], "progress": [0, 0, ""]})
    with pytest.raises(ClusterError) as caught:
        run_in(actor, monkeypatch)
    assert str(caught.value) == message


@pytest.mark.parametrize("same_folder", [False, True])
def test_files_of_a_run_are_copied_unless_the_folder_is_the_same(
    same_folder: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    runner, identity = Runner(RunRequest(ID).as_json()), {"experiment": ID}
    actor: Any = SimpleNamespace(ask=lambda method, *arguments: getattr(runner, method)(*arguments))
    run = cluster_run.ClusterRun("auto", RunRequest(ID))
    digest = digest_of(identity)
    here, there = (tmp_path / name / "runs" / ID for name in ("here", "here" if same_folder else "node"))
    theirs = {"run": there / digest, "stays": there / f"{digest}.networks"}
    monkeypatch.setattr(runner, "_folders", lambda: theirs)
    (here / digest).mkdir(parents=True)
    (here / digest / "state.safetensors").write_bytes(b"from before")
    run._open(actor, identity)
    assert run._same_folder == same_folder
    assert (there / digest / "state.safetensors").read_bytes() == b"from before"
    monkeypatch.setattr(cluster_run, "PIECE", 1000)
    network = theirs["stays"] / "ni-0"
    network.mkdir(parents=True)
    (network / "model.safetensors").write_bytes(bytes(range(256)) * 10)
    (network / "empty").touch()
    run._keep(actor, {"key": "one", "result": {}, "seconds": 0.5})
    for name in ("model.safetensors", "empty"):
        copied = here / f"{digest}.networks" / "ni-0" / name
        assert copied.read_bytes() == (network / name).read_bytes()
    assert Journal(here / f"{digest}.jsonl", identity).entries.keys() == {"one"}


def test_a_runner_tells_plain_data_and_goes_on_from_a_journal(tmp_path: Path) -> None:
    def run(journal: str) -> tuple[list[dict[str, Any]], str]:
        runner = Runner(RunRequest("nac-points", Extent(quick=True)).as_json())
        runner._result = lambda: runs(runner, journal)  # type: ignore[method-assign]
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
    file = RunFile("run", "a/b.bin", 6, 1_700_000_000_000_000_000)
    write_piece(tmp_path / "run", file, 0, b"abc")
    assert not (tmp_path / "run" / "a" / "b.bin").exists()
    write_piece(tmp_path / "run", file, 3, b"def")
    made = tmp_path / "run" / "a" / "b.bin"
    assert made.read_bytes() == b"abcdef" and made.stat().st_mtime_ns == file.changed
    assert [*made.parent.iterdir()] == [made]
    for name in ("../c", "/etc/c", "a/../../c"):
        with pytest.raises(ValueError, match="leads out"):
            write_piece(tmp_path / "run", RunFile("run", name, 1, 1), 0, b"x")


def test_news_are_waited_for() -> None:
    runner = Runner(RunRequest(ID).as_json())
    assert runner.events(0, 0.01) == {"events": [], "progress": [0, 0, ""]}
    threading.Timer(0.05, runner._advance, (1, 2, "x")).start()
    assert runner.events(0, 30.0)["progress"] == [1, 2, "x"]
