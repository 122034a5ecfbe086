"""Training on texts: batches of every domain, a loss that leaves padding out, balance, and a card in bits a byte."""

import json
import math
from dataclasses import replace
from pathlib import Path

import pytest
import torch
import torch.nn.functional as F

from routescope.data import load
from routescope.nn.inputs.text import Text
from routescope.nn.mixture.config import MixtureConfig
from routescope.nn.mixture.network import RouterOutput, balance
from routescope.routing.caused.scores import evaluate
from routescope.training import fit
from routescope.training.settings import TrainingSettings
from routescope.training.tasks import text
from routescope.training.tasks.text import Drawn, NextByte, TextBatch, TextTask
from routescope.zoo import checkpoint

TINY = MixtureConfig(domains=("sums", "listops"), layers=2, features=16, heads=2, experts=4, top_k=2, hidden=8)
BRIEF = TrainingSettings(
    steps=4, batch_size=4, validate_every=2, optimizer="adamw", balance_weight=0.1, precision="32-true", augment=False
)


@pytest.fixture
def stream() -> Drawn:
    return Drawn([load("sums", "train", limit=8), load("listops", "train", limit=8)], TINY, 4, seed=3)


def learning() -> NextByte:
    torch.manual_seed(0)
    found = TextTask().learning("mixture", TINY, BRIEF)
    assert isinstance(found, NextByte)
    return found


def test_a_step_has_texts_of_every_domain(stream: Drawn) -> None:
    first = stream.texts(5)
    assert all("+" in each for each in first[::2])
    assert all("[" in each for each in first[1::2])
    assert stream.count == 16
    assert stream.parts == (("Sums (train)", 8), ("ListOps (train)", 8))


def test_the_loss_is_the_mean_over_bytes_and_knows_no_padding(stream: Drawn) -> None:
    task = learning()
    task.settings = replace(BRIEF, balance_weight=0.0)
    batch = stream[0]
    expected, bytes_read = 0.0, 0
    for one in stream.texts(0):
        ids, _ = task.model.batch_of(task.model.ids_of(Text((one,))))
        nats = F.cross_entropy(task.model.logits(ids)[0, :-1], ids[0, 1:], reduction="sum")
        expected, bytes_read = expected + nats.item(), bytes_read + len(one)
    assert task.training_step(batch, 0).item() == pytest.approx(expected / bytes_read, rel=1e-5)
    wider = TextBatch(F.pad(batch.ids, (0, 3), value=7), F.pad(batch.there, (0, 3)))
    assert task.training_step(wider, 0).item() == pytest.approx(expected / bytes_read, rel=1e-5)


def test_balance_is_one_where_even_and_the_number_of_experts_where_one_takes_all() -> None:
    there = torch.tensor([True] * 4 + [False])
    even = RouterOutput(torch.zeros(5, 4), torch.ones(5, 1), torch.tensor([[0], [1], [2], [3], [3]]))
    assert balance([even], there).item() == pytest.approx(1.0)
    one = RouterOutput(torch.tensor([[50.0, 0, 0, 0]] * 5), torch.ones(5, 1), torch.zeros(5, 1, dtype=torch.long))
    assert balance([one], there).item() == pytest.approx(4.0)
    assert balance([even, one], there).item() == pytest.approx(2.5)


def test_balance_reaches_the_routers_of_every_layer(stream: Drawn) -> None:
    task = learning()
    choices: list[RouterOutput] = []
    batch = stream[0]
    task.model.logits(batch.ids, choices=choices)
    balance(choices, batch.there.flatten()).backward()
    for layer in task.model.layers:
        gradient = layer.experts.router.weight.grad  # type: ignore[union-attr]
        assert gradient is not None
        assert gradient.abs().max() > 0


def test_learning_makes_bits_fewer(stream: Drawn) -> None:
    task = learning()
    task.settings = replace(BRIEF, learning_rate=1e-2)
    optimizer = task.configure_optimizers()["optimizer"]
    for group in optimizer.param_groups:
        group["lr"] = 1e-2
    losses = []
    for step in range(40):
        loss = task.training_step(stream[step], 0)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        losses.append(loss.item())
    assert losses[-1] < 0.7 * losses[0]
    assert losses[0] == pytest.approx(math.log(257) + 0.1, rel=0.05)


@pytest.mark.slow
def test_a_training_writes_a_card_in_bits_a_byte(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, stream: Drawn
) -> None:
    def few(name: str, split: str, *_: object) -> object:
        return load(name, split, limit=12)

    monkeypatch.setattr(text, "load", few)
    folder = fit.train("moe-bytes", settings=BRIEF, config=TINY, folder=tmp_path, progress=False, mixture=stream)
    card = json.loads((folder / "card.json").read_text())
    assert [entry["step"] for entry in card["history"]] == [2, 4]
    assert [each["data"] for each in card["accuracies"]] == [
        "Sums, test", "Sums, validation", "ListOps, test", "ListOps, validation"
    ]  # fmt: skip
    model = checkpoint.load(folder / "model.safetensors")
    for each in card["accuracies"]:
        assert each["measure"] == "bits a byte"
        assert not each["higher_is_better"]
        assert 1 < each["low"] < each["accuracy"] < each["high"] < 9
    scores = evaluate(model, load("sums", "test", limit=12))
    assert card["accuracies"][0]["accuracy"] == pytest.approx(scores.figure)
    page = (folder / "README.md").read_text()
    assert "| scored on | bits a byte | 95 % interval | samples |" in page
    assert f"| Sums, test | {scores.figure:.3f} | " in page
    assert "4 experts a layer, of which a token takes 2" in page
    assert "weight of the load-balancing loss in the objective 0.1" in page
    assert "%" not in page.partition("## Trained on")[0].replace("95 % interval", "")
