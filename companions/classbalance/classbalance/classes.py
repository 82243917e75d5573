"""The classes of a CSV: what they are called, and their order."""

import re
from decimal import Decimal

import numpy as np

from .table import BadInput

MOST_CLASSES = 100


def classes_of(column):
    """The classes as they are written; as int where all are plain whole numbers, so that a
    classifier that wants 0, 1, 2 … can be used."""
    texts = list(column)
    if all(re.fullmatch(r"[+-]?[0-9]+(\.0*)?", text) for text in set(texts)):
        texts = [text.partition(".")[0] for text in texts]
    found = set(texts)
    if len(found) < 2:
        raise BadInput(f"all rows have the same {column.name}: there is nothing to tell apart" if found else f"no row has a {column.name}")
    if len(found) > MOST_CLASSES:
        raise BadInput(f"{column.name} has {len(found)} different values: a chart shows at most {MOST_CLASSES} classes")
    return np.array([int(text) for text in texts] if all(map(plain_int, found)) else texts)


def plain_int(text):
    """Of so many digits that neighbours differ for whoever computes with float64, too."""
    return re.fullmatch(r"0|-?[1-9][0-9]{0,14}", text) is not None


def order_of(y, order, target):
    """The classes in the order that the user gives, which must name all of them; else by
    number, where all are numbers, or by letter."""
    found = by_number(np.unique(y).tolist())
    if order is None:
        return found
    by_name = {str(label): label for label in found}
    missing = [name for name in by_name if name not in order]
    unknown = [name for name in order if name not in by_name]
    if missing or unknown or len(set(order)) < len(order):
        raise BadInput(f"--order must name each class of {target} once: {','.join(by_name)}")
    return [by_name[name] for name in order]


def by_number(labels):
    if all(re.fullmatch(r"[+-]?[0-9]+(\.[0-9]*)?([eE][+-]?[0-9]{1,4})?", str(label)) for label in labels):
        return sorted(labels, key=lambda label: Decimal(str(label)))
    return labels
