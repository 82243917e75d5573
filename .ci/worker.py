"""Holds workers in Go to the master of a real Locust, as .ci/worker starts it: in a directory with
the program syncwrite, by the Python that has Locust.

Two workers in Go and one in Python ask a service that counts what it answers. Users go from 10 to
100 to 20, runs stop and start, a worker is killed, the master too. Masters without a page end by the
clock and by Ctrl-C while slow requests are under way. A link is cut while a run ends. Wherever nothing
was killed, what the service has counted is what the master and the workers' own histograms say, to
the request.
"""

import base64
import contextlib
import http.server
import json
import os
import re
import signal
import socket
import subprocess
import sys
import threading
import time
import urllib.parse
import urllib.request

PYTHON_USER = """
import stub
from locust import FastHttpUser, task


class Syncwrite(FastHttpUser):
    @task
    def read(self):
        self.client.get("/albums")
"""

# A master that says it is of another version.
OTHER_VERSION = """
import locust

locust.__version__ = locust.runners.__version__ = "3.0.0"
from stub import *
"""

started = []


def fail(*words):
    print("worker:", *words, file=sys.stderr)
    for name in sorted(os.listdir()):
        if name.endswith(".txt"):
            print("---", name, file=sys.stderr)
            print(open(name).read()[-3000:], file=sys.stderr)
    sys.exit(1)


def start(name, *words):
    """Starts a program whose words go to a file of that name."""
    process = subprocess.Popen(words, stdin=subprocess.DEVNULL, stdout=open(name + ".txt", "a"), stderr=subprocess.STDOUT)
    started.append(process)
    return process


def until(what, true, seconds=20):
    """Waits until something is true: nothing is asserted of how long that takes."""
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        with contextlib.suppress(OSError):
            if true():
                return
        time.sleep(0.1)
    fail("this never came:", what)


def free_port():
    with socket.socket() as s:
        s.bind(("127.0.0.1", 0))
        return s.getsockname()[1]


def get(url):
    return urllib.request.urlopen(url, timeout=5).read().decode()


class Master:
    def __init__(self, service):
        self.service = service
        self.page, self.port = f"http://127.0.0.1:{(p := free_port())}", free_port()
        self.words = ["--web-host", "127.0.0.1", "--web-port", str(p)]
        self.runs = 0

    def start(self):
        self.runs += 1
        self.seen = f"seen{self.runs}.jsonl"
        self.process = start("master", os.path.join(os.path.dirname(sys.executable), "locust"), "-f", "mixed.py", "--master", "--enable-rebalancing",
            "--stop-timeout", "4", "--host", self.service, "--master-bind-host", "127.0.0.1", "--master-bind-port", str(self.port),
            "--syncwrite-seen", self.seen, *self.words)
        until("the master's page", lambda: get(self.page + "/stats/requests"))

    def now(self):
        return json.loads(get(self.page + "/stats/requests"))

    def workers(self, state):
        return [w for w in self.now()["workers"] if w["state"] == state]

    def swarm(self, users, **options):
        form = urllib.parse.urlencode({"user_count": users, "spawn_rate": 200, "host": self.service, **options}).encode()
        answer = json.loads(urllib.request.urlopen(self.page + "/swarm", form, timeout=10).read())
        if not answer["success"]:
            fail("the master does not begin:", answer)
        until(f"{users} users", lambda: self.now()["user_count"] == users and sum(w["user_count"] for w in self.workers("running")) == users)

    def requests(self):
        return next((s["num_requests"] for s in self.now()["stats"] if s["name"] == "Aggregated"), 0)

    def grows(self):
        before = self.requests()
        until("requests", lambda: self.requests() > before)

    def stop(self, workers):
        urllib.request.urlopen(self.page + "/stop", b"", timeout=60).read()
        until("a stop", lambda: self.now()["state"] == "stopped" and len(self.workers("ready")) == workers)

    def shares(self):
        return shares(self.seen)


def shares(seen):
    """How many requests the workers' histograms hold: a varint pair a bucket."""
    total = 0
    for line in open(seen):
        for second in json.loads(line)["seconds"].values():
            for kind in second["kinds"].values():
                total += counted(kind["hist"])
    return total


