"""Genes and other groups of variants: scores, files and the command."""

import csv
import json

import numpy as np
import pytest

from orangecontrib.reliefe.command.cli import main
from orangecontrib.reliefe.genetics import Filters, rank_genotypes, read_genotypes
from orangecontrib.reliefe.tests.genetics.studies import cases, codes, write_bed, write_vcf
from orangecontrib.reliefe.tests.genetics.test_dosages import imputed, write_dosages
from orangecontrib.reliefe.tests.naive import grouped

N, P = 40, 90  # variants 0 to 49 are on chromosome 1, and the others on 2
EVERYTHING = Filters(1, 1, 0)
GENES = {"TNF": ["rs3", "rs7", "rs12"], "IL6": ["rs60", "rs55"], "both": ["rs1", "rs80"], "one": ["rs20"]}


def members(p=P):
    """Variants of each group, by the first one."""
    in_genes = [sorted(int(name[2:]) for name in names) for names in GENES.values()]
    grouped_ones = {j for features in in_genes for j in features}
    return sorted([*in_genes, *([j] for j in range(p) if j not in grouped_ones)], key=min)


@pytest.mark.parametrize("method, additive", [("relieff", False), ("multisurf", True)])
def test_scores_are_those_of_the_twin(tmp_path, method, additive):
    found = codes(N, P)
    options = {"n_neighbors": 5} if method == "relieff" else {}
    path = write_bed(tmp_path, found)
    ranking = rank_genotypes(
        path, method=method, feature_groups=GENES, filters=EVERYTHING, additive=additive, **options
    )
    y = cases(found) - 1
    X = np.where(found < 0, np.nan, found)
    how = {"missing": "ignore", "bounds": (0, 2), **options}
    expected = grouped.rank(X, y, method, members(), np.full(P, not additive), **how)
    np.testing.assert_allclose(ranking.scores, expected, rtol=0, atol=1e-9)
    assert not any("unpacked" in note for note in ranking.info["information"])


def test_dosages_have_the_scores_of_the_twin(tmp_path):
    dosages = imputed(N, P)
    dosages[:, 7] *= 0.4  # whose range is not 2
    y = cases(codes(N, P))
    ranking = rank_genotypes(
        write_dosages(tmp_path, dosages), y.tolist(), "multisurf", dosages=True, feature_groups=GENES,
        filters=EVERYTHING,
    )  # fmt: skip
    how = {"missing": "ignore", "bounds": (0, 2)}
    expected = grouped.rank(dosages, y - 1, "multisurf", members(), np.zeros(P, bool), **how)
    np.testing.assert_allclose(ranking.scores, expected, rtol=0, atol=1e-6)


def test_facts_and_files(tmp_path):
    found = codes(N, P, unknown=0)
    path = write_bed(tmp_path, found)
    result = rank_genotypes(path, feature_groups=GENES, filters=EVERYTHING, significance=5)
    of_name = {name: g for g, name in enumerate(result.scored.name.tolist())}
    facts = {
        name: (result.scored.chromosome[g], int(result.scored.position[g]), result.scored.counted[g])
        for name, g in of_name.items()
    }
    assert facts["TNF"] == ("1", 307, "")
    assert facts["IL6"] == ("2", 5507, "")
    assert facts["both"] == ("", 0, "")
    assert facts["one"] == ("1", 2007, "A")
    assert facts["rs0"] == ("1", 7, "A")
    assert len(facts) == len(members()) == len(result.scores)
    best = [*result.best(4)]
    assert best == [result.names[g] for g in result.ranking[:4]]

    result.save(tmp_path / "best.csv", 4)
    rows = list(csv.DictReader((tmp_path / "best.csv").open()))
    assert [row["group"] for row in rows] == best
    assert [*rows[0]][:6] == ["rank", "group", "chromosome", "position", "variants", "score"]
    assert [int(row["variants"]) for row in rows] == [len(GENES.get(name, [name])) for name in best]
    assert float(rows[0]["p"]) == pytest.approx(result.significance.p[of_name[best[0]]], rel=1e-5)

    result.save(tmp_path / "best.bed", 4)
    names = read_genotypes(tmp_path / "best.bed").variants.name.tolist()
    assert sorted(names) == sorted(variant for name in best for variant in GENES.get(name, [name]))
    assert f"{len(members())} groups" in result.plot()


def test_filters_come_before_groups(tmp_path):
    found = codes(N, P, unknown=0)
    found[:, [3, 20]] = 1  # of one genotype: left out
    result = rank_genotypes(write_bed(tmp_path, found), feature_groups=GENES)
    names = result.variants.name.tolist()
    assert [names[j] for j in result.info["members"][result.names.index("TNF")]] == ["rs7", "rs12"]
    assert "one" not in result.names
    assert "1 group left out: without a variant that passes the filters" in result.left_out
    by_list = [next((gene for gene, of_gene in GENES.items() if f"rs{j}" in of_gene), None) for j in range(P)]
    as_list = rank_genotypes(tmp_path / "study.bed", feature_groups=by_list)
    np.testing.assert_array_equal(as_list.scores, result.scores)


@pytest.mark.parametrize("options, message", [
    ({"feature_groups": {"TNF": ["rs3", "rs999"]}}, r"feature_groups\['TNF'\] has an unknown feature, 'rs999'"),
    ({"feature_groups": ["TNF"]}, "must have one name for each of 90 features"),
    ({"feature_groups": GENES, "method": "turf"}, "takes no feature_groups: rank by one of relief, "),
    ({"feature_groups": GENES, "resume": "x.npz"}, "groups of variants cannot go on from a file"),
])  # fmt: skip
def test_what_is_refused(tmp_path, options, message):
    with pytest.raises(ValueError, match=message):
        rank_genotypes(write_bed(tmp_path, codes(N, P)), **options)


def test_command(tmp_path, capsys):
    found = codes(N, P, unknown=0)
    path = write_vcf(tmp_path, found)
    phenotype = tmp_path / "ill.csv"
    phenotype.write_text("iid,ill\n" + "".join(f"P{i},{ill}\n" for i, ill in enumerate(cases(found))))
    genes = tmp_path / "genes.tsv"
    lines = [f"{variant}\t{gene}" for gene, variants in GENES.items() for variant in variants]
    genes.write_text("\n".join(["feature\tgroup", *lines, "rs999\tTNF"]) + "\n")
    asked = ["rank", str(path), "--phenotype", str(phenotype), "--feature-groups", str(genes), "--method", "relieff"]
    assert main([*asked, "--json"]) == 0
    document = json.loads(capsys.readouterr().out)
    expected = rank_genotypes(path, phenotype, "relieff", feature_groups=GENES)
    by_name = {feature["feature"]: feature for feature in document["features"]}
    for name, score in zip(expected.names, expected.scores, strict=True):
        assert by_name[name]["score"] == pytest.approx(score)
    assert (by_name["TNF"]["features"], by_name["TNF"]["variants"]) == (GENES["TNF"], 3)
    assert "genes.tsv has 1 name that no feature has: rs999" in document["info"]["input"]
    assert main([*asked, "--script"]) == 0
    script = capsys.readouterr().out
    exec(script, {})
    assert capsys.readouterr().out.split() == [*expected.best(20)]
    assert main([*asked[:-1], "turf"]) == 2
    assert "takes no --feature-groups: rank by one of relief" in capsys.readouterr().err
