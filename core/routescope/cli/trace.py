"""``routescope trace``: record the routing of one sample into a file."""

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
from rich.table import Table

from routescope.api import names
from routescope.cli import options as opt
from routescope.cli.console import escape, fail, opened, out, print_json
from routescope.cli.interventions import PASSED, changes_routing, with_units
from routescope.nn.shown import percent
from routescope.routing.options import OPTIONS, REPLACING

if TYPE_CHECKING:
    from routescope.api.samples import OneSample
    from routescope.data.blocks.sets import BlockSet
    from routescope.nn.blocks.network import BlockModel
    from routescope.nn.network import Network
    from routescope.routing import Intervention, Trace
    from routescope.zoo import ModelInfo

#: Attributes of a trace that limit its meaning, and how each is introduced.
NOTES = {"unverified_routing": "Unverified routing", "tokenizer": "Tokens do not spell all bytes"}
#: The largest number of units that are listed as read most.
MOST_READ = 5
#: Sources with a smaller share of a block are not listed.
LEAST_SHARE = 0.05
#: Kind of input -> the options that give a sample of it.
GIVEN: Mapping[str, tuple[str, ...]] = {
    "images": ("image",),
    "statements": ("sentence", "left", "right"),
    "blocks": ("digits", "program"),
    "numbers": ("numbers",),
}
#: Option -> its value in the help.
METAVARS = {
    "image": "FILE", "sentence": "TEXT", "left": "FILE", "right": "FILE", "digits": "DIGITS", "program": "SUBTASKS",
    "numbers": "NUMBERS", "text": "TEXT",
}  # fmt: skip

Index = Annotated[int, typer.Option("--index", help="Number of the sample in the data set, from 0.", min=0)]
Image = Annotated[Path | None, typer.Option("--image", help="Picture to trace instead of a sample.", metavar="FILE")]
Sentence = Annotated[
    str | None,
    typer.Option("--sentence", help="Sentence about the pictures, instead of the sample's.", metavar="TEXT"),
]
Left = Annotated[Path | None, typer.Option("--left", help="Left picture, instead of the sample's.", metavar="FILE")]
Right = Annotated[Path | None, typer.Option("--right", help="Right picture, instead of the sample's.", metavar="FILE")]
Digits = Annotated[
    str | None,
    typer.Option("--digits", help="Values of a task of blocks (3,1,4,1,5), instead of a sample's.", metavar="DIGITS"),
]
Program = Annotated[
    str | None,
    typer.Option(
        "--program",
        help="Subtask of each iteration, by number from 1 or by name (1,4); sets the number of iterations.",
        metavar="SUBTASKS",
    ),
]
Numbers = Annotated[
    str | None,
    typer.Option("--numbers", help="Point of numbers (0.1,0.9,0.5,0.25,1), instead of a sample.", metavar="NUMBERS"),
]
WrittenText = Annotated[
    str | None,
    typer.Option("--text", help="Text or expression, instead of a sample.", metavar="TEXT"),
]
Fields = Annotated[
    str | None,
    typer.Option(
        "--fields",
        help="Fields to record, as `routescope models` lists them; the routing by default.",
        metavar="NAMES",
    ),
]


