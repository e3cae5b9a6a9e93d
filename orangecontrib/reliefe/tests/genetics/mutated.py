"""Bytes of a file of genotypes that are changed by chance: readers raise ValueError, and the process lives on."""

import subprocess
import sys

MUTATED = """
import random, sys
from pathlib import Path
from orangecontrib.reliefe.genetics import read_genotypes
path, draw = Path(sys.argv[1]), random.Random(0)
good = path.read_bytes()
for _ in range(100):
    data = bytearray(good)
    for _ in range(draw.randrange(1, 4)):
        data[draw.randrange(len(data))] = draw.randrange(256)
    path.write_bytes(bytes(data[: draw.choice([len(data), draw.randrange(len(data))])]))
    try:
        read_genotypes(path, dosages=draw.random() < 0.5)
    except ValueError:
        pass
"""


def read_mutated(path):
    """Read 100 changed copies of a file in a process of its own; returns the ended process with what it printed."""
    return subprocess.run([sys.executable, "-c", MUTATED, str(path)], capture_output=True, text=True, check=False)
