"""The experiments with statements and with sentences, on tiny untrained networks: every figure follows from scores."""

import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
import torch

from routescope import assets
from routescope.data import DataError, load
from routescope.data.statements.grammar import meanings_of
from routescope.data.statements.meanings import Related
from routescope.data.statements.sentences import sentences
from routescope.experiments import experiments, nac_nlvr2, nac_sentences, reproduce
from routescope.experiments.shared.frame import Experiment
from routescope.nn.encoders.frozen import FrozenImageEncoder
from routescope.nn.encoders.frozen_weights import CLIP_FOLDER, frozen
from routescope.routing.caused.intervals import share_interval
from routescope.routing.caused.scores import evaluate
from routescope.routing.graphs.designs import THRESHOLD, designs_of
from routescope.zoo.cards import held_back
from routescope.zoo.catalogue import UnknownModel
from tests.core.data.statements.test_nlvr import photographs, rows_of
from tests.core.experiments.circuit_models import tiny, zoo
from tests.core.nn import tiny_clip
from tests.core.routing.toy_designer import ToyDesigner, table

SAMPLES = 24
SMALL: dict[str, Any] = {
    "nac-nlvr2": nac_nlvr2.Settings(limit=SAMPLES),
    "nac-sentences": nac_sentences.Settings(sets=("scenes",), method="pca", graphs=6, pairs=20),
}


def small(name: str) -> Experiment:
    return replace(experiments()[name], settings=SMALL[name])


@pytest.fixture(scope="module")
def record(tmp_path_factory: pytest.TempPathFactory) -> Callable[[str], dict[str, Any]]:
    folder, made = tmp_path_factory.mktemp("statements"), {}

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
def test_every_figure_is_within_its_interval_and_never_beside_a_number_of_other_data(record: Any, name: str) -> None:
    found = record(name)
    assert found["figures"]
    assert found["paper_figures"]
    for figure in found["figures"]:
        assert figure["paper"] is None  # NLVR2's accuracies are of photographs
        assert figure["data"]
        if figure["low"] is not None:
            assert figure["low"] <= figure["value"] <= figure["high"]
    json.dumps(found, allow_nan=False)


# -- nac-nlvr2 --------------------------------------------------------------------------------------------------


