"""Folders that are opened, and those that are not, each with what it lacks."""

import json
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest
import torch
from safetensors.torch import load_file, save_file
from torch import Tensor
from transformers import AutoConfig, AutoModelForImageTextToText
from transformers.utils import logging

from routescope.nn.adapters.exploring import NotAdaptable
from routescope.nn.adapters.folder import CONFIG, INDEX, TOKENIZER, WEIGHTS, look, open_folder
from routescope.nn.adapters.stored import Unread
from routescope.nn.adapters.transformers import from_transformers, quietly
from routescope.nn.inputs.text import Text
from routescope.routing.caused.pruning import kept_of
from routescope.zoo.pruning import KEEP_LIST, export
from tests.core.nn.adapters.families import BASE, byte_tokenizer, model_of
from tests.core.nn.adapters.lying import change
from tests.core.nn.adapters.lying import config as with_config


def test_a_folder_is_the_model_that_was_saved(folder: Path) -> None:
    seen, messages = look(folder), list[str]()
    model = model_of("mixtral")
    assert seen.nbytes == sum(p.nbytes for p in model.parameters()) and seen.kind == "mixtral"
    network = open_folder(seen, tell=messages.append)
    ids = torch.tensor([[256, *b"some bytes"]])
    with torch.no_grad():
        assert torch.equal(network.logits(ids), model(input_ids=ids).logits)
    assert (network.id, network.revision, len(messages)) == ("mine", seen.revision, 2)
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


@change
def written(folder: Path, name: str, content: bytes) -> None:
    (folder / name).write_bytes(content)


def as_pickle(folder: Path) -> None:
    (folder / WEIGHTS).rename(folder / "pytorch_model.bin")


def cut(folder: Path) -> None:
    (folder / WEIGHTS).write_bytes((folder / WEIGHTS).read_bytes()[:-10])


@change
def changed(folder: Path, edit: Callable[[dict[str, Tensor]], object]) -> None:
    """Weights that are saved again after a change."""
    state = load_file(folder / WEIGHTS)
    edit(state)
    save_file(state, folder / WEIGHTS, {"format": "pt"})


def cut_expert(state: dict[str, Tensor]) -> None:
    name = next(name for name in state if ".experts.3." in name)
    state[name] = state[name][:-1].contiguous()


@change
def in_shards(folder: Path, *kept: int) -> None:
    """Weights in three files, of which only some are there, and an index of all."""
    state, names = load_file(folder / WEIGHTS), [f"model-{part}.safetensors" for part in range(3)]
    (folder / WEIGHTS).unlink()
    index = {name: names[at % 3] for at, name in enumerate(state)}
    for part in kept:
        save_file({name: state[name] for name in state if index[name] == names[part]}, folder / names[part])
    (folder / INDEX).write_text(json.dumps({"weight_map": index}))


@change
def both(folder: Path, *spoils: Callable[[Path], None]) -> None:
    for spoil in spoils:
        spoil(folder)


def twice(folder: Path) -> None:
    in_shards(0, 1, 2)(folder)
    shutil.copy(folder / "model-0.safetensors", folder / "model-1.safetensors")


def leading_out(folder: Path) -> None:
    (folder / WEIGHTS).unlink()
    (folder / INDEX).write_text(json.dumps({"weight_map": {"a": "../mine/other.safetensors"}}))


def without_expert(state: dict[str, Tensor]) -> None:
    for name in [name for name in state if ".0.block_sparse_moe.experts.5." in name]:
        del state[name]


def with_float8(state: dict[str, Tensor]) -> None:
    state["m.weight"] = state["lm_head.weight"].to(torch.float8_e4m3fn)


LFS, CODE = b"version https://git-lfs.github.com/spec/v1\n", {"AutoModelForCausalLM": "own.Model"}
DOWN = "model.layers.0.mlp.experts.down_proj has the shape"


