"""A small network of every registered architecture, and noise for it to score."""

from typing import Any

import torch
from torch import Tensor, nn

from core.data import Dataset
from core.nn.registry import ARCHITECTURES
from tests.core.nn.networks import config as interpreter_config

CIRCUIT: dict[str, Any] = {
    "features": 12,
    "code_features": 12,
    "signature_features": 3,
    "modules": 7,
    "readouts": 2,
    "layers": 3,
    "heads": 2,
    "head_features": 5,
    "ffn_hidden": 8,
    "readin_head_features": 6,
    "readout_head_features": 4,
    "image_size": 16,
    "position_features": 5,
    "domains": ("here", "there"),
    "classes": 11,
}
INTERPRETER = vars(interpreter_config(image_size=16, patch_size=8))
#: Sizes of each; no two that could be mixed up are equal.
SIZES: dict[str, dict[str, Any]] = {
    "neural_interpreter": INTERPRETER,
    "neural_attentive_circuit": CIRCUIT,
    "perceiver_io": CIRCUIT,
}
NAMES = sorted(ARCHITECTURES)
#: Those whose units read each other.
CIRCUITS = ("neural_attentive_circuit", "perceiver_io")


def small(architecture: str, seed: int = 0, **changes: Any) -> Any:
    """A network in evaluation mode in which every parameter is random, and large enough to matter."""
    config_class, model_class = ARCHITECTURES[architecture]
    torch.manual_seed(seed)
    model: nn.Module = model_class(config_class(**{**SIZES[architecture], **changes}))
    with torch.no_grad():
        for name, parameter in model.named_parameters():
            if not name.endswith(("sigma", "signatures", "codes", "cls", "alpha")):
                noise = torch.randn_like(parameter)
                wide = parameter.dim() > 1
                parameter.copy_(1.5 * noise * parameter[0].numel() ** -0.5 if wide else parameter + 0.3 * noise)
            if name.endswith("alpha"):
                parameter.fill_(0.8)
    return model.eval()


def pixels(model: Any, count: int, seed: int = 0) -> Tensor:
    """Images, 0 to 255."""
    generator = torch.Generator().manual_seed(seed)
    shape = (count, model.config.image_channels, model.config.image_size, model.config.image_size)
    return torch.randint(0, 256, shape, generator=generator, dtype=torch.uint8)


def images(model: Any, count: int = 3, seed: int = 0) -> Tensor:
    """Images, 0 to 1."""
    return pixels(model, count, seed).float() / 255


def noise(model: Any, count: int = 13, domain: str = "there", seed: int = 0) -> Dataset:
    """A data set of noise with random labels."""
    generator = torch.Generator().manual_seed(seed + 100)
    classes = model.config.classes
    return Dataset(
        name=domain,
        title="Noise",
        split="validation",
        images=pixels(model, count, seed),
        labels=torch.randint(0, classes, (count,), generator=generator),
        hashes=tuple(str(i) for i in range(count)),
        stand_in=True,
        stand_in_for="nothing",
        licence="public domain",
        classes=tuple(str(k) for k in range(classes)),
    )
