"""Times this project against fast-select, scikit-rebate and Orange: ``python benchmarks/peers.py --help``."""

import argparse
import sys
import tempfile
from pathlib import Path
from statistics import median

import numpy as np
from common import CSR, METHODS, SHAPES, TITLES, answer, child, interleaved, load, shapes, table

# Time of fast-select over ours that the project has set itself, CPU time of one thread; then in long-lived processes.
GOALS = {
    (500, 1000): {"relieff": 2.5, "multisurf": 2.6, "surf": 5.5},
    (2000, 200): {"relieff": 3.2, "multisurf": 4.5, "surf": 7},
    (5000, 100): {"relieff": 3.5, "multisurf": 5.5, "surf": 9},
    (200, 20000): {"relieff": 2.3, "multisurf": 2.2, "surf": 8},
    (10000, 50): {"relieff": 4.8, "multisurf": 7, "surf": 10},
}
LONG_LIVED_GOALS = {
    (500, 1000): {"relieff": 4.5, "multisurf": 3.6, "surf": 6.5},
    (2000, 200): {"relieff": 8, "multisurf": 6.5, "surf": 9},
    (5000, 100): {"relieff": 10, "multisurf": 8, "surf": 14},
    (200, 20000): {"relieff": 4, "multisurf": 4, "surf": 4},
    (10000, 50): {"relieff": 15, "multisurf": 11, "surf": 18},
}
CSR_GOAL = 0.2  # seconds
SLOW = {"Orange": ("relieff",), "scikit-rebate": METHODS}


def estimate(library: str, method: str, n: int, p: int) -> float:
    """Seconds that a slow library will take, from times measured once on a processor of 2024."""
    if library == "Orange":
        return 3.5e-9 * n * n * p
    return 13e-6 * n * p + (2e-7 if method == "relieff" else 7e-7) * n * n


def against_fastest(options: argparse.Namespace, room: Path) -> list[str]:
    """The tables of one thread: CPU time, memory, agreement."""
    rows, scores, goals = [], room / "scores.npy", LONG_LIVED_GOALS if options.long_lived else GOALS
    for n, p in options.shapes:
        for method in options.methods:
            base = {"method": method, "n": n, "p": p, "jobs": 1, "save": str(scores), "long lived": options.long_lived}
            kinds = {library: base | {"library": library, "mode": "warm"} for library in ("ours", "fast-select")}
            for library, request in kinds.items():
                request["save"] = str(room / f"{library}.npy")
            found = interleaved(__file__, kinds, options.repeats, cache=lambda library: room / library)
            child(__file__, base | {"library": "ours", "mode": "once", "exact": True}, room / "ours")
            goal = goals.get((n, p), {}).get(method)
            rows.append([f"{n}x{p}", TITLES[method], *_compared(found, goal, scores, room)])
            print(f"{n}x{p} {TITLES[method]} done", file=sys.stderr, flush=True)
    header = ("data", "method", "ours ms", "fs ms", "fs/ours", "goal", "", "ours MB", "fs MB", "error ours", "error fs")
    title = "CPU time of one thread, memory beyond the input, largest difference to double precision throughout"
    return [title, table(header, rows, options.markdown)]


def _compared(found: dict, goal: float | None, exact: Path, room: Path) -> list[str]:
    mine, other = found["ours"], found["fast-select"]
    if "error" in mine or "error" in other:
        return [mine.get("error", ""), other.get("error", ""), *[""] * 7]
    a, b = median(mine["cpu"]), median(other["cpu"])
    verdict = "" if goal is None else "reached" if b / a >= goal else "MISSED"
    times = [f"{a * 1000:.1f}", f"{b * 1000:.1f}", f"{b / a:.2f}", f"{goal or ''}", verdict]
    errors = [np.abs(np.load(room / f"{library}.npy") - np.load(exact)).max() for library in ("ours", "fast-select")]
    return [*times, *(f"{one['megabytes']:.1f}" for one in (mine, other)), *(f"{error:.0e}" for error in errors)]


def slow_peers(options: argparse.Namespace, room: Path) -> list[str]:
    """One call each of the libraries that take seconds to minutes."""
    rows = []
    for n, p in options.shapes:
        for library, methods in SLOW.items():
            for method in (m for m in methods if m in options.methods):
                cost = estimate(library, method, n, p)
                if cost > options.patience:
                    rows.append([f"{n}x{p}", TITLES[method], library, f"skipped: about {cost:.0f} s", "", "", ""])
                    continue
                request = {"library": library, "method": method, "n": n, "p": p, "jobs": 1, "mode": "once"}
                other = child(__file__, request, room / "fast-select", timeout=20 * options.patience)
                mine = child(__file__, request | {"library": "ours", "mode": "warm"}, room / "ours")
                rows.append([f"{n}x{p}", TITLES[method], library, *_slow(mine, other)])
    header = ("data", "method", "peer", "peer s", "ours ms", "peer/ours", "peer MB")
    return ["Slow peers, CPU time, one call", table(header, rows, options.markdown)]


def _slow(mine: dict, other: dict) -> list[str]:
    if "error" in mine or "error" in other:
        return [mine.get("error", "") + other.get("error", ""), "", "", ""]
    a, b = median(mine["cpu"]), other["cpu"][0]
    return [f"{b:.2f}", f"{a * 1000:.1f}", f"{b / a:.0f}", f"{other['megabytes']:.0f}"]


