"""Code for figures of a pruning: the experts that stay, and the measure while fewer and fewer experts are kept."""

from routescope_app.api.schemas.code import PruningFacts
from routescope_app.services.code.writing import filled, literal, notebook, samples

CHOSEN_ON = """
chosen_on = []
for name, count in $sets:
    whole = rs.dataset(name)
    chosen_on.append(whole.take(slice(len(whole) - count, len(whole))))
"""

KEPT = """
import matplotlib.pyplot as plt
import pandas as pd
from routescope.routing.caused.pruning import find_order, kept_with
$chosen_on
order = find_order(model, chosen_on, $order)
kept = kept_with(model, order, $keep)

numbers = pd.DataFrame(
    [(layer.name, unit, unit in layer.units) for layer in kept.layers for unit in (*layer.units, *layer.dropped)],
    columns=["layer", "expert", "stays"],
)
print(numbers)

figure, axes = plt.subplots()
axes.barh([layer.name for layer in kept.layers], [len(layer.kept) for layer in kept.layers])
axes.set_xlabel("experts kept")
axes.invert_yaxis()
"""

RETENTION = """
import matplotlib.pyplot as plt
from routescope.routing.caused.pruning import find_order, retained, shares_of
$chosen_on
order = find_order(model, chosen_on, $order)
$data
numbers = retained(
    model,
    data,
    {$name: order},
    shares_of(model, $scope, $points),
    scope=$scope,
    draws=$draws,
    seed=$seed,
)
print(numbers)

domains = list(dict.fromkeys(numbers["domain"]))
figure, panels = plt.subplots(1, len(domains), squeeze=False, figsize=(4 * len(domains), 3))
for axes, domain in zip(panels[0], domains):
    for name, rows in numbers[numbers["domain"] == domain].groupby("order"):
        axes.plot(rows["share"], rows["figure"], marker=".", label=name)
        axes.fill_between(rows["share"], rows["low"], rows["high"], alpha=0.2)
    axes.invert_xaxis()
    axes.set_title(domain)
    axes.set_xlabel("share of experts kept")
panels[0][0].set_ylabel(numbers.attrs["metric"])
panels[0][0].legend()
"""


def _order(asked: PruningFacts) -> dict[str, str]:
    """Return the parts of a template that find the order, on the last samples of every data set."""
    sets = literal([(part.name, part.count) for part in asked.data])
    chosen_on = "chosen_on = []" if asked.order == "chance" else filled(CHOSEN_ON, sets=sets)
    further = {"greedy": f", together={asked.at_once}", "chance": f", seed={asked.seed}"}.get(asked.order, "")
    return {"chosen_on": chosen_on, "order": literal(asked.order) + further}


def kept_experts(asked: PruningFacts) -> str:
    """Return code for the experts that stay and go, by layer."""
    return notebook(asked, KEPT, keep=literal(asked.keep), **_order(asked))


def retention(asked: PruningFacts) -> str:
    """Return code for retention by data set beside random sets of the same size."""
    numbers = {"draws": str(asked.draws), "points": str(asked.points), "seed": str(asked.seed + 1)}
    names = {"name": literal(asked.order), "scope": literal(asked.scope)}
    return notebook(asked, RETENTION, data=samples(asked.data), **names, **numbers, **_order(asked))
