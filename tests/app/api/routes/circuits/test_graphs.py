"""Graphs of links through the API: what the model says, in the forms that pages and programs read."""

import asyncio
import io
import itertools
import json
import threading
from pathlib import Path
from typing import Any

import httpx
import networkx as nx
import numpy as np
import pytest
import torch

from routescope import zoo
from routescope.data import load
from routescope.routing import record
from routescope.routing.graphs import distance_to_prior, match, prior, statistics
from routescope_app.services.circuits import graph_facts
from routescope_app.services.errors import Busy
from routescope_app.settings import DISK_SHARES, MEMORY_SHARES
from tests.app.serving import CIRCUIT, MODULES, is_problem, make_circuit, running, serving, settings

pytestmark = pytest.mark.asyncio(loop_scope="module")

GRAPHS = "routescope_app.services.circuits.graphs"
PLACE = f"/api/v1/models/{CIRCUIT}/graph"


async def graph(client: httpx.AsyncClient, model: str = CIRCUIT) -> dict[str, Any]:
    response = await client.get(f"/api/v1/models/{model}/graph")
    assert response.status_code == 200, response.text
    return response.json()


def learned(model: str = CIRCUIT) -> np.ndarray:
    with torch.no_grad():
        return zoo.load(model).link_probability().double().numpy()


async def test_the_graph_is_the_model_s(client: httpx.AsyncClient) -> None:
    result, P = await graph(client), learned()
    U = len(MODULES)
    assert result["units"] == list(MODULES) and result["prior"] == "planted-partition" and result["links"] == "learned"
    assert (result["model"], result["revision"]) == (CIRCUIT, zoo.info(CIRCUIT).revision)
    np.testing.assert_allclose(result["connectivity"], P.sum(axis=1), atol=1e-5)
    np.testing.assert_allclose(result["degrees"]["learned"], P.sum(axis=1) - 1, atol=1e-5)
    assert sorted(result["order"]) == list(range(U)) and result["ordered_by"] == "prior"
    layout = np.array(result["layout"])
    assert layout.shape == (U, 2) and np.linalg.norm(layout, axis=1).max() <= 1 + 1e-9
    assert len({tuple(position) for position in result["layout"]}) == U
    assert result["edges"] == U * (U - 1) // 2 and result["readouts"] == 3
    assert result["communities"] == statistics(P).communities.tolist()
    points = result["clusters"]
    assert [points[at]["share"] for at in (0, -1)] == [1, 0] and points[0]["clusters"] == 1
    assert points == sorted(points, key=lambda point: (-point["share"], point["clusters"]))
    assert points[-1]["clusters"] == U, "clusters appear as links go"
    answer = await client.get(f"{PLACE}/matrix")
    told = [answer.headers[name] for name in ("x-shape", "x-dims", "x-dtype")]
    assert told == ["12,12", "unit,sender", "float32"]
    matrix = np.frombuffer(answer.content, "<f4").reshape(12, 12)
    np.testing.assert_allclose(matrix, P, atol=1e-6)
    np.testing.assert_array_equal(matrix, matrix.T)


async def test_the_prior_is_as_it_was_matched(client: httpx.AsyncClient) -> None:
    """Its matrix in the model's order is as near as a search finds; ``order`` lists units as the prior has them."""
    result, P, P0 = await graph(client), learned(), prior("planted-partition", len(MODULES))
    answer = await client.get(f"{PLACE}/matrix", params={"which": "prior"})
    matched = np.frombuffer(answer.content, "<f4").reshape(len(MODULES), -1)
    np.testing.assert_allclose(matched[np.ix_(result["order"], result["order"])], P0, atol=1e-6)
    best = distance_to_prior(P, P0, match(P, P0))
    same = distance_to_prior(P, matched.astype(float), np.arange(len(P)))
    assert result["distance"] == pytest.approx(same, abs=1e-6) and result["distance"] <= best + 1e-9
    traced = record(zoo.load(CIRCUIT), load("mnist").images[:1].float() / 255, ())["prior_link_probability"]
    np.testing.assert_array_equal(traced.values, matched, "traces show another match")
    np.testing.assert_allclose(result["degrees"]["prior"], matched.sum(axis=1) - 1, atol=1e-5)


