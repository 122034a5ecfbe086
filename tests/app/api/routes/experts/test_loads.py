"""Load of experts through the API: the numbers of the core, exemplars within their texts, refusals in words."""

import asyncio
import threading
from collections.abc import Iterator

import httpx
import numpy as np
import pytest

from routescope import zoo
from routescope.data import load
from routescope.routing import Intervention
from routescope.routing.observed.expert_outputs import WrittenObserver
from routescope.routing.observed.load import LoadObserver
from tests.app.api.follow import ended, start
from tests.app.serving import MODEL, is_problem

EXPERTS = "moe-bytes"
REQUEST = {"model": EXPERTS, "data": ["sums", "manual"], "samples": 6, "shuffles": 20, "seed": 3}


async def test_the_numbers_are_those_of_the_core(client: httpx.AsyncClient) -> None:
    asked = {**REQUEST, "intervention": {"drop": ["l2.e3"]}}
    job = await ended(client, await start(client, "expert-loads", asked))
    assert job["state"] == "done" and job["kind"] == "load", job
    found = (await client.get(job["result"])).json()
    names = [each["name"] for each in found["data"]]
    sets = [load(name, "validation").take(slice(3)) for name in names]
    observer = LoadObserver(zoo.load(EXPERTS), sets, intervention=Intervention(drop=("l2.e3",)), shuffles=20, seed=3)
    for _ in observer:
        pass
    own = observer.result()
    assert (found["count"], found["tokens"], tuple(found["domains"])) == (6, own.tokens, own.domains)
    for at, layer in enumerate(found["layers"]):
        assert layer["units"] == list(own.layers[at].units)
        for name, values in (("load", own.load), ("by_domain", own.of_domain), ("low", own.low), ("high", own.high)):
            np.testing.assert_allclose(layer[name], values[at], atol=1e-9, err_msg=name)
        assert layer["specialisation"] == pytest.approx(own.specialised[at])
        assert layer["null_high"] == pytest.approx(own.null_high[at])
        together = np.array(layer["together"], dtype=float)
        np.testing.assert_allclose(together, own.lift[at])
        assert own.written is not None and own.by_token is not None
        by, written, kinds = layer["by_token"], layer["written"], own.by_token
        for name, values in (("share", kinds.share), ("low", kinds.low), ("high", kinds.high)):
            np.testing.assert_allclose(by[name], values[at], atol=1e-6, err_msg=name)
        numbers = [kinds.specialised[at], kinds.null[at], kinds.null_high[at], kinds.within[at], kinds.within_high[at]]
        assert [by[n] for n in ("specialisation", "null", "null_high", "within", "within_high")] == pytest.approx(
            numbers
        )
        np.testing.assert_allclose(np.array(layer["alike"], dtype=float), kinds.alike[at])
        np.testing.assert_allclose(np.array(written["cosine"], dtype=float), own.written.cosine[at], atol=1e-6)
        np.testing.assert_array_equal(written["tokens"], own.written.tokens[at])
        np.testing.assert_allclose(np.array(written["high"], dtype=float), own.written.high[at], atol=1e-6)
    assert own.by_token is not None
    assert [each["text"] for each in found["kinds"]] == list(own.by_token.kinds)
    assert (found["distinct"], found["written_texts"], found["unwritten"]) == (own.by_token.distinct, 6, None)
    assert found["token_shuffles"] == own.by_token.shuffles == 20
    assert found["layers"][1]["dead"] == ["l2.e3"] and found["layers"][0]["dead"] == list(own.dead[0])
    told = found["exemplars"][0]
    text = load(told["domain"], "validation").texts[int(told["sample"].split(".")[2])]
    if text.isascii():
        assert told["before"] + told["text"] + told["after"] in text and text[told["token"] - 1] == told["text"]
    assert (await client.get(f"/api/v1/tables/{told['sample']}")).status_code == 200


async def test_what_cannot_be_observed_is_refused_in_words(client: httpx.AsyncClient) -> None:
    answer = await client.post("/api/v1/expert-loads", json={"model": MODEL, "samples": 6})
    assert "routed to experts" in is_problem(answer, 422)["detail"]
    gone = {**REQUEST, "intervention": {"drop": ["l2.*"]}}
    assert "layer 2 needs 2 experts" in is_problem(await client.post("/api/v1/expert-loads", json=gone), 422)["detail"]
    is_problem(await client.get(f"/api/v1/expert-loads/{'0' * 40}"), 404)


async def test_it_says_what_it_does_and_can_be_cancelled_while_it_shuffles(
    client: httpx.AsyncClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    read, steps = threading.Event(), WrittenObserver.__iter__

    def until_read(self: WrittenObserver) -> Iterator[tuple[int, int]]:
        for step in steps(self):
            yield step
            read.wait(30)

    monkeypatch.setattr(WrittenObserver, "__iter__", until_read)
    asked = {**REQUEST, "data": ["sums"], "samples": 64, "shuffles": 1000, "seed": 11}
    job, told = await start(client, "expert-loads", asked), set[str]()
    while "shuffling the tokens of texts" not in told:
        now = (await client.get(f"/api/v1/jobs/{job['id']}")).json()
        assert now["state"] in ("queued", "running"), now
        told.add(now["what"])
        if "comparing what experts write" in told:
            read.set()
        await asyncio.sleep(0.01)
    assert "comparing what experts write" in told
    await client.delete(f"/api/v1/jobs/{job['id']}")
    assert (await ended(client, job))["state"] == "cancelled"
