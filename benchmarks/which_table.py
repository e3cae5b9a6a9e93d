"""Tables and pictures of doc/which.md, from the lines of results: see which.py."""

from collections.abc import Sequence
from pathlib import Path
from textwrap import fill

import numpy as np
from common import ROOT, table
from rivals import CLASSES, LABELS, NUMBERS
from scipy.stats import rankdata, wilcoxon

from orangecontrib.reliefe.core import METHODS
from orangecontrib.reliefe.core.evaluation import cliques, critical_difference, ranks
from orangecontrib.reliefe.core.methods.choice import ALL, FEWEST, NUMBER, SEVERAL, TOGETHER, Facts, automatic

PAGE = ROOT / "doc" / "which.md"
BEGIN, END = "<!-- table: written by benchmarks/which.py --table -->", "<!-- end of table -->"
OWN_TASKS = {CLASSES: "classification", NUMBERS: "regression", "targets": "multi-target", LABELS: "multi-label"}
RIVALS = {CLASSES: ("mRMR", "JMI"), NUMBERS: ("mRMR",), "targets": ("mRMR",), LABELS: ("mRMR",)}
REFERENCES = ("mRMR", "JMI", "random")
MAIN = ("relieff", "rrelieff", "multisurf", "residualrelief", "boostedrelief", "learnedrelief", "boostedlearnedrelief",
        "mutualinfo", "randomforest", "pct", *REFERENCES)  # fmt: skip
KINDS = {CLASSES: ("classes",), NUMBER: ("numbers",), SEVERAL: ("targets", "labels")}
QUESTIONS = {  # recall of relevant features that is needed, and whether features that repeat others come late
    ALL: (0.98, False),
    FEWEST: (0.0, True),
    TOGETHER: (0.98, None),
}
HEADER = ("method", "area", "rank", "95 %", "p", "stability", "seconds")
LEVEL, DRAWS = 0.05, 2000
MAX_EXACT = 13  # differences, with ties or zeros, for which SciPy tries all choices of signs


def main_methods(kind: str) -> tuple[str, ...]:
    """Methods that every set with this kind of target is run by: label sets by that which `auto` takes, too."""
    return tuple(m for m in (*MAIN, *(("reliefe",) if kind == LABELS else ())) if fits(m, kind))


def fits(method: str, kind: str) -> bool:
    """Say if a method ranks for a kind of target."""
    return (
        method == "random" or method in RIVALS[kind] or (method in METHODS and OWN_TASKS[kind] in METHODS[method].tasks)
    )


