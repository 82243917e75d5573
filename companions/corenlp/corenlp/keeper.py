"""Runs a command for as long as the process that started this one lives.

The other end of stdin is held by that process: when it dies, however it dies, the kernel
closes it, and the command is stopped. What is forked off that process may hold that end,
too; so the parent is looked at as well.

SECRET is a file that the command reads when it starts; whatever happens, it is removed.

Usage: keeper.py SECRET COMMAND...
"""

import ctypes
import os
import select
import signal
import subprocess
import sys
from pathlib import Path

GRACE = 5  # seconds to end by itself


def main(*command):
    parent = os.getppid()
    stopping = []
    signal.signal(signal.SIGTERM, lambda *_: stopping.append(True))
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        kept = subprocess.Popen(command, stdin=subprocess.DEVNULL, preexec_fn=die_with_parent)
    except OSError as err:
        print(f"start {command[0]}: {err.strerror}", flush=True)
        return 1
    while kept.poll() is None:
        if stopping or os.getppid() != parent or ended(sys.stdin):
            return stop(kept)
    return abs(kept.returncode)


def ended(pipe):
    """Wait a little for the pipe to close."""
    ready, _, _ = select.select([pipe], [], [], 0.1)
    return bool(ready) and os.read(pipe.fileno(), 1) == b""


def stop(kept):
    kept.terminate()
    try:
        kept.wait(GRACE)
    except subprocess.TimeoutExpired:
        kept.kill()
        kept.wait()
    return 0


def die_with_parent():
    """Have Linux kill the command if even this process is killed."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(1, signal.SIGKILL)  # PR_SET_PDEATHSIG


if __name__ == "__main__":
    try:
        sys.exit(main(*sys.argv[2:]))
    finally:
        Path(sys.argv[1]).unlink(missing_ok=True)
