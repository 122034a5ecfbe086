"""Makes ``data_0_6.zip``: a data folder that version 0.6 wrote, and what its API answered about the folder.

Run it with the code of 0.6 (commit b79e021b, the last with database revision 0012), and the zip as its argument::

    git worktree add ../v0.6 b79e021b
    cd ../v0.6 && PYTHONPATH=. python PATH_OF/make_data_folder.py PATH_OF/data_0_6.zip

The folder holds six small models, samples of every kind that can be uploaded, traces, logs, snapshots, a set of units,
a user, an ended login, one finished job of every kind, and one queued job. Things belong to everybody, to a browser, or
to the user. ``answers.json`` lists each GET request with its status and its body; bodies that are not JSON are hashed.
"""

import asyncio
import hashlib
import io
import json
import os
import sqlite3
import sys
import tempfile
import zipfile
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Any
from unittest import mock
from urllib.parse import parse_qsl, urlsplit

import httpx
import numpy as np
import torch

MODEL = "mine"
NUMBER_SETS = ("boolean-01", "boolean-02", "boolean-03")
SERVICE, USER = "a-long-enough-token-for-tests", "rsu_" + "a" * 43
#: Headers of the three callers.
CALLERS = {
    "everybody": {"Authorization": f"Bearer {SERVICE}"},
    "browser": {"Authorization": f"Bearer {SERVICE}", "Cookie": f"routescope_browser={'b' * 32}"},
    "user": {"Authorization": f"Bearer {USER}"},
}
MNIST: dict[str, Any] = {"model": MODEL, "data": ["mnist"], "samples": 12}
TEXTS: dict[str, Any] = {"model": "tiny-experts", "data": ["sums", "listops"], "samples": 4}
#: Path of a job's kind, its request, its caller.
JOBS: tuple[tuple[str, dict[str, Any], str], ...] = (
    ("importances", MNIST, "everybody"),
    ("importances", TEXTS | {"layer": "l1", "kind": "mute"}, "user"),
    ("observations", MNIST | {"shuffles": 10, "seed": 3}, "browser"),
    ("embeddings", MNIST | {"samples": 10, "method": "pca"}, "everybody"),
    ("behaviours", MNIST | {"order": "rerouted", "intervention": {"mute": ["f2"]}}, "everybody"),
    ("expert-loads", TEXTS | {"shuffles": 10, "seed": 3}, "everybody"),
    ("prunings", TEXTS | {"order": "use", "points": 2, "draws": 2, "seed": 3}, "user"),
    ("sentence-maps", {"model": "tiny-statements", "set": "scenes", "method": "pca"}, "everybody"),
)
#: Tables of an importance.
TABLES = ("shapley", "single", "interactions", "retention", "anytime", "convergence", "usage", "subsets")
#: The job that is queued when the service stops; its answers are known, because it had run before.
QUEUED = ("observations", MNIST | {"samples": 8, "shuffles": 10, "seed": 4})
EVALUATIONS: tuple[dict[str, Any], ...] = (
    MNIST | {"samples": 30, "controls": 2, "intervention": {"drop": ["f2"]}},
    TEXTS | {"controls": 0, "intervention": {"drop": ["l2.e3"]}},
)
CHANGE = {"drop": ["f1"], "iterations": 3}
LOG = [[[0, 1], [2, 3]], [[1, 2], [0, 3]], [[3, 0], [1, 2]]]


