"""Checks of ``config.json`` before transformers makes anything of it, and a limit on what it then makes.

Numbers of a config have bounds by their names, and are compared with the shapes in the heads of safetensors files.
While transformers builds a model, every module and parameter is counted: a model much larger than the files is refused
at the first module beyond the limit.
"""

import math
import re
import threading
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from torch import Tensor, nn
from torch.nn.modules.module import (
    register_module_module_registration_hook,
    register_module_parameter_registration_hook,
)

from routescope.nn.adapters.exploring import NotAdaptable

#: Levels of objects and lists, entries of a list, and characters of a text in a config, at most.
DEEPEST, LONGEST_LIST, LONGEST_TEXT = 16, 100_000, 100_000
#: Numbers that must be whole and positive wherever a text model is described, and may be lists with one for each layer.
SIZES = re.compile(
    r"(hidden_size|d_model|vocab_size|intermediate_size)|(num_hidden_layers|n_layers?|num_layers)"
    r"|((num_attention|num_key_value|n|num)_heads?)|max_position_embeddings"
)
#: Names of numbers of layers, experts and heads -> the most that is accepted; the first that fits counts.
MOST: tuple[tuple[re.Pattern[str], int], ...] = (
    (re.compile(r".*token.*_ids?|.*(theta|seed|params|parameters|steps|_flops|_bytes|image_size|tokens_seen)"), 2**53),
    (re.compile(r".*(position|length|window|seq_len|extent).*|.*_base"), 2**31),
    (re.compile(r"((num|n)_.*)?layers?|.*_layers|.*depths?|.*_blocks"), 10_000),
    (re.compile(r".*(experts?|experts?_per_tok(en)?|expert_num|moe_(top_?)?k)"), 100_000),
    (re.compile(r".*(heads?|groups?)"), 100_000),
    (re.compile(r"((mamba|attention)_)?chunk_size"), 65_536),
    (re.compile(r".*"), 2**25),
)
#: How transformers writes an infinite number: ``{"__float__": "Infinity"}``.
FLOAT, INFINITE = "__float__", ("Infinity", "-Infinity", "NaN")
#: Names of numbers that may be infinite.
UNBOUNDED = re.compile(r".*(limit|max|min|clip|clamp).*")
#: Names of a number of layers, of experts of a layer, and of experts that a token takes.
LAYERS = ("num_hidden_layers", "n_layers", "n_layer", "num_layers")
EXPERTS = re.compile(r"(moe_)?(num|n)_(routed_|local_)?experts")
TOP_K = re.compile(r"(num_)?experts?_per_tok(en)?|moe_(top_?)?k|top_k_experts")
#: Entries that choose code, kernels or places of files, or are about classifiers: no model of texts needs them.
UNUSED = re.compile(
    r"_.*|auto_map|(attn|experts)_implementation|use_kernels|(id2|2id)label|label2id|num_labels|problem_type"
    r"|task_specific_params|configuration_files|name_or_path|custom_generate|transformers_weights|base_model_name_or_path"
)
#: Number formats that a config may name.
FORMATS = ("float32", "float16", "bfloat16", "float64", "float8_e4m3fn", "float8_e5m2", "auto")
#: Modules that a model may have for each tensor in the files, and besides; likewise numbers of its parameters.
MODULES, MORE_MODULES = 8, 4_096
NUMBERS, MORE_NUMBERS = 4, 2**22
#: Layers that a config may name for each layer in the files, and besides: some models use layers several times.
REPEATS, MORE_LAYERS = 4, 8


def usable(name: str, config: Mapping[str, Any]) -> dict[str, Any]:
    """Return a copy of a config without entries that choose code or files, once all of its numbers are accepted.

    Args:
        name: of the folder, for messages.
        config: what ``config.json`` holds.

    Raises:
        NotAdaptable: a number outside its bounds, of a wrong type, or a config that is nested too deeply.
    """
    _check_depth(name, config, 0)
    cleaned: dict[str, Any] = _without_unused(config)
    _check(name, "", cleaned)
    for part in _texts(cleaned):
        _check_sizes(name, part)
        _check_top_k(name, part)
    return cleaned


def _without_unused(value: Any) -> Any:
    """A copy without entries that no model of texts needs, and with infinite numbers as floats."""
    if isinstance(value, Mapping):
        if set(value) == {FLOAT} and value[FLOAT] in INFINITE:
            return float(value[FLOAT])
        return {key: _without_unused(entry) for key, entry in value.items() if not UNUSED.fullmatch(key)}
    return [_without_unused(entry) for entry in value] if isinstance(value, list) else value


