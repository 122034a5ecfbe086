"""Load of experts, of a model and of a log, and cosines of what they write, token by token; tables and figures."""

import itertools
import math
from collections import Counter
from dataclasses import replace

import numpy as np
import pytest

from routescope import zoo
from routescope.data import load as read
from routescope.nn.inputs.text import Text
from routescope.plots.experts import draw
from routescope.routing import Intervention, record
from routescope.routing.compare import record_log
from routescope.routing.logs import RoutingLog, Source
from routescope.routing.observed import expert_outputs, experts
from routescope.routing.observed import load as load_module
from routescope.routing.observed.expert_outputs import WrittenObserver
from routescope.routing.observed.load import Load, LoadObserver
from routescope.routing.observed.load_tables import COLUMNS, MATRICES, table
from routescope.routing.observed.log_load import observed
from routescope.routing.observed.token_kinds import MOST_EXPERTS

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


def test_counts_come_before_baselines_and_grow(observed_load: Load, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(load_module, "FIRST_COUNTS", 0)
    said: list[Load | str] = []
    whole = load_module.observe_load(
        MODEL, SETS, exemplars=2, shuffles=40, progress=lambda done, total, what: said.append(what), counted=said.append
    )
    counts = [each for each in said if isinstance(each, Load)]
    assert [each.texts for each in counts] == sorted({each.texts for each in counts}) and counts[-1].texts == 6
    assert said.index(counts[-1]) < said.index("Comparing what experts write")
    first = LoadObserver(MODEL, SETS, exemplars=2, shuffles=40)
    next(iter(first))
    assert first.counted().domains == (SETS[0].domain,), "no domain of which no text was read"
    last = counts[-1]
    for each in (last, whole):
        np.testing.assert_array_equal(each.chosen, observed_load.chosen)
        np.testing.assert_array_equal(each.together, observed_load.together)
        np.testing.assert_array_equal(each.specialised, observed_load.specialised)
        assert each.exemplars == observed_load.exemplars and each.domains == observed_load.domains
    assert np.isnan([last.null, last.null_high]).all() and np.isnan([last.low, last.high]).all()
    assert last.by_token is None and last.written is None and whole.by_token is not None
    np.testing.assert_array_equal(whole.low, observed_load.low)


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


def similarity_of(intervention: Intervention, texts: int = 6) -> expert_outputs.OutputSimilarity:
    observer = WrittenObserver(MODEL, SETS, intervention, texts=texts)
    assert list(observer)[-1] == (texts, texts) and observer.lacking is None
    result = observer.result()
    assert result is not None
    return result


@pytest.mark.parametrize("intervention", [Intervention(), Intervention(drop=("l2.e3",), mute=("l1.e1",))], ids=str)
def test_cosines_are_those_of_a_loop_over_tokens(intervention: Intervention) -> None:
    observation = similarity_of(intervention)
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


TOKENS, LAYERS, SLOTS, EXPERTS = 60, 3, 2, 5
SEQUENCE = np.repeat(np.arange(4, dtype=np.int32), 15)


@pytest.fixture(scope="module")
def log() -> RoutingLog:
    rng = np.random.default_rng(7)
    experts = np.array([[rng.permutation(EXPERTS - 1)[:SLOTS] for _ in range(LAYERS)] for _ in range(TOKENS)])
    weights = rng.uniform(0.1, 1, experts.shape)
    experts[3, 1] = -1  # nothing was logged of one token at one layer
    weights[3, 1] = 0
    return RoutingLog(
        source=Source("a test", "1", "log.json"),
        layers=("l1", "l2", "l4"),
        indices=(0, 1, 3),
        num_experts=EXPERTS,
        experts=experts.astype(np.int16),
        sequence=SEQUENCE,
        sequences=("a", "b", "c", "d"),
        weights=weights.astype(np.float16),
        token_texts=tuple(f"t{token}" for token in range(TOKENS)),
    )


def test_every_choice_of_a_token_that_is_logged_everywhere_counts_once(log: RoutingLog) -> None:
    observation = observed(log)
    assert log.weights is not None
    logged = np.arange(TOKENS) != 3
    weights = log.weights[logged].astype(float)
    shares = np.zeros((TOKENS - 1, LAYERS, EXPERTS))
    np.put_along_axis(shares, log.experts[logged].astype(int), weights / weights.sum(axis=2, keepdims=True), axis=2)
    taken = (shares > 0).astype(int)
    assert (observation.load.tokens, observation.load.texts) == (TOKENS - 1, 4)
    assert "1 tokens have no expert at some layer" in " ".join(observation.notes)
    logarithms = np.log(shares, where=shares > 0, out=np.zeros_like(shares))
    np.testing.assert_allclose(
        observation.load.token_entropy, -(shares * logarithms).sum(axis=2).mean(axis=0), rtol=1e-5
    )
    np.testing.assert_array_equal(observation.load.chosen[:, :, 0], taken.sum(axis=0))
    np.testing.assert_allclose(observation.load.weight, shares.sum(axis=0), rtol=1e-5)
    np.testing.assert_array_equal(observation.load.together, np.einsum("tle,tlf->lef", taken, taken))
    assert observation.load.dead == (("l1.e5",), ("l2.e5",), ("l4.e5",))


def test_exemplars_are_the_tokens_of_most_weight_one_a_sequence(log: RoutingLog) -> None:
    observation = [item for item in observed(log).load.exemplars if item.unit == "l4.e2"]
    best = []
    for sequence in range(4):
        part = []
        for token in range(15 * sequence + 1, 15 * sequence + 15):  # not the first, which nothing precedes
            for slot in range(SLOTS):
                if token != 3 and log.experts[token, 2, slot] == 1:
                    assert log.weights is not None
                    share = float(log.weights[token, 2, slot]) / float(log.weights[token, 2].astype(float).sum())
                    part.append((share, token - 15 * sequence))
        if part:
            best.append((*max(part), sequence))
    best.sort(reverse=True)
    assert [(entry.sample, entry.token) for entry in observation] == [(sequence, token) for _, token, sequence in best]
    assert [element.weight for element in observation] == pytest.approx([share for share, _, _ in best], rel=1e-5)


def test_pairs_are_left_out_where_they_are_not_wanted(log: RoutingLog) -> None:
    few, whole = observed(log, pairs=False).load, observed(log).load
    assert few.by_token is not None and whole.by_token is not None
    assert few.together is None and few.lift is None and few.by_token.alike is None
    assert whole.together is not None and whole.by_token.alike is not None
    assert np.isfinite(whole.together).all() and np.isfinite(whole.by_token.alike[:, :4, :4]).all()
    np.testing.assert_array_equal(few.chosen, whole.chosen)
    np.testing.assert_array_equal(few.by_token.share, whole.by_token.share)


def test_of_very_many_experts_neither_pairs_nor_kinds_are_looked_at(log: RoutingLog) -> None:
    many = observed(replace(log, num_experts=MOST_EXPERTS // LAYERS + 1))
    assert many.load.together is None and many.load.by_token is None
    assert many.notes[-1] == "There are too many experts to count the kinds of tokens of each."
    np.testing.assert_array_equal(many.load.chosen[:, :4], observed(log).load.chosen[:, :4])
    assert [len(table(many.load, name)) for name in ("together", "alike", "tokens")] == [0, 0, 0]


def test_what_a_log_does_not_say_is_not_made_up(log: RoutingLog) -> None:
    observation = observed(replace(log, weights=None)).load
    assert (
        np.isnan(observation.weight).all() and np.isnan(observation.token_entropy).all() and not observation.exemplars
    )
    assert observation.chosen.sum() == (TOKENS - 1) * LAYERS * SLOTS
    silent = observed(replace(log, token_texts=None)).load
    assert not silent.exemplars and silent.by_token is None
    numbered = observed(replace(log, token_texts=None, token_ids=np.arange(TOKENS) % 7)).load
    assert numbered.by_token is not None and set(numbered.by_token.kinds) == set("0123456")


def test_of_a_long_log_whole_sequences_are_drawn(log: RoutingLog) -> None:
    few = observed(log, most_counted=20 * LAYERS * SLOTS**2)
    assert few.load.tokens == 20 and "20 tokens of 59" in few.notes[-1]
    counts = Counter(log.sequence[few.rows].tolist())
    assert len(counts) == 2, "one whole and the beginning of another"
    for sequence, count in counts.items():
        whole = [token for token in range(TOKENS) if SEQUENCE[token] == sequence and token != 3]
        assert [row for row in few.rows.tolist() if SEQUENCE[row] == sequence] == whole[:count]


def test_shares_are_of_weights_or_alike(log: RoutingLog) -> None:
    shares = log.shares(slice(0, 5))
    np.testing.assert_allclose(shares[3, 1], 0)
    np.testing.assert_allclose(np.delete(shares.sum(axis=2).reshape(-1), 3 * LAYERS + 1), 1, rtol=1e-6)
    np.testing.assert_array_equal(replace(log, weights=None).shares(slice(0, 1)), np.full((1, LAYERS, SLOTS), 0.5))
    assert list(log.rows_of(2)) == list(range(30, 45))


def test_a_log_says_of_its_model_what_is_observed_of_it() -> None:
    model, sets = zoo.load("moe-bytes"), [read("sums", "validation").take(slice(4))]
    observer = LoadObserver(model, sets, shuffles=2)
    assert list(observer)[-1] == (4, 4)
    expected, observation = observer.result(), observed(record_log(model, sets).log).load
    np.testing.assert_array_equal(observation.chosen, expected.chosen)
    np.testing.assert_array_equal(observation.together, expected.together)
    np.testing.assert_allclose(
        observation.weight, expected.weight, rtol=2e-3, atol=1e-2
    )  # weights of logs have 16 bits
    np.testing.assert_allclose(observation.token_entropy, expected.token_entropy, rtol=1e-3)
    assert observation.dead == expected.dead
    assert observation.by_token is not None and expected.by_token is not None
    assert observation.by_token.kinds == expected.by_token.kinds
    np.testing.assert_array_equal(observation.by_token.share, expected.by_token.share)
    np.testing.assert_allclose(observation.by_token.specialised, expected.by_token.specialised)
    np.testing.assert_array_equal(observation.by_token.alike, expected.by_token.alike)
    places = [
        [(exemplar.unit, exemplar.sample, exemplar.token) for exemplar in of.exemplars]
        for of in (observation, expected)
    ]
    assert len(places[0]) == len(places[1])
    assert len(set(places[0]) & set(places[1])) > 0.9 * len(places[0])
