"""Rules of the whole code: imports, circles, sizes, names, pickles, tracked files, documents."""

import ast
import hashlib
import importlib
import json
import re
import subprocess
import sys
import tomllib
from collections import Counter
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import brotli
import networkx as nx
import pytest

import routescope
from routescope.cli import Program, load
from scripts.draw_house import (
    PICTURE,
    ROOMS,
    ROOT,
    Import,
    arrows,
    drawn,
    imports,
    module_of,
    room_of,
    sources,
    tree_of,
    within,
)

PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
SOURCES = sources()
PYTHON = [*SOURCES, *sorted((ROOT / "tests").rglob("*.py")), *sorted((ROOT / "scripts").rglob("*.py"))]

#: The rooms of core, each of which may import those after it.
DOWN = (
    "routescope.cli",
    "routescope.experiments",
    "routescope.training",
    "routescope.api",
    "routescope.zoo",
    "routescope.routing",
    "routescope.data",
    "routescope.nn",
    "routescope.files",
    "routescope.assets",
)
BELOW = {room: set(DOWN[at + 1 :]) for at, room in enumerate(DOWN)}
#: What each room may import of the house, itself apart.
MAY_IMPORT = BELOW | {
    "routescope.experiments": {"routescope.plots"} | BELOW["routescope.experiments"],
    "routescope.plots": {"routescope.routing"} | BELOW["routescope.routing"],
    "routescope_app.settings": {"routescope.assets"},
    "routescope_app.services": {"routescope.experiments", "routescope_app.api.schemas", "routescope_app.settings"}
    | BELOW["routescope.experiments"],
    "routescope_app.api": {
        "routescope_app.services",
        "routescope_app.api.schemas",
        "routescope_app.settings",
        "routescope.experiments",
    }
    | BELOW["routescope.experiments"],
    "routescope_app.api.schemas": BELOW["routescope.experiments"],
    "routescope_app.api.client": {"routescope_app.api.schemas", "routescope_app.settings"},
    "routescope_app.dashboard": {
        "routescope_app.api.client",
        "routescope_app.api.schemas",
        "routescope_app.settings",
        "routescope.assets",
    },
    "routescope_app.figures": {"routescope.api", "routescope.routing"},
    "routescope_app.main": {
        "routescope_app.api",
        "routescope_app.api.client",
        "routescope_app.dashboard",
        "routescope_app.services",
        "routescope_app.settings",
    },
    "routescope_app.commands": {
        "routescope.assets",
        "routescope.cli",
        "routescope_app.main",
        "routescope_app.services",
        "routescope_app.settings",
    },
}
#: Arrows that run back: to where the figures are, for ``.plot()`` and for type checkers.
BACK = {("routescope.routing", "routescope.plots")}

#: Rooms whose files and subfolders import each other one way.
BIG_ROOMS = (
    "routescope.api",
    "routescope.data",
    "routescope.experiments",
    "routescope.nn",
    "routescope.routing",
    "routescope.training",
    "routescope_app.api",
    "routescope_app.dashboard",
    "routescope_app.services",
)
#: Who imports inside functions: commands, and what they start, so that a command loads what it needs.
COMMANDS = ("routescope.cli", "routescope_app.commands", "routescope_app.main")
#: Whose import takes as long as matplotlib's.
DRAWINGS = ("routescope.plots", "routescope.experiments.printed")
#: Libraries that are imported where they are used, as start-up takes seconds otherwise, or as they may be missing.
LATE = {
    "datasets": "a second to load; read where a real data set is named",
    "kornia": "an extra",
    "matplotlib": "for figures and for digits rendered from its fonts",
    "networkx": "a tenth of what the notebook's first import takes; for one method of traces",
    "openTSNE": "seconds to load; one method of maps",
    "opentelemetry": "an extra",
    "pyarrow": "a third of a second to load; of logs in parquet",
    "pytorch_optimizer": "an extra",
    "PIL": "fonts of the rendered digits",
    "ray": "an extra",
    "botocore": "with s3fs",
    "psycopg": "may be missing: the driver of PostgreSQL",
    "s3fs": "an extra",
    "safetensors": "of frozen encoders, where there are any",
    "scipy": "a third of a second to load, and 33 MB; of graphs and of the separation of points",
    "sklearn": "seconds to load",
    "sknetwork": "seconds to load",
    "tokenizers": "for networks that read text",
    "transformers": "seconds to load; for mixtures of experts that others made",
    "umap": "compiles for seconds when it is imported; one method of maps",
}

