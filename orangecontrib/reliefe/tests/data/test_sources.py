"""Tables that come in pieces rank as arrays do, or are refused in words."""

import subprocess
import sys

import numpy as np
import pytest
from scipy import sparse

from orangecontrib.reliefe.core import rank, scratch_files
from orangecontrib.reliefe.core.data import sources
from orangecontrib.reliefe.core.data.scratch import in_file
from orangecontrib.reliefe.core.data.table import DataTable
from orangecontrib.reliefe.core.data.table_files import open_table
from orangecontrib.reliefe.tests.samples import SMALL

N, P = (40, 6) if SMALL else (300, 8)


def data(kind="u1"):
    X = np.random.default_rng(0).integers(0, 3, (N, P)).astype(kind)
    return X, (X[:, 0].astype(int) + X[:, 1] > 2).astype(int)


def dask_array(X, folder):
    return pytest.importorskip("dask.array").from_array(X, chunks=(17, 3))


def hdf5(X, folder):
    return pytest.importorskip("h5py").File(folder / "x.h5", "w").create_dataset("X", data=X, chunks=(9, 2))


def hdf5_in_one_piece(X, folder):
    return pytest.importorskip("h5py").File(folder / "x.h5", "w").create_dataset("X", data=X)


def zarr_array(X, folder):
    zarr = pytest.importorskip("zarr")
    out = zarr.create_array(store=str(folder / "x.zarr"), shape=X.shape, chunks=(13, P), dtype=X.dtype)
    out[:] = X
    return out


def arrow(X, folder):
    return pytest.importorskip("pyarrow").table({f"g{j}": X[:, j] for j in range(P)})


def batch(X, folder):
    return arrow(X, folder).to_batches()[0]


def parquet(X, folder):
    parquet = pytest.importorskip("pyarrow.parquet")
    parquet.write_table(arrow(X, folder), folder / "x.parquet", row_group_size=11)
    return parquet.ParquetFile(folder / "x.parquet")


def dataset(X, folder):
    parquet(X, folder)
    return pytest.importorskip("pyarrow.dataset").dataset(folder / "x.parquet")


def feather(X, folder):
    pa = pytest.importorskip("pyarrow")
    pytest.importorskip("pyarrow.feather").write_feather(arrow(X, folder), folder / "x.feather")
    return pa.ipc.open_file(pa.memory_map(str(folder / "x.feather"))).read_all()


@pytest.mark.parametrize("kind", ["u1", "f4"])
@pytest.mark.parametrize(
    "made", [dask_array, hdf5, hdf5_in_one_piece, zarr_array, arrow, batch, parquet, dataset, feather]
)
def test_same_bits_as_an_array(made, kind, tmp_path, monkeypatch):
    monkeypatch.setattr(sources, "CHUNK_BYTES", 40)
    X, y = data(kind)
    with scratch_files(above=0):
        piecewise = made(X, tmp_path)
        assert in_file(DataTable.read(piecewise, narrow=True).values)
        found = rank(piecewise, y, "relieff", n_neighbors=3)
    assert found.scores.tobytes() == rank(X, y, "relieff", n_neighbors=3).scores.tobytes()


def test_arrow_columns_are_read_as_those_of_a_data_frame():
    pa = pytest.importorskip("pyarrow")
    texts, codes = ["x", "y", None, "x"] * 5, ["u", "v", "u", None] * 5
    columns = {
        "text": pa.chunked_array([pa.array(texts[:7]), pa.array(texts[7:])]),
        "whole": pa.array([1, None, 3, 4] * 5, pa.int8()),
        "codes": pa.chunked_array([pa.array(c).dictionary_encode() for c in (codes[:7], codes[7:])]),
        "either": [True, False, None, True] * 5,
        "number": pa.array(np.arange(20) / 3),
    }
    table = pa.table(columns)
    found, wanted = DataTable.read(table), DataTable.read(table.to_pandas())
    np.testing.assert_array_equal(found.values, wanted.values)
    assert found.nominal.tolist() == wanted.nominal.tolist()
    assert found.names == wanted.names


def test_short_columns_stay_short():
    pa = pytest.importorskip("pyarrow")
    X, _ = data()
    for kinds, wanted in (
        (("u1", "i1"), np.int16),
        (("u1", "f4"), np.float32),
        (("i4", "f4"), np.float64),
        (("u8", "i8"), np.float64),
    ):
        table = pa.table({kind: X[:, 0].astype(kind) for kind in kinds})
        assert sources.copy(table).values.dtype == wanted
    lacking = pa.table({"a": pa.array([1, None, 2], pa.uint8())})
    assert sources.copy(lacking).values.dtype == np.float32


def refused(X, match):
    with pytest.raises(ValueError, match=match):
        rank(X, np.arange(N) % 2, "relieff")


def test_dask_array_with_unknown_chunks():
    X = dask_array(data()[0], None)
    refused(X[X[:, 0] > 0], "chunks of unknown sizes: call X.compute_chunk_sizes")


def test_missing_values_among_whole_numbers():
    da = pytest.importorskip("dask.array")
    X = dask_array(data()[0], None)
    refused(da.ma.masked_equal(X, 2), "rows .* hold float64, but X says uint8: where values are missing")
    refused(X.map_blocks(lambda b: b + 0.5, dtype="u1"), "rows .* hold float64, but X says uint8")


