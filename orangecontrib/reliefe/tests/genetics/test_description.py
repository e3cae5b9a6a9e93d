"""A first look at files of genotypes: counts compared with loops over the codes, for each format."""

import json
import tracemalloc

import numpy as np
import pytest

from orangecontrib.reliefe.command.cli import main
from orangecontrib.reliefe.genetics import describe_genotypes, genotype_blocks
from orangecontrib.reliefe.tests.genetics.studies import cases, codes, write_bed, write_vcf
from orangecontrib.reliefe.tests.genetics.test_dosages import imputed, write_dosages

N, P = 41, 190  # three blocks of 64 variants


def study():
    """Codes with variants of one value, one of which is unknown in everybody, and others that are often missing."""
    found = codes(N, P)
    found[:, 5] = 1
    found[:, 70] = np.where(np.arange(N) % 3, 2, -1)
    found[:, 150] = -1
    return found


def twin(found):
    """Share of missing calls, variants unknown in more than 5 % of the people, and those of one value."""
    n, p = found.shape
    n_missing = often = constant = 0
    for f in range(p):
        column = found[:, f].tolist()
        missing = sum(code < 0 for code in column)
        n_missing += missing
        often += missing > 0.05 * n
        constant += len({*column} - {-1}) < 2
    return n_missing / (n * p), often, constant


def write(folder, form, found):
    if form == "bed":
        return write_bed(folder, found)
    if form == "vcf":
        return write_vcf(folder, found)
    if form == "npy":
        path = folder / "study.npy"
        np.save(path, found)
        return path
    if form == "pgen":
        pytest.importorskip("pgenlib")
        from orangecontrib.reliefe.tests.genetics.test_pgen import write_pgen

        return write_pgen(folder, found)
    pytest.importorskip("bgen")
    from orangecontrib.reliefe.tests.genetics.test_bgen import write_bgen

    return write_bgen(folder, np.where(found < 0, np.nan, found))


@pytest.mark.parametrize("form", ["bed", "vcf", "npy", "pgen", "bgen"])
def test_counts(tmp_path, monkeypatch, form):
    monkeypatch.setattr(genotype_blocks, "MAX_VARIANTS", 64)
    found = study()
    description = describe_genotypes(write(tmp_path, form, found))
    assert (description.people, description.variants) == (N, P)
    expected = twin(found)
    assert description.missing_share == pytest.approx(expected[0])
    assert (description.often_missing, description.constant) == expected[1:]
    by_chromosome = {"": P} if form == "npy" else {"1": 50, "2": 50, "3": 50, "4": 40}
    assert description.chromosomes == by_chromosome
    assert description.has_dosages == (form == "bgen")
    if form in ("bed", "pgen", "bgen"):
        ill = cases(found).tolist()
        assert description.phenotype == f"Phenotype: {ill.count(1)} controls (1), {ill.count(2)} cases (2)"
    else:
        assert description.phenotype.startswith("No phenotype: name a table")


@pytest.mark.parametrize("fields", ["GT:DS", "DS"])
def test_dosages_of_a_vcf(tmp_path, fields):
    dosages = imputed(N, 30)
    path = write_dosages(tmp_path, dosages, fields)
    if fields == "DS":
        with pytest.raises(ValueError, match=r"has dosages and no genotypes.*--dosages"):
            describe_genotypes(path)
    description = describe_genotypes(path, dosages=fields == "DS")
    assert description.has_dosages
    assert description.missing_share == pytest.approx(np.isnan(dosages).mean())


def test_dosages_of_a_pgen(tmp_path):
    pytest.importorskip("pgenlib")
    from orangecontrib.reliefe.tests.genetics.test_pgen import write_pgen

    assert describe_genotypes(write_pgen(tmp_path, np.nan_to_num(imputed(), nan=-1.0))).has_dosages


