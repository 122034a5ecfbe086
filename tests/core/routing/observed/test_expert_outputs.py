"""Cosines of what two experts write, by a loop over the tokens that take both; what is not asked for has no number."""

import itertools

import numpy as np
import pytest

from routescope import zoo
from routescope.data import load
from routescope.nn.inputs.text import Text
from routescope.routing import Intervention, record
from routescope.routing.observed import expert_outputs
from routescope.routing.observed.expert_outputs import WrittenObserver

MODEL = zoo.load("moe-bytes")
SETS = [load(name, "validation").take(slice(4)) for name in ("sums", "python")]


def observed(intervention: Intervention, texts: int = 6) -> expert_outputs.OutputSimilarity:
    observer = WrittenObserver(MODEL, SETS, intervention, texts=texts)
    assert list(observer)[-1] == (texts, texts) and observer.lacking is None
    result = observer.result()
    assert result is not None
    return result


@pytest.mark.parametrize("intervention", [Intervention(), Intervention(drop=("l2.e3",), mute=("l1.e1",))], ids=str)
def test_cosines_are_those_of_a_loop_over_tokens(intervention: Intervention) -> None:
    observation = observed(intervention)
    sums, tokens = np.zeros((4, 8, 8)), np.zeros((4, 8, 8))
    for dataset in SETS:
        for text in dataset.texts[:3]:
            trace = record(MODEL, Text((text,)), ["contributions", "top_experts"], intervention=intervention)
            outputs = trace["contributions"].isel(sample=0).transpose("step", "token", "unit", "feature").values
            experts = trace["top_experts"].isel(sample=0).transpose("step", "token", "slot").values
            for layer, token in itertools.product(range(4), range(experts.shape[1])):
                share = [int(e) for e in experts[layer, token] if e >= 0]
                for e, f in itertools.product(share, share):
                    a, b = outputs[layer, token, e].astype(float), outputs[layer, token, f].astype(float)
                    if np.linalg.norm(a) > 0 and np.linalg.norm(b) > 0:
                        sums[layer, e, f] += a @ b / (np.linalg.norm(a) * np.linalg.norm(b))
                        tokens[layer, e, f] += 1
    assert observation.texts == 6
    np.testing.assert_array_equal(observation.tokens, tokens)
    present = tokens > 0
    np.testing.assert_allclose(observation.cosine[present], (sums / np.maximum(tokens, 1))[present], atol=1e-5)
    assert np.isnan(observation.cosine[~present]).all()
    bounded = ~np.isnan(observation.low)
    assert (observation.low[bounded] <= observation.high[bounded] + 1e-12).all()
    for unit in intervention.units:
        layer, expert = (int(part[1:]) - 1 for part in unit.split("."))
        assert np.isnan(observation.cosine[layer, expert]).all(), "who is dropped or muted writes nothing"


def test_an_interval_needs_two_texts() -> None:
    observer = WrittenObserver(MODEL, SETS[:1], Intervention(), texts=1)
    list(observer)
    result = observer.result()
    assert result is not None and result.texts == 1 and np.isnan(result.low).all() and not np.isnan(result.cosine).all()


def test_what_cannot_be_observed_says_why(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(expert_outputs, "MOST_BYTES", 1000)
    observer = WrittenObserver(MODEL, SETS, Intervention())
    assert list(observer) == [] and observer.result() is None
    assert observer.lacking is not None and "too much to hold" in observer.lacking
    monkeypatch.undo()
    many = WrittenObserver(MODEL, SETS, Intervention(), pairs=False)
    assert list(many) == [] and many.result() is None and many.lacking == "there are too many pairs of experts"
    view = MODEL.keep(MODEL.units)
    del view.probes.contributions
    observer = WrittenObserver(view, SETS, Intervention())
    assert list(observer) == [] and observer.result() is None
    assert observer.lacking is not None and "does not tell apart" in observer.lacking
