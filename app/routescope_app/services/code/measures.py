"""Code for figures over data sets: effects of an intervention, effects of units, observations."""

from routescope_app.api.schemas.code import (
    AccuracyFacts,
    EffectsFacts,
    ExemplarFacts,
    ExpertFacts,
    ImportanceFacts,
    MeasuredFacts,
    ObservationFacts,
)
from routescope_app.services.code.writing import filled, intervention, literal, notebook, options, samples

SCORED = """
from routescope.routing.caused.scores import Scores, score
$data
intervention = $intervention
before = Scores.join(score(model, samples) for samples in data)
after = Scores.join(score(model, samples, intervention) for samples in data)
"""

CONTROL = """
from routescope.routing.caused.effects import random_control

sets = random_control(model.units, $size, $draws)
controls = [
    Scores.join(score(model, samples, rs.Intervention($kind=units$cut)) for samples in data)
    for units in sets
]
"""

ACCURACY = """
import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
from routescope.routing.caused.distributions import DISTRIBUTIONS, distribution_of
from routescope.routing.caused.effects import drop_effect
$scored
$control

trained_on, held_out = model.trained_on, model.config.held_out
names = np.concatenate([distribution_of(samples, trained_on, held_out) for samples in data])
groups = {"": np.ones(len(names), dtype=bool)}
if len(set(names)) > 1:
    groups = {", " + DISTRIBUTIONS[name]: names == name for name in DISTRIBUTIONS if (names == name).any()}
rows = []
for where, chosen in groups.items():
    then, now = before.take(chosen), after.take(chosen)
    change = drop_effect(then, now).figure
    rows.append(("as it is" + where, then.figure, *then.interval))
    rows.append(("with the intervention" + where, now.figure, *now.interval))
    rows.append(("change, paired" + where, change.value, change.low, change.high))
    $random
numbers = pd.DataFrame(rows, columns=["what", "value", "low", "high"])
print(numbers)

shown = numbers[~numbers["what"].str.startswith("change")][::-1]
figure, axes = plt.subplots()
axes.hlines(shown["what"], shown["low"], shown["high"])
axes.plot(shown["value"], shown["what"], "o")
axes.set_xlabel(before.measure.name)
"""

RANDOM = """
drawn = [control.take(chosen).figure for control in controls]
rows.append(("random sets: mean, least, most" + where, np.mean(drawn), min(drawn), max(drawn)))
"""

#: What tells groups of samples apart: the number of each sample's group, and the names of groups.
GROUPS = {
    "label": """
groups = np.concatenate([samples.labels.numpy() for samples in data])
names = list(model.coordinates()["label"])""",
    "domain": """
groups = np.repeat(np.arange(len(data)), [len(samples) for samples in data])
names = [samples.name for samples in data]""",
    "kind": """
groups = np.concatenate([samples.kind.numpy() for samples in data])
names = list(data[0].kinds)""",
    "task": """
task = data[0].task
several = len(task.outputs) > 1
groups = np.concatenate([(samples.asked if several else samples.subtask).numpy() for samples in data])
names = list(task.outputs if several else data[0].subtasks)""",
}

EFFECTS = """
import matplotlib.pyplot as plt
import numpy as np
from routescope.routing.caused.effects import effects_by
$scored

$groups
numbers = effects_by(groups, before, after, names)
numbers = numbers[numbers["count"] > 0].reset_index(drop=True)
print(numbers)

figure, axes = plt.subplots()
axes.hlines(numbers["group"], numbers["low"], numbers["high"])
axes.plot(numbers[after.measure.name], numbers["group"], "o")
axes.plot(numbers["baseline"], numbers["group"], "o", fillstyle="none", color="black")
axes.set_xlabel(after.measure.name)
axes.invert_yaxis()
"""

MEASURED = """
$data
$measured
"""

