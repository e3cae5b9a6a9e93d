"""Results: a ranking with what was done for it, and the level that chance reaches."""

import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, NamedTuple, cast

import numpy as np

from .checks import inside, number, whole
from .words import counted, shortened, xml_text

if TYPE_CHECKING:
    import pandas

MAX_BARS = 20  # that a notebook shows
MARGIN, GAP = 24, 10
TITLE_HEIGHT, LINE_HEIGHT, ROW_HEIGHT, BAR_HEIGHT = 30, 18, 22, 14
BARS_WIDTH, SCORE_WIDTH = 420, 64
NARROW, WIDE, TITLE_CHARACTER = 8, 13, 10  # pixels of a character, on the safe side for most fonts
MIN_WIDTH = 480
BACKGROUND, INK, FAINT, AXIS = "#ffffff", "#1f2933", "#616e7c", "#9aa5b1"
POSITIVE, NEGATIVE = "#2a6f97", "#c8553d"  # distinct for colour-blind people, and by their side of the axis, too
FONT = "system-ui, -apple-system, 'Segoe UI', 'Noto Sans', 'DejaVu Sans', Helvetica, Arial, sans-serif"


# Choices and figures of a ranking, as plain literals: the entries of `COMMON`, and those that its method declares.
Info = dict[str, Any]


class Detail(NamedTuple):
    """Entry of `Ranking.info`.

    Attributes
    ----------
    name : str
        Its key.
    type : type
        Type of its value, a plain literal that JSON keeps, for example ``list[int]`` or ``float | None``.
    meaning : str
        What it tells, in a few words. The page on scripts explains it.
    """

    name: str
    type: Any
    meaning: str


COMMON = (
    Detail("task", str, "kind of target"),
    Detail("rows", int, "number of rows that are ranked"),
    Detail("missing", float, "share of missing values of features"),
    Detail("classes", int, "number of classes"),
    Detail("labels", int, "number of labels of label sets and hierarchies"),
    Detail("targets", int, "number of targets, if there are several"),
    Detail("events", int, "number of events of times with censoring"),
    Detail("censored", float, "share of rows whose time is censored"),
    Detail("event", str, "value that says that there was an event"),
    Detail("auto", str, 'chosen method and the reason, for the method "auto"'),
    Detail("suspects", list[int], "features that identify rows, or are functions of the target"),
    Detail("kept", list[int], "features that are always selected"),
    Detail("instances", int, "number of target rows"),
    Detail("final", bool, "whether no better result follows"),
    Detail("seconds", float, "wall time"),
    Detail("summary", str, "choices and time in one line"),
    Detail("warnings", list[str], "possible problems, in sentences"),
    Detail("information", list[str], "facts, in sentences"),
)


def merge_info(*records: Info) -> Info:
    """Merge records of one ranking: their messages follow each other, and of every other entry the last one counts."""
    merged: Info = {}
    for record in records:
        merged |= record
    merged["warnings"] = [text for record in records for text in record.get("warnings", ())]
    merged["information"] = [text for record in records for text in record.get("information", ())]
    return merged


class Drawing(str):
    """A picture as the text of an SVG, which a notebook shows."""

    _repr_svg_ = str.__str__


