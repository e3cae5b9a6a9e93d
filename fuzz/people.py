"""Tables of phenotypes under the names and codes of many programs: everybody gets his value, or a word tells."""

import tempfile
from pathlib import Path

import numpy as np

from .kinds import Action, Case
from .mutations import pick
from .outcome import Wrong
from .refusals import refusing

PERSON = ("IID", "#IID", "iid", "ID", "id", "Sample", "Sample ID", "sample_id", "subject_id", "Subject.ID", "person",
          "Participant", "participant id", "eid", "f.eid", "name", "patient_id", "barcode", "x")  # fmt: skip
FAMILY = ("FID", "#FID", "fid", "Family", "family_id", "FamilyID")
OTHERS = ("age", "sex", "site", "PC1", "household", "visit")
PHENOTYPES = ("status", "case", "pheno", "y", "height", "PHENO1", "trait", "Disease status", "bmi")
UNKNOWN = ("-9", "NA", "", "nan", ".", "NaN", "N/A")
FAR = ("-999", "-9999", "-99")
SEPARATORS = ("\t", ",", ";", " ")


def make(rng: np.random.Generator) -> Case:
    """A case: "people" (family, name) of the genotypes, the "rows" of a table, its "dialect", "column" and "known"."""
    n = int(rng.integers(8, 41))
    base = pick(("P{}", "{}", "HG{:05}", "S-{}", "NA{}", "patient.{}", "{:03}"), rng)
    has_families = rng.random() < 0.6
    repeats = has_families and rng.random() < 0.3  # IIDs that are there in several families
    names = [base.format(i % (n // 2) if repeats else i + 100) for i in range(n)]
    families = [f"F{i // 3 if not repeats else i}" if has_families else name for i, name in enumerate(names)]
    kind = pick(("plink", "binary", "words", "numbers", "grades"), rng)
    values = _values(rng, n, kind)
    unknown = pick(UNKNOWN if kind != "plink" else ("-9", "0", "NA"), rng)
    if kind == "numbers" and rng.random() < 0.3:
        unknown = pick(FAR, rng)
    lacks = (rng.random(n) < pick((0.0, 0.2), rng)).tolist()
    table = [[f, i, unknown if lack else v] for f, i, v, lack in zip(families, names, values, lacks, strict=True)]
    absent = (rng.random(n) < pick((0.0, 0.0, 0.2), rng)).tolist()
    rows = [row for row, gone in zip(table, absent, strict=True) if not gone]
    rows += [["F900", base.format(900 + k), values[k]] for k in range(int(rng.integers(0, 3)))]
    order = rng.permutation(len(rows)).tolist()
    known = [None if lack or gone else v for v, lack, gone in zip(values, lacks, absent, strict=True)]
    dialect = {
        "person": pick(PERSON, rng),
        "family": pick(FAMILY, rng) if has_families and (repeats or rng.random() < 0.6) else None,
        "row_names": bool(not has_families and rng.random() < 0.2),
        "numbered": bool(rng.random() < 0.15),
        "separator": pick(SEPARATORS, rng),
        "others": [pick(OTHERS, rng)] if rng.random() < 0.4 else [],
        "quotes": bool(rng.random() < 0.3),
        "last": bool(rng.random() < 0.2),
    }
    return {
        "people": [*map(list, zip(families, names, strict=True))],
        "rows": [rows[k] for k in order],
        "column": pick(PHENOTYPES, rng),
        "known": known,
        "kind": kind,
        "dialect": dialect,
    }


def _values(rng: np.random.Generator, n: int, kind: str) -> list[str]:
    if kind == "numbers":
        return [f"{value:.3f}" for value in rng.normal(pick((0, 20, 170), rng), 3, n)]
    levels = {
        "plink": ("1", "2"), "binary": ("0", "1"), "grades": ("1", "2", "3", "4"),
        "words": pick((("case", "control"), ("Yes", "No"), ("T", "F"), ("AD", "MCI", "CN"), ("+", "-")), rng),
    }[kind]  # fmt: skip
    codes = rng.integers(0, len(levels), n)
    codes[: 2 * len(levels)] = [*range(len(levels)), *range(len(levels))]
    return [levels[code] for code in codes.tolist()]


def table_of(case: Case) -> str:
    """The text of the table."""
    dialect = case["dialect"]
    rng = np.random.default_rng(len(case["rows"]))
    has_names = dialect["row_names"]
    ids = [] if has_names else [dialect["person"]]
    ids = [dialect["family"], *ids] if dialect["family"] else ids
    header = [*ids, *dialect["others"], case["column"]]
    rows = []
    for family, name, value in case["rows"]:
        cells = [] if has_names else [name]
        cells = [family, *cells] if dialect["family"] else cells
        rows.append([*cells, *(str(int(rng.integers(20, 60))) for _ in dialect["others"]), value])
    if dialect["last"]:  # identifiers behind the values
        k = len(ids)
        header, rows = [*header[k:], *header[:k]], [[*row[k:], *row[:k]] for row in rows]
    if has_names:
        rows = [[name, *row] for (_, name, _), row in zip(case["rows"], rows, strict=True)]
    elif dialect["numbered"]:
        rows = [[str(i + 1), *row] for i, row in enumerate(rows)]
    separator = dialect["separator"]

    def written(cell: str) -> str:
        return f'"{cell}"' if dialect["quotes"] or (separator == " " and (" " in cell or not cell)) else cell

    lines = [map(written, row) for row in (header, *rows)]
    return "".join(separator.join(line) + "\n" for line in lines)


def prepare(case: Case) -> Action:
    """Write the table; the action reads the phenotype of the people of genotypes."""
    from orangecontrib.reliefe.genetics import read_genotypes
    from orangecontrib.reliefe.genetics.phenotype import read_phenotype

    folder = tempfile.TemporaryDirectory(prefix="fuzz-people-")
    place = Path(folder.name)
    n = len(case["people"])
    (place / "x.bed").write_bytes(b"l\x1b\x01" + b"\xe4" * -(-n // 4))
    (place / "x.bim").write_text("1\trs1\t0\t7\tA\tG\n")
    (place / "x.fam").write_text("".join(f"{family} {name} 0 0 1 -9\n" for family, name in case["people"]))
    ending = {"\t": ".tsv", " ": ".txt"}.get(case["dialect"]["separator"], ".csv")
    path = place / f"y{ending}"
    path.write_text(table_of(case), encoding="utf-8")

    def action() -> None:
        with folder:
            data = read_genotypes(place / "x.bed")
            notes: list[str] = []
            with refusing(files=[path.name, "phenotype"]):
                known, values = read_phenotype(data, path, case["column"], notes=notes)
            _compare(case, known.tolist(), values.tolist(), notes)

    return action


def _compare(case: Case, known: list[bool], values: list, notes: list[str]) -> None:
    """Raise `Wrong` unless everybody has the value of the table."""
    for person, value, is_known, found in zip(case["people"], case["known"], known, values, strict=True):
        wanted = value is not None
        if wanted != is_known:
            raise Wrong(f"{person}: {found!r} ({is_known}), not {value!r}; {notes}", "known")
        if wanted and str(found) != value and (isinstance(found, str) or found != float(value)):
            raise Wrong(f"{person}: {found!r}, not {value!r}; {notes}", "value")
