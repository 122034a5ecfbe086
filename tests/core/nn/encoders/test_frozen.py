"""Frozen encoders: CLIP from a folder of the test's own, and MiniLM from the package that carries its weights."""

import copy
import json
import shutil
import socket
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import torch
from safetensors.torch import load_file, save_file
from torch import Tensor

from routescope.nn.baselines.perceiver_io import StatementPerceiverIO
from routescope.nn.circuit.conditional import ConditionalNeuralAttentiveCircuit
from routescope.nn.circuit_config import ConditionalCircuitConfig
from routescope.nn.encoders import frozen as frozen_encoders
from routescope.nn.encoders import frozen_weights
from routescope.nn.encoders.frozen import CLIP_MEAN, CLIP_STD, FrozenImageEncoder, FrozenTextEncoder
from routescope.nn.encoders.frozen_weights import CLIP_FOLDER, FrozenWeightsError, frozen
from routescope.nn.inputs.statements import Statements
from routescope.nn.zero_shot import clip_logits, negation
from routescope.zoo import checkpoint
from tests.core.nn import tiny_clip

CLOSE = {"rtol": 1e-5, "atol": 1e-5}
SIZES: dict[str, Any] = {
    "features": 8,
    "code_features": 6,
    "signature_features": 5,
    "modules": 5,
    "readouts": 3,
    "layers": 1,
    "heads": 2,
    "head_features": 3,
    "ffn_hidden": 7,
    "readin_head_features": 4,
    "readout_head_features": 4,
    "generator_features": 6,
    "generator_heads": 2,
    "generator_hidden": 9,
    "text": "clip",
    "image_encoder": "clip",
    "tokenizer": None,
    "image_size": tiny_clip.SIDE,
    "patch_size": tiny_clip.PATCH,
    "most_pieces": 10,
}
SENTENCES = ("There is a dog.", "", "two dogs are there, two dogs and two more of them", "There is a dog.")


@pytest.fixture(autouse=True)
def _no_network(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object) -> None:
        raise AssertionError("something wanted to connect to a network")

    monkeypatch.setattr(socket.socket, "connect", refuse)
    monkeypatch.setattr(socket, "getaddrinfo", refuse)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tiny_clip.make(tmp_path_factory.mktemp("clip"))


@pytest.fixture
def clip(folder: Path, monkeypatch: pytest.MonkeyPatch) -> frozen_weights.Frozen:
    monkeypatch.setenv(CLIP_FOLDER, str(folder))
    return frozen("clip")


def inputs(batch: int = 3, side: int = tiny_clip.SIDE) -> Statements:
    images = torch.rand(batch, 2, 3, side, side, generator=torch.Generator().manual_seed(0))
    return Statements(images, SENTENCES[:batch])


@torch.no_grad()
def test_text_features_are_those_before_pooling_and_the_pooled_ones_clips_own(clip: frozen_weights.Frozen) -> None:
    encoder = FrozenTextEncoder(clip, 10)
    x, there = encoder(SENTENCES)
    pooled = encoder.pooled(SENTENCES)
    assert x.shape == (4, 10, tiny_clip.TEXT_FEATURES)
    for at, sentence in enumerate(SENTENCES):
        ids = clip.tokenizer(sentence, truncation=True, max_length=10, return_tensors="pt")["input_ids"]
        alone = clip.pretrained.text_model(input_ids=ids)
        count = ids.shape[1]
        assert there[at].tolist() == [i < count for i in range(10)]
        torch.testing.assert_close(x[at, :count], alone.last_hidden_state[0], **CLOSE)
        torch.testing.assert_close(pooled[at], alone.pooler_output[0], **CLOSE)
        assert not x[at, count:].any()
    assert there.sum(dim=1).tolist() == [12 - 5, 2, 10, 7], "start, four pieces and a full stop, end; cut at 10"
    assert encoder([])[0].shape == (0, 1, tiny_clip.TEXT_FEATURES)
    assert encoder.pooled([]).shape == (0, tiny_clip.TEXT_FEATURES)


