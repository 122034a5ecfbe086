"""Settings of every test: threads, scratch folders in memory, order of files; CI accepts no skip."""

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

# Hypothesis measures deadlines by the wall clock, which depends on other programs.
hypothesis.settings.register_profile("busy", deadline=None)
hypothesis.settings.load_profile("busy")

UNDER_CI = os.environ.get("CI", "").lower() in {"1", "true", "yes"}
PARITY = os.environ.get("ROUTESCOPE_PARITY")
NO_PARITY = "no parity folder"


def skip_is_allowed(marked_gpu: bool, reason: str, *, gpu: bool, parity: str | None) -> bool:
    """Return whether CI accepts a skip: a missing GPU, or a missing folder of the authors' vectors."""
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
    """Collect tests without garbage collection, which would take near half of the time."""
    gc.disable()
    try:
        return (yield)
    finally:
        gc.enable()
        _freeze_objects()


def _freeze_objects() -> None:
    """Exclude all present objects from later garbage collections, each of which would take seconds."""
    gc.collect()
    gc.freeze()


@pytest.hookimpl(wrapper=True)
def pytest_runtest_teardown(item: pytest.Item, nextitem: pytest.Item | None) -> Generator[None]:
    """Freeze the objects that a finished file of tests leaves for the next files."""
    yield
    if nextitem is None or nextitem.path != item.path:
        _freeze_objects()


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


#: Seconds of processor time. Tests above SLOW must be marked slow; a marked file below FAST must not. Times between
#: them depend on the machine, and on libraries that the first test of a process loads.
SLOW, FAST = 4.0, 0.2
STARTED = pytest.StashKey[float]()


def processor_seconds() -> float:
    """Return the processor seconds of this process and of its finished children."""
    return sum(os.times()[:4])


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_setup(item: pytest.Item) -> None:
    item.stash[STARTED] = processor_seconds()


def wrongly_marked(spent: dict[str, tuple[bool, float]]) -> list[str]:
    """Return a line for each test whose slow mark is missing, and for each file whose slow mark is not needed.

    A test counts as its slowest case. A marked file counts as its slowest test, whose fixtures others share.

    Args:
        spent: test -> (whether it is marked slow, processor seconds).
    """
    unmarked: dict[str, float] = {}
    marked: dict[str, float] = {}
    for name, (is_marked, seconds) in spent.items():
        group, key = (marked, name.partition("::")[0]) if is_marked else (unmarked, name.partition("[")[0])
        group[key] = max(seconds, group.get(key, 0.0))
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
    """Give each worker a data folder of its own, so that no test reads or writes the user's.

    Workers share cached arrays, whose names are hashes of their inputs.
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
