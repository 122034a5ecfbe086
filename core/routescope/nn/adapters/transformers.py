"""Any language model of transformers whose tokens are routed to experts, as a :class:`Network`.

Its routers are the modules that it declares itself: instances of ``_can_record_outputs["router_logits"]``, as
transformers 5.23 has it; where it declares none, modules named gate or router beside experts.
"""

import copy
import json
import re
import threading
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Self

import torch
from jaxtyping import Bool, Float, Int64
from torch import Tensor, nn

from routescope.nn.adapters.config import AdaptedConfig
from routescope.nn.adapters.exploring import NotAdaptable, Site
from routescope.nn.adapters.network import AdaptedNetwork
from routescope.nn.adapters.stored import Unread
from routescope.nn.adapters.vocabulary import AnyTokenizer, Tokenised, vocabulary_of
from routescope.nn.mixture.config import DOMAINS
from routescope.nn.mixture.vocabulary import ByteVocabulary, TokenVocabulary
from routescope.nn.network import SliceableNetwork
from routescope.nn.registry import register

if TYPE_CHECKING:
    from transformers import PreTrainedConfig, PreTrainedModel

#: What routers and experts are called where a model declares no routers.
ROUTER_NAMES, EXPERTS_NAME = ("gate", "router"), "experts"
#: What configs call the number of experts of a layer, that of experts without weights, and that of a token's experts.
COUNT = re.compile(r"(moe_)?(num|n)_(routed_|local_)?experts")
IDLE = re.compile(r"zero_expert_num")
TOP_K_NAME = re.compile(r"(num_)?experts?_per_tok(en)?|moe_(top_?)?k|top_k_experts")
#: Tokens that one pass reads of a text by default: as many as texts of the bundled sets have bytes.
CONTEXT = 256


