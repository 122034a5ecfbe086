"""What people may ask of networks of blocks: too much, not numbers, not there; in bodies and in addresses."""

import itertools
import json
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
from tests.app.serving import BLOCKS, BLOCKS_ONCE, BLOCKS_PICTURES, HIDDEN, MODEL, is_problem

PLACE = f"/api/v1/models/{BLOCKS}/block-runs"
DIGITS = {"digits": [3, 1, 4, 1, 5], "program": [0, 3]}
STREAM = "/api/v1/evaluations/stream"


async def refused(client: httpx.AsyncClient, status: int = 422, **body: Any) -> dict[str, Any]:
    return is_problem(await client.post(PLACE, json={"input": DIGITS, **body}), status)


async def test_a_million(client: httpx.AsyncClient) -> None:
    much = [1] * 1_000_000
    await refused(client, 413, input={"digits": much, "program": [0]})
    await refused(client, 413, intervention={"mute_routes": ["A>1.1"] * 1_000_000})
    for many in (100, 50_000):
        await refused(client, input={"digits": [1] * many, "program": [0]})
        await refused(client, input={"digits": [1] * 5, "program": [0] * many})
    detail = (await refused(client, intervention={"mute_routes": ["A>1.1"] * 257}))["detail"]
    assert "256" in detail
    await refused(client, intervention={"copy_routes": ["A>1.1"] * 2_000})
    await refused(client, intervention={"gates": {str(at): 0.5 for at in range(2_000)}})
    await refused(client, intervention={"mute_routes": ["A>" + "x" * 100_000]})


NO_GATES = ("NaN", "Infinity", "-Infinity", "1e999", "-0.01", "1.01", '"0.5"', "true", "null")
NO_DIGITS = ("-1", "10", "1e999", "NaN", "1.5", "true", '"1"', "null", "[1]", "99999999999999999999")
NO_ROUTES = (
    "", ">", "A>", ">1.1", "A>1.1>E", "A", "A=>1.1", "../A>1.1", "A>1.1\n", "A>1.1\u202e", "<script>>1.1", "A>1.1\x00",
    "a>1.1",
)  # fmt: skip
ODD_GATES = (
    "1.1", "1.1:", ":1", "1.1:x", "1.1:2", "1.1:-1", "1.1:nan", "1.1:inf", "1.1:0,1.1:1", "9.9:0", "1.1:1e999",
)  # fmt: skip


@pytest.mark.asyncio(loop_scope="module")
async def test_odd_numbers_and_routes_are_refused(shared: httpx.AsyncClient) -> None:
    gates = json.dumps({"input": DIGITS, "intervention": {"gates": {"1.1": "X"}}})
    sent = [(PLACE, gates.replace('"X"', number)) for number in NO_GATES]
    sent += [("/api/v1/evaluations", body.replace('"input"', '"model": "x", "input"')) for _, body in sent]
    for name in ("digits", "program"):
        body = json.dumps({"input": {**DIGITS, name: [1, 2, 3, 4, "X"]}})
        sent += [(PLACE, body.replace('"X"', number)) for number in NO_DIGITS]
    for spot, body in sent:
        answer = await shared.post(spot, content=body, headers={"Content-Type": "application/json"})
        assert answer.status_code in {400, 422}, (body, answer.text)
        is_problem(answer, answer.status_code)
    for kind, route in itertools.product(("mute_routes", "copy_routes"), NO_ROUTES):
        await refused(shared, intervention={kind: [route]})
        if "\x00" not in route and route:
            answer = await shared.get(STREAM, params={"model": BLOCKS, "samples": 5, kind: route})
            assert answer.status_code == 422 or "event: problem" in answer.text, answer.text
    for text in ODD_GATES:
        answer = await shared.get(STREAM, params={"model": BLOCKS, "samples": 5, "gates": text})
        assert "event: problem" in answer.text and '"status":422' in answer.text.replace(" ", ""), text


async def test_steered_evaluations(client: httpx.AsyncClient) -> None:
    """By an address as by a body. A draw that drops the source of a copy is not possible: there is no control then."""
    query = {"mute_routes": "A>1.1,B>1.1", "copy_routes": "C>1.2", "gates": "1.3:0.5,E:1", "samples": 40}
    streamed = (await client.get(STREAM, params={"model": BLOCKS, **query})).text
    last = json.loads(streamed.strip().rsplit("data: ", 1)[1])
    change = {"mute_routes": ["A>1.1", "B>1.1"], "copy_routes": ["C>1.2"], "gates": {"1.3": 0.5, "E": 1}}
    whole = await evaluated(client, samples=40, intervention=change)
    assert whole["cached"] and whole["state"] == "done" and whole["id"] == last["id"]
    assert {key: whole["intervention"][key] for key in change} == change
    assert whole["accuracy"] == last["accuracy"] and whole["control"] is None
    control = (await evaluated(client, samples=20, controls=5, intervention={"drop": ["1.1"]}))["control"]
    assert control["exact"] and len(control["sets"]) == len(HIDDEN)
    for iterations in (0, 2):
        await evaluated(client, 422, model=BLOCKS_ONCE, intervention={"iterations": iterations})
    for kind in ("mean", "resample"):
        assert "dropped" in (await evaluated(client, 422, intervention={kind: ["1.1"]}))["detail"]
        is_problem(await client.post("/api/v1/importances", json={"model": BLOCKS, "samples": 9, "kind": kind}), 422)
    await evaluated(client, 422, model=MODEL, intervention={"mute_routes": ["A>1.1"]})


async def evaluated(client: httpx.AsyncClient, status: int = 200, **asked: Any) -> dict[str, Any]:
    answer = await client.post("/api/v1/evaluations", json={"model": BLOCKS, "samples": 9} | asked)
    if status != 200:
        return is_problem(answer, status)
    body: dict[str, Any] = answer.json()
    return body


NAME = st.sampled_from(["A", "E", "task", "1.1", "1.2", "1.3", "2.1", "", ">", "1.10", "é"])
ROUTE = st.builds("{}>{}".format, NAME, NAME) | st.text(max_size=5)


@hypothesis_settings(max_examples=100, deadline=None, derandomize=True, suppress_health_check=list(HealthCheck))
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


@hypothesis_settings(max_examples=100, deadline=None, derandomize=True, suppress_health_check=list(HealthCheck))
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
