"""Titles of columns that name rows: identifiers, and names of persons or samples.

`suspects.py` warns of features with them, `persons.py` looks for persons with several rows, and `tabular/keys.py` joins
tables by them.
"""

import re

# Names of columns that tell persons or animals apart, alone or before or after another word: subject_id, Patient.No.
PERSON = re.compile(
    r"(.*[\W_])?(subject|patient|participant|person|individual|animal|mouse|rat|case|donor|pid)s?"
    r"([\W_]*(id|no|nr|number|code|name)\.?)?|record[\W_]*id",
    re.IGNORECASE,
)
# Titles of names of rows besides those of persons and those with "id"; blanks, case and punctuation do not matter
NAME_TITLES = frozenset(
    ("name", "sample", "samplename", "specimen", "barcode", "eid", "iid", "cell", "gene", "rownames", "uuid", "mrn")
)
# What is numbered, and not counted: "case no" and "serial number", but not "lympho no" and "atomic number"
NUMBERED = (
    r"(accession|account|chart|client|customer|employee|file|hospital|invoice|lab|medical[\W_]*record|order|phone|record"
    r"|ref|reference|registration|roll|row|sample|serial|sl|slide|specimen|sr|s|student|study|ticket|tube|user|visit)"
)
ID_TITLE = re.compile(
    # A table without a name for its index, and its index
    r"(?i:|unnamed: \d+|index|row"
    # The word "id", a known noun before it (sampleid), or a capital (SampleID): not "acid"
    rf"|.*[\W_]id|id([\W_].*)?|(.*[\W_])?{NUMBERED}[\W_]*id"
    # The number alone, or of what is numbered
    rf"|(no\.?|nr\.?|number|#)|(.*[\W_])?{NUMBERED}[\W_]*(no\.?|nr\.?|num|number|#))|.*[a-z]I[Dd]"
)


def is_person(title: str) -> bool:
    """True for a title of a column that tells persons or animals apart."""
    return PERSON.fullmatch(title) is not None


def plain_title(title: str) -> str:
    """Return a title without blanks, punctuation and case: "sampleid" for "Sample ID"."""
    return re.sub(r"[\W_]", "", title.casefold())


def is_name_title(title: str) -> bool:
    """True for a title that columns of names of rows usually have."""
    return plain_title(title) in NAME_TITLES or is_person(title) or ID_TITLE.fullmatch(title.strip()) is not None