@register("transformers", family="Mixture of experts of transformers", config=AdaptedConfig)
class TransformersNetwork(SliceableNetwork, AdaptedNetwork):
    """A language model of transformers.

    Args:
        config: its ``model`` is what a model is made of, with random weights, where none is given.
        model: it is never changed; see ``from_transformers``.
        vocabulary: what its tokens are; bytes unless told.

    Attributes:
        unread: parts of the folder that the model came from which it does not have, and ``save`` does not write.

    Raises:
        NotAdaptable: a model whose routing cannot be followed; the message says why.
        ValueError: a config that is none of a model.
    """

    unread: tuple[Unread, ...] = ()

    def __init__(
        self,
        config: AdaptedConfig,
        model: "PreTrainedModel | None" = None,
        vocabulary: TokenVocabulary | None = None,
    ) -> None:
        super().__init__()
        model = _made(config.model) if model is None else model
        vocabulary = vocabulary or ByteVocabulary(int(model.config.get_text_config().vocab_size))
        self._adopt(config, model, routers_of(model), vocabulary, unreached=True)

    def scores(
        self, module: nn.Module, ids: Int64[Tensor, "B V"], is_token: Bool[Tensor, "B V"] | None
    ) -> Float[Tensor, "B V symbols"]:
        """Return the scores of the following tokens; raises NotAdaptable if the model scores other positions."""
        mask = None if is_token is None else is_token.long()
        scores: Tensor = module(input_ids=ids, attention_mask=mask, use_cache=False)["logits"]
        if scores.shape[:2] != ids.shape:
            raise NotAdaptable(
                f"the model returns scores {tuple(scores.shape)} for a text of {ids.shape[1]} tokens, and not (texts,"
                " tokens, vocabulary): only models that score the next token after every token can be opened"
            )
        return scores

    @property
    def most_context(self) -> int:
        """The largest context that a view can have: as many tokens as the model has positions."""
        return _positions(self._model.config.get_text_config()) - 1

    # -- a smaller model ---------------------------------------------------------------------------------------

    def sliced(self) -> Self:
        """A model that has only the experts that take part, numbered anew; what is not cut is shared with this one.

        Which of its config's numbers is that of experts, and which tensors have a row for each, is seen by the shapes
        of a model without any weights.

        Raises:
            ValueError: experts that are muted, another number of them in different layers or groups, or a config that
                has no number of experts.
        """
        count, site, whole = self._even(), self.sites[0], self._model
        config = copy.deepcopy(whole.config)
        sizes = config.get_text_config()
        idle = len(set(self.experts_kept[0]) & set(site.idle))
        _replace(sizes, COUNT, {site.layer.experts: count, site.layer.experts - len(site.idle): count - idle})
        _replace(sizes, IDLE, {len(site.idle): idle})
        if self.chosen is not None:
            _replace(sizes, TOP_K_NAME, {site.layer.top_k: self.chosen})
        with torch.device("meta"):  # no weight is drawn only to be replaced
            made: PreTrainedModel = type(whole)(config)
        shapes = {name: tuple(tensor.shape) for name, tensor in made.state_dict().items()}
        made.load_state_dict(self._cut(shapes), assign=True)
        made.tie_weights()
        for name, buffer in whole.named_buffers():
            if name not in shapes:
                path, _, last = name.rpartition(".")
                made.get_submodule(path).register_buffer(last, buffer, persistent=False)
        text = json.dumps({**config.to_diff_dict(), "model_type": config.model_type}, default=str)
        sliced = type(self)(replace(self.config, model=text), made.eval().requires_grad_(False), self.vocabulary)
        top_k = [self.chosen or layer.top_k for layer in self.routed_layers]
        if [(layer.experts, layer.top_k) for layer in sliced.routed_layers] != [(count, number) for number in top_k]:
            raise ValueError("no number in the config of this model is how many experts a layer has")
        sliced.unread = self.unread
        sliced.read(self.reading)
        return sliced.eval()

    @property
    def _model(self) -> "PreTrainedModel":
        from transformers import PreTrainedModel

        assert isinstance(self.module, PreTrainedModel)
        return self.module

    def _even(self) -> int:
        """Return the number of experts left in every layer; raises ValueError for unequal, too few or muted ones."""
        if self.silent:
            raise ValueError("muted experts have weights all the same: drop them to cut them out")
        for site, kept in zip(self.sites, self.experts_kept, strict=True):
            if site.fixed is not None and min(map(len, self.experts_kept)) < len(kept):
                raise ValueError(
                    f"layer {site.layer.name} keeps all of its {len(kept)} experts because {site.fixed}, and the config"
                    " has one number of experts for all layers: this model cannot be made smaller"
                )
        counts = {len(kept) for kept in self.experts_kept}
        if (
            len({sum(e in site.idle for e in kept) for site, kept in zip(self.sites, self.experts_kept, strict=True)})
            > 1
        ):
            raise ValueError(
                "the config has one number of experts without weights for all layers: leave as many in each"
            )
        if len(counts) > 1:
            fewest, most = min(counts), max(counts)
            raise ValueError(f"the config has one number of experts for all layers: leave {fewest} in each, or {most}")
        for site, kept in zip(self.sites, self.experts_kept, strict=True):
            if refused := site.layer.refusal(len(kept), self.chosen or site.layer.top_k):
                raise ValueError(refused)
            if site.groups is not None:
                size = site.layer.experts // site.groups.count
                if len({sum(e // size == group for e in kept) for group in range(site.groups.count)}) > 1:
                    raise ValueError(f"layer {site.layer.name[1:]} has experts in groups: leave as many in each group")
        return counts.pop()

    def _cut(self, shapes: Mapping[str, tuple[int, ...]]) -> dict[str, Tensor]:
        """Weights of these shapes: where a smaller model has fewer rows, the rows of experts that are left.

        Raises:
            ValueError: a tensor that differs otherwise.
        """
        tensors, state = {}, self.module.state_dict()
        for name, shape in shapes.items():
            whole = state[name]
            if tuple(whole.shape) != shape:
                step = next((step for step, site in enumerate(self.sites) if name.startswith(_block(site))), None)
                rows = None if step is None else self._rows(step, whole, shape)
                if rows is None:
                    raise ValueError(
                        f"{name} has the shape {tuple(whole.shape)}, and no {shape} can be cut from it: the number of"
                        " experts in the config also sets the size of other tensors"
                    )
                whole = rows
            tensors[name] = whole
        return tensors

    def _rows(self, step: int, whole: Tensor, shape: tuple[int, ...]) -> Tensor | None:
        """The part of a tensor that belongs to experts that are left; None: none has this shape.

        Along the first axis that differs, the tensor has one or more rows for every column of the router, for every
        expert, or for every expert with weights.
        """
        site, kept = self.sites[step], list(self.experts_kept[step])
        experts, classes = site.scoring.experts, site.scoring.classes
        weighted = [e for e in kept if e not in site.idle]
        ways = {classes: [*kept, *range(experts, classes)], experts: kept, experts - len(site.idle): weighted}
        axis = next((axis for axis, (old, new) in enumerate(zip(whole.shape, shape, strict=True)) if old != new), 0)
        for count, places in ways.items():
            rows, rest = divmod(whole.shape[axis], count)
            if not rest and (*whole.shape[:axis], rows * len(places), *whole.shape[axis + 1 :]) == shape:
                index = torch.tensor(places, device=whole.device)
                return whole.unflatten(axis, (count, rows)).index_select(axis, index).flatten(axis, axis + 1)
        return None

    def save(self, folder: str | Path) -> Path:
        """Write the model to a folder that transformers opens, with its tokenizer: safetensors and ``config.json``.

        Of a view, write what ``sliced`` gives.

        Raises:
            ValueError: a view, which is no model of its own.
        """
        if self.units != self.all_units or self.silent or self.chosen is not None:
            raise ValueError("a view is no model of its own: save what sliced() makes of it")
        folder = Path(folder)
        with quietly():
            self._model.save_pretrained(folder)
        if isinstance(self.vocabulary, Tokenised):
            self.vocabulary.save(folder)
        return folder


def _block(site: Site) -> str:
    """The path of the module that holds a router, with the dot that follows."""
    return f"{site.router.rpartition('.')[0]}."


def _replace(config: "PreTrainedConfig", names: re.Pattern[str], numbers: Mapping[int, int]) -> None:
    """Replace numbers with such names in a config and the configs in it."""
    for name, value in config.to_dict().items():
        if type(value) is int and value in numbers and names.fullmatch(name):
            setattr(config, name, numbers[value])
    for name in config.sub_configs:
        _replace(getattr(config, name), names, numbers)


def _made(text: str) -> "PreTrainedModel":
    """Return a model of a config with random weights; raises ValueError if there is no such model."""
    from transformers import AutoConfig

    settings: dict[str, Any] = json.loads(text)
    config = AutoConfig.for_model(settings.pop("model_type", ""), **settings)
    if (kind := auto_class(config)) is None:
        raise ValueError(f"transformers has no model of the kind {config.model_type!r} that continues a text")
    made: PreTrainedModel = kind.from_config(config)
    return made


def auto_class(config: "PreTrainedConfig") -> Any:
    """The class of transformers that makes models with a language-model head from such a config; None: there is none.

    Of a model that also reads pictures or sounds it is the class of its text part, where there is such a class.
    """
    from transformers import (
        MODEL_FOR_CAUSAL_LM_MAPPING,
        MODEL_FOR_IMAGE_TEXT_TO_TEXT_MAPPING,
        MODEL_FOR_MULTIMODAL_LM_MAPPING,
        AutoModelForCausalLM,
        AutoModelForImageTextToText,
        AutoModelForMultimodalLM,
    )

    classes = (
        (MODEL_FOR_CAUSAL_LM_MAPPING, AutoModelForCausalLM),
        (MODEL_FOR_IMAGE_TEXT_TO_TEXT_MAPPING, AutoModelForImageTextToText),
        (MODEL_FOR_MULTIMODAL_LM_MAPPING, AutoModelForMultimodalLM),
    )
    return next((kind for mapping, kind in classes if type(config) in mapping), None)


class _Quiet:
    """Number of users that want transformers to be quiet now, in all threads, and its verbosity before."""

    def __init__(self) -> None:
        self.lock, self.count, self.loudness, self.bars = threading.Lock(), 0, 0, False


_QUIET = _Quiet()


@contextmanager
def quietly() -> Iterator[None]:
    """Let transformers log errors only and show no bars; restored when the last user of this context leaves."""
    from transformers.utils import logging

    with _QUIET.lock:
        if not _QUIET.count:
            _QUIET.loudness, _QUIET.bars = logging.get_verbosity(), logging.is_progress_bar_enabled()
            logging.set_verbosity_error()
            logging.disable_progress_bar()
        _QUIET.count += 1
    try:
        yield
    finally:
        with _QUIET.lock:
            _QUIET.count -= 1
            if not _QUIET.count:
                logging.set_verbosity(_QUIET.loudness)
                if _QUIET.bars:
                    logging.enable_progress_bar()


def check_continues(config: "PreTrainedConfig", what: str) -> None:
    """Raise NotAdaptable for a config of an encoder and a decoder, such as Switch; ``what`` names the model."""
    if config.is_encoder_decoder:
        raise NotAdaptable(f"{what} reads one text and writes another: models that continue a text can be opened")


def routers_of(model: "PreTrainedModel") -> list[tuple[str, str | None]]:
    """Return the paths of a model's routers, and of the experts beside each; raises NotAdaptable without routers."""
    declared = _declared(model)
    named = [path for path, _ in model.named_modules() if declared and _matches(model, path, declared)]
    # What declares itself a router and holds one is what hands it on (JetMoE's attention, Ernie 4.5 VL's blocks).
    beside = [path for path, _ in model.named_modules() if _beside_experts(model, path)]
    held = [path for path in named if not any(other.startswith(f"{path}.") for other in [*named, *beside])]
    inner = [path for path in beside if any(path.startswith(f"{other}.") for other in named)]
    paths = _alike(model, [*held, *inner]) or beside
    if not paths:
        kind = type(model).__name__
        raise NotAdaptable(f"{kind} has no routers: what can be opened are models whose tokens are routed to experts")
    return [(path, _experts_of(model, path)) for path in paths]


def _alike(model: "PreTrainedModel", paths: Sequence[str]) -> list[str]:
    """Paths of these routers, and of modules with the same name in a block of the same class, in the model's order.

    Such a module is a router that is not declared, as it computes no logits that a token chooses by (DeepSeek-V4's
    hash layers).
    """
    roles = {(type(model.get_submodule(path.rpartition(".")[0])), path.rpartition(".")[2]) for path in paths}
    places = [(*path.rpartition("."), path) for path, _ in model.named_modules() if path]
    return [path for parent, _, name, path in places if (type(model.get_submodule(parent)), name) in roles]


def _declared(model: "PreTrainedModel") -> list[tuple[type[nn.Module], str | None]]:
    """Classes of routers that a model and the models in it declare, and what a router's path has to contain."""
    from transformers import PreTrainedModel

    declared: list[tuple[type[nn.Module], str | None]] = []
    for module in model.modules():
        if not isinstance(module, PreTrainedModel):
            continue
        recorders = (module._can_record_outputs or {}).get("router_logits", [])
        for recorder in recorders if isinstance(recorders, list) else [recorders]:
            kind = recorder if isinstance(recorder, type) else getattr(recorder, "target_class", None)
            if kind is not None:
                declared.append((kind, None if kind is recorder else recorder.layer_name))
    return declared


def _matches(model: "PreTrainedModel", path: str, declared: Sequence[tuple[type[nn.Module], str | None]]) -> bool:
    module = model.get_submodule(path)
    return any(isinstance(module, kind) and (within is None or f".{within.strip('.')}." in f".{path}.")
               for kind, within in declared)  # fmt: skip


def _beside_experts(model: "PreTrainedModel", path: str) -> bool:
    *_, name = path.split(".")
    return name in ROUTER_NAMES and _experts_of(model, path) is not None


def _experts_of(model: "PreTrainedModel", path: str) -> str | None:
    """The path of the experts beside a router."""
    parent = path.rpartition(".")[0]
    beside = dict(model.get_submodule(parent).named_children())
    return f"{parent}.{EXPERTS_NAME}" if EXPERTS_NAME in beside else None


def from_transformers(
    model: "PreTrainedModel",
    tokenizer: TokenVocabulary | AnyTokenizer | None = None,
    *,
    context: int = CONTEXT,
    domains: Sequence[str] = DOMAINS,
) -> TransformersNetwork:
    """A network with the weights of a model of transformers; the model itself is never changed.

    ::

        model = AutoModelForCausalLM.from_pretrained("path/to/my-mixture", local_files_only=True)
        network = from_transformers(model, tokenizers.Tokenizer.from_file("path/to/my-mixture/tokenizer.json"))
        record(network, Text(("def f(x):",)))["top_experts"]

    Args:
        tokenizer: a ``tokenizers.Tokenizer``, an ``AutoTokenizer``, or the path of ``tokenizer.json`` or its folder;
            its padding and truncation never act. None: tokens are the bytes of texts, numbered by their values.
        context: tokens that one pass reads of a text, no more than the model's positions; longer texts are scored in
            windows (see ``routescope.nn.windows``).
        domains: text data sets that it is scored on.

    Raises:
        NotAdaptable: a model that does not say what follows each token of a text, that has no routers, one whose
            routers cannot be followed, or one whose tokens are no bytes without a tokenizer. The message says which.
    """
    sizes = model.config.get_text_config()
    kind = type(model).__name__
    check_continues(model.config, kind)
    if type(model).forward is nn.Module.forward:
        raise NotAdaptable(f"{kind} joins several models and scores no text itself: open the part of it that does")
    if not _has_head(model):
        raise NotAdaptable(f"{kind} gives no scores of the next token: open the model with its language-model head")
    places = routers_of(model)
    size = int(sizes.vocab_size)
    vocabulary = vocabulary_of(tokenizer, size, kind, start_of(sizes, size))
    config = AdaptedConfig(
        domains=tuple(domains),
        context=min(context, _positions(sizes) - 1),
        layers=len(places),
        model=json.dumps({**model.config.to_diff_dict(), "model_type": model.config.model_type}, default=str),
    )
    return TransformersNetwork(config, model, vocabulary).eval()


def _has_head(model: "PreTrainedModel") -> bool:
    """Whether the model, or a model in it, has a language-model head."""
    from transformers import PreTrainedModel

    parts = [module for module in model.modules() if isinstance(module, PreTrainedModel)]
    return any(part.get_output_embeddings() is not None for part in parts)


def _positions(sizes: Any) -> int:
    """Places that a model has for tokens, as far as it says; else very many."""
    return int(sizes.to_dict().get("max_position_embeddings") or 2**20)


def start_of(sizes: Any, size: int) -> int | None:
    """The token that starts a text: the one that the config names for that, or else the one that ends texts.

    The Language Model Evaluation Harness does the same (EleutherAI, ``prefix_token_id``).

    Args:
        size: tokens that the model knows; a token beyond them is none.
    """
    ends = sizes.eos_token_id[0] if isinstance(sizes.eos_token_id, list) else sizes.eos_token_id
    start = ends if sizes.bos_token_id is None else sizes.bos_token_id
    return start if start is not None and 0 <= start < size else None
