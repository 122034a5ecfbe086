"""Trace of some samples: everything about their routing, with named axes, in one file."""

import json
import platform
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from importlib.metadata import version
from pathlib import Path
from typing import TYPE_CHECKING, Self

import numpy as np
import torch
import xarray as xr
from jaxtyping import Shaped
from torch import Tensor

from routescope.assets import installed_version
from routescope.nn.network import NUMBER_AXES, LinkedNetwork, Network
from routescope.nn.shown import html, shortened
from routescope.routing.files import load_dataset, save_dataset
from routescope.routing.flow import graph_of
from routescope.routing.graphs.matching import matched
from routescope.routing.graphs.order import prior_order
from routescope.routing.graphs.priors import prior
from routescope.routing.interactive import Interactive, InteractiveFigure
from routescope.routing.intervention import Intervention
from routescope.routing.listening import names_along
from routescope.routing.paths import Paths

if TYPE_CHECKING:
    from networkx import DiGraph

    from routescope.nn.windows import Truncation

#: Axis order of a recorded field: these first, whatever order the network holds them in.
LEADING = ("sample", "step", "layer", "loc")
#: Name -> names of axes, and numbers: what a trace holds that depends on no sample.
Constants = dict[str, tuple[tuple[str, ...], Tensor]]


@lru_cache(maxsize=1)
def library_versions() -> Mapping[str, str]:
    """Versions of what a result depends on; looked up once, as each look-up takes milliseconds."""
    return {
        "routescope": installed_version(),
        "python": platform.python_version(),
        **{name: version(name) for name in ("torch", "numpy", "xarray")},
    }


