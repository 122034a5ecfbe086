"""Code for figures of links between modules: in the network as it is, and as sentences design it."""

import re

from routescope_app.api.schemas.code import (
    AnswersFacts,
    ClustersFacts,
    DesignsFacts,
    GraphFacts,
    MatrixFacts,
    ModuleFacts,
    PicturesFacts,
    PriorFacts,
    ReadsFacts,
)
from routescope_app.services.code.writing import filled, intervention, literal, notebook

_OF_DATA = re.compile(r"([a-z0-9-]+)\.([a-z]+)\.(\d+)")

#: The link probabilities of all modules, symmetric to the last bit.
LINKS = """
import pandas as pd
from routescope.routing.trace import constants_of
constants = {name: values.detach().double().numpy() for name, (_, values) in constants_of(model).items()}
P = (constants["link_probability"] + constants["link_probability"].T) / 2
"""

GRAPH = """
import matplotlib.pyplot as plt
from routescope.routing.graphs import edges_sorted, layout
i, j, p = (values[:$links] for values in edges_sorted(P))
names = model.all_units
numbers = pd.DataFrame({"module": [names[at] for at in i], "other": [names[at] for at in j], "probability": p})
left = set($intervention.apply(model).units)
numbers["left"] = [row.module in left and row.other in left for row in numbers.itertuples()]
print(numbers)

x, y = layout(constants["signatures"]).T
figure, axes = plt.subplots(figsize=(8, 8))
for a, b, stays in zip(i, j, numbers["left"]):
    axes.plot(x[[a, b]], y[[a, b]], color="C0" if stays else "lightgrey", linewidth=0.6, zorder=1)
axes.scatter(x, y, color=["C0" if name in left else "lightgrey" for name in names], zorder=2)
axes.set_aspect("equal")
"""

MATRIX = """
import matplotlib.pyplot as plt
import numpy as np
from routescope.routing.graphs import statistics
q = model.connectivity().detach().double().numpy()
order = $order
names = [model.all_units[at] for at in order]
numbers = pd.DataFrame(P[np.ix_(order, order)], names, names)
print(numbers)
figure, axes = plt.subplots()
figure.colorbar(axes.imshow(numbers, cmap="Blues", vmin=0, vmax=1), label="link probability")
"""

ORDERS = {
    "matched": 'np.argsort(constants["prior_order"])',
    "communities": "np.lexsort((-q, statistics(P).communities))",
    "connectivity": 'np.argsort(-q, kind="stable")',
}

STATISTICS = """
from routescope.routing.graphs import prior, statistics
prior_name = $prior
graphs = {"learned": P} | ({} if prior_name is None else {"prior": prior(prior_name, len(P))})
NAMES = ["mean_degree", "degree_deviation", "density", "clustering", "modularity"]
values = {name: statistics(graph) for name, graph in graphs.items()}
numbers = pd.DataFrame({name: {part: getattr(value, part) for part in NAMES} for name, value in values.items()})
drawn = pd.concat({name: value.sampled for name, value in values.items()}, axis=1)
NAMES += ["path_length", "components"]
likely = {name: statistics(graph, threshold=0.5) for name, graph in graphs.items()}
likely = pd.DataFrame({name: {part: getattr(value, part) for part in NAMES} for name, value in likely.items()})
print(numbers)
print("graphs that are drawn from the probabilities:")
print(drawn)
print("links of P > 0.5:")
print(likely)
"""

DEGREES = """
from routescope.routing.graphs import statistics
learned = statistics(P)
numbers = pd.DataFrame({"module": model.all_units, "learned": learned.degree})
$prior
print(numbers)
learned.plot($beside)
"""

PRIOR_DEGREES = """
from routescope.routing.graphs import matched, prior
P0 = matched(prior($prior, len(P)), constants["prior_order"].astype(int))
numbers["prior"] = P0.sum(axis=1) - P0.diagonal()
"""

CLUSTERS = """
import numpy as np
from routescope.routing.graphs import components_by_share
shares = $shares
result = components_by_share(P, np.array(shares))
numbers = pd.DataFrame({"share": shares, "clusters": result.components, "largest": result.largest})
print(numbers)
result.plot()
"""

