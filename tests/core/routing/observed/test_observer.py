"""Observed measures: the known answers 1 to 4, a network against loops over its traces, and every sum of the tally."""

import json
from math import log
from pathlib import Path
from unittest import mock

import matplotlib.pyplot as plt
import numpy as np
import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from routescope.data import load
from routescope.data.pictures.sets import PictureSet
from routescope.nn.interpreter.network import NeuralInterpreter
from routescope.nn.mixture.config import MixtureConfig
from routescope.nn.mixture.network import MixtureNetwork
from routescope.routing import Intervention, InterventionError, record
from routescope.routing.observed import observer as observer_module
from routescope.routing.observed.measures import js_distance, shares
from routescope.routing.observed.observer import BASELINES, COUNTING, Observer, PatchGroups, observe
from routescope.routing.observed.result import NAMES, TABLES, Observation, cka, cosine
from routescope.routing.observed.tally import Exemplars, Tally, TallyShape
from tests.core.nn.networks import config, network
from tests.core.routing import toys
from tests.core.routing.hooks import hooks_on
from tests.core.routing.small import noise

FEW = {"shuffles": 20}


@pytest.fixture(scope="module")
def model() -> NeuralInterpreter:
    return network(config(tau=0.7), dtype=torch.float32)  # so narrow that some tokens match no function


@pytest.fixture(scope="module")
def sets(model: NeuralInterpreter) -> list[PictureSet]:
    return [noise(model, 6, "there"), noise(model, 5, "here", seed=1)]


@pytest.fixture(scope="module")
def observed(model: NeuralInterpreter, sets: list[PictureSet]) -> Observation:
    return observe(model, sets, exemplars=4, **FEW)


# -------------------------------------------------------------------------------------------------- known answers


@pytest.mark.parametrize("units", [2, 5])
def test_known_answer_1_a_uniform_router(units: int) -> None:
    seen = observe(toys.uniform(units=units), [toys.balanced()], **FEW)
    np.testing.assert_allclose(seen["usage"], 1 / units)
    np.testing.assert_allclose(seen["entropy"], log(units))
    np.testing.assert_allclose(seen["entropy_share"], 1)
    np.testing.assert_allclose(seen["effective_units"], units)
    for name in ("collapse_worst", "collapse_average", "balance_cv", "balance_gini", "mutual_information"):
        np.testing.assert_allclose(seen[name], 0, atol=1e-9, err_msg=name)
    for name in ("specialisation", "specialisation_position", "specialisation_feature", "jsd_labels", "jsd_samples"):
        np.testing.assert_allclose(seen[name], 0, atol=1e-7, err_msg=name)
    np.testing.assert_allclose(seen["coactivation"], seen["coactivation_expected"])
    np.testing.assert_allclose(seen["cka"], 1)


@pytest.mark.parametrize("labels", [[0, 1, 2, 3] * 10, [0] * 20 + [1] * 10 + [2] * 6 + [3] * 4])
def test_known_answer_2_a_one_hot_router_tied_to_the_label(labels: list[int]) -> None:
    seen = observe(toys.one_hot(), [toys.labelled(labels)], **FEW)
    p = np.bincount(labels) / len(labels)
    np.testing.assert_allclose(seen["mutual_information"], -(p * np.log(p)).sum())
    np.testing.assert_allclose(seen["specialisation"], 1)
    assert (seen["specialisation_null_high"] < 0.5).all()
    assert (seen["specialisation_null"] <= seen["specialisation_null_high"]).all()
    np.testing.assert_allclose(seen["usage"], np.tile(p, (3, 1)))
    np.testing.assert_allclose(seen["joint"], np.tile(np.diag(p), (3, 1, 1)))
    np.testing.assert_allclose(seen["label_share"], np.tile(np.eye(4), (3, 1, 1)))
    np.testing.assert_allclose(seen["jsd_labels"], np.tile(1 - np.eye(4), (3, 1, 1)))
    np.testing.assert_allclose(seen["entropy"], 0)
    np.testing.assert_allclose(seen["specialisation_position"], 0, atol=1e-7)
    np.testing.assert_allclose(seen["coactivation"], np.tile(np.diag(p), (3, 1, 1)))
    np.testing.assert_allclose(seen["repeat_rate"][1:], 1)
    np.testing.assert_allclose(seen["repeat_chance"][1:], (p**2).sum())
    assert np.isnan(seen["repeat_rate"][0])
    pairs = len(labels) * (len(labels) - 1)  # of samples, two of which are at distance 0 or 1
    same = sum(n * (n - 1) for n in np.bincount(labels)) / pairs
    np.testing.assert_allclose(seen["jsd_samples"], 1 - same)


