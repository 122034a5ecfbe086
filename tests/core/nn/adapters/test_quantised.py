"""Quantised folders equal plain folders whose weights were dequantised literally, number by number in Python."""

import itertools
import json
import math
import shutil
import struct
import subprocess
import sys
from collections.abc import Callable, Iterator
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
from tests.core.nn.adapters.test_folder import PEAK

SIZES = {"hidden_size": 64, "intermediate_size": 32, "head_dim": 32, "num_local_experts": 3, "num_hidden_layers": 1}
#: A weight (O, I) -> its quantised tensors, by what follows the name of its module, and the literal weight.
Quantise = Callable[[Tensor], tuple[dict[str, Tensor], list[list[float]]]]


def single(value: float) -> float:
    """The nearest float32."""
    return float(struct.unpack("<f", struct.pack("<f", value))[0])


def words(numbers: list[int], bits: int) -> list[int]:
    """Unsigned integers as signed words of 32 bits, the first in the lowest bits."""
    size = 32 // bits
    packed = []
    for start in range(0, len(numbers), size):
        word = sum(number << (bits * at) for at, number in enumerate(numbers[start : start + size]))
        packed.append(struct.unpack("<i", struct.pack("<I", word))[0])
    return packed


def integers(low: int, high: int, *shape: int) -> list[list[int]]:
    return torch.randint(low, high, shape).tolist()


def scales_like(*shape: int) -> Tensor:
    return (torch.rand(shape) * 0.05 + 0.01).half()


