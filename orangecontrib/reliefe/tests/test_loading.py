"""Text files as they come: delimiters, decimal commas, row numbers, and what is said about them."""

import gzip
import io
import sys
from shlex import quote

import numpy as np
import pandas as pd
import pytest

from orangecontrib.reliefe import rank
from orangecontrib.reliefe.command.loading import read_source
from orangecontrib.reliefe.command.target_column import problem

EUROPEAN = "Read with ';' between columns and decimal commas"


def read(tmp_path, text, ending=".csv", encoding="utf-8"):
    path = tmp_path / f"data{ending}"
    path.write_text(text, encoding=encoding)
    return read_source(str(path))


def kinds(source):
    return {v.name: type(v).__name__.removesuffix("Variable") for v in source.table.domain.variables}


def column(source, name):
    return source.table.get_column(name).tolist()


ROWS = [("1,5", "-2", "3,25"), ("0,001", "4", "?"), (",5", "1", "1,5e3"), ("+7", "", "-0,5")] * 10
VALUES = [1.5, 0.001, 0.5, 7.0], [-2.0, 4.0, 1.0, np.nan], [3.25, np.nan, 1500.0, -0.5]


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "latin-1"])
@pytest.mark.parametrize("names", [["a", "größe", "y"], ["400,5", "b", "C#y"], None], ids=["names", "commas", "none"])
def test_decimal_commas(tmp_path, names, encoding):
    rows = [*([names] if names else []), *ROWS]
    source = read(tmp_path, "".join(";".join(row) + "\n" for row in rows), encoding=encoding)
    expected = [name.removeprefix("C#") for name in names] if names else ["Feature 1", "Feature 2", "Feature 3"]
    assert [v.name for v in source.table.domain.variables] == expected
    assert source.notes[-1] == EUROPEAN
    for name, values in zip(expected, VALUES, strict=True):
        np.testing.assert_array_equal(source.table.get_column(name), values * 10)
    assert len(source.table) == len(ROWS)


def test_standard_input_with_decimal_commas(monkeypatch):
    text = "a;y\n" + "".join(f"{i},5;{i % 7},25\n" for i in range(40))
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(text.encode())))
    source = read_source("-")
    assert (kinds(source), source.notes) == ({"a": "Continuous", "y": "Continuous"}, (EUROPEAN,))


def test_quoted_decimal_commas_between_commas(tmp_path):
    source = read(tmp_path, "a,b,y\n" + "".join(f'"{i},5",{i}.125,"{i % 9},25"\n' for i in range(40)))
    assert source.notes == ("Read with decimal commas",)
    assert column(source, "a") == [i + 0.5 for i in range(40)]
    assert column(source, "b") == [i + 0.125 for i in range(40)]


def test_points_and_blanks_between_thousands(tmp_path):
    rows = "".join(f"{i}.234,5;{i} 000\u00a0000,25;{i}\n" for i in range(1, 41))
    source = read(tmp_path, f"a;b;n\n{rows}")
    assert source.notes == (EUROPEAN, "Read without the points or blanks between thousands: 'a', 'b'")
    assert column(source, "a") == [1000 * i + 234.5 for i in range(1, 41)]
    assert column(source, "b") == [10**6 * i + 0.25 for i in range(1, 41)]


def test_points_that_may_separate_thousands_are_named(tmp_path):
    rows = "".join(f"{i},5;{i}.234;{i}.25\n" for i in range(1, 41))
    source = read(tmp_path, f"a;b;c\n{rows}")
    named = "Read with decimal points, though they stand before three digits and may separate thousands: 'b'"
    assert source.notes == (EUROPEAN, named)
    assert column(source, "b")[0] == 1.234


def test_commas_that_may_separate_thousands_are_no_numbers(tmp_path):
    rows = "".join(f'"{i},234",{i}\n' for i in range(1, 41))
    source = read(tmp_path, f"a,n\n{rows}")
    assert "a" not in [v.name for v in source.table.domain.variables if v.is_continuous]
    (note,) = source.notes
    assert note.startswith("No numbers, since commas before three digits may separate thousands")
    assert note.endswith(": 'a'")


def test_columns_with_another_kind_of_cell_are_left_alone(tmp_path):
    no_numbers = "No numbers, since some cells are none (if they are missing values, empty them or add --missing "
    for cell in ("12,03,2020", "1,5 mg", "a,5", "1.5,5", "1.25", "1,5;"):
        rows = "".join(f'"{cell if i == 30 else f"{i},5"}";{i},5\n' for i in range(40))
        source = read(tmp_path, f"a;b\n{rows}")
        assert source.notes == (
            (EUROPEAN,) if cell == "1.25" else (EUROPEAN, f"{no_numbers}{quote(cell)}): 'a' ({cell!r})")
        )
        assert kinds(source) == {"b": "Continuous"}
        assert column(source, "a")[:2] == ["0,5", "1,5"]


