"""Validation of values from callbacks and addresses. Every input is untrusted, like a body of an API request."""

from collections.abc import Mapping
from typing import Annotated, Any, Self, TypeVar, get_args

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, ValidationError, field_validator, model_validator

from routescope_app.api.schemas.base import (
    MOST_SAMPLES,
    MOST_UNITS,
    AblationKind,
    DistributionName,
    ModelId,
    SampleId,
    SetName,
    UnitName,
)
from routescope_app.api.schemas.interventions import ADDRESSES, MAX_ITERATIONS, bounds_of
from routescope_app.api.schemas.logs import LogId
from routescope_app.dashboard.address import AddressFormat

OFFERED_ITERATIONS = 16  # by the pages; the service accepts more
MOST_PAGES = 100_000
LABELS = 1_000
MOST_LOGGED = 10_000_000  # sequences of a log, and tokens of one

Model = TypeVar("Model", bound=BaseModel)


class NotValid(ValueError):
    """An input that no control of the page sends; the message says what would be accepted."""


class Input(BaseModel):
    """Base of everything that a browser sends."""

    model_config = ConfigDict(extra="ignore", frozen=True, allow_inf_nan=False)

    @classmethod
    def read(cls, value: object) -> Self:
        """Validate ``value``; raises NotValid."""
        try:
            return cls.model_validate({} if value is None else value)
        except ValidationError as error:
            places = ", ".join(
                sorted({".".join(map(str, error["loc"])) or "value" for error in error.errors(include_url=False)})
            )
            raise NotValid(f"The page sent something that is not accepted ({places[:120]}).") from None

    @classmethod
    def of_query(cls, query: Mapping[str, Any]) -> Self:
        """Read the query of an address; whatever in it is not valid is left out (:meth:`unread`)."""
        return cls._parts(query)[0]

    @classmethod
    def unread(cls, query: Mapping[str, Any]) -> list[str]:
        """The names of what ``of_query`` leaves out of a query, as it is not valid."""
        return cls._parts(query)[1]

    @classmethod
    def _parts(cls, query: Mapping[str, Any]) -> tuple[Self, list[str]]:
        asked = {name: query[name] for name in cls.model_fields if query.get(name) not in (None, "")}
        given = dict(asked)
        while True:
            try:
                return cls.model_validate(given), [name for name in asked if name not in given]
            except ValidationError as error:
                wrong = {str(error["loc"][0]) for error in error.errors(include_url=False) if error["loc"]}
                if not wrong & given.keys():
                    return cls(), list(asked)
                given = {name: value for name, value in given.items() if name not in wrong}


def split(value: object) -> object:
    """``"f1,f2"`` as a list."""
    return [part for part in value.split(",") if part] if isinstance(value, str) else value


NUMBER = r"-?\d{1,3}(\.\d{1,3})?"
#: Of a polygon: three or more pairs of x and y.
CORNERS = rf"{NUMBER}(,{NUMBER}){{5,127}}"
#: The part of a picture that is in view: x, y and zoom.
View = Annotated[str, Field(pattern=rf"^{NUMBER},{NUMBER},{NUMBER}$"), AddressFormat("view", slides=True)]


#: Names of units, or in an address ranges such as ``m3..m9``, which the page reads (lib/units.js).
Units = Annotated[tuple[UnitName, ...], BeforeValidator(split), Field(max_length=MOST_UNITS), AddressFormat("units")]
#: Share of a model's links that is kept.
Edges = Annotated[float, bounds_of("keep_edges"), AddressFormat(slides=True, role="edges")]
Iterations = Annotated[
    int,
    bounds_of("iterations", least=1),
    AddressFormat(offered=tuple(range(1, OFFERED_ITERATIONS + 1)), role="iterations"),
]
Muted = Annotated[Units, AddressFormat("units", role="mute")]
Dropped = Annotated[Units, AddressFormat("units", role="drop")]
#: How many experts a token takes at every layer (None: as trained).
TopK = Annotated[int, bounds_of("top_k"), AddressFormat(role="top_k")]
#: How many units of least connectivity are left out.
Least = Annotated[int, Field(ge=0, le=MOST_UNITS), AddressFormat(slides=True, role="least")]


class Selection(Input):
    """The model and the sample that every page is about."""

    model: Annotated[ModelId, AddressFormat(checked=True)] | None = None
    sample: Annotated[SampleId, AddressFormat(checked=True)] | None = None


