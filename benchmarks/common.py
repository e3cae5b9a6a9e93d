"""Tools of the benchmarks: data, fresh processes, clocks, tables."""

import json
import os
import resource
import subprocess
import sys
import time
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from pathlib import Path
from types import ModuleType

import numpy as np

ROOT = Path(__file__).resolve().parent.parent
SHAPES = ((500, 1000), (2000, 200), (5000, 100), (200, 20000), (10000, 50))
METHODS = ("relieff", "multisurf", "surf")
TITLES = {"relieff": "ReliefF", "multisurf": "MultiSURF", "surf": "SURF"}
NEIGHBOURS = 10
CSR = (5000, 10000, 0.005)  # rows, features, share of non-zeros
TIMED = 1.0  # seconds of warm calls in one process
CALLS = 3, 15  # fewest and most of them
HELD, HELD_BYTES = 60, (2_000_000, 24_000_000)  # arrays of a long-lived process, and how large they are
CHILD = "--child"
ALWAYS_DOUBLE = 1e18  # a size that no data reach: everything is computed in double precision


def make(n: int, p: int, density: float | None = None, seed: int = 0) -> tuple[object, np.ndarray]:
    """Numbers (n, p), complete, with two classes that depend on seven features; CSR when a density is given."""
    random = np.random.default_rng(seed)
    if density is None:
        X = random.normal(size=(n, p))
        z = X[:, :5].sum(axis=1) + 2 * X[:, 5] * X[:, 6] + 0.5 * random.normal(size=n)
    else:
        from scipy import sparse

        X = sparse.random(n, p, density, "csr", random_state=seed, data_rvs=lambda size: random.uniform(0.1, 1, size))
        z = np.asarray(X[:, : max(p // 100, 1)].sum(axis=1)).ravel() + 0.01 * random.normal(size=n)
    return X, (z > np.median(z)).astype(int)


def ours(method: str, jobs: int, exact: bool = False) -> Callable:
    """The ranking of this project as (X, y) -> scores (p,)."""
    from orangecontrib.reliefe.core import rank

    if exact:
        bounds_of_precision().MAX_EXACT_COMPLETE = ALWAYS_DOUBLE
    parameters = {"n_neighbors": NEIGHBOURS} if method == "relieff" else {}
    return lambda X, y: rank(X, y, method, n_jobs=jobs, **parameters).scores


def bounds_of_precision() -> ModuleType:
    """Module that decides on single precision, once `rank` is imported; other commits have it in other folders."""
    modules = [module for name, module in sys.modules.items() if name.startswith("orangecontrib.reliefe.core.")]
    (bounds,) = (module for module in modules if module.__name__.endswith(".features") and hasattr(module, "Features"))
    return bounds


def fast_select(method: str, jobs: int) -> Callable:
    """fast-select on the processor."""
    from importlib import import_module

    title = TITLES[method]
    kind = getattr(import_module(f"fast_select.{title}"), title)
    parameters = {"n_neighbors": NEIGHBOURS} if method == "relieff" else {}
    parameters |= {"n_features_to_select": 5, "n_jobs": jobs, "backend": "cpu"}
    return lambda X, y: kind(**parameters).fit(X, y).feature_importances_


def scikit_rebate(method: str, jobs: int) -> Callable:
    """scikit-rebate, the implementation in Python."""
    import skrebate

    kind = getattr(skrebate, TITLES[method])
    parameters = {"n_neighbors": NEIGHBOURS} if method == "relieff" else {}
    parameters |= {"n_features_to_select": 5, "n_jobs": jobs}
    return lambda X, y: kind(**parameters).fit(X, y).feature_importances_


def orange(method: str, jobs: int) -> Callable:
    """Orange's own ReliefF with all rows as targets; the time includes making the table."""
    from Orange.data import ContinuousVariable, DiscreteVariable, Domain, Table
    from Orange.preprocess.score import ReliefF

    def scores(X: np.ndarray, y: np.ndarray) -> np.ndarray:
        features = [ContinuousVariable(f"x{f}") for f in range(X.shape[1])]
        data = Table.from_numpy(Domain(features, DiscreteVariable("y", values=("0", "1"))), X, y)
        return np.asarray(ReliefF(n_iterations=len(y), k_nearest=NEIGHBOURS)(data))

    return scores


LIBRARIES = {"ours": ours, "fast-select": fast_select, "scikit-rebate": scikit_rebate, "Orange": orange}


def measure(request: dict) -> dict:
    """Results of one process; see `child` for the request."""
    X, y = make(request["n"], request["p"], request.get("density"))
    begin, wall = time.process_time(), time.perf_counter()
    extra = {"exact": True} if request.get("exact") else {}
    scores = LIBRARIES[request["library"]](request["method"], request["jobs"], **extra)
    result = {"import": time.process_time() - begin, "import wall": time.perf_counter() - wall}
    if request["mode"] != "first":
        _warm_up(request, scores)
    base = reset_peak()
    begin, wall = time.process_time(), time.perf_counter()
    found = scores(X, y)
    result |= {"first": time.process_time() - begin, "first wall": time.perf_counter() - wall}
    result["megabytes"] = peak() - base
    if request["mode"] == "warm":
        result["cpu"], result["wall"] = repeat(scores, X, y, HELD if request.get("long lived") else 0)
    else:
        result["cpu"], result["wall"] = [result["first"]], [result["first wall"]]
    if request.get("save"):
        np.save(request["save"], np.asarray(found, float))
    package = sys.modules.get("orangecontrib.reliefe.core")
    return result | {"file": package.__file__ if package else None}


def _warm_up(request: dict, scores: Callable) -> None:
    """Compile on a toy of the same kind, in both precisions, so that memory and time are those of the computation."""
    X, y = make(60, 40, request.get("density") and 0.2, seed=1)
    scores(X, y)
    if request["library"] == "ours" and not request.get("exact"):
        in_single_precision(lambda: scores(X, y))


def in_single_precision(call: Callable[[], object]) -> None:
    """Computes as with large data; a commit without these bounds (benchmarks/ourselves.py) computes as it does."""
    module = bounds_of_precision()
    bounds = {name: value for name, value in vars(module).items() if name.startswith("MAX_EXACT")}
    vars(module).update(dict.fromkeys(bounds, 0))
    call()
    vars(module).update(bounds)


def repeat(scores: Callable, X: object, y: np.ndarray, held: int = 0) -> tuple[list[float], list[float]]:
    """CPU and wall times of calls; held: number of other large arrays, one of which is replaced before each call."""
    random = np.random.default_rng(0)
    sizes = random.integers(*HELD_BYTES, held + CALLS[1])
    arrays = [np.ones(size, np.uint8) for size in sizes[:held]]
    cpu, wall, end = [], [], time.perf_counter() + TIMED
    while len(cpu) < CALLS[0] or (len(cpu) < CALLS[1] and time.perf_counter() < end):
        if held:
            arrays[random.integers(held)] = np.ones(sizes[held + len(cpu)], np.uint8)
        begin, start = time.process_time(), time.perf_counter()
        scores(X, y)
        cpu.append(time.process_time() - begin)
        wall.append(time.perf_counter() - start)
    return cpu, wall


def timed(calls: list[Callable], repeats: int, clock: Callable[[], float] = time.process_time) -> list[list[float]]:
    """Times of calls that take turns."""
    found = [[] for _ in calls]
    for _ in range(repeats):
        for times, call in zip(found, calls, strict=True):
            begin = clock()
            call()
            times.append(clock() - begin)
    return found


def reset_peak() -> float:
    """Megabytes in use; where the system can, the peak is set back to it."""
    with suppress(OSError):
        Path("/proc/self/clear_refs").write_text("5")
    return peak()


def peak() -> float:
    try:
        lines = Path("/proc/self/status").read_text().splitlines()
        return next(float(line.split()[1]) for line in lines if line.startswith("VmHWM")) / 1024
    except OSError:
        unit = 2**20 if sys.platform == "darwin" else 2**10
        return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / unit


def child(
    script: str,
    request: dict,
    cache: Path,
    tree: Path | None = None,
    timeout: float = 600,
    python: str = sys.executable,
) -> dict:
    """Run `request` in a fresh process of `script`; {"error": text} where that fails.

    request: library, method, n, p, density (or None), jobs, mode ("warm": several calls; "once": one after a toy;
    "first": one in a fresh process), save (file for the scores), exact, long lived (see `repeat`).
    cache: folder for numba's.  tree: checkout to import from.  python: interpreter.
    """
    jobs = str(request["jobs"])
    threads = dict.fromkeys(("NUMBA_NUM_THREADS", "OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS"), jobs)
    paths = {"NUMBA_CACHE_DIR": str(cache), "PYTHONPATH": str(tree or ROOT)}
    env = os.environ | threads | paths | {"TQDM_DISABLE": "1"}
    try:
        done = subprocess.run(
            [python, "-W", "ignore", script, CHILD, json.dumps(request)],
            capture_output=True, text=True, timeout=timeout, env=env, check=False,
        )  # fmt: skip
    except subprocess.TimeoutExpired:
        return {"error": f"more than {timeout:.0f} s"}
    lines = done.stdout.splitlines()
    if done.returncode or not lines:
        return {"error": (done.stderr.strip().splitlines() or [f"exit {done.returncode}"])[-1][:120]}
    return json.loads(lines[-1])


def answer(measure: Callable[[dict], dict] = measure) -> bool:
    """Answer the request of a parent, if there is one on the command line."""
    if sys.argv[1:2] != [CHILD]:
        return False
    print(json.dumps(measure(json.loads(sys.argv[2]))))
    return True


def interleaved(script: str, requests: dict[object, dict], rounds: int, **places: Callable) -> dict[object, dict]:
    """{key: result} of processes that take turns (A B A B ...), so that a drift of the machine hits all of them alike.

    Times of all rounds are joined; places: cache and perhaps tree and python of `child`, as functions of the key.
    """
    results = {}
    for _ in range(rounds):
        for key, request in requests.items():
            if "error" in results.get(key, {}):
                continue
            new = child(script, request, **{name: place(key) for name, place in places.items()})
            old = results.get(key)
            if old and "error" not in new:
                new |= {name: old[name] + values for name, values in new.items() if isinstance(values, list)}
                new["megabytes"] = max(result.get("megabytes", 0) for result in (old, new))
            results[key] = new
    return results


def shapes(text: str) -> tuple[tuple[int, int], ...]:
    """ "500x1000,2000x200" -> ((500, 1000), (2000, 200))."""
    return tuple(tuple(int(part) for part in one.split("x")) for one in text.split(","))


def load() -> str:
    """The load of the machine in words."""
    averages = " ".join(f"{value:.1f}" for value in os.getloadavg()) if hasattr(os, "getloadavg") else "unknown"
    return f"{os.cpu_count()} processors, load average {averages}"


def table(header: Sequence[str], rows: Iterable[Sequence[object]], markdown: bool = False) -> str:
    """Columns aligned; as plain text or as Markdown."""
    lines = [list(header), *([str(cell) for cell in row] for row in rows)]
    width = [max(len(line[c]) for line in lines) for c in range(len(header))]
    places = [f"{{:{'<' if c < 2 else '>'}{w}}}" for c, w in enumerate(width)]
    lines = [[place.format(cell) for place, cell in zip(places, line, strict=True)] for line in lines]
    lines.insert(1, ["-" * w for w in width])
    return "\n".join(f"| {' | '.join(line)} |" if markdown else "  ".join(line).rstrip() for line in lines)
