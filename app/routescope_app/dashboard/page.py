"""Definition of a page. Typed fields decide for which models it appears, not model names."""

import json
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from dash import html
from dash.development.base_component import Component

from routescope_app.dashboard import address, validation
from routescope_app.settings import Settings


@dataclass(frozen=True)
class Page:
    """One page of the dashboard.

    Attributes:
        key: its name in ids.
        path: its address.
        title: what the navigation and the title bar say.
        icon: name of an icon in ``assets/web/icons``.
        needs: fields or constants of a model's traces, any one of which is enough for the page to appear; none: it
            appears for every model.
        layout: from the settings and the query of the address to the page.
        inputs: what the models take that it appears for: "images", "statements" (sentences about pictures), "blocks",
            or ``OTHERS``.
        pictures: how many pictures the statements are about that its models take; None: any number.
        samples: whether it shows samples for the model to read; then who has chosen no model gets one that does.
        measures: whether all that it shows is measured on data sets; then it appears for models that read an installed
            one.
        units: whether it drops units; then it appears for models that have some.
        asks: what reads the query of its address, besides the model and the sample.
        passes: what its address holds for the pages that one comes from and goes to.
    """

    key: str
    path: str
    title: str
    icon: str
    needs: tuple[str, ...]
    layout: Callable[..., Component]
    inputs: tuple[str, ...] = ("images",)
    pictures: int | None = None
    samples: bool = False
    measures: bool = False
    units: bool = False
    asks: tuple[type[validation.Input], ...] = ()
    passes: tuple[type[validation.Input], ...] = ()

    def open(self, settings: Settings, /, **query: Any) -> list[Component]:
        """The page for an address, below what is said of those parts of the link that it cannot show."""
        models = self._reads
        wrong = [name for model in models for name in model.unread(query)]
        lines = address.unread(models, query, wrong)
        passing = {name for model in self.passes for name in model.model_fields}
        values = {
            name: query[name] for model in models for name in model.model_fields if name in query.keys() - passing
        }
        notes = html.Div(
            className="address-notes",
            role="status",
            **{"data-widget": "address-notes", "data-lines": json.dumps(lines)},
        )
        return [notes, self.layout(settings, **values)]

    @property
    def address(self) -> list[dict[str, Any]]:
        """The grammar of its address (:mod:`routescope_app.dashboard.address`)."""
        return address.grammar(self._reads)

    @property
    def _reads(self) -> tuple[type[validation.Input], ...]:
        return (validation.Selection, *self.asks, *self.passes)


#: Kinds of input with a picture of their own on some page; samples of other kinds are shown as tables.
PICTURED = ("images", "statements", "blocks")
#: Every kind of input that is not among these.
OTHERS = "*"
#: The inputs of a page that serves every model.
ANY_INPUTS = (*PICTURED, OTHERS)
