"""The methods behind scikit-learn's interface; written by doc/write_estimators.py."""

from typing import Literal

from .forests import ForestClassifier as ForestClassifier
from .forests import ForestRegressor as ForestRegressor
from .named import MethodRanker, WeightedMethodRanker
from .named import expected_failed_checks as expected_failed_checks
from .rankers import ForestRanker as ForestRanker
from .rankers import ReliefRanker as ReliefRanker

__all__ = [
    'ForestClassifier',
    'ForestRanker',
    'ForestRegressor',
    'ReliefRanker',
    'expected_failed_checks',
    'ReliefE',
    'Relief',
    'ReliefA',
    'ReliefF',
    'EReliefF',
    'RelievedF',
    'ReliefMSS',
    'RReliefF',
    'SURF',
    'SURFStar',
    'MultiSURF',
    'MultiSURFStar',
    'SWRFStar',
    'SWRF',
    'MultiSWRF',
    'MultiSWRFStar',
    'MultiSWRFDB',
    'MultiSWRFDBStar',
    'MuRelief',
    'URelief',
    'ResidualRelief',
    'ReliefSeq',
    'IterativeRelief',
    'IRELIEF',
    'IRELIEFonline',
    'LOGO',
    'LHRELIEF',
    'SSLRelief',
    'PCT',
    'BoostedRelief',
    'LearnedSpaceRelief',
    'BoostedLearnedSpaceRelief',
    'LaplacianScore',
    'SPEC',
    'MCFS',
    'NDFS',
    'AgnoSS',
    'SemiSupervisedLaplacianScore',
    'MutualInformation',
    'RandomForest',
    'CoxScoreTest',
    'TuRF',
    'VLSRelief',
    'IVLSRelief',
    'EvaporativeCooling',
]

class ReliefE(MethodRanker):
    def __init__(
        self,
        *,
        n_neighbors: int | Literal['adaptive'] = 15,
        embedding: object | Literal['umap', 'pca'] | None = 'umap',
        dimension: int | Literal['auto'] = 'auto',
        distance: Literal['euclidean', 'cosine'] = 'euclidean',
        average: bool = False,
        sparsified: Literal['auto', 'yes', 'no'] = 'auto',
        n_representatives: int = 2048,
        n_repeats: int = 1,
        target_distance: object | Literal['f1', 'hamming', 'accuracy', 'subset', 'cosine', 'hyperbolic'] = 'f1',
        pooled: bool = False,
        per_target: bool = False,
        preset: Literal['paper'] | None = None,
        n_instances: int | float | Literal['converge'] | None = None,
        missing: Literal['class-conditional', 'ignore', 'uniform', 'separate', 'clus'] | None = None,
        ramp: bool | tuple[float, float] = False,
        diff: Literal['range', 'rank', 'presence', 'auto'] = 'range',
        n_features_to_select: int | float | str | None = None,
        alpha: float = 0.1,
        nominal: object = None,
        task: str | None = None,
        random_state: object = 0,
        n_jobs: int | None = None,
    ) -> None: ...

class Relief(MethodRanker):
    def __init__(
        self,
        *,
        ties: Literal['index', 'average'] = 'index',
        power: int = 1,
        n_instances: int | float | Literal['converge'] | None = None,
        missing: Literal['class-conditional', 'ignore', 'uniform', 'separate', 'clus'] | None = None,
        ramp: bool | tuple[float, float] = False,
        diff: Literal['range', 'rank', 'presence', 'auto'] = 'range',
        distance: Literal['manhattan', 'cosine'] = 'manhattan',
        n_features_to_select: int | float | str | None = None,
        alpha: float = 0.1,
        nominal: object = None,
        task: str | None = None,
        random_state: object = 0,
        n_jobs: int | None = None,
    ) -> None: ...

class ReliefA(WeightedMethodRanker):
    def __init__(
        self,
        *,
        n_neighbors: int = 10,
        preset: Literal['Relief-B', 'Relief-C', 'Relief-D'] | None = None,
        n_instances: int | float | Literal['converge'] | None = None,
        missing: Literal['class-conditional', 'ignore', 'uniform', 'separate', 'clus'] | None = None,
        ramp: bool | tuple[float, float] = False,
        diff: Literal['range', 'rank', 'presence', 'auto'] = 'range',
        distance: Literal['manhattan', 'cosine'] = 'manhattan',
        n_features_to_select: int | float | str | None = None,
        alpha: float = 0.1,
        nominal: object = None,
        task: str | None = None,
        random_state: object = 0,
        n_jobs: int | None = None,
    ) -> None: ...

