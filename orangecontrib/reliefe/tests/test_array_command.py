"""Files of arrays on the command line."""

import gzip
import json
import os

import numpy as np
import pandas as pd
import pytest
from scipy import sparse

from orangecontrib.reliefe.command import cli
from orangecontrib.reliefe.core import Survival, rank
from orangecontrib.reliefe.core.data import limits, table_files
from orangecontrib.reliefe.core.data.table_files import open_table
from orangecontrib.reliefe.tests.samples import SMALL

N, P = (30, 4) if SMALL else (200, 6)


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    X, y = data()
    np.save("genotypes.npy", X)
    np.save("y.npy", y)
    (tmp_path / "y.csv").write_text("status\n" + "\n".join("yes" if v else "no" for v in y) + "\n")
    return tmp_path


def data():
    X = np.random.default_rng(0).integers(0, 3, (N, P)).astype(np.uint8)
    return X, (X[:, 1].astype(int) + X[:, 2] > 2).astype(int)


def run(capsys, *arguments):
    status = cli.main(["rank", *map(str, arguments)])
    found = capsys.readouterr()
    return status, found.out, found.err


def scores(text):
    return {row["feature"]: row["score"] for row in json.loads(text)["features"]}


def wanted(names=None):
    X, y = data()
    return dict(zip(names or map(str, range(P)), rank(X, y, "relieff").scores.tolist(), strict=True))


@pytest.mark.parametrize("target", ["y.csv", "y.npy", "y.csv:status"])
def test_mapped_array_with_a_target(folder, capsys, target):
    status, out, _ = run(capsys, "genotypes.npy", "--target", target, "--method", "relieff", "--json", "--quiet")
    assert not status
    assert scores(out) == wanted()


def test_table_of_the_best(folder, capsys):
    status, out, _ = run(
        capsys, "genotypes.npy", "--target", "y.csv", "--method", "relieff", "--top", 2, "--n-instances", 20
    )
    assert not status
    _, head, *_, first, second, last = out.splitlines()
    assert head == f"genotypes.npy: {N} rows, {P} features, target y.csv (2 classes: no, yes)"
    assert [line.split()[0] for line in (first, second)] == ["1", "2"]
    assert all("  error 0." in line for line in (first, second))
    assert last.strip() == f"... and {P - 2} more"


@pytest.mark.parametrize("task", [["--target", "y.txt:status", "--decimal", ","], ["--task", "unsupervised"]])
def test_script_gives_the_same_list(folder, capsys, task):
    X, y = data()
    np.save("turned.npy", X.T.copy())
    rows = zip(y, np.arange(N) / 2, strict=True)
    (folder / "y.txt").write_text("status\tage\n" + "".join(f"{v}\t{a}\n".replace(".", ",") for v, a in rows))
    asked = ["turned.npy", "--transpose", "--top", 3, *task, *(["--covariate", "age"] if len(task) > 2 else [])]
    found = json.loads(run(capsys, *asked, "--json")[1])
    exec(run(capsys, *asked, "--script")[1], {})
    assert capsys.readouterr().out.splitlines() == [feature["feature"] for feature in found["features"]]
    assert run(capsys, "turned.npy", "--transpose", *task, "--plot", "best.svg")[0] == 0
    assert (folder / "best.svg").read_text().startswith("<svg")


