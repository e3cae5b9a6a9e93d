"""Facts that stand beside an ARFF file or in a hierarchical attribute: labels, settings, hierarchies."""

import re

import numpy as np
import pytest
import scipy.sparse as sp
from Orange.data import ContinuousVariable, DiscreteVariable, Domain, Table

from orangecontrib.reliefe.io import read_arff, write_arff
from orangecontrib.reliefe.orange.targets import closed, mark, nodes_of_paths, parents_of

Table.LOCKING = True

LABELS = "@relation r\n@attribute x numeric\n@attribute a {0,1}\n@attribute 'b c' {0,1}\n@attribute d {0,1}\n@data\n"
TREE = "@relation r\n@attribute x numeric\n@attribute class hierarchical pet/cat/tom,pet/dog,plant\n@data\n"
GRAPH = "@relation r\n@attribute x numeric\n@attribute class hierarchical root/A,root/B,A/C,B/C,C/D\n@data\n"


def xml(*lines: str) -> str:
    return (
        '<?xml version="1.0"?>\n<labels xmlns="http://mulan.sourceforge.net/labels">\n' + "\n".join(lines) + "</labels>"
    )


def named(table: Table) -> dict[str, list]:
    """{label: values}."""
    Y = table.Y.reshape(len(table), -1)
    return {variable.name: Y[:, k].tolist() for k, variable in enumerate(table.domain.class_vars)}


def parent_names(table: Table) -> dict[str, set[str]]:
    variables = table.domain.class_vars
    return {v.name: {variables[k].name for k in up} for v, up in zip(variables, parents_of(variables))}


# Mulan


@pytest.mark.parametrize("rows", ["5,1,0,1\n6,0,?,0\n", "{0 5,1 1,3 1}\n{0 6,2 ?}\n"])
def test_labels_of_mulan(write, rows):
    path = write(x_arff=LABELS + rows, x_xml=xml('<label name="d"></label>', '<label name="b c"/>'))
    table = read_arff(path)
    assert [v.name for v in table.domain.attributes] == ["x", "a"]
    np.testing.assert_equal(named(table), {"d": [1, 0], "b c": [0, np.nan]})
    assert parents_of(table.domain.class_vars) is None
    np.testing.assert_array_equal(table.X.toarray() if sp.issparse(table.X) else table.X, [[5, 1], [6, 0]])


def test_one_xml_for_the_parts(write, tmp_path):
    write(x_xml=xml('<label name="a"/>', '<label name="d"/>'))
    (tmp_path / "x-train.arff").write_text(LABELS + "5,1,0,1\n")
    assert list(named(read_arff(tmp_path / "x-train.arff"))) == ["a", "d"]


def test_names_that_are_escaped_in_one_file_only(write):
    text = "@relation r\n@attribute x numeric\n@attribute 'Steller\\'s Jay' {0,1}\n@data\n1,1\n"
    table = read_arff(write(x_arff=text, x_xml=xml('<label name="Steller\\\'s Jay"/>')))
    assert named(table) == {"Steller's Jay": [1]}


def test_numeric_labels(write):
    text = LABELS.replace("a {0,1}", "a numeric") + "5,1,0,1\n"
    table = read_arff(write(x_arff=text, x_xml=xml('<label name="a"/>', '<label name="d"/>')))
    assert all(v.is_discrete and v.values == ("0", "1") for v in table.domain.class_vars)


def test_nested_labels_are_a_hierarchy(write):
    nested = xml('<label name="a">', '<label name="b c"><label name="d"/></label>', "</label>")
    table = read_arff(write(x_arff=LABELS + "5,0,0,1\n6,0,0,0\n7,?,1,?\n", x_xml=nested))
    np.testing.assert_equal(named(table), {"a": [1, 0, 1], "b c": [1, 0, 1], "d": [1, 0, np.nan]})
    assert parent_names(table) == {"a": set(), "b c": {"a"}, "d": {"b c"}}


def test_another_xml_is_no_business_of_ours(write):
    assert list(named(read_arff(write(x_arff=LABELS + "5,0,0,1\n", x_xml="<html><p>no</p></html>")))) == ["d"]