#: Code lines of a function at most, without its docstring.
LONGEST_FUNCTION = 80
LONGEST_FILE = 800
MOST_FILES = 24
#: Longer functions, by file and name, each with its reason.
LONGER_FUNCTIONS = {
    "app/routescope_app/services/migrations/versions/r0012_baseline.py upgrade": "makes every table of the database",
}

#: Words for a network: what is named so has the contract's type, and is asked for nothing that the contract lacks.
NETWORK = re.compile(r"(?:\w+_)?(?:model|network|view|net)")
#: Options that read no pickles.
SAFE = {("allow_pickle", "False"), ("weights_only", "True")}
#: Packages that ``core`` does without.
WEB = {
    "routescope_app",
    "fastapi",
    "starlette",
    "uvicorn",
    "dash",
    "dash_mantine_components",
    "flask",
    "sqlalchemy",
    "alembic",
}

#: Of all tracked files together; a network of every kind of input is bundled.
MOST_BYTES = 48 * 2**20


def relative(path: Path) -> str:
    return path.relative_to(ROOT).as_posix()


def said(lines: list[str]) -> str:
    """Return the lines and their count as the message of an assertion."""
    return f"{len(lines)}:\n" + "\n".join(lines)


# -- arrows --------------------------------------------------------------------------------------------------


def test_imports_run_one_way() -> None:
    """Only the packages themselves, ``routescope`` and ``routescope_app``, are in no room."""
    assert set(MAY_IMPORT) == set(ROOMS)
    assert {module_of(path) for path in SOURCES if room_of(module_of(path)) is None} == {"routescope", "routescope_app"}
    wrong = []
    for path in SOURCES:
        room = room_of(module_of(path))
        for line in imports(path):
            other = room_of(line.name)
            if room is None or other is None or other == room or other in MAY_IMPORT[room]:
                continue
            if (room, other) not in BACK or line.where == "module":
                wrong.append(f"{relative(path)}:{line.line} imports {line.name}")
    assert not wrong, said(wrong)


def circles(house: nx.DiGraph) -> list[str]:
    """Return every group of nodes that reach each other, sorted, as one line each."""
    groups = [sorted(group) for group in nx.strongly_connected_components(house) if len(group) > 1]
    return sorted(" <-> ".join(group) for group in groups)


def runs_back(module: str, imported: Import) -> bool:
    """Whether an import is one of the declared arrows back, which no module runs when it is loaded."""
    return imported.where != "module" and (room_of(module), room_of(imported.name)) in BACK


def inner_arrows(room: str = "") -> nx.DiGraph:
    """Return who imports whom, in functions and for type checkers too, without the declared arrows back.

    Args:
        room: nodes are the files and subfolders directly in this room; without a room, all modules.
    """
    modules = {module_of(path) for path in SOURCES}
    house = nx.DiGraph()

    def node(module: str) -> str:
        return ".".join(module.split(".")[: room.count(".") + 2]) if room else module

    for path in SOURCES:
        module = module_of(path)
        for imported in imports(path):
            inside = not room or (module.startswith(room + ".") and imported.name.startswith(room + "."))
            if inside and imported.name in modules and not runs_back(module, imported):
                house.add_edge(node(module), node(imported.name))
    house.remove_edges_from(list(nx.selfloop_edges(house)))
    return house


@pytest.mark.parametrize("room", ["", *BIG_ROOMS])
def test_no_circles(room: str) -> None:
    """Between modules, and between the files and subfolders of a room, by imports of every kind."""
    wrong = circles(inner_arrows(room))
    assert not wrong, said(wrong)


def test_imports_inside_functions_have_a_reason() -> None:
    """Commands load what they need, ``.plot()`` its figures, and libraries of ``LATE`` are slow or may be missing."""
    wrong, late = [], set()
    for path in SOURCES:
        for line in imports(path):
            library = line.name.partition(".")[0]
            if line.where != "function":
                continue
            late.add(library)
            command = any(within(module_of(path), room) for room in COMMANDS)
            draws = any(within(line.name, room) for room in DRAWINGS)
            if not command and library not in LATE and not draws:
                wrong.append(f"{relative(path)}:{line.line} imports {line.name}")
    assert not wrong, said(wrong)
    assert set(LATE) <= late, "a reason that is not needed"


