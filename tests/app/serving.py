"""What tests of the service share: a small model, an app over a scratch folder, a client, a real server."""

import contextlib
import io
import socket
import sqlite3
import tempfile
import threading
import time
from collections.abc import AsyncIterator, Iterator
from functools import cache, partial
from pathlib import Path
from typing import Any

import httpx
import numpy as np
import torch
import uvicorn
from fastapi import FastAPI
from PIL import Image

import routescope_app.dashboard  # noqa: F401  Dash keeps a context variable of the context that imported it first: the outermost
from routescope import assets
from routescope.data.blocks.rules import BlockTask
from routescope.data.blocks.tasks import TASKS
from routescope.nn.baselines.fnn import BlockFNN
from routescope.nn.baselines.transformer import BlockTransformer
from routescope.nn.blocks.config import BlockFNNConfig, BlockTransformerConfig, SMFRConfig
from routescope.nn.blocks.network import BlockNetwork
from routescope.nn.circuit.conditional import ConditionalNeuralAttentiveCircuit
from routescope.nn.circuit.network import NeuralAttentiveCircuit, NeuralAttentiveCircuitConfig
from routescope.nn.circuit_config import ConditionalCircuitConfig
from routescope.nn.encoders.panels import PanelEncoder
from routescope.nn.interpreter.matrices import MatrixInterpreter, MatrixInterpreterConfig
from routescope.nn.interpreter.network import NeuralInterpreter, NeuralInterpreterConfig
from routescope.nn.mixture.config import MixtureConfig
from routescope.nn.mixture.network import MixtureNetwork
from routescope.nn.network import Network
from routescope.zoo import checkpoint
from routescope_app.main import create_app, server_options
from routescope_app.services.container import Services
from routescope_app.services.store import Store
from routescope_app.services.traces import traces
from routescope_app.settings import Settings

traces.LEAST_SECONDS = 0.0  # recordings of small models are quick, and all are to be kept

MODEL = "tiny"
UNITS = ("f1", "f2", "f3", "f4")
STEPS = ("i1", "i2", "i3")


def _save(model: Network, name: str) -> Path:
    """Keep a model in the tests' data folder."""
    return checkpoint.save(model, assets.data_dir() / "checkpoints" / name / "model.safetensors")


def make_model(name: str = MODEL, seed: int = 0) -> Path:
    """An untrained Neural Interpreter of 16 patches in the tests' data folder."""
    torch.manual_seed(seed)
    config = NeuralInterpreterConfig(
        features=16, code_features=16, type_features=8, type_inference_width=16, iterations=3, functions=4, heads=2,
        key_features=8, position_features=8, patch_size=8,
    )  # fmt: skip
    return _save(NeuralInterpreter(config), name)


#: A Neural Interpreter of two scripts that reads points of numbers, untrained, and its functions.
NUMBERS = "tiny-numbers"
NUMBER_SETS = ("boolean-01", "boolean-02", "boolean-03")


def make_numbers(name: str = NUMBERS, seed: int = 0) -> Path:
    """An untrained Neural Interpreter of points in the tests' data folder."""
    torch.manual_seed(seed)
    config = NeuralInterpreterConfig(
        features=16, code_features=16, type_features=8, type_inference_width=16, scripts=2, iterations=2, functions=2,
        heads=1, key_features=8, tokenizer="numbers", relative_position=None, classes=1, shared_head=True,
        domains=NUMBER_SETS, target_means=(0.5,) * len(NUMBER_SETS),
    )  # fmt: skip
    return _save(NeuralInterpreter(config), name)


#: A Neural Interpreter of two scripts that completes matrices, untrained.
MATRICES = "tiny-matrices"


def make_matrices(name: str = MATRICES, seed: int = 0) -> Path:
    """An untrained network of matrices in the tests' data folder, to which panels and answers make a difference."""
    torch.manual_seed(seed)
    config = MatrixInterpreterConfig(
        features=16, code_features=16, type_features=8, type_inference_width=16, scripts=2, iterations=1, functions=3,
        heads=2, key_features=8, panel_width=4, image_size=32, locs=1, domains=("pgm-small-neutral",),
    )  # fmt: skip
    model = MatrixInterpreter(config)
    assert isinstance(model.tokenizer, PanelEncoder)
    for place, parameter in model.tokenizer.named_parameters():
        if place.startswith("convolutions") and parameter.dim() > 1:
            parameter.data.mul_(4)
    torch.nn.init.normal_(model.tokenizer.embed.weight)
    torch.nn.init.normal_(model.heads[0][1].weight, std=10)
    return _save(model, name)


#: A mixture of as many layers and experts as the gallery's, of which it is a small one, untrained.
EXPERTS = "tiny-experts"


def make_experts(name: str = EXPERTS, seed: int = 0, experts: int = 8) -> Path:
    """An untrained mixture in the tests' data folder, with choices that differ by token and experts that matter."""
    torch.manual_seed(seed)
    model = MixtureNetwork(MixtureConfig(context=40, layers=4, features=16, heads=2, experts=experts, hidden=8))
    for layer in model.layers:
        layer.experts.router.weight.data.mul_(20)
        layer.experts.down.data.mul_(10)
    return _save(model, name)


