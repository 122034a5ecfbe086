"""The tokenizer of a model folder: tried in a process of its own before this process loads it.

A tokenizer holds regular expressions and tables of somebody else. A trial on long texts, with a deadline and a limit of
memory, shows those that would stop or fill this process.
"""

import os
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from routescope.nn.adapters.exploring import NotAdaptable
from routescope.nn.adapters.files import content, regular

if TYPE_CHECKING:
    from tokenizers import Tokenizer

TOKENIZER = "tokenizer.json"
#: Files of tokenizers that are not read, as that takes other libraries.
OTHER_TOKENIZERS = ("tokenizer.model", "vocab.json", "merges.txt", "spiece.model", "vocab.txt")
#: Bytes of a tokenizer, characters of a text of the trial, and bytes of memory that the trial may take, at most.
MOST_TOKENIZER, TRIAL_TEXT, TRIAL_MEMORY = 64 * 2**20, 16_384, 3 * 2**30
#: Merges, and tokens, of a tokenizer at most: to load them holds up all threads for about 10 s a million.
MOST_MERGES, MOST_TOKENS = 600_000, 1_000_000
#: Exit codes of the trial.
UNREADABLE, FAILS, TOO_MANY = 3, 4, 5
#: Loads a tokenizer, and reads and spells texts of one sign, of a few signs, and of words.
TRIAL = f"""
import json, resource, sys
hard = resource.getrlimit(resource.RLIMIT_DATA)[1]
most = {TRIAL_MEMORY} if hard == resource.RLIM_INFINITY else min(hard, {TRIAL_MEMORY})
resource.setrlimit(resource.RLIMIT_DATA, (most, most))
resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
from tokenizers import Tokenizer
try:
    model = json.load(open(sys.argv[1], encoding="utf-8"))["model"]
    many = len(model.get("merges", ())) > {MOST_MERGES} or len(model.get("vocab", ())) > {MOST_TOKENS}
    tokenizer = None if many else Tokenizer.from_file(sys.argv[1])
except BaseException:
    sys.exit({UNREADABLE})
if many:
    sys.exit({TOO_MANY})
signs = ["a", "A", " ", "1", "\\n", "-", "!", "\\u00e9", "\\u4e2d", "ab", "a ", "a1"]
signs.append("An \\u00c9t\\u00e9\\tin 1,000 \\u20ac ")
try:
    for sign in signs:
        text = sign * ({TRIAL_TEXT} // len(sign))
        for end in ("", "!", "b"):
            tokenizer.decode(tokenizer.encode(text + end, add_special_tokens=False).ids)
except BaseException:
    sys.exit({FAILS})
"""


def tokenizer_of(folder: Path, seconds: float) -> "Tokenizer | None":
    """Return the tokenizer of a folder; None where it has none, and tokens can only be bytes.

    Args:
        folder: the folder.
        seconds: that the trial may take.

    Raises:
        NotAdaptable: a tokenizer that is not read, cannot be, takes too long, or fails on texts.
    """
    from tokenizers import Tokenizer

    file, name = regular(folder, TOKENIZER), folder.name
    if file is None:
        if others := [other for other in OTHER_TOKENIZERS if regular(folder, other) is not None]:
            raise NotAdaptable(
                f"{name} has its tokenizer in {others[0]}: what is read is {TOKENIZER}, which "
                "AutoTokenizer.from_pretrained(...).save_pretrained(...) writes"
            )
        return None
    text = content(file, MOST_TOKENIZER)
    unreadable = NotAdaptable(
        f"{name} has a {TOKENIZER} that cannot be read: write it with AutoTokenizer.from_pretrained(...)."
        "save_pretrained(...)"
    )
    try:
        code = _tried(file, seconds)
    except subprocess.TimeoutExpired as error:
        raise NotAdaptable(
            f"{name} has a {TOKENIZER} that takes more than {seconds:g} seconds to load and to read texts of "
            f"{TRIAL_TEXT:,} characters: use a tokenizer with fewer rules"
        ) from error
    if code == UNREADABLE:
        raise unreadable
    if code == TOO_MANY:
        raise NotAdaptable(
            f"{name} has a {TOKENIZER} of too many rules: up to {MOST_MERGES:,} merges and {MOST_TOKENS:,} tokens are "
            "read"
        )
    if code:
        raise NotAdaptable(
            f"{name} has a {TOKENIZER} that fails on texts of {TRIAL_TEXT:,} characters, or takes more than "
            f"{TRIAL_MEMORY // 2**30} GiB of memory: use a tokenizer with simpler rules"
        )
    try:
        return Tokenizer.from_str(text.decode("utf-8"))
    except Exception as error:  # the library raises nothing narrower
        raise unreadable from error


def _tried(file: Path, seconds: float) -> int:
    """Exit code of the trial; raises subprocess.TimeoutExpired."""
    environment = {**os.environ, "TOKENIZERS_PARALLELISM": "false", "RUST_BACKTRACE": "0"}
    trial = subprocess.run(
        [sys.executable, "-P", "-c", TRIAL, str(file)],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        env=environment,
        timeout=seconds,
        check=False,
    )
    return trial.returncode