def test_studies_of_files(folder, capsys):
    X, y = data()
    age, site, person = np.arange(N) % 17 + 0.5, np.where(np.arange(N) % 3, "a", "b"), np.arange(N) // 2
    np.save("age.npy", age[:, None])
    frame = pd.DataFrame({"age": age, "site": site, "person": person, "ill": y, "died": np.where(y, "yes", "no")})
    frame.to_csv("people.csv", index=False)
    pd.DataFrame({"site": site}).to_csv("sites.csv", index=False)
    asked = "genotypes.npy", "--method", "multisurf", "--json", "--quiet"
    of_files = "--covariate", "age.npy", "--covariate", "sites.csv:site", "--group", "people.csv:person"
    for study, names in (
        (of_files, ["age.npy", "sites.csv:site"]),
        (("--covariate", "age", "--covariate", "site", "--group", "person"), ["age", "site"]),
    ):
        status, out, _ = run(capsys, *asked, "--target", "people.csv:ill", *study)
        assert not status
        covariates = pd.DataFrame({names[0]: age, names[1]: site})
        expected = rank(X, y, "multisurf", covariates=covariates, groups=person)
        assert [*scores(out).values()] == expected.scores[expected.ranking].tolist()
        assert json.loads(out)["info"]["information"] == expected.info["information"]
    of_times = rank(X, Survival(age, y), "multisurf").scores
    for times in (
        ("--target", "people.csv", "--time", "age", "--event", "died"),
        ("--time", "age.npy", "--event", "people.csv:ill"),
    ):
        status, out, _ = run(capsys, *asked, *times)
        assert not status
        assert [*scores(out).values()] == sorted(of_times.tolist(), reverse=True)
    np.save("few.npy", age[1:])
    target = "--target", "people.csv:ill"
    for given, message in (
        (
            (*target, "--covariate", "agee"),
            "'people.csv' has no column 'agee' (--covariate); choose from 'age', 'site'",
        ),
        ((*target, "--group", "persn"), "'people.csv' has no column 'persn' (--group); choose from"),
        ((*target, "--covariate", "none.csv:age"), "there is no file 'none.csv' with a covariate"),
        ((*target, "--covariate", "few.npy"), f"--covariate 'few.npy' must hold one value for each of the {N} rows"),
        (
            ("--target", "y.npy", "--covariate", "age"),
            "--covariate 'age' is no file, for example people.csv:age, and no col",
        ),
        ((*target, "--time", "age"), "add --event NAME"),
        (
            ("--target", "people.csv", "--time", "age", "--event", "person"),
            "such as 'dead' beside 'alive', not '0' (2)",
        ),
    ):
        status, _, error = run(capsys, *asked, *given)
        assert status == 2
        assert message in error


def test_no_names_above_the_target(folder, capsys):
    (folder / "bare.csv").write_text("".join(f"{v}\n" for v in data()[1]))
    _, out, _ = run(capsys, "genotypes.npy", "--target", "bare.csv", "--method", "relieff", "--json", "--quiet")
    assert scores(out) == wanted()


@pytest.mark.parametrize("ending", ["parquet", "feather"])
def test_columns(folder, capsys, ending):
    pa = pytest.importorskip("pyarrow")
    from pyarrow import feather, parquet

    X, y = data()
    names = [f"snp{j}" for j in range(P)]
    table = pa.table({"y": np.where(y, "yes", "no"), **{name: X[:, j] for j, name in enumerate(names)}})
    parquet.write_table(table, "x.parquet")
    feather.write_feather(table, "x.feather")
    _, out, _ = run(capsys, f"x.{ending}", "--target", "y", "--method", "relieff", "--json", "--quiet")
    assert scores(out) == wanted(names)
    status, _, err = run(capsys, f"x.{ending}", "--target", "z")
    assert status == 2
    assert "has no column 'z'; choose from 'y', 'snp0'" in err


@pytest.mark.parametrize("library", ["pyarrow", "polars"])
def test_a_last_column_named_as_a_target_is_the_target(folder, capsys, monkeypatch, library):
    pytest.importorskip(library)
    find = table_files.find_spec
    if library == "polars":
        monkeypatch.setattr(table_files, "find_spec", lambda name: None if name == "pyarrow" else find(name))
    X, y = data()
    names = [f"snp{j}" for j in range(P)]
    frame = pd.DataFrame(X, columns=names)
    frame.assign(Outcome=np.where(y, "yes", "no")).to_parquet("x.parquet")
    frame.assign(ill=y).to_parquet("other.parquet")
    _, out, _ = run(capsys, "x.parquet", "--method", "relieff")
    assert out.splitlines()[1:3] == [
        f"x.parquet: {N} rows, {P} features, target Outcome (2 classes: no, yes)",
        "Target: the last column, 'Outcome', by its name (--target NAME chooses another)",
    ]
    assert scores(run(capsys, "x.parquet", "--method", "relieff", "--json", "--quiet")[1]) == wanted(names)
    _, out, _ = run(capsys, "x.parquet", "--task", "unsupervised", "--method", "urelief")
    assert f"{P} features, no target\nThe last column, 'Outcome', is left aside" in out
    status, _, error = run(capsys, "other.parquet")
    assert status == 2
    assert "other.parquet has no target: say which column it is by --target NAME" in error
    assert "'ill'" in error


