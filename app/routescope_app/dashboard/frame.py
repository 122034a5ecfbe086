"""The frame of every page: navigation, facts of every model for its picker, the sample picker, the colour scheme."""

import asyncio
import math
import time
from collections.abc import Mapping, Sequence
from typing import Any

import dash
import dash_mantine_components as dmc
from dash import ClientsideFunction, Dash, Input, Output, State, dcc, html
from dash.development.base_component import Component

from routescope_app.api.client import ApiClient, ApiProblem
from routescope_app.api.schemas.catalogue import Accuracy, DataSet, Kind, LeftOut, ModelInfo, Sample, SampleTable
from routescope_app.dashboard import help
from routescope_app.dashboard.components.icons import icon
from routescope_app.dashboard.components.sample_tables import called, names
from routescope_app.dashboard.components.thumbnails import set_title, short_name, thumbnails
from routescope_app.dashboard.errors import NOTIFICATIONS
from routescope_app.dashboard.page import PICTURED, Page
from routescope_app.dashboard.reading import refused
from routescope_app.dashboard.validation import Selection

#: What the pages go by: never the name of a model or of its family.
DECLARED = {
    "id", "family", "domains", "fields", "constants", "iterations", "least_iterations", "most_iterations", "inputs",
    "pictures", "samples", "labels", "mute_refusal", "unverified_routing", "steps",
}  # fmt: skip
#: What models of the bundled kinds of input read, where their own words would not do.
READ = {
    "blocks": "blocks of numbers",
    "text": "texts",
    "numbers": "points of numbers",
    "points": "clouds of points",
    "matrices": "matrices of panels",
}
#: Data sets that the line of the picker names one by one; of more it says how many.
MOST_NAMED = 6
THOUSAND = 1_000
#: The measure that is a share of samples.
ACCURACY = "accuracy"

#: From here on three decimals show a digit of a figure.
SMALLEST = 5e-4


def declared(model: ModelInfo, sets: Sequence[DataSet], kinds: Mapping[str, Kind]) -> dict[str, Any]:
    """Return the facts of a model for the page, with its task, its inputs and its line of the picker in words."""
    read = reads(model, kinds)
    names = {data_set.name for data_set in sets}
    line = [f"reads {read}", *accuracies(model.accuracies), size(model.parameters)]
    return model.model_dump(mode="json", include=DECLARED) | {
        "task": task(model.domains, sets),
        "reads": read,
        "line": "; ".join(line),
        "unit_count": len(model.units),
        "refused": refused(model),
        "without_data": not any(name in names for name in model.domains),
    }


def reads(model: ModelInfo, kinds: Mapping[str, Kind]) -> str:
    """Return the inputs of a model in words."""
    if model.inputs == "images":
        return "pictures" if model.samples else "pictures or sequences of another kind"
    if model.inputs == "statements":
        return "sentences about pictures" if model.pictures is None else f"sentences about {model.pictures} pictures"
    if model.inputs in READ:
        return READ[model.inputs]
    kind = kinds.get(model.inputs)
    return model.inputs if kind is None else f"samples that are each {kind.words}"


def task(domains: Sequence[str], sets: Sequence[DataSet]) -> str:
    """The data sets that a model is for by the beginnings of their titles, by their names where there is none."""
    titles = {data_set.name: data_set.title.partition(" (")[0] for data_set in sets}
    return ", ".join(runs([titles.get(name, name) for name in domains]))


def accuracies(figures: Sequence[Accuracy]) -> list[str]:
    """The first accuracy of each data set with that set and its split; a stand-in says so. Empty without any.

    Of more than ``MOST_NAMED`` data sets the mean, the least and the most are told.
    """
    first: dict[str, Accuracy] = {}
    for accuracy in figures:
        first.setdefault(accuracy.domain, accuracy)
    if not first:
        return []
    splits = {entry.data.rpartition(", ")[2] for entry in first.values()}
    (measure,) = {entry.measure for entry in first.values()}
    on = f"{splits.pop()} {measure}" if len(splits) == 1 else measure
    if len(first) > MOST_NAMED:
        values = sorted(first.values(), key=lambda entry: entry.accuracy)
        mean = values[0].model_copy(update={"accuracy": sum(value.accuracy for value in values) / len(values)})
        span = f"{figure(values[0])} to {figure(values[-1])}"
        return [f"{on} {figure(mean)} on average over {len(values)} data sets ({span})"]
    shares = [f"{figure(entry)} {name}{' (stand-in)' if entry.stand_in else ''}" for name, entry in first.items()]
    return [f"{on} {', '.join(shares)}"]


