"""``docker-compose.yml``: rights, ports, secrets and environments of its services, and the services together."""

import json
import re
import ssl
import time
from collections.abc import Iterator
from io import BytesIO
from pathlib import Path
from typing import Any

import httpx
import pytest
from PIL import Image

from routescope_app.settings import Settings
from tests.deploy.stack import ROOT, SECRETS, Stack, compose, database_rows, running

COMPOSE = compose()
ALL: dict[str, Any] = COMPOSE["services"]
SERVICES = {name: service for name, service in ALL.items() if not service.get("profiles")}
MONITORING = {name: service for name, service in ALL.items() if service.get("profiles") == ["monitoring"]}
CLUSTER = {name: service for name, service in ALL.items() if service.get("profiles") == ["cluster"]}
ROUTESCOPE = {name: service for name, service in SERVICES.items() if name not in ("proxy", "postgres")}
#: The services that others talk to.
DOORS = ("api", "dashboard")
CLUSTER_API = "api 2"
#: Seconds for a test, as the first one waits for the whole stack.
pytestmark = pytest.mark.timeout(1200)
TOKEN = {"Authorization": f"Bearer {SECRETS['routescope_token']}"}


def test_services_have_no_more_rights_than_they_need() -> None:
    assert set(MONITORING) | set(SERVICES) | set(CLUSTER) == set(ALL)
    for name, service in ALL.items():
        assert service["cap_drop"] == ["ALL"] and service["security_opt"] == ["no-new-privileges:true"], name
        assert service["mem_limit"] and service["pids_limit"] and service["restart"] == "unless-stopped", name
        assert service.get("network_mode") != "host" and not service.get("privileged"), name
        if name in SERVICES or name in CLUSTER:
            assert service["read_only"] and "/tmp" in service["tmpfs"], name
        if name in ROUTESCOPE:
            assert "cap_add" not in service, name
            assert int(service["stop_grace_period"].removesuffix("s")) > Settings().shutdown_seconds, name
        elif name not in CLUSTER:
            assert re.search(r":v?\d+\.\d+(\.\d+)?(@sha256:[0-9a-f]{64})?$", service["image"]), name


def test_the_proxy_and_the_pictures_of_figures_alone_are_published() -> None:
    published = {name: service["ports"] for name, service in ALL.items() if service.get("ports")}
    assert published == {"proxy": ["80:80", "443:443"], "grafana": ["127.0.0.1:3000:3000"]}
    mounted = [volume.split(":")[0] for service in MONITORING.values() for volume in service["volumes"]]
    assert all((ROOT / member).exists() for member in mounted if member.startswith("."))


def test_the_cluster_is_reached_by_services_that_compute_on_it_alone() -> None:
    assert COMPOSE["networks"] == {"cluster": {"internal": True}}
    for service in CLUSTER.values():
        assert service["networks"] == ["cluster"] and service["image"] == ALL["api"]["image"]
        assert "secrets" not in service and service["command"][:2] == ["ray", "start"]
    reaching = {name for name, service in ALL.items() if "cluster" in service.get("networks", ())}
    assert reaching == {"api", "worker", *CLUSTER}
    assert ALL["ray-worker"]["volumes"] == ["data:/data:ro"]


def test_secrets_are_files_outside_the_code_for_the_services_that_need_them() -> None:
    places = {name: secret["file"] for name, secret in COMPOSE["secrets"].items()}
    assert set(SECRETS) < set(places) and all(spot.startswith("./secrets/") for spot in places.values())
    assert "secrets/" in (ROOT / ".gitignore").read_text().splitlines()
    for name, service in ALL.items():
        for variable, value in service.get("environment", {}).items():
            secret = re.search("PASSWORD|TOKEN|SECRET", variable)
            assert not secret or str(value).startswith("/run/secrets/"), f"{name} has {variable} in its environment"
    token, database = "routescope_token", "routescope_database_password"
    assert {name: set(service.get("secrets", ())) for name, service in ALL.items()} == {
        "proxy": set(), "dashboard": {token}, "api": {token, database}, "worker": {database}, "postgres": {database},
        "prometheus": {token}, "grafana": {"grafana_password"}, "ray-head": set(), "ray-worker": set(),
    }  # fmt: skip
    assert places.keys() == {token, database, "grafana_password"}


