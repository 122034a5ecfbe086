"""A trace as a networkx graph: known answers, and every weight of every architecture."""

import io
import json
from typing import Any

import networkx as nx
import numpy as np
import pytest
import torch
import xarray as xr

from routescope.nn.inputs.text import Text
from routescope.nn.mixture.config import MixtureConfig
from routescope.nn.mixture.network import MixtureNetwork
from routescope.routing import Intervention, Trace, record
from routescope.routing.flow import FIELDS
from tests.core.routing.small import ROUTED, inputs, small
from tests.core.routing.toy_circuit import star
from tests.core.routing.toys import PATCHES, labelled, with_dead


def pictures(labels: list[int]) -> Any:
    return labelled(labels).images.float() / 255


def test_tokens_go_to_the_one_unit_that_takes_them() -> None:
    """f1 takes labels 0 and 1, f3 the others, f2 nothing: at every step one unit has all tokens, and all usage."""
    trace = record(with_dead(), pictures([0, 3]), only=("compatibility",), sample_ids=["a", "b"])
    for sample, taker in (("a", "f1"), ("b", "f3")):
        graph = trace.graph(sample)
        steps, tokens = ("i1", "i2", "i3"), ["cls:toy", *(f"patch:0,{c}" for c in range(PATCHES))]
        assert set(graph.edges) == {(token, f"{step}/{taker}") for token in tokens for step in steps}
        assert set(nx.get_edge_attributes(graph, "weight").values()) == {1.0}
        assert set(graph) == {*tokens, *(f"{step}/{unit}" for step in steps for unit in ("f1", "f2", "f3"))}
        usage = nx.get_node_attributes(graph, "usage")
        assert usage == {f"{s}/{u}": float(u == taker) for s in steps for u in ("f1", "f2", "f3")}
        about = {"kind": "unit", "unit": "f2", "step": "i2", "kept": True, "muted": False, "usage": 0.0}
        assert graph.nodes["i2/f2"] == about
        assert graph.nodes[tokens[0]] == {"kind": "token"}
    assert trace.graph().graph["sample"] == "a"


def test_modules_read_each_other_along_their_links() -> None:
    """Of a star: all edges between two layers with weights, links and usage, and the output that hears the speaker."""
    model = star(3, spoken=(0.8, 0.6, 0.4), among=0.2)
    trace = record(model, pictures([1]), only=("read_in", "messages", "read_out", "confidence"))
    graph = trace.graph()
    units = model.all_units
    links = np.array([[1, 0.2, 0.2, 0.8], [0.2, 1, 0.2, 0.6], [0.2, 0.2, 1, 0.4], [0.8, 0.6, 0.4, 1]])
    heard = links / links.sum(axis=1, keepdims=True)
    for before, after in (("read-in", "l1"), ("l1", "l2")):
        for k, reader in enumerate(units):
            for j, sender in enumerate(units):
                edge = graph.edges[f"{before}/{sender}", f"{after}/{reader}"]
                assert edge["weight"] == pytest.approx(heard[k, j])
                assert edge["link_probability"] == pytest.approx(links[k, j])
        usage = [graph.nodes[f"{before}/{sender}"]["usage"] for sender in units]
        np.testing.assert_allclose(usage, heard.sum(axis=0) / len(units), rtol=1e-6)
    assert list(graph.predecessors("read-out")) == ["l2/m4"]
    assert graph.nodes["l2/m4"]["usage"] == 1.0 and graph.nodes["l2/m1"]["usage"] == 0.0
    for token in (f"patch:0,{c}" for c in range(PATCHES)):
        assert {reader: edge["weight"] for reader, edge in graph[token].items()} == {
            f"read-in/{unit}": 1 / PATCHES for unit in units
        }
    assert nx.is_directed_acyclic_graph(graph)
    assert nx.dag_longest_path_length(graph, weight=None) == 4, "token, read-in, two layers, read-out"
    units_alone = record(star(3), pictures([1]), only=()).graph()
    assert units_alone.graph["field"] == "link_probability" and set(units_alone) == {"m1", "m2", "m3", "m4"}
    assert units_alone.edges["m1", "m4"]["weight"] == pytest.approx(0.9)


