"""Logs that leave something open: each kind is read with what was assumed, or refused; options say otherwise."""

import json
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from routescope.routing.logs import LogError, Reading, RoutingLog, read_log
from routescope.routing.logs.facts import facts_of
from routescope.routing.logs.parquet import write_parquet
from tests.core.routing.logs.writers import drawn, flat, megatron, saved, sglang, table, vllm, zipped


def events(documents: list[dict[str, Any]]) -> str:
    """A stream as a server sends it and `curl` saves it."""
    return "".join(f"data: {json.dumps(document)}\n\n" for document in documents) + "data: [DONE]\n\n"


def delta(experts: np.ndarray | None, identity: str = "s") -> dict[str, Any]:
    """An event of a chat."""
    routed = {} if experts is None else {"routed_experts": experts.tolist()}
    change = {"index": 0, "delta": {"content": "x", **routed}}
    return {"id": identity, "object": "chat.completion.chunk", "choices": [change]}


def of_ranks(*ranks: np.ndarray, layers: tuple[int, ...] = (0, 0)) -> str:
    """Router traces of some ranks, one after the other; ``layers`` is the first layer of each."""
    return "".join(megatron(experts, 0, rank, layers[rank]) for rank, experts in enumerate(ranks))


def with_slot(experts: np.ndarray, *values: int) -> np.ndarray:
    """The experts with one more slot for each value, which holds it for every token."""
    more = [np.full((*experts.shape[:2], 1), value) for value in values]
    return np.concatenate([experts, *more], axis=2)


def marked(experts: np.ndarray, value: int, *tokens: int) -> np.ndarray:
    """The experts, with a value in all slots of some tokens at the second layer."""
    made = experts.copy()
    made[list(tokens), 1] = value
    return made


SMALL, WIDE, TEXT = drawn(5, 3, 2, 6), drawn(40, 3, 4, 256, 3), drawn(29, 2, 2, 8, 4)
IDS = list(range(100, 130))
STAGES = drawn(5, 2, seed=1), drawn(5, 2, seed=2)
SCORES = 1 / (1 + np.exp(-np.random.default_rng(0).standard_normal((2, 4, 8)).astype(np.float32)))
COUNTS = "layer_id,expert_id,count\n0,0,10\n0,3,5\n1,1,15\n"
OF_RANKS = "layer_id,expert_id,count,rank\n0,0,10,0\n0,3,5,0\n0,0,10,1\n0,3,5,1\n"


def turns(with_ids: bool) -> str:
    """A conversation of three requests, each of which repeats the text so far."""
    lines = []
    for prompt, answer in ((6, 4), (15, 5), (26, 4)):
        end = prompt + answer
        ids = {"prompt_token_ids": IDS[:prompt], "token_ids": IDS[prompt:end]} if with_ids else {}
        lines.append(vllm(TEXT[: end - 1], f"turn{prompt}", **ids))
    return "\n".join(lines)


@dataclass(frozen=True)
class Kind:
    """A file, and what is read of it.

    Attributes:
        sizes: tokens, layers, experts and slots; the number of experts alone where ``experts`` has the others.
        assumed: words of what must be assumed.
        experts: what is read, where it is not clear from the sizes.
    """

    content: str | bytes
    reading: dict[str, Any]
    sizes: tuple[int, int, int, int] | int
    assumed: tuple[str, ...] = ()
    experts: np.ndarray | None = field(default=None, repr=False)


