"""``import routescope as rs``: light to import, every name documented with an example, and typed."""

import inspect
import subprocess
import sys
from pathlib import Path

import routescope as rs

ROOT = Path(__file__).parents[3]
NAMES = (
    "Intervention", "Reading", "Trace", "check", "compare", "dataset", "datasets", "figure", "importance", "load_of",
    "models", "observe", "open", "prune", "read_log", "record", "score", "type_map",
)  # fmt: skip
#: A user's file, and what a strict type checker says of each revealed expression.
TYPED = {
    'rs.open("moe-bytes")': "Network",
    'rs.record(net, "a text", drop="l1.e2")': "Trace",
    'rs.score(net, "mine.txt", mute=["l1.e1"], top_k=3).figure': "float",
    "rs.load_of(net).plot()": "Axes",
    "rs.observe(net)": "Observation",
    "rs.type_map(net)": "Embedding",
    'rs.importance(net, layer="l1", kind="mute")': "Importance",
    'rs.compare(net, rs.read_log("a.jsonl", rs.Reading(top_k=2)))': "Comparison",
    'rs.prune(net, keep=0.5, by="weight").save("half")': "Path",
    "rs.check(net).held": "bool",
    "rs.models()": "DataFrame",
    "rs.datasets()": "DataFrame",
    'rs.dataset("mnist")': "Samples",
    'rs.figure("ni-fig-8")': "Figure",
    'rs.Intervention(drop=("f1",))': "Intervention",
    'rs.Trace.load("trace.nc")': "Trace",
}
WRONG = ('rs.score(net, "python", drap="l1.e2")', "rs.prune(net, by=3)", "rs.no_such_name")


def test_names_are_listed_and_documented_with_an_example() -> None:
    assert tuple(dir(rs)) == NAMES
    for name in NAMES:
        text = inspect.getdoc(getattr(rs, name)) or ""
        assert f"rs.{name}" in text or f"{name}(" in text, f"{name} has no example"
        assert "::\n\n" in text and len(text.splitlines()[0]) > 20, name


def test_the_import_loads_no_library_until_a_name_is_used() -> None:
    script = (
        "import sys, routescope as rs; dir(rs)\n"
        "heavy = {'torch', 'pandas', 'numpy', 'xarray', 'matplotlib', 'transformers', 'rich'}\n"
        "print(sorted(heavy & set(sys.modules)))\n"
        "rs.read_log\n"
        "print(sorted({'torch', 'matplotlib', 'transformers'} & set(sys.modules)))"
    )
    ran = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert ran.stdout.split("\n")[:2] == ["[]", "[]"]


def test_a_strict_type_checker_knows_every_name(tmp_path: Path) -> None:
    lines = [*(f"reveal_type({call})" for call in TYPED), *WRONG]
    assert all(any(f"rs.{name}" in line for line in lines) for name in NAMES)
    file = tmp_path / "mine.py"
    file.write_text('import routescope as rs\n\nnet = rs.open("moe-bytes")\n' + "\n".join(lines) + "\n")
    command = [sys.executable, "-m", "mypy", "--strict", "--config-file", str(ROOT / "pyproject.toml"), str(file)]
    out = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False).stdout
    revealed = [line.split('"')[1] for line in out.splitlines() if "Revealed type is" in line]
    assert len(revealed) == len(TYPED), out
    for (call, expected), seen in zip(TYPED.items(), revealed, strict=True):
        assert seen.partition("[")[0].split(".")[-1].removesuffix("?") == expected, f"{call} is {seen}"
    errors = [line for line in out.splitlines() if ": error:" in line]
    assert [int(line.split(":")[1]) for line in errors] == [4 + len(TYPED) + at for at in range(len(WRONG))], out
