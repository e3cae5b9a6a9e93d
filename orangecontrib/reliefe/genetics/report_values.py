"""Genotypes of noteworthy variants by phenotype, for a report.

`GenotypeRanking.report` and the command, for --report, call `values_of_variants`.
"""

import numpy as np

from ..core import Ranking
from ..core.data.table import DataTable
from ..core.report.columns import feature_columns, groups_by_target
from ..core.report.page import N_VALUES, ReportValues
from .genotypes import Genotypes
from .phenotype_names import task_of_phenotype, titles_of_classes


def values_of_variants(ranking: Ranking, genotypes: Genotypes, phenotype: np.ndarray) -> ReportValues:
    """Take the genotypes of discoveries and of the next best variants, with people grouped by phenotype."""
    task = task_of_phenotype(phenotype)
    variants = ranking.features_of(ranking.noteworthy(N_VALUES))[:N_VALUES]
    chosen = genotypes.columns(variants)
    table = DataTable.read(chosen.ranked)
    names = [str(name) for name in chosen.variants.name]
    groups = groups_by_target(phenotype, len(phenotype), task)
    titles = tuple(titles_of_classes(phenotype))
    if groups is not None and titles:
        groups = groups._replace(names=titles)
    return ReportValues(feature_columns(None, table, range(len(variants)), names), groups)
