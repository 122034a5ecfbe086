"""Names, and places on disk."""

import unicodedata
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from routescope_app.services.folders import OutsideFolder, resolve_within
from routescope_app.services.samples.names import UNTITLED, clean_name, name_of_file

#: All of Unicode, halves of characters included.
ANYTHING = st.text(st.characters(), max_size=300)


@given(ANYTHING, st.integers(1, 120))
def test_clean_names_are_short_visible_and_stable(name: str, length: int) -> None:
    clean = clean_name(name, length)
    assert 1 <= len(clean) <= max(length, len(UNTITLED))
    assert clean == unicodedata.normalize("NFC", clean)
    assert not any(unicodedata.category(c) in {"Cc", "Cf", "Cs", "Zl", "Zp"} for c in clean)
    assert clean == clean.strip()
    clean.encode("utf-8")


@pytest.mark.parametrize(
    ("name", "clean"),
    [
        ("seven", "seven"),
        ("  two\n lines\t", "two lines"),
        ("\u202egnp.exe", "gnp.exe"),
        ("a\0b", "ab"),
        ("e\u0301", "é"),
        ("\ud800", UNTITLED),
        ("", UNTITLED),
        ("<script>alert(1)</script>", "<script>alert(1)</script>"),
        ("x" * 5000, "x" * 79 + "…"),
    ],
)
def test_clean_name(name: str, clean: str) -> None:
    assert clean_name(name, 80) == clean


@pytest.mark.parametrize(
    ("name", "shown"),
    [("../../etc/passwd", "passwd"), ("C:\\pictures\\7.png", "7.png"), ("a/", UNTITLED), (None, UNTITLED)],
)
def test_names_of_files_lose_their_folders(name: str | None, shown: str) -> None:
    assert name_of_file(name) == shown


@given(st.lists(st.one_of(ANYTHING, st.sampled_from(["..", ".", "", "a", "/etc", "..\\x", "a\0"])), max_size=4))
def test_no_name_leads_out(parts: list[str]) -> None:
    folder = Path("/nowhere/at/all")
    try:
        path = resolve_within(folder, *parts)
    except (OutsideFolder, UnicodeEncodeError):
        return
    assert path.is_relative_to(folder) and path != folder


@pytest.mark.parametrize("part", ["..", ".", "", "a/b", "/etc/passwd", "..\\..\\x", "a\0b", "c:x"])
def test_refused_parts(tmp_path: Path, part: str) -> None:
    with pytest.raises(OutsideFolder):
        resolve_within(tmp_path, "fine", part)


def test_links_do_not_lead_out(tmp_path: Path) -> None:
    inside = tmp_path / "inside"
    inside.mkdir()
    (inside / "link").symlink_to(tmp_path)
    with pytest.raises(OutsideFolder):
        resolve_within(inside, "link", "secret")
