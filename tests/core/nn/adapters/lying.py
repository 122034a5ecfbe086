"""Folders of a tiny model whose config, files or links lie, each with words of its refusal."""

import json
import os
import struct
from collections.abc import Callable
from pathlib import Path
from typing import Any

from tokenizers import Regex, Tokenizer, models, pre_tokenizers

from routescope.nn.adapters.folder import CONFIG, INDEX, WEIGHTS
from routescope.nn.adapters.tokenizer_file import TOKENIZER

Change = Callable[[Path], object]
MEBIBYTE = 2**20


def change(write: Callable[..., object]) -> Callable[..., Change]:
    """Turn a function of a folder and arguments into a function of these arguments that returns a change."""

    def make(*args: Any, **options: Any) -> Change:
        return lambda folder: write(folder, *args, **options)

    return make


@change
def config(folder: Path, **changes: object) -> None:
    """Entries of the config in the place of its own."""
    whole = json.loads((folder / CONFIG).read_text())
    (folder / CONFIG).write_text(json.dumps({**whole, **changes}))


@change
def text(folder: Path, name: str, content: str) -> None:
    """A file with other content."""
    (folder / name).unlink(missing_ok=True)
    (folder / name).write_text(content)


@change
def sized(folder: Path, name: str, nbytes: int) -> None:
    """A file of so many bytes, which take no room on the disk."""
    with (folder / name).open("ab") as file:
        file.truncate(nbytes)


@change
def replaced(folder: Path, name: str, make: Callable[[Path], object]) -> None:
    """Something else in the place of a file."""
    (folder / name).unlink(missing_ok=True)
    make(folder / name)


def link(name: str, target: str) -> Change:
    """A link in the place of a file."""
    return replaced(name, lambda path: path.symlink_to(target))


@change
def moved_out(folder: Path, name: str) -> None:
    """A file that lies beside the folder, with a link to it."""
    elsewhere = folder.parent.parent / f"elsewhere-{folder.name}"
    elsewhere.mkdir()
    if (folder / name).exists():
        (folder / name).rename(elsewhere / name)
    else:
        (elsewhere / name).write_text("{}")
    (folder / name).symlink_to(elsewhere / name)


@change
def head(folder: Path, edit: Callable[[dict[str, Any]], object]) -> None:
    """Another head before the same bytes of tensors."""
    content = (folder / WEIGHTS).read_bytes()
    (length,) = struct.unpack("<Q", content[:8])
    facts = json.loads(content[8 : 8 + length])
    written = edit(facts)
    new = written if isinstance(written, bytes) else json.dumps(facts).encode()
    (folder / WEIGHTS).write_bytes(struct.pack("<Q", len(new)) + new + content[8 + length :])


@change
def of_head(folder: Path, nbytes: int, size: int) -> None:
    """A file whose first bytes say how long its head is."""
    (folder / WEIGHTS).write_bytes(struct.pack("<Q", nbytes))
    with (folder / WEIGHTS).open("ab") as file:
        file.truncate(size)


def tensor(edit: Callable[[dict[str, Any]], object]) -> Change:
    """Other facts of a tensor in the head."""
    return head(lambda facts: edit(facts["lm_head.weight"]) and None)


def repeated(facts: dict[str, Any]) -> bytes:
    """A head with one name twice."""
    whole = json.dumps(facts)
    return (whole[:-1] + ', "lm_head.weight": ' + json.dumps(facts["lm_head.weight"]) + "}").encode()


def overlapping(facts: dict[str, Any]) -> None:
    """Two tensors of one shape that are the same bytes."""
    of_layer = "model.layers.{}.input_layernorm.weight"
    facts[of_layer.format(1)]["data_offsets"] = facts[of_layer.format(0)]["data_offsets"]


@change
def index(folder: Path, *files: str) -> None:
    """A list of weights that names such files."""
    (folder / WEIGHTS).rename(folder / "part.safetensors")
    names = {f"tensor{at}": file for at, file in enumerate(files)}
    (folder / INDEX).write_text(json.dumps({"weight_map": names}))


def index_pipe(folder: Path) -> None:
    """A list of weights that is a pipe."""
    (folder / WEIGHTS).unlink()
    os.mkfifo(folder / INDEX)


@change
def split(folder: Path, pattern: str) -> None:
    """A tokenizer that splits texts by a regular expression."""
    tokenizer = Tokenizer(models.BPE(vocab={"a": 0, "b": 1, "?": 2}, merges=[], unk_token="?"))
    tokenizer.pre_tokenizer = pre_tokenizers.Split(Regex(pattern), "isolated")
    tokenizer.save(str(folder / TOKENIZER))