#: Kinds by name; the same file with another reading must be read otherwise, and stands beside it.
KINDS = {
    "B11 counts are a load": Kind(COUNTS, {}, (0, 2, 4, 0), ("4 assumed, the highest seen (--experts)",)),
    "B11 counts with the number of experts": Kind(COUNTS, {"experts": 8}, (0, 2, 8, 0)),
    "B11 counts without layers": Kind("expert_id,count\n0,3\n5,4\n", {}, (0, 1, 6, 0), ("one layer",)),
    "B11 counts of data ranks": Kind(OF_RANKS, {"ranks": "data"}, (0, 1, 4, 0), ("counts are added",)),
    "B11 counts of tensor ranks": Kind(OF_RANKS, {"ranks": "tensor"}, (0, 1, 4, 0), ("counted once",)),
    "B11 counts of tensor ranks in another order": Kind(
        "layer_id,expert_id,count,rank\n0,0,10,0\n0,3,5,0\n0,3,5,1\n0,0,10,1\n", {"ranks": "tensor"}, (0, 1, 4, 0),
        ("counted once",)),
    "B11 counts of stages": Kind(OF_RANKS, {"ranks": "pipeline"}, (0, 2, 4, 0), ("follow each other",)),
    "B11 counts of SGLang's recorder": Kind(
        zipped(logical_count=np.arange(24).reshape(3, 2, 4)), {}, (0, 2, 4, 0), ("3 steps are added",)),
    "B12 some tokens that were not recorded": Kind(
        vllm(marked(SMALL, 0, 2, 3)), {}, 6, ("2 tokens and layers all slots are 0",), marked(SMALL, -1, 2, 3)),
    "padding that trainers fill in": Kind(
        vllm(np.concatenate([WIDE, np.tile(np.arange(4), (6, 3, 1))])), {}, (46, 3, 256, 4),
        ("6 tokens take experts 0 to 3 in this order",)),
    "8 bits for more experts than they number": Kind(
        vllm(WIDE.astype(np.uint8)), {"experts": 512}, 512, ("in 8 bits, which number 256",), WIDE),
    "counts that are written as fractions": Kind("layer_id,expert_id,count\n0,2,3.0\n", {}, (0, 1, 3, 0)),
    "a layer that was not recorded": Kind(
        vllm(np.concatenate([np.zeros_like(SMALL[:, :1]), SMALL], axis=1)), {}, 6,
        ("At layer 0 (from 0) nothing was recorded",), SMALL),
    "B13 255 in 8 bits": Kind(
        vllm(marked(SMALL, 255, 2).astype(np.uint8)), {}, 6, ("255 stands several times",), marked(SMALL, -1, 2)),
    "255 of few experts, alone in a slot": Kind(
        vllm(np.where(SMALL == 5, 255, SMALL).astype(np.uint8)), {}, (5, 3, 256, 2), ("--experts 5",)),
    "255 of few experts, whose number is given": Kind(
        vllm(np.where(SMALL == 5, 255, SMALL).astype(np.uint8)), {"experts": 5}, 5, ("255 stands in",),
        np.where(SMALL == 5, -1, SMALL)),
    "slots that the server never fills": Kind(
        vllm(with_slot(SMALL, 255, 255).astype(np.uint8)), {}, 6, ("slot 3, 4 of 4, which is left out",), SMALL),
    "one past the end": Kind(
        vllm(marked(WIDE, 256, 4, 5)), {}, 256, ("256 is one past the largest expert",), marked(WIDE, -1, 4, 5)),
    "one past the end of a known number": Kind(
        vllm(np.where(SMALL == 5, 6, SMALL)), {"experts": 6}, 6, ("6 is one past the last expert",),
        np.where(SMALL == 5, -1, SMALL)),
    "B14 a fused shared expert": Kind(
        vllm(with_slot(WIDE, 256)), {}, (40, 3, 257, 5),
        ("leave it out by the number of routed experts (--experts 256)",)),
    "B14 a fused shared expert that is left out": Kind(
        vllm(with_slot(WIDE, 256)), {"experts": 256}, 256, ("fused shared expert", "slot 5 of 5"), WIDE),
    "B14 two fused shared experts that are left out": Kind(
        vllm(with_slot(WIDE, 256, 257)), {"experts": 256}, 256, ("slot 5, 6 of 6",), WIDE),
    "B14 a shared expert that is kept": Kind(vllm(with_slot(WIDE, 256)), {"experts": 257}, (40, 3, 257, 5)),
    "B15 signed 8 bits": Kind(
        vllm(marked(SMALL, -1, 2).astype(np.int8)), {}, 6, ("-1 stands in 2 slots",), marked(SMALL, -1, 2)),
    "B15 signed 8 bits in a file": Kind(
        saved(marked(SMALL, -1, 2).astype(np.int8)), {}, 6, ("(token, layer, slot): 3 layers", "--layers 5"),
        marked(SMALL, -1, 2)),
    "a file of (layer, token, slot)": Kind(
        saved(np.moveaxis(SMALL, 1, 0).copy()), {"layers": 3}, 6, ("(layer, token, slot): 3 layers",), SMALL),
    "-1 in unsigned 16 bits": Kind(
        vllm(marked(SMALL, -1, 2).astype(np.uint16)), {}, 6, ("-1 stands in 2 slots",), marked(SMALL, -1, 2)),
    "experts of a batch": Kind(
        zipped(routed_experts=SMALL[None].repeat(2, 0), attention_mask=np.array([[1] * 5, [0, 0, 1, 1, 1]])), {}, 6,
        ("(batch, token, layer, slot)",), np.concatenate([SMALL, SMALL[2:]])),
    "B16 events that have parts": Kind(
        events([delta(None), delta(SMALL[:3]), delta(None), delta(SMALL[3:4]), delta(SMALL[4:])]), {}, 6,
        ("joined in their order",), SMALL),
    "B16 events that repeat what was before": Kind(
        events([delta(SMALL[:2]), delta(SMALL[:4]), delta(SMALL)]), {}, 6, ("the last event is read",), SMALL),
    "B16 routing in the last event, after many": Kind(events([delta(None)] * 300 + [delta(SMALL)]), {}, 6, (), SMALL),
    "B16 two streams in one another": Kind(
        events([delta(SMALL[:2]), delta(SMALL[3:], "t"), delta(SMALL[2:])]), {}, (7, 3, 6, 2), ("joined",)),
    "B16 events of SGLang": Kind(
        events([json.loads(sglang(SMALL[:3], 3, 1)), json.loads(sglang(SMALL, 3, 3))]), {"top_k": 2}, 6,
        ("the last event is read",), SMALL),
    "B16 events of SGLang's chat, with the usage at the end": Kind(
        events([
            {"id": "s", "object": "chat.completion.chunk", "choices": [{"index": 0, "delta": {"content": "x"}}]},
            {"id": "s", "object": "chat.completion.chunk",
             "choices": [{"index": 0, "delta": {}, "sgl_ext": {"routed_experts": flat(SMALL)}}]},
            {"id": "s", "object": "chat.completion.chunk", "choices": [],
             "usage": {"prompt_tokens": 3, "completion_tokens": 3}},
        ]), {"top_k": 2}, 6, ("3 layers of 2 experts a token follow from the counts",), SMALL),
    "B17 layers by the counts of tokens": Kind(
        sglang(SMALL, 3, 3), {"top_k": 2}, 6, ("3 layers of 2 experts a token follow from the counts",), SMALL),
    "B17 tokens at the start that are not there": Kind(
        sglang(SMALL, 8, 3), {"top_k": 2, "start": 5}, 6, ("first 5 tokens",), SMALL),
    "B17 the layers are given": Kind(
        sglang(SMALL, 8, 3), {"top_k": 2, "layers": 3}, 6, ("5 tokens more than the log",), SMALL),
    "B17 ids of tokens that are not there": Kind(
        vllm(TEXT[6:9], prompt_token_ids=IDS[:6], token_ids=IDS[6:10]), {"start": 6}, (3, 2, 8, 2),
        ("first 6 tokens",)),
    "B18 stages of a pipeline": Kind(
        of_ranks(*STAGES), {"ranks": "pipeline"}, 6, ("stages of a pipeline",), np.concatenate(STAGES, axis=1)),
    "B18 stages that number layers over the model": Kind(
        of_ranks(*STAGES, layers=(0, 2)), {"ranks": "pipeline"}, 6, ("stages",), np.concatenate(STAGES, axis=1)),
    "B18 tensor ranks": Kind(of_ranks(STAGES[0], STAGES[0]), {"ranks": "tensor"}, 6, ("counted once",), STAGES[0]),
    "B18 expert ranks that repeat tokens": Kind(
        of_ranks(STAGES[0], STAGES[0]), {"ranks": "expert"}, 6, ("counted once",), STAGES[0]),
    "B18 data ranks": Kind(of_ranks(*STAGES), {"ranks": "data"}, 6, ("tokens of their own",), np.concatenate(STAGES)),
    "stages before and after the dispatch": Kind(
        megatron(STAGES[0]) + megatron(STAGES[0]).replace("pre_dispatch", "post_dispatch"), {}, 6,
        ("Records of stage pre_dispatch are read",), STAGES[0]),
    "microbatches that were recomputed": Kind(
        megatron(STAGES[0]) + megatron(STAGES[0]), {}, 6, ("recomputed",), STAGES[0]),
    "B19 a conversation, by ids": Kind(turns(True), {}, 8, ("28 of 57 tokens",), TEXT),
    "B19 a conversation, by routing": Kind(turns(False), {}, 8, ("no ids: 28 of 57 tokens",), TEXT),
    "B20 comments and a column of slots": Kind(
        "# tracer 1.2\n\n# on a GPU\n" + table(SMALL, "token,layer,k,expert") + "# end\n", {}, 6, (), SMALL),
    "B20 a header in a comment": Kind("#token,layer,slot,expert\n" + table(SMALL).partition("\n")[2], {}, 6, (), SMALL),
    "B20 slots from 1": Kind(table(SMALL, first=1), {}, 6, ("from 1",), SMALL),
    "B20 tabs": Kind(table(SMALL).replace(",", "\t"), {}, 6, (), SMALL),
    "B20 slots and no tokens": Kind(
        "layer,slot,expert\n0,0,3\n0,0,4\n0,1,5\n0,1,6\n", {}, 7, ("in the order of tokens",),
        np.array([[[3, 5]], [[4, 6]]])),
    "a rank that is a device": Kind(
        "token,layer,rank,expert\n0,0,0,3\n0,0,1,4\n", {"ranks": "data"}, (2, 1, 5, 1), ("tokens of their own",)),
    "a rank that is a slot": Kind("token,layer,rank,expert\n0,0,0,3\n0,0,1,4\n", {}, (1, 1, 5, 2)),
    "B21 scores that were saved as logits": Kind(
        zipped(router_logits=SCORES), {"top_k": 2}, (4, 2, 8, 2),
        ("look like probabilities", "(layer, token, expert)")),
    "B21 probabilities": Kind(
        zipped(router_logits=SCORES / SCORES.sum(axis=2, keepdims=True)), {"top_k": 2}, (4, 2, 8, 2),
        ("are probabilities",)),
    "probabilities with zeros": Kind(
        zipped(router_logits=np.tile(np.eye(8, dtype=np.float32)[:4], (2, 1, 1))), {"top_k": 2}, (4, 2, 8, 2),
        ("are probabilities", "8 tokens x layers have fewer entries above 0")),
    "router logits of (token, layer, expert)": Kind(
        zipped(router_logits=SCORES * 9 - 4), {"top_k": 2, "layers": 4}, (2, 4, 8, 2),
        ("(token, layer, expert): 4 layers",)),
}  # fmt: skip


