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
    from routescope.nn.inputs.statements import Statements
    from routescope.nn.probe import probes_of
    from routescope.routing import Intervention, record
    from tests.core.nn import circuits, conditionals
    from tests.core.nn.circuits import tokens as circuit_tokens
    from tests.core.nn.networks import config, images, network, tokens
    from tests.core.routing.small import NAMES, inputs, small

    networks = [small(name) for name in NAMES]
    for form in (None, "modlin"):
        networks.append(small("neural_interpreter", tokenizer="convolutional", relative_position=form))
    for tokenizer, links in (("patches", "frozen"), ("convnext", "complete")):
        networks.append(small("neural_attentive_circuit", tokenizer=tokenizer, links=links))
    for model in networks:
        batch, change = inputs(model), Intervention(drop=model.units[:1], mute=model.units[1:2])
        record(model, batch, only=tuple(probes_of(model)), intervention=change)
        model.keep(())(batch), model.constants()
        model.train()(batch).sum().backward()

    model = network(config())
    model.add_functions(2).interpret(tokens(model), outputs=1)
    circuit = circuits.network(circuits.config())
    circuit.cut(0.5).with_links("sample")(circuit_tokens(circuit)), circuit.connectivity()
    judge = conditionals.network(conditionals.config(), dtype=torch.float32)
    samples = conditionals.statements(judge)
    judge.cut(0.5)(samples), judge.with_links("sample")(samples), judge(samples[[]])
    text, there = judge.text(samples.sentences)
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
