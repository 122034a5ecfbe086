"""Matrices of data sets and those that people bring: panels, rules, answers; panels exchanged; maps by relation."""

import io
from typing import Any

import httpx
import numpy as np
import pytest
import torch
from PIL import Image

from routescope import zoo
from routescope.data import load
from routescope.data.matrices.sets import MatrixSet
from routescope.nn.inputs.matrices import Matrices, panel_names
from tests.app.api.follow import result_of
from tests.app.serving import MATRICES, MODEL, is_problem, make_matrices

pytestmark = pytest.mark.asyncio(loop_scope="module")

SET = "pgm-small-neutral"
SAMPLE = f"{SET}.validation.3"


@pytest.fixture(scope="module", autouse=True)
def _model(_own_data_folder: Any) -> None:
    make_matrices()


@pytest.fixture(scope="module")
def dataset(_own_data_folder: Any) -> MatrixSet:
    found = load(SET, "validation", limit=6)
    assert isinstance(found, MatrixSet)
    return found


def npz(**arrays: Any) -> bytes:
    file = io.BytesIO()
    np.savez_compressed(file, **arrays)
    return file.getvalue()


async def bring(client: httpx.AsyncClient, content: bytes, name: str = "a.npz", **told: str) -> Any:
    """The answer to a file as a sample."""
    form = {"inputs": "matrices"} | told
    return await client.post("/api/v1/samples/files", data=form, files={"file": (name, content)})


async def panels_of(client: httpx.AsyncClient, sample: str) -> np.ndarray:
    """The panels of a sample as the API shows them."""
    answer = await client.get(f"/api/v1/tables/{sample}/panels")
    with Image.open(io.BytesIO(answer.content)) as picture:
        assert picture.mode == "L"
        side = picture.height
        return np.asarray(picture).reshape(side, 16, side).transpose(1, 0, 2)


def probabilities_of(panels: np.ndarray) -> list[float]:
    with torch.inference_mode():
        scores = zoo.load(MATRICES)(Matrices(torch.from_numpy(panels.copy()).float()[None] / 255))
    return [float(each) for each in scores[0, 0].softmax(-1)]


async def test_a_matrix_of_a_data_set_is_told_with_its_rules_and_every_answer(
    client: httpx.AsyncClient, dataset: MatrixSet
) -> None:
    told = (await client.get(f"/api/v1/tables/{SAMPLE}", params={"model": MATRICES})).json()
    assert told["panels"]["names"] == list(panel_names())
    assert (told["panels"]["columns"], told["panels"]["answers"]) == (3, 8)
    assert told["panels"]["rules"] == ["progression of line colour, along rows"] == [str(*dataset.rules[3])]
    panels = await panels_of(client, SAMPLE)
    assert np.array_equal(panels, dataset.pictures([3])[0])
    score = told["score"]
    assert score["probabilities"] == pytest.approx(probabilities_of(panels), abs=1e-5)
    assert np.ptp(score["probabilities"]) > 0.1  # so that another order would be seen
    assert score["predicted"] == int(np.argmax(score["probabilities"]))
    picture = await client.get(f"/api/v1/tables/{SAMPLE}/picture", params={"side": 64})
    assert told["pictured"] and picture.status_code == 200
    listed = (await client.get("/api/v1/tables", params={"set": SET, "limit": 2})).json()["items"]
    assert [each["label_name"] for each in listed] == [f"answer {label + 1}" for label in dataset.labels[:2].tolist()]


async def test_a_file_becomes_a_sample_that_is_answered_and_traced(
    client: httpx.AsyncClient, dataset: MatrixSet
) -> None:
    image = dataset.pictures([1], side=160)[0]
    made = await bring(client, npz(image=image, target=np.array(int(dataset.labels[1]))), "folder/PGM_0.npz")
    assert made.status_code == 201, made.text
    sample = made.json()
    assert (sample["set"], sample["set_title"], sample["inputs"]) == (None, "PGM_0.npz", "matrices")
    assert sample["label"] == int(dataset.labels[1]) and sample["panels"]["rules"] == []
    panels = await panels_of(client, sample["id"])
    assert panels.shape == (16, 80, 80)
    told = (await client.get(f"/api/v1/tables/{sample['id']}", params={"model": MATRICES})).json()["score"]
    assert told["probabilities"] == pytest.approx(probabilities_of(panels), abs=1e-5)
    assert told["value"] == float(told["predicted"] == sample["label"])
    trace = (await client.post("/api/v1/traces", json={"model": MATRICES, "sample": sample["id"]})).json()
    assert trace["predictions"][0]["probabilities"] == pytest.approx(told["probabilities"], abs=1e-5)
    assert trace["grid"] == {"rows": 3, "columns": 3}
    found = {each["name"]: each for each in trace["tokens"]}
    assert len(found) == 80
    for name, kind, row, column, candidate in (
        (f"cls:{SET}:2", "cls", None, None, 2),
        ("panel:0,2:5", "panel", 0, 2, 5),
        ("panel:2,1:8", "panel", 2, 1, 8),
        ("answer:7", "panel", 2, 2, 7),
    ):
        token = found[name]
        assert [token[key] for key in ("kind", "row", "column", "candidate")] == [kind, row, column, candidate]
    is_problem(await client.get(f"/api/v1/tables/{sample['id']}", params={"model": MODEL}), 422)
    own = (await client.get("/api/v1/samples/written", params={"inputs": "matrices"})).json()["items"]
    assert sample["id"] in [each["id"] for each in own]
    assert (await client.delete(f"/api/v1/samples/{sample['id']}")).status_code == 204
    is_problem(await client.get(f"/api/v1/tables/{sample['id']}/panels"), 404)


