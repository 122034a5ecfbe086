"""The code of figures runs in a notebook, and its numbers are those of the API, which panels show."""

import json
import warnings
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import httpx
import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
import pytest
from PIL import Image
from pydantic import TypeAdapter

from routescope.routing import Trace
from routescope.routing.caused import importance_plan
from routescope_app.api.schemas.code import AnyFigure
from routescope_app.services.code import FIGURES
from tests.app import serving
from tests.app.api.follow import ended, start
from tests.app.serving import BLOCKS, BLOCKS_PICTURES, CIRCUIT, MODEL, STATEMENTS

pytestmark = pytest.mark.asyncio(loop_scope="module")

REQUEST: TypeAdapter[Any] = TypeAdapter(AnyFigure)
SAMPLE = "mnist.validation.3"
SENTENCES = ["There is a red circle", "There are many squares"]
Run = Callable[..., Any]


def written(figure: str, facts: dict[str, Any], **more: Any) -> str:
    """The code of a figure, of facts as a page sends them."""
    asked = REQUEST.validate_json(json.dumps({"link": "http://127.0.0.1/", **facts, **more, "figure": figure}))
    return FIGURES[figure](asked)


@pytest.fixture
def run() -> Iterator[Run]:
    """The numbers of that code, which is run in a namespace of its own; its figures are drawn into nothing."""

    def numbers(figure: str, facts: dict[str, Any], figures: bool = True, **more: Any) -> Any:
        plt.close("all")
        names: dict[str, Any] = {}
        exec(compile(written(figure, facts, **more), figure, "exec"), names)
        assert bool(plt.get_fignums()) == figures, "what it draws"
        return names["numbers"]

    plt.switch_backend("Agg")
    yield numbers
    plt.close("all")


def of(outcome: dict[str, Any], **more: Any) -> dict[str, Any]:
    """Facts as pages have them, of an answer of the API."""
    named: dict[str, Any] = {name: outcome[name] for name in ("model", "revision", "data", "seed") if name in outcome}
    return {**named, **outcome.get("intervention", {}), **more}


async def job(client: httpx.AsyncClient, place: str, **request: Any) -> tuple[str, dict[str, Any]]:
    done = await ended(client, await start(client, place, {"model": MODEL, **request}))
    assert done["state"] == "done", done
    return done["result"], (await client.get(done["result"])).json()


async def answered(client: httpx.AsyncClient, place: str, **request: Any) -> Any:
    answer = await client.post(f"/api/v1/{place}", json=request)
    assert answer.status_code in {200, 201}, answer.text
    return answer.json()


def same(table: pd.DataFrame, rows: Sequence[dict[str, Any]], keys: str, value: str) -> None:
    """The table has the value of each row, at the row's keys."""
    assert rows, value
    indexed = table.set_index(keys.split())[value]
    for row in rows:
        at = tuple(row[key] for key in keys.split())
        assert indexed.loc[at if len(at) > 1 else at[0]] == pytest.approx(row[value], abs=1e-6), at


# -- one sample ------------------------------------------------------------------------------------------------------


async def traced(client: httpx.AsyncClient, tmp_path: Path, model: str, **intervention: Any) -> tuple[Any, Trace]:
    fields = {"fields": ("messages", "read_in", "read_out", "confidence")} if model == CIRCUIT else {}
    info = await answered(client, "traces", model=model, sample=SAMPLE, intervention=intervention, **fields)
    file = tmp_path / "trace.nc"
    file.write_bytes((await client.get(f"/api/v1/traces/{info['id']}/file")).content)
    return info, Trace.load(file)


