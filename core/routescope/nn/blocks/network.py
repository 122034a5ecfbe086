"""A network of blocks: an SMFR that is run once or several times on values and a task indicator.

*Block-Operations: Using Modular Routing to Improve Compositional Generalization* (2024), Section 5. Every iteration
reads the values and the task's block; where the task has iterations, the blocks that come out are the next one's
values. Hidden blocks are the units: a dropped one is neither made nor read, so that the weights of those that stay are
renormalised. Names: level.block ("1.3"), counted from 1; blocks that go in and come out have the names of the config.

Symbols: B samples, K values, M = K + 1 blocks read, N blocks made, s numbers in a block.
"""

import json
from abc import abstractmethod
from collections.abc import Iterable, Sequence
from typing import Self, cast

import torch
from jaxtyping import Float
from torch import Tensor, nn

from routescope.nn.blocks.config import BlockTaskConfig, SMFRConfig
from routescope.nn.blocks.operations import SMFR, Passed
from routescope.nn.blocks.routes import RouteChanges, route_of
from routescope.nn.inputs.blocks import Blocks
from routescope.nn.network import Network, ReroutableNetwork
from routescope.nn.probe import Probe
from routescope.nn.registry import register

#: Samples that one pass holds at once on a processor.
CHUNK_SAMPLES = 512


class OutputProbes(nn.Module):
    """The places to which hooks can listen in a network without routing: the blocks that it makes."""

    def __init__(self) -> None:
        super().__init__()
        self.blocks = Probe("blocks", ("sample", "block", "feature"))


class BlockModel(Network):
    """The base class of networks of blocks: iterations, the answer, and names.

    A subclass gives ``once``: the blocks that one iteration makes.
    """

    kinds = (Blocks,)
    unit_kind = "block"
    config: BlockTaskConfig

    def __init__(self, config: BlockTaskConfig) -> None:
        super().__init__()
        self.config = config
        if config.shuffle_seed is not None:
            count = len(config.values) * config.block_size
            generator = torch.Generator().manual_seed(config.shuffle_seed)
            self.register_buffer("shuffle", torch.randperm(count, generator=generator))
        self.probes: nn.Module = OutputProbes()
        self.keep_all()

    @abstractmethod
    def once(
        self,
        x: Float[Tensor, "B M s"],
        iteration: int,
        bias: Float[Tensor, "B M w"] | None = None,
        seen: list[Passed] | None = None,
    ) -> Float[Tensor, "B N s"]:
        """The blocks that an iteration makes of values and task indicator."""

    def run(
        self,
        blocks: Blocks,
        iterations: int | None = None,
        bias: Float[Tensor, "B M w"] | None = None,
        seen: list[Passed] | None = None,
    ) -> Float[Tensor, "B N s"]:
        """All output blocks after some iterations; the values where none runs.

        Args:
            bias: of an SMFR: added to the logits of the first Multiplexer, at every iteration.
            seen: gets what every MFNNR of every iteration did, for losses on their logits.

        Raises:
            ValueError: for a number of iterations that this network cannot run.
        """
        iterations = self.config.iterations if iterations is None else iterations
        if iterations != 1 and not self.config.repeats:
            raise ValueError(f"a network for {self.config.task!r} runs one iteration, not {iterations}")
        state = blocks.values
        for iteration in range(iterations):
            if self.config.shuffle_seed is not None:
                state = state.flatten(1)[:, cast(Tensor, self.shuffle)].unflatten(1, state.shape[1:])
            state = self.once(torch.cat((state, blocks.task(iteration)[:, None]), dim=1), iteration, bias, seen)
        return state

    def forward(self, inputs: Blocks, iterations: int | None = None) -> Float[Tensor, "B 1 classes"]:
        """Logits of the digit in the block that each sample asks for."""
        parts = (inputs,) if self.training else inputs.split(self.rows_at_once())
        return torch.cat([self._answer(part, self.run(part, iterations)) for part in parts])

    def _answer(self, inputs: Blocks, made: Float[Tensor, "B N s"]) -> Float[Tensor, "B 1 classes"]:
        asked = made[torch.arange(len(made), device=made.device), inputs.asked]
        return self.config.logit_scale * asked[:, None, : self.config.classes]

    @property
    def chunk_tokens(self) -> int:
        """Tokens (samples x blocks read) that one pass holds at once on a processor."""
        return CHUNK_SAMPLES * len(self.tokens)

    # -- names ---------------------------------------------------------------------------------------------

    @property
    def all_units(self) -> tuple[str, ...]:
        """Names of everything that can be dropped: nothing."""
        return ()

    @property
    def tokens(self) -> tuple[str, ...]:
        """Names of the blocks that are read."""
        return self.config.inputs

    @property
    def most_iterations(self) -> int | None:
        """One, or any number (None) where the task is one of iterations."""
        return None if self.config.repeats else 1

    @property
    def least_iterations(self) -> int:
        """Return 1 for tasks without iterations, which have no answer before the first; else 0."""
        return 0 if self.config.repeats else 1

    def step_names(self, iterations: int) -> tuple[str, ...]:
        """Names of the steps of a run: its iterations."""
        return tuple(f"i{t + 1}" for t in range(iterations))

    def attributes(self) -> dict[str, float | str]:
        return {"task": self.config.task}

    def example(self, batch: int) -> Blocks:
        """Inputs of the right shape, all zeros: to count operations with."""
        K, s, T = len(self.config.values), self.config.block_size, max(1, self.config.iterations)
        zeros = torch.zeros(batch, K + T, s, device=self.device)
        return Blocks(zeros[:, :K], zeros[:, K:], torch.zeros(batch, dtype=torch.long, device=self.device))


