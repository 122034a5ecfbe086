"""Subject of a check: a network, samples for it, and a few of them of different lengths that most invariants run on."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property

import numpy as np
import torch
from jaxtyping import Bool, Int64, Shaped
from torch import Tensor

from routescope.nn.experts import NO_EXPERT
from routescope.nn.inputs.kind import Inputs
from routescope.nn.inputs.text import Text
from routescope.nn.network import Changes, Network
from routescope.routing.ablation import Ablation
from routescope.routing.intervention import Intervention
from routescope.routing.recording import default_fields
from routescope.routing.running import Ran, run

#: Samples that most invariants run on.
FEW = 4
#: Largest difference of sums in another order, by precision; below single precision ``COARSE``.
TOLERANCES = {torch.float64: 1e-5, torch.float32: 1e-5}
COARSE = 2e-2


#: Fields that say which units a token takes, the best first.
TAKEN = ("top_experts", "compatibility")


@dataclass(frozen=True, eq=False)
class TokensByUnit:
    """Tokens by the units that they take.

    Attributes:
        units: names of all units.
        counts: tokens of each sample that take each unit, at all steps of its group.
        lengths: tokens of each sample.
    """

    units: tuple[str, ...]
    counts: Int64[np.ndarray, "unit sample"]
    lengths: Int64[np.ndarray, " sample"]

    def of(self, units: Sequence[str]) -> Int64[np.ndarray, "some sample"]:
        """Return the counts of some units, in their order."""
        places = {unit: position for position, unit in enumerate(self.units)}
        return self.counts[[places[unit] for unit in units]]

    @property
    def tokens(self) -> int:
        """Tokens of all samples."""
        return int(self.lengths.sum())


@dataclass(frozen=True, eq=False)
class Subject:
    """A network and the samples of a check.

    Attributes:
        model: it gets no hooks; views of it do.
        batches: all samples.
        few: some of them, of different lengths where samples have different numbers of tokens.
        explained: unit -> the invariant that failed because of it; later invariants leave the unit out.
    """

    model: Network
    batches: tuple[Inputs, ...]
    few: Inputs
    explained: dict[str, str] = field(default_factory=dict)

    @classmethod
    def of(cls, model: Network, batches: Sequence[Inputs]) -> "Subject":
        """Return the network with the samples of all batches that it reads; raises ValueError without samples."""
        some = tuple(batch for batch in batches if len(batch))
        if not some:
            raise ValueError("a check needs at least one sample")
        return cls(model, some, few_of(model, some[0]))

    @property
    def samples(self) -> int:
        """Number of samples."""
        return sum(map(len, self.batches))

    @property
    def tolerance(self) -> float:
        """Largest difference of the same sum in another order: absolute, and relative above 1."""
        return TOLERANCES.get(next(self.model.parameters()).dtype, COARSE)

    @property
    def fields(self) -> tuple[str, ...]:
        """Recorded fields: the default ones of traces, and logits of routers."""
        more = ("router_logits",) if "router_logits" in self.model.fields else ()
        return (*default_fields(self.model), *more)

    @cached_property
    def steps(self) -> tuple[str, ...]:
        """Names of the steps of a run."""
        return self.model.step_names(self.model.bounds.default)

    @cached_property
    def plain(self) -> Tensor:
        """Answers for the few samples, (sample, domain, ...), without any listener."""
        return answer(self.model, self.few)

    @cached_property
    def recorded(self) -> Ran:
        """The few samples, recorded; raises IncompleteTrace where something was not reported."""
        return self.record(self.few)

    @cached_property
    def spared(self) -> tuple[str, ...]:
        """Return one unit of each group to drop together, at different positions; none if none can be dropped."""
        spared: tuple[str, ...] = ()
        for at, units in enumerate(self.model.groups.values()):
            members = [unit for unit in units if unit in set(self.model.units)]
            more = (*spared, *([members[at % len(members)]] if len(members) > 1 else ()))
            if self.model.refusal(Changes(drop=more), self.model.bounds.default) is None:
                spared = more
        return spared

    def record(
        self, inputs: Inputs, intervention: Intervention | None = None, only: Sequence[str] | None = None
    ) -> Ran:
        """Run one batch under an intervention and return its reports.

        Raises:
            IncompleteTrace: a field was not reported exactly once at each step.
        """
        ablation = Ablation(self.model, intervention or Intervention(), None)
        fields = self.fields if only is None else only
        *_, ran = run(ablation, lambda rows: inputs, [range(len(inputs))], fields)
        assert ran is not None, "the last item is the batch"
        return ran

    @cached_property
    def taken(self) -> TokensByUnit | None:
        """Return the tokens of each unit, None if tokens take no units; raises IncompleteTrace as ``run``."""
        name = next((name for name in TAKEN if name in self.model.fields), None)
        if name is None:
            return None
        counts, lengths = list[np.ndarray](), list[np.ndarray]()
        for inputs in self.pieces():
            counts.append(_taken(self.model, self.record(inputs, only=(name,)), name, self.steps))
            lengths.append(np.asarray(lengths_of(self.model, inputs)))
        return TokensByUnit(self.model.all_units, np.concatenate(counts, axis=1), np.concatenate(lengths))

    def pieces(self) -> Iterator[Inputs]:
        """Yield all samples, as many at a time as one pass holds."""
        for batch in self.batches:
            yield from batch.split(self.model.rows_at_once())


def _taken(model: Network, ran: Ran, field: str, steps: tuple[str, ...]) -> Int64[np.ndarray, "unit sample"]:
    """Count, by sample, the tokens that take each of all units; the steps of a group are summed."""
    places = {unit: position for position, unit in enumerate(model.all_units)}
    totals = np.zeros((len(places), len(ran.rows)), dtype=np.int64)
    dims = model.fields[field].dims
    for at, part in enumerate(ran.fields[field]):
        group = model.groups[model.group_at(at, len(steps))]
        if field == "compatibility":
            took = (part.movedim((dims.index("unit"), dims.index("sample")), (0, 1)).nan_to_num() > 0).flatten(2).sum(2)
            counts = took.cpu().numpy()
        else:
            flat = part.movedim(dims.index("sample"), 0).flatten(1).long()
            flat = torch.where(flat == NO_EXPERT, len(group), flat)
            counts = (
                torch.stack([torch.bincount(row, minlength=len(group) + 1) for row in flat])[:, :-1].T.cpu().numpy()
            )
        for unit, row in zip(group, counts, strict=False):
            totals[places[unit]] += row
    return totals


def answer(model: Network, inputs: Inputs) -> Tensor:
    """Return a network's answers, (sample, domain, ...), without a graph."""
    with torch.no_grad():
        out: Tensor = model(inputs.to(model.device))
    return out


