"""Files of a model folder: only regular files are opened, and no link leads out of the folder."""

import json
import os
import stat
from collections.abc import Iterable
from pathlib import Path
from typing import Any, BinaryIO

from routescope.nn.adapters.exploring import NotAdaptable

#: Folders of Hugging Face's cache: ``models--org--name/snapshots/REVISION`` holds links to ``models--org--name/blobs``.
HUB_MODEL, HUB_SNAPSHOTS = "models--", "snapshots"
#: Brackets, braces and commas of a JSON file at most: each of them becomes an object in memory.
MOST_SIGNS = 8_000_000


def regular(folder: Path, name: str) -> Path | None:
    """Return the path of a file of a folder; None: the folder has no such file.

    Links are followed inside the folder, and inside the cache folder of one model (``models--*``).

    Raises:
        NotAdaptable: a link out of the folder, a link to nothing, or something else than a regular file.
    """
    path, where = folder / name, f"{folder.name}/{name}"
    if not os.path.lexists(path):
        return None
    try:
        mode = path.stat().st_mode
    except OSError as error:
        what = "a link that leads to no file" if path.is_symlink() else "a file that this program may not read"
        raise NotAdaptable(f"{where} is {what}: put a readable file in the folder") from error
    check_inside(folder, path)
    if not stat.S_ISREG(mode):
        raise NotAdaptable(f"{where} is no regular file, but a folder, a pipe or a device: put the file itself there")
    return path


def check_inside(folder: Path, path: Path) -> None:
    """Raise NotAdaptable for a path that leads out of a folder, by a link or by its name."""
    target, whole = Path(os.path.realpath(path)), Path(os.path.realpath(folder))
    snapshots = (parent for parent in whole.parents if parent.name == HUB_SNAPSHOTS)
    caches = [parent.parent for parent in snapshots if parent.parent.name.startswith(HUB_MODEL)]
    if not any(target.is_relative_to(root) for root in (whole, *caches)):
        raise NotAdaptable(
            f"{folder.name}/{path.name} is a link that leads out of the folder, which is not followed: copy the file "
            f"into the folder. Links to blobs in the same {HUB_MODEL} folder of the Hugging Face cache are followed"
        )


def opened(path: Path) -> BinaryIO:
    """Open a regular file without waiting, as for a pipe; raises NotAdaptable for other or unreadable files."""
    try:
        descriptor = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC)
    except OSError as error:
        raise NotAdaptable(
            f"{path.parent.name}/{path.name} cannot be read: let the user of this program read it"
        ) from error
    file = os.fdopen(descriptor, "rb")
    if not stat.S_ISREG(os.fstat(descriptor).st_mode):
        file.close()
        raise NotAdaptable(f"{path.parent.name}/{path.name} is no regular file: put the file itself there")
    return file


def content(path: Path, most: int) -> bytes:
    """Return the bytes of a file; raises NotAdaptable for more than ``most`` bytes."""
    with opened(path) as file:
        data = file.read(most + 1)
        if len(data) > most:
            size = os.fstat(file.fileno()).st_size
            raise NotAdaptable(
                f"{path.parent.name} has a {path.name} of {size:,} bytes: files of up to {most:,} bytes are read"
            )
    return data


def parsed(data: bytes, where: str, *, unique: bool = False) -> dict[str, Any]:
    """Return the JSON object in some bytes; raises NotAdaptable for no JSON, no object, or too many parts.

    Args:
        data: UTF-8.
        where: words before the reason of a refusal, such as "mine has a config.json".
        unique: refuse objects that have one name twice.
    """

    def made(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        names = dict(pairs)
        if len(names) != len(pairs):
            raise NotAdaptable(f"{where} that has one name twice: every name may stand once in an object")
        return names

    if sum(data.count(sign) for sign in (b"[", b"{", b",")) > MOST_SIGNS:
        raise NotAdaptable(f"{where} of too many parts: up to {MOST_SIGNS:,} brackets and commas are read")
    try:
        value = json.loads(data.decode("utf-8"), object_pairs_hook=made if unique else None)
    except NotAdaptable:
        raise
    except UnicodeDecodeError as error:
        raise NotAdaptable(f"{where} that is no JSON: it is not UTF-8") from error
    except json.JSONDecodeError as error:
        raise NotAdaptable(f"{where} that is no JSON, as line {error.lineno}, column {error.colno} shows") from error
    except RecursionError as error:
        raise NotAdaptable(f"{where} that is nested too deeply") from error
    except ValueError as error:  # an integer of thousands of digits
        raise NotAdaptable(f"{where} with a number of too many digits") from error
    if not isinstance(value, dict):
        raise NotAdaptable(f"{where} that is no object with names")
    return value


def json_file(folder: Path, name: str, most: int) -> dict[str, Any]:
    """Return a file's JSON object; raises NotAdaptable if it holds no object, or more than ``most`` bytes."""
    path = regular(folder, name)
    if path is None:
        raise NotAdaptable(f"{folder.name} has no {name}: what is opened is a folder as save_pretrained writes it")
    return parsed(content(path, most), f"{folder.name} has a {name}")


def names_in(folder: Path, endings: Iterable[str]) -> list[str]:
    """Return the names in a folder with such endings, in order; raises NotAdaptable for an unreadable folder."""
    try:
        names = sorted(entry.name for entry in os.scandir(folder))
    except OSError as error:
        raise NotAdaptable(f"{folder.name} cannot be read: let the user of this program read it") from error
    return [name for name in names if name.endswith(tuple(endings))]
