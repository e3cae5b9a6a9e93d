"""Pictures of comparisons, by matplotlib: rank diagrams, curves, triangles of probabilities, matrices."""

from collections.abc import Mapping, Sequence
from pathlib import Path

import matplotlib
import numpy as np

matplotlib.use("Agg")
from matplotlib import pyplot as plt
from matplotlib.ticker import NullLocator

COLOURS = ("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#56b4e9", "#e69f00", "#555555", "#000000")
DOTS, WIDE = 110, 7.0  # per inch; inches
MANY = 20  # methods, above which not every rank has its tick
FEW = 6  # points of a curve, below which each has its tick
plt.rcParams |= {"font.size": 9, "axes.spines.top": False, "axes.spines.right": False, "svg.hashsalt": "reliefe"}


def save(figure: plt.Figure, path: Path) -> None:
    """Write a picture without the date, so that equal ones are equal files."""
    path.parent.mkdir(parents=True, exist_ok=True)
    figure.savefig(path, dpi=DOTS, bbox_inches="tight", facecolor="white", metadata={"Software": None})
    plt.close(figure)


def rank_diagram(names: Sequence[str], ranks: np.ndarray, difference: float, groups: Sequence, path: Path) -> None:
    """Mean ranks (k,) on a line, the best one at the left; bars join groups of indices that do not differ by more than
    chance, `difference` is shown above."""
    k, order = len(names), np.argsort(ranks, kind="stable")
    half = (k + 1) // 2
    low = -0.35 - 0.16 * len(groups)
    figure, axes = plt.subplots(figsize=(WIDE, 1.1 + 0.22 * (half + len(groups))))
    axes.axis("off")
    axes.set(xlim=(1 - 0.32 * (k - 1), k + 0.32 * (k - 1)), ylim=(low - 0.4 * half, 1.1))
    axes.plot([1, k], [0, 0], color="black", linewidth=1)
    for tick in range(1, k + 1, 1 if k <= MANY else MANY // 4):
        axes.plot([tick, tick], [0, 0.1], color="black", linewidth=1)
        axes.text(tick, 0.15, str(tick), ha="center", va="bottom")
    axes.plot([1, 1 + difference], [0.8, 0.8], color="black", linewidth=2)
    axes.text(1 + difference / 2, 0.85, f"critical difference {difference:.2f}", ha="center", va="bottom")
    for g, group in enumerate(groups):
        ends = [ranks[group[0]] - 0.03 * k / 5, ranks[group[-1]] + 0.03 * k / 5]
        axes.plot(ends, [-0.2 - 0.16 * g] * 2, color=COLOURS[1], linewidth=3, solid_capstyle="butt")
    for place, m in enumerate(order):
        left = place < half
        y = low - 0.4 * (place if left else k - 1 - place)
        x = 1 - 0.06 * (k - 1) if left else k + 0.06 * (k - 1)
        axes.plot([ranks[m], ranks[m], x], [0, y, y], color="#555555", linewidth=0.8)
        label = f"{names[m]}  {ranks[m]:.2f} " if left else f" {ranks[m]:.2f}  {names[m]}"
        axes.text(x, y, label, ha="right" if left else "left", va="center")
    save(figure, path)


def curves(
    panels: Mapping[str, tuple[np.ndarray, Mapping[str, np.ndarray]]],
    x_label: str,
    y_label: str,
    path: Path,
    dashed: Sequence[str] = (),
    pairs: bool = False,
) -> None:
    """{title: (x (s,), {name: values (s,)})} side by side, x in doublings; dashed: names of references; pairs: of lines
    with one colour."""
    columns = min(len(panels), 3)
    rows = -(-len(panels) // columns)
    figure, axes = plt.subplots(rows, columns, figsize=(WIDE * columns / 2.2, 2.5 * rows), squeeze=False)
    for ax in axes.ravel()[len(panels) :]:
        ax.axis("off")
    for ax, (title, (x, lines)) in zip(axes.ravel(), panels.items(), strict=False):
        colours = np.repeat(COLOURS, 2) if pairs else COLOURS
        for (name, values), colour in zip(lines.items(), colours, strict=False):
            style = "--" if name in dashed else "-"
            ax.plot(x, values, style, color=colour, label=name, linewidth=1.4, marker=".", markersize=4)
        ax.set_xscale("log", base=2)
        if len(x) < FEW:
            ax.set_xticks(x)
        ax.xaxis.set_major_formatter("{x:g}")
        ax.xaxis.set_minor_locator(NullLocator())
        ax.set_title(title, fontsize=9)
    for ax in axes[:, 0]:
        ax.set_ylabel(y_label)
    for ax in axes[-1]:
        ax.set_xlabel(x_label)
    handles, names = axes[0, 0].get_legend_handles_labels()
    figure.tight_layout()
    figure.legend(handles, names, loc="upper center", bbox_to_anchor=(0.5, 0.0), ncols=4, frameon=False)
    save(figure, path)


def costs(
    panels: Mapping[str, tuple[Sequence[str], np.ndarray, np.ndarray]], x_label: str, y_label: str, path: Path
) -> None:
    """{title: (names, x (k,), y (k,))} side by side: a named point for each, x in powers of ten, the least y above."""
    figure, axes = plt.subplots(1, len(panels), figsize=(WIDE * len(panels) / 1.8, 3.8), squeeze=False)
    for ax, (title, (names, x, y)) in zip(axes[0], panels.items(), strict=True):
        ax.scatter(np.maximum(x, 1e-4), y, s=10, color=COLOURS[0])
        for name, place, value in zip(names, np.maximum(x, 1e-4), y, strict=True):
            ax.annotate(name, (place, value), (3, 2), textcoords="offset points", fontsize=6)
        ax.set(xscale="log", title=title, xlabel=x_label)
        ax.invert_yaxis()
    axes[0, 0].set_ylabel(y_label)
    figure.tight_layout()
    save(figure, path)


def triangles(draws: Mapping[tuple[str, str], np.ndarray], rope: float, path: Path) -> None:
    """{(first, second): (sweeps, 3)} probabilities that the first is better, both are equal, the second is better."""
    figure, axes = plt.subplots(1, len(draws), figsize=(2.6 * len(draws), 2.7), squeeze=False)
    corners = np.array([[0, 0], [0.5, np.sqrt(0.75)], [1, 0]])
    for ax, ((first, second), points) in zip(axes[0], draws.items(), strict=True):
        ax.axis("off")
        ax.set_aspect("equal")
        ax.plot(*corners[[0, 1, 2, 0]].T, color="black", linewidth=1)
        middle = corners.mean(axis=0)
        for edge in ((0, 1), (1, 2), (0, 2)):
            ax.plot(*np.array([middle, corners[list(edge)].mean(axis=0)]).T, color="#999999", linewidth=0.8)
        ax.scatter(*(points @ corners).T, s=2, alpha=0.15, color=COLOURS[0], linewidths=0)
        shares = np.bincount(points.argmax(axis=1), minlength=3) / len(points)
        titles = f"{first}\n{shares[0]:.2f}", f"within {rope:g}: {shares[1]:.2f}", f"{second}\n{shares[2]:.2f}"
        for (x, y), title, up in zip(corners, titles, (False, True, False), strict=True):
            ax.text(x, y + (0.03 if up else -0.04), title, ha="center", va="bottom" if up else "top", fontsize=8)
    save(figure, path)


def matrix(names: Sequence[str], values: np.ndarray, path: Path) -> None:
    """(k, k) agreements in [0, 1] with their numbers."""
    figure, ax = plt.subplots(figsize=(0.62 * len(names) + 1.4, 0.5 * len(names) + 0.8))
    ax.imshow(values, cmap="viridis", vmin=min(values.min(), 0.99), vmax=1, aspect="auto")
    ax.set_xticks(range(len(names)), names, rotation=40, ha="right")
    ax.set_yticks(range(len(names)), names)
    bright = values > (values.min() + 1) / 2
    for (i, j), value in np.ndenumerate(values):
        ax.text(j, i, f"{value:.2f}", ha="center", va="center", color="black" if bright[i, j] else "white", fontsize=8)
    save(figure, path)


def heat(names: Sequence[str], sets: Sequence[str], values: np.ndarray, path: Path) -> None:
    """(k, n) values of k methods on n sets, each column between its least and its largest value."""
    low, high = values.min(axis=0), values.max(axis=0)
    shares = (values - low) / np.where(high > low, high - low, 1)
    figure, axes = plt.subplots(figsize=(0.36 * len(sets) + 2.4, 0.2 * len(names) + 1.4))
    axes.imshow(shares, cmap="viridis", vmin=0, vmax=1, aspect="auto")
    axes.set_xticks(range(len(sets)), sets, rotation=60, ha="right", fontsize=7)
    axes.set_yticks(range(len(names)), names, fontsize=7)
    for (i, j), value in np.ndenumerate(values):
        axes.text(j, i, f"{value:.2f}".lstrip("0"), ha="center", va="center", fontsize=6,
                  color="black" if shares[i, j] > 0.5 else "white")  # fmt: skip
    save(figure, path)
