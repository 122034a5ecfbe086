"""``routescope trace``: record the routing of one sample into a file."""

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
from rich.table import Table

from routescope.api import names
from routescope.cli import blocks
from routescope.cli import options as opt
from routescope.cli.console import (
    escape,
    explained,
    fail,
    opened,
    out,
    print_json,
    read_intervention,
    with_units,
)
from routescope.cli.inputs import InputSample, blocks_of, picture_of, pictures, sample_of, text_of, written
from routescope.nn.shown import percent

if TYPE_CHECKING:
    from routescope.nn.blocks.network import BlockModel
    from routescope.nn.network import Network
    from routescope.routing import Intervention, Trace
    from routescope.zoo import ModelInfo

#: Attributes of a trace that limit it, and how each is introduced.
NOTES = {"unverified_routing": "Unverified routing", "tokenizer": "Tokens do not spell all bytes"}
#: How many of the units that are read most are told.
MOST_READ = 5

#: The options of its own.
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
    drop: opt.Drop = None,
    mute: opt.Mute = None,
    iterations: opt.Iterations = None,
    keep_edges: opt.KeepEdges = None,
    mute_routes: opt.MuteRoutes = None,
    copy_routes: opt.CopyRoutes = None,
    gates: opt.Gates = None,
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
    from routescope.nn.blocks.network import BlockModel
    from routescope.routing.recording import default_fields
    from routescope.routing.trace import dominant_units

    if output is not None and not output.resolve().parent.is_dir():
        fail(f"the folder of {output} does not exist; give a file in one that does.")
    with explained():
        network = opened(model, context)
        info = zoo.info(network.id)
        if iterations is None and program is not None:
            iterations = len(names(program)) or None
        routing = {"mute_routes": mute_routes, "copy_routes": copy_routes, "gates": gates}
        intervention = read_intervention(drop, mute, iterations, keep_edges=keep_edges, **routing)
        intervention = with_units(intervention, network, split)
        recorded = default_fields(network) if fields is None else names(fields)
        unknown = sorted(set(recorded) - set(info.fields))
        if unknown:
            fail(f"{info.id} has no field {', '.join(unknown)}; it has {', '.join(info.fields)}.")
        if isinstance(network, BlockModel):
            if any(given is not None for given in (image, left, right, sentence, text)):
                fail(f"{info.id} reads blocks: give --digits DIGITS --program SUBTASKS, or --index.")
            sample = _block_sample(network, data, split, index, digits, program)
        else:
            if digits is not None or program is not None:
                fail(f"{info.id} reads {info.inputs} and no digits with a program: leave --digits and --program out.")
            if text is not None:
                sample = text_of(info, network, text)
            elif numbers is not None:
                sample = written(info, network, data, numbers)
            else:
                sample = _sample(info, network, data, split, index, image, sentence, left, right)
        found = record(network, sample.inputs, fields=recorded, intervention=intervention, sample_ids=[sample.name])
        if output is not None:
            found.save(output)
    answered = []
    if isinstance(network, BlockModel) and sample.blocks is not None:
        answered = blocks.answers(network, sample.blocks, intervention)
    tokens = network.tokens_of(network.as_inputs(sample.inputs))
    count = None if tokens.mask is None else int(tokens.mask[0].sum())
    told = SampleReport(
        info, sample, intervention, _predictions(found, network), found.numbers()[0], dominant_units(found, count),
        most_read_units(found), answered, blocks.made_of(found), left_out(found), notes_of(found),
    )  # fmt: skip
    if as_json:
        shapes = {name: list(found.dataset[name].shape) for name in recorded if name in found.dataset}
        print_json(told.as_json() | {"fields": shapes, "output": str(output) if output is not None else None})
        return
    told.print()
    if output is not None:
        out.print(f"Wrote {output}", style="dim", highlight=False)


def _predictions(found: "Trace", network: "Network") -> dict[str, list[float]]:
    """By domain, the probability of every label; empty where heads answer with something else."""
    from routescope.nn.network import LABEL_AXES

    if found.numbers()[0] or network.answer_axes != LABEL_AXES:
        return {}
    predictions = found.predictions()[0].items()
    return {domain: [round(float(share), 6) for share in shares] for domain, shares in predictions}