async def test_statistics_say_what_they_are_of(client: httpx.AsyncClient) -> None:
    rows = (await graph(client))["statistics"]
    P, P0 = learned(), prior("planted-partition", len(MODULES))
    by_name = {(row["name"], row["on"]): row for row in rows}
    assert len(by_name) == len(rows) and len({row["on"] for row in rows}) == 3
    expected = by_name["modularity", "link probabilities"]
    assert expected["learned"] == {"value": pytest.approx(statistics(P).modularity, abs=1e-6), "deviation": None}
    assert expected["prior"]["value"] == pytest.approx(statistics(P0).modularity)
    likely = by_name["components", "links with P > 0.5"]
    assert likely["learned"]["value"] == statistics(P, 0.5).components
    drawn = [row for row in rows if "drawn" in row["on"]]
    assert {row["name"] for row in drawn} == set(graph_facts.TITLES)
    assert all(row["learned"]["deviation"] is not None for row in drawn if row["learned"]["value"] is not None)


async def test_edges_come_strongest_first(client: httpx.AsyncClient) -> None:
    answer, P = await client.get(f"{PLACE}/edges"), learned()
    count = int(answer.headers["x-count"])
    assert count == int(answer.headers["x-total"]) == 66 and len(answer.content) == 8 * count
    i, j = (np.frombuffer(answer.content, "<u2", count, 2 * count * position) for position in (0, 1))
    p = np.frombuffer(answer.content, "<f4", count, 4 * count)
    assert (i < j).all() and (np.diff(p) <= 0).all() and len(set(zip(i.tolist(), j.tolist(), strict=True))) == count
    np.testing.assert_allclose(p, P[i, j], atol=1e-6)
    few = await client.get(f"{PLACE}/edges", params={"most": 5})
    assert few.headers["x-count"] == "5" and few.headers["x-total"] == "66"
    np.testing.assert_array_equal(np.frombuffer(few.content, "<f4", 5, 20), p[:5])
    likely = await client.get(f"{PLACE}/edges", params={"least": 0.4})
    assert int(likely.headers["x-count"]) == (p >= 0.4).sum() and 0 < (p >= 0.4).sum() < count


async def test_who_has_it_gets_nothing_twice(client: httpx.AsyncClient, monkeypatch: pytest.MonkeyPatch) -> None:
    """Another version sends it again, as matches and orders of equal links may differ between versions."""
    queries = [(f"{PLACE}/matrix", {"which": "prior"}), (f"{PLACE}/matrix", {}), (f"{PLACE}/edges", {})]
    tags = [(await client.get(url, params=query)).headers["etag"] for url, query in queries]
    assert len(set(tags)) == len(tags)
    for changed in (None, "__version__", "FORM"):
        with monkeypatch.context() as patch:
            if changed:
                patch.setattr(f"{GRAPHS}.{changed}", "another")
            for (url, query), tag in zip(queries, tags, strict=True):
                answer = await client.get(url, params=query, headers={"If-None-Match": tag})
                assert (answer.status_code, bool(answer.content)) == ((200, True) if changed else (304, False))
    other = await client.get(f"{PLACE}/edges", params={"most": 3}, headers={"If-None-Match": tags[-1]})
    assert other.status_code == 200 and len(other.content) == 24


async def test_a_module(client: httpx.AsyncClient) -> None:
    body, P, position = (await client.get(f"{PLACE}/modules/m3")).json(), learned(), 2
    assert [n["unit"] for n in body["neighbours"]] == [
        MODULES[u] for u in np.argsort(-P[position], kind="stable") if u != position
    ]
    assert body["neighbours"][0]["probability"] == pytest.approx(np.sort(P[position])[-2], abs=1e-6)
    q = P.sum(axis=1)
    assert body["connectivity"] == pytest.approx(q[position], abs=1e-5) and body["rank"] == (q > q[position]).sum() + 1
    with torch.no_grad():
        to_readouts = zoo.load(CIRCUIT).readout_link_probability()[:, position].tolist()
    assert body["readout_links"] == pytest.approx(to_readouts, abs=1e-6)
    assert (body["read_in"], body["read_out_share"], body["read_out_rank"]) == (None, None, None)
    few = await client.get(f"{PLACE}/modules/m3", params={"samples": 1})
    assert len(zoo.info(CIRCUIT).domains) > 1, "fewer samples than data sets cost the drop effect alone"
    assert few.status_code == 200 and few.json()["drop_effect"] is None and len(few.json()["neighbours"]) == 11


