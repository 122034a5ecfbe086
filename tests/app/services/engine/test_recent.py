"""What is kept in memory goes when nobody asks for it, but for what takes hardly any."""

import pytest

from routescope_app.services.engine import recent
from routescope_app.services.engine.recent import SMALL, Recent


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> dict[str, float]:
    now = {"seconds": 100.0}
    monkeypatch.setattr(recent.time, "monotonic", lambda: now["seconds"])
    return now


def test_what_nobody_asked_for_is_forgotten(clock: dict[str, float]) -> None:
    cache = Recent[str, int](10 * SMALL)
    for key in ("large", "asked for", "put again", "small"):
        cache.put(key, 1, SMALL - (key == "small"))
    clock["seconds"] += 60
    assert cache.get("asked for") == 1
    cache.put("put again", 2, SMALL)
    assert cache.forget_unused(61) == 0
    assert cache.forget_unused(60) == 1
    assert [cache.get(key) for key in ("large", "asked for", "put again", "small")] == [None, 1, 2, 1]
    assert cache.nbytes == 3 * SMALL - 1
    assert cache.forget_unused(60) == 0


def test_room_is_counted_after_forgetting(clock: dict[str, float]) -> None:
    cache = Recent[int, int](2 * SMALL)
    cache.put(1, 1, SMALL)
    cache.put(2, 2, SMALL)
    assert cache.forget_unused(0) == 2 and cache.nbytes == 0
    cache.put(3, 3, 2 * SMALL)
    assert cache.get(3) == 3
    cache.put(4, 4, SMALL)
    assert (cache.get(3), cache.get(4)) == (None, 4)
    cache.remove(4)
    assert cache.forget_unused(0) == 0


def test_all_caches_of_the_process_forget(clock: dict[str, float]) -> None:
    first, second = Recent[str, int](SMALL), Recent[str, int](SMALL)
    first.put("a", 1, SMALL)
    clock["seconds"] += 60
    second.put("b", 2, SMALL)
    assert recent.forget_unused(30) >= 1
    assert (first.get("a"), second.get("b")) == (None, 2)


def test_all_keys_of_a_kind_are_forgotten_with_their_bytes() -> None:
    kept = Recent[tuple[str, str], int](10)
    for number, key in enumerate((("a", "b"), ("b", "c"), ("c", "d"))):
        kept.put(key, number, 3)
    kept.remove_where(lambda pair: "b" in pair)
    assert [kept.get(key) for key in (("a", "b"), ("b", "c"), ("c", "d"))] == [None, None, 2]
    kept.put(("e", "f"), 3, 7)
    assert kept.get(("c", "d")) == 2, "there is room for both"
