"""Attributes of features, such as the symbol of a gene, as columns of the table."""

from collections.abc import Sequence
from html import escape

import numpy as np
from AnyQt.QtCore import Qt
from Orange.data import Variable

from ...core.given_others import NOMINAL
from ...core.pages.feature_table import CONDITIONAL, CONDITIONAL_Q
from ...core.words import counted, percent, some
from ...orange.ranker.scores import NULL_LABEL
from ..table.model import Column
from ..utils.markup import plain


def attributes_of(variables: Sequence[Variable]) -> tuple[Column, ...]:
    """All attributes that at least one feature has, in the order in which they are met."""
    names = dict.fromkeys(str(name) for variable in variables for name in variable.attributes)
    kept = [{str(name): "" if value is None else str(value) for name, value in variable.attributes.items()}
            for variable in variables]  # fmt: skip
    texts = {name: tuple(each.get(name, "") for each in kept) for name in names}
    return tuple(
        Column(
            f"@{name}", name, own, tip=plain(f"{name}: an attribute of the features"), widest=max(own[:2000], key=len)
        )
        for name, own in texts.items()
        if any(own)
    )  # fmt: skip


SAMPLE_P_VALUE = "0.00083"
FEW = 20  # features
FAMILY_WISE = 0.05
TIPS = {
    "q": "False discovery rate of {title}: expected share of false discoveries among the features down to this one",
    "p": (
        "Probability that {title} is as high as this if the target is independent of the features. The smallest "
        "possible value with {shuffles} is {smallest:.2g}"
    ),
    "z": (
        "Score of {title} minus its mean over shuffled targets, in standard deviations. This unit makes all kinds of "
        "features comparable"
    ),
}
KIND_TIP = (
    "Discoveries at FDR {level}. Both: by the score, and by a test of the feature alone. Only together: by the "
    "score, but not alone, so the feature interacts"
)

CONDITIONAL_TIP = (
    "Conditional p-value in (0, 1]. If it is small, the feature adds to the information of the remaining features on "
    "the target: values drawn from these features are rarely as related to it. A dash: not tested, since there are "
    "many features, and this one is neither a discovery nor selected. Invalid: p does not hold for these data, for the "
    "reason in the tooltip of the feature"
)
CONDITIONAL_Q_TIP = (
    "False discovery rate of the conditional p-values among all features: expected share of features that add nothing "
    "among those with at most this p. Features that were not tested count as if they added nothing"
)
INVALID = "invalid"


def number(value: float) -> str:
    """A p or q in two digits."""
    return f"{value:.2g}"


class NumberTexts(Sequence):
    """Texts of numbers (p,), made when they are asked for."""

    def __init__(self, values: np.ndarray, form: str):
        self._values, self._form = values, form

    def __len__(self):
        return len(self._values)

    def __getitem__(self, place):
        if isinstance(place, slice):
            return [self[number] for number in range(*place.indices(len(self)))]
        value = self._values[place]
        return format(value, self._form).replace("-", "\u2212", int(value < 0)) if np.isfinite(value) else "\u2013"


class PValueTexts(NumberTexts):
    """Texts of conditional p-values (p,), with a word where they are not valid."""

    def __init__(self, values: np.ndarray, is_invalid: np.ndarray):
        super().__init__(values, ".2g")
        self._is_invalid = is_invalid

    def __getitem__(self, place):
        """Overrides Numbers.__getitem__: a word for values that are not valid."""
        if not isinstance(place, slice) and self._is_invalid[place]:
            return INVALID
        return super().__getitem__(place)


def kind_of(significance: object, level: float) -> tuple[Column, ...]:
    """A column for the kinds of discoveries at a level, if features were also tested alone."""
    kinds, tip = significance.kinds(level), plain(KIND_TIP.format(level=percent(level)))
    return () if kinds is None else (Column("p: kind", "kind", kinds.tolist(), tip=tip, widest="only together"),)


def conditional_of(significance: object) -> tuple[Column, ...]:
    """A column for conditional p-values, if features were tested given the others."""
    tests = significance.given_others
    if tests is None:
        return ()
    columns = significance.conditional_columns
    p = columns[CONDITIONAL]
    is_invalid = np.zeros(len(p), bool)
    is_invalid[tests.features[~tests.valid]] = True
    order = np.where(np.isnan(p), np.where(is_invalid, 2.0, 3.0), p)  # invalid and untested features come last
    texts = PValueTexts(p, is_invalid)
    q_texts = PValueTexts(columns[CONDITIONAL_Q], is_invalid)
    return (
        _measure(CONDITIONAL, texts, CONDITIONAL_TIP, -order),
        _measure(CONDITIONAL_Q, q_texts, CONDITIONAL_Q_TIP, -order),
    )


