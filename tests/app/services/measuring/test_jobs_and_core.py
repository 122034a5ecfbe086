"""A job gives what core's function gives for the same request, kind by kind: both run the same code."""

import math
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import httpx
import numpy as np
import pytest

from routescope import zoo
from routescope.data import LabelledSamples, load
from routescope.routing import Intervention
from routescope.routing.caused.importance import Importance, importance
from routescope.routing.caused.pruning import find_order, retained, shares_of
from routescope.routing.maps.embedding import embed
from routescope.routing.maps.points import type_points
from routescope.routing.observed import behaviour
from routescope.routing.observed.load import observe_load
from routescope.routing.observed.observer import observe
from routescope.routing.observed.usage import observe_usage
from routescope_app.services.measuring.loads import without_exemplars
from tests.app import serving
from tests.app.api.follow import ended, start
from tests.app.serving import CIRCUIT, EXPERTS, MODEL

Facts = Mapping[str, Any]
#: What no two runs have alike.
SPEED = "samples_per_second"


@pytest.fixture(scope="module", autouse=True)
def _models(_own_data_folder: Path) -> None:
    serving.make_experts()


def samples(request: Facts) -> list[LabelledSamples]:
    """The samples that a request asks for, split evenly over its data sets."""
    count = request["samples"] // len(request["data"])
    return [load(name, "validation").take(slice(count)) for name in request["data"]]


def tables_of(found: Importance) -> Facts:
    """The tables of an importance under the names of the API."""
    names = {found.baseline.measure.name: "accuracy", "kept": "units"}
    tables = found.tables()
    retention = [
        {names.get(name, name): value for name, value in row.items() if name != SPEED} for row in tables["retention"]
    ]
    return {**tables, "baseline": found.baseline.figure, "retention": retention}


def importances(request: Facts) -> Facts:
    asked = {name: request[name] for name in ("permutations", "pairs", "seed") if name in request}
    model, sets = zoo.load(request["model"]), samples(request)
    found = importance(model, sets, kind=request.get("kind", "drop"), **asked)
    usage = observe_usage(model, sets)
    return {**tables_of(found), "usage": [] if usage is None else usage.table()}


def prunings(request: Facts) -> Facts:
    model, sets, count = zoo.load(request["model"]), samples(request), request["samples"] // len(request["data"])
    last = [load(name, "validation") for name in request["data"]]
    chosen = [each.take(slice(len(each) - count, len(each))) for each in last]
    order, seed = request["order"], request["seed"]
    going = find_order(model, chosen, order, together=request.get("at_once", 1), seed=seed)
    curves = retained(
        model, sets, {order: going}, shares_of(model, most=request["points"]), draws=request["draws"], seed=seed + 1
    )
    keys = ["domain", "keep"]
    mine, random = (curves[curves["order"] == name].set_index(keys) for name in (order, "random"))
    curve = [
        {
            "domain": domain,
            "keep": keep,
            "share": row.share,
            "figure": {"value": row.figure, "low": row.low, "high": row.high},
            "change": {"value": row.change, "low": row.change_low, "high": row.change_high},
            "random": {name: random.loc[(domain, keep), column] for name, column in BAND.items()},
        }
        for (domain, keep), row in mine.iterrows()
    ]
    return {"sequence": list(going), "curve": curve}


BAND = {"value": "figure", "low": "low", "high": "high"}


def observations(request: Facts) -> Facts:
    model, options = zoo.load(request["model"]), {name: request[name] for name in ("shuffles", "seed")}
    found = observe(model, samples(request), intervention=Intervention(drop=("f2",)), **options)
    variables = {str(name): {"values": array.values.tolist()} for name, array in found.dataset.data_vars.items()}
    return {"count": request["samples"], "variables": variables}


def loads(request: Facts) -> Facts:
    model, options = zoo.load(request["model"]), {name: request[name] for name in ("shuffles", "seed")}
    return without_exemplars(observe_load(model, samples(request), **options))


def maps(request: Facts) -> Facts:
    model, sets = zoo.load(request["model"]), samples(request)
    found = embed(type_points(model, sets, request["samples"]), "pca", seed=0, scored=True)
    return {"trustworthiness": {"value": found.trustworthiness.value, "pca": found.trustworthiness.pca}}


def behaviours(request: Facts) -> Facts:
    model, (data,) = zoo.load(request["model"]), samples(request)
    measure = behaviour.rerouting(model, Intervention(drop=("f2",)))
    values = np.concatenate([measure(batch) for batch in behaviour.batches(model, data, len(data))])
    order = np.argsort(-values, kind="stable")
    return {"items": [{"sample": {"id": f"mnist.validation.{at}"}, "value": values[at]} for at in order]}


DIGITS: Facts = {"model": MODEL, "data": ["mnist"], "samples": 12}
SAMPLED: Facts = {**DIGITS, "model": CIRCUIT, "samples": 4, "permutations": 4, "pairs": False, "seed": 2}
TEXTS: Facts = {"model": EXPERTS, "data": ["sums", "listops"], "samples": 4, "seed": 3}
CURVES: Facts = {**TEXTS, "points": 2, "draws": 2}
DROPPED: Facts = {"intervention": {"drop": ["f2"]}}
CASES: Mapping[str, tuple[str, Facts, Callable[[Facts], Facts]]] = {
    "every subset": ("importances", {**DIGITS, "kind": "mute"}, importances),
    "sampled orders": ("importances", SAMPLED, importances),
    "each expert alone": ("importances", TEXTS, importances),
    "pruning by tokens": ("prunings", {**CURVES, "order": "tokens"}, prunings),
    "pruning by effect": ("prunings", {**CURVES, "order": "effect"}, prunings),
    "pruning greedily": ("prunings", {**CURVES, "order": "greedy", "at_once": 12}, prunings),
    "pruning by chance": ("prunings", {**CURVES, "order": "chance"}, prunings),
    "observation": ("observations", {**DIGITS, **DROPPED, "shuffles": 20, "seed": 3}, observations),
    "load": ("expert-loads", {**TEXTS, "shuffles": 20}, loads),
    "map": ("embeddings", {**DIGITS, "samples": 30, "method": "pca"}, maps),
    "behaviour": ("behaviours", {**DIGITS, **DROPPED, "order": "rerouted"}, behaviours),
}  # fmt: skip


def compare(found: Any, expected: Any, place: str) -> None:
    """Everything that is expected is found, numbers to what other batches change; NaN is null."""
    if isinstance(expected, Mapping):
        for name, value in expected.items():
            compare(found[name], value, f"{place}.{name}")
    elif isinstance(expected, list | tuple):
        assert len(found) == len(expected), place
        for number, pair in enumerate(zip(found, expected, strict=True)):
            compare(*pair, f"{place}[{number}]")
    elif isinstance(expected, float) and math.isnan(expected):
        assert found is None, place
    elif isinstance(expected, float):
        assert found == pytest.approx(expected, rel=1e-4, abs=1e-5), place
    else:
        assert found == expected, place


@pytest.mark.parametrize("name", CASES)
async def test_a_job_gives_what_cores_function_gives(client: httpx.AsyncClient, name: str) -> None:
    kind, request, expected = CASES[name]
    job = await ended(client, await start(client, kind, dict(request)))
    assert job["state"] == "done" and job["done"] == job["total"], job
    answer = await client.get(job["result"])
    assert answer.status_code == 200, answer.text
    compare(answer.json(), expected(request), name)
