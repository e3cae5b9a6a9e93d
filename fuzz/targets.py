"""Targets that say nothing, or little: one class per row, one value, no value: refused, or the words tell how they are
read, but never scores of 0 without a word."""

import contextlib
import io
import json
import tempfile
from pathlib import Path

import numpy as np

from .kinds import Action, Case
from .mutations import pick
from .outcome import Refused, Wrong
from .refusals import refusing

FORMS = ("array", "list", "object", "series", "strings", "float", "command", "table")
METHODS = ("auto", "relieff", "rrelieff", "multisurf", "mutualinfo", "urelief")


def make(rng: np.random.Generator) -> Case:
    """A case: "X", the "target" of a certain "shape", in a "form", for a "method"."""
    n = int(rng.integers(10, 40))
    shape = pick(
        ("per row", "almost per row", "rare", "one", "empty", "almost empty", "codes", "names", "rounded"), rng
    )
    codes = {
        "per row": np.arange(n),
        "almost per row": np.minimum(np.arange(n), n - 3),
        "rare": np.maximum(np.arange(n) - n // 2, 0),
        "one": np.zeros(n, int),
        "empty": np.full(n, -1),
        "almost empty": np.where(np.arange(n) < pick((1, 2), rng), 0, -1),
        "codes": np.arange(n) % int(rng.integers(2, 8)),
        "names": np.arange(n) // 2,
        "rounded": rng.integers(0, n, n),
    }[shape]
    codes = rng.permutation(codes)
    base = pick(("{}", "{}", "s{}", "{}.0", "{}.5", "class {}"), rng)
    return {
        "X": rng.random((n, 3)).round(3).tolist(),
        "target": [None if code < 0 else base.format(code) for code in codes.tolist()],
        "shape": shape,
        "form": pick(FORMS, rng),
        "method": pick(METHODS, rng),
    }


def prepare(case: Case) -> Action:
    """Features and the target; the action ranks them, and looks at what was said."""
    import pandas as pd

    texts = case["target"]
    form = case["form"]
    X = np.array(case["X"])
    numbers = None
    with contextlib.suppress(ValueError):
        numbers = [np.nan if text is None else float(text) for text in texts]
    whole = numbers is not None and None not in texts and all(number.is_integer() for number in numbers)
    values: object = [*texts]
    if form in ("array", "list", "float") and numbers is not None:
        values = [int(number) for number in numbers] if whole and form != "float" else numbers
    if form in ("array", "float"):
        values = np.array(values, dtype=None if None not in texts or numbers is not None else object)
    elif form in ("object", "strings"):
        values = np.array(values, dtype=object)
    elif form == "series":
        values = pd.Series(values)
    if form in ("command", "table"):
        return lambda: _by_file(case)

    def action() -> None:
        from orangecontrib.reliefe.core import rank

        with refusing():
            found = rank(X, values, case["method"])
        said = [*found.info["warnings"], *found.info["information"]]
        _check(case, found.scores.tolist(), found.info["task"], said)

    return action


def _by_file(case: Case) -> None:
    """By the command line."""
    from orangecontrib.reliefe.command.cli import main

    with tempfile.TemporaryDirectory(prefix="fuzz-targets-") as folder:
        path = Path(folder) / "x.csv"
        lines = [[*map(str, row), text or ""] for row, text in zip(case["X"], case["target"], strict=True)]
        path.write_text("\n".join(map(",".join, [["a", "b", "c", "y"], *lines])), encoding="utf-8")
        out, errors = io.StringIO(), io.StringIO()
        with contextlib.redirect_stdout(out), contextlib.redirect_stderr(errors):
            code = main(["rank", str(path), "--target", "y", "--method", case["method"], "--json"])
    if code:
        if code != 2 or "Traceback" in errors.getvalue():
            raise Wrong(f"status {code}: {errors.getvalue()[-300:]}", "command: status")
        raise Refused(errors.getvalue()[:300])
    document = json.loads(out.getvalue())
    info = document["info"]
    scores = [feature["score"] for feature in document["features"]]
    _check(case, scores, info["task"], [*info["warnings"], *info["information"], *info["input"], errors.getvalue()])


def _check(case: Case, scores: list[float], task: str, said: list[str]) -> None:
    """Raise `Wrong` where a target that says little was ranked without a word."""
    known = [text for text in case["target"] if text is not None]
    words = " ".join(said)
    if len(set(known)) < 2 and task not in ("unsupervised",) and not words:
        raise Wrong(f"{case['shape']}: {scores}, {task}, without a word", f"{task}: one value")
    if task == "unsupervised" and case["method"] != "urelief" and not words:
        raise Wrong(f"{case['shape']}: ranked without a target, without a word", "no target")
    counts = {text: known.count(text) for text in known}
    shared = sum(count for count in counts.values() if count > 1)
    if words or case["method"] in ("mutualinfo", "urelief"):  # whose scores of 0 are estimates
        return
    if task == "classification" and 2 * shared < len(known):
        raise Wrong(f"{len(counts)} classes in {len(known)} rows: {scores}; {words}", "classes of one row")
    is_whole = case["form"] in ("array", "list") and not any("." in text for text in known)
    if task == "regression" and is_whole and case["method"] != "rrelieff":
        raise Wrong(f"{case['shape']}: {known[:5]} are read as numbers without a word", "numbers without a word")
    if not any(scores):
        raise Wrong(f"{case['shape']}: all scores are 0 without a word", "scores of 0")