def make_models() -> None:
    """Untrained models of every kind of input, and one that ``train`` of 0.6 left: weights and card."""
    from core.nn.circuit.conditional import ConditionalNeuralAttentiveCircuit
    from core.nn.circuit.network import NeuralAttentiveCircuit
    from core.nn.interpreter.matrices import MatrixInterpreter, MatrixInterpreterConfig
    from core.nn.interpreter.network import NeuralInterpreter, NeuralInterpreterConfig
    from core.nn.mixture.config import MixtureConfig
    from core.nn.mixture.network import MixtureNetwork
    from core.training.fit import train
    from core.training.settings import TrainingSettings
    from core.training.tasks.mixture import Mixture
    from core.zoo import checkpoint

    from tests.app import serving

    sizes = {"features": 8, "code_features": 8, "type_features": 4, "type_inference_width": 8, "key_features": 4}
    config = NeuralInterpreterConfig(
        **sizes, iterations=2, functions=3, heads=2, position_features=4, tokenizer="convolutional", patch_size=16
    )
    settings = TrainingSettings(
        steps=4, batch_size=8, precision="32-true", accelerator="cpu", devices=1, minutes=0, validate_every=4
    )
    torch.manual_seed(0)
    images = torch.randint(0, 256, (64, 3, 32, 32), dtype=torch.uint8)
    pictures = Mixture(images, torch.arange(64) % 10, torch.arange(64) % 3, config.domains, (("noise", 64),))
    folder = Path(os.environ["ROUTESCOPE_DATA_DIR"]) / "checkpoints"
    train(settings=settings, config=config, folder=folder / MODEL, progress=False, mixture=pictures)
    torch.manual_seed(0)
    numbers = NeuralInterpreterConfig(
        **sizes, scripts=2, iterations=2, functions=2, heads=1, tokenizer="numbers", relative_position=None, classes=1,
        shared_head=True, domains=NUMBER_SETS, target_means=(0.5,) * len(NUMBER_SETS),
    )  # fmt: skip
    matrices = MatrixInterpreterConfig(
        **sizes, scripts=2, iterations=1, functions=3, heads=2, panel_width=2, image_size=32, locs=1,
        domains=("pgm-small-neutral",),
    )  # fmt: skip
    mixture = MixtureConfig(context=40, layers=2, features=8, heads=2, experts=4, hidden=8, domains=("sums", "listops"))
    experts = MixtureNetwork(mixture)
    for layer in experts.layers:
        layer.experts.router.weight.data.mul_(20)
        layer.experts.down.data.mul_(10)
    small = {"features": 8, "code_features": 8, "signature_features": 4, "head_features": 4, "ffn_hidden": 8}
    generator = {"text_features": 8, "generator_features": 8, "generator_hidden": 8}
    points = {"tokenizer": "points", "max_length": 32, "domains": ("clouds",), "held_out": (), "classes": 12}
    for name, network in {
        "tiny-numbers": NeuralInterpreter(numbers),
        "tiny-matrices": MatrixInterpreter(matrices),
        "tiny-experts": experts,
        "tiny-statements": ConditionalNeuralAttentiveCircuit(serving.statement_config(**small, **generator)),
        "tiny-points": NeuralAttentiveCircuit(serving.circuit_config(**small, **points)),
    }.items():
        checkpoint.save(network, folder / name / "model.safetensors")


@dataclass
class Session:
    """Requests to the service of 0.6, with the answers that the test compares."""

    client: httpx.AsyncClient
    requests: list[dict[str, Any]] = field(default_factory=list)
    answers: list[dict[str, Any]] = field(default_factory=list)

    async def post(self, path: str, caller: str = "everybody", repeat: bool = False, **body: Any) -> dict[str, Any]:
        """Send a request and return the reply. With ``repeat``, the test sends the request again."""
        headers = CALLERS[caller] | ({"Content-Type": "application/octet-stream"} if "content" in body else {})
        answer = await self.client.post(f"/api/v1{path}", headers=headers, **body)
        assert answer.status_code in {200, 201, 202}, (path, answer.text)
        made: dict[str, Any] = answer.json()
        if repeat:
            self.requests.append({"path": path, "caller": caller, "body": body["json"], "answer": made})
        return made

    async def get(self, path: str, caller: str = "everybody") -> Any:
        """Keep the answer to a GET request, and return its JSON body or its hash."""
        answer = await self.client.get(f"/api/v1{path}", headers=CALLERS[caller])
        assert answer.status_code == 200, (path, answer.text)
        is_json = answer.headers["content-type"].startswith("application/json")
        body = answer.json() if is_json else hashlib.sha256(answer.content).hexdigest()
        self.answers.append({"path": path, "caller": caller, "body": body})
        return body


