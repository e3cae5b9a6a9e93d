"""Groups of the features of a table, by an attribute of its variables, in rankings, scorers and reports."""

import numpy as np
import pytest
from Orange.data import ContinuousVariable, DiscreteVariable, Domain, Table

from orangecontrib.reliefe import ReliefF, core, rank, refine

NAMES = ["a1", "lone", "b1", "a2", "b2", "b3"]
GROUPS = ["a", None, "b", "a", "b", "b"]


def table(n=40):
    """Numbers whose variables have the group in their attributes, and two classes; the target is an attribute, too."""
    rng = np.random.default_rng(0)
    X = rng.normal(size=(n, 6))
    variables = [ContinuousVariable(name) for name in NAMES]
    for variable, group in zip(variables, GROUPS, strict=True):
        if group:
            variable.attributes["panel"] = group
    other_target = DiscreteVariable("other", ("0", "1"))
    domain = Domain([*variables, other_target], DiscreteVariable("y", ("no", "yes")))
    y = X[:, 0] + X[:, 3] > 0
    return Table.from_numpy(domain, np.column_stack([X, X[:, 1] > 0]), y.astype(float))


def test_an_attribute_names_the_groups():
    data = table()
    found = rank(data, "relieff", target="other", feature_groups="panel")
    plain = core.rank(data.X[:, :6], data.X[:, 6].astype(int), "relieff", feature_groups=GROUPS, names=NAMES)
    np.testing.assert_array_equal(found.scores, plain.scores)
    assert found.names == ("a", "lone", "b")
    assert found.info["members"] == [[0, 3], [1], [2, 4, 5]]
    assert [v.name for v in found.features] == NAMES
    *_, last = refine(data, "relieff", target="other", feature_groups="panel")
    assert last.names == found.names
    by_name = {"a": ["a1", data.domain["a2"]], "b": ["b1", "b2", "b3"]}
    np.testing.assert_array_equal(rank(data, "relieff", target="other", feature_groups=by_name).scores, plain.scores)


def test_attributes_that_orange_reads_as_numbers():
    data = table()
    for feature, cluster in zip(data.domain.attributes, [0, 1, 1.0, 0, None, float("nan"), ""], strict=True):
        if cluster is not None:
            feature.attributes["cluster"] = cluster
    found = rank(data, "relieff", feature_groups="cluster")
    assert found.names == ("0", "1", "b2", "b3", "other")
    assert found.info["members"][:2] == [[0, 3], [1, 2]]


def test_names_before_a_separator_are_groups():
    data = table()
    names = [f"{group}={name}" if group else name for name, group in zip(NAMES, GROUPS, strict=True)] + ["other"]
    features = [feature.renamed(name) for feature, name in zip(data.domain.attributes, names, strict=True)]
    coded = Table.from_numpy(Domain(features, data.domain.class_var), data.X, data.Y)
    found = rank(coded, "relieff", feature_groups="prefix:=")
    np.testing.assert_array_equal(found.scores, rank(data, "relieff", feature_groups="panel").scores)
    assert found.names == ("a", "lone", "b", "other")
    with pytest.raises(ValueError, match="no two features have the same name before the last '_'; the features are"):
        rank(coded, "relieff", feature_groups="prefix:_")
    with pytest.raises(ValueError, match="separator is empty"):
        rank(coded, "relieff", feature_groups="prefix:")


def test_selections_have_all_features_of_groups():
    data = table()
    found = rank(data, "multisurf", feature_groups={"a": ["a1", "a2"], "b": ["b1", "b2", "b3"]})
    assert found.names[found.ranking[0]] == "a"
    assert [v.name for v in found.best(1)] == ["a1", "a2"]
    assert [v.name for v in found.select(1).domain.attributes] == ["a1", "a2"]
    scores = found.to_table()
    assert [str(row["Feature"]) for row in scores] == ["a", "lone", "b", "other"]
    np.testing.assert_array_equal(scores.X[:, 0], found.scores)
    with pytest.raises(ValueError, match="of single features"):
        found.best(2, groups=True)


def test_scorers_give_features_the_score_of_their_group():
    data = table()
    scores = ReliefF(feature_groups="panel")(data)
    found = rank(data, "relieff", feature_groups="panel")
    expected = dict(zip(found.names, found.scores, strict=True))
    named = [expected[group or name] for group, name in zip([*GROUPS, None], [*NAMES, "other"], strict=True)]
    np.testing.assert_array_equal(scores, named)
    assert ReliefF(feature_groups="panel")(data, "b2") == expected["b"]
    of_other = ReliefF(feature_groups="panel", groups="other")(data)
    assert of_other[-1] == -np.inf
    assert of_other[0] == of_other[3]


@pytest.mark.parametrize(
    ("groups", "error", "words"),
    [
        ("panels", ValueError, "no feature has the attribute 'panels'; choose from 'panel'"),
        ({"a": ["a1", "a9"]}, ValueError, "unknown feature, 'a9'"),
        (["a", "b"], TypeError, "name of an attribute of variables, or a mapping"),
    ],
)
def test_unknown_attributes_and_features(groups, error, words):
    with pytest.raises(error, match=words):
        rank(table(), "relieff", feature_groups=groups)


def test_a_report_lists_the_features_of_groups(tmp_path):
    found = rank(table(), "relieff", feature_groups="panel", significance=50)
    found.report(str(tmp_path / "page.html"))
    page = (tmp_path / "page.html").read_text(encoding="utf-8")
    assert "b1, b2, b3" in page
    assert "7, ranked as 4 groups" in page
