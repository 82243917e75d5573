"""ClassBalanceDisplay, in the manner of scikit-learn's displays."""

import matplotlib.pyplot as plt
import numpy as np
from sklearn.metrics import confusion_matrix
from sklearn.model_selection import cross_val_predict
from sklearn.utils.multiclass import unique_labels
from sklearn.utils.validation import check_is_fitted, column_or_1d

from . import axes, drawing

KINDS = ("balance", "predicted_per_actual", "actual_per_predicted", "heatmap")


class ClassBalanceDisplay:
    """Actual classes beside predicted ones.

    counts[i, j] is the number of rows (or their weight) whose class is i and which the
    classifier predicted to be j: a confusion matrix. display_labels are the names of the
    classes, in the order in which they are drawn.

    With weighted the axis says that bars are weights, not rows.

    After plot, ax_ is what was drawn on and figure_ the whole figure that it is in; bars_ are the containers of the
    bars, im_ the image of the heat map, text_ the numbers on them, legend_ the legend.
    """

    def __init__(self, counts, *, display_labels=None, weighted=False):
        self.counts = np.asarray(counts)
        if self.counts.ndim != 2 or self.counts.shape[0] != self.counts.shape[1] or self.counts.size == 0:
            raise ValueError(f"counts must be square and not empty, not of the shape {self.counts.shape}")
        if self.counts.dtype.kind not in "biuf" or not np.all((self.counts >= 0) & np.isfinite(self.counts)):
            raise ValueError("counts, and the weights that they are sums of, must be numbers from 0 up")
        self.unit = "weight" if weighted else "rows"
        if display_labels is None:
            display_labels = range(len(self.counts))
        self.display_labels = [str(label) for label in display_labels]
        if len(self.display_labels) != len(self.counts):
            raise ValueError(f"{len(self.display_labels)} display_labels for {len(self.counts)} classes")

    def plot(self, *, kind="balance", normalize=False, cmap=None, ax=None):
        """Draw one kind of chart, on ax or on a new figure.

        balance: two bars a class, how many rows are of it and how many were predicted to be.
        predicted_per_actual: a bar for each actual class, made up of what its rows were predicted to be.
        actual_per_predicted: a bar for each predicted class, made up of what its rows really are.
        heatmap: both at once; for ordinal classes, with display_labels in their order.

        With normalize, bars are shares: of all rows in balance, of the bar in the stacked
        charts, and of the actual class in the cells of the heat map. cmap is a colormap, or
        its name; the heat map is always coloured by the share of the actual class.
        """
        if kind not in KINDS:
            raise ValueError(f"kind must be one of {', '.join(KINDS)}, not {kind!r}")
        if ax is None:
            _, ax = plt.subplots(figsize=drawing.figure_size(self.display_labels, kind), layout="constrained")
        self.ax_, self.figure_ = ax, ax.figure.figure  # a subfigure cannot be saved
        self.bars_, self.im_, self.text_, self.legend_ = [], None, [], None
        axes.check(ax, self.display_labels, self.display_labels if kind == "heatmap" else axes.SHARES if normalize else axes.COUNTS)
        before = axes.limits(ax)
        if kind == "balance":
            drawing.draw_balance(self, normalize, cmap)
        elif kind == "heatmap":
            drawing.draw_heatmap(self, normalize, cmap)
        else:
            drawing.draw_stacks(self, kind == "actual_per_predicted", normalize, cmap)
        axes.extend(ax, before)
        return self

    @classmethod
    def from_predictions(
        cls, y_true, y_pred, *, labels=None, sample_weight=None, display_labels=None,
        kind="balance", normalize=False, cmap=None, ax=None,
    ):
        """Draw what is known of y_true and y_pred.

        labels are the classes in the order to draw them, all of them; if they are not given,
        they are what y_true and y_pred hold, sorted.
        """
        y_true, y_pred = column_or_1d(y_true), column_or_1d(y_pred)
        if len(y_true) == 0:
            raise ValueError("there are no rows")
        found = unique_labels(y_true, y_pred)
        labels = found if labels is None else np.asarray(labels)
        missing = [str(label) for label in found if label not in labels]
        if missing:  # confusion_matrix would leave these rows out, and say nothing
            raise ValueError(f"labels lacks {', '.join(missing)}")
        if len(set(labels.tolist())) < len(labels):
            raise ValueError("labels names a class twice")
        counts = confusion_matrix(y_true, y_pred, labels=labels, sample_weight=sample_weight)
        display = cls(counts, display_labels=labels if display_labels is None else display_labels, weighted=sample_weight is not None)
        return display.plot(kind=kind, normalize=normalize, cmap=cmap, ax=ax)

    @classmethod
    def from_estimator(
        cls, estimator, X, y, *, cv=None, labels=None, sample_weight=None, display_labels=None,
        kind="balance", normalize=False, cmap=None, ax=None,
    ):
        """Draw what estimator predicts for X, of which y are the classes.

        Without cv the estimator is fitted already, and X and y should be rows that it has
        not seen. With cv (folds, a splitter, or splits) clones of it are fitted: each row is
        predicted by the one that was fitted without the fold it is in.
        """
        if cv is None:
            check_is_fitted(estimator)
            y_pred = estimator.predict(X)
        else:
            y_pred = cross_val_predict(estimator, X, y, cv=cv)
        return cls.from_predictions(
            y, y_pred, labels=labels, sample_weight=sample_weight, display_labels=display_labels,
            kind=kind, normalize=normalize, cmap=cmap, ax=ax,
        )
