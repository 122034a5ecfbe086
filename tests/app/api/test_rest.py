"""Models, data, health, the documentation, unknown addresses."""

import re

import httpx
import pytest

from routescope import __version__, zoo
from routescope.data import known_datasets
from routescope.data.blocks.tasks import TASKS
from tests.app.serving import MODEL, is_problem

pytestmark = pytest.mark.asyncio(loop_scope="module")


async def test_health(client: httpx.AsyncClient) -> None:
    body = (await client.get("/api/v1/health")).json()
    assert body == {"status": "ok", "version": __version__, "device": body["device"], "models": zoo.ids()}
    assert body["device"].endswith("float32")


async def test_models(client: httpx.AsyncClient) -> None:
    items = (await client.get("/api/v1/models")).json()["items"]
    assert [item["id"] for item in items] == zoo.ids()
    (tiny,) = [item for item in items if item["id"] == MODEL]
    info = zoo.info(MODEL)
    assert (tiny["parameters"], tiny["units"], tiny["fields"]) == (info.parameters, list(info.units), list(info.fields))
    detail = (await client.get(f"/api/v1/models/{MODEL}")).json()
    assert tiny.items() <= detail.items() and detail["config"]["features"] == 16
    response = await client.delete("/api/v1/models")
    is_problem(response, 405)
    assert "GET" in response.headers["allow"]


async def test_data(client: httpx.AsyncClient) -> None:
    items = (await client.get("/api/v1/data")).json()["items"]
    known = known_datasets()
    assert [item["name"] for item in items][:7] == ["mnist", "mnist-m", "street-digits", "scenes", *TASKS][:7]
    listed = {item["name"]: item["inputs"] for item in items}
    assert listed.items() <= {name: data.inputs for name, data in known.items()}.items() and len(listed) == len(items)
    assert set(listed.values()) == {data.inputs for data in known.values()}
    for kind in set(listed.values()):
        own = (await client.get("/api/v1/data", params={"inputs": kind})).json()["items"]
        assert own == [item for item in items if item["inputs"] == kind]
    assert all(item["licence"] for item in items)
    assert all(item["stand_in_for"] for item in items if item["stand_in"])


@pytest.mark.parametrize("path", ["/api", "/api/", "/api/v1", "/api/v1/nothing", "/api/v2/models", "/api/v1/samples/"])
async def test_unknown_addresses_are_problems(client: httpx.AsyncClient, path: str) -> None:
    for method in ("GET", "POST", "DELETE"):
        is_problem(await client.request(method, path), 404)


async def test_the_documentation_fetches_nothing_from_elsewhere(client: httpx.AsyncClient) -> None:
    assert (await client.get("/")).headers["location"] == "/api/docs"
    page = await client.get("/api/docs")
    assert page.status_code == 200
    addresses = re.findall(r'(?:src|href)="([^"]+)"', page.text)
    assert len(addresses) >= 4 and not any("//" in address for address in addresses)
    for address in addresses:
        if address.startswith("/"):
            assert (await client.get(address)).status_code == 200, address
    assert "<script>" not in page.text  # none inline: the policy allows files only
    assert "script-src 'self';" in page.headers["content-security-policy"]


async def test_the_schema_is_complete(client: httpx.AsyncClient) -> None:
    schema = (await client.get("/api/openapi.json")).json()
    assert {"/api/v1/health", "/api/v1/models", "/api/v1/samples", "/api/v1/traces"} <= set(schema["paths"])
    for path, operations in schema["paths"].items():
        for method, operation in operations.items():
            assert "default" in operation["responses"], (method, path)
            assert operation.get("description"), (method, path)
