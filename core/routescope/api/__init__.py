"""The functions of ``import routescope as rs``: each runs one analysis, on data given by name, as files or as texts."""


def names(text: str | None) -> tuple[str, ...]:
    """Split names with commas between: ``"f2, f4"`` as ``("f2", "f4")``."""
    return tuple(part.strip() for part in (text or "").split(",") if part.strip())
