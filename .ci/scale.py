"""Measures how far workers go, for published/scale.md, as .ci/scale starts it.

First one worker in Go beside one of each of Locust's users, on the same service, in blocks: each block runs each of them once, in
turn. The service counts, and the system says what processor time a worker took. Then how
many statistics a second a master digests, and how many workers it holds. Takes --blocks and --seconds.
"""

import argparse
import contextlib
import math
import os
import platform
import re
import resource
import socket
import statistics
import subprocess
import sys
import time
import urllib.request

import msgpack
import psutil
import zmq

LOCUST = os.path.join(os.path.dirname(sys.executable), "locust")
USERS = 50

MIXED = """
import stub
from locust import {base}, task


class Syncwrite({base}):
    @task
    def read(self):
        self.client.get("/albums")
"""

started = []


def say(*words):
    print("scale:", *words, file=sys.stderr, flush=True)


def start(*words):
    process = subprocess.Popen(words, stdin=subprocess.DEVNULL, stdout=open("words.txt", "a"), stderr=subprocess.STDOUT)
    started.append(process)
    return process


def end(process):
    process.terminate()
    try:
        process.wait(10)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()


def free_port():
    with socket.socket() as s:
        s.bind(("127.0.0.1", 0))
        return s.getsockname()[1]


def used(process):
    """Processor time of a process, in seconds."""
    times = psutil.Process(process.pid).cpu_times()
    return times.user + times.system


class Service:
    """syncwrite serve albums: an empty list, which it counts the readers of."""

    def __init__(self):
        port = free_port()
        self.url = f"http://127.0.0.1:{port}"
        self.process = start("./syncwrite", "serve", "albums", "--listen", f"127.0.0.1:{port}")
        for _ in range(100):
            with contextlib.suppress(OSError):
                self.count()
                return
            time.sleep(0.1)
        sys.exit("scale: no service")

    def count(self):
        text = urllib.request.urlopen(self.url + "/metrics", timeout=5).read().decode()
        return sum(int(n) for n in re.findall(r"requests_total\S* (\d+)", text))


class FakeMaster:
    """Speaks as much of a master's part as one worker needs."""

    def __init__(self, context):
        self.socket = context.socket(zmq.ROUTER)
        self.port = self.socket.bind_to_random_port("tcp://127.0.0.1")

    def hear(self, seconds=30):
        """The next message, after its heartbeats have had their answers."""
        limit = time.monotonic() + seconds
        while time.monotonic() < limit:
            if not self.socket.poll(100):
                continue
            self.peer, raw = self.socket.recv_multipart()
            kind, data, _ = msgpack.loads(raw, strict_map_key=False)
            if kind != "heartbeat":
                return kind, data, raw
            self.say("heartbeat", None)
        sys.exit("scale: a worker says nothing")

    def until(self, wanted):
        while True:
            kind, data, raw = self.hear()
            if kind == wanted:
                return data, raw

    def say(self, kind, data):
        self.socket.send_multipart([self.peer, msgpack.dumps((kind, data, ""))])

    def spawn(self, users, host):
        self.say("spawn", {"timestamp": time.time(), "user_classes_count": {"Syncwrite": users}, "host": host, "stop_timeout": 0.0, "parsed_options": {}})


def joined(context, words):
    """A worker that has joined a master of ours."""
    master = FakeMaster(context)
    process = start(*(w.replace("PORT", str(master.port)) for w in words))
    master.until("client_ready")
    master.say("ack", {"index": 0})
    return master, process


def worker(kind, service):
    if kind == "go":
        return ["./syncwrite", "worker", "--master", "127.0.0.1:PORT", service.url + "/albums"]
    return [LOCUST, "-f", kind + ".py", "--worker", "--master-host", "127.0.0.1", "--master-port", "PORT"]


def run(context, kind, service, seconds):
    """Requests a second, and processor time of the worker, of one run."""
    master, process = joined(context, worker(kind, service))
    master.spawn(USERS, service.url)
    master.until("spawning_complete")
    listening(master, 1)
    before, cpu, began = service.count(), used(process), time.monotonic()
    listening(master, seconds)
    requests, cpu, took = service.count() - before, used(process) - cpu, time.monotonic() - began
    end(process)
    master.socket.close(0)
    return requests / took, requests / max(cpu, 1e-9)


