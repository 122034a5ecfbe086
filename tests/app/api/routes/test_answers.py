"""What goes along with answers: where units read, of words too, and how pictures of one's own get to the network."""

import base64
from collections.abc import Iterator
from dataclasses import asdict
from pathlib import Path
from typing import Any

import httpx
import numpy as np
import pytest
import torch
from PIL import Image

from routescope import assets, zoo
from routescope.nn.baselines.perceiver_io import StatementPerceiverIO, StatementPerceiverIOConfig
from routescope.nn.inputs.statements import Statements
from routescope.routing import record
from routescope.zoo import checkpoint
from routescope_app.services.samples.samples import SampleStore
from routescope_app.settings import MEMORY_SHARES
from tests.app.serving import (
    DESIGNED,
    STATEMENTS,
    client_of,
    is_problem,
    png,
    running,
    serving,
    settings,
    statement_config,
    upload,
)

SENTENCES = ["There is a red circle", "many wugs."]
EMPTY = {"scene": {"pictures": [[], []]}}
PERCEIVER = "tiny-statement-perceiver"


@pytest.fixture
def perceiver() -> Iterator[str]:
    """An untrained Perceiver IO of statements, of the sizes of the conditional circuit."""
    torch.manual_seed(0)
    sizes = asdict(statement_config()) | {"initial_state": "code", "modulation": "none", "links": "complete"}
    path = assets.data_dir() / "checkpoints" / PERCEIVER / "model.safetensors"
    checkpoint.save(StatementPerceiverIO(StatementPerceiverIOConfig(**sizes)), path)
    yield PERCEIVER
    path.unlink()


def unpacked(packed: dict[str, Any]) -> np.ndarray:
    return np.frombuffer(base64.b64decode(packed["data"]), "<f4").reshape(packed["shape"])


async def answers(client: httpx.AsyncClient, model: str, pictures: Any = EMPTY) -> list[dict[str, Any]]:
    body = {"sentences": SENTENCES, "pictures": pictures}
    answer = await client.post(f"/api/v1/models/{model}/answers", json=body)
    assert answer.status_code == 200, answer.text
    found: list[dict[str, Any]] = answer.json()["answers"]
    return found


async def test_a_circuit_reads_pictures_alone(client: httpx.AsyncClient) -> None:
    for answer in await answers(client, STATEMENTS):
        weights = unpacked(answer["read_in"])
        assert weights.shape == (len(DESIGNED), 2 * 3 * 3) and answer["read_in_words"] is None
        np.testing.assert_allclose(weights.sum(axis=1), 1, atol=1e-4)


async def test_a_perceiver_reads_words_beside_the_pictures(client: httpx.AsyncClient, perceiver: str) -> None:
    model: Any = zoo.load(perceiver)
    images = torch.full((2, 2, 3, 48, 48), 0xB0 / 255)
    expected = record(model, Statements(images, tuple(SENTENCES)), only=["read_in"]).dataset["read_in"]
    for place, answer in enumerate(await answers(client, perceiver)):
        own = expected.isel(sample=place).transpose("unit", "token")
        seen, words = unpacked(answer["read_in"]), answer["read_in_words"]
        assert words["pieces"] == ["[START]", *(piece for piece, _ in model.text.pieces(SENTENCES[place]))]
        read = unpacked(words["weights"])
        assert seen.shape == (len(DESIGNED), 2 * 3 * 3) and read.shape == (len(DESIGNED), len(words["pieces"]))
        np.testing.assert_allclose(seen, own.values[:, :18], atol=1e-5)
        np.testing.assert_allclose(read, own.values[:, 18 : 18 + read.shape[1]], atol=1e-5)
        np.testing.assert_allclose(seen.sum(axis=1) + read.sum(axis=1), 1, atol=1e-4)
        assert read.min() > 0
    assert [str(token) for token in own["token"].values[17:20]] == ["right:2,2", "word:0", "word:1"]


async def test_pictures_of_ones_own_are_decoded_once_and_in_turn(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    decoded: list[str] = []
    original = SampleStore.open_picture

    def opened(self: SampleStore, sample_id: str) -> Image.Image:
        decoded.append(sample_id)
        return original(self, sample_id)

    monkeypatch.setattr(SampleStore, "open_picture", opened)
    async with serving(settings(tmp_path)) as client:
        ids = [(await upload(client, png(90, 60, colour))).json()["id"] for colour in ((9, 9, 9), (250, 0, 0))]
        again = (await upload(client, png(90, 60, (9, 9, 9)))).json()["id"]
        first = await answers(client, STATEMENTS, {"samples": ids})
        assert decoded == ids
        same = await answers(client, STATEMENTS, {"samples": [again, ids[1]]})
        assert decoded == ids, "the same content was decoded again"
        assert [each["probability"] for each in same] == [each["probability"] for each in first]
        await client.delete(f"/api/v1/samples/{ids[0]}")
        body = {"sentences": SENTENCES, "pictures": {"samples": ids}}
        is_problem(await client.post(f"/api/v1/models/{STATEMENTS}/answers", json=body), 404)


async def test_few_pictures_are_decoded_at_the_same_time(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(MEMORY_SHARES, "fitted-pictures", 0)
    chosen = settings(tmp_path, concurrency=1)
    async with running(chosen) as app, client_of(app) as client:
        ids = [(await upload(client, png(90, 60, colour))).json()["id"] for colour in ((9, 9, 9), (250, 0, 0))]
        decoding = app.state.services.samples._uploads.decoding
        entered: list[bool] = []

        class Counted:
            def __enter__(self) -> None:
                entered.append(decoding.acquire(blocking=False))

            def __exit__(self, *_: object) -> None:
                decoding.release()

        app.state.services.samples._uploads.decoding = Counted()
        for _ in range(2):
            await answers(client, STATEMENTS, {"samples": ids})
        assert entered == [True] * 4
        assert not app.state.services.statements._fitted._entries


async def test_every_listed_statement_is_there(tmp_path: Path) -> None:
    async with running(settings(tmp_path)) as app:
        statements = app.state.services.statements
        for split in ("validation", "test"):
            pages = [statements.find(split, None, start, 200) for start in range(0, 2_000, 200)]
            listed = [each for page in pages for each in page["items"]]
            assert len(listed) == statements.find(split, None, 0, 1)["total"] == 2_000
            assert all(statements.get(each["id"]) == each for each in listed)


async def test_splits_that_nobody_looks_at_are_refused(client: httpx.AsyncClient) -> None:
    problem = is_problem(await client.get("/api/v1/statements", params={"split": "train"}), 422)
    assert "'validation' or 'test'" in problem["detail"]
