"""``docker-compose.yml`` as it stands: what it opens, what it tells the services, and that they work together."""

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
#: What others talk to.
DOORS = ("api", "dashboard")
SCALE = {"api": 2, "worker": 2}


def test_the_proxy_alone_is_published() -> None:
    published = {name: service["ports"] for name, service in SERVICES.items() if service.get("ports")}
    assert published == {"proxy": ["80:80", "443:443"]}
    assert all(service.get("network_mode") != "host" and not service.get("privileged") for service in ALL.values())


@pytest.mark.parametrize("name", ALL)
def test_a_service_has_no_more_than_it_needs(name: str) -> None:
    service = ALL[name]
    assert service["cap_drop"] == ["ALL"] and service["security_opt"] == ["no-new-privileges:true"]
    assert service["mem_limit"] and service["pids_limit"] and service["restart"] == "unless-stopped"
    if name in SERVICES or name in CLUSTER:
        assert service["read_only"] and "/tmp" in service["tmpfs"]
    if name in ROUTESCOPE:
        assert "cap_add" not in service
        assert int(service["stop_grace_period"].removesuffix("s")) > Settings().shutdown_seconds


@pytest.mark.parametrize("name", [name for name in ALL if name not in ROUTESCOPE and name not in CLUSTER])
def test_images_have_versions(name: str) -> None:
    assert re.search(r":v?\d+\.\d+(\.\d+)?(@sha256:[0-9a-f]{64})?$", ALL[name]["image"])


def test_what_watches_is_apart() -> None:
    """It starts with its profile alone, has versions, and publishes the pictures to this machine."""
    assert set(MONITORING) | set(SERVICES) | set(CLUSTER) == set(ALL) and set(MONITORING) == {"prometheus", "grafana"}
    published = {name: service["ports"] for name, service in MONITORING.items() if service.get("ports")}
    assert published == {"grafana": ["127.0.0.1:3000:3000"]}
    used = {name for service in MONITORING.values() for name in service["secrets"]}
    assert used == {"routescope_token", "grafana_password"}
    mounted = [volume.split(":")[0] for service in MONITORING.values() for volume in service["volumes"]]
    assert all((ROOT / member).exists() for member in mounted if member.startswith("."))


def test_the_cluster_is_apart_and_reached_by_who_computes_on_it_alone() -> None:
    """It starts with its profile alone, from the image that the service has, in a network that leads nowhere else."""
    assert set(CLUSTER) == {"ray-head", "ray-worker"} and COMPOSE["networks"] == {"cluster": {"internal": True}}
    for service in CLUSTER.values():
        assert service["networks"] == ["cluster"] and service["image"] == ALL["api"]["image"]
        assert "ports" not in service and "secrets" not in service and service["command"][:2] == ["ray", "start"]
    reaching = {name for name, service in ALL.items() if "cluster" in service.get("networks", ())}
    assert reaching == {"api", "worker", *CLUSTER}
    assert ALL["ray-worker"]["volumes"] == ["data:/data:ro"], "a node reads the models, and changes nothing"
    for name in ("api", "worker"):
        assert SERVICES[name]["environment"]["ROUTESCOPE_RAY_ADDRESS"] == "none", "without the profile there is none"


def test_secrets_are_files_of_a_folder_that_is_not_kept_with_the_code() -> None:
    places = {name: secret["file"] for name, secret in COMPOSE["secrets"].items()}
    assert set(SECRETS) < set(places) and all(spot.startswith("./secrets/") for spot in places.values())
    assert "secrets/" in (ROOT / ".gitignore").read_text().splitlines()
    assert {secret for service in ALL.values() for secret in service.get("secrets", ())} == set(places)
    for name, service in ALL.items():
        for variable, value in service.get("environment", {}).items():
            secret = re.search("PASSWORD|TOKEN|SECRET", variable)
            assert not secret or str(value).startswith("/run/secrets/"), f"{name} has {variable} in its environment"
    for variable in ("ROUTESCOPE_TOKEN", "ROUTESCOPE_DATABASE_PASSWORD"):
        assert variable.lower() in places, "the file is named like the setting"


@pytest.mark.parametrize("name", ROUTESCOPE)
def test_every_variable_is_a_setting(name: str) -> None:
    settings = {f"ROUTESCOPE_{field.upper()}" for field in Settings.model_fields}
    assert set(SERVICES[name]["environment"]) <= settings


def test_the_proxys_file_reads_what_it_is_told_and_leads_to_the_services() -> None:
    written = (ROOT / "deploy" / "Caddyfile").read_text()
    read = set(re.findall(r"\{\$(\w+)", written))
    assert set(SERVICES["proxy"]["environment"]) <= read
    ports = {name: SERVICES[name]["environment"]["ROUTESCOPE_PORT"] for name in DOORS}
    assert f"reverse_proxy dashboard:{ports['dashboard']}" in written
    assert re.search(rf"dynamic a \{{\s+name api\s+port {ports['api']}\s", written), "every address of the name"
    inside = SERVICES["dashboard"]["environment"]["ROUTESCOPE_API_URL"]
    assert inside == "http://proxy:8001" and "{$PROXY_API_PORT:8001}" in written


