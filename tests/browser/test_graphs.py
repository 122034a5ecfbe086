"""The Graphs page: links as the API sends them, cut by sliders at once; accuracies as the API gives them."""

import functools
import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import httpx
import networkx as nx
import numpy as np
import pytest
import torch
from playwright.sync_api import Page, expect

from routescope import assets
from routescope.nn.circuit.network import NeuralAttentiveCircuit, NeuralAttentiveCircuitConfig
from routescope.zoo import checkpoint
from tests.browser.conftest import MODEL, SIZES, Guard, Server, colours_on, facts_of, rows_of, until, url_of
from tests.browser.looks import WIDE, begin, check, fits, looks

PRIORED = "with-a-prior"
UNITS = 30
BLOCKS = 10
SAMPLES = 30
SAMPLE = "mnist.validation.3"
CANVAS = "#graph-picture-learned"


@pytest.fixture(scope="module")
def priored(server: Server) -> str:
    """The name of a small circuit at initialisation, whose signatures are in the ten groups of its prior."""
    torch.manual_seed(0)
    sizes = SIZES | {"signature_features": 16, "modules": UNITS, "image_size": 32}
    config = NeuralAttentiveCircuitConfig(**sizes, prior="planted-partition", held_out=("mnist-m",))
    model = NeuralAttentiveCircuit(config)
    groups = torch.randn(BLOCKS, 16)[torch.randperm(UNITS) % BLOCKS]
    model.processor.signatures.data.copy_(groups + 0.3 * torch.randn(UNITS, 16))
    checkpoint.save(model.eval(), assets.data_dir() / "checkpoints" / PRIORED / "model.safetensors")
    return PRIORED


#: Clusters of the whole graph at shares of its links.
CLUSTERS = """shares => {
  const { graph } = routescope.graph.state;
  const nobody = new Uint8Array(graph.count);
  return shares.map(share => routescope.links.clusters(graph.links.learned,
    routescope.links.cut(graph.links.learned, nobody, share).states, graph.links.learned.count, nobody));
}"""
#: The pairs that are still linked, as the page draws them.
LIVE = """() => {
  const { graph, cut } = routescope.graph.state;
  const { from, to } = graph.links.learned;
  return [...cut.states.learned.keys()].filter(link => cut.states.learned[link] === routescope.links.LIVE)
    .map(link => [graph.units[from[link]], graph.units[to[link]]].join("-")).sort();
}"""


def ask(server: Server, path: str, **query: Any) -> httpx.Response:
    answer = server.ask("GET", f"/models/{PRIORED}/graph{path}", params=query)
    assert answer.status_code == 200, answer.text
    return answer


def evaluate(server: Server, **intervention: Any) -> Any:
    body = {"model": PRIORED, "samples": SAMPLES, "intervention": intervention}
    return server.ask("POST", "/evaluations", json=body).json()


def weakest(graph: Any, count: int) -> list[str]:
    order = sorted(range(UNITS), key=lambda unit: (graph["connectivity"][unit], unit))
    return [graph["units"][unit] for unit in order[:count]]


def kept_by_the_network(dropped: list[str], share: float) -> list[str]:
    """Return the pairs that are linked when the network itself drops modules and cuts links."""
    model = checkpoint.load(assets.data_dir() / "checkpoints" / PRIORED / "model.safetensors").eval()
    model = model.keep([unit for unit in model.units if unit not in dropped]).cut(share)
    with torch.no_grad():
        linked = model.link_probability() > 0
    pairs = [(i, j) for i in range(len(linked)) for j in range(i + 1, len(linked)) if linked[i, j]]
    return sorted(f"{model.units[i]}-{model.units[j]}" for i, j in pairs)


@pytest.fixture
def open_graphs(page: Page, server: Server, priored: str) -> Callable[..., Page]:
    """Open the page and wait until both pictures are painted."""

    def opened(**query: Any) -> Page:
        page.goto(server.address("/graphs", model=priored, sample=SAMPLE, samples=SAMPLES, **query))
        page.wait_for_selector(f"{CANVAS}[data-painted]")
        page.wait_for_selector("#graph-matrix-picture[data-painted]")
        return page

    return opened


def slide(page: Page, name: str, value: int) -> None:
    """Move a slider as a hand does, with its event."""
    script = "(s, v) => { s.value = String(v); s.dispatchEvent(new Event('input', { bubbles: true })); }"
    page.locator(name).evaluate(script, value)


def wait_until_measured(page: Page) -> None:
    page.wait_for_selector('.page-graphs[data-evaluation="done"][data-fresh="true"]')


