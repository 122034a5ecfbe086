"""What people may ask of networks of blocks: too much, not numbers, not there; in bodies and in addresses."""

import asyncio
import json
from pathlib import Path
from typing import Any

import httpx
import pytest
from hypothesis import HealthCheck, given
from hypothesis import settings as hypothesis_settings
from hypothesis import strategies as st

from routescope import zoo
from routescope.routing import Intervention, InterventionError
from routescope_app.api.queries import gates_of
from routescope_app.services.errors import NotAccepted
from routescope_app.services.interventions import accepted
from routescope_app.settings import MEMORY_SHARES
from tests.app.serving import BLOCKS, BLOCKS_ONCE, BLOCKS_PICTURES, HIDDEN, MODEL, is_problem, serving, settings

PLACE = f"/api/v1/models/{BLOCKS}/block-runs"
DIGITS = {"digits": [3, 1, 4, 1, 5], "program": [0, 3]}
STREAM = "/api/v1/evaluations/stream"


async def refused(client: httpx.AsyncClient, status: int = 422, **body: Any) -> dict[str, Any]:
    return is_problem(await client.post(PLACE, json={"input": DIGITS, **body}), status)


async def test_a_million(client: httpx.AsyncClient) -> None:
    for much in ([1] * 1_000_000, [0] * 1_000_000):
        await refused(client, 413, input={"digits": much, "program": [0]})
        await refused(client, 413, input={"digits": [1] * 5, "program": much})
    await refused(client, 413, intervention={"mute_routes": ["A>1.1"] * 1_000_000})
    await refused(client, 413, intervention={"gates": {str(at): 0.5 for at in range(1_000_000)}})
    for many in (100, 50_000):
        await refused(client, input={"digits": [1] * many, "program": [0]})
        await refused(client, input={"digits": [1] * 5, "program": [0] * many})
    detail = (await refused(client, intervention={"mute_routes": ["A>1.1"] * 257}))["detail"]
    assert "256" in detail
    await refused(client, intervention={"copy_routes": ["A>1.1"] * 2_000})
    await refused(client, intervention={"gates": {str(at): 0.5 for at in range(2_000)}})
    await refused(client, intervention={"mute_routes": ["A>" + "x" * 100_000]})


@pytest.mark.asyncio(loop_scope="module")
@pytest.mark.parametrize("number", ["NaN", "Infinity", "-Infinity", "1e999", "-0.01", "1.01", '"0.5"', "true", "null"])
async def test_gates_are_numbers_from_0_to_1(shared: httpx.AsyncClient, number: str) -> None:
    body = json.dumps({"input": DIGITS, "intervention": {"gates": {"1.1": "GATE"}}}).replace('"GATE"', number)
    for spot, changed in (
        (PLACE, body),
        ("/api/v1/evaluations", body.replace('"input"', '"model": "x", "input"')),
    ):
        answer = await shared.post(spot, content=changed, headers={"Content-Type": "application/json"})
        assert answer.status_code in {400, 422}
        is_problem(answer, answer.status_code)


@pytest.mark.asyncio(loop_scope="module")
@pytest.mark.parametrize(
    "number", ["-1", "10", "1e999", "NaN", "1.5", "true", '"1"', "null", "[1]", "99999999999999999999"]
)
async def test_digits_and_subtasks_are_whole_numbers(shared: httpx.AsyncClient, number: str) -> None:
    for name in ("digits", "program"):
        body = json.dumps({"input": {**DIGITS, name: [1, 2, 3, 4, "X"]}}).replace('"X"', number)
        answer = await shared.post(PLACE, content=body, headers={"Content-Type": "application/json"})
        assert answer.status_code in {400, 422}, (name, answer.text)
        is_problem(answer, answer.status_code)


@pytest.mark.asyncio(loop_scope="module")
@pytest.mark.parametrize(
    "route",
    [
        "",
        ">",
        "A>",
        ">1.1",
        "A>1.1>E",
        "A",
        "A=>1.1",
        "../A>1.1",
        "A>1.1\n",
        "A>1.1\u202e",
        "<script>>1.1",
        "A>1.1\x00",
        "a>1.1",
    ],
)
async def test_odd_routes(shared: httpx.AsyncClient, route: str) -> None:
    for kind in ("mute_routes", "copy_routes"):
        await refused(shared, intervention={kind: [route]})
        if "\x00" not in route and route:
            answer = await shared.get(STREAM, params={"model": BLOCKS, "samples": 5, kind: route})
            assert answer.status_code == 422 or "event: problem" in answer.text, answer.text


@pytest.mark.asyncio(loop_scope="module")
@pytest.mark.parametrize(
    "text", ["1.1", "1.1:", ":1", "1.1:x", "1.1:2", "1.1:-1", "1.1:nan", "1.1:inf", "1.1:0,1.1:1", "9.9:0", "1.1:1e999"]
)
async def test_odd_gates_of_an_address(shared: httpx.AsyncClient, text: str) -> None:
    answer = await shared.get(STREAM, params={"model": BLOCKS, "samples": 5, "gates": text})
    assert "event: problem" in answer.text and '"status":422' in answer.text.replace(" ", "")


