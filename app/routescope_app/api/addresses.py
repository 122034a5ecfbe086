"""Addresses of the API, put together safely."""

from collections.abc import Sequence
from urllib.parse import quote, urlencode


def segment(text: str) -> str:
    """An id as one segment of a path, whatever it contains."""
    return quote(text, safe="") or "%20"


def statement_picture(statement_id: str, place: int) -> str:
    """Where a picture of a statement is, as the network gets it; place 0 is the left one."""
    return f"/api/v1/statements/{segment(statement_id)}/pictures/{place}"


def table_picture(sample_id: str) -> str:
    """Where the small picture of a sample is whose kind of input has one."""
    return f"/api/v1/tables/{segment(sample_id)}/picture"


def images_of(sample_ids: Sequence[str]) -> str:
    """Where the images of these samples are as one picture."""
    return "/api/v1/samples/images?" + urlencode([("id", sample_id) for sample_id in sample_ids])
