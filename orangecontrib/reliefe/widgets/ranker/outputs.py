"""Outputs of a ranker, made from its state: tables, and the tools that repeat the selection elsewhere."""

from collections import Counter
from collections.abc import Collection, Sequence

import numpy as np
from Orange.data import ContinuousVariable, Domain, StringVariable, Table, Variable
from Orange.data.util import get_unique_names
from Orange.preprocess import SelectBestFeatures
from Orange.preprocess.preprocess import Preprocess, PreprocessorList
from Orange.preprocess.score import Scorer
from Orange.widgets.utils.signals import LazyValue, lazy_table_transform
from Orange.widgets.widget import AttributeList

from ...orange.ranker.scores import Scores
from ..table.model import Column
from ..utils.jobs import Job
from ..utils.task import RUNNING
from .measures import kind_of, lead_facts
from .pvalues import KeepDiscoveries
from .selection import ALL, BEST, FDR, FROM, MANUAL, SHARE, reaching, share_count

SELECTED = "selected"  # attribute of a variable
REPORTED = 100  # rows of the table in a report


class KeepFeatures(Preprocess):
    """Leaves out all features but those with the given names; targets and metas stay, and columns of a study become
    metas."""

    def __init__(self, names: Sequence[str], study: Sequence[str] = ()):
        self.names, self.study = tuple(names), tuple(study)

    def __call__(self, data: Table) -> Table:
        names, domain = set(self.names), data.domain
        metas = *domain.metas, *(v for v in domain.attributes if v.name in self.study)
        return data.transform(Domain([v for v in domain.attributes if v.name in names], domain.class_vars, metas))


class KeepSelected(Preprocess):
    """Keeps the features that the scores of a job select, and those that are always selected.

    Of groups of alike features, if these are folded, the best one counts.
    """

    def __init__(
        self,
        job: Job,
        mode: str,
        n: int,
        threshold: float,
        share: float,
        level: float,
        folded: bool,
        keep: Sequence[str],
    ):
        self.job, self.mode, self.n, self.threshold, self.share, self.level = job, mode, n, threshold, share, level
        self.folded, self.keep = folded, tuple(keep)

    def __call__(self, data: Table) -> Table:
        ranking = self.job.rank(data, lambda share: None)
        names = [variable.name for variable in ranking.features]
        best = set(names)
        if self.folded:
            best = {variable.name for variable in ranking.best(len(names), groups=True)}
        if self.mode == ALL:
            chosen = best
        elif self.mode == FDR:
            chosen = {variable.name for variable in KeepDiscoveries(self.job, self.level)(data).domain.attributes}
        else:
            n = {BEST: self.n, SHARE: share_count(self.share, len(best))}.get(self.mode)
            first, keep = (np.array([name in subset for name in names]) for subset in (best, self.keep))
            mask = reaching(Scores("", ranking.scores), n, self.threshold, first, keep)
            chosen = {name for name, selected in zip(names, mask, strict=True) if selected}
        return KeepFeatures((*(best & chosen), *self.keep))(data)


def reduced_table(data: Table, chosen: Sequence[Variable], metas: Sequence[Variable] = ()) -> Table | None:
    """`data` with the chosen features, all of its targets and metas, and further ones; None without any feature."""
    if not chosen:
        return None
    domain = data.domain
    return data.transform(Domain(chosen, domain.class_vars, tuple(dict.fromkeys((*domain.metas, *metas)))))


def remaining_domain(data: Table, chosen: Sequence[Variable]) -> Domain:
    """The domain of `data` without the chosen features; all targets and metas stay."""
    left_out, domain = set(chosen), data.domain
    return Domain([v for v in domain.attributes if v not in left_out], domain.class_vars, domain.metas)