def test_the_picture_of_the_house_is_todays() -> None:
    """Rooms and arrows; run ``python -m scripts.draw_house`` where it is not."""
    assert drawn(PICTURE.read_text()) == (set(ROOMS), set(arrows()))


def test_the_architecture_names_what_exists() -> None:
    """Its table has every room; paths, modules and tests that it names are there."""
    text = (ROOT / "docs" / "architecture.md").read_text()
    assert re.findall(r"^\| `(routescope[\w.]*)` \|", text, re.MULTILINE) == list(ROOMS)
    tests = {name for path in PYTHON for name in re.findall(r"^def (test_\w+)", path.read_text(), re.MULTILINE)}
    modules = {module_of(path) for path in SOURCES}
    named = re.findall(r"`([^`\s<>]+)`", re.sub(r"```.*?```", "", text, flags=re.DOTALL))
    missing = []
    for name in named:
        if re.fullmatch(r"(?:app|assets|core|tests)/[\w./]+", name):
            missing += [] if (ROOT / name).exists() else [name]
        elif re.fullmatch(r"routescope(?:_app)?(?:\.\w+)+", name):
            parent, _, attribute = name.rpartition(".")
            exists = name in modules or (parent in modules and hasattr(importlib.import_module(parent), attribute))
            missing += [] if exists or name == "routescope.networks" else [name]
        elif name.startswith("test_"):
            missing += [] if name in tests else [name]
    assert len(named) > 50
    assert not missing, said(missing)


#: The folders of the page's modules, each of which may import those after it.
WEB_DOWN = ("pages", "parts", "draw", "lib", "vendor")


def test_modules_import_one_way() -> None:
    """From pages down, never between pages, without circles; ``boot.js`` may import all but pages."""
    web = ROOT / "assets" / "web"
    arrows = nx.DiGraph(
        (path.relative_to(web).as_posix(), other)
        for path in web_files()
        if path.suffix == ".js"
        for other in re.findall(r'(?:\bfrom|^import) "rs/([^"]+)";', path.read_text(), re.M)
    )
    assert arrows.number_of_edges() > arrows.number_of_nodes(), "hardly any import was found"
    wrong = circles(arrows)
    for name, other in arrows.edges:
        assert (web / other).is_file(), f"{name} imports {other}, which is not there"
        (top, *rest), (below, *inside) = name.split("/"), other.split("/")
        same = below == top and (top != "pages" or inside[0] == rest[0])
        at = 0 if name == "boot.js" else WEB_DOWN.index(top)
        if not same and WEB_DOWN.index(below) <= at:
            wrong.append(f"{name} -> {other}")
    assert not wrong, said(wrong)


def test_vendored_libraries_are_as_they_were_made() -> None:
    """By checksum, at the versions of the lock file, with licences; ``make vendor`` makes them."""
    folder = ROOT / "assets" / "web" / "vendor"
    listed = json.loads((folder / "vendored.json").read_text())
    locked = json.loads((ROOT / "scripts" / "vendor" / "package-lock.json").read_text())["packages"]
    contents = {path.name: path.read_bytes() for path in folder.glob("*.js")}
    contents |= {path.stem: brotli.decompress(path.read_bytes()) for path in folder.glob("*.js.br")}
    assert set(listed) == set(contents)
    for name, about in listed.items():
        assert hashlib.sha256(contents[name]).hexdigest() == about["sha256"], f"{name} was changed"
        licences = (folder / name.replace(".js", ".LICENSE.txt")).read_text()
        for package, version in about["packages"].items():
            assert locked[f"node_modules/{package}"]["version"] == version and f"{package} {version} (" in licences
        for package, version in about.get("python", {}).items():  # cut out of what it brings
            assert f"{package} {version} (" in licences
    sheets = {about["sheet"]["name"]: about["sheet"]["sha256"] for about in listed.values() if "sheet" in about}
    assert sheets == {path.name: hashlib.sha256(path.read_bytes()).hexdigest() for path in folder.glob("*.css")}


def test_nothing_of_the_page_hangs_on_its_global() -> None:
    """``window.routescope`` is what tests ask a page for; modules import each other.

    The Python code that pages write imports the package of the same name.
    """
    using = {
        relative(path)
        for path in web_files()
        if re.search(r"(?<!from )(?<!, )\broutescope\.|window\.routescope", path.read_text())
    }
    assert using == {"assets/web/lib/handle.js"}


