"""What is forked off the process inside of its with block."""

import multiprocessing
import os
import signal
import time

import pytest

from corenlp import ServerError


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


@pytest.mark.parametrize("lock", [lambda server: server.popen._waitpid_lock, lambda server: server.reading], ids=["waits", "reads"])
def test_a_child_that_leaves_the_block_stops_nothing(start, fork, lock):
    """A lock that another thread held when the child was forked is held for ever in the child."""
    nlp = start()

    def leave():
        nlp.__exit__()
        with pytest.raises(ServerError, match="no server outside of the with block"):
            nlp.tokenize("a")

    with nlp:
        with lock(nlp.server):
            wait = fork(leave)
        assert wait() == 0
        assert nlp.tokenize("It goes on.") == [["It", "goes", "on", "."]]


def test_a_child_knows_of_no_death(start, fork):
    """It is no parent of the server, which it cannot wait for."""
    def ask():
        until_stopped.acquire()
        with pytest.raises(ServerError, match="127.0.0.1:[0-9]+ does not answer: Connection refused$"):
            nlp.tokenize("A secret of mine.")

    until_stopped = multiprocessing.Semaphore(0)
    with start() as nlp:
        wait = fork(ask)
    until_stopped.release()
    assert wait() == 0
