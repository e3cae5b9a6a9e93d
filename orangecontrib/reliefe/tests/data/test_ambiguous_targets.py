"""Targets that may be read in two ways, or in none: what is decided is said, and what cannot be ranked is refused."""

import numpy as np
import pandas as pd
import pytest
from Orange.data import ContinuousVariable, DiscreteVariable, Domain, StringVariable, Table
from scipy import sparse

from orangecontrib.reliefe import core, rank, read_table
from orangecontrib.reliefe.command.cli import main
from orangecontrib.reliefe.core.estimators import ReliefF, ReliefRanker

N = 40
RNG = np.random.default_rng(0)
X = RNG.normal(size=(N, 3))
COUNTS = np.argsort(np.argsort(X[:, 0])) * 7
NAMES = np.array([f"person {k}" for k in range(N)])
CODES = (np.arange(N) % 3).astype(float)
EACH_ITS_OWN = "most rows have a class of their own"
features = [ContinuousVariable(f"f{k}") for k in range(3)]


def table(variable, values):
    return Table.from_numpy(Domain(features, variable), X, np.asarray(values, float))


@pytest.mark.parametrize("y", [COUNTS, COUNTS.astype(np.uint16), COUNTS.astype(object), [*map(int, COUNTS)]])
def test_whole_numbers_of_a_row_each_are_a_number(y):
    found, expected = core.rank(X, y), core.rank(X, COUNTS.astype(float))
    np.testing.assert_array_equal(found.scores, expected.scores)
    assert found.info["task"] == "regression"
    assert found.info["information"] == [
        "the target has 40 different whole numbers in 40 rows, too many for classes. It is read as a number; "
        'task="classification" reads them as classes'
    ]
    assert not expected.info["information"]


@pytest.mark.parametrize("y, options", [
    (COUNTS, {"task": "classification"}), (NAMES, {}), (NAMES.astype(object), {}),
    (np.where(np.arange(N) < 4, "same", NAMES), {})])  # fmt: skip
def test_a_class_of_each_row_is_refused(y, options):
    with pytest.raises(ValueError, match=EACH_ITS_OWN) as caught:
        core.rank(X, y, **options)
    assert ('task="regression"' in str(caught.value)) == (np.asarray(y).dtype.kind == "i")


