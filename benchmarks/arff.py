"""Compares what we read from ARFF files with another reader: ``python benchmarks/arff.py --help``."""

import argparse
import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import scipy.sparse as sp
from common import ROOT, table
from evaluation import loader
from Orange.data import Table

from orangecontrib.reliefe.io import read_arff
from orangecontrib.reliefe.orange.targets import parents_of

ATTRIBUTES, ENTRIES = 50_000, 150  # of the generated file; in each of its rows
SECONDS, MEGABYTES = 30, 1000  # goals for 100 MB
EQUAL, DIFFERS = "equal", "DIFFERS"

Column = tuple[np.ndarray, list[str] | None]  # values or codes, and names of the codes

# What a fresh process finds out about one file.
CHILD = """
import json, resource, sys, time
from orangecontrib.reliefe.io import read_arff
begin = time.perf_counter()
table = read_arff(sys.argv[1])
seconds = time.perf_counter() - begin
peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
print(json.dumps([seconds, peak / 2**(20 if sys.platform == "darwin" else 10), table.X.shape, type(table.X).__name__]))
"""


def main() -> int:
    """Print both tables; 1 where anything differs or a goal is missed."""
    parser = argparse.ArgumentParser(description=__doc__.split(":")[0])
    default = os.environ.get("RELIEFE_DATA", ROOT.parent / "data")
    parser.add_argument("--data", type=Path, default=Path(default), help="folder of load.py and index.tsv")
    parser.add_argument("--sets", nargs="*", help="names of some data sets")
    parser.add_argument("--megabytes", type=int, default=100, help="size of the generated file; 0: none (100)")
    options = parser.parse_args()
    good = True
    if (options.data / "load.py").is_file():
        good = print_comparison(options.data, options.sets)
    else:
        print(f"No data: {options.data} has no load.py; name the folder by --data or RELIEFE_DATA.\n")
    if options.megabytes:
        good = print_large(options.megabytes) and good
    return 0 if good else 1


def print_comparison(folder: Path, sets: list[str] | None) -> bool:
    """A line for each data set: whether features and targets are those of load.py, and how long both take."""
    data, good = loader(folder), True
    print(f"{'data set':24} {'rows':>7} {'inputs':>7} {'targets':>7}  features  targets  {'ours s':>7} {'theirs s':>8}")
    for name, entry in data.index().items():
        if entry["format"] != "arff" or (sets and name not in sets):
            continue
        begin = time.perf_counter()
        theirs = data.load(name)
        between = time.perf_counter()
        files = [folder / file for file in entry["files"].split(";") if not file.endswith(".xml")]
        ours = [read_arff(file) for file in files]
        end = time.perf_counter()
        found = [EQUAL if same else DIFFERS for same in (features_equal(ours, theirs), targets_equal(ours, theirs))]
        good = good and DIFFERS not in found
        rows, inputs = theirs["X"].shape
        sizes = f"{rows:7} {inputs:7} {len(theirs['target_names']):7}"
        print(f"{name:24} {sizes}  {found[0]:8}  {found[1]:7}  {end - between:7.2f} {between - begin:8.2f}", flush=True)
    print()
    return good


class Columns:
    """Columns of tables one below the other, by name; a name that a node has taken is followed by (1)."""

    def __init__(self, tables: list[Table]) -> None:
        self.tables = tables
        self.X = sp.vstack([sp.csr_matrix(t.X) for t in tables]).tocsc() if sp.issparse(tables[0].X) else None
        self.features = {variable.name: j for j, variable in enumerate(tables[0].domain.attributes)}

    def feature(self, name: str) -> Column:
        return self.column(name if name in self.tables[0].domain and name in self.features else f"{name} (1)")

    def column(self, name: str) -> Column:
        names = [list(t.domain[name].values) if t.domain[name].is_discrete else None for t in self.tables]
        if self.X is not None and name in self.features:
            return self.X[:, [self.features[name]]].toarray().ravel(), names[0]
        longest = max(names, key=lambda values: len(values or ()))
        return np.concatenate([t.get_column(name) for t in self.tables]).astype(float), longest


def features_equal(tables: list[Table], theirs: dict) -> bool:
    """True if all features of theirs are in ours with the same values."""
    ours, X = Columns(tables), theirs["X"]
    X = X.tocsc() if sp.issparse(X) else X
    for j, name in enumerate(theirs["feature_names"]):
        column = X[:, [j]].toarray().ravel() if sp.issparse(X) else X[:, j]
        if not equal(ours.feature(name), (column, theirs["feature_values"].get(j))):
            return False
    return True


