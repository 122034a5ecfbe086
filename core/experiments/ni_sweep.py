"""ni-sweep: a random sweep over the hyper-parameters of Neural Interpreters (paper: Table 6, Figures 11 to 16).

Every trial draws its hyper-parameters from Table 6, is trained on the digits and scored on the validation set of each
domain. What a trial draws depends on the sweep's seed and the trial's number alone. Trials run beside each other as
trials of Ray Tune, on this machine or on the cluster that ``ROUTESCOPE_RAY_ADDRESS`` names; each is one measurement of
the run. The paper trains 100 networks of Table 4's size for 100 epochs, which takes GPUs for days: what is smaller here
is in the record's settings, and beside print in its table ``scaled``.
"""

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, fields, replace
from typing import Any

from core.data import Dataset
from core.experiments.frame import Context, Experiment, Figure, Outcome, PaperFigure
from core.nn.interpreter.config import NeuralInterpreterConfig
from core.training.recipes.networks import NI_DIGITS_PRINTED, PRINTED_SETTINGS
from core.training.settings import TrainingSettings
from core.training.sweeps.running import run_trials
from core.training.sweeps.space import Choice, Distribution, Uniform, choice, drawn
from core.training.sweeps.trial import SweepData, SweepTrial
from core.training.tasks.mixture import digits_mixture

ARCHITECTURE = "neural_interpreter"

#: Table 6, row by row.
TABLE_6: tuple[Distribution, ...] = (
    Uniform("tau", 0.7, 1.7),
    choice("type_features", [4 * i for i in range(2, 13)]),
    choice("functions", [1, 2, 3, 4, 5]),
    Choice(("scripts", "iterations", "locs"), ((2, 2, 2), (2, 4, 1), (4, 2, 1), (1, 8, 1))),
    choice("frozen_signatures", [True, False]),
    choice("frozen_codes", [True, False]),
    choice("frozen_patch_embeddings", [True, False]),
)


@dataclass(frozen=True)
class Settings:
    """A sweep and how its trials are trained.

    Attributes:
        trials: how many (paper: 100).
        seed: of what trials draw; trial k trains with seed k.
        network: every size that the sweep does not draw.
        training: of each trial; its seed is not used.
        street: street digits that are rendered for training where no real ones are given.
        limit: samples of each validation set that are scored; None for all of them.
        threads: of the processor for each trial.
    """

    network: NeuralInterpreterConfig
    training: TrainingSettings
    trials: int = 100
    seed: int = 0
    street: int = 4_000
    limit: int | None = None
    threads: int = 1


#: As printed: Table 4 with what Table 6 varies.
FULL = Settings(NI_DIGITS_PRINTED, PRINTED_SETTINGS, street=60_000)
#: For two cores: 16 tokens instead of 64, narrower, and few steps, without augmentation.
PART = Settings(
    NeuralInterpreterConfig(
        features=32,
        code_features=32,
        heads=2,
        key_features=16,
        type_inference_width=32,
        position_features=16,
        tokenizer="convolutional",
        patch_size=8,
    ),
    TrainingSettings(
        steps=900,
        batch_size=32,
        learning_rate=4e-3,
        least_learning_rate=4e-5,
        decay_share=1.0,
        augment=False,
        precision="32-true",
        accelerator="cpu",
        devices=1,
    ),
)
QUICK = replace(PART, trials=12, training=replace(PART.training, steps=150), limit=300)


def settings(quick: bool) -> Settings:
    """All trials at a budget for two cores, or a few of them that hardly learn."""
    return QUICK if quick else PART


def full() -> Settings:
    """The printed sizes and epochs."""
    return FULL


def trials_of(chosen: Settings) -> list[SweepTrial]:
    """Every trial of a sweep, as data."""
    found = []
    for number in range(chosen.trials):
        values = drawn(TABLE_6, chosen.seed, number)
        config = replace(chosen.network, **values)  # type: ignore[arg-type]
        training = replace(chosen.training, seed=number)
        found.append(SweepTrial(number, values, ARCHITECTURE, asdict(config), asdict(training), chosen.threads))
    return found


def run(context: Context) -> Outcome:
    """Train and score every trial that is not measured yet.

    Raises:
        ClusterError: trials cannot run where they are to.
    """
    chosen: Settings = context.settings
    context.seeds["sweep"], context.seeds["first trial"] = chosen.seed, 0
    domains = chosen.network.domains
    for domain in domains:  # so that the record says what they are; below they are loaded again, as one mixture
        rendered = chosen.street if domain == "street-digits" and domain not in context.sources else None
        context.data(domain, "train", rendered)
    sets = tuple(context.data(domain, "validation", chosen.limit) for domain in domains)
    trials = trials_of(chosen)
    context.expect(len(trials))
    found = {trial.number: context.known(trial.name) for trial in trials}
    left = [trial for trial in trials if found[trial.number] is None]

    def done(trial: SweepTrial, result: dict[str, Any], seconds: float) -> None:
        found[trial.number] = context.keep(trial.name, result, seconds)

    mixture = digits_mixture(context.sources, domains, street=chosen.street)
    run_trials(left, SweepData(mixture, sets), done, context.underway)
    rows = [row_of(trial, result) for trial in trials if (result := found[trial.number]) is not None]
    training = [{"what": what, "count": count} for what, count in mixture.parts]
    return Outcome(summarised(rows, sets), {"trials": rows, "training": training, "scaled": scaled(chosen)})


def row_of(trial: SweepTrial, result: Mapping[str, Any]) -> dict[str, Any]:
    """A row of the table of trials: what was drawn, and the validation accuracy on each domain and their mean."""
    accuracies = result["accuracy"]
    return {
        "trial": trial.number + 1,
        **trial.drawn,
        "seed": trial.training.seed,
        "parameters": result["parameters"],
        "learned": result["learned"],
        "loss": result["loss"],
        **accuracies,
        "mean": sum(accuracies.values()) / len(accuracies),
        "seconds": result["seconds"],
    }


def scaled(chosen: Settings) -> list[dict[str, Any]]:
    """What differs from print, beside print."""
    pairs = ((chosen.network, FULL.network), (chosen.training, FULL.training), (chosen, FULL))
    return [
        {"what": field.name, "here": getattr(own, field.name), "printed": getattr(printed, field.name)}
        for own, printed in pairs
        for field in fields(own)
        if field.name not in ("network", "training") and getattr(own, field.name) != getattr(printed, field.name)
    ]


def summarised(rows: Sequence[Mapping[str, Any]], sets: Sequence[Dataset]) -> list[Figure]:
    """Figures of the sweep."""
    return []


EXPERIMENT = Experiment(
    id="ni-sweep",
    title="A random sweep over hyper-parameters",
    paper_reference="Dynamic Inference with Neural Interpreters (NeurIPS 2021), Table 6, Figures 11 to 16, appendix C.3",
    paper_figures=(PaperFigure("validation accuracy by hyper-parameter", None, "Densities and box plots."),),
    settings=settings,
    run=run,
    full=full,
)
