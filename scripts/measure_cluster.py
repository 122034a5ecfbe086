"""Measures what it costs to compute on a Ray cluster: an evaluation here and on one actor in turn, and its parts.

Run it where the service would run: ``python -m scripts.measure_cluster``; ``--address`` names a cluster that is there,
else one of this machine is started. Both ways take turns, and each is measured by the wall clock, in which is what else
the machine does, and by the processor's seconds of this process and of all that it started, Ray's own included, which
are little changed by others. docs/scaling.md has its results.
"""

import argparse
import asyncio
import json
import os
import statistics
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

import safetensors.torch
import torch

from routescope import zoo
from routescope.data import load
from routescope.data.content import content_hash
from routescope.routing import Intervention
from routescope.routing.compute import flops_per_sample
from routescope.training.cluster import LOCAL
from routescope_app.services.cluster.remote import Remote
from routescope_app.services.cluster.tasks import SampleSet, ScoreTask
from routescope_app.services.container import Services
from routescope_app.services.engine.threads import Priority
from routescope_app.settings import Settings

#: Empty tasks that are timed.
CALLS = 300
MEBIBYTE = 2**20
#: Of the matrices that are multiplied.
SIDE = 1024


def services(folder: Path, threads: int, **changes: Any) -> Services:
    """The service over an empty folder."""
    return Services.build(
        Settings(data_dir=folder, role="api", warm_up=False, torch_threads=threads, ray_actors=1, **changes)
    )


def processor_seconds() -> float:
    """Of this process and all that it started, ended ones included; from /proc."""
    parents, spent = {}, {}
    for entry in Path("/proc").glob("[0-9]*/stat"):
        try:
            fields = entry.read_text().rpartition(")")[2].split()
        except OSError:  # it ended meanwhile
            continue
        number = int(entry.parent.name)
        parents[number], spent[number] = int(fields[1]), sum(map(int, fields[11:15]))
    own, new = {os.getpid()}, {os.getpid()}
    while new:
        new = {number for number, parent in parents.items() if parent in new}
        own |= new
    return sum(spent[number] for number in own) / os.sysconf("SC_CLK_TCK")


async def evaluated(
    made: Services, model: str, samples: int, intervention: dict[str, Any]
) -> tuple[float, tuple[float, float, float]]:
    """(figure, (seconds, the processor's seconds, those of this process alone)) of an evaluation.

    The model as it is was scored before.
    """
    asked = {"model": model, "data": [], "samples": samples, "intervention": intervention, "controls": 0}
    spent, own, started = processor_seconds(), time.process_time(), time.perf_counter()
    found = await made.evaluations.evaluate({**asked, "against": None})
    seconds = time.perf_counter() - started, processor_seconds() - spent, time.process_time() - own
    return found["accuracy"]["value"], seconds


def spread(values: list[float], digits: int = 3) -> dict[str, float]:
    """Median, least and most."""
    return {
        name: round(each, digits)
        for name, each in (("median", statistics.median(values)), ("least", min(values)), ("most", max(values)))
    }