#: Panel -> its numbers and its picture, of an ``rs.importance``.
IMPORTANCE = {
    "effect": """
from routescope.plots.caused import draw_shapley, draw_single
shapley = len(result.shapley) > 0
numbers = result.shapley.merge(result.single, on="unit", suffixes=("", "_single")) if shapley else result.single
print(numbers)
if shapley:
    draw_shapley(result.shapley, kind=result.kind)
draw_single(result.single, kind=result.kind)""",
    "interactions": """
from routescope.plots.caused import draw_interactions
numbers = result.interactions.to_dataframe().reset_index()
print(numbers)
draw_interactions(result.interactions)""",
    "retention": """
from routescope.plots.caused import draw_retention
numbers = result.retention
print(numbers)
draw_retention(numbers)""",
    "convergence": """
from routescope.plots.caused import draw_convergence
numbers = result.convergence
print(numbers)
draw_convergence(numbers)""",
    "importance": """
numbers = result.single
print(numbers)
result.plot()""",
}

USE = """
import pandas as pd
from routescope.routing.observed.usage import WEIGHTS, BlockUsage, Usage
$data
observed = (BlockUsage if WEIGHTS in model.fields else Usage)(model, data, $intervention)
for _ in observed:
    pass
numbers = pd.DataFrame(observed.table())
print(numbers)
numbers.pivot(index="step", columns="unit", values="share").plot()
"""

ANYTIME = """
import matplotlib.pyplot as plt
import pandas as pd
from routescope.routing.caused.scores import Scores, score
$data
rows = []
for iterations in range(model.bounds.least, max(model.config.iterations, $iterations) + 1):
    change = rs.Intervention(iterations=iterations$cut)
    scores = Scores.join(score(model, samples, change) for samples in data)
    rows.append((iterations, scores.figure, *scores.interval))
numbers = pd.DataFrame(rows, columns=["iterations", scores.measure.name, "low", "high"])
print(numbers)
figure, axes = plt.subplots()
axes.plot(numbers["iterations"], numbers[scores.measure.name], marker=".")
axes.fill_between(numbers["iterations"], numbers["low"], numbers["high"], alpha=0.15)
axes.set(xlabel="iterations", ylabel=scores.measure.name)
"""

OBSERVATION = """
$observed

names = [name for name in $names if name in result.dataset]
numbers = result.dataset[names].to_dataframe().reset_index()
print(numbers)
for name in names:
    result.plot(name)
"""

EXEMPLARS = """
import matplotlib.pyplot as plt
$observed

names = ["exemplar_set", "exemplar_sample", "exemplar_token", "exemplar_step", "exemplar_weight"]
numbers = result.dataset[names].to_dataframe().reset_index()
numbers = numbers[numbers["exemplar_set"] >= 0].reset_index(drop=True)
for name in ("token", "step"):
    numbers["exemplar_" + name] = result.dataset[name].values[numbers["exemplar_" + name]]
print(numbers)
units, most = [str(unit) for unit in result.dataset["unit"].values], int(numbers["rank"].max())
figure, panels = plt.subplots(len(units), most, figsize=(most, len(units)), squeeze=False)
for panel in panels.flat:
    panel.axis("off")
for row in numbers.itertuples():
    panel = panels[units.index(row.unit), row.rank - 1]
    $looks
    panel.set_title(f"{row.unit} {row.exemplar_weight:.2f}", fontsize="xx-small")
"""

#: How an exemplar is drawn.
LOOKS = {
    "pictures": """image = data[row.exemplar_set].images[row.exemplar_sample].permute(1, 2, 0)
panel.imshow(image)""",
    "points": """names, values = zip(*data[row.exemplar_set].inputs([row.exemplar_sample]).table().rows)
panel.bar(names, values)""",
    "names": "panel.text(0.5, 0.5, str(row.exemplar_sample))",
}

EXPERTS = """
from routescope.routing.observed.load_tables import table
$data
result = rs.load_of(model, data, intervention=$intervention, shuffles=$shuffles, seed=$seed)
numbers = table(result, $panel)
print(numbers)
$shown
"""