MODULE = """
unit = $unit
numbers = pd.DataFrame({"module": model.all_units, "probability": P[model.all_units.index(unit)]})
numbers = numbers[numbers["module"] != unit].sort_values("probability", ascending=False, kind="stable")
print(numbers.head(12))
numbers.head(12)[::-1].plot.barh(x="module", y="probability", legend=False, xlim=(0, 1))
"""

DESIGNED = """
import numpy as np
import pandas as pd
from routescope.routing.graphs.designs import designs_of
sentences = $sentences
view = $intervention.apply(model)
designs = designs_of(view, sentences)
threshold = $threshold
"""

DESIGNS = """
import matplotlib.pyplot as plt
from routescope.routing.graphs.designs import shared_layout
P = [designs[at].P for at in range(len(sentences))]
i, j = np.nonzero(np.triu(np.any([links > threshold for links in P], axis=0), 1))
numbers = pd.DataFrame({"module": [view.units[at] for at in i], "other": [view.units[at] for at in j]})
for number, links in enumerate(P, start=1):
    numbers[f"p_{number}"] = links[i, j]
print(numbers)

x, y = shared_layout(designs).T
figure, panels = plt.subplots(1, len(P), figsize=(5 * len(P), 5), squeeze=False)
for axes, links, sentence in zip(panels[0], P, sentences):
    for a, b in zip(*np.nonzero(np.triu(links > threshold, 1))):
        axes.plot(x[[a, b]], y[[a, b]], color="C0", linewidth=0.4, zorder=1)
    axes.scatter(x, y, zorder=2)
    axes.set_title(sentence, fontsize="small")
"""

DISTANCES = """
from routescope.routing.graphs.designs import compare
rows = []
for at, sentence in enumerate(sentences):
    change = compare(designs[0], designs[at], threshold)
    links = int(np.count_nonzero(np.triu(designs[at].P > threshold, 1)))
    rows.append((sentence, links, len(change.gained), len(change.lost), change.mean_change, change.correlation))
numbers = pd.DataFrame(rows, columns=["sentence", "links", "gained", "lost", "mean_change", "correlation"])
print(numbers)
"""

ASKED = """
from routescope.nn.inputs.statements import Statements
texts = $texts
$images
inputs = Statements(images.expand(len(texts), *images.shape), tuple(texts))
trace = rs.record(model, inputs, intervention=$intervention)

"""

OF_STATEMENT = """
statements = rs.dataset($name, $split, model=model)
images = statements.images[$row].float() / 255
"""

OF_SCENE = """
import torch
from routescope.data.statements.scenes import Scene, draw
scene = Scene.from_dict($scene)
images = torch.from_numpy(draw(scene, model.config.image_size).copy()).float() / 255
"""

UPLOADED = """
import numpy as np
import torch
from PIL import Image
from routescope.data.pictures.sizing import fitted
from routescope.data.statements.scenes import BACKGROUND
# These pictures were uploaded: name your copies of them here.
files = ["your-first-picture.png", "your-second-picture.png"][: model.config.pictures]
images = [fitted(Image.open(file), model.config.image_size, BACKGROUND) for file in files]
images = torch.from_numpy(np.stack(images)).float() / 255
"""

PICTURES = """
import matplotlib.pyplot as plt
import pandas as pd
from routescope.data.statements.scenes import Scene, draw
scene = Scene.from_dict($scene)
things = [{"picture": at, **thing} for at, picture in enumerate(scene.to_dict()["pictures"]) for thing in picture]
numbers = pd.DataFrame(things, columns=["picture", "shape", "colour", "size", "x", "y"])
print(numbers)

figure, panels = plt.subplots(1, len(scene.pictures), squeeze=False)
for axes, picture in zip(panels[0], draw(scene, model.config.image_size)):
    axes.imshow(picture.transpose(1, 2, 0))
    axes.set_axis_off()
"""

ANSWERS = """
import pandas as pd
chances = next(iter(trace.dataset.domain.values))
probability = [answer[str(chances)][1] for answer in trace.predictions()]
numbers = pd.DataFrame({"sentence": texts, "probability": probability})
print(numbers)
numbers[::-1].plot.barh(x="sentence", y="probability", xlim=(0, 1), legend=False)
"""

