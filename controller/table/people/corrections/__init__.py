"""Misread cards, late cards and wrong keys: correction.py explains how the round is replayed."""
