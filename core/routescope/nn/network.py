"""The contract that every network keeps: names, steps, views, fields and heads, and what it takes and answers.

Whoever asks something of a network takes a :class:`Network` and nothing else; what only some networks have is a facet
(``links``, ``routes``, ``designer``, ``redrawn``, ``adaptable``, ``extensible``, ``routing``, ``balanced``,
``sliceable``, ``generation``, ``windowed``), which is None for the others. A new architecture is a subclass with the
decorator :func:`routescope.nn.registry.register`; ``tests/core/nn/test_contract.py`` runs over every registered one.

Symbols: B samples, V tokens, D heads.
"""

from abc import abstractmethod
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass
from typing import Any, ClassVar, Protocol, Self, runtime_checkable

import torch
from jaxtyping import Bool, Float
from torch import Tensor, nn

from routescope.nn.changes import Changes as Changes
from routescope.nn.config import Config
from routescope.nn.encoders.text import TextEncoder
from routescope.nn.experts import RoutedLayer
from routescope.nn.inputs.kind import Inputs, OneTensor
from routescope.nn.measures import ACCURACY, Measure
from routescope.nn.probe import Captured, listening, probes_of
from routescope.nn.shown import html, shortened
from routescope.nn.windows import Truncation, Windows, WindowSettings

#: Name -> names of axes, and numbers.
Named = Mapping[str, tuple[tuple[str, ...], Tensor]]
#: (step, unit) -> what replaces the contribution: its axes but unit and sample for every sample alike, or sample first.
Replacements = Mapping[tuple[int, str], Tensor]

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
    """What a network reports about its routing.

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
    """One head: the data set it answers for, the names of its labels (none where it has none), how it is scored."""

    domain: str
    labels: tuple[str, ...]
    measure: Measure = ACCURACY


@dataclass(frozen=True)
class Bounds:
    """Numbers of iterations: unless told otherwise, least and most (None: any)."""

    default: int
    least: int
    most: int | None


@dataclass(frozen=True)
class Identity:
    """Which network this is: the zoo's name of it, the hash of its weights, its family in words, its architecture."""

    id: str
    revision: str
    family: str
    architecture: str


@runtime_checkable
class Links(Protocol):
    """A facet: units are linked by probabilities that signatures decide."""

    def cut(self, keep_edges: float) -> "Network":
        """A view that keeps this share of the links, the most probable ones."""
        ...

    def link_probability(self) -> Float[Tensor, "*S U U"]:
        """P of the units that take part."""
        ...

    def link_probability_of_all(self) -> Float[Tensor, "U U"]:
        """P of all units of the full network, whatever a view leaves out or cuts."""
        ...

    def connectivity(self) -> Float[Tensor, " U"]:
        """How well every unit of the full network is linked: the sum of its probabilities."""
        ...

    @property
    def prior_graph(self) -> "PriorGraph | None":
        """The random graph that the links were drawn to, where there is one."""
        ...


@dataclass(frozen=True)
class PriorGraph:
    """Name of a prior, and which of its nodes each unit played in training."""

    name: str
    order: Tensor


@runtime_checkable
class Routes(Protocol):
    """A facet: blocks are routed, and routes and gates can be steered by name."""

    @property
    def levels(self) -> tuple[tuple[str, ...], ...]:
        """Names of the blocks of every level, those read first, those that come out last."""
        ...

    def reroute(
        self, mute_routes: Sequence[str], copy_routes: Sequence[str], gates: Sequence[tuple[str, float]]
    ) -> "Network":
        """A view in which routes are steered."""
        ...


@dataclass(frozen=True)
class Design:
    """Circuits, one a sentence: what the generator gives the executor.

    ``text_attention`` says which pieces each processor module's query read, averaged over the heads.
    """

    signatures: Float[Tensor, "S U_p d_sig"]
    codes: Float[Tensor, "S U_p d_code"]
    readout_signatures: Float[Tensor, "S U_o d_sig"]
    readout_codes: Float[Tensor, "S U_o d_code"]
    text_attention: Float[Tensor, "S U_p T"]