class ReliefF(WeightedMethodRanker):
    def __init__(
        self,
        *,
        n_neighbors: int = 10,
        sigma: float | None = None,
        scheme: Literal['F', 'E'] = 'F',
        preset: Literal['Relief-E'] | None = None,
        n_instances: int | float | Literal['converge'] | None = None,
        missing: Literal['class-conditional', 'ignore', 'uniform', 'separate', 'clus'] | None = None,
        ramp: bool | tuple[float, float] = False,
        diff: Literal['range', 'rank', 'presence', 'auto'] = 'range',
        distance: Literal['manhattan', 'cosine'] = 'manhattan',
        n_features_to_select: int | float | str | None = None,
        alpha: float = 0.1,
        nominal: object = None,
        task: str | None = None,
        random_state: object = 0,
        n_jobs: int | None = None,
    ) -> None: ...

class EReliefF(MethodRanker):
    def __init__(
        self,
        *,
        n_neighbors: int = 10,
        n_instances: int | float | Literal['converge'] | None = None,
        ramp: bool | tuple[float, float] = False,
        distance: Literal['manhattan', 'cosine'] = 'manhattan',
        n_features_to_select: int | float | str | None = None,
        alpha: float = 0.1,
        nominal: object = None,
        task: str | None = None,
        random_state: object = 0,
        n_jobs: int | None = None,
    ) -> None: ...

class RelievedF(MethodRanker):
    def __init__(
        self,
        *,
        n_neighbors: int = 10,
        n_instances: int | float | Literal['converge'] | None = None,
        missing: Literal['class-conditional', 'ignore', 'uniform', 'separate', 'clus'] | None = 'separate',
        ramp: bool | tuple[float, float] = False,
        diff: Literal['range', 'rank', 'presence', 'auto'] = 'range',
        distance: Literal['manhattan', 'cosine'] = 'manhattan',
        n_features_to_select: int | float | str | None = None,
        alpha: float = 0.1,
        nominal: object = None,
        task: str | None = None,
        random_state: object = 0,
        n_jobs: int | None = None,
    ) -> None: ...

class ReliefMSS(MethodRanker):
    def __init__(
        self,
        *,
        n_neighbors: int = 10,
        n_instances: int | float | Literal['converge'] | None = None,
        missing: Literal['class-conditional', 'ignore', 'uniform', 'separate', 'clus'] | None = None,
        ramp: bool | tuple[float, float] = False,
        diff: Literal['range', 'rank', 'presence', 'auto'] = 'range',
        distance: Literal['manhattan', 'cosine'] = 'manhattan',
        n_features_to_select: int | float | str | None = None,
        alpha: float = 0.1,
        nominal: object = None,
        task: str | None = None,
        random_state: object = 0,
        n_jobs: int | None = None,
    ) -> None: ...

class RReliefF(WeightedMethodRanker):
    def __init__(
        self,
        *,
        n_neighbors: int = 70,
        sigma: float | None = 20.0,
        target_distance: Literal['hamming', 'f1', 'accuracy', 'subset'] = 'hamming',
        label_weights: Literal['mean', 'sum', 'max', 'none'] = 'mean',
        label_decay: float = 0.75,
        gamma: Literal['sum', 'max'] = 'sum',
        per_target: bool = False,
        n_instances: int | float | Literal['converge'] | None = None,
        missing: Literal['class-conditional', 'ignore', 'uniform', 'separate', 'clus'] | None = None,
        ramp: bool | tuple[float, float] = False,
        diff: Literal['range', 'rank', 'presence', 'auto'] = 'range',
        distance: Literal['manhattan', 'cosine'] = 'manhattan',
        n_features_to_select: int | float | str | None = None,
        alpha: float = 0.1,
        nominal: object = None,
        task: str | None = None,
        random_state: object = 0,
        n_jobs: int | None = None,
    ) -> None: ...

