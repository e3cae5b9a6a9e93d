"""Principal components of genotypes, and the inflation of p-values."""

import numpy as np
import pytest
from scipy import stats
from threadpoolctl import threadpool_limits

from orangecontrib.reliefe.command.cli import main
from orangecontrib.reliefe.core import Interrupted, Packed, components, genomic_inflation
from orangecontrib.reliefe.genetics import Filters, rank_genotypes
from orangecontrib.reliefe.genetics.manhattan import band, inflation
from orangecontrib.reliefe.tests.genetics.studies import write_bed


def three_populations(n, p, fst, seed=0):
    """Genotypes by the frequencies of Balding and Nichols (1995)."""
    rng = np.random.default_rng(seed)
    pop, f = rng.integers(0, 3, n), rng.uniform(0.1, 0.9, p)
    a = (1 - fst) / fst
    return rng.binomial(2, rng.beta(f * a, (1 - f) * a, (3, p))[pop]), pop


def exact(codes):
    """Components by a decomposition of the whole matrix."""
    known = np.where(codes < 0, np.nan, codes)
    f = np.nanmean(known, axis=0) / 2
    A = np.nan_to_num((known - 2 * f) / np.sqrt(2 * f * (1 - f)))
    values, vectors = np.linalg.eigh(A @ A.T / A.shape[1])
    return vectors[:, ::-1], values[::-1]


@pytest.mark.parametrize("n, p, fst", [(120, 6000, 0.05), pytest.param(1000, 20_000, 0.01, marks=pytest.mark.slow)])
def test_components_are_those_of_the_whole_matrix(n, p, fst):
    codes, _ = three_populations(n, p, fst)
    codes[np.random.default_rng(1).random(codes.shape) < 0.01] = -1
    for additive in (False, True):
        found, values = components(Packed.of(codes, additive), 3)
        vectors, expected = exact(codes)
        assert (np.abs((found * vectors[:, :3]).sum(axis=0))[:2] > 0.999).all()
        np.testing.assert_allclose(values[:2], expected[:2], rtol=1e-3)
        np.testing.assert_allclose((found**2).sum(axis=0), 1, rtol=1e-5)


def test_components_can_be_stopped():
    def stop(share):
        if share > 0.5:
            raise Interrupted

    with pytest.raises(Interrupted):
        components(Packed.of(np.random.default_rng(0).integers(0, 3, (20, 30))), 2, progress=stop)


def test_components_have_the_same_bits_for_any_number_of_threads():
    """Those of BLAS, which must have enough to do to take them; SERIAL_ALGEBRA leaves it one."""
    packed = Packed.of(three_populations(300, 5000, 0.05)[0])
    found = []
    for threads in range(1, 5):
        with threadpool_limits(threads):
            found.append(components(packed, 3))
    assert len({coordinates.tobytes() + values.tobytes() for coordinates, values in found}) == 1


def test_inflation():
    p = (np.arange(1, 1000) - 0.5) / 999
    assert abs(genomic_inflation(p) - 1) < 1e-6
    assert genomic_inflation(p**2) > 2
    assert inflation(p) == "lambda 1.00"
    assert inflation(p**2).endswith(", rows that belong together, or many small effects")
    assert genomic_inflation(p**2) == pytest.approx(np.median(stats.chi2.isf(p**2, 1)) / stats.chi2.median(1))
    with pytest.raises(ValueError, match="above 0"):
        genomic_inflation([0.0, 0.5])
    with pytest.raises(TypeError, match="packed genotypes"):
        components(np.zeros((3, 3)))
    with pytest.raises(ValueError, match="k must be"):
        components(Packed.of(np.zeros((4, 3), int)), 4)


@pytest.mark.parametrize("m", [1, 7, 100_000])
def test_the_band_is_that_of_order_statistics(m):
    i, low, high = band(m)
    assert (i[0], i[-1]) == (1, m)
    for found, share in ((low, 0.025), (high, 0.975)):
        np.testing.assert_allclose(found, stats.beta(i, m - i + 1).ppf(share), rtol=1e-9)


def test_single_variants_show_the_inflation_that_relief_does_not(tmp_path):
    codes, pop = three_populations(200, 600, 0.1)
    rng = np.random.default_rng(3)
    path = write_bed(tmp_path, codes, 1 + (rng.random(200) < 0.2 + 0.3 * pop))
    by_components = {}
    for k in (0, 2):
        found = rank_genotypes(path, method="multisurf", n_components=k, significance=5)
        by_components[k] = [genomic_inflation(p) for p in (found.significance.p, found.single_variants)]
    assert by_components[0][0] < 1.5
    assert by_components[0][1] > 2.5
    assert by_components[2][1] < 1.2


def test_single_variants_are_tested_by_the_trend(tmp_path):
    """Those of Armitage (1955): N r^2 of the allele count and the class is chi-square."""
    codes, _ = three_populations(80, 30, 0.1)
    codes[::7, 3] = -1
    ill = np.random.default_rng(4).random(80) < 0.4
    found = rank_genotypes(write_bed(tmp_path, codes, 1 + ill), significance=3, filters=Filters(1, 1, 0))
    assert rank_genotypes(write_bed(tmp_path, codes, 1 + ill), filters=Filters(1, 1, 0)).single_variants is None
    for name, p in zip(found.variants.name, found.single_variants, strict=True):
        x = codes[:, int(name.removeprefix("rs"))].astype(float)
        x[x < 0] = x[x >= 0].mean()
        assert p == pytest.approx(stats.chi2.sf(80 * np.corrcoef(x, ill)[0, 1] ** 2, 1), rel=1e-4)


def test_genotypes_are_adjusted_for_components(tmp_path, capsys):
    codes, pop = three_populations(90, 400, 0.1)
    rng = np.random.default_rng(2)
    path = write_bed(tmp_path, codes, 1 + (rng.random(90) < 0.2 + 0.3 * pop))
    plain, adjusted = (rank_genotypes(path, method="multisurf", n_components=k) for k in (0, 2))
    assert any(text.startswith("adjusted for component 1, component 2") for text in adjusted.info["information"])
    assert np.abs(plain.scores - adjusted.scores).max() > 1e-3
    assert main(["rank", str(path), "--method", "multisurf", "--components", "2", "--significance", "3"]) == 0
    out = capsys.readouterr().out
    assert "adjusted for component 1" in out
    assert "genomic inflation of tests of single variants: lambda" in out
    with pytest.raises(ValueError, match="90 people have no 90 components: ask for at most 89"):
        rank_genotypes(path, n_components=90)
    with pytest.raises(ValueError, match="cannot go on from a file"):
        rank_genotypes(path, n_components=2, resume=tmp_path / "kept.npz")
