"""All sections of the report, in the order of the page."""

from . import (
    agreement_of_lists,
    errata,
    few_labels,
    figures_of_reliefe,
    quality_of_all,
    review,
    sets_as_printed,
    speed,
    without_target,
)
from .record import Section

SECTIONS: tuple[Section, ...] = (
    review.SECTION,
    without_target.ERRORS,
    without_target.BASELINES,
    agreement_of_lists.SECTION,
    figures_of_reliefe.FUJI_SECTION,
    figures_of_reliefe.DENSITY_SECTION,
    figures_of_reliefe.NEIGHBOURS_SECTION,
    sets_as_printed.SECTION,
    few_labels.SECTION,
    errata.SECTION,
    quality_of_all.RECALL_SECTION,
    quality_of_all.AREAS_SECTION,
    quality_of_all.SETS_SECTION,
    quality_of_all.SIMULATED_SECTION,
    speed.PEERS_SECTION,
    speed.GROWTH_SECTION,
)
