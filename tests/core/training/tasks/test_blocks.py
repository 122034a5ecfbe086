"""Training of networks of blocks: batches by step, the bias of SMFR_bias, histories, and going on bit by bit."""

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
import torch
from torch import Tensor

from routescope.data import load
from routescope.data.blocks.permuted import LEFT_OUT, encode, is_left_out
from routescope.data.blocks.tasks import ADDMUL, DIGIT_TASKS, TASKS
from routescope.nn.blocks.operations import regularisation
from routescope.nn.registry import ARCHITECTURES
from routescope.routing.blocks.indicators import STRIP_NAMES
from routescope.training.fit import train
from routescope.training.recipes.blocks import BlockTrainingSettings, sizes_of
from routescope.training.recipes.networks import RECIPES
from routescope.training.settings import TrainingSettings
from routescope.training.tasks import blocks as training_blocks
from routescope.training.tasks.blocks import (
    BlockLearning,
    DrawnDigits,
    History,
    generator_of,
    measured,
    noise_seed,
    objective,
    permutation_of,
    stream_of,
    undoing_bias,
)
from routescope.zoo import cards, checkpoint

BRIEF = BlockTrainingSettings(
    steps=4, batch_size=8, learning_rate=1e-2, accelerator="cpu", devices=1, minutes=0, validate_every=2
)
TINY: dict[str, Any] = {"depth": 1, "width": 3, "hidden": 8}


class At:
    world_size, global_rank, global_step, is_global_zero = 1, 0, 0, True


