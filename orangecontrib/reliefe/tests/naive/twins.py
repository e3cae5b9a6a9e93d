"""The twin of every method: a slow function that computes its scores, or what they are made of, by itself."""

from . import TWINS as FAMILY
from . import boosted, forest, reliefe, unlabelled

TWINS = {
    **FAMILY,
    "urelief": unlabelled.urelief,
    "sslrelief": unlabelled.sslrelief,
    "reliefe": reliefe.rank,
    "pct": forest.Tree,  # of one tree: an ensemble adds up what trees of drawn rows say
    "boostedrelief": boosted.rank,
    "learnedrelief": boosted.rank,
    "boostedlearnedrelief": boosted.rank,
}
