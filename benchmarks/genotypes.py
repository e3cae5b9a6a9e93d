"""Seconds and memory of rankings of random genotypes, one thread: two bits a genotype, numbers, and fast-select.

python benchmarks/genotypes.py [--large] [--patience SECONDS] [--unknown SHARE]
python benchmarks/genotypes.py --file

Each cell is a process of its own; CPU time is the median of three warm calls, one where a call takes more than 10 s.
--large: also 1,000 x 1,000,000, with the time from a .bed file on all processors; --file: only that.  Peers that would
take longer than
--patience (by the rows and features of the smaller cells) are left out.
"""

import argparse
import json
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import numpy as np
from common import peak, reset_peak, table

SHAPES = ((2000, 1000), (2000, 20_000), (1000, 100_000))
LARGE = (1000, 1_000_000)
MOST_AS_NUMBERS = 10**8  # genotypes
LONG = 10.0  # seconds of a call that is made once


def data(n: int, p: int, unknown: float = 0.0) -> tuple[np.ndarray, np.ndarray]:
    """Codes (n, p) int8 and classes (n,) that the first two decide together."""
    rng = np.random.default_rng(0)
    codes = rng.integers(0, 3, (n, p), dtype=np.int8)
    if unknown:
        codes[rng.random((n, p), dtype=np.float32) < unknown] = -1
    return codes, ((codes[:, 0] > 0) != (codes[:, 1] > 0)).astype(int)


def child(form: str, method: str, n: int, p: int, unknown: float) -> None:
    """Print seconds and megabytes of one cell as JSON."""
    from orangecontrib.reliefe.core import Packed, rank

    small, classes = data(100, 70, 0.02)
    (codes, y), options = data(n, p, unknown), {"missing": "ignore"} if unknown else {}
    if form == "fast-select":
        from fast_select.ReliefF import ReliefF

        def call() -> None:
            ReliefF(n_neighbors=10, n_features_to_select=5, n_jobs=1, backend="cpu").fit(X, y)

        X = codes[:, :50].astype(float)
        call()
        X = codes.astype(float)
    elif form == "numbers":
        X = np.where(codes < 0, np.nan, codes)
        rank(np.where(small < 0, np.nan, small), classes, method, nominal=np.arange(70), n_jobs=1, **options)

        def call() -> None:
            rank(X, y, method, nominal=np.arange(p), n_jobs=1, **options)

    else:
        for warm in (Packed.of(small), Packed.of(np.abs(small))):
            rank(warm, classes, method, missing="ignore", n_jobs=1)
        X = Packed.of(codes)
        del codes

        def call() -> None:
            rank(X, y, method, n_jobs=1, **options)

    base, times = reset_peak(), []
    for _ in range(3):
        begin = time.process_time()
        call()
        times.append(time.process_time() - begin)
        if times[-1] > LONG:
            break
    json.dump({"seconds": statistics.median(times), "megabytes": peak() - base}, sys.stdout)


def cell(form: str, method: str, n: int, p: int, unknown: float) -> dict:
    """Measurements of a fresh process."""
    command = [sys.executable, __file__, "--child", form, method, str(n), str(p), str(unknown)]
    return json.loads(subprocess.run(command, check=True, capture_output=True, text=True).stdout.splitlines()[-1])


