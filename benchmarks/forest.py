"""Forests of predictive clustering trees: time beside scikit-learn and CLUS, first call, threads, memory.

    python benchmarks/forest.py --data FOLDER                five minutes
    python benchmarks/forest.py --only peers --repeats 5

Times are CPU seconds of whole calls with one thread, each table row in a fresh process, in which the two take turns;
scikit-learn has numbers in single precision, so that it converts nothing.  CLUS's times are of version 2.12 with one
thread, from another machine of the same kind, its start (0.4 to 1 s) included; without --data its sets are simulated.
"""

import argparse
import hashlib
import os
import sys
import tempfile
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict
from pathlib import Path
from statistics import median

import numpy as np
from common import answer, child, load, peak, reset_peak, table, timed
from forest_cases import CLUS, EXTRA, FOREST, PEERS, Case, known

PARTS = ("peers", "clus", "first", "threads", "memory")
TREES, FEW = 100, 10  # FEW of scikit-learn's where 100 take a minute
COLD, WARM, SCALING = 4.0, 0.5, 1.7
PAPER = 8.0  # times faster than CLUS that we want to be at least


def main() -> int:
    """Print the tables."""
    if answer(measure):
        return 0
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, default=os.environ.get("RELIEFE_DATA"), help="folder of data sets")
    parser.add_argument("--only", choices=PARTS, help="one of the tables")
    parser.add_argument("--repeats", type=int, default=3, help="calls of which the median counts")
    parser.add_argument("--markdown", action="store_true")
    options = parser.parse_args()
    print(load())
    with tempfile.TemporaryDirectory() as room:
        for name in PARTS if options.only is None else [options.only]:
            title, header, rows = TABLES[name](options, Path(room))
            print(f"\n{title}\n\n{table(header, rows, options.markdown)}", flush=True)
    return 0


def measure(request: dict) -> dict:
    """Results of one process."""
    return MEASURES[request.pop("part")](**request)


def ours(X: np.ndarray, y: object, n_jobs: int = 1, **parameters: object) -> np.ndarray:
    """Scores (p,) of the project."""
    from orangecontrib.reliefe.core import rank

    return rank(X, y, "pct", n_jobs=n_jobs, **parameters).scores


def scikit_learn(case: Case, n_trees: int) -> Callable:
    """A forest of scikit-learn with the same settings as (X, y) -> scores."""
    import sklearn.ensemble

    kind = "RandomForest" if case.ensemble == FOREST else "ExtraTrees"
    model = getattr(sklearn.ensemble, kind + ("Classifier" if "class" in case.y else "Regressor"))
    model = model(n_trees, max_features=case.tried, bootstrap=True, random_state=0, n_jobs=1)

    def scores(X: np.ndarray, y: np.ndarray | None) -> np.ndarray:
        y = (X - X.mean(axis=0)) / X.std(axis=0) if y is None else y
        return model.fit(X.astype(np.float32), y).feature_importances_

    return scores


def beside_peer(case: dict, repeats: int, jobs: int) -> dict:
    """CPU seconds for 100 trees of both; of scikit-learn fewer are grown where that takes long."""
    case = Case(**case)
    X, y = case.data()
    n_trees, settings = FEW if case.few else TREES, {"ensemble": case.ensemble, "max_features": case.tried}
    ours(X[:60], None if y is None else y[:60], n_trees=2, **settings)
    peer = scikit_learn(case, n_trees)
    mine, other = timed([lambda: ours(X, y, n_trees=TREES, **settings), lambda: peer(X, y)], repeats)
    return {"ours": mine, "peer": [seconds * TREES / n_trees for seconds in other]}


