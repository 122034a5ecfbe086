"""Load of experts and cosines of what they write, counted token by token; tables and figures of it."""

import itertools
import math
from dataclasses import replace

import numpy as np
import pytest

from routescope import zoo
from routescope.data import load as read
from routescope.nn.inputs.text import Text
from routescope.plots.experts import draw
from routescope.routing import Intervention, record
from routescope.routing.observed import expert_outputs, experts
from routescope.routing.observed.expert_outputs import WrittenObserver
from routescope.routing.observed.load import Load, LoadObserver
from routescope.routing.observed.load_tables import COLUMNS, MATRICES, table

MODEL = zoo.load("moe-bytes")
SETS = [read(name, "validation").take(slice(3)) for name in ("sums", "python")]


@pytest.fixture(scope="module")
def observed_load() -> Load:
    observer = LoadObserver(MODEL, SETS, exemplars=2, shuffles=40)
    assert list(observer)[-1] == (6, 6)
    return observer.result()


def test_every_choice_is_counted_once_where_it_was_made(observed_load: Load) -> None:
    chosen, weight, together, tokens = np.zeros((4, 8, 2)), np.zeros((4, 8)), np.zeros((4, 8, 8)), 0
    for d, dataset in enumerate(SETS):
        for text in dataset.texts:
            trace = record(MODEL, Text((text,)), only=["compatibility"])["compatibility"].isel(sample=0).fillna(0)
            shares = trace.transpose("step", "unit", "token").values
            taken = (shares > 0).astype(int)
            tokens += int(taken[0].any(axis=0).sum())
            chosen[:, :, d] += taken.sum(axis=-1)
            weight += shares.sum(axis=-1)
            together += taken @ taken.transpose(0, 2, 1)
    assert (observed_load.tokens, observed_load.texts) == (tokens, 6)
    assert observed_load.domains == tuple(dataset.domain for dataset in SETS)
    np.testing.assert_array_equal(observed_load.chosen, chosen)
    np.testing.assert_allclose(observed_load.weight, weight, rtol=1e-4, atol=1e-6)
    np.testing.assert_array_equal(observed_load.together, together)
    np.testing.assert_allclose(observed_load.load, chosen.sum(axis=2) / chosen.sum(axis=(1, 2))[:, None])
    np.testing.assert_allclose(observed_load.of_domain.sum(axis=1), 1)
    assert observed_load.lift[0, 0, 1] == pytest.approx(
        together[0, 0, 1] * tokens / (together[0, 0, 0] * together[0, 1, 1])
    )
    assert (observed_load.effective <= 8 + 1e-9).all() and (observed_load.effective >= 1).all()


def test_shares_of_a_domain_lie_within_their_shuffles_where_the_domains_are_shuffled(observed_load: Load) -> None:
    assert (observed_load.low <= observed_load.high).all()
    assert (observed_load.null <= observed_load.null_high + 1e-12).all() and (
        (observed_load.specialised >= 0) & (observed_load.specialised <= 1)
    ).all()
    same = LoadObserver(MODEL, [SETS[0], SETS[0]], shuffles=5)
    list(same)
    alone = same.result()
    assert alone.domains == ("sums",) and all(math.isnan(item) for item in alone.specialised)
    np.testing.assert_allclose(alone.low, alone.of_domain)  # there is nothing to shuffle
    np.testing.assert_allclose(alone.high, alone.of_domain)


def test_an_exemplar_is_the_token_with_most_weight_of_its_text(observed_load: Load) -> None:
    for exemplar in observed_load.exemplars[:6]:
        dataset = SETS[exemplar.set]
        trace = record(MODEL, Text((dataset.texts[exemplar.sample],)), only=["compatibility"])
        layer, expert = (int(part[1:]) - 1 for part in exemplar.unit.split("."))
        share = trace["compatibility"].sel(unit=f"e{expert + 1}").isel(step=layer, sample=0).values
        assert exemplar.token > 0 and share[exemplar.token] == pytest.approx(np.nanmax(share[1:]), rel=1e-4)
        assert exemplar.weight == pytest.approx(share[exemplar.token], rel=1e-4)
    ranked = [item.weight for item in observed_load.exemplars if item.unit == "l1.e1"]
    assert ranked == sorted(ranked, reverse=True) and len(ranked) == 2


def test_a_dropped_expert_is_dead(observed_load: Load) -> None:
    observer = LoadObserver(MODEL, [SETS[0].take([0])], intervention=Intervention(drop=("l2.e3",)), shuffles=1)
    list(observer)
    assert "l2.e3" in observer.result().dead[1]
    assert all("l2.e3" not in layer for layer in observed_load.dead)


def test_what_cannot_be_observed_is_refused() -> None:
    with pytest.raises(ValueError, match="best of many experts"):
        LoadObserver(zoo.load("ni-digits"), SETS)
    with pytest.raises(ValueError, match="at least one data set"):
        LoadObserver(MODEL, [])