@dataclass(frozen=True)
class Trace(Interactive):
    """All routing of some samples through one model.

    ::

        trace = rs.record("ni-digits", "mnist", limit=2)
        trace.paths().plot()
        trace.save("trace.nc")  # rs.Trace.load("trace.nc") reads it

    ``dataset`` holds compatibility (sample, step, unit, token), types (sample, step, token,
    type_feature), logits (sample, domain, label), signatures (script, unit, type_feature), sigma
    (script), kept and muted (script, unit) and what else was asked for; what a network reports once a
    forward has no axis step, and what it reports once a layer has the axis layer in its place. The axes unit
    and sender always have all units of the model; a unit that does not compute has zeros. ``contributions``
    are NaN for the tokens that the last step leaves out. Networks whose tokens are routed to experts have
    top_experts, top_weights (sample, step, token, slot) and margin (sample, step, token), as
    ``routescope.nn.mixture.routed`` says; those of text have token_text (sample, token), "" for padding, and nats
    (sample, domain, token) instead of logits; of a text that is longer than the context they hold the first tokens, and
    the coordinates tokens_left_out and bytes_left_out (sample) count the rest. Networks of blocks have
    multiplexer_weights (sample, step, source, block) and gates (sample, step, block), with the places of the largest
    level: what a level has not, or was dropped, is NaN, and the attribute ``levels`` names the blocks of each level
    (see ``routescope.routing.blocks.making``).
    Attributes: model, revision, intervention, seed, versions.
    """

    dataset: xr.Dataset

    def __repr__(self) -> str:
        """Return its model, the sizes of its axes, and the names of its fields."""
        sizes = {axis: size for axis, size in self.dataset.sizes.items() if axis in ("sample", "step", "unit", "token")}
        facts: dict[str, object] = {
            "model": self.dataset.attrs.get("model", ""),
            **{str(k): n for k, n in sizes.items()},
        }
        return shortened("Trace", {**facts, "fields": ", ".join(map(str, self.dataset.data_vars))[:200]})

    def _repr_html_(self) -> str:
        """Return the tokens of the first sample with their experts, or the units that tokens go through by step."""
        sizes = {str(axis): size for axis, size in self.dataset.sizes.items()}
        facts = {"model": self.dataset.attrs.get("model", ""), "intervention": self.intervention.words}
        facts |= {axis: sizes[axis] for axis in ("sample", "step", "unit", "token") if axis in sizes}
        facts |= {"fields": ", ".join(map(str, self.dataset.data_vars))}
        if "top_experts" in self.dataset:
            experts = self.dataset["top_experts"].isel(sample=0).transpose("token", "step", "slot")
            texts = (
                self.dataset["token_text"].values[0] if "token_text" in self.dataset else self.dataset["token"].values
            )
            rows = (
                (repr(str(text)), *(" ".join(f"e{expert + 1:.0f}" for expert in step if expert >= 0) for step in token))
                for text, token in zip(texts, experts.values, strict=True)
                if str(text)  # padding has no text
            )
            return html("Trace: experts of each token of the first sample", facts, ("token", *self._steps), rows)
        rows = (
            (step, ", ".join(f"{unit} {count}" for unit, count in counts.items()))
            for step, counts in dominant_units(self).items()
        )
        columns = ("step", "tokens of the first sample by their dominant unit") * ("compatibility" in self.dataset)
        return html("Trace", facts, columns, rows)

    def interactive_figure(self) -> InteractiveFigure | None:
        """Return paths of tokens, ribbons of blocks, or links of a circuit; None where a notebook can hold none."""
        from routescope.plots.widgets.data import blocks_figure, links_figure, paths_figure

        return paths_figure(self) or blocks_figure(self) or links_figure(self)

    @property
    def _steps(self) -> list[str]:
        return [str(name) for name in self.dataset["step"].values]

    def __getitem__(self, field: str) -> xr.DataArray:
        return self.dataset[field]

    def samples(self) -> "list[Trace]":
        """Return each sample's own trace, in their order, as if it had been recorded alone; arrays without samples are
        shared.

        Arrays are copied, so that one trace does not keep all others in memory.
        """
        return [Trace(self._only(position)) for position in range(self.dataset.sizes["sample"])]

    def _only(self, position: int) -> xr.Dataset:
        dataset = self.dataset.isel(sample=[position])
        for name, array in dataset.variables.items():
            if "sample" in array.dims:
                # Texts are as wide as their longest one, which may be another sample's.
                values = np.array(array.values.tolist(), dtype=str) if array.dtype.kind == "U" else array.values.copy()
                dataset[name] = (array.dims, values.reshape(array.shape))
        return dataset

    @property
    def intervention(self) -> Intervention:
        """The intervention under which the samples ran."""
        return Intervention.from_json(self.dataset.attrs["intervention"])

    def save(self, path: str | Path) -> Path:
        """Write one NetCDF file."""
        encoding = {name: {"zlib": True, "complevel": 4} for name, array in self.dataset.items() if array.ndim}
        return save_dataset(self.dataset, path, encoding=encoding)

    @classmethod
    def load(cls, path: str | Path) -> Self:
        """Read a file of ``save``."""
        return cls(load_dataset(path))

    def predictions(self) -> list[dict[str, np.ndarray]]:
        """Return each sample's label probabilities by domain; raises ValueError if heads have no labels."""
        if "logits" not in self.dataset or self.dataset["logits"].dims != ("sample", "domain", "label"):
            raise ValueError("this model has no class labels")
        logits = self.dataset["logits"].values.astype(np.float64)
        exp = np.exp(logits - logits.max(axis=-1, keepdims=True))
        probabilities = exp / exp.sum(axis=-1, keepdims=True)
        domains = [str(d) for d in self.dataset["domain"].values]
        return [dict(zip(domains, sample, strict=True)) for sample in probabilities]

    def numbers(self) -> list[dict[str, float]]:
        """Return for every sample the number that each domain's head answers; empty where it answers with something
        else."""
        numbers = next((array for array in self.dataset.values() if array.dims == NUMBER_AXES), None)
        if numbers is None:
            return [{} for _ in self.dataset["sample"].values]
        domains = [str(d) for d in self.dataset["domain"].values]
        return [dict(zip(domains, map(float, sample[:, 0]), strict=True)) for sample in numbers.values]

    def paths(self) -> Paths:
        """Return the computational paths of the samples."""
        return Paths.of(self.dataset)

    def graph(self, sample: str | None = None) -> "DiGraph":
        """Return the routing of one sample as a networkx graph: see ``routescope.routing.flow.graph_of``.

        Nodes are tokens and the units of every step, with their usage; edges have weights, from the node that is read
        to its reader: compatibilities, messages, or weights of Multiplexers. The graph holds its model, revision,
        intervention and versions.

        Args:
            sample: its id; None: the first one.

        Raises:
            ValueError: an unknown sample, or a trace without routing.
        """
        return graph_of(self.dataset, sample)


def dominant_units(trace: Trace, tokens: int | None = None) -> dict[str, dict[str, int]]:
    """Return for each step the number of tokens with each unit as that of highest compatibility; units with none left
    out.

    A token that no unit takes (all compatibilities 0) counts under ``none``.

    Args:
        tokens: number of tokens that are no padding; None: all.
    """
    if "compatibility" not in trace.dataset:
        return {}
    compatibility = trace.dataset["compatibility"].isel(sample=0, token=slice(tokens))
    result: dict[str, dict[str, int]] = {}
    for step in compatibility.coords["step"].values:
        at_step = compatibility.sel(step=step)
        best = at_step.argmax("unit").values
        unit_names = [str(name) for name in at_step.coords["unit"].values]
        taken = at_step.max("unit").values > 0
        counts = {name: int((taken & (best == i)).sum()) for i, name in enumerate(unit_names)}
        counts["none"] = int((~taken).sum())
        result[str(step)] = {name: count for name, count in counts.items() if count}
    return result


def _named(parts: Sequence[Tensor], dims: tuple[str, ...], along: str | None) -> xr.DataArray:
    """Stack what a probe reported, float32 (whole numbers as int16), with its axes in the public order."""
    named = dims if along is None else (along, *dims)
    order = sorted(named, key=lambda d: (LEADING.index(d) if d in LEADING else len(LEADING), named.index(d)))
    stacked = parts[0] if along is None else torch.stack(list(parts))
    stacked = stacked.float() if stacked.is_floating_point() else stacked.to(torch.int16)
    return xr.DataArray(stacked.cpu().numpy(), dims=named).transpose(*order)


