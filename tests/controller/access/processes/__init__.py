"""Processes that stand for the one that hashes, and fail in one way each."""
