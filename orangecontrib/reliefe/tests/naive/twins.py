"""The twin of every method: a slow function that computes its scores, or what they are made of, by itself."""

from . import TWINS as FAMILY
from . import boosted, filters, forest, reliefe, reweighting, studies, unlabelled, wrappers

TWINS = {
    **FAMILY,
    "residualrelief": studies.residualrelief,
    "urelief": unlabelled.urelief,
    "sslrelief": unlabelled.sslrelief,
    "reliefe": reliefe.rank,
    "iterativerelief": reweighting.iterativerelief,
    "irelief": reweighting.irelief,
    "ireliefonline": reweighting.ireliefonline,
    "logo": reweighting.logo,
    "lhrelief": reweighting.lhrelief,
    "pct": forest.Tree,  # of one tree: an ensemble adds up what trees of drawn rows say
    "boostedrelief": boosted.rank,
    "learnedrelief": boosted.rank,
    "boostedlearnedrelief": boosted.rank,
    **filters.TWINS,
    "turf": wrappers.turf,
    "vlsrelief": wrappers.vls,
    "ivlsrelief": wrappers.ivls,
    "evaporativecooling": wrappers.cooling,
}
