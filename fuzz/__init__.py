"""Hostile input for every face of the product, made at random from a seed and run in a subprocess with limits.

``python -m fuzz --minutes 60`` looks for new faults; ``python -m fuzz --replay KIND SEED NUMBER`` repeats one.
"""
