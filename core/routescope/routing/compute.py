"""Cost of a computation: floating-point operations, counted while the network runs."""

import threading
from collections.abc import Callable
from dataclasses import replace
from typing import Any
from weakref import WeakKeyDictionary

import torch
from cachetools import LRUCache
from torch import Tensor, nn
from torch.utils._python_dispatch import TorchDispatchMode
from torch.utils.flop_counter import flop_registry

from routescope.nn.inputs.kind import Inputs
from routescope.nn.inputs.statements import Statements
from routescope.nn.network import Network
from routescope.routing.intervention import Intervention

#: Operations of each network, by the sizes that decide them.
_counted: WeakKeyDictionary[nn.Module, LRUCache[tuple[Any, ...], int]] = WeakKeyDictionary()
_counted_lock = threading.Lock()
#: Counts that are kept of each network; the least recently used goes first.
MOST_COUNTED = 4_096
#: Runs after which no two in a row having cost the same is an error.
MOST_RUNS = 10


def _grouped(a: Tensor, b: Tensor, *_: Any, out_val: Tensor, **__: Any) -> int:
    """Return the operations of rows (S, C) that are each multiplied with one of (E, C, D) matrices."""
    return 2 * a.shape[-2] * a.shape[-1] * out_val.shape[-1]


#: Products that PyTorch 2.13 has no formula of.
FORMULAS: dict[Any, Callable[..., int]] = {torch.ops.aten._grouped_mm: _grouped}


class _Counter(TorchDispatchMode):
    """Adds up PyTorch's own formulas, and those of ``FORMULAS``.

    Unlike ``FlopCounterMode`` it puts no hook on every module, so that other threads compute undisturbed.
    """

    def __init__(self) -> None:
        super().__init__()  # type: ignore[no-untyped-call]
        self.flops = 0

    @classmethod
    def _should_skip_dynamo(cls) -> bool:
        """False: nothing is compiled here, and PyTorch would import its compiler, 70 MB, to keep it from this."""
        return False

    def __torch_dispatch__(self, func: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
        kwargs = kwargs or {}
        output = func(*args, **kwargs)
        formula = flop_registry.get(func._overloadpacket, FORMULAS.get(func._overloadpacket))
        if formula is not None:
            self.flops += int(formula(*args, **kwargs, out_val=output))
        return output


def flops_per_sample(model: Network, intervention: Intervention | None = None) -> int:
    """Return the floating-point operations that one more sample costs.

    Matrix products, convolutions and attention count, a multiplication and an addition as two. Elementwise operations,
    normalisations and softmax do not count, nor do values of parameters alone, which are computed once. The units that
    compute at a step cost alike, whichever they are: sets of the same sizes are counted once. Of statements, the
    circuit that a sentence designs is counted, as the next one may have another sentence. Dropped units cost nothing;
    the cost of muted ones depends on the network. Mean and resample save nothing; the runs that find their replacements
    are not counted. Cutting links, muting routes and fixing gates save nothing either: their weights are 0.

    Raises:
        InterventionError: the intervention names units that the model lacks.
        RuntimeError: the network never costs the same twice.
    """
    intervention = intervention or Intervention()
    intervention.validate(model)
    view = replace(intervention.structural, keep_edges=None, mute_routes=(), copy_routes=(), gates=()).apply(model)
    iterations = intervention.iterations_on(view)
    steps = len(view.step_names(iterations))
    computing = tuple(len(view.computing(step, steps)) for step in range(steps))
    key = (iterations, computing, len(view.units), len(view.muted), intervention.top_k)
    with _counted_lock:
        counts = _counted.setdefault(model, LRUCache(MOST_COUNTED))
        if (flops := counts.get(key)) is not None:
            return flops
    flops = _count(view, intervention.iterations)
    with _counted_lock:
        counts[key] = flops
    return flops


def _count(view: Network, iterations: int | None) -> int:
    def count(batch: int) -> int:
        inputs = _example(view, batch)
        with torch.no_grad(), _Counter() as counter:
            view(inputs, iterations=iterations)
        return counter.flops

    return _settled(count, 2) - _settled(count, 1)


def _example(model: Network, batch: int) -> Inputs:
    """Return inputs of the shape that the network says. Every statement has a sentence of its own."""
    example = model.example(batch)
    if isinstance(example, Statements):  # with spaces at its end a sentence is another one, of the same words
        sentences = (sentence + " " * spaces for spaces, sentence in enumerate(example.sentences))
        return Statements(example.images, tuple(sentences))
    return example


def _settled(count: Callable[[int], int], batch: int) -> int:
    """Return the count that two runs in a row agree on.

    Some runs prepare weights: the first, and any after another thread has made the network forget them.
    """
    before = count(batch)
    for _ in range(MOST_RUNS):
        now = count(batch)
        if now == before:
            return now
        before = now
    raise RuntimeError(
        f"{MOST_RUNS} runs of the network in a row did not cost the same: its operations are not counted"
    )
