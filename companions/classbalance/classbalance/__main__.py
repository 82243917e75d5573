"""Starts the command. What it needs takes its time to load, and packages can swallow a
KeyboardInterrupt meanwhile: until it is loaded Ctrl-C ends the process at once."""

import os
import signal
import sys

if __name__ == "__main__":
    caught = signal.getsignal(signal.SIGINT)
    if caught is signal.default_int_handler:  # else it is ignored, as behind nohup
        signal.signal(signal.SIGINT, lambda *_: os._exit(128 + signal.SIGINT))
    from .command import main

    signal.signal(signal.SIGINT, caught)
    try:
        sys.exit(main())
    except KeyboardInterrupt:
        sys.exit(128 + signal.SIGINT)
