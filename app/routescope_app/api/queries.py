"""Lists in queries, and interventions as queries write them: ``drop=f1,f2&top_k=3&gates=1.3:0.5,E:1``."""

from collections.abc import Callable, Iterable
from functools import partial
from inspect import Parameter, Signature
from typing import Annotated, Any

from fastapi import Depends, Query
from pydantic import Field

from routescope_app.api.schemas.interventions import OPTIONS, bounds_of
from routescope_app.services.errors import NotAccepted

#: Characters of a list of names: m1 to m1024 are 5,036.
LONGEST_LIST = 8_192
#: Form of a field -> its type, its default, and how a query writes it.
_WRITTEN: dict[str, tuple[Any, Any, str]] = {
    "units": (str, "", " Commas between names: f1,f2."),
    "routes": (str, "", " Commas between routes: A>1.3,1.3>2.1."),
    "gates": (str, "", " Commas between gates: 1.3:0.5,E:1."),
    "count": (int | None, None, ""),
    "share": (float | None, None, ""),
}


def names(text: str) -> list[str]:
    """Split a list at its commas."""
    return [name for name in text.split(",") if name]


def gates_of(text: str) -> list[tuple[str, float]]:
    """Return the gates of a text such as ``1.3:0.5,E:1``, by block; raises NotAccepted for other texts."""
    try:
        return [(block, float(gate)) for block, _, gate in (entry.partition(":") for entry in names(text))]
    except ValueError:
        raise NotAccepted("Gates are blocks with a number from 0 to 1 each: 1.3:0.5,E:1.") from None


def _fields_of(values: dict[str, Any]) -> dict[str, Any]:
    readers = {"units": names, "routes": names, "gates": gates_of}
    return {
        name: readers[form](value) if (form := OPTIONS[name].form) in readers else value
        for name, value in values.items()
    }


def intervention_query(fields: Iterable[str]) -> Any:
    """Return the dependency of a route whose query has fields of an intervention.

    The route gets a function without arguments that returns the fields, or raises NotAccepted.
    """

    def query(**values: Any) -> Callable[[], dict[str, Any]]:
        return partial(_fields_of, values)

    parameters = []
    for name in fields:
        kind, default, written = _WRITTEN[OPTIONS[name].form]
        described = Query(description=OPTIONS[name].help + written)
        bounds = Field(max_length=LONGEST_LIST) if kind is str else bounds_of(name)
        parameters.append(
            Parameter(name, Parameter.KEYWORD_ONLY, default=default, annotation=Annotated[kind, bounds, described])
        )
    query.__signature__ = Signature(parameters)  # type: ignore[attr-defined]
    return Depends(query)
