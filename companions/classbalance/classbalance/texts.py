"""What classes are called in a chart, and on a terminal."""

import re


def names(labels):
    """What the classes are called in the chart. Those that are cut to the same have their
    place in front, and so has one that is called by itself what that makes of another."""
    made = [plain(label) for label in labels]
    placed = [f"{place}: {name}" for place, name in enumerate(made, 1)]  # no two are the same
    while len(set(made)) < len(made):
        made = [new if made.count(name) > 1 else name for name, new in zip(made, placed)]
    return made


def plain(label):
    """A class named $5 is no formula, one named after a novel is not written out, and one
    without a name can be seen."""
    if label.strip() == "":
        return "(empty)"
    label = shown(label)
    if len(label) > 28:
        label = label[:27] + "…"
    return label.replace("$", r"\$")


def shown(text):
    """On one line, with a mark in place of what no SVG may hold and what a terminal obeys."""
    return re.sub("[\x00-\x1f\x7f-\x9f\ud800-\udfff\ufffe\uffff]", "\ufffd", " ".join(text.split()))
