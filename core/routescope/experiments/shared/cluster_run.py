"""Run an experiment on a Ray cluster: in an actor on a node, and in another actor if that node is lost.

The journal is on this machine: each measurement is written to disk as soon as it is reported, so that neither a lost
node nor the end of this process loses one. Files that the run keeps are copied here, unless the node has the same data
folder.
"""

import logging
import os
import shutil
import tempfile
from collections.abc import Iterator, Mapping
from dataclasses import asdict, replace
from pathlib import Path
from types import TracebackType
from typing import Any, Self

from routescope.experiments.shared.frame import Progress, digest_of, folder_of, folder_that_stays, journal_path
from routescope.experiments.shared.journal import Journal
from routescope.experiments.shared.runner import RUN, STAYS, RunFile, Runner, RunRequest, files_in, write_piece
from routescope.training.cluster import VARIABLE, ActorLost, Cluster, ClusterActor, ClusterError, NoAnswer, NoRoom

log = logging.getLogger(__name__)
#: The environment variable for the GPUs of an actor, or a share of one; the service's has the same name.
GPUS = "ROUTESCOPE_RAY_ACTOR_GPUS"
#: Seconds to wait for a node with room for the actor.
START_SECONDS = 300.0
#: Seconds that the actor waits for an event before it answers without one.
EVENT_SECONDS = 1.0
#: Actors in a row that may be lost without a measurement.
MOST_LOST = 4
#: Bytes of a file that are sent at once.
PIECE = 8 * 2**20
#: Errors of an experiment whose message suffices without a traceback.
EXPLAINED = frozenset({"DataError", "UnknownModel", "CheckpointError", "FrozenWeightsError", "MissingLibrary"})


