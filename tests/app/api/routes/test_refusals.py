"""What every route refuses: a row for each request, with the status and the words that say what is accepted."""

import io
import json
import struct
import zlib
from pathlib import Path
from typing import Any

import httpx
import numpy as np
import pytest
from PIL import Image

from tests.app import serving
from tests.app.api.follow import ended, events_of, start
from tests.app.serving import (
    BLOCKS,
    BLOCKS_FNN,
    BLOCKS_ONCE,
    BLOCKS_PICTURES,
    CIRCUIT,
    EXPERTS,
    HIDDEN,
    LAYERS,
    MODEL,
    STATEMENTS,
    is_problem,
)

pytestmark = pytest.mark.asyncio(loop_scope="module")

BYTES = "moe-bytes"
NO_JOB, NO_SAMPLE = "0" * 40, "0" * 32
NAME = "q" * 4_000
WITHOUT_LINKS = "complete"
TRACE: dict[str, Any] = {"model": MODEL, "sample": "mnist.validation.4"}
TEXT: dict[str, Any] = {"model": BYTES, "sample": "python.validation.3"}
MEASURED: dict[str, Any] = {"model": MODEL, "data": ["mnist"], "samples": 12}
LINKED: dict[str, Any] = MEASURED | {"model": CIRCUIT}
TEXTS: dict[str, Any] = {"model": EXPERTS, "data": ["sums", "listops"], "samples": 4}
MAP: dict[str, Any] = MEASURED | {"data": ["mnist", "street-digits"], "samples": 5, "method": "pca"}
POINT: dict[str, Any] = {"inputs": "numbers", "content": "0.1, 0.9, 0.5, 0.25, 1.0", "set": "boolean-03"}
SAID: dict[str, Any] = {"sentences": ["There is a star"], "pictures": {"statement": "scenes.validation.4"}}
DIGITS: dict[str, Any] = {"input": {"digits": [3, 1, 4, 1, 5], "program": [0, 3]}}
PICTURE: dict[str, Any] = {"sample": "mnist.validation.3", "permutation": 4}
GRAPH, RUNS = f"models/{CIRCUIT}/graph", f"models/{BLOCKS}/block-runs"
LONG = "wug " * 14


def naming(*changes: dict[str, Any]) -> list[tuple[dict[str, Any], int, str]]:
    """Rows of changes whose refusal names the field that is wrong."""
    rows = []
    for change in changes:
        ((name, value),) = change.items()
        rows.append((change, 422, next(iter(value)) if isinstance(value, dict) and value else name))
    return rows


