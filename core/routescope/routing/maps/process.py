"""Program that makes a map of types: ``python -m routescope.routing.maps.process FOLDER``.

It reads ``points.nc`` (``TypePoints.save``) and ``request.json`` ({"method", "seed", "perplexity", "neighbours"}) from
the folder, writes one line of JSON {"done", "total", "what"} to standard output for every step forward, and at the end
``embedding.nc`` (``Embedding.load`` reads it), with the clustering scores in it. The file appears whole or not at all:
killing the process cancels it. Points or settings of which no map can be made end it with status 2 and a last line
{"problem": ...} for people. A lack of memory ends it with status ``OUT_OF_MEMORY``, anything else with status 1 and a
traceback in standard error.
"""

import json
import os
import sys
import traceback
from pathlib import Path
from typing import Any

from routescope import assets
from routescope.routing.maps.embedding import embed
from routescope.routing.maps.methods import EmbeddingError
from routescope.routing.maps.points import TypePoints

#: Politeness towards the service that answers people meanwhile.
NICE = 10
#: The exit status of a process that got no more memory.
OUT_OF_MEMORY = 3


def write(line: dict[str, Any]) -> None:
    """Write one line of JSON, at once."""
    sys.stdout.write(json.dumps(line) + "\n")
    sys.stdout.flush()


def run(folder: Path) -> None:
    """Make the map that a folder asks for.

    Raises:
        EmbeddingError: settings that do not fit the points.
        OSError, ValueError, KeyError, TypeError: a folder without a readable request.
    """
    request = json.loads((folder / "request.json").read_text())
    unknown = set(request) - {"method", "seed", "perplexity", "neighbours"}
    if unknown:
        raise ValueError(f"request.json has method, seed, perplexity and neighbours, and no {', '.join(unknown)}")
    if "method" not in request:
        raise ValueError("request.json names no method")
    points = TypePoints.load(folder / "points.nc")

    def progress(done: int, total: int, what: str) -> None:
        write({"done": done, "total": total, "what": what})

    embed(points, scored=True, progress=progress, **request).save(folder / "embedding.nc")


def main(arguments: list[str]) -> int:
    """Run the map of one folder; return the exit status."""
    if len(arguments) != 1:
        write({"problem": "name one folder, which holds points.nc and request.json"})
        return 2
    os.nice(NICE)
    os.environ.setdefault("OMP_WAIT_POLICY", "PASSIVE")  # or threads that wait take the cores of the service
    # numba keeps what it has compiled, where its own folder cannot be written to.
    if "NUMBA_CACHE_DIR" not in os.environ:
        os.environ["NUMBA_CACHE_DIR"] = str(assets.data_dir() / "numba")
    try:
        run(Path(arguments[0]))
    except EmbeddingError as error:
        write({"problem": str(error)})
        return 2
    except MemoryError:
        traceback.print_exc()
        return OUT_OF_MEMORY
    except Exception:
        traceback.print_exc()  # it may name files of this machine, which are not for those who asked for the map
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
