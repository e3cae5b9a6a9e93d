"""The recipes of the Relief family: each is a neighbourhood and an update, with a name and a source."""

from ..data.expected import CONDITIONAL, IGNORE, SEPARATE, UNIFORM
from ..relief.neighbourhoods.far_from_mean import FarFromMean
from ..relief.neighbourhoods.k_nearest import KNearest
from ..relief.neighbourhoods.radius import Radius
from ..relief.neighbourhoods.sigmoid import Sigmoid
from ..relief.neighbourhoods.smooth_radius import SmoothRadius
from ..relief.updates.hit_miss import AboveMean, HitMiss, SharedFeatures, SignedPairs
from ..relief.updates.residual_products import ResidualProducts
from ..relief.updates.target_change import Covariance, Probability
from ..targets.tasks import CLASSIFICATION, MULTILABEL, MULTITARGET, REGRESSION, SEVERAL, SURVIVAL, UNSUPERVISED
from .best_k import BestK
from .parameter_table import OF_SEVERAL
from .preset import preset
from .recipe import Recipe

KAZEMI_NIA = "Kazemi-Nia, Bandhey, Freda and Urbanowicz 2026, arXiv:2608.28552"

RECIPES = (
    Recipe(
        name="relief",
        title="Relief",
        about="one hit, one miss",
        idea="Compares each row with the nearest row of its class and the nearest row of another class",
        citation="Kira and Rendell 1992, Proc. AAAI-92:129-134",
        tasks=(CLASSIFICATION,),
        neighbourhood=KNearest(1),
        update=HitMiss("E"),
        parameter_names=("power",),
    ),
    Recipe(
        name="reliefa",
        title="ReliefA",
        about="k hits, k misses",
        idea="Compares each row with the k nearest rows of its class and the k nearest rows of other classes",
        citation="Kononenko 1994, Proc. ECML-94:171-182",
        tasks=(CLASSIFICATION,),
        neighbourhood=KNearest(10),
        update=HitMiss("E"),
        parameter_names=("n_neighbors",),
        presets=(
            preset("Relief-B", missing=UNIFORM),
            preset("Relief-C", missing=IGNORE),
            preset("Relief-D", missing=CONDITIONAL),
        ),
        weighted=True,
    ),
    Recipe(
        name="relieff",
        title="ReliefF",
        about="k nearest of each class",
        idea=(
            "Compares each row with the k nearest rows of its class and of every other class, weighted by the "
            "frequency of the class"
        ),
        citation="Kononenko 1994, Proc. ECML-94:171-182",
        tasks=(CLASSIFICATION,),
        neighbourhood=KNearest(10),
        update=HitMiss("F"),
        parameter_names=("n_neighbors", "sigma", "scheme"),
        presets=(preset("Relief-E", scheme="E"),),
        adjusts=True,
        weighted=True,
    ),
    Recipe(
        name="erelieff",
        title="EReliefF",
        about="for missing values",
        idea=(
            "As ReliefF, but neighbours with more features known in both rows have more weight. A reconstruction, "
            "since the paper was not available"
        ),
        citation="Park and Kwon 2007, Proc. ALPIT 2007:123-128",
        tasks=(CLASSIFICATION,),
        neighbourhood=KNearest(10),
        update=SharedFeatures("F"),
        parameter_names=("n_neighbors",),
        missing=IGNORE,
        shared_names=("n_instances", "ramp"),
    ),
    Recipe(
        name="relievedf",
        title="Relieved-F",
        about="all of tied rows",
        idea=(
            "As ReliefF, but all rows as near as the k-th share the last places, so the order of rows does not matter"
        ),
        citation="Kohavi and John 1997, Artificial Intelligence 97:273-324",
        tasks=(CLASSIFICATION,),
        neighbourhood=KNearest(10, ties="average"),
        update=HitMiss("F"),
        parameter_names=("n_neighbors",),
        missing=SEPARATE,
    ),
    Recipe(
        name="reliefmss",
        title="ReliefMSS",
        about="above the mean difference",
        idea=("As ReliefF, but only the excess of a difference over the mean difference of the other features counts"),
        citation="Chikhi and Benhammada 2009, Int. J. Business Intelligence and Data Mining 4:375-390",
        tasks=(CLASSIFICATION,),
        neighbourhood=KNearest(10),
        update=AboveMean("F"),
        parameter_names=("n_neighbors",),
    ),
    Recipe(
        name="rrelieff",
        title="RReliefF",
        about="k nearest, numeric target",
        idea=(
            "Scores how much more a feature differs between neighbours with different target values than between "
            "those with similar ones"
        ),
        citation="Robnik-Sikonja and Kononenko 1997, Proc. ICML-97:296-304",
        tasks=(REGRESSION, *SEVERAL, SURVIVAL),
        neighbourhood=KNearest(70, 20.0),
        update=Probability(),
        parameter_names=("n_neighbors", "sigma", *OF_SEVERAL),
        adjusts=True,
        weighted=True,
    ),
    Recipe(
        name="surf",
        title="SURF",
        about="one radius for all rows",
        idea="Compares each row with all rows nearer than the mean distance of all pairs",
        citation="Greene et al. 2009, BioData Mining 2:5",
        tasks=(CLASSIFICATION, REGRESSION, SURVIVAL),
        neighbourhood=Radius(0.0, over_all_pairs=True),
        update=HitMiss(drop_empty=False),
        adjusts=True,
        weighted=True,
    ),
    Recipe(
        name="surfstar",
        title="SURF*",
        about="near and far rows",
        idea="As SURF, but rows farther than the mean distance count with the opposite sign",
        citation="Greene et al. 2010, Proc. EvoBIO 2010:182-193",
        tasks=(CLASSIFICATION, REGRESSION),
        neighbourhood=Radius(0.0, far=True, over_all_pairs=True),
        update=HitMiss(drop_empty=False),
        weighted=True,
    ),
    Recipe(
        name="multisurf",
        title="MultiSURF",
        about="radius of each row",
        idea=("Compares each row with all rows within a radius computed from its own distances. It has nothing to set"),
        citation="Urbanowicz et al. 2018, J. Biomedical Informatics 85:168-188",
        tasks=(CLASSIFICATION, REGRESSION, SURVIVAL),
        neighbourhood=Radius(),
        update=HitMiss(drop_empty=False),
        adjusts=True,
        weighted=True,
    ),
    Recipe(
        name="multisurfstar",
        title="MultiSURF*",
        about="near and far, each row",
        idea="As MultiSURF, but rows beyond a second radius count with the opposite sign",
        citation="Granizo-Mackenzie and Moore 2013, Proc. EvoBIO 2013:1-10",
        tasks=(CLASSIFICATION, REGRESSION),
        neighbourhood=Radius(far=True),
        update=HitMiss(drop_empty=False),
        weighted=True,
    ),
    Recipe(
        name="swrfstar",
        title="SWRF*",
        about="all rows, by distance",
        idea="Compares each row with all rows, with an influence from +1 for near rows to -1 for far rows",
        citation="Stokes and Visweswaran 2012, BioData Mining 5:20",
        tasks=(CLASSIFICATION, REGRESSION),
        neighbourhood=Sigmoid(),
        update=SignedPairs(),
    ),
    Recipe(
        name="swrf",
        title="SWRF",
        about="near rows, by distance",
        idea="As SURF, but a row has more influence the nearer it is",
        citation=KAZEMI_NIA,
        tasks=(CLASSIFICATION, REGRESSION),
        neighbourhood=SmoothRadius(over_all_pairs=True),
        update=HitMiss(drop_empty=False),
    ),
    Recipe(
        name="multiswrf",
        title="MultiSWRF",
        about="nearer than the row's mean",
        idea="As SWRF, but with the mean and the deviation of the distances of each row",
        citation=KAZEMI_NIA,
        tasks=(CLASSIFICATION, REGRESSION),
        neighbourhood=SmoothRadius(),
        update=HitMiss(drop_empty=False),
    ),
    Recipe(
        name="multiswrfstar",
        title="MultiSWRF*",
        about="near and far, by distance",
        idea="As MultiSWRF, but rows farther than the mean distance count with the opposite sign",
        citation=KAZEMI_NIA,
        tasks=(CLASSIFICATION, REGRESSION),
        neighbourhood=SmoothRadius(far=True),
        update=HitMiss(drop_empty=False),
    ),
    Recipe(
        name="multiswrfdb",
        title="MultiSWRFDB",
        about="radius of each row, by distance",
        idea="As MultiSURF, but a row has more influence the farther it is inside the radius",
        citation=KAZEMI_NIA,
        tasks=(CLASSIFICATION, REGRESSION),
        neighbourhood=SmoothRadius(0.5),
        update=HitMiss(drop_empty=False),
    ),
    Recipe(
        name="multiswrfdbstar",
        title="MultiSWRFDB*",
        about="both radii, by distance",
        idea="As MultiSURF*, but a row has more influence the farther it is from the dead band",
        citation=KAZEMI_NIA,
        tasks=(CLASSIFICATION, REGRESSION),
        neighbourhood=SmoothRadius(0.5, far=True),
        update=HitMiss(drop_empty=False),
    ),
    Recipe(
        name="murelief",
        title="mu-Relief",
        about="k rows far from the mean distance",
        idea=(
            "As ReliefF, but the neighbours of a row are the k rows of each class, near or far, that are farthest "
            "from the mean distance"
        ),
        citation="Aggarwal et al. 2023, Applied Intelligence 53:23004-23028",
        tasks=(CLASSIFICATION, REGRESSION),
        neighbourhood=FarFromMean(10),
        update=HitMiss(drop_empty=False),
        parameter_names=("n_neighbors",),
    ),
    Recipe(
        name="urelief",
        title="URelief",
        about="no target at all",
        idea="Scores features that differ where whole rows differ, among near rows",
        citation="Petkovic, Kocev, Skrlj and Dzeroski 2020, arXiv:2011.11679",
        tasks=(UNSUPERVISED,),
        neighbourhood=KNearest(30),
        update=Covariance(),
        parameter_names=("n_neighbors",),
    ),
)


RESIDUALRELIEF = Recipe(
    name="residualrelief",
    title="Residual Relief",
    about="main effects, rare classes",
    idea=(
        "As MultiSURF, but pairs weigh products of residuals of the target. It has more power for rare "
        "classes and for features that matter one by one"
    ),
    citation="this project, 2026; products as in Liu, Ghosh and Lin 2008, BMC Bioinformatics 9:292",
    tasks=(CLASSIFICATION, REGRESSION, MULTITARGET, MULTILABEL),
    neighbourhood=Radius(),
    update=ResidualProducts(),
    adjusts=True,
    weighted=True,
)

RELIEFSEQ = BestK(
    name="reliefseq",
    title="ReliefSeq",
    about="best k for each feature",
    idea=(
        "As ReliefF, but each feature has the number of neighbours with its best score: few for interactions, "
        "many for main effects. Use it for rankings only, since the largest of many scores is high by chance"
    ),
    citation="McKinney et al. 2013, PLoS ONE 8:e81527",
    tasks=(CLASSIFICATION,),
    neighbourhood=KNearest(10),
    update=HitMiss("F"),
    parameter_names=("k_min", "k_max"),
)
