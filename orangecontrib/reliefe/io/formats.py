"""Orange opens and saves ARFF by itself once this module is imported."""

from contextlib import suppress

from Orange.data import FileFormat, Table

from .table import read_arff
from .writing import write_arff


class ArffFormat(FileFormat):  # type: ignore[misc]  # Orange has no types
    """ARFF for the widgets File and Save Data, `Table("x.arff")` and `table.save("x.arff")`."""

    EXTENSIONS = (".arff",)
    DESCRIPTION = "Attribute-Relation File Format (Weka, Mulan, MEKA, CLUS)"
    PRIORITY = 60
    SUPPORT_COMPRESSED = True
    SUPPORT_SPARSE_DATA = True

    def read(self) -> Table:
        """The table in the file; raises ValueError with the place of the error."""
        return read_arff(self.filename)

    @classmethod
    def write_file(cls, filename: str, data: Table) -> None:
        """Write `data`; raises ValueError if ARFF cannot express them."""
        write_arff(filename, data)


# Orange remembers the formats at the first file it opens, which may have been before this one was defined.
with suppress(AttributeError):
    type(FileFormat)._ext_to_attr_if_attr2.cache_clear()
