"""Model cards: what a model was trained on, what it reaches, and what it never saw."""

import json
import platform
import re
from collections.abc import Mapping
from contextlib import suppress
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Protocol

import numpy as np
import torch
from jaxtyping import Bool

from routescope.data import NoSplit, known_datasets, load
from routescope.data.blocks.tasks import ALGO
from routescope.data.samples import Samples
from routescope.nn.config import Config
from routescope.nn.network import Network
from routescope.nn.registry import ARCHITECTURES, architecture_of
from routescope.routing import Intervention, Scores
from routescope.routing.caused.effects import by_kind
from routescope.routing.caused.scores import evaluate
from routescope.routing.trace import library_versions
from routescope.zoo import checkpoint

#: Sizes that a card tells, of those that a config has, in this order.
SIZES = {
    "functions": "{:,} functions",
    "modules": "{:,} modules",
    "readouts": "{:,} read-out modules",
    "scripts": "{:,} script(s)",
    "locs": "{:,} line(s) of code",
    "iterations": "{:,} iterations",
    "block_size": "blocks of {:,} numbers",
    "depth": "{:,} hidden levels",
    "width": "levels of {:,} blocks",
    "layers": "{:,} layers",
    "experts": "{:,} experts a layer",
    "top_k": "of which a token takes {:,}",
    "hidden": "{:,} hidden units a layer",
    "features": "{:,} features",
    "code_features": "{:,} code features",
    "signature_features": "{:,} signature features",
    "heads": "{:,} heads",
    "ffn_hidden": "{:,} hidden units",
    "modulation": "modulation: {}",
    "links": "links: {}",
    "prior": "prior: {}",
    "truncation": "no link beyond a cosine distance of {}",
    "pictures": "{:,} pictures a statement",
    "sees": "sees: {}",
    "attention": "attention: {}",
    "context": "FNNRs read the sources too: {}",
    "internal": "internal dimension {:,}",
    "shuffle_seed": "numbers permuted before each iteration, seed {}",
    "text": "text encoder: {}",
    "text_features": "{:,} text features",
    "generator_features": "{:,} generator features",
    "tokenizer": "tokenizer: {}",
    "patch_size": "patches of {0} x {0} pixels",
}
#: Sizes that some architectures mean otherwise.
SIZES_OF = {
    "mixture": {"hidden": "{:,} hidden units an expert", "context": "texts of up to {:,} bytes"},
    "wren": {"depth": "relations of {:,} layers", "relation_features": "{:,} features a relation"},
}
#: Sizes that say nothing of a network with this tokenizer.
NOT_OF = dict.fromkeys(("numbers", "points", "symbols", "bytes", "listops"), ("patch_size",))
#: Sizes that some architectures have and do not use.
UNUSED_BY = {"matrix_transformer": ("patch_size", "tokenizer"), "matrix_interpreter": ("patch_size",)}
OPTIMIZERS = {"radam": "RAdam", "adamw": "AdamW", "adam": "Adam", "shampoo": "Shampoo"}
#: How a card tells what pictures went through, by ``TrainingSettings.augment``.
AUGMENTED = {True: "augmentation on", False: "augmentation off", "randaugment": "RandAugment"}
#: Settings of training that a card tells, of those that are there and not 0, normal or mean, in this order.
TRAINING = {
    "mixup": "MixUp {:g}",
    "cutmix": "CutMix {:g}",
    "weight_decay": "weight decay {:g}",
    "gradient_clipping": "gradients clipped at {:g}",
    "routing_weight": "weight of the mutual information of unit and token in the objective {:g}",
    "balance_weight": "weight of the load-balancing loss in the objective {:g}",
    "graph_weight": "weight of the Graph Structure Regularizer in the objective {:g}",
    "graph_reduction": "{} of squared distances in the regulariser",
    "initial_signatures": "signatures {} at the start",
}


class ScoredTask(Protocol):
    """Facts about a kind of training data for a card, such as ``routescope.training.tasks.task.Task``.

    Attributes:
        samples: the word for samples.
        augments: whether it is said if they were augmented.
    """

    @property
    def samples(self) -> str: ...
    @property
    def augments(self) -> bool: ...

    def scored(self, config: Any, sources: Mapping[str, str]) -> list[tuple[str, Samples]]:
        """The sets that are scored, with words for each."""
        ...

    def held_out(self, config: Any) -> tuple[str, ...]:
        """Domains that training never saw."""
        ...

    def left_out(self, data: Samples) -> Bool[np.ndarray, " sample"]:
        """Return a mask of the samples whose combinations training leaves out."""
        ...

    def beyond(self, config: Any) -> tuple[int, ...]:
        """Numbers of iterations that the test split is scored after too."""
        ...

    def not_shown(self, config: Any, sources: Mapping[str, str]) -> str:
        """Data that training has not seen, in words."""
        ...

    def on_intervals(self, config: Any) -> str | None:
        """Why intervals are narrower than they should be, where they are."""
        ...


