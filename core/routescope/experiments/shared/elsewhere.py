"""Runs an experiment on a Ray cluster: in an actor on one of its nodes, and on another one where that is lost.

The journal is here: each measurement is on this machine's disk as soon as it is told, so that neither a lost node nor
the end of this process loses any. Files that the run keeps come with it, unless both have the same folder.
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

import torch

from routescope import __version__
from routescope.experiments.shared.frame import Progress, digest_of, folder_of, folder_that_stays, journal_path
from routescope.experiments.shared.journal import Journal
from routescope.experiments.shared.runner import RUN, STAYS, FileOfRun, Runner, RunRequest, put
from routescope.training.cluster import VARIABLE, ClusterError, join, last_line, ray_library

log = logging.getLogger(__name__)
#: The environment variable that says how much of a GPU an actor asks for; the service's has the same name.
GPUS = "ROUTESCOPE_RAY_ACTOR_GPUS"
#: Seconds in which there must be room for an actor, and it must have said that it is there.
START_SECONDS = 300.0
#: Seconds that an actor waits for news before it says that there are none.
NEWS_SECONDS = 1.0
#: Actors that may be lost one after the other without a measurement.
MOST_LOST = 4
#: Bytes of a file that travel at once.
PIECE = 8 * 2**20
#: Errors of an experiment that are what was asked for, and are told without a traceback.
EXPLAINED = frozenset({"DataError", "UnknownModel", "CheckpointError", "FrozenWeightsError", "MissingLibrary"})


class Elsewhere:
    """One run on a cluster; joined while it is entered.

    Attributes:
        digest: of the run's identity, once it is known.

    Args:
        address: of the cluster; see ``routescope.training.cluster.join``.
        asked: what is to run.
        progress: told of every measurement; an exception that it raises stops the run, and nothing measured is lost.
    """

    def __init__(self, address: str, asked: RunRequest, progress: Progress | None = None) -> None:
        self._address, self._asked, self._progress = address, asked, progress
        self._ray = ray_library(address)
        self._own = not self._ray.is_initialized()
        self._scratch: Path | None = None
        self._actor: Any = None
        self._journal: Journal | None = None
        self._received: set[str] = set()
        self._common = False
        self.digest = ""

    def __enter__(self) -> Self:
        if self._own:
            self._scratch = Path(tempfile.mkdtemp(prefix="rs-"))  # short, as names of sockets in it are bounded
            try:
                join(self._ray, self._address, self._scratch)
            except ClusterError:
                shutil.rmtree(self._scratch, ignore_errors=True)
                raise
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        self._end_actor()
        if self._own:
            self._ray.shutdown()
        if self._scratch is not None:
            shutil.rmtree(self._scratch, ignore_errors=True)

    def run(self) -> dict[str, Any]:
        """The record.

        Raises:
            ClusterError: no room for an actor, other versions on its node, a cluster that does not answer, too many
                actors lost without a measurement, or an experiment that failed.
        """
        asked, since = self._asked, 0
        while True:
            before = len(self._received)
            try:
                return self._ran(asked)
            except self._ray.exceptions.RayActorError as error:
                since = since + 1 if len(self._received) == before else 1
                if since >= MOST_LOST:
                    raise ClusterError(f"{since} actors of the Ray cluster were lost without a measurement") from error
                log.warning("the node of an experiment is gone, it goes on on another one: %s", last_line(error))
            except (ConnectionError, self._ray.exceptions.RayError) as error:
                told = f"the Ray cluster does not answer ({last_line(error)}); the same command goes on"
                raise ClusterError(told) from error
            self._end_actor()
            asked = replace(asked, resume=True)  # what a run that begins anew is to forget is forgotten

    def finish(self) -> None:
        """Forget the partial results, here and there: call it when the record is written."""
        try:
            self._ray.get(self._actor.finish.remote())
        except self._ray.exceptions.RayError as error:
            log.warning("what the run kept stays on its node: %s", last_line(error))
        if self._journal is not None:
            self._journal.clear()
            shutil.rmtree(folder_of(self._journal.path), ignore_errors=True)

    def _ran(self, asked: RunRequest) -> dict[str, Any]:
        earlier = len(self._received)
        self._actor = actor = self._new_actor(asked)
        self._ray.get(actor.start.remote())
        after, record = 0, None
        while record is None:
            news = self._ray.get(actor.events.remote(after, NEWS_SECONDS))
            for event in news["events"]:
                after += 1
                what = event["what"]
                if what == "opened":
                    self._open(actor, event["identity"])
                elif what == "measured":
                    self._keep(actor, event)
                elif what == "failed":
                    raise _failure(event)
                else:
                    record = self._ended(actor, event, earlier)
            if self._progress is not None:  # the end too: it comes with the last measurement at times
                self._progress(*news["progress"])
        return record

    def _new_actor(self, asked: RunRequest) -> Any:
        options = {"num_cpus": asked.threads, "num_gpus": float(os.environ.get(GPUS) or 0), "max_restarts": 0}
        actor = self._ray.remote(**options, max_concurrency=4, scheduling_strategy="SPREAD")(Runner).remote(
            asked.as_json()
        )
        try:
            about = self._ray.get(actor.about.remote(), timeout=START_SECONDS)
        except self._ray.exceptions.GetTimeoutError as error:
            self._ray.kill(actor)
            room = f"{asked.threads} processor" + ("s" if asked.threads > 1 else "")
            raise ClusterError(
                f"no node of the Ray cluster had {room} free in {START_SECONDS:g} s: OMP_NUM_THREADS says how many it"
                f" asks for, {GPUS} how much of a GPU"
            ) from error
        for name, own, there in (
            ("Routescope", __version__, about["version"]),
            ("PyTorch", torch.__version__, about["torch"]),
        ):
            if own != there:
                self._ray.kill(actor)
                raise ClusterError(f"the nodes of the Ray cluster have {name} {there}, and this machine {own}")
        return actor

    def _end_actor(self) -> None:
        if self._actor is not None:
            self._ray.kill(self._actor)
            self._actor = None

    def _open(self, actor: Any, identity: Mapping[str, Any]) -> None:
        """Say what an interrupted run measured, and bring the files that it kept."""
        digest = digest_of(identity)
        if self._journal is None:
            self.digest = digest
            self._journal = Journal(journal_path(self._asked.experiment, digest), identity)
            if not self._asked.resume:
                self._journal.clear()
                shutil.rmtree(folder_of(self._journal.path), ignore_errors=True)
        elif digest != self.digest:
            raise ClusterError("the nodes of the Ray cluster have other data or models: the run cannot go on there")
        self._common = self._has_our_folder(actor)
        there = {(each.folder, each.name): each for each in self._files(actor)}
        for file, path in () if self._common else self._own_files():
            if there.get((file.folder, file.name)) != file:
                for start, content in _pieces(path):
                    self._ray.get(actor.write.remote(asdict(file), start, content))
        self._ray.get(actor.take.remote(self._journal.text() if self._journal.entries else ""))

    def _keep(self, actor: Any, event: Mapping[str, Any]) -> None:
        assert self._journal is not None
        self._journal.add(event["key"], event["result"], event["seconds"])
        self._received.add(event["key"])
        self._fetch(actor)

    def _ended(self, actor: Any, event: Mapping[str, Any], earlier: int) -> dict[str, Any]:
        self._fetch(actor)
        self.digest = digest_of(event["identity"])
        record: dict[str, Any] = event["record"]
        # What this run measured on a node that it lost is its own.
        record["measurements"]["from_an_interrupted_run"] -= earlier
        return record

    # -- files of the run --------------------------------------------------------------------------------------

    def _has_our_folder(self, actor: Any) -> bool:
        """Whether the node's data folder is this machine's: a file that is put here is seen there."""
        root = self._folders()[RUN]
        root.mkdir(parents=True, exist_ok=True)
        with tempfile.NamedTemporaryFile(dir=root, prefix="common-") as mark:
            return any(each.name == Path(mark.name).name for each in self._files(actor))

    def _files(self, actor: Any) -> list[FileOfRun]:
        return [FileOfRun(**each) for each in self._ray.get(actor.files.remote())]

    def _folders(self) -> dict[str, Path]:
        assert self._journal is not None
        return {RUN: folder_of(self._journal.path), STAYS: folder_that_stays(self._journal.path)}

    def _own_files(self) -> Iterator[tuple[FileOfRun, Path]]:
        for folder, root in self._folders().items():
            for path in sorted(root.rglob("*")):
                if path.is_file():
                    about = path.stat()
                    name = path.relative_to(root).as_posix()
                    yield FileOfRun(folder, name, about.st_size, about.st_mtime_ns), path

    def _fetch(self, actor: Any) -> None:
        """Have here what the run has there."""
        if self._common:
            return
        here = {file for file, _ in self._own_files()}
        for file in self._files(actor):
            start = 0
            while file not in here and (start < file.size or not start):
                content = self._ray.get(actor.read.remote(file.folder, file.name, start, PIECE))
                if not content and file.size:
                    break  # it has moved on, and comes with the next measurement
                put(self._folders()[file.folder], file, start, content)
                start += max(1, len(content))


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
