"""Text tables as R, SPSS, Excel, loggers and people save them."""

import csv
import gzip
import io

import numpy as np
import openpyxl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from orangecontrib.reliefe.core.data import limits
from orangecontrib.reliefe.tabular import ReadingOptions, read_text_table

NAMES = ["age", "height", "dose", "outcome"]
ROWS = [[f"{20 + i}", f"{1.5 + i / 100:.3f}", f"{(i * 7) % 11 - 5}.25", "yes" if i % 3 else "no"] for i in range(12)]


def read(tmp_path, text, ending=".csv", encoding="utf-8", **options):
    path = tmp_path / f"data{ending}"
    path.write_bytes(text if isinstance(text, bytes) else text.encode(encoding))
    return read_text_table(path, ReadingOptions(**options))


def lines(rows, separator=","):
    return "".join(separator.join(row) + "\n" for row in rows)


def quoted(row):
    return [f'"{cell}"' for cell in row]


# --- R ----------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("separator", [",", ";", "\t", "|", " "])
@pytest.mark.parametrize("row_name", [str, "patient {}".format, "GSM{}".format], ids=["numbers", "blanks", "codes"])
def test_names_of_rows_that_have_no_column(tmp_path, separator, row_name):
    """R's write.table writes names of rows below a header that has no cell for them."""
    body = [[f'"{row_name(i + 1)}"', *row[:3], f'"{row[3]}"'] for i, row in enumerate(ROWS)]
    table = read(tmp_path, lines([quoted(NAMES), *body], separator), ".txt")
    assert table.names == NAMES
    assert table.cells.tolist() == ROWS
    assert table.row_names == [row_name(i + 1) for i in range(len(ROWS))]
    assert table.notes[-1 if separator in ",\t" else 0].startswith("Names of rows left out ")


def test_a_table_of_two_columns_with_names_of_rows(tmp_path):
    table = read(tmp_path, "a,y\n" + "".join(f"r{i},{i}.5,{'no' if i % 2 else 'yes'}\n" for i in range(9)))
    assert table.names == ["a", "y"]
    assert table.cells.shape == (9, 2)


@pytest.mark.parametrize("text, error", [
    ("a,b\n1,2,3,4\n5,6,7,8\n", "row 1 .* has 4 cells, and its header has 2"),
    ("a,b,c\n1,2,3\n4,5,6,7\n8,9,1\n", "row 2 .* has 4 cells"),
    ("a,b,c,d\n1,2,x\n3,4,y\n", "its header has 4 cells, and no row has more than 3"),
    ("a,b\nx,1,2\nx,3,4\n", "'x' must not occur twice")])  # fmt: skip
def test_rows_that_do_not_fit_the_header_are_refused(tmp_path, text, error):
    with pytest.raises(ValueError, match=error):
        read(tmp_path, text)


def test_separators_at_the_ends_of_lines_are_no_columns(tmp_path):
    table = read(tmp_path, "a,b,\n1,2,\n3,4,\n")
    assert (table.names, table.cells.tolist(), table.notes) == (["a", "b"], [["1", "2"], ["3", "4"]], [])
    table = read(tmp_path, "a,b\n1,2,\n3,4,\n")
    assert table.cells.tolist() == [["1", "2"], ["3", "4"]]


def test_rows_that_end_early_are_missing_values(tmp_path):
    """Excel leaves out empty cells at the ends of lines."""
    table = read(tmp_path, "a,b,c\n1,2,3\n4,5\n6,7,8\n")
    assert table.cells.tolist() == [["1", "2", "3"], ["4", "5", ""], ["6", "7", "8"]]
    assert table.notes == ["1 row ends before the last column: these cells are read as missing"]


# --- Lines around the table -------------------------------------------------------------------------------------------


@pytest.mark.parametrize("above", [
    "# made by a logger\n# units: mm\n", "% of MATLAB\n", "!Series_title\tx\n", "// of C\n", "## of a VCF\n#\n",
    "Weight study, 2024\n\n", "Report\n,,,\n", '"Table 1: all people"\n', "#a, comment, with, commas\n"])  # fmt: skip
