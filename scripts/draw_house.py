"""Draws the house: its rooms as boxes, an arrow wherever one imports another. ``docs/architecture.svg`` is its picture.

Arrows that a way by other rooms says too are faint; the dashed one runs back, for ``.plot()``.

    python -m scripts.draw_house            # writes the picture
    python -m scripts.draw_house --list     # prints rooms and arrows, with how many imports each arrow stands for

``tests/test_house.py`` reads the imports here too, and compares the committed picture with today's rooms and arrows.
"""

import ast
import re
import sys
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cache
from html import escape
from pathlib import Path
from typing import Literal

import networkx as nx

ROOT = Path(__file__).resolve().parents[1]
PICTURE = ROOT / "docs" / "architecture.svg"
#: Folders of the packages.
TOPS = ("core", "app")

#: Room -> what it is for. The longest name that a module's own begins with is its room.
ROOMS = {
    "routescope.assets": "bundled files, data folder",
    "routescope.files": "reads untrusted files",
    "routescope.nn": "networks and their contract",
    "routescope.data": "data sets",
    "routescope.routing": "what one asks of routing",
    "routescope.plots": "figures",
    "routescope.zoo": "models and their cards",
    "routescope.api": "the functions of import routescope",
    "routescope.training": "training",
    "routescope.experiments": "one file an experiment",
    "routescope.cli": "the command line",
    "routescope_app.settings": "limits and paths",
    "routescope_app.services": "what the server knows and keeps",
    "routescope_app.api": "the API's routes",
    "routescope_app.api.schemas": "what the API says",
    "routescope_app.api.client": "asks the API",
    "routescope_app.dashboard": "pages",
    "routescope_app.figures": "components of other Dash apps",
    "routescope_app.main": "puts the server together",
    "routescope_app.commands": "serve",
}
#: Modules that belong to a room of another name.
BESIDE = {"routescope_app.api.addresses": "routescope_app.api.client", "routescope.__main__": "routescope.cli"}
#: Room -> column and row of its box.
PLACES = {
    "routescope.cli": (0, 0),
    "routescope.experiments": (0, 1),
    "routescope.training": (0, 2),
    "routescope.zoo": (0, 3),
    "routescope.routing": (0, 4),
    "routescope.plots": (1, 2),
    "routescope.api": (1, 3),
    "routescope.data": (0, 5),
    "routescope.nn": (0, 6),
    "routescope.assets": (0, 7),
    "routescope.files": (1, 6),
    "routescope_app.commands": (2, 0),
    "routescope_app.main": (2, 1),
    "routescope_app.figures": (1, 1),
    "routescope_app.dashboard": (3, 2),
    "routescope_app.api.client": (3, 3),
    "routescope_app.api.schemas": (3, 4),
    "routescope_app.api": (2, 2),
    "routescope_app.services": (2, 4),
    "routescope_app.settings": (2, 6),
}

Where = Literal["module", "function", "types"]


@dataclass(frozen=True)
class Import:
    """One import of a module of the house or of a library.

    Attributes:
        name: absolute name of the module.
        line: of the file that imports it.
        where: at the level of the module, inside a function, or for type checkers only.
    """

    name: str
    line: int
    where: Where


def sources() -> list[Path]:
    """Every Python file of core and app."""
    return sorted(path for top in TOPS for path in (ROOT / top).rglob("*.py"))


def module_of(path: Path) -> str:
    """Dotted name of the module in a file."""
    return ".".join(path.relative_to(ROOT).with_suffix("").parts[1:]).removesuffix(".__init__")


def within(module: str, room: str) -> bool:
    """Whether a module is a room or in it."""
    return module == room or module.startswith(room + ".")


def room_of(module: str) -> str | None:
    """Return the room of a module; None for both packages themselves."""
    return BESIDE.get(module) or max((room for room in ROOMS if within(module, room)), key=len, default=None)


@cache
def tree_of(path: Path) -> ast.Module:
    """The parsed file."""
    return ast.parse(path.read_text())


