"""Rounds of all tables, out of the floor's store: searches, and one round as its table shows it."""
