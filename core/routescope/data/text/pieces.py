"""Long texts cut into pieces of a few bytes, at sensible places."""

from collections.abc import Iterable, Iterator

#: Bytes of UTF-8 that a sample has at most.
MOST_BYTES = 256
#: The shortest piece that is cut at a better place.
LEAST_BYTES = 96


def cut(text: str, most: int = MOST_BYTES, least: int = LEAST_BYTES) -> Iterator[str]:
    """Pieces of at most ``most`` bytes of UTF-8 which, joined, are the text.

    A piece ends after a blank line where one lies beyond ``least`` bytes, else after a line, else after a space, else
    between two characters.
    """
    rest = text.encode()
    while len(rest) > most:
        end = _place(rest[:most], least)
        yield rest[:end].decode()
        rest = rest[end:]
    if rest:
        yield rest.decode()


def _place(head: bytes, least: int) -> int:
    """Return where to cut ``head``, the beginning of a longer text."""
    for border in (b"\n\n", b"\n", b" "):
        end_of_text = head.rfind(border)
        if end_of_text >= least:
            return end_of_text + len(border)
    end = len(head)  # what follows is not known: a character may lie across the end
    while end > 1 and not _whole(head[:end]):
        end -= 1
    return end


def _whole(content: bytes) -> bool:
    try:
        content.decode()
    except UnicodeDecodeError:
        return False
    return True


def packed(lines: Iterable[str], most: int = MOST_BYTES) -> Iterator[str]:
    """Texts of as many of the lines, each with its end, as fit into ``most`` bytes of UTF-8; the last may be short.

    Raises:
        ValueError: a line that does not fit alone.
    """
    text, size = "", 0
    for line in lines:
        need = len(line.encode()) + 1
        if need > most:
            raise ValueError(f"a line of {need} bytes does not fit into {most}")
        if size + need > most:
            yield text
            text, size = "", 0
        text, size = f"{text}{line}\n", size + need
    if text:
        yield text


def long_lines(text: str, least: int = 32) -> frozenset[str]:
    """Return the lines of at least ``least`` characters, stripped, by which texts are recognised."""
    return frozenset(line for whole_line in text.splitlines() if len(line := whole_line.strip()) >= least)
