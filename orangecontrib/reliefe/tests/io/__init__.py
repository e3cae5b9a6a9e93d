"""Tests of readers and writers."""