def test_the_null_of_a_mean_over_steps_is_of_the_means_of_its_draws(observed: Observation) -> None:
    draws = observed["specialisation_null_draws"]
    assert draws.dims == ("shuffle", "step") and draws.shape == (20, observed["specialisation"].size)
    for step in draws["step"].values:
        mean, high = (float(observed[f"specialisation_null{name}"].sel(step=step)) for name in ("", "_high"))
        assert observed.null_over([step]) == pytest.approx((mean, high), nan_ok=True)
    defined = draws.dropna("step")  # tokens that match no unit leave no routing at some steps
    assert 1 < defined.sizes["step"] < draws.sizes["step"]
    means = defined.values.mean(axis=1)
    expected = pytest.approx((means.mean(), np.quantile(means, 0.95)))
    assert observed.null_over() == expected and observed.null_over(defined["step"].values) == expected


def test_known_answer_3_a_duplicated_unit_is_used_much() -> None:
    seen = observe(toys.duplicated(), [toys.balanced()], **FEW)
    np.testing.assert_allclose(seen["usage"], np.tile([3 / 8, 3 / 8, 1 / 4], (3, 1)))
    np.testing.assert_allclose(seen["coactivation"].sel(unit="f1", other="f2"), 3 / 4)
    np.testing.assert_allclose(seen["coactivation_expected"].sel(unit="f1", other="f2"), 9 / 16)
    assert seen["cka"].sel(unit="f1", other="f2") == pytest.approx(1)
    assert seen["cosine"].sel(unit="f1", other="f2") == pytest.approx(1)
    assert seen["cka"].sel(unit="f1", other="f3") < 0.9
    assert np.isnan(seen["cosine"].sel(unit="f1", other="f3")), "they never act on one token"


def test_known_answer_4_a_dead_unit_is_used_by_nobody() -> None:
    seen = observe(toys.with_dead(), [toys.balanced()], **FEW)
    assert (seen["usage"].sel(unit="f2") == 0).all()
    np.testing.assert_allclose(seen["collapse_worst"], 1)
    for name in ("cka", "cosine"):
        assert np.isnan(seen[name].sel(unit="f2")).all()
        assert not np.isnan(seen[name].sel(unit=["f1", "f3"], other=["f1", "f3"]).values.diagonal()).any()
    assert (seen["exemplar_sample"].sel(unit="f2") == -1).all()
    assert np.isnan(seen["exemplar_weight"].sel(unit="f2")).all()
    assert np.isnan(seen["label_share"].sel(unit="f2")).all()


def test_a_token_that_matches_no_unit_has_no_routing() -> None:
    blind = toys.Toy([[1, 0], [0, 1], [0, 0], [0, 0]])
    seen = observe(blind, [toys.labelled([0, 0, 0, 1, 2, 3, 2, 3])], **FEW)
    np.testing.assert_allclose(seen["unmatched"], 1 / 2)
    np.testing.assert_allclose(seen["usage"], np.tile([3 / 4, 1 / 4], (3, 1)))
    np.testing.assert_allclose(seen["effective_units"], 1)
    np.testing.assert_allclose(seen["repeat_chance"][1:], 10 / 16)
    np.testing.assert_allclose(seen["coactivation"][0], np.diag([3 / 8, 1 / 8]))
    assert np.isnan(seen["jsd_labels"].sel(label="2")).all()
    everywhere_blind = observe(toys.Toy(torch.zeros(4, 2)), [toys.balanced(2)], **FEW)
    assert (everywhere_blind["usage"] == 0).all()
    for name in ("entropy", "collapse_worst", "specialisation", "jsd_samples", "repeat_chance"):
        assert np.isnan(everywhere_blind[name]).all(), name


