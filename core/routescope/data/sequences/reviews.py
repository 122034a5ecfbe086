"""Generated reviews of films with their sentiment: a stand-in for IMDB where that is not given.

A review has sentences of opinion, of which most say what its label says, between sentences of plot, which say nothing.
An opinion is a word of praise or blame, or the denial of its contrary, so that single words do not decide. The same
words are in all splits; no review of one split is in another.
"""

import random
from collections.abc import Sequence

from routescope.data.cache import Arrays
from routescope.data.catalogue import dataset
from routescope.data.samples import DatasetInfo, SampleRequest
from routescope.data.sequences.reading import arrays_of
from routescope.data.sequences.sets import SequenceSet, sequences_of
from routescope.nn.inputs.sequences import MOST_BYTES, Bytes

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
        sentence = f"{aspect} was not {_one(draws, WORDS[1 - sentiment])} at all."
    else:
        sentence = f"{aspect} was {degree}{_one(draws, WORDS[sentiment])}."
    return sentence[0].upper() + sentence[1:]


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
    sentences = [_opinion(draws, opinion) for opinion in opinions]
    for _ in range(_count(draws, PLOT)):
        sentences.insert(int(draws.random() * (len(sentences) + 1)), _plot(draws))
    return " ".join(sentences)


def texts(split: str, count: int) -> tuple[list[str], list[int]]:
    """Return the first ``count`` different reviews of a split, negative and positive in turn, with labels 0 and 1.

    No text is also one of the splits that come before it (validation, test, train).
    """
    seen: set[str] = set()
    reviews: list[str] = []
    for name, seed in SEEDS.items():
        wanted = count if name == split else SIZES[name]
        draws, reviews = random.Random(seed), []
        while len(reviews) < wanted:
            text = drawn(draws, len(reviews) % 2)
            if text not in seen and len(text.encode()) <= MOST:
                seen.add(text)
                reviews.append(text)
        if name == split:
            break
    return reviews, [row % 2 for row in range(len(reviews))]


@dataset(
    DatasetInfo(
        name="reviews",
        title="Reviews (generated; IMDB stand-in)",
        licence="generated by this project",
        splits=dict(SIZES),
        classes=("negative", "positive"),
        inputs="bytes",
        stand_in_for="IMDB",
        real_title="Reviews as given",
        real_licence="of their owners; IMDB: A. L. Maas et al. 2011",
    )
)
def reviews(request: SampleRequest) -> SequenceSet:
    """Return reviews as bytes, with their sentiment."""

    def made() -> Arrays:
        generated, labels = texts(request.split, request.count)
        return arrays_of([tuple(text.encode()) for text in generated], labels)

    return sequences_of(request, Bytes, MOST_BYTES, made)