def test_a_first_look_without_a_target(folder, capsys):
    X, y = data()
    pd.DataFrame(X).rename(columns=str).assign(constant=1.5, ill=y).to_parquet("x.parquet")
    for name, advice in (("x.parquet", "--target NAME"), ("genotypes.npy", None)):
        status = cli.main(["describe", name, *([] if advice else ["--target", "y.csv"])])
        out = capsys.readouterr().out
        assert status == 0
        assert ("No target" in out and f"A column becomes the target by {advice}" in out) == bool(advice)
        assert "--drop" not in out
    cli.main(["describe", "x.parquet"])
    assert "- Feature without two different values: 'constant'\n" in capsys.readouterr().out


def test_arrays_of_hdf5(folder, capsys):
    X, y = data()
    with pytest.importorskip("h5py").File("x.h5", "w") as file:
        file["X"], file["other"], file["y"] = X, X[:, :2], y
    for name, target in (("x.h5:X", "y"), ("x.h5:X", "y.npy")):
        _, out, _ = run(capsys, name, "--target", target, "--method", "relieff", "--json", "--quiet")
        assert scores(out) == wanted()
    assert "name one behind a colon: X, other" in run(capsys, "x.h5", "--target", "y")[2]
    assert "there is no array 'Z'" in run(capsys, "x.h5:Z", "--target", "y")[2]


def test_arrays_of_zarr(folder, capsys):
    zarr = pytest.importorskip("zarr")
    X, y = data()
    group = zarr.open_group("x.zarr", mode="w")
    for name, values in (("X", X), ("y", y)):
        group.create_array(name, shape=values.shape, dtype=values.dtype)[...] = values
    _, out, _ = run(capsys, "x.zarr", "--target", "y", "--method", "relieff", "--json", "--quiet")
    assert scores(out) == wanted()


def test_sparse_rows(folder, capsys):
    X = sparse.csr_array(data()[0])
    sparse.save_npz("x.npz", X)
    (folder / "csr").mkdir()
    for part in ("data", "indices", "indptr"):
        np.save(f"csr/{part}.npy", getattr(X, part))
    for name in ("x.npz", "csr"):
        _, out, _ = run(capsys, name, "--target", "y.csv", "--method", "relieff", "--json", "--quiet")
        found = scores(out)
        np.testing.assert_allclose([found[str(f)] for f in range(P)], [*wanted().values()], atol=1e-9)


@pytest.mark.parametrize("ending", ["mtx", "mtx.gz"])
def test_matrix_market(folder, capsys, ending):
    X, _ = data()
    triplets = [f"{i + 1} {j + 1} {X[i, j]}" for i, j in np.argwhere(X)]
    head = f"%%MatrixMarket matrix coordinate real general\n{N} {P} {len(triplets)}\n"
    opener = gzip.open if ending.endswith("gz") else open
    with opener(f"x.{ending}", "wt") as file:
        file.write(head + "\n".join(triplets) + "\n")
    assert sparse.issparse(open_table(f"x.{ending}").X)
    _, out, _ = run(capsys, f"x.{ending}", "--target", "y.csv", "--method", "relieff", "--json", "--quiet")
    found = scores(out)
    np.testing.assert_allclose([found[str(f)] for f in range(P)], [*wanted().values()], atol=1e-9)


