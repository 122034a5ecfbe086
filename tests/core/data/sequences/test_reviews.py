"""The generated reviews: balanced, all different, and no word decides alone."""

from routescope.data.sequences import reviews


def test_reviews_are_balanced_short_and_different_in_every_split() -> None:
    found = {split: reviews.texts(split, 400) for split in reviews.SIZES}
    for texts, labels in found.values():
        assert len(set(texts)) == len(texts) == 400
        assert labels == [0, 1] * 200
        assert max(len(text.encode()) for text in texts) <= reviews.MOST
        assert all(text.isascii() and text[0].isupper() and text.endswith(".") for text in texts)
        assert not any("{" in text for text in texts)
    assert not set(found["validation"][0]) & set(found["test"][0])
    assert reviews.texts("test", 10)[0] == found["test"][0][:10]


def test_opinions_for_the_label_outnumber_those_against_and_no_single_word_decides() -> None:
    texts, labels = reviews.texts("validation", 1000)

    def sentiment(sentence: str) -> int | None:
        for place, verdicts in enumerate(reviews.VERDICTS):
            if sentence + "." in verdicts:
                return place
        for place, words in enumerate(reviews.WORDS):
            if " was " in sentence and any(f" {word}" in sentence for word in words):
                return 1 - place if " was not " in sentence else place
        return None

    wrong_by_words = 0
    for text, label in zip(texts, labels, strict=True):
        marked = text.replace("Mrs.", "Mrs").replace("Mr.", "Mr").rstrip(".")
        said = [sentiment(each) for each in marked.split(". ")]
        for_it, against = said.count(label), said.count(1 - label)
        assert for_it > against
        naive = sum(text.count(word) for word in reviews.WORDS[label])
        wrong_by_words += naive <= sum(text.count(word) for word in reviews.WORDS[1 - label])
    assert wrong_by_words > 200, "counting words of praise and blame is often wrong"
