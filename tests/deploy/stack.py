"""Runs the services of ``docker-compose.yml`` without containers: the same commands, environments and health checks.

What differs is what containers provide: every service listens on a free port of 127.0.0.1 instead of its own host, and
volumes and secrets are temporary folders. Replicas of the API listen on one port of 127.0.0.1, 127.0.0.2 and so on,
and a server of names tells the proxy of all of them, as Docker's does. The proxy is the same program as in its image;
it reads the same file, with these ports in it. And no replica scores every bundled model at its start, which no test
here waits for: the warm-up has tests of its own.
"""

import os
import pwd
import random
import re
import shutil
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import yaml

from tests import machine
from tests.deploy.names import serving

ROOT = Path(__file__).resolve().parents[2]
SECRETS = {"routescope_token": "a-token-for-this-test", "routescope_database_password": "a-password-for-this-test"}
#: The port of the proxy at which the page's server finds the API, and where people come.
PROXY_PORT, HTTPS = 8001, "proxy, https"
#: The ports of Ray: of programs that come from outside, of nodes at the head, and of a node itself.
RAY_CLIENT_PORT, RAY_PORT, RAY_NODE_PORT = 10001, 6379, 6380
NODES = "ray-head, nodes"
#: Above those of Ray's workers, and below those that Linux gives to whoever names none.
UNGIVEN_PORTS = (20_000, 32_000)
PATIENCE = 600.0
#: Starts of what needs Ray.
STARTS = 8


def compose(name: str = "docker-compose.yml") -> dict[str, Any]:
    """The file as Compose reads it: YAML with the default of ``${NAME:-default}`` filled in."""

    def value(match: re.Match[str]) -> str:
        assert match["operator"] == ":-", f"{match['name']} has no default"
        return match["rest"]

    variable = re.compile(r"\$\{(?P<name>\w+)(?P<operator>:-)?(?P<rest>[^}]*)\}")
    loaded: dict[str, Any] = yaml.safe_load(variable.sub(value, (ROOT / name).read_text()))
    return loaded


def free_port() -> int:
    """Return a port that nothing else takes before its service listens: the system and Ray give away others."""
    while True:
        port = random.SystemRandom().randrange(*UNGIVEN_PORTS)
        with socket.socket() as probe, suppress(OSError):
            probe.bind(("127.0.0.1", port))
            return port


def container_port(service: dict[str, Any], name: str) -> int:
    known = {"postgres": 5432, "proxy": PROXY_PORT, "ray-head": RAY_CLIENT_PORT, "ray-worker": RAY_NODE_PORT}
    return known[name] if name in known else int(service["environment"]["ROUTESCOPE_PORT"])


def service_of(instance: str) -> str:
    """The service of "api", or of "api 2", the second of those that were asked for."""
    return instance.partition(" ")[0]


def host(instance: str) -> str:
    """The address of this machine where an instance listens: replicas of the API share a port."""
    name, _, number = instance.partition(" ")
    return f"127.0.0.{number or 1}" if name == "api" else "127.0.0.1"


@dataclass
class Stack:
    """The running services: process, port, log and starts of each, and changes of environments; ``names`` is a port."""

    ports: dict[str, int]
    names: int
    processes: dict[str, subprocess.Popen[bytes]]
    logs: dict[str, Path]
    folder: Path
    changes: dict[str, dict[str, Any]]
    starts: dict[str, int] = field(default_factory=dict)

    def url(self, name: str) -> str:
        return f"http://{host(name)}:{self.ports[name]}"

    @property
    def site(self) -> str:
        """Where people come: the proxy, with a certificate of its own authority."""
        return f"https://localhost:{self.ports[HTTPS]}"

    def log(self, name: str) -> str:
        return self.logs[name].read_text(errors="replace")


def postgres_program(name: str) -> str:
    """A program of PostgreSQL's server package."""
    program = machine.postgres_program(name)
    assert program, f"the deployment test needs PostgreSQL ({name}), which `make test` installs"
    return str(program)


def _translated(text: str, services: dict[str, Any], ports: dict[str, int]) -> str:
    """``text`` with the container network's ``name:port`` replaced by the addresses where the service runs here."""
    for name, service in services.items():
        here = " ".join(f"127.0.0.1:{port}" for instance, port in ports.items() if service_of(instance) == name)
        text = text.replace(f"{name}:{container_port(service, name)}", here)
    return text