@changes_routing(name for name in OPTIONS if name not in REPLACING)
def trace(
    model: opt.Model,
    data: opt.Data = None,
    index: Index = 0,
    image: Image = None,
    sentence: Sentence = None,
    left: Left = None,
    right: Right = None,
    digits: Digits = None,
    program: Program = None,
    numbers: Numbers = None,
    text: WrittenText = None,
    output: Annotated[Path | None, opt.output("the trace (NetCDF)", "FILE.nc")] = None,
    fields: Fields = None,
    intervention: "Intervention" = PASSED,
    split: opt.Split = "validation",
    context: opt.Context = None,
    as_json: opt.AsJson = False,
) -> None:
    """Record how one sample is routed.

    Prints the predictions and the routing of each step; --output writes the whole trace.

    Example: routescope trace moe-bytes --text "def f(x): return x" --output trace.nc
    """
    from routescope import zoo
    from routescope.api.asking import record
    from routescope.routing.recording import default_fields

    if output is not None and not output.resolve().parent.is_dir():
        fail(f"the folder of {output} does not exist; give a file in one that does.")
    network = opened(model, context)
    info = zoo.info(network.id)
    if intervention.iterations is None and program is not None:
        intervention = replace(intervention, iterations=len(names(program)) or None)
    intervention = with_units(intervention, network, split)
    recorded = default_fields(network) if fields is None else names(fields)
    if unknown := sorted(set(recorded) - set(info.fields)):
        fail(f"{info.id} has no field {', '.join(unknown)}; it has {', '.join(info.fields)}.")
    given = {
        "image": image, "sentence": sentence, "left": left, "right": right, "digits": digits, "program": program,
        "numbers": numbers, "text": text,
    }  # fmt: skip
    sample = read_sample(network, data, split, index, given)
    trace = record(network, sample.inputs, fields=recorded, intervention=intervention, sample_ids=[sample.name])
    if output is not None:
        trace.save(output)
    facts = facts_of(network, info, sample, trace)
    if as_json:
        shapes = {name: list(trace.dataset[name].shape) for name in recorded if name in trace.dataset}
        print_json(facts | {"fields": shapes, "output": str(output) if output is not None else None})
        return
    _print(facts, info, sample)
    if output is not None:
        out.print(f"Wrote {output}", style="dim")


def read_sample(
    network: "Network", data: str | None, split: str, index: int, options: Mapping[str, Any]
) -> "OneSample":
    """Return the sample of the options of ``METAVARS`` that are not None, or sample ``index`` of a data set."""
    from routescope.api import samples
    from routescope.data.kinds.kind import kind_of

    given = {name: value for name, value in options.items() if value is not None}
    kind = network.inputs.kind
    accepted = GIVEN.get(kind, ("text",) if kind_of(network.inputs).text is not None else ())
    if other := [f"--{name}" for name in given if name not in accepted]:
        forms = " ".join(f"--{name} {METAVARS[name]}" for name in accepted)
        fail(f"{network.id} reads {kind}, not {', '.join(other)}: give {forms + ', or ' if forms else ''}--index.")
    match given:
        case {"image": Path() as path}:
            return samples.picture_sample(path)
        case {"left": Path() as left, "right": Path() as right, "sentence": str() as sentence}:
            return samples.statement_sample(network, (left, right), sentence)
        case {"left": _} | {"right": _}:
            fail("give all three of --sentence TEXT --left FILE --right FILE.")
        case {"digits": str() as digits}:
            return samples.digits_sample(network.config.domains[0], digits, given.get("program"))
        case {"program": str() as program}:
            return samples.with_program(samples.sample_of(network, data, split, index), program)
        case {"numbers": str() as numbers}:
            return samples.written_sample(network, numbers, numbers, data)
        case {"text": str() as text}:
            return samples.written_sample(network, text, "text given")
    return samples.sample_of(network, data, split, index, given.get("sentence"))


def facts_of(network: "Network", info: "ModelInfo", sample: "OneSample", trace: "Trace") -> dict[str, Any]:
    """Return the predictions and the routing of a recorded sample, as JSON has them."""
    from routescope.nn.blocks.network import BlockModel
    from routescope.routing.trace import dominant_units

    numbers, dataset = trace.numbers()[0], trace.dataset
    tokens = network.tokens_of(network.as_inputs(sample.inputs))
    facts: dict[str, Any] = {"model": info.id, "revision": info.revision, "sample": sample.name, "label": sample.label}
    if sample.sentence is not None:
        facts["sentence"] = sample.sentence
    if numbers:
        facts["numbers"] = [
            {"domain": domain, "network": value, "right": sample.right.get(domain)} for domain, value in numbers.items()
        ]
    facts |= {
        "intervention": trace.intervention.to_dict(),
        "predictions": predictions_of(network, trace),
        "dominant": dominant_units(trace, None if tokens.mask is None else int(tokens.mask[0].sum())),
        "most_read": most_read_units(trace),
    }
    left_out = [name for name in ("tokens_left_out", "bytes_left_out") if name in dataset.coords]
    facts |= {name: int(dataset[name].values[0]) for name in left_out}
    facts |= {name: str(dataset.attrs[name]) for name in NOTES if name in dataset.attrs}
    if isinstance(network, BlockModel) and sample.blocks is not None:
        facts["answers"] = answers_of(network, sample.blocks, trace.intervention)
        facts["made_of"] = made_of(trace)
    return facts


