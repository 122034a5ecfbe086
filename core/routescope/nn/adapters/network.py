"""A language model with routed experts that others made, as a :class:`Network`.

Symbols: B texts, V tokens, D domains, E experts of a layer, K experts that a token takes.
"""

import weakref
from abc import abstractmethod
from collections.abc import Sequence
from dataclasses import replace
from typing import Literal, Self

import torch
import torch.nn.functional as F
from jaxtyping import Bool, Float, Int64
from torch import Tensor, nn

from routescope.nn.adapters.config import AdaptedConfig
from routescope.nn.adapters.evidence import gather_evidence
from routescope.nn.adapters.exploring import TOP_K, Site, explored, shared_copy
from routescope.nn.adapters.interception import (
    Evidence,
    Interceptor,
    intercept_expert,
    intercept_experts,
    intercept_router,
    one_pass,
)
from routescope.nn.adapters.layouts import Choose
from routescope.nn.experts import ActiveExperts
from routescope.nn.inputs.text import Text
from routescope.nn.mixture.routed import RoutedNetwork, RoutedProbes, SelectionBias
from routescope.nn.mixture.vocabulary import TokenVocabulary
from routescope.nn.network import CHUNK_TOKENS, Changes
from routescope.nn.windows import WindowSettings


def router_weights(module: nn.Module, router: str) -> dict[str, Tensor]:
    """Return the parameters of a router by their path."""
    return {f"{router}.{name}": weight for name, weight in module.get_submodule(router).named_parameters()}


def expert_weights(module: nn.Module, router: str, experts: str | None, count: int) -> list[dict[str, Tensor]]:
    """Return the weights of every expert of a layer by their path; empty: experts cannot be told apart.

    Experts are the modules of a list of E modules, or the rows of parameters whose first axis has E rows. They are
    searched in ``experts``; without that path in the block that holds the router.

    Args:
        count: E.
    """
    root = router.rpartition(".")[0] if experts is None else experts
    block = module.get_submodule(root)
    by_expert: list[dict[str, Tensor]] = [{} for _ in range(count)]
    lists = [name for name, child in block.named_modules() if isinstance(child, nn.ModuleList) and len(child) == count]
    for name in lists:
        for number, expert in enumerate(block.get_submodule(name).children()):
            path = ".".join(part for part in (root, name, str(number)) if part)
            by_expert[number] |= {f"{path}.{inner}": weight for inner, weight in expert.named_parameters()}
    seen = {id(weight) for weights in by_expert for weight in weights.values()}
    seen |= {id(weight) for weight in module.get_submodule(router).parameters()}
    for name, weight in block.named_parameters():
        # Without a path only matrices are taken: a vector of E numbers may be anything.
        if id(weight) in seen or weight.shape[:1] != (count,) or weight.dim() < (3 if experts is None else 2):
            continue
        path = ".".join(part for part in (root, name) if part)
        for number in range(count):
            by_expert[number][f"{path}[{number}]"] = weight[number]
    return by_expert if any(by_expert) else []


def selection_bias(module: nn.Module, router: str, count: int) -> SelectionBias | None:
    """Return the bias by which a router prefers experts: a vector of E numbers with "bias" in its name, in the router
    or beside it in its block; None: there is none.

    Args:
        count: E.
    """
    router_module, block = module.get_submodule(router), module.get_submodule(router.rpartition(".")[0])
    vectors = dict((*block.named_buffers(recurse=False), *block.named_parameters(recurse=False)))
    vectors |= dict((*router_module.named_buffers(), *router_module.named_parameters()))
    for name, vector in vectors.items():
        if "bias" in name and vector.numel() == count and vector.shape[-1] == count:
            before, _, last = name.rpartition(".")
            rows = vectors.get(f"{before}.weight" if before else "weight")
            linear = last == "bias" and rows is not None and rows.shape[:1] == (count,)
            return SelectionBias(vector.detach().flatten(), linear)
    return None


#: Scores (tokens x vocabulary) that one pass holds.
MOST_SCORES = 2**26


