"""Folders that lie are refused in one sentence, within little memory; folders as people have them are opened."""

import json
import math
import re
import shutil
import struct
import subprocess
import sys
from pathlib import Path

import pytest
import torch
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from tokenizers import Regex, pre_tokenizers
from transformers import CONFIG_MAPPING

from routescope.nn.adapters.exploring import NotAdaptable
from routescope.nn.adapters.files import parsed
from routescope.nn.adapters.folder import CONFIG, WEIGHTS, look, open_folder
from routescope.nn.adapters.plausible import limited, usable
from routescope.nn.adapters.tokenizer_file import TOKENIZER, tokenizer_of
from routescope.nn.adapters.vocabulary import Tokenised
from tests.core.nn.adapters.families import byte_tokenizer, documented
from tests.core.nn.adapters.lying import LIES, config

ROOT = Path(__file__).parents[4]
IDS = torch.tensor([[256, *b"some bytes"]])
#: What no sentence for users holds.
INTERNAL = re.compile(
    r"Traceback|Error\(s\)|state_dict|transformers\.|torch\.|/[a-z]+/[a-z]|object at 0x|<class|Error:"
)
#: Opens each folder in one process that may take 1 GiB more than after its imports.
ALL = """
import json, resource, sys, time
from pathlib import Path
import transformers.models.mixtral.modeling_mixtral
from routescope.nn.adapters.exploring import NotAdaptable
from routescope.nn.adapters.folder import look, open_folder

open_folder(Path(sys.argv[1]) / "good")
status = dict(line.split(":", 1) for line in open("/proc/self/status") if ":" in line)
limit = int(status["VmData"].split()[0]) * 1024 + 2**30
resource.setrlimit(resource.RLIMIT_DATA, (limit, limit))
for folder in sorted(Path(sys.argv[1]).iterdir()):
    began = time.monotonic()
    try:
        open_folder(look(folder))
        said = "opened"
    except NotAdaptable as error:
        said = str(error)
    except BaseException as error:
        said = f"{type(error).__name__}: {error}"
    print(json.dumps([folder.name, said, time.monotonic() - began]), flush=True)
"""


@pytest.mark.slow
def test_every_lie_is_refused_in_one_sentence_within_a_gibibyte(saved: Path, tmp_path: Path) -> None:
    folders = tmp_path / "folders"
    shutil.copytree(saved, folders / "good")
    for name, (change, _) in LIES.items():
        shutil.copytree(saved, folders / name)
        change(folders / name)
    ran = subprocess.run(
        [sys.executable, "-c", ALL, str(folders)], capture_output=True, text=True, timeout=600, check=False, cwd=ROOT
    )
    answers = {name: said for name, said, _ in map(json.loads, ran.stdout.splitlines())}
    assert set(answers) == {*LIES, "good"}, ran.stderr[-2000:]
    assert answers.pop("good") == "opened"
    wrong = {name: said for name, said in answers.items() if not re.search(LIES[name][1], said)}
    assert not wrong
    assert not {name: said for name, said in answers.items() if INTERNAL.search(said) or "\n" in said}
    assert all(said.startswith(name) for name, said in answers.items()), "every sentence begins with the folder"


@pytest.mark.parametrize("family", documented())
def test_the_numbers_of_real_models_are_accepted(family: str) -> None:
    """The defaults of a family are the numbers of a model as it was released."""
    written = CONFIG_MAPPING[family]().to_json_string(use_diff=False)
    usable(family, parsed(written.encode(), family))


def test_links_within_the_cache_of_one_model_are_followed(saved: Path, tmp_path: Path) -> None:
    """The layout of Hugging Face's cache: snapshots of a model hold links to its blobs."""
    cache = tmp_path / "hub" / "models--someone--mine"
    snapshot, blobs = cache / "snapshots" / "0a1b", cache / "blobs"
    snapshot.mkdir(parents=True)
    shutil.copytree(saved, blobs)
    for name in (CONFIG, WEIGHTS):
        (blobs / name).rename(blobs / f"hash-of-{name}")
        (snapshot / name).symlink_to(f"../../blobs/hash-of-{name}")
    assert torch.equal(open_folder(snapshot).logits(IDS), open_folder(saved).logits(IDS))
    other = tmp_path / "hub" / "models--someone--other" / "blobs"
    shutil.copytree(blobs, other)
    (snapshot / WEIGHTS).unlink()
    (snapshot / WEIGHTS).symlink_to(other / f"hash-of-{WEIGHTS}")
    with pytest.raises(NotAdaptable, match="leads out of the folder, .* Links to blobs in the same models-- folder"):
        look(snapshot)


