"""Small files that would fill the memory, damaged ones, and tables of which something is missing: what is said."""

import bz2
import gzip
import lzma
import os
import resource
import subprocess
import sys
import time
import zipfile
from contextlib import contextmanager, suppress
from pathlib import Path

import numpy as np
import openpyxl
import Orange
import pytest
import scipy.io
import scipy.sparse as sp

from orangecontrib.reliefe import read_table
from orangecontrib.reliefe.command import cli, results
from orangecontrib.reliefe.core import describe, rank
from orangecontrib.reliefe.core.data.table_files import open_table
from orangecontrib.reliefe.genetics import read_genotypes
from orangecontrib.reliefe.orange.jobs.open_data import Roles, open_file
from orangecontrib.reliefe.tabular import ReadingOptions, read_text_table
from orangecontrib.reliefe.tests.genetics.studies import codes, write_bed

SHEET = (
    '<worksheet xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"><sheetData>{}</sheetData></worksheet>'
)
COORDINATES = "%%MatrixMarket matrix coordinate real general\n"
MEGABYTE = 2**20
HEAD = b"##fileformat=VCFv4.2\n#CHROM\tPOS\tID\tREF\tALT\tQUAL\tFILTER\tINFO\tFORMAT\tP0\tP1\n"
TABLE = "id,a,b,y\n" + "".join(f"s{i},{i % 7}.5,{i * i % 11}.25,{'no' if i % 2 else 'yes'}\n" for i in range(40))


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "t.csv").write_text(TABLE)
    return tmp_path


@pytest.fixture
def little_memory():
    """1.5 GB more than now, beyond which an allocation fails."""
    before = resource.getrlimit(resource.RLIMIT_AS)
    with open("/proc/self/statm", encoding="ascii") as file:
        now = int(file.read().split()[0]) * resource.getpagesize()
    resource.setrlimit(resource.RLIMIT_AS, (now + 1536 * MEGABYTE, before[1]))
    yield
    resource.setrlimit(resource.RLIMIT_AS, before)


def run(capsys, *arguments):
    status = cli.main([*map(str, arguments)])
    out, err = capsys.readouterr()
    return status, out + err


def workbook(path, rows):
    """A workbook whose only sheet has these rows, as XML."""
    book = openpyxl.Workbook()
    book.save(path)
    with zipfile.ZipFile(path) as members:
        contents = {name: members.read(name) for name in members.namelist()}
    contents["xl/worksheets/sheet1.xml"] = SHEET.format(rows).encode()
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as members:
        for name, content in contents.items():
            members.writestr(name, content)


linux = pytest.mark.skipif(sys.platform != "linux", reason="limits of memory are those of Linux")
BOMBS = {
    "commas.csv.gz": gzip.compress(b"a,b\n" + b"," * 50_000_000, 5),
    "ones.csv.gz": gzip.compress(b"a,b\n" + b"1," * 25_000_000, 5),
    "blanks.txt.gz": gzip.compress(b"a b\n" + b"1 " * 25_000_000, 5),
    "rows.tsv.bz2": bz2.compress(b"a\tb\n" + b"1\t2\n" * 9_000_000),
    "cell.txt.xz": lzma.compress(b'a b\n"' + b"x" * 30_000_000 + b'" 1\n', preset=0),
}


@linux
@pytest.mark.slow
@pytest.mark.parametrize("name", BOMBS)
def test_compressed_texts(folder, little_memory, name):
    (folder / name).write_bytes(BOMBS[name])
    if name.startswith("cell"):
        assert len(read_text_table(name).cells) < 2
        return
    with pytest.raises(ValueError, match="it unpacks to more than"):
        read_text_table(name)


