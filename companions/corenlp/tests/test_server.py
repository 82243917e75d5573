"""The server is started, waited for, and stopped, whatever happens."""

import os
import signal
import socket
import subprocess
import sys
import threading
import time

import pytest
from conftest import HERE, left, processes

from corenlp import CoreNLP, ServerError
from corenlp.server import free_port


def slow(value):
    return pytest.param(value, marks=pytest.mark.slow)


DRIVER = """
import os, signal, sys, time
from corenlp import CoreNLP
print("begins", flush=True)
with CoreNLP(folder=sys.argv[1], java=sys.argv[2], start_timeout=20) as nlp:
    print("up", flush=True)
    {then}
"""


@pytest.fixture
def driver(folder, stub):
    """Another Python with a server; afterwards it has gone."""
    running = []

    def begin(then="time.sleep(600)"):
        env = {**os.environ, "PYTHONPATH": str(HERE.parent)}
        command = [sys.executable, "-c", DRIVER.format(then=then), str(folder), stub]
        child = subprocess.Popen(command, env=env, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, start_new_session=True)
        running.append(child)
        return child

    yield begin
    for child in running:
        child.kill()
        child.communicate()


def wait_for(child, word):
    assert child.stdout.readline().strip() == "begins"
    if word == "up":
        assert child.stdout.readline().strip() == "up", child.stderr.read()


def test_stopped_at_the_end_and_on_error(start, folder):
    with start():
        assert len(processes(folder)) == 2
    assert processes(folder) == []
    with pytest.raises(ZeroDivisionError), start():
        1 / 0
    assert processes(folder) == []


def test_processes_of_others_need_be_no_text(folder):
    other = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(60)", b"caf\xe9"])
    try:
        assert processes(folder) == []
    finally:
        other.kill()
        other.wait()


@pytest.mark.parametrize("moment", [slow(0.0), 0.2, slow(0.4), slow(0.7), slow(1.0), "up"])
def test_ctrl_c_at_any_moment(driver, folder, moment):
    child = driver()
    wait_for(child, moment)
    if moment != "up":
        time.sleep(moment)
    os.killpg(child.pid, signal.SIGINT)
    assert child.wait(20) == -signal.SIGINT
    assert left(folder) == []


@pytest.mark.slow
def test_ctrl_c_twice(driver, folder, monkeypatch):
    monkeypatch.setenv("STUB", "deaf")
    child = driver()
    wait_for(child, "up")
    os.killpg(child.pid, signal.SIGINT)
    time.sleep(0.3)
    os.killpg(child.pid, signal.SIGINT)
    assert child.wait(20) != 0
    assert left(folder) == []


@pytest.mark.parametrize("moment", [slow(0.1), slow(0.3), slow(0.6), "up"])
@pytest.mark.parametrize("sign", [signal.SIGKILL, signal.SIGTERM])
def test_the_parent_dies(driver, folder, moment, sign):
    child = driver()
    wait_for(child, moment)
    if moment != "up":
        time.sleep(moment)
    os.kill(child.pid, sign)
    assert child.wait(20) == -sign
    assert left(folder) == []


def test_the_parent_dies_and_its_own_child_lives_on(driver, folder):
    """What was forked off the parent holds the pipe to the keeper, too."""
    child = driver("pid = os.fork()\n    if pid == 0: time.sleep(600); os._exit(0)\n    print(pid, flush=True); time.sleep(600)")
    wait_for(child, "up")
    grandchild = int(child.stdout.readline())
    try:
        os.kill(child.pid, signal.SIGKILL)
        child.wait(20)
        assert [line for _, line in left(folder) if "sleep" not in line and "begins" not in line] == []
    finally:
        os.kill(grandchild, signal.SIGKILL)


def test_stopped_at_once_though_a_fork_lives_on(start):
    """The fork holds a copy of the pipe by which the keeper is told."""
    with start():
        pid = os.fork()
        if pid == 0:
            time.sleep(60)
            os._exit(0)
        begun = time.monotonic()
    try:
        assert time.monotonic() - begun < 6
    finally:
        os.kill(pid, signal.SIGKILL)
        os.waitpid(pid, 0)


def test_the_block_ends_while_other_threads_parse(start, monkeypatch):
    """They hear that, and not of a death, which would quote the text from the server's log."""
    monkeypatch.setenv("STUB", "hangs")
    said = []

    def parse(nlp):
        try:
            nlp.parse("A secret of mine.")
        except BaseException as err:
            said.append(repr(err))

    with start() as nlp:
        threads = [threading.Thread(target=parse, args=(nlp,)) for _ in range(4)]
        for thread in threads:
            thread.start()
        while nlp.server.last_words().count("secret") < 3:  # of what it said the last three lines are shown
            time.sleep(0.05)
    for thread in threads:
        thread.join(10)
    assert said == ["ServerError('the with block ended while the server was asked')"] * 4
    assert nlp.server.last_words() == "it was stopped", "who looks for a death then finds the log closed"


