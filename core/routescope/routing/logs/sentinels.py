"""Values that mark "no expert" in logs of other programs: -1, 255, one past the end, and zeros of a cleared buffer.

A token takes an expert once. A value that stands twice in the slots of a token therefore marks an empty slot, never an
expert. A value that stands once is an expert, unless the number of experts says otherwise.
"""

from dataclasses import dataclass, field

import numpy as np
from jaxtyping import Bool, Int16, Int64

from routescope.nn.experts import NO_EXPERT
from routescope.routing.logs.log import LogError, check_experts

#: Experts are numbered by 16 bits.
MOST_EXPERTS = 2**15
#: -1 in unsigned 8, 16 and 32 bits; the last two are beyond every expert.
OF_8_BITS, WRAPPED = 255, (2**16 - 1, 2**32 - 1)
#: Experts of a layer from which on 255 that stands alone is an expert.
MANY_EXPERTS = 128
#: Rows of slots, of tokens and layers, that tell a fused shared expert from chance.
FEWEST_ROWS = 4
#: Rows of slots that are looked at together.
_BLOCK = 65_536

Rows = Int16[np.ndarray, "token layer slot"]


def narrowed(experts: Int64[np.ndarray, "..."], where: str) -> Int16[np.ndarray, "..."]:
    """Return experts, (...,), as 16 bits; the largest number of unsigned 16 or 32 bits becomes ``NO_EXPERT``.

    Raises:
        LogError: an expert beyond 16 bits, or below -1.
    """
    if int(experts.max()) in WRAPPED:
        experts = np.where(np.isin(experts, WRAPPED), NO_EXPERT, experts.astype(np.int64))
    low, high = int(experts.min()), int(experts.max())
    if low < NO_EXPERT and experts.dtype == np.int8:
        raise LogError(
            f"{where}: expert {low} in signed 8 bits, which end at 127: expert {low + 256} was wrapped. "
            "Save the log as uint8 or int16"
        )
    if low < NO_EXPERT or high >= MOST_EXPERTS:
        wrong = low if low < NO_EXPERT else high
        raise LogError(f"{where}: expert {wrong}; they are numbered from 0 to {MOST_EXPERTS - 1}, and -1 is none")
    return experts.astype(np.int16)


Positions = Int64[np.ndarray, " position"]


