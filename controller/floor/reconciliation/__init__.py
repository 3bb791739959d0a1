"""Compares the meters and claims of linked progressives with the rows of the tables."""
