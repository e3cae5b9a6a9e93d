"""Names of files that options give, and the error where the name of the target is missing.

Nothing heavy is imported for them, so that --help answers at once.
"""

import os

BED, NUMPY, VCF = (".bed",), (".npy",), (".vcf", ".vcf.gz", ".vcf.bgz", ".bcf")
PGEN, BGEN = (".pgen",), (".bgen",)
ENDINGS = (*BED, *PGEN, *VCF, *BGEN, *NUMPY)
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
