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
    """The positions of the parameters of some networks in rows of equal length.

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
        if len({next(model.parameters()).dtype for model in models}) > 1:
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
        """Return the layout of some of the networks, padded to the widest of these."""
        layout = copy.copy(self)
        layout.configs = [self.configs[index] for index in indices]
        layout.skeletons = {config: self.skeletons[config] for config in dict.fromkeys(layout.configs)}
        layout._prepare()
        return layout

    def join(self, other: "StackLayout") -> "StackLayout":
        """Return the layout of the networks of both layouts, one after the other."""
        layout = copy.copy(self)
        layout.configs = [*self.configs, *other.configs]
        layout.skeletons = {**self.skeletons, **other.skeletons}
        layout._prepare()
        return layout

    def pack(self, values: Sequence[Mapping[str, Tensor]]) -> Float[Tensor, "G P"]:
        """Return rows of each network's tensors, by the names of its parameters; zeros are the padding."""
        rows = torch.zeros(len(self.configs), self.length, dtype=self.dtype)
        for row, config, tensors in zip(rows, self.configs, values, strict=True):
            names = [name for name, _ in self.skeletons[config].named_parameters()]
            row[self._places[config]] = torch.cat([tensors[name].detach().flatten() for name in names])
        return rows

    def unpack(self, rows: Float[Tensor, "G P"]) -> list[dict[str, Tensor]]:
        """Return copies of each network's tensors: the reverse of ``pack``."""
        networks = []
        for row, config in zip(rows.detach(), self.configs, strict=True):
            parameters = dict(self.skeletons[config].named_parameters())
            parts = row[self._places[config]].split([whole.numel() for whole in parameters.values()])
            networks.append(
                {name: part.view(whole.shape) for (name, whole), part in zip(parameters.items(), parts, strict=True)}
            )
        return networks

    def stacked(self, rows: Float[Tensor, "G P"]) -> dict[str, Tensor]:
        """Return views of the rows as the template's parameters, (G, ...)."""
        parts = rows.split(self.sizes, dim=1)
        return {
            name: part.view(len(rows), *shape) for name, shape, part in zip(self.names, self.shapes, parts, strict=True)
        }

    def buffers(self) -> dict[str, Tensor]:
        """Return the networks' buffers, (G, ...), and which hidden blocks exist."""
        models = [self.skeletons[config] for config in self.configs]
        stacked = {
            name: torch.stack([dict(model.named_buffers())[name] for model in models])
            for name, _ in models[0].named_buffers()
        }
        if self.padded:
            stacked[PRESENT] = torch.stack([self._present(_width(model)) for model in models])
        return stacked

    def models(self, rows: Float[Tensor, "G P"]) -> list[BlockModel]:
        """Return a separate network with the numbers of each row, in evaluation mode."""
        networks = []
        for config, tensors in zip(self.configs, self.unpack(rows), strict=True):
            model = copy.deepcopy(self.skeletons[config])
            model.load_state_dict(tensors, strict=False)
            networks.append(model.eval())
        return networks

    def _present(self, width: int) -> Bool[Tensor, " w"]:
        return torch.arange(_width(self.template)) < width

    def _places_of(self, model: BlockModel, widest: BlockModel) -> Int64[Tensor, " p"]:
        """Return the positions of a network's numbers in a row, in the order of its own parameters."""
        parts, start = [], 0
        kept = _kept(_smfr_of(model), _smfr_of(widest)) if isinstance(model, BlockNetwork) else {}
        for name, parameter in widest.named_parameters():
            places = start + torch.arange(parameter.numel()).view(parameter.shape)
            rows, columns = kept.get(name.rpartition(".")[0], (None, None))
            if rows is not None:
                places = places[rows]
            if columns is not None and places.ndim == 2:
                places = places[:, columns]
            parts.append(places.flatten())
            start += parameter.numel()
        return torch.cat(parts)


def _differences(first: BlockModel, other: BlockModel) -> list[str]:
    """Return the names of the settings that keep two networks from being in one group."""
    if type(first) is not type(other):
        return ["kind"]
    a, b = _settings(first.config), _settings(other.config)
    return [name for name in a if a[name] != b[name]]


def _settings(config: BlockTaskConfig) -> dict[str, Any]:
    fields: dict[str, Any] = json.loads(replace(config).to_json())
    shuffled = fields["shuffle_seed"] is not None
    return {name: value for name, value in fields.items() if name not in FREE} | {"shuffle": shuffled}


def _smfr_of(model: BlockModel) -> SMFR:
    smfr = model.smfr
    assert isinstance(smfr, SMFR)
    return smfr


def _width(model: BlockModel) -> int:
    """Return the number of hidden blocks of a level; 0 without hidden blocks, so that nothing is padded."""
    return int(model.config.width) if isinstance(model, BlockNetwork) and model.config.depth else 0


def _with_present(module: nn.Module, args: tuple[Any, ...], kwargs: dict[str, Any]) -> tuple[Any, dict[str, Any]]:
    return args, {**kwargs, "present": module.present}


def _kept(narrow: SMFR, widest: SMFR) -> dict[str, tuple[Tensor | None, Tensor | None]]:
    """Return which rows and columns of each linear layer of the widest SMFR a narrower one has; None: all."""
    kept = {}
    pairs = zip(cast(Sequence[MFNNR], narrow.mfnnr), cast(Sequence[MFNNR], widest.mfnnr), strict=True)
    for at, (a, b) in enumerate(pairs):
        M, N, s, last = a.M, a.N, a.multiplexer.s, len(b.multiplexer.fnn.linear) - 1
        routes = (torch.arange(M)[:, None] * b.N + torch.arange(N)).flatten()
        read = torch.arange(N * s)
        if a.context:
            read = torch.cat((read, b.N * s + torch.arange(M * s)))
        made = torch.cat((torch.arange(N * s), b.N * s + torch.arange(N)))
        for part, columns, rows in (("multiplexer", torch.arange(M * s), routes), ("fnnr", read, made)):
            for layer in range(last + 1):
                kept[f"smfr.mfnnr.{at}.{part}.fnn.linear.{layer}"] = (
                    rows if layer == last else None,
                    columns if layer == 0 else None,
                )
    return kept
