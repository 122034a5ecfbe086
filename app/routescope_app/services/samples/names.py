"""Names of uploads, cleaned and shortened for display; they are never used on disk."""

import re
import unicodedata

#: Control, format (direction overrides among them), surrogate, private-use, unassigned; line and paragraph separators.
_UNWANTED = frozenset({"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"})
#: Most characters of a name.
MAX_LENGTH = 80
UNTITLED = "untitled"


def clean_name(name: str, max_length: int = MAX_LENGTH) -> str:
    """Return the name in NFC, on one line, without invisible characters, shortened to ``max_length`` characters."""
    name = unicodedata.normalize("NFC", name[: 64 * max_length])
    spaced = "".join(" " if character in "\t\r\n\v\f\x85\u2028\u2029" else character for character in name)
    visible = "".join(character for character in spaced if unicodedata.category(character) not in _UNWANTED)
    one_line = re.sub(r"\s+", " ", visible).strip()
    if len(one_line) > max_length:
        one_line = one_line[: max_length - 1].rstrip() + "…"
    return one_line or UNTITLED


def name_of_file(file_name: str | None) -> str:
    """Return the name of a sample from the name of its file, without folders."""
    return clean_name(re.split(r"[/\\]", file_name or "")[-1])
