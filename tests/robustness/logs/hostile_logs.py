"""Routing logs of every format that are honest, and files of few bytes that lie about themselves or swell."""

import base64
import io
import json
import struct
import tempfile
import zipfile
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import h5py
import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from routescope.routing.logs import RoutingLog, Source
from routescope.routing.logs.parquet import write_parquet

TOKENS, LAYERS, SLOTS, EXPERTS = 6, 3, 2, 8
#: Many ranges, and no number.
DEEP = "[" * 100_000 + "]" * 100_000


def experts() -> np.ndarray:
    draws = np.random.default_rng(0)
    rows = [[draws.choice(EXPERTS, SLOTS, replace=False) for _ in range(LAYERS)] for _ in range(TOKENS)]
    return np.array(rows, dtype=np.int64)


def npz(**arrays: Any) -> bytes:
    file = io.BytesIO()
    np.savez_compressed(file, **arrays)
    return file.getvalue()


def npy(array: np.ndarray) -> bytes:
    file = io.BytesIO()
    np.save(file, array)
    return file.getvalue()


def npz_of_heads(**heads: str) -> bytes:
    """An npz file whose arrays have these heads and no number."""
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, head in heads.items():
            text = head.encode() + b"\n"
            archive.writestr(f"{name}.npy", b"\x93NUMPY\x01\x00" + struct.pack("<H", len(text)) + text)
    return file.getvalue()


def head(shape: tuple[int, ...], descr: str = "<i8") -> str:
    return str({"descr": descr, "fortran_order": False, "shape": shape})


def tensors(**arrays: np.ndarray) -> bytes:
    header: dict[str, Any] = {}
    body = b""
    for name, array in arrays.items():
        content = np.ascontiguousarray(array).tobytes()
        dtype = {"i": "I64", "f": "F32"}[array.dtype.kind]
        header[name] = {"dtype": dtype, "shape": array.shape, "data_offsets": [len(body), len(body) + len(content)]}
        body += content
    return of_header(header, body)


def of_header(header: Any, body: bytes = b"") -> bytes:
    """A safetensors file of a header, which may be a text, and its tensors."""
    text = (header if isinstance(header, str) else json.dumps(header)).encode()
    return struct.pack("<Q", len(text)) + text + body


def parquet(about: Mapping[str, Any] | str | None = None, **changes: Any) -> bytes:
    """A log of ours in parquet, with other metadata."""
    with tempfile.TemporaryDirectory() as folder:
        path = write_parquet(routing_log(), Path(folder) / "log.parquet")
        table = pq.read_table(path)
        reply = {**json.loads(table.schema.metadata[b"routescope.log"]), **changes}
        text = about if isinstance(about, str) else json.dumps(reply if about is None else about)
        pq.write_table(table.replace_schema_metadata({"routescope.log": text}), path)
        return path.read_bytes()


def parquet_of_texts(text: str, count: int) -> bytes:
    """A log of ours whose tokens all read alike: the text stands in the file once."""
    with tempfile.TemporaryDirectory() as folder:
        path = write_parquet(routing_log(), Path(folder) / "log.parquet")
        metadata = pq.read_schema(path).metadata
        width = LAYERS * SLOTS
        rows = pa.array(np.tile(np.arange(width, dtype=np.int16), count))
        table = pa.table(
            {
                "sequence": pa.array(np.zeros(count, np.int32)),
                "experts": pa.FixedSizeListArray.from_arrays(rows, width),
                "token_text": pa.DictionaryArray.from_arrays(np.zeros(count, np.int32), [text]),
            }
        ).replace_schema_metadata({b"routescope.log": metadata[b"routescope.log"]})
        pq.write_table(table, path, compression="zstd")
        return path.read_bytes()


def routing_log() -> RoutingLog:
    return RoutingLog(
        source=Source("test", "1", "log"),
        layers=tuple(f"l{layer + 1}" for layer in range(LAYERS)),
        indices=tuple(range(LAYERS)),
        num_experts=EXPERTS,
        experts=experts().astype(np.int16),
        sequence=np.zeros(TOKENS, np.int32),
        sequences=("a",),
        weights=np.full((TOKENS, LAYERS, SLOTS), 0.5, np.float16),
        token_texts=tuple("abcdef"),
    )