def test_memory_does_not_grow_with_the_number_of_variants(tmp_path, monkeypatch):
    monkeypatch.setattr(genotype_blocks, "BLOCK_BYTES", 2**15)

    def peak(p):
        path = write_bed(tmp_path, np.zeros((1, 1), int), phenotype=[1])
        n = 512
        path.write_bytes(path.read_bytes()[:3] + bytes(n // 4) * p)
        path.with_suffix(".bim").write_text("".join(f"1 rs{f} 0 {f} A G\n" for f in range(p)))
        path.with_suffix(".fam").write_text("".join(f"F{i} P{i} 0 0 1 {1 + i % 2}\n" for i in range(n)))
        tracemalloc.start()
        assert describe_genotypes(path).constant == p
        used = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
        return used

    peak(64)
    assert peak(8000) < 1.2 * peak(1000)


def test_phenotypes(tmp_path):
    found = codes(40, 8)
    people = range(40)
    path = write_bed(tmp_path, found, phenotype=[-9 if i < 4 else 0 if i < 7 else 1 + i % 2 for i in people])
    description = describe_genotypes(path)
    assert description.phenotype == "Phenotype: 16 controls (1), 17 cases (2)"
    assert description.unknown_phenotypes == {"-9": 4, "0": 3}
    assert any("0 read as unknown, as PLINK does, in 3 people" in note for note in description.notes)
    table = tmp_path / "people.csv"
    rows = "".join(f"P{i},{150 + i},{'ill' if i % 3 else 'well'},{i + 1},{i % 2}\n" for i in people if i > 1)
    table.write_text("iid,height,state,days,died\n" + rows)
    number = describe_genotypes(path, table, "height")
    assert number.phenotype == "Phenotype: a number from 152 to 189, half of them at most 170.5"
    assert number.unknown_phenotypes == {"": 2}
    n_ill = sum(bool(i % 3) for i in people if i > 1)
    classes = describe_genotypes(path, table, "state")
    assert classes.phenotype == f"Phenotype: 2 classes, {n_ill} 'ill', {38 - n_ill} 'well'"
    assert describe_genotypes(path, table, ("days", "died")).phenotype == "Phenotype: 19 events, 19 censored"
    nobody = describe_genotypes(write_bed(tmp_path, found, phenotype=[-9] * 40))
    message = "No phenotype that can be ranked: the phenotype in the file beside the genotypes is unknown"
    assert nobody.phenotype.startswith(message)
    assert nobody.unknown_phenotypes == {"-9": 40}
    with pytest.raises(ValueError, match="has no column 'weight'"):
        describe_genotypes(path, table, "weight")


def run(capsys, *arguments):
    status = main(["describe", *map(str, arguments)])
    out = capsys.readouterr()
    return status, out.out, out.err


def test_the_command(tmp_path, capsys):
    found = study()
    path = write_bed(tmp_path, found)
    share, often, constant = twin(found)
    ill = cases(found).tolist()
    status, out, _ = run(capsys, path)
    assert status == 0
    assert out.splitlines() == [
        f"{N} people, {P} variants",
        "4 chromosomes (1: 50, 2: 50, 3: 50, 4: 40)",
        f"Phenotype: {ill.count(1)} controls (1), {ill.count(2)} cases (2)",
        f"{100 * share:.1f} % of the calls are missing",
        f"{often} variants unknown in more than 5 % of the people",
        f"{constant} variants with one value, which rank leaves out",
        "No dosages",
    ]
    document = json.loads(run(capsys, path, "--json")[1])
    assert (document["people"], document["variants"], document["constant"]) == (N, P, constant)
    table = tmp_path / "people.csv"
    table.write_text("iid,height\n" + "".join(f"P{i},{150 + i}\n" for i in range(N)))
    assert "Phenotype: a number from 150 to 190" in run(capsys, path, "--phenotype", table)[1]
    for options, message in (
        (["--drop", "a"], "--drop is for text tables"),
        (["--target", "y"], "the target of genotypes is --phenotype FILE"),
        (["--group", "g"], "--covariate and --group of genotypes are read by rank"),
        (["--dosages"], "has genotypes and no dosages"),
        (["--phenotype", "none.csv"], "none.csv"),
    ):
        status, _, error = run(capsys, path, *options)
        assert status == 2
        assert message in error
    status, _, error = run(capsys, table, "--phenotype", table)
    assert status == 2
    assert "--phenotype is for genotypes" in error
