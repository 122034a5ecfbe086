"""The Neural Attentive Circuit against numbers that the authors' own implementation computed.

`ROUTESCOPE_PARITY` names the folder with `neural_attentive_circuit*.safetensors`; without it these tests are skipped.
"""

import json
import os
from pathlib import Path

import pytest
import torch
from safetensors import safe_open
from torch import Tensor

from routescope.nn.circuit.network import NeuralAttentiveCircuit, NeuralAttentiveCircuitConfig
from tests.core.nn.circuits import settings_of
from tests.oracles import neural_attentive_circuit as oracle
from tests.oracles.mapping import listening

FOLDER = os.environ.get("ROUTESCOPE_PARITY")
needs_parity = pytest.mark.skipif(FOLDER is None, reason="no parity folder")
FILES = sorted(Path(FOLDER).glob("neural_attentive_circuit*.safetensors")) if FOLDER else [Path("none.safetensors")]
SAME_NAMES = (
    "features",
    "input_features",
    "signature_features",
    "code_features",
    "heads",
    "head_features",
    "layers",
    "ffn_hidden",
    "classes",
    "bandwidth",
    "initial_state",
    "readouts",
    "readin_heads",
    "readout_heads",
    "readin_head_features",
)


def read(path: Path) -> tuple[NeuralAttentiveCircuitConfig, dict[str, Tensor], dict[str, Tensor]]:
    """The config, the weights and the other tensors of a conformance file."""
    with safe_open(path, "pt") as file:
        sizes = json.loads(file.metadata()["config"])
        tensors = {name: file.get_tensor(name) for name in file.keys()}  # noqa: SIM118
    config = NeuralAttentiveCircuitConfig(
        modules=sizes["processors"],
        readout_head_features=tensors["read_out.attention.query.W"].shape[0] // sizes["readout_heads"],
        tokenizer=None,
        max_length=tensors["input"].shape[1],
        domains=("any",),
        **{name: sizes[name] for name in SAME_NAMES},
    )
    others = {name for name in tensors if name in ("input", "output") or name.startswith("trace.")}
    return (
        config,
        {name: tensor for name, tensor in tensors.items() if name not in others},
        {name: tensors[name] for name in others},
    )


def expected(others: dict[str, Tensor], layers: int) -> dict[str, Tensor]:
    """What the file says, with steps in front of the states."""
    assert sum(name.startswith("trace.") for name in others) == layers + 2
    return {
        "output": others["output"],
        "link_probability": others["trace.link_probability"],
        "states": torch.stack(
            [others["trace.read_in.states"], *(others[f"trace.layer.{n}.states"] for n in range(layers))]
        ),
    }


def load(path: Path, dtype: torch.dtype) -> tuple[NeuralAttentiveCircuit, dict[str, Tensor]]:
    """A network with the file's weights, in evaluation mode, and the other tensors of the file."""
    config, weights, others = read(path)
    model = NeuralAttentiveCircuit(config).to(dtype).eval()
    model.load_state_dict(weights)
    return model, others


def test_the_parity_folder_holds_files() -> None:
    if FOLDER is None:
        pytest.skip("no parity folder")
    assert FILES, f"{FOLDER} holds no neural_attentive_circuit*.safetensors"


@needs_parity
@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
@pytest.mark.parametrize("dtype", [torch.float64, torch.float32], ids=["float64", "float32"])
@torch.no_grad()
def test_the_network_gives_the_authors_numbers(path: Path, dtype: torch.dtype) -> None:
    model, others = load(path, dtype)
    with listening(model, "states") as heard:
        ours = {"output": model(others["input"].to(dtype))[:, 0], "link_probability": model.link_probability()}
    ours["states"] = torch.stack([heard["states"][step] for step in range(len(model.steps))])
    for name, theirs in expected(others, model.config.layers).items():
        assert ours[name].dtype == dtype
        assert ours[name].shape == theirs.shape
        error = (ours[name].double() - theirs).abs().max().item()
        relative = error / theirs.abs().max().item()
        print(f"{path.stem} {dtype} {name}: largest error {error:.1e}, relative to the largest value {relative:.1e}")
        if dtype == torch.float64:
            assert error <= 1e-9, name
        else:
            assert relative <= 1e-4, name


@needs_parity
@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_the_oracle_gives_the_authors_numbers(path: Path) -> None:
    config, weights, others = read(path)
    output, trace = oracle.neural_attentive_circuit(weights, settings_of(config), others["input"])
    ours = {"output": output, "link_probability": trace.link_probability, "states": torch.stack(trace.states)}
    for name, theirs in expected(others, config.layers).items():
        error = (ours[name] - theirs).abs().max().item()
        print(f"{path.stem} oracle {name}: largest error {error:.1e}")
        assert error <= 1e-9, name


@pytest.mark.slow
@needs_parity
@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
@torch.no_grad()
def test_every_tensor_of_a_file_decides(path: Path) -> None:
    """No weight is ignored by the loader or by the network: a change of any changes the output."""
    model, others = load(path, torch.float64)
    x = others["input"]
    before = model(x)
    for name, parameter in model.named_parameters():
        kept = parameter.clone()
        parameter[(0,) * parameter.dim()] += 0.5
        changed = model(x)
        parameter.copy_(kept)
        # a confidence that all read-out modules share cancels in their softmax
        assert not torch.equal(changed, before) or name == "confidence.bias", name
    torch.testing.assert_close(model(x), before, rtol=0, atol=0)