def targets_equal(tables: list[Table], theirs: dict) -> bool:
    """True if all targets of theirs are in ours, as targets or not; unknown label sets are empty in theirs."""
    ours = Columns(tables)
    for name, column in targets(theirs):
        values, names = ours.column(name)
        values = np.nan_to_num(values) if theirs["task"] == "hmlc" else values
        if not equal((values, names), column):
            return False
    return theirs["task"] != "hmlc" or all(hierarchy_equal(one, theirs) for one in tables)


def hierarchy_equal(ours: Table, theirs: dict) -> bool:
    """True if every node has the same parents; all nodes are class variables."""
    classes, nodes = ours.domain.class_vars, theirs["hierarchy"]["nodes"]
    a = {v.name: {classes[k].name for k in up} for v, up in zip(classes, parents_of(classes), strict=True)}
    b = {n: {nodes[k] for k in up} for n, up in zip(nodes, theirs["hierarchy"]["parents"], strict=True)}
    return a == b


def targets(theirs: dict) -> Iterator[tuple[str, Column]]:
    if "y" in theirs:
        y = np.asarray(theirs["y"], dtype=float)
        unknown = (y < 0) & (theirs["task"] == "classification")
        yield theirs["target_names"][0], (np.where(unknown, np.nan, y), theirs["classes"].get(0))
        return
    Y = theirs["Y"].tocsc() if sp.issparse(theirs["Y"]) else theirs["Y"]
    for j, name in enumerate(theirs["target_names"]):
        column = Y[:, [j]].toarray().ravel() if sp.issparse(Y) else Y[:, j]
        yield name, (column.astype(float), theirs["classes"].get(j) if theirs["task"] == "mtr" else None)


def equal(ours: Column, theirs: Column) -> bool:
    """True if two columns mean the same, be they numbers or codes of names."""
    (a, names_a), (b, names_b) = ours, theirs
    if names_a and names_b:
        code = {name: k for k, name in enumerate(names_b)}
        return np.array_equal(decoded(a, [code.get(name, -2 - k) for k, name in enumerate(names_a)]), b, equal_nan=True)
    a = decoded(a, [float(name) for name in names_a]) if names_a else a
    b = decoded(b, [float(name) for name in names_b]) if names_b else b
    return np.array_equal(a, b, equal_nan=True)


def decoded(codes: np.ndarray, values: list[float]) -> np.ndarray:
    return np.array([*values, np.nan])[np.where(np.isnan(codes), -1, codes).astype(int)]


def print_large(megabytes: int) -> bool:
    """Time and memory of a fresh process that reads a generated sparse file of this size."""
    rows, good = [], True
    for title, values in (("classes", ("a", "b", "c")), ("tree", ("1/1/1@3", "2/1", "3"))):
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "large.arff"
            generate(path, megabytes, title, values)
            done = subprocess.run([sys.executable, "-c", CHILD, path], capture_output=True, text=True, check=True)
        seconds, peak, shape, kind = json.loads(done.stdout)
        share = megabytes / 100
        reached = seconds <= SECONDS * share and peak <= MEGABYTES * max(share, 1)
        rows.append([title, *shape, kind, f"{seconds:.1f}", f"{peak:.0f}", "reached" if reached else "MISSED"])
        good = good and reached
    header = ("target", "rows", "features", "X", "seconds", "peak MB", f"goal {SECONDS} s, {MEGABYTES} MB for 100 MB")
    print(f"A sparse file of {megabytes} MB\n\n{table(header, rows)}")
    return good


def generate(path: Path, megabytes: int, kind: str, values: tuple[str, ...]) -> None:
    """A sparse file, half numbers and half 0/1, whose last attribute has the given values."""
    random, size = np.random.default_rng(0), 0
    declared = "hierarchical 1/1/1,2/1,3" if kind == "tree" else "{" + ",".join(values) + "}"
    with open(path, "w", encoding="utf-8") as file:
        file.write("@relation large\n")
        file.writelines(f"@attribute w{j} {'numeric' if j % 2 else '{0,1}'}\n" for j in range(ATTRIBUTES))
        file.write(f"@attribute class {declared}\n@data\n")
        while size < megabytes * 1e6:
            columns = np.unique(random.integers(0, ATTRIBUTES, ENTRIES))
            numbers = random.integers(1, 9999, len(columns)) / 100
            entries = [f"{j} {x:g}" if j % 2 else f"{j} 1" for j, x in zip(columns, numbers, strict=True)]
            entries.append(f"{ATTRIBUTES} {values[random.integers(len(values))]}")
            size += file.write("{" + ",".join(entries) + "}\n")


if __name__ == "__main__":
    sys.exit(main())