# ------------------------------------------------------------------------------------------- a network against loops


def test_a_network_is_what_its_traces_say(
    model: NeuralInterpreter, sets: list[PictureSet], observed: Observation
) -> None:
    traces = [record(model, d.images.float() / 255, ("compatibility", "contributions")) for d in sets]
    C = np.concatenate([t["compatibility"].values for t in traces]).astype(float)  # (sample, step, unit, token)
    labels = np.concatenate([d.labels.numpy() for d in sets])
    for s in range(C.shape[1]):
        weight = C[:, s].sum(axis=(0, 2))
        np.testing.assert_allclose(observed["usage"][s], weight / weight.sum(), atol=1e-6)
        for k in range(11):
            share = C[labels == k, s].sum(axis=(0, 2)) / weight.sum()
            np.testing.assert_allclose(observed["joint"][s, :, k], share, atol=1e-6)
        np.testing.assert_allclose(observed["by_position"][s], C[:, s].sum(axis=0) / weight.sum(), atol=1e-6)
        assert observed["unmatched"][s] == pytest.approx((C[:, s].sum(axis=1) == 0).mean())
        o = np.concatenate([t["contributions"].isel(step=s).transpose("unit", "sample", ...).values for t in traces], 1)
        o = o[:, :, ~np.isnan(o).any(axis=(0, 1, 3))].reshape(4, -1, o.shape[-1])
        assert observed["cka_rows"][s] == o.shape[1]
        np.testing.assert_allclose(observed["cka_by_step"][s], cka(o), atol=1e-4)
        np.testing.assert_allclose(observed["cosine_by_step"][s], cosine(o), atol=1e-4)
    means = observed["cka_by_step"].mean("step", skipna=True)
    np.testing.assert_allclose(observed["cka"], means)
    assert observed["unmatched"].max() > 0
    assert (observed["units_taking_part"] == 4).all()
    last, before = (np.concatenate([t["contributions"].isel(step=s).values for t in traces]) for s in (-1, -2))
    both = [np.moveaxis(x[:, :, :2], 1, 2).reshape(22, -1) for x in (last, before)]  # the last step has its CLS tokens
    assert observed["cka_steps"][-1, -2] == pytest.approx(cka(np.stack(both))[0, 1], abs=1e-4)
    assert np.isnan(observed["jsd_steps"].sel(step="s1.i1", step_other="s2.i1"))
    assert np.isnan(observed["repeat_rate"].sel(step="s2.i1"))


def test_exemplars_name_the_sample_and_the_patch(
    model: NeuralInterpreter, sets: list[PictureSet], observed: Observation
) -> None:
    traces = [record(model, d.images.float() / 255) for d in sets]
    assert [item["name"] for item in json.loads(observed.dataset.attrs["data"])] == ["there", "here"]
    for unit in range(4):
        best = np.concatenate([t["compatibility"].values[:, :, unit, 2:].max(axis=(1, 2)) for t in traces])
        rows = observed.table("exemplars").query(f"unit == 'f{unit + 1}' and exemplar_sample >= 0")
        np.testing.assert_allclose(rows["exemplar_weight"], np.sort(best)[::-1][: len(rows)], atol=1e-5)
        for row in rows.itertuples():
            C = traces[row.exemplar_set]["compatibility"]
            here = C[row.exemplar_sample, row.exemplar_step, unit, row.exemplar_token]
            assert float(here) == pytest.approx(row.exemplar_weight, abs=1e-5)
            assert str(observed["token"].values[row.exemplar_token]).startswith("patch:")


