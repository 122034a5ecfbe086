"""Routing logs from traces that `routescope trace` wrote as NetCDF, read by h5py without xarray and PyTorch.

An HDF5 file that asks for more than its own bytes is refused before a value is read: links and raw data in other files,
virtual data sets, filters other than gzip, and sizes beyond what a file of its bytes may take.
"""

import math
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import h5py
import numpy as np
from jaxtyping import Float, Num, Shaped

from routescope.nn.experts import NO_EXPERT
from routescope.routing.logs.log import LogError, RoutingLog, Source
from routescope.routing.logs.packing import LONGEST_TEXT, Reading, check_table, cut
from routescope.routing.logs.sentinels import MOST_EXPERTS

if TYPE_CHECKING:
    from routescope.routing.trace import Trace

#: Axes of experts and weights, and of margins.
AXES = ("sample", "token", "step", "slot")
#: Arrays that a log is made of; a trace has others.
FIELDS = ("top_experts", "top_weights", "margin", "token_text", "tokens_left_out", "kept", "step", "sample")
#: Filters of HDF5 that are read: gzip, shuffle and checksums.
_FILTERS = {h5py.h5z.FILTER_DEFLATE, h5py.h5z.FILTER_SHUFFLE, h5py.h5z.FILTER_FLETCHER32}
#: Texts that are read at once take at most about so many bytes, whatever a file says of their lengths.
_AT_ONCE = 32 * 2**20
NO_TRACE = "is no trace of a mixture of experts as `routescope trace --output` writes it"


@dataclass(frozen=True, eq=False)
class _Fields:
    """Arrays of a trace by name, the names of their axes, and the attributes of the trace."""

    arrays: Mapping[str, Shaped[np.ndarray, "..."]]
    axes: Mapping[str, tuple[str, ...]]
    attributes: Mapping[str, Any]

    def along(self, name: str, axes: tuple[str, ...]) -> Shaped[np.ndarray, "..."]:
        """Return an array with its axes ("..." of any number) in this order."""
        return self.arrays[name].transpose([self.axes[name].index(axis) for axis in axes])


def from_trace(trace: "Trace", file: str = "a trace", count: int | None = None) -> RoutingLog:
    """Return the log in the trace of a mixture of experts, without padding.

    A token that no expert took at any layer is no padding where the trace has texts: it stays, without experts.

    Args:
        count: experts of a layer, where the trace does not say it; None: the largest number plus one.

    Raises:
        LogError: a trace of another network, or an expert beyond ``count``.
    """
    dataset = trace.dataset
    if "top_experts" not in dataset:
        raise LogError(
            f"{file} is a trace of {dataset.attrs.get('model', 'a network')}, whose tokens are not routed to experts"
        )
    names = [name for name in FIELDS if name in dataset.variables]
    arrays = {name: np.asarray(dataset[name].values) for name in names}
    axes = {name: tuple(map(str, dataset[name].dims)) for name in names}
    return _log(_Fields(arrays, axes, dataset.attrs), file, count)


def read_trace(path: Path, reading: Reading) -> RoutingLog:
    """Return the log of a saved trace as ``from_trace``; raises LogError for other, damaged or large files."""
    try:
        with h5py.File(path, "r") as file:
            fields = _fields(file, reading, path)
        return _log(fields, path.name, reading.experts)
    except (LogError, MemoryError):
        raise
    except Exception as error:  # damaged files fail in many ways
        raise LogError(f"{path.name} {NO_TRACE}; it may be damaged") from error


def _fields(file: h5py.File, reading: Reading, path: Path) -> _Fields:
    if len(file) > 1_000:
        raise LogError(f"{path.name} has {len(file):,} arrays; a trace has fewer than 1,000")
    sets = {name: file[name] for name in FIELDS if isinstance(file.get(name, getlink=True), h5py.HardLink)}
    sets = {name: array for name, array in sets.items() if isinstance(array, h5py.Dataset)}
    attributes = {
        name: cut(_text(file.attrs[name]))
        for name in ("model", "revision", "unverified_routing")
        if name in file.attrs and file.attrs.get_id(name).get_storage_size() <= LONGEST_TEXT * 8
    }
    if "top_experts" not in sets:
        raise LogError(f"{path.name} {NO_TRACE}: it has no array top_experts")
    size = 0
    for name, array in sets.items():
        size += _checked(name, array, path.name)
        reading.check_size(size, path.name)
    axes = {name: tuple(_axis(array, position) for position in range(array.ndim)) for name, array in sets.items()}
    for name, wanted in (("top_experts", AXES), ("top_weights", AXES), ("margin", AXES[:3]), ("token_text", AXES[:2])):
        if name in axes and sorted(axes[name]) != sorted(wanted):
            raise LogError(f"{path.name} {NO_TRACE}: the axes of {name} are not {', '.join(wanted)}")
    sides: dict[str, int] = {}
    for name, array in sets.items():
        for axis, side in zip(axes[name], array.shape, strict=True):
            if sides.setdefault(axis, side) != side:
                raise LogError(f"{path.name} {NO_TRACE}: arrays have different numbers of {axis[:20]}s")
    check_table(sides["step"], sides["slot"], path.name)
    arrays = {name: _taken(array, path.stat().st_size) for name, array in sets.items() if name != "kept"}
    if "kept" in sets:  # of which the number of experts is wanted alone
        arrays["kept"] = np.broadcast_to(np.zeros((), dtype=bool), sets["kept"].shape)
    return _Fields(arrays, axes, attributes)


