"""Results of `rank`.

`Request.ranking` makes a `Ranking`. Its p-values are a `Significance` (chance.py), and its facts an `Info` (info.py).
"""

import os
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any, ClassVar, cast

import numpy as np

from .bar_chart import bar_chart
from .chance import Significance
from .checks import number, whole
from .conclusion import LEVEL, Aim, conclude
from .figures import SCORES, Drawn, caption, draw
from .files import replacing
from .info import Info
from .methods.registry import METHODS
from .pages.feature_table import CONDITIONAL, CONDITIONAL_Q, feature_table
from .pages.notebook import notebook_table
from .ranked_data import RankedData
from .reasons import Explanation
from .score_files import SEPARATORS, write_scores
from .targets.tasks import CLASSIFICATION, TASKS_WITHOUT_NAMES, UNSUPERVISED
from .words import FEATURE, GROUP, counted, item_name, shortened, some

if TYPE_CHECKING:
    import pandas
    from matplotlib.axes import Axes

MAX_BARS = 20  # features that a notebook shows; chosen by eye


class HigherWork:
    """Work on a ranking by files above this one, which rank again and so import `Ranking`.

    `core/__init__.py` sets it, so that methods of `Ranking` reach it without an import upwards.

    Attributes
    ----------
    explain : callable
        `core.explain`.
    write_report : callable
        `core.write_report`.
    """

    explain: ClassVar[Callable[..., Explanation]]
    write_report: ClassVar[Callable[..., None]]


def tested_order(scores: np.ndarray, z: np.ndarray) -> np.ndarray:
    """Order (p,) items by z of their tests (p,), the largest first; those of equal z by their scores (p,)."""
    return np.asarray(np.lexsort((-scores, -z)))


class NotebookDrawing(str):
    """Text of an SVG, which a notebook shows as a picture."""

    _repr_svg_ = str.__str__


