"""Icons: local SVG files, used as masks so that they take the colour of the text around them."""

from dash import html


def icon(name: str, class_name: str = "") -> html.Span:
    """The icon ``assets/web/icons/<name>.svg``; decoration, so what it means must be said beside it."""
    return html.Span(className=f"icon {class_name}".strip(), **{"data-icon": name, "aria-hidden": "true"})
