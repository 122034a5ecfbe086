"""Two replicas of the API on one PostgreSQL database and one data folder: what one keeps the other has."""

import asyncio
import logging
import threading
from pathlib import Path

import numpy as np
import pytest

from routescope.nn.measures import ACCURACY
from routescope.routing.caused.scores import Scores
from routescope_app.services.measuring.score_store import ScoreStore
from routescope_app.services.store import Store
from tests.app.serving import MODEL, png, serving, settings, upload
from tests.robustness.test_sweeping import DIGEST, write


async def test_samples_and_traces_are_of_both(
    tmp_path: Path, postgresql: str, caplog: pytest.LogCaptureFixture
) -> None:
    chosen = settings(tmp_path, database_url=postgresql)
    async with serving(chosen) as first, serving(chosen) as second:
        samples = []
        for number in range(4):
            made = await asyncio.gather(*(upload(client, png(colour=(number, 0, 0))) for client in (first, second)))
            assert [answer.status_code for answer in made] == [201, 201], "the same picture, at the same time"
            samples += [answer.json()["id"] for answer in made]
        for client in (first, second):
            listed = (await client.get("/api/v1/samples", params={"origin": "upload"})).json()["items"]
            assert {item["id"] for item in listed} == set(samples)
        for sample in samples:
            asked = {"model": MODEL, "sample": sample}
            answers = await asyncio.gather(*(client.post("/api/v1/traces", json=asked) for client in (first, second)))
            assert {answer.json()["id"] for answer in answers} == {answers[0].json()["id"]}
        change = {"drop": ["f1"]}
        for here, beyond in ((first, second), (second, first)):  # asked for at once where it was not made
            asked = {"model": MODEL, "sample": samples[1], "intervention": change}
            trace = (await here.post("/api/v1/traces", json=asked)).json()
            outcome = await beyond.get(f"/api/v1/traces/{trace['id']}")
            assert outcome.status_code == 200 and outcome.json()["kept"] == trace["kept"]
            change = {"drop": ["f2"]}
        assert (await second.delete(f"/api/v1/samples/{samples[0]}")).status_code == 204
        assert (await first.get(f"/api/v1/samples/{samples[0]}")).status_code == 404
        image = f"/api/v1/samples/{samples[1]}/image"  # which is the same picture as the one that is gone
        assert (await first.get(image)).status_code == 200
    assert len(list((tmp_path / "cache" / "traces").rglob("*.nc"))) == len(samples) - 1 + 2
    assert not list(tmp_path.rglob("*.partial"))
    assert "could not be kept" not in caplog.text


def test_the_same_scores_are_put_by_many(tmp_path: Path, postgresql: str, caplog: pytest.LogCaptureFixture) -> None:
    """In whatever order: nobody waits for ever, and none of them are lost."""
    caplog.set_level(logging.WARNING)
    stores = [Store(settings(tmp_path, database_url=postgresql).database) for _ in range(4)]
    stores[0].migrate()
    scores = {
        f"{number:064x}": Scores(
            value=np.array([True, False]), loss=np.array([0.5, number], np.float32),
            predicted=np.array([1, 2], np.int16), seconds=0.1, weight=None, measure=ACCURACY,
        )
        for number in range(20)
    }  # fmt: skip
    together = threading.Barrier(len(stores))
    orders = [dict(sorted(scores.items(), reverse=bool(number % 2))) for number in range(len(stores))]

    def put(store: Store, own: dict[str, Scores]) -> None:
        for keys in [[key] for key in scores] + [list(own)]:
            together.wait(30)
            ScoreStore(store, 10**9).put({key: own[key] for key in keys})

    threads = [threading.Thread(target=put, args=member) for member in zip(stores, orders, strict=True)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    answer = ScoreStore(stores[0], 10**9).get(dict.fromkeys(scores, ACCURACY))
    assert answer.keys() == scores.keys() and answer[f"{7:064x}"].loss.tolist() == [0.5, 7.0]
    assert not caplog.records
    for store in stores:
        store.close()


async def test_a_start_beside_others_sweeps_what_is_old_alone(tmp_path: Path, postgresql: str) -> None:
    chosen, old = settings(tmp_path, database_url=postgresql), 2 * 24 * 3600.0
    async with serving(chosen) as first:
        sample = (await upload(first)).json()
        trace = (await first.post("/api/v1/traces", json={"model": MODEL, "sample": sample["id"]})).json()
        places = ["samples/01/tmpab.partial", "cache/traces/01/x.partial", f"cache/traces/01/{DIGEST}.nc"]
        places += ["logs/a.partial", "pruned/tmpxy/model.safetensors", "logs/incoming-ab/log"]
        new = [write(tmp_path / spot.replace("/01/", "/02/").replace("ab", "cd").replace("xy", "z")) for spot in places]
        left = [write(tmp_path / spot, age=old) for spot in places]
        named = write(tmp_path / "samples" / "01" / f"{DIGEST}.png", age=old)
        async with serving(chosen) as second:
            assert not [path for path in left if path not in new and path.exists()]
            assert all(path.exists() for path in new if path not in left)
            assert named.exists(), "another may just be taking in a sample with this picture"
            assert (await second.get(sample["image"])).status_code == 200
            assert (await second.get(f"/api/v1/traces/{trace['id']}")).status_code == 200
