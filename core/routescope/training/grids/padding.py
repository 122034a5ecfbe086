"""Many small networks as one stack of numbers: where each parameter lies, and what is padding.

A row holds all parameters of one network. Networks that differ in the width of their SMFRs alone have rows of the
widest one: the numbers that a narrower one lacks are zeros, a presence mask keeps its missing blocks out of every
softmax and mean and at zero, so their gradients are zeros too, and Adam leaves them zeros. A step of the printed
addition grid (126 networks, seven widths) takes half the time that it takes in groups of one width.

Symbols: G networks, P numbers in a row, M and N blocks in and out of an MFNNR, s numbers in a block.
"""

import copy
import json
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, cast

import torch
from jaxtyping import Bool, Float, Int64
from torch import Tensor, nn

from routescope.nn.blocks.config import BlockTaskConfig
from routescope.nn.blocks.network import BlockModel, BlockNetwork
from routescope.nn.blocks.operations import MFNNR, SMFR

#: Every network's mask of hidden blocks, where widths differ.
PRESENT = "smfr.present"
#: Every network's fixed permutation, in the noisy variant.
SHUFFLE = "shuffle"
#: What networks of one group may differ in: the first is padded, the second is a buffer.
FREE = ("width", "shuffle_seed")


class StackLayout:
    """Where the parameters of some networks lie in rows of equal length.

    Attributes:
        template: the widest network, without numbers of its own.
        skeletons: a network of each config, to copy.
        configs: of each of the G networks.
        names, shapes: of the template's parameters, one after the other in a row.
        length: P.

    Raises:
        ValueError: no network, or networks that are not of one shape up to the width.
    """

    def __init__(self, models: Sequence[BlockModel]) -> None:
        if not models:
            raise ValueError("a group has at least one model")
        self.skeletons: dict[str, BlockModel] = {}
        for model in models:
            if not isinstance(model, BlockModel):
                raise ValueError(f"a group is made of networks of blocks, not of {type(model).__name__}")
            if model.config.to_json() not in self.skeletons:
                self.skeletons[model.config.to_json()] = copy.deepcopy(model)
        self.configs = [model.config.to_json() for model in models]
        if len({_dtype(model) for model in models}) > 1:
            raise ValueError("models of one group have numbers of one precision")
        self._prepare()

    def _prepare(self) -> None:
        models = list(self.skeletons.values())
        for other in models[1:]:
            differing = _differences(models[0], other)
            if differing:
                raise ValueError(
                    "models of one group differ in nothing but the width of their SMFRs and the seed of their shuffle; "
                    f"these differ in {', '.join(differing)}"
                )
        widths = [_width(model) for model in models]
        widest = models[widths.index(max(widths))]
        self.template = copy.deepcopy(widest).to("meta").requires_grad_(True)
        self.padded = len(set(widths)) > 1
        if self.padded:
            smfr = _smfr_of(self.template)
            smfr.register_buffer("present", torch.ones(max(widths), dtype=torch.bool, device="meta"))
            smfr.register_forward_pre_hook(_with_present, with_kwargs=True)
        parameters = dict(widest.named_parameters())
        self.names = tuple(parameters)
        self.shapes = tuple(parameter.shape for parameter in parameters.values())
        self.sizes = [shape.numel() for shape in self.shapes]
        self.length = sum(self.sizes)
        self.dtype = next(iter(parameters.values())).dtype
        self._places = {config: self._places_of(model, widest) for config, model in self.skeletons.items()}

    def take(self, indices: Sequence[int]) -> "StackLayout":
        """The layout of some of the networks, padded to the widest of these."""
        found = copy.copy(self)
        found.configs = [self.configs[index] for index in indices]
        found.skeletons = {config: self.skeletons[config] for config in dict.fromkeys(found.configs)}
        found._prepare()
        return found

    def join(self, other: "StackLayout") -> "StackLayout":
        """The layout of the networks of both, one after the other."""
        found = copy.copy(self)
        found.configs = [*self.configs, *other.configs]
        found.skeletons = {**self.skeletons, **other.skeletons}
        found._prepare()
        return found

    def pack(self, values: Sequence[Mapping[str, Tensor]]) -> Float[Tensor, "G P"]:
        """Rows of each network's own tensors, by the names of its parameters; zeros where there are none."""
        rows = torch.zeros(len(self.configs), self.length, dtype=self.dtype)
        for row, config, own in zip(rows, self.configs, values, strict=True):
            names = [name for name, _ in self.skeletons[config].named_parameters()]
            row[self._places[config]] = torch.cat([own[name].detach().flatten() for name in names])
        return rows

    def unpack(self, rows: Float[Tensor, "G P"]) -> list[dict[str, Tensor]]:
        """Each network's own tensors, copied: what ``pack`` put together."""
        found = []
        for row, config in zip(rows.detach(), self.configs, strict=True):
            parameters = dict(self.skeletons[config].named_parameters())
            parts = row[self._places[config]].split([each.numel() for each in parameters.values()])
            found.append(
                {name: part.view(each.shape) for (name, each), part in zip(parameters.items(), parts, strict=True)}
            )
        return found

    def stacked(self, rows: Float[Tensor, "G P"]) -> dict[str, Tensor]:
        """Views of the rows as the template's parameters, (G, ...)."""
        parts = rows.split(self.sizes, dim=1)
        return {
            name: part.view(len(rows), *shape) for name, shape, part in zip(self.names, self.shapes, parts, strict=True)
        }

    def buffers(self) -> dict[str, Tensor]:
        """The networks' buffers, (G, ...), and which hidden blocks exist."""
        models = [self.skeletons[config] for config in self.configs]
        found = {
            name: torch.stack([dict(model.named_buffers())[name] for model in models])
            for name, _ in models[0].named_buffers()
        }
        if self.padded:
            found[PRESENT] = torch.stack([self._present(_width(model)) for model in models])
        return found

    def models(self, rows: Float[Tensor, "G P"]) -> list[BlockModel]:
        """Networks of their own with the rows' numbers, in evaluation mode."""
        found = []
        for config, own in zip(self.configs, self.unpack(rows), strict=True):
            model = copy.deepcopy(self.skeletons[config])
            model.load_state_dict(own, strict=False)
            found.append(model.eval())
        return found

    def _present(self, width: int) -> Bool[Tensor, " w"]:
        return torch.arange(_width(self.template)) < width

    def _places_of(self, model: BlockModel, widest: BlockModel) -> Int64[Tensor, " p"]:
        """Where in a row the numbers of a network lie, in the order of its own parameters."""
        found, start = [], 0
        kept = _kept(_smfr_of(model), _smfr_of(widest)) if isinstance(model, BlockNetwork) else {}
        for name, parameter in widest.named_parameters():
            places = start + torch.arange(parameter.numel()).view(parameter.shape)
            rows, columns = kept.get(name.rpartition(".")[0], (None, None))
            if rows is not None:
                places = places[rows]
            if columns is not None and places.ndim == 2:
                places = places[:, columns]
            found.append(places.flatten())
            start += parameter.numel()
        return torch.cat(found)