@linux
@pytest.mark.parametrize("rows, message", [
    ('<row><c t="n"><v>1</v></c></row>' * 1_000_000, "the unpacked bytes are more than the limit"),
    ('<row><c r="XFD1"><v>1</v></c></row>' * 2000, "it has more than 4,194,304 cells"),
    ('<row r="1000000000000"><c r="A1"><v>1</v></c></row>', "it has more than 1,048,576 rows"),
    ('<row r="1"><c r="ZZZZZZ1"><v>1</v></c></row>', "it is no workbook that can be read"),
])  # fmt: skip
def test_workbooks_that_grow(folder, little_memory, rows, message):
    workbook(folder / "bomb.xlsx", rows)
    for read in (read_text_table, read_table, lambda path: open_file(path, Roles(), {})):
        with pytest.raises(ValueError, match=message):
            read("bomb.xlsx")


@linux
def test_one_long_cell_makes_no_others_as_long(folder, little_memory):
    (folder / "long.csv").write_text("a,b,y\n" + "1.5,<LOD,no\n" * 100_000 + f"2.5,{'9' * 5000},yes\n")
    table = read_text_table("long.csv", ReadingOptions(missing=("<LOD", "-99")))
    assert table.notes[-1] == "100,000 cells with '<LOD', '-99' read as missing"


@linux
def test_one_cell_far_away_makes_no_others(folder, little_memory):
    book = openpyxl.Workbook()
    for line in TABLE.splitlines():
        book.active.append([float(cell) if cell[0].isdigit() else cell for cell in line.split(",")])
    book.active["XFD1048576"] = 1
    book.save("far.xlsx")
    table = read_text_table("far.xlsx")
    assert table.cells.shape == (41, 5)
    assert table.cells[:40, :4].tolist() == [line.split(",") for line in TABLE.splitlines()[1:]]


@linux
@pytest.mark.parametrize("name, text, message", [
    ("far.svm", "1 100000000:1\n0 1:1\n", "it has 100,000,001 features, and at most 1,048,576 are read"),
    ("big.mtx", COORDINATES + "1000000000 1000000000 2\n1 1 1\n2 2 2\n", "1,000,000,000 rows, and at most"),
    ("wide.mtx", COORDINATES + "3 1000000000 2\n1 1 1\n2 2 2\n", "1,000,000,000 features, and at most"),
    ("lies.mtx", COORDINATES + "9 9 9000000000\n1 1 1\n", "promises 9,000,000,000 values"),
    ("dense.mtx", "%%MatrixMarket matrix array real general\n100000 100000\n1\n", "promises 10,000,000,000 values"),
    ("lines.svm.gz", "1 1:1\n" * 5_000_000, "it unpacks to more than"),
])  # fmt: skip
def test_sparse_tables_with_far_more_features_than_values(folder, capsys, little_memory, name, text, message):
    (folder / name).write_bytes(gzip.compress(text.encode()) if name.endswith(".gz") else text.encode())
    with pytest.raises(ValueError, match=f"cannot read '{name}': .*{message}"):
        open_table(name)
    for command in ("rank", "describe"):
        status, said = run(capsys, command, name, "--task", "unsupervised")
        assert status == 2
        assert message in said
    with pytest.raises(ValueError, match=message):
        open_file(name, Roles(), {})


@pytest.mark.parametrize("end, message", [
    ("3 2 0,5\n", "line 5 has '0,5' among numbers"),  # SciPy reads 0
    ("3 2 0.5x\n", "line 5 has '0.5x' among numbers"),
    ("3 2 0.5\x02", "line 5 has '0.5\\\\x02' among numbers"),  # SciPy ends the process
    ("3 2 1e", "its last number, '1e', is cut off"),  # here, too
    ("3 2 0.5 7\n", "promises 9 numbers, and it has 10"),
    ("3 2 1.234.567\n", "line 5 has '1.234.567' among numbers"),  # and 1.234
    ("3 2 2-3\n", "line 5 has '2-3' among numbers"),
    ("3 2 1e5e2\n", "line 5 has '1e5e2' among numbers"),
    ("3 2\nx0.5\n", "line 6 has 'x0.5' among numbers"),
    ("3 2 0.5\n", ""),
    ("3 2 0.5\r\n\r\n", ""),
    ("3 2 nan", ""),
    ("3 2 -1.5E-3\n", ""),
    ("3 2 5e+2\n", ""),
])  # fmt: skip
@pytest.mark.parametrize("ending", [".mtx", ".mtx.gz"])
def test_numbers_of_a_matrix_market(folder, capsys, ending, end, message):
    content = (COORDINATES + "3 2 3\n1 1 0.25\n2 2 2.5\n" + end).encode()
    name = f"x{ending}"
    (folder / name).write_bytes(gzip.compress(content) if ending.endswith(".gz") else content)
    if message:
        with pytest.raises(ValueError, match=f"cannot read '{name}': .*{message}"):
            open_table(name)
        status, said = run(capsys, "rank", name, "--task", "unsupervised")
        assert status == 2
        assert name in said
        return
    last = float(end.split()[2])
    expected = [[0.25, 0], [0, 2.5], [0, last]]
    np.testing.assert_array_equal(open_table(name).X.toarray(), expected)


