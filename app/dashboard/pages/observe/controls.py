"""The controls of the Observe page: data sets, samples, units that are dropped, steps; and what they choose."""

from typing import Annotated, Any, Literal

import dash_mantine_components as dmc
from dash import html
from dash.development.base_component import Component
from pydantic import Field, field_validator

from app.api.schemas.base import MOST_SAMPLES
from app.api.schemas.catalogue import DataSet, ModelInfo
from app.dashboard.components.thumbnails import set_title
from app.dashboard.figures.observation_numbers import words_of_steps
from app.dashboard.figures.palette import unit_colours
from app.dashboard.figures.steps import step_label, step_words
from app.dashboard.validation import Dropped, Input, Sets, Units

SAMPLES = (300, 1_000)  # that the page offers, besides all
SPLIT = "validation"


class ObserveChoice(Input):
    """What is observed: units left out, on some samples of some data sets (none named: all of the model's)."""

    data: Sets = ()
    samples: Annotated[int, Field(ge=1, le=MOST_SAMPLES)] = SAMPLES[0]
    drop: Dropped = ()

    @field_validator("data", "drop")
    @classmethod
    def _once_each(cls, names: tuple[str, ...]) -> tuple[str, ...]:
        return tuple(dict.fromkeys(names))


class ObserveView(Input):
    """How it is shown: the steps whose mean is shown (none: all), and what cells say."""

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


def controls(
    model: ModelInfo, sets: list[DataSet], chosen: ObserveChoice, view: ObserveView, accepted: int = MOST_SAMPLES
) -> list[Component]:
    """Chips for units and data sets, the number of samples, and the step control, for a model."""
    known = {each.name: each for each in sets if each.name in model.domains}
    used = set(chosen.data) & known.keys() or set(known)
    there = sum(each.splits.get(SPLIT, 0) for each in known.values()) or MOST_SAMPLES
    most = min(there, accepted)
    colours = unit_colours(model.units)
    units = [
        _chip(
            [html.Span(className="swatch", style={"background": colours[unit]}, **{"aria-hidden": "true"}), unit,
             html.Span("dropped" if unit in chosen.drop else "", className="chip-state")],
            "unit", unit, unit in chosen.drop,
            f"{unit}: drop it, the compatibilities of the others are renormalised",
            **{"data-state": "dropped" if unit in chosen.drop else "on"},
        )
        for unit in model.units
    ]  # fmt: skip
    data = [
        _chip([name, html.Span("stand-in" if each.stand_in else "", className="chip-state")], "set", name, name in used,
              set_title(each))
        for name, each in known.items()
    ]  # fmt: skip
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
        _control("Data", group(data, "Data sets")),
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


def _chip(children: list[Any], kind: str, name: str, pressed: bool, title: str | None, **more: str) -> Component:
    said = {"title": title} if title else {}
    return html.Button(
        children,
        type="button",
        className="chip chip-set" if kind == "set" else "chip",
        **said,
        **{f"data-observe-{kind}": name, "aria-pressed": "true" if pressed else "false", **more},
    )
