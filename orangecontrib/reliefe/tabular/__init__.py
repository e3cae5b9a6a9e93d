"""Text tables and workbooks as other programs write them, as cells of text."""

from .beside import names_beside
from .reading import BesideError, ReadingOptions, read_text_table
from .text_table import TextTable

__all__ = ["BesideError", "ReadingOptions", "TextTable", "names_beside", "read_text_table"]
