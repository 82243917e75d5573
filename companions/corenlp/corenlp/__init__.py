"""Syntax by a CoreNLP server: one that is started and stopped, or one that is reached by URL.

When not to use it: for many documents; run a server by yourself then, and use its own clients.
"""

__all__ = ["CoreNLP", "ServerError"]


def __getattr__(name):
    """Load it when it is first asked for: the command is to catch Ctrl-C before that."""
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from . import client

    return getattr(client, name)


def __dir__():
    return [*globals(), *__all__]
