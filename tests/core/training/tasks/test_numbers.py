"""Training on functions of numbers: every point once an epoch, the loss and R2 beside scikit-learn's, a card in R2."""

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
import torch
from lightning import LightningModule, Trainer
from sklearn.metrics import mean_squared_error, r2_score

from routescope.data import load
from routescope.data.numbers.sets import NumberSet
from routescope.nn.interpreter.network import NeuralInterpreter
from routescope.nn.measures import R2
from routescope.routing.caused.scores import evaluate
from routescope.training import fit
from routescope.training.recipes.networks import RECIPES
from routescope.training.settings import TrainingSettings
from routescope.training.state import flatten, unflatten
from routescope.training.tasks import numbers
from routescope.training.tasks.numbers import Explained, NumbersTask, PointBatches, Regression, explained
from routescope.training.tasks.task import Learning, shuffled
from routescope.zoo import checkpoint

TINY = replace(
    RECIPES["ni-boolean"].config,
    features=8, code_features=6, type_features=4, functions=2, key_features=4, type_inference_width=8, iterations=1,
    domains=("boolean-01", "boolean-02", "boolean-03"),
)  # fmt: skip
BRIEF = TrainingSettings(
    steps=4, batch_size=16, learning_rate=1e-3, least_learning_rate=1e-3, validate_every=2, precision="32-true",
    augment=False, gradient_clipping=0.0,
)  # fmt: skip


def sets(split: str = "validation", limit: int = 50) -> list[NumberSet]:
    return [points(name, split, limit) for name in TINY.domains]


def points(name: str, split: str, limit: int) -> NumberSet:
    found = load(name, split, limit=limit)
    assert isinstance(found, NumberSet)
    return found


def network(means: tuple[float, ...] = (0.4, 0.5, 0.6)) -> NeuralInterpreter:
    torch.manual_seed(0)
    return NeuralInterpreter(replace(TINY, target_means=means)).eval()


def test_every_point_is_seen_with_all_functions() -> None:
    data = sets()
    stream, order = PointBatches(data, 10, seed=3), shuffled(50, 3, 1)
    batches = [stream[5 + step] for step in range(5)]
    assert torch.equal(torch.cat([values for values, _ in batches]), data[0].values[order])
    truth = torch.stack([each.truth for each in data], dim=1)
    assert torch.equal(torch.cat([targets for _, targets in batches]), truth[order])


def test_functions_of_other_points_are_refused() -> None:
    with pytest.raises(ValueError, match="same points"):
        PointBatches([*sets(), points("boolean-21", "validation", 50)], 10, seed=0)


def test_the_loss_is_the_mean_squared_error_of_all_functions() -> None:
    model = network()
    learning = Regression(model, BRIEF)
    learning.log = lambda *_, **__: None  # type: ignore[method-assign]
    values, targets = PointBatches(sets(), 20, seed=0)[1]
    with torch.no_grad():
        answers = model(values)[..., 0]
    assert learning.training_step((values, targets), 0).item() == pytest.approx(
        mean_squared_error(targets, answers), rel=1e-5
    )


def test_r2_is_that_of_scikit_learn_and_of_scoring() -> None:
    data = sets()
    model = network(tuple(float(each.truth.mean()) for each in data))
    found = explained(model, data, batch=7)
    with torch.no_grad():
        answers = model(data[0].values)[..., 0]
    for place, each in enumerate(data):
        assert found[each.domain] == pytest.approx(r2_score(each.truth, answers[:, place]), rel=1e-4)
        scores = evaluate(model, each)
        assert scores.measure.name == "R2"
        assert scores.figure == pytest.approx(found[each.domain], rel=1e-4)


def test_other_functions_get_tokens_and_keep_the_head() -> None:
    model = network()
    torch.manual_seed(1)
    own = model.with_heads(("boolean-21", "boolean-22"), 1, (0.3, 0.4))
    assert [head.measure for head in own.all_heads] == [R2(0.3), R2(0.4)]
    assert own.cls.shape == (2, TINY.features)
    assert model.config.grid == (1, 5) and model.tokens[-5:] == tuple(f"number:{name}" for name in "abcde")
    assert len(model.heads) == 1 and [head.domain for head in model.all_heads] == list(TINY.domains)
    learned = dict(model.named_parameters())
    for name, parameter in own.named_parameters():
        if name != "cls":
            assert torch.equal(parameter, learned[name]) and parameter is not learned[name], name


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"target_means": (0.5,)}, "1 target_means for 3 domains"),
        ({"target_means": (0.5,) * 3, "classes": 4}, "classes=1, not 4"),
        ({"relative_position": "shared"}, "tokenizer of pictures"),
    ],
)
def test_configs_that_make_no_sense_say_why(changes: dict[str, object], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        replace(TINY, **changes)


def test_of_the_last_states_the_best_on_validation_is_kept_also_over_an_interruption(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(numbers, "LAST", 8)
    monkeypatch.setattr(numbers, "LOOK", 2)
    settings = replace(BRIEF, steps=10, learning_rate=0.3, least_learning_rate=0.3, validate_every=100)
    data, seen = sets(), []

    class Seen(Explained):
        def on_train_batch_end(self, trainer: Trainer, task: LightningModule, *rest: object) -> None:
            super().on_train_batch_end(trainer, task, *rest)
            assert isinstance(task, Learning)
            values = explained(task.model.eval(), data)
            seen.append((sum(values.values()) / 3, {name: v.clone() for name, v in task.model.state_dict().items()}))
            task.model.train()

    measured = Seen(data, settings.validate_every)
    learning = Regression(network(), settings)
    assert fit.fit(learning, PointBatches(data, 16, seed=0), settings, tmp_path, measured, progress=False)
    looked = [seen[step - 1] for step in (4, 6, 8, 10)]
    best, weights = max(looked, key=lambda each: each[0])
    resumed = Explained(data, settings.validate_every)
    resumed.load_state_dict(unflatten(flatten(measured.state_dict(), found := {}), found))
    for each in (measured, resumed):
        model = network()
        (sentence,) = each.choose(model)
        assert all(torch.equal(value, weights[name]) for name, value in model.state_dict().items())
        assert "of 4 states in the last 8 steps, one in 2" in sentence and f"({best:.4f})" in sentence
    assert Explained(data, 5).choose(network()) == []


def test_a_short_training_leaves_a_checkpoint_and_a_card_in_r2(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    whole = NumbersTask.sets_of_kind

    def few(self: NumbersTask, kind: Any, config: Any, sources: Any, split: str, limit: int | None = None) -> Any:
        return whole(self, kind, config, sources, split, 64)

    monkeypatch.setattr(NumbersTask, "sets_of_kind", few)
    folder = fit.train("ni-boolean", settings=BRIEF, config=TINY, folder=tmp_path, progress=False)
    model = checkpoint.load(folder / "model.safetensors")
    train = sets("train", 64)
    assert isinstance(model, NeuralInterpreter)
    assert model.config.target_means == pytest.approx([float(each.truth.mean()) for each in train])
    card = json.loads((folder / "card.json").read_text())
    assert {each["measure"] for each in card["accuracies"]} == {"R2"}
    assert len(card["accuracies"]) == 6 and [each["step"] for each in card["history"]] == [2, 4]
    told = (folder / "README.md").read_text()
    assert "R2" in told and "tokenizer: numbers" in told and "patches" not in told