def png(greys: np.ndarray, mode: str = "L") -> bytes:
    file = io.BytesIO()
    Image.fromarray(greys).convert(mode).save(file, "PNG")
    return file.getvalue()


async def test_a_sheet_becomes_a_sample_and_a_sample_a_sheet(client: httpx.AsyncClient, dataset: MatrixSet) -> None:
    answer = await client.get(f"/api/v1/tables/{SAMPLE}/panels", params={"columns": 4})
    assert answer.status_code == 200
    panels = await panels_of(client, SAMPLE)
    made = await bring(client, answer.content, "sheet of 3.PNG")
    assert made.status_code == 201, made.text
    sample = made.json()
    assert (sample["set_title"], sample["inputs"], sample["label"]) == ("sheet of 3.PNG", "matrices", -1)
    assert np.array_equal(await panels_of(client, sample["id"]), panels)
    told = (await client.get(f"/api/v1/tables/{sample['id']}", params={"model": MATRICES})).json()["score"]
    assert told["value"] is None and told["probabilities"] == pytest.approx(probabilities_of(panels), abs=1e-5)
    by_hand = (await bring(client, answer.content, "a.png", answer="6")).json()
    assert by_hand["label"] == 5 and np.array_equal(await panels_of(client, by_hand["id"]), panels)
    told = npz(image=dataset.pictures([1])[0], target=np.array(2))
    problem = is_problem(await bring(client, told, answer="6"), 422)
    assert problem["detail"] == "The file says that answer 3 is right, not 6."
    for number in "09":
        is_problem(await bring(client, answer.content, "a.png", answer=number), 422)
    large = (await bring(client, png(np.zeros((1600, 1600), np.uint8), "RGBA"), "a.png")).json()
    assert (await panels_of(client, large["id"])).shape == (16, 80, 80)


async def exchange(client: httpx.AsyncClient, sample: str, one: int, other: int) -> Any:
    body = {"one": one, "other": other, "name": "changed"}
    return await client.post(f"/api/v1/tables/{sample}/exchanged", json=body)


async def test_two_panels_change_places_in_a_sample_of_ones_own(client: httpx.AsyncClient, dataset: MatrixSet) -> None:
    right = int(dataset.labels[3])
    before = await panels_of(client, SAMPLE)
    made = await exchange(client, SAMPLE, 8 + right, 8 + (right + 1) % 8)
    assert made.status_code == 201, made.text
    sample = made.json()
    assert (sample["set"], sample["set_title"], sample["label"]) == (None, "changed", (right + 1) % 8)
    order = list(range(16))
    order[8 + right], order[8 + (right + 1) % 8] = 8 + (right + 1) % 8, 8 + right
    assert np.array_equal(await panels_of(client, sample["id"]), before[order])
    told = (await client.get(f"/api/v1/tables/{sample['id']}", params={"model": MATRICES})).json()
    assert np.abs(np.subtract(probabilities_of(before[order]), probabilities_of(before))).max() > 0.01
    assert told["score"]["probabilities"] == pytest.approx(probabilities_of(before[order]), abs=1e-5)

    further = (await exchange(client, sample["id"], 0, 7)).json()  # of the panels: nobody knows what is right then
    assert further["label"] == -1
    told = (await client.get(f"/api/v1/tables/{further['id']}", params={"model": MATRICES})).json()["score"]
    assert told["value"] is None and len(told["probabilities"]) == 8
    assert np.array_equal(await panels_of(client, SAMPLE), before)  # what it was made of stays


async def test_a_map_knows_the_relation_of_every_sample(client: httpx.AsyncClient, dataset: MatrixSet) -> None:
    asked = {"model": MATRICES, "data": [SET], "samples": 5, "method": "pca"}
    _, found = await result_of(client, "embeddings", asked)
    assert found["count"] == 5 * 2 * 72  # panels with each answer, at two steps
    assert found["kinds"] == list(dataset.kinds)
    assert found["sample_kinds"] == dataset.kind[:5].tolist()
