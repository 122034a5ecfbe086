"""What an end in the midst of something left behind goes at the next start, and nothing else does."""

import os
import time
from pathlib import Path

import pytest

from routescope_app.services.folder_lock import FolderLock
from tests.app.serving import MODEL, running, serving, settings, upload

DIGEST = "0123456789abcdef" * 4


def write(path: Path, age: float = 0.0) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(b"x" * 1000)
    for changed in (path, path.parent):
        os.utime(changed, (time.time() - age, time.time() - age))
    return path


async def test_what_is_half_done_and_what_nothing_names_goes(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    chosen = settings(tmp_path)
    async with serving(chosen) as client:
        sample = (await upload(client)).json()
        trace = (await client.post("/api/v1/traces", json={"model": MODEL, "sample": sample["id"]})).json()
    kept = {path for path in tmp_path.rglob("*") if path.is_file() and path.name != "routescope.lock"}
    assert {path.suffix for path in kept} >= {".png", ".nc", ".db"}
    left = [
        write(tmp_path / "samples" / "01" / "tmpab12.partial"),
        write(tmp_path / "samples" / "01" / f"{DIGEST}.png"),
        write(tmp_path / "cache" / "traces" / "01" / f"{DIGEST}.nc"),
        write(tmp_path / "cache" / "traces" / "01" / f"{DIGEST}.partial"),
        write(tmp_path / "cache" / "traces" / "tmp5x" / "trace.nc"),
        write(tmp_path / "logs" / "incoming-ab" / "log"),
        write(tmp_path / "logs" / "abc.partial"),
        write(tmp_path / "pruned" / "tmpxy" / "pruned" / "model.safetensors"),
        write(tmp_path / "results" / "work-1" / "a.json"),
        write(tmp_path / "cache" / "arrays" / "tmpold.partial", age=2 * 24 * 3600),
    ]
    others = [
        write(tmp_path / "cache" / "arrays" / "tmpnew.partial"),  # a command beside the server may write it
        write(tmp_path / "checkpoints" / "mine" / ".model.safetensors.1.partial"),
        write(tmp_path / "checkpoints" / "mine" / "notes.txt", age=10 * 24 * 3600),
        write(tmp_path / "samples" / "01" / "notes.txt"),
    ]
    FolderLock(chosen).check()  # as the command to serve does before it loads anything
    async with serving(chosen) as client:
        assert not [path for path in left if path.exists()]
        assert all(path.exists() for path in kept) and all(path.exists() for path in others)
        assert (await client.get(sample["image"])).status_code == 200
        assert (await client.get(f"/api/v1/traces/{trace['id']}")).json()["cached"]
    assert "were removed that an earlier end" in caplog.text


async def test_pictures_of_another_database_stay(tmp_path: Path) -> None:
    """Somebody who moves the database away, or tries another, finds the pictures again."""
    async with serving(settings(tmp_path)) as client:
        await upload(client)
    pictures = list((tmp_path / "samples").rglob("*.png"))
    for path in pictures:
        os.utime(path, (time.time() - 5, time.time() - 5))
    aside = tmp_path / "aside.db"
    (tmp_path / "routescope.db").rename(aside)
    for _ in range(2):
        async with running(settings(tmp_path)):
            assert pictures and all(path.exists() for path in pictures)
    aside.replace(tmp_path / "routescope.db")
    async with serving(settings(tmp_path)) as client:
        (sample,) = (await client.get("/api/v1/samples", params={"origin": "upload"})).json()["items"]
        assert (await client.get(sample["image"])).status_code == 200
