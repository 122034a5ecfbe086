"""Names of the parts of a Neural Attentive Circuit, and views of it in which some of them are changed."""

from typing import ClassVar, Literal, Self, get_args

from torch import nn

from routescope.nn.circuit_config import IMAGE_TOKENIZERS, NeuralAttentiveCircuitConfig
from routescope.nn.inputs.kind import Inputs
from routescope.nn.inputs.pictures import Pictures
from routescope.nn.inputs.points import Points, as_many
from routescope.nn.inputs.sequences import Bytes, Expressions, Sequences
from routescope.nn.inputs.sets import Sets
from routescope.nn.network import LinkedNetwork, Tokens
from routescope.nn.probe import Probe

#: What evaluation takes for the kernel K: P itself, P > 0.5, or a sample as in training.
Kernel = Literal["probability", "threshold", "sample"]

#: What tokenizers of sequences take.
SEQUENCES: dict[str, type[Sequences]] = {"bytes": Bytes, "listops": Expressions}


class CircuitProbes(nn.Module):
    """The places of a Neural Attentive Circuit to which hooks can listen; their names are public."""

    def __init__(self) -> None:
        super().__init__()
        self.read_in = Probe("read_in", ("sample", "unit", "token"), along=None)
        self.states = Probe("states", ("sample", "unit", "feature"))
        self.contributions = Probe("contributions", ("unit", "sample", "feature"))
        self.attention = Probe("attention", ("sample", "head", "unit", "sender"), along="layer")
        self.messages = Probe("messages", ("sample", "unit", "sender"), along="layer")
        self.read_out = Probe("read_out", ("sample", "readout", "unit"), along=None)
        self.confidence = Probe("confidence", ("sample", "readout"), along=None)


class CircuitViews(LinkedNetwork):
    """Names of the modules and tokens of a circuit, and views with fewer links or other kernels."""

    unit_kind = "module"
    kinds: ClassVar[tuple[type[Inputs], ...]] = (Pictures, Points, Sets, Bytes, Expressions)
    config: NeuralAttentiveCircuitConfig
    probes_class: type[CircuitProbes] = CircuitProbes

    def __init__(self, config: NeuralAttentiveCircuitConfig) -> None:
        super().__init__()
        self.config = config
        self.probes: CircuitProbes = self.probes_class()
        self.keep_all()
        self.keep_edges: float | None = None
        self.kernel: tuple[Kernel, int] = ("probability", 0)

    @property
    def has_links(self) -> bool:
        return self.config.links != "complete"

    @property
    def inputs(self) -> type[Inputs]:
        """Pictures, clouds of points, sequences, or sets, as the tokenizer takes them."""
        if self.config.tokenizer in IMAGE_TOKENIZERS:
            return Pictures
        if self.config.tokenizer == "points":
            return Points
        return SEQUENCES.get(self.config.tokenizer or "", Sets)

    # -- names ---------------------------------------------------------------------------------------------

    @property
    def all_units(self) -> tuple[str, ...]:
        return tuple(f"m{u + 1}" for u in range(self.config.modules))

    @property
    def most_iterations(self) -> int:
        """Layers there are: each has its own weights, so that no more can run."""
        return self.config.layers

    def step_names(self, iterations: int) -> tuple[str, ...]:
        """Names of the steps when only the first ``iterations`` layers run."""
        return ("read-in", *(f"l{layer + 1}" for layer in range(iterations)))

    def along(self, axis: str, iterations: int) -> tuple[str, ...]:
        """Names along what a probe reports: every "step", or every "layer" (the steps but for the read-in)."""
        steps = self.step_names(iterations)
        return steps[1:] if axis == "layer" else steps

    @property
    def tokens(self) -> tuple[str, ...]:
        """Names of the tokens: patches row by row, points in their order, or places in the sequence."""
        if self.config.tokenizer in IMAGE_TOKENIZERS:
            rows, columns = self.config.grid
            return tuple(f"patch:{r},{c}" for r in range(rows) for c in range(columns))
        named = "point" if self.config.tokenizer == "points" else "token"
        return tuple(f"{named}:{i}" for i in range(self.config.max_length))

    def tokens_of(self, inputs: Inputs) -> Tokens:
        """The tokens of a batch: of clouds of few points, and behind shorter sequences, some are padding."""
        if isinstance(inputs, Points):
            return Tokens(self.tokens, as_many(inputs.values, self.config.max_length).isfinite().all(dim=-1))
        if isinstance(inputs, Sequences):
            return Tokens(self.tokens[: inputs.values.shape[1]], inputs.mask)
        return super().tokens_of(inputs)

    def token_texts(self, inputs: Inputs) -> tuple[tuple[str, ...], ...] | None:
        """Text of each symbol of sequences; None for other kinds of input."""
        return inputs.texts() if isinstance(inputs, Sequences) else None

    def coordinates(self) -> dict[str, tuple[str, ...]]:
        readouts = tuple(f"o{u + 1}" for u in range(self.config.readouts))
        return super().coordinates() | {"sender": self.all_units, "readout": readouts}

    @property
    def separate_heads(self) -> bool:
        """False: one answer is that of every domain."""
        return False

    # -- views ---------------------------------------------------------------------------------------------

    def cut(self, keep_edges: float) -> Self:
        """A view that keeps a share of the links between the modules that take part, the most probable ones.

        Raises:
            ValueError: a share outside 0 to 1, or a complete graph, in which no link is less probable than another.
        """
        if not self.has_links:
            raise ValueError("the graph of this model is complete: no link is less probable than another")
        if not 0 <= keep_edges <= 1:
            raise ValueError(f"keep_edges is a share from 0 to 1, not {keep_edges}")
        return self.with_changes(keep_edges=float(keep_edges))

    def with_links(self, kernel: Kernel, seed: int = 0) -> Self:
        """A view that evaluates with K = P ("probability"), P > 0.5 ("threshold"), or a seeded sample ("sample").

        Raises:
            ValueError: for another kernel.
        """
        if kernel not in get_args(Kernel):
            raise ValueError(f"kernel must be one of {get_args(Kernel)}, not {kernel!r}")
        return self.with_changes(kernel=(kernel, seed))
