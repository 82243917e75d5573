"""A CSV as a table: every row as long as the header, and nothing missing but what is empty."""

import csv
import io
from pathlib import Path

import pandas as pd

# What programs write for a number that they do not have. In a column of words they are words.
NO_NUMBER = {"NA", "N/A", "<NA>", "NaN", "nan", "null", "NULL", "None", "-"}


class BadInput(Exception):
    """What the user gave cannot be drawn; the text is one line."""


def read(path, target, separator):
    """Read a CSV with a header; return the table and the name of its target column (the
    last, unless one is named), which is read as text, just as it is written."""
    separator = separator.replace("\\t", "\t")
    if len(separator) != 1:
        raise BadInput(f"--separator must be one character or \\t, not {separator!r}")
    try:
        data = Path(path).read_bytes()
        trailing = check_lengths(path, data, separator)
        header = parse(data, separator, nrows=0).columns
        header = header[:-1] if trailing else header
        target = target or header[-1]
        table = parse(data, separator, usecols=range(len(header)), dtype={target: str})
    except (pd.errors.EmptyDataError, StopIteration):
        raise BadInput(f"{path} is empty") from None
    except (OSError, UnicodeError, ValueError, csv.Error) as err:  # a ParserError is a ValueError
        raise BadInput(f"read {path}: {' '.join(str(getattr(err, 'strerror', None) or err).split())}") from None
    if len(table) == 0:
        raise BadInput(f"{path} has a header and no rows")
    return pd.DataFrame({name: table[name] if name == target else feature(table[name]) for name in table.columns}), target


def parse(data, separator, **options):
    return pd.read_csv(
        io.BytesIO(data), sep=separator, encoding="utf-8-sig", index_col=False,
        keep_default_na=False, na_values=[""], low_memory=False, **options,
    )


def check_lengths(path, data, separator):
    """Hold every row to the length of the header: pandas would shift the columns of longer
    ones, and fill shorter ones up. Return whether all lines, the header too, end in a
    separator: then there is no column behind it."""
    rows = csv.reader(io.TextIOWrapper(io.BytesIO(data), encoding="utf-8-sig", newline=""), delimiter=separator)
    header = next(row for row in rows if row)
    trailing = len(header) > 1 and header[-1] == ""
    for row in rows:
        if row and len(row) != len(header):
            raise BadInput(f"{path}: line {rows.line_num} has {len(row)} field{'s' * (len(row) != 1)}, the header {len(header)}")
        trailing = trailing and (not row or row[-1] == "")
    return trailing


def feature(column):
    """A column of numbers, some of which are not there, or else one of words."""
    if pd.api.types.is_numeric_dtype(column):
        return column
    words = column.map(str, na_action="ignore")  # pandas mixes True with words
    known = words.mask(words.isin(NO_NUMBER))
    numbers = pd.to_numeric(known, errors="coerce")
    return numbers if known.notna().any() and numbers.notna().equals(known.notna()) else words.astype(object)
