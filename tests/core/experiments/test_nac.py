"""The experiments with circuits on tiny untrained ones: every figure follows from what was scored."""

import json
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
import torch.nn.functional as F
from PIL import Image

from routescope.data import DataError, load
from routescope.experiments import experiments, nac_drop, nac_edges, nac_fewshot, reproduce
from routescope.experiments.shared import circuits
from routescope.experiments.shared.adaptation import Tuning, adapt, draw_episode, right
from routescope.experiments.shared.circuits import load_sets, load_trainings
from routescope.experiments.shared.frame import Context, Extent
from routescope.nn.network import Network
from routescope.routing import Intervention
from routescope.routing.caused.intervals import wilson_interval
from routescope.routing.caused.scores import evaluate
from routescope.zoo.catalogue import UnknownModel
from tests.core.experiments.circuit_models import tiny, zoo
from tests.core.experiments.small import SAMPLES, Made, small

RUNGS = ("pio-modfc", "nac-erdos-renyi")
Get = Callable[[str], Made]


def pictures(folder: Path, classes: Sequence[str], side: int = 32) -> str:
    """Write one picture of noise for each entry of ``classes``, and return the folder."""
    for seed, name in enumerate(classes):
        (folder / name).mkdir(parents=True, exist_ok=True)
        pixels = np.random.default_rng(seed).integers(0, 256, (side, side, 3), dtype=np.uint8)
        Image.fromarray(pixels).save(folder / name / f"{seed}.png")
    return str(folder)


@pytest.mark.slow
def test_the_ladder_is_scored_in_and_out_of_distribution(made: Get) -> None:
    found = made("nac-images")
    assert len(found.record["models"]) == 7
    ood = found.figures("accuracy", distribution="OOD")
    assert len(ood) == 7 and {figure["data"] for figure in ood} == {load("mnist-m", limit=1).title}
    total = found.figure("accuracy", model="+ ModFC", distribution="IID", set=None)
    by_set = [f["value"] for f in found.figures("accuracy", model="+ ModFC", distribution="IID") if "set" in f["where"]]
    assert total["value"] == pytest.approx(np.mean(by_set))
    assert (total["low"], total["high"]) == wilson_interval(round(total["value"] * 2 * SAMPLES), 2 * SAMPLES)
    assert (
        len(found.figures("more than Perceiver IO"))
        == len(found.figures("top-5 accuracy: more than Perceiver IO"))
        == 12
    )
    printed = {figure["what"]: figure["value"] for figure in found.record["paper_figures"]}
    assert printed["Tiny-ImageNet, NAC, scale-free prior: Acc@1"] == 0.6076 and len(printed) == 14
    assert printed["Tiny-ImageNet-R, NAC, ring-of-cliques prior: Acc@1"] == pytest.approx(0.2003)
    model, data = tiny("pio-modfc"), load("mnist", limit=SAMPLES)
    assert found.figure("accuracy", model="+ ModFC", set="mnist")["value"] == evaluate(model, data).accuracy
    likeliest = model(model.as_inputs(data.inputs(slice(None))))[:, model.head_of("mnist")].topk(5).indices
    among_five = (likeliest == data.labels[:, None]).any(dim=1).float().mean().item()
    assert found.figure("top-5 accuracy", model="+ ModFC", set="mnist")["value"] == pytest.approx(among_five)


