"""Known tables, and how other programs and people write them: a case of `dialects` is a table and a dialect.

A dialect is a dictionary; what it does not name is as `PLAIN` has it.  Everything is made at random from a few lists,
so that their combinations are new in every run.
"""

import csv
import io
from collections.abc import Sequence
from pathlib import Path

import numpy as np

from .kinds import Case
from .mutations import pick

# Words that are names or classes, by a group of languages whose letters the encodings have.
WORDS = {
    "ascii": ("age", "height", "dose", "blood pressure", "X1", "Sepal.Length", "bmi_0", "left", "right", "A/B",
              "T cell"),
    "central": ("višina", "teža", "spol", "moški", "ženska", "věk", "źródło", "część", "őszi", "łódź", "Číslo", "šum"),
    "western": ("größe", "länge", "männlich", "prénom", "âge", "año", "señal", "façade", "Åse", "naïve", "Übung", "çà"),
    "cyrillic": ("рост", "вес", "пол", "мужской", "женский", "возраст", "Город", "щука", "объём", "яблоко", "эхо"),
    "japanese": ("身長", "体重", "性別", "男性", "女性", "年齢", "データ", "名前", "東京", "測定値", "カナ",
                 "ひらがな"),
}  # fmt: skip
ENCODINGS = {  # that programs write these words in
    "ascii": ("cp1252",),
    "central": ("cp1250",),
    "western": ("cp1252", "mac_roman"),
    "cyrillic": ("cp1251",),
    "japanese": ("cp932",),
}
UNICODE = ("utf-8", "utf-8", "utf-8", "utf-8-sig", "utf-16", "utf-16-le", "utf-16-be")
PLAIN: Case = {
    "separator": ",", "encoding": "utf-8", "line_end": "\n", "quotes": "needed", "decimal": ".", "thousands": "",
    "minus": "-", "missing": "", "above": [], "below": [], "blank_lines": [], "short_rows": False, "trailing": "",
    "header": "names", "row_names": "none", "padded": False, "ending": ".csv", "reader": "text", "options": {},
}  # fmt: skip
SEPARATORS = (",", ";", "\t", "|", " ")
ENDINGS = {",": (".csv", ".txt"), ";": (".csv", ".txt"), "\t": (".tsv", ".tab", ".txt", ".csv"), "|": (".csv", ".txt"),
           " ": (".txt", ".csv")}  # fmt: skip
MISSING = ("", "", "", "NA", "nan", "NaN", "?", ".", "N/A", "n/a", "NULL", "null", "None", "-", "--", "missing", "n.a.",
           "#N/A", "<NA>", "unknown", "no data", "fehlt")  # fmt: skip
PREFIXES = ("$", "€", "£")
SUFFIXES = (" %", "%", " kg", "kg", "cm", " mmol/l", " €", "€", "°C", " °C", " years", "ms", " USD")
THOUSANDS = {".": (",", " ", "'", "\u00a0", "\u202f"), ",": (".", " ", "'", "\u00a0", "\u202f")}
COMMENTS = (
    "# made by a logger", "#", "# unit: mm, s, kg", "% of MATLAB", "! of GEO", "// of C", "#a;b;c", "# 12 rows",
    "# a, b", '# "quoted", text', "##fileformat=X", "# 2024-01-02 12:30", "!Sample_title\tA\tB", "%", "#\t\t",
    "# x = 1.5; y = 2",
)  # fmt: skip
TITLES = ("A study of rats", "Table 1", "Weight study, 2024", "Exported from SPSS", "Report: 12 people; all", "2024",
          "Results (n = 40)", "Name: Smith", "Table 2. Values, by site, and year")  # fmt: skip
FOOTERS = ("Source: WHO", "(12 rows affected)", "Source: WHO, 2020", "* p < 0.05", "Total rows: 12", "Note: a, b; c",
           "[end]", "Copyright 2020")  # fmt: skip
MOST_FEATURES = 6


def make_table(rng: np.random.Generator) -> Case:
    """A known table: "names", "columns" of floats or texts or None (missing), how numbers are "shown", "row_names".

    The last column is the target, of classes.
    """
    language = pick(list(WORDS), rng)
    words = [*dict.fromkeys([*WORDS[language], *(WORDS["ascii"] if rng.random() < 0.3 else ())])]
    n, p = int(rng.integers(8, 41)), int(rng.integers(1, MOST_FEATURES + 1))
    order = rng.permutation(len(words)).tolist()
    names = [f"{words[k]}{pick(('', '', '2', '.x', ' (mm)'), rng)}" for k in order[: p + 1]]
    missing = rng.random() < 0.3
    columns, styles = [], []
    for j in range(p + 1):
        is_number = j < p and (j == 0 or rng.random() < 0.75)
        values, style = _numbers(rng, n) if is_number else _classes(rng, n, words)
        if missing and (j < p or rng.random() < 0.2):
            lacks = rng.random(n) < 0.15
            values = [None if lack else value for value, lack in zip(values, lacks.tolist(), strict=True)]
        columns.append(values)
        styles.append(style)
    row_names = [str(i + 1) for i in range(n)]
    if rng.random() < 0.6:
        base = pick(("s{}", "patient {}", "GSM{}", "{}a", "1e{}", "r.{}", words[0] + "{}"), rng)
        row_names = [base.format(i + 1) for i in range(n)]
    return {"names": names, "columns": columns, "styles": styles, "labels": row_names, "language": language}


