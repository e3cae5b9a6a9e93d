"""Rankings from files: phenotypes, filters, tables, plots, and the command line."""

import csv
import json
import re
from dataclasses import replace
from xml.etree import ElementTree

import numpy as np
import openpyxl
import pytest
from pandas import DataFrame
from scipy.stats import norm, rankdata

from orangecontrib.reliefe import rank_genotypes, read_genotypes
from orangecontrib.reliefe.command.cli import main
from orangecontrib.reliefe.core import Packed, Survival, components, rank
from orangecontrib.reliefe.core.checked_call import check_call
from orangecontrib.reliefe.core.studies.logistic import shares
from orangecontrib.reliefe.genetics import Filters, Variants, filters, phenotype
from orangecontrib.reliefe.genetics.manhattan import along, manhattan
from orangecontrib.reliefe.tests.genetics.studies import cases, codes, write_bed, write_vcf
from orangecontrib.reliefe.tests.naive.studies import score_test

EVERYTHING = Filters(1, 1, 0)


@pytest.fixture
def study(tmp_path):
    found = codes(60, 120, 0.01)
    return write_bed(tmp_path, found), found


def test_scores_are_those_of_rank(study):
    path, found = study
    result = rank_genotypes(path, method="multisurf", filters=EVERYTHING)
    numbers = np.where(found < 0, np.nan, found)
    expected = rank(numbers, cases(found), "multisurf", nominal=np.arange(120), missing="ignore")
    np.testing.assert_allclose(result.scores, expected.scores, atol=1e-9)
    assert result.best(2) == tuple(f"rs{f}" for f in expected.ranking[:2])
    best = ", ".join(result.best(3))
    assert repr(result) == f"GenotypeRanking(MultiSURF for controls and cases, 60 people, 120 variants: {best}, ...)"
    assert repr(result.data) == "Genotypes(60 people, 120 variants)"


def test_frames_and_reports_name_the_variants(study, tmp_path):
    path, _ = study
    found = rank_genotypes(path, filters=EVERYTHING)
    assert found.to_frame()["variant"].tolist() == [*found.best(120)]
    found.report(tmp_path / "result.html")
    assert found.best(1)[0] in (tmp_path / "result.html").read_text(encoding="utf-8")


def test_runs_go_on_from_a_file(study, tmp_path):
    path, _ = study
    expected, file = rank_genotypes(path), tmp_path / "run.npz"
    for _ in range(2):
        found = rank_genotypes(path, resume=file)
        np.testing.assert_allclose(found.scores, expected.scores, atol=1e-12)
    for more in (["--method", "relieff"], []):
        assert main(["rank", str(path), *more, "--resume", str(file), "--quiet"]) == 0
    grades = rank_genotypes(path, np.arange(60) % 3, "auto", task="regression", resume=tmp_path / "grades.npz")
    assert grades.method == "rrelieff"
    with pytest.raises(ValueError, match="p-values"):
        rank_genotypes(path, resume=file, significance=True)


def test_wrappers_leave_genotypes_packed(study):
    path, _ = study
    found = rank_genotypes(path, method="turf")
    assert not found.info["information"]


def test_people_without_a_phenotype_are_left_out(tmp_path):
    found = codes(30, 20, 0)
    values = cases(found)
    path = write_bed(tmp_path, found, np.where(np.arange(30) < 4, -9, values))
    result = rank_genotypes(path, filters=EVERYTHING)
    assert result.data.shape == (26, 20)
    assert result.left_out == ("4 people left out: without a phenotype",)
    expected = rank(Packed.of(found[4:]), values[4:], "relieff").scores
    np.testing.assert_allclose(result.scores, expected, atol=1e-12)


