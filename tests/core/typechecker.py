"""The run-time type checker that tests of `core` use: beartype, but for `Self`, which it takes only on whole classes."""

from typing import Any, Self

from beartype import BeartypeConf, FrozenDict, beartype

#: Where arrays are annotated with their shapes.
CHECKED = ("core.nn", "core.routing.probe")

check = beartype(conf=BeartypeConf(hint_overrides=FrozenDict({Self: Any})))
