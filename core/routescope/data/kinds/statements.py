"""Statements about pictures, shown as a table of their words."""

from routescope.data.kinds.kind import Kind, Table, register_kind
from routescope.nn.inputs.statements import Statements


def table(statements: Statements) -> Table:
    """Return the words of the sentence, in turn."""
    return Table(("place", "word"), tuple(enumerate(statements.sentences[0].split())))


register_kind(Kind(Statements, table))
