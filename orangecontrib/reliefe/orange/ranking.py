"""Scores of features as a table of Orange."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import cast

import numpy as np
import scipy.sparse as sp
from Orange.data import ContinuousVariable, Domain, StringVariable, Table, Variable
from Orange.data.util import get_unique_names

from .. import core
from ..core.checks import whole
from ..core.report.network import Edge
from ..core.report.page import N_GROUPED, N_VALUES, ReportData, ReportValues, check_ending, write_page
from ..core.targets.description import describe_target
from ..core.words import infinite_as_missing, shown
from .report_values import row_groups, value_columns

FEATURE = "Feature"  # the meta that holds the names
FACT = "fact"  # attribute of a numeric variable that says something else than a score, such as a position
BETTER, LOWER = "better", "lower"  # attribute of a numeric variable of which lower values are better, and its value
LOWER_TITLES = (  # what such variables are called
    "p", "q", "own_p", "family_wise", "p-value", "q-value", "fdr", "position", "rank",
)  # fmt: skip
POSITION_IN = "Position in "  # so begin the titles of positions in lists that were kept


def numeric(name: str, title: str | None = None) -> ContinuousVariable:
    """A variable for numbers with a title, which is its name unless that was taken; marked if lower is better."""
    variable = ContinuousVariable(name)
    if _says_lower(title or name):
        variable.attributes[BETTER] = LOWER
    return variable


def lower_is_better(variable: Variable) -> bool:
    """True if lower values are better; the name decides for a variable that lost its mark in a file."""
    better: object = variable.attributes.get(BETTER, LOWER if _says_lower(variable.name) else "")
    return better == LOWER


def _says_lower(title: str) -> bool:
    return title.casefold() in LOWER_TITLES or title.startswith(POSITION_IN)


def scores_table(
    names: Sequence[str], columns: Mapping[str, np.ndarray], tests: Mapping[str, np.ndarray] | None = None
) -> Table:
    """Scores as a table."""
    titles = [FEATURE]
    for title in (*columns, *(tests or {})):
        titles.append(get_unique_names(titles, title))
    variables = [ContinuousVariable(name) for name in titles[1 : len(columns) + 1]]
    variables += [numeric(name, title) for name, title in zip(titles[len(columns) + 1 :], tests or (), strict=True)]
    domain = Domain(variables[: len(columns)], metas=[StringVariable(FEATURE), *variables[len(columns) :]])
    X = np.column_stack([np.asarray(scores, dtype=float) for scores in columns.values()] or [np.empty((len(names), 0))])
    metas = np.column_stack([np.array(names, dtype=object), *(tests or {}).values()])
    table = Table.from_numpy(domain, X, metas=metas)
    table.name = "Feature scores"
    return table


NAMES_SHOWN = 10
MOST_COMPARED = 10  # features for each group that is looked for
FAR_MORE = 10  # columns for each row: then rows are not features
FEATURE_ID = re.compile(r"(ENS|NM_|ILMN_|OTU|ASV|cg|rs)\w*\d|\w+_at$")
SAMPLE_ID = re.compile(r"TCGA-\w\w-\w{4}|[ACGT]{8,}(-\d+)?$|(GSM|[SED]RR|SAM[NED]|HG|NA)\w*\d")
CODES_PER_BLOCK = 1 << 20  # codes that are checked at once


class InfiniteValues(RuntimeWarning):
    """Infinite values, so many, were read as missing: Orange's tables hold none."""

    def __init__(self, n: int) -> None:
        super().__init__(infinite_as_missing(n))


def names_of(variables: Sequence[Variable]) -> str:
    """Names of the first variables, for messages."""
    names = [shown(variable.name) for variable in variables[: NAMES_SHOWN + 1]]
    return ", ".join([*names[:NAMES_SHOWN], *(["..."] if len(names) > NAMES_SHOWN else [])])