@dataclass
class Sentinels:
    """Marks empty slots, block by block; ``resolved`` then decides what only the whole log can tell.

    Args:
        experts: experts of a layer, where a person gave the number.
    """

    experts: int | None
    _few_bits: bool = False
    _none: int = 0
    _zeros: int = 0
    _bytes: int = 0
    _doubtful: dict[int, LogError] = field(default_factory=dict)

    def mark(self, experts: Int64[np.ndarray, "token layer slot"], where: str) -> Rows:
        """Return a block as 16 bits. Slots of a token that are all 0 are empty: servers clear their buffers with 0.

        Raises:
            LogError: an expert out of range, or that a token takes twice.
        """
        block = narrowed(experts, where)
        self._few_bits |= experts.dtype.itemsize == 1 and (self.experts or 0) > OF_8_BITS + 1
        self._none += int((block == NO_EXPERT).sum())
        if block.shape[2] > 1:
            empty = (block == 0).all(axis=2)
            block[empty] = NO_EXPERT
            self._zeros += int(empty.sum())
        if self.experts is None:
            self._mark_repeated(block, where)
        else:
            self._mark_beyond(block, where, self.experts)
        return block

    def _mark_repeated(self, block: Rows, where: str) -> None:
        """Check a block whose largest value may stand twice in a row: then it is no expert."""
        most = int(block.max())
        doubled = most > 0 and bool(((block == most).sum(axis=2) > 1).any())
        if doubled:
            self._doubtful.setdefault(most, _refusal(block, None, where))
            check_experts(np.where(block == most, np.int16(NO_EXPERT), block), None, where)
        else:
            check_experts(block, None, where)

    def _mark_beyond(self, block: Rows, where: str, count: int) -> None:
        """Mark values beyond a known number of experts: 255 is none, and a constant slot may be a shared expert."""
        if count <= OF_8_BITS:
            marked = block == OF_8_BITS
            self._bytes += int(marked.sum())
            block[marked] = NO_EXPERT
        within = np.where(block == count, np.int16(NO_EXPERT), block)
        if (over := within > count).any():
            error = _refusal(within, count, where)
            constant = (block == block[:1, :1]).all(axis=(0, 1))  # by slot, as of shared experts
            if over[:, :, ~constant].any() or int(within.max()) >= count + block.shape[2]:
                raise error
            for value in np.unique(within[over]):
                self._doubtful.setdefault(int(value), error)
            within = np.where(over, np.int16(NO_EXPERT), within)
        check_experts(within, count, where)

    def resolved(self, experts: Rows, file: str) -> tuple[Rows, Positions, Positions, list[str]]:
        """Return the experts of a whole log, all of whose blocks were marked, without empty layers and slots.

        The layers and the slots that are left follow, as positions in the log, and what was assumed, in sentences that
        name the option to say otherwise.

        Raises:
            LogError: nothing was recorded, experts that are numbered from 1, or a value that is an expert after all.
        """
        assumed: list[str] = []
        if self._few_bits:
            assumed.append(
                f"Experts stand in 8 bits, which number 256, and there are {self.experts}: an expert from 256 on would "
                "have been wrapped."
            )
        if self._none:
            assumed.append(f"-1 stands in {self._none:,} slots and is taken for no expert.")
        if self._zeros:
            assumed.append(
                f"Of {self._zeros:,} tokens and layers all slots are 0, which is taken for not recorded: a token takes "
                "an expert once."
            )
        if self._bytes:
            assumed.append(
                f"255 stands in {self._bytes:,} slots and is taken for no expert, as there are {self.experts}."
            )
        if self.experts is None:
            experts = self._without_repeated(experts, assumed)
        else:
            experts = self._without_beyond(experts, assumed, self.experts, file)
        empty = experts == NO_EXPERT
        if empty.all():
            zeros = "0, as servers clear their buffers" if self._zeros else "empty"
            raise LogError(
                f"{file}: nothing was recorded. All {empty[..., 0].size:,} tokens x layers are {zeros}: the capture "
                "did not run, or ran for other requests. Record the log again"
            )
        if default := _defaults(experts):
            assumed.append(
                f"{default:,} tokens take experts 0 to {experts.shape[2] - 1} in this order at every layer, as padding "
                "that trainers fill in does. They are counted."
            )
        layers, slots = (np.flatnonzero(~empty.all(axis=axes)) for axes in ((0, 2), (0, 1)))
        if gone := [str(layer) for layer in range(experts.shape[1]) if layer not in layers]:
            assumed.append(
                f"At layer{'s' * (len(gone) > 1)} {', '.join(gone)} (from 0) nothing was recorded for any token, as at "
                "layers without experts. They are left out."
            )
        if gone := [str(slot + 1) for slot in range(experts.shape[2]) if slot not in slots]:
            assumed.append(
                f"No token has an expert in slot {', '.join(gone)} of {experts.shape[2]}, which is left out: a token "
                f"takes {len(slots)}."
            )
        if (len(layers), len(slots)) != experts.shape[1:]:
            experts = experts[:, layers][:, :, slots]
        return experts, layers, slots, assumed

    def _without_repeated(self, experts: Rows, assumed: list[str]) -> Rows:
        """Decide on a value that stands twice in a row, or 255, where the number of experts was not given."""
        most = int(experts.max())
        next_most = int(experts.max(initial=NO_EXPERT, where=experts != most))
        for value, error in self._doubtful.items():
            if value != most or next_most == NO_EXPERT:
                raise error
        marked = experts == most
        doubled = marked.sum(axis=2) > 1
        if self._doubtful:
            if most == OF_8_BITS and next_most >= MANY_EXPERTS:
                marked &= doubled[:, :, None]
                what = "255 stands more than once among the slots of a token, which is taken for no expert there"
            elif most == next_most + 1:
                what = f"{most} is one past the largest expert and stands several times in a token: taken for no expert"
            else:
                what = f"{most} stands several times among the slots of a token, which is taken for no expert"
            assumed.append(
                f"{what} ({int(marked.sum()):,} slots). Give the number of experts to say otherwise (--experts)."
            )
            return np.where(marked, np.int16(NO_EXPERT), experts)
        if most == OF_8_BITS and 0 <= next_most < MANY_EXPERTS:
            if experts.shape[2] == 1 and experts.shape[1] > 2 and (whole := marked.all(axis=(1, 2))).any():
                assumed.append(
                    f"{int(whole.sum()):,} tokens have 255 at every layer, which is taken for not recorded. Give the "
                    "number of experts to say otherwise (--experts)."
                )
                return np.where(whole[:, None, None], np.int16(NO_EXPERT), experts)
            assumed.append(
                f"Expert 255 is taken for an expert; the next largest is {next_most}, and 255 marks an empty slot in "
                f"some logs. Then give the number of experts (--experts {next_most + 1})."
            )
        elif shared := _filled(experts):
            _, value = min(shared, key=lambda pair: pair[1])
            assumed.append(
                f"{_named(shared)}, as a shared expert that is fused with the routed ones; no router chooses it. It is "
                f"counted as an expert here; leave it out by the number of routed experts (--experts {value})."
            )
        return experts

    def _without_beyond(self, experts: Rows, assumed: list[str], count: int, file: str) -> Rows:
        """Decide on values from the number of experts on."""
        beyond = experts >= count
        if not beyond.any():
            return experts
        shared = [(slot, value) for slot, value in _filled(experts) if value >= count]
        filled = np.zeros_like(beyond)
        filled[:, :, [slot for slot, _ in shared]] = True
        if (beyond & ~filled).any():
            values = np.unique(experts[beyond & ~filled])
            if int(values.max()) > count:
                raise self._doubtful.get(
                    int(values.max()), LogError(f"{file}: expert {values.max()}; there are {count}")
                )
            once = not ((experts == count).sum(axis=2) > 1).any()
            if once and not (experts == 0).any() and _scattered(experts, count):
                raise LogError(
                    f"{file}: expert {count} is one past the end, and expert 0 is never taken: the log may number "
                    f"experts from 1. Number them from 0 to {count - 1}, or give another number of experts (--experts)"
                )
            assumed.append(
                f"{count} is one past the last expert and is taken for no expert "
                f"({int((beyond & ~filled).sum()):,} slots)."
            )
        if shared:
            assumed.append(f"{_named(shared)}: a fused shared expert, which no router chooses. It is left out.")
        return np.where(beyond, np.int16(NO_EXPERT), experts)