#: A circuit of modules with links.
CIRCUIT = "tiny-circuit"
MODULES = tuple(f"m{u + 1}" for u in range(12))
LAYERS = 2


def circuit_config(**changes: Any) -> NeuralAttentiveCircuitConfig:
    """Sizes of a Neural Attentive Circuit of 12 modules and 16 patches."""
    sizes: dict[str, Any] = {
        "features": 16, "code_features": 16, "signature_features": 8, "modules": len(MODULES), "readouts": 3,
        "layers": LAYERS, "heads": 2, "head_features": 8, "ffn_hidden": 16, "readin_head_features": 8,
        "readout_head_features": 8, "prior": "planted-partition", "tokenizer": "patches", "image_size": 32,
        "patch_size": 8, "position_features": 8, "held_out": ("mnist-m",),
    }  # fmt: skip
    return NeuralAttentiveCircuitConfig(**sizes | changes)


def make_circuit(name: str = CIRCUIT, seed: int = 0, **changes: Any) -> Path:
    """An untrained Neural Attentive Circuit in the tests' data folder."""
    torch.manual_seed(seed)
    circuit = NeuralAttentiveCircuit(circuit_config(**changes))
    return _save(circuit, name)


#: A circuit that sentences design.
STATEMENTS = "tiny-statements"
DESIGNED = tuple(f"m{u + 1}" for u in range(8))
#: Words that it knows: not "purple", nor "under".
WORDS = (
    "there", "is", "are", "a", "an", "red", "blue", "green", "circle", "square", "star", "object", "many", "no", "above"
)  # fmt: skip


def statement_config(**changes: Any) -> ConditionalCircuitConfig:
    """Sizes of a conditional circuit of 8 modules that reads two pictures of 48 x 48 pixels in 3 x 3 tokens each."""
    sizes: dict[str, Any] = {
        "features": 16, "code_features": 16, "signature_features": 8, "modules": len(DESIGNED), "readouts": 3,
        "layers": LAYERS, "heads": 2, "head_features": 8, "ffn_hidden": 16, "readin_head_features": 8,
        "readout_head_features": 8, "tokenizer": "patches", "image_size": 48, "patch_size": 16, "position_features": 8,
        "words": WORDS, "text_features": 16, "text_heads": 2, "generator_features": 16, "generator_heads": 2,
        "generator_hidden": 16,
    }  # fmt: skip
    return ConditionalCircuitConfig(**sizes | changes)


def make_statements(name: str = STATEMENTS, seed: int = 0, **changes: Any) -> Path:
    """An untrained conditional circuit in the tests' data folder."""
    torch.manual_seed(seed)
    circuit = ConditionalNeuralAttentiveCircuit(statement_config(**changes))
    return _save(circuit, name)


#: Networks of blocks: SMFRs of tasks with and without iterations, of digits and of pictures, and what is beside them.
BLOCKS, BLOCKS_ONCE, BLOCKS_PICTURES = "tiny-blocks", "tiny-blocks-once", "tiny-blocks-pictures"
BLOCKS_FNN, BLOCKS_TRANSFORMER = "tiny-blocks-fnn", "tiny-blocks-transformer"
#: Hidden blocks of the first.
HIDDEN = ("1.1", "1.2", "1.3")


def block_sizes(task: BlockTask) -> dict[str, Any]:
    """What a network's config says of a task."""
    repeats = task.iterations > 1
    return {
        "task": task.name, "values": task.values, "outputs": task.outputs, "block_size": task.block_size,
        "classes": task.classes, "iterations": task.iterations, "repeats": repeats,
    }  # fmt: skip


def make_blocks(name: str = BLOCKS, task: str = "algo", seed: int = 0, **changes: Any) -> Path:
    """An untrained SMFR of three hidden blocks in the tests' data folder."""
    torch.manual_seed(seed)
    config = SMFRConfig(**block_sizes(TASKS[task]) | {"depth": 1, "width": len(HIDDEN), "hidden": 8} | changes)
    return _save(BlockNetwork(config), name)


def make_block_baselines(task: str = "algo", seed: int = 0) -> None:
    """An untrained feed-forward network and Transformer of the same task."""
    torch.manual_seed(seed)
    sizes = block_sizes(TASKS[task])
    _save(BlockFNN(BlockFNNConfig(**sizes, hidden=8, layers=1)), BLOCKS_FNN)
    transformer = BlockTransformerConfig(**sizes, features=8, heads=2, internal=8, layers=1)
    _save(BlockTransformer(transformer), BLOCKS_TRANSFORMER)


def make_all_blocks() -> None:
    """Every network of blocks that tests share."""
    make_blocks()
    make_blocks(BLOCKS_ONCE, "addmul", depth=2)
    make_blocks(BLOCKS_PICTURES, "bpmnist", depth=0)
    make_block_baselines()