def test_pieces_are_those_between_start_and_end(clip: frozen_weights.Frozen) -> None:
    encoder = FrozenTextEncoder(clip, 40)
    pieces = encoder.pieces("There  are two Cats")
    assert pieces == [(p, True) for p in ("there", "are", "two", "c", "##a", "##t", "##s")]
    assert encoder.most == tiny_clip.MOST, "no more than it has positions for"
    assert len(encoder.pieces("dog " * 50)) == tiny_clip.MOST - 2
    assert encoder([" ".join(["dog"] * 50)])[1].sum() == tiny_clip.MOST
    assert encoder.count("dog " * 50) == 50 + 2
    assert encoder.count("There  are two Cats") == len(pieces) + 2
    assert len(encoder.pieces("dog " * 50)) == tiny_clip.MOST - 2, "counting leaves the cut as it is"
    assert encoder.pieces("") == []
    with pytest.raises(ValueError, match="at least 3"):
        FrozenTextEncoder(clip, 2)


def test_each_sentence_is_computed_once_and_the_last_are_kept_up_to_their_size(
    clip: frozen_weights.Frozen, monkeypatch: pytest.MonkeyPatch
) -> None:
    encoder, asked = FrozenTextEncoder(clip, 10), list[str]()
    compute = encoder._computed
    monkeypatch.setattr(encoder, "_computed", lambda some: asked.extend(some) or compute(some))
    first = encoder(SENTENCES)[0]
    with torch.inference_mode():
        assert torch.equal(encoder(SENTENCES)[0], first)
    encoder.pooled(["two"])
    assert asked == [*SENTENCES[:3], "two"]
    asked.clear()
    pieces, pooled = encoder._features(["dog"])[0]
    monkeypatch.setattr(frozen_encoders, "MOST_BYTES", 2 * (pieces.nbytes + pooled.nbytes))
    for sentence in ("are", "dog", "two", "dog", "are"):  # "two" takes the place of "are", "are" that of "two"
        encoder([sentence])
    assert asked == ["dog", "are", "two", "are"]

    def meanwhile(some: list[str]) -> Any:
        encoder._kept = {}  # as another thread may do
        return compute(some)

    monkeypatch.setattr(encoder, "_computed", meanwhile)
    torch.testing.assert_close(encoder(["dog", "there"])[0][0, : len(pieces)], pieces, **CLOSE)


@torch.no_grad()
def test_pictures_give_the_patches_of_the_vision_tower(clip: frozen_weights.Frozen) -> None:
    encoder = FrozenImageEncoder(clip)
    images = inputs().images[:, 0]
    mean, std = torch.tensor(CLIP_MEAN)[:, None, None], torch.tensor(CLIP_STD)[:, None, None]
    wanted = clip.pretrained.vision_model(pixel_values=(images - mean) / std).last_hidden_state
    found = encoder(images)
    assert encoder.grid == (3, 3)
    assert wanted.shape[1] == 1 + 9
    torch.testing.assert_close(found, wanted[:, 1:], **CLOSE)
    assert encoder(images[:0]).shape == (0, 9, tiny_clip.IMAGE_FEATURES)
    plain = torch.full((1, 3, 30, 50), 0.25)
    torch.testing.assert_close(encoder(plain), encoder(plain[..., :12, :12]), **CLOSE)
    sharp = encoder.seen((torch.rand(2, 3, 30, 30) > 0.5).float()) * std + mean
    assert sharp.min() >= -1e-5
    assert sharp.max() <= 1 + 1e-5


def test_a_folder_may_say_how_its_pictures_were_normalised(folder: Path, tmp_path: Path) -> None:
    other = Path(shutil.copytree(folder, tmp_path / "other"))
    (other / "preprocessor_config.json").write_text(json.dumps({"image_mean": [0.5] * 3, "image_std": [0.5] * 3}))
    images = inputs().images[:, 1]
    torch.testing.assert_close(FrozenImageEncoder(frozen("clip", other)).seen(images), 2 * images - 1)


