"""Quantised folders equal plain folders whose weights were dequantised literally, number by number in Python."""

import json
import math
import shutil
import struct
import subprocess
import sys
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Any

import pytest
import torch
from safetensors.torch import load_file, save_file
from torch import Tensor
from transformers import AutoModelForCausalLM
from transformers.integrations.finegrained_fp8 import Fp8Dequantize
from transformers.utils.quantization_config import Mxfp4Config

from routescope.nn.adapters.exploring import NotAdaptable
from routescope.nn.adapters.folder import CONFIG, WEIGHTS, look, open_folder
from routescope.nn.adapters.quantised import FP4, dequantised
from routescope.nn.adapters.stored import stored_tensors
from tests.core.nn.adapters.families import model_of

SIZES = {"hidden_size": 64, "intermediate_size": 32, "head_dim": 32, "num_local_experts": 3, "num_hidden_layers": 1}
#: Quantised tensors of a weight (O, I), by what follows the name of its module, and the literal weight.
Quantised = tuple[dict[str, Tensor], list[list[float]]]
Quantise = Callable[[Tensor], Quantised]


def single(value: float) -> float:
    """The nearest float32."""
    return float(struct.unpack("<f", struct.pack("<f", value))[0])


def literal(weight: Tensor, number: Callable[[int, int], float]) -> list[list[float]]:
    """A number for every output and input, in single precision."""
    outputs, inputs = weight.shape
    return [[single(number(o, i)) for i in range(inputs)] for o in range(outputs)]


def words(numbers: list[int], bits: int) -> list[int]:
    """Unsigned integers as signed words of 32 bits, the first in the lowest bits."""
    size = 32 // bits
    packed = []
    for start in range(0, len(numbers), size):
        word = sum(number << (bits * at) for at, number in enumerate(numbers[start : start + size]))
        packed.append(struct.unpack("<i", struct.pack("<I", word))[0])
    return packed


def pairs(codes: list[list[int]]) -> Tensor:
    """Codes of 4 bits in bytes, the first in the lower half."""
    rows = [[low | high << 4 for low, high in zip(row[::2], row[1::2], strict=True)] for row in codes]
    return torch.tensor(rows, dtype=torch.uint8)


def integers(low: int, high: int, *shape: int) -> list[list[int]]:
    return torch.randint(low, high, shape).tolist()


def scales_like(*shape: int) -> Tensor:
    return (torch.rand(shape) * 0.05 + 0.01).half()


