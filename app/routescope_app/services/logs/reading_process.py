"""The process that reads routing logs: a request names a file, and the parquet file that is written from it.

Files are passed by their paths, as logs are too large for pipes.
"""

from dataclasses import replace
from pathlib import Path
from typing import Any

import pyarrow.parquet  # noqa: F401  loaded before the first log comes

from routescope.routing.logs import LogError, Reading, read_log
from routescope.routing.logs.facts import facts_of
from routescope.routing.logs.parquet import write_parquet
from routescope_app.services.confined.process import Answer, serve
from routescope_app.services.errors import NotAccepted, sentence


def _answer(head: dict[str, Any], _: bytes) -> Answer:
    try:
        log = read_log(head["path"], Reading(**head["reading"]))
    except LogError as error:
        raise NotAccepted(sentence(error)) from error
    log = replace(log, source=replace(log.source, file=head["name"]))
    write_parquet(log, Path(head["output"]))
    return {"facts": facts_of(log)}, ()


if __name__ == "__main__":
    serve(_answer)
