"""Routing logs of every format, read as they were written, and refused where damaged; keep-lists of other tools."""

import base64
import io
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st
from safetensors.torch import save_file

from routescope.nn.mixture.config import MixtureConfig
from routescope.nn.mixture.network import MixtureNetwork
from routescope.routing.caused.pruning import KeepList, KeptLayer
from routescope.routing.logs import LogError, Reading, RoutingLog, Source, read_log, recognised
from routescope.routing.logs.facts import evenness, facts_of
from routescope.routing.logs.keep_lists import KeepListError, dropped_by
from routescope.routing.logs.parquet import write_parquet
from tests.core.routing.logs import writers
from tests.core.routing.logs.writers import drawn, flat, megatron, npy

LAYERS, SLOTS, EXPERTS = 3, 2, 6


def pickles() -> bytes:
    """What `torch.save` writes."""
    file = io.BytesIO()
    torch.save({"router_logits": torch.zeros(2, 3)}, file)
    return file.getvalue()


SAID = Reading(top_k=SLOTS, experts=EXPERTS)

WRITERS: dict[str, tuple[Callable[[Path, list[np.ndarray]], None], Reading]] = {
    "vLLM": (writers.write_vllm, Reading(experts=EXPERTS)),
    "vLLM 0.21": (writers.write_vllm_lists, Reading(experts=EXPERTS)),
    "SGLang": (writers.write_sglang, SAID),
    "SGLang, as OpenAI": (writers.write_sglang_openai, Reading(top_k=SLOTS, layers=LAYERS, experts=EXPERTS)),
    "Megatron-core": (writers.write_megatron, Reading(experts=EXPERTS)),
    "CSV": (writers.write_table, Reading(experts=EXPERTS)),
}


@pytest.mark.parametrize("name", WRITERS)
def test_what_was_written_is_read(name: str, tmp_path: Path) -> None:
    write, reading = WRITERS[name]
    parts = [drawn(tokens, seed=seed) for seed, tokens in enumerate((4, 3, 7))]
    write(tmp_path / "log", parts)
    log = read_log(tmp_path / "log", reading)
    assert log.source.format == name.split(" ")[0].rstrip(",")
    np.testing.assert_array_equal(log.experts, np.concatenate(parts))
    assert log.experts.dtype == np.int16
    assert log.sequence.tolist() == [0] * 4 + [1] * 3 + [2] * 7
    assert log.layers == ("l1", "l2", "l3")
    assert (log.num_experts, log.counted) == (EXPERTS, False)
    again = read_log(write_parquet(log, tmp_path / "log.parquet"))
    np.testing.assert_array_equal(again.experts, log.experts)
    facts = ("source", "layers", "indices", "sequences", "notes")
    assert [getattr(again, fact) for fact in facts] == [getattr(log, fact) for fact in facts]


def logits_of(tokens: int, seed: int = 0) -> np.ndarray:
    return np.random.default_rng(seed).normal(size=(LAYERS, tokens, EXPERTS)).astype(np.float32)


def slowly(logits: np.ndarray) -> tuple[list[int], list[float], float]:
    """The best experts of a token, their softmax, and how far the last of them is above the next."""
    order = sorted(range(EXPERTS), key=lambda e: -logits[e])
    whole = sum(np.exp(float(logit)) for logit in logits)
    best = order[:SLOTS]
    weights = [float(np.exp(float(logits[e])) / whole) for e in best]
    return best, weights, float(logits[order[SLOTS - 1]] - logits[order[SLOTS]])


@pytest.mark.parametrize("kind", ["npz", "npz stacked", "safetensors", "safetensors stacked"])
def test_router_logits_become_choices(kind: str, tmp_path: Path) -> None:
    logits = logits_of(6)
    mask, ids = np.array([[1, 1, 1], [1, 1, 0]]), np.arange(10, 16).reshape(2, 3)
    if "stacked" in kind:
        arrays = {"router_logits": logits.reshape(LAYERS, 2, 3, EXPERTS)}
    else:
        arrays = {f"router_logits.{layer}": logits[layer] for layer in range(LAYERS)}
    path = tmp_path / "log"
    every: dict[str, Any] = arrays | {"attention_mask": mask, "input_ids": ids}
    if kind.startswith("npz"):
        with path.open("wb") as file:
            np.savez(file, **every)
    else:
        save_file({name: torch.from_numpy(array) for name, array in every.items()}, path, {"top_k": str(SLOTS)})
    log = read_log(path, Reading(top_k=SLOTS) if kind.startswith("npz") else None)
    assert len(log) == 5, "padding is no token"
    assert log.token_ids is not None and log.token_ids.tolist() == [10, 11, 12, 13, 14]
    assert log.sequence.tolist() == [0, 0, 0, 1, 1]
    assert log.weights is not None and log.margin is not None and log.margin_of == "logits"
    for token in range(5):
        for layer in range(LAYERS):
            best, weights, margin = slowly(logits[layer, token])
            assert log.experts[token, layer].tolist() == best
            np.testing.assert_allclose(log.weights[token, layer], weights, atol=1e-3)
            assert log.margin[token, layer] == pytest.approx(margin, abs=1e-5)


