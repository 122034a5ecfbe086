"""The controls of the Observe page: data sets, samples, units that are dropped, steps; and what they choose."""

from collections.abc import Sequence
from typing import Annotated, Literal

import dash_mantine_components as dmc
from dash import html
from dash.development.base_component import Component
from pydantic import Field, field_validator

from routescope_app.api.schemas.base import MOST_SAMPLES
from routescope_app.api.schemas.catalogue import DataSet, ModelInfo
from routescope_app.dashboard.figures.observation_numbers import words_of_steps
from routescope_app.dashboard.figures.palette import unit_colours
from routescope_app.dashboard.figures.steps import step_label, step_words
from routescope_app.dashboard.validation import Dropped, Input, Sets, Units

SAMPLES = (300, 1_000)  # that the page offers, besides all
SPLIT = "validation"
#: The page's modules make the chips of the data sets.
SET_CHIPS = {"data-widget": "observe-sets", "aria-label": "Data sets"}


class ObserveChoice(Input):
    """Observed samples and dropped units; no data set named: all data sets of the model."""

    data: Sets = ()
    samples: Annotated[int, Field(ge=1, le=MOST_SAMPLES)] = SAMPLES[0]
    drop: Dropped = ()

    @field_validator("data", "drop")
    @classmethod
    def _once_each(cls, names: tuple[str, ...]) -> tuple[str, ...]:
        return tuple(dict.fromkeys(names))


class ObserveView(Input):
    """Displayed steps (their mean; none: all steps), and the figure in cells."""

    steps: Units = ()
    cell: Literal["share", "lift"] = "share"
    measure: Literal["cka", "cosine"] = "cka"


def _control(name: str, *children: Component) -> Component:
    return html.Div([html.Span(name, className="control-name"), *children], className="control")


def sizes(chosen: int, most: int, complete: bool) -> list[dict[str, str]]:
    """The sizes that are offered, the greatest last: all samples, or as many as the service accepts."""
    offered = sorted({size for size in (*SAMPLES, chosen) if size < most})
    last = "all" if complete else f"{most:,}"
    return [*({"value": str(size), "label": f"{size:,}"} for size in offered), {"value": str(most), "label": last}]


def samples_of(model: ModelInfo, sets: Sequence[DataSet]) -> int:
    """How many samples there are to observe: of data sets with the same ones those of the first where nothing has a
    label."""
    of_model = [data_set for data_set in sets if data_set.name in model.domains]
    first = {
        data_set.name if model.labels or data_set.inputs_of is None else data_set.inputs_of: data_set
        for data_set in reversed(of_model)
    }
    return sum(entry.splits.get(SPLIT, 0) for entry in first.values())


def _dropping(model: ModelInfo) -> str:
    """Return the model's sentence about the effect of dropping a unit on the others."""
    if model.unit_kind == "expert":
        return "; tokens take the best of the remaining experts"
    return "; compatibilities are renormalised over the rest" if model.unit_kind == "function" else ""


def controls(
    model: ModelInfo, sets: list[DataSet], chosen: ObserveChoice, view: ObserveView, accepted: int = MOST_SAMPLES
) -> list[Component]:
    """Chips for units, room for those of data sets, the number of samples, and the step control, for a model."""
    there = samples_of(model, sets) or MOST_SAMPLES
    most = min(there, accepted)
    colours = unit_colours(model.units)
    units = [
        html.Button(
            [
                html.Span(className="swatch", style={"background": colours[unit]}, **{"aria-hidden": "true"}),
                unit,
                html.Span("dropped" if unit in chosen.drop else "", className="chip-state"),
            ],
            type="button",
            className="chip",
            title=f"{unit}: drop it{_dropping(model)}",
            **{
                "data-observe-unit": unit,
                "data-state": "dropped" if unit in chosen.drop else "on",
                "aria-pressed": "true" if unit in chosen.drop else "false",
            },
        )
        for unit in model.units
    ]
    every = [] if model.layers else [("", "all")]  # panels about experts are about one layer
    steps = [*every, *((step, step_label(step)) for step in model.steps)]
    chosen_steps = [step for step in view.steps if step in model.steps]
    buttons = [
        html.Button(
            words,
            type="button",
            className="step-button",
            title=f"{step_words(name)}; with Shift or Ctrl: add it or take it out" if name else "mean over all steps",
            **{
                "data-observe-step": name,
                "data-words": step_words(name),
                "aria-pressed": "true" if (name in chosen_steps if name else not chosen_steps) else "false",
            },
        )
        for name, words in steps
    ]
    samples = dmc.Select(
        id="observe-samples",
        data=sizes(chosen.samples, most, complete=most == there),
        value=str(min(chosen.samples, most)),
        allowDeselect=False,
        size="xs",
        w=84,
        **{"aria-label": "Number of samples"},
    )
    reset = html.Button("Reset", type="button", className="tool tool-text", **{"data-observe-reset": "true"})

    def group(children: list[Component], label: str, class_name: str = "chips") -> Component:
        return html.Div(children, className=class_name, role="group", **{"aria-label": label})

    dropping = [] if model.layers else [_control("Drop", group(units, "Functions that are dropped"))]
    return [
        _control("Data", html.Div(className="chips", role="group", **SET_CHIPS)),
        _control("Samples", samples),
        *dropping,
        _control(
            "Layer" if model.layers else "Step",
            group(buttons, "Steps that are shown", "step-buttons"),
            html.Output(
                words_of_steps(model.steps, view.steps),
                id="observe-step-words",
                className="readout",
                hidden=bool(model.layers),
            ),
        ),
        reset,
    ]