@pytest.mark.parametrize(
    ("spoil", "words"),
    [
        (without(CONFIG), "mine has no config.json"),
        (without(WEIGHTS), "mine has no weights: model.safetensors"),
        (as_pickle, "in pytorch_model.bin, a pickle, which can run code"),
        (written(CONFIG, b"{"), "config.json that is no JSON"),
        (written(CONFIG, b"[]"), "no object with names"),
        (with_config(model_type="mine", auto_map=CODE), "kind 'mine', and code that comes"),
        (with_config(model_type=None), "no model of the kind None"),
        (with_config(model_type="llama"), "LlamaForCausalLM has no routers"),
        (with_config(model_type="switch_transformers"), "a switch_transformers, reads one text and writes another"),
        (with_config(num_local_experts=9), rf"{DOWN} \(6, 16, 12\) in the files and \(9, 16, 12\) .*5 other tensors"),
        (with_config(vocab_size=20), r"lm_head.weight has the shape \(257, 16\) .* \(20, 16\) by the config"),
        (
            changed(lambda state: state.pop("lm_head.weight")),
            "lacks 1 tensors .*weight. Set tie_word_embeddings",
        ),
        (changed(lambda state: state.pop("model.norm.weight")), "lacks 1 tensors .* such as model.norm.weight$"),
        (changed(without_expert), rf"{DOWN} \(5, 16, 12\) in the files"),
        (changed(cut_expert), r"experts.3.w1.weight .* \(11, 16\), and the same matrix of most experts .* \(12, 16\)"),
        (in_shards(0, 2), "lacks 1 of 3 files that model.safetensors.index.json names, such as model-1.safetensors"),
        (twice, "model-0.safetensors and model-1.safetensors both have a tensor"),
        (
            both(in_shards(0, 1), without(INDEX)),
            "no weights: .*; it has model-0.safetensors, model-1.safetensors",
        ),
        (written(WEIGHTS, LFS), "pointer of Git LFS.*run git lfs pull"),
        (both(without(WEIGHTS), written("mine.Q4_K_M.gguf", b"GGUF")), "mine.Q4_K_M.gguf is a GGUF file"),
        (both(without(CONFIG), written("adapter_config.json", b"{}")), "is an adapter .*merge_and_unload"),
        (changed(with_float8), "has quantised weights .m.weight, F8_E4M3. and no quantization_config"),
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


def test_what_heads_show_is_refused_before_weights_are_read(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("routescope.nn.adapters.folder._loaded", lambda _: pytest.fail("weights are read"))
    with_config(num_local_experts=9)(folder)
    with pytest.raises(NotAdaptable, match="does not fit"):
        open_folder(folder)
    model_of("mixtral", vocab_size=1000).save_pretrained(folder)
    with pytest.raises(NotAdaptable, match="mine, a mixtral, knows 1,000 tokens, which are no bytes"):
        open_folder(folder)


def test_a_folder_is_opened_by_its_path_and_its_context_is_bounded(folder: Path) -> None:
    for path in (folder, str(folder)):
        network = open_folder(path, context=7)
        assert network.id == "mine" and network.config.context == 7
    with pytest.raises(TypeError):
        open_folder(3)  # type: ignore[arg-type]
    with pytest.raises(NotAdaptable, match="tiny.gguf is a GGUF file, which is not read"):
        open_folder("tiny.gguf")


@pytest.mark.parametrize("separate", [True, False])
def test_tied_embeddings_are_read_once(folder: Path, separate: bool) -> None:
    """Also where the files have the output's weights all the same, as some programs write them."""

    def tie(state: dict[str, Tensor]) -> None:
        state["lm_head.weight"] = state["model.embed_tokens.weight"].clone()
        if not separate:
            del state["lm_head.weight"]

    changed(tie)(folder)
    with_config(tie_word_embeddings=True)(folder)
    network = open_folder(folder)
    assert torch.equal(network.module.lm_head.weight, network.module.model.embed_tokens.weight)
    assert look(folder).plan.nbytes == sum(p.nbytes for p in network.parameters())


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


VISION = {
    **dict.fromkeys(("hidden_size", "intermediate_size", "out_hidden_size", "num_position_embeddings"), 16),
    "depth": 1,
    "num_heads": 2,
    "patch_size": 4,
    "deepstack_visual_indexes": [0],
}
TEXT = {
    **BASE,
    "num_experts": 6,
    "num_experts_per_tok": 2,
    "moe_intermediate_size": 12,
    "shared_expert_intermediate_size": 12,
    "linear_num_key_heads": 2,
    "linear_num_value_heads": 2,
    **dict.fromkeys(("head_dim", "linear_key_head_dim", "linear_value_head_dim"), 8),
    "layer_types": ["linear_attention", "full_attention"],
    "rope_parameters": {
        "rope_type": "default",
        "rope_theta": 10000.0,
        "mrope_section": [2, 1, 1],
        "mrope_interleaved": True,
        "partial_rotary_factor": 1.0,
    },
}


def test_parts_that_are_not_read_are_named_and_not_written(tmp_path: Path) -> None:
    """The text part of a multimodal folder, with a head that predicts further tokens."""
    folder, messages = tmp_path / "mine", list[str]()
    torch.manual_seed(0)
    parts = {"text_config": TEXT, "vision_config": VISION}
    model = AutoModelForImageTextToText.from_config(AutoConfig.for_model("qwen3_5_moe", **parts)).eval()
    model.save_pretrained(folder)
    vision = [tensor for name, tensor in model.state_dict().items() if "visual" in name]
    changed(lambda state: state.update({"mtp.fc.weight": torch.zeros(4, 8), "mtp.norm.weight": torch.zeros(4)}))(folder)
    network = open_folder(folder, tell=messages.append)
    assert network.unread == (
        Unread("vision tower", len(vision), sum(tensor.nbytes for tensor in vision)),
        Unread("multi-token prediction (MTP)", 2, 4 * 36),
    )
    words = f"vision tower ({len(vision)} tensors, 34,944 bytes), multi-token prediction (MTP) (2 tensors, 144 bytes)"
    assert messages[1] == f"Not read: {words}"
    ids = torch.tensor([[256, *b"some bytes"]])
    assert torch.equal(network.logits(ids), model(input_ids=ids).logits)
    keep = kept_of(network, [f"l{layer}.e{expert}" for layer in (1, 2) for expert in range(1, 7)], 0.8)
    pruned = export(network, keep, tmp_path / "pruned")
    assert json.loads((pruned / KEEP_LIST).read_text())["not_written"] == words
    assert open_folder(pruned).unread == ()


def test_layers_after_the_last_predict_further_tokens(folder: Path) -> None:
    """DeepSeek stores them so; tensors of unknown parts are counted by the start of their names."""
    extra = {"model.layers.2.eh_proj.weight": torch.zeros(3), "aligner.layers.0.weight": torch.zeros(2)}
    changed(lambda state: state.update({**extra, "model.rotary_emb.inv_freq": torch.zeros(1)}))(folder)
    assert look(folder).plan.unread == (Unread("multi-token prediction (MTP)", 1, 12), Unread("aligner", 1, 8))


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