def marked_table(data: Table, names: Sequence[str], selected: Collection[str], columns: Sequence[Scores]) -> Table:
    """`data` with what was found written into the attributes of its features: "selected", and each finite score.

    names: of the features that were ranked.  Rows and values are the same, and the variables of `data` stay as they
    are; marks of an earlier selection are replaced.
    """
    places, selected, domain, marked = {name: f for f, name in enumerate(names)}, set(selected), data.domain, []
    for variable in domain.attributes:
        copy, place = variable.copy(), places.get(variable.name)
        copy.attributes.pop(SELECTED, None)
        if place is not None:
            scores = {each.title: float(each.values[place]) for each in columns}
            copy.attributes |= {title: score for title, score in scores.items() if np.isfinite(score)}
        if variable.name in selected:
            copy.attributes[SELECTED] = True
        marked.append(copy)
    table = data[:]  # a conversion would look at each feature, and make sparse data dense
    table.domain = Domain(marked, domain.class_vars, domain.metas)
    return table


def scores_table(
    names: Sequence[str], columns: Sequence[Scores], attributes: Sequence[Column] = (), lead: Scores | None = None
) -> Table | None:
    """A row for each feature, a column for each method (and for each of its labels); None without scores.

    attributes: of the features, as metas, behind z, p, q and the kind of the leading score if these are known.
    """
    from ...orange.ranking import scores_table as table_of

    values = {}
    for scores in columns:
        values[scores.title] = scores.values
        values |= {f"{scores.title} ({label})": own for label, own in scores.each}
    tested = lead is not None and lead.significance is not None
    tests, kinds = (lead.significance.columns, kind_of(lead.significance, lead.level)) if tested else ({}, ())
    return with_texts(table_of(names, values, tests), [*kinds, *attributes]) if columns else None


def with_texts(table: Table, attributes: Sequence[Column]) -> Table:
    """A table of scores with attributes of the features as further metas, under names that are not taken."""
    from ...orange.ranking import FACT

    domain, metas = table.domain, list(table.domain.metas)
    for attribute in attributes:
        taken = [variable.name for variable in (*domain.variables, *metas)]
        of_numbers = isinstance(attribute.values, np.ndarray)
        kind = ContinuousVariable if of_numbers else StringVariable
        metas.append(kind(get_unique_names(taken, attribute.title)))
        metas[-1].attributes |= {FACT: "yes"} if of_numbers else {}
    texts = np.array([*table.metas.T, *(attribute.values for attribute in attributes)], dtype=object).T
    described = Table.from_numpy(Domain(domain.attributes, metas=metas), table.X, metas=texts)
    described.name = table.name
    return described


def preprocessor_of(
    job: Job,
    mode: str,
    n: int,
    threshold: float,
    share: float,
    level: float,
    candidates: Sequence[str] | None,
    folded: bool,
    keep: Sequence[str],
    scorer: Scorer,
) -> PreprocessorList | None:
    """Preprocessor that repeats the selection on other data; None for a selection by hand, or of nothing."""
    if (folded and mode in (ALL, BEST, SHARE, FROM, FDR)) or (keep and mode in (BEST, SHARE, FROM, FDR)):
        select = KeepSelected(job, mode, n, threshold, share, level, folded, keep)
    elif mode in (BEST, SHARE):
        k = n if mode == BEST else share / 100
        select = SelectBestFeatures(method=scorer, k=k, threshold=np.nextafter(0, 1).item())  # above zero
    elif mode == FROM:
        # SelectBestFeatures takes a threshold of 0 for none
        select = SelectBestFeatures(method=scorer, threshold=threshold or np.nextafter(0, -1).item())
    elif mode == FDR:
        select = KeepDiscoveries(job, level)
    else:
        return None
    study = *job.covariates, job.group
    return PreprocessorList([KeepFeatures(candidates, study), select] if candidates is not None else [select])


