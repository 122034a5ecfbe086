"""Every stream of training data gives a step the same batch whenever it is asked for, and each sample once an epoch."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from routescope.data import load
from routescope.data.blocks.tasks import TASKS
from routescope.data.statements.sets import quadruples
from routescope.nn.inputs.blocks import Blocks
from routescope.nn.mixture.config import MixtureConfig
from routescope.nn.registry import ARCHITECTURES
from routescope.training.recipes.blocks import BlockTrainingSettings, sizes_of
from routescope.training.tasks.blocks import stream_of
from routescope.training.tasks.matrices import ShuffledMatrices
from routescope.training.tasks.numbers import PointBatches
from routescope.training.tasks.pictures import Shuffled
from routescope.training.tasks.sequences import ByLength
from routescope.training.tasks.statements import Endless, Repeated
from routescope.training.tasks.text import Drawn
from tests.core.training.test_resume import noise

NUMBERS = ("boolean-01", "boolean-02", "boolean-03")
TEXTS = MixtureConfig(domains=("sums", "listops"))


def blocks(task: str) -> Callable[[int], Any]:
    config = ARCHITECTURES["smfr"][0](**sizes_of(task), depth=1, width=3, hidden=8)
    return lambda seed: stream_of(config, BlockTrainingSettings(steps=4, batch_size=8, seed=seed), {})


def matrices(seed: int) -> Any:
    limits = {"validation": 24, "test": 16}
    sets = [load("pgm-small-neutral", split, limit=limit, side=16) for split, limit in limits.items()]
    return ShuffledMatrices(sets, 10, seed)


#: Kind -> the stream of a seed, and its batches in an epoch, if it has one.
STREAMS: dict[str, tuple[Callable[[int], Any], int | None]] = {
    **{f"blocks, {task}": (blocks(task), None) for task in TASKS},
    "statements": (lambda seed: Endless(16, 16, seed), None),
    "statements of a set": (lambda seed: Repeated(quadruples(np.random.default_rng(0), 6, side=16), 8, seed), 3),
    "texts": (
        lambda seed: Drawn([load("sums", "train", limit=8), load("listops", "train", limit=8)], TEXTS, 4, seed), None,
    ),
    "sequences": (lambda seed: ByLength(load("listops-short", "validation", limit=100), 20, seed), 5),
    "matrices": (matrices, 4),
    "numbers": (lambda seed: PointBatches([load(name, "validation", limit=50) for name in NUMBERS], 10, seed), 5),
    "pictures": (lambda seed: Shuffled(noise(("mnist",), 40), 8, seed), 5),
}  # fmt: skip


def pieces(batch: Any) -> list[str]:
    """Return the samples of a batch as text, without their padding."""
    parts = [(part.values, part.tasks) if isinstance(part, Blocks) else (part,) for part in batch]
    samples = zip(*(part for several in parts for part in several), strict=True)
    return [" ".join(piece if isinstance(piece, str) else str(piece.tolist()) for piece in sample).replace(", -1", "")
            for sample in samples]  # fmt: skip


@pytest.mark.parametrize("kind", STREAMS)
def test_a_step_has_its_own_samples_whatever_was_asked_for_before(kind: str) -> None:
    make, batches = STREAMS[kind]
    stream, again = make(3), make(3)
    later, first = pieces(again[7]), pieces(again[0])
    assert pieces(stream[0]) == first and pieces(stream[7]) == later
    assert first != later and pieces(make(4)[0]) != first
    if batches is not None:
        epochs = [[piece for step in range(batches) for piece in pieces(stream[batches * n + step])] for n in (0, 1)]
        assert sorted(epochs[0]) == sorted(epochs[1]) and epochs[0] != epochs[1]
        assert len(set(epochs[0])) == len(epochs[0]) == stream.count, "every sample once"
