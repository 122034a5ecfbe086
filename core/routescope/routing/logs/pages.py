"""What the pages of a parquet file unpack to, added up from their headers before any page is unpacked.

A page header is a struct in Thrift's compact protocol (parquet.thrift of apache/parquet-format).
"""

from dataclasses import dataclass
from typing import IO

#: Bytes in which a page header must end, structs within structs, and pages of a file.
MOST_HEADER, MOST_DEPTH, MOST_PAGES = 65_536, 8, 100_000
#: Fields of a page header: unpacked and packed bytes; headers of data, dictionary and newer data pages.
_UNPACKED, _PACKED, _OF_VALUES = 2, 3, (5, 7, 8)


class PageError(ValueError):
    """A page header that is damaged."""


@dataclass
class _Reader:
    """Values of the compact protocol in some bytes."""

    content: bytes
    at: int = 0

    def byte(self) -> int:
        """Return the next byte."""
        if self.at >= len(self.content):
            raise PageError("a page header is cut off")
        self.at += 1
        return self.content[self.at - 1]

    def varint(self) -> int:
        """Return a whole number from 0."""
        value = 0
        for place in range(10):
            byte = self.byte()
            value |= (byte & 0x7F) << (7 * place)
            if byte < 0x80:
                return value
        raise PageError("a number of a page header is too long")

    def struct(self, depth: int = 0) -> dict[int, object]:
        """Return the fields of a struct: whole numbers and structs; others are skipped."""
        if depth > MOST_DEPTH:
            raise PageError("a page header goes too deep")
        fields: dict[int, object] = {}
        number = 0
        while head := self.byte():
            number = number + (head >> 4) if head >> 4 else self._signed()
            fields[number] = self._value(head & 0x0F, depth)
        return fields

    def _signed(self) -> int:
        value = self.varint()
        return (value >> 1) ^ -(value & 1)

    def _value(self, kind: int, depth: int) -> object:
        if kind in (1, 2):
            return None
        if kind == 3:
            return self.byte()
        if kind in (4, 5, 6):
            return self._signed()
        if kind in (7, 8):
            length = 8 if kind == 7 else self.varint()
            self.at += length
            return None
        if kind in (9, 10):
            head = self.byte()
            count = head >> 4 if head >> 4 < 15 else self.varint()
            for _ in range(count):
                self._value(head & 0x0F if head & 0x0F > 2 else 3, depth + 1)
            return None
        if kind == 12:
            return self.struct(depth + 1)
        raise PageError("a page header has a field of an unknown type")


def unpacked(file: IO[bytes], start: int, size: int, width: int) -> tuple[int, int]:
    """Return bytes that the pages of a column take once unpacked, and how many pages there are.

    A page takes its unpacked bytes, or ``width`` bytes for each of its values where those are more, as a few bytes may
    say the same value many times.

    Args:
        start, size: place of the first page in the file, and bytes of all pages.

    Raises:
        PageError: damaged headers, or more pages than ``MOST_PAGES``.
    """
    total = pages = 0
    end = start + size
    while start < end:
        file.seek(start)
        reader = _Reader(file.read(min(MOST_HEADER, end - start)))
        fields = reader.struct()
        headers = [header for number in _OF_VALUES if isinstance(header := fields.get(number), dict)]
        values = max((_count(header, 1) for header in headers), default=0)
        total += max(_count(fields, _UNPACKED), width * values)
        start += reader.at + _count(fields, _PACKED)
        pages += 1
        if pages > MOST_PAGES:
            raise PageError(f"a column has more than {MOST_PAGES:,} pages")
    return total, pages


def _count(fields: dict[int, object], number: int) -> int:
    """Return a field that counts something; raises PageError where it does not."""
    value = fields.get(number)
    if not isinstance(value, int) or value < 0:
        raise PageError("a page header does not count what it has")
    return value