@dataclass(frozen=True, eq=False, repr=False)
class Ranking:
    """Ranking of p features: their scores, and how they came about.

    scores (p,): higher is better, never NaN.  ranking (p,): indices of the features, best first, ties by index.
    per_target (t, p): scores for each of several targets, or None.  parameters: all of them; info: facts on the data
    and the computation; both are plain literals.  names: of the features, if the data had any.  targets: names of
    several targets.
    order (p,): features in the order in which a wrapper removed them, the worst first, or None.
    significance: z, p and false discovery rates, where they were asked for.
    """

    scores: np.ndarray
    method: str
    parameters: dict[str, object] = field(default_factory=dict)
    info: Info = field(default_factory=dict)
    per_target: np.ndarray | None = None
    names: tuple[str, ...] | None = None
    targets: tuple[str, ...] | None = None
    order: np.ndarray | None = None
    significance: "Significance | None" = None

    def __repr__(self) -> str:
        p, best = len(self.scores), [shortened(name) for name in self._best_names(3)]
        rows = f"{counted(self.info['rows'], 'row')}, " if "rows" in self.info else ""
        names = ", ".join([*best, *(["..."] if p > len(best) else [])])
        return f"{type(self).__name__}({self.method}, {rows}{counted(p, 'feature')}: {names})"

    def _repr_html_(self) -> str:
        """Bars of the best features, for notebooks."""
        names, shown = self._best_names(MAX_BARS), self.ranking[:MAX_BARS]
        rest = [f"{len(shown)} of {len(self.scores):,} features"] if len(self.scores) > len(shown) else []
        lines = [line for line in (self.info.get("summary"), *rest, *self.info.get("warnings", ())) if line]
        return bar_chart(self.method, lines, names, self.scores[shown])

    def _best_names(self, n: int) -> list[str]:
        return [str(self.names[j]) if self.names else f"feature {j}" for j in self.ranking[:n]]

    @property
    def ranking(self) -> np.ndarray:
        return np.argsort(-self.scores, kind="stable")

    @property
    def kept(self) -> np.ndarray:
        """Indices of the features that are always selected, `keep` of `rank`."""
        return np.array(self.info.get("kept", []), np.intp)

    def best(self, n: int) -> tuple[Any, ...]:
        """Names of the features of `select`, best first, or their indices where the data had no names."""
        best = Ranking.select(self, n).tolist()
        return tuple(self.names[j] for j in best) if self.names else tuple(best)

    def to_frame(self) -> "pandas.DataFrame":
        """All features, best first, as a DataFrame: name or index, score, scores by target, and tests if present.

        Its index is the position of each feature, from 1.
        """
        import pandas

        columns: dict[str, object] = {"feature": self.names or range(len(self.scores)), "score": self.scores}
        if self.per_target is not None:
            names = getattr(self, "labels", self.targets) or range(len(self.per_target))
            columns |= {f"score ({name})": row for name, row in zip(names, self.per_target, strict=True)}
        if self.significance is not None:
            kind = self.significance.kind
            columns |= self.significance.columns | ({} if kind is None else {"kind": kind})
        frame = pandas.DataFrame(columns).iloc[self.ranking]
        return frame.set_axis(pandas.RangeIndex(1, len(frame) + 1, name="rank"))

    def plot(self, n: int = MAX_BARS) -> Any:
        """Draw the scores of the n best features, by matplotlib if it is installed, else as SVG for a notebook.

        Returns matplotlib's axes, or an object whose text is the SVG.
        """
        best = Ranking.select(self, n)
        names, scores = self._best_names(len(best)), self.scores[best]
        try:
            from matplotlib import pyplot
        except ImportError:
            return Drawing(bar_chart(self.method, [], names, scores))
        axes = pyplot.figure(figsize=(7, 1 + len(best) / 4), layout="constrained").add_subplot()
        colors = [NEGATIVE if score < 0 else POSITIVE for score in scores]
        axes.barh(range(len(best)), scores, color=colors, tick_label=[shortened(name) for name in names])
        axes.invert_yaxis()
        axes.set(title=self.method, xlabel="score")
        return axes

    def select(self, n: int) -> np.ndarray:
        """Indices of n features, best first: those that are always kept, and the best of the rest.

        Kept features count among the n.  If there are more than n of them, all are selected.
        """
        return self.with_kept(self.ranking, max(whole("n", n), 0))

    def with_kept(self, order: np.ndarray, n: int) -> np.ndarray:
        """Indices of n features, best first: those that are always kept, and the first of the rest in an order."""
        kept = self.kept
        if not len(kept):
            return order[:n]
        chosen = np.zeros(len(self.scores), bool)
        chosen[kept] = True
        chosen[order[~chosen[order]][: max(n - len(kept), 0)]] = True
        return cast("np.ndarray", self.ranking[chosen[self.ranking]])

    def above(self, threshold: float) -> np.ndarray:
        """Indices of the features with at least this score, and of those that are always kept, best first.

        See `tau_max` for a threshold.
        """
        chosen = self.scores >= number("threshold", threshold)
        chosen[self.kept] = True
        order = self.ranking
        return cast("np.ndarray", order[chosen[order]])


