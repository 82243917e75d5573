#!/usr/bin/env python3
"""Stands in for java: takes the same arguments, and speaks as much of CoreNLP's HTTP as the
client asks for. It cuts text at blanks and full stops, and calls every word X.

What STUB names goes wrong: no-memory, slow, deaf (no SIGTERM), dies, hangs, late, drips, garbage, not-json.
"""

import base64
import json
import os
import re
import signal
import sys
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

sys.path.insert(0, str(Path(__file__).parent.parent))

FAULT = os.environ.get("STUB", "")
BEGUN = time.monotonic()


def option(name):
    return sys.argv[sys.argv.index(name) + 1] if name in sys.argv else ""


def credentials():
    """As the real server reads them: from a file that only it and its owner may read."""
    path = option("-props")
    if not path:
        return None
    assert os.stat(path).st_mode & 0o777 == 0o600
    found = dict(line.strip().split(" = ") for line in open(path))
    return f"{found['username']}:{found['password']}"


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"  # it keeps connections, as the real server does

    def log_message(self, *_):
        pass

    def answer(self, code, body, kind="application/json"):
        self.send_response(code)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def do_GET(self):
        if FAULT == "drips":
            return self.drip()
        if self.path == "/":
            return self.answer(200 if self.is_known() else 401, b"")
        loading = self.path.startswith("/ready") and FAULT == "slow" and time.monotonic() - BEGUN < 600
        self.answer(503 if loading else 200, b"server is not ready yet.\n" if loading else b"ready\n", "text/plain")

    def is_known(self):
        return not CREDENTIALS or self.headers.get("Authorization") == "Basic " + base64.b64encode(CREDENTIALS.encode()).decode()

    def drip(self):
        for byte in b"HTTP/1.1 200 OK\r\nContent-Length: 0\r\nX-Drip: " + b"x" * 600:
            self.wfile.write(bytes([byte]))
            time.sleep(0.1)

    def do_POST(self):
        data = self.rfile.read(int(self.headers["Content-Length"]))
        if not self.is_known():
            return self.answer(401, b"")
        properties = json.loads(parse_qs(urlsplit(self.path).query)["properties"][0])
        if FAULT == "dies":
            print("parsing:", "long " * 300, flush=True)
            print("Terminating due to java.lang.OutOfMemoryError: Java heap space", flush=True)
            os._exit(3)
        if FAULT == "hangs":
            print("parsing:", data.decode(), flush=True)  # as the real server does
            time.sleep(600)
        if FAULT == "late":
            time.sleep(int(option("-timeout")) / 1000)
            return self.answer(500, b"CoreNLP request timed out. Your document may be too long.", "text/plain")
        if FAULT == "not-json":
            return self.answer(200, b"<html>hello</html>")
        if b"boom" in data:
            return self.answer(500, b"java.lang.RuntimeException: too long\n\x1b[31m at line 7", "text/plain")
        sentences = tokens_found(data.decode(errors="replace"))
        if "serialized" in properties.values():
            import serialized  # here, since nltk takes its time to load

            if properties.get("inputFormat") == "serialized":
                sentences = serialized.tokens_sent(data)
                if "pos" in properties["annotators"].split(","):  # it overwrites all tags
                    sentences = [[(word, None) for word, _ in sentence] for sentence in sentences]
        if properties.get("outputFormat") == "serialized":
            body = b"\xff\xff" if FAULT == "garbage" else serialized.kbest(sentences, int(properties.get("parse.kbest", 1)))
            return self.answer(200, body, "application/x-protobuf")
        self.answer(200, json.dumps({"sentences": [described(s, properties["annotators"]) for s in sentences]}).encode())


def tokens_found(text):
    return [[(word, None) for word in re.findall(r"[\w'$]+|[^\w\s]", part)] for part in re.findall(r"[^.?!]+[.?!]?", text) if part.strip()]


def described(sentence, annotators):
    tagged = [(word, tag or ("X" if "pos" in annotators or "parse" in annotators else "")) for word, tag in sentence]
    tokens = [{"index": k, "word": w, "originalText": w, "pos": t, "lemma": w} for k, (w, t) in enumerate(tagged, 1)]
    edges = [{"dep": "ROOT" if k == 1 else "dep", "governor": k - 1, "dependent": k} for k in range(1, len(tagged) + 1)]
    found = {"tokens": tokens, "basicDependencies": edges}
    if annotators.endswith("parse") and not annotators.endswith("depparse"):
        found["parse"] = "(ROOT " + " ".join(f"({t} {w})" for w, t in tagged) + ")"
    return found


def main():
    if FAULT == "no-memory":
        print("Invalid maximum heap size: -Xmx2x\nError: Could not create the Java Virtual Machine.\x1b[2J", flush=True)
        sys.exit(1)
    if FAULT == "deaf":
        signal.signal(signal.SIGTERM, signal.SIG_IGN)
    ThreadingHTTPServer(("127.0.0.1", int(option("-port"))), Handler).serve_forever()


CREDENTIALS = credentials()

if __name__ == "__main__":
    main()