class BlockProbes(nn.Module):
    """The places of an SMFR to which hooks can listen; their names are public.

    MFNNRs of different sizes report as many sources and blocks as the largest has; what is not there, or dropped, is
    NaN.
    """

    def __init__(self) -> None:
        super().__init__()
        self.inputs = Probe("inputs", ("sample", "source", "feature"))
        self.multiplexer_weights = Probe("multiplexer_weights", ("sample", "source", "block"))
        self.gates = Probe("gates", ("sample", "block"))
        self.routed = Probe("routed", ("sample", "block", "feature"))
        self.computed = Probe("computed", ("sample", "block", "feature"))
        self.blocks = Probe("blocks", ("sample", "block", "feature"))


@register("smfr", family="SMFR (block-operations)", config=SMFRConfig)
class BlockNetwork(ReroutableNetwork, BlockModel):
    """An SMFR with its task.

    Args:
        config: every size; see ``SMFRConfig``.
    """

    Config = SMFRConfig
    config: SMFRConfig
    changes = RouteChanges()

    def __init__(self, config: SMFRConfig) -> None:
        super().__init__(config)
        M, N = len(config.inputs), len(config.outputs)
        self.smfr = SMFR(
            M,
            N,
            config.block_size,
            config.depth,
            config.width,
            config.hidden,
            config.layers,
            config.attention,
            config.context,
        )
        self.probes: BlockProbes = BlockProbes()

    def once(
        self,
        x: Float[Tensor, "B M s"],
        iteration: int,
        bias: Float[Tensor, "B M w"] | None = None,
        seen: list[Passed] | None = None,
    ) -> Float[Tensor, "B N s"]:
        """The SMFR on one iteration's blocks; see ``run``."""
        made, passed = self.smfr(x, bias, self._steering)
        if seen is not None:
            seen.extend(passed)
        for at, mfnnr in enumerate(passed):
            self._report(at, iteration * len(passed) + at, x, mfnnr)
            x = mfnnr.blocks
        result: Tensor = made
        return result

    def _report(self, at: int, step: int, x: Float[Tensor, "B M s"], passed: Passed) -> None:
        """Tell listeners what the MFNNR number ``at`` did, in the places of all blocks."""
        probes, read, made = self.probes, self._places[at], self._places[at + 1]
        most = max(len(level) for level in self.levels)
        for probe, tensor, places in (
            (probes.inputs, x, (read, None)),
            (probes.multiplexer_weights, passed.weights, (read, made)),
            (probes.gates, passed.gates, (made,)),
            (probes.routed, passed.routed, (made, None)),
            (probes.computed, passed.computed, (made, None)),
            (probes.blocks, passed.blocks, (made, None)),
        ):
            if probe.listening:
                probe(_spread(tensor, places, most), step=step)

    # -- names ---------------------------------------------------------------------------------------------

    @property
    def levels(self) -> tuple[tuple[str, ...], ...]:
        """Names of the blocks of every level: those read, the hidden ones, those that come out."""
        config = self.config
        hidden = (tuple(f"{d + 1}.{n + 1}" for n in range(config.width)) for d in range(config.depth))
        return (config.inputs, *hidden, config.outputs)

    @property
    def all_units(self) -> tuple[str, ...]:
        """Names of the hidden blocks of the full model, dropped or not."""
        return tuple(name for level in self.levels[1:-1] for name in level)

    @property
    def groups(self) -> dict[str, tuple[str, ...]]:
        """Level -> its hidden blocks; the last level's come out, and none of them is a unit."""
        hidden = {str(at + 1): level for at, level in enumerate(self.levels[1:-1])}
        return {**hidden, "out": ()}

    @property
    def route_names(self) -> tuple[str, ...]:
        """Names of all routes of the full model, MFNNR by MFNNR."""
        pairs = zip(self.levels, self.levels[1:], strict=False)
        return tuple(route_of(source, block) for read, made in pairs for block in made for source in read)

    def step_names(self, iterations: int) -> tuple[str, ...]:
        """Names of the steps: every MFNNR, of every iteration where the task has several."""
        mfnnrs = [f"l{at + 1}" for at in range(self.config.depth + 1)]
        if not self.config.repeats:
            return tuple(mfnnrs) * iterations
        return tuple(f"i{t + 1}.{name}" for t in range(iterations) for name in mfnnrs)

    def computing(self, step: int, steps: int) -> tuple[int, ...]:
        """Places of the units that compute at a step: those of the level that it makes, none where that comes out."""
        hidden = (*self.levels[1:-1], ())
        made = hidden[step % len(hidden)]
        return tuple(self.all_units.index(unit) for unit in self.units if unit in made)

    def group_at(self, step: int, steps: int) -> str:
        """The level that a step makes."""
        return tuple(self.groups)[step % (self.config.depth + 1)]

    def units_at(self, step: int, steps: int) -> tuple[str, ...]:
        """Names of the hidden blocks that a step makes."""
        return tuple(self.all_units[place] for place in self.computing(step, steps))

    def coordinates(self) -> dict[str, tuple[str, ...]]:
        """Names along the axes of a trace; sources and blocks are counted, as their names differ between levels."""
        places = tuple(str(at + 1) for at in range(max(len(level) for level in self.levels)))
        return super().coordinates() | {"source": places, "block": places}

    def attributes(self) -> dict[str, float | str]:
        """Settings that belong beside a trace; ``levels`` names the sources and blocks of every MFNNR, as JSON."""
        return super().attributes() | {"levels": json.dumps(self.levels), "attention": self.config.attention}

    # -- views ---------------------------------------------------------------------------------------------

    def arrange(self) -> None:
        """Find the blocks of every level that take part, and what is changed about every MFNNR; None: nothing."""
        levels, dropped = self.levels, frozenset(self.all_units) - frozenset(self.units)
        self._places = [[place for place, name in enumerate(names) if name not in dropped] for names in levels]
        whole = not dropped and not self.silent and self.changes == RouteChanges()
        self._steering = None if whole else self.changes.steering(levels, self._places, self.muted)

    def reroute(
        self,
        mute_routes: Iterable[str] = (),
        copy_routes: Iterable[str] = (),
        gates: Iterable[tuple[str, float]] = (),
    ) -> Self:
        """A view in which routes are steered, at every iteration.

        Args:
            mute_routes: names of routes ("A>1.3") whose weight is zero; the others of their block are renormalised, and
                a block without any is zeros before its gate.
            copy_routes: names of routes, one for a block: the block copies the source, with a gate of 0.
            gates: (name of a block, value from 0 to 1): gates that are fixed. They win over those of copies.

        What names a block that is left out has no effect.

        Raises:
            ValueError: for a route, block or value that there is not; two copies or two gates for one block.
        """
        return self.with_changes(changes=self.changes.with_routes(self.levels, mute_routes, copy_routes, gates))


def _spread(tensor: Tensor, places: Sequence[list[int] | None], most: int) -> Tensor:
    """Spread numbers over ``most`` places along the axes after the first, with NaN elsewhere."""
    for axis, kept in enumerate(places, start=1):
        if kept is None or kept == list(range(most)):
            continue
        shape = list(tensor.shape)
        shape[axis] = most
        index = torch.tensor(kept, dtype=torch.long, device=tensor.device)
        tensor = tensor.new_full(shape, torch.nan).index_copy(axis, index, tensor)
    return tensor
