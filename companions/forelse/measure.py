"""Measures one way of reading timestamps with pyperf: pyperf starts this again and again.

Usage: measure.py --way forelse [--fail-first 0,1] [options of pyperf]
"""

import pyperf

from parsing import TEXT, by_forelse, by_function, formats

WAYS = {"forelse": by_forelse, "function": by_function}
TEXTS = [TEXT] * 20  # so that the loop over texts weighs little


def main():
    runner = pyperf.Runner(add_cmdline_args=pass_on)
    runner.argparser.add_argument("--way", choices=WAYS, required=True)
    runner.argparser.add_argument("--fail-first", type=int, action="append", required=True)
    args = runner.parse_args()
    for fail_first in args.fail_first:
        runner.bench_func(str(fail_first), WAYS[args.way], TEXTS, formats(fail_first), inner_loops=len(TEXTS))


def pass_on(command, args):
    command.extend(("--way", args.way))
    for fail_first in args.fail_first:
        command.extend(("--fail-first", str(fail_first)))


if __name__ == "__main__":
    main()