async def test_paths_of_compatibilities(shared: httpx.AsyncClient, tmp_path: Path, run: Run) -> None:
    a, trace_a = await traced(shared, tmp_path, MODEL)
    b, trace_b = await traced(shared, tmp_path, MODEL, mute=["f2"], iterations=2)
    facts, index = of(b, sample=SAMPLE), ["step", "unit", "token"]
    numbers = run("path", facts).set_index(index)["compatibility"]
    expected = trace_b["compatibility"].isel(sample=0, drop=True).transpose(*index).to_series()
    pd.testing.assert_series_equal(numbers.sort_index(), expected.sort_index(), check_names=False, atol=1e-6)
    assert float(numbers.xs("f2", level="unit").max()) == 0

    shown = run("predictions", facts)
    for head in b["predictions"]:
        np.testing.assert_allclose(shown[head["domain"]], head["probabilities"], atol=1e-5)

    patches = run("patches", {**facts, "step": "i2"}).set_index("token")["unit"]
    dominant = trace_b.paths().dominant.query("step == 'i2'").set_index("token")["unit"]
    assert len(patches) == 16 and patches.to_dict() == dominant[patches.index].to_dict()

    outcome = run("difference", {**facts, "a": of(a, sample=SAMPLE), "b": facts}).set_index(index)
    assert set(outcome.index.unique("step")) == {"i1", "i2"}, "the steps that both have"
    for name, trace in (("a", trace_a), ("b", trace_b)):
        expected = trace["compatibility"].isel(sample=0, drop=True).transpose(*index).to_series()
        np.testing.assert_allclose(outcome[name], expected.reindex(outcome.index), atol=1e-6)
    np.testing.assert_allclose(outcome["change"], outcome["b"] - outcome["a"])
    assert outcome["change"].abs().max() > 0.1


async def test_paths_of_messages(shared: httpx.AsyncClient, tmp_path: Path, run: Run) -> None:
    a, trace_a = await traced(shared, tmp_path, CIRCUIT)
    b, trace_b = await traced(shared, tmp_path, CIRCUIT, drop=["m3"], keep_edges=0.5)
    facts = of(b, sample=SAMPLE)
    numbers, expected = run("path", facts), trace_b.paths().segments.drop(columns="sample")
    order = list(expected.columns[:-1])
    for table in (numbers, expected):
        table.sort_values(order, inplace=True, ignore_index=True)
    pd.testing.assert_frame_equal(numbers, expected, check_like=True, atol=1e-5)
    assert "m3" not in set(numbers["from_unit"])
    patches = run("patches", {**facts, "step": "read-in"})
    assert len(patches) == 16 and set(patches["unit"]) <= {f"m{n}" for n in range(1, 13)} - {"m3"}

    places = ["token", "step", "next_step", "from_unit", "to_unit"]
    outcome = run("difference", {**facts, "a": of(a, sample=SAMPLE), "b": facts}).set_index(places)
    for name, trace in (("a", trace_a), ("b", trace_b)):
        expected = trace.paths().segments.set_index(places)["weight"]
        np.testing.assert_allclose(outcome[name], expected.reindex(outcome.index).fillna(0), atol=1e-5)
        assert set(expected.index) <= set(outcome.index)
    lost = outcome.query("from_unit == 'm3' or to_unit == 'm3'")
    assert len(lost) and (lost["b"] == 0).all() and (lost["change"] == -lost["a"]).all()


async def test_the_code_of_a_picture_of_ones_own_names_a_file(
    shared: httpx.AsyncClient, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, run: Run
) -> None:
    picture = Image.fromarray(np.random.default_rng(0).integers(0, 255, (40, 60, 3), np.uint8))
    monkeypatch.chdir(tmp_path)
    picture.save("your-picture.png")
    sample = (await serving.upload(shared, Path("your-picture.png").read_bytes())).json()["id"]
    info = await answered(shared, "traces", model=MODEL, sample=sample)
    shown = run("predictions", of(info, sample=sample))
    for head in info["predictions"]:
        np.testing.assert_allclose(shown[head["domain"]], head["probabilities"], atol=1e-5)


async def test_other_weights_are_refused_and_names_are_never_code(run: Run) -> None:
    with pytest.raises(ValueError, match="other weights"):
        run("path", {"model": MODEL, "revision": "0" * 16, "sample": SAMPLE})
    name = '"); raise SystemExit("ran") #\n\\ $model'
    with pytest.raises(ValueError, match="other weights"):
        run("path", {"model": MODEL, "revision": name, "sample": SAMPLE, "link": name, "drop": [name], "step": name})


async def test_the_route_answers_with_code_and_refuses_other_figures(shared: httpx.AsyncClient) -> None:
    facts = {"model": MODEL, "revision": "r", "sample": SAMPLE, "drop": ["f2"], "seed": None, "made_with": "Routescope"}
    answer = await answered(shared, "code", figure="path", **facts)
    assert answer == {"code": written("path", {**facts, "link": ""})} and 'drop=("f2",)' in answer["code"]
    for wrong in ({"figure": "poem"}, {"sample": "../x"}, {"drop": ["f"] * 20_000}, {"model": '"'}, {"link": 3}):
        refused = await shared.post("/api/v1/code", json={"figure": "path", **facts, **wrong})
        assert refused.status_code == 422 and refused.json()["detail"], wrong


