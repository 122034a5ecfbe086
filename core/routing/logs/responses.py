"""Experts in the responses of servers: vLLM's ``routed_experts``, and SGLang's."""

import base64
import binascii
import io
from collections.abc import Iterator

import numpy as np
from jaxtyping import Int64

from core.routing.logs.headers import bytes_of, npy_header
from core.routing.logs.lines import JSONObject, inside, items
from core.routing.logs.log import LogError, RoutingLog, Source
from core.routing.logs.packing import Packing, Reading, whole_numbers

Rows = Int64[np.ndarray, "token layer slot"]

#: Types that arrays in responses have.
DTYPES = {"uint8", "uint16", "int16", "int32", "int64", "uint32"}
NO_LAYERS = "Layers are numbered among those that route: the log does not say which of all layers they are."


def of_vllm(document: JSONObject) -> bool:
    """Whether a response has experts as vLLM gives them."""
    fields = [choice.get("routed_experts") for choice in _choices(document)] + [document.get("prompt_routed_experts")]
    return any(isinstance(field, list | dict) or (isinstance(field, str) and _is_npy(field)) for field in fields)


def of_sglang(document: JSONObject) -> bool:
    """Whether a response has experts as SGLang gives them."""
    return any(isinstance(text, str) and not _is_npy(text) for _, _, text in _blobs(document))


def is_response(document: JSONObject) -> bool:
    """Whether it is a response of either, with experts or without."""
    return any(key in document for key in ("choices", "outputs", "meta_info", "routed_experts"))


def _choices(document: JSONObject) -> list[JSONObject]:
    found = items(document.get("choices")) or items(document.get("outputs"))
    return found or ([document] if "routed_experts" in document else [])


def _is_npy(text: str) -> bool:
    return text.startswith("k05VTVBZ")  # base64 of "\x93NUMPY"


def read_vllm(documents: Iterator[tuple[str, JSONObject]], reading: Reading, file: str) -> RoutingLog:
    """The log of vLLM's responses, a sequence a choice.

    Two layouts are read. Version 0.21 (https://docs.vllm.ai/en/v0.21.0/training/routed_experts_replay/): nested lists,
    ``prompt_routed_experts`` of the response, (prompt token, layer, slot), and ``routed_experts`` of each choice,
    (generated token, layer, slot); -1 is a position that came from a cache. From 0.22 (pull requests 38939, 44638 and
    51906 of vllm-project/vllm): ``routed_experts`` of each choice is base64 of ``numpy.save`` of (token, layer, slot),
    of all tokens of prompt and answer but the last, which no forward pass follows. An object of ``data``, ``shape`` and
    ``dtype`` is read as well (pull request 10529 of ai-dynamo/dynamo). Dumped ``RequestOutput`` with ``outputs`` for
    ``choices`` is taken alike; that layout is unverified. Layers are those that route.

    Args:
        documents: responses, each with its place.

    Raises:
        LogError: no response has experts, or what they are given in is damaged.
    """
    packing, version, left_out = Packing(reading), "", 0
    for where, document in documents:
        prompt = document.get("prompt_routed_experts")
        for place, choice in enumerate(_choices(document)):
            value = choice.get("routed_experts")
            at = f"{where}, choice {place}"
            if value is None:
                left_out += 1
                continue
            rows = _rows(value, at)
            if prompt is not None and choice is not document:
                before = _rows(prompt, f"{where}, prompt")
                if before.shape[1:] != rows.shape[1:]:
                    raise LogError(f"{at}: experts of the prompt are {before.shape[1:]} a token, here {rows.shape[1:]}")
                rows = np.concatenate((before, rows))
            version = version or _version_of(value)
            name = f"{document.get('id', document.get('request_id', len(packing)))}.{choice.get('index', place)}"
            packing.add(rows, name, at, token_ids=_token_ids(document, choice, len(rows), at))
    if not packing:
        raise LogError(f"{file}: no response has experts; was the server started with --enable-return-routed-experts?")
    notes = [NO_LAYERS, *([f"{left_out} choices have no experts and are left out."] if left_out else [])]
    return packing.done(Source("vLLM", version, file), notes)


def _version_of(value: object) -> str:
    if isinstance(value, list):
        return "nested lists, as of 0.21"
    return "base64 of numpy, as from 0.22" if isinstance(value, str) else "base64 with shape, as Dynamo gives it"


def _rows(value: object, where: str) -> Rows:
    if isinstance(value, str):
        return _from_npy(_decoded(value, where), where)
    if isinstance(value, dict):
        data, shape, dtype = value.get("data"), value.get("shape"), value.get("dtype", "uint8")
        if not isinstance(data, str) or dtype not in DTYPES:
            raise LogError(f"{where}: experts have data, a shape, and a dtype of {', '.join(sorted(DTYPES))}")
        sizes = tuple(int(each) for each in whole_numbers(shape, 1, f"{where}, shape"))
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