@pytest.mark.parametrize("y", [np.arange(N) // 4, np.arange(N) % 13, NAMES[np.arange(N) // 2], np.arange(N) % 2 == 0])
def test_classes_of_several_rows_stay_classes(y):
    found = core.rank(X, y)
    assert found.info["task"] == "classification"
    assert not found.info["information"]


def test_few_rows_and_few_labels_are_not_judged():
    assert core.rank(X[:6], np.arange(6), "relieff").info["task"] == "classification"
    few = np.where(np.arange(N) < 4, NAMES, "")
    assert core.rank(X, few, "sslrelief").info["classes"] == 4


def test_tables_with_a_class_of_each_row():
    text = Domain(features, metas=[StringVariable("who")])
    people = Table.from_numpy(text, X, metas=NAMES[:, None].astype(object))
    for data, target in ((people, "who"), (table(DiscreteVariable("who", tuple(NAMES)), np.arange(N)), None)):
        with pytest.raises(ValueError, match=EACH_ITS_OWN):
            rank(data, target=target)


def test_whole_floats_say_how_to_make_them_classes():
    said = (
        "the target has 3 different whole numbers in 40 rows. It is read as a number; "
        'task="classification" reads them as classes'
    )
    number = table(ContinuousVariable("y"), CODES)
    assert core.rank(X, CODES).info["information"] == [said]
    assert rank(number).info["information"] == [said]
    assert core.rank(X, CODES, "multisurf").info["information"] == [said]
    assert core.rank(X, COUNTS.astype(float)).info["information"] == []
    for options in ({"task": "regression"}, {"task": "classification"}, {"method": "rrelieff"}):
        assert core.rank(X, CODES, **options).info["information"] == []
        assert rank(number, **options).info["information"] == []
    assert core.rank(X, CODES + 0.5).info["information"] == []


MANY = np.random.default_rng(1).integers(0, 25, 300)  # codes of letters, say: 12 rows each on average
PAIRS = np.arange(N) // 2  # 20 values of two rows each
EACH_A_CLASS = "ReliefF needs classes, and reads each as a class"
TOO_MANY = "too many for classes"


def faces(y, X, tmp_path, method, **options):
    """Yield the task and the notes by arrays, frames, an estimator, a table and the command: "error" and its text."""
    data = pd.DataFrame(X, columns=[f"f{k}" for k in range(X.shape[1])])
    data.assign(y=y).to_csv(tmp_path / "a.csv", index=False)
    numbers = Domain([ContinuousVariable(name) for name in data], ContinuousVariable("y"))
    estimator = ReliefRanker(method=method, **options)
    calls = {
        "array": lambda: core.rank(X, y, method, **options),
        "frame": lambda: core.rank(data, pd.Series(y), method, **options),
        "estimator": lambda: estimator.fit(X, y).result_,
        "table": lambda: rank(Table.from_numpy(numbers, X, y), method, **options),
        "file": lambda: rank(read_table(str(tmp_path / "a.csv"), "y"), method, **options),
    }
    for name, call in calls.items():
        try:
            ranking = call()
            yield name, ranking.info["task"], " ".join(ranking.info["information"])
        except ValueError as error:
            yield name, "error", str(error)


@pytest.mark.filterwarnings("ignore:the target has")
@pytest.mark.parametrize("y", [MANY, PAIRS], ids=["more than 20 values", "fewer than 3 rows each"])
def test_many_whole_numbers_are_a_number_for_every_face(y, tmp_path):
    X = np.random.default_rng(2).normal(size=(len(y), 3))
    for face, task, said in faces(y, X, tmp_path, "multisurf"):
        assert task == "regression", face
        assert (TOO_MANY in said) == (face in ("array", "frame", "estimator")), face  # others have a type: a number
    for face, task, said in faces(y, X, tmp_path, "multisurf", task="classification"):
        assert (task, said) == ("classification", ""), face


@pytest.mark.parametrize("y", [MANY, PAIRS, MANY.astype(float)])
def test_a_method_for_classes_refuses_a_number_for_every_face(y, tmp_path):
    """A script that means classes says so; scikit-learn's classifiers would take each number as a class."""
    X = np.random.default_rng(2).normal(size=(len(y), 3))
    for face, task, said in faces(y, X, tmp_path, "relieff"):
        assert task == "error", face
        assert "ReliefF is for classification, not for regression: the target has" in said, face
        assert 'task="classification"' in said, face
    for face, task, said in faces(y, X, tmp_path, "relieff", task="classification"):
        assert (task, said) == ("classification", ""), face


@pytest.mark.filterwarnings("ignore:the target has")
def test_a_method_for_classes_says_that_it_reads_few_whole_floats_as_classes(tmp_path):
    for face, task, said in faces(CODES, X, tmp_path, "relieff"):
        assert task == "classification", face
        expected = (
            "the target has 3 different whole numbers in 40 rows. ReliefF needs classes, and reads each as a class"
        )
        assert said == expected, face
    for face, task, _ in faces(CODES.astype(int), X, tmp_path, "relieff"):
        assert task == "classification", face
    for face, task, said in faces((CODES == 0).astype(float), X, tmp_path, "relieff"):
        assert (task, said) == ("classification", ""), face


def test_estimators_warn_of_what_was_assumed():
    rows = np.random.default_rng(2).normal(size=(300, 3))
    with pytest.warns(UserWarning, match="300 rows, too many for classes. It is read as a number"):
        ReliefRanker().fit(rows, MANY)
    with pytest.warns(UserWarning, match=EACH_A_CLASS):
        ReliefF().fit(X, CODES)
    with pytest.raises(ValueError, match="ReliefF is for classification, not for regression: the target has"):
        ReliefF().fit(rows, MANY)
    assert ReliefF(task="classification").fit(rows, MANY).result_.info["classes"] == 25


def test_the_command_says_that_whole_numbers_are_a_number(tmp_path, capsys):
    path = write(tmp_path, np.arange(N) % 5)
    assert main(path) == 0
    assert (
        "5 different whole numbers in 40 rows. It is read as a number; --task classification" in capsys.readouterr().out
    )
    assert main([*path, "--method", "relieff"]) == 0
    assert EACH_A_CLASS in capsys.readouterr().out
    assert main([*write(tmp_path, PAIRS), "--method", "relieff"]) == 2
    assert "say --task classification if they are codes of classes" in capsys.readouterr().err


@pytest.mark.parametrize("y", [np.full(N, np.nan), np.full(N, None), np.full(N, ""), np.full((N, 2), np.nan)])
def test_a_target_without_any_value_is_refused(y):
    for method in "auto", "rrelieff":
        with pytest.raises(ValueError, match="unknown in all rows"):
            core.rank(X, y, method)
    said = "the target is unknown in all rows: features are ranked without one"
    assert core.rank(X, y, "sslrelief").info["information"][0] == said  # which does without, too
    assert core.rank(X, y, "urelief").info["task"] == "unsupervised"
    assert core.rank(X, y, task="unsupervised").info["task"] == "unsupervised"


@pytest.mark.parametrize("values, said", [(("1",), "is 1 in all rows"), (("no",), "is no in all rows")])
def test_labels_beside_a_constant_one_are_label_sets(values, said):
    labels = [DiscreteVariable("l", ("0", "1")), DiscreteVariable("m", ("0", "1"))]
    Y = np.column_stack([X[:, 0] > 0, X[:, 1] > 0, np.zeros(N)]).astype(float)
    expected = rank(Table.from_numpy(Domain(features, labels), X, Y[:, :2]))
    found = rank(Table.from_numpy(Domain(features, [*labels, DiscreteVariable("all", values)]), X, Y))
    assert found.info["task"] == "multi-label"
    assert [note for note in found.info["information"] if "tells no rows apart" in note] == [
        f"label 'all' {said}, which tells no rows apart"
    ]
    np.testing.assert_array_equal(found.ranking, expected.ranking)


def write(tmp_path, y):
    lines = [f"{','.join(f'{value:.4f}' for value in row)},{target}" for row, target in zip(X, y, strict=True)]
    (tmp_path / "a.csv").write_text("\n".join(["a,b,c,y", *lines]) + "\n")
    return ["rank", str(tmp_path / "a.csv"), "--target", "y"]


def test_the_command_line_says_what_was_left_out_and_why(tmp_path, capsys):
    y = np.where(X[:, 0] > 0, "hi", "lo").astype(object)
    y[[3, 8]] = ""
    assert main([*write(tmp_path, y), "--method", "relieff"]) == 0
    _, head, why, summary, *_ = capsys.readouterr().out.splitlines()
    assert head.startswith("a: 40 rows")
    assert why == "2 rows without a target value are left out"
    assert "38 rows" in summary


@pytest.mark.parametrize("y, said", [
    ([""] * N, "the target is unknown in all rows: correct it, or rank without one, --task unsupervised"),
    (NAMES, EACH_ITS_OWN)])  # fmt: skip
def test_the_command_line_refuses_targets(tmp_path, capsys, y, said):
    assert main(write(tmp_path, y)) == 2
    assert said in capsys.readouterr().err


def test_heads_of_all_kinds_say_what_the_target_is(tmp_path, capsys, monkeypatch):
    monkeypatch.chdir(tmp_path)
    sex = np.where(X[:, 0] > 0, "f", "m")
    np.save("X.npy", X)
    np.save("codes.npy", RNG.integers(0, 3, (N, 12)).astype(np.int8))
    sparse.save_npz("X.npz", sparse.csr_array(X))
    rows = [f"{k + 1},{sex[k]},{X[k, 1]:.3f}" for k in range(N)]
    (tmp_path / "people.csv").write_text("\n".join(["iid,sex,weight", *rows]) + "\n")
    write(tmp_path, sex)
    of_genotypes = "codes.npy", "--maf", "0", "--phenotype", "people.csv", "--phenotype-column"
    for arguments, said in (
        (("a.csv", "--target", "y"), "target y (2 classes: f, m)"),
        (("X.npy", "--target", "people.csv:sex"), "target people.csv:sex (2 classes: f, m)"),
        (("X.npy", "--target", "people.csv:weight"), "target people.csv:weight (number)"),
        (("X.npy", "--task", "unsupervised"), "no target"),
        (("X.npz", "--target", "people.csv:weight"), "target people.csv:weight (number)"),
        ((*of_genotypes, "sex"), f"target sex (2 classes: {int((sex == 'f').sum())} f, {int((sex == 'm').sum())} m)"),
        ((*of_genotypes, "weight", "--method", "rrelieff"), "target weight (number)"),
    ):
        assert main(["rank", *arguments]) == 0
        assert capsys.readouterr().out.splitlines()[1].endswith(f", {said}")


@pytest.mark.parametrize("method", ["auto", "rrelieff", "multisurf", "randomforest"])
def test_a_number_that_all_rows_have_is_said(method):
    """Scores by distances alone are not 0, and would look like those of a target."""
    found = core.rank(X, np.full(N, 0.5), method)
    assert found.info["information"] == ["the target has only one value, 0.5: scores say nothing about it"]
