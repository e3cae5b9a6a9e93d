"""Frames and series of every library rank as those of pandas do."""

import subprocess
import sys
from datetime import date, datetime, time, timedelta, timezone
from decimal import Decimal

import numpy as np
import pandas as pd
import pytest
from sklearn.pipeline import make_pipeline

from orangecontrib.reliefe.core import Survival, rank
from orangecontrib.reliefe.core.data import frames
from orangecontrib.reliefe.core.data.arrays import cells, numbers
from orangecontrib.reliefe.core.data.table import DataTable
from orangecontrib.reliefe.core.estimators import ForestClassifier, ForestRanker, MultiSURF, ReliefF
from orangecontrib.reliefe.core.evaluation import stability_selection

pl = pytest.importorskip("polars")
pa = pytest.importorskip("pyarrow")

N = 30
RNG = np.random.default_rng(0)
LETTERS = [None if k % 7 == 3 else "abc"[k % 3] for k in range(N)]
DAYS = [None if k % 9 == 4 else date(2020, 1, 1) + timedelta(days=k * k) for k in range(N)]
COLUMNS = {
    "number": RNG.random(N).tolist(),
    "with gaps": [None if k % 5 == 2 else k / 3 for k in range(N)],
    "whole": [k % 4 for k in range(N)],
    "whole with gaps": [None if k % 6 == 1 else k % 5 for k in range(N)],
    "text": [letter or "" for letter in LETTERS],
    "text with gaps": LETTERS,
    "either": [k % 3 == 0 for k in range(N)],
    "either with gaps": [None if k % 4 == 1 else k % 3 == 0 for k in range(N)],
}
Y = [("yes", "no")[k % 3 == 0] for k in range(N)]


def lazy(columns):
    duckdb = pytest.importorskip("duckdb")
    table = pa.table(columns)
    return duckdb.connect().from_arrow(table)


LIBRARIES = {
    "polars": pl.DataFrame,
    "polars, lazy": lambda columns: pl.DataFrame(columns).lazy(),
    "arrow": pa.table,
    "arrow, in pieces": lambda columns: pa.concat_tables([pa.table(columns)[:7], pa.table(columns)[7:]]),
    "duckdb": lazy,
}


@pytest.fixture(params=LIBRARIES)
def library(request):
    """Maker of frames from columns."""
    return LIBRARIES[request.param]


def assert_same_tables(found, wanted):
    found, wanted = DataTable.read(found), DataTable.read(wanted)
    np.testing.assert_array_equal(found.values, wanted.values)
    assert found.nominal.tolist() == wanted.nominal.tolist()
    assert found.names == wanted.names


def test_values_names_and_kinds_of_columns(library):
    assert_same_tables(library(COLUMNS), pd.DataFrame(COLUMNS))


def test_rankings_are_those_of_pandas(library):
    found = rank(library(COLUMNS), Y, "relieff", n_neighbors=3)
    wanted = rank(pd.DataFrame(COLUMNS), Y, "relieff", n_neighbors=3)
    assert found.scores.tobytes() == wanted.scores.tobytes()
    assert found.best(3) == wanted.best(3)


@pytest.mark.parametrize("name, values, of_pandas", [
    ("days", DAYS, pd.to_datetime(pd.Series(DAYS))),
    ("moments", [datetime(2020, 1, 1, k % 24) for k in range(N)], None),
    ("moments of a zone", [datetime(2020, 1, 1, k % 24, tzinfo=timezone.utc) for k in range(N)], None),
    ("lengths", [None if k == 3 else timedelta(seconds=k * k) for k in range(N)], None),
    ("decimals", [None if k == 3 else Decimal(k) / 4 for k in range(N)],
     pd.Series([np.nan if k == 3 else k / 4 for k in range(N)])),
    ("times", [None if k == 3 else time(k % 24, k) for k in range(N)],
     pd.Series([np.nan if k == 3 else (k % 24 * 60 + k) * 60 for k in range(N)])),
])  # fmt: skip
def test_dates_times_and_decimals_are_numbers(library, name, values, of_pandas):
    if library is lazy and name == "lengths":
        pytest.skip("DuckDB's intervals have months, whose lengths differ: they are refused")
    wanted = pd.DataFrame({name: values if of_pandas is None else of_pandas})
    assert_same_tables(library({name: values}), wanted)
    assert not DataTable.read(wanted).nominal.any()
    assert_same_tables(pd.DataFrame({name: pd.Series(values, dtype=object)}), wanted)


