"""A filter by what a model makes of samples: eight at once over many own samples hold nobody up."""

import asyncio
import io
import secrets
import statistics
import time
from pathlib import Path

import httpx
import numpy as np
import pytest
from PIL import Image

from app.services.files import ContentFiles
from app.services.samples.uploads import Uploads
from app.services.store import SampleRow, Store, now
from tests.app.serving import MODEL, listening, settings

MANY = 600


def bring_many(folder: Path) -> None:
    """Rows and files as uploads leave them."""
    store = Store(settings(folder).database)
    store.migrate()
    files, dice = ContentFiles(folder / "samples", ".png"), np.random.default_rng(0)
    for start in range(0, MANY, 100):
        with store.writing() as session:
            for _ in range(start, start + 100):
                buffer = io.BytesIO()
                Image.fromarray(dice.integers(0, 255, (32, 32, 3), dtype=np.uint8)).save(buffer, "PNG")
                digest = files.put(buffer.getvalue())
                sizes = {"width": 32, "height": 32, "bytes": len(buffer.getvalue())}
                named = {"id": secrets.token_hex(16), "origin": "upload", "name": "one", "label": 3}
                session.add(SampleRow(picture=digest, image=digest, created=now(), **sizes, **named))
    store.close()


def test_eight_filters_at_once_and_health(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Every picture is read once, however many ask; and no picture when they ask again."""
    bring_many(tmp_path)
    reads: list[str] = []
    image_of = Uploads.image_of
    monkeypatch.setattr(Uploads, "image_of", lambda self, digest: (reads.append(digest), image_of(self, digest))[1])
    query = {"origin": "upload", "wrong": True, "model": MODEL, "limit": 5}
    with listening(settings(tmp_path)) as port:

        async def eight() -> tuple[set[int], list[float]]:
            async with httpx.AsyncClient(base_url=f"http://127.0.0.1:{port}", timeout=120) as client:
                tasks = [asyncio.create_task(client.get("/api/v1/samples", params=query)) for _ in range(8)]
                waits = []
                while not all(task.done() for task in tasks):
                    began = time.monotonic()
                    assert (await client.get("/api/v1/health")).status_code == 200
                    waits.append(time.monotonic() - began)
                return {task.result().json()["total"] for task in tasks}, waits

        first, waits = asyncio.run(eight())
        assert len(reads) == len(set(reads)) == MANY
        assert statistics.median(waits) < 2, waits
        again, _ = asyncio.run(eight())
        assert again == first and len(reads) == MANY and 0 < min(first) <= MANY
