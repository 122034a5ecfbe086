"""The functions of ``import routescope as rs``: each asks one thing of a network, and names data by word or file."""


def names(text: str | None) -> tuple[str, ...]:
    """Split names with commas between: ``"f2, f4"`` as ``("f2", "f4")``."""
    return tuple(part.strip() for part in (text or "").split(",") if part.strip())
