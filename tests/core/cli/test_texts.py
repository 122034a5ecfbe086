"""Texts on the command line: longer ones in windows or cut, own ones traced, and no padding counted."""

from pathlib import Path
from typing import Any

import pytest

import routescope as rs
from routescope import zoo
from routescope.data import load
from routescope.routing import score
from tests.core.cli.program import refused, run, run_json

MODEL = "moe-bytes"
DATA = load("python", "validation", limit=4)
BYTES = [len(text.encode()) for text in DATA.texts]


def test_evaluate_scores_windows_or_says_what_it_cuts() -> None:
    network, asked = zoo.load(MODEL), ("evaluate", MODEL, "--data", "python", "--limit", 4, "--context", 64)
    windows = run_json(*asked, "--stride", 16)
    assert windows["bits a byte"] == pytest.approx(score(network.with_context(64, 16), DATA).figure)
    assert "tokens_left_out" not in windows and windows["context"] == 64 and windows["stride"] == 16
    cut = run_json(*asked, "--cut")
    assert cut["bits a byte"] == pytest.approx(score(network.with_context(64, cut=True), DATA).figure)
    left_out = sum(max(0, count - 64) for count in BYTES)
    assert cut["tokens_left_out"] == cut["bytes_left_out"] == left_out and cut["texts_cut"] == 4
    assert f"4 texts were cut: {left_out:,} tokens ({left_out:,} bytes) are left out." in run(*asked, "--cut").stdout


def test_every_command_takes_a_context_and_says_what_it_cuts() -> None:
    for command in (("importance", "--limit", 1), ("prune", "--limit", 1, "--draws", 0)):
        asked = (command[0], MODEL, "--data", "python", *command[1:], "--context", 64)
        cut = run_json(*asked, "--cut")
        assert cut["texts_cut"] == 1 and cut["tokens_left_out"] > 0
        assert "tokens_left_out" not in run_json(*asked)
    asked = ("compare", MODEL, MODEL, "--data", "sums", "--limit", 2)
    whole, windows = (run_json(*asked, *more)["bits"]["a"] for more in ((), ("--context", 32)))
    assert whole != windows
    checked = run("check", MODEL, "--data", "sums", "--limit", 2, "--context", 32)
    assert checked.exit_code in (0, 1) and "held" in checked.stdout


def test_a_file_of_texts_is_a_data_set(tmp_path: Path) -> None:
    file = tmp_path / "mine.csv"
    file.write_text("text\n" + "\n".join(f"review {at}" for at in range(3)))
    found = run_json("evaluate", MODEL, "--data", file, "--drop", "l1.e2")
    expected = rs.score(MODEL, file, drop="l1.e2")
    assert (found["data"], found["count"], found["bits a byte"]) == (str(file), 3, expected.figure)
    assert "mine.csv: " in run("evaluate", MODEL, "--data", file).stdout.replace("\n", "")
    assert run("check", MODEL, "--data", file, "--limit", 2).exit_code in (0, 1)
    pruned = run_json("prune", MODEL, "--data", file, "--draws", 0)
    assert "the cost looks too small" in run("prune", MODEL, "--data", file, "--draws", 0).stdout.replace("\n", " ")
    assert pruned["chosen_on"] == pruned["measured_on"] == "own" and pruned["retention"][0]["domain"] == "python"


def test_trace_takes_a_text_and_says_what_it_leaves_out() -> None:
    text = "é" * 200
    found = run_json("trace", MODEL, "--text", text)
    assert found["tokens_left_out"] == found["bytes_left_out"] == 400 - 256
    assert "its last 144 tokens (144 bytes) are left out" in run("trace", MODEL, "--text", text).stdout
    short = run_json("trace", MODEL, "--text", "hello")
    assert short["tokens_left_out"] == short["bytes_left_out"] == 0
    assert "left out" not in run("trace", MODEL, "--text", "hello").stdout
    assert run_json("trace", MODEL, "--text", "hello", "--context", 2)["tokens_left_out"] == 3


def test_trace_counts_no_padding_and_no_label_of_a_text() -> None:
    found = run_json("trace", MODEL, "--data", "python", "--index", 2)
    assert found["label"] is None
    assert all(sum(counts.values()) == 1 + BYTES[2] and "none" not in counts for counts in found["dominant"].values())
    without = run_json("trace", MODEL, "--data", "python", "--index", 2, "--mute", "l1.*")
    assert without["dominant"]["l1"] == {"none": 1 + BYTES[2]}, "tokens that no unit takes are still counted"


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (
            ("trace", MODEL, "--sentence", "hello"),
            "moe-bytes reads text, not --sentence: give --text TEXT, or --index.",
        ),
        (("trace", MODEL, "--image", __file__, "--digits", "1"), "reads text, not --image, --digits: give --text TEXT"),
        (("trace", MODEL, "--text", " "), "the text is empty"),
        (("trace", "ni-digits", "--text", "hello"), "ni-digits reads images, not --text: give --image FILE"),
        (("trace", "nac-points", "--sentence", "hello"), "nac-points reads points, not --sentence: give --text TEXT"),
    ],
)
def test_what_a_model_does_not_read_is_one_line(arguments: tuple[Any, ...], words: str) -> None:
    assert words in refused(*arguments)
