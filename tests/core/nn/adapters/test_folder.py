"""Folders that are opened, and those that are not, each with what it lacks."""

import json
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
import torch
from transformers.utils import logging

from core.nn.adapters.exploring import NotAdaptable
from core.nn.adapters.folder import CONFIG, INDEX, TOKENIZER, WEIGHTS, look, open_folder
from core.nn.adapters.transformers import from_transformers, quietly
from core.nn.inputs.text import Text
from tests.core.nn.adapters.families import byte_tokenizer, model_of


@pytest.fixture(scope="module")
def saved(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("models") / "mine"
    model_of("mixtral").save_pretrained(folder)
    return folder


@pytest.fixture
def folder(saved: Path, tmp_path: Path) -> Path:
    return Path(shutil.copytree(saved, tmp_path / "mine"))


def test_a_folder_is_the_model_that_was_saved(folder: Path) -> None:
    found, told = look(folder), list[str]()
    model = model_of("mixtral")
    assert found.nbytes == sum(p.nbytes for p in model.parameters()) and found.kind == "mixtral"
    network = open_folder(found, tell=told.append)
    ids = torch.tensor([[256, *b"some bytes"]])
    with torch.no_grad():
        assert torch.equal(network.logits(ids), model(input_ids=ids).logits)
    assert (network.id, network.revision, len(told)) == ("mine", found.revision, 2)
    assert not any(p.requires_grad for p in network.parameters()) and not network.training


def test_shards_and_a_tokenizer_are_read(tmp_path: Path) -> None:
    model_of("olmoe", vocab_size=300, bos_token_id=299).save_pretrained(tmp_path / "m", max_shard_size="20KB")
    byte_tokenizer().save(str(tmp_path / "m" / TOKENIZER))
    found = look(tmp_path / "m")
    assert len(found.files) > 1
    network = open_folder(found)
    (read,) = network.token_texts(Text(("return é",)))
    assert read[:6] == ("<start>", "re", "tu", "r", "n", " ") and len(read) == 8, "two bytes of one letter"
    longer = network.extended(Text(("ret",)), network.vocabulary.ids("u")[0])
    assert longer.texts == ("retu",)


def without(name: str) -> Callable[[Path], None]:
    return lambda folder: (folder / name).unlink()


def with_config(**changes: object) -> Callable[[Path], None]:
    def change(folder: Path) -> None:
        config = json.loads((folder / CONFIG).read_text())
        (folder / CONFIG).write_text(json.dumps({**config, **changes}))

    return change


def written(name: str, content: bytes) -> Callable[[Path], None]:
    return lambda folder: (folder / name).write_bytes(content) and None  # type: ignore[func-returns-value]


def as_pickle(folder: Path) -> None:
    (folder / WEIGHTS).rename(folder / "pytorch_model.bin")


def cut(folder: Path) -> None:
    (folder / WEIGHTS).write_bytes((folder / WEIGHTS).read_bytes()[:-10])


def leading_out(folder: Path) -> None:
    (folder / WEIGHTS).unlink()
    (folder / INDEX).write_text(json.dumps({"weight_map": {"a": "../mine/other.safetensors"}}))


@pytest.mark.parametrize(
    ("spoil", "words"),
    [
        (without(CONFIG), "mine has no config.json"),
        (without(WEIGHTS), "mine has no weights: model.safetensors"),
        (as_pickle, "in pytorch_model.bin, a pickle, which can run code"),
        (written(CONFIG, b"{"), "config.json that is no JSON"),
        (written(CONFIG, b"[]"), "no object with names"),
        (
            with_config(model_type="mine", auto_map={"AutoModelForCausalLM": "own.Model"}),
            "kind 'mine', and code that comes",
        ),
        (with_config(model_type=None), "no model of the kind None"),
        (with_config(model_type="llama"), "LlamaForCausalLM has no routers"),
        (
            with_config(model_type="switch_transformers"),
            "mine, a switch_transformers, reads one text and writes another",
        ),
        (with_config(hidden_size="many"), "cannot be read as a mixtral"),
        (with_config(num_hidden_layers=3), "lacks .* tensors that its config asks for"),
        (with_config(num_local_experts=9), "cannot be read as a mixtral"),
        (cut, "model.safetensors is cut off"),
        (written(WEIGHTS, b"nothing of the kind"), "no readable safetensors"),
        (leading_out, "no safetensors file of this folder"),
        (written("tokenizer.model", b""), "has its tokenizer in tokenizer.model"),
        (written(TOKENIZER, b"{}"), "tokenizer.json that cannot be read"),
    ],
)
def test_what_cannot_be_opened_says_why(folder: Path, spoil: Callable[[Path], None], words: str) -> None:
    spoil(folder)
    with pytest.raises(NotAdaptable, match=words):
        open_folder(look(folder))


def test_code_that_comes_with_a_folder_is_never_run(folder: Path) -> None:
    """Also where transformers knows the kind itself: then that is what is made."""
    (folder / "own.py").write_text("raise SystemExit('run')\n")
    with_config(auto_map={"AutoConfig": "own.Config", "AutoModelForCausalLM": "own.Model"})(folder)
    assert type(open_folder(look(folder)).module).__name__ == "MixtralForCausalLM"
    with pytest.raises(NotAdaptable, match="is no folder: name one with config.json"):
        look(folder / "elsewhere")


def test_a_revision_is_of_what_is_in_a_folder(folder: Path) -> None:
    before = look(folder).revision
    assert look(folder).revision == before
    (folder / TOKENIZER).write_text("{}")
    assert look(folder).revision != before


PEAK = """
import sys, threading
from core.nn.adapters.folder import look, open_folder
import transformers.models.mixtral.modeling_mixtral, transformers.integrations.moe

def kept(name):
    return next(int(line.split()[1]) * 1024 for line in open("/proc/self/status") if line.startswith(name))

before, most, done = {name: kept(name) for name in ("RssAnon", "RssFile", "VmRSS")}, [0, 0], threading.Event()

def watch():
    while not done.wait(0.002):
        most[:] = max(most[0], kept("RssAnon")), max(most[1], kept("VmRSS"))

watching = threading.Thread(target=watch)
watching.start()
network = open_folder(look(sys.argv[1]))
done.set()
watching.join()
weights = look(sys.argv[1]).nbytes
print(most[0] - before["RssAnon"], most[1] - before["VmRSS"], kept("RssFile") - before["RssFile"], weights)
"""


@pytest.mark.slow
def test_no_second_copy_of_weights_is_held(tmp_path: Path) -> None:
    sizes = {"hidden_size": 512, "intermediate_size": 2048, "num_local_experts": 16, "num_hidden_layers": 2}
    model = model_of("mixtral", **sizes)
    model.save_pretrained(tmp_path / "wide")
    run = subprocess.run(
        [sys.executable, "-c", PEAK, str(tmp_path / "wide")],
        capture_output=True,
        text=True,
        check=True,
        cwd=Path(__file__).parents[4],
    )
    most, resident, mapped, weights = map(int, run.stdout.split())
    assert weights > 100e6 and most < 1.5 * weights, f"{most:,} bytes at most for {weights:,} of weights"
    assert resident < 1.75 * weights, f"{resident:,} bytes resident at most for {weights:,} of weights"
    assert mapped < 0.75 * weights, f"{mapped:,} bytes of files are mapped still"


def test_a_model_is_saved_without_a_word(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    """Bars share a lock: one of a server's threads would wait for those of others."""
    from_transformers(model_of("olmoe")).save(tmp_path / "own")
    assert (tmp_path / "own" / "model.safetensors").is_file()
    assert capfd.readouterr() == ("", "")


def test_transformers_is_as_loud_as_before_once_nobody_wants_it_quiet() -> None:
    loudness, bars = logging.get_verbosity(), logging.is_progress_bar_enabled()
    try:
        logging.set_verbosity_info()
        logging.enable_progress_bar()
        one, other = quietly(), quietly()
        with one:
            other.__enter__()
        assert logging.get_verbosity() == logging.ERROR and not logging.is_progress_bar_enabled()
        other.__exit__(None, None, None)  # of another thread, whose work ends later
        assert logging.get_verbosity() == logging.INFO and logging.is_progress_bar_enabled()
    finally:
        logging.set_verbosity(loudness)
        if not bars:
            logging.disable_progress_bar()