class TestPhenotype:
    def test_forms(self, study, tmp_path):
        path, _ = study
        data, values = read_genotypes(path), np.arange(60) / 7
        table = tmp_path / "values.csv"
        table.write_text("height,IID\n" + "".join(f"{v},P{i}\n" for i, v in list(enumerate(values))[::-1]))
        for given in (table, {f"P{i}": v for i, v in enumerate(values)}, values):
            known, numbers = phenotype.read_phenotype(data, given)
            assert known.all()
            np.testing.assert_allclose(numbers, values)
        known, classes = phenotype.read_phenotype(data)
        assert set(classes) == {"1", "2"}
        known, classes = phenotype.read_phenotype(data, ["a"] * 20 + ["b"] * 20 + ["NA"] * 20)
        assert known.sum() == 40

    def test_columns(self, study, tmp_path):
        data = read_genotypes(study[0])
        table = tmp_path / "values.txt"
        table.write_text("FID IID age height\n" + "".join(f"F{i} P{i} {i} {i / 2}\n" for i in range(60)))
        with pytest.raises(ValueError, match=r"age, height: name the phenotype .--phenotype-column., and covariates"):
            phenotype.read_phenotype(data, table)
        assert phenotype.read_phenotype(data, table, "height")[1][3] == 1.5
        with pytest.raises(ValueError, match="no column 'weight'"):
            phenotype.read_phenotype(data, table, "weight")

    @pytest.mark.parametrize("given, expected", [
        ([1, 2, -9.0], ["1", "2", ""]),
        (["1.0", "2.0", "-9.0"], ["1", "2", ""]),
        (["ill", "well", "-9.0"], ["ill", "well", ""]),
        (["ill", "well", None], ["ill", "well", ""]),
        (["ill", "well", "<NA>"], ["ill", "well", ""]),
        ([1, 2, None], ["1", "2", ""]),
        ([1.5, 2.5, "NULL"], [1.5, 2.5, ""]),
        (["ill", "well", "N/A"], ["ill", "well", ""]),
        ([0, 1, 2], ["0", "1", "2"]),
        ([1.5, 2.5, "missing"], [1.5, 2.5, ""]),
    ])  # fmt: skip
    def test_unknown_values(self, study, given, expected):
        data = read_genotypes(study[0])
        known, values = phenotype.read_phenotype(data, np.resize(np.array(given, object), 60))
        assert values[known][:2].tolist() == expected[:2]
        assert known[:3].tolist() == [value != "" for value in expected]

    def test_0_beside_2_is_unknown_in_files(self, tmp_path):
        data = read_genotypes(write_bed(tmp_path, codes(6, 9), [0, 1, 2, 0, 1, 2]))
        table = tmp_path / "values.csv"
        table.write_text("iid,y\n" + "".join(f"P{i},{i % 3}\n" for i in range(6)))
        for given in (None, table):
            notes = []
            known, values = phenotype.read_phenotype(data, given, notes=notes)
            assert known.tolist() == [False, True, True] * 2
            assert set(values[known]) == {"1", "2"}
            assert len(notes) == 1
            assert notes[0].startswith("0 read as unknown, as PLINK does, in 2 people")
        known, values = phenotype.read_phenotype(data, table, task="regression")
        assert values.tolist() == [0, 1, 2] * 2
        assert phenotype.read_phenotype(data, [0, 1, 2] * 2)[0].all()
        table.write_text("iid,y\n" + "".join(f"P{i},{i % 2}\n" for i in range(6)))
        assert phenotype.read_phenotype(data, table)[0].all()

    @pytest.mark.parametrize("values, unknown, text", [
        ([1, 2, -9999], {2}, "-9999 read as unknown in 20 people, since it is far below all other values"),
        ([1, 2, -9], {2}, None),
        ([150.5, 170, -999.0], {2}, "-999 read as unknown in 20 people"),
        ([150.5, 170, -99], {2}, "-99 read as unknown"),
        ([-150, 170, -99], set(), None),
        (["ill", "well", "-999"], {2}, "-999 read as unknown in 20 people, since all other classes are words"),
    ])  # fmt: skip
    def test_codes_for_missing_values(self, study, tmp_path, values, unknown, text):
        data, table = read_genotypes(study[0]), tmp_path / "values.tsv"
        table.write_text("IID\ty\n" + "".join(f"P{i}\t{values[i % 3]}\n" for i in range(60)))
        fam = study[0].with_suffix(".fam")
        fam.write_text("".join(f"F{i} P{i} 0 0 1 {values[i % 3]}\n" for i in range(60)))
        for known_in, given in ((data, table), (data, values * 20), (read_genotypes(study[0]), None)):
            notes = []
            known, _ = phenotype.read_phenotype(known_in, given, notes=notes)
            assert known.tolist() == [k not in unknown for k in range(3)] * 20
            assert len(notes) == (text is not None)
            assert text is None or text in notes[0]
        found = rank_genotypes(study[0], table, "auto", filters=EVERYTHING)
        assert text is None or text in found.left_out[0]

    @pytest.mark.parametrize("given, task, expected", [
        ([0, 1, 2, 2], "regression", [0.0, 1.0, 2.0, 2.0]),
        ([1, 2.5, -9, 7], "classification", ["1", "2.5", "", "7"]),
        ([1234567, 1234568, 1, 1], "classification", ["1234567", "1234568", "1", "1"]),
    ])  # fmt: skip
    def test_tasks(self, study, given, task, expected):
        known, values = phenotype.read_phenotype(read_genotypes(study[0]), given * 15, task=task)
        assert values[:4].tolist() == expected if known.all() else values[:2].tolist() == expected[:2]
        found = rank_genotypes(study[0], given * 15, "auto", task=task)
        assert found.info["task"] == task
        assert found.method == {"regression": "rrelieff", "classification": "relieff"}[task]

    def test_a_task_that_does_not_fit(self, study):
        with pytest.raises(ValueError, match="the value 'ill', which is no number"):
            rank_genotypes(study[0], ["ill", "well"] * 30, "auto", task="regression")
        with pytest.raises(ValueError, match="unknown task 'multilabel'; choose from classification, regression"):
            rank_genotypes(study[0], ["ill", "well"] * 30, task="multilabel")

    @pytest.mark.parametrize("title", [
        "subject_id", "Sample ID", "eid", "#IID", "individual", "participant_id", "patient.id", "SUBJECT", "X17",
    ])  # fmt: skip
    def test_the_column_of_people_need_not_be_the_first(self, study, tmp_path, title):
        data, table, notes = read_genotypes(study[0]), tmp_path / "values.csv", []
        table.write_text(f"sex,{title},y\n" + "".join(f"{i % 2},P{i},{i / 2}\n" for i in range(60)[::-1]))
        _, values = phenotype.read_phenotype(data, table, "y", notes=notes)
        assert values.tolist() == [i / 2 for i in range(60)]
        by_value = ["people are joined by the column 'X17' of values.csv, which has their names"]
        assert notes == (by_value if title == "X17" else [])

    def test_names_of_people_without_padding_and_case(self, study, tmp_path):
        data, table, notes = read_genotypes(study[0]), tmp_path / "values.csv", []
        table.write_text("sex,iid,y\n" + "".join(f"{i % 2},p{i:04},{i / 2}\n" for i in range(60)[::-1]))
        _, values = phenotype.read_phenotype(data, table, "y", notes=notes)
        assert values.tolist() == [i / 2 for i in range(60)]
        assert len(notes) == 1
        assert notes[0].startswith("names of people differ by their spelling: 'p00")

    def test_a_count_names_no_people(self, study, tmp_path):
        data = replace(read_genotypes(study[0]), people=np.array([str(i) for i in range(60)]), pedigree=None)
        table = tmp_path / "values.csv"
        table.write_text("code,visits,age,y\n" + "".join(f"x{i}q,{i % 7},{i}.5,{i / 2}\n" for i in range(60)))
        with pytest.raises(ValueError, match=r"none of the people is in values\.csv"):
            phenotype.read_phenotype(data, table, "y", notes=[])
        table.write_text("row,visits,y\n" + "".join(f"{i},{i % 7},{i / 2}\n" for i in range(60)[::-1]))
        assert phenotype.read_phenotype(data, table, "y", notes=[])[1].tolist() == [i / 2 for i in range(60)]

    def test_several_columns_of_people(self, study, tmp_path):
        data, table = read_genotypes(study[0]), tmp_path / "values.csv"
        for head, row, key, note in (
            (
                "y,a,b",
                "{0},P{0},P{0}",
                "a",
                "joined by the column 'a' of values.csv, which has their names, as 'b' does",
            ),
            ("id,b,y", "x{0},P{0},{0}", "b", "joined by the column 'b'"),  # the usual title has others' names
            ("person,iid,y", "{0},P{0},{0}", "iid", None),
        ):
            table.write_text(head + "\n" + "".join(row.format(i) + "\n" for i in range(60)))
            notes = []
            _, values = phenotype.read_phenotype(data, table, "y", notes=notes)
            assert values.tolist() == [*range(60)], key
            assert len(notes) == (note is not None)
            assert note is None or note in notes[0]

    def test_tables_are_joined_by_family_and_name(self, study, tmp_path):
        path, table = study[0], tmp_path / "values.tsv"
        fam = path.with_suffix(".fam")
        fam.write_text("".join(f"F{i} {i % 2} 0 0 1 -9\n" for i in range(60)))
        data = read_genotypes(path)
        for title in ("FID", "#FID", "family"):
            table.write_text(f"{title}\tIID\ty\n" + "".join(f"F{i}\t{i % 2}\t{i}\n" for i in range(60)[::-1]))
            assert phenotype.read_phenotype(data, table)[1].tolist() == [*range(60)]
        table.write_text("IID\ty\n" + "".join(f"F{i}_{i % 2}\t{i}\n" for i in range(60)))
        assert phenotype.read_phenotype(data, table)[1].tolist() == [*range(60)]
        table.write_text("IID\ty\n0\t1\n1\t2\n")
        with pytest.raises(ValueError, match=r"none of the people .* Give it columns FID and IID"):
            phenotype.read_phenotype(data, table)
        table.write_text("F0\t0\t1\nF1\t1\t2\n")
        with pytest.raises(ValueError, match="has the person '0' in its first line"):
            phenotype.read_phenotype(data, table)
        table.write_text("FID\tIID\ty\n" + "F1\t1\t1\n" * 2)
        with pytest.raises(ValueError, match="'F1 1' 2 times"):
            phenotype.read_phenotype(data, table)

    def test_people_of_a_vcf_by_plink_have_two_names_in_one(self, tmp_path):
        path, table = write_vcf(tmp_path, codes(6, 9)), tmp_path / "values.txt"
        path.write_text(re.sub(r"\tP(\d)", r"\tF\1_P\1", path.read_text()))
        table.write_text("FID IID y\n" + "".join(f"F{i} P{i} {i}\n" for i in range(6)))
        assert phenotype.read_phenotype(read_genotypes(path), table)[1].tolist() == [*range(6)]

    def test_families_of_a_table_that_are_others(self, study, tmp_path):
        data, table = read_genotypes(study[0]), tmp_path / "values.tsv"
        table.write_text("FID\tIID\ty\n" + "".join(f"0\tP{i}\t{i}\n" for i in range(60)))
        notes = []
        assert phenotype.read_phenotype(data, table, notes=notes)[0].all()
        assert notes == ["people of values.tsv are joined by IID alone: none has the FID of the genotypes"]
        table.write_text("FID\tIID\ty\n" + "".join(f"{'F' if i > 2 else 'G'}{i}\tP{i}\t{i}\n" for i in range(60)))
        notes = []
        assert phenotype.read_phenotype(data, table, notes=notes)[0].tolist() == [False] * 3 + [True] * 57
        assert notes == ["3 people without a value in values.tsv, where their IID has another FID"]

    def test_an_empty_cell_stays_where_it_is(self, study, tmp_path):
        data = read_genotypes(study[0])
        for name, separator in (("t.tsv", "\t"), ("t.txt", "\t"), ("t.csv", ","), ("t.csv", ";")):
            rows = [["iid", "age", "y"], *([f"P{i}", "" if i == 3 else "40", str(i % 2)] for i in range(60))]
            rows[8][2] = ""
            (tmp_path / name).write_text("".join(separator.join(row) + "\n" for row in rows))
            known, values = phenotype.read_phenotype(data, tmp_path / name, "y")
            assert np.flatnonzero(~known).tolist() == [7]
            assert values[3] == "1"
        (tmp_path / "t.txt").write_text("iid age y\nP1  1\n")
        with pytest.raises(ValueError, match=r"t\.txt .*its header has 3 cells, and no row has more than 2"):
            phenotype.read_phenotype(data, tmp_path / "t.txt", "y")

    def test_bad_tables(self, study, tmp_path):
        data, table = read_genotypes(study[0]), tmp_path / "values.csv"
        for content, column, message in (
            (b"iid,y,y\nP1,1,2\nP2,2,1\n", "y", "the column 'y' 2 times"),
            (b"iid,y,iid\nP1,1,P2\nP2,2,P1\n", "y", "the column 'iid' 2 times"),
            (b"iid," + b"y" * 9999 + b",x\nP1,1,2\n", None, r"columns y{197}\.\.\.: name"),
            (b"", None, r"values\.csv cannot be read: it is empty"),
            (b"iid,y\nP1,XL\n" + b"".join(b"P%d,%d\n" % (i, i) for i in range(2, 60)), None, "has 'XL' among numbers"),
            (b"iid,Height,weight\nP1,1,2\n", "heigth", r"--phenotype-column.*choose from 'Height', 'weight'$"),
            (b"iid,height,weight\nP1,1,2\n", None, "name the phenotype .--phenotype-column"),
            (b"P1,1\nP2,2\nP3,1\n", None, r"values\.csv has the person 'P1' in its first line"),
            (b"F1,P1,1\nF2,P2,2\n", None, r"values\.csv has the person 'P1' in its first line"),
        ):
            table.write_bytes(content)
            with pytest.raises(ValueError, match=message):
                phenotype.read_phenotype(data, table, column)

    def test_tables_as_other_programs_write_them(self, study, tmp_path):
        """Other encodings, line ends, decimal commas, names of rows by R, comments, and workbooks."""
        data, table = read_genotypes(study[0]), tmp_path / "values.csv"
        rows = [(f"P{i}", f"{i},5") for i in range(60)]
        plain = "iid;größe\n" + "".join(f"{name};{value}\n" for name, value in rows)
        of_r = '"größe" "y"\n' + "".join(f'"{name}" {value.replace(",", ".")} 1\n' for name, value in rows)
        book = openpyxl.Workbook()
        for row in [("iid", "größe"), *((name, float(value.replace(",", "."))) for name, value in rows)]:
            book.active.append(row)
        book.save(tmp_path / "values.xlsx")
        for text, encoding in (
            (plain, "latin-1"), (plain.replace("\n", "\r"), "utf-8"), (plain, "utf-16"), ("# of us\n" + plain, "utf-8"),
            (of_r, "utf-8"), (None, None),
        ):  # fmt: skip
            path = table if text else tmp_path / "values.xlsx"
            if text:
                table.write_bytes(text.encode(encoding))
            known, values = phenotype.read_phenotype(data, path, "größe")
            assert known.all()
            assert values.tolist() == [i + 0.5 for i in range(60)]

    def test_bad_input(self, study, tmp_path):
        data = read_genotypes(study[0])
        with pytest.raises(ValueError, match="none of the people is in"):
            phenotype.read_phenotype(data, {"someone": 1})
        with pytest.raises(ValueError, match="only one value, 3"):
            phenotype.read_phenotype(data, np.full(60, 3))
        with pytest.raises(ValueError, match="unknown in all rows"):
            phenotype.read_phenotype(data, np.full(60, -9))
        with pytest.raises(ValueError, match="infinite or far too large values in the phenotype: correct them"):
            rank_genotypes(data, np.array([np.inf, *range(59)]), "relieff")
        with pytest.raises(ValueError, match="60 people"):
            phenotype.read_phenotype(data, [1, 2])
        for given in (np.array([1, [1, 2]] * 30, object), 1):
            with pytest.raises(ValueError, match="60 people"):
                phenotype.read_phenotype(data, given)
        with pytest.raises(ValueError, match="no file 'aaa"):
            phenotype.read_phenotype(data, "a" * 9999)
        table = tmp_path / "twice.csv"
        table.write_text("iid,y\nP1,1\nP1,2\n")
        with pytest.raises(ValueError, match="'P1' 2 times"):
            phenotype.read_phenotype(data, table)
        with pytest.raises(ValueError, match="no file"):
            phenotype.read_phenotype(data, tmp_path / "none.csv")


