"""The command: draws the charts of a data set as PNG and SVG."""

import argparse
import os
import signal
import sys
import warnings
from pathlib import Path

import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as plt
import numpy as np
from sklearn.model_selection import StratifiedKFold, cross_val_predict
from sklearn.utils.multiclass import unique_labels
from sklearn.utils.validation import column_or_1d

from . import classifiers, data
from .display import KINDS, ClassBalanceDisplay
from .texts import shown


class Parser(argparse.ArgumentParser):
    def error(self, message):
        raise data.BadInput(message)


def arguments(words):
    parser = Parser(prog="classbalance", description=__doc__)
    parser.add_argument("data", nargs="+", help=f"one of {', '.join(data.SHIPPED)}, or a CSV file with a header")
    parser.add_argument("--target", help="the column of the CSV that holds the class (the last)")
    parser.add_argument("--order", type=lambda text: [name.strip() for name in text.split(",")], help="ordinal classes, such as low,mid,high")
    parser.add_argument("--separator", default=",", help="between the columns of the CSV (,)")
    parser.add_argument("--decimal", choices=[".", ","], help="the decimal sign of the CSV (.)")
    parser.add_argument("--classifier", default="LogisticRegression", help="one of scikit-learn's, or module:Class (LogisticRegression)")
    parser.add_argument("--folds", type=int, default=5, help="of the cross-validation (5)")
    parser.add_argument("--seed", type=int, default=0, help="of the folds and the classifier (0)")
    parser.add_argument("--kind", action="append", choices=KINDS, help="which chart; may be given again (all; heatmap of ordinal classes only)")
    parser.add_argument("--normalize", action="store_true", help="draw shares")
    parser.add_argument("-o", "--out", type=Path, default=Path("."), help="folder for the files (the current one)")
    args = parser.parse_args(words)
    if not 0 <= args.seed < 2**32:
        parser.error(f"--seed must be within 0 to {2**32 - 1}, not {args.seed}")
    return args


def draw(name, args):
    """Draw the charts of one data set and print the names of the files."""
    if name in data.SHIPPED:
        if args.target or args.order:
            raise data.BadInput(f"--target and --order are for a CSV, not for {name}")
        source, notes = data.shipped(name), []
    else:
        source, notes = data.from_csv(name, args.target, args.order, args.separator, args.decimal)
    for note in notes:
        say(f"note: {note}")
    predicted = predict(classifiers.named(args.classifier), source, args)
    right = np.mean(predicted == source.y)
    say(f"{source.name}: {len(source.y)} rows, {len(source.labels)} classes, {args.classifier} in {args.folds} folds predicts {share(right)} right")
    kinds = args.kind or [kind for kind in KINDS if kind != "heatmap" or source.ordinal]
    for kind in kinds:
        cmap = "viridis_r" if source.ordinal and "_per_" in kind else None  # colours with an order
        ClassBalanceDisplay.from_predictions(
            source.y, predicted, labels=source.labels, display_labels=source.display_labels,
            kind=kind, normalize=args.normalize, cmap=cmap,
        ).ax_.set_title(f"{title(source.name)}: {args.classifier}, {args.folds} folds, {share(right)} right", fontsize="medium")
        save(args.out / f"{source.name}-{kind.replace('_', '-')}")


def share(right):
    """All or none are said of all or none alone."""
    text = f"{right:.1%}"
    if text == "100.0%" and right < 1:
        return "over 99.9%"
    return "under 0.1%" if text == "0.0%" and right > 0 else text


def predict(classifier, source, args):
    """Predict each row by a classifier that was fitted without it."""
    _, members = np.unique(source.y, return_counts=True)
    if args.folds < 2:
        raise data.BadInput(f"--folds must be at least 2, not {args.folds}")
    if members.max() < args.folds:
        raise data.BadInput(f"no class of {source.name} has {args.folds} rows, one for each fold: give fewer --folds or more rows")
    if members.min() < args.folds:
        rare = [str(label) for label, n in zip(np.unique(source.y), members) if n < args.folds]
        say(f"note: fewer rows than folds: {', '.join(rare)}; some folds hold none, and what has one row is never learnt where it is predicted")
    folds = StratifiedKFold(args.folds, shuffle=True, random_state=args.seed)
    try:
        prepared = classifiers.prepared(seeded(classifier, args.seed), source.X)
        predicted = column_or_1d(cross_val_predict(prepared, source.X, source.y, cv=folds))
        if unknown := set(unique_labels(source.y, predicted)) - set(source.y):
            raise ValueError(f"it predicts {unknown.pop()}, which is none of the classes")
        return predicted
    except MemoryError:
        raise
    except Exception as err:  # a classifier may be anybody's
        why = " ".join(str(err).split()) or repr(err)
        raise data.BadInput(f"{args.classifier} does not take {source.name}: {why[:300]}") from None


def check_names(given):
    """Refuse data sets whose charts would have the same names: one would overwrite the other."""
    taken = {}
    for name in given:
        stem = name if name in data.SHIPPED else Path(name).stem
        same = stem.casefold()  # macOS holds Data and data for the same
        if same in taken:
            raise data.BadInput(f"{taken[same]} and {name} would write the same files, {stem}-…: draw them one at a time, with another --out")
        taken[same] = name


def seeded(classifier, seed):
    if "random_state" in classifier.get_params():
        classifier.set_params(random_state=seed)
    return classifier


def title(name):
    return shown(name).replace("_", " ").replace("$", r"\$")


def save(path):
    """Write path.png and path.svg: the same bytes from the same data and the same libraries."""
    for ending, about in ((".png", {"Software": None}), (".svg", {"Date": None})):
        file = path.with_name(path.name + ending)
        plt.gcf().savefig(file, dpi=144, metadata=about, bbox_inches="tight")
        print(file, flush=True)
    plt.close()


def say(text):
    print("classbalance: " + shown(text), file=sys.stderr)


def note_warnings(message, *_, **__):
    text = " ".join(str(message).split())[:200]
    if "least populated class" not in text and text not in noted:  # the first is said in our words already
        noted.add(text)
        say("note: " + text)


noted = set()


def use_other_scripts():
    """Take fonts for what matplotlib's own lacks, where the machine has them."""
    installed = set(matplotlib.font_manager.get_font_names())
    other = ["Noto Sans CJK JP", "Noto Sans", "WenQuanYi Zen Hei", "Hiragino Sans", "Yu Gothic", "Arial Unicode MS"]
    matplotlib.rcParams["font.family"] = ["DejaVu Sans", *(name for name in other if name in installed)]


def main(words=None):
    warnings.showwarning = note_warnings
    matplotlib.rcParams["svg.hashsalt"] = "classbalance"
    use_other_scripts()
    if sys.stdout is not None:  # it is if it was closed
        sys.stdout.reconfigure(errors="surrogateescape")  # the name of a file need not be UTF-8
    try:
        args = arguments(words)
        check_names(args.data)
        args.out.mkdir(parents=True, exist_ok=True)
        for name in args.data:
            draw(name, args)
    except data.BadInput as err:
        say(str(err))
        return 2
    except OSError as err:
        if err.filename is None and sys.stdout is not None:  # what is left would fail once more at the end
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        if not isinstance(err, BrokenPipeError):  # as by | head
            say(f"write {err.filename or 'stdout'}: {err.strerror}")
        return 1
    except MemoryError as err:
        say(f"out of memory: {' '.join(str(err).split()) or 'the data are too large'}")
        return 1
    except KeyboardInterrupt:
        say("interrupted")
        return 128 + signal.SIGINT
    return 0
