"""Ask every route of the API for one caller's things as another caller; ``docs/owners.md`` has the answers."""

import contextlib
import re
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import httpx
from fastapi import FastAPI
from fastapi.routing import APIRoute, iter_route_contexts

from tests.app.api.routes.experts.test_logs import A, response
from tests.app.serving import MODEL, client_of, png, running, settings, upload

SERVICE = "a-long-enough-token-for-tests"
V1 = "/api/v1"
LISTED, NOT_LISTED = "listed", "not listed"
Client = httpx.AsyncClient
#: Makes a thing as a client; gives what routes are asked with.
Make = Callable[[Client], Awaitable[dict[str, str]]]


@dataclass(frozen=True)
class Row:
    """How a route is asked for a thing of an owner.

    Attributes:
        make: makes the thing as its owner.
        query, body: of the request, in which ``{id}`` and the like stand for what was made.
        lists: whether the route is a list, in which the thing is looked for.
    """

    make: Make
    query: Mapping[str, str] | None = None
    body: Mapping[str, Any] | None = None
    lists: bool = False


async def nothing(_client: Client) -> dict[str, str]:
    return {}


def _id_of(answer: httpx.Response) -> dict[str, str]:
    assert answer.status_code == 201, answer.text
    return {"id": answer.json()["id"]}


async def picture(client: Client) -> dict[str, str]:
    return _id_of(await upload(client, png()))


async def text(client: Client) -> dict[str, str]:
    answer = await client.post(f"{V1}/samples/texts", json={"text": "1+1=2"})
    return _id_of(answer)


async def cloud(client: Client) -> dict[str, str]:
    points = "\n".join(f"{number} {number % 5} {number % 3}" for number in range(64))
    answer = await client.post(f"{V1}/samples/written", json={"inputs": "points", "content": points})
    return _id_of(answer)


async def matrix(client: Client) -> dict[str, str]:
    made = f"{V1}/tables/pgm-small-neutral.validation.0/exchanged"
    answer = await client.post(made, json={"one": 9, "other": 10})
    return _id_of(answer)


async def trace(client: Client) -> dict[str, str]:
    sample = (await picture(client))["id"]
    made = (await client.post(f"{V1}/traces", json={"model": MODEL, "sample": sample})).json()
    return {"id": made["id"], "name": made["fields"][0]["name"]}


async def snapshot(client: Client) -> dict[str, str]:
    answer = await client.post(f"{V1}/snapshots", json={"name": "a view", "address": "/drop"})
    return _id_of(answer)


async def unit_set(client: Client) -> dict[str, str]:
    return _id_of(await client.post(f"{V1}/unit-sets", json={"units": ["l1.e1"]}))


async def log(client: Client) -> dict[str, str]:
    headers = {"Content-Type": "application/octet-stream"}
    answer = await client.post(f"{V1}/logs", content=response(A).encode(), params={"name": "a.json"}, headers=headers)
    return _id_of(answer)


def _by_link(make: Make, *routes: str, **asked: Any) -> dict[str, Row]:
    return {route: Row(make, **asked) for route in routes}


