"""Tables of features as web pages and in notebooks: their columns, templates and rendering.

`Ranking` shows itself in a notebook by notebook.py, and `core/report` writes whole pages by rendering.py.
"""
