"""The side of an interactive figure that runs in the notebook's kernel."""

import threading
from typing import Any

import anywidget
import traitlets

from routescope.plots.widgets.files import file_of
from routescope.routing.interactive import Choice, InteractiveFigure

LONGEST_PROBLEM = 300


class _Superseded(Exception):
    """Ends a computation whose answer nobody waits for."""


class FigureWidget(anywidget.AnyWidget):
    """A figure in a notebook. Choices are answered on a thread, so that cells run meanwhile; the newest choice wins."""

    _esm = traitlets.Unicode().tag(sync=True)
    _css = traitlets.Unicode().tag(sync=True)
    data: Any = traitlets.Dict().tag(sync=True)
    choice: Any = traitlets.Dict().tag(sync=True)

    def __init__(self, figure: InteractiveFigure) -> None:
        self._figure = figure
        self._wanted: Choice | None = None
        self._thread: threading.Thread | None = None
        self._lock = threading.Lock()
        super().__init__(
            _esm=file_of(f"{figure.module}.js"),
            _css=file_of("figure.css"),
            data={**figure.data, "live": figure.answer is not None},
            choice=dict(figure.choice),
        )
        if figure.answer is not None:
            self.observe(self._ask, "choice")

    def _ask(self, change: Any) -> None:
        with self._lock:
            self._wanted = change["new"]
            if self._thread is None:
                self._thread = threading.Thread(target=self._answer_all, daemon=True)
                self._thread.start()

    def _next(self) -> Choice | None:
        """Return the choice to answer; None ends the thread."""
        with self._lock:
            wanted, self._wanted = self._wanted, None
            if wanted is None or self.comm is None:  # a closed widget has no comm
                self._thread = None
                return None
            return wanted

    def _answer_all(self) -> None:
        while (choice := self._next()) is not None:
            self._say(busy="Computing", problem="")
            try:
                self._say(**self._answer(choice), busy="")
            except _Superseded:
                continue
            except ValueError as error:
                self._say(busy="", problem=str(error)[:LONGEST_PROBLEM])
            except Exception as error:  # the figure says it: nobody reads a traceback of a thread
                words = f"The kernel could not compute this. {type(error).__name__}: {error}"
                self._say(busy="", problem=words[:LONGEST_PROBLEM])

    def _answer(self, choice: Choice) -> dict[str, Any]:
        said = -1

        def report(done: int, total: int) -> None:
            nonlocal said
            if self._wanted is not None or self.comm is None:
                raise _Superseded
            if (tenth := 10 * done // max(1, total)) > said:
                said = tenth
                self._say(busy=f"Computing: {done:,} of {total:,} samples")

        assert self._figure.answer is not None
        return self._figure.answer(choice, report)

    def _say(self, **changes: Any) -> None:
        self.data = {**self.data, **changes}
