"""The shape of a multipart body, counted before anything is made of it."""

from python_multipart.exceptions import FormParserError
from python_multipart.multipart import MultipartParser, parse_options_header

from routescope_app.api.middleware.json_text import Malformed
from routescope_app.services.errors import TooLarge

#: Parts of a multipart body.
MAX_PARTS = 8
#: Bytes of the headers of one part; the file's name is there. The form reader takes no more.
MAX_PART_HEADER_BYTES = 4 * 1024
#: Bytes of one field that is not the file.
MAX_FIELD_BYTES = 16 * 1024

#: What the form reader itself takes.
MOST_PART_HEADERS = 8


class _Counter:
    """Callbacks that count parts, header bytes of a part, and bytes of a field that is no file."""

    def __init__(self) -> None:
        self._parts = 0
        self._header = 0
        self._field = 0
        self._name = b""
        self._is_file = False

    def on_part_begin(self) -> None:
        self._parts += 1
        if self._parts > MAX_PARTS:
            raise TooLarge(f"The form has too many parts; up to {MAX_PARTS} are accepted.")
        self._header = self._field = 0
        self._name, self._is_file = b"", False

    def on_header_field(self, data: bytes, start: int, end: int) -> None:
        self._count_header(end - start)
        self._name += data[start:end]

    def on_header_value(self, data: bytes, start: int, end: int) -> None:
        self._count_header(end - start)
        if self._name.lower() == b"content-disposition" and b"filename" in data[start:end].lower():
            self._is_file = True

    def on_header_end(self) -> None:
        self._name = b""

    def _count_header(self, count: int) -> None:
        self._header += count
        if self._header > MAX_PART_HEADER_BYTES:
            limit = MAX_PART_HEADER_BYTES
            raise TooLarge(f"The headers of a form's part are too long; up to {limit} bytes are accepted.")

    def on_part_data(self, data: bytes, start: int, end: int) -> None:
        self._field += end - start
        if not self._is_file and self._field > MAX_FIELD_BYTES:
            raise TooLarge(f"A field of the form is too long; up to {MAX_FIELD_BYTES} bytes are accepted.")


def check_multipart(content: bytes, content_type: str) -> None:
    """Refuse a multipart body with too many parts, headers or fields that are too long.

    Raises:
        Malformed: no boundary, or not multipart at all.
        TooLarge: beyond a limit.
    """
    _, options = parse_options_header(content_type)
    boundary = options.get(b"boundary", b"")
    if not 1 <= len(boundary) <= 200:
        raise Malformed("The form's boundary is missing or too long.")
    counter = _Counter()
    callbacks = {name: getattr(counter, name) for name in dir(counter) if name.startswith("on_")}
    try:
        parser = MultipartParser(
            boundary,
            callbacks,  # type: ignore[arg-type]
            max_header_count=MOST_PART_HEADERS,
            max_header_size=len(content) + 1,  # the counter counts, and says what is wrong
        )
        parser.write(content)
        parser.finalize()
    except (FormParserError, ValueError) as error:
        raise Malformed("The form cannot be read; send it as multipart/form-data.") from error
