"""The network against numbers that the authors' own implementation computed.

`ROUTESCOPE_PARITY` names the folder with `neural_interpreter*.safetensors`; without it these tests are skipped.
"""

import json
import os
from pathlib import Path

import pytest
import torch
from safetensors import safe_open
from torch import Tensor

from routescope.nn.interpreter.network import NeuralInterpreter, NeuralInterpreterConfig
from tests.oracles import neural_interpreter as oracle
from tests.oracles.mapping import listening, settings_of, to_state_dict

FOLDER = os.environ.get("ROUTESCOPE_PARITY")
needs_parity = pytest.mark.skipif(FOLDER is None, reason="no parity folder")
FILES = sorted(Path(FOLDER).glob("neural_interpreter*.safetensors")) if FOLDER else [Path("none.safetensors")]
FIELDS = ("output", "compatibility", "types", "states")


def read(path: Path) -> tuple[NeuralInterpreterConfig, dict[str, Tensor]]:
    """The config and all tensors of a conformance file."""
    with safe_open(path, "pt") as file:
        sizes = json.loads(file.metadata()["config"])
        tensors = {name: file.get_tensor(name) for name in file.keys()}  # noqa: SIM118
    type_layers = [t for name, t in tensors.items() if name.startswith("script.0.type_inference.linear.")]
    config = NeuralInterpreterConfig(
        features=sizes["features"],
        code_features=sizes["code_features"],
        type_features=sizes["type_features"],
        scripts=sizes["scripts"],
        iterations=sizes["iterations"],
        locs=sizes["locs"],
        functions=sizes["functions"],
        heads=sizes["heads"],
        key_features=sizes["key_features_per_head"],
        type_inference_width=tensors["script.0.type_inference.linear.0.weight"].shape[0],
        type_inference_depth=len(type_layers) // 2,
        tau=sizes["tau"],
        eps=sizes["eps"],
        residual="printed" if sizes["outer_residual"] else "none",
        relative_position=sizes["relative_position"],
        tokenizer=None,
        domains=(),
    )
    return config, tensors


def load(path: Path, dtype: torch.dtype) -> tuple[NeuralInterpreter, dict[str, Tensor]]:
    """A network with the file's weights, in evaluation mode, and all tensors of the file."""
    config, tensors = read(path)
    model = NeuralInterpreter(config).to(dtype).eval()
    none = {"cls": model.cls.detach()}  # without domains there are no CLS tokens: an empty tensor
    model.load_state_dict({**none, **to_state_dict(tensors)})
    return model, tensors


def expected(tensors: dict[str, Tensor], config: NeuralInterpreterConfig) -> dict[str, Tensor]:
    """What the file says, with steps (script x iteration) in front of the traced quantities."""
    steps = [(s, i) for s in range(config.scripts) for i in range(config.iterations)]
    assert sum(name.startswith("trace.") for name in tensors) == 3 * len(steps)
    found = {"output": tensors["output"]}
    for ours, theirs in (("compatibility", "compatibility"), ("types", "types"), ("states", "output")):
        found[ours] = torch.stack([tensors[f"trace.{s}.{i}.{theirs}"] for s, i in steps])
    return found


@torch.no_grad()
def computed(model: NeuralInterpreter, x: Tensor) -> dict[str, Tensor]:
    """The same quantities from the network."""
    with listening(model, "compatibility", "types", "states") as heard:
        found = {"output": model.interpret(x)}
    for name, by_step in heard.items():
        found[name] = torch.stack([by_step[step] for step in range(len(model.steps))])
    found["compatibility"] = found["compatibility"].transpose(1, 2)  # (step, unit, sample, token) in the network
    return found


def test_the_parity_folder_holds_files() -> None:
    if FOLDER is None:
        pytest.skip("no parity folder")
    assert FILES, f"{FOLDER} holds no neural_interpreter*.safetensors"


@needs_parity
@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
@pytest.mark.parametrize("dtype", [torch.float64, torch.float32], ids=["float64", "float32"])
def test_the_network_gives_the_authors_numbers(path: Path, dtype: torch.dtype) -> None:
    model, tensors = load(path, dtype)
    ours, theirs = computed(model, tensors["input"].to(dtype)), expected(tensors, model.config)
    for name in FIELDS:
        assert ours[name].dtype == dtype
        assert ours[name].shape == theirs[name].shape
        error = (ours[name].double() - theirs[name]).abs().max().item()
        relative = error / theirs[name].abs().max().item()
        print(f"{path.stem} {dtype} {name}: largest error {error:.1e}, relative to the largest value {relative:.1e}")
        if dtype == torch.float64:
            assert error <= 1e-9, name
        else:
            assert relative <= 1e-4, name


@needs_parity
@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_the_oracle_gives_the_authors_numbers(path: Path) -> None:
    config, tensors = read(path)
    output, trace = oracle.neural_interpreter(tensors, settings_of(config), tensors["input"])
    steps = [step for script in trace for step in script]
    ours = {
        "output": output,
        "compatibility": torch.stack([step.compatibility for step in steps]),
        "types": torch.stack([step.types for step in steps]),
        "states": torch.stack([step.output for step in steps]),
    }
    for name, theirs in expected(tensors, config).items():
        error = (ours[name] - theirs).abs().max().item()
        print(f"{path.stem} oracle {name}: largest error {error:.1e}")
        assert error <= 1e-9, name


@pytest.mark.slow
@needs_parity
@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_every_tensor_of_a_file_decides(path: Path) -> None:
    """No weight is ignored by the loader or by the network: a change of any changes the output."""
    model, tensors = load(path, torch.float64)
    x = tensors["input"]
    with torch.no_grad():
        before = model.interpret(x)
        for name, parameter in model.named_parameters():
            if parameter.numel() == 0:
                continue
            kept = parameter.clone()
            parameter[(0,) * parameter.dim()] += 0.5
            changed = model.interpret(x)
            parameter.copy_(kept)
            assert not torch.equal(changed, before), name
        torch.testing.assert_close(model.interpret(x), before, rtol=0, atol=0)
