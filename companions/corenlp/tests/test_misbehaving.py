"""Servers that are none, or bad ones: one line, in time, without the password."""

import time
import traceback

import pytest
from misbehaving import answering, ok

from corenlp import CoreNLP, ServerError

SECRET = "http://user:s3cret@"


def one_line_of(caught):
    said = str(caught.value)
    assert "\n" not in said and "s3cret" not in "".join(traceback.format_exception(caught.value)) and "user" not in said
    return said


@pytest.mark.parametrize("call", ["tokenize", "tag", "parse", "dependencies"])
@pytest.mark.parametrize("body", [
    b"[]", b"null", b'{"sentences":null}', b'{"sentences":[null]}', b'{"sentences":[{}]}', b'{"sentences":[{"tokens":[{}]}]}',
    b'{"sentences":[{"tokens":[1]}]}', b"", b"\xff", b"[" * 100000,
])
def test_garbage(call, body):
    with answering(ok(body)) as (host, _), CoreNLP(SECRET + host) as nlp, pytest.raises(ServerError) as caught:
        getattr(nlp, call)("a b")
    one_line_of(caught)


@pytest.mark.parametrize("answer, want", [
    (ok(b"no gzip", "Content-Encoding: gzip"), "cannot be unpacked"), (b"hello there\r\n\r\n", "does not answer"),
    (b"HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\n{", r"does not answer: [^()\"]*IncompleteRead\("),
    (b"", "does not answer: Remote end closed connection without response$"),
    (b"HTTP/1.1 307 Found\r\nLocation: foo://user:s3cret@x\r\nContent-Length: 0\r\nConnection: close\r\n\r\n", "leads to foo://x$"),
    (b"HTTP/1.1 500 Oh\r\nConnection: close\r\n\r\nuser:s3cret is wrong", r"\*\*\* is wrong"),
])
def test_broken_http(answer, want):
    with answering(answer) as (host, _), CoreNLP(SECRET + host, timeout=3) as nlp, pytest.raises(ServerError, match=want) as caught:
        nlp.tokenize("a b")
    one_line_of(caught)


@pytest.mark.parametrize("place", [SECRET + "localhost:99999", SECRET + "[bad", SECRET + "local host/", SECRET + "127.0.0.1:1/", "user:s3cret@host",
                                   "ftp://user:s3cret@x/", "http://user:s3/cret@127.0.0.1:1", "http://user:s3%63ret@127.0.0.1:1", "http:/user:s3cret@x"])
def test_no_password_is_shown(place):
    with pytest.raises(ServerError) as caught, CoreNLP(place, timeout=2):
        pass
    assert "s3" not in one_line_of(caught) and "cret" not in str(caught.value)


@pytest.mark.parametrize("drip_from", [0, 60])
def test_an_answer_that_drips_is_late(drip_from):
    """Each byte comes in time: in the head, which nobody but a thread can leave, and in the body."""
    answer = ok(b'{"sentences":[]}' + b" " * 60)
    with answering(answer, drip_from) as (host, _), CoreNLP(SECRET + host, timeout=1) as nlp:
        begun = time.monotonic()
        with pytest.raises(ServerError, match="has not answered within 1 s"):
            nlp.tokenize("a b")
        assert time.monotonic() - begun < 4


def test_sentences_that_are_missing():
    with answering(ok(b'{"sentences":[]}')) as (host, _), CoreNLP(SECRET + host) as nlp, pytest.raises(ServerError, match="0 sentences, not 1"):
        nlp.tag(["a"])


def test_a_proxy_is_asked_for_a_url(monkeypatch):
    with answering(ok(b'{"sentences":[]}')) as (host, seen):
        monkeypatch.setenv("http_proxy", f"http://{host}")
        with CoreNLP("http://nowhere.invalid:9000") as nlp:
            assert nlp.tokenize("a") == []
    assert seen[0].startswith(b"GET http://nowhere.invalid:9000/live")


def test_the_password_of_a_url_goes_before_that_of_netrc(monkeypatch, tmp_path):
    netrc = tmp_path / "netrc"
    netrc.write_text("machine 127.0.0.1 login other password other\n")
    monkeypatch.setenv("NETRC", str(netrc))
    with answering(ok(b'{"sentences":[]}')) as (host, seen), CoreNLP("http://a:b@" + host) as nlp:
        nlp.tokenize("a")
    assert all(b"Authorization: Basic YTpi\r\n" in request for request in seen)


@pytest.mark.parametrize("code", [301, 302, 303, 307, 308])
def test_no_text_is_sent_on_to_another_server(code):
    with answering(ok(b'{"sentences":[]}')) as (other, seen):
        head = f"HTTP/1.1 {code} Moved\r\nLocation: http://{other}/a\r\nContent-Length: 0\r\nConnection: close\r\n\r\n"
        with answering(head.encode()) as (host, _), CoreNLP("http://" + host) as nlp, pytest.raises(ServerError) as caught:
            nlp.tokenize("a b")
    assert str(caught.value) == f"http://{host} points elsewhere: give the URL of the server itself; this leads to http://{other}/a"
    assert seen == []
