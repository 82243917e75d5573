import os
import sys
import time
from pathlib import Path

import pytest

HERE = Path(__file__).parent
sys.path.insert(0, str(HERE.parent))

from corenlp import CoreNLP, jars


@pytest.fixture
def folder(tmp_path):
    return fake_folder(tmp_path)


@pytest.fixture
def stub(tmp_path):
    return fake_java(tmp_path)


def fake_folder(tmp_path):
    """Looks like the fetched archives: files of the right sizes, with holes in place of content."""
    place = tmp_path / "jars"
    place.mkdir()
    for name, size, _ in jars.expected():
        with open(place / name, "wb") as file:
            file.truncate(size)
    return place


def fake_java(tmp_path):
    """A java that is none: stub.py, run by the Python of the tests."""
    path = tmp_path / "java"
    path.write_text(f'#!/bin/sh\nexec {sys.executable} {HERE / "stub.py"} "$@"\n')
    path.chmod(0o755)
    return str(path)


@pytest.fixture
def start(folder, stub):
    """Starts a client with the stub; afterwards no process is left."""
    def begin(**options):
        return CoreNLP(**{"folder": folder, "java": stub, "start_timeout": 20, **options})

    yield begin
    assert left(folder) == []


def processes(folder):
    """The processes that were started with this folder of archives: java and its keeper."""
    found = []
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit() and int(entry.name) != os.getpid():
            try:
                line = (entry / "cmdline").read_bytes().replace(b"\0", b" ").decode(errors="replace")  # others' need be no text
            except OSError:
                continue
            if str(folder) + "/*" in line:
                found.append((int(entry.name), line))
    return found


def left(folder, seconds=10):
    """Those that have not gone within some seconds."""
    deadline = time.monotonic() + seconds
    while processes(folder) and time.monotonic() < deadline:
        time.sleep(0.1)
    return processes(folder)
