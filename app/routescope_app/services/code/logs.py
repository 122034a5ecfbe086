"""Code for figures of routing logs, which need no model: chosen experts, their use, agreement of two logs."""

from routescope_app.api.schemas.code import (
    AgreementFacts,
    DecisionFacts,
    LogExpertFacts,
    LogPartFacts,
    LogsFacts,
    LogTextFacts,
)
from routescope_app.services.code.measures import drawn
from routescope_app.services.code.writing import comment, filled, literal, written

PART = """
import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
tokens = log.rows_of($sequence)
first, last = tokens.start + $start, tokens.start + $end
rows = slice(first, last)
experts, shares = log.experts[rows], log.shares(rows)
"""

PATH = """
token, layer, slot = np.nonzero(experts >= 0)
numbers = pd.DataFrame({
    "layer": [log.layers[at] for at in layer],
    "token": token + $start,
    "expert": [log.unit(at, expert) for at, expert in zip(layer, experts[token, layer, slot])],
    "share": shares[token, layer, slot],
})
print(numbers)

figure, axes = plt.subplots()
most = np.take_along_axis(experts, shares.argmax(axis=2)[:, :, None], axis=2)[:, :, 0]
axes.plot(log.layers, most.T + 1, alpha=0.2)
axes.set(xlabel="layer", ylabel="expert of the largest share", title=log.sequences[$sequence])
"""

TEXT = """
layer = log.layers.index($layer)
most = np.take_along_axis(experts, shares.argmax(axis=2)[:, :, None], axis=2)[:, layer, 0]
numbers = pd.DataFrame({
    "token": np.arange(first, last) - tokens.start,
    "text": [log.text(row) for row in range(first, last)],
    "expert": [log.unit(layer, expert) if expert >= 0 else None for expert in most],
    "margin": np.nan if log.margin is None else log.margin[rows, layer],
})
print(numbers)
numbers["expert"].value_counts().plot.bar(title="tokens by their expert at " + log.layers[layer])
"""

USAGE = """
import matplotlib.pyplot as plt
import pandas as pd
names = [f"e{expert + 1}" for expert in range(log.num_experts)]
numbers = pd.DataFrame(log.usage(), index=log.layers, columns=names)
print(numbers)

figure, axes = plt.subplots()
shares = numbers.div(numbers.sum(axis=1).clip(lower=1), axis=0)
picture = axes.imshow(shares, aspect="auto", cmap="Blues", vmin=0)
axes.set(xlabel="expert", ylabel="layer", title="share of a layer's use")
axes.set_yticks(range(len(log.layers)), log.layers)
figure.colorbar(picture)
"""

COMPARED = """
import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
comparison = rs.compare(a, b)
numbers = pd.DataFrame([vars(layer) for layer in comparison.by_layer()])
print(numbers)
print(pd.DataFrame([vars(margin) for margin in comparison.by_margin()]))

figure, axes = plt.subplots()
for name in ("same", "overlap"):
    low, high = np.array(numbers[name + "_interval"].tolist()).T
    error = [numbers[name] - low, high - numbers[name]]
    axes.errorbar(numbers["layer"], numbers[name], error, fmt="o-", capsize=3, label=name)
axes.set(xlabel="layer", ylabel="share of tokens", title="agreement of A and B")
axes.legend()
"""

AGREEMENT = """
import matplotlib.pyplot as plt
import pandas as pd
comparison = rs.compare(a, b)
chosen = comparison.sequence == $sequence
first = comparison.first()[chosen]
numbers = pd.DataFrame({
    "token": comparison.places[0][chosen],
    "agreement": comparison.agreement()[chosen],
    "first": [comparison.layers[layer] if layer >= 0 else "" for layer in first],
})
print(numbers)

figure, axes = plt.subplots()
axes.bar(range(len(numbers)), numbers["agreement"], width=1)
axes.set(xlabel="token", ylabel="share of layers that agree", title=a.sequences[$sequence])
"""

DECISION = """
import matplotlib.pyplot as plt
import pandas as pd
from routescope.routing.compare import decisions
layers = decisions(a, b, rs.compare(a, b), $token)
numbers = pd.DataFrame([
    (side.layer, name, taken.unit, taken.share, side.margin, layer.same)
    for layer in layers
    for name, side in (("A", layer.a), ("B", layer.b))
    for taken in side.taken
], columns=["layer", "routing", "expert", "share", "margin", "same"])
print(numbers)

figure, panels = plt.subplots(1, 2, sharey=True)
for (name, rows), axes in zip(numbers.groupby("routing"), panels):
    rows.pivot_table(index="layer", columns="expert", values="share", sort=False).plot.barh(
        stacked=True, ax=axes, legend=False, title=name
    )
panels[0].invert_yaxis()  # the first layer at the top
"""

EXPERTS = """
from routescope.routing.observed.load_tables import table
from routescope.routing.observed.log_load import observed
result = observed(log).load
numbers = table(result, $panel)
print(numbers)
$shown
"""

EXEMPLARS = """
for row in numbers.itertuples():
    text = log.text(log.rows_of(row.sample).start + row.token)
    print(row.expert, f"{row.weight:.2f}", log.sequences[row.sample], repr(text))
"""


def _notebook(asked: LogsFacts, template: str, **parts: str) -> str:
    """Return code that reads the logs of a figure and goes on with a template."""
    names = ["a", "b"] if len(asked.ids) > 1 else ["log"]
    lines: list[str] = []
    for name, log_id, title in zip(names, asked.ids, asked.logs, strict=True):
        lines.append(comment(f"{title}, as /api/v1/logs/{log_id}/file gives it"))
        lines.append(f'{name} = rs.read_log("log-{log_id[:12]}.parquet")')
    return written(asked, "\n".join([*lines, "", filled(template, **parts)]))


def _part(asked: LogPartFacts, template: str, **parts: str) -> str:
    start, end = str(asked.start), str(asked.start + asked.tokens)
    return _notebook(asked, PART + template, sequence=str(asked.sequence), start=start, end=end, **parts)


def path(asked: LogPartFacts) -> str:
    """Return code for the experts of the tokens of a sequence, layer by layer."""
    return _part(asked, PATH)


def text(asked: LogTextFacts) -> str:
    """Return code for the tokens of a sequence with their expert at a layer."""
    return _part(asked, TEXT, layer=literal(asked.layer))


def usage(asked: LogsFacts) -> str:
    """Return code for the use of each expert."""
    return _notebook(asked, USAGE)


def compared(asked: LogsFacts) -> str:
    """Return code for the agreement of two logs, layer by layer."""
    return _notebook(asked, COMPARED)


def agreement(asked: AgreementFacts) -> str:
    """Return code for the share of layers that agree, token by token of a sequence."""
    return _notebook(asked, AGREEMENT, sequence=str(asked.sequence))


def decision(asked: DecisionFacts) -> str:
    """Return code for the experts of one token in two logs."""
    return _notebook(asked, DECISION, token=str(asked.token))


def experts(asked: LogExpertFacts) -> str:
    """Return code for how a log's tokens spread over experts."""
    shown = filled(EXEMPLARS) if asked.panel == "exemplars" else drawn(asked.panel, asked.layer_shown)
    return _notebook(asked, EXPERTS, panel=literal(asked.panel), shown=shown)
