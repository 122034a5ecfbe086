"""Predictions for uploaded and drawn samples: computed once per image and model revision, kept in the database."""

import asyncio
import logging
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from functools import partial

import numpy as np
import torch
from jaxtyping import Float, UInt8
from sqlalchemy import ColumnElement, and_, case, delete, select
from sqlalchemy.dialects import postgresql, sqlite
from sqlalchemy.orm import Session
from torch import Tensor

from routescope.nn.inputs.pictures import Pictures
from routescope.nn.network import Network
from routescope.zoo.catalogue import ModelInfo
from routescope_app.services.engine.inference import Inference
from routescope_app.services.engine.single_flight import SingleFlight
from routescope_app.services.engine.threads import Priority
from routescope_app.services.store import PredictionRow, SampleRow, Store

log = logging.getLogger(__name__)
#: Images in one batch; other requests run between batches.
BATCH = 64
#: Predictions in memory.
REMEMBERED = 20_000
#: Most images in one SQL statement.
MOST_KEYS = 500
#: From the hash of a file to its image; blocks.
ReadImage = Callable[[str], UInt8[Tensor, "3 32 32"]]


@dataclass(frozen=True)
class Prediction:
    """The most probable label of a head."""

    label: int
    probability: float
    domain: str


@dataclass(frozen=True)
class Question:
    """Everything that a prediction depends on.

    Attributes:
        precision: number format of the computation.
        asked: domain of the head; empty: the most certain head.
        image: hash of the file with the image.
    """

    model: str
    revision: str
    precision: str
    asked: str
    image: str


def head_asked(origin: str, domains: Sequence[str]) -> str:
    """Return the domain whose head labels an uploaded sample: MNIST for drawings, else "", the most certain head."""
    return "mnist" if origin == "drawing" and "mnist" in domains else ""


def probabilities(
    model: Network, images: UInt8[Tensor, "sample 3 32 32"], device: torch.device
) -> Float[np.ndarray, "sample domain label"]:
    """Return the probabilities of the labels by each head."""
    batch = torch.as_tensor(images).to(device).float() / 255
    shares: np.ndarray = model(Pictures(batch)).float().softmax(-1).cpu().numpy()
    return shares


def answer_of(heads: Float[np.ndarray, "domain label"], domains: Sequence[str], asked: str) -> Prediction:
    """Return the prediction of the asked head, or of the most certain one."""
    head = domains.index(asked) if asked in domains else int(heads.max(-1).argmax())
    label = int(heads[head].argmax())
    return Prediction(label, float(heads[head, label]), domains[head])


def forget(session: Session, images: Collection[str]) -> None:
    """Delete the predictions for images that no sample has any more."""
    gone = list(images)
    for start in range(0, len(gone), MOST_KEYS):
        session.execute(delete(PredictionRow).where(PredictionRow.image.in_(gone[start : start + MOST_KEYS])))


