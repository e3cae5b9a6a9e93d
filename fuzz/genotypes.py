"""Mutated files of genotypes, odd phenotypes, and files to go on from."""

import csv
import io
from pathlib import Path
from xml.etree import ElementTree

import numpy as np

from .files import damage, mutated_files, written
from .kinds import Action, Case
from .mutations import pick
from .oddities import odd_y
from .outcome import Wrong
from .refusals import refusing
from .values import INF, NAN, ODD, decoded

N, P = 12, 4
CODES = np.random.default_rng(1).integers(-1, 3, (N, P))
CLASSES = [1, 2] * (N // 2)
BITS = {2: 0b00, -1: 0b01, 1: 0b10, 0: 0b11}  # of .bed
CALLS = {0: "0/0", 1: "0/1", 2: "1|1", -1: "./."}
DOSAGES = {0: "0/0:0.1", 1: "0/1:0.75", 2: "1|1:2", -1: "./.:."}
RESUME = "sums.npz"
SUMS = ([NAN] * P, [INF] * P, [0.0] * (P + 1), [], 1.0, [[1.0] * P] * 2, ["x"] * P, [{"!": "huge", "power": 400}] * P)
DONE = (-1, 2, 10**6, 0.5, NAN, "x", [1, 2], [])


def _bed() -> str:
    """The bytes of a .bed, as text."""
    quads = CODES.T.reshape(P, N // 4, 4)
    return "l\x1b\x01" + "".join(
        chr(sum(BITS[code] << 2 * k for k, code in enumerate(quad))) for variant in quads.tolist() for quad in variant
    )


def _vcf(field: str = "GT", texts: dict[int, str] = CALLS) -> str:
    head = "##fileformat=VCFv4.2\n##contig=<ID=1>\n" + '##FORMAT=<ID=GT,Number=1,Type=String,Description="Genotype">\n'
    names = "\t".join(f"P{i}" for i in range(N))
    lines = [
        f"1\t{7 + f}\trs{f}\tG\tA\t.\t.\t.\t{field}\t" + "\t".join(texts[c] for c in CODES[:, f]) for f in range(P)
    ]
    return head + f"#CHROM\tPOS\tID\tREF\tALT\tQUAL\tFILTER\tINFO\tFORMAT\t{names}\n" + "\n".join(lines) + "\n"


def _npy() -> str:
    out = io.BytesIO()
    np.save(out, CODES.astype(np.int8))
    return out.getvalue().decode("latin-1")


BED = {
    "x.bed": _bed(),
    "x.bim": "".join(f"1\trs{f}\t0\t{7 + f}\tA\tG\n" for f in range(P)),
    "x.fam": "".join(f"F{i} P{i} 0 0 1 {CLASSES[i]}\n" for i in range(N)),
}
TABLES = {
    "y.csv": "iid,class\n" + "".join(f"P{i},{CLASSES[i]}\n" for i in range(N)),
    "y.tsv": "FID\tIID\theight\n" + "".join(f"F{i}\tP{i}\t{1.5 + i % 5 / 7}\n" for i in range(N)),
}
SAMPLES = (
    {"files": BED},
    {"files": BED},
    {"files": BED | {"y.csv": TABLES["y.csv"]}},
    {"files": {"x.vcf": _vcf()}},
    {"files": {"x.vcf": _vcf(), "y.tsv": TABLES["y.tsv"]}},
    {"files": {"x.vcf": _vcf("GT:DS", DOSAGES)}},
    {"files": {"x.npy": _npy()}},
)


def make(rng: np.random.Generator) -> Case:
    """A case with files, a phenotype, a file to go on from, and whether dosages are asked for.

    {"files", "phenotype": odd values or None, "resume": changes of the file, or None, "dosages": bool}
    """
    dosages = bool(rng.random() < 0.3)
    case = mutated_files(SAMPLES, rng) | {"phenotype": None, "resume": None, "dosages": dosages}
    if rng.random() < 0.5:
        return case
    case["files"] = {name: {"pieces": [[text, 1]]} for name, text in pick(SAMPLES, rng)["files"].items()}
    if rng.random() < 0.5:
        case["phenotype"] = odd_y({"!": "array", "values": CLASSES}, rng)
        if rng.random() < 0.3:
            case["phenotype"] = {f"P{i}": pick((*ODD[:20], 1, 2), rng) for i in range(N)}
    elif rng.random() < 0.5:
        case["resume"] = {pick(("sums", "done", "key"), rng): pick((*SUMS, *DONE), rng)}
    else:
        case["resume"] = {"damage": [float(rng.random()), int(rng.integers(-1, 256))]}
    return case


def prepare(case: Case) -> Action:
    """Write the files; the action reads and ranks them, and writes what was found."""
    from orangecontrib.reliefe import genetics

    folder, path = written(case["files"])
    table = next((path.with_name(name) for name in case["files"] if name in TABLES), None)
    names = [
        *case["files"],
        "phenotype",
        "people",
        "person",
        "nobody",
        "variant",
        "y ",
        "the target",
        "there is no file",
    ]
    dosages = case.get("dosages", False) and path.suffix == ".vcf"
    given = decoded(case["phenotype"]) if case["phenotype"] is not None else table

    def action() -> None:
        with folder:
            with refusing(files=[*case["files"], path.stem]):
                data = genetics.read_genotypes(path, dosages=dosages)
            if given is None and data.phenotype is None:
                found = _ranked(data, np.array(CLASSES * len(data.people))[: len(data.people)], names)
            else:
                found = _ranked(data, given, names)
            if case["resume"] is None:
                _check_outputs(found, path.parent)
            else:
                _go_on(case["resume"], data, given, found, path.parent / RESUME)

    return action


def _ranked(data: object, given: object, names: list[str], **options: object) -> object:
    from orangecontrib.reliefe.genetics import Filters, rank_genotypes

    with refusing(files=names):
        found = rank_genotypes(data, given, "relieff", filters=Filters(1.0, 1.0, maf=0.0), n_neighbors=3, **options)
    if not np.isfinite(found.scores).all():
        raise Wrong(f"scores {found.scores}", "not finite")
    return found


def _check_outputs(found: object, folder: Path) -> None:
    """Raise `Wrong` unless what is written is read as it was."""
    from orangecontrib.reliefe.core.words import of_cell
    from orangecontrib.reliefe.genetics import read_genotypes

    with refusing():
        for ending in (".csv", ".svg", ".bed"):
            found.save(folder / f"out{ending}")
    before = csv.field_size_limit(10**8)  # of the product, too
    with (folder / "out.csv").open(encoding="utf-8", newline="") as file:
        names = [of_cell(row["variant"]) for row in csv.DictReader(file)]
    csv.field_size_limit(before)
    ElementTree.parse(folder / "out.svg")
    again = read_genotypes(folder / "out.bed")
    wanted = found.variants.name[found.ranking].tolist()
    if names != wanted or again.variants.name.tolist() != found.variants.name.tolist():
        raise Wrong(f"variants {wanted} became {names} and {again.variants.name.tolist()}", "again: variants")
    data = found.data
    before, after = (data.people, again.people) if data.pedigree is None else (data.pedigree, again.pedigree)
    if before.tolist() != after.tolist():
        raise Wrong(f"people {before.tolist()} became {after.tolist()}", "again: people")
    if not np.array_equal(again.codes.codes(0, len(wanted)), found.data.codes.codes(0, len(wanted))):
        raise Wrong("after writing and reading the codes are different", "again: codes")


def _go_on(changes: Case, data: object, given: object, found: object, path: Path) -> None:
    """Raise `Wrong` unless a changed file is refused, or does not change the scores."""
    given = np.array(CLASSES) if given is None and data.phenotype is None else given
    _ranked(data, given, [RESUME], resume=path)
    if "damage" in changes:
        damage(path, *changes["damage"])
    else:
        with np.load(path) as stored:
            fields = dict(stored) | {name: np.asarray(decoded(value)) for name, value in changes.items()}
        np.savez(path, **fields)
    again = _ranked(data, given, [RESUME], resume=path)
    if again.scores.tobytes() != found.scores.tobytes():
        raise Wrong("sums of somebody else changed the scores", "resumed")
