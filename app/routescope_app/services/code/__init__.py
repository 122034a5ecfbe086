"""Python code that makes a figure of a page again, in a notebook."""

from collections.abc import Callable
from typing import Any

from routescope_app.services.code import blocks, graphs, logs, maps, measures, pruning, traces

#: Figure -> the function that writes its code.
FIGURES: dict[str, Callable[[Any], str]] = {
    "path": traces.path,
    "patches": traces.patches,
    "predictions": traces.predictions,
    "difference": traces.difference,
    "accuracy": measures.accuracy,
    "effects": measures.effects,
    "importance": measures.importance,
    "observation": measures.observation,
    "exemplars": measures.exemplars,
    "experts": measures.experts,
    "types": maps.types,
    "types-selection": maps.selection,
    "types-clustering": maps.clustering,
    "types-facts": maps.facts,
    "sentences": maps.sentences,
    "some-sentences": maps.some_sentences,
    "separation": maps.separation,
    "graph": graphs.graph,
    "matrix": graphs.matrix,
    "statistics": graphs.statistics,
    "degrees": graphs.degrees,
    "clusters": graphs.clusters,
    "module": graphs.module,
    "designs": graphs.designs,
    "distances": graphs.distances,
    "pictures": graphs.pictures,
    "answers": graphs.answers,
    "reads": graphs.reads,
    "blocks": blocks.making,
    "block-answers": blocks.answers,
    "indicators": blocks.indicators,
    "log-path": logs.path,
    "log-text": logs.text,
    "log-usage": logs.usage,
    "log-experts": logs.experts,
    "logs-compared": logs.compared,
    "logs-agreement": logs.agreement,
    "logs-decision": logs.decision,
    "kept-experts": pruning.kept_experts,
    "retention": pruning.retention,
}