# -- data sets -------------------------------------------------------------------------------------------------------


def close(row: Any, interval: dict[str, Any]) -> None:
    np.testing.assert_allclose([row["value"], row["low"], row["high"]], [interval[k] for k in ("value", "low", "high")])


async def test_accuracies_and_changes(shared: httpx.AsyncClient, run: Run) -> None:
    change = {"drop": ["f1"], "iterations": 2}
    evaluation = await answered(shared, "evaluations", model=MODEL, samples=30, controls=3, intervention=change)
    rows = run("accuracy", of(evaluation), draws=3).set_index("what")
    close(rows.loc["as it is"], evaluation["baseline"]["accuracy"])
    close(rows.loc["with the intervention"], evaluation["accuracy"])
    close(rows.loc["change, paired"], evaluation["change"]["accuracy"])
    expected = [evaluation["control"][name] for name in ("mean", "least", "most")]
    np.testing.assert_allclose(rows.loc["random sets: mean, least, most"], expected)
    for by in ("label", "domain"):
        groups = run("effects", of(evaluation), by=by)
        shown = pd.DataFrame(evaluation[f"by_{by}"]).rename(columns={"name": "group"})[list(groups.columns)]
        assert [str(name) for name in groups["group"]] == [str(name) for name in shown["group"]]
        np.testing.assert_allclose(groups.iloc[:, 1:].to_numpy(float), shown.iloc[:, 1:].to_numpy(float))


async def test_what_training_left_out_stands_apart(shared: httpx.AsyncClient, run: Run) -> None:
    change = {"drop": ["m1"]}
    evaluation = await answered(shared, "evaluations", model=CIRCUIT, samples=24, controls=0, intervention=change)
    rows = run("accuracy", of(evaluation)).set_index("what")
    for name, words in (("unknown", "distribution unknown"), ("out", "out of distribution")):
        part = next(member for member in evaluation["by_distribution"] if member["name"] == name)
        close(rows.loc[f"with the intervention, {words}"], part["accuracy"])


@pytest.mark.parametrize(("model", "by", "unit"), [(STATEMENTS, "kind", "m1"), (BLOCKS, "task", "1.1")])
async def test_kinds_of_samples(shared: httpx.AsyncClient, run: Run, model: str, by: str, unit: str) -> None:
    change = {"drop": [unit]}
    evaluation = await answered(shared, "evaluations", model=model, samples=40, controls=0, intervention=change)
    groups = run("effects", of(evaluation), by=by).rename(columns={"group": "name"})
    assert len(evaluation["by_kind"]) == len(groups) > 1
    for value in ("accuracy", "count"):
        same(groups, evaluation["by_kind"], "name", value)


@pytest.mark.slow
async def test_what_units_cause(shared: httpx.AsyncClient, monkeypatch: pytest.MonkeyPatch, run: Run) -> None:
    _, outcome = await job(shared, "importances", data=["mnist"], samples=12, kind="mute")
    facts = of(outcome, left_out_as=outcome["kind"], iterations=outcome["iterations"], keep_edges=None)
    for key, keys, value, table in (
        ("effect", "unit", "value", "shapley"),
        ("effect", "unit", "change", "single"),
        ("importance", "unit", "change", "single"),
        ("interactions", "unit other", "value", "interactions"),
        ("retention", "order dropped", "accuracy", "retention"),
        ("use", "unit step", "share", "usage"),
    ):
        same(run("importance", facts, panel=key), outcome[table], keys, value)
    anytime = run("importance", facts, panel="anytime")
    np.testing.assert_allclose(anytime["accuracy"], [row["accuracy"] for row in outcome["anytime"]])

    monkeypatch.setattr(importance_plan, "PERMUTATIONS", 4)  # of both, who score what they sample one by one
    _, outcome = await job(shared, "importances", model=CIRCUIT, data=["mnist"], samples=2)
    facts = of(outcome, left_out_as=outcome["kind"], iterations=None, keep_edges=None)
    shown, expected = run("importance", facts, panel="convergence"), pd.DataFrame(outcome["convergence"])
    assert len(shown) == len(expected) > 0 and max(expected["permutations"]) == 4
    np.testing.assert_allclose(shown["value"], expected["value"], atol=1e-9)


