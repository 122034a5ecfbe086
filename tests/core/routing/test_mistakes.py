"""Plain mistakes in what is recorded or scored: each is a sentence that says what to pass."""

import inspect
from typing import Any

import numpy as np
import pytest
import torch

from routescope import zoo
from routescope.data import load
from routescope.data.text.sets import own_texts
from routescope.nn.adapters.transformers import from_transformers
from routescope.nn.inputs.pictures import Pictures
from routescope.nn.inputs.text import Text
from routescope.nn.network import Network
from routescope.routing import record as checked_record
from routescope.routing import score
from routescope.routing.caused.scores import evaluate
from tests.core.nn.adapters.families import model_of

#: Without the types that tests check: a user's program has no such checks.
record = inspect.unwrap(checked_record)
UNSTARTED = "a network whose texts have no start"


@pytest.fixture(scope="module")
def networks() -> dict[str, Network]:
    unstarted = from_transformers(model_of("olmoe", vocab_size=256, bos_token_id=None))
    return {"moe-bytes": zoo.load("moe-bytes"), "ni-digits": zoo.load("ni-digits"), UNSTARTED: unstarted}


@pytest.mark.parametrize("texts", ["hi", ["hi"], ("hi",), Text("hi")], ids=repr)
def test_a_network_of_texts_takes_strings(networks: dict[str, Network], texts: Any) -> None:
    assert record(networks["moe-bytes"], texts)["token_text"].values.tolist()[0][1:3] == ["h", "i"]


@pytest.mark.parametrize(
    ("name", "inputs", "error", "words"),
    [
        ("ni-digits", "hi", TypeError, "reads a picture, not an object of type str: pass Pictures"),
        ("ni-digits", ["a", "b"], TypeError, "reads a picture, not an object of type list"),
        ("ni-digits", np.zeros((1, 3, 32, 32)), TypeError, "reads a picture, not an object of type ndarray"),
        ("ni-digits", Text("hi"), TypeError, "reads a picture, not a text: pass Pictures"),
        ("moe-bytes", Pictures(torch.zeros(1, 3, 32, 32)), TypeError, "reads a text, not a picture: pass Text"),
        ("moe-bytes", 3, TypeError, "reads a text, not an object of type int"),
        ("moe-bytes", ["a", 3], TypeError, "text 1, counted from 0, is a str, not int"),
        ("moe-bytes", torch.zeros(1, 3), ValueError, "reads a text, not a tensor"),
        ("moe-bytes", [], ValueError, "the batch has no text"),
        ("moe-bytes", Text(()), ValueError, "the batch has no text"),
        (UNSTARTED, ["a", ""], ValueError, "no token is in text 1"),
        (UNSTARTED, "", ValueError, "no token is in text 0"),
    ],
)
def test_what_a_network_does_not_read_is_a_sentence(
    networks: dict[str, Network], name: str, inputs: Any, error: type[Exception], words: str
) -> None:
    with pytest.raises(error, match=words):
        record(networks[name], inputs)


def test_an_empty_text_after_a_start_has_a_way_and_no_weight(networks: dict[str, Network]) -> None:
    network = networks["moe-bytes"]
    assert (record(network, "")["top_experts"].values[0, :, 0] >= 0).all()
    scores = score(network, own_texts(["", "some bytes"], "sums"))
    assert scores.weights.tolist() == [0, 10] and np.isfinite(scores.figure)


@pytest.mark.parametrize("ask", [score, evaluate])
@pytest.mark.parametrize("data", ["sums", ["hi"], ("hi",), Text("hi"), torch.zeros(2, 3), np.zeros(3)], ids=str)
def test_what_is_no_data_set_is_a_sentence(networks: dict[str, Network], ask: Any, data: Any) -> None:
    with pytest.raises(TypeError, match=r"a data set is scored, such as load\('sums', 'validation'\)"):
        ask(networks["moe-bytes"], data)


def test_what_is_no_network_is_a_sentence() -> None:
    data = load("sums", "validation", limit=1)
    for model in ("moe-bytes", torch.nn.Linear(1, 1), None):
        for ask, given in ((record, "hi"), (score, data), (evaluate, data)):
            with pytest.raises(TypeError, match=r"a network is needed, such as zoo.load\('moe-bytes'\)"):
                ask(model, given)  # type: ignore[operator]
