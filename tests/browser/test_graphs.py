"""The Graphs page: the links that the API sends, cut by sliders at once, and what that costs as the API says."""

import csv
import functools
import io
import json
import re
import statistics
import xml.etree.ElementTree as ET
from collections.abc import Callable
from pathlib import Path
from typing import Any

import httpx
import networkx as nx
import numpy as np
import pytest
import torch
from PIL import Image
from playwright.sync_api import Page, expect

from routescope import assets
from routescope.nn.circuit.network import NeuralAttentiveCircuit, NeuralAttentiveCircuitConfig
from routescope.zoo import checkpoint
from tests.browser.conftest import MODEL, Guard, Server, colours_on, until, url_of
from tests.browser.looks import WIDE, begin, check, fits, looks

PRIORED = "with-a-prior"
UNITS = 30
BLOCKS = 10
SAMPLES = 30
SAMPLE = "mnist.validation.3"
SVG = "{http://www.w3.org/2000/svg}"
CANVAS = "#graph-picture-learned"


@pytest.fixture(scope="module")
def priored(server: Server) -> str:
    """A small circuit whose signatures stand in the ten groups of its prior, in no order; at initialisation."""
    torch.manual_seed(0)
    config = NeuralAttentiveCircuitConfig(
        features=16, code_features=16, signature_features=16, modules=UNITS, readouts=2, layers=2, heads=2,
        head_features=8, ffn_hidden=16, readin_head_features=8, readout_head_features=8, image_size=32,
        position_features=4, prior="planted-partition", held_out=("mnist-m",),
    )  # fmt: skip
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
    """The pairs that are still linked when the network itself leaves out modules and cuts links."""
    model = checkpoint.load(assets.data_dir() / "checkpoints" / PRIORED / "model.safetensors").eval()
    model = model.keep([unit for unit in model.units if unit not in dropped]).cut(share)
    with torch.no_grad():
        linked = model.link_probability() > 0
    pairs = [(i, j) for i in range(len(linked)) for j in range(i + 1, len(linked)) if linked[i, j]]
    return sorted(f"{model.units[i]}-{model.units[j]}" for i, j in pairs)


@pytest.fixture
def open_graphs(page: Page, server: Server, priored: str) -> Callable[..., Page]:
    """Opens the page and waits until both pictures are painted."""

    def opened(**query: Any) -> Page:
        page.goto(server.address("/graphs", model=priored, sample=SAMPLE, samples=SAMPLES, **query))
        page.wait_for_selector(f"{CANVAS}[data-painted]")
        page.wait_for_selector("#graph-matrix-picture[data-painted]")
        return page

    return opened


def slide(page: Page, name: str, value: int) -> None:
    """Moves a slider as a hand would: it says so with an event."""
    script = "(s, v) => { s.value = String(v); s.dispatchEvent(new Event('input', { bubbles: true })); }"
    page.locator(name).evaluate(script, value)


def wait_until_measured(page: Page) -> None:
    page.wait_for_selector('.page-graphs[data-evaluation="done"][data-fresh="true"]')


def shown(value: float) -> str:
    return f"{100 * value:.1f}".replace("-", "−")


def test_the_graph_of_the_api(open_graphs: Callable[..., Page], server: Server) -> None:
    page = open_graphs(compare=1)
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
    assert f"matched: {graph['distance']:.3f}" in page.inner_text("#panel-graph-statistics")
    assert "a sparse prior is never reached" in page.inner_text("#panel-graph-statistics")
    for key in ("graph-degrees", "graph-clusters"):
        page.wait_for_selector(f'#plot-{key}[data-filled="true"][data-painted]:not([data-painted="0"])')
    degrees = page.evaluate("document.querySelector('#plot-graph-degrees .js-plotly-plot').data[0]")
    assert (degrees["x"][0], degrees["y"][0], degrees["y"][-1]) == (0, 100, 0), "from all modules to none"
    assert degrees["x"][1:-1] == pytest.approx(sorted(graph["degrees"]["learned"]))
    drawn = page.evaluate("document.querySelector('#plot-graph-clusters .js-plotly-plot').data[0].y")
    assert drawn[0] == UNITS and drawn[-1] == graph["clusters"][0]["clusters"]

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
    assert all(f"{page.evaluate(both)[0]} " in heading and "with p ≥ " in heading for heading in headings), headings


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
    assert "measured before" in page.inner_text("#drop-status")
    assert page.evaluate("routescope.stream.live('graph')") is False


def test_a_module(open_graphs: Callable[..., Page], server: Server) -> None:
    page = open_graphs(unit="m7")
    page.wait_for_selector('.graph-module[data-unit="m7"]')
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


