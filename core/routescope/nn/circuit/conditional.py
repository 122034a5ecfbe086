"""The conditional Neural Attentive Circuit: a sentence designs the circuit, pictures run through it.

*Neural Attentive Circuits* (Rahaman, Weiss et al., NeurIPS 2022), Section 4.4 and Appendix G. The executor is that of
the unconditional circuit; signatures, codes and the links P (Equation 2) are those of each sample's own sentence, so
that Equation 3 has P of shape (B, U, U). Where the paper is silent: read-out modules are designed by the sentence as
the others are; nothing regularises the links (the paper says so); in training every sample has a kernel K of its own.

The generator (Appendix G): cross-attention from one learned query for each module to the T pieces of the text, a
feed-forward network, self-attention among the modules, then two feed-forward networks in parallel, one for signatures
and one for codes. Where the paper is silent: layers are pre-LayerNorm with residuals.

Not verified here: the paper's accuracy on NLVR2, whose photographs cannot be had from its annotations alone.

Symbols: B samples, S distinct sentences, V tokens of all pictures, U = U_p processor modules, U_o read-out modules.
"""

from abc import abstractmethod
from collections.abc import Sequence
from dataclasses import replace

import torch
import torch.nn.functional as F
from jaxtyping import Bool, Float, Int64
from torch import Tensor, nn

from routescope.nn.circuit.layers import LayersInTurn
from routescope.nn.circuit.links import cut_smallest, log_link_probability
from routescope.nn.circuit.network import Circuit, PreparedCircuit
from routescope.nn.circuit.views import CircuitProbes
from routescope.nn.circuit_config import ConditionalCircuitConfig
from routescope.nn.encoders.choice import text_encoder
from routescope.nn.encoders.frozen_weights import with_fingerprint
from routescope.nn.encoders.statement_reader import TRUTH, PictureTokens, blanked, checked, example, token_names
from routescope.nn.inputs.statements import Statements
from routescope.nn.network import Design, DesignedNetwork, Head, Named, Network, SentenceNetwork
from routescope.nn.prepared import Cast
from routescope.nn.probe import Probe
from routescope.nn.registry import register


class CrossAttention(nn.Module):
    """Multi-head attention of queries (S, U, d) to a set (S, T, d_set), pre-LayerNorm, without its residual."""

    def __init__(self, features: int, set_features: int, heads: int) -> None:
        super().__init__()
        self.heads = heads
        self.norm = nn.LayerNorm(features)
        self.norm_set = nn.LayerNorm(set_features)
        self.query = nn.Linear(features, features, bias=False)
        self.key_value = nn.Linear(set_features, 2 * features, bias=False)
        self.out = nn.Linear(features, features)

    def forward(
        self, x: Float[Tensor, "#S U d"], read: Float[Tensor, "S T d_set"], is_piece: Bool[Tensor, "S T"] | None = None
    ) -> tuple[Float[Tensor, "S U d"], Float[Tensor, "S H U T"]]:
        """The values that each query reads, and the weights; with S = 1 the same queries read all sets."""

        def heads(y: Tensor) -> Tensor:
            return y.unflatten(-1, (self.heads, -1)).transpose(1, 2)

        q = heads(self.query(self.norm(x)))
        k, v = map(heads, self.key_value(self.norm_set(read)).chunk(2, dim=-1))
        scores = q @ k.mT * q.shape[-1] ** -0.5
        if is_piece is not None:
            scores = scores.masked_fill(~is_piece[:, None, None], -torch.inf)
        weights = scores.softmax(dim=-1)
        y: Tensor = self.out((weights @ v).transpose(1, 2).flatten(2))
        return y, weights


def feed_forward(features: int, hidden: int, out: int) -> nn.Sequential:
    """LayerNorm, then an MLP with one hidden layer and GELU."""
    return nn.Sequential(nn.LayerNorm(features), nn.Linear(features, hidden), nn.GELU(), nn.Linear(hidden, out))


