"""The cache in memory: what is removed counts no longer."""

from app.services.engine.recent import Recent


def test_all_keys_of_a_kind_are_forgotten_with_their_bytes() -> None:
    kept = Recent[tuple[str, str], int](10)
    for number, key in enumerate((("a", "b"), ("b", "c"), ("c", "d"))):
        kept.put(key, number, 3)
    kept.remove_where(lambda pair: "b" in pair)
    assert [kept.get(key) for key in (("a", "b"), ("b", "c"), ("c", "d"))] == [None, None, 2]
    kept.put(("e", "f"), 3, 7)
    assert kept.get(("c", "d")) == 2, "there is room for both"
