"""Training on clouds of points: what is seen in an epoch, what decides the classes, what a card says."""

import torch

from routescope.data import known_datasets
from routescope.training.recipes.points import POINT_RECIPES
from routescope.training.tasks.registry import TASKS


def test_every_cloud_is_seen_once_an_epoch_as_it_is(monkeypatch) -> None:
    for split in ("train", "validation", "test"):
        monkeypatch.setitem(known_datasets()["clouds"].splits, split, 24)
    recipe, task = POINT_RECIPES["nac-points"], TASKS["points"]
    settings = recipe.settings.for_steps(4)
    stream, config = task.stream(recipe.config, settings, {})
    stream.batch_size, stream.batches = 8, 3
    assert config.classes == 12 and config.class_names[5] == "torus"
    assert stream.count == 24 and stream.parts == (
        ("Solids (generated; stand-in for ModelNet40) (stand-in, train)", 24),
    )
    batches = [stream[step] for step in range(3)]
    assert all(points.shape == (8, 256, 3) for points, _, _ in batches)
    assert sorted(torch.cat([labels for _, labels, _ in batches]).tolist()) == sorted([*range(12)] * 2)
    learning = task.learning(recipe.architecture, config, settings)
    assert torch.equal(learning.seen(batches[0][0]), batches[0][0])
    learning.log = lambda *_args, **_more: None
    loss = learning.training_step(batches[0], 0)
    loss.backward()
    assert learning.model.tokenizer.embed.weight.grad.abs().sum() > 0
    assert [name for name, _ in task.scored(config, {})] == [
        "Solids (generated; stand-in for ModelNet40), validation",
        "Solids (generated; stand-in for ModelNet40), test",
    ]
    assert "first 256" in " ".join(task.notes(config, settings))