#: Path -> a body that is accepted, and rows of what changes it, the status and words of the refusal.
POSTED: dict[str, tuple[dict[str, Any], list[tuple[dict[str, Any], int, str]]]] = {
    "traces": (TRACE, [
        ({"intervention": {"drop": ["f9"]}}, 422, "f1, f2, f3, f4"),
        ({"intervention": {"mute": ["F1"]}}, 422, "f1, f2, f3, f4"),
        ({"intervention": {"iterations": 65}}, 422, "64"),
        *naming(*({"intervention": {"iterations": number}} for number in (-1, 2.5, True))),
        *naming({"intervention": {"cut": ["f1"]}}, {"intervention": {"drop": {}}}, {"intervention": 3}),
        ({"intervention": {"keep_edges": 0.5}}, 422, "links"),
        ({"intervention": {"drop": [NAME]}}, 422, ""),
        ({"fields": ["gates"]}, 422, "compatibility"),
        ({"fields": ["compatibility"] * 17}, 422, "16"),
        ({"fields": [1]}, 422, "fields.0"),
        ({NAME: 1}, 422, ""),
        ({"model": "nobody"}, 404, ""),
        ({"sample": "mnist.validation.99999"}, 404, ""),
        *(({"sample": f"{name}.validation.3"}, 404, f"A sample of {name} is no single picture.")
          for name in ("scenes", "algo", "python")),
        (TEXT | {"intervention": {"top_k": 9}}, 422, "1 to 8 experts"),
        (TEXT | {"intervention": {"drop": [f"l2.e{e}" for e in range(1, 8)]}}, 422, "layer 2 needs 2 experts"),
        (TEXT | {"intervention": {"drop": [f"set:{'0' * 16}"]}}, 422, "there is no set"),
        (TEXT | {"intervention": {"drop": ["share:1"]}}, 422, "more than can go"),
        *(({"model": CIRCUIT, "intervention": {"keep_edges": share}}, 422, "keep_edges")
          for share in (-0.1, 1.1, True, "0.5", [0.5])),
        ({"model": CIRCUIT, "intervention": {"iterations": LAYERS + 1}}, 422, str(LAYERS)),
        ({"model": WITHOUT_LINKS, "intervention": {"keep_edges": 0.5}}, 422, "links"),
        ({"model": BLOCKS, "fields": ["gates"]}, 422, "block-runs"),
        ({"model": STATEMENTS, "fields": ["confidence"]}, 422, "statements"),
    ]),
    "evaluations": (MEASURED, [
        ({"model": "nothing"}, 404, ""),
        ({"intervention": {"drop": ["f9"]}}, 422, "f9"),
        ({"intervention": {"drop": ["f1"] * 1_025}}, 422, "1024"),
        ({"intervention": {"drop": ["f1"] * 600, "mute": ["f2"] * 600}}, 422, "up to 1024"),
        ({"intervention": {"keep_edges": 0.5}}, 422, "links"),
        ({"data": ["imagenet"]}, 422, "no data set imagenet"),
        ({"samples": 5_000}, 422, "3000"),
        *naming({"samples": 0}, {"samples": 1.5}, {"unknown": 1}),
        ({"controls": 65}, 422, "Up to 64 random sets"),
        ({"against": {"model": "nothing"}}, 404, "There is no such model"),
        ({"against": {"model": BLOCKS}}, 422, "does not read mnist"),
        ({"against": {"model": MODEL, "intervention": {"drop": ["f9"]}}}, 422, "f9"),
        ({"model": CIRCUIT, "intervention": {"keep_edges": 1.1}}, 422, "keep_edges"),
        ({"model": CIRCUIT, "intervention": {"iterations": LAYERS + 1}}, 422, str(LAYERS)),
        ({"model": WITHOUT_LINKS, "intervention": {"keep_edges": 0.5}}, 422, "links"),
    ]),
    "evaluations/timing": (MEASURED, [({"intervention": {"drop": ["f9"]}}, 422, "f9")]),
    "importances": (MEASURED, [
        ({"model": "nothing"}, 404, ""),
        ({"data": ["imagenet"]}, 422, "imagenet"),
        ({"keep_edges": 0.5}, 422, "links"),
        *naming(*({"permutations": number} for number in (4_000, 2, False)), {"pairs": 1}, {"iterations": 65}),
        *naming({"kind": "delete"}, {"samples": 9_999}, {"intervention": {}}),
        ({"distribution": "out"}, 422, "No sample of these data sets is out of distribution"),
        ({"layer": "l1"}, 422, "leave the layer out"),
        ({"top_k": 2}, 422, "leave top_k out"),
        (LINKED | {"keep_edges": 1.1}, 422, "keep_edges"),
        (TEXTS | {"layer": "l2"}, 422, "mute them, or replace"),
        (TEXTS | {"layer": "l9", "kind": "mute"}, 422, "there are l1, l2, l3, l4"),
        (TEXTS | {"layer": "l1; x"}, 422, "layer"),
        (TEXTS | {"top_k": 8}, 422, "needs 8 experts"),
        (TEXTS | {"top_k": 9, "kind": "mute"}, 422, "1 to 8 experts"),
        *(({"model": name, "data": []}, 422, "no units") for name in (BLOCKS_FNN, BLOCKS_PICTURES)),
    ]),
    "observations": (MEASURED, [
        ({"model": "nothing"}, 404, ""),
        ({"data": ["imagenet"]}, 422, "imagenet"),
        ({"intervention": {"drop": ["f9"]}}, 422, "f9"),
        ({"intervention": {"iterations": 0}}, 422, "iteration"),
        ({"data": ["mnist", "mnist-m"], "samples": 1}, 422, "sample"),
        *naming({"shuffles": 1_001}, {"shuffles": 0}),
        ({"model": CIRCUIT}, 422, "compatibilities"),
        ({"model": BYTES, "data": []}, 422, "POST /api/v1/expert-loads"),
        ({"model": BLOCKS, "data": []}, 422, "block-runs"),
        ({"model": STATEMENTS, "data": []}, 422, "statements"),
        ({"model": "vit-digits"}, 422, ""),
    ]),
    "embeddings": (MAP, [
        ({"model": "nothing"}, 404, ""),
        ({"data": ["imagenet"]}, 422, "imagenet"),
        *naming({"method": "magic"}, {"seed": -1}, {"perplexity": 1}, {"intervention": {"mean": ["f1"]}}),
        ({"intervention": {"drop": ["f9"]}}, 422, "f9"),
        ({"intervention": {"iterations": 0}}, 422, "iteration"),
        ({"samples": 3_001}, 422, "3000"),
        ({"samples": 2_500, "tokens": "all"}, 422, "points"),
        ({"method": "tsne", "perplexity": 900}, 422, "perplexity"),
        ({"model": CIRCUIT, "routing": "initial"}, 422, "trained"),
        ({"model": BLOCKS, "data": []}, 422, "block-runs"),
        ({"model": STATEMENTS, "data": []}, 422, "statements"),
    ]),
    "expert-loads": (MEASURED, [
        ({}, 422, "routed to experts"),
        (TEXTS | {"intervention": {"drop": ["l2.*"]}}, 422, "layer 2 needs 2 experts"),
    ]),
    "prunings": (TEXTS, [
        ({"model": MODEL, "data": []}, 422, "routed to experts; this one has none"),
        ({"keep": [8, 1, 8, 8]}, 422,
         "Layer 2 cannot keep 1 of 8 experts: a token takes 2, so 2 to 8 can be kept."),
        ({"keep": [8, 8, 8]}, 422, "a number for each of 4 layers, not 3"),
        ({"draws": 65}, 422, "Up to 64 random sets"),
    ]),
    "behaviours": (MEASURED | {"order": "heads"}, [
        ({"order": "rerouted"}, 422, "Nothing is changed"),
        ({"order": "rerouted", "intervention": {"iterations": 3}}, 422, "Nothing is changed"),
        ({"order": "rerouted", "intervention": {"mute": ["f9"]}}, 422, "f9"),
        ({"order": "rerouted", "model": BLOCKS_FNN, "data": []}, 422, "no routing"),
        ({"order": "nearest", "intervention": {"iterations": 0}, "to": "mnist.validation.1"}, 422, "one iteration"),
        ({"order": "nearest"}, 422, "Name the sample"),
        ({"order": "nearest", "to": "mnist.validation.99999999"}, 404, "no such sample"),
        ({"order": "nearest", "to": NO_SAMPLE}, 404, "no such sample"),
        ({"order": "nearest", "to": "scenes.validation.1"}, 422, ""),
        ({"model": CIRCUIT}, 422, "no heads that could disagree"),
        ({"samples": 3_001}, 422, "3000"),
        ({"data": ["imagenet"]}, 422, "no data set imagenet"),
        ({"model": "nothing"}, 404, ""),
        *naming({"order": "label"}, {"picture": "x"}),
    ]),
    "behaviours/own": ({"model": MODEL, "order": "rerouted"}, [
        ({}, 422, "Nothing"),
        ({"model": STATEMENTS, "order": "nearest", "to": "scenes.validation.1"}, 422, "statements about pictures"),
    ]),
    "sentence-maps": ({"model": STATEMENTS}, [
        ({"model": MODEL}, 422, "sentences"),
        ({"model": CIRCUIT}, 422, "sentences"),
        ({"perplexity": 900}, 422, "perplexity"),
    ]),
    f"sentence-maps/{NO_JOB}/places": ({"sentences": ["a"]}, [({}, 404, "")]),
    **{path: ({"sentences": ["a"]}, [
        ({"sentences": ["a"] * 9}, 422, "8"),
        ({"sentences": ["a" * 301]}, 422, "300"),
        ({"sentences": [""]}, 422, "at least 1"),
        ({"threshold": 1.5}, 422, "less than or equal"),
        ({"sentences": ["There is a star", LONG]}, 422, "up to 40 pieces"),
    ]) for path in (f"models/{STATEMENTS}/designs", f"models/{STATEMENTS}/designs/links")},
    **{f"models/{name}/designs": ({"sentences": ["a"]}, [({}, 422, "sentences")]) for name in (MODEL, CIRCUIT)},
    "models/none/designs": ({"sentences": ["a"]}, [({}, 404, "")]),
    f"models/{STATEMENTS}/answers": (SAID, [
        ({"sentences": ["x" * 301]}, 422, "300"),
        ({"sentences": ["a"] * 5}, 422, "4"),
        *(({"sentences": [f"a{sign}b"]}, 422, "control") for sign in "\x00\u202e\n"),
        ({"sentences": []}, 422, "at least"),
        ({"sentences": [LONG]}, 422, "has 43"),
        *(({"pictures": {"scene": {"pictures": [[]] * count}}}, 422, "2 pictures") for count in (1, 3)),
        ({"pictures": {"samples": [NO_SAMPLE]}}, 422, "2 pictures"),
        ({"pictures": {"samples": [NO_SAMPLE] * 2}}, 404, ""),
        *naming({"pictures": {}}, {"pictures": None}),
        ({"pictures": {"statement": "scenes.validation.2000"}}, 404, ""),
        ({"intervention": {"drop": ["m9"]}}, 422, "m9"),
        ({"intervention": {"iterations": 3}}, 422, "layers"),
    ]),
    **{f"models/{name}/answers": (SAID, [({}, 422, "sentences")]) for name in (MODEL, CIRCUIT)},
    RUNS: (DIGITS, [
        ({"intervention": {"mute_routes": ["Z>1.1"]}}, 422, "A, B, C, D, E, task"),
        ({"intervention": {"mute_routes": [f"{source}>E" for source in HIDDEN]}}, 422, "leave one"),
        ({"intervention": {"keep_edges": 0.5}}, 422, "links"),
        ({"intervention": {"iterations": 0}}, 422, "1 to 20"),
        ({"iterations": 21}, 422, "1 to 20"),
        ({"iterations": 2, "intervention": {"iterations": 3}}, 422, "one of them"),
        ({"input": {"digits": [3, 1, 4, 1, 5], "program": [0] * 21}}, 422, "20"),
        ({"input": PICTURE}, 422, "program"),
        *(({"input": wrong}, 422, "input") for wrong in (None, {"digits": "x"})),
    ]),
    f"models/{BLOCKS_ONCE}/block-runs": ({"input": {"digits": [3, 4], "program": [1]}}, [
        ({"iterations": 2}, 422, "1 iteration"),
        ({"input": {"digits": [1, 2], "program": [0, 1]}}, 422, "1 subtask"),
    ]),
    f"models/{BLOCKS_FNN}/block-runs": (DIGITS, [({"intervention": {"mute_routes": ["A>1.1"]}}, 422, "routes no")]),
    f"models/{BLOCKS_PICTURES}/block-runs": ({"input": PICTURE}, [
        (DIGITS, 422, "sample"), ({"input": PICTURE | {"permutation": 8}}, 422, "0 to 7"),
    ]),
    **{f"models/{name}/block-runs": (DIGITS, [({}, 422, "blocks")]) for name in (MODEL, STATEMENTS)},
    "samples/written": (POINT, [
        ({"content": "nan,0,0,0,0"}, 422, "Number 1 is 'nan', which is not from 0 to 1"),
        ({"content": "0,0,0,0"}, 422, "5 numbers from 0 to 1; 4 were given"),
        ({"content": NAME}, 422, ""),
        ({"set": None}, 422, "Name the data set"),
        ({"set": "mnist"}, 422, "boolean-01"),
        ({"inputs": "images"}, 422, "matrices, numbers, points"),
        ({"inputs": "text", "content": " \n"}, 422, "The text is empty"),
        ({"inputs": "text", "content": ""}, 422, "at least 1 character"),
        ({"inputs": "text", "content": "x" * 65_537}, 413, "up to 65,536"),
        ({"inputs": "text", "content": "\ud800"}, 400, "UTF-8"),
        ({"inputs": "matrices", "content": "[]"}, 422, 'JSON with "side"'),
    ]),
    "unit-sets": ({}, [
        ({"units": units}, 422, "")
        for units in ([], ["l1.*"], ["least:3"], ["a,b"], ["x" * 41], ["a\nb"], "l1.e1", [1])
    ]),
    "logs/recordings": ({"model": BYTES, "texts": 1}, [
        ({"top_k": 9}, 422, "1 to 8 experts"),
        ({"drop": ["l9.e1"]}, 422, "l9.e1"),
        ({"drop": [f"set:{'0' * 16}"]}, 422, "there is no set"),
        ({"model": MODEL}, 422, ""),
        ({"model": "none-such"}, 404, ""),
    ]),
    "tables/pgm-small-neutral.validation.3/exchanged": ({"one": 3, "other": 4, "name": "x"}, [
        ({"other": 3}, 422, "two different ones, 0 to 15"), ({"other": 16}, 422, "two different ones, 0 to 15"),
    ]),
    "tables/boolean-01.validation.0/exchanged": ({"one": 0, "other": 1, "name": "x"}, [({}, 404, "")]),
}  # fmt: skip

