"""People in the files beside genotypes: .fam of PLINK 1, .psam of PLINK 2, and .sample of Oxford.

The readers of .bed, .pgen and .bgen call `read_fam`, `read_psam` and `read_sample`. The beginnings of the latter two::

    #FID  IID  SEX  height          ID_1  ID_2  missing  sex  ill
    f1    p1   1    171             0     0     0        D    B
    f1    p2   2    164             f1    p1    0        1    0
"""

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np

from ..core.words import counted, shown, some
from .genotypes import refuse_twice
from .text_lines import lines

FAM_TITLES = ["FID", "IID"]  # which a .fam does not have
WIDTH_OF_FAM = 6  # columns: FID, IID, father, mother, sex, phenotype
NO_PHENOTYPES = ("FID", "IID", "SID", "PAT", "MAT", "SEX")  # of a .psam; all other columns are phenotypes
SAMPLE_TYPES = ("0", "D", "C", "P", "B")  # of columns of a .sample: names, covariates (D, C), phenotypes (P, B)
SAMPLE_PHENOTYPES = ("P", "B")


class People(NamedTuple):
    """People of a file, in its order.

    Attributes
    ----------
    names : (n,) object array of str
        Names, all different: IIDs, or FID_IID where an IID is in several families.
    pedigree : (n, 2) object array of str, optional
        Family (FID) and name within the family (IID). None if the file has no families.
    phenotype : (n,) object array of str, optional
        Phenotypes as the file writes them. None if it has none.
    notes : tuple of str
        Sentences on how the file was read.
    phenotype_name : str
        Title of the phenotype; empty if the file has no titles.
    """

    names: np.ndarray
    pedigree: np.ndarray | None
    phenotype: np.ndarray | None
    notes: tuple[str, ...]
    phenotype_name: str = ""


def read_fam(path: Path) -> People:
    """Read a .fam: six columns without titles. A first line of titles, which some programs write, is left out."""
    cells = [cells for _, cells in six_columns(path)]
    first = [cell.lstrip("#").upper() for cell in cells[0]]
    notes: tuple[str, ...] = ()
    if first[:2] == FAM_TITLES:
        notes = (f"the first line of {path.name} has titles ({some(cells[0])}), and is left out",)
        cells = cells[1:]
    if not cells:
        raise ValueError(f"{path.name} has no people")
    families, names, *_, phenotype = zip(*cells, strict=True)
    people = _people(families, names, phenotype, path.name)
    return people._replace(notes=(*notes, *people.notes))


def read_psam(path: Path) -> People:
    """Read a .psam, whose first line has titles and begins with #; without titles it is a .fam.

    Raises
    ------
    ValueError
        If a line has another number of columns, there is no column IID, or a person is there twice.
    """
    rows = lines(path)
    _, head = next(rows)
    if not head.startswith("#"):
        return read_fam(path)
    titles = _cells(head.removeprefix("#"))
    if "IID" not in titles:
        raise ValueError(f"{path.name} has no column IID: it has {', '.join(map(shown, titles))}")
    refuse_twice(titles, "column", path.name)
    table = _table(rows, titles, path)
    phenotypes = [title for title in titles if title not in NO_PHENOTYPES]
    phenotype = table[phenotypes[0]] if phenotypes else None
    people = _people(table.get("FID"), table["IID"], phenotype, path.name)
    return _with_titles(people, phenotypes, path.name)


def read_sample(path: Path) -> People:
    """Read a .sample, whose first lines have titles and types.

    Raises
    ------
    ValueError
        If a line has another number of columns, types are unknown, or a person is there twice.
    """
    rows = lines(path)
    _, head = next(rows)
    titles = _cells(head)
    number, line = next(rows, (2, ""))
    types = _cells(line)
    if len(types) != len(titles) or types[:1] != ["0"] or not set(types) <= set(SAMPLE_TYPES):
        raise ValueError(
            f"line {number} of {path.name} must have the types of {counted(len(titles), 'column')} (0, D, C, P or B), "
            f"but has {shown(line)}"
        )
    refuse_twice(titles, "column", path.name)
    table = _table(rows, titles, path)
    has_families = types[1:2] == ["0"] and titles[1].casefold() != "missing"
    phenotypes = [title for title, type_ in zip(titles, types, strict=True) if type_ in SAMPLE_PHENOTYPES]
    phenotype = table[phenotypes[0]] if phenotypes else None
    families = table[titles[0]] if has_families else None
    people = _people(families, table[titles[1 if has_families else 0]], phenotype, path.name)
    return _with_titles(people, phenotypes, path.name)


def six_columns(path: Path) -> Iterator[tuple[int, list[str]]]:
    """Yield numbers of the lines of a .bim or .fam, and their six columns.

    Columns are between blanks, or between tabs if names have blanks. Raises ValueError for another number of columns.
    """
    width = 0
    for number, line in lines(path):
        cells = line.split("\t")
        if len(cells) < WIDTH_OF_FAM:
            cells = line.split()
        width = width or max(len(cells), WIDTH_OF_FAM)
        if len(cells) != width or "" in cells[:5]:  # more of them where a name has a blank
            raise ValueError(f"line {number} of {path.name} has {len(line.split())} columns instead of {width}")
        yield number, cells[:WIDTH_OF_FAM]


def _people(
    families: Sequence[str] | None, names: Sequence[str], phenotype: Sequence[str] | None, source: str
) -> People:
    """People of these families, names and phenotypes; raises ValueError if one is there twice."""
    values = None if phenotype is None else np.array(phenotype, object)
    if families is None:
        refuse_twice(names, "person", source)
        return People(np.array(names, object), None, values, ())
    pedigree = np.array([families, names], object).T
    if len(set(names)) == len(names):
        return People(np.array(names, object), pedigree, values, ())
    refuse_twice((f"{family} {name}" for family, name in zip(families, names, strict=True)), "person", source)
    joined = [f"{family}_{name}" for family, name in zip(families, names, strict=True)]  # as PLINK writes into a VCF
    refuse_twice(joined, "person", source)
    note = f"people of {source} are told apart by FID and IID, written FID_IID"
    return People(np.array(joined, object), pedigree, values, (note,))


def _table(rows: Iterator[tuple[int, str]], titles: list[str], path: Path) -> dict[str, list[str]]:
    """Columns by their titles; raises ValueError for lines of another width, or without any line."""
    table: dict[str, list[str]] = {title: [] for title in titles}
    for number, line in rows:
        cells = _cells(line)
        if len(cells) != len(titles):
            raise ValueError(
                f"line {number} of {path.name} has {counted(len(cells), 'column')} instead of {len(titles)}"
            )
        for title, cell in zip(titles, cells, strict=True):
            table[title].append(cell)
    if not table[titles[0]]:
        raise ValueError(f"{path.name} has no people")
    return table


def _cells(line: str) -> list[str]:
    """Cells between tabs, or between blanks in a line without tabs."""
    return line.split("\t") if "\t" in line else line.split()


def _with_titles(people: People, phenotypes: list[str], source: str) -> People:
    """People with the title of their phenotype, and a note if it is one of several."""
    if not phenotypes:
        return people
    notes = people.notes
    if len(phenotypes) > 1:
        first = shown(phenotypes[0])
        note = f"{source} has {len(phenotypes):,} phenotypes; the first one, {first}, is taken by default"
        notes = (*notes, note)
    return people._replace(notes=notes, phenotype_name=phenotypes[0])
