"""Folders that lie beside a good one, by the API: the good one is scored, the others are named with the reason."""

import json
import logging
import os
import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextvars import copy_context
from pathlib import Path

import pytest

from routescope import zoo
from routescope.zoo import opened
from routescope_app.services.engine.openings import Openings, is_job
from routescope_app.services.errors import Busy
from tests.app import serving
from tests.core.nn.adapters.families import model_of
from tests.core.nn.adapters.lying import LIES, MEBIBYTE, moved_out, sized
from tests.robustness.record import came_back

CARD = "# Mine\n\n<script>window.evil=1</script> [x](javascript:window.evil=1) ![y](http://192.0.2.1/y.png)\n"
#: What is recorded of folders -> how the document calls them.
RECORDED = {
    "layers": "a config with 1,000,000 layers over files with 2",
    "some-layers": "a config with 5,000 layers over files with 2",
    "experts": "a config with 1,000,000,000 experts",
    "no-top-k": "a config with 0 experts a token",
    "large-config": "a config.json of 60 MiB",
    "config-pipe": "a pipe named config.json",
    "config-zeros": "config.json as a link to /dev/zero",
    "weights-link": "model.safetensors as a link out of the folder",
    "head-large": "a head of 100 MiB",
    "head-overlap": "two tensors at one place of the file",
    "tokenizer-split": "a tokenizer that splits texts by (a+)+$",
}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder of models, of which all but one lie."""
    folder = tmp_path / "mixtures" / "models"
    mixtral = model_of("mixtral")
    for name in ("good", *LIES):
        mixtral.save_pretrained(folder / name)
    for name, (change, _) in LIES.items():
        change(folder / name)
    (folder / "good" / "README.md").write_text(CARD)
    sized("README.md", 100 * MEBIBYTE)(folder / "good")
    (folder / "good" / "card.json").write_text('{"accuracies": "<script>", "data": 5}')
    (folder / "outside").symlink_to(model_folder(folder.parent / "outside"))
    (folder / "closed").symlink_to(folder / "nowhere")
    return folder


def model_folder(path: Path) -> Path:
    """A folder with a model that nothing is wrong with."""
    model_of("mixtral").save_pretrained(path)
    return path


@pytest.fixture(autouse=True)
def _none_afterwards() -> Iterator[None]:
    yield
    opened.use(())


@pytest.mark.slow
async def test_a_good_folder_beside_all_that_lie_is_scored(
    folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("routescope_app.services.engine.openings.WAIT_SECONDS", 300)
    chosen = serving.settings(tmp_path, model_folders=(str(folder),), queue_seconds=300)
    async with serving.serving(chosen) as client:
        listed = (await client.get("/api/v1/models")).json()
        assert "good" in {model["id"] for model in listed["items"]}
        reasons = {model["model"]: model["reason"] for model in listed["left_out"]}
        assert set(reasons) == {*LIES, "outside"} and not any(model["opening"] for model in listed["left_out"])
        assert "is a link that leads out of models, which is not followed: name the folder itself" in reasons["outside"]
        assert str(folder.parent) not in json.dumps(listed)
        health = (await client.get("/api/v1/health")).json()
        assert "good" in health["models"] and not set(reasons) & set(health["models"])
        asked = {"model": "good", "data": ["sums"], "samples": 2, "controls": 0}
        scored = await client.post("/api/v1/evaluations", json=asked)
        assert scored.status_code == 200 and scored.json()["by_domain"][0]["accuracy"] > 0
        for name, sent in RECORDED.items():
            answer = await client.get(f"/api/v1/models/{name}")
            detail = serving.is_problem(answer, 404)["detail"]
            assert detail == f"This model cannot be opened: {reasons[name]}" and "Traceback" not in detail
            came_back("model folders that lie", sent, answer)
        card = (await client.get("/api/v1/models/good/card")).json()
        assert card["html"].startswith("<h2>Mine</h2>\n<p>&lt;script&gt;window.evil=1&lt;/script&gt; [x](javascript:")
        assert not card["complete"] and len(card["html"]) < 10 * 100_000
        assert (await client.get("/api/v1/models/good")).json()["card"] == {}, "card.json is of bundled models alone"
        moved_out("README.md")(folder / "good")
        refused = await client.get("/api/v1/models/good/card")
        assert "README.md is a link that leads out of the folder" in serving.is_problem(refused, 422)["detail"]
        came_back("model folders that lie", "README.md as a link out of the folder", refused)


async def test_a_folder_that_is_being_opened_delays_no_other(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """One folder opens only when the test lets it: the start, the list and the other folder do not wait for it."""
    for name in ("quick", "slow"):
        model_folder(tmp_path / "models" / name)
    let, info = threading.Event(), zoo.info

    def waits(model_id: str) -> object:
        assert model_id != "slow" or let.wait(300)
        return info(model_id)

    monkeypatch.setattr(zoo, "info", waits)
    monkeypatch.setattr("routescope_app.services.engine.openings.WAIT_SECONDS", 0)
    settings = serving.settings(tmp_path, model_folders=(str(tmp_path / "models"),), queue_seconds=0)
    async with serving.serving(settings) as client:
        listed = (await client.get("/api/v1/models")).json()
        slow = next(model for model in listed["left_out"] if model["model"] == "slow")
        assert slow == {"model": "slow", "reason": "slow is being opened.", "opening": True}
        busy = await client.get("/api/v1/models/slow")
        assert serving.is_problem(busy, 503)["detail"].startswith("The model slow is being opened; please ask again")
        while (await client.get("/api/v1/models/quick")).status_code == 503:
            pass
        assert (await client.get("/api/v1/health")).status_code == 200
        let.set()
        while (await client.get("/api/v1/models/slow")).status_code == 503:
            pass
        items = (await client.get("/api/v1/models")).json()["items"]
        assert {"quick", "slow"} <= {model["id"] for model in items}


async def test_a_folder_that_was_mended_is_opened(
    tmp_path: Path, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A refusal is remembered, and logged, once for each state of the files."""
    folder = model_folder(tmp_path / "models" / "mine")
    kept = (folder / "config.json").read_text()
    (folder / "config.json").unlink()
    os.mkfifo(folder / "config.json")
    monkeypatch.setattr("routescope_app.services.engine.openings.WAIT_SECONDS", 300)
    settings = serving.settings(tmp_path, model_folders=(str(folder.parent),), queue_seconds=300)
    with caplog.at_level(logging.WARNING):
        async with serving.serving(settings) as client:
            for _ in range(3):
                serving.is_problem(await client.get("/api/v1/models/mine"), 404)
            assert sum("mine is left out" in record.getMessage() for record in caplog.records) == 1
            (folder / "config.json").unlink()
            (folder / "config.json").write_text(kept)
            assert (await client.get("/api/v1/models/mine")).status_code == 200


def test_a_job_waits_for_its_model_and_a_request_does_not(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A job that a start takes up again does not fail because its model is still being opened."""
    opened.use([model_folder(tmp_path / "mine")])
    let, info, of_folders = threading.Event(), zoo.info, Openings(0)
    monkeypatch.setattr(zoo, "info", lambda model_id: let.wait(300) and info(model_id))
    config = zoo.opened_configs()["mine"]
    with pytest.raises(Busy, match="mine is being opened"):
        of_folders.info("mine", config)
    is_job.set(True)
    with ThreadPoolExecutor(1) as pool:
        job = pool.submit(copy_context().run, of_folders.info, "mine", config)
        is_job.set(False)
        assert not job.done()
        let.set()
        assert job.result().id == "mine"
