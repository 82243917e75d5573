import random
import xml.etree.ElementTree

import matplotlib.pyplot as plt
import numpy as np
import pytest
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.datasets import load_iris
from sklearn.exceptions import NotFittedError
from sklearn.model_selection import StratifiedKFold
from sklearn.neighbors import KNeighborsClassifier
from sklearn.tree import DecisionTreeClassifier

from classbalance import KINDS, ClassBalanceDisplay, texts

ACTUAL = ["a", "a", "a", "a", "b", "b", "c"]
PREDICTED = ["a", "a", "b", "c", "b", "b", "a"]
COUNTS = [[2, 1, 1], [0, 2, 0], [1, 0, 0]]  # rows are actual classes


def heights(display):
    return [[bar.get_height() for bar in bars] for bars in display.bars_]


def test_balance_is_two_bars_a_class():
    display = ClassBalanceDisplay.from_predictions(ACTUAL, PREDICTED)
    assert display.counts.tolist() == COUNTS
    assert heights(display) == [[4, 2, 1], [3, 3, 1]]
    assert [text.get_text() for text in display.text_] == ["4", "2", "1", "3", "3", "1"]
    assert [text.get_text() for text in display.legend_.get_texts()] == ["actual", "predicted"]


def test_a_bar_for_each_actual_class():
    display = ClassBalanceDisplay.from_predictions(ACTUAL, PREDICTED, kind="predicted_per_actual")
    assert heights(display) == [[2, 0, 1], [1, 2, 0], [1, 0, 0]]  # a line a predicted class
    assert np.sum(heights(display), axis=0).tolist() == [4, 2, 1]
    assert display.ax_.get_xlabel() == "actual class"
    assert display.legend_.get_title().get_text() == "predicted class"


def test_a_bar_for_each_predicted_class():
    display = ClassBalanceDisplay.from_predictions(ACTUAL, PREDICTED, kind="actual_per_predicted")
    assert heights(display) == COUNTS
    assert np.sum(heights(display), axis=0).tolist() == [3, 3, 1]
    assert display.ax_.get_xlabel() == "predicted class"
    assert display.legend_.get_title().get_text() == "actual class"


@pytest.mark.parametrize("kind", ["predicted_per_actual", "actual_per_predicted"])
def test_parts_stand_on_each_other_what_is_right_below(kind):
    display = ClassBalanceDisplay.from_predictions(ACTUAL, PREDICTED, kind=kind)
    for x in range(3):
        parts = [(bars[x].get_y(), bars[x].get_height()) for bars in display.bars_]
        assert parts[x][0] == 0
        level = 0
        for bottom, height in sorted(part for part in parts if part[1] > 0):
            assert bottom == level
            level += height
        assert level <= display.ax_.get_ylim()[1]


def test_heat_map():
    display = ClassBalanceDisplay.from_predictions(ACTUAL, PREDICTED, kind="heatmap")
    assert display.im_.get_array().tolist() == [[0.5, 0.25, 0.25], [0, 1, 0], [1, 0, 0]]
    assert {(t.get_position(), t.get_text()) for t in display.text_} == {
        ((0, 0), "2"), ((1, 0), "1"), ((2, 0), "1"), ((1, 1), "2"), ((0, 2), "1"),
    }  # x is the predicted class
    assert (display.ax_.get_xlabel(), display.ax_.get_ylabel()) == ("predicted class", "actual class")
    assert display.ax_.get_ylim() == (-0.5, 2.5)  # the order of ordinal classes goes up


def test_shares():
    for kind in ("predicted_per_actual", "actual_per_predicted"):
        display = ClassBalanceDisplay.from_predictions(ACTUAL, PREDICTED, kind=kind, normalize=True)
        assert np.allclose(np.sum(heights(display), axis=0), 1)
    assert np.allclose(np.sum(heights(ClassBalanceDisplay.from_predictions(ACTUAL, PREDICTED, normalize=True))), 2)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("normalize", [False, True])
def test_draws_on_the_axes_that_it_is_given(kind, normalize):
    figure, (left, right) = plt.subplots(1, 2)
    display = ClassBalanceDisplay.from_predictions(ACTUAL, PREDICTED, kind=kind, normalize=normalize, ax=right)
    assert display.ax_ is right and display.figure_ is figure
    assert not left.has_data() and right.has_data()
    assert plt.get_fignums() == [figure.number]


def test_labels_are_an_order_and_may_name_absent_classes():
    display = ClassBalanceDisplay.from_predictions(ACTUAL, PREDICTED, labels=["c", "b", "a", "z"])
    assert heights(display) == [[1, 2, 4, 0], [1, 3, 3, 0]]
    assert [tick.get_text() for tick in display.ax_.get_xticklabels()] == ["c", "b", "a", "z"]
    for kind in KINDS:  # nothing is divided by the rows of z
        with np.errstate(all="raise"):
            ClassBalanceDisplay.from_predictions(ACTUAL, PREDICTED, labels=["c", "b", "a", "z"], kind=kind, normalize=True)


