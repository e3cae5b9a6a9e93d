"""Kernels for the registers of other processors."""

import json
import os
import subprocess
import sys
from types import SimpleNamespace

import numpy as np
import pytest

from orangecontrib.reliefe.tests.samples import SMALL

pytestmark = pytest.mark.skipif(SMALL, reason="needs numba's compiler")


def test_kernels_have_the_form_of_the_processor_that_they_are_compiled_for():
    """A name alone tells the width, too: a processor without AVX-512 would stop at an instruction of it."""
    from llvmlite import binding

    from orangecontrib.reliefe.core.kernels.registers import register_width

    triple = binding.get_process_triple()
    if "x86_64" not in triple:
        pytest.skip("names of other processors")
    for name, there, width in (
        ("znver4", "+avx2,+avx512bw,-avx512vnni", 16),
        ("generic", "+avx512f,+avx512bw", 16),
        ("haswell", "+avx2,-avx512bw", 8),
        ("haswell", "", 8),
        ("skylake", "", 8),
        ("skylake-avx512", "", 16),
        ("x86-64-v4", "", 16),
        ("x86-64-v3", "", 8),
        ("generic", "", 4),
    ):
        context = SimpleNamespace(codegen=lambda: SimpleNamespace(magic_tuple=lambda: (triple, name, there)))
        assert register_width(context) == width, name


SCRIPT = """
import numpy as np
from orangecontrib.reliefe.core import rank
from orangecontrib.reliefe.tests.limits import HOMES
for name in ("MAX_EXACT_COMPLETE", "MIN_DISTANCE"):
    setattr(HOMES[name], name, 0)
rng = np.random.default_rng(0)
X = rng.normal(size=(300, 30))
for method in ("relieff", "multisurf"):
    print(rank(X, X[:, 0] * X[:, 1] > 0, method).scores.tolist())
"""


def scores_in_a_process(**environment):
    """Scores (2, 30) that SCRIPT prints in a process, which LLVM ends where it knows no form of a kernel."""
    found = subprocess.run(
        [sys.executable, "-c", SCRIPT],
        capture_output=True,
        text=True,
        timeout=300,
        env={**os.environ, **environment, "PYTHONPATH": os.pathsep.join(sys.path)},
    )
    assert found.returncode == 0, found.stderr
    return np.array([json.loads(line) for line in found.stdout.splitlines()])


@pytest.mark.slow
@pytest.mark.parametrize("name", ["generic", "x86-64-v3", "x86-64-v4"])
def test_kernels_for_other_processors(name, tmp_path):
    import llvmlite.binding as llvm

    there = llvm.get_host_cpu_features()
    if "x86_64" not in llvm.get_process_triple() or not there.get({"x86-64-v4": "avx512bw"}.get(name, "avx2")):
        pytest.skip("this processor does not run them")
    own = {"NUMBA_CPU_NAME": name, "NUMBA_CPU_FEATURES": "", "NUMBA_CACHE_DIR": str(tmp_path)}
    np.testing.assert_allclose(scores_in_a_process(**own), scores_in_a_process(), rtol=0, atol=1e-6)
