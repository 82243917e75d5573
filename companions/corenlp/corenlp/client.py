"""CoreNLP: what a program calls."""

import json
import re
import struct

import requests
from nltk.parse.corenlp import CoreNLPDependencyParser, CoreNLPParser

from . import wire
from .server import KeptServer, ServerError, one_line


class CoreNLP:
    """A server that is started, or one that is reached by its URL.

        with CoreNLP() as nlp:
            for trees in nlp.parse("Is this a question? It is."):
                next(trees).pretty_print()

    Texts are a str of one or more sentences; or tokens of one sentence, a list of str; or
    tagged tokens, a list of (word, tag); or a list of such sentences.

    memory is that of Java's heap, port that of the server that is started (any free one),
    timeout the seconds that one request may take, start_timeout those until a server is
    ready. folder holds the Java archives; without it they are fetched once, into the cache.

    The server that was started is stopped when the with block ends, by an error or Ctrl-C,
    too, and when this process dies. One that is reached by URL is left alone.
    """

    def __init__(self, url=None, *, memory="2g", port=None, timeout=60, start_timeout=120, folder=None, java="java"):
        if not 0 < timeout < 10000:
            raise ValueError(f"timeout must be within 0 and 10,000 seconds, not {timeout}")
        self.url, self.timeout = url, timeout
        self.options = dict(memory=memory, port=port, timeout=timeout, start_timeout=start_timeout, folder=folder, java=java)
        self.server = None

    def __enter__(self):
        try:
            if self.url is None:
                self.server = KeptServer(**self.options)
                self.server.start()
            self.trees = CoreNLPParser(self.url or self.server.url)
            self.graphs = CoreNLPDependencyParser(self.trees.url)
            if self.server is None:
                self.reach()
            return self
        except BaseException:  # Ctrl-C, too: without an entry there is no exit
            self.__exit__()
            raise

    def __exit__(self, *_):
        if self.server is not None:
            self.server.stop()

    def reach(self):
        """Fail at once, and not at the first text, if nobody answers."""
        try:
            answer = self.trees.session.get(self.url.rstrip("/") + "/live", timeout=self.timeout)
        except (requests.RequestException, ValueError) as err:
            raise ServerError(f"{shown(self.url)} does not answer: {one_line(cause(err))}") from None
        if not answer.ok:
            raise ServerError(f"{shown(self.url)} is no CoreNLP server: {answer.status_code} {one_line(answer.reason)}")

    def tokenize(self, text):
        """The words of each sentence."""
        return [[token["word"] for token in sentence["tokens"]] for sentence in self.ask(text, "tokenize,ssplit", "")]

    def tag(self, text):
        """The words of each sentence with their parts of speech."""
        found = self.ask(text, "tokenize,ssplit,pos", "pos")
        return [[(token["word"], token["pos"]) for token in sentence["tokens"]] for sentence in found]

    def parse(self, text, best=1):
        """Generate for each sentence a generator of its constituency trees, the most likely
        first: as many as best asks for and the parser finds. They are nltk's
        ProbabilisticTree; their logprob orders the trees of one sentence."""
        if best < 1:
            raise ValueError(f"best must be at least 1, not {best}")
        more = {"parse.kbest": str(best)} if best > 1 else {}
        data = self.ask(text, "tokenize,ssplit,pos,parse", "parse", {"outputFormat": "serialized", **more})
        return ((tree for tree in trees) for trees in self.read_trees(data))

    def dependencies(self, text):
        """Generate for each sentence a generator of its dependency graphs: CoreNLP finds one."""
        found = self.ask(text, "tokenize,ssplit,pos,lemma,depparse", "lemma,depparse")
        return ((graph for graph in [self.graph_of(sentence)]) for sentence in found)

    def graph_of(self, sentence):
        """Make nltk's graph, for which a blank in a token ends it."""
        words = [(token["word"], token["lemma"]) for token in sentence["tokens"]]
        for token in sentence["tokens"]:
            token["word"], token["lemma"] = (re.sub(r"\s", "\u00a0", token[key]) for key in ("word", "lemma"))
        graph = self.graphs.make_tree(sentence)
        for index, (word, lemma) in enumerate(words, 1):
            graph.nodes[index] |= {"word": word, "lemma": lemma}
        return graph

    def read_trees(self, data):
        try:
            return list(wire.best_trees(data))
        except (ValueError, TypeError, struct.error, RecursionError) as err:
            raise ServerError(f"{shown(self.trees.url)} answers with something else than trees: {one_line(err)}") from None

    def ask(self, text, of_text, of_tokens, properties=None):
        """Have text annotated by of_text, or known tokens by of_tokens."""
        properties = {"outputFormat": "json", "annotators": of_text, **(properties or {})}
        sentences = None if isinstance(text, str) else known_tokens(text)
        if sentences is None:
            body = text.encode("utf-8", "replace")
            if not text.strip():
                return b"\0" if properties["outputFormat"] == "serialized" else []
        elif not sentences:
            return b"\0" if properties["outputFormat"] == "serialized" else []
        else:
            if any(tag is None for sentence in sentences for _, tag in sentence):
                of_tokens = ",".join(filter(None, ["pos", of_tokens.removeprefix("pos").lstrip(",")]))
            elif of_tokens == "pos":
                of_tokens = ""
            body = wire.document(sentences)
            properties |= {"annotators": of_tokens, "inputFormat": "serialized", "enforceRequirements": "false"}
        return self.post(body, properties)

    def post(self, body, properties):
        try:
            answer = self.trees.session.post(
                self.trees.url, params={"properties": json.dumps(properties)}, data=body,
                headers={"Content-Type": "text/plain; charset=utf-8"}, timeout=self.timeout,
            )
            if not answer.ok:
                raise ServerError(f"{shown(self.trees.url)}: {one_line(answer.text) or answer.status_code}")
            return answer.content if properties["outputFormat"] == "serialized" else answer.json()["sentences"]
        except requests.Timeout:
            raise ServerError(f"{shown(self.trees.url)} has not answered within {self.timeout} s") from None
        except (requests.ConnectionError, requests.exceptions.ChunkedEncodingError) as err:
            raise ServerError(f"{shown(self.trees.url)} does not answer: {self.why_not() or one_line(cause(err))}") from None
        except (ValueError, KeyError, TypeError):
            raise ServerError(f"{shown(self.trees.url)} answers with something else than CoreNLP's JSON") from None

    def why_not(self):
        if self.server is not None and not self.server.running():
            return f"it has died: {self.server.last_words()}"
        return ""