@pytest.mark.parametrize("kind", [ConditionalNeuralAttentiveCircuit, StatementPerceiverIO])
def test_networks_beside_clip_learn_and_leave_it_alone(clip: frozen_weights.Frozen, kind: Any) -> None:
    sizes = SIZES if kind is ConditionalNeuralAttentiveCircuit else {**SIZES, "code_features": SIZES["features"]}
    torch.manual_seed(0)
    model = kind(kind.Config(**sizes))
    before = {name: tensor.clone() for name, tensor in clip.pretrained.state_dict().items()}
    assert model.config.frozen == f"clip:{clip.fingerprint}"
    assert model.config.grid == model.pictures.grid == (3, 3)
    assert (model.tokens[0], model.tokens[17]) == ("left:0,0", "right:2,2")
    with torch.inference_mode():  # features of this run serve in training
        model.eval()(inputs())
    optimizer = torch.optim.AdamW(model.parameters(), lr=0.01)
    loss = torch.nn.functional.cross_entropy(model.train()(inputs())[:, 0], torch.tensor([0, 1, 1]))
    loss.backward()
    optimizer.step()
    assert all(p.grad is not None for p in model.parameters())
    assert all(torch.equal(tensor, before[name]) for name, tensor in clip.pretrained.state_dict().items())
    assert not any(p.requires_grad or p.grad is not None for p in clip.pretrained.parameters())
    ours = {id(tensor) for tensor in (*model.parameters(), *model.buffers())}
    assert not ours & {id(p) for p in clip.pretrained.parameters()}
    assert not any("vision" in name or "weights" in name for name in model.state_dict())
    assert copy.deepcopy(model).text.weights is model.text.weights


