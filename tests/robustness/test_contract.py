"""The API keeps what its schema says, for whatever the schema allows and for what it forbids."""

from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest
import schemathesis
from fastapi import FastAPI
from fastapi.routing import APIRoute, iter_route_contexts
from hypothesis import HealthCheck, Phase, given
from hypothesis import settings as hypothesis_settings
from hypothesis.errors import Unsatisfiable
from schemathesis import GenerationMode
from schemathesis.checks import not_a_server_error
from schemathesis.specs.openapi.checks import (
    content_type_conformance,
    negative_data_rejection,
    response_headers_conformance,
    response_schema_conformance,
    status_code_conformance,
    unsupported_method,
    use_after_free,
)

from routescope_app.main import create_app
from tests.app.serving import BLOCKS, BLOCKS_PICTURES, CIRCUIT, MODEL, STATEMENTS, listening, settings

CHECKS = [
    not_a_server_error,
    status_code_conformance,
    content_type_conformance,
    response_headers_conformance,
    response_schema_conformance,
    negative_data_rejection,
    unsupported_method,
    use_after_free,
]


@pytest.fixture(scope="module")
def api(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Any]:
    chosen = settings(tmp_path_factory.mktemp("contract"), max_queued_jobs=2_000)  # or the last would meet a full queue
    with listening(chosen) as port:
        yield schemathesis.openapi.from_url(f"http://127.0.0.1:{port}/api/openapi.json", timeout=120)


#: Places whose requests say how many samples they want.
MEASURING = ("/evaluations", "/importances", "/embeddings", "/observations", "/expert-loads", "/prunings")
#: Places whose requests are about a model of statements.
ASKING = ("/answers", "/designs", "/designs/links")


def operations(app: FastAPI) -> list[tuple[str, str]]:
    """What the schema lists, in its order, read from the routes: itself it takes each process a second to collect."""
    methods: dict[str, list[str]] = {}
    for route in iter_route_contexts(app.routes):
        if isinstance(route.original_route, APIRoute) and route.include_in_schema:
            methods.setdefault(str(route.path), []).extend(method.lower() for method in sorted(route.methods or ()))
    return [(method, path) for path, named in methods.items() for method in named]


with TemporaryDirectory() as _folder:  # the app makes its folders when it is created
    OPERATIONS = operations(create_app(settings(Path(_folder))))


#: What only models of blocks have, as requests name it.
STEERED = {"mute_routes", "copy_routes", "gates"}


def fitting(request: dict[str, Any]) -> str:
    """A model that has what a request names: a share of the links, or routes of blocks, or neither."""
    named = {name for name, value in {**request, **request.get("intervention", {})}.items() if value}
    if named & STEERED:
        return BLOCKS
    return CIRCUIT if "keep_edges" in {**request, **request.get("intervention", {})} else MODEL


def steered(change: Any) -> None:
    """Routes and gates that there are, so that examples reach the network."""
    if isinstance(change, dict):
        for name, chosen in (("mute_routes", ["A>1.1"]), ("copy_routes", ["B>1.2"]), ("gates", {"1.3": 0.5})):
            if change.get(name):
                change[name] = chosen
        for name in ("drop", "mute"):
            change[name] = ["1.1"] if change.get(name) else []
        change.pop("keep_edges", None)


def runnable(body: Any) -> str:
    """Of a sample that a model takes, in so many iterations; gives the model."""
    steered(body.get("intervention"))
    body["iterations"] = None if (body.get("iterations") or 1) % 2 else 1 + body["iterations"] % 4
    body.get("intervention", {}).pop("iterations", None)
    if "sample" in body["input"]:
        body["input"] = {"sample": "mnist.validation.3", "permutation": body["input"].get("permutation", 0) % 8}
        body["iterations"] = None
        body["intervention"] = {}
        return BLOCKS_PICTURES
    body["input"]["digits"] = (body["input"]["digits"] * 5)[:5]
    body["input"]["program"] = [subtask % 5 for subtask in body["input"]["program"][:20]]
    return BLOCKS


def short(body: Any) -> None:
    if isinstance(body, dict) and isinstance(body.get("sentences"), list):
        body["sentences"] = [sentence[:300] for sentence in body["sentences"][:4]]
        scene = body.get("pictures", {}).get("scene")
        if scene is not None:
            scene["pictures"] = [things[:8] for things in (scene["pictures"] * 2)[:2]]
            for thing in (thing for things in scene["pictures"] for thing in things):
                thing.update(shape="star", colour="red", size="small")


def test_every_operation_of_the_schema_is_tried(api: Any) -> None:
    paths = api.raw_schema["paths"]
    assert [(method, path) for path, operations in paths.items() for method in operations] == OPERATIONS


@pytest.mark.parametrize("mode", [GenerationMode.POSITIVE, GenerationMode.NEGATIVE])
@pytest.mark.parametrize(("method", "path"), OPERATIONS)
def test_every_operation_keeps_its_schema(api: Any, method: str, path: str, mode: GenerationMode) -> None:
    @hypothesis_settings(
        max_examples=6, deadline=None, database=None, derandomize=True, suppress_health_check=list(HealthCheck),
        phases=[Phase.explicit, Phase.generate],
    )  # fmt: skip
    @given(case=api[path][method].as_strategy(generation_mode=mode))
    def check(case: schemathesis.Case) -> None:
        if mode is GenerationMode.POSITIVE and isinstance(case.body, dict) and "model" in case.body:
            case.body["model"] = fitting(case.body)  # so that examples reach the network
            if case.body["model"] == BLOCKS:
                steered(case.body.get("intervention"))
            if path.endswith(MEASURING):
                case.body["samples"] = 6  # and do not stay there
        if mode is GenerationMode.POSITIVE and path.endswith("/stream"):
            case.query = {**case.query, "model": fitting(case.query), "samples": 6}
        if mode is GenerationMode.POSITIVE and path.endswith("/tables"):
            case.query = {**(case.query or {}), "set": "sums"}  # else every data set is made
        if mode is GenerationMode.POSITIVE and "/graph" in path:
            case.path_parameters = {**case.path_parameters, "model_id": CIRCUIT}
            if "unit" in case.path_parameters and len(case.path_parameters["unit"]) % 2:
                case.path_parameters = {**case.path_parameters, "unit": "m1"}
            case.query = {name: value for name, value in (case.query or {}).items() if name != "samples"}
        if mode is GenerationMode.POSITIVE and path.endswith(ASKING):
            case.path_parameters = {**case.path_parameters, "model_id": STATEMENTS}
            short(case.body)
        if mode is GenerationMode.POSITIVE and path.endswith("/block-runs") and isinstance(case.body, dict):
            case.path_parameters = {**case.path_parameters, "model_id": runnable(case.body)}
        if mode is GenerationMode.POSITIVE and path.endswith("/sentence-maps") and isinstance(case.body, dict):
            case.body.update(model=STATEMENTS, method="pca")
        if mode is GenerationMode.POSITIVE and "statement_id" in path:
            case.path_parameters = {**case.path_parameters, "statement_id": "scenes.validation.3"}
        response = case.call(timeout=300)
        refused_for_size = [negative_data_rejection] if response.status_code in {413, 414} else []
        case.validate_response(response, checks=CHECKS, excluded_checks=refused_for_size)
        if response.status_code >= 400:
            assert response.headers["content-type"] == ["application/problem+json"]

    try:
        check()
    except Unsatisfiable:
        assert mode is GenerationMode.NEGATIVE, "nothing was tried"  # a route without input cannot be asked wrongly
