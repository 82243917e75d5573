import pytest
from conftest import fake_folder, fake_java
from nltk.tree import ProbabilisticTree, Tree

from corenlp import CoreNLP, ServerError


@pytest.fixture(scope="module")
def nlp(tmp_path_factory):
    place = tmp_path_factory.mktemp("client")
    with CoreNLP(folder=fake_folder(place), java=fake_java(place)) as nlp:
        yield nlp


def trees_of(found):
    return [[flat(tree) for tree in trees] for trees in found]


def flat(tree):
    return " ".join(Tree.convert(tree).pformat().split())


def test_texts_of_several_sentences_and_questions(nlp):
    text = "Is it? It is."
    assert nlp.tokenize(text) == [["Is", "it", "?"], ["It", "is", "."]]
    assert nlp.tag(text) == [[("Is", "X"), ("it", "X"), ("?", "X")], [("It", "X"), ("is", "X"), (".", "X")]]
    assert trees_of(nlp.parse(text)) == [["(ROOT (X Is) (X it) (X ?))"], ["(ROOT (X It) (X is) (X .))"]]
    graphs = [list(graphs) for graphs in nlp.dependencies(text)]
    assert [len(found) for found in graphs] == [1, 1]
    assert graphs[0][0].to_conll(4).split() == ["Is", "X", "0", "ROOT", "it", "X", "1", "dep", "?", "X", "2", "dep"]


def test_known_tokens_stay_as_they_are(nlp):
    words = ["New York", "isn't", "a-b", "x.y", "😀", "日本"]
    assert nlp.tokenize(words) == [words]
    assert nlp.tag([words, ["b"]]) == [[(word, "X") for word in words], [("b", "X")]]
    assert next(next(nlp.parse(words))).leaves() == words
    graph = next(next(nlp.dependencies(words)))
    assert [graph.nodes[k]["word"] for k in range(1, 7)] == words


def test_known_tags_stay_as_they_are(nlp):
    tagged = [("Time", "VB"), ("flies", "NNS")]
    assert nlp.tag(tagged) == [tagged]
    assert trees_of(nlp.parse(tagged)) == [["(ROOT (VB Time) (NNS flies))"]]
    assert trees_of(nlp.parse([tagged, [("go", "VBP")]])) == [["(ROOT (VB Time) (NNS flies))"], ["(ROOT (VBP go))"]]
    graph = next(next(nlp.dependencies(tagged)))
    assert graph.nodes[1]["tag"] == "VB"


def test_tags_stay_whatever_else_has_none(nlp):
    """The server's tagger overwrites every tag that is in its request."""
    text = [["It", "is"], [("Time", "VB"), ("flies", "NNS")], [], [("go", "VBP"), ("on", None), "now"]]
    want = [[("It", "X"), ("is", "X")], [("Time", "VB"), ("flies", "NNS")], [], [("go", "VBP"), ("on", "X"), ("now", "X")]]
    assert nlp.tag(text) == want
    assert nlp.tokenize(text) == [[word for word, _ in sentence] for sentence in want]
    flats = ["(ROOT (X It) (X is))", "(ROOT (VB Time) (NNS flies))", None, "(ROOT (VBP go) (X on) (X now))"]
    assert trees_of(nlp.parse(text)) == trees_of(nlp.parse(want)) == [[flat] if flat else [] for flat in flats]
    graphs = [list(found) for found in nlp.dependencies(text)]
    assert [len(found) for found in graphs] == [1, 1, 0, 1]
    assert [graphs[3][0].nodes[k]["tag"] for k in (1, 2, 3)] == ["VBP", "X", "X"]


def test_sentences_without_words_keep_their_place(nlp):
    assert nlp.tag([["a"], [], ["b"]]) == [[("a", "X")], [], [("b", "X")]]
    assert nlp.tokenize([[]]) == nlp.tag([[]]) == trees_of(nlp.parse([[]])) == [list(found) for found in nlp.dependencies([[]])] == [[]]


