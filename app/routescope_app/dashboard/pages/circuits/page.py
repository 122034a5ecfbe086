"""Circuits: sentences design circuits; what they share, where they differ, and what they answer about two pictures."""

import json
from typing import Annotated, Any, Literal

from dash import ClientsideFunction, Dash, Input, Output, dcc, html
from dash.development.base_component import Component
from pydantic import AfterValidator, BeforeValidator, Field

from routescope_app.api.client import ApiClient
from routescope_app.api.schemas.base import MOST_SAMPLES, SampleId
from routescope_app.api.schemas.statements import LONGEST_SENTENCE, KnownScene
from routescope_app.dashboard import validation
from routescope_app.dashboard.address import AddressFormat, as_state, quoted
from routescope_app.dashboard.components.icons import icon
from routescope_app.dashboard.page import Page
from routescope_app.dashboard.pages.circuits import map as circuits_map
from routescope_app.dashboard.pages.circuits import pair as circuits_pair
from routescope_app.dashboard.validation import CORNERS, Dropped, Edges, View, split
from routescope_app.settings import MAX_ANSWERED_SENTENCES, MAX_SENTENCE_CHARACTERS, MAX_SENTENCES, Settings

PICTURES = 2  # that the page shows, side by side (PackedScene)
MOST_PINNED = 4  # sentences that it has room for
EXAMPLES = ("There is a red circle", "There are exactly three red circles")  # pinned where a link names no sentences
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


Sentence = Annotated[str, Field(min_length=1, max_length=LONGEST_SENTENCE)]
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


VIEWS = {"links": "view", "circuits": "map", "text": "textmap"}


def limits() -> dict[str, int]:
    """Return the limits of sentences: length of each, and number of pinned ones, which one request sends."""
    return {
        "characters": MAX_SENTENCE_CHARACTERS,
        "pinned": min(MOST_PINNED, MAX_SENTENCES, MAX_ANSWERED_SENTENCES),
    }


def address(choice: CircuitChoice, most: dict[str, int]) -> dict[str, Any]:
    """Return the state from which the page's scripts start (pages/circuits/state.js). ``most``: see ``limits``."""
    given = as_state(choice)
    pinned = {name: sentence for name in ("s1", "s2", "s3", "s4") if (sentence := given.pop(name))}
    short = [name for name, sentence in pinned.items() if len(sentence) <= most["characters"]]
    taken = short[: most["pinned"]]
    given["sentences"] = [pinned[name] for name in taken]
    if taken:  # without any, the examples are pinned
        given["focus"] = min(given["focus"], len(taken) - 1)
    given["said"] = [_not_taken(name, pinned[name], most) for name in pinned if name not in taken]
    given["views"] = {name: given.pop(key) for name, key in VIEWS.items()}
    given["scene"] = json.loads(given["scene"]) if given["scene"] else None
    return given


def _not_taken(name: str, sentence: str, most: dict[str, int]) -> str:
    """Return the message about sentences of the address that exceed the limits of this service."""
    if len(sentence) > most["characters"]:
        why = f"it has {len(sentence)} characters, and here a sentence has up to {most['characters']}"
    else:
        why = f"here up to {most['pinned']} sentences are pinned"
    return f"{quoted(name)} of the link is {quoted(sentence)}: it is not pinned, as {why}."


def layout(_settings: Settings, **query: Any) -> Component:
    """The page for an address; what is not valid in its query is left out."""
    most = limits()
    start = address(CircuitChoice.of_query(query), most) | {"limits": most, "examples": EXAMPLES[: most["pinned"]]}
    return html.Div(
        [
            dcc.Store(id="circuits-address", data=start),
            html.Div(id="circuits-heard", hidden=True),
            _head(),
            _problem(),
            html.Div(
                [
                    circuits_map.sentences(),
                    circuits_pair.layout(),
                    circuits_map.layout(),
                    circuits_pair.below(),
                    circuits_map.tables(),
                ],
                className="circuits-body",
            ),
        ],
        className="page page-circuits",
        **{"data-widget": "circuits-page", "data-status": "loading"},
    )


def _head() -> Component:
    copy = html.Button(
        [icon("link"), "Copy link"], type="button", className="tool tool-text", **{"data-copy-link": "true"}
    )
    caption = html.Div(id="circuits-caption", className="caption")
    return html.Div([html.H1("Circuits"), caption, html.Div(copy, className="head-actions")], className="page-head")


def _problem() -> Component:
    """Return the message shown instead of the panels if the model reads no sentences."""
    return html.Div(
        [
            html.P("No circuits", id="circuits-problem-title", className="message-title"),
            html.P(id="circuits-problem-detail", className="message-detail"),
            html.Div(id="circuits-others", className="graph-others"),
            html.Button("Try again", id="circuits-retry", type="button", className="button"),
        ],
        className="message circuits-problem",
        role="alert",
    )


def register(app: Dash, _client: ApiClient, _settings: Settings) -> None:
    """Add the page's one callback; the rest happens in the browser, which asks the API itself."""
    app.clientside_callback(
        ClientsideFunction("circuits", "open"),
        Output("circuits-heard", "data-open"),
        Input("circuits-address", "data"),
        Input("selection", "data"),
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
    register=register,
)
