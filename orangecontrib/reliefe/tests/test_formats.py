"""Names of files: which are read, by whom, and what is said about the others."""

import re
import subprocess
import sys

import numpy as np
import pytest

from orangecontrib.reliefe import formats, read_table
from orangecontrib.reliefe.command import cli
from orangecontrib.reliefe.orange.jobs.open_data import Roles, open_file

N = 60
rng = np.random.default_rng(0)
CLASSES = np.arange(N) % 2
VALUES = np.column_stack([CLASSES + rng.normal(0, 0.3, N), *rng.normal(size=(2, N))]).round(3)


def cells(separator=",", classes=("no", "yes")):
    """A table whose feature a tells the classes apart."""
    rows = [["a", "b", "c", "y"]]
    rows += [[*map(str, row), classes[y]] for row, y in zip(VALUES.tolist(), CLASSES.tolist(), strict=True)]
    return "\n".join(separator.join(row) for row in rows) + "\n"


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    return tmp_path


def run(capsys, *arguments):
    status = cli.main([*arguments])
    out, err = capsys.readouterr()
    return status, out + err


def best(capsys, *arguments):
    """Name of the best feature, and all that is printed."""
    status, text = run(capsys, "rank", *arguments, "--method", "relieff")
    assert status == 0, text
    return next(line.split()[1] for line in text.splitlines() if line.startswith("1  ")), text


@pytest.mark.parametrize("name, separator", [
    ("measurements.CSV", ","), ("Study.Csv", ";"), ("T.TSV", "\t"), ("T.TAB", "\t"), ("T.TXT", " "),
    ("table.data", ","), ("table.DATA", ","), ("run.dat", " "), ("run.dat", "\t"),
])  # fmt: skip
def test_endings_of_texts_in_any_case(folder, capsys, name, separator):
    (folder / name).write_text(cells(separator))
    assert best(capsys, name, "--target", "y")[0] == "a"
    assert run(capsys, "describe", name, "--target", "y")[0] == 0
    assert [v.name for v in read_table(name, "y").domain.attributes] == ["a", "b", "c"]
    assert len(open_file(str(folder / name), Roles("y"), {}).table) == N


@pytest.mark.parametrize("name", ["BOOK.XLSX", "book.Xlsx", "book.XLSM"])
def test_endings_of_workbooks_in_any_case(folder, capsys, name):
    from openpyxl import Workbook

    book = Workbook()
    for line in cells().splitlines():
        book.active.append([float(cell) if cell[-1].isdigit() else cell for cell in line.split(",")])
    book.save(name)
    assert best(capsys, name, "--target", "y")[0] == "a"
    assert len(open_file(str(folder / name), Roles("y"), {}).table) == N


@pytest.mark.parametrize("name, said", [
    ("study.dta", "study.dta is a file of Stata. Save it as CSV by two lines of Python: import pandas; "
                  "pandas.read_stata('study.dta').to_csv('study.csv', index=False)"),
    ("SURVEY.SAV", "by two lines of Python (after pip install pyreadstat): import pandas; "
                   "pandas.read_spss('SURVEY.SAV').to_csv('SURVEY.csv', index=False)"),
    ("trial.sas7bdat", "pandas.read_sas('trial.sas7bdat', encoding=\"infer\").to_csv('trial.csv', index=False)"),
    ("study.bcf", "study.bcf is a BCF. Convert it by bcftools view study.bcf -Oz -o study.vcf.gz, or by plink2 --bcf"),
    ("study.ped", "Make a .bed of it by plink --file study --make-bed --out study"),
    ("study.fam", "study.fam stands beside 'study.bed': name that file, not 'study.fam'"),
    ("study.psam", "study.psam stands beside 'study.pgen': name that file, not 'study.psam'"),
    ("massspec.raw", "massspec.raw is of a kind that is not read: save it as CSV. Files that are read: .csv, .tsv"),
    ("frame.rds", 'write.csv(readRDS("frame.rds"), "frame.csv", row.names = FALSE)'),
    ("paper.pdf", "paper.pdf is of a kind that is not read: save it as CSV. Files that are read: .csv, .tsv, .tab"),
    ("noending", "noending is of a kind that is not read: save it as CSV. Files that are read: .csv, .tsv, .tab, .txt"),
    ("folder", "folder is a folder: give a file in it. Files that are read: .csv, .tsv, .tab, .txt"),
])  # fmt: skip
def test_files_of_other_programs_are_converted_or_refused(folder, capsys, name, said):
    if name == "folder":
        (folder / name).mkdir()
    else:
        (folder / name).write_bytes(b"<stata_dta>")
    for command in ("rank", "describe"):
        status, text = run(capsys, command, name)
        assert status == 2
        assert said in text, text
    with pytest.raises(ValueError, match=re.escape(said)):
        read_table(name)
    with pytest.raises(ValueError, match=re.escape(said)):
        open_file(name, Roles(), {})


