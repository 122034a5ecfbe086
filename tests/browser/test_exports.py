"""Exports of the Paths page: pictures with their facts inside, numbers, the whole trace."""

import json
import xml.etree.ElementTree as ET
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
import xarray as xr
from PIL import Image
from playwright.sync_api import Page

from tests.browser.conftest import MODEL, SVG, facts_of, rows_of


def test_pictures_numbers_and_the_whole_trace_agree(open_paths: Callable[..., Page], save: Callable[..., Path]) -> None:
    open_paths("mnist-m.validation.3", mute="f2", step=2)
    for panel in ("path", "patches", "predictions"):
        file = save(panel, "svg")
        facts = facts_of(file)
        assert facts["model"] == MODEL and facts["mute"] == ["f2"] and facts["drop"] == []
        assert facts["revision"] and "seed" in facts and "sample=mnist-m.validation.3" in facts["link"]
        root = ET.parse(file).getroot()
        assert root.findtext(f"{SVG}title") and root.findtext(f"{SVG}desc")
        shapes = [element for element in root.iter() if element.tag in {f"{SVG}path", f"{SVG}rect", f"{SVG}circle"}]
        assert len(shapes) > 20
        values = [value for element in root.iter() for value in element.attrib.values()]
        references = {value[5:-1] for value in values if value.startswith("url(#")}
        assert references <= {element.get("id") for element in root.iter()}
        if panel == "path":
            assert {"f1", "f2", "muted", "iteration"} <= {element.text for element in root.iter(f"{SVG}text")}
    with Image.open(save("path", "png")) as picture:
        assert json.loads(picture.text["Description"])["mute"] == ["f2"]
        assert picture.width > 1500 and len(picture.convert("RGB").getcolors(2**24) or []) > 100

    with xr.open_dataset(save("path", "nc"), engine="h5netcdf") as trace:
        assert trace.attrs["model"] == MODEL
        assert json.loads(trace.attrs["intervention"])["mute"] == ["f2"]
        held = trace["compatibility"].isel(sample=0).load()
    written = json.loads(save("path", "json").read_text())
    assert written["dims"] == list(held.dims) and written["mute"] == ["f2"]
    np.testing.assert_allclose(written["compatibility"], held.values, atol=1e-6)
    text = save("path", "csv")
    assert any("revision" in line for line in text.read_text().splitlines() if line.startswith("#"))
    rows = rows_of(text)
    assert len(rows) == held.size
    for row in rows[:: len(rows) // 50]:
        value = held.sel(step=row["step"], unit=row["unit"], token=row["token"]).item()
        assert float(row["compatibility"]) == pytest.approx(value, abs=1e-6)
    predictions = json.loads(save("predictions", "json").read_text())
    assert predictions["true_label"] is not None
    for head in predictions["shown"] + predictions["without_intervention"]:
        assert sum(head["probabilities"]) == pytest.approx(1, abs=1e-4)
