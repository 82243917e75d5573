"""for/else against a function: measures both with pyperf, and writes a table and a figure.

When not to use it: to time anything else; see pyperf for that.
"""

import argparse
import os
import signal
import subprocess
import sys
import tempfile
from pathlib import Path
from statistics import median

from comparison import MEANINGFUL, PROCESSES, compare, condense
from figure import draw

FAIL_FIRST = (0, 1, 2, 4, 8)
# The last is the first again: how different it seems is what the machine's noise makes of
# one and the same code.
TURNS = (("forelse", "forelse"), ("function", "function"), ("again", "forelse"))


class Failure(Exception):
    """Something that is told in one line."""


def measure(folder, rounds, quick):
    """Measure in turns, one process each, in an order that changes: what disturbs the
    machine for some seconds then disturbs all alike."""
    for turn in range(rounds * PROCESSES):
        for fail_first in FAIL_FIRST:
            order = TURNS[turn % 3:] + TURNS[: turn % 3]
            for name, way in order:
                measure_once(folder / f"{name}.json", way, fail_first, quick)
        if (turn + 1) % PROCESSES == 0:
            say(f"round {(turn + 1) // PROCESSES} of {rounds}")


def measure_once(file, way, fail_first, quick):
    script = Path(__file__).with_name("measure.py")
    loops = 1 if quick else 20 if fail_first == 0 else 8 if fail_first <= 4 else 2  # some milliseconds a value
    command = [sys.executable, str(script), "--way", way, "--fail-first", str(fail_first), "--quiet", "--append", str(file)]
    command += ["--processes", "1", "--values", "2" if quick else "30", "--warmups", "1", "--loops", str(loops)]
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode != 0:
        raise Failure(f"pyperf: {(done.stderr.strip() or 'it ended').splitlines()[-1]}")


def noisy(row, control):
    """The same code differs from itself by half as much or more."""
    return abs(control.ratio - 1) >= abs(row.ratio - 1) / 2


def judge(row, control):
    """What is to be said of a row. A difference counts if pyperf calls it significant, if it
    is not small, and if the same code does not differ as much from itself. That there is
    none can be said only where the whole interval is small."""
    if row.meaningful and noisy(row, control):
        return "cannot tell", f"{row.verdict}, and for/else differs by {abs(control.ratio - 1):.1%} from itself"
    if row.meaningful:
        return "differs", row.verdict
    if 100 * (abs(row.ratio - 1) + row.doubt) > MEANINGFUL:
        return "cannot tell", f"{row.verdict}, ± {row.doubt:.1%}"
    return "same", row.verdict


def conclusion(rows, controls):
    found = {"differs": [], "cannot tell": [], "same": []}
    for row, control in zip(rows, controls):
        kind, said = judge(row, control)
        found[kind].append(f"{row.name} ({said})" if kind == "differs" else row.name)
    parts = []
    if found["differs"]:
        parts.append(f"The function differs where this many formats fail first: {', '.join(found['differs'])}.")
    if found["same"]:
        parts.append(f"No meaningful difference ({MEANINGFUL} % or more) where this many formats fail first: {', '.join(found['same'])}.")
    if found["cannot tell"]:
        parts.append(f"Too noisy to tell {MEANINGFUL} % where this many fail first: {', '.join(found['cannot tell'])}.")
    return " ".join(parts)


def table(rows, controls, rounds):
    lines = [
        "| formats that fail first | for/else | function | function ÷ for/else | for/else ÷ itself | pyperf says of the function | verdict |",
        "|---:|---:|---:|---:|---:|---|---|",
    ]
    for row, control in zip(rows, controls):
        kind, said = judge(row, control)
        lines.append(
            f"| {row.name} | {1e6 * median(row.ours):.2f} µs | {1e6 * median(row.theirs):.2f} µs "
            f"| {row.ratio:.3f} ± {row.doubt:.3f} | {control.ratio:.3f} ± {control.doubt:.3f} | {said} | {kind} |"
        )
    version = ".".join(map(str, sys.version_info[:3]))
    lines += ["", f"Times are medians, for one timestamp; ratios are those of the means, which pyperf compares, with a 95 % interval (Student's t); "
              f"{rounds} rounds of {PROCESSES} processes, of each round the fastest value; Python {version}."]
    return "\n".join(lines + ["", conclusion(rows, controls), ""])


def say(text):
    print("forelse: " + text, file=sys.stderr)


class Parser(argparse.ArgumentParser):
    def error(self, message):
        raise Failure(message)


def arguments(words):
    parser = Parser(prog="forelse", description=__doc__)
    parser.add_argument("-o", "--out", type=Path, default=Path("."), help="folder for forelse.md, .png and .svg (the current one)")
    parser.add_argument("--rounds", type=int, default=20, help=f"of {PROCESSES} processes for each figure (20: 5 min)")
    parser.add_argument("--quick", action="store_true", help="one loop a value: to see that it runs, the figures say nothing")
    args = parser.parse_args(words)
    if args.rounds < (2 if args.quick else 5):
        raise Failure(f"--rounds must be at least {2 if args.quick else 5}, not {args.rounds}")
    return args


def run(args):
    args.out.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as folder:
        folder = Path(folder)
        measure(folder, args.rounds, args.quick)
        for name, _ in TURNS:
            condense(folder / f"{name}.json")
        rows = compare(folder / "forelse.json", folder / "function.json")
        controls = compare(folder / "forelse.json", folder / "again.json")
    text = table(rows, controls, args.rounds)
    if args.quick:
        text = text.replace(conclusion(rows, controls), "--quick: these figures say nothing.")
    (args.out / "forelse.md").write_text(text, encoding="utf-8")
    draw(rows, controls, args.out)
    print(text, end="", flush=True)


class Killed(BaseException):
    """SIGTERM, or the terminal is closed: as by Ctrl-C, what was begun is to be cleared away."""


def killed(sign, _):
    raise Killed(sign)


def main(words=None):
    signal.signal(signal.SIGTERM, killed)
    if signal.getsignal(signal.SIGHUP) is signal.SIG_DFL:  # else it is ignored, as behind nohup
        signal.signal(signal.SIGHUP, killed)
    try:
        run(arguments(words))
    except Failure as err:
        say(" ".join(str(err).split()))
        return 2
    except OSError as err:
        if err.filename is None and sys.stdout is not None:  # what is left would fail once more at the end
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        if not isinstance(err, BrokenPipeError):  # as by | head
            say(f"write {err.filename or 'stdout'}: {err.strerror}")
        return 1
    except (KeyboardInterrupt, Killed) as end:
        say("interrupted: nothing is written")
        return 128 + (end.args[0] if isinstance(end, Killed) else signal.SIGINT)
    return 0
