"""Models, data sets, samples and traces."""

from datetime import datetime
from typing import Annotated, Any, Literal

from pydantic import ConfigDict, Field, StrictInt, StringConstraints

from routescope.nn.experts import RoutedLayer
from routescope.nn.network import UnitKind
from routescope_app.api.schemas.base import (
    LONGEST_NAME,
    MOST_FIELDS,
    AblationKind,
    ArrayInfo,
    FieldName,
    MeasureName,
    ModelId,
    ModelReply,
    Origin,
    Reply,
    SampleId,
    SetName,
    Strict,
    Whose,
)
from routescope_app.api.schemas.interventions import AppliedIntervention, InterventionBody

#: More panels than any sample has.
MOST_PANELS = 999
#: A kind of input by its name: images, statements, blocks, text, numbers, points, or what a package has registered.
Inputs = Annotated[str, StringConstraints(pattern=r"^[a-z][a-z0-9-]{0,39}$")]


class Health(Reply):
    status: Literal["ok"]
    version: str
    device: str = Field(description="Device and precision of networks.")
    models: list[str]


class Ready(Reply):
    status: Literal["ready"]


class Accuracy(Reply):
    """A figure of the model card, with its 95 % interval."""

    model_config = ConfigDict(from_attributes=True, extra="allow")
    domain: str
    accuracy: float = Field(description="The figure, whatever its measure.")
    low: float
    high: float
    count: int
    data: str
    stand_in: bool
    measure: str = Field("accuracy", description="Measure of the figure, such as bits a byte.")
    higher_is_better: bool = True


class ModelInfo(Reply):
    """A model, described without running it."""

    id: str
    family: str
    architecture: str
    parameters: int
    inputs: Inputs = "images"
    pictures: int | None = Field(None, description="Pictures per statement; null for other inputs.")
    samples: bool = Field(True, description="Whether it reads single pictures of the samples' size.")
    revision: str = Field(description="Hash of the checkpoint.")
    data: list[Any]
    accuracies: list[Accuracy] = Field(description="From the model card.")
    units: list[str]
    steps: list[str]
    tokens: list[str]
    grid: tuple[int, int] = Field(description="Rows and columns of patches.")
    domains: list[str]
    labels: list[str]
    held_out: list[str] = Field([], description="Domains that the model was never trained on.")
    trained_on: list[str] = Field([], description="Domains of its training, by its card.")
    layers: list[RoutedLayer] = Field([], description="Layers with experts.")
    objectives: list[str] = Field([], description="Training objectives that shape its routing, for people.")
    fields: list[str] = Field(description="Fields that a trace can hold.")
    constants: list[str] = Field([], description="Parameters that every trace holds too.")
    unit_kind: UnitKind = Field("layer", description="What a unit is; a layer adds to its tokens.")
    has_links: bool = Field(False, description="Whether units are linked with probabilities, the same for all samples.")
    iterations: int = Field(1, description="Function iterations, or layers, unless asked for otherwise.")
    most_iterations: int | None = Field(None, description="Largest number of iterations; null: no limit.")
    least_iterations: int = Field(0, description="Smallest number of iterations that gives an answer.")
    mute_refusal: str | None = Field(None, description="Why units cannot be muted; null if they can.")
    unverified_routing: str | None = Field(
        None,
        description="Layers whose recorded routing was not checked against their experts' inputs, and why; else null.",
    )
    unread: str | None = Field(
        None,
        description="Parts of an opened folder that the model lacks, such as a vision tower, with tensors and bytes. "
        "A pruned model lacks them too.",
    )


class ModelDetail(ModelInfo):
    config: dict[str, Any]
    card: dict[str, Any]


class ModelCard(ModelReply):
    """The model card as HTML."""

    html: str = Field(description="Paragraphs, headings from level 2, lists and tables; no links.")
    complete: bool = Field(description="False if the card was cut.")


class UnitUse(Reply):
    """Use of a unit."""

    unit: str
    share: float = Field(description="Mean share of the routing weight, with all units on.")


