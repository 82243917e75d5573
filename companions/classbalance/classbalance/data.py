"""Data sets for the command: some that ship with scikit-learn, and a CSV of the user's."""

import difflib
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pandas as pd
from sklearn import datasets

MOST_CLASSES = 100


class BadInput(Exception):
    """What the user gave cannot be drawn; the text is one line."""


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


def from_csv(path, target, order=None, separator=","):
    """Read a CSV with a header. Rows without a class are left out; the note says how many."""
    table = read(path, separator)
    target = target or table.columns[-1]
    if target not in table.columns:
        raise BadInput(f"{path} has no column {target!r}{nearest(target, table.columns)}")
    if len(table.columns) < 2:
        raise BadInput(f"{path} has the column {target!r} alone: nothing to predict it from (is the separator {separator!r}?)")
    classed = table[table[target].notna()]
    note = f"{len(table) - len(classed)} of {len(table)} rows have no {target} and are left out" if len(classed) < len(table) else ""
    y = classes_of(classed[target])
    X = classed.drop(columns=target).dropna(axis="columns", how="all")
    if X.shape[1] == 0:
        raise BadInput(f"{path}: all columns but {target!r} are empty")
    labels = order_of(y, order, target)
    return Data(Path(path).stem, X, y, labels, [str(label) for label in labels], order is not None), note


def read(path, separator):
    separator = separator.replace("\\t", "\t")
    if len(separator) != 1:
        raise BadInput(f"--separator must be one character or \\t, not {separator!r}")
    try:
        table = pd.read_csv(path, sep=separator, encoding="utf-8-sig")
    except pd.errors.EmptyDataError:
        raise BadInput(f"{path} is empty") from None
    except (OSError, UnicodeError, ValueError) as err:  # a ParserError is a ValueError
        raise BadInput(f"read {path}: {' '.join(str(getattr(err, 'strerror', None) or err).split())}") from None
    if len(table) == 0:
        raise BadInput(f"{path} has a header and no rows")
    return table


def classes_of(column):
    """The classes as numpy knows them: whole numbers where all are, otherwise text."""
    if pd.api.types.is_bool_dtype(column):
        y = column.to_numpy(dtype=str)
    elif pd.api.types.is_numeric_dtype(column) and np.isfinite(column).all() and (column == column.round()).all():
        y = column.to_numpy(dtype=int)
    elif pd.api.types.is_numeric_dtype(column):
        y = column.to_numpy(dtype=str)
    else:
        y = np.array([str(value).strip() for value in column])
    found = len(np.unique(y))
    if found < 2:
        raise BadInput(f"all rows have the same {column.name}: there is nothing to tell apart" if found else f"no row has a {column.name}")
    if found > MOST_CLASSES:
        raise BadInput(f"{column.name} has {found} different values: a chart shows at most {MOST_CLASSES} classes")
    return y


def order_of(y, order, target):
    """The classes in the order that the user gives, which must name all of them."""
    found = np.unique(y).tolist()
    if order is None:
        return found
    by_name = {str(label): label for label in found}
    missing = [name for name in by_name if name not in order]
    unknown = [name for name in order if name not in by_name]
    if missing or unknown or len(set(order)) < len(order):
        raise BadInput(f"--order must name each class of {target} once: {','.join(by_name)}")
    return [by_name[name] for name in order]


def nearest(name, names):
    close = difflib.get_close_matches(str(name), [str(n) for n in names], n=1)
    if close:
        return f": did you mean {close[0]!r}?"
    shown = ", ".join(str(n) for n in list(names)[:10])
    return f": there are {shown}{', …' if len(names) > 10 else ''}"
