"""Experts in the responses of servers: vLLM's ``routed_experts``, and SGLang's, whole or as streams of events."""

import base64
import binascii
import io
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import TypeGuard

import numpy as np
from jaxtyping import Int64

from routescope.routing.logs.headers import bytes_of, npy_header
from routescope.routing.logs.lines import Event, JSONObject, inside, items
from routescope.routing.logs.log import LogError, RoutingLog, Source
from routescope.routing.logs.packing import LONGEST_NAME, Packing, Reading, cut, whole_numbers
from routescope.routing.logs.turns import Turn

Pieces = list[Int64[np.ndarray, "token ..."]]


def is_event(document: JSONObject) -> bool:
    """Whether a JSON object is an event of a stream: a part of a response."""
    return (
        isinstance(document, Event)
        or str(document.get("object", "")).endswith(".chunk")
        or any("delta" in choice for choice in items(document.get("choices")))
    )


@dataclass
class ChoiceStream:
    """Events of one choice of a response.

    Attributes:
        where: position of the first event with routing.
        last, holder: the last event with routing, and its choice.
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
        charge: counts bytes that are held, and their origin; raises LogError above the limit.
    """

    def __init__(self, charge: Callable[[int, str], object]) -> None:
        self._charge = charge
        self.of: dict[tuple[str, str], ChoiceStream] = {}
        self.usage: dict[str, object] = {}
        self._numbers: dict[str, int] = {}

    def stream(self, document: JSONObject, choice: JSONObject, at: int, where: str) -> ChoiceStream:
        """Return the stream of an event's choice, with the ids of its tokens added."""
        identity = identity_of(document)
        self._numbers.setdefault(identity, len(self._numbers))
        stream = self.of.setdefault((identity, str(choice.get("index", at))), ChoiceStream(where))
        delta = choice.get("delta")
        for holder in (document, choice, delta if isinstance(delta, dict) else {}):
            if isinstance(prompt := holder.get("prompt_token_ids"), list):
                stream.prompt_ids = prompt
            if isinstance(ids := holder.get("token_ids"), list):
                self._charge(8 * len(ids), where)
                stream.ids += ids
        return stream

    def add(
        self, stream: ChoiceStream, document: JSONObject, holder: JSONObject, piece: Int64[np.ndarray, "..."]
    ) -> None:
        """Add the routing of an event, of any shape: (...,)."""
        stream.last, stream.holder = document, holder
        stream.pieces.append(piece)

    def note(self, document: JSONObject) -> None:
        """Keep the token counts of a response, which a last event without a choice may have."""
        if isinstance(usage := document.get("usage"), dict):
            self.usage[identity_of(document)] = usage

    def number(self, identity: str) -> int:
        """Return the position of a response among the streams, the same for all its choices."""
        return self._numbers[identity]

    def assumed(self) -> list[str]:
        """Return the assumptions about the streams, in sentences."""
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


Rows = Int64[np.ndarray, "token layer slot"]

#: Types that arrays in responses have.
DTYPES = {"uint8", "int8", "uint16", "int16", "int32", "int64", "uint32"}
#: Tokens of a response that its counts may tell of.
MOST_TOKENS = 2**31
#: Path of SGLang's experts in an event of the OpenAI endpoints.
DELTA = ("delta", "sgl_ext", "routed_experts")
NO_LAYERS = "Layers are numbered among those that route: the log does not say which of all layers they are."


def of_vllm(document: JSONObject) -> bool:
    """Whether a response has experts as vLLM gives them."""
    fields = [_value(choice) for choice in _choices(document)] + [document.get("prompt_routed_experts")]
    return any(isinstance(field, list | dict) or (isinstance(field, str) and _is_npy(field)) for field in fields)


def of_sglang(document: JSONObject) -> bool:
    """Whether a response has experts as SGLang gives them."""
    return any(isinstance(text, str) and not _is_npy(text) for _, _, text in _blobs(document))


def is_response(document: JSONObject) -> bool:
    """Whether an object is a response of either server, with experts or without."""
    return any(key in document for key in ("choices", "outputs", "meta_info", "routed_experts"))


