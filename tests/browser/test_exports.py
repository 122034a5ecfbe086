"""What can be taken away: pictures with their facts inside, numbers, the whole trace."""

import csv
import io
import json
import xml.etree.ElementTree as ET
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
import xarray as xr
from PIL import Image
from playwright.sync_api import Page

from tests.browser.conftest import MODEL

SVG = "{http://www.w3.org/2000/svg}"


@pytest.fixture
def save(save: Callable[..., Path], open_paths: Callable[..., Page]) -> Callable[..., Path]:
    """Opens the page once before what a panel exports is saved."""
    open_paths("mnist-m.validation.3", mute="f2", step=2)
    return save


def test_pictures(save: Callable[..., Path]) -> None:
    for panel in ("path", "patches", "predictions"):
        root = ET.fromstring(save(panel, "svg").read_text(encoding="utf-8"))
        facts = json.loads(root.findtext(f"{SVG}metadata") or "")
        assert facts["model"] == MODEL and facts["mute"] == ["f2"] and facts["drop"] == []
        assert facts["revision"] and "seed" in facts and "sample=mnist-m.validation.3" in facts["link"]
        assert root.findtext(f"{SVG}title") and root.findtext(f"{SVG}desc")
        shapes = [element for element in root.iter() if element.tag in {f"{SVG}path", f"{SVG}rect", f"{SVG}circle"}]
        assert len(shapes) > 20
        ids = {element.get("id") for element in root.iter() if element.get("id")}
        for element in root.iter():
            for value in element.attrib.values():
                if value.startswith("url(#"):
                    assert value[5:-1] in ids
    path = ET.fromstring(save("path", "svg").read_text(encoding="utf-8"))
    words = {element.text for element in path.iter(f"{SVG}text")}
    assert {"f1", "f2", "muted", "iteration"} <= words

    with Image.open(save("path", "png")) as picture:
        assert json.loads(picture.text["Description"])["mute"] == ["f2"]
        assert picture.width > 1500 and len(picture.convert("RGB").getcolors(2**24) or []) > 100


def test_numbers_and_the_whole_trace_agree(save: Callable[..., Path]) -> None:
    with xr.open_dataset(save("path", "nc"), engine="h5netcdf") as trace:
        assert trace.attrs["model"] == MODEL
        assert json.loads(trace.attrs["intervention"])["mute"] == ["f2"]
        held = trace["compatibility"].isel(sample=0).load()
    written = json.loads(save("path", "json").read_text())
    assert written["dims"] == list(held.dims) and written["mute"] == ["f2"]
    np.testing.assert_allclose(written["compatibility"], held.values, atol=1e-6)

    text = save("path", "csv").read_text()
    head = [line for line in text.splitlines() if line.startswith("#")]
    assert any("revision" in line for line in head)
    rows = list(csv.DictReader(io.StringIO("\n".join(line for line in text.splitlines() if not line.startswith("#")))))
    assert len(rows) == held.size
    for row in rows[:: max(1, len(rows) // 50)]:
        value = held.sel(step=row["step"], unit=row["unit"], token=row["token"]).item()
        assert float(row["compatibility"]) == pytest.approx(value, abs=1e-6)

    predictions = json.loads(save("predictions", "json").read_text())
    assert predictions["true_label"] is not None
    for head_of in predictions["shown"] + predictions["without_intervention"]:
        assert sum(head_of["probabilities"]) == pytest.approx(1, abs=1e-4)
