"""What models make of uploaded and drawn samples: computed once for each image and revision, kept in the database."""

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
#: Images that a network reads at once, between which others get their turn.
BATCH = 64
#: Predictions kept in memory.
REMEMBERED = 20_000
#: Images asked for in one statement.
MOST_KEYS = 500
#: The image of a file by its hash; blocking.
ReadImage = Callable[[str], UInt8[Tensor, "3 32 32"]]


@dataclass(frozen=True)
class Prediction:
    """A head's most probable label."""

    label: int
    probability: float
    domain: str


@dataclass(frozen=True)
class Question:
    """All that a prediction depends on.

    Attributes:
        precision: the number format that networks compute in.
        asked: the domain whose head is asked; empty: the most certain head.
        image: hash of the file with the image.
    """

    model: str
    revision: str
    precision: str
    asked: str
    image: str


def head_asked(origin: str, domains: Sequence[str]) -> str:
    """The domain whose head is asked about a sample that somebody brought: MNIST's for drawings, else the most
    certain one, which is the empty name."""
    return "mnist" if origin == "drawing" and "mnist" in domains else ""


def probabilities(
    model: Network, images: UInt8[Tensor, "sample 3 32 32"], device: torch.device
) -> Float[np.ndarray, "sample domain label"]:
    """What each head of a network makes of images."""
    batch = torch.as_tensor(images).to(device).float() / 255
    found: np.ndarray = model(Pictures(batch)).float().softmax(-1).cpu().numpy()
    return found


def answer_of(heads: Float[np.ndarray, "domain label"], domains: Sequence[str], asked: str) -> Prediction:
    """Of the head that is asked, or of the most certain one."""
    head = domains.index(asked) if asked in domains else int(heads.max(-1).argmax())
    label = int(heads[head].argmax())
    return Prediction(label, float(heads[head, label]), domains[head])


def forget(session: Session, images: Collection[str]) -> None:
    """Remove what was made of images that no sample has any more."""
    gone = list(images)
    for start in range(0, len(gone), MOST_KEYS):
        session.execute(delete(PredictionRow).where(PredictionRow.image.in_(gone[start : start + MOST_KEYS])))


class Predictions:
    """Of each question there is one computation at a time, which all who ask it share.

    Args:
        read: gives images by their hash.
    """

    def __init__(self, store: Store, inference: Inference, read: ReadImage) -> None:
        self._store = store
        self._inference = inference
        self._read = read
        self._flights = SingleFlight[Question, Prediction](REMEMBERED)
        self._tidied: set[tuple[str, str]] = set()

    def question(self, info: ModelInfo, origin: str, image: str) -> Question:
        """What is asked about a sample of this origin and image."""
        asked = head_asked(origin, info.domains)
        return Question(info.id, info.revision, self._inference.device.precision, asked, image)

    def of_samples(self, info: ModelInfo) -> ColumnElement[bool]:
        """Joins the row of a sample and that of what a model, as it is now, makes of it."""
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
        """The answers: from memory, from the database, or computed, batch by batch.

        Raises:
            NotFound: an image is no longer there, or the model.
            Busy, OutOfMemory: from the queue.
        """
        wanted = list(dict.fromkeys(questions))
        found = {each: kept for each in wanted if (kept := self._flights.kept.get(each)) is not None}
        missing = [each for each in wanted if each not in found]
        if missing:
            stored = await asyncio.to_thread(self._stored, info, missing)
            found |= stored
            missing = [each for each in missing if each not in stored]
        return found | await self.compute(info, missing, priority)

    async def compute(
        self, info: ModelInfo, questions: Sequence[Question], priority: Priority
    ) -> dict[Question, Prediction]:
        """As ``find``, of questions that the database had no answer to."""
        found: dict[Question, Prediction] = {}
        for start in range(0, len(questions), BATCH):
            chosen = questions[start : start + BATCH]
            found |= await self._flights.find_all(chosen, partial(self._computed, info, priority))
        return found

    def keep(self, found: Mapping[Question, Prediction]) -> None:
        """Keep answers; blocking. Of a model only its present revision is kept.

        A cache that cannot be written costs time, never an answer.
        """
        insert = postgresql.insert if self._store.engine.dialect.name == "postgresql" else sqlite.insert
        try:
            with self._store.writing() as session:
                new = {(each.model, each.revision) for each in found} - self._tidied
                for model, revision in sorted(new):
                    earlier = PredictionRow.model == model, PredictionRow.revision != revision
                    session.execute(delete(PredictionRow).where(*earlier))
                # In one order, or two processes that keep the same ones would wait for each other.
                asked = sorted(found, key=lambda question: tuple(map(str, vars(question).values())))
                rows = [vars(question) | vars(found[question]) for question in asked]
                session.execute(insert(PredictionRow).on_conflict_do_nothing(), rows)
            self._tidied |= new
        except Exception:
            log.exception("predictions could not be kept")

    def remember(self, info: ModelInfo, origin: str, image: str, heads: Float[np.ndarray, "domain label"]) -> None:
        """Keep what another computation says of a sample, such as its trace; blocking."""
        question = self.question(info, origin, image)
        if self._flights.kept.get(question) is None:
            answer = answer_of(heads, info.domains, question.asked)
            self._flights.keep(question, answer)
            self.keep({question: answer})

    def forget(self, images: Collection[str]) -> None:
        """Of images that no sample has any more, which the database has forgotten (``forget``), in memory too."""
        if images:
            self._flights.kept.remove_where(lambda each: each.image in images)

    def _stored(self, info: ModelInfo, questions: Sequence[Question]) -> dict[Question, Prediction]:
        images = list({each.image for each in questions})
        found: dict[Question, Prediction] = {}
        with self._store.reading() as session:
            for start in range(0, len(images), MOST_KEYS):
                of_images = PredictionRow.image.in_(images[start : start + MOST_KEYS])
                for row in session.scalars(select(PredictionRow).where(self._of(info), of_images)):
                    question = Question(row.model, row.revision, row.precision, row.asked, row.image)
                    found[question] = Prediction(row.label, row.probability, row.domain)
        stored = {each: found[each] for each in questions if each in found}
        for question, answer in stored.items():
            self._flights.keep(question, answer)
        return stored

    async def _computed(
        self, info: ModelInfo, priority: Priority, questions: Sequence[Question]
    ) -> dict[Question, Prediction]:
        images = await asyncio.to_thread(lambda: torch.stack([self._read(each.image) for each in questions]))
        model = await self._inference.run(partial(self._inference.model, info), priority=priority)
        compute = partial(probabilities, model, images, self._inference.device.torch)
        batch = await self._inference.run(compute, cost=len(questions) / 4, priority=priority)
        found = {
            question: answer_of(heads, info.domains, question.asked)
            for question, heads in zip(questions, batch, strict=True)
        }
        await asyncio.to_thread(self.keep, found)
        return found
