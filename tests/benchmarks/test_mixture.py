"""What recording costs a mixture of experts, and what a drop does, beside plain forwards of the same run.

`make bench` measures; in `make test` each runs once, small, and only the answers are compared. No test asserts a time.
"""

from functools import cache

import numpy as np
import pytest
import torch
from torch import Tensor

from routescope import zoo
from routescope.data import load
from routescope.nn.inputs.text import Text
from routescope.nn.network import Network
from routescope.routing import Intervention, record
from routescope.routing.caused.scores import Scores, score
from tests.benchmarks.conftest import Measure

pytestmark = pytest.mark.timeout(1800)  # a busy machine may be slow; nothing here is judged by its time

MODEL = "moe-bytes"
#: Who takes what, how much of it, and by how much.
TOP_K = ("top_experts", "top_weights", "margin")


@cache
def mixture() -> Network:
    return zoo.load(MODEL)


def texts(count: int) -> Text:
    """Texts of 255 bytes: with the start, 256 tokens."""
    drawn = torch.randint(32, 127, (count, 255), generator=torch.Generator().manual_seed(1))
    return Text(tuple(bytes(row).decode() for row in drawn.tolist()))


@pytest.mark.parametrize("batch", [1, 64])
def test_recording_the_top_k(measure: Measure, batch: int) -> None:
    model, inputs = mixture(), texts(batch if measure.enabled else 2)
    nats: dict[str, Tensor] = {}

    def plain() -> None:
        nats["plain"] = model(inputs)

    def recorded() -> None:
        nats["recorded"] = torch.from_numpy(record(model, inputs, TOP_K)["nats"].to_numpy())

    with torch.no_grad():
        measure.side_by_side(
            "Recording",
            f"{MODEL}, {batch} texts of 256 tokens",
            {"plain": plain, "top-k recorded": recorded},
            samples=len(inputs),
            rounds=15 if batch == 1 else 9,
        )
    width = nats["recorded"].shape[-1]
    assert torch.equal(nats["recorded"].nan_to_num(), torch.nn.functional.pad(nats["plain"], (0, width - 256)))


def test_scoring_a_drop(measure: Measure) -> None:
    model, dataset = mixture(), load("python", "test")
    count = 64 if measure.enabled else 4
    measured = measure.side_by_side(
        "Drop",
        f"{MODEL}, {count} texts",
        {
            "nothing dropped": lambda: score(model, dataset, None, count),
            "l1.e1 dropped": lambda: score(model, dataset, Intervention(drop=("l1.e1",)), count),
            "half of each layer dropped": lambda: score(
                model, dataset, Intervention(drop=tuple(u for u in model.units if int(u[-1]) > 4)), count
            ),
        },
        samples=count,
        rounds=5,
    )
    assert all(isinstance(scores, Scores) and len(scores) == count for scores in measured.values())
    assert not np.array_equal(measured["nothing dropped"].value, measured["l1.e1 dropped"].value)
