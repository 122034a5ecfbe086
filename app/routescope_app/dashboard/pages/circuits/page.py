"""Circuits: sentences design circuits; what they share, where they differ, and what they answer about two pictures."""

import json
from typing import Annotated, Any, Literal

from dash import html
from dash.development.base_component import Component
from pydantic import AfterValidator, BeforeValidator, Field

from routescope_app.api.schemas.base import MOST_SAMPLES, SampleId
from routescope_app.api.schemas.statements import KnownScene
from routescope_app.dashboard import validation
from routescope_app.dashboard.address import AddressFormat, as_state
from routescope_app.dashboard.components.tree import PageTree
from routescope_app.dashboard.page import Page
from routescope_app.dashboard.validation import CORNERS, Dropped, Edges, View, split
from routescope_app.settings import MAX_ANSWERED_SENTENCES, MAX_SENTENCE_CHARACTERS, MAX_SENTENCES, Settings

PICTURES = 2  # that the page shows, side by side (PackedScene)
MOST_PINNED = min(4, MAX_SENTENCES, MAX_ANSWERED_SENTENCES)  # sentences that it has room for
MOST_SCENE = 4_000  # characters of a scene in an address
MOST_NAMES = 200  # kinds or objects that a filter names
SAMPLES = (100, 200, 400, 1_000, 2_000)  # that the page offers to measure on


def _no_number(text: str) -> float:
    raise ValueError(f"a scene has no {text[:20]} in it")


def _thing(line: str) -> dict[str, Any]:
    """``"large red circle 0.5 0.25"``, as pages/circuits/pair/state.js packs a thing."""
    size, colour, shape, x, y = line.split(" ")
    return {"size": size, "colour": colour, "shape": shape, "x": float(x), "y": float(y)}


def _is_scene(text: str) -> str:
    """Return the text; raises ValueError if it is not JSON of a scene of two pictures.

    It has ``pictures``, lists of things, and maybe ``of``, the id of the statement whose pictures were changed.
    """
    try:
        given = PackedScene.model_validate(json.loads(text, parse_constant=_no_number))
        KnownScene.model_validate({"pictures": [[_thing(line) for line in lines] for lines in given.pictures]})
    except RecursionError as error:
        raise ValueError("this is no scene") from error
    return text


Sentence = Annotated[str, Field(min_length=1, max_length=MAX_SENTENCE_CHARACTERS)]
Names = Annotated[
    tuple[Annotated[str, Field(min_length=1, max_length=80)], ...],
    BeforeValidator(split),
    Field(max_length=MOST_NAMES),
]
Scene = Annotated[str, Field(max_length=MOST_SCENE), AfterValidator(_is_scene), AddressFormat("json")]
Pair = Annotated[tuple[SampleId, SampleId], BeforeValidator(split)]
#: The map that it lies on, and its corners.
Lasso = Annotated[str, Field(max_length=2_000, pattern=rf"^(circuits|text):{CORNERS}$"), AddressFormat("lasso")]


class PackedScene(validation.Input):
    """A scene as an address has it."""

    of: SampleId | None = None
    pictures: tuple[list[str], list[str]]


class CircuitChoice(validation.Input):
    """Choices on the page Circuits."""

    set: Annotated[str, Field(pattern=r"^[a-z0-9-]{1,40}$")] | None = (
        None  # a set of sentences that is mapped; None: the model's own
    )
    method: Literal["tsne", "pca"] = "tsne"
    perplexity: Annotated[float, Field(ge=2, le=1_000), AddressFormat(only=("method", "tsne"))] = 30
    seed: Annotated[int, Field(ge=0, le=2**31 - 1)] = 0
    colour: Annotated[Literal["kind", "object", "colour"], AddressFormat(held="colour_by")] = "kind"
    kinds: Names = ()  # shown on the maps; none: all
    objects: Names = ()
    s1: Sentence | None = None  # pinned
    s2: Sentence | None = None
    s3: Sentence | None = None
    s4: Sentence | None = None
    focus: Annotated[int, Field(ge=1, le=MOST_PINNED), AddressFormat(from_zero=True)] = 1  # which of them answers
    #: The least probability of a link that is drawn; None: the median of the first circuit.
    threshold: Annotated[float, Field(ge=0, le=1), AddressFormat(slides=True)] | None = None
    links: Literal["differences", "changes", "own"] = (
        "differences"  # to the first sentence, those that changed alone, or all
    )
    unit: Annotated[str, Field(max_length=80)] | None = None  # the module that is looked at
    view: View | None = None
    map: View | None = None
    textmap: View | None = None
    lasso: Lasso | None = None
    statement: SampleId | None = None  # the pair of pictures: those of a statement, or
    scene: Scene | None = None  # a scene that somebody made, or
    samples: Pair | None = None  # two of somebody's own
    gallery: Annotated[str, Field(max_length=80)] | None = None  # the kind of the statements that are offered
    reads: Literal["one", "all"] = "one"  # what modules read for the sentence that answers, or for all
    measured: Annotated[int, Field(ge=1, le=MOST_SAMPLES), AddressFormat(offered=SAMPLES)] = 400
    drop: Dropped = ()
    edges: Annotated[Edges | None, AddressFormat(held="keep_edges")] = None


def layout(_settings: Settings, **query: Any) -> Component:
    """The page for an address; what is not valid in its query is left out."""
    return html.Div(
        PageTree(id="circuits", page="circuits", choice=as_state(CircuitChoice.of_query(query))),
        className="page page-circuits",
        **{"data-status": "loading"},
    )


PAGE = Page(
    "circuits",
    "/circuits",
    "Circuits",
    "circuits",
    ("text_attention",),
    layout,
    ("statements",),
    PICTURES,
    asks=(CircuitChoice,),
)
