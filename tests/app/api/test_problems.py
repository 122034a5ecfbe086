"""What problems say: fields as they were sent, no names of ours, and nothing endless."""

import json
from typing import Any

import httpx
import pytest

from routescope_app.services.errors import NotAccepted
from tests.app.serving import BLOCKS, MODEL, STATEMENTS, is_problem

NAME = "q" * 4_000
TRACE: dict[str, Any] = {"model": MODEL, "sample": "mnist.validation.1"}


@pytest.mark.parametrize(
    ("path", "body", "where"),
    [
        ("/traces", [], "body"),
        ("/traces", TRACE | {"intervention": 3}, "body.intervention"),
        ("/traces", TRACE | {"intervention": {"drop": {}}}, "body.intervention.drop"),
        ("/traces", TRACE | {"fields": [1]}, "body.fields.0"),
        (f"/models/{STATEMENTS}/answers", {"sentences": ["a"], "pictures": None}, "body.pictures"),
        (f"/models/{BLOCKS}/block-runs", {"input": None}, "body.input"),
        (f"/models/{BLOCKS}/block-runs", {"input": {"digits": "x"}}, "body.input"),
    ],
)
@pytest.mark.asyncio(loop_scope="module")
async def test_no_names_of_ours(shared: httpx.AsyncClient, path: str, body: object, where: str) -> None:
    problem = is_problem(await shared.post(f"/api/v1{path}", json=body), 422)
    assert where in {item["where"][: len(where)] for item in problem["errors"]}
    for item in problem["errors"]:
        assert item["where"] == item["where"].lower() and "[" not in item["where"]
    message = json.dumps(problem)
    for word in ("dictionary", "extract fields", "instance of", "OfStatement", "DigitInput", "tuple", "NoneType"):
        assert word not in message, message


@pytest.mark.parametrize(
    ("method", "path", "options"),
    [
        ("POST", "/traces", {"json": TRACE | {"intervention": {"drop": [NAME]}}}),
        ("POST", "/traces", {"json": TRACE | {NAME: 1}}),
        ("GET", f"/models/{NAME}", {}),
        ("GET", f"/samples/{NAME}", {}),
        ("GET", f"/{NAME}", {}),
        ("POST", "/samples/written", {"json": {"inputs": "numbers", "content": NAME}}),
        ("POST", "/samples/files", {"files": {"file": (NAME + ".xyz", b"1 2 3")}, "data": {"inputs": "points"}}),
        ("POST", "/logs", {"content": json.dumps({NAME: 1}).encode()}),
        ("POST", "/logs", {"content": f"layer,expert\n{NAME},1\n".encode()}),
        ("POST", "/logs", {"content": b"junk", "params": {"name": NAME}}),
    ],
)
@pytest.mark.asyncio(loop_scope="module")
async def test_names_of_four_kilobytes_are_shortened(
    shared: httpx.AsyncClient, method: str, path: str, options: dict[str, Any]
) -> None:
    if "content" in options:
        options = options | {"headers": {"Content-Type": "application/octet-stream"}}
    answer = await shared.request(method, f"/api/v1{path}", **options)
    is_problem(answer, answer.status_code)
    assert answer.status_code in {404, 422} and NAME[:200] not in answer.text and len(answer.text) < 1_500


def test_a_refusal_is_never_endless() -> None:
    assert NotAccepted(f"It has {NAME}, which is nothing.").detail == f"It has {'q' * 119}\u2026 which is nothing."
    assert NotAccepted("ab " + NAME + " is nothing.").detail == f"ab {'q' * 119}\u2026 is nothing."
    assert len(NotAccepted("word " * 1_000).detail) == 1_200
    assert NotAccepted("What fits stays.").detail == "What fits stays."