def listening(master, seconds):
    limit = time.monotonic() + seconds
    while (left := limit - time.monotonic()) > 0:
        if master.socket.poll(int(left * 1000) + 1):
            master.peer, raw = master.socket.recv_multipart()
            if msgpack.loads(raw, strict_map_key=False)[0] == "heartbeat":
                master.say("heartbeat", None)


def interval(values):
    return f"{min(values):,.0f}–{max(values):,.0f}"


def compare(context, service, blocks, seconds):
    """The table of the workers, and requests a second for each second of a processor's of the one in Go."""
    kinds = ["go", "FastHttpUser", "HttpUser"]
    rates, costs = {k: [] for k in kinds}, {k: [] for k in kinds}
    for block in range(blocks):
        for k in kinds[block % 3 :] + kinds[: block % 3]:
            rate, cost = run(context, k, service, seconds)
            rates[k].append(rate)
            costs[k].append(cost)
            say(f"block {block + 1} of {blocks}: {k}, {rate:,.0f} requests/s, {cost:,.0f} for each second of a processor")
    print("| worker | requests/s | from–to | a processor's second | from–to | Go ÷ this, requests/s | from–to | Go ÷ this, a processor's second |")
    print("|---|---|---|---|---|---|---|---|")
    for k in kinds:
        ratios = [g / r for g, r in zip(rates["go"], rates[k])]
        cheaper = statistics.median(costs["go"]) / statistics.median(costs[k])
        print(f"| {k} | {statistics.median(rates[k]):,.0f} | {interval(rates[k])} | {statistics.median(costs[k]):,.0f} | {interval(costs[k])} "
              f"| {statistics.median(ratios):.1f}× | {min(ratios):.1f}–{max(ratios):.1f} | {cheaper:.1f}× |")
    print()
    return statistics.median(rates["go"]), statistics.median(costs["go"])


def sample(context, service):
    """A worker's statistics of three seconds, as it sends them."""
    master, process = joined(context, worker("go", service))
    master.spawn(USERS, service.url)
    master.until("spawning_complete")
    for _ in range(3):
        data, raw = master.until("stats")
    end(process)
    master.socket.close(0)
    return data, len(raw)


class RealMaster:
    """Locust's, with our locustfile, which keeps the histograms."""

    def __init__(self, context):
        self.context, self.port = context, free_port()
        self.process = start(LOCUST, "-f", "stub.py", "--master", "--headless", "--expect-workers", "1000000", "--syncwrite-seen", "seen.jsonl",
            "--master-bind-host", "127.0.0.1", "--master-bind-port", str(self.port), "--loglevel", "ERROR")

    def join(self, name):
        s = self.context.socket(zmq.DEALER)
        s.setsockopt(zmq.IDENTITY, name.encode())
        s.setsockopt(zmq.LINGER, 0)
        s.setsockopt(zmq.SNDHWM, 0)
        s.connect(f"tcp://127.0.0.1:{self.port}")
        s.send(msgpack.dumps(("client_ready", "2.47.0", name)))
        return s


def beat(name):
    return msgpack.dumps(("heartbeat", {"state": "running", "current_cpu_usage": 1.0, "current_memory_usage": 1}, name))


def answered(s, kind):
    """Waits for a master's answer; other words of its come between."""
    while msgpack.loads(s.recv(), strict_map_key=False)[0] != kind:
        pass


def digested(context, data, messages=3000):
    """Statistics a second that a master digests: it answers a heartbeat when all before it are done."""
    master = RealMaster(context)
    s = master.join("flood")
    answered(s, "ack")
    report = msgpack.dumps(("stats", data, "flood"))
    s.send(beat("flood"))
    answered(s, "heartbeat")
    cpu, began = used(master.process), time.monotonic()
    for _ in range(messages):
        s.send(report)
    s.send(beat("flood"))
    answered(s, "heartbeat")
    took, cpu = time.monotonic() - began, used(master.process) - cpu
    s.close()
    end(master.process)
    return messages / took, messages / cpu


