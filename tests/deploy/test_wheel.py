"""A wheel serves what the checkout serves: page, assets and models come from inside it."""

import json
import os
import re
import shutil
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import httpx
import pytest

from routescope import zoo
from routescope.assets import ASSETS, DOCS
from routescope_app.dashboard import PAGES

ROOT = Path(__file__).resolve().parents[2]
#: What a build needs of the checkout.
PARTS = ("core", "app", "assets", "docs")
FILES = ("pyproject.toml", "setup.py", "MANIFEST.in", "README.md", "LICENSE")
SCRIPT = """
import asyncio, json, pathlib, re
import httpx
import routescope, routescope_app.main
from routescope.assets import ASSETS

async def main():
    served = routescope_app.main.create_app()
    transport = httpx.ASGITransport(app=served, raise_app_exceptions=False)
    async with served.router.lifespan_context(served):
        async with httpx.AsyncClient(transport=transport, base_url="http://127.0.0.1", timeout=300) as client:
            page = await client.get("/")
            names = set(re.findall(r'"(/(?:assets|web)/[^"]+[.][^"]+)"', page.text))
            found = [await client.get(name) for name in names]
            models = await client.get("/api/v1/models")
            scores = await client.get("/api/v1/health")
            documents = await client.get("/help/pages")
            pictures = [await client.get(name) for name in re.findall(r'src="(/help/pictures/[^"]+)"', documents.text)]
    return {
        "core": str(pathlib.Path(routescope.__file__)), "assets": str(ASSETS), "version": routescope.__version__,
        "page": page.status_code, "health": scores.status_code,
        "documents": [documents.status_code, *(each.status_code for each in pictures)],
        "fetched": {name.partition("?")[0]: (each.status_code, len(each.content)) for name, each in zip(names, found)},
        "models": [model["id"] for model in models.json()["items"]],
    }

print(json.dumps(asyncio.run(main())))
"""


@pytest.fixture(scope="module")
def unpacked(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder that has the wheel of this checkout, and nothing else."""
    source, wheels, target = (tmp_path_factory.mktemp(name) for name in ("source", "wheels", "target"))
    for part in PARTS:
        ignored = shutil.ignore_patterns("__pycache__")
        shutil.copytree(ROOT / part, source / part, ignore=ignored)
    for file in FILES:
        shutil.copy(ROOT / file, source)
    pip = [sys.executable, "-m", "pip", "--disable-pip-version-check", "--quiet", "--no-cache-dir"]
    subprocess.run([*pip, "wheel", "--no-deps", "--no-build-isolation", "--wheel-dir", wheels, source], check=True)
    (wheel,) = wheels.glob("routescope-*.whl")
    subprocess.run([*pip, "install", "--no-deps", "--no-compile", "--target", target, wheel], check=True)
    return target


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A user's project, whose own packages ``core`` and ``app`` must not be imported."""
    folder = tmp_path_factory.mktemp("project")
    for name in ("core", "app"):
        (folder / name).mkdir()
        (folder / name / "__init__.py").write_text(f"raise RuntimeError('the package {name} of the project ran')")
    return folder


@pytest.fixture(scope="module")
def variables(unpacked: Path, project: Path) -> dict[str, str]:
    """The environment of a process that has the wheel, and its data beside the project's packages."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith("ROUTESCOPE_")}
    return kept | {
        "PYTHONPATH": str(unpacked),
        "ROUTESCOPE_DATA_DIR": str(project / "data"),
        "ROUTESCOPE_WARM_UP": "false",
    }


@pytest.fixture(scope="module")
def said(project: Path, variables: dict[str, str]) -> dict[str, Any]:
    """What the wheel serves, from the folder of the project."""
    run = subprocess.run(
        [sys.executable, "-c", SCRIPT], cwd=project, env=variables, capture_output=True, text=True, check=False
    )
    assert run.returncode == 0, run.stderr[-3000:]
    document: dict[str, Any] = json.loads(run.stdout.splitlines()[-1])
    return document


def test_it_runs_from_the_wheel_alone(said: dict[str, Any], unpacked: Path) -> None:
    assert Path(said["core"]).is_relative_to(unpacked) and Path(said["assets"]).is_relative_to(unpacked)
    assert (said["page"], said["health"]) == (200, 200)


def test_the_page_and_its_assets_are_inside(said: dict[str, Any], unpacked: Path) -> None:
    bundle = {name.partition("/bundle/")[2] for name in said["fetched"]}
    assert {"boot.js", *(f"pages/{page.key}/index.js" for page in PAGES)} <= bundle
    assert all(status == 200 and size for status, size in said["fetched"].values()), said["fetched"]
    bundled = {path.relative_to(ASSETS) for path in ASSETS.rglob("*") if path.is_file()}
    inside = {path.relative_to(said["assets"]) for path in Path(said["assets"]).rglob("*") if path.is_file()}
    assert inside == {path for path in bundled if "__pycache__" not in path.parts}
    assert (unpacked / "routescope_app" / "services" / "migrations" / "env.py").is_file()


def test_the_documents_and_their_pictures_are_inside(said: dict[str, Any], unpacked: Path) -> None:
    assert len(said["documents"]) > 6 and set(said["documents"]) == {200}
    inside = {path.name for path in (unpacked / "routescope" / "_docs").iterdir()}
    assert inside == {path.name for path in DOCS.iterdir()}


def test_the_models_are_those_of_the_checkout(said: dict[str, Any]) -> None:
    bundled = {path.parent.name for path in (ASSETS / "checkpoints").glob("*/model.safetensors")}
    assert bundled and set(said["models"]) == bundled <= set(zoo.ids())


def test_types_and_licence_are_inside(unpacked: Path) -> None:
    assert all((unpacked / package / "py.typed").is_file() for package in ("routescope", "routescope_app"))
    (metadata,) = unpacked.glob("routescope-*.dist-info")
    about = (metadata / "METADATA").read_text()
    assert (metadata / "licenses" / "LICENSE").read_text().startswith("MIT License")
    assert "License-Expression: MIT" in about and "Requires-Python: >=3.11" in about
    assert {path.name for path in unpacked.iterdir()} == {"bin", metadata.name, "routescope", "routescope_app"}


def test_commands_run_beside_packages_called_core_and_app(project: Path, variables: dict[str, str]) -> None:
    program = [sys.executable, "-m", "routescope"]
    run = subprocess.run([*program, "models", "moe-bytes"], cwd=project, env=variables, capture_output=True, text=True)
    assert run.returncode == 0 and "moe-bytes" in run.stdout, run.stderr[-2000:]
    serve = subprocess.Popen([*program, "serve", "--port", "0"], cwd=project, env=variables, stderr=subprocess.PIPE)
    assert serve.stderr is not None
    try:
        lines = iter(serve.stderr.readline, b"")
        address = next(
            (matches[0] for line in lines if (matches := re.findall(r"http://[0-9.:]+", line.decode()))), None
        )
        assert address is not None, "the service ended before it was ready"
        assert httpx.get(f"{address}/api/v1/health").status_code == 200
    finally:
        serve.send_signal(signal.SIGTERM)
        serve.communicate()
    assert serve.returncode == 0
