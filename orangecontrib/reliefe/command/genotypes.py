"""Files of genotypes on the command line: ``orange-reliefe rank study.bed --phenotype pheno.csv --best 1000``.

`cli` adds the options by `add_genetics`, and calls `rank_file` for files that `is_genetic` recognises.
"""

# Heavy modules are imported in functions, so that --help answers at once.
import argparse
import os
from typing import TYPE_CHECKING, Any

from ..formats import GENOTYPES, endings_of
from .endings import REPORTS, is_genotypes
from .feature_groups import IMPORT, read_feature_groups
from .reading_options import given_reading, refuse_reading
from .terminal import N_SHOWN, check_outputs, check_path, shown_progress, tested_features

if TYPE_CHECKING:
    from ..core import Ranking
    from ..genetics import GenotypeRanking, Genotypes

TASKS = ("classification", "regression")
OUTPUTS = (".csv", ".tsv", ".json", ".svg", ".bed")


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
    add("--maf", metavar="X", type=float, default=0.01, help="least frequency of the rarer allele (default: 0.01)")
    add("--max-missing", metavar="X", type=float, default=0.05, help="largest share of unknown genotypes (0.05)")
    add("--hardy-weinberg", metavar="P", type=float, default=0.0, help="least p of this test (default: no test)")
    add(
        "--r2",
        metavar="X",
        type=float,
        default=1.0,
        help="largest squared correlation with one of 50 variants before (default: no limit)",
    )
    components = "adjust for the first K principal components of the people (default: 0)"
    add("--components", metavar="K", type=int, default=0, help=components)
    test = "before ranking keep the N best by the score test beside covariates: for interactions (default: all)"
    add("--score-test", metavar="N", type=int, default=0, help=test)
    add("--resume", metavar="FILE", help="keep finished parts in this file, and resume from it if it exists")
    add("--best", metavar="N", type=int, help="write the N best variants to --output (default: all)")


def is_genetic(arguments: argparse.Namespace) -> bool:
    """Return True if DATA is a file of genotypes."""
    return is_genotypes(str(arguments.data))


def rank_file(arguments: argparse.Namespace, parameters: dict[str, Any]) -> None:
    """Rank the variants of a file, write the files that the user asks for, and print the best variants.

    Parameters
    ----------
    arguments : Namespace
        Arguments of the command.
    parameters : dict
        Parameters of the method.

    Raises
    ------
    ValueError, TypeError
        As of `rank_genotypes`, and for options that do not apply.
    """
    outputs = [name for name in (arguments.output, arguments.plot) if name]
    for name in outputs:
        check_path(name, OUTPUTS)
    check_path(arguments.report, REPORTS)
    check_outputs(arguments, arguments.data)
    from ..genetics import Filters, rank_genotypes
    from ..genetics.ranking import rank_again
    from ..tabular import ReadingOptions
    from .adjustment import unadjusted_ranks

    refuse_reading(ReadingOptions(**given_reading(arguments)))
    if arguments.target:
        raise ValueError("the target of genotypes is --phenotype FILE with --phenotype-column NAME: leave --target out")
    filters = Filters(
        arguments.max_missing,
        maf=arguments.maf,
        hardy_weinberg=arguments.hardy_weinberg,
        r2=arguments.r2,
        score_test=arguments.score_test,
    )
    if arguments.task not in (*TASKS, None) and not arguments.time:
        raise ValueError(f"--task of genotypes is {' or '.join(TASKS)}, not {arguments.task}: leave it out")
    options: dict[str, Any] = {
        "column": (arguments.time, arguments.event) if arguments.time else arguments.phenotype_column,
        "event_value": arguments.event_value,
        "covariates": arguments.covariate or None,
        "groups": arguments.group,
        "task": None if arguments.time else arguments.task,
        "additive": arguments.additive,
        "dosages": arguments.dosages,
        "n_components": arguments.components,
        "random_state": arguments.seed,
        "significance": arguments.significance,
        "conditional": tested_features(arguments),
    }
    notes: list[str] = []
    with shown_progress(arguments.quiet) as progress:
        source, groups = _source(arguments, notes)
        how = {"progress": progress, "n_jobs": arguments.jobs}
        result = rank_genotypes(
            source,
            arguments.phenotype,
            arguments.method,
            filters=filters,
            resume=arguments.resume,
            feature_groups=groups,
            with_null_level=True,
            **how,
            **options,
            **parameters,
        )
        without = options | {"covariates": None, "n_components": 0, "significance": False, "conditional": False}
        facts = unadjusted_ranks(
            result,
            bool(arguments.covariate or arguments.components),
            lambda: rank_again(result, arguments.phenotype, **how, **without, **parameters),
            notes,
        )
    limits = {} if filters == Filters() else {"filters": filters}
    _show(arguments, result, outputs, {**options, **limits}, notes, facts)


