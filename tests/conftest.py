"""What every test shares: threads, scratch folders in memory, and the rule that a skip under CI is a failure."""

import gc
import os
import secrets
from collections.abc import Generator, Iterable
from pathlib import Path
from typing import Any

from tests import machine

os.environ.setdefault("PYTEST_DEBUG_TEMPROOT", str(machine.scratch()))
os.environ.setdefault("OMP_NUM_THREADS", "2")
os.environ.setdefault("OMP_WAIT_POLICY", "PASSIVE")  # or torch spins while the browser works
os.environ.setdefault("RAY_AUTH_MODE", "token")  # Ray reads it once: all clusters of a process have the same mode
os.environ.setdefault("RAY_AUTH_TOKEN", secrets.token_hex(32))

import hypothesis
import pytest

from tests.buckets import _buckets, bucket  # noqa: F401
from tests.databases import _postgresql, postgresql, shared_postgresql  # noqa: F401

# A deadline of an example is one of the wall clock, which also says what else the machine does.
hypothesis.settings.register_profile("busy", deadline=None)
hypothesis.settings.load_profile("busy")

UNDER_CI = os.environ.get("CI", "").lower() in {"1", "true", "yes"}
PARITY = os.environ.get("ROUTESCOPE_PARITY")
NO_PARITY = "no parity folder"


def skip_is_allowed(marked_gpu: bool, reason: str, *, gpu: bool, parity: str | None) -> bool:
    """Whether CI accepts a skip: a missing GPU, or the authors' vectors where they are not at hand."""
    if marked_gpu:
        return not gpu
    return parity is None and NO_PARITY in reason


def _gpu() -> bool:
    import torch

    return torch.cuda.is_available()


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    if any("needs_gpu" in item.keywords for item in items) and not _gpu():
        for item in items:
            if "needs_gpu" in item.keywords:
                item.add_marker(pytest.mark.skip(reason="needs a GPU"))


@pytest.hookimpl(wrapper=True)
def pytest_collection() -> Generator[None, object, object]:
    """Tests are collected without collections of garbage, which took near half of the time, and is all kept."""
    gc.disable()
    try:
        return (yield)
    finally:
        gc.enable()
        _keep_what_is_there()


def _keep_what_is_there() -> None:
    """No later collection of garbage looks again at what is there now: that took seconds, in which all else waited."""
    gc.collect()
    gc.freeze()


@pytest.hookimpl(wrapper=True)
def pytest_runtest_teardown(item: pytest.Item, nextitem: pytest.Item | None) -> Generator[None]:
    """What is there when a file of tests has ended is there for the others."""
    yield
    if nextitem is None or nextitem.path != item.path:
        _keep_what_is_there()


def _reason(report: pytest.TestReport | pytest.CollectReport) -> str:
    return str(report.longrepr[2]) if isinstance(report.longrepr, tuple) else str(report.longrepr)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item: pytest.Item) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    report = yield
    if report.when == "call":
        report.slow = "slow" in item.keywords, processor_seconds() - item.stash[STARTED]
    if UNDER_CI and report.skipped and not hasattr(report, "wasxfail"):
        reason = _reason(report)
        if not skip_is_allowed("needs_gpu" in item.keywords, reason, gpu=_gpu(), parity=PARITY):
            report.outcome = "failed"
            report.longrepr = f"skipped, which CI does not accept: {reason}"
    return report


@pytest.hookimpl(wrapper=True)
def pytest_make_collect_report() -> Generator[None, pytest.CollectReport, pytest.CollectReport]:
    report = yield
    if UNDER_CI and report.skipped and not skip_is_allowed(False, _reason(report), gpu=_gpu(), parity=PARITY):
        report.outcome = "failed"
        report.longrepr = f"a whole file skipped, which CI does not accept: {_reason(report)}"
    return report


