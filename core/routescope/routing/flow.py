"""The routing of one sample as a networkx graph: which node reads which, at which step, with which weight."""

import json
from collections.abc import Iterable
from typing import TYPE_CHECKING

import numpy as np
import xarray as xr

if TYPE_CHECKING:
    from networkx import DiGraph

#: The node that reads the units after the last step.
READ_OUT = "read-out"
#: Fields that graphs are made of; the first that a trace holds is used.
FIELDS = ("compatibility", "messages", "read_in", "multiplexer_weights", "link_probability")
#: Attributes of a trace that its graph keeps, all strings.
KEPT = ("model", "revision", "intervention", "versions")


def graph_of(data: xr.Dataset, sample: str | None = None) -> "DiGraph":
    """Return a directed graph with an edge for every weight above 0, from the node that is read to its reader.

    Nodes are named ``"token"`` or ``"step/unit"``. By the fields of the trace:

    * ``compatibility`` (sample, step, unit, token): from tokens to the units of every step; * ``messages`` (sample,
    layer, unit, sender): from units to the units that read them one step later; with
    ``read_in`` (sample, unit, token) also from tokens to the units of the first step, and with ``read_out``
    (sample, readout, unit) and ``confidence`` (sample, readout) also from the units of the last step to the node
    ``"read-out"``, as in ``Paths``. Where the trace has ``link_probability``, edges between units have it too; *
    ``multiplexer_weights`` (sample, step, source, block): from blocks to the blocks that are made of them, level by
    level; an iteration starts from ``"in:step/block"``, or from the blocks of the iteration before; *
    ``link_probability`` ((sample,) unit, sender) without any of these: from units to units, without steps.

    Args:
        data: the dataset of a trace.
        sample: its id; None: the first one.

    Returns:
        Edges have ``weight``. Nodes have ``kind`` ("token", "unit", "block" or "read-out"); those of units and blocks
        also ``unit``, its full name, and ``step``, ``script`` where steps belong to one, ``kept`` and ``muted`` where
        the trace says so, and ``usage``: their share of all weight of their step, into them for compatibility, else out
        of them (0 to 1, summing to 1 over a step with any weight). The graph has ``model``, ``revision``,
        ``intervention`` and ``versions`` (both JSON), ``sample``, and ``field``, the field that it was made of. All are
        strings, numbers and booleans, so that networkx writes it to any format.

    Raises:
        ValueError: an unknown sample, or a trace with none of the fields.
    """
    from networkx import DiGraph

    field = next((name for name in FIELDS if name in data), None)
    if field is None:
        held = ", ".join(str(name) for name in data.data_vars)
        raise ValueError(f"a graph needs one of {', '.join(FIELDS)}; this trace has {held}")
    samples = [str(sample_id) for sample_id in data["sample"].values]
    if sample is not None and sample not in samples:
        raise ValueError(f"unknown sample {sample[:40]!r}; there are {', '.join(samples[:10])}")
    chosen = samples[0] if sample is None else sample
    at = data.isel(sample=samples.index(chosen))
    about = {name: str(data.attrs[name]) for name in KEPT if name in data.attrs}
    graph = DiGraph(**about, sample=chosen, field=field)
    if field == "compatibility":
        _from_tokens(graph, at)
    elif field == "multiplexer_weights":
        _between_blocks(graph, at)
    elif field == "link_probability":
        _links(graph, at)
    else:
        _between_units(graph, at)
    return graph


def _names(array: xr.DataArray | xr.Dataset, axis: str) -> list[str]:
    return [str(name) for name in array[axis].values]


def _units(graph: "DiGraph", at: xr.Dataset, step: str, units: Iterable[str]) -> list[str]:
    """Add the units of a step; return the names of their nodes."""
    script = step.rpartition(".")[0]
    nodes = []
    for position, unit in enumerate(units):
        about: dict[str, object] = {"kind": "unit", "unit": unit, "usage": 0.0} | ({"step": step} if step else {})
        if script:
            about |= {"unit": f"{script}.{unit}", "script": script}
        for state in ("kept", "muted"):
            if state in at:
                flags = at[state]
                if "script" in flags.dims:  # scripts are named s1, s2, ...
                    flags = flags.isel(script=int(script[1:]) - 1 if script else 0)
                if "step" in flags.dims:  # every layer has its own experts
                    flags = flags.sel(step=step)
                    about["unit"] = f"{step}.{unit}"
                about[state] = bool(flags.values[position])
        nodes.append(f"{step}/{unit}" if step else unit)
        graph.add_node(nodes[-1], **about)
    return nodes