def test_building_stops_where_a_model_outgrows_its_files() -> None:
    """A model of an unlimited number of modules ends at the first beyond what its files could fill."""
    made, shapes = [], {"weight": (4, 4)}
    words = "describes a model far larger than its files, which hold 1 tensors with 16 numbers"
    with pytest.raises(NotAdaptable, match=words), limited("mine", shapes, 60.0), torch.device("meta"):
        while True:
            made.append(torch.nn.Sequential(torch.nn.Linear(1, 1)))
    assert 4_000 < len(made) < 5_000
    with pytest.raises(NotAdaptable, match="far larger"), limited("mine", shapes, 60.0):
        torch.nn.Linear(10**5, 10**5, device="meta")
    torch.nn.Linear(10**5, 10**5, device="meta")  # no limit outside


def test_a_tokenizer_has_a_deadline(folder: Path) -> None:
    byte_tokenizer().save(str(folder / TOKENIZER))
    with pytest.raises(NotAdaptable, match="takes more than 0.001 seconds to load and to read texts"):
        tokenizer_of(folder, 0.001)
    assert tokenizer_of(folder, 60) is not None


def test_a_text_that_a_tokenizer_fails_on_is_refused_in_words() -> None:
    """A rule that passes the trial and fails on a later text is no error of its own kind."""
    tokenizer = byte_tokenizer()
    tokenizer.pre_tokenizer = pre_tokenizers.Split(Regex("(z+)+$"), "isolated")
    with pytest.raises(ValueError, match="its tokenizer take too many steps for a text: leave the text out"):
        Tokenised(tokenizer, 300, None).ids("z" * 500 + "y")


def test_code_kernels_and_other_files_that_a_config_names_are_not_asked_for(saved: Path, folder: Path) -> None:
    config(
        _attn_implementation="someone/kernels",
        attn_implementation="someone/kernels",
        experts_implementation="someone/kernels",
        configuration_files=["config.99.0.json"],
        transformers_weights="other.safetensors",
        num_labels=10**9,
        auto_map={"AutoConfig": "own.Config"},
    )(folder)
    for name in ("generation_config.json", "config.99.0.json", "chat_template.jinja", "adapter_config.json"):
        (folder / name).unlink(missing_ok=True)
        (folder / name).symlink_to("/dev/zero")
    network = open_folder(folder)
    assert torch.equal(network.logits(IDS), open_folder(saved).logits(IDS))


def _numbers(value: object, path: tuple[object, ...] = ()) -> list[tuple[object, ...]]:
    if isinstance(value, dict):
        return [found for key, entry in value.items() for found in _numbers(entry, (*path, key))]
    return [path] if type(value) in (int, float) else []


EDGES: st.SearchStrategy[object] = st.sampled_from(
    [0, -1, 1, 2, 3, 7, 2**31, 2**63, 10**30, -(2**31), 0.5, True, None, "2", [], [2, 2], {}, math.inf]
)
NUMBERS = EDGES | st.integers(-5, 40) | st.integers(0, 10**6)


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture], derandomize=True)
@given(data=st.data())
def test_a_changed_folder_opens_and_runs_or_is_refused_in_words(
    saved: Path, tmp_path: Path, data: st.DataObject
) -> None:
    """Any number of the config, or some bytes of the head, are others: the model runs, or a sentence says why not."""
    folder = tmp_path / "mine"
    shutil.rmtree(folder, ignore_errors=True)
    shutil.copytree(saved, folder)
    if data.draw(st.booleans()):
        whole = json.loads((folder / CONFIG).read_text())
        for path in data.draw(st.lists(st.sampled_from(_numbers(whole)), min_size=1, max_size=2, unique=True)):
            part = whole
            for key in path[:-1]:
                part = part[key]
            part[path[-1]] = data.draw(NUMBERS)
        (folder / CONFIG).write_text(json.dumps(whole))
    else:
        content = bytearray((folder / WEIGHTS).read_bytes())
        (length,) = struct.unpack("<Q", content[:8])
        for _ in range(data.draw(st.integers(1, 3))):
            content[data.draw(st.integers(0, 7 + length))] = data.draw(
                st.sampled_from(b'0123456789",:[]{}') | st.integers(0, 255)
            )
        (folder / WEIGHTS).write_bytes(content)
    try:
        network = open_folder(folder)
    except NotAdaptable as error:
        assert not INTERNAL.search(str(error)) and "\n" not in str(error)
        return
    assert network.logits(IDS).shape == network.module(input_ids=IDS).logits.shape
    assert torch.equal(network.logits(IDS), network.module(input_ids=IDS).logits)
