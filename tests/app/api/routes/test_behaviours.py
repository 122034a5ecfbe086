"""Samples by behaviour through the API: pages and filters, several data sets, own samples, limits."""

from pathlib import Path
from typing import Any

import httpx
import pytest

from routescope import zoo
from tests.app.api.follow import ended, start
from tests.app.api.test_owners import bring, browser
from tests.app.serving import (
    BLOCKS,
    MODEL,
    STATEMENTS,
    drawing,
    is_problem,
    png,
    running,
    serving,
    settings,
    upload,
)

pytestmark = pytest.mark.asyncio(loop_scope="module")

REQUEST: dict[str, Any] = {"model": MODEL, "data": ["mnist"], "samples": 40}
PLACE = "/api/v1/behaviours"


async def ordered(client: httpx.AsyncClient, query: dict[str, Any] | None = None, **request: Any) -> dict[str, Any]:
    """A page of what a search found."""
    job = await ended(client, await start(client, "behaviours", {**REQUEST, **request}))
    assert job["state"] == "done", job
    answer = await client.get(job["result"], params=query or {})
    assert answer.status_code == 200, answer.text
    found: dict[str, Any] = answer.json()
    return found


def values_of(found: dict[str, Any]) -> list[float]:
    return [item["value"] for item in found["items"]]


async def test_pages_and_filters(client: httpx.AsyncClient) -> None:
    whole = await ordered(client, {"limit": 200}, order="heads")
    assert whole["total"] == whole["count"] == 40
    assert all(item["sample"]["id"] == item["id"] and item["sample"]["prediction"] for item in whole["items"])
    assert all(item["table"] is None for item in whole["items"])
    ids = [item["id"] for item in whole["items"]]
    page = await ordered(client, {"limit": 5, "offset": 3}, order="heads")
    assert [item["id"] for item in page["items"]] == ids[3:8] and page["total"] == 40
    labels = {item["id"]: item["sample"]["label"] for item in whole["items"]}
    some = await ordered(client, {"label": labels[ids[0]]}, order="heads")
    assert [item["id"] for item in some["items"]] == [each for each in ids if labels[each] == labels[ids[0]]]
    wrong, right = [await ordered(client, {"wrong": flag}, order="heads") for flag in (True, False)]
    assert wrong["total"] + right["total"] == 40
    assert all(each["sample"]["prediction"]["label"] != each["sample"]["label"] for each in wrong["items"])
    one = await ordered(client, {"find": "mnist.validation.17"}, order="heads")
    assert [item["id"] for item in one["items"]] == ["mnist.validation.17"]


async def test_several_sets_statements_and_blocks(client: httpx.AsyncClient) -> None:
    several = await ordered(client, {"limit": 200}, data=[], samples=45, order="heads")
    assert {item["id"].partition(".")[0] for item in several["items"]} == {"mnist", "mnist-m", "street-digits"}
    assert [each["stand_in"] for each in several["data"]] == [False, True, True]
    for model, data in ((STATEMENTS, "scenes"), (BLOCKS, "algo")):
        unit = zoo.load(model).units[0]
        asked = {"model": model, "data": [data], "samples": 6}
        found = await ordered(client, {"rows": 2}, **asked, order="rerouted", intervention={"drop": [unit]})
        assert len(found["items"]) == 6 and all(item["sample"] is None for item in found["items"])
        for item in found["items"]:
            table = (await client.get(f"/api/v1/tables/{item['id']}")).json()
            assert item["table"] == {name: table[name] for name in item["table"]} | {"rows": table["rows"][:2]}
        near = await ordered(client, **asked, order="nearest", to=f"{data}.validation.2")
        assert (
            near["to"] == f"{data}.validation.2"
            and near["total"] == 5
            and all(0 <= value <= 1 for value in values_of(near))
        )