def parameters_read(address: str, pages: Any, validation: Any, chosen: Any) -> dict[str, Any]:
    """Return what a page of the dashboard reads of its address, by parameter.

    Args:
        pages, validation, chosen: the dashboard's pages, its module of that name, and settings, of the same version.
    """
    parts = urlsplit(address)
    query = dict(parse_qsl(parts.query, strict_parsing=True))
    read: dict[str, Any] = {}
    of_query = validation.Input.of_query.__func__

    def noted(cls: Any, query: dict[str, Any]) -> Any:
        choice = of_query(cls, query)
        read.update(choice.model_dump(mode="json"))
        return choice

    with mock.patch.object(validation.Input, "of_query", classmethod(noted)):
        next(page for page in pages if page.path == parts.path).layout(chosen, **query)
        validation.Selection.of_query(query)
    return {name: read[name] for name in query}


def file_of(**arrays: Any) -> bytes:
    """Bytes of an npz file, or of an npy file of the array named ``only``."""
    buffer = io.BytesIO()
    if "only" in arrays:
        np.save(buffer, arrays["only"])
    else:
        np.savez_compressed(buffer, **arrays)
    return buffer.getvalue()


async def bring_samples(session: Session) -> dict[str, str]:
    """Upload a sample of every kind; returns ids by name."""
    from tests.app.serving import drawing, png

    samples = {}
    for name, content, caller in (
        ("square", png(20, 20), "everybody"), ("drawing", drawing(), "browser"), ("circle", png(9, 9), "user")
    ):  # fmt: skip
        form = {"origin": "drawing"} if name == "drawing" else {"label": "7", "name": name}
        file = {"file": (f"{name}.png", content, "image/png")}
        samples[name] = (await session.post("/samples", caller, files=file, data=form))["id"]
    for name, caller, text in (
        ("text", "everybody", "1 + 2 = 3\n4 + 5 = 9"), ("code", "browser", "def f(x):\n    return x\n")
    ):  # fmt: skip
        samples[name] = (await session.post("/samples/texts", caller, json={"text": text, "name": name}))["id"]
    written = {"inputs": "numbers", "content": "0.1, 0.9, 0.5, 0.25, 1", "set": "boolean-03", "name": "numbers"}
    samples["numbers"] = (await session.post("/samples/written", "user", json=written))["id"]
    draws = np.random.default_rng(4)
    cloud = file_of(only=draws.normal(size=(40, 3)).astype(np.float32))
    panels = np.repeat(np.repeat(draws.integers(0, 256, (16, 8, 8), dtype=np.uint8), 4, 1), 4, 2)
    for name, kind, content in (
        ("cloud.npy", "points", cloud), ("matrix.npz", "matrices", file_of(image=panels, target=np.array(2)))
    ):  # fmt: skip
        made = await session.post("/samples/files", data={"inputs": kind}, files={"file": (name, content)})
        samples[kind] = made["id"]
    return samples


async def read_samples(session: Session, samples: dict[str, str]) -> None:
    """Keep what lists, tables and images of samples answer."""
    for caller in CALLERS:
        await session.get(f"/samples?model={MODEL}&limit=12", caller)
        for kind in ("text", "numbers", "points", "matrices"):
            await session.get(f"/samples/written?inputs={kind}", caller)
    for name in ("square", "drawing", "circle"):
        await session.get(f"/samples/{samples[name]}")
        await session.get(f"/samples/{samples[name]}/image")
    for name, model in (
        ("text", "tiny-experts"), ("code", "tiny-experts"), ("numbers", "tiny-numbers"), ("points", "tiny-points"),
        ("matrices", "tiny-matrices"),
    ):  # fmt: skip
        await session.get(f"/tables/{samples[name]}?model={model}")