def _check_depth(name: str, value: object, depth: int) -> None:
    if depth > DEEPEST:
        raise NotAdaptable(f"{name} has a config.json of more than {DEEPEST} levels, up to which it is read")
    if isinstance(value, Mapping | list):
        for entry in value.values() if isinstance(value, Mapping) else value:
            _check_depth(name, entry, depth + 1)


def _check(name: str, key: str, value: object) -> None:
    """Refuse a value of a config, or a value in it, outside the bounds of its name."""
    if isinstance(value, Mapping | list) and len(value) > LONGEST_LIST:
        raise _wrong(name, key, f"has {len(value):,} entries", f"up to {LONGEST_LIST:,}")
    if isinstance(value, Mapping):
        for inner, entry in value.items():
            _check(name, inner, entry)
    elif isinstance(value, list):
        for entry in value:
            _check(name, key, entry)
    elif isinstance(value, str):
        if len(value) > LONGEST_TEXT:
            raise _wrong(name, key, f"has {len(value):,} characters", f"up to {LONGEST_TEXT:,}")
        if key in ("dtype", "torch_dtype") and value.removeprefix("torch.") not in FORMATS:
            raise _wrong(name, key, f"is {value[:40]!r}", ", ".join(FORMATS))
    elif isinstance(value, float):
        if math.isnan(value) or (math.isinf(value) and not UNBOUNDED.fullmatch(key)):
            raise _wrong(name, key, f"is {value}", "finite numbers")
    elif type(value) is int and abs(value) > (most := _most(key)):
        raise _wrong(name, key, f"is {_digits(value)}", f"numbers up to {most:,}")


def _most(key: str) -> int:
    return next(most for pattern, most in MOST if pattern.fullmatch(key))


def _digits(value: int) -> str:
    return f"{value:,}" if abs(value) < 10**18 else f"a number of {len(str(abs(value)))} digits"


def _wrong(name: str, key: str, what: str, accepted: str) -> NotAdaptable:
    return NotAdaptable(f"{name} has a config.json whose {_shown(key)} {what}: accepted are {accepted}")


def _shown(key: str) -> str:
    plain = "".join(sign if sign.isprintable() else "?" for sign in key)
    return plain if len(plain) <= 60 else f"{plain[:59]}\u2026"


def _texts(config: Mapping[str, Any]) -> Iterator[Mapping[str, Any]]:
    """The parts of a config that describe a text model: those that name a number of layers, but not towers."""
    if any(key in config for key in LAYERS):
        yield config
    for key, part in config.items():
        if isinstance(part, Mapping) and key in ("text_config", "llm_config", "language_config", "thinker_config"):
            yield from _texts(part)


def _check_sizes(name: str, part: Mapping[str, Any]) -> None:
    for key, value in part.items():
        if value is None or not SIZES.fullmatch(key):
            continue
        for number in value if isinstance(value, list) else [value]:
            least = 2 if key == "max_position_embeddings" else 1
            if number is not None and (type(number) is not int or number < least):
                shown = repr(number) if isinstance(number, str | int | float | bool) else "no number"
                raise _wrong(name, key, f"is {shown[:60]}", f"whole numbers from {least} on")


def _check_top_k(name: str, part: Mapping[str, Any]) -> None:
    """Refuse a token that takes no expert, or more experts than a layer has."""
    counts = []
    for key, value in part.items():
        if EXPERTS.fullmatch(key) and value is not None:
            for number in value if isinstance(value, list) else [value]:
                if type(number) is not int or number < 0:
                    raise _wrong(name, key, f"is {str(number)[:40]}", "whole numbers from 0 on")
                counts.append(number)
    for key, value in part.items():
        if not TOP_K.fullmatch(key) or value is None or not any(counts):
            continue
        for number in value if isinstance(value, list) else [value]:
            if type(number) is not int or not 1 <= number <= max(counts):
                shown = f"is {str(number)[:40]}"
                raise _wrong(name, key, shown, f"whole numbers from 1 to {max(counts):,}, as many as experts")


def _numbers(value: object) -> list[int]:
    return [number for number in (value if isinstance(value, list) else [value]) if type(number) is int]


