"""What the charts are drawn with: bars, cells, numbers, colours."""

import matplotlib
import numpy as np
from matplotlib.patches import Patch
from matplotlib.ticker import FixedLocator, FuncFormatter, MaxNLocator, PercentFormatter

from .texts import names, shown

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
    for shift, side, colour, name in ((-0.2, 1, actual, "actual"), (0.2, 0, predicted, "predicted")):
        bars = ax.bar(at + shift, counts.sum(axis=side) / total, 0.4, color=colour, label=name)
        display.bars_.append(bars)
        if len(counts) <= NUMBERED:
            texts = [number(bar.get_height(), normalize) for bar in bars]
            display.text_ += ax.bar_label(bars, texts, padding=2, fontsize="small")
    ax.margins(y=0.12)
    ax.set(xlabel="class", ylabel=f"share of all {display.unit}" if normalize else display.unit)
    count_axis(ax, normalize)
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
    count_axis(ax, normalize)
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
    ax.set_yticks(range(len(counts)), names(display.display_labels), fontsize=tick_size(len(counts)))


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


def check_axes(display, kind, normalize):
    """Refuse axes whose ticks mean something else already, to a chart on them or on others
    that share an axis with them: they would become ours, and that chart a wrong one."""
    ax, classes = display.ax_, names(display.display_labels)
    ours = classes if kind == "heatmap" else "shares" if normalize else "numbers"
    for side, axis, old, new in zip("xy", (ax.xaxis, ax.yaxis), bounds(ax), (classes, ours)):
        there = meaning(axis)
        if old and there != new and (side == "y" or isinstance(there, list)):
            raise ValueError(f"the {side} axis shows {told(there)}, not {told(new)}, to another chart on it: share no axis with that")


def meaning(axis):
    """What its ticks say: names of classes, shares or just numbers."""
    at, texts = axis.get_major_locator(), axis.get_major_formatter()
    if isinstance(at, FixedLocator) and isinstance(texts, FuncFormatter):  # as set_xticks makes them of names
        return texts.format_ticks(at())
    return "shares" if isinstance(texts, PercentFormatter) else "numbers"


def told(ticks):
    return ticks if isinstance(ticks, str) else shown(", ".join(ticks))[:100]


def bounds(ax):
    """The limits of x and of y, where something is drawn by them: on ax, or on others that
    share the axis; None where nothing is."""
    shared = (ax.get_xbound, ax.get_shared_x_axes()), (ax.get_ybound, ax.get_shared_y_axes())
    return [bound() if any(other.has_data() for other in group.get_siblings(ax)) else None for bound, group in shared]


def keep_in_sight(ax, before):
    """Extend the limits to what they were before, and to all that is drawn on ax."""
    for axis, now, old, drawn, extend in (
        (ax.xaxis, ax.get_xbound(), before[0], ax.dataLim.intervalx, ax.set_xbound),
        (ax.yaxis, ax.get_ybound(), before[1], ax.dataLim.intervaly, ax.set_ybound),
    ):
        ends = [*now, *drawn, *(old or now)]
        extend(*axis.limit_range_for_scale(min(ends), max(ends)))  # a logarithmic one has no 0


def count_axis(ax, normalize):
    ax.yaxis.set_major_locator(MaxNLocator(integer=not normalize, steps=[1, 2, 5, 10]))
    if normalize:
        ax.yaxis.set_major_formatter(PercentFormatter(1))
    ax.spines[["top", "right"]].set_visible(False)


def name_classes(ax, labels):
    """Write the names below the x axis, turned where they would run into each other."""
    longest = max(len(label) for label in labels)
    room = 12 * ax.bbox.width / ax.figure.dpi  # characters that fit side by side
    style = {"rotation": 0}
    if len(labels) * (longest + 2) > room:
        style = {"rotation": 90} if len(labels) > 25 else {"rotation": 40, "ha": "right", "rotation_mode": "anchor"}
    ax.set_xticks(range(len(labels)), names(labels), fontsize=tick_size(len(labels)), **style)


def tick_size(classes):
    return "medium" if classes <= 25 else "x-small"


def legend(ax, handles, labels, title):
    """Put the legend beside the axes: on them it would hide bars."""
    made = ax.legend(
        handles, [str(k) for k in range(len(handles))], title=title, loc="upper left", bbox_to_anchor=(1.01, 1),
        borderaxespad=0, frameon=False, ncols=1 + (len(handles) - 1) // 20, fontsize="small", alignment="left",
    )
    for text, label in zip(made.get_texts(), labels):
        text.set_text(label)  # matplotlib itself leaves out those that begin with _
    return made
