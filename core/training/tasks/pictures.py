"""What one step of training computes: the losses, and where a network starts."""

from typing import Any

import lightning as L
import torch
import torch.nn.functional as F
from jaxtyping import Float
from torch import Tensor

from core.nn.registry import ARCHITECTURES
from core.routing import graphs
from core.routing.graphs import Order
from core.training.settings import TrainingSettings, cosine, parameter_groups
from core.training.tasks.mixture import augment


def routing_information(compatibility: Float[Tensor, "U B V"]) -> Float[Tensor, ""]:
    """Mutual information, in nats, of unit and token at one step: H(mean share) - mean H(share), 0 to ln U.

    It is large where every token goes to few functions and all functions are used.
    """
    share = compatibility.float() / (compatibility.float().sum(dim=0) + 1e-6)
    usage = share.mean(dim=(1, 2))
    conditional = -(share * (share + 1e-6).log()).sum(dim=0).mean()
    return -(usage * (usage + 1e-6).log()).sum() - conditional


def fit_to_prior(model: Any, seed: int) -> None:
    """Set a circuit's signatures to ones fitted to a graph that is sampled from its prior."""
    graph = graphs.sample_graph(graphs.prior(model.config.prior, model.config.modules), seed)
    fitted = graphs.fit_signatures(graph, model.config.signature_features, seed)
    with torch.no_grad():
        model.processor.signatures.copy_(fitted)


def start_with_contrast(model: Any) -> None:
    """Take their mean out of the first filters of a circuit's ``convnext`` tokenizer, and double what is left."""
    if getattr(model.config, "tokenizer", None) == "convnext":
        tokenizer = model.pictures.encoder if hasattr(model, "pictures") else model.tokenizer
        filters = tokenizer.stem[0].weight
        with torch.no_grad():
            filters.copy_(2 * (filters - filters.mean(dim=(2, 3), keepdim=True)))


class Classification(L.LightningModule):
    """Cross-entropy of every sample at the head of the domain that it comes from.

    With ``settings.routing_weight``, routing that tells tokens apart is rewarded. With ``settings.graph_weight``, a
    circuit that learns its links pays for their distance to its prior (Neural Attentive Circuits, Eq. 6).
    """

    def __init__(self, architecture: str, config: Any, settings: TrainingSettings) -> None:
        super().__init__()
        self.settings = settings
        self.model: Any = ARCHITECTURES[architecture][1](config)
        prior = getattr(config, "prior", None)
        if prior is not None and settings.initial_signatures == "fitted":
            fit_to_prior(self.model, settings.seed)
        if settings.initial_filters == "contrast":
            start_with_contrast(self.model)
        self._information: list[Tensor] = []
        self.order: Order | None = None
        self.prior: Tensor | None
        if settings.routing_weight:
            self.model.probes.compatibility.register_forward_hook(
                lambda _module, _inputs, C: (
                    self._information.append(routing_information(C)) if C.requires_grad else None
                )
            )
        links = None
        if settings.graph_weight and prior is not None and config.links == "learned":
            links = torch.from_numpy(graphs.prior(prior, config.modules)).float()
        self.register_buffer("prior", links, persistent=False)

    def training_step(self, batch: tuple[Tensor, Tensor, Tensor], _: int) -> Tensor:
        images, labels, domain = batch
        x = images.float() / 255
        logits = self.model(augment(x) if self.settings.augment else x)
        own = logits[torch.arange(len(labels), device=labels.device), domain].float()
        loss = F.cross_entropy(own, labels)
        self.log("loss", loss, prog_bar=True)
        if self._information:
            information = torch.stack(self._information).mean()
            self._information.clear()
            self.log("routing", information, prog_bar=True)
            loss = loss - self.settings.routing_weight * information
        if self.prior is not None:
            distance = self.distance_to_prior()
            self.log("graph", distance, prog_bar=True)
            loss = loss + self.settings.graph_weight * distance
        self.log("accuracy", (own.argmax(-1) == labels).float().mean(), prog_bar=True)
        return loss

    def distance_to_prior(self) -> Float[Tensor, ""]:
        """The Graph Structure Regularizer, Eq. 6, in full precision; matched anew, from the order of the last step."""
        assert self.prior is not None
        with torch.autocast(self.prior.device.type, enabled=False):
            links = self.model.link_probability().float()
        self.order = graphs.match(links, self.prior, start=self.order)
        return graphs.structure_loss(links, self.prior, self.order)

    def note_order(self) -> None:
        """Keep with the circuit which node of its prior each module plays."""
        if getattr(self.model.config, "prior", None) is not None:
            links = self.model.link_probability().detach()
            order = graphs.match(links, graphs.prior(self.model.config.prior, len(links)), start=self.order)
            self.model.prior_order.copy_(torch.from_numpy(order))

    def configure_optimizers(self) -> Any:
        groups, rate = (
            parameter_groups(self.named_parameters(), self.settings.weight_decay),
            self.settings.learning_rate,
        )
        optimizer: torch.optim.Optimizer
        if self.settings.optimizer == "adamw":
            optimizer = torch.optim.AdamW(groups, lr=rate)
        else:
            optimizer = torch.optim.RAdam([p for p in self.parameters() if p.requires_grad], lr=rate)
        schedule = torch.optim.lr_scheduler.LambdaLR(optimizer, lambda step: cosine(step, self.settings))
        return {"optimizer": optimizer, "lr_scheduler": {"scheduler": schedule, "interval": "step"}}
