"""A CoreNLP server of our own: started, waited for, and stopped whatever happens."""

import os
import secrets
import shutil
import socket
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path

import requests
from nltk.parse.corenlp import CoreNLPServer, CoreNLPServerError

from . import bounded, jars
from .urls import hide, one_line

PRELOAD = "tokenize,ssplit,pos,lemma,parse,depparse"


class ServerError(CoreNLPServerError):
    """The server cannot be started or reached, or does not do what it is asked; one line."""


class KeptServer(CoreNLPServer):
    """NLTK's CoreNLPServer, whose process is run by keeper.py: it stops with this process.

    The server listens on all addresses of the machine, as CoreNLP does. So it asks for a
    password, which url holds.
    """

    def __init__(self, memory="2g", port=None, timeout=60, start_timeout=120, folder=None, java="java"):
        self.timeout, self.start_timeout = timeout, start_timeout
        self.java = shutil.which(java)
        if self.java is None:
            raise ServerError(f"there is no {java}: install Java (apt-get install default-jre-headless)")
        try:
            self.folder = jars.ensure(folder)
        except jars.FetchError as err:
            raise ServerError(str(err)) from None
        self.memory = memory
        self.user, self.password = "companion", secrets.token_hex(16)
        port = free_port(port or 0)
        super().__init__(
            path_to_jar=str(self.folder / f"stanford-corenlp-{jars.VERSION}.jar"),
            path_to_models_jar=str(self.folder / f"stanford-corenlp-{jars.VERSION}-models.jar"),
        )
        # Its choice of a port is put aside: to it, one that a server has just left is taken. In a
        # forked process a name, such as localhost, may never be looked up: glibc has a lock for that.
        self.corenlp_options = ["-preload", PRELOAD, "-timeout", str(int(timeout * 1000)), "-port", str(port)]
        self.address = f"http://127.0.0.1:{port}"
        self.url = f"http://{self.user}:{self.password}@127.0.0.1:{port}"
        self.popen, self.owner = None, os.getpid()
        self.reading = threading.Lock()  # other threads read the log while it is closed

    def start(self):
        """Return when the server answers. Whoever calls this calls stop, even if it fails."""
        try:
            self.log = tempfile.TemporaryFile()  # without a name: the server repeats the texts in it
            secret = self.write_secret()
        except OSError as err:
            raise ServerError(f"keep the server's log: {err.strerror}") from None
        try:
            self.start_keeper(secret)
            self.wait()
        finally:
            Path(secret).unlink(missing_ok=True)

    def start_keeper(self, secret):
        """Start Java by way of its keeper. Without memory Java ends: it might go on and never answer."""
        keeper = Path(__file__).with_name("keeper.py")
        command = [self.java, f"-Xmx{self.memory}", "-XX:+ExitOnOutOfMemoryError", "-cp", str(self.folder / "*"), "edu.stanford.nlp.pipeline.StanfordCoreNLPServer"]
        try:
            self.popen = subprocess.Popen(
                [sys.executable, "-I", str(keeper), secret, *command, "-props", secret, *self.corenlp_options],
                stdin=subprocess.PIPE, stdout=self.log, stderr=self.log, start_new_session=True,
            )
        except OSError as err:
            raise ServerError(f"start the server's keeper: {err.strerror}") from None

    def write_secret(self):
        """Write the password to a file that nobody else may read: command lines are seen by all."""
        file, path = tempfile.mkstemp(prefix="corenlp-")
        with open(file, "w") as secret:
            secret.write(f"username = {self.user}\npassword = {self.password}\n")
        return path

    def wait(self):
        deadline = time.monotonic() + self.start_timeout
        while not self.answers(f"{self.address}/ready", max(0.1, min(5, deadline - time.monotonic()))):
            if self.popen.poll() is not None:
                raise ServerError(f"the server ended with exit code {self.popen.returncode}: {self.last_words()}")
            if time.monotonic() > deadline:
                raise ServerError(f"the server was not ready after {self.start_timeout} s: {self.last_words()}")
            time.sleep(0.2)
        if self.popen.poll() is not None or not self.is_ours(deadline):
            raise ServerError(f"another server answers at {self.address}")

    def answers(self, url, seconds):
        """Whether it says yes, or none if there is no answer."""
        try:
            return bounded.request("get", url, seconds, trust_env=False)[0].ok  # neither proxy nor .netrc is for our own
        except requests.RequestException:
            return None

    def is_ours(self, deadline):
        """Nobody else's server refuses those who do not know our password, and only those. A
        page is asked for: to annotate takes time, of which the user may give the server little."""
        seconds = max(5, deadline - time.monotonic())
        return self.answers(self.address, seconds) is False and self.answers(self.url, seconds) is True

    def is_owner(self):
        return os.getpid() == self.owner

    def dead(self):
        """Whether the server has ended; its keeper may need a moment to notice. What is forked
        off this process cannot wait for the keeper, and does not know."""
        if not self.is_owner():
            return False
        try:
            self.popen.wait(1)
        except subprocess.TimeoutExpired:
            return False
        return True

    def last_words(self):
        """The end of what the server said, in one line that a terminal can show."""
        with self.reading:
            if self.log.closed:
                return "it was stopped"
            log = self.log.fileno()
            end = os.pread(log, 2000, max(0, os.fstat(log).st_size - 2000))  # a seek would move the server's own place
        lines = [one_line(line) for line in end.decode(errors="replace").splitlines() if line.strip()]
        causes = [line for line in lines if not line.startswith(("at ", "SLF4J"))]
        fatal = [line for line in lines if line.startswith("Terminating due to")]  # as Java says that it has no memory
        return hide(one_line("; ".join((fatal or causes or lines or ["it said nothing"])[-3:])), self.url)

    def stop(self):
        """Stop the server, and wait until it has gone. What is forked off this process stops nothing."""
        if self.popen is None or not self.is_owner():
            return
        try:
            self.popen.terminate()  # the keeper; a fork of this process may hold the pipe open
            self.popen.stdin.close()
            self.popen.wait(15)
        except subprocess.TimeoutExpired:
            self.kill()
            raise ServerError(f"the server at {self.address} did not stop within 15 s, and was killed") from None
        except BaseException:
            self.kill()
            raise
        finally:
            with self.reading:
                self.log.close()

    def kill(self):
        self.popen.kill()  # the kernel then ends Java, where it is Linux
        self.popen.wait()


def free_port(port):
    """Return the port, or any if it is 0, that is free on all addresses of the machine: there
    CoreNLP will listen. As for CoreNLP, connections that were closed do not take it."""
    both = socket.has_dualstack_ipv6()
    try:
        with socket.socket(socket.AF_INET6 if both else socket.AF_INET) as trial:
            trial.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            if both:
                trial.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_V6ONLY, 0)
            trial.bind(("", port))
            return trial.getsockname()[1]
    except OSError as err:
        raise ServerError(f"listen at port {port}: {err.strerror}") from None
    except OverflowError:
        raise ServerError(f"port {port} is not within 1 to 65535") from None