@pytest.mark.slow
async def test_what_is_observed(shared: httpx.AsyncClient, run: Run) -> None:
    _, outcome = await job(shared, "observations", data=["mnist"], samples=12, intervention={"drop": ["f2"]}, seed=3)
    names = ["specialisation", "specialisation_null", "mutual_information"]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of numbers that are not defined, which are not drawn
        numbers = run("observation", of(outcome), variables=names)
    for name in names:
        expected = np.array(outcome["variables"][name]["values"], dtype=float)
        np.testing.assert_allclose(numbers[name].to_numpy().reshape(expected.shape), expected, atol=1e-6)
    rows = run("exemplars", of(outcome)).set_index(["unit", "rank"])
    for exemplar in outcome["exemplars"]:
        row = rows.loc[(exemplar["unit"], exemplar["rank"])]
        assert f"mnist.validation.{row['exemplar_sample']}" == exemplar["sample"]
        assert (row["exemplar_token"], row["exemplar_step"]) == (exemplar["token"], exemplar["step"])


async def test_what_experts_cause(shared: httpx.AsyncClient, run: Run) -> None:
    serving.make_experts()
    _, outcome = await job(shared, "importances", model=serving.EXPERTS, data=["sums"], samples=1, top_k=3)
    facts = of(outcome, left_out_as="drop", iterations=None, keep_edges=None, top_k=3, layer=None)
    numbers = run("importance", facts, panel="effect")
    assert list(numbers["unit"]) == [effect["unit"] for effect in outcome["single"]] and len(numbers) == 32
    same(numbers, outcome["single"], "unit", "change")
    same(run("importance", facts, panel="use"), outcome["usage"], "unit step", "share")


async def test_what_is_observed_of_experts(shared: httpx.AsyncClient, run: Run) -> None:
    serving.make_experts()
    asked = {"model": serving.EXPERTS, "data": ["sums", "python"], "samples": 6, "shuffles": 20, "seed": 3}
    _, outcome = await job(shared, "expert-loads", intervention={"mute": ["l2.e2"], "top_k": 3}, **asked)
    facts = of(outcome, shuffles=20, layer_shown="l2")
    for key, name, value in (
        ("load", "load", lambda layer: layer["load"]),
        ("balance", "by_token", lambda layer: [layer["by_token"]["specialisation"]]),
        ("domains", "share", lambda layer: np.ravel(layer["by_domain"])),
        ("tokens", "shuffled_high", lambda layer: np.ravel(layer["by_token"]["high"])),
        ("together", "over_independence", lambda layer: np.ravel(layer["together"])),
        ("alike", "alike", lambda layer: np.ravel(layer["alike"])),
        ("written", "cosine", lambda layer: np.ravel(layer["written"]["cosine"])),
    ):
        numbers = run("experts", facts, panel=key)
        for layer in outcome["layers"]:
            own = numbers[numbers["layer"] == layer["name"]][name].to_numpy(dtype=float)
            np.testing.assert_allclose(own, np.array(value(layer), dtype=float), atol=1e-6, err_msg=key)
    rows = run("experts", facts, panel="exemplars", figures=False)
    for row, exemplar in zip(rows.itertuples(), outcome["exemplars"], strict=True):
        assert (row.expert, row.token) == (exemplar["unit"], exemplar["token"])
        assert f"{exemplar['domain']}.validation.{row.sample}" == exemplar["sample"]


async def test_maps_of_types(shared: httpx.AsyncClient, run: Run) -> None:
    request = {"data": ["mnist", "street-digits"], "samples": 5, "method": "pca", "tokens": "all"}
    place, outcome = await job(shared, "embeddings", **request)
    asked = {"tokens": "all", "samples": 5, "iterations": None}
    facts = of(outcome, method=outcome["method"], routing=outcome["routing"], parameters=outcome["parameters"])
    answer = await shared.get(f"{place}/arrays/xy", params={"format": "binary"})
    xy = np.frombuffer(answer.content, answer.headers["x-dtype"]).reshape(-1, 2)
    numbers = run("types", {**facts, **asked, "colour": "label"})
    np.testing.assert_allclose(numbers[["x", "y"]], xy, atol=1e-3)
    chosen = numbers.iloc[[3, 40]][["sample", "token", "step"]].to_numpy().tolist()
    points: dict[str, dict[str, list[str]]] = {}
    for sample, token, step in chosen:
        points.setdefault(sample, {}).setdefault(token, []).append(step)
    some = run("types-selection", {**facts, **asked, "map": "trained"}, points=points)
    np.testing.assert_allclose(some[["x", "y"]], xy[[3, 40]], atol=1e-3)
    groups = run("types-clustering", facts, **asked).set_index(["step", "by"])["score"]
    for row in outcome["clustering"]:
        if row["score"] is not None:
            assert groups[row["step"], row["by"]] == pytest.approx(row["score"], abs=1e-4)
    assert run("types-facts", facts, **asked, figures=False)["points"] == outcome["count"]


