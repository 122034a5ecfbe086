"""Claims of *Neural Attentive Circuits*, and the names of its ladder."""

from routescope.experiments.results.claims import NAC, Cell, Claim, Difference, Link, PaperClaims, Repeats, Sampled

PICTURES = Difference("pictures", "32x32, of 10 classes", "Tiny-ImageNet, 64x64, of 200")
#: Ids of the models and what they are called.
RUNGS = {
    "perceiver-io": "Perceiver IO",
    "pio-modfc": "+ ModFC",
    "nac-frozen": "+ sparse graph (not learned)",
    "nac-scale-free": "NAC, scale-free prior",
    "nac-planted-partition": "NAC, planted-partition prior",
    "nac-ring-of-cliques": "NAC, ring-of-cliques prior",
    "nac-erdos-renyi": "NAC, Erdos-Renyi prior",
}
PIO = "perceiver-io"
PRIORS = tuple(RUNGS)[3:]
#: Table 1: Acc@1 and Acc@5 in distribution, then out of it.
TABLE_1 = {
    "perceiver-io": (0.5889, 0.8009, 0.1757, 0.3716),
    "pio-modfc": (0.5891, 0.7943, 0.1801, 0.3705),
    "nac-frozen": (0.5831, 0.8006, 0.1850, 0.3792),
    "nac-scale-free": (0.6076, 0.8086, 0.1952, 0.3852),
    "nac-planted-partition": (0.6071, 0.8134, 0.1942, 0.3984),
    "nac-ring-of-cliques": (0.6054, 0.8118, 0.2003, 0.4044),
    "nac-erdos-renyi": (0.6033, 0.8108, 0.1983, 0.3932),
}
#: Distribution -> the paper's data, the name that a record gives them, and their first column of Table 1.
SETS = {"IID": ("Tiny-ImageNet", "images", 0), "OOD": ("Tiny-ImageNet-R", "images-ood", 2)}
#: Accuracies that Figures 11 to 14 print, by prior and share of links removed.
EDGES = {
    "nac-planted-partition": {0.93: 0.5069, 0.94: 0.2962, 0.95: 0.05},
    "nac-ring-of-cliques": {0.92: 0.5659, 0.93: 0.4909, 0.94: 0.05},
    "nac-scale-free": {0.97: 0.5456, 0.98: 0.5051, 0.99: 0.2808},
    "nac-erdos-renyi": {0.97: 0.5613, 0.98: 0.5075, 0.99: 0.2588},
}


def _rung(model: str, distribution: str, top_5: bool) -> Claim:
    on, data, column = SETS[distribution]
    name = "top-5 accuracy" if top_5 else "accuracy"
    return Claim(
        f"{name} of {RUNGS[model]} on {on}",
        "Table 1",
        TABLE_1[model][column + top_5],
        on,
        (data,),
        repeats=Repeats("accuracies", name, {"model": (model, f"{model}-printed"), "set": data}),
        sampled=Sampled(name, {"model": RUNGS[model], "distribution": distribution}),
        digits=4,
    )


def _above_perceiver(model: str, distribution: str) -> Claim:
    on, data, column = SETS[distribution]
    rows: dict[str, Cell | tuple[Cell, ...]] = {"model": (model, f"{model}-printed", f"{model}-images"), "set": data}
    other = ("perceiver-io", "perceiver-io-printed", "perceiver-io-images")
    return Claim(
        f"{RUNGS[model]} minus Perceiver IO on {on}",
        "Table 1",
        round(TABLE_1[model][column] - TABLE_1[PIO][column], 4),
        on,
        (data,),
        test="above 0",
        repeats=Repeats("accuracies", "accuracy", rows, minus={**rows, "model": other}),
        sampled=Sampled("more than Perceiver IO", {"model": RUNGS[model], "distribution": distribution}),
        any_size=True,
        digits=4,
    )


def _few_shots(what: str, source: str, ways: tuple[int, ...], shots: tuple[int, ...]) -> Claim:
    rows: dict[str, Cell | tuple[Cell, ...]] = {"model": "nac-scale-free", "ways": ways, "shots": shots}
    return Claim(
        what,
        source,
        None,
        "CUB-2011 and CIFAR",
        test="above 0",
        repeats=Repeats(
            "episodes", "accuracy", rows, minus={**rows, "model": "perceiver-io"}, of="episodes of one network"
        ),
        any_size=True,
    )