def test_bfloat16_logits_are_read(tmp_path: Path) -> None:
    save_file({"layers.4.gate": torch.tensor([[1.0, 3.0, 2.0]], dtype=torch.bfloat16)}, tmp_path / "log")
    log = read_log(tmp_path / "log", Reading(top_k=1))
    assert (log.layers, log.indices, log.experts.tolist()) == (("l5",), (4,), [[[1]]])


def test_probabilities_are_told_from_logits(tmp_path: Path) -> None:
    np.savez(tmp_path / "log.npz", router_logits=np.array([[[0.6, 0.3, 0.1]]], dtype=np.float32))
    log = read_log(tmp_path / "log.npz", Reading(top_k=1))
    assert log.margin_of == "probabilities" and "probabilities" in log.notes[0]
    assert log.weights is not None and log.weights[0, 0, 0] == np.float16(0.6)


# -- what formats leave open -------------------------------------------------------------------------------


def test_llama_cpp_computes_its_last_layer_for_outputs_alone(tmp_path: Path) -> None:
    experts = drawn(5)
    lines = ["layer,expert"]
    for layer in range(LAYERS):
        tokens = range(5) if layer < LAYERS - 1 else [3, 4]
        lines += [f"{layer},{expert}" for token in tokens for expert in experts[token, layer]]
    (tmp_path / "log.csv").write_text("\n".join(lines))
    log = read_log(tmp_path / "log.csv", SAID)
    wanted = experts.copy()
    wanted[:3, -1] = -1
    np.testing.assert_array_equal(log.experts, wanted)
    assert any("2 of 5 tokens" in note for note in log.notes)


def test_weights_of_a_csv_are_read(tmp_path: Path) -> None:
    (tmp_path / "log.csv").write_text("token,layer,expert,weight\n0,7,3,0.75\n0,7,1,0.25\n")
    log = read_log(tmp_path / "log.csv")
    assert log.weights is not None and log.weights.tolist() == [[[0.75, 0.25]]]
    assert (log.indices, log.num_experts, log.counted) == ((7,), 4, True)


def test_slots_that_were_never_written_are_none(tmp_path: Path) -> None:
    experts = drawn(3)
    experts[1] = 0
    writers.write_vllm(tmp_path / "log", [experts])
    log = read_log(tmp_path / "log")
    assert (log.experts[1] == -1).all() and log.missing() == pytest.approx(1 / 3)
    assert any("not recorded" in note for note in log.notes)


def test_microbatches_of_a_step_are_sequences_of_their_own(tmp_path: Path) -> None:
    parts = drawn(2, seed=1), drawn(3, seed=2)
    (tmp_path / "log").write_text("".join(map(megatron, parts)))
    log = read_log(tmp_path / "log")
    assert log.sequences == ("rank0.step0.0", "rank0.step0.1")
    np.testing.assert_array_equal(log.experts, np.concatenate(parts))


def test_heads_that_predict_further_tokens_have_layers_of_their_own(tmp_path: Path) -> None:
    record = {"step": 0, "layer": 0, "rank": 0, "num_tokens": 1, "topk": 1, "top_indices": [[2]]}
    heads = [record | {"block": "decoder"}, record | {"block": "mtp", "mtp_idx": 0}]
    (tmp_path / "log").write_text("\n".join(map(json.dumps, heads)))
    assert read_log(tmp_path / "log").layers == ("l1", "mtp1.l1")


def test_tokens_of_prompt_and_answer_are_named(tmp_path: Path) -> None:
    choice = {"routed_experts": npy(drawn(4)), "prompt_token_ids": [5, 6, 7], "token_ids": [8, 9]}
    (tmp_path / "log").write_text(json.dumps({"id": "x", "choices": [choice]}))
    log = read_log(tmp_path / "log")
    assert log.token_ids is not None and log.token_ids.tolist() == [5, 6, 7, 8]


# -- refusals ----------------------------------------------------------------------------------------------

