"""The comparison of rankings as a web page."""

import numpy as np
import pytest
from scipy.stats import spearmanr

from orangecontrib.reliefe.core import rank, write_comparison
from orangecontrib.reliefe.tests.report.test_page import MARKUP, Page, columns_of, frame, page_of


@pytest.fixture(scope="module")
def rankings():
    X, y = frame()
    return [rank(X, y, method) for method in ("relieff", "multisurf", "relieff")]


def test_ranks_scores_and_agreement(rankings, tmp_path):
    path = tmp_path / "comparison.html"
    write_comparison(rankings, path, data="trial")
    columns = columns_of(page_of(path))
    names = list(rankings[0].names)
    ranks = np.array([[ranking.ranking.tolist().index(j) + 1 for j in range(4)] for ranking in rankings])
    order = np.argsort(ranks.mean(axis=0), kind="stable")
    assert columns["feature"] == [names[j] for j in order]
    assert columns["rank by ReliefF (1)"] == columns["rank by ReliefF (2)"] == ranks[0][order].tolist()
    assert columns["rank by MultiSURF"] == ranks[1][order].tolist()
    np.testing.assert_allclose(columns["score by MultiSURF"], rankings[1].scores[order], rtol=1e-5)
    text = Page(page_of(path)).text
    correlation = spearmanr(rankings[0].scores, rankings[1].scores).statistic
    assert f"{correlation:.2f} (1.00)" in text
    assert "trial" in text
    assert page_of(path).count("<figcaption>") == 3
    assert MARKUP not in page_of(path)


def test_bad_input(rankings, tmp_path):
    path = tmp_path / "a.html"
    with pytest.raises(ValueError, match="two rankings or more"):
        write_comparison(rankings[:1], path)
    with pytest.raises(TypeError, match="results of rank, not ndarray"):
        write_comparison([rankings[0], rankings[0].scores], path)
    other = rank(np.random.default_rng(0).normal(size=(20, 3)), np.arange(20) % 2, "relieff")
    with pytest.raises(ValueError, match="of the same features"):
        write_comparison([rankings[0], other], path)
    with pytest.raises(ValueError, match=r"ends in \.html"):
        write_comparison(rankings, tmp_path / "a.pdf")
    assert not list(tmp_path.iterdir())
