"""Rankings of variants, with their positions and alleles, and the people whose phenotype they were ranked for.

`rank_genotypes` makes a `GenotypeRanking`, and *Rank Genotypes* one to save it.
"""

import os
from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from functools import cached_property
from typing import Any

import numpy as np

from ..core import NullLevel, Ranking
from ..core.conclusion import BY_ARGUMENT, AboveNull, conclude
from ..core.files import replacing
from ..core.pages.rendering import check_ending
from ..core.ranked_data import RankedData
from ..core.report.page import ReportData, write_page
from ..core.result import MAX_BARS, NotebookDrawing
from ..core.targets.tasks import SURVIVAL
from ..core.words import GROUP, VARIANT, counted, shortened
from .genotypes import Genotypes, Variants, write_bed
from .manhattan import manhattan
from .phenotype_names import describe_phenotype, task_of_phenotype
from .report_values import values_of_variants
from .variant_groups import facts_of_groups

MANHATTAN = "manhattan"  # kind of figure
UNKNOWN_PHENOTYPE = "-9"  # in a .fam
FACTS = ("chromosome", "position", "frequency", "variants")  # columns of items that reports and listings have
BEST_SHOWN = 3  # variants that the short form of a ranking names
MIN_DRAWN_P = 1e-300  # whose logarithm is drawn for p = 0