def test_a_client_is_entered_once_at_a_time(start, folder):
    with start() as nlp:
        with pytest.raises(ServerError, match="this client is in a with block already"), nlp:
            pass
        assert nlp.tokenize("a") == [["a"]] and len(processes(folder)) == 2
    with nlp:
        assert nlp.tokenize("a") == [["a"]]


def test_little_time_for_a_parse_is_enough_to_start(start, monkeypatch):
    monkeypatch.setenv("STUB", "late")
    with start(timeout=0.3) as nlp, pytest.raises(ServerError, match="has not answered within 0.3 s|request timed out"):
        nlp.parse("a")


def test_one_that_does_not_stop_is_killed_with_one_line(start, folder, monkeypatch):
    nlp = start()
    with pytest.raises(ServerError, match=r"the server at http://127.0.0.1:\d+ did not stop within 15 s, and was killed$"), nlp:
        os.kill(nlp.server.popen.pid, signal.SIGSTOP)
        wait = nlp.server.popen.wait
        monkeypatch.setattr(nlp.server.popen, "wait", lambda timeout=None: wait(timeout and 0.5))
    assert left(folder) == []


def test_no_proxy_and_no_netrc_is_between(start, monkeypatch, tmp_path):
    netrc = tmp_path / "netrc"
    netrc.write_text("machine 127.0.0.1 login other password other\n")
    for name in ("http_proxy", "HTTP_PROXY", "ALL_PROXY"):
        monkeypatch.setenv(name, "http://127.0.0.1:1")
    monkeypatch.setenv("NETRC", str(netrc))
    with start() as nlp:
        assert nlp.tokenize("a") == [["a"]]


def test_nobody_sees_the_password(start, folder, tmp_path, monkeypatch):
    place = tmp_path / "temporary"
    place.mkdir()
    monkeypatch.setattr("tempfile.tempdir", str(place))
    with start() as nlp:
        assert len(processes(folder)) == 2
        assert all(nlp.server.password not in line for _, line in processes(folder))
        assert list(place.iterdir()) == [], "it stays in a file"


def test_one_that_answers_byte_by_byte_is_not_ready(start, monkeypatch):
    monkeypatch.setenv("STUB", "drips")
    begun = time.monotonic()
    with pytest.raises(ServerError, match="the server was not ready after 2 s"), start(start_timeout=2):
        pass
    assert time.monotonic() - begun < 8


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux tells the server that its keeper was killed")
def test_the_keeper_is_killed(start, folder):
    with start() as nlp:
        os.kill(nlp.server.popen.pid, signal.SIGKILL)
        assert left(folder) == []
        with pytest.raises(ServerError, match="it has died"):
            nlp.tokenize("Hello.")


@pytest.mark.slow
def test_one_that_ignores_sigterm_is_killed(start, monkeypatch):
    monkeypatch.setenv("STUB", "deaf")
    with start():
        pass


@pytest.mark.slow
def test_two_side_by_side(start):
    with start() as one, start() as two:
        assert one.server.address != two.server.address
        assert one.tokenize("a") == two.tokenize("a") == [["a"]]


@pytest.mark.slow
def test_started_again(start):
    nlp = start()
    for _ in range(2):
        with nlp:
            assert nlp.tokenize("a") == [["a"]]


def test_a_port_can_be_used_again_at_once(start):
    """The server ends before its connections do: Linux keeps their ends for a minute."""
    port = free_port(0)
    for _ in range(2):
        with start(port=port) as nlp, socket.create_connection(("127.0.0.1", port)) as open_still:
            open_still.sendall(b"GET /live HTTP/1.1\r\nHost: localhost\r\n\r\n")
            assert nlp.tokenize("a") == [["a"]]
            nlp.server.stop()
            assert open_still.makefile("rb").read().endswith(b"ready\n"), "what is not read would reset the connection"


@pytest.mark.parametrize("address", ["127.0.0.1", "0.0.0.0", "::1", "::"])
def test_port_taken(start, address):
    if ":" in address and not socket.has_dualstack_ipv6():
        pytest.skip("there is no IPv6")
    with socket.create_server((address, 0), family=socket.AF_INET6 if ":" in address else socket.AF_INET) as taken:
        port = taken.getsockname()[1]
        with pytest.raises(ServerError, match=f"listen at port {port}: Address already in use"), start(port=port):
            pass
    for port in (70000, -1):
        with pytest.raises(ServerError, match="is not within 1 to 65535"), start(port=port):
            pass