class Use(ModelReply):
    """Observed use of the units of a model, on which rules such as `least:4` depend."""

    measure: Literal["weight"] = Field("weight", description="`share` is of the routing weight, not of the tokens.")
    data: list[str] = Field(description="Observed data sets.")
    count: int = Field(description="Number of observed samples.")
    units: list[UnitUse]


class ObservedOn(Reply):
    """Data on which use was observed."""

    data: list[str]
    count: int


class NamedUnits(ModelReply):
    """The units that rules and names stand for."""

    rule: list[str]
    kind: AblationKind
    units: list[str] = Field(description="In the order of the model's units.")
    observed: ObservedOn | None = Field(description="Null if no rule depends on use.")


class LeftOut(Reply):
    """A model that cannot be used."""

    model: str
    reason: str = Field(description="Reason, and what would be accepted.")
    opening: bool = Field(description="Whether it is still being opened.")


class Models(Reply):
    items: list[ModelInfo]
    left_out: list[LeftOut] = Field([], description="Models that are not open or cannot be opened.")


class Prediction(Reply):
    label: int
    probability: float
    domain: str = Field(description="Whose head this is.")


#: Characters of a text that somebody brings; ``settings.MAX_TEXT_BYTES`` is less.
LONGEST_TEXT = 1_000_000
#: Images in a row of the picture that shows several samples.
SHEET_COLUMNS = 16


class Sample(Reply):
    """A picture as a sample, uploaded, drawn or of a data set."""

    id: str
    origin: Origin
    set: str | None = Field(description="Name of its data set.")
    set_title: str | None
    stand_in: bool = Field(description="Whether its data set stands in for another.")
    label: int | None
    name: str
    width: int
    height: int
    created: datetime | None
    owner: Whose | None = Field(
        description="Owner as the caller sees it: this browser, another one, or everybody, if it came without a "
        "browser's cookie; null for data sets. Everybody who has the id can look at the sample."
    )
    image: str = Field(description="Address of the image that networks see.")
    prediction: Prediction | None = Field(None, description="Prediction by the model of the request.")


class Deleted(Reply):
    count: int = Field(description="Number of deleted samples.")


class Samples(Reply):
    items: list[Sample]
    total: int = Field(description="Number of all matching samples.")


class TextUpload(Strict):
    text: Annotated[str, StringConstraints(min_length=1, max_length=LONGEST_TEXT)]
    name: Annotated[str, StringConstraints(max_length=LONGEST_NAME)] | None = Field(
        None, description="Name, such as that of its file. None: the beginning of the text."
    )


class WrittenSample(Strict):
    """A written sample; `GET /inputs` lists what each kind of input accepts."""

    inputs: Inputs = Field(description="Kind of input, such as `numbers`, `listops`, `points` or `text`.")
    content: Annotated[str, StringConstraints(min_length=1, max_length=LONGEST_TEXT)] = Field(
        description='Content of the sample, such as "0.1, 0.9, 0.5, 0.25, 1" for `numbers`.'
    )
    set: SetName | None = Field(
        None, description="Data set that gives the right answer; required for `numbers`, whose data sets are functions."
    )
    name: Annotated[str, StringConstraints(max_length=LONGEST_NAME)] | None = Field(
        None, description="None: the beginning of the content."
    )


class SampleChange(Strict):
    name: Annotated[str, StringConstraints(max_length=LONGEST_NAME)] | None = None
    label: Annotated[StrictInt, Field(ge=0, le=2**31 - 1)] | None = None


class TraceRequest(Strict):
    model: ModelId
    sample: SampleId
    intervention: InterventionBody = InterventionBody()
    fields: Annotated[list[FieldName], Field(max_length=MOST_FIELDS)] | None = Field(
        None, description="None: the fields that show the model's routing."
    )


