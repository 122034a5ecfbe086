"""Training on statements: batches by the number of their step, words, controls, and going on bit by bit."""

import copy
import json
import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
from torch import Tensor

from routescope.data import DataError, load
from routescope.data.statements.scenes import COLOURS, Scene, Thing
from routescope.data.statements.sets import quadruples
from routescope.nn.encoders.frozen import FrozenImageEncoder, FrozenTextEncoder
from routescope.nn.encoders.frozen_weights import CLIP_FOLDER, FrozenWeightsError
from routescope.nn.inputs.statements import Statements
from routescope.routing.caused.intervals import wilson_interval
from routescope.training.batches import FromStep
from routescope.training.fit import train
from routescope.training.recipes.networks import RECIPES
from routescope.training.settings import TrainingSettings
from routescope.training.tasks import statements as training_statements
from routescope.training.tasks.statements import (
    NAMES,
    Endless,
    FeatureBatch,
    Judgement,
    Repeated,
    StatementBatch,
    ground,
    names_in_patches,
    stream_of,
    words_of,
)
from routescope.zoo import cards, checkpoint
from tests.core.data.statements.test_nlvr import photographs
from tests.core.nn import tiny_clip

BRIEF = TrainingSettings(
    steps=4, batch_size=8, precision="32-true", accelerator="cpu", devices=1, minutes=0, validate_every=2,
    optimizer="adamw", weight_decay=0.05, warmup_steps=1, learning_rate=1e-2, augment=False,
)  # fmt: skip
TINY: dict[str, Any] = {
    "features": 8, "code_features": 8, "signature_features": 4, "modules": 5, "readouts": 2, "layers": 1, "heads": 2,
    "head_features": 4, "ffn_hidden": 8, "readin_head_features": 4, "readout_head_features": 4, "position_features": 4,
    "image_size": 16, "text_features": 8, "text_heads": 2, "generator_features": 8, "generator_heads": 2,
    "generator_hidden": 8,
}  # fmt: skip


def nlvr2(folder: Path) -> dict[str, str]:
    """Pairs of photographs with sentences, as a source."""
    folder.mkdir()
    for stem, pairs in (("train", 4), ("dev", 3)):
        photographs(folder, stem, pairs)
    return {"nlvr2": str(folder)}


