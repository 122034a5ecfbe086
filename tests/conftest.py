"""What every test shares: threads, a scratch data folder, and the rule that a skip under CI is a failure."""

import os
from collections.abc import Generator
from pathlib import Path

os.environ.setdefault("OMP_NUM_THREADS", "2")
os.environ.setdefault("OMP_WAIT_POLICY", "PASSIVE")  # or torch spins while the browser works

import pytest

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


def _reason(report: pytest.TestReport | pytest.CollectReport) -> str:
    return str(report.longrepr[2]) if isinstance(report.longrepr, tuple) else str(report.longrepr)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item: pytest.Item) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    report = yield
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


@pytest.fixture(scope="session", autouse=True)
def _own_data_folder(tmp_path_factory: pytest.TempPathFactory) -> Generator[Path]:
    """No test reads or writes the data folder of the person who runs them."""
    folder = tmp_path_factory.mktemp("routescope-data")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("ROUTESCOPE_DATA_DIR", str(folder))
        yield folder