RECORD = {"step": 0, "layer": 0, "rank": 0, "num_tokens": 1, "topk": 2, "top_indices": [[1, 2]]}
RESPONSE = {"id": "x", "choices": [{"routed_experts": [[[1, 2]]]}]}


def changed(record: dict[str, Any], **fields: object) -> str:
    return json.dumps(record | fields)


def lines(*texts: str) -> bytes:
    return "\n".join(texts).encode()


def answer(value: object) -> str:
    return json.dumps({"choices": [{"routed_experts": value}]})


def header(shape: tuple[int, ...]) -> str:
    """An array of so many numbers, of which there is none."""
    messages = repr({"descr": "|u1", "fortran_order": False, "shape": shape}).encode() + b"\n"
    return base64.b64encode(b"\x93NUMPY\x01\x00" + len(messages).to_bytes(2, "little") + messages).decode()


HUGE = header((9_999_999_999, 9, 9))

DAMAGED: dict[str, tuple[bytes, Reading, str]] = {
    "empty": (b"", Reading(), "it is empty"),
    "text": (b"hello world", Reading(), "Read are vLLM responses"),
    "gzip": (b"\x1f\x8b\x08 and more", Reading(), "unpack it first"),
    "UTF-16": ('{"routed_experts": 1}\n'.encode("utf-16"), Reading(), "it is UTF-16 text; save it as UTF-8"),
    "a pickle": (b"\x80\x04\x95 and more", Reading(), "never read"),
    "an archive of pickles": (pickles(), Reading(), "no npz: it looks like a pickle, which is never read"),
    "an answer of no tokens": (json.dumps({"choices": [{"routed_experts": []}]}).encode(), Reading(), "is empty"),
    "other JSON": (b'{"loss": 1.5}', Reading(), 'has "loss"'),
    "no experts": (b'{"choices": [{"text": "x"}]}', Reading(), "--enable-return-routed-experts"),
    "cut JSON": (lines(json.dumps(RECORD), changed(RECORD, step=1)[:-9]), Reading(), "line 2: no JSON"),
    "cut document": (json.dumps(RESPONSE, indent=1).encode()[:-5], Reading(), "no JSON at column"),
    "NaN": (changed(RECORD, top_indices=[[1, float("nan")]]).encode(), Reading(), "NaN"),
    "fractions": (changed(RECORD, top_indices=[[1, 2.5]]).encode(), Reading(), "whole numbers, not fractions"),
    "ragged": (changed(RECORD, top_indices=[[1, 2], [3]]).encode(), Reading(), "line 1: lists within a list"),
    "too deep": (b'{"choices": ' + b"[" * 100_000, Reading(), "too deep"),
    "other size": (changed(RECORD, num_tokens=7).encode(), Reading(), "line 1: top_indices are 1 x 2"),
    "out of range": (lines(json.dumps(RECORD), changed(RECORD, step=1, top_indices=[[1, 9]])), Reading(experts=8),
                     "line 2: token 0 takes expert 9"),
    "negative": (changed(RECORD, top_indices=[[1, -2]]).encode(), Reading(), "expert -2"),
    "too large": (changed(RECORD, top_indices=[[1, 40_000]]).encode(), Reading(), "expert 40000"),
    "twice": (changed(RECORD, top_indices=[[3, 3]]).encode(), Reading(), "takes expert 3 twice"),
    "missing layer": (lines(json.dumps(RECORD), changed(RECORD, layer=1), changed(RECORD, step=1)), Reading(),
                      "line 3: rank0.step1 has 1 records of 1 layers"),
    "step again": (lines(json.dumps(RECORD), changed(RECORD, step=1), json.dumps(RECORD)), Reading(), "line 3: step 0"),
    "base64": (lines(json.dumps(RESPONSE), answer("k05VTVBZ*")), Reading(), "line 2, choice 0: experts are no base64"),
    "cut numpy": (answer(npy(drawn(3))[:-16]).encode(), Reading(), "bytes, not"),
    "huge numpy": (answer(HUGE).encode(), Reading(), "bytes, not 0"),
    "no header": (answer(base64.b64encode(b"\x93NUMPY\x01\x00\x09\x00{'descr': ").decode()).encode(), Reading(),
                  "no array of numpy"),
    "other layers": (lines(json.dumps(RESPONSE), answer([[[1, 2], [3, 4]]])), Reading(), "line 2, choice 0: 2 layers"),
    "no top_k": (json.dumps({"meta_info": {"routed_experts": flat(drawn(2))}}).encode(), Reading(), "--top-k"),
    "no count": (json.dumps({"meta_info": {"routed_experts": flat(drawn(2))}}).encode(), SAID, "--layers"),
    "other top_k": (lines(json.dumps(RESPONSE)), Reading(top_k=3), "and 3 was given"),
    "limit": (lines(json.dumps(RESPONSE)), Reading(limit=3), "more than 3 bytes"),
    "CSV short row": (b"layer,expert\n0,1\n0\n", Reading(top_k=1), "line 3 has 1 fields"),
    "CSV no number": (b"layer,expert\n0,1\n0,x\n", Reading(top_k=1), "line 3: expert is a number, not 'x'"),
    "CSV range": (b"layer,expert\n0,1\n0,9\n", Reading(top_k=1, experts=8), "line 3: expert is from 0 to 7, not 9"),
    "CSV NaN": (b"token,layer,expert,weight\n0,0,1,nan\n", Reading(), "line 2: a weight is a finite number"),
    "CSV no tokens": (b"layer,expert\n0,1\n", Reading(), "--top-k"),
    "CSV half a token": (b"layer,expert\n0,1\n", Reading(top_k=2), "no whole tokens of 2"),
    "CSV early layer short": (b"layer,expert\n0,1\n1,1\n1,2\n", Reading(top_k=1), "layers have 1 to 2 tokens"),
    "CSV header alone": (b"layer,expert\n", Reading(top_k=1), "no row"),
    "CSV no text": (b"layer,expert\n\xff,1\n", Reading(top_k=1), "line"),
    "no npz": (b"PK\x03\x04 and more", Reading(top_k=1), "no whole npz"),
    "no parquet": (b"PAR1 and more", Reading(), "no whole parquet"),
    "no trace": (b"\x89HDF\r\n\x1a\n and more", Reading(), "no trace"),
    "no safetensors": (b"\x04\x00\x00\x00\x00\x00\x00\x00{}  ", Reading(top_k=1), "router logits are an array"),
}  # fmt: skip


