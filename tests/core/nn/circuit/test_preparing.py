"""Prepared weights, chunks, precision, names and views of Neural Attentive Circuits."""

import time
from concurrent.futures import ThreadPoolExecutor

import pytest
import torch

from routescope.nn import prepared
from routescope.nn.circuit.network import NeuralAttentiveCircuit, NeuralAttentiveCircuitConfig
from tests.core.nn.circuits import ask_oracle, config, network, tokens

# beartype picks the items that it looks at by chance, also while hypothesis draws a config
pytestmark = pytest.mark.filterwarnings("ignore:Do not use the `random` module inside strategies")
CLOSE = {"rtol": 1e-9, "atol": 1e-9}


def test_the_default_sizes_are_those_of_table_4() -> None:
    c = NeuralAttentiveCircuitConfig()
    assert (c.features, c.layers, c.modules, c.heads, c.readin_heads, c.ffn_hidden) == (384, 8, 320, 6, 1, 1536)
    assert (c.readouts, c.signature_features, c.code_features) == (64, 64, 384)
    assert (c.temperature, c.bandwidth, c.alpha) == (0.5, 1.0, 0.1)


def test_parts_have_the_names_that_others_know() -> None:
    model = network(config())
    assert model.units == tuple(f"m{u}" for u in range(1, 10)) and model.steps == ("read-in", "l1", "l2", "l3")
    assert model.step_names(1) == model.along("step", 1) == ("read-in", "l1")
    assert model.along("layer", 3) == ("l1", "l2", "l3") and model.tokens == tuple(f"token:{i}" for i in range(6))
    patches = ("patch:0,0", "patch:0,1", "patch:1,0", "patch:1,1")
    assert network(config(tokenizer="patches", image_size=16)).tokens == patches
    view = model.keep(("m9", "m2", "m4")).mute(("m4",))
    assert (view.units, view.muted, view.computing(0, 4)) == (("m2", "m4", "m9"), ("m4",), (1, 3, 8))
    assert view.keep(("m2", "m9")).muted == () and view.mute(("m2",)).muted == ("m2", "m4")


def test_views_find_their_own_preparations_again() -> None:
    model = network(config())
    views = [
        model,
        model.keep(model.units[1:]),
        model.mute(model.units[:1]),
        model.cut(0.5),
        model.with_links("threshold"),
        model.with_links("sample", 1),
        model.with_links("sample", 2),
    ]
    with torch.no_grad():
        made = [view.prepare() for view in views]
        assert len({id(each) for each in made}) == len(views)
        assert [view.prepare() for view in views] == made
        assert all(view.prepare() is each for view, each in zip(views, made, strict=True))
    assert model.prepare() is not made[0], "not where gradients are wanted"


