"""The contract of all networks: names, steps, views, fields and heads, and what they read and answer.

Functions take a :class:`Network`. Abilities that only some networks have are subclasses, asked for by ``isinstance``:
``LinkedNetwork``, ``DesignedNetwork``, ``ReroutableNetwork``, ``SliceableNetwork`` and others at the end of this
module, and ``routescope.nn.mixture.routed.RoutedNetwork``. A new architecture is a subclass with the decorator
:func:`routescope.nn.registry.register`; ``tests/core/nn/test_contract.py`` runs over every registered one.

Symbols: B samples, V tokens, D heads.
"""

import copy
from abc import abstractmethod
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass
from typing import Any, ClassVar, Literal, Self

import torch
from jaxtyping import Bool, Float
from torch import Tensor, nn

from routescope.nn.changes import Changes as Changes
from routescope.nn.config import Config
from routescope.nn.encoders.text import TextEncoder
from routescope.nn.inputs.kind import Inputs, OneTensor
from routescope.nn.measures import ACCURACY, Measure
from routescope.nn.probe import Captured, listening, probes_of
from routescope.nn.shown import html, listed, shortened

#: Name -> names of axes, and numbers.
Named = Mapping[str, tuple[tuple[str, ...], Tensor]]
#: (step, unit) -> what replaces the contribution: its axes but unit and sample for every sample alike, or sample first.
Replacements = Mapping[tuple[int, str], Tensor]

#: What a unit of a network is.
UnitKind = Literal["function", "expert", "module", "block", "layer"]

#: Tokens (samples x tokens) that one pass holds where a network does not say.
CHUNK_TOKENS = 2048
#: How many times as many one pass holds on a GPU: what fits a processor's cache leaves most of it idle.
GPU_CHUNKS = 8
#: The axes of answers where every head chooses a label.
LABEL_AXES = ("sample", "domain", "label")
#: The axes of answers where every head answers with one number a sample.
NUMBER_AXES = ("sample", "domain", "number")


@dataclass(frozen=True)
class Step:
    """One step of a run.

    Attributes:
        name: such as "s1.i2" or "l3".
        group: the script, level or layer whose units it has, a key of ``Network.groups``.
        computing: names of the units that compute, in the order of the tensors that are reported.
    """

    name: str
    group: str
    computing: tuple[str, ...]


@dataclass(frozen=True)
class Tokens:
    """The tokens of a batch: names along the token axis, and which of them are no padding (None: all)."""

    names: tuple[str, ...]
    mask: Bool[Tensor, "B V"] | None = None


@dataclass(frozen=True)
class Field:
    """A quantity that a network reports about its routing.

    Attributes:
        name: public, such as "compatibility".
        dims: axes of each tensor that is reported.
        along: "step", "layer", or None where it is reported once a forward.
    """

    name: str
    dims: tuple[str, ...]
    along: str | None


@dataclass(frozen=True)
class Head:
    """A head: its data set, the names of its labels (none for heads without labels), and its measure."""

    domain: str
    labels: tuple[str, ...]
    measure: Measure = ACCURACY


@dataclass(frozen=True)
class Bounds:
    """Numbers of iterations: the default, the least and the most (None: any)."""

    default: int
    least: int
    most: int | None


@dataclass(frozen=True)
class Identity:
    """The identity of a network: its id in the zoo, the hash of its weights, its family, its architecture."""

    id: str
    revision: str
    family: str
    architecture: str


@dataclass(frozen=True)
class PriorGraph:
    """A random graph that links were drawn to: its name, and the node that each unit played in training."""

    name: str
    order: Tensor


@dataclass(frozen=True)
class Design:
    """Circuits, one a sentence: what the generator gives the executor.

    ``text_attention`` holds the pieces that each processor module's query read, averaged over the heads.
    """

    signatures: Float[Tensor, "S U_p d_sig"]
    codes: Float[Tensor, "S U_p d_code"]
    readout_signatures: Float[Tensor, "S U_o d_sig"]
    readout_codes: Float[Tensor, "S U_o d_code"]
    text_attention: Float[Tensor, "S U_p T"]


