"""Runs of block networks on one sample, and their answers: each (network, sample, intervention) once, kept by bytes."""

import asyncio
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

import numpy as np
import torch

from routescope.data.blocks.rules import DigitTask
from routescope.data.blocks.tasks import ALGO, ROLES
from routescope.nn.network import Network, ReroutableNetwork
from routescope.routing import Intervention, record
from routescope.zoo.catalogue import ModelInfo
from routescope_app.services.blocks.inputs import Given, given, task_of
from routescope_app.services.blocks.tasks import MAX_ITERATIONS, BlockTasks
from routescope_app.services.engine.inference import Inference
from routescope_app.services.engine.single_flight import SingleFlight
from routescope_app.services.errors import NotAccepted
from routescope_app.services.interventions import accepted
from routescope_app.services.packed import packed
from routescope_app.services.reading import check_reads_blocks
from routescope_app.services.samples.samples import Samples
from routescope_app.settings import Settings


def answers_of(sample: Given, outputs: np.ndarray, scale: float) -> list[dict[str, Any]]:
    """Answers after every iteration, as the API says them.

    Args:
        outputs: output blocks (iteration, output, number).
        scale: what numbers are multiplied with to be logits.
    """
    task = sample.task
    logits = scale * outputs[..., : task.classes].astype(np.float64)
    digits = logits.argmax(-1)
    probabilities = np.exp(logits - logits.max(-1, keepdims=True))
    probabilities /= probabilities.sum(-1, keepdims=True)
    known = _by_rule(task, sample, digits) if isinstance(task, DigitTask) else _by_label(sample, len(digits))
    return [
        {
            "iteration": at + 1,
            "subtask": task.subtasks[sample.subtask(at)],
            "digits": own,
            "true": true,
            "right": [None if right is None else mine == right for mine, right in zip(own, true, strict=True)],
            "follows": None if expected is None else own == expected,
            "explanation": sentence if own == expected else None,
            "probabilities": packed(probabilities[at]),
        }
        for at, (own, (true, expected, sentence)) in enumerate(zip(digits.tolist(), known, strict=True))
    ]


def first_wrong(sample: Given, answers: Sequence[dict[str, Any]]) -> dict[str, Any] | None:
    """The first iteration, and the first output of it, that is known to be wrong."""
    for answer in answers:
        for name, right in zip(sample.task.outputs, answer["right"], strict=True):
            if right is False:
                return {"iteration": answer["iteration"], "output": name}
    return None


#: (true from the beginning on, what the rule gives for what the model had before, that in words).
Known = tuple[list[int | None], list[int] | None, str | None]


def _by_rule(task: DigitTask, sample: Given, digits: np.ndarray) -> list[Known]:
    """For every iteration; ``digits`` (iteration, output) are the model's own."""
    assert sample.digits is not None
    program = [sample.subtask(at) for at in range(len(digits))]
    before = [list(sample.digits), *digits[:-1].tolist()]
    expected = task.answer(torch.tensor(before), torch.tensor(program)[:, None]).tolist()
    found: list[Known] = []
    true = list(sample.digits)
    for at, subtask in enumerate(program):
        same = before[at] == true
        true = expected[at] if same else task.answer(torch.tensor([true]), torch.tensor([[subtask]]))[0].tolist()
        sentence = task.explain(tuple(before[at]), subtask, expected[at][_asked(task, subtask)])
        found.append(([int(each) for each in true], expected[at], sentence))
    return found


def _asked(task: DigitTask, subtask: int) -> int:
    """Which output a subtask is about."""
    return task.outputs.index(ROLES[subtask][-1]) if task is ALGO else 0


def _by_label(sample: Given, iterations: int) -> list[Known]:
    """Of pictures, whose rule nobody can write down."""
    expected = None if sample.label is None else [sample.label]
    return [([sample.label], expected, None)] * iterations


#: Probe -> what the API calls it, and its axes.
FIELDS = {
    "multiplexer_weights": ("weights", ("source", "block")),
    "gates": ("gates", ("block",)),
    "inputs": ("inputs", ("source", "feature")),
    "routed": ("routed", ("block", "feature")),
    "computed": ("computed", ("block", "feature")),
    "blocks": ("outputs", ("block", "feature")),
}
#: What an iteration costs, in samples through an image network of all its iterations.
COST = 0.1


@dataclass(frozen=True, eq=False)
class BlockRun:
    """One network on one sample: its steps and its answers as the API says them."""

    steps: list[dict[str, Any]]
    answers: list[dict[str, Any]]
    seconds: float

    @property
    def nbytes(self) -> int:
        """About what it takes in memory."""
        texts = [each["data"] for step in self.steps for each in step.values() if isinstance(each, dict)]
        return sum(map(len, texts)) + 1_000 * (1 + len(self.steps) + len(self.answers))


