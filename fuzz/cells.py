"""Mutated text tables, workbooks and sparse texts, plain, compressed and damaged, by every reader that opens them."""

import io
import zipfile
from collections.abc import Callable
from functools import cache
from pathlib import Path

import numpy as np

from .files import damage, mutated_files, written
from .kinds import Action, Case
from .mutations import pick
from .outcome import Refused
from .refusals import refusing

N = 12
ROWS = [(f"s{i}", i % 7 / 2, i * i % 11 / 4, "no" if i % 2 else "yes") for i in range(N)]
SHEET = "xl/worksheets/sheet1.xml"
MEMBERS = (SHEET, "xl/workbook.xml", "xl/sharedStrings.xml", "[Content_Types].xml", "xl/_rels/workbook.xml.rels")
DAMAGED = 0.4  # share of cases with a file that is cut, or in which a byte differs
PACKED = 0.4  # share of texts that are compressed
MEGABYTES = 900  # that a compressed file may need
COORDINATES = "%%MatrixMarket matrix coordinate real general\n"
# Lines that promise much, or cells far away: each text may get one
PROMISES = {
    ".mtx": ("1000000000 1000000000 2\n", "3 1000000000 2\n", "9 9 90000000000\n", "-1 3 1\n", "3 3\n"),
    ".svm": ("1 100000000:1\n", "1 9000000000000:1\n", "0,2 1:.5\n", "inf 1:1\n", "1e300 1:1\n", "1:1\n", "nan 1:1\n"),
    ".csv": ("s,<0.2,<LOD,yes\n", "," * 2000 + "1\n", "a\n", '"', "\x00\x01\n", "s\u00e9,1,1,no\n"),
    ".xlsx": (
        '<row r="1048576"><c r="XFD1048576"><v>1</v></c></row>', '<row r="99999999999"><c r="A1"><v>1</v></c></row>',
        '<row><c r="ZZZZ1"><v>1</v></c></row>', '<row><c t="e"><v>#REF!</v></c></row>', "<row><c><f>1/0</f></c></row>",
        '<row><c t="s"><v>999999</v></c></row>', '<dimension ref="A1:XFD1048576"/>',
    ),
}  # fmt: skip


@cache
def samples() -> tuple[Case, ...]:
    """Small valid files: of every form its files, the first of which is opened."""
    text = "id,a,b,y\n" + "".join(f"{name},{a},{b},{y}\n" for name, a, b, y in ROWS)
    european = text.replace(",", ";").replace(".", ",")
    mtx = COORDINATES + f"{N} 2 {2 * N}\n"
    mtx += "".join(f"{i + 1} {j} {row[j]}\n" for i, row in enumerate(ROWS) for j in (1, 2))
    svm = "".join(f"{i % 2} 1:{row[1]} 2:{row[2]}\n" for i, row in enumerate(ROWS))
    sets = "".join(f"{'0,2' if i % 2 else '1'} 1:{row[1]} 2:{row[2]}\n" for i, row in enumerate(ROWS))
    forms = [
        {"x.csv": text}, {"x.CSV": european}, {"x.tsv": text.replace(",", "\t")}, {"x.dat": text.replace(",", " ")},
        {"x.txt": text}, {"x.mtx": mtx}, {"x.svm": svm}, {"x.svm": sets}, {"x.xlsx": _parts_of_workbook()},
        {"x.csv": text, "beside.csv": text.replace("y\n", "group\n", 1)},
    ]  # fmt: skip
    old = _old_workbook()
    return tuple({"files": files} for files in (*forms, *([{"x.xls": old}] if old else ())))


def _parts_of_workbook() -> str:
    """The members of a workbook that are changed, one after another, each behind its name."""
    from openpyxl import Workbook

    book = Workbook()
    book.active.append(["id", "a", "b", "y"])
    for row in ROWS:
        book.active.append(row)
    book.create_sheet("other").append(["a note"])
    out = io.BytesIO()
    book.save(out)
    with zipfile.ZipFile(out) as members:
        names = [name for name in MEMBERS if name in members.namelist()]
        return "".join(f"\x00{name}\x00{members.read(name).decode('latin-1')}" for name in names)