def lengths_of(model: Network, inputs: Inputs) -> list[int]:
    """Return the number of tokens of each sample, without padding."""
    tokens = model.tokens_of(inputs)
    return [len(tokens.names)] * len(inputs) if tokens.mask is None else tokens.mask.sum(dim=1).tolist()


def few_of(model: Network, inputs: Inputs) -> Inputs:
    """Return the longest sample, the shortest ones, and others between; of texts of one length the first is cut."""
    lengths = lengths_of(model, inputs)
    order = sorted(range(len(inputs)), key=lengths.__getitem__)
    chosen = order if len(order) <= FEW else [*order[: FEW - 2], order[len(order) // 2], order[-1]]
    few = inputs[chosen]
    if not isinstance(few, Text) or few.ids is not None or len(few) == 1:
        return few
    while few.texts[0] and len(set(lengths_of(model, few))) == 1:
        few = replace(few, texts=(few.texts[0][: len(few.texts[0]) // 2], *few.texts[1:]))
    return few


def same_bits(first: Shaped[Tensor, "..."], other: Shaped[Tensor, "..."]) -> bool:
    """Whether two tensors hold the same numbers, NaN at the same places."""
    if first.shape != other.shape or first.dtype != other.dtype:
        return False
    return bool(((first == other) | (first.isnan() & other.isnan())).all())


def apart(first: Shaped[Tensor, "*shape"], other: Shaped[Tensor, "*shape"]) -> float:
    """Return the largest difference of two tensors, relative above 1; NaN in one of them is infinite."""
    if not first.numel():
        return 0.0
    first, other = first.double(), other.double()
    difference = (first - other).abs() / first.abs().clamp(min=1.0)
    both = (first.isnan() & other.isnan()) | (first == other)
    return float(difference.masked_fill(both, 0.0).nan_to_num(nan=torch.inf).max())


def at_tokens(part: Tensor, dims: tuple[str, ...], axis: str, present: Bool[Tensor, "B V"] | None) -> Tensor:
    """Return a field at tokens that are no padding, of the shape (axis, position): one axis first, the others flat.

    Args:
        part: with the axes ``dims``.
        present: existing tokens; None: all.
    """
    first = part.movedim(dims.index(axis), 0)
    others = [name for name in dims if name != axis]
    if present is None or not {"sample", "token"} <= set(others):
        return first.flatten(1)
    first = first.movedim((1 + others.index("sample"), 1 + others.index("token")), (1, 2))
    return first[:, present.to(first.device)].flatten(1)