def counted(text):
    raw, numbers, n, shift = base64.b64decode(text + "=" * (-len(text) % 4)), [], 0, 0
    for byte in raw[1:]:
        n |= (byte & 127) << shift
        shift += 7
        if byte < 128:
            numbers.append(n)
            n, shift = 0, 0
    return sum(numbers[4::2])


def answered(service):
    """What the service itself has counted."""
    return sum(int(float(n)) for n in re.findall(r'^\S*requests_total\{.*\} (\S+)$', get(service + "/metrics"), re.M) )


class Link:
    """A way to a port that can be cut, and made whole again."""

    def __init__(self, target):
        self.target, self.ends, self.whole = target, [], True
        self.listener = socket.create_server(("127.0.0.1", 0))
        self.port = self.listener.getsockname()[1]
        threading.Thread(target=self.run, daemon=True).start()

    def run(self):
        while True:
            near, _ = self.listener.accept()
            if not self.whole:
                near.close()
                continue
            far = socket.create_connection(("127.0.0.1", self.target))
            self.ends += [near, far]
            for pair in ((near, far), (far, near)):
                threading.Thread(target=self.carry, args=pair, daemon=True).start()

    def carry(self, source, sink):
        with contextlib.suppress(OSError):
            while data := source.recv(1 << 16):
                sink.sendall(data)
        for end in (source, sink):
            with contextlib.suppress(OSError):
                end.shutdown(socket.SHUT_RDWR)

    def cut(self):
        self.whole = False
        for end in self.ends:
            with contextlib.suppress(OSError):
                end.shutdown(socket.SHUT_RDWR)
        self.ends = []


class Slow(http.server.BaseHTTPRequestHandler):
    """A service that takes a second and a half for each answer, and never answers /never."""

    protocol_version = "HTTP/1.1"
    lock, asked, answers = threading.Lock(), 0, 0

    def do_GET(self):
        with Slow.lock:
            Slow.asked += 1
        time.sleep(10**6 if self.path == "/never" else 1.5)
        with Slow.lock:
            Slow.answers += 1
        self.send_response(200)
        self.send_header("Content-Length", "0")
        self.end_headers()

    def log_message(self, *words):
        pass


def ends(name, path, *words, interrupts=0):
    """A master without a page, with two workers in Go, from its start to its end: by itself, or by so many Ctrl-C."""
    Slow.asked = Slow.answers = 0
    port, seen = free_port(), name + ".jsonl"
    host = f"http://127.0.0.1:{slow.server_port}"
    workers = [start(name + "-go", "./syncwrite", "worker", "--master", f"127.0.0.1:{port}", host + path) for _ in (1, 2)]
    master = start(name, os.path.join(os.path.dirname(sys.executable), "locust"), "-f", "stub.py", "--master", "--headless", "--expect-workers", "2",
        "--master-bind-host", "127.0.0.1", "--master-bind-port", str(port), "--syncwrite-seen", seen, "--json-file", name, "--host", host, *words)
    if interrupts:
        until("20 requests", lambda: Slow.asked >= 20)
    for _ in range(interrupts):
        master.send_signal(signal.SIGINT)
        time.sleep(1)  # Ctrl-C is no message: one that comes at once can be the same
    until(name + ": the master's end", lambda: master.poll() is not None)
    until(name + ": the workers' ends", lambda: all(w.poll() is not None for w in workers))
    if master.returncode != (1 if interrupts == 2 else 0) or any(w.returncode != 0 for w in workers):  # 1: Locust was told of an exception
        fail(name, "exit codes", master.returncode, [w.returncode for w in workers])
    if interrupts < 2:
        agree(name, sum(row["num_requests"] for row in json.load(open(name + ".json"))), Slow.answers)
        agree(name + ", histograms", shares(seen), Slow.answers)


