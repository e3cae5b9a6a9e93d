"""The report of a ranking as a web page: what it holds, and that it asks for nothing else."""

import json
import re
from dataclasses import replace
from html.parser import HTMLParser

import numpy as np
import pandas as pd
import pytest
from Orange.data import Table

from orangecontrib.reliefe import rank
from orangecontrib.reliefe.core import Survival, explain, partners, write_report
from orangecontrib.reliefe.core import rank as rank_arrays
from orangecontrib.reliefe.core.evaluation import stability_selection
from orangecontrib.reliefe.core.report.wording import methods_paragraph
from orangecontrib.reliefe.tests.report.naive_values import (
    naive_quantiles,
    naive_rank_correlation,
    naive_shares,
    naive_standardised_difference,
)

MARKUP = "<script>alert('x')</script>&"


class Page(HTMLParser):
    """Elements and texts of a page."""

    def __init__(self, text):
        super().__init__()
        self.elements = []
        self.texts = []
        self.open = []
        self.feed(text)

    def handle_starttag(self, tag, attributes):
        self.elements.append((tag, dict(attributes)))
        self.open.append(tag)

    def handle_endtag(self, tag):
        while self.open and self.open.pop() != tag:
            pass

    def handle_data(self, data):
        if not {"script", "style"} & set(self.open):
            self.texts.append(data)

    @property
    def text(self):
        return " ".join(" ".join(self.texts).split())


def frame(n=90, seed=0):
    """Numbers and a category that depend on two classes; the last feature has markup for a name."""
    random = np.random.default_rng(seed)
    y = np.arange(n) % 2
    colour = np.where(random.random(n) < 0.2 + 0.6 * y, "red", "blue")
    X = pd.DataFrame({"a": y + random.normal(size=n), "colour": colour, MARKUP: random.normal(size=n)})
    X["a copy"] = X["a"] + 1e-3 * random.normal(size=n)
    return X, pd.Series(np.where(y, "ill & tired", "well"), name="state")


def page_of(path):
    return path.read_text(encoding="utf-8")


def columns_of(text):
    """Columns of the table by their titles."""
    (data,) = re.findall(r'<script id="data" type="application/json">(.*?)</script>', text, re.DOTALL)
    return {column["title"]: column["values"] for column in json.loads(data)["columns"]}


@pytest.fixture(scope="module")
def report(tmp_path_factory):
    path = tmp_path_factory.mktemp("report") / "result.html"
    X, y = frame()
    ranking = rank_arrays(X, y, "multisurf", significance=20)
    write_report(ranking, path, X, y, data="trial")
    return ranking, page_of(path)


def test_the_table_has_all_features_by_rank(report):
    ranking, text = report
    columns = columns_of(text)
    assert columns["feature"] == [ranking.names[j] for j in ranking.ranking]
    np.testing.assert_allclose(columns["score"], ranking.scores[ranking.ranking], rtol=1e-5)
    np.testing.assert_allclose(columns["p"], ranking.significance.p[ranking.ranking], rtol=6e-3)
    np.testing.assert_allclose(columns["q"], ranking.significance.q[ranking.ranking], rtol=6e-3)
    assert columns["kind"] == ranking.significance.kind[ranking.ranking].tolist()


def test_few_features_have_their_own_p_values(report):
    """A note of the tests names them, so the table has them."""
    ranking, text = report
    np.testing.assert_allclose(columns_of(text)["own_p"], ranking.significance.own_p[ranking.ranking], rtol=6e-3)
    assert "own_p counts each" in Page(text).text


