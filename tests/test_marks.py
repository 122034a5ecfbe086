"""Marks of slow tests are honest: whoever runs the tests is told which are wrong."""

from tests.conftest import FAST, SLOW, wrongly_marked


def test_what_takes_long_is_to_be_marked_and_what_is_marked_takes_long() -> None:
    found = wrongly_marked(
        {
            "tests/a.py::test_long": (False, SLOW + 1),
            "tests/a.py::test_long_and_marked": (True, SLOW + 1),
            "tests/a.py::test_short": (False, FAST / 2),
            "tests/a.py::test_short_and_marked": (True, FAST / 2),
            "tests/a.py::test_between": (False, (SLOW + FAST) / 2),
            "tests/a.py::test_between_and_marked": (True, (SLOW + FAST) / 2),
        }
    )
    assert [line.rpartition("::")[2] for line in found] == ["test_long", "test_short_and_marked"]
    assert "not marked slow" in found[0]


def test_one_slow_case_is_enough_for_a_mark() -> None:
    cases = {"tests/a.py::test[1]": FAST / 2, "tests/a.py::test[2]": SLOW + 1, "tests/a.py::test[3]": 0.0}
    assert wrongly_marked({case: (True, seconds) for case, seconds in cases.items()}) == []
    assert len(wrongly_marked({case: (False, seconds) for case, seconds in cases.items()})) == 1