@pytest.mark.parametrize("name", DAMAGED)
def test_damage_is_told_with_its_place(name: str, tmp_path: Path) -> None:
    content, reading, wanted = DAMAGED[name]
    (tmp_path / "log").write_bytes(content)
    with pytest.raises(LogError) as caught:
        read_log(tmp_path / "log", reading)
    assert wanted in str(caught.value)


@settings(max_examples=60, deadline=None)
@given(st.binary(max_size=60), st.integers(0, 2**16), st.sampled_from(sorted(WRITERS)))
def test_no_damage_ends_otherwise_than_in_words(
    tmp_path_factory: pytest.TempPathFactory, noise: bytes, place: int, name: str
) -> None:
    path = tmp_path_factory.mktemp("damaged") / "log"
    write, reading = WRITERS[name]
    write(path, [drawn(4)])
    content = path.read_bytes()
    at = place % len(content)
    path.write_bytes(content[:at] + noise + content[at + len(noise) :])
    try:
        log = read_log(path, reading)
    except LogError:
        return
    assert log.experts.max() < EXPERTS


def test_what_no_array_of_logits_may_hold(tmp_path: Path) -> None:
    for wrong in (np.nan, np.inf):
        logits = logits_of(4)
        logits[1, 2, 3] = wrong
        np.savez(tmp_path / "log.npz", router_logits=logits)
        with pytest.raises(LogError, match="layer 1: token 2 has a logit that is NaN"):
            read_log(tmp_path / "log.npz", SAID)
    np.savez(tmp_path / "log.npz", router_logits=np.array([{}], dtype=object))
    with pytest.raises(LogError, match="objects are not read"):
        read_log(tmp_path / "log.npz", SAID)


def test_a_log_says_what_it_is_by_its_content(tmp_path: Path) -> None:
    writers.write_vllm(tmp_path / "misleading.csv", [drawn(2)])
    assert recognised(tmp_path / "misleading.csv").startswith("vLLM")


# -- what is in a log --------------------------------------------------------------------------------------


def small(experts: list[list[list[int]]]) -> RoutingLog:
    made = np.array(experts, dtype=np.int16).reshape(len(experts), -1, 2)
    return RoutingLog(
        Source("test", "1", "log"), ("l1", "l3"), (0, 2), 3, made, np.zeros(len(made), dtype=np.int32), ("0",)
    )