def headless():
    # All that was asked is counted: what was under way when the time was up, and while users still came.
    ends("clock", "/", "-u", "20", "-r", "20", "-t", "4s")
    ends("ramp", "/", "-u", "40", "-r", "4", "-t", "4s")
    ends("interrupt", "/", "-u", "20", "-r", "20", interrupts=1)
    # A second Ctrl-C waits for nobody, and it is said what that leaves out.
    ends("twice", "/never", "-u", "20", "-r", "20", interrupts=2)
    told = sum(map(int, re.findall(r"in no figure: (\d+) operations", open("twice-go.txt").read())))
    if told != 20:
        fail("of 20 requests under way the workers told", told)


def broken():
    """The link of a worker is cut while it waits for the last requests of a run, for longer than a master waits for a heartbeat."""
    Slow.asked = Slow.answers = 0
    service = f"http://127.0.0.1:{slow.server_port}"
    master = Master(service)
    master.start()
    link = Link(master.port)
    worker = start("broken", "./syncwrite", "worker", "--master", f"127.0.0.1:{link.port}", service + "/")
    until("a worker", lambda: len(master.workers("ready")) == 1)
    master.swarm(20)
    until("40 requests", lambda: Slow.asked >= 40)
    stop = threading.Thread(target=master.stop, args=(1,))
    stop.start()
    time.sleep(0.3)
    link.cut()
    time.sleep(6)
    link.whole = True
    stop.join()
    until("its last report", lambda: master.requests() == Slow.answers)
    agree("a link that was cut", master.requests(), Slow.answers)
    agree("its histograms", master.shares(), Slow.answers)
    first = Slow.answers

    # A stop that is lost with the link is heeded when that is back.
    master.swarm(20)
    until("more requests", lambda: Slow.asked >= Slow.answers + 20)
    link.cut()
    stop = threading.Thread(target=urllib.request.urlopen, args=(master.page + "/stop", b""))
    stop.start()
    time.sleep(6)
    link.whole = True
    stop.join()
    until("its end", lambda: master.now()["state"] == "stopped" and len(master.workers("ready")) == 1)
    until("its last report", lambda: master.requests() == Slow.answers - first)
    agree("a stop that was lost", master.requests(), Slow.answers - first)

    # Who ends while it is cut says what it could not tell.
    master.swarm(20)
    until("more requests", lambda: Slow.asked >= Slow.answers + 20)
    link.cut()
    before = Slow.answers
    until("answers that nobody is told of", lambda: Slow.answers >= before + 20)
    worker.terminate()
    until("the worker's end", lambda: worker.poll() is not None)
    if worker.returncode != 1 or not re.search(r"no master was told of \d+ operations: the one at \S+ cannot be reached", open("broken.txt").read()):
        fail("a worker whose link was cut ended with", worker.returncode)
    master.process.kill()


def overtaken():
    """What a worker did in a run that is no more, while its link was cut, is in no other run's table, and is said there."""
    service = f"http://127.0.0.1:{slow.server_port}"
    master = Master(service)
    master.start()
    link = Link(master.port)
    for name, port in (("away", link.port), ("near", master.port)):
        start(name, "./syncwrite", "worker", "--master", f"127.0.0.1:{port}", service + "/" + name)
    until("two workers", lambda: len(master.workers("ready")) == 2)
    Slow.asked = Slow.answers = 0
    master.swarm(10)
    until("20 answers", lambda: Slow.answers >= 20)
    link.cut()
    urllib.request.urlopen(master.page + "/stop", b"", timeout=90).read()
    master.swarm(4)
    until("the next run's requests", lambda: master.requests() >= 4)
    urllib.request.urlopen(master.page + "/stop", b"", timeout=90).read()
    until("the last report of who heard it", lambda: len(master.workers("ready")) == 1)
    told = master.requests()
    link.whole = True
    until("both workers", lambda: len(master.workers("ready")) == 2)
    until("words of what is left out", lambda: "of a run that had ended" in get(master.page + "/exceptions"))
    agree("a run behind another one", master.requests(), told)
    if names := [s["name"] for s in master.now()["stats"] if "away" in s["name"]]:
        fail("the next run's table has", names)
    master.process.kill()


