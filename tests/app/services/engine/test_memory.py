"""Memory goes back to the system after work, and models stay within their bytes."""

import asyncio
import ctypes
from pathlib import Path

import pytest

from app.services.engine import memory
from app.services.engine.inference import Inference
from app.services.errors import NotFound
from core import zoo
from core.zoo import catalogue
from tests.app.serving import CIRCUIT, MODEL, make_model, settings

PAGES = Path("/proc/self/statm")


def resident() -> int:
    """Pages in memory."""
    return int(PAGES.read_text().split()[1])


needs_glibc = pytest.mark.skipif(
    not hasattr(ctypes.CDLL(None), "malloc_trim"), reason="memory is given back by glibc alone"
)


@needs_glibc
def test_what_was_freed_goes_back() -> None:
    """Pieces between which a few stay: glibc keeps their pages unless it is told to trim."""
    library = ctypes.CDLL(None)
    library.malloc.restype, library.free.argtypes = ctypes.c_void_p, [ctypes.c_void_p]
    assert memory.LIMITED
    memory.give_back()
    pieces = [library.malloc(64 * 1024) for _ in range(1_024)]
    for piece in pieces:
        ctypes.memset(piece, 1, 64 * 1024)
    for piece in [piece for place, piece in enumerate(pieces) if place % 16]:
        library.free(piece)
    before = resident()
    assert memory.give_back()
    assert before - resident() > 10_000  # of 15,000 that are free
    for piece in pieces[::16]:
        library.free(piece)


def test_elsewhere_nothing_is_done(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ctypes, "CDLL", lambda _: object())
    assert not memory.limit_arenas() and not memory.give_back()


async def test_it_looks_for_work_and_leaves_the_idle_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    trims: list[int] = []
    looks: list[float] = []
    clock = {"seconds": 5.0}

    def look() -> float:
        looks.append(clock["seconds"])
        return clock["seconds"]

    async def looked() -> None:
        """Once it has looked, done what follows, and looked again."""
        enough = len(looks) + 3
        async with asyncio.timeout(60):
            while len(looks) < enough:
                await asyncio.sleep(0.01)

    monkeypatch.setattr(memory, "give_back", lambda: trims.append(1) or True)
    monkeypatch.setattr(memory.time, "process_time", look)
    looking = asyncio.create_task(memory.give_back_after_work(0.01, 1.0))
    await looked()
    assert len(trims) == 1
    clock["seconds"] += 0.5
    await looked()
    assert len(trims) == 1
    clock["seconds"] += 0.5
    await looked()
    assert len(trims) == 2
    looking.cancel()


def test_models_stay_within_their_bytes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(catalogue, "MOST_BYTES", catalogue.MOST_BYTES)
    inference = Inference(settings(tmp_path, model_memory_bytes=1))
    try:
        infos = [inference.info(name) for name in (MODEL, CIRCUIT)]
        first = inference.model(infos[0])
        assert inference.model(infos[0]) is first
        other = inference.model(infos[1])  # one stays whatever its size, and it is the last
        assert inference.model(infos[1]) is other and len(catalogue._loaded) == 1
        assert inference.model(infos[0]) is not first
        zoo.keep_at_most(2**30)
        assert [inference.model(info).id for info in infos] == [MODEL, CIRCUIT] and len(catalogue._loaded) == 2
        zoo.keep_at_most(1)
        assert len(catalogue._loaded) == 1
    finally:
        inference.close()


def test_another_revision_is_not_taken_for_the_one_that_was_asked_about(tmp_path: Path) -> None:
    inference = Inference(settings(tmp_path))
    try:
        make_model("replaced-later", seed=1)
        before = inference.info("replaced-later")
        make_model("replaced-later", seed=2)
        with pytest.raises(NotFound, match="replaced"):
            inference.model(before)
        zoo.path_of("replaced-later").unlink()
        with pytest.raises(NotFound, match="no longer"):
            inference.model(before)
    finally:
        inference.close()