def test_whole_numbers_of_a_matrix_market_have_no_points(folder):
    Path("whole.mtx").write_text(COORDINATES.replace("real", "integer") + "3 2 2\n1 1 4\n2 2 2.7\n")
    with pytest.raises(ValueError, match=r"line 4 has '2\.7' among whole numbers"):
        open_table("whole.mtx")


@pytest.mark.parametrize("symmetry", ["general", "symmetric", "skew-symmetric"])
@pytest.mark.parametrize("is_sparse", [False, True])
def test_a_matrix_market_with_half_of_its_values(folder, symmetry, is_sparse):
    A = np.random.default_rng(0).normal(size=(7, 7))
    A = {"general": A, "symmetric": A + A.T, "skew-symmetric": A - A.T}[symmetry]
    scipy.io.mmwrite("half.mtx", sp.csr_array(A) if is_sparse else A, symmetry=symmetry)
    X = open_table("half.mtx").X
    np.testing.assert_allclose(X.toarray() if is_sparse else X, A, rtol=1e-12)


def test_entries_of_one_cell_are_added_and_a_note_says_so(folder, capsys):
    rows = [f"{i + 1} {j + 1} {(3 * i + 5 * j) % 7 + 1}" for i in range(12) for j in range(2)]
    for n_more, note in (
        (0, ""),
        (1, "1 entry for cells that have a value already: values of one cell are added"),
        (2, "2 entries for cells that have a value already: values of one cell are added"),
    ):
        Path("twice.mtx").write_text(f"{COORDINATES}12 2 {24 + n_more}\n" + "\n".join([*rows, *rows[:n_more]]) + "\n")
        assert open_table("twice.mtx").X[0, 0] == 1 + (n_more > 0)
        status, said = run(capsys, "rank", "twice.mtx", "--task", "unsupervised")
        assert status == 0, said
        assert note in said
        assert ("have a value already" in said) == (n_more > 0)
        opened = open_file("twice.mtx", Roles(), {})
        assert any("have a value already" in text for text in opened.notes) == (n_more > 0)


@linux
def test_a_sparse_array_with_far_more_features_than_values(folder, little_memory):
    sp.save_npz("far.npz", sp.csr_array(([1.0], [10**9], [0, 1]), shape=(1, 10**9 + 1)))
    with pytest.raises(ValueError, match="it has 1,000,000,001 features, and at most 1,048,576"):
        open_table("far.npz")


@linux
@pytest.mark.parametrize("content, message", [
    (HEAD + b"1\t7\trs0\tG\tA\t.\t.\t.\tGT\t0/1\t0/0\n" * 300_000, "has more than 262,144 lines"),
    (HEAD + b"1\t7\trs0\tG\tA\t.\t.\t.\tGT" + b"\t0/1" * 20_000_000 + b"\n", "line 3 of .* has bytes that are more"),
    (HEAD.rstrip() + b"\tP" * 5_000_000 + b"\n", "has more than 262,144 columns"),
    (HEAD + (b"1\t7\trs0\tG\tA" + b",A" * 900 + b"\t.\t.\t.\tGT\t0/1\t0/0\n") * 400, "has more than 262,144 variants"),
])  # fmt: skip
def test_compressed_vcf(folder, little_memory, content, message):
    (folder / "study.vcf.gz").write_bytes(gzip.compress(content, 3))
    with pytest.raises(ValueError, match=message):
        read_genotypes("study.vcf.gz")


