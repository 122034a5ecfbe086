"""A page that can show nothing of the chosen model, or not measure it, says why in words and offers one with a click.

Nothing is asked of the service, whose refusal the browser would log: that fails a test by itself.
"""

import re
from collections.abc import Iterator

import pytest
import torch
from playwright.sync_api import Locator, Page, expect

from routescope import assets
from routescope.nn.circuit.network import NeuralAttentiveCircuit, NeuralAttentiveCircuitConfig
from routescope.nn.interpreter.network import NeuralInterpreter, NeuralInterpreterConfig
from routescope.nn.mixture.config import MixtureConfig
from routescope.nn.mixture.network import MixtureNetwork
from routescope.zoo import checkpoint
from tests.browser.conftest import MODEL, Server, until
from tests.leaving import no_models_left

SMALL = "small-pictures"
FEW = 30
SAMPLE = "mnist.validation.3"
AWAY = ("elsewhere",)
NONE = "No data set that this model reads is installed"


@pytest.fixture(scope="module")
def small(server: Server) -> str:
    """The name of a circuit at initialisation for pictures of 16 x 16 pixels, which no data set here has."""
    torch.manual_seed(0)
    config = NeuralAttentiveCircuitConfig(
        features=16, code_features=16, signature_features=8, modules=12, readouts=2, layers=2, heads=2, head_features=8,
        ffn_hidden=16, readin_head_features=8, readout_head_features=8, image_size=16, position_features=4,
    )  # fmt: skip
    model = NeuralAttentiveCircuit(config)
    checkpoint.save(model.eval(), assets.data_dir() / "checkpoints" / SMALL / "model.safetensors")
    return SMALL


@pytest.fixture(scope="module")
def away() -> Iterator[None]:
    """Networks at initialisation for data sets of which none is installed: a circuit, an interpreter, a mixture."""
    torch.manual_seed(0)
    circuit = NeuralAttentiveCircuitConfig(
        features=16, code_features=16, signature_features=8, modules=12, readouts=2, layers=2, heads=2, head_features=8,
        ffn_hidden=16, readin_head_features=8, readout_head_features=8, image_size=32, position_features=4,
        domains=AWAY,
    )  # fmt: skip
    interpreter = NeuralInterpreterConfig(
        features=16, code_features=16, type_features=8, type_inference_width=16, iterations=3, functions=4, heads=2,
        key_features=8, position_features=8, patch_size=8, domains=AWAY,
    )  # fmt: skip
    mixture = MixtureConfig(context=40, layers=2, features=16, heads=2, experts=8, hidden=8, domains=AWAY)
    models = (NeuralAttentiveCircuit(circuit), NeuralInterpreter(interpreter), MixtureNetwork(mixture))
    with no_models_left(assets.data_dir()):
        for model, name in zip(models, ("away-circuit", "away-interpreter", "away-mixture"), strict=True):
            checkpoint.save(model.eval(), assets.data_dir() / "checkpoints" / name / "model.safetensors")
        yield


def takes_what_is_offered(page: Page, locator: Locator, model: str) -> None:
    """Takes the other model that is offered in ``place``; the rest of the choice stays."""
    assert "POST" not in page.inner_text("body")
    expect(page.locator(".mantine-Notification-root")).to_have_count(0)
    buttons = locator.get_by_role("button")
    expect(buttons).to_have_count(1)  # and none to try again
    expect(buttons).to_have_text(re.compile("^Read with "))
    buttons.click()
    until(page, "model => !location.search.includes(model) && location.search.includes('sample=')", model)


@pytest.mark.parametrize(
    ("model", "said"),
    [("smfr-double", "smfr-double reads blocks of numbers"), ("nac-scenes", "nac-scenes reads sentences")],
)
def test_types(page: Page, server: Server, model: str, said: str) -> None:
    page.goto(server.address("/types", model=model, sample=SAMPLE, method="pca", samples=FEW))
    element = page.locator(".page-types .when-failed")
    expect(element).to_contain_text(said)
    takes_what_is_offered(page, element, model)
    expect(page.locator("#type-picture-trained")).to_have_attribute("data-painted", re.compile("."))
    expect(element).to_be_hidden()