def test_lines_above_the_header_are_left_out(tmp_path, above):
    table = read(tmp_path, above + lines([NAMES, *ROWS]))
    assert table.names == NAMES
    assert table.cells.tolist() == ROWS
    assert "left out" in table.notes[0]


@pytest.mark.parametrize("header", ["#age,height,dose,outcome", "# age,height,dose,outcome"])
def test_a_header_may_look_like_a_comment(tmp_path, header):
    table = read(tmp_path, f"# of a study\n{header}\n" + lines(ROWS))
    assert table.names == NAMES
    assert table.notes == ["1 comment left out: '# of a study'"]


def test_a_number_sign_may_name_the_column_of_row_numbers(tmp_path):
    table = read(tmp_path, "#,a,b\n1,2.5,x\n2,3.5,y\n")
    assert table.header == [["", "a", "b"]]


@pytest.mark.parametrize(
    "below", ["Source: WHO\n", "\n(12 rows affected)\n", "Source: WHO, 2020\nall rights reserved\n"]
)
def test_lines_below_the_table_are_left_out(tmp_path, below):
    table = read(tmp_path, lines([NAMES, *ROWS]) + below)
    assert table.cells.tolist() == ROWS
    assert "below the table left out" in table.notes[0]


def test_lines_are_skipped(tmp_path):
    text = "x,y,z,u\nx,y,z,u\n" + lines([NAMES, *ROWS])
    assert read(tmp_path, text, skip_lines=2).cells.tolist() == ROWS
    with pytest.raises(ValueError, match="2 lines, all of which are to be skipped"):
        read(tmp_path, "a\n1\n", skip_lines=5)


# --- Header -----------------------------------------------------------------------------------------------------------


def test_a_first_line_of_values_is_no_header(tmp_path):
    table = read(tmp_path, lines(ROWS))
    assert (table.header, len(table.cells)) == ([], 12)
    assert table.notes[0].startswith("The first line has values instead of names ('20', '1.500', '-5.25'")
    assert table.names == ["Feature 1", "Feature 2", "Feature 3", "Feature 4"]


def test_a_first_line_that_may_be_values_is_doubted(tmp_path):
    table = read(tmp_path, lines([[*row[:3], f"person {i}"] for i, row in enumerate(reversed(ROWS))][3:]))
    assert "add --no-header" in table.notes[0]
    table = read(tmp_path, lines([["0.5", "1", "x"], ["0.1", "2", "y"], ["0.9", "1", "z"]]), header=False)
    assert (table.header, table.notes) == ([], [])


def test_years_and_wavelengths_are_names(tmp_path):
    for names in (["gene", "2019", "2020"], ["400.5", "401.2", "class"]):
        table = read(tmp_path, lines([names, *([f"{i}.5", f"0.{i}", "xyz"[i % 3]] for i in range(9))]))
        assert (table.names, table.notes) == (names, [])


# --- Separators -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("ending", [".csv", ".txt", ".tab"])
@pytest.mark.parametrize("separator", [",", ";", "\t", "|"])
def test_separators_are_found(tmp_path, separator, ending):
    table = read(tmp_path, lines([NAMES, *ROWS], separator), ending)
    assert table.cells.tolist() == ROWS


def test_columns_that_are_aligned_by_blanks(tmp_path):
    text = "".join("".join(f"{cell:>12}" for cell in row) + "\n" for row in [NAMES, *ROWS])
    table = read(tmp_path, text, ".txt")
    assert (table.names, table.cells.tolist()) == (NAMES, ROWS)
    assert table.notes == ["Read with blanks between columns"]


def test_a_column_of_sentences_is_one_column(tmp_path):
    table = read(tmp_path, "what was said\n" + "it was cold\n" * 5, ".csv")
    assert table.cells.shape == (5, 1)


def test_line_ends_of_old_macs(tmp_path):
    table = read(tmp_path, lines([NAMES, *ROWS]).replace("\n", "\r"))
    assert table.cells.tolist() == ROWS