class SURF(WeightedMethodRanker):
    def __init__(
        self,
        *,
        n_instances: int | float | Literal['converge'] | None = None,
        missing: Literal['class-conditional', 'ignore', 'uniform', 'separate', 'clus'] | None = None,
        ramp: bool | tuple[float, float] = False,
        diff: Literal['range', 'rank', 'presence', 'auto'] = 'range',
        distance: Literal['manhattan', 'cosine'] = 'manhattan',
        n_features_to_select: int | float | str | None = None,
        alpha: float = 0.1,
        nominal: object = None,
        task: str | None = None,
        random_state: object = 0,
        n_jobs: int | None = None,
    ) -> None: ...

class SURFStar(WeightedMethodRanker):
    def __init__(
        self,
        *,
        unit: bool = True,
        n_instances: int | float | Literal['converge'] | None = None,
        missing: Literal['class-conditional', 'ignore', 'uniform', 'separate', 'clus'] | None = None,
        ramp: bool | tuple[float, float] = False,
        diff: Literal['range', 'rank', 'presence', 'auto'] = 'range',
        distance: Literal['manhattan', 'cosine'] = 'manhattan',
        n_features_to_select: int | float | str | None = None,
        alpha: float = 0.1,
        nominal: object = None,
        task: str | None = None,
        random_state: object = 0,
        n_jobs: int | None = None,
    ) -> None: ...

class MultiSURF(WeightedMethodRanker):
    def __init__(
        self,
        *,
        n_instances: int | float | Literal['converge'] | None = None,
        missing: Literal['class-conditional', 'ignore', 'uniform', 'separate', 'clus'] | None = None,
        ramp: bool | tuple[float, float] = False,
        diff: Literal['range', 'rank', 'presence', 'auto'] = 'range',
        distance: Literal['manhattan', 'cosine'] = 'manhattan',
        n_features_to_select: int | float | str | None = None,
        alpha: float = 0.1,
        nominal: object = None,
        task: str | None = None,
        random_state: object = 0,
        n_jobs: int | None = None,
    ) -> None: ...

class MultiSURFStar(WeightedMethodRanker):
    def __init__(
        self,
        *,
        unit: bool = True,
        n_instances: int | float | Literal['converge'] | None = None,
        missing: Literal['class-conditional', 'ignore', 'uniform', 'separate', 'clus'] | None = None,
        ramp: bool | tuple[float, float] = False,
        diff: Literal['range', 'rank', 'presence', 'auto'] = 'range',
        distance: Literal['manhattan', 'cosine'] = 'manhattan',
        n_features_to_select: int | float | str | None = None,
        alpha: float = 0.1,
        nominal: object = None,
        task: str | None = None,
        random_state: object = 0,
        n_jobs: int | None = None,
    ) -> None: ...

class SWRFStar(MethodRanker):
    def __init__(
        self,
        *,
        scale: float = 4.0,
        n_instances: int | float | Literal['converge'] | None = None,
        missing: Literal['class-conditional', 'ignore', 'uniform', 'separate', 'clus'] | None = None,
        ramp: bool | tuple[float, float] = False,
        diff: Literal['range', 'rank', 'presence', 'auto'] = 'range',
        distance: Literal['manhattan', 'cosine'] = 'manhattan',
        n_features_to_select: int | float | str | None = None,
        alpha: float = 0.1,
        nominal: object = None,
        task: str | None = None,
        random_state: object = 0,
        n_jobs: int | None = None,
    ) -> None: ...

class SWRF(MethodRanker):
    def __init__(
        self,
        *,
        scale: float = 4.0,
        n_instances: int | float | Literal['converge'] | None = None,
        missing: Literal['class-conditional', 'ignore', 'uniform', 'separate', 'clus'] | None = None,
        ramp: bool | tuple[float, float] = False,
        diff: Literal['range', 'rank', 'presence', 'auto'] = 'range',
        distance: Literal['manhattan', 'cosine'] = 'manhattan',
        n_features_to_select: int | float | str | None = None,
        alpha: float = 0.1,
        nominal: object = None,
        task: str | None = None,
        random_state: object = 0,
        n_jobs: int | None = None,
    ) -> None: ...

