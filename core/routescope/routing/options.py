"""The options of an intervention: what may be changed, which values are accepted, and how each is offered.

``InterventionData`` is the only declaration of these options. ``Intervention``, the command line, the API, page
addresses and the keyword arguments of ``routescope`` are made from its fields and their ``Option``. The module loads no
PyTorch, so that ``routescope evaluate --help`` is fast.

A route between blocks has the name ``"A>1.3"``: block A is a source of block 1.3. The block tells which Multiplexer is
meant: ``"1.3"`` is in level 1, and ``"E"`` is an output block.
"""

import hashlib
import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, field, fields, replace
from typing import Annotated, Any, Literal, Self, TypedDict, get_args

from pydantic import AfterValidator, BeforeValidator, ConfigDict, Field, StrictInt, StrictStr, ValidationError
from pydantic.dataclasses import dataclass as pydantic_dataclass

from routescope.nn.changes import TO
from routescope.nn.shown import listed, percent

#: Kinds of ablation; a unit that is named in several fields is ablated in the first of these ways only.
Kind = Literal["drop", "mute", "mean", "resample"]
KINDS: tuple[Kind, ...] = get_args(Kind)
#: The kinds that replace the contribution of a unit, and need samples for the replacement.
REPLACING: tuple[Kind, ...] = ("mean", "resample")

#: The largest number of iterations; the cost of a run grows with it.
MAX_ITERATIONS = 64
#: The largest number of experts for each token.
MAX_TOP_K = 1_024


class InterventionError(ValueError):
    """An intervention that is malformed or that a model cannot take; the message says what is accepted."""


@dataclass(frozen=True)
class Option:
    """The form of a field of an intervention outside Python.

    Attributes:
        form: the form of a value: names of units, names of routes, gates by block, a count, or a share from 0 to 1.
        accepts: the accepted values; completes the sentence "FIELD must be".
        help: the effect of the field, for the command line and the API.
        words: the effect in the title of a result, with ``{}`` in place of the value.
        metavar: a value in the help of the command line.
        written: how the command line writes a value, as far as this differs from Python.
        address: the name in addresses of pages; None: the name of the field.
    """

    form: Literal["units", "routes", "gates", "count", "share"]
    accepts: str
    help: str
    words: str
    metavar: str
    written: str = ""
    address: str | None = None

    def shown(self, value: Any) -> str:
        """Return the effect of a value in words, such as "dropped f1"."""
        match self.form:
            case "gates":
                value = listed([f"{block} at {gate:g}" for block, gate in value])
            case "units" | "routes":
                value = listed(value)
            case "share":
                value = percent(value)
        return self.words.format(value)


def ends(route: str) -> tuple[str, str]:
    """Return the source and the block of a route; raises InterventionError for another text."""
    source, arrow, block = route.partition(TO)
    if not source or not arrow or not block or TO in block:
        raise InterventionError(f"{route[:40]!r} is not a route: give its source and its block, such as 'A{TO}1.3'")
    return source, block


def _canonical_routes(routes: tuple[str, ...]) -> tuple[str, ...]:
    for route in routes:
        ends(route)
    return tuple(sorted(set(routes)))


def _canonical_gates(gates: tuple[tuple[str, float], ...]) -> tuple[tuple[str, float], ...]:
    by_block = dict(gates)
    for block, gate in gates:
        if by_block[block] != gate:
            raise InterventionError(f"the gate of {block[:40]!r} must be one number, not two")
    return tuple(sorted(by_block.items()))


#: A share has one form: the absolute value of -0.0 is 0.0.
Share = Annotated[float, Field(ge=0, le=1, strict=True), AfterValidator(abs)]
Units = tuple[StrictStr, ...]
Routes = Annotated[tuple[StrictStr, ...], AfterValidator(_canonical_routes)]
Gates = Annotated[
    tuple[tuple[StrictStr, Share], ...],
    BeforeValidator(lambda gates: tuple(gates.items()) if isinstance(gates, Mapping) else gates),
    AfterValidator(_canonical_gates),
]
Iterations = Annotated[StrictInt, Field(ge=0, le=MAX_ITERATIONS)]
TopK = Annotated[StrictInt, Field(ge=1, le=MAX_TOP_K)]

_UNITS = "a list of unit names such as ['f1', 'f3']"
_ROUTES = f"a list of routes such as ['A{TO}1.3', '1.3{TO}2.1']"


class _Refusing(type):
    """Turns the errors of pydantic into an ``InterventionError`` of one sentence."""

    def __call__(cls, *arguments: Any, **options: Any) -> Any:
        try:
            return super().__call__(*arguments, **options)
        except ValidationError as error:
            first = error.errors(include_url=False, include_input=False)[0]
            refusal = first.get("ctx", {}).get("error")
            if not isinstance(refusal, InterventionError):
                refusal = InterventionError(_sentence(first["type"], first["loc"]))
        raise refusal


