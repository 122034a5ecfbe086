"""What ``routescope trace`` runs a network on: a sample of a data set, or what a person gives."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from routescope.cli.console import fail

if TYPE_CHECKING:
    from routescope.data.blocks.sets import BlockSet
    from routescope.nn.network import Network
    from routescope.zoo import ModelInfo


@dataclass(frozen=True)
class InputSample:
    """One sample: what it is called, what a network takes of it, its label where one is known, and what is right of it
    by domain where heads answer with numbers."""

    name: str
    inputs: Any
    label: int | None
    sentence: str | None = None
    blocks: "BlockSet | None" = None
    right: dict[str, float] = field(default_factory=dict)


def sample_of(data: str, split: str, index: int, network: "Network", sentence: str | None = None) -> InputSample:
    """A sample of a data set as this network takes it; of statements with another sentence, if given."""
    from routescope.api.data import dataset as load
    from routescope.data import known_datasets
    from routescope.data.blocks.sets import BlockSet
    from routescope.nn.inputs.statements import Statements
    from routescope.nn.inputs.text import Text

    config, reads = network.config, network.inputs.kind
    dataset = load(data, split, model=network)
    if dataset.domain not in config.domains and (reads != known_datasets()[dataset.name].inputs or reads == "blocks"):
        fail(f"{dataset.name} is nothing that this model reads; it reads {', '.join(config.domains)}.")
    if index >= len(dataset):
        fail(f"{dataset.name} {split} has no sample {index}; it has 0 to {len(dataset) - 1}.")
    inputs = dataset.inputs([index])
    # The labels of texts are their bytes, and no classes.
    name, label = f"{dataset.name}.{split}.{index}", None if isinstance(inputs, Text) else int(dataset.labels[index])
    if isinstance(dataset, BlockSet):
        return InputSample(name, inputs, label, blocks=dataset.take([index]))
    if not isinstance(inputs, Statements):
        return InputSample(name, inputs, label, right=_right(inputs, network))
    if sentence is None:
        return InputSample(name, inputs, label, inputs.sentences[0])
    return InputSample(name, _statement(inputs.images, sentence), None, sentence)


def written(info: "ModelInfo", network: "Network", data: str | None, content: str) -> InputSample:
    """A sample of the numbers that somebody wrote; ends with one line where they are none, or the model reads none."""
    from routescope.data.kinds.kind import kind_of

    kind = kind_of(network.inputs)
    if kind.text is None or not kind.text.of_set:
        fail(f"{info.id} reads {info.inputs} and no numbers: leave --numbers out.")
    if data is not None and data not in info.domains:
        fail(f"{data} is nothing that this model reads; it reads {', '.join(info.domains)}.")
    try:
        inputs = kind.from_text(content)
        right = _right(inputs, network)
    except ValueError as error:
        fail(f"{error}.")
    return InputSample(
        content, inputs, None, right={data: right[data]} if data is not None and data in right else right
    )


def text_of(info: "ModelInfo", network: "Network", content: str) -> InputSample:
    """A sample of the text that somebody wrote; ends with one line where the model reads none."""
    from routescope.data.kinds.kind import InvalidSample, kind_of

    kind = kind_of(network.inputs)
    if kind.text is None or kind.text.of_set:
        fail(f"{info.id} reads {info.inputs} and no texts: leave --text out.")
    try:
        return InputSample("text given", kind.from_text(content), None)
    except InvalidSample as error:
        fail(f"{error}.")


def _right(inputs: Any, network: "Network") -> dict[str, float]:
    """What is right of a sample by the network's domains, where heads answer with numbers; raises DataError."""
    from routescope.data import load
    from routescope.nn.network import NUMBER_AXES

    if network.answer_axes != NUMBER_AXES:
        return {}
    samples = {domain: load(domain, limit=1).user_sample(inputs, "") for domain in network.config.domains}
    return {domain: float(sample.targets([0])[0]) for domain, sample in samples.items() if sample is not None}


def blocks_of(sample: "BlockSet", name: str) -> InputSample:
    """A sample of a task of blocks."""
    return InputSample(name, sample.inputs([0]), int(sample.labels[0]), blocks=sample)


def picture_of(path: Path) -> InputSample:
    """A picture of a person's own, as digit networks take it."""
    from routescope.data.files import picture

    return InputSample(path.name, picture(path), None)


def pictures(paths: Sequence[Path], sentence: str, side: int) -> InputSample:
    """Pictures of a person's own with a sentence about them; each is fitted whole into a square."""
    import numpy as np
    import torch

    from routescope.data.files import read_picture
    from routescope.data.pictures.sizing import fitted
    from routescope.data.statements.scenes import BACKGROUND

    found = np.stack([fitted(read_picture(path), side, BACKGROUND) for path in paths])
    images = torch.from_numpy(found)[None].float() / 255
    return InputSample(", ".join(path.name for path in paths), _statement(images, sentence), None, sentence)


def _statement(images: Any, sentence: str) -> Any:
    from routescope.nn.inputs.statements import Statements

    return Statements(images, (sentence,))
