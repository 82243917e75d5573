"""A CSV as a table: every row as long as the header, and nothing missing but what is empty."""

import csv
import io
from pathlib import Path

import pandas as pd

# A number in anybody's way of writing, 1,234.5 and 3,14; an address or a date may look like one.
LIKE_A_NUMBER = r"[+-]?[0-9.,]*[0-9]([eE][+-]?[0-9]+)?"

# What programs write for a number that they do not have. In a column of words they are words.
NO_NUMBER = {"NA", "N/A", "<NA>", "NaN", "nan", "null", "NULL", "None", "-"}


class BadInput(Exception):
    """What the user gave cannot be drawn; the text is one line."""


def read(path, target, separator, decimal=None):
    """Read a CSV with a header; return the table, the name of its target column (the last,
    unless one is named), which is read as text, just as it is written, and notes."""
    separator = separator.replace("\\t", "\t")
    if len(separator) != 1:
        raise BadInput(f"--separator must be one character or \\t, not {separator!r}")
    try:
        data = Path(path).read_bytes()
        trailing = check_lengths(path, data, separator, target)
        header = parse(data, separator, decimal, nrows=0).columns
        header = header[:-1] if trailing else header
        target = target or header[-1]
        table = parse(data, separator, decimal, usecols=range(len(header)), dtype={target: str})
    except (pd.errors.EmptyDataError, StopIteration):
        raise BadInput(f"{path} is empty") from None
    except (OSError, UnicodeError, ValueError, csv.Error) as err:  # a ParserError is a ValueError
        raise BadInput(f"read {path}: {' '.join(str(getattr(err, 'strerror', None) or err).split())}") from None
    if len(table) == 0:
        raise BadInput(f"{path} has a header and no rows")
    notes = []
    columns = {name: stripped(table[name]) if name == target else feature(path, table[name], decimal, notes) for name in table.columns}
    return pd.DataFrame(columns), target, notes


def parse(data, separator, decimal, **options):
    return pd.read_csv(
        io.BytesIO(data), sep=separator, decimal=decimal or ".", encoding="utf-8-sig", index_col=False,
        keep_default_na=False, na_values=[""], low_memory=False, **options,
    )


def check_lengths(path, data, separator, target):
    """Hold every row to the length of the header: pandas would shift the columns of longer
    ones, and fill shorter ones up. Return whether all lines, the header too, end in a
    separator: then there is no column behind it."""
    rows = csv.reader(io.TextIOWrapper(io.BytesIO(data), encoding="utf-8-sig", newline=""), delimiter=separator)
    header = next(row for row in rows if row)
    if header.count(target) > 1:
        raise BadInput(f"{path} has {header.count(target)} columns named {target!r}")
    trailing = len(header) > 1 and header[-1] == ""
    for row in rows:
        if row and len(row) != len(header):
            raise BadInput(f"{path}: line {rows.line_num} has {len(row)} field{'s' * (len(row) != 1)}, the header {len(header)}")
        trailing = trailing and (not row or row[-1] == "")
    return trailing


def stripped(column):
    """Text without blanks around it; where there is nothing else, it is missing."""
    texts = column.map(lambda value: str(value).strip(), na_action="ignore")  # pandas mixes True with words
    return texts.mask(texts == "").astype(object)


def feature(path, column, decimal, notes):
    """A column of numbers, some of which are not there, or else one of words. Numbers that
    are written in another way must not become words unnoticed."""
    if pd.api.types.is_numeric_dtype(column):
        return column
    words = stripped(column)
    known = words[words.notna() & ~words.isin(NO_NUMBER)]
    numbers, with_comma = number_of(known, decimal), number_of(known, ",")
    if len(known) and numbers.notna().all():
        return numbers.reindex(words.index)
    if decimal is None and with_comma.count() > max(numbers.count(), len(known) / 2):
        example = known[with_comma.notna() & numbers.isna()].iloc[0]
        raise BadInput(f"{path}: {column.name} holds numbers with a comma, such as {example}: give --decimal , if it is the decimal sign, take it out if it is between thousands, or give --decimal . if they are words")
    if known.str.fullmatch(LIKE_A_NUMBER).sum() > len(known) / 2:
        notes.append(f"{column.name} is taken as words, since {known[numbers.isna()].iloc[0][:40]} is no number")
    return words


def number_of(texts, decimal):
    """Each as a number, or missing where it is none with that decimal sign."""
    if decimal == ",":
        texts = texts.mask(texts.str.contains(".", regex=False)).str.replace(",", ".")
    return pd.to_numeric(texts, errors="coerce")
