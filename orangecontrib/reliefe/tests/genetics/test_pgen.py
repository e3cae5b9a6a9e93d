"""Files of PLINK 2: what is in them, and what is wrong with them."""

import sys

import numpy as np
import pytest

from orangecontrib.reliefe.command.cli import main
from orangecontrib.reliefe.genetics import Filters, rank_genotypes, read_genotypes
from orangecontrib.reliefe.tests.genetics.mutated import read_mutated
from orangecontrib.reliefe.tests.genetics.studies import cases, codes, write_bed

pgenlib = pytest.importorskip("pgenlib", reason="the extra [genetics] is not installed")


def write_pgen(folder, found):
    """A .pgen of codes or dosages (n, p), -1 where unknown, with .pvar and .psam; returns its path."""
    n, p = found.shape
    path = folder / "study.pgen"
    has_dosages = found.dtype.kind == "f"
    writer = pgenlib.PgenWriter(bytes(path), n, variant_ct=p, nonref_flags=False, dosage_present=has_dosages)
    for column in found.T:
        column = np.where(column < 0, -9, column)
        if has_dosages:
            writer.append_dosages(np.ascontiguousarray(column, np.float32))
        else:
            writer.append_biallelic(np.ascontiguousarray(column, np.int8))
    writer.close()
    lines = [f"{1 + f // 50}\t{100 * f + 7}\trs{f}\tG\tA" for f in range(p)]
    path.with_suffix(".pvar").write_text("\n".join(["#CHROM\tPOS\tID\tREF\tALT", *lines]) + "\n")
    ill = cases(np.rint(found))
    lines = [f"F{i}\tP{i}\t1\t{value}\t{i / 2}" for i, value in enumerate(ill)]
    path.with_suffix(".psam").write_text("\n".join(["#FID\tIID\tSEX\till\theight", *lines]) + "\n")
    return path


def test_genotypes_are_those_of_a_bed(tmp_path):
    found = codes(41, 90)
    data = read_genotypes(write_pgen(tmp_path, found))
    bed = read_genotypes(write_bed(tmp_path, found, name="other"))
    np.testing.assert_array_equal(data.codes.codes(0, 90), found)
    assert (data.people.tolist(), data.pedigree.tolist()) == (bed.people.tolist(), bed.pedigree.tolist())
    assert data.phenotype.tolist() == cases(found).astype(str).tolist()
    assert (data.phenotype_name, bed.phenotype_name) == ("ill", "")
    assert data.notes == ("study.psam has 2 phenotypes; the first one, 'ill', is taken by default",)
    for column in ("name", "chromosome", "position", "counted", "other"):
        assert getattr(data.variants, column).tolist() == getattr(bed.variants, column).tolist()


def test_dosages(tmp_path):
    found = codes(40, 30)
    noise = np.random.default_rng(0).uniform(-0.4, 0.4, found.shape)
    dosages = np.where(found < 0, -1, np.clip(found + noise, 0, 2))
    path = write_pgen(tmp_path, dosages)
    data = read_genotypes(path, dosages=True)
    step = 1 / 2**14  # of dosages in a .pgen
    np.testing.assert_allclose(data.dosages, np.where(found < 0, np.nan, dosages), atol=step)
    np.testing.assert_array_equal(data.codes.codes(0, 30), found)
    is_close = np.abs(noise) < 0.099  # the threshold of PLINK is 0.1
    is_far = (np.abs(dosages - np.rint(dosages)) > 0.101) | (found < 0)
    without = read_genotypes(path)
    assert "genotypes of study.pgen read, and not its dosages, which are ranked by dosages=True" in without.notes[-1]
    hard = without.codes.codes(0, 30)
    np.testing.assert_array_equal(hard[is_close & ~is_far], found[is_close & ~is_far])
    assert (hard[is_far] == -1).all()


