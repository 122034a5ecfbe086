"""The Neural Attentive Circuit: modules wired by learned link probabilities.

*Neural Attentive Circuits* (Rahaman, Weiss, Locatello, Pal, Bengio, Schölkopf, Li, Ballas, NeurIPS 2022), Equations
1 to 5, with the unconditional circuit generator. Where the paper is ambiguous:

* Equation 1's alpha is one learnable scalar per layer; LayerNorm(W_c c) has no parameters of its own.
* Equation 2: d = 1 - cosine. Training samples one K for each layer and batch; evaluation takes K = P.
* Equation 4-5: a scaled softmax (missing in print), with a residual onto the initial state.
* A propagator has one LayerNorm for receivers and senders; signatures and codes are shared across depth.
* The read-out has no residual; the softmax of its modules' confidences weights their states.

Not verified here: the paper's accuracies at its full settings. Verified against the authors' own implementation on
random weights: the circuit on tokenised input, with the code as initial state.

Symbols: B samples, V tokens, U = U_p processor modules, U_o read-out modules, L layers.
"""

import copy
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal, Self, cast, get_args

import torch
from jaxtyping import Bool, Float
from torch import Tensor, nn

from core.nn.circuit import SKMDPA, PreparedReadIn, PreparedSKMDPA, ReadIn
from core.nn.links import concrete_log_kernel, cut_smallest, log_link_probability, threshold_log_kernel
from core.nn.neural_attentive_circuit_config import IMAGE_TOKENIZERS, NeuralAttentiveCircuitConfig
from core.nn.probe import Probe
from core.nn.set_tokenizers import SET_TOKENIZERS

#: Prepared weights of so many views are kept; then all are forgotten.
MOST_PREPARED = 64
#: Numbers that the widest layer may hold in one pass of evaluation; more samples are cut into chunks.
CHUNK_NUMBERS = 16 * 320 * 2 * 1536
MOST_CHUNK_SAMPLES = 128

#: What evaluation takes for the kernel K: P itself, P > 0.5, or a sample as in training.
Kernel = Literal["probability", "threshold", "sample"]

__all__ = ["NeuralAttentiveCircuit", "NeuralAttentiveCircuitConfig"]


class Descriptors(nn.Module):
    """Signatures and codes of modules, learned as they are: the unconditional circuit generator."""

    def __init__(self, count: int, config: NeuralAttentiveCircuitConfig) -> None:
        super().__init__()
        self.codes = nn.Parameter(torch.randn(count, config.code_features))
        self.signatures: nn.Parameter | None = None
        if config.links != "complete":
            self.signatures = nn.Parameter(
                torch.randn(count, config.signature_features), requires_grad=config.links == "learned"
            )


class Probes(nn.Module):
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


@dataclass(frozen=True)
class PreparedCircuit:
    """What a circuit needs, from parameters alone. ``log_K`` has a kernel for each layer, then the read-out's."""

    read_in: PreparedReadIn
    layers: tuple[PreparedSKMDPA, ...]
    read_out: PreparedSKMDPA
    log_K: tuple[Float[Tensor, "R U"], ...]
    sounding: Float[Tensor, "U 1"] | None


