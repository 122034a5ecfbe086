"""Training on matrices: every matrix once an epoch, the loss of a choice, a card, and that it learns."""

import json
from pathlib import Path

import pytest
import torch

from routescope.data import load, options_for
from routescope.data.matrices.sets import MatrixSet
from routescope.nn.interpreter.matrices import MatrixInterpreterConfig
from routescope.nn.registry import ARCHITECTURES
from routescope.training import fit
from routescope.training.recipes.networks import RECIPES
from routescope.training.settings import TrainingSettings
from routescope.training.tasks import task as task_module
from routescope.training.tasks.matrices import AnswerTraining, MatricesTask, ShuffledMatrices, pictures_of
from routescope.training.tasks.task import shuffled

TINY = MatrixInterpreterConfig(
    features=16, code_features=8, type_features=4, scripts=1, iterations=1, functions=2, heads=2, key_features=4,
    type_inference_width=8, image_size=16, panel_width=8, domains=("pgm-small-neutral",),
)  # fmt: skip
BRIEF = TrainingSettings(
    steps=4, batch_size=8, learning_rate=3e-3, least_learning_rate=3e-3, validate_every=2, precision="32-true",
    augment=False,
)  # fmt: skip


def some(split: str = "validation", limit: int = 24) -> MatrixSet:
    data = load("pgm-small-neutral", split, limit=limit, side=16)
    assert isinstance(data, MatrixSet)
    return data


def test_every_matrix_is_seen_with_its_answer_and_head() -> None:
    first, second = some(), some("test", 16)
    stream = ShuffledMatrices([first, second], 10, seed=3)
    assert stream.count == 40 and [count for _, count in stream.parts] == [24, 16]
    order = shuffled(40, seed=3, epoch=1)
    panels, labels, heads = stream[4]
    for at, row in enumerate(order[:10].tolist()):
        data, place = (first, row) if row < 24 else (second, row - 24)
        assert torch.allclose(panels[at], data.inputs([place]).values[0])
        assert labels[at] == data.labels[place] and heads[at] == (row >= 24)
    assert pictures_of(first).shape == (24, 16, 16, 16)


def test_the_loss_is_that_of_a_choice_among_eight_and_falls_on_few_matrices() -> None:
    torch.manual_seed(0)
    stream = ShuffledMatrices([some()], 24, seed=0)
    task = AnswerTraining(ARCHITECTURES["matrix_interpreter"].network(TINY), BRIEF)
    task.log = lambda *_, **__: None  # type: ignore[method-assign]  # there is no trainer that shows it
    optimizer, losses = task.configure_optimizers()["optimizer"], []
    with torch.enable_grad():
        for step in range(80):
            loss = task.training_step(stream[step], step)
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            losses.append(loss.item())
    assert abs(losses[0] - 2.079) < 0.35, "ln 8: nothing is known at the start"
    assert losses[-1] < 1.75


def test_a_training_ends_with_a_card(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(RECIPES, "ni-pgm", RECIPES["ni-pgm"]._replace(config=TINY, settings=BRIEF))
    monkeypatch.setattr(task_module, "load", lambda name, split, source, limit, side=None: some(split, 16))
    folder = fit.train("ni-pgm", folder=tmp_path / "ni-pgm", progress=False)
    card = json.loads((folder / "card.json").read_text())
    assert "An eighth of the answers is right by chance." in card["notes"] and "16 pixels" in " ".join(card["notes"])
    assert [entry["step"] for entry in card["history"]] == [2, 4]


def test_what_is_scored_has_the_panels_that_everybody_else_scores() -> None:
    """Panels of 80 pixels, which a smaller network shrinks: a card says what pages and ``evaluate`` find."""
    config = MatrixInterpreterConfig(image_size=32, domains=("pgm-small-neutral",))
    options = options_for(config, "pgm-small-neutral")
    assert options["side"] is None
    for words, data in MatricesTask().scored(config, {}):
        own = load("pgm-small-neutral", data.split, limit=2, **options)
        assert data.take([0, 1]).inputs([0, 1]).values.shape == own.inputs([0, 1]).values.shape == (2, 16, 80, 80), (
            words
        )
        torch.testing.assert_close(data.inputs([0, 1]).values, own.inputs([0, 1]).values)