@dataclass(frozen=True)
class SampleReport:
    """What is told of a recorded sample.

    Attributes:
        predictions: by domain, the probability of every label; empty where heads answer with something else.
        numbers: by domain, the number that its head answers; empty where heads answer with something else.
        dominant: as dominant_units gives it.
        most_read: as most_read_units gives it.
        answered: of a sample of blocks, what the network answered after every iteration.
        made_of: of a sample of blocks, by step what each block is made of.
        left_out: of a text, the tokens and bytes at its end that are not recorded.
        notes: as notes_of gives them.
    """

    info: "ModelInfo"
    sample: InputSample
    intervention: "Intervention"
    predictions: dict[str, list[float]]
    numbers: dict[str, float]
    dominant: dict[str, dict[str, int]]
    most_read: dict[str, dict[str, float]]
    answered: list[dict[str, Any]]
    made_of: dict[str, list[dict[str, Any]]]
    left_out: dict[str, int]
    notes: dict[str, str]

    def as_json(self) -> dict[str, Any]:
        """The same as numbers and names."""
        info, sample = self.info, self.sample
        of_blocks = {} if sample.blocks is None else {"answers": self.answered, "made_of": self.made_of}
        return {
            "model": info.id,
            "revision": info.revision,
            "sample": sample.name,
            "label": sample.label,
            **({} if sample.sentence is None else {"sentence": sample.sentence}),
            **({"numbers": self._numbers()} if self.numbers else {}),
            "intervention": self.intervention.to_dict(),
            "predictions": [
                {"domain": domain, "label": _best(values), "probability": max(values), "probabilities": values}
                for domain, values in self.predictions.items()
            ],
            "dominant": self.dominant,
            "most_read": self.most_read,
            **self.left_out,
            **self.notes,
            **of_blocks,
        }

    def _numbers(self) -> list[dict[str, Any]]:
        """What every head answers, beside what its data set has as right."""
        return [
            {"domain": domain, "network": value, "right": self.sample.right.get(domain)}
            for domain, value in self.numbers.items()
        ]

    def _print_numbers(self) -> None:
        table = Table("head", "network", "expression", "off by", box=None, header_style="bold")
        for each in self._numbers():
            right = each["right"]
            known = ("", "") if right is None else (f"{right:.4f}", f"{abs(each['network'] - right):.4f}")
            table.add_row(each["domain"], f"{each['network']:.4f}", *known)
        out.print(table)

    def print(self) -> None:
        """Print tables of it."""
        info, sample = self.info, self.sample
        heads = Table("head", "prediction", "probability", box=None, header_style="bold")
        for domains, values in same_answers(self.predictions).items():
            heads.add_row(domains, info.labels[_best(values)], percent(max(values)))
        several = (
            sample.blocks is not None and len(sample.blocks.task.outputs) > 1
        )  # each has its own answer, told below
        has_label = sample.label is not None and sample.label < len(info.labels) and not several
        labelled = f", labelled {info.labels[sample.label or 0]}" if has_label else ""
        out.print(f"[bold]{escape(sample.name)}[/]{labelled}", highlight=False)
        if sample.sentence is not None:
            out.print(escape(sample.sentence), highlight=False)
        if self.left_out.get("tokens_left_out"):
            tokens, content = self.left_out["tokens_left_out"], self.left_out["bytes_left_out"]
            out.print(
                f"The text is longer than the context: its last {tokens:,} tokens ({content:,} bytes) are left out. "
                "Use a larger --context, if the model has one, or a shorter text.",
                highlight=False,
                soft_wrap=True,
            )
        for name, note in self.notes.items():
            out.print(f"{NOTES[name]}: {escape(note)}.", highlight=False, soft_wrap=True)
        if self.numbers:
            self._print_numbers()
        elif not several and self.predictions:
            out.print(heads)
        if self.dominant:
            steps = Table("step", "tokens by their dominant unit", box=None, header_style="bold")
            for step, counts in self.dominant.items():
                steps.add_row(step, "  ".join(f"{unit} {count}" for unit, count in counts.items()))
            out.print(steps)
        if self.most_read:
            layers = Table("step", "units by the share of attention that is on them", box=None, header_style="bold")
            for step, shares in self.most_read.items():
                layers.add_row(step, "  ".join(f"{unit} {percent(share)}" for unit, share in shares.items()))
            out.print(layers)
        if sample.blocks is not None:
            _print_blocks(sample.blocks, self.answered, self.made_of)