def test_discoveries_come_first_and_have_a_sign(tmp_path):
    """In the pictures, and in the rows that need no script."""
    random = np.random.default_rng(0)
    y = np.arange(90) % 2
    X = pd.DataFrame(random.normal(size=(90, 8)), columns=list("abcdefgh"))
    X[["g", "h"]] += 2 * y[:, None]
    ranking = rank_arrays(X, y, "multisurf", significance=True)
    ranking.report(tmp_path / "a.html", X, y)
    text = page_of(tmp_path / "a.html")
    discovered = {ranking.names[j] for j in np.flatnonzero(ranking.significance.q <= 0.1)}
    assert discovered
    assert discovered < set(ranking.names)
    captions = re.findall(r"<figcaption>(.*?)</figcaption>", text[: text.index('id="features"')])
    with_sign = ["&#9679;" in caption for caption in captions]
    assert len(captions) == len(ranking.names)
    assert with_sign == sorted(with_sign, reverse=True)
    assert sum(with_sign) == len(discovered)
    (data,) = re.findall(r'<script id="data" type="application/json">(.*?)</script>', text, re.DOTALL)
    rows = dict(zip(columns_of(text)["feature"], json.loads(data)["discovered"], strict=True))
    assert {name for name, is_marked in rows.items() if is_marked} == discovered
    assert len(re.findall(r'<tr class="discovered">', text)) == len(discovered)


def test_print_explains_columns_of_tests(report):
    _, text = report
    shown = Page(text).text
    for explained in ("q: false discovery rate", "own_p: p from the scores of this feature alone", "kind: discoveries"):
        assert explained in shown


def test_groups_of_features_are_called_groups(tmp_path):
    X, y = frame()
    ranking = rank_arrays(X, y, "relieff", feature_groups=["size", None, None, "size"])
    path = tmp_path / "groups.html"
    ranking.report(path, X, y)
    columns = columns_of(page_of(path))
    assert columns["group"] == [ranking.names[j] for j in ranking.ranking]
    assert dict(zip(columns["group"], columns["features"], strict=True))["size"] == "a, a copy"
    assert "Groups" in re.findall(r'<h2 id="features-title">(.*?)</h2>', page_of(path))


def test_conditional_p_values_have_a_column(tmp_path):
    X, y = frame()
    path = tmp_path / "conditional.html"
    ranking = rank_arrays(X, y, "multisurf", significance=20, conditional=["colour"])
    write_report(ranking, path, X, y)
    columns = columns_of(page_of(path))
    cells = dict(zip(columns["feature"], columns["adds to the others"], strict=True))
    assert cells["colour"] == pytest.approx(ranking.significance.conditional[1], rel=6e-3)
    assert cells["a"] is None
    assert ": NaN" not in page_of(path)
    assert ">nan<" not in page_of(path)


def test_correlated_features_name_the_best_of_their_group(report):
    columns = columns_of(report[1])
    groups = dict(zip(columns["feature"], columns["correlated with"], strict=True))
    assert groups["a"] == groups["a copy"] != ""
    assert groups["colour"] == ""


def test_facts_and_the_methods_paragraph(report):
    text = Page(report[1]).text
    for said in (
        "trial",
        "state (2 classes: ill & tired, well)",
        "90",
        "MultiSURF",
        "permuted 20 times",
        "Benjamini",
        "Urbanowicz",
    ):
        assert said in text