async def test_steered_evaluations(client: httpx.AsyncClient) -> None:
    """By an address as by a body, and of tasks with one iteration as of others."""
    query = {"mute_routes": "A>1.1,B>1.1", "copy_routes": "C>1.2", "gates": "1.3:0.5,E:1", "samples": 40}
    streamed = (await client.get(STREAM, params={"model": BLOCKS, **query})).text
    last = json.loads(streamed.strip().rsplit("data: ", 1)[1])
    change = {"mute_routes": ["A>1.1", "B>1.1"], "copy_routes": ["C>1.2"], "gates": {"1.3": 0.5, "E": 1}}
    body = {"model": BLOCKS, "samples": 40, "intervention": change}
    whole = (await client.post("/api/v1/evaluations", json=body)).json()
    assert whole["cached"] and whole["state"] == "done" and whole["id"] == last["id"]
    assert {key: whole["intervention"][key] for key in change} == change
    assert whole["accuracy"] == last["accuracy"] and whole["control"] is None
    for model, iterations, status in ((BLOCKS_ONCE, 0, 422), (BLOCKS_ONCE, 2, 422), (BLOCKS, 0, 200), (BLOCKS, 5, 200)):
        asked = {"model": model, "samples": 9, "controls": 2, "intervention": {"iterations": iterations}}
        answer = await client.post("/api/v1/evaluations", json=asked)
        assert answer.status_code == status, answer.text
    for kind in ("mean", "resample"):
        asked = {"model": BLOCKS, "samples": 9, "intervention": {kind: ["1.1"]}}
        assert "dropped" in is_problem(await client.post("/api/v1/evaluations", json=asked), 422)["detail"]
        job = {"model": BLOCKS, "samples": 9, "kind": kind}
        is_problem(await client.post("/api/v1/importances", json=job), 422)
    routed = {"model": MODEL, "samples": 9, "intervention": {"mute_routes": ["A>1.1"]}}
    is_problem(await client.post("/api/v1/evaluations", json=routed), 422)


async def test_controls_of_what_drops_and_steers(client: httpx.AsyncClient) -> None:
    """A draw that drops the source of a copy would not be possible: such interventions have no control."""
    change = {"drop": ["1.1"], "gates": {"E": 0.5}, "mute_routes": ["1.2>E"]}
    body = {"model": BLOCKS, "samples": 20, "controls": 5, "intervention": change}
    assert (await client.post("/api/v1/evaluations", json=body)).json()["control"] is None
    body["intervention"] = {"drop": ["1.1"]}
    control = (await client.post("/api/v1/evaluations", json=body)).json()["control"]
    assert control["exact"] and len(control["sets"]) == len(HIDDEN)


async def test_many_at_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Beyond what the queue takes the answer is to come back later, and afterwards all is as before."""
    monkeypatch.setattr("routescope_app.services.engine.inference.MAX_COST", 1)
    monkeypatch.setitem(MEMORY_SHARES, "block-runs", 0)
    async with serving(settings(tmp_path, queue_seconds=0)) as client:
        bodies = [{"input": {**DIGITS, "digits": [at % 10] * 5}, "iterations": 1 + at % 5} for at in range(60)]
        answers = await asyncio.gather(*(client.post(PLACE, json=body) for body in bodies))
        assert {answer.status_code for answer in answers} == {200, 503}
        for answer in answers:
            if answer.status_code == 503:
                assert "Retry-After" in answer.headers and is_problem(answer, 503)["retryable"]
        assert (await client.post(PLACE, json=bodies[0])).status_code == 200
        assert client._transport.app.state.services.inference._turns.inside == 0  # type: ignore[attr-defined]


NAME = st.sampled_from(["A", "E", "task", "1.1", "1.2", "1.3", "2.1", "", ">", "1.10", "é"])
ROUTE = st.builds("{}>{}".format, NAME, NAME) | st.text(max_size=5)


@hypothesis_settings(max_examples=300, deadline=None, derandomize=True, suppress_health_check=list(HealthCheck))
@given(
    st.fixed_dictionaries(
        {},
        optional={
            "mute_routes": st.lists(ROUTE, max_size=6),
            "copy_routes": st.lists(ROUTE, max_size=3),
            "gates": st.dictionaries(NAME, st.floats(0, 1), max_size=3),
            "drop": st.lists(NAME, max_size=3),
            "iterations": st.none() | st.integers(0, 70),
        },
    )
)
def test_what_is_accepted_is_possible(fields: dict[str, Any]) -> None:
    """Every intervention that is taken gives a view; every other one is refused in words."""
    model = zoo.load(BLOCKS)
    try:
        intervention = accepted(model, fields)
    except NotAccepted as refusal:
        assert refusal.detail.endswith(".")
        return
    view = intervention.apply(model)
    assert view(model.example(1), iterations=intervention.iterations).isfinite().all()
    assert Intervention.from_json(intervention.to_json()) == intervention


@hypothesis_settings(max_examples=300, deadline=None, derandomize=True, suppress_health_check=list(HealthCheck))
@given(st.text(max_size=20) | st.text("1.:,E0e-naif ", max_size=12))
def test_gates_of_any_text(text: str) -> None:
    try:
        gates = Intervention(gates=gates_of(text)).gates
    except (NotAccepted, InterventionError):
        return
    assert all("," not in block and 0 <= gate <= 1 for block, gate in gates)


async def test_pictures_that_are_none(client: httpx.AsyncClient) -> None:
    location = f"/api/v1/models/{BLOCKS_PICTURES}/block-runs"
    for body in (
        {"sample": "mnist.validation.3", "permutation": -1},
        {"sample": "mnist.validation.3", "permutation": 10**30},
        {"sample": "mnist.validation.3", "permutation": 1.5},
        {"sample": "mnist.validation.3", "permutation": True},
        {"sample": ["mnist.validation.3"], "permutation": 0},
        {"sample": "mnist.validation.3", "permutation": 0, "digits": [1]},
        {},
    ):
        is_problem(await client.post(location, json={"input": body}), 422)
    for sample in ("mnist.validation.1000", "0" * 32, "nothing.validation.1"):
        is_problem(await client.post(location, json={"input": {"sample": sample, "permutation": 0}}), 404)