def numbers(page: Page, panel: str) -> Any:
    """What the JSON file of a panel holds."""
    return page.evaluate("key => routescope.figures.figure(key).panel.json()", panel)


def shown(value: float) -> str:
    return f"{100 * value:.1f}".replace("-", "−")


def test_the_graph_of_the_api(open_graphs: Callable[..., Page], page: Page, server: Server) -> None:
    begin(page)
    open_graphs(compare=1, unit="m7")
    graph = ask(server, "").json()
    edges = ask(server, "/edges")
    count = int(edges.headers["X-Count"])
    p = np.frombuffer(edges.content, "<f4", count, 4 * count)
    likely = int((p >= 0.5).sum())
    assert likely > UNITS / 2
    assert f"{likely} of {count} links" in page.inner_text("#graph-threshold-words")
    assert f"{UNITS} modules" in page.inner_text("#graph-caption")
    expect(page.locator("nav a", has_text="Graphs")).to_be_visible()
    page.wait_for_selector("#graph-picture-prior[data-painted]")
    for canvas in (CANVAS, "#graph-picture-prior", "#graph-matrix-picture"):
        assert colours_on(page, canvas) > 30
    for statistic in graph["statistics"]:
        expect(page.locator("#panel-graph-statistics")).to_contain_text(statistic["title"])
    assert f"matched prior: {graph['distance']:.3f}" in page.inner_text("#panel-graph-statistics")
    assert "a sparse prior is never reached" in page.inner_text("#panel-graph-statistics")
    for key in ("graph-degrees", "graph-clusters"):
        page.wait_for_selector(f"#plot-{key} canvas[data-painted]")
        assert colours_on(page, f"#plot-{key} canvas") > 10
    steps, clusters = (numbers(page, f"graph-{name}") for name in ("degrees", "clusters"))
    assert sorted(steps["degrees"]["learned"]) == pytest.approx(sorted(graph["degrees"]["learned"]))
    curve = clusters["learned"]
    assert curve[0]["clusters"] == UNITS and curve[-1]["clusters"] == graph["clusters"][0]["clusters"]
    assert clusters["choice"]["count"] == curve[-1]["clusters"]

    # Fewer links: more clusters. The browser counts them as the service does.
    counted = page.evaluate(CLUSTERS, [cluster["share"] for cluster in graph["clusters"]])
    assert [member["count"] for member in counted] == [cluster["clusters"] for cluster in graph["clusters"]]
    assert [member["largest"] / UNITS for member in counted] == pytest.approx([e["largest"] for e in graph["clusters"]])
    slide(page, "#graph-threshold", 0)
    until(page, f"document.querySelector('{CANVAS}').dataset.shown === '0'")
    assert f"{UNITS} clusters" in page.inner_text("#graph-threshold-words")

    # Beside it stand as many links of the prior, whatever their probabilities.
    slide(page, "#graph-threshold", 400)
    both = "['learned', 'prior'].map(which => document.querySelector(`#graph-picture-${which}`).dataset.shown)"
    until(page, f"({both})[0] !== '0' && new Set({both}).size === 1")
    headings = page.evaluate("['learned', 'prior'].map(which => routescope.graphMaps.maps[which].map.heading)")
    assert all(f"{page.evaluate(both)[0]} " in heading and ", p ≥ " in heading for heading in headings), headings

    slide(page, "#graph-least", 3)
    wait_until_measured(page)
    page.wait_for_selector('.graph-module[data-unit="m7"]')
    for _ in looks(page, (WIDE, ("dark", 390))):
        check(page)
        assert fits(page)