@pytest.fixture
def few(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whatever is scored is a few samples."""
    monkeypatch.setattr(cards, "load", lambda name, split, *_, **__: load(name, split, limit=24))


def trained(name: str, folder: Path, settings: Any = BRIEF, **changes: Any) -> Any:
    config = replace(RECIPES[name].config, **{**TINY, **changes})
    train(name, config=config, settings=settings, folder=folder, progress=False)
    return checkpoint.load(folder / "model.safetensors")


@pytest.mark.parametrize("task", TASKS)
def test_a_step_has_samples_of_its_task(task: str) -> None:
    config = ARCHITECTURES["smfr"][0](**sizes_of(task), **TINY)
    batch = stream_of(config, BRIEF, {})[0]
    assert batch.inputs.values.shape == (8, len(TASKS[task].values), TASKS[task].block_size)
    assert batch.answers.shape == (8, len(TASKS[task].outputs))
    if task in DIGIT_TASKS:
        digits, program = batch.inputs.values.argmax(-1), batch.inputs.tasks.argmax(-1)
        assert program.shape[1] == TASKS[task].iterations
        assert torch.equal(batch.answers, TASKS[task].answer(digits, program))
    with pytest.raises(TypeError, match="BlockTrainingSettings"):
        stream_of(config, TrainingSettings(), {})


def test_addmul_turns_to_interference_after_its_preparation() -> None:
    stream = DrawnDigits(ADDMUL, replace(BRIEF, batch_size=400, preparation_steps=3))
    for step, limited in ((0, 1), (2, 1), (3, 0), (9, 0)):
        inputs, _ = stream[step]
        digits, program = inputs.values.argmax(-1), inputs.tasks[:, 0].argmax(-1)
        low = (digits < 5).sum(dim=1)
        assert (low[program == limited] == 1).all()
        assert not (low[program != limited] == 1).all()


def test_training_never_shows_what_a_permutation_leaves_out() -> None:
    config = ARCHITECTURES["smfr"][0](**sizes_of("bpmnist"), **TINY)
    stream = stream_of(config, replace(BRIEF, batch_size=500), {})
    shown = set()
    for step in range(6):
        inputs, answers = stream[step]
        permutation = permutation_of(inputs)
        assert not is_left_out(answers[:, 0], permutation).any()
        shown |= set(zip(permutation.tolist(), answers[:, 0].tolist(), strict=True))
    assert len(shown) == 80 - sum(digit is not None for digit in LEFT_OUT)


def test_the_bias_undoes_every_permutation() -> None:
    images = torch.arange(8 * 784).reshape(8, 28, 28).remainder(251).to(torch.uint8)
    permutation = torch.arange(8)
    inputs = encode(images, permutation)
    assert torch.equal(permutation_of(inputs), permutation)
    read = torch.cat((inputs.values, inputs.tasks), dim=1)
    for width in (2, 4, 6):
        weights = undoing_bias(permutation, width, 50.0).softmax(dim=1)  # of a Multiplexer whose logits are zeros
        made = weights.transpose(1, 2) @ read
        strips = encode(images, torch.zeros(8, dtype=torch.int64)).values  # of the identity
        assert torch.allclose(made[:, :4], strips[:, :width], atol=1e-5)
        assert torch.allclose(made[:, 4:], read.mean(dim=1, keepdim=True).expand(8, made[:, 4:].shape[1], -1))


def test_the_bias_ends_with_its_steps(monkeypatch: pytest.MonkeyPatch) -> None:
    config = ARCHITECTURES["smfr"][0](**sizes_of("bpmnist"), **TINY)
    task = BlockLearning("smfr", config, replace(BRIEF, bias_steps=3, bias=5.0))
    task.log = lambda *_, **__: None  # type: ignore[method-assign]
    task._trainer = At()  # type: ignore[assignment]
    batch = stream_of(config, BRIEF, {})[0]
    found, run = [], task.model.run
    monkeypatch.setattr(task.model, "run", lambda *a, bias, **k: found.append(bias) or run(*a, bias=bias, **k))
    for step in (0, 2, 3, 4):
        monkeypatch.setattr(At, "global_step", step)
        task.training_step(batch, 0)
    assert [bias is None for bias in found] == [False, False, True, True]
    assert found[0].shape == (8, 5, 3) and found[0].max() == 5


def test_the_objective_is_the_distance_to_one_hot_blocks_or_the_cross_entropy() -> None:
    config = ARCHITECTURES["smfr"][0](**sizes_of("algo"), **TINY, logit_scale=2.0)
    answers = torch.tensor([[0, 1, 2, 3, 4], [9, 9, 9, 9, 9]])
    perfect = torch.nn.functional.one_hot(answers, 10).float()
    assert objective(perfect, answers, config, BRIEF) == 0
    assert objective(torch.zeros(2, 5, 10), answers, config, BRIEF) == pytest.approx(0.1)
    entropy = replace(BRIEF, objective="cross-entropy")
    found = objective(perfect, answers, config, entropy)
    assert found == pytest.approx(-float((2 * perfect).log_softmax(-1)[perfect.bool()].mean()))


def test_a_step_pays_for_extreme_logits() -> None:
    config = ARCHITECTURES["smfr"][0](**sizes_of("double"), **TINY)
    task = BlockLearning("smfr", config, BRIEF)
    logged: dict[str, Tensor] = {}
    task.log = lambda name, value, **_: logged.update({name: value})  # type: ignore[method-assign,assignment]
    task._trainer = At()  # type: ignore[assignment]
    with torch.no_grad():
        task.model.smfr.mfnnr[0].multiplexer.fnn.linear[-1].bias[0] = 100
    batch, seen = stream_of(config, BRIEF, {})[0], []
    task.model.run(batch.inputs, seen=seen)
    loss = task.training_step(batch, 0)
    paid = float(regularisation(seen).detach())
    assert float((loss - logged["loss"]).detach()) == pytest.approx(paid, rel=1e-5)
    assert paid > 100


def test_every_step_has_noise_of_its_own(monkeypatch: pytest.MonkeyPatch) -> None:
    config = ARCHITECTURES["smfr"][0](**sizes_of("double"), **TINY, attention="gumbel")
    task = BlockLearning("smfr", config, replace(BRIEF, seed=5))
    task.log = lambda *_, **__: None  # type: ignore[method-assign]
    task._trainer = At()  # type: ignore[assignment]
    batch = stream_of(config, BRIEF, {})[0]

    def drawn(step: int) -> Tensor:
        monkeypatch.setattr(At, "global_step", step)
        task.training_step(batch, 0)
        return torch.rand(4)

    assert torch.equal(drawn(0), drawn(0))
    assert not torch.equal(drawn(0), drawn(4_096))  # a processor's generator takes 32 bits of a seed
    noise = {noise_seed(5, place) for place in range(20_000)}
    samples = {generator_of(5, step).initial_seed() for step in range(20_000)}
    assert len(noise) == 20_000 and not noise & samples and max(noise) < 2**32


def test_gradients_are_clipped_over_all_parameters() -> None:
    config = ARCHITECTURES["smfr"][0](**sizes_of("double"), **TINY)
    task = BlockLearning("smfr", config, BRIEF)
    for parameter in task.parameters():
        parameter.grad = torch.ones_like(parameter)
    task.configure_gradient_clipping(torch.optim.Adam(task.parameters()), 0.1)
    norms = torch.stack([parameter.grad.norm() for parameter in task.parameters() if parameter.grad is not None])
    assert float(norms.norm()) == pytest.approx(0.1, rel=1e-4)


def test_the_card_says_how_the_network_routed_in_training(few: None, tmp_path: Path) -> None:
    model = trained("smfr-bpmnist", tmp_path, replace(BRIEF, stored="float16"))
    card = json.loads((tmp_path / "card.json").read_text())
    first, last = card["history"][0], card["history"][-1]
    assert first["loss"] is None and last["loss"] > 0
    assert set(last["accuracy"]) == {"validation", "test"}
    assert set(last["sharpness"]) == set(last["gates"]) == {"l1", "l2"}
    assert all(0 <= last[key] <= 1 for key in ("difference", "difference_test", "fairness"))
    assert set(last["shares"]) == set(STRIP_NAMES) and sum(last["shares"].values()) == pytest.approx(1)
    assert any("half precision" in note for note in card["notes"])
    assert any("batch size" in note for note in card["notes"])
    for parameter in model.parameters():
        assert parameter.dtype == torch.float32
        assert torch.equal(parameter, parameter.half().float())


def test_weights_are_rounded_to_integers_when_the_training_ends(few: None, tmp_path: Path) -> None:
    wide = {"hidden": 70}
    whole, rounded = (
        trained("smfr-bpmnist", tmp_path / stored, replace(BRIEF, stored=stored), **wide)
        for stored in ("float32", "int8")
    )
    card = json.loads((tmp_path / "int8" / "card.json").read_text())
    assert any("8 bits" in note for note in card["notes"]) and card["revision"] == rounded.revision
    changed = 0
    for name, tensor in whole.state_dict().items():
        again = rounded.state_dict()[name]
        assert again.dtype == torch.float32 and (again - tensor).norm() <= 0.02 * tensor.norm()
        changed += not again.equal(tensor)
    assert changed


def test_measured_accuracies_are_shares_of_right_answers(few: None) -> None:
    config = ARCHITECTURES["block_fnn"][0](**sizes_of("double"), hidden=8)
    model = ARCHITECTURES["block_fnn"][1](config).eval()
    data = load("double", "test", limit=30)
    found = measured(model, [data])
    right = model(data.inputs(range(30)))[:, 0].argmax(-1) == data.labels
    assert found == {"accuracy": {"test": pytest.approx(float(right.float().mean()))}}  # it routes nothing


def test_weights_are_of_the_best_late_measurement(monkeypatch: pytest.MonkeyPatch) -> None:
    config = ARCHITECTURES["smfr"][0](**sizes_of("double"), **TINY)
    task, history = BlockLearning("smfr", config, BRIEF), History([], 10, chosen_from=0.5)
    found = {0: 1.0, 10: 0.9, 20: 0.4, 30: 0.8, 40: 0.8, 50: 0.7}  # early ones do not count; of equals, the later

    class Run(At):
        max_steps = 40

    for step, accuracy in found.items():
        monkeypatch.setattr(Run, "global_step", step)
        monkeypatch.setattr(training_blocks, "measured", lambda *_, a=accuracy: {"accuracy": {"validation": a}})
        for parameter in task.model.parameters():
            parameter.data.fill_(step)
        history._measure(Run(), task)  # type: ignore[arg-type]
    (said,) = history.choose(task.model)
    assert all((parameter == 40).all() for parameter in task.model.parameters())
    assert "step 40" in said and "50%" in said
    again = History([], 10)
    again.load_state_dict(history.state_dict())
    assert again.choose(task.model.eval()) and History([], 10).choose(task.model) == []
