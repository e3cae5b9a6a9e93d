"""Files that are written: they replace others when they are complete, and never what is read."""

import errno
import os
import stat
import sys

import numpy as np
import pytest
from Orange.data import Table

from orangecontrib.reliefe import rank
from orangecontrib.reliefe.command import cli, results
from orangecontrib.reliefe.core import rank as rank_arrays
from orangecontrib.reliefe.core.files import refuse_inputs, replacing
from orangecontrib.reliefe.core.growing import resuming
from orangecontrib.reliefe.genetics import rank_genotypes
from orangecontrib.reliefe.io import write_arff, write_fimp

POSIX = pytest.mark.skipif(os.name == "nt", reason="permissions, links and pipes of POSIX")
OLD = "what was there before\n"


@pytest.fixture
def in_folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.fixture
def table(in_folder):
    lines = ["a,b,y", *(f"{i % 7},{i % 5},{'no' if i % 2 else 'yes'}" for i in range(30))]
    (in_folder / "x.csv").write_text("\n".join(lines) + "\n")
    return in_folder


@pytest.fixture
def study(in_folder):
    """A .bed of 40 people and 30 variants with .bim and .fam, and a table of their phenotypes."""
    from orangecontrib.reliefe.core import Packed
    from orangecontrib.reliefe.genetics import Genotypes, Variants
    from orangecontrib.reliefe.genetics.genotypes import write_bed

    rng = np.random.default_rng(0)
    people = np.array([f"p{i}" for i in range(40)], object)
    letters = np.array(["A"] * 30, object)
    names = np.array([f"rs{f}" for f in range(30)], object)
    chromosomes = np.array(["1"] * 30, object)
    variants = Variants(names, chromosomes, np.arange(1, 31), letters, np.array(["C"] * 30, object))
    data = Genotypes(Packed.of(rng.integers(0, 3, (40, 30))), people, variants, None)
    write_bed("study.bed", data, np.array(["1", "2"] * 20))
    lines = ["person,sick,age", *(f"p{i},{'no' if i % 2 else 'yes'},{i}" for i in range(40))]
    (in_folder / "people.csv").write_text("\n".join(lines) + "\n")
    return in_folder


def refused(capsys, *arguments):
    """Message of a command that must end before it writes anything."""
    before = {name: os.stat(name).st_mtime_ns for name in os.listdir()}
    assert cli.main(["rank", *map(str, arguments)]) == cli.BAD_INPUT
    assert {name: os.stat(name).st_mtime_ns for name in os.listdir()} == before
    return capsys.readouterr().err


def test_output_never_overwrites_the_table(capsys, table):
    os.link("x.csv", "hard.csv")
    outputs = ["x.csv", "./x.csv", table / "x.csv", "hard.csv"]
    if os.path.exists("X.CSV"):
        outputs.append("X.CSV")
    for output in outputs:
        assert f"{str(output)!r} would overwrite 'x.csv'" in refused(capsys, "x.csv", "--output", output)


@POSIX
def test_output_never_overwrites_through_links(capsys, table):
    os.symlink("x.csv", "link.csv")
    assert "'link.csv' would overwrite 'x.csv'" in refused(capsys, "x.csv", "--output", "link.csv")
    assert "'x.csv' would overwrite 'link.csv'" in refused(capsys, "link.csv", "--output", "x.csv")


def test_output_never_overwrites_a_data_set_by_its_name(capsys, in_folder):
    Table("iris").save("mine.tab")
    assert "would overwrite" in refused(capsys, "mine", "--output", "mine.tab")


@POSIX
def test_output_never_overwrites_the_standard_input(capsys, table):
    kept = os.dup(0)
    with open("x.csv") as file:
        os.dup2(file.fileno(), 0)
        try:
            assert "'x.csv' would overwrite '/dev/stdin'" in refused(capsys, "-", "--output", "x.csv")
        finally:
            os.dup2(kept, 0)
            os.close(kept)


def test_two_outputs_are_two_files(capsys, study):
    told = refused(capsys, "study.bed", "--output", "new.svg", "--plot", "./new.svg")
    assert "'./new.svg' would overwrite 'new.svg', which is written, too" in told
    told = refused(capsys, "study.bed", "--output", "new.csv", "--resume", "new.csv")
    assert "would overwrite 'new.csv'" in told


def test_output_never_overwrites_arrays_and_their_targets(capsys, in_folder):
    np.save("x.npy", np.random.default_rng(0).normal(size=(20, 3)))
    lines = ["y,age,clinic", *(f"{'no' if i % 2 else 'yes'},{i},{i % 3}" for i in range(20))]
    (in_folder / "y.csv").write_text("\n".join(lines) + "\n")
    for option in (["--target", "y.csv:y"], ["--target", "x.npy", "--covariate", "y.csv:age"]):
        assert "would overwrite 'y.csv'" in refused(capsys, "x.npy", *option, "--output", "y.csv")


@pytest.mark.parametrize(
    "options",
    [
        ["--output", "study.bed"],
        ["--output", "STUDY.csv", "--plot", "study.svg", "--resume", "study.fam"],
        ["--phenotype", "people.csv", "--phenotype-column", "sick", "--output", "people.csv"],
        ["--resume", "study.bim"],
    ],
)
def test_output_never_overwrites_genotypes(capsys, study, options):
    assert "would overwrite" in refused(capsys, "study.bed", *options)