def conditional_text(tests: object, feature: int) -> str:
    """Conditional p of a feature with its parts, or why it is not valid; empty if the feature was not tested."""
    places = np.flatnonzero(tests.features == feature)
    if not len(places):
        return ""
    place = places[0]
    p = number(tests.p[place])
    if not tests.valid[place]:
        return f"{CONDITIONAL}: not valid here (p = {p}), {tests.reasons[place]}"
    parts = f"by neighbours {number(tests.by_neighbours[place])}, by line {number(tests.by_line[place])}"
    return f"{CONDITIONAL}: p = {p} ({parts}), q = {number(tests.q[place])}"


def adding_text(significance: object | None, names: Sequence[str]) -> str | None:
    """Features that add to the others, for a report; None where none were tested. names: (p,) of all features."""
    tests = None if significance is None else significance.given_others
    if tests is None:
        return None
    adding = [names[feature] for feature in tests.adding]
    tested = counted(len(tests.features), "tested feature")
    listed = f": {some(adding)}" if adding else ""
    text = f"{len(adding):,} of {tested} with a conditional p up to {number(NOMINAL)}{listed}"
    return ". ".join([text, *tests.notes])


def measures(
    significance: object | None, title: str, with_z: bool, n_features: int, level: float
) -> tuple[Column, ...]:
    """Columns for the significance of the scores called `title`; None: it is still to come."""
    names = [name for name in TIPS if with_z or name != "z"]
    if significance is None:
        unknown = np.full(n_features, np.nan)
        return tuple(_measure(name, NumberTexts(unknown, ".2g"), f"{name} of {title} is not known yet", unknown)
                     for name in names)  # fmt: skip
    z = significance.columns["z"]
    about = {
        "title": title, "smallest": significance.smallest, "shuffles": counted(significance.n_shuffles, "shuffle"),
    }  # fmt: skip
    # Equal p are sorted by z.
    forms = {"q": (significance.q, ".2g", -z), "p": (significance.p, ".2g", -z), "z": (z, ".2f", z)}
    q, *rest = (
        _measure(name, NumberTexts(values, form), TIPS[name].format(**about), order)
        for name, (values, form, order) in forms.items()
        if name in names
    )
    return q, *kind_of(significance, level), *conditional_of(significance), *rest


def _measure(name, numbers, tip, order) -> Column:
    return Column(f"p: {name}", name, numbers, None, plain(tip), Qt.AlignRight, name == "z", SAMPLE_P_VALUE, order)


def counts(significance: object, level: float) -> int:
    """Number of features at a level of the false discovery rate."""
    return int((significance.q <= level).sum())


def headline(significance: object, level: float, wanted: int | None = None) -> str:
    """ "12 of 60 features at FDR 10 % (20 shuffles)"; wanted: of so many shuffles these are the first."""
    found, p = counts(significance, level), len(significance.q)
    shuffles = shuffles_text(significance, wanted)
    if not found:
        return f"No feature stands out from shuffled targets at FDR {percent(level)} ({shuffles})"
    return f"{found:,} of {counted(p, 'feature')} at FDR {percent(level)} ({shuffles})"


def shuffles_text(significance: object, wanted: int | None = None) -> str:
    """Return "20 shuffles", or "7 of 20 shuffles"; wanted: of so many shuffles these are the first."""
    n_shuffles = significance.n_shuffles
    if wanted is None or n_shuffles >= wanted:
        return counted(n_shuffles, "shuffle")
    return f"{n_shuffles:,} of {wanted:,} shuffles"


def shortage(significance: object, level: float) -> str:
    """Smallest possible p where the shuffles are too few for one feature alone to come below the level, or for p to
    order the best features; else empty."""
    p, smallest = len(significance.q), significance.smallest
    if smallest * p > level:
        return f"p can be no smaller than {number(smallest)}. To find a single feature, use more shuffles"
    if int((significance.p <= smallest).sum()) > 1:
        return f"p can be no smaller than {number(smallest)}"
    return ""