#: Classes that code joins from parts: the part that stands in no string.
JOINED = re.compile(r"^(panel-|is-|experts-)|-(tree|place)$|^span-\d+$|^driver-popover-arrow-side-")


def test_every_class_and_id_of_the_style_sheets_stands_in_the_code() -> None:
    """A rule whose class or id no module and no Python file of the page names is left over."""
    vendor = ROOT / "assets" / "web" / "vendor"
    sheets = [path for path in web_files() if path.suffix == ".css" and vendor not in path.parents]
    code = [path for path in web_files() if path.suffix == ".js"] + [*(ROOT / "app").rglob("*.py")]
    strings = " ".join(" ".join(re.findall(r'"[^"\n]*"|`[^`]*`', path.read_text())) for path in code)
    words = set(re.findall(r"[\w-]+", strings))
    left_over = {
        f"{relative(path)}: {name}"
        for path in sheets
        for selector in re.findall(r"([^{};]+)\{", re.sub(r"/\*.*?\*/", "", path.read_text(), flags=re.DOTALL))
        for name in re.findall(r"[.#]([a-zA-Z][\w-]*)", re.sub(r'"[^"]*"', "", selector))
        if name not in words and JOINED.sub("", name) not in words | {""}
    }
    assert not left_over, sorted(left_over)


# -- sizes ---------------------------------------------------------------------------------------------------


def web_files() -> list[Path]:
    """Return the page's modules and style sheets, without the bundle made of them."""
    web = ROOT / "assets" / "web"
    return [path for kind in ("*.js", "*.css") for path in web.rglob(kind) if web / "bundle" not in path.parents]


Function = ast.FunctionDef | ast.AsyncFunctionDef


@cache
def nodes(path: Path) -> list[ast.AST]:
    """Return all nodes of a file's syntax tree."""
    return list(ast.walk(tree_of(path)))


def functions(path: Path) -> Iterator[Function]:
    return (node for node in nodes(path) if isinstance(node, Function))


def lines_of(function: Function) -> int:
    """Count the lines from ``def`` to the end, without the docstring."""
    first = function.body[0]
    docstring = 0 if ast.get_docstring(function) is None else (first.end_lineno or 0) - first.lineno + 1
    return (function.end_lineno or 0) - function.lineno + 1 - docstring


def test_folders_files_and_functions_are_small() -> None:
    files = [*PYTHON, *web_files()]
    folders = Counter(relative(path.parent) for path in files if path.name != "__init__.py")
    wrong = [f"{folder}: {count} files" for folder, count in folders.items() if count > MOST_FILES]
    lengths = {relative(path): len(path.read_text().splitlines()) for path in files}
    wrong += [f"{name}: {length} lines" for name, length in lengths.items() if length > LONGEST_FILE]
    long = {
        f"{relative(path)} {function.name}": lines_of(function)
        for path in PYTHON
        for function in functions(path)
        if lines_of(function) > LONGEST_FUNCTION
    }
    wrong += [f"{name}: {length} lines" for name, length in long.items() if name not in LONGER_FUNCTIONS]
    wrong += [f"{name} needs no exemption" for name in LONGER_FUNCTIONS if name not in long]
    assert not wrong, said(wrong)


# -- slivers -------------------------------------------------------------------------------------------------

#: A module with fewer lines and a single importer, a neighbour in its folder, is merged into that importer.
SMALL_FILE = 120
#: Modules that list registrations: commands, recipes, tasks, data sets, and the parts that a server starts.
LISTS = {
    "routescope.data.points.sets",
    "routescope.training.recipes.networks",
    "routescope.training.tasks.registry",
    "routescope_app.services.container",
}
#: Small modules that stay files, each with its reason.
SMALL = {
    "routescope.nn.blocks.routes": "routes as plain data, tested without a network",
    "routescope.experiments.ni_drop": "an experiment, which is found by its file",
    "routescope.nn.adapters.tokenizer_file": "a trial in its own process; folder.py reads weights and has 640 lines",
    "routescope_app.services.jobs.turns": "rules of a queue without a database, tested as properties",
}


def importers() -> dict[str, set[str]]:
    """Return the modules of core and app that import each module."""
    modules = {module_of(path) for path in SOURCES}
    users: dict[str, set[str]] = {module: set() for module in modules}
    for path in SOURCES:
        module = module_of(path)
        for imported in imports(path):
            if imported.name in modules and imported.name != module:
                users[imported.name].add(module)
    return users


