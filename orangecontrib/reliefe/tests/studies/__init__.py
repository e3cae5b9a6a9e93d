"""Tests of covariates, survival times and groups."""