def held_back(name: str, source: str | None, **options: Any) -> list[Samples]:
    """The splits of statements, or of blocks, that are scored: ``validation``, and ``test`` where there is one."""
    splits: list[Samples] = [load(name, "validation", source, **options)]
    with suppress(NoSplit):
        splits.append(load(name, "test", source, **options))
    return splits


def write(
    folder: Path, name: str, sources: Mapping[str, str], facts: Mapping[str, Any], kind: ScoredTask
) -> dict[str, Any]:
    """Score the checkpoint in a folder and write ``card.json`` and a ``README.md`` that people read.

    Args:
        facts: ``settings``, ``epochs``, ``training_data``, ``notes`` (sentences) and whatever else the training
            wants to say.
        kind: of data that it was trained on, which says what is scored.
    """
    model = checkpoint.load(folder / "model.safetensors")
    card = {
        "name": name,
        "architecture": architecture_of(model),
        "config": json.loads(model.config.to_json()),
        "parameters": sum(p.numel() for p in model.parameters()),
        "revision": model.revision,
        "data": list(dict.fromkeys(part["what"] for part in facts["training_data"])),
        "accuracies": accuracies(model, sources, kind),
        "not_trained_on": not_trained_on(model, sources, kind),
        "date": datetime.now(UTC).date().isoformat(),
        "versions": library_versions(),
        "machine": f"{platform.machine()}, {torch.get_num_threads()} CPU threads"
        + (f", {torch.cuda.get_device_name()}" if torch.cuda.is_available() else ""),
        **facts,
    }
    keep(folder, card, kind, model.config)
    return card


def keep(folder: Path, card: Mapping[str, Any], kind: ScoredTask, config: Config) -> None:
    """Write a card for programs and for people into the folder of its checkpoint."""
    (folder / "card.json").write_text(json.dumps(card, separators=(",", ":")) + "\n")
    (folder / "README.md").write_text(for_people(card, kind, config))


def for_people(card: Mapping[str, Any], kind: ScoredTask, config: Config) -> str:
    """The card of a network that was trained on this kind of data, as Markdown."""
    return as_markdown(card, kind.samples, kind.augments, kind.on_intervals(config))


def accuracies(model: Network, sources: Mapping[str, str], kind: ScoredTask) -> list[dict[str, Any]]:
    """Return the accuracy on every scored set, on left-out samples, and after other numbers of iterations."""
    entries, held_out = [], kind.held_out(model.config)
    for words, data in kind.scored(model.config, sources):
        result = evaluate(model, data)
        left_out = kind.left_out(data)
        entry = {"domain": data.domain, "data": words, "stand_in": data.stand_in}
        entries.append(
            {
                **entry,
                "held_out": data.domain in held_out or bool(len(left_out) and left_out.all()),
                **_figure(result),
                **({"by_kind": kinds} if (kinds := _by_kind(data, result)) else {}),
            }
        )
        if left_out.any() and not left_out.all():
            some = {**entry, "data": f"{words}: combinations that training leaves out", "held_out": True}
            entries.append({**some, **_figure(result.take(left_out))})
        for iterations in kind.beyond(model.config) if data.split == "test" else ():
            beyond = evaluate(model, data, Intervention(iterations=iterations))
            ran = {**entry, "data": f"{words}, {iterations} iteration{'s' * (iterations > 1)}", "held_out": True}
            entries.append({**ran, **_figure(beyond)})
    return entries


def not_trained_on(model: Network, sources: Mapping[str, str], kind: ScoredTask) -> str:
    """Data that training has not seen and the held-out domains, in words."""
    shown, held_out = kind.not_shown(model.config, sources), kind.held_out(model.config)
    if held_out:
        given = {name: source for name, source in sources.items() if not known_datasets()[name].in_gallery}
        titles = ", ".join(load(domain, "validation", given.get(domain)).title for domain in held_out)
        shown += f" Nothing of the domains that are held out: {titles}. Accuracies on them are out of distribution."
    return shown


#: What chance comes to on ALGO: most of its variables stay what they were.
COPYING = "Chance, copying the best input block to every output, is right at {share:.2%} after {iterations} iterations."


def _counted(words: str) -> str:
    """Return a count with its noun, which is in the singular after 1: ``1 layer``."""
    return re.sub(r"^1 (.*?)s(?= |$)", r"1 \1", words)


def _figure(scores: Scores) -> dict[str, Any]:
    """The figure of some scores, under ``accuracy`` whatever the measure; of another one its name is said."""
    (low, high), measure = scores.interval, scores.measure
    figure = {"accuracy": scores.figure, "low": low, "high": high, "count": scores.count}
    if measure.share:
        return figure
    return {**figure, "measure": measure.name, "higher_is_better": measure.higher_is_better}


def _by_kind(data: Samples, scores: Scores) -> list[dict[str, Any]]:
    """Accuracies by kind; nothing of samples without kinds, or by a measure that calls none right or wrong."""
    return by_kind(data, scores.correct) if scores.measure.share else []


def figures(entry: Mapping[str, Any], *names: str) -> list[str]:
    """Figures of an entry of ``accuracies``, as people read them: shares in percent, others without a unit."""
    return [f"{entry[name]:.3f}" if entry.get("measure") else f"{entry[name]:.2%}" for name in names]