def holds(context, data, workers, seconds=12):
    """The processor time that a master takes for so many workers, as a share, and the longest that a heartbeat of
    theirs waited for its answer."""
    master = RealMaster(context)
    names = [f"w{i}" for i in range(workers)]
    sockets = [master.join(n) for n in names]
    poller = zmq.Poller()
    for s in sockets:
        answered(s, "ack")
        poller.register(s, zmq.POLLIN)
    reports = [msgpack.dumps(("stats", data, n)) for n in names]
    beats = [beat(n) for n in names]
    at = {s: i for i, s in enumerate(sockets)}
    asked, longest, sent = [0.0] * workers, 0.0, 0
    cpu, began = used(master.process), time.monotonic()
    while (now := time.monotonic() - began) < seconds:
        due = int(now * workers)  # a heartbeat each second of each, statistics with each third
        while sent < due:
            i, turn = sent % workers, sent // workers
            if not asked[i]:
                asked[i] = time.monotonic()
                sockets[i].send(beats[i])
            if (turn + i) % 3 == 0:
                sockets[i].send(reports[i])
            sent += 1
        for s, _ in poller.poll(5):
            if msgpack.loads(s.recv(), strict_map_key=False)[0] == "heartbeat":
                i = at[s]
                longest, asked[i] = max(longest, time.monotonic() - asked[i]), 0.0
    waiting = [time.monotonic() - a for a in asked if a]
    share = (used(master.process) - cpu) / (time.monotonic() - began)
    for s in sockets:
        s.close()
    end(master.process)
    return share, max([longest, *waiting])


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--blocks", type=int, default=6)
    parser.add_argument("--seconds", type=int, default=6)
    parser.add_argument("--most", type=int, default=800, help="workers under one master")
    o = parser.parse_args()
    with open("stub.py", "w") as f:
        f.write(subprocess.check_output(["./syncwrite", "worker", "--locustfile"], text=True))
    for base in ("FastHttpUser", "HttpUser"):
        with open(base + ".py", "w") as f:
            f.write(MIXED.format(base=base))
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
    context = zmq.Context()
    context.set(zmq.MAX_SOCKETS, 8192)
    service = Service()

    print("# How far workers go\n")
    print(f"Measured by `make scale` on {time.strftime('%Y-%m-%d', time.gmtime())}: {os.cpu_count()} processors, {platform.system()} {platform.release()}, "
          f"load average {os.getloadavg()[0]:.1f} before. What it means is in [docs/scale.md](../docs/scale.md).\n")
    print(f"## A worker in Go beside Locust's own\n\nOne worker, {USERS} users without a rest, `GET /albums` of an empty list; service, worker and master share the processors. "
          f"Medians of {o.blocks} blocks of {o.seconds} s each, counted by the service. Musts: 5× FastHttpUser, 25× HttpUser.\n")
    rate, cost = compare(context, service, o.blocks, o.seconds)
    data, size = sample(context, service)
    end(service.process)

    print(f"## What a master digests\n\nStatistics as a worker in Go sends them: one kind of request, {len(data['stats_total']['response_times'])} different response times, "
          f"{size / 1024:.1f} KB with the full histogram, which our locustfile writes to a file.\n")
    bare = {k: v for k, v in data.items() if k != "syncwrite"}
    full = [digested(context, data) for _ in range(3)]
    less = [digested(context, bare) for _ in range(3)]
    print("| statistics | digested a second | for each second of its processor |\n|---|---|---|")
    for name, figures in (("with histograms", full), ("without", less)):
        print(f"| {name} | {statistics.median(f[0] for f in figures):,.0f} | {statistics.median(f[1] for f in figures):,.0f} |")
    print("\n| workers | a master's processor | longest wait for a heartbeat's answer |\n|---|---|---|")
    workers, held = 25, 0
    while workers <= o.most:
        share, longest = holds(context, data, workers)
        say(f"{workers} workers: {share:.0%} of a processor, {longest:.2f} s")
        print(f"| {workers} | {share:.0%} | {longest:.2f} s |")
        if longest > 3:  # a master takes a worker for lost that it has not heard of for three
            break
        held = workers
        workers *= 2
    print(f"\nIt holds {held} of them{'' if workers <= o.most else ' at least'}: none waits for three seconds, after which a master takes a worker for lost.\n")
    print("## A million requests a second\n")
    print(f"1,000,000 ÷ {cost:,.0f} requests for each second of a worker's processor are {math.ceil(1e6 / cost):,} processors for workers alone, or, as on this machine with the service "
          f"beside each of them, {math.ceil(1e6 / rate):,} machines like it. With one worker a machine that is {1e6 / rate / max(held, 1):.2f} of the workers that one master holds.")


try:
    main()
finally:
    for process in started:
        if process.poll() is None:
            process.kill()
        process.wait()
