"""Statements, their pictures, and what a model answers to sentences about pictures."""

import io
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
from routescope.data import load
from routescope.data.statements.scenes import COLOURS, SHAPES, SIZES, Scene, draw
from routescope.data.statements.sets import StatementSet
from routescope.nn.baselines.perceiver_io import StatementPerceiverIO, StatementPerceiverIOConfig
from routescope.nn.inputs.statements import Statements
from routescope.routing import Intervention, record
from routescope.zoo import checkpoint
from routescope_app.services.samples.samples import SampleStore
from tests.app.api.follow import app_of, unpacked
from tests.app.serving import (
    DESIGNED,
    MODEL,
    STATEMENTS,
    is_problem,
    png,
    serving,
    settings,
    statement_config,
    upload,
)

pytestmark = pytest.mark.asyncio(loop_scope="module")

PLACE = f"/api/v1/models/{STATEMENTS}/answers"
PERCEIVER = "tiny-statement-perceiver"
SENTENCES = ["There is a red circle.", "there are no purple wugs"]


def scenes(split: str = "validation") -> StatementSet:
    found = load("scenes", split)
    assert isinstance(found, StatementSet)
    return found


async def answers(client: httpx.AsyncClient, place: str = PLACE, **request: Any) -> dict[str, Any]:
    body = {"sentences": SENTENCES, "pictures": {"statement": "scenes.validation.4"}, **request}
    answer = await client.post(place, json=body)
    assert answer.status_code == 200, answer.text
    found: dict[str, Any] = answer.json()
    return found


def probability(images: np.ndarray, sentence: str, intervention: Intervention | None = None) -> float:
    """By the network itself."""
    model = (intervention or Intervention()).apply(zoo.load(STATEMENTS))
    with torch.no_grad():
        logits = model(Statements(torch.from_numpy(images.copy())[None].float() / 255, (sentence,)))
    return float(logits[0, 0].softmax(-1)[1])


# -- statements --------------------------------------------------------------------------------------------------


async def test_the_vocabulary_is_that_of_scenes(client: httpx.AsyncClient) -> None:
    words = (await client.get("/api/v1/scenes/vocabulary")).json()
    assert [shape["name"] for shape in words["shapes"]] == list(SHAPES)
    assert {colour["name"]: colour["hex"] for colour in words["colours"]} == COLOURS
    assert [size["name"] for size in words["sizes"]] == list(SIZES)
    assert all(abs(number) <= 1 for shape in words["shapes"] for point in shape["outline"] for number in point)
    assert (words["pictures"], words["side"], words["most_things"]) == (2, 48, 8)


async def test_statements_are_listed_by_kind(client: httpx.AsyncClient) -> None:
    known = scenes()
    page = (await client.get("/api/v1/statements", params={"limit": 3, "offset": 5})).json()
    assert page["total"] == len(known) == sum(kind["count"] for kind in page["kinds"])
    assert (page["title"], page["stand_in"], page["stand_in_for"]) == (known.title, True, "NLVR2")
    assert [item["id"] for item in page["items"]] == [f"scenes.validation.{i}" for i in (5, 6, 7)]
    for item, index in zip(page["items"], (5, 6, 7), strict=True):
        assert item["sentence"] == known.sentences[index] and item["label"] == bool(known.labels[index])
        assert item["kind"] == known.kinds[int(known.kind[index])]
        assert Scene.from_dict(item["scene"]) == known.scenes[index]
        assert (await client.get(f"/api/v1/statements/{item['id']}")).json() == item
    for kind in page["kinds"]:
        own = (await client.get("/api/v1/statements", params={"kind": kind["name"], "limit": 2})).json()
        assert own["total"] == kind["count"] and {item["kind"] for item in own["items"]} == {kind["name"]}
    test = (await client.get("/api/v1/statements", params={"split": "test", "limit": 1})).json()
    assert test["items"][0]["sentence"] == scenes("test").sentences[0]
    statements = app_of(client).services.statements
    listed = [item for page in range(10) for item in statements.find("validation", None, 200 * page, 200)["items"]]
    assert len(listed) == len(known) and all(statements.get(item["id"]) == item for item in listed[::7])


async def test_pictures_are_those_of_the_network(client: httpx.AsyncClient) -> None:
    for place in (0, 1):
        answer = await client.get(f"/api/v1/statements/scenes.validation.9/pictures/{place}", params={"scale": 2})
        picture = np.asarray(Image.open(io.BytesIO(answer.content)))[::2, ::2].transpose(2, 0, 1)
        np.testing.assert_array_equal(picture, scenes().images[9, place].numpy())


# -- answers -----------------------------------------------------------------------------------------------------


