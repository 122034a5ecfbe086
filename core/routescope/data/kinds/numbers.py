"""Points of numbers: written with commas between the numbers, shown as a table of variables."""

import torch

from routescope.data.kinds.kind import InvalidSample, Kind, Table, TextCodec, register_kind
from routescope.files import NoNumber, number, quoted, words_of
from routescope.nn.inputs.numbers import Numbers, variable_names

WANTED = "a point is numbers from 0 to 1 with commas between them, such as 0.1, 0.9, 0.5"


def decode(content: str) -> Numbers:
    """Return a point of written numbers, with commas, semicolons or white space between them.

    Raises:
        InvalidSample: a word that is not a number from 0 to 1, a number with a decimal comma, or no number at all.
    """
    try:
        words = words_of(content)
    except NoNumber as error:
        raise InvalidSample(f"{error}; {WANTED}") from None
    values = [_number(word, position) for position, word in enumerate(words, start=1)]
    return Numbers(torch.tensor([values], dtype=torch.float32))


def _number(word: str, position: int) -> float:
    try:
        value = number(word)
    except NoNumber as error:
        raise InvalidSample(f"number {position} is {error}; {WANTED}") from None
    if not 0 <= value <= 1:  # NaN is neither
        raise InvalidSample(f"number {position} is {quoted(word)}, which is not from 0 to 1; {WANTED}")
    return value


def table(points: Numbers) -> Table:
    """Return the variables with their values, one a row."""
    values = points.values[0].tolist()
    return Table(("variable", "value"), tuple(zip(variable_names(len(values)), values, strict=True)))


CODEC = TextCodec(
    "numbers from 0 to 1, with commas or spaces between them", "0.1, 0.9, 0.5, 0.25, 1", decode, of_set=True
)
register_kind(Kind(Numbers, table, text=CODEC))
