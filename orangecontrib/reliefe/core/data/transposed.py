"""Tables whose rows are features and whose columns are samples, as tables of genes are often written.

`data/frame_notes.py` asks for frames, and the readers of tables for files; all of them say it in the same sentence.
"""

import re
from collections.abc import Sequence

from ..words import shown

MAX_COLUMNS_PER_ROW = 10  # above which rows are no features; chosen by eye
MIN_ROWS_PER_COLUMN = 5  # from which on a table with a target has features in its rows if names fit; chosen by eye
MAX_NAMES_READ = 1000  # names that are judged
# Names of genes, transcripts, proteins, taxa, methylation sites and variants
FEATURE_ID = re.compile(r"(ENS|NM_|ILMN_|OTU|ASV|cg|rs)\w*\d|\w+_at$|[OPQ]\d[A-Z0-9]{3}\d$")
# Numbered names of features, as gene0
FEATURE_WORD = re.compile(
    r"(gene|probe|transcript|protein|peptide|metabolite|otu|asv|taxon|cpg|snp|peak)s?[\W_]*\d", re.I
)
# Names of patients (TCGA), cells (barcodes) and samples (GEO, SRA, BioSample, 1000 Genomes)
SAMPLE_ID = re.compile(r"TCGA-\w\w-\w{4}|[ACGT]{8,}(-\d+)?$|(GSM|[SED]RR|SAM[NED]|HG|NA)\w*\d")
TRANSPOSE_TABLE = "transpose the table"  # advice, which the command line replaces by its option
DIGITS = re.compile(r"\d+")


def are_features(row_names: Sequence[str], column_names: Sequence[str], has_target: bool = False) -> bool:
    """True if rows look like features, and columns of numbers like samples.

    Parameters
    ----------
    row_names : sequence of str
        Names of the n rows; empty if they have none.
    column_names : sequence of str
        Names of the p columns of numbers, among them the target if it is one of them.
    has_target : bool
        True if one of the columns was chosen as the target. Then names alone, as x1 and x2, are not enough.
    """
    n = len(row_names)
    p = len(column_names)
    if not n or p < 2 or p > MAX_COLUMNS_PER_ROW * n or "" in row_names or len({*row_names}) < n:
        return False
    rows = row_names[:MAX_NAMES_READ]
    columns = column_names[:MAX_NAMES_READ]
    are_samples = all(map(SAMPLE_ID.match, columns))
    if not (are_samples or _are_numbered(columns)) or any(map(FEATURE_WORD.match, columns)):
        return False
    are_known_features = all(map(FEATURE_ID.match, rows)) or all(map(FEATURE_WORD.match, rows))
    if are_known_features:
        return True
    if _are_numbered(rows) and not FEATURE_ID.match(rows[0]):
        return False
    return not has_target or are_samples or n >= MIN_ROWS_PER_COLUMN * p


def sentence_on_rows(row_names: Sequence[str]) -> str:
    """Say that rows look like features, by the names of the first two; advice follows behind a colon."""
    return f"each row looks like a feature ({', '.join(map(shown, row_names[:2]))}, ...)"


def _are_numbered(names: Sequence[str]) -> bool:
    """True for names such as sample_1, sample_2, control_1, control_2."""
    stems = {DIGITS.sub("", name) for name in names}
    return 2 * len(stems) <= len(names) and all(map(DIGITS.search, names))