# --- Encodings --------------------------------------------------------------------------------------------------------

TEXTS = {
    "cp1250": "višina,teža,spol\n1,2,moški\n3,4,ženska\n",
    "cp1251": "рост,вес,пол\n1,2,мужской\n3,4,женский\n",
    "cp1252": "größe,länge,klasse\n1,2,männlich\n3,4,weiblich\n",
    "cp932": "身長,体重,性別\n1,2,男\n3,4,女\n",
    "gb18030": "身高,体重,性别\n1,2,男\n3,4,女\n",
    "mac_roman": "taille,âge,prénom\n1,2,René\n3,4,Zoë\n",
}


@pytest.mark.parametrize("encoding", TEXTS)
def test_encodings_are_found_and_said(tmp_path, encoding):
    text = TEXTS[encoding]
    table = read(tmp_path, text, encoding=encoding)
    assert lines([table.names, *table.cells.tolist()]) == text
    assert "since the file does not say its encoding" in table.notes[0]
    table = read_text_table(tmp_path / "data.csv", ReadingOptions(encoding=encoding))
    assert (lines([table.names, *table.cells.tolist()]), table.notes) == (text, [])


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "utf-32"])
@pytest.mark.parametrize("text", TEXTS.values(), ids=TEXTS)
def test_encodings_that_files_declare_are_not_said(tmp_path, encoding, text):
    table = read(tmp_path, text, encoding=encoding)
    assert (lines([table.names, *table.cells.tolist()]), table.notes) == (text, [])


@pytest.mark.parametrize("encoding", ["utf-16-le", "utf-16-be"])
def test_utf16_without_a_mark(tmp_path, encoding):
    table = read(tmp_path, TEXTS["cp1252"], encoding=encoding)
    assert table.names == ["größe", "länge", "klasse"]
    assert table.notes == [f"Read as {encoding.upper()}, since every second byte is zero"]


def test_damaged_utf8_stays_utf8(tmp_path):
    table = read(tmp_path, (TEXTS["cp1251"] * 3).encode() + b"1,2,\xd0\n")
    assert table.names == ["рост", "вес", "пол"]
    assert table.notes[0].startswith("1 letter in UTF-8 cannot be read")


def test_encodings_that_do_not_fit_are_refused(tmp_path):
    with pytest.raises(ValueError, match=r"no encoding 'cp125O'; choose from .*cp125"):
        read(tmp_path, "a\n1\n", encoding="utf-8", decimal=",") and ReadingOptions(encoding="cp125O")
    path = tmp_path / "x.csv"
    path.write_bytes("a,b\n1,é\n".encode("latin-1"))
    with pytest.raises(ValueError, match="line 2 is not in the encoding utf-8"):
        read_text_table(path, ReadingOptions(encoding="utf-8"))
    path.write_bytes(b"\x7fELF\0\0\1\0\0a\0")
    with pytest.raises(ValueError, match="binary data, not text"):
        read_text_table(path)


# --- Numbers ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("write, note", [
    ("{:,.2f}".format, "Read without the commas between thousands: 'x'"),
    ("{:.2f} %".format, "Read as numbers without the unit: 'x' (%)"),
    ("{:.2f}%".format, "Read as numbers without the unit: 'x' (%)"),
    ("${:,.2f}".format, "Read without the commas between thousands: 'x'"),
    ("{:.2f} kg".format, "Read as numbers without the unit: 'x' (kg)"),
    ("{:.2f}cm".format, "Read as numbers without the unit: 'x' (cm)"),
    (lambda v: f"{v:.2f} €".replace(".", ","), "Read with decimal commas"),
    (lambda v: f"{v:,.2f}".replace(",", " "), "Read without the points or blanks between thousands: 'x'"),
    (lambda v: f"{v:,.2f}".replace(",", "'"), "Read without the points or blanks between thousands: 'x'")],
    ids=["thousands", "percent", "attached", "dollars", "unit", "cm", "euros", "blanks", "swiss"])  # fmt: skip
