"""Maps of types through the API: what the core gives, as arrays and a table; cancelled with their process."""

import asyncio
import io
import subprocess
import time
from dataclasses import replace
from pathlib import Path
from typing import Any

import httpx
import numpy as np
import pytest

from routescope import zoo
from routescope.data import load
from routescope.routing.maps.embedding import embed
from routescope.routing.maps.points import at_initialisation, type_points
from routescope_app.services.engine import programs
from routescope_app.services.engine.children import Child
from routescope_app.services.errors import Interrupted, NotAccepted
from routescope_app.services.measuring import maps as embeddings
from tests.app.api.follow import result_of, rows_of, start
from tests.app.serving import MODEL, STEPS, UNITS, is_problem, settings

pytestmark = pytest.mark.asyncio(loop_scope="module")

REQUEST: dict[str, Any] = {"model": MODEL, "data": ["mnist", "street-digits"], "samples": 5, "method": "pca"}


async def fetch(client: httpx.AsyncClient, place: str, name: str) -> np.ndarray:
    answer = await client.get(f"{place}/arrays/{name}", params={"format": "binary"})
    shape = [int(number) for number in answer.headers["x-shape"].split(",")]
    return np.frombuffer(answer.content, answer.headers["x-dtype"]).reshape(shape)


async def test_a_map_is_that_of_the_core(client: httpx.AsyncClient) -> None:
    url, result = await result_of(client, "embeddings", REQUEST)
    points = type_points(zoo.load(MODEL), [load("mnist"), load("street-digits")], 5)
    expected = embed(points, "pca")
    assert result["count"] == len(points) == 5 * 3 * 16
    assert result["samples"] == list(points.sample_ids) and result["samples"][3] == "street-digits.validation.0"
    assert (result["steps"], result["units"]) == (list(STEPS), list(UNITS))
    assert (result["method"], result["routing"], result["seed"]) == ("pca", "trained", 0)
    assert result["trustworthiness"]["value"] == pytest.approx(expected.trustworthiness.value, abs=1e-4)
    assert {(row["step"], row["by"]) for row in result["clustering"]} == {
        (step, by) for step in STEPS for by in ("unit", "label", "domain")
    }
    assert [entry["name"] for entry in result["arrays"]] == list(embeddings.ARRAYS)
    np.testing.assert_allclose(await fetch(client, url, "xy"), expected.xy, atol=1e-3)
    np.testing.assert_allclose(await fetch(client, url, "signatures"), expected.signatures_xy, atol=1e-3)
    for name in ("step", "sample", "token", "unit", "label", "domain", "correct"):
        array = await fetch(client, url, name)
        assert array.dtype == np.int32 and array.tolist() == getattr(points, name).tolist()
    as_json = (await client.get(f"{url}/arrays/xy")).json()
    assert as_json["shape"] == [result["count"], 2] and as_json["coordinates"] == {"axis": ["x", "y"]}
    packed = await client.get(f"{url}/arrays/xy", params={"format": "npz"})
    with np.load(io.BytesIO(packed.content), allow_pickle=False) as arrays:
        np.testing.assert_allclose(arrays["xy"], as_json["values"], rtol=1e-6)
    head, rows = rows_of(await client.get(url, params={"format": "csv"}))
    assert len(rows) == result["count"] and rows[0]["sample"] == "mnist.validation.0"
    assert any(result["revision"] in line for line in head)
    is_problem(await client.get(f"{url}/arrays/nothing"), 404)
    # Settings of other methods do not matter: the same map.
    again = await client.post("/api/v1/embeddings", json={**REQUEST, "perplexity": 5, "neighbours": 3})
    assert again.status_code == 200 and again.json()["result"] == url


async def test_maps_of_other_networks(client: httpx.AsyncClient) -> None:
    """The routing of an untrained network of the seed, and a network without some units."""
    url, result = await result_of(client, "embeddings", REQUEST | {"routing": "initial", "seed": 3})
    points = type_points(at_initialisation(zoo.load(MODEL), 3), [load("mnist"), load("street-digits")], 5)
    assert result["routing"] == "initial"
    assert (await fetch(client, url, "unit")).tolist() == points.unit.tolist()
    asked = {"intervention": {"drop": ["f1", "f2"]}, "tokens": "cls"}
    url, result = await result_of(client, "embeddings", REQUEST | asked)
    assert result["intervention"]["drop"] == ["f1", "f2"] and result["count"] == 5 * 3 * 3
    assert not set((await fetch(client, url, "unit")).tolist()) & {0, 1}