@linux
def test_a_compressed_fam(folder, little_memory):
    path = write_bed(folder, codes(6, 3))
    path.with_suffix(".fam").write_bytes(gzip.compress(b"f p 0 0 1 1\n" * 300_000))
    with pytest.raises(ValueError, match=r"study\.fam has more than 262,144 lines"):
        read_genotypes(path)


# --- Damaged files ----------------------------------------------------------------------------------------------------


PACKS = {".gz": gzip.compress, ".bz2": bz2.compress, ".xz": lzma.compress}


def damaged(pack):
    """Contents of damaged files, cut at many places, or with another byte; and whether they must be refused."""
    content = PACKS[pack]((TABLE * 20).encode())
    for place in range(7, len(content), max(len(content) // 23, 1)):
        yield content[:place], True
        yield content[:place] + bytes([content[place] ^ 0xFF]) + content[place + 1 :], False


@pytest.mark.parametrize("pack", PACKS)
def test_damaged_tables_are_refused_by_all_options(folder, capsys, pack):
    bed = write_bed(folder, codes(6, 3))
    name = f"x.csv{pack}"
    ways = (
        ["rank", name, "--target", "y", "--method", "relieff"],
        ["describe", name],
        ["rank", "t.csv", "--target", "y", "--method", "relieff", "--feature-groups", name],
        ["rank", "t.csv", "--target", f"{name}:y", "--method", "relieff"],
        ["rank", "t.csv", "--target", "y", "--method", "relieff", "--covariate", f"{name}:b"],
        ["rank", bed, "--phenotype", name],
        ["rank", bed, "--covariate", f"{name}:b"],
        ["describe", bed, "--phenotype", name],
    )
    for k, (content, is_cut) in enumerate(damaged(pack)):
        (folder / name).write_bytes(content)
        status, said = run(capsys, *ways[k % len(ways)])
        assert status == 2 or not is_cut, said
        if not is_cut:
            continue
        assert name in said
        with pytest.raises(ValueError, match=r"x\.csv"):
            open_file(name, Roles(), {})


def test_a_damaged_table_beside_is_blamed_alone(folder, capsys):
    (folder / "x.csv.gz").write_bytes(gzip.compress(TABLE.encode())[:60])
    status, said = run(capsys, "rank", "t.csv", "--target", "x.csv.gz:y")
    assert (status, said.startswith("orange-reliefe: cannot read 'x.csv.gz': it is damaged or cut off")) == (2, True), (
        said
    )
    assert "t.csv" not in said


BOOKS = sorted(Path(Orange.__file__).parent.glob("tests/xlsx_files/*.xls"))


@pytest.mark.skipif(not BOOKS, reason="Orange is installed without its tests, which have workbooks of old Excel")
def test_damaged_workbooks(folder, capfd):
    content = BOOKS[0].read_bytes()
    rng = np.random.default_rng(0)
    for k in range(200):
        changed = bytearray(content)
        if k % 2:
            del changed[int(rng.integers(len(content))) :]
        else:
            for place in rng.integers(0, 1024 if k % 4 else len(content), 4):
                changed[place] = int(rng.integers(256))
        (folder / "x.xls").write_bytes(changed)
        with suppress(ValueError):
            read_text_table("x.xls")
    assert capfd.readouterr() == ("", "")  # xlrd prints what it finds, unless told otherwise


# --- Outputs ----------------------------------------------------------------------------------------------------------


@linux
@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")  # of the zip, which closes again
def test_a_workbook_on_a_full_disk(folder, capsys, monkeypatch):
    @contextmanager
    def full(path):
        yield "/dev/full"

    monkeypatch.setattr(results, "replacing", full)
    status, said = run(capsys, "rank", "t.csv", "--target", "y", "--method", "relieff", "--output", "o.xlsx")
    assert status == 2
    assert "No space left on device" in said


@linux
def test_a_name_that_is_not_in_utf_8(folder):
    name = os.fsdecode(b"t\xff.csv")
    (folder / name).write_text(TABLE)
    outputs = ["--report", "r.html", "--output", "o.json", "--plot", "p.svg"]
    command = [sys.executable, "-m", "orangecontrib.reliefe", "rank", name, "--target", "y", "--method", "relieff"]
    done = subprocess.run([*command, *outputs], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")
    assert "1  " in done.stdout
    for output in outputs[1::2]:
        assert (folder / output).read_text(encoding="utf-8")


def test_a_shape_that_hardly_any_bytes_fill(folder, capsys):
    """HDF5, zarr and Parquet store what is missing, or repeated, in no bytes, and declare any shape."""
    h5py = pytest.importorskip("h5py")
    zarr = pytest.importorskip("zarr")
    pyarrow = pytest.importorskip("pyarrow")
    parquet = pytest.importorskip("pyarrow.parquet")
    shape = (10**9, 10**6)
    with h5py.File("x.h5", "w") as file:
        file.create_dataset("x", shape, "f8", chunks=(1000, 1000))
    zarr.open(store="x.zarr", mode="w", shape=shape, chunks=(1000, 1000), dtype="f8")
    column = pyarrow.DictionaryArray.from_arrays(np.zeros(5 * 10**6, np.int8), ["a"])
    parquet.write_table(pyarrow.table({"a": column, "b": column, "y": column}), "x.parquet")
    (folder / "y.csv").write_text("y\n" + "1\n2\n" * 20)
    for name, declared in (
        ("x.h5", "1,000,000,000 rows and 1,000,000 columns"),
        ("x.zarr", "1,000,000,000 rows and 1,000,000 columns"),
        ("x.parquet", "5,000,000 rows and 3 columns"),
    ):
        target = [] if name == "x.parquet" else ["--target", "y.csv"]
        status, text = run(capsys, "rank", name, *target)
        assert status == 2
        assert f"cannot read '{name}': it declares {declared}" in text


def test_virtual_datasets_have_their_values_elsewhere(folder):
    h5py = pytest.importorskip("h5py")
    X = np.random.default_rng(0).normal(size=(30, 4))
    with h5py.File("values.h5", "w") as file:
        file["x"] = X
    layout = h5py.VirtualLayout(X.shape, X.dtype)
    layout[:] = h5py.VirtualSource("values.h5", "x", X.shape)
    with h5py.File("virtual.h5", "w") as file:
        file.create_virtual_dataset("x", layout)
    assert np.array_equal(np.asarray(open_table("virtual.h5").X), X)


def test_a_cell_of_very_many_digits(folder, capsys):
    """Patterns of numbers take time in proportion to a cell, of which half a million digits is one."""
    (folder / "long.csv").write_text(TABLE + f"s41,{'9' * 500_000}x,1.5,no\n")
    begin = time.process_time()
    run(capsys, "describe", "long.csv")
    assert time.process_time() - begin < 60  # hours where they took the square of it


# --- Something is missing ---------------------------------------------------------------------------------------------


def test_a_header_without_rows(folder, capsys):
    (folder / "head.csv").write_text("a,b,y\n")
    for command in ("rank", "describe"):
        assert "cannot read 'head.csv': it has no rows below its header" in run(capsys, command, "head.csv")[1]


def test_constant_features_are_said():
    y = np.arange(20) % 2
    note = "no feature has two different values: scores say nothing"
    for X in (np.ones((20, 3)), sp.csr_array((20, 3)), np.full((20, 2), np.nan)):
        assert note in rank(X, y, "relieff").info["warnings"]
    assert note not in rank(np.column_stack([np.ones(20), y]), y, "relieff").info["warnings"]


def test_a_workbook_whose_first_sheet_is_a_note_names_the_others(folder, capsys):
    book = openpyxl.Workbook()
    book.active.append(["This study was made in 2020"])
    for line in ("by us", "and others")[:2]:
        book.active.append([line])
    data = book.create_sheet("data")
    for line in TABLE.splitlines():
        data.append([float(cell) if cell[0].isdigit() else cell for cell in line.split(",")])
    book.save("note.xlsx")
    assert "Read the sheet 'Sheet'; others (--sheet NAME): 'data'" in run(capsys, "rank", "note.xlsx")[1]
    assert run(capsys, "rank", "note.xlsx", "--sheet", "data", "--target", "y", "--method", "relieff")[0] == 0


def test_formulas_without_values_are_named(folder, capsys):
    book = openpyxl.Workbook()
    for i, line in enumerate(TABLE.splitlines()):
        cells = [float(cell) if cell[0].isdigit() else cell for cell in line.split(",")]
        book.active.append([None, *cells[:3], f"=C{i + 1}*2" if i else "double", cells[3]])
    book.save("formula.xlsx")
    said = run(capsys, "rank", "formula.xlsx", "--target", "y", "--method", "relieff")[1]
    assert "Formulas without values: 'double'. Excel or LibreOffice computes them: save the workbook there" in said


def test_a_fam_with_titles(folder):
    path = write_bed(folder, codes(6, 3))
    without = read_genotypes(path)
    fam = path.with_suffix(".fam")
    fam.write_text("#FID\tIID\tPAT\tMAT\tSEX\tPHENO1\n" + fam.read_text())
    data = read_genotypes(path)
    assert data.people.tolist() == without.people.tolist()
    assert data.notes[0] == "the first line of study.fam has titles (#FID, IID, PAT and 3 more), and is left out"


def test_classes_of_numbers_are_named_as_in_the_file(folder):
    (folder / "y01.csv").write_text("a,b,y\n" + "".join(f"{i % 7}.5,{i * i % 11}.25,{i % 2}\n" for i in range(40)))
    code = (
        "import orangecontrib.reliefe.tests.without_orange\n"
        "from orangecontrib.reliefe.command.cli import main\n"
        "main(['describe', 'y01.csv', '--target', 'y'])\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert "Target 'y': 2 classes, 20 '0', 20 '1'" in done.stdout, done.stderr


def test_columns_with_equal_names_beside_a_target(folder):
    from pandas import DataFrame

    frame = DataFrame(np.arange(60).reshape(20, 3) % 7, columns=["a", "a", "y"])
    assert describe(frame, "y").features == 2
    with pytest.raises(ValueError, match="several columns are called 'a'"):
        describe(frame, "a")


def test_levels_in_columns_are_joined_into_paths(folder, capsys):
    rows = [f"{i % 7}.5,{'AB'[i % 2]},{'AB'[i % 2]}{i % 3}" for i in range(30)]
    rows[4] = rows[4].rpartition(",")[0] + ","
    (folder / "levels.csv").write_text("a,level1,level2\n" + "\n".join(rows) + "\n")
    paths = [row.split(",")[1] + "/" * bool(row.split(",")[2]) + row.split(",")[2] for row in rows]
    lines = [f"{i % 7}.5,{path}" for i, path in enumerate(paths)]
    (folder / "paths.csv").write_text("\n".join(["a,path", *lines]) + "\n")
    both = ("--target", "level1", "--target", "level2", "--task", "hierarchical")
    status, said = run(capsys, "rank", "levels.csv", *both, "--method", "pct")
    assert status == 0, said
    assert "Levels 'level1', 'level2' joined into paths, for example 'A/A0'" in said
    joined = run(capsys, "rank", "paths.csv", "--target", "path", "--task", "hierarchical", "--method", "pct")[1]
    assert said.splitlines()[-1] == joined.splitlines()[-1]
    (folder / "levels.csv").write_text("a,level1,level2\n1,A/B,C\n2,A,D\n3,A,D\n")
    assert "the value 'A/B' of 'level1' has '/' in it" in run(capsys, "rank", "levels.csv", *both)[1]