def test_no_row_is_left_out_silently():
    with pytest.raises(ValueError, match="labels lacks c"):
        ClassBalanceDisplay.from_predictions(ACTUAL, PREDICTED, labels=["a", "b"])
    with pytest.raises(ValueError, match="twice"):
        ClassBalanceDisplay.from_predictions(ACTUAL, PREDICTED, labels=["a", "b", "c", "a"])
    with pytest.raises(ValueError, match="2 display_labels for 3"):
        ClassBalanceDisplay.from_predictions(ACTUAL, PREDICTED, display_labels=["x", "y"])
    with pytest.raises(ValueError, match="no rows"):
        ClassBalanceDisplay.from_predictions([], [])
    with pytest.raises(ValueError, match="kind must be one of"):
        ClassBalanceDisplay.from_predictions(ACTUAL, PREDICTED, kind="pie")
    with pytest.raises(ValueError):
        ClassBalanceDisplay.from_predictions(ACTUAL, PREDICTED[1:])


@pytest.mark.parametrize("counts", [[[1, -1], [0, 1]], [[1, float("nan")], [0, 1]], [[1, float("inf")], [0, 1]], [["1", "2"], ["3", "4"]], [[None, 1], [1, 1]]])
def test_counts_that_are_none(counts):
    with pytest.raises(ValueError, match="must be numbers from 0 up"):
        ClassBalanceDisplay(counts)


def test_weights_that_take_rows_away():
    with pytest.raises(ValueError, match="must be numbers from 0 up"):
        ClassBalanceDisplay.from_predictions([0, 0, 1], [0, 1, 1], sample_weight=[1, -2, 1])


def test_weights():
    display = ClassBalanceDisplay.from_predictions([0, 0, 1], [0, 1, 1], sample_weight=[1, 2, 0.5])
    assert display.counts.tolist() == [[1, 2], [0, 0.5]]
    assert [text.get_text() for text in display.text_] == ["3", "0.5", "1", "2.5"]


def test_small_and_large_weights_are_told_with_three_digits():
    for weight, want in ((0.02, ["0.04", "0.02", "0.02", "0.04"]), (1 / 3, ["0.667", "0.333", "0.333", "0.667"]), (1234.56, ["2469", "1235", "1235", "2469"])):
        display = ClassBalanceDisplay.from_predictions([0, 0, 1], [0, 1, 1], sample_weight=[weight] * 3)
        assert [text.get_text() for text in display.text_] == want
    cells = ClassBalanceDisplay.from_predictions([0, 1], [0, 1], sample_weight=[0.012345, 0.5], kind="heatmap").text_
    assert [text.get_text() for text in cells] == ["0.0123", "0.5"]


@pytest.mark.parametrize("kind", ["balance", "predicted_per_actual", "actual_per_predicted"])
def test_the_axis_says_what_is_counted(kind):
    rows = ClassBalanceDisplay.from_predictions([0, 0, 1], [0, 1, 1], kind=kind)
    weights = drawn(ClassBalanceDisplay.from_predictions([0, 0, 1], [0, 1, 1], sample_weight=[0.02] * 3, kind=kind))
    assert (rows.ax_.get_ylabel(), weights.ax_.get_ylabel()) == ("rows", "weight")
    assert sum(0 < tick < 0.05 for tick in weights.ax_.get_yticks()) >= 2, "the ticks are whole numbers"


@pytest.mark.parametrize("kind", KINDS)
def test_draws_on_a_subfigure(kind):
    figure = plt.figure(layout="constrained", figsize=(12, 5))
    left, _ = figure.subfigures(1, 2)
    display = drawn(ClassBalanceDisplay.from_predictions(ACTUAL, PREDICTED, kind=kind, ax=left.subplots()))
    assert display.figure_ is figure


def test_an_estimator_that_is_fitted():
    X, y = load_iris(return_X_y=True)
    tree = DecisionTreeClassifier(max_depth=1).fit(X[::2], y[::2])
    display = ClassBalanceDisplay.from_estimator(tree, X[1::2], y[1::2])
    assert display.counts.sum() == 75
    with pytest.raises(NotFittedError):
        ClassBalanceDisplay.from_estimator(DecisionTreeClassifier(), X, y)


class Recorder(ClassifierMixin, BaseEstimator):
    """Fails when it is asked to predict a row that it was fitted on."""

    asked = []

    def fit(self, X, y):
        self.classes_ = np.unique(y)
        self.seen_ = set(X[:, 0].tolist())
        return self

    def predict(self, X):
        rows = X[:, 0].tolist()
        known = self.seen_.intersection(rows)
        assert not known, f"predicts {len(known)} rows that it was fitted on"
        Recorder.asked += rows
        return np.repeat(self.classes_[0], len(rows))


def test_no_fold_predicts_what_it_was_fitted_on():
    Recorder.asked = []
    X, y = np.arange(60).reshape(-1, 1), np.tile([0, 1, 2], 20)
    given = Recorder()
    ClassBalanceDisplay.from_estimator(given, X, y, cv=5)
    assert sorted(Recorder.asked) == list(range(60))
    assert not hasattr(given, "classes_"), "the estimator itself was fitted, and not a clone"


