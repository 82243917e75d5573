"""How well a classifier keeps the balance of the classes, drawn.

When not to use it: for regressions, and for rows that have several classes at once.
"""

from .display import KINDS, ClassBalanceDisplay

__all__ = ["KINDS", "ClassBalanceDisplay"]
