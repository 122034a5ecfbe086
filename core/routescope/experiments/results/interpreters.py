"""Claims of *Dynamic Inference with Neural Interpreters*."""

from routescope.experiments.results.claims import NI, Claim, Difference, Link, PaperClaims, Repeats, Sampled, Unit
from routescope.experiments.shared.tables import NI_TABLE_1, NI_TABLE_2, NI_TABLES_4_5

SIZES = Difference("parameters of the Neural Interpreter", "", "643,000", of="card.parameters")
FEATURES = Difference("features", "", "192", of="settings.config.features")
DIGITS = {"mnist": "MNIST", "mnist-m": "MNIST-M", "street-digits": "SVHN"}
REGIMES = {
    "neutral": "neutral",
    "interpolation": "interpolation",
    "attribute-pairs": "held-out pairs of attributes",
    "triple-pairs": "held-out pairs of triples",
    "triples": "held-out triples",
    "extrapolation": "extrapolation",
}
#: Architecture and title of a network of digits -> its table.
ARCHITECTURES = {
    ("neural_interpreter", "Neural Interpreter"): "Table 4",
    ("vision_transformer", "Vision Transformer"): "Table 5",
}
MATRICES = {"wren-pgm": "WReN", "vit-pgm": "Vision Transformer", "ni-pgm": "Neural Interpreter"}
#: Numbers of samples of the low-data regime: the lower half of the printed ones, 8 to 8,192, by powers of two.
FEW = (8, 16, 32, 64, 128)


def _boolean(parameters: str, printed: float) -> Claim:
    return Claim(
        f"R2, {parameters}",
        "Table 1",
        printed,
        "fuzzy Boolean functions",
        ("boolean-01",),
        repeats=Repeats("functions", "R2", {"parameters": parameters}),
        sampled=Sampled("R2, mean", {"parameters": parameters}, of="functions"),
        digits=4,
        unit="",
    )


def _digits(architecture: str, network: str, domain: str, source: str, printed: float) -> Claim:
    rows = {"architecture": architecture, "network": network, "domain": domain}
    return Claim(
        f"accuracy of the {network} on {DIGITS[domain]}",
        source,
        printed,
        DIGITS[domain],
        (domain,),
        repeats=Repeats("accuracies", "accuracy", rows),
    )


def _adapts(what: str, source: str, other: str, samples: tuple[int, ...]) -> Claim:
    rows = {"set": "kmnist", "model": "ni-digits"} | ({"samples": samples} if samples else {})
    return Claim(
        what,
        source,
        None,
        "K-MNIST",
        ("kmnist",),
        test="above 0",
        repeats=Repeats("runs", "accuracy", rows, minus={**rows, "model": other}, of="adaptations of one network"),
        any_size=True,
    )


def _matrices(model: str, regime: str, printed: float) -> Claim:
    rows = {"model": model, "regime": regime}
    return Claim(
        f"test accuracy of the {MATRICES[model]}, {REGIMES[regime]}",
        "Table 2",
        printed,
        "Procedurally Generated Matrices",
        (f"pgm-{regime}",),
        repeats=Repeats("trainings", "test", rows),
        sampled=Sampled("accuracy", {"model": MATRICES[model], "regime": REGIMES[regime], "split": "test"}),
    )


def _ahead_on(regime: str, printed: float) -> Claim:
    rows = {"model": "ni-pgm", "regime": regime}
    return Claim(
        f"Neural Interpreter minus Vision Transformer, test, {REGIMES[regime]}",
        "Table 2",
        printed,
        "Procedurally Generated Matrices",
        (f"pgm-{regime}",),
        test="above 0",
        repeats=Repeats("trainings", "test", rows, minus={**rows, "model": "vit-pgm"}),
        any_size=True,
    )


def _pattern(figure: str, what: str, name: str, unit: Unit = "share") -> Claim:
    return Claim(
        what,
        f"Figure {figure}",
        None,
        "MNIST, MNIST-M and SVHN",
        ("street-digits", "mnist-m", "mnist"),
        test=None,
        sampled=Sampled(name, of="runs"),
        unit=unit,
    )