#: Routes at which something has an owner.
ROWS: dict[str, Row] = {
    "GET /samples": Row(picture, query={"origin": "upload"}, lists=True),
    "GET /samples/texts": Row(text, lists=True),
    "GET /samples/written": Row(text, lists=True),
    **_by_link(picture, "GET /samples/{sample_id}", "GET /samples/{sample_id}/image"),
    "GET /samples/images": Row(picture, query={"id": "{id}"}),
    "PATCH /samples/{sample_id}": Row(picture, body={"name": "another name"}),
    "DELETE /samples/{sample_id}": Row(picture),
    "DELETE /samples": Row(nothing, query={"owner": "you"}),
    **_by_link(text, "GET /tables/{sample_id}"),
    **_by_link(cloud, "GET /tables/{sample_id}/picture"),
    **_by_link(matrix, "GET /tables/{sample_id}/panels"),
    "POST /tables/{sample_id}/exchanged": Row(matrix, body={"one": 9, "other": 10}),
    "POST /traces": Row(picture, body={"model": MODEL, "sample": "{id}"}),
    **_by_link(trace, "GET /traces/{trace_id}", "GET /traces/{trace_id}/fields/{name}", "GET /traces/{trace_id}/file"),
    "POST /behaviours/own": Row(picture, body={"model": MODEL, "order": "heads"}, lists=True),
    "POST /continuations": Row(text, body={"model": "moe-bytes", "sample": "{id}", "tokens": 1}),
    "GET /continuations/stream": Row(text, query={"model": "moe-bytes", "sample": "{id}", "tokens": "1"}),
    "GET /streams": Row(text, query={"of": "/continuations/stream?model=moe-bytes&sample={id}&tokens=1"}),
    "GET /snapshots": Row(snapshot, lists=True),
    **_by_link(snapshot, "GET /snapshots/{snapshot_id}"),
    "PATCH /snapshots/{snapshot_id}": Row(snapshot, body={"name": "another name"}),
    "DELETE /snapshots/{snapshot_id}": Row(snapshot),
    **_by_link(unit_set, "GET /unit-sets/{set_id}"),
    "GET /logs": Row(log, lists=True),
    **_by_link(
        log,
        "GET /logs/{log_id}",
        "GET /logs/{log_id}/usage",
        "GET /logs/{log_id}/tokens",
        "GET /logs/{log_id}/file",
        "GET /logs/{log_id}/sequences",
        "GET /logs/{log_id}/path",
        "GET /logs/{log_id}/load",
    ),
    **_by_link(log, "GET /logs/comparison", "GET /logs/comparison/tokens", query={"a": "{id}", "b": "{id}"}),
    "GET /logs/comparison/token": Row(log, query={"a": "{id}", "b": "{id}", "token": "0"}),
    "DELETE /logs/{log_id}": Row(log),
}

#: Other routes, by the reason why their answer has no owner.
OTHERS: dict[str, tuple[str, ...]] = {
    "Answers about the service: models, data sets, and measurements of both.": (
        "GET /health", "GET /ready", "GET /models", "GET /models/{model_id}", "GET /models/{model_id}/card",
        "GET /models/{model_id}/use", "GET /models/{model_id}/units", "GET /models/{model_id}/graph",
        "GET /models/{model_id}/graph/edges", "GET /models/{model_id}/graph/matrix",
        "GET /models/{model_id}/graph/file", "GET /data", "GET /inputs", "GET /tables", "POST /evaluations",
        "POST /evaluations/timing", "POST /code", "GET /evaluations/stream", "GET /scenes/vocabulary",
        "GET /statements", "GET /statements/{statement_id}", "GET /statements/{statement_id}/pictures/{place}",
        "POST /models/{model_id}/designs", "POST /models/{model_id}/designs/links", "GET /block-tasks",
        "GET /models/{model_id}/indicators", "GET /results", "GET /results/{experiment}/comparison",
        "GET /results/{experiment}/figures", "GET /results/{experiment}/rows", "GET /figures",
        "GET /figures/{figure_id}",
    ),
    "Computed from a sample: every caller with its id may use it.": (
        "GET /models/{model_id}/graph/modules/{unit}", "POST /models/{model_id}/answers",
        "POST /models/{model_id}/block-runs",
    ),
    "Make a thing, which belongs to the caller.": (
        "POST /samples", "POST /samples/texts", "POST /samples/written", "POST /samples/files", "POST /snapshots",
        "POST /unit-sets", "POST /logs", "POST /logs/recordings",
    ),
    "Start a job, which belongs to all callers who asked for it.": (
        "POST /importances", "POST /embeddings", "POST /observations", "POST /prunings", "POST /expert-loads",
        "POST /behaviours", "POST /sentence-maps", "POST /reproductions",
    ),
    "Read the result of a job by its id.": (
        "GET /importances/{job_id}", "GET /embeddings/{job_id}", "GET /embeddings/{job_id}/arrays/{name}",
        "GET /observations/{job_id}", "GET /prunings/{job_id}", "GET /prunings/{job_id}/keep-list",
        "GET /prunings/{job_id}/model", "GET /expert-loads/{job_id}", "GET /behaviours/{job_id}",
        "GET /reproductions/{job_id}", "GET /sentence-maps/{job_id}", "POST /sentence-maps/{job_id}/places",
    ),
    "Jobs: lists say whose a job is, and only an owner or the operator changes a job (tests of jobs).": (
        "GET /jobs", "GET /jobs/{job_id}", "PATCH /jobs/{job_id}", "GET /jobs/{job_id}/events", "DELETE /jobs/{job_id}",
    ),
    "About the caller, or for the page's server with the token of the service.": (
        "GET /user", "GET /users/tokens", "POST /users/logouts",
    ),
}  # fmt: skip