def gptq(weight: Tensor, bits: int, version: int = 1, group: int = 16, shuffled: bool = False) -> Quantised:
    outputs, inputs = weight.shape
    groups = -(-inputs // group)
    values, zeros = integers(0, 2**bits, outputs, inputs), integers(1, 2**bits, groups, outputs)
    scales = scales_like(groups, outputs)
    order = [i // group for i in range(inputs)]
    if shuffled:
        order = [order[i] for i in torch.randperm(inputs).tolist()]
    factors, minus = scales.tolist(), 1 if version == 1 else 0
    return {
        "qweight": torch.tensor([words(row, bits) for row in values], dtype=torch.int32).T.contiguous(),
        "qzeros": torch.tensor([words([zero - minus for zero in row], bits) for row in zeros], dtype=torch.int32),
        "scales": scales,
        **({"g_idx": torch.tensor(order, dtype=torch.int32)} if shuffled else {}),
    }, literal(weight, lambda o, i: factors[order[i]][o] * (values[o][i] - zeros[order[i]][o]))


def awq(weight: Tensor) -> Quantised:
    outputs, inputs = weight.shape
    groups, order = inputs // 16, (0, 2, 4, 6, 1, 3, 5, 7)
    values, zeros = integers(0, 16, inputs, outputs), integers(0, 16, groups, outputs)
    scales = scales_like(groups, outputs)
    factors = scales.tolist()

    def packed(rows: list[list[int]]) -> Tensor:
        shuffled = [[row[start + at] for start in range(0, outputs, 8) for at in order] for row in rows]
        return torch.tensor([words(row, 4) for row in shuffled], dtype=torch.int32)

    tensors = {"qweight": packed(values), "qzeros": packed(zeros), "scales": scales}
    return tensors, literal(weight, lambda o, i: factors[i // 16][o] * (values[i][o] - zeros[i // 16][o]))


def fp8(weight: Tensor, name: str, form: str, block: tuple[int, int] = (48, 40)) -> Quantised:
    """Floats of 8 bits with scales by tensor, row or block; blocks of 48 x 40 are cut off at the edges."""
    outputs, inputs = weight.shape
    values = torch.randn(outputs, inputs).to(torch.float8_e4m3fn)
    rows, columns = {"tensor": (outputs, inputs), "row": (1, inputs), "block": block}[form]
    scales = torch.rand(-(-outputs // rows), -(-inputs // columns)) + 0.1
    numbers, factors = values.float().tolist(), scales.tolist()
    tensors = {"weight": values, name: scales.reshape(()) if form == "tensor" else scales}
    return tensors, literal(weight, lambda o, i: numbers[o][i] * factors[o // rows][i // columns])


def mx(weight: Tensor, name: str, weights: str, bits: int) -> Quantised:
    """Floats of 4 or 8 bits with a power of two for 32 inputs, as a byte."""
    outputs, inputs = weight.shape
    powers = torch.randint(118, 126, (outputs, inputs // 32), dtype=torch.uint8)
    packed, codes = torch.randn(outputs, inputs).to(torch.float8_e4m3fn), integers(0, 16, outputs, inputs)
    numbers = packed.float().tolist() if bits == 8 else [[FP4[code] for code in row] for row in codes]
    exponents = powers.tolist()
    tensors = {weights: packed if bits == 8 else pairs(codes), name: powers}
    return tensors, literal(weight, lambda o, i: numbers[o][i] * 2.0 ** (exponents[o][i // 32] - 127))


def nvfp4(weight: Tensor, weights: str, name: str, divides: bool) -> Quantised:
    outputs, inputs = weight.shape
    codes = integers(0, 16, outputs, inputs)
    scales = (torch.rand(outputs, inputs // 16) * 4 + 0.5).to(torch.float8_e4m3fn)
    whole = torch.tensor([64.0 if divides else 1 / 64])
    factor, factors = 1 / float(whole) if divides else float(whole), scales.float().tolist()
    tensors = {weights: pairs(codes), "weight_scale": scales, name: whole}
    return tensors, literal(weight, lambda o, i: FP4[codes[o][i]] * factors[o][i // 16] * factor)


def bitsandbytes_4bit(weight: Tensor, nested: bool) -> Quantised:
    (outputs, inputs), size = weight.shape, 64
    levels = torch.linspace(-1, 1, 16) ** 3
    codes = integers(0, 16, outputs, inputs)
    blocks = -(-weight.numel() // size)
    maxima = [float(value) for value in torch.rand(blocks) * 0.2]
    tensors = {"weight.absmax": torch.tensor(maxima)}
    facts: dict[str, Any] = {"quant_type": "nf4", "blocksize": size, "dtype": "bfloat16", "shape": [outputs, inputs]}
    if nested:
        places, outer = integers(0, 256, 1, blocks)[0], torch.rand(-(-blocks // 256)) * 0.1
        table = torch.linspace(-1, 1, 256)
        products = [single(float(table[at]) * float(outer[b // 256])) for b, at in enumerate(places)]
        maxima = [single(product + 0.125) for product in products]
        tensors = {"weight.absmax": torch.tensor(places, dtype=torch.uint8), "weight.nested_absmax": outer}
        tensors["weight.nested_quant_map"] = table
        facts |= {"nested_blocksize": 256, "nested_dtype": "float32", "nested_offset": 0.125}
    flat = [code for row in codes for code in row]
    packed = [[high << 4 | low] for high, low in zip(flat[::2], flat[1::2], strict=True)]
    state = torch.tensor(list(json.dumps(facts).encode()), dtype=torch.uint8)
    tensors |= {"weight.quant_map": levels, "weight.quant_state.bitsandbytes__nf4": state}
    rows = literal(weight, lambda o, i: float(levels[codes[o][i]]) * maxima[(o * inputs + i) // size])
    return {"weight": torch.tensor(packed, dtype=torch.uint8), **tensors}, rows


def bitsandbytes_8bit(weight: Tensor) -> Quantised:
    values, largest = torch.randint(-127, 128, weight.shape, dtype=torch.int8), torch.rand(len(weight)) + 0.1
    numbers, scales = values.tolist(), [single(float(most) / 127) for most in largest]
    tensors = {"weight": values, "SCB": largest, "weight_format": torch.tensor(0, dtype=torch.uint8)}
    return tensors, literal(weight, lambda o, i: numbers[o][i] * scales[o])


def packed_integers(weight: Tensor, bits: int, asymmetric: bool, group: int = 32) -> Quantised:
    """compressed-tensors: integers with half of their range added, zero points packed along the outputs."""
    outputs, inputs = weight.shape
    half, groups = 2 ** (bits - 1), inputs // group
    values = integers(-half, half, outputs, inputs)
    zeros = integers(-half, half, groups, outputs) if asymmetric else [[0] * outputs] * groups
    scales = scales_like(outputs, groups)
    factors = scales.tolist()
    tensors = {
        "weight_packed": torch.tensor([words([v + half for v in row], bits) for row in values], dtype=torch.int32),
        "weight_scale": scales,
        "weight_shape": torch.tensor([outputs, inputs]),
    }
    if asymmetric:
        columns = [words([zero + half for zero in row], bits) for row in zeros]
        tensors["weight_zero_point"] = torch.tensor(columns, dtype=torch.int32).T.contiguous()
    return tensors, literal(weight, lambda o, i: factors[o][i // group] * (values[o][i] - zeros[i // group][o]))


def integers_by_row(weight: Tensor) -> Quantised:
    values, scales = torch.randint(-127, 128, weight.shape, dtype=torch.int8), torch.rand(len(weight), 1) * 0.01
    numbers, factors = values.tolist(), scales.tolist()
    return {"weight": values, "weight_scale": scales}, literal(weight, lambda o, i: numbers[o][i] * factors[o][0])


def compressed(bits: int, form: str, **weights: Any) -> dict[str, Any]:
    groups = {"group_0": {"targets": ["Linear"], "weights": {"num_bits": bits, **weights}}}
    return {"quant_method": "compressed-tensors", "format": form, "config_groups": groups}


BLOCK = {"quant_method": "fp8", "weight_block_size": [48, 40]}
FORMATS: dict[str, tuple[dict[str, Any], Quantise]] = {
    "gptq 4": ({"quant_method": "gptq", "bits": 4, "group_size": 16}, partial(gptq, bits=4)),
    "gptq 8 shuffled": ({"quant_method": "gptq", "bits": 8, "group_size": 16}, partial(gptq, bits=8, shuffled=True)),
    "gptq 2": ({"quant_method": "gptq", "bits": 2, "checkpoint_format": "gptq"}, partial(gptq, bits=2)),
    "gptq 4 v2": ({"quant_method": "gptq", "bits": 4, "checkpoint_format": "gptq_v2"},
                  partial(gptq, bits=4, version=2, shuffled=True)),
    "gptq cut group": ({"quant_method": "gptq", "bits": 4, "group_size": 48}, partial(gptq, bits=4, group=48)),
    "gptq one group": ({"quant_method": "gptq", "bits": 4, "group_size": -1}, partial(gptq, bits=4, group=32)),
    "auto-round": ({"quant_method": "auto-round", "packing_format": "auto_round:auto_gptq"}, partial(gptq, bits=4)),
    "awq": ({"quant_method": "awq", "bits": 4, "version": "gemm", "group_size": 16}, awq),
    "fp8 block": (BLOCK, partial(fp8, name="weight_scale_inv", form="block")),
    "fp8 tensor": ({"quant_method": "fp8"}, partial(fp8, name="weight_scale_inv", form="tensor")),
    "fp8 row": ({"quant_method": "fbgemm_fp8"}, partial(fp8, name="weight_scale", form="row")),
    "mxfp8": ({"quant_method": "mxfp8"}, partial(mx, name="weight_scale_inv", weights="weight", bits=8)),
    "fp4 of experts": ({"quant_method": "fp8"}, partial(mx, name="scale", weights="weight", bits=4)),
    "modelopt nvfp4": ({"quant_method": "modelopt", "quant_algo": "NVFP4"},
                       partial(nvfp4, weights="weight", name="weight_scale_2", divides=False)),
    "bitsandbytes 4": ({"quant_method": "bitsandbytes", "load_in_4bit": True},
                       partial(bitsandbytes_4bit, nested=False)),
    "bitsandbytes nested": ({"quant_method": "bitsandbytes", "load_in_4bit": True},
                            partial(bitsandbytes_4bit, nested=True)),
    "bitsandbytes 8": ({"load_in_8bit": True}, bitsandbytes_8bit),
    "packed 4": (compressed(4, "pack-quantized"), partial(packed_integers, bits=4, asymmetric=False)),
    "packed 8 zeros": (compressed(8, "pack-quantized"), partial(packed_integers, bits=8, asymmetric=True, group=16)),
    "packed 4 zeros": (compressed(4, "pack-quantized"), partial(packed_integers, bits=4, asymmetric=True)),
    "compressed int8": (compressed(8, "int-quantized"), integers_by_row),
    "compressed fp8": (compressed(8, "float-quantized"), partial(fp8, name="weight_scale", form="row")),
    "compressed blocks": (compressed(8, "float-quantized", block_structure=[48, 40]),
                          partial(fp8, name="weight_scale", form="block")),
    "compressed nvfp4": (compressed(4, "nvfp4-pack-quantized"),
                         partial(nvfp4, weights="weight_packed", name="weight_global_scale", divides=True)),
    "compressed mxfp4": (compressed(4, "mxfp4-pack-quantized"),
                         partial(mx, name="weight_scale", weights="weight_packed", bits=4)),
}  # fmt: skip


@pytest.fixture(scope="module")
def plain(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("models") / "plain"
    model_of("mixtral", **SIZES).save_pretrained(folder)
    return folder


def with_settings(folder: Path, settings: dict[str, Any], **changes: Any) -> Path:
    config = json.loads((folder / CONFIG).read_text())
    (folder / CONFIG).write_text(json.dumps({**config, **changes, "quantization_config": settings}))
    return folder


def both(plain: Path, to: Path, settings: dict[str, Any], quantise: Quantise) -> tuple[Path, Path]:
    """A quantised folder, and a plain one with the literal weights."""
    torch.manual_seed(1)
    state, rounded = load_file(plain / WEIGHTS), {}
    stored_as: dict[str, Tensor] = {}
    for name, tensor in state.items():
        if name.endswith("weight") and (".experts." in name or "q_proj" in name):
            tensors, rows = quantise(tensor)
            module = name.removesuffix("weight")
            stored_as |= {f"{module}{end}": value for end, value in tensors.items()}
            rounded[name] = torch.tensor(rows, dtype=torch.float32)
        else:
            stored_as[name] = rounded[name] = tensor
    folders = [Path(shutil.copytree(plain, to / name)) for name in ("quantised", "literal")]
    for folder, tensors in zip(folders, (stored_as, rounded), strict=True):
        save_file(tensors, folder / WEIGHTS, {"format": "pt"})
    return with_settings(folders[0], settings), folders[1]


@pytest.mark.parametrize("name", list(FORMATS))
def test_a_quantised_folder_is_its_literal_dequantisation(name: str, plain: Path, tmp_path: Path) -> None:
    quantised, literal_folder = both(plain, tmp_path, *FORMATS[name])
    messages = list[str]()
    network, expected = open_folder(quantised, tell=messages.append), open_folder(literal_folder)
    state = expected.module.state_dict()
    assert all(torch.equal(tensor, state[key]) for key, tensor in network.module.state_dict().items())
    ids = torch.tensor([[256, *b"some bytes"]])
    assert torch.equal(network.logits(ids), expected.logits(ids)) and network.logits(ids).isfinite().all()
    assert "Dequantising" in messages[0] and "of memory as float32" in messages[0]
    assert "quantization_config" not in json.loads((network.save(tmp_path / "saved") / CONFIG).read_text())
    assert not network.unread


def gpt_oss(folder: Path) -> Iterator[tuple[str, Tensor]]:
    """Quantise a gpt-oss folder, and give the literal weights (E, I, O) of its experts."""
    state = load_file(folder / WEIGHTS)
    for name in [name for name in state if name.endswith(("gate_up_proj", "down_proj"))]:
        experts, inputs, outputs = state.pop(name).shape
        blocks = torch.randint(0, 256, (experts, outputs, inputs // 32, 16), dtype=torch.uint8)
        scales = torch.randint(118, 124, (experts, outputs, inputs // 32), dtype=torch.uint8)
        state |= {f"{name}_blocks": blocks, f"{name}_scales": scales}
        bytes_, powers = blocks.flatten(2).tolist(), scales.tolist()
        numbers = [
            [
                [
                    FP4[bytes_[e][o][i // 2] >> 4 * (i % 2) & 15] * 2.0 ** (powers[e][o][i // 32] - 127)
                    for o in range(outputs)
                ]
                for i in range(inputs)
            ]
            for e in range(experts)
        ]
        yield name, torch.tensor(numbers)
    save_file(state, folder / WEIGHTS, {"format": "pt"})


def test_mxfp4_experts_of_gpt_oss_are_their_literal_dequantisation(tmp_path: Path) -> None:
    folder = tmp_path / "oss"
    model_of("gpt_oss", **{**SIZES, "num_hidden_layers": 2}).bfloat16().save_pretrained(folder)
    rounded = dict(gpt_oss(folder))
    with_settings(folder, {"quant_method": "mxfp4", "modules_to_not_convert": ["model.layers.*.self_attn"]})
    network = open_folder(folder)
    state = network.module.state_dict()
    assert len(rounded) == 4
    assert all(torch.equal(state[name], tensor.bfloat16()) for name, tensor in rounded.items())
    theirs = AutoModelForCausalLM.from_pretrained(folder, quantization_config=Mxfp4Config(dequantize=True))
    assert all(torch.equal(state[name], tensor) for name, tensor in theirs.state_dict().items())


def test_blocks_of_fp8_are_those_of_transformers(tmp_path: Path) -> None:
    """The arithmetic alone: transformers loads whole folders of FP8 only with accelerate."""
    torch.manual_seed(2)
    tensors, _ = fp8(torch.zeros(64, 96), "weight_scale_inv", "block", (16, 32))
    save_file({f"m.{end}": tensor for end, tensor in tensors.items()}, tmp_path / WEIGHTS)
    settings = {"quant_method": "fp8", "weight_block_size": [16, 32]}
    for dtype in (torch.float32, torch.bfloat16):
        weight = dequantised("mine", settings, stored_tensors([tmp_path / WEIGHTS]), dtype)["m.weight"][...]
        theirs = Fp8Dequantize(None)._dequantize_one(tensors["weight"], tensors["weight_scale_inv"], dtype)
        assert torch.equal(weight, theirs)


def test_memory_is_said_and_bounded_before_weights_are_read(
    plain: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder, rounded = both(plain, tmp_path, *FORMATS["gptq 4"])
    plan = look(folder).plan
    assert plan.nbytes == sum(p.nbytes for p in open_folder(rounded).module.parameters()) < plan.peak
    assert look(folder).nbytes < plan.nbytes
    monkeypatch.setattr("routescope.nn.adapters.folder._loaded", lambda _: pytest.fail("weights are read"))
    with pytest.raises(NotAdaptable, match=r"quantised: Dequantising .* takes .* as float32.* The limit is 128.4 MiB"):
        open_folder(folder, most_bytes=plan.peak - 1)


#: Opens each folder in turn; prints the most bytes of it in memory, of all kinds, still mapped, and of its weights.
PEAK = """
import gc, sys, threading
from routescope.nn.adapters.folder import look, open_folder
import transformers.models.mixtral.modeling_mixtral, transformers.integrations.moe

def kept(name):
    return next(int(line.split()[1]) * 1024 for line in open("/proc/self/status") if line.startswith(name))

def watch(most, done):
    while not done.wait(0.002):
        most[:] = max(most[0], kept("RssAnon")), max(most[1], kept("VmRSS"))

for folder in sys.argv[1:]:
    gc.collect()
    before, most, done = {name: kept(name) for name in ("RssAnon", "RssFile", "VmRSS")}, [0, 0], threading.Event()
    watching = threading.Thread(target=watch, args=(most, done))
    watching.start()
    network = open_folder(look(folder))
    done.set()
    watching.join()
    mapped = kept("RssFile") - before["RssFile"]
    print(most[0] - before["RssAnon"], most[1] - before["VmRSS"], mapped, look(folder).nbytes)
    del network
"""


@pytest.mark.slow
def test_loading_takes_no_second_copy_of_weights_and_no_more_memory_than_was_said(tmp_path: Path) -> None:
    plain, quantised = tmp_path / "plain", tmp_path / "quantised"
    sizes = {"hidden_size": 512, "intermediate_size": 2048, "num_local_experts": 8, "num_hidden_layers": 2}
    model = model_of("mixtral", **sizes)
    model.save_pretrained(plain)
    model.bfloat16().save_pretrained(quantised)
    tensors = dict[str, Tensor]()
    for name, tensor in load_file(quantised / WEIGHTS).items():
        module, (outputs, inputs) = name.removesuffix("weight"), (*tensor.shape, 1)[:2]
        if ".experts." not in name:
            tensors[name] = tensor
        else:
            tensors[f"{module}qweight"] = torch.zeros(inputs // 8, outputs, dtype=torch.int32)
            tensors[f"{module}qzeros"] = torch.zeros(inputs // 128, outputs // 8, dtype=torch.int32)
            tensors[f"{module}scales"] = torch.rand(inputs // 128, outputs).half()
    save_file(tensors, quantised / WEIGHTS, {"format": "pt"})
    with_settings(quantised, {"quant_method": "gptq", "bits": 4})
    command = [sys.executable, "-c", PEAK, str(plain), str(quantised)]
    run = subprocess.run(command, capture_output=True, text=True, check=True, cwd=Path(__file__).parents[4])
    (most, resident, mapped, weights), (_, of_quantised, *_) = (
        map(int, line.split()) for line in run.stdout.splitlines()
    )
    assert weights > 100e6 and most < 1.5 * weights, f"{most:,} bytes at most for {weights:,} of weights"
    assert resident < 1.75 * weights, f"{resident:,} bytes resident at most for {weights:,} of weights"
    assert mapped < 0.75 * weights, f"{mapped:,} bytes of files are mapped still"
    plan = look(quantised).plan
    assert 90e6 < plan.nbytes < of_quantised < plan.peak, f"{of_quantised:,} bytes of {plan.peak:,}"


@pytest.mark.parametrize(
    ("settings", "words"),
    [
        ({"quant_method": "aqlm"}, "quant_method 'aqlm'. Formats that are read: MXFP4"),
        ({"quant_method": "gptq", "checkpoint_format": "marlin"}, "GPTQ in the layout 'marlin'"),
        ({"quant_method": "gptq", "is_marlin_format": True}, "GPTQ in the layout 'marlin'"),
        ({"quant_method": "awq", "version": "gemv"}, "AWQ with 4 bits in the layout 'gemv'"),
        ({"quant_method": "awq", "bits": 3}, "AWQ with 3 bits"),
        ({"quant_method": "modelopt", "quant_algo": "W4A8_AWQ"}, "ModelOpt with the algorithm W4A8_AWQ"),
        ({**compressed(4, "x"), "transform_config": {"a": 1}}, "transforms of activations"),
        (compressed(6, "mxfp6-pack-quantized"), "floats of 6 bits"),
        (compressed(3, "pack-quantized"), "compressed-tensors with 3 bits"),
    ],
)
def test_a_format_that_is_not_read_is_named(settings: dict[str, Any], words: str, plain: Path, tmp_path: Path) -> None:
    folder, _ = both(plain, tmp_path, settings, FORMATS["packed 4"][1])
    with pytest.raises(NotAdaptable, match=f"not read: .*{words}.*save_pretrained in bfloat16"):
        open_folder(folder)


def test_tensors_that_do_not_fit_together_are_named(tmp_path: Path) -> None:
    """Every quantised tensor in turn is cut short, or left out."""
    torch.manual_seed(0)
    for name, (settings, quantise) in FORMATS.items():
        tensors, _ = quantise(torch.zeros(64, 96))
        optional = ("input_scale", "weight_format", "weight_scale_2", "weight_global_scale", "g_idx", "quant_map")
        for end in [end for end in tensors if not end.endswith(optional) and "quant_state" not in end]:
            changes: list[dict[str, Tensor]] = [{key: value for key, value in tensors.items() if key != end}]
            if tensors[end].ndim > 1 and "nested" not in end:
                changes.append({**tensors, end: tensors[end][1:].contiguous()})
            for changed in changes:
                if not changed or (name.endswith("zeros") and end == "weight_zero_point" and end not in changed):
                    continue
                save_file({f"m.{key}": value for key, value in changed.items()}, tmp_path / WEIGHTS)
                try:
                    lazy = dequantised("mine", settings, stored_tensors([tmp_path / WEIGHTS]), torch.float32)
                except NotAdaptable as error:
                    assert "mine" in str(error) and "m." in str(error)
                else:
                    shapes = [tensor.shape for tensor in lazy.values()]
                    assert (64, 96) not in shapes, f"{name} without {end}, or with less of it"


def test_zero_points_of_gptq_are_added_to_whole_words() -> None:
    """A zero point of 0 is stored with a borrow from the next: 0x11111111 is added to the word, as GPTQModel does."""
    from routescope.nn.adapters.quantised import gptq as dequantise

    zeros = list(range(8))
    word = (sum(zero << 4 * at for at, zero in enumerate(zeros)) - 0x11111111) % 2**32
    stored_zeros = torch.tensor([struct.unpack("<i", struct.pack("<I", word))], dtype=torch.int32)
    weights = torch.zeros(1, 8, dtype=torch.int32)
    values = dequantise(weights, stored_zeros, torch.ones(1, 8), torch.zeros(8).long(), 4, 1, slice(0, 8))
    assert values.tolist() == [[-float(zero)] * 8 for zero in zeros]


@pytest.mark.parametrize("scales", [(), (3,), (3, 1, 1), (3, 1, 40), (3, 64), (3, 64, 1), (3, 2, 5), (3, 4, 2)])
def test_experts_in_one_tensor_have_scales_of_every_shape(scales: tuple[int, ...], tmp_path: Path) -> None:
    torch.manual_seed(3)
    weights, factors = torch.randn(3, 64, 40).to(torch.float8_e4m3fn), torch.rand(scales)
    save_file({"m.gate_up_proj": weights, "m.gate_up_proj_scale_inv": factors}, tmp_path / WEIGHTS)
    settings = {"quant_method": "fp8", **({"weight_block_size": [16, 32]} if scales == (3, 4, 2) else {})}
    (weight,) = dequantised("mine", settings, stored_tensors([tmp_path / WEIGHTS]), torch.float32).values()
    grid = {(): (1, 1), (3,): (1, 1), (3, 64): (64, 1)}.get(scales) or scales[1:]
    block = (16, 32) if scales == (3, 4, 2) else (64 // grid[0], 40 // grid[1])
    whole = factors.reshape(-1, *grid).expand(3, -1, -1)
    whole = whole.repeat_interleave(block[0], 1).repeat_interleave(block[1], 2)[:, :64, :40]
    assert torch.equal(weight[...], weights.float() * whole)


def test_every_float_of_4_bits_and_every_power_is_exact() -> None:
    from routescope.nn.adapters.quantised import fp4, powers_of_two

    pairs = fp4(torch.arange(256, dtype=torch.uint8)[:, None])
    assert [tuple(pair) for pair in pairs.tolist()] == [(FP4[byte & 15], FP4[byte >> 4]) for byte in range(256)]
    powers = powers_of_two(torch.arange(256, dtype=torch.uint8)).tolist()
    assert powers[:255] == [2.0 ** (byte - 127) for byte in range(255)] and math.isnan(powers[255])