class CircuitGenerator(nn.Module):
    """Signatures and codes of every module from the pieces of a sentence (Appendix G)."""

    def __init__(self, config: ConditionalCircuitConfig, text_features: int) -> None:
        super().__init__()
        d, hidden = config.generator_features, config.generator_hidden
        self.modules_, self.readouts = config.modules, config.readouts
        self.queries = nn.Parameter(torch.randn(config.modules + config.readouts, d))
        self.cross = CrossAttention(d, text_features, config.generator_heads)
        self.ffn = feed_forward(d, hidden, d)
        self.among = CrossAttention(d, d, config.generator_heads)
        self.signatures = feed_forward(d, hidden, config.signature_features)
        self.codes = feed_forward(d, hidden, config.code_features)

    def forward(self, text: Float[Tensor, "S T d_text"], is_piece: Bool[Tensor, "S T"]) -> Design:
        """One circuit design for each sentence."""
        x = self.queries[None]  # the same for all sentences, until they have read
        read, weights = self.cross(x, text, is_piece)
        x = x + read
        x = x + self.ffn(x)
        x = x + self.among(x, x)[0]
        counts = [self.modules_, self.readouts]
        (signatures, readout_signatures) = self.signatures(x).split(counts, dim=1)
        (codes, readout_codes) = self.codes(x).split(counts, dim=1)
        return Design(signatures, codes, readout_signatures, readout_codes, weights[:, :, : self.modules_].mean(dim=1))


def padded(attention: Float[Tensor, "S U T"], most: int) -> Float[Tensor, "S U most"]:
    """With no weight on pieces that are not there, so that all batches have as many."""
    return F.pad(attention, (0, most - attention.shape[-1]))


class DesignProbes(CircuitProbes):
    """The probes of a circuit, and those of its design, which every sample has of its own."""

    def __init__(self) -> None:
        super().__init__()
        self.link_probability = Probe("link_probability", ("sample", "unit", "sender"), along=None)
        self.signatures = Probe("signatures", ("sample", "unit", "signature_feature"), along=None)
        self.codes = Probe("codes", ("sample", "unit", "code_feature"), along=None)
        self.text_attention = Probe("text_attention", ("sample", "unit", "piece"), along=None)


class StatementCircuit(SentenceNetwork, Circuit):
    """A circuit that judges whether a sentence about pictures is true.

    Args:
        config: every size; see ``ConditionalCircuitConfig``.
    """

    config: ConditionalCircuitConfig
    kinds = (Statements,)

    def _make_inputs(self) -> int:
        self.config = with_fingerprint(self.config)
        self.pictures = PictureTokens(self.config)
        return self.pictures.features

    @property
    def inputs(self) -> type[Statements]:
        return Statements

    @property
    def all_heads(self) -> tuple[Head, ...]:
        """Heads with the labels false and true, one a domain."""
        return tuple(Head(domain, TRUTH) for domain in self.config.domains)

    @property
    def tokens(self) -> tuple[str, ...]:
        """Names of the tokens: places in the pictures, picture by picture."""
        return token_names(self.config, self.pictures.grid)

    @abstractmethod
    def judge(self, inputs: Statements, iterations: int | None) -> Float[Tensor, "B classes"]:
        """Logits of as many statements as one pass holds."""

    def forward(self, inputs: Statements, iterations: int | None = None) -> Float[Tensor, "B D classes"]:
        """Logits of false and true, the same for every domain.

        Args:
            inputs: pictures in [0, 1] and a sentence for each sample.
            iterations: how many layers run; all when None.
        """
        inputs = blanked(checked(inputs, self.config), self.config)
        chunk = len(inputs) if self.training else self.rows_at_once()
        logits = torch.cat([self.judge(part, iterations) for part in inputs.split(max(1, chunk))])
        return logits[:, None].expand(-1, len(self.config.domains), -1)

    def example(self, batch: int) -> Statements:
        return example(self.config, batch, self.device)


