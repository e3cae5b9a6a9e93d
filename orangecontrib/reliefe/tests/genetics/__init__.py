"""Tests of genotypes of many people."""