# -- how modules are linked ------------------------------------------------------------------------------------------


async def test_graphs(shared: httpx.AsyncClient, run: Run) -> None:
    outcome = (await shared.get(f"/api/v1/models/{CIRCUIT}/graph")).json()
    facts = of(outcome, prior=outcome["prior"], drop=["m2"], links_drawn=10, unit="m5")
    graph = run("graph", facts)
    assert len(graph) == 10 and graph["probability"].is_monotonic_decreasing
    assert not graph[(graph["module"] == "m2") | (graph["other"] == "m2")]["left"].any()
    answer = await shared.get(f"/api/v1/models/{CIRCUIT}/graph/matrix")
    P = np.frombuffer(answer.content, answer.headers["x-dtype"]).reshape(12, 12)
    order = np.array(outcome["order"])
    matrix = run("matrix", {**facts, "order": "matched"})
    assert list(matrix.index) == [outcome["units"][at] for at in order]
    np.testing.assert_allclose(matrix, P[np.ix_(order, order)], atol=1e-6)
    assert len(run("matrix", {**facts, "order": "communities"})) == 12
    degrees = run("degrees", facts)
    for name in ("learned", "prior"):
        np.testing.assert_allclose(degrees[name], outcome["degrees"][name])
    clusters = run("clusters", facts, shares=[row["share"] for row in outcome["clusters"]])
    assert clusters["clusters"].tolist() == [row["clusters"] for row in outcome["clusters"]]
    module = run("module", facts).set_index("module")["probability"]
    np.testing.assert_allclose(module["m1"], P[4, 0], atol=1e-6)
    table = run("statistics", facts, figures=False)
    for row in outcome["statistics"]:
        if row["on"] == "link probabilities":
            for name in ("learned", "prior"):
                assert table.loc[row["name"], name] == pytest.approx(row[name]["value"])


async def test_circuits_of_sentences(shared: httpx.AsyncClient, run: Run) -> None:
    answer = await answered(shared, f"models/{STATEMENTS}/designs", sentences=SENTENCES, threshold=0.5)
    facts = of(answer, model=STATEMENTS, sentences=SENTENCES, threshold=0.5, drop=[], keep_edges=None)
    links = run("designs", facts)
    distances = run("distances", facts, figures=False)
    changed = answer["designs"][1]["to_first"]
    for name in ("mean_change", "correlation"):
        assert distances[name][1] == pytest.approx(changed[name], abs=1e-6)
    assert distances["links"].tolist() == [int((links[f"p_{at}"] > 0.5).sum()) for at in (1, 2)]


@pytest.mark.slow
async def test_answers_about_pictures_and_pictures_that_were_drawn_by_hand(shared: httpx.AsyncClient, run: Run) -> None:
    things = [
        {"shape": "circle", "colour": "red", "size": "large", "x": 0.4, "y": 0.5},
        {"shape": "star", "colour": "blue", "size": "small", "x": 0.75, "y": 0.25},
    ]
    scene = {"pictures": [things, []]}
    for pictures, reported in (
        ({"scene": scene}, {"statement": None, "edited": True, "scene": scene}),
        ({"statement": "scenes.validation.2"}, {"statement": "scenes.validation.2", "edited": False, "scene": None}),
    ):
        asked = {"sentences": SENTENCES, "pictures": pictures, "intervention": {"drop": ["m1"]}}
        outcome = await answered(shared, f"models/{STATEMENTS}/answers", **asked)
        facts = of(outcome, **reported)
        expected = [answer["probability"] for answer in outcome["answers"]]
        np.testing.assert_allclose(run("answers", facts, sentences=SENTENCES)["probability"], expected, atol=1e-6)
        assert len(run("reads", {**facts, "unit": "m2"}, sentences=SENTENCES)) == 2 * 18
        whole = run("reads", {**facts, "unit": "all"}, sentences=SENTENCES)
        assert whole.groupby("sample")["weight"].sum().between(0, 1 + 1e-6).all()
    drawn = {"model": STATEMENTS, "revision": outcome["revision"], "statement": None, "edited": True}
    numbers = run("pictures", drawn, scene=scene)
    assert numbers.to_dict("records") == [{"picture": 0, **thing} for thing in things]
    shown = [np.asarray(axes.images[0].get_array()) for axes in plt.gcf().axes]
    assert len(shown) == 2 and len(np.unique(shown[1].reshape(-1, 3), axis=0)) == 1 < len(np.unique(shown[0]))


