"""Sets of units by a short id: kept once, used wherever units are named, and gone when there are too many."""

from pathlib import Path

import httpx
import pytest

from routescope_app.settings import DISK_SHARES
from tests.app.serving import is_problem, serving, settings

pytestmark = pytest.mark.asyncio(loop_scope="module")

EXPERTS = "moe-bytes"
SETS = "/api/v1/unit-sets"


async def kept(client: httpx.AsyncClient, units: list[str], headers: dict[str, str] | None = None) -> str:
    answer = await client.post(SETS, json={"units": units}, headers=headers)
    assert answer.status_code == 201, answer.text
    assert answer.headers["Location"] == f"{SETS}/{answer.json()['id']}"
    return str(answer.json()["name"])


async def test_the_same_units_have_one_id_and_are_read_back(client: httpx.AsyncClient) -> None:
    name = await kept(client, ["l2.e3", "l1.e1"])
    assert name.startswith("set:") and await kept(client, ["l1.e1", "l2.e3", "l1.e1"]) == name
    assert await kept(client, ["l1.e1"]) != name
    body = (await client.get(f"{SETS}/{name.removeprefix('set:')}")).json()
    assert body == {"id": name.removeprefix("set:"), "name": name, "units": ["l1.e1", "l2.e3"]}


async def test_a_set_and_a_rule_drop_what_they_stand_for_wherever_units_are_named(client: httpx.AsyncClient) -> None:
    named = ["l1.e2", "l3.e5"]
    name = await kept(client, named)
    units = f"/api/v1/models/{EXPERTS}/units"
    assert (await client.get(units, params={"rule": f"{name},l2.e1"})).json()["units"] == ["l1.e2", "l2.e1", "l3.e5"]
    asked = {"model": EXPERTS, "sample": "sums.validation.1", "fields": ["top_experts"]}
    plain = (await client.post("/api/v1/traces", json=asked | {"intervention": {"drop": named}})).json()
    by_set = (await client.post("/api/v1/traces", json=asked | {"intervention": {"drop": [name]}})).json()
    assert by_set["id"] == plain["id"] and by_set["intervention"]["drop"] == named
    least = (await client.get(units, params={"rule": "l3.least:2"})).json()["units"]
    ruled = (await client.post("/api/v1/traces", json=asked | {"intervention": {"drop": ["l3.least:2"]}})).json()
    assert len(least) == 2 and ruled["intervention"]["drop"] == least
    measured = {"model": EXPERTS, "data": ["sums"], "samples": 4, "controls": 0, "intervention": {"drop": [name]}}
    assert (await client.post("/api/v1/evaluations", json=measured)).json()["intervention"]["drop"] == named


async def test_a_read_only_service_holds_sets_in_memory_and_writes_none(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """By the rules of those in the database: a client loses its own oldest, never another's."""
    one, other = ({"Cookie": f"routescope_browser={digit * 32}"} for digit in "ab")
    many = [f"l{layer}.e{expert}" for layer in range(1, 5) for expert in range(1, 401)]
    async with serving(settings(tmp_path)) as client:
        before = await kept(client, ["l1.e1"])
    monkeypatch.setitem(DISK_SHARES, "unit-sets", 36_000)
    async with serving(settings(tmp_path, read_only=True)) as client:
        name = await kept(client, many, one)
        for stored, units in ((before, ["l1.e1"]), (name, sorted(many))):
            assert (await client.get(f"{SETS}/{stored.removeprefix('set:')}")).json()["units"] == units
        named = ["l1.e2", "l3.e5"]
        drop = {"drop": [await kept(client, named)]}
        asked = {"model": EXPERTS, "data": ["sums"], "samples": 4, "controls": 0, "intervention": drop}
        assert (await client.post("/api/v1/evaluations", json=asked)).json()["intervention"]["drop"] == named
        sent = [await kept(client, [f"l{layer}.e{expert}" for expert in range(1, 1501)], other) for layer in range(5)]
        answers = [await client.get(f"{SETS}/{stored.removeprefix('set:')}") for stored in (name, before, *sent)]
        assert [answer.status_code for answer in answers] == [200, 200, 404, 404, 404, 200, 200]
        too_large = [f"layer{layer}.expert{layer * expert}" for layer in range(1, 11) for expert in range(1, 1501)]
        is_problem(await client.post(SETS, json={"units": too_large}), 413)
    async with serving(settings(tmp_path)) as client:
        assert (await client.get(f"{SETS}/{before.removeprefix('set:')}")).json()["units"] == ["l1.e1"]
        is_problem(await client.get(f"{SETS}/{name.removeprefix('set:')}"), 404)