LAUGHS = (
    '<!DOCTYPE labels [<!ENTITY a "ha"><!ENTITY b "&a;&a;&a;&a;">]>'
    '<labels xmlns="http://mulan.sourceforge.net/labels"><label name="&b;"/></labels>'
)


@pytest.mark.parametrize(
    "text, message",
    [
        (xml('<label name="nobody"/>'), "x.xml, line 3, column 1: the label 'nobody' is no attribute of x.arff"),
        (xml('<label name="a"/>', '<label name="a"/>'), "x.xml, line 4, column 1: the label 'a' occurs twice"),
        (xml('<label nam="a"/>'), 'x.xml, line 3, column 1: <label name="..."> is expected'),
        (xml('<other name="a"/>'), "x.xml, line 3, column 1: .*not <other>"),
        (xml('<label name="a">'), "x.xml, line 3, column .*mismatched tag"),
        ("<labels>", "x.xml, line 1, column 9: no element found"),
        (LAUGHS, "x.xml, line 1, .*the entity 'a' is declared; entities are not read"),
    ],
)
def test_bad_xml(write, text, message):
    path = write(x_arff=LABELS + "5,0,0,1\n", x_xml=text)
    with pytest.raises(ValueError, match=message):
        read_arff(path)


# CLUS


def test_a_tree(write):
    table = read_arff(write(x_arff=TREE + "1,pet/cat/tom@plant\n2,pet/dog\n3,?\n4,n\n5,pet\n"))
    nan = np.nan
    expected = {
        "pet": [1, 1, nan, nan, 1], "pet/cat": [1, 0, nan, nan, 0], "pet/cat/tom": [1, 0, nan, nan, 0],
        "pet/dog": [0, 1, nan, nan, 0], "plant": [1, 0, nan, nan, 0],
    }  # fmt: skip
    np.testing.assert_equal(named(table), expected)
    parents = {"pet": set(), "pet/cat": {"pet"}, "pet/cat/tom": {"pet/cat"}, "pet/dog": {"pet"}, "plant": set()}
    assert parent_names(table) == parents
    assert [v.values for v in table.domain.class_vars] == [("0", "1")] * 5


def test_a_graph(write):
    table = read_arff(write(x_arff=GRAPH + "1,C\n2,D@B\n3,A\n"))
    assert named(table) == {"A": [1, 1, 1], "B": [1, 1, 0], "C": [1, 1, 0], "D": [0, 1, 0]}
    assert parent_names(table) == {"A": set(), "B": set(), "C": {"A", "B"}, "D": {"C"}}


@pytest.mark.parametrize(
    "declared, rows, names",
    [
        ("1,1/1,1/2,2", "1\n2\n", {"1", "1/1", "1/2", "2"}),
        ("rec/sport,rec/auto", "rec/sport\nrec\n", {"rec", "rec/sport", "rec/auto"}),
        ("rec/sport,rec/auto", "sport\nrec\n", {"rec", "sport", "auto"}),
        ("rec/sport,rec/auto", "rec\n", {"rec", "rec/sport", "rec/auto"}),
        ("root/A,A/B", "A\n", {"A", "B"}),
        ("root,root/A", "root\n", {"root", "root/A"}),
        ("1.2.3,4", "1.2\n", {"1", "1.2", "1.2.3", "4"}),
        ("a,b", "a@b\n", {"a", "b"}),
    ],
)
def test_pairs_or_paths(write, declared, rows, names):
    head = f"@relation r\n@attribute class hierarchical {declared}\n@data\n"
    assert set(named(read_arff(write(x_arff=head + rows)))) == names


def test_a_hierarchy_from_the_rows(write):
    text = "@relation r\n@attribute x numeric\n@attribute class classes\n@data\n1,a/b@c\n2,?\n"
    np.testing.assert_equal(
        named(read_arff(write(x_arff=text))), {"a": [1, np.nan], "a/b": [1, np.nan], "c": [1, np.nan]}
    )


