"""CI accepts two skips only: a missing GPU and a missing folder of the authors' vectors."""

import os
import re
import subprocess
import sys
from pathlib import Path

from tests.conftest import NO_PARITY, skip_is_allowed

CONFTEST = Path(__file__).with_name("conftest.py")
FILES = {
    "marked": "import pytest\n@pytest.mark.skip(reason='too slow')\ndef test(): pass",
    "inside": "import pytest\ndef test(): pytest.skip('no browser')",
    "whole_file": "import pytest\npytest.importorskip('no_such_module')\ndef test(): pass",
    "fixture": "import pytest\n@pytest.fixture\ndef f(): pytest.skip('no server')\ndef test(f): pass",
    "parity": "import pytest\ndef test(): pytest.skip('no parity folder')",
    "gpu": "import pytest, torch\n@pytest.mark.needs_gpu\ndef test(): assert torch.cuda.is_available()",
    "runs": "def test(): pass",
}
UNACCEPTED = {"marked", "inside", "whole_file", "fixture"}


def test_ci_accepts_a_missing_gpu_and_missing_vectors_alone(tmp_path: Path) -> None:
    """Each file runs under the project's conftest; where there are vectors, the parity test may not be skipped."""
    (tmp_path / "conftest.py").write_text(CONFTEST.read_text())
    (tmp_path / "pytest.ini").write_text("[pytest]\nmarkers = needs_gpu: as in the project\n")
    for name, text in FILES.items():
        (tmp_path / f"test_{name}.py").write_text(text)
    for variables, expected in (({"CI": "true"}, UNACCEPTED), ({}, set())):
        env = {name: value for name, value in os.environ.items() if name not in {"CI", "ROUTESCOPE_PARITY"}}
        env |= {"PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1", "PYTHONPATH": str(CONFTEST.parents[1]), **variables}
        command = [sys.executable, "-m", "pytest", "-q", "-rfE", "--continue-on-collection-errors", "--tb=no", "."]
        run = subprocess.run(command, cwd=tmp_path, env=env, capture_output=True, text=True, check=False)
        failed = set(re.findall(r"^(?:FAILED|ERROR) \S*test_(\w+)\.py", run.stdout, re.MULTILINE))
        assert failed == expected, run.stdout
        assert (run.returncode == 0) == (not failed), run.stdout + run.stderr
        assert "1 passed" in run.stdout or "2 passed" in run.stdout, run.stdout
    assert skip_is_allowed(True, "needs a GPU", gpu=False, parity=None)
    assert not skip_is_allowed(True, "needs a GPU", gpu=True, parity=None)
    assert not skip_is_allowed(False, NO_PARITY, gpu=False, parity="vectors")