def main():
    open("stub.py", "w").write(subprocess.check_output(["./syncwrite", "worker", "--locustfile"], text=True))
    open("mixed.py", "w").write(PYTHON_USER)
    open("other.py", "w").write(OTHER_VERSION)

    nobody = start("nobody", "./syncwrite", "worker", "--master", f"127.0.0.1:{free_port()}", "log/memory")
    start("service", "./syncwrite", "serve", "albums", "--listen", "127.0.0.1:0")
    until("the service", lambda: "Ctrl-C" in open("service.txt").read())
    service = re.search(r"http://\S+(?=;)", open("service.txt").read())[0]

    http = start("http", "./syncwrite", "worker", "--master", service.removeprefix("http://"), "log/memory")
    master = Master(service)
    go = [start(f"go{i}", "./syncwrite", "worker", "--master", f"127.0.0.1:{master.port}", "http://elsewhere.invalid/albums") for i in (1, 2)]
    master.start()
    python = start("python", os.path.join(os.path.dirname(sys.executable), "locust"), "-f", "mixed.py", "--worker", "--master-host", "127.0.0.1", "--master-port", str(master.port))
    until("three workers", lambda: len(master.workers("ready")) == 3)

    # Users come and go; the host is the page's.
    for users in (10, 100, 20):
        master.swarm(users)
        master.grows()
    master.stop(3)
    agree("three workers", master.requests(), answered(service))

    # The next run needs no other workers. One of them is killed, and its users move.
    master.swarm(30)
    master.grows()
    go[0].kill()
    until("a worker that is missing", lambda: len(master.workers("missing")) == 1)
    until("30 users on two workers", lambda: sum(w["user_count"] for w in master.workers("running")) == 30 and len(master.workers("running")) == 2)
    master.grows()

    # Another master in the same place: the worker in Go joins it, and begins at nothing.
    python.kill()
    master.process.kill()
    master.process.wait()
    master.start()
    until("a worker that joins anew", lambda: len(master.workers("ready")) == 1)
    before = answered(service)
    if master.requests() != 0:
        fail("the new master was told of", master.requests(), "requests of the old one")
    master.swarm(7)
    master.grows()
    master.stop(1)
    agree("a worker that has joined anew", master.requests(), answered(service) - before)
    agree("its histograms", master.shares(), master.requests())

    # Options are the page's, too: who rests for an hour asks once, and stops resting when it has to.
    master.swarm(7, syncwrite_wait="1h")
    until("a request of each user", lambda: master.requests() == 7)
    master.stop(1)
    if master.requests() != 7:
        fail("7 users that rest asked", master.requests(), "times")

    # Whoever quits ends its workers.
    master.process.send_signal(signal.SIGINT)
    until("the end of the last worker", lambda: go[1].poll() is not None)
    if go[1].returncode != 1 or not re.search(r"no master was told of \d+ operations: the one at \S+ knew this worker no more", open("go2.txt").read()):
        fail("the worker whose first master was killed ended with", go[1].returncode)

    headless()
    broken()
    overtaken()

    # What cannot be a master is one sentence.
    other = free_port()
    start("other", os.path.join(os.path.dirname(sys.executable), "locust"), "-f", "other.py", "--master", "--headless", "--expect-workers", "9", "--master-bind-port", str(other))
    version = start("version", "./syncwrite", "worker", "--master", f"127.0.0.1:{other}", "log/memory")
    refused(version, "version", r'is Locust "3\.0\.0", and this worker speaks the protocol of 2\.\d+\.\d+: both have to be of one major version')
    refused(http, "http", r"ZeroMQ.*page")
    refused(nobody, "nobody", r"no master at 127\.0\.0\.1:\d+ within 10s: .*refused")


def agree(what, told, counted):
    if told != counted or told == 0:
        fail(f"{what}: the master says {told} requests, the service {counted}")
    print(f"worker: {what}: {told} requests, as the service counted")


def refused(process, name, sentence):
    until(f"the end of {name}", lambda: process.poll() is not None)
    words = open(name + ".txt").read()
    if process.returncode != 1 or words.count("\n") > 2 or not re.search(sentence, words):
        fail(f"{name}: exit code {process.returncode}, {words!r}")


slow = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Slow)
slow.daemon_threads = True  # of /never
threading.Thread(target=slow.serve_forever, daemon=True).start()
try:
    main()
finally:
    for process in started:
        if process.poll() is None:
            process.kill()
        process.wait()