def test_a_hierarchy_in_sparse_rows(write):
    table = read_arff(write(x_arff=TREE + "{1 3, 2 pet/dog}\n{2 plant@pet}\n{1 4}\n"))
    np.testing.assert_equal(named(table)["pet"], [1, 1, np.nan])
    np.testing.assert_array_equal(table.X.toarray() if sp.issparse(table.X) else table.X, [[3], [0], [4]])


def test_features_give_way_to_nodes(write):
    text = "@relation r\n@attribute pet numeric\n@attribute class hierarchical pet,pet/cat\n@data\n1,pet/cat\n"
    table = read_arff(write(x_arff=text))
    assert table.domain.attributes[0].name == "pet (1)"
    assert set(named(table)) == {"pet", "pet/cat"}


@pytest.mark.parametrize(
    "text, message",
    [
        (TREE + "1,pet\n\n2,pet/cow\n", "x.arff, line 7, column 1: the label 'pet/cow' is not in the hierarchy"),
        (GRAPH.replace("C/D", "C/D,D/A") + "1,C\n", "own ancestors"),
        (TREE.replace("plant", "a;b") + "1,pet\n", "the name of a node must have no ';'"),
        (TREE.replace("@data", "@attribute y hierarchical a/b\n@data") + "1,pet,a\n", None),
    ],
)
def test_bad_hierarchies(write, text, message):
    path = write(x_arff=text)
    if message:
        with pytest.raises(ValueError, match=message):
            read_arff(path)
    else:
        assert [v.name for v in read_arff(path).domain.metas] == ["class"]


PLAIN = "@relation r\n" + "".join(f"@attribute {name} numeric\n" for name in "abcdef") + "@data\n1,2,3,4,5,6\n"


@pytest.mark.parametrize(
    "settings, features, classes, metas",
    [
        ("[Attributes]\nTarget = 4-6\n", "abc", "def", ""),
        ("[Data]\nFile = x.arff\n[Attributes]\n  target=1,5-6 % the targets\nDisable = 2\nKey = 3\n", "d", "aef", "bc"),
        ("[Attributes]\nDescriptive = 1-2\nTarget = 6\n", "ab", "f", "cde"),
        ("[General]\nVerbose = 1\n", "abcde", "f", ""),
        ("[Attributes]\nTarget = None\n", "abcdef", "", ""),
    ],
)
def test_settings(write, settings, features, classes, metas):
    domain = read_arff(write(x_arff=PLAIN, x_s=settings)).domain
    parts = (domain.attributes, domain.class_vars, domain.metas)
    assert ["".join(v.name for v in part) for part in parts] == [features, classes, metas]


@pytest.mark.parametrize("declared", ["{0,1}", "{1,0}", "binary"])
def test_labels_of_settings_or_keel_are_present_where_they_are_1(write, declared):
    attributes = f"@attribute x numeric\n@attribute a {declared}\n@attribute b {declared}\n"
    rows = "@data\n1,1,0\n2,0,?\n"
    for files in (
        {"x_arff": f"@relation r\n{attributes}{rows}", "x_s": "[Attributes]\nTarget = 2-3\n"},
        {"y_arff": f"@relation r\n{attributes}@outputs a, b\n{rows}"},
    ):
        table = read_arff(write(**files))
        assert [variable.values for variable in table.domain.class_vars] == [("0", "1")] * 2
        np.testing.assert_array_equal(table.Y, [[1, 0], [0, np.nan]])


@pytest.mark.parametrize("value", ["7", "0-2", "3-2", "1,x", "2-", "1 2"])
def test_bad_settings(write, value):
    path = write(x_arff=PLAIN, x_s=f"[Attributes]\nTarget = {value}\n")
    with pytest.raises(ValueError, match=r"x.s, line 2, column 1: attributes are numbers or ranges from 1 to 6, not"):
        read_arff(path)


