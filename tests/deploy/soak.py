"""A service under load for some minutes: ``make soak``, which is no part of ``make test``.

One PostgreSQL, two replicas of the API, two workers, one data folder. Clients upload distinct pictures, record traces,
evaluate interventions, list their samples, and start jobs; every minute a worker is killed (``kill -9``) and started
again. At the end every acknowledged upload must be there and every acknowledged job done. Prints a table of figures.
"""

import argparse
import asyncio
import io
import itertools
import random
import subprocess
import sys
import time
from collections import Counter, defaultdict
from collections.abc import Awaitable, Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import httpx
import numpy as np
from PIL import Image

from tests.deploy.stack import SECRETS, Stack, compose, running, start

TOKEN = SECRETS["routescope_token"]
SERVICES = {name: service for name, service in compose()["services"].items() if name in {"postgres", "api", "worker"}}
for name in ("api", "worker"):
    SERVICES[name]["environment"] |= {"ROUTESCOPE_MAX_QUEUED_JOBS": "1000", "ROUTESCOPE_JOB_LEASE_SECONDS": "10"}
MODEL, SETS = "ni-digits", ["mnist"]
PATIENCE = 120.0
#: Answers that a client may get under load: it was served, or told when to come again.
SERVED, LATER = range(200, 300), 503


@dataclass
class Figures:
    """What clients saw.

    Attributes:
        seconds: of each kind of request, of those that were served.
        statuses: of each kind, how many answers had which status; 0: no answer came.
        wrong: what should not have happened, in words.
    """

    seconds: dict[str, list[float]] = field(default_factory=lambda: defaultdict(list))
    statuses: dict[str, Counter[int]] = field(default_factory=lambda: defaultdict(Counter))
    samples: list[str] = field(default_factory=list)
    jobs: list[str] = field(default_factory=list)
    ended: Counter[str] = field(default_factory=Counter)
    killed: int = 0
    resident: dict[str, list[float]] = field(default_factory=lambda: defaultdict(list))
    wrong: list[str] = field(default_factory=list)

    def rows(self) -> Iterator[tuple[str, ...]]:
        """A table: kind, served, refused for now, else, then median, p95 and longest in seconds."""
        yield "request", "served", "503", "else", "median s", "p95 s", "longest s"
        for kind, statuses in self.statuses.items():
            served = sum(count for status, count in statuses.items() if status in SERVED)
            rest = sum(statuses.values()) - served - statuses[LATER]
            took = self.seconds[kind] or [float("nan")]
            shown = (f"{value:.2f}" for value in (*np.quantile(took, (0.5, 0.95)), max(took)))
            yield kind, str(served), str(statuses[LATER]), str(rest), *shown


def resident(process: subprocess.Popen[bytes]) -> float:
    """Return the MB of memory that a process holds."""
    status = Path(f"/proc/{process.pid}/status").read_text()
    return int(status.partition("VmRSS:")[2].split()[0]) / 1024


def picture(number: int) -> bytes:
    """Return a picture of 28 x 28 pixels of noise, distinct by number."""
    pixels = np.random.default_rng(number).integers(0, 256, (28, 28), dtype=np.uint8)
    file = io.BytesIO()
    Image.fromarray(pixels).save(file, "PNG")
    return file.getvalue()