@pytest.mark.parametrize("header", ["D#a;S#b;y", "a;b;y\nd;s;c\n;;"], ids=["prefixes", "three rows"])
def test_types_in_the_header_are_believed(tmp_path, header):
    source = read(tmp_path, header + "\n" + "".join(f"{i % 2},5;{i},5;{i}\n" for i in range(40)))
    assert source.table.domain["a"].values == ("0,5", "1,5")
    assert source.table.domain["b"].is_string


def test_delimiters(tmp_path):
    """Only what differs from the ending of the file is said."""
    for delimiter, ending, notes in (
        (",", ".csv", ()),
        ("\t", ".csv", ()),
        ("\t", ".tab", ()),
        (";", ".csv", ("Read with ';' between columns",)),
    ):
        rows = "".join(delimiter.join((f"{i}.5", f"{i}", "no" if i % 2 else "yes")) + "\n" for i in range(40))
        source = read(tmp_path, delimiter.join(("a", "b", "class")) + "\n" + rows, ending)
        assert (source.notes, len(kinds(source))) == (notes, 3)


def test_packed_texts(tmp_path):
    path = tmp_path / "data.txt.gz"
    path.write_bytes(gzip.compress(b"a b y\n" + b"1.5 2 u\n2.5 3 v\n" * 9))
    assert kinds(read_source(str(path))) == {"a": "Continuous", "b": "Continuous", "y": "Discrete"}


def test_commas_in_texts_do_not_make_semicolons_cut(tmp_path):
    rows = "".join(f"{i},{i % 5},x; y{i % 2}\n" for i in range(40))
    source = read(tmp_path, f"a,b,c; d\n{rows}")
    assert (source.notes, [*kinds(source)]) == ((), ["a", "b", "c; d"])


def test_a_first_line_that_names_the_delimiter(tmp_path):
    rows = "".join(f"{i},x;{i};{'no' if i % 2 else 'yes'}\n" for i in range(40))
    for first in ("sep=;", "\ufeffsep=;", '"SEP=;"\r'):
        source = read(tmp_path, f"{first}\na;b;y\n{rows}")
        assert source.notes == ("Read with ';' between columns",)
        assert column(source, "b") == [*range(40)]
        assert source.header == [["a", "b", "y"]]


def test_signs_of_minus(tmp_path):
    minus = "\N{MINUS SIGN}"
    for number, notes in (("0.5", ()), (f"1e{minus}1", ()), ("0,5", ("Read with decimal commas",))):
        rows = "".join(f'"{"" if i % 2 else minus}{number}",{minus}x\n' for i in range(40))
        source = read(tmp_path, f"a,y\n{rows}")
        assert source.notes == notes
        assert min(column(source, "a")) == -max(column(source, "a")) < 0
        assert source.table.domain["y"].values == (minus + "x",)


def test_words_among_numbers(tmp_path):
    """Words for missing values are missing; other words are named; few numbers, or many words, are classes."""
    kept = "No numbers, since some cells are none (if they are missing values, empty them or add --missing {})"
    taken = "Read as missing among numbers"
    for n, words, note in (
        (40, ["missing"], taken),
        (40, ["Unknown", "--"], taken),
        (40, ["XL"], kept),
        (40, ["missing", "XL"], kept),
        (5, ["missing"], taken),
        (5, ["XL"], kept),
        (4, ["missing"], None),
        (2, ["NULL", "#DIV/0!"], taken),
        (40, ["a", "b", "c"], None),
    ):
        cells = [*(f"{i}.25" for i in range(n)), *words]
        source = read(tmp_path, "a,b\n" + "".join(f"{cell},{k}\n" for k, cell in enumerate(cells)))
        expected = note and f"{note.format(words[-1])}: 'a' ({', '.join(map(repr, words))})"
        assert source.notes == ((expected,) if note else ())
        if note is taken:
            np.testing.assert_array_equal(column(source, "a"), [*map(float, cells[:n]), *(np.nan for _ in words)])


@pytest.mark.parametrize("first", [0, 1])
@pytest.mark.parametrize("name, said", [
    ("", "the first column, which has no name"), ("Unnamed: 0", "'Unnamed: 0'"),
    (",Unnamed: 0", "'Unnamed: 0', the first column, which has no name"),
    ("Unnamed: 0.1,Unnamed: 0", "'Unnamed: 0.1', 'Unnamed: 0'")], ids=["none", "pandas", "both", "twice"])  # fmt: skip
