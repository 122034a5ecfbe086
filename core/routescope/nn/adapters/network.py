"""A language model with routed experts that others made, as a network of the house.

Symbols: B texts, V tokens, D domains, E experts of a layer, K experts that a token takes.
"""

import copy
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
from routescope.nn.adapters.evidence import tried
from routescope.nn.adapters.exploring import TOP_K, Site, explored, twin
from routescope.nn.adapters.layouts import Choose
from routescope.nn.adapters.seats import Evidence, Seat, one_pass, take_expert, take_experts, take_router
from routescope.nn.adapters.vocabulary import TokenVocabulary
from routescope.nn.experts import ActiveExperts
from routescope.nn.inputs.kind import Inputs
from routescope.nn.inputs.text import Text
from routescope.nn.mixture.network import MixtureProbes
from routescope.nn.mixture.routed import RoutedNetwork, SelectionBias
from routescope.nn.network import CHUNK_TOKENS, Changes, NextToken, Tokens
from routescope.nn.windows import TokenBytes, WindowSettings


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
    found: list[dict[str, Tensor]] = [{} for _ in range(count)]
    lists = [name for name, child in block.named_modules() if isinstance(child, nn.ModuleList) and len(child) == count]
    for name in lists:
        for place, expert in enumerate(block.get_submodule(name).children()):
            path = ".".join(part for part in (root, name, str(place)) if part)
            found[place] |= {f"{path}.{own}": weight for own, weight in expert.named_parameters()}
    seen = {id(weight) for own in found for weight in own.values()}
    seen |= {id(weight) for weight in module.get_submodule(router).parameters()}
    for name, weight in block.named_parameters():
        # Without a path only matrices are taken: a vector of E numbers may be anything.
        if id(weight) in seen or weight.shape[:1] != (count,) or weight.dim() < (3 if experts is None else 2):
            continue
        path = ".".join(part for part in (root, name) if part)
        for place in range(count):
            found[place][f"{path}[{place}]"] = weight[place]
    return found if any(found) else []