async def record_traces(session: Session, samples: dict[str, str]) -> None:
    """Record traces of samples of every kind, and keep their fields."""
    for name, model, fields, change in (
        ("square", MODEL, ["compatibility", "attention"], CHANGE), ("numbers", "tiny-numbers", ["compatibility"], {}),
        ("points", "tiny-points", ["read_in"], {"drop": ["m3"]}), ("matrices", "tiny-matrices", ["compatibility"], {}),
        ("text", "tiny-experts", ["top_experts"], {"drop": ["l2.e3"]}),
    ):  # fmt: skip
        body = {"model": model, "sample": samples[name], "fields": fields, "intervention": change}
        trace = (await session.post("/traces", repeat=True, json=body))["id"]
        await session.get(f"/traces/{trace}")
        for name in fields:
            await session.get(f"/traces/{trace}/fields/{name}")


async def ended(session: Session, job: dict[str, Any], caller: str) -> dict[str, Any]:
    """Wait for the end of a job."""
    while job["state"] in {"queued", "running"}:
        await asyncio.sleep(0.2)
        job = (await session.client.get(f"/api/v1/jobs/{job['id']}", headers=CALLERS[caller])).json()
    assert job["state"] == "done", job
    return job


async def run_jobs(session: Session) -> str:
    """Run one job of every kind and keep its results; returns the id of the job to queue."""
    for kind, body, caller in JOBS:
        job = await ended(session, await session.post(f"/{kind}", caller, json=body), caller)
        session.requests.append({"path": f"/{kind}", "caller": caller, "body": body, "answer": job})
        await session.get(f"/jobs/{job['id']}", caller)
        result = job["result"].removeprefix("/api/v1")
        await session.get(result, caller)
        if kind == "importances":
            for table in (
                "shapley",
                "single",
                "interactions",
                "retention",
                "anytime",
                "convergence",
                "usage",
                "subsets",
            ):
                await session.get(f"{result}?format=csv&table={table}", caller)
        if kind == "prunings":
            await session.get(f"{result}/keep-list?keep=3", caller)
        if kind == "embeddings":
            for name in ("xy", "pca"):
                await session.get(f"{result}/arrays/{name}", caller)
    kind, body = QUEUED
    queued = await ended(session, await session.post(f"/{kind}", json=body), "everybody")
    await session.get(queued["result"].removeprefix("/api/v1"))
    return str(queued["id"])


async def keep_logs(session: Session) -> None:
    """Upload a routing log and record two; keep what can be asked about them."""
    content = json.dumps({
        "id": "x", "choices": [{"index": 0, "routed_experts": LOG, "prompt_token_ids": [7], "token_ids": [8, 9, 10]}]
    })  # fmt: skip
    brought = (await session.post("/logs?name=log.json&experts=8", "browser", content=content.encode()))["id"]
    recording: dict[str, Any] = {"model": "tiny-experts", "texts": 1}
    first = (await session.post("/logs/recordings", json=recording))["id"]
    second = (await session.post("/logs/recordings", json=recording | {"drop": ["l1.e2"]}))["id"]
    for log in (brought, first, second):
        await session.get(f"/logs/{log}", "browser")
        for part in ("usage", "tokens?limit=5", "sequences", "path?limit=5", "load"):
            await session.get(f"/logs/{log}/{part}", "browser")
    await session.get(f"/logs/{brought}/file", "browser")
    await session.get("/logs", "browser")
    await session.get(f"/logs/comparison?a={first}&b={second}")
    await session.get(f"/logs/comparison/tokens?a={first}&b={second}")


