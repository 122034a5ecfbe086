"""Two networks, and their oracles, against numbers that the authors' own implementations computed.

`ROUTESCOPE_PARITY` names the folder with `neural_interpreter*.safetensors` and `neural_attentive_circuit*.safetensors`;
without it these tests are skipped.
"""

import json
import os
from functools import cached_property
from pathlib import Path
from typing import Any

import pytest
import torch
from safetensors import safe_open
from torch import Tensor

from routescope.nn.circuit.network import NeuralAttentiveCircuit, NeuralAttentiveCircuitConfig
from routescope.nn.interpreter.network import NeuralInterpreter, NeuralInterpreterConfig
from tests.core.nn import circuits
from tests.oracles import neural_attentive_circuit, neural_interpreter
from tests.oracles.mapping import listening, settings_of, to_state_dict

FOLDER = os.environ.get("ROUTESCOPE_PARITY")
SAME_NAMES = (
    *("features", "input_features", "signature_features", "code_features", "heads", "head_features", "layers"),
    *("ffn_hidden", "classes", "bandwidth", "initial_state", "readouts", "readin_heads", "readout_heads"),
    "readin_head_features",
)


class Conformance:
    """A file with a config, weights, an input and what the authors' implementation makes of it.

    `network` has the file's weights; `expected`, `computed` and `literal` are the same quantities by name, of the file,
    of a network and of the oracle, with steps in front of the traced ones.
    """

    def __init__(self, path: Path) -> None:
        with safe_open(path, "pt") as file:
            self.sizes: dict[str, Any] = json.loads(file.metadata()["config"])
            self.tensors = {name: file.get_tensor(name) for name in file.keys()}  # noqa: SIM118
        self.input, self.output = self.tensors["input"], self.tensors["output"]
        self.traced = sum(name.startswith("trace.") for name in self.tensors)


TRACED = {"compatibility": "compatibility", "types": "types", "states": "output"}


class Interpreter(Conformance):
    @cached_property
    def config(self) -> NeuralInterpreterConfig:
        sizes, first = self.sizes, "script.0.type_inference.linear."
        same = ("features", "code_features", "type_features", "scripts", "iterations", "locs", "functions", "heads")
        return NeuralInterpreterConfig(
            **{name: sizes[name] for name in (*same, "tau", "eps", "relative_position")},
            key_features=sizes["key_features_per_head"],
            type_inference_width=self.tensors[f"{first}0.weight"].shape[0],
            type_inference_depth=sum(name.startswith(first) for name in self.tensors) // 2,
            residual="printed" if sizes["outer_residual"] else "none",
            tokenizer=None,
            domains=(),
        )

    def network(self, dtype: torch.dtype) -> NeuralInterpreter:
        model = NeuralInterpreter(self.config).to(dtype).eval()
        none = {"cls": model.cls.detach()}  # without domains there are no CLS tokens: an empty tensor
        model.load_state_dict({**none, **to_state_dict(self.tensors)})
        return model

    def expected(self) -> dict[str, Tensor]:
        steps = [(s, i) for s in range(self.config.scripts) for i in range(self.config.iterations)]
        assert self.traced == 3 * len(steps)
        traced = {
            ours: torch.stack([self.tensors[f"trace.{s}.{i}.{theirs}"] for s, i in steps])
            for ours, theirs in TRACED.items()
        }
        return {"output": self.output, **traced}

    def computed(self, model: NeuralInterpreter) -> dict[str, Tensor]:
        with listening(model, "compatibility", "types", "states") as heard:
            output = self.answer(model)
        by_name = {name: torch.stack([steps[at] for at in range(len(model.steps))]) for name, steps in heard.items()}
        by_name["compatibility"] = by_name["compatibility"].transpose(1, 2)  # of the network: (step, unit, sample, ...)
        return {"output": output, **by_name}

    def literal(self) -> dict[str, Tensor]:
        output, trace = neural_interpreter.neural_interpreter(self.tensors, settings_of(self.config), self.input)
        steps = [step for script in trace for step in script]
        traced = {ours: torch.stack([getattr(step, theirs) for step in steps]) for ours, theirs in TRACED.items()}
        return {"output": output, **traced}

    def answer(self, model: NeuralInterpreter) -> Tensor:
        return model.interpret(self.input.to(model.cls.dtype))


