"""The API keeps what its schema says, for whatever the schema allows and for what it forbids."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import schemathesis
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

from app.main import create_app
from tests.app.serving import CIRCUIT, MODEL, STATEMENTS, listening, settings

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
    chosen = settings(tmp_path_factory.mktemp("contract"), max_queued_jobs=1_000)  # or the last would meet a full queue
    with listening(chosen) as port:
        yield schemathesis.openapi.from_url(f"http://127.0.0.1:{port}/api/openapi.json")


#: Places whose requests say how many samples they want.
MEASURING = ("/evaluations", "/importances", "/embeddings", "/observations")
#: Places whose requests are about a model of statements.
ASKING = ("/answers", "/designs", "/designs/links")
OPERATIONS = [
    (method, path)
    for path, operations in create_app(settings(Path("unused"))).openapi()["paths"].items()
    for method in operations
]


def cuts(request: dict[str, Any]) -> bool:
    """Whether a request asks for a share of the links, which one of the two models has."""
    return "keep_edges" in {**request, **request.get("intervention", {})}


def short(body: Any) -> None:
    """Of so many sentences, and about such pictures, that examples reach the network."""
    if isinstance(body, dict) and isinstance(body.get("sentences"), list):
        body["sentences"] = [sentence[:300] for sentence in body["sentences"][:4]]
        scene = body.get("pictures", {}).get("scene")
        if scene is not None:
            scene["pictures"] = [things[:8] for things in (scene["pictures"] * 2)[:2]]
            for thing in (thing for things in scene["pictures"] for thing in things):
                thing.update(shape="star", colour="red", size="small")


@pytest.mark.parametrize("mode", [GenerationMode.POSITIVE, GenerationMode.NEGATIVE])
@pytest.mark.parametrize(("method", "path"), OPERATIONS)
def test_every_operation_keeps_its_schema(api: Any, method: str, path: str, mode: GenerationMode) -> None:
    @hypothesis_settings(
        max_examples=15, deadline=None, database=None, derandomize=True, suppress_health_check=list(HealthCheck),
        phases=[Phase.explicit, Phase.generate],
    )  # fmt: skip
    @given(case=api[path][method].as_strategy(generation_mode=mode))
    def check(case: schemathesis.Case) -> None:
        if mode is GenerationMode.POSITIVE and isinstance(case.body, dict) and "model" in case.body:
            case.body["model"] = CIRCUIT if cuts(case.body) else MODEL  # so that examples reach the network
            if path.endswith(MEASURING):
                case.body["samples"] = 6  # and do not stay there
        if mode is GenerationMode.POSITIVE and path.endswith("/stream"):
            case.query = {**case.query, "model": CIRCUIT if cuts(case.query) else MODEL, "samples": 6}
        if mode is GenerationMode.POSITIVE and "/graph" in path:
            case.path_parameters = {**case.path_parameters, "model_id": CIRCUIT}
            if "unit" in case.path_parameters and len(case.path_parameters["unit"]) % 2:
                case.path_parameters = {**case.path_parameters, "unit": "m1"}
            case.query = {name: value for name, value in (case.query or {}).items() if name != "samples"}
        if mode is GenerationMode.POSITIVE and path.endswith(ASKING):
            case.path_parameters = {**case.path_parameters, "model_id": STATEMENTS}
            short(case.body)
        if mode is GenerationMode.POSITIVE and path.endswith("/sentence-maps") and isinstance(case.body, dict):
            case.body.update(model=STATEMENTS, method="pca")
        if mode is GenerationMode.POSITIVE and "statement_id" in path:
            case.path_parameters = {**case.path_parameters, "statement_id": "scenes.validation.3"}
        response = case.call(timeout=60)
        refused_for_size = [negative_data_rejection] if response.status_code in {413, 414} else []
        case.validate_response(response, checks=CHECKS, excluded_checks=refused_for_size)
        if response.status_code >= 400:
            assert response.headers["content-type"] == ["application/problem+json"]

    try:
        check()
    except Unsatisfiable:
        assert mode is GenerationMode.NEGATIVE, "nothing was tried"  # a route without input cannot be asked wrongly