def figure(each: Accuracy) -> str:
    """A figure of a card: a share in percent; one of another measure as it is, whose name stands beside it."""
    return f"{each.accuracy:.1%}".replace("%", " %") if each.measure == ACCURACY else rounded(each.accuracy)


def runs(titles: Sequence[str]) -> list[str]:
    """Titles in turn, those that count on from one to the next as one: "Function 1 to 20"."""
    ranges: list[tuple[str, int, int] | str] = []
    for title in titles:
        stem, _, number = title.rpartition(" ")
        last = ranges[-1] if ranges else None
        if not (stem and number.isdecimal()):
            ranges.append(title)
        elif isinstance(last, tuple) and (last[0], last[2] + 1) == (stem, int(number)):
            ranges[-1] = (stem, last[1], int(number))
        else:
            ranges.append((stem, int(number), int(number)))
    return [_run(run) for run in ranges]


def _run(part: tuple[str, int, int] | str) -> str:
    if isinstance(part, str):
        return part
    stem, first, last = part
    return f"{stem} {first}" if first == last else f"{stem} {first} to {last}"


def rounded(value: float) -> str:
    """A figure that is no share: the rule of ``figure`` in ``assets/web/lib/format.js``.

    Three significant digits, at most three decimals, zeros kept; a smaller value keeps one significant digit.
    """
    value = float(f"{value:.2e}")
    if not value:
        return "0"
    if abs(value) < SMALLEST:
        return f"{value:.0e}" if abs(value) < 1e-6 else f"{value:.1g}"
    return f"{value:.{min(3, max(0, 2 - math.floor(math.log10(abs(value)))))}f}"


def size(parameters: int) -> str:
    """Return the size of a model in words."""
    if parameters < THOUSAND:
        return f"{parameters} parameters"
    if parameters < 1_000 * THOUSAND:
        return f"{parameters / THOUSAND:.0f} k parameters"
    return f"{parameters / THOUSAND**2:.1f} M parameters"


NAVBAR = {"width": 148, "breakpoint": "lg", "collapsed": {"mobile": True}}
#: The accent of theme.css, from light to dark.
SHADES = [
    "#eaf3fc", "#d3e5f6", "#a6cbee", "#7ab2e8", "#6fb1f0", "#4a90d0", "#2f77b8", "#1f5c99", "#184a7c", "#0f3860",
]  # fmt: skip
THEME = {
    "primaryColor": "rs",
    "primaryShade": {"light": 7, "dark": 4},
    "colors": {"rs": SHADES},
    "autoContrast": True,
    "fontFamily": "var(--rs-font)",
    "defaultRadius": "sm",
    "respectReducedMotion": True,
}
PICKED = 12  # pictures of each data set in the sample picker
#: What the navigation says of a page, and what the page says of the models that it is for.
SHOWN_FOR = ("key", "path", "title", "icon", "needs", "inputs", "pictures", "samples", "measures", "units")
MOST_OPEN = 6  # data sets of one kind that the sample picker shows unfolded
MOST_OWN = 200  # among which the arrows beside the picker find the next one


