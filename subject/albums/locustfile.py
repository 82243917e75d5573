"""Users of the list of albums: of four requests three read it whole, one appends.

    locust -f locustfile.py Http --host http://127.0.0.1:8080
    locust -f locustfile.py Fast --host http://127.0.0.1:8080 --wait-from 1 --wait-to 2

Http asks with requests, Fast with geventhttpclient. Without a wait a user asks again as
soon as it has its answer.
"""

import itertools
import os
import random
import socket

from locust import FastHttpUser, HttpUser, events

# An id is this process's, and the next of its numbers: no two are alike.
ME = ""
NUMBERS = itertools.count()


@events.init_command_line_parser.add_listener
def options(parser):
    parser.add_argument("--wait-from", type=float, default=0, help="how long a user rests at least, in seconds")
    parser.add_argument("--wait-to", type=float, default=0, help="how long a user rests at most, in seconds")
    parser.add_argument("--fixed", action="store_true", default=False, help="reads only: the list does not grow")


@events.init.add_listener
def name(environment, **_):
    global ME  # here, since workers are forked after this file was read
    ME = f"{socket.gethostname()[:20]}-{os.getpid()}-{random.randrange(1 << 32):x}"


def read(user):
    user.client.get("/albums")


def append(user):
    if user.environment.parsed_options.fixed:
        read(user)
        return
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
