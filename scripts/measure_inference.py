"""How many samples a second the service answers, and in how much memory: ``python -m scripts.measure_inference``.

Traces of samples that many ask for at once, each alone and those that wait together in one forward pass, and
evaluations without a unit beside the model as it is; on the GPU where there is one, else on the processor. Medians, and
the least and the greatest, of several rounds, each of traces or sets of units that nothing has kept; what is loaded and
prepared once was so before the first. Memory is the process's own, and of the GPU what PyTorch had allocated at most.
"""

import argparse
import asyncio
import platform
import resource
import statistics
import sys
import tempfile
import time
from collections.abc import Awaitable, Callable
from pathlib import Path

import torch

from routescope_app.api.client import ApiClient
from routescope_app.api.schemas.evaluations import Evaluation
from routescope_app.main import create_app
from routescope_app.services.engine import inference
from routescope_app.settings import DISK_SHARES, MEBIBYTE, MEMORY_SHARES, Settings

#: Samples of the evaluations, and how many traces are asked for at once.
EVALUATED, AT_ONCE = 1_000, 64
QUIET = {"warm_up": False, "role": "api"}


async def traced(client: ApiClient, model: str, data: str, turn: int) -> int:
    """Samples of which a trace was recorded; of each turn others."""
    samples = (f"{data}.validation.{turn * AT_ONCE + place}" for place in range(AT_ONCE))
    await asyncio.gather(*(client.trace(model, sample) for sample in samples))
    return AT_ONCE


async def evaluated(client: ApiClient, model: str, data: str, turn: int) -> int:
    """Samples that an evaluation scored; in each turn another unit is left out."""
    units = (await client.model(model)).units
    body = {"model": model, "data": [data], "samples": EVALUATED, "controls": 0}
    found = await client.ask(
        Evaluation, "POST", "/evaluations", json=body | {"intervention": {"drop": [units[turn % len(units)]]}}
    )
    assert not found.cached
    return found.covered


async def rates(
    model: str,
    data: str,
    rounds: int,
    batch: int,
    device: str,
    ask: Callable[[ApiClient, str, str, int], Awaitable[int]],
) -> list[float]:
    """Samples a second of each round, after one that is not counted."""
    inference.MAX_COST = 1e9  # all requests are computed at once, and none is answered from a cache
    MEMORY_SHARES["traces"] = DISK_SHARES["traces"] = 0
    with tempfile.TemporaryDirectory() as folder:
        app = create_app(Settings(data_dir=Path(folder), device=device, trace_batch=batch, **QUIET))
        async with app.router.lifespan_context(app):
            found = []
            for turn in range(rounds + 1):
                started = time.perf_counter()
                count = await ask(app.state.client, model, data, turn)
                found.append(count / (time.perf_counter() - started))
            return found[1:]


def device_name(device: str) -> str:
    """What networks run on, in words."""
    if device == "auto" and torch.cuda.is_available():
        return torch.cuda.get_device_name()
    return f"{platform.processor() or platform.machine()}, {torch.get_num_threads()} threads"


def say(line: str) -> None:
    sys.stdout.write(line + "\n")


def main() -> None:
    """Measure, and print a table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--model", default="ni-digits")
    parser.add_argument("--data", default="mnist", help="a data set that the model reads")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--batch", type=int, default=16, help="traces of one forward pass")
    parser.add_argument("--device", default="auto", choices=("auto", "cpu", "cuda"))
    given = parser.parse_args()
    say(f"{given.model} on {device_name(given.device)}, torch {torch.__version__}")
    kinds = (
        ("traces, each alone", 1, traced),
        (f"traces, up to {given.batch} together", given.batch, traced),
        ("evaluation", 1, evaluated),
    )
    for words, batch, ask in kinds:
        found = asyncio.run(rates(given.model, given.data, given.rounds, batch, given.device, ask))
        middle, least, most = statistics.median(found), min(found), max(found)
        say(f"{words}: {middle:.1f} samples a second ({least:.1f} to {most:.1f})")
    say(f"memory of the process at most: {resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024:.0f} MiB")
    if torch.cuda.is_available() and given.device != "cpu":
        say(f"memory of the GPU at most: {torch.cuda.max_memory_allocated() / MEBIBYTE:.0f} MiB")


if __name__ == "__main__":
    main()
