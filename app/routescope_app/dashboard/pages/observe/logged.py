"""Observe without a model: how the tokens of a routing log spread over experts, as far as the log says it."""

from dash import html
from dash.development.base_component import Component

from routescope_app.dashboard.components.icons import icon
from routescope_app.dashboard.pages.observe import panels
from routescope_app.dashboard.pages.observe.controls import ObserveView

#: Panels that need nothing but who took which experts; those of which a log has no figures are hidden by the page.
OF_LOGS = ("load", "balance", "together", "alike", "tokens", "exemplars")


def of_log(log: str, view: ObserveView) -> Component:
    """The page for a routing log; its layer is the first of the steps that the address names."""
    copy = html.Button(
        [icon("link"), "Copy link"], type="button", className="tool tool-text", **{"data-copy-link": "true"}
    )
    named = {each.id: each for each in panels.of_experts()}
    return html.Div(
        [
            html.Div(
                [
                    html.H1("Observe"),
                    html.Div(id="observe-experts-caption", className="caption"),
                    html.Div(copy, className="head-actions"),
                ],
                className="page-head",
            ),
            html.Div(
                className="log-bar",
                **{"data-widget": "observe-log", "data-log": log, "data-layer": next(iter(view.steps), "")},
            ),
            html.Div(
                [named[f"panel-observe-experts-{key}"] for key in OF_LOGS],
                className="observe-grid observe-experts",
            ),
        ],
        className="page page-observe page-of-log",
        **{"data-status": "loading", "data-experts": "true"},
    )
