"""Marks of slow tests are checked, and workers get files of tests in an order that keeps all of them busy."""

from tests.conftest import FAST, SLOW, next_file, wrongly_marked


def test_what_takes_long_is_to_be_marked_and_what_is_marked_takes_long() -> None:
    lines = wrongly_marked(
        {
            "tests/a.py::test_long": (False, SLOW + 1),
            "tests/a.py::test_between": (False, (SLOW + FAST) / 2),
            "tests/a.py::test_short": (False, FAST / 2),
            "tests/b.py::test_long": (True, SLOW + 1),
            "tests/b.py::test_that_needs_what_the_other_made": (True, FAST / 2),
            "tests/c.py::test_between": (True, (SLOW + FAST) / 2),
            "tests/d.py::test_short": (True, FAST / 2),
        }
    )
    assert [line.rpartition(" ")[2] for line in lines] == ["tests/a.py::test_long", "tests/d.py"]


def test_one_slow_case_is_enough() -> None:
    cases = {"tests/a.py::test[1]": FAST / 2, "tests/a.py::test[2]": SLOW + 1, "tests/a.py::test[3]": 0.0}
    assert wrongly_marked({case: (True, seconds) for case, seconds in cases.items()}) == []
    assert len(wrongly_marked({case: (False, seconds) for case, seconds in cases.items()})) == 1


def test_browser_files_stay_with_workers_that_keep_a_browser_and_long_files_come_first() -> None:
    files = ["tests/app/test_a.py", "tests/browser/test_b.py", "tests/deploy/test_c.py"]
    assert [next_file(files, keeps_browser) for keeps_browser in (True, False)] == [files[1], files[2]]
    without_browser = [files[0], files[2]]
    assert next_file(without_browser, keeps_browser=True) == files[2], "it helps the other workers"
    assert next_file(files[1:2], keeps_browser=False) == files[1]
