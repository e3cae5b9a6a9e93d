"""Text tables and workbooks as other programs write them, as cells of text."""

from .reading import ReadingOptions, TextTable, read_text_table

__all__ = ["ReadingOptions", "TextTable", "read_text_table"]
