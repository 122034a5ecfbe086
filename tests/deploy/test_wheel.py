"""A wheel serves the pages, assets, documents and models of the checkout from its own files."""

import os
import re
import shutil
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest

from routescope import zoo
from routescope.assets import ASSETS, DOCS
from routescope_app.dashboard import PAGES

ROOT = Path(__file__).resolve().parents[2]
#: Folders and files of the checkout that a build needs.
PARTS = ("core", "app", "assets", "docs")
FILES = ("pyproject.toml", "setup.py", "MANIFEST.in", "README.md", "LICENSE")
PLACES = "import routescope; from routescope.assets import ASSETS; print(routescope.__file__, ASSETS, sep='\\n')"


@pytest.fixture(scope="module")
def unpacked(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the wheel of this checkout alone."""
    source, wheels, target = (tmp_path_factory.mktemp(name) for name in ("source", "wheels", "target"))
    for part in PARTS:
        shutil.copytree(ROOT / part, source / part, ignore=shutil.ignore_patterns("__pycache__"))
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
    """The environment of a process with the wheel, whose data lie beside the project's packages."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith("ROUTESCOPE_")}
    return kept | {
        "PYTHONPATH": str(unpacked),
        "ROUTESCOPE_DATA_DIR": str(project / "data"),
        "ROUTESCOPE_WARM_UP": "false",
    }


@pytest.fixture(scope="module")
def address(project: Path, variables: dict[str, str]) -> Iterator[str]:
    """The address of a service that runs from the wheel, in the folder of the project."""
    command = [sys.executable, "-m", "routescope", "serve", "--port", "0"]
    serve = subprocess.Popen(command, cwd=project, env=variables, stderr=subprocess.PIPE)
    assert serve.stderr is not None
    try:
        lines = (line.decode() for line in iter(serve.stderr.readline, b""))
        address = next((match[0] for line in lines if (match := re.search(r"http://[0-9.:]+", line))), None)
        assert address is not None, "the service ended before it was ready"
        yield address
    finally:
        serve.send_signal(signal.SIGTERM)
        serve.communicate()
    assert serve.returncode == 0


def test_commands_run_beside_packages_called_core_and_app(project: Path, variables: dict[str, str]) -> None:
    command = [sys.executable, "-m", "routescope", "models", "moe-bytes"]
    run = subprocess.run(command, cwd=project, env=variables, capture_output=True, text=True, check=False)
    assert run.returncode == 0 and "moe-bytes" in run.stdout, run.stderr[-2000:]


def test_the_service_has_the_pages_documents_and_models_of_the_checkout(
    address: str, unpacked: Path, project: Path, variables: dict[str, str]
) -> None:
    run = subprocess.run([sys.executable, "-c", PLACES], cwd=project, env=variables, stdout=subprocess.PIPE, text=True)
    core, assets = map(Path, run.stdout.splitlines())
    assert core.is_relative_to(unpacked) and assets.is_relative_to(unpacked)
    bundled = {path.relative_to(ASSETS) for path in ASSETS.rglob("*") if path.is_file()}
    inside = {path.relative_to(assets) for path in assets.rglob("*") if path.is_file()}
    assert inside == {path for path in bundled if "__pycache__" not in path.parts}
    assert (unpacked / "routescope_app" / "services" / "migrations" / "env.py").is_file()
    documents = {path.name for path in (unpacked / "routescope" / "_docs").iterdir()}
    assert documents == {path.name for path in DOCS.iterdir()}

    with httpx.Client(base_url=address, timeout=300) as client:
        page = client.get("/").raise_for_status().text
        names = set(re.findall(r'"(/(?:assets|web)/[^"]+[.][^"]+)"', page))
        help_pages = client.get("/help/pages").raise_for_status().text
        pictures = re.findall(r'src="(/help/pictures/[^"]+)"', help_pages)
        assert len(pictures) > 5
        for name in (*names, *pictures):
            assert client.get(name).raise_for_status().content, name
        bundle = {name.partition("?")[0].partition("/bundle/")[2] for name in names}
        assert {"boot.js", *(f"pages/{page.key}/index.js" for page in PAGES)} <= bundle
        served = {model["id"] for model in client.get("/api/v1/models").raise_for_status().json()["items"]}
    models = {path.parent.name for path in (ASSETS / "checkpoints").glob("*/model.safetensors")}
    assert models and served == models <= set(zoo.ids())


def test_types_and_licence_are_inside(unpacked: Path) -> None:
    assert all((unpacked / package / "py.typed").is_file() for package in ("routescope", "routescope_app"))
    (metadata,) = unpacked.glob("routescope-*.dist-info")
    about = (metadata / "METADATA").read_text()
    assert (metadata / "licenses" / "LICENSE").read_text().startswith("MIT License")
    assert "License-Expression: MIT" in about and "Requires-Python: >=3.11" in about
    assert {path.name for path in unpacked.iterdir()} == {"bin", metadata.name, "routescope", "routescope_app"}
