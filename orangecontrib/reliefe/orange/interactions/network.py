"""Network of interactions for the add-on Network, and the table of its nodes."""

import numpy as np
import scipy.sparse as sp
from Orange.data import ContinuousVariable, Domain, StringVariable, Table

NETWORK = "orangecontrib.network.network.base.Network"  # type of the signal


def network_of(found) -> object:
    """The network of a result for the add-on: items are features, weights of edges z; None without it, or of nothing.

    found: a `Found`.
    """
    try:
        from orangecontrib.network import Network
    except ImportError:
        return None
    if found.network is None:
        return None
    network, m = found.network, len(found.network.variables)
    pairs = np.array(network.linked, int).reshape(-1, 2)
    weights = np.array([network.z[a, b] for a, b in pairs])
    edges = sp.csr_matrix((weights, (pairs[:, 0], pairs[:, 1])), (m, m))
    return Network(items(found), edges, "Feature interactions", np.array(found.places, float))


def items(found) -> Table:
    """A row for each feature of a network: scores, number of partners, q if known, and its name."""
    network, shortlist = found.network, found.shortlist
    degree = np.bincount(np.array(network.linked, int).ravel(), minlength=len(network.variables))
    columns = {"Score": shortlist.scores, "Score over pairs": network.alone, "Partners": degree}
    if shortlist.q is not None:
        columns["q"] = shortlist.q
    domain = Domain([ContinuousVariable(title) for title in columns], metas=[StringVariable("Feature")])
    names = np.array([[variable.name] for variable in network.variables], object)
    table = Table.from_numpy(domain, np.column_stack(list(columns.values())).astype(float), metas=names)
    table.name = "Features"
    return table