def rows_like_features(table: Table, row_names: Sequence[str] = ()) -> list[str]:
    """Names of the rows where these look like features, and the columns like samples; else none.

    row_names: names that the rows had in their file beside the columns; the default is to take the only meta.
    """
    domain = table.domain
    names = [v.name for v in domain.attributes]
    if domain.class_vars or not all(v.is_continuous for v in domain.attributes) or len(names) > FAR_MORE * len(table):
        return []
    if len(domain.metas) == 1 and domain.metas[0].is_string:
        rows = [str(value) for value in table.get_column(domain.metas[0])]
    else:
        rows = [] if domain.metas else [*row_names]
    if not rows or "" in rows or len({*rows}) < len(rows) or not _name_samples(names):
        return []
    return [] if _numbered(rows) and not FEATURE_ID.match(rows[0]) else rows


def _name_samples(names: Sequence[str]) -> bool:
    """True of names with numbers, and of barcodes of patients (TCGA) and cells."""
    return _numbered(names) or (len(names) > 1 and all(map(SAMPLE_ID.match, names)))


def _numbered(names: Sequence[str]) -> bool:
    """True of names such as sample_1, sample_2, control_1, control_2."""
    stems = {re.sub(r"\d+", "", name) for name in names}
    return 2 * len(stems) <= len(names) and all(re.search(r"\d", name) for name in names)


def check_codes(values: np.ndarray | sp.csr_matrix, variables: Sequence[Variable]) -> None:
    """Raises ValueError for codes in values (n, v) that are none of their variable's, NaN aside."""
    counts = np.array([len(variable.values) if variable.is_discrete else -1 for variable in variables])
    for codes, columns in _coded(values, counts >= 0):
        wrong = ~(np.isnan(codes) | ((codes >= 0) & (codes < counts[columns]) & (codes == np.floor(codes))))
        if wrong.any():
            column, code = np.broadcast_to(columns, codes.shape)[wrong][0], codes[wrong][0]
            name, known = shown(variables[column].name), counts[column]
            raise ValueError(f"{name} has the code {code:g}; the codes of its {known} values are 0 to {known - 1}")


def check_finite(values: np.ndarray | sp.csr_matrix, variables: Sequence[Variable]) -> None:
    """Raises ValueError with the names of variables whose values (n, v) have no finite range, NaN aside.

    The core would say the same, but it knows indices only.
    """
    if sp.issparse(values):
        low, high = (np.atleast_1d(f.reduce(values.data, initial=0)) for f in (np.fmin, np.fmax))
    else:
        low, high = (f.reduce(values, axis=0, initial=np.nan) for f in (np.fmin, np.fmax))
    with np.errstate(over="ignore", invalid="ignore"):
        endless = (low <= high) & ~np.isfinite(high - low)
        if sp.issparse(values):
            if not endless.any():
                return
            large = np.abs(values.data) > np.finfo(float).max / 2
            endless = np.bincount(cast("sp.csr_matrix", values).indices[large], minlength=len(variables)) > 0
    if endless.any():
        names = names_of([variables[j] for j in np.flatnonzero(endless)])
        raise ValueError(f"infinite or far too large values in {names}: correct them, or leave the feature out")


