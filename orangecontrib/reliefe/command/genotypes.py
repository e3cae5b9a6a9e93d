"""Files of genotypes on the command line: ``orange-reliefe rank study.bed --phenotype pheno.csv --best 1000``."""

# Nothing heavy is imported up here: --help should answer at once.
import argparse

from .endings import is_genotypes
from .terminal import check_path, shown_progress, write

OUTPUTS = (".csv", ".tsv", ".svg", ".bed")
N_SHOWN = 20


def add_genetics(parser: argparse.ArgumentParser) -> None:
    """Options for files of genotypes."""
    add = parser.add_argument_group(
        "genotypes", "for DATA that end in .bed (PLINK), .vcf, .vcf.gz, .bcf, .npy"
    ).add_argument
    add("--phenotype", metavar="FILE", help="table with the names of the people and a phenotype (default: the .fam)")
    add("--phenotype-column", metavar="NAME", help="column of that table, where it has several")
    add("--additive", action="store_true", help="compare genotypes as numbers 0, 1, 2 (default: equal or not)")
    add("--maf", metavar="X", type=float, default=0.01, help="least frequency of the rarer allele (default: 0.01)")
    add("--max-missing", metavar="X", type=float, default=0.05, help="largest share of unknown genotypes (0.05)")
    add("--hardy-weinberg", metavar="P", type=float, default=0.0, help="least p of this test (default: no test)")
    add(
        "--r2",
        metavar="X",
        type=float,
        default=1.0,
        help="largest r² with one of 50 variants before (default: no limit)",
    )
    components = "adjust for the first K principal components of the people (default: 0)"
    add("--components", metavar="K", type=int, default=0, help=components)
    test = "before ranking keep the N best by the score test beside covariates: for interactions (default: all)"
    add("--score-test", metavar="N", type=int, default=0, help=test)
    add("--resume", metavar="FILE", help="keep what is done in this file, and go on from it where it is there")
    add("--best", metavar="N", type=int, help="write the N best variants to --output (default: all)")


def is_genetic(arguments: argparse.Namespace) -> bool:
    """True where DATA is a file of genotypes."""
    return is_genotypes(str(arguments.data))


def rank_file(arguments: argparse.Namespace, parameters: dict[str, object]) -> None:
    """Rank the variants of a file, write what is asked for, and print the best; raises what `rank_genotypes` does."""
    outputs = [name for name in (arguments.output, arguments.plot) if name]
    for name in outputs:
        check_path(name, OUTPUTS)
    from ..genetics import Filters, rank_genotypes
    from ..genetics.manhattan import inflation

    if arguments.target:
        raise ValueError("the target of genotypes is --phenotype FILE with --phenotype-column NAME: leave --target out")
    filters = Filters(
        arguments.max_missing,
        maf=arguments.maf,
        hardy_weinberg=arguments.hardy_weinberg,
        r2=arguments.r2,
        score_test=arguments.score_test,
    )
    usual = "multisurf" if arguments.time else "relieff"
    method = usual if arguments.method == "auto" else arguments.method
    with shown_progress(arguments.quiet) as progress:
        found = rank_genotypes(
            arguments.data,
            arguments.phenotype,
            method,
            column=(arguments.time, arguments.event) if arguments.time else arguments.phenotype_column,
            covariates=arguments.covariate or None,
            groups=arguments.group,
            filters=filters,
            additive=arguments.additive,
            n_components=arguments.components,
            progress=progress,
            random_state=arguments.seed,
            n_jobs=arguments.jobs,
            significance=arguments.significance,
            resume=arguments.resume,
            **parameters,
        )
    for name in outputs:
        found.save(name, arguments.best)
    n, p = found.data.shape
    head = [f"{method}: {n:,} people, {p:,} variants, {found.ranking.info['summary']}", *found.left_out]
    if arguments.components or arguments.covariate or arguments.group:
        head += [*found.ranking.info["warnings"], *found.ranking.info["information"]]
    if found.ranking.significance:
        head.append(f"genomic inflation {inflation(found.ranking.significance.p)}")
    lines = [] if arguments.quiet else [*head, ""]
    v, tests = found.variants, found.ranking.significance.columns if found.ranking.significance else {}
    titles = ["rank", "variant", "chromosome", "position", "frequency", "score", *tests]
    lines.append("\t".join(titles))
    for place, f in enumerate(found.ranking.ranking[: arguments.top or N_SHOWN].tolist(), start=1):
        numbers = [found.frequency[f], found.ranking.scores[f], *(test[f] for test in tests.values())]
        facts = [str(place), str(v.name[f]), str(v.chromosome[f]), str(v.position[f])]
        lines.append("\t".join([*facts, *(f"{value:.4g}" for value in numbers)]))
    write("\n".join(lines) + "\n")