class TestStudy:
    """Covariates, groups and times are columns of the table of phenotypes."""

    @pytest.fixture
    def people(self, study, tmp_path):
        rng, table = np.random.default_rng(3), tmp_path / "people.csv"
        age, family = rng.normal(40, 9, 60).round(2), np.arange(60) // 2
        ill, died = rng.integers(1, 3, 60), rng.integers(0, 2, 60)
        rows = [f"{age[i]},F{family[i]},{ill[i]},{['no', 'yes'][died[i]]},P{i}" for i in range(60)]
        table.write_text("\n".join(["age,family,ill,died,iid", *rows[5:], *rows[:3]]))  # two people are not there
        there = np.r_[:3, 5:60]
        return study[0], table, there, (age[there], family[there], ill[there], died[there])

    def test_as_arrays(self, people, capsys):
        path, table, there, (age, family, ill, died) = people
        codes, first = Packed.of(read_genotypes(path).codes.codes(0, 120)[there]), {"missing": "ignore"}
        of_ill, of_times = (table, "multisurf"), {"column": ("age", "died"), "filters": EVERYTHING}
        found = rank_genotypes(path, *of_ill, column="ill", filters=EVERYTHING, covariates=["age"], groups="family")
        expected = rank(codes, ill.astype(str), "multisurf", covariates=DataFrame({"age": age}), groups=family, **first)
        np.testing.assert_allclose(found.scores, expected.scores, atol=1e-12)
        as_given = rank_genotypes(
            path, *of_ill, column="ill", filters=EVERYTHING,
            covariates=DataFrame({"age": np.insert(age, 3, [9, 9])}), groups=np.insert(family, 3, [7, 7]),
        )  # fmt: skip
        np.testing.assert_array_equal(as_given.scores, found.scores)
        times = rank_genotypes(path, *of_ill, **of_times)
        expected = rank(codes, Survival(age, died), "multisurf", **first)
        np.testing.assert_allclose(times.scores, expected.scores, atol=1e-12)
        times.save(path.with_name("best.bed"), 3)
        assert read_genotypes(path.with_name("best.bed")).shape == (58, 3)
        asked = ["rank", str(path), "--phenotype", str(table), "--maf", "0"]
        assert main([*asked, "--time", "age", "--event", "died"]) == 0
        assert "\nstudy.bed: 58 people" in capsys.readouterr().out
        study = "--phenotype-column", "ill", "--method", "multisurf", "--covariate", "age", "--group", "family"
        assert main([*asked, *study]) == 0
        out = capsys.readouterr().out
        assert "adjusted for age: pairs" in out
        assert "30 groups of rows" in out
        for given, message in (
            (["--phenotype-column", "ill", "--covariate", "agee"], "no column 'agee' (--covariate); choose from 'age'"),
            (["--phenotype-column", "ill", "--group", "famil"], "no column 'famil' (--group); choose from"),
            (["--time", "age", "--event", "family"], "the event 'family' must be True or 1"),
            (["--time", "family", "--event", "died"], "the time 'family' must be numbers"),
            (["--target", "ill"], "leave --target out"),
            (["--phenotype-column", "ill", "--score-test", "5", "--significance"], "too small"),
        ):
            assert main([*asked, *given]) == 2
            assert message in capsys.readouterr().err
        for given, message in (
            ({"covariates": "age"}, "'age' is a column of the table of phenotypes: give that"),
            ({"covariates": []}, "covariates must have one value for each of 60 people, not 0"),
            ({"groups": np.arange(59)}, "groups must have one value for each of 60 people, not 59"),
        ):
            with pytest.raises(ValueError, match=message):
                rank_genotypes(path, **given)

    def test_columns_of_other_tables(self, people, tmp_path, capsys):
        path, table, _, (age, *_) = people
        same, other = {"column": "ill", "filters": EVERYTHING}, tmp_path / "of:people.covar"
        other.write_text(table.read_text().replace(",", "\t"))
        for name in (f"{table}:age", f"{other}:age"):
            found = rank_genotypes(path, table, "multisurf", covariates=[name], groups=f"{table}:family", **same)
            expected = rank_genotypes(path, table, "multisurf", covariates=["age"], groups="family", **same)
            np.testing.assert_array_equal(found.scores, expected.scores)
        other.write_text(other.read_text().replace(f"{age[6]}\t", "-999\t", 1))
        found = rank_genotypes(path, table, "multisurf", covariates=[f"{other}:age"], **same)
        assert "-999 read as unknown in 1 person" in found.left_out[0]
        alone = tmp_path / "alone.txt"
        alone.write_text("FID IID age\n" + "".join(f"F{i} P{i} {i % 17}\n" for i in range(60)))
        asked = ["rank", str(path), "--maf", "0", "--method", "multisurf", "--covariate"]
        assert main([*asked, str(alone)]) == 0  # beside the phenotype in the .fam
        assert "adjusted for" in capsys.readouterr().out
        times = ["--time", f"{table}:age", "--event", f"{table}:died"]
        assert main(["rank", str(path), *times]) == 0
        assert "\nstudy.bed: 58 people" in capsys.readouterr().out
        for given, message in (
            (f"{alone}:agee", "no column 'agee' (--covariate); choose from 'age'"),
            (str(table), "name one behind a colon, as --covariate people.csv:NAME"),
            (str(tmp_path / "none.txt") + ":age", "with a covariate"),
            ("age", "give that (--phenotype FILE), or name the column FILE:age"),
        ):
            assert main([*asked, given]) == 2
            assert message in capsys.readouterr().err

    def test_score_test(self, people):
        """The variants that stay have the best tests beside a covariate and components."""
        for column in "ill", "age", ("age", "died"):
            self.keeps_the_best(people, column)

    def keeps_the_best(self, people, column):
        path, table, there, (age, _, ill, died) = people
        limits = filters.Filters(1, 1, 0, score_test=4)
        c = np.cos(np.arange(60))
        options = {"column": column, "n_components": 2, "covariates": c}
        method = "rrelieff" if column == "age" else "multisurf"
        found = rank_genotypes(path, table, method, filters=limits, **options)
        assert found.left_out[-1] == "116 variants left out: not among the 4 best by the score test"
        codes = Packed.of(read_genotypes(path).codes.codes(0, 120)[there])
        X = codes.numbers()
        X = np.where(np.isnan(X), np.nanmean(X, axis=0), X)
        y = {"ill": ill, "age": age}.get(column, Survival(age, died))
        covariates = DataFrame(np.column_stack([c[there], components(codes, 2)[0]]), columns=[*"abc"])
        about = {"covariates": covariates, "linear_covariates": ["b", "c"]}
        statistics = score_tests_of_columns(X, y, about)
        assert {*found.variants.name} == {f"rs{f}" for f in np.argsort(-statistics)[:4]}


