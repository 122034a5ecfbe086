"""A folder and a bucket keep the same: one contract, asked of both; the bucket by the protocol of S3 itself."""

import errno
import os
import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any, NoReturn

import pytest

from routescope_app.services.disk import DiskFull
from routescope_app.services.folders import OutsideFolder
from routescope_app.services.jobs.bucket_results import results_of
from routescope_app.services.jobs.results import Results
from routescope_app.services.storage.bucket import MARKER, BucketStorage
from routescope_app.services.storage.content import ContentFiles
from routescope_app.services.storage.opening import storage_of
from routescope_app.services.storage.storage import Storage, StorageUnreachable
from routescope_app.settings import DISK_SHARES
from tests.app.serving import settings
from tests.buckets import files_of

JOB, OTHER = "a" * 40, "b" * 40


@pytest.fixture(params=["folder", "bucket"])
def asked(request: pytest.FixtureRequest) -> dict[str, Any]:
    """Settings of either."""
    result: dict[str, Any] = request.getfixturevalue("bucket") if request.param == "bucket" else {}
    return result


@pytest.fixture
def made(storage: Storage, asked: dict[str, Any], tmp_path: Path) -> Results:
    """The results in it."""
    return results_of(settings(tmp_path, **asked), storage)


@pytest.fixture
def storage(asked: dict[str, Any], tmp_path: Path) -> Storage:
    made = storage_of(settings(tmp_path, **asked))
    made.check()
    return made


def results(folder: Path, asked: dict[str, Any], **changes: Any) -> Results:
    """Those of one machine, with its own folder where there is a bucket."""
    chosen = settings(folder, **asked | changes)
    return results_of(chosen, storage_of(chosen))


def work(made: Results, job: str, worker: str, content: bytes = b"x" * 10) -> None:
    folder = made.begin(job, worker)
    (folder / "result.json").write_bytes(content)
    (folder / "points.npy").write_bytes(b"y" * 5)


def test_what_is_put_is_there(storage: Storage, tmp_path: Path) -> None:
    assert storage.size("samples/a.png") is None
    with pytest.raises(FileNotFoundError):
        storage.get("samples/a.png")
    storage.put("samples/a.png", b"one")
    storage.put("samples/a.png", b"another")
    (tmp_path / "large").write_bytes(b"z" * 100_000)
    storage.put_file("samples/deep/b.png", tmp_path / "large")
    storage.put("samples-else/c.png", b"")
    assert (storage.size("samples/a.png"), storage.get("samples/a.png")) == (7, b"another")
    assert storage.size("samples/deep") is None, "what keys begin with is no key"
    storage.get_file("samples/deep/b.png", tmp_path / "back")
    assert (tmp_path / "back").read_bytes() == b"z" * 100_000
    with pytest.raises(FileNotFoundError):
        storage.get_file("samples/nowhere", tmp_path / "nowhere")
    result = storage.entries("samples")
    assert [(item.key, item.bytes) for item in result] == [("samples/a.png", 7), ("samples/deep/b.png", 100_000)]
    assert all(abs(datetime.now(UTC) - item.modified) < timedelta(minutes=1) for item in result)
    storage.remove("samples/a.png")
    storage.remove("samples/a.png")
    assert [item.key for item in storage.entries("samples")] == ["samples/deep/b.png"]
    assert not storage.entries("nothing") and storage.get("samples-else/c.png") == b""
    storage.answers()
    assert storage.local("samples/deep/b.png").read_bytes() == storage.local("samples/deep/b.png").read_bytes()
    storage.remove("samples/deep/b.png")
    with pytest.raises(FileNotFoundError):
        storage.local("samples/deep/b.png")


def test_only_keys_are_taken(storage: Storage) -> None:
    for key in ("", "/etc/passwd", "a/../b", "a//b", "a/", ".hidden", "a b", "a\0", "a\\b", "a" * 501):
        for ask in (lambda key: storage.put(key, b""), storage.get, storage.size, storage.remove, storage.entries):
            with pytest.raises(ValueError, match="a key is names"):
                ask(key)


