"""Starts the command. What it needs takes its time to load: Ctrl-C is caught from the first line on."""

import sys

if __name__ == "__main__":
    try:
        from .command import main

        sys.exit(main())
    except KeyboardInterrupt:
        sys.exit(130)
