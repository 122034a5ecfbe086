"""The path of a file in a folder, from a name of a client: always inside that folder."""

from pathlib import Path


class OutsideFolder(ValueError):
    """The name would lead out of the folder."""


def resolve_within(folder: Path, *parts: str) -> Path:
    """The path ``folder/parts...``, certain to lie inside ``folder`` after links are followed.

    Raises:
        OutsideFolder: if a part is empty, absolute, contains a separator, a NUL or a drive, is ``.`` or ``..``,
            or if the result lies elsewhere through a link.
    """
    if not parts:
        raise OutsideFolder("no name was given")
    for part in parts:
        if part in {"", ".", ".."} or any(character in part for character in "/\\:\0"):
            raise OutsideFolder("the name is not a plain file name")
    root = folder.resolve()
    path = root.joinpath(*parts).resolve()
    if not path.is_relative_to(root) or path == root:
        raise OutsideFolder("the name leads out of its folder")
    return path
