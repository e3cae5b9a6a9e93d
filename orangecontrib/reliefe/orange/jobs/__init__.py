"""Work of widgets in threads: rankings of a table by several methods, and what follows a ranking."""