#: Path -> rows of a query, the status and words of the refusal.
ASKED: dict[str, list[tuple[dict[str, Any], int, str]]] = {
    "samples": [
        ({"wrong": "true"}, 422, "model"),
        ({"set": "imagenet"}, 422, "mnist"),
        ({"origin": "elsewhere"}, 422, "upload"),
        *naming({"limit": 201}, {"limit": -1}, {"offset": -1}, {"label": "seven"}, {"find": "x" * 81}),
        ({"model": "nobody"}, 404, MODEL),
    ],
    "samples/images": [
        ({}, 422, ""),
        ({"id": ["mnist.validation.1", NO_SAMPLE]}, 404, ""),
        ({"id": ["mnist.validation.999999999"]}, 404, ""),
        ({"id": ["mnist.validation.1"] * 201}, 422, "200"),
        ({"id": ["mnist.validation.1"] * 1_001}, 414, ""),
        ({"id": ["x" * 500]}, 422, ""),
    ],
    "statements": [
        ({"split": "train"}, 422, "'validation' or 'test'"),
        ({"limit": 201}, 422, "200"),
        ({"kind": "feelings"}, 422, "hard cardinality"),
    ],
    "statements/scenes.validation.1/pictures/2": [({}, 404, "")],
    "statements/scenes.validation.1/pictures/1": [({"scale": 33}, 422, "up to 32 times")],
    "jobs": [({"limit": 900}, 422, "limit")],
    "snapshots": [({"limit": 999}, 422, "limit")],
    "unit-sets/mine": [({}, 422, "")],
    f"unit-sets/{'0' * 16}": [({}, 404, "no set")],
    f"models/{BYTES}/units": [
        ({"rule": "l3.*"}, 422, "layer 3 needs 2 experts"),
        ({"rule": "least:25"}, 422, "up to 24 of 32"),
        ({"rule": "most:2"}, 422, "is no rule"),
    ],
    "models/nothing/units": [({"rule": "l3.*"}, 404, "")],
    "models/nobody": [({}, 404, MODEL)],
    **{f"models/{name}/indicators": [({}, 404, "")] for name in (BLOCKS_ONCE, CIRCUIT, "nowhere")},
    **{f"models/{MODEL}/graph{part}": [({}, 404, CIRCUIT)] for part in ("", "/edges", "/matrix", "/modules/f1")},
    **{f"models/{name}/graph": [({}, 404, "")] for name in ("nobody", BLOCKS, STATEMENTS, WITHOUT_LINKS)},
    f"{GRAPH}/edges": naming({"least": -0.1}, {"least": 1.1}, {"least": "nan"}, {"most": -1}, {"most": "x"}),
    f"{GRAPH}/modules/m13": [({}, 404, "m1 to m12")],
    f"{GRAPH}/modules/m1": [({"sample": "mnist.validation.99999"}, 404, ""), ({"samples": 9_999}, 422, "samples")],
    f"{GRAPH}/file": [({"drop": "m99"}, 404, ""), ({"format": "dot"}, 422, "format")],
    **{f"tables/{name}": [({"model": MODEL}, 422, "")] for name in ("scenes.validation.0", "python.validation.3")},
    **{f"tables/{name}": [({}, 404, "")] for name in (
        "mnist.nowhere.0", NO_SAMPLE, "boolean-01.validation.0/picture", "boolean-01.validation.0/panels",
    )},
    "tables/pgm-small-neutral.validation.3/panels": naming({"columns": 5}, {"columns": 0}),
    **{f"{path}/{NO_JOB}": [({}, 404, "")] for path in (
        "importances", "observations", "embeddings", "sentence-maps", "prunings", "expert-loads", "behaviours",
        "traces", "jobs",
    )},
    f"traces/{NO_JOB}/file": [({}, 404, "")],
    "importances/nothing": [({}, 422, "")],
    "jobs/..%2f..%2fetc": [({}, 404, "")],
    **{f"{path}/{NAME}": [({}, 422, "")] for path in ("models", "samples")},
    NAME: [({}, 404, "")],
    "evaluations/stream": [
        ({"model": MODEL} | query, 422, "")
        for query in (
            {"samples": 0}, {"samples": "x"}, {"data": "A b"}, {"controls": -1}, {"drop": "f" * 9_000},
            {"iterations": 65}, {"keep_edges": 1.1}, {"keep_edges": "x"}, {"keep_edges": "nan"},
        )
    ],
    "continuations/stream": [({"model": BYTES}, 422, ""), (TEXT | {"tokens": 0}, 422, "tokens")],
}  # fmt: skip

