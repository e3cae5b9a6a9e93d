"""Identifiers of rows and functions of the target are found, and features that only look so are not."""

import numpy as np
import pandas as pd
import pytest

from orangecontrib.reliefe.core import Survival, describe, rank

NUMBERING = "numbering the rows"
UNIQUE = "with a value of its own in every row"
EQUAL = "repeating the target"
DETERMINES = "determining the target"
DEPENDS = "depending on the target alone"
N = 60
RNG = np.random.default_rng(0)
CLASSES, NUMBERS = RNG.integers(0, 3, N), RNG.normal(size=N).round(1)
NOISE = RNG.normal(size=N)


def found(x, y=None, nominal=False, is_class=True, name="x", beside=NOISE):
    """Return what the description says against the second of two features; it has nothing against the first one."""
    X = np.column_stack([beside, x]).astype(float)
    task = {} if y is None else {"task": "classification" if is_class else "regression"}
    findings = describe(X, y, nominal=[False, nominal], names=("beside", name), **task).findings
    said = [finding.text for finding in findings if finding.action == "drop" and "two different" not in finding.text]
    assert not [text for text in said if "'beside'" in text]
    return "".join(said).removeprefix("feature ").removesuffix(f": {name!r}")


@pytest.mark.parametrize("y, is_class", [(None, True), (CLASSES, True), (NUMBERS, False)])
def test_identifiers(y, is_class):
    def of(x, **more):
        return found(x, y, is_class=is_class, **more)

    shuffled, gap = RNG.permutation(N), NOISE.copy()
    gap[3] = np.nan
    assert of(np.arange(N)) == of(1 + shuffled) == NUMBERING
    assert of(shuffled, nominal=True) == of(1000 + 7 * shuffled, name="patient_id") == UNIQUE
    assert of(1000 + 7 * shuffled) == of(1000 + 7 * shuffled, name="acid") == ""
    assert of(NOISE) == of(gap) == of(shuffled / 7) == of(shuffled // 2, nominal=True) == ""
    left = np.sort(RNG.permutation(2 * N)[:N])  # rows of a table that others were dropped from
    assert of(left) == of(1 + left) == NUMBERING
    assert of(left[::-1]) == of(1900 + left) == of(5 * np.arange(N)) == ""
    assert of(shuffled, beside=RNG.permutation(N)) == ""  # ranks of other values


@pytest.mark.parametrize("doses", [
    2 * np.arange(N),  # each by a step of 2
    np.r_[np.arange(10), np.arange(12, 112, 2)],  # and most of them by 2
    np.r_[np.arange(40, 80), np.arange(82, 122, 2)],  # none below 40
])  # fmt: skip
def test_sorted_doses_do_not_number_rows(doses):
    assert found(doses) == ""


IDENTIFIERS = (
    "id", "ID", "Id.", "patientid", "PatientID", "patient_id", "Patient No.", "patient number", "subject", "Subject ID",
    "participant", "barcode", "Barcode", "sample", "sample id", "SampleID", "sampleid", "specimen", "record_id",
    "RecordID", "userid", "CustomerId", "serial number", "Serial No", "accession number", "case no", "Case ID", "MRN",
    "medical record number", "Sr. No.", "No.", "nr", "Unnamed: 0", "index", "row", "study_id", "invoice no", "EID",
)  # fmt: skip
MEASUREMENTS = (
    "mono", "Mono no", "lympho no", "piano", "casino", "atomic number", "platelet number", "number of rooms",
    "acid", "uric acid", "thyroid", "lipid", "fluid", "covid", "steroid", "opioids", "valid", "humid", "identity",
    "weight", "age", "income", "population", "price", "ideal weight", "width", "new cases", "patients", "barometer",
    "rate", "row spacing", "sample weight", "indexed cost", "names read", "subjective score", "record high",
    "idle time", "total no. of cells", "genes found",
)  # fmt: skip


def test_real_names_of_columns():
    """Whole numbers that are all different name rows only by their names."""
    names = IDENTIFIERS + MEASUREMENTS
    random = np.random.default_rng(3)
    X = np.column_stack([10_000 + 7 * random.permutation(N) for _ in names])
    suspected = rank(X, CLASSES, "mutualinfo", names=names).info["suspects"]
    assert [names[f] for f in suspected] == [*IDENTIFIERS]


def test_functions_of_classes():
    assert found(np.array([7, 5, 6])[CLASSES], CLASSES, nominal=True) == EQUAL
    assert found(2 - CLASSES, CLASSES) == EQUAL
    assert found(CLASSES == 1, CLASSES) == DEPENDS
    assert found(4 * CLASSES + RNG.integers(0, 3, N), CLASSES, nominal=True) == DETERMINES
    assert found(np.where(NOISE > 2, np.nan, CLASSES), CLASSES) == EQUAL
    assert found(CLASSES + 0.1 * NOISE, CLASSES) == ""  # separates them, as a good feature may
    assert found(np.where(np.arange(N) == 0, 1 - CLASSES, CLASSES), CLASSES) == ""
    assert found(np.zeros(N), CLASSES) == found(np.zeros(N), CLASSES, nominal=True) == ""
    assert found(np.arange(N) == 0, CLASSES, nominal=True) == ""
    assert found(RNG.permutation(N) // 2, CLASSES, nominal=True) == ""


def test_functions_of_numbers():
    def of(x, **more):
        return found(x, NUMBERS, is_class=False, **more)

    assert of(NUMBERS) == EQUAL
    assert of(-3 * NUMBERS) == of(np.exp(NUMBERS)) == of(NUMBERS > 0) == of(NUMBERS.round()) == DEPENDS
    assert found(NUMBERS, NUMBERS.round(), is_class=False) == DETERMINES
    assert found(10 * NUMBERS + 90, NUMBERS.round(), nominal=True, is_class=False) == DETERMINES
    assert of(NUMBERS + 0.5 * NOISE) == of(NOISE) == of(np.arange(N) == 0) == ""


def test_note_of_a_ranking():
    names = ("noise", "copy", "twin")
    ranking = rank(np.column_stack([NOISE, CLASSES, -CLASSES]), CLASSES, "relieff", names=names)
    assert ranking.info["suspects"] == [1, 2]
    assert ranking.info["warnings"] == [
        "features repeating the target: 'copy', 'twin'. Leave out those that are not known before the target"
    ]
    assert ranking.names == names
    frame = pd.DataFrame({"name": [f"p{i}" for i in range(N)], "noise": NOISE})
    half = np.where(np.arange(N) < 40, CLASSES, np.nan)
    assert rank(frame, half, "sslrelief").info["warnings"][0] == (
        "features with a value of its own in every row: 'name'. Leave out those that only name rows"
    )
    both = rank(frame.assign(copy=CLASSES), CLASSES, "relieff").info["warnings"][0]
    assert both.endswith("'copy'. Leave out those that only name rows or are not known before the target")
    assert "suspects" not in rank(NOISE[:, None], CLASSES, "relieff").info
    with pytest.raises(ValueError, match="one name for each of the 2"):
        rank(frame, CLASSES, names=["one"])


def test_copies_of_the_event_and_of_the_time():
    """A second column of the status, and the time in another unit, are not known before the event."""
    event = RNG.random(N) < 0.5
    days = RNG.integers(1, 2000, N)
    X = pd.DataFrame({"age": NOISE, "status": np.where(event, "dead", "alive"), "months": days / 30.4})
    ranking = rank(X, Survival(days, event))
    assert ranking.info["suspects"] == [1, 2]
    (warning,) = ranking.info["warnings"]
    assert warning.startswith(
        "features repeating the event: 'status'; depending on the time alone: 'months'. Leave out "
    )
    findings = " ".join(finding.text for finding in describe(X, Survival(days, event)).findings)
    assert "repeating the event" in findings
    assert "suspects" not in rank(X[["age"]], Survival(days, event)).info
