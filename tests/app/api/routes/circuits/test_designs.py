"""Circuits that sentences design, and maps of them, through the API: what the core gives."""

import asyncio
import threading
from pathlib import Path
from typing import Any

import httpx
import numpy as np
import pytest

from routescope import zoo
from routescope.data.statements.sentences import SENTENCE_SETS, sentences
from routescope.routing.graphs.designs import compare, designs_of
from routescope.routing.graphs.statistics import statistics
from routescope.routing.maps.sentences import fit
from routescope_app.services.circuits import designs as service
from routescope_app.settings import MEMORY_SHARES
from tests.app.api.follow import app_of, result_of, rows_of
from tests.app.serving import (
    DESIGNED,
    STATEMENTS,
    is_problem,
    make_statements,
    running,
    settings,
)

pytestmark = pytest.mark.asyncio(loop_scope="module")

PLACE = f"/api/v1/models/{STATEMENTS}/designs"
SENTENCES = ["There is a red circle", "Many wugs are above a square", "There is a red circle"]
PAIRS = len(DESIGNED) * (len(DESIGNED) - 1) // 2


async def designs(client: httpx.AsyncClient, texts: list[str], threshold: float = 0.5) -> dict[str, Any]:
    answer = await client.post(PLACE, json={"sentences": texts, "threshold": threshold})
    assert answer.status_code == 200, answer.text
    body: dict[str, Any] = answer.json()
    return body


async def test_designs_are_those_of_the_core(client: httpx.AsyncClient) -> None:
    expected = designs_of(zoo.load(STATEMENTS), SENTENCES)
    middle = float(np.median(expected.lower))
    result = await designs(client, SENTENCES, middle)
    assert (result["model"], result["units"], result["threshold"]) == (STATEMENTS, list(DESIGNED), middle)
    for position, item in enumerate(result["designs"]):
        design = expected[position]
        np.testing.assert_allclose(item["connectivity"], design.P.sum(axis=1), atol=1e-4)
        assert item["mean_degree"] == pytest.approx(design.P.sum(axis=1).mean() - 1, abs=1e-4)
        assert item["density"] == pytest.approx(expected.lower[position].mean(), abs=1e-5)
        assert abs(item["links_above"] - int((expected.lower[position] > middle).sum())) <= 1
        assert len(item["communities"]) == len(DESIGNED)
        assert [(piece["text"], piece["known"]) for piece in item["pieces"]] == list(design.pieces)
        attention = np.array(item["text_attention"])
        assert attention.shape == (len(DESIGNED), len(design.pieces)) and (attention.sum(axis=1) < 1).all()
    assert result["designs"][0]["to_first"] is None
    other, same = result["designs"][1]["to_first"], result["designs"][2]["to_first"]
    change = compare(expected[0], expected[1], middle)
    assert other["mean_change"] == pytest.approx(change.mean_change, abs=1e-5)
    assert other["correlation"] == pytest.approx(change.correlation, abs=1e-3)
    np.testing.assert_allclose(other["code_change"], change.code_change, atol=1e-4)
    np.testing.assert_allclose(other["module_change"], change.module_change, atol=1e-5)
    difference = result["designs"][1]["links_above"] - result["designs"][0]["links_above"]
    assert other["gained"] - other["lost"] == difference
    assert (same["gained"], same["lost"], same["mean_change"], same["correlation"]) == (0, 0, 0, 1)


async def test_links_are_lower_triangles_and_places_do_not_move(client: httpx.AsyncClient) -> None:
    expected = designs_of(zoo.load(STATEMENTS), SENTENCES[:2])
    answer = await client.post(f"{PLACE}/links", json={"sentences": SENTENCES[:2]})
    assert (answer.headers["x-count"], answer.headers["x-units"]) == ("2", str(len(DESIGNED)))
    lower = np.frombuffer(answer.content, "<f4").reshape(2, PAIRS)
    np.testing.assert_allclose(lower, expected.lower, atol=1e-5)
    assert lower[0, 1] == pytest.approx(expected[0].P[2, 0], abs=1e-5)  # (1, 0), (2, 0), (2, 1), ...
    first, other = [await designs(client, texts) for texts in (SENTENCES[:1], ["There are no purple objects"])]
    assert first["layout"] == other["layout"] and len(first["layout"]) == len(DESIGNED)
    assert np.linalg.norm(first["layout"], axis=1).max() == pytest.approx(1, abs=1e-6)