#: Path -> a query that is accepted, and rows of what changes it, and the words of the problem that ends the stream.
STREAMED: dict[str, tuple[dict[str, Any], list[tuple[dict[str, Any], str]]]] = {
    "evaluations/stream": ({"model": MODEL, "samples": 30}, [
        ({"model": "nothing"}, MODEL),
        ({"drop": "f9"}, "f1, f2, f3, f4"),
        ({"mean": "x" * 41}, "unknown units"),
        ({"data": "mnist,imagenet"}, "street-digits"),
        ({"samples": 5_000}, "3000"),
        ({"samples": 2}, "At least one sample"),
        ({"controls": 65}, "64"),
        ({"model": CIRCUIT, "drop": ",".join(f"m{u + 1}" for u in range(1024))}, "unknown units: m100"),
        *(({"against": text}, "as JSON; not accepted")
          for text in ("[", '{"model": "../x"}', '{"model": "tiny", "more": 1}')),
    ]),
    "continuations/stream": (TEXT, [
        ({"model": MODEL}, "continues no texts"),
        ({"sample": "mnist.validation.3"}, "reads something else"),
        ({"drop": "l9.e9"}, "l9.e9"),
        ({"drop": ",".join(f"l1.e{e}" for e in range(1, 8))}, "layer 1 needs 2 experts"),
        ({"tokens": 257}, "Up to 256 tokens"),
    ]),
    f"jobs/{NO_JOB}/events": ({}, [({}, "")]),
}  # fmt: skip


