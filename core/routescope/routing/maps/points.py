"""Types as points: where every token of some samples stood on the type sphere, step after step.

Where units, and not tokens, carry the states of a network, its units are the points: their states, as unit vectors.
"""

import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Literal, Self, get_args

import numpy as np
import xarray as xr
from jaxtyping import Float32, Int32, Shaped

from routescope.data.samples import Samples
from routescope.nn.network import Network, RedrawableNetwork
from routescope.nn.shown import short_repr
from routescope.routing.files import load_dataset, save_dataset
from routescope.routing.intervention import Intervention
from routescope.routing.listening import names_along
from routescope.routing.running import Routed, routed, whole_passes

#: Tokens that give points: image patches, numbers of a point, or panels of a matrix; CLS tokens; or both.
Tokens = Literal["patches", "cls", "all"]
PREFIXES: Mapping[str, tuple[str, ...]] = {
    "patches": ("patch:", "number:", "panel:", "answer:"),
    "cls": ("cls:",),
    "all": ("",),
}
#: Fields that give points: types and compatibilities of tokens, or states of units; the first present ones are used.
SOURCES = (("types", "compatibility"), ("states",))
#: Groupings of points, each an axis of colour.
LABELLINGS = ("step", "sample", "token", "unit", "label", "domain", "correct")
NAMES = ("steps", "tokens", "units", "labels", "domains", "sample_ids")


@dataclass(frozen=True, eq=False)
class TypePoints:
    """Types t_i (Equation 2) of some tokens at every step, one point each, ordered by sample, step and token.

    For a network whose units carry its states, the states of the units at every step, as unit vectors: ``token`` and
    ``unit`` are then both the unit, and there are no signatures, which lie in another space.

    Attributes:
        types: unit vectors.
        step, sample, token, unit, label, domain: positions in ``steps``, ``sample_ids``, ``tokens``, ``units``,
            ``labels`` and ``domains``. ``unit`` is the unit of largest compatibility at that step, -1 where the token
            matches none; ``label`` and ``domain`` are those of the sample; a label is -1 where heads have none.
        correct: 1 where the prediction for the whole sample is right, 0 where it is wrong, -1 without labels.
        signatures: s_u of every unit, as unit vectors, in the order of ``units``; all units, dropped or not. None (0
            rows) where points are states.
        steps, tokens, units, labels, domains: names, of all that the model has.
        sample_ids: names such as ``mnist.validation.17``.
        attrs: model, revision, intervention (canonical JSON), which tokens ("units" where these are the points).
    """

    types: Float32[np.ndarray, "point d_type"]
    step: Int32[np.ndarray, " point"]
    sample: Int32[np.ndarray, " point"]
    token: Int32[np.ndarray, " point"]
    unit: Int32[np.ndarray, " point"]
    label: Int32[np.ndarray, " point"]
    domain: Int32[np.ndarray, " point"]
    correct: Int32[np.ndarray, " point"]
    signatures: Float32[np.ndarray, "signature d_type"]
    steps: tuple[str, ...]
    tokens: tuple[str, ...]
    units: tuple[str, ...]
    labels: tuple[str, ...]
    domains: tuple[str, ...]
    sample_ids: tuple[str, ...]
    attrs: Mapping[str, str]

    __repr__ = short_repr

    def __len__(self) -> int:
        return len(self.types)

    def take(self, rows: Shaped[np.ndarray, " row"]) -> Self:
        """Return some of the points, by positions or a mask; names and samples stay."""
        taken: dict[str, Any] = {name: getattr(self, name)[rows] for name in ("types", *LABELLINGS)}
        return replace(self, **taken)

    @classmethod
    def join(cls, parts: Iterable[Self]) -> Self:
        """Return the points of several parts of a run, one after the other; raises ValueError without parts."""
        pieces = list(parts)
        if not pieces:
            raise ValueError("there are no points to join: ask for at least one sample")
        starts = np.cumsum([0] + [len(part.sample_ids) for part in pieces[:-1]])
        shifted = [
            replace(part, sample=(part.sample + start).astype(np.int32))
            for part, start in zip(pieces, starts, strict=True)
        ]
        joined: dict[str, Any] = {
            name: np.concatenate([getattr(part, name) for part in shifted]) for name in ("types", *LABELLINGS)
        }
        return replace(pieces[0], **joined, sample_ids=tuple(name for part in pieces for name in part.sample_ids))

    def to_dataset(self) -> xr.Dataset:
        """Return everything with named axes, as ``from_dataset`` reads it."""
        arrays: dict[str, Any] = {name: ("point", getattr(self, name)) for name in LABELLINGS}
        arrays["types"] = (("point", "type_feature"), self.types)
        arrays["signatures"] = (("unit_name", "type_feature"), self.signatures)
        return xr.Dataset(arrays, attrs={"names": json.dumps({n: getattr(self, n) for n in NAMES}), **self.attrs})

    @classmethod
    def from_dataset(cls, dataset: xr.Dataset) -> Self:
        """Read a data set of ``to_dataset``."""
        arrays: dict[str, Any] = {name: dataset[name].values for name in ("types", "signatures", *LABELLINGS)}
        attrs = {str(name): str(value) for name, value in dataset.attrs.items() if name != "names"}
        names: dict[str, Any] = {name: tuple(values) for name, values in json.loads(dataset.attrs["names"]).items()}
        return cls(**arrays, **names, attrs=attrs)

    def save(self, path: str | Path) -> Path:
        """Write one NetCDF file."""
        return save_dataset(self.to_dataset(), path)

    @classmethod
    def load(cls, path: str | Path) -> Self:
        """Read a file of ``save``."""
        return cls.from_dataset(load_dataset(path))


