"""Networks with routed experts in your own code, as :class:`Network`.

::

    network = adapt(MyModel(), routers="layers.*.gate", experts="layers.*.experts", choose=two_best)

A router that returns weights and expert ids needs nothing else. A router that returns logits needs ``choose``, which
computes weights and expert ids of them as the block does. ``adapt`` runs the module on a few texts, and refuses a
choice that experts do not receive.

Symbols: B texts, V tokens, T = B * V, E experts of a layer, K experts that a token takes.
"""

import re
from collections.abc import Callable, Mapping, Sequence
from fnmatch import fnmatchcase

import torch
from jaxtyping import Bool, Float, Int64
from torch import Tensor, nn

from routescope.nn.adapters.config import AdaptedConfig
from routescope.nn.adapters.exploring import FAILURES, TRIAL_TOKENS, NotAdaptable, shared_copy
from routescope.nn.adapters.layouts import Choose
from routescope.nn.adapters.network import AdaptedNetwork
from routescope.nn.adapters.vocabulary import AnyTokenizer, vocabulary_of
from routescope.nn.mixture.config import DOMAINS
from routescope.nn.mixture.vocabulary import ByteVocabulary, TokenVocabulary

#: Tokens of a text that are read unless told otherwise.
CONTEXT = 256
#: Scores (B, V, symbols) of the token that follows each token, given a module and tokens (B, V); or several outputs of
#: which the first of that shape is the scores.
Scores = Callable[[nn.Module, Tensor], object]
#: Words in names of routers, and in names of layers that are none.
ROUTER_WORDS, NO_ROUTERS = ("gate", "gating", "router", "routing", "switch"), ("proj", "noise")
#: Names that a message lists.
MOST_NAMES = 8
#: Scores differ by less than this part of the largest where only rounding differs: in single and in half precision.
ROUNDING, COARSE_ROUNDING = 1e-4, 5e-2


