"""A folder with a model of transformers: ``look`` reads its config and file heads, ``open_folder`` its weights.

Only ``config.json``, safetensors and ``tokenizer.json`` are read. Pickles are never opened, code in a folder is never
run, and nothing is fetched. Quantised weights are dequantised tensor by tensor (``routescope.nn.adapters.quantised``).
"""

import copy
import ctypes
import hashlib
import os
import re
import threading
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

import torch
from torch import Tensor

from routescope.assets import require
from routescope.nn.adapters.exploring import NotAdaptable
from routescope.nn.adapters.files import content, json_file, names_in, opened, regular
from routescope.nn.adapters.plausible import check_alike, limited, refusal_of, usable
from routescope.nn.adapters.quantised import READABLE, LazyTensor, dequantised, described
from routescope.nn.adapters.stored import (
    COMPUTED,
    FLOATS_8,
    StoredTensor,
    Unread,
    close_files,
    in_words,
    metadata,
    size,
    stored_tensors,
    unread_parts,
)
from routescope.nn.adapters.tokenizer_file import MOST_TOKENIZER, TOKENIZER, tokenizer_of
from routescope.nn.adapters.transformers import (
    CONTEXT,
    TransformersNetwork,
    auto_class,
    check_continues,
    from_transformers,
    quietly,
    routers_of,
    start_of,
)
from routescope.nn.adapters.vocabulary import vocabulary_of
from routescope.nn.mixture.vocabulary import TokenVocabulary

if TYPE_CHECKING:
    from transformers import PreTrainedConfig, PreTrainedModel

CONFIG, WEIGHTS, INDEX = "config.json", "model.safetensors", "model.safetensors.index.json"
#: Entries of ``config.json`` with the settings of a quantisation, the second in early folders of compressed-tensors.
SETTINGS = ("quantization_config", "compression_config")
#: Files with the settings of a quantisation, where ``config.json`` has none: AutoGPTQ, AutoAWQ, ModelOpt.
QUANTISATIONS = {"quantize_config.json": "gptq", "quant_config.json": "awq", "hf_quant_config.json": "modelopt"}
#: Ends of names of tensors that only quantised checkpoints have.
QUANTISED_ENDS = (".qweight", ".qzeros", ".weight_packed", "_blocks", ".absmax", ".SCB", ".weight_scale_inv")
#: Endings of files that can hold pickles.
PICKLES = (".bin", ".pt", ".pth", ".ckpt", ".pkl")
#: Bytes of a config, and of a list of weights, at most.
MOST_CONFIG, MOST_INDEX = 4 * 2**20, 64 * 2**20
#: Files of weights at most.
MOST_FILES = 10_000
#: Seconds that putting a model together without weights, and trying its tokenizer, may take.
SECONDS = 60.0
#: Names of files of weights that an index may name.
SHARD = re.compile(r"[^/\\\0]{1,200}\.safetensors")
#: First bytes of a file that Git LFS has not fetched.
LFS = b"version https://git-lfs"
#: Of each file of weights, a revision is of its head and of so many pieces of so many bytes.
PIECES, PIECE = 256, 4096
#: How often pages of files are given back while weights are read, in seconds, and what asks Linux for it (madvise(2));
#: of memory that is no file's it takes nothing away, should a file be let go of meanwhile.
EVERY, PAGEOUT = 0.02, 21
#: Bytes of tables that a model computes at its start, such as those of positions; as many as its weights are accepted.
MOST_TABLES = 256 * 2**20
#: Copies of the largest tensor while experts of quantised folders are fused, and memory of the threads that dequantise.
COPIES, WORKING = 3, 128 * 2**20
#: Of weights, at most such a share is copied so that files are let go.
MOST_COPIED = 0.25