def test_port_and_memory_are_given_to_java(start, folder):
    port = free_port(0)
    with start(port=port, memory="3g", timeout=7) as nlp:
        assert nlp.server.address == f"http://127.0.0.1:{port}"
        lines = [line for _, line in processes(folder)]
        assert all("-Xmx3g" in line and "-XX:+ExitOnOutOfMemoryError" in line and f"-port {port}" in line and "-timeout 7000" in line for line in lines)


def test_another_server_on_the_port_is_not_taken_for_ours(start, folder, monkeypatch):
    """Somebody else gets the port after it was found free: ours cannot listen there."""
    with start() as other:
        port = int(other.server.address.rpartition(":")[2])
        monkeypatch.setattr("corenlp.server.free_port", lambda port: port)
        with pytest.raises(ServerError, match="another server answers|ended with exit code"), start(port=port):
            pass
        assert other.tokenize("a") == [["a"]]


@pytest.mark.parametrize("fault, want", [
    ("no-memory", r"the server ended with exit code 1: Invalid maximum heap size: -Xmx2x; Error: Could not create the Java Virtual Machine. \[2J"),
    ("slow", "the server was not ready after 2 s: it said nothing"),
])
def test_a_server_that_does_not_come_up(start, monkeypatch, fault, want):
    monkeypatch.setenv("STUB", fault)
    with pytest.raises(ServerError, match=want), start(start_timeout=2 if fault == "slow" else 20):
        pass


@pytest.mark.parametrize("fault, want", [
    ("dies", "it has died: Terminating due to java.lang.OutOfMemoryError: Java heap space"),
    ("hangs", "has not answered within 1 s"),
    ("not-json", "something else than CoreNLP's JSON"),
])
def test_a_server_that_fails_later(start, monkeypatch, fault, want):
    monkeypatch.setenv("STUB", fault)
    with start(timeout=1) as nlp, pytest.raises(ServerError, match=want):
        nlp.tag("Hello.")


def test_a_server_that_has_died_says_of_what(start, monkeypatch):
    monkeypatch.setenv("STUB", "dies")
    with start() as nlp:
        with pytest.raises(ServerError):
            nlp.parse("Hello.")
        nlp.server.popen.wait(10)
        with pytest.raises(ServerError, match="it has died: Terminating due to java.lang.OutOfMemoryError: Java heap space"):
            nlp.parse("Hello.")


def test_garbage_in_the_serialized_form(start, monkeypatch):
    monkeypatch.setenv("STUB", "garbage")
    with start() as nlp, pytest.raises(ServerError, match="ends too early"):
        nlp.parse("Hello.", best=2)


def test_no_room_for_the_log(start, tmp_path, monkeypatch):
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path / "nowhere"))
    with pytest.raises(ServerError, match="keep the server's log: No such file or directory"), start():
        pass


def test_a_keeper_that_cannot_be_started(start, tmp_path, monkeypatch):
    monkeypatch.setattr("sys.executable", str(tmp_path / "nowhere"))
    with pytest.raises(ServerError, match="start the server's keeper: No such file or directory"), start():
        pass


def test_no_java(folder):
    with pytest.raises(ServerError, match="there is no nosuchjava: install Java"), CoreNLP(folder=folder, java="nosuchjava"):
        pass


def test_a_java_that_cannot_be_run(start, tmp_path):
    broken = tmp_path / "broken"
    broken.write_bytes(b"\x7fELF nonsense")
    broken.chmod(0o755)
    with pytest.raises(ServerError, match="Exec format error"), start(java=str(broken)):
        pass


@pytest.mark.parametrize("moment", ["up", "starting"])
def test_no_file_is_left(driver, folder, tmp_path, monkeypatch, moment):
    """The server repeats the texts that it is sent: a log would keep them. Its password is in
    a file until it is ready; the keeper removes that if nobody else can."""
    place = tmp_path / "temporary"
    place.mkdir()
    monkeypatch.setenv("TMPDIR", str(place))
    monkeypatch.setenv("STUB", "" if moment == "up" else "slow")
    child = driver()
    if moment == "up":
        wait_for(child, "up")
    while moment == "starting" and len(processes(folder)) < 2:
        assert child.poll() is None
        time.sleep(0.05)
    os.kill(child.pid, signal.SIGKILL)
    child.wait(20)
    assert left(folder) == [] and list(place.iterdir()) == []
