"""Refusals of data, without any library, so that small processes can raise them."""


class DataError(ValueError):
    """Something asked of the data that it cannot give; the message says what would be accepted."""
