"""Train on statements about pictures: generated or real data, the vocabulary, the loss of a step, and grounding.

Grounding: the circuits of the paper read frozen CLIP features, which already carry words. A circuit that trains its own
picture tokenizer first predicts colour, shape and size of the object in each patch by linear layers on its token, which
are then discarded.
"""

from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from random import Random
from typing import NamedTuple, Protocol

import numpy as np
import torch
import torch.nn.functional as F
from jaxtyping import Float, Int64, UInt8
from lightning.pytorch.utilities import rank_zero_info
from torch import Tensor, nn

from routescope.data import OTHER_DATASETS, DataError, StatementSet, load, options_for
from routescope.data.statements.draws import draw_quadruple
from routescope.data.statements.features import encoded
from routescope.data.statements.grammar import KINDS
from routescope.data.statements.lessons import LESSONS
from routescope.data.statements.scenes import COLOURS, SHAPES, SIZES
from routescope.data.statements.sets import quadruples
from routescope.nn.baselines.perceiver_io import StatementPerceiverIO
from routescope.nn.circuit.conditional import ConditionalNeuralAttentiveCircuit
from routescope.nn.circuit_config import ConditionalCircuitConfig
from routescope.nn.encoders.frozen import frozen_image_encoder, frozen_text_encoder
from routescope.nn.inputs.statements import Statements
from routescope.nn.network import Network
from routescope.training.batches import Stream
from routescope.training.settings import TrainingSettings
from routescope.training.tasks.pictures import FILTERS_START, SCORED, Classification
from routescope.training.tasks.task import (
    Learning,
    PeriodicMeasurement,
    Sources,
    Task,
    Titled,
    Validation,
    titled,
)
from routescope.zoo.cards import held_back

#: Networks that read sentences, and pictures through a tokenizer of their own.
Reader = ConditionalNeuralAttentiveCircuit | StatementPerceiverIO
#: Samples that are drawn together.
QUADRUPLE = 4
#: What is named of a thing, in words.
NAMES: tuple[tuple[str, tuple[str, ...]], ...] = (
    ("colour", tuple(COLOURS)),
    ("shape", tuple(SHAPES)),
    ("size", tuple(SIZES)),
)
#: Of the learning rate: it rises over the first steps and falls linearly to a little of itself.
RATE, WARMUP, LEAST = 3e-3, 50, 0.02
WEIGHT_DECAY = 0.01


def names_in_patches(scenes: StatementSet, grid: tuple[int, int]) -> Int64[Tensor, "N names P V"]:
    """Return the number of each name of the object in each patch of each picture, from 1; 0 without an object.

    Of several things in a patch the last one counts, which lies over the others.
    """
    rows, columns = grid
    numbers = torch.zeros(len(scenes), len(NAMES), scenes.images.shape[1], rows * columns, dtype=torch.int64)
    for sample, scene in enumerate(scenes.scenes):
        for picture, things in enumerate(scene.pictures if scene is not None else ()):
            for thing in things:
                patch = min(rows - 1, int(thing.y * rows)) * columns + min(columns - 1, int(thing.x * columns))
                for name, (attribute, words) in enumerate(NAMES):
                    numbers[sample, name, picture, patch] = words.index(getattr(thing, attribute)) + 1
    return numbers


