"""Runs the services of ``docker-compose.yml`` without containers: the same commands, environments and health checks.

What differs is what a container network provides: every service listens on a free port of 127.0.0.1 instead of its own
host, and the data folder is a temporary one.
"""

import os
import pwd
import re
import shutil
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import yaml

from tests import machine

ROOT = Path(__file__).resolve().parents[2]
SECRETS = {"ROUTESCOPE_TOKEN": "a-token-for-this-test", "POSTGRES_PASSWORD": "a-password-for-this-test"}
PATIENCE = 120.0


def compose(name: str = "docker-compose.yml") -> dict[str, Any]:
    """The file as Compose reads it: YAML with ``${NAME:-default}`` and ``${NAME:?message}`` filled in."""

    def value(match: re.Match[str]) -> str:
        name, operator, rest = match["name"], match["operator"], match["rest"]
        if name in SECRETS:
            return SECRETS[name]
        assert operator == ":-", f"{name} has no default and is no secret of the stack"
        return rest

    variable = re.compile(r"\$\{(?P<name>\w+)(?P<operator>:-|:\?)?(?P<rest>[^}]*)\}")
    loaded: dict[str, Any] = yaml.safe_load(variable.sub(value, (ROOT / name).read_text()))
    return loaded


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


def container_port(service: dict[str, Any], name: str) -> int:
    return 5432 if name == "postgres" else int(service["environment"]["ROUTESCOPE_PORT"])


@dataclass
class Stack:
    """The running services: for each its process and its port on 127.0.0.1, and what it wrote."""

    ports: dict[str, int]
    processes: dict[str, subprocess.Popen[bytes]]
    logs: dict[str, Path]

    def url(self, name: str) -> str:
        return f"http://127.0.0.1:{self.ports[name]}"

    def log(self, name: str) -> str:
        return self.logs[name].read_text(errors="replace")


def postgres_program(name: str) -> str:
    """A program of PostgreSQL's server package."""
    found = machine.postgres_program(name)
    assert found, f"the deployment test needs PostgreSQL ({name}), which `make test` installs"
    return str(found)


def _translated(text: str, services: dict[str, Any], ports: dict[str, int]) -> str:
    """``text`` with the container network's ``name:port`` replaced by the address where the service runs here."""
    for name, service in services.items():
        text = text.replace(f"{name}:{container_port(service, name)}", f"127.0.0.1:{ports[name]}")
    return text


def environment(name: str, services: dict[str, Any], ports: dict[str, int], data: Path) -> dict[str, str]:
    """The service's own environment, moved to 127.0.0.1; nothing of Routescope's from outside comes in."""
    outer = {key: value for key, value in os.environ.items() if not key.startswith(("ROUTESCOPE_", "POSTGRES_", "PG"))}
    own = {key: _translated(str(value), services, ports) for key, value in services[name]["environment"].items()}
    moved = {
        "ROUTESCOPE_HOST": "127.0.0.1",
        "ROUTESCOPE_PORT": str(ports[name]),
        "ROUTESCOPE_DATA_DIR": str(data_folder(name, services, data)),
    }
    scripts = str(Path(sys.executable).parent)
    return {**outer, **own, **moved, "PATH": scripts + os.pathsep + outer.get("PATH", "")}


def data_folder(name: str, services: dict[str, Any], folder: Path) -> Path:
    """Where a service keeps its data: those that mount the same volume there have the same one."""
    place = services[name]["environment"].get("ROUTESCOPE_DATA_DIR")
    mounted = (each.split(":") for each in services[name].get("volumes", ()))
    volumes = [volume for volume, inside in mounted if inside == place]
    return folder / (f"volume-{volumes[0]}" if volumes else name)


def _await_health(name: str, command: list[str], env: dict[str, str], stack: Stack) -> None:
    deadline = time.monotonic() + PATIENCE
    while time.monotonic() < deadline:
        process = stack.processes[name]
        assert process.poll() is None, f"{name} ended with {process.returncode}:\n{stack.log(name)}"
        check = subprocess.run(command, env=env, capture_output=True, check=False, timeout=30)
        if check.returncode == 0:
            return
        time.sleep(0.5)
    raise AssertionError(f"{name} was not healthy after {PATIENCE:.0f} s:\n{stack.log(name)}")


def _health_command(service: dict[str, Any], name: str, ports: dict[str, int]) -> list[str]:
    kind, *command = service["healthcheck"]["test"]
    assert kind == "CMD"
    if name == "postgres":
        return [postgres_program(command[0]), *(each.replace("5432", str(ports[name])) for each in command[1:])]
    return [str(each) for each in command]