def peers(options: argparse.Namespace, room: Path) -> tuple:
    """The table of scikit-learn."""
    rows = []
    for case in PEERS:
        request = {"part": "peers", "case": asdict(case), "repeats": options.repeats, "jobs": 1}
        found = child(__file__, request, room / "cache")
        rows.append([case.title, case.ensemble, *_ratio(found, case.goal)])
    header = ("data", "ensemble", "ours ms a tree", "scikit-learn", "ratio", "goal", "")
    return f"{TREES} trees, CPU time, one thread, beside scikit-learn", header, rows


def _ratio(found: dict, goal: float) -> list[str]:
    if "error" in found:
        return [found["error"], "", "", "", ""]
    mine, other = median(found["ours"]), median(found["peer"])
    verdict = "ok" if other / mine >= goal else "SLOWER"
    return [*(f"{s * 1000 / TREES:.2f}" for s in (mine, other)), f"{other / mine:.2f}", f"{goal:g}", verdict]


def beside_clus(
    name: str, ensemble: str, three: bool, labelled: float, folder: str | None, repeats: int, jobs: int
) -> dict:
    """CPU seconds of Genie3, or of all three scores of one ensemble."""
    X, y, settings = known(name, labelled, folder)
    settings |= {"ensemble": ensemble, "max_features": "sqrt", "score": "rforest" if three else "genie3"}
    if labelled < 1:
        settings["supervision"] = 0.5
    ours(X[:60], y[:60], n_trees=2, **settings)
    return {"ours": timed([lambda: ours(X, y, n_trees=TREES, **settings)], repeats)[0]}


def clus(options: argparse.Namespace, room: Path) -> tuple:
    """The table of CLUS."""
    rows = []
    for title, name, ensemble, three, labelled, theirs in CLUS:
        request = {"part": "clus", "name": name, "ensemble": ensemble, "three": three, "labelled": labelled}
        request |= {"folder": options.data and str(options.data), "repeats": options.repeats, "jobs": 1}
        found = child(__file__, request, room / "cache")
        if "error" in found:
            rows.append([title, ensemble, found["error"], "", "", ""])
            continue
        mine = median(found["ours"])
        verdict = "ok" if theirs / mine >= PAPER else "SLOWER"
        rows.append([title, ensemble, f"{mine:.3f}", f"{theirs:.1f}", f"{theirs / mine:.0f}", verdict])
    header = ("scores, data", "ensemble", "ours s", "CLUS", "ratio", "")
    return f"{TREES} trees, CPU time, one thread, beside CLUS; goal {PAPER:g}", header, rows


FIRST = {
    "random forest, numbers": ("10 numbers", {}),
    "extra trees, no target": ("", {"ensemble": EXTRA, "max_features": "log2"}),
    "random forest, classes, three scores": ("5 classes", {"score": "rforest"}),
}


def first_call(name: str, jobs: int) -> dict:
    """CPU seconds of the import and of the first call."""
    y, settings = FIRST[name]
    X, y = Case(200, 20, y, FOREST, 1).data()
    begin = time.process_time()
    import orangecontrib.reliefe.core  # noqa: F401

    imported = time.process_time()
    ours(X, y, n_trees=3, **settings)
    return {"import": imported - begin, "call": time.process_time() - imported}


def first(options: argparse.Namespace, room: Path) -> tuple:
    """First call of a process, with an empty cache and with a full one."""
    rows = []
    for name in FIRST:
        cache = Path(tempfile.mkdtemp(dir=room))
        request = {"part": "first", "name": name, "jobs": 1}
        cold, warm = (child(__file__, request, cache) for _ in range(2))
        if "error" in cold or "error" in warm:
            rows.append([name, cold.get("error") or warm["error"], "", "", "", ""])
            continue
        verdict = "ok" if cold["call"] < COLD and warm["call"] < WARM else "SLOWER"
        size = sum(file.stat().st_size for file in cache.rglob("*") if file.is_file()) / 2**20
        numbers = (warm["import"], cold["call"], warm["call"])
        rows.append([name, *(f"{number:.2f}" for number in numbers), f"{size:.1f}", verdict])
    header = ("forest", "import s", "cold s", "warm s", "cache MB", "")
    return f"First forest of a process, CPU time; goals {COLD:g} s cold, {WARM:g} s warm", header, rows


