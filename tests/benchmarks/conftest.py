"""Measurements side by side: every benchmark of a run is a row of a table of ratios, printed at its end.

The best of the rounds is compared, because what else a machine does can only make a round longer. Things measured side
by side take turns, and their processor time is told too: the wall clock also shows who else is on the machine.
"""

import time
from collections.abc import Callable, Generator, Mapping
from dataclasses import dataclass, field
from statistics import median
from typing import Any, TypeVar

import numpy as np
import pytest
import torch
from pytest_benchmark.fixture import BenchmarkFixture

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
        """Run `call` a few times, and return what it returns."""
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
        operations: float | None = None,
    ) -> dict[str, Result]:
        """Run all calls in turn, a few times, and return what each returns; ``operations`` are those of one call."""
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
                **({} if operations is None else {"TFLOP/s": f"{operations / median(walls) / 1e12:.3f}"}),
                **(notes or {}).get(variant, {}),
            }
            ROWS.append(Row(table, case, variant, samples, walls[0], walls[len(walls) // 2], "s", reported))
            self.benchmark.extra_info[variant] = samples / walls[0]
        return results

    def slopes(
        self,
        table: str,
        case: str,
        calls: Mapping[str, Mapping[int, Callable[[], Result]]],
        *,
        samples: int,
        rounds: int = 9,
    ) -> dict[str, dict[int, Result]]:
        """Run the calls of every variant at every size in turn, a few times, and return what each returns.

        The row of a variant is about its largest size. Told are the two slopes of its medians: of seconds against
        the size, by least squares, with what it costs at size 0, and of their logarithms.
        """
        self.benchmark.group = f"{table}: {case}"
        results = {variant: {n: call() for n, call in sizes.items()} for variant, sizes in calls.items()}
        if not self.enabled:
            self.benchmark.pedantic(lambda: None, rounds=1, iterations=1)
            return results
        took: dict[str, dict[int, list[float]]] = {v: {n: [] for n in sizes} for v, sizes in calls.items()}

        def one_round() -> None:
            for variant, sizes in calls.items():
                for n, call in sizes.items():
                    wall = time.perf_counter()
                    call()
                    took[variant][n].append(time.perf_counter() - wall)

        self.benchmark.pedantic(one_round, rounds=rounds, iterations=1)
        for variant, walls in took.items():
            medians = [median(wall) for wall in walls.values()]
            member, none = np.polyfit([*walls], medians, 1)
            exponent, _ = np.polyfit(np.log([*walls]), np.log(medians), 1)
            reported = {"one more": f"{member * 1e3:.2f} ms, at 0 {none * 1e3:.1f} ms", "exponent": f"{exponent:.2f}"}
            ROWS.append(Row(table, case, variant, samples, min(walls[max(walls)]), medians[-1], "s", reported))
        return results

    def peak(
        self, table: str, case: str, variant: str, call: Callable[[], Result], *, samples: int, count: Callable[[], int]
    ) -> Result:
        """Run `call` once; `count` then tells the bytes that it held at most."""
        self.benchmark.group = f"{table}: {case}"
        result = self.benchmark.pedantic(call, rounds=1, iterations=1)
        if self.enabled:
            ROWS.append(Row(table, case, variant, samples, count(), count(), "B"))
            self.benchmark.extra_info["peak_bytes"] = count()
        return result


@pytest.fixture
def measure(benchmark: BenchmarkFixture) -> Generator[Measure]:
    threads = torch.get_num_threads()
    if benchmark.disabled:
        torch.set_num_threads(1)  # small tensors on a machine that others use
    yield Measure(benchmark)
    torch.set_num_threads(threads)


def amount(value: float, unit: str) -> str:
    """A number as people read it."""
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
            lines.append(
                (
                    row.case,
                    row.variant,
                    amount(row.best, row.unit),
                    amount(row.median, row.unit),
                    per_second,
                    ratio,
                    notes,
                )
            )
        widths = [max(len(line[i]) for line in lines) for i in range(len(header))]
        for line in lines:
            terminalreporter.write_line(
                "  ".join(cell.ljust(width) for cell, width in zip(line, widths, strict=True)).rstrip()
            )