def _numbers(rng: np.random.Generator, n: int) -> tuple[list, Case]:
    """n numbers that are written with so many places, and what is written around them."""
    places = int(rng.integers(0, 5))
    scale = pick((1.0, 10.0, 1000.0, 1e5, 1e7), rng)
    shift = pick((0.0, 0.0, 1.0), rng)
    kind = rng.random()
    values = (
        rng.random(n) if kind < 0.6 else rng.standard_normal(n) if kind < 0.9 else np.exp(2 * rng.standard_normal(n))
    )
    values = np.round((values + shift) * scale, places) + 0.0
    style: Case = {"places": places}
    if rng.random() < 0.15 and len(set(values.tolist())) > n // 2 + 4:
        style["prefix" if rng.random() < 0.3 else "suffix"] = ""
        style = {
            name: pick(PREFIXES if name == "prefix" else SUFFIXES, rng) if name != "places" else places
            for name in style
        }
    elif rng.random() < 0.1:
        style["exponent"] = True
        values = np.array([float(f"{value:.{places}e}") for value in values])
    elif rng.random() < 0.1:
        style["plus"] = True
    return values.tolist(), style


def _classes(rng: np.random.Generator, n: int, words: Sequence[str]) -> tuple[list, Case]:
    levels = pick((("yes", "no"), ("case", "control"), ("A", "B", "C"), tuple(words[:2]), tuple(words[-3:]), ("+", "-"),
                   ("M", "F"), ("low", "high, very"), ("a b", "c d"), ("I", "II", "III"), ("5 mg", "10 mg"),
                   ("<5", "5-10", ">10"), ("T", "F"), ("it's", "its")), rng)  # fmt: skip
    codes = rng.integers(0, len(levels), n)
    codes[: len(levels)] = range(len(levels))
    return [levels[code] for code in codes.tolist()], {}


def make_dialect(table: Case, rng: np.random.Generator) -> Case:
    """A dialect that can express the table; only what differs from `PLAIN`."""
    dialect: Case = {"separator": pick(SEPARATORS, rng)}
    separator = dialect["separator"]
    dialect["ending"] = pick(ENDINGS[separator], rng)
    dialect["quotes"] = pick(("needed", "needed", "texts", "all"), rng)
    if rng.random() < 0.35:
        dialect["decimal"] = ","
    if rng.random() < 0.15 and (dialect.get("decimal") or any(style.get("places") for style in table["styles"])):
        marks = THOUSANDS[dialect.get("decimal", ".")]
        dialect["thousands"] = pick([mark for mark in marks if separator != ";" or mark != ","], rng)
    if rng.random() < 0.15:
        dialect["minus"] = "\u2212"
    if rng.random() < 0.7:
        dialect["missing"] = pick(MISSING, rng)
    if rng.random() < 0.25:
        dialect["above"] = [pick(COMMENTS, rng) for _ in range(int(rng.integers(1, 4)))]
    elif rng.random() < 0.2:
        dialect["above"] = [pick((*TITLES, ""), rng) for _ in range(int(rng.integers(1, 4)))]
    if rng.random() < 0.15:
        footers = [footer for footer in FOOTERS if footer.count(separator) + 1 < len(table["names"])]
        dialect["below"] = [pick((*footers, ""), rng) for _ in range(int(rng.integers(1, 3)))]
    if rng.random() < 0.15:
        dialect["blank_lines"] = sorted(rng.integers(0, len(table["labels"]), 2).tolist())
    if rng.random() < 0.1 and separator != " ":
        dialect["trailing"] = pick(("all", "rows"), rng)
    elif rng.random() < 0.1:
        dialect["short_rows"] = True
    how = rng.random()
    if how < 0.3:
        dialect["row_names"] = pick(("short", "short", "corner"), rng)
    elif how < 0.4:
        dialect["header"] = pick(("none", "#"), rng)
        above = dialect.get("above", [])
        if dialect["header"] == "none" and not all(line.startswith(("#", "%", "!", "//")) for line in above):
            del dialect["above"]  # titles would be names
    dialect["padded"] = bool(separator != "\t" and rng.random() < 0.15)
    dialect["line_end"] = pick(("\n", "\n", "\r\n", "\r"), rng)
    dialect["encoding"] = pick(ENCODINGS[table["language"]] if rng.random() < 0.35 else UNICODE, rng)
    dialect["reader"] = pick(("text", "text", "table", "table", "command"), rng)
    if rng.random() < 0.1:
        dialect |= {"ending": ".xlsx", "encoding": "utf-8", "trailing": "", "padded": False, "short_rows": False}
    elif rng.random() < 0.1:
        dialect["ending"] += ".gz"
    options = {"decimal": dialect.get("decimal", "."), "encoding": dialect["encoding"], "header": True}
    if dialect["ending"] != ".xlsx" and rng.random() < 0.2:
        name = pick(list(options), rng)
        if name != "header" or dialect.get("header") != "none":
            dialect["options"] = {name: options[name]}
    if dialect.get("header") == "none" and rng.random() < 0.5:
        dialect["options"] = {"header": False}
    return {name: value for name, value in dialect.items() if value != PLAIN[name]}


