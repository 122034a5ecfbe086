"""Runs of block networks on one sample: each (network, sample, intervention) once, cached by bytes."""

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
from routescope_app.services.blocks.inputs import BlockSample, block_sample, task_of
from routescope_app.services.blocks.tasks import MAX_ITERATIONS, BlockTasks
from routescope_app.services.engine.inference import Inference
from routescope_app.services.engine.single_flight import SingleFlight
from routescope_app.services.errors import NotAccepted
from routescope_app.services.interventions import accepted
from routescope_app.services.packed import packed
from routescope_app.services.reading import check_reads_blocks
from routescope_app.services.samples.samples import SampleStore
from routescope_app.settings import Settings


def answers_of(sample: BlockSample, outputs: np.ndarray, scale: float) -> list[dict[str, Any]]:
    """Return the answer after every iteration, as ``BlockAnswer``.

    Args:
        outputs: output blocks (iteration, output, number).
        scale: factor from numbers to logits.
    """
    task = sample.task
    logits = scale * outputs[..., : task.classes].astype(np.float64)
    digits = logits.argmax(-1)
    probabilities = np.exp(logits - logits.max(-1, keepdims=True))
    probabilities /= probabilities.sum(-1, keepdims=True)
    rules = _by_rule(task, sample, digits) if isinstance(task, DigitTask) else _by_label(sample, len(digits))
    return [
        {
            "iteration": step + 1,
            "subtask": task.subtasks[sample.subtask(step)],
            "digits": answer,
            "true": true,
            "right": [None if right is None else digit == right for digit, right in zip(answer, true, strict=True)],
            "follows": None if expected is None else answer == expected,
            "explanation": sentence if answer == expected else None,
            "probabilities": packed(probabilities[step]),
        }
        for step, (answer, (true, expected, sentence)) in enumerate(zip(digits.tolist(), rules, strict=True))
    ]


def first_wrong(sample: BlockSample, answers: Sequence[dict[str, Any]]) -> dict[str, Any] | None:
    """Return the first iteration and output that is known to be wrong."""
    for answer in answers:
        for name, right in zip(sample.task.outputs, answer["right"], strict=True):
            if right is False:
                return {"iteration": answer["iteration"], "output": name}
    return None


#: Correct digits, digits that the rule gives for the model's previous ones, and that rule in words.
RuleAnswer = tuple[list[int | None], list[int] | None, str | None]


def _by_rule(task: DigitTask, sample: BlockSample, digits: np.ndarray) -> list[RuleAnswer]:
    """Return the rule's answer for every iteration; ``digits`` (iteration, output) are the model's."""
    assert sample.digits is not None
    program = [sample.subtask(step) for step in range(len(digits))]
    before = [list(sample.digits), *digits[:-1].tolist()]
    expected = task.answer(torch.tensor(before), torch.tensor(program)[:, None]).tolist()
    answers: list[RuleAnswer] = []
    true = list(sample.digits)
    for step, subtask in enumerate(program):
        same = before[step] == true
        true = expected[step] if same else task.answer(torch.tensor([true]), torch.tensor([[subtask]]))[0].tolist()
        sentence = task.explain(tuple(before[step]), subtask, expected[step][_output_of(task, subtask)])
        answers.append((list(map(int, true)), expected[step], sentence))
    return answers


def _output_of(task: DigitTask, subtask: int) -> int:
    """Return the number of the output that a subtask sets."""
    return task.outputs.index(ROLES[subtask][-1]) if task is ALGO else 0


def _by_label(sample: BlockSample, iterations: int) -> list[RuleAnswer]:
    """Return the label of a picture, which has no rule in words, for every iteration."""
    expected = None if sample.label is None else [sample.label]
    return [([sample.label], expected, None)] * iterations


#: Name in the API and axes of each probe.
FIELDS = {
    "multiplexer_weights": ("weights", ("source", "block")),
    "gates": ("gates", ("block",)),
    "inputs": ("inputs", ("source", "feature")),
    "routed": ("routed", ("block", "feature")),
    "computed": ("computed", ("block", "feature")),
    "blocks": ("outputs", ("block", "feature")),
}
#: Cost of an iteration, in samples through all iterations of an image network.
COST = 0.1


@dataclass(frozen=True, eq=False)
class BlockRun:
    """Steps and answers of one network on one sample, as in the API."""

    steps: list[dict[str, Any]]
    answers: list[dict[str, Any]]
    seconds: float

    @property
    def nbytes(self) -> int:
        """Approximate size in memory."""
        texts = [array["data"] for step in self.steps for array in step.values() if isinstance(array, dict)]
        return sum(map(len, texts)) + 1_000 * (1 + len(self.steps) + len(self.answers))