def test_who_has_which_secret() -> None:
    has = {name: set(service.get("secrets", ())) for name, service in SERVICES.items()}
    token, database = "routescope_token", "routescope_database_password"
    assert has == {
        "proxy": set(), "dashboard": {token}, "api": {token, database}, "worker": {database}, "postgres": {database},
    }  # fmt: skip


def test_a_worker_is_reached_by_nobody_and_shares_what_the_api_has() -> None:
    worker, api = (SERVICES[name]["environment"] for name in ("worker", "api"))
    assert worker["ROUTESCOPE_HOST"] == "127.0.0.1" and not SERVICES["worker"].get("ports")
    for name in ("ROUTESCOPE_DATABASE_URL", "ROUTESCOPE_DATA_DIR"):
        assert worker[name] == api[name]
    assert SERVICES["worker"]["volumes"] == SERVICES["api"]["volumes"]
    assert "container_name" not in SERVICES["worker"], "so that there can be several"


def test_the_gpu_override_changes_what_computes_only() -> None:
    override = compose("docker-compose.gpu.yml")["services"]
    assert list(override) == ["api", "worker", "ray-worker"]
    for name, service in override.items():
        assert set(service) - {"profiles"} == {"deploy"} and service.get("profiles") == ALL[name].get("profiles")
        assert service["deploy"]["resources"]["reservations"]["devices"][0]["capabilities"] == ["gpu"]


def dockerfile() -> list[tuple[str, str]]:
    text = (ROOT / "Dockerfile").read_text().replace("\\\n", " ")
    lines = [line.strip() for line in text.splitlines() if line.strip() and not line.strip().startswith("#")]
    return [(line.partition(" ")[0], line.partition(" ")[2].strip()) for line in lines]