@runtime_checkable
class Designer(Protocol):
    """A facet: sentences design the network's circuit."""

    @property
    def text(self) -> TextEncoder:
        """What reads sentences."""
        ...

    def design(self, sentences: Sequence[str]) -> Design:
        """Signatures and codes of every module, one circuit a sentence."""
        ...

    def pooled_text(self, sentences: Sequence[str]) -> Float[Tensor, "S d_text"]:
        """The text encoder's own view of sentences."""
        ...

    def link_probability(self, design: Design | None = None) -> Float[Tensor, "S U U"]:
        """P of the modules that take part, of every design."""
        ...


@runtime_checkable
class ExpertRouting(Protocol):
    """A facet: tokens are routed to experts, and each takes the best few of a layer."""

    @property
    def routed_layers(self) -> tuple[RoutedLayer, ...]:
        """The layers that route, in their order: one a step."""
        ...

    @property
    def unverified(self) -> Mapping[str, str]:
        """Layer -> why its recorded routing was not compared with the tokens that its experts received."""
        ...

    def choosing(self, top_k: int) -> "Network":
        """A view in which a token takes so many experts at every layer."""
        ...


@runtime_checkable
class Balanced(Protocol):
    """A facet: training adds an auxiliary loss that makes routers spread tokens over units."""

    def auxiliary_loss(self, inputs: Inputs) -> Float[Tensor, ""]:
        """The auxiliary loss of a batch, a scalar with its graph, without its weight in the objective; padding counts
        nowhere."""
        ...

    def routers(self) -> Mapping[str, tuple[nn.Parameter, ...]]:
        """Name of a step -> the parameters of its router."""
        ...


@runtime_checkable
class Sliceable(Protocol):
    """A facet: a network of its own can be made of the units that take part."""

    def sliced(self) -> "Network":
        """A network without the weights of the others, which computes what this view does.

        Raises:
            ValueError: for units that cannot be cut out so; says what could be.
        """
        ...


@dataclass(frozen=True)
class NextToken:
    """A token that may come next: its number, how it reads, its probability."""

    id: int
    text: str
    probability: float


@runtime_checkable
class Generation(Protocol):
    """A facet: texts are continued, token by token."""

    def next_tokens(self, inputs: Inputs, count: int) -> Sequence[NextToken]:
        """The ``count`` most probable tokens after a batch of one text, the most probable first."""
        ...

    def extended(self, inputs: Inputs, token: int) -> Inputs:
        """The same batch of one text with one token more."""
        ...


@runtime_checkable
class Windowed(Protocol):
    """A facet: texts have tokens, and those that are longer than the context are scored in windows."""

    @property
    def reading(self) -> WindowSettings:
        """How many tokens of a text one pass reads."""
        ...

    def windows(self, inputs: Inputs) -> Windows:
        """The windows in which texts are scored."""
        ...

    def left_out(self, inputs: Inputs) -> Truncation:
        """Tokens and bytes at the end of each text that one pass does not read."""
        ...

    def with_context(self, context: int | None = None, stride: int | None = None, cut: bool = False) -> "Network":
        """A view that reads ``context`` tokens in one pass.

        Args:
            context: None: as many as this network.
            stride: tokens from the start of a window to the start of the next; None: half of the context.
            cut: whether longer texts are cut, in place of scored in windows.

        Raises:
            ValueError: more tokens than the network can read, or a stride that leaves a token without context.
        """
        ...


@runtime_checkable
class Redrawn(Protocol):
    """A facet: the routing can be drawn anew, as at initialisation, with all else as it is."""

    def with_initial_routing(self, seed: int = 0) -> "Network":
        """A copy that shares no parameter, with its routing drawn from ``seed``."""
        ...


@runtime_checkable
class Adaptable(Protocol):
    """A facet: other domains get new CLS tokens and heads, with all else as it was learned."""

    def with_heads(self, domains: Sequence[str], classes: int) -> "Network":
        """A copy that shares no parameter, with a new CLS token and head for each of these domains in place of its own.

        They are drawn, as at initialisation, from torch's global generator. What the network freezes is frozen in the
        copy, and all else takes gradients. Units that were dropped or muted stay so.

        Args:
            domains: names of the new domains, at least one.
            classes: labels of every new head.
        """
        ...

    def parts(self) -> Mapping[str, tuple[nn.Parameter, ...]]:
        """Name of a part -> its parameters, frozen ones included; together all of them, each once.

        ``heads`` is always there, ``cls`` where tokens of their own are read by heads, ``tokens`` where something makes
        tokens of inputs; a Neural Interpreter has ``signatures``, ``codes``, ``type inference`` and ``interpreter``.
        """
        ...