def score_tests_of_columns(X, y, about):
    """Chi-square of each column beside covariates, by the twin, or by the filter for times."""
    if isinstance(y, Survival):
        return rank(X, y, "coxscore", **about).scores
    study = check_call(X, y, "multisurf", **about).study
    A = np.column_stack([np.ones(len(X)), study.Z])
    if study.target.task == "classification":
        expected = shares(study.target.classes, study.Z, 2)[:, 1]
        residuals = study.target.classes - expected
        variances = expected * (1 - expected)
    else:
        scores = norm.ppf((rankdata(y) - 0.5) / len(y))
        residuals = scores - A @ np.linalg.lstsq(A, scores, rcond=None)[0]
        variances = np.full(len(y), (residuals**2).sum() / (len(y) - A.shape[1]))
    return np.array([score_test(x[:, None], residuals[:, None], variances[:, None, None], study.Z) for x in X.T])


class TestFilters:
    def test_each_reason(self, tmp_path):
        found = codes(60, 40, 0)
        found[:, 5] = 1
        found[:6, 6] = -1
        found[:, 7], found[0, 7] = 0, 1
        found[3, :10] = -1
        path = write_bed(tmp_path, found)
        result = rank_genotypes(path, filters=Filters(missing=0.05, missing_people=0.2, maf=0.01))
        names = set(result.variants.name.tolist())
        assert names == {f"rs{f}" for f in range(40)} - {"rs5", "rs6", "rs7"}
        assert [text.split()[0] for text in result.left_out] == ["1", "1", "1", "1"]
        assert "person left out: lacks more than 20%" in result.left_out[0]

    def test_frequency(self):
        found = codes(30, 8, 0.1)
        expected = []
        for column in found.T:
            known = column[column >= 0]
            share = known.sum() / (2 * len(known))
            expected.append(min(share, 1 - share))
        np.testing.assert_allclose(filters.frequency(Packed.of(found).counts()), expected)

    def test_hardy_weinberg(self):
        rng = np.random.default_rng(0)
        counts = np.array([[50, 10, 40, 0], [25, 50, 25, 3], [100, 0, 0, 0]]).T
        p = filters.hardy_weinberg(counts)
        assert p[0] < 1e-10
        assert p[1] == pytest.approx(1)
        assert p[2] == 1
        many = rng.multinomial(500, [0.36, 0.48, 0.16], size=400).T
        assert 0.02 < (filters.hardy_weinberg(np.vstack([many, np.zeros((1, 400))])) < 0.05).mean() < 0.08

    def test_linkage_against_plain_loops(self):
        rng = np.random.default_rng(0)
        found = np.repeat(codes(50, 30, 0), 2, axis=1)
        found = np.where(rng.random(found.shape) < 0.05, 2 - found, found)
        chromosome, keep = np.array(["1"] * 31 + ["2"] * 29), np.ones(60, bool)
        keep[4] = False
        kept, expected = [], []
        for f in range(60):
            near = [k for k in kept[-3:] if chromosome[k] == chromosome[f]]
            high = any(np.corrcoef(found[:, k], found[:, f])[0, 1] ** 2 > 0.5 for k in near)
            expected.append(bool(keep[f] and high))
            if keep[f] and not high:
                kept.append(f)
        assert 10 < sum(expected) < 50
        np.testing.assert_array_equal(filters.linkage(Packed.of(found), chromosome, keep, 0.5, 3), expected)

    @pytest.mark.parametrize("block", [7, 64])
    def test_linkage_does_not_depend_on_blocks(self, block, monkeypatch):
        found = np.repeat(codes(50, 40, 0.02), 2, axis=1)
        names, keep = np.full(80, "1"), np.ones(80, bool)
        whole = filters.linkage(Packed.of(found), names, keep, 0.3, 5)
        monkeypatch.setattr(filters, "VARIANTS_AT_ONCE", block)
        np.testing.assert_array_equal(filters.linkage(Packed.of(found), names, keep, 0.3, 5), whole)

    def test_nothing_left(self, study):
        with pytest.raises(ValueError, match=r"no variant is left: .* below 0\.5"):
            rank_genotypes(study[0], filters=Filters(maf=0.5, hardy_weinberg=1))
        with pytest.raises(ValueError, match=r"\[0, 0\.5\]"):
            Filters(maf=0.7)
        with pytest.raises(ValueError, match="window"):
            Filters(window=0)


