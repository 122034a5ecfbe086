"""Memory goes back to the system after work, and models stay within their bytes."""

import asyncio
import ctypes
from pathlib import Path

import pytest

from routescope import zoo
from routescope.zoo import catalogue
from routescope_app.services.engine import memory
from routescope_app.services.engine.inference import Inference
from routescope_app.services.samples.gallery import GALLERY
from routescope_app.settings import MEMORY_SHARES
from tests.app.serving import CIRCUIT, MODEL, STATEMENTS, client_of, make_circuit, running, settings

PAGES = Path("/proc/self/statm")


def resident() -> int:
    """Pages in memory."""
    return int(PAGES.read_text().split()[1])


needs_glibc = pytest.mark.skipif(not hasattr(ctypes.CDLL(None), "malloc_trim"), reason="glibc alone gives memory back")


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
    trims, looks = list[int](), list[float]()
    present: dict[str, float] = {"worked": 5.0, "gone": 0}

    def look() -> float:
        looks.append(present["worked"])
        return present["worked"]

    monkeypatch.setattr(memory, "give_back", lambda: trims.append(1) or True)
    monkeypatch.setattr(memory.time, "process_time", look)
    looking = asyncio.create_task(memory.give_back_after_work(lambda: int(present["gone"]), 0.01, 1.0))
    for change, most in (({}, 1), ({"worked": 5.5}, 1), ({"worked": 6.0}, 2), ({"gone": 1}, 9)):
        present |= change
        enough = len(looks) + 3  # once it has looked, done what follows, and looked again
        async with asyncio.timeout(60):
            while len(looks) < enough:
                await asyncio.sleep(0.01)
        assert len(trims) == most if most < 9 else len(trims) > 2, "what was forgotten stays with the process"
    looking.cancel()


async def test_what_nobody_asks_for_leaves_memory_and_answers_stay(tmp_path: Path) -> None:
    """A model with what it prepared, traces, sets of statements; sets of pictures stay."""
    async with running(settings(tmp_path)) as app, client_of(app) as client:
        services = app.state.services
        asked = {"model": CIRCUIT, "sample": "mnist.validation.3", "fields": ["states"]}
        first = (await client.post("/api/v1/traces", json=asked)).json()
        statement = (await client.get("/api/v1/statements/scenes.validation.4")).json()
        picture = (await client.get("/api/v1/statements/scenes.validation.4/pictures/1")).content
        model = zoo.load(CIRCUIT)
        services.forget_unused(60)
        assert zoo.load(CIRCUIT) is model and services.traces._memory.kept.get(first["id"]) is not None
        assert set(services.gallery._datasets) >= {("mnist", "validation"), ("scenes", "validation")}
        assert services.forget_unused(0) >= 3
        assert not catalogue._loaded and services.traces._memory.kept.get(first["id"]) is None
        assert ("mnist", "validation") in services.gallery._datasets
        assert ("scenes", "validation") not in services.gallery._datasets
        again = (await client.post("/api/v1/traces", json=asked)).json()
        for now, was in zip(again["predictions"], first["predictions"], strict=True):
            assert now == was | {"probabilities": pytest.approx(was["probabilities"], rel=1e-9)}
        assert (await client.get("/api/v1/statements/scenes.validation.4")).json() == statement
        assert (await client.get("/api/v1/statements/scenes.validation.4/pictures/1")).content == picture
        assert zoo.load(CIRCUIT) is not model


async def test_a_warm_server_has_scored_galleries_and_keeps_no_weights_that_nobody_asked_for(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Models that read something else, or pictures of another size, are warmed up all the same."""
    make_circuit("a-larger-circuit", image_size=64)
    async with running(settings(tmp_path, max_measured_samples=1_000)) as app:
        gallery, inference = app.state.services.gallery, app.state.services.inference
        infos = [inference.info(name) for name in ("a-larger-circuit", STATEMENTS, MODEL)]
        monkeypatch.setattr(inference, "models", lambda: infos)
        warmed: list[str] = []
        content = gallery.content
        monkeypatch.setattr(gallery, "content", lambda name: warmed.append(name) or content(name))
        trims: list[int] = []
        monkeypatch.setattr(memory, "give_back", lambda: trims.append(len(catalogue._loaded)) or True)
        await app.state.services.warm_up()
        assert trims[-1:] == [0], "what it let go of stays with the process"
        assert "scenes" in warmed and not catalogue._loaded
        assert {name for name, _ in gallery._datasets} == set(GALLERY)
        assert all(gallery.known_scores(infos[-1], dataset) for dataset in gallery.datasets())
    zoo.path_of("a-larger-circuit").unlink()


def test_models_stay_within_their_bytes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(catalogue, "MOST_BYTES", catalogue.MOST_BYTES)
    monkeypatch.setitem(MEMORY_SHARES, "models", 1)
    inference = Inference(settings(tmp_path))
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