def npz(image: np.ndarray) -> bytes:
    file = io.BytesIO()
    np.savez_compressed(file, image=image)
    return file.getvalue()


def png(height: int, width: int, form: str = "PNG") -> bytes:
    file = io.BytesIO()
    Image.fromarray(np.zeros((height, width), np.uint8)).save(file, form)
    return file.getvalue()


def bomb() -> bytes:
    """A PNG whose head says 40,000 x 40,000 pixels."""
    content = bytearray(png(64, 64))
    content[16:24] = struct.pack(">II", 40_000, 40_000)
    content[29:33] = struct.pack(">I", zlib.crc32(bytes(content[12:29])))
    return bytes(content)


def npy(count: int) -> bytes:
    file = io.BytesIO()
    np.save(file, np.zeros((count, 3), np.int8))
    return file.getvalue()


#: Files of samples: kind, name, content, and the status and words of the refusal.
FILES = [
    ("points", "a.npy", npy(100_001), 422, "100,001 points, more than the 100,000 that are read; a cloud is"),
    ("points", "a.ply", b"", 422, "The file is empty; a cloud is at least 16 points"),
    ("numbers", "a.txt", b"0.1", 422, "are of the kinds matrices, points"),
    ("matrices", "a.npz", npz(np.zeros((17, 20, 20), np.uint8)), 422, "has 17 panels, 8 and 9 answers; a matrix"),
    ("matrices", "a.png", png(72, 64), 422, "64 x 72 pixels, which is not 4 panels wide and 4 or 5 high"),
    ("matrices", "a.png", png(2004, 2004), 422, "2004 x 2004 pixels; sides from 8 to 2000 are accepted"),
    ("matrices", "a.png", png(64, 64)[:-30], 422, "cut off"),
    ("matrices", "a.png", png(64, 64, "JPEG"), 422, "not a picture that can be read; accepted are .npz files"),
    ("matrices", "a.png", npz(np.zeros((16, 20, 20), np.uint8)), 422, "or .png sheets: a sheet has 16 square"),
    ("matrices", "a.png", b"", 422, "The file is empty; accepted are .npz files of one matrix"),
    ("matrices", "a.png", bomb(), 413, "The picture has too many pixels; up to 25 megapixels are accepted."),
]


