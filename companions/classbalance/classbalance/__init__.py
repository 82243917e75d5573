"""How well a classifier keeps the balance of the classes, drawn.

When not to use it: for regressions, and for rows that have several classes at once.
"""

__all__ = ["KINDS", "ClassBalanceDisplay"]


def __getattr__(name):
    """Load it when it is first asked for: the command is to catch Ctrl-C before that."""
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from . import display

    return getattr(display, name)


def __dir__():
    return [*globals(), *__all__]