def read(kind: Kind, folder: Path, **reading: Any) -> RoutingLog:
    """The log of a kind, read again from our own file."""
    content = kind.content
    (folder / "log").write_bytes(content if isinstance(content, bytes) else content.encode())
    return read_log(folder / "log", Reading(**(kind.reading | reading)))


#: Files that look like something open and are not: nothing is taken for empty, shared, repeated or a load.
PLAIN = {
    "expert 255 of 256": Kind(vllm(WIDE.astype(np.uint8)), {}, 256, (), WIDE),
    "expert 255 of 256, given": Kind(vllm(WIDE.astype(np.uint8)), {"experts": 256}, 256, (), WIDE),
    "an expert that every token takes, not the largest": Kind(
        vllm(with_slot(SMALL + 1, 0)), {"experts": 7}, 7, (), with_slot(SMALL + 1, 0)),
    "experts that all tokens take": Kind(
        vllm(np.tile(np.arange(4), (5, 3, 1))), {"experts": 4}, 4, (), np.tile(np.arange(4), (5, 3, 1))),
    "the last expert alone in a slot of few rows": Kind(
        vllm(np.array([[[3, 7], [1, 7]]])), {"experts": 8}, 8, (), np.array([[[3, 7], [1, 7]]])),
    "two requests with the same prompt": Kind(
        vllm(TEXT[:9], "a", prompt_token_ids=IDS[:9], token_ids=[7]) + "\n"
        + vllm(TEXT[:19], "b", prompt_token_ids=IDS[:9], token_ids=IDS[9:20]), {"experts": 8}, (28, 2, 8, 2)),
    "the same request twice": Kind(
        "\n".join(vllm(TEXT[:9], name, prompt_token_ids=IDS[:5], token_ids=IDS[5:10]) for name in "ab"), {"experts": 8},
        (18, 2, 8, 2)),
    "two answers to one prompt, one of which goes on": Kind(
        json.dumps({"choices": [{"routed_experts": TEXT[:9].tolist()}, {"routed_experts": TEXT[:19].tolist()}]}),
        {"experts": 8}, (28, 2, 8, 2)),
    "rows of tokens with a column that is not read": Kind(
        "token,layer,expert,step\n0,0,3,1\n0,0,4,1\n", {"experts": 6}, (1, 1, 6, 2)),
    "microbatches that differ": Kind(megatron(STAGES[0]) + megatron(STAGES[1]), {"experts": 6}, (10, 2, 6, 2)),
    "logits of both signs": Kind(saved(SCORES * 9 - 4), {"top_k": 2}, (4, 2, 8, 2), ("(layer, token, expert)",)),
}  # fmt: skip


