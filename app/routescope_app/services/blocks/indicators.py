"""Indicators over the training of a model of blocks: the numbers of the history that its card keeps, as series."""

import math
from collections.abc import Iterator, Mapping
from typing import Any

from routescope.zoo.catalogue import ModelInfo
from routescope_app.services.errors import NotFound

#: What the card calls the history, and the number of training steps in each entry of it.
HISTORY, STEP = "history", "step"


def indicators(info: ModelInfo) -> dict[str, Any]:
    """One series a number, named by where it lies in an entry, with dots between: ``gates.1``.

    Raises:
        NotFound: a card without a history.
    """
    history = info.card.get(HISTORY)
    entries = [entry for entry in history if STEP in entry] if isinstance(history, list) else []
    if not entries:
        raise NotFound("Nothing was measured over the training of this model; the cards of trained SMFRs have it.")
    numbers = [dict(_numbers(entry)) for entry in entries]
    names = list(dict.fromkeys(name for each in numbers for name in each if name != STEP))
    return {
        "model": info.id,
        "revision": info.revision,
        "steps": [int(entry[STEP]) for entry in entries],
        "series": [{"name": name, "values": [each.get(name) for each in numbers]} for name in names],
    }


def _numbers(entry: Any, path: tuple[str, ...] = ()) -> Iterator[tuple[str, float | None]]:
    """Every number in it by its path, lists counted from 1; None where one is not finite."""
    if isinstance(entry, Mapping):
        for name, value in entry.items():
            yield from _numbers(value, (*path, str(name)))
    elif isinstance(entry, list):
        for place, value in enumerate(entry, start=1):
            yield from _numbers(value, (*path, str(place)))
    elif isinstance(entry, int | float) and not isinstance(entry, bool):
        yield ".".join(path), float(entry) if math.isfinite(entry) else None
