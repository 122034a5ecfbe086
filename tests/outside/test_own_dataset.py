"""A data set of one function in one file is a data set everywhere: in core, on the command line, in the API."""

import importlib
from collections.abc import AsyncIterator, Iterator
from dataclasses import replace
from pathlib import Path

import httpx
import pytest
import torch

import routescope as rs
from routescope import assets
from routescope.data import Samples, catalogue, known_datasets, load
from routescope.data.text.sets import own_texts
from routescope.routing import score
from routescope.zoo import checkpoint
from tests.app.serving import serving, settings
from tests.core.cli.test_cli import run_json

MODEL = "outside-limericks"


@pytest.fixture(scope="module", autouse=True)
def texts() -> Iterator[tuple[str, ...]]:
    """The texts of the data set, which exists while these tests run, as does a network that has a head for it."""
    module = importlib.reload(importlib.import_module("tests.outside.limericks"))
    network = rs.open("moe-bytes")
    config = replace(network.config, domains=("limericks",))
    torch.manual_seed(0)
    path = checkpoint.save(type(network)(config), assets.data_dir() / "checkpoints" / MODEL / "model.safetensors")
    yield module.TEXTS
    path.unlink()
    catalogue.unregister("limericks")


@pytest.fixture
async def client(tmp_path: Path) -> AsyncIterator[httpx.AsyncClient]:
    async with serving(settings(tmp_path)) as client:
        yield client


def test_it_is_listed_after_those_of_its_kind_and_loaded(texts: tuple[str, ...]) -> None:
    names = [name for name, info in known_datasets().items() if info.inputs == "text" and info.shown]
    assert names == ["python", "manual", "sums", "listops", "limericks"]
    samples = load("limericks", limit=2)
    assert isinstance(samples, Samples) and samples.texts == texts[:2]
    assert rs.datasets().loc["limericks", "splits"] == "validation 3"


def test_it_is_scored_in_core_and_on_the_command_line(texts: tuple[str, ...]) -> None:
    expected = score(rs.open(MODEL), own_texts(texts, "limericks"))
    assert rs.score(MODEL, "limericks").figure == expected.figure
    found = run_json("evaluate", MODEL, "--data", "limericks")
    assert (found["data"], found["bits a byte"]) == ("limericks", pytest.approx(expected.figure))


async def test_the_api_lists_and_shows_it(client: httpx.AsyncClient, texts: tuple[str, ...]) -> None:
    sets = (await client.get("/api/v1/data", params={"inputs": "text"})).json()["items"]
    assert [each["title"] for each in sets][-1] == "Limericks"
    rows = (await client.get("/api/v1/tables", params={"set": "limericks"})).json()
    assert rows["total"] == 3 and [each["id"] for each in rows["items"]][2] == "limericks.validation.2"
