"""The one loop in which samples run through a network: batch by batch, under an intervention, listening to probes."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np
import torch
from jaxtyping import Bool, Float32
from torch import Tensor

from routescope.data.samples import Rows, Samples
from routescope.nn.inputs.kind import Inputs
from routescope.nn.mixture.routed import RoutedNetwork
from routescope.nn.network import Network
from routescope.nn.probe import Captured
from routescope.nn.windows import Windows
from routescope.routing.ablation import Ablation
from routescope.routing.intervention import Intervention
from routescope.routing.listening import by_step, names_along, on_all_units, there_of, without_padding
from routescope.routing.options import InterventionError

#: Samples of the first piece, so that the first figure comes soon, and of the others: one pass of the bundled model.
FIRST_BATCH = 32
BATCH = 107


@dataclass(frozen=True, eq=False)
class Ran:
    """One batch that ran.

    Attributes:
        rows: places of its samples among all.
        out: what the network answered, (sample, domain, ...), on its device; of samples that were cut into windows
            (``Cutting``) a row for each window, here and in ``mask``, ``fields`` and ``there``.
        mask: which tokens of the batch are no padding, on its device; None: all.
        fields: name of a field -> one tensor for each name along its axis (one in all, where it is reported once a
            forward), with the field's axes. Axes of units have every unit of the step's script; those that do not
            compute have zeros. Where samples have different numbers of tokens, the axis of tokens has as many as one
            can have, with NaN at padding, and 0 in compatibilities.
        there: which of all tokens there are; None: all of them, in every sample.
    """

    rows: Sequence[int]
    out: Tensor
    mask: Bool[Tensor, "B V"] | None
    fields: dict[str, list[Tensor]]
    there: Bool[Tensor, "B V"] | None


def run(
    ablation: Ablation,
    inputs: Callable[[Sequence[int]], Inputs],
    grid: Iterable[Sequence[int]],
    only: Sequence[str] = (),
    batch_size: int = BATCH,
) -> Iterator[Ran | None]:
    """Run samples under an intervention, one batch an item; None for work that prepares ``mean`` and ``resample``.

    Between two items no hook is registered anywhere: an iteration may be left at any time, and others may compute on
    the network meanwhile.

    Args:
        inputs: what the network takes of the samples at these places.
        grid: the places of each batch.
        only: names of the fields to listen to.
        batch_size: reference samples that run at once to find means.

    Raises:
        IncompleteTrace: when a field was not reported for every sample exactly once per step.
        ValueError: for fields that the network has not.
    """
    for _ in ablation.prepare(batch_size):
        yield None
    for rows in grid:
        donated = ablation.donated(rows)
        if donated:
            yield None
        batch = inputs(rows)
        with ablation.replaced(donated), ablation.view.capture(only) as captured:
            out = ablation.run(batch)
        mask, present = ablation.view.tokens_of(batch).mask, there_of(ablation.view, batch)
        fields = _heard(ablation, captured, len(batch), present)
        yield Ran(rows, out, None if mask is None else mask.to(out.device), fields, present)


def _heard(
    ablation: Ablation, captured: Captured, samples: int, present: Bool[Tensor, "B V"] | None
) -> dict[str, list[Tensor]]:
    view, known_fields, heard = ablation.view, ablation.view.fields, {}
    for name, parts in captured.items():
        field = known_fields[name]
        reported = by_step(name, parts, names_along(view, field.along, ablation.iterations), field.dims, samples)
        whole = on_all_units(view, reported, field.dims)
        heard[name] = [without_padding(name, part, field.dims, present) for part in whole]
    return heard


def pieces(count: int, first: int, size: int) -> Iterator[range]:
    """Yield the positions of every piece: a first one of at most ``first``, then at most ``size`` each."""
    start, stop = 0, min(count, first, size)
    while start < stop:
        yield range(start, stop)
        start, stop = stop, min(stop + size, count)


def whole_passes(model: Network, count: int, start: int = 0) -> Iterator[range]:
    """Yield the positions of ``count`` samples in batches of as many as the network computes in one pass.

    Args:
        start: samples that ran before, and are left out. Where that is a number of whole batches, the others run in the
            batches in which they would have run.
    """
    size = model.rows_at_once()
    return (range(start + rows.start, start + rows.stop) for rows in pieces(count - start, size, size))


def rows_of(places: Sequence[int]) -> Rows:
    """Return the positions as data sets take them: a slice where they follow each other, which copies nothing."""
    return slice(places.start, places.stop, places.step) if isinstance(places, range) else places


def inputs_of(model: Network, dataset: Samples) -> Callable[[Sequence[int]], Inputs]:
    """Return a function that gives the inputs of the samples at some positions of a data set."""
    return lambda places: model.as_inputs(dataset.inputs(rows_of(places)))


class Cutting:
    """Cuts the texts of a batch into windows, where the network reads texts.

    Attributes:
        windows: of the last batch; None where the network reads no texts.
    """

    def __init__(self, ablation: Ablation, inputs: Callable[[Sequence[int]], Inputs]) -> None:
        self._ablation, self._inputs = ablation, inputs
        self.windows: Windows | None = None

    def inputs(self, rows: Sequence[int]) -> Inputs:
        """Return the inputs of the samples at these positions, in windows.

        Raises:
            ValueError: no text has a token.
            InterventionError: a text in several windows whose contributions would be those for another sample.
        """
        inputs, view = self._inputs(rows), self._ablation.view
        if not isinstance(view, RoutedNetwork):
            return inputs
        self.windows = windows = view.windows(inputs)
        if not len(windows.sample):
            raise ValueError("no text of this batch has a token: leave empty texts out")
        if self._ablation.resamples and len(windows.several):
            sample = rows[int(windows.several[0])]
            raise InterventionError(
                f"sample {sample} is longer than the context, and resample has no other sample for its later windows: "
                "use mean, drop or mute, a larger context, or cut texts"
            )
        return windows.inputs


def left_out_of(model: Network, datasets: Sequence[Samples]) -> tuple[int, int]:
    """Return tokens and bytes at the end of texts that one pass does not read; (0, 0) for other samples."""
    if not isinstance(model, RoutedNetwork):
        return 0, 0
    left_out = [model.left_out(inputs_of(model, dataset)(range(len(dataset)))) for dataset in datasets]
    return sum(int(part.tokens.sum()) for part in left_out), sum(int(part.bytes.sum()) for part in left_out)


@dataclass(frozen=True, eq=False)
class Routed:
    """One batch of a data set, as arrays.

    Attributes:
        rows: places of the samples in their data set.
        fields: name of a field -> arrays, as ``Ran`` has them.
        out: of every domain's head.
        there: which of all tokens there are, as ``Ran`` has it.
    """

    rows: range
    fields: dict[str, list[np.ndarray]]
    out: Float32[np.ndarray, "sample domain *answer"]
    there: Bool[np.ndarray, "sample token"] | None


def routed(
    model: Network,
    dataset: Samples,
    count: int,
    intervention: Intervention,
    only: Sequence[str],
    seed: int = 0,
    grid: Iterable[range] | None = None,
) -> Iterator[Routed | None]:
    """Run the first ``count`` samples of a data set, in as many at once as the network computes in one pass: see
    ``run``.

    The data set itself is the reference of ``mean`` and ``resample``.

    Args:
        grid: some of the batches that ``whole_passes`` gives; None: all of them.

    Raises:
        IncompleteTrace: a field was not reported for every sample exactly once at each step.
        InterventionError: units that the model lacks.
        ValueError: a data set without a head.
    """
    model.head_of(dataset.domain)
    ablation = Ablation(model, intervention, dataset, seed)
    size = model.rows_at_once()
    wanted = whole_passes(model, count) if grid is None else grid
    for batch in run(ablation, inputs_of(model, dataset), wanted, only, size):
        if batch is None:
            yield None
            continue
        rows = range(batch.rows[0], batch.rows[-1] + 1)
        fields = {name: [_array(part) for part in parts] for name, parts in batch.fields.items()}
        present = None if batch.there is None else batch.there.cpu().numpy()
        yield Routed(rows, fields, _array(batch.out), present)


def _array(tensor: Tensor) -> np.ndarray:
    return tensor.to(torch.float32).cpu().numpy()
