"""Users of the list of albums: of four requests three read it whole, one appends.

    locust -f locustfile.py Http --host http://127.0.0.1:8080
    locust -f locustfile.py Fast --host http://127.0.0.1:8080 --wait-from 1 --wait-to 2

Http asks with requests, Fast with geventhttpclient. Without a wait a user asks again as
soon as it has its answer. With --seen DIR each process writes there at the end what it saw
second by second, and how much processor time it used.
"""

import itertools
import json
import os
import random
import re
import socket
import time

from locust import FastHttpUser, HttpUser, events

# An id is this process's, and the next of its numbers: no two are alike.
ME = ""
NUMBERS = itertools.count()


@events.init_command_line_parser.add_listener
def options(parser):
    parser.add_argument("--wait-from", type=float, default=0, help="how long a user rests at least, in seconds")
    parser.add_argument("--wait-to", type=float, default=0, help="how long a user rests at most, in seconds")
    parser.add_argument("--seen", default="", help="directory for what each process saw")


@events.init.add_listener
def name(environment, **_):
    global ME  # here, since workers are forked after this file was read
    ME = f"{socket.gethostname()[:20]}-{os.getpid()}-{random.randrange(1 << 32):x}"


def reason(exception):
    """Few words, the same each time: without addresses in memory, and the URL."""
    text = re.sub(r"0x[0-9a-f]+", "0x…", str(exception)).split(" for url:")[0]
    return f"{type(exception).__name__}: {text}"[:200]


class Seen:
    """What this process saw from its start to its end, second by second."""

    def __init__(self, environment):
        self.environment = environment
        self.directory = environment.parsed_options.seen

    def start(self, **_):
        self.seconds = {}
        self.began, self.cpu = time.monotonic(), time.process_time()

    def request(self, request_type, name, response_time, response_length, exception, **_):
        second = int(time.monotonic() - self.began)
        s = self.seconds.get(second)
        if s is None:
            s = self.seconds[second] = {"users": 0, "kinds": {}}
        s["users"] = self.environment.runner.user_count
        kind = request_type + " " + name
        k = s["kinds"].get(kind)
        if k is None:
            k = s["kinds"][kind] = {"bytes": 0, "ms": {}, "failures": {}, "failed_ns": 0}
        if exception:
            why = reason(exception)
            k["failures"][why] = k["failures"].get(why, 0) + 1
            k["failed_ns"] += response_time * 1e6
            return
        k["bytes"] += response_length or 0
        ms = round(response_time, 2 if response_time < 10 else 1)
        k["ms"][ms] = k["ms"].get(ms, 0) + 1

    def stop(self, **_):
        if not hasattr(self, "began"):
            return
        seen = {"s": time.monotonic() - self.began, "cpu_s": time.process_time() - self.cpu, "seconds": self.seconds}
        with open(os.path.join(self.directory, f"{os.getpid()}.json"), "w") as file:
            json.dump(seen, file)
        del self.began


@events.init.add_listener
def look(environment, **_):
    if not environment.parsed_options.seen:
        return
    seen = Seen(environment)
    environment.events.test_start.add_listener(seen.start)
    environment.events.request.add_listener(seen.request)
    environment.events.test_stop.add_listener(seen.stop)


def read(user):
    user.client.get("/albums")


def append(user):
    album = {"id": f"{ME}-{next(NUMBERS)}", "title": "Blue Train", "artist": "John Coltrane", "price": 56.99}
    user.client.post("/albums", json=album)


def rest(user):
    o = user.environment.parsed_options
    return random.uniform(o.wait_from, max(o.wait_from, o.wait_to))


class Http(HttpUser):
    tasks = {read: 3, append: 1}
    wait_time = rest


class Fast(FastHttpUser):
    tasks = {read: 3, append: 1}
    wait_time = rest
