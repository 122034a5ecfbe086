"""Blocks of tokens, checked as they come with the place that they are from, and packed into one log."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Literal, get_args

import numpy as np
from jaxtyping import Float16, Float32, Int16, Int64

from core.nn.mixture.routed import NO_EXPERT
from core.routing.logs.log import MARGINS, LogError, RoutingLog, Source, check_finite
from core.routing.logs.sentinels import MOST_EXPERTS, Sentinels
from core.routing.logs.turns import Turn, filled, repeated

#: Bytes that the packed arrays of a log may take, unless told otherwise.
LIMIT = 2 * 2**30
#: What ranks of a job that logged together may be; see ``Reading``.
Ranks = Literal["pipeline", "tensor", "data", "expert"]
RANKS: tuple[Ranks, ...] = get_args(Ranks)


@dataclass(frozen=True)
class Reading:
    """What a person says of a log that the log itself does not.

    Attributes:
        top_k: how many experts a token takes.
        layers: how many layers route.
        experts: how many experts a layer has; numbers from there on mark no expert, or shared experts.
        limit: bytes that the packed arrays may take.
        start: how many tokens at the start of each sequence are not in the log, as a prefix that was logged before.
        ranks: what the ranks of a log are. Stages of a "pipeline" have different layers of the same tokens. "tensor"
            ranks route the same tokens alike. "data" ranks have tokens of their own. "expert" ranks have either.

    Raises:
        LogError: a number below 1, or below 0 for ``start``; more experts than can be numbered; other ranks.
    """

    top_k: int | None = None
    layers: int | None = None
    experts: int | None = None
    limit: int = LIMIT
    start: int | None = None
    ranks: Ranks | None = None

    def __post_init__(self) -> None:
        if self.start is not None and self.start < 0:
            raise LogError(f"start is 0 or more tokens, not {self.start}")
        if self.ranks is not None and self.ranks not in RANKS:
            raise LogError(f"ranks are {', '.join(RANKS)}, not {self.ranks!r}")
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


@dataclass
class Packing:
    """Blocks of tokens that become a log.

    Attributes:
        reading: what is known of the log.
    """

    reading: Reading
    _experts: list[Int16[np.ndarray, "token layer slot"]] = field(default_factory=list)
    _weights: list[Float16[np.ndarray, "token layer slot"]] = field(default_factory=list)
    _margins: list[Float32[np.ndarray, "token layer"]] = field(default_factory=list)
    _ids: list[Int64[np.ndarray, " token"]] = field(default_factory=list)
    _texts: list[str] = field(default_factory=list)
    _names: list[str] = field(default_factory=list)
    _turns: list[Turn] = field(default_factory=list)
    _bytes: int = 0

    def __post_init__(self) -> None:
        self._sentinels = Sentinels(self.reading.experts)

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
        turn: Turn | None = None,
    ) -> None:
        """Add a sequence: (token, layer, slot), with as many layers and slots as those before it.

        Args:
            turn: of a response: a later turn of the same conversation then counts its tokens once.

        Raises:
            LogError: shapes other than before, or than was given, what ``Sentinels.mark`` refuses, or too many bytes.
        """
        block = self._sentinels.mark(experts, where)
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
        self.charge(block.nbytes, where)
        self._experts.append(block)
        self._names.append(name)
        if turn is not None:
            self._turns.append(turn)
        if weights is not None:
            narrow = np.where(block == NO_EXPERT, np.float32(0), weights).astype(np.float16)
            check_finite(narrow, where)
            self.charge(narrow.nbytes, where)
            self._weights.append(narrow)
        if margin is not None:
            self.charge(margin.nbytes, where)
            self._margins.append(margin.astype(np.float32))
        if token_ids is not None:
            self._ids.append(token_ids.astype(np.int64))
        if token_texts is not None:
            self._texts.extend(token_texts)

    def charge(self, size: int, where: str) -> None:
        """Count bytes that are held for the log.

        Raises:
            LogError: they are more than the limit.
        """
        self._bytes += size
        self.reading.check_size(self._bytes, where)

    def done(
        self,
        source: Source,
        notes: Sequence[str] = (),
        indices: Sequence[int] | None = None,
        layers: Sequence[str] | None = None,
        margin_of: str = MARGINS[0],
        assumed: Sequence[str] = (),
    ) -> RoutingLog:
        """Return the log of all that was added.

        Args:
            notes: what a reader of figures should know.
            indices: of the layers, from 0; counted when None.
            layers: their names; by their indices when None.
            assumed: what the reader of the format assumed.

        Raises:
            LogError: nothing was added, or nothing was recorded; see ``Sentinels.resolved``.
        """
        if not self._experts:
            raise LogError(f"{source.file} has no token whose experts are logged")
        lines = [*assumed, *self._count_turns_once()]
        lengths = [len(block) for block in self._experts]
        resolved = self._sentinels.resolved(np.concatenate(self._experts), source.file)
        lines += resolved.assumed
        experts = resolved.experts
        indices = list(range(self._experts[0].shape[1]) if indices is None else indices)
        names = [f"l{index + 1}" for index in indices] if layers is None else list(layers)
        count = self.reading.experts
        if count is None:
            count = max(int(experts.max()) + 1, 1)
            lines.append(
                f"The log does not say how many experts there are; {count} by the largest that occurs (--experts)."
            )
        if experts.shape[2] == 1 and len(experts) > 1 and not experts[experts != NO_EXPERT].any():
            lines.insert(
                0, "Every token takes expert 0 at every layer; a capture that did not run leaves the same zeros."
            )
        weights, margin = _joined(self._weights, len(experts)), _joined(self._margins, len(experts))
        return RoutingLog(
            source=source,
            layers=tuple(names[layer] for layer in resolved.layers),
            indices=tuple(indices[layer] for layer in resolved.layers),
            num_experts=count,
            experts=experts,
            sequence=np.repeat(np.arange(len(lengths), dtype=np.int32), lengths),
            sequences=tuple(self._names),
            weights=None
            if weights is None
            else np.where(experts == NO_EXPERT, np.float16(0), weights[:, resolved.layers][:, :, resolved.slots]),
            margin=None if margin is None else margin[:, resolved.layers],
            margin_of=margin_of,
            token_ids=_joined(self._ids, len(experts)),
            token_texts=tuple(self._texts) if len(self._texts) == len(experts) else None,
            counted=self.reading.experts is None,
            assumed=tuple(lines),
            notes=(*lines, *notes),
        )

    def _count_turns_once(self) -> list[str]:
        """Leave out sequences that a later turn of the conversation repeats; return what was assumed."""
        if len(self._turns) != len(self._experts) or len(self._experts) < 2 or self._weights or self._margins:
            return []
        with_ids = len(self._ids) == len(self._experts)
        later = repeated(self._experts, self._ids if with_ids else None, self._turns)
        if not later:
            return []
        gone = sum(len(self._experts[at]) for at in later)
        before = sum(map(len, self._experts))
        stay = [at for at in range(len(self._experts)) if at not in later]
        blocks = filled(self._experts, later)
        self._experts, self._names = [blocks[at] for at in stay], [self._names[at] for at in stay]
        self._ids = [self._ids[at] for at in stay] if with_ids else self._ids
        by = "ids of tokens" if with_ids else "the routing of tokens, as the log has no ids"
        return [
            f"{len(later):,} of {len(later) + len(stay):,} sequences are earlier turns of a conversation, by {by}: "
            f"{gone:,} of {before:,} tokens stand again in a later turn and are counted once."
        ]


def _joined(blocks: list[np.ndarray], tokens: int) -> np.ndarray | None:
    """One array of all blocks; None unless every token has its part."""
    return np.concatenate(blocks) if blocks and sum(map(len, blocks)) == tokens else None