def test_of_very_many_experts_pairs_are_not_looked_at(observed_load: Load, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(experts, "MOST_PAIRS", 4 * 8 * 8 - 1)
    observer = LoadObserver(MODEL, SETS, exemplars=2, shuffles=40)
    list(observer)
    few = observer.result()
    assert few.together is None and few.lift is None and few.by_token is not None and few.by_token.alike is None
    assert few.written is None and few.unwritten == "there are too many pairs of experts"
    np.testing.assert_array_equal(few.chosen, observed_load.chosen)
    np.testing.assert_array_equal(few.by_token.share, observed_load.by_token.share if observed_load.by_token else None)


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


@pytest.mark.usefixtures("figures")
def test_every_matrix_is_drawn_with_experts_in_their_order(observed_load: Load) -> None:
    assert observed_load.by_token is not None
    for name in ("load", "balance", *MATRICES):
        assert draw(observed_load, name, layer="l3").has_data()
    names = [item.get_text() for item in draw(observed_load, "together", "l3").get_xticklabels()]
    assert names == [f"l3.e{e}" for e in range(1, 9)]
    drawn = draw(observed_load, "alike", "l2").images[0].get_array()
    assert drawn is not None
    np.testing.assert_array_equal(np.asarray(drawn), observed_load.by_token.alike[1])


@pytest.mark.usefixtures("figures")
def test_what_there_is_not_is_refused_with_what_there_is(observed_load: Load) -> None:
    with pytest.raises(ValueError, match="no table 'use'; there are load"):
        table(observed_load, "use")
    with pytest.raises(ValueError, match="no layer is called 'l9'; there are l1, l2"):
        draw(observed_load, "alike", "l9")
    with pytest.raises(ValueError, match="no picture of exemplars"):
        draw(observed_load, "exemplars")


def observed(intervention: Intervention, texts: int = 6) -> expert_outputs.OutputSimilarity:
    observer = WrittenObserver(MODEL, SETS, intervention, texts=texts)
    assert list(observer)[-1] == (texts, texts) and observer.lacking is None
    result = observer.result()
    assert result is not None
    return result


@pytest.mark.parametrize("intervention", [Intervention(), Intervention(drop=("l2.e3",), mute=("l1.e1",))], ids=str)
def test_cosines_are_those_of_a_loop_over_tokens(intervention: Intervention) -> None:
    observation = observed(intervention)
    sums, tokens = np.zeros((4, 8, 8)), np.zeros((4, 8, 8))
    for dataset in SETS:
        for text in dataset.texts:
            trace = record(MODEL, Text((text,)), ["contributions", "top_experts"], intervention=intervention)
            outputs = trace["contributions"].isel(sample=0).transpose("step", "token", "unit", "feature").values
            experts = trace["top_experts"].isel(sample=0).transpose("step", "token", "slot").values
            for layer, token in itertools.product(range(4), range(experts.shape[1])):
                share = [int(e) for e in experts[layer, token] if e >= 0]
                for e, f in itertools.product(share, share):
                    a, b = outputs[layer, token, e].astype(float), outputs[layer, token, f].astype(float)
                    if np.linalg.norm(a) > 0 and np.linalg.norm(b) > 0:
                        sums[layer, e, f] += a @ b / (np.linalg.norm(a) * np.linalg.norm(b))
                        tokens[layer, e, f] += 1
    assert observation.texts == 6
    np.testing.assert_array_equal(observation.tokens, tokens)
    present = tokens > 0
    np.testing.assert_allclose(observation.cosine[present], (sums / np.maximum(tokens, 1))[present], atol=1e-5)
    assert np.isnan(observation.cosine[~present]).all()
    bounded = ~np.isnan(observation.low)
    assert (observation.low[bounded] <= observation.high[bounded] + 1e-12).all()
    for unit in intervention.units:
        layer, expert = (int(part[1:]) - 1 for part in unit.split("."))
        assert np.isnan(observation.cosine[layer, expert]).all(), "who is dropped or muted writes nothing"


def test_an_interval_needs_two_texts() -> None:
    observer = WrittenObserver(MODEL, SETS[:1], Intervention(), texts=1)
    list(observer)
    result = observer.result()
    assert result is not None and result.texts == 1 and np.isnan(result.low).all() and not np.isnan(result.cosine).all()


def test_outputs_that_cannot_be_compared_say_why(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(expert_outputs, "MOST_BYTES", 1000)
    observer = WrittenObserver(MODEL, SETS, Intervention())
    assert list(observer) == [] and observer.result() is None
    assert observer.lacking is not None and "too much to hold" in observer.lacking
    monkeypatch.undo()
    many = WrittenObserver(MODEL, SETS, Intervention(), pairs=False)
    assert list(many) == [] and many.result() is None and many.lacking == "there are too many pairs of experts"
    view = MODEL.keep(MODEL.units)
    del view.probes.contributions
    observer = WrittenObserver(view, SETS, Intervention())
    assert list(observer) == [] and observer.result() is None
    assert observer.lacking is not None and "does not tell apart" in observer.lacking
