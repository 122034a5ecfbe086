"""A small network of every registered architecture, and noise for it to score."""

from collections.abc import Sequence
from dataclasses import dataclass, fields, replace
from typing import Any, ClassVar

import torch
from torch import Tensor, nn

from routescope.data import DatasetInfo, Samples
from routescope.data.matrices.sets import KINDS, MatrixSet
from routescope.data.pictures.sets import PictureSet
from routescope.data.samples import Rows
from routescope.data.statements.sets import StatementSet
from routescope.data.text.sets import text_set
from routescope.nn.inputs.blocks import Blocks
from routescope.nn.inputs.matrices import PANELS, Matrices
from routescope.nn.inputs.statements import Statements
from routescope.nn.inputs.text import Text
from routescope.nn.registry import ARCHITECTURES
from tests.core.nn.networks import config as interpreter_config

BASELINE: dict[str, Any] = {"features": 12, "layers": 3, "heads": 2, "image_size": 16, "domains": ("here", "there")}
CIRCUIT: dict[str, Any] = {
    **BASELINE,
    "code_features": 12,
    "signature_features": 3,
    "modules": 7,
    "readouts": 2,
    "head_features": 5,
    "ffn_hidden": 8,
    "readin_head_features": 6,
    "readout_head_features": 4,
    "position_features": 5,
    "classes": 11,
}
CONDITIONAL: dict[str, Any] = {
    **CIRCUIT,
    "pictures": 2,
    "text_features": 8,
    "text_heads": 2,
    "most_pieces": 13,
    "words": ("a", "few", "has", "many", "one", "picture", "stars", "the"),
    "generator_features": 14,
    "generator_heads": 2,
    "generator_hidden": 9,
    "reference": ("The picture has stars.", "One has a few."),
    "classes": 2,
}
LETTERS = ("A", "B", "C")
ROUTER = {"task": "there", "values": LETTERS, "outputs": LETTERS, "block_size": 6, "classes": 5, "iterations": 2}
#: Sizes of each; no two that could be mixed up are equal.
SIZES: dict[str, dict[str, Any]] = {
    "neural_interpreter": vars(interpreter_config(image_size=16, patch_size=8)),
    "vision_transformer": {**BASELINE, "head_features": 5, "ffn_hidden": 8, "patch_size": 8, "classes": 11},
    "matrix_interpreter": {
        "features": 12,
        "code_features": 7,
        "type_features": 5,
        "scripts": 2,
        "iterations": 2,
        "functions": 3,
        "heads": 2,
        "key_features": 4,
        "type_inference_width": 9,
        "image_size": 16,
        "panel_width": 6,
        "domains": ("here", "there"),
        "tau": 2.1,
    },
    "matrix_transformer": {**BASELINE, "head_features": 5, "ffn_hidden": 8, "panel_width": 6},
    "wren": {
        "features": 12,
        "hidden": 9,
        "relation_features": 7,
        "depth": 3,
        "image_size": 16,
        "panel_width": 6,
        "domains": ("here", "there"),
    },
    "neural_attentive_circuit": CIRCUIT,
    "perceiver_io": CIRCUIT,
    "conditional_nac": CONDITIONAL,
    "statement_perceiver_io": CONDITIONAL,
    "smfr": {**ROUTER, "hidden": 9, "depth": 2, "width": 5},
    "block_fnn": {**ROUTER, "hidden": 9, "layers": 2},
    "block_transformer": {**ROUTER, "features": 8, "internal": 7},
}
NAMES = sorted(SIZES)
#: Those whose units read each other.
CIRCUITS = ("neural_attentive_circuit", "perceiver_io", "conditional_nac", "statement_perceiver_io")
#: Those that read statements about pictures.
READERS = ("conditional_nac", "statement_perceiver_io")
#: Those that read blocks, and of these those without any units to drop.
BLOCKWISE = ("smfr", "block_fnn", "block_transformer")
UNITLESS = ("block_fnn", "block_transformer")
#: Those whose units compute at a step of their own each; and all that route nothing.
LAYERED = ("vision_transformer", "matrix_transformer", "wren")
UNROUTED = (*UNITLESS, *LAYERED)
#: Those with units, and of these those whose units are programmed by codes, which say how much each unit is used.
ABLATABLE = [name for name in NAMES if name not in UNITLESS]
CODED = [name for name in NAMES if name not in (*BLOCKWISE, *LAYERED)]
#: Those with units that something is routed to.
ROUTED = [name for name in NAMES if name not in UNROUTED]


def small(architecture: str, seed: int = 0, **changes: Any) -> Any:
    """A network in evaluation mode in which every parameter is random, and large enough to matter."""
    config_class, model_class, _ = ARCHITECTURES[architecture]
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
    """Images, 0 to 255; several a sample where a model reads several."""
    generator = torch.Generator().manual_seed(seed)
    several = (model.config.pictures,) if reads_statements(model) else ()
    levels = PANELS if model.inputs is Matrices else model.config.image_channels
    shape = (count, *several, levels, model.config.image_size, model.config.image_size)
    return torch.randint(0, 256, shape, generator=generator, dtype=torch.uint8)