class TestFiles:
    def test_table(self, study, tmp_path):
        result = rank_genotypes(study[0], filters=EVERYTHING, significance=2)
        result.save(tmp_path / "best.csv", 5)
        with open(tmp_path / "best.csv", encoding="utf-8") as file:
            rows = list(csv.DictReader(file))
        assert [row["variant"] for row in rows] == [*result.best(5)]
        assert rows[0]["chromosome"] == "1"
        assert float(rows[0]["score"]) == pytest.approx(result.scores.max(), rel=1e-4)
        assert {"z", "p", "q"} <= set(rows[0])
        result.save(tmp_path / "all.tsv")
        assert len((tmp_path / "all.tsv").read_text().splitlines()) == 121
        with pytest.raises(ValueError, match=r"\.csv, \.tsv"):
            result.save(tmp_path / "best.xyz")

    def test_bed_that_is_written_is_read_again(self, study, tmp_path):
        path, found = study
        result = rank_genotypes(path, filters=EVERYTHING)
        result.save(tmp_path / "best.bed", 9)
        again = read_genotypes(tmp_path / "best.bed")
        chosen = np.sort(result.ranking[:9])
        np.testing.assert_array_equal(again.codes.codes(0, 9), found[:, chosen])
        assert again.variants.name.tolist() == [f"rs{f}" for f in chosen]
        assert again.phenotype.tolist() == cases(found).astype(str).tolist()

    def test_plot(self, study, tmp_path):
        result = rank_genotypes(study[0])
        result.save(tmp_path / "plot.svg")
        root = ElementTree.parse(tmp_path / "plot.svg").getroot()
        texts = [text.text for text in root.iter("{http://www.w3.org/2000/svg}text")]
        assert result.best(1)[0] in texts
        assert {"1", "2", "3"} <= set(texts)

    def test_genotypes_without_facts_are_written(self, tmp_path):
        np.save(tmp_path / "codes.npy", codes(41, 9, 0))
        data = read_genotypes(tmp_path / "codes.npy")
        result = rank_genotypes(data, np.arange(41) % 2, filters=EVERYTHING)
        result.save(tmp_path / "best.bed")
        again = read_genotypes(tmp_path / "best.bed")
        np.testing.assert_array_equal(again.codes.codes(0, 9), data.codes.codes(0, 9))
        assert again.variants.name.tolist() == data.variants.name.tolist()
        assert set(again.variants.chromosome) == {"0"}

    def test_odd_names_in_a_plot(self):
        chromosome = ["X", "\u00b2", "10", "chr2", "1", "9" * 5000, "<&\x01", "chr1"]
        name = ["a<b", "&", "\x00", "\x1b[1m", "\ud800", "\ufffe", '"', "\n"]
        none = np.full(8, "", object)
        variants = Variants(np.array(name, object), np.array(chromosome, object), np.arange(8), none, none)
        text = manhattan("<\x02>", "&\x03", variants, np.arange(8.0))
        root = ElementTree.fromstring(text.encode())
        texts = [text.text for text in root.iter("{http://www.w3.org/2000/svg}text")]
        assert {"<?>", "&?", "?", "?[1m", '"'} <= set(texts)
        order = ["1", "chr1", "chr2", "10", "9" * 5000, "<&\x01", "X", "\u00b2"]
        assert [name for name, _ in along(variants)[2]] == order


