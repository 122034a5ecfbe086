"""Results that a notebook shows as an interactive figure, or that are written as one HTML file."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

#: Called with (samples done, samples in all); an exception that it raises cancels.
Report = Callable[[int, int], None]
#: What a reader chose in a figure, such as a layer or the units to drop, as values for JSON.
Choice = Mapping[str, Any]


@dataclass(frozen=True)
class InteractiveFigure:
    """What an interactive figure shows.

    Attributes:
        module: name of its module for browsers, such as "load" or "paths".
        title: heading of the HTML file.
        data: values for JSON.
        choice: the first choice.
        answer: computes the changed values of ``data`` for another choice; None: the browser needs no kernel. A
            ValueError that it raises is shown as words.
    """

    module: str
    title: str
    data: Mapping[str, Any]
    choice: Choice = field(default_factory=dict)
    answer: Callable[[Choice, Report], dict[str, Any]] | None = None


class Interactive:
    """A result with an interactive figure: in notebooks with ``anywidget``, and as an HTML file without it."""

    def interactive_figure(self) -> InteractiveFigure | None:
        """Return the figure; None for a result that has only a table."""
        raise NotImplementedError

    def _repr_html_(self) -> str:
        raise NotImplementedError

    def _repr_mimebundle_(self, include: object = None, exclude: object = None) -> Any:
        """Return the widget; without ``anywidget`` the table and how to install it."""
        from routescope.plots.widgets import mimebundle

        return mimebundle(self.interactive_figure(), self._repr_html_(), repr(self))

    def to_html(self, path: str | Path) -> Path:
        """Write the figure as one HTML file that opens offline; raises ValueError for a result without a figure."""
        from routescope.plots.widgets.files import write_html

        figure = self.interactive_figure()
        if figure is None:
            raise ValueError(f"this {type(self).__name__} has no interactive figure; a notebook shows its table")
        return write_html(figure, Path(path))
