"""No traceback leaves the command line: every error of every command is one line, with exit code 2."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import torch

from routescope.cli import Program, load
from routescope.cli.console import print_json
from routescope.data import DataError
from routescope.nn.mixture.config import MixtureConfig
from routescope.nn.mixture.network import MixtureNetwork
from routescope.zoo import opened
from tests.core.cli.program import refused, run, save
from tests.core.nn.adapters.families import config_of, model_of

SIZES = MixtureConfig(domains=("sums",), context=32, layers=1, features=16, heads=2, experts=3, top_k=1, hidden=4)


@pytest.fixture(scope="module", autouse=True)
def _models() -> None:
    torch.manual_seed(0)
    save("errors-tiny", MixtureNetwork(SIZES))


@pytest.fixture(autouse=True)
def _none_afterwards() -> Iterator[None]:
    yield
    opened.use(())


def commands() -> dict[tuple[str, ...], Any]:
    loaded = {(name,): load(name) for name in Program().list_commands(None)}
    groups = {words: command.commands for words, command in loaded.items() if hasattr(command, "commands")}
    inside = {(*words, name): command for words, group in groups.items() for name, command in group.items()}
    return {words: command for words, command in loaded.items() if words not in groups} | inside


ERRORS = (ValueError("no\nsuch thing"), KeyError("l9"), RuntimeError(), MemoryError("out"), OSError(5, "I/O", "/dev/x"))


def raising(error: BaseException, monkeypatch: pytest.MonkeyPatch) -> None:
    """Replace the functions of all commands by a function that raises an error."""

    def callback(**_: object) -> None:
        raise error

    def load_raising(name: str) -> Any:
        loaded = load(name)
        for command in getattr(loaded, "commands", {name: loaded}).values():
            command.callback, command.params = callback, []
        return loaded

    monkeypatch.setattr("routescope.cli.load", load_raising)


@pytest.mark.parametrize("error", ERRORS, ids=lambda error: type(error).__name__)
def test_any_exception_of_any_command_is_one_line(error: Exception, monkeypatch: pytest.MonkeyPatch) -> None:
    raising(error, monkeypatch)
    assert len(commands()) >= 14
    for words in commands():
        line = refused(*words)
        assert " ".join(str(error.args[-1] if error.args else "RuntimeError").split()) in line
        traced = run(*words, "--debug")
        assert traced.exit_code == 2 and "Traceback" in traced.stderr and "in callback" in traced.stderr


def test_ctrl_c_ends_any_command_with_130(monkeypatch: pytest.MonkeyPatch) -> None:
    raising(KeyboardInterrupt(), monkeypatch)
    for words in commands():
        assert refused(*words, code=130) == "Stopped by Ctrl-C."


def test_wrong_options_of_any_command_are_one_line() -> None:
    for words in commands():
        assert "--no-such-option" in refused(*words, "--no-such-option")
    assert "'chek'" in refused("chek")
    assert "--no-such-option" in refused("--no-such-option")


@pytest.fixture(scope="module")
def folders(tmp_path_factory: pytest.TempPathFactory) -> list[Path]:
    """Return things that are given as a model: none of them is."""
    root = tmp_path_factory.mktemp("none")
    made = [root / name for name in ("empty", "junk", "broken", "weightless", "missing")]
    empty, junk, broken, weightless, _missing = made
    for folder in (empty, junk, broken, weightless):
        folder.mkdir()
    (junk / "config.json").write_text("[1, 2")
    (junk / "model.safetensors").write_bytes(b"\0" * 64)
    model_of("olmoe").save_pretrained(broken)
    (broken / "model.safetensors").write_bytes((broken / "model.safetensors").read_bytes()[:900])
    (weightless / "config.json").write_text(json.dumps(config_of("olmoe").to_dict(), default=str))
    note = root / "note.txt"
    note.write_text("not a model")
    return [*made, note]


@pytest.mark.parametrize("command", ["models", "evaluate", "trace", "importance", "check", "compare", "prune", "open"])
def test_folders_of_junk_are_one_line(command: str, folders: list[Path]) -> None:
    for folder in folders:
        line = refused(command, folder, *((folder,) if command == "compare" else ()))
        assert folder.name in line or "safetensors" in line, line
        opened.use(())


#: Options that every command of a model has, or nearly every one, and a value that is none.
BROKEN: list[tuple[tuple[object, ...], str]] = [
    (("--data", "no-such-set"), "no-such-set"),
    (("--data", "sums=/no/such/folder"), "/no/such/folder"),
    (("--split", "no-such-split"), "no-such-split"),
    (("--drop", "l9.e1"), "l9.e1"),
    (("--drop", "l1.e77"), "l1.e77"),
    (("--drop", "l9.*"), "l9"),
    (("--drop", "least:x"), "least:x"),
    (("--drop", "l1.e1,l1.e2,l1.e3"), "layer 1"),
    (("--mute", "f1"), "f1"),
    (("--drop-a", "l9.e1"), "l9.e1"),
    (("--top-k-a", "9"), "9"),
    (("--layer", "l9"), "l9"),
    (("--order", "size"), "size"),
    (("--scope", "part"), "part"),
    (("--keep", "2"), "--keep"),
    (("--limit", "0"), "--limit"),
    (("--limit", "-1"), "--limit"),
    (("--iterations", "900"), "iterations"),
    (("--fields", "colours"), "colours"),
    (("--index", "-1"), "--index"),
    (("--index", "99999999"), "99999999"),
    (("--image", "/no/such/picture.png"), "not --image"),
    (("--output", "/dev/null/below/trace.nc"), "/dev/null"),
    (("--output", "/dev/null/below"), "/dev/null"),
    (("--gates", "A=x"), "A=x"),
    (("--keep-edges", "0.5"), "no links"),
]


@pytest.mark.parametrize("command", ["evaluate", "trace", "importance", "check", "compare", "prune"])
def test_broken_arguments_are_one_line(command: str) -> None:
    options = {option for parameter in load(command).params for option in parameter.opts}
    tried = 0
    for arguments, words in BROKEN:
        if arguments[0] not in options:
            continue
        tried += 1
        models = ("errors-tiny",) * (2 if command == "compare" else 1)
        line = refused(command, *models, *arguments)
        assert words in line, (arguments, line)
    assert tried >= 3


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("import", "/no/such/log.csv"), "/no/such/log.csv"),
        (("import", "/dev/null"), "null"),
        (("import", __file__), "test_errors.py"),
        (("import", "/tmp"), "/tmp"),
        (("train", "no-such-recipe"), "no-such-recipe"),
        (("train", "ni-digits", "--data", "mnist=/no/such/folder", "-o", "/dev/null/below"), "/"),
        (("reproduce", "no-such-experiment"), "no-such-experiment"),
        (("reproduce", "ni-drop", "--quick", "-o", "/dev/null/below"), "/dev/null"),
        (("models", "no-such-model"), "no-such-model"),
        (("prune", "ni-digits"), "this one has none"),
        (("prune", "errors-tiny", "--order", "size"), "an order is one of tokens, weight, effect, greedy, chance"),
        (("prune", "errors-tiny", "--data", "python"), "has no head for python"),
        (("check", "errors-tiny", "--split", "elsewhere"), "no split 'elsewhere'"),
    ],
)
def test_other_commands_are_one_line(arguments: tuple[object, ...], words: str) -> None:
    assert words in refused(*arguments)


def test_figures_that_json_has_not_are_one_line(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("routescope.cli.listing.data", lambda: print_json({"loss": float("nan")}))
    assert "NaN" in refused("data")


@pytest.mark.parametrize(("command", "several"), [("check", True), ("prune", True), ("evaluate", False)])
def test_help_says_which_data_sets_are_taken(command: str, several: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    """Without --data a command takes all data sets of a model, or the first one, as its help says."""
    read: list[str] = []

    def reading(name: str, *_: object, **__: object) -> None:
        read.append(name)
        raise DataError("read")

    monkeypatch.setattr("routescope.api.data.dataset", reading)
    help_text = " ".join(run(command, "--help").stdout.replace("│", " ").split())
    assert ("all of the model's by default" in help_text) == several
    assert ("first domain by default" in help_text) != several
    refused(command, "moe-bytes", *(["--data", "sums,listops"] if several else []))
    assert read == (["sums"] if several else ["python"])