async def test_what_a_module_does_to_a_sample(client: httpx.AsyncClient) -> None:
    """Shares of the output are those of a recording, and add up to 1 over the modules."""
    sample, image = "mnist.validation.3", load("mnist").images[3:4].float() / 255
    trace = record(zoo.load(CIRCUIT), image, ("read_in", "read_out", "confidence")).dataset
    share = (trace["read_out"] * trace["confidence"]).sum("readout").values[0]
    modules = [(await client.get(f"{PLACE}/modules/{unit}", params={"sample": sample})).json() for unit in MODULES]
    np.testing.assert_allclose([module["read_out_share"] for module in modules], share, atol=1e-6)
    assert sorted(module["read_out_rank"] for module in modules) == list(range(1, 13))
    assert modules[2]["read_in"]["grid"] == [4, 4] and modules[2]["read_in"]["sample"] == sample
    read = [module["read_in"]["weights"] for module in modules]
    np.testing.assert_allclose(read, trace["read_in"].values[0], atol=1e-6)


async def test_the_drop_effect_is_there_once_it_was_evaluated(client: httpx.AsyncClient) -> None:
    query = {"samples": 30}
    assert (await client.get(f"{PLACE}/modules/m3", params=query)).json()["drop_effect"] is None
    body = {"model": CIRCUIT, "samples": 30, "intervention": {"drop": ["m3"]}, "controls": 0}
    evaluated = (await client.post("/api/v1/evaluations", json=body)).json()
    effect = (await client.get(f"{PLACE}/modules/m3", params=query)).json()["drop_effect"]
    inside, outside = evaluated["by_distribution"]  # what training left out is not pooled with the rest
    assert effect["accuracy"] == inside["change"]["accuracy"] and effect["loss"] == inside["change"]["loss"]
    assert effect["distribution"] == inside["name"] == "unknown" and outside["name"] == "out"
    assert effect["loss"] != outside["change"]["loss"]
    assert effect["measure"] == evaluated["measure"]
    assert sum(entry["count"] for entry in effect["data"]) == inside["count"] < 30
    assert not any(entry["held_out"] for entry in effect["data"])
    assert (await client.get(f"{PLACE}/modules/m4", params=query)).json()["drop_effect"] is None
    assert (await client.get(f"{PLACE}/modules/m3", params={"samples": 31})).json()["drop_effect"] is None


async def test_without_a_prior_modules_are_ordered_by_community(client: httpx.AsyncClient) -> None:
    make_circuit("without-prior", prior=None)
    result = await graph(client, "without-prior")
    assert (result["prior"], result["distance"], result["degrees"]["prior"]) == (None, None, None)
    assert result["ordered_by"] == "communities" and all(row["prior"] is None for row in result["statistics"])
    groups = [result["communities"][position] for position in result["order"]]
    assert groups == sorted(groups)
    refused = await client.get("/api/v1/models/without-prior/graph/matrix", params={"which": "prior"})
    assert "which=learned" in is_problem(refused, 404)["detail"]