def images(model: Any, count: int = 3, seed: int = 0) -> Tensor:
    """Images, 0 to 1."""
    return pixels(model, count, seed).float() / 255


def sentences(model: Any, count: int = 3, seed: int = 0) -> tuple[str, ...]:
    """Sentences of different lengths, some of them the same, some of a word that the model does not know."""
    generator, words = torch.Generator().manual_seed(seed + 7), (*model.config.words, "cat")
    made = []
    for _ in range(-(-2 * count // 3)):
        length = int(torch.randint(1, 6, (1,), generator=generator))
        made.append(" ".join(words[int(i)] for i in torch.randint(0, len(words), (length,), generator=generator)))
    return tuple(made[i % len(made)] for i in range(count))


def reads_statements(model: Any) -> bool:
    return model.inputs.kind == "statements"


def reads_blocks(model: Any) -> bool:
    return model.inputs.kind == "blocks"


def blocks(model: Any, count: int = 3, seed: int = 0) -> Blocks:
    """Blocks of noise, with a task indicator for each of two iterations, that ask for any output."""
    config, generator = model.config, torch.Generator().manual_seed(seed)
    values = torch.rand(count, len(config.values), config.block_size, generator=generator)
    subtasks = torch.randint(0, 3, (count, 2), generator=generator)
    tasks = torch.nn.functional.one_hot(subtasks, config.block_size).float()
    return Blocks(values, tasks, torch.randint(0, len(config.outputs), (count,), generator=generator))


def inputs(model: Any, count: int = 3, seed: int = 0) -> Any:
    """What the model takes of so many samples; texts are as long as the model reads them."""
    if model.inputs is Text:
        letters = torch.randint(97, 123, (count, model.config.context), generator=torch.Generator().manual_seed(seed))
        return Text(tuple(bytes(row).decode() for row in letters.tolist()))
    if reads_blocks(model):
        return blocks(model, count, seed)
    pictures = images(model, count, seed)
    return Statements(pictures, sentences(model, count, seed)) if reads_statements(model) else pictures


def joined(parts: Sequence[Any]) -> Any:
    """The samples of several inputs, one after the other."""
    first = parts[0]
    if first is None:
        return None
    if isinstance(first, tuple):
        return sum(parts, ())
    if isinstance(first, Tensor):
        return torch.cat(list(parts))
    return type(first)(*(joined([getattr(part, field.name) for part in parts]) for field in fields(first)))


def doubled(batch: Any) -> Any:
    """The same in double precision; texts have none."""
    if isinstance(batch, Tensor):
        return batch.double()
    values = {name: value for name, value in vars(batch).items() if isinstance(value, Tensor)}
    return replace(batch, **{name: value.double() for name, value in values.items() if value.is_floating_point()})


def noise(model: Any, count: int = 13, domain: str = "there", seed: int = 0) -> Any:
    """A data set of noise with random labels, as the model takes it; sentences are of two of three kinds."""
    hashes = tuple(str(i) for i in range(count))
    classes = 0 if model.inputs is Text else model.config.classes
    names = tuple(str(k) for k in range(classes))
    info = DatasetInfo(domain, "Noise", "public domain", classes=names, stand_in_for="nothing")
    if model.inputs is Text:
        return text_set({"info": info, "split": "validation"}, inputs(model, count, seed).texts, hashes=hashes)
    labels = torch.randint(0, classes, (count,), generator=torch.Generator().manual_seed(seed + 100))
    common: dict[str, Any] = {"info": info, "split": "validation", "labels": labels, "hashes": hashes}
    if reads_blocks(model):
        return BlockNoise(**common, blocks=blocks(model, count, seed))
    values = pixels(model, count, seed)
    if reads_statements(model):
        common |= {"sentences": sentences(model, count, seed), "kinds": ("short", "long", "longest")}
        return StatementSet(**common, images=values, kind=torch.arange(count) % 2, scenes=(None,) * count)
    if model.inputs is Matrices:
        kind = torch.full((count,), KINDS.index("rules unknown"))
        return MatrixSet(**common, kind=kind, panels=values.numpy(), rules=((),) * count, side=model.config.image_size)
    return PictureSet(**common, images=values)


@dataclass(frozen=True, eq=False, repr=False, kw_only=True)
class BlockNoise(Samples):
    """Blocks of noise with random labels."""

    columns: ClassVar[tuple[str, ...]] = (*Samples.columns, "blocks")

    blocks: Blocks

    def inputs(self, rows: Rows) -> Blocks:
        return self.blocks[rows]