def layout(pages: Sequence[Page]) -> dmc.MantineProvider:
    """The whole application around ``dash.page_container``."""
    return dmc.MantineProvider(
        [
            dcc.Store(id="selection", data=None),
            dcc.Store(id="chosen-model", data=None),
            dcc.Store(id="models", data=None),
            dcc.Store(id="models-opening", data=0),
            dcc.Store(id="models-again", data=0),
            dcc.Store(id="user", data=None),
            dcc.Store(id="samples-changed", data=0),
            dcc.Store(
                id="pages",
                data=[{name: getattr(page, name) for name in SHOWN_FOR} for page in pages],
            ),
            html.A("Skip to the page", href="#content", className="skip"),
            dmc.AppShell(
                [
                    dmc.AppShellHeader(_header(), className="frame-header"),
                    dmc.AppShellNavbar(_navigation(), id="frame-navigation", className="frame-navigation"),
                    dmc.AppShellMain(
                        [
                            html.Div(**{"data-widget": "read-only"}),
                            html.Div(**{"data-widget": "model-missing"}),
                            html.Div(id="models-left-out"),
                            html.Div(dash.page_container, id="content", tabIndex=-1),
                        ],
                        className="frame-main",
                    ),
                ],
                id="frame",
                header={"height": 52},
                navbar=NAVBAR,
                transitionDuration=120,
            ),
            dmc.NotificationContainer(id=NOTIFICATIONS, position="bottom-right", limit=4),
        ],
        id="provider",
        defaultColorScheme="auto",
        theme=THEME,
    )


def not_open(left_out: Sequence[LeftOut]) -> Component | None:
    """Return the message about models that cannot be used; None if there are none."""
    if not left_out:
        return None
    some = "1 model is not open" if len(left_out) == 1 else f"{len(left_out)} models are not open"
    lines = [
        html.Li(model.reason if model.reason.startswith(model.model) else f"{model.model}: {model.reason}")
        for model in left_out
    ]
    return html.Details([html.Summary(some), html.Ul(lines)], className="models-left-out")


def _header() -> html.Div:
    return html.Div(
        [
            dmc.Burger(id="burger", size="sm", hiddenFrom="lg", **{"aria-label": "Navigation"}),
            dcc.Link(
                [html.Span(className="mark", **{"data-icon": "mark", "aria-hidden": "true"}), "Routescope"],
                href="/",
                className="brand",
            ),
            html.Div(
                [
                    html.Div(className="model-picker", **{"data-widget": "model-picker"}),
                    _sample_picker(),
                ],
                className="pickers",
            ),
            html.Span(className="tray-place", **{"data-widget": "tray"}),
            html.Span(className="report-place", **{"data-widget": "report-opener"}),
            help.buttons(),
            html.Div(
                className="history-tools", role="group", **{"data-widget": "history-tools", "aria-label": "History"}
            ),
            dmc.ColorSchemeToggle(
                id="colour-scheme",
                lightIcon=icon("sun"),
                darkIcon=icon("moon"),
                color="gray",
                variant="subtle",
                size="lg",
                className="scheme",
                **{"aria-label": "Light or dark"},
            ),
        ],
        className="header-row",
    )


def _sample_picker() -> html.Div:
    def step(name: str, label: str) -> html.Button:
        return html.Button(
            icon(name), id=f"sample-{name}", type="button", className="tool", title=label, **{"aria-label": label}
        )

    opener = html.Button(
        [html.Span("Choose a sample", id="chosen-sample", className="chosen"), icon("chevron")],
        id="sample-picker",
        type="button",
        className="picker-button",
        **{"aria-label": "Sample", "aria-haspopup": "dialog"},
    )
    dropdown = html.Div(
        html.P("Loading samples", className="hint"), id="sample-picker-content", className="picker-content"
    )
    popover = dmc.Popover(
        [dmc.PopoverTarget(opener), dmc.PopoverDropdown(dropdown, className="picker-dropdown")],
        width=466,
        position="bottom-start",
        shadow="md",
        trapFocus=True,
        returnFocus=True,
        withRoles=False,  # they would go to an element around the button, where they are not allowed
        withinPortal=False,
    )
    return html.Div(
        [step("previous", "Previous sample"), popover, step("next", "Next sample")], className="sample-picker"
    )


def _navigation() -> html.Div:
    about = html.Button("About", type="button", className="about-open", **{"data-about": "true"})
    foot = html.Div([html.Div(**{"data-widget": "user"}), about], className="frame-foot")
    return html.Div(
        [html.Nav(className="page-links", **{"aria-label": "Pages", "data-widget": "page-links"}), foot],
        className="frame-links",
    )


def chosen_sample(sample: Sample | SampleTable | None) -> Component | str:
    """The chosen sample as the picker's button shows it."""
    if sample is None:
        return "Choose a sample"
    if isinstance(sample, SampleTable):
        return html.Span(called(sample), className="chosen-name")
    return html.Span(
        [
            html.Img(src=sample.image, alt="", width=24, height=24, className="pixels"),
            html.Span(short_name(sample.id, sample.name), className="chosen-name"),
        ],
        className="chosen-pair",
    )


