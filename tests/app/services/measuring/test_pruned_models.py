"""Archives of pruned models: as many at once as there may be, each in the way until it was sent or given up."""

import asyncio
import gc
import io
import time
import zipfile
from pathlib import Path

import pytest

from routescope import zoo
from routescope.routing.caused.pruning import KeepList, by_chance, kept_with
from routescope_app.services.errors import Busy, NotAccepted
from routescope_app.services.measuring.pruned_models import PrunedModels
from tests.app.serving import settings

MODEL = zoo.load("moe-bytes")


def keep_list(count: int) -> KeepList:
    return kept_with(MODEL, by_chance(MODEL), [count] * 4)


async def test_an_archive_is_in_the_way_until_it_was_sent_or_failed(tmp_path: Path) -> None:
    models = PrunedModels(settings(tmp_path, concurrency=1, max_pruned_model_bytes=2**22))
    size, pieces = await models.archive(MODEL, keep_list(3))
    with pytest.raises(Busy, match="Other pruned models"):
        await models.archive(MODEL, keep_list(3))
    content = b"".join([piece async for piece in pieces])
    assert len(content) == size and "keep-list.json" in zipfile.ZipFile(io.BytesIO(content)).namelist()
    with pytest.raises(NotAccepted, match="up to 4,194,304 are written"):
        await models.archive(MODEL, keep_list(8))
    await models.archive(MODEL, keep_list(2))
    assert not list((tmp_path / "pruned").glob("*")), "what is on disk has no name"


async def test_one_that_nobody_begins_to_read_makes_room(tmp_path: Path) -> None:
    models = PrunedModels(settings(tmp_path, concurrency=1))
    _, pieces = await models.archive(MODEL, keep_list(2))
    del pieces
    deadline = time.monotonic() + 30
    while True:  # the thread that made it lets go of it soon
        gc.collect()
        try:
            await models.archive(MODEL, keep_list(2))
            break
        except Busy:
            assert time.monotonic() < deadline
            await asyncio.sleep(0.02)