class Predictions:
    """Predictions from memory, from the database, or computed; concurrent callers share a computation.

    Args:
        read: returns images by their hash.
    """

    def __init__(self, store: Store, inference: Inference, read: ReadImage) -> None:
        self._store = store
        self._inference = inference
        self._read = read
        self._flights = SingleFlight[Question, Prediction](REMEMBERED)
        self._tidied: set[tuple[str, str]] = set()

    def question(self, info: ModelInfo, origin: str, image: str) -> Question:
        """Return the question about a sample of this origin and image."""
        asked = head_asked(origin, info.domains)
        return Question(info.id, info.revision, self._inference.device.precision, asked, image)

    def of_samples(self, info: ModelInfo) -> ColumnElement[bool]:
        """Return the SQL condition that joins samples with their predictions by the current revision of a model."""
        drawn, other = head_asked("drawing", info.domains), head_asked("", info.domains)
        asked = case((SampleRow.origin == "drawing", drawn), else_=other)
        return and_(self._of(info), PredictionRow.asked == asked, PredictionRow.image == SampleRow.image)

    def _of(self, info: ModelInfo) -> ColumnElement[bool]:
        return and_(
            PredictionRow.model == info.id,
            PredictionRow.revision == info.revision,
            PredictionRow.precision == self._inference.device.precision,
        )

    async def find(
        self, info: ModelInfo, questions: Sequence[Question], priority: Priority = Priority.TRACE
    ) -> dict[Question, Prediction]:
        """Return answers from memory, from the database, or computed batch by batch.

        Raises:
            NotFound: an image or the model was deleted.
            Busy, OutOfMemory: from the queue.
        """
        wanted = list(dict.fromkeys(questions))
        answers = {question: kept for question in wanted if (kept := self._flights.kept.get(question)) is not None}
        if missing := [question for question in wanted if question not in answers]:
            answers |= await asyncio.to_thread(self._stored, info, missing)
        missing = [question for question in missing if question not in answers]
        return answers | await self.compute(info, missing, priority)

    async def compute(
        self, info: ModelInfo, questions: Sequence[Question], priority: Priority
    ) -> dict[Question, Prediction]:
        """Compute answers that are not in the database."""
        answers: dict[Question, Prediction] = {}
        for start in range(0, len(questions), BATCH):
            chosen = questions[start : start + BATCH]
            answers |= await self._flights.find_all(chosen, partial(self._computed, info, priority))
        return answers

    def keep(self, answers: Mapping[Question, Prediction]) -> None:
        """Write answers to the database, and delete those of other revisions of the model; blocks.

        Errors are logged: a cache that cannot be written costs time alone.
        """
        insert = postgresql.insert if self._store.engine.dialect.name == "postgresql" else sqlite.insert
        try:
            with self._store.writing() as session:
                new = {(question.model, question.revision) for question in answers} - self._tidied
                for model, revision in sorted(new):
                    earlier = PredictionRow.model == model, PredictionRow.revision != revision
                    session.execute(delete(PredictionRow).where(*earlier))
                # One order for all processes, or two that keep the same answers could deadlock.
                ordered = sorted(answers, key=lambda question: tuple(map(str, vars(question).values())))
                rows = [vars(question) | vars(answers[question]) for question in ordered]
                session.execute(insert(PredictionRow).on_conflict_do_nothing(), rows)
            self._tidied |= new
        except Exception:
            log.exception("predictions could not be kept")

    def remember(self, info: ModelInfo, origin: str, image: str, heads: Float[np.ndarray, "domain label"]) -> None:
        """Keep a prediction that another computation made, such as a trace; blocks."""
        question = self.question(info, origin, image)
        if self._flights.kept.get(question) is None:
            answer = answer_of(heads, info.domains, question.asked)
            self._flights.keep(question, answer)
            self.keep({question: answer})

    def forget(self, images: Collection[str]) -> None:
        """Drop predictions for deleted images from memory; the function ``forget`` deletes them in the database."""
        if images:
            self._flights.kept.remove_where(lambda question: question.image in images)

    def _stored(self, info: ModelInfo, questions: Sequence[Question]) -> dict[Question, Prediction]:
        images = list({question.image for question in questions})
        rows: dict[Question, Prediction] = {}
        with self._store.reading() as session:
            for start in range(0, len(images), MOST_KEYS):
                of_images = PredictionRow.image.in_(images[start : start + MOST_KEYS])
                for row in session.scalars(select(PredictionRow).where(self._of(info), of_images)):
                    question = Question(row.model, row.revision, row.precision, row.asked, row.image)
                    rows[question] = Prediction(row.label, row.probability, row.domain)
        stored = {question: rows[question] for question in questions if question in rows}
        for question, answer in stored.items():
            self._flights.keep(question, answer)
        return stored

    async def _computed(
        self, info: ModelInfo, priority: Priority, questions: Sequence[Question]
    ) -> dict[Question, Prediction]:
        images = await asyncio.to_thread(lambda: torch.stack([self._read(question.image) for question in questions]))
        model = await self._inference.run(partial(self._inference.model, info), priority=priority)
        compute = partial(probabilities, model, images, self._inference.device.torch)
        batch = await self._inference.run(compute, cost=len(questions) / 4, priority=priority)
        answers = {
            question: answer_of(heads, info.domains, question.asked)
            for question, heads in zip(questions, batch, strict=True)
        }
        await asyncio.to_thread(self.keep, answers)
        return answers