@dataclass(frozen=True, kw_only=True, eq=False, repr=False)
class GenotypeRanking(Ranking):
    """A ranking of variants, or of their groups, for example genes: the `Ranking` of the core, with genotypes.

    Attributes
    ----------
    data : Genotypes (n, p)
        Genotypes of the ranked people and variants.
    phenotype : (n,) array
        Phenotypes of the people.
    frequency : (p,) float64 array
        Frequencies of the rarer alleles.
    left_out : tuple of str
        Sentences on how files were read, and on how many people and variants were left out for which reason.
    single_variants : (p,) float64 array, optional
        p-values of `single_variant_tests`. None if the ranking has no p-values.
    null : NullLevel, optional
        Largest score that permuted phenotypes give, if it was asked for and quick.
    study : mapping of str to object
        Further arguments of `core.rank` for these people: covariates, groups, task ... Empty if they are not known.
    """

    data: Genotypes
    phenotype: np.ndarray
    frequency: np.ndarray
    left_out: tuple[str, ...] = ()
    single_variants: np.ndarray | None = None
    null: NullLevel | None = None
    study: Mapping[str, Any] = field(default_factory=dict)

    @classmethod
    def of(cls, ranking: Ranking, **content: Any) -> "GenotypeRanking":
        """Add genotypes to a ranking; content: the attributes that are listed here."""
        return cls(**{field.name: getattr(ranking, field.name) for field in fields(ranking)}, **content)

    def __repr__(self) -> str:
        names = [shortened(name) for name in self.best(BEST_SHOWN)]
        if len(self.scores) > len(names):
            names.append("...")
        n, p = self.data.shape
        by = f"{self.title} {self.aim.purpose}"
        title = f"{by}, {counted(n, 'person', 'people')}, {counted(p, 'variant')}"
        groups = f" in {counted(len(self.scores), 'group')}" if self.ranks_groups else ""
        return f"{type(self).__name__}({title}{groups}: {', '.join(names)})"

    @property
    def noun(self) -> str:
        """Overrides `Ranking.noun`: variant or group."""
        return GROUP if self.ranks_groups else VARIANT

    @property
    def conclusion(self) -> str:
        """Overrides `Ranking.conclusion`: without p-values it is by the null level, if there is one."""
        null = None if self.null is None else AboveNull.of(self.null, self.scores)
        n_items = len(self.scores)
        return conclude(self.aim, n_items, self.noun, significance=self.significance, null=null, how=BY_ARGUMENT)

    @property
    def variants(self) -> Variants:
        """Facts about the variants."""
        return self.data.variants

    @cached_property
    def scored(self) -> Variants:
        """Facts about the variants, or about their groups where these have scores, see `facts_of_groups`."""
        if not self.ranks_groups:
            return self.variants
        return facts_of_groups(self.variants, self.names or (), self.info["members"])

    @property
    def ranked_data(self) -> RankedData:
        """Overrides `Ranking.ranked_data`: genotypes and phenotypes, which stay with the ranking."""
        return RankedData(self.data.ranked, self.phenotype, dict(self.study))

    def select(self, n: int) -> Genotypes:
        """Return the genotypes of the n best variants, or groups, and of those that are always selected.

        Parameters
        ----------
        n : int
            Number of variants, or of groups.

        Returns
        -------
        Genotypes
            All people, and the selected variants in the order of their file.
        """
        return self.data.columns(np.sort(self.features_of(self.best_items(n))))

    def report(self, path: str | os.PathLike[str]) -> None:  # type: ignore[override]
        """Write a report: one web page, without network access, that can be sent to a colleague.

        Parameters
        ----------
        path : str or PathLike
            File to write, .html or .htm; an existing file is replaced.

        Raises
        ------
        ValueError
            If the name has another ending.
        """
        check_ending(path)
        page = ReportData(
            names=[str(name) for name in self.scored.name],
            target=describe_phenotype(self.info.get("target") or ["phenotype"], self.phenotype),
            notes=self.left_out,
            values=values_of_variants(self, self.data, self.phenotype),
            features=self.variants.name.tolist(),
            facts=self.item_facts,
            conclusion=self.conclusion,
            pictures=[("Manhattan plot", self.manhattan_plot(with_title=False))],
            noun=self.noun,
        )
        write_page(self, page, path)

    @property
    def endings(self) -> tuple[str, ...]:
        """Overrides `Ranking.endings`: genotypes can be written, too."""
        return *super().endings, ".bed"

    def save(self, path: str | os.PathLike[str], n: int | None = None) -> None:
        """Write the best variants, or groups, to a file.

        Parameters
        ----------
        path : str or PathLike
            File to write. Its ending is .csv or .tsv for facts and scores, .svg for a Manhattan plot of all variants,
            .html for the report. For genotypes it is .bed, and .bim and .fam are written beside it.
        n : int, optional
            Number of variants, or of groups, as in `select`. None: all.

        Raises
        ------
        ValueError
            If the path has another ending.
        """
        name = os.fspath(path)
        ending = os.path.splitext(name)[1].lower()
        if ending == ".bed":
            is_times = task_of_phenotype(self.phenotype) == SURVIVAL  # times with events, which a .fam cannot store
            phenotype = np.full(len(self.phenotype), UNKNOWN_PHENOTYPE) if is_times else self.phenotype
            write_bed(name, self.select(len(self.scores) if n is None else n), phenotype)
        elif ending == ".svg":
            with replacing(name) as new_path, open(new_path, "w", encoding="utf-8") as file:
                file.write(self.manhattan_plot())
        else:
            super().save(name, n)

    def plot(self, n: int = MAX_BARS, *, kind: str = MANHATTAN, other: Ranking | None = None, ax: Any = None) -> Any:
        """Draw a figure as `Ranking.plot` does; "manhattan" is an SVG of all variants along the chromosomes.

        Parameters
        ----------
        n, other, ax
            As of `Ranking.plot`.
        kind : str
            "manhattan", or a kind of `Ranking.plot`.
        """
        if kind == MANHATTAN:
            return NotebookDrawing(self.manhattan_plot())
        return super().plot(n, kind=kind, other=other, ax=ax)

    def manhattan_plot(self, with_title: bool = True) -> str:
        """Manhattan plot of all scores as the text of an SVG; with p-values, of -log10 p."""
        test = self.significance
        values = self.scores if test is None else -np.log10(np.maximum(test.p, MIN_DRAWN_P))
        label = "score" if test is None else "-log10 p"
        heading = f"{self.title}, {counted(len(self.scored), self.noun)}" if with_title else ""
        return manhattan(heading, label, self.scored, values)

    @property
    def item_facts(self) -> dict[str, list[Any]]:
        """Columns (p,) of reports and listings by their titles: places of variants or groups, frequencies or sizes."""
        columns = self._item_columns()
        return {title: columns[title].tolist() for title in FACTS if title in columns}

    @property
    def _sizes(self) -> np.ndarray:
        """Number of variants in each group."""
        return np.array([*map(len, self.info["members"])])

    def _item_columns(self) -> dict[str, np.ndarray]:
        """Overrides `Ranking._item_columns`: facts about the variants, or about their groups."""
        facts = self.scored
        if self.ranks_groups:
            return {
                GROUP: facts.name,
                "chromosome": facts.chromosome,
                "position": facts.position,
                "variants": self._sizes,
            }
        return {
            VARIANT: facts.name,
            "chromosome": facts.chromosome,
            "position": facts.position,
            "counted allele": facts.counted,
            "other allele": facts.other,
            "frequency": self.frequency,
        }