def strictly(significance: object) -> str:
    """Number of features of which hardly any is by chance: the null level, in units that make features comparable."""
    found = counted(int((significance.family_wise <= FAMILY_WISE).sum()), "feature")
    return f"{found} at family-wise {percent(FAMILY_WISE)}: at most the probability of any false discovery"


def significance_text(significance: object, feature: int) -> str:
    """Numbers of a feature, and what they say, in a line."""
    z, p, q = significance.z[feature], significance.p[feature], significance.q[feature]
    if not np.isfinite(z):
        return "no z: shuffling the target cannot change the score"
    least = " (the smallest possible)" if p <= significance.smallest else ""
    down = int((significance.z >= z).sum())
    chance = f"among the {counted(down, 'feature')} down to here, about {share(q)} are expected to be false discoveries"
    own = f"; own_p = {number(significance.own_p[feature])}, by its own shuffles alone"
    own *= len(significance.q) < FEW  # which should not be judged by each other alone
    return f"z = {z:.2f}, p = {number(p)}{least}, q = {number(q)}: {chance if q < 1 else 'no evidence'}{own}"


def share(q: float) -> str:
    """A share in words."""
    return f"{100 * q:.2g} %" if q < 0.995 else "all"


MAX_LABELS = 8  # with their scores in a tooltip


def header_tip(scores) -> str:
    """Text about a column; scores: its `Scores`."""
    return scores.tooltip + f"<br>Dotted: {NULL_LABEL}, {scores.null_text}" * bool(scores.null_text)


def tooltip(model, feature: int) -> str:
    """All scores of a feature; model: the `RankingModel`."""
    lines = [f"<b>{escape(model.names[feature])}</b>"]
    for s, shares in zip(model.columns, model.shares, strict=False):
        score = f"{escape(s.title)}: {s.values[feature]:.6g}{s.error_text(feature)}"
        lines.append(f"{score}, rank {s.ranks[feature]:,} of {len(model.names):,}{s.k_text(feature)}")
        if s.significance is not None:
            lines.append(f"&nbsp; {significance_text(s.significance, feature)}")
            tests = s.significance.given_others
            conditional = "" if tests is None else conditional_text(tests, feature)
            if conditional:
                lines.append(f"&nbsp; {escape(conditional)}")
        if s.removed_after(feature):
            gone = f"removed after pass {s.removed_after(feature):,}"
            lines.append(f"&nbsp; {gone}: its score is only a place in the list")
        if shares is not None:
            share = f"among the best {model.top:,} in {100 * shares[feature]:.0f} % of {len(s.chances)} samples"
            lines.append(f"&nbsp; {share}")
        best = sorted(s.each, key=lambda each: -each[1][feature])
        lines += [f"&nbsp; {escape(label)}: {values[feature]:.4g}" for label, values in best[:MAX_LABELS]]
        lines += [f"&nbsp; and {len(best) - MAX_LABELS} more labels"] * (len(best) > MAX_LABELS)
    return "<br>".join([*lines, *filter(None, [escape(group_text(model, feature))])])


def group_text(model, feature: int) -> str:
    """The group of a feature in a table whose alike features are folded; empty without one."""
    first = feature if model.groups is None else int(model.groups[feature])
    if first != feature:
        return f"like {model.names[first]}"
    marker = model.marker(feature)
    return f"best of its group, alike features: {marker[1:]}" if marker else ""


def state(model, feature: int) -> str:
    """State of a feature, for those who do not see it."""
    selected = "selected" if model.selected[feature] else "not selected"
    return ", ".join(filter(None, [selected, group_text(model, feature)]))


def row_text(model, row: int) -> str:
    """Name and state of the feature in a row; empty without a row."""
    if not 0 <= row < len(model.rows):
        return ""
    return f"{model.names[model.rows[row]]}, {state(model, model.rows[row])}"


def lead_facts(model) -> list[tuple[str, str | None]]:
    """More facts about the leading score, for a report: titles and texts, None where it is not known."""
    if not model.columns:
        return []
    lead, share = model.columns[model.leading], model.mean_share()
    stable = None if share is None else f"{100 * share:.0f} % of the best {model.top:,} recur in other samples of rows"
    stop = None if lead.stop is None else f"after {lead.stop:,} features"
    tested = None if lead.significance is None else headline(lead.significance, lead.level)
    facts = (NULL_LABEL.capitalize(), lead.null_text or None), ("Stability", stable), ("Boosting stops", stop)
    adding = CONDITIONAL.capitalize(), adding_text(lead.significance, model.names)
    return [*facts, ("p-values", tested), adding]
