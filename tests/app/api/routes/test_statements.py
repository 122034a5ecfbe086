"""Statements, their pictures, and what a model answers to sentences about pictures."""

import base64
import io
from typing import Any

import httpx
import numpy as np
import pytest
import torch
from PIL import Image

from routescope import zoo
from routescope.data import load
from routescope.data.statements.scenes import COLOURS, SHAPES, SIZES, Scene, draw
from routescope.data.statements.sets import StatementSet
from routescope.nn.inputs.statements import Statements
from routescope.routing import Intervention
from tests.app.api.follow import ended, start
from tests.app.serving import (
    CIRCUIT,
    DESIGNED,
    MODEL,
    STATEMENTS,
    is_problem,
    make_statements,
    png,
    serving,
    settings,
    upload,
)

PLACE = f"/api/v1/models/{STATEMENTS}/answers"
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


def read_in(answer: dict[str, Any]) -> np.ndarray:
    packed = answer["read_in"]
    return np.frombuffer(base64.b64decode(packed["data"]), "<f4").reshape(packed["shape"])


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


async def test_pictures_are_those_of_the_network(client: httpx.AsyncClient) -> None:
    for place in (0, 1):
        answer = await client.get(f"/api/v1/statements/scenes.validation.9/pictures/{place}", params={"scale": 2})
        picture = np.asarray(Image.open(io.BytesIO(answer.content)))[::2, ::2].transpose(2, 0, 1)
        np.testing.assert_array_equal(picture, scenes().images[9, place].numpy())


@pytest.mark.asyncio(loop_scope="module")
@pytest.mark.parametrize(
    "address",
    [
        "scenes.validation.2000",
        "scenes.train.1",
        "scenes.test.00",
        "mnist.validation.1",
        "nlvr2.validation.1",
        "0" * 32,
    ],
)
async def test_other_statements_are_not_there(shared: httpx.AsyncClient, address: str) -> None:
    for place in (address, f"{address}/pictures/0"):
        answer = await shared.get(f"/api/v1/statements/{place}")
        assert answer.status_code in {404, 422}
        is_problem(answer, answer.status_code)
    body = {"sentences": SENTENCES, "pictures": {"statement": address}}
    assert (await shared.post(PLACE, json=body)).status_code in {404, 422}


async def test_lists_are_bounded(client: httpx.AsyncClient) -> None:
    is_problem(await client.get("/api/v1/statements", params={"limit": 201}), 422)
    problem = is_problem(await client.get("/api/v1/statements", params={"kind": "feelings"}), 422)
    assert "hard cardinality" in problem["detail"]
    is_problem(await client.get("/api/v1/statements/scenes.validation.1/pictures/2"), 404)
    is_problem(await client.get("/api/v1/statements/scenes.validation.1/pictures/1", params={"scale": 33}), 422)


# -- answers -----------------------------------------------------------------------------------------------------


async def test_answers_are_those_of_the_network(client: httpx.AsyncClient) -> None:
    known = scenes()
    found = await answers(client)
    assert (found["model"], found["units"], found["kept"]) == (STATEMENTS, list(DESIGNED), list(DESIGNED))
    assert found["grid"] == {"pictures": 2, "rows": 3, "columns": 3}
    for answer, sentence in zip(found["answers"], SENTENCES, strict=True):
        assert answer["sentence"] == sentence and answer["baseline_probability"] is None
        assert answer["probability"] == pytest.approx(probability(known.images[4].numpy(), sentence), abs=1e-5)
        weights = read_in(answer)
        assert weights.shape == (len(DESIGNED), 2 * 3 * 3)
        np.testing.assert_allclose(weights.sum(axis=1), 1, atol=1e-4)
        assert sum(answer["read_out_share"]) == pytest.approx(1, abs=1e-4) and min(answer["read_out_share"]) >= 0
    assert [answer["unknown_words"] for answer in found["answers"]] == [[], ["purple", "wugs"]]


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
    for index in range(48):
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
        weights = read_in(own)
        assert not weights[[1, 4]].any() and weights[[0, 2, 3, 5, 6, 7]].any(axis=1).all()
        assert own["read_out_share"][1] == own["read_out_share"][4] == 0
    whole = await answers(client, intervention={"keep_edges": 1.0, "iterations": 2})
    assert whole["answers"][0]["baseline_probability"] is None


async def test_sentences_are_one_line_in_nfc(client: httpx.AsyncClient) -> None:
    found = await answers(client, sentences=["  there   is a cafe\u0301 "])
    assert found["answers"][0]["sentence"] == "there is a café"