@pytest.mark.slow
async def test_maps_of_sentences(shared: httpx.AsyncClient, run: Run) -> None:
    _, outcome = await job(shared, "sentence-maps", model=STATEMENTS, method="pca")
    facts = of(outcome, set=outcome["set"], method=outcome["method"], parameters=outcome["parameters"], colour="kind")
    shown = run("sentences", facts)
    np.testing.assert_allclose(shown[["x", "y"]], outcome["xy"], atol=1e-4)
    texts = shown["text"].tolist()
    some = run("some-sentences", facts, texts=[texts[4], texts[1]], figures=False)
    np.testing.assert_allclose(some[["x", "y"]], [outcome["xy"][4], outcome["xy"][1]], atol=1e-4)
    apart = run("separation", facts, figures=False)
    np.testing.assert_allclose(apart["score"], [row["value"] for row in outcome["separation"]], atol=1e-4)


# -- blocks ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("model", "task", "given"),
    [
        (BLOCKS, "algo", {"digits": [3, 1, 4, 1, 5], "program": [0, 3]}),
        (BLOCKS_PICTURES, "bpmnist", {"sample": SAMPLE, "permutation": 4}),
    ],
)
async def test_blocks(shared: httpx.AsyncClient, run: Run, model: str, task: str, given: dict[str, Any]) -> None:
    outcome = await answered(shared, f"models/{model}/block-runs", input=given)
    facts = of(outcome, task=task, iterations=outcome["iterations"])
    words = run("block-answers", facts, input=given)
    assert words["digit"].tolist() == [digit for answer in outcome["answers"] for digit in answer["digits"]]
    made = run("blocks", facts, input=given)
    assert np.allclose(made.groupby(["step", "block"])["weight"].sum(), 1, atol=1e-5)


async def test_indicators_over_training(shared: httpx.AsyncClient, run: Run) -> None:
    answer = (await shared.get("/api/v1/models/smfr-addmul/indicators")).json()
    shown = run("indicators", of(answer))
    assert shown.index.tolist() == answer["steps"]
    series = {entry["name"]: entry["values"] for entry in answer["series"]}
    expected = [np.nan if value is None else value for value in series["accuracy.validation"]]
    np.testing.assert_allclose(shown["accuracy.validation"], expected)


# -- routing logs ----------------------------------------------------------------------------------------------------


async def logged(client: httpx.AsyncClient, folder: Path, experts: list[list[list[int]]]) -> str:
    """The id of a log that was brought; its file lies where the code looks for it."""
    choice = {"index": 0, "routed_experts": experts, "prompt_token_ids": [7], "token_ids": [8, 9, 10]}
    content = json.dumps({"id": "x", "choices": [choice]})
    headers = {"Content-Type": "application/octet-stream"}
    answer = await client.post("/api/v1/logs?name=answers.json&experts=5", content=content, headers=headers)
    log_id: str = answer.json()["id"]
    file = folder / f"log-{log_id[:12]}.parquet"
    file.write_bytes((await client.get(f"/api/v1/logs/{log_id}/file")).content)
    return log_id


