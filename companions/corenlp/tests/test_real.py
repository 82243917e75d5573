"""The real server. It needs Java, Maven and 474 MB of models: CORENLP_REAL=1 asks for it."""

import os
import signal
import subprocess
import sys

import pytest
from nltk.tree import Tree
from conftest import HERE, left, processes

from corenlp import CoreNLP, ServerError, jars

pytestmark = pytest.mark.skipif(os.environ.get("CORENLP_REAL") != "1", reason="CORENLP_REAL is not 1")


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """The archives by a name of our own, by which our servers are told from those of others."""
    place = tmp_path_factory.mktemp("real") / "jars"
    place.symlink_to(jars.ensure())
    return place


@pytest.fixture(scope="module")
def nlp(folder):
    with CoreNLP(folder=folder) as nlp:
        yield nlp
    assert left(folder) == []


def flat(tree):
    return " ".join(Tree.convert(tree).pformat().split())


def test_a_question_and_a_sentence(nlp):
    text = "Is this a question? The quick brown fox jumps over the lazy dog."
    assert nlp.tokenize(text) == ["Is this a question ?".split(), "The quick brown fox jumps over the lazy dog .".split()]
    assert nlp.tag(text)[0] == [("Is", "VBZ"), ("this", "DT"), ("a", "DT"), ("question", "NN"), ("?", ".")]
    question, fox = (next(trees) for trees in nlp.parse(text))
    assert flat(question) == "(ROOT (SQ (VBZ Is) (NP (DT this)) (NP (DT a) (NN question)) (. ?)))"
    assert fox[0].label() == "S" and [child.label() for child in fox[0]] == ["NP", "VP", "."]
    graph = list(nlp.dependencies(text))[1]
    assert {(head[0], rel, dep[0]) for head, rel, dep in next(graph).triples()} >= {("jumps", "nsubj", "fox"), ("dog", "case", "over"), ("fox", "amod", "quick")}


def test_tags_that_are_given_decide(nlp):
    words = ["Time", "flies", "like", "an", "arrow", "."]
    order = list(zip(words, ["VB", "NNS", "IN", "DT", "NN", "."]))
    report = list(zip(words, ["NN", "VBZ", "IN", "DT", "NN", "."]))
    first, second = (next(trees) for trees in nlp.parse([order, report]))
    assert first.pos() == order and second.pos() == report
    assert first[0][0].label() == "VP" and second[0][0].label() == "NP"
    assert next(next(nlp.dependencies(order))).root["word"] == "Time"
    assert next(next(nlp.dependencies(report))).root["word"] == "flies"


def test_tags_stay_beside_words_without(nlp):
    order, untagged = [("Time", "VB"), ("flies", "NNS")], ["It", "is", "."]
    alone = [nlp.tag(untagged)[0], [flat(tree) for tree in next(nlp.parse(untagged))], next(next(nlp.dependencies(untagged))).to_conll(4)]
    assert nlp.tag([order, [], untagged]) == [order, [], alone[0]]
    assert nlp.tag([("Time", "VB"), "flies"])[0][0] == ("Time", "VB")
    tagged, nothing, other = nlp.parse([order, [], untagged])
    assert (next(tagged).pos(), list(nothing), [flat(tree) for tree in other]) == (order, [], alone[1])
    assert [graph.to_conll(4) for graphs in nlp.dependencies([order, [], untagged]) for graph in graphs][1] == alone[2]


def test_nobody_sees_the_password(nlp, folder):
    lines = [line for _, line in processes(folder)]
    assert any("-props" in line for line in lines) and not any(nlp.server.password in line for line in lines)


def test_tokens_that_are_given_stay(nlp):
    assert nlp.tag(["New York", "never", "sleeps", "."])[0][0] == ("New York", "NNP")
    for words in (["I", "can't", "😀"], ["New York", "never", "sleeps", "."]):
        assert next(next(nlp.parse(words))).leaves() == words
        graph = next(next(nlp.dependencies(words)))
        assert [graph.nodes[k]["word"] for k in range(1, len(words) + 1)] == words


def test_best_trees(nlp):
    (trees,) = nlp.parse("I saw the man with the telescope.", best=4)
    trees = list(trees)
    scores = [tree.logprob() for tree in trees]
    assert len(trees) == 4 and len({flat(tree) for tree in trees}) == 4
    assert scores == sorted(scores, reverse=True) and scores[0] > scores[-1]
    (only,) = next(nlp.parse("I saw the man with the telescope."))
    assert flat(only) == flat(trees[0])


def test_nothing_and_unicode(nlp):
    assert nlp.tokenize(" \n") == []
    assert nlp.tokenize("Größe 日本 😀.") == [["Größe", "日本", "😀", "."]]


def test_too_long_is_one_line(nlp):
    with pytest.raises(ServerError) as caught:
        nlp.tokenize("word " * 30000)
    assert "\n" not in str(caught.value) and "100000" in str(caught.value)


def test_nobody_without_the_password(nlp):
    with pytest.raises(ServerError), CoreNLP(nlp.server.address) as stranger:
        stranger.tokenize("Hello.")


def test_too_little_memory():
    with pytest.raises(ServerError) as caught, CoreNLP(memory="1x"):
        pass
    assert "\n" not in str(caught.value) and "Invalid maximum heap size: -Xmx1x" in str(caught.value)


@pytest.mark.parametrize("sign", [signal.SIGKILL, signal.SIGINT])
def test_none_is_left_when_the_parent_ends(folder, tmp_path, sign):
    own = tmp_path / "jars"  # beside those of nlp
    own.symlink_to(folder)
    script = "import sys, time\nfrom corenlp import CoreNLP\nwith CoreNLP(folder=sys.argv[1]) as nlp:\n    print('up', flush=True); time.sleep(600)"
    command = [sys.executable, "-c", script, str(own)]
    child = subprocess.Popen(command, env={**os.environ, "PYTHONPATH": str(HERE.parent)}, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
    assert child.stdout.readline() == "up\n" and len(processes(own)) == 2
    os.kill(child.pid, sign)
    assert child.wait(30) == -sign
    assert left(own) == []


def test_little_time_for_a_parse_is_enough_to_start(folder):
    with CoreNLP(folder=folder, timeout=0.05) as nlp, pytest.raises(ServerError, match="has not answered within 0.05 s|timed out"):
        nlp.parse("The quick brown fox jumps over the lazy dog. " * 50)