def test_a_bucket_is_told_to_whoever_keeps_things(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    override = compose("docker-compose.bucket.yml")
    names = {"routescope_storage_key", "routescope_storage_secret"}
    keeping = {name for name, service in SERVICES.items() if "data:/data" in service.get("volumes", ())}
    assert set(override["services"]) == keeping == {"api", "worker"}
    assert set(override["secrets"]) == names
    assert all(set(service["secrets"]) == names for service in override["services"].values())
    for name in names:
        (tmp_path / name).write_text("it\n")
    monkeypatch.setenv("ROUTESCOPE_SECRETS_DIR", str(tmp_path))
    for name, value in override["services"]["api"]["environment"].items():
        monkeypatch.setenv(name, value or "")
    settings = Settings()
    assert (settings.storage, settings.storage_endpoint) == ("s3://routescope", None)
    assert settings.storage_secret is not None and settings.storage_secret.get_secret_value() == "it"


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
    """The file's services, with two replicas of the API and two workers."""
    with running(SERVICES, SCALE) as services:
        yield services


@pytest.fixture
def client(stack: Stack) -> Iterator[httpx.Client]:
    """A program that comes by the proxy, and believes its authority."""
    trusted = ssl.create_default_context(
        cafile=str(stack.folder / "proxy" / "caddy" / "pki" / "authorities" / "local" / "root.crt")
    )
    headers = {"Authorization": f"Bearer {SECRETS['routescope_token']}"}
    with httpx.Client(base_url=stack.site, headers=headers, verify=trusted, timeout=60) as client:
        yield client


def digit() -> bytes:
    picture = Image.new("L", (28, 28))
    picture.paste(255, (13, 4, 16, 24))
    file = BytesIO()
    picture.save(file, "PNG")
    return file.getvalue()


def test_a_page_through_the_proxy(client: httpx.Client) -> None:
    page = client.get("/")
    assert page.status_code == 200
    assert "text/html" in page.headers["content-type"] and "Routescope" in page.text
    assert page.headers["strict-transport-security"].startswith("max-age=")


def test_who_logs_in_gets_a_cookie_for_https_alone(client: httpx.Client, stack: Stack) -> None:
    """The page's server believes the proxy that the connection is a safe one, and that the origin is its own."""
    words = {"token": SECRETS["routescope_token"], "next": "/"}
    answer = client.post("/login", data=words, headers={"Authorization": "", "Origin": stack.site})
    assert answer.status_code == 303, answer.text
    assert "secure" in answer.headers["set-cookie"].lower()


def uploaded(client: httpx.Client) -> str:
    made = client.post("/api/v1/samples", files={"file": ("one.png", digit())}, data={"origin": "upload"})
    assert made.status_code in (200, 201), made.text
    return str(made.json()["id"])


def test_the_proxy_reaches_the_api_and_its_database(client: httpx.Client, stack: Stack) -> None:
    """A sample sent through the proxy is stored by an API, in PostgreSQL, and its trace comes back the same way."""
    models = client.get("/api/v1/models").raise_for_status().json()["items"]
    assert "ni-digits" in [model["id"] for model in models]
    sample = uploaded(client)
    traced = client.post(
        "/api/v1/traces", json={"model": "ni-digits", "sample": sample, "intervention": {"drop": ["f1"]}}
    )
    assert traced.status_code == 201, traced.text
    assert "f1" not in traced.json()["kept"]
    assert sample in [str(row[0]) for row in database_rows(SERVICES, stack, "select id from samples")]


def answers(stack: Stack, replica: str) -> float:
    """How many requests for lists of models a replica has answered."""
    headers = {"Authorization": f"Bearer {SECRETS['routescope_token']}"}
    reported = httpx.get(stack.url(replica) + "/metrics", headers=headers, timeout=30).raise_for_status().text
    matches = re.findall(r'^routescope_requests_total\{.*route="/api/v1/models".*\} (\S+)$', reported, re.MULTILINE)
    return sum(map(float, matches))


def test_every_address_of_the_apis_name_has_its_turn(client: httpx.Client, stack: Stack) -> None:
    """The proxy asks for the name, as it asks Docker's server of names, and each of its addresses is a replica."""
    replicas = [name for name in stack.processes if name.startswith("api")]
    assert len({stack.url(name) for name in replicas}) == SCALE["api"] == 2
    before = [answers(stack, name) for name in replicas]
    for _ in range(24):
        client.get("/api/v1/models").raise_for_status()
    more = [answers(stack, name) - count for name, count in zip(replicas, before, strict=True)]
    assert sum(more) == 24 and min(more) > 0


def ended(client: httpx.Client, job: dict[str, Any]) -> dict[str, Any]:
    """The job's last event, as a page follows it."""
    events = client.get(f"/api/v1/jobs/{job['id']}/events").text
    last = [line for line in events.splitlines() if line.startswith("data: ")][-1]
    document: dict[str, Any] = json.loads(last.removeprefix("data: "))
    return document


def test_a_worker_runs_what_is_asked_for(client: httpx.Client, stack: Stack) -> None:
    """Asked and followed through the proxy, done by a worker, read from the folder that it shares."""
    asked = {"model": "ni-digits", "data": ["mnist"], "samples": 8}
    job = client.post("/api/v1/observations", json=asked).raise_for_status().json()
    assert ended(client, job)["state"] == "done"
    assert client.get(f"/api/v1/observations/{job['id']}").json()["model"] == "ni-digits"
    ((worker, attempts),) = database_rows(
        SERVICES, stack, f"select worker, attempts from jobs where id = '{job['id']}'"
    )
    workers = {str(process.pid) for name, process in stack.processes.items() if name.startswith("worker")}
    assert worker.split("-")[-2] in workers and attempts == 1


def test_both_doors_want_the_token(stack: Stack) -> None:
    for name in DOORS:
        assert httpx.get(stack.url(name) + "/api/v1/health", timeout=30).status_code == 200
        assert httpx.get(stack.url(name) + "/api/v1/models", timeout=30).status_code == 401
        wrong = {"Authorization": "Bearer wrong"}
        assert httpx.get(stack.url(name) + "/api/v1/models", headers=wrong, timeout=30).status_code == 401


def test_the_dashboard_keeps_nothing(stack: Stack) -> None:
    """Only the API has a database and a data folder: another dashboard may be started beside it."""
    assert "ROUTESCOPE_DATABASE_URL" not in SERVICES["dashboard"]["environment"]
    assert not list((stack.folder / "dashboard").rglob("*.db"))


def test_the_api_has_no_page(stack: Stack) -> None:
    headers = {"Authorization": f"Bearer {SECRETS['routescope_token']}"}
    page = httpx.get(stack.url("api") + "/", headers=headers, timeout=30)
    assert page.headers.get("location") == "/api/docs"
    assert httpx.get(stack.url("api") + "/paths", headers=headers, timeout=30).status_code == 404


def test_one_of_each_is_killed_on_the_way_and_the_work_goes_on(client: httpx.Client, stack: Stack) -> None:
    """Upload, then trace, drop and a job, while a replica and the worker that has the job end without a word."""
    sample = uploaded(client)
    asked = {"model": "ni-digits", "data": ["mnist"], "samples": 400, "controls": 0}
    job = client.post("/api/v1/importances", json={"model": "ni-digits", "data": ["mnist"], "samples": 60}).json()
    having: str | None = None
    while having is None:
        ((having,),) = database_rows(SERVICES, stack, f"select worker from jobs where id = '{job['id']}'")
        time.sleep(0.05)
    for name, process in stack.processes.items():
        if name == "api" or (name.startswith("worker") and str(process.pid) == having.split("-")[-2]):
            process.kill()
            process.wait()
    for _ in range(8):  # the name still has the address of the one that is gone, whose turn is another's
        traced = client.post("/api/v1/traces", json={"model": "ni-digits", "sample": sample})
        assert traced.status_code in (200, 201), traced.text
    dropped = client.post("/api/v1/evaluations", json={**asked, "intervention": {"drop": ["f2"]}})
    assert dropped.status_code == 200 and dropped.json()["state"] == "done", dropped.text
    assert ended(client, job)["state"] == "done"
    ((worker, attempts),) = database_rows(
        SERVICES, stack, f"select worker, attempts from jobs where id = '{job['id']}'"
    )
    assert attempts == 2 and worker != having
    assert len(client.get(f"/api/v1/importances/{job['id']}").json()["single"]) == 5
