"""The truth on disk: chained rows, and whatever keeps them whole."""
