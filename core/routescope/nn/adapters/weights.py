"""Split the weights of an adapted model by router and by expert, from the paths and shapes of its parameters.

Symbols: E experts of a layer.
"""

from torch import Tensor, nn

from routescope.nn.mixture.routed import SelectionBias


def router_weights(module: nn.Module, router: str) -> dict[str, Tensor]:
    """Return the parameters of a router, of any shape, by their path."""
    return {f"{router}.{name}": weight for name, weight in module.get_submodule(router).named_parameters()}


def expert_weights(module: nn.Module, router: str, experts: str | None, count: int) -> list[dict[str, Tensor]]:
    """Return the weights of every expert of a layer, of any shape, by their path; empty: experts cannot be told apart.

    Experts are the modules of a list of E modules, or the rows of parameters whose first axis has E rows. They are
    searched in ``experts``; without that path in the block that holds the router.

    Args:
        count: E.
    """
    root = router.rpartition(".")[0] if experts is None else experts
    block = module.get_submodule(root)
    found: list[dict[str, Tensor]] = [{} for _ in range(count)]
    lists = [name for name, child in block.named_modules() if isinstance(child, nn.ModuleList) and len(child) == count]
    for name in lists:
        for place, expert in enumerate(block.get_submodule(name).children()):
            path = ".".join(part for part in (root, name, str(place)) if part)
            found[place] |= {f"{path}.{own}": weight for own, weight in expert.named_parameters()}
    seen = {id(weight) for own in found for weight in own.values()}
    seen |= {id(weight) for weight in module.get_submodule(router).parameters()}
    for name, weight in block.named_parameters():
        # Without a path only matrices are taken: a vector of E numbers may be anything.
        if id(weight) in seen or weight.shape[:1] != (count,) or weight.dim() < (3 if experts is None else 2):
            continue
        path = ".".join(part for part in (root, name) if part)
        for place in range(count):
            found[place][f"{path}[{place}]"] = weight[place]
    return found if any(found) else []


def selection_bias(module: nn.Module, router: str, count: int) -> SelectionBias | None:
    """Return the bias by which a router prefers experts: a vector of E numbers with "bias" in its name, in the router
    or beside it in its block; None: there is none.

    Args:
        count: E.
    """
    own, block = module.get_submodule(router), module.get_submodule(router.rpartition(".")[0])
    vectors = dict((*block.named_buffers(recurse=False), *block.named_parameters(recurse=False)))
    vectors |= dict((*own.named_buffers(), *own.named_parameters()))
    for name, vector in vectors.items():
        if "bias" in name and vector.numel() == count and vector.shape[-1] == count:
            before, _, last = name.rpartition(".")
            rows = vectors.get(f"{before}.weight" if before else "weight")
            linear = last == "bias" and rows is not None and rows.shape[:1] == (count,)
            return SelectionBias(vector.detach().flatten(), linear)
    return None