def test_each_alternative_allele_is_a_variant(tmp_path):
    path = write_pgen(tmp_path, np.array([[0, 1], [1, 1], [1, 2], [0, -1]]))
    writer = pgenlib.PgenWriter(bytes(path), 4, variant_ct=2, nonref_flags=False, allele_ct_limit=3)
    writer.append_alleles(np.array([0, 1, 1, 2, 2, 2, -9, -9], np.int32))
    writer.append_alleles(np.array([0, 1, 1, 1, 0, 0, 0, 0], np.int32))
    writer.close()
    variants = path.with_suffix(".pvar")
    variants.write_text(variants.read_text().replace("G\tA\n", "G\tA,T\n", 1))
    data = read_genotypes(path)
    assert data.codes.codes(0, 3).T.tolist() == [[1, 1, 0, -1], [0, 1, 2, -1], [1, 2, 0, 0]]
    assert data.variants.name.tolist() == ["rs0:A", "rs0:T", "rs1"]
    assert data.variants.counted.tolist() == ["A", "T", "A"]
    assert data.notes[1] == "1 variant with several alternative alleles read as 2, one for each alternative"


def test_people_of_a_psam(tmp_path):
    path = write_pgen(tmp_path, codes(4, 3))
    people = path.with_suffix(".psam")
    people.write_text("## comment\n#IID SEX\na 1\nb 2\nc 1\nd 1\n")
    data = read_genotypes(path)
    assert (data.people.tolist(), data.pedigree, data.phenotype, data.notes) == ([*"abcd"], None, None, ())
    people.write_text("".join(f"F 1{i} 0 0 1 {i % 2 + 1}\n" for i in range(4)))  # as a .fam
    assert read_genotypes(path).phenotype.tolist() == ["1", "2", "1", "2"]
    for text, message in (
        ("#FID\tID\nF\t1\n", "study.psam has no column IID: it has 'FID', 'ID'"),
        ("#FID\tIID\nF\n", "line 2 of study.psam has 1 column instead of 2"),
        ("#IID SEX\n", "study.psam has no people"),
        ("#IID\na\na\nb\nc\n", "'a' 2 times"),
        ("#IID\na\nb\nc\n", r"study.pgen cannot be read with study.psam \(3 people\) and study.pvar \(3 variants\)"),
        ("", "study.psam is empty"),
    ):
        people.write_text(text)
        with pytest.raises(ValueError, match=message):
            read_genotypes(path)
    people.unlink()
    with pytest.raises(ValueError, match=r"study.pgen needs study.psam or study.fam beside it"):
        read_genotypes(path)


def test_files_that_do_not_fit(tmp_path):
    path = write_pgen(tmp_path, codes(40, 9))
    whole = path.read_bytes()
    for data in (whole[:-5], whole[:12], whole[:3]):
        path.write_bytes(data)
        with pytest.raises(ValueError, match=r"study.pgen (cannot be read|is damaged)"):
            read_genotypes(path)
    path.write_bytes(b"no" + whole[2:])
    with pytest.raises(ValueError, match="does not begin with 6c 1b"):
        read_genotypes(path)
    path.write_bytes(whole)
    variants = path.with_suffix(".pvar")
    text = variants.read_text()
    for other, message in (
        (text.replace("1\t107\t", "1\tx\t"), "study.pvar cannot be read: Invalid POS"),
        (text[: text.index("1\t807")], r"study.pvar \(8 variants\)"),
        (text.split("\n")[0] + "\n", "study.pvar"),
    ):
        variants.write_text(other)
        with pytest.raises(ValueError, match=message):
            read_genotypes(path)


@pytest.mark.slow
def test_no_byte_of_a_pgen_ends_the_process(tmp_path):
    path = write_pgen(tmp_path, codes(40, 9))
    done = read_mutated(path)
    assert (done.returncode, done.stderr) == (0, "")


def test_rankings(tmp_path, capsys):
    found = codes(40, 30)
    path = write_pgen(tmp_path, found)
    ranking = rank_genotypes(path, filters=Filters(maf=0))
    expected = rank_genotypes(write_bed(tmp_path, found), filters=Filters(maf=0))
    np.testing.assert_array_equal(ranking.scores, expected.scores)
    assert main(["rank", str(path), "--dosages"]) == 0
    assert "\nstudy.pgen: 40 people" in capsys.readouterr().out


def test_without_the_package(tmp_path, capsys, monkeypatch):
    path = write_pgen(tmp_path, codes(4, 3))
    monkeypatch.setitem(sys.modules, "pgenlib", None)
    with pytest.raises(ImportError, match=r"reading .pgen needs the package pgenlib .*\.\[genetics\]"):
        read_genotypes(path)
    assert main(["rank", str(path)]) == 2
    assert "[genetics]" in capsys.readouterr().err