class Clients:
    """Clients that use the service until time is up, each connected to one of the replicas."""

    def __init__(self, urls: list[str], until: float, most_samples: int) -> None:
        self.urls, self.until, self.most_samples = urls, until, most_samples
        self.figures = Figures()
        self._numbers = itertools.count()

    async def asked(self, client: httpx.AsyncClient, kind: str, method: str, path: str, **options: Any) -> Any:
        """Return the answer's JSON, or None for a refusal or an error, which the figures count."""
        started = time.monotonic()
        try:
            answer = await client.request(method, "/api/v1" + path, **options)
        except httpx.HTTPError as error:
            self.figures.statuses[kind][0] += 1
            self.figures.wrong.append(f"{kind}: {type(error).__name__}")
            return None
        self.figures.statuses[kind][answer.status_code] += 1
        if answer.status_code in SERVED:
            self.figures.seconds[kind].append(time.monotonic() - started)
            return answer.json()
        if answer.status_code != LATER:
            self.figures.wrong.append(f"{kind}: {answer.status_code} {answer.text[:200]}")
        elif "retry-after" not in answer.headers:
            self.figures.wrong.append(f"{kind}: 503 without Retry-After")
        else:
            await asyncio.sleep(min(float(answer.headers["retry-after"]), 5))
        return None

    async def upload(self, client: httpx.AsyncClient, dice: random.Random) -> None:
        number = next(self._numbers)
        if number >= self.most_samples:
            await self.look(client, dice)
            return
        files = {"file": (f"{number}.png", picture(number))}
        made = await self.asked(client, "upload", "POST", "/samples", files=files, data={"origin": "upload"})
        if made is not None:
            self.figures.samples.append(made["id"])

    async def trace(self, client: httpx.AsyncClient, dice: random.Random) -> None:
        if self.figures.samples:
            body = {"model": MODEL, "sample": dice.choice(self.figures.samples[-200:])}
            await self.asked(client, "trace", "POST", "/traces", json=body)

    async def evaluate(self, client: httpx.AsyncClient, dice: random.Random) -> None:
        units = dice.sample(["f1", "f2", "f3", "f4", "f5"], dice.randint(1, 3))
        body = {"model": MODEL, "data": SETS, "samples": 100, "controls": 0, "intervention": {"drop": units}}
        await self.asked(client, "evaluation of 100", "POST", "/evaluations", json=body)

    async def look(self, client: httpx.AsyncClient, dice: random.Random) -> None:
        await self.asked(client, "list", "GET", "/samples", params={"source": "own", "limit": 50})
        await self.asked(client, "health", "GET", "/health")

    async def order(self, client: httpx.AsyncClient, dice: random.Random) -> None:
        """Start a distinct job and follow it to its end."""
        body = {"model": MODEL, "data": SETS, "samples": 20, "method": "pca", "seed": dice.randrange(10**6)}
        job = await self.asked(client, "order a job", "POST", "/embeddings", json=body)
        if job is None or "state" not in job:
            return
        self.figures.jobs.append(job["id"])
        ordered = time.monotonic()
        while job is not None and job["state"] in ("queued", "running") and time.monotonic() < self.until + PATIENCE:
            await asyncio.sleep(0.5)
            job = await self.asked(client, "look at a job", "GET", f"/jobs/{job['id']}") or job
        self.figures.seconds["a job, order to end"].append(time.monotonic() - ordered)
        self.figures.statuses["a job, order to end"][200] += 1

    async def person(self, number: int) -> None:
        random_numbers = random.Random(number)
        kinds: list[Callable[[httpx.AsyncClient, random.Random], Awaitable[None]]]
        kinds = [self.upload] * 6 + [self.trace] * 3 + [self.evaluate, self.look, self.look]
        if number % 5 == 0:
            kinds += [self.order] * 2
        headers = {"Authorization": f"Bearer {TOKEN}"}
        url = self.urls[number % len(self.urls)]
        async with httpx.AsyncClient(base_url=url, headers=headers, timeout=PATIENCE) as client:
            while time.monotonic() < self.until:
                await random_numbers.choice(kinds)(client, random_numbers)

    async def settle(self) -> None:
        """Check that all acknowledged jobs are done and all acknowledged samples are there."""
        headers = {"Authorization": f"Bearer {TOKEN}"}
        async with httpx.AsyncClient(base_url=self.urls[0], headers=headers, timeout=PATIENCE) as client:
            deadline = time.monotonic() + PATIENCE
            for job_id in dict.fromkeys(self.figures.jobs):
                job = (await client.get(f"/api/v1/jobs/{job_id}")).json()
                while job["state"] in ("queued", "running") and time.monotonic() < deadline:
                    await asyncio.sleep(0.5)
                    job = (await client.get(f"/api/v1/jobs/{job_id}")).json()
                self.figures.ended[job["state"]] += 1
                if job["state"] != "done":
                    self.figures.wrong.append(f"job {job_id}: {job['state']}, {job.get('problem')}")
            for sample in self.figures.samples:
                if (await client.get(f"/api/v1/samples/{sample}")).status_code != 200:
                    self.figures.wrong.append(f"sample {sample} was acknowledged and is lost")


async def soak(stack: Stack, *, clients: int, seconds: float, kill_every: float, samples: int) -> Figures:
    """Let clients use the services, kill a worker again and again, and check the rest."""
    urls = [stack.url(name) for name in stack.processes if name.startswith("api")]
    crowd = Clients(urls, time.monotonic() + seconds, samples)

    async def kill() -> None:
        for worker in itertools.cycle(("worker", "worker 2")):
            await asyncio.sleep(kill_every)
            if time.monotonic() > crowd.until:
                return
            stack.processes[worker].kill()
            stack.processes[worker].wait()
            crowd.figures.killed += 1
            start(worker, SERVICES, stack, stack.folder)

    async def watch() -> None:
        while time.monotonic() < crowd.until:
            for name, process in stack.processes.items():
                if process.poll() is None:
                    crowd.figures.resident[name].append(resident(process))
            await asyncio.sleep(5)

    killing = asyncio.create_task(kill())
    await asyncio.gather(watch(), *(crowd.person(number) for number in range(clients)))
    killing.cancel()
    await crowd.settle()
    return crowd.figures


def main() -> int:
    """Run it, print the figures, and end with 1 if anything was wrong."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--minutes", type=float, default=10)
    parser.add_argument("--clients", type=int, default=50)
    parser.add_argument("--kill-every", type=float, default=60, help="seconds between two kills of a worker")
    parser.add_argument("--samples", type=int, default=10_000, help="pictures that are uploaded at most")
    chosen = parser.parse_args()
    with running(SERVICES, {"api": 2, "worker": 2}) as stack:
        loads = {"seconds": 60 * chosen.minutes, "kill_every": chosen.kill_every}
        figures = asyncio.run(soak(stack, clients=chosen.clients, samples=chosen.samples, **loads))
    rows = list(figures.rows())
    widths = [max(len(row[at]) for row in rows) for at in range(len(rows[0]))]
    for row in rows:
        print("  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip())
    print(
        f"{len(figures.samples)} distinct pictures acknowledged, {figures.killed} workers killed, jobs: "
        f"{dict(figures.ended)}"
    )
    for name, held in figures.resident.items():
        print(f"{name}: {held[0]:.0f} MB at first, {held[-1]:.0f} at last, {max(held):.0f} at most")
    for words in figures.wrong[:20]:
        print("wrong:", words)
    print(f"{len(figures.wrong)} things were wrong")
    return 1 if figures.wrong else 0


if __name__ == "__main__":
    sys.exit(main())