def _connect(graph: "DiGraph", weights: np.ndarray, read: list[str], readers: list[str], *, used: str) -> None:
    """Add edges of weights (reader, read) above 0, and the share of each ``used`` ("read" or "readers") as usage."""
    weights = np.nan_to_num(weights.astype(np.float64))
    for reader, source in zip(*np.nonzero(weights > 0), strict=True):
        graph.add_edge(read[source], readers[reader], weight=float(weights[reader, source]))
    nodes, sums = (read, weights.sum(axis=0)) if used == "read" else (readers, weights.sum(axis=1))
    whole = sums.sum()
    for node, part in zip(nodes, sums, strict=True):
        if "usage" in graph.nodes[node] and whole > 0:
            graph.nodes[node]["usage"] = float(part / whole)


def _tokens(graph: "DiGraph", array: xr.DataArray) -> list[str]:
    tokens = _names(array, "token")
    graph.add_nodes_from(tokens, kind="token")
    return tokens


def _from_tokens(graph: "DiGraph", at: xr.Dataset) -> None:
    compatibility = at["compatibility"].transpose("step", "unit", "token")
    tokens = _tokens(graph, compatibility)
    for step, weights in zip(_names(compatibility, "step"), compatibility.values, strict=True):
        _connect(graph, weights, tokens, _units(graph, at, step, _names(compatibility, "unit")), used="readers")


def _between_units(graph: "DiGraph", at: xr.Dataset) -> None:
    columns = {step: _units(graph, at, step, _names(at, "unit")) for step in _names(at, "step")}
    steps = list(columns)
    if "read_in" in at:
        read_in = at["read_in"].transpose("unit", "token")
        _connect(graph, read_in.values, _tokens(graph, read_in), columns[steps[0]], used="read")
    if "messages" in at:
        messages = at["messages"].transpose("layer", "unit", "sender")
        links = at["link_probability"].transpose("unit", "sender").values if "link_probability" in at else None
        for layer, weights in zip(_names(messages, "layer"), messages.values, strict=True):
            senders, readers = columns[steps[steps.index(layer) - 1]], columns[layer]
            _connect(graph, weights, senders, readers, used="read")
            if links is not None:
                for reader, sender in zip(*np.nonzero(weights > 0), strict=True):
                    graph.edges[senders[sender], readers[reader]]["link_probability"] = float(links[reader, sender])
    if "read_out" in at and "confidence" in at:
        graph.add_node(READ_OUT, kind=READ_OUT)
        heard = (at["read_out"] * at["confidence"]).sum("readout").transpose("unit").values
        _connect(graph, heard[None], columns[steps[-1]], [READ_OUT], used="read")


def _between_blocks(graph: "DiGraph", at: xr.Dataset) -> None:
    routes = at["multiplexer_weights"].transpose("step", "block", "source")
    levels: list[list[str]] = json.loads(at.attrs["levels"])
    made: list[str] = []  # nodes of the blocks of the level before
    for number, (step, weights) in enumerate(zip(_names(routes, "step"), routes.values, strict=True)):
        below, above = (levels[number % (len(levels) - 1) + up] for up in (0, 1))
        if number % (len(levels) - 1) == 0:
            # The next iteration reads the blocks of this one first.
            given = below[len(made) :]
            made = [*made, *(f"in:{step}/{block}" for block in given)]
            for node, block in zip(made[len(made) - len(given) :], given, strict=True):
                graph.add_node(node, kind="block", unit=block, step=f"in:{step}", usage=0.0)
        nodes = [f"{step}/{block}" for block in above]
        for node, block in zip(nodes, above, strict=True):
            graph.add_node(node, kind="block", unit=block, step=step, usage=0.0)
        _connect(graph, weights[: len(above), : len(below)], made, nodes, used="read")
        made = nodes


def _links(graph: "DiGraph", at: xr.Dataset) -> None:
    links = at["link_probability"].transpose("unit", "sender")
    units = _units(graph, at, "", _names(links, "unit"))
    _connect(graph, links.values, units, units, used="read")