def test_content_is_kept_once_by_its_hash_and_repaired(storage: Storage) -> None:
    files = ContentFiles(storage, "samples", ".png")
    digest = files.put(b"hello")
    assert files.put(b"hello") == digest and files.get(digest) == b"hello"
    storage.put(files.key(digest), b"he")  # as a full disk might leave it
    storage.put("samples/notes.txt", b"no picture")
    assert files.put(b"hello") == digest and files.get(digest) == b"hello"
    assert {name: entry.bytes for name, entry in files.kept().items()} == {digest: 5}
    for _ in range(2):
        files.remove(digest)
    with pytest.raises(FileNotFoundError):
        files.get(digest)
    for wrong in ("..", "../../x", "A" * 64, "g" * 64, "0" * 63):
        with pytest.raises(OutsideFolder):
            files.key(wrong)


def test_a_result_appears_whole(made: Results, storage: Storage) -> None:
    work(made, JOB, "host-1-aa")
    assert made.finish(JOB, "host-1-aa") == 15
    assert not made.has(JOB) and made.folder(JOB) is None
    made.place(JOB, "host-1-aa")
    made.place(JOB, "host-1-aa")
    folder = made.folder(JOB)
    assert made.has(JOB) and folder is not None
    assert {path.name: path.read_bytes() for path in folder.iterdir()} == {
        "result.json": b"x" * 10,
        "points.npy": b"y" * 5,
    }
    work(made, JOB, "host-1-bb", b"new")
    made.finish(JOB, "host-1-bb")
    made.place(JOB, "host-1-bb")
    folder = made.folder(JOB)
    assert folder is not None and (folder / "result.json").read_bytes() == b"new"
    made.remove(JOB)
    made.remove(JOB)
    assert not made.has(JOB) and made.folder(JOB) is None
    assert not storage.entries("results")
    work(made, JOB, "host-1-aa")
    made.finish(JOB, "host-1-aa")
    made.abandon(JOB, "host-1-aa")
    assert not made.names() and made.folder(JOB) is None, "abandoned work leaves nothing"


def test_what_no_job_has_is_removed(made: Results, storage: Storage) -> None:
    for job, worker in ((JOB, "host-1-aa"), (OTHER, "host-2-bb")):
        work(made, job, worker)
        made.finish(job, worker)
    made.place(JOB, "host-1-aa")
    work(made, JOB, "host-3-cc")
    made.finish(JOB, "host-3-cc")  # and it ended there
    made.clean(made.names(), {JOB}, [(OTHER, "host-2-bb")])
    made.place(OTHER, "host-2-bb")  # of one that was at work nothing went
    assert made.folder(JOB) is not None and made.folder(OTHER) is not None
    made.clean(made.names(), {JOB}, [])
    assert made.folder(JOB) is not None and made.folder(OTHER) is None
    assert sum(entry.bytes == 10 for entry in storage.entries("results")) == 1, "one result, of the first worker"


# -- of a bucket alone ---------------------------------------------------------------------------------------


def test_what_a_dead_machine_had_put_goes_but_for_results(bucket: dict[str, Any], tmp_path: Path) -> None:
    """Its worker ended after the last file and before the result was named; another takes the job."""
    dead, living = results(tmp_path / "dead", bucket), results(tmp_path / "living", bucket)
    for job in (JOB, OTHER):
        work(dead, job, "host-1-aa")
        dead.finish(job, "host-1-aa")
    dead.place(JOB, "host-1-aa")
    for job in (JOB, OTHER):
        living.abandon(job, "host-1-aa")
    assert living.folder(JOB) is not None and living.names() == {f"{JOB}/{name}" for name in named(bucket)}


def named(bucket: dict[str, Any]) -> set[str]:
    """Names of the folders that are results in a bucket."""
    keys = (key.split("/") for key in files_of(bucket).find(bucket["storage"]) if key.endswith("points.npy"))
    return {key[-2] for key in keys}


