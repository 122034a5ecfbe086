"""List, draw and describe the figures of the papers: one function draws for notebooks and for files."""

from collections.abc import Iterable, Sequence
from pathlib import Path

import matplotlib.pyplot as plt
from matplotlib.figure import Figure

from routescope.experiments.printed import blocks, circuits, interpreters
from routescope.experiments.printed.frame import Draw, MissingRows, NotDrawn, PrintedFigure, RunRecords, stand_ins
from routescope.experiments.results.rule import Judged, differences
from routescope.experiments.results.table import CLAIMS, Result, in_words, read_records, results
from routescope.plots.printed import STYLE, as_file, head, save

FIGURES: tuple[PrintedFigure, ...] = (*interpreters.FIGURES, *circuits.FIGURES, *blocks.FIGURES)
#: Claims that are written out one by one below a figure; more are counted.
MOST_CLAIMS = 3


def find(figure_id: str) -> PrintedFigure:
    """Return a figure by one of its ids; raises NotDrawn for an unknown one."""
    for entry in FIGURES:
        if figure_id in entry.ids:
            return entry
    ids = ", ".join(entry.id for entry in FIGURES if entry.draw is not None)
    raise NotDrawn(f"unknown figure {figure_id[:40]!r}; there are {ids}.")


def figure(figure_id: str, records: Iterable[Path] = ()) -> Figure:
    """Draw a figure or table of a paper from records and bundled models.

    A notebook shows the result; ``write`` makes a file of it, as ``routescope figure`` does. ::

        rs.figure("ni-fig-8")

    Args:
        figure_id: such as "ni-fig-8"; ``FIGURES`` lists them.
        records: folders of your own records, besides the bundled ones.

    Raises:
        NotDrawn: an unknown id, a figure without a drawing, or no record; the message says why.
        OSError: a record cannot be opened.
        MissingLibrary: a table needs scipy for its intervals.
    """
    return drawn(figure_id, records)[0]


def drawn(figure_id: str, records: Iterable[Path] = ()) -> tuple[Figure, str]:
    """Draw a figure, and say how its records differ from print; raises NotDrawn, OSError, MissingLibrary."""
    entry = find(figure_id)
    if entry.draw is None:
        raise NotDrawn(f"{entry.id} is not drawn: {entry.why_not}.")
    evidence = RunRecords(read_records(records)[0])
    with plt.rc_context(STYLE):
        drawing, words = _draw(entry, entry.draw, evidence)
        differs = " ".join(filter(None, (_here(entry, evidence), stand_ins(evidence.used.values()))))
        head(drawing, f"{entry.paper.short}, {entry.number}: {entry.title}", f"{words} {differs}".strip())
        plt.close(drawing)  # a notebook shows what a cell returns, and not twice
    return drawing, differs


def _draw(entry: PrintedFigure, draw: Draw, evidence: RunRecords) -> tuple[Figure, str]:
    """Draw a figure; raises NotDrawn with what its records lack."""
    before = set(plt.get_fignums())
    try:
        return draw(evidence)
    except (MissingRows, LookupError, StopIteration, TypeError, ValueError) as problem:
        for number in set(plt.get_fignums()) - before:
            plt.close(number)
        if isinstance(problem, NotDrawn) and not isinstance(problem, MissingRows):
            raise
        names, what = list(evidence.used), "rows are missing, or not of the expected kind"
        if isinstance(problem, MissingRows):
            names, what = [name for name in names if evidence.used[name].id == problem.experiment], f"{problem}"
        some = " or ".join(names)
        raise NotDrawn(f"{entry.id} is not drawn: {some} lacks rows that it needs ({what}).") from problem


def content(figure_id: str, ending: str, records: Iterable[Path] = ()) -> bytes:
    """Return the content of a figure's file, by one of the endings svg, pdf and png; raises as ``figure``."""
    return as_file(figure(figure_id, records), ending)


def write(figure_id: str, file: Path, records: Iterable[Path] = ()) -> None:
    """Draw a figure into an SVG, PDF or PNG file; its folder is made.

    Raises:
        NotDrawn, MissingLibrary: as ``figure``.
        ValueError: another ending of the file.
        OSError: the file cannot be written.
    """
    drawing = figure(figure_id, records)
    file.parent.mkdir(parents=True, exist_ok=True)
    save(drawing, file)


def _here(entry: PrintedFigure, evidence: RunRecords) -> str:
    """Return the settings of the records that differ from print, as a sentence."""
    stated = CLAIMS.get(entry.experiment or "")
    mine = [record for record in evidence.used.values() if record.id == entry.experiment]
    lines = [f"{one.what}: {one.here}" for record in mine for one in differences(stated, record)] if stated else []
    return f"Here {'; '.join(dict.fromkeys(lines))}." if lines else ""


def claims_of(entry: PrintedFigure, table: Sequence[Result]) -> tuple[Result | None, list[Judged]]:
    """Return the result of a figure's experiment, and the claims on the figure itself."""
    result = next((row for row in table if row.id == entry.experiment), None)
    return result, [judged for judged in (result.claims if result else ()) if judged.claim.source in entry.sources]


def verdict_of(entry: PrintedFigure, table: Sequence[Result]) -> list[str]:
    """Return the verdict on a figure's experiment, then the outcome of each claim on the figure, as sentences."""
    result, judged = claims_of(entry, table)
    if result is None:
        return ["No claim is tested: the figure shows no number of a model."]
    lines = [f"Verdict on `{result.id}`: **{result.verdict}**. {result.why}"]
    if 0 < len(judged) <= MOST_CLAIMS:
        for claimed in judged:
            printed, ours = in_words(claimed)
            lines.append(
                f"{_capital(claimed.claim.what)}: print {printed}, ours {ours}; {claimed.outcome}. {claimed.why}"
            )
    return lines


def as_markdown(folder: str = "figures") -> str:
    """Return the papers figure by figure: what print shows, ours as a picture in ``folder``, and the verdict."""
    table, lines = results()[0], list[str]()
    for paper in dict.fromkeys(entry.paper for entry in FIGURES):
        lines += [f"## {paper.title}", ""]
        for entry in (entry for entry in FIGURES if entry.paper == paper):
            lines += [f"### {entry.number}: {entry.title}", "", f"Print: {entry.shows}", ""]
            if entry.draw is None:
                lines += [f"Not drawn: {entry.why_not}.", ""]
                continue
            lines += [f"![Ours: {entry.title}]({folder}/{entry.id}.svg)", ""]
            lines += [*(f"* {sentence}" for sentence in verdict_of(entry, table)), ""]
    return "\n".join(lines).rstrip() + "\n"


def _capital(words: str) -> str:
    return words[:1].upper() + words[1:]