@cache
def _is_module(name: str) -> bool:
    places = [ROOT.joinpath(top, *name.split(".")) for top in TOPS]
    return any(place.is_dir() or place.with_suffix(".py").is_file() for place in places)


def _for_types(node: ast.If) -> bool:
    return ast.unparse(node.test).removeprefix("typing.") == "TYPE_CHECKING"


def _named(node: ast.Import | ast.ImportFrom, package: str) -> Iterator[str]:
    if isinstance(node, ast.Import):
        yield from (alias.name for alias in node.names)
        return
    base = node.module or ""
    if node.level:
        parents = package.split(".")
        base = ".".join([*parents[: len(parents) - node.level + 1], *([base] if base else [])])
    # `from routescope import zoo` imports routescope.zoo, so each name counts as a module of its own where it is one.
    for alias in node.names:
        yield f"{base}.{alias.name}" if _is_module(f"{base}.{alias.name}") else base


@cache
def imports(path: Path) -> tuple[Import, ...]:
    """What a file imports, wherever in it."""
    module = module_of(path)
    package = module if path.name == "__init__.py" else module.rpartition(".")[0]
    found: list[Import] = []

    def visit(node: ast.AST, where: Where) -> None:
        if isinstance(node, ast.Import | ast.ImportFrom):
            found.extend(Import(name, node.lineno, where) for name in dict.fromkeys(_named(node, package)))
        elif isinstance(node, ast.If) and _for_types(node):
            for child in node.body:
                visit(child, "types")
            for child in node.orelse:
                visit(child, where)
        else:
            inside = isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda)
            for child in ast.iter_child_nodes(node):
                visit(child, "function" if inside and where == "module" else where)

    visit(tree_of(path), "module")
    return tuple(found)


def arrows() -> Counter[tuple[str, str]]:
    """(room, room that it imports) -> number of imports."""
    found: Counter[tuple[str, str]] = Counter()
    for path in sources():
        room = room_of(module_of(path))
        for each in imports(path):
            other = room_of(each.name)
            if room and other and room != other:
                found[room, other] += 1
    return found


def drawn(svg: str) -> tuple[set[str], set[tuple[str, str]]]:
    """Rooms and arrows of a picture."""
    pairs = re.findall(r'data-from="([^"]+)" data-to="([^"]+)"', svg)
    return set(re.findall(r'data-room="([^"]+)"', svg)), {(start, end) for start, end in pairs}


# -- the picture ---------------------------------------------------------------------------------------------

#: Of two rooms that import each other, the one whose arrow is the exception.
RUN_BACK = ("routescope.routing", "routescope_app.api.client")
WIDTH, HEIGHT, BOX, TALL, MARGIN = 1_060, 700, 200, 46, 24
STEP_X, STEP_Y = 266, 86
INK, PAPER, SOFT, STRONG = "#1f2430", "#ffffff", "#f2f4f8", "#5b6577"
STYLE = f"""
text {{ font: 13px system-ui, sans-serif; fill: {INK}; }}
.what {{ font-size: 11px; fill: {STRONG}; }}
.count {{ font-size: 10px; fill: {STRONG}; }}
.room {{ fill: {SOFT}; stroke: {STRONG}; }}
.arrow {{ fill: none; stroke: {STRONG}; stroke-opacity: 0.75; }}
.implied {{ stroke-opacity: 0.16; }}
.back {{ stroke-dasharray: 4 4; }}
"""


def _corner(room: str) -> tuple[int, int]:
    column, row = PLACES[room]
    return MARGIN + column * STEP_X, MARGIN + row * STEP_Y


def _box(room: str) -> str:
    x, y = _corner(room)
    return (
        f'<g data-room="{room}"><rect class="room" x="{x}" y="{y}" width="{BOX}" height="{TALL}" rx="8"/>'
        f'<text x="{x + 12}" y="{y + 19}" font-weight="600">{room}</text>'
        f'<text class="what" x="{x + 12}" y="{y + 36}">{escape(ROOMS[room])}</text></g>'
    )