class PlainNetwork(AdaptedNetwork):
    """A module of your own whose tokens are routed to experts: see ``adapt``."""

    architecture, family = "plain", "Mixture of experts of one's own"

    def __init__(
        self,
        config: AdaptedConfig,
        module: nn.Module,
        places: Sequence[tuple[str, str | None]],
        vocabulary: TokenVocabulary,
        choose: Choose | None,
        scores: Scores | None,
    ) -> None:
        super().__init__()
        self._scores = scores
        self._adopt(config, module, places, vocabulary, choose)

    def scores(
        self, module: nn.Module, ids: Int64[Tensor, "B V"], is_token: Bool[Tensor, "B V"] | None
    ) -> Float[Tensor, "B V symbols"]:
        """Return scores of the following tokens, padding last and no mask; raises NotAdaptable for other answers."""
        return scores_in(module(ids) if self._scores is None else self._scores(module, ids), ids)

    def examine(self, module: nn.Module) -> None:
        """Run texts twice, beside others, and cut, to see on which tokens the scores of a token depend.

        Where they depend on other tokens, as under a capacity, texts run one at a time.

        Raises:
            NotAdaptable: two runs differ, or texts of ``most_tokens`` tokens cannot be read.
        """
        tokens = self.most_tokens
        device = next(module.parameters()).device
        generator = torch.Generator().manual_seed(1)
        ids = torch.randint(self.vocabulary.size, (2, tokens), generator=generator).to(device)
        try:
            first, again = self._run(module, ids[:1]), self._run(module, ids[:1])
        except FAILURES as error:
            reason = " ".join(str(error).split())[:200]
            raise NotAdaptable(
                f"the model cannot read a text of {tokens} tokens ({reason}): pass its own context=, or vocabulary="
            ) from error
        if not torch.equal(first.nan_to_num(), again.nan_to_num()):
            raise NotAdaptable(
                "two runs on the same tokens give different scores: switch off the noise (in a router, or dropout) that"
                " the module adds in evaluation mode"
            )
        whole = next(module.parameters()).dtype in (torch.float32, torch.float64)
        close = (ROUNDING if whole else COARSE_ROUNDING) * max(1.0, float(first.nan_to_num().abs().max()))

        def differ(scores: Tensor) -> bool:
            return not torch.allclose(scores, first[:, : scores.shape[1]], rtol=0, atol=close, equal_nan=True)

        try:
            if differ(self._run(module, ids)[:1]):
                self.one_at_a_time = (
                    "scores change with neighbours in the batch (a capacity, or experts that choose their tokens)"
                )
            if differ(self._run(module, ids[:1, : max(1, tokens // 2)])):
                self.reads_ahead = (
                    "scores of a token change with the tokens after it (a capacity, experts that choose tokens, or no"
                    " causal mask): its nats are no prediction from the tokens before it"
                )
        except FAILURES as error:
            self.one_at_a_time = f"the module cannot run several texts at once ({' '.join(str(error).split())[:120]})"

    def _run(self, module: nn.Module, ids: Int64[Tensor, "B V"]) -> Float[Tensor, "B V symbols"]:
        with torch.no_grad():
            return self.scores(module, ids, None).float()


def scores_in(out: object, ids: Int64[Tensor, "B V"]) -> Float[Tensor, "B V symbols"]:
    """Return the scores (B, V, symbols) in a language model's answer; raises NotAdaptable if it has no scores."""
    values = [out]
    if isinstance(out, Mapping):
        values = [out[name] for name in ("logits", *out) if name in out]
    elif isinstance(out, tuple | list):
        values = list(out)
    elif not isinstance(out, Tensor):
        try:
            values = [vars(out).get("logits")]
        except TypeError:  # a number or a string has no attributes
            values = []
    for value in values:
        if (
            isinstance(value, Tensor)
            and value.dim() == 3
            and value.shape[:2] == ids.shape
            and value.is_floating_point()
        ):
            return value
    shown = ", ".join(
        str(tuple(value.shape)) if isinstance(value, Tensor) else type(value).__name__ for value in values
    )
    raise NotAdaptable(
        f"the module returns {shown or type(out).__name__} for tokens {tuple(ids.shape)}, and no scores (texts, tokens,"
        " symbols) of the token that follows each token: pass scores=..., a function of the module and the tokens"
    )


def adapt(
    module: nn.Module,
    routers: str | Sequence[str],
    experts: str | Sequence[str] | None = None,
    *,
    choose: Choose | None = None,
    scores: Scores | None = None,
    vocabulary: TokenVocabulary | AnyTokenizer | None = None,
    context: int = CONTEXT,
    domains: Sequence[str] = DOMAINS,
) -> PlainNetwork:
    """A network with the weights of a language model in your own code.

    The module is never changed. A copy that shares its parameters runs; where they are replaced later, as by
    ``load_state_dict(assign=True)``, the network refuses to run, and ``adapt`` is called again.

    Args:
        module: called with tokens (B, V), it returns scores (B, V, symbols) of the token that follows each token, alone
            or as (logits, loss), ``{"logits": ...}`` or an object with ``logits``. A token must not read the tokens
            after it, as shorter texts have padding at their end.
        routers: paths of the routers as ``named_modules`` has them, or a pattern such as "layers.*.gate".
        experts: the experts of each router, in the same order: a module that is called with tokens (T, C), expert ids
            (T, K) and weights (T, K), or an ``nn.ModuleList`` or ``nn.ModuleDict`` of experts that are called. None:
            experts are not known, and are muted only where the weights that a router returns are their factors.
        choose: of logits (T, E) the weights (T, K) and expert ids (T, K), where routers return logits. An id of -1
            says that fewer than K experts take a token, as under a capacity.
        scores: calls the module, where that is not ``module(tokens)``.
        vocabulary: a tokenizer (a ``tokenizers.Tokenizer``, an ``AutoTokenizer`` or a path), or
            ``Tokenised``, ``ByteVocabulary`` or ``Characters`` of ``routescope.nn.adapters.vocabulary``. None: bytes,
            and 256 for the start of a text, if the module scores 256 to 384 tokens.
        context: tokens that one pass reads of a text; longer texts are scored in windows.
        domains: text data sets that it is scored on.

    Raises:
        NotAdaptable: no such routers, another number of experts than of routers, routers that cannot be followed,
            experts that receive other tokens than ``choose`` says, or tokens that are no bytes without a vocabulary;
            the message says what would be accepted.
        TypeError: a vocabulary that is neither a vocabulary nor a tokenizer.
    """
    where = _named(module, routers)
    if not where:
        raise NotAdaptable(_no_module(module, routers))
    beside: list[str | None] = [None] * len(where) if experts is None else [*_named(module, experts)]
    if len(beside) != len(where):
        raise NotAdaptable(
            f"{len(beside)} modules are called {experts}, and there are {len(where)} routers: pass the module, or"
            " nn.ModuleList, that holds the experts of each"
        )
    config = AdaptedConfig(domains=tuple(domains), context=context, layers=len(where), model="")
    places = list(zip(where, beside, strict=True))
    if (size := _symbols(module, scores)) is not None:
        vocabulary = vocabulary_of(vocabulary, size, type(module).__name__)
    elif not isinstance(vocabulary, TokenVocabulary):
        vocabulary = ByteVocabulary()  # exploring says why it cannot be run
    return PlainNetwork(config, module, places, vocabulary, choose, scores).eval()


def _symbols(module: nn.Module, scores: Scores | None) -> int | None:
    """Number of tokens that a module scores; None where it cannot be run, or returns no scores."""
    first = next(module.parameters(), None)
    ids = torch.zeros(1, TRIAL_TOKENS[0], dtype=torch.long, device=None if first is None else first.device)
    try:
        copied = shared_copy(module).eval()
        with torch.no_grad():
            logits = scores_in(copied(ids) if scores is None else scores(copied, ids), ids)
    except FAILURES:  # exploring says why
        return None
    return logits.shape[-1]


def _named(module: nn.Module, names: str | Sequence[str]) -> list[str]:
    """Paths that match a pattern, where ``*`` is one part of a path, in their order; or all paths of a list.

    Raises:
        NotAdaptable: some path of a list is none of a module.
    """
    paths = [name for name, _ in module.named_modules() if name]
    if not isinstance(names, str):
        if names and (missing := [name for name in names if name not in paths]):
            raise NotAdaptable(_no_module(module, missing[0]))
        return list(names)
    parts = names.split(".")
    return [
        path
        for path in paths
        if path.count(".") == len(parts) - 1
        and all(fnmatchcase(name, part) for name, part in zip(path.split("."), parts, strict=True))
    ]


def _no_module(module: nn.Module, names: str | Sequence[str]) -> str:
    """A sentence on the names to pass in place of a name or pattern that no module has."""
    paths = [path for path, _ in module.named_modules() if path]
    likely = [path for path in paths if _is_router_name(path.rpartition(".")[2])]
    if likely:
        patterns = list(dict.fromkeys(re.sub(r"(?<=\.)\d+(?=\.|$)|^\d+(?=\.)", "*", path) for path in likely))
        shown = ", ".join(f'"{pattern}"' for pattern in patterns[:MOST_NAMES])
        return f"no module is called {names}; likely routers are routers={shown}, such as {likely[0]}"
    tops = ", ".join(paths[:MOST_NAMES])
    return f"no module is called {names}; there are {tops} and so on, and none is named as a router usually is"


def _is_router_name(name: str) -> bool:
    lower = name.lower()
    return any(word in lower for word in ROUTER_WORDS) and not any(word in lower for word in NO_ROUTERS)