def _sentence(problem: str, location: Sequence[int | str]) -> str:
    name = next((str(part) for part in location), "")
    if name not in OPTIONS:
        given = name[:40] if problem == "unexpected_keyword_argument" else "further values"
        return f"an intervention has no field for {given}; it has {', '.join(OPTIONS)}"
    return f"{name} must be {OPTIONS[name].accepts}"


@pydantic_dataclass(frozen=True, config=ConfigDict(extra="forbid"))
class InterventionData(metaclass=_Refusing):
    """Changes to the routing of one computation; the model itself is never changed.

    ::

        rs.score("moe-bytes", "python", limit=8, intervention=rs.Intervention(drop=("l1.e2",), top_k=3))

    Args:
        drop: units to remove; compatibilities are renormalised over the remaining units.
        mute: units whose compatibility is set to 0 after normalisation.
        mean: units whose contribution to a step is replaced by its mean over reference samples, for each step and
            token.
        resample: units whose contribution is replaced by their contribution for another sample.
        iterations: function iterations for each script; None: the model's own number.
        top_k: experts for each token at every layer; None: as trained. Only for mixtures of experts.
        keep_edges: share of the links between remaining units to keep, from 0 to 1: the least probable links are cut;
            None: all. Only for networks that link their units.
        mute_routes: routes between blocks, such as ``"A>1.3"``, that get no weight; the weights of the block's other
            routes are normalised without them. Only for networks that route blocks, as the next two.
        copy_routes: routes that make a block a copy of its source: weight 1, and gate 0 unless ``gates`` has another.
        gates: fixed gates, from 0 (copied) to 1 (computed), by the block's name; a mapping or pairs.

    Order and duplicates do not matter. A unit that is named several times is ablated once: as drop before mute before
    mean before resample. Other changes to a dropped block are ignored, as are other routes of a copied block. All units
    may be dropped. Only drop and mute save compute.

    Raises:
        InterventionError: values of another kind, or out of bounds.
    """

    drop: Annotated[
        Units,
        Option(
            "units",
            _UNITS,
            "Units to remove: tokens are routed to the others.",
            "dropped {}",
            "UNITS",
            "Commas between names (f2,f4). Rules: l3.* (a layer), least:4 (the 4 least used), l3.least:4, share:0.25 "
            "(of every layer). @FILE: a keep-list or names of units.",
        ),
    ] = ()
    mute: Annotated[
        Units,
        Option("units", _UNITS, "Units that add nothing; the others keep their share.", "muted {}", "UNITS"),
    ] = ()
    mean: Annotated[
        Units,
        Option(
            "units",
            _UNITS,
            "Units whose contribution is replaced by its mean over the first 200 samples, for each step and token.",
            "replaced by the mean {}",
            "UNITS",
        ),
    ] = field(default=(), kw_only=True)
    resample: Annotated[
        Units,
        Option(
            "units",
            _UNITS,
            "Units whose contribution is replaced by the one for another sample.",
            "resampled {}",
            "UNITS",
        ),
    ] = field(default=(), kw_only=True)
    iterations: Annotated[
        Iterations | None,
        Option(
            "count",
            f"a whole number from 0 to {MAX_ITERATIONS}",
            "Function iterations or layers to run; as trained by default.",
            "{} iterations",
            "N",
        ),
    ] = None
    top_k: Annotated[
        TopK | None,
        Option(
            "count",
            f"a whole number from 1 to {MAX_TOP_K:,}: the experts for each token at every layer",
            "Experts for each token at every layer; as trained by default. Only for mixtures of experts.",
            "{} experts a token",
            "K",
        ),
    ] = field(default=None, kw_only=True)
    keep_edges: Annotated[
        Share | None,
        Option(
            "share",
            "a share from 0 to 1, such as 0.1",
            "Share of the links between units to keep, 0 to 1: the least probable links are cut. Only for models with "
            "links.",
            "{} of the links kept",
            "SHARE",
            address="edges",
        ),
    ] = field(default=None, kw_only=True)
    mute_routes: Annotated[
        Routes,
        Option(
            "routes",
            _ROUTES,
            "Routes between blocks that get no weight; the other routes of the block share it.",
            "muted routes {}",
            "ROUTES",
            'Commas between routes, in quotation marks ("A>1.3,B>1.3").',
        ),
    ] = field(default=(), kw_only=True)
    copy_routes: Annotated[
        Routes,
        Option(
            "routes",
            _ROUTES,
            "Routes that make a block a copy of its source, one for each block.",
            "forced copies {}",
            "ROUTES",
            'In quotation marks ("A>1.3").',
        ),
    ] = field(default=(), kw_only=True)
    gates: Annotated[
        Gates,
        Option(
            "gates",
            "numbers from 0 (copied) to 1 (computed) by the names of blocks, such as {'1.3': 0, 'E': 1}",
            "Gates to fix, from 0 (copied) to 1 (computed), by block.",
            "fixed gates {}",
            "BLOCK=GATE",
            "Commas between gates (1.3=0,E=0.5).",
        ),
    ] = field(default=(), kw_only=True)

    def __post_init__(self) -> None:
        taken: set[str] = set()
        for kind in KINDS:
            units = set(getattr(self, kind)) - taken
            object.__setattr__(self, kind, tuple(sorted(units)))
            taken |= units
        if self.copy_routes or self.drop:
            self._leave_out_idle_routes()

    def _leave_out_idle_routes(self) -> None:
        """Keep only routes and gates that change something beside drops and copies."""
        gone, copied = set(self.drop), dict[str, str]()
        for route in self.copy_routes:
            source, block = ends(route)
            if block in gone:
                continue
            if source in gone:
                raise InterventionError(f"{block[:40]} cannot be a copy of {source[:40]}, which is dropped")
            if block in copied:
                raise InterventionError(
                    f"{block[:40]} can be a copy of one block only, not of {copied[block][:40]} and of {source[:40]}"
                )
            copied[block] = source
        muted = [route for route in self.mute_routes if not set(ends(route)) & gone and ends(route)[1] not in copied]
        gates = [(block, gate) for block, gate in self.gates if block not in gone and (gate or block not in copied)]
        object.__setattr__(self, "mute_routes", tuple(muted))
        object.__setattr__(self, "copy_routes", tuple(route for route in self.copy_routes if ends(route)[1] in copied))
        object.__setattr__(self, "gates", tuple(gates))

    def to_json(self) -> str:
        """Return canonical JSON: sorted keys, no spaces, and no fields that are not set but drop, mute, iterations."""
        return json.dumps(self.to_dict(), sort_keys=True, separators=(",", ":"))

    def to_dict(self) -> dict[str, Any]:
        """Return the content of ``to_json`` as a dictionary."""
        values = {**asdict(self), "gates": dict(self.gates)}
        always = ("drop", "mute", "iterations")
        return {name: value for name, value in values.items() if name in always or value not in (None, (), {})}

    @classmethod
    def from_json(cls, text: str) -> Self:
        """Read the text of ``to_json``; raises InterventionError for other texts."""
        try:
            return cls(**json.loads(text))
        except (TypeError, json.JSONDecodeError) as error:
            raise InterventionError(f"an intervention is JSON with the fields {', '.join(OPTIONS)}") from error

    def ablating(self, kind: Kind, units: Iterable[str]) -> Self:
        """Return this intervention with further units ablated; raises InterventionError for an unknown kind."""
        if kind not in KINDS:
            raise InterventionError(f"unknown kind of ablation {str(kind)[:40]!r}; there are {', '.join(KINDS)}")
        ablated: dict[str, Any] = {kind: (*getattr(self, kind), *units)}
        return replace(self, **ablated)

    @property
    def digest(self) -> str:
        """Hash of the canonical JSON: equal interventions have equal digests."""
        return hashlib.sha256(self.to_json().encode()).hexdigest()[:16]

    @property
    def units(self) -> frozenset[str]:
        """All units that are ablated, in whatever way."""
        return frozenset(unit for kind in KINDS for unit in getattr(self, kind))

    @property
    def words(self) -> str:
        """The intervention in words, such as "dropped f1, 3 iterations"."""
        values = {name: getattr(self, name) for name in OPTIONS}
        effects = [OPTIONS[name].shown(value) for name, value in values.items() if value not in (None, ())]
        return ", ".join(effects) or "nothing dropped, muted or replaced"

    @property
    def structural(self) -> Self:
        """The part that a view of the network carries out: all but mean and resample."""
        return replace(self, mean=(), resample=())


#: Field of an intervention -> how it is offered outside Python, in the order of the fields.
OPTIONS: dict[str, Option] = {
    declared.name: option
    for declared in fields(InterventionData)
    for option in get_args(declared.type)
    if isinstance(option, Option)
}

#: Names of units or rules: one string with commas between them, or several strings; ``@FILE`` names a file of units.
Names = str | Sequence[str]


class InterventionOptions(TypedDict, total=False):
    """The fields of an intervention as keyword arguments, for type checkers, which need them spelled out."""

    drop: Names
    mute: Names
    mean: Names
    resample: Names
    iterations: int | None
    top_k: int | None
    keep_edges: float | None
    mute_routes: Names
    copy_routes: Names
    gates: Mapping[str, float]