def test_a_checkpoint_knows_the_weights_it_was_trained_beside(
    clip: frozen_weights.Frozen, folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    torch.manual_seed(0)
    model = ConditionalNeuralAttentiveCircuit(ConditionalCircuitConfig(**SIZES)).eval()
    path = checkpoint.save(model, tmp_path / "model.safetensors")
    assert path.stat().st_size < (folder / "model.safetensors").stat().st_size + 30_000
    moved = Path(shutil.copytree(folder, tmp_path / "moved"))
    save_file(load_file(folder / "model.safetensors"), moved / "model.safetensors", {"format": "pt", "by": "somebody"})
    monkeypatch.setenv(CLIP_FOLDER, str(moved))
    again = checkpoint.load(path)
    assert again.config == model.config
    with torch.no_grad():
        torch.testing.assert_close(again(inputs()), model(inputs()))
    monkeypatch.setenv(CLIP_FOLDER, str(tiny_clip.make(tmp_path / "another", seed=1)))
    with pytest.raises(checkpoint.CheckpointError, match=f"trained beside.*clip:{clip.fingerprint}.*{CLIP_FOLDER}"):
        checkpoint.load(path)
    monkeypatch.delenv(CLIP_FOLDER)
    with pytest.raises(checkpoint.CheckpointError, match=f"CLIP's weights are needed: set {CLIP_FOLDER}"):
        checkpoint.load(path)


@pytest.mark.parametrize(
    ("changed", "message"),
    [
        ({"image_size": 24}, "image_size to 12 and patch_size to 4"),
        ({"patch_size": 6}, "image_size to 12 and patch_size to 4"),
        ({"image_channels": 1}, "3 channels"),
        ({"text": "words", "image_encoder": None, "tokenizer": "patches", "frozen": "clip:0123"}, "trained beside"),
    ],
)
def test_sizes_and_fingerprints_that_are_not_clips_are_refused(
    clip: frozen_weights.Frozen, changed: dict[str, Any], message: str
) -> None:
    with pytest.raises((ValueError, FrozenWeightsError), match=message):
        ConditionalNeuralAttentiveCircuit(ConditionalCircuitConfig(**{**SIZES, **changed}))


def test_folders_that_hold_no_clip_are_refused(folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(FrozenWeightsError, match="no config.json and no model.safetensors"):
        frozen("clip", tmp_path / "nowhere")
    pickled = Path(shutil.copytree(folder, tmp_path / "pickled"))
    (pickled / "model.safetensors").rename(pickled / "pytorch_model.bin")
    with pytest.raises(FrozenWeightsError, match=r"no model.safetensors.*no pickle is read"):
        frozen("clip", pickled)
    broken = Path(shutil.copytree(folder, tmp_path / "broken"))
    (broken / "model.safetensors").write_bytes(b"nonsense")
    with pytest.raises(FrozenWeightsError, match="holds no clip that can be read"):
        frozen("clip", broken)
    partial = Path(shutil.copytree(folder, tmp_path / "partial"))
    state = load_file(partial / "model.safetensors")
    save_file({k: v for k, v in state.items() if "vision" not in k}, partial / "model.safetensors", {"format": "pt"})
    with pytest.raises(FrozenWeightsError, match=r"weights lack .*vision"):
        frozen("clip", partial)
    monkeypatch.setattr(frozen_weights, "MINILM_PACKAGE", "no_such_package")
    with pytest.raises(FrozenWeightsError, match="minilm"):
        frozen("minilm")


@pytest.mark.slow
def test_core_imports_and_runs_without_transformers() -> None:
    code = """
        import sys
        sys.modules["transformers"] = None
        import torch
        from routescope.nn.registry import ARCHITECTURES
        from routescope.nn.encoders.frozen_weights import FrozenWeightsError, frozen
        config, network, _ = ARCHITECTURES["conditional_nac"]
        sizes = dict(features=8, code_features=8, modules=4, readouts=2, layers=1, ffn_hidden=8, image_size=16,
                     generator_features=8, generator_heads=2, generator_hidden=8, text_features=8)
        model = network(config(**sizes)).eval()
        assert model(model.example(2)).shape == (2, 1, 2)
        try:
            frozen("minilm")
        except FrozenWeightsError as error:
            assert "transformers" in str(error), error
        else:
            raise SystemExit("MiniLM was read without transformers")
        print("it runs")
    """
    done = subprocess.run(
        [sys.executable, "-c", "\n".join(line[8:] for line in code.splitlines())],
        capture_output=True,
        text=True,
        timeout=240,
    )
    assert done.returncode == 0, done.stderr
    assert "it runs" in done.stdout


@torch.no_grad()
def test_minilm_comes_from_its_package_and_knows_what_words_mean() -> None:
    sizes = {**SIZES, "text": "minilm", "image_encoder": None, "tokenizer": "patches", "most_pieces": 30}
    model = ConditionalNeuralAttentiveCircuit(ConditionalCircuitConfig(**sizes)).eval()
    assert model.config.frozen == f"minilm:{frozen('minilm').fingerprint}"
    assert model.text.features == 384
    sentences = ("There is a puppy.", "There is a dog.", "The parliament passed a tax law.", "There is a dog.")
    pooled = model.text.pooled(sentences)
    torch.testing.assert_close(pooled.norm(dim=-1), torch.ones(4))
    cosines = pooled @ pooled.T
    assert cosines[0, 1] > 0.6 > 0.3 > cosines[0, 2]
    x, there = model.text(sentences)
    mean = (x * there[..., None]).sum(dim=1) / there.sum(dim=1, keepdim=True)
    torch.testing.assert_close(pooled, torch.nn.functional.normalize(mean, dim=-1))
    assert model.text.pieces("A stingray, really ☂") == [
        *[(p, True) for p in ("a", "sting", "##ray", ",", "really")],
        ("☂", False),
    ]
    logits = model(Statements(torch.rand(4, 2, 3, 12, 12), sentences))
    assert logits.isfinite().all()


def test_clip_alone_prefers_the_nearer_of_two_sentences(clip: frozen_weights.Frozen) -> None:
    assert negation(" There is a dog. ") == "It is not true that there is a dog."
    samples, negated = inputs(), ("There is no dog.", "two", "are there two")
    found = clip_logits(samples, negated)
    pictures = torch.cat((samples.images[:, 0], samples.images[:, 1]), dim=-1)
    seen = FrozenImageEncoder(clip).seen(pictures)

    def wanted(sentences: tuple[str, ...]) -> Tensor:
        options = {"padding": True, "truncation": True, "max_length": tiny_clip.MOST, "return_tensors": "pt"}
        ids = clip.tokenizer(list(sentences), **options)
        with torch.no_grad():
            return clip.pretrained(pixel_values=seen, **ids).logits_per_image.diagonal()

    torch.testing.assert_close(found[:, 0], wanted(negated), **CLOSE)
    torch.testing.assert_close(found[:, 1], wanted(samples.sentences), **CLOSE)
    torch.testing.assert_close(clip_logits(samples, samples.sentences).diff(dim=1), torch.zeros(3, 1))
    with pytest.raises(ValueError, match="2 negated sentences for 3 samples"):
        clip_logits(samples, negated[:2])