async def find_sample(client: ApiClient, sample: str) -> Sample | SampleTable:
    """A sample by its id: a picture, or of another kind of input; raises ApiProblem where there is none."""
    try:
        return await client.sample(sample)
    except ApiProblem as problem:
        if problem.status != 404:
            raise
        return await client.table(sample)


async def neighbour(client: ApiClient, sample: str, by: int) -> str | None:
    """The sample before or after ``sample`` in its data set, or among the person's own; None at the ends."""
    if "." in sample:
        stem, _, index = sample.rpartition(".")
        if int(index) + by < 0:
            return None
        try:
            return (await find_sample(client, f"{stem}.{int(index) + by}")).id
        except ApiProblem as problem:
            if problem.status == 404:
                return None
            raise
    own_pictures, texts = await asyncio.gather(own_samples(client), client.written(limit=MOST_OWN, rows=1))
    kinds = dict.fromkeys(item.inputs for item in texts.items)
    lists = [
        [item.id for item in own_pictures],
        *([item.id for item in texts.items if item.inputs == kind] for kind in kinds),
    ]
    ids = next((ids_of_list for ids_of_list in lists if sample in ids_of_list), [])
    position = ids.index(sample) + by if sample in ids else -1
    return ids[position] if 0 <= position < len(ids) else None


async def own_samples(client: ApiClient, most: int = MOST_OWN) -> list[Sample]:
    """Uploads and drawings, newest first."""
    # Without a filter the API lists own samples before those of the data sets.
    return [item for item in (await client.samples(limit=most)).items if item.origin != "data"]


async def chosen_model(client: ApiClient, model: str | None) -> ModelInfo | None:
    """The chosen model; None where none is chosen, or where it is not there."""
    if model is None:
        return None
    try:
        return await client.model(model)
    except ApiProblem as problem:
        if problem.status != 404:
            raise
        return None


async def picker_content(client: ApiClient, chosen: str | None, model: str | None) -> list[Component]:
    """The sample picker: own pictures, then some samples of every data set; of the kind that the chosen model reads."""
    every = await client.data()
    sets = [data_set for data_set in every if data_set.inputs == "images"]
    others = [data_set for data_set in every if data_set.inputs not in PICTURED]
    info = await chosen_model(client, model)
    kind = None if info is None else info.inputs
    if info is not None:
        sets = sets if kind in PICTURED else []
        of_kind = [other for other in others if other.inputs == kind]
        others = [data_set for data_set in of_kind if data_set.name in info.domains] or of_kind
    own_pictures, written, pages, tables = await asyncio.gather(
        own_samples(client, most=PICKED),
        own_written(client, kind, PICKED),
        asyncio.gather(*(client.samples(origin="data", set=data_set.name, limit=PICKED) for data_set in sets)),
        asyncio.gather(*(client.tables(set=other.name, limit=PICKED, rows=1) for other in others)),
    )
    groups: list[tuple[str, list[Sample]]] = [("Yours", own_pictures)] if own_pictures and (sets or not others) else []
    for data_set, samples in zip(sets, pages, strict=True):
        groups.append((set_title(data_set), samples.items))
    parts: list[Component] = []
    for title, items in groups:
        parts += [html.P(title, className="picker-title"), thumbnails(items, chosen, title)]
    if written:
        parts += [html.P("Yours", className="picker-title"), names(written, chosen, "Yours")]
    pairs = [(set_title(other), page.items) for other, page in zip(others, tables, strict=True)]
    parts += [part for title, items in pairs for part in _group(title, items, chosen, folds=len(pairs) > MOST_OPEN)]
    return [*parts, dcc.Link("All samples, uploads and the drawing pad", href="/samples", className="picker-more")]


def _group(title: str, items: Sequence[SampleTable], chosen: str | None, *, folds: bool) -> list[Component]:
    """The samples of a data set below its title; one of many is folded unless the chosen one is among them."""
    if not folds:
        return [html.P(title, className="picker-title"), names(items, chosen, title)]
    opened = any(item.id == chosen for item in items)
    summary = html.Summary(title, className="picker-title")
    return [html.Details([summary, names(items, chosen, title)], open=opened, className="picker-group")]


