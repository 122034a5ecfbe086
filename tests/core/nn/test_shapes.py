"""Annotated shapes hold while everything in the network and the recording runs, and wrong ones are found."""

import os
import subprocess
import sys
import textwrap

import pytest

CHECKED = """
    from jaxtyping import TypeCheckError, install_import_hook
    import tests.core.typechecker  # the hook finds it by name
    install_import_hook(tests.core.typechecker.CHECKED, "tests.core.typechecker.check")

    import sys
    import torch
    assert not any(name.split(".")[0] == "routescope" for name in sys.modules)
    from routescope.nn.interpreter.network import NeuralInterpreter
    from routescope.nn.registry import ARCHITECTURES
    from routescope.routing import Intervention, record
    from tests.core.nn.networks import config, images, network, tokens

    for tokenizer, form in (("linear", None), ("linear", "shared"), ("convolutional", "modlin")):
        model = network(config(tokenizer=tokenizer, relative_position=form, image_size=8), dtype=torch.float32)
        fields = ("compatibility", "types", "attention", "states", "contributions")
        for change in (Intervention(), Intervention(drop=("s1.f1",), mute=("s2.f2",), iterations=2)):
            record(model, images(model), only=fields, intervention=change)
        model.add_functions(2)(images(model))
        model.train()(images(model)).sum().backward()
        model.interpret(tokens(model), outputs=1)

    from tests.core.nn import circuits
    from tests.core.nn.circuits import tokens as circuit_tokens
    from routescope.nn.probe import probes_of

    for tokenizer, links in (("convnext", "learned"), ("patches", "frozen"), ("convnext", "complete")):
        sizes = circuits.config(tokenizer=tokenizer, links=links, image_size=16)
        circuit = circuits.network(sizes, dtype=torch.float32)
        inputs = circuit.example(3)
        for change in (Intervention(), Intervention(drop=("m1",), mute=("m2",), iterations=2)):
            record(circuit, inputs, only=tuple(probes_of(circuit)), intervention=change)
        circuit.keep(())(inputs)
        circuit.constants(), circuit.connectivity()
        circuit.train()(inputs).sum().backward()
    circuit = circuits.network(circuits.config())
    circuit.cut(0.5).with_links("sample")(circuit_tokens(circuit))

    from routescope.nn.inputs.statements import Statements
    from tests.core.nn import conditionals

    judge = conditionals.network(conditionals.config(), dtype=torch.float32)
    samples = conditionals.statements(judge)
    for change in (Intervention(), Intervention(drop=("m1",), mute=("m2",), iterations=2)):
        record(judge, samples, only=tuple(probes_of(judge)), intervention=change)
    judge.keep(())(samples), judge.cut(0.5)(samples), judge.with_links("sample")(samples), judge(samples[[]])
    judge.train()(samples).sum().backward()
    text, there = judge.eval().text(samples.sentences)

    model = network(config())
    wrong = {
        "pictures": lambda: Statements(samples.images[:, 0], samples.sentences),
        "sentences": lambda: Statements(samples.images, 7),
        "tokens of pictures": lambda: judge.pictures(samples.images[0]),
        "pieces": lambda: judge.generator(text, there[:, 1:]),
        "pieces that are there": lambda: judge.generator(text, there.float()),
        "links of one design": lambda: judge._report(judge.design(("a",)), torch.zeros(9, 9), None),
        "tokens": lambda: circuit.execute(circuit_tokens(circuit)[0]),
        "padding": lambda: circuit.execute(circuit_tokens(circuit), torch.ones(2, 6)),
        "modfc": lambda: circuit.propagators[0].attention.query.scale(torch.zeros(3)),
        "links": lambda: circuit.propagators[0].weights(*circuit.prepare().log_K[:3]),
        "interpret": lambda: model.interpret(tokens(model)[0]),
        "forward": lambda: model(images(model)[0]),
        "modlin": lambda: model.scripts[0].locs[0].attention.query.scale(torch.zeros(3)),
        "dtype": lambda: model(torch.zeros(1, 3, 6, 6, dtype=torch.uint8)),
    }
    for name, call in wrong.items():
        try:
            call()
        except TypeCheckError:
            continue
        raise SystemExit(f"{name} took an array of the wrong shape or type")
    print("every shape was checked")
"""


@pytest.mark.slow
def test_annotated_shapes_hold_and_wrong_ones_are_found() -> None:
    done = subprocess.run(
        [sys.executable, "-c", textwrap.dedent(CHECKED)],
        capture_output=True,
        text=True,
        timeout=240,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(path for path in sys.path if path)},
    )
    assert done.returncode == 0, done.stderr
    assert "every shape was checked" in done.stdout