def _differences(one: BlockModel, other: BlockModel) -> list[str]:
    """Names of the settings that keep two networks from being of one group."""
    if type(one) is not type(other):
        return ["kind"]
    a, b = _settings(one.config), _settings(other.config)
    return [name for name in a if a[name] != b[name]]


def _settings(config: BlockTaskConfig) -> dict[str, Any]:
    fields: dict[str, Any] = json.loads(replace(config).to_json())
    shuffled = fields["shuffle_seed"] is not None
    return {name: value for name, value in fields.items() if name not in FREE} | {"shuffle": shuffled}


def _dtype(model: nn.Module) -> torch.dtype:
    return next(model.parameters()).dtype


def _smfr_of(model: BlockModel) -> SMFR:
    found = model.smfr
    assert isinstance(found, SMFR)
    return found


def _width(model: BlockModel) -> int:
    """Hidden blocks of a level; 0 where there are none, so that nothing is padded."""
    return int(model.config.width) if isinstance(model, BlockNetwork) and model.config.depth else 0


def _with_present(module: nn.Module, args: tuple[Any, ...], kwargs: dict[str, Any]) -> tuple[Any, dict[str, Any]]:
    return args, {**kwargs, "present": module.present}


def _kept(own: SMFR, widest: SMFR) -> dict[str, tuple[Tensor | None, Tensor | None]]:
    """For each linear layer of the widest SMFR, which of its rows and columns a narrower one has; None: all."""
    found = {}
    pairs = zip(cast(Sequence[MFNNR], own.mfnnr), cast(Sequence[MFNNR], widest.mfnnr), strict=True)
    for at, (a, b) in enumerate(pairs):
        M, N, s, last = a.M, a.N, a.multiplexer.s, len(b.multiplexer.fnn.linear) - 1
        routes = (torch.arange(M)[:, None] * b.N + torch.arange(N)).flatten()
        read = torch.arange(N * s)
        if a.context:
            read = torch.cat((read, b.N * s + torch.arange(M * s)))
        made = torch.cat((torch.arange(N * s), b.N * s + torch.arange(N)))
        for part, columns, rows in (("multiplexer", torch.arange(M * s), routes), ("fnnr", read, made)):
            for layer in range(last + 1):
                found[f"smfr.mfnnr.{at}.{part}.fnn.linear.{layer}"] = (
                    rows if layer == last else None,
                    columns if layer == 0 else None,
                )
    return found
