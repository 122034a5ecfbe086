"""Rows of records open the page with their model, data and intervention: the page then measures the row's number."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest

from routescope import zoo
from routescope.experiments.results.claims import Link
from routescope.experiments.results.links import link_of, tables_of
from routescope.experiments.results.table import CLAIMS, read_records
from routescope.experiments.shared.schema import Record
from routescope.nn.network import LinkedNetwork
from routescope_app.dashboard import PAGES
from routescope_app.dashboard.page import OTHERS, Page
from tests.app.serving import serving, settings

BY_KEY: dict[str, Page] = {page.key: page for page in PAGES}
Cells = dict[str, Any]
DIGITS, ALONE = "mnist,street-digits", "mnist-m"
#: Experiment, table, cells of the row; the page, its model and the rest of its address; the column of the accuracy.
EXACT: list[tuple[str, str, Cells, str, str, Cells, str | None]] = [
    (
        "nac-drop",
        "numbers",
        {"number": "accuracy", "model": "NAC, scale-free prior", "distribution": "IID", "dropped": "30%"},
        "drop",
        "nac-scale-free",
        {"data": DIGITS, "samples": "1000", "least": "24"},
        "value",
    ),
    (
        "nac-drop",
        "accuracies",
        {"model": "nac-ring-of-cliques", "order": "strongest first", "dropped": 0.2, "set": "mnist-m"},
        "drop",
        "nac-ring-of-cliques",
        {"data": ALONE, "samples": "500", "units": 16},
        "accuracy",
    ),
    (
        "nac-drop",
        "accuracies",
        {"model": "perceiver-io", "order": "random 2", "dropped": 0.5, "set": "mnist"},
        "drop",
        "perceiver-io",
        {"data": "mnist", "samples": "500", "units": 40},
        "accuracy",
    ),
    (
        "nac-edges",
        "numbers",
        {"number": "accuracy", "model": "NAC, ring-of-cliques prior", "distribution": "OOD", "removed": "90%"},
        "graphs",
        "nac-ring-of-cliques",
        {"data": ALONE, "samples": "500", "edges": "0.1"},
        "value",
    ),
    (
        "nac-images",
        "numbers",
        {"number": "more than Perceiver IO", "model": "+ ModFC", "distribution": "IID", "count": 2000},
        "drop",
        "pio-modfc",
        {"data": DIGITS, "samples": "2000", "pin": "perceiver-io:"},
        "value",
    ),
    (
        "ni-drop",
        "numbers",
        {"number": "least accuracy of a subset", "domain": "street-digits", "dropped": 2},
        "drop",
        "ni-digits",
        {"data": "street-digits", "samples": "1000", "units": 2},
        "value",
    ),
    (
        "ni-drop",
        "subsets",
        {"domain": "mnist-m", "dropped": ["f2", "f5"]},
        "drop",
        "ni-digits",
        {"data": "mnist-m", "samples": "1000", "units": "f2,f5"},
        "accuracy",
    ),
    (
        "ni-anytime",
        "numbers",
        {"number": "accuracy", "domain": "mnist", "iterations": 2},
        "drop",
        "ni-digits",
        {"data": "mnist", "samples": "1000", "iterations": "2"},
        "value",
    ),
    (
        "nac-nlvr2",
        "numbers",
        {"number": "accuracy", "model": "Conditional NAC", "split": "validation"},
        "circuits",
        "nac-scenes",
        {"measured": "2000"},
        "value",
    ),
    (
        "nac-sentences",
        "numbers",
        {"number": "silhouette", "of": "circuits", "by": "kind", "data": "Appendix H: animals and objects, as printed"},
        "circuits",
        "nac-scenes",
        {"set": "appendix-h"},
        None,
    ),
    (
        "smfr-inspect",
        "numbers",
        {"number": "sharpness.l1", "model": "smfr-double", "at": "the network as it is"},
        "blocks",
        "smfr-double",
        {"measured": "512"},
        None,
    ),
]
#: Rows that no page shows whole, and what is said of them.
IN_PART: list[tuple[str, str, Cells, str, str, str]] = [
    (
        "nac-drop",
        "numbers",
        {"number": "accuracy", "order": "random", "dropped": "10%"},
        "drop",
        "nac-scale-free",
        "the mean over several random sets",
    ),
    (
        "nac-edges",
        "shares",
        {"model": "nac-ring-of-cliques", "seed": 2, "removed": 0.9},
        "graphs",
        "nac-ring-of-cliques",
        "the row's network",
    ),
    ("ni-anytime", "iterations", {"iterations": 0}, "drop", "ni-digits", "no iteration at all"),
    ("ni-adapt", "runs", {"samples": 8}, "paths", "ni-digits", "the adaptation to few samples"),
    ("ni-types", "clustering", {}, "types", "ni-digits", "the network that the run trained"),
    ("nac-nlvr2", "kinds", {"model": "pio-scenes"}, "drop", "pio-scenes", "hard cardinality statements alone"),
    ("smfr-bpmnist", "numbers", {"model": "FNN"}, "blocks", "smfr-bpmnist", "fnn-bpmnist, which is not here"),
    (
        "smfr-bpmnist",
        "numbers",
        {"model": "Transformer"},
        "samples",
        "transformer-bpmnist",
        "40,000 samples of Block-permuted MNIST, validation",
    ),
    (
        "smfr-inspect",
        "numbers",
        {"model": "smfr-algo", "at": "step 0"},
        "blocks",
        "smfr-algo",
        "the network after step 0 of training",
    ),
]


@pytest.fixture(scope="module")
def records() -> dict[str, Record]:
    return read_records()[0]


def rows(records: dict[str, Record], experiment: str, table: str, cells: Cells) -> Iterator[tuple[Record, Cells]]:
    for record in records.values():
        if record.id == experiment:
            for row in tables_of(record)[table]:
                if all(row.get(name) == cell for name, cell in cells.items()):
                    yield record, dict(row)


def choice_of(link: Link) -> Cells:
    """Return what the page reads of a link, by the names of its address; nothing in it may be unread."""
    page, query = BY_KEY[link.page], {"model": link.model, **link.address}
    assert query.keys() <= {field["name"] for field in page.address}, link
    info = zoo.info(link.model)
    assert not page.needs or {*page.needs} & {*info.fields, *info.constants}, link
    assert info.inputs in page.inputs or OTHERS in page.inputs, link
    assert info.units or not page.units, link
    choice: Cells = {}
    for asked in page.asks:
        assert not asked.unread(query), link
        choice |= asked.of_query(query).model_dump()
    return choice


async def measured(client: httpx.AsyncClient, link: Link, choice: Cells) -> float:
    """Return the accuracy that the page's choice has, or the difference from its pin."""
    network, intervention = zoo.load(link.model), dict[str, Any]()
    units = [*choice.get("units", ())]
    if least := choice.get("least"):
        assert isinstance(network, LinkedNetwork)
        units += [network.all_units[at] for at in network.connectivity().argsort(stable=True)[:least]]
    intervention |= {"drop": units} if units else {}
    intervention |= {"keep_edges": choice["edges"]} if choice.get("edges") is not None else {}
    intervention |= {"iterations": choice["iterations"]} if choice.get("iterations") else {}
    body = {
        "model": link.model,
        "data": [*choice.get("data", ())],
        "samples": choice["measured"] if link.page == "circuits" else choice["samples"],
        "intervention": intervention,
        "controls": 0,
    }
    if choice.get("pin"):
        body["against"] = {"model": choice["pin"].rstrip(":")}
    answer = (await client.post("/api/v1/evaluations", json=body)).json()
    (part,) = answer["comparison"]["by_distribution"] if choice.get("pin") else answer["by_distribution"]
    return float((part["difference"] if choice.get("pin") else part)["accuracy"]["value"])


