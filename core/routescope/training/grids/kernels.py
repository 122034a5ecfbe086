"""SMFRs and feed-forward networks of a whole group, forward and backward, without autograd.

What a small network costs is not its arithmetic but the calls around it: a batched product takes the time of many, and
autograd under `vmap` adds about as much again. So the passes of `routescope.nn.blocks.operations` are written out here
for G networks at once, as few products over (G, B, ...) as there are linear layers, and their gradients beside them.
Tests hold both to what autograd gives for every network alone. A step of the printed addition grid (126 networks, batch
32, one thread) takes half the time that it takes with autograd under `vmap`.

The blocks that a level makes are written where the next level reads them: what an MFNNR's FNN reads, N routed blocks
and then the M that were read, lies in one piece.

Symbols: G networks, B samples, M and N blocks in and out, s numbers in a block, T iterations.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import cast

import torch
from jaxtyping import Float
from torch import Tensor
from torch.nn import functional as F

from routescope.nn.baselines.fnn import BlockFNN
from routescope.nn.blocks.network import BlockModel, BlockNetwork
from routescope.nn.blocks.operations import FNN, LARGEST_LOGIT, MFNNR, NEGATIVE_SLOPE

Numbers = Mapping[str, Tensor]


class Gradients:
    """Sums of gradients, (G, ...), in memory that is reused: allocating it anew costs as much as the products."""

    def __init__(self) -> None:
        self.found: dict[str, Tensor] = {}
        self._begun: set[str] = set()

    def start(self, numbers: Numbers) -> None:
        """Discard the sums of the last step."""
        self._begun.clear()
        if not self.found:
            self.found = {
                name: torch.empty_like(x, memory_format=torch.contiguous_format) for name, x in numbers.items()
            }

    def add(self, name: str, more: Tensor) -> None:
        """Add a gradient of a parameter."""
        if name in self._begun:
            self.found[name].add_(more)
        else:
            self.found[name].copy_(more)
            self._begun.add(name)

    def add_product(self, name: str, slope: Float[Tensor, "G B n"], x: Float[Tensor, "G B m"]) -> None:
        """Add a gradient of a linear weight (n, m): the sum over samples of slope times x."""
        if name in self._begun:
            self.found[name].baddbmm_(slope.transpose(1, 2), x)
        else:
            torch.bmm(slope.transpose(1, 2), x, out=self.found[name])
            self._begun.add(name)


@dataclass
class SavedForward:
    """The values of one MFNNR's forward pass that its backward pass needs.

    ``read`` (G, B, N * s + M * s): routed blocks, then the blocks that the MFNNR read; ``soft`` is what the gradient of
    the weights goes through, ``scaled`` the logits over the temperature where there is one.
    """

    read: Tensor
    multiplexer: list[Tensor]
    fnnr: list[Tensor]
    weight_logits: Tensor
    weights: Tensor
    soft: Tensor
    scaled: Tensor | None
    made: Tensor
    gates: Tensor


class Kernels:
    """The forward and backward passes of all networks of a group.

    Args:
        template: whose sizes the networks have.
        present: (G, w) which hidden blocks exist, where not all do.
        shuffles: (G, K * s) the fixed permutation of all numbers before each iteration, where there is one.
    """

    def __init__(self, template: BlockModel, present: Tensor | None, shuffles: Tensor | None) -> None:
        self.config, self.shuffles = template.config, shuffles
        self.mfnnr: list[MFNNR] = []
        self.layers = 0
        if isinstance(template, BlockNetwork):
            self.mfnnr = [cast(MFNNR, level) for level in template.smfr.mfnnr]
            self.layers = len(self.mfnnr[0].multiplexer.fnn.linear) - 1
        else:
            self.layers = len(cast(FNN, template.fnn).linear) - 1
        self.gradients = Gradients()
        self.present = None if present is None else present[:, None, :, None]
        self.shares = None if present is None else present.to(next(template.parameters()).dtype)

    @staticmethod
    def know(template: BlockModel) -> bool:
        """Return whether the passes of such a network are implemented."""
        return isinstance(template, BlockNetwork | BlockFNN)

    # -- forward -------------------------------------------------------------------------------------------

    def forward(
        self,
        numbers: Numbers,
        values: Float[Tensor, "G B K s"],
        tasks: Float[Tensor, "G B T s"],
        iterations: int,
        training: bool,
    ) -> tuple[Float[Tensor, "G B N s"], list[list[SavedForward]]]:
        """Return the output blocks after some iterations, and the values that ``backward`` needs."""
        state, passes = values, []
        for iteration in range(iterations):
            if self.shuffles is not None:
                places = self.shuffles[:, None].expand(-1, state.shape[1], -1)
                state = state.flatten(2).gather(2, places).view(state.shape)
            x = torch.cat((state, tasks[:, :, iteration % tasks.shape[2]].unsqueeze(2)), dim=2)
            state, passed = self._once(numbers, x, training)
            passes.append(passed)
        return state, passes

    def _once(self, numbers: Numbers, x: Float[Tensor, "G B M s"], training: bool) -> tuple[Tensor, list[SavedForward]]:
        if not self.mfnnr:
            kept, made = self._fnn(numbers, "fnn", x.flatten(2))
            out = made.unflatten(2, (len(self.config.outputs), x.shape[3]))
            empty = made.new_empty(0)
            return out, [SavedForward(empty, [], kept, empty, empty, empty, None, empty, empty)]
        passed, s = [], x.shape[3]
        read = self._room(x, self.mfnnr[0])
        read[:, :, self.mfnnr[0].N * s :].copy_(x.flatten(2))
        for at, mfnnr in enumerate(self.mfnnr):
            following = self.mfnnr[at + 1] if at + 1 < len(self.mfnnr) else None
            into = self._room(x, following) if following else x.new_empty(*x.shape[:2], mfnnr.N * s)
            passed.append(self._mfnnr(numbers, at, read, into[:, :, into.shape[2] - mfnnr.N * s :], training))
            read = into
        return read.unflatten(2, (-1, s)), passed

    @staticmethod
    def _room(x: Tensor, mfnnr: MFNNR) -> Tensor:
        """Return memory for the input of an MFNNR: routed blocks, then read blocks."""
        return x.new_empty(*x.shape[:2], (mfnnr.N + mfnnr.M) * x.shape[3])

    def _mfnnr(self, numbers: Numbers, at: int, read: Tensor, out: Tensor, training: bool) -> SavedForward:
        mfnnr, (G, B) = self.mfnnr[at], read.shape[:2]
        M, N, s = mfnnr.M, mfnnr.N, mfnnr.multiplexer.s
        name = f"smfr.mfnnr.{at}"
        x = read[:, :, N * s :]
        multiplexer, logits = self._fnn(numbers, f"{name}.multiplexer.fnn", x)
        logits = logits.unflatten(2, (M, N))
        chosen = logits
        if self.present is not None and at:
            chosen = logits.masked_fill(~self.present, -torch.inf)
        weights, soft, scaled = self._weights(numbers, f"{name}.multiplexer.log_temperature", chosen, training)
        routed = read[:, :, : N * s]
        blocks = torch.bmm(weights.flatten(0, 1).transpose(1, 2), x.reshape(G * B, M, s))
        routed.copy_(blocks.view(G, B, N * s))
        last = at + 1 == len(self.mfnnr)
        if self.present is not None and not last:
            routed.unflatten(2, (N, s)).mul_(self.present)
        fnnr, made = self._fnn(numbers, f"{name}.fnnr.fnn", read if mfnnr.context else routed)
        gates = made[:, :, N * s :].sigmoid()
        new, old = made[:, :, : N * s].unflatten(2, (N, s)), routed.unflatten(2, (N, s))
        out.unflatten(2, (N, s)).copy_(torch.lerp(old, new, gates.unsqueeze(3)))
        if self.present is not None and not last:
            out.unflatten(2, (N, s)).mul_(self.present)
        return SavedForward(read, multiplexer, fnnr, logits, weights, soft, scaled, made, gates)

    @staticmethod
    def _weights(numbers: Numbers, name: str, logits: Tensor, training: bool) -> tuple[Tensor, Tensor, Tensor | None]:
        """Return weights, the softmax that their gradient goes through, and for hard choices its scaled logits."""
        if name not in numbers:
            weights = logits.softmax(dim=2)
            return weights, weights, None
        if training:
            noise = torch.rand_like(logits).clamp_min_(torch.finfo(logits.dtype).tiny).log_().neg_()
            logits = logits - noise.clamp_min_(1e-30).log_()
        scaled = logits / numbers[name].exp()[:, None, None, None]
        soft = scaled.softmax(dim=2)
        return torch.zeros_like(soft).scatter_(2, soft.argmax(dim=2, keepdim=True), 1.0), soft, scaled

    def _fnn(self, numbers: Numbers, name: str, x: Tensor) -> tuple[list[Tensor], Tensor]:
        """Return the input of every linear layer, and the output of the last one."""
        kept = [x]
        for layer in range(self.layers + 1):
            weight, bias = numbers[f"{name}.linear.{layer}.weight"], numbers[f"{name}.linear.{layer}.bias"]
            x = torch.baddbmm(bias.unsqueeze(1), x, weight.transpose(1, 2))
            if layer < self.layers:
                kept.append(F.leaky_relu_(x, NEGATIVE_SLOPE))
        return kept, x

    # -- backward ------------------------------------------------------------------------------------------

    def backward(
        self, numbers: Numbers, slope: Float[Tensor, "G B N s"], passes: list[list[SavedForward]], regularise: float
    ) -> tuple[Mapping[str, Tensor], Float[Tensor, " G"] | float]:
        """Return gradients of all parameters, (G, ...), which the next call overwrites, and the regularisation loss.

        Args:
            slope: of the loss by the output blocks.
            regularise: weight of the regularisation loss, which is added; 0 leaves it out.
        """
        gradients = self.gradients
        gradients.start(numbers)
        excess: Tensor | float = 0.0
        K, s = len(self.config.values), slope.shape[3]
        for iteration in reversed(range(len(passes))):
            wanted = iteration > 0
            below: Tensor | None = slope.flatten(2)
            if not self.mfnnr:
                below = self._fnn_back(numbers, gradients, "fnn", passes[iteration][0].fnnr, slope.flatten(2), wanted)
            for at in reversed(range(len(self.mfnnr))):
                saved = passes[iteration][at]
                below, more = self._mfnnr_back(
                    numbers, gradients, at, saved, cast(Tensor, below), wanted or at > 0, regularise
                )
                excess = excess + more
            if wanted:
                flat = cast(Tensor, below)[:, :, : K * s]
                if self.shuffles is not None:
                    places = self.shuffles[:, None].expand(-1, flat.shape[1], -1)
                    flat = torch.zeros_like(flat).scatter_(2, places, flat)
                slope = flat.unflatten(2, (K, s))
        return gradients.found, excess

    def _mfnnr_back(
        self,
        numbers: Numbers,
        gradients: Gradients,
        at: int,
        saved: SavedForward,
        slope: Float[Tensor, "G B N*s"],
        wanted: bool,
        regularise: float,
    ) -> tuple[Tensor | None, Tensor | float]:
        mfnnr, (G, B) = self.mfnnr[at], slope.shape[:2]
        M, N, s = mfnnr.M, mfnnr.N, mfnnr.multiplexer.s
        name, masked = f"smfr.mfnnr.{at}", self.present is not None and at + 1 < len(self.mfnnr)
        routed, x = saved.read[:, :, : N * s], saved.read[:, :, N * s :]
        blocks = slope.unflatten(2, (N, s))
        if masked:
            blocks = blocks * self.present
        new, old, gates = saved.made[:, :, : N * s].unflatten(2, (N, s)), routed.unflatten(2, (N, s)), saved.gates
        of_made = torch.empty_like(saved.made)
        of_new = of_made[:, :, : N * s].unflatten(2, (N, s))
        torch.mul(blocks, gates.unsqueeze(3), out=of_new)
        of_gates = ((new - old) * blocks).sum(dim=3) * (gates - gates.square())
        gate_logits = saved.made[:, :, N * s :]
        excess: Tensor | float = 0.0
        if regularise:
            more, by = self._excess(gate_logits, self.shares if masked else None, regularise)
            excess = excess + more
            if by is not None:
                of_gates = of_gates + by
        of_made[:, :, N * s :].copy_(of_gates)
        of_routed = (blocks - of_new).flatten(2)
        read = self._fnn_back(numbers, gradients, f"{name}.fnnr.fnn", saved.fnnr, of_made, True)
        of_routed = of_routed + cast(Tensor, read)[:, :, : N * s]
        if masked:
            of_routed = (of_routed.unflatten(2, (N, s)) * self.present).flatten(2)
        by_block = of_routed.view(G * B, N, s)
        of_weights = torch.bmm(x.reshape(G * B, M, s), by_block.transpose(1, 2)).view(G, B, M, N)
        of_logits = torch.ops.aten._softmax_backward_data(of_weights, saved.soft, 2, of_weights.dtype)
        if saved.scaled is not None:
            key = f"{name}.multiplexer.log_temperature"
            finite = saved.scaled.masked_fill(saved.scaled.isinf(), 0.0)
            gradients.add(key, -(of_logits * finite).sum(dim=(1, 2, 3)))
            of_logits = of_logits / numbers[key].exp()[:, None, None, None]
        if regularise:
            more, by = self._excess(saved.weight_logits, self._there(at), regularise)
            excess = excess + more
            if by is not None:
                of_logits = of_logits + by
        of_x = self._fnn_back(
            numbers, gradients, f"{name}.multiplexer.fnn", saved.multiplexer, of_logits.flatten(2), wanted
        )
        if of_x is None:
            return None, excess
        of_x = of_x + torch.bmm(saved.weights.flatten(0, 1), by_block).view(G, B, M * s)
        if mfnnr.context:
            of_x += cast(Tensor, read)[:, :, N * s :]
        return of_x, excess

    def _there(self, at: int) -> Tensor | None:
        """Return which weights of an MFNNR exist, (G, M, N); None if all do."""
        if self.shares is None:
            return None
        M, N, G = self.mfnnr[at].M, self.mfnnr[at].N, len(self.shares)
        rows = self.shares if at else self.shares.new_ones(G, M)
        columns = self.shares if at + 1 < len(self.mfnnr) else self.shares.new_ones(G, N)
        return rows[:, :, None] * columns[:, None, :]

    @staticmethod
    def _excess(logits: Tensor, present: Tensor | None, weight: float) -> tuple[Tensor | float, Tensor | None]:
        """Return A.3's loss of each network on some logits, and its slope; None if no logit is too large."""
        if torch.linalg.vector_norm(logits, torch.inf).item() <= LARGEST_LOGIT:
            return 0.0, None
        excess = logits - logits.clamp(-LARGEST_LOGIT, LARGEST_LOGIT)
        if present is None:
            by = excess * (weight / excess[0].numel())
        else:
            share = present / (logits.shape[1] * present.flatten(1).sum(dim=1).view(-1, *[1] * (present.ndim - 1)))
            by = excess * (weight * share.unsqueeze(1))
        return (by * excess).flatten(1).sum(dim=1), 2 * by

    def _fnn_back(
        self, numbers: Numbers, gradients: Gradients, name: str, kept: list[Tensor], slope: Tensor, wanted: bool
    ) -> Tensor | None:
        """Add the gradients of an FNN's parameters; return the gradient by its input if it is wanted."""
        for layer in reversed(range(self.layers + 1)):
            key, x = f"{name}.linear.{layer}", kept[layer]
            gradients.add_product(f"{key}.weight", slope, x)
            gradients.add(f"{key}.bias", slope.sum(dim=1))
            if layer == 0 and not wanted:
                return None
            slope = torch.bmm(slope, numbers[f"{key}.weight"])
            if layer:
                slope = torch.ops.aten.leaky_relu_backward(slope, x, NEGATIVE_SLOPE, True)
        return slope


def loss_and_slope(
    kind: str, made: Float[Tensor, "G B N s"], targets: Tensor, scale: float, classes: int
) -> tuple[Float[Tensor, " G"], Float[Tensor, "G B N s"]]:
    """Return each network's loss, and its slope by the output blocks.

    Args:
        kind: "mse", with one-hot targets (G, B, N, s); or "cross_entropy", with digits (G, B, N).
        scale, classes: what logits are of a block: its first ``classes`` numbers times ``scale``.
    """
    if kind == "mse":
        distance = made - targets
        count = distance[0].numel()
        return distance.flatten(1).square().sum(dim=1) / count, distance * (2 / count)
    count = targets[0].numel()
    logarithms = (scale * made[..., :classes]).log_softmax(dim=3)
    losses = -logarithms.gather(3, targets.unsqueeze(3)).flatten(1).sum(dim=1) / count
    of_logits = (logarithms.exp() - F.one_hot(targets, classes)) * (scale / count)
    return losses, F.pad(of_logits, (0, made.shape[3] - classes))
