"""Each fact about bad input has one sentence, which arrays, estimators, tables, command, genotypes and windows say.

A test gives bad input to all of these entrances twice: all must say the sentence of `core.data.facts` or
`core.targets.facts`, and if that sentence is replaced by other words, all must say these. So an entrance that has words
of its own fails.
"""

import contextlib
import io
import re
import string
import warnings
from unittest.mock import patch

import numpy as np
import pytest
from Orange.data import ContinuousVariable, DiscreteVariable, Domain, Table

from orangecontrib.reliefe import rank as rank_table
from orangecontrib.reliefe.command import cli
from orangecontrib.reliefe.core import Packed, estimators, rank
from orangecontrib.reliefe.core.data import facts as data_facts
from orangecontrib.reliefe.core.targets import facts as target_facts
from orangecontrib.reliefe.genetics import Genotypes, Variants, rank_genotypes
from orangecontrib.reliefe.orange.genotypes.from_table import genotypes_of, phenotype_of
from orangecontrib.reliefe.widgets.owinteractions import OWFeatureInteractions
from orangecontrib.reliefe.widgets.owintrinsicdimension import OWIntrinsicDimension
from orangecontrib.reliefe.widgets.owreliefe import OWReliefE
from orangecontrib.reliefe.widgets.owsparsify import OWSparsify
from orangecontrib.reliefe.widgets.tests.widgettest import WidgetTest

N, P = 30, 4
OTHER_WORDS = "replaced by this test"
METHOD = "relieff"  # ranks for classes and needs a target; multisurf ranks for numbers, too
FOR_ALL = "multisurf"


def features(n=N, p=P, seed=0):
    """Return numbers (n, p) without any relation to a target."""
    return np.random.default_rng(seed).normal(size=(n, p))


def classes(n=N):
    """Return names of two classes."""
    return np.array(["ill", "well"], object)[np.arange(n) % 2]


def table_of(X, y=None):
    """Return a table of Orange; y: texts are classes, others numbers, None: no target."""
    if y is None:
        variables, Y = [], np.zeros((len(X), 0))
    elif y.dtype.kind == "O":
        names = sorted({name for name in y if name is not None})
        variables = [DiscreteVariable("outcome", names)]
        Y = np.array([np.nan if name is None else names.index(name) for name in y])
    else:
        variables, Y = [ContinuousVariable("outcome")], y
    domain = Domain([ContinuousVariable(f"x{j}") for j in range(X.shape[1])], variables)
    return Table.from_numpy(domain, X, Y)


def text_of_table(X, y=None):
    """Return comma-separated values with names above; empty cells are missing."""
    columns = [*X.T, *([] if y is None else [y])]
    names = [f"x{j}" for j in range(X.shape[1])] + ([] if y is None else ["outcome"])
    rows = [["" if value is None or value != value else str(value) for value in row] for row in zip(*columns)]
    return "\n".join(map(",".join, [names, *rows])) + "\n"


def genotypes(n=N, p=5):
    """Return genotypes of people with numbers as names."""
    codes = np.random.default_rng(1).integers(0, 3, (n, p)).astype(np.int8)
    names = np.array([f"rs{j}" for j in range(p)], object)
    variants = Variants(np.full(p, "1", object), names, np.arange(p), np.full(p, "A", object), np.full(p, "C", object))
    people = np.arange(n).astype(str).astype(object)
    return Genotypes(Packed.of(codes), people, variants, None, ())