def settings(folder: Path, **changes: Any) -> Settings:
    """Settings of an API alone that computes nothing on its own account."""
    fixed = {"role": "api", "warm_up": False, "torch_threads": 1, "concurrency": 2}
    assert changes.keys() <= Settings.model_fields.keys(), "no such setting"
    return Settings(**{"data_dir": folder} | fixed | changes)


@cache
def _migrated() -> sqlite3.Connection:
    """A database without rows, as migrations make it."""
    made = sqlite3.connect(":memory:", check_same_thread=False)
    with tempfile.TemporaryDirectory() as folder:
        store = Store(f"sqlite:///{folder}/made.db")
        assert store.migrate()
        with store.engine.connect() as connection:
            connection.connection.driver_connection.backup(made)  # type: ignore[union-attr]
        store.close()
    return made


def migrate(store: Store) -> bool:
    """What ``Store.migrate`` does and says; a new file gets the pages of one that it made, in a tenth of the time.

    How tables come to be is what tests of the store are about, which ask it itself.
    """
    place = store.engine.url.database if store.engine.dialect.name == "sqlite" else None
    if not place or Path(place).exists():
        return Store.migrate(store)
    with store.engine.connect() as connection:
        _migrated().backup(connection.connection.driver_connection)  # type: ignore[arg-type]
    return True


@contextlib.asynccontextmanager
async def running(chosen: Settings) -> AsyncIterator[FastAPI]:
    """The app between start and stop."""
    app = create_app(chosen)
    if hasattr(app.state, "services"):
        services: Services = app.state.services
        services.store.migrate = partial(migrate, services.store)  # type: ignore[method-assign]
    async with app.router.lifespan_context(app):
        yield app


#: What a page of the service at the address of ``client_of`` sends with its forms, beside what programs send.
PAGE = {"Origin": "http://127.0.0.1"}


def client_of(app: FastAPI, address: str = "127.0.0.1", **options: Any) -> httpx.AsyncClient:
    """A client in the same process, which comes from ``address``; errors of the app are answers, as for all others."""
    transport = httpx.ASGITransport(app=app, raise_app_exceptions=False, client=(address, 123))
    return httpx.AsyncClient(transport=transport, base_url="http://127.0.0.1", timeout=60, **options)


@contextlib.asynccontextmanager
async def serving(chosen: Settings, **options: Any) -> AsyncIterator[httpx.AsyncClient]:
    """A client of a running app."""
    async with running(chosen) as app, client_of(app, **options) as client:
        yield client


@contextlib.contextmanager
def listening(chosen: Settings) -> Iterator[int]:
    """A real server on a free port of 127.0.0.1, in a thread; gives the port."""
    with socket.create_server(("127.0.0.1", 0)) as listener:
        config = uvicorn.Config(create_app(chosen), log_level="error", **server_options(chosen))
        server = uvicorn.Server(config)
        thread = threading.Thread(target=server.run, kwargs={"sockets": [listener]}, daemon=True)
        thread.start()
        deadline = time.monotonic() + 120
        while not server.started:
            assert thread.is_alive() and time.monotonic() < deadline, "the server did not start"
            time.sleep(0.02)
        try:
            yield listener.getsockname()[1]
        finally:
            server.should_exit = True
            thread.join(timeout=30)


def png(width: int = 40, height: int = 30, colour: Any = (200, 30, 60), mode: str = "RGB") -> bytes:
    """A PNG with something to see on it."""
    return _as_png(Image.new(mode, (width, height), colour))


def drawing() -> bytes:
    """White strokes on black."""
    picture = Image.new("L", (100, 100), 0)
    picture.paste(255, (45, 10, 55, 90))
    return _as_png(picture)


def _as_png(picture: Image.Image) -> bytes:
    buffer = io.BytesIO()
    picture.save(buffer, "PNG")
    return buffer.getvalue()


def array_of(response: httpx.Response) -> tuple[np.ndarray, tuple[str, ...]]:
    """(values, names of the axes) of an array that was sent as binary."""
    shape = tuple(int(n) for n in response.headers["X-Shape"].split(",") if n)
    dims = tuple(d for d in response.headers["X-Dims"].split(",") if d)
    dtype = np.dtype(response.headers["X-Dtype"]).newbyteorder("<")
    return np.frombuffer(response.content, dtype).reshape(shape), dims


async def upload(client: httpx.AsyncClient, content: bytes | None = None, name: str = "a.png", **fields: str) -> Any:
    """Send a picture; gives the response."""
    file = {"file": (name, png() if content is None else content, "image/png")}
    return await client.post("/api/v1/samples", files=file, data=fields)


def is_problem(response: httpx.Response, status: int) -> dict[str, Any]:
    """Check that the response is a well-formed problem of that status, without secrets; gives its body."""
    assert response.status_code == status, (response.status_code, response.text[:500])
    assert response.headers["content-type"] == "application/problem+json"
    body: dict[str, Any] = response.json()
    assert {"type", "title", "status", "detail", "instance"} <= set(body)
    assert body["status"] == status
    assert body["instance"].startswith("urn:uuid:")
    for secret in ("Traceback", 'File "', "site-packages", ".py", "/tmp", "/dev/shm", "sqlalchemy", "starlette"):
        assert secret not in response.text, secret
    return body