def routes(app: FastAPI) -> list[str]:
    """Return every route of the API as method and path below ``/api/v1``, in the order of the app."""
    return [
        f"{method} {str(context.path).removeprefix(V1)}"
        for context in iter_route_contexts(app.routes)
        if isinstance(context.original_route, APIRoute) and str(context.path).startswith(V1)
        for method in sorted(context.methods or ())
    ]


def _cookie(digit: str) -> dict[str, str]:
    return {"Cookie": f"routescope_browser={digit * 32}"}


@contextlib.asynccontextmanager
async def scenes(folder: Path) -> AsyncIterator[dict[str, tuple[Client, Client]]]:
    """Yield, for every column of the table, the owner's client and the caller's.

    A service without a token has browsers and programs; one with a token has users and an operator.
    """
    limits: dict[str, Any] = {"owner_share": 1, "max_logs": 1_000}
    async with contextlib.AsyncExitStack() as stack:
        plain = await stack.enter_async_context(running(settings(folder / "plain", **limits)))
        users = await stack.enter_async_context(running(settings(folder / "users", token=SERVICE, **limits)))
        tokens = {name: users.state.services.tokens.add(name) for name in ("anna", "ben")} | {"service": SERVICE}

        async def client(app: FastAPI, headers: dict[str, str]) -> Client:
            return await stack.enter_async_context(client_of(app, headers=headers))

        first, other, program = [await client(plain, headers) for headers in (_cookie("a"), _cookie("b"), {})]
        anna, ben, operator = [
            await client(users, {"Authorization": f"Bearer {tokens[name]}"}) for name in ("anna", "ben", "service")
        ]
        yield {
            "the owner, a browser": (first, first),
            "another browser": (first, other),
            "a program": (first, program),
            "the owner, a user": (anna, anna),
            "another user": (anna, ben),
            "the operator": (anna, operator),
            "a browser, unowned thing": (program, other),
        }


async def answer(route: str, row: Row, owner: Client, caller: Client) -> str:
    """Make a thing as its owner, ask for it as the caller, and return in a word what came back."""
    made = await row.make(owner)
    method, path = route.split(" ")
    known = dict.fromkeys(_names(path), made.get("id", "")) | made
    query, body = (
        {name: value.format_map(known) if isinstance(value, str) else value for name, value in (asked or {}).items()}
        for asked in (row.query, row.body)
    )
    came = await caller.request(method, V1 + path.format_map(known), params=query, json=body or None)
    if came.status_code >= 400:
        return str(came.status_code)
    if row.lists:
        return LISTED if made["id"] in came.text else NOT_LISTED
    return "200 with a problem" if re.search('event(": "?|: )problem', came.text) else "yes"


def _names(path: str) -> list[str]:
    return [part[1:-1] for part in path.split("/") if part.startswith("{")]


async def answers(folder: Path) -> dict[str, dict[str, str]]:
    async with scenes(folder) as columns:
        return {
            route: {column: await answer(route, row, *clients) for column, clients in columns.items()}
            for route, row in ROWS.items()
        }


def document(came: Mapping[str, Mapping[str, str]]) -> str:
    columns = list(next(iter(came.values())))
    alike: dict[tuple[str, ...], list[str]] = {}
    for route, row in came.items():
        alike.setdefault(tuple(row[column] for column in columns), []).append(f"`{route}`")
    lines = [
        "# Who may read, change and delete",
        "",
        "Look up a route and a caller. `yes`: the route answers. `403`: it refuses, because the caller is not the",
        "owner. `make hardening` writes this document; a test compares it with the service.",
        "",
        "The owner is the user who uploaded a thing, or else the browser. A program without a cookie owns nothing:",
        "anybody may change its uploads (last column). The operator is a program with the token of the service.",
        "Ids are random, except ids of unit sets, traces and jobs, which are computed from the contents.",
        "",
        "| routes | " + " | ".join(columns) + " |",
        "| --- |" + " --- |" * len(columns),
        *("| " + " | ".join((", ".join(named), *words)) + " |" for words, named in alike.items()),
        "",
        "`DELETE /samples?owner=you` deletes the caller's samples; a program owns none and gets 422.",
        "",
        "## Routes without an owner",
        "",
        *(f"* {why} {', '.join(f'`{route}`' for route in named)}" for why, named in OTHERS.items()),
    ]
    return "\n".join(lines) + "\n"
