"""Routing logs that lie about themselves or swell: refused in words, within limits, while the service goes on."""

import asyncio
import json
import os
import signal
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import settings as examples
from hypothesis import strategies as st
from typer.testing import CliRunner

from routescope.cli import build
from routescope.routing.logs import Reading
from routescope_app.services.errors import NotAccepted
from routescope_app.services.logs.logs import ReadingPool
from tests.app.serving import client_of, is_problem, listening, running, settings
from tests.robustness.logs.hostile_logs import HONEST, HOSTILE, npz, responses, tensors
from tests.robustness.record import came_back, said
from tests.robustness.test_hostile_pictures import alive, of_process, pids

MIB = 2**20
READING = "routescope_app.services.logs.logs"


def make_small(patched: pytest.MonkeyPatch) -> None:
    """Limit a log to what a file of less than 1 MB may take: seconds of the processor, and bytes of memory."""
    patched.setattr(f"{READING}.READING_SECONDS", 2)
    patched.setattr(f"{READING}.READING_BYTES", 300 * MIB)


async def bring(client: httpx.AsyncClient, content: bytes, **words: Any) -> httpx.Response:
    headers = {"Content-Type": "application/octet-stream"}
    return await client.post("/api/v1/logs", content=content, params={"name": "log", **words}, headers=headers)