def split_evenly(samples: int, datasets: Sequence[Samples]) -> list[int]:
    """Return samples per data set, as equal as sizes allow; raises ValueError without samples or sets."""
    if samples < 1 or not datasets:
        raise ValueError(f"ask for at least one sample of at least one data set, not {samples} of {len(datasets)}")
    share, over = divmod(samples, len(datasets))
    return [min(len(dataset), share + (k < over)) for k, dataset in enumerate(datasets)]


def type_batches(
    model: Network,
    datasets: Sequence[Samples],
    samples: int | None = None,
    *,
    tokens: Tokens = "patches",
    intervention: Intervention | None = None,
    grid: Iterable[range] | None = None,
    start: int = 0,
) -> Iterator[TypePoints]:
    """Yield the points of the first samples of each data set, one batch at a time; ``TypePoints.join`` joins them.

    Args:
        model: a network with the probes ``types`` and ``compatibility``, or ``states`` of units.
        samples: number in all, split evenly over the data sets; None: every sample.
        tokens: kind of tokens that give points; where units are the points, all that are not dropped do.
        intervention: units to drop and mute, and number of iterations.
        grid: batches of each data set, of those that ``routescope.routing.running.whole_passes`` gives; None: all.
        start: number of samples, over all data sets in turn, whose points are known already and left out.

    Raises:
        ValueError: no samples, unknown tokens, a data set without a head, a run without steps, or a network that
            reports neither.
        InterventionError: units that the model lacks.
    """
    if tokens not in get_args(Tokens):
        raise ValueError(f"tokens must be one of {', '.join(get_args(Tokens))}, not {tokens!r}")
    counts = [len(dataset) for dataset in datasets] if samples is None else split_evenly(samples, datasets)
    for dataset in datasets:
        model.head_of(dataset.domain)
    intervention, fields = intervention or Intervention(), source_of(model)
    intervention.validate(model)
    if not _steps(model, intervention):
        raise ValueError("types are inferred at every step: run at least one iteration")
    for dataset, count in zip(datasets, counts, strict=True):
        done = min(start, count)
        start -= done
        wanted = whole_passes(model, count, done) if grid is None else grid
        for batch in routed(model, dataset, count, intervention, fields, grid=wanted):
            if batch is not None:
                yield _points(model, dataset, batch, tokens, intervention)


def source_of(model: Network) -> tuple[str, ...]:
    """Return the fields that give a network's points, one of ``SOURCES``; raise ValueError without them."""
    fields = model.fields
    for names in SOURCES:
        if all(name in fields for name in names) and (names[0] != "states" or "unit" in fields["states"].dims):
            return names
    raise ValueError(f"points need types and compatibility, or states of units; there are {', '.join(fields)}")


def _steps(model: Network, intervention: Intervention) -> tuple[str, ...]:
    return names_along(model, model.fields[source_of(model)[0]].along, intervention.iterations_on(model))


def type_points(
    model: Network,
    datasets: Sequence[Samples],
    samples: int,
    *,
    tokens: Tokens = "patches",
    intervention: Intervention | None = None,
    progress: Callable[[int, int], None] | None = None,
) -> TypePoints:
    """Return all points of :func:`type_batches`; ``progress`` is called with (samples done, in all), its exception
    cancels."""
    parts, done = [], 0
    for part in type_batches(model, datasets, samples, tokens=tokens, intervention=intervention):
        parts.append(part)
        done += len(part.sample_ids)
        if progress is not None:
            progress(done, sum(split_evenly(samples, datasets)))
    return TypePoints.join(parts)


@dataclass(frozen=True)
class _Elements:
    """Tokens or units that give points in one batch: types (sample, step, element, feature), the unit of each, and
    names."""

    types: np.ndarray
    unit: np.ndarray
    chosen: Sequence[int]
    names: tuple[str, ...]
    signatures: np.ndarray
    which: str