def test_environments_are_settings_that_the_services_share() -> None:
    settings = {f"ROUTESCOPE_{field.upper()}" for field in Settings.model_fields}
    for name in ROUTESCOPE:
        assert set(SERVICES[name]["environment"]) <= settings, name
    worker, api = (SERVICES[name]["environment"] for name in ("worker", "api"))
    assert worker["ROUTESCOPE_RAY_ADDRESS"] == api["ROUTESCOPE_RAY_ADDRESS"] == "none"
    for name in ("ROUTESCOPE_DATABASE_URL", "ROUTESCOPE_DATA_DIR"):
        assert worker[name] == api[name] and name not in SERVICES["dashboard"]["environment"]
    assert worker["ROUTESCOPE_HOST"] == "127.0.0.1" and "container_name" not in SERVICES["worker"]
    assert SERVICES["worker"]["volumes"] == SERVICES["api"]["volumes"]

    written = (ROOT / "deploy" / "Caddyfile").read_text()
    assert set(SERVICES["proxy"]["environment"]) <= set(re.findall(r"\{\$(\w+)", written))
    ports = {name: SERVICES[name]["environment"]["ROUTESCOPE_PORT"] for name in DOORS}
    assert f"reverse_proxy dashboard:{ports['dashboard']}" in written
    assert re.search(rf"dynamic a \{{\s+name api\s+port {ports['api']}\s", written), "every address of the name"
    inside = SERVICES["dashboard"]["environment"]["ROUTESCOPE_API_URL"]
    assert inside == "http://proxy:8001" and "{$PROXY_API_PORT:8001}" in written


