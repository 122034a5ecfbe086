"""Samples of the bundled data sets as tables: of pictures, of statements and of blocks."""

from typing import Any

import httpx
import pytest
import torch

from routescope.data import load
from routescope.data.blocks.tasks import TASKS, DigitTask
from routescope.data.kinds import pictures
from routescope.nn.inputs.blocks import Blocks
from routescope.nn.inputs.pictures import Pictures
from routescope_app.services.samples.gallery import Gallery
from tests.app.serving import MODEL

pytestmark = pytest.mark.asyncio(loop_scope="module")


@pytest.mark.slow
async def test_every_data_set_has_tables(client: httpx.AsyncClient) -> None:
    sets = (await client.get("/api/v1/data")).json()["items"]
    assert {each["inputs"] for each in sets} >= {"images", "statements", "blocks", "text"}
    for each in sets:
        page = (await client.get("/api/v1/tables", params={"set": each["name"], "limit": 1, "rows": 3})).json()
        (found,) = page["items"]
        assert page["total"] == each["splits"]["validation"]
        assert (found["set"], found["inputs"], found["stand_in"]) == (each["name"], each["inputs"], each["stand_in"])
        assert found["label_name"] == (each["classes"][found["label"]] if each["classes"] else None)
        assert len(found["rows"]) == min(3, found["total_rows"])
        assert {len(row) for row in found["rows"]} == {len(found["columns"])}
        alone = (await client.get(f"/api/v1/tables/{found['id']}")).json()
        assert len(alone["rows"]) == alone["total_rows"] and alone["rows"][:3] == found["rows"]
    both = (await client.get("/api/v1/tables", params={"inputs": "images", "limit": 2, "offset": 999})).json()
    assert [each["id"] for each in both["items"]] == ["mnist.validation.999", "mnist-m.validation.0"]


async def test_only_sets_of_the_page_are_read(client: httpx.AsyncClient, monkeypatch: pytest.MonkeyPatch) -> None:
    read, original = list[str](), Gallery.dataset

    def watched(self: Gallery, name: str) -> Any:
        read.append(name)
        return original(self, name)

    monkeypatch.setattr(Gallery, "dataset", watched)
    sets = (await client.get("/api/v1/data")).json()["items"]
    total = sum(each["splits"].get("validation", 0) for each in sets)
    first = (await client.get("/api/v1/tables", params={"limit": 2})).json()
    assert [each["id"] for each in first["items"]] == ["mnist.validation.0", "mnist.validation.1"]
    assert first["total"] == total
    later = (await client.get("/api/v1/tables", params={"limit": 1, "offset": 1_000})).json()
    assert ([each["id"] for each in later["items"]], later["total"]) == (["mnist-m.validation.0"], total)
    assert set(read) == {"mnist", "mnist-m"}


async def test_a_picture_is_told_as_its_kind_tells_it(client: httpx.AsyncClient) -> None:
    found = (await client.get("/api/v1/tables/mnist-m.validation.5")).json()
    own = pictures.table(Pictures(load("mnist-m").inputs([5])))
    assert found["columns"] == list(own.columns)
    assert found["rows"] == [pytest.approx(row) for row in own.rows]


async def test_a_score_is_right_or_wrong(client: httpx.AsyncClient) -> None:
    where = "/api/v1/tables/mnist.validation.3"
    found = (await client.get(where, params={"model": MODEL})).json()
    predicted = (await client.get("/api/v1/samples/mnist.validation.3", params={"model": MODEL})).json()["prediction"]
    assert found["score"]["predicted"] == predicted["label"]
    assert found["score"]["value"] == (predicted["label"] == found["label"])
    assert found["score"]["predicted_name"] == str(predicted["label"])
    assert found["score"]["measure"]["name"] == "accuracy"


async def test_blocks_that_are_digits_are_told_as_what_a_run_is_asked_with(client: httpx.AsyncClient) -> None:
    found = (await client.get("/api/v1/tables/algo.validation.3")).json()
    blocks = load("algo").inputs([3])
    assert isinstance(blocks, Blocks)
    task = TASKS["algo"]
    assert isinstance(task, DigitTask)
    told = found["blocks"]
    again = task.encode(torch.tensor([told["digits"]]), torch.tensor([told["program"]]))
    torch.testing.assert_close(again.values, blocks.values)
    torch.testing.assert_close(again.tasks, blocks.tasks)
    for other in ("bpmnist.validation.0", "scenes.validation.0", "mnist.validation.0"):
        assert (await client.get(f"/api/v1/tables/{other}")).json()["blocks"] is None
