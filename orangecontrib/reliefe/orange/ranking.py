"""Rankings of the features of an Orange Table, their scores as a table, and checks of its values.

`conversion.on_table` makes a `TableRanking` of a ranking of arrays. Widgets and the command make tables of scores by
`scores_table`, and check tables before any work.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple, cast

import numpy as np
import scipy.sparse as sp
from Orange.data import ContinuousVariable, Domain, StringVariable, Table, Variable
from Orange.data.util import get_unique_names

from .. import core
from ..core.checks import whole
from ..core.data.transposed import are_features
from ..core.evaluation.stability import StableSelection
from ..core.pages.rendering import check_ending, write_text
from ..core.report.network import Edge
from ..core.report.page import N_GROUPED, N_VALUES, ReportData, ReportValues, page_text
from ..core.targets.description import describe_target
from ..core.words import infinite_as_missing, shown
from .report_values import row_groups, value_columns

FEATURE = "Feature"  # name of the meta with the names of features
FACT = "fact"  # attribute of numeric variables that are no scores, for example a position
# Attribute of numeric variables of which lower values are better, and its value
BETTER = "better"
LOWER = "lower"
# Titles of these variables, by which they are recognised in files that do not store attributes
LOWER_TITLES = (
    "p", "q", "own_p", "family_wise", "adds to the others", "adds: q", "adds: by neighbours", "adds: by line",
    "p-value", "q-value", "fdr", "position", "rank", "unadjusted rank",
)  # fmt: skip


def numeric(name: str, title: str | None = None) -> ContinuousVariable:
    """Make a variable for numbers, marked if lower values are better.

    Parameters
    ----------
    name : str
        Name of the variable.
    title : str, optional
        Title of the numbers, by which they are recognised. None: the name.
    """
    variable = ContinuousVariable(name)
    if _says_lower(title or name):
        variable.attributes[BETTER] = LOWER
    return variable


def lower_is_better(variable: Variable) -> bool:
    """Return True if lower values are better, by the attribute of the variable, or by its name without one."""
    better: object = variable.attributes.get(BETTER, LOWER if _says_lower(variable.name) else "")
    return better == LOWER


def _says_lower(title: str) -> bool:
    """True for titles of numbers of which lower values are better."""
    return title.casefold() in LOWER_TITLES


def scores_table(
    names: Sequence[str],
    columns: Mapping[str, np.ndarray],
    tests: Mapping[str, np.ndarray] | None = None,
    texts: Mapping[str, Sequence[str]] | None = None,
) -> Table:
    """Make a table of scores, with a row for each feature.

    Parameters
    ----------
    names : sequence of str
        Names of the p features.
    columns : mapping of str to (p,) array
        Scores by title, which become attributes.
    tests : mapping of str to (p,) array, optional
        Other numbers by title, for example p-values, which become metas.
    texts : mapping of str to sequence (p,), optional
        Texts by title, which become the last metas.

    Returns
    -------
    Table
        The table.
    """
    titles = [FEATURE]
    tests = tests or {}
    texts = texts or {}
    for title in (*columns, *tests, *texts):
        titles.append(get_unique_names(titles, title))
    first_test = 1 + len(columns)
    first_text = first_test + len(tests)
    variables = [ContinuousVariable(name) for name in titles[1:first_test]]
    metas: list[Variable] = [StringVariable(FEATURE)]
    metas += [numeric(name, title) for name, title in zip(titles[first_test:first_text], tests, strict=True)]
    metas += map(StringVariable, titles[first_text:])
    domain = Domain(variables, metas=metas)
    X = np.column_stack([np.asarray(scores, dtype=float) for scores in columns.values()] or [np.empty((len(names), 0))])
    meta_columns = [names, *tests.values(), *texts.values()]
    cells = np.empty((len(names), len(meta_columns)), dtype=object)
    for k, column in enumerate(meta_columns):
        cells[:, k] = column
    table = Table.from_numpy(domain, X, metas=cells)
    table.name = NAME_OF_SCORES
    return table


SOURCE = "ranked data"  # key in `Table.attributes` of a table of scores: name of the data that were ranked
NAME_OF_SCORES = "Feature scores"
MAX_NAMES = 10  # in a message
MAX_COMPARED = 10  # features that are compared, for each requested group
CODES_PER_BLOCK = 2**20  # codes that are checked at once: 8 MB


class InfiniteValues(RuntimeWarning):
    """Infinite values were read as missing, since Orange's tables do not hold any.

    Parameters
    ----------
    n : int
        Number of these values.
    """

    def __init__(self, n: int) -> None:
        super().__init__(infinite_as_missing(n))


def names_of(variables: Sequence[Variable]) -> str:
    """Names of the first variables, for messages."""
    names = [shown(variable.name) for variable in variables[:MAX_NAMES]]
    if len(variables) > MAX_NAMES:
        names.append("...")
    return ", ".join(names)


def rows_like_features(table: Table, row_names: Sequence[str] = (), has_target: bool = False) -> list[str]:
    """Return the names of rows if rows look like features and columns like samples, in a transposed table.

    Parameters
    ----------
    table : Table
        The table.
    row_names : sequence of str
        Names of the rows in their file, if the table has no texts. The first text has the names.
    has_target : bool
        True if a column was chosen as the target.

    Returns
    -------
    list of str
        Names of the rows; empty if they do not look like features.
    """
    domain = table.domain
    if any(v.is_discrete for v in domain.class_vars) or not all(v.is_continuous for v in domain.attributes):
        return []
    names = [v.name for v in domain.variables]
    texts = [v for v in domain.metas if v.is_string]
    rows = [str(value) for value in table.get_column(texts[0])] if texts else [*row_names]
    return rows if are_features(rows, names, has_target or bool(domain.class_vars)) else []


def check_codes(values: np.ndarray | sp.csr_matrix, variables: Sequence[Variable]) -> None:
    """Check the codes of categorical variables.

    Parameters
    ----------
    values : (n, v) array or CSR matrix
        Values of the variables; NaN is missing.
    variables : sequence of Variable
        The v variables.

    Raises
    ------
    ValueError
        If a code is none of those of its variable.
    """
    counts = np.array([len(variable.values) if variable.is_discrete else -1 for variable in variables])
    for codes, columns in _coded(values, counts >= 0):
        wrong = ~(np.isnan(codes) | ((codes >= 0) & (codes < counts[columns]) & (codes == np.floor(codes))))
        if wrong.any():
            column = np.broadcast_to(columns, codes.shape)[wrong][0]
            code = codes[wrong][0]
            name = shown(variables[column].name)
            count = counts[column]
            raise ValueError(f"{name} has the code {code:g}; the codes of its {count} values are 0 to {count - 1}")


def check_finite(values: np.ndarray | sp.csr_matrix, variables: Sequence[Variable]) -> None:
    """Check that the ranges of variables are finite. The core checks this, too, but it has no names.

    Parameters
    ----------
    values : (n, v) array or CSR matrix
        Values of the variables; NaN is missing.
    variables : sequence of Variable
        The v variables.

    Raises
    ------
    ValueError
        If a range is infinite; the message has the names of the variables.
    """
    if sp.issparse(values):
        low, high = (np.atleast_1d(f.reduce(values.data, initial=0)) for f in (np.fmin, np.fmax))
    else:
        low, high = (f.reduce(values, axis=0, initial=np.nan) for f in (np.fmin, np.fmax))
    with np.errstate(over="ignore", invalid="ignore"):
        is_infinite = (low <= high) & ~np.isfinite(high - low)
        if sp.issparse(values):  # the range is that of all variables
            if not is_infinite.any():
                return
            is_large = np.abs(values.data) > np.finfo(float).max / 2
            columns = cast("sp.csr_matrix", values).indices[is_large]
            is_infinite = np.bincount(columns, minlength=len(variables)) > 0
    if is_infinite.any():
        names = names_of([variables[j] for j in np.flatnonzero(is_infinite)])
        raise ValueError(f"infinite or far too large values in {names}: correct them, or leave the feature out")


class _Codes(NamedTuple):
    """A block of codes: (m, c) of dense values, (m,) of sparse ones, and the columns (c,) or (m,) they are in."""

    codes: np.ndarray
    columns: np.ndarray


def _coded(values: np.ndarray | sp.csr_matrix, is_coded: np.ndarray) -> Iterator[_Codes]:
    """Yield the codes in values (n, v) block by block; is_coded (v,) are the columns with codes."""
    columns = np.flatnonzero(is_coded)
    if sp.issparse(values) and len(columns):
        stored = cast("sp.csr_matrix", values)
        for start in range(0, stored.nnz, CODES_PER_BLOCK):
            block = slice(start, min(start + CODES_PER_BLOCK, stored.nnz))
            columns_of_block = stored.indices[block]
            in_block = is_coded[columns_of_block]
            yield _Codes(stored.data[block][in_block], columns_of_block[in_block])
    elif len(columns):
        step = max(CODES_PER_BLOCK // len(columns), 1)
        for start in range(0, len(values), step):
            yield _Codes(values[start : start + step, columns], columns)


@dataclass(frozen=True, kw_only=True, eq=False, repr=False)
class TableRanking(core.Ranking):
    """A ranking of the features of a table: the `Ranking` of the core, with the variables of the table.

    If `rank` had `feature_groups`, scores and names are those of groups, and numbers of features are numbers of groups.

    Attributes
    ----------
    table : Table
        The ranked table.
    features : tuple of Variable
        Its p features.
    targets : tuple of Variable
        Targets; empty without a target.
    labels : tuple of str
        Names of the targets that `per_target` has scores for.
    study : mapping of str to object
        Arguments covariates, groups and event_value of `rank`, as they were given; empty if they are not known.
    """

    table: Table
    features: tuple[Variable, ...]
    targets: tuple[Variable, ...]
    labels: tuple[str, ...]
    study: Mapping[str, Any] = field(default_factory=dict)

    def best(self, n: int, groups: bool = False) -> tuple[Variable, ...]:
        """Return the best features, the best first.

        Parameters
        ----------
        n : int
            Number of features, with those that are always selected; all if there are fewer.
        groups : bool
            Whether to return the best feature of each of the best n groups of correlated features instead. Features
            that the method `groups` does not compare are groups of one.

        Returns
        -------
        tuple of Variable
            The features.
        """
        if not groups:
            return tuple(self.features[j] for j in self.features_of(super().select(n)))
        names = self.groups()
        first_of_groups = [j for j in self.ranking if names[j] in ("", self.features[j].name)]
        selected = self.with_kept(np.array(first_of_groups, np.intp), whole("n", n, 0))
        return tuple(self.features[j] for j in selected)

    def select(self, n: int) -> Table:
        """Return the table with the features of `best(n)` only; class variables, metas and the target stay.

        Parameters
        ----------
        n : int
            Number of features.

        Returns
        -------
        Table
            The table.
        """
        domain = self.table.domain
        targets = set(self.targets)
        target_attributes = tuple(v for v in domain.attributes if v in targets)
        return self.table.transform(Domain(self.best(n) + target_attributes, domain.class_vars, domain.metas))

    def groups(self, n: int = 100) -> tuple[str, ...]:
        """Group correlated features.

        Features are compared from the best on by `core.alike_features`, n at a time, until there are n groups. At most
        10 n features are compared.

        Parameters
        ----------
        n : int
            Number of groups.

        Returns
        -------
        tuple of str
            Name of the best feature of the group of each feature; empty for features that are not in a group.

        Raises
        ------
        ValueError
            If the scores are those of groups of features already.
        """
        n = whole("n", n, 1)
        if self.ranks_groups:
            raise ValueError("groups of correlated features are of single features: rank without feature_groups")
        names = [""] * len(self.features)
        order = self.ranking[: MAX_COMPARED * n].tolist()
        first_of_groups: list[int] = []  # indices of features
        for start in range(0, len(order), n):
            compared = [*first_of_groups, *order[start : start + n]]
            features = [self.features[j] for j in compared]
            X = np.column_stack([self.table.get_column(feature).astype(float) for feature in features])
            first = core.alike_features(X, range(len(features)), [feature.is_discrete for feature in features])
            for k, first_of_group in enumerate(first):
                if k != first_of_group:
                    name = features[first_of_group].name
                    names[compared[k]] = name
                    names[compared[first_of_group]] = name
            first_of_groups = [compared[k] for k in np.unique(first)]
            if len(first_of_groups) >= n:
                break
        return tuple(names)

    def member_names(self, features: Sequence[str] = ()) -> list[list[str]]:
        """Name the features of each group as `core.Ranking` does; without names by those of the variables."""
        return super().member_names(features or [variable.name for variable in self.features])

    def explain(self, feature: Variable | str, **options: Any) -> core.Explanation:  # type: ignore[override]
        """Explain why a feature has its rank, as the function `explain` does.

        Parameters
        ----------
        feature : Variable or str
            One of the features.
        **options
            Further arguments of `explain`, for example methods to compare with. The study is remembered.

        Returns
        -------
        Explanation
            Its `sentences` are a report.

        Raises
        ------
        ValueError, TypeError
            As of `explain`.
        """
        from .partners import explain

        return explain(self, feature, **options)

    def report(  # type: ignore[override]
        self,
        path: str,
        *,
        script: str = "",
        network: core.Partners | None = None,
        explanations: Sequence[core.Explanation] | None = None,
        stability: StableSelection | None = None,
        facts: Mapping[str, Sequence[Any]] | None = None,
    ) -> None:
        """Write a report: one web page, without network access, that can be sent to a colleague.

        Parameters
        ----------
        path : str
            File to write, .html or .htm; an existing file is replaced.
        script, network, stability, facts
            As in `report_page`.
        explanations : sequence of Explanation, optional
            Reasons for ranks (`explain`), which stand beside the values. None: those of the ten best features.

        Raises
        ------
        ValueError
            If the name has another ending.
        """
        from .partners import explain_best

        check_ending(path)
        if explanations is None:
            explanations = explain_best(self, N_VALUES)
        page = self.report_page(
            script=script, network=network, explanations=explanations, stability=stability, facts=facts
        )
        write_text(page, path)

    def report_page(
        self,
        *,
        script: str = "",
        network: core.Partners | None = None,
        explanations: Sequence[core.Explanation] = (),
        stability: StableSelection | None = None,
        facts: Mapping[str, Sequence[Any]] | None = None,
        conclusion: str = "",
    ) -> str:
        """Return the report as the text of a web page.

        Parameters
        ----------
        script : str
            Lines of Python that rank again; empty: the page has none.
        network : Partners, optional
            Interacting features, whose indices are those of the features of this ranking.
        explanations : sequence of Explanation
            Reasons for the ranks of some features (`explain`), which stand beside their values.
        stability : StableSelection, optional
            How often halves of the rows select each feature (`core.evaluation.stability_selection`).
        facts : mapping of str to sequence (p,), optional
            Texts or numbers of the features by the title of their column, for example ranks without adjustment.
        conclusion : str
            Title of the page. Empty: that of this ranking.
        """
        features = [feature.name for feature in self.features]
        targets = [variable.name for variable in self.targets]
        report = ReportData(
            names=self.names or features,
            data=self.table.name if self.table.name != "untitled" else "",
            target=describe_target(targets, self.info["task"], self._class_names()),
            script=script,
            values=self.report_values(explanations),
            edges=None if network is None else [Edge(features[a], features[b], float(z)) for a, b, z in network.edges],
            stability=stability,
            features=features,
            facts=facts or {},
            conclusion=conclusion,
        )
        return page_text(self, report)

    def report_values(self, explanations: Sequence[core.Explanation] = ()) -> ReportValues:
        """Return values of the best features, groups of correlated ones, and these reasons, for a report."""
        columns = value_columns(
            self.table, [self.features[j] for j in self.features_of(self.noteworthy(N_VALUES))[:N_VALUES]]
        )
        rows = row_groups(self.table, self.targets, self.info["task"])
        correlated = () if self.ranks_groups else self.groups(N_GROUPED)
        reasons = {explanation.name: explanation.sentences for explanation in explanations}
        return ReportValues(columns, rows, correlated, reasons)

    def _class_names(self) -> Sequence[str]:
        """Names of the classes of a single target; none for other targets."""
        is_classes = len(self.targets) == 1 and self.targets[0].is_discrete
        return tuple(self.targets[0].values) if is_classes else ()

    def to_table(self, facts: Mapping[str, Sequence[float]] | None = None) -> Table:
        """Return a table with a row for each feature: its name and scores, and z, p and q if the ranking has them.

        Parameters
        ----------
        facts : mapping of str to sequence (p,), optional
            Further numbers by title, for example ranks without adjustment, as metas.

        Returns
        -------
        Table
            The table.
        """
        title = core.METHODS[self.method].title
        columns = {title: self.scores}
        if self.per_target is not None:
            for label, scores in zip(self.labels, self.per_target, strict=True):
                columns[f"{title} ({label})"] = scores
        tests = {} if self.significance is None else self.significance.columns
        texts = {} if self.significance is None else self.significance.text_columns
        numbers_of_facts = {title: np.asarray(numbers, float) for title, numbers in (facts or {}).items()}
        names = self.names or [feature.name for feature in self.features]
        return scores_table(names, columns, numbers_of_facts | tests, texts)
