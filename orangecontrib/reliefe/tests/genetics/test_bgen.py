"""Files of BGEN: what is in them, and what is wrong with them."""

import sys

import numpy as np
import pytest

from orangecontrib.reliefe.genetics import Filters, rank_genotypes, read_genotypes
from orangecontrib.reliefe.tests.genetics.mutated import read_mutated
from orangecontrib.reliefe.tests.genetics.studies import cases, codes, write_bed

bgen = pytest.importorskip("bgen", reason="the extra [genetics] is not installed")

STEP = 1 / (2**16 - 1)  # of probabilities of 16 bits
NAN = np.nan


def probabilities(dosage):
    """Probabilities of the genotypes 0, 1 and 2 with this expected count, of two neighbouring genotypes."""
    if dosage != dosage:
        return [NAN] * 3
    return [max(1 - dosage, 0), 1 - abs(dosage - 1), max(dosage - 1, 0)]


def write_bgen(folder, dosages, **options):
    """A .bgen of dosages (n, p), NaN where unknown, with a .sample; returns its path."""
    n, p = dosages.shape
    path = folder / "study.bgen"
    with bgen.BgenWriter(path, n, **options) as writer:
        for f in range(p):
            rows = np.array([*map(probabilities, dosages[:, f])])
            writer.add_variant(f"v{f}", f"rs{f}", str(1 + f // 50), 100 * f + 7, ["G", "A"], rows, bit_depth=16)
    ill = cases(np.rint(np.nan_to_num(dosages, nan=-1)))
    rows = [f"F{i} P{i} 0 {30 + i} {value}" for i, value in enumerate(ill)]
    text = "\n".join(["ID_1 ID_2 missing age ill", "0 0 0 C B", *rows]) + "\n"
    path.with_suffix(".sample").write_text(text)
    return path


@pytest.mark.parametrize("options", [{}, {"compression": "zlib"}, {"compression": None}])
def test_genotypes_are_those_of_a_bed(tmp_path, options):
    found = codes(41, 90)
    data = read_genotypes(write_bgen(tmp_path, np.where(found < 0, NAN, found), **options))
    bed = read_genotypes(write_bed(tmp_path, found, name="other"))
    np.testing.assert_array_equal(data.codes.codes(0, 90), found)
    assert (data.people.tolist(), data.pedigree.tolist()) == (bed.people.tolist(), bed.pedigree.tolist())
    assert data.phenotype.tolist() == cases(found).astype(str).tolist()
    assert data.notes == ()
    for column in ("name", "chromosome", "position", "counted", "other"):
        assert getattr(data.variants, column).tolist() == getattr(bed.variants, column).tolist()


def test_dosages_and_calls_close_to_a_genotype(tmp_path):
    found = codes(40, 30)
    noise = np.random.default_rng(0).uniform(-0.4, 0.4, found.shape)
    dosages = np.where(found < 0, NAN, np.clip(found + noise, 0, 2))
    path = write_bgen(tmp_path, dosages)
    data = read_genotypes(path, dosages=True)
    np.testing.assert_allclose(data.dosages, dosages, atol=3 * STEP)
    np.testing.assert_array_equal(data.codes.codes(0, 30), found)
    distance = np.abs(dosages - np.rint(dosages))
    expected = np.where(distance <= 0.1, np.rint(dosages), -1)
    data = read_genotypes(path)
    np.testing.assert_array_equal(data.codes.codes(0, 30), expected)
    unclear = int((distance > 0.1).sum())
    assert data.notes[0].startswith(f"{unclear} genotypes taken as missing: the dosage is farther than 0.1")
    phenotype = cases(found).tolist()
    ranking = rank_genotypes(path, phenotype, dosages=True, filters=Filters(1, 1, 0))
    bed = write_bed(tmp_path, found, name="other")
    others = rank_genotypes(bed, phenotype, additive=True, filters=Filters(1, 1, 0))
    assert np.corrcoef(ranking.scores, others.scores)[0, 1] > 0.8


# Alleles, probabilities and ploidy of each person, whether phased, and expected counts of the alternative alleles
VARIANTS = {
    "haploid": ("GA", [[1, 0, NAN], [0, 1, 0], [0, 1, NAN], [NAN] * 3], [1, 2, 1, 2], False, [[0, 1, 2, NAN]]),
    "phased": ("GA", [[1, 0, 0, 1], [1, 0, 1, 0], [0.2, 0.8, 0, 1], [NAN] * 4], 2, True, [[1, 0, 1.8, NAN]]),
    "triploid": ("GA", [[1, 0, 0, 0], [0, 1, 0, NAN], [0, 0, 1, NAN], [0, 0, 0, 1]], [3, 2, 2, 3], False,
                 [[NAN, 1, 2, NAN]]),
    "three": ("GAT", [[0, 1, 0, 0, 0, 0], [0, 0, 0, 0, 1, 0], [0, 0, 0.5, 0, 0, 0.5], [0, 0, 0, 1, 0, 0]], 2, False,
              [[1, 1, 1, 0], [0, 1, 1, 1]]),
    "phased3": ("GAT", [[0, 1, 0, 0, 0, 1], [1, 0, 0, 0, 0.5, 0.5], [0, 0, 1, 0, 0, 1], [NAN] * 6], 2, True,
                [[1, 0.5, 0, NAN], [1, 0.5, 2, NAN]]),
}  # fmt: skip


def test_haploid_phased_and_several_alternatives(tmp_path):
    path = tmp_path / "odd.bgen"
    with bgen.BgenWriter(path, 4, samples=[*"abcd"]) as writer:
        for number, (name, (alleles, rows, ploidy, phased, _)) in enumerate(VARIANTS.items()):
            ploidy = np.array(ploidy, np.uint8) if isinstance(ploidy, list) else ploidy
            writer.add_variant("", name, "X", 7 + number, [*alleles], np.array(rows, float), ploidy, phased, 16)
    data = read_genotypes(path, dosages=True)
    expected = [row for *_, rows in VARIANTS.values() for row in rows]
    np.testing.assert_allclose(data.dosages.T, expected, atol=3 * STEP)
    assert data.variants.name.tolist() == [
        "haploid", "phased", "triploid", "three:A", "three:T", "phased3:A", "phased3:T"
    ]  # fmt: skip
    assert (data.people.tolist(), data.pedigree, data.phenotype) == ([*"abcd"], None, None)
    assert data.notes == (
        "2 variants with several alternative alleles read as 4, one for each alternative",
        "2 haploid genotypes read as two equal alleles, as PLINK does",
        "2 genotypes taken as missing: not of one or two alleles",
    )


def test_names_of_people(tmp_path):
    path = write_bgen(tmp_path, np.zeros((4, 3)))
    people = path.with_suffix(".sample")
    text = people.read_text()
    people.write_text("ID\n0\n" + "a\nb\nc\nd\n")
    assert read_genotypes(path).people.tolist() == [*"abcd"]
    for wrong, message in (
        (text.replace("0 0 0 C B", "0 0 0 C X"), "line 2 of study.sample must have the types of 5 columns"),
        (text.split("\n")[0] + "\n", "line 2 of study.sample must have the types"),
        (text.replace("F1 P1 ", "F1 "), "line 4 of study.sample has 4 columns instead of 5"),
        (text.replace("F1 P1 ", "F2 P2 "), "'F2 P2' 2 times"),
        (text[: text.index("F3")], "study.sample has 3 people, and study.bgen has 4"),
        ("\n".join(text.split("\n")[:2]), "study.sample has no people"),
    ):
        people.write_text(wrong)
        with pytest.raises(ValueError, match=message):
            read_genotypes(path)
    people.unlink()
    with pytest.raises(ValueError, match=r"study.bgen has no names of people: it needs study.sample beside it"):
        read_genotypes(path)


def test_damaged_files(tmp_path):
    path = write_bgen(tmp_path, np.random.default_rng(0).uniform(0, 2, (40, 9)))
    path.with_name("study.bgen.bgi").unlink()
    whole = path.read_bytes()
    for data in (b"", b"no", whole[:10], whole[:30], whole[: len(whole) // 2], whole[:-3], whole[:16] + b"nope" * 9):
        path.write_bytes(data)
        with pytest.raises(ValueError, match=r"study.bgen (cannot be read|is damaged)"):
            read_genotypes(path)


@pytest.mark.slow
@pytest.mark.parametrize("compression", ["zstd", None])
def test_no_byte_of_a_bgen_ends_the_process(tmp_path, compression):
    path = write_bgen(tmp_path, np.random.default_rng(0).uniform(0, 2, (40, 9)), compression=compression)
    done = read_mutated(path)
    assert done.returncode == 0, done.stderr  # the package logs warnings


def test_without_the_package(tmp_path, monkeypatch):
    path = write_bgen(tmp_path, np.zeros((4, 3)))
    monkeypatch.setitem(sys.modules, "bgen", None)
    with pytest.raises(ImportError, match=r"reading .bgen needs the package bgen .*\.\[genetics\]"):
        read_genotypes(path)
