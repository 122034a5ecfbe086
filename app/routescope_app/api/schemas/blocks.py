"""Block tasks, runs of block networks on one sample step by step, and indicators over training."""

from typing import Annotated, Literal

from pydantic import Field, StrictInt

from routescope_app.api.schemas.base import ModelReply, PackedArray, Reply, SampleId, Strict
from routescope_app.api.schemas.interventions import FullAppliedIntervention, InterventionBody

#: Bounds that a schema must know; ``Settings`` can only narrow them.
MOST_VALUES = 16
MOST_SUBTASKS = 64
MOST_BLOCK_ITERATIONS = 64

Subtask = Annotated[StrictInt, Field(ge=0, lt=MOST_SUBTASKS)]
Program = Annotated[list[Subtask], Field(min_length=1, max_length=MOST_BLOCK_ITERATIONS)]
Digit = Annotated[StrictInt, Field(ge=0, le=9)]


class DigitInput(Strict):
    """A digit for each value of the task."""

    digits: Annotated[list[Digit], Field(min_length=1, max_length=MOST_VALUES)] = Field(
        description="In the order of the task's `values`."
    )
    program: Program = Field(description="Subtask of each iteration, from 0; repeated for further iterations.")


class PictureInput(Strict):
    """A stored picture, cut into strips that are permuted."""

    sample: SampleId
    permutation: Subtask = Field(0, description="Number of the permutation, from 0.")


class BlockRunRequest(Strict):
    input: DigitInput | PictureInput
    iterations: Annotated[StrictInt, Field(ge=1, le=MOST_BLOCK_ITERATIONS)] | None = Field(
        None, description="None: those of the intervention, or else as many as the model was trained on."
    )
    intervention: InterventionBody = InterventionBody()


class BlockTask(Reply):
    """A task and its blocks."""

    name: str = Field(description="Also the name of its data set.")
    title: str
    inputs: Literal["digits", "picture"]
    values: list[str] = Field(description="Names of the input blocks, without the task indicator.")
    subtasks: list[str] = Field(description="Names of the subtasks, in the order of their numbers.")
    outputs: list[str] = Field(description="Names of the output blocks.")
    iterations: int = Field(description="Iterations in training.")
    most_iterations: int = Field(description="Limit for a run.")
    classes: int = Field(description="Number of classes: the first numbers of an output block.")
    block_size: int = Field(description="Numbers in a block.")
    permutations: list[list[int]] | None = Field(
        description="For pictures: the strip at each position, from 0 at the top, by subtask; null for digits."
    )
    models: list[str] = Field(description="Ids of models of this task, block-routing ones first.")
    example: DigitInput | PictureInput


class BlockTasks(Reply):
    items: list[BlockTask]


class BlockStep(Reply):
    """One level of blocks: routed by a Multiplexer, then gated against newly computed blocks.

    Numbers of dropped blocks are NaN.
    """

    name: str = Field(description="As in `steps` of the model.")
    iteration: int = Field(description="From 1.")
    mfnnr: int = Field(description="From 1; also the number of the level that it makes.")
    sources: list[str] = Field(description="Blocks of the level before.")
    blocks: list[str] = Field(description="Blocks of this level.")
    weights: PackedArray = Field(description="Share of each source in each routed block (source, block).")
    gates: PackedArray = Field(description="Gate of each block (block): 0 is routed, 1 is computed.")
    inputs: PackedArray = Field(description="Source blocks (source, number).")
    routed: PackedArray = Field(description="Output of the Multiplexer (block, number).")
    computed: PackedArray = Field(description="Output of the inner network (block, number).")
    outputs: PackedArray = Field(description="Gated blend of both (block, number).")


class BlockAnswer(Reply):
    """The output blocks after an iteration, as digits."""

    iteration: int = Field(description="From 1.")
    subtask: str
    digits: list[int] = Field(description="Most probable digit of each output block.")
    true: list[int | None] = Field(description="Correct digits by the task's rule; null for unlabelled pictures.")
    right: list[bool | None] = Field(description="Whether each output is correct; null if unknown.")
    follows: bool | None = Field(
        description="Whether the digits follow by the rule from the model's own digits before this iteration; null if "
        "unknown."
    )
    explanation: str | None = Field(description="The rule in words with the digits; null if the model breaks it.")
    probabilities: PackedArray = Field(description="Softmax over digits (output, digit).")


class WrongBlock(Reply):
    """The first wrong output of a model."""

    iteration: int
    output: str


class OtherAnswers(Reply):
    """Answers of another model of the same task to the same sample."""

    model: str
    family: str
    architecture: str
    answers: list[BlockAnswer]


class BlockRun(ModelReply):
    """A run of a model on one sample."""

    task: str
    input: DigitInput | PictureInput
    iterations: int
    intervention: FullAppliedIntervention
    levels: list[list[str]] = Field(description="Blocks of each level, inputs first; empty without block routing.")
    kept: list[str] = Field(description="Hidden blocks that were not dropped.")
    steps: list[BlockStep] = Field(description="In computing order; empty without block routing.")
    answers: list[BlockAnswer] = Field(description="After each iteration.")
    first_wrong: WrongBlock | None = Field(description="Null if nothing is known to be wrong.")
    baseline: list[BlockAnswer] | None = Field(description="Answers of the full model; null without intervention.")
    others: list[OtherAnswers] = Field(description="Full models of the same task without block routing.")
    picture: PackedArray | None = Field(description="The permuted picture (row, column), 0 to 1; null for digits.")
    label: int | None = Field(description="Label of the picture, if known.")
    seconds: float = Field(description="Computing time.")
    cached: bool = Field(description="Whether nothing had to be computed.")


class IndicatorSeries(Reply):
    """One number over training."""

    name: str = Field(description="Parts are separated by dots, such as `gates.1`.")
    values: list[float | None] = Field(description="One value per entry of `steps`; null if not measured.")


class Indicators(ModelReply):
    """Numbers that were measured repeatedly during training."""

    steps: list[int] = Field(description="Training steps before each measurement.")
    series: list[IndicatorSeries]