async def test_answers_are_those_of_the_network(client: httpx.AsyncClient) -> None:
    known = scenes()
    found = await answers(client)
    assert (found["model"], found["units"], found["kept"]) == (STATEMENTS, list(DESIGNED), list(DESIGNED))
    assert found["grid"] == {"pictures": 2, "rows": 3, "columns": 3}
    for answer, sentence in zip(found["answers"], SENTENCES, strict=True):
        assert answer["sentence"] == sentence and answer["baseline_probability"] is None
        assert answer["probability"] == pytest.approx(probability(known.images[4].numpy(), sentence), abs=1e-5)
        weights = unpacked(answer["read_in"])
        assert weights.shape == (len(DESIGNED), 2 * 3 * 3) and answer["read_in_words"] is None
        np.testing.assert_allclose(weights.sum(axis=1), 1, atol=1e-4)
        assert sum(answer["read_out_share"]) == pytest.approx(1, abs=1e-4) and min(answer["read_out_share"]) >= 0
    assert [answer["unknown_words"] for answer in found["answers"]] == [[], ["purple", "wugs"]]
    found = await answers(client, sentences=["  there   is a cafe\u0301 "])
    assert found["answers"][0]["sentence"] == "there is a café", "one line, in NFC"


async def test_a_scene_of_ones_own_is_drawn(client: httpx.AsyncClient) -> None:
    known = scenes()
    scene = known.scenes[4]
    assert scene is not None
    own = await answers(client, pictures={"scene": scene.to_dict()})
    plain = await answers(client)
    assert [each["probability"] for each in own["answers"]] == [each["probability"] for each in plain["answers"]]
    thing = {"shape": "star", "colour": "red", "size": "large", "x": 0.5, "y": 1}
    one = {"pictures": [[thing], []]}
    in_the_right = "There is a star in the right picture"
    sentences = ["There is a red star", "There are exactly two stars", in_the_right, "It is lovely"]
    found = await answers(client, sentences=sentences, pictures={"scene": one})
    assert [each["holds"] for each in found["answers"]] == [True, False, False, None]
    assert [each["clear"] for each in found["answers"]] == [True, True, True, None]
    drawn = draw(Scene.from_dict(one))
    assert found["answers"][0]["probability"] == pytest.approx(probability(drawn, sentences[0]), abs=1e-5)


async def test_labels_of_the_set_are_what_the_grammar_says(client: httpx.AsyncClient) -> None:
    known, bundled = scenes(), PLACE.replace(STATEMENTS, "nac-scenes")  # which knows every word, and spells none
    for index in range(16):
        request = {"sentences": [known.sentences[index]], "pictures": {"statement": f"scenes.validation.{index}"}}
        (answer,) = (await answers(client, bundled, **request))["answers"]
        assert answer["holds"] is bool(known.labels[index]) and answer["clear"] is True


async def test_uploads_are_brought_to_the_network(client: httpx.AsyncClient) -> None:
    ids = [(await upload(client, png(90, 60, colour))).json()["id"] for colour in ((9, 9, 9), (250, 0, 0))]
    found = await answers(client, pictures={"samples": ids})
    turned = await answers(client, pictures={"samples": ids[::-1]})
    assert [each["holds"] for each in found["answers"]] == [None, None]
    assert found["answers"][0]["probability"] != turned["answers"][0]["probability"]
    images = np.full((2, 3, 48, 48), 0xB0, np.uint8)  # the scenes' background above and below
    images[0, :, 8:40] = 9
    images[1, :, 8:40] = np.array([250, 0, 0])[:, None, None]
    assert found["answers"][0]["probability"] == pytest.approx(probability(images, SENTENCES[0]), abs=1e-4)


async def test_an_intervention_comes_beside_the_model_as_it_is(client: httpx.AsyncClient) -> None:
    plain = await answers(client)
    change = {"drop": ["m2", "m5"], "mute": ["m1"], "keep_edges": 0.5}
    found = await answers(client, intervention=change)
    assert found["kept"] == [unit for unit in DESIGNED if unit not in {"m2", "m5"}]
    for own, bare, sentence in zip(found["answers"], plain["answers"], SENTENCES, strict=True):
        assert own["baseline_probability"] == pytest.approx(bare["probability"], abs=1e-6)
        asked = Intervention(drop=("m2", "m5"), mute=("m1",), keep_edges=0.5)
        assert own["probability"] == pytest.approx(probability(scenes().images[4].numpy(), sentence, asked), abs=1e-5)
        weights = unpacked(own["read_in"])
        assert not weights[[1, 4]].any() and weights[[0, 2, 3, 5, 6, 7]].any(axis=1).all()
        assert own["read_out_share"][1] == own["read_out_share"][4] == 0
    whole = await answers(client, intervention={"keep_edges": 1.0, "iterations": 2})
    assert whole["answers"][0]["baseline_probability"] is None