def test_small_modules_with_one_importer_are_merged() -> None:
    """A package's ``__init__`` is no such importer: it only gathers names, or lists what registers itself."""
    files = {module_of(path): path for path in SOURCES if path.name != "__init__.py"}
    slivers = {}
    for module, users in importers().items():
        if module not in files or len(users) != 1:
            continue
        (user,) = users
        length = len(files[module].read_text().splitlines())
        if user in files and user not in LISTS and files[user].parent == files[module].parent and length < SMALL_FILE:
            slivers[module] = f"{module} ({length} lines) is imported by {user} alone"
    wrong = [reason for module, reason in slivers.items() if module not in SMALL]
    wrong += [f"{module} needs no exemption" for module in SMALL if module not in slivers]
    assert not wrong, said(sorted(wrong))


# -- networks ------------------------------------------------------------------------------------------------


def last_name(node: ast.expr) -> str:
    """``b`` of ``a.b``; the name itself of a name."""
    return node.attr if isinstance(node, ast.Attribute) else node.id if isinstance(node, ast.Name) else ""


def test_networks_have_a_type_and_are_not_probed_for_attributes() -> None:
    wrong = []
    for path in SOURCES:
        for node in nodes(path):
            typed: list[tuple[str, ast.expr | None]] = []
            if isinstance(node, Function):
                given = node.args
                typed = [(arg.arg, arg.annotation) for arg in [*given.posonlyargs, *given.args, *given.kwonlyargs]]
            elif isinstance(node, ast.AnnAssign):
                typed = [(last_name(node.target), node.annotation)]
            for name, annotation in typed:
                if annotation and NETWORK.fullmatch(name) and re.search(r"\bAny\b", ast.unparse(annotation)):
                    wrong.append(f"{relative(path)}:{annotation.lineno} {name}: {ast.unparse(annotation)}")
            if isinstance(node, ast.Call) and last_name(node.func) in {"getattr", "hasattr"} and node.args:
                asked = node.args[0]
                if NETWORK.fullmatch(last_name(asked).lstrip("_")) or ast.unparse(asked).endswith("model.config"):
                    wrong.append(f"{relative(path)}:{node.lineno} {ast.unparse(node)[:80]}")
    assert not wrong, said(wrong)


# -- names ---------------------------------------------------------------------------------------------------

#: Public classes that share a name, each with its reason.
SHARED_NAMES = {
    "Settings": "one class an experiment, and the service's",
}


def test_a_name_has_one_meaning() -> None:
    """Public classes are unique in the house; a schema of the API has the name of the class that it describes."""
    places: dict[str, list[str]] = {}
    for path in SOURCES:
        for node in nodes(path):
            if isinstance(node, ast.ClassDef) and not node.name.startswith("_"):
                places.setdefault(node.name, []).append(module_of(path))
    wrong = []
    for name, modules in places.items():
        schemas = [module for module in modules if within(module, "routescope_app.api.schemas")]
        if len(schemas) > 1 or len(modules) - len(schemas) > 1:
            wrong.append(f"{name}: {', '.join(sorted(modules))}")
    shared = {line.partition(":")[0] for line in wrong}
    assert shared == set(SHARED_NAMES), said(sorted(wrong))


# -- what nothing may do -------------------------------------------------------------------------------------


def test_core_is_usable_without_web_and_database() -> None:
    modules = [module_of(path) for path in SOURCES if within(module_of(path), "routescope")]
    script = (
        "import importlib, sys\n"
        f"for name in {modules!r}: importlib.import_module(name)\n"
        f"print(*sorted({WEB!r} & {{name.partition('.')[0] for name in sys.modules}}))"
    )
    run = subprocess.run([sys.executable, "-c", script], cwd=ROOT, capture_output=True, text=True, check=False)
    assert run.returncode == 0, run.stderr
    assert run.stdout.split() == []


