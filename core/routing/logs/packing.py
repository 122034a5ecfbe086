"""Blocks of tokens, checked as they come with the place that they are from, and packed into one log."""

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np
from jaxtyping import Float16, Float32, Int16, Int64

from core.nn.mixture.routed import NO_EXPERT
from core.routing.logs.log import MARGINS, LogError, RoutingLog, Source, check_experts, check_finite

#: Bytes that the packed arrays of a log may take, unless told otherwise.
LIMIT = 2 * 2**30
#: Experts are numbered by 16 bits.
MOST_EXPERTS = 2**15


@dataclass(frozen=True)
class Reading:
    """What a person says of a log that the log itself does not.

    Attributes:
        top_k: how many experts a token takes.
        layers: how many layers route.
        experts: how many experts a layer has.
        limit: bytes that the packed arrays may take.

    Raises:
        LogError: a number below 1, or more experts than can be numbered.
    """

    top_k: int | None = None
    layers: int | None = None
    experts: int | None = None
    limit: int = LIMIT

    def __post_init__(self) -> None:
        for name, value in (("top_k", self.top_k), ("layers", self.layers), ("experts", self.experts)):
            if value is not None and not 1 <= value <= MOST_EXPERTS:
                raise LogError(f"{name} is from 1 to {MOST_EXPERTS}, not {value}")

    def check_size(self, size: int, where: str) -> None:
        """Whether so many bytes are allowed.

        Raises:
            LogError: they are more than the limit.
        """
        if size > self.limit:
            allowed = f"{self.limit / 2**20:,.0f} MiB" if self.limit >= 2**20 else f"{self.limit:,} bytes"
            raise LogError(f"{where}: the log takes more than {allowed} of memory; split it, or allow more (--limit)")


def whole_numbers(values: object, axes: int, where: str) -> Int64[np.ndarray, "..."]:
    """Nested lists of whole numbers as an array of so many axes.

    Raises:
        LogError: lists of different lengths, other axes, or what is no whole number.
    """
    try:
        found = np.array(values)
    except (ValueError, OverflowError) as error:
        raise LogError(f"{where}: lists within a list have different lengths; {_AXES[axes]} is a full table") from error
    if not found.size:
        raise LogError(f"{where}: {_AXES[axes]} is empty; at least one token is read")
    if found.ndim != axes:
        shape = " x ".join(map(str, found.shape)) or "one value"
        raise LogError(f"{where}: {_AXES[axes]} has {axes} axes, not {shape}")
    if found.dtype.kind not in "iu":
        raise LogError(f"{where}: {_AXES[axes]} has whole numbers, not {_sort(found)}")
    return found


_AXES = {1: "a list of tokens", 2: "(token, slot)", 3: "(token, layer, slot)"}


def _sort(found: Int64[np.ndarray, "..."]) -> str:
    return {"f": "fractions", "U": "texts", "b": "true and false"}.get(found.dtype.kind, "what is in it")


def narrowed(found: Int64[np.ndarray, "..."], where: str) -> Int16[np.ndarray, "..."]:
    """Experts as 16 bits, of whatever shape.

    Raises:
        LogError: one that is beyond them.
    """
    low, high = int(found.min()), int(found.max())
    if low < NO_EXPERT or high >= MOST_EXPERTS:
        wrong = low if low < NO_EXPERT else high
        raise LogError(f"{where}: expert {wrong}; they are numbered from 0 to {MOST_EXPERTS - 1}, and -1 is none")
    return found.astype(np.int16)