def test_row_numbers_are_no_feature(tmp_path, name, said, first):
    times = len(name.split(","))
    rows = "".join(f"{i + first}," * times + f"{i * i},{i % 7}.5,{i % 3}\n" for i in range(40))
    found = problem(read(tmp_path, f"{name},a,b,class\n{rows}"), None, None, "auto", {})
    assert [v.name for v in found.table.domain.attributes] == ["a", "b"]
    assert {*found.notes[0].removeprefix("Row numbers left out: ").split(", ")} == {*said.split(", ")}
    assert found.table.name == "data"


@pytest.mark.parametrize("name, said", [("Unnamed: 0", "'Unnamed: 0'"), ("", "the first column, which has no name")])
@pytest.mark.parametrize("change", [
    lambda frame: frame.dropna(), lambda frame: frame.sample(frac=1, random_state=0),
    lambda frame: frame.sample(30, random_state=0), lambda frame: frame[frame.a > 9]],
    ids=["dropna", "permuted", "sampled", "chosen"])  # fmt: skip
def test_row_numbers_of_pandas_after_rows_were_left_out_or_permuted(tmp_path, name, said, change):
    frame = pd.DataFrame({"a": np.arange(40.0) ** 2 / 8, "class": np.arange(40) % 3})
    frame.loc[::7, "a"] = np.nan
    found = problem(read(tmp_path, change(frame).to_csv(index_label=name)), None, None, "auto", {})
    assert [v.name for v in found.table.domain.attributes] == ["a"]
    assert f"Row numbers left out: {said}" in found.notes


@pytest.mark.parametrize("values", [
    lambda i: i // 2, lambda i: i + 0.5, lambda i: i - 1, lambda i: "" if i == 2 else i,
], ids=["repeated", "halves", "negative", "gap"])  # fmt: skip
def test_measurements_without_a_name_stay(tmp_path, values):
    rows = "".join(f"{values(i)},{i},{i % 3}\n" for i in range(40))
    found = problem(read(tmp_path, f",a,class\n{rows}"), None, None, "auto", {})
    assert [v.name for v in found.table.domain.attributes] == ["Feature 1", "a"]


def test_row_numbers_that_are_wanted_stay(tmp_path):
    rows = "".join(f"{i},{i},{i + 5}\n" for i in range(40))
    source = read(tmp_path, f"Unnamed: 0,number,a\n{rows}")
    found = problem(source, ["Unnamed: 0"], None, "auto", {})
    assert (found.notes, len(found.table.domain.attributes)) == ([], 3)
    found = problem(read(tmp_path, f"first,number,a\n{rows}"), ["a"], None, "auto", {})
    assert (found.notes, len(found.table.domain.attributes)) == ([], 3)  # only of these two names


GENES = ["BRCA1", "TP53", "EGFR", "MYC", "BRCA2"]
SAMPLES = [f"{kind}_{i}" for kind in ("tumor", "control") for i in range(3)]
HINT = "Each row looks like a feature ('{}', '{}', ...): add --transpose"


def refusal(tmp_path, rows, columns, corner="gene", target=None):
    lines = [",".join([corner, *columns])] + [f"{r}," + ",".join(f"{i}.{j}" for j in range(len(columns))) for i, r in
             enumerate(rows)]  # fmt: skip
    with pytest.raises(ValueError, match="has no") as refused:
        problem(read(tmp_path, "\n".join(lines) + "\n"), target, None, "auto", {})
    return str(refused.value)


@pytest.mark.parametrize("target", [None, ["status"]])
@pytest.mark.parametrize("corner", ["gene", ""])
@pytest.mark.parametrize("genes", [GENES, [f"ENSG{i:011}" for i in range(9)], ["1007_s_at", "1053_at", "117_at"]])
def test_genes_as_rows_are_to_be_transposed(tmp_path, genes, corner, target):
    assert HINT.format(*genes) in refusal(tmp_path, genes, SAMPLES, corner, target)


@pytest.mark.parametrize("columns", [
    ["TCGA-A1-A0SB-01", "TCGA-A2-A04P-01", "TCGA-BH-A0B3-11"], ["AAACCTGAGAAACCAT-1", "AAACCTGAGAAACCGC-1"],
    ["GSM1", "GSM2", "GSM3"]], ids=["patients", "cells", "arrays"])  # fmt: skip
