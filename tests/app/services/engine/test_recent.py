"""What was used last is kept in memory, and goes when nobody asks for it, but for what takes hardly any."""

import pytest

from routescope_app.services.engine import recent
from routescope_app.services.engine.recent import SMALL, Recent


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> dict[str, float]:
    now = {"seconds": 100.0}
    monkeypatch.setattr(recent.time, "monotonic", lambda: now["seconds"])
    return now


def test_what_nobody_asked_for_is_forgotten(clock: dict[str, float]) -> None:
    cache, other = Recent[str, int](10 * SMALL), Recent[str, int](SMALL)
    for key in ("large", "asked for", "put again", "small"):
        cache.put(key, 1, SMALL - (key == "small"))
    clock["seconds"] += 60
    other.put("late", 1, SMALL)
    assert cache.get("asked for") == 1
    cache.put("put again", 2, SMALL)
    assert cache.forget_unused(61) == 0
    assert recent.forget_unused(60) >= 1, "all caches of the process"
    assert [cache.get(key) for key in ("large", "asked for", "put again", "small")] == [None, 1, 2, 1]
    assert cache.nbytes == 3 * SMALL - 1 and other.get("late") == 1
    assert cache.forget_unused(60) == 0
    cache.remove_where(lambda key: " " in key)
    assert cache.nbytes == SMALL - 1 and cache.get("put again") is None


def test_what_was_used_last_is_kept_within_its_bytes() -> None:
    recent = Recent[str, int](10)
    for key, value, size, kept in (
        ("a", 1, 4, {"a": 1}),
        ("b", 2, 4, {"b": 2, "a": 1}),
        ("c", 3, 4, {"a": 1, "c": 3}),  # "b" was used before "a"
        ("a", 5, 6, {"a": 5, "c": 3}),
        ("d", 6, 11, {"a": 5, "c": 3}),  # what is too large takes no place of what is kept
        ("a", 7, 11, {"c": 3}),  # but what was kept before is not what was put last
        ("e", 8, 6, {"c": 3, "e": 8}),
    ):
        recent.put(key, value, size)
        assert {name: recent.get(name) for name in kept} == kept and recent.get("d") is None
        assert {name for name in "abcde" if recent.get(name) is not None} == set(kept)
        for name in kept:
            recent.get(name)
    recent.remove("c")
    assert recent.get("c") is None and recent.nbytes == 6
