"""Files of genotypes: what is in them, and what is wrong with them."""

import gzip
import re
import subprocess
import sys
from time import process_time

import numpy as np
import pytest

from orangecontrib.reliefe.core import Packed, scratch_files
from orangecontrib.reliefe.core.data import bed_bits
from orangecontrib.reliefe.core.data.scratch import in_file
from orangecontrib.reliefe.genetics import Filters, rank_genotypes, read_genotypes
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
    found = codes(6, 70, 0.1)
    data = read_genotypes(write_vcf(tmp_path, found))
    np.testing.assert_array_equal(data.codes.codes(0, 70), found)
    v = data.variants
    assert (v.name[3], v.chromosome[60], v.position[3], v.counted[3], v.other[3]) == ("rs3", "2", 307, "A", "G")


FIRST = "1\t7\trs0\tG\tA\t.\t.\t.\tGT\t"  # begins the line of the first variant


@pytest.mark.parametrize("form", ["text", "several members"])
def test_calls(tmp_path, form):
    calls = {"0/0": 0, "0|1": 1, "1|0": 1, "1/1": 2, ".": -1, "./.": -1, ".|.": -1}
    calls |= dict.fromkeys(["./1", "0/.", "0|.", "0/0/1", "0/2", "3|3", "0/1/.", "./././1", "2"], -1)
    calls |= {"0": 0, "1": 2}  # haploid
    path, n = write_vcf(tmp_path, np.zeros((len(calls), 2), int)), len(calls)
    text = path.read_text().replace("\t".join(["0/0"] * n), "\t".join(calls), 1)
    text = text.replace("rs0", 9 * "rs0").replace("rs1\tG\tA", ".\tG\t.")
    text = text.replace("GT" + n * "\t0/0", "GT:DP\t0/1:7" + (n - 1) * "\t0/0:12")
    if form == "text":
        path.write_text(text)
    else:
        path = tmp_path / "study.vcf.gz"
        data = text.encode()
        path.write_bytes(gzip.compress(data[:300]) + gzip.compress(data[300:]))  # as bgzip does
    data = read_genotypes(path)
    assert data.codes.codes(0, 2).T.tolist() == [[*calls.values()], [-1] + [0] * (n - 1)]
    assert data.variants.name.tolist() == [9 * "rs0", "1:107"]
    assert data.variants.counted.tolist() == ["A", ""]
    assert data.notes == (
        "2 haploid calls read as two equal alleles, as PLINK does",
        "10 calls taken as missing: not two alleles of REF and ALT",
    )
    found = rank_genotypes(data, [0, 1] * (n // 2) + [0] * (n % 2), filters=Filters(1, 1, 0))
    assert found.left_out[:2] == data.notes


@pytest.mark.parametrize("calls", [
    pytest.param(lambda n: [f"{i}/." for i in range(n)], id="no call"),
    pytest.param(lambda n: [f"{i % 9999}/{i // 9999 + 1}" for i in range(n)], id="other alleles"),
    pytest.param(lambda n: [f"{i:x}" for i in range(n)], id="haploid"),
])  # fmt: skip
def test_calls_that_all_differ_take_no_longer_than_equal_ones(tmp_path, calls):
    n = 30_000
    path = write_vcf(tmp_path, np.zeros((n, 2), int))
    text = path.read_text()

    def seconds():
        start = process_time()
        read_genotypes(path)
        return process_time() - start

    usual = min(seconds() for _ in range(3))
    path.write_text(text.replace("\t".join(["0/0"] * n), "\t".join(calls(n)), 1))
    assert seconds() < 20 * usual  # counting each call among all took 900 times as long


def test_each_alternative_allele_is_a_variant(tmp_path):
    path = write_vcf(tmp_path, np.zeros((6, 3), int))
    calls, second = "0/0\t0/1\t1/2\t2|2\t3/1\t./.", "0/1\t" * 5 + "1/1"
    text = path.read_text().replace("\t".join(["0/0"] * 6), calls, 1).replace("rs0\tG\tA", "rs0\tG\tA,T", 1)
    text = text.replace("\t".join(["0/0"] * 6), second, 1).replace("rs1\tG\tA", ".\tG\tA,C", 1)
    path.write_text(text)
    data = read_genotypes(path)
    v = data.variants
    assert v.name.tolist() == ["rs0:A", "rs0:T", "1:107:A", "1:107:C", "rs2"]
    assert (v.counted.tolist(), v.position.tolist()) == ([*"ATACA"], [7, 7, 107, 107, 207])
    assert data.codes.codes(0, 5).T.tolist() == [
        [0, 1, 1, 0, -1, -1],
        [0, 0, 1, 2, -1, -1],
        [1, 1, 1, 1, 1, 2],
        [0, 0, 0, 0, 0, 0],
        [0, 0, 0, 0, 0, 0],
    ]
    assert data.notes[0] == "2 variants with several alternative alleles read as 4, one for each alternative"
    assert data.notes[1].startswith("1 call taken as missing")


def test_dosages_without_genotypes_are_counted(tmp_path):
    def read(text):
        path = tmp_path / "study.vcf"
        path.write_text(text)
        return read_genotypes(path)

    text = write_vcf(tmp_path, np.zeros((6, 3), int)).read_text()
    header = '##FORMAT=<ID=GT,Number=1,Type=String,Description="Genotype">\n'
    text = text.replace(header, header.replace("GT", "DS"))
    advice = r"plink2 --vcf study\.vcf dosage=DS --make-bed"
    lost = text.replace("\tGT\t", "\tDS\t")
    with pytest.raises(ValueError, match=rf"study\.vcf has dosages and no genotypes .GT.*{advice}"):
        read(lost)
    data = read(text.replace("\tGT\t", "\tGP:DS\t", 1))
    assert data.variants.name.tolist() == ["rs1", "rs2"]
    assert data.notes[0].startswith("1 variant left out: dosages and no genotypes (GT). Read dosages (dosages=True")


@pytest.mark.parametrize("write", [write_bed, write_vcf])
def test_variants_without_a_name_are_named_by_their_place(tmp_path, write):
    variants = [
        (".", 7, "A", "G", "1:7"),
        ("0", 9, "A", "G", "1:9"),
        (".", 11, "A", "G", "1:11:A"),
        (".", 11, "C", "G", "1:11:C"),
        (".", 13, "A", "G", "1:13:G:A"),
        (".", 13, "A", "T", "1:13:T:A"),
        (".", 15, "A", "G", "1:15:A"),
        ("1:15", 15, "A", "G", "1:15"),
    ]
    path = write(tmp_path, codes(6, len(variants)))
    if path.suffix == ".bed":
        lines = [f"1\t{name}\t0\t{place}\t{allele}\t{other}" for name, place, allele, other, _ in variants]
        path.with_suffix(".bim").write_text("\n".join(lines) + "\n")
    else:
        lines = path.read_text().splitlines()
        head, calls = lines[: -len(variants)], [line.split("\t")[5:] for line in lines[-len(variants) :]]
        for (name, place, allele, other, _), rest in zip(variants, calls, strict=True):
            head.append("\t".join(["1", str(place), name, other, allele, *rest]))
        path.write_text("\n".join(head) + "\n")
    found = rank_genotypes(path, [0, 1] * 3, filters=Filters(1, 1, 0))
    assert read_genotypes(path).variants.name.tolist() == [expected for *_, expected in variants]
    assert set(found.best(9)) <= {expected for *_, expected in variants}


def test_variants_without_name_and_place_are_numbered(tmp_path):
    path = write_bed(tmp_path, codes(6, 3))
    path.with_suffix(".bim").write_text("0\t.\t0\t0\tA\tG\n" * 3)
    assert read_genotypes(path).variants.name.tolist() == ["SNP 1", "SNP 2", "SNP 3"]


@pytest.mark.parametrize("text, expected", [
    ("1e+05", 100_000), ("1.5e+06", 1_500_000), ("2E8", 200_000_000), ("300.0", 300), ("9" * 18, 10**18 - 1),
    ("1.5", None), ("1e-05", None), ("1e+99", None), ("1e", None), ("+5", None), ("nan", None), ("1_000", None),
    ("--5", None), ("\u0663", None), ("1" * 19, None), ("x", None),
])  # fmt: skip
def test_positions(tmp_path, text, expected):
    path = write_bed(tmp_path, codes(6, 3))
    bim = path.with_suffix(".bim")
    bim.write_text(bim.read_text().replace("\t107\t", f"\t{text}\t"))
    if expected is None:
        with pytest.raises(ValueError, match=r"line 2 of study\.bim has the position"):
            read_genotypes(path)
    else:
        assert read_genotypes(path).variants.position[1] == expected


def test_a_negative_position_is_refused_before_genotypes_are_packed(tmp_path, monkeypatch):
    monkeypatch.setattr(Packed, "of_blocks", None)
    text = write_vcf(tmp_path, codes(6, 3)).read_text().replace("\t107\t", "\t-5\t")
    path = tmp_path / "study.vcf"
    path.write_text(text)
    with pytest.raises(ValueError, match=r"line \d of study\.vcf has the position '-5', which is below 0"):
        read_genotypes(path)


@pytest.mark.parametrize("old, new, message", [
    (FIRST, "garbage", r"line 6 of study\.vcf has 6 columns instead of 15"),
    ("\t0/0\n", "\n", "line 6 of study.vcf has 14 columns instead of 15"),
    ("\tGT\t0", "\tDP\t0", "line 6 of study.vcf has no genotypes"),
    ("\tP4", "\tP1", "'P1' 2 times"),
    ("\tFORMAT", "", "line 5 of study.vcf must have the titles"),
    ("\tP4\t", "\t\t", "line 5 of study.vcf must have the titles .* and the names of people"),
    ("1\t7\t", "1\t" + "7" * 30 + "\t", "line 6 of study.vcf has the position '777"),
    ("1\t7\t", "1\t\u00b2\t", "line 6 of study.vcf has the position"),
    ("G\tA\t", "G\tA" + 1000 * ",A" + "\t", "line 6 of study.vcf has 1,001 alternative alleles"),
    ("1\t7\t", "1\t\t", "line 6 of study.vcf has the position ''"),
    ("1\t7\t", "1\t-7\t", "line 6 of study.vcf has the position '-7', which is below 0"),
    ("rs0", "\rrs0", "line 6 of study.vcf has a carriage return inside"),
    ("rs0", "\udcff", "line 6 of study.vcf is not in UTF-8"),
    (None, "", "study.vcf is empty"),
    (None, "##fileformat=VCFv4.2\n", "study.vcf is empty"),
    (None, "\x1f\udc8b", "study.vcf is damaged"),
    (None, "BCF\2\2", "study.vcf is a BCF. Convert it by bcftools view study.vcf -Oz -o study.vcf.gz, or by plink2"),
])  # fmt: skip
def test_bad_lines_of_a_vcf(tmp_path, old, new, message):
    path = write_vcf(tmp_path, np.zeros((6, 3), int))
    text = new if old is None else path.read_text().replace(old, new, 1)
    path.write_bytes(text.encode("utf-8", "surrogateescape"))
    with pytest.raises(ValueError, match=message):
        read_genotypes(path)


def test_a_vcf_as_windows_writes_it(tmp_path):
    found = codes(6, 9)
    path = write_vcf(tmp_path, found)
    path.write_bytes(b"\xef\xbb\xbf" + path.read_bytes().replace(b"\n", b"\r\n"))
    np.testing.assert_array_equal(read_genotypes(path).codes.codes(0, 9), found)


MUTATED = """
import random, sys
from pathlib import Path
from time import process_time
from orangecontrib.reliefe.genetics import read_genotypes
path, draw = Path(sys.argv[1]), random.Random(0)
good = path.read_bytes().split(b"\\n")
for _ in range(200):
    lines = good.copy()
    at = draw.randrange(len(lines) - 1)
    start, end = sorted(draw.choices(range(len(lines[at]) + 1), k=2))
    new = draw.choice([b"", b"\\t", lines[at][start:end] * 2, draw.randbytes(draw.randrange(9)), b"9" * 5000])
    lines[at] = lines[at][:start] + new + lines[at][end:]
    path.write_bytes(b"\\n".join(lines))
    try:
        read_genotypes(path)
    except ValueError:
        pass
"""


@pytest.mark.slow
def test_no_line_of_a_vcf_ends_the_process(tmp_path):
    path = write_vcf(tmp_path, codes(6, 9))
    done = subprocess.run([sys.executable, "-c", MUTATED, str(path)], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")


@pytest.mark.parametrize("write", [write_bed, write_vcf])
def test_a_long_allele_or_name_costs_its_own_length(tmp_path, write):
    path, long = write(tmp_path, codes(6, 70)), "ACGTA" * 1000
    for file in (path, path.with_suffix(".bim"), path.with_suffix(".fam")):
        if file.exists() and file.suffix != ".bed":
            text = file.read_text().replace("\tG", f"\t{long}", 1).replace("rs2", long, 1).replace("P3", long, 1)
            file.write_text(text)
    data = read_genotypes(path)
    v = data.variants
    assert long in v.other
    assert (v.name[2], data.people[3]) == (long, long)
    assert {column.nbytes for column in (v.name, v.chromosome, v.counted, v.other)} == {70 * 8}
    assert data.people.nbytes == 6 * 8


def test_mapped_array(tmp_path):
    found = codes(6, 70).astype(np.int8)
    np.save(tmp_path / "codes.npy", found)
    data = read_genotypes(tmp_path / "codes.npy")
    np.testing.assert_array_equal(data.codes.codes(0, 70), found)
    assert data.variants.name[69] == "SNP 70"


def test_blocks_of_variants(tmp_path, monkeypatch):
    found, shares = codes(5, 200, 0.1), []
    monkeypatch.setattr(bed_bits, "WORDS_PER_BLOCK", 1)
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
    with pytest.raises(ValueError, match=r"x.txt is no file of genotypes. Files that are read: .npy, .bed"):
        read_genotypes(tmp_path / "x.txt")


def test_people_must_differ(tmp_path):
    path = write_bed(tmp_path, codes(5, 9))
    fam = path.with_suffix(".fam")
    fam.write_text(fam.read_text().replace("F3 P3", "F1 P1"))
    with pytest.raises(ValueError, match="'F1 P1' 2 times"):
        read_genotypes(path)


def test_people_are_told_apart_by_family_and_name(tmp_path):
    found = codes(40, 9)
    path = write_bed(tmp_path, found)
    fam = path.with_suffix(".fam")
    plain = rank_genotypes(path, filters=Filters(1, 1, 0))
    fam.write_text(re.sub(r"P\d+", "1", fam.read_text()))
    data = read_genotypes(path)
    assert data.people[:2].tolist() == ["F0_1", "F1_1"]
    assert data.notes == ("people of study.fam are told apart by FID and IID, written FID_IID",)
    same = rank_genotypes(path, filters=Filters(1, 1, 0))
    np.testing.assert_array_equal(same.scores, plain.scores)
    same.save(tmp_path / "again.bed")
    again = read_genotypes(tmp_path / "again.bed")
    assert again.pedigree.tolist() == data.pedigree.tolist()
    assert again.people.tolist() == data.people.tolist()


def test_line_of_a_fam(tmp_path):
    path = write_bed(tmp_path, codes(5, 9))
    fam = path.with_suffix(".fam")
    fam.write_text(fam.read_text().replace("F2 P2 0 0 1", "F2 P2 0 0"))
    with pytest.raises(ValueError, match=r"line 3|5 columns"):
        read_genotypes(path)


def test_blanks_between_the_columns_of_a_bim(tmp_path):
    path = write_bed(tmp_path, codes(5, 9))
    bim = path.with_suffix(".bim")
    bim.write_text(bim.read_text().replace("\t", "  ").replace("  307 ", "  -307 "))
    v = read_genotypes(path).variants
    assert (v.name[3], v.chromosome[3], v.position[3], v.counted[3], v.other[3]) == ("rs3", "1", -307, "A", "G")


@pytest.mark.parametrize("ending, old, new, message", [
    (".bim", b"rs3", b"\xe9", r"line 4 of study\.bim is not in UTF-8"),
    (".fam", b"P3", b"Andr\xe9", r"line 4 of study\.fam is not in UTF-8"),
    (".bim", b"\t307\t", b"\t" + b"3" * 30 + b"\t", r"line 4 of study\.bim has the position '333"),
    (".bim", b"\t307\t", b"\t", r"line 4 of study\.bim has 5 columns"),
    (".bim", b"rs3", b"", r"line 4 of study\.bim has 5 columns"),
    (".fam", b"P3", b"P 3", r"line 4 of study\.fam has 7 columns instead of 6"),
    (".bim", None, b"", r"study\.bim is empty"),
    (".fam", None, b" \n", r"study\.fam is empty"),
    (".bed", None, b"", "6c 1b"),
])  # fmt: skip
def test_bad_lines_beside_a_bed(tmp_path, ending, old, new, message):
    path = write_bed(tmp_path, codes(5, 9))
    file = path.with_suffix(ending)
    file.write_bytes(new if old is None else file.read_bytes().replace(old, new, 1))
    with pytest.raises(ValueError, match=message):
        read_genotypes(path)


def test_bad_arrays(tmp_path):
    path = tmp_path / "codes.npy"
    damaged = b"\x93NUMPY\1\0v\0{'descr': ("
    for content, message in (
        (b"", "codes.npy"),
        (damaged + b" " * 200, "cannot read"),
        (np.full((4, 4), 65537), "codes.npy: codes must be .* is 65537"),
    ):
        if isinstance(content, bytes):
            path.write_bytes(content)
        else:
            np.save(path, content)
        with pytest.raises(ValueError, match=message):
            read_genotypes(path)


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
    np.testing.assert_array_equal(mapped.scores, expected.scores)
    np.testing.assert_array_equal(mapped.frequency, expected.frequency)
