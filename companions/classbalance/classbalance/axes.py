"""The axes of a chart: what their ticks mean, and their limits. Others may draw on them, too."""

from matplotlib.ticker import FuncFormatter, LogFormatter, LogFormatterSciNotation, LogLocator, MaxNLocator, NullFormatter, PercentFormatter, ScalarFormatter

from .texts import names, shown

COUNTS, SHARES = "numbers", "shares"


def check(ax, x, y):
    """Refuse axes whose ticks would change their meaning for what is drawn by them already.
    x and y are what they are to mean: COUNTS, SHARES, or classes, as a list."""
    if ax.name != "rectilinear":
        raise ValueError(f"the axes are {ax.name}: a chart needs rectilinear ones")
    for side, new in ("x", x), ("y", y):
        there = meaning(ax, side)
        if there != new and in_use(ax, side):
            raise ValueError(f"the {side} axis shows {told(there)} already, and cannot show {told(new)}, too: draw on axes that do not share it")


def meaning(ax, side):
    """What a chart of ours has said that the ticks mean, COUNTS for plain numbers, and
    otherwise None: the words that others have written there mean what we cannot know."""
    texts = getattr(ax, side + "axis").get_major_formatter()
    if has_units(ax, side):
        return None
    if type(texts) in (ScalarFormatter, LogFormatter, LogFormatterSciNotation):
        return COUNTS
    return getattr(texts, "meaning", None)


def told(meaning):
    if meaning is None:
        return "something else"
    return meaning if isinstance(meaning, str) else shown(", ".join(meaning))[:100]


def sharing(ax, side):
    """The axes that share this side with ax, twins too, and ax itself."""
    return getattr(ax, f"get_shared_{side}_axes")().get_siblings(ax)


def has_units(ax, side):
    """Whether it is an axis of dates, or of words, which matplotlib numbers by itself."""
    return any(getattr(one, side + "axis").have_units() for one in sharing(ax, side))


def in_use(ax, side):
    return has_units(ax, side) or any(map(has_data, sharing(ax, side)))


def has_data(ax):
    """Whether something is drawn on both axes. What lies across the whole of one, such as a
    line by axhline, only annotates."""
    places = (one.get_transform().contains_branch_seperately(ax.transData) for one in (*ax.lines, *ax.patches))
    return bool(ax.collections or ax.images) or any(map(all, places))


def count_axis(ax, normalize):
    """Give the y axis its ticks, before the bars are drawn; one that is in use has the right ones."""
    ax.spines[["top", "right"]].set_visible(False)
    if in_use(ax, "y"):
        return
    log = ax.get_yscale() == "log"
    if log or ax.get_yscale() == "linear":  # other scales know best where their ticks are
        ax.yaxis.set_major_locator(LogLocator() if log else MaxNLocator(integer=not normalize, steps=[1, 2, 5, 10]))
    if normalize:
        ax.yaxis.set_major_formatter(FuncFormatter(percent) if log else PercentFormatter(1))
        ax.yaxis.set_minor_formatter(NullFormatter())
        ax.yaxis.get_major_formatter().meaning = SHARES
    elif meaning(ax, "y") != COUNTS:
        ax.yaxis.set_major_formatter(LogFormatterSciNotation() if log else ScalarFormatter())


def percent(share, _):
    """With as many digits as it takes: PercentFormatter gives all the ticks alike, and 0.001 would be 0%."""
    return f"{100 * share:g}%"


def name_classes(ax, labels):
    """Write the names below the x axis, turned where they would run into each other."""
    longest = max(len(label) for label in labels)
    room = 12 * ax.bbox.width / ax.figure.dpi  # characters that fit side by side
    style = {"rotation": 0}
    if len(labels) * (longest + 2) > room:
        style = {"rotation": 90} if len(labels) > 25 else {"rotation": 40, "ha": "right", "rotation_mode": "anchor"}
    name_ticks(ax.xaxis, labels, **style)


def name_ticks(axis, labels, **style):
    axis.set_ticks(range(len(labels)), names(labels), fontsize="medium" if len(labels) <= 25 else "x-small", **style)
    axis.get_major_formatter().meaning = labels


def limits(ax):
    """Those of x and of y; None where nothing is drawn by them."""
    return [getattr(ax, f"get_{side}bound")() if in_use(ax, side) else None for side in "xy"]


def extend(ax, before):
    """Extend the limits to what they were before, and to what matplotlib chooses for all that
    is drawn by them now, on ax and on others. It knows what a logarithmic axis can show."""
    for side, old in zip("xy", before):
        bound, auto = getattr(ax, f"get_{side}bound"), getattr(ax, f"get_autoscale{side}_on")()
        ends = [*bound(), *(old or ())]
        ax.autoscale(axis=side)
        ends += bound()
        getattr(ax, f"set_autoscale{side}_on")(auto)
        getattr(ax, f"set_{side}bound")(min(ends), max(ends))