@pytest.mark.parametrize("name", [*KINDS, *PLAIN])
def test_a_log_that_leaves_something_open_is_read_and_says_what_was_assumed(name: str, tmp_path: Path) -> None:
    kind = (KINDS | PLAIN)[name]
    log = read(kind, tmp_path)
    if kind.experts is None:
        assert (len(log), len(log.layers), log.num_experts, log.slots) == kind.sizes
    else:
        np.testing.assert_array_equal(log.experts, kind.experts)
        assert log.num_experts == kind.sizes
    for words in kind.assumed:
        assert any(words in line for line in log.assumed), f"{words!r} is not in {log.assumed}"
    if name in PLAIN:
        assert all("(--experts)" in line or "Axes" in line for line in log.assumed), log.assumed
    facts = facts_of(log)
    assert facts["assumed"] == list(log.assumed) == facts["notes"][: len(log.assumed)]
    json.dumps(facts, allow_nan=False)
    again = read_log(write_parquet(log, tmp_path / "log.parquet"))
    assert (again.assumed, again.notes, again.layers) == (log.assumed, log.notes, log.layers)
    np.testing.assert_array_equal(again.usage(), log.usage())


#: What is refused, and words of what to do.
REFUSED = {
    "B12 zeros": (vllm(np.zeros((6, 4, 8), np.uint8)), {}, "nothing was recorded. All 24 tokens x layers are 0"),
    "-1 alone": (vllm(np.full((6, 4, 8), -1)), {}, "nothing was recorded"),
    "counts of 0": (COUNTS.replace("1,1,15", "1,1,0").replace(",10", ",0").replace(",5", ",0"), {},
        "nothing was recorded"),
    "signed 8 bits that wrapped": (vllm(WIDE.astype(np.int8)), {}, "was wrapped. Save the log as uint8 or int16"),
    "an expert twice": (vllm(np.array([[[3, 3]], [[1, 9]]])), {}, "takes expert 3 twice"),
    "the largest expert twice, and nothing else": (vllm(np.array([[[3, 3]]])), {}, "takes expert 3 twice"),
    "experts from 1": (vllm(WIDE % 6 * 0 + np.arange(1, 5)), {"experts": 4}, "may number experts from 1"),
    "two beyond the end": (vllm(with_slot(SMALL, 9)), {"experts": 5}, "there are 5"),
    "B17 a start that does not fit": (sglang(SMALL, 8, 3), {"top_k": 2, "layers": 3, "start": 2}, "or start (--start)"),
    "B17 counts that do not fit": (sglang(SMALL, 8, 4), {"top_k": 2}, "(--start)"),
    "B17 more tokens than there are": (sglang(WIDE, 3, 3), {"top_k": 2, "layers": 3}, "give other layers (--layers)"),
    "B18 ranks that differ": (of_ranks(*STAGES), {}, "route differently, as pipeline stages and data ranks do. Say"),
    "B18 ranks that are alike": (of_ranks(STAGES[0], STAGES[0]), {},
        "route alike, as tensor ranks do. Say what they are"),
    "B18 data taken for tensor": (of_ranks(*STAGES), {"ranks": "tensor"}, "Give --ranks data, or pipeline"),
    "B18 tensor taken for stages": (of_ranks(STAGES[0], STAGES[0]), {"ranks": "pipeline"}, "Give --ranks tensor"),
    "B18 stages taken for data": (of_ranks(*STAGES, layers=(0, 2)), {"ranks": "data"}, "(--ranks pipeline)"),
    "B18 stages with other tokens": (of_ranks(STAGES[0], STAGES[1][:3]), {"ranks": "pipeline"}, "--ranks data"),
    "B11 counts of ranks": (OF_RANKS, {}, "has ranks 0, 1. Say what they are (--ranks)"),
    "B18 tokens of tensor ranks that differ": (
        "token,layer,device,expert\n0,0,0,3\n0,0,1,4\n", {"ranks": "tensor"}, "Give --ranks data"),
    "B11 other counts": (OF_RANKS.replace("10,1", "11,1"), {"ranks": "tensor"}, "Give --ranks data"),
    "B11 more experts than given": (COUNTS, {"experts": 2}, "from 0 to 1"),
    "a rank that is no slot": ("token,layer,rank,expert\n0,0,0,3\n1,0,1,4\n", {},
        "does not count the experts of a token"),
    "axes that are not the layers": (saved(SMALL), {"layers": 4}, "neither 5 nor 3"),
    "counts that are fractions": ("layer_id,expert_id,count\n0,2,3.5\n", {}, "count is a number, not '3.5'"),
    "an array in the order of Fortran": (saved(np.asfortranarray(SMALL)), {}, "save np.ascontiguousarray"),
    "an array with two axes": (saved(SMALL[0]), {}, "under the name counts"),
    "counts by layer in JSON": ('{"0": [3, 3, 9]}', {}, 'its first JSON object has "0"'),
    "data that is no event": ('data: {"choices": []}\ndata: x\n', {}, "a JSON object or [DONE]"),
}  # fmt: skip


