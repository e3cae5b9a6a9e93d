"""Compare rankings in all formats of data with those of dense arrays: methods x options x formats.

python -m benchmarks formats                        each value of each option
python -m benchmarks formats --pairs                each pair of values: some hours
python -m benchmarks formats --method relieff surf  these methods only

Prints, for each method, the options and the values that were set, the comparisons in each format, and those that were
refused in both formats or differ. Ends with status 1 if any differ.
"""

import argparse
import sys
import warnings
from collections import Counter

import numpy as np

from orangecontrib.reliefe.core import METHODS
from orangecontrib.reliefe.tests.data_formats import (
    FORMATS,
    KINDS,
    PACKED,
    all_options,
    disagreement,
    make_problem,
    pairs_of_options,
    quickened,
    single_options,
)

COLUMNS = (*FORMATS, PACKED)
REFUSED, DIFFERENT = "not compared", "different"


def compare(name: str, pairs: bool) -> tuple[Counter[str], list[str]]:
    """Count the comparisons of a method in each format, those not possible and those that differ; list the latter."""
    counts: Counter[str] = Counter()
    differences = []
    tasks = METHODS[name].tasks
    for number_of_task, task in enumerate(tasks):
        options_of_task = (pairs_of_options if pairs else single_options)(name, task)
        for number, options in enumerate(options_of_task):
            rng = np.random.default_rng([[*METHODS].index(name), number_of_task, number])
            problem = make_problem(rng, task, KINDS[(number + number_of_task) % len(KINDS)])
            options_in_short = quickened(name, options)
            dense = problem.scores("dense", name, options_in_short)
            for data_format in problem.formats():
                difference = disagreement(problem, data_format, name, options_in_short, dense)
                counts[REFUSED if difference is None else data_format] += 1
                if difference:
                    counts[DIFFERENT] += 1
                    differences.append(f"{name} {task} {problem.kind} {data_format} {options}: {difference}")
    return counts, differences


def main() -> int:
    """Print the table; return 1 if rankings differ."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--pairs", action="store_true", help="set each pair of values of two options")
    parser.add_argument("--method", nargs="+", default=[*METHODS], choices=[*METHODS], metavar="NAME")
    arguments = parser.parse_args()
    warnings.simplefilter("ignore")
    print(f"{'method':22}options values " + " ".join(f"{column:>12}" for column in (*COLUMNS, REFUSED, DIFFERENT)))
    total: Counter[str] = Counter()
    all_differences = []
    for name in arguments.method:
        values = {}
        for task in METHODS[name].tasks:
            values |= all_options(name, task)
        counts, differences = compare(name, arguments.pairs)
        total += counts
        all_differences += differences
        cells = " ".join(f"{counts[column]:12,}" for column in (*COLUMNS, REFUSED, DIFFERENT))
        print(f"{name:22}{len(values):7}{sum(map(len, values.values())):7} {cells}", flush=True)
    print(f"{'all':22}{'':14} " + " ".join(f"{total[column]:12,}" for column in (*COLUMNS, REFUSED, DIFFERENT)))
    print(*all_differences, sep="\n")
    return int(bool(all_differences))


if __name__ == "__main__":
    sys.exit(main())
