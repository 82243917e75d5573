"""What is forked off the process inside of its with block."""

import os
import signal
import sys
import time

import pytest


@pytest.fixture
def fork():
    """Runs a function in a child; returns what waits for its exit code."""
    children = []

    def begin(work):
        child = os.fork()
        if child == 0:
            code = 1
            try:
                code = work()
            finally:
                os._exit(code or 0)
        children.append(child)
        return lambda: exit_code(child)

    yield begin
    for child in children:
        try:
            os.kill(child, signal.SIGKILL)
            os.waitpid(child, 0)
        except (ProcessLookupError, ChildProcessError):
            pass  # it was waited for


def exit_code(child, seconds=30):
    deadline = time.monotonic() + seconds
    while time.monotonic() < deadline:
        ended, status = os.waitpid(child, os.WNOHANG)
        if ended:
            return os.waitstatus_to_exitcode(status)
        time.sleep(0.05)
    raise AssertionError("the child hangs")


def test_each_process_gets_the_answers_to_its_own_texts(start, fork):
    def ask(name):
        for k in range(60):
            assert nlp.tokenize(f"{name} {k}") == [[name, str(k)]]

    with start() as nlp:
        ask("before")  # a connection that is kept would be there now, for all
        children = [fork(lambda: ask(f"child{k}")) for k in range(3)]
        ask("parent")
        assert [wait() for wait in children] == [0, 0, 0]
