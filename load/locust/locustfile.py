"""The master's side of syncwrite worker: users that workers in Go are.

    locust -f locustfile.py --master --host http://127.0.0.1:8080
    syncwrite worker --master 127.0.0.1:5557 http://127.0.0.1:8080/albums

One class stands for all users: how many there are is Locust's to say, and what they do is the
worker's. Options of the page go to the workers. With --syncwrite-seen FILE the full histograms of all
workers are kept, a line of JSON a report; `syncwrite load --engine locust --go-workers` reads them.
"""

import contextlib
import json
import time
import uuid

import gevent
import locust
import zmq.green as zmq
from locust import User, events, task
from locust.runners import STATE_RUNNING, STATE_SPAWNING, STATE_STOPPING, MasterRunner, WorkerRunner
from locust.stats import StatsCSV


@events.init_command_line_parser.add_listener
def options(parser):
    group = parser.add_argument_group("syncwrite", "For the workers in Go; empty leaves what they were started with")
    group.add_argument("--syncwrite-factors", default="", help="FACTOR=LEVEL of the experiment, with spaces between")
    group.add_argument("--syncwrite-wait", default="", help="how long a user rests before the next request: 1s, or drawn from 1s-2s")
    group.add_argument("--syncwrite-timeout", default="", help="how long one request may take, such as 10s")
    parser.add_argument("--syncwrite-run", default="", include_in_web_ui=False, help="name of a run, which the master draws")
    parser.add_argument("--syncwrite-seen", default="", include_in_web_ui=False, help="file for the workers' full histograms")


class Syncwrite(User):
    """A user of a worker in Go. In a worker in Python it has nothing to do."""

    @task
    def elsewhere(self):
        time.sleep(1)


class Seen:
    """Keeps what travels with the workers' statistics."""

    def __init__(self, name):
        self.file = open(name, "w")

    def report(self, client_id, data):
        share = data.get("syncwrite")
        if share:
            self.file.write(json.dumps(share) + "\n")
            self.file.flush()


class Runs:
    """Gives each run a name, which travels with what workers report of it, and tells it with every answer to a
    heartbeat: a worker whose link was cut when a run ended, or another one began, never heard of it, and nothing is
    sent twice. What comes of another run than the last one has no place in the table: it is said, and left out."""

    def __init__(self, environment):
        self.environment = environment
        self.name, self.over = "", None
        self.receive = environment.runner.server.recv_from_client
        environment.runner.server.recv_from_client = self.sift
        environment.events.test_start.add_listener(self.begins)
        environment.events.test_stopping.add_listener(self.ends)
        if hasattr(environment.events, "heartbeat_sent"):  # older ones have none
            environment.events.heartbeat_sent.add_listener(self.tell)
        # A worker that connects anew goes on under its name, also where its old connection's end was not seen yet.
        environment.runner.server.socket.setsockopt(zmq.ROUTER_HANDOVER, 1)

    def begins(self, **_):
        self.name, self.over = uuid.uuid4().hex, None
        self.environment.parsed_options.syncwrite_run = self.name  # which travels with the users that are wanted

    def ends(self, **_):
        self.over = time.monotonic()

    def tell(self, client_id, **_):
        over = self.over is not None and time.monotonic() - self.over > 1  # before that the stop is on its way
        self.environment.runner.send_message("syncwrite_run", {"run": "" if over else self.name}, client_id)

    def sift(self):
        client_id, message = self.receive()
        if message and message.type == "stats" and message.data.pop("syncwrite_run", None) not in ("", None, self.name):
            self.leave_out(client_id, message.data)
        return client_id, message

    def leave_out(self, client_id, data):
        total = data["stats_total"]
        if total["num_requests"]:
            text = f"{total['num_requests']} operations of a run that had ended came when another one had begun: in no figure"
            self.environment.runner.log_exception(client_id, text, text)
        total.update(num_requests=0, num_failures=0, total_response_time=0, total_content_length=0, min_response_time=None, max_response_time=0,
            response_times={}, num_reqs_per_sec={}, num_fail_per_sec={}, start_time=time.time(), last_request_timestamp=None)
        data.update(stats=[], errors={})
        data.pop("syncwrite", None)


def stop_before_quit(runner):
    """Has a master that quits stop its run first, as the page's Stop does: workers then wait for the requests that
    are under way, and tell of them. After a bare quit a master listens for half a second more."""
    quit = runner.quit

    def stop_and_quit():
        if runner.state in (STATE_SPAWNING, STATE_RUNNING):
            send = runner.server.send_to_client
            # A ramp goes on while its run is stopped: it would begin another one.
            runner.server.send_to_client = lambda message: None if message.type == "spawn" else send(message)
            with contextlib.suppress(KeyboardInterrupt):  # who presses Ctrl-C again waits for nobody
                runner.stop()
        elif runner.state == STATE_STOPPING:  # by the page
            with contextlib.suppress(KeyboardInterrupt):
                while runner.state == STATE_STOPPING and runner.user_count:
                    gevent.sleep(0.1)
        quit()

    runner.quit = stop_and_quit


@events.init.add_listener
def start(environment, **_):
    runner = environment.runner
    if isinstance(runner, MasterRunner):
        stop_before_quit(runner)
        Runs(environment)

        def joined(client_id):  # a worker is told which Locust this is
            runner.send_message("syncwrite_master", {"version": locust.__version__}, client_id)

        environment.events.worker_connect.add_listener(joined)
        if environment.parsed_options.syncwrite_seen:
            seen = Seen(environment.parsed_options.syncwrite_seen)
            environment.events.worker_report.add_listener(seen.report)
    elif isinstance(runner, WorkerRunner):
        for message in ("syncwrite_master", "syncwrite_run"):
            runner.register_message(message, lambda environment, msg, **_: None)


def percentiles(self, entry, use_current=False):
    """Percentiles for the CSV files with their fractions of a millisecond, which Locust cuts off."""
    if not entry.num_requests:
        return self.percentiles_na
    if use_current and entry.use_response_times_cache:
        return [entry.get_current_response_time_percentile(p) or 0 for p in self.percentiles_to_report]
    return [entry.get_response_time_percentile(p) or 0 for p in self.percentiles_to_report]


if hasattr(StatsCSV, "_percentile_fields"):
    StatsCSV._percentile_fields = percentiles
