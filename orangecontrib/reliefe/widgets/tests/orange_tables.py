"""Data of example workflows that are made of tables of Orange."""

from Orange.data import Table

KINDS = {
    "cell cycle": ("alpha", "Elu", "cdc15"),
    "sporulation": ("spo", "spo5", "spo-"),
    "stress": ("heat", "dtt", "cold"),
    "diauxic shift": ("diau",),
}


def yeast_experiments() -> str:
    """Orange's tab-separated text: 79 experiments on yeast, 186 genes, and the kind of each experiment."""
    genes = Table("brown-selected")
    kind_of = {word: kind for kind, words in KINDS.items() for word in words}
    names = [str(name) for name in genes.metas[:, 0]]
    rows = [["experiment", "kind", *names], ["s", " ".join(k.replace(" ", "\\ ") for k in KINDS), *["c"] * len(names)]]
    rows.append(["meta", "class", *[""] * len(names)])
    for experiment, values in zip(genes.domain.attributes, genes.X.T, strict=True):
        kind = kind_of[experiment.name.split()[0]]
        rows.append([experiment.name, kind, *("?" if value != value else f"{value:g}" for value in values)])
    return "".join("\t".join(row) + "\n" for row in rows)


def zoo_types() -> str:
    """The same of the zoo, with names as categories: clusterings then show the type before the name."""
    zoo = Table("zoo")
    variables = (*zoo.domain.metas, zoo.domain.class_var, *zoo.domain.attributes)
    kinds = ["d", "d", *["c" if variable.is_continuous else "d" for variable in zoo.domain.attributes]]
    rows = [[variable.name for variable in variables], kinds, ["meta", "class", *[""] * len(zoo.domain.attributes)]]
    rows += [[str(row[variable]) for variable in variables] for row in zoo]
    return "".join("\t".join(row) + "\n" for row in rows)