CLAIMS = (
    PaperClaims(
        "ni-boolean",
        "Fuzzy Boolean functions: pre-training on 20, adaptation to 10",
        NI,
        "Table 1 and Appendix B",
        (*(_boolean(parameters, mean) for parameters, (mean, _) in NI_TABLE_1.items()),),
        links=(Link("Routing of ni-boolean", "paths", "ni-boolean"),),
    ),
    PaperClaims(
        "ni-digits",
        "A Neural Interpreter beside a Vision Transformer on three sets of digits",
        NI,
        "section 4.2, Tables 4 and 5, Figure 5c",
        (
            *(
                _digits(architecture, network, domain, source, printed)
                for (architecture, network), source in ARCHITECTURES.items()
                for domain, printed in NI_TABLES_4_5[architecture].items()
            ),
        ),
        (
            Difference(
                "parameters of the Neural Interpreter",
                "",
                "643,000",
                {"networks": ("ni-digits-printed", "vit-digits-printed")},
                of="trainings.parameters",
            ),
            Difference("steps", "", "150,000", of="trainings.steps"),
        ),
        (Link("Routing of ni-digits", "paths", "ni-digits"), Link("Layers of vit-digits", "drop", "vit-digits")),
    ),
    PaperClaims(
        "ni-adapt",
        "Few-sample adaptation: Neural Interpreter, Vision Transformer, and functions drawn anew",
        NI,
        "Figures 5a and 6, C.2.2",
        (
            _adapts(
                "accuracy of the Neural Interpreter minus Vision Transformer, 8 to 128 samples",
                "Figure 5a",
                "vit-digits",
                FEW,
            ),
            _adapts(
                "accuracy with intact functions minus functions drawn anew",
                "Figure 6",
                "ni-digits, functions drawn anew",
                (),
            ),
        ),
        (SIZES, Difference("samples, at most", "", "8,192", of="settings.samples")),
        (Link("Routing of ni-digits", "paths", "ni-digits"),),
    ),
    PaperClaims(
        "ni-extend",
        "Functions added at adaptation; only signatures and codes are trained",
        NI,
        "Figure 5b",
        (
            Claim(
                "accuracy with five functions added minus none added",
                "Figure 5b",
                None,
                "K-MNIST",
                ("kmnist",),
                test="above 0",
                repeats=Repeats(
                    "runs",
                    "accuracy",
                    {"set": "kmnist", "added": 5},
                    minus={"set": "kmnist", "added": 0},
                    of="adaptations of one network",
                ),
                any_size=True,
            ),
        ),
        (
            SIZES,
            Difference("samples", "", "8,192", of="settings.samples"),
            Difference("seeds", "", "6", of="settings.seeds"),
        ),
        (Link("Routing of ni-digits", "paths", "ni-digits"),),
    ),
    PaperClaims(
        "ni-drop",
        "Accuracy against functions dropped at random",
        NI,
        "Figure 5c",
        (
            Claim(
                "accuracy degrades gracefully as functions are dropped",
                "Figure 5c",
                None,
                "SVHN, MNIST-M and MNIST",
                test=None,
                sampled=Sampled("accuracy after random drops", {"domain": "mnist", "dropped": 1}, of="subsets"),
            ),
        ),
        (SIZES,),
        (Link("Drop functions of ni-digits", "drop", "ni-digits"),),
    ),
    PaperClaims(
        "ni-pgm",
        "Matrices: Neural Interpreter, Vision Transformer and WReN by regime",
        NI,
        "section 4.3, Table 2 and Figure 8",
        (
            *(
                _matrices(model, regime, NI_TABLE_2[model][at][1])
                for at, regime in enumerate(REGIMES)
                for model in MATRICES
            ),
            *(
                _ahead_on(regime, round(NI_TABLE_2["ni-pgm"][at][1] - NI_TABLE_2["vit-pgm"][at][1], 3))
                for at, regime in enumerate(REGIMES)
            ),
        ),
        (
            Difference("rules of a matrix", "one or two", "one to four", {"printed": True}),
            Difference(
                "parameters of the Neural Interpreter",
                "",
                "the sizes of Tables 7 to 9",
                {"printed": True},
                of="trainings.parameters",
            ),
            Difference("training matrices of a regime", "", "1,200,000", of="train.count"),
        ),
        (Link("Routing of ni-pgm", "paths", "ni-pgm"),),
    ),
    PaperClaims(
        "ni-anytime",
        "Accuracy against function iterations",
        NI,
        "Figure 8",
        (
            Claim(
                "share of the full test accuracy that stays at half the compute",
                "Figure 8",
                0.7,
                "Procedurally Generated Matrices",
                ("pgm-neutral",),
                test="at least",
                sampled=Sampled("share of the full accuracy at half the iterations", {"domain": "mnist"}),
                any_size=True,
                digits=1,
            ),
        ),
        (SIZES,),
        (Link("Iterations of ni-digits", "drop", "ni-digits", {"iterations": "3"}),),
    ),
    PaperClaims(
        "ni-sweep",
        "A random sweep over hyper-parameters",
        NI,
        "C.3, Table 6, Figures 11 to 16",
        (
            _pattern(
                "11",
                "the best tau and type dimension depend on each other only somewhat",
                "|rank correlation| of τ and d_type in the best tenth",
                unit="",
            ),
            _pattern("12", "most runs with a single function fail", "share of runs with one function that fail"),
            _pattern(
                "12",
                "runs with five functions perform consistently well",
                "share that fails with one function, minus that with five",
            ),
            _pattern(
                "13",
                "frozen signatures can be marginally beneficial",
                "frozen signatures minus learned ones, medians of the best tenth",
            ),
            _pattern(
                "14",
                "more scripts make training steadier",
                "distance between quartiles with one script, minus that with four",
            ),
        ),
        (
            Difference("trials", "", "100", of="settings.trials"),
            Difference("steps of a trial", "", "150,000", of="settings.training.steps"),
            Difference("features", "", "192", of="settings.network.features"),
        ),
    ),
    PaperClaims(
        "ni-types",
        "Types by iteration, learned and fixed at initialisation",
        NI,
        "Figures 4, 17 and 18",
        (
            Claim(
                "silhouette of learned types, last step minus first",
                "Figure 4",
                None,
                "SVHN, MNIST-M and MNIST",
                ("street-digits", "mnist-m", "mnist"),
                test="above 0",
                repeats=Repeats(
                    "clustering",
                    "score",
                    {"routing": "learned", "by": "unit", "step": "s2.i2"},
                    minus={"routing": "learned", "by": "unit", "step": "s1.i1"},
                ),
                any_size=True,
                unit="",
            ),
            Claim(
                "silhouette of the last step, learned minus fixed routing",
                "Figures 17 and 18",
                None,
                "SVHN, MNIST-M and MNIST",
                ("street-digits", "mnist-m", "mnist"),
                test="above 0",
                repeats=Repeats(
                    "clustering",
                    "score",
                    {"routing": "learned", "by": "unit", "step": "s2.i2"},
                    minus={"routing": "fixed at initialisation", "by": "unit", "step": "s2.i2"},
                ),
                any_size=True,
                unit="",
            ),
        ),
        (Difference("steps", "", "150,000", of="settings.training.steps"), FEATURES),
        (Link("Types of ni-digits", "types", "ni-digits"),),
    ),
)
