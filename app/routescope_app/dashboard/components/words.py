"""Words that follow the chosen model: functions or modules, iterations or layers (lib/words.js fills them in)."""

import json
import re

from dash import html

#: What is said until a model is chosen.
NEUTRAL = {"unit": "unit", "a_unit": "a unit", "units": "units", "pass": "iteration", "passes": "iterations"}

#: A field of models whose units share tokens.
FUNCTIONS = "compatibility"


def words(text: str = "", **texts: str) -> html.Span:
    """A text in which ``{unit}``, ``{a_unit}``, ``{units}``, ``{pass}`` and ``{passes}`` are the chosen model's words.

    Args:
        text: what is said of every model, or of those without a field in ``texts``.
        texts: by field, constant or kind of input, what is said of a model that has it; the first that it has counts.
    """
    return html.Span(neutral(_first(text, texts)), **worded(text, **texts))


def _first(text: str, texts: dict[str, str]) -> str:
    """Return the text shown before a model is chosen: that for functions, if there is one."""
    return text or texts.get(FUNCTIONS) or next(iter(texts.values()))


def unverified() -> html.Span:
    """List the recorded routing of the chosen model that is not verified; hidden if all is verified."""
    return html.Span(className="tag tag-warn", hidden=True, role="status", **{"data-widget": "unverified-routing"})


def worded(text: str = "", **texts: str) -> dict[str, str]:
    """The attributes that give an element such a text."""
    return {"data-widget": "words", "data-texts": json.dumps(texts | ({"": text} if text else {}))}


def labelled(text: str = "", **texts: str) -> dict[str, str]:
    """The attributes that give an element such a label."""
    neutral_text = neutral(_first(text, texts))
    return worded(text, **texts) | {"data-names": "true", "aria-label": neutral_text}


def neutral(text: str) -> str:
    """The text before a model is chosen."""

    def word(match: re.Match[str]) -> str:
        name = match.group(1)
        replacement = NEUTRAL[name.lower()]
        return replacement.capitalize() if name[0].isupper() else replacement

    return re.sub(r"\{(\w+)\}", word, text)
