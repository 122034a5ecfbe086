"""Many small networks of blocks trained at once, each on its own data with its own Adam and its own clipping.

What one network costs on a CPU is mostly the overhead of small operations; a group runs each operation once for all of
its networks (`torch.func.vmap`), which changes nothing but the speed: a network of a group gets the losses, gradients
and steps that it would get alone, with `torch.optim.Adam` and `torch.nn.utils.clip_grad_norm_`, up to rounding.

Symbols: G networks, B samples, K values, T tasks, N output blocks, s numbers in a block, P parameters.
"""

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any, Literal, Self

import torch
from jaxtyping import Bool, Float, Int64
from torch import Tensor
from torch.func import functional_call, vmap
from torch.nn import functional as F
from torch.nn.attention import SDPBackend, sdpa_kernel
from torch.optim.adam import adam

from routescope.nn.blocks.network import BlockModel
from routescope.nn.blocks.operations import Passed, regularisation
from routescope.nn.inputs.blocks import Blocks
from routescope.training.grids.kernels import Kernels, loss_and_slope
from routescope.training.grids.padding import PRESENT, SHUFFLE, StackLayout

Loss = Literal["mse", "cross_entropy"]
#: Return values (G, B, K, s) and tasks (G, B, T, s).
Inputs = tuple[Tensor, Tensor] | Blocks
#: Samples x networks that one pass of an evaluation holds.
CHUNK = 4096