def test_batches_of_any_size_give_the_same_and_the_same_seed_the_same_bits(
    model: NeuralInterpreter, sets: list[PictureSet], observed: Observation
) -> None:
    assert observe(model, sets, exemplars=4, **FEW).dataset.identical(observed.dataset)
    assert not observe(model, sets, exemplars=4, **FEW, seed=1).dataset.identical(observed.dataset)
    with mock.patch.object(NeuralInterpreter, "chunk_tokens", 30):
        again = observe(model, sets, exemplars=4, **FEW)
    for name, array in observed.dataset.items():
        np.testing.assert_allclose(again[name].values, array.values, atol=1e-4, err_msg=str(name))


def test_dropped_units_have_no_usage_and_take_no_part(model: NeuralInterpreter, sets: list[PictureSet]) -> None:
    seen = observe(model, sets, intervention=Intervention(drop=("s1.f2", "s2.f2"), iterations=2), **FEW)
    assert seen.dataset.sizes["step"] == 4
    assert (seen["usage"].sel(unit="f2") == 0).all()
    np.testing.assert_allclose(seen["usage"].sum("unit"), 1)
    assert (seen["units_taking_part"] == 3).all()
    assert (seen["collapse_worst"] < 1).any(), "a unit that is dropped is no collapse"
    assert Intervention.from_json(seen.dataset.attrs["intervention"]).drop == ("s1.f2", "s2.f2")
    everyone = observe(model, sets, intervention=Intervention(drop=model.units), **FEW)
    assert (everyone["usage"] == 0).all()
    assert (everyone["units_taking_part"] == 0).all()
    assert (everyone["unmatched"] == 1).all()


def test_replaced_contributions_change_what_comes_after_them(model: NeuralInterpreter, sets: list[PictureSet]) -> None:
    plain = observe(model, sets, **FEW)
    for kind in ("mean", "resample"):
        seen = observe(model, sets, intervention=Intervention().ablating(kind, ("s1.f1", "s1.f3")), **FEW)
        np.testing.assert_allclose(seen["usage"][0], plain["usage"][0], atol=1e-6)
        assert not np.allclose(seen["usage"][1:], plain["usage"][1:], atol=1e-4)
        assert hooks_on(model) == []


# ------------------------------------------------------------------------------------------------ nothing is left


def test_observing_leaves_no_hook_and_progress_counts_samples(model: NeuralInterpreter, sets: list[PictureSet]) -> None:
    observer = Observer(model, sets, **FEW)
    for _ in observer:
        assert hooks_on(model) == []
    seen: list[tuple[int, int, str]] = []
    observe(model, sets, limit=3, progress=lambda *step: seen.append(step), **FEW)
    assert [step[:2] for step in seen] == [(0, 6), (3, 6), (6, 6), (6, 6)]
    assert seen[1][2] == COUNTING and seen[-1][2] == BASELINES


