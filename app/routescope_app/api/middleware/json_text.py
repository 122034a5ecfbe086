"""JSON that may be parsed: UTF-8, not deep, every number finite, every string text."""

import json
import math
import re
from typing import Any, NoReturn

from routescope_app.services.errors import NotAccepted, Refusal

_MARKS = re.compile(rb'"|\\.|[\[{]|[\]}]', re.DOTALL)
_SURROGATE = re.compile(rb"\\u[dD][89a-fA-F]")


class Malformed(Refusal):
    kind, title, status = "malformed", "Malformed request", 400


def depth_exceeds(content: bytes, most: int) -> bool:
    """Whether brackets outside strings are nested deeper than ``most``; one pass, nothing is parsed."""
    depth, in_string = 0, False
    for match in _MARKS.finditer(content):
        mark = match[0]
        if mark == b'"':
            in_string = not in_string
        elif in_string or mark.startswith(b"\\"):
            continue
        elif mark in b"[{":
            depth += 1
            if depth > most:
                return True
        else:
            depth -= 1
    return False


def check_json(content: bytes, max_depth: int) -> Any:
    """Parse ``content`` strictly.

    Raises:
        Malformed: not UTF-8, not JSON, too deep, or with half characters.
        NotAccepted: with NaN, Infinity or a number too large for a float.
    """
    if depth_exceeds(content, max_depth):
        raise Malformed(f"The JSON is nested too deeply; up to {max_depth} levels are accepted.")
    try:
        text = content.decode("utf-8")
        value = json.loads(text, parse_constant=_no_constant, parse_float=_finite)
        if _SURROGATE.search(content):
            json.dumps(value, ensure_ascii=False).encode("utf-8")
    except UnicodeError as error:
        raise Malformed("The body is not valid UTF-8 text.") from error
    except (ValueError, RecursionError) as error:
        raise Malformed("The body is not valid JSON.") from error
    return value


def _no_constant(_name: str) -> NoReturn:
    raise NotAccepted("NaN and Infinity are not accepted; numbers must be finite.")


def _finite(text: str) -> float:
    number = float(text)
    if not math.isfinite(number):
        raise NotAccepted("A number is too large; numbers must be finite.")
    return number
