"""A ranking has the same methods whether arrays, a frame, a table or genotypes were ranked."""

import csv
import pickle

import numpy as np
import pandas as pd
import pytest
from Orange.data import ContinuousVariable, DiscreteVariable, Domain, Table

from orangecontrib.reliefe import TableRanking, rank, rank_genotypes, refine
from orangecontrib.reliefe.core import Explanation, Ranking, explain
from orangecontrib.reliefe.core import rank as rank_arrays
from orangecontrib.reliefe.genetics import Filters, GenotypeRanking, Genotypes
from orangecontrib.reliefe.tests.genetics.studies import write_bed

N, P = 60, 8
SOURCES = ("arrays", "frame", "named target", "table", "genotypes")
EVERYTHING = Filters(missing=1.0, missing_people=1.0, maf=0.0)


def codes_and_classes():
    """Codes 0, 1, 2 whose second column decides on the class, with some noise."""
    rng = np.random.default_rng(5)
    codes = rng.integers(0, 3, (N, P))
    return codes, ((codes[:, 1] > 0) ^ (rng.random(N) < 0.1)).astype(int)


@pytest.fixture(params=SOURCES)
def ranking(request, tmp_path):
    codes, y = codes_and_classes()
    names = [f"rs{j}" for j in range(P)]
    frame = pd.DataFrame(codes.astype(float), columns=names)
    options = {"significance": 9}
    if request.param == "genotypes":
        return rank_genotypes(write_bed(tmp_path, codes, 1 + y), filters=EVERYTHING, **options)
    if request.param == "arrays":
        return rank_arrays(codes.astype(float), y, "relieff", names=names, **options)
    if request.param == "frame":
        return rank_arrays(frame, pd.Series(y, name="ill"), "relieff", **options)
    if request.param == "named target":
        return rank_arrays(frame.assign(ill=y), None, "relieff", target="ill", **options)
    domain = Domain(map(ContinuousVariable, names), DiscreteVariable("ill", ("no", "yes")))
    return rank(Table.from_numpy(domain, codes, y), "relieff")


def given_data(ranking):
    """Data that a ranking of arrays needs again; the others keep theirs."""
    codes, y = codes_and_classes()
    return (codes.astype(float), y) if type(ranking) is Ranking and ranking.source is None else ()


def names_of(selected, ranking):
    """Names of the columns of a selection."""
    if isinstance(selected, Genotypes):
        return {*selected.variants.name}
    return {v.name for v in selected.domain.attributes} if isinstance(selected, Table) else {
        ranking.names[j] for j in selected
    }  # fmt: skip


def test_every_source_gives_a_ranking(ranking):
    assert isinstance(ranking, Ranking)
    assert ranking.ranking[0] == 1
    assert str(ranking.best(1)[0]) == "rs1"
    assert len(ranking.best(3)) == 3


def test_select_takes_the_best_columns(ranking):
    assert names_of(ranking.select(3), ranking) == {str(name) for name in ranking.best(3)}


def test_explain(ranking):
    explanation = ranking.explain("rs1", *given_data(ranking))
    assert isinstance(explanation, Explanation)
    assert (explanation.name, explanation.rank) == ("rs1", 1)
    assert explanation.apart > explanation.alike
    assert "rs1 is number 1 of 8 by ReliefF" in explanation.sentences[0]


def test_report(ranking, tmp_path):
    path = tmp_path / "page.html"
    ranking.report(path, *given_data(ranking))
    page = path.read_text(encoding="utf-8")
    assert ranking.conclusion in page
    assert "rs1" in page
    assert "Values of the " in page


def test_save_writes_scores(ranking, tmp_path):
    ranking.save(tmp_path / "scores.tsv", 3)
    with open(tmp_path / "scores.tsv", encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file, delimiter="\t"))
    column = "variant" if isinstance(ranking, GenotypeRanking) else "feature"
    assert [row[column] for row in rows] == [str(name) for name in ranking.best(3)]
    assert [row["rank"] for row in rows] == ["1", "2", "3"]
    assert float(rows[0]["score"]) == pytest.approx(ranking.scores.max(), rel=1e-5)
    assert ("p" in rows[0]) == (ranking.significance is not None)
    ranking.save(tmp_path / "scores.csv")
    assert len((tmp_path / "scores.csv").read_text(encoding="utf-8").splitlines()) == 1 + P


def test_save_writes_figures_and_reports(ranking, tmp_path):
    ranking.save(tmp_path / "figure.svg")
    ranking.save(tmp_path / "page.html")
    assert (tmp_path / "figure.svg").read_text(encoding="utf-8").startswith("<svg")
    assert "<html" in (tmp_path / "page.html").read_text(encoding="utf-8")
    with pytest.raises(ValueError, match=r"the name must end in \.csv"):
        ranking.save(tmp_path / "scores.docx")