def _coded(values: np.ndarray | sp.csr_matrix, coded: np.ndarray) -> Iterator[tuple[np.ndarray, np.ndarray]]:
    """Codes, some at a time, and their columns: of values (n, v) in the columns of the mask coded (v,)."""
    columns = np.flatnonzero(coded)
    if sp.issparse(values) and len(columns):
        stored = cast("sp.csr_matrix", values)
        for start in range(0, stored.nnz, CODES_PER_BLOCK):
            own = stored.indices[start : min(start + CODES_PER_BLOCK, stored.nnz)]
            kept = coded[own]
            yield stored.data[start : start + len(own)][kept], own[kept]
    elif len(columns):
        step = max(CODES_PER_BLOCK // len(columns), 1)
        for start in range(0, len(values), step):
            yield values[start : start + step, columns], columns


@dataclass(frozen=True, kw_only=True, eq=False, repr=False)
class TableRanking(core.Ranking):
    """A ranking of the features of a table: core's `Ranking` with the table's variables.

    table: the ranked table.
    features: its p features.
    targets: targets of the ranking; () without a target.
    labels: names of the targets that have scores of their own.
    """

    table: Table
    features: tuple[Variable, ...]
    targets: tuple[Variable, ...]
    labels: tuple[str, ...]  # names of the targets that have scores of their own

    def best(self, n: int, groups: bool = False) -> tuple[Variable, ...]:
        """Return the best n features, the best first; all if there are fewer.  Those that are always kept count, too.

        With groups=True, return the best feature of each of the best n groups of alike features.  Features that
        `groups` does not compare are alone.
        """
        if not groups:
            return tuple(self.features[j] for j in super().select(n))
        names = self.groups()
        first = np.array([j for j in self.ranking if names[j] in ("", self.features[j].name)], np.intp)
        return tuple(self.features[j] for j in self.with_kept(first, whole("n", n, 0)))

    def select(self, n: int) -> Table:
        """Return the table with the features of `best(n)` alone; class variables, metas and the target stay."""
        domain = self.table.domain
        targets = set(self.targets)
        kept = tuple(v for v in domain.attributes if v in targets)
        return self.table.transform(Domain(self.best(n) + kept, domain.class_vars, domain.metas))

    def groups(self, n: int = 100) -> tuple[str, ...]:
        """Return for each feature the name of the best feature of its group of alike ones; empty if it is alone.

        Features are compared from the best on by `core.alike_features`, n at a time, until there are n groups. At most
        10 n features are compared.
        """
        n, names = whole("n", n, 1), [""] * len(self.features)
        order = self.ranking[: MOST_COMPARED * n].tolist()
        found: list[int] = []
        for start in range(0, len(order), n):
            compared = [*found, *order[start : start + n]]
            features = [self.features[j] for j in compared]
            X = np.column_stack([self.table.get_column(feature).astype(float) for feature in features])
            first = core.alike_features(X, range(len(features)), [feature.is_discrete for feature in features])
            for place, other in enumerate(first):
                if place != other:
                    names[compared[place]] = names[compared[other]] = features[other].name
            found = [compared[place] for place in np.unique(first)]
            if len(found) >= n:
                break
        return tuple(names)

    def report(self, path: str, *, script: str = "", network: core.Partners | None = None) -> None:
        """Write a report: one web page, without network access, that can be sent to a colleague.

        Parameters
        ----------
        path : str
            File to write, .html or .htm; an existing file is replaced.
        script : str
            Lines of Python that rank again; empty: the page has none.
        network : Partners, optional
            Interacting features, whose indices are those of the features of this ranking.

        Raises
        ------
        ValueError
            If the name has another ending.
        """
        check_ending(path)
        names = [feature.name for feature in self.features]
        edges = [] if network is None else [Edge(names[a], names[b], float(z)) for a, b, z in network.edges]
        target = describe_target([variable.name for variable in self.targets], self.info["task"], self._class_names())
        data = self.table.name if self.table.name != "untitled" else ""
        write_page(self, ReportData(names, data, target, (), script, self.report_values(), edges), path)

    def report_values(self, n: int = N_VALUES) -> ReportValues:
        """Return the values of the best n features, and groups of correlated features, for a report."""
        columns = value_columns(self.table, [self.features[j] for j in self.ranking[:n]])
        return ReportValues(columns, row_groups(self.table, self.targets, self.info["task"]), self.groups(N_GROUPED))

    def _class_names(self) -> Sequence[str]:
        """Names of the classes of a single target; none for other targets."""
        is_classes = len(self.targets) == 1 and self.targets[0].is_discrete
        return tuple(self.targets[0].values) if is_classes else ()

    def to_table(self) -> Table:
        """Return a row for each feature, with its name and scores, and with z, p and q if they were asked for."""
        title = core.METHODS[self.method].title
        columns = {title: self.scores}
        if self.per_target is not None:
            columns |= {f"{title} ({name})": s for name, s in zip(self.labels, self.per_target, strict=True)}
        tests = {} if self.significance is None else self.significance.columns
        return scores_table([feature.name for feature in self.features], columns, tests)
