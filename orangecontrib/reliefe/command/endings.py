"""Names of files that options give, and the error where the name of the target is missing.

Nothing heavy is imported for them, so that --help answers at once.
"""

import os

BED, NUMPY, VCF = (".bed",), (".npy",), (".vcf", ".vcf.gz", ".vcf.bgz", ".bcf")
PGEN, BGEN = (".pgen",), (".bgen",)
ENDINGS = (*BED, *PGEN, *VCF, *BGEN, *NUMPY)
PLINK_TEXTS, RAW = (".ped", ".tped"), ".raw"
RAW_TITLE = b"FID IID PAT MAT SEX"
STDIN, STDIN_FILE = "-", "/dev/stdin"  # DATA that is the standard input, and the file that it is
REPORTS = (".html", ".htm")
TEXTS = (".csv", ".tsv", ".txt", ".tab", ".xlsx", ".xls")  # of tables of targets, phenotypes and covariates

GROUP_ADVICE = " add --group "  # of a note of the readers that is a finding of a description


class NoTarget(ValueError):
    """A table has no target, and none is named."""


def is_genotypes(path: str) -> bool:
    """True for names of files that `read_genotypes` reads."""
    return path.lower().endswith(ENDINGS)


def file_and_column(name: str) -> tuple[str | None, str | None]:
    """Return the file and the column of "FILE:COLUMN" or "FILE"; None for the part that is not there.

    A FILE ends like a table in text, or is there and has a column behind it; all other names are columns.
    """
    path, colon, column = name.rpartition(":")
    if name.lower().endswith(TEXTS):
        return name, None
    if colon and (path.lower().endswith(TEXTS) or os.path.isfile(path)):
        return path, column
    return None, name


def refuse_other_plink_files(path: str) -> None:
    """Raise ValueError for files of PLINK that are not the one to name, with that, or the way to make it.

    These are the files beside a .bed or .pgen, the name of both without an ending, and genotypes written as text.
    """
    stem, ending = os.path.splitext(path)
    ending = ending.lower()
    beside = {".bim": BED, ".fam": BED, ".pvar": PGEN, ".psam": PGEN}
    possible: tuple[str, ...] = beside.get(ending, ())
    if not os.path.exists(path):
        stem, possible = path, (*BED, *PGEN)
    for other in possible:
        if os.path.isfile(stem + other):
            raise ValueError(f"the genotypes are in {os.path.basename(stem + other)!r}: name that file, not {path!r}")
    is_text = ending in PLINK_TEXTS or (ending == RAW and _begins_as_raw(path))
    if is_text and os.path.isfile(path):
        name = os.path.basename(path)
        raise ValueError(
            f"{name!r} has genotypes as text of PLINK: make a .bed of them by plink --make-bed, and name it"
        )


def _begins_as_raw(path: str) -> bool:
    """True for a file whose first line has the titles of PLINK's --recode A."""
    with open(path, "rb") as file:
        return file.read(len(RAW_TITLE)).replace(b"\t", b" ") == RAW_TITLE
