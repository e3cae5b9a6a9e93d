"""The writer of the sections of algorithms.md on methods; doc/write.py calls it."""

import re
import textwrap
from collections import Counter, defaultdict
from pathlib import Path

from orangecontrib.reliefe.core import methods
from orangecontrib.reliefe.core.methods.capabilities import COLUMNS, LETTERS, capabilities
from orangecontrib.reliefe.core.targets.tasks import UNSUPERVISED

PAGE = Path(__file__).parent / "algorithms.md"
BEGIN, END = "<!-- methods: written by write_methods.py -->", "<!-- end of methods -->"
LEGEND = """Targets: {}.
*nominal* and *missing* show how nominal features and missing values are treated, and *diff* and *distance* the choice
of differences of values and of distances of rows. *all* is class-conditional, ignore, uniform, separate and clus for
missing values, and range, rank, presence and auto for differences. *sparse*: whether sparse features
stay sparse (trees need a known target for this). *interactions*: whether the method finds features that are informative
only in combination. *redundancy*: whether redundant features score less. A wrapper has the capabilities of its core.
Time: n rows, p features, k neighbours, C classes, d coordinates, I iterations, s steps, S subsets of a features, T
trees that try f features for t targets."""
SHARED = """Several methods share these parameters. A default is the most common one; sections on methods give other
defaults, and the parameters of one method only."""
ALL = "class-conditional, ignore, uniform, separate, clus", "range, rank, presence, auto"
WIDTH = 120


def plain(text: str) -> str:
    """`text` without what Markdown would read as emphasis or a tag."""
    return re.sub(r"([*<])", r"\\\1", text)


def shared() -> dict[str, list]:
    """Parameters by their explanation, as far as several methods have it; each with the most common default."""
    found = defaultdict(list)
    for method in methods():
        for parameter in method.parameters:
            found[parameter.tooltip].append((parameter, method))
    return {
        text: [Counter(repr(parameter.default) for parameter, _ in group).most_common(1)[0][0], *group]
        for text, group in found.items()
        if len(group) > 1
    }


def shared_text() -> str:
    """The section on shared parameters; where several have one name, with their methods."""
    groups = shared().values()
    names = Counter(group[1][0].name for group in groups)
    items = []
    for default, *group in sorted(groups, key=lambda group: group[1][0].name):
        parameter = group[0][0]
        of = f" ({', '.join(method.title for _, method in group)})" * (names[parameter.name] > 1)
        items.append(item(parameter, f"{plain(default)}{plain(of)}"))
    return "\n\n".join(["## Shared parameters", textwrap.fill(SHARED, WIDTH), "\n".join(items)])


def method_text(method) -> str:
    """The section on a method."""
    with_target = [task for task in method.tasks if task != UNSUPERVISED]
    kinds = with_target[:1] and [f"for {with_target[0]}", *with_target[1:]]
    *most, last = [*kinds, *(["without a target"] if UNSUPERVISED in method.tasks else [])]
    tasks = ", ".join(most) + " and " * bool(most) + last
    about = textwrap.fill(plain(f"{method.idea}. Ranks {tasks}."), WIDTH)
    source = textwrap.fill(plain(f"Source: {method.citation}."), WIDTH) + f"\\\nTime: `{method.traits.complexity}`."
    known, own, common = shared(), [], []
    for parameter in method.parameters:
        default = plain(repr(parameter.default))
        if parameter.tooltip not in known:
            own.append(item(parameter, default))
        else:
            other = repr(parameter.default) != known[parameter.tooltip][0]
            common.append(f"`{parameter.name}`" + f" = {default}" * other)
    if common:
        listed = textwrap.fill(", ".join(common), WIDTH, initial_indent="- [Shared](#shared-parameters): ")
        own.append(listed.replace("\n", "\n  "))
    return "\n\n".join([f"## {plain(method.title)} (`{method.name}`)", about, source, "\n".join(own)])


def item(parameter, default: str) -> str:
    """An item of a list: name and default, and its tooltip on a line of its own."""
    wrapped = textwrap.fill(plain(f"{parameter.tooltip}."), WIDTH, initial_indent="  ", subsequent_indent="  ")
    return f"- `{parameter.name}` = {default}\\\n{wrapped}"


def table_text() -> str:
    """The table of capabilities."""
    legend = textwrap.fill(LEGEND.format(", ".join(f"{letter} {task}" for task, letter in LETTERS.items())), WIDTH)
    rows = [list(COLUMNS), ["---"] * len(COLUMNS), *(row(method) for method in methods())]
    table = "\n".join(f"| {' | '.join(cells)} |" for cells in rows)
    return f"## Capabilities\n\n{legend}\n\n{table}"


def row(method) -> list[str]:
    """Cells of a method."""
    cells = {name: "all" if text in ALL else plain(text) for name, text in capabilities(method).items()}
    return [*[*cells.values()][:-1], f"`{method.traits.complexity}`"]


def page_text(page: str) -> str:
    """The text of the page with the sections on all methods between its marks."""
    before, _, rest = page.partition(BEGIN)
    _, _, after = rest.partition(END)
    return "\n\n".join([before + BEGIN, table_text(), shared_text(), *map(method_text, methods()), END + after])


def texts() -> dict[Path, str]:
    """Return the page with these sections, with its text."""
    return {PAGE: page_text(PAGE.read_text(encoding="utf-8"))}