@dataclass(frozen=True, eq=False, repr=False)
class Ranking:
    """Ranking of p features.

    Attributes
    ----------
    scores : (p,) float64 array
        Scores of the features; higher is better, never NaN.
    method : str
        Name of the method.
    parameters : dict
        All parameters of the method, as plain literals.
    info : dict
        Facts on the data and the computation, as plain literals.
    per_target : (t, p) float64 array, optional
        Scores for each of several targets.
    names : tuple of str, optional
        Names of the features, if the data have names.
    targets : tuple of str, optional
        Names of several targets.
    order : (p,) int array, optional
        Indices of the features in the order in which a wrapper removed them, the worst first.
    significance : Significance, optional
        z, p-values and false discovery rates, if the call asked for them.
    feature_names : tuple of str, optional
        Names of the single features, if the data have names and `names` are those of groups of features.
    source : RankedData, optional
        Data of the ranking, if X is a data frame.
    """

    scores: np.ndarray
    method: str
    parameters: dict[str, object] = field(default_factory=dict)
    info: Info = field(default_factory=dict)
    per_target: np.ndarray | None = None
    names: tuple[str, ...] | None = None
    targets: tuple[str, ...] | None = None
    order: np.ndarray | None = None
    significance: Significance | None = None
    feature_names: tuple[str, ...] | None = None
    source: RankedData | None = None

    def __repr__(self) -> str:
        p = len(self.scores)
        names = [shortened(name) for name in self._names_of(self.ranking[:3])]
        if p > len(names):
            names.append("...")
        rows = f"{counted(self.info['rows'], 'row')}, " if "rows" in self.info else ""
        return f"{type(self).__name__}({self._drawn().title}, {rows}{counted(p, self.noun)}: {', '.join(names)})"

    def _repr_html_(self) -> str:
        """Table of the best features, for notebooks: that of a report, without its script."""
        best = self.ranking[:MAX_BARS]
        further: dict[str, Any] = dict(self.test_columns)
        if self.ranks_groups:
            further = {"features": [some(names) for names in self.member_names()], **further}
        summary = self.info.get("summary")
        made_by = f"{self.title}: {summary}" if summary else self.title
        notes = [made_by, *self.info.get("warnings", ())]
        table = feature_table(self._drawn().names, self.scores, best, further, self.noun)
        discovered = [] if self.significance is None else (self.significance.q[best] <= LEVEL).tolist()
        return notebook_table(self.conclusion, table, discovered, len(self.scores) - len(best), self.noun, notes)

    def _names_of(self, items: np.ndarray) -> list[str]:
        """Names of items by their indices, or these indices in words."""
        return [item_name(j, self.names, self.noun) for j in items.tolist()]

    @property
    def title(self) -> str:
        """Title of the method; its name where the registry does not have it."""
        method = METHODS.get(self.method)
        return method.title if method else self.method

    @property
    def aim(self) -> Aim:
        """Target and covariates, for which items were ranked."""
        info = self.info
        return Aim(
            task=info.get("task", UNSUPERVISED),
            names=info.get("target", ()),
            classes=info.get("class_names", ()),
            n_labels=info.get("labels", 0),
            covariates=info.get("adjusted_for", ()),
        )

    def with_target(self, names: Sequence[str], classes: Sequence[str] = ()) -> "Ranking":
        """Return this ranking with the names of its target, which callers of `rank` with bare arrays know.

        Parameters
        ----------
        names : sequence of str
            Names of the targets.
        classes : sequence of str
            Names of the classes, of a single target of classes.
        """
        task = self.info["task"]
        target_names = {"target": [*names]} if names and task not in TASKS_WITHOUT_NAMES else {}
        of_classes = {"class_names": [*classes]} if task == CLASSIFICATION and classes else {}
        return replace(self, info={**self.info, **target_names, **of_classes})

    @property
    def conclusion(self) -> str:
        """First sentence on this ranking: the target, the number of items that stand out, and how sure that is."""
        return conclude(self.aim, len(self.scores), self.noun, significance=self.significance)

    @property
    def test_columns(self) -> dict[str, np.ndarray]:
        """Columns (p,) of tests by their titles, as tables show them: p, q, conditional ones, and kinds.

        They are empty without p-values. Whether conditional p-values are valid is said where some are not.
        """
        tested = self.significance
        if tested is None:
            return {}
        columns = {"p": tested.p, "q": tested.q}
        if tested.counts_own_p:
            columns["own_p"] = tested.own_p
        tests = tested.given_others
        if tests is not None:
            columns |= {title: tested.conditional_columns[title] for title in (CONDITIONAL, CONDITIONAL_Q)}
            if not tests.valid.all():
                columns |= {title: np.array(texts, object) for title, texts in tested.text_columns.items()}
        if tested.kind is not None:
            columns["kind"] = tested.kind
        return columns

    @property
    def ranking(self) -> np.ndarray:
        """Indices (p,) of the features, the best first; of equal ones the lower index comes first.

        Features are ordered by their scores. Scores of groups vary more by chance if a group has few features. So
        groups with p-values are ordered by z, and by their scores where z is equal.
        """
        if self.significance is None or not self.ranks_groups:
            return self.score_order
        return tested_order(self.scores, self.significance.z)

    @property
    def score_order(self) -> np.ndarray:
        """Indices (p,) of the features by their scores, whatever `ranking` goes by; the largest comes first."""
        return np.argsort(-self.scores, kind="stable")

    @property
    def kept(self) -> np.ndarray:
        """Indices of the features that are always selected, `keep` of `rank`."""
        return np.array(self.info.get("kept", []), np.intp)

    def best(self, n: int) -> tuple[Any, ...]:
        """Names of the features of `select`, the best first, or their indices if the data have no names.

        Parameters
        ----------
        n : int
            Number of features.

        Returns
        -------
        tuple
            Names or indices.
        """
        best = self.best_items(n).tolist()
        return tuple(self.names[j] for j in best) if self.names else tuple(best)

    def to_frame(self) -> "pandas.DataFrame":
        """All features as a DataFrame, the best first, with their positions from 1 as index.

        Returns
        -------
        DataFrame
            Name or index, score, scores by target, and tests if there are any.
        """
        import pandas

        frame = pandas.DataFrame(self._columns()).iloc[self.ranking]
        return frame.set_axis(pandas.RangeIndex(1, len(frame) + 1, name="rank"))

    def plot(
        self,
        n: int = MAX_BARS,
        *,
        kind: str = "scores",
        other: "Ranking | None" = None,
        ax: "Axes | None" = None,
    ) -> Any:
        """Draw a figure by matplotlib; without it, scores are SVG for a notebook.

        `core.save_figure` writes the figure to a file for a paper.

        Parameters
        ----------
        n : int
            Number of features with bars in a figure of scores.
        kind : str
            "scores": bars of the best scores. "p-values": -log10 p over the score. "quantiles": p-values over those
            expected without relevant features. "comparison": ranks in another ranking over ranks in this one.
        other : Ranking, optional
            The other ranking of a comparison, of the same features.
        ax : Axes, optional
            Axes of matplotlib to draw on. None: in a new figure.

        Returns
        -------
        Axes or str
            Axes of matplotlib, or the text of the SVG.

        Raises
        ------
        ValueError
            For an unknown kind, without p-values that the kind needs, or without another ranking of the same features.
        ImportError
            Without matplotlib, for kinds other than scores.
        """
        best = self.best_items(n)
        if kind == SCORES and find_spec("matplotlib") is None:
            return NotebookDrawing(self._picture(n))
        return draw(kind, self._drawn(), None if other is None else other._drawn(), best, ax)

    def caption(self, kind: str = "scores", *, other: "Ranking | None" = None) -> str:
        """Write the caption of a figure of `plot`.

        Parameters
        ----------
        kind, other
            As in `plot`.

        Returns
        -------
        str
            One to three sentences.

        Raises
        ------
        ValueError
            As `plot`.
        """
        return caption(kind, self._drawn(), None if other is None else other._drawn())

    def explain(self, feature: int | str, X: object = None, y: object = None, **options: Any) -> Explanation:
        """Explain why a feature has its rank, as `core.explain` does.

        Parameters
        ----------
        feature : int or str
            Index or name of the feature.
        X, y
            Data of this ranking. None: the data frame that was ranked; arrays are not kept.
        **options
            Further arguments of `core.explain`, and of `rank` for this ranking. A ranking of a data frame remembers
            those of `rank`.

        Returns
        -------
        Explanation
            Its `sentences` are a report.

        Raises
        ------
        TypeError, ValueError
            Without X, and as of `core.explain`.
        """
        source = self.ranked_data
        if X is None and source is None:
            raise ValueError("a ranking of arrays does not keep them: call ranking.explain(feature, X, y)")
        if source is not None:
            if X is None:
                X, y, _ = source.features_and_target
            options = {**source.options_beside_target, **options}
        return HigherWork.explain(self, feature, X, y, **options)

    def report(self, path: str | os.PathLike[str], X: object = None, y: object = None, **options: Any) -> None:
        """Write a report, a web page for a colleague, as `core.write_report` does with these arguments.

        Without X it has the values of the data frame that was ranked; arrays are not kept. A ranking of a data frame
        remembers the arguments of `rank`.
        """
        source = self.ranked_data
        if source is not None:
            if X is None:
                X, y, _ = source.features_and_target
            options = {**source.options_beside_target, **options}
        HigherWork.write_report(self, path, X, y, **options)

    @property
    def ranked_data(self) -> RankedData | None:
        """Data by which features are explained and reported. None: they are not kept."""
        return self.source

    def save(self, path: str | os.PathLike[str], n: int | None = None) -> None:
        """Write the best features to a file.

        Parameters
        ----------
        path : str or PathLike
            File to write. Its ending is .csv or .tsv for scores and tests, .svg for a figure of the scores, .html for
            the report, which has all features.
        n : int, optional
            Number of features, as in `select`. None: all; of a figure as many as `plot` shows.

        Raises
        ------
        ValueError
            If the path has another ending.
        """
        name = os.fspath(path)
        ending = os.path.splitext(name)[1].lower()
        if ending in SEPARATORS:
            write_scores(name, SEPARATORS[ending], self._columns(), self._ranks_of_best(n))
        elif ending == ".svg":
            with replacing(name) as new_path, open(new_path, "w", encoding="utf-8") as file:
                file.write(self._picture(MAX_BARS if n is None else n))
        elif ending in (".html", ".htm"):
            self.report(name)
        else:
            *endings, last = self.endings
            raise ValueError(f"cannot write {name!r}: the name must end in {', '.join(endings)} or {last}")

    @property
    def endings(self) -> tuple[str, ...]:
        """Endings of the files that `save` writes."""
        return *SEPARATORS, ".svg", ".html"

    @property
    def target_labels(self) -> Sequence[str]:
        """Names of the targets that `per_target` has scores for, or their numbers; empty for a single target."""
        if self.per_target is None:
            return ()
        return self.targets or [*map(str, range(len(self.per_target)))]

    def _item_columns(self) -> dict[str, Any]:
        """Columns (p,) that say which item has a score, by their titles."""
        return {self.noun: self.names or range(len(self.scores))}

    def _columns(self) -> dict[str, Any]:
        """Columns (p,) of `to_frame` and of files, by their titles."""
        columns = {**self._item_columns(), "score": self.scores}
        if self.per_target is not None:
            labels = self.target_labels
            columns |= {f"score ({label})": row for label, row in zip(labels, self.per_target, strict=True)}
        if self.significance is not None:
            columns |= self.significance.columns
            columns |= {title: np.array(texts, object) for title, texts in self.significance.text_columns.items()}
            kind = self.significance.kind
            if kind is not None:
                columns["kind"] = kind
        return columns

    def _ranks_of_best(self, n: int | None) -> dict[int, int]:
        """Rank, from 1, of each of the n best items by its index, in their order. None: all."""
        rank_of = {item: rank for rank, item in enumerate(self.ranking.tolist(), start=1)}
        return rank_of if n is None else {item: rank_of[item] for item in self.best_items(n).tolist()}

    def _picture(self, n: int) -> str:
        """Bars of the scores of the n best items, as the text of an SVG."""
        best = self.best_items(n)
        return bar_chart(self._drawn().title, [], self._names_of(best), self.scores[best])

    def _drawn(self) -> Drawn:
        """Return the parts of this ranking that figures show."""
        p = len(self.scores)
        names = self._names_of(np.arange(p))
        purpose = self.aim.purpose if "task" in self.info else ""
        drawn = Drawn(self.title, purpose, self.noun, self.info.get("rows", 0), names, self.scores, self.ranking)
        tested = self.significance
        if tested is None:
            return drawn
        return replace(drawn, p_values=tested.p, q_values=tested.q, n_shuffles=tested.n_shuffles)

    def select(self, n: int) -> Any:
        """Select the best features, with those that are always selected.

        A ranking of arrays has their indices; one of a table or of genotypes has these with the best columns only.

        Parameters
        ----------
        n : int
            Number of features. If more are always selected, all of these are.

        Returns
        -------
        int array, Table or Genotypes
            The best features.
        """
        return self.best_items(n)

    def best_items(self, n: int) -> np.ndarray:
        """Find the best items that have scores, with those that are always selected.

        Parameters
        ----------
        n : int
            Number of items. If more are always selected, all of these are.

        Returns
        -------
        int array
            Indices of the items, the best first.
        """
        return self.with_kept(self.ranking, max(whole("n", n), 0))

    def noteworthy(self, n: int) -> np.ndarray:
        """Select the items that a report describes: discoveries first, then the best remaining ones.

        Parameters
        ----------
        n : int
            Number of items.

        Returns
        -------
        int array
            Indices of the items, by score among the discoveries, and then among the remaining ones.
        """
        order = self.ranking
        if self.significance is None:
            return order[:n]
        is_discovered = self.significance.q[order] <= LEVEL
        discovered_first: np.ndarray = np.concatenate([order[is_discovered], order[~is_discovered]])
        return discovered_first[:n]

    @property
    def n_features(self) -> int:
        """Number of the features: more than of the scores, if several features have one, see `features_of`."""
        members = self.info.get("members")
        return len(self.scores) if members is None else sum(map(len, members))

    @property
    def ranks_groups(self) -> bool:
        """True if several features have one score."""
        return len(self.scores) < self.n_features

    @property
    def noun(self) -> str:
        """Word for the items that have scores: feature or group."""
        return GROUP if self.ranks_groups else FEATURE

    def features_of(self, items: "np.ndarray | Sequence[int]") -> np.ndarray:
        """Return the features of items of this ranking, which are groups of features if `rank` had `feature_groups`.

        Parameters
        ----------
        items : sequence of int
            Indices of scores, for example those of `select`.

        Returns
        -------
        int array
            Indices of features, item by item. Without groups these are the items.
        """
        members = self.info.get("members")
        if members is None:
            return np.array(items, np.intp)
        return np.array([feature for item in items for feature in members[item]], np.intp)

    def member_names(self, features: Sequence[str] = ()) -> list[list[str]]:
        """Name the features of each group.

        Parameters
        ----------
        features : sequence of str
            Names of the single features. Empty: `feature_names`, or else they are numbered.

        Returns
        -------
        list of list of str
            Names for each group; none for a feature that is alone.
        """
        names = features or self.feature_names or [item_name(j) for j in range(self.n_features)]
        return [[names[j] for j in group] if len(group) > 1 else [] for group in self.info["members"]]

    def spread_out(self, values: np.ndarray) -> np.ndarray:
        """Return values of features from those of the items of this ranking, see `features_of`.

        Parameters
        ----------
        values : array
            A value for each score.

        Returns
        -------
        (p,) array
            A value for each feature: that of its group, if `rank` had `feature_groups`.
        """
        members = self.info.get("members")
        if members is None:
            return values
        spread = np.empty(self.n_features, values.dtype)
        for value, features in zip(values, members, strict=True):
            spread[features] = value
        return spread

    def with_kept(self, order: np.ndarray, n: int) -> np.ndarray:
        """Select the first features of an order, with those that are always selected.

        Parameters
        ----------
        order : int array
            Indices of features.
        n : int
            Number of features, with those that are always selected.

        Returns
        -------
        int array
            Indices of the features, the best first.
        """
        always = self.kept
        if not len(always):
            return order[:n]
        is_selected = np.zeros(len(self.scores), bool)
        is_selected[always] = True
        not_always = order[~is_selected[order]]
        is_selected[not_always[: max(n - len(always), 0)]] = True
        return cast("np.ndarray", self.ranking[is_selected[self.ranking]])

    def above(self, threshold: float) -> np.ndarray:
        """Select the features whose score reaches a threshold, and those that are always selected.

        Parameters
        ----------
        threshold : float
            Smallest score, for example `tau_max`.

        Returns
        -------
        int array
            Indices of the features, the best first.
        """
        is_selected = self.scores >= number("threshold", threshold)
        is_selected[self.kept] = True
        order = self.ranking
        return cast("np.ndarray", order[is_selected[order]])
