"""Graphs of near rows, how smooth features are on them, and regressions that rank features by coefficients."""
