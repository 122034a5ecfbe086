"""Tables of what was observed of experts hold its numbers under the names of layers and experts, and are drawn."""

from collections.abc import Iterator
from dataclasses import replace

import matplotlib.pyplot as plt
import numpy as np
import pytest

from routescope import zoo
from routescope.data import load as read
from routescope.plots.experts import draw
from routescope.routing.observed.load import Load, LoadObserver
from routescope.routing.observed.load_tables import COLUMNS, MATRICES, table

MODEL = zoo.load("moe-bytes")


@pytest.fixture(autouse=True)
def _figures() -> Iterator[None]:
    plt.switch_backend("Agg")
    yield
    plt.close("all")


@pytest.fixture(scope="module")
def observed_load() -> Load:
    sets = [read(name, "validation").take(slice(3)) for name in ("sums", "python")]
    observer = LoadObserver(MODEL, sets, exemplars=2, shuffles=10)
    list(observer)
    return observer.result()


def test_rows_hold_the_numbers_of_their_layer_and_expert(observed_load: Load) -> None:
    assert observed_load.written is not None and observed_load.by_token is not None
    assert {name: len(table(observed_load, name)) for name in COLUMNS if name != "exemplars"} == {
        "load": 32, "balance": 4, "domains": 64, "tokens": 32 * len(observed_load.by_token.kinds), "together": 256,
        "alike": 256, "written": 256,
    }  # fmt: skip
    kinds, third = observed_load.by_token.kinds, {"layer": "l3", "expert": "l3.e5"}

    def one(name: str, **more: str) -> dict[str, object]:
        rows = table(observed_load, name)
        for column, value in {**third, **more}.items():
            rows = rows[rows[column] == value]
        assert len(rows) == 1 and tuple(rows.columns) == COLUMNS[name]
        return dict(rows.iloc[0])

    assert one("load")["load"] == observed_load.load[2, 4]
    assert one("domains", data="python")["shuffled_high"] == observed_load.high[2, 4, 1]
    assert one("tokens", token=kinds[1])["share"] == observed_load.by_token.share[2, 4, 1]
    assert one("together", other="l3.e2")["over_independence"] == observed_load.lift[2, 4, 1]
    assert one("alike", other="l3.e2")["alike"] == observed_load.by_token.alike[2, 4, 1]
    written = one("written", other="l3.e2")
    assert (written["cosine"], written["tokens"]) == (
        observed_load.written.cosine[2, 4, 1],
        observed_load.written.tokens[2, 4, 1],
    )
    balance = table(observed_load, "balance").set_index("layer").loc["l2"]
    assert balance["by_token"] == observed_load.by_token.specialised[1]
    assert balance["tokens_of_texts_shuffled"] == observed_load.by_token.within[1]
    first = table(observed_load, "exemplars").iloc[0]
    assert (first["expert"], first["token"]) == (observed_load.exemplars[0].unit, observed_load.exemplars[0].token)


def test_what_nobody_looked_at_has_no_rows(observed_load: Load) -> None:
    bare = replace(observed_load, by_token=None, written=None)
    assert [len(table(bare, name)) for name in ("tokens", "alike", "written", "together")] == [0, 0, 0, 256]
    assert table(bare, "balance")["by_token"].isna().all() and not table(bare, "balance")["effective"].isna().any()


def test_every_matrix_is_drawn_with_experts_in_their_order(observed_load: Load) -> None:
    assert observed_load.by_token is not None
    for name in ("load", "balance", *MATRICES):
        assert draw(observed_load, name, layer="l3").has_data()
    names = [item.get_text() for item in draw(observed_load, "together", "l3").get_xticklabels()]
    assert names == [f"l3.e{e}" for e in range(1, 9)]
    drawn = draw(observed_load, "alike", "l2").images[0].get_array()
    assert drawn is not None
    np.testing.assert_array_equal(np.asarray(drawn), observed_load.by_token.alike[1])


def test_what_there_is_not_is_refused_with_what_there_is(observed_load: Load) -> None:
    with pytest.raises(ValueError, match="no table 'use'; there are load"):
        table(observed_load, "use")
    with pytest.raises(ValueError, match="no layer is called 'l9'; there are l1, l2"):
        draw(observed_load, "alike", "l9")
    with pytest.raises(ValueError, match="no picture of exemplars"):
        draw(observed_load, "exemplars")