async def test_neighbours_are_bounded(client: httpx.AsyncClient, monkeypatch: pytest.MonkeyPatch) -> None:
    """Five samples are 240 points; t-SNE takes three neighbours for a perplexity of one."""
    monkeypatch.setattr("routescope_app.services.measuring.maps.MAX_NEIGHBOURS", 240 * 30)
    for method, name, most in (("tsne", "perplexity", 10), ("umap", "neighbours", 30)):
        request = {**REQUEST, "method": method, name: most}
        refused = is_problem(await client.post("/api/v1/embeddings", json={**request, name: most + 1}), 422)
        assert f"{name} up to {most}," in refused["detail"]
        job = await start(client, "embeddings", request)
        await client.delete(f"/api/v1/jobs/{job['id']}")


async def test_cancelling_kills_the_process(client: httpx.AsyncClient, monkeypatch: pytest.MonkeyPatch) -> None:
    processes: list[subprocess.Popen[bytes]] = []

    class Watched(Child):
        def __init__(self, *given: Any, **named: Any) -> None:
            super().__init__(*given, **named)
            processes.append(self.process)

    monkeypatch.setattr(programs, "Child", Watched)
    job = await start(client, "embeddings", {**REQUEST, "method": "tsne", "samples": 60})
    deadline = time.monotonic() + 60
    while not processes:
        assert time.monotonic() < deadline
        await asyncio.sleep(0.05)
    assert processes[0].returncode is None  # it works, until it is killed
    cancelled = (await client.delete(f"/api/v1/jobs/{job['id']}")).json()
    assert cancelled["state"] == "cancelled" and cancelled["result"] is None
    assert processes[0].returncode == -9
    is_problem(await client.get(f"/api/v1/embeddings/{job['id']}"), 404)


async def test_lines_that_are_no_progress_are_passed_over(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    lines = ["[1]", "null", "words", '{"what": "x"}', '{"done": 1, "total": 2, "what": "half"}']
    seen: list[tuple[int, int, str]] = []
    await made_by(tmp_path, monkeypatch, f"print({chr(10).join(lines)!r})", seen)
    assert seen == [(600, 1000, "half")]


async def made_by(
    folder: Path, monkeypatch: pytest.MonkeyPatch, code: str, seen: list[Any] | None = None, **limits: int
) -> None:
    """Let a process that runs some code stand for the one that makes maps."""
    (folder / "makes_maps.py").write_text(code)
    monkeypatch.setenv("PYTHONPATH", str(folder))
    monkeypatch.setattr(embeddings, "MAP", replace(embeddings.MAP, module="makes_maps"))
    progress = (seen if seen is not None else []).append
    await embeddings._make_map(folder, settings(folder, **limits), lambda *line: progress(line))
    await asyncio.sleep(0)  # what was said last is said in the loop


#: What ends a process, and what becomes of its job: it fails by its own fault, or waits and is begun again.
ENDS: dict[str, tuple[str, type[Exception], str]] = {
    "its memory": ("bytearray(2**30)", NotAccepted, "more memory than 256 MiB. Ask for fewer samples"),
    "its time": ("while True: pass", NotAccepted, "more than 1 seconds of processor time"),
    "an error": ("1 / 0", RuntimeError, "status 1"),
    "a crash": ("import os; os.abort()", RuntimeError, "status -6"),
    "kill -9": ("import os; os.kill(os.getpid(), 9)", Interrupted, "signal 9"),
    "kill": ("import os; os.kill(os.getpid(), 15)", Interrupted, "signal 15"),
    "a halt": ("import os; os.kill(os.getpid(), 19)", Interrupted, "signal 9"),
    "a child that keeps its output": (
        "import os, time\nif os.fork(): os._exit(0)\ntime.sleep(20)", type(None), ""
    ),
}  # fmt: skip


@pytest.mark.parametrize("end", sorted(ENDS))
async def test_whose_fault_the_end_of_a_process_is(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, end: str) -> None:
    code, error, words = ENDS[end]
    caught: Exception | None = None
    memory = "import sys\ntry: {}\nexcept MemoryError: sys.exit(3)"
    monkeypatch.setattr(programs, "LOOK_SECONDS", 0.1)
    if end != "a halt":  # a busy machine gives the process little of its processor
        monkeypatch.setattr(programs, "SILENCES", 40)
    try:
        made = made_by(
            tmp_path, monkeypatch, memory.format(code) if end == "its memory" else code,
            map_memory_bytes=256 * 2**20, map_seconds=1,
        )  # fmt: skip
        await asyncio.wait_for(made, 60)
    except Exception as ended:
        caught = ended
    assert isinstance(caught, error) and words in str(caught)
