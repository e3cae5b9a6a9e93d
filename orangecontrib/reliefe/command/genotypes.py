"""Files of genotypes on the command line: ``orange-reliefe rank study.bed --phenotype pheno.csv --best 1000``.

`cli` adds the options by `add_genetics`, and `data_of` chooses `GenotypeData` for files with genotypes.
"""

# Heavy modules are imported in functions, so that --help answers at once.
import argparse
import os
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from ..formats import GENOTYPES, endings_of
from .data import CommandData
from .feature_groups import IMPORT, read_feature_groups
from .reading_options import given_reading, refuse_reading
from .terminal import tested_features

if TYPE_CHECKING:
    from ..core import Ranking
    from ..genetics import Filters, GenotypeRanking, Genotypes
    from ..genetics.description import GenotypeDescription
    from .listing import Listing

# Options of filters and the fields of `Filters` that they set; without them the defaults of `Filters` hold
LIMITS = {
    "max_missing": "missing",
    "maf": "maf",
    "hardy_weinberg": "hardy_weinberg",
    "r2": "r2",
    "score_test": "score_test",
}
PHENOTYPE_TASKS = ("classification", "regression")
GENOTYPE_OUTPUTS = (".csv", ".tsv", ".json", ".svg", ".bed")


def add_genetics(parser: argparse.ArgumentParser) -> None:
    """Add options for files of genotypes."""
    example = "Example: orange-reliefe rank study.bed --phenotype people.csv --maf 0.05"
    about = f"for DATA that end in {', '.join(endings_of(GENOTYPES))}. {example}"
    add = parser.add_argument_group("genotypes", about).add_argument
    phenotype = "table with the names of the people and a phenotype (default: the .fam, .psam or .sample)"
    add("--phenotype", metavar="FILE", help=phenotype)
    add("--phenotype-column", metavar="NAME", help="column of that table, where it has several")
    add("--additive", action="store_true", help="compare genotypes as numbers 0, 1, 2 (default: equal or not)")
    add("--dosages", action="store_true", help="rank dosages of a VCF (DS), .pgen or .bgen as numbers")
    add("--maf", metavar="X", type=float, help="least frequency of the rarer allele (default: 0.01)")
    add("--max-missing", metavar="X", type=float, help="largest share of unknown genotypes (default: 0.05)")
    add("--hardy-weinberg", metavar="P", type=float, help="least p of this test (default: no test)")
    add(
        "--r2",
        metavar="X",
        type=float,
        help="largest squared correlation with one of 50 variants before (default: no limit)",
    )
    components = "adjust for the first K principal components of the people (default: 0)"
    add("--components", metavar="K", type=int, help=components)
    test = "before ranking keep the N best by the score test beside covariates: for interactions (default: all)"
    add("--score-test", metavar="N", type=int, help=test)
    add("--resume", metavar="FILE", help="keep finished parts in this file, and resume from it if it exists")
    add("--best", metavar="N", type=int, help="write the N best variants to --output (default: all)")


