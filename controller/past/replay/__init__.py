"""Ended rounds out of a journal: as scripts, card by card, and settled once more."""
