"""Jackpots from the command line: what they are, what persons say about claims and meters."""
