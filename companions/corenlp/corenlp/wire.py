"""As much of CoreNLP's serialized form (protocol buffers) as parses of known tokens need:
plain text can tell the server neither where tokens end nor what their tags are, and its
JSON holds the best tree alone, in a form in which nltk cuts a token at its blanks.
"""

import struct

from nltk.tree import ProbabilisticTree

LN2 = 0.6931471805599453


def document(sentences):
    """Write sentences, lists of (word, tag or None), as a delimited Document."""
    out = text_field(1, " ".join(word for sentence in sentences for word, _ in sentence))
    char = token = 0
    for number, sentence in enumerate(sentences):
        first_char, first_token, body = char, token, b""
        for index, (word, tag) in enumerate(sentence):
            end = char + units(word)
            body += bytes_field(1, token_message(word, tag, char, end, index, token))
            char, token = end + 1, token + 1
        body += b"".join(map(number_field, (2, 3, 4, 5, 6), (first_token, token, number, first_char, max(first_char, char - 1))))
        out += bytes_field(2, body)
    return varint(len(out)) + out


def token_message(word, tag, begin, end, index, number):
    out = text_field(1, word) + (text_field(2, tag) if tag else b"") + text_field(3, word)
    out += text_field(5, " ") + text_field(6, " ") + text_field(7, word)
    return out + b"".join(map(number_field, (11, 12, 15, 16, 17, 18), (begin, end, index, index + 1, number, number + 1)))


def units(word):
    """Java counts in units of UTF-16."""
    return len(word.encode("utf-16-le")) // 2


def varint(number):
    out = bytearray()
    while number > 127:
        out.append(number & 127 | 128)
        number >>= 7
    out.append(number)
    return bytes(out)


def number_field(field, number):
    return varint(field << 3) + varint(number)


def bytes_field(field, body):
    return varint(field << 3 | 2) + varint(len(body)) + body


def text_field(field, text):
    return bytes_field(field, text.encode())


def fields(data):
    """Read a message: its fields in order, numbers as int, what has a length as bytes."""
    at = 0
    while at < len(data):
        key, at = read_varint(data, at)
        kind = key & 7
        if kind == 0:
            value, at = read_varint(data, at)
        elif kind == 2:
            size, at = read_varint(data, at)
            value, at = data[at : at + size], at + size
        elif kind in (1, 5):
            size = 8 if kind == 1 else 4
            value, at = data[at : at + size], at + size
        else:
            raise ValueError(f"a field of kind {kind} in what the server sent")
        if at > len(data):
            raise ValueError("what the server sent ends too early")
        yield key >> 3, value


def read_varint(data, at):
    number = shift = 0
    while True:
        if at >= len(data) or shift > 63:
            raise ValueError("what the server sent ends too early")
        number |= (data[at] & 127) << shift
        shift += 7
        at += 1
        if data[at - 1] < 128:
            return number, at


def best_trees(data):
    """Read a delimited Document: for each sentence its trees, the most likely first."""
    size, at = read_varint(data, 0)
    if len(data) < at + size:
        raise ValueError("what the server sent ends too early")
    for field, sentence in fields(data[at : at + size]):
        if field == 2:
            found = list(fields(sentence))
            trees = [tree(body) for number, body in found if number == 34]  # kBestParseTrees
            yield trees or [tree(body) for number, body in found if number == 7]  # parseTree


def tree(body):
    """Read a ParseTree. Its score is the natural logarithm of its probability."""
    label, children, score = "", [], None
    for number, value in fields(body):
        if number == 1:
            children.append(tree(value))
        elif number == 2:
            label = value.decode()
        elif number == 5:
            score = struct.unpack("<d", value)[0]
    if not children:
        return label
    if score is None or score != score:
        score = 0.0
    return ProbabilisticTree(label, children, logprob=score / LN2)