#: Seconds of processor time: what takes longer is to be marked slow, what takes less is not. Between them lies what
#: differs from machine to machine, and what the first test of a process loads for all.
SLOW, FAST = 4.0, 0.2
STARTED = pytest.StashKey[float]()


def processor_seconds() -> float:
    """What this process and those that it waited for took of the processor until now."""
    return sum(os.times()[:4])


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_setup(item: pytest.Item) -> None:
    item.stash[STARTED] = processor_seconds()


def wrongly_marked(spent: dict[str, tuple[bool, float]]) -> list[str]:
    """What to mark slow, or not any longer, of tests with whether they are marked and the seconds that each took.

    Cases of one test count as the slowest, and so do marked tests of one file: the first makes what all of them need.
    """
    unmarked: dict[str, float] = {}
    marked: dict[str, float] = {}
    for name, (is_marked, seconds) in spent.items():
        found, key = (marked, name.partition("::")[0]) if is_marked else (unmarked, name.partition("[")[0])
        found[key] = max(seconds, found.get(key, 0.0))
    return [
        *(f"{seconds:.1f} s and not marked slow: {test}" for test, seconds in unmarked.items() if seconds > SLOW),
        *(f"{seconds:.1f} s and marked slow, in {file}" for file, seconds in marked.items() if seconds < FAST),
    ]


def pytest_terminal_summary(terminalreporter: Any) -> None:
    reports = [report for kind in ("passed", "failed") for report in terminalreporter.getreports(kind)]
    spent = {report.nodeid: report.slow for report in reports if hasattr(report, "slow")}
    rooms = {name: slow for name, slow in spent.items() if name.startswith(("tests/core/", "tests/app/"))}
    if wrong := wrongly_marked(rooms):
        terminalreporter.section("marks of slow tests that are wrong, by seconds of processor time")
        terminalreporter.write_line("\n".join(wrong))


#: Files with few long tests start first, so that no worker runs one alone at the end.
LONG = (
    "tests/deploy/",
    "tests/robustness/",
    "tests/upgrade/",
    "tests/core/experiments/",
    "tests/core/training/sweeps/",
    "tests/test_documents.py",
)


def next_file(waiting: Iterable[str], keeps_browser: bool) -> str:
    """Return the file of tests that a free worker runs next.

    Args:
        waiting: files that no worker has, in the order of collection.
        keeps_browser: whether the worker runs browser tests first, with one server and one browser for all of them.
    """
    preferred = [name for name in waiting if name.startswith("tests/browser/") == keeps_browser] or list(waiting)
    return next((name for name in preferred if name.startswith(LONG)), preferred[0])


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config: pytest.Config, log: Any) -> Any:
    """Give whole files to free workers; half of the workers keep a browser.

    Browser tests are near half of all processor time. One worker alone with them ends long after the others.
    """
    from xdist.scheduler import LoadFileScheduling

    class BrowserApart(LoadFileScheduling):
        def _assign_work_unit(self, node: Any) -> None:
            keeping = self.nodes[: (len(self.nodes) + 1) // 2]
            self.workqueue.move_to_end(next_file(self.workqueue, node in keeping), last=False)
            super()._assign_work_unit(node)

    return BrowserApart(config, log)


@pytest.fixture(scope="session", autouse=True)
def _own_data_folder(tmp_path_factory: pytest.TempPathFactory) -> Generator[Path]:
    """No test reads or writes the data folder of the person who runs them.

    Arrays under the hash of what made them are made once for all processes of a run: in all twenty seconds.
    """
    folder = tmp_path_factory.mktemp("routescope-data")
    run = tmp_path_factory.getbasetemp()
    run = run.parent if "PYTEST_XDIST_WORKER" in os.environ else run
    arrays = run / "routescope-arrays"
    arrays.mkdir(exist_ok=True)
    (folder / "cache").mkdir()
    (folder / "cache" / "arrays").symlink_to(arrays, target_is_directory=True)
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("ROUTESCOPE_DATA_DIR", str(folder))
        yield folder