def rates() -> str:
    """Billions of pairs x features a second of both kernels."""
    from orangecontrib.reliefe.core import Packed
    from orangecontrib.reliefe.core.data.table import DataTable
    from orangecontrib.reliefe.core.kernels.bits import BITS, pair_counts
    from orangecontrib.reliefe.core.relief.formats.features import Features
    from orangecontrib.reliefe.core.relief.formats.packed import PackedManhattan

    n, p = 2000, 20_000
    packed = Packed.of(data(n, p)[0])
    features = Features.build(DataTable.of(packed), np.arange(n), np.zeros(n, np.int32))
    distance, found = PackedManhattan(features, packed), []
    edge = distance.shape[0]
    out = np.zeros(distance.shape)
    i, j = np.random.default_rng(0).integers(0, n, (2, 10_000))
    total = np.zeros(packed.low.shape[1] * BITS)

    def distances() -> float:
        for first in range(0, n - edge, edge):
            distance.tile(0, edge, first, first + edge, out, upper=False)
        return edge * edge * ((n - 1) // edge) * p

    def sums() -> float:
        pair_counts(packed.low, packed.high, (i, j), 1.0, True, (0, packed.low.shape[1]), total)
        return len(i) * p

    for step in (distances, sums):
        step()
        begin = time.process_time()
        done = sum(step() for _ in range(5))
        found.append(done / (time.process_time() - begin) / 1e9)
    return f"distances {found[0]:.0f} G/s (goal 200), sums of lists {found[1]:.0f} G/s (goal 40)"


def from_file(n: int, p: int) -> None:
    """Print wall times from a .bed on all processors, and the memory of the process."""
    from orangecontrib.reliefe import rank_genotypes
    from orangecontrib.reliefe.core import Packed, rank
    from orangecontrib.reliefe.genetics.genotypes import Genotypes, Variants, write_bed

    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "study.bed"
        codes, y = data(n, p)
        names, position = np.char.mod("%d", np.arange(max(n, p))).astype(object), np.arange(p)
        variants = Variants(names[:p], names[np.zeros(p, int)], position, *np.full((2, p), "A", object))
        write_bed(path, Genotypes(Packed.of(codes), names[:n], variants), y + 1)
        del codes
        small = data(100, 70, 0.02)
        for codes in (small[0], np.abs(small[0])):  # so that nothing is compiled below
            for method in ("relieff", "multisurf"):
                rank(Packed.of(codes), small[1], method, missing="ignore")
        for method in ("relieff", "multisurf"):
            base, begin, used = reset_peak(), time.perf_counter(), time.process_time()
            found = rank_genotypes(path, method=method)
            print(
                f"{n:,} x {p:,} from a .bed, {method}: {time.perf_counter() - begin:.1f} s of wall time, "
                f"{time.process_time() - used:.1f} s of CPU, {peak() - base:.0f} MB; best {found.best(2)}",
                flush=True,
            )


def main() -> None:
    """Print a table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--large", action="store_true")
    parser.add_argument("--file", action="store_true")
    parser.add_argument("--patience", type=float, default=120)
    parser.add_argument("--unknown", type=float, default=0.0)
    parser.add_argument("--child", nargs=5)
    arguments = parser.parse_args()
    if arguments.child:
        form, method, *numbers = arguments.child
        child(form, method, int(numbers[0]), int(numbers[1]), float(numbers[2]))
        return
    if arguments.file:
        from_file(*LARGE)
        return
    print(rates(), flush=True)
    rows, speed = [], {}
    for n, p in (*SHAPES, *([LARGE] if arguments.large else [])):
        for form, method in (("packed", "relieff"), ("packed", "multisurf"), ("numbers", "relieff"),
                             ("numbers", "multisurf"), ("fast-select", "relieff")):  # fmt: skip
            late = form != "packed" and speed.get((form, method), 0) * n * n * p > arguments.patience
            if form != "packed" and (n * p > MOST_AS_NUMBERS or late or (arguments.unknown and form == "fast-select")):
                continue
            found = cell(form, method, n, p, arguments.unknown)
            speed[form, method] = found["seconds"] / (n * n * p)
            rows.append([f"{n:,} x {p:,}", form, method, f"{found['seconds']:.2f}", f"{found['megabytes']:.0f}"])
            print(*rows[-1], sep="  ", flush=True)
    print(table(["rows x SNPs", "form", "method", "CPU s", "MB beyond the data"], rows, markdown=True))
    if arguments.large:
        from_file(*LARGE)


if __name__ == "__main__":
    main()
