"""Dosages of a VCF: what is read, and how it is ranked."""

import numpy as np
import pytest
from scipy.stats import chi2

from orangecontrib.reliefe.command.cli import main
from orangecontrib.reliefe.core import rank, scratch_files
from orangecontrib.reliefe.core.data.scratch import in_file
from orangecontrib.reliefe.genetics import Filters, rank_genotypes, read_genotypes
from orangecontrib.reliefe.genetics.reading import has_dosages
from orangecontrib.reliefe.tests.genetics.studies import cases, codes, write_bed, write_vcf
from orangecontrib.reliefe.tests.naive import DECIMALS, TWINS, differences, distances

EVERYTHING = Filters(1, 1, 0)
FORMAT = '##FORMAT=<ID=DS,Number=A,Type=Float,Description="Dosage">\n'
CALLS = {0: "0/0", 1: "0/1", 2: "1/1", -1: "./."}


def imputed(n=40, p=30, seed=0):
    """Dosages (n, p) near genotypes, in thousandths; NaN where the genotype is unknown."""
    found = codes(n, p, seed=seed)
    noise = np.random.default_rng(seed).uniform(-0.4, 0.4, found.shape)
    return np.where(found < 0, np.nan, np.clip(found + noise, 0, 2).round(3))


def write_dosages(folder, dosages, fields="GT:DS"):
    """A VCF of the same dosages; returns its path."""
    n, p = dosages.shape
    lines = write_vcf(folder, np.zeros((n, p), int)).read_text().splitlines()
    for f in range(p):
        cells = []
        for value in dosages[:, f].tolist():
            known = value == value
            by_field = {"GT": CALLS[round(value)] if known else "./.", "DS": f"{value:g}" if known else "."}
            cells.append(":".join(by_field[field] for field in fields.split(":")))
        lines[f - p] = "\t".join([*lines[f - p].split("\t")[:8], fields, *cells])
    text = "\n".join(lines) + "\n"
    text = text.replace("##contig", FORMAT + "##contig", 1)
    path = folder / "dosages.vcf"
    path.write_text(text)
    return path


@pytest.mark.parametrize("fields", ["GT:DS", "DS"])
def test_dosages_are_those_of_the_text(tmp_path, fields):
    dosages = imputed()
    path = write_dosages(tmp_path, dosages, fields)
    data = read_genotypes(path, dosages=True)
    np.testing.assert_allclose(data.dosages, dosages, atol=1e-6)
    nearest = [[-1 if value != value else round(value) for value in row] for row in dosages.tolist()]
    assert data.codes.codes(0, 30).tolist() == nearest
    some = data.take(np.array([3, 1])).columns(np.arange(30) == 7)
    np.testing.assert_array_equal(some.dosages, data.dosages[[3, 1]][:, [7]])
    if fields == "GT:DS":
        without = read_genotypes(path)
        assert without.dosages is None
        assert without.notes == (
            "genotypes (GT) of 30 variants read, and not their dosages (DS); dosages are ranked by dosages=True, "
            "--dosages, or Dosages in Rank Genotypes",
        )
        assert without.codes.codes(0, 30).tolist() == nearest


@pytest.mark.parametrize("fields, expected", [("GT:DS", True), ("DS", True), ("GT", False)])
def test_which_files_have_dosages(tmp_path, fields, expected):
    path = write_dosages(tmp_path, imputed(), fields)
    assert has_dosages(path) == expected
    path.write_bytes(path.read_bytes()[:30])  # damaged
    assert not has_dosages(path)
    for name, possible in (("a.pgen", True), ("a.BGEN", True), ("a.bed", False), ("a.npy", False), ("no.vcf", False)):
        assert has_dosages(tmp_path / name) == possible


@pytest.mark.parametrize("method, missing", [
    ("relieff", "ignore"), ("multisurf", "ignore"), ("multisurf", "uniform"), ("relieff", "class-conditional"),
])  # fmt: skip
def test_people_differ_by_half_of_the_difference_of_their_dosages(tmp_path, method, missing):
    dosages = imputed()
    dosages[:, 4] *= 0.3  # a rare allele, of which nobody has a dosage above 0.6
    dosages[:, 5] = 1 + np.nan_to_num(dosages[:, 5]) / 2
    path = write_dosages(tmp_path, dosages)
    y = cases(codes(40, 30)) - 1
    options = {"n_neighbors": 5} if method == "relieff" else {}
    found = rank_genotypes(
        path, y.astype(str), method, dosages=True, filters=EVERYTHING, missing=missing, **options
    )  # fmt: skip
    D = differences(
        read_genotypes(path, dosages=True).dosages.astype(float), np.zeros(30, bool), y, missing, bounds=(0, 2)
    )
    d = distances(D) if method == "multisurf" else np.round(distances(D) / 30, DECIMALS)
    expected = TWINS[method](D, d, y, range(40), **options, **({} if method == "relieff" else {"numbers": False}))
    np.testing.assert_allclose(found.scores, expected, rtol=0, atol=1e-6)
    before = rank(dosages, y, method, missing=missing, **options)  # by the ranges of the values
    assert not np.allclose(found.scores, before.scores, rtol=0, atol=1e-3)


def test_frequencies_and_single_variants(tmp_path):
    dosages = imputed()
    path = write_dosages(tmp_path, dosages)
    phenotype = cases(codes(40, 30)).tolist()
    found = rank_genotypes(path, phenotype, "multisurf", dosages=True, filters=EVERYTHING, significance=True)
    means = np.nanmean(dosages, axis=0) / 2
    np.testing.assert_allclose(found.frequency, np.minimum(means, 1 - means), atol=1e-6)
    f = 3
    known = ~np.isnan(dosages[:, f])
    column = np.where(known, dosages[:, f], np.nanmean(dosages[:, f]))
    residual = np.array(phenotype) - np.mean(phenotype)
    deviation = column - column.mean()
    statistic = (deviation @ residual) ** 2 / (np.mean(residual**2) * deviation @ deviation)
    np.testing.assert_allclose(found.single_variants[f], chi2.sf(statistic, 1), rtol=1e-4)


