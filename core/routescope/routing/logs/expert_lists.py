"""Lists of experts by layer in JSON, those that stay or those that go, as pruning tools write them.

Accepted: our own keep-lists; JSON or JSONL of layer -> experts that stay (``{"0": [106, 65]}``, the
``expert_list_file`` of pull request 12525 of vllm-project/vllm-ascend); profiles that name their lists, such as "keep"
or "pruned_experts"; masks of 0 and 1.
"""

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

#: Bytes of such a file at most.
MOST_BYTES = 16 * 2**20
#: Names of lists of experts that stay, and of those that go, within the names of keys.
_KEEP, _DROP = ("keep", "kept", "retain", "active", "expert_list"), ("drop", "prune", "remove", "mask_out", "skip")
ACCEPTED = (
    'a keep-list is JSON of layer -> experts that stay, {"0": [3, 5]}, on one line or a line a layer; a list may be '
    "called keep or drop, or be one of `routescope prune`; else give names of units, l1.e4, separated by "
    "commas or lines"
)


class ExpertListError(ValueError):
    """Lists of experts that contradict themselves; the message says what is accepted."""


@dataclass(frozen=True)
class ExpertLists:
    """Experts by layer.

    Attributes:
        what: whether the listed experts stay or go.
        layers: layer, as the file numbers it -> experts, from 0, in the order of the file.
        named: whether the file itself says which of the two it is.
    """

    what: Literal["keep", "drop"]
    layers: Mapping[int, tuple[int, ...]]
    named: bool


def expert_lists(text: str) -> ExpertLists | None:
    """Return a text's lists of experts, None for no keep-list; raises ExpertListError for double or bad layers."""
    documents = _documents(text)
    if not documents:
        return None
    if len(documents) == 1 and (lists := _named(documents[0])) is not None:
        return lists
    layers: dict[int, tuple[int, ...]] = {}
    for document in documents:
        if not document or not all(_layer_of(key) is not None and _is_list(value) for key, value in document.items()):
            return None
        _add(layers, document)
    return ExpertLists("keep", layers, named=False)


def _documents(text: str) -> list[dict[str, object]]:
    """Return the JSON objects of a text, one in all or one a line; none of another text."""
    try:
        whole = json.loads(text)
        return [whole] if isinstance(whole, dict) else []
    except (ValueError, RecursionError):
        pass
    try:
        lines = [json.loads(line) for line in text.splitlines() if line.strip()]
    except (ValueError, RecursionError):
        return []
    return lines if all(isinstance(line, dict) for line in lines) else []


def _layer_of(key: str) -> int | None:
    """Return the layer that a key names, such as "3", "layer_3" or "model.layers.3.mlp"."""
    match = re.fullmatch(r"(?:.*layers?[._ ]?)?(\d{1,6})(?:\..*)?", key)
    return int(match[1]) if match else None


def _is_list(value: object) -> bool:
    return isinstance(value, list) and bool(value) and all(isinstance(expert, int) for expert in value)


def _add(layers: dict[int, tuple[int, ...]], listed: Mapping[str, object]) -> None:
    for key, value in listed.items():
        layer = _layer_of(key)
        if layer is None or not isinstance(value, list):
            raise ExpertListError(f"{key[:40]} is no layer with a list of experts; {ACCEPTED}")
        if layer in layers:
            raise ExpertListError(f"layer {layer} is listed twice; a keep-list has one list for each layer")
        layers[layer] = tuple(int(expert) for expert in value)


def _kind(name: str) -> Literal["keep", "drop"] | None:
    lowered = name.lower()
    if any(word in lowered for word in _KEEP):
        return "keep"
    return "drop" if any(word in lowered for word in _DROP) else None


def _named(document: dict[str, object]) -> ExpertLists | None:
    """Return the lists of a profile: {"pruned_experts": {"0": [1]}}, {"layers": {"0": {"keep": [1]}}}, or ours."""
    for name, value in document.items():
        kind = _kind(name)
        if isinstance(value, dict) and value and all(_layer_of(key) is not None for key in value):
            if all(map(_is_list, value.values())):
                if kind is not None or name == "layers" or "expert" in name.lower():
                    layers: dict[int, tuple[int, ...]] = {}
                    _add(layers, value)
                    return ExpertLists(kind or "keep", layers, kind is not None)
                continue
            entries = {key: entry for key, entry in value.items() if isinstance(entry, dict)}
            if (lists := _by_layer(entries)) is not None:
                return lists
        if name == "layers" and isinstance(value, list):
            numbered = {
                str(entry.get("index", entry.get("layer", entry.get("layer_id")))): entry
                for entry in value
                if isinstance(entry, dict)
            }
            if len(numbered) == len(value) and (lists := _by_layer(numbered)) is not None:
                return lists
    return None


def _by_layer(entries: Mapping[str, dict[str, object]]) -> ExpertLists | None:
    """Return the lists of layers that are objects: those called keep or drop; ours call the kept ones ``indices``."""
    for kind in ("keep", "drop"):
        layers: dict[int, tuple[int, ...]] = {}
        for key, entry in entries.items():
            ours = "kept" in entry and "indices" in entry
            name = "indices" if ours else next((word for word in entry if _kind(word) == kind), None)
            value = entry.get(name) if name is not None else None
            if (
                _layer_of(key) is None
                or not isinstance(value, list)
                or not all(isinstance(expert, int) for expert in value)
            ):
                break
            _add(layers, {key: value})
        else:
            if layers:
                return ExpertLists("keep" if kind == "keep" else "drop", layers, named=True)
    return None
