"""What is said of known data, by way of pyperf's own files and comparison."""

import random

import pyperf
import pytest

import comparison
from command import conclusion, judge, table
from comparison import Row, compare, condense, student


def suite(file, names, centre, spread=0.01, processes=60, values=30, seed=1):
    """A file as pyperf writes it; centre is a time, or one for each name."""
    lot = random.Random(seed)
    benchmarks = []
    for k, name in enumerate(names):
        middle = centre[k] if isinstance(centre, list) else centre
        runs = [
            pyperf.Run([middle * (1 + spread * abs(lot.gauss(0, 1))) for _ in range(values)], metadata={"name": name}, collect_metadata=False)
            for _ in range(processes)
        ]
        benchmarks.append(pyperf.Benchmark(runs))
    pyperf.BenchmarkSuite(benchmarks).dump(str(file), replace=True)
    condense(file)
    return file


def rows_of(tmp_path, ours, theirs, again=None, names=("0", "1", "8"), **spread):
    a = suite(tmp_path / "a.json", names, ours, seed=1, **spread)
    b = suite(tmp_path / "b.json", names, theirs, seed=2, **spread)
    c = suite(tmp_path / "c.json", names, again or ours, seed=3, **spread)
    return compare(a, b), compare(a, c)


def test_a_planted_difference_is_seen(tmp_path):
    rows, controls = rows_of(tmp_path, 1e-6, [1.0e-6, 1.2e-6, 0.8e-6])
    assert [judge(row, control)[0] for row, control in zip(rows, controls)] == ["same", "differs", "differs"]
    assert rows[1].t < 0 and "20.0% slower" in judge(rows[1], controls[1])[1]
    assert rows[2].t > 0 and "20.0% faster" in judge(rows[2], controls[2])[1]
    said = conclusion(rows, controls)
    assert said.startswith("The function differs where this many formats fail first: 1 (") and said.endswith("fail first: 0.")


def test_equal_code_is_called_the_same(tmp_path):
    rows, controls = rows_of(tmp_path, 1e-6, 1e-6)
    assert {judge(*pair)[0] for pair in zip(rows, controls)} == {"same"}
    assert conclusion(rows, controls) == "No meaningful difference (5 % or more) where this many formats fail first: 0, 1, 8."


def test_significant_and_small_is_no_difference(tmp_path):
    rows, controls = rows_of(tmp_path, 1e-6, 1.02e-6)
    kind, said = judge(rows[0], controls[0])
    assert kind == "same" and rows[0].t is not None and said.endswith("less than 5 %")


def test_noise_is_no_finding_either_way(tmp_path):
    """Neither 'no difference' where none could have been seen, nor a difference as large as
    that of the same code from itself."""
    wide = Row("0", [1, 1.1] * 10, [1.04, 1.15] * 10, None)  # 4.5 % ± 3 %
    assert judge(wide, wide)[0] == "cannot tell"
    wild = Row("0", [1, 2, 3, 1], [2, 1, 3, 2], None)
    assert judge(wild, wild)[0] == "cannot tell"
    rows, controls = rows_of(tmp_path, 1e-6, 1.2e-6, again=1.15e-6)
    kind, said = judge(rows[0], controls[0])
    assert kind == "cannot tell" and "from itself" in said
    assert conclusion(rows, controls) == "Too noisy to tell 5 % where this many fail first: 0, 1, 8."


def test_one_disturbed_value_a_process_does_not_sway(tmp_path):
    file = tmp_path / "a.json"
    runs = [pyperf.Run([1.0, 50.0, 1.0], metadata={"name": "0"}, collect_metadata=False) for _ in range(9)]
    pyperf.BenchmarkSuite([pyperf.Benchmark(runs)]).dump(str(file))
    condense(file)
    assert pyperf.BenchmarkSuite.load(str(file)).get_benchmarks()[0].get_values() == (1.0, 1.0, 1.0)


def test_a_single_benchmark_and_names_with_digits(tmp_path):
    rows, controls = rows_of(tmp_path, 1e-6, 1.5e-6, names=("8",))
    assert judge(rows[0], controls[0])[0] == "differs"


def test_what_pyperf_does_not_mention_is_an_error(tmp_path, monkeypatch):
    file = suite(tmp_path / "a.json", ("0", "1"), 1.0)
    with pytest.raises(ValueError, match="different benchmarks"):
        compare(file, suite(tmp_path / "b.json", ("0", "2"), 1.0))
    monkeypatch.setattr(comparison, "read", lambda *_: {"0": None})
    with pytest.raises(ValueError, match="pyperf says nothing of 1"):
        compare(file, file)


def test_table(tmp_path):
    rows, controls = rows_of(tmp_path, 1e-6, [1.0e-6, 1.2e-6, 0.8e-6])
    lines = table(rows, controls, 20).splitlines()
    assert len([line for line in lines if line.startswith("|")]) == 5
    assert all(line.count("|") == 8 for line in lines[:5])


@pytest.mark.parametrize("rounds", [5, 8, 20])
def test_the_interval_holds_the_truth_as_often_as_it_says(rounds):
    lot = random.Random(rounds)
    held = 0
    for _ in range(2000):
        ours, theirs = ([lot.gauss(centre, 0.05) for _ in range(rounds)] for centre in (1, 1.02))
        row = Row("0", ours, theirs, None)
        held += abs(row.ratio - 1.02) <= row.doubt
    assert 0.945 <= held / 2000 <= 0.985


def test_student_is_that_of_the_tables():
    assert (student(1), student(4), student(19), student(30)) == (12.706, 2.776, 2.093, 2.042)
    for degrees, want in ((31, 2.0395), (40, 2.0211), (60, 2.0003), (120, 1.9799)):
        assert abs(student(degrees) - want) < 0.0006
