"""Untrusted files: decoding of text, numbers and .npy headers, for all readers. Imports no large library."""

import codecs
import io
import re
from collections.abc import Iterator
from io import BufferedIOBase
from typing import IO

import numpy as np

#: Byte order marks and their encodings, the longest first.
MARKS = (
    (codecs.BOM_UTF32_LE, "utf-32-le"),
    (codecs.BOM_UTF32_BE, "utf-32-be"),
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)
#: First bytes of a file whose NUL bytes tell UTF-16 without a byte order mark.
HEAD_BYTES = 4096
#: Share of byte pairs with a NUL at the same position from which a text counts as UTF-16.
NUL_SHARE = 0.5
#: Characters of the input that a refusal quotes.
QUOTED = 20
ADVICE = "save the file as UTF-8 text"
#: Limits of a .npy header: its bytes, axes, and entries along an axis.
LONGEST_HEADER, MOST_AXES, LONGEST_SIDE = 10_000, 32, 2**40

_NUMBER = re.compile(r"[+-]?([0-9]+\.?[0-9]*|\.[0-9]+)([eE][+-]?[0-9]+)?|[+-]?(nan|inf|infinity)", re.IGNORECASE)
#: A number with commas in it, which may be decimal commas or separators of thousands.
_COMMAS = re.compile(r"[+-]?[0-9]+(,[0-9]+)+(\.[0-9]*)?([eE][+-]?[0-9]+)?")


class DataError(ValueError):
    """A request that the data cannot meet; the message says what would be accepted."""


class UndecodableText(ValueError):
    """Bytes that are not text in a known encoding; the message says where, and what to do."""


class NoNumber(ValueError):
    """A word that is not a number, or that has several readings; the message says which, and what to do."""


def decoded(content: bytes) -> str:
    """Return the text of a file: UTF-8, or UTF-16 and UTF-32 by their byte order mark or their NUL bytes.

    The byte order mark is left out; line ends stay as they are.

    Raises:
        UndecodableText: bytes of another encoding, or NUL bytes, which no text has.
    """
    encoding, skipped = next(((name, len(mark)) for mark, name in MARKS if content.startswith(mark)), ("", 0))
    encoding = encoding or _encoding_without_mark(content)
    try:
        text = content[skipped:].decode(encoding)
    except UnicodeDecodeError as error:
        line = content.count(b"\n", 0, skipped + error.start) + 1
        wrong = content[skipped + error.start]
        raise UndecodableText(f"line {line} has the byte 0x{wrong:02x}, which is no {encoding}; {ADVICE}") from None
    if (at := text.find("\0")) >= 0:
        raise UndecodableText(f"line {text.count(chr(10), 0, at) + 1} has a NUL byte, which no text has; {ADVICE}")
    return text


def _encoding_without_mark(content: bytes) -> str:
    """Return UTF-16 where most pairs of bytes have a NUL at the same position, else UTF-8."""
    head = content[: min(HEAD_BYTES, len(content) // 2 * 2)]
    even, odd = head[::2].count(0), head[1::2].count(0)
    most, least, pairs = max(even, odd), min(even, odd), len(head) // 2
    if len(content) % 2 == 0 and least == 0 and most >= max(2, NUL_SHARE * pairs):
        return "utf-16-le" if odd else "utf-16-be"
    return "utf-8"


def quoted(word: str, most: int = QUOTED) -> str:
    """Return a word in quotes for a refusal, cut after ``most`` characters."""
    return repr(word if len(word) <= most else word[:most] + "\N{HORIZONTAL ELLIPSIS}")


def words_of(line: str) -> list[str]:
    """Split a line of numbers at white space, commas or semicolons; brackets around the line are left out.

    A word with commas, such as ``1,5`` in ``1,5 2,25``, may have decimal commas or separate thousands. Each reading
    gives other numbers, so such a line is refused.

    Raises:
        NoNumber: a word with commas that has several readings.
    """
    bare = line.strip().strip("\ufeff[](),;").strip()
    words = re.split(r"\s*(?:,\s|\s,|[;\s])\s*", bare)
    for word in words if len(words) > 1 else ():
        if _COMMAS.fullmatch(word):
            raise NoNumber(
                f"{quoted(word)} has a decimal comma, or a comma between thousands: write decimal points, such as 1.5, "
                "and no separators of thousands"
            )
    return [part for word in words for part in re.split(r"\s*,\s*", word)]


def number(word: str) -> float:
    """Return the number that a word spells, which may be ``nan`` or ``inf``; raises NoNumber for other words."""
    if not _NUMBER.fullmatch(word):
        raise NoNumber(f"{quoted(word)}, which is no number" if word else "nothing in place of a number")
    return float(word)


def lines_of(text: str) -> Iterator[tuple[int, str]]:
    """Yield lines with their numbers from 1; lines end with LF, CR LF or CR, and with no other character."""
    yield from enumerate(re.split(r"\r\n|\n|\r", text), start=1)


def npy_head(file: BufferedIOBase | IO[bytes]) -> tuple[tuple[int, ...], bool, np.dtype]:
    """Read the header of a .npy file: shape, whether the order is Fortran's, and the numbers' type.

    The file stands at its first number afterwards. At most ``LONGEST_HEADER`` bytes are read.

    Raises:
        ValueError: another version than 1.0 and 2.0, a damaged or long header, or sides that are not whole numbers
            from 0.
    """
    version = np.lib.format.read_magic(file)
    if version not in ((1, 0), (2, 0)):
        raise ValueError(f"it is of version {version[0]}.{version[1]}; 1.0 and 2.0 are read")
    width = 2 if version == (1, 0) else 4
    length = file.read(width)
    size = int.from_bytes(length, "little")
    if len(length) < width or size > LONGEST_HEADER:
        raise ValueError(f"its header is cut off, or longer than {LONGEST_HEADER:,} bytes")
    head = io.BytesIO(length + file.read(size))
    read = np.lib.format.read_array_header_1_0 if version == (1, 0) else np.lib.format.read_array_header_2_0
    try:
        shape, fortran, dtype = read(head)
    except Exception as error:  # numpy parses headers as Python, which fails in many ways
        raise ValueError("its header is damaged") from error
    if len(shape) > MOST_AXES or any(type(side) is not int or not 0 <= side < LONGEST_SIDE for side in shape):
        raise ValueError(f"its shape is not valid: up to {MOST_AXES} whole numbers from 0 are expected")
    return shape, fortran, dtype