def start_postgres(service: dict[str, Any], port: int, folder: Path, log: Path) -> subprocess.Popen[bytes]:
    """What the image does at its first start: a cluster, the user with its password, the database."""
    asked = service["environment"]
    cluster = folder / "cluster"
    password = folder / "password"
    password.write_text(asked["POSTGRES_PASSWORD"])
    programs = {name: postgres_program(name) for name in ("initdb", "postgres")}
    # PostgreSQL refuses to run as root.
    as_user: dict[str, Any] = {}
    if os.geteuid() == 0:
        user = "postgres" if any(entry.pw_name == "postgres" for entry in pwd.getpwall()) else "nobody"
        as_user = {"user": user, "group": pwd.getpwnam(user).pw_gid, "extra_groups": []}
        for path in (folder, password):
            shutil.chown(path, user, as_user["group"])
        for wheel in machine.postgres_wheel():  # in the environment, which only root may be able to read
            if programs["initdb"] == str(wheel / "bin" / "initdb"):
                programs = {name: str(_copied(wheel, folder) / "bin" / name) for name in programs}
    initdb = [programs["initdb"], "-D", str(cluster), "-U", asked["POSTGRES_USER"], "--auth=scram-sha-256"]
    made = subprocess.run(
        [*initdb, f"--pwfile={password}", "--no-sync", "--no-instructions"],
        capture_output=True,
        text=True,
        check=False,
        cwd=folder,
        **as_user,
    )
    assert made.returncode == 0, made.stderr
    command = [programs["postgres"], "-D", str(cluster), "-h", "127.0.0.1", "-p", str(port), "-k", "", "-F"]
    with log.open("wb") as output:
        return subprocess.Popen(command, stdout=output, stderr=subprocess.STDOUT, cwd=folder, **as_user)


def _copied(wheel: Path, folder: Path) -> Path:
    """What came as a wheel, with the libraries beside its package, in a folder that others may read."""
    site, package = wheel.parent.parent, wheel.parent.name
    for source in (wheel, site / f"{package}.libs"):
        if source.is_dir():
            shutil.copytree(source, folder / source.relative_to(site), dirs_exist_ok=True)
    return folder / wheel.relative_to(site)


def _create_database(service: dict[str, Any], port: int) -> None:
    import psycopg

    asked = service["environment"]
    address = f"host=127.0.0.1 port={port} user={asked['POSTGRES_USER']} dbname=postgres"
    with psycopg.connect(address, password=asked["POSTGRES_PASSWORD"], autocommit=True) as connection:
        connection.execute(f'create database "{asked["POSTGRES_DB"]}"'.encode())


def database_rows(services: dict[str, Any], stack: Stack, query: str) -> list[tuple[Any, ...]]:
    """Rows straight from the database that the API was told to use."""
    import psycopg

    url = urlsplit(services["api"]["environment"]["ROUTESCOPE_DATABASE_URL"])
    address = f"host=127.0.0.1 port={stack.ports['postgres']} user={url.username} dbname={url.path.lstrip('/')}"
    with psycopg.connect(address, password=url.password) as connection:
        return connection.execute(query.encode()).fetchall()


def _started(name: str, services: dict[str, Any], stack: Stack, folder: Path) -> subprocess.Popen[bytes]:
    if name == "postgres":
        return start_postgres(services[name], stack.ports[name], folder / name, stack.logs[name])
    env = environment(name, services, stack.ports, folder)
    with stack.logs[name].open("wb") as output:
        return subprocess.Popen(
            services[name]["command"], env=env, cwd=folder / name, stdout=output, stderr=subprocess.STDOUT
        )


@contextmanager
def running(services: dict[str, Any]) -> Iterator[Stack]:
    """Start the services, each once those it depends on are healthy; stop them at the end."""
    folder = Path(tempfile.mkdtemp(prefix="routescope-stack-"))
    folder.chmod(0o755)
    stack = Stack({name: free_port() for name in services}, {}, {name: folder / f"{name}.log" for name in services})
    try:
        while len(stack.processes) < len(services):
            healthy = set(stack.processes)
            ready = [name for name in services if set(services[name].get("depends_on", {})) <= healthy - {name}]
            for name in (new := [name for name in ready if name not in healthy]):
                (folder / name).mkdir()
                stack.processes[name] = _started(name, services, stack, folder)
            for name in new:
                env = environment(name, services, stack.ports, folder)
                _await_health(name, _health_command(services[name], name, stack.ports), env, stack)
                if name == "postgres":
                    _create_database(services[name], stack.ports[name])
        yield stack
    finally:
        for process in reversed(stack.processes.values()):
            process.terminate()
            try:
                process.wait(30)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()
        shutil.rmtree(folder, ignore_errors=True)
