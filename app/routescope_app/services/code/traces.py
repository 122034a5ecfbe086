"""Code for figures of one sample: its path, its patches, its predictions."""

import re

from routescope_app.api.schemas.code import DifferenceFacts, SampleFacts, TraceFacts
from routescope_app.services.code.writing import comment, filled, intervention, literal, loaded, notebook, written

_OF_DATA = re.compile(r"([a-z0-9-]+)\.([a-z]+)\.(\d+)")
#: The number of changes that a chart of messages names.
MOST_BARS = 12

PATH = """
$recorded

if "compatibility" in trace.dataset:
    numbers = trace["compatibility"].isel(sample=0, drop=True).to_dataframe("compatibility").reset_index()
else:
    numbers = trace.paths().segments.drop(columns="sample")
print(numbers)
trace.paths().plot()
"""

PATCHES = """
import matplotlib.pyplot as plt
$recorded

numbers = trace.paths().dominant
$step
numbers = numbers[numbers["token"].str.startswith("patch:")].reset_index(drop=True)
print(numbers)

rows, columns = model.config.grid
units = numbers["unit"].to_numpy().reshape(rows, columns)
figure, axes = plt.subplots()
axes.imshow([[model.units.index(unit) if unit else -1 for unit in row] for row in units], cmap="tab20")
for row in range(rows):
    for column in range(columns):
        axes.text(column, row, units[row, column], ha="center", va="center")
axes.set_title("dominant unit of each patch")
"""

PREDICTIONS = """
import pandas as pd
$recorded

labels = model.coordinates()["label"]
numbers = pd.DataFrame(trace.predictions()[0], index=labels)
before = pd.DataFrame(rs.record(model, inputs).predictions()[0], index=labels)
print(numbers)
axes = numbers.plot.bar(subplots=True, sharey=True, legend=False, ylim=(0, 1), title=list(numbers.columns))
for axis, head in zip(axes, before.columns):
    axis.step(range(len(labels)), before[head], where="mid", linestyle="--", color="grey")
"""

DIFFERENCE = """
import matplotlib.pyplot as plt
import pandas as pd
$a

$b

if "compatibility" in b.dataset:
    both = [trace["compatibility"].isel(sample=0, drop=True).to_series() for trace in (a, b)]
else:
    both = [trace.paths().segments.drop(columns="sample") for trace in (a, b)]
    both = [table.set_index(list(table.columns.drop("weight")))["weight"] for table in both]
names = ["step", "unit", "token"] if "compatibility" in b.dataset else list(both[1].index.names)
steps = [step for step in b.dataset["step"].values if step in set(a.dataset["step"].values)]  # steps of both
numbers = pd.concat(both, axis=1, keys=["a", "b"]).fillna(0).reset_index()
numbers = numbers[numbers["step"].isin(["", *steps])].reset_index(drop=True)
numbers["change"] = numbers["b"] - numbers["a"]
print(numbers)

if names == ["step", "unit", "token"]:
    figure, axes = plt.subplots(1, len(steps), sharey=True, squeeze=False)
    most = numbers["change"].abs().max()
    for axis, step in zip(axes[0], steps):
        change = numbers[numbers["step"] == step].pivot(index="unit", columns="token", values="change")
        axis.imshow(change, cmap="PuOr_r", vmin=-most, vmax=most, aspect="auto", interpolation="none")
        axis.set_title(step)
    axes[0][0].set_yticks(range(len(change.index)), change.index)
else:
    largest = numbers.loc[numbers["change"].abs().sort_values(ascending=False).index[:$most]]
    words = largest[names].astype(str).agg(" ".join, axis=1)
    plt.barh(words, largest["change"])
"""

RECORDED = """
$inputs
$name = rs.record(model, inputs, intervention=$intervention, sample_ids=[$sample])
"""


def _inputs(sample: str) -> str:
    """Return lines that name a sample: its place in a data set, or a file of the reader."""
    if place := _OF_DATA.fullmatch(sample):
        name, split, row = place.groups()
        return f"inputs = rs.dataset({literal(name)}, {literal(split)}).inputs([{int(row)}])"
    return "\n".join(
        [
            comment(f"The sample {sample} was uploaded: name your copy of the picture here"),
            "# (for a drawing, routescope.data.pictures.sizing.from_drawing makes the model's input).",
            'inputs = "your-picture.png"',
        ]
    )


def _recorded(asked: SampleFacts, name: str = "trace") -> str:
    parts = {"intervention": intervention(asked), "sample": literal(asked.sample)}
    return filled(RECORDED, inputs=_inputs(asked.sample), name=name, **parts)


def path(asked: TraceFacts) -> str:
    """Return code for compatibilities with functions, or messages of modules."""
    return notebook(asked, PATH, recorded=_recorded(asked))


def patches(asked: TraceFacts) -> str:
    """Return code for the dominant unit of each patch at a step."""
    chosen = asked.step not in (None, "read-in")
    step = f'numbers = numbers[numbers["step"] == {literal(asked.step)}]' if chosen else ""
    return notebook(asked, PATCHES, recorded=_recorded(asked), step=step)


def predictions(asked: TraceFacts) -> str:
    """Return code for the predictions of each head, with and without the intervention."""
    return notebook(asked, PREDICTIONS, recorded=_recorded(asked))


def difference(asked: DifferenceFacts) -> str:
    """Return code for the differences between the paths of A and B."""
    a, b = (loaded(side) + "\n" + _recorded(side, name) for name, side in (("a", asked.a), ("b", asked.b)))
    return written(asked, filled(DIFFERENCE, a=a, b=b, most=str(MOST_BARS)))