@torch.no_grad()
def test_what_was_used_last_is_kept_longest(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(prepared, "MOST_VIEWS", 3)
    model = network(config())
    views = [model.mute(model.units[:n]) for n in range(4)]
    made = [view.prepare() for view in views[:3]]
    assert views[0].prepare() is made[0]
    views[3].prepare()
    assert views[0].prepare() is made[0] and views[2].prepare() is made[2]
    assert views[1].prepare() is not made[1]


@torch.no_grad()
def test_all_networks_together_keep_no_more_than_they_may(monkeypatch: pytest.MonkeyPatch) -> None:
    """The least recently used of any of them goes, with the parameters that were converted for it."""
    one, two = (network(config(), seed, dtype=torch.float32) for seed in (1, 2))

    def prepare(model: NeuralAttentiveCircuit) -> object:
        with torch.autocast("cpu", dtype=torch.bfloat16):
            return model.prepare()

    first = prepare(one)
    weights = [p for name, part in one.named_children() if name != "tokenizer" for p in part.parameters()]
    size, casts = one._prepared.nbytes, sum(t.nbytes for t in one._prepared._converted())
    assert casts > 0 and size == prepared._bytes(first, weights), "casts count, once"
    muted = one.mute(one.units[:1])
    prepare(muted)
    assert one._prepared.nbytes < 2 * size - casts / 2, "views share what was converted"
    monkeypatch.setattr(prepared, "MOST_BYTES", one._prepared.nbytes + size // 2)
    assert prepare(one) is first
    second = prepare(two)
    assert sum(model._prepared.nbytes for model in (one, two)) <= prepared.MOST_BYTES
    assert two._prepared.nbytes > 0
    prepared.keep_at_most(0)
    assert sum(len(model._prepared._found) for model in (one, two)) <= 1, "a smaller budget holds at once"
    assert prepare(two) is second
    assert not one._prepared._found and not one._prepared._converted()
    assert muted(tokens(one)).isfinite().all(), "what is too large to keep is still computed"


@torch.no_grad()
def test_what_was_not_used_in_a_while_is_forgotten(monkeypatch: pytest.MonkeyPatch) -> None:
    """With the parameters that were converted for it, where none of its network is used any more."""
    now = {"seconds": time.monotonic()}
    monkeypatch.setattr(prepared.time, "monotonic", lambda: now["seconds"])
    one, two = (network(config(), seed, dtype=torch.float32) for seed in (1, 2))
    muted, x = one.mute(one.units[:1]), tokens(one).float()
    with torch.autocast("cpu", dtype=torch.bfloat16):
        (first, view, second), before = (one.prepare(), muted.prepare(), two.prepare()), muted(x)
        now["seconds"] += 60
        assert one.prepare() is first
        assert prepared.forget_unused(61.0) == 0
        assert prepared.forget_unused(60.0) >= 2  # the view's, and that of the other network
        assert one.prepare() is first and len(one._prepared._found) == 1 and one._prepared._converted()
        assert not two._prepared._found and two._prepared.nbytes == 0
        assert muted.prepare() is not view and two.prepare() is not second
        assert torch.equal(muted(x), before)


@pytest.mark.slow
def test_threads_with_views_of_one_network_do_not_mix_them_up(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(prepared, "MOST_VIEWS", 3)
    model = network(config())
    x = tokens(model)
    views = [model.keep(model.units[n:]) for n in range(9)]
    fresh = network(config())
    with torch.no_grad():
        wanted = [fresh.keep(view.units)(x) for view in views]

    def run(place: int) -> bool:
        with torch.no_grad():
            return all(torch.equal(views[n](x), wanted[n]) for n in [*range(place, 9), *range(place)])

    with ThreadPoolExecutor(4) as pool:
        assert all(pool.map(run, range(9)))


@torch.no_grad()
def test_bfloat16_errs_no_more_than_the_equations_under_autocast() -> None:
    ours = theirs = 0.0
    for seed in range(8):
        model = network(config(), seed, dtype=torch.float32)
        x = tokens(model, batch=8, seed=seed)
        full = model.execute(x)
        with torch.autocast("cpu", dtype=torch.bfloat16):
            ours += float((model.execute(x) - full).norm() / full.norm())
            theirs += float((ask_oracle(model, x)[0].float() - full).norm() / full.norm())
    print(f"mean relative error: {ours / 8:.3f}, of the equations under autocast {theirs / 8:.3f}")
    assert ours < 1.2 * theirs


def test_bfloat16_in_training_has_gradients_near_those_of_full_precision() -> None:
    model = network(config(links="complete"), dtype=torch.float32).train()
    x = tokens(model, batch=16)
    gradients = []
    for reduced in (False, True):
        with torch.autocast("cpu", dtype=torch.bfloat16, enabled=reduced):
            loss = model(x).float().square().mean()
        found = torch.autograd.grad(loss, list(model.parameters()))
        gradients.append(torch.cat([gradient.flatten() for gradient in found]))
    assert torch.cosine_similarity(*gradients, dim=0) > 0.9


def test_the_printed_sizes_are_computed_16_samples_at_a_time() -> None:
    with torch.device("meta"):
        model = NeuralAttentiveCircuit(NeuralAttentiveCircuitConfig())
    assert model.chunk_tokens == 16 * 64
    assert len(model.tokens) == 64
