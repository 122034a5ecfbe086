"""Options of commands that change the routing, made from the fields of ``routescope.routing.Intervention``."""

import inspect
from collections.abc import Callable, Iterable
from functools import wraps
from typing import TYPE_CHECKING, Annotated, Any

import typer

from routescope.api import names
from routescope.cli.console import err, escape, fail
from routescope.routing.options import OPTIONS

if TYPE_CHECKING:
    from routescope.nn.network import Network
    from routescope.routing.intervention import Intervention

#: Default of a parameter that ``changes_routing`` always passes.
PASSED: Any = None


def flag_of(name: str, suffix: str = "") -> str:
    """Return the option of a field: ``--keep-edges`` of ``keep_edges``."""
    return f"--{name.replace('_', '-')}{suffix}"


def changes_routing(
    fields: Iterable[str], parameter: str = "intervention", suffix: str = "", of: str = ""
) -> Callable[[Callable[..., None]], Callable[..., None]]:
    """Return a decorator that offers fields of an intervention as options, in place of a command's parameter.

    Args:
        fields: of the intervention.
        parameter: gets the intervention.
        suffix: ends the name of every option, such as ``-a``.
        of: begins the help of every option, such as "Model A."
    """
    offered = {name + suffix.replace("-", "_"): name for name in fields}

    def decorated(command: Callable[..., None]) -> Callable[..., None]:
        @wraps(command)
        def run(**values: Any) -> None:
            given = {offered[name]: values.pop(name) for name in list(values) if name in offered}
            command(**values, **{parameter: read(given)})

        signature = inspect.signature(command)
        options = [_parameter(name, field, suffix, of) for name, field in offered.items()]
        parameters = [
            replaced
            for declared in signature.parameters.values()
            for replaced in (options if declared.name == parameter else [declared])
        ]
        run.__annotations__ = {name: kind for name, kind in command.__annotations__.items() if name != parameter}
        run.__signature__ = signature.replace(parameters=parameters)  # type: ignore[attr-defined]
        return run

    return decorated


def _parameter(name: str, field: str, suffix: str, of: str) -> inspect.Parameter:
    option = OPTIONS[field]
    kind: Any = {"count": int | None, "share": float | None}.get(option.form, str | None)
    words = " ".join(part for part in (of, option.help, option.written) if part)
    declared = typer.Option(flag_of(field, suffix), help=words, metavar=option.metavar)
    annotation = Annotated[kind, declared]
    return inspect.Parameter(name, inspect.Parameter.POSITIONAL_OR_KEYWORD, default=None, annotation=annotation)


def read(values: dict[str, Any]) -> "Intervention":
    """Return the intervention that the values of options describe; raises InterventionError."""
    from routescope.routing.intervention import Intervention

    readers: dict[str, Callable[[str], Any]] = {"units": names, "routes": names, "gates": _gates}
    return Intervention(
        **{
            name: readers[form](value) if (form := OPTIONS[name].form) in readers else value
            for name, value in values.items()
            if value is not None
        }
    )


def _gates(text: str) -> tuple[tuple[str, float], ...]:
    try:
        return tuple((block.strip(), float(gate)) for block, _, gate in (part.partition("=") for part in names(text)))
    except ValueError:
        fail(f"{text!r} is not a list of gates; give each block a number from 0 to 1, such as 1.3=0.5,E=1.")


def with_units(intervention: "Intervention", network: "Network", split: str) -> "Intervention":
    """Return the intervention with units in place of rules and files; assumptions are printed on standard error."""
    from routescope.api.interventions import resolved

    def say(line: str) -> None:
        err.print(escape(line), style="dim", soft_wrap=True)

    with err.status("Reading units"):
        return resolved(intervention, network, split, say)