class BlockRuns:
    """Runs networks of blocks; the same run that several ask for at a time is computed once."""

    def __init__(self, settings: Settings, inference: Inference, samples: Samples, tasks: BlockTasks) -> None:
        self._inference = inference
        self._samples = samples
        self._tasks = tasks
        self._memory = SingleFlight[tuple[str, ...], BlockRun](
            settings.memory_of("block-runs"), lambda ran: ran.nbytes, "block-runs"
        )

    async def run(self, model_id: str, request: Mapping[str, Any]) -> dict[str, Any]:
        """What the API says of a run.

        Args:
            request: input, iterations and intervention, as the API takes them.

        Raises:
            NotFound: no such model or sample.
            NotAccepted: a model that reads no blocks, a sample that its task does not take, more iterations than are
                run, what the model cannot be changed by.
            Busy, OutOfMemory: from the queue.
        """
        info = await asyncio.to_thread(self._inference.info, model_id)
        check_reads_blocks(info)
        task = task_of(info)
        iterations = self._iterations(info, request)
        model = await asyncio.to_thread(self._inference.model, info)
        change = replace(accepted(model, request["intervention"]), iterations=None)
        sample = await asyncio.to_thread(given, self._samples, task, request["input"], MAX_ITERATIONS)
        plain = Intervention()
        asked = [(info, change), *([] if change == plain else [(info, plain)])]
        others = await asyncio.to_thread(self._tasks.others, task.name, info.id)
        every = [*asked, *((each, plain) for each in others)]
        known = [self._known(each, sample, iterations, under) for each, under in every]
        runs = [await self._ran(each, sample, iterations, under) for each, under in asked]
        beside = [await self._ran(each, sample, iterations, plain) for each in others]
        own = runs[0]
        levels = [list(level) for level in _levels(model)]
        return {
            "model": info.id,
            "revision": info.revision,
            "task": task.name,
            "input": request["input"],
            "iterations": iterations,
            "intervention": replace(change, iterations=iterations).to_dict(),
            "levels": levels,
            "kept": [unit for unit in info.units if unit not in change.drop],
            "steps": own.steps,
            "answers": own.answers,
            "first_wrong": first_wrong(sample, own.answers),
            "baseline": runs[1].answers if len(runs) > 1 else None,
            "others": [
                {"model": each.id, "family": each.family, "architecture": each.architecture, "answers": ran.answers}
                for each, ran in zip(others, beside, strict=True)
            ],
            "picture": None if sample.picture is None else packed(sample.picture),
            "label": sample.label,
            "seconds": sum(ran.seconds for ran in (*runs, *beside)),
            "cached": all(known),
        }

    def _iterations(self, info: ModelInfo, request: Mapping[str, Any]) -> int:
        named = {
            each for each in (request["iterations"], request["intervention"].get("iterations")) if each is not None
        }
        if len(named) > 1:
            raise NotAccepted("The run and its intervention ask for different numbers of iterations; name one of them.")
        iterations = int(named.pop()) if named else info.iterations
        most = MAX_ITERATIONS if info.most_iterations is None else info.most_iterations
        if not 1 <= iterations <= most:
            raise NotAccepted(f"Runs of this model have {'1 iteration' if most == 1 else f'1 to {most} iterations'}.")
        return iterations

    def _key(self, info: ModelInfo, sample: Given, iterations: int, change: Intervention) -> tuple[str, ...]:
        return info.revision, sample.key, str(iterations), change.to_json()

    def _known(self, info: ModelInfo, sample: Given, iterations: int, change: Intervention) -> bool:
        return self._memory.kept.get(self._key(info, sample, iterations, change)) is not None

    async def _ran(self, info: ModelInfo, sample: Given, iterations: int, change: Intervention) -> BlockRun:
        """Requests for the same run at the same time share one computation."""

        async def compute() -> BlockRun:
            model = await asyncio.to_thread(self._inference.model, info)
            work = partial(_run, model, info, sample, iterations, change)
            return await self._inference.run(work, COST * iterations)

        return await self._memory.find(self._key(info, sample, iterations, change), compute)


def _levels(model: Network) -> tuple[tuple[str, ...], ...]:
    """Blocks of every level; none of a network that routes no blocks."""
    return model.levels if isinstance(model, ReroutableNetwork) else ()


def _run(model: Network, info: ModelInfo, sample: Given, iterations: int, change: Intervention) -> BlockRun:
    started = time.perf_counter()
    levels = _levels(model)
    names = [name for name in FIELDS if name in info.fields] if levels else ["blocks"]
    blocks = sample.blocks.to(model.device)
    dataset = record(model, blocks, only=names, intervention=replace(change, iterations=iterations)).dataset
    arrays = {name: dataset[name].transpose("sample", "step", *FIELDS[name][1]).values[0] for name in names}
    each = max(1, len(levels) - 1)
    made = len(sample.task.outputs)
    outputs: np.ndarray = arrays["blocks"][each - 1 :: each, :made]
    answers = answers_of(sample, outputs, float(info.config["logit_scale"]))
    steps = _steps(arrays, [str(name) for name in dataset["step"].values], levels) if levels else []
    return BlockRun(steps, answers, time.perf_counter() - started)


def _steps(
    arrays: Mapping[str, np.ndarray], names: Sequence[str], levels: Sequence[Sequence[str]]
) -> list[dict[str, Any]]:
    """Without the places that only wider levels have."""
    steps, mfnnrs = [], len(levels) - 1
    for at, name in enumerate(names):
        sources, blocks = levels[at % mfnnrs], levels[at % mfnnrs + 1]
        sizes = {"source": len(sources), "block": len(blocks), "feature": None}
        step: dict[str, Any] = {
            "name": name,
            "iteration": at // mfnnrs + 1,
            "mfnnr": at % mfnnrs + 1,
            "sources": list(sources),
            "blocks": list(blocks),
        }
        for field, (called, dims) in FIELDS.items():
            step[called] = packed(arrays[field][at][tuple(slice(sizes[dim]) for dim in dims)])
        steps.append(step)
    return steps