def test_several_trainings_are_scored_and_a_missing_one_names_its_command(tmp_path: Path) -> None:
    model_ids: list[str] = []
    last = "-seed-1"

    def load_model(model_id: str) -> Network:
        model_ids.append(model_id)
        if model_id.endswith(("-seed-2", f"-printed{last}")):
            raise UnknownModel(f"unknown model {model_id}")
        model: Network = tiny(model_id.removesuffix(last), alpha=0.1 + model_id.endswith(last))
        return model

    record, _ = reproduce(small("nac-images", rungs=RUNGS, seeds=2), folder=tmp_path, load_model=load_model)
    assert model_ids == [*RUNGS, *(rung + last for rung in RUNGS)]
    rows = record["tables"]["accuracies"]
    for rung, title in zip(RUNGS, ("+ ModFC", "NAC, Erdos-Renyi prior"), strict=True):
        ood = [row["accuracy"] for row in rows if row["model"] == rung and row["distribution"] == "OOD"]
        figure = Made(record, [], tmp_path).figure("accuracy", model=title, distribution="OOD")
        assert len(ood) == 2 and figure["value"] == pytest.approx(np.mean(ood))
        assert figure["low"] < figure["value"] < figure["high"]
    with pytest.raises(UnknownModel, match="unknown model pio-modfc-seed-2. .*routescope train ... --seed 2"):
        reproduce(small("nac-images", rungs=RUNGS, seeds=3), folder=tmp_path, load_model=load_model)
    context = Context(small("nac-images"), None, {"images": "FOLDER"}, load_model=load_model)
    with pytest.raises(UnknownModel, match="unknown model pio-modfc-printed-seed-1"):
        load_trainings(context, RUNGS, seeds=2)  # models of another size are not pooled with them


def test_curves_are_means_over_trainings(tmp_path: Path) -> None:
    def load_model(model_id: str) -> Network:
        model: Network = tiny(model_id.removesuffix("-seed-1"))
        if model_id.endswith("-seed-1"):  # the least likely label becomes the likeliest
            for parameter in model.logits.parameters():
                parameter.neg_()
        return model

    rung, title = "nac-planted-partition", "NAC, planted-partition prior"
    for name, share, changes in (
        ("nac-edges", "removed", {}),
        ("nac-drop", "dropped", {"order": "strongest first"}),
    ):
        experiment = small(name, rungs=(rung,), shares=(0.0, 0.5), seeds=2)
        found = Made(reproduce(experiment, folder=tmp_path, load_model=load_model)[0], [], tmp_path)
        assert [model["id"] for model in found.record["models"]] == [rung, f"{rung}-seed-1"]
        for at in (0.0, 0.5):
            if name == "nac-edges":
                by_seed = [row["accuracy"] for row in found.rows("shares", removed=at)]
            else:
                rows = found.rows("accuracies", dropped=at, **changes)
                own = [[r["accuracy"] for r in rows if r["seed"] == seed and r["set"] != "mnist-m"] for seed in (0, 1)]
                by_seed = [float(np.mean(values)) for values in own]
            where = {"model": title, "distribution": "IID", share: f"{at:.0%}", **changes}
            assert len(set(by_seed)) == 2, "two trainings, two accuracies"
            assert found.figure("accuracy", **where)["value"] == pytest.approx(np.mean(by_seed))
        assert [row["seed"] for row in found.rows("largest", **changes)] == [0, 1]


def test_modules_go_by_their_connectivity_and_one_stays_at_least() -> None:
    model, chosen = tiny("nac-scale-free"), nac_drop.Settings(draws=2)
    orders = dict(nac_drop.orders(model, chosen))
    q = dict(zip(model.all_units, model.connectivity().tolist(), strict=True))
    rising = [q[unit] for unit in orders["least connected first"]]
    assert rising == sorted(rising)
    assert orders["strongest first"] == tuple(reversed(orders["least connected first"]))
    assert orders["random 1"] != orders["random 2"]
    assert all(sorted(order) == sorted(model.all_units) for order in orders.values())
    assert list(dict(nac_drop.orders(tiny("perceiver-io"), chosen))) == ["random 1", "random 2"]
    assert [nac_drop.first(tuple("abcdefghij"), share) for share in (0.0, 0.3, 0.99)] == [
        (),
        tuple("abc"),
        tuple("abcdefghi"),
    ]


