"""``docker-compose.yml`` as it stands: what it opens, what it tells the services, and that they work together."""

import json
import re
from collections.abc import Iterator
from io import BytesIO
from pathlib import Path
from typing import Any

import httpx
import pytest
from PIL import Image

from app.settings import Settings
from tests.deploy.stack import ROOT, SECRETS, Stack, compose, database_rows, running

SERVICES: dict[str, Any] = compose()["services"]
#: What others talk to.
DOORS = ("api", "dashboard")
ROUTESCOPE = {name: service for name, service in SERVICES.items() if name != "postgres"}


def test_one_port_is_published_and_only_to_this_machine() -> None:
    published = {name: service["ports"] for name, service in SERVICES.items() if service.get("ports")}
    assert list(published) == ["dashboard"]
    (port,) = published["dashboard"]
    address, _, inside = port.rpartition(":")
    assert address.startswith("127.0.0.1:")
    assert inside == SERVICES["dashboard"]["environment"]["ROUTESCOPE_PORT"]
    assert all(service.get("network_mode") != "host" and not service.get("privileged") for service in SERVICES.values())


def test_secrets_have_no_default() -> None:
    text = (ROOT / "docker-compose.yml").read_text()
    for name in SECRETS:
        uses = re.findall(rf"\$\{{{name}([^}}]*)\}}", text)
        assert uses
        assert all(use.startswith(":?") for use in uses), f"{name} must be set by the person who deploys"


@pytest.mark.parametrize("name", ROUTESCOPE)
def test_every_variable_is_a_setting(name: str) -> None:
    settings = {f"ROUTESCOPE_{field.upper()}" for field in Settings.model_fields}
    assert set(SERVICES[name]["environment"]) <= settings


def test_api_and_dashboard_share_the_token() -> None:
    tokens = {name: service["environment"].get("ROUTESCOPE_TOKEN") for name, service in ROUTESCOPE.items()}
    assert tokens == dict.fromkeys(DOORS, SECRETS["ROUTESCOPE_TOKEN"]) | {"worker": None}


def test_a_worker_is_reached_by_nobody_and_shares_what_the_api_has() -> None:
    worker, api = (SERVICES[name]["environment"] for name in ("worker", "api"))
    assert worker["ROUTESCOPE_HOST"] == "127.0.0.1" and not SERVICES["worker"].get("ports")
    for name in ("ROUTESCOPE_DATABASE_URL", "ROUTESCOPE_DATA_DIR"):
        assert worker[name] == api[name]
    assert SERVICES["worker"]["volumes"] == SERVICES["api"]["volumes"]
    assert "container_name" not in SERVICES["worker"], "so that there can be several"


def test_the_gpu_override_changes_what_computes_only() -> None:
    override = compose("docker-compose.gpu.yml")["services"]
    assert list(override) == ["api", "worker"]
    for service in override.values():
        assert list(service) == ["deploy"]
        assert service["deploy"]["resources"]["reservations"]["devices"][0]["capabilities"] == ["gpu"]


def dockerfile() -> list[tuple[str, str]]:
    text = (ROOT / "Dockerfile").read_text().replace("\\\n", " ")
    lines = [line.strip() for line in text.splitlines() if line.strip() and not line.strip().startswith("#")]
    return [(line.partition(" ")[0], line.partition(" ")[2].strip()) for line in lines]


def test_the_image_runs_as_a_user_and_says_when_it_is_healthy() -> None:
    steps = dockerfile()
    users = [value for word, value in steps if word == "USER"]
    assert users, "no USER: it would run as root"
    assert users[-1] not in {"root", "0"}
    assert "HEALTHCHECK" in dict(steps)
    (check,) = [value for word, value in steps if word == "HEALTHCHECK"]
    command = json.loads(check.partition("CMD")[2])
    assert command == SERVICES["api"]["healthcheck"]["test"][1:]
    assert json.loads(dict(steps)["CMD"]) == SERVICES["api"]["command"]


def test_what_the_image_copies_is_there_and_not_ignored() -> None:
    ignored = (ROOT / ".dockerignore").read_text().splitlines()
    assert ignored[0] == "*"
    for word, value in dockerfile():
        if word == "COPY":
            for source in value.split()[:-1]:
                assert (ROOT / source).exists(), source
                assert f"!{source}" in ignored, source


