"""Networks with routed experts in anybody's own code, as networks of the house.

::

    network = adapt(MyModel(), routers="layers.*.gate", experts="layers.*.experts", choose=two_best)

Where a router gives weights and places of the experts that tokens take, nothing more has to be said. Where it gives
logits and the block around it chooses, ``choose`` says how, which is checked against how many tokens experts got.

Symbols: B texts, V tokens, T = B * V, E experts of a layer, K experts that a token takes.
"""

from collections.abc import Callable, Sequence
from fnmatch import fnmatchcase

import torch
from jaxtyping import Bool, Float, Int64
from torch import Tensor, nn

from core.nn.adapters.config import AdaptedConfig
from core.nn.adapters.exploring import FAILURES, TRIAL_TOKENS, NotAdaptable, twin
from core.nn.adapters.layouts import Choose
from core.nn.adapters.network import AdaptedNetwork
from core.nn.adapters.vocabulary import AnyTokenizer, Bytes, Vocabulary, vocabulary_of
from core.nn.mixture.config import DOMAINS

#: Tokens of a text that are read unless told otherwise.
CONTEXT = 256
#: What a module says of the token that follows each token (B, V, symbols), given tokens (B, V).
Scores = Callable[[nn.Module, Tensor], Tensor]


class PlainNetwork(AdaptedNetwork):
    """A module of one's own whose tokens are routed to experts: see ``adapt``."""

    architecture, family = "plain", "Mixture of experts of one's own"

    def __init__(
        self,
        config: AdaptedConfig,
        module: nn.Module,
        places: Sequence[tuple[str, str | None]],
        vocabulary: Vocabulary,
        choose: Choose | None,
        scores: Scores | None,
    ) -> None:
        super().__init__()
        self._scores = scores
        self._adopt(config, module, places, vocabulary, choose)

    def scores(
        self, module: nn.Module, ids: Int64[Tensor, "B V"], there: Bool[Tensor, "B V"] | None
    ) -> Float[Tensor, "B V symbols"]:
        """What the module says of the token that follows each token; padding comes last, and is not told."""
        found: Tensor = module(ids) if self._scores is None else self._scores(module, ids)
        return found


def adapt(
    module: nn.Module,
    routers: str | Sequence[str],
    experts: str | Sequence[str] | None = None,
    *,
    choose: Choose | None = None,
    scores: Scores | None = None,
    vocabulary: Vocabulary | AnyTokenizer | None = None,
    context: int = CONTEXT,
    domains: Sequence[str] = DOMAINS,
) -> PlainNetwork:
    """A language model of one's own as a network of the house, with the same weights; the module is never changed.

    Args:
        module: called with tokens (B, V), it gives scores (B, V, symbols) of the token that follows each; a token must
            not read those after it, as shorter texts have padding at their end.
        routers: paths of the routers as ``named_modules`` has them, or a pattern of them such as "layers.*.gate".
        experts: those of each router, in the same order: a module that is called with tokens (T, C), places (T, K) and
            weights (T, K), or an ``nn.ModuleList`` whose modules are called with their tokens. None: they are no
            modules, and muting works on what the router gives.
        choose: of logits (T, E) weights (T, K) and places (T, K), where routers give logits alone.
        scores: how the module is called, where that is otherwise.
        vocabulary: what its tokens are: a tokenizer (a ``tokenizers.Tokenizer``, an ``AutoTokenizer`` or a path), or
            ``Tokenised``, ``Bytes`` or ``Characters`` of ``core.nn.adapters.vocabulary``. None: bytes, and 256 for the
            start of a text, if the module scores 256 to 384 tokens.
        context: tokens that one pass reads of a text; longer texts are scored in windows.
        domains: text data sets that it is scored on.

    Raises:
        NotAdaptable: no such routers, another number of experts than of routers, routers that cannot be followed, or
            tokens that are no bytes without a vocabulary; the message says what would be accepted.
        TypeError: a vocabulary that is neither a vocabulary nor a tokenizer.
    """
    where = _found(module, routers)
    if not where:
        some = ", ".join([name for name, _ in module.named_modules() if name][:8])
        raise NotAdaptable(f"no module is called {routers}; there are {some} and so on")
    beside: list[str | None] = [None] * len(where) if experts is None else [*_found(module, experts)]
    if len(beside) != len(where):
        raise NotAdaptable(f"{len(beside)} modules are called {experts}, and there are {len(where)} routers")
    config = AdaptedConfig(domains=tuple(domains), context=context, layers=len(where), model="")
    places = list(zip(where, beside, strict=True))
    if (size := _symbols(module, scores)) is not None:
        vocabulary = vocabulary_of(vocabulary, size, type(module).__name__)
    elif vocabulary is None:
        vocabulary = Bytes()
    elif not isinstance(vocabulary, Vocabulary):
        raise NotAdaptable("the module gives no scores (texts, tokens, symbols): pass scores=..., how it is called")
    return PlainNetwork(config, module, places, vocabulary, choose, scores).eval()


def _symbols(module: nn.Module, scores: Scores | None) -> int | None:
    """How many tokens a module scores; None where it cannot be run, or gives something else than scores."""
    first = next(module.parameters(), None)
    ids = torch.zeros(1, TRIAL_TOKENS[0], dtype=torch.long, device=None if first is None else first.device)
    try:
        copied = twin(module).eval()
        with torch.no_grad():
            found = copied(ids) if scores is None else scores(copied, ids)
    except FAILURES:  # exploring says why
        return None
    return found.shape[-1] if isinstance(found, Tensor) and found.dim() == 3 else None


def _found(module: nn.Module, names: str | Sequence[str]) -> list[str]:
    """Paths that a pattern names, where ``*`` is one part of a path, in their order; or paths that are there."""
    every = [name for name, _ in module.named_modules() if name]
    if not isinstance(names, str):
        return [name for name in names if name in every]
    parts = names.split(".")
    return [
        name
        for name in every
        if name.count(".") == len(parts) - 1
        and all(fnmatchcase(own, part) for own, part in zip(name.split("."), parts, strict=True))
    ]
