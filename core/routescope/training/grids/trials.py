"""Grids of small trainings: trials of many architectures, trained together in groups of one shape.

A group is what :class:`routescope.training.grids.many.Group` can run at once: SMFRs that differ in their width alone,
or any number of trials of one architecture. Every trial draws its own samples with its own seed, so that what it learns
from depends on nothing else in the group; a group is one measurement of an experiment, so that an interrupted grid goes
on with the first group that it had not finished.

Symbols: G networks, B samples, K values, T tasks, N output blocks.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import product
from typing import Any, cast

import torch
from jaxtyping import Float, Int64
from torch import Tensor

from routescope.data.blocks.rules import DigitTask, Draws
from routescope.nn.blocks.network import BlockModel
from routescope.nn.registry import ARCHITECTURES
from routescope.training.grids.many import Group, Inputs
from routescope.training.grids.padding import FREE
from routescope.training.recipes.blocks import sizes_of

#: Words for the kinds of networks in a grid, by architecture and attention.
KINDS = {
    ("smfr", "softmax"): "SMFR softmax",
    ("smfr", "gumbel"): "SMFR Gumbel",
    ("block_fnn", ""): "FNN",
    ("block_transformer", ""): "Transformer",
}
#: Between the seeds of one stream of samples and the next: no grid has as many trials.
STREAMS = 1_000_003
#: Steps whose samples are drawn at once.
AHEAD = 25
#: Samples as ``Group.right`` takes them, and the right digits.
Tested = tuple[Inputs, Int64[Tensor, "*G B N"]]


@dataclass(frozen=True)
class Trial:
    """One training of a grid.

    Attributes:
        architecture: name in the registry.
        sizes: the fields of its config that the grid varies, as (name, value).
        seed: of its first weights and of the samples it learns from.
        options: of the task's training distribution, as (name, value).
    """

    architecture: str
    sizes: tuple[tuple[str, int | str], ...]
    seed: int = 0
    options: tuple[tuple[str, bool | str], ...] = ()

    @property
    def kind(self) -> str:
        """The kind of the network in words, such as "SMFR softmax" or "FNN"."""
        return KINDS[self.architecture, str(dict(self.sizes).get("attention", ""))]

    @property
    def name(self) -> str:
        """The kind, sizes, options and seed in words; unique in a grid."""
        sizes = [f"{name} {value}" for name, value in self.sizes if name != "attention"]
        options = [f"{name} {value}" for name, value in self.options]
        return ", ".join([self.kind, *sizes, *options, f"seed {self.seed}"])

    @property
    def row(self) -> dict[str, Any]:
        """The trial's columns of a table."""
        return {"kind": self.kind, **dict(self.sizes), **dict(self.options), "seed": self.seed}

    def network(self, task: str, **sizes: Any) -> BlockModel:
        """Return the untrained network, the same for every call; ``sizes`` are further fields of its config."""
        make, cls, _ = ARCHITECTURES[self.architecture]
        with torch.random.fork_rng(devices=[]):
            torch.manual_seed(self.seed)
            return cast(BlockModel, cls(make(**sizes_of(task), **dict(self.sizes), **sizes)))


def trials_of(
    architecture: str,
    axes: Mapping[str, Sequence[int | str]],
    seeds: Iterable[int] = (0,),
    options: Sequence[Mapping[str, bool | str]] = ({},),
) -> list[Trial]:
    """Return a trial for every combination of sizes, options and seeds."""
    return [
        Trial(architecture, tuple(zip(axes, values, strict=True)), seed, tuple(chosen.items()))
        for chosen in options
        for values in product(*axes.values())
        for seed in seeds
    ]


def numbered(trials: Iterable[Trial]) -> list[Trial]:
    """Return the trials with their positions in the grid as seeds: no two share first weights or samples."""
    return [replace(trial, seed=number) for number, trial in enumerate(trials)]