def test_chunks_by_columns():
    zeros = pytest.importorskip("dask.array").zeros
    refused(zeros((200_000, 5000), chunks=(200_000, 1)), "chunks of 200,000 rows, .*by rows, at most 6,710 in a chunk")


def test_pieces_of_another_shape():
    X = dask_array(data()[0], None)
    refused(X.map_blocks(lambda b: b[:1], dtype="u1", chunks=X.chunks), "rows 0 to .* of X have the shape")


@pytest.mark.parametrize("error", [OSError, ZeroDivisionError, TypeError, IndexError, AttributeError, EOFError])
def test_pieces_that_cannot_be_read(error):
    def broken(block):
        raise error("the disk is gone")

    refused(
        dask_array(data()[0], None).map_blocks(broken, dtype="u1", meta=np.zeros((0, 0), "u1")),
        "rows 0 to .* of X cannot be read: the disk is gone",
    )


def test_a_broken_page(tmp_path):
    readers = [parquet(data()[0], tmp_path), dataset(data()[0], tmp_path)]
    path = tmp_path / "x.parquet"
    content = bytearray(path.read_bytes())
    content[4:10] = b"\xff" * 6
    path.write_bytes(content)
    readers.append(open_table(str(path))[0])
    for reader, name in zip(readers, ("X", f"X .{path}.", f"X .{path}."), strict=True):
        refused(reader, f"{name} cannot be read behind its first 0 rows: ")


@pytest.mark.parametrize(
    "wrong, match",
    [
        (2**30, "csr.*it has 1,073,741,825 features, and at most 1,048,576"),
        (2**22, "csr.*and at most 1,048,576 are read from a file of .* values"),
        (-1, "lie"),
    ],
)
def test_an_index_far_away(wrong, match, tmp_path):
    rows = sparse.csr_array(data("f8")[0])
    rows.indices[3] = wrong
    (tmp_path / "csr").mkdir()
    for part in ("data", "indices", "indptr"):
        np.save(tmp_path / "csr" / f"{part}.npy", getattr(rows, part))
    with pytest.raises(ValueError, match=match):
        rank(open_table(str(tmp_path / "csr"))[0], np.arange(N) % 2, "relieff")


def test_closed_file(tmp_path):
    X = hdf5(data()[0], tmp_path)
    X.file.close()
    refused(X, "X cannot be read")


@pytest.mark.parametrize("kind", ["S3", "c16", "M8[s]"])
def test_types_that_are_no_numbers(kind):
    refused(pytest.importorskip("dask.array").zeros((N, P), dtype=kind), "X must hold numbers, not values of type")


def test_columns_that_are_no_numbers():
    pa = pytest.importorskip("pyarrow")
    refused(pa.table({"parts": pa.array([[1]] * N)}), "the column parts of X must hold numbers")


def test_other_dimensions():
    refused(pytest.importorskip("dask.array").zeros((N, P, 2)), "X must have two dimensions")


def test_sparse_matrix_in_mapped_files(tmp_path):
    X, y = data("f8")
    rows = sparse.csr_array(X)
    parts = []
    for name in ("data", "indices", "indptr"):
        np.save(tmp_path / f"{name}.npy", getattr(rows, name))
        parts.append(np.load(tmp_path / f"{name}.npy", mmap_mode="r"))
    found = rank(sparse.csr_array(tuple(parts), shape=X.shape), y, "relieff", n_neighbors=3)
    assert found.scores.tobytes() == rank(rows, y, "relieff", n_neighbors=3).scores.tobytes()


def test_libraries_are_not_imported():
    code = "import sys, orangecontrib.reliefe.core.data.sources; print(*sys.modules)"
    names = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout.split()
    assert not {"dask", "h5py", "zarr", "pyarrow"} & set(names)


def test_table_of_orange_with_an_array_of_dask():
    from Orange.data import ContinuousVariable, DiscreteVariable, Domain, Table

    from orangecontrib.reliefe.orange.conversion import arrays

    X, y = data("f8")
    domain = Domain([ContinuousVariable(f"g{j}") for j in range(P)], DiscreteVariable("y", values=("a", "b")))
    table = Table.from_numpy(domain, X, y)
    table._X = dask_array(X, None)  # as tables of Orange's branch for dask have it
    np.testing.assert_array_equal(arrays(table).X, X)


def test_texts_that_point_outside_of_their_bytes():
    """As in a damaged .feather; Arrow looks at no offset before it reads the texts, which ends the process."""
    pa = pytest.importorskip("pyarrow")
    offsets = np.array([0, 1, 10**8, 3, 4], np.int32)
    texts = pa.StringArray.from_buffers(4, pa.py_buffer(offsets), pa.py_buffer(b"abcd"))
    table = pa.table({"text": texts, "number": [1.0, 2.0, 3.0, 4.0]})
    with pytest.raises(ValueError, match=r"X cannot be read behind its first 0 rows: .*offset .* out of bounds"):
        rank(table, [0, 1, 0, 1], "relieff", n_neighbors=1)
