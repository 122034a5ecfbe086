"""The Neural Attentive Circuit: modules wired by learned link probabilities.

*Neural Attentive Circuits* (Rahaman, Weiss, Locatello, Pal, Bengio, Schölkopf, Li, Ballas, NeurIPS 2022), Equations
1 to 5, with the unconditional circuit generator. Where the paper is ambiguous:

* Equation 1's alpha is one learnable scalar per layer; LayerNorm(W_c c) has no parameters of its own.
* Equation 2: d = 1 - cosine. Training samples K for each layer, for a batch or each sample; evaluation takes K = P.
* Equation 4-5: a scaled softmax (missing in print), with a residual onto the initial state.
* A propagator has one LayerNorm for receivers and senders; signatures and codes are shared across depth.
* The read-out has no residual; the softmax of its modules' confidences weights their states.

Not verified here: the paper's accuracies at its full settings. Verified against the authors' own implementation on
random weights: the circuit on tokenised input, with the code as initial state.

Symbols: B samples, V tokens, U = U_p processor modules, U_o read-out modules, L layers.
"""

from abc import abstractmethod
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Self, cast

import torch
from jaxtyping import Bool, Float, Shaped
from torch import Tensor, nn

from routescope.nn.circuit.descriptors import CircuitLinks, Descriptors
from routescope.nn.circuit.layers import SKMDPA, PlainReadIn, PreparedReadIn, PreparedSKMDPA, ReadIn
from routescope.nn.circuit.views import SEQUENCES, Kernel
from routescope.nn.circuit_config import IMAGE_TOKENIZERS, NeuralAttentiveCircuitConfig
from routescope.nn.encoders.sets import SET_TOKENIZERS
from routescope.nn.inputs.kind import Inputs, OneTensor
from routescope.nn.inputs.pictures import Pictures
from routescope.nn.inputs.points import Points, as_many
from routescope.nn.inputs.sequences import Sequences
from routescope.nn.inputs.sets import Sets
from routescope.nn.network import AdaptableNetwork
from routescope.nn.prepared import Cast, PreparedWeights
from routescope.nn.registry import register

#: Numbers that the widest layer may hold in one pass of evaluation; more samples are cut into chunks.
CHUNK_NUMBERS = 16 * 320 * 2 * 1536
MOST_CHUNK_SAMPLES = 128

__all__ = ["Kernel", "NeuralAttentiveCircuit", "NeuralAttentiveCircuitConfig"]


@dataclass(frozen=True)
class PreparedCircuit:
    """Parts of a circuit that depend on codes and links. ``log_K`` has a kernel for each layer, then the read-out's."""

    read_in: PreparedReadIn
    layers: Iterable[PreparedSKMDPA]
    read_out: PreparedSKMDPA
    log_K: tuple[Float[Tensor, "*K _ U"] | None, ...]
    sounding: Float[Tensor, "U 1"] | None