BODIES = [(path, base | change, *told) for path, (base, rows) in POSTED.items() for change, *told in rows]
QUERIES = [(path, *row) for path, rows in ASKED.items() for row in rows]
STREAMS = [(path, base | change, words) for path, (base, rows) in STREAMED.items() for change, words in rows]


@pytest.fixture(scope="module", autouse=True)
def _models(_own_data_folder: Path) -> None:
    serving.make_experts()
    serving.make_circuit(WITHOUT_LINKS, links="complete", prior=None)


def named(row: Any) -> str:
    return row[:40] if isinstance(row, str) else ""


def check(answer: httpx.Response, status: int, words: str) -> None:
    """The refusal has the status and the words, names of requests alone, and an end."""
    problem = is_problem(answer, status)
    assert words in answer.json()["detail"], problem
    for item in problem.get("errors", ()):
        assert item["where"][:200] == item["where"][:200].lower() and "[" not in item["where"]
    for name in ("dictionary", "extract fields", "instance of", "OfStatement", "DigitInput", "tuple", "NoneType"):
        assert name not in answer.text
    assert NAME[:200] not in answer.text and len(answer.text) < 3_000


@pytest.mark.parametrize(("path", "body", "status", "words"), BODIES, ids=named)
async def test_a_body(client: httpx.AsyncClient, path: str, body: Any, status: int, words: str) -> None:
    content = {"content": json.dumps(body).encode(), "headers": {"Content-Type": "application/json"}}
    check(await client.post(f"/api/v1/{path}", **content), status, words)


