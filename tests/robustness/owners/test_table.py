"""Compare who may read, list, change and delete at every route with ``docs/owners.md``."""

import asyncio
import os
from pathlib import Path

import pytest

from routescope_app.main import create_app
from tests.app.serving import settings
from tests.robustness.owners.table import LISTED, NOT_LISTED, OTHERS, ROWS, answers, document, routes
from tests.robustness.record import RECORD, came_back

DOCUMENT = Path(__file__).resolve().parents[3] / "docs" / "owners.md"
OTHER_PEOPLE = ("another browser", "a program", "another user")
OWNERS = ("the owner, a browser", "the owner, a user")


@pytest.fixture(scope="module")
def came(tmp_path_factory: pytest.TempPathFactory) -> dict[str, dict[str, str]]:
    return asyncio.run(answers(tmp_path_factory.mktemp("owners")))


def test_every_route_is_in_the_table(tmp_path: Path) -> None:
    named = [*ROWS, *(route for routes_of in OTHERS.values() for route in routes_of)]
    assert sorted(named) == sorted(routes(create_app(settings(tmp_path)))), "a new route says here who may do what"


def test_others_read_by_link_find_nothing_in_lists_and_change_nothing(came: dict[str, dict[str, str]]) -> None:
    for route, row in came.items():
        changes = route.startswith(("PATCH", "DELETE"))
        if route == "DELETE /samples":
            assert row["another browser"] == "yes" and row["a program"] == "422"
            continue
        assert {row[name] for name in OWNERS} == {LISTED if ROWS[route].lists else "yes"}, route
        for name in OTHER_PEOPLE:
            assert row[name] == (NOT_LISTED if ROWS[route].lists else "403" if changes else "yes"), (route, name)
        assert row["the operator"] == (NOT_LISTED if ROWS[route].lists else "yes"), route
        assert row["a browser, unowned thing"] == (LISTED if ROWS[route].lists else "yes"), route
    for route, row in came.items():
        if route.startswith(("PATCH", "DELETE")) and route != "DELETE /samples":
            got = ", ".join(f"{row[name]} to {name}" for name in (*OTHER_PEOPLE, "the operator"))
            came_back("another's things", route, got)


def test_the_document_is_what_routes_answered(came: dict[str, dict[str, str]]) -> None:
    if os.environ.get(RECORD):
        DOCUMENT.write_text(document(came))
    assert DOCUMENT.read_text() == document(came), "`make hardening` writes it"