def test_facts_count_what_tokens_took() -> None:
    facts = facts_of(small([[[0, 1], [2, -1]], [[0, 2], [2, -1]], [[0, 1], [-1, -1]]]))
    first, last = facts["layers"]
    assert [(item["unit"], item["index"], item["count"]) for item in first["most_used"]] == [
        ("l1.e1", 0, 3), ("l1.e2", 1, 2), ("l1.e3", 2, 1)
    ]  # fmt: skip
    assert (last["layer"], last["index"], last["tokens"], last["never_used"]) == ("l3", 2, 2, 2)
    assert [evenness(np.array(counts)) for counts in ([5, 5, 5, 5], [7, 0], [1, 1, 0, 0])] == pytest.approx([1, 0, 0.5])
    assert last["evenness"] == 0.0 and facts["missing"] == pytest.approx(1 / 6)


def test_a_log_is_whole() -> None:
    with pytest.raises(LogError, match="tokens, layers and experts"):
        RoutingLog(
            Source("test", "1", "log"), (), (), 3, np.zeros((0, 0, 0), dtype=np.int16), np.zeros(0, np.int32), ()
        )
    with pytest.raises(LogError, match="takes expert 1 twice at layer 1"):
        small([[[0, 1], [1, 1]]])
    with pytest.raises(LogError, match="there are 3"):
        small([[[0, 3], [1, 2]]])


MODEL = MixtureNetwork(MixtureConfig(context=8, layers=2, features=16, heads=2, experts=4, hidden=4))
KEPT = KeepList((KeptLayer("l1", 0, 4, (1, 2)), KeptLayer("l2", 1, 4, (0, 1, 3))), {"order": "tokens"})
GONE = {"l1.e1", "l1.e4", "l2.e3"}
KEEP, DROP = {"0": [2, 1], "1": [3, 0, 1]}, {"0": [0, 3], "1": [2]}

#: Files that say the same as ``KEPT``.
FILES = {
    "lines of vllm-ascend": '{"0":[2,1]}\n{"1":[3,0,1]}\n',
    "one object": json.dumps(KEEP, indent=1),
    "names of modules": json.dumps({f"model.layers.{layer}.mlp": kept for layer, kept in KEEP.items()}),
    "a profile that keeps": json.dumps({"version": 1, "model": "m", "kept_experts": KEEP}),
    "a profile that prunes": json.dumps({"version": 1, "model": "m", "workload": "w", "pruned_experts": DROP}),
    "a profile by layer": json.dumps(
        {"version": 1, "layers": {layer: {"prune": gone} for layer, gone in DROP.items()}}
    ),
    "a profile with a list of layers": json.dumps({"layers": [{"layer": int(i), "keep": k} for i, k in KEEP.items()]}),
    "a profile whose lists have no name": json.dumps({"version": 1, "layers": KEEP}),
    "masks": json.dumps({"0": [0, 1, 1, 0], "1": [True, True, False, True]}),
    "ours": KEPT.to_json(),
    "ours in lines": KEPT.to_lines(),
    "names of units": "# least used\nl1.e1, l1.e4\nl2.e3\n",
}


@pytest.mark.parametrize("name", FILES)
def test_a_keep_list_is_read_as_the_units_that_it_drops(name: str, tmp_path: Path) -> None:
    for encoding in ("utf-16", "utf-8-sig", "utf-8"):
        (tmp_path / "file").write_text(FILES[name], encoding)
        messages: list[str] = []
        assert set(dropped_by(tmp_path / "file", MODEL, messages.append)) == GONE
    unnamed = name in ("lines of vllm-ascend", "one object", "names of modules", "masks", "ours in lines")
    assert any("taken for those that stay" in line for line in messages) == (unnamed or "no name" in name)
    if name != "names of units":
        with pytest.raises(LogError, match="is a keep-list.*--drop @file"):
            read_log(tmp_path / "file")


REFUSED = {
    "an order of all": ('{"0":[2,1,0,3]}\n{"1":[3,0,1,2]}\n', "as an order does, and drops none"),
    "another layer": ('{"5":[1]}', "lists layer 5; layers with experts are 0, 1"),
    "another expert": ('{"0":[106,65]}', "layer 0 lists expert 106; it has 4"),
    "an expert twice": ('{"0":[1,1,2]}', "lists an expert twice"),
    "a layer twice": ('{"0":[1]}\n{"0":[2]}', "listed twice"),
    "other JSON": ('{"loss": 1.5}', "names no experts; a keep-list is JSON of layer"),
    "nothing": ("", "names no experts"),
}


@pytest.mark.parametrize("name", REFUSED)
def test_a_file_of_another_model_is_refused_with_what_is_accepted(name: str, tmp_path: Path) -> None:
    text, words = REFUSED[name]
    (tmp_path / "file").write_text(text)
    with pytest.raises(KeepListError, match=words):
        dropped_by(tmp_path / "file", MODEL, lambda _: None)