READS = """
import matplotlib.pyplot as plt
$weights
rows, columns = model.config.grid
places = weights.isel(token=slice(len(images) * rows * columns))
numbers = places.to_dataframe("weight").reset_index()
print(numbers)
figure, panels = plt.subplots(len(texts), len(images), squeeze=False)
for line, of_text, text in zip(panels, places.values, texts):
    for axes, of_picture in zip(line, of_text.reshape(len(images), rows, columns)):
        axes.imshow(of_picture, cmap="Greys_r")
        axes.set_title(text, fontsize="small")
"""

ALL_READS = """
shares = (trace["confidence"] * trace["read_out"]).sum("readout")
weights = (trace["read_in"] * shares).sum("unit") / shares.sum("unit")
"""


def graph(asked: GraphFacts) -> str:
    """Return code for the most probable links, and those that an intervention keeps."""
    return notebook(asked, LINKS + GRAPH, links=str(asked.links_drawn), intervention=intervention(asked))


def matrix(asked: MatrixFacts) -> str:
    """Return code for link probabilities as a matrix."""
    order = "communities" if asked.order == "matched" and not asked.prior else asked.order
    return notebook(asked, LINKS + MATRIX, order=ORDERS.get(order, ORDERS["communities"]))


def statistics(asked: PriorFacts) -> str:
    """Return code for statistics of the graph beside its prior."""
    return notebook(asked, LINKS + STATISTICS, prior=literal(asked.prior))


def degrees(asked: PriorFacts) -> str:
    """Return code for the expected links of each module."""
    prior = filled(PRIOR_DEGREES, prior=literal(asked.prior)) if asked.prior else ""
    return notebook(asked, LINKS + DEGREES, prior=prior, beside="beside=statistics(P0)" if prior else "")


def clusters(asked: ClustersFacts) -> str:
    """Return code for the number of groups as links are cut."""
    return notebook(asked, LINKS + CLUSTERS, shares=literal(asked.shares))


def module(asked: ModuleFacts) -> str:
    """Return code for the strongest links of one module."""
    return notebook(asked, LINKS + MODULE, unit=literal(asked.unit))


def _designed(asked: DesignsFacts, template: str) -> str:
    view = intervention(asked.model_copy(update={"keep_edges": None}))
    parts = {"sentences": literal(asked.sentences), "threshold": literal(asked.threshold)}
    return notebook(asked, DESIGNED + template, intervention=view, **parts)


def designs(asked: DesignsFacts) -> str:
    """Return code for the links of the circuits of sentences."""
    return _designed(asked, DESIGNS)


def distances(asked: DesignsFacts) -> str:
    """Return code for the distance of each circuit from the first."""
    return _designed(asked, DISTANCES)


def pictures(asked: PicturesFacts) -> str:
    """Return code for the pictures of a scene and the things in them."""
    return notebook(asked, PICTURES, scene=literal(asked.scene.model_dump()))


def _asked(asked: AnswersFacts, template: str, **parts: str) -> str:
    place = None if asked.edited else _OF_DATA.fullmatch(asked.statement or "")
    if place:
        name, split, row = place.groups()
        images = filled(OF_STATEMENT, name=literal(name), split=literal(split), row=str(int(row)))
    elif asked.scene:
        images = filled(OF_SCENE, scene=literal(asked.scene.model_dump()))
    else:
        images = filled(UPLOADED)
    parts |= {"texts": literal(asked.sentences), "images": images, "intervention": intervention(asked)}
    return notebook(asked, ASKED + template, **parts)


def answers(asked: AnswersFacts) -> str:
    """Return code for the probability of each sentence."""
    return _asked(asked, ANSWERS)


def reads(asked: ReadsFacts) -> str:
    """Return code for the attention of modules to the pictures, for each sentence."""
    one = f'weights = trace["read_in"].sel(unit={literal(asked.unit)})'
    return _asked(asked, READS, weights=filled(ALL_READS) if asked.unit == "all" else one)