@register("conditional_nac", family="Conditional Neural Attentive Circuit", config=ConditionalCircuitConfig)
class ConditionalNeuralAttentiveCircuit(DesignedNetwork, StatementCircuit):
    """Text encoder, circuit generator, and the circuit executor on the tokens of pictures."""

    Config = ConditionalCircuitConfig
    probes_class = DesignProbes

    def _make_generator(self) -> None:
        self.text = text_encoder(self.config)
        self.generator = CircuitGenerator(self.config, self.text.features)

    # -- the design of a circuit ---------------------------------------------------------------------------

    def design(self, sentences: Sequence[str]) -> Design:
        """Signatures and codes of every module of the full model, one circuit a sentence."""
        with torch.autocast(self.device.type, enabled=False):
            design: Design = self.generator(*self.text(sentences))
        return design

    def link_log_probability(self, design: Design | None = None) -> Float[Tensor, "S U U"]:
        """log P of the modules that take part (Equation 2), of every design; cut edges are at minus infinity.

        Without a design those of the reference sentences.
        """
        design = self.design(self.config.reference) if design is None else design
        s = design.signatures[:, list(self.kept)]
        if not self.has_links:
            return s.new_zeros(len(s), s.shape[1], s.shape[1])
        log_P = log_link_probability(s, s, self.config.bandwidth, self.config.truncation)
        return log_P if self.keep_edges is None else cut_smallest(log_P, self.keep_edges)

    def link_probability(self, design: Design | None = None) -> Float[Tensor, "S U U"]:
        return self.link_log_probability(design).exp()

    def readout_link_log_probability(self, design: Design | None = None) -> Float[Tensor, "S U_o U"]:
        """log P between read-out modules and the processor modules that take part, of every design."""
        design = self.design(self.config.reference) if design is None else design
        s, R = design.signatures[:, list(self.kept)], self.config.readouts
        if not self.has_links:
            return s.new_zeros(len(s), R, s.shape[1])
        return log_link_probability(design.readout_signatures, s, self.config.bandwidth, self.config.truncation)

    def link_probability_of_all(self) -> Float[Tensor, "U U"]:
        """P of all modules of the full model, averaged over the reference sentences."""
        with torch.no_grad():
            s = self.design(self.config.reference).signatures
            if not self.has_links:
                return s.new_ones(s.shape[1], s.shape[1])
            return log_link_probability(s, s, self.config.bandwidth, self.config.truncation).exp().mean(dim=0)

    def circuits(self, sentences: Sequence[str]) -> PreparedCircuit:
        """The circuits to execute, one for each sample's sentence; equal sentences are designed once."""
        distinct = tuple(dict.fromkeys(sentences))
        row_of = {sentence: row for row, sentence in enumerate(distinct)}
        rows = None
        if len(distinct) < len(sentences):
            rows = torch.tensor([row_of[sentence] for sentence in sentences], device=self.device)
        design = self.design(distinct)
        with torch.autocast(self.device.type, enabled=False):
            log_P, log_P_out = self.link_log_probability(design), self.readout_link_log_probability(design)
            self._report(design, log_P, rows)
            prepared = self._of_codes(design.codes, design.readout_codes, (), lambda tensor: tensor)
            assert isinstance(prepared.layers, LayersInTurn)
            if rows is not None:
                log_P, log_P_out = log_P[rows], log_P_out[rows]
            if rows is not None and len(distinct) > 1:  # what only one sentence says, all samples share as it is
                prepared = replace(
                    prepared,
                    read_in=prepared.read_in.of(rows),
                    layers=prepared.layers.of(rows),
                    read_out=prepared.read_out.of(rows),
                )
            kernels = self._kernels(log_P, log_P_out) if self.has_links else (None,) * (self.config.layers + 1)
        return replace(prepared, log_K=tuple(None if log_K is None else log_K[:, None] for log_K in kernels))

    def _prepared_layers(self, c: Float[Tensor, "S U d_code"], cast: Cast) -> LayersInTurn:
        return LayersInTurn(self.propagators, c, cast)

    def _report(self, design: Design, log_P: Float[Tensor, "S U U"], rows: Int64[Tensor, " B"] | None) -> None:
        probes, kept = self.probes, list(self.kept)
        assert isinstance(probes, DesignProbes)

        def of(tensor: Tensor) -> Tensor:
            return tensor if rows is None else tensor[rows]

        if probes.link_probability.listening:
            probes.link_probability(of(log_P.exp()), step=0)
        if probes.signatures.listening:
            probes.signatures(of(F.normalize(design.signatures[:, kept], dim=-1)), step=0)
        if probes.codes.listening:
            probes.codes(of(design.codes[:, kept]), step=0)
        if probes.text_attention.listening:
            attention = padded(design.text_attention[:, kept], self.config.most_pieces)
            probes.text_attention(of(attention), step=0)

    def judge(self, inputs: Statements, iterations: int | None) -> Float[Tensor, "B classes"]:
        tokens = self.pictures(inputs.images, inputs.features)
        return self.execute(tokens, None, iterations, self.circuits(inputs.sentences))

    def constants(self) -> Named:
        """Return masks of active and muted units; all other quantities depend on the sentence."""
        return Network.constants(self)
