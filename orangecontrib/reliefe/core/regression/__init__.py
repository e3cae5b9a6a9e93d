"""Regressions that rank features by their coefficients: least-angle, discriminative and reconstructive ones."""
