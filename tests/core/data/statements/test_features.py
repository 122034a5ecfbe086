"""What frozen encoders make of a set is kept, is what they would make again, and is theirs alone."""

import json
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch

from routescope.data.statements import features
from routescope.data.statements.features import with_features
from routescope.data.statements.sets import StatementSet, quadruples
from routescope.nn.baselines.perceiver_io import StatementPerceiverIO, StatementPerceiverIOConfig
from routescope.nn.circuit.conditional import ConditionalNeuralAttentiveCircuit
from routescope.nn.circuit_config import ConditionalCircuitConfig
from routescope.nn.encoders.frozen import FrozenImageEncoder, FrozenTextEncoder
from routescope.nn.encoders.frozen_weights import CLIP_FOLDER, Frozen, frozen
from routescope.nn.inputs.statements import Statements
from routescope.routing.caused.scores import evaluate
from routescope.routing.intervention import Intervention
from tests.core.nn import tiny_clip
from tests.core.nn.encoders.test_frozen import SIZES


class Counted:
    """How many pictures and sentences were encoded."""

    def __init__(self) -> None:
        self.pictures = self.sentences = 0


@pytest.fixture
def clip(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Frozen]:
    monkeypatch.setenv("ROUTESCOPE_DATA_DIR", str(tmp_path / "data"))
    monkeypatch.setenv(CLIP_FOLDER, str(tiny_clip.make(tmp_path / "clip")))
    yield frozen("clip")


@pytest.fixture
def counted(monkeypatch: pytest.MonkeyPatch) -> Counted:
    found, pictures, sentences = Counted(), FrozenImageEncoder.forward, FrozenTextEncoder._computed

    def of_pictures(self: FrozenImageEncoder, images: torch.Tensor) -> torch.Tensor:
        found.pictures += len(images)
        return pictures(self, images)

    def of_sentences(self: FrozenTextEncoder, some: list[str]) -> Any:
        found.sentences += len(some)
        return sentences(self, some)

    monkeypatch.setattr(FrozenImageEncoder, "forward", of_pictures)
    monkeypatch.setattr(FrozenTextEncoder, "_computed", of_sentences)
    return found


@pytest.fixture
def data() -> StatementSet:
    return quadruples(np.random.default_rng(0), 5, side=16)


def circuit(**changes: Any) -> ConditionalNeuralAttentiveCircuit:
    torch.manual_seed(0)
    return ConditionalNeuralAttentiveCircuit(ConditionalCircuitConfig(**{**SIZES, **changes})).eval()


def perceiver() -> StatementPerceiverIO:
    torch.manual_seed(0)
    return StatementPerceiverIO(StatementPerceiverIOConfig(**{**SIZES, "code_features": SIZES["features"]})).eval()


def forgotten(clip: Frozen) -> None:
    """As in another process."""
    clip.sentences.clear()


def files(tmp_path: Path, family: str) -> list[Path]:
    return sorted((tmp_path / "data").rglob(f"{family}-*.npy"))