def test_numbers_as_people_write_them(tmp_path, write, note):
    values = [1234.5 * (i + 1) - 3000 for i in range(12)]
    buffer = io.StringIO()
    csv.writer(buffer).writerows([["x", "y"], *([write(v), "ab"[i % 2]] for i, v in enumerate(values))])
    table = read(tmp_path, buffer.getvalue())
    assert note in table.notes
    np.testing.assert_allclose(table.cells[:, 0].astype(float), np.round(values, 2))


@pytest.mark.parametrize("numbers", [["1.5", "2.5"], ["1 234", "5 678"], ["1'234.5", "5'678.5"]])
def test_infinite_values_are_counted(tmp_path, numbers):
    text = "a,b\n" + "".join(f"{number},x\n" for number in [*numbers, "inf", "-inf"] * 3)
    assert read(tmp_path, text).n_infinite == 6


def test_categories_with_units_stay_categories(tmp_path):
    for words in (
        ["5 mg", "10 mg"],
        ["1 of 3", "2 of 3"],
        ["117_at", "118_at", "119_at", "120_at", "121_at", "122_at"],
    ):
        table = read(tmp_path, "dose\n" + "\n".join(words * 6) + "\n")
        assert (table.cells[:, 0].tolist(), table.notes) == (words * 6, [])


# --- Workbooks --------------------------------------------------------------------------------------------------------


def save_workbook(path, **sheets):
    book = openpyxl.Workbook()
    book.remove(book.active)
    for name, rows in sheets.items():
        sheet = book.create_sheet(name)
        for row in rows:
            sheet.append(row)
    book.save(path)


def test_workbooks_with_titles_and_several_sheets(tmp_path):
    path = tmp_path / "study.xlsx"
    plain = [NAMES, *([int(row[0]), float(row[1]), float(row[2]), row[3]] for row in ROWS)]
    save_workbook(path, Data=[["A study of 12 people"], [], *plain, [], ["Source: us"]], Notes=[["nothing"]])
    table = read_text_table(path)
    assert table.names == NAMES
    assert table.cells.astype(str)[:, 3].tolist() == [row[3] for row in ROWS]
    assert table.notes[0] == "Read the sheet 'Data'; others (--sheet NAME): 'Notes'"
    assert len(table.cells) == 12
    with pytest.raises(ValueError, match="it has no rows below its header"):
        read_text_table(path, ReadingOptions(sheet="Notes"))
    with pytest.raises(ValueError, match="no sheet 'Date'; choose from 'Data', 'Notes'"):
        read_text_table(path, ReadingOptions(sheet="Date"))


def test_rows_above_the_table_of_a_workbook_are_counted_as_its_program_shows_them(tmp_path):
    path = tmp_path / "study.xlsx"
    save_workbook(path, Data=[[], ["seen", "by", "us", "2024"], [], NAMES, *ROWS])
    table = read_text_table(path, ReadingOptions(skip_lines=3))
    assert table.names == NAMES
    assert table.cells.shape == (12, 4)
    with pytest.raises(ValueError, match="it has 16 rows, all of which are to be skipped"):
        read_text_table(path, ReadingOptions(skip_lines=16))


def test_columns_as_the_user_says(tmp_path):
    text = "a,b,c\n1,-99,x\n2,-99.0,-99\n3,4,y\n"
    table = read(tmp_path, text, drop=("a",), missing=("-99",), categories=("b",))
    assert table.names == ["b", "c"]
    assert table.cells.tolist() == [["", "x"], ["", ""], ["4", "y"]]
    assert table.categories == {"b"}
    assert table.notes == ["1 column left out: 'a'", "3 cells with '-99' read as missing"]
    with pytest.raises(ValueError, match="all columns are to be left out"):
        read(tmp_path, text, drop=("a", "b", "c"))


# --- Limits -----------------------------------------------------------------------------------------------------------