def test_overrides_add_a_gpu_and_a_bucket(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    gpu = compose("docker-compose.gpu.yml")["services"]
    assert list(gpu) == ["api", "worker", "ray-worker"]
    for name, service in gpu.items():
        assert set(service) - {"profiles"} == {"deploy"} and service.get("profiles") == ALL[name].get("profiles")
        assert service["deploy"]["resources"]["reservations"]["devices"][0]["capabilities"] == ["gpu"]

    bucket = compose("docker-compose.bucket.yml")
    names = {"routescope_storage_key", "routescope_storage_secret"}
    assert set(bucket["services"]) == {name for name in SERVICES if "data:/data" in SERVICES[name].get("volumes", ())}
    assert set(bucket["secrets"]) == names
    assert all(set(service["secrets"]) == names for service in bucket["services"].values())
    for name in names:
        (tmp_path / name).write_text("it\n")
    monkeypatch.setenv("ROUTESCOPE_SECRETS_DIR", str(tmp_path))
    for name, value in bucket["services"]["api"]["environment"].items():
        monkeypatch.setenv(name, value or "")
    settings = Settings()
    assert (settings.storage, settings.storage_endpoint) == ("s3://routescope", None)
    assert settings.storage_secret is not None and settings.storage_secret.get_secret_value() == "it"


def test_the_image_runs_as_a_user_with_its_command_health_check_and_files() -> None:
    text = (ROOT / "Dockerfile").read_text().replace("\\\n", " ")
    lines = [line.strip() for line in text.splitlines() if line.strip() and not line.strip().startswith("#")]
    steps = [(line.partition(" ")[0], line.partition(" ")[2].strip()) for line in lines]
    assert [value for word, value in steps if word == "USER"][-1] not in {"root", "0"}
    check = json.loads(dict(steps)["HEALTHCHECK"].partition("CMD")[2])
    assert check == SERVICES["api"]["healthcheck"]["test"][1:]
    assert json.loads(dict(steps)["CMD"]) == SERVICES["api"]["command"]
    ignored = (ROOT / ".dockerignore").read_text().splitlines()
    assert ignored[0] == "*"
    for source in [source for word, value in steps if word == "COPY" for source in value.split()[:-1]]:
        assert (ROOT / source).exists() and f"!{source}" in ignored, source


@pytest.fixture(scope="module")
def stack() -> Iterator[Stack]:
    """The services with two workers and two replicas of the API, one of which computes on the cluster."""
    asked = SERVICES | CLUSTER | {"api": ALL["api"] | {"depends_on": ["postgres", "ray-worker"]}}
    computing = {"ROUTESCOPE_RAY_ADDRESS": "ray://ray-head:10001", "ROUTESCOPE_TORCH_THREADS": 1}
    with running(asked, {"api": 2, "worker": 2}, {CLUSTER_API: computing}) as services:
        yield services


@pytest.fixture
def client(stack: Stack) -> Iterator[httpx.Client]:
    """A program that comes through the proxy and trusts its authority."""
    trusted = ssl.create_default_context(
        cafile=str(stack.folder / "proxy" / "caddy" / "pki" / "authorities" / "local" / "root.crt")
    )
    with httpx.Client(base_url=stack.site, headers=TOKEN, verify=trusted, timeout=60) as client:
        yield client


def test_pages_log_in_through_the_proxy_and_both_services_want_the_token(client: httpx.Client, stack: Stack) -> None:
    page = client.get("/")
    assert page.status_code == 200
    assert "text/html" in page.headers["content-type"] and "Routescope" in page.text
    assert page.headers["strict-transport-security"].startswith("max-age=")
    words = {"token": SECRETS["routescope_token"], "next": "/"}
    answer = client.post("/login", data=words, headers={"Authorization": "", "Origin": stack.site})
    assert answer.status_code == 303, answer.text
    assert "secure" in answer.headers["set-cookie"].lower()
    for name in DOORS:
        assert httpx.get(stack.url(name) + "/api/v1/health", timeout=30).status_code == 200
        for headers in ({}, {"Authorization": "Bearer wrong"}):
            assert httpx.get(stack.url(name) + "/api/v1/models", headers=headers, timeout=30).status_code == 401
    page = httpx.get(stack.url("api") + "/", headers=TOKEN, timeout=30)
    assert page.headers.get("location") == "/api/docs"
    assert httpx.get(stack.url("api") + "/paths", headers=TOKEN, timeout=30).status_code == 404
    assert not list((stack.folder / "dashboard").rglob("*.db"))


def uploaded(client: httpx.Client, stack: Stack) -> str:
    """Upload a picture; return the id of the sample, which is in PostgreSQL."""
    file = BytesIO()
    Image.new("L", (28, 28)).save(file, "PNG")
    made = client.post("/api/v1/samples", files={"file": ("one.png", file.getvalue())}, data={"origin": "upload"})
    assert made.status_code in (200, 201), made.text
    assert made.json()["id"] in [str(row[0]) for row in database_rows(SERVICES, stack, "select id from samples")]
    return str(made.json()["id"])


def metrics(stack: Stack, instance: str) -> str:
    return httpx.get(stack.url(instance) + "/metrics", headers=TOKEN, timeout=30).raise_for_status().text


def answers(stack: Stack, replica: str) -> float:
    """Return the number of requests for lists of models that a replica answered."""
    pattern = r'^routescope_requests_total\{.*route="/api/v1/models".*\} (\S+)$'
    return sum(map(float, re.findall(pattern, metrics(stack, replica), re.MULTILINE)))


def test_every_replica_of_the_api_has_its_turn(client: httpx.Client, stack: Stack) -> None:
    """The proxy asks a server of names for the API, as it asks Docker's, and uses each address of the answer."""
    replicas = ["api", CLUSTER_API]
    assert len({stack.url(name) for name in replicas}) == 2
    before = [answers(stack, name) for name in replicas]
    for _ in range(24):
        assert "ni-digits" in client.get("/api/v1/models").raise_for_status().text
    more = [answers(stack, name) - count for name, count in zip(replicas, before, strict=True)]
    assert sum(more) == 24 and min(more) > 0


def test_an_api_computes_on_the_nodes_of_the_cluster(stack: Stack) -> None:
    asked = {"model": "ni-digits", "data": ["mnist"], "samples": 64, "controls": 0, "intervention": {"drop": ["f1"]}}
    answer = httpx.post(stack.url(CLUSTER_API) + "/api/v1/evaluations", json=asked, headers=TOKEN, timeout=120)
    assert answer.status_code == 200 and answer.json()["state"] == "done", answer.text
    reported = dict(re.findall(r'routescope_cluster{kind="(\w+)"} ([0-9.]+)', metrics(stack, CLUSTER_API)))
    assert reported["actors"] == "1.0" and float(reported["tasks"]) >= 2, "and not by itself"


def ended(client: httpx.Client, job: dict[str, Any]) -> dict[str, Any]:
    """Return the job's last event, as a page follows it."""
    events = client.get(f"/api/v1/jobs/{job['id']}/events").text
    last = [line for line in events.splitlines() if line.startswith("data: ")][-1]
    document: dict[str, Any] = json.loads(last.removeprefix("data: "))
    return document


def test_a_replica_and_a_worker_are_killed_and_the_work_goes_on(client: httpx.Client, stack: Stack) -> None:
    """Upload, trace, drop, and a job that a second worker finishes."""
    sample = uploaded(client, stack)
    job = client.post("/api/v1/importances", json={"model": "ni-digits", "data": ["mnist"], "samples": 60}).json()
    attempt = f"select worker, attempts from jobs where id = '{job['id']}'"
    first: str | None = None
    while first is None:
        ((first, _),) = database_rows(SERVICES, stack, attempt)
        time.sleep(0.05)
    workers = {str(process.pid): name for name, process in stack.processes.items() if name.startswith("worker")}
    for name in ("api", workers[first.split("-")[-2]]):
        stack.processes[name].kill()
        stack.processes[name].wait()
    for _ in range(8):  # the name still has the address of the killed replica
        asked = {"model": "ni-digits", "sample": sample, "intervention": {"drop": ["f1"]}}
        traced = client.post("/api/v1/traces", json=asked)
        assert traced.status_code in (200, 201), traced.text
        assert "f1" not in traced.json()["kept"]
    evaluated = {"model": "ni-digits", "data": ["mnist"], "samples": 100, "controls": 0}
    dropped = client.post("/api/v1/evaluations", json=evaluated | {"intervention": {"drop": ["f2"]}})
    assert dropped.status_code == 200 and dropped.json()["state"] == "done", dropped.text
    assert ended(client, job)["state"] == "done"
    ((second, attempts),) = database_rows(SERVICES, stack, attempt)
    assert attempts == 2 and second != first and second.split("-")[-2] in workers
    assert len(client.get(f"/api/v1/importances/{job['id']}").json()["single"]) == 5