class MultiSWRF(MethodRanker):
    def __init__(
        self,
        *,
        scale: float = 4.0,
        n_instances: int | float | Literal['converge'] | None = None,
        missing: Literal['class-conditional', 'ignore', 'uniform', 'separate', 'clus'] | None = None,
        ramp: bool | tuple[float, float] = False,
        diff: Literal['range', 'rank', 'presence', 'auto'] = 'range',
        distance: Literal['manhattan', 'cosine'] = 'manhattan',
        n_features_to_select: int | float | str | None = None,
        alpha: float = 0.1,
        nominal: object = None,
        task: str | None = None,
        random_state: object = 0,
        n_jobs: int | None = None,
    ) -> None: ...

class MultiSWRFStar(MethodRanker):
    def __init__(
        self,
        *,
        unit: bool = True,
        scale: float = 4.0,
        n_instances: int | float | Literal['converge'] | None = None,
        missing: Literal['class-conditional', 'ignore', 'uniform', 'separate', 'clus'] | None = None,
        ramp: bool | tuple[float, float] = False,
        diff: Literal['range', 'rank', 'presence', 'auto'] = 'range',
        distance: Literal['manhattan', 'cosine'] = 'manhattan',
        n_features_to_select: int | float | str | None = None,
        alpha: float = 0.1,
        nominal: object = None,
        task: str | None = None,
        random_state: object = 0,
        n_jobs: int | None = None,
    ) -> None: ...

class MultiSWRFDB(MethodRanker):
    def __init__(
        self,
        *,
        scale: float = 4.0,
        n_instances: int | float | Literal['converge'] | None = None,
        missing: Literal['class-conditional', 'ignore', 'uniform', 'separate', 'clus'] | None = None,
        ramp: bool | tuple[float, float] = False,
        diff: Literal['range', 'rank', 'presence', 'auto'] = 'range',
        distance: Literal['manhattan', 'cosine'] = 'manhattan',
        n_features_to_select: int | float | str | None = None,
        alpha: float = 0.1,
        nominal: object = None,
        task: str | None = None,
        random_state: object = 0,
        n_jobs: int | None = None,
    ) -> None: ...

class MultiSWRFDBStar(MethodRanker):
    def __init__(
        self,
        *,
        unit: bool = True,
        scale: float = 4.0,
        n_instances: int | float | Literal['converge'] | None = None,
        missing: Literal['class-conditional', 'ignore', 'uniform', 'separate', 'clus'] | None = None,
        ramp: bool | tuple[float, float] = False,
        diff: Literal['range', 'rank', 'presence', 'auto'] = 'range',
        distance: Literal['manhattan', 'cosine'] = 'manhattan',
        n_features_to_select: int | float | str | None = None,
        alpha: float = 0.1,
        nominal: object = None,
        task: str | None = None,
        random_state: object = 0,
        n_jobs: int | None = None,
    ) -> None: ...

class MuRelief(MethodRanker):
    def __init__(
        self,
        *,
        n_neighbors: int = 10,
        n_instances: int | float | Literal['converge'] | None = None,
        missing: Literal['class-conditional', 'ignore', 'uniform', 'separate', 'clus'] | None = None,
        ramp: bool | tuple[float, float] = False,
        diff: Literal['range', 'rank', 'presence', 'auto'] = 'range',
        distance: Literal['manhattan', 'cosine'] = 'manhattan',
        n_features_to_select: int | float | str | None = None,
        alpha: float = 0.1,
        nominal: object = None,
        task: str | None = None,
        random_state: object = 0,
        n_jobs: int | None = None,
    ) -> None: ...

class URelief(MethodRanker):
    def __init__(
        self,
        *,
        n_neighbors: int = 30,
        n_instances: int | float | Literal['converge'] | None = None,
        missing: Literal['class-conditional', 'ignore', 'uniform', 'separate', 'clus'] | None = None,
        ramp: bool | tuple[float, float] = False,
        diff: Literal['range', 'rank', 'presence', 'auto'] = 'range',
        distance: Literal['manhattan', 'cosine'] = 'manhattan',
        n_features_to_select: int | float | str | None = None,
        alpha: float = 0.1,
        nominal: object = None,
        task: str | None = None,
        random_state: object = 0,
        n_jobs: int | None = None,
    ) -> None: ...

