"""A table that must not play: one page says why, what to do, and what its jackpots were."""