def _choices(document: JSONObject) -> list[JSONObject]:
    choices = items(document.get("choices")) or items(document.get("outputs"))
    return choices or ([document] if "routed_experts" in document else [])


def _value(choice: JSONObject) -> object:
    """Return the experts of a choice, or of a part of it in an event."""
    value = choice.get("routed_experts")
    return inside(choice, "delta", "routed_experts") if value is None else value


def _is_npy(text: str) -> bool:
    return text.startswith("k05VTVBZ")  # base64 of "\x93NUMPY"


def read_vllm(documents: Iterator[tuple[str, JSONObject]], reading: Reading, file: str) -> RoutingLog:
    """Return the log of vLLM's responses, a sequence for each choice.

    Two layouts are read. Version 0.21 (https://docs.vllm.ai/en/v0.21.0/training/routed_experts_replay/): nested lists,
    ``prompt_routed_experts`` of the response, (prompt token, layer, slot), and ``routed_experts`` of each choice,
    (generated token, layer, slot); -1 is a cached position. From 0.22 (pull requests 38939, 44638 and 51906 of
    vllm-project/vllm): ``routed_experts`` of each choice is base64 of ``numpy.save`` of (token, layer, slot), of all
    tokens of prompt and answer but the last, which no forward pass follows. An object of ``data``, ``shape`` and
    ``dtype`` is read as well (pull request 10529 of ai-dynamo/dynamo). Dumped ``RequestOutput`` with ``outputs`` for
    ``choices`` is read alike; that layout is unverified. Events of a stream with ``routed_experts`` in a choice or its
    delta are joined (pull request 37094). Layers are those that route.

    Args:
        documents: responses or events, each with its position.

    Raises:
        LogError: no response has experts, or they are damaged.
    """
    packing, version, left_out, ids = Packing(reading), "", 0, _Ids(reading)
    streams = Streams(packing.charge)
    for number, (where, document) in enumerate(documents):
        streams.note(document)
        event = is_event(document)
        prompt, before = document.get("prompt_routed_experts"), None
        for position, choice in enumerate(_choices(document)):
            value, at = _value(choice), f"{where}, choice {position}"
            stream = streams.stream(document, choice, position, at) if event else None
            if value is None:
                left_out += not event
                continue
            rows, length = _rows(value, at), _prompt(document, choice)
            version = version or _version_of(value)
            if prompt is not None and choice is not document:
                before = _rows(prompt, f"{where}, prompt") if before is None else before
                if before.shape[1:] != rows.shape[1:]:
                    raise LogError(f"{at}: experts of the prompt are {before.shape[1:]} a token, here {rows.shape[1:]}")
                packing.reading.check_size(before.nbytes + rows.nbytes, at)
                rows, length = np.concatenate((before, rows)), len(before)
            if stream is not None:
                streams.add(stream, document, choice, rows)
                packing.charge(rows.nbytes, at)
                continue
            identity = _short(document.get("id", document.get("request_id", len(packing))))
            name = f"{identity}.{_short(choice.get('index', position))}"
            token_ids, after = ids.of(document, choice, len(rows), at)
            packing.add(rows, name, at, token_ids=token_ids, turn=Turn(number, length, after))
    for (identity, index), stream in streams.of.items():
        if not stream.pieces:
            left_out += 1
            continue
        rows = joined(stream.pieces)
        whole: JSONObject = {"prompt_token_ids": stream.prompt_ids, "token_ids": stream.ids}
        token_ids, after = ids.of(whole, whole, len(rows), stream.where)
        turn = Turn(streams.number(identity), _prompt(whole | {"usage": streams.usage.get(identity)}, {}), after)
        name = f"{_short(identity or len(packing))}.{_short(index)}"
        packing.add(rows, name, stream.where, token_ids=token_ids, turn=turn)
    if not packing:
        raise LogError(f"{file}: no response has experts; was the server started with --enable-return-routed-experts?")
    notes = [NO_LAYERS, *([f"{left_out} choices have no experts and are left out."] if left_out else [])]
    return packing.done(Source("vLLM", version, file), notes, assumed=[*streams.assumed(), *ids.assumed()])