@pytest.fixture(scope="module")
def stack() -> Iterator[Stack]:
    with running(SERVICES) as services:
        yield services


def digit() -> bytes:
    picture = Image.new("L", (28, 28))
    picture.paste(255, (13, 4, 16, 24))
    file = BytesIO()
    picture.save(file, "PNG")
    return file.getvalue()


def with_token() -> dict[str, str]:
    return {"Authorization": f"Bearer {SECRETS['ROUTESCOPE_TOKEN']}"}


def test_a_page_through_the_published_port(stack: Stack) -> None:
    page = httpx.get(stack.url("dashboard") + "/", headers=with_token(), timeout=30)
    assert page.status_code == 200
    assert "text/html" in page.headers["content-type"]
    assert "Routescope" in page.text


def test_the_published_port_reaches_the_api_and_its_database(stack: Stack) -> None:
    """A sample sent to the dashboard is stored by the API, in PostgreSQL, and its trace comes back the same way."""
    with httpx.Client(base_url=stack.url("dashboard"), headers=with_token(), timeout=60) as client:
        models = client.get("/api/v1/models").raise_for_status().json()["items"]
        assert "ni-digits" in [model["id"] for model in models]
        made = client.post("/api/v1/samples", files={"file": ("one.png", digit())}, data={"origin": "upload"})
        assert made.status_code == 201, made.text
        sample = made.json()["id"]
        traced = client.post(
            "/api/v1/traces", json={"model": "ni-digits", "sample": sample, "intervention": {"drop": ["f1"]}}
        )
        assert traced.status_code == 201, traced.text
        assert "f1" not in traced.json()["kept"]
    tables = [
        name
        for (name,) in database_rows(SERVICES, stack, "select tablename from pg_tables where schemaname = 'public'")
    ]
    (samples_table,) = [name for name in tables if name.startswith("sample")]
    stored = database_rows(SERVICES, stack, f"select id from {samples_table}")
    assert sample in [str(row[0]) for row in stored]


def test_a_worker_runs_what_the_dashboard_asks_for(stack: Stack) -> None:
    """Asked and followed through the published port, done by the worker, read from the folder that it shares."""
    with httpx.Client(base_url=stack.url("dashboard"), headers=with_token(), timeout=60) as client:
        asked = {"model": "ni-digits", "data": ["mnist"], "samples": 8}
        job = client.post("/api/v1/observations", json=asked).raise_for_status().json()
        events = client.get(f"/api/v1/jobs/{job['id']}/events").text
        (ended,) = [line for line in events.splitlines() if line.startswith("data: ")][-1:]
        assert json.loads(ended.removeprefix("data: "))["state"] == "done"
        assert client.get(f"/api/v1/observations/{job['id']}").json()["model"] == "ni-digits"
    query = f"select worker, attempts from jobs where id = '{job['id']}'"
    ((worker, attempts),) = database_rows(SERVICES, stack, query)
    assert worker.split("-")[-2] == str(stack.processes["worker"].pid) and attempts == 1


def test_both_doors_want_the_token(stack: Stack) -> None:
    for name in DOORS:
        assert httpx.get(stack.url(name) + "/api/v1/health", timeout=30).status_code == 200
        assert httpx.get(stack.url(name) + "/api/v1/models", timeout=30).status_code == 401
        wrong = {"Authorization": "Bearer wrong"}
        assert httpx.get(stack.url(name) + "/api/v1/models", headers=wrong, timeout=30).status_code == 401


def test_the_dashboard_keeps_nothing(stack: Stack) -> None:
    """Only the API has a database and a data folder: another dashboard may be started beside it."""
    assert "ROUTESCOPE_DATABASE_URL" not in SERVICES["dashboard"]["environment"]
    folder = Path(stack.logs["dashboard"]).parent / "dashboard"
    assert not list(folder.rglob("*.db"))


def test_the_api_has_no_page(stack: Stack) -> None:
    page = httpx.get(stack.url("api") + "/", headers=with_token(), timeout=30)
    assert page.headers.get("location") == "/api/docs"
    assert httpx.get(stack.url("api") + "/paths", headers=with_token(), timeout=30).status_code == 404
