"""Tests of the columns by which tables are joined: right values where chance could join tables otherwise."""

import numpy as np
import pytest

from orangecontrib.reliefe.command import cli
from orangecontrib.reliefe.tabular import ReadingOptions, read_text_table

N = 60


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    return tmp_path


def write(path, **columns):
    """Write a CSV with these columns."""
    rows = zip(*columns.values(), strict=True)
    path.write_text("\n".join([",".join(columns), *(",".join(map(str, row)) for row in rows)]) + "\n")


def study(seed=0):
    """Numbers of people, a feature that tells their groups, noise, and groups."""
    rng = np.random.default_rng(seed)
    groups = rng.integers(0, 2, N)
    return {
        "a": (groups + rng.normal(0, 0.2, N)).round(3),
        "b": rng.normal(size=N).round(3),
        "grp": ["no" if group == 0 else "yes" for group in groups],
        "order": rng.permutation(N),
    }


def values_beside(path, other, column="grp", **reading):
    """Cells of the column that is joined, by the cells of the feature a, and the last notes."""
    table = read_text_table(path, ReadingOptions(beside=((str(other), column),), **reading))
    values = dict(zip(table.cells[:, table.names.index("a")], table.cells[:, -1], strict=True))
    return values, table.notes


def ids(pattern):
    return [pattern.format(i) for i in range(N)]


OURS = [  # names of rows in ours and theirs, and what a note says
    (ids("{}"), ids("{}"), "by 'id' and 'id'"),
    (ids("{:03}"), ids("{}"), "Names are joined without padding and case: '"),
    (ids("S-{:04}"), ids("s-{}"), "Names are joined without padding and case: 's-"),
    (ids("{}.0"), ids("{:02}"), "Names are joined without padding and case: '"),
]


@pytest.mark.parametrize("ours, theirs, note", OURS)
def test_a_title_of_both_tables_and_names_without_padding(folder, ours, theirs, note):
    data = study()
    order = data["order"]
    write(folder / "x.csv", id=ours, a=data["a"], b=data["b"], visits=[i % 7 for i in range(N)])
    # Another column of theirs has the same numbers in another order
    shuffled = {"row": range(N), "id": np.array(theirs)[order], "grp": np.array(data["grp"])[order]}
    write(folder / "y.csv", **shuffled)
    values, notes = values_beside(folder / "x.csv", folder / "y.csv")
    assert values == dict(zip(map(str, data["a"]), data["grp"], strict=True))
    assert any(note in text for text in notes)


def test_a_measured_column_is_no_key(folder):
    data = study()
    write(folder / "x.csv", code=ids("c{}"), a=data["a"], visits=[i % 7 for i in range(N)], age=data["b"])
    write(folder / "y.csv", id=ids("{}"), grp=data["grp"], age=data["b"])
    with pytest.raises(ValueError, match=r"y\.csv has none of the names of the rows of x\.csv"):
        values_beside(folder / "x.csv", folder / "y.csv")


def test_two_keys_are_a_question(folder, capsys):
    data = study()
    order = data["order"]
    write(folder / "x.csv", code=ids("{}"), a=data["a"], b=data["b"])
    write(folder / "y.csv", row=range(N), number=order, grp=np.array(data["grp"])[order])
    asked = ["rank", "x.csv", "--target", "y.csv:grp", "--method", "relieff", "--quiet"]
    assert cli.main(asked) == 2
    error = capsys.readouterr().err
    assert "could be joined in several ways, which give rows other values: 'code' with" in error
    assert "add --join 'code=" in error
    right = dict(zip(map(str, data["a"]), data["grp"], strict=True))
    assert values_beside(folder / "x.csv", folder / "y.csv", join=("code=number",))[0] == right
    assert cli.main([*asked, "--join", "code=number"]) == 0
    assert capsys.readouterr().out.split()[1] == "a"
    for keys, message in (("cod=number", "no --join names a column of x.csv"), ("a=number", "no names in common")):
        assert cli.main([*asked, "--join", keys]) == 2
        assert message in capsys.readouterr().err


def test_two_keys_that_agree_are_none(folder):
    data = study()
    write(folder / "x.csv", code=ids("{}"), barcode=ids("b{}"), a=data["a"])
    write(folder / "y.csv", number=ids("{}"), tube=ids("b{}"), grp=data["grp"])
    values, _ = values_beside(folder / "x.csv", folder / "y.csv")
    assert values == dict(zip(map(str, data["a"]), data["grp"], strict=True))


def test_visits_of_persons_and_a_row_for_each(folder):
    data = study()
    persons = [i // 3 for i in range(N)]
    write(folder / "x.csv", patient=persons, visit=[i % 3 for i in range(N)], a=data["a"])
    write(folder / "y.csv", patient=range(N // 3), age=range(40, 40 + N // 3), grp=data["grp"][: N // 3])
    values, _ = values_beside(folder / "x.csv", folder / "y.csv")
    assert values == {str(a): data["grp"][person] for a, person in zip(data["a"], persons, strict=True)}
    write(folder / "twice.csv", patient=persons, row=range(N), grp=data["grp"])
    write(folder / "x.csv", patient=range(N), a=data["a"])
    with pytest.raises(ValueError, match=r"twice\.csv has names in 'patient' several times"):
        values_beside(folder / "x.csv", folder / "twice.csv")


def test_rows_without_names_are_joined_by_their_order(folder, capsys):
    data = study()
    (folder / "X_train.txt").write_text("\n".join(f"{a} {b}" for a, b in zip(data["a"], data["b"], strict=True)))
    (folder / "y_train.txt").write_text("\n".join("01"[group == "yes"] for group in data["grp"]))
    for target in ("y_train.txt", "y_train.txt:Feature 1"):
        assert cli.main(["rank", "X_train.txt", "--no-header", "--target", target, "--method", "relieff"]) == 0
        out = capsys.readouterr().out
        assert "target y_train (2 classes: 0, 1)" in out
        assert "60 rows joined with y_train.txt by their order, as neither table has names of rows" in out
        assert out.split("Feature 1")[0].rstrip().endswith("1")
    (folder / "y_short.txt").write_text("\n".join("01" * 20))
    assert cli.main(["rank", "X_train.txt", "--no-header", "--target", "y_short.txt"]) == 2
    assert "X_train.txt has 60 rows and y_short.txt has 40, and neither has names of rows" in capsys.readouterr().err
    write(folder / "named.csv", sample=ids("s{}"), a=data["a"])
    assert cli.main(["rank", "named.csv", "--target", "y_train.txt"]) == 2
    assert "y_train.txt has none of the names of the rows of named.csv ('s0'" in capsys.readouterr().err
