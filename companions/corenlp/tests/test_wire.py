import math

import pytest
import serialized

from corenlp import wire


def test_known_bytes():
    """Numbers of any size, as the description of the format gives them."""
    assert wire.varint(0) == b"\0" and wire.varint(1) == b"\1" and wire.varint(150) == b"\x96\x01" and wire.varint(300) == b"\xac\x02"
    assert wire.text_field(2, "testing") == b"\x12\x07testing"
    assert list(wire.fields(b"\x08\x96\x01\x12\x07testing")) == [(1, 150), (2, b"testing")]


def test_tokens_go_there_and_back():
    sentences = [[("New York", None), ("isn't", "VBZ")], [("😀" * 200, "X"), ("日本", None)]]
    assert serialized.tokens_sent(wire.document(sentences)) == sentences


def test_offsets_are_those_of_java():
    """A smiling face is two units of UTF-16, and one character of Python."""
    body = [value for field, value in wire.fields(wire.document([[("😀", None), ("b", None)]])[1:]) if field == 2][0]
    tokens = [dict(wire.fields(value)) for field, value in wire.fields(body) if field == 1]
    assert [(token[11], token[12]) for token in tokens] == [(0, 2), (3, 4)]


def test_trees_come_back():
    data = serialized.kbest([[("a", "DT"), ("b", None)]], 2)
    (trees,) = wire.best_trees(data)
    assert [tree.pformat() for tree in trees] == ["(ROOT (DT a) (X b))"] * 2
    assert math.isclose(trees[0].logprob() * wire.LN2, -1)


def test_what_is_cut_off_is_an_error():
    data = serialized.kbest([[("a", "DT"), ("b", None)]], 2)
    for end in range(len(data)):
        with pytest.raises(ValueError):
            list(wire.best_trees(data[:end]))
