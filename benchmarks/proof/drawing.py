"""Pictures of the report, by matplotlib."""

from collections.abc import Callable, Sequence
from pathlib import Path

from pictures import COLOURS, WIDE, plt, save

from .figures_of_reliefe import FACTORS
from .record import Lines, Results, Section
from .report import PICTURES
from .speed import PEERS


def draw(sections: Sequence[Section], results: Results, folder: Path) -> None:
    """Write the pictures of sections that have results."""
    for section in sections:
        lines = results.lines(section)
        if lines and section.name in PICTURES:
            DRAWN[section.name](lines, folder / PICTURES[section.name])


def printed(lines: Lines, path: Path) -> None:
    """Printed errors and ours, by method."""
    figure, axes = plt.subplots(figsize=(WIDE * 0.7, WIDE * 0.55))
    values = [float(line[c]) for line in lines for c in (3, 4)]
    axes.plot([min(values), max(values)], [min(values), max(values)], color="#999999", linewidth=1)
    for m, method in enumerate(dict.fromkeys(line[2] for line in lines)):
        own = [line for line in lines if line[2] == method]
        x, y = ([float(line[c]) for line in own] for c in (3, 4))
        axes.plot(x, y, "os^"[m % 3], color=COLOURS[m], label=method, markersize=5, fillstyle="none")
    axes.set(xscale="log", yscale="log", xlabel="printed error", ylabel="our error")
    axes.legend(frameon=False)
    save(figure, path)


def peers(lines: Lines, path: Path) -> None:
    """Bars of how many times longer others take."""
    figure, axes = plt.subplots(figsize=(WIDE, 0.6 + 0.3 * len(lines)))
    for place, line in enumerate(lines):
        for m, name in enumerate(PEERS):
            cell = line[4 + 2 * m]
            if cell != "-":
                axes.barh(
                    place + 0.25 * (m - 1), float(cell), 0.22, color=COLOURS[m], label=name if not place else None
                )
    axes.set_yticks(range(len(lines)), [f"{line[1]}, {line[0]}" for line in lines])
    axes.invert_yaxis()
    axes.axvline(1, color="black", linewidth=1)
    axes.set(xscale="log", xlabel="times the CPU seconds of ours")
    handles = [plt.Rectangle((0, 0), 1, 1, color=COLOURS[m]) for m in range(len(PEERS))]
    axes.legend(handles, PEERS, frameon=False)
    save(figure, path)


def growth(lines: Lines, path: Path) -> None:
    """Lines of seconds by rows, and by features."""
    figure, panels = plt.subplots(1, 2, figsize=(WIDE, WIDE * 0.4), sharey=True)
    for axes, kind, column in zip(panels, ("rows", "features"), (2, 3), strict=True):
        for m, method in enumerate(dict.fromkeys(line[0] for line in lines)):
            own = [line for line in lines if line[0] == method and line[1] == kind]
            x, y = ([float(line[c]) for line in own] for c in (column, 4))
            axes.plot(x, y, "-" + "os^"[m % 3], color=COLOURS[m], label=method, markersize=4)
        axes.set(xscale="log", yscale="log", xlabel=kind)
    panels[0].set(ylabel="CPU seconds")
    panels[0].legend(frameon=False)
    save(figure, path)


def density(lines: Lines, path: Path) -> None:
    """Curves of the density by multiples of epsilon."""
    figure, axes = plt.subplots(figsize=(WIDE * 0.7, WIDE * 0.45))
    for number, line in enumerate(lines):
        style = "-" if number < len(COLOURS) else "--"
        values = [float(cell) for cell in line[-len(FACTORS) :]]
        axes.plot(FACTORS, values, style, color=COLOURS[number % len(COLOURS)], label=line[0])
    axes.axvline(1, color="#999999", linewidth=1)
    axes.set(xscale="log", xlabel="multiple of epsilon", ylabel="density", ylim=(0, 1.02))
    axes.legend(frameon=False, bbox_to_anchor=(1, 1))
    save(figure, path)


def neighbourhoods(lines: Lines, path: Path) -> None:
    """A line for each set: median, quartiles and tails of the adaptive number of neighbours."""
    figure, axes = plt.subplots(figsize=(WIDE * 0.7, 0.6 + 0.3 * len(lines)))
    for place, line in enumerate(lines):
        least, low, median, high, most = (float(cell) for cell in line[3:8])
        axes.plot([least, most], [place, place], color=COLOURS[0], linewidth=1)
        axes.plot([low, high], [place, place], color=COLOURS[0], linewidth=5, solid_capstyle="butt")
        axes.plot(median, place, "o", color="white", markeredgecolor=COLOURS[0])
    axes.set_yticks(range(len(lines)), [line[0] for line in lines])
    axes.invert_yaxis()
    axes.set(xscale="log", xlabel="neighbours in a class")
    save(figure, path)


DRAWN: dict[str, Callable[[Lines, Path], None]] = {
    "without-target": printed,
    "reliefe-density": density,
    "reliefe-k": neighbourhoods,
    "peers": peers,
    "growth": growth,
}