@pytest.mark.slow
async def test_files_that_lie_are_refused_in_words(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each within 2 seconds of the processor and 300 MB, by one process that none of them ends.

    The command line says the same of one file of each format, in its own process without deadline and limit.
    """
    make_small(monkeypatch)
    formats = set[str]()
    async with running(settings(tmp_path, concurrency=1)) as app, client_of(app) as client:
        first = 0
        for name, (make, words) in HOSTILE.items():
            content = make()
            answer = await bring(client, content, top_k=2)
            if words:
                detail = is_problem(answer, 422)["detail"]
                assert words in detail, (name, detail)
                assert str(tmp_path) not in detail and "Traceback" not in detail, (name, detail)
                came_back("logs that lie or swell", f"{name} ({len(content):,} bytes)", answer)
            else:
                assert answer.status_code == 201, (name, answer.text)
                texts = (await client.get(answer.headers["location"] + "/tokens")).json()["items"]
                assert all(len(item["text"] or "") <= 200 for item in texts), name
                came_back("logs that lie or swell", f"{name} ({len(content):,} bytes)", "201: read, long texts cut")
            (pid,) = pids(app.state.services.logs.reading)
            first = first or pid
            assert pid == first, f"{name} ended the process that read it"
            kind = name.replace(",", " ").split()[0]
            if kind not in formats or not words:
                formats.add(kind)
                (tmp_path / "log").write_bytes(content)
                result = CliRunner().invoke(build(), ["import", str(tmp_path / "log"), "--top-k", "2"])
                assert result.exit_code == (2 if words else 0) and "Traceback" not in result.output, result.output
                assert words in " ".join(result.output.split()), result.output
        assert of_process(first, "VmHWM") < 300_000
        assert "torch" not in Path(f"/proc/{first}/maps").read_text()
        for name, make in HONEST.items():
            assert (await bring(client, make(), top_k=2)).status_code == 201, name


@pytest.fixture(scope="module")
def pool() -> Iterator[tuple[ReadingPool, Path]]:
    """Processes that read logs within the limits of small files, and a folder."""
    with tempfile.TemporaryDirectory() as folder:
        with pytest.MonkeyPatch.context() as patched:
            make_small(patched)
            made = ReadingPool(settings(Path(folder), concurrency=1))
        yield made, Path(folder)
        made.close()


#: Where bytes change, as a part of the length, and what they become.
EDITS = st.lists(
    st.tuples(
        st.sampled_from(("set", "cut", "insert", "repeat")),
        st.floats(0, 1, exclude_max=True),
        st.one_of(
            st.binary(min_size=1, max_size=8),
            st.sampled_from([b"\xff" * 8, b"\0" * 8, b"[" * 3_000, b"9" * 5_000, b"-1", b"null", b"1e999", b'"a"']),
        ),
    ),
    min_size=1,
    max_size=6,
)


@given(name=st.sampled_from(list(HONEST)), edits=EDITS)
@example("npz of experts", [("set", 0.3, b"\xff" * 8)])
@example("parquet", [("set", 0.9, b"\xff" * 8)])
@example("parquet", [("cut", 0.97, b"x")])
@example("NetCDF", [("set", 0.01, b"\xff" * 8)])
@example("NetCDF", [("repeat", 0.5, b"\0" * 8)])
@example("safetensors", [("set", 0.0, b"\xff" * 8)])
@example("vLLM lists", [("insert", 0.3, b"[" * 3_000)])
@example("CSV", [("insert", 0.5, b"9" * 5_000)])
@example("parquet", [("set", 460.5 / 2201, b"\x2c")])  # its library ends the process
@example("NetCDF", [("set", 0.1668, b"\0"), ("set", 0.4956097, b"\xff" * 4), ("set", 0.8939534, b"1")])
@examples(max_examples=120, deadline=None)
def test_changed_bytes_end_in_a_log_or_in_words(
    pool: tuple[ReadingPool, Path], name: str, edits: list[tuple[str, float, bytes]]
) -> None:
    """Of every format: never an error of its own, never more than 2 seconds of the processor, or 300 MB.

    The library of HDF5 may run for ever on damaged bytes, as the last example does: the process is ended then.
    """
    content = bytearray(HONEST[name]())
    for kind, spot, changed in edits:
        at = int(spot * len(content))
        if kind == "set":
            content[at : at + len(changed)] = changed
        elif kind == "cut":
            del content[at:]
        elif kind == "insert":
            content[at:at] = changed
        else:
            content += content[at : at + 4_096]
    reading, folder = pool
    (folder / "log").write_bytes(content)
    try:
        with pytest.MonkeyPatch.context() as patched:
            make_small(patched)
            facts = asyncio.run(reading.read(folder / "log", folder / "packed", "log", Reading(top_k=2)))
    except NotAccepted as refusal:
        assert refusal.detail.endswith(".")
        assert name == "NetCDF" or "too long" not in refusal.detail
    else:
        assert facts["layers"]
    assert all(process.peak < 300 * MIB for process in reading._idle)


def slow(size: int) -> bytes:
    """A log that takes seconds to read: lists of numbers that are no experts of one table."""
    part = json.dumps([[list(range(20_000))]])
    return ("[" + ",".join(f'{{"id":"x","choices":[{{"routed_experts":{part}}}]}}' for _ in range(size)) + "]").encode()


def test_two_logs_that_take_too_long_keep_no_third_from_being_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Health is answered meanwhile, and the processes of both are gone."""
    monkeypatch.setattr(f"{READING}.READING_SECONDS", 1)
    monkeypatch.setattr(f"{READING}._WALL", 60)  # the third one is read on a busy machine, too
    with listening(settings(tmp_path, concurrency=2)) as port:

        async def attack() -> tuple[list[httpx.Response], httpx.Response, int]:
            async with httpx.AsyncClient(base_url=f"http://127.0.0.1:{port}", timeout=120) as client:
                content = slow(300)
                sent = [asyncio.create_task(bring(client, content, experts=2**15)) for _ in range(2)]
                third = asyncio.create_task(bring(client, HONEST["CSV"]()))
                healthy = 0
                while not all(task.done() for task in (*sent, third)):
                    assert (await client.get("/api/v1/health")).status_code == 200
                    healthy += 1
                return [await task for task in sent], await third, healthy

        refused, read, healthy = asyncio.run(attack())
    assert healthy and read.status_code == 201, read.text
    for answer in refused:
        assert "one of its size may take 1 seconds" in is_problem(answer, 422)["detail"]
    sent = "two logs that take too long, a second being given, and a third one; health is answered meanwhile"
    came_back("logs that lie or swell", sent, f"{said(refused[0])}; the third: 201")


async def test_a_process_that_does_not_answer_is_killed_and_one_whose_client_left(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Here as it is stopped: no deadline of the processor ends it."""
    monkeypatch.setattr(f"{READING}.READING_SECONDS", 1)
    async with running(settings(tmp_path, concurrency=1)) as app, client_of(app) as client:
        reading = app.state.services.logs.reading
        assert (await bring(client, HONEST["CSV"]())).status_code == 201
        (first,) = pids(reading)
        os.kill(first, signal.SIGSTOP)
        assert "too long" in is_problem(await bring(client, HONEST["CSV"]()), 422)["detail"]
        assert not alive(first)
        assert (await bring(client, HONEST["CSV"]())).status_code == 201
        (second,) = pids(reading)
        os.kill(second, signal.SIGSTOP)
        (tmp_path / "log").write_bytes(HONEST["CSV"]())
        left = asyncio.create_task(reading.read(tmp_path / "log", tmp_path / "packed", "log", Reading()))
        while not reading._busy:
            await asyncio.sleep(0)
        left.cancel()
        while reading._busy:
            await asyncio.sleep(0)
        assert not alive(second)
        assert (await bring(client, HONEST["CSV"]())).status_code == 201


async def test_a_log_that_takes_too_much_memory_is_refused_and_its_memory_given_back(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    content = b'{"choices":[{"routed_experts":[' + b",".join([b"[]"] * 3_000_000) + b"]}]}"
    monkeypatch.setattr(f"{READING}.READING_BYTES", 160 * MIB)
    async with running(settings(tmp_path)) as app, client_of(app) as client:
        refused = await bring(client, content)
        assert "more memory" in is_problem(refused, 413)["detail"]
        came_back("logs that lie or swell", "JSON of 9 MB that takes 300 MB, 160 MiB being given", refused)
        assert (await bring(client, HONEST["CSV"]())).status_code == 201
    monkeypatch.undo()
    async with running(settings(tmp_path)) as app, client_of(app) as client:
        assert "empty" in is_problem(await bring(client, content), 422)["detail"]
        assert not pids(app.state.services.logs.reading), "a process that had much memory waits with it"


async def test_answers_about_a_log_are_bounded(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """1,024 layers, names and texts without end: lists are short, parts say how much there is in all."""
    layers, tokens = 1_024, 40
    table = np.stack([np.random.default_rng(0).permutation(64)[:2] for _ in range(tokens * layers)])
    wide = tensors(routed_experts=table.reshape(tokens, layers, 2))
    named = responses([[[0, 1]], [[2, 3]]]).replace(b'"x"', json.dumps("n" * 100_000).encode())
    async with running(settings(tmp_path)) as app, client_of(app) as client:
        location = (await bring(client, wide, layers=layers, experts=64)).headers["location"]
        other = (await bring(client, named)).headers["location"]
        for _ in range(2):
            assert (await bring(client, wide, layers=layers, experts=64)).status_code == 201
        every = await client.get("/api/v1/logs")
        assert every.json()["total"] == 4 and len(every.content) < 10_000
        ids = {"a": location.rpartition("/")[2], "b": every.json()["items"][0]["id"]}
        asked: list[tuple[str, dict[str, Any]]] = [
            (location, {}), (location + "/usage", {}), (location + "/tokens", {"limit": 200}), (location + "/path", {}),
            (location + "/sequences", {}), (other + "/sequences", {}), (other + "/tokens", {}),
            ("/api/v1/logs/comparison", ids), ("/api/v1/logs/comparison/tokens", ids),
            ("/api/v1/logs/comparison/token", ids | {"token": 0}), (location + "/load", {}),
        ]  # fmt: skip
        for path, query in asked:
            answer = await client.get(path, params=query)
            assert answer.status_code in (200, 422), (path, answer.text[:300])
            assert len(answer.content) < 1.1 * MIB, (path, len(answer.content))
        facts = (await client.get(location)).json()["facts"]
        assert facts["layer_count"] == len(facts["layers"]) == layers
        assert len((await client.get(other + "/sequences")).json()["items"][0]["name"]) <= 200
        many = npz(router_logits=np.random.default_rng(0).normal(size=(24, 8, 256)).astype(np.float32))
        location = (await bring(client, many, top_k=8)).headers["location"]
        shown = (await client.get(location + "/load")).json()
        assert (shown["detailed"], shown["layers"][1]["together"]) == (None, None)
        content = npz(router_logits=np.random.default_rng(0).normal(size=(4, 50, 16)).astype(np.float32))
        monkeypatch.setattr(f"{READING}.MAX_VALUES", 600)
        location = (await bring(client, content, top_k=2)).headers["location"]
        part = (await client.get(location + "/usage", params={"limit": 3})).json()
        assert (part["layers"], part["offset"], part["total"]) == (["l1", "l2", "l3"], 0, 4)
        part = (await client.get(location + "/usage", params={"offset": 3})).json()
        assert part["layers"] == ["l4"] and np.sum(part["counts"]) == 100
        shown = (await client.get(location + "/load", params={"layer": "l3"})).json()
        reported = [layer["together"] is not None for layer in shown["layers"]]
        assert (shown["detailed"], reported) == ("l3", [False, False, True, False])
