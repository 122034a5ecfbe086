"""How fast block-operations are: one network beside the literal version, and many trained together beside a plain loop.

`make bench` measures the addition grid (eight trials of each of 63 softmax SMFRs: widths 1 to 7, depths and contained
layers 1 to 3, batches of 32) in groups as the experiments train them; in `make test` everything runs once, small, and
only the answers are compared. No test asserts a time. The plain loop steps the same networks on the same samples one
after the other, each with its own `torch.optim.Adam`, as one would write it.
"""

from collections.abc import Sequence
from functools import cache
from typing import Any

import pytest
import torch
import torch.nn.functional as F
from torch import Tensor

from routescope.data.blocks.rules import DigitTask
from routescope.data.blocks.tasks import TASKS
from routescope.experiments.shared.block_grids import GridTraining
from routescope.nn.blocks.config import SMFRConfig
from routescope.nn.blocks.network import BlockModel, BlockNetwork
from routescope.nn.blocks.operations import Passed, regularisation
from routescope.nn.inputs.blocks import Blocks
from routescope.training.grids.many import Group
from routescope.training.grids.trials import Trial, group_of, in_groups, trials_of
from tests.benchmarks.conftest import Measure
from tests.oracles import block_operations as oracle

pytestmark = pytest.mark.timeout(1800)  # a busy machine may be slow; nothing here is judged by its time

BATCH = 32
#: Of one trial, to tell trials per minute: as many as the interference stage has.
STEPS_OF_A_TRIAL = 2000

ADDITION = TASKS["addmul"]
Batch = tuple[tuple[Tensor, Tensor], Tensor]


def grid(enabled: bool) -> list[Trial]:
    """Eight trials of each of the addition grid's SMFRs, or of a few small ones where nothing is measured."""
    sizes = {"depth": (1, 2, 3), "layers": (1, 2, 3), "width": (1, 2, 3, 4, 5, 6, 7)}
    small = {"depth": (1,), "layers": (1,), "width": (1, 2)}
    return trials_of("smfr", {"attention": ("softmax",), **(sizes if enabled else small)}, range(8 if enabled else 1))


def batch_of(models: int, size: int) -> Batch:
    assert isinstance(ADDITION, DigitTask)
    drawn = [ADDITION.training(torch.Generator().manual_seed(n), size, stage="preparation") for n in range(models)]
    blocks, answers = zip(*((ADDITION.encode(*drawing), ADDITION.answer(*drawing)) for drawing in drawn), strict=True)
    return (torch.stack([b.values for b in blocks]), torch.stack([b.tasks for b in blocks])), torch.stack(answers)


class PlainLoop:
    """Networks trained one after the other."""

    def __init__(self, models: Sequence[BlockModel], batch: Batch) -> None:
        self.models, self.batch = [model.train() for model in models], batch
        self.adams = [torch.optim.Adam(model.parameters(), lr=3e-4) for model in self.models]

    def step(self) -> Tensor:
        (values, tasks), digits = self.batch
        losses = []
        for at, (model, adam) in enumerate(zip(self.models, self.adams, strict=True)):
            seen: list[Passed] = []
            made = model.run(Blocks(values[at], tasks[at], digits[at, :, 0]), seen=seen)
            loss = F.mse_loss(made, F.one_hot(digits[at], made.shape[-1]).to(made.dtype)) + regularisation(seen)
            adam.zero_grad()
            loss.backward()
            torch.nn.utils.clip_grad_norm_(model.parameters(), 0.1)
            adam.step()
            losses.append(loss.detach())
        return torch.stack(losses)


class Groups:
    def __init__(self, trials: Sequence[Sequence[Trial]], batches: Sequence[Batch]) -> None:
        self.groups: list[Group] = [group_of(trial, "addmul") for trial in trials]
        self.batches = batches

    def step(self) -> Tensor:
        return torch.cat([group.step(*batch) for group, batch in zip(self.groups, self.batches, strict=True)])


def test_training_the_addition_grid(measure: Measure) -> None:
    """Steps of all trials in one run, in turn: a loop, and groups as the experiments train them."""
    trials, together = grid(measure.enabled), GridTraining().together
    batch_size = BATCH if measure.enabled else 4
    grouped = in_groups(trials, together)
    batches = [batch_of(len(member), batch_size) for member in grouped]
    models = [[trial.network("addmul") for trial in member] for member in grouped]
    loops = [PlainLoop(model, batch) for model, batch in zip(models, batches, strict=True)]
    together_ = Groups(grouped, batches)

    calls = {"plain loop": lambda: torch.cat([loop.step() for loop in loops]), "groups": together_.step}
    sizes = sorted({len(member) for member in grouped})
    about: dict[str, Any] = {"threads": torch.get_num_threads(), "networks": len(trials)}
    notes = {"groups": {**about, "in a group": "-".join(str(size) for size in sizes)}, "plain loop": about}
    measured = measure.side_by_side(
        f"Block-operations: training, trials of {STEPS_OF_A_TRIAL:,} steps a minute instead of samples a second",
        "addition grid, batch 32",
        calls,
        samples=60 * len(trials) / STEPS_OF_A_TRIAL,
        rounds=3,
        notes=notes,
    )
    for variant, losses in measured.items():
        torch.testing.assert_close(losses, measured["plain loop"], rtol=1e-3, atol=1e-5, msg=variant)
    trained = [model for group in together_.groups for model in group.models()]
    alone = [model for own in models for model in own]
    for mine, theirs in zip(trained, alone, strict=True):
        for a, b in zip(mine.parameters(), theirs.parameters(), strict=True):
            torch.testing.assert_close(a, b, rtol=1e-2, atol=1e-3)


@cache
def network(depth: int, width: int) -> BlockNetwork:
    torch.manual_seed(0)
    return BlockNetwork(SMFRConfig(depth=depth, width=width)).eval().requires_grad_(False)


@pytest.mark.parametrize("batch", [1, 64])
@torch.no_grad()
def test_forward_of_one_network(measure: Measure, batch: int) -> None:
    model = network(2, 8) if measure.enabled else network(1, 2)
    size = batch if measure.enabled else 1
    generator = torch.Generator().manual_seed(1)
    digits = torch.randint(0, 10, (size, 7), generator=generator)
    blocks = F.one_hot(digits, 10).float()
    inputs = Blocks(blocks[:, :5], blocks[:, 5:], torch.zeros(size, dtype=torch.long))
    weights = dict(model.smfr.named_parameters())

    def literal() -> Tensor:
        outcome = [
            oracle.run(weights, list(values), list(tasks), model.smfr.sizes, 2)[-1][-1].blocks
            for values, tasks in zip(inputs.values, inputs.tasks, strict=True)
        ]
        return torch.stack([torch.stack(member) for member in outcome])

    calls = {"literal": literal, "network": lambda: model.run(inputs)}
    measured = measure.side_by_side(
        "Block-operations: forward", f"depth 2, width 8, two iterations, batch {batch}", calls, samples=size, rounds=3
    )
    torch.testing.assert_close(measured["network"], measured["literal"], rtol=1e-4, atol=1e-5)
