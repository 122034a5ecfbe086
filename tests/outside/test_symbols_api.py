"""The API on a network, a kind of input and a data set that are registered from outside the project."""

import io
import math
from collections.abc import AsyncIterator, Iterator
from pathlib import Path

import httpx
import numpy as np
import pytest
from PIL import Image

from routescope import assets
from routescope.data import load
from routescope.routing import Intervention, record, score
from routescope.zoo import checkpoint
from tests.app.api.follow import ended, start
from tests.app.serving import array_of, is_problem, png, serving, settings
from tests.outside.symbols import EXPERTS, LONGEST, SYMBOLS, Circle, SymbolsConfig, SymbolsNetwork
from tests.outside.test_symbols import KNOWN, UNKNOWN, bits

MODEL = "outside-api"


@pytest.fixture(scope="module", autouse=True)
def model() -> Iterator[SymbolsNetwork]:
    model = SymbolsNetwork(SymbolsConfig()).eval().requires_grad_(False)
    path = checkpoint.save(model, assets.data_dir() / "checkpoints" / MODEL / "model.safetensors")
    yield model
    path.unlink()


@pytest.fixture
async def client(tmp_path: Path) -> AsyncIterator[httpx.AsyncClient]:
    async with serving(settings(tmp_path)) as client:
        yield client


async def test_a_sample_of_its_data_is_recorded(client: httpx.AsyncClient, model: SymbolsNetwork) -> None:
    body = {"model": MODEL, "sample": "circle.validation.5", "fields": ["compatibility"]}
    for drop in ((), ("e2",)):
        answer = await client.post("/api/v1/traces", json={**body, "intervention": {"drop": list(drop)}})
        assert answer.status_code == 201, answer.text
        path = f"/api/v1/traces/{answer.json()['id']}"
        assert (await client.get(path)).status_code == 200
        sent, dims = array_of(await client.get(f"{path}/fields/compatibility", params={"format": "binary"}))
        inputs = load("circle").inputs([5])
        own = record(model, inputs, only=["compatibility"], intervention=Intervention(drop=drop))["compatibility"]
        assert dims == tuple(own.dims) and sent.shape == own.shape
        np.testing.assert_array_equal(sent, own.values)
    is_problem(await client.post("/api/v1/traces", json={**body, "sample": "circle.validation.40"}), 404)
    other = is_problem(await client.post("/api/v1/traces", json={**body, "sample": "mnist.validation.1"}), 422)
    assert "this model reads something else: a sequence of symbols" in other["detail"]


async def test_it_is_listed_and_its_samples_are_tables_of_their_symbols(client: httpx.AsyncClient) -> None:
    (model,) = [item for item in (await client.get("/api/v1/models")).json()["items"] if item["id"] == MODEL]
    assert (model["inputs"], model["family"], model["samples"]) == ("symbols", "Experts on symbols", False)
    sets = (await client.get("/api/v1/data", params={"inputs": "symbols"})).json()["items"]
    assert [data_set["name"] for data_set in sets] == ["circle"]
    data = load("circle")
    assert isinstance(data, Circle)
    answer = (await client.get("/api/v1/tables", params={"inputs": "symbols", "limit": 3, "offset": 5})).json()
    assert answer["total"] == len(data) and [item["id"] for item in answer["items"]] == [
        f"circle.validation.{i}" for i in (5, 6, 7)
    ]
    for i, item in zip((5, 6, 7), answer["items"], strict=True):
        first, length = int(data.first[i]), int(data.lengths[i])
        assert item["columns"] == ["place", "symbol"]
        assert item["rows"] == [[index, (first + index) % SYMBOLS] for index in range(length)]
        assert (item["inputs"], item["set"], item["label"], item["label_name"]) == ("symbols", "circle", length, None)
    longest = (await client.get("/api/v1/tables", params={"set": "circle", "label": LONGEST, "rows": 2})).json()
    assert longest["total"] == SYMBOLS and {item["label"] for item in longest["items"]} == {LONGEST}
    assert {(len(item["rows"]), item["total_rows"]) for item in longest["items"]} == {(2, LONGEST)}


async def test_a_table_says_what_the_model_makes_of_it(client: httpx.AsyncClient) -> None:
    path = "/api/v1/tables/circle.validation.17"
    plain = (await client.get(path)).json()
    assert plain["score"] is None and len(plain["rows"]) == plain["total_rows"] == plain["label"]
    scored = (await client.get(path, params={"model": MODEL})).json()
    assert {**scored, "score": None} == plain
    assert scored["score"]["value"] == pytest.approx(KNOWN, rel=1e-4)
    assert scored["score"]["loss"] == pytest.approx(KNOWN * math.log(2), rel=1e-4)
    assert scored["score"]["measure"] == {"name": "bits a symbol", "unit": "bits", "higher_is_better": False}
    assert (scored["score"]["domain"], scored["score"]["predicted"]) == ("circle", None)
    answer = await client.get("/api/v1/tables/mnist.validation.3", params={"model": MODEL})
    assert "a sequence of symbols" in is_problem(answer, 422)["detail"]
    answer = await client.post("/api/v1/embeddings", json={"model": MODEL, "samples": 9})
    assert "types of tokens or states of units" in is_problem(answer, 422)["detail"]


