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

from routescope.data import DataError, load
from routescope.data.statements.grammar import meanings_of
from routescope.data.statements.meanings import Related
from routescope.data.statements.sentences import sentences
from routescope.experiments import nac_nlvr2, nac_sentences, reproduce
from routescope.nn.encoders.frozen import FrozenImageEncoder
from routescope.nn.encoders.frozen_weights import CLIP_FOLDER, frozen
from routescope.routing.caused.intervals import share_interval
from routescope.routing.caused.scores import evaluate
from routescope.routing.graphs.designs import THRESHOLD, designs_of
from routescope.zoo.cards import held_back
from routescope.zoo.catalogue import UnknownModel
from tests.core.data.statements.test_nlvr import photographs, rows_of
from tests.core.experiments.circuit_models import tiny, zoo
from tests.core.experiments.small import Made, small
from tests.core.nn import tiny_clip
from tests.core.routing.toy_designer import ToyDesigner, table

SAMPLES = 24
Get = Callable[[str], Made]


def run_on(tmp_path: Path, load_model: Callable[[str], Any], **sources: Path | str) -> Made:
    options = {"sources": {name: str(source) for name, source in sources.items()}, "folder": tmp_path / "results"}
    return Made(reproduce(small("nac-nlvr2"), load_model=load_model, **options)[0], [], tmp_path)


# -- nac-nlvr2 --------------------------------------------------------------------------------------------------


