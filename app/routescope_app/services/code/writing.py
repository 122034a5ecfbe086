"""Python text made of templates: names and ids from people are only ever literals, or comments of one line."""

import re
import textwrap
from collections.abc import Sequence
from string import Template
from typing import Any

from routescope.routing.options import OPTIONS
from routescope_app.api.schemas.code import FigureFacts, ModelFacts, OfModel, SetCount

_ALONE = re.compile(r"( *)\$(\w+)")


def literal(value: Any) -> str:
    """Return a value of JSON as a Python literal on one line; characters that readers cannot see are escaped."""
    match value:
        case str():
            return '"' + "".join(map(_escaped, value)) + '"'
        case tuple():
            return "(" + " ".join(literal(item) + "," for item in value) + ")"
        case list():
            return "[" + ", ".join(map(literal, value)) + "]"
        case dict():
            return "{" + ", ".join(f"{literal(name)}: {literal(item)}" for name, item in value.items()) + "}"
    return repr(value)


def _escaped(character: str) -> str:
    if character in '\\"':
        return "\\" + character
    if character.isprintable():
        return character
    number = ord(character)
    return f"\\u{number:04x}" if number <= 0xFFFF else f"\\U{number:08x}"


def comment(text: str) -> str:
    """Return a comment of one line."""
    return "# " + "".join(character if character.isprintable() else " " for character in text).strip()


def options(values: dict[str, Any]) -> str:
    """Return keyword arguments of a call."""
    return ", ".join(f"{name}={literal(value)}" for name, value in values.items())


def intervention(asked: ModelFacts) -> str:
    """Return the intervention of a figure; ``rs.Intervention()`` changes nothing."""
    values = {name: getattr(asked, name) for name in OPTIONS}
    changed = {
        name: tuple(value) if isinstance(value, list) else value
        for name, value in values.items()
        if value not in (None, [], {})
    }
    return f"rs.Intervention({options(changed)})"


def filled(template: str, **parts: str) -> str:
    """Return a template with ``$name`` replaced; a line with nothing else takes the lines of its part, or goes."""
    lines: list[str] = []
    for line in template.strip("\n").split("\n"):
        if alone := _ALONE.fullmatch(line):
            part = parts[alone[2]]
            lines += [textwrap.indent(part, alone[1])] if part else []
        else:
            lines.append(Template(line).substitute(parts))
    return "\n".join(lines)


def written(asked: FigureFacts, text: str) -> str:
    """Return code that begins with the figure's address and all imports, others before those of Routescope."""
    lines = ["import routescope as rs", *text.split("\n")]
    imports = {line for line in lines if line.startswith(("import ", "from "))}
    own = {line for line in imports if line.split()[1].split(".")[0] == "routescope"}
    groups = ["\n".join(sorted(group, key=lambda line: (line[0] == "f", line))) for group in (imports - own, own)]
    body = "\n".join(line for line in lines if line not in imports)
    parts = "\n\n".join([*filter(None, groups), re.sub(r"\n{3,}", "\n\n", body).strip("\n")])
    return comment(f"A figure of Routescope; its view: {asked.link}") + "\n" + parts + "\n"


def loaded(asked: OfModel) -> str:
    """Return lines that open the model and check that its weights are those of the figure."""
    check = """
if model.revision != $revision:
    raise ValueError("the figure was made with other weights of this model")"""
    return f"model = rs.open({literal(asked.model)})" + (
        "\n" + filled(check, revision=literal(asked.revision)) if asked.revision else ""
    )


def notebook(asked: OfModel, template: str, **parts: str) -> str:
    """Return code that opens the model of a figure and goes on with a template."""
    return written(asked, loaded(asked) + "\n" + filled(template, **parts))


def samples(data: Sequence[SetCount]) -> str:
    """Return lines that name the samples that a figure was measured on."""
    sets = [f"    rs.dataset({literal(part.name)}).take(slice({part.count}))," for part in data]
    return "\n".join(["data = [", *sets, "]"])