def test_nothing_is_unpickled() -> None:
    modules = {"pickle", "cPickle", "dill", "joblib", "shelve", "marshal", "cloudpickle", "jsonpickle"}
    calls = {"torch.load", "pandas.read_pickle", "pd.read_pickle", "torch.save", "torch.hub.load"}
    wrong = []
    for path in SOURCES:
        lines = [line for line in imports(path) if line.name.split(".")[0] in modules]
        wrong += [f"{relative(path)}:{line.line} imports {line.name}" for line in lines]
        for node in nodes(path):
            if not isinstance(node, ast.Call):
                continue
            called = ast.unparse(node.func) if isinstance(node.func, ast.Attribute) else ""
            allowing = {(word.arg, ast.unparse(word.value)) for word in node.keywords} - SAFE
            if called in calls or any(name in {"allow_pickle", "weights_only"} for name, _ in allowing):
                wrong.append(f"{relative(path)}:{node.lineno} {ast.unparse(node)[:80]}")
    assert not wrong, said(wrong)


def tracked() -> list[Path]:
    listed = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, text=True, check=True).stdout
    return [ROOT / name for name in listed.split("\0") if name and (ROOT / name).is_file()]


def test_tracked_files_are_light() -> None:
    """A clone stays small: networks are stored as integers (scripts/store_as_integers.py), or are not bundled."""
    sizes = {relative(path): path.stat().st_size for path in tracked()}
    largest = [f"{sizes[name]:,} {name}" for name in sorted(sizes, key=sizes.__getitem__, reverse=True)[:10]]
    assert sum(sizes.values()) < MOST_BYTES, "\n".join([f"{sum(sizes.values()):,} bytes in all, the most in", *largest])


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


#: What messages of errors point to in React and Mantine as published, and as Dash carries them.
NAMED_IN_ERRORS = {
    "vendor/react.js": {"reactjs.org", "fb.me"},
    "vendor/dash_mantine_components.js": {"mantine.dev", "fb.me"},
}


PLOTLY = {"plotly3d.js.br"}


def test_the_page_fetches_nothing_from_elsewhere() -> None:
    """What the browser gets names no other host (namespaces of SVG and the like are names, not addresses).

    But for Plotly, which is not read: as published it names its maker's services, which clouds of points do not
    use (draw/cloud.js), and the policy of the page would not let it ask.
    """
    web = ROOT / "assets" / "web"
    wrong = []
    for path in sorted(web.rglob("*")):
        name = path.relative_to(web).as_posix().removesuffix(".br")
        if Path(name).suffix not in {".js", ".css", ".html", ".svg", ".json"} or path.name in PLOTLY:
            continue
        content = path.read_bytes()
        text = (brotli.decompress(content) if path.suffix == ".br" else content).decode()
        for host in re.findall(r"https?://([\w.-]+)", text):
            if host not in {"www.w3.org", "localhost", "127.0.0.1"} | NAMED_IN_ERRORS.get(name, set()):
                wrong.append(f"{relative(path)}: {host}")
    assert not wrong, "\n".join(wrong)


def test_one_version() -> None:
    newest = re.search(r"^## (\d\S+)", (ROOT / "CHANGELOG.md").read_text(), re.MULTILINE)
    assert newest is not None
    assert newest.group(1) == PROJECT["version"] == routescope.__version__


def test_documents_name_files_commands_and_options_that_exist() -> None:
    commands = {name: load(name) for name in Program().list_commands(None)}
    targets = set(re.findall(r"^([a-z]+):", (ROOT / "Makefile").read_text(), re.MULTILINE))
    wrong = []
    for path in [path for path in tracked() if path.suffix == ".md"]:
        text = path.read_text()
        links = ("".join(match) for match in re.findall(r"\]\(([^)#\s]+)(?:#[^)]*)?\)|src=\"([^\"]+)\"", text))
        missing = [link for link in links if not re.match(r"\w+:", link) and not (path.parent / link).exists()]
        if path.name == "README.md":
            missing += [
                f"make {name}" for name in re.findall(r"(?:^|`)make ([a-z]+)", text, re.M) if name not in targets
            ]
        code = "\n".join(re.findall(r"```.*?```|`[^`\n]+`", text, re.DOTALL)).replace("\\\n", " ")
        for line in re.findall(r"(?:^|[`\s$])(?<!import )routescope +([a-z][^\n`|#>]*)", code):
            name, *arguments = line.split()
            options = {"--help"}
            if name in commands:
                options |= {option for parameter in commands[name].params for option in parameter.opts}
            unknown = [word for word in arguments if word.startswith("-") and word.split("=")[0] not in options]
            missing += [f"routescope {line}"] if unknown or name not in commands else []
        wrong += [f"{relative(path)}: {what}" for what in missing]
    assert not wrong, said(wrong)
