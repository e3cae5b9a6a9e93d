"""Script in Python that repeats a ranking of a table and its selection."""

from collections.abc import Sequence

import numpy as np
from Orange.data import Table

from ...command.listing import TABLE, script
from ...core.conclusion import LEVEL
from ...core.inference.conditional import tested_by_default
from ...core.pages.feature_table import CONDITIONAL, VALIDITY
from ..jobs.job import Job
from ..origin import origin_of
from ..problem import SURVIVAL
from ..ranking import TableRanking
from ..targets import EVENT_VALUE, are_times
from .selection import FDR, FROM, MANUAL, SelectionRule

PRINT_CONDITIONAL = (
    f"adding = ranking.to_frame()[['feature', {CONDITIONAL!r}, {VALIDITY!r}]]\n"
    f"print(adding[adding[{VALIDITY!r}] != ''].to_string(index=False))\n"
)


def repeating_script(
    table: Table, ranking: TableRanking, job: Job, rule: SelectionRule, selected: Sequence[str]
) -> str:
    """Lines of Python that rank a table again and print the selection.

    table: as it came, before columns were left out.
    ranking: of that table by the job, with p-values if there are any; conditional ones are computed and printed again.
    rule: by which features are selected; `keep` are those of its names that the ranking knows.
    selected: names of the features that are selected now.
    """
    origin = origin_of(table)
    reads = origin.python if origin else f"Table({getattr(table, '__file__', None) or table.name!r})"
    data = f"table = {reads}"
    used = {variable.name for variable in (*ranking.features, *ranking.targets)} | {*job.covariates, job.group}
    unused = [variable.name for variable in table.domain.attributes if variable.name not in used]
    if unused:
        data += (
            f"\ntable = table[:, [v for v in table.domain.variables + table.domain.metas if v.name not in {unused}]]"
        )
    targets = [variable.name for variable in ranking.targets]
    if targets == [variable.name for variable in table.domain.class_vars]:
        targets = None  # the usual ones
    options = job.study | {"keep": _kept_features(ranking, rule) or None, "target": targets}
    if are_times(ranking.targets) and (origin is not None or not are_times(table.domain.class_vars)):
        time, event = ranking.targets
        options |= {
            "target": [time.name, event.name],
            "task": SURVIVAL,
            "event_value": event.attributes.get(EVENT_VALUE),
        }
    if rule.mode == FDR or _goes_by_z(ranking):
        options["significance"] = True
    elif options["covariates"] and not job.adjusted:
        options["covariates"] = None  # they would change nothing
    tested = _tested_features(ranking)
    if tested is not None:
        options |= {"covariates": job.study["covariates"], "significance": True, "conditional": tested}
    imports = "from orangecontrib.reliefe import rank, read_table" if origin else TABLE
    lines = script(ranking, data, _selection(ranking, rule, selected), imports=imports, **options)
    return lines if tested is None else lines + PRINT_CONDITIONAL


def _goes_by_z(ranking: TableRanking) -> bool:
    """True if p-values decide on the order, as they do for groups of features."""
    return ranking.ranks_groups and ranking.significance is not None


def _tested_features(ranking: TableRanking) -> bool | list[str] | None:
    """Names of the features with conditional p-values; True for the default ones; None if there are none."""
    significance = ranking.significance
    if significance is None or significance.given_others is None:
        return None
    tested = significance.given_others.features
    if np.array_equal(tested, tested_by_default(significance.discoveries(LEVEL), len(significance.p))):
        return True
    return [ranking.features[feature].name for feature in tested]


def _kept_features(ranking: TableRanking, rule: SelectionRule) -> list[str]:
    """Names of the features that are always selected: those of the groups that the rule names."""
    names = ranking.names or [feature.name for feature in ranking.features]
    items = [item for item, name in enumerate(names) if name in rule.keep]
    return [ranking.features[j].name for j in ranking.features_of(items)]


def _selection(ranking: TableRanking, rule: SelectionRule, selected: Sequence[str]) -> str:
    """Expression for the selected features, or for their names."""
    if rule.mode == MANUAL:
        return repr([*selected])
    if rule.mode == FROM and (ranking.ranks_groups or not rule.folded):
        above = f"ranking.above({rule.threshold!r})"
        if ranking.ranks_groups:
            above = f"ranking.features_of({above})"
        return f"[ranking.features[j] for j in {above}]"
    is_folded = rule.folded and not ranking.ranks_groups
    if rule.mode != FDR:
        return f"ranking.best({len(selected)}{', groups=True' * is_folded})"
    discoveries = f"ranking.significance.discoveries({rule.level})"
    if rule.keep:
        discoveries = f"{{*{discoveries}, *ranking.kept}}"
    if ranking.ranks_groups:
        discoveries = f"ranking.features_of({discoveries})"
    features = f"[ranking.features[j] for j in {discoveries}]"
    if not is_folded:
        return features
    groups = f"ranking.best({len(ranking.features)}, groups=True)"
    return f"sorted({{*{features}}} & {{*{groups}}}, key=str)"