async def test_its_samples_are_written_read_from_files_and_pictured(client: httpx.AsyncClient) -> None:
    kinds = {kind["name"]: kind for kind in (await client.get("/api/v1/inputs")).json()["items"]}
    given = [kinds["symbols"][name] for name in ("written", "example", "files", "suffixes", "of_set")]
    assert given == ["digits from 0 to 7", "0123", "a digit a line", [".digits"], False]
    body = {"inputs": "symbols", "content": "3456"}
    written = (await client.post("/api/v1/samples/written", json=body)).json()
    assert written["rows"] == [[0, 3], [1, 4], [2, 5], [3, 6]] and written["pictured"]
    assert (written["label"], written["label_word"], written["writing"]["text"]) == (4, "length", "3456")
    picture = await client.get(f"/api/v1/tables/{written['id']}/picture", params={"side": 16})
    with Image.open(io.BytesIO(picture.content)) as shown:
        assert shown.size == (16, 16) and shown.getpixel((0, 0)) == (90, 90, 90, 255)
    scored = (await client.get(f"/api/v1/tables/{written['id']}", params={"model": MODEL})).json()
    assert scored["score"]["value"] == pytest.approx(KNOWN, rel=1e-4)
    files = {"file": ("a.digits", b"3\n4\n5\n6\n")}
    read = (await client.post("/api/v1/samples/files", files=files, data={"inputs": "symbols"})).json()
    assert (read["rows"], read["set_title"]) == (written["rows"], "a.digits")
    refused = is_problem(await client.post("/api/v1/samples/written", json=body | {"content": "8"}), 422)
    assert "'8' is no sequence of 1 to 6 digits from 0 to 7" in refused["detail"]
    files["file"] = ("a.digits", b"8")
    is_problem(await client.post("/api/v1/samples/files", files=files, data={"inputs": "symbols"}), 422)


async def test_an_upload_is_refused_in_the_words_of_its_kind(client: httpx.AsyncClient) -> None:
    kinds = {item["name"]: item for item in (await client.get("/api/v1/inputs")).json()["items"]}
    assert kinds["symbols"]["words"] == "a sequence of symbols" and kinds["symbols"]["upload"] is None
    words = "A sequence of symbols is no picture; it is made of a digit a line, or written: digits from 0 to 7."
    assert kinds["symbols"]["refusal"] == words
    assert (kinds["images"]["upload"], kinds["images"]["refusal"]) == ("PNG, JPEG, WebP, BMP and GIF pictures", None)
    sent = {"file": ("symbols.csv", b"place,symbol\n0,3\n")}
    answer = await client.post("/api/v1/samples", files=sent, data={"inputs": "symbols"})
    assert is_problem(answer, 422)["detail"] == kinds["symbols"]["refusal"]
    drawn = {"file": ("digit.png", png())}
    sample = (await client.post("/api/v1/samples", files=drawn, data={"inputs": "images"})).json()["id"]
    answer = await client.post("/api/v1/traces", json={"model": MODEL, "sample": sample, "fields": []})
    assert is_problem(answer, 422)["detail"] == kinds["symbols"]["refusal"]


async def test_an_evaluation_is_in_bits(client: httpx.AsyncClient, model: SymbolsNetwork) -> None:
    data = load("circle")
    assert isinstance(data, Circle)
    request = {"model": MODEL, "samples": len(data), "controls": 2, "intervention": {"drop": ["e2"]}}
    answer = await client.post("/api/v1/evaluations", json=request)
    assert answer.status_code == 200, answer.text
    outcome = answer.json()
    assert outcome["measure"] == {"name": "bits a symbol", "unit": "bits", "higher_is_better": False}
    assert outcome["accuracy"]["value"] == pytest.approx(bits(data, lambda s: s % EXPERTS == 1), rel=1e-4)
    assert outcome["baseline"]["accuracy"]["value"] == pytest.approx(bits(data, lambda s: False), rel=1e-4)
    own = score(model, data, Intervention(drop=("e2",)))
    assert (outcome["accuracy"]["low"], outcome["accuracy"]["high"]) == pytest.approx(own.interval, rel=1e-5)
    assert outcome["change"]["accuracy"]["value"] == pytest.approx(
        outcome["accuracy"]["value"] - outcome["baseline"]["accuracy"]["value"]
    )
    assert [member["name"] for member in outcome["by_domain"]] == ["circle"] and outcome["by_label"] == []
    assert outcome["control"]["draws"] == 2 and KNOWN < outcome["control"]["mean"] < UNKNOWN
    assert not outcome["cached"]
    again = (await client.post("/api/v1/evaluations", json=request)).json()
    assert again["cached"]  # all of it found in the database, and nothing is lost there
    same = [name for name in outcome if name not in ("cached", "seconds")]
    assert {name: again[name] for name in same} == {name: outcome[name] for name in same}


async def test_an_importance_adds_up(client: httpx.AsyncClient) -> None:
    job = await ended(client, await start(client, "importances", {"model": MODEL, "samples": 40}))
    assert job["state"] == "done", job
    outcome = (await client.get(job["result"])).json()
    assert outcome["measure"]["name"] == "bits a symbol" and outcome["exact"]
    assert sum(value["value"] for value in outcome["shapley"]) == pytest.approx(outcome["total"], rel=1e-5)
    assert outcome["baseline"] == pytest.approx(bits(load("circle"), lambda s: False), rel=1e-4)