def test_accuracies_are_those_of_the_models_in_all_and_by_kind(record: Any) -> None:
    found = record("nac-nlvr2")
    assert [each["id"] for each in found["models"]] == list(nac_nlvr2.Settings().models)
    assert [(each["name"], each["split"], each["count"]) for each in found["data"]] == [
        ("scenes", "validation", SAMPLES),
        ("scenes", "test", SAMPLES),
    ]
    assert all(each["stand_in_for"] == "NLVR2" for each in found["data"])
    model, data = tiny("pio-scenes"), load("scenes", "test", limit=SAMPLES, side=32)
    right = evaluate(model, data).correct
    where = {"model": "Perceiver IO", "split": "test"}
    total, *kinds = figures(found, "accuracy", **where)
    assert (total["value"], total["count"]) == (right.mean(), SAMPLES)
    assert (total["low"], total["high"]) == share_interval(right, np.arange(SAMPLES) // 4), "of whole quadruples"
    assert sum(kind["count"] for kind in kinds) == SAMPLES
    for kind in kinds:
        own = right[[data.kinds[number] == kind["where"]["kind"] for number in data.kind.tolist()]]
        assert kind["value"] == own.mean()
    rows = [row for row in found["tables"]["kinds"] if (row["model"], row["split"]) == ("pio-scenes", "test")]
    assert [(row["kind"], row["accuracy"]) for row in rows] == [(k["where"]["kind"], k["value"]) for k in kinds]


def test_controls_are_right_half_of_the_time(record: Any) -> None:
    """Whole quadruples: what sees words alone, or pictures alone, is right of just half of them."""
    for control in ("words only", "pictures only"):
        for split in ("validation", "test"):
            accuracy = figures(record("nac-nlvr2"), "accuracy", model=f"Conditional NAC, {control}", split=split)
            assert [(each["value"], each["low"], each["high"]) for each in accuracy] == [(0.5, 0.5, 0.5)] * len(
                accuracy
            )
            assert all(each["paper_says"].startswith("50 % exactly, by construction") for each in accuracy)
    for model in ("Conditional NAC", "Perceiver IO"):
        assert not any(
            "construction" in each["paper_says"] for each in figures(record("nac-nlvr2"), "accuracy", model=model)
        )


def test_it_is_said_how_often_places_decide(record: Any) -> None:
    """Against a literal count over all pairs of things of each picture."""
    data = load("scenes", "test", limit=SAMPLES, side=32)
    seen = []
    for sentence, label, scene in zip(data.sentences, data.labels.tolist(), data.scenes, strict=True):
        said = meanings_of(sentence)
        if label == 0 and isinstance(said, Related):
            pictures = {"both": scene.pictures, "left": scene.pictures[:1], "right": scene.pictures[1:]}[said.scope]
            pairs = [(a, b) for things in pictures for a in things for b in things if a is not b]
            seen.append(any(said.first.fits(a) and said.second.fits(b) for a, b in pairs))
    (found,) = figures(record("nac-nlvr2"), "false although both things are in one picture", split="test")
    assert found["count"] == len(seen) == SAMPLES // 6 // 2
    assert found["value"] == np.mean(seen)


def test_splits_that_are_there_and_cannot_be_read_are_no_missing_ones(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(assets, "data_dir", lambda: tmp_path / "data")
    photographs(tmp_path, "dev", 2)
    assert [data.split for data in held_back("nlvr2", str(tmp_path))] == ["validation"]
    (tmp_path / "test1.json").write_text("no JSON")
    with pytest.raises(DataError, match="not one JSON object"):
        held_back("nlvr2", str(tmp_path))


def test_the_circuit_is_compared_with_each_other_model_sample_by_sample(record: Any) -> None:
    found = record("nac-nlvr2")
    compared = figures(found, "Conditional NAC: more than this model")
    assert len(compared) == 3 * 2
    for each in compared:
        own, base = (
            figures(found, "accuracy", model=model, split=each["where"]["split"])[0]["value"]
            for model in ("Conditional NAC", each["where"]["model"])
        )
        assert each["value"] == pytest.approx(own - base)


def test_a_sentence_is_consistent_where_all_its_statements_are_right() -> None:
    found = nac_nlvr2.consistency(["b", "a", "b", "c", "a"], np.array([1, 1, 0, 1, 1]))
    assert found.tolist() == [True, False, True]


def test_what_sees_words_alone_is_never_consistent(record: Any) -> None:
    consistent = figures(record("nac-nlvr2"), "consistency", model="Conditional NAC, words only")
    assert [each["value"] for each in consistent] == [0, 0]


def test_a_users_own_set_needs_the_model_that_was_trained_on_it(tmp_path: Path) -> None:
    with pytest.raises(UnknownModel, match="routescope train nac-nlvr --data nlvr=FOLDER"):
        reproduce(small("nac-nlvr2"), sources={"nlvr": "here"}, folder=tmp_path, load_model=zoo("nac-nlvr"))


@pytest.mark.slow
def test_nlvr_is_scored_with_the_model_that_was_trained_on_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(assets, "data_dir", lambda: tmp_path / "data")
    folder = tmp_path / "nlvr"
    folder.mkdir()
    for split in ("dev", "test"):
        pd.DataFrame(rows_of(20)).to_parquet(folder / f"{split}.parquet")
    found, _ = reproduce(
        small("nac-nlvr2"), sources={"nlvr": str(folder)}, folder=tmp_path / "results", load_model=zoo()
    )
    assert [(each["name"], each["split"]) for each in found["data"][2:]] == [("nlvr", "validation"), ("nlvr", "test")]
    own = [row for row in found["tables"]["kinds"] if row["data"] == "nlvr"]
    assert {row["model"] for row in own} == {"nac-nlvr"}
    assert {f["paper"] for f in found["figures"]} == {None}
    data = load("nlvr", "test", str(folder), limit=SAMPLES, side=32)
    (total,) = [
        f for f in figures(found, "accuracy", split="test") if f["data"] == data.title and "kind" not in f["where"]
    ]
    assert total["value"] == evaluate(tiny("nac-nlvr"), data).accuracy


def test_only_nlvr2_itself_with_clip_stands_beside_the_papers_number(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(assets, "data_dir", lambda: tmp_path / "data")
    monkeypatch.delenv(CLIP_FOLDER, raising=False)
    folder, others = tmp_path / "nlvr2", zoo()
    for split in ("dev", "test1"):
        photographs(folder, split, 4)

    def load_model(model_id: str) -> Any:
        return tiny("nac-scenes", domains=("nlvr2",)) if model_id == "nac-nlvr2-clip" else others(model_id)

    found, _ = reproduce(
        small("nac-nlvr2"), sources={"nlvr2": str(folder)}, folder=tmp_path / "results", load_model=load_model
    )
    beside = [f for f in found["figures"] if f["paper"] is not None]
    assert [(f["data"], f["where"], f["paper"]) for f in beside] == [
        ("NLVR2", {"model": "Conditional NAC, CLIP features", "split": "validation"}, 0.64)
    ]
    assert [note.split(":")[0] for note in found["notes"]] == ["zero-shot CLIP was left out"]


def test_clip_alone_is_scored_where_its_weights_are_and_no_network_was_trained(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Against CLIP's own logits of each pair side by side, beside a negated sentence that was given or made."""
    monkeypatch.setattr(assets, "data_dir", lambda: tmp_path / "data")
    clip = tiny_clip.make(tmp_path / "clip")
    monkeypatch.setenv(CLIP_FOLDER, str(clip))
    folder = photographs(tmp_path / "nlvr2", "dev", 10)
    rows = [
        {"sentence": f"There {s} dog", "label": bool(s), "identifier": f"dev-{p}-0-{s}", "negated": "two dogs" * s}
        for p in range(10)
        for s in range(2)
    ]
    (folder / "dev.json").write_text("".join(json.dumps(row) + "\n" for row in rows))
    found, _ = reproduce(
        small("nac-nlvr2"),
        sources={"nlvr2": str(folder)},
        folder=tmp_path / "results",
        load_model=zoo("nac-nlvr2-clip"),
    )
    assert found["models"][-1] == {"id": "zero-shot-clip", "revision": frozen("clip").fingerprint}
    (note,) = found["notes"]
    assert "nac-nlvr2-clip is not there" in note and "routescope train nac-nlvr2-clip --data nlvr2=FOLDER" in note
    weights, data = frozen("clip"), load("nlvr2", "validation", str(folder), side=tiny_clip.SIDE)
    right = []
    for pictures, sentence, label in zip(data.images, data.sentences, data.labels.tolist(), strict=True):
        opposite = "two dogs" if sentence == "There 1 dog" else "It is not true that there 0 dog"
        seen = FrozenImageEncoder(weights).seen(torch.cat(tuple(pictures.float() / 255), dim=-1)[None])
        said = {"padding": True, "truncation": True, "max_length": tiny_clip.MOST, "return_tensors": "pt"}
        with torch.no_grad():
            logits = weights.pretrained(pixel_values=seen, **weights.tokenizer([opposite, sentence], **said))
        right.append(int(logits.logits_per_image[0].argmax()) == label)
    assert 0 < sum(right) < 20
    total = figures(found, "accuracy", model="CLIP, zero-shot")[0]
    assert (total["value"], total["count"], total["paper"]) == (np.mean(right), 20, 0.53)
    assert {f["where"]["model"] for f in found["figures"] if f["paper"] is not None} == {"CLIP, zero-shot"}


def test_without_network_and_clip_it_is_said_how_to_get_the_network(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv(CLIP_FOLDER, raising=False)
    with pytest.raises(UnknownModel, match="routescope train nac-nlvr2-clip --data nlvr2=FOLDER"):
        reproduce(small("nac-nlvr2"), sources={"nlvr2": "here"}, folder=tmp_path, load_model=zoo("nac-nlvr2-clip"))


# -- nac-sentences ----------------------------------------------------------------------------------------------


def test_the_record_says_which_sentences(record: Any) -> None:
    (data,) = record("nac-sentences")["data"]
    assert (data["name"], data["count"], data["stand_in"]) == ("scenes", len(sentences("scenes")), False)
    assert len(data["fingerprint"]) == 16


def test_separation_is_beside_its_null_and_that_of_an_untrained_network(record: Any) -> None:
    found = record("nac-sentences")
    assert {row["of"] for row in found["tables"]["separation"]} == {"circuits", "text", "circuits, untrained"}
    assert len(found["tables"]["separation"]) == 2 * 2 * 8 + 8
    for by, chance in (("kind", 1 / 6), ("object", 1 / 5)):
        (score,) = figures(found, "nearest neighbours", of="circuits", by=by, space="full")
        (null,) = figures(found, "nearest neighbours, groups shuffled", of="circuits", by=by, space="full")
        assert 0 <= score["value"] <= 1
        assert null["low"] <= chance + 0.03
        assert null["high"] >= chance - 0.03
    better = figures(found, "kind told better than object")
    assert [each["where"]["sentences"] for each in better] == ["all"] * 5 + ["with one noun"] * 5
    alone = sentences("scenes")["relation"].isna().sum()
    assert {each["count"] for each in better[5:]} == {alone} != {each["count"] for each in better[:5]}
    assert all("here trained on" in each["paper_says"] for each in better if "training" not in each["where"]["of"])


def test_the_maps_hold_every_sentence(record: Any) -> None:
    rows = record("nac-sentences")["tables"]["maps"]
    assert {row["of"] for row in rows} == {"circuits", "text encoder"}
    counts = sentences("scenes").groupby("kind").size().to_dict()
    for row in rows:
        assert len(row["x"]) == len(row["y"]) == counts[row["kind"]]


def test_an_untrained_network_is_of_the_same_sizes_and_of_its_seed() -> None:
    model = tiny("nac-scenes")
    one, again, other = (nac_sentences.untrained(model, seed) for seed in (0, 0, 1))
    texts = list(sentences("scenes")["text"][:3])
    lower = [designs_of(each, texts).lower for each in (one, again, other)]
    assert np.array_equal(lower[0], lower[1])
    assert not np.array_equal(lower[0], lower[2])
    assert one.config == model.config


def test_circuits_by_kind_change_with_the_kind_and_not_with_the_object() -> None:
    designs, rng = designs_of(ToyDesigner(spread=0.01), table(4)), np.random.default_rng(0)
    found = {
        name: np.array(nac_sentences.changes(designs, *same, 50, rng)) for name, same in nac_sentences.PAIRS.items()
    }
    assert {len(each) for each in found.values()} == {50}
    assert found["same kind, other object"].max() < found["same object, other kind"].min()
    assert found["same kind, other object"].max() < found["other kind, other object"].min()


def test_pairs_that_a_set_lacks_are_not_looked_for_for_ever() -> None:
    designs = designs_of(ToyDesigner(), table(2).query("object == 'star'"))
    assert nac_sentences.changes(designs, True, False, 10, np.random.default_rng(0)) == []


def test_links_vary_where_some_sentences_have_them_and_others_not() -> None:
    lower = np.zeros((100, 4), np.float32)
    lower[:, 0] = 1
    lower[:50, 1] = THRESHOLD + 0.1
    lower[:2, 2] = 1
    designs = replace(designs_of(ToyDesigner(), table(9).head(100)), lower=lower)
    assert nac_sentences.varying(designs) == 0.25


def test_sentences_are_described_evenly_over_kinds() -> None:
    designs = designs_of(ToyDesigner(), table(5))
    chosen = nac_sentences.evenly(designs, 9, np.random.default_rng(0))
    assert designs.table["kind"].iloc[chosen].value_counts().tolist() == [3, 3, 3]
    assert len(set(chosen)) == 9