def in_groups(trials: Iterable[Trial], most: int) -> list[list[Trial]]:
    """Return groups of at most ``most`` trials that can be trained together: they differ in width and shuffles only."""
    alike: dict[tuple[Any, ...], list[Trial]] = {}
    for trial in trials:
        fixed = tuple(size for size in trial.sizes if size[0] not in FREE)
        alike.setdefault((trial.architecture, fixed), []).append(trial)
    groups = []
    for trials_of_shape in alike.values():
        ordered = sorted(trials_of_shape, key=lambda trial: int(dict(trial.sizes).get("width", 0)))
        parts = -(-len(ordered) // most)
        ends = [len(ordered) * part // parts for part in range(parts + 1)]
        groups += [ordered[start:end] for start, end in zip(ends, ends[1:], strict=False)]
    return groups


def group_of(trials: Sequence[Trial], task: str, **settings: Any) -> Group:
    """Return the untrained networks of some trials as one group; ``settings`` are those of ``Group``."""
    return Group([trial.network(task) for trial in trials], seed=trials[0].seed, **settings)


class Lessons:
    """Batches that trials learn from; each trial draws its own samples.

    Args:
        task: of digits.
        trials: whose samples these are; their ``options`` are passed to the task's ``training``.
        batch_size: samples of a step, for each trial.
        stream: another one for every stage of a training, so that no stage repeats the random numbers of another.
        more: further options of the training distribution, the same for all.
    """

    def __init__(self, task: DigitTask, trials: Sequence[Trial], batch_size: int, stream: int = 0, **more: Any) -> None:
        self.task, self.batch_size = task, batch_size
        self._options = [{**dict(trial.options), **more} for trial in trials]
        self._generators = [torch.Generator().manual_seed(trial.seed + stream * STREAMS) for trial in trials]
        self._batches: Iterator[tuple[tuple[Tensor, Tensor], Tensor]] = iter(())

    def next(self) -> tuple[tuple[Float[Tensor, "G B K s"], Float[Tensor, "G B T s"]], Int64[Tensor, "G B N"]]:
        """Return the inputs of the next step, as ``Group.step`` takes them, and the right digits."""
        try:
            return next(self._batches)
        except StopIteration:
            self._batches = iter(self._drawn())
            return next(self._batches)

    def only(self, places: Sequence[int]) -> None:
        """Keep some of the trials; each has the samples that it would have had."""
        self._options = [self._options[index] for index in places]
        self._generators = [self._generators[index] for index in places]
        self._batches = iter(
            [((values[places], tasks[places]), digits[places]) for (values, tasks), digits in self._batches]
        )

    def _drawn(self) -> list[tuple[tuple[Tensor, Tensor], Tensor]]:
        drawn = [
            self.task.training(generator, AHEAD * self.batch_size, **options)
            for generator, options in zip(self._generators, self._options, strict=True)
        ]
        digits, program = (torch.cat([part_of_draws[part] for part_of_draws in drawn]) for part in (0, 1))
        blocks, answers = self.task.encode(digits, program), self.task.answer(digits, program)
        by_step = (
            part_of_draws.unflatten(0, (len(drawn), AHEAD, self.batch_size)).unbind(1)
            for part_of_draws in (blocks.values, blocks.tasks, answers)
        )
        return [((values, tasks), right) for values, tasks, right in zip(*by_step, strict=True)]


def samples(task: DigitTask, draws: Draws) -> Tested:
    """Return samples that every network is tested on, and the right digits."""
    return task.encode(*draws), task.answer(*draws)


def samples_of_each(task: DigitTask, draws: Sequence[Draws]) -> Tested:
    """Return equally many samples for each network, and the right digits."""
    digits, program = (torch.cat([tensor[part] for tensor in draws]) for part in (0, 1))
    blocks, answers = task.encode(digits, program), task.answer(digits, program)
    values, tasks, right = (tensor.unflatten(0, (len(draws), -1)) for tensor in (blocks.values, blocks.tasks, answers))
    return (values, tasks), right


def accuracy(group: Group, tested: Tested) -> Float[Tensor, " G"]:
    """Return each network's share of samples with all outputs right."""
    right: Tensor = group.right(*tested)
    return right.all(dim=-1).double().mean(dim=-1)


def train(
    group: Group,
    lessons: Lessons,
    steps: int,
    every: int,
    look: Callable[[int, Float[Tensor, " G"]], bool],
) -> None:
    """Train a group for some steps.

    Args:
        look: told (steps done, losses of that step) after every ``every`` steps; True ends the training.
    """
    for step in range(1, steps + 1):
        losses = group.step(*lessons.next())
        if step % every == 0 and look(step, losses):
            return