def test_all_formats_are_listed_and_known():
    listed = formats.readable_sentence()
    for row in formats.FORMATS:
        for ending in row.endings:
            assert row.kind == formats.PICKLE or f"{ending}," in f"{listed};".replace(";", ","), ending
        for ending in row.all_endings:
            assert formats.kind_of(f"/x.y/A b{ending.upper()}") == row.kind
    assert formats.kind_of("x.gz") is formats.kind_of("csv") is formats.kind_of("a.csv.zip") is None


def test_a_name_without_its_ending_names_the_file(folder, capsys):
    (folder / "none.bed").write_bytes(b"")
    status, text = run(capsys, "rank", "none")
    assert (status, "the genotypes are in 'none.bed': name that file, not 'none'" in text) == (2, True), text
    (folder / "none.CSV").write_text(cells())
    status, text = run(capsys, "rank", "none.C")
    assert "choose from" in text


def test_the_same_is_said_without_orange(folder):
    (folder / "study.dta").write_bytes(b"<stata_dta>")
    (folder / "M.DATA").write_text(cells())
    (folder / "none.bed").write_bytes(b"")
    code = (
        "import orangecontrib.reliefe.tests.without_orange\n"
        "from orangecontrib.reliefe.command.cli import main\n"
        "main(['rank', 'study.dta']); main(['rank', 'none']); main(['rank', 'M.DATA', '--target', 'y'])\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert "study.dta is a file of Stata. Save it as CSV by two lines of Python" in done.stderr
    assert "the genotypes are in 'none.bed': name that file, not 'none'" in done.stderr
    assert "M: 60 rows, 3 features, target y (2 classes: no, yes)" in done.stdout


def test_sets_of_labels_of_libsvm(folder, capsys):
    second = np.arange(N) % 3 == 0
    sets = [",".join(label for label, has in (("0", a), ("2", b)) if has) for a, b in zip(CLASSES, second, strict=True)]
    lines = [
        f"{labels}{' ' * bool(labels)}1:{row[0]} 2:{row[1]} 3:{row[2]}"
        for labels, row in zip(sets, VALUES.tolist(), strict=True)
    ]
    (folder / "several.svm").write_text("\n".join(lines) + "\n")
    status, text = run(capsys, "rank", "several.svm", "--method", "reliefe")
    assert status == 0, text
    assert "targets label 0, label 2 (multi-label)" in text
    assert next(line.split()[1] for line in text.splitlines() if line.startswith("1  ")) == "1"
    assert "is for classification, not for multi-label" in run(capsys, "rank", "several.svm", "--method", "relieff")[1]
    opened = open_file(str(folder / "several.svm"), Roles(), {}).table
    assert [v.name for v in opened.domain.class_vars] == ["label 0", "label 2"]
    np.testing.assert_array_equal(opened.Y, np.column_stack([CLASSES, second]))


@pytest.mark.parametrize("limit", ["<0.2", "< 0,2", ">100", "<LOD"])
def test_limits_of_detection_are_named_with_the_option(folder, capsys, limit):
    lines = cells(";").splitlines()
    for row in (3, 9, 20):
        lines[row] = ";".join([limit, *lines[row].split(";")[1:]])
    (folder / "limit.csv").write_text("\n".join(lines))
    _, text = best(capsys, "limit.csv", "--target", "y")
    assert f"add --missing '{limit}'): 'a' ('{limit}')" in text
    name, text = best(capsys, "limit.csv", "--target", "y", "--missing", limit)
    assert name == "a"
    assert f"3 cells with '{limit}' read as missing" in text
    assert "No numbers" not in text


def test_limits_of_detection_in_all_columns(folder, capsys):
    lines = cells().splitlines()
    for j, limit in enumerate(("<0.2", "<0.05", "<1")):
        for row in (3 + j, 9 + j):
            lines[row] = ",".join(limit if k == j else cell for k, cell in enumerate(lines[row].split(",")))
    (folder / "limits.csv").write_text("\n".join(lines))
    status, text = run(capsys, "rank", "limits.csv", "--target", "y")
    assert status == 2
    assert "add --missing '<0.2'): 'a' ('<0.2'), 'b' ('<0.05'), 'c' ('<1')" in text
    assert best(capsys, "limits.csv", "--target", "y", *(f"--missing=<{x}" for x in ("0.2", "0.05", "1")))[0] == "a"


def test_many_limits_of_detection_in_a_column(folder, capsys):
    lines = cells().splitlines()
    for row in range(1, 9):
        lines[row] = ",".join([f"<0.{row}", *lines[row].split(",")[1:]])
    (folder / "limits.csv").write_text("\n".join(lines))
    assert "add --missing '<0.1'" in best(capsys, "limits.csv", "--target", "y")[1]
