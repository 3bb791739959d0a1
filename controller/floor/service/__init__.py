"""The process of a floor: what `tableside floor run` does."""