class ResidualRelief(WeightedMethodRanker):
    def __init__(
        self,
        *,
        n_instances: int | float | Literal['converge'] | None = None,
        missing: Literal['class-conditional', 'ignore', 'uniform', 'separate', 'clus'] | None = None,
        ramp: bool | tuple[float, float] = False,
        diff: Literal['range', 'rank', 'presence', 'auto'] = 'range',
        distance: Literal['manhattan', 'cosine'] = 'manhattan',
        n_features_to_select: int | float | str | None = None,
        alpha: float = 0.1,
        nominal: object = None,
        task: str | None = None,
        random_state: object = 0,
        n_jobs: int | None = None,
    ) -> None: ...

class ReliefSeq(MethodRanker):
    def __init__(
        self,
        *,
        k_min: int = 1,
        k_max: int | None = 50,
        n_instances: int | float | Literal['converge'] | None = None,
        missing: Literal['class-conditional', 'ignore', 'uniform', 'separate', 'clus'] | None = None,
        ramp: bool | tuple[float, float] = False,
        diff: Literal['range', 'rank', 'presence', 'auto'] = 'range',
        distance: Literal['manhattan', 'cosine'] = 'manhattan',
        n_features_to_select: int | float | str | None = None,
        alpha: float = 0.1,
        nominal: object = None,
        task: str | None = None,
        random_state: object = 0,
        n_jobs: int | None = None,
    ) -> None: ...

class IterativeRelief(MethodRanker):
    def __init__(
        self,
        *,
        n_min: int = 3,
        beta: float = 0.1,
        max_iter: int = 100,
        tol: float = 0.001,
        missing: Literal['class-conditional', 'ignore', 'uniform', 'separate', 'clus'] | None = None,
        ramp: bool | tuple[float, float] = False,
        n_features_to_select: int | float | str | None = None,
        alpha: float = 0.1,
        nominal: object = None,
        task: str | None = None,
        random_state: object = 0,
        n_jobs: int | None = None,
    ) -> None: ...

class IRELIEF(MethodRanker):
    def __init__(
        self,
        *,
        sigma: float | Literal['median'] = 'median',
        beta: float = 0.3,
        max_iter: int = 1000,
        tol: float = 0.001,
        missing: Literal['class-conditional', 'ignore', 'uniform', 'separate', 'clus'] | None = None,
        ramp: bool | tuple[float, float] = False,
        n_features_to_select: int | float | str | None = None,
        alpha: float = 0.1,
        nominal: object = None,
        task: str | None = None,
        random_state: object = 0,
        n_jobs: int | None = None,
    ) -> None: ...

class IRELIEFonline(MethodRanker):
    def __init__(
        self,
        *,
        sigma: float | Literal['median'] = 'median',
        n_passes: int = 1,
        beta: float = 1.0,
        max_iter: int = 1000,
        tol: float = 0.01,
        missing: Literal['class-conditional', 'ignore', 'uniform', 'separate', 'clus'] | None = None,
        ramp: bool | tuple[float, float] = False,
        n_features_to_select: int | float | str | None = None,
        alpha: float = 0.1,
        nominal: object = None,
        task: str | None = None,
        random_state: object = 0,
        n_jobs: int | None = None,
    ) -> None: ...

class LOGO(MethodRanker):
    def __init__(
        self,
        *,
        sigma: float | Literal['median'] = 'median',
        penalty: float = 1.0,
        beta: float = 0.3,
        max_iter: int = 10,
        tol: float = 0.01,
        missing: Literal['class-conditional', 'ignore', 'uniform', 'separate', 'clus'] | None = None,
        ramp: bool | tuple[float, float] = False,
        n_features_to_select: int | float | str | None = None,
        alpha: float = 0.1,
        nominal: object = None,
        task: str | None = None,
        random_state: object = 0,
        n_jobs: int | None = None,
    ) -> None: ...

class LHRELIEF(MethodRanker):
    def __init__(
        self,
        *,
        n_neighbors: int = 3,
        ridge: float = 1.0,
        beta: float = 0.3,
        max_iter: int = 10,
        tol: float = 0.001,
        n_features_to_select: int | float | str | None = None,
        alpha: float = 0.1,
        nominal: object = None,
        task: str | None = None,
        random_state: object = 0,
        n_jobs: int | None = None,
    ) -> None: ...

