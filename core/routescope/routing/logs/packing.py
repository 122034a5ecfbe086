"""Blocks of tokens, checked as they come with their position in the file, and packed into one log."""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from itertools import chain
from typing import Literal, get_args

import numpy as np
from jaxtyping import Float16, Float32, Int16, Int64

from routescope.nn.experts import NO_EXPERT
from routescope.routing.logs.log import MARGINS, LogError, RoutingLog, Source, check_finite
from routescope.routing.logs.sentinels import MOST_EXPERTS, Sentinels
from routescope.routing.logs.turns import Turn, filled, repeated

#: Bytes that the packed arrays of a log may take, unless a person says otherwise.
LIMIT = 2 * 2**30
#: Bytes that every file may take, and how many times its own bytes it may take beyond them: no honest log is packed
#: closer, and a file of few bytes cannot fill the memory.
FREE, GROWTH = 32 * 2**20, 32
#: Sequences of a log.
MOST_SEQUENCES = 2**18
#: Layers, and experts of one token over all layers and slots.
MOST_LAYERS, MOST_OF_A_TOKEN = 1_024, 65_536
#: Characters of names of sequences and of token texts; longer ones are cut and end with "...".
LONGEST_NAME = LONGEST_TEXT = 200
#: Characters of the name of a layer, and of a sentence about a log.
LONGEST_LAYER, LONGEST_NOTE = 40, 1_000
#: Bytes that a name or a text takes beside its characters.
_STRING = 64
#: Bytes that a token takes beside its experts.
_TOKEN = 16
#: Kinds of the ranks of a job that logged together; see ``Reading``.
Ranks = Literal["pipeline", "tensor", "data", "expert"]
RANKS: tuple[Ranks, ...] = get_args(Ranks)


