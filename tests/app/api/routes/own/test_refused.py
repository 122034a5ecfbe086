"""Files of every kind that are refused: in which words, and nothing of them is kept."""

import io
import struct
import zlib

import httpx
import numpy as np
import pytest
from PIL import Image

from tests.app.serving import is_problem

pytestmark = pytest.mark.asyncio(loop_scope="module")


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


@pytest.mark.parametrize(
    ("inputs", "name", "content", "status", "words"),
    [
        ("points", "a.npy", npy(100_001), 422, "100,001 points, more than the 100,000 that are read; a cloud is"),
        ("points", "a.ply", b"", 422, "The file is empty; a cloud is at least 16 points"),
        ("numbers", "a.txt", b"0.1", 422, "are of the kinds matrices, points"),
        ("matrices", "a.npz", npz(np.zeros((17, 20, 20), np.uint8)), 422, "has 17 panels, 8 and 9 answers; a matrix"),
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
    client: httpx.AsyncClient, inputs: str, name: str, content: bytes, status: int, words: str
) -> None:
    answer = await client.post("/api/v1/samples/files", data={"inputs": inputs}, files={"file": (name, content)})
    assert words in is_problem(answer, status)["detail"]
    assert (await client.get("/api/v1/samples/written")).json()["total"] == 0


async def test_pictures_of_other_kinds(client: httpx.AsyncClient) -> None:
    kinds = {kind["name"]: kind for kind in (await client.get("/api/v1/inputs")).json()["items"]}
    for name, words in (("points", ".npy arrays"), ("text", "write one"), ("blocks", "those of the data sets")):
        refused = await client.post("/api/v1/samples", data={"inputs": name}, files={"file": ("a.png", png(40, 40))})
        assert words in is_problem(refused, 422)["detail"] and kinds[name]["upload"] is None
    facts = {name: (kind["suffixes"], kind["answers"], kind["typed"]) for name, kind in kinds.items()}
    assert facts["matrices"] == ([".npz", ".png"], 8, False)
    assert facts["points"] == ([".npy", ".xyz", ".ply"], 0, True) and facts["images"] == ([], 0, True)