def _short(name: object) -> str:
    return cut(str(name), LONGEST_NAME - 20)


def _prompt(document: JSONObject, choice: JSONObject) -> int | None:
    """Return the number of prompt tokens of a response; None where it does not say it."""
    ids = choice.get("prompt_token_ids", document.get("prompt_token_ids"))
    if isinstance(ids, list) and ids:
        return len(ids)
    for usage in (choice.get("meta_info"), document.get("meta_info"), document.get("usage")):
        if isinstance(usage, dict) and _is_count(count := usage.get("prompt_tokens")):
            return count
    return None


def _is_count(value: object) -> TypeGuard[int]:
    return type(value) is int and 0 <= value < MOST_TOKENS


class _Ids:
    """Ids of tokens with experts, and assumptions about responses with more ids than experts."""

    def __init__(self, reading: Reading) -> None:
        self._start = reading.start
        self._short = 0
        self._missing = 0

    def of(
        self, document: JSONObject, choice: JSONObject, count: int, where: str
    ) -> tuple[Int64[np.ndarray, " token"] | None, int | None]:
        """Return ``count`` token ids and the next, None if missing; raises LogError for bad ids or counts."""
        prompt = choice.get("prompt_token_ids", document.get("prompt_token_ids"))
        answer = choice.get("token_ids", document.get("output_ids"))
        if not isinstance(prompt, list) or not isinstance(answer, list) or not prompt:
            return None, None
        start, id_count = self._start or 0, len(prompt) + len(answer)
        if self._start is not None and not start + count <= id_count <= start + count + 1:
            raise LogError(
                f"{where}: {count} tokens have experts and {id_count} have ids; with start {start} "
                f"{max(0, id_count - start - 1)} or {max(0, id_count - start)} have experts. "
                "Give another start (--start)"
            )
        if not start + count <= id_count <= start + count + 1:
            self._short += 1
            self._missing = id_count - 1 - count
            return None, None
        ids = whole_numbers([*prompt, *answer], 1, f"{where}, token ids")
        after = int(ids[start + count]) if len(ids) > start + count else None
        return ids[start : start + count], after

    def assumed(self) -> list[str]:
        lines = []
        if self._start:
            lines.append(
                f"The first {self._start:,} tokens of each sequence are not in the log, as given (--start): token 1 "
                f"here is token {self._start + 1} of its text."
            )
        if self._short:
            lines.append(
                f"{self._short:,} responses have other numbers of ids than of tokens with experts, in the last by "
                f"{self._missing:,}: their ids are not shown. Where tokens at the start are not in the log, give how "
                "many (--start)."
            )
        return lines


def _version_of(value: object) -> str:
    if isinstance(value, list):
        return "nested lists, as of 0.21"
    return "base64 of numpy, as from 0.22" if isinstance(value, str) else "base64 with shape, as Dynamo gives it"


def _rows(value: object, where: str) -> Rows:
    if isinstance(value, str):
        return _from_npy(_decoded(value, where), where)
    if isinstance(value, dict):
        data, shape, dtype = value.get("data"), value.get("shape"), value.get("dtype", "uint8")
        if not isinstance(data, str) or not isinstance(dtype, str) or dtype not in DTYPES:
            raise LogError(f"{where}: experts have data, a shape, and a dtype of {', '.join(sorted(DTYPES))}")
        sizes = tuple(int(side) for side in whole_numbers(shape, 1, f"{where}, shape"))
        return _table(_decoded(data, where), sizes, np.dtype(str(dtype)), where)
    return whole_numbers(value, 3, where)


def _decoded(text: str, where: str) -> bytes:
    try:
        return base64.b64decode(text, validate=True)
    except (binascii.Error, ValueError) as error:
        raise LogError(f"{where}: experts are no base64 ({error}); a log that was cut off ends so") from error


def _from_npy(content: bytes, where: str) -> Rows:
    file = io.BytesIO(content)
    shape, dtype = npy_header(file, where)
    if str(dtype) not in DTYPES:
        raise LogError(f"{where}: experts are whole numbers, not {dtype}")
    return _table(content[file.tell() :], shape, dtype, where)