def test_types_of_pandas():
    """Those that wrap Arrow, times of a zone and nullable ones: as the usual ones."""
    plain = pd.DataFrame({name: COLUMNS[name] for name in ("number", "whole", "text", "with gaps", "either")})
    for other in (plain.convert_dtypes(), plain.convert_dtypes(dtype_backend="pyarrow")):
        assert_same_tables(other, plain)
    when = pd.Series(pd.date_range("2020", periods=N, freq="h"))
    zones = pd.DataFrame({"when": when.dt.tz_localize("UTC").dt.tz_convert("Asia/Tokyo")})
    assert_same_tables(zones, pd.DataFrame({"when": when}))
    assert_same_tables(zones.astype(pd.ArrowDtype(pa.timestamp("ns", "Asia/Tokyo"))), pd.DataFrame({"when": when}))
    for kind in ("float16", "float128", "Sparse[int]", "uint64"):
        whole = pd.DataFrame({"a": pd.Series(range(N)).astype(kind), "b": COLUMNS["text"]})
        assert DataTable.read(whole).values[:, 0].tolist() == list(range(N))
    periods = DataTable.read(pd.DataFrame({"month": pd.period_range("2020", periods=N, freq="M"), "x": range(N)}))
    assert periods.nominal.tolist() == [True, False]


@pytest.mark.parametrize(
    "column",
    [
        pl.Series("kind", LETTERS, pl.Categorical),
        pl.Series("kind", LETTERS, pl.Enum(["c", "b", "a", "unused"])),
        pa.chunked_array([pa.array(LETTERS).dictionary_encode()]),
    ],
)
def test_categories(column):
    frame = pl.DataFrame([column]) if isinstance(column, pl.Series) else pa.table({"kind": column})
    assert_same_tables(frame, pd.DataFrame({"kind": pd.Categorical(LETTERS)}))
    assert rank(frame, column, "relieff", n_neighbors=3).info["classes"] == 3


def test_objects_of_several_kinds_are_categories():
    mixed = pd.DataFrame({"odd": pd.Series([Decimal(1), 2, date(2020, 1, 1)] * 10, dtype=object)})
    assert DataTable.read(mixed).nominal.all()
    assert DataTable.read(mixed).values[:4, 0].tolist() == [0, 1, 2, 0]


def test_integers_of_128_bits():
    wide = pl.Series("wide", [None, *(10**25 * k for k in range(1, N))], pl.Int128)
    assert DataTable.read(pl.DataFrame([wide])).values[1:, 0].tolist() == [float(10**25 * k) for k in range(1, N)]
    assert rank(RNG.random((N, 3)), wide, "rrelieff").info["task"] == "regression"


def test_columns_without_a_value():
    for empty in (pl.DataFrame({"none": [None] * N}), pa.table({"none": pa.nulls(N)})):
        assert np.isnan(DataTable.read(empty).values).all()


def test_names_that_occur_twice():
    values = RNG.random((N, 2))
    twice = pd.DataFrame(values, columns=["a", "a"])
    assert_same_tables(pa.table([pa.array(column) for column in values.T], names=["a", "a"]), twice)
    assert DataTable.read(twice).names == ("a", "a")


@pytest.mark.parametrize("values", [[[1]] * N, [{"a": 1}] * N])
def test_collections_are_refused(values):
    for frame in (pl.DataFrame({"odd": values}), pa.table({"odd": values}), pd.DataFrame({"odd": values})):
        with pytest.raises(ValueError, match="the column odd of X must hold numbers, texts or categories, not"):
            rank(frame, Y, "relieff")


@pytest.mark.parametrize("values, task", [
    (Y, "classification"), ([None, *Y[1:]], "classification"), (COLUMNS["either with gaps"], "classification"),
    (COLUMNS["whole with gaps"], "classification"), (COLUMNS["with gaps"], "regression"),
    ([None if k == 3 else Decimal(k) / 4 for k in range(N)], "regression"),
])  # fmt: skip
def test_targets(values, task):
    X, method = RNG.random((N, 4)), {"classification": "relieff", "regression": "rrelieff"}[task]
    wanted = rank(X, pd.Series(values, dtype=object), method, n_neighbors=3)
    assert wanted.info["task"] == task
    array = pa.array(values)
    for y in (pl.Series(values), array, pa.chunked_array([array[:9], array[9:]]), pl.DataFrame({"y": values}).lazy()):
        found = rank(X, y, method, n_neighbors=3)
        assert found.info["task"] == task
        assert found.scores.tobytes() == wanted.scores.tobytes()


