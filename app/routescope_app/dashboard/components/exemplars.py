"""Exemplars of units: small pictures, or numbers, with the token marked, each a link to its path."""

from collections.abc import Mapping, Sequence
from urllib.parse import urlencode

from dash import dcc, html
from dash.development.base_component import Component

from routescope_app.api.addresses import images_of
from routescope_app.api.schemas.catalogue import Point, SampleTable
from routescope_app.api.schemas.results import Exemplar, Observation
from routescope_app.dashboard.components.sample_tables import place_name
from routescope_app.dashboard.components.thumbnails import cell
from routescope_app.dashboard.figures.observation_numbers import PATCH, dropped, token_words


def path_address(observation: Observation, exemplar: Exemplar) -> str:
    """The Paths page at the exemplar's sample and step, under the same intervention."""
    query = {
        "model": observation.model,
        "sample": exemplar.sample,
        "drop": ",".join(observation.intervention.drop),
        "mute": ",".join(observation.intervention.mute),
        "step": observation.steps.index(exemplar.step) + 1 if exemplar.step in observation.steps else 1,
    }
    return "/paths?" + urlencode({name: value for name, value in query.items() if value != ""}, safe=",:")


def exemplar_link(observation: Observation, exemplar: Exemplar, picture: html.Span, grid: tuple[int, int]) -> Component:
    """One exemplar: its picture, its patch in a frame of the unit's colour, the compatibility below."""
    rows, columns = grid
    patch = PATCH.match(exemplar.token)
    mark: Component
    if patch:
        link = {
            "left": f"{100 * int(patch[2]) / columns:g}%",
            "top": f"{100 * int(patch[1]) / rows:g}%",
            "width": f"{100 / columns:g}%",
            "height": f"{100 / rows:g}%",
        }
        mark = html.Span(className="exemplar-patch", style=link)
    else:
        mark = html.Span("CLS", className="exemplar-cls")
    return _link(observation, exemplar, html.Span([picture, mark], className="exemplar-image"))


def table_link(observation: Observation, exemplar: Exemplar, sample: SampleTable) -> Component:
    """One exemplar of which there is no picture: a point as bars with its token in the unit's colour, another sample by
    its name; the token and the compatibility below."""
    token = exemplar.token.partition(":")[2] or exemplar.token
    shown: Component = html.Span(place_name(sample), className="exemplar-name")
    if sample.point is not None:
        shown = point_bars(sample.point, token)
    return _link(observation, exemplar, shown, f"{token} ")


def point_bars(point: Point, marked: str) -> html.Span:
    """The variables of a point as small bars from 0 to 1, one of them marked."""
    bars = [
        html.Span(
            html.Span(style={"height": f"{100 * value:.4g}%"}),
            **{"data-marked": "true" if name == marked else "false"},
        )
        for name, value in zip(point.names, point.values, strict=True)
    ]
    return html.Span(bars, className="exemplar-bars", **{"aria-hidden": "true"})


def _link(observation: Observation, exemplar: Exemplar, shown: Component, token: str = "") -> Component:
    label = (
        f"{exemplar.sample}, {token_words(exemplar.token)}, step {exemplar.step}: "
        f"compatibility {exemplar.weight:.3f}. See its path"
    )
    weight = [html.Strong(token) if token else None, f"{exemplar.weight:.2f}"]
    return dcc.Link(
        [
            shown,
            html.Span(weight, className="exemplar-weight", **{"aria-hidden": "true"}),
            html.Span(label, className="hidden-visually"),
        ],
        href=path_address(observation, exemplar),
        className="exemplar",
        title=label,
    )


def pictures_of(observation: Observation, most: int) -> dict[str, html.Span]:
    """The picture of every sample, out of as few that show them all as may show ``most`` each."""
    samples = list(dict.fromkeys(exemplar.sample for exemplar in observation.exemplars))
    pictures: dict[str, html.Span] = {}
    for first in range(0, len(samples), most):
        together = samples[first : first + most]
        images = images_of(together)
        cells = (cell(images, at, len(together), "exemplar-picture") for at in range(len(together)))
        pictures.update(zip(together, cells, strict=True))
    return pictures


def exemplars(
    observation: Observation,
    grid: tuple[int, int],
    colours: Sequence[str],
    most: int,
    tables: Mapping[str, SampleTable] | None = None,
) -> list[Component]:
    """A column for every unit with the samples and tokens that route to it most.

    Args:
        observation: what was observed.
        grid: rows and columns of patches.
        colours: of the units.
        most: samples that one picture of the service may show.
        tables: the samples by their ids where there are no pictures of them.
    """
    rows: list[Component] = []
    gone = dropped(observation)
    pictures = {} if tables else pictures_of(observation, most)
    for index, unit in enumerate(observation.units):
        of_unit = sorted(
            (exemplar for exemplar in observation.exemplars if exemplar.unit == unit),
            key=lambda exemplar: exemplar.rank,
        )
        head = html.H3(
            [html.Span(className="swatch", style={"background": colours[index]}, **{"aria-hidden": "true"}), unit],
            className="exemplar-head",
        )
        links: Component
        if of_unit:
            shown = [
                table_link(observation, exemplar, tables[exemplar.sample])
                if tables
                else exemplar_link(observation, exemplar, pictures[exemplar.sample], grid)
                for exemplar in of_unit
            ]
            links = html.Div(shown, className="exemplar-links")
        else:
            links = html.P("dropped" if gone[index] else "no token routes to it", className="hint")
        rows.append(
            html.Div(
                [head, links],
                className="exemplar-unit",
                style={"--unit": colours[index]},
                **{"data-of-unit": unit},
            )
        )
    return rows
