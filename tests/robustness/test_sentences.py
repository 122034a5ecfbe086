"""What people may write and draw for models of statements: too long, too many, not numbers, not there."""

import json
import logging
from pathlib import Path
from typing import Any

import httpx
import pytest
from hypothesis import HealthCheck, given
from hypothesis import settings as hypothesis_settings
from hypothesis import strategies as st

from routescope_app.services.circuits.sentences import clean_sentence
from routescope_app.services.errors import NotAccepted
from tests.app.api.follow import ended, start
from tests.app.serving import STATEMENTS, is_problem, serving, settings

PLACES = [f"/api/v1/models/{STATEMENTS}/answers", f"/api/v1/models/{STATEMENTS}/designs"]
THING = {"shape": "star", "colour": "red", "size": "small", "x": 0.5, "y": 0.5}


def asked(sentences: Any, things: Any = ()) -> dict[str, Any]:
    return {"sentences": sentences, "pictures": {"scene": {"pictures": [list(things), []]}}}


@pytest.mark.asyncio(loop_scope="module")
async def test_too_much_is_refused(shared: httpx.AsyncClient) -> None:
    for spot in PLACES:
        is_problem(await shared.post(spot, json=asked(["a " * 500_000])), 413)
        is_problem(await shared.post(spot, json=asked(["a " * 50_000])), 422)
        is_problem(await shared.post(spot, json=asked(["a"] * 10_000)), 422)
    is_problem(await shared.post(PLACES[0], json=asked(["a"], [THING] * 20_000)), 413)
    is_problem(await shared.post(PLACES[0], json=asked(["a"], [THING] * 1_000)), 422)
    body = asked(["a"]) | {"pictures": {"scene": {"pictures": [[]] * 10_000}}}
    is_problem(await shared.post(PLACES[0], json=body), 422)


UNKNOWN = ({"shape": "blob"}, {"colour": "ultraviolet"}, {"size": "huge"}, {"z": 1}, {"shape": "../star"})
NO_PLACES = ("NaN", "Infinity", "-Infinity", "1e999", "-0.01", "1.01", '"0.5"', "true", "null", "[]")
ODD = ("<script>alert(1)</script>", "'; DROP TABLE samples; --", "%n%n%n", "🦊 " * 39, "אבג", "[PAD] [START]", "##a")


@pytest.mark.asyncio(loop_scope="module")
async def test_odd_things_are_refused_and_odd_sentences_are_only_sentences(shared: httpx.AsyncClient) -> None:
    for number in NO_PLACES:
        body = json.dumps(asked(["a"], [{**THING, "x": "PLACE"}])).replace('"PLACE"', number)
        answer = await shared.post(PLACES[0], content=body, headers={"Content-Type": "application/json"})
        assert answer.status_code in {400, 422}, number
        is_problem(answer, answer.status_code)
    for change in UNKNOWN:
        is_problem(await shared.post(PLACES[0], json=asked(["a"], [{**THING, **change}])), 422)
    for sentence in ODD:
        for spot in PLACES:
            body = asked([sentence]) if "answers" in spot else {"sentences": [sentence]}
            answer = await shared.post(spot, json=body)
            assert answer.status_code == 200, answer.text
            assert answer.headers["content-type"] == "application/json"


async def test_sentences_are_not_logged(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    """Neither those of requests nor those of addresses, accepted or refused."""
    secret = "the queen has blue circles"
    logging.getLogger("httpx").setLevel(logging.WARNING)  # the tests' own client
    async with serving(settings(tmp_path, role="all")) as client:
        job = await ended(client, await start(client, "sentence-maps", {"model": STATEMENTS, "method": "pca"}))
        with caplog.at_level(logging.DEBUG):
            logging.getLogger(__name__).debug("heard")
            for sentence in (secret, secret + "\x00", secret * 20):
                await client.post(PLACES[0], json=asked([sentence]))
                await client.post(PLACES[1], json={"sentences": [sentence]})
                await client.post(f"{PLACES[1]}/links", json={"sentences": [sentence]})
                await client.post(f"{job['result']}/places", json={"sentences": [sentence]})
                for path in ("/circuits", "/api/v1/statements", "/api/v1/nowhere"):
                    await client.get(path, params={"s1": sentence, "kind": sentence})
    assert "heard" in caplog.text
    assert not any(word in caplog.text for word in (secret, secret.replace(" ", "+"), secret.replace(" ", "%20")))


@hypothesis_settings(max_examples=100, deadline=None, derandomize=True, suppress_health_check=list(HealthCheck))
@given(st.text(max_size=60))
def test_a_cleaned_sentence_stays_as_it_is(text: str) -> None:
    try:
        cleaned = clean_sentence(text, 60)
    except NotAccepted as refusal:
        assert refusal.detail.endswith(".")
        return
    assert cleaned == clean_sentence(cleaned, 60) and 0 < len(cleaned) <= 60
    assert cleaned.isprintable() and cleaned == cleaned.strip() and "  " not in cleaned