def rows_of(case: Case) -> list[list[str]]:
    """The cells of the table as its dialect writes them, with the header if there is one."""
    dialect = PLAIN | case["dialect"]
    columns = [
        [_written(value, style, dialect) for value in values]
        for values, style in zip(case["columns"], case["styles"], strict=True)
    ]
    names = [*case["names"]]
    if dialect["row_names"] != "none":
        columns.insert(0, [*case["labels"]])
    if dialect["row_names"] == "corner":
        names.insert(0, "")
    if dialect["header"] == "#":
        names[0] = f"#{names[0]}"
    header = [] if dialect["header"] == "none" else [names]
    return [*header, *map(list, zip(*columns, strict=True))]


def _written(value: object, style: Case, dialect: Case) -> str:
    """A value as text."""
    if value is None:
        return str(dialect["missing"])
    if isinstance(value, str):
        return value
    if style.get("exponent"):
        text = f"{value:.{style['places']}e}"
    else:
        text = f"{value:{'+' * style.get('plus', False)},.{style['places']}f}"
    marks = str.maketrans({",": dialect["thousands"], ".": dialect["decimal"], "-": dialect["minus"]})
    text = text.translate(marks)
    sign = text[: text[:1] in "+-\u2212"]
    return f"{sign}{style.get('prefix', '')}{text[len(sign) :]}{style.get('suffix', '')}"


def text_of(case: Case) -> str:
    """The text of the file, with line feeds."""
    dialect = PLAIN | case["dialect"]
    rows = rows_of(case)
    n_header = dialect["header"] != "none"
    lines = []
    for i, row in enumerate(rows):
        if dialect["short_rows"] and i >= n_header:
            while len(row) > 1 and not row[-1]:
                row = row[:-1]
        is_name = [i < n_header or (dialect["row_names"] != "none" and j == 0) for j in range(len(row))]
        cells = [_cell(cell, name, dialect) for cell, name in zip(row, is_name, strict=True)]
        if dialect["padded"]:
            cells = [cell.rjust(12) for cell in cells]
        if dialect["trailing"] == "all" or (dialect["trailing"] == "rows" and i >= n_header):
            cells.append("")
        lines.append(dialect["separator"].join(cells))
    for place in reversed(dialect["blank_lines"]):
        lines.insert(place + n_header, "")
    return "\n".join([*dialect["above"], *lines, *dialect["below"]]) + "\n"


def _cell(cell: str, is_name: bool, dialect: Case) -> str:
    """A cell with quotes where the dialect has them, or the cell needs them."""
    needed = dialect["separator"] in cell or '"' in cell or "\n" in cell or (dialect["separator"] == " " and not cell)
    is_text = is_name or not any(map(str.isdigit, cell))
    if needed or dialect["quotes"] == "all" or (dialect["quotes"] == "texts" and is_text and cell):
        out = io.StringIO()
        csv.writer(out, quoting=csv.QUOTE_ALL, lineterminator="").writerow([cell])
        return out.getvalue()
    return cell


def encoding_of(case: Case) -> str:
    """The encoding of the file: UTF-8 where the one of the dialect lacks a letter, or gives another one back."""
    encoding, text = case["dialect"].get("encoding", "utf-8"), text_of(case)
    return encoding if text.encode(encoding, "replace").decode(encoding).removeprefix("\ufeff") == text else "utf-8"


def write(case: Case, folder: str) -> Path:
    """Write the file of a case; returns its path."""
    import gzip

    from openpyxl import Workbook

    dialect = PLAIN | case["dialect"]
    path = Path(folder) / f"table{dialect['ending']}"
    if dialect["ending"] == ".xlsx":
        book = Workbook()
        rows = rows_of(case)
        for line in dialect["above"]:
            book.active.append([line])
        for row in rows:
            book.active.append(row)
        for line in dialect["below"]:
            book.active.append([line])
        book.save(path)
        return path
    data = text_of(case).replace("\n", dialect["line_end"]).encode(encoding_of(case))
    path.write_bytes(gzip.compress(data) if dialect["ending"].endswith(".gz") else data)
    return path