def _table(content: bytes, shape: tuple[int, ...], dtype: np.dtype, where: str) -> Rows:
    if len(shape) != 3 or min(shape) < 1:
        raise LogError(f"{where}: experts are (token, layer, slot), at least one of each, not {shape}")
    if len(content) != (size := bytes_of(shape, dtype)):
        raise LogError(
            f"{where}: {shape} of {dtype} are {size} bytes, not {len(content)}; a log that was cut off ends so"
        )
    return np.frombuffer(content, dtype=dtype).reshape(shape)


# -- SGLang ------------------------------------------------------------------------------------------------


def _blobs(document: JSONObject) -> Iterator[tuple[int, JSONObject, object]]:
    """Yield position and holder of every field that SGLang's experts can be in, and its value."""
    if "meta_info" in document:
        yield 0, document, inside(document, "meta_info", "routed_experts")
    for number, choice in enumerate(items(document.get("choices"))):
        for way in (("sgl_ext", "routed_experts"), ("meta_info", "routed_experts"), ("routed_experts",), DELTA):
            value = inside(choice, *way)
            if value is not None:
                yield number, choice, value
                break
    value = inside(document, "nvext", "routed_experts")
    if value is not None:
        yield 0, document, value


def read_sglang(documents: Iterator[tuple[str, JSONObject]], reading: Reading, file: str) -> RoutingLog:
    """Return the log of SGLang's responses; raises LogError if damaged, without experts, or without ``top_k``.

    ``routed_experts`` is base64 of 32-bit numbers, flat, in the order (token, layer, slot), of all tokens of prompt and
    answer but the last: in ``meta_info`` of ``/generate`` (pull request 12162 of sgl-project/sglang), in ``sgl_ext`` of
    a choice of the OpenAI endpoints (pull request 17434). ``routed_experts_dtype`` (pull request 31219, open in 2026)
    names another width: uint16, uint8. The numbers of layers and slots are not in it: ``top_k`` must be given, and
    ``layers`` where a response does not count its tokens. A request with ``routed_experts_start_len`` leaves tokens out
    at the start: ``start``. Events of a stream are joined.

    Args:
        documents: responses, each with its position.
    """
    if reading.top_k is None:
        raise LogError(f"{file}: SGLang does not say how many experts a token takes; give it as top_k (--top-k)")
    packing, left_out, layout = Packing(reading), 0, _Layout(reading)
    streams = Streams(packing.charge)

    def add(
        number: int, flat: Int64[np.ndarray, " number"], document: JSONObject, holder: JSONObject, name: str, at: str
    ) -> None:
        rows = flat.reshape(-1, layout.layers(document, holder, flat.size, at), layout.slots)
        ids, after = layout.ids.of(document, holder, len(rows), at)
        packing.add(rows, name, at, token_ids=ids, turn=Turn(number, _prompt(document, holder), after))

    for number, (where, document) in enumerate(documents):
        streams.note(document)
        event = is_event(document)
        for position, holder, text in _blobs(document):
            at = f"{where}, choice {position}"
            stream = streams.stream(document, holder, position, at) if event else None
            if not isinstance(text, str):
                left_out += not event
                continue
            flat = _flat(text, inside(holder, "meta_info", "routed_experts_dtype"), at)
            if stream is not None:
                streams.add(stream, document, holder, flat)
                packing.charge(flat.nbytes, at)
                continue
            name = _short(inside(holder, "meta_info", "id") or document.get("id") or len(packing))
            add(number, flat, document, holder, f"{name}.{position}", at)
    for (identity, index), stream in streams.of.items():
        if stream.pieces:
            usage = streams.usage.get(identity) or stream.last.get("usage")
            add(
                streams.number(identity), joined(stream.pieces), stream.last | {"usage": usage}, stream.holder,
                f"{_short(identity or len(packing))}.{_short(index)}", stream.where,
            )  # fmt: skip
        else:
            left_out += 1
    if not packing:
        raise LogError(
            f"{file}: no response has experts; ask for them by return_routed_experts, of a server started with "
            "--enable-return-routed-experts"
        )
    notes = [NO_LAYERS, *([f"{left_out} responses have no experts and are left out."] if left_out else [])]
    assumed = [*layout.assumed(), *streams.assumed(), *layout.ids.assumed()]
    return packing.done(Source("SGLang", "base64, flat", file), notes, assumed=assumed)