class GenotypeData(CommandData):
    """Genotypes of people in a file, and their phenotype in it or in a table.

    Attributes
    ----------
    source : str or Genotypes
        The file, or genotypes that are read because variants have groups, from `read_source`.
    groups : dict of lists or None
        Names of variants by their group, from `read_source`.
    """

    source: "str | Genotypes"
    groups: dict[str, list[str]] | None

    plots = GENOTYPE_OUTPUTS

    def output_endings(self) -> Sequence[str]:
        """Override CommandData.output_endings."""
        return GENOTYPE_OUTPUTS

    @property
    def is_adjusted(self) -> bool:
        """Override CommandData.is_adjusted: principal components are covariates, too."""
        return bool(self.arguments.covariate or self.arguments.components)

    def check(self) -> None:
        """Override CommandData.check."""
        arguments = self.arguments
        if arguments.keep:
            raise ValueError("--keep is for tables and arrays: leave it out")
        if not isinstance(tested_features(arguments), bool):
            raise ValueError("--conditional tests the discoveries of genotypes: leave NAME out")
        self.check_reading()
        if arguments.task not in (*PHENOTYPE_TASKS, None) and not arguments.time:
            raise ValueError(
                f"--task of genotypes is {' or '.join(PHENOTYPE_TASKS)}, not {arguments.task}: leave it out"
            )

    def check_reading(self) -> None:
        """Raise ValueError for options of tables."""
        from ..tabular import ReadingOptions

        refuse_reading(ReadingOptions(**given_reading(self.arguments)))
        if self.arguments.target:
            raise ValueError(
                "the target of genotypes is --phenotype FILE with --phenotype-column NAME: leave --target out"
            )

    @property
    def column(self) -> str | tuple[str, str] | None:
        """Column of the phenotype, or those of times and events; None: the only one."""
        arguments = self.arguments
        return (arguments.time, arguments.event) if arguments.time else arguments.phenotype_column

    def read_source(self) -> None:
        """Override CommandData.read_source: a file is read as it is ranked, and before that if variants have groups."""
        self.source = self.arguments.data
        self.groups = None
        if not self.arguments.feature_groups:
            return
        from ..core import find_method
        from ..core.methods.grouped import check_takes_groups
        from ..genetics import read_genotypes

        method = find_method(self.method, "auto")
        if method is not None:
            check_takes_groups(method)
        data = read_genotypes(self.arguments.data, self.arguments.additive, dosages=self.arguments.dosages)
        names = data.variants.name.tolist()
        self.groups = read_feature_groups(self.arguments.feature_groups, names, notes=self.notes)
        self.source = data

    def assign_roles(self) -> None:
        """Override CommandData.assign_roles: `rank_genotypes` reads phenotypes, covariates and groups."""

    def options(self) -> dict[str, Any]:
        """Override CommandData.options: arguments of `rank_genotypes` but for the filters."""
        arguments = self.arguments
        return {
            "column": self.column,
            "event_value": arguments.event_value,
            "covariates": arguments.covariate or None,
            "groups": arguments.group,
            "task": None if arguments.time else arguments.task,
            "additive": arguments.additive,
            "dosages": arguments.dosages,
            "n_components": arguments.components or 0,
            "random_state": arguments.seed,
            "significance": arguments.significance,
            "conditional": tested_features(arguments),
        }

    def filters(self) -> "Filters":
        """Return the limits of the variants that are ranked."""
        from ..genetics import Filters

        given_limits = {
            name: value for option, name in LIMITS.items() if (value := getattr(self.arguments, option)) is not None
        }
        return Filters(**given_limits)

    def rank(self, run_options: Mapping[str, Any]) -> "GenotypeRanking":
        """Override CommandData.rank."""
        from ..genetics import rank_genotypes

        return rank_genotypes(
            self.source,
            self.arguments.phenotype,
            self.method,
            filters=self.filters(),
            resume=self.arguments.resume,
            feature_groups=self.groups,
            with_null_level=True,
            **run_options,
            **self.options(),
            **self.parameters,
        )

    def rank_unadjusted(self, ranking: Any, run_options: Mapping[str, Any]) -> "Ranking":
        """Override CommandData.rank_unadjusted: without principal components, too."""
        from ..genetics.ranking import rank_again

        without = {"covariates": None, "n_components": 0, "significance": False, "conditional": False}
        return rank_again(
            ranking, self.arguments.phenotype, **run_options, **{**self.options(), **without}, **self.parameters
        )

    def listing(self, ranking: Any, further_columns: dict[str, list[int]]) -> "Listing":
        """Override CommandData.listing: variants have places and frequencies."""
        from ..genetics.chance_level import advice_on_pairs
        from ..genetics.manhattan import inflation
        from ..genetics.phenotype_names import describe_phenotype
        from ..genetics.report_values import values_of_variants
        from .listing import Listing

        n, p = ranking.data.shape
        advice = advice_on_pairs(n, p, ranking.method)
        notes = [*ranking.left_out, *self.notes, *ranking.info["information"], *filter(None, [advice.text])]
        if ranking.single_variants is not None:
            notes.append(f"genomic inflation of tests of single variants: {inflation(ranking.single_variants)}")
        name = os.path.basename(self.arguments.data)
        names = ranking.info.get("target") or ["phenotype"]
        target = describe_phenotype(names, ranking.phenotype)
        return Listing(
            ranking,
            name,
            f"{name}: {n:,} people, {p:,} variants, {target}",
            names,
            notes,
            ranking.item_facts | further_columns,
            target,
            features=ranking.variants.name.tolist(),
            values=lambda: values_of_variants(ranking, ranking.data, ranking.phenotype),
            pictures=[("Manhattan plot", ranking.manhattan_plot(with_title=False))],
            noun=ranking.noun,
        )

    def write(self, listing: "Listing") -> None:
        """Override CommandData.write: each of both files may have scores, a Manhattan plot, or the best variants."""
        ranking: Any = listing.ranking
        for name in filter(None, (self.arguments.output, self.arguments.plot)):
            if name.lower().endswith(".json"):
                listing.save(name)
            else:
                ranking.save(name, self.arguments.best)

    def script(self, ranking: "Ranking") -> str:
        """Override CommandData.script."""
        from ..genetics import Filters
        from .listing import script

        arguments = self.arguments
        filters = self.filters()
        limits = {} if filters == Filters() else {"filters": filters}
        imports = f"from orangecontrib.reliefe.genetics import {'Filters, ' * bool(limits)}rank_genotypes"
        data = f"data = {arguments.data!r}"
        more = ""
        if arguments.feature_groups:
            imports += f", read_genotypes\n{IMPORT}"
            data = f"data = read_genotypes({arguments.data!r}, {arguments.additive}, dosages={arguments.dosages})"
            groups = f"read_feature_groups({arguments.feature_groups!r}, data.variants.name.tolist())"
            more = f", feature_groups={groups}"
        call = f"rank_genotypes(data, {arguments.phenotype!r}"
        options = self.options() | limits
        return script(ranking, data, self.best_expression, imports=imports, call=call, more=more, **options)

    def describe(self) -> "GenotypeDescription":
        """Override CommandData.describe: take a first look at the file."""
        from ..genetics import describe_genotypes

        arguments = self.arguments
        return describe_genotypes(
            arguments.data,
            arguments.phenotype,
            self.column,
            task=None if arguments.time else arguments.task,
            event_value=arguments.event_value,
            dosages=arguments.dosages,
        )
