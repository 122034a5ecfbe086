"""The grammar of addresses: what the query of a page's address says, in which order, how, and what it may leave out.

It is made of the models that read the query (:class:`routescope_app.dashboard.validation.Input`), goes into the index
of the dashboard, and is what the page's modules write by and take their defaults and bounds from (lib/address.js).
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any, Literal

from pydantic import BaseModel, GetJsonSchemaHandler
from pydantic.json_schema import JsonSchemaValue

#: ``units`` are names, of which an address may make ranges; ``view`` is x, y and zoom; ``lasso`` names what it lies on
#: and its corners; ``json`` is any value as JSON. The others follow from the type of a field.
Kind = Literal["number", "text", "flag", "list", "shares", "units", "view", "lasso", "json"]
KINDS: dict[str, Kind] = {
    "integer": "number", "number": "number", "string": "text", "boolean": "flag", "array": "list", "object": "shares",
}  # fmt: skip

#: What pages have in common. ``units`` are left out in the way of ``kind``; ``mute`` and ``drop`` say which way.
Role = Literal["units", "kind", "mute", "drop", "least", "edges", "iterations", "top_k", "data", "step", "pin", "log"]


@dataclass(frozen=True)
class AddressFormat:
    """Format of a field in an address, where the field's type does not determine it; part of its ``Annotated``.

    Attributes:
        kind: as what it is written.
        held: what the state of the page's modules calls it, where that is not its name in the address.
        from_zero: whether the state counts from 0 what the address counts from 1, as people do.
        always: whether it is written also where it is the default, so that the address says it whatever comes.
        only: another field, as the state calls it, and the value of that with which alone this one means something.
        offered: the values that a control offers; others are read as well.
        slides: whether it changes step by step while somebody drags or zooms: an entry of the browser's history comes
            when that ends.
        checked: whether the frame reads it as well, which leaves out what does not follow the field's pattern.
        role: what it is on every page that has it, whatever it is called there: links between pages carry it.
    """

    kind: Kind | None = None
    held: str | None = None
    from_zero: bool = False
    always: bool = False
    only: tuple[str, str] | None = None
    offered: tuple[int, ...] | None = None
    slides: bool = False
    checked: bool = False
    role: Role | None = None

    def __get_pydantic_json_schema__(self, core: Any, handler: GetJsonSchemaHandler) -> JsonSchemaValue:
        """The schema of the field, with what is said here."""
        return handler(core) | {name: value for name, value in vars(self).items() if value not in (None, False)}


def grammar(models: Sequence[type[BaseModel]]) -> list[dict[str, Any]]:
    """The fields of an address in the order in which they are written; what there is not of one is left out.

    Each has ``name`` in the address, ``held`` in the state and ``kind``; the default ``otherwise`` as the state holds
    it; ``least`` and ``most``, of a list those of its members; ``longest`` of texts and lists; ``pattern`` where it is
    ``checked``; ``from_zero``, ``always``, ``only``, ``offered``, ``slides`` and ``role`` as in :class:`AddressFormat`.
    """
    return [field for model in models for field in _fields(model)]


@cache
def _fields(model: type[BaseModel]) -> list[dict[str, Any]]:
    return [_field(name, schema) for name, schema in model.model_json_schema()["properties"].items()]


def _field(name: str, schema: dict[str, Any]) -> dict[str, Any]:
    given = next((option for option in schema.get("anyOf", ()) if option["type"] != "null"), {}) | schema
    member = given.get("items", given)
    from_zero = given.get("from_zero", False)
    field = {
        "name": name,
        "held": given.get("held", name),
        "kind": given.get("kind") or KINDS[given["type"]],
        "otherwise": _counted(given["default"], from_zero),
        "least": _counted(member.get("minimum"), from_zero),
        "most": _counted(_most(member), from_zero),
        "longest": given.get("maxLength", given.get("maxItems")),
        "pattern": given.get("pattern") if given.get("checked") else None,
        **{option: given.get(option) for option in ("from_zero", "always", "only", "offered", "slides", "role")},
    }
    return {name: value for name, value in field.items() if value is not None}


def _most(schema: dict[str, Any]) -> float | None:
    below = schema.get("exclusiveMaximum")  # of whole numbers, as no other field has one
    return schema.get("maximum") if below is None else below - 1


def _counted(value: Any, from_zero: bool) -> Any:
    if not from_zero or value is None:
        return value
    return [number - 1 for number in value] if isinstance(value, list) else value - 1


def as_state(choice: BaseModel) -> dict[str, Any]:
    """Return the values of an address as the state of the page's modules."""
    state = choice.model_dump(mode="json")
    return {
        field["held"]: _counted(state[field["name"]], field.get("from_zero", False))
        for field in grammar([type(choice)])
    }


