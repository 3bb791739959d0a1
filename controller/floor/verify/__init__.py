"""Checks everything that the floor stores, again from the rows: `tableside floor verify`."""