def test_the_methods_paragraph_has_the_study():
    X, y = frame()
    X = X[["a", "colour"]]
    times = Survival(np.arange(90) + 1.0, np.where(np.arange(90) % 3, "dead", "alive"))
    ages = pd.DataFrame({"age": np.arange(90) * 7 % 50})
    with_times = methods_paragraph(rank_arrays(X, times, "multisurf", covariates=ages), "target: times")
    assert "The event was 'dead' in 60 rows. Times were censored in 33.3% of the rows." in with_times
    assert "Scores were adjusted for age." in with_times
    by_person = methods_paragraph(rank_arrays(X, y, "multisurf", groups=np.arange(90) // 3), "target state")
    assert "Rows of one of 30 groups were no neighbours of each other." in by_person
    plain = methods_paragraph(rank_arrays(X, y, "multisurf"), "target state")
    assert not any(word in plain for word in ("event", "adjusted", "groups"))


def test_names_with_markup_stay_text(report):
    page = Page(report[1])
    assert MARKUP in page.text
    assert "ill & tired" in page.text
    assert sum(tag == "script" for tag, _ in page.elements) == 2  # the data, and the script of the page


def test_nothing_is_fetched(report):
    page = Page(report[1])
    assert not [attributes for _, attributes in page.elements if {"src", "srcset"} & set(attributes)]
    assert {attributes.get("href") for tag, attributes in page.elements if tag in ("a", "link")} == {"#features"}
    (policy,) = [a["content"] for _, a in page.elements if a.get("http-equiv") == "Content-Security-Policy"]
    assert "default-src 'none'" in policy
    assert not re.search(r"https?://|@import|url\(", report[1])


def test_values_of_numbers_and_categories_by_class(tmp_path):
    """Coordinates of boxes and bars are those of quantiles and shares that loops compute."""
    X, y = frame()
    X.loc[3, "a"] = np.nan
    path = tmp_path / "values.html"
    write_report(rank_arrays(X, y, "relieff"), path, X, y)
    figures = dict(re.findall(r"<figcaption>\d+\. (.*?)</figcaption>\n(<svg.*?</svg>)", page_of(path), re.DOTALL))
    starts = [float(x) for x in re.findall(r'class="median" d="M([\d.]+)', figures["a"])]
    low, high = (float(x) for x in re.findall(r'class="axis" d="M([\d.]+) [\d.]+H([\d.]+)"', figures["a"])[0])
    quantiles = naive_quantiles(X["a"].tolist(), y.tolist())
    first = quantiles["ill & tired"]
    share = (first[0.5] - first[0.05]) / (first[0.95] - first[0.05])
    assert (starts[0] - low) / (high - low) == pytest.approx(share, abs=2e-3)
    widths = [float(width) for width in re.findall(r'class="share\d" [^>]*? width="([\d.]+)"', figures["colour"])]
    shares = naive_shares(X["colour"].tolist(), y.tolist())
    for group, pair in zip(sorted(shares), (widths[:2], widths[2:]), strict=True):
        assert pair[0] / sum(pair) == pytest.approx(shares[group]["blue"], abs=2e-3)


def test_few_different_numbers_are_shown_as_categories(tmp_path):
    """Boxes say nothing of zeros and ones, or of counts of alleles."""
    random = np.random.default_rng(0)
    y = np.arange(60) % 2
    X = pd.DataFrame({"alleles": random.integers(0, 3, 60) * 1.0, "many": random.integers(0, 5, 60)})
    X.loc[7, "alleles"] = np.nan
    path = tmp_path / "alleles.html"
    rank_arrays(X, y, "relieff").report(path, X, y)
    figures = dict(re.findall(r"<figcaption>\d+\. (.*?)</figcaption>\n(<svg.*?</svg>)", page_of(path), re.DOTALL))
    assert "median" in figures["many"]
    widths = [float(width) for width in re.findall(r'class="share\d" [^>]*? width="([\d.]+)"', figures["alleles"])]
    shares = naive_shares(X["alleles"].tolist(), y.tolist())
    for group, drawn in zip((0, 1), (widths[:3], widths[3:]), strict=True):
        for allele in range(3):
            assert drawn[allele] / sum(drawn) == pytest.approx(shares[group].get(float(allele), 0), abs=2e-3)


def test_a_number_has_quarters(tmp_path):
    random = np.random.default_rng(1)
    X = random.normal(size=(80, 3))
    y = X[:, 0]
    path = tmp_path / "number.htm"
    write_report(rank_arrays(X, y, "rrelieff"), path, X, y)
    first = re.findall(r"<figcaption>1\. .*?</figcaption>\n(<svg.*?</svg>)", page_of(path), re.DOTALL)[0]
    limits = np.quantile(y, [0, 0.25, 0.5, 0.75, 1])
    assert f"{limits[0]:.3g} to {limits[1]:.3g}" in first
    assert len(re.findall('class="box"', first)) == 4
    assert len(re.findall(">20</text>", first)) == 4  # rows of each quarter


def directions_of(path):
    """Sentences on which way features go, by the names of the features."""
    figures = re.findall(
        r"<figcaption>(?:<.*?</span> )?\d+\. (.*?)</figcaption>(.*?)</figure>", page_of(path), re.DOTALL
    )
    return {name: Page(figure.split("</svg>")[1]).text for name, figure in figures if "</svg>" in figure}


def test_direction_of_classes(tmp_path):
    """Means, standardised differences and shares are those of plain loops; missing values are left out."""
    X, y = frame()
    X.loc[3, "a"] = np.nan
    path = tmp_path / "direction.html"
    rank_arrays(X, y, "relieff").report(path, X, y)
    directions = directions_of(path)
    ill = [value for value, group in zip(X["a"], y, strict=True) if group == "ill & tired" and value == value]
    well = [value for value, group in zip(X["a"], y, strict=True) if group == "well" and value == value]
    d = naive_standardised_difference(ill, well)
    means = f"mean {np.mean(ill):.3g}, against {np.mean(well):.3g} in well; {d:.2f} standard deviations apart"
    assert f"Higher in ill & tired ({means})." in directions["a"]
    shares = naive_shares(X["colour"].tolist(), y.tolist())
    blue = f"{100 * shares['well']['blue']:.0f} %, against {100 * shares['ill & tired']['blue']:.0f} % in ill & tired"
    assert f"blue is more frequent in well ({blue})." in directions["colour"]


def test_codes_of_categories_may_be_any_numbers(tmp_path):
    """Codes are no places in a list: a negative one was the last category, and a large one made a list as long."""
    y = np.arange(40) % 2
    X = np.c_[np.where(y, 3 * 10**7, -1), np.random.default_rng(0).normal(size=40)]
    path = tmp_path / "codes.html"
    write_report(rank_arrays(X, y, "relieff", nominal=[0]), path, X, y, nominal=[0])
    assert "value -1 is more frequent in class 0 (100 %, against 0 % in class 1)." in directions_of(path)["0"]
    assert "30000000" in page_of(path)


def test_a_number_that_is_mostly_zero_has_two_groups(tmp_path):
    y = np.r_[np.zeros(50), np.arange(1.0, 11)]
    X = pd.DataFrame({"rising": np.arange(60.0), "noise": np.random.default_rng(0).normal(size=60)})
    path = tmp_path / "zeros.html"
    rank_arrays(X, y, "rrelieff").report(path, X, y)
    correlation = naive_rank_correlation(X["rising"].tolist(), y.tolist())
    assert f"Rises with the target (rank correlation {correlation:.2f})." in directions_of(path)["rising"]
    assert ">above 0</text>" in page_of(path)


def test_numbers_of_four_digits_and_features_of_one_value_a_class(tmp_path):
    y = np.arange(40) % 2
    X = pd.DataFrame({"year": np.where(y, 2011.0, 2003.0) + np.arange(40) // 20, "grade": np.where(y, 0.3, 0.1)})
    path = tmp_path / "years.html"
    rank_arrays(X, y, "relieff").report(path, X, y)
    directions = directions_of(path)
    assert (
        "Higher in class 1 (mean 2012, against 2004 in class 0; 15.59 standard deviations apart)" in directions["year"]
    )
    assert "(mean 0.3, against 0.1 in class 0; each has one value only)." in directions["grade"]


def test_names_that_are_numbers_have_a_noun(tmp_path):
    X = pd.DataFrame(
        {"grade": pd.Categorical(np.r_[np.zeros(30), np.ones(30)].astype(int)), "x": np.arange(60) % 7 * 1.0}
    )
    path = tmp_path / "numbers.html"
    y = np.r_[np.zeros(30, int), np.ones(30, int)]
    rank_arrays(X, y, "relieff").report(path, X, y)
    assert "value 0 is more frequent in class 0 (100 %, against 0 % in class 1)." in directions_of(path)["grade"]


@pytest.mark.parametrize("n_blue, sentence", [
    ((10, 2), "blue is more frequent in class 0 (10 %, against 2 % in class 1)."),  # five times as frequent
    ((50, 44), "blue is more frequent in class 0 (50 %, against 44 % in class 1)."),
    ((50, 46), "Shares hardly differ (blue: 50 % in class 0, against 46 % in class 1)."),
])  # fmt: skip
def test_shares_differ_by_the_angle_between_them(tmp_path, n_blue, sentence):
    y = np.repeat([0, 1], 100)
    halves = [(100 - n) // 2 for n in n_blue]
    colours = [c for n, half in zip(n_blue, halves, strict=True) for c in ["blue"] * n + ["red", "green"] * half]
    path = tmp_path / "shares.html"
    X = pd.DataFrame({"colour": colours, "x": np.arange(200) % 7 * 1.0})
    rank_arrays(X, y, "relieff").report(path, X, y)
    assert sentence in directions_of(path)["colour"]


@pytest.mark.parametrize("seed, verb", [(20, "Rises with"), (7, "Neither rises nor falls with")])  # .07 and .04
def test_half_of_a_small_correlation_is_hardly_a_direction(tmp_path, seed, verb):
    y = np.arange(40.0)
    x = np.random.default_rng(seed).permutation(40) * 1.0
    path = tmp_path / "weak.html"
    X = pd.DataFrame({"x": x, "noise": y % 7})
    rank_arrays(X, y, "rrelieff").report(path, X, y)
    correlation = naive_rank_correlation(x.tolist(), y.tolist())
    assert f"{verb} the target (rank correlation {correlation:.2f})." in directions_of(path)["x"]


def test_direction_of_a_number(tmp_path):
    random = np.random.default_rng(1)
    falling = np.exp(random.normal(size=80))
    blue = random.random(80) < 0.5
    X = pd.DataFrame({"falling": falling, "colour": np.where(blue, "blue", "red"), "noise": random.normal(size=80)})
    y = pd.Series(np.where(blue, 2.0, 0.0) - falling, name="age")
    path = tmp_path / "direction.html"
    rank_arrays(X, y, "rrelieff").report(path, X, y)
    directions = directions_of(path)
    correlation = naive_rank_correlation(falling.tolist(), y.tolist())
    assert correlation < -0.1
    assert f"Falls with age (rank correlation {correlation:.2f})." in directions["falling"]
    d = naive_standardised_difference(y[blue].tolist(), y[~blue].tolist())
    apart = f"{abs(d):.2f} standard deviations apart"
    means = f"mean {y[blue].mean():.3g}, against {y[~blue].mean():.3g} in all others; {apart}"
    lower = f"mean {y[~blue].mean():.3g}, against {y[blue].mean():.3g} in all others; {apart}"
    expected = (f"Higher age where it is blue ({means}).", f"Lower age where it is red ({lower}).")
    assert any(sentence in directions["colour"] for sentence in expected)


def test_times_are_early_or_later(tmp_path):
    """Rows that are censored before half of the events have no group."""
    random = np.random.default_rng(2)
    X = pd.DataFrame(random.normal(size=(90, 2)), columns=["risk", "noise"])
    time = np.round(random.exponential(10 * np.exp(-X["risk"])), 2)
    event = random.random(90) < 0.7
    path = tmp_path / "times.html"
    y = Survival(time, event)
    rank_arrays(X, y, "multisurf").report(path, X, y)
    events = sorted(t for t, happened in zip(time, event, strict=True) if happened)
    middle = events[(len(events) - 1) // 2]
    early = [x for x, t, happened in zip(X["risk"], time, event, strict=True) if happened and t <= middle]
    later = [x for x, t in zip(X["risk"], time, strict=True) if t > middle]
    assert len(early) + len(later) < 90
    means = f"mean {np.mean(early):.3g}, against {np.mean(later):.3g} in later or no events"
    assert f"Higher in events until {middle:.3g} ({means}; " in directions_of(path)["risk"]


def test_values_of_an_adjusted_ranking_are_said_to_be_as_measured(tmp_path):
    X, y = frame()
    study = {"covariates": pd.DataFrame({"batch": np.arange(90) % 3})}
    path = tmp_path / "adjusted.html"
    rank_arrays(X, y, "relieff", **study).report(path, X, y)
    assert "only scores are adjusted for batch" in Page(page_of(path)).text


@pytest.mark.parametrize(
    "y, shows_values",
    [
        (None, False),
        (np.arange(60) % 3, True),
        ((np.arange(60) % 30).astype(str), False),  # too many classes
        (np.arange(120).reshape(60, 2) / 7, False),
    ],
)
def test_any_target(tmp_path, y, shows_values):
    X = np.random.default_rng(0).normal(size=(60, 3))
    X[:, 2] = 5
    ranking = rank_arrays(X, y, "urelief" if y is None else "auto")
    path = tmp_path / "any.html"
    write_report(ranking, path, X, y)
    assert columns_of(page_of(path))["feature"] == [str(j) for j in ranking.ranking]
    assert ("Values of the best features" in page_of(path)) == shows_values


def test_a_target_of_one_column(tmp_path):
    X, y = frame()
    pages = []
    for place, target in enumerate((y, y.to_frame())):
        path = tmp_path / f"{place}.html"
        rank_arrays(X, target, "relieff").report(path, X, target)
        pages.append(page_of(path))
    assert pages[0] == pages[1]
    assert "Values of the best features" in pages[0]


def test_without_data(tmp_path):
    X, y = frame()
    path = tmp_path / "plain.html"
    write_report(rank_arrays(X, y, "relieff"), path)
    assert set(columns_of(page_of(path))) == {"rank", "feature", "score"}
    assert "for the target (2 classes)." in Page(page_of(path)).text


def test_the_network_of_interacting_features(tmp_path):
    random = np.random.default_rng(0)
    X = random.integers(0, 2, (300, 5)).astype(float)
    y = (X[:, 1] != X[:, 3]).astype(int)
    network = partners(X, y)
    path = tmp_path / "network.html"
    write_report(rank_arrays(X, y, "multisurf"), path, X, y, network=network)
    assert "1 and 3 (z" in Page(page_of(path)).text
    assert page_of(path).count('class="edge"') == len(network.edges)


def test_a_network_without_pairs_is_said(tmp_path):
    random = np.random.default_rng(0)
    X = random.normal(size=(60, 4))
    y = np.arange(60) % 2
    path = tmp_path / "network.html"
    ranking = rank_arrays(X, y, "multisurf")
    nothing = replace(partners(X, y, n_shuffles=2), edges=[])
    ranking.report(path, network=nothing)
    assert "No pair of features interacts" in Page(page_of(path)).text
    ranking.report(path)
    assert "interact" not in Page(page_of(path)).text


def test_many_features_stay_small(tmp_path):
    """20,000 features: below 5 MB, and a picture of at most some thousand points."""
    random = np.random.default_rng(0)
    X = pd.DataFrame(random.normal(size=(30, 20_000)), columns=[f"ENSG{j:011d}" for j in range(20_000)])
    y = random.normal(size=30)
    path = tmp_path / "genes.html"
    write_report(rank_arrays(X, y, "rrelieff", significance=2), path, X, y)
    assert path.stat().st_size < 5_000_000
    assert page_of(path).count("<circle") < 3 * 8001
    assert len(columns_of(page_of(path))["feature"]) == 20_000


def test_tables_of_orange(tmp_path):
    table = Table("heart_disease")
    ranking = rank(table, "multisurf")
    path = tmp_path / "heart.html"
    ranking.report(str(path), script="print(1 < 2)")
    text = Page(page_of(path)).text
    for said in "heart_disease", "diameter narrowing (2 classes", "fixed defect", "print(1 < 2)":
        assert said in text
    assert columns_of(page_of(path))["feature"] == [variable.name for variable in ranking.best(13)]


def test_reasons_of_a_table_are_computed_unless_they_are_given(tmp_path):
    ranking = rank(Table("iris"), "relieff", covariates=["petal width"])
    path = tmp_path / "iris.html"
    ranking.report(path)
    for feature in ranking.features:
        assert " ".join(ranking.explain(feature).sentences) in Page(page_of(path)).text
    ranking.report(path, explanations=[])
    assert "near rows" not in page_of(path)


def test_a_ranking_of_arrays_writes_its_report(tmp_path):
    X, y = frame()
    ranking = rank_arrays(X, y, "relieff")
    path, same = tmp_path / "method.html", tmp_path / "function.html"
    ranking.report(path, X, y, data="trial")
    write_report(ranking, same, X, y, data="trial")
    assert page_of(path) == page_of(same)


def test_reasons_stand_beside_the_values(report):
    ranking, text = report
    first = explain(ranking, int(ranking.ranking[0]), *frame())
    last = explain(ranking, int(ranking.ranking[-1]), *frame())
    text = Page(text).text
    assert text.index(" ".join(first.sentences)) < text.index(" ".join(last.sentences))


def test_reasons_of_a_study_take_its_covariates(tmp_path):
    X, y = frame()
    path = tmp_path / "study.html"
    study = {"covariates": X.iloc[:, [0]].to_numpy() ** 2}
    ranking = rank_arrays(X, y, "relieff", **study)
    write_report(ranking, path, X, y, **study)
    sentences = explain(ranking, int(ranking.ranking[0]), X, y, **study).sentences
    assert " ".join(sentences) in Page(page_of(path)).text


def test_weights_of_rows_have_no_reasons(tmp_path):
    X, y = frame()
    path = tmp_path / "weights.html"
    weights = {"sample_weight": np.linspace(1, 2, len(X))}
    write_report(rank_arrays(X, y, "relieff", **weights), path, X, y, **weights)
    assert "Values of the best features" in page_of(path)
    assert "near rows" not in page_of(path)


def test_stability_of_the_list(tmp_path):
    X, y = frame()
    ranking = rank_arrays(X, y, "relieff")
    numbers = X.select_dtypes("number")

    def scores(X, y):
        return rank_arrays(X, y, "relieff").scores

    stability = stability_selection(scores, X, y, n_best=1, n_pairs=4)
    path = tmp_path / "stable.html"
    write_report(ranking, path, stability=stability)
    columns = columns_of(page_of(path))
    np.testing.assert_allclose(columns["selected"], stability.frequencies[ranking.ranking], rtol=6e-3)
    assert "most of 8 random halves of the rows agree" in Page(page_of(path)).text
    fewer = stability_selection(scores, numbers, y, n_best=1, n_pairs=1)
    with pytest.raises(ValueError, match=f"stability is of {numbers.shape[1]} features, but the ranking has 4"):
        write_report(ranking, path, stability=fewer)


def test_bad_input(tmp_path):
    X, y = frame()
    ranking = rank_arrays(X, y, "relieff")
    with pytest.raises(ValueError, match=r"ends in \.html, not 'result\.pdf'"):
        write_report(ranking, "result.pdf")
    with pytest.raises(ValueError, match="X has 3 features, but the ranking has 4"):
        write_report(ranking, tmp_path / "a.html", X.iloc[:, :3], y)
    with pytest.raises(TypeError, match="must be a Ranking, not ndarray"):
        write_report(ranking.scores, tmp_path / "a.html")
    with pytest.raises(OSError, match="no-such"):
        write_report(ranking, tmp_path / "no-such" / "a.html")
    assert not list(tmp_path.iterdir())
