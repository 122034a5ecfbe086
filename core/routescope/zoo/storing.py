"""Storing weights as 8-bit integers, if every figure of the card stays within its interval.

The figures are measured again with the rounded weights on the samples that the card tells of, and each must lie within
the interval of the one before; otherwise nothing is changed. The card then tells both.
"""

import json
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from routescope.routing.trace import library_versions
from routescope.zoo import cards, checkpoint

#: What a card says of the training: it stays.
OF_TRAINING = ("settings", "epochs", "training_data", "history", "notes", "date", "versions", "machine")


class NotAlike(ValueError):
    """A network whose figures cannot be compared with those of its card, or are not what they were; says which."""


@dataclass(frozen=True)
class FigureChange:
    """A figure that a card tells, with its interval, and the same of now; ``measure``: of one that is no accuracy."""

    what: str
    before: float
    low: float
    high: float
    now: float
    measure: str | None = None

    @property
    def within(self) -> bool:
        """Whether the accuracy of now lies within the interval of the one before."""
        return self.low <= self.now <= self.high


def compared(before: Sequence[Mapping[str, Any]], now: Sequence[Mapping[str, Any]]) -> Iterator[FigureChange]:
    """Return both cards' ``accuracies`` side by side, kinds last; raises NotAlike for other samples."""
    samples = [[(_scored(figure), figure["count"]) for figure in figures] for figures in (before, now)]
    if samples[0] != samples[1]:
        of_card, of_now = (", ".join(f"{what} ({count:,})" for what, count in pairs) or "nothing" for pairs in samples)
        raise NotAlike(f"the card's figures are of {of_card}; scored now: {of_now}")
    for old, new in zip(before, now, strict=True):
        yield FigureChange(_scored(old), old["accuracy"], old["low"], old["high"], new["accuracy"], old.get("measure"))
        for kind in compared(old.get("by_kind", ()), new.get("by_kind", ())):
            yield replace(kind, what=f"{_scored(old)}, {kind.what}", measure=None)


def readable(change: FigureChange) -> list[str]:
    """A figure as it is now, and the ends of the interval of the figure before, as people read them."""
    return cards.figures(
        {key: value for key, value in asdict(change).items() if value is not None}, "now", "low", "high"
    )


def _scored(figure: Mapping[str, Any]) -> str:
    """The data set, or the kind of its statements, of an accuracy."""
    return str(figure["data"] if "data" in figure else figure["kind"])


def store_as_integers(folder: Path, sources: Mapping[str, str], kind: cards.ScoredTask) -> dict[str, Any]:
    """Round the weights of the checkpoint in a folder, score it again, and write it with its card.

    Args:
        sources: the real data sets, by name, that the card's figures were measured on.
        kind: of data that it was trained on, which says what is scored.

    Returns:
        The new card. Its ``stored`` has ``as``, ``bytes``, ``bytes_before``, ``revision_before``, ``date``,
        ``versions`` and ``figures``, each with the fields of ``FigureChange``.

    Raises:
        CheckpointError: no readable checkpoint.
        DataError: a source cannot be read.
        NotAlike: the card is another checkpoint's, its figures are of other samples, or one leaves its interval.
            Nothing is changed then.
    """
    path, card = folder / "model.safetensors", json.loads((folder / "card.json").read_text())
    name, model = card["name"], checkpoint.load(path)
    if card["revision"] != model.revision:
        raise NotAlike(f"the card of {name} is of revision {card['revision']}, the checkpoint of {model.revision}")
    if "stored" in card:
        raise NotAlike(f"{name} is stored as {card['stored']['as']} already")
    with tempfile.TemporaryDirectory(dir=folder) as temporary:
        made = Path(temporary)
        small = checkpoint.save(model, made / path.name, {"name": name}, "int8")
        new_card = cards.write(made, name, sources, {fact: card[fact] for fact in OF_TRAINING}, kind)
        figures = list(compared(card["accuracies"], new_card["accuracies"]))
        if outside := [change for change in figures if not change.within]:
            changes = "; ".join("{}: {}, not {} to {}".format(change.what, *readable(change)) for change in outside)
            raise NotAlike(f"{name} is not what it was: {changes}")
        new_card["stored"] = {
            "as": "int8",
            "bytes": small.stat().st_size,
            "bytes_before": path.stat().st_size,
            "revision_before": card["revision"],
            "date": datetime.now(UTC).date().isoformat(),
            "versions": library_versions(),
            "figures": [asdict(change) for change in figures],
        }
        cards.keep(made, new_card, kind, model.config)
        for file in made.iterdir():
            file.replace(folder / file.name)
    return new_card
