"""The experiments with circuits on tiny untrained ones: every figure follows from what was scored."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
import torch.nn.functional as F

from routescope import assets
from routescope.data import DataError, load
from routescope.experiments import experiments, nac_drop, nac_edges, nac_fewshot, nac_images, reproduce
from routescope.experiments.shared.adaptation import Tuning, adapt, draw_episode, right
from routescope.experiments.shared.circuits import load_sets
from routescope.experiments.shared.frame import Context, Experiment
from routescope.routing import Intervention
from routescope.routing.caused.intervals import wilson_interval
from routescope.routing.caused.scores import evaluate
from routescope.zoo.catalogue import UnknownModel
from tests.core.experiments.circuit_models import tiny, zoo

SAMPLES = 20
SMALL: dict[str, Any] = {
    "nac-images": nac_images.Settings(limit=SAMPLES),
    "nac-drop": nac_drop.Settings(
        rungs=("nac-scale-free", "perceiver-io"), shares=(0.0, 0.5, 0.95), draws=2, limit=SAMPLES, seconds=0.0, rounds=2
    ),
    "nac-edges": nac_edges.Settings(rungs=("nac-planted-partition",), shares=(0.0, 0.5, 0.9), limit=SAMPLES),
    "nac-fewshot": nac_fewshot.Settings(
        shots=(1, 2), ways=(2,), ways_of_shots=3, shots_of_ways=2, seeds=2, queries=3, tuning=Tuning(steps=2)
    ),
}


def small(name: str) -> Experiment:
    return replace(experiments()[name], settings=SMALL[name])


@pytest.fixture(scope="module")
def record(tmp_path_factory: pytest.TempPathFactory) -> Callable[[str], dict[str, Any]]:
    folder, made = tmp_path_factory.mktemp("nac"), {}

    def get(name: str) -> dict[str, Any]:
        if name not in made:
            with pytest.MonkeyPatch.context() as patch:
                patch.setattr(assets, "data_dir", lambda: folder / "data")
                made[name] = reproduce(small(name), folder=folder / "results", load_model=zoo())[0]
        return made[name]

    return get


def figures(record: dict[str, Any], name: str, **where: Any) -> list[dict[str, Any]]:
    return [f for f in record["figures"] if f["name"] == name and where.items() <= f["where"].items()]


@pytest.mark.slow
@pytest.mark.parametrize("name", SMALL)
def test_every_figure_is_within_its_interval_and_names_its_data(record: Any, name: str) -> None:
    found = record(name)
    assert found["figures"]
    for figure in found["figures"]:
        assert figure["paper"] is None  # the paper's numbers are Tiny-ImageNet's, and this is not
        assert figure["data"]
        if figure["low"] is not None:
            assert figure["low"] <= figure["value"] <= figure["high"]
        if figure["unit"] == "share of samples":
            assert -1 <= figure["value"] <= 1


def test_the_ladder_is_scored_in_and_out_of_distribution(record: Any) -> None:
    found = record("nac-images")
    assert len(found["models"]) == 7
    accuracies = figures(found, "accuracy")
    ood = [f for f in accuracies if f["where"]["distribution"] == "OOD"]
    assert {f["data"] for f in ood} == {load("mnist-m", limit=1).title}
    assert len(ood) == 7
    (total,) = [f for f in figures(found, "accuracy", model="+ ModFC", distribution="IID") if "set" not in f["where"]]
    by_set = [
        f["value"] for f in figures(found, "accuracy", model="+ ModFC", distribution="IID") if "set" in f["where"]
    ]
    assert total["value"] == pytest.approx(np.mean(by_set))
    assert (total["low"], total["high"]) == wilson_interval(round(total["value"] * 2 * SAMPLES), 2 * SAMPLES)
    assert len(figures(found, "more than Perceiver IO")) == 12
    model, data = tiny("pio-modfc"), load("mnist", limit=SAMPLES)
    (mnist,) = figures(found, "accuracy", model="+ ModFC", set="mnist")
    assert mnist["value"] == evaluate(model, data).accuracy


def test_table_1_is_beside_it_with_its_own_data_named() -> None:
    printed = {f.what: f.value for f in nac_images.EXPERIMENT.paper_figures}
    assert len(printed) == 14
    assert printed["Tiny-ImageNet, NAC, scale-free prior: Acc@1"] == 0.6076
    assert printed["Tiny-ImageNet-R, NAC, ring-of-cliques prior: Acc@1"] == pytest.approx(0.2003)


def test_modules_go_by_their_connectivity() -> None:
    model = tiny("nac-scale-free")
    orders = dict(nac_drop.orders(model, nac_drop.Settings(draws=2)))
    q = dict(zip(model.all_units, model.connectivity().tolist(), strict=True))
    rising = [q[unit] for unit in orders["least connected first"]]
    assert rising == sorted(rising)
    assert orders["strongest first"] == tuple(reversed(orders["least connected first"]))
    assert orders["random 1"] != orders["random 2"]
    for order in orders.values():
        assert sorted(order) == sorted(model.all_units)
    assert list(dict(nac_drop.orders(tiny("perceiver-io"), nac_drop.Settings(draws=2)))) == ["random 1", "random 2"]


def test_one_module_stays_at_least() -> None:
    units = tuple("abcdefghij")
    assert nac_drop.first(units, 0.0) == ()
    assert nac_drop.first(units, 0.3) == ("a", "b", "c")
    assert len(nac_drop.first(units, 0.99)) == 9


def test_dropping_saves_operations_and_changes_answers(record: Any) -> None:
    found = record("nac-drop")
    costs = [row for row in found["tables"]["costs"] if row["model"] == "nac-scale-free"]
    assert [row["modules"] for row in costs] == [10, 5, 1]
    assert costs[0]["flops"] > costs[1]["flops"] > costs[2]["flops"]
    assert all(row["samples_per_second"] > 0 for row in costs)
    for row in costs:
        assert row["slowest_round"] <= row["samples_per_second"] <= row["fastest_round"]
    model, data = tiny("nac-scale-free"), load("mnist", limit=SAMPLES)
    order = dict(nac_drop.orders(model, SMALL["nac-drop"]))["strongest first"]
    expected = evaluate(model, data, Intervention(drop=order[:5])).accuracy
    (row,) = [
        row
        for row in found["tables"]["accuracies"]
        if (row["model"], row["order"], row["dropped"], row["set"])
        == ("nac-scale-free", "strongest first", 0.5, "mnist")
    ]
    assert row["accuracy"] == expected
    named = "largest share dropped at less than 3 points lost"
    assert {f["value"] for f in figures(found, named)} <= {0.0, 0.5, 0.95}
    assert len(figures(found, named)) == 4  # three orders of the circuit, one of the Perceiver IO


def test_throughput_is_the_median_of_the_rounds_between_their_ends(tmp_path: Path, monkeypatch: Any) -> None:
    rounds = np.array([[10.0, 1.0], [40.0, 1.0], [20.0, 1.0], [25.0, 1.0]])
    monkeypatch.setattr(nac_drop, "throughputs", lambda *_: (rounds, 2 * rounds))
    monkeypatch.setattr(assets, "data_dir", lambda: tmp_path / "data")
    chosen = replace(SMALL["nac-drop"], rungs=("perceiver-io",), shares=(0.0,), draws=1)
    experiment = replace(small("nac-drop"), settings=chosen)
    found, _ = reproduce(experiment, folder=tmp_path / "results", load_model=zoo())
    (speed,) = figures(found, "throughput")
    assert (speed["low"], speed["value"], speed["high"]) == (10.0, 22.5, 40.0)
    assert found["tables"]["costs"][0]["full_samples_per_second"] == 45.0


def test_the_largest_share_at_little_loss_allows_no_greater_loss_before_it() -> None:
    def share(*losses: float) -> int:
        full = np.ones(1000)
        return nac_drop.little_lost(
            [full, *(np.r_[np.zeros(round(1000 * loss)), full[: round(1000 - 1000 * loss)]] for loss in losses)]
        )

    assert share(0.0, 0.02, 0.029) == 3
    assert share(0.0, 0.03, 0.01) == 1
    assert share(0.5, 0.0) == 0


def test_random_orders_are_averaged_sample_by_sample() -> None:
    data = load("mnist", limit=2)
    scored = {"random 1": [{"mnist": "11"}, {"mnist": "10"}], "random 2": [{"mnist": "11"}, {"mnist": "00"}]}
    assert [each.tolist() for each in nac_drop.by_kind(scored, [data])["random"]] == [[1, 1], [0.5, 0]]


def test_edges_are_cut_and_the_graph_that_is_left_is_described(record: Any) -> None:
    rows = record("nac-edges")["tables"]["shares"]
    assert [row["edges"] for row in rows] == [45, 23, 5]
    assert rows[0]["components"] == 1
    parts = [row["components"] for row in rows]
    assert parts == sorted(parts)
    assert rows[2]["components"] >= 5
    model, data = tiny("nac-planted-partition"), load("street-digits", limit=SAMPLES)
    assert rows[1]["accuracies"]["street-digits"] == evaluate(model, data, Intervention(keep_edges=0.5)).accuracy


def test_the_critical_point_is_before_the_steepest_fall() -> None:
    assert nac_edges.critical([0.9, 0.88, 0.5, 0.4]) == 1
    assert nac_edges.critical([0.5, 0.6]) == 1


def test_episodes_are_paired_and_separate() -> None:
    train, test = load("letters", "train", limit=512), load("letters", "validation", limit=512)
    few, many = (draw_episode(train, test, 4, shots, 5, seed=1) for shots in (1, 6))
    assert few.classes == many.classes
    assert len(set(few.classes)) == 4
    assert set(few.support.tolist()) <= set(many.support.tolist())
    assert few.query.equal(many.query)
    assert [train.labels[row].item() for row in many.support] == [label for label in many.classes for _ in range(6)]
    assert draw_episode(train, test, 4, 1, 5, seed=2).classes != few.classes
    with pytest.raises(DataError, match="64 classes; 65 are asked for"):
        draw_episode(train, test, 65, 1, 5, seed=1)
    with pytest.raises(DataError, match="8 samples of class .*; 9 are asked for"):
        draw_episode(train, test, 2, 9, 5, seed=1)


@pytest.mark.slow
@pytest.mark.parametrize("recipe", ["nac-scale-free", "nac-frozen", "perceiver-io"])
def test_adapting_learns_and_leaves_the_model_alone(recipe: str) -> None:
    model = tiny(recipe)
    before = {name: value.clone() for name, value in model.state_dict().items()}
    train = load("letters", "train", limit=256)
    episode = draw_episode(train, train, 2, 4, 4, seed=0)
    state = torch.get_rng_state()
    adapted, unlearned = (
        adapt(model, train, episode, Tuning(steps=steps, learning_rate=1e-2), seed=0) for steps in (40, 0)
    )
    assert torch.get_rng_state().equal(state)
    assert all(value.equal(before[name]) for name, value in model.state_dict().items())
    assert adapted.logits.out_features == 2
    learned = replace(episode, query=episode.support, query_labels=episode.support_labels)
    assert right(adapted, train, learned) >= right(unlearned, train, learned)
    images = train.images[episode.support].float() / 255
    losses = [F.cross_entropy(each(images)[:, 0], episode.support_labels).item() for each in (adapted, unlearned)]
    assert losses[0] < 0.8 * losses[1]
    if recipe == "nac-frozen":
        assert adapted.processor.signatures.equal(model.processor.signatures)
    elif recipe == "nac-scale-free":
        assert not adapted.processor.signatures.equal(model.processor.signatures)


def test_few_shot_models_meet_the_same_episodes(record: Any) -> None:
    found = record("nac-fewshot")
    rows = found["tables"]["episodes"]
    assert {(row["ways"], row["shots"]) for row in rows} == {(3, 1), (3, 2), (2, 2)}
    assert len(rows) == 3 * 2 * 2
    (gain,) = figures(found, "more than Perceiver IO", ways=3, shots=2)
    of = {
        rung: [r["accuracy"] for r in rows if (r["model"], r["ways"], r["shots"]) == (rung, 3, 2)]
        for rung in ("nac-scale-free", "perceiver-io")
    }
    assert gain["value"] == pytest.approx(np.mean(of["nac-scale-free"]) - np.mean(of["perceiver-io"]))


def write_pictures(folder: Path, classes: Sequence[str], side: int = 32) -> str:
    from PIL import Image

    for seed, name in enumerate(classes):
        (folder / name).mkdir(parents=True, exist_ok=True)
        pixels = np.random.default_rng(seed).integers(0, 256, (side, side, 3), dtype=np.uint8)
        Image.fromarray(pixels).save(folder / name / f"{seed}.png")
    return str(folder)


def test_pictures_of_ones_own_are_scored_by_models_trained_on_them(tmp_path: Path, monkeypatch: Any) -> None:
    monkeypatch.setattr(assets, "data_dir", lambda: tmp_path / "data")
    write_pictures(tmp_path / "pictures", [f"class {seed % 10}" for seed in range(40)])
    sources = {"images": str(tmp_path / "pictures"), "images-ood": str(tmp_path / "pictures")}
    experiment = replace(small("nac-images"), settings=nac_images.Settings(("perceiver-io", "nac-erdos-renyi")))
    options: dict[str, Any] = {"sources": sources, "folder": tmp_path / "results"}
    found, _ = reproduce(experiment, load_model=zoo("-printed"), **options)
    assert [each["id"] for each in found["models"]] == ["perceiver-io-images", "nac-erdos-renyi-images"]
    assert {figure["paper"] for figure in found["figures"]} == {None}  # these models have other sizes than the paper's
    with pytest.raises(UnknownModel, match="routescope train nac-images-printed --data images=FOLDER"):
        reproduce(experiment, load_model=zoo("-printed", "-images"), **options)


@pytest.mark.parametrize("name", ["nac-images", "nac-edges"])
def test_the_papers_numbers_stand_beside_its_sizes_on_no_stand_in(tmp_path: Path, monkeypatch: Any, name: str) -> None:
    monkeypatch.setattr(assets, "data_dir", lambda: tmp_path / "data")
    source = write_pictures(tmp_path / "pictures", [f"class {seed % 10}" for seed in range(40)])
    settings: dict[str, Any] = {
        "nac-images": nac_images.Settings(("perceiver-io", "nac-erdos-renyi"), limit=8),
        "nac-edges": nac_edges.Settings(("nac-erdos-renyi",), (0.0, 0.97), limit=8),
    }
    experiment = replace(experiments()[name], settings=settings[name])
    options: dict[str, Any] = {"sources": {"images": source}, "folder": tmp_path / "results"}
    found, _ = reproduce(experiment, load_model=zoo(), **options)
    assert all(each["id"].endswith("-printed") for each in found["models"])
    accuracies = figures(found, "accuracy")
    papers = {kind: [f["paper"] for f in accuracies if f["where"]["distribution"] == kind] for kind in ("IID", "OOD")}
    assert papers["IID"] == {"nac-images": [0.5889, 0.6033], "nac-edges": [None, 0.5613]}[name]
    assert papers["OOD"] == [None, None]  # these are generated


def test_classes_out_of_distribution_are_those_of_the_model_by_name(tmp_path: Path, monkeypatch: Any) -> None:
    monkeypatch.setattr(assets, "data_dir", lambda: tmp_path / "data")
    sources = {
        "images": write_pictures(tmp_path / "pictures", ["ant", "bee", "cat"] * 5),
        "images-ood": write_pictures(tmp_path / "renditions", ["bee", "cat"] * 5, side=64),
    }
    model = tiny("perceiver-io-images", classes=3, class_names=("cat", "bee", "ant"))
    within, outside = load_sets(Context(small("nac-images"), None, sources), model, None)
    assert [len(data) for data in (*within, *outside)] == [3, 10]  # nothing is trained on what is held out
    assert outside[0].images.shape[-1] == 32
    assert sorted(outside[0].labels.tolist()) == [0] * 5 + [1] * 5
    with pytest.raises(DataError, match="classes that training did not: .*bee; its classes are cat, dog"):
        load_sets(
            Context(small("nac-images"), None, sources),
            tiny("perceiver-io-images", classes=2, class_names=("cat", "dog")),
            None,
        )
    with pytest.raises(DataError, match="give images=FOLDER too"):
        reproduce(small("nac-images"), sources={"images-ood": sources["images-ood"]}, folder=tmp_path, load_model=zoo())


def test_letters_are_brought_to_the_side_of_the_models(tmp_path: Path, monkeypatch: Any) -> None:
    monkeypatch.setattr(assets, "data_dir", lambda: tmp_path / "data")
    source = write_pictures(tmp_path / "letters", ["a", "b"] * 20, side=64)
    chosen = nac_fewshot.Settings(
        shots=(1,), ways=(2,), ways_of_shots=2, shots_of_ways=1, seeds=1, queries=2, tuning=Tuning(steps=1)
    )
    experiment = replace(small("nac-fewshot"), settings=chosen)
    found, _ = reproduce(experiment, sources={"letters": source}, folder=tmp_path / "results", load_model=zoo())
    assert [each["stand_in"] for each in found["data"]] == [False, False]
    large = replace(experiment, settings=replace(chosen, rungs=("perceiver-io",)))
    with pytest.raises(DataError, match="32 x 32 pixels, and the network takes 64 x 64"):
        reproduce(large, folder=tmp_path / "results", load_model=lambda name: tiny(name, image_size=64))