@pytest.mark.slow
def test_accuracies_are_those_of_the_models_in_all_and_by_kind(made: Get) -> None:
    found = made("nac-nlvr2")
    assert [each["id"] for each in found.record["models"]] == list(nac_nlvr2.Settings().models)
    assert [(each["name"], each["split"], each["count"], each["stand_in_for"]) for each in found.record["data"]] == [
        ("scenes", split, SAMPLES, "NLVR2") for split in ("validation", "test")
    ]
    data = load("scenes", "test", limit=SAMPLES, side=32)
    right = evaluate(tiny("pio-scenes"), data).correct
    total, *kinds = found.figures("accuracy", model="Perceiver IO", split="test")
    assert (total["value"], total["count"]) == (right.mean(), SAMPLES)
    assert (total["low"], total["high"]) == share_interval(right, np.arange(SAMPLES) // 4), "of whole quadruples"
    assert sum(kind["count"] for kind in kinds) == SAMPLES
    for kind in kinds:
        assert kind["value"] == right[[data.kinds[at] == kind["where"]["kind"] for at in data.kind.tolist()]].mean()
    rows = found.rows("kinds", model="pio-scenes", split="test")
    assert [(row["kind"], row["accuracy"]) for row in rows] == [(k["where"]["kind"], k["value"]) for k in kinds]


def test_controls_are_right_half_of_the_time(made: Get) -> None:
    """Whole quadruples: a network of words alone, or of pictures alone, is right of just half of them."""
    found = made("nac-nlvr2")
    for figure in found.figures("accuracy"):
        by_construction = figure["where"]["model"].endswith(("words only", "pictures only"))
        assert figure["paper_says"].startswith("50 % exactly, by construction") == by_construction
        if by_construction:
            assert (figure["value"], figure["low"], figure["high"]) == (0.5, 0.5, 0.5)
    consistent = found.figures("consistency", model="Conditional NAC, words only")
    assert [figure["value"] for figure in consistent] == [0, 0]


def test_a_sentence_is_consistent_where_all_its_statements_are_right() -> None:
    found = nac_nlvr2.consistency(["b", "a", "b", "c", "a"], np.array([1, 1, 0, 1, 1]))
    assert found.tolist() == [True, False, True]


def test_the_circuit_is_compared_with_each_other_model_sample_by_sample(made: Get) -> None:
    found = made("nac-nlvr2")
    compared = found.figures("Conditional NAC: more than this model")
    assert len(compared) == 3 * 2
    for figure in compared:
        own, base = (
            found.figures("accuracy", model=model, split=figure["where"]["split"])[0]["value"]
            for model in ("Conditional NAC", figure["where"]["model"])
        )
        assert figure["value"] == pytest.approx(own - base)


def test_the_share_of_statements_that_places_decide_is_counted(made: Get) -> None:
    """Against a literal count over all pairs of things of each picture."""
    data, seen = load("scenes", "test", limit=SAMPLES, side=32), []
    for sentence, label, scene in zip(data.sentences, data.labels.tolist(), data.scenes, strict=True):
        meaning = meanings_of(sentence)
        if label == 0 and isinstance(meaning, Related):
            pictures = {"both": scene.pictures, "left": scene.pictures[:1], "right": scene.pictures[1:]}[meaning.scope]
            pairs = [(a, b) for things in pictures for a in things for b in things if a is not b]
            seen.append(any(meaning.first.fits(a) and meaning.second.fits(b) for a, b in pairs))
    figure = made("nac-nlvr2").figure("false although both things are in one picture", split="test")
    assert figure["count"] == len(seen) == SAMPLES // 6 // 2
    assert figure["value"] == np.mean(seen)


def test_splits_that_cannot_be_read_are_no_missing_ones(tmp_path: Path) -> None:
    photographs(tmp_path, "dev", 2)
    assert [data.split for data in held_back("nlvr2", str(tmp_path))] == ["validation"]
    (tmp_path / "test1.json").write_text("no JSON")
    with pytest.raises(DataError, match="not one JSON object"):
        held_back("nlvr2", str(tmp_path))


@pytest.mark.slow
def test_nlvr_is_scored_with_the_model_that_was_trained_on_it(tmp_path: Path) -> None:
    folder = tmp_path / "nlvr"
    folder.mkdir()
    for split in ("dev", "test"):
        pd.DataFrame(rows_of(20)).to_parquet(folder / f"{split}.parquet")
    found = run_on(tmp_path, zoo(), nlvr=folder)
    assert [(each["name"], each["split"]) for each in found.record["data"][2:]] == [
        ("nlvr", "validation"),
        ("nlvr", "test"),
    ]
    assert {row["model"] for row in found.rows("kinds", data="nlvr")} == {"nac-nlvr"}
    assert {figure["paper"] for figure in found.record["figures"]} == {None}
    data = load("nlvr", "test", str(folder), limit=SAMPLES, side=32)
    (total,) = [f for f in found.figures("accuracy", split="test", kind=None) if f["data"] == data.title]
    assert total["value"] == evaluate(tiny("nac-nlvr"), data).accuracy


@pytest.mark.slow
def test_only_nlvr2_itself_with_clip_stands_beside_the_papers_number(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv(CLIP_FOLDER, raising=False)
    folder, others = tmp_path / "nlvr2", zoo()
    for split in ("dev", "test1"):
        photographs(folder, split, 4)

    def load_model(model_id: str) -> Any:
        return tiny("nac-scenes", domains=("nlvr2",)) if model_id == "nac-nlvr2-clip" else others(model_id)

    record = run_on(tmp_path, load_model, nlvr2=folder).record
    assert [(f["data"], f["where"], f["paper"]) for f in record["figures"] if f["paper"] is not None] == [
        ("NLVR2", {"model": "Conditional NAC, CLIP features", "split": "validation"}, 0.64)
    ]
    assert [note.split(":")[0] for note in record["notes"]] == ["zero-shot CLIP was left out"]


@pytest.mark.slow
def test_clip_alone_is_scored_without_a_trained_network(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Against CLIP's own logits of each pair side by side, beside a negated sentence that was given or made."""
    monkeypatch.setenv(CLIP_FOLDER, str(tiny_clip.make(tmp_path / "clip")))
    folder = photographs(tmp_path / "nlvr2", "dev", 10)
    rows = [
        {"sentence": f"There {s} dog", "label": bool(s), "identifier": f"dev-{p}-0-{s}", "negated": "two dogs" * s}
        for p in range(10)
        for s in range(2)
    ]
    (folder / "dev.json").write_text("".join(json.dumps(row) + "\n" for row in rows))
    found = run_on(tmp_path, zoo("nac-nlvr2-clip"), nlvr2=folder)
    assert found.record["models"][-1] == {"id": "zero-shot-clip", "revision": frozen("clip").fingerprint}
    (note,) = found.record["notes"]
    assert "nac-nlvr2-clip is not there" in note and "routescope train nac-nlvr2-clip --data nlvr2=FOLDER" in note
    weights, data = frozen("clip"), load("nlvr2", "validation", str(folder), side=tiny_clip.SIDE)
    right = []
    for pictures, sentence, label in zip(data.images, data.sentences, data.labels.tolist(), strict=True):
        opposite = "two dogs" if sentence == "There 1 dog" else "It is not true that there 0 dog"
        seen = FrozenImageEncoder(weights).seen(torch.cat(tuple(pictures.float() / 255), dim=-1)[None])
        options = {"padding": True, "truncation": True, "max_length": tiny_clip.MOST, "return_tensors": "pt"}
        with torch.no_grad():
            logits = weights.pretrained(pixel_values=seen, **weights.tokenizer([opposite, sentence], **options))
        right.append(int(logits.logits_per_image[0].argmax()) == label)
    assert 0 < sum(right) < 20
    total = found.figures("accuracy", model="CLIP, zero-shot")[0]
    assert (total["value"], total["count"], total["paper"]) == (np.mean(right), 20, 0.53)
    beside = {f["where"]["model"] for f in found.record["figures"] if f["paper"] is not None}
    assert beside == {"CLIP, zero-shot"}


@pytest.mark.parametrize(("data", "missing"), [("nlvr", "nac-nlvr"), ("nlvr2", "nac-nlvr2-clip")])
def test_an_own_set_needs_the_model_that_was_trained_on_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, data: str, missing: str
) -> None:
    monkeypatch.delenv(CLIP_FOLDER, raising=False)
    with pytest.raises(UnknownModel, match=f"routescope train {missing} --data {data}=FOLDER"):
        run_on(tmp_path, zoo(missing), **{data: "here"})


# -- nac-sentences ----------------------------------------------------------------------------------------------


@pytest.mark.slow
def test_separation_is_beside_its_null_and_that_of_an_untrained_network(made: Get) -> None:
    found, frame = made("nac-sentences"), sentences("scenes")
    (data,) = found.record["data"]
    assert (data["name"], data["count"], data["stand_in"]) == ("scenes", len(frame), False)
    assert {row["of"] for row in found.rows("separation")} == {"circuits", "text", "circuits, untrained"}
    assert len(found.rows("separation")) == 2 * 2 * 8 + 8
    for by, chance in (("kind", 1 / 6), ("object", 1 / 5)):
        score = found.figure("nearest neighbours", of="circuits", by=by, space="full")
        null = found.figure("nearest neighbours, groups shuffled", of="circuits", by=by, space="full")
        assert 0 <= score["value"] <= 1 and null["low"] <= chance + 0.03 and null["high"] >= chance - 0.03
    better = found.figures("kind told better than object")
    assert [each["where"]["sentences"] for each in better] == ["all"] * 5 + ["with one noun"] * 5
    alone = frame["relation"].isna().sum()
    assert {each["count"] for each in better[5:]} == {alone} != {each["count"] for each in better[:5]}
    assert all("here trained on" in each["paper_says"] for each in better if "training" not in each["where"]["of"])
    assert {row["of"] for row in found.rows("maps")} == {"circuits", "text encoder"}
    counts = frame.groupby("kind").size().to_dict()
    for row in found.rows("maps"):
        assert len(row["x"]) == len(row["y"]) == counts[row["kind"]]


def test_an_untrained_network_is_of_the_same_sizes_and_of_its_seed() -> None:
    model, texts = tiny("nac-scenes"), list(sentences("scenes")["text"][:3])
    networks = [nac_sentences.untrained(model, seed) for seed in (0, 0, 1)]
    lower = [designs_of(network, texts).lower for network in networks]
    assert np.array_equal(lower[0], lower[1]) and not np.array_equal(lower[0], lower[2])
    assert networks[0].config == model.config


def test_circuits_by_kind_change_with_the_kind_and_not_with_the_object() -> None:
    designs, rng = designs_of(ToyDesigner(spread=0.01), table(4)), np.random.default_rng(0)
    found = {
        name: np.array(nac_sentences.changes(designs, *same, 50, rng)) for name, same in nac_sentences.PAIRS.items()
    }
    assert {len(each) for each in found.values()} == {50}
    most = found["same kind, other object"].max()
    assert most < found["same object, other kind"].min() and most < found["other kind, other object"].min()
    stars = designs_of(ToyDesigner(), table(2).query("object == 'star'"))
    assert nac_sentences.changes(stars, True, False, 10, rng) == [], "no pair has another object"


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
