"""Models, data sets, samples and traces."""

from datetime import datetime
from typing import Annotated, Any, Literal

from pydantic import ConfigDict, Field, StrictInt, StringConstraints

from routescope_app.api.schemas.base import (
    LONGEST_NAME,
    MOST_FIELDS,
    AblationKind,
    AppliedIntervention,
    ArrayInfo,
    FieldName,
    InterventionBody,
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


class RoutedLayer(Reply):
    """A layer whose tokens are routed to experts."""

    name: str = Field(description='"l3" for the third layer; its experts are "l3.e1" and so on.')
    index: int = Field(description="Position among all layers of the checkpoint, from 0.")
    experts: int
    top_k: int = Field(description="Experts per token.")


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
    id: str
    origin: Origin
    set: str | None = Field(description="Name of the data set it belongs to.")
    set_title: str | None
    stand_in: bool = Field(description="Whether its data set stands in for another.")
    label: int | None
    name: str
    width: int
    height: int
    created: datetime | None
    owner: Whose | None = Field(
        description="Whose it is to who asks: this browser's, another's, or everybody's, as it came without a "
        "browser's cookie. Everybody who has its id can look at it; null of a data set's."
    )
    image: str = Field(description="Address of the image that networks see.")
    prediction: Prediction | None = Field(None, description="What the model named in the request makes of it.")


class Deleted(Reply):
    count: int = Field(description="How many samples are gone.")


class Samples(Reply):
    items: list[Sample]
    total: int = Field(description="How many match in all.")


class TextUpload(Strict):
    text: Annotated[str, StringConstraints(min_length=1, max_length=LONGEST_TEXT)]
    name: Annotated[str, StringConstraints(max_length=LONGEST_NAME)] | None = Field(
        None, description="Such as that of its file; without one it is called by how it begins."
    )


class WrittenSample(Strict):
    """What somebody wrote, as a sample of a kind of input: `GET /inputs` says which kinds take what."""

    inputs: Inputs = Field(
        description="The kind of input that the sample is to be, such as `numbers`, `listops`, `points` or `text`."
    )
    content: Annotated[str, StringConstraints(min_length=1, max_length=LONGEST_TEXT)] = Field(
        description='As its kind takes it: of `numbers` such as "0.1, 0.9, 0.5, 0.25, 1".'
    )
    set: SetName | None = Field(
        None, description="The data set that says what is right of it; of `numbers` that of a function, always."
    )
    name: Annotated[str, StringConstraints(max_length=LONGEST_NAME)] | None = Field(
        None, description="Without one it is called by how it begins."
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
    words: str = Field(description="What one sample is.")
    upload: str | None = Field(description="What a sample can be made of; null where that cannot be.")
    refusal: str | None = Field(description="Where a sample cannot be made of an upload: that, and what there is.")
    written: str | None = Field(None, description="What a sample can be written as; null where that cannot be.")
    example: str | None = Field(None, description="One that is written.")
    files: str | None = Field(None, description="Files that a sample can be made of; null where there are none.")
    suffixes: list[str] = Field([], description="Ends of the names of such files.")
    answers: int = Field(
        0, description="Answers of which the right one may be told with a file; 0 where there are none."
    )
    typed: bool = Field(True, description="Whether people would type what is written; else files and pages write it.")
    of_set: bool = Field(False, description="Whether a data set is named with it, as the function of a point is.")


class Kinds(Reply):
    items: list[Kind]


class BlockDigits(Reply):
    """What a run of a network of blocks is asked with, for the same sample."""

    digits: list[int] = Field(description="The values of the task, in turn.")
    program: list[int] = Field(description="Number of the subtask of each iteration, counted from 0.")


class Product(Reply):
    """One product of a function's variables: a corner of its truth table."""

    name: str
    true: bool = Field(description="Whether the function has it: its entry in the truth table.")
    value: float = Field(description="At the point.")


class FunctionValue(Reply):
    set: str = Field(description="Data set of the function.")
    value: float = Field(description="Of the function at the point.")


class Point(Reply):
    """A point of numbers under a function of them."""

    set: str = Field(description="Data set of the function; also of a point that somebody wrote.")
    set_title: str
    names: list[str] = Field(description="Of the variables.")
    values: list[float]
    expression: str = Field(description="The function as a sum of products.")
    value: float = Field(description="Of the function at the point.")
    products: list[Product] = Field(description="In the order of the truth table; empty in lists of samples.")
    functions: list[FunctionValue] = Field(
        description="What the function of every data set of such points is at this one; empty in lists of samples."
    )


class Writing(Reply):
    """A sample as one would write it."""

    text: str
    brackets: tuple[str, str] | None = Field(description="An opening and a closing bracket that nest in it.")


class SamplePanels(Reply):
    """Panels that a sample is made of: those of a square grid whose last place is a gap, then answers for it."""

    names: list[str] = Field(description="Of the panels: those of the grid row by row, then the answers.")
    columns: int = Field(description="Of the grid.")
    answers: int = Field(description="How many of the last panels are answers.")
    rules: list[str] = Field(description="Of the sample in words, as its data set knows them.")


class Exchange(Strict):
    """Two panels of a sample that change places."""

    one: Annotated[StrictInt, Field(ge=0, le=MOST_PANELS)] = Field(description="Place of a panel, counted from 0.")
    other: Annotated[StrictInt, Field(ge=0, le=MOST_PANELS)] = Field(description="Place of another.")
    name: Annotated[str, StringConstraints(max_length=LONGEST_NAME)] | None = Field(
        None, description="Of the sample that this makes."
    )


class SampleTable(Reply):
    """A sample of a data set as its kind of input tells it: rows of plain values, mostly one a token."""

    id: str
    set: str | None = Field(description="Name of the data set it belongs to; null of what somebody wrote.")
    set_title: str = Field(description="Of the data set; of what somebody wrote its own name.")
    stand_in: bool = Field(description="Whether its data set stands in for another.")
    inputs: Inputs
    label: int = Field(description="Below 0 of a sample of somebody's own where nothing says what is right of it.")
    label_name: str | None = Field(description="Of the label; null where the data set names none.")
    label_word: str = Field("label", description="What the label is called, such as the value of an expression.")
    columns: list[str]
    rows: list[list[str | int | float | None]] = Field(description="The first ones; null where not a finite number.")
    total_rows: int = Field(description="How many rows there are in all.")
    space: list[str] = Field([], description="The columns that are a row's place in space; none of other kinds.")
    pictured: bool = Field(False, description="Whether `GET /tables/{sample_id}/picture` has a picture of it.")
    blocks: BlockDigits | None = Field(None, description="The same of blocks that are digits; null of other kinds.")
    point: Point | None = Field(None, description="The same of a point of numbers; null of other kinds.")
    writing: Writing | None = Field(None, description="The same as it is written; null of kinds not told so.")
    panels: SamplePanels | None = Field(
        None, description="What it consists of, where that are panels: `GET /tables/{sample_id}/panels` shows them."
    )


class SampleScore(Reply):
    """What the answer of a model for one sample is worth."""

    domain: str = Field(description="Whose head answered.")
    measure: MeasureName = Field(description="What `value` is.")
    value: float | None = Field(description="Null where not a finite number, or where nobody says what is right.")
    loss: float | None
    predicted: int | None = Field(description="Number of the label that was chosen; null where heads choose none.")
    predicted_name: str | None
    answer: float | None = Field(None, description="Where heads answer with one number a sample: that.")
    target: float | None = Field(None, description="What would have been right, where heads answer with one number.")
    probabilities: list[float] | None = Field(None, description="Of the labels; null where heads choose none.")


class ScoredTable(SampleTable):
    score: SampleScore | None = Field(None, description="Of the model named in the request.")


class SampleTables(Reply):
    items: list[SampleTable]
    total: int = Field(description="How many match in all.")


class DataSet(Reply):
    name: str
    title: str
    inputs: Inputs = Field(
        "images", description="What its samples are: pictures, statements about pictures, or blocks."
    )
    stand_in: bool
    stand_in_for: str | None
    licence: str
    splits: dict[str, int]
    classes: list[str]
    inputs_of: str | None = Field(
        None,
        description="The set whose samples have the same inputs in the same order, and others of what is right.",
    )


class DataSets(Reply):
    items: list[DataSet]
