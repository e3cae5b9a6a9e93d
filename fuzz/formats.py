"""Rankings of the same rows in two formats, with several options of a method at once, which must agree.

`orangecontrib/reliefe/tests/data_formats.py` makes the data and the formats from a seed. The kind `differential`
compares other pairs of ways: moved rows, threads, slow twins.
"""

import numpy as np

from .kinds import Action, Case
from .mutations import pick
from .outcome import Refused, Wrong

SHARE_SET = 0.4  # share of the options that are set


def make(rng: np.random.Generator) -> Case:
    """Make a case: {"method", "task", "kind", "seed", "format", "options"}."""
    from orangecontrib.reliefe.core import METHODS
    from orangecontrib.reliefe.tests.data_formats import FORMATS, KINDS, PACKED, all_options

    method = pick(tuple(METHODS), rng)
    task = pick(METHODS[method].tasks, rng)
    kind = pick(KINDS, rng)
    formats = (*FORMATS, PACKED, PACKED) if kind in ("genotypes", "dosages") else ("csr", *FORMATS)
    options = {
        name: pick(values, rng) for name, values in all_options(method, task).items() if rng.random() < SHARE_SET
    }
    seed = int(rng.integers(2**31))
    return {
        "method": method, "task": task, "kind": kind, "seed": seed, "format": pick(formats, rng),
        "options": {name: list(value) if isinstance(value, tuple) else value for name, value in options.items()},
    }  # fmt: skip


def prepare(case: Case) -> Action:
    """Make the data; the action ranks them in both formats."""
    from orangecontrib.reliefe.tests.data_formats import disagreement, make_problem, quickened

    problem = make_problem(np.random.default_rng(case["seed"]), case["task"], case["kind"])
    options = quickened(case["method"], dict(case["options"]))

    def action() -> None:
        difference = disagreement(problem, case["format"], case["method"], options)
        if difference is None:
            raise Refused("refused in both formats, or not comparable")
        if difference:
            raise Wrong(difference, f"{case['format']} {case['method']}")

    return action