@dataclass(frozen=True)
class Reading:
    """Facts about a log that its file does not hold.

    ::

        rs.read_log("responses.jsonl", rs.Reading(top_k=2, experts=128))

    Attributes:
        top_k: experts that a token takes.
        layers: layers that route.
        experts: experts of a layer; larger numbers mark no expert, or shared experts.
        limit: bytes that the packed arrays may take.
        growth: how many times the bytes of its file a log may take, beyond ``FREE`` bytes; None: any.
        start: tokens at the start of each sequence that are not in the log, such as a prefix that was logged before.
        ranks: kind of the ranks of a log. Stages of a "pipeline" have different layers of the same tokens. "tensor"
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
    growth: int | None = GROWTH
    _of_file: int | None = None

    def __post_init__(self) -> None:
        if self.start is not None and self.start < 0:
            raise LogError(f"start is 0 or more tokens, not {self.start}")
        if self.ranks is not None and self.ranks not in RANKS:
            raise LogError(f"ranks are {', '.join(RANKS)}, not {self.ranks!r}")
        for name, value in (("top_k", self.top_k), ("layers", self.layers), ("experts", self.experts)):
            if value is not None and not 1 <= value <= MOST_EXPERTS:
                raise LogError(f"{name} is from 1 to {MOST_EXPERTS}, not {value}")

    def of_file(self, size: int) -> "Reading":
        """Return the same for a file of ``size`` bytes; small files get a lower limit."""
        most = self.limit if self.growth is None else min(self.limit, FREE + self.growth * size)
        return replace(self, limit=most, _of_file=size if most < self.limit else None)

    def check_size(self, size: int, where: str) -> None:
        """Raise LogError where a size in bytes is above the limit."""
        if size > self.limit:
            allowed = f"{self.limit / 2**20:,.0f} MiB" if self.limit >= 2**20 else f"{self.limit:,} bytes"
            of_file = "" if self._of_file is None else f", the most that a file of {self._of_file:,} bytes may take"
            raise LogError(
                f"{where}: the log takes more than {allowed} of memory{of_file}; split it, or allow more (--memory)"
            )


def check_table(layers: int, slots: int, where: str) -> None:
    """Raise LogError where a log has more layers or slots than are read."""
    if layers > MOST_LAYERS:
        raise LogError(f"{where}: {layers:,} layers; logs of up to {MOST_LAYERS:,} layers are read")
    if layers * slots > MOST_OF_A_TOKEN:
        raise LogError(
            f"{where}: a token has {layers:,} layers x {slots:,} experts; up to {MOST_OF_A_TOKEN:,} numbers a token "
            "are read"
        )


def cut(text: str, most: int = LONGEST_NAME) -> str:
    """Return a text of at most ``most`` characters; a longer one ends with "..."."""
    return text if len(text) <= most else text[: most - 3] + "..."


def whole_numbers(values: object, axes: int, where: str) -> Int64[np.ndarray, "..."]:
    """Return nested lists of whole numbers as an array with ``axes`` axes: (token,), (token, slot) or (token, layer,
    slot).

    Lengths and types are checked before the array is made, whose bytes then follow from the lists.

    Raises:
        LogError: lists of different lengths, other axes, or values that are no whole numbers of 64 bits.
    """
    if isinstance(values, np.ndarray):
        return _whole_array(values, axes, where)
    level: list[object] = [values]
    shape: list[int] = []
    while level and all(isinstance(entry, list) for entry in level):
        lists = [entry for entry in level if isinstance(entry, list)]
        if len({len(entry) for entry in lists}) != 1:
            raise LogError(f"{where}: lists within a list have different lengths; {_AXES[axes]} is a full table")
        shape.append(len(lists[0]))
        if not shape[-1]:
            raise LogError(f"{where}: {_AXES[axes]} is empty; at least one token is read")
        if len(shape) > axes:
            raise _other_axes(shape, axes, where, "or more")
        level = list(chain.from_iterable(lists))
    types = set(map(type, level))
    if list in types:
        raise LogError(f"{where}: lists within a list have different lengths; {_AXES[axes]} is a full table")
    if len(shape) != axes:
        raise _other_axes(shape, axes, where)
    if types != {int}:
        kind = next((_TYPES[kind] for kind in _TYPES if kind in types), "what is in it")
        raise LogError(f"{where}: {_AXES[axes]} has whole numbers, not {kind}")
    try:
        return np.array(level, dtype=np.int64).reshape(shape)
    except OverflowError as error:
        raise LogError(f"{where}: {_AXES[axes]} has whole numbers of up to 64 bits, not larger ones") from error


def _whole_array(values: np.ndarray, axes: int, where: str) -> Int64[np.ndarray, "..."]:
    if not values.size:
        raise LogError(f"{where}: {_AXES[axes]} is empty; at least one token is read")
    if values.ndim != axes:
        raise _other_axes(values.shape, axes, where)
    if values.dtype.kind not in "iu":
        kind = _KINDS.get(values.dtype.kind, "what is in it")
        raise LogError(f"{where}: {_AXES[axes]} has whole numbers, not {kind}")
    return values


def _other_axes(shape: Sequence[int], axes: int, where: str, more: str = "") -> LogError:
    sides = " x ".join(map(str, shape)) or "one value"
    return LogError(f"{where}: {_AXES[axes]} has {axes} axes, not {sides}{' ' * bool(more)}{more}")


_AXES = {1: "a list of tokens", 2: "(token, slot)", 3: "(token, layer, slot)"}


#: Names of other types in refusals, by Python's type and by numpy's kind.
_TYPES = {float: "fractions", str: "texts", bool: "true and false"}
_KINDS = {"f": "fractions", "U": "texts", "b": "true and false"}


@dataclass
class Packing:
    """Collects blocks of tokens for a log that ``reading`` tells about."""

    reading: Reading
    _experts: list[Int16[np.ndarray, "token layer slot"]] = field(default_factory=list)
    _weights: list[Float16[np.ndarray, "token layer slot"]] = field(default_factory=list)
    _margins: list[Float32[np.ndarray, "token layer"]] = field(default_factory=list)
    _ids: list[Int64[np.ndarray, " token"]] = field(default_factory=list)
    _texts: list[str] = field(default_factory=list)
    _names: list[str] = field(default_factory=list)
    _lengths: list[int] = field(default_factory=list)
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
            LogError: other shapes than before, or than given; errors of ``Sentinels.mark``; too many bytes.
        """
        self.add_all(
            experts, [name], [len(experts)], where,
            weights=weights, margin=margin, token_ids=token_ids, token_texts=token_texts,
        )  # fmt: skip
        if turn is not None:
            self._turns.append(turn)

    def add_all(
        self,
        experts: Int64[np.ndarray, "token layer slot"],
        names: Sequence[str],
        lengths: Sequence[int],
        where: str,
        *,
        weights: Float32[np.ndarray, "token layer slot"] | None = None,
        margin: Float32[np.ndarray, "token layer"] | None = None,
        token_ids: Int64[np.ndarray, " token"] | None = None,
        token_texts: Sequence[str] | None = None,
    ) -> None:
        """Add sequences, (token, layer, slot), one after the other, with their names and lengths; raises LogError as
        ``add``."""
        tokens, layers, slots = experts.shape
        if len(self._names) + len(names) > MOST_SEQUENCES:
            raise LogError(f"{where}: more than {MOST_SEQUENCES:,} sequences; split the log")
        check_table(layers, slots, where)
        self.charge(
            experts.size * 2 + _TOKEN * tokens + sum(_STRING + len(name[:LONGEST_NAME]) for name in names), where
        )
        block = self._sentinels.mark(experts, where)
        for what, given, actual in (
            ("layers route", self.reading.layers, layers),
            ("experts are of a token (top_k)", self.reading.top_k, slots),
        ):
            if given is not None and given != actual:
                raise LogError(f"{where}: {actual} {what}, and {given} was given")
        if self._experts and block.shape[1:] != self._experts[0].shape[1:]:
            before = self._experts[0].shape
            raise LogError(
                f"{where}: {layers} layers of {slots} experts a token, and before it {before[1]} layers of {before[2]}"
            )
        self._experts.append(block)
        self._names += [cut(name) for name in names]
        self._lengths += lengths
        if weights is not None:
            self.charge(weights.size * 2, where)
            with np.errstate(over="ignore", invalid="ignore"):
                narrow = np.where(block == NO_EXPERT, np.float32(0), weights).astype(np.float16)
            check_finite(narrow, where)
            self._weights.append(narrow)
        if margin is not None:
            self.charge(margin.size * 4, where)
            self._margins.append(margin.astype(np.float32))
        if token_ids is not None:
            self.charge(token_ids.size * 8, where)
            self._ids.append(token_ids.astype(np.int64))
        if token_texts is not None:
            self.charge(sum(_STRING + len(text[:LONGEST_TEXT]) for text in token_texts), where)
            self._texts.extend(cut(text, LONGEST_TEXT) for text in token_texts)

    def charge(self, size: int, where: str) -> None:
        """Count bytes that are held for the log; raise LogError above the limit."""
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
        """Return the log of all blocks; raises LogError if nothing was recorded, and as ``Sentinels.resolved``.

        Args:
            notes: sentences that a reader of the figures needs.
            indices: of the layers, from 0; None: 0, 1, 2...
            layers: their names; None: by their indices.
            assumed: assumptions of the format's reader.
        """
        if not self._experts:
            raise LogError(f"{source.file} has no token whose experts are logged")
        lines = [*assumed, *self._count_turns_once()]
        whole = self._experts[0] if len(self._experts) == 1 else np.concatenate(self._experts)
        first_layers = whole.shape[1]
        self._experts.clear()
        experts, kept_layers, kept_slots, assumptions = self._sentinels.resolved(whole, source.file)
        del whole
        lines += assumptions
        indices = list(range(first_layers) if indices is None else indices)
        names = [f"l{index + 1}" for index in indices] if layers is None else list(layers)
        count = self.reading.experts
        if count is None:
            count = max(int(experts.max()) + 1, 1)
            lines.append(f"The log does not say the number of experts: {count} assumed, the highest seen (--experts).")
        if experts.shape[2] == 1 and len(experts) > 1 and not experts[experts != NO_EXPERT].any():
            lines.insert(
                0, "Every token takes expert 0 at every layer; a capture that did not run leaves the same zeros."
            )
        weights, margin = _joined(self._weights, len(experts)), _joined(self._margins, len(experts))
        return RoutingLog(
            source=source,
            layers=tuple(names[layer] for layer in kept_layers),
            indices=tuple(indices[layer] for layer in kept_layers),
            num_experts=count,
            experts=experts,
            sequence=np.repeat(np.arange(len(self._lengths), dtype=np.int32), self._lengths),
            sequences=tuple(self._names),
            weights=None
            if weights is None
            else np.where(experts == NO_EXPERT, np.float16(0), weights[:, kept_layers][:, :, kept_slots]),
            margin=None if margin is None else margin[:, kept_layers],
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
        self._lengths = list(map(len, self._experts))
        self._ids = [self._ids[at] for at in stay] if with_ids else self._ids
        by = "ids of tokens" if with_ids else "the routing of tokens, as the log has no ids"
        return [
            f"{len(later):,} of {len(later) + len(stay):,} sequences are earlier turns of a conversation, by {by}: "
            f"{gone:,} of {before:,} tokens stand again in a later turn and are counted once."
        ]


def _joined(blocks: list[np.ndarray], tokens: int) -> np.ndarray | None:
    """Return one array of all blocks; None unless every token has its part."""
    return np.concatenate(blocks) if blocks and sum(map(len, blocks)) == tokens else None