def test_who_knows_rows_by_heart_guesses_in_cross_validation():
    """Classes are drawn by lot: one that predicts its own training data would be always right."""
    chance = np.random.default_rng(0)
    X, y = chance.normal(size=(600, 3)), chance.integers(0, 2, 600)
    by_heart = KNeighborsClassifier(n_neighbors=1)
    right = np.trace(ClassBalanceDisplay.from_estimator(by_heart.fit(X, y), X, y).counts) / 600
    assert right == 1
    folds = StratifiedKFold(5, shuffle=True, random_state=0)
    right = np.trace(ClassBalanceDisplay.from_estimator(by_heart, X, y, cv=folds).counts) / 600
    assert 0.4 < right < 0.6


@pytest.mark.parametrize("kind", KINDS)
def test_an_svg_is_xml_whatever_the_classes_are_called(kind, tmp_path):
    names = ["a\x00", "b\x1b[31m", "c\ufffe", "d--\ud800", "e\x85<&"]
    display = ClassBalanceDisplay(np.eye(5, dtype=int), display_labels=names).plot(kind=kind)
    display.figure_.savefig(tmp_path / "it.svg")
    xml.etree.ElementTree.parse(tmp_path / "it.svg")
    assert [tick.get_text() for tick in display.ax_.get_xticklabels()] == ["a\ufffd", "b\ufffd[31m", "c\ufffd", "d--\ufffd", "e <&"]


def drawn(display):
    display.figure_.canvas.draw()
    return display


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("names", [
    ["_hidden", "$5", "Ünïcode Straße", "a very long name of a class that goes on and on", "\n"],
    pytest.param([f"species of bird number {k}" for k in range(35)], marks=pytest.mark.slow),
    ["one"],
], ids=["odd", "many", "one"])
def test_names_are_not_cut_and_do_not_overlap(kind, names):
    counts = np.eye(len(names), dtype=int) * 3 + 1
    display = drawn(ClassBalanceDisplay(counts, display_labels=names).plot(kind=kind))
    ticks = display.ax_.get_xticklabels()
    assert len(ticks) == len(names) and all(tick.get_text() for tick in ticks)
    width, height = display.figure_.canvas.get_width_height()
    low, high = display.ax_.get_ylim()
    seen = [tick.label1 for tick in display.ax_.yaxis.get_major_ticks() if low <= tick.get_loc() <= high]
    for text in [*ticks, *seen]:
        box = text.get_window_extent()
        assert -1 <= box.x0 and box.x1 <= width + 1 and -1 <= box.y0 and box.y1 <= height + 1, text.get_text()
    if display.legend_:
        box = display.legend_.get_window_extent()
        assert box.x1 <= width + 1 and box.y0 >= -1
        assert box.x0 >= display.ax_.get_window_extent().x1
    if ticks[0].get_rotation() == 0:
        boxes = [tick.get_window_extent() for tick in ticks]
        assert all(a.x1 < b.x0 for a, b in zip(boxes, boxes[1:]))


def test_a_small_share_is_not_none():
    display = ClassBalanceDisplay.from_predictions([1] * 999 + [2], [1] * 1000, normalize=True)
    assert [text.get_text() for text in display.text_] == [">99 %", "<1 %", "100 %", "0 %"]


@pytest.mark.parametrize("kind", KINDS)
def test_long_names_that_begin_alike_are_told_apart(kind):
    names = ["Staphylococcus aureus subsp. aureus", "Staphylococcus aureus subsp. anaerobius", "other"]
    display = ClassBalanceDisplay(np.eye(3, dtype=int), display_labels=names).plot(kind=kind)
    shown = [tick.get_text() for tick in display.ax_.get_xticklabels()]
    assert shown == ["1: Staphylococcus aureus subsp…", "2: Staphylococcus aureus subsp…", "other"]
    if "_per_" in kind:
        assert [text.get_text() for text in display.legend_.get_texts()] == [*shown, "predicted right"]


@pytest.mark.parametrize("labels, want", [
    (["2: a", "a", "a "], ["1: 2: a", "2: a", "3: a"]),
    (["a", "1: 2: a", "2: a", "a "], ["1: a", "1: 2: a", "2: a", "4: a"]),
    (["a", "a", "3: b", "2: a", "b", "b"], ["1: a", "2: a", "3: b", "4: 2: a", "5: b", "6: b"]),
    (["a", "a", "3: 4: a", "2: a", "4: 2: a"], ["1: a", "2: a", "3: 4: a", "4: 2: a", "5: 4: 2: a"]),
])
def test_no_name_is_that_of_another_with_its_place(labels, want):
    display = ClassBalanceDisplay(np.eye(len(labels), dtype=int), display_labels=labels).plot()
    assert [tick.get_text() for tick in display.ax_.get_xticklabels()] == want


def test_names_differ_whatever_classes_are_called():
    chance = random.Random(7)
    for _ in range(2000):
        labels = [chance.choice(["", "1: ", "2: ", "3: ", "1: 2: "]) + chance.choice(["a", "a ", "b"]) for _ in range(6)]
        assert len(set(texts.names(labels))) == 6, labels