class Token(Reply):
    """A token of a trace."""

    name: str
    kind: Literal["cls", "patch", "panel", "number", "point", "token", "text"]
    row: int | None = Field(description="Row of a patch, a panel or the answer in the gap; 0 for numbers; else null.")
    column: int | None
    candidate: int | None = Field(
        None, description="Number of the answer, from 1, where the network reads a sample once with each answer."
    )
    text: str | None = Field(None, description='Text of the token, if it has one; "" is padding.')


class Grid(Reply):
    rows: int
    columns: int


class DomainPrediction(Reply):
    """The answer of one head, with the probability of each label."""

    domain: str
    label: int
    probabilities: list[float]
    labels: list[str] = Field(description="Names of the labels, in the order of the probabilities.")


class DomainNumber(Reply):
    """The answer of one head that gives a number."""

    domain: str
    value: float | None = Field(description="Null if not finite.")


class TraceInfo(ModelReply):
    """A trace; its fields are fetched as arrays."""

    id: str
    sample: str
    intervention: AppliedIntervention
    seed: int | None = Field(description="Null if nothing is drawn.")
    units: list[str] = Field(description="Names along the axis of units.")
    units_by_step: list[list[str]] | None = Field(
        description="Names along the axis of units for each step; null if all steps have `units`."
    )
    kept: list[str] = Field(description="Units that were not dropped, as interventions name them.")
    steps: list[str]
    tokens: list[Token]
    grid: Grid
    domains: list[str]
    predictions: list[DomainPrediction] = Field(description="Empty for heads without labels.")
    numbers: list[DomainNumber] = Field([], description="Answers of heads that give a number.")
    tokens_left_out: int | None = Field(None, description="Tokens of a text beyond the context; null for other inputs.")
    bytes_left_out: int | None = Field(None, description="Bytes of these tokens.")
    fields: list[ArrayInfo]
    seconds: float = Field(description="Recording time.")
    cached: bool = Field(description="Whether it had been recorded before.")


class FieldValues(ArrayInfo):
    """An array with its values."""

    coordinates: dict[str, list[str]] = Field(description="Names along the axes that have them.")
    values: list[Any] | float | int | bool | None = Field(description="Nested lists; null for non-finite numbers.")


class Kind(Reply):
    """A kind of input."""

    name: Inputs
    words: str = Field(description="Noun phrase for one sample.")
    upload: str | None = Field(description="Accepted pictures; null if it is not made of pictures.")
    refusal: str | None = Field(description="Refusal of pictures, with what is accepted; null if they are accepted.")
    written: str | None = Field(None, description="Accepted texts; null if a sample cannot be written.")
    example: str | None = Field(None, description="An accepted text.")
    files: str | None = Field(None, description="Accepted files; null if it is not read from files.")
    suffixes: list[str] = Field([], description="Ends of the names of such files.")
    answers: int = Field(
        0, description="Number of answers, of which a request may name the right one; 0 without answers."
    )
    typed: bool = Field(True, description="Whether people type such texts; others are written by files and pages.")
    of_set: bool = Field(False, description="Whether a written sample needs a data set, as a point needs a function.")


class Kinds(Reply):
    items: list[Kind]


class BlockDigits(Reply):
    """A sample of blocks as the request of a block run has it."""

    digits: list[int] = Field(description="Values of the task, in turn.")
    program: list[int] = Field(description="Subtask of each iteration, counted from 0.")


class Product(Reply):
    """A product of a function's variables, such as "a¬b": a corner of its truth table."""

    name: str
    true: bool = Field(description="Entry in the truth table.")
    value: float = Field(description="Value at the point.")


class FunctionValue(Reply):
    """The value of a function at a point."""

    set: str = Field(description="Data set of the function.")
    value: float = Field(description="Value of the function at the point.")


class Point(Reply):
    """A point of numbers under a function of them."""

    set: str = Field(description="Data set of the function, also for a written point.")
    set_title: str
    names: list[str] = Field(description="Names of the variables.")
    values: list[float]
    expression: str = Field(description="The function as a sum of products.")
    value: float = Field(description="Value of the function at the point.")
    products: list[Product] = Field(description="In the order of the truth table; empty in lists of samples.")
    functions: list[FunctionValue] = Field(
        description="Value of the function of every data set at this point; empty in lists of samples."
    )