class Group:
    """Finished sets of some kinds of target, public or simulated, and a measure of the methods that did them all."""

    def __init__(self, lines: Sequence[dict], kinds: Sequence[str], measure: str):
        facts = {line["set"]: line for line in lines if line.get("kind") in kinds}
        self.facts = {name: line for name, line in facts.items() if line["simulated"] == (measure == "recall")}
        self.lines = {(line["method"], line["set"]): line for line in lines if "method" in line}
        run = [m for m in (*METHODS, *REFERENCES) if any((m, name) in self.lines for name in self.facts)]
        done = {name: {m for m in run if (m, name) in self.lines} for name in self.facts}
        self.sets = [name for name, own in done.items() if own >= set(main_methods(self.facts[name]["kind"]))]
        self.methods = [m for m in run if all(measure in self.lines.get((m, name), {}) for name in self.sets)]
        self.left = [m for m in run if m not in self.methods]
        self.values = self.of(measure)
        self.each = ranks(self.values.T) if self.sets else np.zeros((0, 0))

    def of(self, measure: str) -> np.ndarray:
        """A measure (methods, sets), means of the folds."""
        out = [[np.mean(self.lines[m, name][measure]) for name in self.sets] for m in self.methods]
        return np.array(out, float).reshape(len(self.methods), len(self.sets))

    def mean(self, method: str) -> float:
        """The mean of the measure over the sets; 0 where some of them are not done."""
        return float(self.values[self.methods.index(method)].mean()) if method in self.methods else 0.0

    def auto(self) -> np.ndarray:
        """Areas (sets,) by the methods that `auto` takes."""
        facts = [self.facts[name] for name in self.sets]
        chosen = [
            automatic(Facts(OWN_TASKS[one["kind"]], one["rows"], one["features"], one["missing"] > 0))[0]
            for one in facts
        ]
        return np.array([self.lines[m, name]["areas"] for m, name in zip(chosen, self.sets, strict=True)]).mean(axis=1)

    def against(self, best: int) -> np.ndarray:
        """p-values (methods,) of Wilcoxon's test of the differences from one of them."""
        own = self.values[best]
        return np.array([signed_rank_test(own - other) for other in self.values])

    def best(self, methods: Sequence[str]) -> str:
        """Name of the quickest of some methods whose areas are not significantly below those with the best rank."""
        places = [m for m, name in enumerate(self.methods) if name in methods]
        if not places:
            return ""
        best = min(places, key=lambda m: self.each[:, m].mean())
        p, seconds = self.against(best), np.median(self.of("seconds"), axis=1)
        return self.methods[min((m for m in places if p[m] >= LEVEL), key=lambda m: seconds[m])]

    def rows(self) -> list[list[str]]:
        """Cells of the table, the best mean rank first; intervals of ranks by drawing sets with replacement."""
        drawn = np.random.default_rng(0).integers(0, len(self.sets), (DRAWS, len(self.sets)))
        low, high = np.quantile(self.each[drawn].mean(axis=1), (0.025, 0.975), axis=0)
        order = np.argsort(self.each.mean(axis=0), kind="stable")
        shown = zip(self.values.mean(axis=1), self.each.mean(axis=0), low, high, self.against(order[0]), strict=True)
        cells = [[f"{a:.3f}", f"{r:.1f}", f"{b:.1f} to {c:.1f}", f"{p:.3f}"] for a, r, b, c, p in shown]
        more = zip(self.of("stability").mean(axis=1), np.median(self.of("seconds"), axis=1), strict=True)
        ends = [[f"{stable:.2f}", f"{seconds:.3f}"] for stable, seconds in more]
        return [[titled(self.methods[m]), *cells[m], *ends[m]] for m in order]


def signed_rank_test(differences: np.ndarray) -> float:
    """p-value of Wilcoxon's test, two-sided: what `scipy.stats.wilcoxon` gives.

    With few differences, some of them tied or 0, SciPy takes two seconds, for it ranks them anew for each choice of
    signs.
    """
    sizes = np.abs(differences[differences != 0])
    if not sizes.size:
        return 1.0
    if len(differences) > MAX_EXACT or len(np.unique(sizes)) == len(differences):
        return float(wilcoxon(differences).pvalue)
    ranks_of_sizes = rankdata(sizes)
    signs = np.arange(2 ** len(sizes))[:, None] >> np.arange(len(sizes)) & 1
    sums = signs @ ranks_of_sizes
    positive = ranks_of_sizes[differences[differences != 0] > 0].sum()
    return float(min(1.0, 2 * min(np.mean(sums <= positive), np.mean(sums >= positive))))


def titled(method: str) -> str:
    """Title of a method in Markdown."""
    return METHODS[method].title.replace("*", r"\*") if method in METHODS else method


def groups(lines: Sequence[dict]) -> tuple[dict[str, Group], dict[str, Group]]:
    """Public sets and simulated ones by kind of target."""
    public = {title: Group(lines, kinds, "areas") for title, kinds in KINDS.items()}
    return public, {title: Group(lines, KINDS[title], "recall") for title in ("classes", "a number")}