@pytest.mark.parametrize(
    ("model", "said"),
    [
        ("smfr-double", "smfr-double records no compatibility, which this page is about"),
        ("nac-frozen", "nac-frozen records no compatibility, which this page is about"),
    ],
)
def test_observe(page: Page, server: Server, model: str, said: str) -> None:
    page.goto(server.address("/observe", model=model, sample=SAMPLE, samples=FEW))
    element = page.locator("#observe-message")
    expect(element).to_contain_text(said)
    for grid in page.locator(".observe-grid").all():
        expect(grid).to_be_hidden()
    takes_what_is_offered(page, element, model)
    page.wait_for_selector('.page-observe[data-status="ready"]')
    expect(element).to_be_hidden()


def test_types_from_a_map_to_a_model_without_one_and_back(page: Page, server: Server) -> None:
    page.goto(server.address("/types", model="ni-digits", sample=SAMPLE, method="pca", samples=FEW))
    page.wait_for_selector("#type-picture-trained[data-painted]")
    for model, status in (("smfr-double", "failed"), ("ni-digits", "ready")):
        page.evaluate("model => routescope.selection.choose({ model })", model)
        page.wait_for_selector(f'.page-types[data-status="{status}"]')
    expect(page.locator("#types-problem")).to_be_empty()


def test_what_is_measured_on_graphs(page: Page, server: Server, small: str) -> None:
    page.goto(server.address("/graphs", model=small, sample=SAMPLE, samples=FEW, unit="m2"))
    page.wait_for_selector(
        f'#graph-picture-learned[data-painted="{small}"]'
    )  # the graph is one of any model with links
    expect(page.locator("#panel-graph-module")).to_contain_text("This model does not read samples.")
    page.click("#graph-measure")
    expect(page.locator("#graph-module-effect")).to_contain_text(f"{small} reads pictures or sequences of another kind")
    element = page.locator("#panel-graph-effect .drop-progress")
    expect(element).to_contain_text(f"{small} reads pictures or sequences of another kind")
    takes_what_is_offered(page, element, small)
    page.wait_for_selector('.page-graphs[data-evaluation="running"], .page-graphs[data-evaluation="done"]')
    expect(element).not_to_contain_text("does not read samples")


def test_what_is_measured_on_drop(page: Page, server: Server, small: str) -> None:
    page.goto(server.address("/drop", model=small, sample=SAMPLE, samples=FEW))
    element = page.locator("#panel-drop-accuracy .drop-progress")
    expect(element).to_contain_text(f"{small} reads pictures or sequences of another kind")
    expect(page.locator("#importance-start")).to_be_hidden()
    takes_what_is_offered(page, element, small)
    page.wait_for_selector('.page-drop[data-state="running"], .page-drop[data-state="done"]')
    expect(page.locator("#importance-start, .job").first).to_be_attached()
    expect(element).not_to_contain_text("does not read samples")


@pytest.mark.parametrize("model", ["away-interpreter", "away-circuit"])
def test_types_without_a_data_set(page: Page, server: Server, away: None, model: str) -> None:
    page.goto(server.address("/types", model=model, sample=SAMPLE, method="pca", samples=FEW))
    element = page.locator(".page-types .when-failed")
    expect(element.locator(".message-title")).to_have_text(NONE)
    expect(element).to_contain_text(f"{model} is for elsewhere")
    assert page.inner_text("#content").count("which is not here") == 1
    takes_what_is_offered(page, element, model)
    expect(page.locator("#type-picture-trained")).to_have_attribute("data-painted", re.compile("."))


