"""What pyperf says of two files: it compares, this reads its words."""

import re
import subprocess
import sys
from dataclasses import dataclass
from math import hypot
from statistics import mean, stdev

import pyperf

PROCESSES = 3  # of a round
MEANINGFUL = 5  # per cent; less is nothing to choose by

# Student's t for a two-sided interval of 95 %, by degrees of freedom from 1.
T95 = (
    12.706, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365, 2.306, 2.262, 2.228, 2.201, 2.179, 2.160, 2.145, 2.131,
    2.120, 2.110, 2.101, 2.093, 2.086, 2.080, 2.074, 2.069, 2.064, 2.060, 2.056, 2.052, 2.048, 2.045, 2.042,
)


def student(degrees):
    """From 31 degrees on by the first terms of its series, which are right to three digits there."""
    return T95[degrees - 1] if degrees <= len(T95) else 1.96 + 2.372 / degrees + 2.823 / degrees**2


@dataclass
class Row:
    """One benchmark in both files, in seconds for one timestamp."""

    name: str
    ours: list
    theirs: list
    t: float  # of pyperf's t-test; None where pyperf does not call the difference significant

    @property
    def ratio(self):
        """That of the means, since these are what pyperf compares."""
        return mean(self.theirs) / mean(self.ours)

    @property
    def doubt(self):
        """Half of the 95 % interval of the ratio, to the first order. A few rounds tell little
        of the spread, which Student's t allows for."""
        parts = [stdev(values) / mean(values) / len(values) ** 0.5 for values in (self.ours, self.theirs)]
        return student(min(len(self.ours), len(self.theirs)) - 1) * self.ratio * hypot(*parts)

    @property
    def meaningful(self):
        return self.t is not None and abs(self.ratio - 1) * 100 >= MEANINGFUL

    @property
    def verdict(self):
        if self.t is None:
            return "not significant"
        size = f"{abs(self.ratio - 1):.1%} {'slower' if self.ratio > 1 else 'faster'} (t={self.t:.1f})"
        return size if self.meaningful else f"{size}, less than {MEANINGFUL} %"


def compare(file, other):
    """Compare other with file, benchmark by benchmark."""
    ours, theirs = pyperf.BenchmarkSuite.load(str(file)), pyperf.BenchmarkSuite.load(str(other))
    names = ours.get_benchmark_names()
    if sorted(names) != sorted(theirs.get_benchmark_names()):
        raise ValueError(f"{file} and {other} hold different benchmarks")
    tests = t_tests(file, other, names)
    rows = []
    for name in sorted(names, key=int):
        a, b = ours.get_benchmark(name), theirs.get_benchmark(name)
        rows.append(Row(name, a.get_values(), b.get_values(), tests[name]))
    return rows


def condense(file):
    """Keep the fastest value of each round, that is of so many processes. Values of one
    process have the same luck, so they are no independent ones for a t-test; and what
    disturbs a process only slows it, often from its beginning to its end."""
    suite = pyperf.BenchmarkSuite.load(str(file))
    kept = []
    for benchmark in suite.get_benchmarks():
        measured = [run for run in benchmark.get_runs() if run.values]
        runs = [
            pyperf.Run([min(min(run.values) for run in measured[at : at + PROCESSES])], metadata=measured[at].get_metadata(), collect_metadata=False)
            for at in range(0, len(measured), PROCESSES)
        ]
        kept.append(pyperf.Benchmark(runs))
    pyperf.BenchmarkSuite(kept).dump(str(file), replace=True)


def t_tests(file, other, names):
    """What pyperf compare_to finds: t of each difference that it calls significant, None of the others."""
    command = [sys.executable, "-m", "pyperf", "compare_to", "--verbose", str(file), str(other)]
    found = read(subprocess.run(command, capture_output=True, text=True, check=True).stdout, names)
    if missing := [name for name in names if name not in found]:
        raise ValueError(f"pyperf says nothing of {', '.join(missing)}")
    return found


def read(said, names):
    """Read the text of pyperf compare_to --verbose: the name of a benchmark on a line of its
    own, unless there is one alone, and what it says of it; at the end those that it hides."""
    found = {}
    name = names[0]
    for line in said.splitlines():
        if line in names:
            name = line
        elif test := re.fullmatch(r"Significant \(t=(-?[\d.]+|-?inf)\)", line):
            found[name] = float(test[1])
        elif line == "Not significant!":
            found[name] = None
        elif hidden := re.fullmatch(r"Benchmark hidden because not significant \(\d+\): (.*)", line):
            found |= dict.fromkeys(hidden[1].split(", "))
    return found