class NeuralAttentiveCircuit(nn.Module):
    """Tokenizer, read-in, L propagators, and a read-out with one head for every domain.

    Args:
        config: every size; see ``NeuralAttentiveCircuitConfig``.
    """

    Config = NeuralAttentiveCircuitConfig

    def __init__(self, config: NeuralAttentiveCircuitConfig) -> None:
        super().__init__()
        self.config = config
        C, c = config.features, config.code_features
        self.tokenizer = None if config.tokenizer is None else SET_TOKENIZERS[config.tokenizer](config)
        C_in = config.input_features if self.tokenizer is None else self.tokenizer.features
        alpha = config.alpha if config.modulation == "codes" else None
        self.processor = Descriptors(config.modules, config)
        self.readout = Descriptors(config.readouts, config)
        self.initial = (
            nn.Sequential(nn.Linear(c, C), nn.GELU(), nn.Linear(C, C)) if config.initial_state == "mlp" else None
        )
        self.read_in = ReadIn(C, C_in, c, config.readin_heads, config.readin_head_features, config.ffn_hidden, alpha)
        self.layer = nn.ModuleList(
            SKMDPA(C, c, config.heads, config.head_features, config.ffn_hidden, alpha) for _ in range(config.layers)
        )
        self.read_out = SKMDPA(
            C, c, config.readout_heads, config.readout_head_features, config.ffn_hidden, alpha, read_out=True
        )
        self.confidence = nn.Linear(C, 1)
        self.logits = nn.Linear(C, config.classes)
        if config.prior is not None:
            self.register_buffer("prior_order", torch.arange(config.modules))
        self.probes = Probes()
        self.kept: tuple[int, ...] = tuple(range(config.modules))
        self.silent: frozenset[int] = frozenset()
        self.keep_edges: float | None = None
        self.kernel: tuple[Kernel, int] = ("probability", 0)
        self._prepared: dict[tuple[object, ...], tuple[list[Tensor], PreparedCircuit]] = {}

    @property
    def propagators(self) -> tuple[SKMDPA, ...]:
        """The propagator layers, first to last."""
        return tuple(cast(SKMDPA, layer) for layer in self.layer)

    # -- names ---------------------------------------------------------------------------------------------

    @property
    def all_units(self) -> tuple[str, ...]:
        """Names of the processor modules of the full model, dropped or not."""
        return tuple(f"m{u + 1}" for u in range(self.config.modules))

    @property
    def units(self) -> tuple[str, ...]:
        """Names of the processor modules that take part (muted ones do)."""
        names = self.all_units
        return tuple(names[u] for u in self.kept)

    @property
    def muted(self) -> tuple[str, ...]:
        """Names of the modules whose messages are zeros."""
        names = self.all_units
        return tuple(names[u] for u in sorted(self.silent))

    @property
    def most_iterations(self) -> int:
        """Layers there are: each has its own weights, so that no more can run."""
        return self.config.layers

    @property
    def steps(self) -> tuple[str, ...]:
        """Names of the steps of a run of all layers: the read-in, then the layers."""
        return self.step_names(self.config.layers)

    def step_names(self, iterations: int) -> tuple[str, ...]:
        """Names of the steps when only the first ``iterations`` layers run."""
        return ("read-in", *(f"l{layer + 1}" for layer in range(iterations)))

    def along(self, axis: str, iterations: int) -> tuple[str, ...]:
        """Names along what a probe reports: every "step", or every "layer" (the steps but for the read-in)."""
        steps = self.step_names(iterations)
        return steps[1:] if axis == "layer" else steps

    @property
    def tokens(self) -> tuple[str, ...]:
        """Names of the tokens: patches row by row, or places in the sequence."""
        if self.config.tokenizer in IMAGE_TOKENIZERS:
            rows, columns = self.config.grid
            return tuple(f"patch:{r},{c}" for r in range(rows) for c in range(columns))
        return tuple(f"token:{i}" for i in range(self.config.max_length))

    def coordinates(self) -> dict[str, tuple[str, ...]]:
        """Names along the axes of a trace."""
        return {
            "unit": self.all_units,
            "sender": self.all_units,
            "readout": tuple(f"o{u + 1}" for u in range(self.config.readouts)),
            "token": self.tokens,
            "domain": self.config.domains,
            "label": tuple(str(label) for label in range(self.config.classes)),
        }

    def constants(self) -> dict[str, tuple[tuple[str, ...], Tensor]]:
        """What a trace holds that depends on no sample, with the names of its axes.

        Links of modules that are dropped, and edges that are cut, have probability 0.
        """
        U = range(self.config.modules)
        found = {
            "codes": (("unit", "code_feature"), self.processor.codes),
            "kept": (("unit",), torch.tensor([u in self.kept for u in U])),
            "muted": (("unit",), torch.tensor([u in self.silent for u in U])),
        }
        if self.processor.signatures is None or self.readout.signatures is None:
            return found
        kept = torch.tensor(self.kept, dtype=torch.long, device=self.processor.codes.device)
        P = torch.zeros(self.config.modules, self.config.modules, device=kept.device)
        P[kept[:, None], kept] = self.link_probability().float()
        P_out = torch.zeros(self.config.readouts, self.config.modules, device=kept.device)
        P_out[:, kept] = self.readout_link_probability().float()
        normalize = nn.functional.normalize
        return found | {
            "signatures": (("unit", "signature_feature"), normalize(self.processor.signatures, dim=-1)),
            "readout_signatures": (("readout", "signature_feature"), normalize(self.readout.signatures, dim=-1)),
            "link_probability": (("unit", "sender"), P),
            "readout_link_probability": (("readout", "unit"), P_out),
        }

    def attributes(self) -> dict[str, float | str]:
        """Settings that belong beside a trace."""
        return {
            "bandwidth": self.config.bandwidth,
            "links": self.config.links,
            "prior": self.config.prior or "",
            "kernel": self.kernel[0],
        }

    def computing(self, step: int, steps: int) -> tuple[int, ...]:
        """Places of the modules that compute: the same at every step."""
        return self.kept

    # -- links ---------------------------------------------------------------------------------------------

    @property
    def has_links(self) -> bool:
        """Whether signatures say how probable links are; in a complete graph every P is 1."""
        return self.processor.signatures is not None

    def link_log_probability(self) -> Float[Tensor, "U U"]:
        """log P of the modules that take part (Equation 2); edges that are cut are at minus infinity."""
        signatures = self.processor.signatures
        if signatures is None:
            return self.processor.codes.new_zeros(len(self.kept), len(self.kept))
        s = signatures[list(self.kept)]
        log_P = log_link_probability(s, s, self.config.bandwidth)
        return log_P if self.keep_edges is None else cut_smallest(log_P, self.keep_edges)

    def link_probability(self) -> Float[Tensor, "U U"]:
        """P of the modules that take part; 0 where an edge is cut."""
        return self.link_log_probability().exp()

    def readout_link_log_probability(self) -> Float[Tensor, "U_o U"]:
        """log P between read-out modules and the processor modules that take part."""
        signatures, readout = self.processor.signatures, self.readout.signatures
        if signatures is None or readout is None:
            return self.processor.codes.new_zeros(self.config.readouts, len(self.kept))
        return log_link_probability(readout, signatures[list(self.kept)], self.config.bandwidth)

    def readout_link_probability(self) -> Float[Tensor, "U_o U"]:
        """P between read-out modules and the processor modules that take part."""
        return self.readout_link_log_probability().exp()

    def connectivity(self) -> Float[Tensor, " U"]:
        """Equation 10: q_i = sum_j P_ij of every module of the full model, whatever a view leaves out."""
        signatures = self.processor.signatures
        if signatures is None:
            return torch.full((self.config.modules,), float(self.config.modules))
        return log_link_probability(signatures, signatures, self.config.bandwidth).exp().sum(dim=1).detach()

    def _log_kernels(self) -> tuple[Float[Tensor, "R U"], ...]:
        """log K of every layer, then of the read-out."""
        log_P, log_P_out = self.link_log_probability(), self.readout_link_log_probability()
        count = len(self.layer)
        if not self.has_links:
            return (*(log_P for _ in range(count)), log_P_out)
        kind, seed = self.kernel
        tau = self.config.temperature
        if self.training:
            return tuple(concrete_log_kernel(each, tau) for each in (*(log_P for _ in range(count)), log_P_out))
        if kind == "probability":
            return (*(log_P for _ in range(count)), log_P_out)
        if kind == "threshold":
            return (*(threshold_log_kernel(log_P) for _ in range(count)), threshold_log_kernel(log_P_out))
        # Drawn for the full model, so that a seed samples the same links whichever modules are left out.
        generator, kept = torch.Generator(log_P.device).manual_seed(seed), list(self.kept)

        def uniform(rows: int) -> Tensor:
            return torch.rand(rows, self.config.modules, generator=generator, device=log_P.device)[:, kept]

        layers = [concrete_log_kernel(log_P, tau, uniform(self.config.modules)[kept]) for _ in range(count)]
        return (*layers, concrete_log_kernel(log_P_out, tau, uniform(self.config.readouts)))

    # -- views ---------------------------------------------------------------------------------------------

    def _view(self, **changes: Any) -> Self:
        """A shallow copy that shares every parameter, with its own probes; prepared weights are found by all views."""
        view = copy.copy(self)
        view._modules = dict(self._modules)
        view.probes = Probes()
        for name, value in changes.items():
            setattr(view, name, value)
        return view

    def _positions(self, units: Sequence[str]) -> frozenset[int]:
        wanted = set(units)
        unknown = sorted(wanted - set(self.units))
        if unknown:
            raise ValueError(f"unknown units {', '.join(unknown)}; this model has {', '.join(self.units)}")
        names = self.all_units
        return frozenset(u for u in self.kept if names[u] in wanted)

    def keep(self, units: Sequence[str]) -> Self:
        """A sliced view: other modules' signatures, codes and states are left out, and with them their compute.

        The order of ``units`` does not matter. The view has its own probes.
        """
        kept = self._positions(units)
        return self._view(kept=tuple(sorted(kept)), silent=self.silent & kept)

    def mute(self, units: Sequence[str]) -> Self:
        """A view in which these modules' messages are zeros after the softmax; they save no compute."""
        return self._view(silent=self.silent | self._positions(units))

    def cut(self, keep_edges: float) -> Self:
        """A view that keeps a share of the links between the modules that take part, the most probable ones.

        Raises:
            ValueError: a share outside 0 to 1, or a complete graph, in which no link is less probable than another.
        """
        if not self.has_links:
            raise ValueError("the graph of this model is complete: no link is less probable than another")
        if not 0 <= keep_edges <= 1:
            raise ValueError(f"keep_edges is a share from 0 to 1, not {keep_edges}")
        return self._view(keep_edges=float(keep_edges))

    def with_links(self, kernel: Kernel, seed: int = 0) -> Self:
        """A view that evaluates with K = P ("probability"), P > 0.5 ("threshold"), or a seeded sample ("sample")."""
        if kernel not in get_args(Kernel):
            raise ValueError(f"kernel must be one of {get_args(Kernel)}, not {kernel!r}")
        return self._view(kernel=(kernel, seed))

    # -- computing -----------------------------------------------------------------------------------------

    @property
    def chunk_tokens(self) -> int:
        """Tokens (samples x tokens) that one pass holds at once in evaluation."""
        config, U, V = self.config, max(1, len(self.kept)), len(self.tokens)
        numbers = U * max(2 * config.ffn_hidden, config.heads * U, config.readin_heads * V)
        return max(1, min(MOST_CHUNK_SAMPLES, CHUNK_NUMBERS // numbers)) * V

    def prepare(self) -> PreparedCircuit:
        """Everything that depends on parameters alone. Kept in evaluation until a parameter changes."""
        parameters = [p for name, p in self.named_parameters() if not name.startswith("tokenizer.")]
        if self.training or torch.is_grad_enabled() or any(p.is_inference() for p in parameters):
            return self._prepare()
        device = self.processor.codes.device.type
        autocast = torch.get_autocast_dtype(device) if torch.is_autocast_enabled(device) else None
        taking_part = (self.kept, self.silent, self.keep_edges, self.kernel)
        key = (taking_part, autocast, *((p.data_ptr(), p._version, p.dtype, p.device) for p in parameters))
        found = self._prepared.get(key)
        if found is None:
            # Holding the parameters' memory keeps its addresses, which are part of the key, from being used again.
            found = ([p.detach() for p in parameters], self._prepare())
            if len(self._prepared) >= MOST_PREPARED:
                self._prepared.clear()
            self._prepared[key] = found
        return found[1]

    def _prepare(self) -> PreparedCircuit:
        with torch.autocast(self.processor.codes.device.type, enabled=False):  # codes and links in full precision
            return self._prepare_in_full()

    def _prepare_in_full(self) -> PreparedCircuit:
        c, c_out = self.processor.codes[list(self.kept)], self.readout.codes
        initial, initial_out = (c, c_out) if self.initial is None else (self.initial(c), self.initial(c_out))
        sounding = None
        if self.silent:
            sounding = torch.tensor([[float(u not in self.silent)] for u in self.kept], device=c.device)
        return PreparedCircuit(
            read_in=self.read_in.prepare(initial, c),
            layers=tuple(layer.prepare(c) for layer in self.propagators),
            read_out=self.read_out.prepare(c, (initial_out, c_out)),
            log_K=self._log_kernels(),
            sounding=sounding,
        )

    def execute(
        self, x: Float[Tensor, "B V C_in"], there: Bool[Tensor, "B V"] | None = None, iterations: int | None = None
    ) -> Float[Tensor, "B classes"]:
        """The circuit executor (Section 2.1) on a set of tokens.

        Args:
            there: which tokens are no padding; all when None.
            iterations: how many layers run before the read-out; all when None.
        """
        layers = self.config.layers if iterations is None else iterations
        if not 0 <= layers <= self.config.layers:
            raise ValueError(f"iterations must be from 0 to {self.config.layers} layers, not {iterations}")
        ready, probes = self.prepare(), self.probes
        theta, weights = self.read_in.step(x, there, ready.read_in)
        if probes.read_in.listening:
            probes.read_in(weights.mean(dim=2), step=0)
        probes.states(theta, step=0)
        for index in range(layers):
            sent, layer = self._sent(theta, index), self.propagators[index]
            read = (theta, sent, ready.log_K[index], ready.sounding, ready.layers[index])
            if probes.attention.listening or probes.messages.listening:
                W = layer.weights(*read)
                probes.attention(W, step=index)
                probes.messages(W.mean(dim=1), step=index)
            theta = probes.states(layer.step(*read), step=index + 1)
        read = (theta, self._sent(theta, layers), ready.log_K[-1], ready.sounding, ready.read_out)
        if probes.read_out.listening:
            probes.read_out(self.read_out.weights(*read).mean(dim=1), step=0)
        outputs = self.read_out.step(*read)
        shares = probes.confidence(self.confidence(outputs)[..., 0].softmax(dim=-1), step=0)
        answer: Tensor = self.logits((shares[..., None] * outputs).sum(dim=1))
        return answer

    def _sent(self, theta: Float[Tensor, "B U C"], step: int) -> Float[Tensor, "B U C"]:
        """The states as others read them; a listener may replace them."""
        offered = theta.transpose(0, 1)
        taken = self.probes.contributions(offered, step=step)
        return theta if taken is offered else cast(Tensor, taken).transpose(0, 1)

    def tokenize(self, inputs: Tensor) -> tuple[Float[Tensor, "B V C_in"], Bool[Tensor, "B V"] | None]:
        """Tokens, and which of them are no padding (None: all)."""
        if self.tokenizer is None:
            return inputs, None
        x, there = self.tokenizer(inputs)
        return x, there

    def forward(self, inputs: Tensor, iterations: int | None = None) -> Float[Tensor, "B D classes"]:
        """Logits, the same for every domain.

        Args:
            inputs: images (B, c, h, w) in [0, 1], points (B, V, 3), symbols or bytes (B, V), or tokens
                (B, V, input_features) where the config names no tokenizer.
            iterations: how many layers run; all when None.
        """
        chunk = len(inputs) if self.training else max(1, self.chunk_tokens // max(1, len(self.tokens)))
        parts = inputs.split(chunk) if len(inputs) > chunk else (inputs,)
        logits = torch.cat([self.execute(*self.tokenize(part), iterations) for part in parts])
        return logits[:, None].expand(-1, len(self.config.domains), -1)

    def example(self, batch: int) -> Tensor:
        """Inputs of the right shape, all zeros: to count operations with."""
        config, device = self.config, self.processor.codes.device
        if config.tokenizer in IMAGE_TOKENIZERS:
            return torch.zeros(batch, config.image_channels, config.image_size, config.image_size, device=device)
        if config.tokenizer == "points":
            return torch.zeros(batch, config.max_length, 3, device=device)
        if config.tokenizer is None:
            return torch.zeros(batch, config.max_length, config.input_features, device=device)
        return torch.zeros(batch, config.max_length, dtype=torch.long, device=device)


def without_weight_decay(name: str, parameter: Tensor) -> bool:
    """Whether weight decay leaves a parameter alone: those of dimension <= 1, codes and signatures (Table 4)."""
    return parameter.dim() <= 1 or name.endswith((".codes", ".signatures"))