class Group:
    """Networks of one shape with their Adam; each network has its own samples in training and running.

    Args:
        models: BlockModels (SMFR, feed-forward network, Transformer) of the same config; SMFRs may differ in ``width``
            (they are padded, exactly) and all may differ in ``shuffle_seed``. They are copied, and not changed.
        learning_rate: Adam's.
        clip: largest norm of one network's gradient, over all of its parameters.
        loss: ``mse``: mean squared distance of every output block to the one-hot block of its digit;
            ``cross_entropy``: of the first ``classes`` numbers of every output block times ``logit_scale``.
        weight_of_regularisation: of A.3's loss on the logits of weights and gates; 0 leaves it out.
        seed: of the Gumbel noise, if there is any; a group draws it from a generator of its own.

    Inputs are either ``(values (G, B, K, s), tasks (G, B, T, s))`` or one ``Blocks`` that all networks are given.

    Raises:
        ValueError: no model, or models that are not of one shape; the message names what differs.
    """

    def __init__(
        self,
        models: Sequence[BlockModel],
        *,
        learning_rate: float = 3e-4,
        clip: float = 0.1,
        loss: Loss = "mse",
        weight_of_regularisation: float = 1.0,
        seed: int = 0,
    ) -> None:
        self.learning_rate, self.clip, self.loss = learning_rate, clip, loss
        self.weight_of_regularisation = weight_of_regularisation
        layout = StackLayout(models)
        weights = layout.pack([dict(model.named_parameters()) for model in models])
        noise = torch.Generator().manual_seed(seed).get_state()
        self._set(layout, weights, torch.zeros_like(weights), torch.zeros_like(weights), [0] * len(models), noise)

    def _set(
        self,
        layout: StackLayout,
        weights: Float[Tensor, "G P"],
        means: Float[Tensor, "G P"],
        squares: Float[Tensor, "G P"],
        steps: Sequence[int],
        noise: Tensor,
    ) -> None:
        """Set the rows of parameters and of Adam's moments, each network's steps, and the state of the noise."""
        self.layout, self.weights, self.means, self.squares = layout, weights, means, squares
        self._steps = [torch.tensor(float(step)) for step in steps]
        self._noise = noise
        self._rows = [list(rows.unbind()) for rows in (weights, means, squares)]
        self._numbers = layout.stacked(weights)
        self._slopes = torch.empty_like(weights)
        self._buffers = layout.buffers()
        self._kernels: Kernels | None = None
        if Kernels.know(layout.template):
            present, shuffles = self._buffers.get(PRESENT), self._buffers.get(SHUFFLE)
            self._kernels = Kernels(layout.template, present, shuffles)

    def __len__(self) -> int:
        return len(self.weights)

    @property
    def settings(self) -> dict[str, Any]:
        """The settings of the training, as arguments of this class."""
        names = ("learning_rate", "clip", "loss", "weight_of_regularisation")
        return {name: getattr(self, name) for name in names}

    @property
    def steps(self) -> list[int]:
        """The steps that each network was trained."""
        return [int(step) for step in self._steps]

    # -- training ------------------------------------------------------------------------------------------

    def step(
        self, inputs: Inputs, digits: Int64[Tensor, "*G B N"], iterations: int | None = None
    ) -> Float[Tensor, " G"]:
        """Train every network for one step.

        Args:
            inputs: see the class.
            digits: of every output block after the last iteration, (G, B, N), or (B, N) where all are given the same.
            iterations: how many are run; as many as the config says when None.

        Returns:
            each network's loss before the step, regularisation included.

        Raises:
            ValueError: inputs or digits of other numbers of networks or axes; iterations that are not the task's.
        """
        losses, gradients = self._gradients(inputs, digits, iterations)
        norms = torch.linalg.vector_norm(gradients, dim=1, keepdim=True)
        gradients.mul_((self.clip / (norms + 1e-6)).clamp(max=1.0))
        adam(
            self._rows[0],
            list(gradients.unbind()),
            self._rows[1],
            self._rows[2],
            [],
            self._steps,
            fused=True,
            amsgrad=False,
            beta1=0.9,
            beta2=0.999,
            lr=self.learning_rate,
            weight_decay=0.0,
            eps=1e-8,
            maximize=False,
        )
        return losses

    def gradients(
        self, inputs: Inputs, digits: Int64[Tensor, "*G B N"], iterations: int | None = None
    ) -> tuple[Float[Tensor, " G"], list[dict[str, Tensor]]]:
        """Return each network's loss, and its gradients before clipping; arguments as of ``step``."""
        losses, gradients = self._gradients(inputs, digits, iterations)
        return losses, self.layout.unpack(gradients)

    def _gradients(self, inputs: Inputs, digits: Tensor, iterations: int | None) -> tuple[Tensor, Tensor]:
        """Return losses, and rows of gradients that the next call overwrites."""
        config, iterations = self.layout.template.config, self._iterations(iterations)
        values, tasks = self._tensors(inputs)
        wanted = (*values.shape[:2], len(config.outputs))
        if isinstance(inputs, Blocks) and digits.shape == wanted[1:]:
            digits = digits.expand(wanted)
        if digits.shape != wanted:
            raise ValueError(f"digits of {wanted} (networks, samples, outputs) are needed, not {tuple(digits.shape)}")
        one_hot = self.loss == "mse"
        targets = F.one_hot(digits, config.block_size).to(self.weights.dtype) if one_hot else digits
        way = self._by_kernels if self._kernels else self._by_autograd
        with self._own_noise():
            return way(values, tasks, targets, iterations)

    def _by_kernels(self, values: Tensor, tasks: Tensor, targets: Tensor, iterations: int) -> tuple[Tensor, Tensor]:
        assert self._kernels is not None
        config = self.layout.template.config
        with torch.no_grad():
            made, passes = self._kernels.forward(self._numbers, values, tasks, iterations, training=True)
            losses, slope = loss_and_slope(self.loss, made, targets, config.logit_scale, config.classes)
            gradients, excess = self._kernels.backward(self._numbers, slope, passes, self.weight_of_regularisation)
            torch.cat([gradients[name].view(len(self), -1) for name in self.layout.names], dim=1, out=self._slopes)
        return losses + excess, self._slopes

    def _by_autograd(self, values: Tensor, tasks: Tensor, targets: Tensor, iterations: int) -> tuple[Tensor, Tensor]:
        leaf, template = self.weights.detach().requires_grad_(), self.layout.template.train()
        config = template.config

        def one(numbers: dict[str, Tensor], own: Tensor, own_tasks: Tensor, target: Tensor) -> Tensor:
            seen: list[Passed] = []
            made = functional_call(_Run(template), numbers, (own, own_tasks, iterations, seen))
            (loss,), _ = loss_and_slope(self.loss, made[None], target[None], config.logit_scale, config.classes)
            return loss + self.weight_of_regularisation * regularisation(seen) if seen else loss

        losses = self._each(one, leaf, values, tasks, targets)
        (gradients,) = torch.autograd.grad(losses.sum(), leaf)
        return losses.detach(), gradients

    def _each(self, one: Callable[..., Tensor], weights: Float[Tensor, "G P"], *own: Tensor) -> Float[Tensor, "G ..."]:
        """Apply a function of (numbers, values, tasks, ...) to every network."""
        numbers = {f"model.{name}": tensor for name, tensor in self.layout.stacked(weights).items()}
        numbers |= {f"model.{name}": tensor for name, tensor in self._buffers.items()}
        with sdpa_kernel(SDPBackend.MATH):  # the others are run for one network after the other
            result: Tensor = vmap(one, randomness="different")(numbers, *own)
        return result

    def _tensors(self, inputs: Inputs) -> tuple[Tensor, Tensor]:
        """Return values (G, B, K, s) and tasks (G, B, T, s)."""
        dtype, G = self.weights.dtype, len(self)
        if isinstance(inputs, Blocks):
            values, tasks = inputs.values.to(dtype), inputs.tasks.to(dtype)
            return values.expand(G, *values.shape), tasks.expand(G, *tasks.shape)
        values, tasks = inputs
        if len(values) != G or len(tasks) != G:
            raise ValueError(f"inputs of {len(values)} and {len(tasks)} networks for a group of {G}")
        return values.to(dtype), tasks.to(dtype)

    def _iterations(self, wanted: int | None) -> int:
        config = self.layout.template.config
        wanted = config.iterations if wanted is None else wanted
        if wanted != 1 and not config.repeats:
            raise ValueError(f"networks for {config.task!r} run one iteration, not {wanted}")
        return wanted

    @contextmanager
    def _own_noise(self) -> Iterator[None]:
        """Draw from the group's own random numbers, which other draws do not change."""
        outside = torch.get_rng_state()
        torch.set_rng_state(self._noise)
        try:
            yield
        finally:
            self._noise = torch.get_rng_state()
            torch.set_rng_state(outside)

    # -- running -------------------------------------------------------------------------------------------

    @torch.no_grad()
    def run(self, inputs: Inputs, iterations: int | None = None) -> Float[Tensor, "G B N s"]:
        """Return the output blocks of every network, in evaluation mode, for a part of the samples at a time."""
        template, iterations = self.layout.template.eval(), self._iterations(iterations)

        def one(numbers: dict[str, Tensor], own: Tensor, own_tasks: Tensor) -> Tensor:
            made: Tensor = functional_call(_Run(template), numbers, (own, own_tasks, iterations, None))
            return made

        values, tasks = self._tensors(inputs)
        size, outputs = max(1, CHUNK // len(self)), []
        for start in range(0, max(1, values.shape[1]), size):
            some = (values[:, start : start + size], tasks[:, start : start + size])
            if self._kernels:
                outputs.append(self._kernels.forward(self._numbers, *some, iterations, training=False)[0])
            else:
                outputs.append(self._each(one, self.weights, *some))
        return torch.cat(outputs, dim=1)

    def right(
        self, inputs: Inputs, digits: Int64[Tensor, "*G B N"], iterations: int | None = None
    ) -> Bool[Tensor, "G B N"]:
        """Return whether the largest number of each output block is at its digit."""
        classes = self.layout.template.config.classes
        return self.run(inputs, iterations)[..., :classes].argmax(dim=-1) == digits

    # -- networks ------------------------------------------------------------------------------------------

    def models(self) -> list[BlockModel]:
        """Return a separate network of its own width for each, in evaluation mode."""
        return self.layout.models(self.weights)

    def take(self, indices: Sequence[int]) -> Self:
        """Return a group of copies of some networks; an index may occur several times."""
        unknown = [index for index in indices if not 0 <= index < len(self)]
        if unknown or not indices:
            raise ValueError(f"a group of {len(self)} has no networks {unknown or 'to take none of'}")
        layout = self.layout.take(indices)
        steps = [self.steps[index] for index in indices]
        states = [self.layout.unpack(rows) for rows in self._state_rows()]
        return self._like(layout, [[rows[index] for index in indices] for rows in states], steps)

    def join(self, other: "Group") -> Self:
        """Return a group of copies of the networks of both groups, each with its own number of steps."""
        layout = self.layout.join(other.layout)
        both = zip(self._state_rows(), other._state_rows(), strict=True)
        rows = [[*self.layout.unpack(mine), *other.layout.unpack(theirs)] for mine, theirs in both]
        return self._like(layout, rows, [*self.steps, *other.steps])

    def _state_rows(self) -> tuple[Tensor, Tensor, Tensor]:
        return self.weights, self.means, self.squares

    def _like(self, layout: StackLayout, rows: Sequence[Sequence[dict[str, Tensor]]], steps: Sequence[int]) -> Self:
        group = object.__new__(type(self))
        for name, value in self.settings.items():
            setattr(group, name, value)
        weights, means, squares = (layout.pack(row) for row in rows)
        group._set(layout, weights, means, squares, steps, self._noise.clone())
        return group

    # -- state ---------------------------------------------------------------------------------------------

    def state(self) -> dict[str, Tensor]:
        """Return all tensors that a continued training needs to have the same bits."""
        return {
            "weights": self.weights.clone(),
            "means": self.means.clone(),
            "squares": self.squares.clone(),
            "steps": torch.tensor(self.steps),
            "noise": self._noise.clone(),
        }

    def load_state(self, state: dict[str, Tensor]) -> None:
        """Continue from a result of ``state``; raises ValueError for networks of another number or shape."""
        shape = tuple(state["weights"].shape)
        if shape != tuple(self.weights.shape):
            raise ValueError(f"a state of {shape} numbers for a group of {tuple(self.weights.shape)}")
        weights, means, squares = (state[name].clone() for name in ("weights", "means", "squares"))
        self._set(self.layout, weights, means, squares, state["steps"].tolist(), state["noise"].clone())


class _Run(torch.nn.Module):
    """`BlockModel.run` as the forward pass of a module, for `functional_call`."""

    def __init__(self, model: BlockModel) -> None:
        super().__init__()
        self.model = model

    def forward(self, values: Tensor, tasks: Tensor, iterations: int | None, seen: Any) -> Tensor:
        asked = torch.zeros(len(values), dtype=torch.long)
        return self.model.run(Blocks(values, tasks, asked), iterations, seen=seen)