def environment(instance: str, services: dict[str, Any], stack: Stack) -> dict[str, str]:
    """The service's own environment, moved to 127.0.0.1; nothing of Routescope's or of Ray's from outside comes in."""
    name, ports, data = service_of(instance), stack.ports, stack.folder
    theirs = ("ROUTESCOPE_", "POSTGRES_", "PG", "RAY_")
    outer = {key: value for key, value in os.environ.items() if not key.startswith(theirs)}
    asked = services[name]["environment"] | stack.changes.get(instance, {})
    own = {key: _translated(str(value), services, ports) for key, value in asked.items()}
    moved = {"ROUTESCOPE_HOST": host(instance), "ROUTESCOPE_PORT": str(ports[instance]), "ROUTESCOPE_WARM_UP": "false"}
    if name == "proxy":
        moved = {"PROXY_HTTP_PORT": str(free_port()), "PROXY_HTTPS_PORT": str(ports[HTTPS])}
        moved |= {"PROXY_RESOLVERS": f"resolvers 127.0.0.1:{stack.names}"}
        moved |= {"PROXY_API_PORT": str(ports[name]), "XDG_DATA_HOME": str(data / name), "HOME": str(data / name)}
    else:
        moved["ROUTESCOPE_DATA_DIR"] = str(data_folder(instance, services, data))
        moved["ROUTESCOPE_SECRETS_DIR"] = str(_secrets(instance, services, data))
    if "ROUTESCOPE_METRICS_PORT" in own:
        moved["ROUTESCOPE_METRICS_PORT"] = str(free_port())
    if "ROUTESCOPE_TRUSTED_PROXIES" in own:
        moved["ROUTESCOPE_TRUSTED_PROXIES"] = "127.0.0.1"
    scripts = str(Path(sys.executable).parent)
    return {**outer, **own, **moved, "PATH": scripts + os.pathsep + outer.get("PATH", "")}


def _secrets(instance: str, services: dict[str, Any], folder: Path) -> Path:
    """A folder with the secrets that a service gets, as files, and with no others."""
    directory = folder / f"secrets of {instance}"
    directory.mkdir(exist_ok=True)
    for name in services[service_of(instance)].get("secrets", ()):
        (directory / name).write_text(SECRETS[name] + "\n")
    return directory


def data_folder(instance: str, services: dict[str, Any], folder: Path) -> Path:
    """Where a service keeps its data: those that mount the same volume there have the same one."""
    name = service_of(instance)
    data_folder_inside = services[name]["environment"].get("ROUTESCOPE_DATA_DIR")
    mounted = (mount.split(":")[:2] for mount in services[name].get("volumes", ()))
    volumes = [volume for volume, inside in mounted if inside == data_folder_inside]
    return folder / (f"volume-{volumes[0]}" if volumes else instance)


def _await_health(instance: str, services: dict[str, Any], stack: Stack) -> None:
    env, deadline = environment(instance, services, stack), time.monotonic() + PATIENCE
    while time.monotonic() < deadline:
        _restart_ended(services, stack)
        if _is_healthy(services[service_of(instance)], instance, stack, env):
            return
        time.sleep(0.5)
    raise AssertionError(f"{instance} was not healthy after {PATIENCE:.0f} s:\n{stack.log(instance)}")


def _restart_ended(services: dict[str, Any], stack: Stack) -> None:
    """Start each node of Ray, and each API that computes on one, again when it has ended, as Docker does.

    A node listens, and then ends if its agent has not started in time. An API whose cluster has no node ends, too.
    """
    for instance, process in list(stack.processes.items()):
        if process.poll() is None:
            continue
        needs_ray = instance.startswith("ray-") or "ROUTESCOPE_RAY_ADDRESS" in stack.changes.get(instance, {})
        stack.starts[instance] = stack.starts.get(instance, 1) + 1
        assert needs_ray and stack.starts[instance] <= STARTS, (
            f"{instance} ended with {process.returncode}:\n{stack.log(instance)}"
        )
        start(instance, services, stack, stack.folder)


def _is_healthy(service: dict[str, Any], instance: str, stack: Stack, env: dict[str, str]) -> bool:
    """Whether the service listens and passes its check, if it has one."""
    port = stack.ports[instance]
    with socket.socket() as probe:  # costs less than a check, which is a process
        if probe.connect_ex((host(instance), port)):
            return False
    if "healthcheck" not in service:
        return True
    kind, *command = service["healthcheck"]["test"]
    assert kind == "CMD"
    command = [argument.replace("127.0.0.1", host(instance)) for argument in command]
    if instance == "postgres":
        command = [postgres_program(command[0]), *(argument.replace("5432", str(port)) for argument in command[1:])]
    if instance == "ray-head":
        command = [argument.replace(str(RAY_CLIENT_PORT), str(port)) for argument in command]
    try:
        return subprocess.run(command, env=env, capture_output=True, check=False, timeout=60).returncode == 0
    except subprocess.TimeoutExpired:  # asked again
        return False


def ray_command(instance: str, command: list[str], stack: Stack, folder: Path) -> list[str]:
    """The service's own command with ports of this machine, on the loopback alone, where Ray asks for no token."""
    own, nodes = stack.ports[instance], stack.ports[NODES]
    moved = {
        f"--port={RAY_PORT}": f"--port={nodes}",
        f"--ray-client-server-port={RAY_CLIENT_PORT}": f"--ray-client-server-port={own}",
        f"--address=ray-head:{RAY_PORT}": f"--address=127.0.0.1:{nodes}",
        f"--node-manager-port={RAY_NODE_PORT}": f"--node-manager-port={own}",
    }
    here = ["--node-ip-address=127.0.0.1"]
    if instance == "ray-head":
        here.append(f"--temp-dir={folder / 'ray'}")
    return [*(moved.get(argument, argument) for argument in command), *here]


