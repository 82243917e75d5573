"""Requests that take no longer than they may. The timeout of requests is that of each
wait for the next byte: an answer that drips would take for ever.

Each has a connection of its own. One that is kept open would be shared with the processes
that are forked off this one, and these would read each other's answers. It would be slower,
too: to tokenize a sentence took 47 ms on a kept connection of Java's server, and takes 4 on
a new one. None is sent on to where an answer points: requests would make a GET of most,
without the text.
"""

import queue
import threading
import time

import requests
import urllib3


def request(method, url, seconds, **options):
    """Return the answer, with its body as a second value, or raise a RequestException:
    Timeout if it is not there within so many seconds. (If the head of an answer drips, a
    thread reads on until the server ends it.)"""
    deadline = time.monotonic() + seconds
    outcome = queue.SimpleQueue()

    def work():
        try:
            outcome.put((whole(method, url, deadline, **options), None))
        except BaseException as err:
            outcome.put((None, err))

    threading.Thread(target=work, daemon=True, name="corenlp request").start()
    try:
        found, err = outcome.get(timeout=seconds)
    except queue.Empty:
        raise requests.Timeout(f"no answer within {seconds} s") from None
    if err is not None:
        raise err
    return found


def whole(method, url, deadline, trust_env=True, **options):
    """Read an answer as it comes, so that this thread ends at the deadline, too."""
    seconds = max(0.001, deadline - time.monotonic())
    with requests.Session() as session:
        session.trust_env = trust_env
        return read(session.request(method, url, timeout=seconds, stream=True, allow_redirects=False, **options), deadline)


def read(answer, deadline):
    with answer:
        parts = []
        try:
            while part := answer.raw.read1(1 << 16, decode_content=True):
                parts.append(part)
                if time.monotonic() > deadline:
                    raise requests.Timeout("the answer drips")
        except urllib3.exceptions.ReadTimeoutError as err:
            raise requests.Timeout(err) from None
        except urllib3.exceptions.ProtocolError as err:
            raise requests.ConnectionError(err) from None
        except urllib3.exceptions.HTTPError as err:
            raise requests.exceptions.ContentDecodingError(err) from None
    return answer, b"".join(parts)