async def own_written(client: ApiClient, kind: str | None, most: int) -> list[SampleTable]:
    """Return the user's written samples of a kind of input, newest first."""
    if kind is None or (await client.kinds())[kind].written is None:
        return []
    return (await client.written(kind, limit=most, rows=1)).items


def by_error(models: Sequence[ModelInfo]) -> list[ModelInfo]:
    """Models from the least mean error over the data sets of their cards; those without accuracies come last.

    The first that reads what the page shows is there for who has chosen none.
    """

    def accuracy(model: ModelInfo) -> float:
        shares = [accuracy.accuracy for accuracy in model.accuracies if accuracy.measure == ACCURACY]
        return sum(shares) / max(1, len(shares))

    return sorted(models, key=accuracy, reverse=True)


def register(app: Dash, client: ApiClient) -> None:
    """Add the frame's callbacks."""

    def browser(name: str, *dependencies: Any, **options: Any) -> None:
        app.clientside_callback(ClientsideFunction("shell", name), *dependencies, **options)

    browser("readAddress", Output("selection", "data"), Input("_pages_location", "search"), State("selection", "data"))
    browser("learnPages", Input("pages", "data"))
    browser("learn", Input("models", "data"))
    browser("listAgain", Input("models-opening", "data"))
    browser("learnUser", Input("user", "data"))
    browser("remember", Output("chosen-model", "data"), Input("selection", "data"))
    browser("toggleNavigation", Output("frame", "navbar"), Input("burger", "opened"), State("frame", "navbar"))
    browser(
        "closeNavigation", Output("burger", "opened"), Input("_pages_location", "pathname"), prevent_initial_call=True
    )

    @app.callback(
        Output("models", "data"),
        Output("models-left-out", "children"),
        Output("models-opening", "data"),
        Input("pages", "data"),
        Input("models-again", "data"),
        State("models", "data"),
    )
    async def list_models(_pages: object, _again: object, shown: object) -> tuple[Any, Any, int]:
        models, sets, kinds = await asyncio.gather(client.models(), client.data(), client.kinds())
        listed = [declared(model, sets, kinds) for model in by_error(models.items)]
        opening = any(model.opening for model in models.left_out)
        return (
            dash.no_update if listed == shown else listed,
            not_open(models.left_out),
            time.time_ns() // 10**6 * opening,
        )

    @app.callback(Output("user", "data"), Input("pages", "data"))
    async def tell_user(_pages: object) -> dict[str, Any]:
        user = await client.user()
        return {"name": user.name, "read_only": user.read_only, "login": client.by_login()}

    @app.callback(Output("chosen-sample", "children"), Input("selection", "data"), Input("samples-changed", "data"))
    async def show_choice(selection: object, _changed: object) -> Any:
        sample = Selection.read(selection).sample
        if sample is None:
            return chosen_sample(None)
        try:
            return chosen_sample(await find_sample(client, sample))
        except ApiProblem as problem:
            if problem.status != 404:
                raise
            return html.Span("Not there any more", **{"data-widget": "sample-gone", "data-sample": sample})

    @app.callback(
        Output("sample-picker-content", "children"),
        Input("sample-picker", "n_clicks"),
        State("selection", "data"),
        prevent_initial_call=True,
    )
    async def open_picker(_clicks: object, selection: object) -> Any:
        seen = Selection.read(selection)
        return await picker_content(client, seen.sample, seen.model)

    @app.callback(
        Output("selection", "data", allow_duplicate=True),
        Input("sample-previous", "n_clicks"),
        Input("sample-next", "n_clicks"),
        State("selection", "data"),
        prevent_initial_call=True,
    )
    async def step_sample(_previous: object, _next: object, selection: object) -> Any:
        chosen = Selection.read(selection)
        if chosen.sample is None:
            return dash.no_update
        by = 1 if dash.ctx.triggered_id == "sample-next" else -1
        following = await neighbour(client, chosen.sample, by)
        return dash.no_update if following is None else {"model": chosen.model, "sample": following}
