"""Several rankings of the same features as one web page: their ranks side by side, and how far they agree.

`write_comparison` takes rankings of arrays. Ranking Comparison calls `write_comparison_page`.
"""

import os
from collections.abc import Sequence
from itertools import combinations
from typing import NamedTuple

import numpy as np

from ..evaluation.agreement import overlap, spearman
from ..pages.feature_table import NUMBER, SCORE_DIGITS, TEXT, TableColumn, table_column
from ..pages.rendering import check_ending, render_page, write_text
from ..result import Ranking
from .charts import rank_chart
from .page import feature_names
from .wording import versions

N_BEST = 10  # features of the overlap
MAX_CHARTS = 6  # pairs of rankings that are drawn; chosen by eye


class ComparedScores(NamedTuple):
    """Scores of the same features by several rankings.

    Attributes
    ----------
    names : sequence of str
        Names of the p features.
    titles : sequence of str
        Titles of the t rankings, all different.
    scores : (t, p) float array
        Finite scores, higher is better.
    data : str
        Name of the data; empty: not shown.
    """

    names: Sequence[str]
    titles: Sequence[str]
    scores: np.ndarray
    data: str = ""


def write_comparison(rankings: Sequence[Ranking], path: str | os.PathLike[str], *, data: str = "") -> None:
    """Write a comparison of rankings: one web page that opens without network access.

    A table has the ranks and scores of all features in all rankings, by their mean rank at first. The agreement of
    every two rankings follows, and charts of their ranks.

    Parameters
    ----------
    rankings : sequence of Ranking
        Two rankings or more, of the same features.
    path : str or PathLike
        File to write, .html or .htm; an existing file is replaced.
    data : str
        Name of the data on the page.

    Raises
    ------
    TypeError
        If one of them is no ranking.
    ValueError
        For fewer than two rankings, rankings of different features, or a name with another ending.
    """
    for ranking in rankings:
        if not isinstance(ranking, Ranking):
            raise TypeError(f"rankings must be results of rank, not {type(ranking).__name__}")
    if len(rankings) < 2:
        raise ValueError("a comparison needs two rankings or more")
    check_ending(path)
    names = feature_names(rankings[0])
    if any(feature_names(ranking) != names for ranking in rankings):
        raise ValueError("a comparison needs rankings of the same features")
    scores = np.array([ranking.scores for ranking in rankings])
    titles = _different([ranking.title for ranking in rankings])
    write_comparison_page(ComparedScores(names, titles, scores, data), path)


def write_comparison_page(compared: ComparedScores, path: str | os.PathLike[str]) -> None:
    """Fill the template and write the page; raises OSError of the writing."""
    ranks = _ranks(compared.scores)
    n_best = min(N_BEST, len(compared.names))
    facts = {"Data": compared.data, "Features": f"{len(compared.names):,}", "Rankings": ", ".join(compared.titles)}
    title = "Comparison of rankings"
    text = render_page(
        "comparison.html",
        f"{title}: {compared.data}" if compared.data else title,
        {name: fact for name, fact in facts.items() if fact},
        _table(compared, ranks),
        rankings=compared.titles,
        n_best=n_best,
        agreement=_agreement(compared, n_best),
        charts=_charts(compared, ranks),
        versions=versions(),
    )
    write_text(text, path)


def _different(titles: Sequence[str]) -> list[str]:
    """Titles with numbers where several are equal."""
    return [
        f"{title} ({titles[: index + 1].count(title)})" if titles.count(title) > 1 else title
        for index, title in enumerate(titles)
    ]


def _ranks(scores: np.ndarray) -> np.ndarray:
    """Ranks (t, p) from 1; of equal scores the lower index comes first."""
    orders = np.argsort(-scores, axis=1, kind="stable")
    ranks = np.empty(scores.shape, np.intp)
    np.put_along_axis(ranks, orders, np.arange(1, scores.shape[1] + 1)[None], axis=1)
    return ranks


def _table(compared: ComparedScores, ranks: np.ndarray) -> list[TableColumn]:
    """Columns of the table of features, the best mean rank first."""
    means = ranks.mean(axis=0)
    order = np.argsort(means, kind="stable")
    columns = [
        table_column("mean rank", NUMBER, means[order], "mean of the ranks, 1 is best", SCORE_DIGITS),
        table_column("feature", TEXT, [compared.names[j] for j in order]),
    ]
    for title, of_ranking in zip(compared.titles, ranks, strict=True):
        columns.append(table_column(f"rank by {title}", NUMBER, of_ranking[order], "1 is best"))
    for title, scores in zip(compared.titles, compared.scores, strict=True):
        columns.append(table_column(f"score by {title}", NUMBER, scores[order], "higher is better", SCORE_DIGITS))
    return columns


def _agreement(compared: ComparedScores, n_best: int) -> list[list[str]]:
    """Cells of the table of agreement; none beside the diagonal where a ranking has only equal scores."""
    cells = []
    for row in compared.scores:
        correlations = [spearman(row, other_row) for other_row in compared.scores]
        shares = [overlap(row, other_row, n_best) for other_row in compared.scores]
        cells.append([f"{r:.2f} ({share:.2f})" for r, share in zip(correlations, shares, strict=True)])
    return cells


def _charts(compared: ComparedScores, ranks: np.ndarray) -> list[tuple[str, str]]:
    """Title and picture of the first pairs of rankings."""
    pairs = list(combinations(range(len(compared.titles)), 2))[:MAX_CHARTS]
    charts = []
    for first, second in pairs:
        titles = compared.titles[first], compared.titles[second]
        picture = rank_chart(ranks[first], ranks[second], compared.names, titles)
        charts.append((f"{titles[0]} and {titles[1]}", picture))
    return charts