class InterventionChoice(Input):
    """The muted and dropped units, the share of kept links, and the number of iterations (None: as trained)."""

    mute: Muted = ()
    drop: Dropped = ()
    edges: Edges | None = None
    iterations: Iterations | None = None

    @field_validator("mute", "drop")
    @classmethod
    def _once_each(cls, units: tuple[str, ...]) -> tuple[str, ...]:
        return tuple(dict.fromkeys(units))

    @model_validator(mode="after")
    def _one_way_each(self) -> Self:
        if both := set(self.mute) & set(self.drop):
            object.__setattr__(self, "mute", tuple(unit for unit in self.mute if unit not in both))
        return self

    @property
    def fields(self) -> dict[str, Any]:
        """The fields of an intervention that are set, as the API takes them."""
        values = {field: getattr(self, address, None) for address, field in ADDRESSES.items()}
        return {field: value for field, value in values.items() if value not in (None, ())}


class PathChoice(InterventionChoice):
    """Intervention and experts a token; names may be rules and kept sets of units."""

    top_k: TopK | None = None


def _form(of: Any) -> str:
    """The pattern of an id, to stand within another."""
    return str(get_args(of)[1].pattern).strip("^$")


LONGEST_PIN = 8_000  # characters
_UNITS = r"(set:[0-9a-f]{16}|[^:,\s]+)"
_PINNED = dict.fromkeys(get_args(AblationKind), f"{_UNITS}(,{_UNITS})*") | {
    "edges": r"(1|0(\.[0-9]{1,18})?|[1-9](\.[0-9]{1,17})?e-([7-9]|[1-9][0-9]))",
    "iterations": f"({'|'.join(str(count) for count in range(MAX_ITERATIONS, 0, -1))})",
    "top_k": r"[1-9][0-9]{0,2}",
}
#: What is pinned, as the page writes and reads it (lib/navigation/pinned.js): a model, a sample or none, and what is
#: done to them, in this order and each with its name, with colons between all of it.
PIN = f"^{_form(ModelId)}:({_form(SampleId)})?{''.join(f'(:{name}:{value})?' for name, value in _PINNED.items())}$"


class PinChoice(Input):
    """Pinned view A, compared with the displayed view B; None if nothing is pinned."""

    pin: Annotated[str, Field(pattern=PIN, max_length=LONGEST_PIN), AddressFormat(role="pin")] | None = None


def is_rule(name: str) -> bool:
    """Return whether a name is a rule or a kept set of units, which the service resolves."""
    return ":" in name or name.endswith("*")


Sets = Annotated[tuple[SetName, ...], BeforeValidator(split), Field(max_length=64), AddressFormat(role="data")]


SAMPLES = (200, 500, 1_000, 2_000, 3_000)  # on which pages offer to measure accuracies


class DropChoice(Input):
    """Measured units, links and data of the page Drop.

    ``units``: names, ranges, and rules that the service resolves (``routescope.routing.rules``): ``l3.*``, ``least:4``.
    ``distribution``: of which of the two importance is shown, where the data sets hold both.
    """

    kind: Annotated[AblationKind, AddressFormat(role="kind")] = "drop"
    units: Annotated[Units, AddressFormat("units", role="units")] = ()
    least: Least = 0
    edges: Edges | None = None
    iterations: Iterations | None = None
    top_k: TopK | None = None
    data: Sets = ()
    samples: Annotated[int, Field(ge=1, le=MOST_SAMPLES), AddressFormat(offered=SAMPLES)] = 1_000
    distribution: DistributionName = "in"

    @field_validator("units", "data")
    @classmethod
    def _once_each(cls, names: tuple[str, ...]) -> tuple[str, ...]:
        return tuple(dict.fromkeys(names))


#: More answers than any sample has.
MOST_CANDIDATES = 99


class ShownStep(Input):
    """The step that is shown, counted from 1."""

    step: Annotated[int, Field(ge=1, le=10_000), AddressFormat(from_zero=True, always=True, role="step")] = 1


class CandidateChoice(Input):
    """Displayed answer, counted from 1, of a sample that a model reads once with each of several answers.

    None: with the one that the model chooses.
    """

    candidate: Annotated[int, Field(ge=1, le=MOST_CANDIDATES)] | None = None


#: A routing log, which a page shows in place of a model and a sample.
Log = Annotated[LogId, AddressFormat(role="log")]


class LogPart(Input):
    """A part of a routing log: a sequence of it and the token that it begins with, both counted from 1."""

    log: Log | None = None
    sequence: Annotated[int, Field(ge=1, le=MOST_LOGGED), AddressFormat(from_zero=True)] = 1
    token: Annotated[int, Field(ge=1, le=MOST_LOGGED), AddressFormat(from_zero=True)] = 1


class ObservedLog(Input):
    """A routing log whose tokens are observed."""

    log: Log | None = None
