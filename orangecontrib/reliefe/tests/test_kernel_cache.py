"""Kernels that came with the package are found, and those that are compiled are noticed."""

import os
import subprocess
import sys

import numpy as np
import pytest

from orangecontrib.reliefe.core import rank, warmup
from orangecontrib.reliefe.core.compilation import Compilation
from orangecontrib.reliefe.core.methods.nested import innermost

SCRIPT = """
import sys
from pathlib import Path
import numpy as np
from orangecontrib.reliefe.core import kernel_cache
from orangecontrib.reliefe.core.compilation import COMPILATION
kernel_cache.FOLDER = Path(sys.argv[1])
told = []
COMPILATION.listener = lambda: told.append(1)
from orangecontrib.reliefe.core.embedding import intrinsic_dimension
X = np.random.default_rng(0).normal(size=(30, 4))
found = intrinsic_dimension(X)
if sys.argv[2] == "pack":
    for cache in kernel_cache.KernelCache.known:
        for file in cache.files():
            place = kernel_cache.FOLDER / cache.module
            place.mkdir(parents=True, exist_ok=True)
            (place / file.name).write_bytes(file.read_bytes())
print(COMPILATION.count, bool(told), len(kernel_cache.KernelCache.missing), found)
"""
compiling = pytest.mark.skipif(os.environ.get("NUMBA_DISABLE_JIT") == "1", reason="nothing is compiled")


def in_a_process(cache, folder, step, **environment):
    run = subprocess.run(
        [sys.executable, "-c", SCRIPT, str(folder), step],
        capture_output=True,
        text=True,
        timeout=300,
        check=True,
        env={**os.environ, "NUMBA_CACHE_DIR": str(cache), "PYTHONPATH": os.pathsep.join(sys.path), **environment},
    )
    count, told, missing, found = run.stdout.split(" ", 3)
    return int(count), told == "True", int(missing), found


@compiling
def test_shipped_kernels_are_used_and_give_the_same(tmp_path):
    """Built as for a class of processors, then used by this one, whose own cache is empty."""
    folder, a_class = tmp_path / "shipped", {"NUMBA_CPU_NAME": "generic", "NUMBA_CPU_FEATURES": ""}
    built = in_a_process(tmp_path / "build", folder, "pack", **a_class)
    assert built[0] > 0
    assert built[1]
    assert built[2] > 0
    used = in_a_process(tmp_path / "user", folder, "use")
    assert used[:3] == (0, False, 0)
    assert used[3] == built[3]


def test_compilations_in_each_other_are_counted_and_told_once():
    compilation, told = Compilation(), []
    compilation.listener = lambda: told.append(compilation.active)
    compilation.begin()
    compilation.begin()
    compilation.end()
    assert compilation.active
    compilation.end()
    assert not compilation.active
    assert (compilation.count, told) == (2, [True])
    assert compilation.seconds >= 0
    assert compilation.seconds == compilation.seconds


def test_variants_try_every_choice_of_a_method():
    method = warmup.METHODS["relieff"]
    found = list(warmup.variants(method))
    assert found[0] == {}
    assert {"scheme": "E"} in found
    assert {"ramp": True} in found
    assert {"missing": "ignore"} in found
    assert all(len(parameters) == 1 for parameters in found[1:])


def test_every_method_and_task_is_warmed():
    warmed = {title for title, _ in warmup._rankings(everything=False)}
    for method in innermost():  # wrappers compile what these do
        for task in method.tasks:
            mine = [title for title in warmed if title.startswith(f"{method.title}, ")]
            assert any(title.endswith(task) for title in mine), (method, task)


def test_problems_can_be_ranked():
    """A step passes a ValueError by, for some methods take no sparse data: the tables themselves must be sound."""
    for problem in warmup.problems():
        method = {"classification": "relieff", "unsupervised": "urelief"}.get(problem.task, "rrelieff")
        options = {"task": problem.task, "nominal": problem.nominal, "hierarchy": problem.hierarchy}
        assert np.isfinite(rank(problem.X, problem.y, method, n_jobs=1, **options).scores).all()
