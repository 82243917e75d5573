"""What the charts are drawn with: bars, cells, numbers, colours."""

import matplotlib
import numpy as np
from matplotlib.patches import Patch
from matplotlib.ticker import PercentFormatter

from .axes import count_axis, name_classes, name_ticks
from .texts import names

ACTUAL, PREDICTED = "#0072b2", "#e69f00"  # told apart by colour-blind eyes, and in grey
NUMBERED = 12  # numbers on the bars of more classes run into each other
NUMBERED_CELLS = 20


def figure_size(labels, kind):
    """Width and height in inches: enough for as many classes as there are."""
    classes = len(labels)
    if kind == "heatmap":
        side = max(4.8, 0.42 * min(classes, 20) + 0.17 * min(max(classes - 20, 0), 80))
        return side + 1.4, side
    return max(6.4, 0.4 * min(classes, 100) + 2.5), 4.8


def draw_balance(display, normalize, cmap):
    ax, counts = display.ax_, display.counts
    actual, predicted = (ACTUAL, PREDICTED) if cmap is None else class_colours(2, cmap)
    total = counts.sum() if normalize and counts.sum() > 0 else 1
    at = np.arange(len(counts))
    count_axis(ax, normalize)
    for shift, side, colour, name in ((-0.2, 1, actual, "actual"), (0.2, 0, predicted, "predicted")):
        bars = ax.bar(at + shift, counts.sum(axis=side) / total, 0.4, color=colour, label=name)
        display.bars_.append(bars)
        if len(counts) <= NUMBERED:
            texts = [number(bar.get_height(), normalize) for bar in bars]
            display.text_ += ax.bar_label(bars, texts, padding=2, fontsize="small")
    ax.margins(y=0.12)
    ax.set(xlabel="class", ylabel=f"share of all {display.unit}" if normalize else display.unit)
    name_classes(ax, display.display_labels)
    display.legend_ = legend(ax, display.bars_, ["actual", "predicted"], None)


def draw_stacks(display, per_predicted, normalize, cmap):
    """Draw one bar for each class on the x axis. What is right is at its bottom, with a
    dark edge, so that it can be compared from bar to bar; the mistakes are above it."""
    ax = display.ax_
    parts = display.counts if per_predicted else display.counts.T  # parts[k, x]: how much of k is in bar x
    classes = len(parts)
    if normalize:
        parts = shares(parts, axis=0)
    bottoms = stack(parts)
    colours = class_colours(classes, cmap)
    count_axis(ax, normalize)
    for k in range(classes):
        bars = ax.bar(np.arange(classes), parts[k], 0.75, bottom=bottoms[k], color=colours[k], linewidth=0)
        display.bars_.append(bars)
        for bar in bars:
            bar.sticky_edges.y[:] = [0]  # the margin would end at the edge of a part
    for k in range(classes):
        right = display.bars_[k][k]
        if right.get_height() > 0:
            right.set(edgecolor="black", linewidth=1.2, zorder=2.5)
    ax.margins(y=0.05)
    ax.set(xlabel="predicted class" if per_predicted else "actual class", ylabel="share of the class" if normalize else display.unit)
    name_classes(ax, display.display_labels)
    patches = [Patch(facecolor=colour) for colour in colours] + [Patch(facecolor="none", edgecolor="black", linewidth=1.2)]
    title = "actual class" if per_predicted else "predicted class"
    display.legend_ = legend(ax, patches, [*names(display.display_labels), "predicted right"], title)


def stack(parts):
    """Return where each part begins: first what is right, then the others in their order."""
    classes = len(parts)
    bottoms = np.zeros(parts.shape)
    for x in range(classes):
        level = 0
        for k in [x, *(k for k in range(classes) if k != x)]:
            bottoms[k, x] = level
            level += parts[k, x]
    return bottoms


def draw_heatmap(display, normalize, cmap):
    ax, counts = display.ax_, display.counts
    share = shares(counts, axis=1)
    display.im_ = ax.imshow(share, cmap=cmap or "Blues", vmin=0, vmax=1, origin="lower")
    bar = ax.figure.colorbar(display.im_, ax=ax, label="share of the actual class", aspect=30, format=PercentFormatter(1))
    bar.outline.set_visible(False)
    if len(counts) <= NUMBERED_CELLS:
        for (i, j), count in np.ndenumerate(counts):
            if count:
                display.text_.append(cell_text(ax, display.im_, i, j, number(share[i, j] if normalize else count, normalize)))
    ax.set(xlabel="predicted class", ylabel="actual class")
    name_classes(ax, display.display_labels)
    name_ticks(ax.yaxis, display.display_labels)


def cell_text(ax, image, i, j, text):
    red, green, blue, _ = image.cmap(image.norm(image.get_array()[i, j]))
    dark = 0.299 * red + 0.587 * green + 0.114 * blue < 0.5
    return ax.text(j, i, text, ha="center", va="center", color="white" if dark else "black", fontsize="small")


def shares(counts, axis):
    """Divide by the sums along axis; what sums to nothing stays nothing."""
    sums = counts.sum(axis=axis, keepdims=True)
    return np.divide(counts, sums, out=np.zeros(counts.shape), where=sums != 0)


def number(value, normalize):
    """Whole numbers as they are, weights with three digits that count. What is there is not 0 %,
    and what lacks some not 100 %."""
    if normalize and 0 < value < 0.005:
        return "<1 %"
    if normalize and 0.995 <= value < 1:
        return ">99 %"
    if normalize:
        return f"{100 * value:.0f} %"
    return f"{value:.0f}" if float(value).is_integer() or abs(value) >= 99.95 else f"{value:.3g}"


def class_colours(classes, cmap):
    if cmap is None and classes <= 10:
        return [matplotlib.colormaps["tab10"](k) for k in range(classes)]
    if cmap is None and classes <= 20:
        return [matplotlib.colormaps["tab20"](k) for k in range(classes)]
    name = "turbo" if cmap is None else cmap
    colours = matplotlib.colormaps[name] if isinstance(name, str) else name
    return [colours(x) for x in np.linspace(0.05, 0.95, classes)]


def legend(ax, handles, labels, title):
    """Put the legend beside the axes: on them it would hide bars."""
    made = ax.legend(
        handles, [str(k) for k in range(len(handles))], title=title, loc="upper left", bbox_to_anchor=(1.01, 1),
        borderaxespad=0, frameon=False, ncols=1 + (len(handles) - 1) // 20, fontsize="small", alignment="left",
    )
    for text, label in zip(made.get_texts(), labels):
        text.set_text(label)  # matplotlib itself leaves out those that begin with _
    return made
