"""Measurements side by side: every benchmark of a run is a row of a table of ratios, printed at its end.

The best of the rounds is compared, because what else a machine does can only make a round longer. Things measured side
by side take turns, and their processor time is told too: the wall clock also shows who else is on the machine.
"""

import time
from collections.abc import Callable, Generator, Mapping
from dataclasses import dataclass, field
from statistics import median
from typing import Any, TypeVar

import pytest
import torch
from pytest_benchmark.fixture import BenchmarkFixture
from torch import Tensor
from torch.profiler import ProfilerActivity, profile

Result = TypeVar("Result")


@dataclass
class Row:
    """One measured thing: seconds (best and median) or bytes, and how many samples it was about."""

    table: str
    case: str
    variant: str
    samples: int
    best: float
    median: float
    unit: str
    notes: dict[str, Any] = field(default_factory=dict)


ROWS: list[Row] = []


@dataclass
class Measure:
    """Times a function (or, switched off, runs it once) and remembers the row."""

    benchmark: BenchmarkFixture

    @property
    def enabled(self) -> bool:
        """Whether times are taken; otherwise everything runs once, small, and only its answers are checked."""
        return not self.benchmark.disabled

    def seconds(
        self,
        table: str,
        case: str,
        variant: str,
        call: Callable[[], Result],
        *,
        samples: int,
        rounds: int = 5,
        **notes: Any,
    ) -> Result:
        self.benchmark.group = f"{table}: {case}"
        result = self.benchmark.pedantic(call, rounds=rounds, iterations=1, warmup_rounds=1 if self.enabled else 0)
        if self.enabled:
            stats = self.benchmark.stats.stats
            ROWS.append(Row(table, case, variant, samples, stats.min, stats.median, "s", notes))
            self.benchmark.extra_info.update(notes, samples_per_second=samples / stats.min)
        return result

    def side_by_side(
        self,
        table: str,
        case: str,
        calls: Mapping[str, Callable[[], Result]],
        *,
        samples: int,
        rounds: int = 3,
        notes: Mapping[str, Mapping[str, Any]] | None = None,
    ) -> dict[str, Result]:
        self.benchmark.group = f"{table}: {case}"
        results = {variant: call() for variant, call in calls.items()}
        if not self.enabled:
            self.benchmark.pedantic(lambda: None, rounds=1, iterations=1)
            return results
        took: dict[str, list[tuple[float, float]]] = {variant: [] for variant in calls}

        def one_round() -> None:
            for variant, call in calls.items():
                wall, processor = time.perf_counter(), time.process_time()
                call()
                took[variant].append((time.perf_counter() - wall, time.process_time() - processor))

        self.benchmark.pedantic(one_round, rounds=rounds, iterations=1)
        first = min(processor for _, processor in next(iter(took.values())))
        first_median = median(wall for wall, _ in next(iter(took.values())))
        for variant, pairs in took.items():
            walls = sorted(wall for wall, _ in pairs)
            processor = min(processor for _, processor in pairs)
            reported = {
                "of medians": f"{first_median / median(walls):.2f} x",
                "processor": f"{processor * 1e3:.1f} ms ({first / processor:.2f} x)",
                **(notes or {}).get(variant, {}),
            }
            ROWS.append(Row(table, case, variant, samples, walls[0], walls[len(walls) // 2], "s", reported))
            self.benchmark.extra_info[variant] = samples / walls[0]
        return results

    def peak(self, table: str, case: str, variant: str, peak: "Peak", *, samples: int) -> Any:
        """Run a call once, remember the bytes that it held at most, and return what it returns."""
        self.benchmark.group = f"{table}: {case}"
        result = self.benchmark.pedantic(peak, rounds=1, iterations=1)
        if self.enabled:
            ROWS.append(Row(table, case, variant, samples, peak.bytes, peak.bytes, "B"))
            self.benchmark.extra_info["peak_bytes"] = peak.bytes
        return result


class Peak:
    """The most bytes of CPU tensors that a call held at once, beyond those held before."""

    def __init__(self, call: Callable[[], object]) -> None:
        self.call = call
        self.bytes = 0

    def __call__(self) -> object:
        with profile(activities=[ProfilerActivity.CPU], profile_memory=True) as profiler:
            result = self.call()
        assert profiler.profiler is not None
        events = [e for e in profiler.profiler.kineto_results.events() if e.name() == "[memory]"]
        held = 0
        for event in sorted(events, key=lambda e: e.start_ns()):
            held += event.nbytes()
            self.bytes = max(self.bytes, held)
        return result


def bfloat16(call: Callable[[], Tensor]) -> Callable[[], Tensor]:
    def reduced() -> Tensor:
        with torch.autocast("cpu", dtype=torch.bfloat16):
            return call()

    return reduced


def agree(outcome: Mapping[str, Tensor], wanted: Tensor) -> None:
    """Check that all variants give the same, as far as their precision goes."""
    for variant, values in outcome.items():
        error = ((values.float() - wanted).norm() / wanted.norm()).item()
        assert error < (0.1 if "bfloat16" in variant else 1e-3), variant


@pytest.fixture
def measure(benchmark: BenchmarkFixture) -> Generator[Measure]:
    threads = torch.get_num_threads()
    if benchmark.disabled:
        torch.set_num_threads(1)  # small tensors on a machine that others use
    yield Measure(benchmark)
    torch.set_num_threads(threads)


def amount(value: float, unit: str) -> str:
    return f"{value / 2**20:.1f} MiB" if unit == "B" else f"{value * 1e3:.1f} ms"


def pytest_terminal_summary(terminalreporter: Any) -> None:
    """The tables: each case's rows beside the first variant that was measured for it."""
    for table in dict.fromkeys(row.table for row in ROWS):
        rows = [row for row in ROWS if row.table == table]
        terminalreporter.section(table)
        header = ("case", "variant", "best", "median", "samples/s", "ratio", "")
        lines = [header]
        for row in rows:
            reference = next(other for other in rows if other.case == row.case)
            per_second = f"{row.samples / row.best:,.0f}" if row.unit == "s" else ""
            ratio = f"{reference.best / row.best:.2f} x" if row is not reference else "1"
            notes = ", ".join(f"{name} {value}" for name, value in row.notes.items())
            best, middle = amount(row.best, row.unit), amount(row.median, row.unit)
            lines.append((row.case, row.variant, best, middle, per_second, ratio, notes))
        widths = [max(len(line[i]) for line in lines) for i in range(len(header))]
        for line in lines:
            terminalreporter.write_line(
                "  ".join(cell.ljust(width) for cell, width in zip(line, widths, strict=True)).rstrip()
            )