def _source(arguments: argparse.Namespace, notes: list[str]) -> "tuple[str | Genotypes, dict[str, list[str]] | None]":
    """DATA, and names of the variants of each group of --feature-groups, for which DATA is read first."""
    if not arguments.feature_groups:
        return arguments.data, None
    from ..core import find_method
    from ..core.methods.grouped import check_takes_groups
    from ..genetics import read_genotypes

    method = find_method(arguments.method, "auto")
    if method is not None:
        check_takes_groups(method)
    data = read_genotypes(arguments.data, arguments.additive, dosages=arguments.dosages)
    return data, read_feature_groups(arguments.feature_groups, data.variants.name.tolist(), notes=notes)


def _show(
    arguments: argparse.Namespace,
    result: "GenotypeRanking",
    outputs: list[str],
    options: dict[str, Any],
    notes: list[str],
    columns: dict[str, list[int]],
) -> None:
    """Write the files that are asked for, and print the best.

    Parameters
    ----------
    arguments : Namespace
        Arguments of the command.
    result : GenotypeRanking
        The ranking.
    outputs : list of str
        Paths of the files.
    options : dict
        Options of `rank_genotypes` for a script.
    notes : list of str
        Sentences on groups of variants and on the adjustment.
    columns : dict
        Further columns for the list, by their titles.
    """
    from ..genetics.chance_level import advice_on_pairs
    from ..genetics.manhattan import inflation
    from ..genetics.phenotype_names import describe_phenotype
    from ..genetics.report_values import values_of_variants
    from .listing import Listing

    for name in outputs:
        if not name.lower().endswith(".json"):
            result.save(name, arguments.best)
    n, p = result.data.shape
    advice = advice_on_pairs(n, p, result.method)
    notes = [*result.left_out, *notes, *result.info["information"], *filter(None, [advice.text])]
    if result.single_variants is not None:
        notes.append(f"genomic inflation of tests of single variants: {inflation(result.single_variants)}")
    facts = {"chromosome": [*map(str, result.scored.chromosome)], "position": result.scored.position.tolist()}
    if result.ranks_groups:
        facts["variants"] = [*map(len, result.info["members"])]
    else:
        facts["frequency"] = result.frequency.tolist()
    facts |= columns
    name = os.path.basename(arguments.data)
    names = result.info.get("target") or ["phenotype"]
    target = describe_phenotype(names, result.phenotype)
    digest = f"{name}: {n:,} people, {p:,} variants, {target}"
    listing = Listing(
        result,
        name,
        digest,
        names,
        notes,
        facts,
        target,
        features=result.variants.name.tolist(),
        conclusion=result.conclusion,
        values=lambda: values_of_variants(result, result.data, result.phenotype),
        pictures=[("Manhattan plot", result.manhattan_plot(with_title=False))],
        noun=result.noun,
    )
    for name in outputs:
        if name.lower().endswith(".json"):
            listing.save(name)
    listing.show(arguments, lambda: _script(arguments, result, options))


def _script(arguments: argparse.Namespace, ranking: "Ranking", options: dict[str, Any]) -> str:
    """Lines of Python that compute the ranking; options: those of `rank_genotypes`."""
    from .listing import script

    imports = f"from orangecontrib.reliefe.genetics import {'Filters, ' * ('filters' in options)}rank_genotypes"
    call = f"rank_genotypes(data, {arguments.phenotype!r}"
    best = f"ranking.best({arguments.top or N_SHOWN})"
    data = f"data = {arguments.data!r}"
    more = ""
    if arguments.feature_groups:
        imports += f", read_genotypes\n{IMPORT}"
        data = f"data = read_genotypes({arguments.data!r}, {arguments.additive}, dosages={arguments.dosages})"
        groups = f"read_feature_groups({arguments.feature_groups!r}, data.variants.name.tolist())"
        more = f", feature_groups={groups}"
    return script(ranking, data, best, imports=imports, call=call, more=more, **options)