class Network(nn.Module):
    """A network that routes. Views share every parameter and have probes of their own.

    A subclass gives ``forward``, ``example`` and the names ``all_units``, ``step_names`` and ``tokens``. It sets
    ``probes``, a module of probes that can be made without arguments, and calls ``keep_all`` once. All else is defined
    here.

    Attributes:
        config: every size; ``Config`` lists what is read from it.
        kinds: kinds of input that networks of this architecture read; ``inputs`` is that of this one.
        unit_kind: what a unit is, by which pages word interventions; a "layer" adds to its tokens, as panels of WReN.
        probes: places to which hooks can listen.
        kept, silent: places, in ``all_units``, of the units that take part, and of those among them that are muted.
        id, revision: the zoo's name and the hash of its weights; empty for a network that was not loaded.
        trained_on: domains that the model's card says were trained on; empty where no card says it.
        architecture, family: set by the registry.
    """

    kinds: ClassVar[tuple[type[Inputs], ...]]
    unit_kind: ClassVar[UnitKind] = "layer"
    architecture: ClassVar[str] = ""
    family: ClassVar[str] = ""
    config: Config
    probes: nn.Module
    kept: tuple[int, ...]
    silent: frozenset[int]
    id: str = ""
    revision: str = ""
    trained_on: tuple[str, ...] = ()

    # -- what it is ----------------------------------------------------------------------------------------

    def __repr__(self) -> str:
        """Return its name and sizes; ``torch.nn.Module.__repr__(network)`` has the tree of its modules."""
        return shortened(type(self).__name__, self._facts())

    def _repr_html_(self) -> str:
        """Return its name and sizes as a table."""
        return html(type(self).__name__, self._facts())

    def _facts(self) -> dict[str, object]:
        facts: dict[str, object] = {"id": self.id} if self.id else {}
        facts |= {"reads": self.inputs.words, "parameters": sum(parameter.numel() for parameter in self.parameters())}
        facts |= {"units": self.units, "dropped": len(self.all_units) - len(self.units), "muted": len(self.muted)}
        return {**facts, "steps": self.steps, "domains": tuple(self.config.domains)}

    @property
    def identity(self) -> Identity:
        """The identity of this network."""
        return Identity(self.id, self.revision, self.family, self.architecture)

    @property
    def inputs(self) -> type[Inputs]:
        """The kind of input that it reads."""
        return self.kinds[0]

    @property
    def bounds(self) -> Bounds:
        """Numbers of iterations that it can run."""
        return Bounds(self.config.iterations, self.least_iterations, self.most_iterations)

    @property
    def most_iterations(self) -> int | None:
        """The most iterations, or layers, that can run; None: any number."""
        return None

    @property
    def least_iterations(self) -> int:
        """The least iterations that give an answer."""
        return 0

    @property
    def device(self) -> torch.device:
        """The device of the parameters."""
        return next(self.parameters()).device

    # -- units, steps, tokens, fields ----------------------------------------------------------------------

    @property
    @abstractmethod
    def all_units(self) -> tuple[str, ...]:
        """Names of the units of the full network, dropped or not."""

    @property
    def units(self) -> tuple[str, ...]:
        """Names of the units that take part; muted ones do."""
        names = self.all_units
        return tuple(names[place] for place in self.kept)

    @property
    def muted(self) -> tuple[str, ...]:
        """Names of the units that are silent."""
        names = self.all_units
        return tuple(names[place] for place in sorted(self.silent))

    @property
    def groups(self) -> Mapping[str, tuple[str, ...]]:
        """Script, level or layer -> its units; joined, they are all units. One group, "", where steps share them."""
        return {"": self.all_units}

    @abstractmethod
    def step_names(self, iterations: int) -> tuple[str, ...]:
        """Names of the steps of a run of so many iterations."""

    @property
    def steps(self) -> tuple[str, ...]:
        """Names of the steps of a run with the default number of iterations."""
        return self.step_names(self.config.iterations)

    def along(self, axis: str, iterations: int) -> tuple[str, ...]:
        """Names along an axis of reports: every "step", or every "layer"."""
        return self.step_names(iterations)

    def computing(self, step: int, steps: int) -> tuple[int, ...]:
        """Places, along the unit axis of a trace, of the units that compute at one of ``steps`` steps."""
        names = self.all_units
        return tuple(names.index(unit) for unit in self.units)

    def group_at(self, step: int, steps: int) -> str:
        """The group whose units lie along the unit axis of what a step reports."""
        groups = tuple(self.groups)
        return groups[step * len(groups) // steps]

    def steps_of(self, iterations: int) -> tuple[Step, ...]:
        """The steps of a run, with the units that compute."""
        names = self.step_names(iterations)
        return tuple(
            Step(name, self.group_at(step, len(names)), self.units_at(step, len(names)))
            for step, name in enumerate(names)
        )

    def units_at(self, step: int, steps: int) -> tuple[str, ...]:
        """Names of the units along the unit axis of what a step reports: those that compute."""
        units = self.groups[self.group_at(step, steps)]
        return tuple(units[place] for place in self.computing(step, steps))

    @property
    @abstractmethod
    def tokens(self) -> tuple[str, ...]:
        """Names of the tokens, of as many as a sample can have."""

    def tokens_of(self, inputs: Inputs) -> Tokens:
        """The tokens of a batch, with a mask where samples have different numbers of them."""
        return Tokens(self.tokens)

    @property
    def fields(self) -> Mapping[str, Field]:
        """Quantities that it reports about its routing, by name."""
        return {name: Field(name, probe.dims, probe.along) for name, probe in probes_of(self).items()}

    def coordinates(self) -> dict[str, tuple[str, ...]]:
        """Names along the axes of a trace."""
        labels = max((head.labels for head in self.all_heads), key=len, default=())
        return {"unit": self.all_units, "token": self.tokens, "domain": self.config.domains, "label": labels}

    def constants(self) -> Named:
        """Parts of a trace that depend on no sample, with the names of their axes."""
        units, muted = set(self.units), set(self.muted)
        return {
            "kept": (("unit",), torch.tensor([unit in units for unit in self.all_units], dtype=torch.bool)),
            "muted": (("unit",), torch.tensor([unit in muted for unit in self.all_units], dtype=torch.bool)),
        }

    def attributes(self) -> dict[str, float | str]:
        """Settings that belong beside a trace."""
        return {}

    # -- heads ---------------------------------------------------------------------------------------------

    @property
    def all_heads(self) -> tuple[Head, ...]:
        """The heads, in the order of the axis D of what ``forward`` gives: one a domain, scored by accuracy."""
        labels = self.config.class_names or tuple(str(label) for label in range(self.config.classes))
        return tuple(Head(domain, labels) for domain in self.config.domains)

    @property
    def separate_heads(self) -> bool:
        """Whether the heads of several domains answer on their own; False where one answer is that of all."""
        return len(self.all_heads) > 1

    def head_of(self, domain: str) -> int:
        """Return the position of a domain's head; raises ValueError if there is none."""
        if domain not in self.config.domains:
            raise ValueError(f"no head for {domain!r}; this model has {', '.join(self.config.domains)}")
        return self.config.domains.index(domain)

    @property
    def answer_name(self) -> str:
        """The name of its answer in a trace."""
        return "logits"

    def token_texts(self, inputs: Inputs) -> tuple[tuple[str, ...], ...] | None:
        """Text of each token of each sample; None where tokens are no text."""
        return None

    @property
    def answer_axes(self) -> tuple[str, ...]:
        """Names of the axes of what ``forward`` gives."""
        return LABEL_AXES

    # -- views ---------------------------------------------------------------------------------------------

    def keep_all(self) -> None:
        """Let all units take part, none muted; for constructors."""
        self.kept, self.silent = tuple(range(len(self.all_units))), frozenset()
        self.arrange()

    def arrange(self) -> None:
        """Make what depends on the units that take part: called for every new view, with probes of its own."""

    def with_changes(self, **changes: Any) -> Self:
        """A shallow copy that shares every parameter, with probes of its own and these attributes."""
        view = copy.copy(self)
        view._modules = dict(self._modules)
        view.probes = type(self.probes)()
        for name, value in changes.items():
            setattr(view, name, value)
        view.arrange()
        return view

    def places_of(self, units: Iterable[str]) -> frozenset[int]:
        """Return the positions of units in ``all_units``; raises ValueError for units that do not take part."""
        wanted, names = set(units), self.all_units
        places = frozenset(place for place in self.kept if names[place] in wanted)
        if len(places) < len(wanted):
            unknown = sorted(wanted - {names[place] for place in places})
            raise ValueError(f"unknown units {listed(unknown)}; this model has {listed(self.units) or 'none'}")
        return places

    def keep(self, units: Sequence[str]) -> Self:
        """A view without the other units: the routing is renormalised, and their compute is saved.

        The order of ``units`` does not matter.

        Raises:
            ValueError: names of units that do not take part.
        """
        kept = self.places_of(units)
        return self.with_changes(kept=tuple(sorted(kept)), silent=self.silent & kept)

    def mute(self, units: Sequence[str]) -> Self:
        """Return a view in which units are silent, without saving compute; raises ValueError for absent units."""
        return self.with_changes(silent=self.silent | self.places_of(units))

    @property
    def mute_refusal(self) -> str | None:
        """Why no unit of this network can be muted, and what would let it be; None: units can be muted."""
        return None

    def refusal(self, changes: Changes, iterations: int) -> str | None:
        """Why the network cannot run under these changes, for reasons beyond names; None: it can."""
        return None

    def view(self, changes: Changes) -> "Network":
        """Return a view with these changes; raises ValueError for units, links or routes that the network lacks."""
        dropped = set(changes.drop)
        view: Network = self.keep([unit for unit in self.units if unit not in dropped])
        if changes.keep_edges is not None:
            if not (isinstance(view, LinkedNetwork) and view.has_links):
                raise ValueError("the graph of this model is complete: no link is less probable than another")
            view = view.cut(changes.keep_edges)
        if changes.mute_routes or changes.copy_routes or changes.gates:
            if not isinstance(view, ReroutableNetwork):
                raise ValueError("this model routes no blocks")
            view = view.reroute(changes.mute_routes, changes.copy_routes, changes.gates)
        if changes.top_k is not None:
            view = view.choosing(changes.top_k)
        return view.mute(changes.mute) if changes.mute else view

    def choosing(self, top_k: int) -> "Network":
        """A view in which a token takes ``top_k`` experts at every layer.

        Raises:
            ValueError: the network has no experts, or not as many.
        """
        raise ValueError("no token of this model takes the best few of many experts")

    # -- recording and replacing ---------------------------------------------------------------------------

    def capture(self, only: Sequence[str]) -> AbstractContextManager[Captured]:
        """Capture the reports of the named fields while the network runs; no hook is left behind.

        Raises:
            ValueError: for a field that it has not.
        """
        return listening(self, only)

    @property
    def replaceable(self) -> bool:
        """Whether contributions of units can be replaced (mean and resample ablation)."""
        return "contributions" in probes_of(self)

    @contextmanager
    def replacing(self, replacements: Replacements, iterations: int) -> Iterator[None]:
        """Replace contributions while this view runs. No hook is left behind, also after an exception.

        Args:
            replacements: by the step's index and the unit's name; a sample's own row where they have rows, of as many
                tokens as this run has, or more.
            iterations: how many the run has.
        """
        probe = probes_of(self)["contributions"]
        steps, seen = len(self.along(probe.along or "step", iterations)), Counter[int]()

        def hook(_: Any, __: Any, kwargs: dict[str, Any], contributions: Tensor) -> Tensor:
            step, replaced = kwargs["step"], contributions.clone()
            by_unit = units_first(replaced, probe.dims)
            count = by_unit.shape[1]
            first, seen[step] = seen[step], seen[step] + count  # large batches run in chunks
            for place, unit in enumerate(self.units_at(step, steps)):
                new = replacements.get((step, unit))
                if new is not None:
                    contribution = by_unit[place]
                    if new.dim() < contribution.dim():
                        contribution.copy_(new)
                    else:  # of as many tokens as a sample can have, where samples have different numbers of them
                        rows = new[first : first + count]
                        contribution.copy_(rows[tuple(slice(size) for size in contribution.shape)])
            return replaced

        handle = probe.register_forward_hook(hook, with_kwargs=True)
        try:
            yield
        finally:
            handle.remove()

    # -- running -------------------------------------------------------------------------------------------

    @property
    def chunk_tokens(self) -> int:
        """Tokens (samples x tokens) that one pass holds at once on a processor; more are cut into chunks."""
        return CHUNK_TOKENS

    @property
    def tokens_at_once(self) -> int:
        """Tokens (samples x tokens) that one pass holds at once in evaluation, where the network is."""
        return self.chunk_tokens * (GPU_CHUNKS if self.device.type == "cuda" else 1)

    def rows_at_once(self) -> int:
        """Samples that one pass holds at once in evaluation."""
        return max(1, self.tokens_at_once // max(1, len(self.tokens)))

    def as_inputs(self, values: object) -> Inputs:
        """A batch as a kind of input: a tensor, samples first, of the shape that the kind says, becomes one.

        Args:
            values: inputs, or a tensor; for networks that read texts also a string or strings.

        Raises:
            TypeError: for anything other than the network's kind of input.
            ValueError: for a tensor where the network reads more than one.
        """
        kind = self.inputs
        if isinstance(values, Inputs) and isinstance(values, (kind, *self.kinds)):
            return values
        if not isinstance(values, Tensor):
            got = values.words if isinstance(values, Inputs) else f"an object of type {type(values).__name__}"
            raise TypeError(
                f"this network reads {kind.words}, not {got}: pass {kind.__name__}, or what a data set's inputs() gives"
            )
        if not issubclass(kind, OneTensor):
            raise ValueError(f"this network reads {kind.words}, not a tensor")
        return kind(values)

    @abstractmethod
    def example(self, batch: int) -> Inputs:
        """Inputs of the right shape, as long as any can be: to count operations with."""


class LinkedNetwork(Network):
    """A network whose units are linked by probabilities that signatures decide."""

    @property
    def has_links(self) -> bool:
        """Whether some links are more probable than others; False in a complete graph, where every P is 1."""
        return True

    @abstractmethod
    def cut(self, keep_edges: float) -> Self:
        """A view that keeps this share of the links, the most probable ones."""

    @abstractmethod
    def link_probability(self) -> Float[Tensor, "*S U U"]:
        """P of the units that take part."""

    @abstractmethod
    def link_probability_of_all(self) -> Float[Tensor, "U U"]:
        """P of all units of the full network, whatever a view leaves out or cuts."""

    def connectivity(self) -> Float[Tensor, " U"]:
        """Equation 10 of Neural Attentive Circuits: q_i = sum_j P_ij of every unit of the full network."""
        return self.link_probability_of_all().sum(dim=1).detach()

    @property
    def prior_graph(self) -> PriorGraph | None:
        """The random graph that the links were drawn to; None: they were drawn to none."""
        return None


class SentenceNetwork(Network):
    """A network that reads sentences.

    Attributes:
        text: the encoder of sentences.
    """

    text: TextEncoder


class DesignedNetwork(SentenceNetwork, LinkedNetwork):
    """A network whose circuit is designed by a sentence."""

    @abstractmethod
    def design(self, sentences: Sequence[str]) -> Design:
        """Signatures and codes of every module, one circuit a sentence."""

    @abstractmethod
    def link_probability(self, design: Design | None = None) -> Float[Tensor, "S U U"]:
        """P of the modules that take part, of every design; of the config's reference sentences when None."""


class ReroutableNetwork(Network):
    """A network of blocks whose routes and gates can be changed by name."""

    @property
    @abstractmethod
    def levels(self) -> tuple[tuple[str, ...], ...]:
        """Names of the blocks of every level, from the blocks that are read to those that come out."""

    @abstractmethod
    def reroute(
        self, mute_routes: Sequence[str], copy_routes: Sequence[str], gates: Sequence[tuple[str, float]]
    ) -> Self:
        """A view with changed routes and gates."""


class BalancedNetwork(Network):
    """A network that is trained with an auxiliary loss by which routers spread tokens over units."""

    @abstractmethod
    def auxiliary_loss(self, inputs: Inputs) -> Float[Tensor, ""]:
        """The auxiliary loss of a batch without its weight in the objective; padding does not count."""

    @abstractmethod
    def routers(self) -> Mapping[str, tuple[nn.Parameter, ...]]:
        """Name of a step -> the parameters of its router."""


class SliceableNetwork(Network):
    """A network of which a smaller one can be made, with the units that take part."""

    @abstractmethod
    def sliced(self) -> Self:
        """A network without the weights of dropped units, which answers as this view does.

        Raises:
            ValueError: units that cannot be cut out; the message says what could be.
        """


class RedrawableNetwork(Network):
    """A network whose routing can be drawn anew, as at initialisation, while all else stays."""

    @abstractmethod
    def with_initial_routing(self, seed: int = 0) -> Self:
        """A copy that shares no parameter, with its routing drawn from ``seed``."""


class AdaptableNetwork(Network):
    """A network that can get CLS tokens and heads for other domains, while all else stays as it was learned."""

    @abstractmethod
    def with_heads(self, domains: Sequence[str], classes: int) -> Self:
        """A copy that shares no parameter, with a new CLS token and head for each of these domains in place of its own.

        They are drawn, as at initialisation, from torch's global generator. Parameters are frozen as ``config`` says.
        Units that were dropped or muted stay so.

        Args:
            domains: names of the new domains, at least one.
            classes: labels of every new head.
        """

    @abstractmethod
    def parts(self) -> Mapping[str, tuple[nn.Parameter, ...]]:
        """Name of a part -> its parameters, frozen ones included; together all of them, each once.

        ``heads`` is always a part, ``cls`` where heads read CLS tokens, ``tokens`` where a tokenizer has parameters; a
        Neural Interpreter has ``signatures``, ``codes``, ``type inference`` and ``interpreter``.
        """


class ExtensibleNetwork(Network):
    """A network of functions, each a signature and a code, that can be added and drawn anew."""

    @abstractmethod
    def add_functions(self, new: int) -> Self:
        """A network with ``new`` more functions, drawn from torch's global generator; all else is shared."""

    @abstractmethod
    def with_initial_functions(self, seed: int = 0) -> Self:
        """A copy that shares no parameter, with all its functions drawn from ``seed`` and all else as it is."""


def units_first(contributions: Tensor, dims: tuple[str, ...]) -> Tensor:
    """Contributions with the shape (unit, sample, ...); ``dims`` are the names of their axes."""
    return contributions.movedim((dims.index("unit"), dims.index("sample")), (0, 1))
