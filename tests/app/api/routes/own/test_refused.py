"""Written samples and files of every kind that are refused: in which words, and nothing of them is kept."""

import io
import json
import struct
import zlib
from typing import Any

import httpx
import numpy as np
import pytest
from PIL import Image

from tests.app.serving import is_problem

POINT = {"inputs": "numbers", "content": "0.1, 0.9, 0.5, 0.25, 1.0", "set": "boolean-03"}


def npz(image: np.ndarray) -> bytes:
    file = io.BytesIO()
    np.savez_compressed(file, image=image)
    return file.getvalue()


def png(height: int, width: int, form: str = "PNG") -> bytes:
    file = io.BytesIO()
    Image.fromarray(np.zeros((height, width), np.uint8)).save(file, form)
    return file.getvalue()


def bomb() -> bytes:
    """A PNG whose head says 40,000 x 40,000 pixels."""
    content = bytearray(png(64, 64))
    content[16:24] = struct.pack(">II", 40_000, 40_000)
    content[29:33] = struct.pack(">I", zlib.crc32(bytes(content[12:29])))
    return bytes(content)


def npy(count: int) -> bytes:
    file = io.BytesIO()
    np.save(file, np.zeros((count, 3), np.int8))
    return file.getvalue()


@pytest.mark.asyncio(loop_scope="module")
@pytest.mark.parametrize(
    ("body", "status", "words"),
    [
        (POINT | {"content": "nan,0,0,0,0"}, 422, "Number 1 is 'nan', which is not from 0 to 1"),
        (POINT | {"content": "0,0,0,0"}, 422, "5 numbers from 0 to 1; 4 were given"),
        (POINT | {"set": None}, 422, "Name the data set"),
        (POINT | {"set": "mnist"}, 422, "boolean-01"),
        (POINT | {"inputs": "images"}, 422, "matrices, numbers, points"),
        ({"inputs": "text", "content": " \n"}, 422, "The text is empty"),
        ({"inputs": "text", "content": ""}, 422, "at least 1 character"),
        ({"inputs": "text", "content": "x" * 65_537}, 413, "up to 65,536"),
        ({"inputs": "text", "content": "\ud800"}, 400, "UTF-8"),
        ({"inputs": "matrices", "content": "[]"}, 422, 'JSON with "side"'),
    ],
)
async def test_written(shared: httpx.AsyncClient, body: dict[str, Any], status: int, words: str) -> None:
    sent = {"content": json.dumps(body).encode(), "headers": {"Content-Type": "application/json"}}
    assert words in is_problem(await shared.post("/api/v1/samples/written", **sent), status)["detail"]
    assert (await shared.get("/api/v1/samples/written")).json()["total"] == 0


@pytest.mark.asyncio(loop_scope="module")
@pytest.mark.parametrize(
    ("inputs", "name", "content", "status", "words"),
    [
        ("points", "a.npy", npy(100_001), 422, "100,001 points, more than the 100,000 that are read; a cloud is"),
        ("points", "a.ply", b"", 422, "The file is empty; a cloud is at least 16 points"),
        ("numbers", "a.txt", b"0.1", 422, "are of the kinds matrices, points"),
        (
            "matrices",
            "a.npz",
            npz(np.zeros((17, 20, 20), np.uint8)),
            422,
            "has 17 panels, 8 and 9 answers; a matrix is",
        ),
        ("matrices", "a.png", png(72, 64), 422, "64 x 72 pixels, which is not 4 panels wide and 4 or 5 high"),
        ("matrices", "a.png", png(2004, 2004), 422, "2004 x 2004 pixels; sides from 8 to 2000 are accepted"),
        ("matrices", "a.png", png(64, 64)[:-30], 422, "cut off"),
        ("matrices", "a.png", png(64, 64, "JPEG"), 422, "not a picture that can be read; accepted are .npz files"),
        ("matrices", "a.png", npz(np.zeros((16, 20, 20), np.uint8)), 422, "or .png sheets: a sheet has 16 square"),
        ("matrices", "a.png", b"", 422, "The file is empty; accepted are .npz files of one matrix"),
        ("matrices", "a.png", bomb(), 413, "The picture has too many pixels; up to 25 megapixels are accepted."),
    ],
)
async def test_files(
    shared: httpx.AsyncClient, inputs: str, name: str, content: bytes, status: int, words: str
) -> None:
    answer = await shared.post("/api/v1/samples/files", data={"inputs": inputs}, files={"file": (name, content)})
    assert words in is_problem(answer, status)["detail"]
    assert (await shared.get("/api/v1/samples/written")).json()["total"] == 0


@pytest.mark.asyncio(loop_scope="module")
async def test_pictures_of_other_kinds(shared: httpx.AsyncClient) -> None:
    kinds = {kind["name"]: kind for kind in (await shared.get("/api/v1/inputs")).json()["items"]}
    for name, words in (("points", ".npy arrays"), ("text", "write one"), ("blocks", "those of the data sets")):
        refused = await shared.post("/api/v1/samples", data={"inputs": name}, files={"file": ("a.png", png(40, 40))})
        assert words in is_problem(refused, 422)["detail"] and kinds[name]["upload"] is None
    facts = {name: (kind["suffixes"], kind["answers"], kind["typed"]) for name, kind in kinds.items()}
    assert facts["matrices"] == ([".npz", ".png"], 8, False)
    assert facts["points"] == ([".npy", ".xyz", ".ply"], 0, True) and facts["images"] == ([], 0, True)