def test_counts_come_after_the_first_batch_and_change_no_result(
    model: NeuralInterpreter, sets: list[PictureSet], observed: Observation, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(observer_module, "SECOND_COUNTS", 0)
    events: list[Observation | str] = []
    fitted = PatchGroups.fit
    monkeypatch.setattr(PatchGroups, "fit", lambda *args, **named: events.append("fit") or fitted(*args, **named))
    whole = observe(model, sets, exemplars=4, counted=events.append, **FEW)
    first, fit, *later = events
    assert isinstance(first, Observation) and fit == "fit", "patches are grouped after the first counts"
    assert first.dataset.attrs["count"] == 6 and "specialisation" not in first.dataset
    (last,) = later
    assert isinstance(last, Observation) and last.dataset.attrs["count"] == 11
    for name in last.dataset:
        np.testing.assert_array_equal(last[name], observed[name], err_msg=name)
    for name in observed.dataset:
        np.testing.assert_array_equal(whole[name], observed[name], err_msg=name)
    direct = Observer(model, sets, exemplars=4, **FEW)
    assert [done for done, _ in direct] == [6, 11]
    np.testing.assert_array_equal(direct.result()["specialisation_feature"], observed["specialisation_feature"])


def test_what_cannot_be_observed_is_said(model: NeuralInterpreter, sets: list[PictureSet]) -> None:
    with pytest.raises(ValueError, match="at least one data set"):
        observe(model, [])
    with pytest.raises(ValueError, match="here, there"):
        observe(model, [noise(model, 2, "elsewhere")])
    with pytest.raises(ValueError, match="at least one iteration"):
        observe(model, sets, intervention=Intervention(iterations=0))
    with pytest.raises(InterventionError, match="f9"):
        observe(model, sets, intervention=Intervention(drop=("f9",)))
    mixture = MixtureNetwork(MixtureConfig(context=8, layers=1, features=16, heads=2, experts=4, hidden=4))
    with pytest.raises(ValueError, match="count their load with LoadObserver"):
        observe(mixture, [load("sums", "validation", limit=1)])


def test_every_variable_is_in_a_table(observed: Observation) -> None:
    assert sorted(n for names in TABLES.values() for n in names) == sorted(map(str, observed.dataset.data_vars))
    for name in NAMES:
        table = observed.table(name)
        dims = observed[TABLES[name][0]].dims
        assert list(table.columns) == [*dims, *TABLES[name]]
        assert len(table) == np.prod([observed.dataset.sizes[dim] for dim in dims])
    with pytest.raises(ValueError, match="steps, usage"):
        observed.table("moods")
    row = observed.table("coactivation").iloc[7]
    expected = observed["coactivation"].sel(step=row["step"], unit=row["unit"], other=row["other"])
    assert row["coactivation"] == float(expected)


def test_a_file_gives_back_what_was_saved(observed: Observation, tmp_path: Path) -> None:
    back = Observation.load(observed.save(tmp_path / "observation.nc"))
    assert back.dataset.equals(observed.dataset)
    assert dict(back.dataset.attrs) == dict(observed.dataset.attrs)


@pytest.mark.usefixtures("figures")
def test_pictures(observed: Observation) -> None:
    (line,) = observed.plot("specialisation")
    assert len(line.lines) == 5
    np.testing.assert_allclose(line.lines[0].get_ydata(), observed["specialisation"])
    panels = observed.plot("joint")
    assert [panel.get_title() for panel in panels] == [
        f"script {step[1]}, iteration {step[4]}" for step in observed["step"].values
    ]
    np.testing.assert_allclose(panels[2].images[0].get_array(), observed["joint"][2])
    assert len({panel.images[0].get_clim() for panel in panels}) == 1, "one scale for all steps"
    (matrix,) = observed.plot("usage")
    assert [text.get_text() for text in matrix.get_xticklabels()] == ["f1", "f2", "f3", "f4"]
    given = plt.subplots(1, 2)[1]
    with pytest.raises(ValueError, match="6 axes, not 2"):
        observed.plot("joint", given)
    with pytest.raises(ValueError, match="usage"):
        observed.plot("mood")


quick = settings(max_examples=12, deadline=None)
SUMS = (
    "elements", "matched", "by_position", "by_group", "entropy", "effective", "together", "transitions",
    "step_distances", "step_pairs", "joint",
)  # fmt: skip
SHAPE = TallyShape(steps=4, units=3, tokens=5, labels=4, groups=2, scripts=2)


def run(seed: int, samples: int = 7) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Compatibilities with zeros in them, labels and groups."""
    rng = np.random.default_rng(seed)
    C = rng.random((samples, 4, 3, 5)) * (rng.random((samples, 4, 3, 5)) > 0.5)
    C = np.moveaxis(shares(np.moveaxis(C, 2, -1)), -1, 2).astype(np.float32)
    return C, rng.integers(0, 4, samples), rng.integers(-1, 2, (samples, 5))


def tally(C: np.ndarray, labels: np.ndarray, groups: np.ndarray) -> Tally:
    made = Tally(SHAPE)
    made.add(C, labels, groups)
    return made


@given(st.integers(0, 10_000), st.lists(st.integers(0, 7), max_size=4))
@quick
def test_batches_added_are_one_batch(seed: int, cuts: list[int]) -> None:
    C, labels, groups = run(seed)
    whole, parts = tally(C, labels, groups), Tally(SHAPE)
    bests, best = Exemplars(3, 4), Exemplars(3, 4)
    best.add(C, 0, np.arange(1, 5))
    edges = sorted([0, *cuts, 7])
    for start, stop in zip(edges, edges[1:], strict=False):
        parts.add(C[start:stop], labels[start:stop], groups[start:stop])
        bests.add(C[start:stop], start, np.arange(1, 5))
    for name in SUMS:
        np.testing.assert_allclose(getattr(parts, name), getattr(whole, name), rtol=1e-9, atol=1e-12, err_msg=name)
    assert np.array_equal(bests.weight, best.weight)
    assert all(np.array_equal(bests.place[name], best.place[name]) for name in best.place)


@given(st.integers(0, 10_000))
@quick
def test_every_sum_is_what_its_name_says(seed: int) -> None:
    C, labels, groups = run(seed)
    result = tally(C, labels, groups)
    expected = {name: np.zeros_like(getattr(result, name)) for name in SUMS}
    script = [0, 0, 1, 1]
    for b in range(len(C)):
        for v in range(5):
            for s in range(4):
                c = C[b, s, :, v].astype(float)
                expected["elements"][s] += 1
                expected["by_position"][s, :, v] += c
                expected["joint"][s, :, labels[b]] += c
                if groups[b, v] >= 0:
                    expected["by_group"][s, :, groups[b, v]] += c
                expected["together"][s] += np.outer(c > 0, c > 0)
                if not c.any():
                    continue
                p = c / c.sum()
                H = -sum(x * np.log(x) for x in p if x > 0)
                expected["matched"][s] += 1
                expected["entropy"][s] += H
                expected["effective"][s] += np.exp(H)
                for t in range(4):
                    d = C[b, t, :, v].astype(float)
                    if script[s] == script[t] and d.any():
                        expected["step_distances"][s, t] += js_distance(p, d / d.sum())
                        expected["step_pairs"][s, t] += 1
                    if t == s - 1 and script[s] == script[t] and d.any():
                        expected["transitions"][s, d.argmax(), c.argmax()] += 1
    expected["joint"] = shares(expected["joint"], axes=2)
    for name in SUMS:
        np.testing.assert_allclose(getattr(result, name), expected[name], rtol=1e-6, atol=1e-6, err_msg=name)


@given(st.integers(0, 10_000), st.integers(1, 9))
@quick
def test_exemplars_are_the_samples_whose_patches_route_most(seed: int, most: int) -> None:
    C, _, _ = run(seed)
    patches = np.array([1, 3, 4])
    result = Exemplars(3, most)
    result.add(C, 100, patches)
    for unit in range(3):
        best = sorted((-C[b, :, unit][:, patches].max(), b) for b in range(len(C)))
        expected = [(100 + b, -weight) for weight, b in best if weight < 0][:most]
        held = [k for k in range(most) if result.place["sample"][unit, k] >= 0]
        assert held == list(range(len(expected))), "no gaps, and none without weight"
        for k, (sample, weight) in enumerate(expected):
            assert result.place["sample"][unit, k] == sample
            assert result.weight[unit, k] == pytest.approx(weight)
            step, token = result.place["step"][unit, k], result.place["token"][unit, k]
            assert token in patches
            assert C[sample - 100, step, unit, token] == pytest.approx(weight)
