"""What ``make soak`` calls wrong, and what not: answers that were served, refused for now, or neither."""

import random
import time
from collections.abc import Callable

import httpx
import pytest

from tests.deploy.soak import Clients, Figures, picture


async def asked_of(answer: Callable[[httpx.Request], httpx.Response]) -> Figures:
    clients = Clients(["http://replica"], time.monotonic() + 60, most_samples=10)
    transport = httpx.MockTransport(answer)
    async with httpx.AsyncClient(base_url="http://replica", transport=transport) as client:
        await clients.upload(client, random.Random(0))
    return clients.figures


async def test_what_was_served_is_remembered() -> None:
    outcome = await asked_of(lambda request: httpx.Response(201, json={"id": "one"}))
    assert (outcome.samples, outcome.wrong) == (["one"], [])
    assert outcome.statuses["upload"] == {201: 1} and len(outcome.seconds["upload"]) == 1
    heads, row = outcome.rows()
    assert dict(zip(heads, row, strict=True))["served"] == "1"


async def test_a_refusal_with_retry_after_is_not_wrong() -> None:
    outcome = await asked_of(lambda request: httpx.Response(503, headers={"Retry-After": "0"}))
    assert (outcome.samples, outcome.wrong, outcome.statuses["upload"]) == ([], [], {503: 1})


@pytest.mark.parametrize("status", [503, 500, 404])
async def test_anything_else_is_wrong(status: int) -> None:
    outcome = await asked_of(lambda request: httpx.Response(status, text="no"))
    assert len(outcome.wrong) == 1 and str(status) in outcome.wrong[0] and not outcome.samples


async def test_a_connection_that_breaks_is_wrong() -> None:
    def broken(request: httpx.Request) -> httpx.Response:
        raise httpx.ReadError("gone")

    outcome = await asked_of(broken)
    assert outcome.wrong == ["upload: ReadError"] and outcome.statuses["upload"] == {0: 1}


def test_no_two_pictures_are_alike() -> None:
    assert len({picture(number) for number in range(50)}) == 50
