"""What a computation costs: floating-point operations, counted while the network runs."""

from typing import Any

import torch
from torch.utils._python_dispatch import TorchDispatchMode
from torch.utils.flop_counter import flop_registry

from core.data import SIDE
from core.routing.intervention import Intervention


class _Counter(TorchDispatchMode):
    """Adds up PyTorch's own formulas. Unlike ``FlopCounterMode`` it puts no hook on every module there is, so that
    other threads compute undisturbed."""

    def __init__(self) -> None:
        super().__init__()  # type: ignore[no-untyped-call]
        self.flops = 0

    def __torch_dispatch__(self, func: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
        kwargs = kwargs or {}
        output = func(*args, **kwargs)
        formula = flop_registry.get(func._overloadpacket)
        if formula is not None:
            self.flops += int(formula(*args, **kwargs, out_val=output))
        return output


def flops_per_sample(model: Any, intervention: Intervention | None = None) -> int:
    """Floating-point operations that one more sample costs.

    Counted are matrix products, convolutions and attention, a multiplication and an addition as two; not counted are
    elementwise operations, normalisations and softmax, nor what depends on parameters alone, which is computed once.
    Units that are dropped or muted cost nothing. Mean and resample save nothing: the runs that give them their
    replacements are not counted.

    Raises:
        InterventionError: when the intervention names units that the model lacks.
    """
    intervention = intervention or Intervention()
    intervention.validate(model)
    view = intervention.structural.apply(model)
    device, side = next(model.parameters()).device, getattr(model.config, "image_size", SIDE)
    channels, counts = getattr(model.config, "image_channels", 3), []
    for batch in (1, 1, 2):  # the first run prepares weights
        images = torch.zeros(batch, channels, side, side, device=device)
        with torch.no_grad(), _Counter() as counter:
            view(images, iterations=intervention.iterations)
        counts.append(counter.flops)
    return counts[2] - counts[1]
