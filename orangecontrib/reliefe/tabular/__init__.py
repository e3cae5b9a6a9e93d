"""Text tables and workbooks as other programs write them, as cells of text."""

from .reading import ReadingOptions, read_text_table
from .text_table import TextTable

__all__ = ["ReadingOptions", "TextTable", "read_text_table"]