@pytest.mark.slow
def test_dropping_saves_operations_and_changes_answers(made: Get) -> None:
    found, model, data = made("nac-drop"), tiny("nac-scale-free"), load("mnist", limit=SAMPLES)
    costs = found.rows("costs", model="nac-scale-free")
    assert [row["modules"] for row in costs] == [10, 5, 1]
    assert costs[0]["flops"] > costs[1]["flops"] > costs[2]["flops"]
    for row in costs:
        assert 0 < row["slowest_round"] <= row["samples_per_second"] <= row["fastest_round"]
    order = dict(nac_drop.orders(model, small("nac-drop").settings))["strongest first"]
    (row,) = found.rows("accuracies", model="nac-scale-free", order="strongest first", dropped=0.5, set="mnist")
    assert row["accuracy"] == evaluate(model, data, Intervention(drop=order[:5])).accuracy
    largest = found.figures("largest share dropped at less than 3 points lost")
    assert len(largest) == 4, "three orders of the circuit, one of the Perceiver IO"
    assert {figure["value"] for figure in largest} <= {0.0, 0.5, 0.95}


def test_throughput_is_the_median_of_the_rounds_between_their_ends(tmp_path: Path, monkeypatch: Any) -> None:
    rounds = np.array([[10.0, 1.0], [40.0, 1.0], [20.0, 1.0], [25.0, 1.0]])
    monkeypatch.setattr(nac_drop, "throughputs", lambda *_: (rounds, 2 * rounds))
    experiment = small("nac-drop", rungs=("perceiver-io",), shares=(0.0,), draws=1)
    found = Made(reproduce(experiment, folder=tmp_path, load_model=zoo())[0], [], tmp_path)
    speed = found.figure("throughput")
    assert (speed["low"], speed["value"], speed["high"]) == (10.0, 22.5, 40.0)
    assert found.rows("costs")[0]["full_samples_per_second"] == 45.0


@pytest.mark.parametrize(("losses", "largest"), [((0.0, 0.02, 0.029), 3), ((0.0, 0.03, 0.01), 1), ((0.5, 0.0), 0)])
def test_the_largest_share_at_little_loss_allows_no_greater_loss_before_it(
    losses: tuple[float, ...], largest: int
) -> None:
    right = [np.arange(1000) >= 1000 * loss for loss in (0.0, *losses)]
    assert circuits.little_lost([each.astype(float) for each in right]) == largest


def test_random_orders_are_averaged_sample_by_sample() -> None:
    data = load("mnist", limit=2)
    scored = {"random 1": [{"mnist": "11"}, {"mnist": "10"}], "random 2": [{"mnist": "11"}, {"mnist": "00"}]}
    more = {"random 1": [{"mnist": "11"}] * 2, "random 2": [{"mnist": "11"}, {"mnist": "10"}]}
    assert [each.tolist() for each in nac_drop.by_kind([scored, more], [data])["random"]] == [[1, 1], [0.75, 0.25]]


def test_edges_are_cut_and_the_graph_that_is_left_is_described(made: Get) -> None:
    rows = made("nac-edges").rows("shares")
    model, data = tiny("nac-planted-partition"), load("street-digits", limit=SAMPLES)
    links = int((model.link_probability() > 0).sum() - len(model.units)) // 2
    assert 10 < links < 45, "truncation leaves out some of the 45 pairs"
    assert [row["edges"] for row in rows] == [links - round(cut * links) for cut in (0, 0.5, 0.9)]
    parts = [row["components"] for row in rows]
    assert parts == sorted(parts) and parts[2] >= 5
    assert rows[1]["accuracies"]["street-digits"] == evaluate(model, data, Intervention(keep_edges=0.5)).accuracy
    assert (nac_edges.critical([0.9, 0.88, 0.5, 0.4]), nac_edges.critical([0.5, 0.6])) == (1, 1), "the steepest fall"


