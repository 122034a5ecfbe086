"""Addresses of the API, escaped."""

from collections.abc import Sequence
from urllib.parse import quote, urlencode


def segment(text: str) -> str:
    """An id as one segment of a path, whatever it contains."""
    return quote(text, safe="") or "%20"


def statement_picture(statement_id: str, place: int) -> str:
    """The address of a picture of a statement, as the network reads it; 0 is the left one."""
    return f"/api/v1/statements/{segment(statement_id)}/pictures/{place}"


def table_picture(sample_id: str) -> str:
    """The address of the small picture of a sample."""
    return f"/api/v1/tables/{segment(sample_id)}/picture"


def images_of(sample_ids: Sequence[str]) -> str:
    """The address of one picture with the images of these samples."""
    return "/api/v1/samples/images?" + urlencode([("id", sample_id) for sample_id in sample_ids])
