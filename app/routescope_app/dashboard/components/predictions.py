"""The place where parts/predictions.js draws the probability bars of every head."""

from dash import html


def predictions(key: str) -> html.Div:
    """A canvas called ``key`` for the predictions of every head, with the same numbers as a table."""
    return html.Div(
        [
            html.Div(
                html.Canvas(role="img", **{"aria-label": "Predictions of every head: nothing chosen yet"}),
                className="prediction-canvas",
                **{"data-widget": "predictions", "data-key": key},
            ),
            html.Details(
                [
                    html.Summary("The same as a table"),
                    html.Div(
                        className="table-scroll",
                        tabIndex=0,
                        role="region",
                        **{"data-predictions-table": key, "aria-label": "Probabilities as a table"},
                    ),
                ],
                className="as-table prediction-table",
            ),
        ]
    )
