"""Data sets for the command: some that ship with scikit-learn, and a CSV of the user's."""

import difflib
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from sklearn import datasets

from .classes import classes_of, order_of
from .table import BadInput, read

MOST_WORDS = 200


@dataclass
class Data:
    name: str  # what the files are named after
    X: object
    y: np.ndarray
    labels: list  # the classes, in the order to draw them
    display_labels: list
    ordinal: bool = False


SHIPPED = {
    "breast_cancer": datasets.load_breast_cancer,
    "digits": datasets.load_digits,
    "wine": datasets.load_wine,
    "diabetes": datasets.load_diabetes,
}


def shipped(name):
    loaded = SHIPPED[name]()
    if name == "diabetes":
        return in_quarters(name, loaded)
    names = [str(n) for n in loaded.target_names]
    return Data(name, loaded.data, loaded.target, list(range(len(names))), names)


def in_quarters(name, loaded):
    """Make four ordinal classes, of a quarter of the rows each, of a number."""
    limits = np.quantile(loaded.target, [0.25, 0.5, 0.75])
    return Data(name, loaded.data, np.searchsorted(limits, loaded.target), [0, 1, 2, 3], ["lowest", "low", "high", "highest"], True)


def from_csv(path, target, order=None, separator=",", decimal=None):
    """Read a CSV with a header. Rows without a class are left out, and columns that nothing
    can be learnt from; the notes say so."""
    table, target, notes = read(path, target, separator, decimal)
    if target not in table.columns:
        raise BadInput(f"{path} has no column {target!r}{nearest(target, table.columns)}")
    if len(table.columns) < 2:
        raise BadInput(f"{path} has the column {target!r} alone: nothing to predict it from (is the separator {separator!r}?)")
    classed = table[table[target].notna()]
    if len(classed) < len(table):
        notes.append(f"{len(table) - len(classed)} of {len(table)} rows have no {target} and are left out")
    y = classes_of(classed[target])
    X = classed.drop(columns=target).dropna(axis="columns", how="all")
    if X.shape[1] == 0:
        raise BadInput(f"{path}: all columns but {target!r} are empty")
    X, left_out = without_names(X)
    if X.shape[1] == 0:
        raise BadInput(f"{path}: nothing to predict {target!r} from: {left_out[0]}")
    labels = order_of(y, order, target)
    return Data(Path(path).stem, X, y, labels, [str(label) for label in labels], order is not None), notes + left_out


def without_names(X):
    """Leave out columns of words that hardly recur, such as names: each word would become a
    column of its own, by which nothing is learnt and the memory runs out."""
    words = X.select_dtypes(exclude=["number", "bool"]).nunique()
    many = words[words > MOST_WORDS]
    return X.drop(columns=many.index), [f"{name} has {count} different words, more than {MOST_WORDS}, and is left out" for name, count in many.items()]


def nearest(name, names):
    close = difflib.get_close_matches(str(name), [str(n) for n in names], n=1)
    if close:
        return f": did you mean {close[0]!r}?"
    shown = ", ".join(str(n) for n in list(names)[:10])
    return f": there are {shown}{', …' if len(names) > 10 else ''}"