class Circuit(CircuitLinks):
    """Read-in, L propagators, and a read-out with one head for every domain.

    Args:
        config: every size; see ``NeuralAttentiveCircuitConfig``.
    """

    def __init__(self, config: NeuralAttentiveCircuitConfig) -> None:
        super().__init__(config)
        C, c = config.features, config.code_features
        C_in = self._make_inputs()
        alpha = config.alpha if config.modulation == "codes" else None
        self._make_generator()
        self.initial = (
            nn.Sequential(nn.Linear(c, C), nn.GELU(), nn.Linear(C, C)) if config.initial_state == "mlp" else None
        )
        read_in = ReadIn if config.readin_attention == "modulated" else PlainReadIn
        self.read_in = read_in(C, C_in, c, config.readin_heads, config.readin_head_features, config.ffn_hidden, alpha)
        self.layer = nn.ModuleList(
            SKMDPA(C, c, config.heads, config.head_features, config.ffn_hidden, alpha)
            for _ in range(config.distinct_layers or config.layers)
        )
        self.read_out = SKMDPA(
            C, c, config.readout_heads, config.readout_head_features, config.ffn_hidden, alpha, read_out=True
        )
        self.confidence = nn.Linear(C, 1)
        self.logits = nn.Linear(C, config.classes)
        if config.prior is not None:
            self.register_buffer("prior_order", torch.arange(config.modules))
        self._prepared: PreparedWeights[PreparedCircuit] = PreparedWeights()

    @abstractmethod
    def _make_inputs(self) -> int:
        """Make the module that turns inputs into tokens; return the features of a token."""

    def _make_generator(self) -> None:
        """Make the generator of signatures and codes: here, parameters."""
        self.processor = Descriptors(self.config.modules, self.config)
        self.readout = Descriptors(self.config.readouts, self.config)

    @property
    def propagators(self) -> tuple[SKMDPA, ...]:
        """The propagator layers, first to last; those with weights of their own take turns."""
        return tuple(cast(SKMDPA, self.layer[step % len(self.layer)]) for step in range(self.config.layers))

    @property
    def chunk_tokens(self) -> int:
        config, U, V = self.config, max(1, len(self.kept)), len(self.tokens)
        numbers = U * max(2 * config.ffn_hidden, config.heads * U, config.readin_heads * V)
        return max(1, min(MOST_CHUNK_SAMPLES, CHUNK_NUMBERS // numbers)) * V

    def prepare(self, samples: int = 1) -> PreparedCircuit:
        """Everything that depends on parameters alone. Kept in evaluation until a parameter changes.

        Args:
            samples: how many samples the circuit is for, where training draws links for each sample.
        """
        if self.training or torch.is_grad_enabled():
            return self._prepare(lambda tensor: tensor, samples)
        parameters = [p for name, part in self.named_children() if name != "tokenizer" for p in part.parameters()]
        if any(p.is_inference() for p in parameters):  # these do not tell when they change
            return self._prepare(lambda tensor: tensor)
        view = (self.kept, self.silent, self.keep_edges, self.kernel)
        return self._prepared.find(parameters, view, self._prepare)

    def _prepare(self, cast: Cast, samples: int = 1) -> PreparedCircuit:
        with torch.autocast(self.device.type, enabled=False):  # codes and links in full precision
            return self._of_codes(self.processor.codes, self.readout.codes, self._log_kernels(samples), cast)

    def _of_codes(
        self,
        c: Float[Tensor, "*S U_p d_code"],
        c_out: Float[Tensor, "*S U_o d_code"],
        log_K: tuple[Float[Tensor, "*K _ U"] | None, ...],
        cast: Cast,
    ) -> PreparedCircuit:
        """Prepare a circuit from the codes of all modules and the kernels of those that take part."""
        if len(self.kept) < self.config.modules:
            c = c[..., list(self.kept), :]
        initial, initial_out = (c, c_out) if self.initial is None else (self.initial(c), self.initial(c_out))
        sounding = None
        if self.silent:
            sounding = torch.tensor([[float(u not in self.silent)] for u in self.kept], device=c.device)
        return PreparedCircuit(
            read_in=self.read_in.prepare(initial, c, cast),
            layers=self._prepared_layers(c, cast),
            read_out=self.read_out.prepare(c, cast, (initial_out, c_out)),
            log_K=log_K,
            sounding=sounding,
        )

    def _prepared_layers(self, c: Float[Tensor, "*S U d_code"], cast: Cast) -> Iterable[PreparedSKMDPA]:
        prepared = {layer: layer.prepare(c, cast) for layer in dict.fromkeys(self.propagators)}
        return tuple(prepared[layer] for layer in self.propagators)

    def execute(
        self,
        x: Float[Tensor, "B V C_in"],
        is_token: Bool[Tensor, "B V"] | None = None,
        iterations: int | None = None,
        ready: PreparedCircuit | None = None,
    ) -> Float[Tensor, "B classes"]:
        """The circuit executor (Section 2.1) on a set of tokens.

        Args:
            is_token: which tokens are no padding; all when None.
            iterations: how many layers run before the read-out; all when None.
            ready: the circuit to execute; the one that was learned when None.

        Raises:
            ValueError: more layers than the network has, or fewer than 0.
        """
        layers = self.config.layers if iterations is None else iterations
        if not 0 <= layers <= self.config.layers:
            raise ValueError(f"iterations must be from 0 to {self.config.layers} layers, not {iterations}")
        ready, probes = self.prepare(len(x)) if ready is None else ready, self.probes
        theta, weights = self.read_in.step(x, is_token, ready.read_in)
        if probes.read_in.listening:
            probes.read_in(weights.mean(dim=2), step=0)
        probes.states(theta, step=0)
        for index, (layer, prepared) in enumerate(zip(self.propagators[:layers], ready.layers, strict=False)):
            qkv, links = layer.project(theta, self._sent(theta, index), prepared), (ready.log_K[index], ready.sounding)
            if probes.attention.listening or probes.messages.listening:
                W = layer.weights(qkv, *links)
                probes.attention(W, step=index)
                probes.messages(W.mean(dim=1), step=index)
            theta = probes.states(layer.step(theta, qkv, *links, prepared), step=index + 1)
        sent, links = self._sent(theta, layers), (ready.log_K[-1], ready.sounding)
        qkv = self.read_out.project(theta, sent, ready.read_out)
        if probes.read_out.listening:
            probes.read_out(self.read_out.weights(qkv, *links).mean(dim=1), step=0)
        return self._answer(self.read_out.step(theta, qkv, *links, ready.read_out))

    def _answer(self, outputs: Float[Tensor, "B U_o C"]) -> Float[Tensor, "B classes"]:
        """The softmax of the confidences weights the read-out modules' states; in full precision."""
        with torch.autocast(outputs.device.type, enabled=False):
            outputs = outputs.to(self.logits.weight.dtype)
            shares = self.probes.confidence(self.confidence(outputs)[..., 0].softmax(dim=-1), step=0)
            answer: Tensor = self.logits((shares[..., None] * outputs).sum(dim=1))
        return answer

    def _sent(self, theta: Float[Tensor, "B U C"], step: int) -> Float[Tensor, "B U C"]:
        """The states as others read them; a listener may replace them."""
        offered = theta.transpose(0, 1)
        taken = self.probes.contributions(offered, step=step)
        return theta if taken is offered else cast(Tensor, taken).transpose(0, 1)


@register("neural_attentive_circuit", family="Neural Attentive Circuit", config=NeuralAttentiveCircuitConfig)
class NeuralAttentiveCircuit(AdaptableNetwork, Circuit):
    """Tokenizer, read-in, L propagators, and a read-out with one head for every domain."""

    Config = NeuralAttentiveCircuitConfig

    def _make_inputs(self) -> int:
        config = self.config
        self.tokenizer = None if config.tokenizer is None else SET_TOKENIZERS[config.tokenizer](config)
        return config.input_features if self.tokenizer is None else int(self.tokenizer.features)

    def with_heads(self, domains: Sequence[str], classes: int) -> Self:
        """A copy that shares no parameter, with a new head that answers for all of these domains.

        It is drawn from torch's global generator. Parameters are frozen as ``config`` says.
        """
        adapted = type(self)(self.config)
        adapted.load_state_dict(self.state_dict())
        adapted.config = replace(self.config, domains=tuple(domains), classes=classes, class_names=(), held_out=())
        adapted.logits = nn.Linear(self.config.features, classes)
        view = {name: getattr(self, name) for name in ("kept", "silent", "keep_edges", "kernel")}
        return adapted.with_changes(**view).to(self.logits.weight).train(self.training)

    def parts(self) -> dict[str, tuple[nn.Parameter, ...]]:
        """The head, and all else."""
        heads = tuple(self.logits.parameters())
        return {"heads": heads, "circuit": tuple(p for p in self.parameters() if all(p is not h for h in heads))}

    def tokenize(
        self, inputs: Shaped[Tensor, "B *sample"]
    ) -> tuple[Float[Tensor, "B V C_in"], Bool[Tensor, "B V"] | None]:
        """Tokens, and which of them are no padding (None: all)."""
        if self.tokenizer is None:
            return inputs, None
        if self.config.tokenizer == "points":
            inputs = as_many(inputs, self.config.max_length)
        x, is_token = self.tokenizer(inputs)
        return x, is_token

    def forward(
        self, inputs: Tensor | Pictures | Points | Sets | Sequences, iterations: int | None = None
    ) -> Float[Tensor, "B D classes"]:
        """Logits, the same for every domain.

        Args:
            inputs: images (B, c, h, w) in [0, 1], points (B, V, 3) of which the first ``max_length``
                are read, symbols or bytes (B, V), or tokens (B, V, input_features) where the config names no tokenizer.
            iterations: how many layers run; all when None.
        """
        values = inputs.values if isinstance(inputs, OneTensor) else inputs
        chunk = len(values) if self.training else self.rows_at_once()
        parts = values.split(chunk) if len(values) > chunk else (values,)
        logits = torch.cat([self.execute(*self.tokenize(part), iterations) for part in parts])
        return logits[:, None].expand(-1, len(self.config.domains), -1)

    def example(self, batch: int) -> Inputs:
        """Inputs of the right shape, all zeros: to count operations with."""
        config, device = self.config, self.device
        if config.tokenizer in IMAGE_TOKENIZERS:
            side = config.image_size
            return Pictures(torch.zeros(batch, config.image_channels, side, side, device=device))
        if config.tokenizer == "points":
            return Points(torch.zeros(batch, config.max_length, 3, device=device))
        if config.tokenizer is None:
            return Sets(torch.zeros(batch, config.max_length, config.input_features, device=device))
        kind = SEQUENCES.get(config.tokenizer, Sets)
        return kind(torch.zeros(batch, config.max_length, dtype=torch.long, device=device))


def without_weight_decay(name: str, parameter: Shaped[Tensor, "..."]) -> bool:
    """Whether weight decay leaves a parameter alone: those of dimension <= 1, codes and signatures (Table 4)."""
    return parameter.dim() <= 1 or name.endswith((".codes", ".signatures"))