def test_sliders_cut_at_once_and_the_accuracy_follows(open_graphs: Callable[..., Page], server: Server) -> None:
    page = open_graphs()
    wait_until_measured(page)
    graph = ask(server, "").json()
    out = weakest(graph, 9)
    slide(page, "#graph-least", 9)
    until(page, f"document.querySelector('{CANVAS}').dataset.gone === '9'")
    page.locator("#graph-keep").focus()
    slide(page, "#graph-keep", 500)  # (500 / 1000)² of the links
    wait_until_measured(page)
    assert page.inner_text("#graph-status").startswith("9 modules dropped, 25 % of the links kept")
    pairs = (UNITS - 9) * (UNITS - 10) // 2
    assert f"of {pairs} links" in page.inner_text("#graph-keep-words")
    assert page.evaluate(LIVE) == kept_by_the_network(out, 0.25)
    evaluation = evaluate(server, drop=out, keep_edges=0.25)
    inside = evaluation["by_distribution"][0]  # of what training showed, never together with what it left out
    assert page.inner_text("#graph-accuracy .number-value") == shown(inside["accuracy"]["value"])
    assert page.inner_text("#graph-control .number-value") == shown(evaluation["control"]["by_distribution"][0]["mean"])
    assert (
        f"{shown(evaluation['saved'])} % saved" == page.inner_text("#graph-flops .number-range")
        and evaluation["saved"] > 0.05
    )
    until(page, "() => location.search.includes('least=9') && location.search.includes('edges=0.25')")
    address = url_of(page)
    assert {"least=9", "edges=0.25"} <= set(re.split(r"[?&]", address))

    page.reload()
    page.wait_for_selector(f'{CANVAS}[data-painted][data-gone="9"]')
    wait_until_measured(page)
    expect(page).to_have_url(address)

    # The same choice on the Drop page: nothing has to be measured again.
    expect(page.locator("#graph-to-drop")).to_have_attribute("href", re.compile("least=9&edges=0.25"))
    page.click("#graph-to-drop")
    page.wait_for_selector('.page-drop[data-state="done"][data-fresh="true"]')
    assert page.inner_text("#drop-accuracy-number .number-value") == shown(inside["accuracy"]["value"])
    assert "from cache" in page.inner_text("#drop-status")
    assert page.evaluate("routescope.stream.live('graph')") is False


def test_a_module(open_graphs: Callable[..., Page], page: Page, server: Server, guard: Guard) -> None:
    guard.expect("status of 500")
    page.route("**/graph/modules/m7**", lambda route: route.fulfill(status=500, body="{}"))
    open_graphs(unit="m7", view="9,0.2,90")
    page.wait_for_selector(".graph-module [role=alert]")
    page.unroute_all()
    page.click(".graph-module button")
    page.wait_for_selector('.graph-module[data-unit="m7"]')
    assert page.evaluate("routescope.graph.state.map.x") == 2, "the address's view is outside any map"
    about = ask(server, "/modules/m7", sample=SAMPLE).json()
    names = page.locator(".neighbour-name").all_inner_texts()
    assert names == [neighbour["unit"] for neighbour in about["neighbours"][: len(names)]] and len(names) >= 8
    assert f"{100 * about['read_out_share']:.2f} %" in page.inner_text(".graph-module .fact-list")
    page.wait_for_selector("#graph-read-in[data-painted]")
    assert colours_on(page, "#graph-read-in") > 5
    assert {"observed", "caused"} == set(page.locator(".graph-module .tag").all_inner_texts())

    expect(page.locator("#graph-module-effect")).to_have_text("Not measured yet.")
    page.click("#graph-measure")
    effect = page.locator("#graph-module-effect")
    for part in evaluate(server, drop=["m7"])["by_distribution"]:
        value = part["change"]["accuracy"]["value"]
        expect(effect).to_contain_text(f"{'+' if value > 0 else ''}{shown(value)} points of accuracy")
        words = {"unknown": "distribution unknown", "out": "out of distribution"}[part["name"]]
        expect(effect).to_contain_text(f"on {part['count']} samples {words}")

    page.locator(".neighbour").first.click()
    page.wait_for_selector(f'.graph-module[data-unit="{names[0]}"]')
    until(page, "unit => location.search.includes('unit=' + unit)", names[0])
    page.click("#graph-leave-out")
    until(page, f"document.querySelector('{CANVAS}').dataset.gone === '1'")
    expect(page.locator("#graph-leave-out")).to_have_text("Bring it back")


def test_with_keys_and_by_pointing(open_graphs: Callable[..., Page], server: Server) -> None:
    page = open_graphs(order="connectivity")
    graph = ask(server, "").json()
    matrix = np.frombuffer(ask(server, "/matrix").content, "<f4").reshape(UNITS, UNITS)
    best = list(reversed(weakest(graph, UNITS)))
    page.locator("#graph-matrix-picture").focus()
    for key in ("ArrowDown", "ArrowDown", "ArrowRight", "ArrowRight", "ArrowRight"):
        page.keyboard.press(key)
    positions = [graph["units"].index(best[at]) for at in (1, 3)]
    expect(page.locator("#graph-pair")).to_contain_text(
        f"{best[1]} and {best[3]}: p {matrix[positions[0], positions[1]]:.3f}, prior "
    )
    page.keyboard.press("Enter")
    page.wait_for_selector(f'.graph-module[data-unit="{best[1]}"]')
    page.keyboard.press("Escape")
    until(page, "!location.search.includes('unit=')")

    page.locator(CANVAS).focus()
    page.keyboard.press("ArrowLeft")
    expect(page.locator(CANVAS)).to_have_attribute("data-focus", best[0])
    page.keyboard.press("ArrowRight")
    page.keyboard.press("Enter")
    page.wait_for_selector('.graph-module:not([data-unit=""])')
    page.keyboard.press("+")
    until(page, "location.search.includes('view=')")

    where = page.evaluate("unit => routescope.graphMaps.maps.learned.map.placeOf(unit)", graph["units"].index(best[2]))
    box = page.locator(CANVAS).bounding_box()
    assert box is not None
    page.mouse.click(box["x"] + where[0], box["y"] + where[1])
    page.wait_for_selector(f'.graph-module[data-unit="{best[2]}"]')