@pytest.mark.parametrize("name", REFUSED)
def test_a_log_that_cannot_be_read_rightly_is_refused_with_what_to_do(name: str, tmp_path: Path) -> None:
    content, reading, words = REFUSED[name]
    with pytest.raises(LogError) as caught:
        read(Kind(content, reading, 0), tmp_path)
    assert words in str(caught.value)


#: An option of each kind, and what it changes.
OVERRIDES: dict[str, tuple[str, dict[str, Any], dict[str, Any], Callable[[RoutingLog], Any]]] = {
    "--layers": (sglang(SMALL, 8, 8), {"top_k": 2}, {"layers": 3}, lambda log: log.layers),
    "--top-k": (sglang(SMALL, 3, 3), {"top_k": 2}, {"top_k": 3}, lambda log: log.slots),
    "--start": (sglang(SMALL, 3, 8), {"top_k": 1}, {"start": 5}, lambda log: log.layers),
    "--ranks": (of_ranks(*STAGES), {"ranks": "data"}, {"ranks": "pipeline"}, lambda log: log.layers),
    "--experts": (vllm(with_slot(WIDE, 256)), {}, {"experts": 256}, lambda log: log.slots),
}


@pytest.mark.parametrize("option", OVERRIDES)
def test_an_option_changes_the_reading(option: str, tmp_path: Path) -> None:
    content, before, given, what = OVERRIDES[option]
    kind = Kind(content, before, 0)
    assert what(read(kind, tmp_path)) != what(read(kind, tmp_path, **given))


