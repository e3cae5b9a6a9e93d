"""Number of broken kernels that the quick tests find: ``python benchmarks/broken_kernels.py``.

Each fault of the table is put into a copy of the package, where its tests run without compilation.  A fault is found if
a test fails that passes in the sound package.  Exit status 1 where one is not found.
"""

import argparse
import os
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).resolve().parents[1]
PACKAGE = Path("orangecontrib") / "reliefe"
FAMILY = "relief/test_relief_family.py"
LEARNED = "learned/test_learned.py"
EDGES = "relief/test_ways.py relief/test_ties.py"
SECONDS = 900  # of one fault


class Fault(NamedTuple):
    """A text of a file of the core, that occurs once, what stands there instead, and the files of tests to run."""

    file: str
    text: str
    instead: str
    tests: str


FAULTS = [
    Fault("relief/formats/dense.py", "values[i] != values[j0:j1]", "values[i] == values[j0:j1]", FAMILY),
    Fault("relief/formats/dense.py", "(diffs * weights[first:last])", "diffs", "test_feature_groups.py"),
    Fault("relief/formats/sums_by_row.py", "sums[b, g, f] - sums[b, hits, f]", "sums[b, g, f]", LEARNED),
    Fault("kernels/diff.py", "q * q if squared else q", "q", FAMILY),
    Fault(
        "relief/formats/sums_by_row.py", "w7 * abs(x[f] - y7[f])", "w7 * abs(x[f] - y6[f])", "learned/test_learned.py"
    ),
    Fault("relief/formats/sparse_sums.py", "w = weights[q, 0]", "w = abs(weights[q, 0])", FAMILY),
    Fault("relief/formats/sparse.py", "rule.weights[features[t]] * rows.to_zero[t]", "rows.to_zero[t] / 2", FAMILY),
    Fault("relief/formats/sparse_sums.py", " - x_to_zero - columns.to_zero[s]", " - x_to_zero", FAMILY),
    Fault("relief/formats/missing.py", "total += weights[q, t] * correction", "total += correction", FAMILY),
    Fault("relief/formats/missing.py", "total += weights[q] * row[q]", "total += row[q]", FAMILY),
    Fault("relief/formats/row_means.py", "both[f] += w * t * q if known", "both[f] += w * q if known", FAMILY),
    Fault("relief/formats/packed.py", "nd if jd > jc", "nd if jd >= jc", "relief/test_packed.py"),
    Fault("relief/formats/bits.py", " | (z ^ b[2 * LANES + q]))", ")", "relief/test_bits.py"),
    Fault("relief/formats/patterns.py", "if v == v and v != 0", "if v != 0", "relief/test_counts.py"),
    Fault(
        "relief/formats/coordinates.py",
        "(x[f] - y[q]) * (x[f] - y[q])",
        "abs(x[f] - y[q])",
        "methods/test_reliefe.py graph",
    ),
    Fault("kernels/insert.py", "ids[row] < ids[other]", "ids[row] > ids[other]", "relief/test_ties.py"),
    Fault(
        "relief/neighbourhoods/search.py",
        "new_keys[q] < kept_keys[p]",
        "new_keys[q] > kept_keys[p]",
        "cluster/test_bits.py",
    ),
    Fault("relief/neighbourhoods/zones.py", "distances[t] < limit[row] else", "distances[t] <= limit[row] else", EDGES),
    Fault("relief/neighbourhoods/zone_pairs.py", "table[classes[i], j:stop]", "table[classes[j], j:stop]", FAMILY),
    Fault("relief/neighbourhoods/moments.py", "square += d[q] * d[q]", "square += d[q]", FAMILY),
    Fault("relief/updates/hit_miss.py", "share = np.where(present, prior, 0)", "share = prior + 0 * present", FAMILY),
    Fault(
        "relief/updates/target_change.py", "of_changed + of_rest, -of_rest", "of_changed - of_rest, -of_rest", FAMILY
    ),
    Fault("relief/weight_sums.py", "down[j] += v", "down[j] += abs(v)", "test_significance.py"),
    Fault("kernels/selection.py", "inside = x[s] < t", "inside = x[s] <= t", "learned"),
    Fault("learned/gains.py", "weights[r], u[r] = new, shares[r] * new", "weights[r], u[r] = new, new", "learned"),
    Fault("learned/correlation_margins.py", "r = (n * r - a * b) / (n - 1)", "r = r - a * b / n", "learned"),
    Fault("forest/feature_tests.py", "and n - n_left >= min_leaf:", "and n - n_left > min_leaf:", "forest"),
    Fault("forest/permutations.py", "out[t] += new * new - old * old", "out[t] += new * new", "forest"),
    Fault("points/nearest.py", "total = lengths_of_both - 2 *", "total = lengths_of_both -", "embedding"),
    Fault("reweighting/influence.py", "min((a[q] - d[q]) * scale", "min((a[0] - d[q]) * scale", "reweighting"),
    Fault("reweighting/margins.py", "f < n_numeric, shape) - from_zero[f]", "f < n_numeric, shape)", "reweighting"),
]


