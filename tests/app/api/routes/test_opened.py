"""A model from a configured folder, by the API: listed, recorded, dropped, and left out where it cannot be opened."""

import json
import logging
from collections.abc import Iterator
from pathlib import Path

import pytest

from routescope.zoo import opened
from tests.app import serving
from tests.core.nn.adapters.families import model_of


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("mixtures")
    model_of("deepseek_v3").save_pretrained(folder / "mine")
    (folder / "broken").mkdir()
    (folder / "broken" / "config.json").write_text("{")
    model_of("olmoe").save_pretrained(folder / "small")
    config = json.loads((folder / "small" / "config.json").read_text())
    (folder / "small" / "config.json").write_text(
        json.dumps({**config, "quantization_config": {"quant_method": "hqq"}})
    )
    return folder


@pytest.fixture(autouse=True)
def _none_afterwards() -> Iterator[None]:
    yield
    opened.use(())


async def test_a_model_from_a_folder_is_a_model(tmp_path: Path, folder: Path, caplog: pytest.LogCaptureFixture) -> None:
    none, nothing = tmp_path / "none", tmp_path / "nothing here"
    none.mkdir()
    chosen = serving.settings(tmp_path, model_folders=(str(folder), str(none), str(nothing)))
    with caplog.at_level(logging.WARNING):
        async with serving.serving(chosen) as client:
            items = {item["id"]: item for item in (await client.get("/api/v1/models")).json()["items"]}
            assert "mine" in items and "broken" not in items and items["mine"]["unread"] is None
            lines = [record.getMessage() for record in caplog.records]
            assert any("config.json that is no JSON" in line for line in lines)
            assert [line.split(": ")[0] for line in lines if "MODEL_FOLDERS" in line] == [
                f"ROUTESCOPE_MODEL_FOLDERS names {without}" for without in (none, nothing)
            ]
            detail = serving.is_problem(await client.get("/api/v1/models/small"), 404)["detail"]
            assert "small is quantised in a format that is not read: quant_method 'hqq'" in detail
            asked = {"model": "mine", "sample": "sums.validation.1", "fields": ["top_experts"]}
            body = (await client.post("/api/v1/traces", json=asked)).json()
            assert [names[0] for names in body["units_by_step"]] == ["l2.e1", "l3.e1"]
            asked = {"model": "mine", "data": ["sums"], "samples": 8, "intervention": {"drop": ["l2.e1"]}}
            result = await client.post("/api/v1/evaluations", json=asked)
            assert result.status_code == 200 and result.json()["measure"]["name"] == "bits a byte"
            gone = {"drop": ["l2.e1", "l2.e2", "l2.e4", "l2.e5"]}
            refused = await client.post("/api/v1/evaluations", json=asked | {"intervention": gone})
            assert "layer 2 needs 1 of its 2 groups" in serving.is_problem(refused, 422)["detail"]


async def test_the_context_is_a_setting_and_part_of_the_revision(tmp_path: Path, folder: Path) -> None:
    """One model in three contexts: about the same bits a byte, of all bytes, and no cached figure of another."""
    result = {}
    asked = {"model": "mine", "data": ["sums"], "samples": 4, "controls": 0}
    for context, stride in ((256, None), (16, None), (16, 4)):
        expected = serving.settings(
            tmp_path, model_folders=(str(folder),), opened_context=context, opened_stride=stride
        )
        async with serving.serving(expected) as client:
            model = (await client.get("/api/v1/models/mine")).json()
            answer = (await client.post("/api/v1/evaluations", json=asked)).json()
            trace = {"model": "mine", "sample": "sums.validation.1", "fields": ["top_experts"]}
            left = (await client.post("/api/v1/traces", json=trace)).json()["tokens_left_out"]
            result[context, stride] = model["revision"], answer["by_domain"][0]["accuracy"], left
    (first, a, none), (second, b, some), (third, c, same) = result.values()
    assert len({first, second, third}) == len({a, b, c}) == 3
    assert max(a, b, c) < 1.1 * min(a, b, c)
    assert some == same == none + 63 - 16
