"""A table that must not play: its clients learn the cause and what to do."""
