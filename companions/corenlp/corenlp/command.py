"""The command: prints how sentences are built."""

import argparse
import os
import signal
import sys

from nltk.tree.prettyprinter import TreePrettyPrinter

from . import jars
from .client import CoreNLP
from .server import ServerError


class Parser(argparse.ArgumentParser):
    def error(self, message):
        print(f"corenlp: {' '.join(message.split())}", file=sys.stderr)
        sys.exit(2)


def arguments(words):
    parser = Parser(prog="corenlp", description=__doc__)
    parser.add_argument("text", nargs="*", help="one or more sentences each; from stdin if there is none")
    parser.add_argument("--show", choices=["trees", "dependencies", "tags", "tokens"], default="trees")
    parser.add_argument("--best", type=number(1, 1000), default=1, help="trees of a sentence, the most likely first (1)")
    parser.add_argument("--url", help="of a server that runs already")
    parser.add_argument("--fetch", action="store_true", help="only fetch the server and its models")
    parser.add_argument("--memory", default="2g", help="of the server that is started (2g)")
    parser.add_argument("--port", type=number(1, 65535), help="of the server that is started (any)")
    parser.add_argument("--timeout", type=number(1, 9999), default=60, help="seconds for one text (60)")
    parser.add_argument("--start-timeout", type=number(1, 86400), default=120, help="seconds until the server is ready (120)")
    args = parser.parse_args(words)
    if args.url is not None and not args.url.strip():
        parser.error("--url is empty")
    if sys.stdin is None and not args.text and not args.fetch:
        parser.error("there is no text, and stdin is closed")
    return args


def number(low, high):
    def read(text):
        value = int(text)
        if not low <= value <= high:
            raise argparse.ArgumentTypeError(f"{text} is not within {low} to {high}")
        return value

    read.__name__ = "whole number"  # argparse says: invalid whole number value
    return read


def run(args):
    if args.fetch:
        print(jars.ensure())
        return
    texts = args.text or [sys.stdin.buffer.read().decode("utf-8", "replace")]
    with CoreNLP(args.url, memory=args.memory, port=args.port, timeout=args.timeout, start_timeout=args.start_timeout) as nlp:
        for text in texts:
            show(nlp, text, args)
            print(end="", flush=True)


def show(nlp, text, args):
    if args.show == "tokens":
        for words in nlp.tokenize(text):
            print(" ".join(words))
    elif args.show == "tags":
        for sentence in nlp.tag(text):
            print(" ".join(f"{word}/{tag}" for word, tag in sentence))
    elif args.show == "dependencies":
        for graphs in nlp.dependencies(text):
            print(next(graphs).to_conll(4))
    else:
        for trees in nlp.parse(text, args.best):
            for tree in trees:
                if args.best > 1:
                    print(f"log2 of its score: {tree.logprob():.1f}")
                print(*(line.rstrip() for line in TreePrettyPrinter(tree).text().splitlines()), "", sep="\n")


def main(words=None):
    for sign in (signal.SIGTERM, signal.SIGHUP):
        if signal.getsignal(sign) is signal.SIG_DFL:  # else it is ignored, as behind nohup
            signal.signal(sign, lambda sign, _: sys.exit(128 + sign))
    if sys.stdout is not None:  # it is if it was closed
        sys.stdout.reconfigure(errors="backslashreplace")  # not every terminal shows every word
    try:
        run(arguments(words))
    except (ServerError, jars.FetchError) as err:
        print(f"corenlp: {err}", file=sys.stderr)
        return 1
    except OSError as err:
        if err.filename is None and sys.stdout is not None:  # what is left would fail once more at the end
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        if not isinstance(err, BrokenPipeError):  # as by | head
            print(f"corenlp: write {err.filename or 'stdout'}: {err.strerror}", file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        print("corenlp: interrupted", file=sys.stderr)
        return 128 + signal.SIGINT
    return 0
