"""Marks of slow tests are checked, and workers get files of tests in an order that keeps all of them busy."""

from tests.conftest import FAST, SLOW, next_file, wrongly_marked


def test_marks_follow_the_slowest_case_and_the_slowest_test_of_a_file() -> None:
    lines = wrongly_marked(
        {
            "tests/a.py::test_long[1]": (False, FAST / 2),
            "tests/a.py::test_long[2]": (False, SLOW + 1),
            "tests/a.py::test_between": (False, (SLOW + FAST) / 2),
            "tests/a.py::test_short": (False, FAST / 2),
            "tests/b.py::test_long": (True, SLOW + 1),
            "tests/b.py::test_that_shares_its_fixture": (True, FAST / 2),
            "tests/c.py::test_between": (True, (SLOW + FAST) / 2),
            "tests/d.py::test_short": (True, FAST / 2),
        }
    )
    assert [line.rpartition(" ")[2] for line in lines] == ["tests/a.py::test_long", "tests/d.py"]


def test_browser_files_stay_with_workers_that_keep_a_browser_and_long_files_come_first() -> None:
    files = ["tests/app/test_a.py", "tests/browser/test_b.py", "tests/deploy/test_c.py"]
    assert [next_file(files, keeps_browser) for keeps_browser in (True, False)] == [files[1], files[2]]
    without_browser = [files[0], files[2]]
    assert next_file(without_browser, keeps_browser=True) == files[2], "it helps the other workers"
    assert next_file(files[1:2], keeps_browser=False) == files[1]