@pytest.mark.parametrize(("path", "query", "status", "words"), QUERIES, ids=named)
async def test_a_query(client: httpx.AsyncClient, path: str, query: Any, status: int, words: str) -> None:
    check(await client.get(f"/api/v1/{path}", params=query), status, words)


@pytest.mark.parametrize(("path", "query", "words"), STREAMS, ids=named)
async def test_a_stream(client: httpx.AsyncClient, path: str, query: Any, words: str) -> None:
    response = await client.get(f"/api/v1/{path}", params=query)
    assert response.status_code == 200 and response.headers["content-type"].startswith("text/event-stream")
    ((name, problem),) = events_of(response.text)
    assert name == "problem" and words in problem["detail"] and problem["instance"].startswith("urn:uuid:")
    assert problem["status"] in {404, 422} and len(response.text) < 1_500


@pytest.mark.parametrize(("inputs", "name", "content", "status", "words"), FILES)
async def test_a_file(
    client: httpx.AsyncClient, inputs: str, name: str, content: bytes, status: int, words: str
) -> None:
    answer = await client.post("/api/v1/samples/files", data={"inputs": inputs}, files={"file": (name, content)})
    check(answer, status, words)


async def test_pictures_of_other_kinds(client: httpx.AsyncClient) -> None:
    kinds = {kind["name"]: kind for kind in (await client.get("/api/v1/inputs")).json()["items"]}
    for name, words in (("points", ".npy arrays"), ("text", "write one"), ("blocks", "those of the data sets")):
        refused = await client.post("/api/v1/samples", data={"inputs": name}, files={"file": ("a.png", png(40, 40))})
        assert words in is_problem(refused, 422)["detail"] and kinds[name]["upload"] is None
    facts = {name: (kind["suffixes"], kind["answers"], kind["typed"]) for name, kind in kinds.items()}
    assert facts["matrices"] == ([".npz", ".png"], 8, False)
    assert facts["points"] == ([".npy", ".xyz", ".ply"], 0, True) and facts["images"] == ([], 0, True)