def _print_blocks(sample: Any, answered: list[dict[str, Any]], made_of: dict[str, list[dict[str, Any]]]) -> None:
    """What the network answered after every iteration, and what each of its blocks is made of."""
    if sample.digits is not None:
        given = zip(sample.task.values, sample.digits[0].tolist(), strict=True)
        out.print("  ".join(f"{name} = {digit}" for name, digit in given), highlight=False)
    table = Table("iteration", "subtask", "answer", "right", box=None, header_style="bold")
    for row in answered:
        wrong = [name for name, digit in row["digits"].items() if digit != row["right"][name]]
        told = "  ".join(f"{name} {digit}" for name, digit in row["digits"].items())
        right = ", ".join(f"{name} is {row['right'][name]}" for name in wrong)
        table.add_row(str(row["iteration"]), row["subtask"], told, f"no: {right}" if wrong else "yes")
    out.print(table)
    if made_of:
        steps = Table("step", "block", "what it is", box=None, header_style="bold")
        for step, rows in made_of.items():
            for place, row in enumerate(rows):
                steps.add_row("" if place else step, row["block"], blocks.in_words(row))
        out.print(steps)


def _block_sample(
    network: "BlockModel",
    data: str | None,
    split: str,
    index: int,
    digits: str | None,
    program: str | None,
) -> InputSample:
    """A sample of a task of blocks: what a person gives, or one of its data, with another program if one is given."""
    if digits is not None:
        return blocks_of(blocks.given(network.config.task, digits, program), "digits given")
    sample = sample_of(data or network.config.task, split, index, network)
    if program is None or sample.blocks is None:
        return sample
    return blocks_of(blocks.with_program(sample.blocks, program), sample.name)


def _sample(
    info: "ModelInfo",
    network: "Network",
    data: str | None,
    split: str,
    index: int,
    image: Path | None,
    sentence: str | None,
    left: Path | None,
    right: Path | None,
) -> InputSample:
    """What is asked for, as the model takes it; ends with one line where the model takes something else."""
    from routescope.data.kinds.kind import kind_of
    from routescope.nn.circuit_config import ConditionalCircuitConfig

    statements, given = info.inputs == "statements", left is not None or right is not None
    if not statements and info.inputs != "images" and (given or image is not None or sentence is not None):
        text = kind_of(network.inputs).text
        own = "" if text is None else "--numbers NUMBERS, or " if text.of_set else "--text TEXT, or "
        fail(f"{info.id} reads {info.inputs}, and no pictures or sentences: give {own}--index.")
    if image is not None and statements:
        fail(f"{info.id} reads statements about pictures: give --sentence TEXT --left FILE --right FILE, or --index.")
    if (given or sentence is not None) and not statements:
        fail(f"{info.id} reads pictures and no sentences: give --image FILE, or --index.")
    if given and isinstance(network.config, ConditionalCircuitConfig):
        count = network.config.pictures
        if count != 2:
            fail(f"{info.id} reads {count} pictures a sentence; give a sample of its data: --index.")
        if left is None or right is None or sentence is None:
            fail("give all three of --sentence TEXT --left FILE --right FILE.")
        return pictures((left, right), sentence, network.config.image_size)
    if image is not None:
        return picture_of(image)
    return sample_of(data or info.domains[0], split, index, network, sentence)


def same_answers(predictions: dict[str, list[float]]) -> dict[str, list[float]]:
    """Predictions by the names of all heads that give them, in the order of the first of them."""
    heads: dict[tuple[float, ...], list[str]] = {}
    for domain, values in predictions.items():
        heads.setdefault(tuple(values), []).append(domain)
    return {", ".join(domains): list(values) for values, domains in heads.items()}


def left_out(found: Any) -> dict[str, int]:
    """Tokens and bytes at the end of a text that are not recorded; empty for samples that are no texts."""
    names = [name for name in ("tokens_left_out", "bytes_left_out") if name in found.dataset.coords]
    return {name: int(found.dataset[name].values[0]) for name in names}


def notes_of(found: Any) -> dict[str, str]:
    """What limits a trace: layers with unverified routing, and what the tokenizer changes of texts."""
    return {name: str(found.dataset.attrs[name]) for name in NOTES if name in found.dataset.attrs}


def most_read_units(found: Any) -> dict[str, dict[str, float]]:
    """For each step, the units that the others read most: their share of all attention, the largest first."""
    if "messages" not in found.dataset:
        return {}
    messages = found.dataset["messages"].isel(sample=0)
    total = messages.sum(["unit", "sender"])
    shares = (messages.sum("unit") / total.where(total > 0, 1)).transpose("layer", "sender")
    result: dict[str, dict[str, float]] = {}
    for layer, share in zip(shares["layer"].values, shares.values, strict=True):
        order = (-share).argsort(kind="stable")[:MOST_READ]
        result[str(layer)] = {str(shares["sender"].values[u]): round(float(share[u]), 6) for u in order if share[u] > 0}
    return result


def _best(probabilities: list[float]) -> int:
    return max(range(len(probabilities)), key=probabilities.__getitem__)