def _checked(name: str, array: h5py.Dataset, file: str) -> int:
    """Return the bytes that an array takes; raise LogError for values, places or filters that traces do not have."""
    layout = array.id.get_create_plist()
    filters = {layout.get_filter(position)[0] for position in range(layout.get_nfilters())}
    if array.is_virtual or array.external or not filters <= _FILTERS:
        raise LogError(f"{file}: {name} lies in other files, or is packed by another filter than gzip; save it again")
    texts = h5py.check_string_dtype(array.dtype) is not None
    if not texts and (array.dtype.kind not in "biuf" or array.dtype.itemsize > 8):
        raise LogError(f"{file}: {name} holds neither numbers nor texts")
    count = math.prod(array.shape)
    if texts and array.dtype.kind == "S" and array.dtype.itemsize > LONGEST_TEXT * 8:
        raise LogError(f"{file}: {name} has texts of more than {LONGEST_TEXT} characters")
    width = 128 if texts else array.dtype.itemsize
    of_chunk = math.prod(array.chunks or (0,)) * array.dtype.itemsize
    return 0 if name == "kept" else max(count * width, of_chunk)


def _axis(array: h5py.Dataset, position: int) -> str:
    """Return the name of an axis: of the scale beside it, or of the array itself where it is a scale."""
    if array.is_scale:
        return str(array.name).strip("/")
    scales = array.dims[position]
    return str(scales[0].name).strip("/") if len(scales) else f"axis {position}"


def _taken(array: h5py.Dataset, size: int) -> Shaped[np.ndarray, "..."]:
    """Return the values of an array; texts are read a few at a time and cut, as many may share one long text."""
    if h5py.check_string_dtype(array.dtype) is None:
        values: np.ndarray = array[()]
        return values
    texts = np.empty(array.shape, dtype=object)
    width = math.prod(array.shape[1:])
    rows = max(1, max(64, _AT_ONCE // max(size, 1)) // max(width, 1))
    for start in range(0, array.shape[0] if array.ndim else 0, rows):
        part = np.asarray(array[start : start + rows], dtype=object)
        texts[start : start + rows] = np.array([cut(_text(text)) for text in part.flat], dtype=object).reshape(
            part.shape
        )
    return texts


def _text(value: object) -> str:
    if isinstance(value, bytes):
        return value[: LONGEST_TEXT * 8].decode("utf-8", "replace")
    return str(value)


def _log(fields: _Fields, file: str, count: int | None) -> RoutingLog:
    arrays = fields.arrays
    experts = _whole(fields.along("top_experts", AXES), file)
    present = (experts != NO_EXPERT).any(axis=(2, 3))
    texts: tuple[str, ...] | None = None
    if "token_text" in arrays:
        every = fields.along("token_text", AXES[:2])
        present |= every != ""
        texts = tuple(cut(str(text), LONGEST_TEXT) for text in every[present])
    names = tuple(str(name) for name in arrays["step"]) if "step" in arrays else ()
    if any(not name.removeprefix("l").isdecimal() or len(name) > 7 for name in names):
        raise LogError(f"{file}: layers of a trace are called l1, l2 and so on, not {', '.join(names)[:80]}")
    weights: Float[np.ndarray, "token layer slot"] | None = None
    if "top_weights" in arrays:
        weights = np.nan_to_num(fields.along("top_weights", AXES)[present], nan=0.0).astype(np.float16)
    margin = fields.along("margin", AXES[:3])[present].astype(np.float32) if "margin" in arrays else None
    notes = []
    if unverified := fields.attributes.get("unverified_routing"):
        notes.append(f"Unverified routing: {unverified}.")
    if "tokens_left_out" in arrays and (left_out := int(arrays["tokens_left_out"].sum())):
        notes.append(f"The trace left out {left_out:,} tokens at the ends of its texts, which were cut to its context.")
    counted = "kept" not in arrays and count is None
    assumed = []
    if "kept" in arrays and "unit" in fields.axes["kept"]:
        count = arrays["kept"].shape[fields.axes["kept"].index("unit")]
    elif count is None:
        count = int(experts.max(initial=0)) + 1
        assumed.append(f"The trace does not say the number of experts: {count} assumed, the highest seen (--experts).")
    if not 1 <= count <= MOST_EXPERTS:
        raise LogError(f"{file}: a layer has {count:,} experts; 1 to {MOST_EXPERTS:,} are read")
    samples = arrays.get("sample", np.arange(len(present)))
    attributes = fields.attributes
    return RoutingLog(
        source=Source(
            "Routescope trace", f"of {attributes.get('model', 'a model')} {attributes.get('revision', '')}", file
        ),
        layers=names,
        indices=tuple(int(name.removeprefix("l")) - 1 for name in names),
        num_experts=count,
        experts=experts[present].astype(np.int16),
        sequence=np.repeat(np.arange(len(present), dtype=np.int32), present.sum(axis=1)),
        sequences=tuple(cut(str(name)) for name in samples),
        weights=weights,
        margin=margin,
        token_texts=texts,
        counted=counted,
        assumed=tuple(assumed),
        notes=(*assumed, *notes),
    )


def _whole(experts: Num[np.ndarray, "..."], file: str) -> Num[np.ndarray, "..."]:
    """Return experts without NaN; raise LogError for experts that 16 bits cannot number."""
    if experts.dtype.kind == "f":
        experts = np.nan_to_num(experts, nan=NO_EXPERT, posinf=MOST_EXPERTS, neginf=-MOST_EXPERTS)
    if experts.size and not NO_EXPERT <= experts.min() <= experts.max() < MOST_EXPERTS:
        raise LogError(f"{file}: experts are numbered from 0 to {MOST_EXPERTS - 1}, and -1 is none")
    return experts