class AdaptedNetwork(RoutedNetwork):
    """A module whose tokens are routed to experts, as a network.

    The module itself is never changed: what runs is a copy that shares its parameters and buffers, and every view has
    a copy of its own. A subclass gives ``scores``.

    Attributes:
        sites: its routers, in the order in which they run.
        evidence: of each of them, how its experts are muted and their tokens counted.
        one_at_a_time: why texts run one at a time; None: they run together.
        reads_ahead: says that scores of a token change with the tokens after it; None: no such change is known.
        module: the copy that runs.
    """

    config: AdaptedConfig
    sites: tuple[Site, ...]
    evidence: tuple[Evidence, ...]
    one_at_a_time: str | None = None
    reads_ahead: str | None = None
    module: nn.Module
    _source: "weakref.ref[nn.Module]"
    _tensors: dict[str, int]

    def _adopt(
        self,
        config: AdaptedConfig,
        module: nn.Module,
        places: Sequence[tuple[str, str | None]],
        vocabulary: TokenVocabulary,
        choose: Choose | None = None,
        *,
        unreached: bool = False,
    ) -> None:
        """Explore a module, and intercept its routers and experts in a copy.

        Args:
            unreached: leave out routers that no text reaches; False: refuse them.

        Raises:
            NotAdaptable: a router that cannot be followed.
            ValueError: another number of layers that route than the config says.
        """
        self.vocabulary = vocabulary
        explorable = shared_copy(module).eval() if module.training else module
        self.sites = explored(explorable, places, self._trial, choose, unreached=unreached)
        if config.layers not in (len(places), len(self.sites)):
            raise ValueError(f"{len(self.sites)} layers of this model route, and its config says {config.layers}")
        self.config = replace(config, layers=len(self.sites))
        self.read(WindowSettings(config.context))
        self.routed_layers = tuple(site.layer for site in self.sites)
        self.evidence = tuple(Evidence() for _ in self.sites)
        self._source, self._tensors = weakref.ref(module), _tensors_of(module)
        self.module = shared_copy(module)
        self.kept, self.silent = tuple(range(len(self.all_units))), frozenset()
        super().arrange()
        self.probes = self._probes()
        interceptors = self._interceptors()
        for site, interceptor in zip(self.sites, interceptors, strict=True):
            intercept_router(self.module.get_submodule(site.router), interceptor)
            if site.experts is not None:
                intercept_experts(self.module.get_submodule(site.experts), interceptor)
            for number, path in enumerate(site.apart):
                intercept_expert(self.module.get_submodule(path), interceptor, number)
        self.examine(shared_copy(self.module).eval())
        trial = self._interceptors()
        copied = shared_copy(self.module, {id(old): new for old, new in zip(interceptors, trial, strict=True)}).eval()
        single = self.one_at_a_time is not None or self.reads_ahead is not None
        self.evidence = gather_evidence(
            copied,
            self.sites,
            trial,
            lambda module, ids: self.scores(module, ids, None),
            self.vocabulary.size,
            self.most_tokens,
            single,
        )
        if self.one_at_a_time is None and any(evidence.coupled for evidence in self.evidence):
            self.one_at_a_time = self.reads_ahead
        self.probes = self._probes()
        for interceptor, evidence in zip(interceptors, self.evidence, strict=True):
            interceptor.evidence, interceptor.probes = evidence, self.probes

    def examine(self, module: nn.Module) -> None:
        """Run ``module``, a copy, to set ``one_at_a_time`` and ``reads_ahead``; raises NotAdaptable if it fails."""

    def _trial(self, module: nn.Module, tokens: int) -> Tensor:
        device = next(module.parameters()).device
        ids = torch.arange(tokens, device=device)[None] % self.vocabulary.size
        return self.scores(module, ids, None)

    def _probes(self) -> RoutedProbes:
        """Probes of this view, with contributions where the parts that experts add are known in every layer."""
        probes = RoutedProbes()
        if self.one_at_a_time is not None or not all(evidence.apart for evidence in self.evidence):
            del probes.contributions
        return probes

    def _interceptors(self) -> list[Interceptor]:
        interceptors = []
        for step, (site, evidence) in enumerate(zip(self.sites, self.evidence, strict=True)):
            chosen = self.chosen or site.layer.top_k
            part = ActiveExperts(step, self.experts_kept[step], self.experts_silent[step], chosen)
            interceptors.append(
                Interceptor(site.layer, part, site.layout, site.call, self.probes, site.scoring, evidence)
            )
        return interceptors

    @abstractmethod
    def scores(
        self, module: nn.Module, ids: Int64[Tensor, "B V"], is_token: Bool[Tensor, "B V"] | None
    ) -> Float[Tensor, "B V symbols"]:
        """Return the scores of following tokens by a copy of the module; ``is_token`` masks padding."""

    # -- tokens --------------------------------------------------------------------------------------------

    def attributes(self) -> dict[str, float | str]:
        """Notes beside a trace: on layers, on how tokens depend on others, and on what the tokenizer changes."""
        facts = {
            "routing_notes": "; ".join(f"{layer}: {note}" for layer, note in self.notes.items()) or None,
            "texts_run_one_at_a_time": self.one_at_a_time,
            "reads_ahead": self.reads_ahead,
            "tokenizer": self.vocabulary.loss,
        }
        return super().attributes() | {name: fact for name, fact in facts.items() if fact is not None}

    @property
    def chunk_tokens(self) -> int:
        """Fewer where the vocabulary is large: each token has a score for every symbol."""
        return max(1, min(CHUNK_TOKENS, MOST_SCORES // self.vocabulary.size))

    @property
    def most_context(self) -> int:
        """As many tokens as the config says."""
        return self.config.context

    def example(self, batch: int) -> Text:
        """Texts of as many tokens as one pass reads."""
        letters = "".join(chr(97 + number % 26) for number in range(self.reading.context))
        ids = tuple(number % self.vocabulary.size for number in range(self.most_tokens))
        return Text((letters,) * batch, (ids,) * batch)

    # -- views ---------------------------------------------------------------------------------------------

    def arrange(self) -> None:
        """Give a view a copy of the module with interceptors of its own; parameters and buffers are shared."""
        super().arrange()
        self.probes = self._probes()
        interceptors = [vars(self.module.get_submodule(site.router))["interceptor"] for site in self.sites]
        self.module = shared_copy(
            self.module, {id(old): new for old, new in zip(interceptors, self._interceptors(), strict=True)}
        )
        for site in self.sites:
            for path in site.counting:
                vars(self.module.get_submodule(path))[TOP_K] = self.chosen or site.layer.top_k

    @property
    def mute_refusal(self) -> str | None:
        """Why no expert of any layer can be muted, and what to pass; None: some layer's experts can be."""
        reasons = [self._unmutable(step) for step in range(len(self.sites))]
        return reasons[0] if all(reasons) else None

    def _unmutable(self, step: int) -> str | None:
        reason = self.evidence[step].unmutable
        return None if reason is None else f"experts of layer {self.steps[step]} cannot be muted: {reason}"

    @property
    def unverified(self) -> dict[str, str]:
        pairs = zip(self.steps, self.evidence, strict=True)
        return {layer: evidence.unverified for layer, evidence in pairs if evidence.unverified is not None}

    @property
    def idle_units(self) -> tuple[str, ...]:
        return tuple(site.layer.units[e] for site in self.sites for e in site.idle)

    @property
    def notes(self) -> dict[str, str]:
        """Layer -> how it differs from layers in which tokens choose among experts that all have weights."""
        by_layer = {}
        for site in self.sites:
            idle = [unit for unit in self.idle_units if unit in site.layer.units]
            notes = [
                f"{site.fixed}, so that experts are fixed and cannot be dropped" if site.fixed else "",
                f"{', '.join(idle)} have no weights (identities): dropping them saves nothing" if idle else "",
                "a token can skip all experts, which is shown as no expert" if site.scoring.skips else "",
            ]
            if any(notes):
                by_layer[site.layer.name] = "; ".join(filter(None, notes))
        return by_layer

    def mute(self, units: Sequence[str]) -> Self:
        """Return a view with muted experts, whose share nobody takes; raises ValueError, which says what to pass."""
        if refused := self._refused("mute", units):
            raise ValueError(refused)
        return super().mute(units)

    def keep(self, units: Sequence[str]) -> Self:
        """Return a view in which other experts are never chosen; raises ValueError, which says why that fails."""
        left = set(units)
        if refused := self._refused("drop", [unit for unit in self.units if unit not in left]):
            raise ValueError(refused)
        return super().keep(units)

    def _refused(self, kind: Literal["mute", "drop"], units: Sequence[str]) -> str | None:
        """Why some of these experts cannot be muted, or dropped; None: all can be."""
        asked = set(units)
        for step, (layer, evidence) in enumerate(zip(self.routed_layers, self.evidence, strict=True)):
            if asked.isdisjoint(layer.units):
                continue
            if kind == "mute" and (reason := self._unmutable(step)):
                return reason
            if kind == "drop" and evidence.undroppable is not None:
                return f"experts of layer {layer.name} cannot be dropped: {evidence.undroppable}"
        return None

    def choosing(self, top_k: int) -> Self:
        """A view in which a token takes ``top_k`` experts at every layer.

        Raises:
            ValueError: fewer than one, more than some layer has, or a model whose tokens always take as many.
        """
        if refused := self._fixed(top_k):
            raise ValueError(refused)
        return super().choosing(top_k)

    def _fixed(self, top_k: int) -> str | None:
        for site in self.sites:
            if not site.counting and top_k != site.layer.top_k:
                return f"a token takes {site.layer.top_k} experts at layer {site.layer.name[1:]} of this model, always"
        return None

    def refusal(self, changes: Changes, iterations: int) -> str | None:
        """Why layers could not route: too few experts are left, or groups of them that a token could choose from."""
        if changes.top_k is not None and (refused := self._fixed(changes.top_k)):
            return refused
        if refused := self._refused("mute", changes.mute) or self._refused("drop", changes.drop):
            return refused
        if refused := super().refusal(changes, iterations):
            return refused
        gone = set(changes.drop)
        for site, kept in zip(self.sites, self.experts_kept, strict=True):
            if site.groups is None:
                continue
            units, top_k = site.layer.units, changes.top_k or self.chosen or site.layer.top_k
            left = [e for e in kept if units[e] not in gone]
            if len(left) == site.layer.experts:
                continue
            if lacking := site.groups.refusal(left, site.layer.experts, top_k):
                return f"layer {site.layer.name[1:]} needs {lacking}"
        return None

    # -- weights -------------------------------------------------------------------------------------------

    def router_weights(self) -> dict[str, dict[str, Tensor]]:
        return {site.layer.name: router_weights(self.module, site.router) for site in self.sites}

    def expert_weights(self) -> dict[str, dict[str, Tensor]]:
        by_unit: dict[str, dict[str, Tensor]] = {}
        for site in self.sites:
            path = site.experts or (site.apart[0].rpartition(".")[0] if site.apart else None)
            weights = expert_weights(self.module, site.router, path, site.layer.experts)
            by_unit |= dict(zip(site.layer.units, weights, strict=bool(weights)))
        return by_unit

    def selection_biases(self) -> dict[str, SelectionBias]:
        biases = {site.layer.name: selection_bias(self.module, site.router, site.layer.experts) for site in self.sites}
        return {name: bias for name, bias in biases.items() if bias is not None}

    # -- computing -----------------------------------------------------------------------------------------

    def logits(
        self, ids: Int64[Tensor, "B V"], is_token: Bool[Tensor, "B V"] | None = None
    ) -> Float[Tensor, "B V symbols"]:
        """Scores of the token that follows each token.

        Raises:
            IncompleteRouting: a router did not run exactly once, or experts received other tokens than are recorded.
            ValueError: no text, or a module whose weights are others than when it was adapted.
        """
        if not ids.numel():
            raise ValueError("the batch has no text: pass at least one")
        self._check_weights()
        width = ids.shape[1]
        if self.one_at_a_time is None:
            with one_pass((ids.shape[0], width), self.steps):
                return self.scores(self.module, ids, is_token)
        lengths = [width] * len(ids) if is_token is None else is_token.sum(dim=1).tolist()
        rows = []
        for row, length in zip(ids, lengths, strict=True):
            with one_pass((1, length), self.steps, width):
                scores = self.scores(self.module, row[None, :length], None)
            rows.append(F.pad(scores, (0, 0, 0, width - length)))
        return torch.cat(rows)

    def _check_weights(self) -> None:
        """Raise ValueError if the adapted module has other tensors than when it was adapted."""
        module = self._source()
        if module is None:
            return
        now = _tensors_of(module)
        if now != self._tensors:
            name = next(name for name in {**self._tensors, **now} if now.get(name) != self._tensors.get(name))
            raise ValueError(
                f"{name} of the module is another tensor than when it was adapted (load_state_dict(assign=True) and"
                " assignments replace tensors): adapt it again"
            )


def _tensors_of(module: nn.Module) -> dict[str, int]:
    """Path -> which tensor a module has there, of its parameters and persistent buffers, by their ``id``."""
    tensors = {}
    for path, part in module.named_modules():
        passing = part._non_persistent_buffers_set
        for name, value in (*part._parameters.items(), *part._buffers.items()):
            if value is not None and name not in passing:
                tensors[f"{path}.{name}".removeprefix(".")] = id(value)
    return tensors
