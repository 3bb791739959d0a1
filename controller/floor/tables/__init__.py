"""What the floor shows of its tables now: a tile for each, and alerts. No clock and no I/O but for the
subscriber."""