def test_whole_dosages_rank_as_additive_genotypes(tmp_path):
    found = codes(40, 30)
    phenotype = cases(found).tolist()
    path = write_dosages(tmp_path, np.where(found < 0, np.nan, found))
    as_dosages = rank_genotypes(path, phenotype, "relieff", dosages=True)
    as_genotypes = rank_genotypes(write_bed(tmp_path, found), phenotype, "relieff", additive=True)
    assert as_dosages.left_out == as_genotypes.left_out
    np.testing.assert_allclose(as_dosages.scores, as_genotypes.scores, atol=1e-6)
    np.testing.assert_allclose(as_dosages.frequency, as_genotypes.frequency, atol=1e-6)


def test_large_tables_of_dosages_are_in_files(tmp_path):
    path = write_dosages(tmp_path, imputed())
    expected = rank_genotypes(path, cases(codes(40, 30)).tolist(), dosages=True)
    with scratch_files(above=0):
        mapped = rank_genotypes(path, cases(codes(40, 30)).tolist(), dosages=True)
    assert in_file(mapped.data.dosages)
    np.testing.assert_array_equal(mapped.scores, expected.scores)


LINES = {  # fields, cells, and dosages of each alternative
    "GT:DS\t0/1:.\t0/0:0.25\t./.:1.5\t./.:.": ["A", [1, 0.25, 1.5, None]],
    "GT:DP:DS\t0/1:3\t0/0:3:0.25\t1:3:0.9\t0:3:0.1": ["A", [1, 0.25, 1.8, 0.2]],  # the last two are haploid
    "GT:DS\t1:1.1\t1:1\t0:.\t.:0.5": ["A", [None, 2, 0, 0.5]],
    "GT\t0/1\t1\t./.\t1/1": ["A", [1, 2, None, 2]],
    "DS\t0,2\t0.5,0.25\t1,.\t.": ["A,T", [0, 0.5, None, None], [2, 0.25, None, None]],
    "GT:DS\t1/2:1,1\t0/2:.\t0/0:0.1,0\t2/2:0,2": ["A,T", [1, 0, 0.1, 0], [1, 1, 0, 2]],
}


def test_calls_without_dosages_haploid_calls_and_several_alternatives(tmp_path):
    head = write_vcf(tmp_path, np.zeros((4, 1), int)).read_text().split("1\t7\t")[0]
    lines = [f"1\t{7 + k}\trs{k}\tG\t{a}\t.\t.\t.\t{text}\n" for k, (text, (a, *_)) in enumerate(LINES.items())]
    path = tmp_path / "odd.vcf"
    path.write_text(head + "".join(lines))
    data = read_genotypes(path, dosages=True)
    expected = [column for _, *columns in LINES.values() for column in columns]
    np.testing.assert_allclose(data.dosages.T, np.array(expected, float), atol=1e-6)
    assert data.variants.name.tolist() == ["rs0", "rs1", "rs2", "rs3", "rs4:A", "rs4:T", "rs5:A", "rs5:T"]
    assert data.notes == (
        "2 variants with several alternative alleles read as 4, one for each alternative",
        "5 haploid calls read as two equal alleles, as PLINK does",
        "1 call taken as missing: not two alleles of REF and ALT",
    )


@pytest.mark.parametrize("fields, cell, message", [
    ("GT:DS", "0/1:2.5", "line 7 of dosages.vcf has the dosage '2.5', which is not within 0 and 2"),
    ("GT:DS", "0/1:-0.1", "has the dosage '-0.1'"),
    ("GT:DS", "0/1:nan", "has the dosage 'nan'"),
    ("GT:DS", "0/1:x", "has the dosage 'x'"),
    ("GT:DS", "0/1:1,1", r"has 2 dosages \('1,1'\) for 1 alternative allele"),
    ("DP", "3", "has no genotypes: its FORMAT 'DP' is without DS or GT"),
    ("GP", "0,0,1", "1 variant left out: probabilities, but neither genotypes nor dosages"),
])  # fmt: skip
def test_bad_dosages(tmp_path, fields, cell, message):
    path = write_dosages(tmp_path, imputed(4, 3))
    lines = path.read_text().splitlines()
    lines[6] = "\t".join([*lines[6].split("\t")[:8], fields, *[cell] * 4])
    path.write_text("\n".join(lines) + "\n")
    if fields == "GP":
        assert message in read_genotypes(path, dosages=True).notes[0]
    else:
        with pytest.raises(ValueError, match=message):
            read_genotypes(path, dosages=True)


def test_command(tmp_path, capsys):
    path = write_dosages(tmp_path, imputed(), fields="DS")
    table = tmp_path / "ill.csv"
    table.write_text("iid,ill\n" + "".join(f"P{i},{ill}\n" for i, ill in enumerate(cases(codes(40, 30)))))
    asked = ["rank", str(path), "--phenotype", str(table)]
    assert main([*asked, "--dosages", "--script"]) == 0
    assert "dosages=True" in capsys.readouterr().out
    assert main(asked) == 2
    assert "--dosages" in capsys.readouterr().err
    assert main(["rank", str(write_bed(tmp_path, codes())), "--dosages"]) == 2
    assert "study.bed has genotypes and no dosages: leave dosages out" in capsys.readouterr().err
