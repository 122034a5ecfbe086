"""Statements about pictures, the scenes that pictures are drawn from, and what a model answers."""

from typing import Annotated, Self

from pydantic import Field, StringConstraints, model_validator

from routescope.data.samples import DataError
from routescope.data.statements import scenes
from routescope_app.api.schemas.base import ModelReply, PackedArray, Reply, SampleId, Strict
from routescope_app.api.schemas.interventions import AppliedIntervention, InterventionBody, Share

#: Bounds that a schema must know; ``Settings`` can only narrow them.
LONGEST_SENTENCE = 4_096
MOST_SENTENCES = 64
MOST_PICTURES = 8
MOST_THINGS = 64

Sentence = Annotated[str, StringConstraints(min_length=1, max_length=LONGEST_SENTENCE)]
Sentences = Annotated[list[Sentence], Field(min_length=1, max_length=MOST_SENTENCES)]
Word = Annotated[str, StringConstraints(pattern=r"^[a-z]{1,20}$")]


class Thing(Strict):
    """One thing in a picture."""

    shape: Word
    colour: Word
    size: Word
    x: Share = Field(description="Of its centre, as a share of the picture's width from the left.")
    y: Share = Field(description="Of its centre, as a share of the picture's height from the top.")


class Scene(Strict):
    """The things of each picture; later things lie over earlier ones."""

    pictures: Annotated[
        list[Annotated[list[Thing], Field(max_length=MOST_THINGS)]], Field(min_length=1, max_length=MOST_PICTURES)
    ] = Field(description="Things of each picture, the left one first.")


class KnownScene(Scene):
    """A scene with known words only, as addresses may carry it."""

    @model_validator(mode="after")
    def _is_drawn(self) -> Self:
        try:
            scenes.Scene.from_dict(self.model_dump())
        except DataError as error:
            raise ValueError("this is no scene") from error
        return self


class Shape(Reply):
    name: str
    outline: list[tuple[float, float]] = Field(description="Corners between -1 and 1, to be scaled by the radius.")


class Colour(Reply):
    name: str
    hex: str


class Size(Reply):
    name: str
    radius: float = Field(description="As a share of the picture's side.")


class Vocabulary(Reply):
    """Shapes, colours, sizes and limits of scenes."""

    shapes: list[Shape]
    colours: list[Colour]
    sizes: list[Size]
    background: str = Field(description="Of the pictures, hex.")
    pictures: int = Field(description="Pictures of a scene.")
    side: int = Field(description="Of each picture as networks get it, in pixels.")
    most_things: int = Field(description="Things that one picture may have.")


class Statement(Reply):
    """A sentence about pictures, true or false of them."""

    id: str
    sentence: str
    kind: str = Field(description="Kind of reasoning.")
    label: bool = Field(description="Whether it is true.")
    scene: Scene | None = Field(description="Scene of the pictures; null if they were not drawn.")
    pictures: list[str] = Field(description="Addresses of the pictures as networks get them.")


class KindCount(Reply):
    name: str
    count: int


class Statements(Reply):
    items: list[Statement]
    total: int = Field(description="How many match in all.")
    kinds: list[KindCount] = Field(description="All kinds of the set, with how many statements each has.")
    title: str
    split: str
    stand_in: bool
    stand_in_for: str | None


class OfStatement(Strict):
    """The pictures of a statement of a data set."""

    statement: SampleId


class OfScene(Strict):
    """Pictures drawn from a scene."""

    scene: Scene


class OfSamples(Strict):
    """Uploaded pictures, scaled to the size that the network takes."""

    samples: Annotated[list[SampleId], Field(min_length=1, max_length=MOST_PICTURES)] = Field(
        description="The left one first."
    )


class AnswersRequest(Strict):
    sentences: Sentences
    pictures: OfStatement | OfScene | OfSamples
    intervention: InterventionBody = InterventionBody()


class WordWeights(Reply):
    """Attention of units to the words of a sentence."""

    pieces: list[str] = Field(description="Pieces of the sentence as the model reads it, a start token first.")
    weights: PackedArray = Field(description="Weight of each piece for each unit (unit, piece).")


class Answer(Reply):
    """A model's answer to one sentence about some pictures."""

    sentence: str = Field(description="The sentence as the model read it.")
    probability: float = Field(description="The model's probability that it is true.")
    baseline_probability: float | None = Field(description="Probability of the full model; null without intervention.")
    holds: bool | None = Field(description="Whether it is true of the scene, by the grammar; null if unknown.")
    clear: bool | None = Field(
        description="Whether people would agree, as on which of two things at almost the same height is above the "
        "other; null if unknown."
    )
    unknown_words: list[str] = Field(description="Words without training, which the model reads letter by letter.")
    read_in: PackedArray | None = Field(
        description="Weight of each token of the pictures for each unit (unit, picture x row x column), 0 for dropped "
        "units; null for models without read-in."
    )
    read_in_words: WordWeights | None = Field(
        None, description="Weights of the pieces of the sentence, which add up to 1 with `read_in`; null if not read."
    )
    read_out_share: list[float] | None = Field(
        description="Share of each unit in the output: the sum over read-out modules of attention weight times "
        "confidence; null for models without read-out."
    )


class AnswersGrid(Reply):
    """Grid of tokens of the pictures."""

    pictures: int
    rows: int
    columns: int


class Answers(ModelReply):
    """Answers to several sentences about the same pictures."""

    intervention: AppliedIntervention
    units: list[str]
    kept: list[str] = Field(description="Units that were not dropped.")
    grid: AnswersGrid
    answers: list[Answer]
    seconds: float = Field(description="Computing time.")