@pytest.mark.parametrize("first", [0, 1])
def test_rows_of_libsvm(folder, capsys, first):
    X, y = data()
    lines = [
        f"{2 * label - 1:+d} " + " ".join(f"{j + first}:{value}" for j, value in enumerate(row) if value)
        for row, label in zip(X, y, strict=True)
    ]
    (folder / "x.svm").write_text("\n".join(lines) + "\n")
    assert sparse.issparse(open_table("x.svm").X)
    status, out, _ = run(capsys, "x.svm", "--method", "relieff")
    assert not status
    assert out.partition("\n")[2].startswith(f"x.svm: {N} rows, {P} features, target label (2 classes: -1, 1)")
    for target in ([], ["--target", "y.csv"]):
        found = scores(run(capsys, "x.svm", *target, "--method", "relieff", "--json", "--quiet")[1])
        np.testing.assert_allclose([found[str(f + first)] for f in range(P)], [*wanted().values()], atol=1e-9)


@pytest.mark.parametrize("targets", [
    "1,5 0,2 3,7",  # each of them a pair in ascending order
    "1,5 2 2,1",  # 2.1 rather than {1, 2}
    "1,05 2 3",
    "1,5 2 3,3",
    "-1,5 2 1,7e2 nan",
    "1.5 2,5 3",
])  # fmt: skip
def test_targets_of_libsvm_with_decimal_commas_are_no_sets_of_labels(folder, capsys, targets):
    lines = [f"{target} 1:{row}.5 3:2" for row, target in enumerate(targets.split())]
    (folder / "x.svm").write_text("# y 1:x1\n" + "\n".join(lines) + "\n")
    status, _, error = run(capsys, "x.svm")
    assert status == 2
    assert "cannot read 'x.svm': it" in error
    assert "numbers with decimal commas or sets of two labels" in error or "labels are" in error


def test_targets_of_libsvm_that_can_only_be_sets_of_labels(folder):
    for targets in (["1,5", "2", "1,2"], ["1,5", "", "2,1"], ["5,1", "2,3,4"], ["1.0,5.0", "2.0,1.0"]):
        (folder / "x.svm").write_text("".join(f"{target} 1:{row}\n" for row, target in enumerate(targets)))
        y = open_table("x.svm").y
        labels = [{int(float(label)) for label in target.split(",") if label} for target in targets]
        names = [f"label {label}" for label in sorted(set().union(*labels))]
        assert [*y.columns] == names
        assert y.to_numpy().tolist() == [[int(int(name[6:]) in of_row) for name in names] for of_row in labels]


def test_polars_reads_parquet_without_pyarrow(folder, capsys, monkeypatch):
    polars = pytest.importorskip("polars")
    find = table_files.find_spec
    monkeypatch.setattr(table_files, "find_spec", lambda name: None if name == "pyarrow" else find(name))
    X, y = data()
    polars.DataFrame({"y": np.where(y, "yes", "no"), **{f"snp{j}": X[:, j] for j in range(P)}}).write_parquet(
        "x.parquet"
    )
    _, out, _ = run(capsys, "x.parquet", "--target", "y", "--method", "relieff", "--json", "--quiet")
    assert scores(out) == wanted([f"snp{j}" for j in range(P)])


def test_options_of_reading_apply_to_the_table_of_targets(folder, capsys):
    (folder / "noted.csv").write_text("seen,on Monday\nby,us\n" + (folder / "y.csv").read_text())
    asked = "genotypes.npy", "--target", "noted.csv", "--method", "relieff", "--json", "--quiet"
    assert scores(run(capsys, *asked, "--skip-lines", 2)[1]) == wanted()
    _, _, error = run(capsys, "genotypes.npy", "--target", "y.npy", "--skip-lines", 2)
    assert "--skip-lines is for text tables and workbooks: leave it out" in error
    _, _, error = run(capsys, *asked, "--sheet", "Data")
    assert "has no sheet 'Data'" in error


def test_without_a_target(folder, capsys):
    status, out, _ = run(capsys, "genotypes.npy", "--task", "unsupervised", "--quiet")
    assert not status
    assert len(out.splitlines()) == P