def test_lines_of_compressed_files_are_bounded(tmp_path):
    path = tmp_path / "data.csv.gz"
    path.write_bytes(gzip.compress(b"a,b\n" + b"1,2\n" * 300_000))
    with pytest.raises(ValueError, match=r"data\.csv\.gz: it unpacks to more than 262,144 lines"):
        read_text_table(path)
    bits = np.random.default_rng(0).integers(0, 2, (20_000, 2))
    path.write_bytes(gzip.compress(("a,b\n" + "".join(f"{a},{b}\n" for a, b in bits)).encode()))
    assert len(read_text_table(path).cells) == 20_000
    assert path.stat().st_size > 20_000 / limits.LINES_PER_BYTE


# --- Any of them together ---------------------------------------------------------------------------------------------

numbers = st.floats(-1e6, 1e6).map(lambda value: f"{value:.3f}")
words = st.sampled_from(["no", "yes", "perhaps", "größer", "ženska"])


@given(
    body=st.lists(st.tuples(numbers, numbers, words), min_size=6, max_size=20),
    separator=st.sampled_from([",", ";", "\t", "|"]),
    quotes=st.booleans(),
    row_names=st.sampled_from([None, "{}", "row {}"]),
    above=st.sampled_from(["", "# of a logger\n", "Title\n\n"]),
    encoding=st.sampled_from(["utf-8", "utf-8-sig", "utf-16"]),
    line_end=st.sampled_from(["\n", "\r\n", "\r"]),
    decimal=st.sampled_from([".", ","]),
)
def test_dialects(tmp_path_factory, body, separator, quotes, row_names, above, encoding, line_end, decimal):
    if decimal == separator:
        quotes = True
    rows = [["first", "second", "third"], *map(list, body)]
    written = [[cell.replace(".", decimal) for cell in row] for row in rows]
    if row_names:
        written = [row if i == 0 else [row_names.format(i), *row] for i, row in enumerate(written)]
    text = above + lines([quoted(row) if quotes else row for row in written], separator)
    table = read(tmp_path_factory.mktemp("dialects"), text.replace("\n", line_end), encoding=encoding)
    assert table.names == rows[0]
    assert table.cells.tolist() == rows[1:]


# --- Found by the harness (fuzz/dialects.py) --------------------------------------------------------------------------


@pytest.mark.parametrize("mark", [" ", "\u00a0", "'"])
def test_decimal_points_behind_thousands_stay(tmp_path, mark):
    """Three digits behind a point are decimals where another mark separates thousands."""
    table = read(tmp_path, "x,y\n" + "".join(f"{i + 1}{mark}234.567,{'ab'[i % 2]}\n" for i in range(9)))
    assert table.values("x").tolist() == [1000 * (i + 1) + 234.567 for i in range(9)]


def test_units_behind_decimal_points_between_semicolons(tmp_path):
    table = read(tmp_path, "x;y\n" + "".join(f"{i}.597 kg;{i}.25\n" for i in range(9)))
    assert table.values("x").tolist() == [float(f"{i}.597") for i in range(9)]


@pytest.mark.parametrize("write", ["{:.2f}", "{:.2f} kg", "€{:.2f}", "{:,.2f}"])
@pytest.mark.parametrize("word", ["n/a", "#N/A", "missing", "NaN"])
@pytest.mark.parametrize("decimal", [".", ","])
def test_words_for_missing_values_in_short_tables(tmp_path, write, word, decimal):
    values = [1000.25 + i for i in range(8)]
    texts = [write.format(value).translate({ord(","): " ", ord("."): decimal}) for value in values]
    table = read(tmp_path, "x\ty\n" + "".join(f"{text}\ta\n" for text in [*texts, word]), ".tab")
    np.testing.assert_array_equal(table.values("x"), [*values, np.nan])


def test_other_words_in_short_tables_are_doubted(tmp_path):
    for write in ("{:.2f}", "{:.2f} kg"):
        table = read(tmp_path, "x,y\n" + "".join(f"{write.format(i)},a\n" for i in range(8)) + "fehlt,b\n")
        assert table.doubts == [
            "No numbers, since some cells are none (if they are missing values, empty them or add --missing fehlt): "
            "'x' ('fehlt')"
        ]