def _arrow(start: str, end: str, count: int, kind: str = "") -> str:
    """A curve from the lower edge, or beside the column where rooms lie between the two; ``kind`` is a class of it."""
    (x1, y1), (x2, y2) = _corner(start), _corner(end)
    rows, columns = PLACES[end][1] - PLACES[start][1], PLACES[end][0] - PLACES[start][0]
    if columns == 0 and rows == 1:
        sx, sy, ex, ey = x1 + BOX / 2, y1 + TALL, x2 + BOX / 2, y2 - 5
        path = f"M{sx:.0f} {sy:.0f} L{ex:.0f} {ey:.0f}"
        at = (sx + 10, (sy + ey) / 2 + 3)
    elif columns == 0:
        side = x1 + BOX
        bulge = side + 14 + 7 * abs(rows)
        sy, ey = y1 + TALL / 2 + 2 * rows, y2 + TALL / 2 - 2 * rows
        path = f"M{side} {sy:.0f} C{bulge} {sy:.0f} {bulge} {ey:.0f} {side + 5} {ey:.0f}"
        at = (side + (bulge - side) * 0.75 + 2, (sy + ey) / 2)
    else:
        sx, ex = (x1 + BOX, x2 - 5) if columns > 0 else (x1, x2 + BOX + 5)
        sy, ey = y1 + TALL / 2 + 3 * rows, y2 + TALL / 2 - 3 * rows
        middle = (sx + ex) / 2
        path = f"M{sx} {sy} C{middle:.0f} {sy} {middle:.0f} {ey} {ex} {ey}"
        at = (sx + (ex - sx) * 0.3, sy + (ey - sy) * 0.22 - 3)
    label = f'<text class="count" x="{at[0]:.0f}" y="{at[1]:.0f}">{count}</text>' if kind != "implied" else ""
    head = ' marker-end="url(#head)"' if kind != "implied" else ""
    line = f'<path class="arrow {kind}" d="{path}" stroke-width="{min(4.0, 1 + count / 25):.1f}"{head}/>'
    said = f"<title>{start} imports {end}, {count} times</title>"
    return f'<g data-from="{start}" data-to="{end}">{said}{line}{label}</g>'


def kinds(pairs: Iterable[tuple[str, str]]) -> dict[tuple[str, str], str]:
    """Arrow -> "back" where it runs against another, "implied" where a way by other rooms says it too, else empty."""
    house = nx.DiGraph(list(pairs))
    back = {(start, end) for start, end in house.edges if house.has_edge(end, start) and start in RUN_BACK}
    house.remove_edges_from(back)
    kept = set(nx.transitive_reduction(house).edges) if nx.is_directed_acyclic_graph(house) else set(house.edges)
    return {pair: "back" if pair in back else "" if pair in kept else "implied" for pair in pairs}


def draw() -> str:
    """The picture as SVG."""
    found = arrows()
    kind = kinds(found)
    head = (
        '<marker id="head" viewBox="0 0 8 8" refX="6" refY="4" markerWidth="9" markerHeight="9" '
        f'markerUnits="userSpaceOnUse" orient="auto"><path d="M0 0 L8 4 L0 8 z" fill="{STRONG}"/></marker>'
    )
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" width="{WIDTH}" height="{HEIGHT}" '
        'role="img" aria-label="The rooms of Routescope and which imports which">',
        f"<style>{STYLE}</style><defs>{head}</defs>",
        f'<rect width="{WIDTH}" height="{HEIGHT}" fill="{PAPER}"/>',
        *(_arrow(start, end, count, kind[start, end]) for (start, end), count in sorted(found.items())),
        *(_box(room) for room in ROOMS),
        "</svg>",
    ]
    return "\n".join(parts) + "\n"


if __name__ == "__main__":
    if "--list" in sys.argv[1:]:
        lines = [f"{start} -> {end} ({count})" for (start, end), count in sorted(arrows().items())]
        sys.stdout.write("\n".join(lines) + "\n")
    else:
        PICTURE.write_text(draw())