def test_machines_share_a_bucket_and_no_folder(
    bucket: dict[str, Any], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    here = results(tmp_path / "here", bucket)
    monkeypatch.setitem(DISK_SHARES, "results", 20)
    there = results(tmp_path / "there", bucket)
    for job, worker in ((JOB, "host-1-aa"), (OTHER, "host-1-bb")):
        work(here, job, worker)
        here.finish(job, worker)
        here.place(job, worker)
    first = there.folder(JOB)
    assert first is not None and (first / "points.npy").read_bytes() == b"y" * 5
    assert first.is_relative_to(tmp_path / "there") and there.folder(JOB) == first
    second = there.folder(OTHER)
    assert second is not None and second.is_dir() and not first.exists(), "copies take 20 bytes at most"
    assert there.folder(JOB) == first and first.is_dir() and not second.exists()
    there.remove(JOB)
    assert here.folder(JOB) is None and not here.has(JOB), "a copy is none once the result has gone"


def test_a_bucket_that_cannot_be_used_says_why_at_the_start_and_does_not_answer_later(
    bucket: dict[str, Any], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def of(**changes: str) -> Storage:
        return storage_of(settings(tmp_path, **bucket | changes))

    with pytest.raises(StorageUnreachable, match=r"s3://no-such-bucket cannot be used: .*not exist"):
        of(storage="s3://no-such-bucket").check()
    storage = of()
    storage.check()
    storage.put("samples/a.png", b"one")
    root = bucket["storage"].removeprefix("s3://")
    assert files_of(bucket).find(root) == [f"{root}/{MARKER}", f"{root}/samples/a.png"], "below its prefix"
    files_of(bucket).rm(root.partition("/")[0], recursive=True)
    for ask in (lambda: storage.get("samples/a"), lambda: storage.put("samples/a", b""), storage.answers):
        with pytest.raises(StorageUnreachable, match="does not answer"):
            ask()
    with closed_port() as port, pytest.raises(StorageUnreachable, match=f"cannot be used: .*127.0.0.1:{port}"):
        of(storage_endpoint=f"http://127.0.0.1:{port}").check()
    monkeypatch.setattr("routescope_app.services.storage.bucket.SECONDS", 0.2)
    with socket.create_server(("127.0.0.1", 0)) as silent, pytest.raises(StorageUnreachable) as caught:
        of(storage_endpoint=f"http://127.0.0.1:{silent.getsockname()[1]}").put("samples/a", b"")
    assert caught.value.retry_after == 2 and "127.0.0.1" not in caught.value.detail


def test_a_full_bucket_is_a_full_disk(bucket: dict[str, Any], tmp_path: Path) -> None:
    """A server that answers everything as MinIO does where its disks are full."""
    message = b"<Error><Code>XMinioStorageFull</Code><Message>Storage backend has reached its limit</Message></Error>"
    head = f"HTTP/1.1 507 Insufficient Storage\r\nContent-Type: application/xml\r\nContent-Length: {len(message)}\r\n"
    with answering(head.encode() + b"Connection: close\r\n\r\n" + message) as port:
        storage = storage_of(settings(tmp_path, **bucket | {"storage_endpoint": f"http://127.0.0.1:{port}"}))
        with pytest.raises(DiskFull, match="storage of samples and results is full"):
            storage.put("samples/a", b"x")


def test_a_full_disk_of_this_machine_stays_one(
    bucket: dict[str, Any], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def full(*_: object, **__: object) -> NoReturn:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    storage = storage_of(settings(tmp_path, **bucket))
    assert isinstance(storage, BucketStorage)
    storage.put("results/a", b"x")
    monkeypatch.setattr(storage._files, "_get_file", full)
    with pytest.raises(OSError) as caught:
        storage.get_file("results/a", tmp_path / "a")
    assert caught.value.errno == errno.ENOSPC


@contextmanager
def closed_port() -> Iterator[int]:
    """A port where nobody listens."""
    with socket.socket() as held:
        held.bind(("127.0.0.1", 0))
        yield held.getsockname()[1]


@contextmanager
def answering(said: bytes) -> Iterator[int]:
    """A server that says the same to everybody."""
    with socket.create_server(("127.0.0.1", 0)) as listener:

        def serve() -> None:
            while True:
                try:
                    connection, _ = listener.accept()
                except OSError:
                    return
                with connection:
                    connection.recv(65_536)
                    connection.sendall(said)

        threading.Thread(target=serve, daemon=True).start()
        yield listener.getsockname()[1]
        listener.shutdown(socket.SHUT_RDWR)
