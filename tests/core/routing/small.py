"""A small network of every registered architecture, and noise for it to score."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import torch
from torch import Tensor, nn

from routescope.data import Dataset
from routescope.data.dataset import Rows
from routescope.data.matrices.sets import MatrixSet
from routescope.data.statements.sets import StatementSet
from routescope.data.text.sets import TextSet
from routescope.nn.inputs.blocks import Blocks
from routescope.nn.inputs.matrices import PANELS, Matrices
from routescope.nn.inputs.statements import Statements
from routescope.nn.inputs.text import Text, bytes_of
from routescope.nn.registry import ARCHITECTURES
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
ROUTER: dict[str, Any] = {
    "task": "there",
    "values": ("A", "B", "C"),
    "outputs": ("A", "B", "C"),
    "block_size": 6,
    "classes": 5,
    "iterations": 2,
    "hidden": 9,
}
INTERPRETER = vars(interpreter_config(image_size=16, patch_size=8))
#: Sizes of each; no two that could be mixed up are equal.
SIZES: dict[str, dict[str, Any]] = {
    "neural_interpreter": INTERPRETER,
    "vision_transformer": {
        "features": 12,
        "layers": 3,
        "heads": 2,
        "head_features": 5,
        "ffn_hidden": 8,
        "image_size": 16,
        "patch_size": 8,
        "domains": ("here", "there"),
        "classes": 11,
    },
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
    "matrix_transformer": {
        "features": 12,
        "layers": 3,
        "heads": 2,
        "head_features": 5,
        "ffn_hidden": 8,
        "image_size": 16,
        "panel_width": 6,
        "domains": ("here", "there"),
    },
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
    "smfr": {**ROUTER, "depth": 2, "width": 5},
    "block_fnn": ROUTER | {"layers": 2},
    "block_transformer": {**{k: v for k, v in ROUTER.items() if k != "hidden"}, "features": 8, "internal": 7},
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


def texts(model: Any, count: int = 3, seed: int = 0) -> Text:
    """Texts of letters drawn by chance, as long as the model reads them."""
    letters = torch.randint(97, 123, (count, model.config.context), generator=torch.Generator().manual_seed(seed))
    return Text(tuple(bytes(row).decode() for row in letters.tolist()))


def inputs(model: Any, count: int = 3, seed: int = 0) -> Any:
    """What the model takes of so many samples."""
    if model.inputs is Text:
        return texts(model, count, seed)
    if reads_blocks(model):
        return blocks(model, count, seed)
    share = images(model, count, seed)
    return Statements(share, sentences(model, count, seed)) if reads_statements(model) else share


def joined(parts: Sequence[Any]) -> Any:
    """The samples of several inputs, one after the other."""
    if isinstance(parts[0], Text):
        return Text(sum((part.texts for part in parts), ()))
    if isinstance(parts[0], Blocks):
        return Blocks(*(torch.cat([getattr(part, name) for part in parts]) for name in ("values", "tasks", "asked")))
    if isinstance(parts[0], Matrices):
        return Matrices(torch.cat([part.values for part in parts]))
    if isinstance(parts[0], Statements):
        return Statements(torch.cat([part.images for part in parts]), sum((part.sentences for part in parts), ()))
    return torch.cat(list(parts))


def doubled(batch: Any) -> Any:
    """The same in double precision; texts have none."""
    if isinstance(batch, Text):
        return batch
    if isinstance(batch, Matrices):
        return Matrices(batch.values.double())
    if isinstance(batch, Blocks):
        return Blocks(batch.values.double(), batch.tasks.double(), batch.asked)
    return Statements(batch.images.double(), batch.sentences) if isinstance(batch, Statements) else batch.double()


def noise(model: Any, count: int = 13, domain: str = "there", seed: int = 0) -> Any:
    """A data set of noise with random labels, as the model takes it."""
    if model.inputs is Text:
        return text_noise(texts(model, count, seed), domain)
    if reads_statements(model):
        return statements(model, count, domain, seed)
    if model.inputs is Matrices:
        return matrices(model, count, domain, seed)
    if reads_blocks(model):
        return BlockNoise(domain, blocks(model, count, seed), _labels(model, count, seed))
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


def text_noise(given: Text, domain: str) -> TextSet:
    """These texts as a data set."""
    return TextSet(
        name=domain,
        title="Noise",
        split="validation",
        texts=given.texts,
        origins=(domain,) * len(given),
        labels=torch.tensor([len(bytes_of(text)) for text in given.texts]),
        hashes=tuple(str(i) for i in range(len(given))),
        licence="public domain",
    )


def matrices(model: Any, count: int, domain: str, seed: int) -> MatrixSet:
    """Panels of noise, any answer of which is right by chance; nothing is known of rules."""
    return MatrixSet(
        name=domain,
        title="Noise",
        split="validation",
        labels=_labels(model, count, seed),
        symbols=None,
        panels=pixels(model, count, seed).numpy(),
        rules=((),) * count,
        side=model.config.image_size,
        hashes=tuple(str(i) for i in range(count)),
        licence="public domain",
    )


def statements(model: Any, count: int, domain: str, seed: int) -> StatementSet:
    """Noise with sentences of two kinds, true or false by chance."""
    generator = torch.Generator().manual_seed(seed + 100)
    return StatementSet(
        name=domain,
        title="Noise",
        split="validation",
        images=pixels(model, count, seed),
        sentences=sentences(model, count, seed),
        labels=torch.randint(0, 2, (count,), generator=generator),
        kinds=("short", "long", "longest"),
        kind=torch.arange(count) % 2,
        scenes=(None,) * count,
        hashes=tuple(str(i) for i in range(count)),
        stand_in=True,
        stand_in_for="nothing",
        licence="public domain",
    )


def _labels(model: Any, count: int, seed: int) -> Tensor:
    generator = torch.Generator().manual_seed(seed + 100)
    return torch.randint(0, model.config.classes, (count,), generator=generator)


@dataclass(frozen=True, eq=False)
class BlockNoise:
    """Blocks of noise with random labels."""

    name: str
    blocks: Blocks
    labels: Tensor
    title: str = "Noise"
    split: str = "validation"
    stand_in: bool = True
    stand_in_for: str | None = "nothing"
    licence: str = "public domain"
    classes: tuple[str, ...] = tuple("01234")
    source: str | None = None
    left_out: int = 0

    @property
    def domain(self) -> str:
        return self.name

    @property
    def hashes(self) -> tuple[str, ...]:
        return tuple(str(i) for i in range(len(self)))

    def __len__(self) -> int:
        return len(self.labels)

    def inputs(self, rows: Rows) -> Blocks:
        return self.blocks[rows]

    def targets(self, rows: Rows, iterations: int | None = None) -> Tensor:
        return self.labels[rows]

    def take(self, indices: Rows) -> "BlockNoise":
        rows = torch.arange(len(self))[indices if isinstance(indices, slice) else torch.as_tensor(indices)]
        return replace(self, blocks=self.blocks[rows], labels=self.labels[rows])