class TestCommand:
    def test_ranks_and_writes(self, study, tmp_path, capsys):
        path, _ = study
        output = tmp_path / "best.bed"
        plot = tmp_path / "plot.svg"
        arguments = ["rank", str(path), "--best", "4", "--output", str(output), "--plot", str(plot), "--top", "3"]
        assert main([*arguments, "--set", "n_neighbors=5"]) == 0
        text = capsys.readouterr().out
        assert "60 people, 119 variants" in text
        assert "1 variant left out: unknown in more than 5%" in text
        assert len([line for line in text.splitlines() if "  rs" in line]) == 3
        assert read_genotypes(output).shape == (60, 4)
        assert plot.exists()

    def test_document_and_script(self, study, tmp_path, capsys):
        asked = ["rank", str(study[0]), "--maf", "0.1", "--top", "3", "--output", str(tmp_path / "all.json")]
        assert main([*asked, "--json"]) == 0
        features = json.loads(capsys.readouterr().out)["features"]
        assert [*features[0]] == ["rank", "feature", "chromosome", "position", "frequency", "score"]
        assert json.loads((tmp_path / "all.json").read_text())["features"][:3] == features
        assert main([*asked, "--script"]) == 0
        exec(capsys.readouterr().out, {})
        assert capsys.readouterr().out.split() == [feature["feature"] for feature in features]

    def test_grades(self, study, tmp_path, capsys):
        path, table = study[0], tmp_path / "grades.csv"
        table.write_text("iid,grade\n" + "".join(f"P{i},{i % 3}\n" for i in range(60)))
        asked = ["rank", str(path), "--phenotype", str(table), "--maf", "0"]
        for more in (["--method", "rrelieff"], []):
            assert main([*asked, "--task", "regression", *more]) == 0
            out = capsys.readouterr().out
            assert "60 people" in out
            assert "RReliefF" in out
        assert main(asked) == 0
        assert "40 people" in capsys.readouterr().out
        assert main([*asked, "--task", "regression", "--script", "--top", "3"]) == 0
        exec(capsys.readouterr().out, {})
        assert main([*asked, "--task", "unsupervised"]) == 2
        assert "--task of genotypes is classification or regression" in capsys.readouterr().err

    def test_a_fam_without_phenotypes_asks_for_a_table(self, tmp_path, capsys):
        for value in (-9, 0, "NA", 1):
            path = write_bed(tmp_path, codes(6, 9), [value] * 6)
            assert main(["rank", str(path)]) == 2
            assert "--phenotype" in capsys.readouterr().err

    def test_bad_input(self, study, tmp_path, capsys):
        (path, _), table = study, tmp_path / "values.csv"
        table.write_text("iid,height,age\nP1,1,2\n")
        for arguments, message in (
            (["--output", "x.fimp"], "must end in"),
            (["--transpose"], "leave it out"),
            (["--maf", "2"], "maf must lie in"),
            (["--method", "relif"], "relief"),
            (["--phenotype", str(tmp_path / "none.csv")], "no file"),
            (["--phenotype", str(table)], "--phenotype-column"),
            (
                ["--phenotype", str(table), "--phenotype-column", "hieght"],
                "(--phenotype-column); choose from 'height', 'age'",
            ),
        ):
            assert main(["rank", str(path), *arguments]) == 2
            assert message in capsys.readouterr().err
