"""Files that must not be believed: checkpoints, caches and archives that are something else."""

import json
import struct
import zipfile
from pathlib import Path

import numpy as np

from routescope import assets
from tests.app.serving import MODEL, is_problem, serving, settings, upload
from tests.robustness.record import came_back

PROTOCOL_0 = b"cos\nsystem\n(S'touch {}'\ntR."


def pretenders(marker: Path) -> dict[str, bytes]:
    """Contents that would run a program, or take all memory, if a careless reader opened them."""
    program = PROTOCOL_0.replace(b"{}", str(marker).encode())
    archive = marker.parent / "archive.zip"
    with zipfile.ZipFile(archive, "w") as file:
        file.writestr("archive/data.pkl", program)
        file.writestr("archive/version", "3")
    header = json.dumps({"__metadata__": {"architecture": "neural_interpreter", "config": "{}"}}).encode()
    huge = json.dumps({"a": {"dtype": "F32", "shape": [2**40], "data_offsets": [0, 2**42]}}).encode()
    return {
        "a pickle": program,
        "a torch archive": archive.read_bytes(),
        "an endless header": struct.pack("<Q", 2**63) + b"{}",
        "a header longer than the file": struct.pack("<Q", 10_000) + b"{}",
        "a header that is no JSON": struct.pack("<Q", 4) + b"\x80\x04N.",
        "tensors beyond the file": struct.pack("<Q", len(huge)) + huge,
        "no weights": struct.pack("<Q", len(header)) + header,
        "a deep header": struct.pack("<Q", 200_000) + b"[" * 200_000,
        "nothing": b"",
    }


async def test_a_checkpoint_that_is_none(tmp_path: Path) -> None:
    """It runs nothing, is not listed, and takes nothing with it."""
    marker = tmp_path / "it-ran"
    folder = assets.data_dir() / "checkpoints" / "pretender"
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / "model.safetensors"
    try:
        for kind, content in pretenders(marker).items():
            path.write_bytes(content)
            async with serving(settings(tmp_path / "data")) as client:
                listed = [item["id"] for item in (await client.get("/api/v1/models")).json()["items"]]
                assert MODEL in listed and "pretender" not in listed, kind
                response = await client.get("/api/v1/models/pretender")
                assert response.status_code in {404, 422}
                is_problem(response, response.status_code)
                came_back("unsafe deserialisation", f"a checkpoint that is {kind}", response)
                trace = {"model": "pretender", "sample": "mnist.validation.0"}
                response = await client.post("/api/v1/traces", json=trace)
                is_problem(response, response.status_code)
                assert (await client.get("/api/v1/health")).status_code == 200
                is_problem(await upload(client, content), 422)  # a program is no picture either
    finally:
        path.unlink()
        folder.rmdir()
    assert not marker.exists()


async def test_scores_in_the_cache_are_not_believed(tmp_path: Path) -> None:
    query = {"set": "mnist", "wrong": True, "model": MODEL}
    async with serving(settings(tmp_path)) as client:
        right = (await client.get("/api/v1/samples", params=query)).json()["total"]
    (path,) = (tmp_path / "cache" / "scores").glob("*.npz")
    marker = tmp_path / "it-ran"

    class Program:
        def __reduce__(self) -> tuple[object, tuple[str]]:
            return (Path.touch, (marker,))  # type: ignore[return-value]

    np.savez(path, labels=np.array([Program()], dtype=object), probabilities=np.zeros(1))
    for content in (path.read_bytes(), PROTOCOL_0):
        path.write_bytes(content)
        async with serving(settings(tmp_path)) as client:
            assert (await client.get("/api/v1/samples", params=query)).json()["total"] == right
    assert not marker.exists()


async def test_traces_in_the_cache_are_not_believed(tmp_path: Path) -> None:
    async with serving(settings(tmp_path)) as client:
        info = (await client.post("/api/v1/traces", json={"model": MODEL, "sample": "mnist.validation.0"})).json()
    for content in (b"", b"\x89HDF\r\n\x1a\n", b"CDF\x01" + bytes(100), PROTOCOL_0, b"\0" * 5000):
        (path,) = (tmp_path / "cache" / "traces").rglob("*.nc")
        path.write_bytes(content)
        async with serving(settings(tmp_path)) as client:
            assert (await client.get(f"/api/v1/traces/{info['id']}")).json()["predictions"] == info["predictions"]