def test_an_option_that_a_log_has_no_use_for_is_said(tmp_path: Path) -> None:
    log = read(Kind(table(SMALL), {"start": 3, "ranks": None}, 0), tmp_path)
    assert any("--start" in note for note in log.notes)
    log = read(Kind(vllm(SMALL), {"ranks": "data"}, 0), tmp_path)
    assert any("--ranks" in note for note in log.notes)


def test_a_later_turn_has_the_routing_of_tokens_that_came_from_its_cache(tmp_path: Path) -> None:
    """As vLLM 0.21 writes it: -1 for the tokens of a prompt that were in the cache of prefixes."""
    cached = TEXT[:19].copy()
    cached[:8] = -1
    first = vllm(TEXT[:9], "a", prompt_token_ids=IDS[:6], token_ids=IDS[6:10])
    second = vllm(cached, "b", prompt_token_ids=IDS[:15], token_ids=IDS[15:20])
    log = read(Kind(first + "\n" + second, {}, 0), tmp_path)
    np.testing.assert_array_equal(log.experts, TEXT[:19])
    assert log.sequences == ("b.0",)


def test_scores_are_weights_and_logits_are_turned_into_them(tmp_path: Path) -> None:
    """By hand: the weights of sigmoid scores are the scores; those of logits are a softmax."""
    best = -np.sort(-SCORES, axis=2)[:, :, :2].transpose(1, 0, 2)
    scores = read(KINDS["B21 scores that were saved as logits"], tmp_path)
    assert scores.margin_of == "probabilities" and scores.weights is not None
    np.testing.assert_allclose(scores.weights, best, atol=1e-3)
    logits = read(Kind(zipped(router_logits=SCORES * 9 - 4), {"top_k": 2}, 0), tmp_path)
    whole = np.exp(SCORES * 9 - 4).sum(axis=2).T[..., None]
    assert logits.margin_of == "logits" and logits.weights is not None
    np.testing.assert_allclose(logits.weights, np.exp(best * 9 - 4) / whole, atol=1e-3)
