"""Charts on axes that others draw on, too, or share a side with."""

from datetime import date

import matplotlib.pyplot as plt
import pytest
from matplotlib.ticker import FuncFormatter, PercentFormatter

from classbalance import KINDS, ClassBalanceDisplay

LARGE, SMALL = [[90, 10], [5, 95]], [[9, 1], [0, 2]]
BARS = [kind for kind in KINDS if kind != "heatmap"]


def draw(counts, kind, ax, **options):
    return ClassBalanceDisplay(counts).plot(kind=kind, ax=ax, **options)


def all_in_sight(display):
    """Whether no bar is cut off by the limits. A logarithmic axis has no 0 for one to stand on."""
    (left, right), (low, high) = display.ax_.get_xbound(), display.ax_.get_ybound()
    bars = [bar.get_bbox() for bars in display.bars_ for bar in bars if bar.get_height() > 0]
    stand = [low < bar.y1 if display.ax_.get_yscale() == "log" else low <= bar.y0 for bar in bars]
    return all(stand) and all(left <= bar.x0 and bar.x1 <= right and bar.y1 <= high for bar in bars)


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
    """One below the other; on the upper is a curve, too, that goes further than our classes."""
    figure, (upper, lower) = plt.subplots(2, 1, sharex=True)
    draw(LARGE, "balance", upper)
    upper.plot([-3, 0, 4], [1, 2, 3])
    draw(SMALL, kind, lower)
    figure.canvas.draw()
    assert upper.get_xbound()[0] <= -3 and 4 <= upper.get_xbound()[1]
    assert [tick.get_text() for tick in lower.get_xticklabels()] == ["0", "1"]


@pytest.mark.parametrize("kind", BARS)
def test_limits_that_were_set_are_only_extended(kind):
    figure, ax = plt.subplots()
    ax.set(xlim=(1, -7), ylim=(-3, 600))
    display = draw([[1, 2, 3]] * 3, kind, ax)
    figure.canvas.draw()
    left, right = ax.get_xlim()
    assert all_in_sight(display) and left >= 2 and right <= -7, "the axis is not turned round any more"
    assert ax.get_ybound() == (-3, 600)


@pytest.mark.parametrize("kind", BARS)
def test_room_that_others_leave_is_kept(kind):
    figure, (left, right) = plt.subplots(1, 2, sharey=True)
    left.bar(["one", "two"], [90, 10])
    left.margins(y=2)
    top = left.get_ybound()[1]
    draw(SMALL, kind, right)
    figure.canvas.draw()
    assert left.get_ybound()[1] >= top > 200


@pytest.mark.parametrize("kind", BARS)
@pytest.mark.parametrize("normalize", [False, True])
def test_limits_that_were_set_too_narrow(kind, normalize):
    figure, ax = plt.subplots()
    ax.set(xlim=(0.5, 0.6), ylim=(0.2, 0.21))
    display = draw(LARGE, kind, ax, normalize=normalize)
    figure.canvas.draw()
    assert all_in_sight(display) and not ax.get_autoscale_on()


@pytest.mark.parametrize("kind", BARS)
def test_the_rarest_class_on_a_logarithmic_axis(kind):
    figure, ax = plt.subplots()
    ax.set_yscale("log")
    display = draw([[900, 0], [0, 2]], kind, ax)
    figure.canvas.draw()
    assert all_in_sight(display) and 1 in ax.get_yticks() and 1000 in ax.get_yticks()


def test_another_scale_keeps_its_ticks():
    figure, ax = plt.subplots()
    ax.set_yscale("symlog")
    draw(LARGE, "balance", ax)
    figure.canvas.draw()
    assert {0, 1, 10, 100} <= set(ax.get_yticks()) and all(tick.get_text() for tick in ax.get_yticklabels())


def test_small_shares_on_a_logarithmic_axis():
    figure, ax = plt.subplots()
    ax.set_yscale("log")
    draw([[998, 0], [0, 2]], "balance", ax, normalize=True)
    figure.canvas.draw()
    assert {"0.1%", "1%", "10%", "100%"} <= {tick.get_text() for tick in ax.get_yticklabels()}


@pytest.mark.parametrize("kind", BARS)
@pytest.mark.parametrize("rare", [(2, 60), (60, 2)])
def test_charts_that_share_a_logarithmic_axis(kind, rare):
    figure, (left, right) = plt.subplots(1, 2, sharey=True)
    left.set_yscale("log")
    displays = [draw([[900, 0], [0, n]], kind, ax) for n, ax in zip(rare, (left, right))]
    figure.canvas.draw()
    assert all(map(all_in_sight, displays))


def test_a_chart_of_others_that_shares_a_logarithmic_axis():
    figure, (left, right) = plt.subplots(1, 2, sharey=True)
    left.set_yscale("log")
    left.bar([0, 1], [900, 0.3])
    before = left.get_ybound()
    draw(LARGE, "balance", right)
    figure.canvas.draw()
    assert left.get_ybound()[0] <= before[0] < 0.3 and left.get_ybound()[1] >= before[1]