def gptq(bits: int, version: int, group: int = 16, shuffled: bool = False) -> Quantise:
    def quantise(weight: Tensor) -> tuple[dict[str, Tensor], list[list[float]]]:
        outputs, inputs = weight.shape
        groups = -(-inputs // group)
        values = integers(0, 2**bits, outputs, inputs)
        zeros = integers(1, 2**bits, groups, outputs)
        scales = scales_like(groups, outputs)
        order = [i // group for i in range(inputs)]
        if shuffled:
            order = [order[i] for i in torch.randperm(inputs).tolist()]
        factors = scales.tolist()
        literal = [
            [single(factors[order[i]][o] * (values[o][i] - zeros[order[i]][o])) for i in range(inputs)]
            for o in range(outputs)
        ]
        minus = 1 if version == 1 else 0
        return {
            "qweight": torch.tensor([words(row, bits) for row in values], dtype=torch.int32).T.contiguous(),
            "qzeros": torch.tensor([words([zero - minus for zero in row], bits) for row in zeros], dtype=torch.int32),
            "scales": scales,
            **({"g_idx": torch.tensor(order, dtype=torch.int32)} if shuffled else {}),
        }, literal

    return quantise


def awq(weight: Tensor) -> tuple[dict[str, Tensor], list[list[float]]]:
    outputs, inputs = weight.shape
    groups, order = inputs // 16, (0, 2, 4, 6, 1, 3, 5, 7)
    values, zeros = integers(0, 16, inputs, outputs), integers(0, 16, groups, outputs)
    scales = scales_like(groups, outputs)

    def packed(rows: list[list[int]]) -> Tensor:
        shuffled = [[row[start + at] for start in range(0, outputs, 8) for at in order] for row in rows]
        return torch.tensor([words(row, 4) for row in shuffled], dtype=torch.int32)

    factors = scales.tolist()
    literal = [
        [single(factors[i // 16][o] * (values[i][o] - zeros[i // 16][o])) for i in range(inputs)]
        for o in range(outputs)
    ]
    return {"qweight": packed(values), "qzeros": packed(zeros), "scales": scales}, literal


def fp8(name: str, form: str, block: tuple[int, int] = (48, 40)) -> Quantise:
    """Floats of 8 bits with scales by tensor, row or block; blocks of 48 x 40 are cut off at the edges."""

    def quantise(weight: Tensor) -> tuple[dict[str, Tensor], list[list[float]]]:
        outputs, inputs = weight.shape
        values = torch.randn(outputs, inputs).to(torch.float8_e4m3fn)
        size = {"tensor": (outputs, inputs), "row": (1, inputs), "block": block}[form]
        scales = torch.rand(-(-outputs // size[0]), -(-inputs // size[1])) + 0.1
        numbers, factors = values.float().tolist(), scales.tolist()
        literal = [
            [single(numbers[o][i] * factors[o // size[0]][i // size[1]]) for i in range(inputs)] for o in range(outputs)
        ]
        return {"weight": values, name: scales.reshape(()) if form == "tensor" else scales}, literal

    return quantise


def mx(name: str, weights: str, bits: int, size: int = 32) -> Quantise:
    """Floats of 4 or 8 bits with a power of two for 32 inputs, as a byte."""

    def quantise(weight: Tensor) -> tuple[dict[str, Tensor], list[list[float]]]:
        outputs, inputs = weight.shape
        powers = torch.randint(118, 126, (outputs, inputs // size), dtype=torch.uint8)
        if bits == 8:
            values = torch.randn(outputs, inputs).to(torch.float8_e4m3fn)
            numbers, packed = values.float().tolist(), values
        else:
            codes = integers(0, 16, outputs, inputs)
            numbers = [[FP4[code] for code in row] for row in codes]
            packed = torch.tensor([[low | high << 4 for low, high in zip(row[::2], row[1::2], strict=True)]
                                   for row in codes], dtype=torch.uint8)  # fmt: skip
        exponents = powers.tolist()
        literal = [
            [numbers[o][i] * 2.0 ** (exponents[o][i // size] - 127) for i in range(inputs)] for o in range(outputs)
        ]
        return {weights: packed, name: powers}, literal

    return quantise


def nvfp4(weights: str, name: str, divides: bool) -> Quantise:
    def quantise(weight: Tensor) -> tuple[dict[str, Tensor], list[list[float]]]:
        outputs, inputs = weight.shape
        codes = integers(0, 16, outputs, inputs)
        packed = [[low | high << 4 for low, high in zip(row[::2], row[1::2], strict=True)] for row in codes]
        scales = (torch.rand(outputs, inputs // 16) * 4 + 0.5).to(torch.float8_e4m3fn)
        whole = torch.tensor([64.0 if divides else 1 / 64])
        factor = 1 / float(whole) if divides else float(whole)
        factors = scales.float().tolist()
        literal = [
            [single(FP4[codes[o][i]] * factors[o][i // 16] * factor) for i in range(inputs)] for o in range(outputs)
        ]
        return {weights: torch.tensor(packed, dtype=torch.uint8), "weight_scale": scales, name: whole}, literal

    return quantise


def bitsandbytes_4bit(nested: bool) -> Quantise:
    def quantise(weight: Tensor) -> tuple[dict[str, Tensor], list[list[float]]]:
        count, size = weight.numel(), 64
        levels = torch.linspace(-1, 1, 16) ** 3
        codes = integers(0, 16, 1, count)[0]
        blocks = -(-count // size)
        maxima = [float(value) for value in torch.rand(blocks) * 0.2]
        tensors = {"weight.absmax": torch.tensor(maxima)}
        facts: dict[str, Any] = {"quant_type": "nf4", "blocksize": size, "dtype": "bfloat16"}
        if nested:
            places, outer = integers(0, 256, 1, blocks)[0], torch.rand(-(-blocks // 256)) * 0.1
            table = torch.linspace(-1, 1, 256)
            products = [single(float(table[at]) * float(outer[b // 256])) for b, at in enumerate(places)]
            maxima = [single(product + 0.125) for product in products]
            tensors = {"weight.absmax": torch.tensor(places, dtype=torch.uint8), "weight.nested_absmax": outer}
            tensors["weight.nested_quant_map"] = table
            facts |= {"nested_blocksize": 256, "nested_dtype": "float32", "nested_offset": 0.125}
        facts["shape"] = list(weight.shape)
        flat = [single(float(levels[code]) * maxima[at // size]) for at, code in enumerate(codes)]
        packed = [[high << 4 | low] for high, low in zip(codes[::2], codes[1::2], strict=True)]
        state = torch.tensor(list(json.dumps(facts).encode()), dtype=torch.uint8)
        tensors |= {"weight.quant_map": levels, "weight.quant_state.bitsandbytes__nf4": state}
        literal = [flat[start : start + weight.shape[1]] for start in range(0, count, weight.shape[1])]
        return {"weight": torch.tensor(packed, dtype=torch.uint8), **tensors}, literal

    return quantise


def bitsandbytes_8bit(weight: Tensor) -> tuple[dict[str, Tensor], list[list[float]]]:
    values, largest = torch.randint(-127, 128, weight.shape, dtype=torch.int8), torch.rand(len(weight)) + 0.1
    literal = [
        [single(float(value) * single(float(most) / 127)) for value in row]
        for row, most in zip(values.tolist(), largest, strict=True)
    ]
    return {"weight": values, "SCB": largest, "weight_format": torch.tensor(0, dtype=torch.uint8)}, literal


def packed_integers(bits: int, asymmetric: bool, group: int = 32) -> Quantise:
    """compressed-tensors: integers with half of their range added, zero points packed along the outputs."""

    def quantise(weight: Tensor) -> tuple[dict[str, Tensor], list[list[float]]]:
        outputs, inputs = weight.shape
        half, groups = 2 ** (bits - 1), inputs // group
        values = integers(-half, half, outputs, inputs)
        zeros = integers(-half, half, groups, outputs) if asymmetric else [[0] * outputs] * groups
        scales = scales_like(outputs, groups)
        factors = scales.tolist()
        literal = [
            [single(factors[o][i // group] * (values[o][i] - zeros[i // group][o])) for i in range(inputs)]
            for o in range(outputs)
        ]
        tensors = {
            "weight_packed": torch.tensor([words([v + half for v in row], bits) for row in values], dtype=torch.int32),
            "weight_scale": scales,
            "weight_shape": torch.tensor([outputs, inputs]),
        }
        if asymmetric:
            columns = [words([zero + half for zero in row], bits) for row in zeros]
            tensors["weight_zero_point"] = torch.tensor(columns, dtype=torch.int32).T.contiguous()
        return tensors, literal

    return quantise


def integers_by_row(weight: Tensor) -> tuple[dict[str, Tensor], list[list[float]]]:
    values, scales = torch.randint(-127, 128, weight.shape, dtype=torch.int8), torch.rand(len(weight), 1) * 0.01
    literal = [[single(v * float(s)) for v in row] for row, s in zip(values.tolist(), scales, strict=True)]
    return {"weight": values, "weight_scale": scales}, literal


def compressed(bits: int, form: str, **weights: Any) -> dict[str, Any]:
    groups = {"group_0": {"targets": ["Linear"], "weights": {"num_bits": bits, **weights}}}
    return {"quant_method": "compressed-tensors", "format": form, "config_groups": groups}


BLOCK = {"quant_method": "fp8", "weight_block_size": [48, 40]}
FORMATS: dict[str, tuple[dict[str, Any], Quantise]] = {
    "gptq 4": ({"quant_method": "gptq", "bits": 4, "group_size": 16}, gptq(4, 1)),
    "gptq 8 shuffled": ({"quant_method": "gptq", "bits": 8, "group_size": 16}, gptq(8, 1, shuffled=True)),
    "gptq 2": ({"quant_method": "gptq", "bits": 2, "checkpoint_format": "gptq"}, gptq(2, 1)),
    "gptq 4 v2": ({"quant_method": "gptq", "bits": 4, "checkpoint_format": "gptq_v2"}, gptq(4, 2, shuffled=True)),
    "gptq cut group": ({"quant_method": "gptq", "bits": 4, "group_size": 48}, gptq(4, 1, 48)),
    "gptq one group": ({"quant_method": "gptq", "bits": 4, "group_size": -1}, gptq(4, 1, 32)),
    "auto-round": ({"quant_method": "auto-round", "packing_format": "auto_round:auto_gptq"}, gptq(4, 1)),
    "awq": ({"quant_method": "awq", "bits": 4, "version": "gemm", "group_size": 16}, awq),
    "fp8 block": (BLOCK, fp8("weight_scale_inv", "block")),
    "fp8 tensor": ({"quant_method": "fp8"}, fp8("weight_scale_inv", "tensor")),
    "fp8 row": ({"quant_method": "fbgemm_fp8"}, fp8("weight_scale", "row")),
    "mxfp8": ({"quant_method": "mxfp8"}, mx("weight_scale_inv", "weight", 8)),
    "fp4 of experts": ({"quant_method": "fp8"}, mx("scale", "weight", 4)),
    "modelopt nvfp4": ({"quant_method": "modelopt", "quant_algo": "NVFP4"}, nvfp4("weight", "weight_scale_2", False)),
    "bitsandbytes 4": ({"quant_method": "bitsandbytes", "load_in_4bit": True}, bitsandbytes_4bit(False)),
    "bitsandbytes nested": ({"quant_method": "bitsandbytes", "load_in_4bit": True}, bitsandbytes_4bit(True)),
    "bitsandbytes 8": ({"load_in_8bit": True}, bitsandbytes_8bit),
    "packed 4": (compressed(4, "pack-quantized"), packed_integers(4, False)),
    "packed 8 zeros": (compressed(8, "pack-quantized"), packed_integers(8, True, 16)),
    "packed 4 zeros": (compressed(4, "pack-quantized"), packed_integers(4, True)),
    "compressed int8": (compressed(8, "int-quantized"), integers_by_row),
    "compressed fp8": (compressed(8, "float-quantized"), fp8("weight_scale", "row")),
    "compressed blocks": (
        compressed(8, "float-quantized", block_structure=[48, 40]),
        fp8("weight_scale", "block"),
    ),
    "compressed nvfp4": (
        compressed(4, "nvfp4-pack-quantized"),
        nvfp4("weight_packed", "weight_global_scale", True),
    ),
    "compressed mxfp4": (compressed(4, "mxfp4-pack-quantized"), mx("weight_scale", "weight_packed", 4)),
}


@pytest.fixture(scope="module")
def plain(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("models") / "plain"
    model_of("mixtral", **SIZES).save_pretrained(folder)
    return folder


def with_settings(folder: Path, settings: dict[str, Any], **changes: Any) -> Path:
    config = json.loads((folder / CONFIG).read_text())
    (folder / CONFIG).write_text(json.dumps({**config, **changes, "quantization_config": settings}))
    return folder


def is_quantised(name: str) -> bool:
    return name.endswith("weight") and (".experts." in name or "_proj" in name)


def both(plain: Path, to: Path, settings: dict[str, Any], quantise: Quantise) -> tuple[Path, Path]:
    """A quantised folder, and a plain one with the literal weights."""
    torch.manual_seed(1)
    state, literal = load_file(plain / WEIGHTS), {}
    stored_as: dict[str, Tensor] = {}
    for name, tensor in state.items():
        if is_quantised(name):
            tensors, rows = quantise(tensor)
            module = name.removesuffix("weight")
            stored_as |= {f"{module}{end}": value for end, value in tensors.items()}
            literal[name] = torch.tensor(rows, dtype=torch.float32)
        else:
            stored_as[name] = literal[name] = tensor
    folders = [Path(shutil.copytree(plain, to / name)) for name in ("quantised", "literal")]
    for folder, tensors in zip(folders, (stored_as, literal), strict=True):
        save_file(tensors, folder / WEIGHTS, {"format": "pt"})
    return with_settings(folders[0], settings), folders[1]


@pytest.mark.parametrize("name", list(FORMATS))
def test_a_quantised_folder_is_its_literal_dequantisation(name: str, plain: Path, tmp_path: Path) -> None:
    quantised, literal = both(plain, tmp_path, *FORMATS[name])
    network, expected, messages = open_folder(quantised, tell=messages_of()), open_folder(literal), messages_of.last
    state = expected.module.state_dict()
    assert all(torch.equal(tensor, state[key]) for key, tensor in network.module.state_dict().items())
    ids = torch.tensor([[256, *b"some bytes"]])
    assert torch.equal(network.logits(ids), expected.logits(ids)) and network.logits(ids).isfinite().all()
    assert "Dequantising" in messages[0] and "of memory as float32" in messages[0]
    assert "quantization_config" not in json.loads((network.save(tmp_path / "saved") / CONFIG).read_text())
    assert not network.unread


class _Messages:
    """Lists of messages that ``tell`` got."""

    last: list[str]

    def __call__(self) -> Callable[[str], None]:
        self.last = []
        return self.last.append


messages_of = _Messages()


def gpt_oss(folder: Path) -> Iterator[tuple[str, Tensor]]:
    """Quantise a gpt-oss folder, and give the literal weights (E, I, O) of its experts."""
    state = load_file(folder / WEIGHTS)
    for name in [name for name in state if name.endswith(("gate_up_proj", "down_proj"))]:
        experts, inputs, outputs = state.pop(name).shape
        blocks = torch.randint(0, 256, (experts, outputs, inputs // 32, 16), dtype=torch.uint8)
        scales = torch.randint(118, 124, (experts, outputs, inputs // 32), dtype=torch.uint8)
        state |= {f"{name}_blocks": blocks, f"{name}_scales": scales}
        bytes_, powers = blocks.flatten(2).tolist(), scales.tolist()
        literal = [
            [
                [
                    FP4[bytes_[e][o][i // 2] >> 4 * (i % 2) & 15] * 2.0 ** (powers[e][o][i // 32] - 127)
                    for o in range(outputs)
                ]
                for i in range(inputs)
            ]
            for e in range(experts)
        ]
        yield name, torch.tensor(literal)
    save_file(state, folder / WEIGHTS, {"format": "pt"})


def test_mxfp4_experts_of_gpt_oss_are_their_literal_dequantisation(tmp_path: Path) -> None:
    folder = tmp_path / "oss"
    model_of("gpt_oss", **{**SIZES, "num_hidden_layers": 2}).bfloat16().save_pretrained(folder)
    literal = dict(gpt_oss(folder))
    with_settings(folder, {"quant_method": "mxfp4", "modules_to_not_convert": ["model.layers.*.self_attn"]})
    network = open_folder(folder)
    state = network.module.state_dict()
    assert len(literal) == 4
    assert all(torch.equal(state[name], tensor.bfloat16()) for name, tensor in literal.items())
    theirs = AutoModelForCausalLM.from_pretrained(folder, quantization_config=Mxfp4Config(dequantize=True))
    assert all(torch.equal(state[name], tensor) for name, tensor in theirs.state_dict().items())


def test_blocks_of_fp8_are_those_of_transformers(tmp_path: Path) -> None:
    """The arithmetic alone: transformers loads whole folders of FP8 only with accelerate."""
    torch.manual_seed(2)
    quantise = fp8("weight_scale_inv", "block", (16, 32))
    tensors, _ = quantise(torch.zeros(64, 96))
    save_file({f"m.{end}": tensor for end, tensor in tensors.items()}, tmp_path / WEIGHTS)
    settings = {"quant_method": "fp8", "weight_block_size": [16, 32]}
    for dtype in (torch.float32, torch.bfloat16):
        weight = dequantised("mine", settings, stored_tensors([tmp_path / WEIGHTS]), dtype)["m.weight"][...]
        theirs = Fp8Dequantize(None)._dequantize_one(tensors["weight"], tensors["weight_scale_inv"], dtype)
        assert torch.equal(weight, theirs)


def test_memory_is_said_and_bounded_before_weights_are_read(
    plain: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder, literal = both(plain, tmp_path, *FORMATS["gptq 4"])
    plan = look(folder).plan
    assert plan.nbytes == sum(p.nbytes for p in open_folder(literal).module.parameters()) < plan.peak
    assert look(folder).nbytes < plan.nbytes
    monkeypatch.setattr("routescope.nn.adapters.folder._loaded", lambda _: pytest.fail("weights are read"))
    with pytest.raises(NotAdaptable, match=r"quantised: Dequantising .* takes .* as float32.* The limit is 128.4 MiB"):
        open_folder(folder, most_bytes=plan.peak - 1)


@pytest.mark.slow
def test_loading_takes_no_more_memory_than_was_said(tmp_path: Path) -> None:
    folder = tmp_path / "wide"
    sizes = {"hidden_size": 512, "intermediate_size": 2048, "num_local_experts": 16, "num_hidden_layers": 2}
    model_of("mixtral", **sizes).bfloat16().save_pretrained(folder)
    tensors = dict[str, Tensor]()
    for name, tensor in load_file(folder / WEIGHTS).items():
        module, (outputs, inputs) = name.removesuffix("weight"), (*tensor.shape, 1)[:2]
        if ".experts." not in name:
            tensors[name] = tensor
        else:
            tensors[f"{module}qweight"] = torch.zeros(inputs // 8, outputs, dtype=torch.int32)
            tensors[f"{module}qzeros"] = torch.zeros(inputs // 128, outputs // 8, dtype=torch.int32)
            tensors[f"{module}scales"] = torch.rand(inputs // 128, outputs).half()
    save_file(tensors, folder / WEIGHTS, {"format": "pt"})
    with_settings(folder, {"quant_method": "gptq", "bits": 4})
    plan = look(folder).plan
    command = [sys.executable, "-c", PEAK, str(folder)]
    run = subprocess.run(command, capture_output=True, text=True, check=True, cwd=Path(__file__).parents[4])
    _, resident, *_ = map(int, run.stdout.split())
    assert 180e6 < plan.nbytes < resident < plan.peak, f"{resident:,} bytes of {plan.peak:,}"


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
    folder, _ = both(plain, tmp_path, settings, packed_integers(4, False))
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

    zeros = list(itertools.chain(range(8)))
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
