"""Open models of every kind under one name, and list the models that need no opening."""

import logging
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

import pandas as pd
from torch import nn

from routescope import zoo
from routescope.files import DataError
from routescope.nn.adapters.folder import CONFIG, look
from routescope.nn.adapters.layouts import Choose
from routescope.nn.adapters.plain import CONTEXT, Scores, adapt
from routescope.nn.adapters.transformers import from_transformers
from routescope.nn.adapters.vocabulary import AnyTokenizer
from routescope.nn.mixture.routed import RoutedNetwork
from routescope.nn.mixture.vocabulary import TokenVocabulary
from routescope.nn.network import Network
from routescope.zoo.opened import also

if TYPE_CHECKING:
    from transformers import PreTrainedModel

log = logging.getLogger(__name__)
#: A model in calls of ``routescope``: an open network, an id, or a folder.
Model = Network | str | Path
#: Base class of all models of transformers.
TRANSFORMERS = "PreTrainedModel"


def open(
    model: "Model | nn.Module | PreTrainedModel",
    routers: str | Sequence[str] | None = None,
    experts: str | Sequence[str] | None = None,
    *,
    choose: Choose | None = None,
    scores: Scores | None = None,
    vocabulary: TokenVocabulary | AnyTokenizer | None = None,
    context: int | None = None,
    stride: int | None = None,
    cut: bool = False,
    say: Callable[[str], None] | None = None,
) -> Network:
    """Open a model: a bundled one by its id, a folder, a model of transformers, or your own module.

    ::

        net = rs.open("moe-bytes")
        net = rs.open("my-mixture", context=128)  # a folder with config.json and safetensors
        net = rs.open(module, routers="*.gate", experts="*.experts", choose=two_best)

    Args:
        model: an id of ``rs.models()``, the path of a folder, a model of transformers, or an ``nn.Module``.
        routers, experts, choose, scores: of your own module, as in ``routescope.nn.adapters.plain.adapt``.
        vocabulary: the tokenizer of your own module or of a model of transformers; None: bytes. A folder has its own.
        context: tokens of a text in one pass; None: 256, or the model's own number.
        stride: tokens between the starts of two windows; None: half of the context.
        cut: cut texts after the context instead of reading windows.
        say: called with sentences about a folder while its weights are read; None: they are logged.

    Raises:
        UnknownModel: no such id or folder. CheckpointError, NotAdaptable: a model that cannot be opened.
        DataError: a module without ``routers``, or a context that the network cannot have.
    """
    if isinstance(model, str | Path | Network):
        if any(option is not None for option in (routers, experts, choose, scores, vocabulary)):
            raise DataError("routers, experts, choose, scores and vocabulary are for an nn.Module: leave them out")
        network = model if isinstance(model, Network) else zoo.load(id_of(model, say))
        return in_context(network, context, stride, cut)
    if routers is not None:
        options: dict[str, Any] = {
            "choose": choose,
            "scores": scores,
            "vocabulary": vocabulary,
            "context": context or CONTEXT,
        }
        return in_context(adapt(model, routers, experts, **options), None, stride, cut)
    if TRANSFORMERS in {base.__name__ for base in type(model).__mro__}:
        adapted = from_transformers(cast("PreTrainedModel", model), vocabulary, context=context or CONTEXT)
        return in_context(adapted, None, stride, cut)
    raise DataError(
        f"{type(model).__name__} is opened by the paths of its routers: pass routers=... and experts=..., such as "
        'routers="*.gate", experts="*.experts"'
    )


def id_of(model: str | Path, say: Callable[[str], None] | None = None) -> str:
    """Return the id of a model: the given id, or the id of a folder with a model.

    Args:
        say: called with sentences about a folder while its weights are read; None: they are logged.

    Raises:
        UnknownModel: a path without a model. NotAdaptable: a folder that cannot be opened, with the reason.
    """
    path, name = Path(model), str(model)
    if (path / CONFIG).is_file():
        config = also(path, say)
        return next(name for name, opened in zoo.opened_configs().items() if opened == config)
    if name in zoo.ids():
        return name
    if (path / "model.safetensors").is_file():
        return zoo.bring(path)
    if path.is_dir() or path.suffix == ".gguf":
        look(path)
    elif len(path.parts) > 1 or path.exists():
        raise zoo.UnknownModel(f"{name} is no folder with a model: name a folder with a config.json and safetensors")
    return name


def in_context(network: Network, context: int | None, stride: int | None = None, cut: bool = False) -> Network:
    """Return the network with another context, if given; raises DataError if it cannot have it."""
    if context is None and stride is None and not cut:
        return network
    if not isinstance(network, RoutedNetwork):
        raise DataError(
            f"{network.id} reads {network.inputs.words} and no texts of tokens: leave context, stride and cut out"
        )
    try:
        return network.with_context(context, stride, cut)
    except ValueError as error:
        raise DataError(str(error)) from error


def models() -> pd.DataFrame:
    """List the models that ``open`` opens by id: bundled models, your checkpoints, and opened folders.

    ::

        rs.models().loc["moe-bytes"]

    Returns:
        A row for each id: family, parameters, reads (kind of input), units, domains, and accuracy (from the model's
        card, in the measure of each domain).
    """
    rows = [
        {
            "id": info.id,
            "family": info.family,
            "parameters": info.parameters,
            "reads": info.inputs,
            "units": len(info.units),
            "domains": ", ".join(info.domains),
            "accuracy": ", ".join(f"{entry['domain']} {entry['accuracy']:.3f}" for entry in info.accuracies),
        }
        for info in zoo.models()
    ]
    return pd.DataFrame(rows).set_index("id")