async def test_a_body_that_is_no_object(client: httpx.AsyncClient) -> None:
    check(await client.post("/api/v1/traces", json=[]), 422, "body")


@pytest.mark.parametrize("sample", ["mnist.validation.999999", "mnist.test.1", "nothing.validation.1", NO_SAMPLE])
async def test_samples_that_are_not_there(client: httpx.AsyncClient, sample: str) -> None:
    for method, path, body in (
        ("GET", sample, None),
        ("GET", f"{sample}/image", None),
        ("DELETE", sample, None),
        ("PATCH", sample, {"name": "x"}),
    ):
        check(await client.request(method, f"/api/v1/samples/{path}", json=body), 404, "")


@pytest.mark.parametrize("name", ["scenes", "algo", "python"])
async def test_samples_that_are_no_pictures(client: httpx.AsyncClient, name: str) -> None:
    answer = await client.get(f"/api/v1/samples/{name}.validation.3")
    check(answer, 404, f"A sample of {name} is no single picture.")


@pytest.mark.parametrize(
    "address",
    ["scenes.validation.2000", "scenes.train.1", "scenes.test.00", "mnist.validation.1", "nlvr2.validation.1"],
)
async def test_statements_that_are_not_there(client: httpx.AsyncClient, address: str) -> None:
    for path in (address, f"{address}/pictures/0"):
        answer = await client.get(f"/api/v1/statements/{path}")
        assert answer.status_code in {404, 422}
        check(answer, answer.status_code, "")


async def test_results_are_paged_within_bounds(client: httpx.AsyncClient) -> None:
    job = await ended(client, await start(client, "behaviours", MEASURED | {"order": "heads"}))
    for query in ({"limit": 201}, {"limit": -1}, {"find": "x" * 81}, {"label": "one"}):
        check(await client.get(job["result"], params=query), 422, next(iter(query)))


async def test_nothing_of_a_refusal_is_kept(client: httpx.AsyncClient) -> None:
    assert (await client.get("/api/v1/samples/written")).json()["total"] == 0
    assert len((await client.get("/api/v1/jobs")).json()["items"]) <= 1