def ground(
    model: Reader, steps: int, batch_size: int, seed: int, progress: Callable[[int, float], None] | None = None
) -> None:
    """Train the tokenizer of a network that reads statements, in place.

    Args:
        batch_size: samples a step, whole quadruples; half of them show different pictures.
        seed: of what is drawn, and of the layers that are thrown away.
        progress: called with (steps done, loss of the last one).
    """
    tokens, config = model.pictures.encoder, model.config
    device = next(tokens.parameters()).device
    generator = torch.Generator().manual_seed(seed)
    C = config.features  # what follows them are channels of the place
    heads = nn.ModuleList(nn.Linear(C, len(words) + 1) for _, words in NAMES)
    for weights in heads.parameters():
        weights.data = torch.randn(weights.shape, generator=generator) * C**-0.5
    heads.to(device)
    optimizer = torch.optim.AdamW([*tokens.parameters(), *heads.parameters()], lr=RATE, weight_decay=WEIGHT_DECAY)
    tokens.train()
    for step in range(steps):
        drawn = quadruples(Random(f"{seed} grounding {step}"), batch_size // QUADRUPLE, side=config.image_size)
        scenes = drawn.take(slice(0, None, 2))  # every pair of pictures is there twice
        wanted = names_in_patches(scenes, model.pictures.grid).to(device)
        images = scenes.images.to(device).float() / 255
        x = tokens(images.flatten(0, 1))[0][..., :C].unflatten(0, images.shape[:2])
        losses = [F.cross_entropy(head(x).flatten(0, 2), wanted[:, at].flatten()) for at, head in enumerate(heads)]
        loss = torch.stack(losses).sum()
        for group in optimizer.param_groups:
            group["lr"] = RATE * min(1.0, (step + 1) / WARMUP) * max(LEAST, 1 - step / steps)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        if progress is not None:
            progress(step + 1, float(loss.detach()))


#: Sentences of the training data in which words are looked for, where it has no end.
SENTENCES_LOOKED_AT = 3_000
#: A word that real sentences say less often than this is spelled.
LEAST_OFTEN = 3
#: Sentences that a network keeps as its reference.
REFERENCE = 32
#: Pictures and sentences that are encoded before a training says how far it is.
TOLD_EVERY = 1000


class StatementBatch(NamedTuple):
    """The data of one step: pictures in 0..255, a sentence each, and whether it is true of them (1)."""

    images: UInt8[Tensor, "B P 3 side side"]
    sentences: tuple[str, ...]
    labels: Int64[Tensor, " B"]


class FeatureBatch(NamedTuple):
    """The data of one step with a frozen encoder's features instead of pictures."""

    features: Float[Tensor, "B P T d"]
    sentences: tuple[str, ...]
    labels: Int64[Tensor, " B"]


class StatementStream(Stream[StatementBatch | FeatureBatch], Protocol):
    """Statements with a list of their sentences."""

    def sentences(self) -> tuple[str, ...]:
        """Return sentences that the vocabulary is taken from; the first ones are the network's reference."""
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
        """The training data in words, with the number of samples (None: drawn without end)."""
        return ((f"{OTHER_DATASETS['scenes'].title}, drawn anew for every step", None),)

    @property
    def count(self) -> None:
        """The number of samples; None if they are drawn without end."""
        return None

    def __getitem__(self, step: int) -> StatementBatch:
        """Return a batch of whole quadruples; its numbers are the same on every platform."""
        lesson = next((name for name, end in zip(LESSONS, self.lessons, strict=False) if step < end), None)
        random = Random(f"{self.seed} step {step}")
        drawn = quadruples(random, self.batch_size // QUADRUPLE, side=self.side, lesson=lesson)
        return StatementBatch(drawn.images, drawn.sentences, drawn.labels)

    def sentences(self) -> tuple[str, ...]:
        """Return sentences in the order drawn: the first ones have equally many of every kind."""
        random, drawn = Random(f"{self.seed} words"), dict[str, None]()
        for kind in KINDS * (SENTENCES_LOOKED_AT // len(KINDS) // 2):
            quadruple = draw_quadruple(random, kind)
            drawn |= {quadruple.first.text: None, quadruple.second.text: None}
        return tuple(drawn)


@dataclass(frozen=True, eq=False)
class Repeated:
    """The statements of a set, each once per epoch, in an order that changes with the epoch."""

    data: StatementSet
    batch_size: int
    seed: int

    @property
    def parts(self) -> tuple[tuple[str, int | None], ...]:
        """The training data in words, with the number of samples (None: drawn without end)."""
        kind = "stand-in" if self.data.stand_in else "real"
        return ((f"{self.data.title} ({kind}, {self.data.split})", len(self.data)),)

    @property
    def count(self) -> int:
        """The number of samples; None if they are drawn without end."""
        return len(self.data)

    def __getitem__(self, step: int) -> StatementBatch | FeatureBatch:
        places = range(step * self.batch_size, (step + 1) * self.batch_size)
        orders = {time: self._order(time) for time in {position // self.count for position in places}}
        rows = [int(orders[position // self.count][position % self.count]) for position in places]
        chosen = torch.tensor(rows)
        sentences = tuple(self.data.sentences[row] for row in rows)
        if self.data.features is not None:
            return FeatureBatch(self.data.features.of(chosen), sentences, self.data.labels[chosen])
        return StatementBatch(self.data.images[chosen], sentences, self.data.labels[chosen])

    def _order(self, time: int) -> Int64[np.ndarray, " statement"]:
        return np.random.default_rng((self.seed, time)).permutation(self.count)

    def sentences(self) -> tuple[str, ...]:
        """Return the sentences in the order of the first epoch."""
        return tuple(self.data.sentences[row] for row in self._order(0))


def words_of(sentences: Iterable[str], least: int = 1) -> tuple[str, ...]:
    """Return the words that occur at least so often, in lower case, without punctuation, sorted."""
    from tokenizers import normalizers, pre_tokenizers

    normalizer = normalizers.Sequence([normalizers.NFKC(), normalizers.Lowercase()])
    splitter = pre_tokenizers.BertPreTokenizer()
    counts: Counter[str] = Counter()
    for sentence in sentences:
        counts.update(word for word, _ in splitter.pre_tokenize_str(normalizer.normalize_str(sentence)))
    return tuple(sorted(word for word, times in counts.items() if times >= least and word.isalnum()))


def stream_of(
    config: ConditionalCircuitConfig, settings: TrainingSettings, sources: Sources
) -> tuple[StatementStream, ConditionalCircuitConfig]:
    """Return the training data of a network's first domain, and the config with its words and reference.

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
        assert isinstance(data, StatementSet)
        stream = Repeated(_encoded(config, settings, data), settings.batch_size, settings.seed)
    else:
        raise DataError(f"{name} is read from a folder of it: give {name}=FOLDER")
    if config.text != "words" or not config.words:
        sentences = stream.sentences()
        words = words_of(sentences, 1 if name == "scenes" else LEAST_OFTEN) if config.text == "words" else ()
        config = replace(config, words=words, reference=tuple(dict.fromkeys(sentences))[:REFERENCE])
    return stream, config


def _encoded(config: ConditionalCircuitConfig, settings: TrainingSettings, data: StatementSet) -> StatementSet:
    """Return the set with the features of a config's frozen encoders, unless pictures are augmented."""
    if settings.augment:
        return data
    device = torch.device("cpu")
    if settings.accelerator != "cpu" and torch.accelerator.is_available():
        device = torch.accelerator.current_accelerator() or device
    pictures = None if config.image_encoder is None else frozen_image_encoder(config).to(device)
    text = None if config.text == "words" else frozen_text_encoder(config).to(device)
    reported = 0

    def now_and_then(done: int, count: int) -> None:
        nonlocal reported
        if done - reported >= TOLD_EVERY or done == count:
            reported = done
            rank_zero_info(f"encoded, and kept for all epochs: {done:,} of {count:,} pictures and sentences")

    return encoded(data, pictures, text, config.sees, now_and_then)


def reader(model: Network) -> Reader:
    """Return the network if it reads sentences, and pictures through its own tokenizer (else TypeError)."""
    if not isinstance(model, Reader):
        raise TypeError(f"a {model.family} does not read statements about pictures")
    return model


class Judgement(Classification):
    """Train by the cross-entropy of a statement's truth; draws depend only on the seed and the step."""

    def tokenizer(self) -> nn.Module:
        """Return the tokenizer of one picture."""
        return reader(self.model).pictures.encoder

    def training_step(self, batch: StatementBatch | FeatureBatch, _: int) -> Tensor:  # type: ignore[override]
        torch.manual_seed(self.settings.seed + 2**20 * (self.global_step * self.trainer.world_size + self.global_rank))
        if isinstance(batch, FeatureBatch):
            inputs = Statements.of_features(batch.features, batch.sentences)
        else:
            inputs = Statements(batch.images.float() / 255, batch.sentences)
        labels = batch.labels
        logits = self.model(inputs)[:, 0].float()
        loss = F.cross_entropy(logits, labels)
        self.log("loss", loss, prog_bar=True, batch_size=len(labels))
        right = (logits.argmax(-1) == labels).float().mean()
        self.log("accuracy", right, prog_bar=True, batch_size=len(labels))
        return loss


class StatementsTask(Task[ConditionalCircuitConfig]):
    """Statements about pictures, generated for every step or read from a source."""

    samples = "statements"
    augments = True

    def stream(
        self, config: ConditionalCircuitConfig, settings: TrainingSettings, sources: Sources
    ) -> tuple[StatementStream, ConditionalCircuitConfig]:
        return stream_of(config, settings, sources)

    def learning(self, architecture: str, config: ConditionalCircuitConfig, settings: TrainingSettings) -> Learning:
        return Judgement(architecture, config, settings)

    def measured(
        self, config: ConditionalCircuitConfig, settings: TrainingSettings, sources: Sources
    ) -> PeriodicMeasurement:
        sets = [
            load(name, "validation", sources.get(name), SCORED, **options_for(config, name)) for name in config.domains
        ]
        return Validation(sets, settings.validate_every)

    def start(self, learning: Learning) -> None:
        """Ground the picture tokenizer, if the settings have steps for it."""
        settings = learning.settings
        if settings.grounding_steps:
            ground(
                reader(learning.model), settings.grounding_steps, settings.batch_size, settings.seed, _every_so_often
            )

    def notes(self, config: ConditionalCircuitConfig, settings: TrainingSettings) -> list[str]:
        sentences = []
        if settings.initial_filters == "contrast" and config.tokenizer == "convnext":
            sentences.append(FILTERS_START)
        if settings.grounding_steps:
            sentences.append(
                f"The picture tokenizer first learned, in {settings.grounding_steps:,} steps of its own, to name "
                "colour, shape and size of what lies in each patch of a scene; the paper's circuits read frozen CLIP "
                "features."
            )
        if settings.lessons:
            sentences.append(
                f"The first {settings.lessons[-1]:,} steps were lessons: statements that there is a thing of a colour, "
                "then of a shape, then of both. Statements of all kinds came after them."
            )
        if "nlvr" in config.domains:
            sentences.append(
                "NLVR shows every picture in six orders of its boxes, all with one label: statements are not "
                "independent, and intervals narrower than they would be of different pictures. Where no file is for "
                "training, it learned from four fifths of the development sentences; the others are the validation "
                "split."
            )
        if config.sees != "both":
            hidden = "every picture" if config.sees == "sentence" else "every sentence"
            sentences.append(
                f"A control: {hidden} is blank to it. Statements come in quadruples in which neither words nor "
                "pictures alone tell true from false, so that it can be right half of the time only."
            )
        return sentences

    def scored(self, config: ConditionalCircuitConfig, sources: Sources) -> Titled:
        """Return the validation split and, if it exists, the test split of every domain."""
        return titled(
            data for name in config.domains for data in held_back(name, sources.get(name), **options_for(config, name))
        )

    def not_shown(self, config: ConditionalCircuitConfig, sources: Sources) -> str:
        return (
            "The splits that are scored above: they are drawn with seeds of their own, or read from other files. "
            "Whether a picture or a sentence of them came by chance in training too was not looked at."
        )

    def on_intervals(self, config: ConditionalCircuitConfig) -> str | None:
        if "scenes" not in config.domains:
            return None
        return (
            "Statements come in fours that share pictures and words: they are not independent, as the intervals take "
            "them to be."
        )


def _every_so_often(step: int, loss: float) -> None:
    if step % 500 == 0:
        rank_zero_info(f"grounding {step}: loss {loss:.3f}")