async def test_memory_of_designs_is_bounded(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(MEMORY_SHARES, "designs", 20_000)
    async with running(settings(tmp_path)) as app:
        services = app.state.services
        for number in range(30):
            await services.designs.links(STATEMENTS, [f"There is a red circle {number}"])
            kept = list(services.designs._memory.kept._entries.values())
            designs = [entry.value for entry in kept]
            assert [entry.nbytes for entry in kept] == [design.nbytes for design in designs]
            assert all(design.nbytes >= design.lower.nbytes + design.design.P.nbytes for design in designs)
            assert 0 < sum(design.nbytes for design in designs) <= 20_000
        assert 1 < len(kept) < 30


async def test_each_circuit_is_computed_once_and_its_statistics_elsewhere(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    designed: list[str] = []
    threads: list[str] = []

    def designing(model: Any, texts: Any, **options: Any) -> Any:
        designed.extend(texts if options.get("text_attention") else [])
        return designs_of(model, texts, **options)

    def describing(*arguments: Any, **options: Any) -> Any:
        threads.append(threading.current_thread().name)
        return statistics(*arguments, **options)

    monkeypatch.setattr(service, "designs_of", designing)
    monkeypatch.setattr(service, "statistics", describing)
    async with running(settings(tmp_path)) as app:
        designing = app.state.services.designs
        texts = ["There is a star", "Many wugs", "There is a red circle"]
        one, links, two = await asyncio.gather(
            designing.designs(STATEMENTS, texts[:2], 0.5),
            designing.links(STATEMENTS, texts[:2]),
            designing.designs(STATEMENTS, texts[::-1], 0.5),
        )
        assert sorted(designed) == sorted(texts)
        assert len(threads) == 3 and not any(name.startswith("inference") for name in threads)
        assert [design["sentence"] for design in two["designs"]] == texts[::-1]
        assert one["designs"][1]["text_attention"] == two["designs"][1]["text_attention"]
        assert links[0].shape == (2, PAIRS) and not designing._memory.running


# -- maps of sentences -------------------------------------------------------------------------------------------


MAP = {"model": STATEMENTS, "set": "scenes", "method": "pca"}


async def test_a_map_is_that_of_the_core(client: httpx.AsyncClient, monkeypatch: pytest.MonkeyPatch) -> None:
    url, result = await result_of(client, "sentence-maps", MAP)
    table = sentences("scenes")
    expected = fit(designs_of(zoo.load(STATEMENTS), table, codes=False), "pca")
    assert result["count"] == len(table) == len(result["points"]) == len(result["xy"]) == len(result["text_xy"])
    assert [point["text"] for point in result["points"]] == list(table["text"])
    assert [point["kind"] for point in result["points"]] == list(table["kind"])
    assert result["set_title"] == SENTENCE_SETS["scenes"].title and set(result["kinds"]) == set(table["kind"])
    np.testing.assert_allclose(np.abs(result["xy"]), np.abs(expected.xy), atol=1e-3)
    assert result["variance"]["text"] == pytest.approx(expected.text.held, abs=1e-3)
    assert result["trustworthiness"]["circuits"] == pytest.approx(expected.circuits.trustworthiness.value, abs=1e-2)
    rows = {(row["map"], row["space"], row["by"], row["measure"], row["balanced"]) for row in result["separation"]}
    assert len(rows) == len(result["separation"]) == 2 * 2 * 2 * 2 * 2
    assert all(row["null_low"] <= row["null_mean"] <= row["null_high"] for row in result["separation"])
    again = await client.post("/api/v1/sentence-maps", json=MAP | {"perplexity": 9})
    assert again.status_code == 200 and again.json()["result"] == url and again.json()["kind"] == "sentence_map"
    _, rows = rows_of(await client.get(url, params={"format": "csv"}))
    assert [row["text"] for row in rows] == list(table["text"])
    assert [float(row["x"]) for row in rows] == pytest.approx([x for x, _ in result["xy"]])
    assert [float(row["text_y"]) for row in rows] == pytest.approx([y for _, y in result["text_xy"]])
    assert (await client.post(f"{url}/places", json={"sentences": ["There is a star"]})).status_code == 200
    for entry in app_of(client).services.sentence_maps._loaded._entries.values():
        kept = entry.value
        arrays = (kept.xy, kept.text_xy, kept.circuits.reduced, kept.text.reduced, kept.circuits.components.axes)
        assert entry.nbytes >= sum(array.nbytes for array in arrays), "memory of maps is bounded by their bytes"
    monkeypatch.setattr("routescope_app.services.circuits.sentence_maps.MAX_LINKS", 1_000)
    refused = await client.post("/api/v1/sentence-maps", json={"model": STATEMENTS})
    assert "1000" in is_problem(refused, 422)["detail"]


@pytest.mark.slow
@pytest.mark.parametrize("method", ["pca", "tsne"])
async def test_further_sentences_land_on_it(client: httpx.AsyncClient, method: str) -> None:
    url, result = await result_of(client, "sentence-maps", MAP | {"method": method})
    expected = result["points"][17]["text"]
    texts = [expected, "A wug  is above a blicket"]
    first, again = [
        (await client.post(f"{url}/places", json={"sentences": asked})).json()["places"]
        for asked in (texts, texts[::-1])
    ]
    assert first == again[::-1], "where a sentence lands depends on what else was asked"
    np.testing.assert_allclose(first[0]["xy"], result["xy"][17], atol=1e-3)
    np.testing.assert_allclose(first[0]["text_xy"], result["text_xy"][17], atol=1e-3)
    assert len(first[0]["nearest"]) == len(first[0]["text_nearest"]) == 5
    assert first[0]["text_nearest"][0]["distance"] == pytest.approx(0, abs=1e-3)
    assert first[1]["sentence"] == "A wug is above a blicket" and "wug" in first[1]["unknown_words"]
    apart = [near["distance"] for near in first[1]["nearest"]]
    assert apart == sorted(apart)
    cut = await client.post(f"{url}/places", json={"sentences": ["wug " * 14]})
    assert "up to 40 pieces" in is_problem(cut, 422)["detail"]


async def test_a_map_of_an_earlier_revision_places_nothing(client: httpx.AsyncClient) -> None:
    path = make_statements("short-lived")
    try:
        url, _ = await result_of(client, "sentence-maps", MAP | {"model": "short-lived"})
        make_statements("short-lived", seed=1)
        problem = is_problem(await client.post(f"{url}/places", json={"sentences": ["a"]}), 422)
        assert "earlier revision" in problem["detail"]
    finally:
        path.unlink()
