"""CoreNLP: what a program calls."""

import json
import re
import struct
import threading
from contextlib import contextmanager, suppress

import requests
from nltk.parse.corenlp import CoreNLPDependencyParser, CoreNLPParser
from nltk.parse.dependencygraph import DependencyGraphError
from requests.utils import get_auth_from_url

from . import bounded, wire
from .server import KeptServer, ServerError
from .texts import all_tagged, known_tokens
from .urls import cause, hide, one_line, shown

NOTHING = []  # what is found in a sentence without words


class CoreNLP:
    """A server that is started, or one that is reached by its URL.

        with CoreNLP() as nlp:
            for trees in nlp.parse("Is this a question? It is."):
                next(trees).pretty_print()

    Texts are a str of one or more sentences; or tokens of one sentence, a list of str; or
    tagged tokens, a list of (word, tag); or a list of such sentences. Tags that are given
    stay as they are: words without one, (word, None), are tagged as if no word of their
    sentence had one. A sentence without words has an empty result in its place.

    memory is that of Java's heap, port that of the server that is started (any free one),
    timeout the seconds that one request may take, start_timeout those until a server is
    ready. folder holds the Java archives; without it they are fetched once, into the cache.

    The server that was started is stopped when the with block ends, by an error or Ctrl-C,
    too, and when this process dies. One that is reached by URL is left alone. Threads, and
    processes that are forked inside of the block, may ask at once; these stop nothing.
    """

    def __init__(self, url=None, *, memory="2g", port=None, timeout=60, start_timeout=120, folder=None, java="java"):
        for name, value, most in (("timeout", timeout, 10_000), ("start_timeout", start_timeout, 100_000)):
            if not 0 < value < most:  # not a number is neither
                raise ValueError(f"{name} must be within 0 and {most:,} seconds, not {value}")
        if url is not None and (not isinstance(url, str) or not url.strip()):
            raise ValueError(f"url must be that of a server, or None to start one, not {url!r}")
        self.url, self.timeout = url, timeout
        self.options = dict(memory=memory, port=port, timeout=timeout, start_timeout=start_timeout, folder=folder, java=java)
        self.server = self.trees = self.graphs = None
        self.access = {}
        self.inside = threading.Lock()

    def __enter__(self):
        if not self.inside.acquire(blocking=False):  # a second server would never be stopped
            raise ServerError("this client is in a with block already: make another one")
        try:
            if self.url is None:
                self.server = KeptServer(**self.options)
                self.server.start()
            self.trees = CoreNLPParser(self.url or self.server.url)
            self.graphs = CoreNLPDependencyParser(self.trees.url)
            self.access = self.access_to_server()
            if self.server is None:
                self.reach()
            return self
        except BaseException:  # Ctrl-C, too: without an entry there is no exit
            self.__exit__()
            raise

    def __exit__(self, *_):
        self.trees = None  # first: calls of other threads see by it that we stop the server
        try:
            if self.server is not None:
                self.server.stop()
        finally:
            with suppress(RuntimeError):  # there was no entry
                self.inside.release()

    def access_to_server(self):
        """Proxies and .netrc are for others' servers alone; the password of a URL goes before that of .netrc."""
        if self.server is not None:
            return {"trust_env": False}
        with suppress(ValueError):  # of what is no URL; the first request says so
            known = get_auth_from_url(self.url)
            return {"auth": known if any(known) else None}
        return {}

    def reach(self):
        """Fail at once, and not at the first text, if nobody answers."""
        answer, _ = self.request("get", self.url.rstrip("/") + "/live")
        if not answer.ok:
            raise self.error(" is no CoreNLP server: ", f"{answer.status_code} {one_line(answer.reason)}")

    def tokenize(self, text):
        """The words of each sentence."""
        sentences = known_tokens(text)
        if sentences is not None:
            return [[word for word, _ in sentence] for sentence in sentences]
        found = self.annotate(text, "tokenize,ssplit")
        with self.understood():
            return [[token["word"] for token in sentence["tokens"]] for sentence in found]

    def tag(self, text):
        """The words of each sentence with their parts of speech."""
        sentences = known_tokens(text)
        if sentences is not None:
            return self.tagged(sentences)
        found = self.annotate(text, "tokenize,ssplit,pos")
        with self.understood():
            return [[(token["word"], token["pos"]) for token in sentence["tokens"]] for sentence in found]

    def parse(self, text, best=1):
        """Generate for each sentence a generator of its constituency trees, the most likely
        first: as many as best asks for and the parser finds. They are nltk's
        ProbabilisticTree; their logprob orders the trees of one sentence."""
        if not isinstance(best, int) or best < 1:
            raise ValueError(f"best must be a whole number of at least 1, not {best!r}")
        more = {"parse.kbest": str(best)} if best > 1 else {}
        found = self.found(text, "pos,parse", {"outputFormat": "serialized", **more})
        return ((tree for tree in trees) for trees in found)

    def dependencies(self, text):
        """Generate for each sentence a generator of its dependency graphs: CoreNLP finds one."""
        found = self.found(text, "pos,lemma,depparse", {})
        with self.understood():
            graphs = [[] if sentence is NOTHING else [self.graph_of(sentence)] for sentence in found]
        return ((graph for graph in found) for found in graphs)

    def graph_of(self, sentence):
        """Make nltk's graph, for which a blank in a token ends it."""
        words = [(token["word"], token["lemma"]) for token in sentence["tokens"]]
        for token in sentence["tokens"]:
            token["word"], token["lemma"] = (re.sub(r"\s", "\u00a0", token[key]) for key in ("word", "lemma"))
        graph = self.graphs.make_tree(sentence)
        for index, (word, lemma) in enumerate(words, 1):
            graph.nodes[index] |= {"word": word, "lemma": lemma}
        return graph

    def found(self, text, annotators, properties):
        """What the annotators find in each sentence: of a str, or of known tokens."""
        sentences = known_tokens(text)
        if sentences is None:
            return self.annotate(text, "tokenize,ssplit," + annotators, properties)
        if any(sentences) and not any(tag for sentence in sentences for _, tag in sentence):
            return self.of_tokens(sentences, annotators, properties)
        return self.of_tokens(self.tagged(sentences), annotators.removeprefix("pos,"), properties)

    def tagged(self, sentences):
        """Tag what has no tag. The sentences that lack some go in a request of their own:
        the tagger overwrites all that is sent to it."""
        lacking = [[(word, None) for word, _ in sentence] if not all_tagged(sentence) else [] for sentence in sentences]
        found = self.of_tokens(lacking, "pos", {})
        with self.understood():
            return [
                sentence if answer is NOTHING else [(word, tag or token["pos"]) for (word, tag), token in zip(sentence, answer["tokens"], strict=True)]
                for sentence, answer in zip(sentences, found)
            ]

    def of_tokens(self, sentences, annotators, properties):
        """Have sentences of known tokens annotated; those without words have NOTHING in their place."""
        sent = [sentence for sentence in sentences if sentence]
        known = {"annotators": annotators, "inputFormat": "serialized", "enforceRequirements": "false"}
        found = self.post(wire.document(sent), {"outputFormat": "json", **properties, **known}) if sent else []
        with self.understood():
            if len(found) != len(sent):
                raise ValueError(f"{len(found)} sentences, not {len(sent)}")
        found = iter(found)
        return [next(found) if sentence else NOTHING for sentence in sentences]

    def annotate(self, text, annotators, properties=None):
        """Have a str cut and annotated."""
        if not text.strip():
            return []
        return self.post(text.encode("utf-8", "replace"), {"outputFormat": "json", **(properties or {}), "annotators": annotators})

    def post(self, body, properties):
        """What the server finds in each sentence: trees if they are asked for, otherwise JSON."""
        trees = self.trees
        if trees is None:
            raise ServerError("there is no server outside of the with block")
        try:
            return self.ask(trees, body, properties)
        except ServerError:
            if self.trees is not trees:  # whatever it says, we stopped the server
                raise ServerError("the with block ended while the server was asked") from None
            raise

    def ask(self, trees, body, properties):
        ask = {"params": {"properties": json.dumps(properties)}, "headers": {"Content-Type": "text/plain; charset=utf-8"}}
        answer, content = self.request("post", trees.url, data=body, **ask)
        if not answer.ok:
            raise self.error(": ", f"{one_line(content.decode('utf-8', 'replace')) or answer.status_code}")
        with self.understood("trees" if properties["outputFormat"] == "serialized" else "CoreNLP's JSON"):
            if properties["outputFormat"] == "serialized":
                return list(wire.best_trees(content))
            return list(json.loads(content)["sentences"])

    def request(self, method, url, **options):
        try:
            answer, content = bounded.request(method, url, self.timeout, **self.access, **options)
        except requests.Timeout:
            raise self.error(f" has not answered within {self.timeout} s") from None
        except requests.exceptions.ContentDecodingError:
            raise self.error(" answers with something that cannot be unpacked") from None
        except (requests.RequestException, ValueError) as err:
            raise self.error(" does not answer: ", f"{self.why_not() or one_line(cause(err))}") from None
        if "Location" in answer.headers and 300 <= answer.status_code < 400:
            raise self.error(" points elsewhere: give the URL of the server itself; this leads to ", shown(answer.headers["Location"]))
        return answer, content

    @contextmanager
    def understood(self, wanted="CoreNLP's JSON"):
        """Whatever goes wrong in reading an answer is the server's fault."""
        try:
            yield
        except (LookupError, TypeError, ValueError, AttributeError, struct.error, RecursionError, DependencyGraphError) as err:
            raise self.error(f" answers with something else than {wanted}: ", one_line(err)) from None

    def error(self, text, why=""):
        url = self.url or self.server.url
        return ServerError(shown(url) + text + hide(why, url))

    def why_not(self):
        """What our own server died of, if it did."""
        return f"it has died: {self.server.last_words()}" if self.server is not None and self.server.dead() else ""