def copy(folder: Path) -> Path:
    """The package in a folder, without what is compiled."""
    shutil.copytree(ROOT / PACKAGE, folder / PACKAGE, ignore=shutil.ignore_patterns("__pycache__", "_help"))
    shutil.copy(ROOT / "pyproject.toml", folder)
    return folder


def first_failure(folder: Path, tests: list[str]) -> str | None:
    """The first test that fails, or the words for a run that does not end; None if all pass."""
    command = [sys.executable, "-m", "pytest", "-q", "-x", "-p", "no:cacheprovider", "-m", "not slow", *tests]
    environment = {**os.environ, "PYTHONPATH": str(folder), "NUMBA_DISABLE_JIT": "1", "ORANGE_RELIEFE_NO_WARMING": "1"}
    environment |= {"QT_QPA_PLATFORM": "offscreen", "PYTHONHASHSEED": "0", "PYTHONDONTWRITEBYTECODE": "1"}
    try:
        done = subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, timeout=SECONDS)
    except subprocess.TimeoutExpired:
        return "the run does not end"
    if done.returncode == 0:
        return None
    found = re.search(r"^(?:FAILED|ERROR) (\S+?::\S.*?)(?: - .*)?$", done.stdout, re.MULTILINE)
    if not found:
        raise RuntimeError(f"no test ran:\n{done.stdout}\n{done.stderr}")
    return found[1]


def main() -> int:
    """Print a line for each fault, and how many were found."""
    parser = argparse.ArgumentParser(description="How many broken kernels the quick tests find.")
    parser.add_argument("--only", default="", metavar="TEXT", help="only faults of files that have this in their names")
    parser.add_argument("--every", type=int, default=1, metavar="STEP", help="only every so many faults of the table")
    arguments = parser.parse_args()
    chosen = [fault for fault in FAULTS[:: arguments.every] if arguments.only in fault.file]
    found = 0
    with tempfile.TemporaryDirectory() as made:
        sound, broken = copy(Path(made) / "sound"), copy(Path(made) / "broken")
        for fault in chosen:
            file = PACKAGE / "core" / fault.file
            source = (sound / file).read_text(encoding="utf-8")
            if source.count(fault.text) != 1:
                raise ValueError(f"{fault.text!r} must occur once in {file}; mend the table")
            (broken / file).write_text(source.replace(fault.text, fault.instead), encoding="utf-8")
            test = first_failure(broken, [str(PACKAGE / "tests" / name) for name in fault.tests.split()])
            (broken / file).write_text(source, encoding="utf-8")
            if test and "::" in test and first_failure(sound, [test]):
                raise RuntimeError(f"{test} fails in the sound package, too")
            found += test is not None
            print(f"{fault.file:28} {fault.text[:40]:42} {test or 'NOT FOUND'}", flush=True)
    print(f"{found} of {len(chosen)} faults found")
    return int(found < len(chosen))


if __name__ == "__main__":
    sys.exit(main())
