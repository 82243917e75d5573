"""The archives are fetched once, whole, and by one of several that want them: with a Maven
that is none, and small archives."""

import hashlib
import os
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest
from conftest import HERE

from corenlp import CoreNLP, ServerError, jars

BODY = b"archive"


@pytest.fixture
def maven(tmp_path, monkeypatch):
    """Puts another mvn in front, which a test describes; archives are a few bytes."""
    digest = hashlib.sha256(BODY).hexdigest()
    monkeypatch.setattr(jars, "expected", lambda: [(name, len(BODY), digest) for name in ("one.jar", "two.jar")])
    monkeypatch.setenv("PATH", f"{tmp_path}:{os.environ['PATH']}")

    def describe(then):
        path = tmp_path / "mvn"
        path.write_text('#!/bin/sh\necho x >>"$0.calls"\nfor a; do case $a in -DoutputDirectory=*) out=${a#*=};; esac; done\nmkdir -p "$out"\n' + then)
        path.chmod(0o755)
        return tmp_path / "mvn.calls"

    return describe


GOOD = 'printf archive >"$out/one.jar"; printf archive >"$out/two.jar"\n'


def test_fetched_once_and_said(maven, tmp_path, capsys):
    calls = maven(GOOD)
    for _ in range(2):
        assert jars.ensure(tmp_path / "cache/it") == tmp_path / "cache/it"
    assert calls.read_text() == "x\n"
    assert (tmp_path / "cache/it/one.jar").read_bytes() == BODY
    assert sorted(p.name for p in (tmp_path / "cache").iterdir()) == ["it", "it.lock"]
    assert "; checking" in capsys.readouterr().err


def test_one_fetches_for_two(maven, tmp_path):
    calls = maven("sleep 1\n" + GOOD)
    threads = [threading.Thread(target=jars.ensure, args=(tmp_path / "it",)) for _ in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert calls.read_text() == "x\n"


def test_another_content_is_refused_and_fetched_again(maven, tmp_path):
    maven('printf ARCHIVE >"$out/one.jar"; printf archive >"$out/two.jar"\n')
    with pytest.raises(jars.FetchError, match="one.jar has the SHA-256 .* not "):
        jars.ensure(tmp_path / "it")
    assert list((tmp_path / "it").iterdir()) == [] and not (tmp_path / "it.partial").exists()
    maven(GOOD)
    assert jars.ensure(tmp_path / "it")


def test_one_that_was_cut_off_is_fetched_again(maven, tmp_path):
    calls = maven(GOOD)
    jars.ensure(tmp_path / "it")
    (tmp_path / "it/one.jar").write_bytes(b"arch")
    jars.ensure(tmp_path / "it")
    assert calls.read_text() == "x\nx\n" and (tmp_path / "it/one.jar").read_bytes() == BODY


@pytest.mark.parametrize("then, want", [
    ("echo '[ERROR] no route to it'; exit 1\n", r"mvn: \[ERROR\] no route to it"),
    ("exit 1\n", "mvn: exit code 1"),
    ("", "Maven has not brought one.jar"),
])
def test_a_maven_that_fails(maven, tmp_path, then, want):
    maven(then)
    with pytest.raises(jars.FetchError, match=want):
        jars.ensure(tmp_path / "it")
    assert list((tmp_path / "it").iterdir()) == []


def test_what_else_is_in_the_folder_stays(maven, tmp_path, monkeypatch):
    maven(GOOD)
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine/thesis").write_text("years of work")
    monkeypatch.chdir(tmp_path / "mine")
    assert jars.ensure(".") == Path(".")
    assert {p.name: p.read_text() for p in Path().iterdir()} == {"one.jar": "archive", "two.jar": "archive", "thesis": "years of work"}


@pytest.mark.parametrize("place, why", [("file", "File exists"), ("file/in", "Not a directory"), ("n" * 300, "File name too long"), ("a\0b\n", "embedded null byte")])
def test_a_folder_that_is_none(tmp_path, place, why):
    (tmp_path / "file").write_text("")
    with pytest.raises(ServerError) as caught, CoreNLP(folder=f"{tmp_path}/{place}", java=sys.executable):
        pass
    assert str(caught.value).endswith(why) and jars.one_line(f"keep the archives in {tmp_path}/{place[:3]}")[:200] in str(caught.value)
    assert "\n" not in str(caught.value)


def test_no_maven(tmp_path, monkeypatch):
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(jars.FetchError, match="Maven is needed"):
        jars.ensure(tmp_path / "it")


def test_interrupted_while_it_fetches(maven, tmp_path):
    maven("echo $$ >\"$0.pid\"; exec sleep 600\n")
    command = [sys.executable, "-m", "corenlp", "--fetch"]
    env = {**os.environ, "XDG_CACHE_HOME": str(tmp_path / "cache")}
    run = subprocess.Popen(command, cwd=HERE.parent, env=env, stderr=subprocess.PIPE, text=True, start_new_session=True)
    pid = tmp_path / "mvn.pid"
    while not pid.exists() or not pid.read_text():
        time.sleep(0.05)
    os.kill(run.pid, signal.SIGINT)
    assert (run.wait(20), run.stderr.read().splitlines()[-1]) == (130, "corenlp: interrupted")
    with pytest.raises(ProcessLookupError):
        os.kill(int(pid.read_text()), 0)