def predictions_of(network: "Network", trace: "Trace") -> list[dict[str, Any]]:
    """Return the probabilities of all labels by domain; empty if heads do not choose a label."""
    from routescope.nn.network import LABEL_AXES

    if trace.numbers()[0] or network.answer_axes != LABEL_AXES:
        return []
    predictions = []
    for domain, probabilities in trace.predictions()[0].items():
        values = [round(float(probability), 6) for probability in probabilities]
        best = max(range(len(values)), key=values.__getitem__)
        predictions.append({"domain": domain, "label": best, "probability": values[best], "probabilities": values})
    return predictions


def most_read_units(trace: "Trace") -> dict[str, dict[str, float]]:
    """Return for each step the units with the largest shares of all attention, the largest first."""
    if "messages" not in trace.dataset:
        return {}
    messages = trace.dataset["messages"].isel(sample=0)
    total = messages.sum(["unit", "sender"])
    shares = (messages.sum("unit") / total.where(total > 0, 1)).transpose("layer", "sender")
    most: dict[str, dict[str, float]] = {}
    for layer, share in zip(shares["layer"].values, shares.values, strict=True):
        order = (-share).argsort(kind="stable")[:MOST_READ]
        most[str(layer)] = {str(shares["sender"].values[u]): round(float(share[u]), 6) for u in order if share[u] > 0}
    return most


def answers_of(network: "BlockModel", sample: "BlockSet", intervention: "Intervention") -> list[dict[str, Any]]:
    """Return the digits of the output blocks after every iteration, beside the right ones."""
    import torch

    from routescope.api.samples import right_digits
    from routescope.nn.blocks.network import BlockModel

    view, config = intervention.apply(network), network.config
    assert isinstance(view, BlockModel)
    most = config.iterations if intervention.iterations is None else intervention.iterations
    counts = range(1, most + 1)
    right = right_digits(sample, counts)
    if right is None:
        right = [(int(sample.labels[0]),)] * len(counts)
    rows = []
    for iteration, correct in zip(counts, right, strict=True):
        with torch.no_grad():
            blocks = view.run(sample.inputs([0]).to(view.device), iteration)[0]
        answer = blocks[:, : config.classes].argmax(dim=-1).tolist()
        subtask = int(sample.program[0, (iteration - 1) % sample.program.shape[1]])
        rows.append(
            {
                "iteration": iteration,
                "subtask": sample.task.subtasks[subtask],
                "digits": dict(zip(config.outputs, answer, strict=True)),
                "right": dict(zip(config.outputs, correct, strict=True)),
            }
        )
    return rows


def made_of(trace: "Trace") -> dict[str, list[dict[str, Any]]]:
    """Return for each step the blocks of the first sample: their gates, and their sources, the largest first."""
    if not {"multiplexer_weights", "gates"} <= set(trace.dataset):
        return {}
    from routescope.routing.blocks.making import making

    table = making(trace)
    result: dict[str, list[dict[str, Any]]] = {}
    for (step, block), rows in table.groupby(["step", "block"], sort=False):
        sources = {source: round(float(weight), 6) for source, weight in zip(rows.source, rows.weight, strict=True)}
        gate = round(float(rows.gate.iloc[0]), 6)
        result.setdefault(str(step), []).append({"block": block, "gate": gate, "sources": sources})
    return result


def in_words(row: dict[str, Any]) -> str:
    """Return whether a block is computed, copied, or both."""
    from routescope.routing.blocks.indicators import COMPUTED_ABOVE, COPIED_BELOW

    routed = " + ".join(
        f"{source} {percent(share)}" for source, share in row["sources"].items() if share >= LEAST_SHARE
    )
    if row["gate"] > COMPUTED_ABOVE:
        return f"computed (gate {row['gate']:.2f})"
    if row["gate"] < COPIED_BELOW:
        return f"routed from {routed or 'nothing'} (gate {row['gate']:.2f})"
    return f"computed at a gate of {row['gate']:.2f}, else routed from {routed or 'nothing'}"


