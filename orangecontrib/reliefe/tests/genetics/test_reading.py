"""Files of genotypes: what is in them, and what is wrong with them."""

import numpy as np
import pytest

from orangecontrib.reliefe.core import Packed
from orangecontrib.reliefe.core.data import bed_bits
from orangecontrib.reliefe.core.data.scratch import in_file, scratch_files
from orangecontrib.reliefe.genetics import rank_genotypes, read_genotypes, reading
from orangecontrib.reliefe.genetics_endings import ENDINGS, is_genotypes
from orangecontrib.reliefe.tests.genetics.studies import cases, codes, write_bed, write_vcf


@pytest.mark.parametrize("n", [4, 5, 7])
@pytest.mark.parametrize("additive", [False, True])
def test_bed(tmp_path, n, additive):
    found = codes(n, 70, 0.1)
    data = read_genotypes(write_bed(tmp_path, found), additive)
    assert data.shape == (n, 70)
    np.testing.assert_array_equal(data.codes.codes(0, 70), found)
    assert data.codes.additive == additive
    assert data.people.tolist() == [f"P{i}" for i in range(n)]
    assert data.phenotype.tolist() == cases(found).astype(str).tolist()
    v = data.variants
    assert (v.name[3], v.chromosome[60], v.position[3], v.counted[3], v.other[3]) == ("rs3", "2", 307, "A", "G")


def test_vcf(tmp_path):
    pytest.importorskip("cyvcf2")
    found = codes(6, 70, 0.1)
    data = read_genotypes(write_vcf(tmp_path, found))
    np.testing.assert_array_equal(data.codes.codes(0, 70), found)
    v = data.variants
    assert (v.name[3], v.chromosome[60], v.position[3], v.counted[3], v.other[3]) == ("rs3", "2", 307, "A", "G")
    with pytest.raises(ValueError, match=r"1:7 of study\.vcf has 2 alternative alleles"):
        read_genotypes(write_vcf(tmp_path, found, "several"))


def test_mapped_array(tmp_path):
    found = codes(6, 70).astype(np.int8)
    np.save(tmp_path / "codes.npy", found)
    data = read_genotypes(tmp_path / "codes.npy")
    np.testing.assert_array_equal(data.codes.codes(0, 70), found)
    assert data.variants.name[69] == "SNP 70"


def test_blocks_of_variants(tmp_path, monkeypatch):
    found, shares = codes(5, 200, 0.1), []
    monkeypatch.setattr(bed_bits, "WORDS_AT_ONCE", 1)
    data = read_genotypes(write_bed(tmp_path, found), progress=shares.append)
    np.testing.assert_array_equal(data.codes.codes(0, 200), found)
    assert shares == [0, 0.32, 0.64, 0.96]


def test_files_that_do_not_fit(tmp_path):
    path = write_bed(tmp_path, codes(5, 9))
    whole = path.read_bytes()
    for data, message in (
        (whole[:-1], "cut off"),
        (whole + b"\0", "too long"),
        (whole[:2] + b"\0" + whole[3:], "individual-major"),
        (b"no" + whole[2:], "6c 1b"),
        (b"", "6c 1b"),
    ):
        path.write_bytes(data)
        with pytest.raises(ValueError, match=message):
            read_genotypes(path)
    path.write_bytes(whole)
    path.with_suffix(".bim").unlink()
    with pytest.raises(ValueError, match=r"study\.bim beside it"):
        read_genotypes(path)
    with pytest.raises(ValueError, match="no file"):
        read_genotypes(tmp_path / "other.bed")
    (tmp_path / "x.txt").write_text("")
    with pytest.raises(ValueError, match="endings are"):
        read_genotypes(tmp_path / "x.txt")


def test_people_must_differ(tmp_path):
    path = write_bed(tmp_path, codes(5, 9))
    fam = path.with_suffix(".fam")
    fam.write_text(fam.read_text().replace("P3", "P1"))
    with pytest.raises(ValueError, match="'P1' 2 times"):
        read_genotypes(path)


def test_line_of_a_fam(tmp_path):
    path = write_bed(tmp_path, codes(5, 9))
    fam = path.with_suffix(".fam")
    fam.write_text(fam.read_text().replace("F2 P2 0 0 1", "F2 P2 0 0"))
    with pytest.raises(ValueError, match=r"line 3|5 columns"):
        read_genotypes(path)


def test_without_the_reader(tmp_path, monkeypatch):
    path = write_bed(tmp_path, codes(5, 9))

    def missing(name):
        raise ImportError(name)

    monkeypatch.setattr(reading, "import_module", missing)
    with pytest.raises(ImportError, match=r"\[genetics\]"):
        read_genotypes(path)


def test_names_of_files():
    assert all(is_genotypes(f"Study{ending.upper()}") for ending in ENDINGS)
    assert not is_genotypes("study.csv")


@pytest.mark.parametrize("n, p", [(5, 3), (61, 130), (64, 600)])
@pytest.mark.parametrize("additive", [False, True])
def test_bits_of_a_file_are_those_of_its_codes(n, p, additive, tmp_path):
    found = np.random.default_rng(0).integers(-1, 3, (n, p))
    packed = read_genotypes(write_bed(tmp_path, found, np.arange(n) % 2 + 1), additive).codes
    expected = Packed.of(found, additive)
    np.testing.assert_array_equal(packed.low, expected.low)
    np.testing.assert_array_equal(packed.high, expected.high)
    assert packed.additive == additive


def test_large_planes_are_mapped_from_disk(tmp_path):
    found = codes(60, 200, 0.05)
    path = write_bed(tmp_path, found)
    expected = rank_genotypes(path, method="multisurf")
    with scratch_files(above=0):
        mapped = rank_genotypes(path, method="multisurf")
    assert in_file(mapped.data.codes.low)
    assert not in_file(expected.data.codes.low)
    np.testing.assert_array_equal(mapped.ranking.scores, expected.ranking.scores)
    np.testing.assert_array_equal(mapped.frequency, expected.frequency)
