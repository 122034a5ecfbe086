"""Addresses of the API, put together safely."""

from urllib.parse import quote


def segment(text: str) -> str:
    """An id as one segment of a path, whatever it contains."""
    return quote(text, safe="") or "%20"