def test_episodes_are_paired_and_separate() -> None:
    train, test = load("letters", "train", limit=384), load("letters", "validation", limit=384)
    few, many = (draw_episode(train, test, 4, shots, 5, seed=1) for shots in (1, 6))
    assert few.classes == many.classes and len(set(few.classes)) == 4
    assert set(few.support.tolist()) <= set(many.support.tolist())
    assert few.query.equal(many.query)
    assert [train.labels[row].item() for row in many.support] == [label for label in many.classes for _ in range(6)]
    assert draw_episode(train, test, 4, 1, 5, seed=2).classes != few.classes
    with pytest.raises(DataError, match="64 classes; 65 are asked for"):
        draw_episode(train, test, 65, 1, 5, seed=1)
    with pytest.raises(DataError, match="6 samples of class .*; 7 are asked for"):
        draw_episode(train, test, 2, 7, 5, seed=1)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("recipe", "signatures_move"), [("nac-scale-free", True), ("nac-frozen", False), ("perceiver-io", None)]
)
def test_adapting_learns_and_leaves_the_model_alone(recipe: str, signatures_move: bool | None) -> None:
    model, train = tiny(recipe), load("letters", "train", limit=256)
    before = {name: value.clone() for name, value in model.state_dict().items()}
    episode, state = draw_episode(train, train, 2, 4, 4, seed=0), torch.get_rng_state()
    adapted, unlearned = (
        adapt(model, train, episode, Tuning(steps=steps, learning_rate=1e-2), seed=0) for steps in (25, 0)
    )
    assert torch.get_rng_state().equal(state)
    assert all(value.equal(before[name]) for name, value in model.state_dict().items())
    assert adapted.logits.out_features == 2
    learned = replace(episode, query=episode.support, query_labels=episode.support_labels)
    assert right(adapted, train, learned) >= right(unlearned, train, learned)
    images = train.images[episode.support].float() / 255
    losses = [F.cross_entropy(each(images)[:, 0], episode.support_labels).item() for each in (adapted, unlearned)]
    assert losses[0] < 0.8 * losses[1]
    if signatures_move is not None:
        assert adapted.processor.signatures.equal(model.processor.signatures) != signatures_move


def test_few_shot_models_meet_the_same_episodes(made: Get) -> None:
    found = made("nac-fewshot")
    rows = found.rows("episodes")
    assert {(row["ways"], row["shots"]) for row in rows} == {(3, 1), (3, 2), (2, 2)} and len(rows) == 3 * 2 * 2
    nac, perceiver = (
        np.mean([row["accuracy"] for row in found.rows("episodes", model=rung, ways=3, shots=2)])
        for rung in ("nac-scale-free", "perceiver-io")
    )
    assert found.figure("more than Perceiver IO", ways=3, shots=2)["value"] == pytest.approx(nac - perceiver)


@pytest.mark.slow
def test_steps_and_rate_are_chosen_on_letters_on_which_nothing_is_reported(tmp_path: Path) -> None:
    choices = (Tuning(steps=1, learning_rate=1e-6), Tuning(steps=30, learning_rate=1e-2))
    changes: dict[str, Any] = {"shots": (2,), "ways": (), "ways_of_shots": 2, "seeds": 1, "queries": 4}
    experiment = small("nac-fewshot", **changes, choices=choices, choice_shots=8, choice_seeds=2)
    found = Made(reproduce(experiment, folder=tmp_path, load_model=zoo())[0], [], tmp_path)
    tried = found.rows("choices")
    means = [np.mean([row["accuracy"] for row in tried if row["tuning"]["steps"] == steps]) for steps in (1, 30)]
    assert len(tried) == 2 * 2 * 2 and means[1] > means[0], "learning helps"
    assert {row["tuning"]["steps"] for row in found.rows("episodes")} == {30}
    assert [each["name"] for each in found.record["data"]] == ["letters", "letters", "kmnist", "kmnist"]
    assert found.record["notes"][0] == f"Chosen on {load('kmnist', limit=1).title}: 30 steps at 0.01."
    assert nac_fewshot.best(choices, [{**row, "accuracy": 0.5} for row in tried]) == choices[0], (
        "of equal ones the first"
    )
    alone = experiments()["nac-fewshot"].settings_of(Extent(parts=("choice",)))
    assert (alone.shots, alone.ways, len(alone.choices)) == ((), (), 9)


TENS = [f"class {seed % 10}" for seed in range(40)]
TWO = ("perceiver-io", "nac-erdos-renyi")