def test_settings_of_a_hierarchy(write):
    head = "@relation r\n@attribute class hierarchical root/A,A/B,A.x/C\n@data\nB\n"
    settings = "[Hierarchical]\nType = {}\nHSeparator = /\n"
    assert set(named(read_arff(write(x_arff=head, x_s=settings.format("DAG"))))) == {"A", "B", "A.x", "C"}
    with pytest.raises(ValueError, match="the label 'B' is not in the hierarchy"):
        read_arff(write(x_arff=head, x_s=settings.format("Tree")))
    with pytest.raises(
        ValueError, match=r"x.s, line 2, column 1: the type of the hierarchy is Tree or DAG, not 'Bush'"
    ):
        read_arff(write(x_arff=head, x_s=settings.format("Bush")))


def test_only_one_hierarchical_target(write):
    text = TREE.replace("@data", "@attribute y hierarchical a/b\n@data") + "1,pet,a\n"
    path = write(x_arff=text, x_s="[Attributes]\nTarget = 2-3\n")
    with pytest.raises(ValueError, match="only one target can be hierarchical, not 'class' and 'y'"):
        read_arff(path)


LATE = GRAPH.replace("B/C", "Late/B,B/C")  # a node has its place before its parent


@pytest.mark.parametrize(
    "text", [TREE + "1,pet/cat/tom@plant\n2,?\n3,pet\n", *(g + "1,C\n2,D@B\n3,?\n" for g in (GRAPH, LATE))]
)
def test_hierarchies_are_written(write, tmp_path, text):
    table = read_arff(write(x_arff=text))
    for name in ("y.arff", "y.tab"):
        table.save(str(tmp_path / name))
        again = Table(str(tmp_path / name))
        np.testing.assert_equal([*named(again).items()], [*named(table).items()])
        assert parent_names(again) == parent_names(table)
        np.testing.assert_array_equal(again.X, table.X)


SETTINGS = "[Hierarchical]\nType = {}\nHSeparator = {}\n"


@pytest.mark.parametrize(
    "declared, rows, settings",
    [
        ("1.2.3,4", "1.2\n4@1\n", None),
        ("1.2.3,4", "?\n", None),
        ("root.A,A.B,root.C,C.B", "B\n", SETTINGS.format("DAG", ".")),
        ("root.A,A.B,root.C", "?\n", None),
        ("a.b,c", "a.b@c\nc\n", SETTINGS.format("Tree", "/")),
        ("a.b,c", "?\n", SETTINGS.format("Tree", "/")),
        ("x.y/z,w", "w\n", SETTINGS.format("Tree", "/")),
        ("root/x.y,x.y/z", "z\n", None),
        ("root.A,A.B,A.C,B.D,C.D", "D\nB\n", SETTINGS.format("DAG", ".")),
    ],
)
def test_separators_survive_reading_and_writing(write, tmp_path, declared, rows, settings):
    text = f"@relation r\n@attribute class hierarchical {declared}\n@data\n{rows}"
    table = read_arff(write(x_arff=text, **({"x_s": settings} if settings else {})))
    write_arff(tmp_path / "y.arff", table)
    again = read_arff(tmp_path / "y.arff")
    np.testing.assert_equal(named(again), named(table))
    assert parent_names(again) == parent_names(table)


@pytest.mark.parametrize("seed", [*range(12), *(pytest.param(s, marks=pytest.mark.slow) for s in range(12, 40))])
def test_hierarchies_are_written_as_they_are_read_or_refused(tmp_path, seed):
    rng = np.random.default_rng(seed)
    L = int(rng.integers(2, 7))
    names = list(dict.fromkeys("".join(rng.choice(list("ab./"), rng.integers(1, 5))) for _ in range(L)))
    graph = rng.random() < 0.5
    parents = [
        tuple(sorted(rng.choice(k, min(k, int(rng.integers(0, 2 + graph))), replace=False))) for k in range(len(names))
    ]
    Y = closed((rng.random((4, len(names))) < 0.5) | (np.arange(len(names)) == 0), parents).astype(float)
    table = marked(names, parents, Y)
    refused = None
    try:
        write_arff(tmp_path / "x.arff", table)
    except ValueError as error:
        refused = str(error)
    if refused:
        # Only what reads the file with settings knows that names may have a mark that separates.
        assert re.search(r"no node with the name '[ab.]*/[ab./]*'", refused)
    else:
        again = read_arff(tmp_path / "x.arff")
        np.testing.assert_equal(named(again), named(table))
        assert parent_names(again) == parent_names(table)


