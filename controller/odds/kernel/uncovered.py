"""What the tables cannot represent."""


class NotCovered(Exception):
    """The tables cannot represent a game with its options; the text says why."""