def _refusal(block: Rows, count: int | None, where: str) -> LogError:
    """Return why ``check_experts`` refuses a block."""
    try:
        check_experts(block, count, where)
    except LogError as error:
        return error
    raise AssertionError("the block is refused")


def _defaults(experts: Rows) -> int:
    """Return how many tokens take the first experts in their order at every layer, where that is no chance."""
    first = np.arange(experts.shape[2], dtype=np.int16)
    if experts.shape[2] < 2 or experts.shape[1] * experts.shape[2] < 8 or int(experts.max()) < experts.shape[2]:
        return 0
    return int((experts == first).all(axis=(1, 2)).sum())


def _scattered(experts: Rows, value: int) -> bool:
    """Whether a value stands beside other experts of the same token and layer, or tokens have one expert."""
    beside: Bool[np.ndarray, "token layer"] = (experts == value).any(axis=2) & (
        (experts != value) & (experts != NO_EXPERT)
    ).any(axis=2)
    return experts.shape[2] == 1 or bool(beside.any())


def _filled(experts: Rows) -> list[tuple[int, int]]:
    """Return (slot, expert) of slots that hold the same expert for every token at every layer, the largest of all."""
    rows = experts.reshape(-1, experts.shape[2])
    logged = (rows != NO_EXPERT).any(axis=1)
    rows = rows if logged.all() else rows[logged]
    if len(rows) < FEWEST_ROWS or rows.shape[1] < 2:
        return []
    constant = [slot for slot in range(rows.shape[1]) if (rows[:, slot] == rows[0, slot]).all()]
    if not constant:
        return []
    parts = (np.delete(rows[at : at + _BLOCK], constant, axis=1) for at in range(0, len(rows), _BLOCK))
    routed = np.unique(np.concatenate([np.unique(part) for part in parts]))
    most = int(routed.max(initial=-1))
    if len(routed) <= rows.shape[1] - len(constant):  # every token takes all of them
        return []
    return [(slot, int(rows[0, slot])) for slot in constant if int(rows[0, slot]) > most]


def _named(shared: list[tuple[int, int]]) -> str:
    words = [f"expert {value} stands in slot {slot + 1}" for slot, value in shared]
    text = " and ".join(words)
    return f"{text[0].upper()}{text[1:]} of every token at every layer"