@runtime_checkable
class Extensible(Protocol):
    """A facet: functions, each a signature and a code, can be added, and drawn anew."""

    def add_functions(self, new: int) -> "Network":
        """A network with so many functions more, drawn from torch's global generator; all else is shared."""
        ...

    def with_initial_functions(self, seed: int = 0) -> "Network":
        """A copy that shares no parameter, with all its functions drawn from ``seed`` and all else as it is."""
        ...


class Network(nn.Module):
    """A network that routes. Views share every parameter and have probes of their own.

    A subclass gives ``forward``, ``example``, the names (``all_units``, ``units``, ``muted``, ``step_names``,
    ``tokens``) and the views ``keep`` and ``mute``. What is defined here is what follows from these.

    Attributes:
        config: every size; ``Config`` says what the house reads of it.
        kinds: kinds of input that networks of this architecture read; ``inputs`` is that of this one.
        id, revision: the zoo's name and the hash of its weights; empty for a network that was not loaded.
        trained_on: domains that the model's card says were trained on; empty where no card says it.
        architecture, family: set by the registry.
    """

    kinds: ClassVar[tuple[type[Inputs], ...]]
    architecture: ClassVar[str] = ""
    family: ClassVar[str] = ""
    config: Config
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
        facts |= {"reads": self.inputs.words, "parameters": sum(each.numel() for each in self.parameters())}
        facts |= {"units": self.units, "dropped": len(self.all_units) - len(self.units), "muted": len(self.muted)}
        return {**facts, "steps": self.steps, "domains": tuple(self.config.domains)}

    @property
    def identity(self) -> Identity:
        """Which network this is."""
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
        """Where the parameters are."""
        return next(self.parameters()).device

    # -- units, steps, tokens, fields ----------------------------------------------------------------------

    @property
    @abstractmethod
    def all_units(self) -> tuple[str, ...]:
        """Names of the units of the full network, dropped or not."""

    @property
    @abstractmethod
    def units(self) -> tuple[str, ...]:
        """Names of the units that take part; muted ones do."""

    @property
    @abstractmethod
    def muted(self) -> tuple[str, ...]:
        """Names of the units that are silent."""

    @property
    def groups(self) -> Mapping[str, tuple[str, ...]]:
        """Script, level or layer -> its units; joined, they are all units. One group, "", where steps share them."""
        return {"": self.all_units}

    @abstractmethod
    def step_names(self, iterations: int) -> tuple[str, ...]:
        """Names of the steps of a run of so many iterations."""

    @property
    def steps(self) -> tuple[str, ...]:
        """Names of the steps of a run of as many iterations as it has unless told otherwise."""
        return self.step_names(self.config.iterations)

    def along(self, axis: str, iterations: int) -> tuple[str, ...]:
        """Names of what is reported one after the other along an axis: every "step", or every "layer"."""
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
        found = []
        for at, name in enumerate(names):
            group = self.group_at(at, len(names))
            found.append(Step(name, group, self.units_at(at, len(names))))
        return tuple(found)

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
        """What it reports about its routing, by name."""
        return {name: Field(name, probe.dims, probe.along) for name, probe in probes_of(self).items()}

    def coordinates(self) -> dict[str, tuple[str, ...]]:
        """Names along the axes of a trace."""
        labels = max((head.labels for head in self.all_heads), key=len, default=())
        return {"unit": self.all_units, "token": self.tokens, "domain": self.config.domains, "label": labels}

    def constants(self) -> Named:
        """What a trace holds that depends on no sample, with the names of its axes."""
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
        """The place of a domain's head.

        Raises:
            ValueError: where there is none.
        """
        if domain not in self.config.domains:
            raise ValueError(f"no head for {domain!r}; this model has {', '.join(self.config.domains)}")
        return self.config.domains.index(domain)

    @property
    def answer_name(self) -> str:
        """What its answer is called in a trace."""
        return "logits"

    def token_texts(self, inputs: Inputs) -> tuple[tuple[str, ...], ...] | None:
        """How each token of each sample reads; None where tokens are no text."""
        return None

    @property
    def answer_axes(self) -> tuple[str, ...]:
        """Names of the axes of what ``forward`` gives."""
        return LABEL_AXES

    # -- views ---------------------------------------------------------------------------------------------

    @abstractmethod
    def keep(self, units: Sequence[str]) -> Self:
        """A view without the other units: the routing is renormalised, and their compute is saved."""

    @abstractmethod
    def mute(self, units: Sequence[str]) -> Self:
        """A view in which these units are silent; nobody takes their share."""

    @property
    def mute_refusal(self) -> str | None:
        """Why no unit of this network can be muted, and what would let it be; None: units can be muted."""
        return None

    def refusal(self, changes: Changes, iterations: int) -> str | None:
        """Why it cannot run under these changes, in words, beyond what names and facets tell; None: it can."""
        return None

    def view(self, changes: Changes) -> "Network":
        """A view in which everything is changed as asked.

        Raises:
            ValueError: for units, links or routes that the network has not.
        """
        gone = set(changes.drop)
        found: Network = self.keep([unit for unit in self.units if unit not in gone])
        if changes.keep_edges is not None:
            if found.links is None:
                raise ValueError("the graph of this model is complete: no link is less probable than another")
            found = found.links.cut(changes.keep_edges)
        if changes.mute_routes or changes.copy_routes or changes.gates:
            if found.routes is None:
                raise ValueError("this model routes no blocks")
            found = found.routes.reroute(changes.mute_routes, changes.copy_routes, changes.gates)
        if changes.top_k is not None:
            if found.routing is None:
                raise ValueError("no token of this model takes the best few of many experts")
            found = found.routing.choosing(changes.top_k)
        return found.mute(changes.mute) if changes.mute else found

    # -- recording and replacing ---------------------------------------------------------------------------

    def capture(self, only: Sequence[str]) -> AbstractContextManager[Captured]:
        """What the named fields report while the network runs; no hook is left behind.

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
                    own = by_unit[place]
                    if new.dim() < own.dim():
                        own.copy_(new)
                    else:  # of as many tokens as a sample can have, where samples have different numbers of them
                        own.copy_(new[first : first + count][tuple(slice(size) for size in own.shape)])
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

    # -- facets --------------------------------------------------------------------------------------------

    @property
    def links(self) -> Links | None:
        """The links between units, where signatures say how probable they are."""
        return None

    @property
    def routes(self) -> Routes | None:
        """The routes between blocks."""
        return None

    @property
    def designer(self) -> Designer | None:
        """What lets sentences design its circuit."""
        return None

    @property
    def redrawn(self) -> Redrawn | None:
        """What draws its routing anew."""
        return None

    @property
    def adaptable(self) -> Adaptable | None:
        """What gives it CLS tokens and heads for other domains."""
        return None

    @property
    def extensible(self) -> Extensible | None:
        """What adds functions, and draws them anew."""
        return None

    @property
    def routing(self) -> ExpertRouting | None:
        """The layers whose tokens are routed to experts."""
        return None

    @property
    def balanced(self) -> Balanced | None:
        """The auxiliary loss that its routers are trained with."""
        return None

    @property
    def sliceable(self) -> Sliceable | None:
        """What makes a network of its own of the units that take part."""
        return None

    @property
    def generation(self) -> Generation | None:
        """What continues a text."""
        return None

    @property
    def windowed(self) -> Windowed | None:
        """What scores texts in windows."""
        return None

    @property
    def text_encoder(self) -> "TextEncoder | None":
        """What reads sentences, where it is asked about them."""
        return None


def units_first(contributions: Tensor, dims: tuple[str, ...]) -> Tensor:
    """The same numbers with the shape (unit, sample, ...); ``dims`` are the names of their axes."""
    return contributions.movedim((dims.index("unit"), dims.index("sample")), (0, 1))