EXPERT_EXEMPLARS = """
names = [samples.name + "." + samples.split for samples in data]
for row in numbers.itertuples():
    inputs = model.as_inputs(data[row.set].inputs([row.sample]))
    tokens = model.token_texts(inputs)[0]
    around = "".join(tokens[max(1, row.token - 28) : row.token + 17])
    name = f"{names[row.set]}.{row.sample}"
    print(row.expert, f"{row.weight:.2f}", name, repr(tokens[row.token]), "in", repr(around))
"""


def _scored(asked: MeasuredFacts) -> str:
    return filled(SCORED, data=samples(asked.data), intervention=intervention(asked))


def _cut(asked: MeasuredFacts, *names: str) -> str:
    """Return the numbers of the intervention as further arguments."""
    values = {name: value for name in names if (value := getattr(asked, name)) is not None}
    return f", {options(values)}" if values else ""


def accuracy(asked: AccuracyFacts) -> str:
    """Return code for the measure with and without an intervention, beside random sets of the same size."""
    named = [(kind, len(units)) for kind in ("drop", "mute", "mean", "resample") if (units := getattr(asked, kind))]
    control = random = ""
    if asked.draws and len(named) == 1:
        ((kind, size),) = named
        cut = _cut(asked, "iterations", "keep_edges", "top_k")
        control = filled(CONTROL, kind=kind, size=str(size), draws=str(asked.draws), cut=cut)
        random = filled(RANDOM)
    return notebook(asked, ACCURACY, scored=_scored(asked), control=control, random=random)


def effects(asked: EffectsFacts) -> str:
    """Return code for the same by group of samples."""
    return notebook(asked, EFFECTS, scored=_scored(asked), groups=filled(GROUPS[asked.by]))


def importance(asked: ImportanceFacts) -> str:
    """Return code for the effects of all units, or what else the panels of importance show."""
    data = samples(asked.data)
    if asked.panel == "use":
        return notebook(asked, USE, data=data, intervention=intervention(asked))
    if asked.panel == "anytime":
        cut = _cut(asked, "keep_edges", "top_k")
        return notebook(asked, ANYTIME, data=data, iterations=str(asked.iterations or 0), cut=cut)
    names = ("iterations", "keep_edges", "seed", "top_k", "layer", "distribution")
    measured = f"result = rs.importance(model, data, kind={literal(asked.left_out_as)}{_cut(asked, *names)})"
    return notebook(asked, MEASURED + IMPORTANCE[asked.panel], data=data, measured=measured)


def _observed(asked: MeasuredFacts) -> str:
    call = f"rs.observe(model, data, intervention={intervention(asked)}, seed={literal(asked.seed)})"
    return f"{samples(asked.data)}\nresult = {call}"


def observation(asked: ObservationFacts) -> str:
    """Return code for variables of an observation, drawn one below the other."""
    return notebook(asked, OBSERVATION, observed=_observed(asked), names=literal(asked.variables))


def exemplars(asked: ExemplarFacts) -> str:
    """Return code for the samples that go to each unit most."""
    return notebook(asked, EXEMPLARS, observed=_observed(asked), looks=LOOKS[asked.looks])


def drawn(panel: str, layer: str | None) -> str:
    """Return the line that draws a load of experts."""
    return f"result.plot({literal(panel)}, layer={literal(layer)})"


def experts(asked: ExpertFacts) -> str:
    """Return code for how tokens spread over experts."""
    shown = filled(EXPERT_EXEMPLARS) if asked.panel == "exemplars" else drawn(asked.panel, asked.layer_shown)
    numbers = {"shuffles": str(asked.shuffles), "seed": str(asked.seed), "panel": literal(asked.panel)}
    return notebook(asked, EXPERTS, data=samples(asked.data), intervention=intervention(asked), shown=shown, **numbers)