def said(call, *args, **options):
    """Return the message of the error of a call, or else warnings and information of the ranking that it returns."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        try:
            ranking = call(*args, **options)
        except ValueError as error:
            return str(error)
    info = getattr(ranking, "result_", ranking).info
    return "\n".join([*map(str, (w.message for w in caught)), *info["warnings"], *info["information"]])


def said_by_command(folder, text, *options):
    """Return what the command prints on a table of comma-separated values."""
    path = folder / "data.csv"
    path.write_text(text, encoding="utf-8")
    out, err = io.StringIO(), io.StringIO()
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        cli.main(["rank", str(path), *options])
    return out.getvalue() + err.getvalue()


class OneStatement(WidgetTest):
    """Bad input at all entrances."""

    @pytest.fixture(autouse=True)
    def _folder(self, tmp_path):
        self.folder = tmp_path

    # Entrances -------------------------------------------------------------------------------------------------------

    def of_window(self, data, kind=OWReliefE, **settings):
        """Return all messages of a window to which data are sent, after its work."""
        stored = {"methods": [FOR_ALL], **settings} if kind is OWReliefE else settings
        widget = self.create_widget(kind, stored_settings=stored)
        self.send_signal(widget.Inputs.data, data, widget=widget)
        self.settle(widget)
        groups = (widget.Error, widget.Warning, widget.Information)
        return "\n".join(str(message) for group in groups for message in group.active)

    def everywhere(self, X, y, method=FOR_ALL, options=(), widgets=(OWReliefE,)):
        """Return what arrays, estimators, tables, command and windows say, by their names."""
        estimator = {METHOD: estimators.ReliefF, FOR_ALL: estimators.MultiSURF}[method]
        table = table_of(X, y)
        texts = {
            "arrays": said(rank, X, y, method),
            "estimators": said(estimator().fit, X, y),
            "tables": said(rank_table, table, method),
            "command": said_by_command(self.folder, text_of_table(X, y), "--method", method, *options),
        }
        return texts | {kind.name: self.of_window(table, kind) for kind in widgets}

    # Facts -----------------------------------------------------------------------------------------------------------

    def check(self, module, fact, texts):
        """Check that all entrances say a fact; texts: function of what they say, by their names."""
        template = getattr(module, fact)
        pattern = ".*?".join(map(re.escape, literals(template)))
        for entrance, text in texts().items():
            assert re.search(pattern, text, re.IGNORECASE), f"{entrance} does not say {template!r}, but {text!r}"
        fields = "".join(f" {{{field}}}" for _, field, _, _ in string.Formatter().parse(template) if field)
        with patch.object(module, fact, OTHER_WORDS + fields):
            for entrance, text in texts().items():
                assert OTHER_WORDS in text.lower(), f"{entrance} has its own words for {fact}: {text!r}"

    def test_one_class(self):
        y = np.full(N, "ill", object)

        def texts():
            of_people = {str(person): "ill" for person in range(N)}
            return self.everywhere(
                features(), y, METHOD, ["--target", "outcome"], (OWReliefE, OWFeatureInteractions)
            ) | {
                "genotypes": said(rank_genotypes, genotypes(), of_people),
                "genotypes in a table": said(phenotype_of, table_of(features(), y)),
            }

        self.check(target_facts, "ONE_CLASS", texts)

    def test_one_number(self):
        y = np.full(N, 7.5)

        def texts():
            of_people = {str(person): "7.5" for person in range(N)}
            return self.everywhere(features(), y, options=["--target", "outcome"]) | {
                "genotypes": said(rank_genotypes, genotypes(), of_people),
                "genotypes in a table": said(phenotype_of, table_of(features(), y)),
            }

        self.check(target_facts, "ONE_NUMBER", texts)

    def test_unknown_target(self):
        def texts():
            y = np.full(N, np.nan)
            of_people = {str(person): "NA" for person in range(N)}
            return {
                "arrays": said(rank, features(), y, FOR_ALL),
                "estimators": said(estimators.MultiSURF().fit, features(), y),
                "tables": said(rank_table, table_of(features(), y), FOR_ALL),
                "genotypes": said(rank_genotypes, genotypes(), of_people),
                "genotypes in a table": said(phenotype_of, table_of(features(), y)),
                "window": self.of_window(table_of(features(), y)),
            }

        self.check(target_facts, "UNKNOWN", texts)

    def test_no_target(self):
        def texts():
            return self.everywhere(features(), None, METHOD, widgets=(OWReliefE, OWFeatureInteractions)) | {
                "genotypes": said(rank_genotypes, genotypes()),
                "genotypes in a table": said(phenotype_of, table_of(features())),
            }

        self.check(target_facts, "NO_TARGET", texts)

    def test_no_rows(self):
        def texts():
            return self.everywhere(features(0), classes(0), widgets=(OWReliefE, OWSparsify)) | {
                "genotypes in a table": said(genotypes_of, table_of(features(0), classes(0))),
            }

        self.check(data_facts, "NO_ROWS", texts)

    def test_one_row(self):
        self.check(
            data_facts, "ONE_ROW", lambda: self.everywhere(features(1), np.ones(1), options=["--task", "regression"])
        )

    def test_no_features(self):
        def texts():
            X, y = features(N, 0), classes()
            table = table_of(X, y)
            text = "note,outcome\n" + "".join(f"text {row} of many,{name}\n" for row, name in enumerate(y))
            return {
                "arrays": said(rank, X, y, FOR_ALL),
                "estimators": said(estimators.MultiSURF().fit, X, y),
                "tables": said(rank_table, table, FOR_ALL),
                "command": said_by_command(self.folder, text, "--target", "outcome"),
                "genotypes in a table": said(genotypes_of, table),
                "window": self.of_window(table),
                "dimension": self.of_window(table, OWIntrinsicDimension),
            }

        self.check(data_facts, "NO_FEATURES", texts)

    def test_constant_features(self):
        X = features()
        X[:, 1] = 3

        def texts():
            return {
                "estimators": said(estimators.MultiSURF().fit, X, classes()),
                "window": self.of_window(table_of(X, classes())),
            }

        self.check(data_facts, "CONSTANT", texts)

    def test_all_features_constant(self):
        self.check(data_facts, "ALL_CONSTANT", lambda: self.everywhere(np.ones((N, P)), classes()))

    def test_infinite_values(self):
        X = features()
        X[3, 1] = np.inf
        path = self.folder / "X.npy"
        np.save(path, X)
        target = self.folder / "y.csv"
        target.write_text("outcome\n" + "\n".join(classes()))

        table = table_of(X.copy(), classes())
        with table.unlocked():
            table.X[3, 1] = np.inf  # Orange reads it as missing

        def texts():
            err = io.StringIO()
            with contextlib.redirect_stderr(err):
                cli.main(["rank", str(path), "--target", str(target)])
            return {
                "arrays": said(rank, X, classes(), FOR_ALL),
                "estimators": said(estimators.MultiSURF().fit, X, classes()),
                "tables": said(rank_table, table, FOR_ALL),
                "command": err.getvalue(),
                "window": self.of_window(table),
            }

        self.check(data_facts, "INFINITE", texts)

    def test_unknown_column(self):
        def texts():
            table = table_of(features(), classes())
            options = ["--target", "outcome", "--covariate", "age"]
            text = text_of_table(features(), classes())
            with patch("orangecontrib.reliefe.command.reading.has_orange", lambda: False):
                without_orange = said_by_command(self.folder, text, *options)
            return {
                "arrays": said(rank, features(), None, FOR_ALL, target="age", names=["a", "b", "c", "d"]),
                "tables": said(rank_table, table, FOR_ALL, covariates="age"),
                "command": said_by_command(self.folder, text, *options),
                "command without Orange": without_orange,
            }

        self.check(data_facts, "UNKNOWN_COLUMN", texts)

    def test_two_roles(self):
        def texts():
            table = table_of(features(), classes())
            options = ["--target", "outcome", "--covariate", "x1", "--group", "x1"]
            text = text_of_table(features(), classes())
            with patch("orangecontrib.reliefe.command.reading.has_orange", lambda: False):
                without_orange = said_by_command(self.folder, text, *options)
            return {
                "tables": said(rank_table, table, FOR_ALL, covariates="x1", groups="x1"),
                "command": said_by_command(self.folder, text, *options),
                "command without Orange": without_orange,
            }

        self.check(data_facts, "TWO_ROLES", texts)


def literals(template):
    """Return the texts of a template between its fields."""
    return [text for text, *_ in string.Formatter().parse(template)]


if __name__ == "__main__":
    pytest.main([__file__])