@pytest.mark.parametrize("ending", ["csv", "tsv", "json"])
def test_files_of_scores(folder, capsys, ending):
    run(capsys, "genotypes.npy", "--target", "y.csv", "--method", "relieff", "--output", f"scores.{ending}")
    text = (folder / f"scores.{ending}").read_text()
    if ending == "json":
        assert scores(text) == wanted()
    else:
        rows = [line.split("," if ending == "csv" else "\t") for line in text.splitlines()[1:]]
        assert {name: float(score) for _, name, score in rows} == wanted()


@pytest.mark.parametrize(
    "arguments, message",
    [
        (["genotypes.npy", "--target", "none.csv"], "there is no file 'none.csv' with a target"),
        (["none.npy", "--target", "y.csv"], "there is no file 'none.npy'"),
        (["genotypes.npy", "--target", "a", "--target", "b"], "one target is needed"),
        (["genotypes.npy", "--target", "y.csv:age"], "has no column 'age' (--target); choose from 'status'"),
        (["genotypes.npy", "--target", "y.csv", "--plot", "x.png"], "the name must end in .svg"),
        (["genotypes.npy", "--target", "y.csv", "--output", "x.xlsx"], "the name must end in .csv, .tsv, .json"),
        (["genotypes.npy", "--target", "y.csv", "--output", "none/x.csv"], "there is no folder"),
        (["text.npy", "--target", "y.csv"], "cannot read 'text.npy'"),
        (["text.parquet", "--target", "y.csv"], "cannot read 'text.parquet'"),
        (["text.h5", "--target", "y.csv"], "cannot read 'text.h5'"),
        (["text.npz", "--target", "y.csv"], "cannot read 'text.npz'"),
        (["text.mtx", "--target", "y.csv"], "cannot read 'text.mtx'"),
        (["text.svm"], "cannot read 'text.svm': a line is a number (the target) or labels between commas"),
        (["words.svm"], "cannot read 'words.svm': a line is a number (the target) or labels between commas"),
        (["infinite.svm"], "cannot read 'infinite.svm': row 2 has the target inf: it must be finite"),
        (["long.svm"], "cannot read 'long.svm': row 1 has the target 1e+30: it must be finite, and at most 2**53"),
        (["unlabelled.svm"], "cannot read 'unlabelled.svm': no row has a label"),
        (["empty.svm"], "cannot read 'empty.svm': it has no rows"),
        (["bare.svm"], "cannot read 'bare.svm': it has no features to rank"),
        (["short.npy", "--target", "y.csv"], "X has 3 rows but y has"),
        (["turned.npy", "--target", "y.csv"], f"its {N} columns: if the rows are features, add --transpose"),
        (["genotypes.npy", "--target", "empty.csv"], "cannot read 'empty.csv'"),
        (["genotypes.npy", "--target", "word.csv"], "the target in 'word.csv' has 'XL' among numbers"),
        (["bomb.npz", "--target", "y.csv"], "the unpacked bytes are more than the limit of "),
        (["pipe.npy", "--target", "y.csv"], "'pipe.npy' is a pipe or device"),
    ],
)
def test_bad_input(folder, capsys, arguments, message, monkeypatch):
    (folder / "words.svm").write_text("a,b 1:0.5\nb 2:0.5\n")
    (folder / "infinite.svm").write_text("1 1:0.5\ninf 2:0.5\n")
    (folder / "long.svm").write_text(f"{10**30} 1:0.5\n{10**30 + 1} 2:0.5\n")
    (folder / "unlabelled.svm").write_text("1:0.5\n2:0.5\n")
    (folder / "empty.svm").write_text("")
    (folder / "bare.svm").write_text("1\n0\n1\n")
    for name in ("npy", "parquet", "h5", "npz", "mtx", "svm"):
        (folder / f"text.{name}").write_text("no table at all")
    (folder / "empty.csv").write_text("")
    (folder / "word.csv").write_text("y\nXL\n" + "".join(f"{i}\n" for i in range(N - 1)))
    np.savez_compressed("bomb.npz", data=np.zeros(2**24, np.uint8))
    monkeypatch.setattr(limits, "FREE_BYTES", 2**16)
    os.mkfifo("pipe.npy")
    np.save("short.npy", data()[0][:3])
    np.save("turned.npy", data()[0].T.copy())
    status, out, err = run(capsys, *arguments)
    assert status == 2
    assert not out
    assert message in err
    assert err.count("\n") == 1