async def turns(here: Services, there: Services, model: str, samples: int, rounds: int) -> dict[str, Any]:
    """Evaluations of as many interventions, each here and there, whoever is first in turn."""
    units = zoo.info(model).units
    await evaluated(here, model, samples, {})
    await evaluated(there, model, samples, {})
    assert isinstance(there.computing, Remote)
    before = there.computing.pool.answered
    taken: dict[str, list[float]] = {"here": [], "there": []}
    spent: dict[str, list[float]] = {"here": [], "there": []}
    own: list[float] = []
    for number in range(rounds):
        change = {"mute": [units[number % len(units)]], "iterations": zoo.info(model).iterations - number // len(units)}
        figures = set()
        order = [("here", here), ("there", there)]
        for name, made in order if number % 2 else reversed(order):
            figure, (seconds, processor, service) = await evaluated(made, model, samples, change)
            figures.add(figure)
            taken[name].append(seconds)
            spent[name].append(processor)
            if made is there:
                own.append(service)
        assert len(figures) == 1, "both give the same"
    tasks = round((there.computing.pool.answered - before) / rounds)
    ratios, shares = (
        [there / here for here, there in zip(each["here"], each["there"], strict=True)] for each in (taken, spent)
    )
    return {
        "processor_seconds_here": spread(spent["here"]),
        "processor_seconds_with_one_actor": spread(spent["there"]),
        "processor_seconds_of_the_service_with_one_actor": spread(own),
        "processor_ratio": spread(shares),
        "tasks_of_an_evaluation": tasks,
        "seconds_here": spread(taken["here"]),
        "seconds_on_one_actor": spread(taken["there"]),
        "ratio": spread(ratios),
        "samples_per_second_here": round(samples / statistics.median(taken["here"]), 1),
        "samples_per_second_of_the_actor": round(samples / statistics.median(taken["there"]), 1),
    }


def gigaflops() -> float:
    """Billions of operations that a thread does in a second of the processor, where it multiplies large matrices."""
    threads = torch.get_num_threads()
    torch.set_num_threads(1)
    a = torch.randn(SIDE, SIDE)
    rates = []
    for _ in range(7):
        started = time.process_time()
        a @ a
        rates.append(2 * SIDE**3 / (time.process_time() - started) / 1e9)
    torch.set_num_threads(threads)
    return round(statistics.median(rates), 1)


def seconds_to_read(nbytes: int) -> float:
    """Of weights of so many bytes from a file that the system has in memory."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "weights.safetensors"
        safetensors.torch.save_file({"weight": torch.zeros(nbytes // 4)}, path)
        started = time.perf_counter()
        safetensors.torch.load_file(path)["weight"].sum()
        return round(time.perf_counter() - started, 3)


def unit_costs(there: Services, model: str) -> dict[str, Any]:
    """Of one task, one answer, one call, and of having a model and a data set."""
    assert isinstance(there.computing, Remote)
    pool, network, shown = there.computing.pool, zoo.load(model), load("mnist")
    task = ScoreTask(
        model=model,
        revision=network.revision,
        intervention=Intervention(mute=(network.units[0],)).to_json(),
        samples=(SampleSet.of(shown, content_hash(shown)),),
        batches=(tuple(range(0, 2 * 107, 2)),),
        batch_size=107,
        threads=torch.get_num_threads(),
    ).to_json()
    calls = []
    for _ in range(CALLS):
        started = time.perf_counter()
        pool.about()
        calls.append(1_000 * (time.perf_counter() - started))
    answer = pool.submit("score", task, Priority.JOB).result()
    (scores,) = answer["batches"][0]
    loads = []
    for _ in range(5):
        zoo.forget_unused(0)
        started = time.perf_counter()
        zoo.load(model)
        loads.append(time.perf_counter() - started)
    started = time.perf_counter()
    load("mnist")
    of_data = time.perf_counter() - started
    return {
        "milliseconds_of_an_empty_call": spread(calls, 2),
        "bytes_of_a_task_of_107_samples": len(task),
        "bytes_of_its_answer": sum(each.nbytes for each in scores.values() if hasattr(each, "nbytes")),
        "seconds_to_load_the_model": spread(loads, 4),
        "mebibytes_of_its_weights": round(sum(each.nbytes for each in network.state_dict().values()) / MEBIBYTE, 2),
        "seconds_to_read_a_gibibyte_of_weights": seconds_to_read(1024 * MEBIBYTE),
        "gigaflops_of_a_thread": gigaflops(),
        "operations_of_a_sample": flops_per_sample(network, Intervention()),
        "seconds_to_load_a_data_set": round(of_data, 3),
    }


async def measured(address: str, model: str, samples: int, rounds: int, threads: int) -> dict[str, Any]:
    """All figures."""
    with tempfile.TemporaryDirectory() as first, tempfile.TemporaryDirectory() as second:
        here = services(Path(first), threads)
        there = services(Path(second), threads, ray_address=address)
        await here.start()
        started = time.perf_counter()
        await there.start()
        begun = time.perf_counter() - started
        try:
            found = {
                "address": address,
                "model": model,
                "samples": samples,
                "rounds": rounds,
                "threads": threads,
                "processors": os.cpu_count(),
                "load_before": round(os.getloadavg()[0], 1),
                "seconds_to_join_and_start_an_actor": round(begun, 1),
                **await turns(here, there, model, samples, rounds),
                **await asyncio.to_thread(unit_costs, there, model),
            }
            return found | {"load_after": round(os.getloadavg()[0], 1)}
        finally:
            await there.stop()
            await here.stop()


def main() -> None:
    reader = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    reader.add_argument("--address", default=LOCAL)
    reader.add_argument("--model", default="ni-digits")
    reader.add_argument("--samples", type=int, default=3_000)
    reader.add_argument("--rounds", type=int, default=7)
    reader.add_argument("--threads", type=int, default=1)
    asked = reader.parse_args()
    found = asyncio.run(measured(asked.address, asked.model, asked.samples, asked.rounds, asked.threads))
    sys.stdout.write(json.dumps(found, indent=2) + "\n")


if __name__ == "__main__":
    main()