def test_best_trees_come_in_order(nlp):
    found = [list(trees) for trees in nlp.parse("One. Two.", best=3)]
    assert [len(trees) for trees in found] == [3, 3]
    for trees in found:
        assert all(isinstance(tree, ProbabilisticTree) for tree in trees)
        scores = [tree.logprob() for tree in trees]
        assert scores == sorted(scores, reverse=True)


def test_generators(nlp):
    found = nlp.parse("One. Two.")
    assert next(next(found)).leaves() == ["One", "."]
    assert next(next(found)).leaves() == ["Two", "."]
    with pytest.raises(StopIteration):
        next(found)


@pytest.mark.parametrize("nothing", ["", " \n\t", []])
def test_nothing(nlp, nothing):
    assert nlp.tokenize(nothing) == nlp.tag(nothing) == list(nlp.parse(nothing)) == list(nlp.parse(nothing, best=2)) == list(nlp.dependencies(nothing)) == []


def test_unicode(nlp):
    assert nlp.tokenize("Größe 日本 😀.") == [["Größe", "日本", "😀", "."]]
    assert nlp.tokenize("a \ud800 b") == [["a", "?", "b"]] or nlp.tokenize("a \ud800 b")  # half of a character


@pytest.mark.parametrize("wrong", [[1], [("a", 1)], [["a"], "b"], 5, [""], [" "], [["a", [1]]], None])
def test_what_is_no_text(nlp, wrong):
    with pytest.raises(TypeError):
        nlp.tag(wrong)
    for best in (0, 1.5, float("nan"), "3", None):
        with pytest.raises(ValueError, match="best must be a whole number of at least 1"):
            nlp.parse("a", best=best)


@pytest.mark.parametrize("words", [["a", "\ud800"], [("a", "\udfff")]])
def test_half_of_a_character_is_no_token(nlp, words):
    with pytest.raises(ValueError, match="holds half of a character"):
        nlp.tag(words)


@pytest.mark.parametrize("url", ["", " ", 5])
def test_a_url_that_is_none(url):
    with pytest.raises(ValueError, match="url must be that of a server, or None to start one"):
        CoreNLP(url)


@pytest.mark.parametrize("name", ["timeout", "start_timeout"])
@pytest.mark.parametrize("seconds", [0, -1, float("nan"), float("inf")])
def test_a_timeout_that_is_none(name, seconds):
    with pytest.raises(ValueError, match=f"^{name} must be within 0 and 10"):
        CoreNLP(**{name: seconds})


def test_before_and_after_the_block(start):
    nlp = start()
    for _ in range(2):
        for call in (nlp.tokenize, nlp.tag, nlp.parse, nlp.dependencies):
            with pytest.raises(ServerError, match="there is no server outside of the with block"):
                call("It is.")
        with nlp:
            pass


def test_what_the_server_says_is_one_line(nlp):
    with pytest.raises(ServerError) as caught:
        nlp.parse("boom")
    assert str(caught.value).endswith(": java.lang.RuntimeException: too long [31m at line 7")
    assert "companion" not in str(caught.value), "the password is shown"
    assert nlp.tokenize("It goes on.") == [["It", "goes", "on", "."]]


def test_reached_by_url_and_left_running(start):
    with start() as owner:
        with CoreNLP(owner.server.url) as guest:
            assert guest.tokenize("Hello.") == [["Hello", "."]]
        assert owner.tokenize("Still here.") == [["Still", "here", "."]]
        with pytest.raises(ServerError), CoreNLP(owner.server.address) as stranger:
            stranger.tokenize("No password.")


@pytest.mark.parametrize("url", ["http://127.0.0.1:1", "http://127.0.0.1:1/", "nonsense", "http://", "ftp://127.0.0.1", "http://a b"])
def test_a_url_where_nobody_answers(url):
    with pytest.raises(ServerError) as caught, CoreNLP(url):
        pass
    assert "\n" not in str(caught.value) and "0x" not in str(caught.value)
