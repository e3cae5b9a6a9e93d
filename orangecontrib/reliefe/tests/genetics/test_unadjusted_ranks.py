"""Ranks of variants without adjustment, beside those of `orange-reliefe rank x.bed --covariate`."""

import json

import numpy as np
import pytest

from orangecontrib.reliefe.command.cli import main
from orangecontrib.reliefe.genetics import Filters, rank_genotypes
from orangecontrib.reliefe.tests.genetics.studies import codes, write_bed

N, P = 60, 40


@pytest.fixture
def study(tmp_path):
    """A .bed, and a table with an ancestry that one variant and the class depend on; 3 more people have no class."""
    rng = np.random.default_rng(0)
    ancestry = rng.integers(0, 2, N + 3)
    found = codes(N + 3, P, unknown=0.01)
    found[:, 4] = np.clip(2 * ancestry - (rng.random(N + 3) < 0.1), 0, 2)
    ill = np.where(np.arange(N + 3) < N, 1 + (rng.random(N + 3) < 0.2 + 0.6 * ancestry), -9)
    path = write_bed(tmp_path, found, ill)
    table = tmp_path / "table.csv"
    rows = [f"P{i},{ill[i]},{ancestry[i]}.5,F{i // 2}" for i in range(N + 3)]
    table.write_text("\n".join(["iid,ill,ancestry,family", *rows]) + "\n")
    return path, table


def listed(capsys, *arguments):
    """Document of a ranking."""
    assert main([*map(str, arguments), "--json"]) == 0
    return json.loads(capsys.readouterr().out)


@pytest.mark.parametrize("adjustment", [["--covariate", "ancestry"], ["--components", "2"]])
def test_the_command_shows_them(study, capsys, adjustment):
    path, table = study
    asked = ["rank", path, "--phenotype", table, "--phenotype-column", "ill", "--group", "family", "--maf", "0.05"]
    document = listed(capsys, *asked, *adjustment)
    plain = rank_genotypes(path, table, column="ill", groups="family", filters=Filters(maf=0.05))
    by_unadjusted = sorted(document["features"], key=lambda feature: feature["unadjusted rank"])
    assert [feature["feature"] for feature in by_unadjusted] == [*plain.best(P)]
    assert any("adjustment" in note and "best" in note for note in document["info"]["input"])


def test_groups_of_variants(study, capsys):
    path, table = study
    genes = table.with_name("genes.csv")
    genes.write_text("feature,group\n" + "".join(f"rs{j},gene{j // 4}\n" for j in range(20)))
    asked = ["rank", path, "--phenotype", table, "--phenotype-column", "ill", "--method", "multisurf"]
    document = listed(capsys, *asked, "--covariate", "ancestry", "--feature-groups", genes)
    by_unadjusted = sorted(document["features"], key=lambda feature: feature["unadjusted rank"])
    of_gene = {f"gene{g}": [f"rs{j}" for j in range(4 * g, 4 * g + 4)] for g in range(5)}
    plain = rank_genotypes(path, table, "multisurf", column="ill", feature_groups=of_gene)
    assert [feature["feature"] for feature in by_unadjusted] == [*plain.best(P)]


def test_not_without_covariates_or_where_scores_are_not_adjusted(study, capsys):
    path, table = study
    asked = ["rank", path, "--phenotype", table, "--phenotype-column", "ill"]
    assert "unadjusted rank" not in listed(capsys, *asked)["features"][0]
    tested = listed(capsys, *asked, "--method", "relief", "--covariate", "ancestry", "--significance", "3")
    assert "unadjusted rank" not in tested["features"][0]
