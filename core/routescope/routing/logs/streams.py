"""Responses that came as streams of events, each with a part of the answer: their routing joined."""

from collections.abc import Callable
from dataclasses import dataclass, field

import numpy as np
from jaxtyping import Int64

from routescope.routing.logs.lines import Event, JSONObject, items

Pieces = list[Int64[np.ndarray, "token ..."]]


def is_event(document: JSONObject) -> bool:
    """Whether a JSON object is an event of a stream: a part of a response."""
    return (
        isinstance(document, Event)
        or str(document.get("object", "")).endswith(".chunk")
        or any("delta" in choice for choice in items(document.get("choices")))
    )


@dataclass
class Stream:
    """What the events of one choice of a response gave.

    Attributes:
        where: the place of the first event with routing.
        last: the last event with routing.
        holder: its choice.
        pieces: routing of the events, in order.
        prompt_ids, ids: ids of the prompt's tokens, and of the answer's.
    """

    where: str
    last: JSONObject = field(default_factory=dict)
    holder: JSONObject = field(default_factory=dict)
    pieces: Pieces = field(default_factory=list)
    prompt_ids: list[object] = field(default_factory=list)
    ids: list[object] = field(default_factory=list)


class Streams:
    """Choices of responses by their ids, in the order of their first events.

    Args:
        charge: counts bytes that are held, and where they are from; raises LogError when they are too many.
    """

    def __init__(self, charge: Callable[[int, str], object]) -> None:
        self._charge = charge
        self.of: dict[tuple[str, str], Stream] = {}
        self.usage: dict[str, object] = {}
        self._numbers: dict[str, int] = {}

    def stream(self, document: JSONObject, choice: JSONObject, at: int, where: str) -> Stream:
        """Return the stream that a choice of an event is of, with the ids of its tokens added."""
        identity = identity_of(document)
        self._numbers.setdefault(identity, len(self._numbers))
        stream = self.of.setdefault((identity, str(choice.get("index", at))), Stream(where))
        delta = choice.get("delta")
        for holder in (document, choice, delta if isinstance(delta, dict) else {}):
            if isinstance(prompt := holder.get("prompt_token_ids"), list):
                stream.prompt_ids = prompt
            if isinstance(ids := holder.get("token_ids"), list):
                self._charge(8 * len(ids), where)
                stream.ids += ids
        return stream

    def add(self, stream: Stream, document: JSONObject, holder: JSONObject, piece: Int64[np.ndarray, "..."]) -> None:
        """Add the routing of an event."""
        stream.last, stream.holder = document, holder
        stream.pieces.append(piece)

    def note(self, document: JSONObject) -> None:
        """Keep the counts of tokens of a response, which a last event without a choice may have."""
        if isinstance(usage := document.get("usage"), dict):
            self.usage[identity_of(document)] = usage

    def number(self, identity: str) -> int:
        """Return the place of a response among the streams, the same for all its choices."""
        return self._numbers[identity]

    def assumed(self) -> list[str]:
        """Return what was assumed of the streams, in sentences."""
        several = [stream.pieces for stream in self.of.values() if len(stream.pieces) > 1]
        grown = sum(map(_grows, several))
        parts = []
        if grown:
            parts.append(
                f"Events repeat the routing of events before, in {grown:,} of the streams: the last event is read."
            )
        if len(several) > grown:
            parts.append(
                f"Routing stands in several events, in {len(several) - grown:,} of the streams: it is "
                "joined in their order."
            )
        return parts


def identity_of(document: JSONObject) -> str:
    """Return the id of a response, or the number of its stream in the file."""
    meta = document.get("meta_info")
    name = document.get("id") or document.get("request_id") or (meta.get("id") if isinstance(meta, dict) else None)
    return str(name or (f"stream{document.number}" if isinstance(document, Event) else ""))


def joined(pieces: Pieces) -> Int64[np.ndarray, "token ..."]:
    """Return the routing of a stream, (token, ...): its pieces one after the other, or the last where pieces grow."""
    return pieces[-1] if len(pieces) == 1 or _grows(pieces) else np.concatenate(pieces)


def _grows(pieces: Pieces) -> bool:
    """Whether every piece begins with the one before, as events that repeat all tokens so far do."""
    pairs = list(zip(pieces, pieces[1:], strict=False))
    return len(pieces[-1]) > 1 and all(
        len(before) <= len(after) and np.array_equal(before, after[: len(before)]) for before, after in pairs
    )
