"""Syntax by a CoreNLP server: one that is started and stopped, or one that is reached by URL.

When not to use it: for many documents; run a server by yourself then, and use its own clients.
"""

from .client import CoreNLP
from .server import ServerError

__all__ = ["CoreNLP", "ServerError"]
