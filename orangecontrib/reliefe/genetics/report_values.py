"""Genotypes of noteworthy variants by phenotype, for a report.

The command calls `values_of_variants` for --report.
"""

from ..core.data.table import DataTable
from ..core.report.columns import RowGroups, feature_columns, groups_by_target
from ..core.report.page import N_VALUES, ReportValues
from ..core.targets.tasks import REGRESSION, SURVIVAL
from .phenotype_names import task_of_phenotype, titles_of_classes
from .ranking import GenotypeRanking


def values_of_variants(result: GenotypeRanking) -> ReportValues:
    """Take the genotypes of discoveries and of the next best variants, with people grouped by phenotype.

    Times with events are no groups, and then nothing is drawn.
    """
    ranking = result.ranking
    task = task_of_phenotype(result.phenotype)
    if task == SURVIVAL:
        return ReportValues()
    variants = ranking.features_of(ranking.noteworthy(N_VALUES))[:N_VALUES]
    chosen = result.data.columns(variants)
    table = DataTable.read(chosen.ranked)
    names = [str(name) for name in chosen.variants.name]
    groups = groups_by_target(result.phenotype, len(result.phenotype), task == REGRESSION)
    titles = tuple(titles_of_classes(result.phenotype))
    if groups is not None and titles:
        groups = RowGroups(titles, groups.codes)
    return ReportValues(feature_columns(None, table, range(len(variants)), names), groups)
