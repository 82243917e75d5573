"""Draws the same predictions as yellowbrick does, beside ours, and compares the bars.

yellowbrick 1.5 names its x axis "actual class", but its bars are those of the predicted
classes: the parts on top of each other are the actual ones. This script holds that, too.

It runs where yellowbrick.lock is installed: an older pair of yellowbrick and scikit-learn.
Usage: against_yellowbrick.py FILE.png
"""

import sys
import warnings

import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as plt
import numpy as np
import sklearn
import yellowbrick
from sklearn.datasets import load_wine
from sklearn.model_selection import StratifiedKFold, cross_val_predict
from sklearn.tree import DecisionTreeClassifier
from yellowbrick.classifier import ClassPredictionError

from classbalance import ClassBalanceDisplay

warnings.filterwarnings("ignore", message="The figure layout has changed to tight")
plt.rcdefaults()  # importing it changes the style of all charts, and asks for fonts that many machines lack


def heights(bars, classes):
    """How tall each part of each stacked bar is: a row a class of the legend, a column a bar."""
    return np.array([bar.get_height() for bar in bars]).reshape(classes, classes)


def compare(file):
    wine = load_wine()
    names = [str(name) for name in wine.target_names]
    tree = DecisionTreeClassifier(max_depth=2, random_state=0)
    predicted = cross_val_predict(tree, wine.data, wine.target, cv=StratifiedKFold(5, shuffle=True, random_state=0))

    figure, (left, middle, right) = plt.subplots(1, 3, figsize=(17, 4.8), sharey=True)
    theirs = ClassPredictionError(Fixed(predicted), ax=left, classes=names, is_fitted=True)
    theirs.fit(wine.data, wine.target)
    theirs.score(wine.data, wine.target)
    theirs.finalize()
    figure.set_layout_engine("constrained")  # it sets another, by which our legends run into its axes
    left.set_title(f"yellowbrick {yellowbrick.__version__}, scikit-learn {sklearn.__version__}")
    per_predicted, per_actual = (
        ClassBalanceDisplay.from_predictions(wine.target, predicted, display_labels=names, kind=kind, ax=ax)
        for kind, ax in (("actual_per_predicted", middle), ("predicted_per_actual", right))
    )
    middle.set_title("actual_per_predicted: the same bars")
    right.set_title("predicted_per_actual")
    figure.savefig(file, dpi=100, metadata={"Software": None})

    their_bars = heights(left.patches[: len(names) ** 2], len(names))
    print("height of each part (rows: the legend, columns: the x axis)")
    print(f"yellowbrick, x axis {left.get_xlabel()!r}:", *their_bars.astype(int))
    for ours in (per_predicted, per_actual):
        our_bars = np.array([[bar.get_height() for bar in bars] for bars in ours.bars_])
        print(f"classbalance, x axis {ours.ax_.get_xlabel()!r}:", *our_bars.astype(int), "the same" if np.array_equal(our_bars, their_bars) else "other bars")
    print("rows that are really of each class:", np.bincount(wine.target))
    their_sums = their_bars.sum(axis=0)
    return np.array_equal(their_sums, np.bincount(predicted)) and not np.array_equal(their_sums, np.bincount(wine.target))


class Fixed(DecisionTreeClassifier):
    """A classifier that predicts what it was given: both draw the same."""

    def __init__(self, predicted=None):
        super().__init__()
        self.predicted = predicted

    def fit(self, X, y):
        return super().fit(X, y)

    def predict(self, X):
        return self.predicted


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit("usage: against_yellowbrick.py FILE.png")
    if not compare(sys.argv[1]):
        sys.exit("against_yellowbrick: yellowbrick's bars are not those of the predicted classes")
