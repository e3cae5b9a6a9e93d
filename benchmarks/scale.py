"""Growth curves: time and memory of rankings by the numbers of rows and of features, and what is larger than memory.

    python benchmarks/scale.py                  about ten minutes; --draw: also doc/images/scale.png
    python benchmarks/scale.py --only rows,files
    python benchmarks/scale.py --only first     10^6 x 100 by 16,384 target rows, two threads: two minutes
    python benchmarks/scale.py --only largest   10^6 x 1,000 in single precision in a file (12 GB of disk)

Times are CPU seconds of all threads of one fresh process, after a ranking that compiles; own memory is what the process
holds besides mapped files, at most, beyond what it held before.
"""

import argparse
import json
import os
import tempfile
import threading
import time
from pathlib import Path

import numpy as np
from common import ROOT, answer, child, load, make, shapes, table

EXACT, TARGETS, MORE_TARGETS = None, 4096, 16_384
ROWS = ((5000, 100), (20_000, 100), (50_000, 100))
FEATURES = ((2000, 100), (2000, 1000), (2000, 10_000))
FILES = ((60_000, 1000, "uint8"), (200_000, 500, "uint8"))
FIRST, LARGEST = (1_000_000, 100), (1_000_000, 1000, "float32")
SPARSE = ((5000, 2000, 0.01), (5000, 10_000, 0.005))  # rows, features, share of non-zeros
TREES = 100
BLOCK = 2**25  # bytes that are written at once
PARTS = ("rows", "features", "files", "sparse", "first", "largest")
USUAL = PARTS[:4]
LIMIT = 3600  # seconds of one process


def own_memory() -> float:
    """Megabytes that belong to the process; of the peak where the system does not tell."""
    try:
        lines = Path("/proc/self/status").read_text().splitlines()
        return next(float(line.split()[1]) for line in lines if line.startswith("RssAnon")) / 1024
    except (OSError, StopIteration):
        import resource

        return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


class Watch:
    """Context that notes the largest memory of its own, and times."""

    def __enter__(self) -> "Watch":
        self._done, self.most, self._before = threading.Event(), 0.0, own_memory()
        self._thread = threading.Thread(target=self._look)
        self._thread.start()
        self._cpu, self._wall = time.process_time(), time.perf_counter()
        return self

    def __exit__(self, *_: object) -> None:
        self.cpu, self.wall = time.process_time() - self._cpu, time.perf_counter() - self._wall
        self._done.set()
        self._thread.join()

    def _look(self) -> None:
        while not self._done.wait(0.02):
            self.most = max(self.most, own_memory() - self._before)