@pytest.mark.parametrize("has_corner", [True, False], ids=["corner", "R"])
def test_barcodes_are_samples(tmp_path, columns, has_corner):
    lines = [",".join(["gene", *columns] if has_corner else columns)]
    lines += [",".join([gene, *(f"{i}.{j}" for j in range(len(columns)))]) for i, gene in enumerate(GENES)]
    with pytest.raises(ValueError, match="add --transpose"):
        problem(read(tmp_path, "\n".join(lines) + "\n"), None, None, "auto", {})


def test_tables_without_features_name_what_they_have(tmp_path):
    rows = "".join(f"{i} of {i + 1} at {i},word {i},{'no' if i % 2 else 'yes'}\n" for i in range(40))
    with pytest.raises(ValueError, match="data has no features to rank: 'a', 'b' have texts"):
        problem(read(tmp_path, f"a,b,y\n{rows}"), ["y"], None, "auto", {})
    with pytest.raises(ValueError, match="data has only one column, 'a~b~y'"):
        problem(read(tmp_path, "a~b~y\n" + "1~2~x\n3~4~y\n" * 9), ["y"], None, "auto", {})


@pytest.mark.parametrize("name, write", [("subject", "{}"), ("Patient ID", "p{}"), ("mouse_no", "{}")])
def test_columns_of_persons_are_said(tmp_path, name, write):
    rows = "".join(f"{write.format(i // 4)},{i},{i % 7}.5,{'no' if i % 2 else 'yes'}\n" for i in range(40))
    asked = f"{name!r} has 10 values in 40 rows"
    assert asked in notes_of_rank(tmp_path, f"{name},a,b,class\n{rows}")
    assert asked not in notes_of_rank(tmp_path, f"{name},a,b,class\n{rows}", groups=name)
    assert "make it the group" not in notes_of_rank(tmp_path, f"site,a,b,class\n{rows}")


def notes_of_rank(tmp_path, text, **options):
    """Notes of a ranking of a table that the command line reads."""
    data = problem(read(tmp_path, text), None, None, "auto", {})
    return " ".join(rank(data.table, "relieff", **options).info["information"])


def test_a_text_column_of_persons_that_is_the_group_needs_no_advice(tmp_path):
    rows = "".join(f"p{i // 2},{i % 7}.5,{'no' if i % 3 else 'yes'}\n" for i in range(80))
    assert "make it the group" in notes_of_rank(tmp_path, f"person,a,class\n{rows}")
    assert "make it the group" not in notes_of_rank(tmp_path, f"person,a,class\n{rows}", groups="person")


@pytest.mark.parametrize("rows, columns", [
    (SAMPLES, GENES), (SAMPLES, [f"x{j}" for j in range(9)]), (["a", "b", "a"], SAMPLES), (GENES, ["age", "height"]),
    (GENES[:2], [f"x{j}" for j in range(30)])],
    ids=["genes", "numbered", "twice", "names", "wide"])  # fmt: skip
def test_other_tables_without_a_target_are_not(tmp_path, rows, columns):
    assert "transpose" not in refusal(tmp_path, rows, columns)


@pytest.mark.parametrize("ending", [".csv", ".arff", ".sparse.arff"])
def test_infinite_values_are_said(tmp_path, ending):
    values = {0: "inf", 3: "-Infinity", 7: "1e999" if ending == ".csv" else "INF", 8: "1e-999", 9: "1E+300"}
    rows = [(values.get(i, f"{i}.5"), i, "inf" if i % 2 else "fine") for i in range(40)]
    head = "a,b,c\n"
    if "arff" in ending:
        head = "@relation r\n@attribute a numeric\n@attribute b numeric\n@attribute c {inf,fine}\n@data\n"
    form = "{{0 {}, 1 {}, 2 {}}}\n" if "sparse" in ending else "{},{},{}\n"
    source = read(tmp_path, head + "".join(form.format(*row) for row in rows), ending)
    assert source.notes == ("3 infinite values were read as missing",)
    assert np.isnan(column(source, "a")).sum() == 3
    source = read(tmp_path, head + "".join(form.format(i, *row[1:]) for i, row in enumerate(rows)), ending)
    assert source.notes == ()


@pytest.mark.parametrize("encoding", ["utf-16", "utf-16-le", "utf-16-be", "utf-8", "cp1252"])
def test_text_files_in_wide_encodings(tmp_path, encoding):
    """A .txt is looked at before it is read: Excel saves Unicode text in UTF-16 with this ending."""
    path = tmp_path / "data.txt"
    path.write_bytes("größe\ty\n1.5\ta\n2.5\tb\n".encode(encoding))
    assert [*kinds(read_source(str(path)))] == ["größe", "y"]
