"""Charts on axes that others draw on, too, or share a side with."""

import matplotlib.pyplot as plt
import pytest

from classbalance import KINDS, ClassBalanceDisplay

LARGE, SMALL = [[90, 10], [5, 95]], [[9, 1], [0, 2]]
BARS = [kind for kind in KINDS if kind != "heatmap"]


def draw(counts, kind, ax, **options):
    return ClassBalanceDisplay(counts).plot(kind=kind, ax=ax, **options)


def all_in_sight(display):
    """Whether no bar is cut off by the limits."""
    (left, right), (low, high) = display.ax_.get_xbound(), display.ax_.get_ybound()
    bars = [bar.get_bbox() for bars in display.bars_ for bar in bars]
    return all(left <= bar.x0 and bar.x1 <= right and low <= bar.y0 and bar.y1 <= high for bar in bars)


@pytest.mark.parametrize("one", BARS)
@pytest.mark.parametrize("other", BARS)
@pytest.mark.parametrize("counts", [(LARGE, SMALL), (SMALL, LARGE)], ids=["large-small", "small-large"])
def test_charts_that_share_an_axis_of_counts(one, other, counts):
    figure, (left, right) = plt.subplots(1, 2, sharey=True)
    displays = [draw(counts[0], one, left), draw(counts[1], other, right)]
    figure.canvas.draw()
    assert all(map(all_in_sight, displays)) and left.get_ybound()[1] > 1.04 * left.dataLim.y1


@pytest.mark.parametrize("kind", KINDS)
def test_charts_that_share_an_axis_of_classes(kind):
    """One below the other; the upper has a curve that goes further than our classes."""
    figure, (upper, lower) = plt.subplots(2, 1, sharex=True)
    upper.plot([-3, 0, 4], [1, 2, 3])
    draw(SMALL, kind, lower)
    figure.canvas.draw()
    assert upper.get_xbound()[0] <= -3 and 4 <= upper.get_xbound()[1]


@pytest.mark.parametrize("kind", BARS)
def test_limits_that_were_set_are_only_extended(kind):
    figure, ax = plt.subplots()
    ax.plot([0], [500])
    ax.set_yticks([0, 250, 500])
    ax.set(xlim=(1, -7), ylim=(-3, 600))
    display = draw([[1, 2, 3]] * 3, kind, ax)
    figure.canvas.draw()
    left, right = ax.get_xlim()
    assert all_in_sight(display) and left >= 2 and right <= -7, "the axis is not turned round any more"
    assert ax.get_ybound() == (-3, 600)


def test_a_logarithmic_axis_of_counts():
    figure, ax = plt.subplots()
    ax.set_yscale("log")
    draw([[900, 0], [0, 3]], "balance", ax)
    assert 0 < ax.get_ybound()[0] <= 3 and ax.get_ybound()[1] >= 900


@pytest.mark.parametrize("first, second, sides, want", [
    (dict(kind="balance"), dict(kind="predicted_per_actual", normalize=True), "y", "the y axis shows numbers, not shares"),
    (dict(kind="predicted_per_actual", normalize=True), dict(kind="balance"), "y", "the y axis shows shares, not numbers"),
    (dict(kind="balance"), dict(kind="heatmap"), "y", "the y axis shows numbers, not a, b"),
    (dict(kind="heatmap"), dict(kind="balance"), "y", "the y axis shows a, b, not numbers"),
    (dict(kind="balance"), dict(kind="balance", names="ba"), "x", "the x axis shows a, b, not b, a"),
    (dict(kind="heatmap"), dict(kind="heatmap", names="bc"), "y", "the y axis shows a, b, not b, c"),
])
def test_an_axis_means_one_thing(first, second, sides, want):
    """Its ticks are the same for all that share it: 90 rows would be 9000 %."""
    def one(ax, kind, names="ab", normalize=False):
        ClassBalanceDisplay(LARGE, display_labels=names).plot(kind=kind, normalize=normalize, ax=ax)

    _, (left, right) = plt.subplots(1, 2, sharex="x" in sides, sharey="y" in sides)
    one(left, **first)
    ticks = [tick.get_text() for tick in left.get_yticklabels()]
    with pytest.raises(ValueError, match=want):
        one(right, **second)
    assert not right.has_data() and [tick.get_text() for tick in left.get_yticklabels()] == ticks
    one(plt.subplots()[1], **second)