def text(lines: Sequence[dict]) -> str:
    """The tables, and the sets that were run, in Markdown."""
    public, simulated = groups(lines)
    out = []
    for title, group in public.items():
        out += [f"## Public sets with {title}", table(HEADER, group.rows(), markdown=True)]
        rank, best = group.each.mean(axis=0), group.methods[int(group.each.mean(axis=0).argmin())]
        automatic = group.auto().mean()
        out.append(
            f"`auto` has an area of {automatic:.3f}. The best mean rank is that of {titled(best)}. "
            f"Ranks differ significantly from {critical_difference(len(rank), len(group.sets)):.1f} on."
        )
    methods = sorted(METHODS | dict.fromkeys(REFERENCES), key=lambda m: -sum(one.mean(m) for one in simulated.values()))
    rows = [
        [titled(m), *(f"{one.mean(m):.3f}" if m in one.methods else "-" for one in simulated.values())]
        for m in methods
        if any(m in one.methods for one in simulated.values())
    ]
    out += ["## Relevant features found in simulated sets", table(("method", *simulated), rows, markdown=True)]
    kinds = [*public.items(), *((f"simulated, {kind}", group) for kind, group in simulated.items())]
    shown = "\n\n".join(fill(f"{title}: {extent(group)}", 120) for title, group in kinds)
    out += ["## Sets", f"```text\n{shown}\n```"]
    return "\n\n".join(out)


def advice(public: dict[str, Group], simulated: dict[str, Group]) -> dict[str, dict[str, str]]:
    """Names of methods by question and kind of target: recall is that of all simulated sets that a method ranks for."""
    known = {}
    for method in METHODS:
        own = [group for kind, group in simulated.items() if fits(method, KINDS[kind][0])]
        done = own and all(method in group.methods for group in own)
        known[method] = (
            np.concatenate([group.values[group.methods.index(method)] for group in own]).mean() if done else 0
        )
    answers: dict[str, dict[str, str]] = {}
    for question, (recall, repeats) in QUESTIONS.items():
        allowed = [m for m in known if known[m] >= recall and repeats in (None, METHODS[m].traits.redundancy)]
        answers[question] = {kind: group.best(allowed) for kind, group in public.items()}
    return answers


def extent(group: Group) -> str:
    """Sets that count, with their rows and features, and methods that did not do all of them."""
    shown = [f"{name} {group.facts[name]['rows']} x {group.facts[name]['features']}" for name in group.sets]
    left = [name for name in group.facts if name not in group.sets]
    ends = ("Not finished", left), ("Late, or not run on all of them", map(titled, group.left))
    more = " ".join(f"{words}: {', '.join(names) or 'none'}." for words, names in ends)
    return f"{len(shown)} sets (rows x features): {', '.join(shown)}. {more}"


def write(lines: Sequence[dict], page: Path = PAGE) -> str:
    """Write the tables into the page and the pictures beside it; returns the tables."""
    from pictures import costs, heat, rank_diagram

    found, whole = text(lines), page.read_text(encoding="utf-8")
    before, _, rest = whole.partition(BEGIN)
    page.write_text(f"{before}{BEGIN}\n\n{found}\n\n{END}{rest.partition(END)[2]}", encoding="utf-8", newline="\n")
    (public, simulated), folder = groups(lines), page.parent / "which"
    panels = {}
    for title, group in public.items():
        names, means = list(map(titled, group.methods)), group.each.mean(axis=0)
        difference = critical_difference(len(names), len(group.sets))
        file = f"{title.split()[-1]}_ranks.png"
        rank_diagram(names, means, difference, cliques(means, difference), folder / file)
        panels[title] = names, np.median(group.of("seconds"), axis=1), means
    costs(panels, "CPU seconds, median of the sets", "mean rank", folder / "costs.png")
    group = simulated["classes"]
    order = np.argsort(-group.values.mean(axis=1), kind="stable")
    names = [titled(group.methods[m]) for m in order]
    heat(names, group.sets, group.values[order], folder / "simulated.png")
    return found