@dataclass(frozen=True)
class ModelFolder:
    """A folder before its weights are loaded.

    Attributes:
        path: the folder.
        files: its weights.
        nbytes: of the tensors in its files.
        kind: what its config calls the model, such as "olmoe".
        config: its config.
        quantisation: settings of its quantisation; empty for plain weights.
        tensors: its tensors by name.
        seconds: that putting it together without weights, and trying its tokenizer, may take.
    """

    path: Path
    files: tuple[Path, ...]
    nbytes: int
    kind: str
    config: dict[str, Any]
    quantisation: Mapping[str, Any] = field(default_factory=dict)
    tensors: Mapping[str, StoredTensor] = field(default_factory=dict, repr=False)
    seconds: float = SECONDS

    @property
    def revision(self) -> str:
        """16 hexadecimal digits of config, tokenizer, and of every file of weights its head, size, time of change and
        evenly spaced pieces: all of its bytes would take seconds a gigabyte."""
        digest = hashlib.sha256()
        for name, most in ((CONFIG, MOST_CONFIG), (TOKENIZER, MOST_TOKENIZER)):
            if (file := regular(self.path, name)) is not None:
                digest.update(content(file, most))
        for file in self.files:
            status = file.stat()
            digest.update(f"{file.name} {status.st_size} {status.st_mtime_ns}".encode())
            with opened(file) as weights:
                for piece in range(PIECES):
                    weights.seek(status.st_size * piece // PIECES)
                    digest.update(weights.read(PIECE))
        return digest.hexdigest()[:16]

    @cached_property
    def plan(self) -> "LoadPlan":
        """The memory that loading takes, and the tensors that it leaves out; no weights are read.

        Raises:
            NotAdaptable: as ``open_folder``, but for what only weights show.
        """
        return _plan(self)


@dataclass(frozen=True)
class LoadPlan:
    """The plan of loading a folder.

    Attributes:
        model: the model on the device "meta", without numbers.
        tensors: what is loaded, by the names of the files; quantised tensors as plain ones.
        dtype: number format of the loaded weights.
        nbytes: bytes of memory of the loaded weights.
        peak: bytes of memory while they are loaded, at most.
        routers: number of routers.
        unread: parts of the files that the model does not have.
        doubts: name of a tensor that could not be put together from shapes alone.
    """

    model: "PreTrainedModel"
    tensors: Mapping[str, LazyTensor]
    dtype: torch.dtype
    nbytes: int
    peak: int
    routers: int
    unread: tuple[Unread, ...]
    doubts: str | None


def look(folder: str | Path, seconds: float = SECONDS) -> ModelFolder:
    """Return what a folder holds, without loading it.

    Args:
        folder: its path.
        seconds: that putting the model together without weights, and trying its tokenizer, may take later.

    Raises:
        NotAdaptable: no folder, no config that can be read, weights that are no safetensors or are missing, a kind of
            model that transformers does not know. The message says what would be accepted.
    """
    path = Path(folder).expanduser()
    if path.suffix.lower() == ".gguf":
        raise _gguf(path.name)
    if not path.is_dir():
        raise NotAdaptable(f"{path} is no folder: name one with {CONFIG} and {WEIGHTS}, as save_pretrained writes it")
    if regular(path, CONFIG) is None:
        _check_other_layouts(path)
    config = json_file(path, CONFIG, MOST_CONFIG)
    kind = config.get("model_type")
    if not isinstance(kind, str) or not _known(kind):
        code = ", and code that comes with a folder (auto_map) is never run" if "auto_map" in config else ""
        raise NotAdaptable(f"{path.name}: transformers has no model of the kind {_shown(kind)}{code}")
    cleaned = usable(path.name, config)
    files = _weights(path)
    try:
        tensors = stored_tensors(files)
    except NotAdaptable as error:
        raise NotAdaptable(f"{path.name}: {error}") from error
    nbytes = sum(tensor.nbytes for tensor in tensors.values())
    return ModelFolder(path, files, nbytes, kind, cleaned, _quantisation(path, config), tensors, seconds)


def _shown(kind: object) -> str:
    return repr(kind[:60]) if isinstance(kind, str) else "None" if kind is None else "that is no name"


def _known(kind: str) -> bool:
    require("transformers")
    from transformers import CONFIG_MAPPING

    return kind in CONFIG_MAPPING


def _gguf(name: str) -> NotAdaptable:
    return NotAdaptable(
        f"{name} is a GGUF file, which is not read: take the safetensors files that it was converted from. Quantised "
        f"safetensors that are read: {READABLE}"
    )


def _check_other_layouts(path: Path) -> None:
    """Refuse a folder without ``config.json`` that has another known layout.

    Raises:
        NotAdaptable: an adapter, GGUF files, or a checkpoint of this project.
    """
    if os.path.lexists(path / "adapter_config.json"):
        raise NotAdaptable(
            f"{path.name} is an adapter (adapter_config.json) without its model: merge them with peft's "
            "merge_and_unload(), write the result with save_pretrained, and open that folder"
        )
    if files := names_in(path, [".gguf"]):
        raise _gguf(f"{path.name}/{files[0]}")
    if (weights := regular(path, WEIGHTS)) is not None and "architecture" in metadata(weights):
        raise NotAdaptable(
            f"{path.name} is a checkpoint of this project, not a folder of transformers: give it to commands as MODEL, "
            "or move it to `checkpoints` in the data folder, where the page finds it"
        )


def _quantisation(path: Path, config: Mapping[str, Any]) -> Mapping[str, Any]:
    """Settings of the quantisation of a folder; empty where it has none."""
    for part in (config, config.get("text_config")):
        for key in SETTINGS:
            if isinstance(part, dict) and isinstance(settings := part.get(key), dict):
                return settings
    for name, method in QUANTISATIONS.items():
        if regular(path, name) is not None:
            settings = json_file(path, name, MOST_CONFIG)
            inner = settings.get("quantization", settings)
            return {"quant_method": method, **(inner if isinstance(inner, dict) else {})}
    return {}


def _weights(path: Path) -> tuple[Path, ...]:
    """Return the files of weights; raises NotAdaptable if there are none, or other formats, or links out of it."""
    if (whole := regular(path, WEIGHTS)) is not None:
        return _fetched(path, (whole,))
    if regular(path, INDEX) is not None:
        listed = json_file(path, INDEX, MOST_INDEX).get("weight_map")
        names = sorted({str(name) for name in listed.values()}) if isinstance(listed, dict) else []
        wrong = [name for name in names if not SHARD.fullmatch(name)]
        if wrong or not names:
            inner = [repr(name[:60]) for name in wrong if not set(name) & set("/\\")]
            shown = inner[0] if inner else "a path to another folder" if wrong else "no file"
            raise NotAdaptable(f"{path.name}: {INDEX} names {shown}, which is no safetensors file of this folder")
        if len(names) > MOST_FILES:
            raise NotAdaptable(f"{path.name}: {INDEX} names {len(names):,} files, and up to {MOST_FILES:,} are read")
        files = [regular(path, name) for name in names]
        if missing := [name for name, file in zip(names, files, strict=True) if file is None]:
            raise NotAdaptable(f"{path.name} lacks {len(missing)} of {len(names)} files that {INDEX} names, such as "
                               f"{missing[0]}: copy all of them")  # fmt: skip
        return _fetched(path, tuple(file for file in files if file is not None))
    if pickles := names_in(path, PICKLES):
        raise NotAdaptable(
            f"{path.name} has its weights in {pickles[0]}, a pickle, which can run code when it is read: "
            "save the model again with save_pretrained, which writes safetensors"
        )
    if converted := names_in(path, [".gguf"]):
        raise _gguf(f"{path.name}/{converted[0]}")
    others = names_in(path, [".safetensors"])
    beside = f"; it has {', '.join(others[:3])}, which no {INDEX} names" if others else ""
    raise NotAdaptable(f"{path.name} has no weights: {WEIGHTS}, or {INDEX} and the files that it names{beside}")


def _fetched(path: Path, files: tuple[Path, ...]) -> tuple[Path, ...]:
    """Return the files; raises NotAdaptable for a pointer of Git LFS, whose file was not fetched."""
    for file in files:
        with opened(file) as weights:
            if weights.read(len(LFS)) == LFS:
                raise NotAdaptable(
                    f"{path.name}/{file.name} is a pointer of Git LFS, not the weights: run git lfs pull"
                )
    return files


# -- before weights are read ---------------------------------------------------------------------------------------


def _dtype(folder: ModelFolder) -> torch.dtype:
    """Number format of the loaded weights: the config's, or that of the first floats in the files.

    Of quantised weights it is bfloat16 or float32: float16 cannot hold every product of a scale, float32 can.
    """
    parts = (folder.config, folder.config.get("text_config"))
    names = [part.get(key) for part in parts if isinstance(part, dict) for key in ("dtype", "torch_dtype")]
    named = next((str(name).removeprefix("torch.") for name in names if name), "")
    dtypes = {str(dtype).removeprefix("torch."): dtype for dtype in COMPUTED.values()}
    floats = [COMPUTED[tensor.dtype] for tensor in folder.tensors.values() if tensor.dtype in COMPUTED]
    dtype = dtypes.get(named) or next(iter(floats), torch.float32)
    if not folder.quantisation:
        return dtype
    return torch.bfloat16 if dtype == torch.bfloat16 else torch.float32


def _blank(folder: ModelFolder, dtype: torch.dtype, shapes: Mapping[str, tuple[int, ...]]) -> "PreTrainedModel":
    """The model of a folder on the device "meta", without numbers and without its quantisation.

    A multimodal model that transformers has no text model for is made whole: text goes through its text part.

    Args:
        folder: its config was compared with its files.
        dtype: number format of the model.
        shapes: of the tensors in its files, after dequantisation: they limit what is built.

    Raises:
        NotAdaptable: a config that no model can be made of, or of a model that does not continue texts, or that is
            larger than its files.
    """
    from transformers import CONFIG_MAPPING

    name = folder.path.name
    try:
        with quietly(), torch.device("meta"), limited(name, shapes, folder.seconds):
            config = CONFIG_MAPPING[folder.kind].from_dict(copy.deepcopy(folder.config))
            check_continues(config, f"{name}, a {folder.kind},")
            config = _unquantised(config)
            if (auto := auto_class(config)) is None:
                raise NotAdaptable(
                    f"{name}: transformers has no model of the kind {folder.kind!r} that continues a text "
                    "(ForCausalLM or ForConditionalGeneration)"
                )
            model: PreTrainedModel = auto.from_config(config, dtype=dtype, trust_remote_code=False)
    except NotAdaptable:
        raise
    except Exception as error:  # of many kinds, whatever is wrong with somebody's files
        raise refusal_of(name, folder.kind, folder.config, error) from error
    tables = {id(buffer): buffer.nbytes for buffer in model.buffers()}
    if (nbytes := sum(tables.values())) > max(MOST_TABLES, folder.nbytes):
        raise NotAdaptable(
            f"{name} has a config.json that asks for {size(nbytes)} of tables beside its {size(folder.nbytes)} of "
            "weights: lower max_position_embeddings"
        )
    return model


def _unquantised(config: "PreTrainedConfig") -> "PreTrainedConfig":
    """A copy of a config without settings of a quantisation, in it or in its parts."""
    config = copy.deepcopy(config)
    for part in (config, *(vars(config).get(name) for name in type(config).sub_configs)):
        if part is not None:
            for key in SETTINGS:
                vars(part).pop(key, None)
    return config


class _Shape:
    """A tensor for the loader of transformers, of which only the shape is real."""

    def __init__(self, tensor: LazyTensor) -> None:
        self.shape, self.used = tensor.shape, False

    def __getitem__(self, _: object) -> "_Shape":
        self.used = True
        return self

    def to(self, device: object, dtype: torch.dtype) -> Tensor:
        """The tensor without numbers."""
        return torch.empty(self.shape, dtype=dtype, device="meta")


def _plan(folder: ModelFolder) -> LoadPlan:
    """Put the model together from shapes alone, by the rules that transformers loads with."""
    from transformers.conversion_mapping import get_model_conversion_mapping
    from transformers.core_model_loading import convert_and_load_state_dict_in_model
    from transformers.modeling_utils import LoadStateDictConfig

    name, dtype, tensors = folder.path.name, _dtype(folder), _tensors(folder)
    whole = {key: tensor.shape for key, tensor in tensors.items()}
    check_alike(name, folder.config, whole)
    model = _blank(folder, dtype, whole)
    routers = len(routers_of(model))
    sizes = {id(tensor): tensor.nbytes for tensor in model.state_dict(keep_vars=True).values()}
    shapes = {key: _Shape(tensor) for key, tensor in tensors.items()}
    try:
        with quietly():
            mapping: Any = get_model_conversion_mapping(model)
            loading = LoadStateDictConfig(dtype=dtype, weight_mapping=mapping)
            report: Any = convert_and_load_state_dict_in_model(model, shapes, loading)[0]
            model._adjust_missing_and_unexpected_keys(report)
    except Exception as error:  # of many kinds, whatever is wrong with somebody's files
        raise refusal_of(name, folder.kind, folder.config, error) from error
    _check_shapes(folder, report.mismatched_keys)
    if report.conversion_errors:
        _check_alike(folder, whole)
    doubts = next(iter(report.conversion_errors), None)
    if doubts is None:
        _check_missing(folder, report.missing_keys, model.all_tied_weights_keys or {})
    nbytes = sum(sizes.values())
    peak = nbytes + (COPIES * max(sizes.values(), default=0) + WORKING if folder.quantisation else 0)
    layers = int(model.config.get_text_config().to_dict().get("num_hidden_layers") or 0)
    unread = unread_parts([(key, tensors[key].nbytes) for key, shape in shapes.items() if not shape.used], layers)
    return LoadPlan(model, tensors, dtype, nbytes, peak, routers, unread, doubts)


def _tensors(folder: ModelFolder) -> Mapping[str, LazyTensor]:
    """The tensors of a folder, dequantised when they are indexed.

    Raises:
        NotAdaptable: a quantisation that is not read, or quantised tensors without their settings.
    """
    name = folder.path.name
    if folder.quantisation:
        try:
            return dequantised(name, folder.quantisation, folder.tensors, _dtype(folder))
        except NotAdaptable:
            raise
        except Exception as error:  # settings of any type, and small tensors that lie about others
            raise NotAdaptable(
                f"{name} has settings of its quantisation ({described(folder.quantisation)[:80]}) that contradict its "
                "tensors: take the config that came with these weights"
            ) from error
    for tensor in folder.tensors.values():
        if tensor.dtype in FLOATS_8 or tensor.name.endswith(QUANTISED_ENDS):
            raise NotAdaptable(
                f"{name} has quantised weights ({tensor.name}, {tensor.dtype}) and no quantization_config in {CONFIG}: "
                "copy the config that belongs to these weights"
            )
    return {name: LazyTensor(tensor.shape, (tensor,), tensor.read) for name, tensor in folder.tensors.items()}


def _check_shapes(folder: ModelFolder, mismatched: Iterable[tuple[str, Any, Any]]) -> None:
    wrong = sorted(mismatched)
    if wrong:
        name, read, asked = wrong[0]
        others = f" ({len(wrong) - 1} other tensors differ too)" if wrong[1:] else ""
        raise NotAdaptable(
            f"{folder.path.name} does not fit its {CONFIG}: {name} has the shape {tuple(read)} in the files and "
            f"{tuple(asked)} by the config{others}. Take config and weights of the same model"
        )


def _check_alike(folder: ModelFolder, shapes: Mapping[str, tuple[int, ...]]) -> None:
    """Raise NotAdaptable for an expert that has another shape than most of its layer."""
    groups: dict[str, list[str]] = {}
    for name in shapes:
        groups.setdefault(re.sub(r"(experts\.)\d+\.", r"\1*.", name), []).append(name)
    for names in groups.values():
        usual = Counter(shapes[name] for name in names).most_common(1)[0][0]
        for name in names:
            if shapes[name] != usual:
                raise NotAdaptable(
                    f"{folder.path.name}: {name} has the shape {shapes[name]}, and the same matrix of most experts in "
                    f"its layer {usual}: the files are damaged, or of several models"
                )


def _check_missing(folder: ModelFolder, missing: Iterable[str], tied: Mapping[str, str]) -> None:
    absent = set(missing)
    lacking = sorted(name for name in absent if name not in tied or tied[name] in absent)
    if lacking:
        head = ". Set tie_word_embeddings to true where the model reuses its embeddings" if (
            lacking == ["lm_head.weight"]
        ) else ""  # fmt: skip
        raise NotAdaptable(
            f"{folder.path.name} lacks {len(lacking)} tensors that its config asks for, such as {lacking[0]}{head}"
        )


# -- weights -------------------------------------------------------------------------------------------------------


def open_folder(
    folder: ModelFolder | str | Path,
    *,
    context: int = CONTEXT,
    tell: Callable[[str], None] = lambda _: None,
    most_bytes: int | None = None,
) -> TransformersNetwork:
    """Return the model in a folder, in evaluation mode, in the number format of its config.

    Plain weights are mapped from their files, or put together from them where transformers fuses experts: no second
    copy is held. Quantised weights are dequantised tensor by tensor.

    Args:
        folder: a path, or what ``look`` gave.
        context: tokens that one pass reads of a text, no more than the model's positions; longer texts are scored in
            windows (see ``routescope.nn.windows``).
        tell: is called with sentences about progress, memory and tensors that are not read.
        most_bytes: memory that loading may take; None: any.

    Raises:
        NotAdaptable: a model whose routing cannot be followed, weights that do not fit its config, a quantisation that
            is not read, more memory than ``most_bytes``, or tokens that are no bytes without a tokenizer. Whatever
            config and heads of files show is refused before weights are loaded.
        TypeError: something that is no folder.
    """
    if not isinstance(folder, ModelFolder):
        if not isinstance(folder, str | Path):
            raise TypeError(f"open_folder takes a path or what look() returns, not a {type(folder).__name__}")
        folder = look(folder)
    name, plan = folder.path.name, folder.plan
    vocabulary = fitting_vocabulary(folder)  # refuses before weights are read
    tell(memory(folder))
    if most_bytes is not None and plan.peak > most_bytes:
        raise NotAdaptable(f"{name}: {memory(folder)}. The limit is {size(most_bytes)}")
    if plan.unread:
        tell(f"Not read: {in_words(plan.unread)}")
    model = _loaded(folder)
    _let_go_of_files(model, folder.files)
    tell("Looking at its routers")
    try:
        network = from_transformers(model.requires_grad_(False), vocabulary, context=context)
    except NotAdaptable:
        raise
    except Exception as error:  # of many kinds: the model runs here for the first time
        raise NotAdaptable(
            f"{name} was loaded, but fails on a short text: its config.json does not fit its weights. Take config and "
            "weights of the same model"
        ) from error
    network.id, network.revision, network.unread = name, folder.revision, plan.unread
    return network


def fitting_vocabulary(folder: ModelFolder) -> TokenVocabulary:
    """Return the tokens of a folder's model: those of its tokenizer, which was tried, or bytes.

    Raises:
        NotAdaptable: a tokenizer that cannot be read or fails, or tokens that are no bytes without a tokenizer.
    """
    sizes: Any = folder.plan.model.config.get_text_config()
    size, kind = int(sizes.vocab_size), f"{folder.path.name}, a {folder.kind},"
    return vocabulary_of(tokenizer_of(folder.path, folder.seconds), size, kind, start_of(sizes, size))


def memory(folder: ModelFolder) -> str:
    """Say what loading takes, in a sentence without its full stop."""
    files, plan = size(folder.nbytes), folder.plan
    if not folder.quantisation:
        return f"Loading {files} of weights"
    dtype = str(plan.dtype).removeprefix("torch.")
    return (
        f"Dequantising {files} of weights ({described(folder.quantisation)}) takes {size(plan.nbytes)} of memory as "
        f"{dtype}, and up to {size(plan.peak)} while loading"
    )


def _loaded(folder: ModelFolder) -> "PreTrainedModel":
    """Return the model with its weights; raises NotAdaptable for weights that do not fit."""
    plan = folder.plan
    kind: Any = type(plan.model)
    try:
        with quietly(), _few_pages(folder.files):
            read = kind.from_pretrained(  # of no folder: no file of it is opened besides those that were checked
                None,
                config=plan.model.config,
                state_dict=dict(plan.tensors),
                dtype=plan.dtype,
                output_loading_info=True,
            )
    except MemoryError as error:
        raise NotAdaptable(f"{folder.path.name} takes more memory than this program has left") from error
    except Exception as error:  # of many kinds, whatever is wrong with somebody's files
        raise NotAdaptable(
            f"{folder.path.name}: its weights cannot be put together as a {folder.kind}"
            f"{f', such as {plan.doubts}' if plan.doubts else ''}. Take config and weights of the same model"
        ) from error
    finally:
        close_files()
    model: PreTrainedModel = read[0]
    _check_missing(folder, read[1]["missing_keys"], {})
    return model


def _let_go_of_files(model: "PreTrainedModel", files: tuple[Path, ...]) -> None:
    """Copy tensors that are parts of mapped files, if they are few: the files are no longer mapped then.

    Where most tensors are parts of files, they stay mapped, and take no memory of the heap.
    """
    ranges = _mapped(files)
    tensors = [*model.parameters(), *model.buffers()]
    mapped = [tensor for tensor in tensors if any(start <= tensor.data_ptr() < end for start, end in ranges)]
    if sum(tensor.nbytes for tensor in mapped) < MOST_COPIED * sum(tensor.nbytes for tensor in tensors):
        for tensor in mapped:
            tensor.data = tensor.data.clone()


@contextmanager
def _few_pages(files: tuple[Path, ...]) -> Iterator[None]:
    """Give back pages of mapped files while weights are read, so that files and tensors are not both in memory.

    Pages that are needed again are read again.
    """
    try:
        advise = ctypes.CDLL(None, use_errno=True).madvise
    except (OSError, AttributeError):  # a system without
        yield
        return
    advise.argtypes = (ctypes.c_void_p, ctypes.c_size_t, ctypes.c_int)
    done = threading.Event()

    def give_back() -> None:
        while not done.wait(EVERY):
            for start, end in _mapped(files):
                advise(start, end - start, PAGEOUT)

    giving = threading.Thread(target=give_back, name="few-pages", daemon=True)
    giving.start()
    try:
        yield
    finally:
        done.set()
        giving.join()


def _mapped(files: tuple[Path, ...]) -> list[tuple[int, int]]:
    """Ranges of addresses that files are mapped to, as Linux lists them (proc(5)); none on other systems."""
    listed, names = Path("/proc/self/maps"), {str(file.resolve()) for file in files}
    if not listed.is_file():
        return []
    lines = (line.split(maxsplit=5) for line in listed.read_text().splitlines())
    ranges = (line[0].split("-") for line in lines if len(line) == 6 and line[5] in names)
    return [(int(start, 16), int(end, 16)) for start, end in ranges]