def _stored(stored: Mapping[str, Any]) -> list[str]:
    """The section on weights that were rounded after the training, with the figures before and after."""
    return [
        "",
        "## Stored as 8-bit integers",
        "",
        f"The numbers of its large matrices are 8-bit integers with a scale for each row, in {stored['bytes']:,} bytes "
        f"instead of {stored['bytes_before']:,}. All that is said above was measured with them, on {stored['date']}. "
        f"With the weights as they were before (revision `{stored['revision_before']}`) the same samples gave:",
        "",
        "| scored on | before | 95 % interval before | now |",
        "| --- | --- | --- | --- |",
        *(
            "| {} | {} | {} to {} | {} |".format(figure["what"], *figures(figure, "before", "low", "high", "now"))
            for figure in stored["figures"]
        ),
    ]


#: How intervals were made, by whether figures are shares.
INTERVALS = {
    True: "Intervals are Wilson score intervals of the share of correct samples.",
    False: "Intervals are percentile intervals of the bootstrap over samples.",
}


def _measured(card: Mapping[str, Any]) -> str:
    """The measure of the figures of a card; a network has one measure."""
    return next((entry["measure"] for entry in card["accuracies"] if "measure" in entry), "accuracy")


def as_markdown(
    card: Mapping[str, Any], samples: str = "images", augments: bool = True, on_intervals: str | None = None
) -> str:
    """The card for people.

    Args:
        samples: the word for what was trained on.
        augments: whether to say if it was augmented.
        on_intervals: a sentence on the intervals.
    """
    config, settings = card["config"], card["settings"]
    words_of = {**SIZES, **SIZES_OF.get(card["architecture"], {})}
    silent = (*NOT_OF.get(str(config.get("tokenizer")), ()), *UNUSED_BY.get(card["architecture"], ()))
    shown = [name for name in words_of if config.get(name) is not None and name not in silent]
    sizes = [_counted(words_of[name].format(config[name])) for name in shown]
    family = ARCHITECTURES[card["architecture"]].family
    article = "An" if family.startswith("SMFR") else "A"
    aims = {name: words for name, words in TRAINING.items() if settings.get(name) not in (None, 0, "normal", "mean")}
    trained = [words.format(settings[name]) for name, words in aims.items()]
    lines = [
        f"# {card['name']}",
        "",
        f"{article} {family} with {card['parameters']:,} parameters: {', '.join(sizes)}. "
        f"Revision `{card['revision']}`.",
        "",
        f"| scored on | {_measured(card)} | 95 % interval | samples |",
        "| --- | --- | --- | --- |",
    ]
    lines += [
        f"| {a['data']}{' (stand-in)' if a['stand_in'] else ''}{', held out' if a.get('held_out') else ''} | "
        "{} | {} to {} | ".format(*figures(a, "accuracy", "low", "high"))
        + f"{a['count']:,} |"
        for a in card["accuracies"]
    ]
    if any(entry["domain"] == ALGO.name for entry in card["accuracies"]):
        lines += ["", COPYING.format(iterations=ALGO.iterations, share=ALGO.copied())]
    for scored in card["accuracies"]:
        if "by_kind" in scored:
            kind = "kind of statement" if samples == "statements" else "kind"
            lines += ["", f"| {scored['data']}, {kind} | accuracy | 95 % interval | samples |"]
            lines += ["| --- | --- | --- | --- |"]
            lines += [
                f"| {k['kind']} | {k['accuracy']:.2%} | {k['low']:.2%} to {k['high']:.2%} | {k['count']:,} |"
                for k in scored["by_kind"]
            ]
    lines += ["", INTERVALS["measure" not in card["accuracies"][0]]] if card["accuracies"] else []
    if on_intervals is not None:
        lines += ["", on_intervals]
    lines += _stored(card["stored"]) if "stored" in card else []
    lines += ["", "## Trained on", ""]
    lines += [
        f"* {part['what']}" + ("" if part["count"] is None else f": {part['count']:,} {samples}")
        for part in card["training_data"]
    ]
    epochs = "drawn anew" if card["epochs"] is None else f"{card['epochs']} epochs"
    falls = settings["least_learning_rate"] != settings["learning_rate"]
    falling = f" falling by a cosine to {settings['least_learning_rate']:g}" if falls else ""
    augmented = f", {AUGMENTED[settings['augment']]}" if augments else ""
    lines += [
        "",
        f"{settings['steps']:,} steps of {settings['batch_size']} {samples} ({epochs}), "
        f"{OPTIMIZERS[settings.get('optimizer', 'radam')]}, learning rate {settings['learning_rate']:g}{falling}, "
        f"{settings['precision']}, seed {settings['seed']}{augmented}{''.join(f', {words}' for words in trained)}; "
        f"{card['date']}, {card['machine']}.",
        "",
        *(f"{note}\n" for note in card.get("notes", ())),
        "## Never trained on",
        "",
        card["not_trained_on"],
        "",
    ]
    return "\n".join(lines)
