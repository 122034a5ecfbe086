"""A job gives what core's function gives for the same request; test_notebook.py has further kinds of jobs."""

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import httpx
import numpy as np
import pytest

from routescope import zoo
from routescope.data import Samples, load
from routescope.nn.network import Network
from routescope.routing import Intervention
from routescope.routing.caused.importance import Importance, importance, json_rows
from routescope.routing.caused.retention import anytime
from routescope.routing.caused.scoring import ModelScorer
from routescope.routing.observed import behaviour
from routescope.routing.observed.usage import observe_usage
from tests.app import serving
from tests.app.api.follow import compare, ended, start
from tests.app.serving import EXPERTS, MODEL

Facts = Mapping[str, Any]
#: What no two runs have alike.
SPEED = "samples_per_second"
#: A mixture with few experts in a layer, of which every subset is scored.
FEW = "five-experts"


@pytest.fixture(scope="module", autouse=True)
def _models(_own_data_folder: Path) -> None:
    serving.make_experts()
    serving.make_experts(FEW, experts=5)


def samples(request: Facts) -> list[Samples]:
    """The samples that a request asks for, split evenly over its data sets."""
    count = request["samples"] // len(request["data"])
    return [load(name, "validation").take(slice(count)) for name in request["data"]]


def tables_of(importance: Importance) -> Facts:
    """The tables of an importance under the names of the API."""
    names = {importance.baseline.measure.name: "accuracy", "kept": "units"}
    tables = importance.tables()
    retention = [
        {names.get(name, name): value for name, value in row.items() if name != SPEED} for row in tables["retention"]
    ]
    return {**tables, "baseline": importance.baseline.figure, "retention": retention}


def importances(request: Facts) -> Facts:
    names = ("permutations", "pairs", "seed", "layer")
    model, sets = zoo.load(request["model"]), samples(request)
    options = {name: request[name] for name in names if name in request}
    base = Intervention(top_k=request.get("top_k"))
    expected = importance(model, sets, kind=request.get("kind", "drop"), base=base, **options)
    tables = tables_of(expected)
    usage = observe_usage(model, sets, base)
    shares = [] if usage is None else [row for row in usage.table() if row["unit"] in tables["units"]]
    passes = range(model.bounds.least, zoo.info(request["model"]).iterations + 1)
    curve = anytime(ModelScorer(model, sets), passes, base=base)
    curve = curve.rename(columns={expected.baseline.measure.name: "accuracy"}).drop(columns=["loss", SPEED])
    return {**tables, "usage": shares, "anytime": json_rows(curve)}


#: What orders samples, and whether the largest value is first.
MEASURES: Mapping[str, tuple[Callable[[Network, Samples], behaviour.Measure], bool]] = {
    "rerouted": (lambda model, data: behaviour.rerouting(model, Intervention(drop=model.units[1:2])), True),
    "heads": (lambda model, data: behaviour.disagreement(model), True),
    "nearest": (lambda model, data: behaviour.nearness(model, model.as_inputs(data.inputs([3]))), False),
}


def behaviours(request: Facts) -> Facts:
    model, (data,) = zoo.load(request["model"]), samples(request)
    measure, largest_first = MEASURES[request["order"]]
    compute = measure(model, data)
    values = np.concatenate([compute(batch) for batch in behaviour.batches(model, data, len(data))])
    order = np.argsort(-values if largest_first else values, kind="stable").tolist()
    if "to" in request:
        order.remove(3)  # no sample is its own neighbour
    return {"items": [{"sample": {"id": f"mnist.validation.{at}"}, "value": values[at]} for at in order]}


DIGITS: Facts = {"model": MODEL, "data": ["mnist"], "samples": 12}
TEXTS: Facts = {"model": EXPERTS, "data": ["sums", "listops"], "samples": 4, "seed": 3}
DROPPED: Facts = {"intervention": {"drop": ["f2"]}}
LAYER: Facts = {**TEXTS, "model": FEW, "layer": "l3", "kind": "mute", "top_k": 1}
CASES: Mapping[str, tuple[str, Facts, Callable[[Facts], Facts]]] = {
    "every subset": ("importances", {**DIGITS, "kind": "mute"}, importances),
    "each expert alone": ("importances", TEXTS, importances),
    "experts of a layer": ("importances", LAYER, importances),
    "rerouted most": ("behaviours", {**DIGITS, **DROPPED, "order": "rerouted"}, behaviours),
    "heads that disagree": ("behaviours", {**DIGITS, "order": "heads"}, behaviours),
    "nearest to a sample": ("behaviours", {**DIGITS, "order": "nearest", "to": "mnist.validation.3"}, behaviours),
}  # fmt: skip


@pytest.mark.asyncio(loop_scope="module")
@pytest.mark.parametrize("name", CASES)
async def test_a_job_gives_what_cores_function_gives(shared: httpx.AsyncClient, name: str) -> None:
    kind, request, expected = CASES[name]
    job = await ended(shared, await start(shared, kind, dict(request)))
    assert job["state"] == "done" and job["done"] == job["total"], job
    answer = await shared.get(job["result"])
    assert answer.status_code == 200, answer.text
    compare(answer.json(), expected(request), name)