class ClusterRun:
    """One run of an experiment on a cluster, which is joined while this object is entered.

    Attributes:
        digest: of the run's identity, as soon as the actor has reported it.

    Args:
        address: of the cluster; see ``routescope.training.cluster.join``.
        progress: called with every measurement; an exception that it raises stops the run, and no measurement is lost.
    """

    def __init__(self, address: str, request: RunRequest, progress: Progress | None = None) -> None:
        self._request, self._progress = request, progress
        self._cluster = Cluster(address)
        self._actor: ClusterActor | None = None
        self._journal: Journal | None = None
        self._received: set[str] = set()
        self._same_folder = False
        self.digest = ""

    def __enter__(self) -> Self:
        self._cluster.open()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        self._stop_actor()
        self._cluster.close()

    def run(self) -> dict[str, Any]:
        """Return the record of the run.

        Raises:
            ClusterError: no room for an actor, other versions on its node, a cluster that does not answer, too many
                actors lost without a measurement, or an experiment that failed.
        """
        request, lost = self._request, 0
        while True:
            before = len(self._received)
            try:
                return self._run_in_actor(request)
            except ActorLost as error:
                lost = lost + 1 if len(self._received) == before else 1
                if lost >= MOST_LOST:
                    raise ClusterError(f"{lost} actors of the Ray cluster were lost without a measurement") from error
                log.warning("the node of an experiment is lost; the run continues on another node: %s", error)
            except NoAnswer as error:
                raise ClusterError(f"{error}; run the same command again to continue") from error
            self._stop_actor()
            request = replace(request, resume=True)  # earlier results, if unwanted, are deleted by now

    def finish(self) -> None:
        """Delete the partial results here and on the node: call it when the record is written."""
        assert self._actor is not None
        try:
            self._actor.ask("finish")
        except ClusterError as error:
            log.warning("the files of the run stay on its node: %s", error)
        if self._journal is not None:
            self._journal.clear()
            shutil.rmtree(folder_of(self._journal.path), ignore_errors=True)

    def _run_in_actor(self, request: RunRequest) -> dict[str, Any]:
        earlier = len(self._received)
        self._actor = actor = self._start_actor(request)
        actor.ask("start")
        count, record = 0, None
        while record is None:
            news = actor.ask("events", count, EVENT_SECONDS)
            count += len(news["events"])
            for event in news["events"]:
                match event["what"]:
                    case "opened":
                        self._open(actor, event["identity"])
                    case "measured":
                        self._keep(actor, event)
                    case "failed":
                        raise _failure(event)
                    case _:
                        record = self._finished(actor, event, earlier)
            if self._progress is not None:  # also with the last event, which may bring the last measurement
                self._progress(*news["progress"])
        return record

    def _start_actor(self, request: RunRequest) -> ClusterActor:
        gpus = float(os.environ.get(GPUS) or 0)
        try:
            return self._cluster.start_actor(Runner, request.as_json(), request.threads, gpus, 4, START_SECONDS)
        except NoRoom as error:
            raise ClusterError(
                f"{error}: OMP_NUM_THREADS sets the processors that it needs, {GPUS} the GPUs"
            ) from error

    def _stop_actor(self) -> None:
        if self._actor is not None:
            self._actor.stop()
            self._actor = None

    def _open(self, actor: ClusterActor, identity: Mapping[str, Any]) -> None:
        """Send the measurements and files of an interrupted run."""
        digest = digest_of(identity)
        if self._journal is None:
            self.digest = digest
            self._journal = Journal(journal_path(self._request.experiment, digest), identity)
            if not self._request.resume:
                self._journal.clear()
                shutil.rmtree(folder_of(self._journal.path), ignore_errors=True)
        elif digest != self.digest:
            raise ClusterError("the nodes of the Ray cluster have other data or models: the run cannot continue there")
        self._same_folder = self._shares_folder(actor)
        on_node = set(_files_on(actor))
        for file in () if self._same_folder else files_in(self._folders()):
            if file not in on_node:
                for start, content in _pieces(self._folders()[file.folder] / file.name):
                    actor.ask("write", asdict(file), start, content)
        actor.ask("take", self._journal.text() if self._journal.entries else "")

    def _keep(self, actor: ClusterActor, event: Mapping[str, Any]) -> None:
        assert self._journal is not None
        self._journal.add(event["key"], event["result"], event["seconds"])
        self._received.add(event["key"])
        self._fetch(actor)

    def _finished(self, actor: ClusterActor, event: Mapping[str, Any], earlier: int) -> dict[str, Any]:
        self._fetch(actor)
        self.digest = digest_of(event["identity"])
        record: dict[str, Any] = event["record"]
        # Measurements of this run on a lost node are not those of an interrupted run.
        record["measurements"]["from_an_interrupted_run"] -= earlier
        return record

    # -- files of the run --------------------------------------------------------------------------------------

    def _shares_folder(self, actor: ClusterActor) -> bool:
        """Return whether the node has this machine's data folder: it then sees a file that is made here."""
        root = self._folders()[RUN]
        root.mkdir(parents=True, exist_ok=True)
        with tempfile.NamedTemporaryFile(dir=root, prefix="common-") as mark:
            return any(file.name == Path(mark.name).name for file in _files_on(actor))

    def _folders(self) -> dict[str, Path]:
        assert self._journal is not None
        return {RUN: folder_of(self._journal.path), STAYS: folder_that_stays(self._journal.path)}

    def _fetch(self, actor: ClusterActor) -> None:
        """Copy the files of the run from the node."""
        if self._same_folder:
            return
        here = set(files_in(self._folders()))
        for file in _files_on(actor):
            start = 0
            while file not in here and (start < file.size or not start):
                content = actor.ask("read", file.folder, file.name, start, PIECE)
                if not content and file.size:
                    break  # the file was replaced, and comes with the next measurement
                write_piece(self._folders()[file.folder], file, start, content)
                start += max(1, len(content))


def _files_on(actor: ClusterActor) -> list[RunFile]:
    return [RunFile(**fields) for fields in actor.ask("files")]


def _pieces(path: Path) -> Iterator[tuple[int, bytes]]:
    with path.open("rb") as file:
        start = 0
        while (content := file.read(PIECE)) or not start:
            yield start, content
            start += max(1, len(content))


def _failure(event: Mapping[str, Any]) -> ClusterError:
    if event["error"] in EXPLAINED:
        return ClusterError(f"on a node of the cluster that {VARIABLE} names: {event['text']}")
    return ClusterError(f"the experiment failed on a node of the cluster:\n{event['traceback']}")