class SSLRelief(MethodRanker):
    def __init__(
        self,
        *,
        n_neighbors: int | Literal['auto', 'paper'] = 'auto',
        w0: float | Literal['auto'] = 'auto',
        w1: float | Literal['auto'] = 'auto',
        labelled_only: bool = False,
        target_distance: Literal['hamming', 'f1', 'accuracy', 'subset'] = 'hamming',
        label_weights: Literal['mean', 'sum', 'max', 'none'] = 'mean',
        label_decay: float = 0.75,
        gamma: Literal['sum', 'max'] = 'sum',
        per_target: bool = False,
        n_instances: int | float | Literal['converge'] | None = None,
        missing: Literal['class-conditional', 'ignore', 'uniform', 'separate', 'clus'] | None = None,
        ramp: bool | tuple[float, float] = False,
        diff: Literal['range', 'rank', 'presence', 'auto'] = 'range',
        distance: Literal['manhattan', 'cosine'] = 'manhattan',
        n_features_to_select: int | float | str | None = None,
        alpha: float = 0.1,
        nominal: object = None,
        task: str | None = None,
        random_state: object = 0,
        n_jobs: int | None = None,
    ) -> None: ...

class PCT(MethodRanker):
    def __init__(
        self,
        *,
        ensemble: Literal['auto', 'random-forest', 'extra-trees', 'bagging'] = 'auto',
        importance: Literal['genie3', 'symbolic', 'rforest'] = 'genie3',
        n_trees: int | Literal['auto'] = 100,
        max_features: int | float | Literal['auto', 'sqrt', 'log2'] | None = 'auto',
        supervision: float | Literal['auto', 'tuned'] = 'auto',
        min_leaf: int = 1,
        max_depth: int | None = None,
        missing: Literal['majority', 'fractional'] = 'majority',
        f_test: float | None = None,
        depth_decay: float | None = None,
        pooled: bool = True,
        per_target: bool = False,
        label_weights: Literal['mean', 'sum', 'max', 'none'] = 'mean',
        label_decay: float = 0.75,
        n_features_to_select: int | float | str | None = None,
        alpha: float = 0.1,
        nominal: object = None,
        task: str | None = None,
        random_state: object = 0,
        n_jobs: int | None = None,
    ) -> None: ...

class BoostedRelief(MethodRanker):
    def __init__(
        self,
        *,
        n_neighbors: int = 30,
        eta: float | Literal['prediction-first'] = 0.25,
        global_part: bool = True,
        candidates: int | Literal['auto'] | None = 'auto',
        target_distance: Literal['hamming', 'f1', 'accuracy', 'subset'] = 'hamming',
        label_weights: Literal['mean', 'sum', 'max', 'none'] = 'mean',
        label_decay: float = 0.75,
        gamma: Literal['sum', 'max'] = 'sum',
        n_instances: int | float | Literal['converge'] | None = None,
        missing: Literal['class-conditional', 'ignore', 'uniform', 'separate', 'clus'] | None = None,
        ramp: bool | tuple[float, float] = False,
        diff: Literal['range', 'rank', 'presence', 'auto'] = 'range',
        n_features_to_select: int | float | str | None = None,
        alpha: float = 0.1,
        nominal: object = None,
        task: str | None = None,
        random_state: object = 0,
        n_jobs: int | None = None,
    ) -> None: ...

class LearnedSpaceRelief(MethodRanker):
    def __init__(
        self,
        *,
        n_neighbors: int = 30,
        rounds: int = 4,
        mixing: float = 0.5,
        damping: float = 0.5,
        heavy: int = 8,
        threshold: float = 0.1,
        target_distance: Literal['hamming', 'f1', 'accuracy', 'subset'] = 'hamming',
        label_weights: Literal['mean', 'sum', 'max', 'none'] = 'mean',
        label_decay: float = 0.75,
        gamma: Literal['sum', 'max'] = 'sum',
        n_instances: int | float | Literal['converge'] | None = None,
        missing: Literal['class-conditional', 'ignore', 'uniform', 'separate', 'clus'] | None = None,
        ramp: bool | tuple[float, float] = False,
        diff: Literal['range', 'rank', 'presence', 'auto'] = 'range',
        n_features_to_select: int | float | str | None = None,
        alpha: float = 0.1,
        nominal: object = None,
        task: str | None = None,
        random_state: object = 0,
        n_jobs: int | None = None,
    ) -> None: ...