def test_bed_never_overwrites_parts_of_another_one(in_folder):
    """Written under the name of a .bed are a .bim and a .fam, too."""
    (in_folder / "other.fam").write_text(OLD)
    with pytest.raises(ValueError, match=r"'other.bed' would overwrite 'other.fam'"):
        refuse_inputs(["other.bed"], ["other.fam"])
    (in_folder / "folder.zarr").mkdir()
    with pytest.raises(ValueError, match="would overwrite"):
        refuse_inputs([os.path.join("folder.zarr", "zarr.json")], ["folder.zarr"])
    refuse_inputs(["new.csv", None], ["other.fam:age", None, "no-such.csv"])


def writers(study):
    """Every function that writes results, with a name of a file."""
    ranking = rank(Table("iris"), "relieff", n_instances=10)
    genotypes = rank_genotypes("study.bed", n_instances=10)
    listing = results.listing(ranking)
    return {
        "r.fimp": lambda path: write_fimp(path, ["a"], {"score": [1.0]}),
        "r.arff": lambda path: write_arff(path, Table("iris")),
        "p.svg": lambda path: listing.plot(path, 3),
        "g.csv": genotypes.save,
        "g.svg": genotypes.save,
        "g.bed": genotypes.save,
        **{
            f"s{ending}": lambda path: results.save(ranking, path)
            for ending in (".csv", ".json", ".tab", ".xlsx", ".pkl")
        },
    }


def fill_disk(monkeypatch):
    """Let the disk take no complete file."""

    def refuse(*_):
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(os, "replace", refuse)


def test_full_disk_keeps_what_was_there(study, monkeypatch):
    """All writers write beside first; the error has the name of the file."""
    saves = writers(study)
    fill_disk(monkeypatch)
    for name, save in saves.items():
        with open(name, "w") as file:
            file.write(OLD)
        before = sorted(os.listdir())
        with pytest.raises(OSError, match="No space left") as caught:
            save(name)
        assert os.path.splitext(caught.value.filename)[0] == os.path.splitext(name)[0]
        with open(name) as file:
            assert file.read() == OLD
        assert sorted(os.listdir()) == before


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="a device that is always full")
def test_full_device_is_named(study):
    os.symlink("/dev/full", "full.csv")
    with pytest.raises(OSError, match=r"No space left on device: 'full.csv'"):
        rank_genotypes("study.bed", n_instances=10).save("full.csv")
    assert os.path.islink("full.csv")


@POSIX
def test_permissions_and_links_are_kept(in_folder):
    (in_folder / "old.txt").write_text(OLD)
    os.chmod("old.txt", 0o640)
    os.symlink("old.txt", "link.txt")
    with replacing("link.txt") as new:
        (in_folder / new).write_text("new")
    assert os.path.islink("link.txt")
    assert (in_folder / "old.txt").read_text() == "new"
    assert stat.S_IMODE(os.stat("old.txt").st_mode) == 0o640
    mask = os.umask(0o027)
    try:
        with replacing("another.txt") as new:
            (in_folder / new).write_text("new")
    finally:
        os.umask(mask)
    assert stat.S_IMODE(os.stat("another.txt").st_mode) == 0o640
    assert sorted(os.listdir()) == ["another.txt", "link.txt", "old.txt"]


@POSIX
def test_devices_and_pipes_are_written_directly(in_folder):
    os.mkfifo("pipe.csv")
    for name in ("pipe.csv", "/dev/null"):
        with replacing(name) as new:
            assert new == name
    (in_folder / "out.txt").write_text("")
    with open("out.txt", "a") as file:
        kept = os.dup(1)
        sys.stdout.flush()
        os.dup2(file.fileno(), 1)
        try:
            with replacing("out.txt") as new:
                assert new == "out.txt"
        finally:
            os.dup2(kept, 1)
            os.close(kept)


@POSIX
@pytest.mark.skipif(hasattr(os, "geteuid") and os.geteuid() == 0, reason="root may write everything")
def test_write_protected_files_stay(in_folder):
    (in_folder / "old.txt").write_text(OLD)
    os.chmod("old.txt", 0o400)
    with pytest.raises(PermissionError, match=r"old\.txt"), replacing("old.txt"):
        raise AssertionError("it must not be written")


def test_error_while_writing_keeps_what_was_there(in_folder):
    (in_folder / "old.txt").write_text(OLD)

    def write_half():
        with replacing("old.txt") as new:
            (in_folder / new).write_text("half")
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        write_half()
    assert (in_folder / "old.txt").read_text() == OLD
    assert os.listdir() == ["old.txt"]
    with pytest.raises(FileNotFoundError, match=r"no-such.*r\.txt"):
        write_fimp("no-such/r.txt", ["a"], {"score": [1.0]})


def test_file_of_a_resumed_ranking_is_replaced(in_folder, monkeypatch):
    X = np.random.default_rng(0).normal(size=(30, 3))
    fill_disk(monkeypatch)
    with pytest.raises(OSError, match=r"No space left on device: 'sums'"):
        resuming.rank_resumably(X, np.arange(30) % 2, "relieff", "sums")
    monkeypatch.undo()
    found = resuming.rank_resumably(X, np.arange(30) % 2, "relieff", in_folder / "sums")
    np.testing.assert_allclose(found.scores, rank_arrays(X, np.arange(30) % 2, "relieff").scores)
