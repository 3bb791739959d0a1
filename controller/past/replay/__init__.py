"""Ended rounds from a journal: as scripts, card by card, and settled again by the rules."""
