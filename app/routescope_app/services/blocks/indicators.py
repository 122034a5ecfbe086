"""Indicators over the training of a block network: the history in its card, as series of numbers."""

import math
from collections.abc import Iterator, Mapping
from typing import Any

from routescope.zoo.catalogue import ModelInfo
from routescope_app.services.errors import NotFound

#: Keys of the history in a card, and of the training steps in its entries.
HISTORY, STEP = "history", "step"


def indicators(info: ModelInfo) -> dict[str, Any]:
    """Return a series for each number of a card's history, such as ``gates.1``; raises NotFound without a history."""
    history = info.card.get(HISTORY)
    entries = [entry for entry in history if STEP in entry] if isinstance(history, list) else []
    if not entries:
        raise NotFound("Nothing was measured over the training of this model; the cards of trained SMFRs have it.")
    numbers = [dict(_numbers(entry)) for entry in entries]
    names = list(dict.fromkeys(name for entry_numbers in numbers for name in entry_numbers if name != STEP))
    return {
        "model": info.id,
        "revision": info.revision,
        "steps": [int(entry[STEP]) for entry in entries],
        "series": [{"name": name, "values": [entry_numbers.get(name) for entry_numbers in numbers]} for name in names],
    }


def _numbers(entry: Any, path: tuple[str, ...] = ()) -> Iterator[tuple[str, float | None]]:
    """Yield every number of an entry with its path, lists counted from 1; None for numbers that are not finite."""
    if isinstance(entry, Mapping):
        for name, value in entry.items():
            yield from _numbers(value, (*path, str(name)))
    elif isinstance(entry, list):
        for number, value in enumerate(entry, start=1):
            yield from _numbers(value, (*path, str(number)))
    elif isinstance(entry, int | float) and not isinstance(entry, bool):
        yield ".".join(path), float(entry) if math.isfinite(entry) else None
