"""Generated reviews of films with their sentiment: a stand-in for IMDB where that is not given.

A review has sentences of opinion, of which most say what its label says, between sentences of plot, which say nothing.
An opinion is a word of praise or blame, or the denial of its contrary, so that single words do not decide. The same
words are in all splits; no review of one split is in another.
"""

import random
from collections.abc import Sequence

NAME = "reviews"
CLASSES = ("negative", "positive")
SIZES = {"train": 12_000, "validation": 1_000, "test": 1_000}
SEEDS = {"validation": 2011, "test": 2012, "train": 2013}
#: Sentences of opinion and of plot that a review has, and bytes that it has at most.
OPINIONS, PLOT, MOST = (1, 4), (0, 3), 480
#: How often an opinion is the denial of its contrary, and how often one of three or more is against the label.
DENIED, AGAINST = 0.25, 0.25

ASPECTS = (
    "the acting", "the plot", "the ending", "the music", "the dialogue", "the camera work", "the pacing", "the cast",
    "the first half", "the story", "the humour", "the direction", "the lead", "the script", "the set design",
)  # fmt: skip
WORDS = (
    (
        "dull", "tedious", "clumsy", "wooden", "forced", "predictable", "flat", "lifeless", "messy", "awful", "weak",
        "irritating", "shallow", "stale", "dreadful",
    ),
    (
        "superb", "moving", "funny", "gripping", "charming", "clever", "warm", "brilliant", "lively", "subtle",
        "delightful", "tense", "elegant", "fresh", "wonderful",
    ),
)  # fmt: skip
VERDICTS = (
    (
        "I walked out early.", "I want my evening back.", "Avoid it.", "It was a waste of time.",
        "I nearly fell asleep.", "I cannot recommend it.",
    ),
    (
        "I would see it again.", "It stayed with me for days.", "Do not miss it.",
        "It was worth every minute.", "I loved it.", "I can only recommend it.",
    ),
)  # fmt: skip
DEGREES = ("", "very ", "rather ", "truly ", "quite ")
EVENTS = (
    "It is set in {place} in the {time}.", "{name} plays {role} who meets {role}.", "We follow {role} to {place}.",
    "{name} inherits a house in {place}.", "Half of it happens on a train to {place}.",
    "There is {role}, {role} and a dog.", "{name} and {name} share a flat in {place}.",
    "The film runs for {number} minutes.", "I saw it in {place} with {name}.",
)  # fmt: skip
FILL = {
    "place": ("Lisbon", "a small town", "Bombay", "the north", "Berlin", "a village", "Chicago", "the desert"),
    "time": ("twenties", "thirties", "fifties", "seventies", "nineties"),
    "name": ("Anna", "Victor", "Mrs. Hale", "Tom", "Ines", "Mr. Okoye", "Clara", "Sam"),
    "role": ("a teacher", "a retired spy", "a baker", "a young doctor", "a painter", "a clerk", "a sailor", "a judge"),
    "number": tuple(map(str, range(78, 165))),
}


def _one(draws: random.Random, choices: Sequence[str]) -> str:
    return choices[int(draws.random() * len(choices))]


def _count(draws: random.Random, bounds: tuple[int, int]) -> int:
    return bounds[0] + int(draws.random() * (bounds[1] - bounds[0] + 1))


def _opinion(draws: random.Random, sentiment: int) -> str:
    if draws.random() < 0.2:
        return _one(draws, VERDICTS[sentiment])
    aspect, degree = _one(draws, ASPECTS), _one(draws, DEGREES)
    if draws.random() < DENIED:
        said = f"{aspect} was not {_one(draws, WORDS[1 - sentiment])} at all."
    else:
        said = f"{aspect} was {degree}{_one(draws, WORDS[sentiment])}."
    return said[0].upper() + said[1:]


def _plot(draws: random.Random) -> str:
    event = _one(draws, EVENTS)
    for name, choices in FILL.items():
        while (field := f"{{{name}}}") in event:
            event = event.replace(field, _one(draws, choices), 1)
    return event[0].upper() + event[1:]


def drawn(draws: random.Random, sentiment: int) -> str:
    """One review of a sentiment, 0 or 1."""
    count = _count(draws, OPINIONS)
    opinions = [sentiment] * count
    if count >= 3 and draws.random() < AGAINST:
        opinions[int(draws.random() * count)] = 1 - sentiment
    sentences = [_opinion(draws, each) for each in opinions]
    for _ in range(_count(draws, PLOT)):
        sentences.insert(int(draws.random() * (len(sentences) + 1)), _plot(draws))
    return " ".join(sentences)


def texts(split: str, count: int) -> tuple[list[str], list[int]]:
    """So many different reviews of a split, negative and positive in turn, with their labels (0 negative, 1 positive).

    No text is also one of the splits that come before it (validation, test, train).
    """
    known: set[str] = set()
    found: list[str] = []
    for each, seed in SEEDS.items():
        wanted = count if each == split else SIZES[each]
        draws, found = random.Random(seed), []
        while len(found) < wanted:
            text = drawn(draws, len(found) % 2)
            if text not in known and len(text.encode()) <= MOST:
                known.add(text)
                found.append(text)
        if each == split:
            break
    return found, [place % 2 for place in range(len(found))]
