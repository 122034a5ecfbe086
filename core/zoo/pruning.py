"""A pruned mixture of experts as a model of its own: a folder with weights that the others are really cut out of."""

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

import torch
from torch import Tensor, nn

from core.nn.adapters.exploring import COUNTS
from core.nn.adapters.transformers import TransformersNetwork
from core.nn.network import Network
from core.routing.caused.pruning import KeepList, PruningError
from core.zoo import checkpoint

if TYPE_CHECKING:
    from transformers import PreTrainedModel

#: The keep-list beside the weights.
KEEP_LIST = "keep-list.json"
#: What scores of the tokens of a sliced model may differ by from the view's.
CLOSE = 1e-3
#: Tokens on which that is looked at.
TRIED = 16


def export(model: Network, keep: KeepList, folder: Path) -> Path:
    """Write a network with these experts alone, and the keep-list, to a folder: a checkpoint of ours, or one that
    transformers opens where the model is one of transformers.

    Experts are numbered anew, in their order; the keep-list says which they were. The tokenizer of a model of
    transformers stays what it is, and its files are not copied.

    Raises:
        PruningError: a folder with anything in it, a keep-list that is not of this model, numbers of experts that
            differ between the layers of a model of transformers, whose configs know one number, or a network that
            cannot be sliced.
    """
    if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
        raise PruningError(f"{folder} is not empty: give a folder that is empty or new")
    view = keep.view(model)
    if isinstance(view, TransformersNetwork):
        sliced = sliced_transformers(view)
        folder.mkdir(parents=True, exist_ok=True)
        sliced.save_pretrained(folder, safe_serialization=True)
    elif view.sliceable is not None:
        facts: dict[str, Any] = {"pruned_from": model.id, "pruned_from_revision": model.revision}
        checkpoint.save(view.sliceable.sliced(), folder / "model.safetensors", facts)
    else:
        raise PruningError("no smaller network can be made of this one: only views of it drop experts")
    (folder / KEEP_LIST).write_text(keep.to_json() + "\n")
    return folder


def sliced_transformers(view: TransformersNetwork) -> "PreTrainedModel":
    """A model of transformers with the experts of a view alone, which answers as the view does.

    Raises:
        PruningError: layers that keep different numbers, experts in groups, or a model of which this cannot be done.
    """
    counts = sorted({len(own) for own in view.kept})
    whole = sorted({layer.experts for layer in view.routed_layers})
    if len(counts) > 1 or len(whole) > 1:
        raise PruningError(
            f"models of transformers have as many experts in every layer; here {counts[0]} to {counts[-1]} are kept:"
            " keep a share of every layer"
        )
    if any(site.groups is not None for site in view.sites) or view.muted or view.chosen is not None:
        raise PruningError("experts in groups, muted ones, or another number a token are told by no smaller config")
    made = _with_experts(view.config.model, whole[0], counts[0])
    state, kept = view.module.state_dict(), dict[str, Tensor]()
    for site, own in zip(view.sites, view.kept, strict=True):
        kept[site.router.rpartition(".")[0] + "."] = torch.tensor(own)
    smaller: dict[str, Tensor] = {}
    for name, now in made.state_dict().items():
        before = state[name]
        if before.shape != now.shape:
            places = next((places for path, places in kept.items() if name.startswith(path)), None)
            if places is None or before.shape[0] != whole[0] or before.shape[1:] != now.shape[1:]:
                raise PruningError(f"{name} has no axis of experts that could be cut: {tuple(before.shape)}")
            before = before[places.to(before.device)]
        smaller[name] = before
    made.load_state_dict(smaller)
    nn.Module.to(made, dtype=next(view.module.parameters()).dtype, device=view.device).eval()
    _alike(view, made)
    return made


def _with_experts(config: str, whole: int, count: int) -> "PreTrainedModel":
    """A model of a config in which layers have another number of experts."""
    from transformers import AutoConfig, AutoModelForCausalLM

    settings: dict[str, Any] = json.loads(config)
    sizes = AutoConfig.for_model(settings.pop("model_type", ""), **settings)
    text = sizes.get_text_config()
    names = [name for name in COUNTS if text.to_dict().get(name) == whole]
    if not names:
        raise PruningError(f"the config of this model says nowhere that a layer has {whole} experts")
    text.update(dict.fromkeys(names, count))
    made: PreTrainedModel = AutoModelForCausalLM.from_config(sizes)
    return made


def _alike(view: TransformersNetwork, made: "PreTrainedModel") -> None:
    """Nothing is written that does not answer as the view does."""
    ids = torch.arange(min(TRIED, view.most_tokens), device=view.device)[None] % view.vocabulary.size
    with torch.no_grad():
        off = float((view.logits(ids) - made(input_ids=ids, use_cache=False)["logits"]).abs().max())
    scale = CLOSE if next(made.parameters()).dtype == torch.float32 else 100 * CLOSE
    if not off <= scale:
        raise PruningError(f"the sliced model answers otherwise than the view, by up to {off:.1e}: it is not written")
