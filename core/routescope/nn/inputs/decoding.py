"""Text of files that nobody can trust: one reading of encodings and of numbers for all kinds of input."""

import codecs
import re
from collections.abc import Iterator

#: Byte order marks and their encodings, the longest first.
MARKS = (
    (codecs.BOM_UTF32_LE, "utf-32-le"),
    (codecs.BOM_UTF32_BE, "utf-32-be"),
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)
#: Bytes in which NUL bytes tell UTF-16 without a byte order mark.
HEAD = 4096
#: Share of all pairs of bytes that hold a NUL at the same place where a text is UTF-16.
MOSTLY = 0.5
#: Characters of what was read that a refusal repeats.
REPEATED = 20
ADVICE = "save the file as UTF-8 text"

_NUMBER = re.compile(r"[+-]?([0-9]+\.?[0-9]*|\.[0-9]+)([eE][+-]?[0-9]+)?|[+-]?(nan|inf|infinity)", re.IGNORECASE)
#: A number with commas in it, which may be decimal commas or separators of thousands.
_COMMAS = re.compile(r"[+-]?[0-9]+(,[0-9]+)+(\.[0-9]*)?([eE][+-]?[0-9]+)?")


class UndecodableText(ValueError):
    """Bytes that are no text in a known encoding; the message says where, and what to do."""


class NoNumber(ValueError):
    """A word that is no number, or that can be read as several; the message says which, and what to do."""


def decoded(content: bytes) -> str:
    """Return the text of a file: UTF-8, or UTF-16 and UTF-32 as their byte order mark or their NUL bytes tell.

    The byte order mark is left out; line ends stay as they are.

    Raises:
        UndecodableText: bytes of another encoding, or NUL bytes, which no text has.
    """
    encoding, skipped = next(((name, len(mark)) for mark, name in MARKS if content.startswith(mark)), ("", 0))
    encoding = encoding or _without_mark(content)
    try:
        text = content[skipped:].decode(encoding)
    except UnicodeDecodeError as error:
        line = content.count(b"\n", 0, skipped + error.start) + 1
        wrong = content[skipped + error.start]
        raise UndecodableText(f"line {line} has the byte 0x{wrong:02x}, which is no {encoding}; {ADVICE}") from None
    if (at := text.find("\0")) >= 0:
        raise UndecodableText(f"line {text.count(chr(10), 0, at) + 1} has a NUL byte, which no text has; {ADVICE}")
    return text


def _without_mark(content: bytes) -> str:
    """The encoding of bytes without a byte order mark: UTF-16 where every second byte is mostly NUL, else UTF-8."""
    head = content[: min(HEAD, len(content) // 2 * 2)]
    even, odd = head[::2].count(0), head[1::2].count(0)
    most, least, pairs = max(even, odd), min(even, odd), len(head) // 2
    if len(content) % 2 == 0 and least == 0 and most >= max(2, MOSTLY * pairs):
        return "utf-16-le" if odd else "utf-16-be"
    return "utf-8"


def said(word: str) -> str:
    """Return a word as a refusal repeats it: quoted, and cut where it is long."""
    return repr(word if len(word) <= REPEATED else word[:REPEATED] + "\N{HORIZONTAL ELLIPSIS}")


def words_of(line: str) -> list[str]:
    """Split a line of numbers at white space, commas or semicolons; brackets around it are left out.

    Where words with white space or semicolons between them hold commas, such as ``1,5 2,25``, the commas may be decimal
    or separate thousands: such a line is refused, as each reading gives other numbers.

    Raises:
        NoNumber: a word with commas that can be read in several ways.
    """
    bare = line.strip().strip("\ufeff[](),;").strip()
    words = re.split(r"\s*(?:,\s|\s,|[;\s])\s*", bare)
    for word in words if len(words) > 1 else ():
        if _COMMAS.fullmatch(word):
            raise NoNumber(
                f"{said(word)} has a decimal comma, or a comma between thousands: write decimal points, such as 1.5, "
                "and no separators of thousands"
            )
    return [part for word in words for part in re.split(r"\s*,\s*", word)]


def number(word: str) -> float:
    """Return the number that a word is, which may be ``nan`` or ``inf``.

    Raises:
        NoNumber: it is none.
    """
    if not _NUMBER.fullmatch(word):
        raise NoNumber(f"{said(word)}, which is no number" if word else "nothing in place of a number")
    return float(word)


def lines_of(text: str) -> Iterator[tuple[int, str]]:
    """Lines with their numbers from 1; they end with LF, CR LF or CR, and with no other character."""
    yield from enumerate(re.split(r"\r\n|\n|\r", text), start=1)