@torch.no_grad()
@pytest.mark.parametrize("make", [circuit, perceiver], ids=["circuit", "perceiver"])
def test_networks_answer_the_same_in_every_bit_with_and_without(
    make: Any, clip: Frozen, data: StatementSet, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(features, "IN_A_FILE", 3)
    model = make()
    before = model(data.inputs(slice(None)))
    kept = with_features(model, data)
    assert isinstance(kept, StatementSet) and kept.features is not None
    inputs = kept.inputs(slice(None))
    assert inputs.features is not None and not inputs.images.numel()
    assert torch.equal(
        inputs.features.flatten(0, 1), model.pictures.encoder(data.inputs(slice(None)).images.flatten(0, 1))
    )
    model.text._kept = {}
    assert torch.equal(model(inputs), before)
    some = [3, 0, 7]
    assert torch.equal(model(kept.take(some).inputs(slice(None))), model(inputs[some]))
    torch.testing.assert_close(model(inputs[some]), before[some])


def test_equal_pictures_and_sentences_are_encoded_once_and_never_again(
    clip: Frozen, data: StatementSet, counted: Counted, tmp_path: Path
) -> None:
    told: list[tuple[int, int]] = []
    with_features(circuit(), data, lambda *now: told.append(now))
    pictures = {picture.numpy().tobytes() for picture in data.images.flatten(0, 1)}
    sentences = set(data.sentences)
    assert (counted.pictures, counted.sentences) == (len(pictures), len(sentences))
    assert 2 * len(data) > len(pictures)
    assert told[-1] == (len(pictures) + len(sentences),) * 2
    forgotten(clip)
    again = with_features(circuit(), data, lambda *now: told.append((0, 0)))
    assert isinstance(again, StatementSet) and again.features is not None
    with torch.no_grad():
        circuit()(again.inputs(slice(None)))
    assert (counted.pictures, counted.sentences) == (len(pictures), len(sentences))
    assert (0, 0) not in told, "nothing is told of what was kept"
    (kept,) = files(tmp_path, "clip-pictures")
    assert np.load(kept, mmap_mode="r").shape == (len(pictures), 9, tiny_clip.IMAGE_FEATURES)


def test_two_scorings_encode_a_set_once(clip: Frozen, data: StatementSet, counted: Counted) -> None:
    model = circuit()
    whole, without = evaluate(model, data), evaluate(model, data, Intervention(drop=("m2",)))
    assert counted.pictures == len({picture.numpy().tobytes() for picture in data.images.flatten(0, 1)})
    for intervention, found in ((None, whole), (Intervention(drop=("m2",)), without)):
        plain = evaluate(model, data, intervention, limit=len(data))
        assert np.array_equal(plain.loss, found.loss)
        assert np.array_equal(plain.correct, found.correct)


def test_other_weights_and_another_normalisation_make_other_features(
    clip: Frozen, data: StatementSet, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    found = []
    other = tiny_clip.make(tmp_path / "other", seed=1)
    brighter = Path(shutil.copytree(clip.folder, tmp_path / "brighter"))
    (brighter / "preprocessor_config.json").write_text(json.dumps({"image_mean": [0.1] * 3}))
    for at, folder in enumerate((clip.folder, other, brighter), 1):
        monkeypatch.setenv(CLIP_FOLDER, str(folder))
        model = circuit()
        kept = with_features(model, data)
        assert isinstance(kept, StatementSet) and kept.features is not None
        assert len(files(tmp_path, "clip-pictures")) == at
        found.append(kept.features.of(torch.arange(4)))
        fresh = model.pictures.encoder(data.inputs(slice(0, 4)).images.flatten(0, 1))
        assert torch.equal(found[-1].flatten(0, 1), fresh)
    assert not torch.equal(found[0], found[1]) and not torch.equal(found[0], found[2])
    assert len(files(tmp_path, "clip-sentences")) == 2, "normalisation says nothing of sentences"


def test_what_an_interrupted_run_had_whole_is_kept(
    clip: Frozen, data: StatementSet, counted: Counted, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(features, "IN_A_FILE", 4)

    def at_six(done: int, _: int) -> None:
        if done >= 8:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        with_features(circuit(), data, at_six)
    assert counted.pictures == 8
    assert len(files(tmp_path, "clip-pictures")) == 1
    assert not list((tmp_path / "data").rglob("*.partial"))
    kept = with_features(circuit(), data)
    different = len({picture.numpy().tobytes() for picture in data.images.flatten(0, 1)})
    assert counted.pictures == 8 + different - 4
    assert isinstance(kept, StatementSet) and kept.features is not None
    everything = torch.arange(len(data))
    before, damaged = kept.features.of(everything), files(tmp_path, "clip-pictures")[0]
    damaged.write_bytes(damaged.read_bytes()[:200])
    again = with_features(circuit(), data)
    assert isinstance(again, StatementSet) and again.features is not None
    assert torch.equal(again.features.of(everything), before)
    assert counted.pictures == 8 + different - 4 + 4


def test_without_room_they_are_computed_when_asked_for(
    clip: Frozen, data: StatementSet, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    usage = shutil.disk_usage(tmp_path)
    monkeypatch.setattr(shutil, "disk_usage", lambda _: usage._replace(free=100))
    with pytest.warns(UserWarning, match=r"are not kept: .* GiB are needed in .*, which has 0.0 GiB left"):
        assert with_features(circuit(), data) is data
    assert not files(tmp_path, "clip-pictures")


def test_what_a_network_does_not_see_is_not_encoded(clip: Frozen, data: StatementSet, counted: Counted) -> None:
    words = with_features(circuit(sees="sentence"), data)
    assert isinstance(words, StatementSet) and words.features is None
    assert counted.pictures == 0 and counted.sentences == len(set(data.sentences))
    forgotten(clip)
    seen = with_features(circuit(sees="pictures"), data)
    assert isinstance(seen, StatementSet) and seen.features is not None
    assert counted.sentences == len(set(data.sentences))
    trained = circuit(text="words", image_encoder=None, tokenizer="patches")
    assert with_features(trained, data) is data
    with pytest.raises(ValueError, match="trained along"):
        trained(seen.inputs([0]))
    with pytest.raises(ValueError, match="every picture is black"):
        circuit(sees="sentence")(seen.inputs([0]))


def test_features_that_are_no_ones_are_refused(clip: Frozen) -> None:
    with pytest.raises(ValueError, match=r"features of a picture have the shape \(9, 12\), not \(4, 12\)"):
        circuit()(Statements.of_features(torch.zeros(1, 2, 4, 12), ("There is a dog.",)))
