"""URLs and errors as they may be shown: on one line, without a password."""

import re
from urllib.parse import unquote


def shown(url):
    """A URL without its user and password."""
    return one_line(url.replace(f"{userinfo(url)}@", "", 1))


def hide(text, url):
    """A text that may repeat the URL, or a part of it, without its user and password."""
    secret = userinfo(url)
    password = secret.partition(":")[2]
    pieces = {piece for whole in (secret, password) for piece in [whole, *re.split("[/?#]", whole)]}  # requests cuts a URL there
    for piece in sorted(pieces | set(map(unquote, pieces)), key=len, reverse=True):
        if piece:
            text = text.replace(piece, "***")
    return re.sub(r"//[^\s/]*@", "//", text)


def userinfo(url):
    """What stands before the last @, also where the URL is none."""
    before, found, rest = url.partition("//")
    return (rest if found else before).rpartition("@")[0]


def cause(err):
    """The innermost reason of an error of requests, without the objects it names."""
    while inner := [part for part in err.args if isinstance(part, BaseException)]:
        err = inner[-1]
    return re.sub(r"^\[Errno -?\d+\] ", "", str(getattr(err, "reason", err)).rpartition(": ")[2])


def one_line(text):
    return " ".join("".join(c if c.isprintable() else " " for c in str(text)).split())[:300]