async def keep_the_rest(session: Session, samples: dict[str, str]) -> None:
    """Keep a set of units, snapshots of every page, evaluations, and what models say of themselves."""
    for body in EVALUATIONS:
        await session.post("/evaluations", repeat=True, json=body)
    units = await session.post("/unit-sets", json={"units": ["l1.e2", "l2.e4"]})
    await session.get(f"/unit-sets/{units['id']}")
    await session.get(f"/models/tiny-experts/units?rule={units['name']},l2.e1")
    job = session.requests[0]["answer"]["id"]
    for page, query, caller in (
        ("samples", f"model={MODEL}&sample={samples['square']}&set=mnist&wrong=1&page=3", "everybody"),
        ("paths", f"model={MODEL}&sample={samples['square']}&mute=f2&drop=f1&iterations=3&step=1", "browser"),
        ("drop", f"model=tiny-experts&units={units['name']},l2.e1&data=sums,listops&samples=250", "user"),
        ("types", f"model={MODEL}&method=umap&data=mnist&samples=40&tokens=all&neighbours=20&seed=7", "everybody"),
        ("graphs", "model=tiny-points&least=8&edges=0.5&drop=m7&unit=m12&order=communities&links=120", "everybody"),
        ("observe", f"model={MODEL}&data=mnist&samples=1000&drop=f2&steps=i1,i2&cell=lift&measure=cosine", "user"),
        ("circuits", "model=tiny-statements&set=appendix-h&method=pca&seed=2&colour=object&threshold=0.2", "browser"),
        ("blocks", "model=smfr-algo&digits=2,7,1,8,2&program=1,4&iterations=4&gates=1.3:0.5,E:1", "everybody"),
    ):
        body = {"name": page, "note": f"Job {job}", "address": f"/{page}?{query}"}
        made = await session.post("/snapshots", caller, json=body)
        await session.get(f"/snapshots/{made['id']}", caller)
    for caller in CALLERS:
        await session.get("/snapshots", caller)
        await session.get("/user", caller)
        await session.get("/jobs", caller)
    await session.get("/users/tokens")
    for model in (MODEL, "tiny-numbers", "tiny-matrices", "tiny-experts", "tiny-statements", "tiny-points"):
        await session.get(f"/models/{model}")
    await session.get(f"/models/{MODEL}/card")
    await session.get("/models/tiny-points/graph")


async def main(folder: Path) -> dict[str, Any]:
    """Fill the folder; returns what the test reads."""
    from app.dashboard import PAGES, validation
    from app.services.store import EndedLoginRow, TokenRow, now
    from app.services.users import digest_of

    from core import __version__
    from tests.app.serving import client_of, running, settings

    make_models()
    async with running(settings(folder, token=SERVICE)) as app, client_of(app) as client:
        with app.state.services.store.writing() as rows:
            rows.add(TokenRow(name="anna", digest=digest_of(USER), created=now()))
            login = hashlib.sha256(b"a cookie").hexdigest()
            rows.add(EndedLoginRow(digest=login, until=datetime(2100, 1, 1, tzinfo=UTC)))
        session = Session(client)
        samples = await bring_samples(session)
        await read_samples(session, samples)
        await record_traces(session, samples)
        queued = await run_jobs(session)
        await keep_logs(session)
        await keep_the_rest(session, samples)
    with sqlite3.connect(folder / "routescope.db") as rows:
        rows.execute("UPDATE jobs SET state = 'queued', bytes = 0, worker = NULL WHERE id = ?", (queued,))
    rows.close()
    addresses = [answer["body"]["address"] for answer in session.answers if answer["path"].startswith("/snapshots/")]
    read = {address: parameters_read(address, PAGES, validation, settings(folder)) for address in addresses}
    return {
        "read": read, "version": __version__, "callers": CALLERS, "samples": samples, "queued": queued,
        "requests": session.requests, "answers": session.answers,
    }  # fmt: skip


def files_of(folder: Path, queued: str) -> Iterator[Path]:
    """Files to pack: without arrays that are made again, training states, and results of the queued job.

    Raises:
        ValueError: a file has a path of this machine.
    """
    for path in sorted(path for path in folder.rglob("*") if path.is_file()):
        parts = path.relative_to(folder).parts
        if parts[:2] == ("cache", "arrays") or "training" in parts or queued in parts:
            continue
        if str(folder).encode() in path.read_bytes() or str(Path.home()).encode() in path.read_bytes():
            raise ValueError(f"{'/'.join(parts)} has a path of this machine")
        yield path


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as scratch:
        made = Path(scratch) / "data"
        os.environ["ROUTESCOPE_DATA_DIR"] = str(made)
        said = asyncio.run(main(made))
        with zipfile.ZipFile(sys.argv[1], "w", zipfile.ZIP_LZMA) as packed:
            for path in files_of(made, said["queued"]):
                packed.write(path, Path("data") / path.relative_to(made))
            packed.writestr("answers.json", json.dumps(said, sort_keys=True))