class Circuit(Conformance):
    @cached_property
    def config(self) -> NeuralAttentiveCircuitConfig:
        return NeuralAttentiveCircuitConfig(
            modules=self.sizes["processors"],
            readout_head_features=self.tensors["read_out.attention.query.W"].shape[0] // self.sizes["readout_heads"],
            tokenizer=None,
            max_length=self.input.shape[1],
            domains=("any",),
            **{name: self.sizes[name] for name in SAME_NAMES},
        )

    @property
    def weights(self) -> dict[str, Tensor]:
        others = ("input", "output")
        return {name: t for name, t in self.tensors.items() if name not in others and not name.startswith("trace.")}

    def network(self, dtype: torch.dtype) -> NeuralAttentiveCircuit:
        model = NeuralAttentiveCircuit(self.config).to(dtype).eval()
        model.load_state_dict(self.weights)
        return model

    def expected(self) -> dict[str, Tensor]:
        assert self.traced == self.config.layers + 2
        steps = ["read_in", *(f"layer.{n}" for n in range(self.config.layers))]
        return {
            "output": self.output,
            "link_probability": self.tensors["trace.link_probability"],
            "states": torch.stack([self.tensors[f"trace.{step}.states"] for step in steps]),
        }

    def computed(self, model: NeuralAttentiveCircuit) -> dict[str, Tensor]:
        with listening(model, "states") as heard:
            output = self.answer(model)
        states = torch.stack([heard["states"][step] for step in range(len(model.steps))])
        return {"output": output, "link_probability": model.link_probability(), "states": states}

    def literal(self) -> dict[str, Tensor]:
        settings = circuits.settings_of(self.config)
        output, trace = neural_attentive_circuit.neural_attentive_circuit(self.weights, settings, self.input)
        return {"output": output, "link_probability": trace.link_probability, "states": torch.stack(trace.states)}

    def answer(self, model: NeuralAttentiveCircuit) -> Tensor:
        return model(self.input.to(model.confidence.weight.dtype))[:, 0]


KINDS: dict[str, type[Conformance]] = {"neural_interpreter": Interpreter, "neural_attentive_circuit": Circuit}
FILES = [path for name in KINDS for path in sorted(Path(FOLDER or "").glob(f"{name}*.safetensors"))] if FOLDER else []


@pytest.fixture(params=FILES or [None], ids=lambda path: path.stem if path else "none")
def file(request: pytest.FixtureRequest) -> Conformance:
    if FOLDER is None:
        pytest.skip("no parity folder")
    assert request.param, f"{FOLDER} holds none of {', '.join(KINDS)}"
    return next(kind(request.param) for name, kind in KINDS.items() if request.param.stem.startswith(name))


@pytest.mark.parametrize("dtype", [torch.float64, torch.float32], ids=["float64", "float32"])
@torch.no_grad()
def test_the_network_gives_the_authors_numbers(file: Conformance, dtype: torch.dtype) -> None:
    computed = file.computed(file.network(dtype))
    for name, theirs in file.expected().items():
        assert computed[name].dtype == dtype and computed[name].shape == theirs.shape
        error = (computed[name].double() - theirs).abs().max().item()
        relative = error / theirs.abs().max().item()
        assert error <= 1e-9 if dtype == torch.float64 else relative <= 1e-4, name


def test_the_oracle_gives_the_authors_numbers(file: Conformance) -> None:
    literal = file.literal()
    for name, theirs in file.expected().items():
        assert (literal[name] - theirs).abs().max().item() <= 1e-9, name


@pytest.mark.slow
@torch.no_grad()
def test_every_tensor_of_a_file_decides(file: Conformance) -> None:
    """No weight is ignored by the loader or by the network: a change of any changes the output."""
    model = file.network(torch.float64)
    before = file.answer(model)
    for name, parameter in model.named_parameters():
        if not parameter.numel():
            continue
        saved = parameter.clone()
        parameter[(0,) * parameter.dim()] += 0.5
        changed = file.answer(model)
        parameter.copy_(saved)
        # A confidence that all read-out modules of a circuit share cancels in their softmax.
        assert not torch.equal(changed, before) or name == "confidence.bias", name
    torch.testing.assert_close(file.answer(model), before, rtol=0, atol=0)