def _old_workbook() -> str:
    """The bytes of an .xls of the tests of Orange, as text; empty if it is installed without them."""
    import Orange

    paths = sorted(Path(Orange.__file__).parent.glob("tests/xlsx_files/*.xls"))
    return paths[0].read_bytes().decode("latin-1") if paths else ""


def make(rng: np.random.Generator) -> Case:
    """A case: {"files", "way", "raw", "megabytes"}; way: who reads. raw: changes of the bytes of a workbook."""
    case = mutated_files(samples(), rng)
    first = next(iter(case["files"]))
    ending = Path(first).suffix.lower()
    file = case["files"][first]
    if rng.random() < 0.3 and ending in PROMISES:
        file["pieces"].insert(int(rng.integers(len(file["pieces"]) + 1)), [pick(PROMISES[ending], rng), 1])
    is_text = ending not in (".xlsx", ".xls")
    if is_text and rng.random() < PACKED:
        pack = pick(("gz", "bz2", "xz") if ending not in (".mtx", ".svm") else ("gz", "bz2"), rng)
        case["files"] = {
            (f"{name}.{pack}" if name == first else name): content for name, content in case["files"].items()
        }
        file["pack"] = pack
        case["megabytes"] = MEGABYTES
    if rng.random() < DAMAGED:
        case["damage"] = [float(rng.random()), int(rng.integers(-1, 256))]
    if not is_text:
        case["megabytes"] = MEGABYTES
    return {**case, "way": pick(("text", "source", "window", "command", "names"), rng)}


def _zip(text: str) -> bytes:
    """The bytes of a workbook of these parts; those that are not there are as openpyxl writes them."""
    from openpyxl import Workbook

    plain = io.BytesIO()
    Workbook().save(plain)
    with zipfile.ZipFile(plain) as members:
        contents = {name: members.read(name) for name in members.namelist()}
    parts = text.split("\x00")
    for name, content in zip(parts[1::2], parts[2::2], strict=False):
        if name in MEMBERS:
            contents[name] = content.encode("latin-1", "replace")
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as members:
        for name, content in contents.items():
            members.writestr(name, content)
    return out.getvalue()


def prepare(case: Case) -> Action:
    """Write the files; the action reads the first one."""
    folder, path = written(case["files"])
    if path.suffix == ".xlsx":
        path.write_bytes(_zip("".join(text * times for text, times, *_ in case["files"][path.name]["pieces"])))
    if "damage" in case:
        damage(path, *case["damage"])
    read = _ready(case["way"], path)

    def action() -> None:
        with folder, refusing(files=[*case["files"], path.stem, "it ", "its ", "line ", "all columns", "there is no"]):
            read()

    return action


def _ready(way: str, path: Path) -> Callable[[], object]:
    """Return what reads a file in a way; modules are imported before, and are not to be counted."""
    from orangecontrib.reliefe.command.cli import main
    from orangecontrib.reliefe.command.loading import read_source
    from orangecontrib.reliefe.core.data.table_files import is_file_of_tables, open_table
    from orangecontrib.reliefe.orange.jobs.open_data import Roles, open_file
    from orangecontrib.reliefe.tabular import ReadingOptions, read_text_table
    from orangecontrib.reliefe.tabular.workbooks import sheet_names

    is_array = is_file_of_tables(str(path))
    beside = path.with_name("beside.csv")
    options = ReadingOptions(beside=((str(beside), "group"),) if beside.exists() else ())

    def command() -> None:
        from contextlib import redirect_stderr, redirect_stdout

        errors = io.StringIO()
        with redirect_stdout(io.StringIO()), redirect_stderr(errors):
            status = main(["describe", str(path)])
        if status:
            raise Refused(errors.getvalue()[:900])

    ways: dict[str, Callable[[], object]] = {
        "text": lambda: open_table(str(path)) if is_array else read_text_table(path, options),
        "source": lambda: open_table(str(path)) if is_array else read_source(str(path), options=options),
        "window": lambda: open_file(str(path), Roles(), {}),
        "command": command,
        "names": lambda: sheet_names(path) if path.suffix.startswith(".xls") else open_file(str(path), Roles(), {}),
    }
    return ways[way]