@pytest.mark.parametrize(("model", "offered"), [("away-interpreter", "ni-digits"), ("away-mixture", "moe-bytes")])
def test_observe_without_a_data_set(page: Page, server: Server, away: None, model: str, offered: str) -> None:
    page.goto(server.address("/observe", model=model, sample=SAMPLE, samples=FEW, drop="least:1"))
    element = page.locator("#observe-message")
    expect(element).to_contain_text(NONE)
    expect(element).to_contain_text(f"{model} is for elsewhere, which is not here. Samples of one\u2019s own")
    expect(element.get_by_role("button")).to_have_text([f"Read with {offered}"])
    assert page.inner_text("#content").count("which is not here") == 1
    takes_what_is_offered(page, element, model)
    page.wait_for_selector('.page-observe[data-status="ready"]')
    expect(element).to_be_hidden()


@pytest.mark.parametrize(
    ("name", "model"), [("drop", "away-circuit"), ("graphs", "away-circuit"), ("drop", "away-mixture")]
)
def test_what_is_measured_without_a_data_set(page: Page, server: Server, away: None, model: str, name: str) -> None:
    page.goto(server.address(f"/{name}", model=model, sample=SAMPLE, samples=FEW, units="m1,least:1"))
    element = page.locator(".page .drop-progress")
    expect(element).to_contain_text(f"{NONE}. {model} is for elsewhere")
    assert page.inner_text("#content").count("which is not here") == 1
    expect(element.get_by_role("progressbar")).to_be_hidden()
    takes_what_is_offered(page, element, model)
    page.wait_for_selector('.drop-progress[data-state="running"], .drop-progress[data-state="done"]')
    expect(element.get_by_role("progressbar")).to_be_visible()


def test_an_order_without_a_data_set(page: Page, server: Server, away: None) -> None:
    page.goto(server.address("/samples", model="away-interpreter", sample=SAMPLE, order="heads"))
    element = page.locator("#gallery")
    expect(element.locator(".message-title")).to_have_text(NONE)
    expect(element).to_contain_text("away-interpreter is for elsewhere, which is not here.")
    page.evaluate("model => routescope.selection.choose({ model })", "ni-digits")
    page.wait_for_selector("#gallery .thumb-value")
    page.evaluate("model => routescope.selection.choose({ model })", "away-interpreter")
    expect(element.locator(".message-title")).to_have_text(NONE)


def test_experts_without_a_data_set_are_left_out_by_their_layer(page: Page, server: Server, away: None) -> None:
    page.goto(server.address("/drop", model="away-mixture", sample=SAMPLE, samples=FEW))
    expect(page.locator("#drop-count")).to_contain_text("0 of 16 experts dropped; no use is observed")
    expect(page.locator("#drop-least-used, #drop-share")).to_have_count(0)
    page.click('[data-drop-layer="l2"]')
    expect(page.locator("#drop-count")).to_contain_text("6 of 16 experts dropped")
    expect(page.locator('[data-drop-unit="l2.e2"]')).to_have_attribute("aria-pressed", "false")
    expect(page.locator('[data-drop-unit="l2.e3"]')).to_have_attribute("aria-pressed", "true")


def test_paths_show_samples_of_ones_own_without_a_data_set(page: Page, server: Server, away: None) -> None:
    page.goto(server.address("/paths", model="away-interpreter", sample=SAMPLE))
    page.wait_for_selector("#path-picture[data-painted]")


def test_a_link_whose_sample_is_no_name_of_one_offers_samples(page: Page, server: Server) -> None:
    page.goto(server.address("/paths", model=MODEL, sample="nope"))
    expect(page.locator("[data-widget=address-notes]")).to_contain_text('"sample" of the link is "nope": it is ignored')
    expect(page.locator(".path-canvas .when-empty")).to_contain_text("No sample chosen")
    expect(page.locator(".when-failed:visible")).to_have_count(0)
    page.locator("#paths-starters [data-pick-sample]").first.click()
    page.wait_for_selector("#path-picture[data-painted]")
    assert "nope" not in page.url
