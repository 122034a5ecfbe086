"""The frame around every picture: title, one line that says how to read it, exports, full screen."""

from collections.abc import Sequence
from typing import Any

from dash import html
from dash.development.base_component import Component

from routescope_app.dashboard.components.icons import icon


def panel(
    key: str,
    title: Component | str,
    reads: Component | str,
    children: Any,
    *,
    exports: Sequence[str] = (),
    tag: Component | None = None,
    tools: Any = None,
    more: str = "",
    class_name: str = "",
) -> html.Section:
    """A panel.

    Args:
        key: its name in ids.
        title: its heading.
        reads: one line that says how to read it.
        children: what it shows.
        exports: formats that it can be saved as (``FORMATS`` of parts/report/exporting.js); SVG brings PDF.
        tag: what kind of quantities it shows, such as observed ones.
        tools: controls in its head.
        more: what else there is to know, behind a question mark.
        class_name: further classes.
    """
    named = title if isinstance(title, str) else str(getattr(title, "children", key))
    actions = [_more(key, named, more)] if more else []
    if exports:
        actions.append(_export_menu(key, named, exports))
    actions.append(_full_screen(key, named))
    return html.Section(
        [
            html.Header(
                [
                    html.H2(title, id=f"{key}-title"),
                    tag,
                    html.Div(tools, className="panel-tools") if tools is not None else None,
                    html.Div(actions, className="panel-actions"),
                ],
                className="panel-head",
            ),
            html.P(reads, className="reads"),
            html.Div(children, className="panel-body"),
        ],
        id=f"panel-{key}",
        className=f"panel {class_name}".strip(),
        **{"aria-labelledby": f"{key}-title"},
    )


def _full_screen(key: str, title: str) -> html.Button:
    label = f"Full screen: {title}"
    return html.Button(
        icon("fullscreen"),
        type="button",
        className="tool",
        title="Full screen",
        **{"aria-label": label, "data-fullscreen": f"panel-{key}"},
    )


def _more(key: str, title: str, text: str) -> html.Details:
    more = html.P(text, className="hint panel-more")
    return menu(icon("help"), [more], name=f"{key}-explained", label=f"More about: {title}")


def _export_menu(key: str, title: str, formats: Sequence[str]) -> html.Details:
    named = {"data-panel": key, "data-title": title, "data-formats": " ".join(formats).replace("svg", "svg pdf")}
    acts = {"choose": "Export as \u2026", "again": "Export again", "python": "Copy as Python"}
    items = [
        html.Button(words, type="button", className="menu-item", hidden=act == "again", **named, **{"data-export": act})
        for act, words in acts.items()
    ]
    items.append(html.Button("Add to report", type="button", className="menu-item", **{"data-report": key}))
    return menu([icon("download"), "Export"], items, name=f"{key}-export", label=f"Export: {title}")


def menu(opener: Any, items: Sequence[Component], *, name: str, label: str, class_name: str = "") -> html.Details:
    """A button that opens a short list; parts/frame.js closes it on a choice, on Escape and on a click elsewhere."""
    summary = html.Summary(opener, id=name, className=f"tool tool-text {class_name}".strip(), **{"aria-label": label})
    return html.Details([summary, html.Div(items, className="menu-items")], className="menu")


def folded(*rows: Component) -> html.Div:
    """Return rows of controls that a phone shows behind a button, beside what is chosen (lib/navigation/fold.js)."""
    shown = rows[0] if len(rows) == 1 else html.Div(rows)
    return html.Div([html.Div(className="fold-head", **{"data-widget": "fold"}), shown], className="fold")


def skeleton(class_name: str = "") -> html.Div:
    """Grey shapes in place of a picture that is on its way."""
    return html.Div(className=f"skeleton {class_name}".strip(), **{"aria-hidden": "true"})


def message(
    title: str, detail: Component | str, *children: Component, role: str | None = None, class_name: str = ""
) -> html.Div:
    """An empty or an error state."""
    parts = [html.P(title, className="message-title"), html.P(detail, className="message-detail"), *children]
    return html.Div(parts, className=f"message {class_name}".strip(), **({"role": role} if role else {}))


def as_table(words: str, **attributes: str) -> html.Details:
    """The place of a picture's numbers as a table; ``attributes`` name it for the script that fills it."""
    region = html.Div(className="table-scroll", tabIndex=0, role="region", **{"aria-label": words} | attributes)
    return html.Details([html.Summary("The same as a table"), region], className="as-table")
