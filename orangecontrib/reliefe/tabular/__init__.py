"""Text tables and workbooks as other programs write them, as cells of text."""