def test_own_pictures_are_scored_by_models_trained_on_them(tmp_path: Path) -> None:
    source = pictures(tmp_path / "pictures", TENS)
    sources = {"images": source, "images-ood": f"corrupted:{source}"}
    options: dict[str, Any] = {"sources": sources, "folder": tmp_path / "results"}
    experiment = small("nac-images", rungs=TWO)
    found, _ = reproduce(experiment, load_model=zoo("-printed"), **options)
    assert [each["source"] for each in found["data"]] == ["pictures", "corrupted:pictures"]
    assert str(tmp_path) not in json.dumps(found), "a record may be published"
    assert [each["id"] for each in found["models"]] == ["perceiver-io-images", "nac-erdos-renyi-images"]
    assert {figure["paper"] for figure in found["figures"]} == {None}, "these models have other sizes than the paper's"
    with pytest.raises(UnknownModel, match="routescope train nac-images-printed --data images=FOLDER"):
        reproduce(experiment, load_model=zoo("-printed", "-images"), **options)


@pytest.mark.parametrize(
    ("name", "changes", "paper"),
    [
        ("nac-images", {"rungs": TWO}, [0.5889, 0.6033]),
        ("nac-edges", {"rungs": TWO[1:], "shares": (0.0, 0.97)}, [None, 0.5613]),
    ],
)
def test_printed_numbers_stand_beside_printed_sizes_on_no_stand_in(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str, changes: dict[str, Any], paper: list[float | None]
) -> None:
    sources = {"images": pictures(tmp_path / "pictures", TENS)}
    for classes in (10, 200):
        monkeypatch.setattr(circuits, "PAPERS_CLASSES", classes)
        experiment, folder = small(name, limit=8, **changes), tmp_path / str(classes)
        record, _ = reproduce(experiment, sources=sources, folder=folder, load_model=zoo())
        assert all(each["id"].endswith("-printed") for each in record["models"])
        data = {each["name"]: each["stand_in_for"] for each in record["data"]}
        assert data == {"images": None if classes == 10 else "Tiny-ImageNet", "images-ood": "Tiny-ImageNet-R"}
        found = Made(record, [], tmp_path)
        within = [figure["paper"] for figure in found.figures("accuracy", distribution="IID")]
        assert within == (paper if classes == 10 else [None, None]), "pictures of 10 classes are not the paper's of 200"
        outside = [figure["paper"] for figure in found.figures("accuracy", distribution="OOD")]
        assert outside == [None, None], "generated"


def test_classes_out_of_distribution_are_those_of_the_model_by_name(tmp_path: Path) -> None:
    sources = {
        "images": pictures(tmp_path / "pictures", ["ant", "bee", "cat"] * 5),
        "images-ood": pictures(tmp_path / "renditions", ["bee", "cat"] * 5, side=64),
    }
    context = Context(small("nac-images"), None, sources)
    model = tiny("perceiver-io-images", classes=3, class_names=("cat", "bee", "ant"))
    within, outside = load_sets(context, model, None)
    assert [len(data) for data in (*within, *outside)] == [3, 10], "nothing is trained on the set of renditions"
    assert outside[0].images.shape[-1] == 32
    assert sorted(outside[0].labels.tolist()) == [0] * 5 + [1] * 5
    with pytest.raises(DataError, match="classes that training did not: .*bee; its classes are cat, dog"):
        load_sets(context, tiny("perceiver-io-images", classes=2, class_names=("cat", "dog")), None)
    with pytest.raises(DataError, match="give images=FOLDER too"):
        reproduce(small("nac-images"), sources={"images-ood": sources["images-ood"]}, folder=tmp_path, load_model=zoo())


def test_letters_are_brought_to_the_side_of_the_models(tmp_path: Path) -> None:
    source = pictures(tmp_path / "letters", ["a", "b"] * 20, side=64)
    changes: dict[str, Any] = {"shots": (1,), "ways_of_shots": 2, "shots_of_ways": 1, "seeds": 1, "queries": 2}
    experiment = small("nac-fewshot", **changes, tuning=Tuning(steps=1))
    found, _ = reproduce(experiment, sources={"letters": source}, folder=tmp_path / "results", load_model=zoo())
    assert [each["stand_in"] for each in found["data"]] == [False, False]
    with pytest.raises(DataError, match="32 x 32 pixels, and the network takes 64 x 64"):
        reproduce(experiment, folder=tmp_path / "results", load_model=lambda name: tiny(name, image_size=64))
