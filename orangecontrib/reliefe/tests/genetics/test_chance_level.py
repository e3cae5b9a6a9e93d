"""Chance levels of scores of variants in the command and in scripts; names of files and classes of PLINK."""

import re

import numpy as np
import pytest

from orangecontrib.reliefe import rank_genotypes
from orangecontrib.reliefe.command.cli import main
from orangecontrib.reliefe.core import null_level
from orangecontrib.reliefe.genetics import Filters
from orangecontrib.reliefe.genetics.chance_level import advice_on_pairs, is_null_level_quick
from orangecontrib.reliefe.tests.genetics.studies import codes, write_bed

EVERYTHING = Filters(1, 1, 0)


@pytest.fixture
def noise(tmp_path):
    """Genotypes of 40 people, a .fam of controls and cases that do not depend on them, and a table of phenotypes."""
    path = write_bed(tmp_path, codes(40, 60))
    lines = path.with_suffix(".fam").read_text().splitlines()
    random = np.random.default_rng(3)
    phenotypes = random.permutation([1] * 25 + [2] * 15)
    lines = [f"{line.rsplit(maxsplit=1)[0]} {value}" for line, value in zip(lines, phenotypes, strict=True)]
    path.with_suffix(".fam").write_text("\n".join(lines) + "\n")
    names = [line.split()[1] for line in lines]
    table = path.with_name("people.csv")
    words = np.where(phenotypes == 2, "ill", "well").astype(object)
    words[:3] = "NONE"
    table.write_text("iid,disease\n" + "".join(f"{name},{word}\n" for name, word in zip(names, words, strict=True)))
    return path, table


def test_the_command_says_that_scores_are_near_chance(noise, capsys):
    path, _ = noise
    assert main(["rank", str(path), "--maf", "0"]) == 0
    first, digest, *_ = capsys.readouterr().out.splitlines()
    result = rank_genotypes(path, filters=Filters(maf=0), with_null_level=True)
    expected = null_level(result.data.ranked, result.phenotype, "relieff", missing="ignore")
    assert result.null.level == expected.level > result.scores.max()
    assert first == result.conclusion
    assert first.startswith(
        "60 variants ranked for controls and cases: scores are near chance, since none is above the "
    )
    assert digest == "study.bed: 40 people, 60 variants, target phenotype (2 classes: 25 controls (1), 15 cases (2))"


def test_p_values_need_no_null_level(noise):
    path, _ = noise
    result = rank_genotypes(path, filters=EVERYTHING, with_null_level=True, significance=5)
    assert result.null is None
    assert "stands out from chance for controls and cases" in result.conclusion


def test_a_table_with_one_phenotype_gives_its_name_and_none_is_missing(noise, capsys):
    path, table = noise
    assert main(["rank", str(path), "--maf", "0", "--phenotype", str(table)]) == 0
    out = capsys.readouterr().out
    n_ill, n_well = map(int, re.findall(r"target disease \(2 classes: (\d+) ill, (\d+) well\)", out)[0])
    assert n_ill + n_well == 37
    assert "NONE read as unknown in 3 people, as PLINK 2 does, in the phenotype" in out
    assert "variants ranked for ill and well" in out


def test_a_covariate_knows_the_missing_category_too(noise, capsys):
    path, table = noise
    asked = ["rank", str(path), "--maf", "0", "--method", "multisurf", "--covariate", f"{table}:disease"]
    assert main(asked) == 0
    assert "NONE read as unknown in 3 people, as PLINK 2 does, in the covariate" in capsys.readouterr().out


def test_columns_of_the_list_fit_80_characters(noise, capsys, monkeypatch):
    monkeypatch.setenv("COLUMNS", "80")
    path, _ = noise
    bim = path.with_suffix(".bim")
    bim.write_text(bim.read_text().replace("\t7\t", "\t93169963\t"))
    assert main(["rank", str(path), "--maf", "0", "--top", "60"]) == 0
    (
        *_,
        titles,
    ) = [line for line in capsys.readouterr().out.splitlines() if "position" in line]
    assert titles.split() == ["chr", "position", "freq", "score"]
    assert main(["rank", str(path), "--maf", "0", "--top", "60", "--quiet"]) == 0
    rows = capsys.readouterr().out.splitlines()
    assert all(len(row) <= 80 for row in rows)
    assert all(re.match(r" *\d+  \S+ +\d+ +\d+ +[\d.]+ +-?[\d.]+", row) for row in rows)


@pytest.mark.parametrize("n_people, n_variants, method, text, offers_turf", [
    (600, 900, "relieff", "", False),
    (600, 5000, "relieff", "Pairs that act only together are hard to find among 5,000 variants: TuRF finds more", True),
    (600, 5000, "turf", "", False),
    (600, 20_000, "turf", "Pairs that act only together are lost among 20,000 variants of 600 people, also by TuRF: "
                          "filter to some 6,000 candidates first", False),
])  # fmt: skip
def test_advice_on_pairs(n_people, n_variants, method, text, offers_turf):
    assert advice_on_pairs(n_people, n_variants, method) == (text, offers_turf)


def test_null_levels_of_large_studies_are_left_out():
    assert is_null_level_quick(600, 20_000)
    assert not is_null_level_quick(1000, 100_000)


@pytest.mark.parametrize("ending", ["", ".bim", ".fam"])
@pytest.mark.parametrize("command", ["rank", "describe"])
def test_other_files_of_plink_name_the_bed(noise, capsys, command, ending):
    path, _ = noise
    assert main([command, str(path.with_suffix(ending))]) == 2
    assert "the genotypes are in 'study.bed': name that file" in capsys.readouterr().err


@pytest.mark.parametrize("name, line, said", [
    ("a.ped", "F1 P1 0 0 1 2 A A G G\n", "of PLINK as text. Make a .bed of it by plink --file"),
    ("a.raw", "FID IID PAT MAT SEX PHENOTYPE rs1_A\n", "as PLINK's --recode A writes them. Give the .bed"),
])  # fmt: skip
def test_texts_of_plink_say_how_to_make_a_bed(tmp_path, capsys, name, line, said):
    (tmp_path / name).write_text(line)
    assert main(["rank", str(tmp_path / name)]) == 2
    assert f"{name} has genotypes {said}" in capsys.readouterr().err


def test_a_report_has_a_manhattan_plot_and_genotypes_by_class(noise, tmp_path):
    path, _ = noise
    assert main(["rank", str(path), "--maf", "0", "--significance", "5", "--report", str(tmp_path / "a.html")]) == 0
    text = (tmp_path / "a.html").read_text(encoding="utf-8")
    assert "<figcaption>Manhattan plot</figcaption>" in text
    assert "<figcaption>p-values against chance</figcaption>" in text
    assert '<h2 id="features-title">Variants</h2>' in text
    assert text.count(">controls</text>") == text.count(">cases</text>") == 10
