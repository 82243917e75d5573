import argparse
from datetime import datetime

import measure
import pytest

from command import FAIL_FIRST
from parsing import FAILING, TEXT, by_forelse, by_function, formats


@pytest.mark.parametrize("fail_first", FAIL_FIRST)
def test_that_many_formats_fail_first(fail_first):
    failed = 0
    for form in formats(fail_first):
        try:
            datetime.strptime(TEXT, form)
        except ValueError:
            failed += 1
    assert failed == fail_first and len(formats(fail_first)) == fail_first + 1
    assert max(FAIL_FIRST) == len(FAILING)


@pytest.mark.parametrize("way", [by_forelse, by_function])
def test_both_ways_read_the_same(way):
    for fail_first in FAIL_FIRST:
        assert way([TEXT] * 3, formats(fail_first)) == [datetime(2026, 11, 21, 13, 45, 7)] * 3
    assert way([], formats(1)) == []
    for texts, forms in ((["tomorrow"], formats(2)), ([TEXT, "¼"], formats(0)), ([TEXT], [])):
        with pytest.raises(ValueError, match="is in none of the formats"):
            way(texts, forms)


def test_each_way_is_measured_by_its_name():
    assert measure.WAYS == {"forelse": by_forelse, "function": by_function}
    command = []
    measure.pass_on(command, argparse.Namespace(way="function", fail_first=[1, 8]))
    assert command == ["--way", "function", "--fail-first", "1", "--fail-first", "8"]