async def test_too_many_modules_and_no_room(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(MEMORY_SHARES, "graphs", 0)
    monkeypatch.setitem(DISK_SHARES, "graphs", 0)
    monkeypatch.setattr(f"{GRAPHS}.MAX_UNITS", len(MODULES))
    async with serving(settings(tmp_path)) as client:
        assert await graph(client) == await graph(client)
        assert not list((tmp_path / "cache" / "graphs").glob("*.json"))
        monkeypatch.setattr(f"{GRAPHS}.MAX_UNITS", 11)
        assert "11 modules" in is_problem(await client.get(PLACE), 422)["detail"]


async def test_it_is_computed_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """For many at the same time, after a restart, and again where the file is damaged."""
    calls = []
    compute = graph_facts.described
    monkeypatch.setattr(f"{GRAPHS}.described", lambda *given: calls.append(1) or compute(*given))
    async with serving(settings(tmp_path)) as client:
        first, *others = await asyncio.gather(*(graph(client) for _ in range(5)))
        assert len(calls) == 1 and all(other == first for other in others)
    async with serving(settings(tmp_path)) as client:
        assert await graph(client) == first and len(calls) == 1
    (file,) = (tmp_path / "cache" / "graphs").glob("*.json")
    whole = json.loads(file.read_text())
    assert set(whole) == graph_facts.FIELDS
    damaged = [json.dumps({key: value for key, value in whole.items() if key != name}) for name in ("places", "prior")]
    for text in (file.read_text()[:100], json.dumps({"form": "another"}), *damaged):
        calls.clear()
        file.write_text(text)
        async with serving(settings(tmp_path)) as client:
            assert await graph(client) == first and len(calls) == 1


async def test_a_stop_ends_what_is_computed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    begun, layout = threading.Event(), graph_facts.layout

    def slow(*given: Any) -> Any:
        begun.set()
        stopped.wait(30)
        return layout(*given)

    stopped, after = threading.Event(), []
    monkeypatch.setattr(graph_facts, "layout", slow)
    monkeypatch.setattr(graph_facts, "components_by_share", lambda *_: after.append("the next part"))
    async with running(settings(tmp_path)) as app:
        asking = asyncio.create_task(app.state.services.graphs.graph(CIRCUIT))
        await asyncio.to_thread(begun.wait, 30)
        app.state.services.graphs.close()
        stopped.set()
        with pytest.raises(Busy, match="stopping"):
            await asking
    assert not after


@pytest.mark.parametrize(("form", "which"), [("graphml", "learned"), ("gexf", "prior")])
async def test_a_graph_is_read_back_from_its_file(
    client: httpx.AsyncClient, form: str, which: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """By networkx itself: all modules and links, with the types of their attributes, and what is left out marked."""
    result, read = await graph(client), nx.read_graphml if form == "graphml" else nx.read_gexf
    query = {"format": form, "which": which, "drop": "m2", "keep_edges": 0.5}
    answer = await client.get(f"{PLACE}/file", params=query)
    assert answer.status_code == 200 and answer.headers["content-type"] == f"application/{form}+xml"
    assert f"graph.{form}" in answer.headers["content-disposition"]
    back = read(io.BytesIO(answer.content))
    U = len(MODULES)
    matrix = await client.get(f"{PLACE}/matrix", params={"which": which})
    P = np.frombuffer(matrix.content, "<f4").reshape(U, U)
    assert list(back) == list(MODULES) and not back.is_directed()
    for position, unit in enumerate(MODULES):
        about = back.nodes[unit]
        assert about["connectivity"] == pytest.approx(result["connectivity"][position])
        assert about["community"] == result["communities"][position] and isinstance(about["community"], int)
        assert about["expected_links"] == pytest.approx(result["degrees"][which][position])
        assert (about["x"], about["y"]) == pytest.approx(result["layout"][position])
        assert about["kept"] is (unit != "m2")
    links = {frozenset(ends) for ends in itertools.combinations(range(U), 2) if P[ends] > 0}
    assert {frozenset(MODULES.index(end) for end in edge) for edge in back.edges} == links
    staying = []
    for a, b, about in back.edges(data=True):
        p = P[MODULES.index(a), MODULES.index(b)]
        assert about["weight"] == pytest.approx(p)
        if "m2" in (a, b):
            assert not about["kept"]
        else:
            staying.append((p, about["kept"]))
    pairs = (U - 1) * (U - 2) // 2
    assert sum(kept for _, kept in staying) == min(pairs - round(0.5 * pairs), len(staying))
    assert min(p for p, kept in staying if kept) >= max(p for p, kept in staying if not kept)
    facts = back.graph if form == "graphml" else back.nodes["m1"]
    assert (facts["model"], facts["revision"], facts["links"]) == (CIRCUIT, result["revision"], which)
    monkeypatch.setattr("routescope_app.api.routes.circuits.graphs.MAX_FILE_LINKS", 3)
    for more, count in (({}, 3), ({"most": 2}, 2)):
        part = nx.read_graphml(io.BytesIO((await client.get(f"{PLACE}/file", params=more)).content))
        assert (part.number_of_edges(), len(part)) == (count, U) and part.graph["links_in_all"] > 3