def _postgres_password(asked: dict[str, str]) -> str:
    """What the image reads: a variable, or the file that another one names."""
    return asked.get("POSTGRES_PASSWORD") or SECRETS[Path(asked["POSTGRES_PASSWORD_FILE"]).name]


def start_postgres(service: dict[str, Any], port: int, folder: Path, log: Path) -> subprocess.Popen[bytes]:
    """What the image does at its first start: a cluster, the user with its password, the database."""
    asked = service["environment"]
    cluster = folder / "cluster"
    password = folder / "password"
    password.write_text(_postgres_password(asked))
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
    with psycopg.connect(address, password=_postgres_password(asked), autocommit=True) as connection:
        connection.execute(f'create database "{asked["POSTGRES_DB"]}"'.encode())


def database_rows(services: dict[str, Any], stack: Stack, query: str) -> list[tuple[Any, ...]]:
    """Rows straight from the database that the API was told to use."""
    import psycopg

    url = urlsplit(services["api"]["environment"]["ROUTESCOPE_DATABASE_URL"])
    address = f"host=127.0.0.1 port={stack.ports['postgres']} user={url.username} dbname={url.path.lstrip('/')}"
    with psycopg.connect(address, password=SECRETS["routescope_database_password"]) as connection:
        return connection.execute(query.encode()).fetchall()


def start(instance: str, services: dict[str, Any], stack: Stack, folder: Path) -> None:
    """Start a service, for the first time or again, with its own command."""
    name, directory = service_of(instance), folder / instance
    directory.mkdir(exist_ok=True)
    if name == "postgres":
        stack.processes[instance] = start_postgres(services[name], stack.ports[name], directory, stack.logs[name])
        return
    command = list(services[name]["command"])
    if name == "proxy":
        (mounted,) = [volume for volume in services[name]["volumes"] if volume.endswith(f":{command[-1]}:ro")]
        written = _translated((ROOT / mounted.partition(":")[0]).read_text(), services, stack.ports)
        upstream = f"port {container_port(services['api'], 'api')}\n"
        assert written.count(upstream) == 1
        written = written.replace(upstream, f"port {stack.ports['api']}\n")
        command[-1] = str(directory / "Caddyfile")
        Path(command[-1]).write_text(written)
    if name.startswith("ray-"):
        command = ray_command(instance, command, stack, folder)
    env = environment(instance, services, stack)
    command[0] = str(Path(sys.executable).parent / command[0])
    first = _prioritise if name.startswith("ray-") else None
    with stack.logs[instance].open("ab") as output:
        stack.processes[instance] = subprocess.Popen(
            command, env=env, cwd=directory, stdout=output, stderr=subprocess.STDOUT, preexec_fn=first
        )


def _prioritise() -> None:
    """Give this process priority where it may: Ray 2.60 gives the agent of a node 15 s to start, also beside tests."""
    with suppress(PermissionError):
        os.nice(-15)


@contextmanager
def running(
    services: dict[str, Any], scale: dict[str, int] | None = None, changes: dict[str, dict[str, Any]] | None = None
) -> Iterator[Stack]:
    """Start the services, each after its dependencies are healthy; stop them at the end.

    Args:
        scale: number of instances of a service, as ``docker compose up --scale`` takes it.
        changes: variables of the environment of single instances, such as "api 2".
    """
    folder = Path(tempfile.mkdtemp(prefix="routescope-stack-"))
    folder.chmod(0o755)
    more = [f"{name} {number}" for name, count in (scale or {}).items() for number in range(2, count + 1)]
    instances = [*services, *more]
    further = [port for name, port in (("proxy", HTTPS), ("ray-head", NODES)) if name in services]
    ports = {name: free_port() for name in (*instances, *further)}
    replicas = [name for name in instances if service_of(name) == "api"]
    ports |= dict.fromkeys(replicas, ports["api"])
    with serving({"api": [host(name) for name in replicas]}) as names:
        stack = Stack(ports, names, {}, {name: folder / f"{name}.log" for name in instances}, folder, changes or {})
        try:
            _start_all(services, instances, stack)
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


def _start_all(services: dict[str, Any], instances: list[str], stack: Stack) -> None:
    while len(stack.processes) < len(instances):
        healthy = set(stack.processes)
        ready = [
            instance for instance in instances if set(services[service_of(instance)].get("depends_on", {})) <= healthy
        ]
        for member in (new := [member for member in ready if member not in healthy]):
            start(member, services, stack, stack.folder)
        for member in new:
            _await_health(member, services, stack)
            if member == "postgres":
                _create_database(services[member], stack.ports[member])
