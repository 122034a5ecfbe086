"""What the picker says of a model: its task, what it reads, how well it does and on what, how large it is."""

from typing import Any

from routescope_app.api.schemas.catalogue import Accuracy, DataSet, Kind
from routescope_app.dashboard.frame import accuracies, by_error, declared, reads, rounded, runs, size, task
from tests.app.dashboard.models import made_up

KINDS = {"sets": Kind(name="sets", words="a set of elements", upload=None, refusal=None)}
SETS = [
    DataSet(name=name, title=title, stand_in=False, stand_in_for=None, licence="", splits={}, classes=[])
    for name, title in (("algo", "Conditional assignment (ALGO)"), ("digits", "Digits (rendered; stand-in)"))
]


def figure(domain: str, value: float, data: str, stand_in: bool = False) -> Accuracy:
    return Accuracy(domain=domain, accuracy=value, low=0, high=1, count=9, data=data, stand_in=stand_in)


def test_what_a_model_reads_is_said_in_words() -> None:
    table: list[tuple[dict[str, Any], str]] = [
        ({}, "pictures"),
        ({"samples": False}, "pictures or sequences of another kind"),
        ({"inputs": "statements", "pictures": 2}, "sentences about 2 pictures"),
        ({"inputs": "blocks"}, "blocks of numbers"),
        ({"inputs": "text"}, "texts"),
        ({"inputs": "numbers"}, "points of numbers"),
        ({"inputs": "sets"}, "samples that are each a set of elements"),
        ({"inputs": "unheard"}, "unheard"),
    ]
    assert [reads(made_up(**changes), KINDS) for changes, _ in table] == [words for _, words in table]


def test_a_task_is_called_by_the_titles_of_its_data_sets_those_that_count_on_are_one() -> None:
    assert task(["algo", "digits", "gone"], SETS) == "Conditional assignment, Digits, gone"
    titles = ["Function 1", "Function 2", "Function 3", "Digits", "Function 5", "Other 6"]
    assert runs(titles) == ["Function 1 to 3", "Digits", "Function 5", "Other 6"]
    assert runs([]) == [] and runs(["2", "3"]) == ["2", "3"]


def test_accuracies_name_their_data_their_split_their_measure_and_what_stands_in() -> None:
    first = [figure("a", 0.9909, "A (5,000), validation"), figure("b", 0.5, "B, validation", True)]
    later = [figure("a", 0.1, "A, test")]
    assert accuracies([*first, *later]) == ["validation accuracy 99.1 % a, 50.0 % b (stand-in)"]
    assert accuracies([*first, figure("c", 1, "C, test")]) == ["accuracy 99.1 % a, 50.0 % b (stand-in), 100.0 % c"]
    many = [figure(f"f{n}", n / 10, f"F {n}, validation").model_copy(update={"measure": "R2"}) for n in range(1, 9)]
    assert accuracies(many) == ["validation R2 0.450 on average over 8 data sets (0.100 to 0.800)"]
    bits = {"measure": "bits a byte", "higher_is_better": False}
    both = [figure(name, value, "A, test").model_copy(update=bits) for name, value in (("a", 2.104), ("b", 0.5))]
    assert accuracies(both) == ["test bits a byte 2.10 a, 0.500 b"] and accuracies([]) == []


def test_a_figure_has_one_rounding_rule() -> None:
    """tests/web/format.test.js has the same table: the page and the picker never show 1.69 beside 1.7."""
    table = {
        0: "0", 1.697: "1.70", 1.69: "1.69", -1.697: "-1.70", 9.996: "10.0", 12.345: "12.3", 999.7: "1000",
        0.5: "0.500", 0.12345: "0.123", 0.0123: "0.012", 0.0005: "0.001", 0.0004: "0.0004", 12345: "12300",
    }  # fmt: skip
    assert {value: rounded(value) for value in table} == table


def test_the_line_of_a_model_says_all_three() -> None:
    assert [size(count) for count in (12, 12_345, 4_134_209)] == [
        "12 parameters",
        "12 k parameters",
        "4.1 M parameters",
    ]
    reported = declared(
        made_up(domains=["digits"], accuracies=[figure("digits", 0.25, "Digits, test", True)]), SETS, KINDS
    )
    assert reported["line"] == "reads pictures; test accuracy 25.0 % digits (stand-in); 12 k parameters"
    assert reported["family"] == "F" and reported["task"] == "Digits" and reported["fields"] == ["messages"]
    assert reported["refused"] is None and "accuracies" not in reported and not reported["without_data"]
    assert declared(made_up(domains=["digits"]), SETS, KINDS)["line"] == "reads pictures; 12 k parameters"
    assert declared(made_up(domains=["elsewhere"]), SETS, KINDS)["without_data"]


def test_the_model_to_begin_with_is_the_one_that_errs_least() -> None:
    errs = {"a": (), "b": (0.9, 0.7), "c": (0.81,), "d": (0.8,)}
    models = [
        made_up(id=name, accuracies=[figure("d", value, "d") for value in values]) for name, values in errs.items()
    ]
    assert [member.id for member in by_error(models)] == ["c", "b", "d", "a"]