@pytest.mark.parametrize("first, second, sides, want", [
    (dict(kind="balance"), dict(kind="predicted_per_actual", normalize=True), "y", "the y axis shows numbers already, and cannot show shares"),
    (dict(kind="predicted_per_actual", normalize=True), dict(kind="balance"), "y", "the y axis shows shares already, and cannot show numbers"),
    (dict(kind="balance"), dict(kind="heatmap"), "y", "the y axis shows numbers already, and cannot show a, b"),
    (dict(kind="heatmap"), dict(kind="balance"), "y", "the y axis shows a, b already, and cannot show numbers"),
    (dict(kind="balance"), dict(kind="balance", names="ba"), "x", "the x axis shows a, b already, and cannot show b, a"),
    (dict(kind="heatmap"), dict(kind="heatmap", names="bc"), "y", "the y axis shows a, b already, and cannot show b, c"),
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


def with_formatter(formatter):
    def on(ax):
        ax.plot([0, 1], [3, 88])
        ax.yaxis.set_major_formatter(formatter)
    return on


OTHERS = {  # what others draw, and on which side we cannot
    "words": (lambda ax: ax.bar(["b", "a"], [10, 90]), "x"),
    "names": (lambda ax: (ax.bar([0, 1], [10, 90]), ax.set_xticks([0, 1], ["b", "a"])), "x"),
    "our names": (lambda ax: (ax.bar([0, 1], [10, 90]), ax.set_xticks([0, 1], ["a", "b"])), "x"),
    "dates": (lambda ax: ax.plot([date(2026, 1, 1), date(2026, 1, 5)], [10, 90]), "x"),
    "a date": (lambda ax: ax.axvline(date(2026, 1, 1)), "x"),
    "histogram": (lambda ax: ax.hist([40, 41, 41, 45]), "x"),
    "points": (lambda ax: ax.scatter([40, 45], [10, 90]), "x"),
    "picture": (lambda ax: ax.imshow([[1, 2]]), "x"),
    "words to the left": (lambda ax: ax.barh(["b", "a"], [10, 90]), "y"),
    "per cent of 100": (with_formatter(PercentFormatter()), "y"),
    "per cent": (with_formatter(PercentFormatter(1)), "y"),
    "euros": (with_formatter("{x} €"), "y"),
    "thousands": (with_formatter(FuncFormatter(lambda x, _: f"{x / 1000} k")), "y"),
}


@pytest.mark.parametrize("kind, normalize", [("balance", False), ("actual_per_predicted", True), ("heatmap", False)])
@pytest.mark.parametrize("other", OTHERS)
def test_the_ticks_of_others_stay(other, kind, normalize):
    """As they would not if they became ours: a bar of cats would be one of dogs."""
    theirs, side = OTHERS[other]
    figure, (left, right) = plt.subplots(1, 2, **{f"share{side}": True})
    theirs(left)
    figure.canvas.draw()
    before = [tick.get_text() for tick in getattr(left, f"get_{side}ticklabels")()]
    ours = ClassBalanceDisplay(LARGE, display_labels="ab")
    for ax in (right, left, left.twinx() if side == "x" else left.twiny()):
        with pytest.raises(ValueError, match=f"the [{side}x] axis shows (something else|numbers) already, and cannot show .*: draw on axes that do not share it$"):
            ours.plot(kind=kind, normalize=normalize, ax=ax)
    figure.canvas.draw()
    assert [tick.get_text() for tick in getattr(left, f"get_{side}ticklabels")()] == before and not right.has_data()


@pytest.mark.parametrize("normalize", [False, True])
@pytest.mark.parametrize("kind", KINDS)
def test_lines_across_the_axes_only_annotate(kind, normalize):
    ax = plt.subplots()[1]
    ax.axhline(0.5)
    ax.axhspan(0.2, 0.3)
    ax.axvline(0.5)
    draw(LARGE, kind, ax, normalize=normalize)
    assert [tick.get_text() for tick in ax.get_xticklabels()] == ["0", "1"]


def test_counts_beside_the_numbers_of_others():
    figure, (left, right) = plt.subplots(1, 2, sharey=True)
    left.bar(["words", "to the left"], [500, 3])
    left.set_yticks([0, 250, 500])
    display = draw(LARGE, "balance", right)
    figure.canvas.draw()
    assert all_in_sight(display) and [tick.get_text() for tick in left.get_yticklabels()] == ["0", "250", "500"]
    with pytest.raises(ValueError, match="the y axis shows numbers already, and cannot show shares"):
        draw(LARGE, "balance", plt.figure().add_subplot(sharey=left), normalize=True)


def removed(**options):
    def on(ax):
        display = draw(LARGE, ax=ax, **options)
        for one in [*display.bars_, *display.text_, *([display.im_.colorbar, display.im_] if display.im_ else [])]:
            one.remove()
    return on


@pytest.mark.parametrize("scale, before", [(scale, before) for scale in ("linear", "log") for before in (
    lambda ax: ax.yaxis.set_major_formatter(PercentFormatter(1)), lambda ax: ax.yaxis.set_major_formatter("{x} €"),
    lambda ax: ax.set_yticks([0, 50], ["none", "many"]), removed(kind="balance", normalize=True),
)] + [("linear", removed(kind="heatmap"))])
def test_ticks_of_what_is_gone_mean_nothing(scale, before):
    figure, ax = plt.subplots()
    ax.set_yscale(scale)
    before(ax)
    draw(LARGE, "balance", ax)
    figure.canvas.draw()
    texts = {tick.get_text() for tick in ax.get_yticklabels()}
    assert "100" in texts or "$\\mathdefault{10^{2}}$" in texts, texts


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("projection", ["polar", "mollweide", "3d"])
def test_axes_that_have_no_place_for_bars(kind, projection):
    with pytest.raises(ValueError, match=f"the axes are {projection}: a chart needs rectilinear ones"):
        draw(LARGE, kind, plt.figure().add_subplot(projection=projection))
