"""Table of the formats of files: their endings, who reads them, and how files of other programs are converted.

Every reader and every face (command, Open Data, `read_table`, `describe`) asks this table by the name of a file.
Nothing heavy is imported, so that ``--help`` answers at once. Endings are compared without regard to case: Windows
writes ``STUDY.CSV``.
"""

import os
from collections.abc import Sequence
from typing import NamedTuple

PACKED = (".gz", ".bz2", ".xz")
# Kinds of files; each has one reader.
TABLE = "text table"  # the ending tells what separates cells
PLAIN_TEXT = "plain text"  # a text table or ARFF
WORKBOOK = "workbook"
ARFF = "ARFF"
BASKET = "basket"
PICKLE = "pickle"
NUMPY = "NumPy array"
SPARSE = "sparse array"
MATRIX_MARKET = "MatrixMarket"
LIBSVM = "libsvm"
HDF5 = "HDF5"
ZARR = "zarr"
PARQUET = "Parquet"
ARROW = "Arrow"
BED = "PLINK"
PGEN = "PLINK 2"
VCF = "VCF"
BGEN = "BGEN"

CELLS = (TABLE, PLAIN_TEXT, WORKBOOK)  # read by `tabular`
COLUMNS = (PARQUET, ARROW)
ARRAYS = (NUMPY, SPARSE, MATRIX_MARKET, LIBSVM, HDF5, ZARR, *COLUMNS)  # read by `core.data.table_files`
GENOTYPES = (BED, PGEN, VCF, BGEN, NUMPY)  # read by `genetics`; an array has genotypes if no target is given
BY_ORANGE = (ARFF, BASKET, PICKLE)  # read by readers of Orange, of which `io` has that of ARFF


class Format(NamedTuple):
    """Format of files.

    Attributes
    ----------
    kind : str
        One of the kinds above.
    endings : tuple of str
        Endings of names, in small letters.
    packed : tuple of str
        Endings that may follow if the file is compressed.
    """

    kind: str
    endings: tuple[str, ...]
    packed: tuple[str, ...] = ()

    @property
    def all_endings(self) -> tuple[str, ...]:
        """Endings of names of files that are compressed or not."""
        return *self.endings, *(ending + packed for packed in self.packed for ending in self.endings)


FORMATS = (
    Format(TABLE, (".csv", ".tsv", ".tab"), PACKED),
    Format(PLAIN_TEXT, (".txt", ".data", ".dat"), PACKED),
    Format(WORKBOOK, (".xlsx", ".xlsm", ".xls")),
    Format(ARFF, (".arff",), PACKED),
    Format(BASKET, (".basket", ".bsk")),
    Format(PICKLE, (".pkl", ".pickle"), PACKED),
    Format(NUMPY, (".npy",)),
    Format(SPARSE, (".npz",)),
    Format(MATRIX_MARKET, (".mtx",), (".gz", ".bz2")),
    Format(LIBSVM, (".svm", ".libsvm", ".svmlight"), (".gz", ".bz2")),
    Format(HDF5, (".h5", ".hdf5")),
    Format(ZARR, (".zarr",)),
    Format(PARQUET, (".parquet", ".pq")),
    Format(ARROW, (".feather", ".arrow", ".ipc")),
    Format(BED, (".bed",)),
    Format(PGEN, (".pgen",)),
    Format(VCF, (".vcf",), (".gz", ".bgz")),
    Format(BGEN, (".bgen",)),
)
KIND_OF_ENDING = {ending: row.kind for row in FORMATS for ending in row.all_endings}

# How files of other programs are converted, by their endings: {path} is the file, {stem} its path without the ending.
BY_PANDAS = "Save it as CSV by two lines of Python{needs}: import pandas; pandas.{call}.to_csv({csv!r}, index=False)"
NEEDS_PYREADSTAT = " (after pip install pyreadstat)"
PANDAS_CALLS = {  # function of pandas, and what it needs to be installed
    ".dta": ("read_stata({path!r})", ""),
    ".sav": ("read_spss({path!r})", NEEDS_PYREADSTAT),
    ".zsav": ("read_spss({path!r})", NEEDS_PYREADSTAT),
    ".sas7bdat": ('read_sas({path!r}, encoding="infer")', ""),
    ".xpt": ('read_sas({path!r}, encoding="latin-1")', ""),
}
PROGRAMS = {".dta": "Stata", ".sav": "SPSS", ".zsav": "SPSS", ".sas7bdat": "SAS", ".xpt": "SAS"}
RAW, RAW_TITLE = ".raw", b"FID IID PAT MAT SEX"  # of PLINK's --recode A, where other programs have this ending, too
CONVERSIONS = {
    ".bcf": (
        "is a BCF. Convert it by bcftools view {path} -Oz -o {stem}.vcf.gz, or by plink2 --bcf {path} --make-bed --out "
        "{stem}"
    ),
    ".raw": (
        "has genotypes as PLINK's --recode A writes them. Give the .bed that they come from; plink --make-bed writes "
        "it again"
    ),
    ".ped": "has genotypes of PLINK as text. Make a .bed of it by plink --file {stem} --make-bed --out {stem}",
    ".tped": "has genotypes of PLINK as text. Make a .bed of it by plink --tfile {stem} --make-bed --out {stem}",
    ".ods": "is a workbook of LibreOffice. Save it there as .xlsx or .csv",
    ".xlsb": "is a binary workbook of Excel. Save it there as .xlsx or .csv",
    ".rds": 'is a file of R. Save it there: write.csv(readRDS("{path}"), "{stem}.csv", row.names = FALSE)',
    ".rda": 'is a file of R. Save the data frame in it there: write.csv(frame, "{stem}.csv", row.names = FALSE)',
    ".rdata": 'is a file of R. Save the data frame in it there: write.csv(frame, "{stem}.csv", row.names = FALSE)',
    ".mat": 'is a file of MATLAB. Save the table there: writetable(table, "{stem}.csv")',
    ".zip": "is a zip. Unpack it, and give the file in it",
}
# Files beside others, which are given themselves
COMPANIONS = {".bim": ".bed", ".fam": ".bed", ".pvar": ".pgen", ".psam": ".pgen", ".sample": ".bgen"}