def test_files(open_graphs: Callable[..., Page], server: Server, save: Callable[..., Path]) -> None:
    page = open_graphs(least=4, unit="m3", links=60)
    page.wait_for_selector('.graph-module[data-unit="m3"]')
    wait_until_measured(page)
    for key in ("graph-degrees", "graph-clusters"):
        page.wait_for_selector(f"#plot-{key} canvas[data-painted]")
    graph = ask(server, "").json()
    gone = set(weakest(graph, 4))
    save = functools.partial(save, model=PRIORED)

    for panel in ("graph", "graph-matrix", "graph-module", "graph-effect", "graph-degrees", "graph-clusters"):
        facts = facts_of(save(panel, "svg"))
        assert facts["model"] == PRIORED and facts["revision"] == graph["revision"] and facts["kind"]
        if panel in ("graph", "graph-matrix", "graph-effect", "graph-clusters"):
            assert set(facts["drop"]) == gone
        if panel in ("graph-effect", "graph-module"):
            assert facts["seed"] is None and ("least_connected" in facts) == (panel == "graph-effect")
    for form, read in (("graphml", nx.read_graphml), ("gexf", nx.read_gexf)):
        network = read(save("graph", form))
        assert list(network) == graph["units"] and network.number_of_edges() == 60
        assert {unit for unit, kept in nx.get_node_attributes(network, "kept").items() if not kept} == gone
    rows = rows_of(save("graph", "csv"))
    edges = ask(server, "/edges", most=60).content
    i, p = np.frombuffer(edges, "<u2", 60), np.frombuffer(edges, "<f4", 60, 240)
    assert [row["module"] for row in rows] == [graph["units"][unit] for unit in i]
    assert [float(row["probability"]) for row in rows] == pytest.approx(p.tolist())
    for row in rows:
        assert (row["kept"] == "true") == (not {row["module"], row["other"]} & gone)
    written = json.loads(save("graph-matrix", "json").read_text())
    positions = [graph["units"].index(unit) for unit in written["order"]]
    matrix = np.frombuffer(ask(server, "/matrix", which="prior").content, "<f4").reshape(UNITS, UNITS)
    np.testing.assert_allclose(written["prior"], matrix[np.ix_(positions, positions)], atol=1e-6)
    assert json.loads(save("graph-statistics", "json").read_text())["statistics"] == graph["statistics"]


def test_a_model_without_links_says_which_have_some(page: Page, server: Server, priored: str) -> None:
    page.goto(server.address("/graphs", model=MODEL, least="many", order="<b>", edges=7))
    page.wait_for_selector('.page-graphs[data-status="failed"]')
    assert priored in page.inner_text("#graph-problem-detail")
    page.locator("#graph-others button", has_text=priored).click()
    page.wait_for_selector(f'{CANVAS}[data-painted="{priored}"]')
    until(page, "model => location.search.includes(model)", priored)


def test_undo_and_dash_show_another_choice_where_the_page_stands(open_graphs: Callable[..., Page]) -> None:
    page = open_graphs(unit="m7")
    page.wait_for_selector('.graph-module[data-unit="m7"]')
    page.evaluate("selector => { window.stands = document.querySelector(selector); }", CANVAS)
    page.click("#graph-leave-out")
    until(page, "location.search.includes('drop=m7')")
    slide(page, "#graph-least", 5)
    until(page, "location.search.includes('least=5')")
    page.click('[data-history="undo"]')
    until(page, f"document.querySelector('{CANVAS}').dataset.gone === '1'")
    assert "least=" not in url_of(page) and "drop=m7" in url_of(page)
    page.evaluate("""() => dash_clientside.set_props("graphs", {
        choice: { ...routescope.graph.said.value, least: 7, compare: true, map: "0.1,0.1,2" } })""")
    page.wait_for_selector('#graph-picture-prior[data-painted][data-gone="8"]')
    until(page, "() => ['least=7', 'compare=1', 'view=0.1,0.1,2'].every(part => location.search.includes(part))")
    assert page.evaluate("selector => window.stands === document.querySelector(selector)", CANVAS)
