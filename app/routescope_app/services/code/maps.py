"""Code for maps: of the types of tokens, and of sentences by their circuits."""

from routescope_app.api.schemas.code import MapFacts, SelectionFacts, SentenceMapFacts, SomeSentencesFacts
from routescope_app.services.code.writing import filled, intervention, literal, notebook, options, samples

POINTS = """
from routescope.routing.maps.points import type_points
$data
$initial
points = type_points(model, data, $samples, tokens=$tokens, intervention=$intervention)
"""

INITIAL = """
from routescope.routing.maps.points import at_initialisation
model = at_initialisation(model, $seed)
"""

EMBEDDED = """
from routescope.routing.maps.embedding import embed
$points
embedding = embed(points, $method)

"""

TYPES = """
numbers = embedding.table()
print(numbers)
embedding.plot(colour=$colour)
"""

SELECTION = """
import pandas as pd
chosen = {
    $chosen
}
rows = [(sample, token, step) for sample, tokens in chosen.items() for token in tokens for step in tokens[token]]
chosen = pd.DataFrame(rows, columns=["sample", "token", "step"])
numbers = chosen.merge(embedding.table(), on=["sample", "token", "step"], how="left")
print(numbers)
numbers.groupby(["unit", "label"]).size().unstack(fill_value=0).plot.bar(stacked=True)
"""

CLUSTERING = """
from routescope.routing.maps.clustering import clustering
$points

numbers = clustering(points, seed=$seed)
print(numbers)
numbers.pivot(index="step", columns="by", values="score").plot()
"""

FACTS = """
import pandas as pd
numbers = pd.Series({"points": len(points), "method": embedding.method} | embedding.parameters)
print(numbers)
print(embedding.trustworthiness)
"""

SENTENCES = """
from routescope.data.statements.sentences import sentences
from routescope.routing.graphs.designs import designs_of
from routescope.routing.maps.sentences import fit
table = sentences($set)
designs = designs_of(model, table, codes=False)
maps = fit(designs, $method)

"""

ALL_SENTENCES = """
numbers = table[["text", "kind", "object"]].copy()
numbers[["x", "y"]], numbers[["text_x", "text_y"]] = maps.xy, maps.text_xy
print(numbers)
maps.plot(colour=$colour)
"""

SOME_SENTENCES = """
chosen = $chosen
table[["x", "y"]], table[["text_x", "text_y"]] = maps.xy, maps.text_xy
numbers = table.set_index("text").loc[chosen].reset_index()
print(numbers)
"""

SEPARATION = """
from routescope.routing.maps.sentences import separated
numbers = separated(maps)
print(numbers)
"""


def _method(asked: MapFacts | SentenceMapFacts) -> str:
    """Return the arguments of a method of embedding."""
    name = {"tsne": "perplexity", "umap": "neighbours"}.get(asked.method, "")
    value = getattr(asked.parameters, name, None)
    return literal(asked.method) + ", " + options({"seed": asked.seed} | ({} if value is None else {name: value}))


def _points(asked: MapFacts) -> str:
    return filled(
        POINTS,
        data=samples(asked.data),
        initial=filled(INITIAL, seed=literal(asked.seed)) if asked.routing == "initial" else "",
        samples=str(asked.samples),
        tokens=literal(asked.tokens),
        intervention=intervention(asked),
    )


def _embedded(asked: MapFacts, template: str, **parts: str) -> str:
    return notebook(asked, EMBEDDED + template, points=_points(asked), method=_method(asked), **parts)


def types(asked: MapFacts) -> str:
    """Return code for one map of the points of all steps."""
    return _embedded(asked, TYPES, colour=literal(asked.colour if asked.colour in ("label", "domain") else "unit"))


def selection(asked: SelectionFacts) -> str:
    """Return code for the points of a selection."""
    of_map = asked.model_copy(update={"routing": "initial"}) if asked.map == "initial" else asked
    chosen = [f"{literal(sample)}: {literal(tokens)}," for sample, tokens in asked.points.items()]
    return _embedded(of_map, SELECTION, chosen="\n".join(chosen))


def clustering(asked: MapFacts) -> str:
    """Return code for how tightly groups of points lie together, beside shuffled groups."""
    return notebook(asked, CLUSTERING, points=_points(asked), seed=literal(asked.seed))


def facts(asked: MapFacts) -> str:
    """Return code for the facts of a map."""
    return _embedded(asked, FACTS)


def _sentences(asked: SentenceMapFacts, template: str, **parts: str) -> str:
    return notebook(asked, SENTENCES + template, set=literal(asked.set), method=_method(asked), **parts)


def sentences(asked: SentenceMapFacts) -> str:
    """Return code for maps of sentences by their circuits and by their words."""
    return _sentences(asked, ALL_SENTENCES, colour=literal("object" if asked.colour == "object" else "kind"))


def some_sentences(asked: SomeSentencesFacts) -> str:
    """Return code for some of the sentences of a map."""
    return _sentences(asked, SOME_SENTENCES, chosen=literal(asked.texts))


def separation(asked: SentenceMapFacts) -> str:
    """Return code for the separation of kinds of sentences."""
    return _sentences(asked, SEPARATION)