def check_alike(name: str, config: Mapping[str, Any], shapes: Mapping[str, tuple[int, ...]]) -> None:
    """Compare a config with the shapes of the tensors in the files, after dequantisation.

    Exact shapes are compared once the model is built; here are numbers that would make building it long.

    Raises:
        NotAdaptable: far more layers than the files hold, more experts or tokens than the largest dimension of a
            tensor, or a hidden size that no tensor has.
    """
    sizes = {size for shape in shapes.values() for size in shape}
    layers, experts = _counted(shapes, beside=True), _counted(shapes, beside=False)
    largest = max([*sizes, experts], default=0)
    for part in _texts(config):
        for key, value in part.items():
            numbers = _numbers(value)
            if not numbers:
                continue
            if key in LAYERS and max(numbers) > REPEATS * layers + MORE_LAYERS:
                raise _unlike(name, key, max(numbers), f"its files hold {layers:,} layers")
            if (EXPERTS.fullmatch(key) or key == "vocab_size") and max(numbers) > largest:
                raise _unlike(name, key, max(numbers), "no tensor in its files has as many rows")
            if key in ("hidden_size", "d_model") and not sizes.intersection(numbers):
                raise _unlike(name, key, max(numbers), "no tensor in its files has this size")


def _unlike(name: str, key: str, number: int, files: str) -> NotAdaptable:
    return NotAdaptable(
        f"{name} has a config.json whose {key} is {_digits(number)}, but {files}. Take config and weights of the same "
        "model"
    )


def _counted(names: Mapping[str, object], *, beside: bool) -> int:
    """Return the number of layers, or of experts in them, from the largest number in names of tensors."""
    most = -1
    for name in names:
        words = name.split(".")
        for before, word in zip(words, words[1:], strict=False):
            if word.isdecimal() and len(word) < 9 and ("expert" not in before) is beside:
                most = max(most, int(word))
    return most + 1


# -- while a model is built ----------------------------------------------------------------------------------------


class ModelTooLarge(Exception):
    """A model that is being built, and is already larger than its files."""


@dataclass
class _Count:
    """Modules and numbers that may still be built, and until when by the monotonic clock."""

    modules: int
    numbers: int
    until: float

    def spend(self, modules: int, numbers: int) -> None:
        """Count what was made; raises TooLarge for more than the files hold, or for too long a time."""
        self.modules -= modules
        self.numbers -= numbers
        if self.modules < 0 or self.numbers < 0 or time.monotonic() > self.until:
            raise ModelTooLarge


_building = threading.local()


def _made(_: nn.Module, __: str, part: object) -> None:
    count: _Count | None = getattr(_building, "count", None)
    if count is not None:
        count.spend(int(isinstance(part, nn.Module)), part.numel() if isinstance(part, Tensor) else 0)


# Hooks stay for good: to add or remove some would disturb threads that build models meanwhile. They count only in a
# thread that is within ``limited``.
register_module_module_registration_hook(_made)
register_module_parameter_registration_hook(_made)


@contextmanager
def limited(name: str, shapes: Mapping[str, tuple[int, ...]], seconds: float) -> Iterator[None]:
    """Limit what this thread builds to what tensors of these shapes can fill; raises NotAdaptable beyond.

    Args:
        name: of the folder, for messages.
        shapes: of all tensors in its files, after dequantisation.
        seconds: that building may take.
    """
    numbers = sum(math.prod(shape) for shape in shapes.values())
    _building.count = _Count(
        MODULES * len(shapes) + MORE_MODULES, NUMBERS * numbers + MORE_NUMBERS, time.monotonic() + seconds
    )
    try:
        yield
    except ModelTooLarge as error:
        raise NotAdaptable(
            f"{name} has a config.json that describes a model far larger than its files, which hold {len(shapes):,} "
            f"tensors with {numbers:,} numbers. Take config and weights of the same model"
        ) from error
    finally:
        _building.count = None


def refusal_of(name: str, kind: str, config: Mapping[str, Any], error: BaseException) -> NotAdaptable:
    """Return a refusal of a config that transformers cannot make a model of, in words of our own.

    Entries of the config that the message of transformers names are named.
    """
    words = set(re.findall(r"\w+", str(error)[:2_000]))
    named = sorted(key for key in _keys(config) if key in words and len(key) > 3 and key != "model_type")
    hint = f"its {' and '.join(named[:3])} do not fit such a model" if named else "it does not describe such a model"
    return NotAdaptable(
        f"{name} cannot be read as a {kind} by its config.json: {hint}. Take the config.json that came with the weights"
    )


def _keys(config: Mapping[str, Any]) -> set[str]:
    keys = set(config)
    for part in config.values():
        if isinstance(part, Mapping):
            keys |= _keys(part)
    return keys