async def test_a_search_has_limits(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("routescope_app.services.measuring.behaviours.MAX_SEARCHED", 30)
    monkeypatch.setattr("routescope_app.services.measuring.behaviours.MAX_UPLOADED", 2)
    async with serving(settings(tmp_path)) as client:
        refused = await client.post(PLACE, json={**REQUEST, "order": "heads"})
        assert "Up to 30 samples" in is_problem(refused, 422)["detail"]
        for shade in (40, 120, 200):
            await upload(client, png(colour=(shade, 0, 0)))
        found = (await client.post(f"{PLACE}/own", json={"model": MODEL, "order": "heads"})).json()
        assert (found["count"], found["total"]) == (2, 2)


async def test_own_samples_are_ordered_for_those_who_may_see_them(tmp_path: Path) -> None:
    async with running(settings(tmp_path, role="all")) as app, browser(app) as one, browser(app) as other:
        drawn = await upload(one, drawing(), name="b.png", origin="drawing")
        mine = [await bring(one, "a house"), drawn.json()["id"]]
        await bring(other, "theirs")
        body = {"model": MODEL, "order": "rerouted", "intervention": {"drop": ["f2"]}}
        found = (await one.post(f"{PLACE}/own", json=body)).json()
        assert {item["id"] for item in found["items"]} == set(mine) and found["id"] is None
        assert values_of(found) == sorted(values_of(found), reverse=True)
        assert found["items"][0]["sample"]["owner"] == "you"
        near = (await one.post(f"{PLACE}/own", json={"model": MODEL, "order": "nearest", "to": mine[0]})).json()
        assert [item["id"] for item in near["items"]] == mine[1:] and near["to"] is None
        named = await one.post(f"{PLACE}/own", json=body, params={"find": "house"})
        assert [item["id"] for item in named.json()["items"]] == mine[:1]
        # The job of a search for what is near to it is in everybody's list, which does not say the sample's id.
        job = await start(one, "behaviours", {**REQUEST, "order": "nearest", "to": mine[0]})
        await ended(one, job)
        for client, whole in ((one, True), (other, False)):
            listed = (await client.get("/api/v1/jobs")).text
            assert '"kind":"behaviour"' in listed and mine[0] not in listed
            assert (job["id"] in listed) == whole
        result = await one.get(f"{PLACE}/{job['id']}")
        assert mine[0] not in result.text and result.json()["total"] == 40
        await one.delete(f"/api/v1/samples/{mine[0]}")
        gone = await one.post(PLACE, json={**REQUEST, "order": "nearest", "to": mine[0]})
        assert "no such sample" in is_problem(gone, 404)["detail"]


async def test_samples_are_found_by_what_they_are(client: httpx.AsyncClient) -> None:
    first = (await upload(client, name="Größe Sieben.png", label="7")).json()
    second = (await upload(client, drawing(), name="b.png", origin="drawing")).json()

    async def find(text: str, **query: Any) -> list[str]:
        answer = await client.get("/api/v1/samples", params={"find": text, "limit": 200, **query})
        return [item["id"] for item in answer.json()["items"]]

    assert await find("GRÖSSE") == [first["id"]]
    assert (await find("sieben"))[0] == first["id"] and second["id"] not in await find("sieben")
    assert (await find("seven"))[0] == first["id"] and (await find("label 7", origin="upload")) == [first["id"]]
    assert await find(second["id"][:12]) == [second["id"]] and await find("drawing") == [second["id"]]
    sevens = await find("mnist label seven", set="mnist")
    assert sevens and sevens == await find("mnist 7", set="mnist")
    assert {(await client.get(f"/api/v1/samples/{each}")).json()["label"] for each in sevens[:5]} == {7}
    assert await find("mnist.validation.17") == ["mnist.validation.17", *(f"mnist.validation.17{n}" for n in range(10))]
    assert {each.partition(".")[0] for each in await find("street")} == {"street-digits"}
    assert await find("street 17") == ["street-digits.validation.17"]
    assert await find("nothing-is-called-so") == []
    query = {"set": "algo", "find": "algo.validation.3", "limit": 5}
    assert (await client.get("/api/v1/tables", params=query)).json()["items"][0]["id"] == "algo.validation.3"
