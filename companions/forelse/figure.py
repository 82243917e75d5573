"""The figure: times, and their ratio beside the noise."""

from statistics import median, quantiles

import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as plt
from matplotlib.ticker import FuncFormatter, LogLocator

from comparison import MEANINGFUL

FORELSE, FUNCTION, CONTROL = "#0072b2", "#d55e00", "#777777"


def draw(rows, controls, folder):
    matplotlib.rcParams["svg.hashsalt"] = "forelse"
    figure, (left, right) = plt.subplots(1, 2, figsize=(10.5, 4.4), layout="constrained")
    at = range(len(rows))
    draw_times(left, at, rows)
    draw_ratios(right, at, rows, controls)
    for ax in (left, right):
        ax.set_xticks(at, [row.name for row in rows])
        ax.set_xlabel("formats that fail first")
        ax.spines[["top", "right"]].set_visible(False)
    figure.savefig(folder / "forelse.png", dpi=130, metadata={"Software": None})
    figure.savefig(folder / "forelse.svg", metadata={"Date": None})
    plt.close(figure)


def draw_times(ax, at, rows):
    for shift, times, colour, marker, name in (
        (-0.08, [row.ours for row in rows], FORELSE, "o", "for/else"),
        (0.08, [row.theirs for row in rows], FUNCTION, "s", "function"),
    ):
        middle = [1e6 * median(values) for values in times]
        low, _, high = zip(*(quantiles([1e6 * value for value in values], n=4) for values in times))
        spread = [[m - a for m, a in zip(middle, low)], [b - m for m, b in zip(middle, high)]]
        ax.errorbar([x + shift for x in at], middle, spread, color=colour, marker=marker, markersize=5, capsize=3, linewidth=1.2, label=name)
    ax.set_yscale("log")
    ax.yaxis.set_major_locator(LogLocator(subs=(1, 2, 5)))
    ax.yaxis.set_major_formatter(FuncFormatter(lambda y, _: f"{y:g}"))
    ax.yaxis.set_minor_formatter("")
    ax.set_title("Time for one timestamp: median and quartiles of rounds", fontsize="medium")
    ax.set_ylabel("µs")
    ax.legend(frameon=False)


def draw_ratios(ax, at, rows, controls):
    ax.axhspan(1 - MEANINGFUL / 100, 1 + MEANINGFUL / 100, color="#dddddd", zorder=0, label=f"less than {MEANINGFUL} %")
    ax.axhline(1, color="black", linewidth=0.8)
    for shift, shown, colour, marker, name in (
        (-0.08, rows, FUNCTION, "s", "function ÷ for/else"),
        (0.08, controls, CONTROL, "^", "for/else ÷ itself"),
    ):
        ax.errorbar(
            [x + shift for x in at], [r.ratio for r in shown], [r.doubt for r in shown],
            color=colour, marker=marker, markersize=5, capsize=3, linestyle="none", label=name,
        )
    ax.set_title("Ratio of means with its 95 % interval, and what noise makes", fontsize="medium")
    ax.legend(frameon=False, loc="upper left", fontsize="small")
    low, high = ax.get_ylim()
    ax.set_ylim(low, high + 0.3 * (high - low))  # room for the legend