@pytest.mark.slow
async def test_a_page_measures_what_the_row_measured(tmp_path: Path, records: dict[str, Record]) -> None:
    async with serving(settings(tmp_path)) as client:
        for experiment, table, cells, page, model, address, column in EXACT:
            record, row = next(rows(records, experiment, table, cells))
            link = link_of(CLAIMS[experiment], record, row)
            assert link is not None and (link.page, link.model, link.lacks) == (page, model, ())
            said = dict(link.address)
            if isinstance(address.get("units"), int):
                said["units"] = len(said["units"].split(","))  # type: ignore[assignment]
            assert said == address
            choice = choice_of(link)
            if column is not None:
                assert await measured(client, link, choice) == pytest.approx(row[column], abs=1e-9), (experiment, cells)


def test_what_no_page_shows_is_named(records: dict[str, Record]) -> None:
    for experiment, table, cells, page, model, words in IN_PART:
        record, row = next(rows(records, experiment, table, cells))
        link = link_of(CLAIMS[experiment], record, row)
        assert link is not None and (link.page, link.model) == (page, model) and words in link.lacks, link


def test_every_row_of_the_bundled_records_has_a_link_that_its_page_reads(records: dict[str, Record]) -> None:
    exact = 0
    for record in records.values():
        for figure in tables_of(record)["numbers"]:
            link = link_of(CLAIMS[record.id], record, figure)
            assert (link is None) == (record.id == "ni-sweep")
            if link is not None:
                choice_of(link)
                exact += not link.lacks
    assert exact >= 1190, "rows whose page shows model, data and intervention"