def test_a_module_that_could_not_be_read_can_be_asked_for_again(
    open_graphs: Callable[..., Page], page: Page, guard: Guard
) -> None:
    guard.expect("status of 503")
    page.route("**/graph/modules/m7**", lambda route: route.fulfill(status=503, body="{}"))
    open_graphs(unit="m7", view="9,0.2,90")
    page.wait_for_selector("#graph-module-again")
    page.unroute_all()
    page.click("#graph-module-again")
    page.wait_for_selector('.graph-module[data-unit="m7"]')
    assert page.evaluate("routescope.graph.state.map.x") == 2, "a view that no map can have was taken from the address"


#: How many of the pairs of five modules stay, by their share.
STAY = """shares => {
  const links = routescope.links.ofMatrix(new Float32Array(25).fill(0.5), 5);
  return shares.map(share => routescope.links.cut(links, new Uint8Array(5), share).live);
}"""


def test_half_a_link_is_rounded_as_the_network_rounds(open_graphs: Callable[..., Page]) -> None:
    shares = [0.05, 0.25, 0.35, 0.4, 0.45, 0.55, 0.75, 0.85]
    assert open_graphs().evaluate(STAY, shares) == [10 - round((1 - share) * 10) for share in shares]


def test_with_keys_and_by_pointing(open_graphs: Callable[..., Page], server: Server) -> None:
    page = open_graphs(order="connectivity")
    graph = ask(server, "").json()
    matrix = np.frombuffer(ask(server, "/matrix").content, "<f4").reshape(UNITS, UNITS)
    best = list(reversed(weakest(graph, UNITS)))
    page.locator("#graph-matrix-picture").focus()
    for key in ("ArrowDown", "ArrowDown", "ArrowRight", "ArrowRight", "ArrowRight"):
        page.keyboard.press(key)
    positions = [graph["units"].index(best[at]) for at in (1, 3)]
    expect(page.locator('[data-widget="graph-pair"]')).to_contain_text(
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


def test_what_a_file_holds(open_graphs: Callable[..., Page], server: Server, save: Callable[..., Path]) -> None:
    page = open_graphs(least=4, unit="m3", links=60)
    page.wait_for_selector('.graph-module[data-unit="m3"]')
    wait_until_measured(page)
    for key in ("graph-degrees", "graph-clusters"):
        page.wait_for_selector(f'#plot-{key}[data-filled="true"][data-painted]:not([data-painted="0"])')
    graph = ask(server, "").json()
    save = functools.partial(save, model=PRIORED)

    for panel in ("graph", "graph-matrix", "graph-module", "graph-effect", "graph-degrees", "graph-clusters"):
        root = ET.fromstring(save(panel, "svg").read_text(encoding="utf-8"))
        facts = json.loads(root.findtext(f"{SVG}metadata") or "")
        assert facts["model"] == PRIORED and facts["revision"] == graph["revision"] and facts["kind"]
        if panel in ("graph", "graph-matrix", "graph-effect", "graph-clusters"):
            assert sorted(facts["drop"]) == sorted(weakest(graph, 4))
        if panel in ("graph-effect", "graph-module"):
            assert facts["seed"] is None and ("least_connected" in facts) == (panel == "graph-effect")
    with Image.open(save("graph", "png")) as picture:
        assert json.loads(picture.text["Description"])["least_connected"] == 4
    for form, read in (("graphml", nx.read_graphml), ("gexf", nx.read_gexf)):
        network = read(save("graph", form))
        assert list(network) == graph["units"] and network.number_of_edges() == 60
        kept = nx.get_node_attributes(network, "kept")
        assert sorted(unit for unit in kept if not kept[unit]) == sorted(weakest(graph, 4))
    text = save("graph", "csv").read_text()
    rows = list(csv.DictReader(io.StringIO("\n".join(line for line in text.splitlines() if line[0] != "#"))))
    edges = ask(server, "/edges", most=60).content
    i, p = np.frombuffer(edges, "<u2", 60), np.frombuffer(edges, "<f4", 60, 240)
    assert [row["module"] for row in rows] == [graph["units"][unit] for unit in i]
    assert [float(row["probability"]) for row in rows] == pytest.approx(p.tolist())
    gone = set(weakest(graph, 4))
    for row in rows:
        assert (row["kept"] == "true") == (not {row["module"], row["other"]} & gone)
    written = json.loads(save("graph-matrix", "json").read_text())
    positions = [graph["units"].index(unit) for unit in written["order"]]
    matrix = np.frombuffer(ask(server, "/matrix", which="prior").content, "<f4").reshape(UNITS, UNITS)
    np.testing.assert_allclose(written["prior"], matrix[np.ix_(positions, positions)], atol=1e-6)
    assert json.loads(save("graph-statistics", "json").read_text())["statistics"] == graph["statistics"]


def test_axe_finds_nothing(open_graphs: Callable[..., Page], page: Page) -> None:
    begin(page)
    open_graphs(unit="m7", compare=1, least=3)
    page.wait_for_selector('.graph-module[data-unit="m7"]')
    wait_until_measured(page)
    for _ in looks(page, (WIDE, ("dark", 390))):
        check(page)
        assert fits(page)


def test_a_model_without_links_says_which_have_some(page: Page, server: Server, priored: str) -> None:
    page.goto(server.address("/graphs", model=MODEL, least="many", order="<b>", edges=7))
    page.wait_for_selector('.page-graphs[data-status="failed"]')
    assert priored in page.inner_text("#graph-problem-detail")
    page.locator("#graph-others button", has_text=priored).click()
    page.wait_for_selector(f'{CANVAS}[data-painted="{priored}"]')
    until(page, "model => location.search.includes(model)", priored)


#: Makes a drawing of 1,024 modules and 50,000 links that cross the whole picture, which is harder than a layout is.
DRAWING = """([modules, count]) => {
  let seed = 7;
  const random = () => (seed = (seed * 16807) % 2147483647) / 2147483647;
  const host = document.createElement("div");
  host.style.cssText = "position: fixed; inset: 0; width: 720px; height: 560px";
  const canvas = document.createElement("canvas");
  host.append(canvas);
  document.body.append(host);
  const Drawing = routescope.graphDrawing();
  const drawing = new Drawing(host, canvas, {});
  const places = Float32Array.from({ length: 2 * modules }, () => 2 * random() - 1);
  const ends = () => Uint16Array.from({ length: count }, () => Math.floor(random() * modules));
  const p = Float32Array.from({ length: count }, (_, at) => 1 - at / count);
  const links = routescope.links.withWeights(ends(), ends(), p);
  const states = new Uint8Array(count).fill(routescope.links.LIVE);
  const category = Int32Array.from({ length: modules }, (_, unit) => unit % 8);
  const sizes = Float32Array.from({ length: modules }, (_, unit) => [0.72, 0.92, 1.2, 1.65][unit % 4]);
  const names = Array.from({ length: modules }, (_, unit) => "m" + unit);
  const paints = routescope.theme.read().units;
  drawing.setModules({ places, halves: [1, 1], category, paints, sizes, names }, new Uint8Array(modules));
  routescope.measured = { drawing, canvas, move: (shown) => drawing.setLinks(links, states, shown) || drawing.paint() };
}"""
MOVE = "shown => { routescope.measured.move(shown); }"
INK = """() => {
  const { canvas } = routescope.measured;
  const pixels = canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height).data;
  let sum = 0;
  for (let at = 0; at < pixels.length; at += 4) sum += pixels[at];
  return sum;
}"""


def test_repainting_a_thousand_modules(
    open_graphs: Callable[..., Page], record_property: Callable[[str, object], None]
) -> None:
    """Reports what a move of the threshold costs; what is drawn depends on the threshold alone, however it came about.

    Milliseconds are of the page's own thread, so that other work on the machine is not in them. None is asserted.
    """
    page = open_graphs()
    wait_until_measured(page)
    page.wait_for_selector('#plot-graph-clusters[data-painted]:not([data-painted="0"])')
    session = page.context.new_cdp_session(page)
    session.send("Performance.enable", {"timeDomain": "threadTicks"})

    def spent() -> float:
        metrics = {metric["name"]: metric["value"] for metric in session.send("Performance.getMetrics")["metrics"]}
        return 1_000 * float(metrics["TaskDuration"])

    page.evaluate(DRAWING, [1_024, 50_000])
    steps = [20_000, 20_500, 21_000, 25_000, 27_000, 30_000, 35_000, 36_000, 40_000, 45_000, 47_000, 50_000]
    jumps = [1_000, 50_000, 15_000, 50_000, 0, 25_000, 50_000, 20_000]
    costs: dict[str, list[float]] = {"steps": [], "jumps": []}
    inks: dict[int, set[int]] = {}
    for kind, moves in (("steps", steps), ("jumps", jumps)):
        for shown in moves:
            before = spent()
            page.evaluate(MOVE, shown)
            costs[kind].append(round(spent() - before, 1))
            inks.setdefault(shown, set()).add(int(page.evaluate(INK)))
    for kind, taken in costs.items():
        record_property(f"milliseconds_of_{kind}", taken)
        print(f"{kind}: {taken}, median {statistics.median(taken)} ms")
    assert all(len(ink) == 1 for ink in inks.values()), "the same threshold gave another picture"
    assert len(set().union(*inks.values())) == len(inks), "the picture did not follow the threshold"
