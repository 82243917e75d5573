"""The server's Java archives: fetched once by Maven, and checked."""

import fcntl
import hashlib
import os
import shutil
import subprocess
import sys
import time
from pathlib import Path

from .urls import one_line

HERE = Path(__file__).parent
VERSION = "4.5.10"
PLUGIN = "org.apache.maven.plugins:maven-dependency-plugin:3.8.1:copy-dependencies"


class FetchError(Exception):
    """The archives are not there and cannot be had; the text is one line."""


def folder():
    cache = os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache"
    return Path(cache) / "syncwrite" / f"corenlp-{VERSION}"


def expected():
    """Name, bytes and SHA-256 of each archive."""
    lines = (HERE / "jars.sha256").read_text().splitlines()
    return [(name, int(size), digest) for digest, size, name in map(str.split, lines)]


def complete(place):
    """Checksums are compared when the archives are fetched; afterwards their sizes."""
    return all((place / name).is_file() and (place / name).stat().st_size == size for name, size, _ in expected())


def ensure(place=None):
    """Return the folder with all archives; fetch them if they are not there."""
    place = Path(place) if place else folder()
    try:
        if not complete(place):
            fetch_once(Path(os.path.realpath(place)))  # of . there is no name to put .lock behind
    except (OSError, ValueError) as err:  # a ValueError is that of a zero byte, or of /
        raise FetchError(f"keep the archives in {one_line(place)}: {getattr(err, 'strerror', None) or one_line(err)}") from None
    return place


def fetch_once(place):
    """Fetch the archives, but once for two that start at once."""
    place.mkdir(parents=True, exist_ok=True)
    with open(place.with_name(place.name + ".lock"), "w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not complete(place):
            fetch(place)


def fetch(place):
    if not shutil.which("mvn"):
        raise FetchError("Maven is needed to fetch the CoreNLP server: install maven (apt-get install maven)")
    partial = place.with_name(place.name + ".partial")  # what is whole there is not fetched again
    partial.mkdir(exist_ok=True)
    command = ["mvn", "-B", "-q", "-f", str(HERE / "pom.xml"), PLUGIN, f"-DoutputDirectory={partial / 'jars'}", f"-Dmaven.repo.local={partial / 'repository'}"]
    with open(partial / "log", "w+") as log:
        maven = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=log, stderr=log)
        try:
            show_progress(maven, partial / "repository")
        finally:
            if maven.poll() is None:
                maven.terminate()
                maven.wait()
        log.seek(0)
        check(maven.returncode, log.read(), partial / "jars")
    for name, _, _ in expected():  # one by one: what else the user has in the folder stays
        os.replace(partial / "jars" / name, place / name)
    shutil.rmtree(partial)


def show_progress(maven, repository):
    """One line that is written over on a terminal; elsewhere one line every ten seconds."""
    total = sum(size for _, size, _ in expected())
    terminal = sys.stderr.isatty()
    start = shown = time.monotonic()
    while maven.poll() is None:
        time.sleep(0.2)
        now = time.monotonic()
        if now - shown >= (0.5 if terminal else 10):
            shown = now
            line = f"corenlp: fetching the server and its models: {min(held(repository), total) >> 20} of {total >> 20} MB"
            print(f"\r{line}" if terminal else line, end="" if terminal else "\n", file=sys.stderr, flush=True)
    print(f"{chr(10) if terminal else ''}corenlp: fetched {min(held(repository), total) >> 20} MB in {time.monotonic() - start:.0f} s; checking", file=sys.stderr)


def held(repository):
    """Bytes of the archives that have come. Maven's own parts come by the same way."""
    total = 0
    for parent, _, names in os.walk(repository):
        for name in names:
            try:
                total += os.stat(os.path.join(parent, name)).st_size
            except FileNotFoundError:
                pass  # renamed meanwhile
    return total


def check(code, said, place):
    if code != 0:
        errors = [line for line in said.splitlines() if "ERROR" in line] or said.splitlines() or [f"exit code {code}"]
        raise FetchError(f"mvn: {errors[0].strip()[:300]}")
    for name, _, digest in expected():
        path = place / name
        if not path.is_file():
            raise FetchError(f"Maven has not brought {name}")
        with open(path, "rb") as file:
            found = hashlib.file_digest(file, "sha256").hexdigest()
        if found != digest:
            shutil.rmtree(place.parent)  # Maven would take the same file again
            raise FetchError(f"{name} has the SHA-256 {found}, not {digest}")
