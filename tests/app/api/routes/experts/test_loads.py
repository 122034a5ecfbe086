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
    body = (await client.get(job["result"])).json()
    names = [entry["name"] for entry in body["data"]]
    sets = [load(name, "validation").take(slice(3)) for name in names]
    observer = LoadObserver(zoo.load(EXPERTS), sets, intervention=Intervention(drop=("l2.e3",)), shuffles=20, seed=3)
    for _ in observer:
        pass
    expected = observer.result()
    assert (body["count"], body["tokens"], tuple(body["domains"])) == (6, expected.tokens, expected.domains)
    for at, layer in enumerate(body["layers"]):
        assert layer["units"] == list(expected.layers[at].units)
        for name, values in (
            ("load", expected.load),
            ("by_domain", expected.of_domain),
            ("low", expected.low),
            ("high", expected.high),
        ):
            np.testing.assert_allclose(layer[name], values[at], atol=1e-9, err_msg=name)
        assert layer["specialisation"] == pytest.approx(expected.specialised[at])
        assert layer["null_high"] == pytest.approx(expected.null_high[at])
        together = np.array(layer["together"], dtype=float)
        np.testing.assert_allclose(together, expected.lift[at])
        assert expected.written is not None and expected.by_token is not None
        by, written, kinds = layer["by_token"], layer["written"], expected.by_token
        for name, values in (("share", kinds.share), ("low", kinds.low), ("high", kinds.high)):
            np.testing.assert_allclose(by[name], values[at], atol=1e-6, err_msg=name)
        numbers = [kinds.specialised[at], kinds.null[at], kinds.null_high[at], kinds.within[at], kinds.within_high[at]]
        assert [by[n] for n in ("specialisation", "null", "null_high", "within", "within_high")] == pytest.approx(
            numbers
        )
        np.testing.assert_allclose(np.array(layer["alike"], dtype=float), kinds.alike[at])
        np.testing.assert_allclose(np.array(written["cosine"], dtype=float), expected.written.cosine[at], atol=1e-6)
        np.testing.assert_array_equal(written["tokens"], expected.written.tokens[at])
        np.testing.assert_allclose(np.array(written["high"], dtype=float), expected.written.high[at], atol=1e-6)
    assert expected.by_token is not None
    assert [entry["text"] for entry in body["kinds"]] == list(expected.by_token.kinds)
    assert (body["distinct"], body["written_texts"], body["unwritten"]) == (expected.by_token.distinct, 6, None)
    assert body["token_shuffles"] == expected.by_token.shuffles == 20
    assert body["layers"][1]["dead"] == ["l2.e3"] and body["layers"][0]["dead"] == list(expected.dead[0])
    reply = body["exemplars"][0]
    text = load(reply["domain"], "validation").texts[int(reply["sample"].split(".")[2])]
    if text.isascii():
        assert reply["before"] + reply["text"] + reply["after"] in text and text[reply["token"] - 1] == reply["text"]
    assert (await client.get(f"/api/v1/tables/{reply['sample']}")).status_code == 200


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
    job, reply = await start(client, "expert-loads", asked), set[str]()
    while "shuffling the tokens of texts" not in reply:
        now = (await client.get(f"/api/v1/jobs/{job['id']}")).json()
        assert now["state"] in ("queued", "running"), now
        reply.add(now["what"])
        if "comparing what experts write" in reply:
            read.set()
        await asyncio.sleep(0.01)
    assert "comparing what experts write" in reply
    await client.delete(f"/api/v1/jobs/{job['id']}")
    assert (await ended(client, job))["state"] == "cancelled"