class BoostedLearnedSpaceRelief(MethodRanker):
    def __init__(
        self,
        *,
        n_neighbors: int = 30,
        eta: float | Literal['prediction-first'] = 0.25,
        global_part: bool = True,
        rounds: int = 4,
        mixing: float = 0.5,
        damping: float = 0.5,
        heavy: int = 8,
        threshold: float = 0.1,
        candidates: int | Literal['auto'] | None = 'auto',
        target_distance: Literal['hamming', 'f1', 'accuracy', 'subset'] = 'hamming',
        label_weights: Literal['mean', 'sum', 'max', 'none'] = 'mean',
        label_decay: float = 0.75,
        gamma: Literal['sum', 'max'] = 'sum',
        n_instances: int | float | Literal['converge'] | None = None,
        missing: Literal['class-conditional', 'ignore', 'uniform', 'separate', 'clus'] | None = None,
        ramp: bool | tuple[float, float] = False,
        diff: Literal['range', 'rank', 'presence', 'auto'] = 'range',
        n_features_to_select: int | float | str | None = None,
        alpha: float = 0.1,
        nominal: object = None,
        task: str | None = None,
        random_state: object = 0,
        n_jobs: int | None = None,
    ) -> None: ...

class LaplacianScore(MethodRanker):
    def __init__(
        self,
        *,
        n_neighbors: int = 5,
        bandwidth: float | Literal['median'] | None = 'median',
        self_loops: bool = True,
        distance: Literal['euclidean', 'cosine'] = 'euclidean',
        scaling: Literal['z-score', 'none'] = 'z-score',
        nominal_score: Literal['mean', 'sum'] = 'mean',
        n_features_to_select: int | float | str | None = None,
        alpha: float = 0.1,
        nominal: object = None,
        task: str | None = None,
        random_state: object = 0,
        n_jobs: int | None = None,
    ) -> None: ...

class SPEC(MethodRanker):
    def __init__(
        self,
        *,
        style: int = 2,
        gamma: float | Literal['median'] = 'median',
        n_eigenvectors: int = 5,
        scaling: Literal['z-score', 'none'] = 'z-score',
        nominal_score: Literal['mean', 'sum'] = 'mean',
        n_features_to_select: int | float | str | None = None,
        alpha: float = 0.1,
        nominal: object = None,
        task: str | None = None,
        random_state: object = 0,
        n_jobs: int | None = None,
    ) -> None: ...

class MCFS(MethodRanker):
    def __init__(
        self,
        *,
        n_eigenvectors: int = 5,
        n_selected: int | None = None,
        n_neighbors: int = 5,
        bandwidth: float | Literal['median'] | None = 'median',
        self_loops: bool = True,
        distance: Literal['euclidean', 'cosine'] = 'euclidean',
        scaling: Literal['z-score', 'none'] = 'z-score',
        nominal_score: Literal['mean', 'sum'] = 'mean',
        n_features_to_select: int | float | str | None = None,
        alpha: float = 0.1,
        nominal: object = None,
        task: str | None = None,
        random_state: object = 0,
        n_jobs: int | None = None,
    ) -> None: ...

class NDFS(MethodRanker):
    def __init__(
        self,
        *,
        n_clusters: int = 5,
        regression_weight: float = 1.0,
        beta: float = 1.0,
        gamma: float = 100000000.0,
        tol: float = 0.001,
        max_iter: int = 1000,
        n_neighbors: int = 5,
        bandwidth: float | Literal['median'] | None = 'median',
        self_loops: bool = True,
        distance: Literal['euclidean', 'cosine'] = 'euclidean',
        scaling: Literal['z-score', 'none'] = 'z-score',
        nominal_score: Literal['mean', 'sum'] = 'mean',
        n_features_to_select: int | float | str | None = None,
        alpha: float = 0.1,
        nominal: object = None,
        task: str | None = None,
        random_state: object = 0,
        n_jobs: int | None = None,
    ) -> None: ...