def _token_ids(document: JSONObject, choice: JSONObject, count: int, where: str) -> Int64[np.ndarray, " token"] | None:
    """The ids of prompt and answer, as many as have experts; None where a response is without them."""
    prompt = choice.get("prompt_token_ids", document.get("prompt_token_ids"))
    answer = choice.get("token_ids", document.get("output_ids"))
    if not isinstance(prompt, list) or not isinstance(answer, list) or not prompt:
        return None
    ids = whole_numbers([*prompt, *answer], 1, f"{where}, token ids")
    return ids[:count] if len(ids) in (count, count + 1) else None


# -- SGLang ------------------------------------------------------------------------------------------------


def _blobs(document: JSONObject) -> Iterator[tuple[int, JSONObject, object]]:
    """Place and holder of everything that SGLang's experts can lie in, and what lies there."""
    if "meta_info" in document:
        yield 0, document, inside(document, "meta_info", "routed_experts")
    for place, choice in enumerate(items(document.get("choices"))):
        for way in (("sgl_ext", "routed_experts"), ("meta_info", "routed_experts"), ("routed_experts",)):
            found = inside(choice, *way)
            if found is not None:
                yield place, choice, found
                break
    found = inside(document, "nvext", "routed_experts")
    if found is not None:
        yield 0, document, found


def read_sglang(documents: Iterator[tuple[str, JSONObject]], reading: Reading, file: str) -> RoutingLog:
    """The log of SGLang's responses.

    ``routed_experts`` is base64 of 32-bit numbers, flat, in the order (token, layer, slot), of all tokens of prompt and
    answer but the last: in ``meta_info`` of ``/generate`` (pull request 12162 of sgl-project/sglang), in ``sgl_ext`` of
    a choice of the OpenAI endpoints (pull request 17434). ``routed_experts_dtype`` (pull request 31219, open in 2026)
    names another width: uint16, uint8. How many layers and slots there are it does not say: ``top_k`` must be given,
    and ``layers`` where a response does not count its tokens, or leaves some out (``routed_experts_start_len``).

    Args:
        documents: responses, each with its place.

    Raises:
        LogError: no response has experts, what they are given in is damaged, or ``top_k`` was not given.
    """
    if reading.top_k is None:
        raise LogError(f"{file}: SGLang does not say how many experts a token takes; give it as top_k (--top-k)")
    packing, left_out = Packing(reading), 0
    for where, document in documents:
        for place, holder, text in _blobs(document):
            at = f"{where}, choice {place}"
            if not isinstance(text, str):
                left_out += 1
                continue
            flat = _flat(text, inside(holder, "meta_info", "routed_experts_dtype"), at)
            rows = flat.reshape(-1, _layers(document, holder, flat.size, reading, at), reading.top_k)
            name = str(inside(holder, "meta_info", "id") or document.get("id") or len(packing))
            packing.add(rows, f"{name}.{place}", at, token_ids=_token_ids(document, holder, len(rows), at))
    if not packing:
        raise LogError(
            f"{file}: no response has experts; ask for them by return_routed_experts, of a server started with "
            "--enable-return-routed-experts"
        )
    notes = [NO_LAYERS, *([f"{left_out} responses have no experts and are left out."] if left_out else [])]
    return packing.done(Source("SGLang", "base64, flat", file), notes)


def _flat(text: str, dtype: object, where: str) -> Int64[np.ndarray, " number"]:
    kind = np.dtype("int32") if dtype is None else np.dtype(str(dtype)) if dtype in DTYPES else None
    if kind is None:
        raise LogError(f"{where}: routed_experts_dtype is one of {', '.join(sorted(DTYPES))}, not {dtype}")
    content = _decoded(text, where)
    if not content or len(content) % kind.itemsize:
        raise LogError(f"{where}: {len(content)} bytes are no numbers of {kind.itemsize} bytes; the log may be cut off")
    return np.frombuffer(content, dtype=kind)


def _layers(document: JSONObject, holder: JSONObject, size: int, reading: Reading, where: str) -> int:
    """How many layers so many numbers are of."""
    assert reading.top_k is not None
    if reading.layers is not None:
        if size % (reading.layers * reading.top_k):
            raise LogError(f"{where}: {size} numbers are no {reading.layers} layers of {reading.top_k} experts a token")
        return reading.layers
    usage = inside(holder, "meta_info") or document.get("meta_info") or document.get("usage")
    counts = [usage.get(key) if isinstance(usage, dict) else None for key in ("prompt_tokens", "completion_tokens")]
    tokens = sum(count for count in counts if isinstance(count, int)) - 1
    if any(not isinstance(count, int) for count in counts) or tokens < 1:
        raise LogError(f"{where}: the response does not count its tokens; give how many layers route (--layers)")
    if size % (tokens * reading.top_k):
        raise LogError(
            f"{where}: {size} numbers are not {tokens} tokens of {reading.top_k} experts at every layer; give how many "
            "layers route (--layers) where tokens were left out, and the right top_k"
        )
    return size // (tokens * reading.top_k)