NOMINAL = 0.05  # of tests of features alone that are no discoveries
CONDITIONAL = "adds to the others"  # title of the column of conditional p-values


@dataclass(frozen=True, eq=False)
class Significance:
    """Significance of the scores of p features: how far they stand out from those of shuffled targets.

    z (p,): scores less their mean over random orders of the values, in standard deviations; -inf where these are 0.
    p (p,): probability in (0, 1] that a feature reaches this z by chance: the share among all features and permuted
    targets.
    q (p,): false discovery rate in (0, 1] of taking all features down to this one (Benjamini and Hochberg).
    family_wise (p,): probability in (0, 1] that any feature reaches this z (Westfall and Young).
    own_p (p,): probability that the feature reaches its score by its own shuffles alone, at least 1 / (n_shuffles + 1).
    n_shuffles: number of shuffled targets.
    smallest: smallest p that so many shuffles, and the different orders of the target, can show.
    closed_form: whether the spread of the scores is known in closed form; else it comes from the shuffles.
    notes: remarks on p, how far it can be trusted.
    alone (p,): p-values of tests without the other features, for a target of classes, numbers or times; or None.
    conditional (p,): p-values of tests of whether features add to the remaining ones, NaN for features that were not
    tested; or None.
    """

    z: np.ndarray
    p: np.ndarray
    q: np.ndarray
    family_wise: np.ndarray
    own_p: np.ndarray
    n_shuffles: int
    smallest: float
    closed_form: bool = True
    notes: tuple[str, ...] = ()
    alone: np.ndarray | None = None
    conditional: np.ndarray | None = None

    @property
    def columns(self) -> dict[str, np.ndarray]:
        """z (NaN where undefined), p and q by these names, and conditional p-values, if there are any."""
        columns = {"z": np.where(np.isfinite(self.z), self.z, np.nan), "p": self.p, "q": self.q}
        if self.conditional is not None:
            columns[CONDITIONAL] = self.conditional
        return columns

    @property
    def kind(self) -> np.ndarray | None:
        """`kinds` at a false discovery rate of 10 %."""
        return self.kinds()

    def kinds(self, level: float = 0.1) -> np.ndarray | None:
        """Kinds of discoveries (p,) at one false discovery rate `level`, in (0, 1), of scores and features alone.

        "alone": discovered by the test of the feature alone.  "both": discovered by its score, and its own test reaches
        p = .05.  "only together": discovered by its score only.  "": not discovered.  None without tests of features
        alone.
        """
        from scipy.stats import false_discovery_control

        level = inside("level", level)
        if self.alone is None:
            return None
        by_score, by_itself = np.split(false_discovery_control(np.concatenate([self.p, self.alone])) <= level, 2)
        seen = by_itself | (self.alone <= NOMINAL)
        return np.select([by_score & seen, by_score, by_itself], ["both", "only together", "alone"], "")

    def discoveries(self, level: float = 0.1) -> np.ndarray:
        """Indices of the features with q up to a level in (0, 1), the largest z first; some `level` of them are
        chance."""
        level, order = inside("level", level), np.argsort(-self.z, kind="stable")
        return cast("np.ndarray", order[self.q[order] <= level])


@dataclass(frozen=True, eq=False)
class NullLevel:
    """Score that irrelevant features reach by chance, from rankings of shuffled targets.

    level: the largest score that any feature reached with a shuffled target.  Maxima (n_shuffles,): of each shuffle.
    chance: how probable a score above the level is in data without a relevant feature, 1 / (shuffles + 1).
    """

    level: float
    maxima: np.ndarray
    chance: float