class BlockRuns:
    """Runs block networks; concurrent requests for the same run share one computation."""

    def __init__(self, settings: Settings, inference: Inference, samples: SampleStore, tasks: BlockTasks) -> None:
        self._inference = inference
        self._samples = samples
        self._tasks = tasks
        self._memory = SingleFlight[tuple[str, ...], BlockRun](
            settings.memory_of("block-runs"), lambda run: run.nbytes, "block-runs"
        )

    async def run(self, model_id: str, request: Mapping[str, Any]) -> dict[str, Any]:
        """Return the fields of the schema ``BlockRun``.

        Args:
            request: fields of ``BlockRunRequest``.

        Raises:
            NotFound: no such model or sample.
            NotAccepted: a model that reads no blocks, or a sample, iterations or an intervention that it does not take.
            Busy, OutOfMemory: from the queue.
        """
        info = await asyncio.to_thread(self._inference.info, model_id)
        check_reads_blocks(info)
        task = task_of(info)
        iterations = self._iterations(info, request)
        model = await asyncio.to_thread(self._inference.model, info)
        change = replace(accepted(model, request["intervention"]), iterations=None)
        sample = await asyncio.to_thread(block_sample, self._samples, task, request["input"], MAX_ITERATIONS)
        plain = Intervention()
        others = await asyncio.to_thread(self._tasks.others, task.name, info.id)
        changes = [(info, change), *([] if change == plain else [(info, plain)])]
        wanted = [*changes, *((other, plain) for other in others)]
        cached = all(self._memory.kept.get(_key(other, sample, iterations, under)) for other, under in wanted)
        results = [await self._result(other, sample, iterations, under) for other, under in wanted]
        run, beside = results[0], results[len(changes) :]
        return {
            "model": info.id,
            "revision": info.revision,
            "task": task.name,
            "input": request["input"],
            "iterations": iterations,
            "intervention": replace(change, iterations=iterations).to_dict(),
            "levels": [list(level) for level in _levels(model)],
            "kept": [unit for unit in info.units if unit not in change.drop],
            "steps": run.steps,
            "answers": run.answers,
            "first_wrong": first_wrong(sample, run.answers),
            "baseline": results[1].answers if len(changes) > 1 else None,
            "others": [
                {"model": other.id, "family": other.family, "architecture": other.architecture, "answers": ran.answers}
                for other, ran in zip(others, beside, strict=True)
            ],
            "picture": None if sample.picture is None else packed(sample.picture),
            "label": sample.label,
            "seconds": sum(result.seconds for result in results),
            "cached": cached,
        }

    def _iterations(self, info: ModelInfo, request: Mapping[str, Any]) -> int:
        numbers = {request["iterations"], request["intervention"].get("iterations")} - {None}
        if len(numbers) > 1:
            raise NotAccepted("The run and its intervention ask for different numbers of iterations; name one of them.")
        iterations = int(numbers.pop()) if numbers else info.iterations
        most = MAX_ITERATIONS if info.most_iterations is None else info.most_iterations
        if not 1 <= iterations <= most:
            raise NotAccepted(f"Runs of this model have {'1 iteration' if most == 1 else f'1 to {most} iterations'}.")
        return iterations

    async def _result(self, info: ModelInfo, sample: BlockSample, iterations: int, change: Intervention) -> BlockRun:
        async def compute() -> BlockRun:
            model = await asyncio.to_thread(self._inference.model, info)
            work = partial(_run, model, info, sample, iterations, change)
            return await self._inference.run(work, COST * iterations)

        return await self._memory.find(_key(info, sample, iterations, change), compute)


def _key(info: ModelInfo, sample: BlockSample, iterations: int, change: Intervention) -> tuple[str, ...]:
    return info.revision, sample.key, str(iterations), change.to_json()


def _levels(model: Network) -> tuple[tuple[str, ...], ...]:
    """Return the blocks of every level; none without block routing."""
    return model.levels if isinstance(model, ReroutableNetwork) else ()


def _run(model: Network, info: ModelInfo, sample: BlockSample, iterations: int, change: Intervention) -> BlockRun:
    started = time.perf_counter()
    levels = _levels(model)
    names = [name for name in FIELDS if name in info.fields] if levels else ["blocks"]
    blocks = sample.blocks.to(model.device)
    dataset = record(model, blocks, only=names, intervention=replace(change, iterations=iterations)).dataset
    arrays = {name: dataset[name].transpose("sample", "step", *FIELDS[name][1]).values[0] for name in names}
    stride = max(1, len(levels) - 1)
    outputs: np.ndarray = arrays["blocks"][stride - 1 :: stride, : len(sample.task.outputs)]
    answers = answers_of(sample, outputs, float(info.config["logit_scale"]))
    steps = _steps(arrays, [str(name) for name in dataset["step"].values], levels) if levels else []
    return BlockRun(steps, answers, time.perf_counter() - started)


def _steps(
    arrays: Mapping[str, np.ndarray], names: Sequence[str], levels: Sequence[Sequence[str]]
) -> list[dict[str, Any]]:
    """Return the steps as ``BlockStep``, without the padding to wider levels."""
    steps, mfnnrs = [], len(levels) - 1
    for number, name in enumerate(names):
        sources, blocks = levels[number % mfnnrs], levels[number % mfnnrs + 1]
        sizes = {"source": len(sources), "block": len(blocks), "feature": None}
        step: dict[str, Any] = {
            "name": name,
            "iteration": number // mfnnrs + 1,
            "mfnnr": number % mfnnrs + 1,
            "sources": list(sources),
            "blocks": list(blocks),
        }
        for field, (renamed, dims) in FIELDS.items():
            step[renamed] = packed(arrays[field][number][tuple(slice(sizes[dim]) for dim in dims)])
        steps.append(step)
    return steps
