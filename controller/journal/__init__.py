"""The journal: an append-only file of hash-chained rows, its mirror, its archive, and the one reader."""