def test_blocks_are_made_of_blocks_also_from_one_iteration_to_the_next() -> None:
    """X and Y are swapped in both iterations, by way of one hidden level that copies; the task is read by nobody."""
    levels, steps = [["X", "Y", "task"], ["1.1", "1.2"], ["X", "Y"]], ["i1.l1", "i1.l2", "i2.l1", "i2.l2"]
    weights = np.full((4, 3, 2), np.nan)
    for step, across in enumerate([False, True] * 2):
        weights[step, :2] = np.eye(2)[::-1] if across else np.eye(2)
    weights[[0, 2], 2] = 0
    data = xr.Dataset(
        {"multiplexer_weights": (("sample", "step", "source", "block"), weights[None])},
        coords={"sample": ["a"], "step": steps},
        attrs={"levels": json.dumps(levels), "model": "toy"},
    )
    graph = Trace(data).graph()
    assert set(graph.edges) == {
        ("in:i1.l1/X", "i1.l1/1.1"), ("in:i1.l1/Y", "i1.l1/1.2"),
        ("i1.l1/1.1", "i1.l2/Y"), ("i1.l1/1.2", "i1.l2/X"),
        ("i1.l2/X", "i2.l1/1.1"), ("i1.l2/Y", "i2.l1/1.2"),
        ("i2.l1/1.1", "i2.l2/Y"), ("i2.l1/1.2", "i2.l2/X"),
    }  # fmt: skip
    assert nx.has_path(graph, "in:i1.l1/X", "i2.l2/X") and not nx.has_path(graph, "in:i1.l1/X", "i2.l2/Y")
    assert graph.nodes["i1.l1/1.1"] == {"kind": "block", "unit": "1.1", "step": "i1.l1", "usage": 0.5}
    assert "in:i2.l1/task" in graph and "in:i2.l1/X" not in graph
    assert graph.nodes["in:i1.l1/task"]["usage"] == 0.0


@pytest.mark.parametrize("name", ROUTED)
def test_every_weight_of_a_trace_is_an_edge(name: str) -> None:
    model = small(name)
    units = model.units
    trace = record(model, inputs(model, 2), intervention=Intervention(drop=units[:1]), sample_ids=["a", "b"])
    graph = trace.graph("b")
    at = trace.dataset.sel(sample="b")
    field = graph.graph["field"]
    result = nx.get_edge_attributes(graph, "weight")
    kinds = {"compatibility": {"unit"}, "messages": {"unit", "read-out"}, "multiplexer_weights": {"block"}}[field]
    # What tokens give, and what the read-out takes, are not messages.
    among = [
        weight
        for (source, reader), weight in result.items()
        if field == "compatibility"
        or (graph.nodes[source]["kind"] != "token" and graph.nodes[reader]["kind"] != "read-out")
    ]
    wanted = at[field].values[np.nan_to_num(at[field].values) > 0]
    np.testing.assert_allclose(sorted(among), np.sort(wanted), rtol=1e-6)
    assert {graph.nodes[reader]["kind"] for _, reader in result} <= kinds
    if field != "multiplexer_weights":
        gone = [node for node, about in graph.nodes(data=True) if about.get("unit") == units[0]]
        assert gone and all(not graph.nodes[node]["kept"] and graph.degree(node) == 0 for node in gone)
    assert graph.graph["model"] == trace.dataset.attrs["model"]
    assert graph.graph["revision"] == trace.dataset.attrs["revision"]
    assert Intervention.from_json(graph.graph["intervention"]) == trace.intervention
    assert json.loads(graph.graph["versions"])["torch"].split("+")[0] == torch.__version__.split("+")[0]
    for write, read in ((nx.write_graphml, nx.read_graphml), (nx.write_gexf, nx.read_gexf)):
        file = io.BytesIO()
        write(graph, file)
        file.seek(0)
        back = read(file)
        for node, about in graph.nodes(data=True):
            assert {key: back.nodes[node][key] for key in about} == about
        for ends, about in graph.edges.items():
            assert {key: back.edges[ends][key] for key in about} == about


def test_tokens_go_to_the_experts_that_they_take() -> None:
    """Every layer has its own experts: names, flags and shares of weight are those of the layer."""
    model = MixtureNetwork(MixtureConfig(context=8, layers=2, features=16, heads=2, experts=4, hidden=4)).eval()
    change = Intervention(drop=("l1.e2",), mute=("l2.e1",))
    trace = record(model, Text(("some text", "other")), intervention=change)
    graph, at = trace.graph(), trace.dataset.isel(sample=0)
    weights = at["compatibility"]
    for token, node, weight in graph.edges(data="weight"):
        step, unit = node.split("/")
        assert weight == pytest.approx(float(weights.sel(step=step, unit=unit, token=token)))
    assert graph.number_of_edges() == int((weights > 0).sum())
    flags = {about["unit"]: (about["kept"], about["muted"]) for _, about in graph.nodes(data=True) if "unit" in about}
    assert flags == {unit: (unit != "l1.e2", unit == "l2.e1") for unit in model.all_units}
    nx.write_graphml(graph, io.BytesIO())


def test_what_there_is_no_graph_of_is_said() -> None:
    trace = record(with_dead(), pictures([0]), only=("types",))
    with pytest.raises(ValueError, match=f"needs one of {', '.join(FIELDS)}; this trace has types"):
        trace.graph()
    with pytest.raises(ValueError, match="unknown sample 'z'; there are a"):
        record(with_dead(), pictures([0]), sample_ids=["a"]).graph("z")