def _print(facts: dict[str, Any], info: "ModelInfo", sample: "OneSample") -> None:
    several = sample.blocks is not None and len(sample.blocks.task.outputs) > 1  # each output has its own label
    has_label = sample.label is not None and sample.label < len(info.labels) and not several
    labelled = f", labelled {info.labels[sample.label or 0]}" if has_label else ""
    out.print(f"[bold]{escape(sample.name)}[/]{labelled}")
    if sample.sentence is not None:
        out.print(escape(sample.sentence))
    if facts.get("tokens_left_out"):
        out.print(
            f"The text is longer than the context: its last {facts['tokens_left_out']:,} tokens "
            f"({facts['bytes_left_out']:,} bytes) are left out. Use a larger --context, if the model has one, or a "
            "shorter text.",
            soft_wrap=True,
        )
    for name, introduction in NOTES.items():
        if name in facts:
            out.print(f"{introduction}: {escape(facts[name])}.", soft_wrap=True)
    if "numbers" in facts:
        out.print(_numbers_table(facts["numbers"]))
    elif not several and facts["predictions"]:
        out.print(_predictions_table(facts["predictions"], info))
    if facts["dominant"]:
        steps = _table("step", "tokens by their dominant unit")
        for step, counts in facts["dominant"].items():
            steps.add_row(step, "  ".join(f"{unit} {count}" for unit, count in counts.items()))
        out.print(steps)
    if facts["most_read"]:
        layers = _table("step", "units by the share of attention that is on them")
        for step, shares in facts["most_read"].items():
            layers.add_row(step, "  ".join(f"{unit} {percent(share)}" for unit, share in shares.items()))
        out.print(layers)
    if sample.blocks is not None:
        _print_blocks(sample.blocks, facts["answers"], facts["made_of"])


def _table(*heads: str) -> Table:
    return Table(*heads, box=None, header_style="bold")


def _numbers_table(rows: list[dict[str, Any]]) -> Table:
    table = _table("head", "network", "expression", "off by")
    for row in rows:
        right = row["right"]
        compared = ("", "") if right is None else (f"{right:.4f}", f"{abs(row['network'] - right):.4f}")
        table.add_row(row["domain"], f"{row['network']:.4f}", *compared)
    return table


def _predictions_table(predictions: list[dict[str, Any]], info: "ModelInfo") -> Table:
    """Return a table in which heads with equal answers share a row."""
    heads: dict[tuple[float, ...], list[dict[str, Any]]] = {}
    for prediction in predictions:
        heads.setdefault(tuple(prediction["probabilities"]), []).append(prediction)
    table = _table("head", "prediction", "probability")
    for equal in heads.values():
        domains = ", ".join(prediction["domain"] for prediction in equal)
        table.add_row(domains, info.labels[equal[0]["label"]], percent(equal[0]["probability"]))
    return table


def _print_blocks(sample: Any, answers: list[dict[str, Any]], made_of: dict[str, list[dict[str, Any]]]) -> None:
    """Print the answers after every iteration, and the sources of each block."""
    if sample.digits is not None:
        values = zip(sample.task.values, sample.digits[0].tolist(), strict=True)
        out.print("  ".join(f"{name} = {digit}" for name, digit in values))
    table = _table("iteration", "subtask", "answer", "right")
    for row in answers:
        wrong = [name for name, digit in row["digits"].items() if digit != row["right"][name]]
        answer = "  ".join(f"{name} {digit}" for name, digit in row["digits"].items())
        right = ", ".join(f"{name} is {row['right'][name]}" for name in wrong)
        table.add_row(str(row["iteration"]), row["subtask"], answer, f"no: {right}" if wrong else "yes")
    out.print(table)
    if made_of:
        steps = _table("step", "block", "what it is")
        for step, rows in made_of.items():
            for number, row in enumerate(rows):
                steps.add_row("" if number else step, row["block"], in_words(row))
        out.print(steps)
