"""The serialized form, from the server's side."""

import struct

from corenlp import wire


def tokens_sent(data):
    size, at = wire.read_varint(data, 0)
    assert at + size == len(data)
    sentences = [dict_of(body) for field, body in wire.fields(data[at:]) if field == 2]
    return [[(dict(wire.fields(t))[1].decode(), dict(wire.fields(t)).get(2, b"").decode() or None) for t in s[1]] for s in sentences]


def dict_of(body):
    found = {1: []}
    for field, value in wire.fields(body):
        if field == 1:
            found[1].append(value)
        else:
            found[field] = value
    return found


def kbest(sentences, best):
    body = wire.text_field(1, "")
    for sentence in sentences:
        trees = b"".join(wire.bytes_field(34, tree_of(sentence, -float(k))) for k in range(1, best + 1))
        body += wire.bytes_field(2, trees)
    return wire.varint(len(body)) + body


def tree_of(sentence, score):
    words = [wire.bytes_field(1, wire.text_field(2, tag or "X") + wire.bytes_field(1, wire.text_field(2, word))) for word, tag in sentence]
    return wire.text_field(2, "ROOT") + b"".join(words) + b"\x29" + struct.pack("<d", score)