def known_tokens(text):
    """Bring tokens, tagged tokens and lists of such sentences into one form."""
    sentences = list(text)
    if sentences and all(isinstance(word, str) or is_tagged(word) for word in sentences):
        sentences = [sentences]
    out = []
    for sentence in sentences:
        if isinstance(sentence, str) or not hasattr(sentence, "__iter__"):
            raise TypeError(f"a sentence is a list of words or of (word, tag), not {sentence!r}")
        words = [(word, None) if isinstance(word, str) else word for word in sentence]
        for word in words:
            if not is_tagged(word) or not word[0].strip():
                raise TypeError(f"{word!r} is neither a word nor a (word, tag)")
        if words:
            out.append(words)
    return out


def is_tagged(word):
    return isinstance(word, tuple) and len(word) == 2 and isinstance(word[0], str) and (word[1] is None or isinstance(word[1], str))


def shown(url):
    """A URL without its password."""
    scheme, found, rest = str(url).partition("//")
    return one_line(scheme + found + rest.rpartition("@")[2])


def cause(err):
    """The innermost reason of an error of requests, without the objects it names."""
    while getattr(err, "args", None) and isinstance(err.args[0], BaseException):
        err = err.args[0]
    return re.sub(r"^\[Errno -?\d+\] ", "", str(getattr(err, "reason", err)).rpartition(": ")[2])