def selection_bias(module: nn.Module, router: str, count: int) -> SelectionBias | None:
    """Return the bias by which a router prefers experts: a vector of E numbers with "bias" in its name, in the router
    or beside it in its block; None: there is none.

    Args:
        count: E.
    """
    own, block = module.get_submodule(router), module.get_submodule(router.rpartition(".")[0])
    vectors = dict((*block.named_buffers(recurse=False), *block.named_parameters(recurse=False)))
    vectors |= dict((*own.named_buffers(), *own.named_parameters()))
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
    """A module whose tokens are routed to experts, and everything that is asked of such a network.

    The module itself is never changed: what runs is a copy that shares its parameters and buffers, and every view has
    a copy of its own. A subclass gives ``scores``.

    Attributes:
        vocabulary: what its tokens are.
        sites: its routers, in the order in which they run.
        evidence: of each of them, how its experts are muted and their tokens counted.
        alone: why texts run one at a time; None: they run together.
        ahead: that scores of a token change with the tokens after it; None: they do not, or it was not tried.
        module: the copy that runs.
    """

    config: AdaptedConfig
    vocabulary: TokenVocabulary
    sites: tuple[Site, ...]
    evidence: tuple[Evidence, ...]
    alone: str | None = None
    ahead: str | None = None
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
        """Explore a module, and sit down at its routers.

        Args:
            unreached: leave out routers that no text reaches; False: refuse them.

        Raises:
            NotAdaptable: a router that cannot be followed.
            ValueError: another number of layers that route than the config says.
        """
        self.vocabulary = vocabulary
        explorable = twin(module).eval() if module.training else module
        self.sites = explored(explorable, places, self._trial, choose, unreached=unreached)
        if config.layers not in (len(places), len(self.sites)):
            raise ValueError(f"{len(self.sites)} layers of this model route, and its config says {config.layers}")
        self.config = replace(config, layers=len(self.sites))
        self.read(WindowSettings(config.context))
        self.routed_layers = tuple(site.layer for site in self.sites)
        self.evidence = tuple(Evidence() for _ in self.sites)
        self._source, self._tensors = weakref.ref(module), _tensors_of(module)
        self.module = twin(module)
        self._take_part()
        self.probes = self._probes()
        seats = self._seats()
        for site, seat in zip(self.sites, seats, strict=True):
            take_router(self.module.get_submodule(site.router), seat)
            if site.experts is not None:
                take_experts(self.module.get_submodule(site.experts), seat)
            for place, path in enumerate(site.apart):
                take_expert(self.module.get_submodule(path), seat, place)
        self.examine(twin(self.module).eval())
        bench = self._seats()
        copied = twin(self.module, {id(old): new for old, new in zip(seats, bench, strict=True)}).eval()
        self.evidence = tried(
            copied, self.sites, bench, lambda module, ids: self.scores(module, ids, None), self.vocabulary.size,
            self.most_tokens, self.alone is not None or self.ahead is not None,
        )  # fmt: skip
        if self.alone is None and any(evidence.coupled for evidence in self.evidence):
            self.alone = self.ahead
        self.probes = self._probes()
        for seat, evidence in zip(seats, self.evidence, strict=True):
            seat.evidence, seat.probes = evidence, self.probes

    def examine(self, module: nn.Module) -> None:
        """Try what the module as a whole has to do, and set ``alone`` and ``ahead``.

        Args:
            module: a copy in evaluation mode.

        Raises:
            NotAdaptable: it cannot be scored.
        """

    def _trial(self, module: nn.Module, tokens: int) -> Tensor:
        device = next(module.parameters()).device
        ids = torch.arange(tokens, device=device)[None] % self.vocabulary.size
        return self.scores(module, ids, None)

    def _probes(self) -> MixtureProbes:
        """Probes of this view; contributions are reported where every layer's experts add up what they add apart."""
        probes = MixtureProbes()
        if self.alone is not None or not all(evidence.apart for evidence in self.evidence):
            del probes.contributions
        return probes

    def _seats(self) -> list[Seat]:
        found = []
        for step, (site, evidence) in enumerate(zip(self.sites, self.evidence, strict=True)):
            chosen = self.chosen or site.layer.top_k
            part = ActiveExperts(step, self.kept[step], self.silent[step], chosen)
            found.append(Seat(site.layer, part, site.layout, site.call, self.probes, site.scoring, evidence))
        return found

    @abstractmethod
    def scores(
        self, module: nn.Module, ids: Int64[Tensor, "B V"], there: Bool[Tensor, "B V"] | None
    ) -> Float[Tensor, "B V symbols"]:
        """What a copy of the module says of the token that follows each token.

        Args:
            there: which tokens are no padding; None: all.
        """

    # -- tokens --------------------------------------------------------------------------------------------

    @property
    def starts(self) -> bool:
        """Whether the vocabulary has a token that starts a text."""
        return self.vocabulary.start is not None

    def attributes(self) -> dict[str, float | str]:
        """Beside a trace: notes on layers, how tokens depend on others, and what the tokenizer changes."""
        facts = {
            "routing_notes": "; ".join(f"{layer}: {note}" for layer, note in self.notes.items()) or None,
            "texts_run_one_at_a_time": self.alone,
            "reads_ahead": self.ahead,
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

    def token_bytes(self, inputs: Text) -> list[TokenBytes]:
        """All tokens of each text, and where each ends.

        Raises:
            ValueError: a token that the model does not know, or a text that the tokenizer cannot read.
        """
        start = () if self.vocabulary.start is None else (self.vocabulary.start,)
        zero = (0,) * len(start)
        if inputs.ids is None:
            made = map(self.vocabulary.ends, inputs.texts)
            return [TokenBytes((*start, *ids), (*zero, *ends), self.starts) for ids, ends in made]
        every = ((ids, self.vocabulary.ends_of(ids[len(start) :])) for ids in inputs.ids)
        return [TokenBytes(ids, (*zero, *ends), self.starts) for ids, ends in every]

    def batch_of(self, ids: Sequence[Sequence[int]]) -> tuple[Int64[Tensor, "B V"], Bool[Tensor, "B V"]]:
        """Tokens of texts, and which are no padding."""
        longest = max([1, *map(len, ids)])
        padded = torch.tensor([[*own, *[self.vocabulary.start or 0] * (longest - len(own))] for own in ids])
        lengths = torch.tensor([len(own) for own in ids])
        there = torch.arange(longest) < lengths[:, None]
        return padded.long().reshape(-1, longest).to(self.device), there.to(self.device)

    def tokens_of(self, inputs: Inputs) -> Tokens:
        """Places in the longest text of a batch; shorter ones have padding."""
        assert isinstance(inputs, Text)
        ids, there = self.batch_of(self.ids_of(inputs))
        return Tokens(self.tokens[: ids.shape[1]], there)

    def token_texts(self, inputs: Inputs) -> tuple[tuple[str, ...], ...]:
        """How every token reads."""
        assert isinstance(inputs, Text)
        return tuple(tuple(map(self.vocabulary.token, ids)) for ids in self.ids_of(inputs))

    def example(self, batch: int) -> Text:
        """Texts of as many tokens as one pass reads."""
        letters = "".join(chr(97 + place % 26) for place in range(self.reading.context))
        ids = tuple(place % self.vocabulary.size for place in range(self.most_tokens))
        return Text((letters,) * batch, (ids,) * batch)

    # -- views ---------------------------------------------------------------------------------------------

    def _view(self, kept: tuple[tuple[int, ...], ...], silent: tuple[frozenset[int], ...], chosen: int | None) -> Self:
        """A copy of the module with seats of its own; parameters and buffers are shared."""
        view = copy.copy(self)
        view._modules = dict(self._modules)
        view.kept, view.silent, view.chosen = kept, silent, chosen
        view.probes = view._probes()
        own = [vars(self.module.get_submodule(site.router))["seat"] for site in self.sites]
        view.module = twin(self.module, {id(old): new for old, new in zip(own, view._seats(), strict=True)})
        for site in self.sites:
            for path in site.counting:
                vars(view.module.get_submodule(path))[TOP_K] = chosen or site.layer.top_k
        return view

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
        found = {}
        for site in self.sites:
            idle = [unit for unit in self.idle_units if unit in site.layer.units]
            notes = [
                f"{site.fixed}, so that experts are fixed and cannot be dropped" if site.fixed else "",
                f"{', '.join(idle)} have no weights (identities): dropping them saves nothing" if idle else "",
                "a token can skip all experts, which is shown as no expert" if site.scoring.skips else "",
            ]
            if any(notes):
                found[site.layer.name] = "; ".join(filter(None, notes))
        return found

    def mute(self, units: Sequence[str]) -> Self:
        """A view in which these experts are chosen as before and add nothing; nobody takes their share.

        Raises:
            ValueError: experts that cannot be muted; the message says what to pass.
        """
        if refused := self._refused("mute", units):
            raise ValueError(refused)
        return super().mute(units)

    def keep(self, units: Sequence[str]) -> Self:
        """A view in which the other experts are never chosen; a token takes the best of those that are left.

        Raises:
            ValueError: experts that cannot be dropped; the message says why.
        """
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
        for site, own in zip(self.sites, self.kept, strict=True):
            if site.groups is None:
                continue
            units, top_k = site.layer.units, changes.top_k or self.chosen or site.layer.top_k
            left = [e for e in own if units[e] not in gone]
            if len(left) == site.layer.experts:
                continue
            if lacking := site.groups.refusal(left, site.layer.experts, top_k):
                return f"layer {site.layer.name[1:]} needs {lacking}"
        return None

    # -- weights -------------------------------------------------------------------------------------------

    def router_weights(self) -> dict[str, dict[str, Tensor]]:
        return {site.layer.name: router_weights(self.module, site.router) for site in self.sites}

    def expert_weights(self) -> dict[str, dict[str, Tensor]]:
        found: dict[str, dict[str, Tensor]] = {}
        for site in self.sites:
            path = site.experts or (site.apart[0].rpartition(".")[0] if site.apart else None)
            own = expert_weights(self.module, site.router, path, site.layer.experts)
            found |= dict(zip(site.layer.units, own, strict=bool(own)))
        return found

    def selection_biases(self) -> dict[str, SelectionBias]:
        found = {site.layer.name: selection_bias(self.module, site.router, site.layer.experts) for site in self.sites}
        return {name: bias for name, bias in found.items() if bias is not None}

    # -- computing -----------------------------------------------------------------------------------------

    def logits(
        self, ids: Int64[Tensor, "B V"], there: Bool[Tensor, "B V"] | None = None
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
        if self.alone is None:
            with one_pass((ids.shape[0], width), self.steps):
                return self.scores(self.module, ids, there)
        lengths = [width] * len(ids) if there is None else there.sum(dim=1).tolist()
        found = []
        for row, length in zip(ids, lengths, strict=True):
            with one_pass((1, length), self.steps, width):
                scores = self.scores(self.module, row[None, :length], None)
            found.append(F.pad(scores, (0, 0, 0, width - length)))
        return torch.cat(found)

    def _check_weights(self) -> None:
        """Compare the tensors of the module that was adapted with those that it had then.

        Raises:
            ValueError: it has others, which this network does not run with.
        """
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

    def forward(self, inputs: Text, iterations: int | None = None) -> Float[Tensor, "B D V"]:
        """Nats that each token costs, given those before it: 0 for the first one, and for padding.

        Raises:
            ValueError: another number of iterations than there are layers that route.
        """
        if iterations not in (None, self.config.layers):
            raise ValueError(f"this network runs its {self.config.layers} layers that route, not {iterations}")
        ids, there = self.batch_of(self.ids_of(inputs))
        rows = max(1, self.tokens_at_once // ids.shape[1])
        nats = torch.cat([self._nats(*part) for part in zip(ids.split(rows), there.split(rows), strict=True)])
        return nats[:, None].expand(-1, len(self.config.domains), -1)

    def _nats(self, ids: Int64[Tensor, "B V"], there: Bool[Tensor, "B V"]) -> Float[Tensor, "B V"]:
        scores = self.logits(ids, None if bool(there.all()) else there)[:, :-1].float()
        cost = F.cross_entropy(scores.flatten(0, 1), ids[:, 1:].flatten(), reduction="none").view_as(ids[:, 1:])
        return F.pad(cost.masked_fill(~there[:, 1:], 0.0), (1, 0))

    # -- continuing a text ---------------------------------------------------------------------------------

    @property
    def generation(self) -> Self:
        """It continues texts token by token."""
        return self

    def next_tokens(self, inputs: Inputs, count: int) -> tuple[NextToken, ...]:
        """The ``count`` most probable tokens after one text, the most probable first; the start never comes again.

        Raises:
            ValueError: for another number of texts than one, and for one without any token.
        """
        assert isinstance(inputs, Text)
        if len(inputs) != 1:
            raise ValueError(f"one text is continued at a time, not {len(inputs)}")
        (own,), start = self.token_bytes(inputs), self.vocabulary.start
        every = own.ids
        if not every:
            raise ValueError("a text of this model has no start: give it one token to go on from")
        window = every if len(every) <= self.most_tokens else (every[0], *every[1 - self.most_tokens :])
        with torch.no_grad():
            scores = self.logits(torch.tensor([window], device=self.device))[0, -1, : self.vocabulary.size].float()
        if start is not None:
            scores[start] = -torch.inf
        best = scores.softmax(dim=-1).topk(min(count, len(scores) - (start is not None)))
        pairs = zip(best.indices.tolist(), best.values.tolist(), strict=True)
        return tuple(NextToken(token, self.vocabulary.token(token), share) for token, share in pairs)

    def extended(self, inputs: Inputs, token: int) -> Text:
        """One text with one token more."""
        assert isinstance(inputs, Text)
        ids = (*self.token_bytes(inputs)[0].ids, token)
        return Text((self.vocabulary.text(ids[self.starts :]),), (ids,))


def _tensors_of(module: nn.Module) -> dict[str, int]:
    """Path -> which tensor a module has there, of its parameters and persistent buffers, by their ``id``."""
    found = {}
    for path, part in module.named_modules():
        passing = part._non_persistent_buffers_set
        for name, value in (*part._parameters.items(), *part._buffers.items()):
            if value is not None and name not in passing:
                found[f"{path}.{name}".removeprefix(".")] = id(value)
    return found
