"""Which forward hooks there are."""

import torch
from torch import nn


def hooks_on(*models: nn.Module) -> list[str]:
    """Every hook on any module of the models, and those on all modules there are."""
    everywhere = torch.nn.modules.module
    result = [
        f"{type(module).__name__}.{kind}"
        for model in models
        for module in model.modules()
        for kind in ("_forward_hooks", "_forward_pre_hooks", "_backward_hooks", "_backward_pre_hooks")
        if getattr(module, kind)
    ]
    return result + [
        kind for kind in ("_global_forward_hooks", "_global_forward_pre_hooks") if getattr(everywhere, kind)
    ]