def _texts(texts: Sequence[Sequence[str]], tokens: int) -> xr.DataArray:
    """Return the texts of tokens, (sample, token); empty where there are none."""
    padded = [[*sample_texts[:tokens], *([""] * (tokens - len(sample_texts)))] for sample_texts in texts]
    return xr.DataArray(np.array(padded, dtype=str).reshape(len(padded), tokens), dims=("sample", "token"))


def _on_all_tokens(part: Tensor, dims: tuple[str, ...], tokens: int) -> Tensor:
    """Add NaN for the tokens that were not computed, as the last step leaves out tokens that no head reads."""
    if "token" not in dims:
        return part
    axis, missing = dims.index("token"), list(part.shape)
    missing[axis] = tokens - missing[axis]
    return part if not missing[axis] else torch.cat((part, part.new_full(missing, torch.nan)), dim=axis)


def assemble(
    view: Network,
    fields: Mapping[str, list[Tensor]],
    out: Shaped[Tensor, "..."],
    token_texts: Sequence[Sequence[str]] | None = None,
    *,
    left_out: "Truncation | None" = None,
    iterations: int,
    intervention: Intervention,
    sample_ids: Sequence[str] | None,
    seed: int | None,
) -> Trace:
    """Build a trace from the reported fields of a view.

    Args:
        view: the network that computed; it names its axes (``coordinates``) and gives arrays without samples (see
            ``constants_of``).
        fields: name of a field -> one tensor of all units for each name along its axis, of the field's shape.
        out: its answers, with the axes ``view.answer_axes``.
        token_texts: text of each token of each sample; None where tokens are no text.
        left_out: tokens and bytes cut from the end of each text; None where samples are no texts.
        iterations: number of iterations.
    """
    coordinates, known_fields = view.coordinates(), view.fields
    arrays: dict[str, xr.DataArray] = {}
    for name, parts in fields.items():
        if not parts:
            continue
        dims, along = known_fields[name].dims, known_fields[name].along
        arrays[name] = _named([_on_all_tokens(part, dims, len(coordinates["token"])) for part in parts], dims, along)
    answer = _on_all_tokens(out.float(), view.answer_axes, len(coordinates["token"]))
    arrays[view.answer_name] = xr.DataArray(answer.cpu().numpy(), dims=view.answer_axes)
    if token_texts is not None:
        arrays["token_text"] = _texts(token_texts, len(coordinates["token"]))
    for name, (dims, tensor) in constants_of(view).items():
        arrays[name] = xr.DataArray(tensor.detach().cpu().numpy(), dims=dims)
    ids = list(sample_ids) if sample_ids is not None else [str(i) for i in range(len(out))]
    axes = dict.fromkeys(dim for array in arrays.values() for dim in array.dims)
    steps = names_along(view, "step", iterations)
    alongs = {known_fields[name].along for name in fields} - {None, "step"}
    names = {**coordinates, "step": steps, "sample": ids}
    names |= {str(axis): names_along(view, axis, iterations) for axis in alongs}
    # Steps are named also where no field has them: what is reported once a layer stands between two of them.
    named = [*axes, *(["step"] if steps and "step" not in axes else [])]
    dataset = xr.Dataset(arrays, {d: np.array(names[d], dtype=str) for d in named if d in names})
    if left_out is not None:
        counts = {"tokens_left_out": left_out.tokens, "bytes_left_out": left_out.bytes}
        dataset = dataset.assign_coords({name: ("sample", count.numpy()) for name, count in counts.items()})
    dataset.attrs = {
        "model": view.id,
        "revision": view.revision,
        "intervention": intervention.to_json(),
        "seed": "" if seed is None else seed,
        "versions": json.dumps(dict(library_versions()), sort_keys=True),
        **view.attributes(),
    }
    return Trace(dataset)


def constants_of(view: Network) -> Constants:
    """Return name -> names of axes, and numbers: the network's own, with ``prior_link_probability`` and
    ``prior_order``.

    The last two exist where links were trained with a prior, in the order of all of the network's own units, whatever a
    view leaves out, as ``routescope.routing.graphs.order`` matches it.
    """
    constants: Constants = dict(view.constants())
    if not isinstance(view, LinkedNetwork) or view.prior_graph is None or not view.has_links:
        return constants
    order = prior_order(view)
    links = torch.from_numpy(matched(prior(view.prior_graph.name, len(order)), order)).float()
    return constants | {
        "prior_link_probability": (("unit", "sender"), links),
        "prior_order": (("unit",), torch.from_numpy(order.copy())),
    }


def constant_sizes(view: Network) -> dict[str, int]:
    """Return name -> bytes of the arrays of ``constants_of``, without any search."""
    sizes = {name: tensor.nbytes for name, (_, tensor) in view.constants().items()}
    if isinstance(view, LinkedNetwork) and view.prior_graph is not None and view.has_links:
        order = view.prior_graph.order
        sizes |= {"prior_link_probability": len(order) ** 2 * torch.float32.itemsize, "prior_order": order.nbytes}
    return sizes