class AgnoSS(MethodRanker):
    def __init__(
        self,
        *,
        dimension: int | Literal['auto'] = 'auto',
        penalty: float = 1.0,
        max_iter: int = 1000,
        tol: float = 0.001,
        scaling: Literal['z-score', 'none'] = 'z-score',
        nominal_score: Literal['mean', 'sum'] = 'mean',
        n_features_to_select: int | float | str | None = None,
        alpha: float = 0.1,
        nominal: object = None,
        task: str | None = None,
        random_state: object = 0,
        n_jobs: int | None = None,
    ) -> None: ...

class SemiSupervisedLaplacianScore(MethodRanker):
    def __init__(
        self,
        *,
        n_neighbors: int = 5,
        bandwidth: float | Literal['median'] | None = 'median',
        labelled_weight: float = 5.0,
        self_loops: bool = False,
        nominal_score: Literal['mean', 'sum'] = 'mean',
        n_features_to_select: int | float | str | None = None,
        alpha: float = 0.1,
        nominal: object = None,
        task: str | None = None,
        random_state: object = 0,
        n_jobs: int | None = None,
    ) -> None: ...

class MutualInformation(MethodRanker):
    def __init__(
        self,
        *,
        n_neighbors: int = 3,
        per_target: bool = False,
        n_features_to_select: int | float | str | None = None,
        alpha: float = 0.1,
        nominal: object = None,
        task: str | None = None,
        random_state: object = 0,
        n_jobs: int | None = None,
    ) -> None: ...

class RandomForest(WeightedMethodRanker):
    def __init__(
        self,
        *,
        n_trees: int = 100,
        max_features: int | float | Literal['sqrt', 'log2'] | None = 'sqrt',
        min_leaf: int = 1,
        max_depth: int | None = None,
        bootstrap: bool = True,
        per_target: bool = False,
        n_features_to_select: int | float | str | None = None,
        alpha: float = 0.1,
        nominal: object = None,
        task: str | None = None,
        random_state: object = 0,
        n_jobs: int | None = None,
    ) -> None: ...

class CoxScoreTest(WeightedMethodRanker):
    def __init__(
        self,
        *,
        nominal_score: Literal['mean', 'sum'] = 'mean',
        n_features_to_select: int | float | str | None = None,
        alpha: float = 0.1,
        nominal: object = None,
        task: str | None = None,
        random_state: object = 0,
        n_jobs: int | None = None,
    ) -> None: ...

class TuRF(MethodRanker):
    def __init__(
        self,
        *,
        core: str | tuple[str | None, object] = ('relieff', ()),
        share: float = 0.5,
        step: int | None = None,
        n_keep: int = 100,
        n_features_to_select: int | float | str | None = None,
        alpha: float = 0.1,
        nominal: object = None,
        task: str | None = None,
        random_state: object = 0,
        n_jobs: int | None = None,
    ) -> None: ...

class VLSRelief(MethodRanker):
    def __init__(
        self,
        *,
        core: str | tuple[str | None, object] = ('relieff', ()),
        n_subsets: int | Literal['auto'] = 'auto',
        subset_size: int | None = None,
        order: int = 2,
        n_features_to_select: int | float | str | None = None,
        alpha: float = 0.1,
        nominal: object = None,
        task: str | None = None,
        random_state: object = 0,
        n_jobs: int | None = None,
    ) -> None: ...

class IVLSRelief(MethodRanker):
    def __init__(
        self,
        *,
        core: str | tuple[str | None, object] = ('relieff', ()),
        share: float = 0.5,
        step: int | None = None,
        n_keep: int = 100,
        n_subsets: int | Literal['auto'] = 'auto',
        subset_size: int | None = None,
        order: int = 2,
        n_features_to_select: int | float | str | None = None,
        alpha: float = 0.1,
        nominal: object = None,
        task: str | None = None,
        random_state: object = 0,
        n_jobs: int | None = None,
    ) -> None: ...

class EvaporativeCooling(MethodRanker):
    def __init__(
        self,
        *,
        core: str | tuple[str | None, object] = ('relieff', ()),
        main: Literal['mutualinfo', 'randomforest'] = 'mutualinfo',
        temperature: float = 1.0,
        step: int | None = None,
        n_keep: int = 100,
        n_features_to_select: int | float | str | None = None,
        alpha: float = 0.1,
        nominal: object = None,
        task: str | None = None,
        random_state: object = 0,
        n_jobs: int | None = None,
    ) -> None: ...
