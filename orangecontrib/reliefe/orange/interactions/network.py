"""Network of interactions for the add-on Network, and the table of its nodes: outputs of *Feature Interactions*."""

import numpy as np
import scipy.sparse as sp
from Orange.data import ContinuousVariable, Domain, StringVariable, Table

from .job import PairResult

NETWORK = "orangecontrib.network.network.base.Network"  # type of the signal


def network_of(found: PairResult) -> object:
    """Make a network of the add-on, whose items are features and whose edges have z as weights.

    Parameters
    ----------
    found : PairResult
        Result of the search for pairs.

    Returns
    -------
    Network or None
        The network. None before the search, or without the add-on.
    """
    try:
        from orangecontrib.network import Network
    except ImportError:
        return None
    network = found.network
    if network is None:
        return None
    m = len(network.variables)
    pairs = np.array(network.linked, int).reshape(-1, 2)
    weights = np.array([network.z[a, b] for a, b in pairs])
    edges = sp.csr_matrix((weights, (pairs[:, 0], pairs[:, 1])), (m, m))
    return Network(items(found), edges, "Feature interactions", np.array(found.places, float))


def items(found: PairResult) -> Table | None:
    """Make a table with a row for each feature: scores, number of edges, q if known, and its name.

    Parameters
    ----------
    found : PairResult
        Result of the search for pairs.

    Returns
    -------
    Table or None
        The table. None before the search.
    """
    network = found.network
    shortlist = found.shortlist
    if network is None or shortlist is None:
        return None
    degree = np.bincount(np.array(network.linked, int).ravel(), minlength=len(network.variables))
    columns = {"Score": shortlist.scores, "Score over pairs": network.alone, "Partners": degree}
    if shortlist.q is not None:
        columns["q"] = shortlist.q
    domain = Domain([ContinuousVariable(title) for title in columns], metas=[StringVariable("Feature")])
    names = np.array([[variable.name] for variable in network.variables], object)
    table = Table.from_numpy(domain, np.column_stack(list(columns.values())).astype(float), metas=names)
    table.name = "Features"
    return table