def _beside_perceiver(
    source: str, on: str, data: str, nac: str, pio: str, printed: tuple[float, float], digits: int
) -> tuple[Claim, ...]:
    """Return both accuracies of a task and their difference."""

    def accuracy(model: str, title: str, value: float) -> Claim:
        return Claim(
            f"accuracy of {title} on {on}",
            source,
            value,
            on,
            (data,),
            repeats=Repeats("trainings", "accuracy", {"model": model}),
            sampled=Sampled("accuracy", {"model": "Perceiver IO" if model == pio else RUNGS["nac-scale-free"]}),
            digits=digits,
        )

    return (
        accuracy(nac, "NAC", printed[0]),
        accuracy(pio, "Perceiver IO", printed[1]),
        Claim(
            f"NAC minus Perceiver IO on {on}",
            source,
            round(printed[0] - printed[1], 4),
            on,
            (data,),
            test="above 0",
            repeats=Repeats("trainings", "accuracy", {"model": nac}, minus={"model": pio}),
            sampled=Sampled("more than Perceiver IO"),
            any_size=True,
            digits=digits,
        ),
    )


CLAIMS = (
    PaperClaims(
        "nac-images",
        "From Perceiver IO to circuits: accuracy in and out of distribution",
        NAC,
        "Table 1 and section 4.1",
        (
            *(_rung(model, name, top_5) for top_5 in (False, True) for model in RUNGS for name in SETS),
            *(_above_perceiver(model, name) for model in PRIORS for name in SETS),
        ),
        (PICTURES, Difference("modules or latents", "80", "320")),
        (Link("Graph of nac-scale-free", "graphs", "nac-scale-free"),),
    ),
    PaperClaims(
        "nac-drop",
        "Accuracy and throughput against modules dropped",
        NAC,
        "Figures 5 and 15, section 4.1 and Appendix F",
        (
            Claim(
                "share of modules dropped at less than 3 points lost",
                "Figure 5",
                0.8,
                "Tiny-ImageNet",
                ("images",),
                test="at least",
                repeats=Repeats("largest", "dropped", {"model": "nac-scale-free", "order": "least connected first"}),
                sampled=Sampled(
                    "largest share dropped at less than 3 points lost",
                    {"model": RUNGS["nac-scale-free"], "order": "least connected first"},
                ),
                any_size=True,
                digits=1,
            ),
            Claim(
                "speed-up at that share",
                "Figure 5",
                8.0,
                "Tiny-ImageNet",
                ("images",),
                sampled=Sampled(
                    "speed-up at that share, by the clock",
                    {"model": RUNGS["nac-scale-free"], "order": "least connected first"},
                    of="rounds",
                ),
                digits=0,
                unit="times",
            ),
        ),
        (PICTURES, Difference("modules", "80", "320"), Difference("speed measured on", "a processor", "an A100")),
        (Link("Drop modules of nac-scale-free", "drop", "nac-scale-free", {"least": "64"}),),
    ),
    PaperClaims(
        "nac-edges",
        "Accuracy and graph against links removed",
        NAC,
        "Figures 10 to 14, Appendix F",
        (
            Claim(
                "share of links removed at little cost",
                "Appendix F",
                0.9,
                "Tiny-ImageNet",
                ("images",),
                test="at least",
                repeats=Repeats("largest", "removed", {"model": "nac-scale-free"}),
                sampled=Sampled("largest share removed at less than 3 points lost", {"model": RUNGS["nac-scale-free"]}),
                any_size=True,
                digits=1,
            ),
            *(
                Claim(
                    f"accuracy of {RUNGS[model]} with {100 * share:.0f} % of the links removed",
                    "Figures 10 to 13",
                    printed,
                    "Tiny-ImageNet",
                    ("images",),
                    repeats=Repeats("shares", "accuracy", {"model": model, "removed": share}),
                    sampled=Sampled(
                        "accuracy", {"model": RUNGS[model], "distribution": "IID", "removed": f"{share:.0%}"}
                    ),
                    digits=4,
                )
                for model, printed_at in EDGES.items()
                for share, printed in printed_at.items()
            ),
            *(
                Claim(
                    f"{RUNGS[spread]} minus {RUNGS[clustered]}, with 94 % of the links removed",
                    "Figures 10 to 13",
                    None,
                    "Tiny-ImageNet",
                    ("images",),
                    test="above 0",
                    repeats=Repeats(
                        "shares",
                        "accuracy",
                        {"model": spread, "removed": 0.94},
                        minus={"model": clustered, "removed": 0.94},
                    ),
                    any_size=True,
                    digits=4,
                )
                for spread in ("nac-scale-free", "nac-erdos-renyi")
                for clustered in ("nac-planted-partition", "nac-ring-of-cliques")
            ),
        ),
        (PICTURES, Difference("modules", "80", "320")),
        (Link("Graph of nac-scale-free with a tenth of its links", "graphs", "nac-scale-free", {"edges": "0.1"}),),
    ),
    PaperClaims(
        "nac-fewshot",
        "Few-shot adaptation beside Perceiver IO",
        NAC,
        "Figures 4 and 9",
        (
            _few_shots("NAC minus Perceiver IO, 8 classes, 1 to 4 samples each", "Figure 4", (8,), (1, 2, 4)),
            _few_shots(
                "NAC minus Perceiver IO, 2 to 64 classes, 8 samples each", "Figure 9", (2, 4, 8, 16, 32, 64), (8,)
            ),
        ),
        (
            Difference("pictures", "letters and digits", "CUB-2011 and CIFAR"),
            Difference("pre-training", "4,000 digits of a set", "ImageNet"),
        ),
        (Link("Graph of nac-scale-free", "graphs", "nac-scale-free"),),
    ),
    PaperClaims(
        "nac-points",
        "Clouds of points: a circuit beside Perceiver IO",
        NAC,
        "Table 2 and section 4.2",
        _beside_perceiver("Table 2", "ModelNet40", "clouds", "nac-points", "pio-points", (0.830, 0.774), 3),
        (Difference("points of a cloud", "256", "1,024"), Difference("modules or latents", "48", "960 and 512")),
        (Link("Graph of nac-points", "graphs", "nac-points"),),
    ),
    PaperClaims(
        "nac-listops",
        "ListOps: a circuit beside Perceiver IO",
        NAC,
        "Table 3 and section 4.3",
        _beside_perceiver("Table 3", "ListOps", "listops", "nac-listops", "pio-listops", (0.4140, 0.3970), 4),
        (
            Difference("symbols of an expression", "up to 100", "501 to 1,999", {"data": "listops"}),
            Difference("modules or latents", "32", "320", {"data": "listops"}),
        ),
        (Link("Graph of nac-listops", "graphs", "nac-listops"),),
    ),
    PaperClaims(
        "nac-bytes",
        "Sentiment from raw bytes: a circuit beside Perceiver IO",
        NAC,
        "Table 3 and section 4.3",
        _beside_perceiver("Table 3", "IMDB", "reviews", "nac-bytes", "pio-bytes", (0.6818, 0.6650), 4),
        (Difference("modules or latents", "32", "320", {"printed": True}),),
        (Link("Graph of nac-bytes", "graphs", "nac-bytes"),),
    ),
    PaperClaims(
        "nac-nlvr2",
        "Statements about pictures, judged by circuits that the statements design",
        NAC,
        "section 4.4 and Appendix G",
        (
            Claim(
                "accuracy of the conditional NAC on NLVR2",
                "section 4.4",
                0.64,
                "NLVR2",
                ("nlvr2",),
                sampled=Sampled("accuracy", {"model": "Conditional NAC", "split": "validation"}),
                digits=2,
            ),
            Claim(
                "accuracy of Perceiver IO on NLVR2",
                "section 4.4",
                0.64,
                "NLVR2",
                ("nlvr2",),
                sampled=Sampled("accuracy", {"model": "Perceiver IO", "split": "validation"}),
                digits=2,
            ),
            Claim("accuracy of zero-shot CLIP on NLVR2", "section 4.4", 0.53, "NLVR2", ("nlvr2",), digits=2),
        ),
        (
            Difference("pictures", "generated scenes", "photographs"),
            Difference("encoder", "learned", "frozen CLIP-base"),
        ),
        (Link("Circuits of nac-scenes", "circuits", "nac-scenes"),),
    ),
    PaperClaims(
        "nac-sentences",
        "Circuits that sentences give, by kind of reasoning and by object",
        NAC,
        "Figures 6, 16 and 17, Appendix H",
        (
            Claim(
                "circuits cluster by kind of reasoning",
                "Figure 6",
                None,
                "sentences of Appendix H, network trained on NLVR2",
                test=None,
                sampled=Sampled("kind told better than object", {"of": "circuits", "space": "full"}),
                unit="",
            ),
            Claim(
                "text embeddings cluster by object, not by kind of reasoning",
                "Figures 16 and 17",
                None,
                "sentences of Appendix H, embeddings of CLIP",
                test=None,
                sampled=Sampled("kind told better than object", {"of": "text encoder", "space": "full"}),
                unit="",
            ),
        ),
        (Difference("trained on", "generated scenes", "NLVR2"), Difference("text encoder", "learned", "CLIP")),
        (Link("Circuits of nac-scenes", "circuits", "nac-scenes"),),
    ),
)
