"""A server that answers GET, and POST with bytes of the test's choice, or byte by byte."""

import re
import socket
import threading
import time
from contextlib import contextmanager

GET_ANSWER = b"HTTP/1.1 200 OK\r\nContent-Length: 5\r\nConnection: close\r\n\r\nlive\n"


def ok(body, *headers):
    lines = ["HTTP/1.1 200 OK", "Connection: close", f"Content-Length: {len(body)}", *headers, "", ""]
    return "\r\n".join(lines).encode() + body


@contextmanager
def answering(answer, drip_from=None):
    """Runs it; yields host:port and the list of requests. From byte drip_from on the answer drips."""
    seen = []
    with socket.create_server(("127.0.0.1", 0)) as listening:
        threading.Thread(target=serve, args=(listening, answer, drip_from, seen), daemon=True).start()
        yield f"127.0.0.1:{listening.getsockname()[1]}", seen
        listening.shutdown(socket.SHUT_RDWR)


def serve(listening, answer, drip_from, seen):
    while True:
        try:
            connection, _ = listening.accept()
        except OSError:
            return
        threading.Thread(target=one, args=(connection, answer, drip_from, seen), daemon=True).start()


def one(connection, answer, drip_from, seen):
    with connection:
        request = read(connection)
        seen.append(request)
        try:
            if request.startswith(b"GET"):
                return connection.sendall(GET_ANSWER)
            connection.sendall(answer[:drip_from])
            for byte in answer[drip_from:] if drip_from is not None else b"":
                connection.sendall(bytes([byte]))
                time.sleep(0.1)
        except OSError:
            pass  # the client has gone


def read(connection):
    """Read the whole request: to close before its end would reset the connection, answer and all."""
    request = connection.recv(65536)
    while (length := re.search(rb"Content-Length: (\d+)", request)) and len(request.partition(b"\r\n\r\n")[2]) < int(length[1]):
        request += connection.recv(65536)
    return request