def marked(names: str, parents: list, Y: list) -> Table:
    variables = [DiscreteVariable(name, ("0", "1")) for name in names]
    mark(variables, parents)
    return Table.from_numpy(
        Domain([ContinuousVariable("x")], variables), np.zeros((len(Y), 1)), np.array(Y, dtype=float)
    )


@pytest.mark.parametrize(
    "names, parents, Y, message",
    [
        ("ab", [(), (0,)], [[1, 0], [0, 0]], "row 2 has no label, or some are unknown"),
        ("ab", [(), (0,)], [[1, np.nan]], "row 1 has no label, or some are unknown"),
        ("a,", [(), (0,)], [[1, 1]], "no node with the name ','"),
        ("a/", [(), (0,)], [[1, 1]], "no node with the name '/'"),
    ],
)
def test_hierarchies_that_clus_cannot_express(tmp_path, names, parents, Y, message):
    with pytest.raises(ValueError, match=message):
        write_arff(tmp_path / "x.arff", marked(names, parents, Y))
    assert not list(tmp_path.iterdir())


# Hierarchies


def test_marks_are_text():
    variables = [DiscreteVariable(name, ("0", "1")) for name in "abcd"]
    mark(variables, [(), [0], (0, 1), np.array([2])])
    assert [v.attributes["parents"] for v in variables] == ["", "a", "a;b", "c"]
    assert parents_of(variables) == ((), (0,), (0, 1), (2,))
    assert parents_of(variables[::-1]) == ((1,), (2, 3), (3,), ())


def test_a_variable_without_a_mark_is_a_root():
    variables = [DiscreteVariable(name, ("0", "1")) for name in "ab"]
    assert parents_of(variables) is None
    variables[1].attributes["parents"] = "a"
    assert parents_of(variables) == ((), (0,))


@pytest.mark.parametrize(
    "names, parents, message",
    [
        ("ab", [()], "2 variables need as many lists of parents, not 1"),
        ("ab", [(), (2,)], "parents are numbered from 0 to 1; no label has the number 2"),
        ("ab", [(1,), (0,)], "own ancestors"),
        ("a;", [(), (0,)], "the name of a node must have no ';', unlike ';'"),
    ],
)
def test_marks_that_make_no_sense(names, parents, message):
    variables = [DiscreteVariable(name, ("0", "1")) for name in names]
    with pytest.raises(ValueError, match=message):
        mark(variables, parents)
    assert not any(v.attributes for v in variables)


def test_marks_that_lead_nowhere():
    variables = [DiscreteVariable(name, ("0", "1")) for name in "ab"]
    mark(variables, [(), (0,)])
    with pytest.raises(ValueError, match="'a', the parent of 'b', is no variable; choose from"):
        parents_of(variables[1:])
    variables[0].attributes["parents"] = "b"
    with pytest.raises(ValueError, match="own ancestors"):
        parents_of(variables)


def test_paths():
    names, parents, labels = nodes_of_paths(["a/b@c/d", "a/b/c", None, "", "c"])
    assert names == ("a", "a/b", "c", "c/d", "a/b/c")
    assert parents == ((), (0,), (), (2,), (1,))
    assert labels.dtype == np.uint8
    assert labels.tolist() == [[1, 1, 1, 1, 0], [1, 1, 0, 0, 1], [0] * 5, [0] * 5, [0, 0, 1, 0, 0]]


def test_closing_leaves_the_unknown_and_the_original():
    labels = np.array([[0, np.nan, 1.0], [np.nan, 0, 0]])
    np.testing.assert_array_equal(closed(labels, ((), (0,), (1,))), [[1, 1, 1], [np.nan, 0, 0]])
    assert labels[0, 0] == 0