def _token_elements(model: Network, batch: Routed, tokens: Tokens) -> _Elements:
    """Return tokens of the chosen kind, with the unit of largest compatibility."""
    chosen = [i for i, name in enumerate(model.tokens) if name.startswith(PREFIXES[tokens])]
    types = np.stack(batch.fields["types"], axis=1)[:, :, chosen]  # (sample, step, token, type_feature)
    C = np.stack(batch.fields["compatibility"]).transpose(2, 0, 3, 1)[:, :, chosen]  # (sample, step, token, unit)
    S, d = types.shape[1], types.shape[-1]
    functions = len(model.coordinates()["unit"])
    scripts = len(model.all_units) // functions
    script = np.arange(S) * scripts // S
    unit = np.where(C.max(axis=-1) > 0, C.argmax(axis=-1) + functions * script[None, :, None], -1)
    constants = model.constants()
    signatures = np.zeros((0, d), np.float32)
    if "signatures" in constants:
        signatures = constants["signatures"][1].detach().float().cpu().numpy().reshape(-1, d)
    return _Elements(types, unit, chosen, model.tokens, signatures, tokens)


def _unit_elements(model: Network, batch: Routed, intervention: Intervention) -> _Elements:
    """Return units that are not dropped, with their states as unit vectors."""
    present = set(model.units) - set(intervention.drop)
    chosen = [u for u, name in enumerate(model.all_units) if name in present]
    dims = model.fields["states"].dims
    order = [dims.index(name) for name in ("sample", "unit", "feature")]
    states = np.stack([part.transpose(order) for part in batch.fields["states"]], axis=1)[:, :, chosen]
    length = np.linalg.norm(states, axis=-1, keepdims=True)
    types = np.divide(states, length, out=np.zeros_like(states), where=length > 0)
    unit = np.broadcast_to(np.array(chosen, dtype=np.int64), types.shape[:-1])
    return _Elements(types, unit, chosen, model.all_units, np.zeros((0, types.shape[-1]), np.float32), "units")


def _points(model: Network, dataset: Samples, batch: Routed, tokens: Tokens, intervention: Intervention) -> TypePoints:
    elements = (
        _token_elements(model, batch, tokens) if "types" in batch.fields else _unit_elements(model, batch, intervention)
    )
    types, rows = elements.types, batch.rows
    B, S, V, d = types.shape
    head = model.head_of(dataset.domain)
    nowhere = np.full(B, -1)
    labels = correct = nowhere  # where heads answer with no label
    if model.all_heads[head].labels:
        labels = dataset.labels[rows.start : rows.stop].numpy()
        correct = batch.out[:, head].argmax(axis=-1) == labels

    def everywhere(values: Any, axis: int) -> np.ndarray:
        shape = [1, 1, 1]
        shape[axis] = -1
        return np.broadcast_to(np.asarray(values).reshape(shape), (B, S, V)).astype(np.int32).ravel()

    points = TypePoints(
        types=types.reshape(-1, d).astype(np.float32),
        step=everywhere(range(S), 1),
        sample=everywhere(range(B), 0),
        token=everywhere(elements.chosen, 2),
        unit=elements.unit.astype(np.int32).ravel(),
        label=everywhere(labels, 0),
        domain=everywhere([head] * B, 0),
        correct=everywhere(correct, 0),
        signatures=elements.signatures,
        steps=_steps(model, intervention),
        tokens=elements.names,
        units=model.all_units,
        labels=model.coordinates()["label"],
        domains=model.config.domains,
        sample_ids=tuple(f"{dataset.name}.{dataset.split}.{row}" for row in rows),
        attrs={
            "model": model.id,
            "revision": model.revision,
            "intervention": intervention.to_json(),
            "which_tokens": elements.which,
        },
    )
    return points if batch.there is None else points.take(~np.isnan(points.types).any(axis=1))  # padding is no point


def at_initialisation(model: Network, seed: int = 0) -> Network:
    """Return the same network with its routing as at initialisation, and everything else as trained.

    Type inference, sigma and, where they are trained, signatures are drawn again from ``seed``; untrained signatures
    (``config.frozen_signatures``) are kept. The given model never changes; the copy shares no parameter with it, and
    its ``revision`` says so.

    Raises:
        ValueError: a network whose routing cannot be drawn again apart from the rest.
    """
    if not isinstance(model, RedrawableNetwork):
        raise ValueError("the routing of this network is not apart from its other parameters: nothing to draw anew")
    initial = model.with_initial_routing(seed)
    initial.eval().requires_grad_(False)
    initial.revision = f"{model.revision}-routing-at-initialisation-{seed}"
    return initial