def netcdf(change: Callable[[h5py.File], object] = lambda file: None, attributes: bool = True) -> bytes:
    """A trace of the small log, as `routescope trace` lays it out."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "trace.nc"
        with h5py.File(path, "w") as file:
            sides = {"sample": 1, "token": TOKENS, "step": LAYERS, "slot": SLOTS}
            for axis, side in sides.items():
                names = [f"l{index + 1}" for index in range(side)]
                file.create_dataset(axis, data=names if axis in ("sample", "step") else np.arange(side))
                file[axis].make_scale(axis)
            rows = experts().transpose(1, 0, 2)[None]  # (sample, step, token, slot)
            array = file.create_dataset("top_experts", data=rows.astype(np.int16), compression="gzip")
            for index, axis in enumerate(("sample", "step", "token", "slot")):
                array.dims[index].attach_scale(file[axis])
            if attributes:
                file.attrs.update(model="moe-bytes", revision="1")
            change(file)
        return path.read_bytes()


def of_tokens(count: int, chunks: tuple[int, ...]) -> Callable[[h5py.File], object]:
    """Declares so many tokens, none of which is written."""

    def change(file: h5py.File) -> None:
        del file["top_experts"], file["token"]
        file.create_dataset("token", shape=(count,), dtype="i4", chunks=(1024,), compression="gzip").make_scale("token")
        shape = (1, LAYERS, count, SLOTS)
        array = file.create_dataset("top_experts", shape=shape, dtype="i2", chunks=chunks, compression="gzip")
        for index, axis in enumerate(("sample", "step", "token", "slot")):
            array.dims[index].attach_scale(file[axis])

    return change


def replaced(**created: Any) -> Callable[[h5py.File], object]:
    def change(file: h5py.File) -> None:
        del file["top_experts"]
        file.create_dataset("top_experts", **created)

    return change


def linked(file: h5py.File) -> None:
    del file["top_experts"]
    file["top_experts"] = h5py.ExternalLink("/etc/passwd", "/top_experts")


def responses(value: Any, **more: Any) -> bytes:
    return json.dumps({"id": "x", "choices": [{"index": 0, "routed_experts": value, **more}]}).encode()


def sglang(tokens: int = TOKENS) -> bytes:
    text = base64.b64encode(experts().astype("<i4").tobytes()).decode()
    meta = {"id": "s", "prompt_tokens": 3, "completion_tokens": tokens - 2, "routed_experts": text}
    return json.dumps({"text": "", "meta_info": meta}).encode()


def megatron() -> bytes:
    lines = [
        {"step": 0, "rank": 0, "layer": at, "num_tokens": TOKENS, "topk": SLOTS, "top_indices": rows.tolist()}
        for at, rows in enumerate(experts().transpose(1, 0, 2))
    ]
    return "\n".join(map(json.dumps, lines)).encode()


def csv_table() -> bytes:
    rows = [f"{t},{at},{k},{experts()[t, at, k]},0.5" for t in range(TOKENS) for at in range(LAYERS) for k in range(2)]
    return "\n".join(["token,layer,slot,expert,weight", *rows]).encode()


def logits() -> np.ndarray:
    return np.random.default_rng(1).normal(size=(LAYERS, TOKENS, EXPERTS)).astype(np.float32)


#: Name -> an honest log; all are read with top_k 2.
HONEST: dict[str, Callable[[], bytes]] = {
    "vLLM lists": lambda: responses(experts().tolist(), prompt_token_ids=[1, 2], token_ids=[3, 4, 5, 6]),
    "vLLM base64": lambda: responses(base64.b64encode(npy(experts().astype(np.uint8))).decode()),
    "vLLM events": lambda: b"data: " + responses(experts().tolist()) + b"\n\ndata: [DONE]\n",
    "SGLang": sglang,
    "Megatron-core": megatron,
    "CSV": csv_table,
    "CSV of counts": lambda: b"layer_id,expert_id,count\n0,0,30\n0,1,10\n1,2,40\n",
    "npz of experts": lambda: npz(routed_experts=experts(), input_ids=np.arange(TOKENS)),
    "npz of logits": lambda: npz(router_logits=logits(), attention_mask=np.ones(TOKENS)),
    "npz of counts": lambda: npz(expert_load=np.arange(24).reshape(3, 8)),
    "npy": lambda: npy(experts()),
    "safetensors": lambda: tensors(routed_experts=experts()),
    "safetensors of logits": lambda: tensors(**{f"router_logits.{at}": rows for at, rows in enumerate(logits())}),
    "parquet": parquet,
    "NetCDF": netcdf,
}


def zeros_packed(size: int) -> bytes:
    """An npz file of which 1 MB unpacks to 1,000 times as much."""
    file = io.BytesIO()
    with (
        zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED, compresslevel=1) as archive,
        archive.open("routed_experts.npy", "w", force_zip64=True) as member,
    ):
        np.lib.format.write_array_header_1_0(
            member, {"descr": "<i8", "fortran_order": False, "shape": (size // 16, 1, 2)}
        )
        for _ in range(size // 2**20):
            member.write(bytes(2**20))
    return file.getvalue()


def long_head() -> bytes:
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED, compresslevel=1) as archive:
        archive.writestr("a.npy", b"\x93NUMPY\x02\x00" + struct.pack("<I", 2**26) + b" " * 2**26)
    return file.getvalue()


def many_tensors(count: int) -> bytes:
    entries = {f"t.{at}": {"dtype": "U8", "shape": [1, 1], "data_offsets": [at, at + 1]} for at in range(count)}
    return of_header(entries, bytes(count))


#: Name -> a hostile file, and words of its refusal; all are read with top_k 2.
HOSTILE: dict[str, tuple[Callable[[], bytes], str]] = {
    "npz of 225 bytes, an array with 0 layers": (
        lambda: npz_of_heads(router_logits=head((10**11, 0, 8), "<f4")),
        "empty",
    ),
    "npz, 10**18 layers": (lambda: npz_of_heads(router_logits=head((10**18, 0, 8), "<f4")), "no array of numpy"),
    "npz, 0 experts": (lambda: npz(router_logits=np.zeros((3, 4, 0), np.float32)), "empty"),
    "npz, 1 billion tokens and none there": (
        lambda: npz_of_heads(routed_experts=head((10**9, 2, 2))),
        "takes more than",
    ),
    "npz of 0.3 MB that unpacks to 256 MB": (lambda: zeros_packed(2**28), "takes more than"),
    "npz, a head of 64 MB": (long_head, "header is cut off, or longer"),
    "npz, ids of text": (
        lambda: npz(routed_experts=experts(), input_ids=np.array(["a"] * TOKENS)),
        "arrays of numbers",
    ),
    "npz, ids of fractions": (lambda: npz(routed_experts=experts(), input_ids=np.zeros(TOKENS)), "whole numbers"),
    "npz, ids that are one number": (lambda: npz(routed_experts=experts(), input_ids=np.int64(3)), "0 axes"),
    "npz, ids that are void": (
        lambda: npz(routed_experts=experts(), input_ids=np.zeros(TOKENS, "V8")),
        "arrays of numbers",
    ),
    "npz, a mask that is one number": (lambda: npz(router_logits=logits(), attention_mask=np.int64(1)), "0 axes"),
    "npz, mask and ids of different lengths": (
        lambda: npz(router_logits=logits(), attention_mask=np.ones(6), input_ids=np.ones(5, int)),
        "different numbers",
    ),
    "npz, layers of different lengths and a mask": (
        lambda: npz(l0=logits()[0], l1=logits()[1, :4], attention_mask=np.ones(TOKENS)),
        "tokens",
    ),
    "npz, a name of 5,000 digits": (lambda: npz(**{"router_logits." + "1" * 5_000: logits()[0]}), "below 1,000,000"),
    "npz, 100,000 layers": (lambda: npz(expert_load=np.ones((100_000, 2), np.int64)), "up to 1,024 layers"),
    "npz, counts that overflow": (lambda: npz(expert_load=np.full((2, 8), 2**62)), "less than 2**53"),
    "npy, experts of 0 slots": (lambda: npy(np.zeros((10, 4, 0), np.int64)), "empty"),
    "npy, texts": (lambda: npy(np.full((2, 2, 2), "x" * 9)), "arrays of numbers"),
    "safetensors, an array with 0 layers": (
        lambda: of_header({"router_logits": {"dtype": "F32", "shape": [10**11, 0, 8], "data_offsets": [0, 0]}}),
        "empty",
    ),
    "safetensors, 0 experts": (lambda: tensors(router_logits=np.zeros((3, 4, 0), np.float32)), "empty"),
    "safetensors, a header of 5 MB with 80,000 tensors": (lambda: many_tensors(80_000), "headers of up to 4 MiB"),
    "safetensors, 30,000 tensors": (lambda: many_tensors(30_000), "up to 16,384"),
    "safetensors, tensors that share their bytes": (
        lambda: of_header(
            {f"l{at}": {"dtype": "F32", "shape": [1000, 100], "data_offsets": [0, 400_000]} for at in range(500)},
            bytes(400_000),
        ),
        "its header denies",
    ),
    "safetensors, a dtype that is a list": (
        lambda: of_header({"a": {"dtype": ["F32"], "shape": [1], "data_offsets": [0, 4]}}, bytes(4)),
        "tensors of the types",
    ),
    "safetensors, a dtype F4": (
        lambda: of_header({"a": {"dtype": "F4", "shape": [2, 2], "data_offsets": [0, 2]}}, bytes(2)),
        "tensors of the types",
    ),
    "safetensors, a name of 5,000 digits": (
        lambda: tensors(**{"router_logits." + "1" * 5_000: logits()[0]}),
        "below 1,000,000",
    ),
    "safetensors, a header nested 100,000 deep": (lambda: of_header('{"a":' + DEEP + "}"), "no JSON"),
    "parquet of 4 kB, a text of 200 kB repeated 16,384 times": (lambda: parquet_of_texts("x" * 200_000, 16_384), ""),
    "parquet, a text of 64 MB": (lambda: parquet_of_texts("x" * 2**26, 16_384), "takes more than"),
    "parquet, num_experts true": (lambda: parquet(num_experts=True), "1 to 32,768 experts"),
    "parquet, num_experts 10**12": (lambda: parquet(num_experts=10**12), "1 to 32,768 experts"),
    "parquet, slots 10**9": (lambda: parquet(slots=10**9), "metadata is damaged"),
    "parquet, 100,000 layers": (
        lambda: parquet(layers=[f"l{at}" for at in range(100_000)], indices=list(range(100_000))),
        "up to 1,024 layers",
    ),
    "parquet, metadata nested 100,000 deep": (lambda: parquet('{"a":' + DEEP + "}"), "no log as"),
    "NetCDF of 10 kB, 300 million tokens": (lambda: netcdf(of_tokens(300_000_000, (1, 1, 1024, 2))), "takes more than"),
    "NetCDF, a chunk of 300 million tokens": (
        lambda: netcdf(of_tokens(300_000_000, (1, 1, 300_000_000, 1))),
        "takes more than",
    ),
    "NetCDF without attributes": (lambda: netcdf(attributes=False), ""),
    "NetCDF, other axes": (lambda: netcdf(replaced(data=np.zeros((4, 4), np.int16))), "the axes of top_experts"),
    "NetCDF, experts in another file": (lambda: netcdf(linked), "no array top_experts"),
    "NetCDF, raw bytes in another file": (
        lambda: netcdf(replaced(shape=(1, LAYERS, TOKENS, SLOTS), dtype="i2", external=[("/etc/passwd", 0, 2 * 36)])),
        "lies in other files",
    ),
    "JSON, lists nested 100,000 deep": (lambda: DEEP.encode(), "too deep"),
    "JSON, experts nested 100,000 deep": (lambda: responses([]).replace(b"[]", DEEP.encode()), "too deep"),
    "JSON, 100,000 layers": (lambda: responses([[[0, 1]] * 100_000] * 2), "up to 1,024 layers"),
    "JSON, texts beside a long text": (
        lambda: responses([[["x" * 200_000]], *([[["y"]]] * 20_000)]),
        "whole numbers, not texts",
    ),
    "JSON, a dtype that is a list": (
        lambda: responses({"data": "AAAA", "shape": [1, 1, 3], "dtype": ["uint8"]}),
        "a dtype of",
    ),
    "JSON, counts of 4,000 digits": (
        lambda: sglang().replace(b'"prompt_tokens": 3', b'"prompt_tokens": ' + b"9" * 4_000),
        "does not count its tokens",
    ),
    "JSON, 5,000 digits": (lambda: responses([[[int("9" * 4_000)]]]), "up to 64 bits"),
    "Megatron-core, a layer of 4,000 digits": (
        lambda: megatron().replace(b'"layer": 1', b'"layer": ' + b"9" * 4_000),
        "whole number below",
    ),
    "CSV, a number of 5,000 digits": (lambda: b"token,layer,expert\n0,0," + b"1" * 5_000, "is a number, not"),
    "CSV, a slot of 30,000 beside each token": (
        lambda: b"token,layer,slot,expert\n" + b"".join(b"%d,0,30000,1\n" % at for at in range(5_000)),
        "takes more than",
    ),
}
