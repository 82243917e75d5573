import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

import command
import comparison
from command import main

SCRIPT = Path(command.__file__).with_name("forelse.py")


def test_measures_and_writes(tmp_path, capsys, monkeypatch):
    """One pass over the real thing; its figures say nothing."""
    monkeypatch.setattr(command, "FAIL_FIRST", (0, 2))
    monkeypatch.setattr(command, "PROCESSES", 1)
    monkeypatch.setattr(comparison, "PROCESSES", 1)
    assert main(["--quick", "--rounds", "2", "-o", str(tmp_path / "new")]) == 0
    out, err = capsys.readouterr()
    assert (tmp_path / "new/forelse.md").read_text() == out
    assert (tmp_path / "new/forelse.png").read_bytes().startswith(b"\x89PNG")
    assert "<svg" in (tmp_path / "new/forelse.svg").read_text()
    assert [line.split("|")[1].strip() for line in out.splitlines()[2:4]] == ["0", "2"]
    assert out.endswith("\n\n--quick: these figures say nothing.\n")
    assert err.endswith("forelse: round 2 of 2\n")


def test_bad_input_is_one_line(tmp_path, capsys):
    (tmp_path / "taken").write_text("")
    for words, code in ((["--rounds", "4"], 2), (["--rounds", "1", "--quick"], 2), (["--rounds", "x"], 2), (["--nonsense"], 2), (["left over"], 2), (["-o", str(tmp_path / "taken")], 1)):
        assert main(words) == code
        out, err = capsys.readouterr()
        assert out == "" and err.startswith("forelse: ") and err.count("\n") == 1


def test_pyperf_that_fails_is_one_line(tmp_path, capsys, monkeypatch):
    monkeypatch.setattr(command, "TURNS", (("forelse", "no such way"),))
    assert main(["--quick", "-o", str(tmp_path)]) == 2
    assert capsys.readouterr().err.startswith("forelse: pyperf: ")
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("send, sign", [(os.killpg, signal.SIGINT), (os.kill, signal.SIGTERM), (os.kill, signal.SIGHUP)])
def test_interrupted(tmp_path, send, sign):
    """Ctrl-C, which a terminal sends to all of its processes, and a kill of this one leave none and no file."""
    env = {**os.environ, "TMPDIR": str(tmp_path)}
    run = subprocess.Popen([sys.executable, SCRIPT, "-o", tmp_path], env=env, stderr=subprocess.PIPE, text=True, start_new_session=True)
    deadline = time.monotonic() + 20
    while not list(tmp_path.glob("*/*.json")) and time.monotonic() < deadline:
        time.sleep(0.05)
    send(run.pid, sign)
    said = run.communicate(timeout=20)[1]
    assert (run.returncode, said.splitlines()[-1]) == (128 + sign, "forelse: interrupted: nothing is written")
    assert list(tmp_path.iterdir()) == []
    for _ in range(50):
        try:
            os.killpg(run.pid, 0)
        except ProcessLookupError:
            return
        time.sleep(0.1)
    raise AssertionError("a process is left")


def test_no_place_for_what_it_prints(capfd, monkeypatch):
    def full(_):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(command, "run", full)
    assert main([]) == 1
    assert capfd.readouterr().err == "forelse: write stdout: No space left on device\n"


@pytest.mark.parametrize("module", ["argparse", "pyperf", "matplotlib"])
def test_interrupted_while_it_loads(tmp_path, module):
    (tmp_path / f"{module}.py").write_text("import os, signal, time\ntry:\n    os.kill(os.getpid(), signal.SIGINT)\n    time.sleep(9)\nexcept BaseException:\n    pass\n")
    done = subprocess.run([sys.executable, SCRIPT], env={**os.environ, "PYTHONPATH": str(tmp_path)}, cwd=tmp_path, capture_output=True, text=True, timeout=60)
    assert (done.returncode, done.stdout, done.stderr) == (130, "", "")
