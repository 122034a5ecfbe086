"""Files of routing logs as their programs write them."""

import base64
import csv
import io
import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np


def drawn(tokens: int, layers: int = 3, slots: int = 2, experts: int = 6, seed: int = 0) -> np.ndarray:
    """Experts (token, layer, slot); no token takes one twice, and expert 0 is taken."""
    draws = np.random.default_rng(seed)
    made = np.array([[draws.permutation(experts)[:slots] for _ in range(layers)] for _ in range(tokens)])
    made[0, 0] = np.arange(slots)
    return made


def saved(array: np.ndarray) -> bytes:
    """A file of numpy."""
    file = io.BytesIO()
    np.save(file, array)
    return file.getvalue()


def zipped(**arrays: np.ndarray) -> bytes:
    """An archive of numpy."""
    file = io.BytesIO()
    np.savez(file, **arrays)
    return file.getvalue()


def npy(array: np.ndarray) -> str:
    """Experts as vLLM writes them from 0.22 on."""
    return base64.b64encode(saved(array)).decode()


def flat(experts: np.ndarray) -> str:
    """Experts as SGLang writes them."""
    return base64.b64encode(experts.astype("<i4").tobytes()).decode()


def vllm(experts: np.ndarray, identity: str = "c", **choice: object) -> str:
    """A response of vLLM from 0.22 on."""
    return json.dumps({"id": identity, "choices": [{"index": 0, "routed_experts": npy(experts), **choice}]})


def sglang(experts: np.ndarray, prompt: int, answer: int, identity: str = "c") -> str:
    """A response of SGLang's /generate."""
    meta = {"id": identity, "prompt_tokens": prompt, "completion_tokens": answer, "routed_experts": flat(experts)}
    return json.dumps({"text": "", "meta_info": meta})


def megatron(experts: np.ndarray, step: int = 0, rank: int = 0, first: int = 0) -> str:
    """A router trace of one rank and one step, whose layers are numbered from ``first`` on."""
    lines = []
    for layer in range(experts.shape[1]):
        record = {"step": step, "stage": "pre_dispatch", "block": "decoder", "layer": first + layer, "rank": rank}
        record |= {"num_tokens": len(experts), "topk": experts.shape[2], "top_indices": experts[:, layer].tolist()}
        lines.append(json.dumps(record) + "\n")
    return "".join(lines)


def table(experts: np.ndarray, header: str = "token,layer,slot,expert", first: int = 0) -> str:
    """Rows of every token, layer and slot, the slots from the last to the first."""
    rows = [
        f"{token},{layer},{slot + first},{experts[token, layer, slot]}"
        for token, layer in np.ndindex(experts.shape[:2])
        for slot in range(experts.shape[2])[::-1]
    ]
    return "\n".join([header, *rows]) + "\n"


# -- logs of several sequences ---------------------------------------------------------------------------------


def write_vllm(path: Path, parts: Sequence[np.ndarray]) -> None:
    path.write_text("\n".join(vllm(part.astype(np.uint8), f"c{at}") for at, part in enumerate(parts)))


def write_vllm_lists(path: Path, parts: Sequence[np.ndarray]) -> None:
    """As vLLM 0.21 writes them: the prompt apart, and lists."""
    documents: list[dict[str, Any]] = [
        {"id": f"c{at}", "prompt_routed_experts": part[:2].tolist(),
         "choices": [{"index": 0, "routed_experts": part[2:].tolist()}]}
        for at, part in enumerate(parts)
    ]  # fmt: skip
    path.write_text(json.dumps(documents, indent=1))


def write_sglang(path: Path, parts: Sequence[np.ndarray]) -> None:
    """The last token of an answer has no forward pass."""
    path.write_text("\n".join(sglang(part, 2, len(part) - 1, f"c{at}") for at, part in enumerate(parts)))


def write_sglang_openai(path: Path, parts: Sequence[np.ndarray]) -> None:
    choices = [{"index": at, "sgl_ext": {"routed_experts": flat(part)}} for at, part in enumerate(parts)]
    path.write_text(json.dumps({"id": "x", "choices": choices}))


def write_megatron(path: Path, parts: Sequence[np.ndarray]) -> None:
    path.write_text("".join(megatron(part, step) for step, part in enumerate(parts)))


def write_table(path: Path, parts: Sequence[np.ndarray]) -> None:
    """With every column; the rows of a sequence are in any order."""
    draws = np.random.default_rng(1)
    with path.open("w", newline="") as file:
        writer = csv.writer(file)
        writer.writerow(("seq_id", "pos", "layer", "rank", "expert"))
        for at, part in enumerate(parts):
            places = draws.permutation(list(np.ndindex(part.shape)))
            writer.writerows([at, *place, part[tuple(place)]] for place in places.tolist())