async def test_models_of_statements_predict_no_samples(client: httpx.AsyncClient) -> None:
    assert (await client.get(f"/api/v1/models/{MODEL}")).json()["inputs"] == "images"
    read = (await client.get(f"/api/v1/models/{STATEMENTS}")).json()
    assert (read["inputs"], read["pictures"]) == ("statements", 2)
    sample = (await upload(client)).json()["id"]
    for own in (sample, "mnist.validation.1"):
        found = await client.get(f"/api/v1/samples/{own}", params={"model": STATEMENTS})
        assert found.json()["prediction"] is None
    page = await client.get("/api/v1/samples", params={"model": STATEMENTS, "limit": 3})
    assert page.json()["items"][0]["id"] == sample


async def test_scenes_have_limits(client: httpx.AsyncClient, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("routescope_app.services.samples.statements.MAX_THINGS", 1)
    thing = {"shape": "star", "colour": "red", "size": "large", "x": 0.5, "y": 0.5}
    body = {"sentences": ["a"], "pictures": {"scene": {"pictures": [[thing, thing], []]}}}
    is_problem(await client.post(PLACE, json=body), 422)


@pytest.fixture
def perceiver() -> Iterator[str]:
    """An untrained Perceiver IO of statements, of the sizes of the conditional circuit."""
    torch.manual_seed(0)
    sizes = asdict(statement_config()) | {"initial_state": "code", "modulation": "none", "links": "complete"}
    path = assets.data_dir() / "checkpoints" / PERCEIVER / "model.safetensors"
    checkpoint.save(StatementPerceiverIO(StatementPerceiverIOConfig(**sizes)), path)
    yield PERCEIVER
    path.unlink()


async def test_a_perceiver_reads_words_beside_the_pictures(client: httpx.AsyncClient, perceiver: str) -> None:
    model: Any = zoo.load(perceiver)
    images = torch.full((2, 2, 3, 48, 48), 0xB0 / 255)
    expected = record(model, Statements(images, tuple(SENTENCES)), only=["read_in"]).dataset["read_in"]
    found = await answers(client, PLACE.replace(STATEMENTS, perceiver), pictures={"scene": {"pictures": [[], []]}})
    for place, answer in enumerate(found["answers"]):
        own = expected.isel(sample=place).transpose("unit", "token")
        seen, words = unpacked(answer["read_in"]), answer["read_in_words"]
        assert words["pieces"] == ["[START]", *(piece for piece, _ in model.text.pieces(SENTENCES[place]))]
        read = unpacked(words["weights"])
        assert seen.shape == (len(DESIGNED), 2 * 3 * 3) and read.shape == (len(DESIGNED), len(words["pieces"]))
        np.testing.assert_allclose(seen, own.values[:, :18], atol=1e-5)
        np.testing.assert_allclose(read, own.values[:, 18 : 18 + read.shape[1]], atol=1e-5)
        assert read.min() > 0


async def test_pictures_of_ones_own_are_decoded_once_and_in_turn(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    decoded: list[str] = []
    original = SampleStore.open_picture

    def opened(self: SampleStore, sample_id: str) -> Image.Image:
        decoded.append(sample_id)
        return original(self, sample_id)

    monkeypatch.setattr(SampleStore, "open_picture", opened)
    async with serving(settings(tmp_path, concurrency=1)) as client:
        colours = ((9, 9, 9), (250, 0, 0), (9, 9, 9))
        one, other, again = [(await upload(client, png(90, 60, colour))).json()["id"] for colour in colours]
        first = await answers(client, pictures={"samples": [one, other]})
        assert decoded == [one, other]
        same = await answers(client, pictures={"samples": [again, other]})
        assert decoded == [one, other], "the same content is not decoded again"
        assert same["answers"] == first["answers"]
        services, entered = app_of(client).services, list[bool]()
        decoding = services.samples._uploads.decoding

        class Counted:
            def __enter__(self) -> None:
                entered.append(decoding.acquire(blocking=False))

            def __exit__(self, *_: object) -> None:
                decoding.release()

        services.samples._uploads.decoding = Counted()
        services.statements._fitted._entries.clear()
        await answers(client, pictures={"samples": [one, other]})
        assert entered == [True] * 2, "one picture at a time"
        await client.delete(f"/api/v1/samples/{one}")
        body = {"sentences": SENTENCES, "pictures": {"samples": [one, other]}}
        is_problem(await client.post(PLACE, json=body), 404)