@pytest.mark.parametrize("unit", [" kg", "%", " €", "°C"])
def test_signs_of_minus_before_units(tmp_path, unit):
    table = read(tmp_path, "x,y\n" + "".join(f"\u2212{i}.5{unit},a\n" for i in range(8)))
    assert table.values("x").tolist() == [-i - 0.5 for i in range(8)]


def test_whole_numbers_among_points_before_three_digits_are_doubted(tmp_path):
    table = read(tmp_path, "x,y\n108.534,a\n-171,b\n27.367,a\n")
    assert table.notes == [
        "Read with decimal points, though they stand before three digits and may separate thousands: 'x'"
    ]


@pytest.mark.parametrize("separator", [" ", "|", ";", "\t"])
@pytest.mark.parametrize("write", ["{:.1f}".format, "{:.4f}".format, '"{:.4f}"'.format], ids=["1", "4", "quotes"])
def test_decimal_commas_cut_no_cells(tmp_path, separator, write):
    """Commas would cut these lines into equally many cells; the names have none."""
    values = [[(i + 1) * 1.25, 100.5 - i] for i in range(9)]
    body = [[*(write(value).replace(".", ",") for value in row), "ab"[i % 2]] for i, row in enumerate(values)]
    for above in ("", "# x = 1, y = 2\n", "A study of some 9 rats, 2024\n"):
        table = read(tmp_path, above + lines([["x", "y", "z"], *body], separator) + "Source: WHO\n", ".txt")
        assert table.names == ["x", "y", "z"]
        assert table.values("x").tolist() == [float(write(row[0]).strip('"')) for row in values]


def test_commas_between_cells_with_blanks(tmp_path):
    table = read(tmp_path, "height (mm),dose\n" + "".join(f"{i}1,5 mg\n{i}2,10 mg\n" for i in range(9)))
    assert table.names == ["height (mm)", "dose"]


@pytest.mark.parametrize("blank", ["\u00a0", "\u202f"])
def test_blanks_in_numbers_separate_no_columns(tmp_path, blank):
    body = [[str(i), f"{i + 1}{blank}234.5"] for i in range(9)]
    table = read(tmp_path, lines([["a", "b"], *body], " "), ".txt")
    assert (table.names, table.row_names) == (["a", "b"], [])
    assert table.values("b").tolist() == [1000 * (i + 1) + 234.5 for i in range(9)]


@pytest.mark.parametrize("ending", [".csv", ".xlsx"])
def test_an_empty_cell_at_the_end_of_a_header_of_r(tmp_path, ending):
    """Spreadsheets make all lines equally long, so that names would be one column off."""
    rows = [["a", "y", ""], *([f"s{i}", f"{i}.5", "no"] for i in range(9))]
    path = tmp_path / f"data{ending}"
    if ending == ".csv":
        path.write_text(lines(rows))
    else:
        save_workbook(path, Data=rows)
    with pytest.raises(ValueError, match="its header has 2 names, and its rows have 3 cells"):
        read_text_table(path)
    table = read(tmp_path, "x,y,\n" + "1,2,a\n" * 5 + "1,2,\n" * 5)
    assert table.notes == ["The last column has no name: if the header is one cell short, give each column a name"]


@pytest.mark.parametrize("above", [
    ["Weight study"], ["2024"], ["Table 1", "", "Report: all, at once"], ["A study of rats"]])  # fmt: skip
@pytest.mark.parametrize("missing", ["", "n/a"])
def test_titles_above_two_and_three_columns(tmp_path, above, missing):
    for names in (["x", "y"], ["x", "y", "z"]):
        body = [[missing, "a", "b"][: len(names)], *([f"{i}.5", "ab"[i % 2], "b"][: len(names)] for i in range(9))]
        table = read(tmp_path, "\n".join([*above, lines([names, *body])]))
        assert table.names == names
        assert len(table.cells) == 10
        assert "above the header left out" in table.notes[0]