# -- what a link says that cannot be shown ------------------------------------------------------------------------

LONGEST_QUOTE = 60  # characters of a link that a sentence repeats
MOST_NAMED = 6  # parts that a sentence names one by one


def unread(models: Sequence[type[BaseModel]], query: Mapping[str, Any], wrong: Sequence[str]) -> list[str]:
    """Sentences on what a link says that the page does not show, with what would be accepted.

    Args:
        models: what read it.
        query: what it says.
        wrong: names in it whose values are not valid.
    """
    schemas = {name: schema for model in models for name, schema in model.model_json_schema()["properties"].items()}
    fields = {field["name"]: field for field in grammar(models)}
    notes = [
        f"{quoted(name)} of the link is {quoted(query[name])}: {_shown(schemas[name])}. "
        f"Accepted: {_accepted(schemas[name], fields[name])}."
        for name in wrong
    ]
    unknown = [name for name in query if name not in fields]
    if unknown:
        more = f" and {len(unknown) - MOST_NAMED} more" if len(unknown) > MOST_NAMED else ""
        names = ", ".join(map(quoted, unknown[:MOST_NAMED])) + more
        parts = "is not a part" if len(unknown) == 1 else "are no parts"
        notes.append(f"{names} {parts} of this page's address, which may say {', '.join(fields)}.")
    return notes


def quoted(value: object) -> str:
    """Return a value of a link in quotation marks: visible characters only, shortened."""
    text = value if isinstance(value, str) else " and ".join(map(str, value)) if isinstance(value, list) else str(value)
    seen = "".join(character if character.isprintable() else " " for character in text)
    return f'"{seen if len(seen) <= LONGEST_QUOTE else seen[:LONGEST_QUOTE] + "..."}"'


def _shown(schema: Mapping[str, Any]) -> str:
    default = schema["default"]
    if default is None or default == [] or default == {} or default is False:
        return "it is ignored"
    return f"shown is {','.join(map(str, default)) if isinstance(default, list) else default}"


def _accepted(schema: Mapping[str, Any], field: Mapping[str, Any]) -> str:
    """Return the values that a field accepts, in words."""
    given = next((option for option in schema.get("anyOf", ()) if option["type"] != "null"), {}) | dict(schema)
    member = given.get("items", given)
    most = field.get("longest", len(given.get("prefixItems", ())))
    if choices := member.get("enum"):
        return ", ".join(map(str, choices))
    match field["kind"]:
        case "number":
            return _number(given)
        case "flag":
            return "1"
        case "view":
            return "x, y and zoom with commas between them, such as 0.25,-0.5,2"
        case "lasso":
            return "what it lies on and three corners or more, as the page writes it"
        case "json" | "shares":
            return "what the page itself writes"
        case "units":
            ways = "with commas between them, or ranges such as f1..f3"
            return f"up to {most:,} names of units {ways}, or what the page itself writes"
        case "list" if member.get("type") in {"integer", "number"}:
            return f"up to {most:,} times {_number(member)}, with commas between them"
        case "list":
            return f"up to {most:,} names with commas between them"
        case "text" if field.get("role") == "step":
            return "all, or a whole number from 1 on"
        case "text" if field.get("role") == "pin":
            return (
                "a model, a sample and what is done to it with colons between them, "
                "such as ni-digits:mnist.validation.3:drop:f1,f3"
            )
        case _:
            longest = given.get("maxLength")
            return f"text of up to {longest:,} characters" if longest else "a name as the page itself writes it"


def _number(schema: Mapping[str, Any]) -> str:
    kind = "a whole number" if schema["type"] == "integer" else "a number"
    return f"{kind} from {schema['minimum']:,} to {_most(dict(schema)):,}"
