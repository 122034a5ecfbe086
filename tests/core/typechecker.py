"""The run-time type checker of the tests of `core`: beartype, but for `Self`, which it takes on whole classes only."""

from typing import Any, Self

from beartype import BeartypeConf, FrozenDict, beartype

#: Where arrays are annotated with their shapes.
CHECKED = (
    "routescope.nn",
    "routescope.routing.recording",
    "routescope.routing.caused.effects",
    "routescope.routing.caused.intervals",
)

check = beartype(conf=BeartypeConf(hint_overrides=FrozenDict({Self: Any})))