def on_threads(case: dict, repeats: int, jobs: int) -> dict:
    """Wall seconds of one and two threads, and of two hashes one after the other and at once; whether scores agree."""
    X, y = Case(**case).data()
    settings = {"ensemble": case["ensemble"], "n_trees": TREES}
    scores = [ours(X, y, n_jobs, **settings) for n_jobs in (1, 2)]

    def control(workers: int) -> None:
        with ThreadPoolExecutor(workers) as pool:
            list(pool.map(lambda salt: hashlib.pbkdf2_hmac("sha256", b"", salt, 500_000), (b"a", b"b")))

    calls = [*(lambda jobs=jobs: ours(X, y, jobs, **settings) for jobs in (1, 2))]
    calls += [lambda workers=workers: control(workers) for workers in (1, 2)]
    return {"times": timed(calls, repeats, time.perf_counter), "equal": bool((scores[0] == scores[1]).all())}


def threads(options: argparse.Namespace, room: Path) -> tuple:
    """Wall time of one and two threads."""
    rows = []
    for case in (PEERS[2], PEERS[3]):
        request = {"part": "threads", "case": asdict(case), "repeats": max(options.repeats, 3), "jobs": 2}
        found = child(__file__, request, room / "cache")
        if "error" in found:
            rows.append([case.title, case.ensemble, found["error"], *[""] * 5])
            continue
        one, two, alone, both = map(min, found["times"])
        verdict = "ok" if one / two >= SCALING else "SLOWER"
        same = "the same" if found["equal"] else "DIFFER"
        times = (f"{one:.2f}", f"{two:.2f}", f"{one / two:.2f}", f"{alone / both:.2f}")
        rows.append([case.title, case.ensemble, *times, same, verdict])
    header = ("data", "ensemble", "one s", "two s", "faster", "control", "scores", "")
    return f"Wall time of one and two threads, fastest call; goal {SCALING:g}; {load()}", header, rows


def in_memory(case: dict, n_trees: int, peer: bool, jobs: int) -> dict:
    """Peak of megabytes beyond the data."""
    case = Case(**case)
    X, y = case.data()
    call = scikit_learn(case, n_trees) if peer else lambda X, y: ours(X, y, ensemble=case.ensemble, n_trees=n_trees)
    ours(X[:60], y[:60], n_trees=2, ensemble=case.ensemble)
    base = reset_peak()
    call(X, y)
    return {"megabytes": peak() - base}


def memory(options: argparse.Namespace, room: Path) -> tuple:
    """Peak memory of rankings, by targets and trees."""
    rows = []
    for y, clus_mb in (("10 numbers", "1769"), ("100 numbers", "-")):
        case = Case(5000, 200, y, FOREST, 1)
        cells = []
        for n_trees, peer in ((20, False), (TREES, False), (TREES, True)):
            request = {"part": "memory", "case": asdict(case), "n_trees": n_trees, "peer": peer, "jobs": 1}
            found = child(__file__, request, room / "cache")
            cells.append(f"{found['megabytes']:.0f}" if "megabytes" in found else found["error"])
        rows.append([case.title, case.ensemble, *cells, clus_mb])
    header = ("data", "ensemble", "ours, 20 trees", f"ours, {TREES}", f"scikit-learn, {TREES}", f"CLUS, {TREES}")
    return "Peak memory beyond the data, MB", header, rows


TABLES = {"peers": peers, "clus": clus, "first": first, "threads": threads, "memory": memory}
MEASURES = {
    "peers": beside_peer,
    "clus": beside_clus,
    "first": first_call,
    "threads": on_threads,
    "memory": in_memory,
}

if __name__ == "__main__":
    sys.exit(main())