def made_file(n: int, p: int, kind: str) -> str:
    """Path of an array in a file, made now unless it is there: genotypes, or numbers."""
    path = os.path.join(tempfile.gettempdir(), f"scale-{n}-{p}-{kind}.npy")
    if not os.path.exists(path):
        X, rng = np.lib.format.open_memmap(path, "w+", np.dtype(kind), (n, p)), np.random.default_rng(0)
        step = max(BLOCK // X.strides[0], 1)
        for start in range(0, n, step):
            shape = min(step, n - start), p
            X[start : start + step] = rng.integers(0, 3, shape) if kind == "uint8" else rng.random(shape)
        X.flush()
    return path


def measure(request: dict) -> dict:
    """Time and memory of one ranking; see `child`."""
    if request["mode"] == "sparse":
        return measure_trees(request)
    from orangecontrib.reliefe.core import rank

    n, p, options = request["n"], request["p"], {"n_jobs": request["jobs"], "n_instances": request["targets"]}
    if request["mode"] == "file":
        X = np.load(made_file(n, p, request["kind"]), mmap_mode="r")
        lead = np.array(X[:, :3], float)
        z = lead[:, 0] + lead[:, 1] * lead[:, 2]
        y = (z > np.median(z)).astype(int)
    else:
        X, y = make(n, p)
    small = np.array(X[:3000, :300])
    some = options | ({"n_instances": 600} if isinstance(request["targets"], int) else {})
    rank(small, y[:3000], request["method"], **some)  # compiles
    with Watch() as watch:
        found = rank(X, y, request["method"], **options)
    errors = found.info.get("standard_errors")
    share = None if errors is None else float(np.sqrt(np.mean(np.square(errors))) / found.scores.std())
    return {
        "cpu": watch.cpu,
        "wall": watch.wall,
        "megabytes": watch.most,
        "instances": found.info["instances"],
        "error": share,
    }


def measure_trees(request: dict) -> dict:
    """PCT, or scikit-learn's extra trees, on CSR."""
    X, y = make(request["n"], request["p"], request["density"])
    small = make(200, 100, 0.1)

    def ours(X: object, y: np.ndarray) -> None:
        from orangecontrib.reliefe.core import rank

        rank(X, y, "pct", n_trees=TREES, n_jobs=1)

    def theirs(X: object, y: np.ndarray) -> None:
        from sklearn.ensemble import RandomForestClassifier

        RandomForestClassifier(TREES, n_jobs=1, random_state=0).fit(X, y)

    call = ours if request["library"] == "ours" else theirs
    call(*small)
    with Watch() as watch:
        call(X, y)
    return {"cpu": watch.cpu, "wall": watch.wall, "megabytes": watch.most}


def asked(**request: object) -> dict:
    """The result of a fresh process."""
    request = {"jobs": 1, "mode": "memory", "method": "relieff", "targets": None} | request
    cache = Path(os.environ.get("NUMBA_CACHE_DIR") or Path(tempfile.gettempdir()) / "scale-kernels")
    return child(__file__, request, cache, ROOT, LIMIT)


def exponents(sizes: list[int], times: list[float]) -> list[str]:
    """Exponents of the growth from one size to the next."""
    steps = zip(sizes, sizes[1:], times, times[1:], strict=False)
    return ["-", *(f"{np.log(b / a) / np.log(y / x):.2f}" for x, y, a, b in steps)]


def growth(cells: tuple, axis: int) -> tuple[list[list], dict[str, list[float]]]:
    """Rows of a table, and curves of CPU seconds by what is ranked."""
    rows, curves = [], {}
    for title, method, targets in (
        ("ReliefF, all rows", "relieff", EXACT),
        (f"ReliefF, {TARGETS:,} rows", "relieff", TARGETS),
        ("ReliefF, converge", "relieff", "converge"),
        ("MultiSURF, all rows", "multisurf", EXACT),
    ):
        kept = [cell for cell in cells if not isinstance(targets, int) or cell[0] > targets]
        found = [asked(n=n, p=p, method=method, targets=targets) for n, p in kept]
        times = [result.get("cpu", float("nan")) for result in found]
        curves[title] = [float("nan")] * (len(cells) - len(kept)) + times
        powers = exponents([cell[axis] for cell in kept], times)
        for (n, p), result, power in zip(kept, found, powers, strict=False):
            rows.append([f"{n:,} x {p:,}", title, *described(result), power])
    return rows, curves


def described(result: dict) -> list[str]:
    """Cells of a table for one result."""
    if "cpu" not in result:
        return [result["error"], "-", "-", "-", "-"]
    share, instances = result.get("error"), result.get("instances")
    return [
        f"{result['cpu']:.2f}",
        f"{result['wall']:.2f}",
        f"{result['megabytes']:.0f}",
        f"{instances:,}" if instances else "-",
        "-" if share is None else f"{share:.2f}",
    ]


HEADER = ("data", "ranking", "CPU s", "wall s", "own MB", "target rows", "error/spread")


def draw(curves: dict[str, tuple[list[int], dict[str, list[float]]]]) -> None:
    """A picture of the curves."""
    from pictures import COLOURS, plt, save

    figure, axes = plt.subplots(1, len(curves), figsize=(4.2 * len(curves), 3.2), squeeze=False)
    for ax, (title, (sizes, lines)) in zip(axes[0], curves.items(), strict=True):
        for (name, times), colour in zip(lines.items(), COLOURS, strict=False):
            ax.plot(sizes, times, color=colour, marker=".", label=name)
        ax.set(xscale="log", yscale="log", xlabel=title, ylabel="CPU seconds")
        ax.set_xticks(sizes, [f"{size:,}" for size in sizes])
        ax.minorticks_off()
    axes[0][0].legend(frameon=False, fontsize=7)
    figure.tight_layout()
    save(figure, ROOT / "doc" / "images" / "scale.png")


def main() -> int:
    """Print the tables, and draw the curves."""
    if answer(measure):
        return 0
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--only", default=",".join(USUAL), help=f"parts, with commas between them: {', '.join(PARTS)}")
    parser.add_argument("--rows", type=shapes, default=ROWS, help="shapes of growing numbers of rows")
    parser.add_argument("--features", type=shapes, default=FEATURES, help="and of features")
    parser.add_argument("--draw", action="store_true", help="also doc/images/scale.png")
    parser.add_argument("--json", metavar="FILE", help="also the curves, for other tools")
    options = parser.parse_args()
    parts, curves = options.only.split(","), {}
    print(load())
    for part, cells, axis in (("rows", options.rows, 0), ("features", options.features, 1)):
        if part in parts:
            rows, lines = growth(cells, axis)
            n, p = cells[0]
            curves[f"rows ({p:,} features)" if axis == 0 else f"features ({n:,} rows)"] = (
                [c[axis] for c in cells],
                lines,
            )
            print(f"\n{part}\n{table((*HEADER, 'exponent'), rows, markdown=True)}")
    files = [(*cell, 2000, 1) for cell in FILES if "files" in parts]
    files += [(*LARGEST, 2000, 2)] if "largest" in parts else []
    if files:
        found = [
            [f"{n:,} x {p:,} {kind}, in a file", f"ReliefF, {jobs} thread{'s' * (jobs > 1)}",
             *described(asked(n=n, p=p, kind=kind, mode="file", targets=targets, jobs=jobs))]
            for n, p, kind, targets, jobs in files
        ]  # fmt: skip
        print(f"\nfiles\n{table(HEADER, found, markdown=True)}")
    if "first" in parts:
        n, p = FIRST
        found = described(asked(n=n, p=p, targets=MORE_TARGETS, jobs=2))
        print(f"\nfirst\n{table(HEADER, [[f'{n:,} x {p:,}', 'ReliefF, 2 threads', *found]], markdown=True)}")
    if "sparse" in parts:
        rows = [
            [f"{n:,} x {p:,}, {100 * density:g} %", title,
             *described(asked(n=n, p=p, density=density, mode="sparse", library=library))[:3]]
            for n, p, density in SPARSE
            for library, title in (("ours", f"PCT, {TREES} trees"), ("sklearn", f"random forest, {TREES} trees"))
        ]  # fmt: skip
        print(f"\nsparse\n{table(HEADER[:5], rows, markdown=True)}")
    if options.json:
        Path(options.json).write_text(json.dumps(curves), encoding="utf-8")
    if options.draw and curves:
        draw(curves)
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