@pytest.mark.asyncio(loop_scope="module")
@pytest.mark.parametrize(
    ("request_", "words"),
    [
        ({"sentences": ["x" * 301]}, "300"),
        ({"sentences": ["a"] * 5}, "4"),
        ({"sentences": ["   "]}, "word"),
        ({"sentences": ["a\x00b"]}, "control"),
        ({"sentences": ["a\u202eb"]}, "control"),
        ({"sentences": ["a\nb"]}, "control"),
        ({"sentences": []}, "at least"),
        ({"pictures": {"scene": {"pictures": [[]]}}}, "2 pictures"),
        ({"pictures": {"scene": {"pictures": [[], [], []]}}}, "2 pictures"),
        ({"pictures": {"samples": ["0" * 32]}}, "2 pictures"),
        ({"pictures": {}}, "pictures"),
        ({"intervention": {"drop": ["m9"]}}, "m9"),
        ({"intervention": {"iterations": 3}}, "layers"),
    ],
)
async def test_what_cannot_be_asked(shared: httpx.AsyncClient, request_: dict[str, Any], words: str) -> None:
    body = {"sentences": SENTENCES, "pictures": {"statement": "scenes.validation.4"}, **request_}
    assert words in is_problem(await shared.post(PLACE, json=body), 422)["detail"]


async def test_who_reads_what(client: httpx.AsyncClient) -> None:
    """Models of samples take no sentences, and models of statements no samples; each refusal says so."""
    for model in (MODEL, CIRCUIT):
        body = {"sentences": SENTENCES, "pictures": {"statement": "scenes.validation.4"}}
        answer = await client.post(f"/api/v1/models/{model}/answers", json=body)
        assert "sentences" in is_problem(answer, 422)["detail"]
        assert (await client.get(f"/api/v1/models/{model}")).json()["inputs"] == "images"
    read = (await client.get(f"/api/v1/models/{STATEMENTS}")).json()
    assert (read["inputs"], read["pictures"]) == ("statements", 2)
    asked: list[tuple[str, dict[str, Any]]] = [
        ("traces", {"sample": "mnist.validation.1", "fields": ["confidence"]}), ("embeddings", {"samples": 9}),
        ("observations", {"samples": 9}),
    ]  # fmt: skip
    for place, request in asked:
        answer = await client.post(f"/api/v1/{place}", json={"model": STATEMENTS, **request})
        assert "statements" in is_problem(answer, 422)["detail"]
    sample = (await upload(client)).json()["id"]
    for own in (sample, "mnist.validation.1"):
        found = await client.get(f"/api/v1/samples/{own}", params={"model": STATEMENTS})
        assert found.json()["prediction"] is None
    page = await client.get("/api/v1/samples", params={"model": STATEMENTS, "limit": 3})
    assert page.json()["items"][0]["id"] == sample
    is_problem(await client.get(f"/api/v1/models/{STATEMENTS}/graph"), 404)


async def test_sentences_and_scenes_have_limits(tmp_path: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("routescope_app.services.circuits.answers.MAX_SENTENCE_CHARACTERS", 20)
    monkeypatch.setattr("routescope_app.services.circuits.answers.MAX_ANSWERED_SENTENCES", 1)
    monkeypatch.setattr("routescope_app.services.samples.statements.MAX_THINGS", 1)
    thing = {"shape": "star", "colour": "red", "size": "large", "x": 0.5, "y": 0.5}
    pictures = {"scene": {"pictures": [[thing, thing], []]}}
    async with serving(settings(tmp_path)) as client:
        for body in (
            {"sentences": ["a" * 21], "pictures": {"scene": {"pictures": [[], []]}}},
            {"sentences": ["a", "b"], "pictures": {"scene": {"pictures": [[], []]}}},
            {"sentences": ["a"], "pictures": pictures},
        ):
            is_problem(await client.post(PLACE, json=body), 422)


# -- evaluations -------------------------------------------------------------------------------------------------


async def test_evaluations_tell_kinds_apart(client: httpx.AsyncClient) -> None:
    known = scenes()
    body = {"model": STATEMENTS, "data": ["scenes"], "samples": 60, "intervention": {"drop": ["m1"]}, "controls": 0}
    found = (await client.post("/api/v1/evaluations", json=body)).json()
    kinds = [known.kinds[int(kind)] for kind in known.kind[:60]]
    assert {row["name"]: row["count"] for row in found["by_kind"]} == {kind: kinds.count(kind) for kind in set(kinds)}
    total = sum(row["accuracy"] * row["count"] for row in found["by_kind"])
    assert total / 60 == pytest.approx(found["accuracy"]["value"])
    assert all(row["change_low"] <= row["change"] <= row["change_high"] for row in found["by_kind"])
    assert found["data"][0]["title"] == known.title and found["data"][0]["stand_in"]
    assert "links" in found["kinds"][0]["words"]
    images = {"model": MODEL, "samples": 9, "intervention": {"drop": ["f1"]}, "controls": 0}
    assert (await client.post("/api/v1/evaluations", json=images)).json()["by_kind"] == []


async def test_importance_of_modules_for_statements(client: httpx.AsyncClient) -> None:
    path = make_statements("three-modules", modules=3)
    try:
        job = await ended(client, await start(client, "importances", {"model": "three-modules", "samples": 8}))
        assert job["state"] == "done", job
        found = (await client.get(job["result"])).json()
        assert found["exact"] and {row["unit"] for row in found["shapley"]} == {"m1", "m2", "m3"}
        assert sum(row["value"] for row in found["shapley"]) == pytest.approx(found["total"], abs=1e-6)
        assert [each["name"] for each in found["data"]] == ["scenes"]
    finally:
        path.unlink()
