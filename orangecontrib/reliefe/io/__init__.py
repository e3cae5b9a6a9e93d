"""Files: ARFF in the dialects of Weka, Mulan, MEKA, CLUS and KEEL, which Orange opens from now on; .fimp rankings.

Reading and writing goes from file to arrays (`arff`, without Orange), to roles of the columns (`roles`), to a Table
(`table`), and back (`writing`).  A ValueError with file, line and column says what cannot be read.
"""

from .fimp import Fimp, read_fimp, write_fimp
from .table import read_arff
from .writing import ArffFormat, write_arff

__all__ = ["ArffFormat", "Fimp", "read_arff", "read_fimp", "write_arff", "write_fimp"]