def kind_of(path: str) -> str | None:
    """Return the kind of a file by its name; None for a name that tells none of these kinds."""
    name = os.path.basename(path.rstrip("/\\")).lower()
    stem, last = os.path.splitext(name)
    return KIND_OF_ENDING.get(last) or KIND_OF_ENDING.get(os.path.splitext(stem)[1] + last)


def is_of(path: str, kinds: Sequence[str]) -> bool:
    """Return True if the name of a file tells one of these kinds."""
    return kind_of(path) in kinds


def endings_of(kinds: Sequence[str], with_packed: bool = False) -> list[str]:
    """Return the endings of these kinds, in the order of the table.

    with_packed: whether names of compressed files are listed, too.
    """
    rows = [row for row in FORMATS if row.kind in kinds]
    return [ending for row in rows for ending in (row.all_endings if with_packed else row.endings)]


def readable_sentence(kinds: Sequence[str] | None = None, more_endings: Sequence[str] = ()) -> str:
    """Return what a message says about the files that are read: their endings, and how they may be compressed.

    kinds: those that are read; None: all that are read without running code. more_endings: further endings.
    """
    if kinds is None:
        kinds = [row.kind for row in FORMATS if row.kind != PICKLE]
    listed = dict.fromkeys((*endings_of(kinds), *more_endings))
    text = f"Files that are read: {', '.join(listed)}"
    return f"{text}; texts also with {', '.join(PACKED)} behind" if TABLE in kinds else text


def advice_on(path: str) -> str | None:
    """Return a sentence on how to convert a file of another program, or which file to give; None for other names."""
    stem, ending = os.path.splitext(path)
    ending = ending.lower()
    name = os.path.basename(path)
    if ending in PANDAS_CALLS:
        call, needs = PANDAS_CALLS[ending]
        lines = BY_PANDAS.format(needs=needs, call=call.format(path=path), csv=f"{stem}.csv")
        return f"{name} is a file of {PROGRAMS[ending]}. {lines}"
    if ending in CONVERSIONS and (ending != RAW or _begins_as_raw(path)):
        return f"{name} {CONVERSIONS[ending].format(path=path, stem=stem)}"
    if ending in COMPANIONS:
        file = stem + COMPANIONS[ending]
        problem = "the genotypes are in" if os.path.isfile(file) else f"{name} stands beside"
        return f"{problem} {os.path.basename(file)!r}: name that file, not {name!r}"
    return None


def _begins_as_raw(path: str) -> bool:
    """Return True for a file whose first line has the titles of PLINK's --recode A."""
    if not os.path.isfile(path):
        return False
    with open(path, "rb") as file:
        return file.read(len(RAW_TITLE)).replace(b"\t", b" ") == RAW_TITLE


def refuse_other_name(path: str) -> None:
    """Raise ValueError for a file that another one is given for, or that is converted first.

    Commands call it first, so that options of genotypes are not refused for the name of their .fam, or a name without
    the ending.
    """
    if os.path.isfile(path):
        advice = advice_on(path)
    else:
        files = [path + ending for ending in endings_of((BED, PGEN)) if os.path.isfile(path + ending)]
        advice = f"the genotypes are in {os.path.basename(files[0])!r}: name that file, not {path!r}" if files else None
    if advice is not None:
        raise ValueError(advice)


def not_read(path: str, kinds: Sequence[str] | None = None, more_endings: Sequence[str] = ()) -> str:
    """Return the message on a file or folder that nothing reads: what to do, or which files are read."""
    name = os.path.basename(path.rstrip("/\\")) or path
    readable = readable_sentence(kinds, more_endings)
    if os.path.isdir(path):
        return f"{name} is a folder: give a file in it. {readable}"
    problem = "is no file of genotypes" if kinds == GENOTYPES else "is of a kind that is not read: save it as CSV"
    return advice_on(path) or f"{name} {problem}. {readable}"


def with_ending(path: str) -> list[str]:
    """Return the names of files that are there, and differ from a path by an ending that the table knows."""
    endings = [ending for row in FORMATS for ending in row.all_endings]
    return [path + ending for ending in endings if os.path.exists(path + ending)]