class Sender:
    """Sends what a ranker has, and the tables of features only if there are other ones; features: those sent last."""

    def __init__(self, ranker):
        self.ranker, self.features, self._tools = ranker, None, None

    def send(self) -> None:
        ranker = self.ranker
        area, data = ranker.area, ranker.data
        ranked = ranker.problem is not None and area.lead is not None
        features = ranker.problem.features if ranked else ()
        chosen = [v for v, take in zip(features, area.model.selected, strict=True) if take] if ranked else []
        now = ranked, tuple(variable.name for variable in chosen)
        if now != self.features:  # else all that follows would start again with each score
            self.features = now
            metas = ranker.problem.table.domain.metas if ranked else ()  # with those of a study
            ranker.Outputs.reduced.send(reduced_table(data, chosen, metas))
            ranker.Outputs.remaining.send(
                lazy_table_transform(remaining_domain(data, chosen), data) if ranked else None
            )
            ranker.Outputs.features.send(AttributeList(chosen) if chosen else None)
        names = area.model.names
        ready = [scores for scores in area.model.columns if not scores.partial or ranker.run_state != RUNNING]
        attributes = [*_groups(ranker), *area.model.attributes] if ranked else area.model.attributes
        ranker.Outputs.scores.send(scores_table(names, ready, attributes, area.lead if ranked else None))
        made = LazyValue[Table](lambda: marked_table(data, names, now[1], ready), length=len(data)) if ranked else None
        ranker.Outputs.marked.send(made)
        ranker.why.send()

    def send_tools(self) -> None:
        """Send scorer and preprocessor; again only if they change, since Test & Score starts again with each."""
        ranker = self.ranker
        job = self._leading_job()
        covariates, group = ranker.panel.study
        restricted = ranker.restriction is not None or covariates or group or ranker.left_out
        candidates = ranker.area.model.names if ranker.problem and restricted else None
        how = ranker.mode, ranker.n_best, ranker.threshold, ranker.share, ranker.fdr
        now = job, *how, candidates, ranker.fold_alike, tuple(ranker.keep)
        if now == self._tools:
            return
        self._tools = now
        scorer = job and job.scorer()
        ranker.Outputs.scorer.send(scorer)
        ranker.Outputs.preprocessor.send(scorer and preprocessor_of(*now, scorer))

    def _leading_job(self):
        """Job of the scorer: without data, the highlighted method comes first."""
        ranker = self.ranker
        usable = ranker.panel.active() or ranker.panel.ticked
        preferred = (ranker.leading, ranker.panel.current) if ranker.problem is None else (ranker.leading,)
        name = next((name for name in preferred if name in usable), ranker.panel.first(usable))
        return name and ranker.panel.job(name)


def groups_of(ranker) -> Sequence[str]:
    """Names (p,) of the best features of the groups by the leading score, empty for features that are alone; ()."""
    lead = ranker.area.lead
    return () if lead is None else ranker.result.groups.get(ranker.panel.job(lead.name), ())


def _groups(ranker) -> list[Column]:
    """Groups of alike features and their sizes, if there are any."""
    groups = groups_of(ranker)
    sizes = Counter(groups)
    sizes = np.array([float(sizes[group]) if group else 1.0 for group in groups])
    return [Column("group", "Group", groups), Column("size", "Group size", sizes)] if any(groups) else []


def write_report(ranker) -> None:
    """Report the data, the ranking, the selection, reasons if they are shown, and the plot; nothing without data."""
    if ranker.problem is None:
        return
    ranker.report_domain("Data", ranker.problem.table.domain)
    model = ranker.area.model
    folded = f" ({ranker.selection.group_label.text()})" if model.groups is not None else ""
    chosen = f"{int(model.selected.sum()):,} of {len(model.names):,} features{folded}"
    done = ("Ranking", ranker.area.strip.label.text()), ("Selected", chosen), *lead_facts(model)
    why = ranker.why.title, ranker.area.values.why.text() or None
    ranker.report_items((*ranker.report_items_of_data(), *done, why))  # without what is None
    if model.columns:
        ranker.report_table("Ranking", ranker.area.report_rows(REPORTED), header_rows=1)
        ranker.report_plot()


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