class Writing(Reply):
    """A sample as text."""

    text: str
    brackets: tuple[str, str] | None = Field(description="Opening and closing brackets that nest in the text.")


class SamplePanels(Reply):
    """Panels of a sample: those of a square grid whose last cell is a gap, then answers for the gap."""

    names: list[str] = Field(description="Names of the panels: the grid row by row, then the answers.")
    columns: int = Field(description="Columns of the grid.")
    answers: int = Field(description="Number of answers, which are the last panels.")
    rules: list[str] = Field(description="Rules of the sample in words; empty if unknown.")


class Exchange(Strict):
    """Two panels of a sample to exchange."""

    one: Annotated[StrictInt, Field(ge=0, le=MOST_PANELS)] = Field(description="Position of a panel, counted from 0.")
    other: Annotated[StrictInt, Field(ge=0, le=MOST_PANELS)] = Field(description="Position of another panel.")
    name: Annotated[str, StringConstraints(max_length=LONGEST_NAME)] | None = Field(
        None, description="Name of the new sample."
    )


class SampleTable(Reply):
    """A sample of any kind as a table: rows of plain values, mostly one a token."""

    id: str
    set: str | None = Field(description="Name of its data set; null for written samples.")
    set_title: str = Field(description="Title of the data set; for written samples their name.")
    stand_in: bool = Field(description="Whether its data set stands in for another.")
    inputs: Inputs
    label: int = Field(description="Below 0 if the right label is unknown, as for some written samples.")
    label_name: str | None = Field(description="Name of the label; null if it has none.")
    label_word: str = Field("label", description="Noun for the label, such as the value of an expression.")
    columns: list[str]
    rows: list[list[str | int | float | None]] = Field(description="First rows; null for non-finite numbers.")
    total_rows: int = Field(description="Number of all rows.")
    space: list[str] = Field([], description="Columns with coordinates; empty for kinds without coordinates.")
    pictured: bool = Field(False, description="Whether `GET /tables/{sample_id}/picture` gives a picture.")
    blocks: BlockDigits | None = Field(None, description="The sample as digits, for blocks that are digits.")
    point: Point | None = Field(None, description="The sample as a point, for points of numbers.")
    writing: Writing | None = Field(None, description="The sample as text, for kinds that text shows.")
    panels: SamplePanels | None = Field(
        None, description="Panels of the sample, for kinds with panels; `GET /tables/{sample_id}/panels` shows them."
    )


class SampleScore(Reply):
    """The score of a model's answer for one sample."""

    domain: str = Field(description="Domain of the head that answered.")
    measure: MeasureName = Field(description="Measure of `value`.")
    value: float | None = Field(description="Null if not finite, or if the right label is unknown.")
    loss: float | None
    predicted: int | None = Field(description="Chosen label; null for heads without labels.")
    predicted_name: str | None
    answer: float | None = Field(None, description="Answer of a head that gives one number a sample.")
    target: float | None = Field(None, description="Right answer, for heads that give one number.")
    probabilities: list[float] | None = Field(None, description="Probabilities of the labels; null without labels.")


class ScoredTable(SampleTable):
    """A sample as a table, with a model's score."""

    score: SampleScore | None = Field(None, description="Score of the model in the request.")


class SampleTables(Reply):
    items: list[SampleTable]
    total: int = Field(description="Number of all matching samples.")


class DataSet(Reply):
    name: str
    title: str
    inputs: Inputs = Field(
        "images", description="Kind of input of its samples, such as `images`, `statements` or `blocks`."
    )
    stand_in: bool
    stand_in_for: str | None
    licence: str
    splits: dict[str, int]
    classes: list[str]
    inputs_of: str | None = Field(
        None,
        description="Data set with the same inputs in the same order, and other right answers.",
    )


class DataSets(Reply):
    items: list[DataSet]
