"""Makes ``data_0_5.zip``, the data folder of somebody who used version 0.5, and ``answers_0_5.json``.

Run it with the code of 0.5 (commit 1322c94) in front, and an empty folder as its argument::

    git worktree add ../v0.5 1322c94
    cd ../v0.5 && PYTHONPATH=. python PATH_OF/make_data_folder.py EMPTY_FOLDER

It trains a tiny Neural Interpreter, uploads a sample and draws one, records a trace, evaluates, and lets one job of
each kind that pages have come to its end. The answers are what the API said of all of it. No file names a place on the
machine that made it.
"""

import asyncio
import json
import os
import sys
import tempfile
import zipfile
from pathlib import Path
from typing import Any

import httpx
import torch

MODEL = "mine"
SETS = ["mnist"]
JOBS: dict[str, dict[str, Any]] = {
    "importances": {"model": MODEL, "data": SETS, "samples": 12},
    "observations": {"model": MODEL, "data": SETS, "samples": 12, "shuffles": 10, "seed": 3},
    "embeddings": {"model": MODEL, "data": SETS, "samples": 10, "method": "pca"},
}
EVALUATION = {"model": MODEL, "data": SETS, "samples": 30, "controls": 2, "intervention": {"drop": ["f2"]}}
CHANGE = {"drop": ["f1"], "iterations": 3}


def train_a_model() -> None:
    """A user's own checkpoint, as ``train`` of 0.5 leaves it: weights, card, README and the training state."""
    from core.training_data import Mixture
    from routescope.nn.neural_interpreter import NeuralInterpreterConfig

    from routescope.training import TrainingSettings, train

    config = NeuralInterpreterConfig(
        features=16, code_features=8, type_features=4, iterations=2, functions=3, heads=2, key_features=4,
        type_inference_width=8, position_features=4, tokenizer="convolutional", patch_size=16,
    )  # fmt: skip
    settings = TrainingSettings(
        steps=4, batch_size=8, precision="32-true", accelerator="cpu", devices=1, minutes=0, validate_every=4
    )
    torch.manual_seed(0)
    images = torch.randint(0, 256, (64, 3, 32, 32), dtype=torch.uint8)
    mixture = Mixture(images, torch.arange(64) % 10, torch.arange(64) % 3, config.domains, (("noise", 64),))
    folder = Path(os.environ["ROUTESCOPE_DATA_DIR"]) / "checkpoints" / MODEL
    train(settings=settings, config=config, folder=folder, progress=False, mixture=mixture)


async def ended(client: httpx.AsyncClient, job: dict[str, Any]) -> dict[str, Any]:
    while job["state"] in {"queued", "running"}:
        await asyncio.sleep(0.2)
        job = (await client.get(f"/api/v1/jobs/{job['id']}")).json()
    assert job["state"] == "done", job
    return job


async def use(client: httpx.AsyncClient) -> dict[str, Any]:
    """What a person does with it; gives what the API answered, by address."""
    from tests.app.serving import drawing, png

    samples = []
    for name, content, more in (("square.png", png(20, 20), {"label": "7"}), ("", drawing(), {"origin": "drawing"})):
        file = {"file": (name or "drawing.png", content, "image/png")}
        answer = await client.post("/api/v1/samples", files=file, data=more)
        assert answer.status_code == 201, answer.text
        samples.append(answer.json()["id"])
    body = {"model": MODEL, "sample": samples[0], "intervention": CHANGE, "fields": ["compatibility"]}
    answer = await client.post("/api/v1/traces", json=body)
    assert answer.status_code == 201, answer.text
    trace = answer.json()["id"]
    answer = await client.post("/api/v1/evaluations", json=EVALUATION)
    assert answer.status_code == 200, answer.text
    places = [f"/api/v1/samples/{sample}" for sample in samples]
    places += [f"/api/v1/models/{MODEL}", f"/api/v1/traces/{trace}", f"/api/v1/traces/{trace}/fields/compatibility"]
    said = {"evaluation": {"request": EVALUATION, "answer": answer.json()}}
    for kind, request in JOBS.items():
        answer = await client.post(f"/api/v1/{kind}", json=request)
        job = await ended(client, answer.json())
        places += [f"/api/v1/jobs/{job['id']}", job["result"]]
        said[kind] = {"request": request, "answer": job}
    found = {}
    for place in places:
        answer = await client.get(place)
        assert answer.status_code == 200, (place, answer.text)
        found[place] = answer.json()
    return {"samples": samples, "trace": trace, "said": said, "found": found}


async def main(folder: Path) -> dict[str, Any]:
    from tests.app.serving import serving, settings

    train_a_model()
    async with serving(settings(folder)) as client:
        return await use(client)


def pack(folder: Path, file: Path) -> None:
    """One zip of the folder, but for arrays that are made again from the packaged digits, and the training state.

    Raises:
        ValueError: a file that names a place on this machine.
    """
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as packed:
        for path in sorted(path for path in folder.rglob("*") if path.is_file()):
            name = path.relative_to(folder)
            if name.parts[:2] == ("cache", "arrays") or "training" in name.parts:
                continue
            if str(folder).encode() in path.read_bytes() or str(Path.home()).encode() in path.read_bytes():
                raise ValueError(f"{name} names a place on this machine")
            packed.write(path, name)


if __name__ == "__main__":
    target = Path(sys.argv[1])
    with tempfile.TemporaryDirectory() as scratch:
        made = Path(scratch) / "data"
        os.environ["ROUTESCOPE_DATA_DIR"] = str(made)
        answers = asyncio.run(main(made))
        pack(made, target / "data_0_5.zip")
        (target / "answers_0_5.json").write_text(json.dumps(answers, sort_keys=True) + "\n")