def _flat(text: str, dtype: object, where: str) -> Int64[np.ndarray, " number"]:
    named = "int32" if dtype is None else dtype
    if not isinstance(named, str) or named not in DTYPES:
        raise LogError(f"{where}: routed_experts_dtype is one of {', '.join(sorted(DTYPES))}, not {str(dtype)[:40]}")
    kind = np.dtype(named)
    content = _decoded(text, where)
    if not content or len(content) % kind.itemsize:
        raise LogError(f"{where}: {len(content)} bytes are no numbers of {kind.itemsize} bytes; the log may be cut off")
    return np.frombuffer(content, dtype=kind)


class _Layout:
    """Numbers of layers and slots of a response's flat numbers."""

    def __init__(self, reading: Reading) -> None:
        assert reading.top_k is not None
        self.slots, self.ids = reading.top_k, _Ids(reading)
        self._layers, self._start = reading.layers, reading.start
        self._by_counts = 0
        self._short: list[int] = []

    def layers(self, document: JSONObject, holder: JSONObject, size: int, where: str) -> int:
        """Return a response's number of layers; raises LogError if counts are missing or do not fit."""
        given = inside(holder, "meta_info", "routed_experts_start_len")
        start = self._start if self._start is not None else given if _is_count(given) else 0
        tokens = _tokens_of(document, holder)
        if self._layers is not None:
            return self._given(size, None if tokens is None else tokens - start, start, where)
        if tokens is None or tokens - start < 1:
            raise LogError(f"{where}: the response does not count its tokens; give how many layers route (--layers)")
        if size % ((tokens - start) * self.slots):
            raise LogError(
                f"{where}: {size} numbers are not {tokens - start} tokens of {self.slots} experts at every layer; give "
                "how many layers route (--layers) or how many tokens at the start were left out (--start), and the "
                "right top_k"
            )
        self._by_counts = size // ((tokens - start) * self.slots)
        return self._by_counts

    def _given(self, size: int, tokens: int | None, start: int, where: str) -> int:
        assert self._layers is not None
        if size % (self._layers * self.slots):
            raise LogError(f"{where}: {size} numbers are no {self._layers} layers of {self.slots} experts a token")
        rows = size // (self._layers * self.slots)
        if tokens is not None and (rows > tokens + 1 or (self._start is not None and rows < tokens)):
            raise LogError(
                f"{where}: {size} numbers are {rows} tokens of {self._layers} layers and {self.slots} experts, and the "
                f"response has {max(tokens, 0)} with start {start}; give other layers (--layers), top_k (--top-k) or "
                "start (--start)"
            )
        if tokens is not None and rows < tokens:
            self._short.append(tokens - rows)
        return self._layers

    def assumed(self) -> list[str]:
        lines = []
        if self._by_counts:
            lines.append(
                f"{self._by_counts} layers of {self.slots} experts a token follow from the counts of tokens: all "
                "tokens but the last are taken to be in the log. Give the layers (--layers), or how many tokens at the "
                "start are not in it (--start), to say otherwise."
            )
        if self._short:
            least, most = min(self._short), max(self._short)
            lines.append(
                f"{len(self._short):,} responses have {least if least == most else f'{least} to {most}'} tokens more "
                "than the log has experts for; they are taken for the first ones, as a prefix that was logged before "
                "(--start)."
            )
        return lines


def _tokens_of(document: JSONObject, holder: JSONObject) -> int | None:
    """Return how many tokens of a response were routed: all but the last; None where it does not count them."""
    usage = inside(holder, "meta_info") or document.get("meta_info") or document.get("usage")
    counts = [usage.get(key) if isinstance(usage, dict) else None for key in ("prompt_tokens", "completion_tokens")]
    valid = [count for count in counts if _is_count(count)]
    return sum(valid) - 1 if len(valid) == len(counts) else None
