"""A table that must not play: its page shows the cause, what to do, and the last amounts of its jackpots."""