def tau_max(alpha: float, m: float) -> float:
    """Largest sensible relevance threshold 1 / sqrt(alpha m) of Kira and Rendell (1992).

    alpha in (0, 1]: accepted probability of taking an irrelevant feature; m >= 1: target rows.  By Chebyshev's
    inequality, so very cautious, and derived for plain Relief only.
    """
    alpha, m = number("alpha", alpha), number("m", m)
    if not 0 < alpha <= 1:
        raise ValueError(f"alpha must be above 0 and at most 1, not {alpha}")
    if not m >= 1:
        raise ValueError(f"m must be at least 1, not {m}")
    return float(1 / np.sqrt(alpha * m))


def bar_chart(title: str, lines: Sequence[str], names: Sequence[str], scores: np.ndarray) -> str:
    """A bar for each score, from top to bottom, with names on the left, and scores at the ends of the bars."""
    low, high = min(scores.min(initial=0.0), 0.0), max(scores.max(initial=0.0), 0.0)
    per_unit = BARS_WIDTH / (high - low) if high > low else 0.0
    labels = [shortened(name) for name in names]
    start = MARGIN + max(map(_width, labels), default=0) + GAP
    zero = start + (SCORE_WIDTH + GAP if low < 0 else 0) - low * per_unit
    top = MARGIN + TITLE_HEIGHT + LINE_HEIGHT * len(lines) + GAP
    bottom = top + ROW_HEIGHT * len(labels)
    right = zero + high * per_unit + SCORE_WIDTH + MARGIN
    written = max([len(title) * TITLE_CHARACTER, *map(_width, lines)]) + 2 * MARGIN
    width, height = max(round(right), written, MIN_WIDTH), bottom + MARGIN
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" viewBox="0 0 {width} {height}" '
        f'font-family="{FONT}" font-size="13" role="img">',
        f"<title>{xml_text(title)}</title>",
        f'<rect width="{width}" height="{height}" fill="{BACKGROUND}"/>',
        f'<text x="{MARGIN}" y="{MARGIN + 14}" font-size="17" font-weight="600" fill="{INK}">{xml_text(title)}</text>',
    ]
    for k, line in enumerate(lines):
        y = MARGIN + TITLE_HEIGHT + LINE_HEIGHT * k + 8
        parts.append(f'<text x="{MARGIN}" y="{y}" font-size="12" fill="{FAINT}">{xml_text(line)}</text>')
    for k, (name, label, score) in enumerate(zip(names, labels, scores.tolist(), strict=True)):
        parts.append(_row(name, label, score, start - GAP, zero, per_unit, top + ROW_HEIGHT * k))
    parts.append(f'<path d="M{zero:.1f} {top}V{bottom}" stroke="{AXIS}"/>')
    return "\n".join([*parts, "</svg>"]) + "\n"


def _row(name: str, label: str, score: float, edge: float, zero: float, per_unit: float, y: int) -> str:
    """edge: where names end; zero: of the axis; per_unit: pixels; y: top of the row."""
    length = abs(score) * per_unit
    left, end, anchor = (zero - length, zero - length - 6, "end") if score < 0 else (zero, zero + length + 6, "start")
    colour, base = NEGATIVE if score < 0 else POSITIVE, y + ROW_HEIGHT / 2 + 4.5
    return (
        f"<g><title>{xml_text(name)}: {score:.5f}</title>"
        f'<text x="{edge}" y="{base}" text-anchor="end" fill="{INK}">{xml_text(label)}</text>'
        f'<rect x="{left:.1f}" y="{y + (ROW_HEIGHT - BAR_HEIGHT) / 2:g}" width="{length:.1f}" height="{BAR_HEIGHT}" '
        f'rx="2" fill="{colour}"/>'
        f'<text x="{end:.1f}" y="{base}" text-anchor="{anchor}" font-size="12" fill="{FAINT}">{score:.5f}</text></g>'
    )


def _width(text: str) -> int:
    return sum(WIDE if unicodedata.east_asian_width(c) in "WF" or c in "MWmw%@" else NARROW for c in text)
