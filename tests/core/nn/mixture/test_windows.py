"""Texts that are longer than the context, scored in windows, beside a literal computation token by token."""

import math

import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from routescope.data.text.sets import own_texts
from routescope.nn.adapters.network import AdaptedNetwork
from routescope.nn.adapters.transformers import from_transformers
from routescope.nn.inputs.text import Text
from routescope.nn.mixture.config import MixtureConfig
from routescope.nn.mixture.network import MixtureNetwork
from routescope.nn.mixture.routed import RoutedNetwork
from routescope.nn.mixture.vocabulary import START
from routescope.nn.windows import WindowSettings
from routescope.routing import Intervention, InterventionError, record, score
from routescope.routing.observed.load import LoadObserver
from tests.core.nn.adapters.families import model_of

CONFIG = MixtureConfig(context=24, layers=2, features=16, heads=2, experts=4, hidden=8)
LETTERS = st.text(st.sampled_from("ab é\n"), max_size=40)


@pytest.fixture(scope="module")
def started() -> MixtureNetwork:
    """A network whose texts have a start."""
    torch.manual_seed(3)
    made = MixtureNetwork(CONFIG).eval().requires_grad_(False)
    made.embedding.weight.mul_(30)
    return made


@pytest.fixture(scope="module")
def unstarted() -> AdaptedNetwork:
    """A network whose texts have none."""
    return from_transformers(model_of("olmoe", vocab_size=256, bos_token_id=None), context=24)


def literal(network: RoutedNetwork, text: str, context: int, stride: int) -> tuple[float, int]:
    """Nats and bytes of the scored tokens of one text: one pass for each token, with the bytes before it."""
    content, start = list(text.encode()), [START] if network.starts else []
    nats, count = 0.0, 0
    for place, token in enumerate(content):
        begin = 0
        while place >= begin + context:
            begin += stride
        before = [*start, *content[begin:place]]
        if not before:
            continue
        scores = network.logits(torch.tensor([before]))[0, -1].double()
        nats -= float(scores.log_softmax(dim=-1)[token])
        count += 1
    return nats, count


@pytest.mark.parametrize("kind", ["started", "unstarted"])
@settings(deadline=None, max_examples=15)
@given(data=st.data())
def test_windows_are_the_literal_computation(
    started: MixtureNetwork, unstarted: AdaptedNetwork, kind: str, data: st.DataObject
) -> None:
    network = started if kind == "started" else unstarted
    context = data.draw(st.integers(2, 24), label="context")
    stride = data.draw(st.none() | st.integers(1, context - (not network.starts)), label="stride")
    texts = data.draw(st.lists(LETTERS, min_size=1, max_size=4).filter(any), label="texts")
    with torch.no_grad():
        found = score(network.with_context(context, stride), own_texts(texts, "sums"))
        wanted = [literal(network, text, context, stride or max(1, context // 2)) for text in texts]
    assert found.weights.tolist() == [count for _, count in wanted]
    bits = [nats / max(1, count) / math.log(2) for nats, count in wanted]
    assert found.value.tolist() == pytest.approx(bits, rel=1e-4, abs=1e-5)
    whole = sum(nats for nats, _ in wanted) / max(1, sum(count for _, count in wanted)) / math.log(2)
    assert not sum(found.weights) or found.figure == pytest.approx(whole, rel=1e-4, abs=1e-5)
    assert found.tokens_left_out is not None and not found.tokens_left_out.any()


@given(st.integers(0, 60), st.integers(1, 20), st.data())
def test_every_token_is_scored_once_with_the_context_that_the_stride_leaves(
    tokens: int, context: int, data: st.DataObject
) -> None:
    stride = data.draw(st.integers(1, context))
    scored = list[int]()
    for begin, stop, first in WindowSettings(context, stride).spans(tokens):
        assert stop - begin <= context and begin <= first
        assert first == 0 or first - begin == context - stride
        scored += range(first, stop)
    assert scored == list(range(tokens))


def test_cut_texts_say_what_is_left_out(started: MixtureNetwork) -> None:
    data = own_texts(["a" * 10, "é" * 20, ""], "sums")
    found = score(started.with_context(16, cut=True), data)
    assert found.weights.tolist() == [10, 16, 0]
    assert found.tokens_left_out is not None and found.bytes_left_out is not None
    assert found.tokens_left_out.tolist() == found.bytes_left_out.tolist() == [0, 24, 0]
    assert found.take([1]).tokens_left_out.tolist() == [24]  # type: ignore[union-attr]
    trace = record(started.with_context(16), data.inputs(slice(None)))
    assert trace["tokens_left_out"].values.tolist() == trace["bytes_left_out"].values.tolist() == [0, 24, 0]
    assert [own["tokens_left_out"].values.tolist() for own in trace.samples()] == [[0], [24], [0]]
    assert started.with_context(16).left_out(Text("é" * 20)).tokens.tolist() == [24]


def test_means_are_replaced_in_windows_and_resampling_is_refused(started: MixtureNetwork) -> None:
    data = own_texts(["ab" * 20, "a b" * 9], "sums")
    plain = score(started, data)
    assert score(started, data, Intervention(mean=("l1.e1", "l1.e2"))).figure != plain.figure
    with pytest.raises(InterventionError, match="sample 0 is longer than the context, and resample"):
        score(started, data, Intervention(resample=("l1.e1",)))
    assert score(started.with_context(cut=True), data, Intervention(resample=("l1.e1",))).count == 2


@pytest.mark.parametrize(
    ("context", "stride", "words"),
    [
        (0, None, "a context has at least 1 token, not 0"),
        (25, None, "reads up to 24 tokens of a text in one pass, not 25"),
        (8, 9, "a stride is 1 to 8 tokens"),
        (8, 0, "a stride is 1 to 8 tokens"),
    ],
)
def test_what_no_window_can_be_is_refused(
    started: MixtureNetwork, context: int, stride: int | None, words: str
) -> None:
    with pytest.raises(ValueError, match=words):
        started.with_context(context, stride)


def test_without_a_start_a_window_has_a_token_before_its_first_new_one(unstarted: AdaptedNetwork) -> None:
    with pytest.raises(ValueError, match="has no token before it"):
        unstarted.with_context(8, 8)
    assert unstarted.with_context(8, 8, cut=True).reading.cut


def test_views_and_smaller_models_keep_the_context(started: MixtureNetwork) -> None:
    view = started.with_context(9, 3)
    kept = view.keep([unit for unit in view.units if not unit.endswith("e4")])
    assert kept.reading == kept.mute(["l1.e1"]).reading == kept.sliced().reading == WindowSettings(9, 3)
    assert started.reading == WindowSettings(24)


def test_observations_say_what_they_do_not_count(started: MixtureNetwork) -> None:
    observer = LoadObserver(started.with_context(16), [own_texts(["é" * 20, "ab"], "sums")], shuffles=2)
    list(observer)
    found = observer.result()
    assert (found.tokens, found.tokens_left_out, found.bytes_left_out) == (17 + 3, 24, 24)


def test_empty_texts_weigh_nothing_beside_others(unstarted: AdaptedNetwork) -> None:
    """Two texts with two windows in all: they are not taken for a window each."""
    found = score(unstarted.with_context(8), own_texts(["", "ab" * 6], "sums"))
    alone = score(unstarted.with_context(8), own_texts("ab" * 6, "sums"))
    assert found.weights.tolist() == [0, 11] and found.figure == pytest.approx(alone.figure)
    with pytest.raises(ValueError, match="no text of this batch has a token"):
        score(unstarted, own_texts(["", ""], "sums"))
