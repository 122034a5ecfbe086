"""The profile ``cluster`` of ``docker-compose.yml``: its very commands, and an API that computes on them."""

import re
from collections.abc import Iterator
from typing import Any

import httpx
import pytest

from tests.deploy.stack import SECRETS, Stack, compose, running

ALL: dict[str, Any] = compose()["services"]
#: As the comment in the file says to set it.
TOLD = {"ROUTESCOPE_RAY_ADDRESS": "ray://ray-head:10001", "ROUTESCOPE_RAY_ACTORS": 1, "ROUTESCOPE_TORCH_THREADS": 1}


@pytest.fixture(scope="module")
def stack() -> Iterator[Stack]:
    """Head, node, database, and the API once all of them are there: nobody here starts it again, as an engine does."""
    api = ALL["api"] | {
        "environment": ALL["api"]["environment"] | TOLD,
        "depends_on": ["postgres", "ray-worker"],
    }
    services = {name: ALL[name] for name in ("ray-head", "ray-worker", "postgres")} | {"api": api}
    with running(services) as made:
        yield made


def test_the_api_computes_on_the_nodes(stack: Stack) -> None:
    headers = {"Authorization": f"Bearer {SECRETS['routescope_token']}"}
    asked = {"model": "ni-digits", "data": ["mnist"], "samples": 64, "controls": 0, "intervention": {"drop": ["f1"]}}
    with httpx.Client(base_url=stack.url("api"), headers=headers, timeout=120) as client:
        answer = client.post("/api/v1/evaluations", json=asked)
        assert answer.status_code == 200 and answer.json()["state"] == "done", answer.text
        figures = client.get("/metrics").raise_for_status().text
    reported = dict(re.findall(r'routescope_cluster{kind="(\w+)"} ([0-9.]+)', figures))
    assert reported["actors"] == "1.0" and float(reported["tasks"]) >= 2, "and not by itself"
