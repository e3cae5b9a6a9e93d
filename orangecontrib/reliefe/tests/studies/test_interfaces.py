"""Covariates and groups of tables, of scikit-learn's interface and of the command line."""

import numpy as np
import pytest
from Orange.data import ContinuousVariable, DiscreteVariable, Domain, StringVariable, Table
from pandas import DataFrame

from orangecontrib.reliefe import core, neighbour_curves, partners, rank
from orangecontrib.reliefe.command.cli import main
from orangecontrib.reliefe.core.estimators import ReliefRanker


def visits():
    """Thirty people seen three times: age, sex, features, and an illness of people."""
    rng = np.random.default_rng(0)
    person, age = np.repeat(np.arange(30), 3), rng.uniform(20, 80, 30)
    ill = (age / 20 - 2.5 + rng.logistic(size=30) > 0).astype(int)[person]
    X = rng.normal(size=(90, 4))
    return X, ill, age[person], (person % 2), person


def table():
    X, ill, age, sex, person = visits()
    names = DiscreteVariable("sex", ("f", "m")), DiscreteVariable("ill", ("no", "yes"))
    features = [ContinuousVariable(f"gene {k}") for k in range(4)]
    domain = Domain([*features, ContinuousVariable("age"), names[0]], names[1], [StringVariable("person")])
    metas = np.array([[f"p{k}"] for k in person], object)
    return Table.from_numpy(domain, np.column_stack([X, age, sex]), ill, metas)


def test_tables():
    X, ill, age, sex, person = visits()
    found = rank(table(), "multisurf", covariates=["age", "sex"], groups="person")
    expected = core.rank(X, ill, "multisurf", covariates=np.column_stack([age, sex]), groups=person)
    np.testing.assert_allclose(found.scores, expected.scores, atol=1e-12)
    assert [v.name for v in found.features] == [f"gene {k}" for k in range(4)]
    assert "adjusted for age, sex: pairs weigh products of residuals" in found.info["information"]
    curves = neighbour_curves(table(), "relieff", covariates="age", groups="person", max_neighbors=3)
    one = rank(table(), "relieff", covariates="age", groups="person", n_neighbors=3)
    np.testing.assert_allclose(curves.scores(3), one.scores, atol=1e-7)
    pairs = partners(table(), one, covariates="age", n_features=3, n_shuffles=2)
    codes, kinds = np.column_stack([X, sex]), np.arange(5) == 4
    options = {"covariates": DataFrame({"age": age}), "nominal": kinds, "features": one.ranking[:3], "n_shuffles": 2}
    np.testing.assert_allclose(pairs.z, core.partners(codes, ill, **options).z)
    for given, message in (
        ({"covariates": "agee"}, "unknown covariate 'agee'"),
        ({"groups": "persn"}, "unknown group 'persn'"),
        ({"covariates": ["age", "ill"]}, "'ill' is one thing only"),
        ({"covariates": "person", "groups": "person"}, "'person' is one thing only"),
    ):
        with pytest.raises(ValueError, match=message):
            rank(table(), "multisurf", **given)


def test_tables_of_times():
    X, ill, age, _, _ = visits()
    expected = core.rank(X, core.Survival(age, ill), "multisurf").scores
    found = rank(table(), "multisurf", target=["age", "ill"], task="survival", covariates=None)
    np.testing.assert_allclose(
        found.scores[:4],
        core.rank(table().X[:, [0, 1, 2, 3, 5]], core.Survival(age, ill), "multisurf", nominal=[4]).scores[:4],
        atol=1e-12,
    )
    assert [v.name for v in found.targets] == ["age", "ill"]
    features = [ContinuousVariable(f"gene {k}") for k in range(4)]
    time, event = ContinuousVariable("age"), DiscreteVariable("ill", ("no", "yes"))
    time.attributes["_time_to_event_var"], event.attributes["_time_to_event_var"] = "time", "event"
    marked = Table.from_numpy(Domain(features, [event, time]), X, np.column_stack([ill, age]))
    np.testing.assert_allclose(rank(marked, "multisurf").scores, expected, atol=1e-12)
    with pytest.raises(ValueError, match="times with censoring are two columns"):
        rank(table(), "multisurf", target=["ill", "age"], task="survival")


def test_metadata_of_scikit_learn():
    from sklearn import config_context
    from sklearn.pipeline import make_pipeline

    X, ill, age, _, person = visits()
    expected = core.rank(X, ill, "multisurf", covariates=age, groups=person).scores
    with config_context(enable_metadata_routing=True):
        ranker = ReliefRanker("multisurf").set_fit_request(covariates=True, groups=True)
        fitted = make_pipeline(ranker).fit(X, ill, covariates=age, groups=person)
    np.testing.assert_array_equal(fitted[0].scores_, expected)


def test_command_line(tmp_path, capsys):
    file = tmp_path / "visits.csv"
    table().save(str(tmp_path / "visits.tab"))
    X, ill, age, sex, person = visits()
    rows = [f"p{person[i]},{age[i]:.3f},{'fm'[sex[i]]},{','.join(map(str, X[i].round(3)))},{ill[i]}" for i in range(90)]
    file.write_text("\n".join(["person,age,sex,a,b,c,d,ill", *rows]) + "\n")
    asked = ["rank", str(file), "--target", "ill", "--quiet", "--json"]
    assert main([*asked, "--covariate", "age", "--group", "person", "--significance", "5"]) == 0
    out = capsys.readouterr().out
    assert "5 groups" not in out
    assert "30 groups of rows that belong together" in out
    assert '"feature": "age"' not in out
    assert '"feature": "sex"' in out
    assert main([*asked, "--covariate", "agee"]) == 2
    assert "unknown --covariate 'agee'; choose from 'age'" in capsys.readouterr().err
    assert main([*asked, "--covariate", "person"]) == 2
    assert "Is 'person' a group? Then use --group" in capsys.readouterr().err
    assert main(["rank", str(file), "--time", "age", "--event", "ill", "--json", "--quiet", "--covariate", "sex"]) == 0
    out = capsys.readouterr().out
    assert '"task": "survival"' in out
    assert "adjusted for sex" in out
    assert '"feature": "ill"' not in out
    for given, message in (
        (
            ["--target", "ill", "--time", "age"],
            "--time age needs the column that says who had the event: add --event NAME",
        ),
        (["--event", "ill"], "--event ill needs the column with the times until it: add --time NAME"),
        (["--target", "ill", "--time", "age", "--event", "ill"], "--event are the target: leave --target out"),
        (
            ["--time", "ill", "--event", "age"],
            "'age' has the numbers of a time, and 'ill' has not: they may be swapped",
        ),
        (["--time", "agee", "--event", "ill"], "unknown --time or --event 'agee'; choose from 'age'"),
        (["--target", "ill", "--group", "persn"], "unknown --group 'persn'; choose from"),
        (["--target", "ill", "--covariate", "age", "--method", "turf"], "or add --significance: p-values"),
        (["--task", "unsupervised", "--covariate", "age"], "covariates need a target"),
        (["--target", "ill", "--components", "2"], "--components is for genotypes"),
        (["--target", "ill", "--maf", "0"], "--maf is for genotypes"),
        (["--target", "ill", "--max-missing", "0.01"], "--max-missing is for genotypes"),
        (["--target", "ill", "--hardy-weinberg", "0.001"], "--hardy-weinberg is for genotypes"),
        (["--target", "ill", "--r2", "0.5"], "--r2 is for genotypes"),
    ):
        assert main(["rank", str(file), *given]) == 2
        assert message in capsys.readouterr().err