def test_a_table_is_written_in_formats_of_orange(tmp_path):
    codes, y = codes_and_classes()
    domain = Domain([ContinuousVariable(f"rs{j}") for j in range(P)], DiscreteVariable("ill", ("no", "yes")))
    ranking = rank(Table.from_numpy(domain, codes, y), "relieff")
    assert isinstance(ranking, TableRanking)
    ranking.save(tmp_path / "scores.tab", 2)
    table = Table(str(tmp_path / "scores.tab"))
    assert [*map(str, table.metas[:, 0])] == [v.name for v in ranking.best(2)]


def test_pictures(ranking):
    pytest.importorskip("matplotlib")
    assert ranking.plot(kind="scores").get_title()
    assert "rs1" in ranking._repr_html_()
    assert ranking.conclusion in ranking._repr_html_()


def test_features_that_are_kept_are_selected(tmp_path):
    codes, y = codes_and_classes()
    ranking = rank_genotypes(write_bed(tmp_path, codes, 1 + y), filters=EVERYTHING, keep=[6])
    assert "rs6" in ranking.best(2)
    assert {*ranking.select(2).variants.name} == {*ranking.best(2)}


def test_reasons_for_genotypes_use_the_covariates_of_the_ranking(tmp_path):
    codes, y = codes_and_classes()
    age = np.random.default_rng(1).normal(size=N)
    bed = write_bed(tmp_path, codes, 1 + y)
    ranking = rank_genotypes(bed, None, "multisurf", filters=EVERYTHING, covariates=age, additive=True)
    assert [*ranking.study] == ["covariates"]
    given = (ranking, "rs1", ranking.data.ranked, ranking.phenotype)
    adjusted = ranking.explain("rs1").difference
    assert adjusted == explain(*given, covariates=age).difference
    unadjusted = rank_genotypes(bed, None, "multisurf", filters=EVERYTHING, additive=True)
    assert adjusted != unadjusted.explain("rs1").difference
    with pytest.raises(ValueError, match=r"was made with covariates, .* give covariates=\.\.\., as to rank"):
        explain(*given)


def test_copies_leave_frames_out_and_keep_genotypes(ranking):
    copy = pickle.loads(pickle.dumps(ranking))
    np.testing.assert_array_equal(copy.scores, ranking.scores)
    if type(ranking) is Ranking:
        assert copy.source is None
        with pytest.raises(ValueError, match="does not keep them"):
            copy.explain("rs1")
    else:
        assert copy.explain("rs1").rank == 1


@pytest.mark.parametrize("option, value, other", [
    ("parts", "place", "spread"),
    ("linear_covariates", True, False),
])  # fmt: skip
def test_rankings_remember_how_rows_were_compared(option, value, other):
    """Explanations compare rows as the ranking did, with covariates, whichever data it keeps."""
    rng = np.random.default_rng(7)
    covariate = rng.normal(size=N)
    X = rng.normal(size=(N, 3))
    y = X[:, 0] + covariate**2 + 0.1 * rng.normal(size=N)
    study = {"covariates": pd.DataFrame({"c": covariate}), option: value}
    arrays = rank_arrays(X, y, "rrelieff", **study)
    expected = arrays.explain(0, X, y, **study).difference
    assert expected != arrays.explain(0, X, y, **{**study, option: other}).difference

    frame = rank_arrays(pd.DataFrame(X, columns=["a", "b", "d"]), y, "rrelieff", **study)
    assert frame.explain("a").difference == expected

    domain = Domain(map(ContinuousVariable, "abdc"), ContinuousVariable("y"))
    table = Table.from_numpy(domain, np.column_stack((X, covariate)), y)
    *_, refined = refine(table, "rrelieff", covariates="c", **{option: value})
    for ranking in (rank(table, "rrelieff", covariates="c", **{option: value}), refined):
        assert ranking.explain("a").difference == expected
        other_explanation = ranking.explain("a", **{option: other})
        assert other_explanation.difference == arrays.explain(0, X, y, **{**study, option: other}).difference


def test_genotypes_remember_the_parts_of_pairs(tmp_path):
    codes, _ = codes_and_classes()
    rng = np.random.default_rng(8)
    covariate = rng.normal(size=N)
    y = codes[:, 1] + covariate + 0.3 * rng.normal(size=N)
    source = write_bed(tmp_path, codes, np.ones(N))
    study = {"covariates": covariate[:, None], "parts": "spread"}
    ranking = rank_genotypes(source, y, "rrelieff", task="regression", filters=EVERYTHING, **study)
    assert ranking.explain("rs1").difference == ranking.explain("rs1", parts="spread").difference
    assert ranking.explain("rs1").difference != ranking.explain("rs1", parts="place").difference
