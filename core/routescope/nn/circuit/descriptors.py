"""The unconditional circuit generator, and the links that its signatures make (Equation 2)."""

import torch
from jaxtyping import Float
from torch import Tensor, nn

from routescope.nn.circuit.links import (
    concrete_log_kernel,
    cut_smallest,
    log_link_probability,
    straight_through,
    threshold_log_kernel,
)
from routescope.nn.circuit.views import CircuitViews
from routescope.nn.circuit_config import NeuralAttentiveCircuitConfig
from routescope.nn.network import Named, PriorGraph


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


class CircuitLinks(CircuitViews):
    """Processor and read-out modules, and the links between those that take part."""

    processor: Descriptors
    readout: Descriptors
    prior_order: Tensor

    @property
    def prior_graph(self) -> PriorGraph | None:
        """The prior that the config names, and which of its nodes each module played in training."""
        return None if self.config.prior is None else PriorGraph(self.config.prior, self.prior_order)

    def link_log_probability(self) -> Float[Tensor, "U U"]:
        """log P of the modules that take part (Equation 2); edges that are cut are at minus infinity."""
        signatures = self.processor.signatures
        if signatures is None:
            return self.processor.codes.new_zeros(len(self.kept), len(self.kept))
        s = signatures[list(self.kept)]
        log_P = log_link_probability(s, s, self.config.bandwidth, self.config.truncation)
        return log_P if self.keep_edges is None else cut_smallest(log_P, self.keep_edges)

    def link_probability(self) -> Float[Tensor, "U U"]:
        """P of the modules that take part; 0 where an edge is cut. Truncation lets the gradient straight through."""
        log_P, signatures = self.link_log_probability(), self.processor.signatures
        if self.config.truncation is None or signatures is None or self.keep_edges is not None:
            return log_P.exp()
        s = signatures[list(self.kept)]
        return straight_through(log_P, log_link_probability(s, s, self.config.bandwidth))

    def readout_link_log_probability(self) -> Float[Tensor, "U_o U"]:
        """log P between read-out modules and the processor modules that take part."""
        signatures, readout = self.processor.signatures, self.readout.signatures
        if signatures is None or readout is None:
            return self.processor.codes.new_zeros(self.config.readouts, len(self.kept))
        return log_link_probability(readout, signatures[list(self.kept)], self.config.bandwidth, self.config.truncation)

    def readout_link_probability(self) -> Float[Tensor, "U_o U"]:
        """P between read-out modules and the processor modules that take part."""
        return self.readout_link_log_probability().exp()

    def link_probability_of_all(self) -> Float[Tensor, "U U"]:
        signatures = self.processor.signatures
        if signatures is None:
            return torch.ones(self.config.modules, self.config.modules)
        return log_link_probability(signatures, signatures, self.config.bandwidth, self.config.truncation).exp()

    def _log_kernels(self, samples: int) -> tuple[Float[Tensor, "*S R U"] | None, ...]:
        """log K of every layer, then of the read-out; None in a complete graph, where it is 0 everywhere.

        Training with ``sampling`` "sample" draws (B, 1, R, U), a K for each sample, which all heads share.
        """
        if not self.has_links:
            return (None,) * (self.config.layers + 1)
        log_P, log_P_out = self.link_log_probability(), self.readout_link_log_probability()
        if self.training and self.config.sampling == "sample":
            log_P, log_P_out = (links.expand(samples, 1, -1, -1) for links in (log_P, log_P_out))
        return self._kernels(log_P, log_P_out)

    def _kernels(
        self, log_P: Float[Tensor, "*S U U"], log_P_out: Float[Tensor, "*S U_o U"]
    ) -> tuple[Float[Tensor, "*S _ U"], ...]:
        """log K of every layer, then of the read-out: K = P, or what training or a view makes of P."""
        count, tau = self.config.layers, self.config.temperature
        kind, seed = self.kernel
        if self.training:
            return tuple(
                concrete_log_kernel(log_links, tau) for log_links in (*(log_P for _ in range(count)), log_P_out)
            )
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

    def constants(self) -> Named:
        """Parts of a trace that depend on no sample, with the names of their axes.

        Links of modules that are dropped, and edges that are cut, have probability 0.
        """
        constants: dict[str, tuple[tuple[str, ...], Tensor]] = {
            "codes": (("unit", "code_feature"), self.processor.codes),
            **super().constants(),
        }
        if self.processor.signatures is None or self.readout.signatures is None:
            return constants
        kept = torch.tensor(self.kept, dtype=torch.long, device=self.processor.codes.device)
        P = torch.zeros(self.config.modules, self.config.modules, device=kept.device)
        P[kept[:, None], kept] = self.link_probability().float()
        P_out = torch.zeros(self.config.readouts, self.config.modules, device=kept.device)
        P_out[:, kept] = self.readout_link_probability().float()
        normalize = nn.functional.normalize
        return constants | {
            "signatures": (("unit", "signature_feature"), normalize(self.processor.signatures, dim=-1)),
            "readout_signatures": (("readout", "signature_feature"), normalize(self.readout.signatures, dim=-1)),
            "link_probability": (("unit", "sender"), P),
            "readout_link_probability": (("readout", "unit"), P_out),
        }

    def attributes(self) -> dict[str, float | str]:
        truncation = self.config.truncation
        return {
            **({} if truncation is None else {"truncation": truncation}),
            "bandwidth": self.config.bandwidth,
            "links": self.config.links,
            "prior": self.config.prior or "",
            "kernel": self.kernel[0],
        }