@dataclass
class Packing:
    """Blocks of tokens that become a log.

    Attributes:
        reading: what is known of the log.
        unrecorded: tokens and layers whose slots were all 0, which is taken for none.
    """

    reading: Reading
    unrecorded: int = 0
    _experts: list[Int16[np.ndarray, "token layer slot"]] = field(default_factory=list)
    _weights: list[Float16[np.ndarray, "token layer slot"]] = field(default_factory=list)
    _margins: list[Float32[np.ndarray, "token layer"]] = field(default_factory=list)
    _ids: list[Int64[np.ndarray, " token"]] = field(default_factory=list)
    _texts: list[str] = field(default_factory=list)
    _names: list[str] = field(default_factory=list)
    _bytes: int = 0

    def __len__(self) -> int:
        return len(self._names)

    def add(
        self,
        experts: Int64[np.ndarray, "token layer slot"],
        name: str,
        where: str,
        *,
        weights: Float32[np.ndarray, "token layer slot"] | None = None,
        margin: Float32[np.ndarray, "token layer"] | None = None,
        token_ids: Int64[np.ndarray, " token"] | None = None,
        token_texts: Sequence[str] | None = None,
    ) -> None:
        """Add a sequence: (token, layer, slot), with as many layers and slots as those before it.

        Where a token takes several experts, slots that are all 0 are a place that was never written: servers clear
        their buffers with 0, and no token takes an expert twice.

        Raises:
            LogError: shapes other than before, or than was said, what ``check_experts`` refuses, or too many bytes.
        """
        block = narrowed(experts, where)
        if block.shape[2] > 1:
            empty = (block == 0).all(axis=2)
            block[empty] = NO_EXPERT
            self.unrecorded += int(empty.sum())
        check_experts(block, self.reading.experts, where)
        for what, said, found in (
            ("layers route", self.reading.layers, block.shape[1]),
            ("experts are of a token (top_k)", self.reading.top_k, block.shape[2]),
        ):
            if said is not None and said != found:
                raise LogError(f"{where}: {found} {what}, and {said} was given")
        if self._experts and block.shape[1:] != self._experts[0].shape[1:]:
            layers, slots = self._experts[0].shape[1:]
            raise LogError(
                f"{where}: {block.shape[1]} layers of {block.shape[2]} experts a token, and before it {layers} layers "
                f"of {slots}"
            )
        self._charge(block.nbytes, where)
        self._experts.append(block)
        self._names.append(name)
        if weights is not None:
            narrow = np.where(block == NO_EXPERT, np.float32(0), weights).astype(np.float16)
            check_finite(narrow, where)
            self._charge(narrow.nbytes, where)
            self._weights.append(narrow)
        if margin is not None:
            self._charge(margin.nbytes, where)
            self._margins.append(margin.astype(np.float32))
        if token_ids is not None:
            self._ids.append(token_ids.astype(np.int64))
        if token_texts is not None:
            self._texts.extend(token_texts)

    def _charge(self, size: int, where: str) -> None:
        self._bytes += size
        self.reading.check_size(self._bytes, where)

    def done(
        self,
        source: Source,
        notes: Sequence[str] = (),
        indices: Sequence[int] | None = None,
        layers: Sequence[str] | None = None,
        margin_of: str = MARGINS[0],
    ) -> RoutingLog:
        """The log of all that was added.

        Args:
            indices: of the layers, from 0; counted when None.
            layers: their names; by their indices when None.

        Raises:
            LogError: nothing was added.
        """
        if not self._experts:
            raise LogError(f"{source.file} has no token whose experts are logged")
        experts = np.concatenate(self._experts)
        lengths = [len(block) for block in self._experts]
        indices = range(experts.shape[1]) if indices is None else indices
        counted = self.reading.experts is None
        most = int(experts.max()) + 1
        notes = list(notes)
        if counted:
            notes.append(f"The log does not say how many experts there are; {max(most, 1)} by the largest that occurs.")
        if self.unrecorded:
            notes.append(f"Of {self.unrecorded:,} tokens and layers all slots are 0, which is taken for not recorded.")
        return RoutingLog(
            source=source,
            layers=tuple(f"l{index + 1}" for index in indices) if layers is None else tuple(layers),
            indices=tuple(indices),
            num_experts=max(most, 1) if self.reading.experts is None else self.reading.experts,
            experts=experts,
            sequence=np.repeat(np.arange(len(lengths), dtype=np.int32), lengths),
            sequences=tuple(self._names),
            weights=_joined(self._weights, len(experts)),
            margin=_joined(self._margins, len(experts)),
            margin_of=margin_of,
            token_ids=_joined(self._ids, len(experts)),
            token_texts=tuple(self._texts) if len(self._texts) == len(experts) else None,
            counted=counted,
            notes=tuple(notes),
        )


def _joined(blocks: list[np.ndarray], tokens: int) -> np.ndarray | None:
    """One array of all blocks; None unless every token has its part."""
    return np.concatenate(blocks) if blocks and sum(map(len, blocks)) == tokens else None