def threads(options: argparse.Namespace, room: Path) -> list[str]:
    """Wall time of one and two threads."""
    rows = []
    for n, p in options.shapes:
        for method in options.methods:
            base = {"method": method, "n": n, "p": p, "mode": "warm"}
            libraries = ("ours",) if options.quick else ("ours", "fast-select")
            keys = [(library, jobs) for library in libraries for jobs in (1, 2)]
            kinds = {key: base | {"library": key[0], "jobs": key[1]} for key in keys}
            found = interleaved(__file__, kinds, options.repeats, cache=lambda key: room / key[0])
            row = [f"{n}x{p}", TITLES[method]]
            for library in libraries:
                one, two = (found[library, jobs] for jobs in (1, 2))
                row += ["", "", ""] if "error" in one or "error" in two else _scaling(one["wall"], two["wall"])
            rows.append(row)
    header = ["data", "method", *("ours 1", "ours 2", "faster"), *(() if options.quick else ("fs 1", "fs 2", "faster"))]
    title = f"Wall time in ms of one and two threads, fastest call (means little beside other work: {load()})"
    return [title, table(header, rows, options.markdown)]


def _scaling(one: list[float], two: list[float]) -> list[str]:
    return [f"{min(one) * 1000:.1f}", f"{min(two) * 1000:.1f}", f"{min(one) / min(two):.2f}"]


def beginnings(options: argparse.Namespace, room: Path) -> list[str]:
    """Import and the first call of a process, without and with what numba has kept on disk."""
    rows, (n, p) = [], options.shapes[0]
    for method in options.methods:
        for library in ("ours", "fast-select"):
            cache = Path(tempfile.mkdtemp(dir=room))
            request = {"library": library, "method": method, "n": n, "p": p, "jobs": 1, "mode": "first"}
            cold, warm = child(__file__, request, cache), child(__file__, request, cache)
            if "error" in cold or "error" in warm:
                rows.append([library, TITLES[method], cold.get("error", ""), "", ""])
            else:
                seconds = warm["import"], cold["first"], warm["first"]
                rows.append([library, TITLES[method], *(f"{one:.2f}" for one in seconds)])
    header = ("library", "method", "import", "first call, cold cache", "warm cache")
    return [f"CPU seconds of import and of the first call of a process, {n}x{p}", table(header, rows, options.markdown)]


def sparse(options: argparse.Namespace, room: Path) -> list[str]:
    """CSR, which no peer takes."""
    n, p, density = CSR
    rows = []
    for method in options.methods:
        request = {"library": "ours", "method": method, "n": n, "p": p, "density": density, "jobs": 1, "mode": "warm"}
        found = interleaved(__file__, {"ours": request}, options.repeats, cache=lambda key: room / key)["ours"]
        if "error" in found:
            rows.append([f"{n}x{p}", TITLES[method], found["error"], "", "", ""])
            continue
        seconds = median(found["cpu"])
        verdict = ["", ""] if method != "relieff" else [f"{CSR_GOAL}", "reached" if seconds < CSR_GOAL else "MISSED"]
        rows.append([f"{n}x{p}", TITLES[method], f"{seconds:.3f}", *verdict, f"{found['megabytes']:.0f}"])
    header = ("data", "method", "CPU s", "goal", "", "MB")
    return [f"CSR with {density:.1%} non-zeros, one thread", table(header, rows, options.markdown)]


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__.split(":")[0])
    parser.add_argument("--shapes", type=shapes, default=None, help="such as 500x1000,2000x200 (rows x features)")
    parser.add_argument("--methods", type=lambda text: text.split(","), default=METHODS, help=",".join(METHODS))
    parser.add_argument("--repeats", type=int, default=None, help="processes for each library and cell (3)")
    parser.add_argument(
        "--patience", type=float, default=15, help="seconds; what takes a slow peer longer is skipped (15)"
    )
    parser.add_argument("--quick", action="store_true", help="two shapes, one process each, fast-select only")
    parser.add_argument(
        "--long-lived", action="store_true", help="one table: of processes that hold and replace other large arrays"
    )
    parser.add_argument("--markdown", action="store_true", help="tables for a document")
    options = parser.parse_args()
    options.repeats = options.repeats or (1 if options.quick else 3)
    options.shapes = options.shapes or (SHAPES[:2] if options.quick else SHAPES)
    return options


def target_processor() -> str:
    """Name of the processor that numba compiles for, and the widest vector instructions that it may use there.

    NUMBA_CPU_NAME and NUMBA_CPU_FEATURES choose another one than that of this machine.
    """
    from llvmlite.binding import get_host_cpu_features, get_host_cpu_name
    from numba import config

    name = config.CPU_NAME or get_host_cpu_name()
    if config.CPU_FEATURES is not None:
        return f"{name}, features {config.CPU_FEATURES or 'of that name'}"
    features = get_host_cpu_features()
    widest = next((feature for feature in ("avx512f", "avx2") if features.get(feature)), "neither AVX-512 nor AVX2")
    return f"{name}, {widest}"


def main() -> None:
    """Print a table as soon as it is there."""
    options = arguments()
    print(f"{load()}; compiled for {target_processor()}; Python {sys.version.split()[0]}; NumPy {np.__version__}\n")
    others = () if options.long_lived else (sparse, beginnings, threads, *(() if options.quick else (slow_peers,)))
    with tempfile.TemporaryDirectory() as room:
        for part in (against_fastest, *others):
            title, text = part(options, Path(room))
            print(f"{title}\n\n{text}\n", flush=True)


if __name__ == "__main__" and not answer():
    main()