MERGES = json.dumps({"model": {"type": "BPE", "merges": ["a a"] * 600_001, "vocab": {"a": 0}}})
NESTED = '{"model_type": "mixtral", "a": ' + "[" * 500 + "]" * 500 + "}"
#: Name of a folder -> how it lies, and words of the one sentence that refuses it.
LIES: dict[str, tuple[Change, str]] = {
    "layers": (config(num_hidden_layers=10**6), "num_hidden_layers is 1,000,000: accepted are numbers up to 10,000"),
    "some-layers": (config(num_hidden_layers=5_000), "is 5,000, but its files hold 2 layers"),
    "few-more-layers": (config(num_hidden_layers=3), "lacks 9 tensors that its config asks for"),
    "experts": (config(num_local_experts=10**9), "num_local_experts is 1,000,000,000: accepted are numbers up to"),
    "some-experts": (config(num_local_experts=90_000), "is 90,000, but no tensor in its files has as many rows"),
    "nearly-experts": (config(num_local_experts=200), "does not fit its config.json"),
    "no-top-k": (config(num_experts_per_tok=0), "num_experts_per_tok is 0: accepted are whole numbers from 1 to 6"),
    "large-top-k": (config(num_experts_per_tok=7), "num_experts_per_tok is 7: accepted are whole numbers from 1 to 6"),
    "true-top-k": (config(num_experts_per_tok=True), "num_experts_per_tok is True"),
    "half-top-k": (config(num_experts_per_tok=1.5), "num_experts_per_tok is 1.5"),
    "negative-experts": (config(num_local_experts=-6), "num_local_experts is -6: accepted are whole numbers from 0"),
    "no-heads": (config(num_attention_heads=0), "num_attention_heads is 0: accepted are whole numbers from 1 on"),
    "odd-heads": (config(num_attention_heads=3, head_dim=None), "does not fit its config.json: .*self_attn"),
    "no-hidden": (config(hidden_size=-16), "hidden_size is -16"),
    "large-hidden": (config(hidden_size=2**24), "hidden_size is 16,777,216, but no tensor in its files has this size"),
    "vocabulary": (config(vocab_size=10**7), "vocab_size is 10,000,000, but no tensor"),
    "huge-number": (config(intermediate_size=10**400), "intermediate_size is a number of 401 digits"),
    "digits": (text(CONFIG, '{"a": ' + "9" * 5_000 + "}"), "a number of too many digits"),
    "not-a-number": (text(CONFIG, '{"model_type": "mixtral", "rms_norm_eps": NaN}'), "rms_norm_eps is nan"),
    "infinite": (config(rope_theta=float("inf")), "rope_theta is inf: accepted are finite numbers"),
    "text-number": (config(num_hidden_layers="2"), "num_hidden_layers is '2'"),
    "list-number": (config(hidden_size=[16, "x"]), "hidden_size is 'x'"),
    "object-number": (config(hidden_size={"a": 1}), "hidden_size is no number"),
    "rope": (config(rope_parameters={"rope_type": "yarn", "factor": "x"}), "cannot be read as a mixtral"),
    "rope-kind": (config(rope_parameters={"rope_type": "no such", "rope_theta": 1.0}), "cannot be read"),
    "activation": (config(hidden_act="no such"), "cannot be read as a mixtral by its config.json"),
    "kernels": (config(dtype="os"), "dtype is 'os': accepted are float32"),
    "positions": (config(max_position_embeddings=0), "max_position_embeddings is 0: accepted are whole numbers from 2"),
    "kind": (config(model_type=["mixtral"]), "no model of the kind that is no name"),
    "nested": (text(CONFIG, NESTED), "more than 16 levels"),
    "deeper": (text(CONFIG, '{"a": ' + "[" * 10**6), "nested too deeply"),
    "large-config": (sized(CONFIG, 60 * MEBIBYTE), "config.json of 62,914,560 bytes: files of up to 4,194,304"),
    "config-pipe": (replaced(CONFIG, os.mkfifo), "config.json is no regular file"),
    "config-folder": (replaced(CONFIG, Path.mkdir), "config.json is no regular file"),
    "config-zeros": (link(CONFIG, "/dev/zero"), "config.json is a link that leads out of the folder"),
    "config-link": (moved_out(CONFIG), "config.json is a link that leads out of the folder"),
    "config-loop": (link(CONFIG, CONFIG), "config.json is a link that leads to no file"),
    "weights-pipe": (replaced(WEIGHTS, os.mkfifo), "model.safetensors is no regular file"),
    "weights-link": (moved_out(WEIGHTS), "model.safetensors is a link that leads out of the folder"),
    "weights-gone": (link(WEIGHTS, "gone"), "model.safetensors is a link that leads to no file"),
    "tokenizer-link": (moved_out(TOKENIZER), "tokenizer.json is a link that leads out of the folder"),
    "tokenizer-pipe": (replaced(TOKENIZER, os.mkfifo), "tokenizer.json is no regular file"),
    "tokenizer-large": (sized(TOKENIZER, 65 * MEBIBYTE), "tokenizer.json of 68,157,440 bytes: files of up to"),
    "tokenizer-split": (split("(a+)+$"), "tokenizer.json that fails on texts of 16,384 characters"),
    "tokenizer-merges": (text(TOKENIZER, MERGES), "too many rules: up to 600,000 merges"),
    "index-up": (index("../good/model.safetensors"), "which is no safetensors file of this folder"),
    "index-absolute": (index("/etc/passwd"), "which is no safetensors file of this folder"),
    "index-gone": (index("part.safetensors", "gone.safetensors"), "lacks 1 of 2 files that"),
    "index-pipe": (index_pipe, "no regular file"),
    "head-length": (of_head(2**63, 4096), "the length of its head is wrong"),
    "head-large": (of_head(100 * MEBIBYTE, 101 * MEBIBYTE), "a head of 104,857,600 bytes: heads of up to"),
    "head-lists": (head(lambda _: b'{"a": [' + b"[]," * 5_000_000 + b"[]]}"), "too many parts"),
    "head-twice": (head(repeated), "has one name twice"),
    "head-overlap": (head(overlapping), "overlap, or have gaps"),
    "head-shape": (tensor(lambda one: one.update(shape=[257, 10**12])), "takes|is not described"),
    "head-size": (tensor(lambda one: one.update(shape=[257, 17])), "has 16,448 bytes, and its shape .* takes 17,476"),
    "head-negative": (tensor(lambda one: one.update(shape=[-257, -16])), "is not described"),
    "head-format": (tensor(lambda one: one.update(dtype="Q4")), "is not described"),
    "head-name": (head(lambda facts: facts.update({"x" * 10**5: facts.pop("lm_head.weight")})), "is not described"),
    "settings": (config(quantization_config={"quant_method": ["gptq"]}), "quantised in a format that is not read"),
}  # fmt: skip
