"""Tasks on blocks, what a network of blocks makes of one sample step by step, and indicators over its training."""

from typing import Annotated, Literal

from pydantic import Field, StrictInt

from routescope_app.api.schemas.base import PackedArray, Reply, SampleId, Strict
from routescope_app.api.schemas.interventions import FullAppliedIntervention, InterventionBody

#: Bounds that a schema must know; ``Settings`` can only narrow them.
MOST_VALUES = 16
MOST_SUBTASKS = 64
MOST_BLOCK_ITERATIONS = 64

Subtask = Annotated[StrictInt, Field(ge=0, lt=MOST_SUBTASKS)]
Program = Annotated[list[Subtask], Field(min_length=1, max_length=MOST_BLOCK_ITERATIONS)]


class OfDigits(Strict):
    """A digit for each value of the task."""

    digits: Annotated[list[Annotated[StrictInt, Field(ge=0, le=9)]], Field(min_length=1, max_length=MOST_VALUES)] = (
        Field(description="In the order of the task's `values`.")
    )
    program: Program = Field(
        description="Number of the subtask of each iteration, counted from 0; further iterations begin again at the "
        "first."
    )


class OfPicture(Strict):
    """A stored picture, cut into strips that are permuted."""

    sample: SampleId
    permutation: Subtask = Field(0, description="Number of the permutation, counted from 0.")


class BlockRunRequest(Strict):
    input: OfDigits | OfPicture
    iterations: Annotated[StrictInt, Field(ge=1, le=MOST_BLOCK_ITERATIONS)] | None = Field(
        None, description="None: those of the intervention, and without any as many as the model was trained on."
    )
    intervention: InterventionBody = InterventionBody()


class BlockTask(Reply):
    """What blocks stand for."""

    name: str = Field(description="Also of its data set.")
    title: str
    inputs: Literal["digits", "picture"] = Field(description="What a sample is made of.")
    values: list[str] = Field(description="Names of the input blocks, but for the one that tells the subtask.")
    subtasks: list[str] = Field(description="What each iteration can be told to do, in the order of their numbers.")
    outputs: list[str] = Field(description="Names of the output blocks.")
    iterations: int = Field(description="That models are trained on.")
    most_iterations: int = Field(description="The most that a run may ask for.")
    classes: int = Field(description="Numbers that an output can be: the first so many of its block.")
    block_size: int = Field(description="Numbers in a block.")
    permutations: list[list[int]] | None = Field(
        description="Of pictures: for each subtask the strip, counted from 0 at the top, that is at each place; null "
        "where samples are digits."
    )
    models: list[str] = Field(description="Ids of models of this task, those that route blocks first.")
    example: OfDigits | OfPicture = Field(description="A sample to begin with.")


class BlockTasks(Reply):
    items: list[BlockTask]


class BlockStep(Reply):
    """One level of blocks made of the level before: weighted by a Multiplexer, then gated against new blocks.

    Numbers of blocks that were dropped are NaN.
    """

    name: str = Field(description="As in `steps` of the model.")
    iteration: int = Field(description="Counted from 1.")
    mfnnr: int = Field(description="Counted from 1; it makes the level of that number.")
    sources: list[str] = Field(description="Blocks that are read: those of the level before.")
    blocks: list[str] = Field(description="Blocks that are made.")
    weights: PackedArray = Field(description="Share of each source in each routed block (source, block).")
    gates: PackedArray = Field(description="Of each block (block): 0 is routed, 1 is computed.")
    inputs: PackedArray = Field(description="The sources (source, number).")
    routed: PackedArray = Field(description="What the Multiplexer made (block, number).")
    computed: PackedArray = Field(description="What the network inside made anew (block, number).")
    outputs: PackedArray = Field(description="What became of both under the gates (block, number).")


class BlockAnswer(Reply):
    """The output blocks after an iteration, as digits."""

    iteration: int = Field(description="Counted from 1.")
    subtask: str
    digits: list[int] = Field(description="The most probable digit of each output block.")
    true: list[int | None] = Field(
        description="By the rule of the task, from the beginning on; null where a picture has no label."
    )
    right: list[bool | None] = Field(description="Whether each output is true; null where that is not known.")
    follows: bool | None = Field(
        description="Whether the rule, applied to what the model itself had before this iteration, gives these digits: "
        "what was wrong before is not held against it. Null where that is not known."
    )
    explanation: str | None = Field(
        description="What the rule does here, in words with the digits; null where the model does not follow it."
    )
    probabilities: PackedArray = Field(description="Of each digit (output, digit), by a softmax of its block.")


class WrongBlock(Reply):
    """Where a model first errs."""

    iteration: int
    output: str


class OtherAnswers(Reply):
    """What another model of the same task makes of the same sample."""

    model: str
    family: str
    architecture: str
    answers: list[BlockAnswer]


class BlockRun(Reply):
    """What a model makes of one sample, and of what."""

    model: str
    revision: str
    task: str
    input: OfDigits | OfPicture
    iterations: int
    intervention: FullAppliedIntervention
    levels: list[list[str]] = Field(
        description="Names of the blocks of each level, the input's first; empty for models that route none."
    )
    kept: list[str] = Field(description="Hidden blocks that were not dropped.")
    steps: list[BlockStep] = Field(description="In the order of computing; empty for models that route no blocks.")
    answers: list[BlockAnswer] = Field(description="After each iteration.")
    first_wrong: WrongBlock | None = Field(description="Null where nothing is known to be wrong.")
    baseline: list[BlockAnswer] | None = Field(
        description="Answers of the same model as it is; null where the intervention changes nothing."
    )
    others: list[OtherAnswers] = Field(description="Models of the same task that route no blocks, as they are.")
    picture: PackedArray | None = Field(
        description="The picture as its strips are permuted (row, column), 0 to 1; null where samples are digits."
    )
    label: int | None = Field(description="What a picture shows, as far as that is known.")
    seconds: float = Field(description="Of computing.")
    cached: bool = Field(description="Whether nothing had to be computed.")


class IndicatorSeries(Reply):
    """One number over training."""

    name: str = Field(description="With its parts after dots, such as `gates.1`.")
    values: list[float | None] = Field(description="At each of the `steps`; null where it was not measured.")


class Indicators(Reply):
    """What was measured again and again while a model was trained."""

    model: str
    revision: str
    steps: list[int] = Field(description="Training steps done at each measurement.")
    series: list[IndicatorSeries]
