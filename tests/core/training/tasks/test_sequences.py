"""Training on sequences: batches of nearly the same length, every sample once an epoch, and that a circuit learns."""

import json
from dataclasses import replace
from pathlib import Path

import pytest

from routescope.data import DataError, load
from routescope.data.sequences.sets import SequenceSet
from routescope.training.fit import train
from routescope.training.recipes.networks import RECIPES
from routescope.training.tasks.sequences import ByLength, SequencesTask
from routescope.zoo import checkpoint

SMALL = {"features": 16, "code_features": 16, "signature_features": 8, "modules": 6, "readouts": 2, "layers": 1}


def shortest(limit: int = 500) -> SequenceSet:
    found = load("listops-short", "validation", limit=limit)
    assert isinstance(found, SequenceSet)
    return found


def test_batches_have_little_padding() -> None:
    data = shortest(510)  # ten are left out of an epoch
    stream = ByLength(data, 20, seed=3)
    assert stream.count == 510
    padding = sum(int((stream[step][0] < 0).sum()) for step in range(25))
    assert padding < 0.25 * int(data.lengths.sum()), "batches by chance have several times as much"
    values, labels, domain = stream[30]
    assert values.shape[0] == len(labels) == 20 and not domain.any()


def test_a_set_with_longer_sequences_than_the_network_reads_is_refused() -> None:
    recipe = RECIPES["nac-listops"]
    task, config = SequencesTask(), replace(recipe.config, max_length=10, domains=("reviews",))
    with pytest.raises(DataError, match="max_length is 10"):
        task.stream(config, recipe.settings, {})
    with pytest.raises(DataError, match="max_length is 10"):
        task.measured(config, recipe.settings, {})
    with pytest.raises(TypeError, match="trained on sequences; not all of mnist are sequences"):
        task.stream(replace(config, domains=("mnist",)), recipe.settings, {})


@pytest.mark.slow
@pytest.mark.parametrize("name", ["nac-bytes", "pio-bytes"])
def test_a_short_training_learns_and_its_card_says_what_it_is(name: str, tmp_path: Path) -> None:
    recipe = RECIPES[name]
    sizes = {**SMALL, "heads": 2, "head_features": 8, "ffn_hidden": 16, "readin_heads": 2, "readin_head_features": 8}
    config = replace(recipe.config, **sizes, max_length=300)
    rows = "".join(f"{word * 3}\t{label}\n" for word, label in (("good ", 1), ("dull ", 0), ("fine ", 1), ("poor ", 0)))
    for split in ("train", "validation", "test"):
        (tmp_path / f"{split}.tsv").write_text("text\tlabel\n" + rows * 8)
    settings = replace(recipe.settings, steps=60, batch_size=16, learning_rate=1e-2, warmup_steps=5, validate_every=30)
    folder = train(name, {"reviews": str(tmp_path)}, settings, config, tmp_path / "out", progress=False)
    card = json.loads((folder / "card.json").read_text())
    assert [each["accuracy"] for each in card["accuracies"]] == [1.0, 1.0]
    assert card["history"][-1]["step"] == 60
    assert "sequences" in (folder / "README.md").read_text()
    model = checkpoint.load(folder / "model.safetensors")
    assert model.inputs.kind == "bytes"