@pytest.mark.parametrize(
    "name, old, new",
    [
        ("x.npy", b"}", b" "),
        ("x.npy", b"(40,", b"(" + b"9" * 30 + b","),
        ("x.zarr/zarr.json", b"attributes", b"attribut4s"),
        ("x.zarr/X/zarr.json", b"chunk_shape", b"chunk_e"),
        ("x.h5", b"SNOD", b"SNOB"),
    ],
)
def test_damaged_files_are_named(folder, name, old, new):
    X, file = np.ones((40, 4)), name.split("/")[0]
    if file == "x.npy":
        np.save(file, X)
    elif file == "x.h5":
        with pytest.importorskip("h5py").File(file, "w") as group:
            group.create_dataset("X", data=X)
    else:
        pytest.importorskip("zarr").open_group(file, mode="w").create_array("X", shape=(9, 3), dtype="f8")
    content = (folder / name).read_bytes()
    assert old in content
    (folder / name).write_bytes(content.replace(old, new))
    with pytest.raises(ValueError, match=f"cannot read '{file}'"):
        open_table(file)


def test_objects_are_not_unpickled(folder):
    np.save("objects.npy", np.array([[print]], object), allow_pickle=True)
    with pytest.raises(ValueError, match=r"cannot read 'objects.npy'"):
        open_table("objects.npy")


def test_libraries_that_are_missing(folder, monkeypatch):
    monkeypatch.setitem(__import__("sys").modules, "h5py", None)
    (folder / "x.h5").write_text("")
    with pytest.raises(ValueError, match=r"needs h5py: pip install \"\.\[scale\]\" in the folder"):
        open_table("x.h5")


def test_features_of_files_with_names_are_named_by_numbers(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    pd.DataFrame({"100": np.arange(40) % 3, "7": np.arange(40) % 5, "y": np.arange(40) % 2}).to_parquet("f.parquet")
    asked = ["f.parquet", "--target", "y", "--method", "relieff", "--json"]
    for option in ("--keep", "--conditional"):
        status, out, err = run(capsys, *asked, option, "7")
        assert (status, err) == (0, "")
        status, out, err = run(capsys, *asked, option, "1")  # the index of column 7, which has a name
        assert (status, out) == (cli.BAD_INPUT, "")
        assert "'1'" in err
    np.save("f.npy", np.column_stack([np.arange(40) % 3, np.arange(40) % 5]))
    np.save("classes.npy", np.arange(40) % 2)
    asked[:3] = ["f.npy", "--target", "classes.npy"]
    assert run(capsys, *asked, "--keep", "1")[0] == 0
    assert run(capsys, *asked, "--keep", "7")[0] == cli.BAD_INPUT


def test_json_names_targets_that_are_not_chosen_by_target(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    columns = {"a": np.arange(40) % 7, "b": np.arange(40) % 5, "class": np.arange(40) % 2}
    pd.DataFrame(columns).to_parquet("f.parquet")
    document = json.loads(run(capsys, "f.parquet", "--method", "relieff", "--json")[1])
    assert document["targets"] == ["class"]
    pd.DataFrame({"time": 1 + np.arange(40) * 7 % 11, "died": np.arange(40) % 2}).to_csv("people.csv", index=False)
    times = ["--time", "people.csv:time", "--event", "people.csv:died"]
    np.save("f.npy", np.column_stack([columns["a"], columns["b"]]))
    document = json.loads(run(capsys, "f.npy", *times, "--method", "multisurf", "--json")[1])
    assert document["targets"] == ["people.csv:time", "people.csv:died"]