def test_several_targets_covariates_groups_and_times(library):
    X = RNG.random((N, 4))
    both = {"a": COLUMNS["number"], "b": COLUMNS["text"]}
    found, wanted = (rank(X, made(both), "rrelieff") for made in (library, pd.DataFrame))
    assert found.scores.tobytes() == wanted.scores.tobytes()
    assert found.targets == wanted.targets == ("a", "b")
    people = [k // 2 for k in range(N)]
    found, wanted = (
        rank(X, Y, "multisurf", covariates=made({"age": COLUMNS["number"]}), groups=groups)
        for made, groups in ((library, pl.Series(people)), (pd.DataFrame, people))
    )
    assert found.scores.tobytes() == wanted.scores.tobytes()
    times, events = RNG.random(N), RNG.integers(0, 2, N)
    found = rank(X, library({"time": times.tolist(), "event": events.tolist()}), "surf", task="survival")
    assert found.scores.tobytes() == rank(X, Survival(times, events), "surf").scores.tobytes()
    found = rank(X, Survival(pl.Series(times), pa.array(events)), "surf")
    assert found.scores.tobytes() == rank(X, Survival(times, events), "surf").scores.tobytes()


def test_arrays_of_cells():
    both = pl.DataFrame({"a": [1, 2], "b": [0.5, None]})
    np.testing.assert_array_equal(cells(both, "y"), [[1, 0.5], [2, np.nan]])
    assert cells(pl.Series([1, None]), "y").tolist() == [1, None]
    assert numbers(pl.Series([1, None, 3]), "y").dtype == np.float64
    with pytest.raises(ValueError, match="X, column b, must hold numbers, not texts"):
        numbers(pl.DataFrame({"a": [1], "b": ["x"]}), "X")


def test_halves_of_a_frame():
    def ranker(X, y):
        return rank(X, y, "relieff", n_neighbors=3)

    frame = pl.DataFrame({name: COLUMNS[name] for name in ("number", "whole", "text")})
    found = stability_selection(ranker, frame, pl.Series(Y), 1, n_pairs=2)
    wanted = stability_selection(ranker, frame.to_pandas(), Y, 1, n_pairs=2)
    np.testing.assert_array_equal(found.scores, wanted.scores)


@pytest.mark.parametrize("ranker", [ReliefF(n_neighbors=3), MultiSURF(), ForestRanker(n_trees=3)])
def test_estimators(ranker, library):
    names = ["number", "whole", "text", "text with gaps"]
    frame = library({name: COLUMNS[name] for name in names})
    ranker.set_params(n_features_to_select=2).fit(frame, pl.Series(Y))
    assert ranker.feature_names_in_.tolist() == names
    wanted = ranker.get_feature_names_out().tolist()
    for output in ("polars", "pandas"):
        found = make_pipeline(ranker).set_output(transform=output).transform(frame)
        assert type(found).__module__.startswith(output)
        assert list(found.columns) == wanted
    assert found[wanted[0]].tolist() == COLUMNS[wanted[0]]
    ranker.set_output(transform="default")
    assert ranker.transform(frame).shape == (N, 2)
    with pytest.raises(ValueError, match="feature names should match"):
        ranker.set_output(transform="polars").transform(library({"other": [1], "names": [2], "c": [1], "d": [1]}))


def test_columns_without_a_common_type_stay_a_frame(library):
    days = [datetime(2020, 1, 1) + timedelta(days=k) for k in range(N)]
    columns = {"whole": COLUMNS["whole"], "day": days}
    found = ReliefF(n_features_to_select=2, n_neighbors=3).fit(library(columns), Y).transform(library(columns))
    assert frames.names(found) == ["whole", "day"]
    assert type(found) is type(frames.collected(library(columns)))
    assert next(iter(frames.columns(found))).to_list() == COLUMNS["whole"]


def test_types_of_selected_columns_stay(library):
    frame = frames.collected(library(COLUMNS))
    ranker = ReliefF(n_features_to_select=8, n_neighbors=3).set_output(transform="polars")
    found = ranker.fit_transform(frame, Y)
    assert found.schema == pl.DataFrame(COLUMNS).schema


def test_forests_know_categories_of_other_libraries(library):
    names = ["number", "text with gaps"]
    columns = {name: COLUMNS[name] for name in names}
    y = ["a" if letter == "a" else "other" for letter in LETTERS]
    model = ForestClassifier(10).fit(library(columns), y)
    of_pandas = ForestClassifier(10).fit(pd.DataFrame(columns), y)
    new = {"number": [0.5, 0.5, 0.5], "text with gaps": ["new", None, "a"]}
    np.testing.assert_array_equal(model.predict_proba(library(new)), of_pandas.predict_proba(pd.DataFrame(new)))
    assert model.predict(library(new))[2] == "a"


def test_narwhals_is_imported_for_frames_only():
    code = (
        "import sys\nimport numpy as np\nfrom orangecontrib.reliefe.core.data.table import DataTable\n"
        "DataTable.read(np.eye(3))\nsys.exit('narwhals' in sys.modules or 'pandas' in sys.modules)"
    )
    subprocess.run([sys.executable, "-c", code], check=True, timeout=60)
