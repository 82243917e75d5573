import io
import os
import subprocess
import sys

import pytest
from conftest import HERE, fake_folder, fake_java

from corenlp import CoreNLP
from corenlp.command import main


@pytest.fixture(scope="module")
def url(tmp_path_factory):
    place = tmp_path_factory.mktemp("command")
    with CoreNLP(folder=fake_folder(place), java=fake_java(place)) as nlp:
        yield nlp.server.url


def test_what_is_shown(url, capsys):
    for show, want in (
        ("tokens", "Is it ?\nIt is .\n"),
        ("tags", "Is/X it/X ?/X\nIt/X is/X ./X\n"),
        ("dependencies", "Is\tX\t0\tROOT\nit\tX\t1\tdep\n?\tX\t2\tdep\n\nIt\tX\t0\tROOT\nis\tX\t1\tdep\n.\tX\t2\tdep\n\n"),
    ):
        assert main(["--url", url, "--show", show, "Is it? It is."]) == 0
        assert capsys.readouterr().out == want


def test_trees(url, capsys):
    assert main(["--url", url, "Is it?"]) == 0
    tree = capsys.readouterr().out
    assert tree.split()[0] == "ROOT" and tree.split()[-3:] == ["Is", "it", "?"]
    assert main(["--url", url, "--best", "2", "Is it?"]) == 0
    assert capsys.readouterr().out.count("log2 of its score") == 2


def test_stdin(url, capsys, monkeypatch):
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO("Größe. 日本.".encode())))
    assert main(["--url", url, "--show", "tokens"]) == 0
    assert capsys.readouterr().out == "Größe .\n日本 .\n"


def test_other_ends_of_its_pipes(url):
    """What is piped in is no text; who reads what is piped out stops reading."""
    command = [sys.executable, "-m", "corenlp", "--url", url, "--show", "tokens"]
    done = subprocess.run(command, cwd=HERE.parent, input=b"a \xff b", capture_output=True)
    assert (done.returncode, done.stdout.decode(), done.stderr) == (0, "a \ufffd b\n", b"")
    done = subprocess.run(["sh", "-c", 'exec 3>&1; { "$@" 3>&-; echo $? >&3; } | true', "-", *command, "a. " * 30000], cwd=HERE.parent, capture_output=True)
    assert (done.stdout, done.stderr) == (b"1\n", b"")


@pytest.mark.parametrize("words, pipes, encoding, want", [
    ([], "<&-", "utf-8", (2, "", "corenlp: there is no text, and stdin is closed\n")),
    (["a"], ">&-", "utf-8", (0, "", "")),
    (["é 日"], "", "latin-1", (0, "é \\u65e5\n", "")),
    (["a"], ">/dev/full", "utf-8", (1, "", "corenlp: write stdout: No space left on device\n")),
])
def test_pipes_that_are_closed_or_narrow(url, words, pipes, encoding, want):
    if "/dev/full" in pipes and not os.path.exists("/dev/full"):
        pytest.skip("only some systems have it")
    run = ["sh", "-c", f'exec "$@" {pipes}', "-", sys.executable, "-m", "corenlp", "--url", url, "--show", "tokens", *words]
    env = {**os.environ, "PYTHONIOENCODING": encoding, "PYTHONUNBUFFERED": ""}
    done = subprocess.run(run, cwd=HERE.parent, env=env, capture_output=True, encoding=encoding)
    assert (done.returncode, done.stdout, done.stderr) == want


@pytest.mark.parametrize("words", [["--best", "0"], ["--best", "x"], ["--port", "0"], ["--port", "99999"], ["--timeout", "-1"], ["--show", "pies"], ["--nonsense"], ["--url", ""]])
def test_bad_input_is_one_line(capsys, words):
    with pytest.raises(SystemExit) as ended:
        main([*words, "text"])
    out, err = capsys.readouterr()
    assert ended.value.code == 2 and out == "" and err.startswith("corenlp: ") and err.count("\n") == 1


def test_what_is_no_whole_number_is_named(capsys):
    with pytest.raises(SystemExit):
        main(["--timeout", "0.5", "text"])
    assert capsys.readouterr().err == "corenlp: argument --timeout: invalid whole number value: '0.5'\n"


def test_nobody_there(capsys):
    assert main(["--url", "http://127.0.0.1:1", "text"]) == 1
    assert capsys.readouterr().err == "corenlp: http://127.0.0.1:1 does not answer: Connection refused\n"


@pytest.mark.parametrize("module", ["argparse", "requests", "nltk"])
def test_interrupted_while_it_loads(tmp_path, module):
    (tmp_path / f"{module}.py").write_text("import os, signal, time\ntry:\n    os.kill(os.getpid(), signal.SIGINT)\n    time.sleep(9)\nexcept BaseException:\n    pass\n")
    done = subprocess.run([sys.executable, "-m", "corenlp", "--fetch"], env={**os.environ, "PYTHONPATH": f"{tmp_path}:{HERE.parent}"}, cwd=tmp_path, capture_output=True, text=True, timeout=60)
    assert (done.returncode, done.stdout, done.stderr) == (130, "", "")
