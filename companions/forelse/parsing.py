"""What is compared: timestamps read with a list of formats, by for/else and by a function."""

from datetime import datetime

TEXT = "2026-11-21T13:45:07"
MATCHING = "%Y-%m-%dT%H:%M:%S"
FAILING = [
    "%d/%m/%Y %H:%M:%S", "%m/%d/%Y", "%d.%m.%Y %H:%M", "%a, %d %b %Y %H:%M:%S",
    "%Y-%m-%d %H:%M:%S", "%Y-%m-%d", "%d-%b-%Y", "%b %d %H:%M:%S %Y",
]


def formats(fail_first):
    """A list in which that many formats fail before the one that reads TEXT."""
    return [*FAILING[:fail_first], MATCHING]


def by_forelse(texts, formats):
    moments = []
    for text in texts:
        for form in formats:
            try:
                moment = datetime.strptime(text, form)
                break
            except ValueError:
                continue
        else:
            raise ValueError(f"{text!r} is in none of the formats")
        moments.append(moment)
    return moments


def parse(text, formats):
    for form in formats:
        try:
            return datetime.strptime(text, form)
        except ValueError:
            continue
    raise ValueError(f"{text!r} is in none of the formats")


def by_function(texts, formats):
    moments = []
    for text in texts:
        moment = parse(text, formats)
        moments.append(moment)
    return moments