async def test_routing_logs(
    shared: httpx.AsyncClient, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, run: Run
) -> None:
    monkeypatch.chdir(tmp_path)
    one = await logged(shared, tmp_path, [[[0, 1], [2, 3]], [[1, 2], [0, 3]], [[3, 0], [1, 2]]])
    two = await logged(shared, tmp_path, [[[1, 0], [2, 3]], [[1, 2], [0, 1]], [[3, 1], [1, 2]]])

    async def of_logs(path: str, **query: Any) -> Any:
        return (await shared.get(f"/api/v1/logs/{path}", params=query)).json()

    facts = {"ids": [one], "logs": ["answers.json"], "sequence": 0, "start": 1, "tokens": 2}
    assert list(run("log-path", facts).itertuples(index=False, name=None)) == [
        ("l1", 1, "l1.e2", 0.5), ("l1", 1, "l1.e3", 0.5), ("l2", 1, "l2.e1", 0.5), ("l2", 1, "l2.e4", 0.5),
        ("l1", 2, "l1.e4", 0.5), ("l1", 2, "l1.e1", 0.5), ("l2", 2, "l2.e2", 0.5), ("l2", 2, "l2.e3", 0.5),
    ]  # fmt: skip
    text = run("log-text", facts | {"layer": "l2"})
    assert text["text"].tolist() == ["8", "9"] and text["expert"].tolist() == ["l2.e1", "l2.e2"]
    assert text["token"].tolist() == [1, 2] and text["margin"].isna().all()
    assert run("log-usage", facts).to_numpy().tolist() == (await of_logs(f"{one}/usage"))["counts"]
    observed = facts | {"layer_shown": "l2"}
    shares = [share for layer in (await of_logs(f"{one}/load"))["layers"] for share in layer["load"]]
    assert run("log-experts", observed, panel="load")["load"].tolist() == pytest.approx(shares, abs=1e-5)
    for key in ("balance", "together", "alike", "tokens"):
        assert len(run("log-experts", observed, panel=key)) > 1, key
    assert run("log-experts", observed, panel="exemplars", figures=False).empty

    both = {"ids": [one, two], "logs": ["answers.json", "answers.json"], "sequence": 0}
    layers = (await of_logs("comparison", a=one, b=two))["layers"]
    assert run("logs-compared", both)["same"].tolist() == pytest.approx([layer["same"] for layer in layers], abs=1e-6)
    tokens = (await of_logs("comparison/tokens", a=one, b=two))["items"]
    agreement = run("logs-agreement", both)
    assert agreement["agreement"].tolist() == [token["agreement"] for token in tokens]
    assert agreement["first"].tolist() == [token["first"] or "" for token in tokens]
    expected = [
        (side["layer"], name, taken["unit"], taken["share"], layer["same"])
        for layer in (await of_logs("comparison/token", a=one, b=two, token=2))["layers"]
        for name, side in (("A", layer["a"]), ("B", layer["b"]))
        for taken in side["taken"]
    ]
    decision = run("logs-decision", both | {"token": 2}).drop(columns="margin")
    assert list(decision.itertuples(index=False, name=None)) == expected

    many = [await logged(shared, tmp_path, [[[0, other]] * 11] * 3) for other in (1, 2)]
    run("logs-decision", {"ids": many, "logs": ["a", "b"], "token": 1})
    one_side, other_side = plt.gcf().axes
    assert [label.get_text() for label in one_side.get_yticklabels()] == [f"l{layer}" for layer in range(1, 12)]
    for axes in (one_side, other_side):
        bottom, top = axes.get_ylim()
        assert bottom > top, "layers stand in their order from the top"


# -- pruning of experts ------------------------------------------------------------------------------------------------


@pytest.mark.slow
@pytest.mark.parametrize("order", ["greedy", "chance"])
async def test_a_pruning(shared: httpx.AsyncClient, run: Run, order: str) -> None:
    serving.make_experts()
    asked = {
        "model": serving.EXPERTS, "data": ["sums", "python"], "samples": 2, "order": order, "scope": "all",
        "at_once": 16, "points": 2, "draws": 1, "seed": 4,
    }  # fmt: skip
    place, outcome = await job(shared, "prunings", **asked)
    names = ("order", "scope", "at_once", "draws")
    facts = of(outcome, keep=[8, 6, 2, 3], points=2, **{name: outcome[name] for name in names})
    kept = run("kept-experts", facts)
    answer = await shared.get(f"{place}/keep-list", params={"keep": "8,6,2,3"})
    expected = {unit for layer in answer.json()["layers"] for unit in layer["kept"]}
    assert len(kept) == 32 and set(kept[kept["stays"]]["expert"]) == expected

    numbers = run("retention", facts)
    ordered, random = (
        numbers[numbers["order"] == name].set_index(["domain", "keep"]).sort_index() for name in (order, "random")
    )
    assert len(ordered) == len(outcome["curve"]) == 6
    for point in outcome["curve"]:
        at = (point["domain"], point["keep"])
        shown = [*ordered.loc[at, ["share", "figure", "change_low"]], random.loc[at, "figure"]]
        figures = (point["figure"]["value"], point["change"]["low"], point["random"]["value"])
        assert shown == pytest.approx([point["share"], *figures])
