"""Script in Python that repeats a ranking and its selection."""

from .selection import FDR, FROM, MANUAL


def script_of(ranker) -> str:
    """Lines of Python that rank the data again and print the selection; empty without a finished ranking."""
    job, lead = ranker.lead_job(), ranker.area.lead
    if job is None or not job.own or not ranker.result.is_final(ranker.panel.job(lead.name)):
        return ""
    from ...command.listing import script

    ranking, domain = ranker.result.rankings[ranker.panel.job(lead.name)], ranker.given.domain
    data = f"table = Table({getattr(ranker.given, '__file__', None) or ranker.given.name!r})"
    used = {v.name for v in (*ranking.features, *ranking.targets)} | {*job.covariates, job.group}
    gone = [v.name for v in domain.attributes if v.name not in used]
    if gone:
        data += f"\ntable = table[:, [v for v in table.domain.variables + table.domain.metas if v.name not in {gone}]]"
    own_targets = [v.name for v in domain.class_vars]
    targets = [v.name for v in ranking.targets]
    options = (
        job.study | {"keep": list(ranker.panel.keep) or None} | {"target": targets if targets != own_targets else None}
    )
    folded = ranker.area.model.groups is not None
    best = f"ranking.best({int(ranker.area.model.selected.sum())}{', groups=True' * folded})"
    chosen = ranker.area.selected_names()
    if ranker.mode == FROM and not folded:
        best = f"[ranking.features[j] for j in ranking.above({ranker.threshold!r})]"
    elif ranker.mode == FDR:
        options["significance"] = True
        discovered = f"ranking.significance.discoveries({ranker.fdr})"
        discovered = f"{{*{discovered}, *ranking.kept}}" if ranker.panel.keep else discovered
        best = f"[ranking.features[j] for j in {discovered}]"
        groups = f"ranking.best({len(ranking.features)}, groups=True)"
        best = f"sorted({{*{best}}} & {{*{groups}}}, key=str)" if folded else best
    elif ranker.mode == MANUAL:
        best = repr(chosen)
    if options["covariates"] and not (job.adjusted or options.get("significance")):
        options["covariates"] = None
    return script(ranking, data, best, **options)