def test_a_number_sign_below_a_title(tmp_path):
    table = read(tmp_path, "Weight study\n\n#IID,age,y\n" + "".join(f"P{i},{i},a\n" for i in range(9)))
    assert table.names == ["IID", "age", "y"]


@pytest.mark.parametrize("cell", ["", "n/a", "\u22121.5", "#N/A", "#DIV/0!"])
def test_a_header_behind_a_number_sign_above_a_missing_value(tmp_path, cell):
    table = read(tmp_path, f"#x,y\n{cell},a\n" + "".join(f"{i}.5,b\n" for i in range(9)))
    assert table.names == ["x", "y"]


def test_a_comment_that_is_one_cell_short_is_no_header(tmp_path):
    table = read(tmp_path, "# unit: mm, s\n" + "".join(f"{i}.5,{i},{'ab'[i % 2]}\n" for i in range(9)))
    assert (len(table.cells), table.row_names) == (9, [])


@pytest.mark.parametrize("write", [
    "{:.2f} kg", "€{:.2f}", "1'{:03d}.5", "\u2212{:.2f}", "{:.1f} a-b", "--{}.5 kg", "1.00{}.000,5 m+"])  # fmt: skip
def test_a_first_line_of_numbers_as_people_write_them_is_no_header(tmp_path, write):
    rows = [[write.format(i % 7), "ab"[i % 2]] for i in range(9)]
    table = read(tmp_path, lines(rows))
    assert (table.header, len(table.cells)) == ([], 9)
    assert table.notes[0].startswith("The first line has values instead of names")


def test_a_missing_value_is_no_name_out_of_range(tmp_path):
    table = read(tmp_path, "5.5,nan,low\n" + "".join(f"{i}.5,{i},{'low' if i % 2 else 'high'}\n" for i in range(9)))
    assert (table.header, len(table.cells)) == ([], 10)


def test_a_first_line_of_texts_that_occur_again_is_no_header(tmp_path):
    table = read(tmp_path, ",yes\n1.5,no\n2.5,yes\n" * 3)
    assert (table.header, len(table.cells)) == ([], 9)
    assert table.notes == ["The first line has values instead of names ('', 'yes'): columns are numbered"]
    for text in ("x,y\n1.5,no\nx,y\n2.5,yes\n", "x,y\nx,no\na,yes\n", ",y\n1,a\n2,b\n"):
        assert read(tmp_path, text).names[1] == "y"


@pytest.mark.parametrize("separator", [",", ";", "\t", "|"])
def test_blanks_in_one_name_of_a_header_of_r_separate_nothing(tmp_path, separator):
    """Blanks cut all of these lines into two cells, and the separator all but the first one into three."""
    body = [[f"patient {i}", f"{i}.5", "ab"[i % 2]] for i in range(9)]
    table = read(tmp_path, lines([["height (mm)", "y"], *body], separator))
    assert (table.names, len(table.row_names)) == (["height (mm)", "y"], 9)


def test_quoted_commas_between_blanks(tmp_path):
    table = read(tmp_path, "".join(f'"{i}.5" "{"low" if i % 3 else "high, very"}"\n' for i in range(9)), header=False)
    assert table.cells[:2].tolist() == [["0.5", "high, very"], ["1.5", "low"]]


def test_short_rows_without_a_header_are_said(tmp_path):
    table = read(tmp_path, "1,2,3\n4,5\n6,7,8\n")
    assert table.notes == ["1 row ends before the last column: these cells are read as missing"]


def test_encodings_are_found_in_time_linear_in_the_longest_word(tmp_path):
    """A search from each byte of a long word to its end would take minutes, and is ended by no interrupt."""
    table = read(tmp_path, b"word,x\n" + b"a" * 10**5 + b"\xe9 b\xe9e,1\nb,2\n")
    assert table.cells[0, 0].endswith("\u00e9 b\u00e9e")
