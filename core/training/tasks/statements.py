"""Training on statements about pictures: batches that depend on the number of their step alone, and a step's loss."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from random import Random
from typing import Any, NamedTuple, Protocol

import lightning as L
import numpy as np
import torch
import torch.nn.functional as F
from jaxtyping import Int64, UInt8
from torch import Tensor
from torch.utils.data import DataLoader, Sampler

from core.data import OTHER_DATASETS, DataError, load, options_for
from core.data.statements.draws import draw_quadruple
from core.data.statements.grammar import KINDS
from core.data.statements.lessons import LESSONS
from core.data.statements.sets import quadruples
from core.nn.inputs.statements import Statements
from core.training.settings import TrainingSettings
from core.training.tasks.pictures import Classification

#: Samples that are drawn together.
QUADRUPLE = 4
#: Sentences of the training data in which words are looked for, where it has no end.
SENTENCES_LOOKED_AT = 3_000
#: A word that real sentences say less often than this is spelled.
LEAST_OFTEN = 3
#: Sentences that a network keeps as its reference.
REFERENCE = 32


class StatementBatch(NamedTuple):
    """What one step learns from: pictures in 0..255, a sentence each, and whether it is true of them (1)."""

    images: UInt8[Tensor, "B P 3 side side"]
    sentences: tuple[str, ...]
    labels: Int64[Tensor, " B"]


class StatementStream(Protocol):
    """Batches by the number of their step: the same number gives the same batch, in whatever order they are asked for.

    ``parts`` says in words what each portion is and how many statements it has, None of what has no end.
    """

    @property
    def parts(self) -> tuple[tuple[str, int | None], ...]: ...

    def __getitem__(self, step: int) -> StatementBatch: ...

    def sentences(self) -> tuple[str, ...]:
        """Sentences from which the words are taken that a network knows; the first ones are its reference."""
        ...


@dataclass(frozen=True)
class Endless:
    """Quadruples of generated scenes and statements, drawn anew for every step."""

    batch_size: int
    side: int
    seed: int
    lessons: tuple[int, ...] = ()

    def __post_init__(self) -> None:
        if len(self.lessons) > len(LESSONS) or list(self.lessons) != sorted(self.lessons):
            raise DataError(f"there are {len(LESSONS)} lessons, each ending after the one before; not {self.lessons}")
        if self.batch_size % QUADRUPLE:
            raise DataError(f"scenes come in fours: give a batch size that {QUADRUPLE} divides, not {self.batch_size}")

    @property
    def parts(self) -> tuple[tuple[str, int | None], ...]:
        return ((f"{OTHER_DATASETS['scenes'].title}, drawn anew for every step", None),)

    def __getitem__(self, step: int) -> StatementBatch:
        """As many samples as a batch has, in whole quadruples; the numbers drawn are the same on every platform."""
        lesson = next((name for name, end in zip(LESSONS, self.lessons, strict=False) if step < end), None)
        random = Random(f"{self.seed} step {step}")
        drawn = quadruples(random, self.batch_size // QUADRUPLE, side=self.side, lesson=lesson)
        return StatementBatch(drawn.images, drawn.sentences, drawn.labels)

    def sentences(self) -> tuple[str, ...]:
        """In the order drawn: any first so many have as much of every kind."""
        random, drawn = Random(f"{self.seed} words"), dict[str, None]()
        for kind in KINDS * (SENTENCES_LOOKED_AT // len(KINDS) // 2):
            quadruple = draw_quadruple(random, kind)
            drawn |= {quadruple.first.text: None, quadruple.second.text: None}
        return tuple(drawn)


@dataclass(frozen=True, eq=False)
class Repeated:
    """The statements of a set, every one once before any comes again, in an order of its own each time."""

    data: Any
    batch_size: int
    seed: int

    @property
    def parts(self) -> tuple[tuple[str, int | None], ...]:
        kind = "stand-in" if self.data.stand_in else "real"
        return ((f"{self.data.title} ({kind}, {self.data.split})", len(self.data)),)

    def __len__(self) -> int:
        return len(self.data)

    def __getitem__(self, step: int) -> StatementBatch:
        places = range(step * self.batch_size, (step + 1) * self.batch_size)
        orders = {time: self._order(time) for time in {place // len(self) for place in places}}
        rows = [int(orders[place // len(self)][place % len(self)]) for place in places]
        chosen = torch.tensor(rows)
        sentences = tuple(self.data.sentences[row] for row in rows)
        return StatementBatch(self.data.images[chosen], sentences, self.data.labels[chosen])

    def _order(self, time: int) -> Int64[np.ndarray, " statement"]:
        return np.random.default_rng((self.seed, time)).permutation(len(self))

    def sentences(self) -> tuple[str, ...]:
        """As they come the first time: in no order that the set has."""
        return tuple(self.data.sentences[row] for row in self._order(0))


def words_of(sentences: Iterable[str], least: int = 1) -> tuple[str, ...]:
    """The words that are said at least so often, in lower case and without punctuation marks, by the alphabet."""
    from tokenizers import normalizers, pre_tokenizers

    normalizer = normalizers.Sequence([normalizers.NFKC(), normalizers.Lowercase()])
    splitter = pre_tokenizers.BertPreTokenizer()
    said: Counter[str] = Counter()
    for sentence in sentences:
        said.update(word for word, _ in splitter.pre_tokenize_str(normalizer.normalize_str(sentence)))
    return tuple(sorted(word for word, times in said.items() if times >= least and word.isalnum()))


def stream_of(config: Any, settings: TrainingSettings, sources: Mapping[str, str]) -> tuple[StatementStream, Any]:
    """The training data of a network's first domain, and the config with what the data decides: words and reference.

    What is generated has no end; what is read from a source is learned from again and again.

    Raises:
        DataError: a domain that is real only, without a source.
    """
    name = config.domains[0]
    stream: StatementStream
    if name == "scenes":
        stream = Endless(settings.batch_size, config.image_size, settings.seed, settings.lessons)
    elif name in sources:
        data = load(name, "train", sources[name], **options_for(config, name))
        stream = Repeated(data, settings.batch_size, settings.seed)
    else:
        raise DataError(f"{name} is read from a folder of it: give {name}=FOLDER")
    if config.text != "words" or not config.words:
        sentences = stream.sentences()
        words = words_of(sentences, 1 if name == "scenes" else LEAST_OFTEN) if config.text == "words" else ()
        config = replace(config, words=words, reference=tuple(dict.fromkeys(sentences))[:REFERENCE])
    return stream, config


class FromStep(Sampler[int]):
    """Numbers of steps from the one that a training is at, those of its own process alone."""

    def __init__(self, trainer: L.Trainer, steps: int) -> None:
        self.trainer, self.steps = trainer, steps

    def __iter__(self) -> Iterator[int]:
        processes, own = self.trainer.world_size, self.trainer.global_rank
        yield from (step * processes + own for step in range(self.trainer.global_step, self.steps))

    def __len__(self) -> int:
        return self.steps


def batches(stream: Any, settings: TrainingSettings, trainer: L.Trainer) -> DataLoader[Any]:
    """Batches of the steps that are left, made by ``settings.workers`` processes beside the training."""
    sampler = FromStep(trainer, settings.steps)
    return DataLoader(
        stream,
        batch_size=None,
        sampler=sampler,
        collate_fn=_as_it_is,
        num_workers=settings.workers,
        prefetch_factor=4 if settings.workers else None,
    )


def _as_it_is(batch: Any) -> Any:
    return batch


class Judgement(Classification):
    """Cross-entropy of whether a statement is true. What is drawn at a step depends on the seed and the step alone."""

    def training_step(self, batch: StatementBatch, _: int) -> Tensor:  # type: ignore[override]
        torch.manual_seed(self.settings.seed + 2**20 * (self.global_step * self.trainer.world_size + self.global_rank))
        images, sentences, labels = batch
        logits = self.model(Statements(images.float() / 255, sentences))[:, 0].float()
        loss = F.cross_entropy(logits, labels)
        self.log("loss", loss, prog_bar=True, batch_size=len(labels))
        right = (logits.argmax(-1) == labels).float().mean()
        self.log("accuracy", right, prog_bar=True, batch_size=len(labels))
        return loss
