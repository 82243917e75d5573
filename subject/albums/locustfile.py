"""Users of the list of albums: of four requests three read it whole, one appends.

    locust -f locustfile.py Http --host http://127.0.0.1:8080
    locust -f locustfile.py Fast --host http://127.0.0.1:8080 --wait-from 1 --wait-to 2

Http asks with requests, Fast with geventhttpclient. Without a wait a user asks again as
soon as it has its answer. With --seen DIR each process writes there at the end what it saw
second by second, what each user began, and how much processor time it used; with
--stop-timeout what is under way at the end is waited for, and counts.
"""

import itertools
import json
import os
import random
import re
import socket
import time

from locust import FastHttpUser, HttpUser, events
from locust.exception import StopUser

# An id is this process's, and the next of its numbers: no two are alike.
ME = ""
NUMBERS = itertools.count()

# What this process saw, if that is asked for.
SEEN = None


@events.init_command_line_parser.add_listener
def options(parser):
    parser.add_argument("--wait-from", type=float, default=0, help="how long a user rests at least, in seconds")
    parser.add_argument("--wait-to", type=float, default=0, help="how long a user rests at most, in seconds")
    parser.add_argument("--timeout", type=float, default=60, help="how long an answer is waited for, in seconds")
    parser.add_argument("--window", type=float, default=0, help="how long users are at it, in seconds: what ends later is counted, and told")
    parser.add_argument("--seen", default="", help="directory for what each process saw")


@events.init.add_listener
def begin(environment, **_):
    global ME, SEEN  # here, since workers are forked after this file was read
    ME = f"{socket.gethostname()[:20]}-{os.getpid()}-{random.randrange(1 << 32):x}"
    Fast.connection_timeout = Fast.network_timeout = environment.parsed_options.timeout
    if environment.parsed_options.seen:
        SEEN = Seen(environment)


def reason(exception):
    """Few words, the same each time: without addresses in memory, the host, and the URL; all timeouts have one name."""
    text = re.sub(r"0x[0-9a-f]+", "0x…", str(exception)).split(" for url:")[0]
    text = re.sub(r"https?://[^\s:/]+(:\d+)?[^\s:,]*|host='[^']*', port=\d+", "…", text)
    if "timed out" in text.lower():
        return "timeout"
    return f"{type(exception).__name__}: {text}"[:200]


class Seen:
    """What this process saw from its first user's begin to its last one's end, second by second."""

    def __init__(self, environment):
        self.environment = environment
        self.directory, self.limit = environment.parsed_options.seen, environment.parsed_options.timeout
        self.window = int(environment.parsed_options.window * 1e9)
        self.start()
        environment.events.test_start.add_listener(self.start)
        environment.events.request.add_listener(self.request)
        environment.events.test_stopping.add_listener(self.stopping)
        environment.events.test_stop.add_listener(self.stop)

    def start(self, **_):
        self.seconds, self.cycles = {}, []
        self.began = self.ended = None
        self.over = False
        self.cpu = time.process_time()

    def arrive(self):
        if self.began is None:
            self.began = self.ended = time.monotonic_ns()

    def leave(self, cycles):
        self.ended = time.monotonic_ns()
        self.cycles.append(vars(cycles))

    def request(self, request_type, name, response_time, response_length, exception, context, **_):
        k = self.kind(request_type + " " + name)
        # The limit of both clients is one of each wait for some bytes, and not of the whole.
        late = response_time > self.limit * 1e3
        context["user"].answered(time.monotonic_ns(), not (exception or late))
        if exception or late:
            fail(k, reason(exception) if exception else "timeout", response_time * 1e6)
            return
        k["bytes"] += response_length or 0
        ms = round(response_time, 2 if response_time < 10 else 1)
        k["ms"][ms] = k["ms"].get(ms, 0) + 1

    def kind(self, name):
        second = (time.monotonic_ns() - self.began) // 1_000_000_000
        s = self.seconds.get(second)
        if s is None:
            s = self.seconds[second] = {"users": 0, "kinds": {}}
        s["users"] = max(s["users"], self.environment.runner.user_count)
        k = s["kinds"].get(name)
        if k is None:
            k = s["kinds"][name] = {"bytes": 0, "ms": {}, "failures": {}, "failed_ns": 0}
        return k

    def stopping(self, **_):
        self.over = True

    def stop(self, **_):
        lasted = self.ended - self.began if self.began else 0
        seen = {"s": lasted / 1e9, "cpu_s": time.process_time() - self.cpu, "cycles": self.cycles, "seconds": self.seconds}
        with open(os.path.join(self.directory, f"{os.getpid()}.json"), "w") as file:
            json.dump(seen, file)
        # A worker that has stopped rests for so long before it hears its master again.
        self.environment.stop_timeout = 0


def fail(kind, why, ns):
    kind["failures"][why] = kind["failures"].get(why, 0) + 1
    kind["failed_ns"] += ns


class Cycles:
    """What a user began: a cycle is a request and the rest behind it. Times are in ns, from the
    process's first user's begin. The first cycle of each is apart: it meets an empty queue. Behind the
    window nobody asks anew: those that end there are late."""

    def __init__(self):
        self.window_ns = SEEN.window if SEEN else 0
        self.begun = self.answers = self.first_ns = self.end_ns = self.answering_ns = self.late = 0
        self.squares = 0.0

    def add(self, at, took, rest, answered):
        before, self.end_ns = self.end_ns, at + rest
        self.begun += 1
        if self.begun == 1:
            self.first_ns = self.end_ns
            return
        self.squares += float(self.end_ns - before) ** 2
        self.late += at > self.window_ns > 0
        if answered:
            self.answers += 1
            self.answering_ns += took


class Asker:
    """A user whose cycles are counted where that is asked for."""

    asked = 0  # when its request was sent; 0 in a rest
    limit = {}  # words of a request

    def on_start(self):
        self.cycles = Cycles()
        if SEEN:
            SEEN.arrive()

    def context(self):
        return {"user": self}

    def asks(self, kind):
        if SEEN and SEEN.over:  # one that wakes while Locust is about to end it would be cut off
            raise StopUser
        self.kind, self.ended, self.well = kind, 0, False
        self.asked = time.monotonic_ns()

    def answered(self, at, well):
        self.ended, self.well = at, well

    def wait_time(self):
        o = self.environment.parsed_options
        rest = random.uniform(o.wait_from, max(o.wait_from, o.wait_to))
        self.rests(rest)
        return rest

    def rests(self, seconds):
        if not SEEN:
            return
        if not self.ended:
            self.ended = time.monotonic_ns()
            fail(SEEN.kind(self.kind), "no answer", self.ended - self.asked)
        self.cycles.add(self.ended - SEEN.began, self.ended - self.asked, int(seconds * 1e9), self.well)
        self.asked = 0

    def on_stop(self):
        if self.asked:  # the rest is drawn, and nobody waits for it
            self.wait_time()
        if SEEN:
            SEEN.leave(self.cycles)


def read(user):
    user.asks("GET /albums")
    user.client.get("/albums", allow_redirects=False, **user.limit)


def append(user):
    album = {"id": f"{ME}-{next(NUMBERS)}", "title": "Blue Train", "artist": "John Coltrane", "price": 56.99}
    user.asks("POST /albums")
    user.client.post("/albums", json=album, allow_redirects=False, **user.limit)


class Http(Asker, HttpUser):
    tasks = {read: 3, append: 1}

    def on_start(self):
        super().on_start()
        self.limit = {"timeout": self.environment.parsed_options.timeout}


class Fast(Asker, FastHttpUser):
    tasks = {read: 3, append: 1}