@pytest.fixture
def few(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whatever is scored is a few statements."""

    def some(name: str, split: str, *_: Any, **options: Any) -> Any:
        return load(name, split, limit=12, side=options["side"])

    monkeypatch.setattr(training_statements, "load", some)
    monkeypatch.setattr(cards, "load", some)


def trained(name: str, folder: Path, settings: TrainingSettings = BRIEF) -> Any:
    config = replace(RECIPES[name].config, **TINY)
    train(name, config=config, settings=settings, folder=folder, progress=False)
    return checkpoint.load(folder / "model.safetensors")


@pytest.mark.parametrize("step", [0, 3, 6, 9], ids=["colour", "shape", "colour and shape", "all"])
def test_neither_words_nor_pictures_alone_tell_what_is_true(step: int) -> None:
    batch = Endless(24, 16, seed=0, lessons=(3, 6, 9))[step]
    assert batch.images.shape == (24, 2, 3, 16, 16) and batch.images.dtype == torch.uint8 and batch.labels.sum() == 12
    for pieces in (list(batch.sentences), [image.numpy().tobytes() for image in batch.images]):
        true = Counter(piece for piece, label in zip(pieces, batch.labels.tolist(), strict=True) if label)
        assert all(2 * true[piece] == count for piece, count in Counter(pieces).items())


def test_lessons_end_one_after_the_other() -> None:
    for count, lessons, words in ((8, (5, 3), "3 lessons"), (8, (1, 2, 3, 4), "3 lessons"), (10, (), "fours")):
        with pytest.raises(DataError, match=words):
            Endless(count, 16, 0, lessons)
    with pytest.raises(DataError, match="nlvr=FOLDER"):
        stream_of(RECIPES["nac-nlvr"].config, BRIEF, {})
    stream = Endless(8, 16, 0, (1, 2, 2))
    colours = {colour for colour in COLOURS if colour in " ".join(stream[0].sentences)}
    assert len(colours) > 1 and not colours & set(" ".join(stream[1].sentences).split())
    assert stream[2].sentences == Endless(8, 16, 0)[2].sentences


def test_names_are_those_of_the_thing_in_the_patch() -> None:
    under, over = Thing("star", "red", "small", 0.9, 0.1), Thing("cross", "white", "large", 0.8, 0.2)
    scene = Scene(((under, over), (Thing("circle", "green", "small", 0.1, 0.99),)))
    data = replace(quadruples(np.random.default_rng(0), 1, side=16).take([0]), scenes=(scene,))
    names = names_in_patches(data, (2, 3))[0]
    assert [words[n - 1] for (_, words), n in zip(NAMES, names[:, 0, 2].tolist(), strict=True)] == [
        "white", "cross", "large",
    ]  # fmt: skip
    assert [words[n - 1] for (_, words), n in zip(NAMES, names[:, 1, 3].tolist(), strict=True)] == [
        "green", "circle", "small",
    ]  # fmt: skip
    assert (names > 0).sum() == 2 * len(NAMES)


def test_grounding_teaches_the_tokenizer_alone_and_gives_the_same_again() -> None:
    config = replace(RECIPES["nac-scenes"].config, **TINY, words=("a",))
    torch.manual_seed(0)
    task = Judgement("conditional_nac", config, BRIEF)
    models = [task.model, copy.deepcopy(task.model)]
    before, losses = copy.deepcopy(task.model.state_dict()), list[float]()
    for model in models:
        torch.manual_seed(hash(id(model)) % 1000)
        ground(model, 12, 16, 5, lambda _, loss: losses.append(loss))
    assert losses[:12] == losses[12:] and losses[11] < losses[0]
    for name, tensor in models[0].state_dict().items():
        assert torch.equal(tensor, models[1].state_dict()[name])
        taught = name.startswith("pictures.encoder.")
        assert torch.equal(tensor, before[name]) != taught, name


def test_real_statements_have_their_own_pictures_and_labels() -> None:
    data = quadruples(np.random.default_rng(0), 5, side=16)
    stream = Repeated(data, 8, seed=1)
    for image, sentence, label in zip(*stream[1], strict=True):
        rows = [i for i, each in enumerate(data.sentences) if each == sentence]
        assert any(torch.equal(data.images[i], image) and data.labels[i] == label for i in rows)
    assert stream.parts == ((f"{data.title} (stand-in, train)", 20),)


def test_words_are_those_that_are_said_often_enough() -> None:
    assert words_of(["There is a Red star.", "There are 2 red stars!"]) == (
        "2", "a", "are", "is", "red", "star", "stars", "there",
    )  # fmt: skip
    assert words_of(["a star", "a cross", "A circle's edge"], least=2) == ("a",)


@pytest.mark.slow
def test_a_config_gets_the_words_of_all_that_can_be_said() -> None:
    stream, config = stream_of(RECIPES["nac-scenes"].config, BRIEF, {})
    assert isinstance(stream, Endless) and stream.side == config.image_size
    known = set(config.words)
    for split in ("train", "validation", "test"):
        assert set(words_of(load("scenes", split).sentences)) <= known
    assert len(set(config.reference)) == len(config.reference) > 8
    # What is averaged over them is of every kind: numbers, amounts, things that are there, places.
    for words in (r"\bexactly\b|\bnumber of\b", r"\bmany\b|\bfew\b|\bmore\b|\bfewer\b|\bmost\b", r"\b(any|some|no)\b"):
        assert any(re.search(words, sentence.lower()) for sentence in config.reference), words
    assert any(re.search(r"\b(above|under|below|next to|near|far|left of|right of)\b", s) for s in config.reference)
    again = stream_of(RECIPES["nac-scenes"].config, BRIEF, {})[1]
    assert again == config, "training again gives the same network"
    chosen = replace(config, words=("mine",))
    assert stream_of(chosen, BRIEF, {})[1] == chosen


def test_training_begins_at_the_step_it_is_at() -> None:
    class At:
        world_size, global_rank, global_step = 2, 1, 3

    assert list(FromStep(At(), 6)) == [7, 9, 11]  # type: ignore[arg-type]
    assert len(FromStep(At(), 6)) == 6  # type: ignore[arg-type]


@pytest.mark.slow
def test_training_writes_a_model_and_a_card_by_kind_of_statement(tmp_path: Path, few: None) -> None:
    model = trained("nac-scenes-words-only", tmp_path)
    card = json.loads((tmp_path / "card.json").read_text())
    assert model.config.sees == "sentence" and model.config.words
    assert [each["data"].rpartition(", ")[2] for each in card["accuracies"]] == ["validation", "test"]
    for scored in card["accuracies"]:
        assert scored["stand_in"] and scored["domain"] == "scenes"
        kinds = scored["by_kind"]
        assert sum(each["count"] for each in kinds) == scored["count"] == 12
        assert sum(round(each["accuracy"] * each["count"]) for each in kinds) == round(12 * scored["accuracy"])
        for each in kinds:
            right = round(each["accuracy"] * each["count"])
            assert (each["low"], each["high"]) == pytest.approx(wilson_interval(right, each["count"]))
    assert card["epochs"] is None
    assert [entry["step"] for entry in card["history"]] == [2, 4]
    text = (tmp_path / "README.md").read_text()
    for words in ("every picture is blank", "4 steps of 8 statements (drawn anew)", "hard cardinality", "half"):
        assert words in text
    assert "every step: " not in text and "images" not in text


@pytest.mark.slow
def test_a_step_learns_from_the_labels_at_the_statements_own_pictures() -> None:
    torch.manual_seed(0)
    config = replace(stream_of(RECIPES["nac-scenes"].config, BRIEF, {})[1], **TINY, tokenizer="convnext")
    task = Judgement("conditional_nac", config, replace(BRIEF, initial_filters="contrast"))
    logged: dict[str, Tensor] = {}
    task.log = lambda name, value, **_: logged.update({name: value})  # type: ignore[method-assign,assignment]

    class At:
        world_size, global_rank, global_step = 1, 0, 0

    task._trainer = At()  # type: ignore[assignment]
    task.eval()  # links are not sampled: the same numbers twice
    batch = Endless(8, 16, seed=0)[0]
    logits = task.model(Statements(batch.images.float() / 255, batch.sentences))[:, 0]
    loss = task.training_step(batch, 0)
    expected = -logits.log_softmax(-1)[torch.arange(8), batch.labels].mean()
    assert loss.item() == pytest.approx(expected.item(), rel=1e-5)
    assert logged["accuracy"].item() == pytest.approx((logits.argmax(-1) == batch.labels).float().mean().item())
    filters = task.model.pictures.encoder.stem[0].weight
    assert filters.mean(dim=(2, 3)).abs().max() < 1e-6, "the first filters see contrast alone"


def test_features_of_a_frozen_clip_change_no_bit_of_a_training(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ROUTESCOPE_DATA_DIR", str(tmp_path / "data"))
    monkeypatch.setenv(CLIP_FOLDER, str(tiny_clip.make(tmp_path / "clip")))
    recipe, own = RECIPES["nac-nlvr2-clip"], {"image_size": tiny_clip.SIDE, "patch_size": tiny_clip.PATCH}
    config, sources = replace(recipe.config, **TINY | own, most_pieces=8), nlvr2(tmp_path / "nlvr2")
    encoded, forward, computed = list[int](), FrozenImageEncoder.forward, FrozenTextEncoder._computed

    # One at a time: what rounding a processor does may depend on how many it multiplies at once.
    def counted(self: FrozenImageEncoder, images: Tensor) -> Tensor:
        encoded.append(len(images))
        return torch.cat([forward(self, image[None]) for image in images])

    def alone(self: FrozenTextEncoder, sentences: Sequence[str]) -> list[tuple[Tensor, Tensor]]:
        return [found for sentence in sentences for found in computed(self, [sentence])]

    monkeypatch.setattr(FrozenImageEncoder, "forward", counted)
    monkeypatch.setattr(FrozenTextEncoder, "_computed", alone)
    settings = replace(BRIEF, steps=6, batch_size=4, validate_every=100)
    kinds, models = {}, {}
    for augment in (True, False):  # statements are not augmented even so, and nothing is kept for their training
        settings = replace(settings, augment=augment)
        kinds[augment] = type(stream_of(config, settings, sources)[0][0])
        encoded.clear()
        folder = tmp_path / f"trained-{augment}"
        train("nac-nlvr2-clip", sources, config=config, settings=settings, folder=folder, progress=False)
        models[augment] = checkpoint.load(folder / "model.safetensors")
        shown = sum(encoded)
        assert shown > 0 if augment else shown == 0, "all that it needs was kept when the stream was asked for"
    assert kinds == {True: StatementBatch, False: FeatureBatch}
    for parameter, other in zip(models[True].parameters(), models[False].parameters(), strict=True):
        assert torch.equal(parameter, other)
    model, card = models[False], json.loads((folder / "card.json").read_text())
    known = load("nlvr2", "train", sources["nlvr2"]).sentences
    assert model.config.frozen and not model.config.words and set(model.config.reference) <= set(known)
    assert not any("clip" in name or "vision" in name for name in model.state_dict()), "CLIP stays where it is"
    assert [(each["data"], each["stand_in"]) for each in card["accuracies"]] == [("NLVR2, validation", False)]
    assert card["epochs"] == round(6 * 4 / len(known), 2)
    monkeypatch.delenv(CLIP_FOLDER)
    with pytest.raises((FrozenWeightsError, checkpoint.CheckpointError), match=CLIP_FOLDER):
        train("nac-nlvr2-clip", sources, config=config, settings=settings, folder=tmp_path / "none", progress=False)
